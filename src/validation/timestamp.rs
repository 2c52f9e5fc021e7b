//! Validation of time-stamps with archival data: EN 319 102-1 §5.6.2 applied to time-stamps, as §5.6.3.4 asks.
//!
//! Answers whether a time-stamp, though perhaps no longer valid by itself, was valid when something newer proves
//! that it existed.

use super::aov::{self, Parts};
use super::archival::check_evidence_records;
use super::case::allows_past_validation;
use super::engine::{Ask, Block, BlockKind, Concluded, Failure, Steps, ask};
use super::psv::{self, PastSignature};
use super::selection::Evidence;
use super::token::Token;
use crate::facts::{Id, Timestamp};
use crate::policy::{Context, Level, Place, RuleName};
use std::collections::BTreeMap;

/// The finished process.
#[derive(Debug)]
pub(super) struct Archival {
    /// Its checks and conclusion.
    pub block: Block,
    /// The past validation, where it was needed.
    pub past: Option<PastSignature>,
}

/// The process for `timestamp`, whose basic result is `basic`.
///
/// `evidence_records` gives the results of evidence records judged before: those over the time-stamp count.
pub(super) fn validate<'a>(
    evidence: &Evidence<'_, 'a>,
    timestamp: &'a Timestamp,
    basic: &Block,
    evidence_records: &BTreeMap<Id, Block>,
) -> Archival {
    let mut steps = Steps::new(BlockKind::TimestampArchivalValidation, Some(&timestamp.id));
    let mut past = None;
    let records = &timestamp.found_evidence_records;
    let _ = check_evidence_records(evidence.case, &mut steps, records, evidence_records)
        .and_then(|()| run(evidence, timestamp, basic, &mut steps, &mut past));
    let rule = evidence.case.rule(Place::Token(Context::Timestamp), RuleName::TimestampValid);
    let hidden = |block| block == Some(BlockKind::TimestampValidation) && rule.is_none();
    let mut block = steps.finish_showing(|check| !hidden(check.block));
    if !is_acceptable(basic) {
        block.conclusion.warnings.extend(basic.conclusion.warnings.iter().cloned());
        block.conclusion.infos.extend(basic.conclusion.infos.iter().cloned());
    }
    Archival { block, past }
}

fn is_acceptable(basic: &Block) -> bool {
    allows_past_validation(basic.conclusion.indication, basic.conclusion.sub_indication)
}

fn run<'a>(
    evidence: &Evidence<'_, 'a>,
    timestamp: &'a Timestamp,
    basic: &Block,
    steps: &mut Steps,
    past: &mut Option<PastSignature>,
) -> Result<(), Concluded> {
    let case = evidence.case;
    let token = Token::Timestamp(timestamp);
    let lowest = evidence.poes.lowest(&timestamp.id).time;
    let relay = |question: Ask| question.of_block(BlockKind::TimestampValidation);

    // 1) The basic result.
    let failure = Failure::relayed(&basic.conclusion);
    steps.level(Some(Level::Fail), relay(ask!("ARCH_IRTVBBA")), is_acceptable(basic), failure)?;
    let failure = Failure::relayed(&basic.conclusion);
    steps.level(Some(Level::Warn), relay(ask!("ADEST_IBSVPTC")), basic.is_passed(), failure)?;

    // 2) Where it does not suffice, the past.
    if !basic.is_passed() {
        let validated = psv::validate(evidence, token, &basic.conclusion);
        let conclusion = validated.block.conclusion.clone();
        *past = Some(validated);
        let question = ask!("PSV_IPTVC").about(&timestamp.id).of_block(BlockKind::PastSignatureValidation);
        let mut failure = Failure::relayed(&conclusion);
        if conclusion.sub_indication == basic.conclusion.sub_indication {
            failure.previous_errors.clear();
        }
        failure.previous_errors.push(question.message());
        steps.level(Some(Level::Fail), question, conclusion.is_passed(), failure)?;
        aov::check_result(steps, &aov::aov(case, token, Parts::ALL, lowest))?;
    }

    // 3) The imprint's digest function when the time-stamp is first known to exist.
    let imprint = aov::aov(case, token, Parts::DIGEST_MATCHERS, lowest);
    let question = ask!("ARCH_ICHFCRLPOET").comparing(lowest.to_string());
    let holds = imprint.block.is_passed();
    steps.level(Some(Level::Warn), question, holds, Failure::relayed(&imprint.block.conclusion))
}
