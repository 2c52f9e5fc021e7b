//! Evidence record validation process: EN 319 102-1 §5.6.2.5 (RFC 4998 §5.3, RFC 6283 §4.2.1).
//!
//! Answers whether an evidence record covers the data that is there, and proves since when. That the hashes form
//! the trees and chains that the record states is a fact, established before.

use super::algorithms::{self, Parts};
use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{Block, BlockBuilder, BlockKind, Concluded, Failure};
use super::fc;
use super::irregularities;
use super::outcome::outcomes;
use super::poe::Poe;
use super::token::Token;
use crate::facts::{
    Container, ContainerType, Covered, CoveredKind, DigestMatcher, EvidenceRecord, EvidenceRecordOrigin, Id,
    MatcherType, Shared, Timestamp,
};
use crate::policy::{Context, Level, PolicySection, Rule, RuleName};
use std::collections::{HashMap, HashSet};

outcomes! {
    /// The outcomes of the process, but for those of its time-stamps: EN 319 102-1 §5.6.2.5.
    enum NotValid {
        SignedDataNotFound,
        HashFailure,
        FormatFailure,
    }
}

/// The finished process.
#[derive(Debug)]
pub(super) struct Validated<'a> {
    /// Its checks and conclusion.
    pub block: Block,
    /// Since when the record proves existence: the validation time, unless all of its time-stamps are valid.
    pub poe: Poe<'a>,
}

/// Validates `record`; `timestamps` gives the archival results of its time-stamps.
pub(super) fn validate<'a>(
    cx: &ValidationContext<'a>,
    record: &'a EvidenceRecord,
    timestamps: &HashMap<Id, Block>,
) -> Validated<'a> {
    let mut block = BlockBuilder::new(BlockKind::EvidenceRecordValidation, &record.id);
    let process = Process { cx, record, timestamps, poe: proof(cx, record, timestamps) };
    let _ = process.run(&mut block);
    Validated { block: block.finish(), poe: process.poe }
}

/// Returns the time-stamps of a record, oldest first.
pub(super) fn timestamps_of<'a>(cx: &ValidationContext<'a>, record: &'a EvidenceRecord) -> Vec<&'a Timestamp> {
    record.timestamps.iter().filter_map(|id| cx.index.timestamp(id)).collect()
}

/// Returns the time of the first time-stamp, if all of them are valid; else the validation time.
fn proof<'a>(cx: &ValidationContext<'a>, record: &'a EvidenceRecord, results: &HashMap<Id, Block>) -> Poe<'a> {
    let all = timestamps_of(cx, record);
    let valid = all.iter().all(|timestamp| results.get(&timestamp.id).is_some_and(Block::is_passed));
    match all.first() {
        Some(first) if valid => Poe::of_timestamp(first),
        _ => Poe::now(cx.time),
    }
}

struct Process<'c, 'a> {
    cx: &'c ValidationContext<'a>,
    record: &'a EvidenceRecord,
    timestamps: &'c HashMap<Id, Block>,
    poe: Poe<'a>,
}

impl Process<'_, '_> {
    /// Runs the steps of §5.6.2.5.
    fn run(&self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        irregularities::check(
            self.cx,
            block,
            PolicySection::Token(Context::EvidenceRecord),
            &self.record.irregularities,
        )?;
        // 1) The data objects.
        self.data_objects(block)?;
        // 2) What is signed or time-stamped is covered.
        self.coverage(block)?;
        // 3) The time-stamps, oldest first.
        self.chain(block)?;
        // 4) The record's own algorithms when it was begun.
        let algorithms =
            algorithms::judge(self.cx, Token::EvidenceRecord(self.record), Parts::DIGEST_MATCHERS, self.poe.time);
        algorithms::check_result(block, &algorithms)
    }

    /// Checks the data objects: 1).
    fn data_objects(&self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        let missing = NotValid::SignedDataNotFound;
        let objects = || self.record.digest_matchers.iter().filter(|m| m.kind != MatcherType::ErOrphanReference);
        for matcher in objects() {
            let named = |check: CheckId| match &matcher.document_name {
                Some(name) => check.comparing(name.clone()),
                None => check.into(),
            };
            let rule = self.rule(RuleName::DataObjectExistence);
            block.check(rule, named(CheckId::ReferencedDataFound), matcher.data_found, missing)?;
            if matcher.data_found {
                let rule = self.rule(RuleName::DataObjectIntact);
                let failure = NotValid::HashFailure;
                block.check(rule, named(CheckId::ReferencedDataIntact), matcher.data_intact, failure)?;
            }
        }
        let found = |matcher: &Shared<DigestMatcher>| matcher.data_found;
        let any = objects().any(found);
        block.check(self.rule(RuleName::DataObjectFound), CheckId::DataObjectFound, any, missing)?;
        let all = self.record.digest_matchers.iter().all(found);
        block.check(self.rule(RuleName::DataObjectGroup), CheckId::DataObjectGroupComplete, all, missing)
    }

    /// Checks 2) that an embedded or detached record covers the files of the signatures that it covers; one in a
    /// container everything that is signed or time-stamped there; where it covers no signature, it is asked what signatures are.
    fn coverage(&self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        if self.record.origin != EvidenceRecordOrigin::Container {
            let signatures: Vec<_> = covered(self.record, CoveredKind::Signature)
                .filter_map(|object| self.cx.index.signature(&object.id))
                .collect();
            if !signatures.is_empty() {
                let data: HashSet<&Id> =
                    covered(self.record, CoveredKind::SignedData).map(|object| &object.id).collect();
                let all = signatures.iter().flat_map(|s| &s.scopes).all(|scope| data.contains(&scope.signed_data));
                let failure = NotValid::FormatFailure;
                block.check(self.rule(RuleName::SignedFilesCovered), CheckId::SignedFilesCovered, all, failure)?;
            }
        }
        if let Some(container) = &self.cx.facts.container
            && self.record.covered.iter().any(|o| matches!(o.kind, CoveredKind::Signature | CoveredKind::Timestamp))
        {
            let rule = self.rule(RuleName::ContainerSignedAndTimestampedFilesCovered);
            let failure = NotValid::FormatFailure;
            let all = self.covers_files(container);
            block.check(rule, CheckId::CoveredFilesCovered, all, failure)?;
        }
        let is_detached = self.record.origin == EvidenceRecordOrigin::Container
            && covered(self.record, CoveredKind::Signature).next().is_none();
        if is_detached { fc::evidence_record(self.cx, block, self.record) } else { Ok(()) }
    }

    /// Returns whether the record covers each file that is signed or time-stamped below it: by its manifest in ASiC-E,
    /// by its scopes in ASiC-S.
    fn covers_files(&self, container: &Container) -> bool {
        let file = self.record.file.as_deref().unwrap_or_default();
        match self.cx.index.files.covers_what_it_covers(file) {
            Some(complete) => complete,
            None => {
                let scopes: HashSet<&str> =
                    self.record.scopes.iter().filter_map(|scope| scope.name.as_deref()).collect();
                container.kind != Some(ContainerType::AsicE)
                    && container.contents.iter().all(|name| scopes.contains(name.as_str()))
            }
        }
    }

    /// Checks 3) the archival result of each time-stamp; the first that is not valid ends the process.
    fn chain(&self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        let timestamps = timestamps_of(self.cx, self.record);
        for timestamp in &timestamps {
            let Some(result) = self.timestamps.get(&timestamp.id) else { continue };
            let question = CheckId::TimestampValidWithArchivalData
                .about(&timestamp.id)
                .of_block(BlockKind::TimestampArchivalValidation);
            let failure = Failure::result_of(&result.conclusion);
            block.check_at(Level::Fail, question, result.is_passed(), failure)?;
        }
        Ok(())
    }

    fn rule(&self, name: RuleName) -> Option<&Rule> {
        self.cx.rule(PolicySection::Token(Context::EvidenceRecord), name)
    }
}

fn covered(record: &EvidenceRecord, kind: CoveredKind) -> impl Iterator<Item = &Covered> {
    record.covered.iter().filter(move |object| object.kind == kind)
}
