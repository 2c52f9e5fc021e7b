//! The time-stamps of a signature as the processes ask for them: EN 319 102-1 §5.5.4 3), 5) and §5.6.3.4 4), 7).
//!
//! Answers which time-stamps can prove when the signature existed, whether those are there that the policy insists on,
//! and whether the proof came soon enough. Whether a time-stamp is valid is settled before.

use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{BlockBuilder, Concluded};
use super::lta_material;
use super::outcome::outcomes;
use super::poe::{Poe, covers};
use crate::facts::{CoveredKind, Signature, Timestamp, TimestampType};
use crate::policy::{Context, PolicySection, Rule, RuleName};

outcomes! {
    /// The outcome for time-stamps that are missing or late.
    enum NotAsRequired {
        SigConstraintsFailure,
    }
}

/// Returns the time-stamps that can prove when the signature existed: its own, and document time-stamps that cover it.
pub(super) fn of_existence<'a>(cx: &ValidationContext<'a>, signature: &'a Signature) -> Vec<&'a Timestamp> {
    let all = cx.index.timestamps(&signature.found_timestamps);
    all.filter(|timestamp| match timestamp.kind {
        TimestampType::Signature => true,
        TimestampType::Document => covers(timestamp, CoveredKind::Signature, &signature.id),
        _ => false,
    })
    .collect()
}

/// Checks that there is a valid time-stamp of the T and of the LTA level, where the policy insists on one.
pub(super) fn required<'a>(
    cx: &ValidationContext<'a>,
    signature: &'a Signature,
    context: Context,
    block: &mut BlockBuilder,
    is_valid: &dyn Fn(&Timestamp) -> bool,
) -> Result<(), Concluded> {
    let unsigned = PolicySection::UnsignedAttributes(context);
    let failure = NotAsRequired::SigConstraintsFailure;
    let present = of_existence(cx, signature).into_iter().any(is_valid);
    block.check(
        cx.rule(unsigned, RuleName::TLevelTimeStamp),
        CheckId::ValidTLevelTimestampPresent,
        present,
        failure,
    )?;
    let archival = lta_material::archival_timestamps(cx, signature);
    let present = archival.into_iter().any(is_valid);
    block.check(
        cx.rule(unsigned, RuleName::LTALevelTimeStamp),
        CheckId::ValidLtaLevelTimestampPresent,
        present,
        failure,
    )
}

/// Checks that the signature existed within the delay that the policy allows after the claimed signing time.
pub(super) fn check_delay(
    block: &mut BlockBuilder,
    rule: Option<&Rule>,
    signature: &Signature,
    best: &Poe<'_>,
) -> Result<(), Concluded> {
    let limit = signature
        .claimed_signing_time
        .zip(rule.and_then(|rule| rule.duration_millis))
        .map(|(claimed, delay)| claimed.plus_millis(delay));
    let within = limit.is_some_and(|limit| limit > best.time);
    let compared = match limit {
        Some(limit) => format!("{limit} > {}", best.time),
        None => format!("no signing time; best-signature-time {}", best.time),
    };
    let failure = NotAsRequired::SigConstraintsFailure;
    block.check(rule, CheckId::TimestampWithinDelay.comparing(compared), within, failure)
}
