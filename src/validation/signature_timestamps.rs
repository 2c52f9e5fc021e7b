//! The time-stamps of a signature as the processes ask for them: EN 319 102-1 §5.5.4 3), 5) and §5.6.3.4 4), 7).
//!
//! Answers which time-stamps can prove when the signature existed, whether those are there that the policy insists on,
//! and whether the proof came soon enough. Whether a time-stamp is valid is settled before.

use super::case::Case;
use super::engine::{Concluded, Failure, Steps, ask};
use super::lta_material;
use super::outcome::SubIndication;
use super::poe::Poe;
use crate::facts::{CoveredKind, Id, Signature, Timestamp, TimestampType};
use crate::policy::{Context, Place, Rule, RuleName};

/// The time-stamps that can prove when the signature existed: its own, and document time-stamps that cover it.
pub(super) fn of_existence<'a>(case: &Case<'a>, signature: &'a Signature) -> Vec<&'a Timestamp> {
    let all = case.timestamps(&signature.found_timestamps);
    all.filter(|timestamp| match timestamp.kind {
        TimestampType::Signature => true,
        TimestampType::Document => covers(timestamp, CoveredKind::Signature, &signature.id),
        _ => false,
    })
    .collect()
}

/// Whether a time-stamp covers that object.
pub(super) fn covers(timestamp: &Timestamp, kind: CoveredKind, id: &Id) -> bool {
    timestamp.covered.iter().any(|object| object.kind == kind && object.id == *id)
}

/// Time-stamps of the T and LTA level that the policy insists on: there is one, and one is valid.
pub(super) fn required<'a>(
    case: &Case<'a>,
    signature: &'a Signature,
    context: Context,
    steps: &mut Steps,
    is_valid: &dyn Fn(&Timestamp) -> bool,
) -> Result<(), Concluded> {
    let unsigned = Place::UnsignedAttributes(context);
    let failure = || Failure::indeterminate(SubIndication::SigConstraintsFailure);
    let present = of_existence(case, signature).into_iter().any(is_valid);
    steps.rule(case.rule(unsigned, RuleName::TLevelTimeStamp), ask!("BBB_SAV_IVTTSTP"), present, failure())?;
    let archival = lta_material::archival_timestamps(case, signature);
    let present = archival.into_iter().any(is_valid);
    steps.rule(case.rule(unsigned, RuleName::LTALevelTimeStamp), ask!("BBB_SAV_IVLTATSTP"), present, failure())
}

/// The signature existed within the delay that the policy allows after the claimed signing time.
pub(super) fn check_delay(
    steps: &mut Steps,
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
    let failure = Failure::indeterminate(SubIndication::SigConstraintsFailure);
    steps.rule(rule, ask!("ADEST_ISTPTDABST").comparing(compared), within, failure)
}
