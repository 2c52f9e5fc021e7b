//! What a report for people says of a certificate.

use super::super::messages::{Advice, Phrase};
use super::super::model::{self, Known, Row, Saying, Section, State};
use super::CertificateReport;
use crate::facts::{Certificate, CertificateRevocation, CertificateStatus};
use crate::qualification::{CertificateQualification, QwacProfile};
use crate::validation::Findings;

/// The section on the certificate.
pub(super) fn of(report: &CertificateReport) -> Section {
    let known = Known::new(&report.report);
    let state = State::of(report.indication());
    let sentence = match state {
        State::Valid => Phrase::CertificateGood,
        State::NotValid => Phrase::CertificateBad,
        State::Undecided | State::Nothing => Phrase::CertificateUndecided,
    };
    let sub_indication = report.sub_indication();
    let certificate = report.certificate();
    let holder = certificate.map_or(report.id().as_str(), model::name);
    Section {
        heading: Saying::text(Phrase::CertificateOf).with("name", holder),
        state,
        sentence: sentence.into(),
        code: model::code(report.indication(), sub_indication.map(|sub| sub.as_str())),
        why: sub_indication.map(Saying::text),
        help: sub_indication.map(|sub| Saying::text(Advice(sub))),
        rows: certificate.map_or_else(Vec::new, |certificate| rows(report, &known, certificate)),
        findings: findings(report),
        timeline: model::TimeLine::default(),
        checks: vec![],
    }
}

/// What was found of the certificate, and of the connection where it is not one of a qualified website certificate.
fn findings(report: &CertificateReport) -> Vec<model::Finding> {
    let mut found = model::findings(&report.verdict.findings);
    if let Some(connection) = report.connection().filter(|connection| connection.profile == QwacProfile::None) {
        let blocks = std::iter::once(&connection.one).chain(&connection.two);
        let errors = blocks.flat_map(|block| block.conclusion.errors.iter().cloned()).collect();
        found.extend(model::findings(&Findings { errors, ..Findings::default() }));
    }
    found
}

/// Each piece of evidence that could change the verdict, as a wish.
pub(super) fn wishes(report: &CertificateReport) -> Vec<Saying> {
    model::wishes(&Known::new(&report.report), &report.wanted())
}

fn rows(report: &CertificateReport, known: &Known<'_>, certificate: &Certificate) -> Vec<Row> {
    let period = Saying::text(Phrase::FromTo).with("from", certificate.not_before).with("to", certificate.not_after);
    let chain: Vec<_> = std::iter::once(certificate.id.clone()).chain(certificate.chain.iter().cloned()).collect();
    let at_issuance = report.qualification_at_issuance();
    let at_time = report.qualification_at_time();
    let listed = at_issuance != CertificateQualification::Na || at_time != CertificateQualification::Na;
    let organization = certificate.attributes.organization.as_deref().map(Saying::from);
    [
        Row::maybe(Phrase::For, organization),
        model::issuer(known, &chain),
        Some(Row::one(Phrase::SerialNumber, &*certificate.serial)),
        Some(Row::one(Phrase::ValidFromTo, period)),
        Some(Row::one(Phrase::Revocation, revocation(certificate))),
        Some(model::trust(known, &chain)),
        listed.then(|| Row::one(Phrase::LegallyAtIssuance, Saying::text(at_issuance))),
        Some(Row::one(Phrase::LegallyAtTime, Saying::text(at_time))),
        report.connection().map(|connection| Row::one(Phrase::ForWebsite, connection.profile.as_str())),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What revocation data says of the certificate: that it is revoked, before anything else.
fn revocation(certificate: &Certificate) -> Saying {
    let rank = |said: &&CertificateRevocation| match said.status {
        CertificateStatus::Revoked => 2,
        CertificateStatus::Good => 1,
        CertificateStatus::Unknown => 0,
    };
    match certificate.revocations.iter().max_by_key(rank) {
        None => Phrase::StatusNotKnown.into(),
        Some(said) => model::status(said),
    }
}
