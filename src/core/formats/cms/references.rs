//! References to certificates and revocation data: ESS (RFC 5035 §5), EN 319 122-1 annex A.1.

use super::attribute::{Attribute, Attributes};
use super::oids;
use super::signed_data::digest_algorithm;
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Error, Reader, Tag, Tlv};
use crate::facts::{CertificateRefOrigin, Digest, RevocationRef, RevocationRefOrigin, RevocationType, SignerInfo};
use crate::formats::draft::CertificateRef;
use crate::x509::Name;

/// Returns the references in signing-certificate and signing-certificate-v2, in the order sent.
///
/// ```asn1
/// SigningCertificateV2 ::= SEQUENCE { certs SEQUENCE OF ESSCertIDv2, policies SEQUENCE OF PolicyInformation OPTIONAL }
/// ESSCertIDv2 ::= SEQUENCE { hashAlgorithm AlgorithmIdentifier DEFAULT {id-sha256}, certHash OCTET STRING,
///                            issuerSerial IssuerSerial OPTIONAL }
/// ```
pub(crate) fn signing_certificate_refs(signed: &Attributes<'_>) -> Vec<CertificateRef> {
    let v1 = signed.all(oids::SIGNING_CERTIFICATE).map(|a| (a, DigestAlgorithm::Sha1));
    let v2 = signed.all(oids::SIGNING_CERTIFICATE_V2).map(|a| (a, DigestAlgorithm::Sha256));
    v1.chain(v2)
        .filter_map(|(attribute, default)| Some((attribute.value()?.children().read().ok()?, default)))
        .flat_map(|(certs, default)| certs.children().filter_map(move |id| ess_cert_id(&id, default)))
        .collect()
}

/// Returns whether the value of a signing-certificate attribute lists certificates, and each can be read.
pub(crate) fn is_signing_certificate(value: &Tlv<'_>) -> bool {
    let is_id = |id: &Tlv<'_>| ess_cert_id(id, DigestAlgorithm::Sha256).is_some();
    value.inner().is_ok_and(|certs| !certs.content.is_empty() && certs.children().each_is(is_id))
}

fn ess_cert_id(id: &Tlv<'_>, default: DigestAlgorithm) -> Option<CertificateRef> {
    let mut reader = id.children();
    let algorithm = match reader.optional(Tag::SEQUENCE).ok()? {
        Some(identifier) => digest_algorithm(&identifier),
        None => Some(default),
    };
    let value = reader.expect(Tag::OCTET_STRING).ok()?.bytes().ok()?.into_owned();
    Some(CertificateRef {
        digest: Some(Digest { algorithm, value: value.into() }),
        issuer_serial: reader.optional(Tag::SEQUENCE).ok()?.map(|tlv| tlv.raw.into()),
        ..CertificateRef::new(CertificateRefOrigin::SigningCertificate)
    })
}

/// Returns the references in complete-certificate-references (EN 319 122-1 §A.1.1.1) or
/// attribute-certificate-references.
///
/// ```asn1
/// CompleteCertificateRefs ::= SEQUENCE OF OtherCertID
/// OtherCertID ::= SEQUENCE { otherCertHash OtherHash, issuerSerial IssuerSerial OPTIONAL }
/// ```
pub(crate) fn certificate_refs(attribute: &Attribute<'_>, origin: CertificateRefOrigin) -> Vec<CertificateRef> {
    let ids = attribute.value().map(|value| value.children()).unwrap_or(Reader::new(&[]));
    ids.filter_map(|id| certificate_ref(&id, origin)).collect()
}

/// Returns whether each element of complete-certificate-references can be read.
pub(crate) fn are_certificate_refs(value: &Tlv<'_>) -> bool {
    let origin = CertificateRefOrigin::CompleteCertificateRefs;
    value.is(Tag::SEQUENCE) && value.children().each_is(|id| certificate_ref(id, origin).is_some())
}

fn certificate_ref(id: &Tlv<'_>, origin: CertificateRefOrigin) -> Option<CertificateRef> {
    let mut reader = id.children();
    Some(CertificateRef {
        digest: Some(other_hash(&reader.read().ok()?)?),
        issuer_serial: reader.optional(Tag::SEQUENCE).ok()?.map(|tlv| tlv.raw.into()),
        ..CertificateRef::new(origin)
    })
}

/// Reads `OtherHash ::= CHOICE { sha1Hash OCTET STRING, otherHash SEQUENCE { hashAlgorithm, hashValue OCTET STRING }
/// }`.
fn other_hash(hash: &Tlv<'_>) -> Option<Digest> {
    if hash.is(Tag::OCTET_STRING) {
        let value = hash.bytes().ok()?.into_owned().into();
        return Some(Digest { algorithm: Some(DigestAlgorithm::Sha1), value });
    }
    let mut reader = hash.children();
    let algorithm = digest_algorithm(&reader.read().ok()?);
    let value = reader.read().ok()?.bytes().ok()?.into_owned().into();
    Some(Digest { algorithm, value })
}

/// Returns the references in complete-revocation-references (EN 319 122-1 §A.1.2.1) or attribute-revocation-references.
///
/// ```asn1
/// CompleteRevocationRefs ::= SEQUENCE OF CrlOcspRef
/// CrlOcspRef ::= SEQUENCE { crlids [0] CRLListID OPTIONAL, ocspids [1] OcspListID OPTIONAL, otherRev [2] … OPTIONAL }
/// CRLListID ::= SEQUENCE { crls SEQUENCE OF SEQUENCE { crlHash OtherHash, crlIdentifier CrlIdentifier OPTIONAL } }
/// OcspListID ::= SEQUENCE { ocspResponses SEQUENCE OF SEQUENCE { ocspIdentifier OcspIdentifier,
///                                                                ocspRepHash OtherHash OPTIONAL } }
/// ```
pub(crate) fn revocation_refs(
    attribute: &Attribute<'_>,
    origin: RevocationRefOrigin,
) -> Vec<(RevocationType, RevocationRef)> {
    let mut found = Vec::new();
    for reference in attribute.value().map(|value| value.children()).unwrap_or(Reader::new(&[])) {
        for list in reference.children() {
            // Explicit tag, list, and in it the SEQUENCE OF.
            let Ok(entries) = list.inner().and_then(|list| list.inner()) else { continue };
            found.extend(entries.children().filter_map(|entry| revocation_ref(&list, &entry, origin)));
        }
    }
    found
}

/// Returns whether each element of complete-revocation-references can be read; what `otherRev` holds is for others.
pub(crate) fn are_revocation_refs(value: &Tlv<'_>) -> bool {
    let origin = RevocationRefOrigin::CompleteRevocationRefs;
    let is_list = |list: &Tlv<'_>| match list.tag.number {
        2 => true,
        _ => list
            .inner()
            .and_then(|list| list.inner())
            .is_ok_and(|entries| entries.children().each_is(|entry| revocation_ref(list, entry, origin).is_some())),
    };
    value.is(Tag::SEQUENCE) && value.children().each_is(|reference| reference.children().each_is(is_list))
}

fn revocation_ref(
    list: &Tlv<'_>,
    entry: &Tlv<'_>,
    origin: RevocationRefOrigin,
) -> Option<(RevocationType, RevocationRef)> {
    match list.tag.number {
        0 => Some((RevocationType::Crl, crl_ref(entry, origin)?)),
        1 => Some((RevocationType::Ocsp, ocsp_ref(entry, origin)?)),
        _ => None,
    }
}

fn crl_ref(entry: &Tlv<'_>, origin: RevocationRefOrigin) -> Option<RevocationRef> {
    let digest = other_hash(&entry.children().read().ok()?)?;
    Some(RevocationRef { origins: vec![origin], digest: Some(digest), ..Default::default() })
}

/// Reads a reference with `OcspIdentifier ::= SEQUENCE { ocspResponderID ResponderID, producedAt GeneralizedTime }`.
fn ocsp_ref(entry: &Tlv<'_>, origin: RevocationRefOrigin) -> Option<RevocationRef> {
    let mut reader = entry.children();
    let mut identifier = reader.expect(Tag::SEQUENCE).ok()?.children();
    let responder = identifier.read().ok()?;
    Some(RevocationRef {
        origins: vec![origin],
        responder: responder_id(&responder).ok(),
        produced_at: identifier.read().ok()?.time().ok(),
        digest: reader.read().ok().and_then(|hash| other_hash(&hash)),
    })
}

/// Reads `ResponderID ::= CHOICE { byName [1] Name, byKey [2] KeyHash }` (RFC 6960 §4.2.1).
fn responder_id(id: &Tlv<'_>) -> Result<SignerInfo, Error> {
    let inner = id.inner()?;
    Ok(if id.is_context(2) {
        SignerInfo { ski: Some(inner.bytes()?.into_owned().into()), ..Default::default() }
    } else {
        SignerInfo {
            issuer: Name::from_der(inner.raw).ok().map(|name| name.rfc2253().to_owned()),
            ..Default::default()
        }
    })
}
