//! A time-stamp with its verdict and its qualification.

use super::{CertificateView, Finding, certificate};
use crate::algorithm::DigestAlgorithm;
use crate::facts::{self, Id, TimestampType};
use crate::hex;
use crate::qualification::{QualifiedTimestamp, TimestampQualification};
use crate::report::{Report, overdue};
use crate::time::Time;
use crate::validation::TimestampVerdict;
use crate::validation::outcome::{Indication, SubIndication};

/// A time-stamp (RFC 3161) of a report: what was found, what was concluded, and whether it is qualified.
#[derive(Clone, Copy)]
pub struct TimestampView<'a> {
    report: &'a Report,
    facts: &'a facts::Timestamp,
    verdict: &'a TimestampVerdict,
}

impl<'a> TimestampView<'a> {
    /// Joins a time-stamp with its verdict; `None` where it was not judged.
    pub(in crate::report) fn new(report: &'a Report, facts: &'a facts::Timestamp) -> Option<Self> {
        let verdict = report.index().timestamp_verdicts.find(&report.verdicts.timestamps, &facts.id)?;
        Some(Self { report, facts, verdict })
    }

    /// Returns all that was collected about the time-stamp.
    pub fn facts(&self) -> &'a facts::Timestamp {
        self.facts
    }

    /// Returns the verdict with its building blocks and processes.
    pub fn verdict(&self) -> &'a TimestampVerdict {
        self.verdict
    }

    /// Returns the id by which reports name the time-stamp.
    pub fn id(&self) -> &'a Id {
        &self.facts.id
    }

    /// Returns what the time-stamp is for: a signature time-stamp, a document time-stamp…
    pub fn kind(&self) -> TimestampType {
        self.facts.kind
    }

    /// Returns the kind as the JSON report spells it, such as `signature-timestamp`.
    pub fn kind_name(&self) -> String {
        self.kind().as_str().to_ascii_lowercase().replace('_', "-")
    }

    /// Returns the time that the time-stamp states (`genTime`).
    pub fn time(&self) -> Time {
        self.facts.production_time
    }

    /// Returns the SHA-256 of the token, lower-case hexadecimal; `None` where imported facts do not state it.
    pub fn sha256(&self) -> Option<String> {
        let digest = self.facts.digest.as_ref().filter(|digest| digest.algorithm == Some(DigestAlgorithm::Sha256))?;
        Some(hex::lower(&digest.value.0))
    }

    /// Returns PASSED, FAILED or INDETERMINATE: EN 319 102-1 §5.4, §5.6.2.
    pub fn indication(&self) -> Indication {
        self.verdict.conclusion().indication
    }

    /// Returns why the indication is not PASSED: EN 319 102-1 §5.1.3, table 6.
    pub fn sub_indication(&self) -> Option<SubIndication> {
        self.verdict.conclusion().sub_indication
    }

    /// Returns whether the time-stamp is a qualified one: TS 119 615 §4.9. `Na` where the policy does not ask.
    pub fn qualification(&self) -> TimestampQualification {
        self.qualified().map_or(TimestampQualification::Na, |found| found.qualification)
    }

    /// Returns the qualification with its checks; `None` where the policy does not ask.
    pub(in crate::report) fn qualified(&self) -> Option<&'a QualifiedTimestamp> {
        let qualified = &self.report.qualifications.timestamps;
        self.report.index().qualified_timestamps.find(qualified, self.id())
    }

    /// Returns what the qualification means: a sentence in the language of the report.
    pub fn qualification_text(&self) -> &'static str {
        let findings = self.qualified().map(|found| &found.findings);
        overdue::meaning(self.report, findings, self.qualification())
    }

    /// Returns the certificate of the time-stamping authority; `None` where it was not found.
    pub fn signer(&self) -> Option<CertificateView<'a>> {
        self.report.certificate(self.facts.signing_certificate.as_ref()?)
    }

    /// Returns the certificates from the signing one upwards.
    pub fn chain(&self) -> impl Iterator<Item = CertificateView<'a>> + use<'a> {
        certificate::chain(self.report, &self.facts.chain)
    }

    /// Returns what the checks noticed, the heaviest first.
    pub fn findings(&self) -> impl Iterator<Item = Finding<'a>> + use<'a> {
        Finding::all(self.report, self.id(), &self.verdict.findings)
    }

    /// Returns what the checks of the qualification noticed, the heaviest first: an error keeps the time-stamp from being
    /// qualified, and says nothing against its validity. A finding on a trusted list names the list as its token.
    pub fn qualification_findings(&self) -> impl Iterator<Item = Finding<'a>> + use<'a> {
        let report = self.report;
        let owner = self.id();
        self.qualified().into_iter().flat_map(move |found| Finding::all(report, owner, &found.findings))
    }
}
