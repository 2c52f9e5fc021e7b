//! The time-stamps and evidence records of a signature: who made them, when, what they cover, and why one does not count.

use super::{LocalizedText, Row, State, revocation_status, section};
use crate::facts::{CertificateStatus, Id};
use crate::report::messages::MessageId;
use crate::report::view::{CertificateView, EvidenceRecordView, SignatureView, TimestampView};
use crate::report::{Report, subject};
use crate::validation::Findings;
use crate::validation::outcome::{Indication, SubIndication};

/// The number of errors that are given as reasons. The findings have all of them.
const REASONS: usize = 2;

/// Returns the row on each time-stamp of a signature.
pub(super) fn timestamps(report: &Report, signature: SignatureView<'_>) -> Option<Row> {
    let lines = signature.timestamps().flat_map(|timestamp| of_timestamp(report, timestamp));
    Row::all(MessageId::Timestamps, lines)
}

/// Returns the row on each evidence record that covers a signature.
pub(super) fn evidence_records(report: &Report, signature: SignatureView<'_>) -> Option<Row> {
    let covers =
        |record: &EvidenceRecordView<'_>| record.facts().covered.iter().any(|found| &found.id == signature.id());
    let lines = report.evidence_records().filter(covers).flat_map(|record| of_record(report, record));
    Row::all(MessageId::EvidenceRecords, lines)
}

fn of_timestamp(report: &Report, timestamp: TimestampView<'_>) -> impl Iterator<Item = LocalizedText> {
    let maker: LocalizedText =
        timestamp.signer().map_or_else(|| MessageId::SignerUnknown.into(), |signer| signer.name().into());
    let (indication, sub_indication) = (timestamp.indication(), timestamp.sub_indication());
    let line = LocalizedText::new(MessageId::TimestampLine)
        .with("subject", subject::of_token(report, timestamp.id()))
        .with("time", timestamp.time())
        .with("maker", maker)
        .with("kind", LocalizedText::new(timestamp.kind()))
        .with("n", timestamp.facts().covered.len())
        .with("verdict", verdict(indication, sub_indication));
    let reasons = reasons(report, timestamp.id(), sub_indication, &timestamp.verdict().findings);
    let certificate = timestamp.signer().filter(|_| sub_indication.is_some()).map(of_certificate);
    std::iter::once(line).chain(reasons).chain(certificate.into_iter().flatten())
}

/// Returns the validity period of a certificate, and its revocation status where it is revoked.
fn of_certificate(certificate: CertificateView<'_>) -> impl Iterator<Item = LocalizedText> {
    let of = |status| LocalizedText::new(MessageId::StatusOf).with("name", certificate.name()).with("status", status);
    let is_revoked = certificate.revocation().is_some_and(|(_, said)| said.status == CertificateStatus::Revoked);
    let revoked = is_revoked.then(|| of(revocation_status(certificate, None)));
    let period = LocalizedText::new(MessageId::ValidityIs).with("period", section::period(certificate));
    std::iter::once(of(period)).chain(revoked)
}

fn of_record(report: &Report, record: EvidenceRecordView<'_>) -> impl Iterator<Item = LocalizedText> {
    let (indication, sub_indication) = (record.indication(), record.sub_indication());
    let line = LocalizedText::new(MessageId::EvidenceRecordLine)
        .with("subject", subject::of_token(report, record.id()))
        .with("time", record.proof_of_existence().time)
        .with("n", record.facts().covered.len())
        .with("verdict", verdict(indication, sub_indication));
    std::iter::once(line).chain(reasons(report, record.id(), sub_indication, &record.verdict().findings))
}

/// Describes a verdict: in a word, and in ETSI's words.
fn verdict(indication: Indication, sub_indication: Option<SubIndication>) -> LocalizedText {
    let code = section::code(indication, sub_indication.map(|sub| sub.as_str()));
    LocalizedText::new(MessageId::VerdictIs)
        .with("verdict", LocalizedText::new(State::of(indication).word()))
        .with("code", LocalizedText::code(code))
}

/// Returns why a token is not valid: what its sub-indication means, and its first errors.
fn reasons(
    report: &Report,
    owner: &Id,
    sub_indication: Option<SubIndication>,
    findings: &Findings,
) -> impl Iterator<Item = LocalizedText> {
    let errors = findings.errors.iter().take(REASONS).map(|message| {
        let about = subject::of_message(report, message, owner);
        let sentence = LocalizedText::sentence(message.key());
        match &message.compared {
            Some(values) => LocalizedText::new(MessageId::FindingWith).with("values", &**values),
            None => LocalizedText::new(MessageId::FindingLine),
        }
        .with("subject", about)
        .with("finding", sentence)
    });
    let errors: Vec<_> = sub_indication.is_some().then_some(errors).into_iter().flatten().collect();
    sub_indication.map(LocalizedText::new).into_iter().chain(errors)
}
