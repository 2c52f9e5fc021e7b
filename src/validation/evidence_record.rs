//! Evidence record validation process: EN 319 102-1 §5.6.2.5 (RFC 4998 §5.3, RFC 6283 §4.2.1).
//!
//! Answers whether an evidence record covers the data that is there, and proves since when. That the hashes form
//! the trees and chains that the record states is a fact, established before.

use super::aov::{self, Parts};
use super::case::Case;
use super::engine::{Ask, Block, BlockKind, Concluded, Failure, Steps, ask};
use super::irregularities;

use super::outcome::SubIndication;
use super::poe::Poe;
use super::token::Token;
use crate::facts::{
    Container, ContainerType, Covered, CoveredKind, DigestMatcher, EvidenceRecord, EvidenceRecordOrigin, Id,
    MatcherType, Shared, Timestamp,
};
use crate::policy::{Context, Level, Place, Rule, RuleName};
use std::collections::{BTreeMap, HashSet};

/// The finished process.
#[derive(Debug)]
pub(super) struct Validated<'a> {
    /// Its checks and conclusion.
    pub block: Block,
    /// Since when the record proves existence: the validation time, unless all of its time-stamps are valid.
    pub poe: Poe<'a>,
}

/// The process for `record`; `timestamps` gives the archival results of its time-stamps.
pub(super) fn validate<'a>(
    case: &Case<'a>,
    record: &'a EvidenceRecord,
    timestamps: &BTreeMap<Id, Block>,
) -> Validated<'a> {
    let mut steps = Steps::new(BlockKind::EvidenceRecordValidation, Some(&record.id));
    let process = Process { case, record, timestamps, poe: proof(case, record, timestamps) };
    let _ = process.steps(&mut steps);
    // What a time-stamp has to say is shown with it.
    let block = steps.finish_showing(|check| check.block != Some(BlockKind::TimestampArchivalValidation));
    Validated { block, poe: process.poe }
}

/// The time-stamps of a record, oldest first.
pub(super) fn timestamps_of<'a>(case: &Case<'a>, record: &'a EvidenceRecord) -> Vec<&'a Timestamp> {
    record.timestamps.iter().filter_map(|id| case.timestamp(id)).collect()
}

/// The time of the first time-stamp, if all of them are valid; else the validation time.
fn proof<'a>(case: &Case<'a>, record: &'a EvidenceRecord, results: &BTreeMap<Id, Block>) -> Poe<'a> {
    let all = timestamps_of(case, record);
    let valid = all.iter().all(|timestamp| results.get(&timestamp.id).is_some_and(Block::is_passed));
    match all.first() {
        Some(first) if valid => Poe::of_timestamp(first),
        _ => Poe::now(case.time),
    }
}

struct Process<'c, 'a> {
    case: &'c Case<'a>,
    record: &'a EvidenceRecord,
    timestamps: &'c BTreeMap<Id, Block>,
    poe: Poe<'a>,
}

impl Process<'_, '_> {
    /// §5.6.2.5.
    fn steps(&self, steps: &mut Steps) -> Result<(), Concluded> {
        irregularities::check(self.case, steps, Place::Token(Context::EvidenceRecord), &self.record.irregularities)?;
        // 1) The data objects.
        self.data_objects(steps)?;
        // 2) What is signed or time-stamped is covered.
        self.coverage(steps)?;
        // 3) The time-stamps, oldest first.
        self.chain(steps)?;
        // 4) The record's own algorithms when it was begun.
        let algorithms = aov::aov(self.case, Token::EvidenceRecord(self.record), Parts::DIGEST_MATCHERS, self.poe.time);
        aov::check_result(steps, &algorithms)
    }

    /// 1).
    fn data_objects(&self, steps: &mut Steps) -> Result<(), Concluded> {
        let missing = || Failure::indeterminate(SubIndication::SignedDataNotFound);
        let objects = || self.record.digest_matchers.iter().filter(|m| m.kind != MatcherType::ErOrphanReference);
        for matcher in objects() {
            let named = |question: Ask| match &matcher.document_name {
                Some(name) => question.comparing(name.clone()),
                None => question,
            };
            let rule = self.rule(RuleName::DataObjectExistence);
            steps.rule(rule, named(ask!("BBB_CV_IRDOF")), matcher.data_found, missing())?;
            if matcher.data_found {
                let rule = self.rule(RuleName::DataObjectIntact);
                let failure = Failure::failed(SubIndication::HashFailure);
                steps.rule(rule, named(ask!("BBB_CV_IRDOI")), matcher.data_intact, failure)?;
            }
        }
        let found = |matcher: &Shared<DigestMatcher>| matcher.data_found;
        let any = objects().any(found);
        steps.rule(self.rule(RuleName::DataObjectFound), ask!("BBB_CV_ER_IODOF"), any, missing())?;
        let all = self.record.digest_matchers.iter().all(found);
        steps.rule(self.rule(RuleName::DataObjectGroup), ask!("BBB_CV_ER_DFHVLCDOG"), all, missing())
    }

    /// 2): an embedded or detached record covers the files of the signatures that it covers; one in a container
    /// everything that is signed or time-stamped there.
    fn coverage(&self, steps: &mut Steps) -> Result<(), Concluded> {
        if self.record.origin != EvidenceRecordOrigin::Container {
            let signatures: Vec<_> = covered(self.record, CoveredKind::Signature)
                .filter_map(|object| self.case.signature(&object.id))
                .collect();
            if !signatures.is_empty() {
                let data: HashSet<&Id> =
                    covered(self.record, CoveredKind::SignedData).map(|object| &object.id).collect();
                let all = signatures.iter().flat_map(|s| &s.scopes).all(|scope| data.contains(&scope.signed_data));
                let failure = Failure::failed(SubIndication::FormatFailure);
                steps.rule(self.rule(RuleName::SignedFilesCovered), ask!("BBB_CV_ER_HASSDOC"), all, failure)?;
            }
        }
        if let Some(container) = &self.case.facts.container
            && self.record.covered.iter().any(|o| matches!(o.kind, CoveredKind::Signature | CoveredKind::Timestamp))
        {
            let rule = self.rule(RuleName::ContainerSignedAndTimestampedFilesCovered);
            let failure = Failure::failed(SubIndication::FormatFailure);
            let all = self.covers_files(container);
            steps.rule(rule, ask!("BBB_FC_ISFP_ASTFORAMC"), all, failure)?;
        }
        Ok(())
    }

    /// Whether the record covers each file that is signed or time-stamped below it: by its manifest in ASiC-E, by
    /// its scopes in ASiC-S.
    fn covers_files(&self, container: &Container) -> bool {
        let file = self.record.file.as_deref().unwrap_or_default();
        match self.case.files.covers_what_it_covers(file) {
            Some(complete) => complete,
            None => {
                let scopes: HashSet<&str> =
                    self.record.scopes.iter().filter_map(|scope| scope.name.as_deref()).collect();
                container.kind != Some(ContainerType::AsicE)
                    && container.contents.iter().all(|name| scopes.contains(name.as_str()))
            }
        }
    }

    /// 3): the archival result of each time-stamp; the first that is not valid ends the process.
    fn chain(&self, steps: &mut Steps) -> Result<(), Concluded> {
        let timestamps = timestamps_of(self.case, self.record);
        for timestamp in &timestamps {
            let Some(result) = self.timestamps.get(&timestamp.id) else { continue };
            let question =
                ask!("ADEST_IBSVPTADC").about(&timestamp.id).of_block(BlockKind::TimestampArchivalValidation);
            let mut failure = Failure::relayed(&result.conclusion);
            failure.previous_errors.clear();
            steps.level(Some(Level::Fail), question, result.is_passed(), failure)?;
        }
        Ok(())
    }

    fn rule(&self, name: RuleName) -> Option<&Rule> {
        self.case.rule(Place::Token(Context::EvidenceRecord), name)
    }
}

fn covered(record: &EvidenceRecord, kind: CoveredKind) -> impl Iterator<Item = &Covered> {
    record.covered.iter().filter(move |object| object.kind == kind)
}
