//! Past signature validation: EN 319 102-1 §5.6.2.4.
//!
//! Answers whether a token whose current status is not conclusive was valid at a time at which it is known to
//! have existed.

use super::algorithms::{self, Parts};
use super::blocks::{BuildingBlocks, RevocationSelection};
use super::check_id::CheckId;
use super::engine::{Block, BlockBuilder, BlockKind, Concluded, Conclusion, Failure};
use super::outcome::{Indication, SubIndication, outcomes};
use super::past_chain::path_was_in_order;
use super::past_selection::{Basis, Purpose};
use super::pcv::{self, PastCertificate};
use super::poe::Poe;
use super::prevailing;
use super::revocation_freshness::check_freshness;
use super::revocation_required::revocation_required;
use super::token::Token;
use crate::facts::{Certificate, CertificateStatus, Id, Revocation, RevocationReason};
use crate::policy::{Context, Level, PolicySection, RuleName, SubContext};
use crate::time::Time;

outcomes! {
    /// The outcomes of past signature validation, but for the current ones: EN 319 102-1 §5.6.2.4.
    enum NotValid {
        NoPoe,
        NotYetValid,
        OutOfBoundsNoPoe,
        OutOfBoundsNotRevoked,
        RevokedCaNoPoe,
        RevocationOutOfBoundsNoPoe,
    }
}

/// The finished validation.
#[derive(Debug)]
pub(super) struct PastSignature {
    /// Its checks and conclusion.
    pub block: Block,
    /// The selection of revocation data for the signing certificate, where that was required.
    pub selection: Option<RevocationSelection>,
    /// The past certificate validation.
    pub certificate: PastCertificate,
}

impl PastSignature {
    /// Puts the results beside the token's building blocks, whose conclusion is now the past one.
    pub fn store(self, blocks: &mut BuildingBlocks) {
        let conclusion = &self.block.conclusion;
        blocks.conclusion.indication = conclusion.indication;
        blocks.conclusion.sub_indication = conclusion.sub_indication;
        blocks.conclusion.add_messages_of(conclusion);
        blocks.psv = Some(self.block);
        blocks.psv_selection = self.selection;
        blocks.pcv = Some(self.certificate.block);
        if let Some(sliding) = self.certificate.sliding {
            blocks.vts = Some(sliding.block);
            blocks.vts_selections = sliding.selections;
        }
    }
}

/// Validates `token`, whose current status is `current`.
pub(super) fn validate<'a>(basis: &Basis<'_, 'a>, token: Token<'a>, current: &Conclusion) -> PastSignature {
    let context = token.context();
    let cx = basis.cx;
    let signing = token.signing_certificate().and_then(|id| cx.index.certificate(id));

    // 1) Revocation data on the signing certificate whose issuer existed while it was valid; failing that, any.
    let required = signing.filter(|certificate| {
        let since = basis.poes.lowest(&certificate.id).time;
        revocation_required(cx, certificate, since, context, SubContext::SigningCertificate)
    });
    let selection = required.map(|certificate| basis.select(certificate, Purpose::PastSignature));
    let only = selection
        .as_ref()
        .filter(|selection| !selection.acceptable.is_empty())
        .map(|selection| selection.acceptable.as_slice());

    // 2) Past certificate validation.
    let certificate = pcv::validate(basis, token, context, only);

    let mut block = BlockBuilder::new(BlockKind::PastSignatureValidation, token.id());
    let process = Process {
        basis,
        token,
        context,
        current,
        signing,
        selection: selection.as_ref(),
        past: &certificate,
        poe: basis.poes.lowest(token.id()),
    };
    let _ = process.run(&mut block);
    let block = block.finish();
    PastSignature { block, selection, certificate }
}

/// Returns whether a past certificate result lets the past of the signature be asked for.
fn is_acceptable(past: &Conclusion) -> bool {
    use SubIndication::*;
    past.is_passed()
        || past.indication == Indication::Indeterminate
            && matches!(
                past.sub_indication,
                Some(RevokedNoPoe | RevokedCaNoPoe | OutOfBoundsNoPoe | CryptoConstraintsFailureNoPoe)
            )
}

struct Process<'c, 'a> {
    basis: &'c Basis<'c, 'a>,
    token: Token<'a>,
    context: Context,
    current: &'c Conclusion,
    signing: Option<&'a Certificate>,
    selection: Option<&'c RevocationSelection>,
    past: &'c PastCertificate,
    /// The lowest proof of existence of the token.
    poe: Poe<'a>,
}

impl<'a> Process<'_, 'a> {
    /// Runs the steps of §5.6.2.4.3.
    fn run(&self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        // 1) The selection that was made.
        if let (Some(selection), Some(certificate)) = (self.selection, self.signing) {
            // The selection speaks for itself, and so does past certificate validation.
            let question = CheckId::AcceptableRevocationDataFound.about(&certificate.id);
            let question = question.of_block(BlockKind::RevocationDataSelection).silent();
            let failure = Failure::relayed(&selection.block.conclusion);
            block.check_at(Level::Warn, question, selection.block.is_passed(), failure)?;
        }
        // 2) The past certificate validation.
        let past = &self.past.block.conclusion;
        let question = CheckId::PastCertificateValidationAllowsPast
            .about(self.token.id())
            .of_block(BlockKind::PastCertificateValidation);
        block.check_at(Level::Fail, question, is_acceptable(past), Failure::result_of(self.current))?;
        // 3) A proof of the token's existence by the control time.
        let existed = self.past.control_time.is_some_and(|control| self.poe.time <= control);
        let question = CheckId::SignatureExistedByControlTime.of_block(BlockKind::PastCertificateValidation).silent();
        let question = question.comparing(match self.past.control_time {
            Some(control) => format!("{} ≤ {control}", self.poe.time),
            None => "no control time".into(),
        });
        let failure = NotValid::NoPoe;
        block.check_at(Level::Warn, question, existed, failure)?;
        // 4) and 5) What the current status leaves open.
        if self.settle(block, existed)? {
            path_was_in_order(self.basis, block, self.token, self.poe.time)?;
            algorithms::check_value(block, self.basis.cx, self.token, self.poe.time)?;
            return self.revocation_conclusive(block);
        }
        // 6) Otherwise the current status stays.
        block.check_at(Level::Fail, CheckId::CurrentStatusExplainedByPast, false, Failure::relayed(self.current))
    }

    /// Checks 4) and 5) what the current status leaves open. True if the past explains it.
    fn settle(&self, block: &mut BlockBuilder, existed: bool) -> Result<bool, Concluded> {
        use SubIndication::*;
        let Some(sub) = self.current.sub_indication else { return Ok(self.current.is_passed()) };
        let suspended = sub == TryLater && self.is_suspended();
        match sub {
            NoCertificateChainFoundNoPoe | OutOfBoundsNoPoe if existed => {
                self.within_validity(block, NotValid::OutOfBoundsNoPoe)?;
            }
            RevokedNoPoe | RevocationOutOfBoundsNoPoe | OutOfBoundsNotRevoked if existed => {
                self.within_validity(block, NotValid::OutOfBoundsNotRevoked)?;
            }
            TryLater if existed && suspended => self.within_validity(block, NotValid::OutOfBoundsNotRevoked)?,
            RevokedCaNoPoe if existed => {
                self.before_ca_revocation(block)?;
                self.within_validity(block, NotValid::OutOfBoundsNotRevoked)?;
            }
            CryptoConstraintsFailureNoPoe => self.algorithms(block)?,
            TryLater if !suspended => self.freshness(block)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Checks that the token existed after the certificate was issued and before it expired.
    fn within_validity(&self, block: &mut BlockBuilder, outside: NotValid) -> Result<(), Concluded> {
        let Some(certificate) = self.signing else { return Ok(()) };
        let (best, from, to) = (self.poe.time, certificate.not_before, certificate.not_after);
        let question = CheckId::BestSignatureTimeAfterIssuance.comparing(format!("{best} ≥ {from}"));
        block.check_at(Level::Fail, question, best >= from, NotValid::NotYetValid)?;
        let question = CheckId::ValidAtBestSignatureTime.comparing(format!("{from} ≤ {best} ≤ {to}"));
        let within = from <= best && best <= to;
        block.check_at(Level::Fail, question, within, outside)
    }

    /// Checks that revocation data on the signing certificate existed before its CA was revoked.
    fn before_ca_revocation(&self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        let revoked = self.ca_revocation_date();
        let data = self.signing.into_iter().flat_map(|certificate| &certificate.revocations);
        let existed = revoked.is_some_and(|date| {
            data.filter_map(|said| self.basis.cx.index.revocation(&said.revocation))
                .any(|revocation| self.basis.poes.exists(&revocation.id, date))
        });
        let check = CheckId::StatusKnownBeforeCaRevocation;
        let question = match revoked {
            Some(date) => check.comparing(format!("≤ {date}")),
            None => check.into(),
        };
        block.check_at(Level::Fail, question, existed, NotValid::RevokedCaNoPoe)
    }

    /// Returns when the direct CA of the signing certificate was revoked, by its latest acceptable revocation data.
    fn ca_revocation_date(&self) -> Option<Time> {
        let ca = self.basis.cx.index.certificate(self.token.chain().get(1)?)?;
        let (_, said) = self.latest(ca)?;
        let revoked = said.status == CertificateStatus::Revoked;
        revoked.then(|| prevailing::revoked_since(self.basis.cx, said)).flatten()
    }

    /// Checks all algorithms of the token when it is first known to exist; then those of the revocation data of each
    /// certificate of the chain.
    ///
    /// NOTE: The revocation data's algorithms are judged when the certificate is first known to exist, as DSS
    /// does; the clause asks for the time at which the data itself is.
    fn algorithms(&self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        let cx = self.basis.cx;
        algorithms::check_result(block, &algorithms::judge(cx, self.token, Parts::ALL, self.poe.time))?;
        for (depth, certificate) in cx.index.chain(self.token.chain()).into_iter().enumerate() {
            let since = self.basis.poes.lowest(&certificate.id).time;
            if cx.is_trust_anchor(certificate, since, self.context, SubContext::at_depth(depth)) {
                break;
            }
            if let Some(revocation) = self.latest_known_at(certificate, since) {
                algorithms::check_result(
                    block,
                    &algorithms::judge(cx, Token::Revocation(revocation), Parts::ALL, since),
                )?;
            }
        }
        Ok(())
    }

    /// Checks that the revocation data of each certificate was recent enough when the token is first known to exist.
    fn freshness(&self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        let cx = self.basis.cx;
        for (depth, certificate) in cx.index.chain(self.token.chain()).into_iter().enumerate() {
            let sub = SubContext::at_depth(depth);
            if cx.is_trust_anchor(certificate, cx.time, self.context, sub) {
                break;
            }
            if !revocation_required(cx, certificate, cx.time, self.context, sub) {
                continue;
            }
            let Some((revocation, _)) = self.latest(certificate) else { continue };
            let fresh = check_freshness(cx, revocation, self.poe.time, self.context, sub);
            let question = CheckId::RevocationDataFresh.about(&revocation.id).of_block(BlockKind::RevocationFreshness);
            block.check_at(Level::Fail, question, fresh.is_passed(), Failure::relayed(&fresh.conclusion))?;
        }
        Ok(())
    }

    /// Checks 7) that some of the revocation data used was issued by an issuer that existed while its certificate was
    /// valid.
    fn revocation_conclusive(&self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        let section = PolicySection::Certificate(self.context, SubContext::SigningCertificate);
        let rule = self.basis.cx.rule(section, RuleName::RevocationIssuerNotExpired);
        let conclusive = self.selection.is_none_or(|selection| selection.block.is_passed());
        let failure = NotValid::RevocationOutOfBoundsNoPoe;
        block.check(rule, CheckId::RevocationDataConclusive, conclusive, failure)
    }

    /// Returns whether a certificate of the chain is suspended.
    fn is_suspended(&self) -> bool {
        self.basis.cx.index.chain(self.token.chain()).into_iter().any(|certificate| {
            self.latest(certificate).is_some_and(|(_, said)| said.reason == Some(RevocationReason::CertificateHold))
        })
    }

    /// Returns the latest acceptable revocation data on a certificate that is known to have existed at `time`; failing
    /// that, the latest.
    fn latest_known_at(&self, certificate: &'a Certificate, time: Time) -> Option<&'a Revocation> {
        let selection = self.basis.blocks.certificate_in_path(&certificate.id)?.selection.as_ref()?;
        let acceptable = selection.acceptable.iter().filter_map(|id| self.basis.cx.index.revocation(id));
        let known = acceptable.filter(|revocation| self.basis.poes.exists(&revocation.id, time));
        let latest = known.reduce(|last, next| if next.production_date > last.production_date { next } else { last });
        latest.or_else(|| self.latest(certificate).map(|(revocation, _)| revocation))
    }

    /// Returns the latest acceptable revocation data on a certificate, as the token's own chain validation selected it.
    fn latest(
        &self,
        certificate: &'a Certificate,
    ) -> Option<(&'a Revocation, &'a crate::facts::CertificateRevocation)> {
        let latest: &Id =
            self.basis.blocks.certificate_in_path(&certificate.id)?.selection.as_ref()?.latest.as_ref()?;
        let said = certificate.revocations.iter().find(|said| said.revocation == *latest)?;
        Some((self.basis.cx.index.revocation(latest)?, said))
    }
}
