//! Validation process for signatures with time and signatures with long-term validation material:
//! EN 319 102-1 §5.5.
//!
//! Answers whether a signature that is no longer valid now was valid when a time-stamp proves that it existed.
//! That the time-stamps are valid themselves is settled before.

mod basic_result;

use super::aov::{self, Parts};
use super::blocks::Crs;
use super::case::position;
use super::coherence::is_coherent;
use super::engine::{Ask, Block, BlockKind, Concluded, Conclusion, Failure, Steps, ask};
use super::lta_material;
use super::outcome::{Indication, SubIndication};
use super::poe::{Poe, imprint_is_intact};
use super::rfc::rfc;
use super::selection::{Evidence, Purpose};
use super::signature_timestamps::{check_delay, of_existence, required};
use super::skip::revocation_required;
use super::token::Token;
use super::validity::chain_had_not_ended;
use crate::facts::{Certificate, CertificateRevocation, Id, Revocation, RevocationReason, Signature, Timestamp};
use crate::policy::{Context, Level, Place, Rule, RuleName, SubContext};
use std::collections::BTreeMap;

/// The finished process.
#[derive(Debug)]
pub(super) struct LongTerm<'a> {
    /// Its checks and conclusion.
    pub block: Block,
    /// The best-signature-time.
    pub best: Poe<'a>,
    /// The revocation data that it selected.
    pub selections: Vec<Crs>,
}

/// The process for `signature`, whose basic result is `basic`; `timestamps` gives the basic results of
/// time-stamps.
pub(super) fn validate<'a>(
    evidence: Evidence<'_, 'a>,
    signature: &'a Signature,
    basic: &Block,
    timestamps: &BTreeMap<Id, Block>,
) -> LongTerm<'a> {
    let mut steps = Steps::new(BlockKind::LongTermValidation, Some(&signature.id));
    let mut process = Process {
        evidence,
        signature,
        token: Token::Signature(signature),
        context: Token::Signature(signature).context(),
        basic: &basic.conclusion,
        timestamps,
        best: Poe::now(evidence.case.time),
        selections: vec![],
    };
    let _ = process.steps(&mut steps);
    let mut block = steps.finish_showing(|check| process.is_shown(check.block));
    if !is_acceptable(&basic.conclusion) {
        block.conclusion.warnings.extend(basic.conclusion.warnings.iter().cloned());
        block.conclusion.infos.extend(basic.conclusion.infos.iter().cloned());
    }
    LongTerm { block, best: process.best, selections: process.selections }
}

/// §5.5.4 1): the basic results with which it is worth while to look back in time.
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

struct Process<'c, 'a> {
    evidence: Evidence<'c, 'a>,
    signature: &'a Signature,
    token: Token<'a>,
    context: Context,
    basic: &'c Conclusion,
    timestamps: &'c BTreeMap<Id, Block>,
    best: Poe<'a>,
    selections: Vec<Crs>,
}

impl<'a> Process<'_, 'a> {
    /// §5.5.4.
    fn steps(&mut self, steps: &mut Steps) -> Result<(), Concluded> {
        // 1) The basic result.
        let failure = Failure::relayed(self.basic);
        steps.level(Some(Level::Fail), ask!("LTV_ABSV"), is_acceptable(self.basic), failure)?;
        // The best-signature-time stands whether or not 2) lets the process go on, but for what 4) says.
        self.best = self.lowest_time_stamp();
        // 2) The revocation data of each certificate.
        let statuses = self.statuses(steps);
        if statuses.is_err() && self.basic.sub_indication == Some(SubIndication::OutOfBoundsNoPoe) {
            // As in 4): past validation determines the time again.
            self.best = Poe::now(self.evidence.case.time);
        }
        let statuses = statuses?;
        // 3) The time-stamps.
        let timestamped = self.time_stamps(steps)?;
        self.levels(steps)?;
        // 4) What the basic result leaves open, at that time.
        self.basic_result(steps, &statuses)?;
        if !self.basic.is_passed() {
            chain_had_not_ended(self.evidence.case, steps, &self.signature.chain, self.best.time, self.context)?;
        }
        // 5) The order of the time-stamps, and their delay.
        if timestamped {
            self.coherence(steps)?;
            self.delay(steps)?;
        }
        // 6) Suspension and freshness.
        if self.basic.sub_indication == Some(SubIndication::TryLater) {
            self.suspension(steps, &statuses)?;
        }
        // 7) Attributes and algorithms.
        self.acceptance(steps, &statuses)
    }

    /// 2): for each certificate below the anchor that needs it, the acceptable revocation data produced last.
    fn statuses(&mut self, steps: &mut Steps) -> Result<Vec<Status<'a>>, Concluded> {
        let case = self.evidence.case;
        let mut statuses = vec![];
        for (depth, certificate) in case.chain(&self.signature.chain).into_iter().enumerate() {
            let sub = position(depth);
            if case.is_trust_anchor(certificate, case.time, self.context, sub) {
                break;
            }
            let place = Place::Certificate(self.context, sub);
            let about = |question: Ask| question.about(&certificate.id);
            let failure = || Failure::indeterminate(SubIndication::CertificateChainGeneralFailure);
            if !revocation_required(case, certificate, case.time, self.context, sub) {
                if !certificate.self_signed {
                    let rule = case.rule(place, RuleName::RevocationDataSkip);
                    steps.rule(rule, about(ask!("BBB_XCV_IRDCSFC")), false, failure())?;
                }
                continue;
            }
            let available = !certificate.revocations.is_empty();
            let rule = case.rule(place, RuleName::RevocationDataAvailable);
            steps.rule(rule, about(ask!("BBB_XCV_IRDPFC")), available, failure())?;
            if !available {
                continue;
            }
            let crs = self.evidence.select(certificate, Purpose::LongTerm);
            let question = about(ask!("BBB_XCV_IARDPFC")).of_block(BlockKind::RevocationDataSelection);
            let rule = case.rule(place, RuleName::AcceptableRevocationDataFound);
            let found = crs.block.is_passed();
            let failure = Failure::relayed(&crs.block.conclusion);
            let latest = crs.latest.clone();
            self.selections.push(crs);
            steps.rule(rule, question, found, failure)?;
            statuses.extend(latest.and_then(|latest| {
                let said = certificate.revocations.iter().find(|said| said.revocation == latest)?;
                Some(Status { certificate, sub, revocation: case.revocation(&latest)?, said })
            }));
        }
        Ok(statuses)
    }

    /// 3): the time-stamps that show the signature to exist. True if one is valid.
    fn time_stamps(&self, steps: &mut Steps) -> Result<bool, Concluded> {
        let mut timestamped = false;
        let level = self.timestamp_level();
        for timestamp in of_existence(self.evidence.case, self.signature) {
            let about = |question: Ask| question.about(&timestamp.id);
            let intact = imprint_is_intact(timestamp);
            let failure = Failure::indeterminate(SubIndication::SigConstraintsFailure);
            steps.level(Some(Level::Warn), about(ask!("BBB_SAV_DMICTSTMCMI")), intact, failure)?;
            let Some(basic) = self.timestamps.get(&timestamp.id).filter(|_| intact) else { continue };
            let failure = Failure::relayed(&basic.conclusion);
            let question = about(ask!("ADEST_IBSVPTC")).of_block(BlockKind::TimestampValidation);
            steps.level(Some(level), question, basic.is_passed(), failure)?;
            timestamped |= basic.is_passed();
        }
        Ok(timestamped)
    }

    /// The earliest time at which a valid time-stamp shows the signature to exist; else the validation time.
    fn lowest_time_stamp(&self) -> Poe<'a> {
        let valid = |timestamp: &&Timestamp| {
            imprint_is_intact(timestamp) && self.timestamps.get(&timestamp.id).is_some_and(Block::is_passed)
        };
        let timestamps = of_existence(self.evidence.case, self.signature);
        let proofs = timestamps.into_iter().filter(valid).map(Poe::of_timestamp);
        proofs.fold(Poe::now(self.evidence.case.time), |best, poe| if poe.order(&best).is_lt() { poe } else { best })
    }

    /// How strictly an invalid time-stamp is taken: where there is archival material, the next process decides.
    fn timestamp_level(&self) -> Level {
        let rule = self.timestamp_rule(RuleName::TimestampValid);
        match rule {
            Some(rule) if !lta_material::is_present(self.evidence.case, self.signature) => rule.level,
            _ => Level::Warn,
        }
    }

    /// Time-stamps that the policy insists on, where no later process will look at them.
    fn levels(&self, steps: &mut Steps) -> Result<(), Concluded> {
        if lta_material::is_present(self.evidence.case, self.signature) {
            return Ok(());
        }
        required(self.evidence.case, self.signature, self.context, steps, &|timestamp| {
            self.timestamps.get(&timestamp.id).is_some_and(Block::is_passed)
        })
    }

    /// 5): the order of all the signature's time-stamps.
    fn coherence(&self, steps: &mut Steps) -> Result<(), Concluded> {
        let case = self.evidence.case;
        let all: Vec<_> = case.timestamps(&self.signature.found_timestamps).collect();
        let failure = Failure::indeterminate(SubIndication::TimestampOrderFailure);
        steps.rule(self.timestamp_rule(RuleName::Coherence), ask!("TSV_ASTPTCT"), is_coherent(&all), failure)
    }

    /// 5): the claimed signing time is there, and the time-stamp followed soon enough.
    fn delay(&self, steps: &mut Steps) -> Result<(), Concluded> {
        let rule = self.timestamp_rule(RuleName::TimestampDelay);
        let question = Ask::new("BBB_SAV_ISQPSTP", "ADEST_VFDTAOCST_ANS");
        let failure = Failure::indeterminate(SubIndication::SigConstraintsFailure);
        steps.rule(rule, question, self.signature.claimed_signing_time.is_some(), failure)?;
        check_delay(steps, rule, self.signature, &self.best)
    }

    /// 6): no certificate of the chain was suspended before, and its revocation data is recent enough at, the
    /// best-signature-time.
    fn suspension(&self, steps: &mut Steps, statuses: &[Status<'_>]) -> Result<(), Concluded> {
        let best = self.best.time;
        for status in statuses {
            let failure = Failure::indeterminate(SubIndication::TryLater);
            if status.said.reason == Some(RevocationReason::CertificateHold) {
                let after = status.said.revocation_date.is_some_and(|date| date > best);
                let question = ask!("ADEST_ISTPTBST").about(&status.certificate.id);
                steps.level(Some(Level::Fail), question.comparing(format!("> {best}")), after, failure)?;
            } else {
                let fresh = rfc(self.evidence.case, status.revocation, best, self.context, status.sub);
                let question =
                    ask!("BBB_XCV_RFC").about(&status.revocation.id).of_block(BlockKind::RevocationFreshness);
                steps.level(Some(Level::Fail), question, fresh.is_passed(), Failure::relayed(&fresh.conclusion))?;
            }
        }
        Ok(())
    }

    /// 7): what is signed, with which attributes, under which chain, with which revocation data.
    fn acceptance(&self, steps: &mut Steps, statuses: &[Status<'_>]) -> Result<(), Concluded> {
        let case = self.evidence.case;
        let signed = aov::aov(case, self.token, Parts::DIGEST_MATCHERS, self.best.time);
        aov::check_result(steps, &signed)?;
        aov::check_value(steps, case, self.token, self.best.time)?;

        if let Some(sav) = &self.evidence.blocks.sav {
            let crypto = matches!(
                sav.conclusion.sub_indication,
                Some(SubIndication::CryptoConstraintsFailure | SubIndication::CryptoConstraintsFailureNoPoe)
            );
            let question = ask!("BSV_ISAVRC").about(&self.signature.id).of_block(BlockKind::SignatureAcceptance);
            let mut failure = Failure::relayed(&sav.conclusion);
            failure.previous_errors.clear();
            steps.level(Some(Level::Fail), question, sav.is_passed() || crypto, failure)?;
        }

        let (below, _) = case.chain_to_anchor(&self.signature.chain, case.time, self.context);
        if !below.is_empty() {
            let chain = aov::aov(case, self.token, Parts::CHAIN, case.time);
            aov::check_result(steps, &chain)?;
        }
        for status in statuses {
            let data = aov::aov(case, Token::Revocation(status.revocation), Parts::ALL, case.time);
            aov::check_result(steps, &data)?;
        }
        Ok(())
    }

    fn signing_certificate(&self) -> Option<&'a Certificate> {
        self.evidence.case.certificate(self.signature.signing_certificate.as_ref()?)
    }

    fn timestamp_rule(&self, name: RuleName) -> Option<&'a Rule> {
        self.evidence.case.rule(Place::Token(Context::Timestamp), name)
    }

    /// A time-stamp's own warnings are shown with the time-stamp, unless the policy asks for valid ones.
    fn is_shown(&self, block: Option<BlockKind>) -> bool {
        block != Some(BlockKind::TimestampValidation) || self.timestamp_rule(RuleName::TimestampValid).is_some()
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
        use crate::policy::{Context, Level, Place, Policy, RuleName};
        use crate::validation::validate;
        let place = Place::Token(Context::Signature);
        let ours = Policy::dss().with_level(place, RuleName::AlgorithmAtBestSignatureTime, Level::Fail);
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
