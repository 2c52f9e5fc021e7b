//! Reports: projections of facts and verdicts. No conclusion is drawn here.
//!
//! A [`Report`] holds everything that was found and concluded about one document;
//! [`json`], [`text`] and [`etsi`] write it down. The same report gives the same
//! octets in each form.

mod certificate;
pub mod contents;
pub mod etsi;
pub mod figure;
#[cfg(feature = "report")]
mod html;
pub mod json;
pub mod messages;
pub mod model;
#[cfg(feature = "report")]
pub mod pdf;
pub mod sheet;
pub mod text;
mod trace;
mod trust_service;
pub mod visible;
mod wanted;

pub use certificate::CertificateReport;
pub use messages::Language;
pub use wanted::{Attempt, Tried, Wanted, WantedKind};

use crate::facts::{Facts, Id, Signature, SignatureLevel};
use crate::qualification::{Qualifications, SignatureQualification, TimestampQualification};
use crate::validation::outcome::Indication;
use crate::validation::{SignatureVerdict, Verdicts};

/// What was found in a document, and what was concluded.
#[derive(Debug, Clone)]
pub struct Report {
    pub(crate) facts: Facts,
    pub(crate) verdicts: Verdicts,
    pub(crate) qualifications: Qualifications,
    pub(crate) policy: PolicyName,
    pub(crate) language: Language,
    pub(crate) attempts: Vec<Attempt>,
}

/// Which policy judged.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct PolicyName {
    /// Its name.
    pub name: String,
    /// The SHA-256 of what it was read from, lower-case hexadecimal.
    pub sha256: String,
}

impl Report {
    /// The report on these facts, in English.
    pub fn new(facts: Facts, verdicts: Verdicts, qualifications: Qualifications, policy: PolicyName) -> Self {
        Self { facts, verdicts, qualifications, policy, language: Language::default(), attempts: vec![] }
    }

    /// The same report, written in that language. Keys, codes and field names stay.
    pub fn in_language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// The same report, with what the caller looked for in vain: it stands beside what is wanted.
    pub fn with_attempts(mut self, attempts: Vec<Attempt>) -> Self {
        self.attempts = attempts;
        self
    }

    /// The language in which it is written.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The worst indication over all signatures. A document with time-stamps or evidence records only is
    /// told by those; one with nothing has no signature.
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

    /// The facts.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The verdicts.
    pub fn verdicts(&self) -> &Verdicts {
        &self.verdicts
    }

    /// Which policy judged.
    pub fn policy(&self) -> &PolicyName {
        &self.policy
    }

    /// The signatures, each with its verdict.
    pub fn signatures(&self) -> impl Iterator<Item = (&Signature, &SignatureVerdict)> {
        self.facts.signatures.iter().filter_map(|s| Some((s, self.verdicts.signature(&s.id)?)))
    }

    /// The evidence that could change the verdict.
    pub fn wanted(&self) -> Vec<Wanted> {
        wanted::with_attempts(wanted::wanted(&self.facts, &self.verdicts), &self.attempts)
    }

    /// As JSON: the contract `lacre-report/1`.
    pub fn to_json(&self) -> String {
        json::write(self)
    }

    /// What a report for people says, before a form is chosen.
    pub fn model(&self) -> model::Model {
        model::Model::of(self)
    }

    /// A report for people laid out for reading: what HTML and PDF are set from.
    pub fn sheet(&self) -> sheet::Sheet {
        sheet::Sheet::of(&self.model(), self.language)
    }

    /// For a terminal.
    pub fn to_text(&self) -> String {
        text::write(&self.model(), self.language)
    }

    /// As one page of HTML that loads nothing and runs nothing.
    #[cfg(feature = "report")]
    pub fn to_html(&self) -> String {
        html::write(&self.sheet())
    }

    /// As PDF (PDF/A-3a and PDF/UA-1) with the reports for machines attached.
    ///
    /// # Errors
    ///
    /// When the PDF writer refuses the report.
    #[cfg(feature = "report")]
    pub fn to_pdf(&self) -> Result<Vec<u8>, pdf::Error> {
        pdf::write(self)
    }

    /// The way to the verdict: every check of every block, what it compared, and its clause.
    pub fn to_trace(&self) -> String {
        trace::write(self)
    }

    /// As ETSI TS 119 102-2 XML.
    pub fn to_etsi_xml(&self) -> String {
        let signature = |id: &Id| etsi::signature_uri(self.signature_quality(id)).to_owned();
        let timestamp = |id: &Id| etsi::timestamp_uri(self.timestamp_quality(id)).to_owned();
        let service = |id: &Id| {
            let signature = self.facts.signatures.iter().find(|signature| signature.id == *id)?;
            let signer = signature.signing_certificate.as_ref()?;
            let signer = self.facts.certificates.iter().find(|certificate| certificate.id == *signer)?;
            let time = self.verdicts.signature(id)?.best_signature_time().time;
            Some(model::listed(&self.facts, signer, time).iter().map(|saying| saying.say(self.language)).collect())
        };
        etsi::Etsi {
            facts: &self.facts,
            verdicts: &self.verdicts,
            signature_quality: &signature,
            timestamp_quality: &timestamp,
            trust_service: &|id| service(id).unwrap_or_default(),
            sentence: &|message| messages::sentence(self.language, message.key()).to_owned(),
        }
        .to_xml()
    }

    /// What the signature with that id is in the eyes of eIDAS.
    pub fn signature_quality(&self, id: &Id) -> SignatureQualification {
        self.qualifications.signature(id).map_or(SignatureQualification::Na, |q| q.qualification)
    }

    /// Whether the time-stamp with that id is a qualified one.
    pub fn timestamp_quality(&self, id: &Id) -> TimestampQualification {
        self.qualifications.timestamp(id).map_or(TimestampQualification::Na, |q| q.qualification)
    }
}

/// The family of formats that a level belongs to, as the report names it.
pub(crate) fn family(level: SignatureLevel) -> &'static str {
    match level.as_str().split('-').next() {
        Some("PAdES" | "PDF" | "PKCS7") => "PAdES",
        Some("XAdES" | "XML") => "XAdES",
        Some("CAdES" | "CMS") => "CAdES",
        Some("JAdES" | "JSON") => "JAdES",
        _ => "unknown",
    }
}
