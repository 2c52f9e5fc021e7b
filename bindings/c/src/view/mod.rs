//! What C asks of a report one by one: each text with a NUL behind it, each list by index.

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
use lacre::Report;
use lacre::facts::{Certificate, Facts, Id};

/// A report in the form in which C asks.
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
        let (facts, verdicts) = (report.facts(), report.verdicts());
        let timestamps = facts.timestamps.iter().filter_map(|t| Some((t, verdicts.timestamp(&t.id)?)));
        let records = facts.evidence_records.iter().filter_map(|r| Some((r, verdicts.evidence_record(&r.id)?)));
        Self {
            policy: Text::new(report.policy().name.as_str()),
            sha256: Text::maybe(facts.document.sha256.as_deref()),
            signatures: report.signatures().map(|(s, verdict)| lacre_signature::of(report, s, verdict)).collect(),
            timestamps: timestamps.map(|(t, verdict)| lacre_timestamp::of(report, t, verdict)).collect(),
            evidence_records: records.map(|(r, verdict)| lacre_evidence_record::of(report, r, verdict)).collect(),
            wanted: report.wanted().iter().map(lacre_wanted::of).collect(),
        }
    }
}

fn certificate_of<'a>(facts: &'a Facts, id: &Id) -> Option<&'a Certificate> {
    facts.certificates.iter().find(|certificate| certificate.id == *id)
}

/// The certificates of a chain, from the signing one upwards.
pub(crate) fn chain_of(facts: &Facts, chain: &[Id]) -> Vec<lacre_certificate> {
    chain.iter().filter_map(|id| certificate_of(facts, id)).map(lacre_certificate::of).collect()
}

/// Whose certificate it is, for people.
fn signer_of(facts: &Facts, id: Option<&Id>) -> Text {
    Text::maybe(id.and_then(|id| certificate_of(facts, id)).map(|certificate| {
        let common = certificate.attributes.common_name.as_deref().filter(|name| !name.trim().is_empty());
        common.unwrap_or(&certificate.subject.rfc2253)
    }))
}
