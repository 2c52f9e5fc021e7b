//! Annotations: where they are, whether viewers show them, what they draw. ISO 32000-1 §12.5.

use super::field::inherited;
use super::object::{Dictionary, Object};
use super::page_content::FormContent;
use super::rectangle::Rectangle;
use super::revision::Revision;

// The flags of an annotation: ISO 32000-1 table 165.
pub(super) const INVISIBLE: i64 = 1;
const HIDDEN: i64 = 1 << 1;
pub(super) const PRINT: i64 = 1 << 2;
pub(super) const NO_ZOOM: i64 = 1 << 3;
pub(super) const NO_ROTATE: i64 = 1 << 4;
const NO_VIEW: i64 = 1 << 5;
const TOGGLE_NO_VIEW: i64 = 1 << 8;
pub(super) const READ_ONLY: i64 = 1 << 6;
pub(super) const LOCKED: i64 = 1 << 7;
pub(super) const LOCKED_CONTENTS: i64 = 1 << 9;

/// Returns whether an annotation is the widget of a field: ISO 32000-1 §12.5.6.19.
pub(super) fn is_widget<'a>(revision: &Revision<'a, '_>, annotation: &Dictionary<'a>) -> bool {
    revision.lookup(annotation, b"Subtype").name() == Some(b"Widget")
}

/// Returns whether viewers show nothing of an annotation, whatever it has, and print nothing: ISO 32000-1 table 165. Flags
/// are an integer (table 164) of 32 bits (§12.5.3): not all viewers take another number for one.
pub(super) fn is_hidden<'a>(revision: &Revision<'a, '_>, annotation: &Dictionary<'a>) -> bool {
    let flags = match revision.lookup(annotation, b"F") {
        Object::Integer(flags) if i32::try_from(flags).is_ok() => flags,
        _ => 0,
    };
    flags & HIDDEN != 0 || flags & (NO_VIEW | PRINT | TOGGLE_NO_VIEW) == NO_VIEW
}

/// Returns whether an annotation has no normal appearance (ISO 32000-1 table 168), so that viewers draw it by themselves.
pub(super) fn is_drawn_by_viewers<'a>(revision: &Revision<'a, '_>, annotation: &Dictionary<'a>) -> bool {
    let appearances = revision.dictionary(annotation, b"AP");
    match appearances.map_or(Object::Null, |appearances| revision.lookup(&appearances, b"N")) {
        Object::Stream(_) => false,
        // Those of its states.
        Object::Dictionary(_) => !is_widget(revision, annotation),
        _ => true,
    }
}

/// Returns whether viewers show on the page what an annotation says: in a text or the caption of a line, where they have no
/// appearance (ISO 32000-1 §12.5.6.6, table 175).
pub(super) fn shows_contents<'a>(revision: &Revision<'a, '_>, annotation: &Dictionary<'a>) -> bool {
    matches!(revision.lookup(annotation, b"Subtype").name(), Some(b"FreeText" | b"Line"))
        && is_drawn_by_viewers(revision, annotation)
}

/// Returns whether viewers show something where an annotation is.
pub(super) fn is_visible<'a>(revision: &Revision<'a, '_>, annotation: &Dictionary<'a>) -> bool {
    // The area is its rectangle and more.
    let has_area = |rectangle: Rectangle| !rectangle.is_empty();
    !is_hidden(revision, annotation)
        && !is_bare(revision, annotation)
        && (Rectangle::read_entry(revision, annotation, b"Rect").is_none_or(has_area)
            || area(revision, annotation).is_none_or(has_area))
}

/// Returns whether viewers show nothing of a signature field: its appearance is none or empty, and it has no border. Of other
/// fields they show the value.
pub(super) fn is_bare<'a>(revision: &Revision<'a, '_>, annotation: &Dictionary<'a>) -> bool {
    is_widget(revision, annotation)
        && inherited(revision, annotation, b"FT").name() == Some(b"Sig")
        && revision.lookup(annotation, b"MK") == Object::Null
        && !has_appearance(revision, annotation)
}

/// Returns whether a signature field shows nothing but that it waits for its signature: MuPDF draws a ribbon in its rectangle.
pub(super) fn is_to_sign<'a>(revision: &Revision<'a, '_>, annotation: &Dictionary<'a>) -> bool {
    !is_hidden(revision, annotation)
        && is_bare(revision, annotation)
        && inherited(revision, annotation, b"V") == Object::Null
}

/// Returns whether a new annotation adds words or drawings to the page, or a file: all do but notes, links, and
/// signatures.
pub(super) fn draws<'a>(revision: &Revision<'a, '_>, annotation: &Dictionary<'a>) -> bool {
    let subtype = revision.lookup(annotation, b"Subtype");
    match subtype.name() {
        Some(b"Widget") => {
            let is_signature = inherited(revision, annotation, b"FT").name() == Some(b"Sig");
            // A field that waits for its signature shows nobody's.
            let waits = || inherited(revision, annotation, b"V") == Object::Null;
            !is_signature || is_timestamp(revision, annotation) || waits() && has_appearance(revision, annotation)
        }
        Some(b"Text") => {
            Rectangle::read_entry(revision, annotation, b"Rect")
                .is_none_or(|area| area.width() > ICON || area.height() > ICON)
                || any_appearance(revision, annotation, &|form| form.shows_text)
        }
        Some(b"Link" | b"Popup") => revision.lookup(annotation, b"AP") != Object::Null,
        _ => true,
    }
}

/// Returns whether nobody takes a new annotation for a part of the page: a signature, or a note that viewers show as an icon
/// of their own.
pub(super) fn is_sign<'a>(revision: &Revision<'a, '_>, annotation: &Dictionary<'a>) -> bool {
    match revision.lookup(annotation, b"Subtype").name() {
        Some(b"Widget") => inherited(revision, annotation, b"V") != Object::Null,
        Some(b"Text") => revision.lookup(annotation, b"AP") == Object::Null,
        _ => false,
    }
}

/// Returns whether an annotation has an appearance in which something is drawn: ISO 32000-1 §12.5.5.
fn has_appearance<'a>(revision: &Revision<'a, '_>, annotation: &Dictionary<'a>) -> bool {
    any_appearance(revision, annotation, &|form| !form.is_empty)
}

/// The steps that a look at an appearance takes.
const APPEARANCE: u64 = 16;

/// Returns whether the condition holds for one of an annotation's appearances. Where there are too many, it does.
fn any_appearance<'a>(
    revision: &Revision<'a, '_>,
    annotation: &Dictionary<'a>,
    is_such: &dyn Fn(&FormContent) -> bool,
) -> bool {
    let is_such = |object: &Object<'a>| match revision.resolve(object) {
        _ if revision.limits().steps(APPEARANCE).is_err() => true,
        Object::Stream(stream) => is_such(&FormContent::of(revision, &stream)),
        _ => false,
    };
    let Object::Dictionary(appearances) = revision.lookup(annotation, b"AP") else { return false };
    appearances.iter().any(|(_, appearance)| match revision.resolve(appearance) {
        Object::Dictionary(states) => states.iter().any(|(_, state)| is_such(state)),
        appearance => is_such(&appearance),
    })
}

/// Returns whether an annotation shows words or a picture: by an appearance, or what it says and holds where it has none.
pub(super) fn shows_words<'a>(revision: &Revision<'a, '_>, annotation: &Dictionary<'a>) -> bool {
    let holds = || is_widget(revision, annotation) && inherited(revision, annotation, b"V") != Object::Null;
    match is_drawn_by_viewers(revision, annotation) {
        true => holds() || shows_contents(revision, annotation),
        false => any_appearance(revision, annotation, &|form| form.shows_words),
    }
}

/// Returns whether a field holds a document time-stamp. Unlike a signature it speaks for nobody, so that nothing it shows
/// is a signer's.
pub(super) fn is_timestamp<'a>(revision: &Revision<'a, '_>, field: &Dictionary<'a>) -> bool {
    match inherited(revision, field, b"V") {
        Object::Dictionary(value) => revision.lookup(&value, b"SubFilter").name() == Some(b"ETSI.RFC3161"),
        _ => false,
    }
}

/// The greatest width and height of the icon of a note.
const ICON: f64 = 36.0;

/// The width and height of the icon that viewers draw of a note, file or caret without appearance, from the upper left corner of its
/// rectangle (poppler), from the lower left one (PDFium) or around its centre (MuPDF), whatever that is.
const NOTE: f64 = 24.0;

/// The greatest width of a border that stays within the rectangle.
const BORDER: f64 = 3.0;

/// Returns the area in which an annotation shows something; `None` where that may be anywhere.
///
/// Viewers draw an annotation without appearance stream by its own geometry (ISO 32000-1 §12.5.6), even outside of its
/// rectangle, and borders of any width around it (§12.5.4).
pub(super) fn area<'a>(revision: &Revision<'a, '_>, annotation: &Dictionary<'a>) -> Option<Rectangle> {
    let mut area = Rectangle::read_entry(revision, annotation, b"Rect")?;
    let is_bare = is_drawn_by_viewers(revision, annotation);
    for key in [&b"L"[..], b"Vertices", b"InkList", b"QuadPoints", b"CL", b"Path"] {
        let numbers = numbers(revision, &revision.lookup(annotation, key), 0)?;
        if numbers.len() > 1 {
            let points = Rectangle::around(numbers.chunks_exact(2).map(|point| (point[0], point[1])));
            // Marks of words have round ends (poppler, MuPDF), as wide as a fifth of the height, and waves.
            let is_mark = is_bare && key == b"QuadPoints";
            let beyond = if is_mark { points.width().max(points.height()) / 4.0 } else { 0.0 };
            area = area.with(&points.widened(beyond));
        }
    }
    // A caption, the lines that lead to a line, what stands at its ends, clouds.
    let is_beside = [&b"Cap"[..], b"LL", b"LLE", b"LLO", b"LE", b"BE"].iter().any(|key| annotation.get(key).is_some());
    if is_beside && is_bare || any_appearance(revision, annotation, &|form| form.leaves_its_box(revision, &area)) {
        return None;
    }
    if is_bare && matches!(revision.lookup(annotation, b"Subtype").name(), Some(b"Text" | b"FileAttachment" | b"Caret"))
    {
        let (x, y) = ((area.left + area.right) / 2.0, (area.bottom + area.top) / 2.0);
        let half = NOTE / 2.0;
        let around = [(x - half, y - half), (x + half, y + half)];
        let corners = [(area.left, area.top - NOTE), (area.left + NOTE, area.bottom + NOTE)];
        area = area.with(&Rectangle::around(around.into_iter().chain(corners)));
    }
    let style = revision.dictionary(annotation, b"BS");
    let style = style.and_then(|style| revision.lookup(&style, b"W").number());
    let border = revision.array(annotation, b"Border");
    let border = border.and_then(|border| revision.resolve(border.get(2)?).number());
    let width = style.into_iter().chain(border).fold(0.0, f64::max);
    let area = if width > BORDER { area.widened(width) } else { area };
    // Some readers count modulo 2³² what is more than 32 bits hold (annex C).
    let is_held = |side: f64| side.abs() <= f64::from(i32::MAX);
    [area.left, area.bottom, area.right, area.top].into_iter().all(is_held).then_some(area)
}

/// Returns the area in which an annotation of a page shows something; `None` where that may be anywhere. One that stays upright on
/// a page that is turned is turned around its upper left corner (ISO 32000-1 table 165, `NoRotate`).
pub(super) fn area_on_page<'a>(
    revision: &Revision<'a, '_>,
    page: &Dictionary<'a>,
    annotation: &Dictionary<'a>,
) -> Option<Rectangle> {
    let area = area(revision, annotation)?;
    if revision.lookup(annotation, b"F").integer().is_none_or(|flags| flags & NO_ROTATE == 0) {
        return Some(area);
    }
    let (x, y, width, height) = (area.left, area.top, area.width(), area.height());
    let opposite = match inherited(revision, page, b"Rotate").integer().map(|angle| angle.rem_euclid(360)) {
        Some(90) => (x + height, y + width),
        Some(180) => (x - width, y + height),
        Some(270) => (x - height, y - width),
        _ => return Some(area),
    };
    Some(area.with(&Rectangle::around([(x, y), opposite])))
}

/// Returns the numbers in an array and in the arrays that it has; `None` where there are too many.
fn numbers<'a>(revision: &Revision<'a, '_>, object: &Object<'a>, depth: usize) -> Option<Vec<f64>> {
    let Object::Array(items) = object else { return Some(vec![]) };
    let mut found = Vec::new();
    for item in items.iter() {
        match revision.resolve(item) {
            _ if !revision.file().step() => return None,
            inner @ Object::Array(_) if depth < 2 => found.extend(numbers(revision, &inner, depth + 1)?),
            other => found.extend(other.number()),
        }
    }
    Some(found)
}
