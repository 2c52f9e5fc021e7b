//! Past signature validation: EN 319 102-1 §5.6.2.4.
//!
//! Answers whether a token whose current status is not conclusive was valid at a time at which it is known to
//! have existed.

use super::aov::{self, Parts};
use super::blocks::{BuildingBlocks, Crs};
use super::case::position;
use super::engine::{Block, BlockKind, Concluded, Conclusion, Failure, Steps, ask};
use super::outcome::{Indication, SubIndication};
use super::pcv::{self, PastCertificate};
use super::poe::Poe;
use super::rfc::rfc;
use super::selection::{Evidence, Purpose};
use super::skip::revocation_required;
use super::token::Token;
use super::validity::chain_had_not_ended;
use crate::facts::{Certificate, CertificateStatus, Id, Revocation, RevocationReason};
use crate::policy::{Context, Level, Place, RuleName, SubContext};
use crate::time::Time;

/// The finished validation.
#[derive(Debug)]
pub(super) struct PastSignature {
    /// Its checks and conclusion.
    pub block: Block,
    /// The selection of revocation data for the signing certificate, where that was required.
    pub selection: Option<Crs>,
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
        blocks.psv_crs = self.selection;
        blocks.pcv = Some(self.certificate.block);
        if let Some(sliding) = self.certificate.sliding {
            blocks.vts = Some(sliding.block);
            blocks.vts_crs = sliding.selections;
        }
    }
}

/// Validates `token`, whose current status is `current`.
pub(super) fn validate<'a>(evidence: &Evidence<'_, 'a>, token: Token<'a>, current: &Conclusion) -> PastSignature {
    let context = token.context();
    let case = evidence.case;
    let signing = token.signing_certificate().and_then(|id| case.certificate(id));

    // 1) Revocation data on the signing certificate whose issuer existed while it was valid; failing that, any.
    let required = signing.filter(|certificate| {
        let since = evidence.poes.lowest(&certificate.id).time;
        revocation_required(case, certificate, since, context, SubContext::SigningCertificate)
    });
    let selection = required.map(|certificate| evidence.select(certificate, Purpose::PastSignature));
    let only = selection.as_ref().filter(|crs| !crs.acceptable.is_empty()).map(|crs| crs.acceptable.as_slice());

    // 2) Past certificate validation.
    let certificate = pcv::validate(evidence, token, context, only);

    let mut steps = Steps::new(BlockKind::PastSignatureValidation, Some(token.id()));
    let process = Process {
        evidence,
        token,
        context,
        current,
        signing,
        selection: selection.as_ref(),
        past: &certificate,
        poe: evidence.poes.lowest(token.id()),
    };
    let _ = process.steps(&mut steps);
    let hidden = [Some(BlockKind::RevocationDataSelection), Some(BlockKind::PastCertificateValidation)];
    let block = steps.finish_showing(|check| !hidden.contains(&check.block));
    PastSignature { block, selection, certificate }
}

/// The past certificate results with which the past of the signature may be asked for.
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
    evidence: &'c Evidence<'c, 'a>,
    token: Token<'a>,
    context: Context,
    current: &'c Conclusion,
    signing: Option<&'a Certificate>,
    selection: Option<&'c Crs>,
    past: &'c PastCertificate,
    /// The lowest proof of existence of the token.
    poe: Poe<'a>,
}

impl<'a> Process<'_, 'a> {
    /// §5.6.2.4.3.
    fn steps(&self, steps: &mut Steps) -> Result<(), Concluded> {
        // 1) The selection that was made.
        if let (Some(crs), Some(certificate)) = (self.selection, self.signing) {
            let question = ask!("BBB_XCV_IARDPFC").about(&certificate.id).of_block(BlockKind::RevocationDataSelection);
            let failure = Failure::relayed(&crs.block.conclusion);
            steps.level(Some(Level::Warn), question, crs.block.is_passed(), failure)?;
        }
        // 2) The past certificate validation.
        let past = &self.past.block.conclusion;
        let question = ask!("PSV_IPCVA").about(self.token.id()).of_block(BlockKind::PastCertificateValidation);
        let mut failure = Failure::relayed(self.current);
        failure.previous_errors.clear();
        steps.level(Some(Level::Fail), question, is_acceptable(past), failure)?;
        // 3) A proof of the token's existence by the control time.
        let existed = self.past.control_time.is_some_and(|control| self.poe.time <= control);
        let question = ask!("PSV_ITPOSVAOBCT").of_block(BlockKind::PastCertificateValidation);
        let question = question.comparing(match self.past.control_time {
            Some(control) => format!("{} ≤ {control}", self.poe.time),
            None => "no control time".into(),
        });
        let failure = Failure::indeterminate(SubIndication::NoPoe);
        steps.level(Some(Level::Warn), question, existed, failure)?;
        // 4) and 5) What the current status leaves open.
        if self.settle(steps, existed)? {
            // What else is wrong with a certificate may hide that it had ended.
            chain_had_not_ended(self.evidence.case, steps, self.token.chain(), self.poe.time, self.context)?;
            aov::check_value(steps, self.evidence.case, self.token, self.poe.time)?;
            return self.revocation_conclusive(steps);
        }
        // 6) Otherwise the current status stays.
        steps.level(Some(Level::Fail), ask!("PSV_IPCVC"), false, Failure::relayed(self.current))
    }

    /// 4) and 5). True if the current status is explained by the past.
    fn settle(&self, steps: &mut Steps, existed: bool) -> Result<bool, Concluded> {
        use SubIndication::*;
        let Some(sub) = self.current.sub_indication else { return Ok(self.current.is_passed()) };
        let suspended = sub == TryLater && self.is_suspended();
        match sub {
            NoCertificateChainFoundNoPoe if existed => self.within_validity(steps, OutOfBoundsNoPoe)?,
            RevokedNoPoe | RevocationOutOfBoundsNoPoe if existed => {
                self.within_validity(steps, OutOfBoundsNotRevoked)?;
            }
            TryLater if existed && suspended => self.within_validity(steps, OutOfBoundsNotRevoked)?,
            RevokedCaNoPoe if existed => {
                self.before_ca_revocation(steps)?;
                self.within_validity(steps, OutOfBoundsNotRevoked)?;
            }
            OutOfBoundsNoPoe | OutOfBoundsNotRevoked if existed => self.within_validity(steps, sub)?,
            CryptoConstraintsFailureNoPoe => self.algorithms(steps)?,
            TryLater if !suspended => self.freshness(steps)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The token existed after the certificate was issued and before it expired.
    fn within_validity(&self, steps: &mut Steps, outside: SubIndication) -> Result<(), Concluded> {
        let Some(certificate) = self.signing else { return Ok(()) };
        let (best, from, to) = (self.poe.time, certificate.not_before, certificate.not_after);
        let question = ask!("TSV_IBSTAIDOSC").comparing(format!("{best} ≥ {from}"));
        steps.level(Some(Level::Fail), question, best >= from, Failure::failed(SubIndication::NotYetValid))?;
        let question = ask!("TSV_ISCNVABST").comparing(format!("{from} ≤ {best} ≤ {to}"));
        let within = from <= best && best <= to;
        steps.level(Some(Level::Fail), question, within, Failure::indeterminate(outside))
    }

    /// Revocation data on the signing certificate existed before its CA was revoked.
    fn before_ca_revocation(&self, steps: &mut Steps) -> Result<(), Concluded> {
        let revoked = self.ca_revocation_date();
        let data = self.signing.into_iter().flat_map(|certificate| &certificate.revocations);
        let existed = revoked.is_some_and(|date| {
            data.filter_map(|said| self.evidence.case.revocation(&said.revocation))
                .any(|revocation| self.evidence.poes.exists(&revocation.id, date))
        });
        let question = ask!("PSV_ITPRISCNARTCAC");
        let question = match revoked {
            Some(date) => question.comparing(format!("≤ {date}")),
            None => question,
        };
        steps.level(Some(Level::Fail), question, existed, Failure::indeterminate(SubIndication::RevokedCaNoPoe))
    }

    /// When the direct CA of the signing certificate was revoked, by its latest acceptable revocation data.
    fn ca_revocation_date(&self) -> Option<Time> {
        let ca = self.evidence.case.certificate(self.token.chain().get(1)?)?;
        let (_, said) = self.latest(ca)?;
        if said.status == CertificateStatus::Revoked { said.revocation_date } else { None }
    }

    /// All algorithms of the token when it is first known to exist; then those of the revocation data of each
    /// certificate of the chain.
    ///
    /// NOTE: The revocation data's algorithms are judged when the certificate is first known to exist, as DSS
    /// does; the clause asks for the time at which the data itself is.
    fn algorithms(&self, steps: &mut Steps) -> Result<(), Concluded> {
        let case = self.evidence.case;
        aov::check_result(steps, &aov::aov(case, self.token, Parts::ALL, self.poe.time))?;
        for (depth, certificate) in case.chain(self.token.chain()).into_iter().enumerate() {
            let since = self.evidence.poes.lowest(&certificate.id).time;
            if case.is_trust_anchor(certificate, since, self.context, position(depth)) {
                break;
            }
            if let Some(revocation) = self.latest_known_at(certificate, since) {
                aov::check_result(steps, &aov::aov(case, Token::Revocation(revocation), Parts::ALL, since))?;
            }
        }
        Ok(())
    }

    /// The revocation data of each certificate was recent enough when the token is first known to exist.
    fn freshness(&self, steps: &mut Steps) -> Result<(), Concluded> {
        let case = self.evidence.case;
        for (depth, certificate) in case.chain(self.token.chain()).into_iter().enumerate() {
            let sub = position(depth);
            if case.is_trust_anchor(certificate, case.time, self.context, sub) {
                break;
            }
            if !revocation_required(case, certificate, case.time, self.context, sub) {
                continue;
            }
            let Some((revocation, _)) = self.latest(certificate) else { continue };
            let fresh = rfc(case, revocation, self.poe.time, self.context, sub);
            let question = ask!("BBB_XCV_RFC").about(&revocation.id).of_block(BlockKind::RevocationFreshness);
            steps.level(Some(Level::Fail), question, fresh.is_passed(), Failure::relayed(&fresh.conclusion))?;
        }
        Ok(())
    }

    /// 7) Some of the revocation data used was issued by somebody who existed while his certificate was valid.
    fn revocation_conclusive(&self, steps: &mut Steps) -> Result<(), Concluded> {
        let place = Place::Certificate(self.context, SubContext::SigningCertificate);
        let rule = self.evidence.case.rule(place, RuleName::RevocationIssuerNotExpired);
        let conclusive = self.selection.is_none_or(|crs| crs.block.is_passed());
        let failure = Failure::indeterminate(SubIndication::RevocationOutOfBoundsNoPoe);
        steps.rule(rule, ask!("PSV_DIURDSCHPVR"), conclusive, failure)
    }

    /// Whether a certificate of the chain is suspended.
    fn is_suspended(&self) -> bool {
        self.evidence.case.chain(self.token.chain()).into_iter().any(|certificate| {
            self.latest(certificate).is_some_and(|(_, said)| said.reason == Some(RevocationReason::CertificateHold))
        })
    }

    /// The latest acceptable revocation data on a certificate that is known to have existed at `time`; failing that,
    /// the latest.
    fn latest_known_at(&self, certificate: &'a Certificate, time: Time) -> Option<&'a Revocation> {
        let crs = self.evidence.blocks.sub_xcv(&certificate.id)?.crs.as_ref()?;
        let acceptable = crs.acceptable.iter().filter_map(|id| self.evidence.case.revocation(id));
        let known = acceptable.filter(|revocation| self.evidence.poes.exists(&revocation.id, time));
        let latest = known.reduce(|last, next| if next.production_date > last.production_date { next } else { last });
        latest.or_else(|| self.latest(certificate).map(|(revocation, _)| revocation))
    }

    /// The latest acceptable revocation data on a certificate, as the token's own chain validation selected it.
    fn latest(
        &self,
        certificate: &'a Certificate,
    ) -> Option<(&'a Revocation, &'a crate::facts::CertificateRevocation)> {
        let latest: &Id = self.evidence.blocks.sub_xcv(&certificate.id)?.crs.as_ref()?.latest.as_ref()?;
        let said = certificate.revocations.iter().find(|said| said.revocation == *latest)?;
        Some((self.evidence.case.revocation(latest)?, said))
    }
}
