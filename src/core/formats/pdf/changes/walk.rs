//! The walk over two revisions: pairs of objects, each in the role in which it was reached.

use super::annotations;
use super::form::LatestForm;
use super::graph::{Graph, Node, Slot};
use super::keys::{Key, Path};
use super::pairs::Pair;
use super::role::Role;
use super::value::{equal, equal_measures, is_measure, is_rounded, is_withdrawn, parts, unless_null};
use super::{Differences, VisibleChange, VisibleChangeKind};
use crate::formats::pdf::annotation::{
    area, area_on_page, is_bare, is_hidden, is_timestamp, is_visible, shows_contents,
};
use crate::formats::pdf::field::{FieldNames, ancestors, qualified, qualified_name};
use crate::formats::pdf::object::{Dictionary, Object, Reference, Stream};
use crate::formats::pdf::rectangle::Rectangle;
use crate::formats::pdf::revision::Revision;
use std::collections::HashMap;
use std::rc::Rc;

/// Bounds the differences recorded: nobody permits so many.
const DIFFERENCES: usize = 20_000;

/// A place in the document: the path from the object around it, the indirect object that stands there, and its role.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub path: Path,
    pub object: Option<Slot>,
    pub role: Role,
}

/// A pair of objects that was entered, with what is left to compare in it.
pub(super) struct Frame<'a> {
    pub place: Place,
    rest: Rest<'a>,
    /// The streams that the objects are. Their bytes are compared last.
    streams: [Option<Rc<Stream<'a>>>; 2],
    /// The fully qualified name of the field that it is or belongs to.
    pub field: Option<Rc<str>>,
    /// The other names of a field that has several.
    pub other_names: Rc<[Rc<str>]>,
    /// The object number of the page that it is or belongs to; zero, which no object has, where that is in another object.
    page: Option<u32>,
    /// The comment that it is or belongs to.
    pub comment: Option<Comment>,
    /// The object number of the annotation that it is or belongs to.
    annotation: Option<u32>,
}

/// A comment that was entered.
#[derive(Clone, Copy)]
pub(super) struct Comment {
    /// Where it is in the latest revision.
    pub area: Option<Rectangle>,
    /// Whether viewers show it, in either revision.
    pub is_seen: bool,
    /// Whether they show what it says on the page, in either revision.
    pub shows_contents: bool,
}

/// What is left to compare in a pair of objects.
enum Rest<'a> {
    /// The references, from an index on, of an object that is the same in both revisions.
    References(Rc<Node>, usize),
    /// Pairs of entries or elements.
    Pairs(std::vec::IntoIter<Pair<'a>>),
}

/// A walk over both revisions from one pair of objects on.
pub(super) struct Walk<'a, 'f, 'r> {
    pub signed: &'r Revision<'a, 'f>,
    pub last: &'r Revision<'a, 'f>,
    pub graph: &'r mut Graph,
    pub form: &'r dyn Fn() -> Rc<LatestForm>,
    /// The pairs that lead from where the walk began to where it is.
    pub frames: Vec<Frame<'a>>,
    /// The path that these are, as text, once a difference was recorded there.
    pub path: Option<String>,
    /// The pairs of objects of different numbers that were compared, with the bits of the roles in which they were.
    entered: HashMap<u64, u64>,
    pub found: Differences,
    /// How many differences were recorded.
    pub count: usize,
    /// The names of the signed revision's fields, once one was entered.
    names: Option<FieldNames>,
}

impl<'a, 'f, 'r> Walk<'a, 'f, 'r> {
    /// Prepares a walk.
    pub fn new(
        signed: &'r Revision<'a, 'f>,
        last: &'r Revision<'a, 'f>,
        graph: &'r mut Graph,
        form: &'r dyn Fn() -> Rc<LatestForm>,
    ) -> Self {
        Self {
            signed,
            last,
            graph,
            form,
            frames: Vec::new(),
            path: None,
            entered: HashMap::new(),
            found: Differences::default(),
            count: 0,
            names: None,
        }
    }

    /// Walks to the end, or until the limits are reached, and returns what was found.
    pub fn run(mut self) -> Differences {
        while let Some(frame) = self.frames.last_mut() {
            let is_spent = || self.last.file().check_limits().is_err();
            if !self.last.file().step() || self.count >= DIFFERENCES || is_spent() {
                return self.found;
            }
            let role = frame.place.role;
            match &mut frame.rest {
                Rest::References(node, next) => match node.edges.get(*next).copied() {
                    Some(edge) => {
                        *next += 1;
                        let role = self.role_along(role, edge.path).unwrap_or(Role::CONTENT);
                        self.same_number(Place { path: edge.path, object: Some(edge.to), role });
                    }
                    None => self.leave(),
                },
                Rest::Pairs(pairs) => match pairs.next() {
                    Some(Pair::Both { key, object, before, after }) => {
                        let place = self.place(role, key, object);
                        self.values(place, &before, &after);
                    }
                    Some(Pair::Same { key, object }) => {
                        let place = self.place(role, key, Some(object));
                        self.same_number(place);
                    }
                    None => self.leave(),
                },
            }
        }
        Differences { complete: true, ..self.found }
    }

    /// Records that the walk begins at the catalog of this object number.
    pub fn enter_root(&mut self, place: Place, number: u32) {
        let slot = self.slot(number);
        self.graph.enter(slot, Role::Catalog);
        let reference = Object::Reference(Reference { number, generation: 0 });
        self.check_liberty(place, &reference, &reference);
    }

    /// Returns the place of an entry, or of an element, in an object of a role.
    fn place(&self, within: Role, key: Option<Key>, object: Option<Slot>) -> Place {
        match key {
            Some(key) => {
                let role = within.entry(self.graph.keys.name(key)).unwrap_or(Role::CONTENT);
                Place { path: self.graph.keys.path(key), object, role }
            }
            None => Place { path: Path::HERE, object, role: within },
        }
    }

    /// Returns the role at a path in an object of a role; `None` where that depends on more than keys.
    fn role_along(&self, role: Role, path: Path) -> Option<Role> {
        match self.graph.keys.split(path) {
            _ if role.is_uniform() => Some(role),
            None => Some(role),
            Some((shorter, key)) => self.role_along(role, shorter)?.entry(self.graph.keys.name(key)),
        }
    }

    fn enter(&mut self, place: Place, rest: Rest<'a>, streams: [Option<Rc<Stream<'a>>>; 2]) {
        let around = self.frames.last();
        let field = around.and_then(|frame| frame.field.clone());
        let other_names = around.map_or_else(Rc::default, |frame| frame.other_names.clone());
        let comment = around.and_then(|frame| frame.comment);
        let annotation = around.and_then(|frame| frame.annotation);
        let page = match (place.role, place.object) {
            (Role::Pages, object) => Some(object.map_or(0, |object| self.graph.number(object))),
            _ => around.and_then(|frame| frame.page),
        };
        self.frames.push(Frame { place, rest, streams, field, other_names, page, comment, annotation });
        self.path = None;
    }

    fn leave(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let streams = std::mem::take(&mut frame.streams);
        self.stream_bytes(streams);
        self.path = None;
        self.frames.pop();
    }

    /// Returns the slot of an object number.
    pub fn slot(&mut self, number: u32) -> Slot {
        self.graph.slot(number, self.last.file())
    }

    /// Compares the objects of one number, to which both revisions refer. Enters them only where something changed that
    /// can be reached from them.
    fn same_number(&mut self, place: Place) {
        let Some(object) = place.object else { return };
        if matches!(place.role, Role::Back | Role::Outside)
            || self.graph.is_unchanged_throughout(object, self.signed, self.last)
            || place.role.leads_back()
                && self.graph.was_entered_at_its_place(object)
                && self.has_no_other_job(place, object)
            || !self.graph.enter(object, place.role)
        {
            return;
        }
        if let Some(node) = self.graph.unchanged(object, self.signed, self.last)
            && node.edges.iter().all(|edge| self.role_along(place.role, edge.path).is_some())
            && (node.is_array || !place.role.is_set())
        {
            if !node.edges.is_empty() {
                self.enter(place, Rest::References(node, 0), [None, None]);
            }
            return;
        }
        let reference = Object::Reference(Reference { number: self.graph.number(object), generation: 0 });
        self.resolved(place, &reference, &reference);
    }

    /// Returns whether an object is a dictionary in both revisions, and neither a stream nor an action or structure element
    /// (ISO 32000-1 tables 193 and 323), nor actions by their triggers (table 194) or a dictionary of anybody's keys.
    fn has_no_other_job(&self, place: Place, object: Slot) -> bool {
        if matches!(self.graph.keys.last(place.path), Some(b"AA" | b"Dests" | b"CI" | b"Schema")) {
            return false;
        }
        let reference = Object::Reference(Reference { number: self.graph.number(object), generation: 0 });
        [self.signed, self.last].iter().all(|revision| match revision.resolve(&reference) {
            Object::Dictionary(dictionary) => dictionary.get(b"S").is_none(),
            _ => false,
        })
    }

    /// Compares two values, each perhaps a reference.
    pub fn values(&mut self, place: Place, before: &Object<'a>, after: &Object<'a>) {
        if place.role == Role::Outside {
            return;
        }
        if let (Some(old), Some(new)) = (before.reference(), after.reference()) {
            // Another generation of the same number is another object, though it may be read all the same (7.3.10).
            // A page is another one, whatever it shows.
            let is_other = match place.role {
                Role::Pages => old != new,
                Role::Back => true,
                _ if old.number == new.number => old.generation != new.generation,
                // One of another generation than its object has refers to nothing, as some readers have it.
                _ => self.signed.stated_generation(old.number) != u64::from(old.generation),
            };
            if is_other {
                self.record(Some(place), Some(before.clone()), Some(after.clone()));
                return;
            }
            if old.number == new.number {
                let object = self.slot(old.number);
                self.same_number(Place { object: Some(object), ..place });
                return;
            }
            let roles = self.entered.entry(u64::from(old.number) << 32 | u64::from(new.number)).or_default();
            if *roles & place.role.bit() != 0 {
                return;
            }
            *roles |= place.role.bit();
        }
        self.resolved(place, before, after);
    }

    /// Compares what two values refer to.
    fn resolved(&mut self, place: Place, before: &Object<'a>, after: &Object<'a>) {
        self.check_liberty(place, before, after);
        let [old, new] = [self.signed.resolve(before), self.last.resolve(after)].map(unless_null);
        // A reference to nothing is null (7.3.10), but not every reader inherits then what it would where there is no entry.
        let is_other = before.reference().is_some() != after.reference().is_some();
        if old.is_none() && new.is_none() && is_other && matches!(place.role, Role::Within(_)) {
            self.record(Some(place), Some(before.clone()), Some(after.clone()));
        }
        self.pair(place, old, new);
    }

    /// Records that an object of the signed revision, which this reader read with a liberty, was written again: others, which
    /// read another one there, see it change. So they do where another object has its number now, by another generation.
    fn check_liberty(&mut self, place: Place, before: &Object<'a>, after: &Object<'a>) {
        let Some(signed) = before.reference() else { return };
        let last = after.reference().and_then(|last| self.last.location(last.number));
        let is_written = last != self.signed.location(signed.number);
        let [old, new] = [self.signed, self.last].map(|revision| revision.stated_generation(signed.number));
        let is_gone = old != new && after.reference().is_some_and(|last| last.number == signed.number);
        if is_written && (is_gone || self.signed.is_read_with_liberty(signed.number)) {
            let role = place.role.of_other_readers();
            self.record(Some(Place { role, ..place }), Some(before.clone()), Some(after.clone()));
        }
    }

    /// Compares two objects, neither of which is a reference.
    pub fn pair(&mut self, place: Place, before: Option<Object<'a>>, after: Option<Object<'a>>) {
        match (&before, &after) {
            (None, None) => {}
            // A set that is not there is one without members.
            (None, Some(Object::Array(second))) if place.role.is_set() => self.arrays(place, &[], second),
            (Some(Object::Array(first)), None) if place.role.is_set() => self.arrays(place, first, &[]),
            (None, Some(_)) | (Some(_), None) => self.record(Some(place), before, after),
            (Some(Object::Array(first)), Some(Object::Array(second))) => self.arrays(place, first, second),
            (Some(old), Some(new)) => match (parts(old), parts(new)) {
                (Some((old, old_stream)), Some((new, new_stream))) => {
                    self.dictionaries(place, old, new, [old_stream, new_stream]);
                }
                _ if equal(old, new) || equal_measures(old, new) && self.is_measure(place) => {}
                _ => self.record(Some(place), before, after),
            },
        }
    }

    /// Returns whether a place is a measure, or an element of one.
    fn is_measure(&self, place: Place) -> bool {
        let around = || self.frames.iter().rev().find_map(|frame| self.graph.keys.last(frame.place.path));
        // A `W` that is a number is the width of a line; one that is an array has codes of fonts among its widths.
        let own = self.graph.keys.last(place.path);
        own == Some(b"W") || own.or_else(around).is_some_and(is_measure)
    }

    fn arrays(&mut self, place: Place, first: &[Object<'a>], second: &[Object<'a>]) {
        let class = match place.role {
            Role::Rounded(class) => is_rounded(first, second).then_some(class),
            Role::SignatureRectangle(class) => (is_withdrawn(first, second) && self.was_bare()).then_some(class),
            _ => None,
        };
        if let Some(class) = class {
            let [before, after] = [first, second].map(|items| Some(Object::Array(items.into())));
            self.record(Some(Place { role: Role::Within(class), ..place }), before, after);
            return;
        }
        let pairs = if place.role.is_set() {
            match self.members(first, second) {
                Some(pairs) => pairs,
                None => {
                    let [before, after] = [first, second].map(|items| Some(Object::Array(items.into())));
                    self.record(Some(Place { role: Role::CONTENT, ..place }), before, after);
                    return;
                }
            }
        } else {
            let ends = [first, second].map(|items| items.get(first.len().min(second.len())..).unwrap_or_default());
            // An array of other length is another one, also where it ends with null (7.3.6).
            if ends.iter().flat_map(|end| end.iter()).any(|item| *item == Object::Null) {
                let [before, after] = [first, second].map(|items| Some(Object::Array(items.into())));
                self.record(Some(Place { role: place.role.of_other_readers(), ..place }), before, after);
            }
            self.elements(first, second)
        };
        self.enter(place, Rest::Pairs(pairs.into_iter()), [None, None]);
    }

    /// Returns whether viewers showed nothing of the present annotation in the signed revision.
    fn was_bare(&self) -> bool {
        let number = self.frames.last().and_then(|frame| frame.annotation);
        let signed = |number| self.signed.resolve(&Object::Reference(Reference { number, generation: 0 }));
        matches!(number.map(signed), Some(Object::Dictionary(signed)) if is_bare(self.signed, &signed))
    }

    fn dictionaries(
        &mut self,
        place: Place,
        old: &Dictionary<'a>,
        new: &Dictionary<'a>,
        streams: [Option<Rc<Stream<'a>>>; 2],
    ) {
        if new.replaced() != old.replaced() {
            // Keys are unique (7.3.7): which of two counts is for each viewer to decide.
            let after = Object::Dictionary(new.clone().into());
            self.record(Some(Place { role: Role::CONTENT, ..place }), None, Some(after));
        }
        if let Some(key) = self.lone_null(place.role, old, new).or_else(|| self.lone_null(place.role, new, old)) {
            let key = self.graph.keys.key(key);
            let path = self.graph.keys.extend(place.path, key);
            self.record(Some(Place { path, role: Role::CONTENT, ..place }), None, Some(Object::Null));
        }
        let role = match place.role {
            Role::Annotations | Role::Fields => {
                match annotations::role(self.form, [self.signed, self.last], old, new) {
                    // A comment is no field.
                    Role::Markup if place.role == Role::Fields => Role::OtherAnnotation,
                    role => role,
                }
            }
            role => role,
        };
        let rest = Rest::Pairs(self.entries(old, new).into_iter());
        self.enter(Place { role, ..place }, rest, streams);
        if place.role.is_set() {
            self.describe_member(place, role, old, new);
        }
    }

    /// Returns the key of an entry that is null, where the other dictionary has none: the same (ISO 32000-1 §7.3.9), but not to
    /// readers that ask whether the entry is there, or inherit nothing then (§7.7.3.4, table 220).
    fn lone_null<'d>(&self, role: Role, of: &'d Dictionary<'a>, other: &Dictionary<'a>) -> Option<&'d [u8]> {
        let nulls = of.iter().filter(|(_, value)| **value == Object::Null).map(|(key, _)| key);
        let mut nulls = nulls.filter(|key| other.get(key).is_none()).peekable();
        let inherits = matches!(role, Role::Pages | Role::Annotations | Role::Fields) && nulls.peek().is_some();
        // Followed once, not for each key.
        let above: Vec<_> = if inherits { ancestors(self.last, of).collect() } else { vec![] };
        nulls.find(|key| role == Role::CONTENT || above.iter().any(|one| self.last.lookup(one, key) != Object::Null))
    }

    /// Records of a field or annotation that was entered what it is called, where it is, and whether it is seen to be
    /// filled, to appear or to vanish.
    fn describe_member(&mut self, place: Place, role: Role, old: &Dictionary<'a>, new: &Dictionary<'a>) {
        let name = self.field_name(place, old);
        let other_names = self.other_names(place, old, name.as_ref());
        let comment = (role == Role::Markup).then(|| Comment {
            area: self.area(new),
            is_seen: is_visible(self.signed, old) || is_visible(self.last, new),
            shows_contents: shows_contents(self.signed, old) || shows_contents(self.last, new),
        });
        let number = place.object.map(|object| self.graph.number(object));
        if let Some(frame) = self.frames.last_mut() {
            frame.field = name.filter(|_| role != Role::Markup);
            frame.other_names = other_names;
            frame.comment = comment;
            frame.annotation = number;
        }
        // `2` and `2.0` are the same number, but not the same flags.
        if is_hidden(self.signed, old) != is_hidden(self.last, new) {
            self.add_visible(self.area(new), VisibleChangeKind::Changed);
        }
        // A field that is no annotation is shown by its kids.
        let is_annotation =
            place.role == Role::Annotations || [&b"Rect"[..], b"Subtype"].iter().any(|key| new.get(key).is_some());
        let is_shown = is_annotation && is_visible(self.last, new);
        if matches!(role, Role::Signing | Role::Timestamping | Role::Filling) && is_shown {
            let is_drawn = role == Role::Signing && is_timestamp(self.last, new);
            let kind = if is_drawn { VisibleChangeKind::Drawn } else { VisibleChangeKind::Filled };
            self.add_visible(self.area(new), kind);
        }
    }

    /// Returns the fully qualified name of a field or widget that was entered (ISO 32000-1 §12.7.3.2): by the way from the
    /// form down where there is one, by its parents otherwise.
    fn field_name(&mut self, place: Place, field: &Dictionary<'a>) -> Option<Rc<str>> {
        let signed = self.signed;
        let number = place.object.map(|object| self.graph.number(object));
        let names = self.names.get_or_insert_with(|| FieldNames::of(signed));
        match number.and_then(|number| names.first(number)) {
            Some(name) => Some(name.clone()),
            None if number.is_none() && place.role == Role::Fields && place.path == Path::HERE => {
                let around = self.frames.last().and_then(|frame| frame.field.clone());
                qualified(signed.limits(), around, signed.text_of(field, b"T"))
            }
            None => qualified_name(signed, field),
        }
    }

    /// Returns the other names of a field that was entered: by other ways from the form down, and by its parents.
    fn other_names(&mut self, place: Place, field: &Dictionary<'a>, name: Option<&Rc<str>>) -> Rc<[Rc<str>]> {
        let number = place.object.map_or(0, |object| self.graph.number(object));
        let names = self.names.get_or_insert_with(|| FieldNames::of(self.signed));
        if names.are_too_many(number) {
            self.found.add_undefined(format!("/AcroForm {number} 0 R /Parent"), None, None);
        }
        let mut others = names.others(number).to_vec();
        let by_parents = field.get(b"Parent").and_then(|_| qualified_name(self.signed, field));
        others.extend(by_parents.filter(|other| name.is_some_and(|name| name != other)));
        others.into()
    }

    /// Returns the area of an annotation of the present page.
    pub fn area(&self, annotation: &Dictionary<'a>) -> Option<Rectangle> {
        let number = self.frames.last().and_then(|frame| frame.page);
        let page = number.map(|number| self.last.resolve(&Object::Reference(Reference { number, generation: 0 })));
        match page {
            Some(Object::Dictionary(page)) => area_on_page(self.last, &page, annotation),
            _ => area(self.last, annotation),
        }
    }

    /// Records that a change of the present annotation is seen on the present page.
    pub fn add_visible(&mut self, area: Option<Rectangle>, kind: VisibleChangeKind) {
        let annotation = self.frames.last().and_then(|frame| frame.annotation);
        self.add_visible_annotation(annotation, area, kind);
    }

    /// Records that a change of the annotation with that object number is seen on the present page.
    pub fn add_visible_annotation(
        &mut self,
        annotation: Option<u32>,
        area: Option<Rectangle>,
        kind: VisibleChangeKind,
    ) {
        let page = self.frames.last().and_then(|frame| frame.page);
        let change = page.map(|page| VisibleChange { page, annotation, area, kind });
        self.found.visible.extend(change.filter(|change| self.found.visible.last() != Some(change)));
    }

    fn stream_bytes(&mut self, [before, after]: [Option<Rc<Stream<'a>>>; 2]) {
        let is_same = match (&before, &after) {
            (None, None) => true,
            (Some(before), Some(after)) => {
                let (old, new) = (self.signed.raw(before), self.last.raw(after));
                // The same stretch of the file needs no look.
                before.start == after.start && old.len() == new.len()
                    || if self.last.file().encrypted() {
                        self.signed.decrypted(before) == self.last.decrypted(after)
                    } else {
                        old == new
                    }
            }
            _ => false,
        };
        if !is_same {
            self.record(None, before.map(Object::Stream), after.map(Object::Stream));
        }
    }
}
