//! The report on one certificate: its path, its revocation, and what it was and is under eIDAS.

mod json;
mod section;

use super::model::Row;
use super::{Attempt, Language, Report, Wanted, messages, text, wanted};
use crate::facts::{Certificate, Facts, Id};
use crate::qualification::{CertificateQualification, QualifiedCertificate, QualifiedConnection};
use crate::report::messages::Phrase;
use crate::validation::CertificateVerdict;
use crate::validation::outcome::{Indication, SubIndication};

/// What was found about a certificate, and what was concluded.
#[derive(Debug, Clone)]
pub struct CertificateReport {
    /// Everything around it: facts, policy, language. No signature is in it.
    report: Report,
    verdict: CertificateVerdict,
    qualified: Option<QualifiedCertificate>,
    name: Option<String>,
    connection: Option<QualifiedConnection>,
}

impl CertificateReport {
    /// The report on that certificate of a record, in English. `None` for the qualification where the policy has no
    /// eIDAS part.
    pub(crate) fn new(report: Report, verdict: CertificateVerdict, qualified: Option<QualifiedCertificate>) -> Self {
        Self { report, verdict, qualified, name: None, connection: None }
    }

    /// The same report, written in that language. Keys, codes and field names stay.
    pub fn in_language(mut self, language: Language) -> Self {
        self.report = self.report.in_language(language);
        self
    }

    /// The same report, with what the connection is for which the certificate was presented.
    pub(crate) fn on(mut self, connection: QualifiedConnection) -> Self {
        self.connection = Some(connection);
        self
    }

    /// The report around it.
    pub(crate) fn around(&self) -> &Report {
        &self.report
    }

    /// Whether the connection for which the certificate was presented is one of a qualified website certificate, and why
    /// not; `None` where none was asked about.
    pub fn connection(&self) -> Option<&QualifiedConnection> {
        self.connection.as_ref()
    }

    /// The same report, with what the caller looked for in vain: it stands beside what is wanted.
    pub fn with_attempts(mut self, attempts: Vec<Attempt>) -> Self {
        self.report = self.report.with_attempts(attempts);
        self
    }

    /// The same report, with the name of the file that holds the certificate.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// PASSED, FAILED or INDETERMINATE.
    pub fn indication(&self) -> Indication {
        self.verdict.indication
    }

    /// Why, where it is not PASSED.
    pub fn sub_indication(&self) -> Option<SubIndication> {
        self.verdict.sub_indication
    }

    /// What the certificate was when it was issued.
    pub fn qualification_at_issuance(&self) -> CertificateQualification {
        self.qualified.as_ref().map_or(CertificateQualification::Na, |q| q.at_issuance)
    }

    /// What it is at the time asked about.
    pub fn qualification_at_time(&self) -> CertificateQualification {
        self.qualified.as_ref().map_or(CertificateQualification::Na, |q| q.at_time)
    }

    /// The verdict.
    pub fn verdict(&self) -> &CertificateVerdict {
        &self.verdict
    }

    /// The facts.
    pub fn facts(&self) -> &Facts {
        self.report.facts()
    }

    /// The evidence that could change the verdict.
    pub fn wanted(&self) -> Vec<Wanted> {
        wanted::with_attempts(wanted::about_certificate(self.facts(), &self.verdict), &self.report.attempts)
    }

    /// As JSON: the contract `lacre-certificate/1`.
    pub fn to_json(&self) -> String {
        json::write(self)
    }

    /// For a terminal.
    pub fn to_text(&self) -> String {
        text::certificate(&section::of(self), &self.about(), &section::wishes(self), self.report.language)
    }

    /// The line of `lacre-certificate/1` for octets that were not read as a certificate.
    pub fn error_json(name: &str, error: &str) -> String {
        json::error(name, error)
    }

    fn id(&self) -> &Id {
        &self.verdict.id
    }

    fn certificate(&self) -> Option<&Certificate> {
        super::json::certificate_of(&self.report, self.id())
    }

    /// The time and the rules of the judgement.
    fn about(&self) -> Vec<Row> {
        vec![Row::one(Phrase::JudgedFor, self.report.verdicts.time), Row::one(Phrase::Rules, &*self.report.policy.name)]
    }

    fn say(&self, qualification: CertificateQualification) -> &'static str {
        messages::phrase(self.report.language, qualification)
    }
}
