//! What differs between two revisions, object by object: EN 319 142-1 leaves it to the validator;
//! the order and extent are those of EU DSS, so that the two can be compared change by change.
//!
//! Both trees are walked together from the catalog, depth first: dictionaries key by key, arrays by
//! object number (or by place where the element is direct), streams octet by octet. An object is
//! entered once for each name by which it is reached. One that stands at the same place for both
//! revisions is the same, and only what it refers to is looked at, which its [graph](super::graph)
//! knows; and that only where something that can be reached from there changed. The walk keeps its own
//! stack, so that no document is too deep for it; what it may spend is bounded by the file's account.

use super::file::Revision;
use super::graph::{Graph, Key, Node, Path, Side, Slot};
use super::object::{Dictionary, Object, Reference, Stream};
use crate::facts::ModificationAction as Action;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// Changes recorded: whoever changes more has changed enough.
const CHANGES: usize = 20_000;

/// One difference.
#[derive(Debug, Clone)]
pub struct Change<'a> {
    /// What happened.
    pub action: Action,
    /// The keys on the way from the catalog, which is the first.
    pub keys: Vec<Rc<[u8]>>,
    /// The way as text, with object numbers.
    pub path: String,
    /// What stood there in the signed revision.
    pub before: Option<Object<'a>>,
    /// What stands there in the final file.
    pub after: Option<Object<'a>>,
    /// Whether a field on the way was empty and now holds a document time-stamp.
    pub timestamped: bool,
}

/// The differences, and whether the walk came to its end.
#[derive(Debug)]
pub struct Differences<'a> {
    /// In the order of the walk.
    pub changes: Vec<Change<'a>>,
    /// Whether everything was compared.
    pub complete: bool,
}

/// A signed revision beside the final file.
pub struct Comparison<'a, 'f, 'r> {
    signed: &'r Revision<'a, 'f>,
    last: &'r Revision<'a, 'f>,
    graph: &'r mut Graph,
}

impl<'a, 'f, 'r> Comparison<'a, 'f, 'r> {
    /// Of `signed` with `last`, of which `graph` is.
    pub fn new(signed: &'r Revision<'a, 'f>, last: &'r Revision<'a, 'f>, graph: &'r mut Graph) -> Self {
        graph.begin_comparison(signed, last);
        Self { signed, last, graph }
    }

    /// The signed revision.
    pub fn signed(&self) -> &'r Revision<'a, 'f> {
        self.signed
    }

    /// The final file.
    pub fn last(&self) -> &'r Revision<'a, 'f> {
        self.last
    }

    /// What differs between the documents.
    pub fn documents(&mut self) -> Differences<'a> {
        let catalog = |revision: &Revision<'a, '_>| revision.catalog().map(Object::Dictionary);
        let (before, after) = (catalog(self.signed), catalog(self.last));
        self.walk(&[b"Catalog"], &[], |walk, place| walk.pair(place, before, after, false))
    }

    /// What differs between two values of one entry, named as its way, in the same way; but for what is reached
    /// through the keys of `outside`, one after the other.
    pub fn entry(
        &mut self,
        names: &[&[u8]],
        outside: &[&[u8]],
        before: &Object<'a>,
        after: &Object<'a>,
    ) -> Differences<'a> {
        self.walk(names, outside, |walk, place| match (before.reference(), after.reference()) {
            (Some(before), Some(after)) if before.number == after.number => {
                let object = walk.slot(before.number);
                if !walk.graph.settled(object, walk.signed, walk.last) {
                    walk.objects(place, object, false);
                }
            }
            _ => walk.values(place, before, after, false),
        })
    }

    fn walk(
        &mut self,
        names: &[&[u8]],
        outside: &[&[u8]],
        begin: impl FnOnce(&mut Walk<'a, 'f, '_>, Place),
    ) -> Differences<'a> {
        self.graph.begin_walk();
        let keys: Vec<Key> = names.iter().map(|name| self.graph.key(name)).collect();
        let path = keys.iter().fold(Path::HERE, |path, key| self.graph.then(path, *key));
        let outside = outside.iter().map(|name| self.graph.key(name)).collect();
        let mut walk = Walk {
            outside,
            signed: self.signed,
            last: self.last,
            graph: self.graph,
            frames: Vec::new(),
            way: None,
            changes: Vec::new(),
            recorded: BTreeSet::new(),
        };
        if let Some(key) = keys.last() {
            begin(&mut walk, Place { path, object: None, key: *key, outside: 0 });
        }
        let complete = walk.run();
        Differences { changes: walk.changes, complete }
    }
}

/// Where something stands: by which keys from the object around it, and what object it is itself.
#[derive(Clone, Copy)]
struct Place {
    path: Path,
    object: Option<Slot>,
    /// The key by which it was reached: the last of the path, or that of the array of which it is an element.
    key: Key,
    /// How many of the keys that lead outside of the walk were passed on the way.
    outside: usize,
}

/// Something that was entered, with what is left to compare in it.
struct Frame<'a> {
    place: Place,
    left: Left<'a>,
    /// Its octets, where it is a stream; they come last.
    octets: [Option<Rc<Stream<'a>>>; 2],
    timestamped: bool,
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
    /// An entry that only the final file has.
    Added { key: Key, value: Object<'a> },
}

struct Walk<'a, 'f, 'r> {
    signed: &'r Revision<'a, 'f>,
    last: &'r Revision<'a, 'f>,
    graph: &'r mut Graph,
    /// The way from the catalog to where the walk is.
    frames: Vec<Frame<'a>>,
    /// The same as text, where something was recorded there.
    way: Option<Way>,
    changes: Vec<Change<'a>>,
    recorded: BTreeSet<(String, u8)>,
    /// The keys that, one after the other, lead to what is not compared.
    outside: Vec<Key>,
}

impl<'a> Walk<'a, '_, '_> {
    /// Walks to the end; `false` when it is too far.
    fn run(&mut self) -> bool {
        while let Some(frame) = self.frames.last_mut() {
            if !self.last.file().step() || self.changes.len() >= CHANGES {
                return false;
            }
            let (within, timestamped) = (frame.place, frame.timestamped);
            match &mut frame.left {
                Left::Same(node, next) => match node.edges.get(*next).copied() {
                    Some(edge) => {
                        *next += 1;
                        self.same(within, edge.path, edge.to, timestamped);
                    }
                    None => self.leave(),
                },
                Left::Pairs(pairs) => match pairs.next() {
                    Some(Pair::Both { key, object, before, after }) => {
                        let path = key.map_or(Path::HERE, |key| self.graph.single(key));
                        if let Some(place) = self.place(within, path, object) {
                            self.values(place, &before, &after, timestamped);
                        }
                    }
                    Some(Pair::Same { key, object }) => {
                        let path = key.map_or(Path::HERE, |key| self.graph.single(key));
                        self.same(within, path, object, timestamped);
                    }
                    Some(Pair::Added { key, value }) => {
                        let path = self.graph.single(key);
                        if let Some(place) = self.place(within, path, None) {
                            self.added(place, &value, timestamped);
                        }
                    }
                    None => self.leave(),
                },
            }
        }
        true
    }

    /// A place in another one; `None` where the way there leads outside.
    fn place(&self, within: Place, path: Path, object: Option<Slot>) -> Option<Place> {
        let key = self.graph.split(path).map_or(within.key, |(_, key)| key);
        let mut outside = within.outside;
        if !self.outside.is_empty() {
            for key in self.graph.path_keys(path) {
                outside += usize::from(self.outside.get(outside) == Some(&key));
            }
            if outside == self.outside.len() {
                return None;
            }
        }
        Some(Place { path, object, key, outside })
    }

    fn enter(&mut self, frame: Frame<'a>) {
        if let Some(object) = frame.place.object {
            self.graph.on_way(object, true);
        }
        self.frames.push(frame);
        self.way = None;
    }

    fn leave(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let octets = std::mem::take(&mut frame.octets);
        self.octets(octets);
        self.way = None;
        if let Some(object) = self.frames.pop().and_then(|frame| frame.place.object) {
            self.graph.on_way(object, false);
        }
    }

    /// The place of an object number.
    fn slot(&mut self, number: u32) -> Slot {
        self.graph.slot(number, self.last.file())
    }

    /// Compares the objects of one number, to which both refer; goes there only where something changed that can be reached
    /// from it. Otherwise what is in it is entered once that counts.
    fn same(&mut self, within: Place, path: Path, object: Slot, timestamped: bool) {
        let Some(place) = self.place(within, path, Some(object)) else { return };
        if !self.graph.is_fresh(object, place.key) {
            return;
        }
        if self.graph.settled(object, self.signed, self.last) {
            self.graph.leave_settled(object, place.key);
        } else {
            self.objects(place, object, timestamped);
        }
    }

    /// Compares what two values stand for that are not references to one object.
    fn values(&mut self, place: Place, before: &Object<'a>, after: &Object<'a>, timestamped: bool) {
        // Where objects came and went it counts what was entered, also where nothing changed.
        self.graph.enter_settled(self.last);
        if place.object.is_none_or(|object| self.graph.is_fresh(object, place.key)) {
            let (before, after) = (some(self.signed.resolve(before)), some(self.last.resolve(after)));
            self.pair(place, before, after, timestamped);
        }
    }

    /// Compares the objects of one number.
    fn objects(&mut self, place: Place, slot: Slot, timestamped: bool) {
        match self.graph.unchanged(slot, self.signed, self.last) {
            Some(node) if node.edges.is_empty() => {}
            Some(node) => {
                self.enter(Frame { place, left: Left::Same(node, 0), octets: [None, None], timestamped });
            }
            None => {
                let reference = Reference { number: self.graph.number(slot), generation: 0 };
                let reference = Object::Reference(reference);
                let (before, after) = (some(self.signed.resolve(&reference)), some(self.last.resolve(&reference)));
                self.pair(place, before, after, timestamped);
            }
        }
    }

    fn added(&mut self, place: Place, value: &Object<'a>, timestamped: bool) {
        let resolved = self.last.resolve(value);
        let compound = matches!(resolved, Object::Dictionary(_) | Object::Stream(_) | Object::Array(_));
        let reference = value.reference().filter(|_| compound);
        let object = reference.map(|reference| self.slot(reference.number));
        if let Some(object) = object {
            self.graph.enter(object, place.key);
        }
        if !matches!(resolved, Object::Null) {
            self.record(Some(Place { object, ..place }), None, Some(resolved), timestamped);
        }
    }

    fn pair(&mut self, place: Place, before: Option<Object<'a>>, after: Option<Object<'a>>, timestamped: bool) {
        match (&before, &after) {
            (None, None) => {}
            (None, Some(_)) | (Some(_), None) => self.record(Some(place), before, after, timestamped),
            (Some(Object::Array(first)), Some(Object::Array(second))) => {
                let left = Left::Pairs(self.elements(place.key, first, second).into_iter());
                self.enter(Frame { place, left, octets: [None, None], timestamped });
            }
            (Some(old), Some(new)) => match (parts(old), parts(new)) {
                (Some((old, old_stream)), Some((new, new_stream))) => {
                    let timestamped = self.timestamped(old, new, timestamped);
                    let left = Left::Pairs(self.entries(old, new).into_iter());
                    self.enter(Frame { place, left, octets: [old_stream, new_stream], timestamped });
                }
                _ if equal(old, new) => {}
                _ => self.record(Some(place), before, after, timestamped),
            },
        }
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
            let key = self.graph.key(name);
            match before.reference().map(|before| (self.slot(before.number), before.number)) {
                Some((object, _)) if self.graph.is_entered(object, key) => {}
                Some((object, number)) if after.reference().is_some_and(|after| after.number == number) => {
                    pairs.push(Pair::Same { key: Some(key), object });
                }
                object => {
                    let (object, before, after) = (object.map(|(object, _)| object), before.clone(), after.clone());
                    pairs.push(Pair::Both { key: Some(key), object, before, after });
                }
            }
        }
        for (place, (key, value)) in new.iter().enumerate() {
            if in_old.find(key, place).is_none() {
                pairs.push(Pair::Added { key: self.graph.key(key), value: value.clone() });
            }
        }
        pairs
    }

    /// Elements by object number, or by place where they are direct; those of the signed revision first. `key` is that of
    /// the arrays: what was entered by it is not entered again.
    fn elements(&mut self, key: Key, first: &[Object<'a>], second: &[Object<'a>]) -> Vec<Pair<'a>> {
        let mut pairs = Vec::new();
        let both = |object, before: &Object<'a>, after: &Object<'a>| {
            let same = plain(before) && equal(before, after);
            (!same).then(|| Pair::Both { key: None, object, before: before.clone(), after: after.clone() })
        };
        self.graph.begin_arrays();
        for after in second.iter().filter_map(Object::reference) {
            let object = self.slot(after.number);
            self.graph.list(object, Side::Last);
        }
        for (place, before) in first.iter().enumerate() {
            let Some(reference) = before.reference() else {
                pairs.extend(both(None, before, second.get(place).unwrap_or(&Object::Null)));
                continue;
            };
            let object = self.slot(reference.number);
            self.graph.list(object, Side::Signed);
            if self.graph.is_entered(object, key) {
                continue;
            }
            if self.graph.lists(object, Side::Last) {
                pairs.push(Pair::Same { key: None, object });
            } else {
                pairs.extend(both(Some(object), before, &Object::Null));
            }
        }
        for (place, after) in second.iter().enumerate() {
            let Some(reference) = after.reference() else {
                pairs.extend(both(None, first.get(place).unwrap_or(&Object::Null), after));
                continue;
            };
            // An object that both refer to is compared already.
            let object = self.slot(reference.number);
            if !self.graph.lists(object, Side::Signed) && !self.graph.is_entered(object, key) {
                pairs.extend(both(Some(object), &Object::Null, after));
            }
        }
        pairs
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
            let timestamped = self.frames.last().is_some_and(|frame| frame.timestamped);
            self.record(None, before.map(Object::Stream), after.map(Object::Stream), timestamped);
        }
    }

    /// Whether a field that was empty holds a document time-stamp now: ISO 32000-1 §12.7.4.5.
    fn timestamped(&self, old: &Dictionary<'a>, new: &Dictionary<'a>, timestamped: bool) -> bool {
        if new.get(b"V").is_none() || self.signed.lookup(old, b"V") != Object::Null {
            return timestamped;
        }
        let kind = self.last.dictionary(new, b"V").map(|value| self.last.lookup(&value, b"Type"));
        timestamped || kind.as_ref().and_then(Object::name) == Some(b"DocTimeStamp")
    }

    /// Records a difference at a place in the present object, or between the octets of that.
    fn record(&mut self, at: Option<Place>, before: Option<Object<'a>>, after: Option<Object<'a>>, timestamped: bool) {
        let compound =
            |object: &Object<'a>| matches!(object, Object::Dictionary(_) | Object::Stream(_) | Object::Array(_));
        let action = match (&before, &after) {
            (None, Some(after)) if compound(after) => Action::Creation,
            (Some(before), None) if compound(before) => Action::Deletion,
            _ => Action::Modification,
        };
        let around = self.way.get_or_insert_with(|| {
            let mut way = Way::default();
            self.frames.iter().for_each(|frame| way.go(frame.place, self.graph));
            way
        });
        let mut way = around.longer();
        match at {
            Some(at) => way.go(at, self.graph),
            None => way.step("stream"),
        }
        let Way { keys, path } = way;
        if self.recorded.insert((path.clone(), action as u8)) {
            self.changes.push(Change { action, keys, path, before, after, timestamped });
        }
    }
}

/// How to come somewhere from the catalog.
#[derive(Debug, Default)]
struct Way {
    keys: Vec<Rc<[u8]>>,
    path: String,
}

impl Way {
    /// The same way, with room to go on.
    fn longer(&self) -> Self {
        let (mut keys, mut path) =
            (Vec::with_capacity(self.keys.len() + 1), String::with_capacity(self.path.len() + 32));
        keys.extend_from_slice(&self.keys);
        path.push_str(&self.path);
        Self { keys, path }
    }

    fn go(&mut self, place: Place, graph: &Graph) {
        self.along(place.path, graph);
        if let Some(object) = place.object {
            self.step(&graph.number(object).to_string());
            self.path.push_str(" 0 R");
        }
    }

    /// As deep as an object is nested.
    fn along(&mut self, path: Path, graph: &Graph) {
        let Some((shorter, key)) = graph.split(path) else { return };
        self.along(shorter, graph);
        let name = graph.name(key);
        self.step("/");
        self.path.push_str(&String::from_utf8_lossy(name));
        self.keys.push(name.clone());
    }

    fn step(&mut self, text: &str) {
        if !self.path.is_empty() {
            self.path.push(' ');
        }
        self.path.push_str(text);
    }
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

    /// The paths of the changes since the first revision.
    fn changes(revisions: &[&[(u32, &str)]]) -> Vec<String> {
        let (octets, end) = file(revisions);
        let file = File::new(&octets, &Budget::default()).expect("a PDF");
        let (last, mut graph) = (file.open(None).expect("a revision"), Graph::default());
        let signed = file.revision(end).expect("a revision");
        let found = Comparison::new(&signed, &last, &mut graph).documents();
        assert!(found.complete);
        found.changes.into_iter().map(|change| format!("{:?} {}", change.action, change.path)).collect()
    }

    #[test]
    fn what_changed() {
        let catalog = (1, "<</Type/Catalog/Pages 2 0 R/Extra 5 0 R/Again[3 0 R]>>");
        let pages = (2, "<</Kids[3 0 R 4 0 R]/Count 2>>");
        let (first, second) = ((3, "<</Parent 2 0 R/Contents 6 0 R>>"), (4, "<</Parent 2 0 R/V 8 0 R>>"));
        let (stream, length) = ((6, "<</Length 7 0 R>>stream\nabc endstream"), (7, "3"));
        let signed = [catalog, pages, first, second, stream, length];
        let rows: [(&str, &[(u32, &str)], &[&str]); 8] = [
            ("nothing", &[], &[]),
            ("written again, the same", &[pages, first, second], &[]),
            (
                "a page, reached by two ways",
                &[(3, "<</Parent 2 0 R/Contents 6 0 R/Rotate 90>>")],
                &[
                    "Modification /Catalog /Pages 2 0 R /Kids 3 0 R /Rotate",
                    "Modification /Catalog /Again 3 0 R /Rotate",
                ],
            ),
            (
                "what an unchanged object refers to appears",
                &[(5, "<</New true>>")],
                &["Creation /Catalog /Extra 5 0 R"],
            ),
            (
                "the length of a stream that is not written again",
                &[(6, "<</Length 7 0 R>>stream\nabcd endstream"), (7, "4")],
                &[
                    "Modification /Catalog /Pages 2 0 R /Kids 3 0 R /Contents 6 0 R /Length 7 0 R",
                    "Modification /Catalog /Pages 2 0 R /Kids 3 0 R /Contents 6 0 R stream",
                ],
            ),
            ("a value", &[(8, "<</Type/DocTimeStamp>>")], &["Creation /Catalog /Pages 2 0 R /Kids 4 0 R /V 8 0 R"]),
            (
                "a page is gone",
                &[(2, "<</Kids[3 0 R]/Count 1>>")],
                &[
                    "Deletion /Catalog /Pages 2 0 R /Kids 4 0 R",
                    "Modification /Catalog /Pages 2 0 R /Count",
                    "Modification /Catalog /Again 3 0 R /Parent 2 0 R /Count",
                ],
            ),
            ("what nothing refers to", &[(9, "<</Alone true>>")], &[]),
        ];
        for (situation, update, expected) in rows {
            assert_eq!(changes(&[&signed, update]), expected, "EN 319 142-1 5.4: {situation}");
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
                let head = if number == 1 { "/Type/Catalog" } else { "" };
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
                let mut found = |places: bool| {
                    let mut comparison = Comparison::new(&signed, &last, &mut graph);
                    if !places {
                        comparison.graph.forget_places();
                    }
                    let changes = comparison.documents().changes;
                    changes.into_iter().map(|change| (change.action, change.path)).collect::<Vec<_>>()
                };
                assert_eq!(found(true), found(false), "round {round}, the revision that ends at {end}");
            }
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
        let found = Comparison::new(&signed, &last, &mut graph).documents();
        let paths: Vec<_> = found.changes.into_iter().map(|change| change.path).collect();
        assert_eq!(paths, ["/Catalog /Extra 5 0 R"], "7.5.7: the entry of object 5 is the old one, its stream is not");
    }
}
