//! `SignedData` where it lies: RFC 5652 §5, and what PKCS#7 1.5 (RFC 2315 §9) does otherwise.

use super::attribute::{Attributes, extent};
use super::error::Error;
use super::oids;
use super::signer::NamedSigner;
use crate::algorithm::{DigestAlgorithm, SignatureAlgorithm};
use crate::asn1::{self, Oid, Reader, Tag, Tlv};
use crate::facts::Irregularity;
use crate::facts::IrregularityKind::{ContentTypeMismatch, FormatViolation};
use std::borrow::Cow;
use std::sync::OnceLock;

/// Certificates, CRLs, signers, their attributes and what these list, in one `SignedData`. 5,000 time-stamps: 35,000.
const LISTED: usize = 100_000;

/// A `SignedData`.
///
/// ```asn1
/// SignedData ::= SEQUENCE {
///   version CMSVersion,
///   digestAlgorithms SET OF AlgorithmIdentifier,
///   encapContentInfo SEQUENCE { eContentType OBJECT IDENTIFIER, eContent [0] EXPLICIT OCTET STRING OPTIONAL },
///   certificates [0] IMPLICIT SET OF CertificateChoices OPTIONAL,
///   crls [1] IMPLICIT SET OF RevocationInfoChoice OPTIONAL,
///   signerInfos SET OF SignerInfo }
/// ```
#[derive(Debug, Clone)]
pub struct SignedData<'a> {
    /// The `ContentInfo` around it.
    pub whole: Tlv<'a>,
    /// The digest functions announced for all signers.
    pub digest_algorithms: Vec<DigestAlgorithm>,
    /// `encapContentInfo`, the whole element.
    pub content_info: Tlv<'a>,
    /// `eContentType`.
    pub content_type: Oid<'a>,
    /// What is in `eContent`: an OCTET STRING, in PKCS#7 1.5 anything.
    pub content: Option<Tlv<'a>>,
    /// `certificates`, the whole element.
    pub certificates: Option<Tlv<'a>>,
    /// `crls`, the whole element.
    pub crls: Option<Tlv<'a>>,
    /// The signers.
    pub signers: Vec<SignerInfo<'a>>,
    /// The identifiers of the signers, made when they are first asked for.
    pub(super) named: OnceLock<Vec<NamedSigner>>,
    /// Whether evidence records of the signers make a level, found when it is first asked for.
    pub(in crate::formats) recorded: OnceLock<bool>,
    /// What follows the `ContentInfo`.
    pub trailing: &'a [u8],
    /// Where it is not as RFC 5652 has it, so that readers may see different contents.
    pub irregularities: Vec<Irregularity>,
}

impl<'a> SignedData<'a> {
    /// Reads the `ContentInfo` with which the bytes begin. What follows it is left alone: PDF pads with zeros.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let part = Error::in_part;
        let (whole, trailing) = Tlv::split(bytes).map_err(part("ContentInfo"))?;
        let mut outer = whole.expecting(Tag::SEQUENCE).map_err(part("ContentInfo"))?.children();
        let content_type = outer.expect(Tag::OID).and_then(|tlv| tlv.oid()).map_err(part("contentType"))?;
        if content_type != oids::SIGNED_DATA {
            return Err(Error::NotSignedData { found: content_type.to_string() });
        }
        let explicit = outer.expect(Tag::context_constructed(0)).map_err(part("content"))?;
        let content = explicit.inner().map_err(part("content"))?;
        let mut reader = content.expecting(Tag::SEQUENCE).map_err(part("SignedData"))?.children();
        reader.expect(Tag::INTEGER).map_err(part("version"))?;
        let digest_algorithms = reader.expect(Tag::SET).map_err(part("digestAlgorithms"))?;
        let content_info = reader.expect(Tag::SEQUENCE).map_err(part("encapContentInfo"))?;
        let certificates = reader.context_structure(0).map_err(part("certificates"))?;
        let crls = reader.context_structure(1).map_err(part("crls"))?;
        let signer_infos = reader.expect(Tag::SET).map_err(part("signerInfos"))?;

        let listed = [certificates, crls].into_iter().flatten().map(|set| set.children().count()).sum::<usize>();
        let found = listed + signer_infos.children().map(|signer| 1 + extent(&signer)).sum::<usize>();
        if found > LISTED {
            return Err(Error::TooMany { found, limit: LISTED });
        }

        let mut encapsulated = content_info.children();
        let content_type = encapsulated.expect(Tag::OID).and_then(|t| t.oid()).map_err(part("eContentType"))?;
        let held = encapsulated.context_structure(0).map_err(part("eContent"))?;
        let content = held.and_then(|held| held.inner().ok());
        let mut irregularities = Vec::new();
        for (part, whole) in [
            ("ContentInfo", outer.is_empty()),
            ("content", is_alone(explicit)),
            ("SignedData", reader.is_empty()),
            ("encapContentInfo", encapsulated.is_empty()),
            ("eContent", held.is_none_or(is_alone)),
        ] {
            if !whole {
                irregularities.push(Irregularity::about(FormatViolation, format!("{part} holds more than its fields")));
            }
        }
        irregularities.extend(content.and_then(|content| irregular_content(content, content_type)));
        let mut signers = Vec::new();
        let mut reader = signer_infos.children();
        while let Some(signer) = Reader::next(&mut reader).map_err(part("signerInfos"))? {
            signers.push(SignerInfo::parse(signer)?);
        }
        Ok(Self {
            whole,
            digest_algorithms: digest_algorithms.children().filter_map(|tlv| digest_algorithm(&tlv)).collect(),
            content_info,
            content_type,
            content,
            certificates,
            crls,
            signers,
            named: OnceLock::new(),
            recorded: OnceLock::new(),
            trailing,
            irregularities,
        })
    }

    /// Returns whether the content lies elsewhere.
    pub fn is_detached(&self) -> bool {
        self.content.is_none()
    }

    /// Returns the pieces of the encapsulated content: those of an OCTET STRING; of any other element (PKCS#7 1.5, RFC 2315
    /// §9.3) the contents bytes without tag and length.
    pub fn content_pieces(&self) -> Option<Vec<&'a [u8]>> {
        let content = self.content?;
        let mut pieces = Vec::new();
        if content.is(Tag::OCTET_STRING) {
            content.pieces(&mut |piece| pieces.push(piece)).ok()?;
        } else {
            pieces.push(content.content);
        }
        Some(pieces)
    }

    /// Returns the X.509 certificates. Attribute certificates and other formats (RFC 5652 §10.2.2) are skipped.
    pub fn x509_certificates(&self) -> impl Iterator<Item = &'a [u8]> {
        self.certificates.into_iter().flat_map(|set| set.children()).filter(|c| c.is(Tag::SEQUENCE)).map(|c| c.raw)
    }
}

/// Returns whether an explicit tag holds one element.
fn is_alone(explicit: Tlv<'_>) -> bool {
    Tlv::whole(explicit.content).is_ok()
}

/// Returns whether the content is an OCTET STRING, and so are the parts of a constructed one, constructed ones as well
/// (X.690 §8.7.3.2).
fn holds_octet_strings(content: Tlv<'_>, depth: usize) -> bool {
    content.is(Tag::OCTET_STRING)
        && (!content.tag.constructed
            || depth < asn1::MAX_NESTING && content.children().each_is(|part| holds_octet_strings(*part, depth + 1)))
}

/// Notes an `eContent` that is no OCTET STRING (RFC 5652 §4, §5.2). Of another element (PKCS#7 1.5) tag and length are
/// not signed.
fn irregular_content(content: Tlv<'_>, content_type: Oid<'_>) -> Option<Irregularity> {
    if !content.is(Tag::OCTET_STRING) {
        let subject = format!("eContent of type {content_type} has the tag {}", content.tag);
        return Some(Irregularity::about(ContentTypeMismatch, subject));
    }
    (!holds_octet_strings(content, 0))
        .then(|| Irregularity::about(FormatViolation, "eContent holds more than octet strings"))
}

/// A `SignerInfo`.
///
/// ```asn1
/// SignerInfo ::= SEQUENCE {
///   version CMSVersion,
///   sid CHOICE { issuerAndSerialNumber IssuerAndSerialNumber, subjectKeyIdentifier [0] SubjectKeyIdentifier },
///   digestAlgorithm DigestAlgorithmIdentifier,
///   signedAttrs [0] IMPLICIT SET OF Attribute OPTIONAL,
///   signatureAlgorithm SignatureAlgorithmIdentifier,
///   signature OCTET STRING,
///   unsignedAttrs [1] IMPLICIT SET OF Attribute OPTIONAL }
/// ```
#[derive(Debug, Clone)]
pub struct SignerInfo<'a> {
    /// The whole element.
    pub raw: Tlv<'a>,
    /// `version`.
    pub version: Tlv<'a>,
    /// `sid`.
    pub sid: Tlv<'a>,
    /// `digestAlgorithm`.
    pub digest_algorithm: Tlv<'a>,
    /// `signedAttrs`, the whole element as sent.
    pub signed_attributes: Option<Tlv<'a>>,
    /// `signatureAlgorithm`.
    pub signature_algorithm: Tlv<'a>,
    /// `signature`, the whole element.
    pub signature: Tlv<'a>,
    /// `unsignedAttrs`, the whole element.
    pub unsigned_attributes: Option<Tlv<'a>>,
    /// The signature value.
    pub value: Cow<'a, [u8]>,
    /// The signed attributes.
    pub signed: Attributes<'a>,
    /// The unsigned attributes.
    pub unsigned: Attributes<'a>,
    /// Whether it holds more than its fields.
    pub is_overfull: bool,
}

impl<'a> SignerInfo<'a> {
    /// Reads one element of `signerInfos`.
    pub fn parse(raw: Tlv<'a>) -> Result<Self, Error> {
        let part = Error::in_part;
        let mut reader = raw.expecting(Tag::SEQUENCE).map_err(part("SignerInfo"))?.children();
        let version = reader.expect(Tag::INTEGER).map_err(part("SignerInfo.version"))?;
        let sid = reader.read().map_err(part("sid"))?;
        minimal_serial(&sid).map_err(part("sid"))?;
        let digest_algorithm = reader.expect(Tag::SEQUENCE).map_err(part("digestAlgorithm"))?;
        let signed_attributes = reader.context_structure(0).map_err(part("signedAttrs"))?;
        let signature_algorithm = reader.expect(Tag::SEQUENCE).map_err(part("signatureAlgorithm"))?;
        let signature = reader.expect(Tag::OCTET_STRING).map_err(part("signature"))?;
        let unsigned_attributes = reader.context_structure(1).map_err(part("unsignedAttrs"))?;
        Ok(Self {
            raw,
            version,
            sid,
            digest_algorithm,
            signed_attributes,
            signature_algorithm,
            signature,
            unsigned_attributes,
            value: signature.bytes().map_err(part("signature"))?,
            signed: signed_attributes.map(|set| Attributes::parse(&set)).unwrap_or_default(),
            unsigned: unsigned_attributes.map(|set| Attributes::parse(&set)).unwrap_or_default(),
            is_overfull: !reader.is_empty(),
        })
    }

    /// Returns the digest function of the message.
    pub fn digest(&self) -> Option<DigestAlgorithm> {
        digest_algorithm(&self.digest_algorithm)
    }

    /// Returns the signature algorithm; where it states only the key's (`rsaEncryption`, `id-ecPublicKey`), with the digest
    /// function of `digestAlgorithm` (RFC 3370 §3.2).
    pub fn algorithm(&self) -> Option<SignatureAlgorithm> {
        let stated = SignatureAlgorithm::from_algorithm_identifier(self.signature_algorithm.raw).ok()?;
        Some(stated.or_digest(self.digest()))
    }
}

/// Refuses a serial number with bytes that say nothing: it is no INTEGER, in BER either (X.690 §8.3.2).
fn minimal_serial(sid: &Tlv<'_>) -> Result<(), asn1::Error> {
    let serial = sid.is(Tag::SEQUENCE).then(|| sid.children().find(|part| part.is(Tag::INTEGER))).flatten();
    match serial.map(|serial| serial.content) {
        Some([0, second, ..]) if *second < 0x80 => {
            Err(asn1::Error::Malformed { expected: "INTEGER", found: "a needless 00" })
        }
        Some([0xFF, second, ..]) if *second >= 0x80 => {
            Err(asn1::Error::Malformed { expected: "INTEGER", found: "a needless FF" })
        }
        _ => Ok(()),
    }
}

/// Returns the digest function that an `AlgorithmIdentifier` names; an OBJECT IDENTIFIER alone will do.
pub(crate) fn digest_algorithm(identifier: &Tlv<'_>) -> Option<DigestAlgorithm> {
    let oid = if identifier.is(Tag::OID) { *identifier } else { identifier.children().read().ok()? };
    DigestAlgorithm::from_oid(&oid.oid().ok()?.dotted())
}
