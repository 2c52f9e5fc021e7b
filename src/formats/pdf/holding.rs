//! Fields and annotations as the comparison sees them: what a field holds, what an annotation is for, where it is.

use super::field;
use super::lexer::is_regular;
use super::object::{Dictionary, Object};
use super::pages::Rectangle;
use super::revision::Revision;
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
    /// The byte ranges of signatures and document time-stamps, and where their revisions end.
    signed: Vec<(Vec<i64>, usize, Purpose)>,
}

impl HeldForm {
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

    /// What a value of a signature field is, if it was read as a signature that came after octet `signed`: one that was
    /// there before explains no new field or widget.
    fn purpose<'a>(&self, last: &Revision<'a, '_>, value: &Object<'a>, signed: usize) -> Option<Purpose> {
        let Object::Dictionary(value) = value else { return None };
        let range = last.array(value, b"ByteRange")?;
        let range: Vec<i64> = range.iter().take(5).map(|item| last.resolve(item).integer().unwrap_or(-1)).collect();
        let later = |(known, end, _): &&(Vec<i64>, usize, Purpose)| *known == range && *end > signed;
        self.signed.iter().find(later).map(|(.., purpose)| *purpose)
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
                b"Sig" if before == Object::Null && after != Object::Null => {
                    match form().purpose(last, &after, signed.end()) {
                        // A time-stamp shows nothing; one that does is a signature to who looks at it.
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
    [signed, last]: [&Revision<'a, '_>; 2],
    number: Option<u32>,
    annotation: &Dictionary<'a>,
) -> Class {
    let subtype = last.lookup(annotation, b"Subtype");
    let Some(subtype) = subtype.name() else { return Class::Undefined };
    let acts = acts(last, annotation, subtype);
    match subtype {
        _ if acts => Class::Undefined,
        b"Widget" if !number.is_some_and(|number| form.members.contains(&number)) => Class::Undefined,
        b"Widget" => match new_field(form, [signed, last], annotation) {
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
pub(super) fn new_field<'a>(form: &HeldForm, [signed, last]: [&Revision<'a, '_>; 2], field: &Dictionary<'a>) -> Class {
    let value = inherited(last, field, b"V");
    let is_signature = inherited(last, field, b"FT").name() == Some(b"Sig");
    let named = qualified_name(last, field).is_some();
    match form.purpose(last, &value, signed.end()) {
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
    // A signature without appearance shows nothing but its border; of other fields viewers show the value.
    let bare = revision.lookup(annotation, b"Subtype").name() == Some(b"Widget")
        && inherited(revision, annotation, b"FT").name() == Some(b"Sig")
        && revision.lookup(annotation, b"AP") == Object::Null
        && revision.lookup(annotation, b"MK") == Object::Null;
    flags & (HIDDEN | NO_VIEW) == 0 && !bare && area(revision, annotation).is_none_or(|area| !area.is_empty())
}

/// Whether a new annotation adds words or drawings to the page, or a file: all but notes, links, and signatures.
pub(super) fn draws<'a>(revision: &Revision<'a, '_>, annotation: &Dictionary<'a>) -> bool {
    let subtype = revision.lookup(annotation, b"Subtype");
    match subtype.name() {
        Some(b"Widget") => {
            let is_signature = inherited(revision, annotation, b"FT").name() == Some(b"Sig");
            // A field that waits for its signature shows nobody's.
            let waits = || inherited(revision, annotation, b"V") == Object::Null;
            !is_signature || is_timestamp(revision, annotation) || waits() && has_appearance(revision, annotation)
        }
        Some(b"Text") => Rectangle::read_entry(revision, annotation, b"Rect")
            .is_none_or(|area| area.right - area.left > ICON || area.top - area.bottom > ICON),
        Some(b"Link" | b"Popup") => revision.lookup(annotation, b"AP") != Object::Null,
        _ => true,
    }
}

/// Whether an annotation has an appearance in which something is drawn: ISO 32000-1 §12.5.5.
fn has_appearance<'a>(revision: &Revision<'a, '_>, annotation: &Dictionary<'a>) -> bool {
    let draws = |object: &Object<'a>| match revision.resolve(object) {
        Object::Stream(stream) => revision.decoded(&stream).map_or(true, |octets| !octets.trim_ascii().is_empty()),
        _ => false,
    };
    let Object::Dictionary(appearances) = revision.lookup(annotation, b"AP") else { return false };
    appearances.iter().any(|(_, appearance)| match revision.resolve(appearance) {
        Object::Dictionary(states) => states.iter().any(|(_, state)| draws(state)),
        appearance => draws(&appearance),
    })
}

/// Whether a field is one that is ticked: small, and often on a box that the page has as a character.
pub(super) fn is_check_box<'a>(revision: &Revision<'a, '_>, field: &Dictionary<'a>) -> bool {
    inherited(revision, field, b"FT").name() == Some(b"Btn")
        && area(revision, field).is_some_and(|area| area.right - area.left <= TICK && area.top - area.bottom <= TICK)
}

/// The greatest width and height of a box to tick.
const TICK: f64 = 16.0;

/// Whether a field has a value that viewers show by themselves: it has no appearance, or they make all anew.
pub(super) fn shows_value<'a>(revision: &Revision<'a, '_>, field: &Dictionary<'a>) -> bool {
    let anew = || {
        let form = form(revision).map(|form| revision.lookup(&form, b"NeedAppearances"));
        form == Some(Object::Boolean(true))
    };
    inherited(revision, field, b"FT").name() != Some(b"Sig")
        && inherited(revision, field, b"V") != Object::Null
        && (revision.lookup(field, b"AP") == Object::Null || anew())
}

/// The string by which the text of a field is shown, and whether its font is there: ISO 32000-1 §12.7.3.3.
pub(super) fn variable_text<'a>(revision: &Revision<'a, '_>, field: &Dictionary<'a>) -> (Vec<u8>, bool) {
    let form = form(revision);
    let of_form = |key: &[u8]| form.as_ref().map_or(Object::Null, |form| revision.lookup(form, key));
    let text = match inherited(revision, field, b"DA") {
        Object::String(text) => Object::String(text),
        _ => of_form(b"DA"),
    };
    let text = text.string().map(|text| text.bytes().into_owned()).unwrap_or_default();
    let name = text.split(|octet| *octet == b'/').nth(1).unwrap_or_default();
    let name = &name[..name.iter().take_while(|octet| is_regular(**octet)).count()];
    let resources = match of_form(b"DR") {
        Object::Dictionary(resources) => revision.dictionary(&resources, b"Font"),
        _ => None,
    };
    let is_there = resources.is_some_and(|fonts| revision.lookup(&fonts, name) != Object::Null);
    (text, is_there)
}

fn form<'a>(revision: &Revision<'a, '_>) -> Option<Rc<Dictionary<'a>>> {
    revision.catalog().and_then(|catalog| revision.dictionary(&catalog, b"AcroForm"))
}

/// Whether a field holds a document time-stamp. Unlike a signature it speaks for nobody, so that what it shows is nobody's.
pub(super) fn is_timestamp<'a>(revision: &Revision<'a, '_>, field: &Dictionary<'a>) -> bool {
    match inherited(revision, field, b"V") {
        Object::Dictionary(value) => revision.lookup(&value, b"SubFilter").name() == Some(b"ETSI.RFC3161"),
        _ => false,
    }
}

/// The greatest width and height of the icon of a note.
const ICON: f64 = 36.0;

/// The width of a border up to which it stays within the rectangle.
const BORDER: f64 = 3.0;

/// Where an annotation shows something; `None` where that is anywhere.
///
/// Viewers draw what has no appearance stream by its own geometry (ISO 32000-1 §12.5.6), wherever that leads, and borders
/// of any width around it (§12.5.4).
pub(super) fn area<'a>(revision: &Revision<'a, '_>, annotation: &Dictionary<'a>) -> Option<Rectangle> {
    let mut area = Rectangle::read_entry(revision, annotation, b"Rect")?;
    for key in [&b"L"[..], b"Vertices", b"InkList", b"QuadPoints", b"CL", b"Path"] {
        let numbers = numbers(revision, &revision.lookup(annotation, key), 0)?;
        if numbers.len() > 1 {
            let points = numbers.chunks_exact(2).map(|point| (point[0], point[1]));
            area = area.with(&Rectangle::around(points));
        }
    }
    // A caption and the lines that lead to a line.
    let beside = [&b"Cap"[..], b"LL", b"LLE", b"LLO"].iter().any(|key| annotation.get(key).is_some());
    if beside && revision.lookup(annotation, b"AP") == Object::Null {
        return None;
    }
    let style = revision.dictionary(annotation, b"BS");
    let style = style.and_then(|style| revision.lookup(&style, b"W").number());
    let border = revision.array(annotation, b"Border");
    let border = border.and_then(|border| revision.resolve(border.get(2)?).number());
    let width = style.into_iter().chain(border).fold(0.0, f64::max);
    Some(if width > BORDER { area.widened(width) } else { area })
}

/// The numbers in an array and the arrays in it, as far as these are bounded; `None` where there are too many.
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
