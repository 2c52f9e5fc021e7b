//! Validation process for signatures with time and signatures with long-term validation material:
//! EN 319 102-1 §5.5.
//!
//! Answers whether a signature that is no longer valid now was valid when a time-stamp proves that it existed.
//! That the time-stamps are valid themselves is settled before.

mod basic_result;

use super::algorithms::{self, Parts};
use super::blocks::RevocationSelection;
use super::check_id::CheckId;
use super::coherence::is_coherent;
use super::context::ValidationContext;
use super::engine::{Block, BlockBuilder, BlockKind, Concluded, Conclusion, Failure};
use super::lta_material;
use super::outcome::{Indication, SubIndication, outcomes};
use super::past_chain::path_was_in_order;
use super::past_selection::{Basis, Purpose};
use super::poe::{Poe, imprint_is_intact};
use super::prevailing;
use super::revocation_freshness::check_freshness;
use super::revocation_required::revocation_required;
use super::sav::check_acceptance;
use super::signature_timestamps::{check_delay, of_existence, required};
use super::token::Token;
use crate::facts::{Certificate, CertificateRevocation, Id, Revocation, RevocationReason, Signature, Timestamp};
use crate::policy::{Context, Level, PolicySection, Rule, RuleName, SubContext};
use crate::time::Time;
use std::collections::HashMap;

outcomes! {
    /// The outcomes of the process, but for those of its blocks: EN 319 102-1 §5.5.4.
    enum NotValid {
        CertificateChainGeneralFailure,
        SigConstraintsFailure,
        TimestampOrderFailure,
        TryLater,
        NotYetValid,
        RevokedNoPoe,
        RevokedCaNoPoe,
        OutOfBoundsNoPoe,
        OutOfBoundsNotRevoked,
    }
}

/// The finished process.
#[derive(Debug)]
pub(super) struct LongTerm<'a> {
    /// Its checks and conclusion.
    pub block: Block,
    /// The best-signature-time.
    pub best: Poe<'a>,
    /// The revocation data that it selected.
    pub selections: Vec<RevocationSelection>,
}

/// Validates `signature`, whose basic result is `basic`; `timestamps` gives the basic results of
/// time-stamps.
pub(super) fn validate<'a>(
    basis: Basis<'_, 'a>,
    signature: &'a Signature,
    basic: &Block,
    timestamps: &HashMap<Id, Block>,
) -> LongTerm<'a> {
    let mut block = BlockBuilder::new(BlockKind::LongTermValidation, &signature.id);
    let mut process = Process {
        basis,
        signature,
        token: Token::Signature(signature),
        context: Token::Signature(signature).context(),
        basic: &basic.conclusion,
        timestamps,
        best: Poe::now(basis.cx.time),
        selections: vec![],
    };
    let _ = process.run(&mut block);
    let mut block = block.finish();
    if !is_acceptable(&basic.conclusion) {
        block.conclusion.warnings.extend(basic.conclusion.warnings.iter().cloned());
        block.conclusion.infos.extend(basic.conclusion.infos.iter().cloned());
    }
    LongTerm { block, best: process.best, selections: process.selections }
}

/// Returns whether a basic result makes it worth while to look back in time: §5.5.4 1).
fn is_acceptable(basic: &Conclusion) -> bool {
    use SubIndication::*;
    basic.is_passed()
        || basic.indication == Indication::Indeterminate
            && matches!(
                basic.sub_indication,
                Some(
                    CryptoConstraintsFailureNoPoe
                        | RevokedNoPoe
                        | RevokedCaNoPoe
                        | TryLater
                        | OutOfBoundsNoPoe
                        | OutOfBoundsNotRevoked
                )
            )
}

/// What revocation data says of a certificate.
#[derive(Debug, Clone, Copy)]
struct Status<'a> {
    certificate: &'a Certificate,
    sub: SubContext,
    revocation: &'a Revocation,
    said: &'a CertificateRevocation,
}

impl Status<'_> {
    /// Returns whether the certificate could be relied on at the best-signature-time, and what was compared: since when it is
    /// not, and that time.
    fn is_revoked_after(&self, cx: &ValidationContext<'_>, best: Time) -> (bool, String) {
        match prevailing::revoked_since(cx, self.said) {
            Some(date) => (date > best, format!("{date} > {best}")),
            None => (false, format!("no revocation date; best-signature-time {best}")),
        }
    }
}

struct Process<'c, 'a> {
    basis: Basis<'c, 'a>,
    signature: &'a Signature,
    token: Token<'a>,
    context: Context,
    basic: &'c Conclusion,
    timestamps: &'c HashMap<Id, Block>,
    best: Poe<'a>,
    selections: Vec<RevocationSelection>,
}

impl<'a> Process<'_, 'a> {
    /// Runs the steps of §5.5.4.
    fn run(&mut self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        // 1) The basic result.
        let failure = Failure::relayed(self.basic);
        block.check_at(Level::Fail, CheckId::BasicResultAllowsLongTerm, is_acceptable(self.basic), failure)?;
        // The best-signature-time stands whether or not 2) lets the process go on, but for what 4) says.
        self.best = self.lowest_time_stamp();
        // 2) The revocation data of each certificate.
        let statuses = self.statuses(block);
        if statuses.is_err() && self.basic.sub_indication == Some(SubIndication::OutOfBoundsNoPoe) {
            // As in 4): past validation determines the time again.
            self.best = Poe::now(self.basis.cx.time);
        }
        let statuses = statuses?;
        // 3) The time-stamps.
        let timestamped = self.time_stamps(block)?;
        self.levels(block)?;
        // 4) What the basic result leaves open, at that time.
        self.basic_result(block, &statuses)?;
        if !self.basic.is_passed() {
            path_was_in_order(&self.basis, block, self.token, self.best.time)?;
        }
        // 5) The order of the time-stamps, and their delay.
        if timestamped {
            self.coherence(block)?;
            self.delay(block)?;
        }
        // 6) Suspension and freshness.
        if self.basic.sub_indication == Some(SubIndication::TryLater) {
            self.suspension(block, &statuses)?;
        }
        // 7) Attributes and algorithms.
        self.acceptance(block, &statuses)
    }

    /// Selects 2), for each certificate below the anchor that needs it, the acceptable revocation data produced last.
    fn statuses(&mut self, block: &mut BlockBuilder) -> Result<Vec<Status<'a>>, Concluded> {
        let cx = self.basis.cx;
        let mut statuses = vec![];
        for (depth, certificate) in cx.index.chain(&self.signature.chain).into_iter().enumerate() {
            let sub = SubContext::at_depth(depth);
            if cx.is_trust_anchor(certificate, cx.time, self.context, sub) {
                break;
            }
            let section = PolicySection::Certificate(self.context, sub);
            let about = |check: CheckId| check.about(&certificate.id);
            let failure = NotValid::CertificateChainGeneralFailure;
            if !revocation_required(cx, certificate, cx.time, self.context, sub) {
                if !certificate.self_signed {
                    let rule = cx.rule(section, RuleName::RevocationDataSkip);
                    block.check(rule, about(CheckId::RevocationDataRequired), false, failure)?;
                }
                continue;
            }
            let available = !certificate.revocations.is_empty();
            let rule = cx.rule(section, RuleName::RevocationDataAvailable);
            block.check(rule, about(CheckId::RevocationDataAvailable), available, failure)?;
            if !available {
                continue;
            }
            let selection = self.basis.select(certificate, Purpose::LongTerm);
            let question = about(CheckId::AcceptableRevocationDataFound).of_block(BlockKind::RevocationDataSelection);
            let rule = cx.rule(section, RuleName::AcceptableRevocationDataFound);
            let found = selection.block.is_passed();
            let failure = Failure::relayed(&selection.block.conclusion);
            let latest = selection.latest.clone();
            self.selections.push(selection);
            block.check(rule, question, found, failure)?;
            statuses.extend(latest.and_then(|latest| {
                let said = certificate.revocations.iter().find(|said| said.revocation == latest)?;
                Some(Status { certificate, sub, revocation: cx.index.revocation(&latest)?, said })
            }));
        }
        Ok(statuses)
    }

    /// Checks 3) the time-stamps that show the signature to exist. True if one is valid.
    fn time_stamps(&self, block: &mut BlockBuilder) -> Result<bool, Concluded> {
        let mut timestamped = false;
        let level = self.timestamp_level();
        for timestamp in of_existence(self.basis.cx, self.signature) {
            let intact = imprint_is_intact(timestamp);
            let failure = NotValid::SigConstraintsFailure;
            block.check_at(Level::Warn, CheckId::TimestampImprintMatch.about(&timestamp.id), intact, failure)?;
            let Some(basic) = self.timestamps.get(&timestamp.id).filter(|_| intact) else { continue };
            let failure = Failure::relayed(&basic.conclusion);
            // Its own warnings are shown with the time-stamp, unless the policy asks for valid ones.
            let question = CheckId::TimestampValid.about(&timestamp.id).of_block(BlockKind::TimestampValidation);
            let question = question.silent_if(self.timestamp_rule(RuleName::TimestampValid).is_none());
            block.check_at(level, question, basic.is_passed(), failure)?;
            timestamped |= basic.is_passed();
        }
        Ok(timestamped)
    }

    /// Returns the earliest time at which a valid time-stamp shows the signature to exist; else the validation time.
    fn lowest_time_stamp(&self) -> Poe<'a> {
        let timestamps = of_existence(self.basis.cx, self.signature);
        let proofs = timestamps.into_iter().filter(|timestamp| self.is_valid(timestamp)).map(Poe::of_timestamp);
        proofs.fold(Poe::now(self.basis.cx.time), |best, poe| if poe.order(&best).is_lt() { poe } else { best })
    }

    fn is_valid(&self, timestamp: &Timestamp) -> bool {
        imprint_is_intact(timestamp) && self.timestamps.get(&timestamp.id).is_some_and(Block::is_passed)
    }

    /// Returns how strictly an invalid time-stamp is taken: where there is archival material, the next process decides.
    fn timestamp_level(&self) -> Level {
        let rule = self.timestamp_rule(RuleName::TimestampValid);
        match rule {
            Some(rule) if !lta_material::is_present(self.basis.cx, self.signature) => rule.level,
            _ => Level::Warn,
        }
    }

    /// Checks the time-stamps that the policy insists on, where no later process will look at them.
    fn levels(&self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        if lta_material::is_present(self.basis.cx, self.signature) {
            return Ok(());
        }
        required(self.basis.cx, self.signature, self.context, block, &|timestamp| {
            self.timestamps.get(&timestamp.id).is_some_and(Block::is_passed)
        })
    }

    /// Checks 5) the order of the signature's time-stamps, but for those that prove nothing.
    fn coherence(&self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        let cx = self.basis.cx;
        let found = cx.index.timestamps(&self.signature.found_timestamps);
        let all: Vec<_> = found.filter(|timestamp| self.is_valid(timestamp)).collect();
        let failure = NotValid::TimestampOrderFailure;
        let rule = self.timestamp_rule(RuleName::Coherence);
        // NOTE: DSS compares times to the millisecond, whatever the clocks.
        let clocks = rule.and_then(|rule| rule.duration_millis).unwrap_or(0);
        block.check(rule, CheckId::TimestampsCoherent, is_coherent(&all, clocks), failure)
    }

    /// Checks 5) that the claimed signing time is there, and that the time-stamp followed soon enough.
    fn delay(&self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        let rule = self.timestamp_rule(RuleName::TimestampDelay);
        let question = CheckId::SigningTimePresentForDelay;
        let failure = NotValid::SigConstraintsFailure;
        block.check(rule, question, self.signature.claimed_signing_time.is_some(), failure)?;
        check_delay(block, rule, self.signature, &self.best)
    }

    /// Checks 6) that no certificate of the chain was suspended before, and its revocation data is recent enough at,
    /// the best-signature-time.
    fn suspension(&self, block: &mut BlockBuilder, statuses: &[Status<'_>]) -> Result<(), Concluded> {
        let best = self.best.time;
        for status in statuses {
            let failure = NotValid::TryLater;
            if status.said.reason == Some(RevocationReason::CertificateHold) {
                let (after, compared) = status.is_revoked_after(self.basis.cx, best);
                let question = CheckId::SuspendedAfterBestSignatureTime.about(&status.certificate.id);
                block.check_at(Level::Fail, question.comparing(compared), after, failure)?;
            } else {
                let fresh = check_freshness(self.basis.cx, status.revocation, best, self.context, status.sub);
                let question =
                    CheckId::RevocationDataFresh.about(&status.revocation.id).of_block(BlockKind::RevocationFreshness);
                block.check_at(Level::Fail, question, fresh.is_passed(), Failure::relayed(&fresh.conclusion))?;
            }
        }
        Ok(())
    }

    /// Checks 7) what is signed, with which attributes, under which chain, with which revocation data.
    fn acceptance(&self, block: &mut BlockBuilder, statuses: &[Status<'_>]) -> Result<(), Concluded> {
        let cx = self.basis.cx;
        let signed = algorithms::judge(cx, self.token, Parts::DIGEST_MATCHERS, self.best.time);
        algorithms::check_result(block, &signed)?;
        algorithms::check_value(block, cx, self.token, self.best.time)?;

        check_acceptance(block, self.basis.blocks)?;

        let (below, _) = cx.chain_to_anchor(&self.signature.chain, cx.time, self.context);
        if !below.is_empty() {
            let chain = algorithms::judge(cx, self.token, Parts::CHAIN, cx.time);
            algorithms::check_result(block, &chain)?;
        }
        for status in statuses {
            let data = algorithms::judge(cx, Token::Revocation(status.revocation), Parts::ALL, cx.time);
            algorithms::check_result(block, &data)?;
        }
        Ok(())
    }

    fn signing_certificate(&self) -> Option<&'a Certificate> {
        self.basis.cx.index.certificate(self.signature.signing_certificate.as_ref()?)
    }

    fn timestamp_rule(&self, name: RuleName) -> Option<&'a Rule> {
        self.basis.cx.rule(PolicySection::Token(Context::Timestamp), name)
    }
}

#[cfg(test)]
mod tests {
    use crate::algorithm::KeyAlgorithm;
    use crate::facts::{Facts, RevocationReason, TimestampType};
    use crate::validation::testing::*;

    fn stamped(facts: Facts, time: &str) -> Facts {
        with_timestamp(facts, "T", TimestampType::Signature, time, &["S", "D"])
    }

    #[test]
    fn long_term() {
        let rows: &[Row] = &[
            (
                "5.5.4 1)",
                "the basic result is FAILED",
                |mut f| {
                    f.signatures[0].basic.intact = false;
                    f
                },
                "2022-01-01",
                "FAILED/SIG_CRYPTO_FAILURE",
            ),
            ("5.5.4 4)", "valid by itself", |f| f, "2022-01-01", "PASSED"),
            (
                "5.5.4 4)",
                "revoked after the time-stamp",
                |f| {
                    let mut f = stamped(f, "2021-05-02");
                    revoke(&mut f, "SIGNER", "2021-05-20");
                    f
                },
                "2022-01-01",
                "PASSED",
            ),
            (
                "5.5.4 4)",
                "revoked before the time-stamp",
                |f| {
                    let mut f = stamped(f, "2021-05-21");
                    revoke(&mut f, "SIGNER", "2021-05-20");
                    f
                },
                "2022-01-01",
                "INDETERMINATE/REVOKED_NO_POE",
            ),
            (
                "5.5.4 4)",
                "revoked at the very time of the time-stamp",
                |f| {
                    let mut f = stamped(f, "2021-05-20");
                    revoke(&mut f, "SIGNER", "2021-05-20");
                    f
                },
                "2022-01-01",
                "INDETERMINATE/REVOKED_NO_POE",
            ),
            (
                "5.5.4 4)",
                "revoked without a date",
                |f| {
                    let mut f = stamped(f, "2021-05-02");
                    revoke(&mut f, "SIGNER", "2021-05-20");
                    certificate_mut(&mut f, "SIGNER").revocations[0].revocation_date = None;
                    f
                },
                "2022-01-01",
                "INDETERMINATE/REVOKED_NO_POE",
            ),
            ("5.5.4 4)", "expired after the time-stamp", |f| stamped(f, "2021-05-02"), "2024-01-01", "PASSED"),
            (
                "5.5.4 4)",
                "expired before the time-stamp",
                |f| stamped(f, "2023-05-02"),
                "2024-01-01",
                "INDETERMINATE/OUT_OF_BOUNDS_NOT_REVOKED",
            ),
            (
                "5.5.4 4)",
                "time-stamped before the certificate was issued",
                |f| stamped(f, "2019-05-02"),
                "2022-01-01",
                "FAILED/NOT_YET_VALID",
            ),
            (
                "5.5.4 3)",
                "the imprint is of something else",
                |f| {
                    let mut f = stamped(f, "2021-05-02");
                    f.timestamps[0].digest_matchers[0].data_intact = false;
                    f
                },
                "2024-01-01",
                "INDETERMINATE/OUT_OF_BOUNDS_NOT_REVOKED",
            ),
            (
                "5.5.4 3)",
                "the time-stamp's value does not verify",
                |f| {
                    let mut f = stamped(f, "2021-05-02");
                    f.timestamps[0].basic.intact = false;
                    f
                },
                "2024-01-01",
                "INDETERMINATE/OUT_OF_BOUNDS_NOT_REVOKED",
            ),
            (
                "5.5.4 6)",
                "suspended after the time-stamp",
                |f| {
                    let mut f = stamped(f, "2021-05-02");
                    revoke(&mut f, "SIGNER", "2021-05-20");
                    certificate_mut(&mut f, "SIGNER").revocations[0].reason = Some(RevocationReason::CertificateHold);
                    f
                },
                "2022-01-01",
                "PASSED",
            ),
            (
                "5.5.4 6)",
                "suspended before the time-stamp",
                |f| {
                    let mut f = stamped(f, "2021-05-21");
                    revoke(&mut f, "SIGNER", "2021-05-20");
                    certificate_mut(&mut f, "SIGNER").revocations[0].reason = Some(RevocationReason::CertificateHold);
                    f
                },
                "2022-01-01",
                "INDETERMINATE/TRY_LATER",
            ),
        ];
        check(rows, |verdicts| word(&verdicts.signatures[0].long_term.block.conclusion));
    }

    #[test]
    fn best_signature_time_is_that_of_the_earliest_valid_time_stamp() {
        let facts = stamped(stamped(valid(), "2021-05-03"), "2021-05-02");
        let verdicts = judged(&facts, "2022-01-01");
        assert_eq!(verdicts.signatures[0].best_signature_time().time, at("2021-05-03"), "5.5.4 3): same id, the first");
        let mut facts =
            with_timestamp(stamped(valid(), "2021-05-03"), "T2", TimestampType::Signature, "2021-05-02", &["S"]);
        assert_eq!(judged(&facts, "2022-01-01").signatures[0].best_signature_time().time, at("2021-05-02"), "5.5.4 3)");
        facts.timestamps[1].digest_matchers[0].data_found = false;
        assert_eq!(judged(&facts, "2022-01-01").signatures[0].best_signature_time().time, at("2021-05-03"), "5.5.4 3)");
    }

    #[test]
    fn an_end_does_not_hide_that_the_algorithm_was_never_reliable() {
        use crate::policy::{Context, Level, Policy, PolicySection, RuleName};
        use crate::validation::validate;
        let section = PolicySection::Token(Context::Signature);
        let ours = Policy::dss().with_level(section, RuleName::AlgorithmAtBestSignatureTime, Level::Fail);
        let by_signature_timestamp = stamped(valid(), "2021-05-02");
        let by_archive_timestamp =
            with_timestamp(valid(), "TA", TimestampType::Archive, "2021-07-01", &["S", "D", "SIGNER", "R-SIGNER"]);
        const NEVER: &str = "INDETERMINATE/CRYPTO_CONSTRAINTS_FAILURE_NO_POE";
        for (clause, mut facts, by_dss) in
            [("5.5.4 7)", by_signature_timestamp, "PASSED"), ("5.6.2.4", by_archive_timestamp, NEVER)]
        {
            let result = |facts: &Facts, policy: &Policy| {
                word(&validate(facts, policy, at("2024-01-01")).signatures[0].archival.block.conclusion)
            };
            assert_eq!(result(&facts, &ours), "PASSED", "{clause}");
            facts.signatures[0].basic.key_algorithm = Some(KeyAlgorithm::EdDsa);
            assert_eq!(result(&facts, &Policy::dss()), by_dss, "{clause}: as EU DSS does");
            assert_eq!(result(&facts, &ours), NEVER, "{clause}");
        }
    }

    #[test]
    fn what_is_wrong_now_does_not_hide_that_a_certificate_had_ended() {
        use crate::policy::Policy;
        use crate::validation::validate;
        let result = |end: &str| {
            let mut facts = stamped(valid(), "2021-06-03");
            certificate_mut(&mut facts, "SIGNER").not_after = at(end);
            let verdicts = validate(&facts, &Policy::eidas(), at("2022-01-01"));
            word(&verdicts.signatures[0].long_term.block.conclusion)
        };
        let long = result("2023-01-01");
        assert!(!long.contains("OUT_OF_BOUNDS"), "5.5.4 6): only the data has run out now: {long}");
        assert_eq!(result("2021-06-02"), "INDETERMINATE/OUT_OF_BOUNDS_NO_POE", "RFC 5280 6.1.3 (a) (2)");
    }
}
