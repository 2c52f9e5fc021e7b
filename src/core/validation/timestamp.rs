//! Validation of time-stamps with archival data: EN 319 102-1 §5.6.2 applied to time-stamps, as §5.6.3.4 asks.
//!
//! Answers whether a time-stamp, though perhaps no longer valid by itself, was valid when something newer proves
//! that it existed.

use super::algorithms::{self, Parts};
use super::archival::check_evidence_records;
use super::check_id::CheckId;
use super::engine::{Block, BlockBuilder, BlockKind, Concluded, Failure};
use super::outcome::allows_past_validation;
use super::past_selection::Basis;
use super::psv::{self, PastSignature};
use super::sav::check_acceptance;
use super::token::Token;
use crate::facts::{Id, Timestamp};
use crate::policy::{Context, Level, PolicySection, RuleName};
use std::collections::HashMap;

/// The finished process.
#[derive(Debug)]
pub(super) struct Archival {
    /// Its checks and conclusion.
    pub block: Block,
    /// The past validation, where it was needed.
    pub past: Option<PastSignature>,
}

/// Validates `timestamp`, whose basic result is `basic`.
///
/// `evidence_records` gives the results of evidence records judged before: those over the time-stamp count.
pub(super) fn validate<'a>(
    basis: &Basis<'_, 'a>,
    timestamp: &'a Timestamp,
    basic: &Block,
    evidence_records: &HashMap<Id, Block>,
) -> Archival {
    let mut block = BlockBuilder::new(BlockKind::TimestampArchivalValidation, &timestamp.id);
    let mut past = None;
    let records = &timestamp.found_evidence_records;
    let _ = check_evidence_records(basis.cx, &mut block, records, evidence_records)
        .and_then(|()| run(basis, timestamp, basic, &mut block, &mut past));
    let mut block = block.finish();
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
    basis: &Basis<'_, 'a>,
    timestamp: &'a Timestamp,
    basic: &Block,
    block: &mut BlockBuilder,
    past: &mut Option<PastSignature>,
) -> Result<(), Concluded> {
    let cx = basis.cx;
    let token = Token::Timestamp(timestamp);
    let lowest = basis.poes.lowest(&timestamp.id).time;
    // The basic result's own warnings are shown with it, unless the policy asks for valid time-stamps.
    let rule = cx.rule(PolicySection::Token(Context::Timestamp), RuleName::TimestampValid);
    let relay = |check: CheckId| check.of_block(BlockKind::TimestampValidation).silent_if(rule.is_none());

    // 1) The basic result.
    let failure = Failure::relayed(&basic.conclusion);
    block.check_at(Level::Fail, relay(CheckId::TimestampResultAllowsPast), is_acceptable(basic), failure)?;
    let failure = Failure::relayed(&basic.conclusion);
    block.check_at(Level::Warn, relay(CheckId::TimestampValid), basic.is_passed(), failure)?;

    // 2) Where it does not suffice, the past.
    if !basic.is_passed() {
        let validated = psv::validate(basis, token, &basic.conclusion);
        let conclusion = validated.block.conclusion.clone();
        *past = Some(validated);
        let question =
            CheckId::PastTimestampValidationPassed.about(&timestamp.id).of_block(BlockKind::PastSignatureValidation);
        let failure = match conclusion.sub_indication == basic.conclusion.sub_indication {
            true => Failure::result_of(&conclusion),
            false => Failure::relayed(&conclusion),
        };
        let failure = failure.and(question.message(None));
        block.check_at(Level::Fail, question, conclusion.is_passed(), failure)?;
        check_acceptance(block, basis.blocks)?;
        algorithms::check_result(block, &algorithms::judge(cx, token, Parts::ALL, lowest))?;
    }

    // 3) The imprint's digest function when the time-stamp is first known to exist.
    let imprint = algorithms::judge(cx, token, Parts::DIGEST_MATCHERS, lowest);
    let question = CheckId::ImprintDigestReliableAtProof.comparing(lowest.to_string());
    let holds = imprint.block.is_passed();
    block.check_at(Level::Warn, question, holds, Failure::relayed(&imprint.block.conclusion))
}
