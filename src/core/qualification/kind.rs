//! What a certificate is for: TS 119 615 §4.4.

use super::service::Service;
use super::vocabulary::{EIDAS, QCP_PUBLIC, QCP_PUBLIC_WITH_SSCD, QcType, ServiceQualifier};
use crate::facts::Certificate;
use crate::vocabulary::string_enum;

string_enum! {
    /// What a certificate is for.
    pub enum CertificateType {
        ESig = "eSig",
        ESeal = "eSeal",
        Wsa = "WSA",
        Unknown = "unknown",
    }
}

/// Returns what the certificate says of itself: EN 319 412-5 §4.2.3, before eIDAS RFC 3739 and TS 101 456.
pub(crate) fn stated(certificate: &Certificate) -> CertificateType {
    let compliant = states_compliance(certificate);
    if certificate.not_before < EIDAS {
        let old_policy = has_policy(certificate, QCP_PUBLIC) || has_policy(certificate, QCP_PUBLIC_WITH_SSCD);
        return if compliant || old_policy { CertificateType::ESig } else { CertificateType::Unknown };
    }
    let mut known: Vec<QcType> = stated_types(certificate).iter().filter_map(|oid| oid.parse().ok()).collect();
    crate::order::sort(&mut known);
    known.dedup();
    match known[..] {
        [QcType::ESign] => CertificateType::ESig,
        [QcType::ESeal] => CertificateType::ESeal,
        [QcType::Web] => CertificateType::Wsa,
        [] if compliant && stated_types(certificate).is_empty() => CertificateType::ESig,
        _ => CertificateType::Unknown,
    }
}

/// Returns what a qualified certificate is for, by the service that issued it and then by itself.
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

/// Returns whether the certificate states that it is qualified (EN 319 412-5 §4.2.1).
pub(crate) fn states_compliance(certificate: &Certificate) -> bool {
    certificate.extensions.qc_statements.as_ref().is_some_and(|qc| qc.compliance)
}

/// Returns whether the certificate is issued under that policy.
pub(crate) fn has_policy(certificate: &Certificate, oid: &str) -> bool {
    certificate.extensions.certificate_policies.as_ref().is_some_and(|all| all.iter().any(|policy| policy.oid == oid))
}

fn stated_types(certificate: &Certificate) -> &[String] {
    certificate.extensions.qc_statements.as_ref().map_or(&[], |qc| &qc.types)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{certificate, entry, with_service};
    use super::super::vocabulary::ServiceStatus::{Accredited, Granted};
    use super::*;

    #[test]
    fn stated_by_the_certificate() {
        const SIGN: &str = QcType::ESign.as_str();
        const SEAL: &str = QcType::ESeal.as_str();
        type Row =
            (&'static str, &'static str, bool, &'static [&'static str], &'static [&'static str], CertificateType);
        let rows: [Row; 9] = [
            ("EN 319 412-5 §4.2.3: one type", "2020-01-01", true, &[SIGN], &[], CertificateType::ESig),
            ("EN 319 412-5 §4.2.3: a seal", "2020-01-01", true, &[SEAL], &[], CertificateType::ESeal),
            ("EN 319 412-5 §4.2.3: the same twice", "2020-01-01", true, &[SEAL, SEAL], &[], CertificateType::ESeal),
            ("EN 319 412-5 §4.2.3: two types", "2020-01-01", true, &[SIGN, SEAL], &[], CertificateType::Unknown),
            ("EN 319 412-5 §4.2.3: an unknown type", "2020-01-01", true, &["1.2.3"], &[], CertificateType::Unknown),
            (
                "EN 319 412-5 §4.2.3: qualified without a type is for signatures",
                "2020-01-01",
                true,
                &[],
                &[],
                CertificateType::ESig,
            ),
            ("EN 319 412-5 §4.2.3: nothing stated", "2020-01-01", false, &[], &[], CertificateType::Unknown),
            (
                "TS 101 456 §5.2: a policy of the Directive",
                "2010-01-01",
                false,
                &[],
                &[QCP_PUBLIC],
                CertificateType::ESig,
            ),
            (
                "TS 101 456 §5.2: no longer under eIDAS",
                "2020-01-01",
                false,
                &[],
                &[QCP_PUBLIC],
                CertificateType::Unknown,
            ),
        ];
        for (clause, issued, compliance, types, policies, expected) in rows {
            assert_eq!(stated(&certificate(issued, compliance, false, types, policies)), expected, "{clause}");
        }
    }

    #[test]
    fn stated_by_the_service() {
        let seal = certificate("2020-01-01", true, false, &[QcType::ESeal.as_str()], &[]);
        for (situation, since, status, qualifiers, expected) in [
            (
                "the qualifier prevails",
                "2017-01-01",
                Granted,
                &[ServiceQualifier::QcForESig][..],
                CertificateType::ESig,
            ),
            ("no qualifier, the certificate counts", "2017-01-01", Granted, &[], CertificateType::ESeal),
            (
                "two qualifiers say nothing",
                "2017-01-01",
                Granted,
                &[ServiceQualifier::QcForESig, ServiceQualifier::QcForWsa],
                CertificateType::Unknown,
            ),
            ("before eIDAS there were only signatures", "2010-01-01", Accredited, &[], CertificateType::ESig),
        ] {
            let found = with_service(&entry(since, status, qualifiers, &[]), |service| qualified(&seal, service));
            assert_eq!(found, expected, "TS 119 615 §4.4: {situation}");
        }
    }
}
