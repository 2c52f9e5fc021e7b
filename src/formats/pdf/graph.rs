//! Which object refers to which, and by what keys: all that matters of an object that did not change.
//!
//! Most of a document is the same in two of its revisions. What did not change is read once for all comparisons, and
//! of it only the references are kept, in the order of the file. Of each object it is known since how many sections
//! it and everything that can be reached from it are the same, so that a comparison goes only where something changed.

use super::by_number::ByNumber;
use super::file::File;
use super::object::{Dictionary, Object};
use super::revision::Revision;
use super::role::Role;
use std::collections::HashMap;
use std::rc::Rc;

/// A key of a dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key(u32);

/// The keys that lead from an object to something direct in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Path(u32);

/// An object number that was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Slot(u32);

impl Path {
    /// The object itself: the path of the elements of an array that is an object.
    pub const HERE: Self = Self(0);
}

/// A reference in an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub path: Path,
    pub to: Slot,
}

/// The references in an object of the final file.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub edges: Vec<Edge>,
    /// Whether it is an array.
    pub is_list: bool,
    /// Those that decide what the object itself is: the `/V` of a field, the `/Length` of a stream.
    decisive: Vec<Slot>,
    /// Where reading it ended.
    end: usize,
}

/// The objects of the final file, as far as comparisons came.
#[derive(Debug, Default)]
pub struct Graph {
    /// What each is, and the path that it alone is.
    keys: Vec<(Rc<[u8]>, Path)>,
    key_numbers: HashMap<Rc<[u8]>, Key>,
    /// From the second path on: each with the one that it is longer than by a key.
    paths: Vec<(Path, Key)>,
    path_numbers: HashMap<(Path, Key), Path>,
    objects: Vec<Known>,
    slots: ByNumber<Slot>,
    /// What changed from revision to revision; `None`: not looked at yet.
    changes: Option<Changes>,
    /// The object streams of the final file whose reading needs other objects; `None`: not looked at yet.
    dependent: Option<Rc<[u32]>>,
    /// How many newer sections the final file has in this comparison; `None` where places do not tell what is the same.
    newer: Option<usize>,
    walk: u32,
}

/// What changed from revision to revision.
#[derive(Debug, Default)]
struct Changes {
    /// The object streams that did, each with the oldest section that names it.
    containers: Vec<(u32, usize)>,
    /// Whether all sections were looked at.
    complete: bool,
}

/// An object number with what is known of its object.
#[derive(Debug)]
struct Known {
    number: u32,
    /// `None`: not read yet. `Some(None)`: not where the cross-references say, or a mere reference.
    node: Option<Option<Rc<Node>>>,
    /// The least number of newer sections without which it is another object than in the final file.
    changed_from: usize,
    reach: Reaching,
    /// The last walk that came here, and in which roles it did.
    walk: u32,
    roles: u64,
}

/// What can be reached from an object of the final file, itself included.
#[derive(Debug, Clone, Copy)]
struct Reach {
    /// The least number of newer sections without which some of it is another object.
    changed_from: usize,
    /// Where reading the last of it ended.
    end: usize,
}

impl Reach {
    /// Where it is not known.
    const ANYTHING: Self = Self { changed_from: 0, end: usize::MAX };

    fn with(self, other: Self) -> Self {
        Self { changed_from: self.changed_from.min(other.changed_from), end: self.end.max(other.end) }
    }
}

/// How far it is known what can be reached from an object.
#[derive(Debug, Clone, Copy)]
enum Reaching {
    Unknown,
    /// Being looked for: the place in the order of the search, and the earliest place that leads here and was reached.
    Sought {
        place: usize,
        earliest: usize,
    },
    Known(Reach),
}

impl Graph {
    /// The number of a key.
    pub(super) fn key(&mut self, name: &[u8]) -> Key {
        if let Some(&key) = self.key_numbers.get(name) {
            return key;
        }
        let (name, key) = (Rc::<[u8]>::from(name), Key(self.keys.len() as u32));
        let path = self.add_path(Path::HERE, key);
        self.keys.push((name.clone(), path));
        self.key_numbers.insert(name, key);
        key
    }

    /// What a key is.
    pub(super) fn name(&self, key: Key) -> &Rc<[u8]> {
        &self.keys[key.0 as usize].0
    }

    /// The path that a key alone is.
    pub(super) fn single(&self, key: Key) -> Path {
        self.keys[key.0 as usize].1
    }

    /// The path that goes on by `key`.
    pub(super) fn then(&mut self, path: Path, key: Key) -> Path {
        if path == Path::HERE {
            return self.single(key);
        }
        if let Some(&longer) = self.path_numbers.get(&(path, key)) {
            return longer;
        }
        let longer = self.add_path(path, key);
        self.path_numbers.insert((path, key), longer);
        longer
    }

    fn add_path(&mut self, shorter: Path, key: Key) -> Path {
        self.paths.push((shorter, key));
        Path(self.paths.len() as u32)
    }

    /// A path without its last key, and that key; `None` where it has none.
    pub(super) fn split(&self, path: Path) -> Option<(Path, Key)> {
        self.paths.get((path.0 as usize).checked_sub(1)?).copied()
    }

    /// The place of an object number.
    pub(super) fn slot(&mut self, number: u32, file: &File<'_>) -> Slot {
        if let Some(slot) = self.slots.get(number) {
            return *slot;
        }
        let slot = Slot(self.objects.len() as u32);
        self.slots.insert(number, slot, file.numbers());
        self.objects.push(Known {
            number,
            node: None,
            changed_from: usize::MAX,
            reach: Reaching::Unknown,
            walk: 0,
            roles: 0,
        });
        slot
    }

    /// The object number of a place.
    pub(super) fn number(&self, slot: Slot) -> u32 {
        self.objects[slot.0 as usize].number
    }

    /// Begins the comparison of `signed` with `last`.
    pub(super) fn begin_comparison(&mut self, signed: &Revision<'_, '_>, last: &Revision<'_, '_>) {
        if self.changes.is_none() {
            self.changes = Some(self.find_changes(last));
        }
        self.newer = signed.newer().filter(|newer| self.comparable(*newer, last));
    }

    /// From now on everything is compared.
    #[cfg(test)]
    pub(super) fn forget_places(&mut self) {
        self.newer = None;
    }

    /// Notes of every object when it became what it is.
    fn find_changes(&mut self, last: &Revision<'_, '_>) -> Changes {
        let file = last.file();
        let streams = last.object_streams();
        let mut changes = Changes::default();
        for (newer, section) in (1..).zip(file.sections()) {
            for (number, _) in section.entries() {
                if !file.step() {
                    return changes;
                }
                if file.location(*number, newer) != last.location(*number) {
                    let slot = self.slot(*number, file);
                    let known = &mut self.objects[slot.0 as usize];
                    if let (usize::MAX, Some(oldest)) = (known.changed_from, streams.get(number)) {
                        changes.containers.push((*number, *oldest));
                    }
                    known.changed_from = known.changed_from.min(newer);
                }
            }
        }
        changes.complete = true;
        changes
    }

    /// The object streams whose reading needs other objects: a length, a place or a filter that is a reference.
    pub(super) fn dependent(&mut self, last: &Revision<'_, '_>) -> Rc<[u32]> {
        let find = || {
            let refers = |number: &u32| match last.in_place(*number) {
                Some((Object::Stream(stream), _)) => stream.dictionary.iter().any(|(_, value)| has_reference(value)),
                _ => false,
            };
            let mut numbers: Vec<u32> = last.object_streams().into_keys().filter(refers).collect();
            numbers.sort_unstable();
            numbers.into()
        };
        self.dependent.get_or_insert_with(find).clone()
    }

    /// Whether places tell what is the same without the `newer` sections.
    fn comparable(&self, newer: usize, last: &Revision<'_, '_>) -> bool {
        // Another object stream than the signed revision names: whatever is in it may be another object. No writer does
        // that.
        let replaced = |&(number, oldest): &(u32, usize)| {
            oldest >= newer && last.file().location(number, newer) != last.location(number)
        };
        self.changes.as_ref().is_some_and(|changes| changes.complete && !changes.containers.iter().any(replaced))
    }

    /// Whether an object is another one in this comparison, of which `newer` sections are new.
    fn is_changed(&self, slot: Slot, newer: usize, last: &Revision<'_, '_>) -> bool {
        let known = &self.objects[slot.0 as usize];
        known.changed_from <= newer && last.file().location(known.number, newer) != last.location(known.number)
    }

    /// Begins a walk in this comparison.
    pub(super) fn begin_walk(&mut self) {
        self.walk += 1;
    }

    fn known(&mut self, slot: Slot) -> &mut Known {
        let known = &mut self.objects[slot.0 as usize];
        if known.walk != self.walk {
            (known.walk, known.roles) = (self.walk, 0);
        }
        known
    }

    /// Notes that this walk comes to an object in a role; `false` when it did before.
    pub(super) fn enter(&mut self, slot: Slot, role: Role) -> bool {
        let known = self.known(slot);
        let fresh = known.roles & role.bit() == 0;
        known.roles |= role.bit();
        fresh
    }

    /// Whether this walk came to an object at the place that it has in the document.
    pub(super) fn was_at_its_place(&mut self, slot: Slot) -> bool {
        self.known(slot).roles & Role::places() != 0
    }

    /// The references in an object, if it is the same one in both revisions that are compared.
    pub(super) fn unchanged(
        &mut self,
        slot: Slot,
        signed: &Revision<'_, '_>,
        last: &Revision<'_, '_>,
    ) -> Option<Rc<Node>> {
        let newer = self.newer?;
        if self.is_changed(slot, newer, last) {
            return None;
        }
        let node = self.node(slot, last)?;
        let decided = |slot: &Slot| !self.is_changed(*slot, newer, last);
        (node.end < signed.end() && node.decisive.iter().all(decided)).then_some(node)
    }

    /// Whether an object and all that can be reached from it is the same in both revisions that are compared.
    pub(super) fn settled(&mut self, slot: Slot, signed: &Revision<'_, '_>, last: &Revision<'_, '_>) -> bool {
        let Some(newer) = self.newer else { return false };
        let reach = match self.objects[slot.0 as usize].reach {
            Reaching::Known(reach) => reach,
            _ => self.find_reach(slot, last),
        };
        newer < reach.changed_from && reach.end < signed.end()
    }

    /// What can be reached from an object: by Tarjan's algorithm, which also tells it for all that is reached. Those that
    /// reach each other reach the same.
    fn find_reach(&mut self, from: Slot, last: &Revision<'_, '_>) -> Reach {
        // Those begun whose reach is not known yet, in the order of the search; and the way to where it is, each with
        // its references, the next of them, and what is reached so far.
        let mut begun: Vec<Slot> = Vec::new();
        let mut way: Vec<(Slot, Option<Rc<Node>>, usize, Reach)> = Vec::new();
        let mut next = Some(from);
        let mut found = Reach::ANYTHING;
        loop {
            if let Some(slot) = next.take() {
                let node = self.node(slot, last);
                let known = &mut self.objects[slot.0 as usize];
                let own = Reach { changed_from: known.changed_from, end: node.as_ref().map_or(0, |node| node.end) };
                let reach = if node.is_some() { own } else { Reach::ANYTHING };
                known.reach = Reaching::Sought { place: begun.len(), earliest: begun.len() };
                begun.push(slot);
                way.push((slot, node, 0, reach));
            }
            let Some((slot, node, edge, reach)) = way.last_mut() else { return found };
            let slot = *slot;
            if let Some(to) = node.as_ref().and_then(|node| node.edges.get(*edge)).map(|edge| edge.to) {
                *edge += 1;
                match self.objects[to.0 as usize].reach {
                    Reaching::Known(more) => *reach = reach.with(more),
                    Reaching::Sought { place, .. } => self.lead_back(slot, place),
                    Reaching::Unknown => next = Some(to),
                }
                continue;
            }
            found = *reach;
            way.pop();
            if let Reaching::Sought { place, earliest } = self.objects[slot.0 as usize].reach {
                if place == earliest {
                    for inner in begun.drain(place..) {
                        self.objects[inner.0 as usize].reach = Reaching::Known(found);
                    }
                } else if let Some((around, ..)) = way.last() {
                    self.lead_back(*around, earliest);
                }
            }
            if let Some((.., reach)) = way.last_mut() {
                *reach = reach.with(found);
            }
        }
    }

    /// Notes that an object which is being looked at leads back to an earlier one.
    fn lead_back(&mut self, slot: Slot, to: usize) {
        if let Reaching::Sought { earliest, .. } = &mut self.objects[slot.0 as usize].reach {
            *earliest = to.min(*earliest);
        }
    }

    fn node(&mut self, slot: Slot, last: &Revision<'_, '_>) -> Option<Rc<Node>> {
        let known = &self.objects[slot.0 as usize];
        if let Some(node) = &known.node {
            return node.clone();
        }
        let node = self.read(known.number, last).map(Rc::new);
        self.objects[slot.0 as usize].node = Some(node.clone());
        node
    }

    fn read(&mut self, number: u32, last: &Revision<'_, '_>) -> Option<Node> {
        if last.location(number).is_none() {
            return Some(Node::default());
        }
        let (object, end) = last.in_place(number)?;
        let mut node = Node { end, is_list: matches!(object, Object::Array(_)), ..Node::default() };
        match &object {
            Object::Reference(_) => return None,
            Object::Stream(stream) => {
                if let Some(length) = stream.dictionary.get(b"Length").and_then(Object::reference) {
                    node.decisive.push(self.slot(length.number, last.file()));
                }
                self.dictionary(&stream.dictionary, Path::HERE, last.file(), &mut node);
            }
            object => self.object(object, Path::HERE, last.file(), &mut node),
        }
        Some(node)
    }

    /// Goes down as far as an object is nested, which the lexer bounds.
    fn object(&mut self, object: &Object<'_>, path: Path, file: &File<'_>, node: &mut Node) {
        match object {
            Object::Reference(reference) => node.edges.push(Edge { path, to: self.slot(reference.number, file) }),
            Object::Array(items) => items.iter().for_each(|item| self.object(item, path, file, node)),
            Object::Dictionary(dictionary) => self.dictionary(dictionary, path, file, node),
            _ => {}
        }
    }

    fn dictionary(&mut self, dictionary: &Dictionary<'_>, path: Path, file: &File<'_>, node: &mut Node) {
        for (name, value) in dictionary.iter() {
            if matches!(value, Object::Reference(_) | Object::Array(_) | Object::Dictionary(_)) {
                let key = self.key(name);
                let path = self.then(path, key);
                self.object(value, path, file, node);
            }
            if let (b"V", Object::Reference(value)) = (name, value) {
                node.decisive.push(self.slot(value.number, file));
            }
        }
    }
}

/// Whether a value is a reference or has one in it, as deep as the lexer nests.
fn has_reference(object: &Object<'_>) -> bool {
    match object {
        Object::Reference(_) => true,
        Object::Array(items) => items.iter().any(has_reference),
        Object::Dictionary(dictionary) => dictionary.iter().any(|(_, value)| has_reference(value)),
        _ => false,
    }
}
