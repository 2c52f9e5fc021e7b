//! Whether an entry of a trusted list contradicts itself: TS 119 615 §4.3, annex on inconsistent entries.

use super::kind;
use super::service::Service;
use super::vocabulary::{ServicePurpose, ServiceQualifier};

/// A condition that an entry meets, and the failure key of one that does not.
pub(crate) struct Condition {
    pub(crate) failure: &'static str,
    pub(crate) holds: fn(&Service) -> bool,
}

/// All conditions, in the order in which the first broken one is reported.
pub(crate) const CONDITIONS: [Condition; 10] = [
    Condition { failure: "QUAL_TL_SERV_CONS_ANS1", holds: qualified_or_not },
    Condition { failure: "QUAL_TL_SERV_CONS_ANS2", holds: legal_or_natural },
    Condition { failure: "QUAL_TL_SERV_CONS_ANS3", holds: device_or_not },
    Condition { failure: "QUAL_TL_SERV_CONS_ANS3A", holds: device_or_as_stated },
    Condition { failure: "QUAL_TL_SERV_CONS_ANS3B", holds: device_words_of_its_time },
    Condition { failure: "QUAL_TL_SERV_CONS_ANS3C", holds: known_qualifiers },
    Condition { failure: "QUAL_TL_SERV_CONS_ANS4", holds: one_purpose },
    Condition { failure: "QUAL_TL_SERV_CONS_ANS5", holds: super::filters::status_of_its_time },
    Condition { failure: "QUAL_TL_SERV_CONS_ANS6", holds: purpose_words_of_its_time },
    Condition { failure: "QUAL_TL_SERV_CONS_ANS7", holds: purpose_as_announced },
];

/// Whether the entry may say that certificates are qualified.
pub(crate) fn qualification(service: &Service) -> bool {
    qualified_or_not(service)
}

/// Whether the entry may say what certificates are for.
pub(crate) fn purpose(service: &Service) -> bool {
    legal_or_natural(service)
        && one_purpose(service)
        && purpose_words_of_its_time(service)
        && purpose_as_announced(service)
}

/// Whether the entry may say where keys are.
pub(crate) fn device(service: &Service) -> bool {
    device_or_not(service) && device_or_as_stated(service) && device_words_of_its_time(service)
}

use ServiceQualifier::*;

const WITH_DEVICE: [ServiceQualifier; 3] = [QcWithSscd, QcWithQscd, QcQscdManagedOnBehalf];
const WITHOUT_DEVICE: [ServiceQualifier; 2] = [QcNoSscd, QcNoQscd];
const DEVICE_AS_STATED: [ServiceQualifier; 2] = [QcSscdStatusAsInCert, QcQscdStatusAsInCert];

/// Certificates are not declared qualified and not qualified at once.
fn qualified_or_not(service: &Service) -> bool {
    !(service.qualifies(NotQualified) && service.qualifies(QcStatement))
}

/// Certificates of legal persons are not for electronic signatures.
fn legal_or_natural(service: &Service) -> bool {
    !(service.qualifies(QcForLegalPerson) && service.qualifies(QcForESig))
}

/// Keys are not in a device and in none at once.
fn device_or_not(service: &Service) -> bool {
    !(service.qualifies_any(&WITH_DEVICE) && service.qualifies_any(&WITHOUT_DEVICE))
}

/// The device is declared by the list or by the certificate, not by both.
fn device_or_as_stated(service: &Service) -> bool {
    !(service.qualifies_any(&WITH_DEVICE) && service.qualifies_any(&DEVICE_AS_STATED))
}

/// Since eIDAS a device is a QSCD: the older words alone say nothing.
fn device_words_of_its_time(service: &Service) -> bool {
    let old = service.qualifies_any(&[QcWithSscd, QcNoSscd, QcSscdStatusAsInCert]);
    let new = service.qualifies_any(&[QcWithQscd, QcNoQscd, QcQscdStatusAsInCert, QcQscdManagedOnBehalf]);
    !service.under_eidas() || new || !old
}

/// Every qualifier is a word of TS 119 612.
fn known_qualifiers(service: &Service) -> bool {
    service.entry.qualifiers.iter().all(|q| q.uri.parse::<ServiceQualifier>().is_ok())
}

/// A certificate is for one purpose.
fn one_purpose(service: &Service) -> bool {
    kind::BY_QUALIFIER.iter().filter(|(qualifier, _)| service.qualifies(*qualifier)).count() <= 1
}

/// Seals and website authentication came with eIDAS.
fn purpose_words_of_its_time(service: &Service) -> bool {
    service.under_eidas()
        || !(service.qualifies_any(&[QcForESeal, QcForWsa])
            || service.serves(ServicePurpose::ForESeals)
            || service.serves(ServicePurpose::ForWebSiteAuthentication))
}

/// A qualifier's purpose is one that the service announces.
fn purpose_as_announced(service: &Service) -> bool {
    use ServicePurpose::*;
    let announced = [ForESignatures, ForESeals, ForWebSiteAuthentication];
    let qualifiers = [QcForESig, QcForESeal, QcForWsa];
    !announced.iter().any(|purpose| service.serves(*purpose))
        || qualifiers
            .iter()
            .zip(announced)
            .all(|(qualifier, purpose)| !service.qualifies(*qualifier) || service.serves(purpose))
}
