//! What is covered with a file of the container: EN 319 162-1 §4.4.4, annex A.7; EN 319 102-1 §5.6.

use crate::facts::{Covered, CoveredKind, Id};
use crate::formats::draft::{Covers, EvidenceRecordDraft, Material, SignatureDraft, TimestampDraft};
use std::collections::HashMap;

/// What the tokens in each file are, and what they hold: existing before whatever covers that file.
#[derive(Debug, Default)]
pub(super) struct Held<'u> {
    by_file: HashMap<&'u str, Vec<Covers<'u>>>,
}

impl<'u> Held<'u> {
    /// What is covered with the file.
    pub(super) fn in_file(&self, file: &str) -> &[Covers<'u>] {
        self.by_file.get(file).map(Vec::as_slice).unwrap_or_default()
    }

    /// A signature or counter-signature, with its time-stamps and validation data.
    pub(super) fn signature(&mut self, file: &'u str, draft: &SignatureDraft<'u>) {
        let covers = self.by_file.entry(file).or_default();
        covers.extend(draft.facts.scopes.iter().map(|scope| token(CoveredKind::SignedData, &scope.signed_data)));
        covers.push(token(CoveredKind::Signature, &draft.facts.id));
        material(covers, &draft.material);
        for timestamp in &draft.timestamps {
            covers.push(token(CoveredKind::Timestamp, &timestamp.facts.id));
            material(covers, &timestamp.material);
        }
        draft.evidence_records.iter().for_each(|draft| record(covers, draft));
    }

    /// A time-stamp.
    pub(super) fn timestamp(&mut self, file: &'u str, draft: &TimestampDraft<'u>) {
        let covers = self.by_file.entry(file).or_default();
        covers.extend(draft.facts.scopes.iter().map(|scope| token(CoveredKind::SignedData, &scope.signed_data)));
        covers.push(token(CoveredKind::Timestamp, &draft.facts.id));
        material(covers, &draft.material);
    }

    /// An evidence record.
    pub(super) fn record(&mut self, file: &'u str, draft: &EvidenceRecordDraft<'u>) {
        record(self.by_file.entry(file).or_default(), draft);
    }
}

fn record<'u>(covers: &mut Vec<Covers<'u>>, draft: &EvidenceRecordDraft<'u>) {
    covers.push(token(CoveredKind::EvidenceRecord, &draft.facts.id));
    material(covers, &draft.material);
    for timestamp in &draft.timestamps {
        covers.push(token(CoveredKind::Timestamp, &timestamp.facts.id));
        material(covers, &timestamp.material);
    }
}

fn material<'u>(covers: &mut Vec<Covers<'u>>, material: &Material<'u>) {
    covers.extend(material.certificate_refs.iter().cloned().map(Covers::CertificateRef));
    covers.extend(material.revocation_refs.iter().cloned().map(|(kind, r)| Covers::RevocationRef(kind, r)));
    covers.extend(material.certificates.iter().map(|c| Covers::Certificate(c.octets.clone())));
    covers.extend(material.revocations.iter().map(|r| Covers::Revocation(r.kind, r.octets.clone())));
}

/// A token that is covered.
pub(super) fn token<'u>(kind: CoveredKind, id: &Id) -> Covers<'u> {
    Covers::Token(Covered { kind, id: id.clone() })
}
