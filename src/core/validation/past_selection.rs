//! Selection of revocation data for the processes that look back in time: EN 319 102-1 §5.5.4 2), §5.6.2.2 and
//! §5.6.2.4.
//!
//! Answers which revocation data on a certificate may be used, and which of it was produced last. That each piece
//! is acceptable by itself was settled in the building blocks of the token that the certificate belongs to.

use super::blocks::{BuildingBlocks, Judged, RevocationSelection};
use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{BlockBuilder, Conclusion, Question};
use super::outcome::{SubIndication, allows_past_validation};
use super::poe::PoeStore;
use super::revocation_selection::{NotSelected, Selector};
use crate::facts::{Certificate, Id, Revocation};
use crate::order;
use crate::policy::{Context, Level, SubContext};
use crate::time::Time;

/// What the later processes rest on: the token's own blocks, those of revocation data, and what is known to have
/// existed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Basis<'c, 'a> {
    /// The context.
    pub cx: &'c ValidationContext<'a>,
    /// The building blocks of the token judged.
    pub blocks: &'c BuildingBlocks,
    /// The building blocks of revocation data.
    pub judged: &'c Judged,
    /// Proofs of existence.
    pub poes: &'c PoeStore<'a>,
}

/// What is asked of revocation data beyond being acceptable.
#[derive(Debug, Clone, Copy)]
pub(super) enum Purpose<'p> {
    /// §5.5.4 2): nothing more.
    LongTerm,
    /// §5.6.2.4: that its issuer is an anchor, or is known to have existed while its certificate was valid.
    PastSignature,
    /// §5.6.2.2: that it and the certificate existed at the control time, and that it was issued before that;
    /// and that it is one of these, where they are given.
    Sliding {
        /// The control time.
        control_time: Time,
        /// The only data that may be used.
        only: Option<&'p [Id]>,
    },
}

impl<'a> Basis<'_, 'a> {
    /// Selects revocation data on `certificate`.
    pub fn select(&self, certificate: &'a Certificate, purpose: Purpose<'_>) -> RevocationSelection {
        let mut selector = Selector::new(self.cx, certificate);
        let mut judgements = vec![];
        let own = self.blocks.certificate_in_path(&certificate.id).and_then(|own| own.selection.as_deref());
        // In the order of the candidates, so that each is found behind the one before.
        let mut acceptances = own.iter().flat_map(|selection| &selection.candidates);
        for revocation in self.candidates(certificate, purpose) {
            let id = &revocation.id;
            let judged = self.judged.get(id);
            judgements.extend(judged.map(|blocks| &blocks.conclusion));
            let usable = judged.is_some_and(is_usable);
            if weigh(&mut selector.block, CheckId::RevocationDataUsable.about(id), usable)
                && let Some(acceptance) = acceptances.find(|acceptance| acceptance.revocation == *id)
                && selector.weigh(acceptance.clone())
                && self.serves(&mut selector.block, certificate, revocation, purpose)
            {
                selector.accept(revocation);
            }
        }

        let later = judgements.iter().any(|c| c.sub_indication == Some(SubIndication::TryLater));
        let none = match purpose {
            Purpose::Sliding { .. } => NotSelected::NoPoe,
            Purpose::LongTerm if later => NotSelected::TryLater,
            Purpose::LongTerm | Purpose::PastSignature => NotSelected::CertificateChainGeneralFailure,
        };
        let mut selection = selector.finish(none);
        if selection.latest.is_some() {
            // What was found wrong with other data is said where the building blocks looked at it.
            selection.block.conclusion = Conclusion::passed();
        } else {
            judgements.into_iter().for_each(|inner| selection.block.conclusion.add_messages_of(inner));
        }
        selection
    }

    /// Returns the data that says something of the certificate, as far as the purpose lets it be used.
    fn candidates<'p>(
        &'p self,
        certificate: &'a Certificate,
        purpose: Purpose<'p>,
    ) -> impl Iterator<Item = &'a Revocation> + 'p {
        let only = match purpose {
            Purpose::Sliding { only, .. } => only.map(order::set),
            Purpose::LongTerm | Purpose::PastSignature => None,
        };
        let data = certificate.revocations.iter().filter_map(|said| self.cx.index.revocation(&said.revocation));
        data.filter(move |revocation| only.as_ref().is_none_or(|only| only.contains(&revocation.id)))
    }

    /// Returns whether acceptable data serves the purpose.
    fn serves(
        &self,
        block: &mut BlockBuilder,
        certificate: &Certificate,
        revocation: &Revocation,
        purpose: Purpose<'_>,
    ) -> bool {
        match purpose {
            Purpose::LongTerm => true,
            Purpose::PastSignature => self.issuer_existed(block, revocation),
            Purpose::Sliding { control_time, .. } => self.existed(block, certificate, revocation, control_time),
        }
    }

    /// Weighs (§5.6.2.4) whether the issuer of the data is an anchor, or existed while its certificate was valid.
    fn issuer_existed(&self, block: &mut BlockBuilder, revocation: &Revocation) -> bool {
        let issuer = revocation.signing_certificate.as_ref().and_then(|id| self.cx.index.certificate(id));
        let Some(issuer) = issuer else {
            return weigh(block, CheckId::RevocationIssuerExisted.about(&revocation.id), false);
        };
        if self.is_anchor_of_revocation(issuer) {
            return weigh(block, CheckId::RevocationIssuerTrusted.about(&issuer.id), true);
        }
        let existed = self.poes.exists_within(&issuer.id, issuer.not_before, issuer.not_after);
        let compared = format!("{} … {}", issuer.not_before, issuer.not_after);
        weigh(block, CheckId::RevocationIssuerExisted.about(&issuer.id).comparing(compared), existed)
    }

    /// Weighs (§5.6.2.2) whether the data was issued before the control time, and it and the certificate existed by
    /// then.
    fn existed(
        &self,
        block: &mut BlockBuilder,
        certificate: &Certificate,
        revocation: &Revocation,
        control: Time,
    ) -> bool {
        let issued = revocation.this_update.is_some_and(|issued| issued < control);
        let compared = match revocation.this_update {
            Some(this_update) => format!("{this_update} < {control}"),
            None => format!("no thisUpdate; control time {control}"),
        };
        if !weigh(block, CheckId::RevocationIssuedBeforeControlTime.about(&revocation.id).comparing(compared), issued) {
            return false;
        }
        let mut exists = |check: CheckId, token: &Id| {
            let compared = format!("{} ≤ {control}", self.poes.lowest(token).time);
            weigh(block, check.about(token).comparing(compared), self.poes.exists(token, control))
        };
        let certificate_existed = exists(CheckId::CertificateExistedByControlTime, &certificate.id);
        let data_existed = exists(CheckId::RevocationDataExistedByControlTime, &revocation.id);
        certificate_existed && data_existed
    }

    /// Returns whether the issuer of revocation data is a trust anchor at the validation time.
    pub fn is_anchor_of_revocation(&self, issuer: &Certificate) -> bool {
        self.cx.is_trust_anchor(issuer, self.cx.time, Context::Revocation, SubContext::SigningCertificate)
    }
}

/// Returns whether none of the building blocks of revocation data forbids to use it in the past. What they conclude
/// together does not tell: a later block may hide an earlier one.
fn is_usable(blocks: &BuildingBlocks) -> bool {
    let xcv = blocks.xcv.as_ref().map(|xcv| &xcv.block);
    let all = [blocks.isc.as_ref(), xcv, blocks.cv.as_ref(), blocks.sav.as_ref()];
    let mut conclusions = all.into_iter().flatten().map(|block| &block.conclusion);
    conclusions.all(|conclusion| allows_past_validation(conclusion.indication, conclusion.sub_indication))
}

/// Records a condition on one candidate; where it does not hold, another candidate may still do.
fn weigh(block: &mut BlockBuilder, question: Question, holds: bool) -> bool {
    let _ = block.check_at(Level::Warn, question, holds, NotSelected::CertificateChainGeneralFailure);
    holds
}
