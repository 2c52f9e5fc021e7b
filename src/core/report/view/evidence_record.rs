//! An evidence record with its verdict.

use super::{Finding, TimestampView};
use crate::facts::{self, EvidenceRecordType, Id};
use crate::report::Report;
use crate::validation::outcome::{Indication, SubIndication};
use crate::validation::{EvidenceRecordVerdict, ProofOfExistence};

/// An evidence record (RFC 4998, RFC 6283) of a report: what was found, and what was concluded.
#[derive(Clone, Copy)]
pub struct EvidenceRecordView<'a> {
    report: &'a Report,
    facts: &'a facts::EvidenceRecord,
    verdict: &'a EvidenceRecordVerdict,
}

impl<'a> EvidenceRecordView<'a> {
    /// Joins an evidence record with its verdict; `None` where it was not judged.
    pub(in crate::report) fn new(report: &'a Report, facts: &'a facts::EvidenceRecord) -> Option<Self> {
        let verdict = report.index().evidence_record_verdicts.find(&report.verdicts.evidence_records, &facts.id)?;
        Some(Self { report, facts, verdict })
    }

    /// Returns all that was collected about the evidence record.
    pub fn facts(&self) -> &'a facts::EvidenceRecord {
        self.facts
    }

    /// Returns the verdict with its process.
    pub fn verdict(&self) -> &'a EvidenceRecordVerdict {
        self.verdict
    }

    /// Returns the id by which reports name the evidence record.
    pub fn id(&self) -> &'a Id {
        &self.facts.id
    }

    /// Returns whether it is written in ASN.1 (RFC 4998) or XML (RFC 6283).
    pub fn kind(&self) -> EvidenceRecordType {
        self.facts.kind
    }

    /// Returns PASSED, FAILED or INDETERMINATE: EN 319 102-1 §5.6.2.5.
    pub fn indication(&self) -> Indication {
        self.verdict.result.conclusion.indication
    }

    /// Returns why the indication is not PASSED: EN 319 102-1 §5.1.3, table 6.
    pub fn sub_indication(&self) -> Option<SubIndication> {
        self.verdict.result.conclusion.sub_indication
    }

    /// Returns since when the evidence record proves existence, and by what.
    pub fn proof_of_existence(&self) -> &'a ProofOfExistence {
        &self.verdict.proof_of_existence
    }

    /// Returns the time-stamps of the evidence record, in its order.
    pub fn timestamps(&self) -> impl Iterator<Item = TimestampView<'a>> + use<'a> {
        let report = self.report;
        self.facts.timestamps.iter().filter_map(move |id| report.timestamp(id))
    }

    /// Returns what the checks noticed, the heaviest first.
    pub fn findings(&self) -> impl Iterator<Item = Finding<'a>> + use<'a> {
        Finding::all(self.report, self.id(), &self.verdict.findings)
    }
}
