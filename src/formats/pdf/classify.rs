//! What kind of change a difference is: permitted by whom, or by nobody.
//!
//! EN 319 142-1 and ISO 32000-1 §12.8.2.2 name what may follow a signature: further signatures and
//! time-stamps with their validation data, filled fields, annotations. The rules below tell these
//! apart by the way that leads to a change, as EU DSS does; the first that fits counts.

use super::compare::Change;
use super::field;
use super::file::Revision;
use super::object::{Dictionary, Object};
use crate::facts::{ModificationAction as Action, ObjectModification, ObjectModifications};

/// The changes by their kind.
pub fn classify<'a>(
    signed: &Revision<'a, '_>,
    last: &Revision<'a, '_>,
    changes: Vec<Change<'a>>,
) -> ObjectModifications {
    let mut found = ObjectModifications::default();
    for change in changes {
        let case = Case { signed, last, change: &change };
        let list = match case.kind() {
            Kind::Ignored => continue,
            Kind::Extension => &mut found.extension,
            Kind::SignatureOrFormFill => &mut found.signature_or_form_fill,
            Kind::Annotation => &mut found.annotation,
            Kind::Undefined => &mut found.undefined,
        };
        let (field_name, kind) = case.concerned();
        list.push(ObjectModification { action: change.action, path: change.path, field_name, kind });
    }
    found
}

/// The kinds of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ignored,
    Extension,
    SignatureOrFormFill,
    Annotation,
    Undefined,
}

struct Case<'a, 'f, 'r> {
    signed: &'r Revision<'a, 'f>,
    last: &'r Revision<'a, 'f>,
    change: &'r Change<'a>,
}

impl<'a> Case<'a, '_, '_> {
    fn kind(&self) -> Kind {
        if self.ignored() {
            Kind::Ignored
        } else if self.extension() {
            Kind::Extension
        } else if self.signature_or_form_fill() {
            Kind::SignatureOrFormFill
        } else if self.annotation() {
            Kind::Annotation
        } else {
            Kind::Undefined
        }
    }

    /// What writers change without meaning anything: a lost appearance, annotation flags, `/Type`.
    fn ignored(&self) -> bool {
        match self.change.action {
            Action::Deletion => self.last_key() == b"AP",
            Action::Modification => matches!(self.last_key(), b"F" | b"Type" | b"ITXT"),
            Action::Creation => false,
        }
    }

    /// What augments signatures: EN 319 142-1 §5.4 and §5.5.
    fn extension(&self) -> bool {
        let modified = self.change.action == Action::Modification;
        self.through(b"DSS")
            || self.timestamp_added()
            || self.change.timestamped && (self.appearance_filled() || self.font_created())
            || self.through(b"Extensions")
            || modified && self.last_key() == b"Version" && matches!(self.parent_key(), b"Catalog" | b"Data" | b"Root")
            || self.last_key() == b"Metadata"
            || self.parent_key() == b"Metadata"
            || self.structure_tree()
    }

    /// A field or value that is a document time-stamp: EN 319 142-1 §5.4.3.
    fn timestamp_added(&self) -> bool {
        let Some(after) = dictionary_of(&self.change.after) else { return false };
        let is_timestamp = |value: &Dictionary<'a>| self.last.lookup(value, b"Type").name() == Some(b"DocTimeStamp");
        match self.last_key() {
            b"V" => is_timestamp(after),
            key if is_field(key) => self.last.dictionary(after, b"V").is_some_and(|value| is_timestamp(&value)),
            _ => false,
        }
    }

    /// Upkeep of the structure tree, which names annotations: ISO 32000-1 §14.7.2.
    fn structure_tree(&self) -> bool {
        let listed = self.through(b"IDTree") || self.through(b"ParentTree") || self.through(b"ParentTreeNextKey");
        let kid = self.last_key() == b"K" && self.change.action != Action::Modification;
        self.through(b"StructTreeRoot") && (listed || kid)
    }

    /// What signs or fills in a form: ISO 32000-1 §12.8.2.2.2, `P` of 2.
    fn signature_or_form_fill(&self) -> bool {
        let created = self.change.action == Action::Creation;
        self.field_filled()
            || self.field_changed()
            || created && self.through(b"AP") && self.in_field()
            || self.appearance_filled()
            || self.font_created() && self.change.keys.iter().any(|key| is_field(key))
            || self.through(b"PieceInfo")
            || created && matches!(self.last_key(), b"Perms" | b"OutputIntents")
            || self.through(b"Names")
            || self.through(b"AcroForm") && [&b"DA"[..], b"DR", b"SigFlags"].iter().any(|key| self.through(key))
    }

    /// A value in a field, or a field that has one.
    fn field_filled(&self) -> bool {
        match self.last_key() {
            b"V" => is_field(self.parent_key()) || self.parent_key() == b"Parent",
            key if is_field(key) => {
                dictionary_of(&self.change.after).is_some_and(|field| self.last.dictionary(field, b"V").is_some())
            }
            _ => false,
        }
    }

    /// Any change in a field but of the list of fields itself, which may only begin.
    fn field_changed(&self) -> bool {
        if is_field(self.last_key()) || is_field(self.parent_key()) {
            return match self.change.action {
                Action::Modification => true,
                Action::Creation => matches!(self.change.after, Some(Object::Array(_))) && is_field(self.last_key()),
                Action::Deletion => false,
            };
        }
        self.change.action == Action::Creation && self.in_field()
    }

    /// Whether the way leads through a field or annotation, and not on from it to its page.
    fn in_field(&self) -> bool {
        let field = self.change.keys.iter().rposition(|key| is_field(key));
        field.is_some_and(|field| self.change.keys[field..].iter().all(|key| **key != *b"P"))
    }

    /// The normal appearance of a field that was signed: ISO 32000-1 §12.5.5.
    fn appearance_filled(&self) -> bool {
        let appearance = self.change.keys.iter().position(|key| **key == *b"AP");
        let Some(normal) = appearance.map(|place| &self.change.keys[place..]) else { return false };
        let length = self.last_key() == b"Length";
        let stream = match (&self.change.before, &self.change.after) {
            (Some(Object::Stream(_)), Some(Object::Stream(after))) => !self.last.raw(after).is_empty(),
            _ => false,
        };
        self.change.action == Action::Modification && normal.iter().any(|key| **key == *b"N") && (length || stream)
    }

    fn font_created(&self) -> bool {
        self.change.action == Action::Creation && (self.last_key() == b"Font" || self.parent_key() == b"Font")
    }

    /// Annotations that come and go without being signatures: ISO 32000-1 table 254, `P` of 3.
    fn annotation(&self) -> bool {
        if !is_field(self.last_key()) && !is_field(self.parent_key()) {
            return false;
        }
        let value = match (&self.change.before, self.change.action) {
            (Some(Object::Dictionary(before)), Action::Deletion) => self.signed.dictionary(before, b"V"),
            _ => None,
        };
        let kind = value.map(|value| self.signed.lookup(&value, b"Type"));
        !matches!(kind.as_ref().and_then(Object::name), Some(b"Sig" | b"DocTimeStamp"))
    }

    fn last_key(&self) -> &[u8] {
        self.change.keys.last().map_or(&[], |key| key)
    }

    fn parent_key(&self) -> &[u8] {
        self.change.keys.iter().rev().nth(1).map_or(&[], |key| key)
    }

    fn through(&self, key: &[u8]) -> bool {
        self.change.keys.iter().any(|on_way| **on_way == *key)
    }

    /// The name of the field and the type of what is concerned.
    fn concerned(&self) -> (Option<String>, Option<String>) {
        let (revision, concerned) = match dictionary_of(&self.change.before) {
            Some(before) => (self.signed, Some(before)),
            None => (self.last, dictionary_of(&self.change.after)),
        };
        let name = |dictionary: &Dictionary<'a>| match revision.lookup(dictionary, b"Type") {
            Object::Name(name) => Some(String::from_utf8_lossy(&name).into_owned()),
            _ => None,
        };
        let field_name = concerned.and_then(|field| field::text(&revision.lookup(field, b"T")));
        let kind = concerned.and_then(|object| match revision.dictionary(object, b"V") {
            Some(value) => name(&value),
            None => name(object),
        });
        (field_name, kind)
    }
}

/// The dictionary that an object is, or that it has as a stream.
fn dictionary_of<'o, 'a>(object: &'o Option<Object<'a>>) -> Option<&'o Dictionary<'a>> {
    match object {
        Some(Object::Dictionary(dictionary)) => Some(dictionary),
        Some(Object::Stream(stream)) => Some(&stream.dictionary),
        _ => None,
    }
}

/// The lists in which fields and annotations stand.
fn is_field(key: &[u8]) -> bool {
    matches!(key, b"Annots" | b"Fields")
}
