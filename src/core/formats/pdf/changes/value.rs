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

/// Returns whether two simple objects mean the same: two spellings of a string or of a real number do. `48` and `48.0` do not:
/// where the standard asks for an integer, readers ignore the other one.
pub(super) fn equal(old: &Object<'_>, new: &Object<'_>) -> bool {
    match (old, new) {
        (Object::String(old), Object::String(new)) => old.means(new),
        (Object::Real(old), Object::Real(new)) => is_same(*old, *new),
        _ => is_simple(old) && old == new,
    }
}

/// Returns whether two numbers are the same in a measure, such as a rectangle: `612` and `612.0` are.
pub(super) fn equal_measures(old: &Object<'_>, new: &Object<'_>) -> bool {
    old.number().zip(new.number()).is_some_and(|(old, new)| is_same(old, new))
}

/// Returns whether a rectangle is another one that was rounded: by half a hundredth of a unit at most, where that is a thousandth
/// of its size at most, and within the 14,400 units of a page (ISO 32000-1 annex C.2).
pub(super) fn is_rounded(old: &[Object<'_>], new: &[Object<'_>]) -> bool {
    let is_near = |(old, new): (&Object<'_>, &Object<'_>)| {
        old.number().zip(new.number()).is_some_and(|(old, new)| old.abs() <= 14_400.0 && (old - new).abs() < 0.0051)
    };
    let is_large = |low: &Object<'_>, high: &Object<'_>| {
        low.number().zip(high.number()).is_some_and(|(low, high)| (high - low).abs() >= 5.0)
    };
    let [left, bottom, right, top] = old else { return false };
    let pairs = || old.iter().zip(new);
    let is_other = pairs().any(|(old, new)| !equal_measures(old, new));
    new.len() == 4 && is_other && is_large(left, right) && is_large(bottom, top) && pairs().all(is_near)
}

/// Returns whether a rectangle has become a point.
pub(super) fn is_withdrawn(old: &[Object<'_>], new: &[Object<'_>]) -> bool {
    let is_point = |corners: &[Object<'_>]| match corners {
        [left, bottom, right, top] => equal_measures(left, right) && equal_measures(bottom, top),
        _ => false,
    };
    !is_point(old) && is_point(new)
}

/// Returns whether two real numbers are the same to readers that count in double precision, but for the last digit.
fn is_same(old: f64, new: f64) -> bool {
    (old - new).abs() <= old.abs() * 1e-14
}

/// Returns whether the entry of a key has measures, which need not be whole: ISO 32000-1 tables 30, 95, 164, 166, 174 to 182
/// and 189.
pub(super) fn is_measure(key: &[u8]) -> bool {
    matches!(
        key,
        b"ArtBox"
            | b"BBox"
            | b"BC"
            | b"BG"
            | b"BleedBox"
            | b"Border"
            | b"C"
            | b"CA"
            | b"CL"
            | b"CropBox"
            | b"IC"
            | b"InkList"
            | b"L"
            | b"Matrix"
            | b"MediaBox"
            | b"QuadPoints"
            | b"RD"
            | b"Rect"
            | b"TrimBox"
            | b"UserUnit"
            | b"Vertices"
            | b"ca"
    )
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
