//! What the judgement says of each token, and of the document.

use super::blocks::{BuildingBlocks, RevocationSelection};
use super::engine::{Block, BlockKind, Conclusion, Message};
use super::outcome::{Indication, SubIndication};
use crate::facts::Id;
use crate::time::Time;
use std::collections::BTreeMap;

/// The verdicts on every signature, time-stamp and evidence record of one record of facts.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Verdicts {
    /// The time for which was judged.
    pub time: Time,
    /// In the order of the facts, counter-signatures too.
    pub signatures: Vec<SignatureVerdict>,
    /// In the order of the facts, those of evidence records too.
    pub timestamps: Vec<TimestampVerdict>,
    /// In the order of the facts.
    pub evidence_records: Vec<EvidenceRecordVerdict>,
    /// The building blocks of the revocation data that were judged: EN 319 102-1 §5.2.6 rests on them.
    pub revocations: Vec<BuildingBlocks>,
    /// Since when each token is proven to exist, where something proves it: EN 319 102-1 §5.6.2.3.
    pub existence: BTreeMap<Id, ProofOfExistence>,
}

/// A proof of existence: when something is known to have existed, and by what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofOfExistence {
    /// It existed then.
    pub time: Time,
    /// The time-stamp or evidence record that proves it; `None` for the validation time itself.
    pub provider: Option<Id>,
}

/// The verdict on a signature.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SignatureVerdict {
    /// Which.
    pub id: Id,
    /// TOTAL-PASSED, TOTAL-FAILED or INDETERMINATE.
    pub indication: Indication,
    /// Why, where it is not TOTAL-PASSED.
    pub sub_indication: Option<SubIndication>,
    /// The building blocks, with past validation where it was tried.
    pub blocks: BuildingBlocks,
    /// The validation process for basic signatures: EN 319 102-1 §5.3.
    pub basic: Process,
    /// The one for signatures with time and with long-term validation material: §5.5.
    pub long_term: Process,
    /// The one for signatures with archival data: §5.6.
    pub archival: Process,
    /// What a reader should see of all this.
    pub findings: Findings,
}

/// A finished process, and since when the signature is known to exist according to it.
#[derive(Debug, Clone)]
pub struct Process {
    /// Its checks and conclusion.
    pub block: Block,
    /// The best-signature-time.
    pub best_signature_time: ProofOfExistence,
    /// The revocation data that it selected, one selection a certificate.
    pub selections: Vec<RevocationSelection>,
}

/// The verdict on a time-stamp.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TimestampVerdict {
    /// Which.
    pub id: Id,
    /// The building blocks, with past validation where it was tried.
    pub blocks: BuildingBlocks,
    /// The validation process for time-stamps: EN 319 102-1 §5.4.
    pub basic: Block,
    /// The one for time-stamps with archival data: §5.6.2.
    pub archival: Block,
    /// What a reader should see of all this.
    pub findings: Findings,
}

/// The verdict on an evidence record.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct EvidenceRecordVerdict {
    /// Which.
    pub id: Id,
    /// The process: EN 319 102-1 §5.6.2.5.
    pub result: Block,
    /// The lowest proof of existence that it gives.
    pub proof_of_existence: ProofOfExistence,
    /// What a reader should see of all this.
    pub findings: Findings,
}

/// The verdict on a certificate that is judged by itself.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CertificateVerdict {
    /// Which.
    pub id: Id,
    /// The time for which was judged.
    pub time: Time,
    /// PASSED, FAILED or INDETERMINATE.
    pub indication: Indication,
    /// Why, where it is not PASSED.
    pub sub_indication: Option<SubIndication>,
    /// Its one building block, X.509 certificate validation, and the algorithms of its chain.
    pub blocks: BuildingBlocks,
    /// What a reader should see of all this.
    pub findings: Findings,
}

/// The messages that a reader should see, without repetition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Findings {
    /// What keeps the token from PASSED.
    pub errors: Vec<Message>,
    /// What the policy only warns of.
    pub warnings: Vec<Message>,
    /// What may be good to know.
    pub infos: Vec<Message>,
}

impl Verdicts {
    /// Returns the verdict on the signature with that id.
    pub fn signature(&self, id: &Id) -> Option<&SignatureVerdict> {
        self.signatures.iter().find(|s| s.id == *id)
    }

    /// Returns the verdict on the time-stamp with that id.
    pub fn timestamp(&self, id: &Id) -> Option<&TimestampVerdict> {
        self.timestamps.iter().find(|t| t.id == *id)
    }

    /// Returns the verdict on the evidence record with that id.
    pub fn evidence_record(&self, id: &Id) -> Option<&EvidenceRecordVerdict> {
        self.evidence_records.iter().find(|e| e.id == *id)
    }

    /// Returns the worst indication over all signatures: TOTAL-FAILED, then INDETERMINATE, then TOTAL-PASSED.
    pub fn indication(&self) -> Indication {
        let has = |indication| self.signatures.iter().any(|s| s.indication == indication);
        if self.signatures.is_empty() {
            Indication::NoSignatureFound
        } else if has(Indication::TotalFailed) {
            Indication::TotalFailed
        } else if has(Indication::Indeterminate) {
            Indication::Indeterminate
        } else {
            Indication::TotalPassed
        }
    }
}

impl SignatureVerdict {
    /// Returns the building block of that kind, where it was run.
    pub fn block(&self, kind: BlockKind) -> Option<&Block> {
        self.blocks.block(kind)
    }

    /// Returns the best-signature-time of the last process: since when the signature is known to exist.
    pub fn best_signature_time(&self) -> &ProofOfExistence {
        &self.archival.best_signature_time
    }
}

impl TimestampVerdict {
    /// Returns the building block of that kind, where it was run.
    pub fn block(&self, kind: BlockKind) -> Option<&Block> {
        self.blocks.block(kind)
    }

    /// Returns what the last process concludes.
    pub fn conclusion(&self) -> &Conclusion {
        &self.archival.conclusion
    }
}
