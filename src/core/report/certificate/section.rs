//! The report for people on a certificate.

use super::super::messages::{Advice, MessageId};
use super::super::model::{self, LocalizedText, Row, Section, State};
use super::super::view::CertificateView;
use super::CertificateReport;
use crate::qualification::{CertificateQualification, QwacProfile};
use crate::validation::Findings;

/// Returns the section on the certificate.
pub(super) fn of(report: &CertificateReport) -> Section {
    let state = State::of(report.indication());
    let sentence = match state {
        State::Valid => MessageId::CertificateGood,
        State::NotValid => MessageId::CertificateBad,
        State::Undecided | State::Nothing => MessageId::CertificateUndecided,
    };
    let sub_indication = report.sub_indication();
    let qualified = report.qualified.as_ref().map(|found| &found.findings);
    let holder = report.report.name_or_id(report.id());
    Section {
        heading: LocalizedText::new(MessageId::CertificateOf).with("name", holder),
        state,
        sentence: sentence.into(),
        code: model::code(report.indication(), sub_indication.map(|sub| sub.as_str())),
        why: sub_indication.map(LocalizedText::new),
        help: sub_indication
            .map(|sub| LocalizedText::new(Advice(sub)))
            .or_else(|| model::advice(&report.report, qualified)),
        rows: report.certificate().map_or_else(Vec::new, |certificate| rows(report, certificate)),
        findings: findings(report),
        qualification: model::qualification_findings(&report.report, report.id(), qualified),
        steps: vec![],
        timeline: model::TimeLine::default(),
        checks: vec![],
    }
}

/// Returns the findings on the certificate, and on the connection where it is not one of a qualified website certificate.
fn findings(report: &CertificateReport) -> Vec<model::Finding> {
    let mut found = model::findings(&report.report, report.id(), &report.verdict.findings);
    if let Some(connection) = report.connection().filter(|connection| connection.profile == QwacProfile::None) {
        let blocks = std::iter::once(&connection.one).chain(&connection.two);
        let errors = blocks.flat_map(|block| block.conclusion.errors.iter().cloned()).collect();
        found.extend(model::findings(&report.report, report.id(), &Findings { errors, ..Findings::default() }));
    }
    found
}

/// Turns each piece of missing validation data into a sentence.
pub(super) fn wishes(report: &CertificateReport) -> Vec<LocalizedText> {
    model::wishes(&report.report, &report.wanted())
}

fn rows(report: &CertificateReport, certificate: CertificateView<'_>) -> Vec<Row> {
    let at_issuance = report.qualification_at_issuance();
    let at_time = report.qualification_at_time();
    let listed = at_issuance != CertificateQualification::Na || at_time != CertificateQualification::Na;
    let qualified = report.qualified.as_ref().map(|found| &found.findings);
    [
        model::identifier(certificate),
        model::organization(certificate),
        model::issuer(report.chain()),
        Some(Row::one(MessageId::SerialNumber, certificate.serial())),
        Some(Row::one(MessageId::ValidFromTo, model::period(certificate))),
        Some(Row::one(MessageId::Revocation, model::revocation_status(certificate, None))),
        Some(model::trust(&report.report, report.chain())),
        listed.then(|| Row::one(MessageId::LegallyAtIssuance, LocalizedText::new(at_issuance))),
        model::legally(
            &report.report,
            MessageId::LegallyAtTime,
            listed.then(|| LocalizedText::new(at_time)),
            qualified,
        )
        .or_else(|| Some(Row::one(MessageId::LegallyAtTime, LocalizedText::new(at_time)))),
        report.connection().map(|connection| Row::one(MessageId::ForWebsite, connection.profile.as_str())),
    ]
    .into_iter()
    .flatten()
    .collect()
}
