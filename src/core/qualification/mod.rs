//! Qualification: what a signature, time-stamp or certificate is under eIDAS, as TS 119 615 finds out.
//!
//! The judgement says whether a signature is good; qualification says what it
//! then is: a qualified electronic signature, a seal with a qualified
//! certificate, or nothing that the Regulation knows. It follows the signing
//! certificate to the trusted lists, asks what they said of its issuer when the
//! certificate was issued and when the signature was made, and looks the
//! answer up in the standard's matrix. It is a pure function of facts, policy,
//! verdicts and time, and in doubt it says less.

mod at_moment;
mod certificate;
mod codes;
mod consistency;
#[cfg(test)]
mod corpus;
mod filters;
mod kind;
mod lists;
mod matrix;
mod qscd;
mod qualified;
mod qwac;
mod reach;
mod service;
mod signature;
#[cfg(test)]
mod testing;
mod timestamp;
mod vocabulary;

pub use at_moment::{Moment, QualificationAt};
pub use certificate::{QualifiedCertificate, certificate};
pub use codes::{CertificateQualification, SignatureQualification, TimestampQualification};
pub use kind::CertificateType;
pub use qwac::{QualifiedConnection, QwacProfile, connection};
pub use service::ListedService;
pub use signature::QualifiedSignature;
pub use timestamp::{QualifiedTimestamp, TimestampServiceAt};

use crate::facts::{Covered, CoveredKind, Facts, Id, Timestamp};
use crate::policy::Policy;
use crate::time::Time;
use crate::validation::Verdicts;
use crate::validation::engine::{Block, Conclusion};
use crate::validation::outcome::Indication;
use lists::Analyses;
use reach::Reach;
use std::collections::HashMap;

/// What every token of a record is under eIDAS.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Qualifications {
    /// The analysis of each trusted list, in the order of the facts.
    pub lists: Vec<Block>,
    /// In the order of the facts; empty where the policy has no eIDAS part.
    pub signatures: Vec<QualifiedSignature>,
    /// In the order of the facts; empty where the policy has no eIDAS part.
    pub timestamps: Vec<QualifiedTimestamp>,
}

/// Qualifies every signature and time-stamp that was judged.
pub fn qualify(facts: &Facts, policy: &Policy, verdicts: &Verdicts, now: Time) -> Qualifications {
    if !policy.has_eidas() {
        return Qualifications::default();
    }
    let lists = Analyses::new(facts, policy, now);
    let signatures = facts.signatures.iter().filter_map(|s| {
        let verdict = verdicts.signature(&s.id)?;
        Some(signature::qualify(&lists, s, verdict.indication, verdict.best_signature_time().time))
    });
    let passed = |id: &Id| verdicts.timestamp(id).is_some_and(|v| v.conclusion().is_passed());
    let recorded = |id: &Id| {
        let verdict = verdicts.evidence_record(id).filter(|v| v.result.conclusion.is_passed())?;
        Some(verdict.proof_of_existence.time)
    };
    let proofs = Proofs::new(facts, passed, recorded);
    let timestamps = facts.timestamps.iter().map(|t| {
        let indication = verdicts.timestamp(&t.id).map_or(Indication::Indeterminate, |v| v.conclusion().indication);
        timestamp::qualify(&lists, t, indication, proofs.earliest(t, now))
    });
    Qualifications { signatures: signatures.collect(), timestamps: timestamps.collect(), lists: lists.blocks }
}

impl Qualifications {
    /// Returns the analysis of the list with that id.
    pub fn list(&self, id: &Id) -> Option<&Block> {
        self.lists.iter().find(|block| block.token.as_ref() == Some(id))
    }

    /// Returns the qualification of the signature with that id.
    pub fn signature(&self, id: &Id) -> Option<&QualifiedSignature> {
        self.signatures.iter().find(|s| s.id == *id)
    }

    /// Returns the qualification of the time-stamp with that id.
    pub fn timestamp(&self, id: &Id) -> Option<&QualifiedTimestamp> {
        self.timestamps.iter().find(|t| t.id == *id)
    }
}

/// What proves that time-stamps existed: the times of the time-stamps and evidence records over them that hold.
struct Proofs<'a> {
    stamped: HashMap<&'a Id, Vec<Time>>,
    recorded: HashMap<&'a Id, Vec<Time>>,
}

impl<'a> Proofs<'a> {
    /// Collects the proofs of the time-stamps that passed, and of the records that hold since the time that `recorded`
    /// gives.
    fn new(facts: &'a Facts, passed: impl Fn(&Id) -> bool, recorded: impl Fn(&Id) -> Option<Time>) -> Self {
        let mut proofs = Self { stamped: HashMap::new(), recorded: HashMap::new() };
        for timestamp in facts.timestamps.iter().filter(|timestamp| passed(&timestamp.id)) {
            for id in timestamps(&timestamp.covered) {
                proofs.stamped.entry(id).or_default().push(timestamp.production_time);
            }
        }
        for (record, time) in facts.evidence_records.iter().filter_map(|record| Some((record, recorded(&record.id)?))) {
            for id in timestamps(&record.covered) {
                proofs.recorded.entry(id).or_default().push(time);
            }
        }
        proofs
    }

    /// Returns when the time-stamp is first proven to have existed: by no time-stamp that is older than it is.
    fn earliest(&self, timestamp: &Timestamp, now: Time) -> Time {
        let stamped = self.stamped.get(&timestamp.id).into_iter().flatten();
        let recorded = self.recorded.get(&timestamp.id).into_iter().flatten();
        stamped.filter(|time| **time >= timestamp.production_time).chain(recorded).copied().fold(now, Time::min)
    }
}

fn timestamps(covered: &[Covered]) -> impl Iterator<Item = &Id> {
    covered.iter().filter(|covered| covered.kind == CoveredKind::Timestamp).map(|covered| &covered.id)
}

/// Adds the messages of the lists and of inner blocks to a block's conclusion.
///
/// A qualification fails by any error below it and is in doubt by any warning.
fn gather<'b>(mut block: Block, reached: &Reach, inner: impl Iterator<Item = &'b Block>) -> Block {
    let conclusion: &mut Conclusion = &mut block.conclusion;
    conclusion.errors.extend(reached.errors.iter().cloned());
    conclusion.warnings.extend(reached.warnings.iter().cloned());
    conclusion.infos.extend(reached.infos.iter().cloned());
    for block in inner {
        conclusion.errors.extend(block.conclusion.errors.iter().cloned());
        conclusion.warnings.extend(block.conclusion.warnings.iter().cloned());
        conclusion.infos.extend(block.conclusion.infos.iter().cloned());
    }
    conclusion.indication = if !conclusion.errors.is_empty() {
        Indication::Failed
    } else if !conclusion.warnings.is_empty() {
        Indication::Indeterminate
    } else {
        Indication::Passed
    };
    block
}
