//! Certificates, revocation data and references: RFC 7515 §4.1.5 to §4.1.8, TS 119 182-1 §5.1, §5.3.5, annex A.

use super::base64url::decode_any;
use super::etsi_u::Member;
use super::json::Node;
use super::jws::Jws;
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Tag, Tlv};
use crate::facts::{
    CertificateOrigin, CertificateRefOrigin, Digest, RevocationOrigin, RevocationRef, RevocationRefOrigin,
    RevocationType, SignerInfo,
};
use crate::formats::draft::{CertificateRef, CoveredObject, EmbeddedCertificate, EmbeddedRevocation, Material};
use crate::x509::{Certificate, GeneralName, Name};
use std::borrow::Cow;

/// Certificates and revocation data that a component holds, decoded once: time-stamps refer to them again and again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct EmbeddedMaterial {
    certificates: Vec<(CertificateOrigin, Vec<u8>)>,
    revocations: Vec<(RevocationType, RevocationOrigin, Vec<u8>)>,
    /// Whether a value is not Base64, and was left out.
    pub is_malformed: bool,
}

impl EmbeddedMaterial {
    /// Returns what the component with this name and value holds.
    pub(super) fn of(name: &str, value: &Node<'_>) -> Self {
        use CertificateOrigin as C;
        use RevocationOrigin as R;
        let mut held = Self::default();
        match name {
            "xVals" => held.certificates(value, C::CertificateValues),
            "axVals" => held.certificates(value, C::AttrAuthoritiesCertValues),
            "rVals" => held.revocations(value, R::RevocationValues),
            "arVals" => held.revocations(value, R::AttributeRevocationValues),
            "tstVD" => held.both(value, C::TimestampValidationData, R::TimestampValidationData),
            "anyValData" => held.both(value, C::AnyValidationData, R::AnyValidationData),
            _ => {}
        }
        held
    }

    fn both(&mut self, value: &Node<'_>, certificates: CertificateOrigin, revocations: RevocationOrigin) {
        value.get("xVals").into_iter().for_each(|values| self.certificates(values, certificates));
        value.get("rVals").into_iter().for_each(|values| self.revocations(values, revocations));
    }

    /// Adds the certificates of `xVals`: objects with `x509Cert` (§5.3.5.1).
    fn certificates(&mut self, values: &Node<'_>, origin: CertificateOrigin) {
        for value in values.elements().iter().filter_map(|value| value.get("x509Cert")) {
            let bytes = self.decoded(value);
            self.certificates.extend(bytes.map(|bytes| (origin, bytes)));
        }
    }

    /// Adds the revocation data of `rVals`: `crlVals` and `ocspVals` (§5.3.5.2).
    fn revocations(&mut self, values: &Node<'_>, origin: RevocationOrigin) {
        for (name, kind) in [("crlVals", RevocationType::Crl), ("ocspVals", RevocationType::Ocsp)] {
            let list = values.get(name).map(|list| list.elements()).unwrap_or_default();
            for value in list {
                let bytes = self.decoded(value);
                self.revocations.extend(bytes.map(|bytes| (kind, origin, bytes)));
            }
        }
    }

    /// Returns the bytes of the `val` of a `pkiOb`, and notes where it has none (§5.4.2).
    fn decoded(&mut self, object: &Node<'_>) -> Option<Vec<u8>> {
        let bytes = object.text_of("val").and_then(decode_any);
        self.is_malformed |= bytes.is_none();
        bytes
    }
}

/// Returns certificates, revocation data and references of a signature.
pub(super) fn of<'u>(jws: &'u Jws<'_>) -> Material<'u> {
    let mut material = Material { certificates: chain(jws), ..Material::default() };
    material.certificate_refs = signing_certificate_refs(jws);
    material.certificate_refs.extend(key_identifier(jws));
    material.certificate_refs.extend(jws.protected.text_of("x5u").map(|url| CertificateRef {
        x509_url: Some(url.into()),
        ..CertificateRef::new(CertificateRefOrigin::X509Url)
    }));
    for member in jws.etsi_u.members() {
        add(&mut material, member);
    }
    material
}

/// Returns the bytes in `x5c`: RFC 7515 §4.1.6. What is not Base64 is empty: each certificate keeps its place.
pub(super) fn decoded_chain(protected: &Node<'_>) -> Vec<Vec<u8>> {
    let list = protected.get("x5c").map(|list| list.elements()).unwrap_or_default();
    list.iter().map(|element| element.text().and_then(decode_any).unwrap_or_default()).collect()
}

/// Returns whether `x5c` does not begin with a certificate, or holds what is not Base64 (RFC 7515 §4.1.6).
pub(super) fn is_chain_malformed(jws: &Jws<'_>) -> bool {
    let first = jws.chain.first().and_then(|first| Certificate::from_der(first).ok());
    jws.protected.get("x5c").is_some() && (first.is_none() || jws.chain.iter().any(Vec::is_empty))
}

/// Returns `x5c`. NOTE: of the header that is signed; what stands in the other is nobody's statement.
pub(super) fn chain<'u>(jws: &'u Jws<'_>) -> Vec<EmbeddedCertificate<'u>> {
    let origin = CertificateOrigin::KeyInfo;
    let chain = jws.chain.iter().filter(|bytes| !bytes.is_empty());
    chain.map(|bytes| EmbeddedCertificate { origin, bytes: Cow::Borrowed(bytes) }).collect()
}

/// Reads `x5t#S256`, `x5t` (RFC 7515 §4.1.7, §4.1.8), `x5t#o` and `sigX5ts` (TS 119 182-1 §5.2.2).
pub(super) fn signing_certificate_refs(jws: &Jws<'_>) -> Vec<CertificateRef> {
    let fixed = [("x5t#S256", DigestAlgorithm::Sha256), ("x5t", DigestAlgorithm::Sha1)];
    let fixed = fixed.into_iter().filter_map(|(name, algorithm)| {
        let value = decode_any(jws.protected.text_of(name)?)?;
        Some(Digest { algorithm: Some(algorithm), value: value.into() })
    });
    let named = jws.protected.get("x5t#o").and_then(digest);
    let list = jws.protected.get("sigX5ts").map(|list| list.elements()).unwrap_or_default();
    let all = fixed.chain(named).chain(list.iter().filter_map(digest));
    all.map(|digest| CertificateRef {
        digest: Some(digest),
        ..CertificateRef::new(CertificateRefOrigin::SigningCertificate)
    })
    .collect()
}

/// Reads `kid`, the Base64 of an `IssuerSerial` (TS 119 182-1 §5.1.4).
fn key_identifier(jws: &Jws<'_>) -> Option<CertificateRef> {
    issuer_serial(jws.protected.text_of("kid")?).map(|(issuer_serial, signer)| CertificateRef {
        issuer_serial: Some(issuer_serial.into()),
        signer,
        ..CertificateRef::new(CertificateRefOrigin::KeyIdentifier)
    })
}

/// Returns the DER of an `IssuerSerial`, and what it says.
fn issuer_serial(text: &str) -> Option<(Vec<u8>, Option<SignerInfo>)> {
    let der = decode_any(text)?;
    let signer = {
        let mut parts = Tlv::whole(&der).ok()?.expecting(Tag::SEQUENCE).ok()?.children();
        let mut names = parts.expect(Tag::SEQUENCE).ok()?.children();
        let issuer: Option<Name> = names.find_map(|tlv| GeneralName::from_tlv(tlv)?.directory_name());
        let serial = parts.expect(Tag::INTEGER).ok()?.to_decimal().ok();
        issuer.map(|issuer| SignerInfo { issuer: Some(issuer.rfc2253().to_owned()), serial, ..SignerInfo::default() })
    };
    Some((der, signer))
}

/// Reads `digAlg` and `digVal` (TS 119 182-1 §5.4.3). NOTE: the name of XML Signature occurs, which EU DSS reads, too.
pub(super) fn digest(node: &Node<'_>) -> Option<Digest> {
    let value = decode_any(node.text_of("digVal")?)?;
    let known = |name: &str| DigestAlgorithm::from_jose(name).or_else(|| DigestAlgorithm::from_uri(name));
    Some(Digest { algorithm: node.text_of("digAlg").and_then(known), value: value.into() })
}

/// Adds what one component of `etsiU` holds.
fn add<'u>(material: &mut Material<'u>, member: &'u Member<'_>) {
    let value = &member.value;
    match member.name.as_str() {
        "xRefs" => certificate_refs(material, value, CertificateRefOrigin::CompleteCertificateRefs),
        "axRefs" => certificate_refs(material, value, CertificateRefOrigin::AttributeCertificateRefs),
        "rRefs" => revocation_refs(material, value, RevocationRefOrigin::CompleteRevocationRefs),
        "arRefs" => revocation_refs(material, value, RevocationRefOrigin::AttributeRevocationRefs),
        _ => {}
    }
    let held = &member.held;
    let certificates = held.certificates.iter();
    material.certificates.extend(
        certificates.map(|(origin, bytes)| EmbeddedCertificate { origin: *origin, bytes: Cow::Borrowed(bytes) }),
    );
    material.revocations.extend(held.revocations.iter().map(|(kind, origin, bytes)| EmbeddedRevocation {
        kind: *kind,
        origin: *origin,
        bytes: Cow::Borrowed(bytes),
    }));
}

/// Returns what a component holds, as a time-stamp covers it: references first.
pub(super) fn covers<'u>(member: &'u Member<'_>) -> (Vec<CoveredObject<'u>>, Vec<CoveredObject<'u>>) {
    let mut material = Material::default();
    add(&mut material, member);
    let values = CoveredObject::embedded(&material).collect();
    let references = material.certificate_refs.into_iter().map(CoveredObject::certificate_ref);
    let data =
        material.revocation_refs.into_iter().map(|(kind, reference)| CoveredObject::revocation_ref(kind, reference));
    (references.chain(data).collect(), values)
}

/// Adds the references of `xRefs`: digests, each with the `kid` of the certificate (annex A.1.1).
fn certificate_refs(material: &mut Material<'_>, refs: &Node<'_>, origin: CertificateRefOrigin) {
    let read = |node: &Node<'_>| {
        let kid = node.text_of("kid").and_then(issuer_serial);
        let digest = digest(node)?;
        Some(CertificateRef {
            digest: Some(digest),
            issuer_serial: kid.map(|(der, _)| der.into()),
            x509_url: node.text_of("x5u").map(Into::into),
            ..CertificateRef::new(origin)
        })
    };
    material.certificate_refs.extend(refs.elements().iter().filter_map(read));
}

/// Adds the references of `rRefs`: `crlRefs` and `ocspRefs` (annex A.1.2).
fn revocation_refs(material: &mut Material<'_>, refs: &Node<'_>, origin: RevocationRefOrigin) {
    for (name, kind) in [("crlRefs", RevocationType::Crl), ("ocspRefs", RevocationType::Ocsp)] {
        let list = refs.get(name).map(|list| list.elements()).unwrap_or_default();
        let read = |node: &Node<'_>| {
            let id = node.get("ocspId");
            let reference = RevocationRef {
                origins: vec![origin],
                produced_at: id.and_then(|id| id.text_of("producedAt")?.parse().ok()),
                responder: id.and_then(|id| responder(id.get("responderId")?)),
                digest: digest(node),
            };
            (kind, reference)
        };
        material.revocation_refs.extend(list.iter().map(read));
    }
}

/// Reads `byKey` or `byName`.
fn responder(id: &Node<'_>) -> Option<SignerInfo> {
    if let Some(key) = id.text_of("byKey") {
        return Some(SignerInfo { ski: decode_any(key).map(Into::into), ..SignerInfo::default() });
    }
    let name = Name::from_der(&decode_any(id.text_of("byName")?)?).ok()?;
    Some(SignerInfo { issuer: Some(name.rfc2253().to_owned()), ..SignerInfo::default() })
}
