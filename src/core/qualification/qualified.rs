//! Whether a certificate is a qualified one: TS 119 615 §4.4.

use super::kind::{has_policy, states_compliance};
use super::service::Service;
use super::vocabulary::{EIDAS, QCP_PUBLIC, QCP_PUBLIC_WITH_SSCD, ServiceQualifier};
use crate::facts::Certificate;

/// Returns whether the service issued the certificate as a qualified one.
///
/// A qualifier of the service prevails; without one the certificate's own statement counts.
pub(crate) fn qualified(certificate: &Certificate, service: &Service) -> bool {
    service.granted()
        && !service.qualifies(ServiceQualifier::NotQualified)
        && (service.qualifies(ServiceQualifier::QcStatement) || stated(certificate))
}

/// Returns what the certificate says of itself: EN 319 412-5 §4.2.1, before eIDAS also the policies of TS 101 456.
///
/// A certificate qualified under the law of a third country (§4.2.4) is not one of the Union's.
pub(crate) fn stated(certificate: &Certificate) -> bool {
    let foreign = certificate
        .extensions
        .qc_statements
        .as_ref()
        .and_then(|qc| qc.cc_legislation.as_ref())
        .is_some_and(|countries| !countries.is_empty());
    let old_policy = certificate.not_before < EIDAS
        && (has_policy(certificate, QCP_PUBLIC) || has_policy(certificate, QCP_PUBLIC_WITH_SSCD));
    !foreign && (states_compliance(certificate) || old_policy)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{certificate, entry, with_service};
    use super::super::vocabulary::ServiceStatus::{Accredited, Granted, Withdrawn};
    use super::*;
    use ServiceQualifier::{NotQualified, QcStatement};

    #[test]
    fn by_service_and_certificate() {
        for (situation, since, status, qualifiers, compliance, expected) in [
            ("granted and stated", "2017-01-01", Granted, &[][..], true, true),
            ("granted, not stated", "2017-01-01", Granted, &[], false, false),
            ("granted, stated by the list", "2017-01-01", Granted, &[QcStatement], false, true),
            ("denied by the list", "2017-01-01", Granted, &[NotQualified], true, false),
            ("denied and stated by the list", "2017-01-01", Granted, &[NotQualified, QcStatement], true, false),
            ("withdrawn", "2017-01-01", Withdrawn, &[], true, false),
            ("a status of the Directive under eIDAS", "2017-01-01", Accredited, &[], true, false),
            ("accredited under the Directive", "2010-01-01", Accredited, &[], true, true),
        ] {
            let certificate = certificate("2020-01-01", compliance, false, &[], &[]);
            let found =
                with_service(&entry(since, status, qualifiers, &[]), |service| qualified(&certificate, service));
            assert_eq!(found, expected, "TS 119 615 §4.4: {situation}");
        }
        let mut foreign = certificate("2020-01-01", true, false, &[], &[]);
        if let Some(statements) = &mut foreign.extensions.qc_statements {
            statements.cc_legislation = Some(vec!["CH".into()]);
        }
        assert!(!stated(&foreign), "EN 319 412-5 §4.2.4: qualified under the law of a third country");
    }
}
