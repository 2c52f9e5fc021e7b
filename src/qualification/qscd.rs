//! Whether the private key is in a qualified signature creation device: TS 119 615 §4.6.

use super::kind::has_policy;
use super::service::Service;
use super::vocabulary::{EIDAS, QCP_PUBLIC_WITH_SSCD, ServiceQualifier};
use crate::facts::Certificate;

/// Whether the key of a qualified certificate is in a qualified device, by its service and then by itself.
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

/// What the certificate says of itself: EN 319 412-5 §4.2.2, before eIDAS also the policy of TS 101 456.
pub(crate) fn stated(certificate: &Certificate) -> bool {
    let statement = certificate.extensions.qc_statements.as_ref().is_some_and(|qc| qc.sscd);
    statement || certificate.not_before < EIDAS && has_policy(certificate, QCP_PUBLIC_WITH_SSCD)
}
