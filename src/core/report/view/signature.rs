//! A signature with its verdict and its qualification.

use super::{CertificateView, EvidenceRecordView, Finding, TimestampView, certificate};
use crate::facts::{self, Id, ScopeType, SignatureLevel, SignedData};
use crate::hex;
use crate::qualification::{QualifiedSignature, SignatureQualification};
use crate::report::trust_service::{self, TrustService};
use crate::report::{Report, overdue};
use crate::time::Time;
use crate::validation::outcome::{Indication, SubIndication};
use crate::validation::{ProofOfExistence, SignatureVerdict};
use sha2::Digest as _;

/// A signature or counter-signature of a report: what was found, what was concluded, and what it is under eIDAS.
///
/// ```
/// # use lacre::{Document, Policy, Validator};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # std::env::set_current_dir("../..")?;
/// # let (root, contract) =
/// #     (std::fs::read("examples/documents/root.der")?, std::fs::read("examples/documents/contract.pdf")?);
/// # let validator = Validator::new(Policy::eidas()).trust_anchor(&root)?;
/// let report = validator.validate(&Document::new(&contract).named("contract.pdf"), "2027-01-01".parse()?)?;
///
/// let signature = report.signatures().next().ok_or("it is signed")?;
/// assert_eq!(signature.indication().as_str(), "TOTAL-PASSED");
/// assert_eq!(signature.sub_indication(), None);
/// assert_eq!(signature.level().map(|level| level.as_str()), Some("PAdES-BASELINE-LT"));
/// assert_eq!(signature.signer().map(|certificate| certificate.name()), Some("Inês Silva"));
/// assert_eq!(signature.timestamps().count(), 1);
///
/// let names: Vec<_> = signature.chain().map(|certificate| certificate.name()).collect();
/// println!("signed before {} by {}", signature.best_signature_time().time, names.join(", issued by "));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct SignatureView<'a> {
    report: &'a Report,
    facts: &'a facts::Signature,
    verdict: &'a SignatureVerdict,
}

impl<'a> SignatureView<'a> {
    /// Joins a signature with its verdict; `None` where it was not judged.
    pub(in crate::report) fn new(report: &'a Report, facts: &'a facts::Signature) -> Option<Self> {
        let verdict = report.index().signature_verdicts.find(&report.verdicts.signatures, &facts.id)?;
        Some(Self { report, facts, verdict })
    }

    /// Returns all that was collected about the signature.
    pub fn facts(&self) -> &'a facts::Signature {
        self.facts
    }

    /// Returns the verdict with its building blocks and processes.
    pub fn verdict(&self) -> &'a SignatureVerdict {
        self.verdict
    }

    /// Returns the id by which reports name the signature.
    pub fn id(&self) -> &'a Id {
        &self.facts.id
    }

    /// Returns TOTAL-PASSED, TOTAL-FAILED or INDETERMINATE: EN 319 102-1 §5.1.3.
    pub fn indication(&self) -> Indication {
        self.verdict.indication
    }

    /// Returns why the indication is not TOTAL-PASSED: EN 319 102-1 §5.1.3, table 6.
    pub fn sub_indication(&self) -> Option<SubIndication> {
        self.verdict.sub_indication
    }

    /// Returns what the signature is under eIDAS: TS 119 615 §4.5. `Na` where the policy does not ask.
    pub fn qualification(&self) -> SignatureQualification {
        self.qualified().map_or(SignatureQualification::Na, |found| found.qualification)
    }

    /// Returns the qualification with its checks; `None` where the policy does not ask.
    pub(in crate::report) fn qualified(&self) -> Option<&'a QualifiedSignature> {
        let qualified = &self.report.qualifications.signatures;
        self.report.index().qualified_signatures.find(qualified, self.id())
    }

    /// Returns what the qualification means: a sentence in the language of the report.
    pub fn qualification_text(&self) -> &'static str {
        let findings = self.qualified().map(|found| &found.findings);
        overdue::meaning(self.report, findings, self.qualification())
    }

    /// Returns the profile that the signature fulfils, such as PAdES-BASELINE-LT; `None` where it fulfils none.
    pub fn level(&self) -> Option<SignatureLevel> {
        self.facts.level
    }

    /// Returns the signing certificate; `None` where it was not found.
    pub fn signer(&self) -> Option<CertificateView<'a>> {
        self.report.certificate(self.facts.signing_certificate.as_ref()?)
    }

    /// Returns the certificates from the signing one upwards.
    pub fn chain(&self) -> impl Iterator<Item = CertificateView<'a>> + use<'a> {
        certificate::chain(self.report, &self.facts.chain)
    }

    /// Returns the signing time that the signer claims, which nothing proves.
    pub fn claimed_signing_time(&self) -> Option<Time> {
        self.facts.claimed_signing_time
    }

    /// Returns the earliest time at which the signature is proven to exist, and by what: EN 319 102-1 §5.5.4, §5.6.3.
    pub fn best_signature_time(&self) -> &'a ProofOfExistence {
        self.verdict.best_signature_time()
    }

    /// Returns the reason for signing that the signer claims (ISO 32000-1 table 252); `None` where it is blank.
    pub fn reason(&self) -> Option<&'a str> {
        let reason = self.facts.pdf_revision.as_ref()?.reason.as_deref();
        reason.filter(|reason| !reason.trim().is_empty())
    }

    /// Returns the place of signing that the signer claims: the production place (EN 319 122-1 §5.2.5) as an address on
    /// one line, else the location of a PDF signature (ISO 32000-1 table 252).
    pub fn location(&self) -> Option<String> {
        let place = self.facts.production_place.as_ref().map(|place| {
            let parts = [&place.street_address, &place.postal_code, &place.city, &place.state, &place.country];
            let parts = place.postal_address.iter().chain(parts.into_iter().flatten());
            parts.map(String::as_str).collect::<Vec<_>>().join(", ")
        });
        let place = place.or_else(|| self.facts.pdf_revision.as_ref()?.location.clone());
        place.filter(|place| !place.trim().is_empty())
    }

    /// Returns what the signature signs.
    pub fn scope(&self) -> impl Iterator<Item = ScopeView<'a>> + use<'a> {
        let report = self.report;
        self.facts.scopes.iter().map(move |facts| ScopeView { report, facts })
    }

    /// Returns the time-stamps that belong to the signature.
    pub fn timestamps(&self) -> impl Iterator<Item = TimestampView<'a>> + use<'a> {
        let report = self.report;
        self.facts.found_timestamps.iter().filter_map(move |id| report.timestamp(id))
    }

    /// Returns the evidence records that cover the signature.
    pub fn evidence_records(&self) -> impl Iterator<Item = EvidenceRecordView<'a>> + use<'a> {
        let report = self.report;
        self.facts.found_evidence_records.iter().filter_map(move |id| report.evidence_record(id))
    }

    /// Returns the signature that this one counter-signs.
    pub fn parent(&self) -> Option<Self> {
        self.report.signature(self.facts.parent.as_ref()?)
    }

    /// Returns the signatures that counter-sign this one.
    pub fn counter_signatures(&self) -> impl Iterator<Item = Self> + use<'a> {
        let report = self.report;
        let found = report.index().counter_signatures(&report.facts, self.id());
        found.filter_map(move |facts| Self::new(report, facts))
    }

    /// Returns the name of the PDF signature field (ISO 32000-1 §12.7.4.5) that holds the signature.
    pub fn field_name(&self) -> Option<&'a str> {
        let field = self.facts.pdf_revision.as_ref()?.fields.first()?;
        Some(&field.name)
    }

    /// Returns the SHA-256 of the signature value, lower-case hexadecimal, which names the signature across validators;
    /// `None` where no value could be read.
    pub fn value_sha256(&self) -> Option<String> {
        let value = &self.facts.value.0;
        (!value.is_empty()).then(|| hex::lower(&sha2::Sha256::digest(value)))
    }

    /// Returns what the checks noticed, the heaviest first.
    pub fn findings(&self) -> impl Iterator<Item = Finding<'a>> + use<'a> {
        Finding::all(self.report, self.id(), &self.verdict.findings)
    }

    /// Returns what the checks of the qualification noticed, the heaviest first: an error keeps the signature from being
    /// qualified, and says nothing against its validity. A finding on a trusted list names the list as its token.
    pub fn qualification_findings(&self) -> impl Iterator<Item = Finding<'a>> + use<'a> {
        let report = self.report;
        let owner = self.id();
        self.qualified().into_iter().flat_map(move |found| Finding::all(report, owner, &found.findings))
    }

    /// Returns the entry of a trusted list under which the signing certificate was issued.
    pub(in crate::report) fn trust_service(&self) -> Option<TrustService<'a>> {
        trust_service::of(self.report, self.signer()?.facts(), self.best_signature_time().time)
    }
}

/// Something that a signature signs.
#[derive(Clone, Copy)]
pub struct ScopeView<'a> {
    report: &'a Report,
    facts: &'a facts::Scope,
}

impl<'a> ScopeView<'a> {
    /// Returns the id of the data that is signed.
    pub fn id(&self) -> &'a Id {
        &self.facts.signed_data
    }

    /// Returns how much of the data is covered.
    pub fn kind(&self) -> ScopeType {
        self.facts.kind
    }

    /// Returns the name by which the signature refers to the data, such as a file name; `None` for a whole document.
    pub fn name(&self) -> Option<&'a str> {
        self.facts.name.as_deref().or_else(|| self.signed_data()?.name.as_deref())
    }

    /// Returns the data with its digest.
    pub fn signed_data(&self) -> Option<&'a SignedData> {
        let report = self.report;
        report.index().signed_data.find(&report.facts.signed_data, &self.facts.signed_data)
    }
}

impl std::fmt::Debug for ScopeView<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ScopeView").field("kind", &self.kind()).field("name", &self.name()).finish_non_exhaustive()
    }
}
