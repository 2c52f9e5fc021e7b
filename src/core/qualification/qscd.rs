//! Whether the private key is in a qualified signature creation device: TS 119 615 §4.5.

use super::kind::has_policy;
use super::service::Service;
use super::vocabulary::{EIDAS, QCP_PUBLIC_WITH_SSCD, ServiceQualifier};
use crate::facts::Certificate;

/// Returns whether the key of a qualified certificate is in a qualified device, by its service and then by itself.
pub(crate) fn qualified(certificate: &Certificate, service: &Service) -> bool {
    use ServiceQualifier::*;
    let (with, as_stated, without): (&[_], _, _) = if service.under_eidas() {
        (&[QcWithQscd, QcQscdManagedOnBehalf], QcQscdStatusAsInCert, QcNoQscd)
    } else {
        (&[QcWithSscd], QcSscdStatusAsInCert, QcNoSscd)
    };
    if service.qualifies_any(with) {
        true
    } else if service.qualifies(as_stated) {
        stated(certificate)
    } else {
        !service.qualifies(without) && stated(certificate)
    }
}

/// Returns what the certificate says of itself: EN 319 412-5 §4.2.2, before eIDAS also the policy of TS 101 456.
pub(crate) fn stated(certificate: &Certificate) -> bool {
    let statement = certificate.extensions.qc_statements.as_ref().is_some_and(|qc| qc.sscd);
    statement || certificate.not_before < EIDAS && has_policy(certificate, QCP_PUBLIC_WITH_SSCD)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{certificate, entry, with_service};
    use super::super::vocabulary::ServiceStatus::{Accredited, Granted};
    use super::*;

    #[test]
    fn by_service_and_certificate() {
        use ServiceQualifier::*;
        for (situation, since, status, qualifiers, sscd, expected) in [
            ("stated by the certificate", "2017-01-01", Granted, &[][..], true, true),
            ("not stated", "2017-01-01", Granted, &[], false, false),
            ("stated by the list", "2017-01-01", Granted, &[QcWithQscd], false, true),
            ("managed on behalf", "2017-01-01", Granted, &[QcQscdManagedOnBehalf], false, true),
            ("denied by the list", "2017-01-01", Granted, &[QcNoQscd], true, false),
            ("as the certificate states", "2017-01-01", Granted, &[QcQscdStatusAsInCert], false, false),
            ("a word of the Directive under eIDAS", "2017-01-01", Granted, &[QcWithSscd], false, false),
            ("a word of the Directive in its time", "2010-01-01", Accredited, &[QcWithSscd], false, true),
            ("denied in its time", "2010-01-01", Accredited, &[QcNoSscd], true, false),
        ] {
            let certificate = certificate("2020-01-01", true, sscd, &[], &[]);
            let found =
                with_service(&entry(since, status, qualifiers, &[]), |service| qualified(&certificate, service));
            assert_eq!(found, expected, "TS 119 615 §4.5: {situation}");
        }
        let old = certificate("2010-01-01", false, false, &[], &[QCP_PUBLIC_WITH_SSCD]);
        assert!(stated(&old), "TS 101 456 §5.2: QCP public + SSCD");
    }
}
