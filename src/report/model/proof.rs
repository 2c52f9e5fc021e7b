//! The sections of a document without signatures: its time-stamps and evidence records.

use super::known::{Known, name};
use super::section::{Section, algorithm, code, covered, issuer, trust};
use super::{Row, Saying, State, checks, rows, timeline};
use crate::facts::{EvidenceRecord, Timestamp};
use crate::qualification::TimestampQualification;
use crate::report::messages::{Advice, Phrase};
use crate::validation::engine::Conclusion;
use crate::validation::{EvidenceRecordVerdict, TimestampVerdict};

/// A section each evidence record, and each time-stamp that is in none.
pub(super) fn sections(known: &Known<'_>) -> Vec<Section> {
    let (facts, verdicts) = (&known.report.facts, &known.report.verdicts);
    let count = facts.timestamps.len();
    let timestamps = facts.timestamps.iter().enumerate();
    let timestamps =
        timestamps.filter_map(|(at, t)| Some(timestamp(known, (at + 1, count), t, verdicts.timestamp(&t.id)?)));
    let count = facts.evidence_records.len();
    let records = facts.evidence_records.iter().enumerate();
    let records =
        records.filter_map(|(at, r)| Some(record(known, (at + 1, count), r, verdicts.evidence_record(&r.id)?)));
    timestamps.chain(records).collect()
}

/// What both kinds have in common.
fn section(heading: Phrase, (number, count): (usize, usize), conclusion: &Conclusion) -> Section {
    let state = State::of(conclusion.indication);
    let sentence = match state {
        State::Valid => Phrase::ProofValid,
        State::NotValid => Phrase::ProofNotValid,
        State::Undecided | State::Nothing => Phrase::ProofUndecided,
    };
    Section {
        heading: Saying::text(heading).with("n", number).with("count", count),
        state,
        sentence: sentence.into(),
        code: code(conclusion.indication, conclusion.sub_indication.map(|sub| sub.as_str())),
        why: conclusion.sub_indication.map(Saying::text),
        help: conclusion.sub_indication.map(|sub| Saying::text(Advice(sub))),
        rows: vec![],
        findings: vec![],
        timeline: timeline::TimeLine::default(),
        checks: vec![],
    }
}

fn timestamp(known: &Known<'_>, place: (usize, usize), facts: &Timestamp, verdict: &TimestampVerdict) -> Section {
    let maker = facts.signing_certificate.as_ref().and_then(|id| known.certificate(id));
    let maker = maker.map_or(Phrase::SignerUnknown.into(), |certificate| Saying::from(name(certificate)));
    let quality = known.report.timestamp_quality(&facts.id);
    let scopes = facts.scopes.iter().map(|scope| covered(scope, facts.pdf_revision.as_deref()));
    let proves = Saying::text(Phrase::ProvesCount).with("n", facts.covered.len());
    let rows = [
        Some(Row::one(Phrase::MadeAt, facts.production_time)),
        Some(Row::one(Phrase::MadeBy, maker)),
        Row::maybe(Phrase::Legally, (quality != TimestampQualification::Na).then(|| Saying::text(quality))),
        issuer(known, &facts.chain),
        Some(trust(known, &facts.chain)),
        Some(Row::one(Phrase::Kind, Saying::text(facts.kind))),
        Row::many(Phrase::Covers, scopes),
        Some(Row::one(Phrase::Proves, proves)),
        Row::maybe(Phrase::Algorithm, algorithm(&facts.basic)),
    ];
    Section {
        rows: rows.into_iter().flatten().collect(),
        findings: rows::findings(&verdict.findings),
        timeline: timeline::of_timestamp(known, facts),
        checks: checks::of_timestamp(verdict),
        ..section(Phrase::TimestampNumber, place, verdict.conclusion())
    }
}

fn record(
    known: &Known<'_>,
    place: (usize, usize),
    facts: &EvidenceRecord,
    verdict: &EvidenceRecordVerdict,
) -> Section {
    let since = Saying::text(Phrase::ProvesSince).with("time", verdict.proof_of_existence.time);
    let covers = facts.scopes.iter().map(|scope| covered(scope, None));
    let rows = [
        Some(Row::one(Phrase::Kind, Saying::code(facts.kind.as_str()))),
        Some(Row::one(Phrase::Proves, since)),
        Row::many(Phrase::Covers, covers),
        Row::maybe(Phrase::HeldIn, facts.file.as_deref().map(Saying::from)),
    ];
    Section {
        rows: rows.into_iter().flatten().collect(),
        findings: rows::findings(&verdict.findings),
        timeline: timeline::of_record(known, facts),
        checks: vec![checks::check(&verdict.result)],
        ..section(Phrase::EvidenceRecordNumber, place, &verdict.result.conclusion)
    }
}
