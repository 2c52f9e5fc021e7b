//! The order of the whole run: EN 319 102-1 §5.1.
//!
//! Building blocks first; then evidence records and time-stamps from the newest to the oldest, since the newer
//! ones prove the existence of what the older ones rest on; signatures last.

use super::archival::{self, Results};
use super::basic::{self, ContentTimestamp};
use super::bbb;
use super::blocks::{BuildingBlocks, Judged};
use super::context::ValidationContext;
use super::engine::{Block, Conclusion};
use super::evidence_record;
use super::findings;
use super::long_term;
use super::outcome::Indication;
use super::past_selection::Basis;
use super::poe::{Poe, PoeStore, is_content};
use super::timestamp;
use super::token::Token;
use super::verdict::{EvidenceRecordVerdict, Process, ProofOfExistence, SignatureVerdict, TimestampVerdict, Verdicts};
use crate::budget::Budget;
use crate::facts::{EvidenceRecord, Facts, Id, Signature, Timestamp, TimestampType};
use crate::policy::Policy;
use crate::time::Time;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// Judges `facts` by `policy` at `time`.
pub fn validate(facts: &Facts, policy: &Policy, time: Time) -> Verdicts {
    validate_within(facts, policy, time, &Budget::default())
}

/// Judges as [`validate`] does, within a budget.
pub fn validate_within(facts: &Facts, policy: &Policy, time: Time, budget: &Budget) -> Verdicts {
    let cx = ValidationContext::within(facts, policy, time, budget);
    let mut run = Run {
        cx: &cx,
        judged: building_blocks(&cx),
        poes: PoeStore::new(time),
        basic: HashMap::new(),
        archival: HashMap::new(),
        records: HashMap::new(),
    };
    run.basic_timestamps();
    let record_poes = run.evidence_records();
    run.timestamps(facts.timestamps.iter().filter(|t| t.kind != TimestampType::EvidenceRecord).collect());
    let signatures: Vec<_> = facts.signatures.iter().map(|signature| run.signature(signature)).collect();
    run.verdicts(signatures, record_poes)
}

/// Runs the building blocks of all revocation data, then of all time-stamps, then of signatures, then of
/// counter-signatures: the later ones read the earlier ones.
fn building_blocks(cx: &ValidationContext<'_>) -> Judged {
    let facts = cx.facts;
    let mut judged = Judged::with_capacity(facts.revocations.len() + facts.timestamps.len() + facts.signatures.len());
    for revocation in &facts.revocations {
        judged.entry(revocation.id.clone()).or_insert_with(|| bbb::revocation_blocks(cx, revocation));
    }
    for timestamp in &facts.timestamps {
        judged.entry(timestamp.id.clone()).or_insert_with(|| bbb::timestamp_blocks(cx, timestamp));
    }
    let (counter, own): (Vec<_>, Vec<_>) = facts.signatures.iter().partition(|s| s.counter_signature);
    for signature in own.into_iter().chain(counter) {
        if !judged.contains_key(&signature.id) {
            let blocks = bbb::signature_blocks(cx, signature, &judged);
            judged.insert(signature.id.clone(), blocks);
        }
    }
    judged
}

struct Run<'c, 'a> {
    cx: &'c ValidationContext<'a>,
    judged: Judged,
    poes: PoeStore<'a>,
    /// Basic results of time-stamps.
    basic: HashMap<Id, Block>,
    /// Archival results of time-stamps.
    archival: HashMap<Id, Block>,
    /// Results of evidence records.
    records: HashMap<Id, Block>,
}

impl<'a> Run<'_, 'a> {
    /// Runs the basic process of every time-stamp.
    fn basic_timestamps(&mut self) {
        for timestamp in &self.cx.facts.timestamps {
            if let Some(blocks) = self.judged.get(&timestamp.id) {
                let result = basic::validate_timestamp(self.cx, Token::Timestamp(timestamp), blocks);
                self.basic.entry(timestamp.id.clone()).or_insert(result);
            }
        }
    }

    /// Validates the evidence records, each after its own time-stamps. Those that pass prove existence.
    fn evidence_records(&mut self) -> BTreeMap<Id, ProofOfExistence> {
        let mut proofs = BTreeMap::new();
        for record in &self.cx.facts.evidence_records {
            let timestamps = evidence_record::timestamps_of(self.cx, record);
            let first = timestamps.first().copied();
            self.timestamps(timestamps.clone());
            // Its time-stamps prove existence to each other only: what the record covers is proven by the whole.
            timestamps.into_iter().for_each(|timestamp| self.poes.retract_timestamp(timestamp));
            let validated = evidence_record::validate(self.cx, record, &self.archival);
            if let Some(first) = first.filter(|_| validated.block.is_passed()) {
                self.poes.extract_evidence_record(record, first);
            }
            proofs.insert(record.id.clone(), validated.poe.proof());
            self.records.insert(record.id.clone(), validated.block);
        }
        proofs
    }

    /// Runs the archival process of time-stamps, newest first. Each that passes proves existence before the next older
    /// one is judged.
    fn timestamps(&mut self, mut timestamps: Vec<&'a Timestamp>) {
        crate::order::sort_by_key(&mut timestamps, |timestamp| Reverse(timestamp.production_time));
        for timestamp in timestamps {
            let Some(basic) = self.basic.get(&timestamp.id) else { continue };
            let Some(blocks) = self.judged.get(&timestamp.id) else { continue };
            let validated = timestamp::validate(&self.basis(blocks), timestamp, basic, &self.records);
            if validated.block.is_passed() {
                self.poes.extract_timestamp(timestamp);
            }
            self.archival.insert(timestamp.id.clone(), validated.block);
            if let Some((past, blocks)) = validated.past.zip(self.judged.get_mut(&timestamp.id)) {
                past.store(blocks);
            }
        }
    }

    /// Runs the three processes of a signature.
    fn signature(&mut self, signature: &'a Signature) -> Option<SignatureVerdict> {
        let blocks = self.judged.get(&signature.id)?;
        let content = self.content_timestamps(signature);
        let basic = basic::validate_signature(self.cx, Token::Signature(signature), blocks, &content);
        let basis = self.basis(blocks);
        let long_term = long_term::validate(basis, signature, &basic, &self.basic);

        if archival::is_acceptable(&long_term.block.conclusion) {
            self.poes.add(&signature.id, long_term.best);
        }
        let blocks = self.judged.get(&signature.id)?;
        let results = Results { timestamps: &self.archival, evidence_records: &self.records };
        let archival = archival::validate(&self.basis(blocks), signature, &long_term.block, long_term.best, results);

        let mut blocks = blocks.clone();
        if let Some(past) = archival.past {
            past.store(&mut blocks);
        }
        let (indication, sub_indication) = overall(&archival.block.conclusion);
        Some(SignatureVerdict {
            id: signature.id.clone(),
            indication,
            sub_indication,
            findings: findings::of_signature(&basic, &long_term.block, &archival.block),
            blocks,
            basic: Process { block: basic, best_signature_time: Poe::now(self.cx.time).proof(), selections: vec![] },
            long_term: Process {
                block: long_term.block,
                best_signature_time: long_term.best.proof(),
                selections: long_term.selections,
            },
            archival: Process { block: archival.block, best_signature_time: archival.best.proof(), selections: vec![] },
        })
    }

    fn content_timestamps(&self, signature: &'a Signature) -> Vec<ContentTimestamp<'_>> {
        let found = self.cx.index.timestamps(&signature.found_timestamps);
        found
            .filter(|timestamp| is_content(timestamp.kind))
            .filter_map(|timestamp| Some(ContentTimestamp { timestamp, basic: self.basic.get(&timestamp.id)? }))
            .collect()
    }

    fn basis<'b>(&'b self, blocks: &'b BuildingBlocks) -> Basis<'b, 'a> {
        Basis { cx: self.cx, blocks, judged: &self.judged, poes: &self.poes }
    }

    fn verdicts(
        mut self,
        signatures: Vec<Option<SignatureVerdict>>,
        mut proofs: BTreeMap<Id, ProofOfExistence>,
    ) -> Verdicts {
        let facts = self.cx.facts;
        let revocations = facts.revocations.iter().filter_map(|r| self.judged.remove(&r.id)).collect();
        let timestamps = facts.timestamps.iter().filter_map(|t| self.timestamp_verdict(t)).collect();
        let evidence_records =
            facts.evidence_records.iter().filter_map(|r| self.record_verdict(r, &mut proofs)).collect();
        Verdicts {
            time: self.cx.time,
            signatures: signatures.into_iter().flatten().collect(),
            timestamps,
            evidence_records,
            revocations,
            existence: crate::order::map(self.poes.proven().map(|(token, poe)| (token.clone(), poe.proof()))),
        }
    }

    fn timestamp_verdict(&mut self, timestamp: &Timestamp) -> Option<TimestampVerdict> {
        let basic = self.basic.remove(&timestamp.id)?;
        let archival = self.archival.remove(&timestamp.id)?;
        Some(TimestampVerdict {
            id: timestamp.id.clone(),
            blocks: self.judged.remove(&timestamp.id)?,
            findings: findings::of_timestamp(&basic, &archival),
            basic,
            archival,
        })
    }

    fn record_verdict(
        &mut self,
        record: &EvidenceRecord,
        proofs: &mut BTreeMap<Id, ProofOfExistence>,
    ) -> Option<EvidenceRecordVerdict> {
        let result = self.records.remove(&record.id)?;
        Some(EvidenceRecordVerdict {
            id: record.id.clone(),
            findings: findings::of_evidence_record(&result),
            result,
            proof_of_existence: proofs.get(&record.id)?.clone(),
        })
    }
}

/// Returns the result for the signature, that of the last process: §5.1.3.
fn overall(conclusion: &Conclusion) -> (Indication, Option<super::outcome::SubIndication>) {
    let indication = match conclusion.indication {
        Indication::Passed => Indication::TotalPassed,
        Indication::Failed => Indication::TotalFailed,
        other => other,
    };
    (indication, conclusion.sub_indication)
}
