//! Which object refers to which, and by what keys: all that matters of an object that did not change.
//!
//! Most of a document is the same in two of its revisions. What did not change is read once for all comparisons, and
//! of it only the references are kept, in the order of the file.

use super::file::Revision;
use super::object::{Dictionary, Object};
use std::collections::{HashMap, HashSet};
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
    /// Those that decide what the object itself is: the `/V` of a field, the `/Length` of a stream.
    decisive: Vec<Slot>,
    /// Where reading it ended.
    end: usize,
}

/// The objects of the final file, as far as comparisons came.
#[derive(Debug, Default)]
pub struct Graph {
    keys: Vec<Rc<[u8]>>,
    key_numbers: HashMap<Rc<[u8]>, Key>,
    /// From the second path on: each with the one that it is longer than by a key.
    paths: Vec<(Path, Key)>,
    path_numbers: HashMap<(Path, Key), Path>,
    objects: Vec<Known>,
    slots: HashMap<u32, Slot>,
    /// The object streams of the final file by number, with the oldest section that names each.
    containers: Option<HashMap<u32, usize>>,
    comparison: u32,
    /// Whether in this comparison objects at the same place are known to be the same.
    comparable: bool,
    walk: u32,
    /// Keys by which objects were entered beside the first.
    entered: HashSet<(Key, Slot)>,
}

/// An object number with what is known of its object.
#[derive(Debug)]
struct Known {
    number: u32,
    /// `None`: not read yet. `Some(None)`: not where the cross-references say, or a mere reference.
    node: Option<Option<Rc<Node>>>,
    /// The last comparison in which it is another object than in the final file.
    changed_in: u32,
    /// The last walk that came here, the first key by which it did, and how often it is on the way.
    walk: u32,
    entered: Option<Key>,
    on_way: u32,
}

impl Graph {
    /// The number of a key.
    pub(super) fn key(&mut self, name: &[u8]) -> Key {
        if let Some(&key) = self.key_numbers.get(name) {
            return key;
        }
        let (name, key) = (Rc::<[u8]>::from(name), Key(self.keys.len() as u32));
        self.keys.push(name.clone());
        self.key_numbers.insert(name, key);
        key
    }

    /// What a key is.
    pub(super) fn name(&self, key: Key) -> &Rc<[u8]> {
        &self.keys[key.0 as usize]
    }

    /// The path that goes on by `key`.
    pub(super) fn then(&mut self, path: Path, key: Key) -> Path {
        *self.path_numbers.entry((path, key)).or_insert_with(|| {
            self.paths.push((path, key));
            Path(self.paths.len() as u32)
        })
    }

    /// A path without its last key, and that key; `None` where it has none.
    pub(super) fn split(&self, path: Path) -> Option<(Path, Key)> {
        self.paths.get((path.0 as usize).checked_sub(1)?).copied()
    }

    /// The keys of a path.
    pub(super) fn path_keys(&self, path: Path) -> Vec<Key> {
        let links = std::iter::successors(self.split(path), |(shorter, _)| self.split(*shorter));
        let mut keys: Vec<Key> = links.map(|(_, key)| key).collect();
        keys.reverse();
        keys
    }

    /// What the keys of a path are.
    pub(super) fn names(&self, path: Path) -> impl Iterator<Item = Rc<[u8]>> {
        self.path_keys(path).into_iter().map(|key| self.name(key).clone())
    }

    /// The place of an object number.
    pub(super) fn slot(&mut self, number: u32) -> Slot {
        *self.slots.entry(number).or_insert_with(|| {
            self.objects.push(Known { number, node: None, changed_in: 0, walk: 0, entered: None, on_way: 0 });
            Slot(self.objects.len() as u32 - 1)
        })
    }

    /// The object number of a place.
    pub(super) fn number(&self, slot: Slot) -> u32 {
        self.objects[slot.0 as usize].number
    }

    /// Begins the comparison of `signed` with `last`.
    pub(super) fn begin_comparison(&mut self, signed: &Revision<'_, '_>, last: &Revision<'_, '_>) {
        self.comparison += 1;
        self.comparable = self.note_changes(signed, last);
    }

    /// Notes which objects are not the same; `false` when their places do not tell.
    fn note_changes(&mut self, signed: &Revision<'_, '_>, last: &Revision<'_, '_>) -> bool {
        let Some(newer) = signed.newer_sections() else { return false };
        let containers = self.containers.get_or_insert_with(|| last.object_streams());
        let mut changed = Vec::new();
        for (number, _) in newer.iter().flat_map(|section| section.entries()) {
            if !last.file().step() {
                return false;
            }
            if signed.location(*number) != last.location(*number) {
                // Another object stream than the signed revision names: whatever is in it may be another object. No
                // writer does that.
                if containers.get(number).is_some_and(|oldest| *oldest >= newer.len()) {
                    return false;
                }
                changed.push(*number);
            }
        }
        for number in changed {
            let slot = self.slot(number);
            self.objects[slot.0 as usize].changed_in = self.comparison;
        }
        true
    }

    /// Begins a walk in this comparison.
    pub(super) fn begin_walk(&mut self) {
        self.walk += 1;
        self.entered.clear();
    }

    fn known(&mut self, slot: Slot) -> &mut Known {
        let known = &mut self.objects[slot.0 as usize];
        if known.walk != self.walk {
            (known.walk, known.entered, known.on_way) = (self.walk, None, 0);
        }
        known
    }

    /// Whether an object is on the way.
    pub(super) fn is_on_way(&mut self, slot: Slot) -> bool {
        self.known(slot).on_way > 0
    }

    /// Notes that an object is on the way, or no longer.
    pub(super) fn on_way(&mut self, slot: Slot, enters: bool) {
        let count = &mut self.known(slot).on_way;
        *count = if enters { *count + 1 } else { count.saturating_sub(1) };
    }

    /// Notes that an object was reached by a key; `false` when it was before.
    pub(super) fn enter(&mut self, slot: Slot, key: Key) -> bool {
        match self.known(slot).entered {
            None => {
                self.known(slot).entered = Some(key);
                true
            }
            Some(first) => first != key && self.entered.insert((key, slot)),
        }
    }

    /// The references in an object, if it is the same one in both revisions that are compared.
    pub(super) fn unchanged(
        &mut self,
        slot: Slot,
        signed: &Revision<'_, '_>,
        last: &Revision<'_, '_>,
    ) -> Option<Rc<Node>> {
        let known = &self.objects[slot.0 as usize];
        if !self.comparable || known.changed_in == self.comparison {
            return None;
        }
        let node = match &known.node {
            Some(node) => node.clone()?,
            None => {
                let node = self.read(known.number, last).map(Rc::new);
                self.objects[slot.0 as usize].node = Some(node.clone());
                node?
            }
        };
        let decided = |slot: &Slot| self.objects[slot.0 as usize].changed_in != self.comparison;
        (node.end < signed.end() && node.decisive.iter().all(decided)).then_some(node)
    }

    fn read(&mut self, number: u32, last: &Revision<'_, '_>) -> Option<Node> {
        if last.location(number).is_none() {
            return Some(Node::default());
        }
        let (object, end) = last.in_place(number)?;
        let mut node = Node { end, ..Node::default() };
        match &object {
            Object::Reference(_) => return None,
            Object::Stream(stream) => {
                if let Some(length) = stream.dictionary.get(b"Length").and_then(Object::reference) {
                    node.decisive.push(self.slot(length.number));
                }
                self.dictionary(&stream.dictionary, Path::HERE, &mut node);
            }
            object => self.object(object, Path::HERE, &mut node),
        }
        Some(node)
    }

    /// Goes down as far as an object is nested, which the lexer bounds.
    fn object(&mut self, object: &Object<'_>, path: Path, node: &mut Node) {
        match object {
            Object::Reference(reference) => node.edges.push(Edge { path, to: self.slot(reference.number) }),
            Object::Array(items) => items.iter().for_each(|item| self.object(item, path, node)),
            Object::Dictionary(dictionary) => self.dictionary(dictionary, path, node),
            _ => {}
        }
    }

    fn dictionary(&mut self, dictionary: &Dictionary<'_>, path: Path, node: &mut Node) {
        for (name, value) in dictionary.iter() {
            if matches!(value, Object::Reference(_) | Object::Array(_) | Object::Dictionary(_)) {
                let key = self.key(name);
                let path = self.then(path, key);
                self.object(value, path, node);
            }
            if let (b"V", Object::Reference(value)) = (name, value) {
                node.decisive.push(self.slot(value.number));
            }
        }
    }
}
