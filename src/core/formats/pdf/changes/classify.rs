//! The class of a difference: which permission of a signer covers it, if any does (ISO 32000-1 table 254).

use super::VisibleChangeKind;
use super::annotations::{is_lock_only, new_annotation, new_field, role, shows_as_before};
use super::output_intents::is_of_srgb;
use super::role::{Class, Role};
use super::walk::{Place, Walk};
use crate::formats::pdf::annotation::{draws, is_sign, is_to_sign, is_visible, is_widget};
use crate::formats::pdf::object::{Dictionary, Object};

/// How deep new elements of the structure may be nested.
const ELEMENTS: usize = 8;

/// The entries of structure elements that are about annotations, and of the trees that hold them: ISO 32000-1 tables 322,
/// 323, 325, 36 and 37. Other words for the marked content of a page are not among them, nor anything else that a name
/// tree holds.
const OF_STRUCTURE: [&[u8]; 24] = [
    b"A",
    b"Alt",
    b"C",
    b"ClassMap",
    b"ID",
    b"IDTree",
    b"K",
    b"Kids",
    b"Lang",
    b"Limits",
    b"NS",
    b"Names",
    b"Namespaces",
    b"Nums",
    b"Obj",
    b"P",
    b"ParentTree",
    b"ParentTreeNextKey",
    b"Pg",
    b"R",
    b"RoleMap",
    b"S",
    b"T",
    b"Type",
];

impl<'a> Walk<'a, '_, '_> {
    /// Returns the class of a difference in a role; `None` where it makes none.
    pub(super) fn class(
        &mut self,
        role: Role,
        at: Option<Place>,
        before: &Option<Object<'a>>,
        after: &Option<Object<'a>>,
    ) -> Option<Class> {
        Some(match (role, before, after) {
            (Role::Outside, ..) => return None,
            (Role::Annotations, None, Some(Object::Dictionary(new))) => self.added_annotation(at, new),
            (Role::Annotations, Some(Object::Dictionary(old)), None) => self.deleted_annotation(old),
            // What a field inherits, its name among it, is another then.
            (Role::Fields, None, Some(_)) if self.is_entry(at, b"Parent") => Class::Undefined,
            (Role::Fields, None, Some(Object::Dictionary(new))) => {
                new_field(&(self.form)(), [self.signed, self.last], new)
            }
            (Role::Flags(_) | Role::FieldFlags, before, after) => return flags(role, before, after),
            // It says what the annotation is without it (table 166); libraries add it to every annotation of a page.
            (_, None, Some(Object::Name(name))) if **name == *b"Annot" && self.is_type_of_annotation(at) => {
                return None;
            }
            (Role::NameOrNumber(class), before, after) => {
                match [before, after].into_iter().flatten().all(is_name_or_number) {
                    true => class,
                    false => Class::Undefined,
                }
            }
            // What iText says of itself. In the item of a collection it is the value of that column (§7.11.6).
            (role, None | Some(Object::String(_)), None | Some(Object::String(_)))
                if role != Role::Document && self.is_entry(at, b"ITXT") =>
            {
                return None;
            }
            (Role::OutputIntents, None, Some(new)) if is_of_srgb(self.last, new) => Class::Fill,
            // A page, a field or an annotation; a name or a string there has another job.
            (Role::Back, None, Some(new)) if !matches!(new, Object::Dictionary(_)) => Class::Undefined,
            // Only a signature that came later can be another certification (§12.8.2.2.1).
            (Role::Permissions, None, Some(Object::Dictionary(new)))
                if new.get(b"DocMDP").is_some()
                    && (self.form)()
                        .purpose(self.last, &self.last.lookup(new, b"DocMDP"), self.signed.end())
                        .is_none() =>
            {
                Class::Undefined
            }
            // A reply is not shown by itself (table 170).
            (Role::Back, None, _) if self.is_entry(at, b"IRT") => Class::Annotation,
            (Role::OwnNormalAppearance, Some(_), Some(_)) if at.is_none() => Class::Annotation,
            (Role::Version, Some(Object::Name(old)), Some(Object::Name(new))) if new > old => Class::Extension,
            (Role::NeedAppearances, _, None | Some(Object::Boolean(false))) => Class::Fill,
            (Role::Structure | Role::StructureList, None, Some(new)) if !self.is_annotation_element(new, 0) => {
                Class::Undefined
            }
            (role, None, _) => role.created(),
            (role, ..) => role.changed(),
        })
    }

    /// Returns whether a place is the entry of a key.
    fn is_entry(&self, at: Option<Place>, key: &[u8]) -> bool {
        at.and_then(|at| self.graph.keys.last(at.path)) == Some(key)
    }

    /// Returns whether a place is the `/Type` of a field or annotation.
    fn is_type_of_annotation(&self, at: Option<Place>) -> bool {
        self.is_entry(at, b"Type") && self.frames.last().is_some_and(|frame| frame.place.role.is_member())
    }

    /// Returns the class of an annotation that was added to a page.
    fn added_annotation(&mut self, at: Option<Place>, new: &Dictionary<'a>) -> Class {
        let number = at.and_then(|at| at.object).map(|object| self.graph.number(object));
        let class = new_annotation(&(self.form)(), [self.signed, self.last], number, new);
        // Viewers list the file of one that is hidden, too.
        let is_file = self.last.lookup(new, b"Subtype").name() == Some(b"FileAttachment");
        if class != Class::Undefined && (is_file || is_visible(self.last, new)) {
            let kind = match draws(self.last, new) {
                // A signer who permits annotations permits no new fields: ISO 32000-1 table 254.
                true if is_widget(self.last, new) => VisibleChangeKind::Changed,
                true => VisibleChangeKind::Drawn,
                false if is_sign(self.last, new) => VisibleChangeKind::Added,
                false => VisibleChangeKind::Annotated,
            };
            self.add_visible_annotation(number, self.area(new), kind);
        } else if class != Class::Undefined && is_to_sign(self.last, new) {
            // Where a field stands is what others leave free for it.
            self.add_visible_annotation(number, self.area(new), VisibleChangeKind::Filled);
        }
        class
    }

    /// Returns the class of an annotation that was deleted from a page.
    fn deleted_annotation(&mut self, old: &Dictionary<'a>) -> Class {
        if role(self.form, [self.signed, self.signed], old, old) != Role::Markup {
            return Class::Undefined;
        }
        if is_visible(self.signed, old) {
            self.add_visible(self.area(old), VisibleChangeKind::Changed);
        }
        Class::Annotation
    }

    /// Returns whether new elements of the structure are about annotations alone, and give no other words for what a page
    /// shows: ISO 32000-1 §14.7.4.3, §14.9.4.
    fn is_annotation_element(&self, element: &Object<'a>, depth: usize) -> bool {
        if depth > ELEMENTS || !self.last.file().step() {
            return false;
        }
        let below = |object: &Object<'a>| self.is_annotation_element(object, depth + 1);
        match self.last.resolve(element) {
            Object::Array(items) => items.iter().all(below),
            Object::Dictionary(element) => {
                let is_known = element.iter().all(|(key, _)| OF_STRUCTURE.contains(&key));
                let kids = self.last.lookup(&element, b"K");
                // A number as a kid is marked content of the page.
                let is_marked = match &kids {
                    Object::Array(items) => items.iter().any(|item| self.last.resolve(item).number().is_some()),
                    kids => kids.number().is_some(),
                };
                let lists = [&b"Nums"[..], b"Kids", b"Names", b"ParentTree", b"IDTree"];
                is_known
                    && !is_marked
                    && below(&kids)
                    && lists.iter().all(|key| below(&self.last.lookup(&element, key)))
            }
            Object::Stream(_) => false,
            _ => true,
        }
    }
}

/// Returns whether an object is a name or a number.
fn is_name_or_number(object: &Object<'_>) -> bool {
    object.name().is_some() || object.number().is_some()
}

/// Returns the class of a difference between flags; `None` where they are the same.
fn flags(role: Role, before: &Option<Object<'_>>, after: &Option<Object<'_>>) -> Option<Class> {
    let flags = |value: &Option<Object<'_>>| match value {
        None => Some(0),
        Some(value) => value.integer(),
    };
    match (flags(before), flags(after), role) {
        (Some(old), Some(new), _) if old == new => None,
        (Some(old), Some(new), Role::Flags(is_signing)) if shows_as_before(old, new, is_signing) => Some(Class::Fill),
        (Some(old), Some(new), Role::FieldFlags) if is_lock_only(old, new) => Some(Class::Fill),
        _ => Some(Class::Undefined),
    }
}
