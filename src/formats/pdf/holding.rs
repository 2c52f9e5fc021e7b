//! Fields and annotations as the comparison sees them: what a field holds, what an annotation is for, where it is.

use super::field;
use super::file::Revision;
use super::object::{Dictionary, Object};
use super::pages::Rectangle;
use super::role::{Class, Role};
use super::signature::{Purpose, Signatures, signatures};
use std::collections::HashSet;
use std::rc::Rc;

/// Parents of a field followed upwards.
const PARENTS: usize = 32;

/// The form of the final file: what stands in it, and what it holds that can be read as a signature.
#[derive(Debug)]
pub(super) struct HeldForm {
    /// The object numbers of fields and their widgets.
    members: HashSet<u32>,
    /// The byte ranges of signatures and document time-stamps.
    signed: Vec<(Vec<i64>, Purpose)>,
}

impl HeldForm {
    pub fn of(last: &Revision<'_, '_>) -> Self {
        let Signatures { readable, mistyped, .. } = signatures(last);
        // A type that contradicts the sub-filter makes no time-stamp of it, but it covers what it covers.
        let mistyped = mistyped.into_iter().map(|signature| (Purpose::Signature, signature));
        let covering = readable.into_iter().chain(mistyped);
        let covering = covering.filter(|(_, signature)| signature.covered(last.file().data()).is_some());
        let signed = covering.map(|(purpose, signature)| (signature.byte_range, purpose)).collect();
        Self { members: field::members(last), signed }
    }

    /// What a value of a signature field is, if it was read as a signature.
    fn purpose<'a>(&self, last: &Revision<'a, '_>, value: &Object<'a>) -> Option<Purpose> {
        let Object::Dictionary(value) = value else { return None };
        let range = last.array(value, b"ByteRange")?;
        let range: Vec<i64> = range.iter().take(5).map(|item| last.resolve(item).integer().unwrap_or(-1)).collect();
        self.signed.iter().find(|(known, _)| *known == range).map(|(_, purpose)| *purpose)
    }
}

/// What a field inherits: ISO 32000-1 table 220.
pub(super) fn inherited<'a>(revision: &Revision<'a, '_>, field: &Dictionary<'a>, key: &[u8]) -> Object<'a> {
    let own = revision.lookup(field, key);
    if own != Object::Null {
        return own;
    }
    let mut parent = revision.dictionary(field, b"Parent");
    for _ in 0..PARENTS {
        let Some(above) = parent else { break };
        let found = revision.lookup(&above, key);
        if found != Object::Null {
            return found;
        }
        parent = revision.dictionary(&above, b"Parent");
    }
    Object::Null
}

/// The fully qualified name of a field: ISO 32000-1 §12.7.3.2.
pub(super) fn qualified_name<'a>(revision: &Revision<'a, '_>, field: &Dictionary<'a>) -> Option<Rc<str>> {
    let mut names: Vec<String> = field::text(&revision.lookup(field, b"T")).into_iter().collect();
    let mut parent = revision.dictionary(field, b"Parent");
    for _ in 0..PARENTS {
        let Some(above) = parent else { break };
        names.extend(field::text(&revision.lookup(&above, b"T")));
        parent = revision.dictionary(&above, b"Parent");
    }
    names.reverse();
    (!names.is_empty()).then(|| names.join(".").into())
}

/// The role of a field or annotation that is in both revisions.
pub(super) fn role<'a>(
    form: impl FnOnce() -> Rc<HeldForm>,
    [signed, last]: [&Revision<'a, '_>; 2],
    old: &Dictionary<'a>,
    new: &Dictionary<'a>,
) -> Role {
    let subtype = signed.lookup(old, b"Subtype");
    let kind = inherited(signed, old, b"FT");
    match (subtype.name(), kind.name()) {
        (None | Some(b"Widget"), Some(kind)) => {
            let (before, after) = (inherited(signed, old, b"V"), inherited(last, new, b"V"));
            match kind {
                b"Sig" if before == Object::Null && after != Object::Null => match form().purpose(last, &after) {
                    Some(Purpose::Signature) => Role::Signing,
                    Some(Purpose::DocumentTimestamp) => Role::Timestamping,
                    None => Role::Field,
                },
                b"Sig" => Role::Field,
                _ if !same_value(signed, &before, last, &after) && may_hold(last, kind, &after) => Role::Filling,
                _ => Role::Field,
            }
        }
        (None | Some(b"Widget"), None) => Role::Field,
        (Some(subtype), _) if is_markup(subtype) => Role::Markup,
        _ => Role::OtherAnnotation,
    }
}

/// ISO 32000-1 table 169: markup annotations that a viewer only shows, with their pop-ups, and links.
fn is_markup(subtype: &[u8]) -> bool {
    matches!(
        subtype,
        b"Text"
            | b"Link"
            | b"FreeText"
            | b"Line"
            | b"Square"
            | b"Circle"
            | b"Polygon"
            | b"PolyLine"
            | b"Highlight"
            | b"Underline"
            | b"Squiggly"
            | b"StrikeOut"
            | b"Stamp"
            | b"Caret"
            | b"Ink"
            | b"Popup"
            | b"Redact"
    )
}

/// What a field of a kind may hold: ISO 32000-1 §12.7.4.
fn may_hold<'a>(last: &Revision<'a, '_>, kind: &[u8], value: &Object<'a>) -> bool {
    match (kind, value) {
        (_, Object::Null) | (b"Tx", Object::String(_) | Object::Stream(_)) => true,
        (b"Btn", Object::Name(_)) | (b"Ch", Object::String(_)) => true,
        (b"Ch", Object::Array(items)) => items.iter().all(|item| matches!(last.resolve(item), Object::String(_))),
        _ => false,
    }
}

fn same_value<'a>(signed: &Revision<'a, '_>, old: &Object<'a>, last: &Revision<'a, '_>, new: &Object<'a>) -> bool {
    match (old, new) {
        (Object::String(old), Object::String(new)) => old.means(new),
        (Object::Stream(old), Object::Stream(new)) => signed.deciphered(old) == last.deciphered(new),
        (Object::Array(old), Object::Array(new)) => {
            let same = |(old, new): (&Object<'a>, &Object<'a>)| signed.resolve(old) == last.resolve(new);
            old.len() == new.len() && old.iter().zip(new.iter()).all(same)
        }
        _ => old == new,
    }
}

/// What an annotation of the final file is that was not on its page when that was signed.
pub(super) fn new_annotation<'a>(
    form: &HeldForm,
    last: &Revision<'a, '_>,
    number: Option<u32>,
    annotation: &Dictionary<'a>,
) -> Class {
    let subtype = last.lookup(annotation, b"Subtype");
    let Some(subtype) = subtype.name() else { return Class::Undefined };
    let acts = acts(last, annotation, subtype);
    match subtype {
        _ if acts => Class::Undefined,
        b"Widget" if !number.is_some_and(|number| form.members.contains(&number)) => Class::Undefined,
        b"Widget" => match new_field(form, last, annotation) {
            // A time-stamp shows nothing; one that does is a signature to who looks at it.
            Class::Extension if is_visible(last, annotation) => Class::Fill,
            class => class,
        },
        b"FileAttachment" => Class::Annotation,
        subtype if is_markup(subtype) => Class::Annotation,
        _ => Class::Undefined,
    }
}

/// What a field of the final file is that was not in the form when that was signed.
pub(super) fn new_field<'a>(form: &HeldForm, last: &Revision<'a, '_>, field: &Dictionary<'a>) -> Class {
    let value = inherited(last, field, b"V");
    let is_signature = inherited(last, field, b"FT").name() == Some(b"Sig");
    let named = qualified_name(last, field).is_some();
    match form.purpose(last, &value) {
        _ if acts(last, field, b"Widget") => Class::Undefined,
        Some(Purpose::Signature) if is_signature && named => Class::Fill,
        Some(Purpose::DocumentTimestamp) if is_signature && named => Class::Extension,
        _ if value == Object::Null && is_signature => Class::Annotation,
        None if !is_signature => Class::Annotation,
        _ => Class::Undefined,
    }
}

/// Whether something happens when an annotation is used, other than going to a place: ISO 32000-1 §12.6.
fn acts<'a>(last: &Revision<'a, '_>, annotation: &Dictionary<'a>, subtype: &[u8]) -> bool {
    let goes_there = |action: &Dictionary<'a>| {
        let kind = last.lookup(action, b"S");
        subtype == b"Link" && matches!(kind.name(), Some(b"URI" | b"GoTo")) && action.get(b"Next").is_none()
    };
    let action = last.lookup(annotation, b"A");
    last.lookup(annotation, b"AA") != Object::Null
        || match &action {
            Object::Null => false,
            Object::Dictionary(action) => !goes_there(action),
            _ => true,
        }
}

/// ISO 32000-1 table 165.
const INVISIBLE: i64 = 1;
const HIDDEN: i64 = 1 << 1;
const PRINT: i64 = 1 << 2;
const NO_ZOOM: i64 = 1 << 3;
const NO_ROTATE: i64 = 1 << 4;
const NO_VIEW: i64 = 1 << 5;
const READ_ONLY: i64 = 1 << 6;
const LOCKED: i64 = 1 << 7;
const LOCKED_CONTENTS: i64 = 1 << 9;

/// Whether other flags say the same of what is seen; while a field is signed they may say how it is printed.
pub(super) fn looks_as_before(old: i64, new: i64, signing: bool) -> bool {
    let kept = READ_ONLY | LOCKED | LOCKED_CONTENTS;
    let kept = if signing { kept | PRINT | NO_ZOOM | NO_ROTATE | INVISIBLE } else { kept };
    old & !kept == new & !kept
}

/// Whether other flags of a field say no more than that nobody is to change it: table 221.
pub(super) fn locks_only(old: i64, new: i64) -> bool {
    old | 1 == new | 1
}

/// Whether a viewer shows something where an annotation is.
pub(super) fn is_visible<'a>(revision: &Revision<'a, '_>, annotation: &Dictionary<'a>) -> bool {
    let flags = revision.lookup(annotation, b"F").integer().unwrap_or(0);
    // A widget without appearance shows nothing but its border.
    let bare = revision.lookup(annotation, b"Subtype").name() == Some(b"Widget")
        && revision.lookup(annotation, b"AP") == Object::Null
        && revision.lookup(annotation, b"MK") == Object::Null;
    flags & (HIDDEN | NO_VIEW) == 0 && !bare && area(revision, annotation).is_none_or(|area| !area.is_empty())
}

/// Where an annotation is.
pub(super) fn area<'a>(revision: &Revision<'a, '_>, annotation: &Dictionary<'a>) -> Option<Rectangle> {
    Rectangle::read(revision, annotation.get(b"Rect")?)
}
