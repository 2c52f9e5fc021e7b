//! What a certificate is at a moment: TS 119 615 §4.4 and §4.5.

use super::codes::CertificateQualification;
use super::consistency::CONDITIONS;
use super::kind::CertificateType;
use super::lists::failed;
use super::service::{ListedService, Service};
use super::{consistency, filters, kind, matrix, qscd, qualified};
use crate::facts::{Certificate, Id, LangText};
use crate::policy::Level;
use crate::time::Time;
use crate::validation::check_id::CheckId;
use crate::validation::engine::{Block, BlockBuilder, BlockKind, Concluded};

/// For which moment a certificate is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// When it was issued: its notBefore.
    Issuance,
    /// When the signature was made: the best-signature-time.
    Signing,
    /// When it is judged.
    Validation,
}

impl Moment {
    /// Returns the checks of qualified, type and device at this moment.
    fn checks(self) -> [CheckId; 3] {
        match self {
            Self::Issuance => [CheckId::QualifiedAtIssuance, CheckId::TypeKnownAtIssuance, CheckId::InDeviceAtIssuance],
            Self::Signing => [CheckId::QualifiedAtSigning, CheckId::TypeKnownAtSigning, CheckId::InDeviceAtSigning],
            Self::Validation => {
                [CheckId::QualifiedAtValidation, CheckId::TypeKnownAtValidation, CheckId::InDeviceAtValidation]
            }
        }
    }
}

/// A certificate's qualification at a moment.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct QualificationAt {
    /// Which certificate.
    pub certificate: Id,
    /// Which moment.
    pub moment: Moment,
    /// When that was.
    pub time: Time,
    /// What the certificate was.
    pub qualification: CertificateQualification,
    /// The status period that decided, also where it does not make the certificate qualified; `None` where none did.
    pub service: Option<ListedService>,
    /// The checks that led there.
    pub block: Block,
    /// Whether a service spoke of it, or several did and contradict each other.
    pub(crate) spoken: bool,
}

/// Judges what the certificate was at `time`, by the services of acceptable lists.
pub(crate) fn at(certificate: &Certificate, services: &[Service], moment: Moment, time: Time) -> QualificationAt {
    let mut block = BlockBuilder::new(BlockKind::CertificateQualification, &certificate.id);
    let mut decided = None;
    let found = match choose(&mut block, certificate, services, time, &mut decided) {
        Ok(service) => Found { service: Some(service), conflict: false },
        Err(Unchosen::Conflict) => Found { service: None, conflict: true },
        Err(Unchosen::None) => Found { service: None, conflict: false },
    };
    let service = found.service.as_ref();
    if service.is_some() {
        // A failing check has ended the block: there is nothing left to do.
        let _: Result<(), Concluded> = conclude(&mut block, certificate, service, moment);
    }
    let qualification = if found.conflict { CertificateQualification::Na } else { judge(certificate, service) };
    let spoken = found.conflict || found.service.is_some();
    QualificationAt {
        certificate: certificate.id.clone(),
        moment,
        time,
        qualification,
        service: decided,
        block: block.finish(),
        spoken,
    }
}

/// The service that may speak, and whether several contradict each other.
struct Found<'a> {
    service: Option<Service<'a>>,
    conflict: bool,
}

/// Why no service may speak.
enum Unchosen {
    None,
    Conflict,
}

impl From<Concluded> for Unchosen {
    fn from(_: Concluded) -> Self {
        Self::None
    }
}

/// Returns the one service under which the certificate counts: TS 119 615 §4.4, steps on the trust service entries.
/// The period that is left at the end is `decided`, whether it counts or not.
fn choose<'a>(
    block: &mut BlockBuilder,
    certificate: &Certificate,
    services: &[Service<'a>],
    time: Time,
    decided: &mut Option<ListedService>,
) -> Result<Service<'a>, Unchosen> {
    let fail = Some(Level::Fail);
    let warn = Some(Level::Warn);

    // 1) In force then; under mutual recognition also recognised then.
    let mut left = filters::keep(services, |service| service.active_at(time));
    if left.iter().any(Service::through_mutual_recognition) {
        left = filters::keep(&left, |service| filters::recognised_at(service, time));
        let question = CheckId::ServiceRecognised.comparing(format!("at {time}"));
        block.check_at(fail, question, !left.is_empty(), failed())?;
        mutual_recognition_of_content(block, certificate)?;
    } else {
        let question = CheckId::ServiceAtTime.comparing(format!("at {time}"));
        block.check_at(fail, question, !left.is_empty(), failed())?;
    }

    // 2) Issuing qualified certificates, where there is one such service.
    let issuing = left.iter().any(filters::issues_qualified);
    block.check_at(warn, CheckId::ServiceIssuesQualified, issuing, failed())?;
    left = filters::prefer(&left, filters::issues_qualified);

    // 3) Issuing what this certificate is for.
    left = filters::keep(&left, |service| filters::may_issue(service, certificate));
    block.check_at(fail, CheckId::ServiceForType, !left.is_empty(), failed())?;

    // 4) Entries that contradict themselves are worth a warning.
    for service in &left {
        let broken = CONDITIONS.iter().find(|condition| !(condition.holds)(service));
        let check = broken.map_or(CheckId::ServiceConsistent, |condition| condition.check);
        let question = check.comparing(service.name());
        block.check_at(warn, question, broken.is_none(), failed())?;
    }

    // 5) Entries that contradict each other leave nothing to say.
    if left.len() > 1 {
        let alone = |service: &Service| judge(certificate, acceptable(service).then_some(service));
        let agreed = left.windows(2).all(|pair| alone(&pair[0]) == alone(&pair[1]));
        let conflict = block.check_at(fail, CheckId::ServicesAgree, agreed, failed());
        conflict.map_err(|Concluded| Unchosen::Conflict)?;
    }

    // 6) Granted, where there is one such service; statuses of another time do not count.
    left = filters::keep(&left, filters::status_of_its_time);
    let check = if left.is_empty() { CheckId::SomeServiceStatusOfItsTime } else { CheckId::ServiceGranted };
    let granted = left.iter().any(Service::granted);
    block.check_at(warn, check, granted, failed())?;
    left = filters::prefer(&left, Service::granted);

    // 7) The one that remains; several that say the same count as one.
    if left.len() > 1 {
        let agreed =
            left.windows(2).all(|pair| judge(certificate, Some(&pair[0])) == judge(certificate, Some(&pair[1])));
        block.check_at(fail, CheckId::OneService, agreed, failed())?;
    }
    let chosen = left.first().copied();
    *decided = chosen.map(|service| service.place);
    if let Some(service) = &chosen {
        trusted_certificate_matches(block, service)?;
    }

    // 8) It issues qualified certificates and is granted.
    let chosen = chosen.filter(acceptable);
    block.check_at(fail, CheckId::QualifiedServiceFound, chosen.is_some(), failed())?;
    chosen.ok_or(Unchosen::None)
}

/// Returns whether a service makes the certificates it issues qualified ones.
fn acceptable(service: &Service) -> bool {
    filters::issues_qualified(service) && filters::status_of_its_time(service) && service.granted()
}

/// Checks whether mutual recognition found the certificate's own statements equivalent: TS 119 615 annex on third
/// countries.
fn mutual_recognition_of_content(block: &mut BlockBuilder, certificate: &Certificate) -> Result<(), Concluded> {
    let statements = certificate.extensions.qc_statements.as_ref();
    let translated = statements.is_some_and(|qc| qc.enacted_mra == Some(true));
    let whole = statements.and_then(|qc| qc.mra.as_ref()).is_some_and(|m| m.equivalences.iter().all(|e| e.enacted));
    let check = if translated { CheckId::EquivalenceComplete } else { CheckId::EquivalenceApplied };
    block.check_at(Level::Warn, check, translated && whole, failed())
}

/// Checks whether the organisation in the service's certificate is the listed provider, or the service is named for it.
fn trusted_certificate_matches(block: &mut BlockBuilder, service: &Service) -> Result<(), Concluded> {
    let organization = service.identity.and_then(|identity| identity.attributes.organization.as_deref());
    let mut provider = service.provider.names.iter().chain(&service.provider.trade_names);
    let (matches, check) = match organization {
        None => (false, CheckId::ServiceCertificateNamesOrganization),
        Some(organization) => {
            let named_for = |n: &LangText| n.text.to_lowercase() == organization.to_lowercase();
            let matches = provider.any(|n| n.text.contains(organization)) || service.entry.names.iter().any(named_for);
            (matches, CheckId::ServiceCertificateMatchesProvider)
        }
    };
    let question = check.comparing(format!("organisation {}", organization.unwrap_or("none")));
    block.check_at(Level::Warn, question, matches, failed())
}

/// Checks what the chosen service makes of the certificate: qualified, of a type, with its key in a qualified device.
fn conclude(
    block: &mut BlockBuilder,
    certificate: &Certificate,
    service: Option<&Service>,
    moment: Moment,
) -> Result<(), Concluded> {
    let fail = Some(Level::Fail);
    let warn = Some(Level::Warn);
    let [by_qualification, by_type, by_device] = moment.checks();
    let answer = Answer::new(certificate, service);

    let question = CheckId::ServiceConsistentOnQualification;
    block.check_at(fail, question, answer.spoken_on_qualification.is_some(), failed())?;
    block.check_at(warn, by_qualification, answer.qualified, failed())?;

    let question = CheckId::ServiceConsistentOnType;
    block.check_at(fail, question, answer.spoken_on_type.is_some(), failed())?;
    let question = by_type.comparing(answer.kind.as_str());
    block.check_at(warn, question, answer.kind != CertificateType::Unknown, failed())?;

    let question = CheckId::ServiceConsistentOnDevice;
    block.check_at(fail, question, answer.spoken_on_device.is_some(), failed())?;
    block.check_at(warn, by_device, answer.device, failed())
}

/// Returns what the certificate is under that service.
fn judge(certificate: &Certificate, service: Option<&Service>) -> CertificateQualification {
    let answer = Answer::new(certificate, service);
    matrix::certificate(answer.qualified, answer.kind, answer.device)
}

/// The three answers, and the service that may give each.
struct Answer<'s, 'a> {
    spoken_on_qualification: Option<&'s Service<'a>>,
    spoken_on_type: Option<&'s Service<'a>>,
    spoken_on_device: Option<&'s Service<'a>>,
    qualified: bool,
    kind: CertificateType,
    device: bool,
}

impl<'s, 'a> Answer<'s, 'a> {
    fn new(certificate: &Certificate, service: Option<&'s Service<'a>>) -> Self {
        let spoken_on_qualification = service.filter(|s| consistency::qualification(s));
        let spoken_on_type = service.filter(|s| consistency::purpose(s));
        let spoken_on_device = service.filter(|s| consistency::device(s));
        let qualified = spoken_on_qualification.is_some_and(|s| qualified::qualified(certificate, s));
        let kind = match spoken_on_type {
            _ if !qualified => kind::stated(certificate),
            Some(service) => kind::qualified(certificate, service),
            None => CertificateType::Unknown,
        };
        let device = qualified && spoken_on_device.is_some_and(|s| qscd::qualified(certificate, s));
        Self { spoken_on_qualification, spoken_on_type, spoken_on_device, qualified, kind, device }
    }
}
