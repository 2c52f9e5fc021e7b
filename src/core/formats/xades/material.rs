//! Certificates, revocation data and references that a signature holds: EN 319 132-1 §5.2.2, §5.4, annex A.

use super::references::{refs, revocation_refs};
use super::{Unpacked, child, descend, qualifying};
use crate::facts::{CertificateOrigin, CertificateRefOrigin, RevocationOrigin, RevocationRefOrigin, RevocationType};
use crate::formats::draft::{CertificateRef, CoveredObject, EmbeddedCertificate, EmbeddedRevocation, Material};
use crate::formats::xml::{DSIG, Element};
use std::borrow::Cow;

/// Returns certificates, revocation data and references of a signature.
pub(super) fn of<'s>(unpacked: &'s Unpacked<'_>, signature: Element<'_, '_>) -> Material<'s> {
    let mut material = key_info(unpacked, signature);
    let Some(qualifying) = qualifying(signature) else { return material };
    material.certificate_refs = signing_certificate_refs(qualifying);
    for property in unsigned(qualifying) {
        add_property(&mut material, unpacked, property);
    }
    material
}

/// Returns what `ds:KeyInfo` holds.
pub(super) fn key_info<'s>(unpacked: &'s Unpacked<'_>, signature: Element<'_, '_>) -> Material<'s> {
    let mut material = Material::default();
    let data = signature.child(DSIG, "KeyInfo").into_iter().flat_map(|info| info.children());
    for certificate in data.filter(|d| d.is(DSIG, "X509Data")).flat_map(|data| data.children()) {
        if certificate.is(DSIG, "X509Certificate") {
            add_certificate(&mut material, unpacked, certificate, CertificateOrigin::KeyInfo);
        }
    }
    material
}

/// Returns the unsigned signature properties, in order.
pub(super) fn unsigned<'t, 's>(qualifying: Element<'t, 's>) -> Vec<Element<'t, 's>> {
    let properties = descend(qualifying, &["UnsignedProperties", "UnsignedSignatureProperties"]);
    properties.map(|properties| properties.children().collect()).unwrap_or_default()
}

/// Adds what one unsigned property holds.
pub(super) fn add_property<'s>(material: &mut Material<'s>, unpacked: &'s Unpacked<'_>, property: Element<'_, '_>) {
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
        "CompleteRevocationRefs" => {
            material.revocation_refs.extend(revocation_refs(property, RevocationRefOrigin::CompleteRevocationRefs));
        }
        "AttributeRevocationRefs" => {
            material.revocation_refs.extend(revocation_refs(property, RevocationRefOrigin::AttributeRevocationRefs));
        }
        _ => {}
    }
}

/// Returns what a property holds, as a time-stamp covers it.
pub(super) fn covers<'s>(unpacked: &'s Unpacked<'_>, property: Element<'_, '_>) -> Vec<CoveredObject<'s>> {
    let mut material = Material::default();
    add_property(&mut material, unpacked, property);
    let embedded: Vec<CoveredObject<'s>> = CoveredObject::embedded(&material).collect();
    let certificate_refs = material.certificate_refs.into_iter().map(CoveredObject::certificate_ref);
    let revocation_refs = material.revocation_refs.into_iter().map(|(kind, r)| CoveredObject::revocation_ref(kind, r));
    embedded.into_iter().chain(certificate_refs).chain(revocation_refs).collect()
}

/// Adds every encapsulated value inside a property.
fn add_values<'s>(
    material: &mut Material<'s>,
    unpacked: &'s Unpacked<'_>,
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
    unpacked: &'s Unpacked<'_>,
    element: Element<'_, '_>,
    origin: CertificateOrigin,
) {
    if let Some(bytes) = unpacked.value(element) {
        material.certificates.push(EmbeddedCertificate { origin, bytes: Cow::Borrowed(bytes) });
    }
}

fn add_revocation<'s>(
    material: &mut Material<'s>,
    unpacked: &'s Unpacked<'_>,
    element: Element<'_, '_>,
    kind: RevocationType,
    origin: RevocationOrigin,
) {
    if let Some(bytes) = unpacked.value(element) {
        material.revocations.push(EmbeddedRevocation { kind, origin, bytes: Cow::Borrowed(bytes) });
    }
}

/// Reads `SigningCertificate` and `SigningCertificateV2` (§5.2.2, annex D).
pub(super) fn signing_certificate_refs(qualifying: Element<'_, '_>) -> Vec<CertificateRef> {
    let Some(signed) = descend(qualifying, &["SignedProperties", "SignedSignatureProperties"]) else { return vec![] };
    ["SigningCertificate", "SigningCertificateV2"]
        .into_iter()
        .filter_map(|local| child(signed, local))
        .flat_map(|list| refs(list, CertificateRefOrigin::SigningCertificate))
        .collect()
}
