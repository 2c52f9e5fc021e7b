//! Differences as they are reported: the path from the catalog, the action, and the field concerned.

use super::graph::Graph;
use super::keys::Path;
use super::role::{Class, Role};
use super::value::is_compound;
use super::walk::{Comment, Place, Walk};
use super::{Action, ObjectModification, ObjectModifications, VisibleChangeKind};
use crate::formats::pdf::annotation::is_widget;
use crate::formats::pdf::field::{inherited, qualified_name};
use crate::formats::pdf::object::{Dictionary, Object};
use std::rc::Rc;

/// The entries of a comment that say something about it rather than show it: ISO 32000-1 tables 164, 170 and 172.
const UNSEEN: [&[u8]; 8] = [b"M", b"T", b"NM", b"CreationDate", b"Subj", b"State", b"StateModel", b"Open"];

/// The entries of a comment that viewers show in its pop-up or, where it has no appearance, on the page: ISO 32000-1 table
/// 170, §12.5.6.6.
const CONTENTS: [&[u8]; 2] = [b"Contents", b"RC"];

/// The bytes of a path that count as one more difference.
const LONG_PATH: usize = 1024;

impl<'a> Walk<'a, '_, '_> {
    /// Records a difference at a place in the present pair of objects, or without one between their streams' bytes.
    pub(super) fn record(&mut self, at: Option<Place>, before: Option<Object<'a>>, after: Option<Object<'a>>) {
        let role = at.or(self.frames.last().map(|frame| frame.place)).map_or(Role::CONTENT, |place| place.role);
        let Some(class) = self.class(role, at, &before, &after) else { return };
        let action = match (&before, &after) {
            (None, Some(after)) if is_compound(after) => Action::Creation,
            (Some(before), None) if is_compound(before) => Action::Deletion,
            _ => Action::Modification,
        };
        let path = self.path_of(at);
        let comment = self.frames.last().and_then(|frame| frame.comment).filter(|_| class == Class::Annotation);
        if let Some(comment) = comment
            && !self.is_unseen(comment, at)
        {
            self.add_visible(comment.area, VisibleChangeKind::Changed);
        }
        // The text of a path is ambiguous: a key may hold blanks and slashes. Another class is never the same difference.
        // A long path counts as several differences, whether or not it is recorded.
        self.count += path.len() / LONG_PATH;
        if !self.graph.recorded.insert((path.clone(), action as u8, class))
            || self.last.limits().text(path.len()).is_err()
        {
            return;
        }
        let (name, kind) = self.concerned(&before, &after);
        let field_name = self.frames.last().and_then(|frame| frame.field.as_deref().map(str::to_owned)).or(name);
        let lengths = [&field_name, &kind].map(|text| text.as_ref().map_or(0, String::len));
        if self.last.limits().text(lengths.iter().sum()).is_err() {
            return;
        }
        self.count += 1;
        // A field of several names is each of these fields.
        let others = self.frames.last().map_or_else(Rc::default, |frame| frame.other_names.clone());
        let others = others.iter().map(|name| ObjectModification {
            action,
            path: path.clone(),
            field_name: Some(name.to_string()),
            kind: kind.clone(),
        });
        let of_class = list(&mut self.found.objects, class);
        of_class.extend(others);
        of_class.push(ObjectModification { action, path, field_name, kind });
    }

    /// Returns whether a difference in a comment is one that the page does not show. What a comment refers to may be drawn by
    /// another one, too, and is compared but once.
    fn is_unseen(&self, comment: Comment, at: Option<Place>) -> bool {
        let Some(at) = at.filter(|at| at.object.is_none()) else { return false };
        let is_own = self.frames.last().is_some_and(|frame| frame.place.role == Role::Markup);
        match self.graph.keys.split(at.path) {
            Some((Path::HERE, key)) if is_own => {
                let key = &**self.graph.keys.name(key);
                !comment.is_seen || UNSEEN.contains(&key) || !comment.shows_contents && CONTENTS.contains(&key)
            }
            _ => false,
        }
    }

    /// Returns the path from the catalog to a place, or to the present stream's bytes.
    fn path_of(&mut self, at: Option<Place>) -> String {
        let around = self.path.get_or_insert_with(|| {
            let mut path = String::new();
            self.frames.iter().for_each(|frame| push_place(&mut path, frame.place, self.graph));
            path
        });
        let mut path = String::with_capacity(around.len() + 32);
        path.push_str(around);
        match at {
            Some(at) => push_place(&mut path, at, self.graph),
            None => path.push_str(" stream"),
        }
        path
    }

    /// Returns the name of the field and the `/Type` of the object that a difference concerns.
    fn concerned(&self, before: &Option<Object<'a>>, after: &Option<Object<'a>>) -> (Option<String>, Option<String>) {
        let before = before.as_ref().and_then(dictionary).map(|before| (self.signed, before));
        let after = after.as_ref().and_then(dictionary).map(|after| (self.last, after));
        let Some((revision, concerned)) = before.or(after) else { return (None, None) };
        let kind = |dictionary: &Dictionary<'a>| match revision.lookup(dictionary, b"Type") {
            Object::Name(name) => Some(String::from_utf8_lossy(&name).into_owned()),
            _ => None,
        };
        let is_field = inherited(revision, concerned, b"FT") != Object::Null;
        let name = is_field.then(|| qualified_name(revision, concerned)).flatten();
        // The /T of a note is who wrote it: ISO 32000-1 table 170.
        let is_note = revision.lookup(concerned, b"Subtype").name().is_some() && !is_widget(revision, concerned);
        let title = || revision.text_of(concerned, b"T").filter(|_| !is_note);
        let name = name.map(|name| name.to_string()).or_else(title);
        let kind = match revision.dictionary(concerned, b"V") {
            Some(value) => kind(&value),
            None => kind(concerned),
        };
        (name, kind)
    }
}

/// Returns the dictionary of a dictionary or stream.
fn dictionary<'o, 'a>(object: &'o Object<'a>) -> Option<&'o Dictionary<'a>> {
    match object {
        Object::Dictionary(dictionary) => Some(dictionary),
        Object::Stream(stream) => Some(&stream.dictionary),
        _ => None,
    }
}

/// Returns the list of a class.
fn list(objects: &mut ObjectModifications, class: Class) -> &mut Vec<ObjectModification> {
    match class {
        Class::Extension => &mut objects.extension,
        Class::Fill => &mut objects.signature_or_form_fill,
        Class::Annotation => &mut objects.annotation,
        Class::Undefined => &mut objects.undefined,
    }
}

/// Appends the keys of a place, and the indirect object that stands there.
fn push_place(text: &mut String, place: Place, graph: &Graph) {
    push_keys(text, place.path, graph);
    if let Some(object) = place.object {
        text.push(' ');
        push_number(text, graph.number(object));
        text.push_str(" 0 R");
    }
}

/// Appends the keys of a path, which are as many as an object is nested.
fn push_keys(text: &mut String, path: Path, graph: &Graph) {
    let Some((shorter, key)) = graph.keys.split(path) else { return };
    push_keys(text, shorter, graph);
    if !text.is_empty() {
        text.push(' ');
    }
    text.push('/');
    text.push_str(graph.keys.text(key));
}

/// Appends a number in decimal digits. Paths have several, and differences come by the thousand: `format!` would be most
/// of the work of recording them.
fn push_number(text: &mut String, number: u32) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}
