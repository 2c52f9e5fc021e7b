//! What a certificate is at a moment: TS 119 615 §4.4 and §4.5.

use super::codes::CertificateQualification;
use super::consistency::CONDITIONS;
use super::kind::CertificateType;
use super::lists::failed;
use super::service::Service;
use super::{consistency, filters, kind, matrix, qscd, qualified};
use crate::facts::{Certificate, Id, LangText};
use crate::policy::Level;
use crate::time::Time;
use crate::validation::engine::{Ask, Block, BlockKind, Concluded, Steps};

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
    /// The question and failure keys of qualified, type and device at this moment.
    fn keys(self) -> [(&'static str, &'static str); 3] {
        match self {
            Self::Issuance => [
                ("QUAL_QC_AT_CC", "QUAL_QC_AT_CC_ANS"),
                ("QUAL_CERT_TYPE_AT_CC", "QUAL_CERT_TYPE_AT_CC_ANS"),
                ("QUAL_QSCD_AT_CC", "QUAL_QSCD_AT_CC_ANS"),
            ],
            Self::Signing => [
                ("QUAL_QC_AT_ST", "QUAL_QC_AT_ST_ANS"),
                ("QUAL_CERT_TYPE_AT_ST", "QUAL_CERT_TYPE_AT_ST_ANS"),
                ("QUAL_QSCD_AT_ST", "QUAL_QSCD_AT_ST_ANS"),
            ],
            Self::Validation => [
                ("QUAL_QC_AT_VT", "QUAL_QC_AT_VT_ANS"),
                ("QUAL_CERT_TYPE_AT_VT", "QUAL_CERT_TYPE_AT_VT_ANS"),
                ("QUAL_QSCD_AT_VT", "QUAL_QSCD_AT_VT_ANS"),
            ],
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
    /// The checks that led there.
    pub block: Block,
    /// Whether a service spoke of it, or several did and contradict each other.
    pub(crate) spoken: bool,
}

/// What the certificate was at `time`, by the services of acceptable lists.
pub(crate) fn at(certificate: &Certificate, services: &[Service], moment: Moment, time: Time) -> QualificationAt {
    let mut steps = Steps::new(BlockKind::CertificateQualification, Some(&certificate.id));
    let found = match choose(&mut steps, certificate, services, time) {
        Ok(service) => Found { service: Some(service), conflict: false },
        Err(Unchosen::Conflict) => Found { service: None, conflict: true },
        Err(Unchosen::None) => Found { service: None, conflict: false },
    };
    let service = found.service.as_ref();
    if service.is_some() {
        // A failing check has ended the block: there is nothing left to do.
        let _: Result<(), Concluded> = conclude(&mut steps, certificate, service, moment);
    }
    let qualification = if found.conflict { CertificateQualification::Na } else { judge(certificate, service) };
    let spoken = found.conflict || found.service.is_some();
    QualificationAt { certificate: certificate.id.clone(), moment, time, qualification, block: steps.finish(), spoken }
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

/// The one service under which the certificate counts: TS 119 615 §4.4, steps on the trust service entries.
fn choose<'a>(
    steps: &mut Steps,
    certificate: &Certificate,
    services: &[Service<'a>],
    time: Time,
) -> Result<Service<'a>, Unchosen> {
    let fail = Some(Level::Fail);
    let warn = Some(Level::Warn);

    // 1) In force then; under mutual recognition also recognised then.
    let mut left = filters::keep(services, |service| service.active_at(time));
    if left.iter().any(Service::through_mutual_recognition) {
        left = filters::keep(&left, |service| filters::recognised_at(service, time));
        let ask = Ask::new("QUAL_HAS_METS", "QUAL_HAS_METS_ANS").comparing(format!("at {time}"));
        steps.level(fail, ask, !left.is_empty(), failed())?;
        mutual_recognition_of_content(steps, certificate)?;
    } else {
        let ask = Ask::new("QUAL_HAS_ATTIME", "QUAL_HAS_ATTIME_ANS").comparing(format!("at {time}"));
        steps.level(fail, ask, !left.is_empty(), failed())?;
    }

    // 2) Issuing qualified certificates, where there is one such service.
    let issuing = left.iter().any(filters::issues_qualified);
    steps.level(warn, Ask::new("QUAL_HAS_CAQC", "QUAL_HAS_CAQC_ANS"), issuing, failed())?;
    left = filters::prefer(&left, filters::issues_qualified);

    // 3) Issuing what this certificate is for.
    left = filters::keep(&left, |service| filters::may_issue(service, certificate));
    steps.level(fail, Ask::new("QUAL_HAS_TS_CERT_TYPE", "QUAL_HAS_TS_CERT_TYPE_ANS"), !left.is_empty(), failed())?;

    // 4) Entries that contradict themselves are worth a warning.
    for service in &left {
        let broken = CONDITIONS.iter().find(|condition| !(condition.holds)(service));
        let failure = broken.map_or("QUAL_TL_SERV_CONS_ANS0", |condition| condition.failure);
        let ask = Ask::new("QUAL_TL_SERV_CONS", failure).comparing(service.name());
        steps.level(warn, ask, broken.is_none(), failed())?;
    }

    // 5) Entries that contradict each other leave nothing to say.
    if left.len() > 1 {
        let alone = |service: &Service| judge(certificate, acceptable(service).then_some(service));
        let agreed = left.windows(2).all(|pair| alone(&pair[0]) == alone(&pair[1]));
        let conflict = steps.level(fail, Ask::new("QUAL_HAS_CONF", "QUAL_HAS_CONF_ANS"), agreed, failed());
        conflict.map_err(|Concluded| Unchosen::Conflict)?;
    }

    // 6) Granted, where there is one such service; statuses of another time do not count.
    left = filters::keep(&left, filters::status_of_its_time);
    let failure = if left.is_empty() { "QUAL_HAS_GRANTED_ANS_2" } else { "QUAL_HAS_GRANTED_ANS" };
    let granted = left.iter().any(Service::granted);
    steps.level(warn, Ask::new("QUAL_HAS_GRANTED", failure), granted, failed())?;
    left = filters::prefer(&left, Service::granted);

    // 7) The one that remains; several that say the same count as one.
    if left.len() > 1 {
        let agreed =
            left.windows(2).all(|pair| judge(certificate, Some(&pair[0])) == judge(certificate, Some(&pair[1])));
        steps.level(fail, Ask::new("QUAL_HAS_ONLY_ONE", "QUAL_HAS_ONLY_ONE_ANS"), agreed, failed())?;
    }
    let chosen = left.first().copied();
    if let Some(service) = &chosen {
        trusted_certificate_matches(steps, service)?;
    }

    // 8) It issues qualified certificates and is granted.
    let chosen = chosen.filter(acceptable);
    steps.level(fail, Ask::new("QUAL_HAS_VALID_CAQC", "QUAL_HAS_VALID_CAQC_ANS"), chosen.is_some(), failed())?;
    chosen.ok_or(Unchosen::None)
}

/// Whether a service makes the certificates it issues qualified ones.
fn acceptable(service: &Service) -> bool {
    filters::issues_qualified(service) && filters::status_of_its_time(service) && service.granted()
}

/// Whether mutual recognition found the certificate's own statements equivalent: TS 119 615 annex on third countries.
fn mutual_recognition_of_content(steps: &mut Steps, certificate: &Certificate) -> Result<(), Concluded> {
    let statements = certificate.extensions.qc_statements.as_ref();
    let translated = statements.is_some_and(|qc| qc.enacted_mra == Some(true));
    let whole = statements.and_then(|qc| qc.mra.as_ref()).is_some_and(|m| m.equivalences.iter().all(|e| e.enacted));
    let failure = if translated { "QUAL_HAS_METS_HCCECBA_ANS_2" } else { "QUAL_HAS_METS_HCCECBA_ANS_1" };
    steps.level(Some(Level::Warn), Ask::new("QUAL_HAS_METS_HCCECBA", failure), translated && whole, failed())
}

/// Whether the organisation in the service's certificate is the listed provider, or the service is named for it.
fn trusted_certificate_matches(steps: &mut Steps, service: &Service) -> Result<(), Concluded> {
    let organization = service.identity.and_then(|identity| identity.attributes.organization.as_deref());
    let mut provider = service.provider.names.iter().chain(&service.provider.trade_names);
    let (matches, failure) = match organization {
        None => (false, "QUAL_IS_TRUST_CERT_MATCH_SERVICE_ANS1"),
        Some(organization) => {
            let named_for = |n: &LangText| n.text.to_lowercase() == organization.to_lowercase();
            let matches = provider.any(|n| n.text.contains(organization)) || service.entry.names.iter().any(named_for);
            (matches, "QUAL_IS_TRUST_CERT_MATCH_SERVICE_ANS2")
        }
    };
    let ask = Ask::new("QUAL_IS_TRUST_CERT_MATCH_SERVICE", failure)
        .comparing(format!("organisation {}", organization.unwrap_or("none")));
    steps.level(Some(Level::Warn), ask, matches, failed())
}

/// Qualified, what for, in a qualified device: the checks about the service chosen.
fn conclude(
    steps: &mut Steps,
    certificate: &Certificate,
    service: Option<&Service>,
    moment: Moment,
) -> Result<(), Concluded> {
    let fail = Some(Level::Fail);
    let warn = Some(Level::Warn);
    let [by_qualification, by_type, by_device] = moment.keys();
    let answer = Answer::new(certificate, service);

    let ask = Ask::new("QUAL_HAS_CONSISTENT_BY_QC", "QUAL_HAS_CONSISTENT_BY_QC_ANS");
    steps.level(fail, ask, answer.spoken_on_qualification.is_some(), failed())?;
    steps.level(warn, Ask::new(by_qualification.0, by_qualification.1), answer.qualified, failed())?;

    let ask = Ask::new("QUAL_HAS_CERT_TYPE_COVERAGE", "QUAL_HAS_CERT_TYPE_COVERAGE_ANS");
    steps.level(fail, ask, answer.spoken_on_type.is_some(), failed())?;
    let ask = Ask::new(by_type.0, by_type.1).comparing(answer.kind.as_str());
    steps.level(warn, ask, answer.kind != CertificateType::Unknown, failed())?;

    let ask = Ask::new("QUAL_HAS_CONSISTENT_BY_QSCD", "QUAL_HAS_CONSISTENT_BY_QSCD_ANS");
    steps.level(fail, ask, answer.spoken_on_device.is_some(), failed())?;
    steps.level(warn, Ask::new(by_device.0, by_device.1), answer.device, failed())
}

/// What the certificate is under that service.
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
