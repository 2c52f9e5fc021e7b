//! Which services may speak about a certificate: TS 119 615 §4.3 and §4.4.

use super::kind::{self, CertificateType};
use super::service::Service;
use super::vocabulary::{CA_QC, EIDAS, ServicePurpose, ServiceQualifier, ServiceStatus};
use crate::facts::Certificate;
use crate::time::Time;

/// Those for which the condition holds.
pub(crate) fn keep<'a>(services: &[Service<'a>], condition: impl Fn(&Service<'a>) -> bool) -> Vec<Service<'a>> {
    services.iter().filter(|service| condition(service)).copied().collect()
}

/// Those for which the condition holds, or all where it holds for none.
pub(crate) fn prefer<'a>(services: &[Service<'a>], condition: impl Fn(&Service<'a>) -> bool) -> Vec<Service<'a>> {
    let kept = keep(services, condition);
    if kept.is_empty() { services.to_vec() } else { kept }
}

/// Whether the service issues qualified certificates.
pub(crate) fn issues_qualified(service: &Service) -> bool {
    service.is_type(CA_QC)
}

/// Whether a mutual recognition made the service what it is, and its equivalence holds at `time`.
pub(crate) fn recognised_at(service: &Service, time: Time) -> bool {
    service.entry.enacted_mra == Some(true)
        && service.entry.mra.as_ref().is_some_and(|mapping| {
            mapping.equivalence_start.is_some_and(|start| start <= time)
                && mapping.equivalence_end.is_none_or(|end| time <= end)
        })
}

/// Whether the service may issue certificates for what this one is for.
///
/// Since eIDAS a service names its purposes as additional service information. A qualifier that
/// agrees with one of them overrules what the certificate says of itself.
pub(crate) fn may_issue(service: &Service, certificate: &Certificate) -> bool {
    use CertificateType::*;
    if certificate.not_before < EIDAS {
        return true;
    }
    let legal_person = service.qualifies(ServiceQualifier::QcForLegalPerson);
    let serves_esig = service.serves(ServicePurpose::ForESignatures) && !legal_person;
    let serves_eseal = service.serves(ServicePurpose::ForESeals);
    let serves_wsa = service.serves(ServicePurpose::ForWebSiteAuthentication);
    let [mut esig, eseal, wsa] = kind::BY_QUALIFIER.map(|(qualifier, _)| service.qualifies(qualifier));
    esig |= !eseal && !wsa && kind::states_compliance(certificate);
    let one = [esig, eseal, wsa].iter().filter(|captured| **captured).count() == 1;
    let overrules = |serves: bool, captured: bool| serves && captured && one;
    let (as_esig, as_eseal, as_wsa) =
        (overrules(serves_esig, esig), overrules(serves_eseal, eseal), overrules(serves_wsa, wsa));
    match kind::stated(certificate) {
        ESig => serves_esig || as_eseal || as_wsa,
        ESeal => serves_eseal || as_esig || as_wsa,
        Wsa => serves_wsa || as_esig || as_eseal,
        Unknown => true,
    }
}

/// Whether the status is one that existed in the service's time: `granted` and `withdrawn` came with eIDAS.
pub(crate) fn status_of_its_time(service: &Service) -> bool {
    use ServiceStatus::*;
    service.under_eidas() || !matches!(service.status(), Some(Granted | Withdrawn))
}
