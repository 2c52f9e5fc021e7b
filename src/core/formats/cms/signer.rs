//! One signer's value: what it is over, and whether what it rests on holds (RFC 5652 §5.4, §5.6, §11).

use super::attribute::Attributes;
use super::signed_data::{SignedData, SignerInfo, digest_algorithm};
use super::{oids, references, revocation};
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Oid, Tag, Tlv, header, set_to_der, tlv, to_der};
use crate::facts::IrregularityKind::{FormatViolation, MalformedHeader};
use crate::facts::{self, Digest, DigestMatcher, Irregularity, MatcherType};
use crate::formats::content::Content;
use crate::formats::draft::{SignedBytes, SignerIdentifier, ValueCheck};
use crate::x509::Name;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

/// What stands around a `SignerInfo` and decides what its attributes have to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// In `signerInfos`.
    Signer,
    /// In a countersignature attribute (RFC 5652 §11.4).
    CounterSigner,
}

/// Compares the content with the message-digest attribute, or records its digest where there are no signed attributes.
pub(crate) fn digest_matcher(
    signed_data: &SignedData<'_>,
    signer: &SignerInfo<'_>,
    content: &Content<'_>,
) -> DigestMatcher {
    let document_name = content.name().map(Arc::from);
    let matcher = |kind, digest, data_found, data_intact| DigestMatcher {
        digest,
        data_found,
        data_intact,
        document_name: document_name.clone().filter(|_| data_found),
        ..DigestMatcher::missing(kind)
    };
    let Some(stated) = message_digest(signer) else {
        let algorithm = signer.digest();
        let value = algorithm.and_then(|algorithm| content.digest(algorithm));
        let found = value.is_some();
        let digest = Digest { algorithm, value: value.unwrap_or_default().into() };
        return matcher(MatcherType::ContentDigest, digest, found, found);
    };
    // The attribute does not name its digest function: digestAlgorithm does, and writers that got that one wrong
    // have the right one among the SignedData's.
    let candidates: Vec<DigestAlgorithm> =
        signer.digest().into_iter().chain(signed_data.digest_algorithms.iter().copied()).collect();
    let intact = candidates.iter().copied().find(|algorithm| content.digest(*algorithm).as_deref() == Some(&*stated));
    let algorithm = intact.or(candidates.first().copied());
    let digest = Digest { algorithm, value: stated.into_owned().into() };
    matcher(MatcherType::MessageDigest, digest, content.is_found(), intact.is_some())
}

/// Returns the value of the message-digest attribute.
pub(crate) fn message_digest<'a>(signer: &SignerInfo<'a>) -> Option<Cow<'a, [u8]>> {
    signer.signed.value(oids::MESSAGE_DIGEST)?.bytes().ok()
}

/// Returns what the value is over; nothing where the signed attributes do not hold, so that no key verifies it.
pub(crate) fn value_check<'a>(
    signed_data: &SignedData<'a>,
    signer: &SignerInfo<'a>,
    content: &Content<'_>,
    role: Role,
) -> ValueCheck<'a> {
    let algorithm = signer.algorithm();
    let signed = match &signer.signed_attributes {
        Some(set) if attributes_hold(signed_data, signer, content, role) => {
            let der = Some(signed_attributes_der(set)).filter(|der| !der.is_empty());
            der.map(|der| SignedBytes::Message(Cow::Owned(der))).into_iter().collect()
        }
        Some(_) => vec![],
        None => match algorithm.filter(|algorithm| !algorithm.needs_message()).and_then(|algorithm| algorithm.digest) {
            Some(digest) => content.digest(digest).map(SignedBytes::Digest).into_iter().collect(),
            None => content.shared().map(SignedBytes::Shared).into_iter().collect(),
        },
    };
    ValueCheck { algorithm, signed, value: signer.value.clone(), certificate_valid_at: None }
}

/// Returns what the value is over: the DER of the attributes with the tag of a SET OF in place of `[0]`, also where
/// they were sent in another order or in BER (RFC 5652 §5.4). Empty where they cannot be read.
pub(crate) fn signed_attributes_der(set: &Tlv<'_>) -> Vec<u8> {
    set_to_der(set).map(|content| tlv(Tag::SET, &content)).unwrap_or_default()
}

/// Returns whether the attributes are there that have to be, and say what they have to (RFC 5652 §5.3, §11.1, §11.2 and
/// RFC 6211).
fn attributes_hold(signed_data: &SignedData<'_>, signer: &SignerInfo<'_>, content: &Content<'_>, role: Role) -> bool {
    let content_type = signer.signed.value(oids::CONTENT_TYPE).and_then(|value| value.oid().ok());
    let type_holds = match role {
        Role::Signer => content_type == Some(signed_data.content_type),
        Role::CounterSigner => signer.signed.count(oids::CONTENT_TYPE) == 0,
    };
    let digest = signer.digest().and_then(|algorithm| content.digest(algorithm));
    let digest_holds = digest.is_some_and(|digest| message_digest(signer).as_deref() == Some(&*digest));
    type_holds && digest_holds && protection_holds(signer)
}

/// Reports what is irregular about one signer of a `SignedData`, beside its attributes.
pub(crate) fn irregularities(signed_data: &SignedData<'_>, signer: &SignerInfo<'_>, role: Role) -> Vec<Irregularity> {
    let mut found = match role {
        Role::Signer => signed_data.irregularities.clone(),
        Role::CounterSigner => vec![],
    };
    if signer.is_overfull {
        found.push(Irregularity::about(FormatViolation, "SignerInfo holds more than its fields"));
    }
    let named = identifier(signer);
    if named.key_identifier.is_none() && (named.issuer.is_none() || named.serial.is_none()) {
        found.push(Irregularity::about(FormatViolation, "the signer's identifier cannot be read"));
    }
    // RFC 5652 §5.3: a content that is not id-data needs signed attributes, or the value may be over something else.
    if role == Role::Signer && signer.signed_attributes.is_none() && signed_data.content_type != oids::DATA {
        let subject = format!("no signed attributes, and the content type is {}", signed_data.content_type);
        found.push(Irregularity::about(FormatViolation, subject));
    }
    found.extend(malformed(signer).map(|subject| Irregularity::about(MalformedHeader, subject)));
    found
}

/// An attribute that stands at most once, with one value: its type, its name, and whether a value of it can be read.
pub(crate) type Once = (Oid<'static>, &'static str, fn(&Tlv<'_>) -> bool);

/// Signed attributes of every signature: RFC 5652 §11.1 to §11.3, RFC 5035 §3, §5.4, ISO 32000-1 §12.8.3.3.2.
const SIGNED: [Once; 6] = [
    (oids::CONTENT_TYPE, "content-type", |value| value.oid().is_ok()),
    (oids::MESSAGE_DIGEST, "message-digest", |value| value.bytes().is_ok()),
    (oids::SIGNING_TIME, "signing-time", |value| value.time().is_ok()),
    (oids::SIGNING_CERTIFICATE, "signing-certificate", references::is_signing_certificate),
    (oids::SIGNING_CERTIFICATE_V2, "signing-certificate-v2", references::is_signing_certificate),
    (oids::ADBE_REVOCATION_INFO, "adbe-revocationInfoArchival", revocation::are_values),
];

/// Unsigned attributes with validation data and references to it: EN 319 122-1 annex A.
const UNSIGNED: [Once; 6] = [
    (oids::CERTIFICATE_VALUES, "certificate-values", are_sequences),
    (oids::REVOCATION_VALUES, "revocation-values", revocation::are_values),
    (oids::CERTIFICATE_REFS, "complete-certificate-references", references::are_certificate_refs),
    (oids::REVOCATION_REFS, "complete-revocation-references", references::are_revocation_refs),
    (oids::ATTRIBUTE_CERTIFICATE_REFS, "attribute-certificate-references", references::are_certificate_refs),
    (oids::ATTRIBUTE_REVOCATION_REFS, "attribute-revocation-references", references::are_revocation_refs),
];

fn are_sequences(value: &Tlv<'_>) -> bool {
    value.is(Tag::SEQUENCE) && value.children().each_is(|one| one.is(Tag::SEQUENCE))
}

/// Returns what is said of elements that are no attributes (RFC 5652 §5.3), and of attributes that cannot be read or stand
/// twice: another reader sees there what is not seen here.
fn malformed<'s>(signer: &'s SignerInfo<'_>) -> impl Iterator<Item = String> + 's {
    let SignerInfo { signed, unsigned, .. } = signer;
    let others = [
        others(signer.signed_attributes, signed).map(|count| format!("signed attributes with {count} other elements")),
        others(signer.unsigned_attributes, unsigned)
            .map(|count| format!("unsigned attributes with {count} other elements")),
    ];
    others.into_iter().flatten().chain(faults(signed, &SIGNED)).chain(faults(unsigned, &UNSIGNED))
}

/// Returns what is wrong with the attributes of these types.
pub(crate) fn faults<'s>(attributes: &'s Attributes<'_>, all: &'static [Once]) -> impl Iterator<Item = String> + 's {
    all.iter().filter_map(|(oid, name, is_readable)| attributes.fault(*oid, name, *is_readable))
}

/// Returns how many elements of a set of attributes hold something else than type and values, where there are such.
fn others(set: Option<Tlv<'_>>, attributes: &Attributes<'_>) -> Option<usize> {
    let elements = set?.children();
    let broken = !elements.each_is(|_| true);
    let whole = attributes.iter().filter(|attribute| attribute.raw.children().count() == 2).count();
    let count = (elements.count() + usize::from(broken)).saturating_sub(whole);
    (count > 0).then_some(count)
}

/// Returns whether the signer's algorithms are those of the attribute, where it is there: `SEQUENCE { digestAlgorithm,
/// signatureAlgorithm [1] OPTIONAL, macAlgorithm [2] OPTIONAL }` (RFC 6211 §2).
fn protection_holds(signer: &SignerInfo<'_>) -> bool {
    let stated = signer.signed.count(oids::ALGORITHM_PROTECTION) > 0;
    let Some(value) = signer.signed.value(oids::ALGORITHM_PROTECTION) else { return !stated };
    let mut reader = value.children();
    let digest = reader.expect(Tag::SEQUENCE).ok();
    let signature = reader.context(1).ok().flatten();
    let digest_same = digest.is_some_and(|d| digest_algorithm(&d) == signer.digest());
    let signature_same = signature.is_none_or(|s| same_algorithm(&s, &signer.signature_algorithm));
    digest_same && signature_same
}

/// Returns whether two AlgorithmIdentifiers, implicitly tagged or not, are the same: the parameters too, byte by byte,
/// where none and NULL are one.
fn same_algorithm(left: &Tlv<'_>, right: &Tlv<'_>) -> bool {
    let parts = |identifier: &Tlv<'_>| {
        let mut reader = identifier.children();
        let oid = reader.read().ok()?.content.to_vec();
        let parameters = reader.next().ok()?.filter(|parameters| !parameters.is(Tag::NULL));
        Some((oid, parameters.map(|parameters| parameters.raw.to_vec())))
    };
    parts(left).is_some_and(|left| Some(left) == parts(right))
}

/// Returns how the signer names its certificate.
pub(crate) fn identifier<'a>(signer: &SignerInfo<'a>) -> SignerIdentifier<'a> {
    if signer.sid.is_context(0) {
        return SignerIdentifier { key_identifier: signer.sid.bytes().ok(), ..Default::default() };
    }
    let mut reader = signer.sid.children();
    let issuer = reader.read().ok().map(|name| Cow::Borrowed(name.raw));
    let serial = reader.read().ok().and_then(|serial| serial.integer_bytes().ok()).map(Cow::Borrowed);
    SignerIdentifier { issuer, serial, ..Default::default() }
}

/// A signer as others of the same `SignedData` name it.
#[derive(Debug, Clone)]
pub(crate) struct NamedSigner {
    /// Its place among the signers.
    place: usize,
    info: facts::SignerInfo,
}

/// The signers of a `SignedData` that each of them names. Every signer stands among the signatures in any case; thousands
/// that name each other would be millions of names.
const NAMED_SIGNERS: usize = 32;

/// Returns the identifiers of the first signers of a `SignedData`, each once, and the one of `current`, which is marked.
pub(crate) fn infos(signed_data: &SignedData<'_>, current: &SignerInfo<'_>, role: Role) -> Vec<facts::SignerInfo> {
    let named = signed_data.named.get_or_init(|| named(&signed_data.signers));
    let of = |signer: &NamedSigner| facts::SignerInfo {
        current: signed_data.signers.get(signer.place).filter(|signer| signer.sid.raw == current.sid.raw).map(|_| true),
        ..signer.info.clone()
    };
    let mut infos: Vec<facts::SignerInfo> = named.iter().map(of).collect();
    if role == Role::CounterSigner || infos.iter().all(|info| info.current.is_none()) {
        infos.push(facts::SignerInfo { current: Some(true), ..info(current) });
    }
    infos
}

fn named(signers: &[SignerInfo<'_>]) -> Vec<NamedSigner> {
    let mut sids = HashSet::new();
    let first = signers.iter().enumerate().filter(|(_, signer)| sids.insert(signer.sid.raw)).take(NAMED_SIGNERS);
    first.map(|(place, signer)| NamedSigner { place, info: info(signer) }).collect()
}

fn info(signer: &SignerInfo<'_>) -> facts::SignerInfo {
    let id = identifier(signer);
    let name = id.issuer.as_deref().and_then(|der| Name::from_der(der).ok());
    facts::SignerInfo {
        issuer: name.map(|name| name.rfc2253().to_owned()),
        serial: id.serial.as_deref().and_then(crate::asn1::decimal),
        ski: id.key_identifier.map(|bytes| bytes.into_owned().into()),
        current: None,
    }
}

/// Returns the DER of a whole `SignerInfo`, in pieces. Its attributes are SETs under implicit tags, which a normaliser cannot
/// know.
pub(crate) fn der<'a>(signer: &SignerInfo<'a>) -> Option<Vec<Cow<'a, [u8]>>> {
    let plain = |field: Tlv<'a>| Some(vec![to_der(field.raw).ok()?]);
    let attributes = |set: Tlv<'a>, number| {
        let content = set_to_der(&set).ok()?;
        Some(vec![Cow::Owned(header(Tag::context_constructed(number), content.len())), content])
    };
    let fields = [
        plain(signer.version)?,
        plain(signer.sid)?,
        plain(signer.digest_algorithm)?,
        signer.signed_attributes.map_or(Some(vec![]), |set| attributes(set, 0))?,
        plain(signer.signature_algorithm)?,
        plain(signer.signature)?,
        signer.unsigned_attributes.map_or(Some(vec![]), |set| attributes(set, 1))?,
    ];
    let length = fields.iter().flatten().map(|piece| piece.len()).sum();
    let outer = Cow::Owned(header(Tag::SEQUENCE, length));
    Some(std::iter::once(outer).chain(fields.into_iter().flatten()).collect())
}
