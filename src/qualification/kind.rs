//! What a certificate is for: TS 119 615 §4.5.

use super::service::Service;
use super::vocabulary::{EIDAS, QCP_PUBLIC, QCP_PUBLIC_WITH_SSCD, QcType, ServiceQualifier};
use crate::facts::Certificate;
use crate::vocabulary::words;

words! {
    /// What a certificate is for.
    pub enum CertificateType {
        ESig = "eSig",
        ESeal = "eSeal",
        Wsa = "WSA",
        Unknown = "unknown",
    }
}

/// What the certificate says of itself: EN 319 412-5 §4.2.3, before eIDAS RFC 3739 and TS 101 456.
pub(crate) fn stated(certificate: &Certificate) -> CertificateType {
    let compliant = states_compliance(certificate);
    if certificate.not_before < EIDAS {
        let old_policy = has_policy(certificate, QCP_PUBLIC) || has_policy(certificate, QCP_PUBLIC_WITH_SSCD);
        return if compliant || old_policy { CertificateType::ESig } else { CertificateType::Unknown };
    }
    let mut known: Vec<QcType> = stated_types(certificate).iter().filter_map(|oid| oid.parse().ok()).collect();
    known.sort();
    known.dedup();
    match known[..] {
        [QcType::ESign] => CertificateType::ESig,
        [QcType::ESeal] => CertificateType::ESeal,
        [QcType::Web] => CertificateType::Wsa,
        [] if compliant && stated_types(certificate).is_empty() => CertificateType::ESig,
        _ => CertificateType::Unknown,
    }
}

/// What a qualified certificate is for, by the service that issued it and then by itself.
///
/// A qualifier of the service prevails; without one the certificate's own statement counts.
pub(crate) fn qualified(certificate: &Certificate, service: &Service) -> CertificateType {
    if !service.under_eidas() {
        return CertificateType::ESig;
    }
    let captured: Vec<CertificateType> =
        BY_QUALIFIER.iter().filter(|(qualifier, _)| service.qualifies(*qualifier)).map(|(_, kind)| *kind).collect();
    match captured[..] {
        [] => stated(certificate),
        [kind] => kind,
        _ => CertificateType::Unknown,
    }
}

/// TS 119 612 §5.5.9.2.3.
pub(crate) const BY_QUALIFIER: [(ServiceQualifier, CertificateType); 3] = [
    (ServiceQualifier::QcForESig, CertificateType::ESig),
    (ServiceQualifier::QcForESeal, CertificateType::ESeal),
    (ServiceQualifier::QcForWsa, CertificateType::Wsa),
];

/// Whether the certificate states that it is qualified (EN 319 412-5 §4.2.1).
pub(crate) fn states_compliance(certificate: &Certificate) -> bool {
    certificate.extensions.qc_statements.as_ref().is_some_and(|qc| qc.compliance)
}

/// Whether the certificate is issued under that policy.
pub(crate) fn has_policy(certificate: &Certificate, oid: &str) -> bool {
    certificate.extensions.certificate_policies.as_ref().is_some_and(|all| all.iter().any(|policy| policy.oid == oid))
}

fn stated_types(certificate: &Certificate) -> &[String] {
    certificate.extensions.qc_statements.as_ref().map_or(&[], |qc| &qc.types)
}
