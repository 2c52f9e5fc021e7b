//! The interactive form of the latest revision: what can explain a new field or value.

use crate::formats::pdf::field;
use crate::formats::pdf::object::Object;
use crate::formats::pdf::revision::Revision;
use crate::formats::pdf::signature::{Purpose, Signatures, byte_range, signatures};
use std::collections::HashSet;

/// The form of the latest revision: its fields, and the values that can be read as signatures.
#[derive(Debug)]
pub(in crate::formats::pdf) struct LatestForm {
    /// The object numbers of fields and their widgets.
    members: HashSet<u32>,
    /// The byte ranges of signatures and document time-stamps, and where their revisions end.
    signed: Vec<(Vec<i64>, usize, Purpose)>,
}

impl LatestForm {
    /// Reads the form of the latest revision.
    pub fn of(last: &Revision<'_, '_>) -> Self {
        let Signatures { readable, mistyped, .. } = signatures(last);
        // A type that contradicts the sub-filter makes no time-stamp of it, but it covers what it covers.
        let mistyped = mistyped.into_iter().map(|signature| (Purpose::Signature, signature));
        let covering = readable.into_iter().chain(mistyped);
        let covering = covering.filter(|(_, signature)| signature.covered(last.file().data()).is_some());
        let signed = covering.filter_map(|(purpose, signature)| {
            let end = signature.revision_end(last.file().data())?;
            Some((signature.byte_range, end, purpose))
        });
        let signed = signed.collect();
        Self { members: field::members(last), signed }
    }

    /// Returns whether an object is a field of the form, or a widget of one.
    pub(super) fn has_member(&self, number: u32) -> bool {
        self.members.contains(&number)
    }

    /// Returns the purpose of a signature that was added after byte `signed`. A signature that was there before explains
    /// no new field or widget.
    pub(super) fn purpose<'a>(&self, last: &Revision<'a, '_>, value: &Object<'a>, signed: usize) -> Option<Purpose> {
        let Object::Dictionary(value) = value else { return None };
        let range = byte_range(last, value)?;
        let is_later = |(known, end, _): &&(Vec<i64>, usize, Purpose)| *known == range && *end > signed;
        self.signed.iter().find(is_later).map(|(.., purpose)| *purpose)
    }
}
