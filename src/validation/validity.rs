//! Validity periods of the certificates of a path: RFC 5280 §6.1.3 (a) (2), EN 319 102-1 §5.2.6.
//!
//! Answers whether a certificate was valid at a time, and whether everybody below the anchor still was when a token is
//! known to have existed. The clauses ask that of the signing certificate where it is what ended; a path whose CA ended
//! before, or whose end is hidden by something else that is wrong, is asked here.

use super::case::{Case, position};
use super::engine::{Concluded, Failure, Steps, ask};
use super::outcome::SubIndication;
use crate::facts::{Certificate, Id};
use crate::policy::{Context, Place, RuleName};
use crate::time::Time;

/// Whether `time` is within the validity period.
///
/// NOTE: certificates state whole seconds; the second in which the validity ends belongs to it (RFC 5280 §4.1.2.5).
pub(super) fn is_valid_at(certificate: &Certificate, time: Time) -> bool {
    certificate.not_before <= time && !has_ended(certificate, time)
}

/// Whether the validity period is over at `time`.
pub(super) fn has_ended(certificate: &Certificate, time: Time) -> bool {
    Time::from_seconds(time.seconds()) > certificate.not_after
}

/// No certificate of the chain below its anchor had ended at `time`, when the token existed.
///
/// NOTE: that one of them had not begun yet is no objection: a CA renews its certificate, and the path is built over the
/// new one.
pub(super) fn chain_had_not_ended<'a>(
    case: &Case<'a>,
    steps: &mut Steps,
    chain: &'a [Id],
    time: Time,
    context: Context,
) -> Result<(), Concluded> {
    let (below, _) = case.chain_to_anchor(chain, time, context);
    for (depth, certificate) in below.into_iter().enumerate() {
        let rule = case.rule(Place::Certificate(context, position(depth)), RuleName::ChainNotExpired);
        let question = ask!("BBB_XCV_CHAIN_NOT_EXPIRED").about(&certificate.id);
        let question = question.comparing(format!("{time} ≤ {}", certificate.not_after));
        let failure = Failure::indeterminate(SubIndication::OutOfBoundsNoPoe);
        steps.rule(rule, question, !has_ended(certificate, time), failure)?;
    }
    Ok(())
}
