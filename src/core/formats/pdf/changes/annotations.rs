//! Fields and annotations of two revisions: the role of one that both have, the class of one that is new.

use super::form::LatestForm;
use super::role::{Class, Role};
use crate::formats::pdf::annotation::{
    INVISIBLE, LOCKED, LOCKED_CONTENTS, NO_ROTATE, NO_ZOOM, PRINT, READ_ONLY, is_visible,
};
use crate::formats::pdf::field::{inherited, qualified_name};
use crate::formats::pdf::object::{Dictionary, Object};
use crate::formats::pdf::revision::Revision;
use crate::formats::pdf::signature::Purpose;
use std::rc::Rc;

/// Returns the role of a field or annotation that is in both revisions.
pub(super) fn role<'a>(
    form: impl FnOnce() -> Rc<LatestForm>,
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
                b"Sig" if before == Object::Null && after != Object::Null => {
                    match form().purpose(last, &after, signed.end()) {
                        // A time-stamp shows nothing. One that does looks like a signature.
                        Some(Purpose::DocumentTimestamp) if is_visible(last, new) => Role::Signing,
                        Some(Purpose::Signature) => Role::Signing,
                        Some(Purpose::DocumentTimestamp) => Role::Timestamping,
                        None => Role::Field,
                    }
                }
                b"Sig" => Role::Field,
                _ if !same_value(signed, &before, last, &after) && may_hold([signed, last], kind, old, &after) => {
                    Role::Filling
                }
                _ => Role::Field,
            }
        }
        (None | Some(b"Widget"), None) => Role::Field,
        (Some(subtype), _) if is_markup(subtype) => Role::Markup,
        _ => Role::OtherAnnotation,
    }
}

/// Returns whether an annotation is one of those that viewers only show: markup annotations (ISO 32000-1 table 169) with
/// their pop-ups, and links.
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

/// Returns whether a field of a kind may hold a value: ISO 32000-1 §12.7.4.
fn may_hold<'a>([signed, last]: [&Revision<'a, '_>; 2], kind: &[u8], old: &Dictionary<'a>, value: &Object<'a>) -> bool {
    let flags = || inherited(signed, old, b"Ff").integer().unwrap_or(0);
    match (kind, value) {
        // A push-button keeps no value (§12.7.4.2.2).
        (b"Btn", _) if flags() & PUSH_BUTTON != 0 => false,
        (_, Object::Null) | (b"Tx", Object::String(_) | Object::Stream(_)) => true,
        (b"Btn", Object::Name(_)) | (b"Ch", Object::String(_)) => true,
        (b"Ch", Object::Array(items)) => items.iter().all(|item| matches!(last.resolve(item), Object::String(_))),
        _ => false,
    }
}

/// ISO 32000-1 table 226.
const PUSH_BUTTON: i64 = 1 << 16;

fn same_value<'a>(signed: &Revision<'a, '_>, old: &Object<'a>, last: &Revision<'a, '_>, new: &Object<'a>) -> bool {
    match (old, new) {
        (Object::String(old), Object::String(new)) => old.means(new),
        (Object::Stream(old), Object::Stream(new)) => signed.decrypted(old) == last.decrypted(new),
        (Object::Array(old), Object::Array(new)) => {
            let same = |(old, new): (&Object<'a>, &Object<'a>)| signed.resolve(old) == last.resolve(new);
            old.len() == new.len() && old.iter().zip(new.iter()).all(same)
        }
        _ => old == new,
    }
}

/// Returns the class of an annotation of the latest revision that was not on its page in the signed one.
pub(super) fn new_annotation<'a>(
    form: &LatestForm,
    [signed, last]: [&Revision<'a, '_>; 2],
    number: Option<u32>,
    annotation: &Dictionary<'a>,
) -> Class {
    let subtype = last.lookup(annotation, b"Subtype");
    let Some(subtype) = subtype.name() else { return Class::Undefined };
    match subtype {
        subtype if acts(last, annotation, subtype) => Class::Undefined,
        b"Widget" if !number.is_some_and(|number| form.has_member(number)) => Class::Undefined,
        b"Widget" => match new_field(form, [signed, last], annotation) {
            // A time-stamp shows nothing. One that does looks like a signature.
            Class::Extension if is_visible(last, annotation) => Class::Fill,
            class => class,
        },
        b"FileAttachment" => Class::Annotation,
        subtype if is_markup(subtype) => Class::Annotation,
        _ => Class::Undefined,
    }
}

/// Returns the class of a field of the latest revision that was not in the form of the signed one.
pub(super) fn new_field<'a>(
    form: &LatestForm,
    [signed, last]: [&Revision<'a, '_>; 2],
    field: &Dictionary<'a>,
) -> Class {
    let value = inherited(last, field, b"V");
    let is_signature = inherited(last, field, b"FT").name() == Some(b"Sig");
    let is_named = qualified_name(last, field).is_some();
    match form.purpose(last, &value, signed.end()) {
        _ if acts(last, field, b"Widget") => Class::Undefined,
        Some(Purpose::Signature) if is_signature && is_named => Class::Fill,
        Some(Purpose::DocumentTimestamp) if is_signature && is_named => Class::Extension,
        _ if value == Object::Null && is_signature => Class::Annotation,
        None if !is_signature => Class::Annotation,
        _ => Class::Undefined,
    }
}

/// Returns whether an annotation has an action other than going to a place: ISO 32000-1 §12.6.
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

/// Returns whether other flags of an annotation (ISO 32000-1 table 165) show it as before. Those of a field that is being
/// signed may also say how it is printed.
pub(super) fn shows_as_before(old: i64, new: i64, is_signing: bool) -> bool {
    let free = READ_ONLY | LOCKED | LOCKED_CONTENTS;
    let free = if is_signing { free | PRINT | NO_ZOOM | NO_ROTATE | INVISIBLE } else { free };
    old & !free == new & !free
}

/// Returns whether other flags of a field (ISO 32000-1 table 221) differ in nothing but that it is read-only.
pub(super) fn is_lock_only(old: i64, new: i64) -> bool {
    old | 1 == new | 1
}
