//! `Certificate`: RFC 5280 §4.1.

use super::error::{Error, field};
use super::extensions::{self, Extension};
use super::{DistributionPoint, Name};
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{self, Oid, Reader, Tag, Tlv, decimal, element_count, to_der};
use crate::crypto::{self, PublicKey, token_digest};
use crate::facts::{Extensions, Id, Shared};
use crate::time::Time;
use sha1::Digest as _;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The longest certificate that is read, in bytes: each that it issued is judged by what it says. Real ones: below 20,000.
const LONGEST: usize = 128 << 10;

/// A certificate, its bytes as sent (where that is DER). Clones share them; equal are those whose bytes are.
#[derive(Clone)]
pub struct Certificate(Arc<Inner>);

struct Inner {
    der: Box<[u8]>,
    sha256: [u8; 32],
    id: Id,
    version: u64,
    tbs: Range<usize>,
    signature_algorithm: Range<usize>,
    tbs_signature_algorithm: Range<usize>,
    signature: Range<usize>,
    serial: Range<usize>,
    issuer: Name,
    subject: Name,
    not_before: Time,
    not_after: Time,
    spki: Range<usize>,
    extensions: Vec<Located>,
    typed: OnceLock<Shared<Extensions>>,
    entity_key: OnceLock<String>,
    public_key: OnceLock<Option<PublicKey>>,
    key_sha1: OnceLock<[u8; 20]>,
    /// By other functions than SHA-256.
    digests: Digests,
    issuer_digests: Digests,
    key_digests: Digests,
    points: OnceLock<Vec<DistributionPoint>>,
}

/// Digests of some bytes by each function that was asked for.
#[derive(Default)]
struct Digests(Mutex<HashMap<DigestAlgorithm, Option<Arc<[u8]>>>>);

impl Digests {
    /// Returns the digest of `bytes`, calculated once; `None` where the function is not known here.
    fn of(&self, algorithm: DigestAlgorithm, bytes: impl AsRef<[u8]>) -> Option<Arc<[u8]>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let made = || crypto::digest(algorithm, bytes.as_ref()).map(Into::into);
        known.entry(algorithm).or_insert_with(made).clone()
    }
}

/// Where an extension lies.
struct Located {
    oid: Range<usize>,
    critical: bool,
    value: Range<usize>,
}

impl Certificate {
    /// Reads a certificate from its DER (or BER); what follows it is ignored.
    ///
    /// `SEQUENCE { tbsCertificate, signatureAlgorithm, signature BIT STRING }`. What is signed is the DER (RFC 5280
    /// §4.1.1.3): of one that was sent with its lengths left open, as no DER has them, the DER is what counts.
    pub fn from_der(input: &[u8]) -> Result<Self, Error> {
        let wrong = |name| field("certificate", name);
        let (sent, _) = Tlv::split(input).map_err(wrong("Certificate"))?;
        if sent.raw.len() > LONGEST {
            return Err(wrong("Certificate")(asn1::Error::TooLarge { what: "certificate" }));
        }
        let first = sent.children().read().map_err(wrong("tbsCertificate"))?;
        let is_open = |tlv: &Tlv<'_>| tlv.raw.get(1) == Some(&0x80);
        let der = if is_open(&sent) || is_open(&first) { to_der(sent.raw) } else { Ok(Cow::Borrowed(sent.raw)) };
        let der = der.map_err(wrong("Certificate"))?;
        let outer = Tlv::whole(&der).map_err(wrong("Certificate"))?;
        let der: Box<[u8]> = outer.raw.into();
        let at = |part: &[u8]| offset(outer.raw, part);
        let mut parts = outer.expecting(Tag::SEQUENCE).map_err(wrong("Certificate"))?.children();
        let tbs = parts.expect(Tag::SEQUENCE).map_err(wrong("tbsCertificate"))?;
        let signature_algorithm = parts.expect(Tag::SEQUENCE).map_err(wrong("signatureAlgorithm"))?;
        let signature = parts.expect(Tag::BIT_STRING).map_err(wrong("signature"))?;
        parts.finish().map_err(wrong("Certificate"))?;

        let mut fields = tbs.children();
        let version = match fields.context(0).map_err(wrong("version"))? {
            Some(version) => version.inner().and_then(|tlv| tlv.to_u64()).map_err(wrong("version"))?.saturating_add(1),
            None => 1,
        };
        let serial = fields.expect(Tag::INTEGER).map_err(wrong("serialNumber"))?;
        serial.integer_bytes().map_err(wrong("serialNumber"))?;
        let tbs_signature_algorithm = fields.expect(Tag::SEQUENCE).map_err(wrong("signature algorithm"))?;
        let issuer = Name::from_der(fields.expect(Tag::SEQUENCE).map_err(wrong("issuer"))?.raw)?;
        let mut validity = fields.expect(Tag::SEQUENCE).map_err(wrong("validity"))?.children();
        let not_before = validity.read().and_then(|tlv| tlv.time()).map_err(wrong("notBefore"))?;
        let not_after = validity.read().and_then(|tlv| tlv.time()).map_err(wrong("notAfter"))?;
        let subject = Name::from_der(fields.expect(Tag::SEQUENCE).map_err(wrong("subject"))?.raw)?;
        let spki = fields.expect(Tag::SEQUENCE).map_err(wrong("subjectPublicKeyInfo"))?;
        super::minimal_rsa(spki.raw).map_err(wrong("subjectPublicKey"))?;
        fields.context(1).map_err(wrong("issuerUniqueID"))?;
        fields.context(2).map_err(wrong("subjectUniqueID"))?;

        let mut located = Vec::new();
        if let Some(explicit) = fields.context(3).map_err(wrong("extensions"))? {
            let mut extensions = explicit.inner().map_err(wrong("extensions"))?.children();
            while let Some(extension) = Reader::next(&mut extensions).map_err(wrong("extension"))? {
                let Extension { oid, critical, value } = Extension::read(extension).map_err(wrong("extension"))?;
                located.push(Located { oid: at(oid.content()), critical, value: at(value) });
            }
        }
        fields.finish().map_err(wrong("tbsCertificate"))?;

        let sha256 = token_digest(&der);
        Ok(Self(Arc::new(Inner {
            sha256,
            id: super::id("C-", &sha256),
            version,
            tbs: at(tbs.raw),
            signature_algorithm: at(signature_algorithm.raw),
            tbs_signature_algorithm: at(tbs_signature_algorithm.raw),
            signature: at(signature.raw),
            serial: at(serial.content),
            issuer,
            subject,
            not_before,
            not_after,
            spki: at(spki.raw),
            extensions: located,
            typed: OnceLock::new(),
            entity_key: OnceLock::new(),
            public_key: OnceLock::new(),
            key_sha1: OnceLock::new(),
            digests: Digests::default(),
            issuer_digests: Digests::default(),
            key_digests: Digests::default(),
            points: OnceLock::new(),
            der,
        })))
    }

    /// Returns the certificate as sent, where that is its DER.
    pub fn der(&self) -> &[u8] {
        &self.0.der
    }

    /// Returns the SHA-256 of the certificate.
    pub fn sha256(&self) -> &[u8; 32] {
        &self.0.sha256
    }

    /// Returns the digest of the certificate, calculated once; `None` where the function is not known here.
    pub fn digest(&self, algorithm: DigestAlgorithm) -> Option<Arc<[u8]>> {
        if algorithm == DigestAlgorithm::Sha256 {
            return Some(self.0.sha256[..].into());
        }
        self.0.digests.of(algorithm, self.der())
    }

    /// Returns the digest of the issuer's name, calculated once (RFC 6960 §4.1.1 `issuerNameHash`).
    pub(super) fn issuer_digest(&self, algorithm: DigestAlgorithm) -> Option<Arc<[u8]>> {
        self.0.issuer_digests.of(algorithm, self.issuer().der())
    }

    /// Returns the digest of the key's bits, calculated once (RFC 6960 §4.1.1 `issuerKeyHash`).
    pub(super) fn key_digest(&self, algorithm: DigestAlgorithm) -> Option<Arc<[u8]>> {
        self.0.key_digests.of(algorithm, self.key_bits())
    }

    /// Returns the distribution points as `read` reads them, once.
    pub(super) fn points_by(&self, read: impl FnOnce() -> Vec<DistributionPoint>) -> &[DistributionPoint] {
        self.0.points.get_or_init(read)
    }

    /// Returns whether this is the certificate's digest.
    pub fn has_digest(&self, algorithm: DigestAlgorithm, digest: &[u8]) -> bool {
        match algorithm {
            DigestAlgorithm::Sha256 => self.0.sha256 == digest,
            _ => self.digest(algorithm).is_some_and(|found| *found == *digest),
        }
    }

    /// Returns `C-` and the SHA-256 in upper-case hexadecimal: its id in the facts.
    pub fn id(&self) -> &Id {
        &self.0.id
    }

    /// Returns the version: 1, 2 or 3.
    pub fn version(&self) -> u64 {
        self.0.version
    }

    /// Returns `tbsCertificate`: what the issuer signed.
    pub fn tbs(&self) -> &[u8] {
        &self.0.der[self.0.tbs.clone()]
    }

    /// Returns the DER of the outer `signatureAlgorithm`.
    pub fn signature_algorithm(&self) -> &[u8] {
        &self.0.der[self.0.signature_algorithm.clone()]
    }

    /// Returns whether `tbsCertificate` states the same algorithm (RFC 5280 §4.1.1.2).
    pub fn signature_algorithms_agree(&self) -> bool {
        self.0.der[self.0.tbs_signature_algorithm.clone()] == *self.signature_algorithm()
    }

    /// Returns the signature value; empty where it cannot be read.
    pub fn signature(&self) -> Vec<u8> {
        let value = Tlv::whole(&self.0.der[self.0.signature.clone()]).and_then(|tlv| tlv.bit_string());
        value.map(|bits| bits.bytes.into_owned()).unwrap_or_default()
    }

    /// Returns the serial number, two's complement as sent.
    pub fn serial(&self) -> &[u8] {
        &self.0.der[self.0.serial.clone()]
    }

    /// Returns the serial number in decimal digits.
    pub fn serial_text(&self) -> String {
        decimal(self.serial()).unwrap_or_default()
    }

    /// Returns whether `serial` (two's complement) is this certificate's serial number.
    pub fn has_serial(&self, serial: &[u8]) -> bool {
        minimal(serial) == self.minimal_serial()
    }

    /// Returns the serial number, two's complement, without a byte too many.
    pub(crate) fn minimal_serial(&self) -> &[u8] {
        minimal(self.serial())
    }

    /// Returns the subject's name.
    pub fn subject(&self) -> &Name {
        &self.0.subject
    }

    /// Returns the issuer's name.
    pub fn issuer(&self) -> &Name {
        &self.0.issuer
    }

    /// Returns the start of the validity period.
    pub fn not_before(&self) -> Time {
        self.0.not_before
    }

    /// Returns the end of the validity period, inclusive.
    pub fn not_after(&self) -> Time {
        self.0.not_after
    }

    /// Returns whether `time` is within the validity period.
    pub fn is_valid_at(&self, time: Time) -> bool {
        self.not_before() <= time && time <= self.not_after()
    }

    /// Returns `subjectPublicKeyInfo` as sent.
    pub fn spki(&self) -> &[u8] {
        &self.0.der[self.0.spki.clone()]
    }

    /// Returns the contents of the BIT STRING in `subjectPublicKeyInfo`, without its count of unused bits.
    pub fn public_key_bits(&self) -> Vec<u8> {
        self.key_bits().into_owned()
    }

    fn key_bits(&self) -> Cow<'_, [u8]> {
        let read = || {
            let mut parts = Tlv::whole(self.spki())?.children();
            parts.read()?;
            parts.expect(Tag::BIT_STRING)?.bit_string()
        };
        read().map(|bits| bits.bytes).unwrap_or_default()
    }

    /// Returns the public key; `None` where it cannot be read. All clones share what it derives for verification.
    pub fn public_key(&self) -> Option<&PublicKey> {
        self.0.public_key.get_or_init(|| PublicKey::from_spki(self.spki()).ok()).as_ref()
    }

    /// Returns the SHA-1 by which OCSP and key identifiers name the key (RFC 5280 §4.2.1.2 (1), RFC 6960 §4.2.1).
    pub fn key_sha1(&self) -> [u8; 20] {
        *self.0.key_sha1.get_or_init(|| sha1::Sha1::digest(self.public_key_bits()).into())
    }

    /// Returns the entity key: `EK-` and the SHA-256 of key and subject, equal for every certificate of one entity.
    pub fn entity_key(&self) -> &str {
        self.0.entity_key.get_or_init(|| super::entity_key(self.spki(), self.subject()))
    }

    /// Returns the extensions in order.
    pub fn raw_extensions(&self) -> impl Iterator<Item = Extension<'_>> {
        self.0.extensions.iter().map(|located| Extension {
            oid: Oid::from_content(&self.0.der[located.oid.clone()]),
            critical: located.critical,
            value: &self.0.der[located.value.clone()],
        })
    }

    /// Returns how many elements names and extensions list: each may be held as a fact.
    pub(crate) fn extent(&self) -> usize {
        const LEVELS: usize = 8;
        let listed = self.raw_extensions().map(|extension| element_count(Reader::new(extension.value), LEVELS));
        element_count(Reader::new(self.tbs()), LEVELS) + listed.sum::<usize>()
    }

    /// Returns the first extension of this type.
    pub fn extension(&self, oid: Oid<'_>) -> Option<Extension<'_>> {
        self.raw_extensions().find(|extension| extension.oid == oid)
    }

    /// Returns what the extensions say.
    pub fn extensions(&self) -> &Shared<Extensions> {
        self.0.typed.get_or_init(|| extensions::read(self.raw_extensions()).into())
    }

    /// Returns whether subject and issuer are the same name.
    pub fn is_self_issued(&self) -> bool {
        self.subject() == self.issuer()
    }
}

impl PartialEq for Certificate {
    fn eq(&self, other: &Self) -> bool {
        self.0.sha256 == other.0.sha256
    }
}

impl Eq for Certificate {}

impl std::hash::Hash for Certificate {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.sha256.hash(state);
    }
}

impl std::fmt::Debug for Certificate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?}", self.id(), self.subject())
    }
}

/// Returns where `part`, a slice of `whole`, lies in it.
pub(super) fn offset(whole: &[u8], part: &[u8]) -> Range<usize> {
    let start = (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize).min(whole.len());
    start..(start + part.len()).min(whole.len())
}

/// Returns two's complement without redundant leading bytes, so that equal numbers are equal bytes.
pub(crate) fn minimal(mut bytes: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = bytes
        && let Some(next) = rest.first()
        && ((*first == 0 && next & 0x80 == 0) || (*first == 0xff && next & 0x80 != 0))
    {
        bytes = rest;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the same element with every length left open: X.690 §8.1.3.6.
    fn open(element: &[u8]) -> Vec<u8> {
        let tlv = Tlv::whole(element).unwrap();
        if !tlv.tag.constructed {
            return element.to_vec();
        }
        let children = tlv.children().flat_map(|child| open(child.raw));
        [element[0], 0x80].into_iter().chain(children).chain([0, 0]).collect()
    }

    #[test]
    fn sent_in_ber() {
        let der = include_bytes!("../../../examples/documents/root.der");
        let ber = open(der);
        assert!(ber.len() > der.len());
        for (clause, sent) in [("4.1", &der[..]), ("4.1.1.3: lengths left open", &ber), ("4.1: cut off", &ber[..90])] {
            let read = Certificate::from_der(sent).map(|certificate| certificate.der().to_vec());
            let expected = (sent.len() != 90).then(|| der.to_vec());
            assert_eq!(read.ok(), expected, "RFC 5280 {clause}");
        }
    }

    #[test]
    fn nothing_behind_the_fields() {
        let sequence = |content: &[u8]| {
            let [high, low] = (content.len() as u16).to_be_bytes();
            [&[0x30, 0x82, high, low], content].concat()
        };
        let parts = Tlv::whole(include_bytes!("../../../examples/documents/root.der")).unwrap().content;
        let (tbs, rest) = Tlv::split(parts).unwrap();
        // Readers that look for the extensions from the end find others there.
        let more = [0xa3, 0x02, 0x30, 0x00];
        for (situation, certificate, expected) in [
            ("as it is", sequence(parts), true),
            ("another [3]", sequence(&[&sequence(&[tbs.content, &more].concat()), rest].concat()), false),
            ("behind the signature", sequence(&[parts, &more].concat()), false),
        ] {
            assert_eq!(Certificate::from_der(&certificate).is_ok(), expected, "RFC 5280 4.1: {situation}");
        }
    }
}
