//! Validation process for signatures with archival data: EN 319 102-1 §5.6.
//!
//! Answers whether a signature that long-term validation leaves open was valid when time-stamps over its
//! validation material, or evidence records, prove that it existed.

use super::algorithms::{self, Parts};
use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{Block, BlockBuilder, BlockKind, Concluded, Conclusion, Failure};
use super::lta_material;
use super::outcome::{Indication, SubIndication, allows_past_validation};
use super::past_selection::Basis;
use super::poe::Poe;
use super::psv::{self, PastSignature};
use super::sav::check_acceptance;
use super::signature_timestamps::{check_delay, required};
use super::token::Token;
use crate::facts::{Id, Signature, Timestamp};
use crate::policy::{Context, Level, PolicySection, RuleName};
use std::collections::HashMap;

/// The finished process.
#[derive(Debug)]
pub(super) struct Archival<'a> {
    /// Its checks and conclusion.
    pub block: Block,
    /// The best-signature-time.
    pub best: Poe<'a>,
    /// The past validation, where it was needed.
    pub past: Option<PastSignature>,
}

/// Results of the tokens that the signature rests on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Results<'c> {
    /// The archival results of time-stamps.
    pub timestamps: &'c HashMap<Id, Block>,
    /// The results of evidence records.
    pub evidence_records: &'c HashMap<Id, Block>,
}

/// Validates `signature`, whose long-term result is `long_term` at the best-signature-time `best`; the proof
/// of that time is in the store already.
pub(super) fn validate<'a>(
    basis: &Basis<'_, 'a>,
    signature: &'a Signature,
    long_term: &Block,
    best: Poe<'a>,
    results: Results<'_>,
) -> Archival<'a> {
    let mut block = BlockBuilder::new(BlockKind::ArchivalValidation, &signature.id);
    let long_term = &long_term.conclusion;
    let mut process = Process { basis, signature, long_term, best, results, past: None };
    let _ = process.run(&mut block);
    let mut block = block.finish();
    // Where this process has nothing to add, what the one before has to say stands.
    if !is_acceptable(long_term) || !lta_material::is_present(basis.cx, signature) {
        block.conclusion.warnings.extend(long_term.warnings.iter().cloned());
        block.conclusion.infos.extend(long_term.infos.iter().cloned());
    }
    Archival { block, best: process.best, past: process.past }
}

/// Returns whether a long-term result makes it worth while to look at archival material.
pub(super) fn is_acceptable(long_term: &Conclusion) -> bool {
    let (indication, sub) = (long_term.indication, long_term.sub_indication);
    allows_past_validation(indication, sub)
        || indication == Indication::Indeterminate
            && matches!(sub, Some(SubIndication::SigConstraintsFailure | SubIndication::TryLater))
}

struct Process<'c, 'a> {
    basis: &'c Basis<'c, 'a>,
    signature: &'a Signature,
    long_term: &'c Conclusion,
    best: Poe<'a>,
    results: Results<'c>,
    past: Option<PastSignature>,
}

impl<'a> Process<'_, 'a> {
    /// Runs the steps of §5.6.3.4.
    fn run(&mut self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        let fail = Some(Level::Fail);
        // The best-signature-time stands whether or not 1) and 4) let the process go on.
        if is_acceptable(self.long_term) && (!self.asks_for_material() || self.has_material()) {
            self.best = self.basis.poes.lowest(&self.signature.id);
            if !self.long_term.is_passed() {
                self.past = Some(psv::validate(self.basis, self.token(), self.long_term));
            }
        }
        // 1) Evidence records.
        let records = &self.signature.found_evidence_records;
        check_evidence_records(self.basis.cx, block, records, self.results.evidence_records)?;
        // 2) The long-term result.
        let question = CheckId::LongTermResultAllowsArchival.of_block(BlockKind::LongTermValidation);
        block.check_at(fail, question, is_acceptable(self.long_term), Failure::relayed(self.long_term))?;
        // 3) Material that reaches further.
        if self.asks_for_material() {
            self.material(block)?;
        }
        // 4) The time-stamps, newest first.
        self.timestamps(block)?;
        let context = self.context();
        required(self.basis.cx, self.signature, context, block, &|t| is_passed(self.results.timestamps, t))?;
        // 5), 6) Past signature validation at the best-signature-time that they prove.
        let Some(past) = &self.past else { return Ok(()) };
        let conclusion = &past.block.conclusion;
        let question = CheckId::PastSignatureValidationPassed
            .about(&self.signature.id)
            .of_block(BlockKind::PastSignatureValidation);
        let failure = match conclusion.sub_indication == self.long_term.sub_indication {
            true => Failure::result_of(conclusion),
            false => Failure::relayed(conclusion),
        };
        let failure = failure.and(question.message(None));
        block.check_at(fail, question, conclusion.is_passed(), failure)?;
        // 7) Delay, attributes and algorithms at that time.
        let rule = self.basis.cx.rule(PolicySection::Token(Context::Timestamp), RuleName::TimestampDelay);
        check_delay(block, rule, self.signature, &self.best)?;
        check_acceptance(block, self.basis.blocks)?;
        let algorithms = algorithms::judge(self.basis.cx, self.token(), Parts::ALL, self.best.time);
        algorithms::check_result(block, &algorithms)
    }

    /// Returns whether 3) is asked: a trust that ended needs proof of time only.
    fn asks_for_material(&self) -> bool {
        self.long_term.sub_indication != Some(SubIndication::NoCertificateChainFoundNoPoe)
    }

    fn has_material(&self) -> bool {
        lta_material::is_present(self.basis.cx, self.signature)
    }

    /// Checks 3) that there is material; where the long-term result is PASSED, none is needed.
    fn material(&self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        let present = self.has_material();
        let level = if self.long_term.is_passed() { Level::Inform } else { Level::Fail };
        // That there is none is no fault in itself.
        let question = CheckId::LongTermMaterialPresent.of_block(BlockKind::ArchivalValidation).silent();
        let failure = Failure::relayed(self.long_term).and(question.message(Some(&self.signature.id)));
        block.check_at(level, question, present, failure)?;
        if present { Ok(()) } else { Err(Concluded) }
    }

    /// Checks the time-stamps: 4).
    fn timestamps(&self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        let rule = self.basis.cx.rule(PolicySection::Token(Context::Timestamp), RuleName::TimestampValid);
        let level = rule.map_or(Level::Warn, |rule| rule.level);
        let found = self.basis.cx.index.timestamps(&self.signature.found_timestamps);
        let mut newest_first: Vec<&Timestamp> = found.collect();
        crate::order::sort_by_key(&mut newest_first, |timestamp| std::cmp::Reverse(timestamp.production_time));
        for timestamp in newest_first {
            let Some(result) = self.results.timestamps.get(&timestamp.id) else { continue };
            let question = CheckId::TimestampValidWithArchivalData
                .about(&timestamp.id)
                .of_block(BlockKind::TimestampArchivalValidation);
            // Its own warnings are shown with the time-stamp, unless the policy asks for valid ones.
            let question = question.silent_if(rule.is_none());
            block.check_at(level, question, result.is_passed(), Failure::relayed(&result.conclusion))?;
        }
        Ok(())
    }

    fn token(&self) -> Token<'a> {
        Token::Signature(self.signature)
    }

    fn context(&self) -> Context {
        self.token().context()
    }
}

/// Checks the results of the evidence records over a token.
pub(super) fn check_evidence_records(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    records: &[Id],
    results: &HashMap<Id, Block>,
) -> Result<(), Concluded> {
    let rule = cx.rule(PolicySection::Token(Context::EvidenceRecord), RuleName::EvidenceRecordValid);
    let level = rule.map_or(Level::Warn, |rule| rule.level);
    for (id, result) in records.iter().filter_map(|id| Some((id, results.get(id)?))) {
        let question = CheckId::EvidenceRecordValid.about(id).of_block(BlockKind::EvidenceRecordValidation);
        block.check_at(Some(level), question, result.is_passed(), Failure::relayed(&result.conclusion))?;
    }
    Ok(())
}

fn is_passed(results: &HashMap<Id, Block>, timestamp: &Timestamp) -> bool {
    results.get(&timestamp.id).is_some_and(Block::is_passed)
}

#[cfg(test)]
mod tests {
    use crate::facts::{Facts, TimestampType};
    use crate::validation::situations::policy;
    use crate::validation::testing::*;
    use crate::validation::validate;

    /// Adds a signature time-stamp, and an archive time-stamp over it and the validation material.
    fn archived(facts: Facts, time: &str) -> Facts {
        let facts = with_timestamp(facts, "T", TimestampType::Signature, "2021-05-02", &["S", "D"]);
        let covered = &["S", "D", "T", "SIGNER", "TSA", "ROOT", "R-SIGNER", "R-TSA"];
        with_timestamp(facts, "TA", TimestampType::Archive, time, covered)
    }

    /// Makes the signer's algorithm end on 2021-12-31, so to speak: a key that is too short from 2020 on would do,
    /// but here the certificate expires and its revocation data's issuer with it.
    fn weak(mut facts: Facts) -> Facts {
        facts.signatures[0].basic.key_length = Some(1024);
        facts
    }

    #[test]
    fn archival() {
        let rows: &[Row] = &[
            (
                "5.6.3.4 2)",
                "the long-term result is FAILED",
                |mut f| {
                    f.signatures[0].basic.intact = false;
                    f
                },
                "2022-01-01",
                "FAILED/SIG_CRYPTO_FAILURE",
            ),
            ("5.6.3.4 3)", "valid, and nothing archival is needed", |f| f, "2022-01-01", "PASSED"),
            (
                "5.6.3.4 3)",
                "expired, and nothing archival is there",
                |f| f,
                "2024-01-01",
                "INDETERMINATE/OUT_OF_BOUNDS_NOT_REVOKED",
            ),
            (
                "5.6.3.4 5)",
                "valid by the signature time-stamp alone",
                |f| archived(f, "2021-07-01"),
                "2024-01-01",
                "PASSED",
            ),
            (
                "5.6.2.4",
                "the value's algorithm ended before anything proves existence",
                |f| weak(archived(f, "2021-07-01")),
                "2022-01-01",
                "INDETERMINATE/CRYPTO_CONSTRAINTS_FAILURE_NO_POE",
            ),
            (
                "5.6.2.4",
                "expired, with an archive time-stamp only: known to exist in time",
                |f| with_timestamp(f, "TA", TimestampType::Archive, "2021-07-01", &["S", "D", "SIGNER", "R-SIGNER"]),
                "2024-01-01",
                "PASSED",
            ),
            (
                "5.6.2.4",
                "expired before the archive time-stamp",
                |f| with_timestamp(f, "TA", TimestampType::Archive, "2023-07-01", &["S", "D", "SIGNER", "R-SIGNER"]),
                "2024-01-01",
                "INDETERMINATE/OUT_OF_BOUNDS_NOT_REVOKED",
            ),
            (
                "5.6.2.4",
                "revoked after the archive time-stamp",
                |f| {
                    let mut f = with_timestamp(
                        f,
                        "TA",
                        TimestampType::Archive,
                        "2021-05-10",
                        &["S", "D", "SIGNER", "R-SIGNER"],
                    );
                    revoke(&mut f, "SIGNER", "2021-05-20");
                    f
                },
                "2022-01-01",
                "PASSED",
            ),
            (
                "5.6.2.4",
                "revoked before the archive time-stamp",
                |f| {
                    let mut f = with_timestamp(
                        f,
                        "TA",
                        TimestampType::Archive,
                        "2021-05-21",
                        &["S", "D", "SIGNER", "R-SIGNER"],
                    );
                    revoke(&mut f, "SIGNER", "2021-05-20");
                    f
                },
                "2022-01-01",
                "INDETERMINATE/REVOKED_NO_POE",
            ),
            (
                "5.6.3.4 4)",
                "the archive time-stamp's imprint is of something else",
                |f| {
                    let mut f = with_timestamp(
                        f,
                        "TA",
                        TimestampType::Archive,
                        "2021-07-01",
                        &["S", "D", "SIGNER", "R-SIGNER"],
                    );
                    f.timestamps[0].digest_matchers[0].data_intact = false;
                    f
                },
                "2024-01-01",
                "INDETERMINATE/OUT_OF_BOUNDS_NOT_REVOKED",
            ),
        ];
        check(rows, |verdicts| word(&verdicts.signatures[0].archival.block.conclusion));
    }

    #[test]
    fn the_best_signature_time_is_the_lowest_proof() {
        let facts = archived(valid(), "2021-07-01");
        assert_eq!(judged(&facts, "2022-01-01").signatures[0].best_signature_time().time, at("2021-05-02"));
    }

    #[test]
    fn the_best_signature_time_stands_where_a_time_stamp_fails() {
        let policy = policy("<Timestamp><TimestampValid Level='FAIL'/></Timestamp>");
        let mut facts = archived(valid(), "2021-07-01");
        let broken = facts.timestamps.iter_mut().find(|timestamp| timestamp.id.as_str() == "TA").unwrap();
        broken.digest_matchers[0].data_intact = false;
        let signature = &validate(&facts, &policy, at("2022-01-01")).signatures[0];
        assert_eq!(
            signature.best_signature_time().time,
            at("2021-05-02"),
            "{}",
            word(&signature.archival.block.conclusion)
        );
    }

    #[test]
    fn the_archival_level_that_a_policy_insists_on() {
        let rules = policy(
            "<SignatureConstraints><UnsignedAttributes><LTALevelTimeStamp Level='FAIL'/></UnsignedAttributes>\
             </SignatureConstraints>",
        );
        let signed = || with_timestamp(valid(), "T", TimestampType::Signature, "2021-05-02", &["S", "D"]);
        for (clause, situation, covered, expected) in [
            ("EN 319 142-1 §5.5", "over revocation data", "R-SIGNER", "PASSED"),
            ("EN 319 142-1 §5.5", "over a time-stamp only", "T", "INDETERMINATE/SIG_CONSTRAINTS_FAILURE"),
        ] {
            let facts = with_timestamp(signed(), "TD", TimestampType::Document, "2021-07-01", &["S", "D", covered]);
            let signature = &validate(&facts, &rules, at("2022-01-01")).signatures[0];
            assert_eq!(
                word(&signature.archival.block.conclusion),
                expected,
                "{clause}: a document time-stamp {situation}"
            );
        }
    }
}
