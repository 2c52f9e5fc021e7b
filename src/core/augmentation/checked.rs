//! The judgement of what was written: nothing worse than before, and the level reached.

use super::material::Material;
use super::needs::issuers_wanted;
use super::state::State;
use super::target::Target;
use super::want::Want;
use crate::facts::{SignatureLevel, Timestamp};
use crate::report::view::SignatureView;
use crate::signing::{SigningError, SigningErrorCode};
use crate::validation::outcome::Indication;
use std::collections::HashSet;

/// Refuses time-stamps that were added and cannot be built upon. Returns what may be had of the chains of their authorities
/// that are not complete.
pub(super) fn verified(
    before: Option<&State<'_>>,
    after: &State<'_>,
    target: &Target,
    material: &Material,
) -> Result<Vec<Want>, SigningError> {
    // Ids follow from the signature around a token, and that has changed.
    let stated = |stamp: &Timestamp| {
        let imprint = stamp.digest_matchers.first().map(|matcher| matcher.digest.clone());
        (stamp.kind, stamp.production_time, imprint)
    };
    let known = before.iter().flat_map(|before| &before.report.facts().timestamps);
    let known: HashSet<_> = known.map(stated).collect();
    let mut wants = vec![];
    for stamp in after.report.timestamps().filter(|stamp| !known.contains(&stated(stamp.facts()))) {
        let Some(defect) = after.defect(&stamp) else { continue };
        let wanted = match defect.code() {
            SigningErrorCode::ChainNotTrusted => issuers_wanted(after, &stamp, target, material),
            _ => vec![],
        };
        if wanted.is_empty() {
            return Err(defect);
        }
        wants.extend(wanted.into_iter().map(Want::Evidence));
    }
    Ok(wants)
}

/// Refuses a file in which something is worse than before, or a level was not reached.
pub(super) fn checked(
    before: &State<'_>,
    after: &State<'_>,
    extended: &[usize],
    target: &Target,
) -> Result<(), SigningError> {
    let (old, new) = (&before.report.facts().signatures, &after.report.facts().signatures);
    let values = |signatures: &[crate::facts::Signature]| -> Vec<Vec<u8>> {
        signatures.iter().map(|signature| signature.value.0.clone()).collect()
    };
    if values(old) != values(new) {
        return Err(worse("the signatures are not the ones that were there".to_owned()));
    }
    for place in 0..old.len() {
        let (Some(then), Some(now)) = (before.signature(place), after.signature(place)) else { continue };
        // A later time-stamp covers signatures that are not extended, too. Where nobody vouches for their chains, what its authority
        // lacks is lacking for them as well, and the level of what does not hold may be told as a lower one.
        let keeps_level = extended.contains(&place) || then.indication() == Indication::TotalPassed;
        not_worse(&then, &now, keeps_level)?;
    }
    let stamps =
        |state: &State<'_>| state.report.timestamps().filter(|stamp| stamp.verdict().conclusion().is_passed()).count();
    if stamps(after) < stamps(before) {
        let message = format!("{} time-stamps hold, and {} did before", stamps(after), stamps(before));
        return Err(worse(message));
    }
    for place in extended.iter().copied() {
        let Some(signature) = after.signature(place) else { continue };
        if !after.has_reached(&signature, target.level, target) {
            let found = signature.level().map_or("none", SignatureLevel::as_str);
            return Err(worse(format!("found the level {found}, expected {}", target.level)));
        }
    }
    Ok(())
}

fn not_worse(then: &SignatureView<'_>, now: &SignatureView<'_>, keeps_level: bool) -> Result<(), SigningError> {
    let weight = |indication| match indication {
        Indication::TotalPassed | Indication::Passed => 2,
        Indication::TotalFailed | Indication::Failed => 0,
        _ => 1,
    };
    let level = |view: &SignatureView<'_>| view.level().map(|level| (super::Level::of(level), !is_none(level)));
    if weight(now.indication()) < weight(then.indication()) || keeps_level && level(now) < level(then) {
        let words = |view: &SignatureView<'_>| {
            let level = view.level().map_or("none", SignatureLevel::as_str);
            let sub = view.sub_indication().map_or("no sub-indication", |sub| sub.as_str());
            format!("{} ({sub}) of level {level}", view.indication())
        };
        return Err(worse(format!("found {}, and before {}", words(now), words(then))));
    }
    Ok(())
}

fn is_none(level: SignatureLevel) -> bool {
    level == SignatureLevel::Unknown || level.as_str().ends_with("NOT-ETSI")
}

fn worse(message: String) -> SigningError {
    let error = SigningError::new(SigningErrorCode::ExtensionMadeItWorse, format!("what was written: {message}"));
    error.with_hint("nothing is returned; this is an error of the library, report it")
}
