//! The certificates of the path below the anchor, in the past: RFC 5280 §6.1.3 (a), EN 319 102-1 §5.2.6.
//!
//! Answers whether all of them were in order when a token is known to have existed. The clauses ask that only of the
//! certificate whose finding they look back for. What that finding hides, of the same certificate or of one above, is
//! asked here.

use super::certificate_in_path::{Link, judge_lasting};
use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{BlockBuilder, BlockKind, Concluded, Failure};
use super::outcome::outcomes;
use super::past_selection::Basis;
use super::prevailing;
use super::revocation_required::revocation_required;
use super::token::Token;
use super::validity::has_ended;
use crate::facts::{Certificate, Revocation};
use crate::policy::{Context, Level, PolicySection, RuleName, SubContext};
use crate::time::Time;

outcomes! {
    /// The outcomes for a certificate that had ended, or was revoked.
    enum NotInOrder {
        OutOfBoundsNoPoe,
        RevokedNoPoe,
        RevokedCaNoPoe,
        TryLater,
    }
}

/// Checks of each certificate of the token's path below the anchor that it had not ended at `time`, when the token
/// existed, that it was neither revoked nor on hold by then, and that it is what the path and the policy permit.
///
/// NOTE: a policy that does not ask whether the path had ended (DSS's) asks nothing of it in the past but the algorithms.
///
/// NOTE: that one of them had not begun yet is no objection: a CA renews its certificate, and the path is built over
/// the new one.
pub(super) fn path_was_in_order<'a>(
    basis: &Basis<'_, 'a>,
    block: &mut BlockBuilder,
    token: Token<'a>,
    time: Time,
) -> Result<(), Concluded> {
    let (cx, context) = (basis.cx, token.context());
    // Without them no path was validated, and there is none to look back at.
    let Some(algorithms) = &basis.blocks.algorithms else {
        return Err(block.conclude(NotInOrder::OutOfBoundsNoPoe));
    };
    let (below, _) = cx.chain_to_anchor(token.chain(), time, context);
    let mut issued: Option<(&Certificate, SubContext)> = None;
    for (depth, certificate) in below.into_iter().enumerate() {
        let sub = SubContext::at_depth(depth);
        not_revoked(cx, block, certificate, sub, time)?;
        if let Some((below, sub)) = issued.replace((certificate, sub)) {
            known_before_revocation_of_ca(basis, block, certificate, below, sub, (time, context))?;
        }
        not_suspended(basis, block, certificate, time)?;
        let rule = cx.rule(PolicySection::Certificate(context, sub), RuleName::ChainNotExpired);
        if rule.is_none_or(|rule| rule.level == Level::Ignore) {
            continue;
        }
        permitted(block, Link { cx, certificate, time, context, sub, used: None, algorithms })?;
        let question = CheckId::ChainNotExpired.about(&certificate.id);
        let question = question.comparing(format!("{time} ≤ {}", certificate.not_after));
        block.check(rule, question, !has_ended(certificate, time), NotInOrder::OutOfBoundsNoPoe)?;
    }
    Ok(())
}

/// Checks what the path and the policy ask of the certificate, whatever the time: §5.2.6.4 4). A key that is for
/// something else, or an issuer that is no CA, were so before, too.
fn permitted(block: &mut BlockBuilder, link: Link<'_, '_>) -> Result<(), Concluded> {
    let lasting = judge_lasting(link);
    let question = CheckId::CertificateInPathValid.about(&link.certificate.id);
    let question = question.of_block(BlockKind::SubX509CertificateValidation).silent();
    block.check_at(Level::Fail, question, lasting.is_passed(), Failure::relayed(&lasting.conclusion))
}

/// Checks, where a stated revocation is final, that it is later than `time`.
fn not_revoked<'a>(
    cx: &ValidationContext<'a>,
    block: &mut BlockBuilder,
    certificate: &'a Certificate,
    sub: SubContext,
    time: Time,
) -> Result<(), Concluded> {
    if !prevailing::is_final(cx) {
        return Ok(());
    }
    let Some((said, _)) = prevailing::stated_revocation(cx, certificate) else { return Ok(()) };
    let since = prevailing::revoked_since(cx, said);
    let later = !prevailing::reaches_back(cx, said, sub) || since.is_some_and(|date| date > time);
    let question = CheckId::RevokedAfterBestSignatureTime.about(&certificate.id).comparing(after(since, time));
    let failure = match sub {
        SubContext::SigningCertificate => NotInOrder::RevokedNoPoe,
        SubContext::CaCertificate => NotInOrder::RevokedCaNoPoe,
    };
    block.check_at(Level::Fail, question, later, failure)
}

/// Checks, where the CA was revoked and others may have its key, that revocation data on a certificate that it issued is
/// known to have existed before, and was current at `time`: EN 319 102-1 §5.6.2.2. Whoever has the key writes what
/// time he likes.
fn known_before_revocation_of_ca<'a>(
    basis: &Basis<'_, 'a>,
    block: &mut BlockBuilder,
    ca: &'a Certificate,
    certificate: &'a Certificate,
    sub: SubContext,
    (time, context): (Time, Context),
) -> Result<(), Concluded> {
    let cx = basis.cx;
    if !prevailing::is_final(cx) || !revocation_required(cx, certificate, time, context, sub) {
        return Ok(());
    }
    let stated = prevailing::stated_revocation(cx, ca).filter(|(said, _)| prevailing::key_may_be_known(said));
    let Some(date) = stated.and_then(|(said, _)| prevailing::revoked_since(cx, said)) else { return Ok(()) };
    let current = |data: &Revocation| data.next_update.or(data.this_update).is_some_and(|until| until >= time);
    let mut data = certificate.revocations.iter().filter_map(|said| cx.index.revocation(&said.revocation));
    let known = data.any(|data| current(data) && basis.poes.exists(&data.id, date));
    let question = CheckId::StatusKnownBeforeCaRevocation.about(&certificate.id).comparing(format!("≤ {date}"));
    block.check_at(Level::Fail, question, known, NotInOrder::RevokedCaNoPoe)
}

/// Checks, where a stated revocation is final, that a hold that nothing ended is later than `time`: §5.5.4 6).
fn not_suspended<'a>(
    basis: &Basis<'_, 'a>,
    block: &mut BlockBuilder,
    certificate: &'a Certificate,
    time: Time,
) -> Result<(), Concluded> {
    if !prevailing::is_final(basis.cx) {
        return Ok(());
    }
    let judged = basis.blocks.certificate_in_path(&certificate.id).and_then(|judged| judged.selection.as_ref());
    let acceptable = judged.map_or(&[][..], |selection| selection.acceptable.as_slice());
    let Some((said, _)) = prevailing::stated_hold(basis.cx, certificate, acceptable) else { return Ok(()) };
    let since = prevailing::revoked_since(basis.cx, said);
    let later = since.is_some_and(|date| date > time);
    let question = CheckId::SuspendedAfterBestSignatureTime.about(&certificate.id).comparing(after(since, time));
    block.check_at(Level::Fail, question, later, NotInOrder::TryLater)
}

/// Writes the date of a revocation or hold, and the time that it has to follow.
fn after(since: Option<Time>, time: Time) -> String {
    match since {
        Some(date) => format!("{date} > {time}"),
        None => format!("no revocation date; {time}"),
    }
}
