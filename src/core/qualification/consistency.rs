//! Whether an entry of a trusted list contradicts itself: TS 119 615 §4.4 and §4.5 on inconsistent qualifiers.

use super::kind;
use super::service::Service;
use super::vocabulary::{ServicePurpose, ServiceQualifier};
use crate::validation::check_id::CheckId;

/// A condition that an entry meets, and the check of it.
pub(crate) struct Condition {
    pub(crate) check: CheckId,
    pub(crate) holds: fn(&Service) -> bool,
}

/// All conditions, in the order in which the first broken one is reported.
pub(crate) const CONDITIONS: [Condition; 10] = [
    Condition { check: CheckId::ServiceQualifiedOrNot, holds: qualified_or_not },
    Condition { check: CheckId::ServiceLegalOrNatural, holds: legal_or_natural },
    Condition { check: CheckId::ServiceDeviceOrNot, holds: device_or_not },
    Condition { check: CheckId::ServiceDeviceOrAsStated, holds: device_or_as_stated },
    Condition { check: CheckId::ServiceDeviceQualifiersOfItsTime, holds: device_words_of_its_time },
    Condition { check: CheckId::ServiceQualifiersKnown, holds: known_qualifiers },
    Condition { check: CheckId::ServiceOnePurpose, holds: one_purpose },
    Condition { check: CheckId::ServiceStatusOfItsTime, holds: super::filters::status_of_its_time },
    Condition { check: CheckId::ServicePurposeOfItsTime, holds: purpose_words_of_its_time },
    Condition { check: CheckId::ServicePurposeAnnounced, holds: purpose_as_announced },
];

/// Returns whether the entry may say that certificates are qualified.
pub(crate) fn qualification(service: &Service) -> bool {
    qualified_or_not(service)
}

/// Returns whether the entry may say what certificates are for.
pub(crate) fn purpose(service: &Service) -> bool {
    legal_or_natural(service)
        && one_purpose(service)
        && purpose_words_of_its_time(service)
        && purpose_as_announced(service)
}

/// Returns whether the entry may say where keys are.
pub(crate) fn device(service: &Service) -> bool {
    device_or_not(service)
        && device_or_as_stated(service)
        && device_words_of_its_time(service)
        && known_critical_qualifiers(service)
}

use ServiceQualifier::*;

const WITH_DEVICE: [ServiceQualifier; 3] = [QcWithSscd, QcWithQscd, QcQscdManagedOnBehalf];
const WITHOUT_DEVICE: [ServiceQualifier; 2] = [QcNoSscd, QcNoQscd];
const DEVICE_AS_STATED: [ServiceQualifier; 2] = [QcSscdStatusAsInCert, QcQscdStatusAsInCert];

/// Returns whether certificates are not declared qualified and not qualified at once.
fn qualified_or_not(service: &Service) -> bool {
    !(service.qualifies(NotQualified) && service.qualifies(QcStatement))
}

/// Returns whether certificates of legal persons are not for electronic signatures.
fn legal_or_natural(service: &Service) -> bool {
    !(service.qualifies(QcForLegalPerson) && service.qualifies(QcForESig))
}

/// Returns whether keys are not declared in a device and in none at once.
fn device_or_not(service: &Service) -> bool {
    !(service.qualifies_any(&WITH_DEVICE) && service.qualifies_any(&WITHOUT_DEVICE))
}

/// Returns whether the device is declared by the list or by the certificate, not by both.
fn device_or_as_stated(service: &Service) -> bool {
    !(service.qualifies_any(&WITH_DEVICE) && service.qualifies_any(&DEVICE_AS_STATED))
}

/// Returns whether the words are of the time: since eIDAS a device is a QSCD, the older words alone say nothing.
fn device_words_of_its_time(service: &Service) -> bool {
    let old = service.qualifies_any(&[QcWithSscd, QcNoSscd, QcSscdStatusAsInCert]);
    let new = service.qualifies_any(&[QcWithQscd, QcNoQscd, QcQscdStatusAsInCert, QcQscdManagedOnBehalf]);
    !service.under_eidas() || new || !old
}

/// Returns whether every qualifier is a word of TS 119 612.
fn known_qualifiers(service: &Service) -> bool {
    service.entry.qualifiers.iter().all(|q| q.uri.parse::<ServiceQualifier>().is_ok())
}

/// Returns whether every qualifier that must be understood is.
///
/// NOTE: TS 119 615 PRO-4.5.4-04 b) makes an unknown critical qualifier an error; the field only warns. A list that
/// says something about devices that nobody here understands does not make a device qualified.
fn known_critical_qualifiers(service: &Service) -> bool {
    let known = |uri: &str| uri.parse::<ServiceQualifier>().is_ok();
    service.entry.qualifiers.iter().all(|q| q.critical != Some(true) || known(&q.uri))
}

/// Returns whether certificates are for one purpose.
fn one_purpose(service: &Service) -> bool {
    kind::BY_QUALIFIER.iter().filter(|(qualifier, _)| service.qualifies(*qualifier)).count() <= 1
}

/// Returns whether the purpose is of the time: seals and website authentication came with eIDAS.
fn purpose_words_of_its_time(service: &Service) -> bool {
    service.under_eidas()
        || !(service.qualifies_any(&[QcForESeal, QcForWsa])
            || service.serves(ServicePurpose::ESeals)
            || service.serves(ServicePurpose::WebSiteAuthentication))
}

/// Returns whether a qualifier's purpose is one that the service announces.
fn purpose_as_announced(service: &Service) -> bool {
    use ServicePurpose::*;
    let announced = [ESignatures, ESeals, WebSiteAuthentication];
    let qualifiers = [QcForESig, QcForESeal, QcForWsa];
    !announced.iter().any(|purpose| service.serves(*purpose))
        || qualifiers
            .iter()
            .zip(announced)
            .all(|(qualifier, purpose)| !service.qualifies(*qualifier) || service.serves(purpose))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{entry, with_service};
    use super::super::vocabulary::ServiceStatus;
    use super::*;
    use ServicePurpose::*;
    use ServiceStatus::*;

    #[test]
    fn the_first_contradiction_is_reported() {
        const BEFORE: &str = "2015-01-01";
        const SINCE: &str = "2016-06-30T22:00:00Z";
        type Row = (
            &'static str,
            &'static str,
            ServiceStatus,
            &'static [ServiceQualifier],
            &'static [ServicePurpose],
            Option<&'static str>,
        );
        let rows: [Row; 14] = [
            ("no qualifier contradicts nothing", SINCE, Granted, &[], &[ESignatures], None),
            ("qualified and not", SINCE, Granted, &[NotQualified, QcStatement], &[], Some("QUAL_TL_SERV_CONS_ANS1")),
            (
                "a legal person's signature",
                SINCE,
                Granted,
                &[QcForLegalPerson, QcForESig],
                &[],
                Some("QUAL_TL_SERV_CONS_ANS2"),
            ),
            ("in a device and in none", SINCE, Granted, &[QcWithQscd, QcNoQscd], &[], Some("QUAL_TL_SERV_CONS_ANS3")),
            (
                "managed on behalf is a device",
                SINCE,
                Granted,
                &[QcQscdManagedOnBehalf, QcNoQscd],
                &[],
                Some("QUAL_TL_SERV_CONS_ANS3"),
            ),
            (
                "by list and by certificate",
                SINCE,
                Granted,
                &[QcWithQscd, QcQscdStatusAsInCert],
                &[],
                Some("QUAL_TL_SERV_CONS_ANS3A"),
            ),
            ("only words of the Directive", SINCE, Granted, &[QcWithSscd], &[], Some("QUAL_TL_SERV_CONS_ANS3B")),
            ("words of both times", SINCE, Granted, &[QcWithSscd, QcWithQscd], &[], None),
            ("words of the Directive in its time", BEFORE, Accredited, &[QcWithSscd], &[], None),
            ("two purposes", SINCE, Granted, &[QcForESig, QcForESeal], &[], Some("QUAL_TL_SERV_CONS_ANS4")),
            ("granted before there was granting", BEFORE, Granted, &[], &[], Some("QUAL_TL_SERV_CONS_ANS5")),
            ("seals before there were seals", BEFORE, Accredited, &[QcForESeal], &[], Some("QUAL_TL_SERV_CONS_ANS6")),
            (
                "a purpose that is not announced",
                SINCE,
                Granted,
                &[QcForESeal],
                &[ESignatures],
                Some("QUAL_TL_SERV_CONS_ANS7"),
            ),
            ("a purpose where none is announced", SINCE, Granted, &[QcForESeal], &[], None),
        ];
        for (situation, since, status, qualifiers, purposes, expected) in rows {
            let found = with_service(&entry(since, status, qualifiers, purposes), |service| {
                CONDITIONS
                    .iter()
                    .find(|condition| !(condition.holds)(service))
                    .map(|condition| condition.check.failure())
            });
            assert_eq!(found, expected, "TS 119 615 §4.4: {situation}");
        }
        let mut unknown = entry(SINCE, Granted, &[], &[]);
        assert!(with_service(&unknown, device), "TS 119 615 §4.5: nothing unknown");
        unknown.qualifiers.push(crate::facts::Qualifier { uri: "http://example.org/Q".into(), critical: None });
        assert!(
            with_service(&unknown, |service| !known_qualifiers(service)),
            "TS 119 612 §5.5.9.2.3: a word not in it"
        );
        assert!(with_service(&unknown, device), "TS 119 615 §4.5: unknown, but not critical");
        unknown.qualifiers[0].critical = Some(true);
        assert!(!with_service(&unknown, device), "TS 119 615 §4.5, PRO-4.5.4-04 b): unknown and critical");
    }
}
