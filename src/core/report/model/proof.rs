//! The sections of a document without signatures: its time-stamps and evidence records.

use super::section::{Section, algorithm, code, covered, issuer, trust};
use super::{LocalizedText, Row, State, checks, qualification, rows, timeline};
use crate::qualification::TimestampQualification;
use crate::report::Report;
use crate::report::messages::{Advice, CommonId, MessageId};
use crate::report::view::{EvidenceRecordView, TimestampView};
use crate::validation::outcome::{Indication, SubIndication};

/// Returns one section for each time-stamp, then one for each evidence record.
pub(super) fn sections(report: &Report) -> Vec<Section> {
    let count = report.facts.timestamps.len();
    let timestamps = report.timestamps().enumerate().map(|(at, t)| timestamp(report, (at + 1, count), t));
    let count = report.facts.evidence_records.len();
    let records = report.evidence_records().enumerate().map(|(at, r)| record(report, (at + 1, count), r));
    timestamps.chain(records).collect()
}

/// Returns what the sections of both kinds have in common.
fn section(
    heading: MessageId,
    (number, count): (usize, usize),
    indication: Indication,
    sub_indication: Option<SubIndication>,
) -> Section {
    let state = State::of(indication);
    let sentence = match state {
        State::Valid => MessageId::ProofValid,
        State::NotValid => MessageId::ProofNotValid,
        State::Undecided | State::Nothing => MessageId::ProofUndecided,
    };
    Section {
        heading: LocalizedText::new(heading).with("n", number).with("count", count),
        state,
        sentence: sentence.into(),
        code: code(indication, sub_indication.map(|sub| sub.as_str())),
        why: sub_indication.map(LocalizedText::new),
        help: sub_indication.map(|sub| LocalizedText::new(Advice(sub))),
        rows: vec![],
        findings: vec![],
        qualification: vec![],
        steps: vec![],
        timeline: timeline::TimeLine::default(),
        checks: vec![],
    }
}

fn timestamp(report: &Report, place: (usize, usize), timestamp: TimestampView<'_>) -> Section {
    let (facts, code) = (timestamp.facts(), timestamp.qualification());
    let maker = timestamp.signer().map_or(CommonId::SignerUnknown.into(), |signer| LocalizedText::from(signer.name()));
    let scopes = facts.scopes.iter().map(|scope| covered(scope, facts.pdf_revision.as_deref()));
    let proves = LocalizedText::new(MessageId::ProvesCount).with("n", facts.covered.len());
    let known = (code != TimestampQualification::Na).then(|| LocalizedText::new(code));
    let found = timestamp.qualified().map(|found| &found.findings);
    let rows = [
        Some(Row::one(MessageId::MadeAt, timestamp.time())),
        Some(Row::one(MessageId::MadeBy, maker)),
        qualification::legally(report, MessageId::Legally, known, found),
        issuer(timestamp.chain()),
        Some(trust(report, timestamp.chain())),
        Some(Row::one(MessageId::Kind, LocalizedText::new(timestamp.kind()))),
        Row::many(MessageId::Covers, scopes),
        Some(Row::one(MessageId::Proves, proves)),
        Row::maybe(MessageId::Algorithm, algorithm(&facts.basic)),
    ];
    Section {
        rows: rows.into_iter().flatten().collect(),
        findings: rows::findings(report, timestamp.id(), &timestamp.verdict().findings),
        qualification: qualification::findings(report, timestamp.id(), found),
        steps: qualification::steps_of_timestamp(report, timestamp),
        timeline: timeline::of_timestamp(report, timestamp),
        checks: checks::of_timestamp(timestamp.verdict()),
        ..section(MessageId::TimestampNumber, place, timestamp.indication(), timestamp.sub_indication())
    }
}

fn record(report: &Report, place: (usize, usize), record: EvidenceRecordView<'_>) -> Section {
    let facts = record.facts();
    let is_proof = record.indication() == Indication::Passed;
    let since = LocalizedText::new(MessageId::ProvesSince).with("time", record.proof_of_existence().time);
    let covers = facts.scopes.iter().map(|scope| covered(scope, None));
    let rows = [
        Some(Row::one(MessageId::Kind, LocalizedText::code(facts.kind.as_str()))),
        is_proof.then(|| Row::one(MessageId::Proves, since)),
        Row::many(MessageId::Covers, covers),
        Row::maybe(MessageId::HeldIn, facts.file.as_deref().map(LocalizedText::from)),
    ];
    Section {
        rows: rows.into_iter().flatten().collect(),
        findings: rows::findings(report, record.id(), &record.verdict().findings),
        timeline: timeline::of_record(report, record),
        checks: vec![checks::check(&record.verdict().result)],
        ..section(MessageId::EvidenceRecordNumber, place, record.indication(), record.sub_indication())
    }
}
