//! Expiry of the certificates below the anchor, in the past: RFC 5280 §6.1.3 (a) (2), EN 319 102-1 §5.2.6.
//!
//! Answers whether all of them were still valid when a token is known to have existed. The clauses ask that of the
//! signing certificate where it is what ended; a path whose CA ended before, or whose end is hidden by something else
//! that is wrong, is asked here.

use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{BlockBuilder, Concluded};
use super::outcome::outcomes;
use super::validity::has_ended;
use crate::facts::Id;
use crate::policy::{Context, PolicySection, RuleName, SubContext};
use crate::time::Time;

outcomes! {
    /// The outcome for a certificate that had ended.
    enum NotInBounds {
        OutOfBoundsNoPoe,
    }
}

/// Checks that no certificate of the chain below its anchor had ended at `time`, when the token existed.
///
/// NOTE: that one of them had not begun yet is no objection: a CA renews its certificate, and the path is built over
/// the new one.
pub(super) fn chain_had_not_ended<'a>(
    cx: &ValidationContext<'a>,
    block: &mut BlockBuilder,
    chain: &'a [Id],
    time: Time,
    context: Context,
) -> Result<(), Concluded> {
    let (below, _) = cx.chain_to_anchor(chain, time, context);
    for (depth, certificate) in below.into_iter().enumerate() {
        let rule = cx.rule(PolicySection::Certificate(context, SubContext::at_depth(depth)), RuleName::ChainNotExpired);
        let question = CheckId::ChainNotExpired.about(&certificate.id);
        let question = question.comparing(format!("{time} ≤ {}", certificate.not_after));
        block.check(rule, question, !has_ended(certificate, time), NotInBounds::OutOfBoundsNoPoe)?;
    }
    Ok(())
}
