//! Validation time sliding: EN 319 102-1 §5.6.2.2.
//!
//! Answers up to when a certificate chain can be trusted: starting from now (or from the end of the anchor's trust),
//! the control time slides back whenever a certificate was revoked or an algorithm ended.

use super::algorithms::{self, Parts};
use super::blocks::{AlgorithmCheck, AlgorithmObsolescence, RevocationSelection};
use super::engine::{Block, BlockBuilder, BlockKind, Concluded, Failure};
use super::outcome::outcomes;
use super::past_selection::{Basis, Purpose};
use super::prevailing;
use super::revocation_freshness::check_freshness;
use super::revocation_required::revocation_required;
use super::token::Token;
use crate::facts::{Certificate, CertificateRevocation, CertificateStatus, Id, Revocation};
use crate::policy::{Context, Level, PolicySection, RuleName, SubContext};
use crate::time::Time;
use crate::validation::check_id::CheckId;

outcomes! {
    /// The outcome of sliding: EN 319 102-1 §5.6.2.2.
    enum NotSlid {
        NoPoe,
    }
}

/// The finished sliding.
#[derive(Debug, Clone)]
pub(super) struct Sliding {
    /// The anchor towards which it went.
    pub anchor: Id,
    /// Its checks and conclusion.
    pub block: Block,
    /// The control time reached.
    pub control_time: Time,
    /// The revocation data selected, one a certificate.
    pub selections: Vec<RevocationSelection>,
}

/// Slides from `anchor` down the chain of `token`. Where `only` is given, the signing certificate's status is taken
/// from that revocation data alone.
pub(super) fn slide<'a>(
    basis: &Basis<'_, 'a>,
    token: Token<'a>,
    context: Context,
    anchor: &'a Certificate,
    only: Option<&[Id]>,
) -> Sliding {
    let mut block = BlockBuilder::new(BlockKind::ValidationTimeSliding, token.id());
    // 1) From now, or from the end of the anchor's trust.
    let sunset = anchor.trust.sunset;
    let mut process =
        Process { basis, token, context, control_time: sunset.unwrap_or(basis.cx.time), selections: vec![] };
    let _ = process.run(&mut block, anchor, only);
    Sliding {
        anchor: anchor.id.clone(),
        block: block.finish(),
        control_time: process.control_time,
        selections: process.selections,
    }
}

struct Process<'c, 'a> {
    basis: &'c Basis<'c, 'a>,
    token: Token<'a>,
    context: Context,
    control_time: Time,
    selections: Vec<RevocationSelection>,
}

impl<'a> Process<'_, 'a> {
    fn run(&mut self, block: &mut BlockBuilder, anchor: &Certificate, only: Option<&[Id]>) -> Result<(), Concluded> {
        if let Some(sunset) = anchor.trust.sunset {
            let question = CheckId::AnchorHasSunset.about(&anchor.id).comparing(sunset.to_string());
            let failure = NotSlid::NoPoe;
            block.check_at(Level::Inform, question, true, failure)?;
        }
        // 2) Each certificate from below the anchor down to the signing certificate.
        let chain = self.basis.cx.index.chain(self.token.chain());
        let below: Vec<_> = chain.into_iter().take_while(|certificate| certificate.id != anchor.id).collect();
        for (depth, certificate) in below.into_iter().enumerate().rev() {
            let only = if depth == 0 { only } else { None };
            self.certificate(block, certificate, SubContext::at_depth(depth), only)?;
        }
        // 3) The control time.
        let question = CheckId::ControlTimeDetermined.comparing(self.control_time.to_string());
        block.check_at(Level::Fail, question, true, NotSlid::NoPoe)
    }

    /// Does 2) for one certificate.
    fn certificate(
        &mut self,
        block: &mut BlockBuilder,
        certificate: &'a Certificate,
        sub: SubContext,
        only: Option<&[Id]>,
    ) -> Result<(), Concluded> {
        let cx = self.basis.cx;
        let mut used = None;
        if revocation_required(cx, certificate, cx.time, self.context, sub) {
            // a) Revocation data that existed, as the certificate did, by the control time.
            let selection = self.basis.select(certificate, Purpose::Sliding { control_time: self.control_time, only });
            let question =
                CheckId::RevocationDataForSliding.about(&certificate.id).of_block(BlockKind::RevocationDataSelection);
            let found = selection.latest.clone();
            let failure = Failure::from(NotSlid::NoPoe).reporting(&selection.block.conclusion.errors);
            self.selections.push(selection);
            block.check_at(Level::Fail, question, found.is_some(), failure)?;
            used = found.and_then(|id| {
                let said = certificate.revocations.iter().find(|said| said.revocation == id)?;
                Some((cx.index.revocation(&id)?, said))
            });
        } else if !certificate.self_signed {
            let rule = cx.rule(PolicySection::Certificate(self.context, sub), RuleName::RevocationDataSkip);
            let question = CheckId::RevocationDataRequired.about(&certificate.id);
            block.check(rule, question, false, NotSlid::NoPoe)?;
        }

        if let Some((revocation, said)) = used {
            self.status(block, revocation, said, sub)?;
        }
        // d) The certificate's algorithms, and those of its revocation data.
        let own = algorithms::judge_certificate(cx, certificate, self.context, sub, self.control_time);
        let of_data =
            used.map(|(data, _)| algorithms::judge(cx, Token::Revocation(data), Parts::ALL, self.control_time));
        let control = self.control_time;
        let mut all = unreliable(&own).chain(of_data.iter().flat_map(unreliable));
        all.try_for_each(|check| self.ended(block, check, control))
    }

    /// Slides to the end of an algorithm that was not reliable at the time of `control`. Before one that had not ended
    /// then there is no time at which the chain could be trusted.
    fn ended(&mut self, block: &mut BlockBuilder, check: &AlgorithmCheck, control: Time) -> Result<(), Concluded> {
        if let Some(end) = check.not_after.filter(|end| *end <= control) {
            self.control_time = self.control_time.min(end);
            return Ok(());
        }
        let question = CheckId::AlgorithmsReliable.about(&check.token).of_block(BlockKind::AlgorithmObsolescence);
        let failure = Failure::from(NotSlid::NoPoe).reporting(&check.conclusion.errors);
        block.check_at(Level::Fail, question, false, failure)
    }

    /// Checks b) and c): what the revocation data says of the certificate.
    fn status(
        &mut self,
        block: &mut BlockBuilder,
        revocation: &Revocation,
        said: &CertificateRevocation,
        sub: SubContext,
    ) -> Result<(), Concluded> {
        if said.status == CertificateStatus::Revoked {
            // b) Revoked: trusted until then, if the validity model lets revocation reach back at all.
            if prevailing::reaches_back(self.basis.cx, said, sub) {
                // Without a date there is no time at which it is known not to have been revoked.
                let Some(date) = prevailing::revoked_since(self.basis.cx, said) else {
                    let failure = NotSlid::NoPoe;
                    return block.check_at(
                        Level::Fail,
                        CheckId::ControlTimeDetermined.about(&revocation.id),
                        false,
                        failure,
                    );
                };
                self.control_time = self.control_time.min(date);
            }
        } else if let Some(issued) = revocation.this_update {
            // c) Not revoked, but the data is not recent enough: known until it was issued.
            let fresh = check_freshness(self.basis.cx, revocation, self.control_time, self.context, sub);
            if !fresh.is_passed() {
                self.control_time = self.control_time.min(issued);
            }
        }
        Ok(())
    }
}

/// Returns the algorithms that are not reliable.
fn unreliable(algorithms: &AlgorithmObsolescence) -> impl Iterator<Item = &AlgorithmCheck> {
    algorithms.signature.iter().chain(&algorithms.chain).filter(|check| !check.conclusion.is_passed())
}

#[cfg(test)]
mod tests {
    use crate::facts::{BasicSignature, Facts, TimestampType};
    use crate::policy::{Policy, ValidityModel};
    use crate::validation::engine::BlockKind;
    use crate::validation::testing::*;
    use crate::validation::validate;

    /// What sliding selects, and whether it succeeds, for an expired signature with an archive time-stamp.
    #[test]
    fn sliding() {
        let archived = || {
            let covered = &["S", "D", "SIGNER", "R-SIGNER"];
            with_timestamp(valid(), "TA", TimestampType::Archive, "2021-07-01", covered)
        };
        let result = |facts: &Facts| {
            let verdicts = judged(facts, "2024-01-01");
            verdicts.signatures[0].block(BlockKind::ValidationTimeSliding).map(|block| word(&block.conclusion))
        };

        let mut facts = with_timestamp(valid(), "TA", TimestampType::Archive, "2023-07-01", &["S", "D"]);
        assert_eq!(result(&facts), Some("PASSED".into()), "5.6.2.2 a): everything exists now");

        // The time-stamping authority stands for itself, so that the end of the root does not concern it.
        facts = archived();
        certificate_mut(&mut facts, "TSA").trust.trusted = true;
        certificate_mut(&mut facts, "ROOT").trust.sunset = Some(at("2021-06-15"));
        assert_eq!(
            result(&facts),
            Some("INDETERMINATE/NO_POE".into()),
            "5.6.2.2 a): nothing existed before the sunset"
        );

        certificate_mut(&mut facts, "ROOT").trust.sunset = Some(at("2021-07-15"));
        assert_eq!(result(&facts), Some("PASSED".into()), "5.6.2.2 a): all existed before the sunset");
    }

    /// Revocation data on the authority above the signer, by an algorithm that has no end because it never was reliable.
    #[test]
    fn algorithms_that_never_were_reliable() {
        let below = |change: fn(&mut BasicSignature)| {
            let mut facts = with_authority(valid());
            facts.revocations.iter_mut().for_each(|data| data.next_update = Some(at("2030-01-01")));
            change(&mut facts.revocations.last_mut().unwrap().basic);
            let covered = &["S", "D", "SIGNER", "CA", "R-SIGNER", "R-CA"];
            with_timestamp(facts, "TA", TimestampType::Archive, "2021-07-01", covered)
        };
        let rows: [(&str, fn(&mut BasicSignature), &str); 4] = [
            ("good", |_| {}, "PASSED"),
            ("a key that is too short", |basic| basic.key_length = Some(512), "INDETERMINATE/NO_POE"),
            ("a key of no known size", |basic| basic.key_length = None, "INDETERMINATE/NO_POE"),
            ("no known algorithm", |basic| basic.key_algorithm = None, "INDETERMINATE/NO_POE"),
        ];
        for (situation, change, expected) in rows {
            let verdicts = validate(&below(change), &Policy::eidas(), at("2024-01-01"));
            let signature = &verdicts.signatures[0];
            let sliding = signature.block(BlockKind::ValidationTimeSliding).map(|block| word(&block.conclusion));
            assert_eq!(sliding.as_deref(), Some(expected), "5.6.2.2 d): {situation}");
            assert_eq!(signature.archival.block.is_passed(), expected == "PASSED", "5.6.2.2 d): {situation}");
        }
    }

    #[test]
    fn revocation_reaches_back_by_the_model() {
        let mut facts =
            with_timestamp(valid(), "TA", TimestampType::Archive, "2021-05-10", &["S", "D", "SIGNER", "R-SIGNER"]);
        revoke(&mut facts, "SIGNER", "2021-05-20");
        let passed = |facts: &Facts| {
            let mut policy = Policy::dss();
            policy.model = ValidityModel::Shell;
            validate(facts, &policy, at("2022-01-01")).signatures[0].archival.block.is_passed()
        };
        assert!(passed(&facts), "5.6.2.2 b): the signature existed before the revocation");
        facts.timestamps[0].production_time = at("2021-05-25");
        assert!(!passed(&facts), "5.6.2.2 b): the signature is only known to have existed after the revocation");
    }
}
