//! What the basic result leaves open, at the best-signature-time: EN 319 102-1 §5.5.4 4).
//!
//! Answers whether revocation, expiry or the end of an algorithm came after the signature is known to have existed.

use super::{Process, Status};
use crate::facts::CertificateStatus;
use crate::policy::{Level, Place, RuleName, SubContext};
use crate::validation::aov::{self, Parts};
use crate::validation::engine::{Ask, Concluded, Conclusion, Failure, Steps, ask};
use crate::validation::outcome::{Indication, SubIndication};
use crate::validation::poe::Poe;
use crate::validation::skip::revocation_required;

impl Process<'_, '_> {
    /// 4): what each basic result leaves open.
    pub(super) fn basic_result(&mut self, steps: &mut Steps, statuses: &[Status<'_>]) -> Result<(), Concluded> {
        let Some(sub) = self.basic.sub_indication else { return self.issued_before(steps) };
        match sub {
            SubIndication::RevokedNoPoe | SubIndication::RevokedCaNoPoe => {
                let concerned = if sub == SubIndication::RevokedNoPoe {
                    SubContext::SigningCertificate
                } else {
                    SubContext::CaCertificate
                };
                for status in statuses.iter().filter(|status| status.sub == concerned) {
                    self.revoked_after(steps, status, sub)?;
                }
                self.issued_before(steps)?;
                self.expired_after(steps)
            }
            SubIndication::OutOfBoundsNoPoe => {
                self.issued_before(steps)?;
                // NOTE: The clause goes on with 5); DSS ends here, and leaves the rest to past validation, where
                // the best-signature-time is determined again. The result is the same word.
                let status = statuses.iter().find(|status| status.sub == SubContext::SigningCertificate);
                let question = Ask::new("LTV_ISCKNR", "LTV_ISCKNR_ANS1");
                let known = status.is_some_and(|status| self.is_known_not_revoked(status));
                // Nothing follows, so that there is no best-signature-time to speak of.
                self.best = Poe::now(self.evidence.case.time);
                steps.level(Some(Level::Fail), question, known, Failure::indeterminate(sub))?;
                Err(steps.conclude(Conclusion {
                    indication: Indication::Indeterminate,
                    sub_indication: Some(sub),
                    ..Conclusion::passed()
                }))
            }
            SubIndication::CryptoConstraintsFailureNoPoe => {
                let aov = aov::aov(self.evidence.case, self.token, Parts::SIGNATURE, self.best.time);
                aov::check_result(steps, &aov)
            }
            SubIndication::OutOfBoundsNotRevoked => {
                self.issued_before(steps)?;
                self.expired_after(steps)?;
                self.known_not_revoked(steps, statuses)
            }
            _ => Ok(()),
        }
    }

    /// The revocation is later than the best-signature-time.
    fn revoked_after(&self, steps: &mut Steps, status: &Status<'_>, sub: SubIndication) -> Result<(), Concluded> {
        if status.said.status != CertificateStatus::Revoked {
            return Ok(());
        }
        let best = self.best.time;
        let after = status.said.revocation_date.is_some_and(|date| date > best);
        let compared = match status.said.revocation_date {
            Some(date) => format!("{date} > {best}"),
            None => format!("no revocation date; best-signature-time {best}"),
        };
        let rule = self.timestamp_rule(RuleName::RevocationTimeAgainstBestSignatureTime);
        let question = ask!("ADEST_IRTPTBST").about(&status.certificate.id).comparing(compared);
        steps.rule(rule, question, after, Failure::indeterminate(sub))
    }

    /// The signing certificate was issued by the best-signature-time.
    fn issued_before(&self, steps: &mut Steps) -> Result<(), Concluded> {
        let Some(certificate) = self.signing_certificate() else { return Ok(()) };
        let best = self.best.time;
        let question = ask!("TSV_IBSTAIDOSC").comparing(format!("{best} ≥ {}", certificate.not_before));
        let failure = Failure::failed(SubIndication::NotYetValid);
        steps.level(Some(Level::Fail), question, best >= certificate.not_before, failure)
    }

    /// The signing certificate had not expired at the best-signature-time.
    fn expired_after(&self, steps: &mut Steps) -> Result<(), Concluded> {
        let Some(certificate) = self.signing_certificate() else { return Ok(()) };
        let best = self.best.time;
        let rule = self.timestamp_rule(RuleName::BestSignatureTimeBeforeExpirationDateOfSigningCertificate);
        let question = ask!("TSV_IBSTBCEC").comparing(format!("{best} ≤ {}", certificate.not_after));
        let failure = Failure::indeterminate(SubIndication::OutOfBoundsNotRevoked);
        steps.rule(rule, question, best <= certificate.not_after, failure)
    }

    /// The expired certificate is known not to have been revoked: worth a warning where it is not.
    fn known_not_revoked(&self, steps: &mut Steps, statuses: &[Status<'_>]) -> Result<(), Concluded> {
        let case = self.evidence.case;
        let sub = SubContext::SigningCertificate;
        let needed = |c| revocation_required(case, c, case.time, self.context, sub);
        if !self.signing_certificate().is_some_and(needed) {
            return Ok(());
        }
        let rule = case.rule(Place::Certificate(self.context, sub), RuleName::RevocationIssuerNotExpired);
        let status = statuses.iter().find(|status| status.sub == sub);
        let question = Ask::new("LTV_ISCKNR", "LTV_ISCKNR_ANS1");
        let known = status.is_some_and(|status| self.is_known_not_revoked(status));
        let failure = Failure::indeterminate(SubIndication::OutOfBoundsNoPoe);
        steps.level(rule.map(|rule| rule.level.max(Level::Warn)), question, known, failure)
    }

    /// Revocation data says not revoked, and its issuer is an anchor or has a valid certificate now.
    fn is_known_not_revoked(&self, status: &Status<'_>) -> bool {
        let case = self.evidence.case;
        let issuer = status.revocation.signing_certificate.as_ref().and_then(|id| case.certificate(id));
        status.said.status != CertificateStatus::Revoked
            && issuer.is_some_and(|issuer| {
                self.evidence.is_anchor_of_revocation(issuer)
                    || (issuer.not_before <= case.time && case.time <= issuer.not_after)
            })
    }
}
