//! The tokens of a report joined: each with its verdict, its qualification, and the certificates that it names.
//!
//! A view borrows from its [`Report`] and is cheap to copy. Whatever a view names by id, it finds in the report's index,
//! which is made once. Every form of the report is written from views, and so may the caller's own be.
//!
//! ```
//! # use lacre::{Document, Policy, Validator};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # std::env::set_current_dir("../..")?;
//! # let (root, contract) =
//! #     (std::fs::read("examples/documents/root.der")?, std::fs::read("examples/documents/contract.pdf")?);
//! use lacre::report::CertificateRole;
//!
//! # let validator = Validator::new(Policy::eidas()).trust_anchor(&root)?;
//! let report = validator.validate(&Document::new(&contract), "2027-01-01".parse()?)?;
//!
//! for certificate in report.certificates() {
//!     let roles: Vec<&str> = certificate.roles().map(CertificateRole::as_str).collect();
//!     println!("{}: {}", certificate.name(), roles.join(", "));
//! }
//! let anchors = report.certificates().filter(|c| c.roles().any(|role| role == CertificateRole::TrustAnchor));
//! assert_eq!(anchors.count(), 1);
//! # Ok(())
//! # }
//! ```

mod certificate;
mod evidence_record;
mod finding;
mod index;
mod irregularity;
mod revocation;
mod signature;
#[cfg(test)]
mod tests;
mod timestamp;

pub use certificate::{CertificateRole, CertificateView};
pub use evidence_record::EvidenceRecordView;
pub use finding::{Finding, Severity};
pub use irregularity::IrregularityView;
pub use revocation::RevocationView;
pub use signature::{ScopeView, SignatureView};
pub use timestamp::TimestampView;

pub(super) use finding::by_severity;
pub(super) use index::Index;

use super::Report;
use crate::facts::{Id, TrustedList};

/// The views of a report. Each list is in the order of the facts.
impl Report {
    /// Returns the signatures and counter-signatures.
    pub fn signatures(&self) -> impl Iterator<Item = SignatureView<'_>> {
        self.facts.signatures.iter().filter_map(move |facts| SignatureView::new(self, facts))
    }

    /// Returns the signature with that id.
    pub fn signature(&self, id: &Id) -> Option<SignatureView<'_>> {
        SignatureView::new(self, self.index().signatures.find(&self.facts.signatures, id)?)
    }

    /// Returns the time-stamps, those of evidence records included.
    pub fn timestamps(&self) -> impl Iterator<Item = TimestampView<'_>> {
        self.facts.timestamps.iter().filter_map(move |facts| TimestampView::new(self, facts))
    }

    /// Returns the time-stamp with that id.
    pub fn timestamp(&self, id: &Id) -> Option<TimestampView<'_>> {
        TimestampView::new(self, self.index().timestamps.find(&self.facts.timestamps, id)?)
    }

    /// Returns the evidence records.
    pub fn evidence_records(&self) -> impl Iterator<Item = EvidenceRecordView<'_>> {
        self.facts.evidence_records.iter().filter_map(move |facts| EvidenceRecordView::new(self, facts))
    }

    /// Returns the evidence record with that id.
    pub fn evidence_record(&self, id: &Id) -> Option<EvidenceRecordView<'_>> {
        EvidenceRecordView::new(self, self.index().evidence_records.find(&self.facts.evidence_records, id)?)
    }

    /// Returns the certificates on which signatures, time-stamps and revocation data rest.
    pub fn certificates(&self) -> impl Iterator<Item = CertificateView<'_>> {
        (0..self.facts.certificates.len()).map(move |position| CertificateView::new(self, position))
    }

    /// Returns the certificate with that id.
    pub fn certificate(&self, id: &Id) -> Option<CertificateView<'_>> {
        let position = self.index().certificates.position(&self.facts.certificates, id)?;
        Some(CertificateView::new(self, position))
    }

    /// Returns the CRLs and OCSP responses about those certificates.
    pub fn revocations(&self) -> impl Iterator<Item = RevocationView<'_>> {
        self.facts.revocations.iter().map(move |facts| RevocationView::new(self, facts))
    }

    /// Returns the CRL or OCSP response with that id.
    pub fn revocation(&self, id: &Id) -> Option<RevocationView<'_>> {
        let facts = self.index().revocations.find(&self.facts.revocations, id)?;
        Some(RevocationView::new(self, facts))
    }

    /// Returns the trusted list with that id.
    pub(super) fn trusted_list(&self, id: &Id) -> Option<&TrustedList> {
        self.index().trusted_lists.find(&self.facts.trusted_lists, id)
    }

    /// Returns the name of the certificate with that id, else the id.
    pub(super) fn name_or_id<'i>(&'i self, id: &'i Id) -> &'i str {
        self.certificate(id).map_or(id.as_str(), |certificate| certificate.name())
    }

    pub(super) fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(self))
    }
}

macro_rules! shown_by_id {
    ($($view:ident,)+) => {
        $(impl std::fmt::Debug for $view<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($view)).field("id", self.id()).finish_non_exhaustive()
            }
        })+
    };
}

shown_by_id! {
    SignatureView,
    TimestampView,
    EvidenceRecordView,
    CertificateView,
    RevocationView,
}
