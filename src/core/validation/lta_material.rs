//! Long-term availability and integrity material: EN 319 102-1 §5.6.3.
//!
//! Answers whether there is anything by which a signature can be validated beyond the life of its algorithms and
//! certificates: an archival time-stamp, a time-stamp over another time-stamp of the signature, or an evidence
//! record. Whether that is valid is asked later.

use super::context::ValidationContext;
use super::poe::{covers, is_content};
use crate::facts::{CoveredKind, Id, Signature, Timestamp, TimestampType};
use std::collections::HashSet;

/// Returns whether the signature has such material.
pub(super) fn is_present<'a>(cx: &ValidationContext<'a>, signature: &'a Signature) -> bool {
    !signature.found_evidence_records.is_empty()
        || !archival_timestamps(cx, signature).is_empty()
        || has_nested_timestamp(cx, signature)
        || cx
            .index
            .timestamps(&signature.found_timestamps)
            .any(|timestamp| is_document_timestamp_over(timestamp, signature, CoveredKind::Timestamp))
}

/// Returns the time-stamps of the LTA level: archive and container time-stamps, and document time-stamps over the
/// signature and revocation data (EN 319 142-1 §5.5).
pub(super) fn archival_timestamps<'a>(cx: &ValidationContext<'a>, signature: &'a Signature) -> Vec<&'a Timestamp> {
    cx.index
        .timestamps(&signature.found_timestamps)
        .filter(|timestamp| match timestamp.kind {
            TimestampType::Archive | TimestampType::Container => true,
            TimestampType::Document => is_document_timestamp_over(timestamp, signature, CoveredKind::Revocation),
            _ => false,
        })
        .collect()
}

/// Returns whether a document time-stamp covers the signature, and something of that kind.
fn is_document_timestamp_over(timestamp: &Timestamp, signature: &Signature, kind: CoveredKind) -> bool {
    timestamp.kind == TimestampType::Document
        && covers(timestamp, CoveredKind::Signature, &signature.id)
        && timestamp.covered.iter().any(|object| object.kind == kind)
}

/// Returns whether a time-stamp covers another one that covers the signature and is not of its content.
fn has_nested_timestamp<'a>(cx: &ValidationContext<'a>, signature: &'a Signature) -> bool {
    let over_signature: HashSet<&Id> = cx
        .index
        .timestamps(&signature.found_timestamps)
        .filter(|t| !is_content(t.kind) && covers(t, CoveredKind::Signature, &signature.id))
        .map(|timestamp| &timestamp.id)
        .collect();
    cx.index.timestamps(&signature.found_timestamps).any(|timestamp| {
        timestamp.covered.iter().any(|o| o.kind == CoveredKind::Timestamp && over_signature.contains(&o.id))
    })
}
