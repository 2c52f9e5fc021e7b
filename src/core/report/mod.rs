//! Reports: projections of facts and verdicts. No conclusion is drawn here.
//!
//! A [`Report`] holds everything that was found and concluded about one document. Its [views](view) join each token with
//! its verdict, and every form is written from them: the same report gives the same bytes.

mod certificate;
mod contents;
mod escape;
mod etsi;
#[cfg(feature = "report")]
mod figure;
#[cfg(feature = "report")]
mod html;
mod json;
#[cfg(feature = "report")]
mod layout;
mod messages;
#[cfg_attr(not(feature = "report"), expect(dead_code, reason = "the text report shows a part of the model"))]
mod model;
pub(crate) mod name;
mod overdue;
#[cfg(feature = "report")]
mod pdf;
mod subject;
#[cfg(test)]
mod testing;
#[cfg(all(test, feature = "report"))]
mod tests;
mod text;
mod trace;
mod trust_service;
pub mod view;
mod wanted;

pub use certificate::CertificateReport;
pub use escape::escape_control_chars;
pub use messages::Language;
#[cfg(feature = "report")]
pub use pdf::Error as PdfError;
pub use wanted::{Attempt, Tried, Wanted, WantedKind};

use crate::facts::{Facts, SignatureLevel};
use crate::qualification::Qualifications;
use crate::validation::Verdicts;
use crate::validation::outcome::Indication;
use std::sync::OnceLock;

/// What was found in a document, and what was concluded.
///
/// [`Validator::validate`](crate::Validator::validate) makes it from a document, [`judge`](crate::judge) from stored facts.
///
/// ```
/// use lacre::{Document, Policy, Validator};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # std::env::set_current_dir("../..")?;
/// let root = std::fs::read("examples/documents/root.der")?;
/// let contract = std::fs::read("examples/documents/contract.pdf")?;
///
/// let validator = Validator::new(Policy::eidas()).trust_anchor(&root)?;
/// let report = validator.validate(&Document::new(&contract).named("contract.pdf"), "2027-01-01".parse()?)?;
///
/// assert_eq!(report.indication().as_str(), "TOTAL-PASSED");
/// for signature in report.signatures() {
///     let signer = signature.signer().map_or("somebody unknown", |certificate| certificate.name());
///     println!("{}: {} by {signer}", signature.id(), signature.indication());
/// }
/// assert!(report.to_json().starts_with(r#"{"schema":"lacre-report/2""#));
/// assert!(report.wanted().is_empty(), "nothing is missing");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Report {
    facts: Facts,
    verdicts: Verdicts,
    qualifications: Qualifications,
    policy: PolicyName,
    language: Language,
    attempts: Vec<Attempt>,
    /// Made when the first view asks for it: most callers that only judge need none.
    index: OnceLock<view::Index>,
}

/// The policy by which a report was judged.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct PolicyName {
    /// Its name.
    pub name: String,
    /// The SHA-256 of the file that it was read from, lower-case hexadecimal.
    pub sha256: String,
}

impl Report {
    /// Makes the report on these facts, in English.
    pub(crate) fn new(facts: Facts, verdicts: Verdicts, qualifications: Qualifications, policy: PolicyName) -> Self {
        Self {
            facts,
            verdicts,
            qualifications,
            policy,
            language: Language::default(),
            attempts: vec![],
            index: OnceLock::new(),
        }
    }

    /// Sets the language of the sentences. Keys, codes and field names stay.
    pub fn in_language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// Adds what the caller looked for in vain, to be reported beside what is [wanted](Self::wanted).
    pub fn with_attempts(mut self, attempts: Vec<Attempt>) -> Self {
        self.attempts = attempts;
        self
    }

    /// Returns the language of the sentences.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Returns the worst indication over all signatures: TOTAL-FAILED, then INDETERMINATE, then TOTAL-PASSED.
    ///
    /// A document without signatures has the worst indication of its time-stamps and evidence records, in the same
    /// three words; without these, NO_SIGNATURE_FOUND.
    pub fn indication(&self) -> Indication {
        if !self.facts.signatures.is_empty() {
            return self.verdicts.indication();
        }
        let timestamps = self.verdicts.timestamps.iter().map(|t| t.conclusion().indication);
        let records = self.verdicts.evidence_records.iter().map(|e| e.result.conclusion.indication);
        let worst = timestamps.chain(records).max_by_key(|indication| match indication {
            Indication::Failed => 2,
            Indication::Indeterminate => 1,
            _ => 0,
        });
        match worst {
            None => Indication::NoSignatureFound,
            Some(Indication::Failed) => Indication::TotalFailed,
            Some(Indication::Indeterminate) => Indication::Indeterminate,
            Some(_) => Indication::TotalPassed,
        }
    }

    /// Returns the facts, which [`Facts::to_json`] stores.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Returns the verdicts, with every building block and check.
    pub fn verdicts(&self) -> &Verdicts {
        &self.verdicts
    }

    /// Returns the name and the digest of the policy.
    pub fn policy(&self) -> &PolicyName {
        &self.policy
    }

    /// Returns the validation data that could change the verdict, and where to have it.
    ///
    /// The library fetches nothing: supply what was found to a [`Validator`](crate::Validator), and validate again.
    pub fn wanted(&self) -> Vec<Wanted> {
        wanted::with_attempts(wanted::wanted(self), &self.attempts)
    }

    /// Writes the report as JSON, after the schema `lacre-report/2`: one object on one line.
    pub fn to_json(&self) -> String {
        json::write(self)
    }

    /// Writes the report for a terminal: plain text in UTF-8, in which no line depends on colour.
    pub fn to_text(&self) -> String {
        text::write(&self.model(), self.language)
    }

    /// Writes the report as one page of HTML that loads nothing and runs nothing.
    #[cfg(feature = "report")]
    pub fn to_html(&self) -> String {
        html::write(&self.layout())
    }

    /// Writes the report as PDF (PDF/A-3a and PDF/UA-1) with the JSON and the XML report attached.
    ///
    /// # Errors
    ///
    /// [`PdfError`] when the PDF writer refuses the report.
    #[cfg(feature = "report")]
    pub fn to_pdf(&self) -> Result<Vec<u8>, PdfError> {
        pdf::write(self)
    }

    /// Writes every check of every building block, what it compared, and its clause, as plain text in UTF-8.
    pub fn to_trace(&self) -> String {
        trace::write(self)
    }

    /// Writes the report as XML after ETSI TS 119 102-2 V1.4.1.
    pub fn to_etsi_xml(&self) -> String {
        etsi::write(self)
    }

    /// Says in plain rows what a report for people says, before a form is chosen.
    fn model(&self) -> model::Model {
        model::Model::of(self)
    }

    /// Lays the report out for reading: HTML and PDF are set from it.
    #[cfg(feature = "report")]
    fn layout(&self) -> layout::Layout {
        layout::Layout::of(&self.model(), self.language)
    }
}

/// Returns the family of formats that a level belongs to, as the report names it.
pub(crate) fn family(level: SignatureLevel) -> &'static str {
    match level.as_str().split('-').next() {
        Some("PAdES" | "PDF" | "PKCS7") => "PAdES",
        Some("XAdES" | "XML") => "XAdES",
        Some("CAdES" | "CMS") => "CAdES",
        Some("JAdES" | "JSON") => "JAdES",
        _ => "unknown",
    }
}
