//! Certificates, revocation data and references that a signature holds: EN 319 132-1 §5.2.2, §5.4, annex A.

use super::{Unpacked, child, descend, is, qualifying};
use crate::algorithm::DigestAlgorithm;
use crate::facts::{CertificateOrigin, CertificateRef, CertificateRefOrigin, Digest, RevocationOrigin, RevocationType};
use crate::formats::draft::{Covers, EmbeddedCertificate, EmbeddedRevocation, Material};
use crate::formats::xml::signature::base64_text;
use crate::formats::xml::{DSIG, Element};
use std::borrow::Cow;

/// Everything of a signature.
pub(super) fn of<'s>(unpacked: &'s Unpacked, signature: Element<'_, '_>) -> Material<'s> {
    let mut material = Material::default();
    let data = signature.child(DSIG, "KeyInfo").into_iter().flat_map(|info| info.children());
    for certificate in data.filter(|d| d.is(DSIG, "X509Data")).flat_map(|data| data.children()) {
        if certificate.is(DSIG, "X509Certificate") {
            add_certificate(&mut material, unpacked, certificate, CertificateOrigin::KeyInfo);
        }
    }
    let Some(qualifying) = qualifying(signature) else { return material };
    material.certificate_refs = signing_certificate_refs(qualifying);
    for property in unsigned(qualifying) {
        add_property(&mut material, unpacked, property);
    }
    material
}

/// The unsigned signature properties, in order.
pub(super) fn unsigned<'t, 's>(qualifying: Element<'t, 's>) -> Vec<Element<'t, 's>> {
    let properties = descend(qualifying, &["UnsignedProperties", "UnsignedSignatureProperties"]);
    properties.map(|properties| properties.children().collect()).unwrap_or_default()
}

/// What one unsigned property holds.
pub(super) fn add_property<'s>(material: &mut Material<'s>, unpacked: &'s Unpacked, property: Element<'_, '_>) {
    use CertificateOrigin as C;
    use RevocationOrigin as R;
    match property.local() {
        "CertificateValues" => add_values(material, unpacked, property, C::CertificateValues, R::RevocationValues),
        "RevocationValues" => add_values(material, unpacked, property, C::CertificateValues, R::RevocationValues),
        "AttrAuthoritiesCertValues" => {
            add_values(material, unpacked, property, C::AttrAuthoritiesCertValues, R::AttributeRevocationValues);
        }
        "AttributeRevocationValues" => {
            add_values(material, unpacked, property, C::AttrAuthoritiesCertValues, R::AttributeRevocationValues);
        }
        "TimeStampValidationData" => {
            add_values(material, unpacked, property, C::TimestampValidationData, R::TimestampValidationData);
        }
        "AnyValidationData" => add_values(material, unpacked, property, C::AnyValidationData, R::AnyValidationData),
        "CompleteCertificateRefs" | "CompleteCertificateRefsV2" => {
            material.certificate_refs.extend(refs(property, CertificateRefOrigin::CompleteCertificateRefs));
        }
        "AttributeCertificateRefs" | "AttributeCertificateRefsV2" => {
            material.certificate_refs.extend(refs(property, CertificateRefOrigin::AttributeCertificateRefs));
        }
        _ => {}
    }
}

/// What a property holds, as a time-stamp covers it.
pub(super) fn covers<'s>(unpacked: &'s Unpacked, property: Element<'_, '_>) -> Vec<Covers<'s>> {
    let mut material = Material::default();
    add_property(&mut material, unpacked, property);
    let certificates = material.certificates.into_iter().map(|c| Covers::Certificate(c.octets));
    let revocations = material.revocations.into_iter().map(|r| Covers::Revocation(r.kind, r.octets));
    certificates.chain(revocations).chain(material.certificate_refs.into_iter().map(Covers::CertificateRef)).collect()
}

/// Every encapsulated value inside a property.
fn add_values<'s>(
    material: &mut Material<'s>,
    unpacked: &'s Unpacked,
    property: Element<'_, '_>,
    certificates: CertificateOrigin,
    revocations: RevocationOrigin,
) {
    for element in property.tree().elements(property.id()) {
        match element.local() {
            "EncapsulatedX509Certificate" => add_certificate(material, unpacked, element, certificates),
            "EncapsulatedCRLValue" => add_revocation(material, unpacked, element, RevocationType::Crl, revocations),
            "EncapsulatedOCSPValue" => add_revocation(material, unpacked, element, RevocationType::Ocsp, revocations),
            _ => {}
        }
    }
}

fn add_certificate<'s>(
    material: &mut Material<'s>,
    unpacked: &'s Unpacked,
    element: Element<'_, '_>,
    origin: CertificateOrigin,
) {
    if let Some(octets) = unpacked.value(element) {
        material.certificates.push(EmbeddedCertificate { origin, octets: Cow::Borrowed(octets) });
    }
}

fn add_revocation<'s>(
    material: &mut Material<'s>,
    unpacked: &'s Unpacked,
    element: Element<'_, '_>,
    kind: RevocationType,
    origin: RevocationOrigin,
) {
    if let Some(octets) = unpacked.value(element) {
        material.revocations.push(EmbeddedRevocation { kind, origin, octets: Cow::Borrowed(octets) });
    }
}

/// `SigningCertificate` and `SigningCertificateV2`: §5.2.2, annex D.
pub(super) fn signing_certificate_refs(qualifying: Element<'_, '_>) -> Vec<CertificateRef> {
    let Some(signed) = descend(qualifying, &["SignedProperties", "SignedSignatureProperties"]) else { return vec![] };
    ["SigningCertificate", "SigningCertificateV2"]
        .into_iter()
        .filter_map(|local| child(signed, local))
        .flat_map(|list| refs(list, CertificateRefOrigin::SigningCertificate))
        .collect()
}

/// The `Cert` elements inside a property.
fn refs(property: Element<'_, '_>, origin: CertificateRefOrigin) -> Vec<CertificateRef> {
    let certs = property.tree().elements(property.id()).filter(|element| is(*element, "Cert"));
    certs.map(|cert| reference(cert, origin)).collect()
}

fn reference(cert: Element<'_, '_>, origin: CertificateRefOrigin) -> CertificateRef {
    let digest = child(cert, "CertDigest").map(|digest| {
        let method = digest.child(DSIG, "DigestMethod").and_then(|method| method.attribute("Algorithm"));
        let value = digest.child(DSIG, "DigestValue").and_then(base64_text).unwrap_or_default();
        Digest { algorithm: method.and_then(DigestAlgorithm::from_uri), value: value.into() }
    });
    CertificateRef {
        origin,
        issuer_serial: child(cert, "IssuerSerialV2").and_then(base64_text).map(Into::into),
        issuer_serial_match: None,
        digest,
        digest_match: None,
        signer: None,
        x509_url: cert.attribute("URI").map(Into::into),
    }
}
