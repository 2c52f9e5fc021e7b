//! What the basic result leaves open, at the best-signature-time: EN 319 102-1 §5.5.4 4).
//!
//! Answers whether revocation, expiry or the end of an algorithm came after the signature is known to have existed.

use super::{NotValid, Process, Status};
use crate::facts::CertificateStatus;
use crate::policy::{Level, PolicySection, RuleName, SubContext};
use crate::validation::algorithms::{self, Parts};
use crate::validation::check_id::CheckId;
use crate::validation::engine::{BlockBuilder, Concluded};
use crate::validation::outcome::SubIndication;
use crate::validation::poe::Poe;
use crate::validation::revocation_required::revocation_required;

impl Process<'_, '_> {
    /// Checks 4) what each basic result leaves open.
    pub(super) fn basic_result(&mut self, block: &mut BlockBuilder, statuses: &[Status<'_>]) -> Result<(), Concluded> {
        let Some(sub) = self.basic.sub_indication else { return self.issued_before(block) };
        match sub {
            SubIndication::RevokedNoPoe => {
                self.revoked_after(block, statuses, SubContext::SigningCertificate, NotValid::RevokedNoPoe)
            }
            SubIndication::RevokedCaNoPoe => {
                self.revoked_after(block, statuses, SubContext::CaCertificate, NotValid::RevokedCaNoPoe)
            }
            SubIndication::OutOfBoundsNoPoe => {
                self.issued_before(block)?;
                // NOTE: The clause goes on with 5); DSS ends here, and leaves the rest to past validation, where
                // the best-signature-time is determined again. The result is the same word.
                let status = statuses.iter().find(|status| status.sub == SubContext::SigningCertificate);
                let known = status.is_some_and(|status| self.is_known_not_revoked(status));
                // Nothing follows, so that there is no best-signature-time to speak of.
                self.best = Poe::now(self.basis.cx.time);
                block.check_at(Level::Fail, CheckId::CertificateKnownNotRevoked, known, NotValid::OutOfBoundsNoPoe)?;
                Err(block.conclude(NotValid::OutOfBoundsNoPoe))
            }
            SubIndication::CryptoConstraintsFailureNoPoe => {
                let algorithms = algorithms::judge(self.basis.cx, self.token, Parts::SIGNATURE, self.best.time);
                algorithms::check_result(block, &algorithms)
            }
            SubIndication::OutOfBoundsNotRevoked => {
                self.issued_before(block)?;
                self.expired_after(block)?;
                self.known_not_revoked(block, statuses)
            }
            _ => Ok(()),
        }
    }

    /// Checks that each certificate of that kind was revoked after the best-signature-time, and that the signing
    /// certificate was valid then.
    fn revoked_after(
        &self,
        block: &mut BlockBuilder,
        statuses: &[Status<'_>],
        concerned: SubContext,
        outcome: NotValid,
    ) -> Result<(), Concluded> {
        for status in statuses.iter().filter(|status| status.sub == concerned) {
            self.revocation_is_later(block, status, outcome)?;
        }
        self.issued_before(block)?;
        self.expired_after(block)
    }

    /// Checks that the revocation is later than the best-signature-time.
    fn revocation_is_later(
        &self,
        block: &mut BlockBuilder,
        status: &Status<'_>,
        outcome: NotValid,
    ) -> Result<(), Concluded> {
        if status.said.status != CertificateStatus::Revoked {
            return Ok(());
        }
        let best = self.best.time;
        let (after, compared) = status.is_revoked_after(self.basis.cx, best);
        let rule = self.timestamp_rule(RuleName::RevocationTimeAgainstBestSignatureTime);
        let question = CheckId::RevokedAfterBestSignatureTime.about(&status.certificate.id).comparing(compared);
        block.check(rule, question, after, outcome)
    }

    /// Checks that the signing certificate was issued by the best-signature-time.
    fn issued_before(&self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        let Some(certificate) = self.signing_certificate() else { return Ok(()) };
        let best = self.best.time;
        let question =
            CheckId::BestSignatureTimeAfterIssuance.comparing(format!("{best} ≥ {}", certificate.not_before));
        let failure = NotValid::NotYetValid;
        block.check_at(Level::Fail, question, best >= certificate.not_before, failure)
    }

    /// Checks that the signing certificate had not expired at the best-signature-time.
    fn expired_after(&self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        let Some(certificate) = self.signing_certificate() else { return Ok(()) };
        let best = self.best.time;
        let rule = self.timestamp_rule(RuleName::BestSignatureTimeBeforeExpirationDateOfSigningCertificate);
        let question = CheckId::BestSignatureTimeBeforeExpiry.comparing(format!("{best} ≤ {}", certificate.not_after));
        let failure = NotValid::OutOfBoundsNotRevoked;
        block.check(rule, question, best <= certificate.not_after, failure)
    }

    /// Checks that the expired certificate is known not to have been revoked: worth a warning where it is not.
    fn known_not_revoked(&self, block: &mut BlockBuilder, statuses: &[Status<'_>]) -> Result<(), Concluded> {
        let cx = self.basis.cx;
        let sub = SubContext::SigningCertificate;
        let needed = |c| revocation_required(cx, c, cx.time, self.context, sub);
        if !self.signing_certificate().is_some_and(needed) {
            return Ok(());
        }
        let rule = cx.rule(PolicySection::Certificate(self.context, sub), RuleName::RevocationIssuerNotExpired);
        let status = statuses.iter().find(|status| status.sub == sub);
        let known = status.is_some_and(|status| self.is_known_not_revoked(status));
        let level = rule.map(|rule| rule.level.max(Level::Warn));
        block.check_at(level, CheckId::CertificateKnownNotRevoked, known, NotValid::OutOfBoundsNoPoe)
    }

    /// Returns whether revocation data says not revoked, and its issuer is an anchor or has a valid certificate now.
    fn is_known_not_revoked(&self, status: &Status<'_>) -> bool {
        let cx = self.basis.cx;
        let issuer = status.revocation.signing_certificate.as_ref().and_then(|id| cx.index.certificate(id));
        status.said.status != CertificateStatus::Revoked
            && issuer.is_some_and(|issuer| {
                self.basis.is_anchor_of_revocation(issuer)
                    || (issuer.not_before <= cx.time && cx.time <= issuer.not_after)
            })
    }
}
