//! Long-term availability and integrity material: EN 319 102-1 §5.6.3.
//!
//! Answers whether there is anything by which a signature can be validated beyond the life of its algorithms and
//! certificates: an archival time-stamp, a time-stamp over another time-stamp of the signature, or an evidence
//! record. Whether that is valid is asked later.

use super::case::Case;
use super::poe::is_content;
use crate::facts::{CoveredKind, Id, Signature, Timestamp, TimestampType};
use std::collections::HashSet;

/// Whether the signature has such material.
pub(super) fn is_present<'a>(case: &Case<'a>, signature: &'a Signature) -> bool {
    !signature.found_evidence_records.is_empty()
        || !archival_timestamps(case, signature).is_empty()
        || has_nested_timestamp(case, signature)
}

/// The time-stamps of the LTA level: archive and container time-stamps, and document time-stamps over validation
/// material of the signature.
pub(super) fn archival_timestamps<'a>(case: &Case<'a>, signature: &'a Signature) -> Vec<&'a Timestamp> {
    all(case, signature)
        .filter(|timestamp| match timestamp.kind {
            TimestampType::Archive | TimestampType::Container => true,
            TimestampType::Document => covers_validation_material(timestamp, signature),
            _ => false,
        })
        .collect()
}

/// Whether a document time-stamp covers the signature, and revocation data or another time-stamp.
fn covers_validation_material(timestamp: &Timestamp, signature: &Signature) -> bool {
    let has = |kind| timestamp.covered.iter().any(|object| object.kind == kind);
    super::long_term::covers(timestamp, CoveredKind::Signature, &signature.id)
        && (has(CoveredKind::Revocation) || has(CoveredKind::Timestamp))
}

/// Whether a time-stamp covers another one that covers the signature and is not of its content.
fn has_nested_timestamp<'a>(case: &Case<'a>, signature: &'a Signature) -> bool {
    let over_signature: HashSet<&Id> = all(case, signature)
        .filter(|t| !is_content(t.kind) && super::long_term::covers(t, CoveredKind::Signature, &signature.id))
        .map(|timestamp| &timestamp.id)
        .collect();
    all(case, signature).any(|timestamp| {
        timestamp.covered.iter().any(|o| o.kind == CoveredKind::Timestamp && over_signature.contains(&o.id))
    })
}

fn all<'c, 'a>(case: &'c Case<'a>, signature: &'a Signature) -> impl Iterator<Item = &'a Timestamp> + 'c {
    signature.found_timestamps.iter().filter_map(|id| case.timestamp(id))
}
