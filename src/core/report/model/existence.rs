//! The time-stamps and evidence records of a signature: who made them, when, what they cover, and why one does not count.

use super::{LocalizedText, Row, State, revocation_status, section};
use crate::facts::{CertificateStatus, Id};
use crate::report::messages::{CommonId, MessageId};
use crate::report::view::{CertificateView, EvidenceRecordView, SignatureView, TimestampView};
use crate::report::{Report, subject};
use crate::validation::Findings;
use crate::validation::outcome::{Indication, SubIndication};

/// The number of tokens of one signature that have lines.
const TOKENS: usize = 40;

/// The number of errors that are given as reasons. The findings have all of them.
const REASONS: usize = 2;

/// Returns the row on the time-stamps of a signature.
pub(super) fn timestamps(report: &Report, signature: SignatureView<'_>) -> Option<Row> {
    let lines = |timestamp| of_timestamp(report, timestamp).collect();
    row(MessageId::Timestamps, signature.timestamps(), lines)
}

/// Returns the row on the evidence records that cover a signature.
pub(super) fn evidence_records(report: &Report, signature: SignatureView<'_>) -> Option<Row> {
    let lines = |record| of_record(report, record).collect();
    row(MessageId::EvidenceRecords, signature.evidence_records(), lines)
}

/// Makes a row of the lines on the first tokens, and the number of the others: in a container each time-stamp may belong to
/// each signature.
fn row<T>(label: MessageId, tokens: impl Iterator<Item = T>, lines: impl Fn(T) -> Vec<LocalizedText>) -> Option<Row> {
    let mut tokens = tokens;
    let shown: Vec<LocalizedText> = tokens.by_ref().take(TOKENS).flat_map(lines).collect();
    let others = Some(tokens.count()).filter(|others| *others > 0);
    let others = others.map(|others| LocalizedText::new(MessageId::More).with("n", others));
    Row::all(label, shown.into_iter().chain(others))
}

fn of_timestamp(report: &Report, timestamp: TimestampView<'_>) -> impl Iterator<Item = LocalizedText> {
    let maker: LocalizedText =
        timestamp.signer().map_or_else(|| CommonId::SignerUnknown.into(), |signer| signer.name().into());
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
    // What did not pass proves nothing.
    let line = match indication {
        Indication::Passed => {
            LocalizedText::new(MessageId::EvidenceRecordLine).with("time", record.proof_of_existence().time)
        }
        _ => LocalizedText::new(MessageId::EvidenceRecordWithoutProof),
    };
    let line = line
        .with("subject", subject::of_token(report, record.id()))
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
