//! Validation time sliding: EN 319 102-1 §5.6.2.2.
//!
//! Answers up to when a certificate chain can be trusted: starting from now (or from the end of the anchor's trust),
//! the control time slides back whenever a certificate was revoked or an algorithm ended.

use super::aov::{self, Parts};
use super::blocks::{Aov, Crs};
use super::case::position;
use super::engine::{Block, BlockKind, Concluded, Failure, Steps, ask};
use super::outcome::SubIndication;
use super::rfc::rfc;
use super::selection::{Evidence, Purpose};
use super::skip::revocation_required;
use super::token::Token;
use crate::facts::{Certificate, CertificateRevocation, CertificateStatus, Id, Revocation, RevocationReason};
use crate::policy::{Context, Level, Place, RuleName, SubContext, ValidityModel};
use crate::time::Time;

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
    pub selections: Vec<Crs>,
}

/// Slides from `anchor` down the chain of `token`. Where `only` is given, the signing certificate's status is taken
/// from that revocation data alone.
pub(super) fn slide<'a>(
    evidence: &Evidence<'_, 'a>,
    token: Token<'a>,
    context: Context,
    anchor: &'a Certificate,
    only: Option<&[Id]>,
) -> Sliding {
    let mut steps = Steps::new(BlockKind::ValidationTimeSliding, Some(token.id()));
    // 1) From now, or from the end of the anchor's trust.
    let sunset = anchor.trust.sunset;
    let mut process =
        Process { evidence, token, context, control_time: sunset.unwrap_or(evidence.case.time), selections: vec![] };
    let _ = process.steps(&mut steps, anchor, only);
    Sliding {
        anchor: anchor.id.clone(),
        block: steps.finish(),
        control_time: process.control_time,
        selections: process.selections,
    }
}

struct Process<'c, 'a> {
    evidence: &'c Evidence<'c, 'a>,
    token: Token<'a>,
    context: Context,
    control_time: Time,
    selections: Vec<Crs>,
}

impl<'a> Process<'_, 'a> {
    fn steps(&mut self, steps: &mut Steps, anchor: &Certificate, only: Option<&[Id]>) -> Result<(), Concluded> {
        if let Some(sunset) = anchor.trust.sunset {
            let question = ask!("PSV_ISDDTA").about(&anchor.id).comparing(sunset.to_string());
            let failure = Failure::indeterminate(SubIndication::NoPoe);
            steps.level(Some(Level::Inform), question, true, failure)?;
        }
        // 2) Each certificate from below the anchor down to the signing certificate.
        let chain = self.evidence.case.chain(self.token.chain());
        let below: Vec<_> = chain.into_iter().take_while(|certificate| certificate.id != anchor.id).collect();
        for (depth, certificate) in below.into_iter().enumerate().rev() {
            let only = if depth == 0 { only } else { None };
            self.certificate(steps, certificate, position(depth), only)?;
        }
        // 3) The control time.
        let question = ask!("PSV_ICTD").comparing(self.control_time.to_string());
        steps.level(Some(Level::Fail), question, true, Failure::indeterminate(SubIndication::NoPoe))
    }

    /// 2) for one certificate.
    fn certificate(
        &mut self,
        steps: &mut Steps,
        certificate: &'a Certificate,
        sub: SubContext,
        only: Option<&[Id]>,
    ) -> Result<(), Concluded> {
        let case = self.evidence.case;
        let mut used = None;
        if revocation_required(case, certificate, case.time, self.context, sub) {
            // a) Revocation data that existed, as the certificate did, by the control time.
            let crs = self.evidence.select(certificate, Purpose::Sliding { control_time: self.control_time, only });
            let question = ask!("BBB_VTS_IRDPFC").about(&certificate.id).of_block(BlockKind::RevocationDataSelection);
            let found = crs.latest.clone();
            let mut failure = Failure::indeterminate(SubIndication::NoPoe);
            failure.previous_errors = crs.block.conclusion.errors.clone();
            self.selections.push(crs);
            steps.level(Some(Level::Fail), question, found.is_some(), failure)?;
            used = found.and_then(|id| {
                let said = certificate.revocations.iter().find(|said| said.revocation == id)?;
                Some((case.revocation(&id)?, said))
            });
        } else if !certificate.self_signed {
            let rule = case.rule(Place::Certificate(self.context, sub), RuleName::RevocationDataSkip);
            let question = ask!("BBB_XCV_IRDCSFC").about(&certificate.id);
            steps.rule(rule, question, false, Failure::indeterminate(SubIndication::NoPoe))?;
        }

        if let Some((revocation, said)) = used {
            self.status(steps, revocation, said, sub)?;
        }
        // d) The certificate's algorithms, and those of its revocation data.
        let own = aov::aov_certificate(case, certificate, self.context, sub, self.control_time);
        let of_data = used.map(|(data, _)| aov::aov(case, Token::Revocation(data), Parts::ALL, self.control_time));
        for end in ends(&own).chain(of_data.iter().flat_map(ends)) {
            self.control_time = self.control_time.min(end);
        }
        Ok(())
    }

    /// b) and c): what the revocation data says of the certificate.
    fn status(
        &mut self,
        steps: &mut Steps,
        revocation: &Revocation,
        said: &CertificateRevocation,
        sub: SubContext,
    ) -> Result<(), Concluded> {
        if said.status == CertificateStatus::Revoked {
            // b) Revoked: trusted until then, if the validity model lets revocation reach back at all.
            let model = self.evidence.case.policy.model;
            let compromised =
                matches!(said.reason, None | Some(RevocationReason::KeyCompromise | RevocationReason::Unspecified));
            let reaches = model == ValidityModel::Shell
                || (model == ValidityModel::Hybrid && sub == SubContext::CaCertificate)
                || compromised;
            if reaches {
                // Without a date there is no time at which it is known not to have been revoked.
                let Some(date) = said.revocation_date else {
                    let failure = Failure::indeterminate(SubIndication::NoPoe);
                    return steps.level(Some(Level::Fail), ask!("PSV_ICTD").about(&revocation.id), false, failure);
                };
                self.control_time = self.control_time.min(date);
            }
        } else if let Some(issued) = revocation.this_update {
            // c) Not revoked, but the data is not recent enough: known until it was issued.
            let fresh = rfc(self.evidence.case, revocation, self.control_time, self.context, sub);
            if !fresh.is_passed() {
                self.control_time = self.control_time.min(issued);
            }
        }
        Ok(())
    }
}

/// Until when the algorithms that are no longer reliable were.
fn ends(aov: &Aov) -> impl Iterator<Item = Time> {
    let checks = aov.signature.iter().chain(&aov.chain);
    checks.filter(|check| !check.conclusion.is_passed()).filter_map(|check| check.not_after)
}

#[cfg(test)]
mod tests {
    use crate::facts::{Facts, TimestampType};
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
