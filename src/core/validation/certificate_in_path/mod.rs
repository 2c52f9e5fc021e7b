//! One certificate within X.509 certificate validation: EN 319 102-1 §5.2.6.4 4), RFC 5280 §6.1, and the
//! constraints of the validation policy (TS 119 172-4).
//!
//! The rules come in a fixed order, and the first that fails decides: a revoked *and* expired certificate is
//! reported as revoked, and missing revocation data hides expiry.

mod constraints;
mod imported;
mod path;
mod status;

use super::blocks::{AlgorithmObsolescence, CertificateInPath};
use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{Block, BlockBuilder, BlockKind, Concluded, Question};
use super::outcome::outcomes;
use super::validity::is_anchor_in_time;
use crate::facts::Certificate;
use crate::policy::{Context, Level, PolicySection, Rule, RuleName, SubContext};
use crate::time::Time;

outcomes! {
    /// The outcomes for one certificate of the path: EN 319 102-1 §5.2.6.3.
    enum NotValidInPath {
        CertificateChainGeneralFailure,
        ChainConstraintsFailure,
        NoCertificateChainFoundNoPoe,
        RevokedNoPoe,
        RevokedCaNoPoe,
        TryLater,
        OutOfBoundsNoPoe,
        OutOfBoundsNotRevoked,
        RevocationOutOfBoundsNoPoe,
    }
}

/// A certificate of a path, and what its judgement depends on.
#[derive(Clone, Copy)]
pub(super) struct Link<'c, 'a> {
    /// The context.
    pub cx: &'c ValidationContext<'a>,
    /// The certificate.
    pub certificate: &'a Certificate,
    /// The time that the validity model gives; expiry and algorithms are judged at the validation time.
    pub time: Time,
    /// The kind of the token that the path belongs to.
    pub context: Context,
    /// Whose rules apply to the certificate.
    pub sub: SubContext,
    /// When the token was made, where that is known.
    pub used: Option<Time>,
    /// What is known of the algorithms of the token.
    pub algorithms: &'c AlgorithmObsolescence,
}

impl<'a> Link<'_, 'a> {
    fn rule(&self, name: RuleName) -> Option<&'a Rule> {
        self.cx.rule(PolicySection::Certificate(self.context, self.sub), name)
    }
}

/// Judges the certificate.
pub(super) fn judge(link: Link<'_, '_>) -> CertificateInPath {
    let certificate = link.certificate;
    let mut block = BlockBuilder::new(BlockKind::SubX509CertificateValidation, &certificate.id);
    let anchor = is_end_of_path(link);
    let status = (!anchor).then(|| status::collect(link));
    let _ = anchor_in_time(link, &mut block).and_then(|()| match &status {
        None => path::purposes_of_anchor(link, &mut block),
        Some(status) => lasting(link, &mut block)
            .and_then(|()| status::status(link, &mut block, status))
            .and_then(|()| status::algorithms(link, &mut block, status))
            .and_then(|()| status::validity(link, &mut block, status)),
    });
    let mut block = block.finish();
    let status = status.unwrap_or_default();
    for inner in status.selection.iter().map(|selection| &selection.block).chain(&status.freshness) {
        if inner.is_passed() {
            block.conclusion.add_messages_of(&inner.conclusion);
        }
    }
    // Warnings about the token's algorithms are repeated with each of its certificates.
    if link.algorithms.block.is_passed() {
        block.conclusion.add_messages_of(&link.algorithms.block.conclusion);
    }
    CertificateInPath {
        certificate: certificate.id.clone(),
        sub_context: link.sub,
        trust_anchor: certificate.trust.trusted,
        block,
        selection: status.selection,
        freshness: status.freshness,
    }
}

/// Checks what is so at any time: the constraints of the policy, and the path.
fn lasting(link: Link<'_, '_>, block: &mut BlockBuilder) -> Result<(), Concluded> {
    constraints::subject(link, block)?;
    constraints::qualified(link, block)?;
    path::path(link, block)
}

/// Judges the certificate, for a process that looks back, by what is so at any time: of the anchor, what its key is for.
pub(super) fn judge_lasting(link: Link<'_, '_>, is_anchor: bool) -> Block {
    let mut block = BlockBuilder::new(BlockKind::SubX509CertificateValidation, &link.certificate.id);
    let _ = if is_anchor { path::purposes_of_anchor(link, &mut block) } else { lasting(link, &mut block) };
    block.finish()
}

/// Returns whether the certificate is not judged further: a trust anchor, or a trusted certificate with none above.
fn is_end_of_path(link: Link<'_, '_>) -> bool {
    let (cx, certificate) = (link.cx, link.certificate);
    certificate.trust.trusted
        && (cx.is_trust_anchor(certificate, cx.time, link.context, link.sub)
            || !cx.index.has_trusted_issuer(certificate))
}

/// Checks, where the anchor has dates (§5.2.6.4 1)), that validation is before its sunset, or there is another anchor
/// above.
fn anchor_in_time(link: Link<'_, '_>, block: &mut BlockBuilder) -> Result<(), Concluded> {
    let (cx, certificate) = (link.cx, link.certificate);
    if !certificate.trust.trusted || certificate.trust.start.is_none() && certificate.trust.sunset.is_none() {
        return Ok(());
    }
    before_sunset(cx, block, certificate, CheckId::BeforeSunset.into(), link.context, link.sub)?;
    if is_anchor_in_time(certificate, cx.time) {
        return Ok(());
    }
    let above = cx.index.has_trusted_issuer(certificate);
    let failure = NotValidInPath::NoCertificateChainFoundNoPoe;
    block.check(link.rule(RuleName::SunsetDate), CheckId::OtherAnchorAbove, above, failure)
}

/// Checks that validation is before the end of a certificate's trust: at most a warning.
pub(super) fn before_sunset(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    certificate: &Certificate,
    question: Question,
    context: Context,
    sub: SubContext,
) -> Result<(), Concluded> {
    let trust = certificate.trust;
    let before = trust.sunset.map_or(trust.trusted, |sunset| cx.time < sunset);
    let rule = cx.rule(PolicySection::Certificate(context, sub), RuleName::SunsetDate);
    let level = rule.map(|rule| rule.level.max(Level::Warn));
    block.check_at(level, question, before, NotValidInPath::NoCertificateChainFoundNoPoe)
}
