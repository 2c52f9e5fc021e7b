//! What differs between two revisions, pair by pair: an object of the signed revision and the one that stands at its
//! place in the final file. EN 319 142-1 leaves it to the validator.
//!
//! Both trees are walked together from the catalog, each object in the [role](Role) that it has there. What role an
//! object has decides what its entries are and of which class a change is; the name of a key alone says nothing:
//!
//! ```text
//! catalog ─ Pages ─ Kids ─┬─ Contents, Resources, MediaBox …   content      any change is undefined
//!    │                    └─ Annots ─ annotation               by what it is: a field that is filled, a comment, …
//!    ├ AcroForm ─ Fields ─ field ─┬─ V, AP                     form fill, where the value is another
//!    │                            └─ Rect, FT, A, AA …         undefined
//!    ├ DSS, Extensions, Metadata                               extension
//!    └ Names, AF, OCProperties, OpenAction …                   undefined
//! ```
//!
//! So the stream of a page stays content, though an annotation, the resources of the form, or a stream called /DSS in
//! the resources of the page refer to it as well: it is compared in each of these roles. In one role a pair is compared
//! once. Arrays are compared by place; fields and annotations are sets, of which annotations keep their order. What only
//! one of the two has is created or gone, and none of it counts as compared. What refers back to a page, field or
//! annotation, such as an outline or the structure tree, does not enter it, because it is compared at its own place;
//! what draws a page enters whatever it refers to.
//!
//! Two objects that stand at the same place of the file are the same, and only what they refer to is looked at, which
//! the [graph](super::graph) knows; and that only where something changed that can be reached from there. The walk keeps
//! its own stack, so that no document is too deep for it; what it may spend is bounded by the file's account, and what
//! is left when that is spent counts as changed.

use super::field;
use super::graph::{Graph, Key, Node, Path, Slot};
use super::holding::{self, HeldForm};
use super::object::{Dictionary, Object, Reference, Stream};
use super::pages::Rectangle;
use super::revision::Revision;
use super::role::{Class, Role};
use crate::facts::{ModificationAction as Action, ObjectModification, ObjectModifications};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// Changes recorded: whoever changes more has changed enough.
const CHANGES: usize = 20_000;

/// The differences, and whether the walk came to its end.
#[derive(Debug, Default)]
pub(super) struct Differences {
    /// By their class.
    pub objects: ObjectModifications,
    /// What of it is seen on pages, beside what is undefined.
    pub looks: Vec<Look>,
    /// Whether everything was compared.
    pub complete: bool,
}

/// An annotation that looks otherwise, or is new.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Look {
    /// The object number of the page.
    pub page: u32,
    /// Where it is.
    pub area: Option<Rectangle>,
    /// What happened there.
    pub what: Looks,
}

/// What happened to an annotation that is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Looks {
    /// It is gone or another one.
    Changed,
    /// It was not there, and is a sign of itself, such as a note or a signature.
    New,
    /// It was not there, and adds words or drawings to the page.
    Drawn,
    /// A field that was there is filled or signed.
    Filled,
}

/// A signed revision beside the final file.
pub(super) struct Comparison<'a, 'f, 'r> {
    signed: &'r Revision<'a, 'f>,
    last: &'r Revision<'a, 'f>,
    graph: &'r mut Graph,
    form: &'r dyn Fn() -> Rc<HeldForm>,
}

impl<'a, 'f, 'r> Comparison<'a, 'f, 'r> {
    /// Of `signed` with `last`, of which `graph` and `form` are.
    pub fn new(
        signed: &'r Revision<'a, 'f>,
        last: &'r Revision<'a, 'f>,
        graph: &'r mut Graph,
        form: &'r dyn Fn() -> Rc<HeldForm>,
    ) -> Self {
        graph.begin_comparison(signed, last);
        Self { signed, last, graph, form }
    }

    /// The signed revision.
    pub fn signed(&self) -> &'r Revision<'a, 'f> {
        self.signed
    }

    /// What differs between the documents.
    pub fn documents(&mut self) -> Differences {
        let catalog = |revision: &Revision<'a, '_>| revision.catalog().map(Object::Dictionary);
        let (before, after) = (catalog(self.signed), catalog(self.last));
        let root = root(self.signed).filter(|number| root(self.last) == Some(*number));
        let mut found = self.walk(b"Catalog", Role::Catalog, |walk, place| {
            if let Some(number) = root {
                let slot = walk.slot(number);
                walk.graph.enter(slot, Role::Catalog);
            }
            walk.pair(place, before, after);
        });
        self.trailers(&mut found);
        self.containers(&mut found);
        self.shown_values(&mut found);
        found
    }

    /// What object streams need to be read is the same (ISO 32000-1 §7.5.7): else whatever is in them may be another
    /// object, though nothing says so.
    fn containers(&mut self, found: &mut Differences) {
        for &number in self.graph.dependent(self.last).iter() {
            let Some((Object::Stream(stream), _)) = self.signed.in_place(number) else { continue };
            let entries = stream.dictionary.clone();
            let same = [&b"Length"[..], b"N", b"First", b"Filter", b"DecodeParms"].iter().all(|key| {
                let value = entries.get(key).unwrap_or(&Object::Null);
                let differences = self.entry(key, Role::CONTENT, value, value);
                differences.complete && differences.objects.undefined.is_empty()
            });
            if !same {
                found.objects.undefined.push(ObjectModification {
                    action: Action::Modification,
                    path: format!("{number} 0 R"),
                    field_name: None,
                    kind: Some("ObjStm".into()),
                });
            }
        }
    }

    /// Values that viewers show without an appearance stream are shown with the fonts and the string that they were
    /// shown with (ISO 32000-1 §12.7.3.3).
    fn shown_values(&mut self, found: &mut Differences) {
        let touched = |change: &ObjectModification| change.path.contains("/DR") || change.path.contains("/DA");
        if !found.objects.signature_or_form_fill.iter().any(touched) {
            return;
        }
        for number in field::members(self.signed) {
            if !self.last.file().step() {
                found.complete = false;
                return;
            }
            let reference = Object::Reference(Reference { number, generation: 0 });
            let resolved = [self.signed, self.last].map(|revision| revision.resolve(&reference));
            let [Object::Dictionary(old), Object::Dictionary(new)] = resolved else { continue };
            let shown = holding::shows_value(self.signed, &old) && holding::shows_value(self.last, &new);
            if shown && holding::variable_text(self.signed, &old) != holding::variable_text(self.last, &new) {
                let name = holding::qualified_name(self.signed, &old).map(|name| name.to_string());
                found.objects.undefined.push(ObjectModification {
                    action: Action::Modification,
                    path: format!("/AcroForm {number} 0 R /DA"),
                    field_name: name,
                    kind: None,
                });
            }
        }
    }

    /// What differs between two values of an entry of a field, in a role.
    pub fn entry(&mut self, key: &[u8], role: Role, before: &Object<'a>, after: &Object<'a>) -> Differences {
        self.walk(key, role, |walk, place| walk.values(place, before, after))
    }

    fn walk(&mut self, name: &[u8], role: Role, begin: impl FnOnce(&mut Walk<'a, 'f, '_>, Place)) -> Differences {
        self.graph.begin_walk();
        let key = self.graph.key(name);
        let path = self.graph.single(key);
        let mut walk = Walk {
            signed: self.signed,
            last: self.last,
            graph: self.graph,
            form: self.form,
            frames: Vec::new(),
            way: None,
            entered: HashSet::new(),
            found: Differences::default(),
            count: 0,
            recorded: BTreeSet::new(),
        };
        begin(&mut walk, Place { path, object: None, role });
        let complete = walk.run();
        Differences { complete, ..walk.found }
    }

    /// What differs between the trailers (ISO 32000-1 table 15), but for `/Root`, which is the document: encryption is that
    /// of the file from its start (§7.6.1).
    fn trailers(&mut self, found: &mut Differences) {
        let [before, after] = [self.signed, self.last].map(|revision| revision.trailer(b"Encrypt"));
        let same = match (&before, &after) {
            (Object::Null, Object::Null) => true,
            (Object::Null, _) | (_, Object::Null) => false,
            _ => {
                let differences = self.entry(b"Encrypt", Role::CONTENT, &before, &after);
                differences.complete && differences.objects.undefined.is_empty()
            }
        };
        let identifier = |revision: &Revision<'a, '_>| match revision.trailer(b"ID") {
            Object::Array(items) => items.first().map_or(Object::Null, |item| revision.resolve(item)),
            _ => Object::Null,
        };
        // Part of the key where the file is encrypted (§7.6.3.3); writers change it otherwise.
        let same_key = before == Object::Null || equal(&identifier(self.signed), &identifier(self.last));
        if !same || !same_key {
            let change = ObjectModification {
                action: Action::Modification,
                path: "/Trailer /Encrypt".into(),
                field_name: None,
                kind: None,
            };
            found.objects.undefined.push(change);
        }
    }
}

/// The number of the catalog's object.
fn root(revision: &Revision<'_, '_>) -> Option<u32> {
    let given = revision.sections().iter().find_map(|section| section.trailer.get(b"Root"));
    given.and_then(Object::reference).map(|reference| reference.number)
}

/// Where something stands: by which keys from the object around it, what object it is itself, and in which role.
#[derive(Clone, Copy)]
struct Place {
    path: Path,
    object: Option<Slot>,
    role: Role,
}

/// Something that was entered, with what is left to compare in it.
struct Frame<'a> {
    place: Place,
    left: Left<'a>,
    /// Its octets, where it is a stream; they come last.
    octets: [Option<Rc<Stream<'a>>>; 2],
    /// The fully qualified name of the field that it is or belongs to.
    field: Option<Rc<str>>,
    /// The page on which it is.
    page: Option<u32>,
    /// Where the comment is that it is or belongs to, if there is one that is seen.
    comment: Option<Option<Rectangle>>,
}

enum Left<'a> {
    /// The references of an object that is the same in both revisions, from a place on.
    Same(Rc<Node>, usize),
    Pairs(std::vec::IntoIter<Pair<'a>>),
}

/// What is to be compared: entries of a dictionary or, without a key, elements of an array.
enum Pair<'a> {
    /// Two values, with the object that they go by.
    Both { key: Option<Key>, object: Option<Slot>, before: Object<'a>, after: Object<'a> },
    /// References to the same object number.
    Same { key: Option<Key>, object: Slot },
}

struct Walk<'a, 'f, 'r> {
    signed: &'r Revision<'a, 'f>,
    last: &'r Revision<'a, 'f>,
    graph: &'r mut Graph,
    form: &'r dyn Fn() -> Rc<HeldForm>,
    /// The way from the catalog to where the walk is.
    frames: Vec<Frame<'a>>,
    /// The same as text, where something was recorded there.
    way: Option<String>,
    /// Pairs of objects of different numbers that were compared.
    entered: HashSet<(u32, u32, Role)>,
    found: Differences,
    count: usize,
    recorded: BTreeSet<(String, u8)>,
}

impl<'a> Walk<'a, '_, '_> {
    /// Walks to the end; `false` when it is too far.
    fn run(&mut self) -> bool {
        while let Some(frame) = self.frames.last_mut() {
            if !self.last.file().step() || self.count >= CHANGES {
                return false;
            }
            let role = frame.place.role;
            match &mut frame.left {
                Left::Same(node, next) => match node.edges.get(*next).copied() {
                    Some(edge) => {
                        *next += 1;
                        let role = self.along(role, edge.path).unwrap_or(Role::CONTENT);
                        self.same(Place { path: edge.path, object: Some(edge.to), role });
                    }
                    None => self.leave(),
                },
                Left::Pairs(pairs) => match pairs.next() {
                    Some(Pair::Both { key, object, before, after }) => {
                        let place = self.place(role, key, object);
                        self.values(place, &before, &after);
                    }
                    Some(Pair::Same { key, object }) => {
                        let place = self.place(role, key, Some(object));
                        self.same(place);
                    }
                    None => self.leave(),
                },
            }
        }
        true
    }

    /// The place of an entry, or of an element, in something of that role.
    fn place(&self, within: Role, key: Option<Key>, object: Option<Slot>) -> Place {
        match key {
            Some(key) => {
                let role = within.entry(self.graph.name(key)).unwrap_or(Role::CONTENT);
                Place { path: self.graph.single(key), object, role }
            }
            None => Place { path: Path::HERE, object, role: within },
        }
    }

    /// The role of what stands at a path in something of a role.
    fn along(&self, role: Role, path: Path) -> Option<Role> {
        match self.graph.split(path) {
            _ if role.is_uniform() => Some(role),
            None => Some(role),
            Some((shorter, key)) => self.along(role, shorter)?.entry(self.graph.name(key)),
        }
    }

    fn enter(&mut self, place: Place, left: Left<'a>, octets: [Option<Rc<Stream<'a>>>; 2]) {
        let around = self.frames.last();
        let field = around.and_then(|frame| frame.field.clone());
        let comment = around.and_then(|frame| frame.comment);
        let page = match (place.role, place.object) {
            (Role::Pages, Some(object)) => Some(self.graph.number(object)),
            _ => around.and_then(|frame| frame.page),
        };
        self.frames.push(Frame { place, left, octets, field, page, comment });
        self.way = None;
    }

    fn leave(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let octets = std::mem::take(&mut frame.octets);
        self.octets(octets);
        self.way = None;
        self.frames.pop();
    }

    /// The place of an object number.
    fn slot(&mut self, number: u32) -> Slot {
        self.graph.slot(number, self.last.file())
    }

    /// Compares the objects of one number, to which both refer; goes there only where something changed that can be
    /// reached from it.
    fn same(&mut self, place: Place) {
        let Some(object) = place.object else { return };
        if matches!(place.role, Role::Back | Role::Outside)
            || self.graph.settled(object, self.signed, self.last)
            || place.role.leads_back() && self.graph.was_at_its_place(object) && self.is_plain(object)
            || !self.graph.enter(object, place.role)
        {
            return;
        }
        if let Some(node) = self.graph.unchanged(object, self.signed, self.last)
            && node.edges.iter().all(|edge| self.along(place.role, edge.path).is_some())
            && (node.is_list || !place.role.is_set())
        {
            if !node.edges.is_empty() {
                self.enter(place, Left::Same(node, 0), [None, None]);
            }
            return;
        }
        let reference = Object::Reference(Reference { number: self.graph.number(object), generation: 0 });
        let (before, after) = (some(self.signed.resolve(&reference)), some(self.last.resolve(&reference)));
        self.pair(place, before, after);
    }

    /// Whether an object is a dictionary without octets in both revisions.
    fn is_plain(&self, object: Slot) -> bool {
        let reference = Object::Reference(Reference { number: self.graph.number(object), generation: 0 });
        [self.signed, self.last].iter().all(|revision| matches!(revision.resolve(&reference), Object::Dictionary(_)))
    }

    /// Compares what two values stand for that are not references to one object.
    fn values(&mut self, place: Place, before: &Object<'a>, after: &Object<'a>) {
        if place.role == Role::Outside {
            return;
        }
        if let (Some(old), Some(new)) = (before.reference(), after.reference()) {
            // Another generation of the same number is another object, though it may be read all the same (7.3.10).
            // A page is another one, whatever it shows.
            let other = match place.role {
                Role::Pages => old != new,
                Role::Back => true,
                _ => old.number == new.number && old.generation != new.generation,
            };
            if other {
                self.record(Some(place), Some(before.clone()), Some(after.clone()));
                return;
            }
            if old.number == new.number {
                let object = self.slot(old.number);
                self.same(Place { object: Some(object), ..place });
                return;
            }
            if !self.entered.insert((old.number, new.number, place.role)) {
                return;
            }
        }
        let (before, after) = (some(self.signed.resolve(before)), some(self.last.resolve(after)));
        self.pair(place, before, after);
    }

    fn pair(&mut self, place: Place, before: Option<Object<'a>>, after: Option<Object<'a>>) {
        match (&before, &after) {
            (None, None) => {}
            // A set that is not there is one without elements.
            (None, Some(Object::Array(second))) if place.role.is_set() => self.arrays(place, &[], second),
            (Some(Object::Array(first)), None) if place.role.is_set() => self.arrays(place, first, &[]),
            (None, Some(_)) | (Some(_), None) => self.record(Some(place), before, after),
            (Some(Object::Array(first)), Some(Object::Array(second))) => self.arrays(place, first, second),
            (Some(old), Some(new)) => match (parts(old), parts(new)) {
                (Some((old, old_stream)), Some((new, new_stream))) => {
                    self.dictionaries(place, old, new, [old_stream, new_stream]);
                }
                _ if equal(old, new) => {}
                _ => self.record(Some(place), before, after),
            },
        }
    }

    fn arrays(&mut self, place: Place, first: &[Object<'a>], second: &[Object<'a>]) {
        let pairs = if place.role.is_set() {
            match self.members(first, second) {
                Some(pairs) => pairs,
                None => {
                    let objects = [first, second].map(|items| Some(Object::Array(items.into())));
                    let [before, after] = objects;
                    self.record(Some(Place { role: Role::CONTENT, ..place }), before, after);
                    return;
                }
            }
        } else {
            self.elements(first, second)
        };
        self.enter(place, Left::Pairs(pairs.into_iter()), [None, None]);
    }

    fn dictionaries(
        &mut self,
        place: Place,
        old: &Dictionary<'a>,
        new: &Dictionary<'a>,
        octets: [Option<Rc<Stream<'a>>>; 2],
    ) {
        let mut role = place.role;
        if role.is_set() {
            role = holding::role(self.form, [self.signed, self.last], old, new);
        }
        if new.repeats() && !old.repeats() {
            // Keys are unique (7.3.7): which of two counts is for each viewer to decide.
            self.record(
                Some(Place { role: Role::CONTENT, ..place }),
                None,
                Some(Object::Dictionary(new.clone().into())),
            );
        }
        let left = Left::Pairs(self.entries(old, new).into_iter());
        self.enter(Place { role, ..place }, left, octets);
        if !place.role.is_set() {
            return;
        }
        let name = holding::qualified_name(self.signed, old);
        let comment = (role == Role::Markup && (self.sees(self.signed, old) || self.sees(self.last, new)))
            .then(|| holding::area(self.last, new));
        if let Some(frame) = self.frames.last_mut() {
            frame.field = name.filter(|_| role != Role::Markup);
            frame.comment = comment;
        }
        if matches!(role, Role::Signing | Role::Timestamping | Role::Filling)
            && self.sees(self.last, new)
            && !holding::is_check_box(self.last, new)
        {
            let drawn = role == Role::Signing && holding::is_timestamp(self.last, new);
            self.look(holding::area(self.last, new), if drawn { Looks::Drawn } else { Looks::Filled });
        }
    }

    fn sees(&self, revision: &Revision<'a, '_>, annotation: &Dictionary<'a>) -> bool {
        holding::is_visible(revision, annotation)
    }

    /// Notes that something is seen on the present page.
    fn look(&mut self, area: Option<Rectangle>, what: Looks) {
        let page = self.frames.last().and_then(|frame| frame.page);
        let look = page.map(|page| Look { page, area, what });
        self.found.looks.extend(look.filter(|look| self.found.looks.last() != Some(look)));
    }

    /// The entries of both that are to be compared; those of the signed revision come first.
    fn entries(&mut self, old: &Dictionary<'a>, new: &Dictionary<'a>) -> Vec<Pair<'a>> {
        let mut pairs = Vec::new();
        let (mut in_old, mut in_new) = (Entries::of(old), Entries::of(new));
        for (place, (name, before)) in old.iter().enumerate() {
            let after = in_new.find(name, place).unwrap_or(&Object::Null);
            if plain(before) && equal(before, after) {
                continue;
            }
            let key = Some(self.graph.key(name));
            pairs.push(self.of_values(key, before, after));
        }
        for (place, (name, after)) in new.iter().enumerate() {
            if in_old.find(name, place).is_none() {
                let key = Some(self.graph.key(name));
                pairs.push(Pair::Both { key, object: None, before: Object::Null, after: after.clone() });
            }
        }
        // Pages and fields first: what refers back to them is found at its place then.
        let first = |pair: &Pair<'a>| match pair {
            Pair::Both { key: Some(key), .. } | Pair::Same { key: Some(key), .. } => {
                !matches!(&**self.graph.name(*key), b"Pages" | b"AcroForm")
            }
            _ => true,
        };
        if self.frames.is_empty() {
            pairs.sort_by_key(first);
        }
        pairs
    }

    fn of_values(&mut self, key: Option<Key>, before: &Object<'a>, after: &Object<'a>) -> Pair<'a> {
        let object = before.reference().or(after.reference().filter(|_| key.is_none()));
        let object = object.map(|reference| self.slot(reference.number));
        match object {
            Some(object) if before.reference() == after.reference() => Pair::Same { key, object },
            object => Pair::Both { key, object, before: before.clone(), after: after.clone() },
        }
    }

    /// Elements by their places.
    fn elements(&mut self, first: &[Object<'a>], second: &[Object<'a>]) -> Vec<Pair<'a>> {
        let mut pairs = Vec::new();
        for place in 0..first.len().max(second.len()) {
            let [before, after] = [first, second].map(|items| items.get(place).unwrap_or(&Object::Null));
            if !(plain(before) && equal(before, after)) {
                pairs.push(self.of_values(None, before, after));
            }
        }
        pairs
    }

    /// Elements of a set by their object numbers, or among those that are direct by place; `None` where those that both
    /// have come in another order, because the later covers the earlier.
    fn members(&mut self, first: &[Object<'a>], second: &[Object<'a>]) -> Option<Vec<Pair<'a>>> {
        let mut pairs = Vec::new();
        let number = |object: &Object<'a>| object.reference().map(|reference| reference.number);
        let places: HashMap<u32, usize> =
            second.iter().enumerate().filter_map(|(place, object)| Some((number(object)?, place))).collect();
        let mut direct_places = (0..second.len()).filter(|place| second[*place].reference().is_none());
        let (mut known, mut reached) = (HashSet::new(), None);
        for before in first {
            let place = match number(before) {
                Some(number) => places.get(&number).copied(),
                None => direct_places.next(),
            };
            if place.is_some() && place < reached {
                return None;
            }
            reached = reached.max(place);
            if before.reference().is_none() {
                continue;
            }
            known.extend(number(before));
            let after = place.and_then(|place| second.get(place)).unwrap_or(&Object::Null);
            pairs.push(self.of_values(None, before, after));
        }
        let direct = |items: &[Object<'a>]| -> Vec<Object<'a>> {
            items.iter().filter(|object| object.reference().is_none()).cloned().collect()
        };
        let direct = self.elements(&direct(first), &direct(second));
        pairs.extend(direct);
        for after in second.iter().filter(|object| number(object).is_some_and(|number| known.insert(number))) {
            pairs.push(self.of_values(None, &Object::Null, after));
        }
        Some(pairs)
    }

    fn octets(&mut self, [before, after]: [Option<Rc<Stream<'a>>>; 2]) {
        let same = match (&before, &after) {
            (None, None) => true,
            (Some(before), Some(after)) => {
                let (old, new) = (self.signed.raw(before), self.last.raw(after));
                // The same stretch of the file needs no look.
                before.start == after.start && old.len() == new.len()
                    || if self.last.file().encrypted() {
                        self.signed.deciphered(before) == self.last.deciphered(after)
                    } else {
                        old == new
                    }
            }
            _ => false,
        };
        if !same {
            self.record(None, before.map(Object::Stream), after.map(Object::Stream));
        }
    }

    /// Records a difference at a place in the present object, or between the octets of that.
    fn record(&mut self, at: Option<Place>, before: Option<Object<'a>>, after: Option<Object<'a>>) {
        let role = at.or(self.frames.last().map(|frame| frame.place)).map_or(Role::CONTENT, |place| place.role);
        let Some(class) = self.class(role, at, &before, &after) else { return };
        let action = match (&before, &after) {
            (None, Some(after)) if compound(after) => Action::Creation,
            (Some(before), None) if compound(before) => Action::Deletion,
            _ => Action::Modification,
        };
        let around = self.way.get_or_insert_with(|| {
            let mut way = String::new();
            self.frames.iter().for_each(|frame| go(&mut way, frame.place, self.graph));
            way
        });
        let mut path = String::with_capacity(around.len() + 32);
        path.push_str(around);
        match at {
            Some(at) => go(&mut path, at, self.graph),
            None => path.push_str(" stream"),
        }
        let comment = self.frames.last().and_then(|frame| frame.comment);
        if let Some(area) =
            comment.filter(|_| class == Class::Annotation && !at.is_some_and(|at| self.is_said_only(at)))
        {
            self.look(area, Looks::Changed);
        }
        if !self.recorded.insert((path.clone(), action as u8)) {
            return;
        }
        let (name, kind) = self.concerned(&before, &after);
        let field_name = self.frames.last().and_then(|frame| frame.field.as_deref().map(str::to_owned)).or(name);
        self.count += 1;
        list(&mut self.found.objects, class).push(ObjectModification { action, path, field_name, kind });
    }

    /// Whether a place is the entry of that key.
    fn is_named(&self, at: Option<Place>, key: &[u8]) -> bool {
        at.and_then(|at| self.graph.split(at.path)).is_some_and(|(_, last)| **self.graph.name(last) == *key)
    }

    /// Whether an entry of a comment says something about it rather than showing it.
    fn is_said_only(&self, at: Place) -> bool {
        let key = self.graph.split(at.path).map(|(_, key)| &**self.graph.name(key));
        let said: [&[u8]; 10] =
            [b"M", b"T", b"Contents", b"RC", b"NM", b"CreationDate", b"Subj", b"State", b"StateModel", b"Open"];
        key.is_some_and(|key| said.contains(&key))
    }

    /// The class of a difference at a role; `None` where it is none.
    fn class(
        &mut self,
        role: Role,
        at: Option<Place>,
        before: &Option<Object<'a>>,
        after: &Option<Object<'a>>,
    ) -> Option<Class> {
        Some(match (role, before, after) {
            (Role::Outside, ..) => return None,
            (Role::Annotations, None, Some(Object::Dictionary(new))) => {
                let number = at.and_then(|at| at.object).map(|object| self.graph.number(object));
                let class = holding::new_annotation(&(self.form)(), [self.signed, self.last], number, new);
                if class != Class::Undefined && self.sees(self.last, new) {
                    let what = match holding::draws(self.last, new) {
                        // Who permits annotations permits no new fields: ISO 32000-1 table 254.
                        true if is_subtype(self.last, new, b"Widget") => Looks::Changed,
                        true => Looks::Drawn,
                        false => Looks::New,
                    };
                    self.look(holding::area(self.last, new), what);
                }
                class
            }
            (Role::Annotations, Some(Object::Dictionary(old)), None) => self.gone(old),
            // What a field inherits, its name among it, is another then.
            (Role::Fields, None, Some(_)) if self.is_named(at, b"Parent") => Class::Undefined,
            (Role::Fields, None, Some(Object::Dictionary(new))) => {
                holding::new_field(&(self.form)(), [self.signed, self.last], new)
            }
            (Role::Flags(_) | Role::FieldFlags, before, after) => {
                let flags = |value: &Option<Object<'a>>| match value {
                    None => Some(0),
                    Some(value) => value.integer(),
                };
                match (flags(before), flags(after), role) {
                    (Some(old), Some(new), _) if old == new => return None,
                    (Some(old), Some(new), Role::Flags(signing)) if holding::looks_as_before(old, new, signing) => {
                        Class::Fill
                    }
                    (Some(old), Some(new), Role::FieldFlags) if holding::locks_only(old, new) => Class::Fill,
                    _ => Class::Undefined,
                }
            }
            // What iText says of itself, in dictionaries of any kind.
            (_, None | Some(Object::String(_)), None | Some(Object::String(_))) if self.is_named(at, b"ITXT") => {
                return None;
            }
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

    /// The class of an annotation that is gone.
    fn gone(&mut self, old: &Dictionary<'a>) -> Class {
        if holding::role(self.form, [self.signed, self.signed], old, old) != Role::Markup {
            return Class::Undefined;
        }
        if self.sees(self.signed, old) {
            self.look(holding::area(self.signed, old), Looks::Changed);
        }
        Class::Annotation
    }

    /// Whether new elements of the structure are about annotations alone, and give no other words for what a page shows:
    /// ISO 32000-1 §14.7.4.3, §14.9.4.
    fn is_annotation_element(&self, element: &Object<'a>, depth: usize) -> bool {
        if depth > 8 || !self.last.file().step() {
            return false;
        }
        let below = |object: &Object<'a>| self.is_annotation_element(object, depth + 1);
        match self.last.resolve(element) {
            Object::Array(items) => items.iter().all(below),
            Object::Dictionary(element) => {
                let known = element.iter().all(|(key, _)| OF_STRUCTURE.contains(&key));
                let kids = self.last.lookup(&element, b"K");
                // A number as a kid is marked content of the page.
                let marked = match &kids {
                    Object::Array(items) => items.iter().any(|item| self.last.resolve(item).number().is_some()),
                    kids => kids.number().is_some(),
                };
                let lists = [&b"Nums"[..], b"Kids", b"Names", b"ParentTree", b"IDTree"];
                known && !marked && below(&kids) && lists.iter().all(|key| below(&self.last.lookup(&element, key)))
            }
            Object::Stream(_) => false,
            _ => true,
        }
    }

    /// The name of the field and the type of what is concerned.
    fn concerned(&self, before: &Option<Object<'a>>, after: &Option<Object<'a>>) -> (Option<String>, Option<String>) {
        let dictionary = |object: &Option<Object<'a>>| match object {
            Some(Object::Dictionary(dictionary)) => Some(dictionary.clone()),
            Some(Object::Stream(stream)) => Some(Rc::new(stream.dictionary.clone())),
            _ => None,
        };
        let concerned = match dictionary(before) {
            Some(before) => Some((self.signed, before)),
            None => dictionary(after).map(|after| (self.last, after)),
        };
        let Some((revision, concerned)) = concerned else { return (None, None) };
        let kind = |dictionary: &Dictionary<'a>| match revision.lookup(dictionary, b"Type") {
            Object::Name(name) => Some(String::from_utf8_lossy(&name).into_owned()),
            _ => None,
        };
        let is_field = inherited_kind(revision, &concerned);
        let name = is_field.then(|| holding::qualified_name(revision, &concerned)).flatten();
        // The /T of a note is who wrote it: ISO 32000-1 table 170.
        let is_note =
            revision.lookup(&concerned, b"Subtype").name().is_some() && !is_subtype(revision, &concerned, b"Widget");
        let title = || field::text(&revision.lookup(&concerned, b"T")).filter(|_| !is_note);
        let name = name.map(|name| name.to_string()).or_else(title);
        let kind = match revision.dictionary(&concerned, b"V") {
            Some(value) => kind(&value),
            None => kind(&concerned),
        };
        (name, kind)
    }
}

fn is_subtype<'a>(revision: &Revision<'a, '_>, annotation: &Dictionary<'a>, subtype: &[u8]) -> bool {
    revision.lookup(annotation, b"Subtype").name() == Some(subtype)
}

/// What elements of the structure that are about annotations may have, and the lists of these: ISO 32000-1 tables 322,
/// 323, 325, 36 and 37. Other words for marked content of a page are not among it, and nothing of what else a name tree
/// holds.
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

fn inherited_kind<'a>(revision: &Revision<'a, '_>, dictionary: &Dictionary<'a>) -> bool {
    holding::inherited(revision, dictionary, b"FT") != Object::Null
}

/// The list of a class.
fn list(objects: &mut ObjectModifications, class: Class) -> &mut Vec<ObjectModification> {
    match class {
        Class::Extension => &mut objects.extension,
        Class::Fill => &mut objects.signature_or_form_fill,
        Class::Annotation => &mut objects.annotation,
        Class::Undefined => &mut objects.undefined,
    }
}

/// Goes on with a way, told as text.
fn go(way: &mut String, place: Place, graph: &Graph) {
    along(way, place.path, graph);
    if let Some(object) = place.object {
        way.push_str(&format!(" {} 0 R", graph.number(object)));
    }
}

/// As deep as an object is nested.
fn along(way: &mut String, path: Path, graph: &Graph) {
    let Some((shorter, key)) = graph.split(path) else { return };
    along(way, shorter, graph);
    if !way.is_empty() {
        way.push(' ');
    }
    way.push('/');
    way.push_str(&String::from_utf8_lossy(graph.name(key)));
}

/// Made of other objects.
fn compound(object: &Object<'_>) -> bool {
    matches!(object, Object::Dictionary(_) | Object::Stream(_) | Object::Array(_))
}

/// The entries of a dictionary by their keys. Most stand where they stood, so that a table is made only where one moved.
struct Entries<'o, 'a> {
    dictionary: &'o Dictionary<'a>,
    table: Option<HashMap<&'o [u8], &'o Object<'a>>>,
}

impl<'o, 'a> Entries<'o, 'a> {
    fn of(dictionary: &'o Dictionary<'a>) -> Self {
        Self { dictionary, table: None }
    }

    /// The value of `key`, which in another revision is the entry at `place`.
    fn find(&mut self, key: &[u8], place: usize) -> Option<&'o Object<'a>> {
        match self.dictionary.at(place) {
            Some((name, value)) if name == key => Some(value),
            _ if self.dictionary.len() <= 24 => self.dictionary.get(key),
            _ => self.table.get_or_insert_with(|| self.dictionary.iter().collect()).get(key).copied(),
        }
    }
}

/// The dictionary of a dictionary or stream, and the stream.
fn parts<'o, 'a>(object: &'o Object<'a>) -> Option<(&'o Dictionary<'a>, Option<Rc<Stream<'a>>>)> {
    match object {
        Object::Dictionary(dictionary) => Some((dictionary, None)),
        Object::Stream(stream) => Some((&stream.dictionary, Some(stream.clone()))),
        _ => None,
    }
}

fn some(object: Object<'_>) -> Option<Object<'_>> {
    (!matches!(object, Object::Null)).then_some(object)
}

/// Neither a reference nor made of other objects.
fn plain(object: &Object<'_>) -> bool {
    !matches!(object, Object::Reference(_) | Object::Dictionary(_) | Object::Stream(_) | Object::Array(_))
}

/// Whether two simple objects mean the same: `612` and `612.0` do, and so do two spellings of a string.
fn equal(old: &Object<'_>, new: &Object<'_>) -> bool {
    match (old, new) {
        (Object::Integer(old), Object::Integer(new)) => old == new,
        (Object::String(old), Object::String(new)) => old.means(new),
        _ => match (old.number(), new.number()) {
            (Some(old), Some(new)) => old as f32 == new as f32,
            _ => plain(old) && old == new,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::formats::pdf::File;

    /// A file of revisions, each made of these objects, and where the first ends.
    fn file(revisions: &[&[(u32, &str)]]) -> (Vec<u8>, usize) {
        let (mut octets, mut ends, mut previous) = (b"%PDF-1.7\n".to_vec(), vec![], String::new());
        for objects in revisions {
            let mut table = String::from("xref\n");
            for (number, object) in *objects {
                table += &format!("{number} 1\n{:010} 00000 n \n", octets.len());
                octets.extend(format!("{number} 0 obj {object} endobj\n").bytes());
            }
            let start = octets.len();
            octets.extend(format!("{table}trailer <</Root 1 0 R{previous}>>\nstartxref\n{start}\n%%EOF\n").bytes());
            previous = format!("/Prev {start}");
            ends.push(octets.len());
        }
        (octets, ends[0])
    }

    /// Each change with its class.
    fn listed(objects: ObjectModifications) -> Vec<String> {
        let ObjectModifications { extension, signature_or_form_fill, annotation, undefined } = objects;
        let classes = [
            ("extension", extension),
            ("fill", signature_or_form_fill),
            ("annotation", annotation),
            ("undefined", undefined),
        ];
        let line = |class: &str, change: &ObjectModification| format!("{class} {:?} {}", change.action, change.path);
        classes.iter().flat_map(|(class, changes)| changes.iter().map(|change| line(class, change))).collect()
    }

    /// The paths of the changes since the first revision.
    fn changes(revisions: &[&[(u32, &str)]]) -> Vec<String> {
        let (octets, end) = file(revisions);
        let file = File::new(&octets, &Budget::default()).expect("a PDF");
        let (last, mut graph) = (file.open(None).expect("a revision"), Graph::default());
        let signed = file.revision(end).expect("a revision");
        let form = || Rc::new(HeldForm::of(&last));
        let found = Comparison::new(&signed, &last, &mut graph, &form).documents();
        assert!(found.complete);
        listed(found.objects)
    }

    #[test]
    fn what_changed() {
        let catalog = (1, "<</Type/Catalog/Pages 2 0 R/Extra 5 0 R/Again[3 0 R]>>");
        let pages = (2, "<</Kids[3 0 R 4 0 R]/Count 2>>");
        let (first, second) = ((3, "<</Parent 2 0 R/Contents 6 0 R>>"), (4, "<</Parent 2 0 R/V 8 0 R>>"));
        let (stream, length) = ((6, "<</Length 7 0 R>>stream\nabc endstream"), (7, "3"));
        let signed = [catalog, pages, first, second, stream, length];
        let rows: [(&str, &[(u32, &str)], &[&str]); 10] = [
            ("nothing", &[], &[]),
            ("written again, the same", &[pages, first, second], &[]),
            (
                "a page, which another entry refers back to",
                &[(3, "<</Parent 2 0 R/Contents 6 0 R/Rotate 90>>")],
                &["undefined Modification /Catalog /Pages 2 0 R /Kids 3 0 R /Rotate"],
            ),
            (
                "what an unchanged object refers to appears",
                &[(5, "<</New true>>")],
                &["undefined Creation /Catalog /Extra 5 0 R"],
            ),
            (
                "the length of a stream that is not written again",
                &[(6, "<</Length 7 0 R>>stream\nabcd endstream"), (7, "4")],
                &[
                    "undefined Modification /Catalog /Pages 2 0 R /Kids 3 0 R /Contents 6 0 R /Length 7 0 R",
                    "undefined Modification /Catalog /Pages 2 0 R /Kids 3 0 R /Contents 6 0 R stream",
                ],
            ),
            (
                "a value where no field is",
                &[(8, "<</Type/DocTimeStamp>>")],
                &["undefined Creation /Catalog /Pages 2 0 R /Kids 4 0 R /V 8 0 R"],
            ),
            (
                "a page is gone",
                &[(2, "<</Kids[3 0 R]/Count 1>>")],
                &[
                    "undefined Deletion /Catalog /Pages 2 0 R /Kids 4 0 R",
                    "undefined Modification /Catalog /Pages 2 0 R /Count",
                ],
            ),
            (
                "a page twice, whatever is counted",
                &[(2, "<</Kids[3 0 R 4 0 R 3 0 R]/Count 2>>")],
                &["undefined Creation /Catalog /Pages 2 0 R /Kids 3 0 R"],
            ),
            (
                "another generation of the same number",
                &[(3, "<</Parent 2 0 R/Contents 6 1 R>>")],
                &["undefined Modification /Catalog /Pages 2 0 R /Kids 3 0 R /Contents 6 0 R"],
            ),
            ("what nothing refers to", &[(9, "<</Alone true>>")], &[]),
        ];
        for (situation, update, expected) in rows {
            assert_eq!(changes(&[&signed, update]), expected, "EN 319 142-1 5.4: {situation}");
        }
    }

    /// A page with everything that may change, and what may not.
    const DOCUMENT: [(u32, &str); 14] = [
        (
            1,
            "<</Type/Catalog/Pages 2 0 R/AcroForm 10 0 R/Metadata 9 0 R/Names<</EmbeddedFiles<</Names[(f)20 0 R]>>>>>>",
        ),
        (2, "<</Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 200 200]>>"),
        (3, "<</Parent 2 0 R/Contents 6 0 R/Resources 7 0 R/Annots[11 0 R 12 0 R 13 0 R]>>"),
        (4, "<</Parent 2 0 R/Contents 6 0 R/Resources 7 0 R>>"),
        (6, "<</Length 3>>stream\nabc endstream"),
        (7, "<</Font<</F 8 0 R>>/XObject<</DSS 14 0 R/AP 14 0 R>>>>"),
        (8, "<</BaseFont/Helvetica>>"),
        (9, "<</Length 1>>stream\n1 endstream"),
        (10, "<</Fields[11 0 R]/DR<</Font<</F 8 0 R>>>>/DA(/F)>>"),
        (11, "<</Subtype/Widget/FT/Tx/T(a)/V()/Rect[0 0 9 9]/AP<</N 15 0 R>>>>"),
        (12, "<</Subtype/Link/Rect[0 20 9 29]/A 16 0 R/F 2>>"),
        (13, "<</Subtype/Watermark/Rect[0 40 9 49]/AP<</N 14 0 R>>>>"),
        (14, "<</Length 1>>stream\n2 endstream"),
        (15, "<</Length 1>>stream\n3 endstream"),
    ];

    #[test]
    fn classes() {
        let stream = "<</Length 1>>stream\n9 endstream";
        let filled = (11, "<</Subtype/Widget/FT/Tx/T(a)/V(x)/Rect[0 0 9 9]/AP<</N 15 0 R>>>>");
        let rows: [(&str, &str, &[(u32, &str)], &str); 26] = [
            (
                "EN 319 142-1 5.4.2",
                "validation data",
                &[(
                    1,
                    "<</Type/Catalog/Pages 2 0 R/AcroForm 10 0 R/Metadata 9 0 R/Names<</EmbeddedFiles<</Names[(f)20 0 R]>>>>/DSS<</Certs[]>>>>",
                )],
                "extension",
            ),
            ("14.3.2", "metadata", &[(9, stream)], "extension"),
            (
                "14.3.2",
                "metadata that refer to the content, which is another",
                &[(9, "<</Contents 6 0 R/Length 1>>stream\n1 endstream"), (6, stream)],
                "extension undefined",
            ),
            ("7.8.3", "a resource called like validation data", &[(14, stream)], "undefined"),
            ("7.8.2", "the content of two pages", &[(6, stream)], "undefined"),
            (
                "7.8.3",
                "resources of the second page",
                &[(
                    4,
                    "<</Parent 2 0 R/Contents 6 0 R/Resources<</Font<</F 9 0 R>>/XObject<</DSS 14 0 R/AP 14 0 R>>>>>>",
                )],
                "undefined",
            ),
            (
                "7.7.3.2",
                "the order of pages",
                &[(2, "<</Kids[4 0 R 3 0 R]/Count 2/MediaBox[0 0 200 200]>>")],
                "undefined",
            ),
            (
                "7.7.3.4",
                "what is inherited from another parent",
                &[(4, "<</Parent 21 0 R/Contents 6 0 R/Resources 7 0 R>>"), (21, "<</MediaBox[0 0 100 200]>>")],
                "undefined",
            ),
            ("12.7.4.3", "a text is filled in", &[filled, (15, stream)], "fill"),
            ("12.7.4.3", "an appearance without another value", &[(15, stream)], "undefined"),
            (
                "12.7.4.3",
                "an appearance that the page draws, too",
                &[filled, (15, stream), (7, "<</Font<</F 8 0 R>>/XObject<</DSS 15 0 R/AP 14 0 R>>>>")],
                "fill undefined",
            ),
            (
                "12.7.4.3",
                "a dictionary is no text",
                &[(11, "<</Subtype/Widget/FT/Tx/T(a)/V<</Type/DocTimeStamp>>/Rect[0 0 9 9]/AP<</N 15 0 R>>>>")],
                "undefined",
            ),
            (
                "12.5.2",
                "a field grows while it is filled",
                &[(11, "<</Subtype/Widget/FT/Tx/T(a)/V(x)/Rect[0 0 200 200]/AP<</N 15 0 R>>>>")],
                "fill undefined",
            ),
            (
                "12.6.3",
                "a field gets an action",
                &[(11, "<</Subtype/Widget/FT/Tx/T(a)/V(x)/Rect[0 0 9 9]/AP<</N 15 0 R>>/AA<<>>>>")],
                "fill undefined",
            ),
            ("12.7.2", "a font of the form that the page has, too", &[(8, "<</BaseFont/Symbol>>")], "undefined"),
            (
                "12.7.2",
                "another font for the form",
                &[(10, "<</Fields[11 0 R]/DR<</Font<</F 8 0 R/G 8 0 R>>>>/DA(/F)>>")],
                "fill",
            ),
            (
                "12.7.2",
                "the form's own script",
                &[(10, "<</Fields[11 0 R]/DR<</Font<</F 8 0 R>>>>/DA(/F)/XFA()>>")],
                "undefined",
            ),
            (
                "12.5.6.4",
                "a note",
                &[
                    (3, "<</Parent 2 0 R/Contents 6 0 R/Resources 7 0 R/Annots[11 0 R 12 0 R 13 0 R 22 0 R]>>"),
                    (22, "<</Subtype/Text/Rect[0 60 9 69]>>"),
                ],
                "annotation",
            ),
            (
                "12.8.5",
                "what calls itself a time-stamp",
                &[
                    (3, "<</Parent 2 0 R/Contents 6 0 R/Resources 7 0 R/Annots[11 0 R 12 0 R 13 0 R 22 0 R]>>"),
                    (22, "<</Subtype/Widget/FT/Sig/Rect[0 60 9 69]/V<</Type/DocTimeStamp>>>>"),
                ],
                "undefined",
            ),
            (
                "12.6.4.16",
                "a note with an action",
                &[
                    (3, "<</Parent 2 0 R/Contents 6 0 R/Resources 7 0 R/Annots[11 0 R 12 0 R 13 0 R 22 0 R]>>"),
                    (22, "<</Subtype/Text/Rect[0 60 9 69]/A<</S/JavaScript>>>>"),
                ],
                "undefined",
            ),
            (
                "12.5.2",
                "annotations in another order",
                &[(3, "<</Parent 2 0 R/Contents 6 0 R/Resources 7 0 R/Annots[12 0 R 11 0 R 13 0 R]>>")],
                "undefined",
            ),
            (
                "12.5.3",
                "a hidden link is shown",
                &[(12, "<</Subtype/Link/Rect[0 20 9 29]/A 16 0 R/F 4>>")],
                "annotation",
            ),
            (
                "12.5.6.22",
                "a watermark is another one",
                &[(13, "<</Subtype/Watermark/Rect[0 40 9 49]/AP<</N 15 0 R>>>>")],
                "undefined",
            ),
            ("7.11.4", "an attached file appears", &[(20, "<</EF<</F 14 0 R>>>>")], "undefined"),
            (
                "7.6.1",
                "all the same, and a key twice",
                &[(3, "<</Parent 2 0 R/Contents 9 0 R/Contents 6 0 R/Resources 7 0 R/Annots[11 0 R 12 0 R 13 0 R]>>")],
                "undefined",
            ),
            (
                "8.11.4.2",
                "layers",
                &[(
                    1,
                    "<</Type/Catalog/Pages 2 0 R/AcroForm 10 0 R/Metadata 9 0 R/Names<</EmbeddedFiles<</Names[(f)20 0 R]>>>>/OCProperties<<>>>>",
                )],
                "undefined",
            ),
        ];
        for (clause, situation, update, expected) in rows {
            let found = changes(&[&DOCUMENT, update]);
            let classes: BTreeSet<_> = found.iter().filter_map(|line| line.split(' ').next()).collect();
            let classes: Vec<_> = classes.into_iter().collect();
            assert_eq!(classes.join(" "), expected, "{clause} {situation}: {found:?}");
        }
    }

    #[test]
    fn going_only_where_something_changed_finds_the_same() {
        // Nine objects that refer to each other at random, in four revisions.
        let mut seed = 1_u64;
        let mut random = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for round in 0..300 {
            let mut object = |number: u32| {
                let mut some = || random(12) + 1;
                let [a, b, c, d, value] = [some(), some(), some(), some(), some()];
                let head = match number {
                    1 => "/Type/Catalog/Pages 2 0 R/AcroForm 3 0 R",
                    2 => "/Kids[4 0 R 5 0 R]",
                    4 => "/Annots[6 0 R]",
                    _ => "",
                };
                let refers = if value > 8 { format!("/B {b} 0 R") } else { String::new() };
                (number, format!("<<{head}/A {a} 0 R/L[{b} 0 R {c} 0 R]/D<</A {d} 0 R>>/N {}{refers}>>", value % 3))
            };
            let signed: Vec<_> = (1..10).map(&mut object).collect();
            let numbers = [[2, 3], [4, 5], [3, 10]].map(|numbers| numbers.map(|number| number + round % 3));
            let updates = numbers.map(|numbers| numbers.map(&mut object).to_vec());
            let written: Vec<Vec<_>> = std::iter::once(&signed)
                .chain(&updates)
                .map(|objects| objects.iter().map(|(number, object)| (*number, object.as_str())).collect())
                .collect();
            let written: Vec<&[_]> = written.iter().map(Vec::as_slice).collect();
            let ends: Vec<usize> = (1..4).map(|count| file(&written[..count]).0.len()).collect();
            let octets = file(&written).0;
            let file = File::new(&octets, &Budget::default()).expect("a PDF");
            let (last, mut graph) = (file.open(None).expect("a revision"), Graph::default());
            for end in ends {
                let signed = file.revision(end).expect("a revision");
                let form = || Rc::new(HeldForm::of(&last));
                let mut found = |places: bool| {
                    let mut comparison = Comparison::new(&signed, &last, &mut graph, &form);
                    if !places {
                        comparison.graph.forget_places();
                    }
                    listed(comparison.documents().objects)
                };
                assert_eq!(found(true), found(false), "round {round}, the revision that ends at {end}");
            }
        }
    }

    #[test]
    fn what_signers_did_not_permit() {
        let catalog = (1, "<</Pages 2 0 R/AcroForm 5 0 R/StructTreeRoot 6 0 R/Names<</EmbeddedFiles 7 0 R>>>>");
        let pages = (2, "<</Kids[3 0 R]/Count 1>>");
        let page = (3, "<</Parent 2 0 R/Annots[<</Subtype/Stamp/NM(a)>> 4 0 R 8 0 R 9 0 R]>>");
        let stamp = (4, "<</Subtype/Stamp/NM(b)>>");
        let form = (5, "<</Fields[8 0 R 9 0 R]/NeedAppearances true/DR<</Font<</G 12 0 R>>>>>>");
        let structure = (6, "<</IDTree 7 0 R/K[]>>");
        let names = (7, "<</Names[]>>");
        let button = (8, "<</Subtype/Widget/FT/Btn/Ff 65536/T(b)/Rect[0 0 9 9]>>");
        let text = (9, "<</Subtype/Widget/FT/Tx/T(t)/V(100)/DA(/F 9 Tf)/Rect[0 0 9 9]>>");
        let signed = [catalog, pages, page, stamp, form, structure, names, button, text];
        let rows: [(&str, &[(u32, &str)], bool); 13] = [
            ("14.7: a name tree is no list of elements", &[(7, "<</Names[(a)<</F(a)/EF<</F 4 0 R>>>>]>>")], true),
            ("14.7: nor is a script", &[(7, "<</Names[(a)<</S/JavaScript/JS(a)>>]>>")], true),
            (
                "14.7: an element about an annotation",
                &[(6, "<</IDTree 7 0 R/K[<</S/Form/K<</Type/OBJR/Obj 8 0 R>>>>]>>")],
                false,
            ),
            ("14.9.4: other words for the page", &[(6, "<</IDTree 7 0 R/K[<</S/P/ActualText(a)>>]>>")], true),
            (
                "12.5.2: the order of annotations, some of them direct",
                &[(3, "<</Parent 2 0 R/Annots[4 0 R<</Subtype/Stamp/NM(a)>> 8 0 R 9 0 R]>>")],
                true,
            ),
            (
                "12.7.4.2.2: a push-button with a value",
                &[(8, "<</Subtype/Widget/FT/Btn/Ff 65536/T(b)/Rect[0 0 9 9]/V/a/MK<<>>>>")],
                true,
            ),
            (
                "12.7.4.3: a text that is filled in",
                &[(9, "<</Subtype/Widget/FT/Tx/T(t)/V(99)/DA(/F 9 Tf)/Rect[0 0 9 9]>>")],
                false,
            ),
            (
                "12.7.3.2: a field with another parent",
                &[(9, "<</Subtype/Widget/FT/Tx/T(t)/V(100)/DA(/F 9 Tf)/Rect[0 0 9 9]/Parent<</T(p)>>>>")],
                true,
            ),
            (
                "12.7.3.3: the font of a value that has no appearance",
                &[(5, "<</Fields[8 0 R 9 0 R]/NeedAppearances true/DR<</Font<</G 12 0 R/F<</Subtype/Type3>>>>>>>>")],
                true,
            ),
            (
                "12.7.3.3: a font that no value is shown with",
                &[(5, "<</Fields[8 0 R 9 0 R]/NeedAppearances true/DR<</Font<</G 12 0 R/H<</Subtype/Type3>>>>>>>>")],
                false,
            ),
            ("12.7.3.3: a font that was not there", &[(12, "<</Subtype/Type3>>")], false),
            (
                "12.5.6.15: a note",
                &[(3, "<</Parent 2 0 R/Annots[<</Subtype/Stamp/NM(a)>> 4 0 R 8 0 R 9 0 R<</Subtype/Text>>]>>")],
                false,
            ),
            ("written again, the same", &signed, false),
        ];
        for (situation, update, undefined) in rows {
            let found = changes(&[&signed, update]);
            assert_eq!(found.iter().any(|line| line.starts_with("undefined")), undefined, "{situation}: {found:?}");
        }
        let without = [(1, "<</Pages 2 0 R>>"), pages, (3, "<</Parent 2 0 R>>")];
        let update = [(1, "<</Pages 2 0 R/StructTreeRoot<</K<</S/P/Pg 3 0 R/K 0/ActualText(a)>>>>>>")];
        let found = changes(&[&without, &update]);
        assert!(found[0].starts_with("undefined"), "14.7.2: structure of a page that had none: {found:?}");
    }

    #[test]
    fn another_place_in_an_object_stream() {
        for (value, other) in [("4", "7"), ("4", "4")] {
            let mut octets = b"%PDF-1.7\n1 0 obj<</Type/Catalog/Extra 5 0 R>>endobj\n".to_vec();
            let mut previous = String::new();
            let mut ends = vec![];
            for first in [value, other] {
                let at = octets.len();
                octets.extend(format!("8 0 obj {first} endobj\n").bytes());
                let container = octets.len();
                if ends.is_empty() {
                    octets.extend(
                        b"4 0 obj<</Type/ObjStm/N 1/First 8 0 R/Length 9>>stream\n5 0 12 34 endstream endobj\n",
                    );
                }
                let start = octets.len();
                let row = |offset: usize| [1, (offset >> 8) as u8, offset as u8, 0];
                let rows = match ends.is_empty() {
                    true => vec![row(9), row(container), [2, 0, 4, 0], row(at)],
                    false => vec![row(at)],
                };
                let index = if ends.is_empty() { "1 1 4 2 8 1" } else { "8 1" };
                let length = rows.len() * 4;
                octets.extend(
                    format!(
                        "7 0 obj<</Type/XRef/W[1 2 1]/Index[{index}]/Length {length}/Root 1 0 R{previous}>>stream\n"
                    )
                    .bytes(),
                );
                octets.extend(rows.iter().flatten());
                octets.extend(format!("\nendstream endobj\nstartxref\n{start}\n%%EOF\n").bytes());
                previous = format!("/Prev {start}");
                ends.push(octets.len());
            }
            let file = File::new(&octets, &Budget::default()).expect("a PDF");
            let (last, mut graph) = (file.open(None).expect("a revision"), Graph::default());
            let signed = file.revision(ends[0]).expect("a revision");
            let form = || Rc::new(HeldForm::of(&last));
            let found = listed(Comparison::new(&signed, &last, &mut graph, &form).documents().objects);
            let expected: &[&str] = if value == other { &[] } else { &["undefined Modification 4 0 R"] };
            assert_eq!(found, expected, "7.5.7: /First {value}, then {other}");
        }
    }

    #[test]
    fn another_object_stream_in_the_same_place() {
        let numbers = |value: &str| format!("<</Type/ObjStm/N 1/First 4/Length 6>>stream\n5 0 {value} endstream");
        let mut octets = b"%PDF-1.7\n1 0 obj<</Type/Catalog/Extra 5 0 R>>endobj\n".to_vec();
        let mut previous = String::new();
        let mut ends = vec![];
        for value in ["12", "34"] {
            let container = octets.len();
            octets.extend(format!("4 0 obj {} endobj\n", numbers(value)).bytes());
            let start = octets.len();
            let rows: &[[u8; 4]] = match ends.is_empty() {
                true => &[[1, 0, 9, 0], [1, (container >> 8) as u8, container as u8, 0], [2, 0, 4, 0]],
                false => &[[1, (container >> 8) as u8, container as u8, 0]],
            };
            let index = if ends.is_empty() { "1 1 4 2" } else { "4 1" };
            let length = rows.len() * 4;
            let head =
                format!("7 0 obj<</Type/XRef/W[1 2 1]/Index[{index}]/Length {length}/Root 1 0 R{previous}>>stream\n");
            octets.extend(head.bytes());
            octets.extend(rows.iter().flatten());
            octets.extend(format!("\nendstream endobj\nstartxref\n{start}\n%%EOF\n").bytes());
            previous = format!("/Prev {start}");
            ends.push(octets.len());
        }
        let file = File::new(&octets, &Budget::default()).expect("a PDF");
        let (last, mut graph) = (file.open(None).expect("a revision"), Graph::default());
        let signed = file.revision(ends[0]).expect("a revision");
        let form = || Rc::new(HeldForm::of(&last));
        let found = listed(Comparison::new(&signed, &last, &mut graph, &form).documents().objects);
        assert_eq!(
            found,
            ["undefined Modification /Catalog /Extra 5 0 R"],
            "7.5.7: the entry of object 5 is the old one, its stream is not"
        );
    }
}
