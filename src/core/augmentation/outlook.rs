//! What an extension would take, without doing it.

use super::extend::{File, Plan, once_evidence};
use super::material::Material;
use super::needs::needs;
use super::obstacles::by_time;
use super::state::State;
use super::target::{Level, Target};
use super::want::EvidenceWant;
use crate::document::Document;
use crate::facts::{Id, SignatureLevel};
use crate::report::Report;
use crate::report::view::SignatureView;
use crate::signing::SigningError;
use crate::time::Time;
use crate::validator::Validator;

/// What it would take to extend the signatures of a document.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Outlook {
    /// The signatures that were chosen, in the order of the document.
    pub signatures: Vec<SignatureOutlook>,
    /// The judgement of the document as it is.
    pub report: Report,
}

/// What it would take to extend a signature.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SignatureOutlook {
    /// Its id.
    pub id: Id,
    /// The profile that it fulfils.
    pub level: Option<SignatureLevel>,
    /// What is in the way.
    pub obstacle: Option<SigningError>,
    /// How many time-stamps it would get; in a PDF the same ones serve all signatures.
    pub timestamps: usize,
    /// The certificates and revocation data that are missing, as far as they are known: what time-stamps to come need is
    /// not.
    pub evidence: Vec<EvidenceWant>,
}

/// Says what it would take to extend the signatures of a document to a level, with the evidence at hand.
///
/// # Errors
///
/// [`SigningError`] where the document cannot be read, or a signature that was chosen is not there.
pub fn outlook(
    validator: &Validator,
    document: &Document<'_>,
    target: &Target,
    material: &Material,
    time: Time,
) -> Result<Outlook, SigningError> {
    let validator = material.supplied_to(validator)?;
    let state = File::of(document).judged(&validator, time, target)?;
    let plan = Plan::chosen(&state, target)?;
    let of_signature =
        |(place, obstacle)| Some(signature(&state, &state.signature(place)?, obstacle, target, material));
    let signatures = plan.0.into_iter().map(|entry| (entry.place, entry.obstacle)).filter_map(of_signature).collect();
    Ok(Outlook { signatures, report: state.report })
}

fn signature(
    state: &State<'_>,
    signature: &SignatureView<'_>,
    obstacle: Option<SigningError>,
    target: &Target,
    material: &Material,
) -> SignatureOutlook {
    let (id, level) = (signature.id().clone(), signature.level());
    let blocked = |obstacle| SignatureOutlook {
        id: id.clone(),
        level,
        obstacle: Some(obstacle),
        timestamps: 0,
        evidence: vec![],
    };
    if let Some(obstacle) = obstacle {
        return blocked(obstacle);
    }
    let unproven = state.existence(signature).is_none();
    let needs = if target.level > Level::T { needs(state, signature, target, material) } else { Default::default() };
    // What its time-stamps prove is not known as long as something about them is missing.
    let known = unproven && state.proofs(signature).next().is_none() || needs.wants.is_empty();
    if let Some(obstacle) = needs.missing.or_else(|| by_time(state, signature, target).filter(|_| known)) {
        return blocked(obstacle);
    }
    let timestamps = usize::from(unproven) + usize::from(target.level == Level::Lta);
    SignatureOutlook { id, level, obstacle: None, timestamps, evidence: once_evidence(needs.wants) }
}
