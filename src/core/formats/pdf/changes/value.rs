//! Values: which of them are simple, and when two simple ones mean the same.

use crate::formats::pdf::object::{Dictionary, Object, Stream};
use std::rc::Rc;

/// Returns whether an object is neither a reference nor made of other objects.
pub(super) fn is_simple(object: &Object<'_>) -> bool {
    !matches!(object, Object::Reference(_)) && !is_compound(object)
}

/// Returns whether an object is made of other objects.
pub(super) fn is_compound(object: &Object<'_>) -> bool {
    matches!(object, Object::Dictionary(_) | Object::Stream(_) | Object::Array(_))
}

/// Returns whether two simple objects mean the same: `612` and `612.0` do, and so do two spellings of a string.
pub(super) fn equal(old: &Object<'_>, new: &Object<'_>) -> bool {
    match (old, new) {
        (Object::Integer(old), Object::Integer(new)) => old == new,
        (Object::String(old), Object::String(new)) => old.means(new),
        _ => match (old.number(), new.number()) {
            (Some(old), Some(new)) => old as f32 == new as f32,
            _ => is_simple(old) && old == new,
        },
    }
}

/// Returns the object unless it is null, which is as if it were not there (ISO 32000-1 §7.3.9).
pub(super) fn unless_null(object: Object<'_>) -> Option<Object<'_>> {
    (!matches!(object, Object::Null)).then_some(object)
}

/// Returns the dictionary of a dictionary or stream, and the stream.
pub(super) fn parts<'o, 'a>(object: &'o Object<'a>) -> Option<(&'o Dictionary<'a>, Option<Rc<Stream<'a>>>)> {
    match object {
        Object::Dictionary(dictionary) => Some((dictionary, None)),
        Object::Stream(stream) => Some((&stream.dictionary, Some(stream.clone()))),
        _ => None,
    }
}
