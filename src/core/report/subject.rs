//! What a finding is about, as a reader finds it in the report: signature 2, the certificate of that name, the reference
//! to that file.

use super::Report;
use super::messages::CommonId;
use super::model::{self, LocalizedText};
use crate::facts::{Id, RevocationType};
use crate::validation::check_id::CheckId;
use crate::validation::engine::Message;

/// The checks of a reference, whose compared value is the name of what is referenced: EN 319 102-1 §5.2.7.
const OF_REFERENCES: [CheckId; 7] = [
    CheckId::ReferencedDataFound,
    CheckId::ReferencedDataIntact,
    CheckId::ReferencedNameMatch,
    CheckId::ManifestEntryFound,
    CheckId::ManifestEntryIntact,
    CheckId::ManifestEntryNameMatch,
    CheckId::ImprintDataFound,
];

/// Returns what a message is about: the reference that it names, the token that it names, else the token that it is listed
/// under.
pub(super) fn of_message(report: &Report, message: &Message, owner: &Id) -> LocalizedText {
    match &message.compared {
        Some(name) if OF_REFERENCES.contains(&message.check) => {
            LocalizedText::new(CommonId::SubjectReference).with("name", &**name)
        }
        _ => of_token(report, message.token.as_ref().unwrap_or(owner)),
    }
}

/// Returns the words for a token of the report: its kind, with its number or its name.
pub(super) fn of_token(report: &Report, id: &Id) -> LocalizedText {
    let (index, facts) = (report.index(), &report.facts);
    let numbered = |message, position: usize| LocalizedText::new(message).with("n", position + 1);
    if let Some(position) = index.signatures.position(&facts.signatures, id) {
        return numbered(CommonId::SubjectSignature, position);
    }
    if let Some(position) = index.timestamps.position(&facts.timestamps, id) {
        return numbered(CommonId::SubjectTimestamp, position);
    }
    if let Some(position) = index.evidence_records.position(&facts.evidence_records, id) {
        return numbered(CommonId::SubjectEvidenceRecord, position);
    }
    if let Some(certificate) = report.certificate(id) {
        return LocalizedText::new(CommonId::SubjectCertificate).with("name", certificate.name());
    }
    if let Some(revocation) = report.revocation(id) {
        let message = match revocation.kind() {
            RevocationType::Crl => CommonId::SubjectCrl,
            RevocationType::Ocsp => CommonId::SubjectOcsp,
        };
        let producer: LocalizedText =
            revocation.signer().map_or_else(|| CommonId::SignerUnknown.into(), |signer| signer.name().into());
        let issued = revocation.this_update().map_or_else(|| CommonId::NotStated.into(), LocalizedText::Time);
        return LocalizedText::new(message).with("name", producer).with("time", issued);
    }
    if let Some(list) = report.trusted_list(id) {
        return model::list_name(list);
    }
    LocalizedText::code(id.as_str())
}
