//! The report on one certificate: its path, its revocation, and its qualification under eIDAS.

mod json;
mod section;

use super::model::Row;
use super::view::{CertificateView, Finding};
use super::{Attempt, Language, Report, Wanted, overdue, text, wanted};
use crate::facts::{Facts, Id};
use crate::qualification::{CertificateQualification, QualifiedCertificate, QualifiedConnection};
use crate::report::messages::MessageId;
use crate::validation::CertificateVerdict;
use crate::validation::outcome::{Indication, SubIndication};

/// What was found about a certificate, and what was concluded.
///
/// ```
/// use lacre::{Policy, Time, Validator};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # std::env::set_current_dir("../..")?;
/// let root = std::fs::read("examples/documents/root.der")?;
/// let time: Time = "2027-01-01".parse()?;
///
/// let report = Validator::new(Policy::eidas()).trust_anchor(&root)?.certificate(&root, time)?;
/// assert_eq!(report.indication().as_str(), "PASSED");
/// assert_eq!(report.chain().count(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct CertificateReport {
    /// The facts around it, the policy and the language. No signature is in it.
    report: Report,
    verdict: CertificateVerdict,
    qualified: Option<QualifiedCertificate>,
    name: Option<String>,
    connection: Option<QualifiedConnection>,
}

impl CertificateReport {
    /// Returns the report on that certificate of a record, in English. `None` for the qualification where the policy
    /// has no eIDAS part.
    pub(crate) fn new(report: Report, verdict: CertificateVerdict, qualified: Option<QualifiedCertificate>) -> Self {
        Self { report, verdict, qualified, name: None, connection: None }
    }

    /// Sets the language of the sentences. Keys, codes and field names stay.
    pub fn in_language(mut self, language: Language) -> Self {
        self.report = self.report.in_language(language);
        self
    }

    /// Adds what the connection is for which the certificate was presented.
    pub(crate) fn on(mut self, connection: QualifiedConnection) -> Self {
        self.connection = Some(connection);
        self
    }

    /// Returns the report on the facts around the certificate.
    pub(crate) fn around(&self) -> &Report {
        &self.report
    }

    /// Returns whether the connection for which the certificate was presented is one of a qualified website certificate,
    /// and why not: TS 119 411-5. `None` where the caller asked about no connection.
    pub fn connection(&self) -> Option<&QualifiedConnection> {
        self.connection.as_ref()
    }

    /// Adds what the caller looked for in vain, to be reported beside what is [wanted](Self::wanted).
    pub fn with_attempts(mut self, attempts: Vec<Attempt>) -> Self {
        self.report = self.report.with_attempts(attempts);
        self
    }

    /// Sets the name of the file that holds the certificate.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Returns PASSED, FAILED or INDETERMINATE: EN 319 102-1 §5.2.6.
    pub fn indication(&self) -> Indication {
        self.verdict.indication
    }

    /// Returns why the indication is not PASSED: EN 319 102-1 §5.1.3, table 6.
    pub fn sub_indication(&self) -> Option<SubIndication> {
        self.verdict.sub_indication
    }

    /// Returns what the certificate was when it was issued: TS 119 615 §4.4. `Na` where no trusted list speaks of it.
    pub fn qualification_at_issuance(&self) -> CertificateQualification {
        self.qualified.as_ref().map_or(CertificateQualification::Na, |q| q.at_issuance)
    }

    /// Returns what the qualification at issuance means: a sentence in the language of the report.
    pub fn qualification_at_issuance_text(&self) -> &'static str {
        self.qualification_text(self.qualification_at_issuance())
    }

    /// Returns what the certificate is at the validation time: TS 119 615 §4.4. `Na` where no trusted list speaks of it.
    pub fn qualification_at_time(&self) -> CertificateQualification {
        self.qualified.as_ref().map_or(CertificateQualification::Na, |q| q.at_time)
    }

    /// Returns what the qualification at the validation time means: a sentence in the language of the report.
    pub fn qualification_at_time_text(&self) -> &'static str {
        self.qualification_text(self.qualification_at_time())
    }

    fn qualification_text(&self, qualification: CertificateQualification) -> &'static str {
        let findings = self.qualified.as_ref().map(|found| &found.findings);
        overdue::meaning(&self.report, findings, qualification)
    }

    /// Returns the certificate.
    pub fn certificate(&self) -> Option<CertificateView<'_>> {
        self.report.certificate(self.id())
    }

    /// Returns the certificate and those above it, from its issuer upwards.
    pub fn chain(&self) -> impl Iterator<Item = CertificateView<'_>> {
        self.certificate().into_iter().flat_map(|certificate| std::iter::once(certificate).chain(certificate.chain()))
    }

    /// Returns what the checks noticed, the heaviest first.
    pub fn findings(&self) -> impl Iterator<Item = Finding<'_>> {
        Finding::all(&self.report, self.id(), &self.verdict.findings)
    }

    /// Returns what the checks of the qualification noticed, the heaviest first: an error keeps the certificate from being
    /// qualified. A finding on a trusted list names the list as its token.
    pub fn qualification_findings(&self) -> impl Iterator<Item = Finding<'_>> {
        self.qualified.iter().flat_map(|found| Finding::all(&self.report, self.id(), &found.findings))
    }

    /// Returns the verdict with its building block.
    pub fn verdict(&self) -> &CertificateVerdict {
        &self.verdict
    }

    /// Returns the facts.
    pub fn facts(&self) -> &Facts {
        self.report.facts()
    }

    /// Returns the validation data that could change the verdict.
    pub fn wanted(&self) -> Vec<Wanted> {
        wanted::with_attempts(
            wanted::about_certificate(&self.report, &self.verdict, self.qualified.as_ref()),
            &self.report.attempts,
        )
    }

    /// Writes the report as JSON, after the schema `lacre-certificate/2`: one object on one line.
    pub fn to_json(&self) -> String {
        json::write(self)
    }

    /// Writes the report for a terminal: plain text in UTF-8.
    pub fn to_text(&self) -> String {
        text::certificate(&section::of(self), &self.about(), &section::wishes(self), self.report.language)
    }

    /// Writes the line of `lacre-certificate/2` for a file that was not read as a certificate.
    pub fn error_json(name: &str, error: &str) -> String {
        json::error(name, error)
    }

    fn id(&self) -> &Id {
        &self.verdict.id
    }

    /// Returns the rows on the validation time and the policy.
    fn about(&self) -> Vec<Row> {
        vec![
            Row::one(MessageId::JudgedFor, self.report.verdicts.time),
            Row::one(MessageId::Rules, &*self.report.policy.name),
        ]
    }
}
