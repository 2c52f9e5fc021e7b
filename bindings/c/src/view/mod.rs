//! The parts of a report that C reads one by one: each text with a NUL behind it, each list by index.

mod certificate;
mod finding;
mod list;
mod signature;
mod timestamp;
mod wanted;

pub use certificate::lacre_certificate;
pub use finding::lacre_finding;
pub use list::lacre_list_state;
pub use signature::lacre_signature;
pub use timestamp::{lacre_evidence_record, lacre_timestamp};
pub use wanted::lacre_wanted;

use crate::text::Text;
use lacre::{Report, report::CertificateView};

/// A report as C reads it.
pub(crate) struct View {
    pub(crate) policy: Text,
    pub(crate) sha256: Text,
    pub(crate) signatures: Vec<lacre_signature>,
    pub(crate) timestamps: Vec<lacre_timestamp>,
    pub(crate) evidence_records: Vec<lacre_evidence_record>,
    pub(crate) wanted: Vec<lacre_wanted>,
}

impl View {
    pub(crate) fn of(report: &Report) -> Self {
        Self {
            policy: Text::new(report.policy().name.as_str()),
            sha256: Text::maybe(report.facts().document.sha256.as_deref()),
            signatures: report.signatures().map(lacre_signature::of).collect(),
            timestamps: report.timestamps().map(lacre_timestamp::of).collect(),
            evidence_records: report.evidence_records().map(lacre_evidence_record::of).collect(),
            wanted: report.wanted().iter().map(lacre_wanted::of).collect(),
        }
    }
}

/// Returns the name of the signer, for people.
fn signer_name(signer: Option<CertificateView<'_>>) -> Text {
    Text::maybe(signer.map(|certificate| certificate.name()))
}
