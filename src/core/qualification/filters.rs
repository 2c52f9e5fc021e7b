//! Which services may speak about a certificate: TS 119 615 §4.3 and §4.4.

use super::kind::{self, CertificateType};
use super::service::Service;
use super::vocabulary::{CA_QC, EIDAS, ServicePurpose, ServiceQualifier, ServiceStatus};
use crate::facts::Certificate;
use crate::time::Time;

/// Returns those for which the condition holds.
pub(crate) fn keep<'a>(services: &[Service<'a>], condition: impl Fn(&Service<'a>) -> bool) -> Vec<Service<'a>> {
    services.iter().filter(|service| condition(service)).copied().collect()
}

/// Returns those for which the condition holds, or all where it holds for none.
pub(crate) fn prefer<'a>(services: &[Service<'a>], condition: impl Fn(&Service<'a>) -> bool) -> Vec<Service<'a>> {
    let kept = keep(services, condition);
    if kept.is_empty() { services.to_vec() } else { kept }
}

/// Returns whether the service issues qualified certificates.
pub(crate) fn issues_qualified(service: &Service) -> bool {
    service.is_type(CA_QC)
}

/// Returns whether a mutual recognition made the service what it is, and its equivalence holds at `time`.
pub(crate) fn recognised_at(service: &Service, time: Time) -> bool {
    service.entry.enacted_mra == Some(true)
        && service.entry.mra.as_ref().is_some_and(|mapping| {
            mapping.equivalence_start.is_some_and(|start| start <= time)
                && mapping.equivalence_end.is_none_or(|end| time <= end)
        })
}

/// Returns whether the service may issue certificates for what this one is for.
///
/// Since eIDAS a service names its purposes as additional service information. A qualifier that
/// agrees with one of them overrules what the certificate says of itself.
pub(crate) fn may_issue(service: &Service, certificate: &Certificate) -> bool {
    use CertificateType::*;
    if certificate.not_before < EIDAS {
        return true;
    }
    let legal_person = service.qualifies(ServiceQualifier::QcForLegalPerson);
    let serves_esig = service.serves(ServicePurpose::ESignatures) && !legal_person;
    let serves_eseal = service.serves(ServicePurpose::ESeals);
    let serves_wsa = service.serves(ServicePurpose::WebSiteAuthentication);
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

/// Returns whether the status is one that existed in the service's time: `granted` and `withdrawn` came with eIDAS.
pub(crate) fn status_of_its_time(service: &Service) -> bool {
    use ServiceStatus::*;
    service.under_eidas() || !matches!(service.status(), Some(Granted | Withdrawn))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{certificate, entry, time, with_service};
    use super::super::vocabulary::QcType;
    use super::super::vocabulary::ServiceStatus::Granted;
    use super::*;
    use ServicePurpose::{ESeals, ESignatures};
    use ServiceQualifier::{QcForESeal, QcForESig, QcForLegalPerson};

    #[test]
    fn services_that_may_issue() {
        const SIGN: &str = QcType::ESign.as_str();
        const SEAL: &str = QcType::ESeal.as_str();
        for (situation, kind, qualifiers, purposes, expected) in [
            ("announced", SIGN, &[][..], &[ESignatures][..], true),
            ("not announced", SIGN, &[], &[ESeals], false),
            ("nothing announced", SIGN, &[], &[], false),
            ("announced, but this one is a legal person's", SIGN, &[QcForLegalPerson], &[ESignatures], false),
            ("the list says that it is a seal", SIGN, &[QcForESeal], &[ESeals], true),
            ("the list says both", SEAL, &[QcForESeal, QcForESig], &[ESignatures], false),
            ("a type that nobody knows", "1.2.3", &[], &[], true),
        ] {
            let certificate = certificate("2020-01-01", true, false, &[kind], &[]);
            let found =
                with_service(&entry("2017-01-01", Granted, qualifiers, purposes), |s| may_issue(s, &certificate));
            assert_eq!(found, expected, "TS 119 615 §4.4: {situation}");
        }
        let old = certificate("2010-01-01", true, false, &[SIGN], &[]);
        let found = with_service(&entry("2010-01-01", Granted, &[], &[]), |s| may_issue(s, &old));
        assert!(found, "TS 119 615 §4.4: before eIDAS nothing was announced");
    }

    #[test]
    fn periods_and_recognition() {
        let mut service = entry("2017-01-01", Granted, &[], &[]);
        service.end = Some(time("2018-01-01"));
        for (situation, at, expected) in [
            ("before", "2016-12-31", false),
            ("at its start", "2017-01-01", true),
            ("at its end", "2018-01-01", true),
            ("after", "2018-01-02", false),
        ] {
            assert_eq!(with_service(&service, |s| s.active_at(time(at))), expected, "TS 119 612 §5.6: {situation}");
        }
        service.start = None;
        assert!(!with_service(&service, |s| s.active_at(time("2017-06-01"))), "TS 119 612 §5.5.5: no start");
        assert!(!with_service(&service, |s| recognised_at(s, time("2017-06-01"))), "TS 119 615: not recognised");
    }
}
