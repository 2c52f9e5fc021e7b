//! Certificates, revocation data and references in a `SignedData` and in a signer's attributes.

use super::attribute::{Attribute, Attributes};
use super::oids;
use super::references;
use super::revocation;
use super::signed_data::{SignedData, SignerInfo};
use crate::asn1::{Oid, Tlv};
use crate::facts::{CertificateOrigin, CertificateRefOrigin, RevocationOrigin, RevocationRefOrigin};
use crate::formats::draft::{EmbeddedCertificate, Material};
use std::borrow::Cow;

/// Returns what the `SignedData` and this signer's signed attributes hold.
pub(crate) fn signed<'a>(signed_data: &SignedData<'a>, signer: &SignerInfo<'a>) -> Material<'a> {
    let certificates = signed_data.x509_certificates();
    Material {
        certificates: certificates.map(|bytes| embedded(CertificateOrigin::SignedData, bytes)).collect(),
        certificate_refs: references::signing_certificate_refs(&signer.signed),
        revocations: revocation::in_signed_data(signed_data),
        revocation_refs: vec![],
    }
}

/// Adds what unsigned attributes hold: EN 319 122-1 §A.1.1, §A.1.2.
pub(crate) fn add_unsigned<'a>(material: &mut Material<'a>, unsigned: &Attributes<'a>) {
    for attribute in unsigned {
        let oid = attribute.oid;
        if let Some(origin) = certificate_ref_origin(oid) {
            material.certificate_refs.extend(references::certificate_refs(attribute, origin));
        } else if let Some(origin) = revocation_ref_origin(oid) {
            material.revocation_refs.extend(references::revocation_refs(attribute, origin));
        } else if oid == oids::CERTIFICATE_VALUES {
            let values = certificate_values(attribute);
            material.certificates.extend(values.map(|value| embedded(CertificateOrigin::CertificateValues, value.raw)));
        } else if oid == oids::REVOCATION_VALUES {
            material.revocations.extend(revocation::in_values(attribute, RevocationOrigin::RevocationValues));
        }
    }
}

fn embedded(origin: CertificateOrigin, bytes: &[u8]) -> EmbeddedCertificate<'_> {
    EmbeddedCertificate { origin, bytes: Cow::Borrowed(bytes) }
}

/// Returns the certificates in certificate-values (EN 319 122-1 §A.1.1.2: `SEQUENCE OF Certificate`).
pub(crate) fn certificate_values<'a>(attribute: &Attribute<'a>) -> impl Iterator<Item = Tlv<'a>> + use<'a> {
    attribute.value().into_iter().flat_map(|value| value.children())
}

/// Returns the origin of references to certificates in an attribute of this type: EN 319 122-1 §A.1.1.1, §A.1.3.
pub(crate) fn certificate_ref_origin(oid: Oid<'_>) -> Option<CertificateRefOrigin> {
    match oid {
        oid if oid == oids::CERTIFICATE_REFS => Some(CertificateRefOrigin::CompleteCertificateRefs),
        oid if oid == oids::ATTRIBUTE_CERTIFICATE_REFS => Some(CertificateRefOrigin::AttributeCertificateRefs),
        _ => None,
    }
}

/// Returns the origin of references to revocation data in an attribute of this type: EN 319 122-1 §A.1.2.1, §A.1.4.
pub(crate) fn revocation_ref_origin(oid: Oid<'_>) -> Option<RevocationRefOrigin> {
    match oid {
        oid if oid == oids::REVOCATION_REFS => Some(RevocationRefOrigin::CompleteRevocationRefs),
        oid if oid == oids::ATTRIBUTE_REVOCATION_REFS => Some(RevocationRefOrigin::AttributeRevocationRefs),
        _ => None,
    }
}
