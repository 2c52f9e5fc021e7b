//! Which object refers to which, and by what keys: all that a comparison needs of an object that did not change.
//!
//! Most of a document is the same in two of its revisions. The graph is that of the latest revision; each object is read
//! into it once for all comparisons. A revision is named by its *newer sections*: how many cross-reference sections the
//! whole file has beyond those of the revision. Where the cross-references of both revisions name the same location of
//! the file for a number, the object is the same.

use super::keys::{Keys, Path};
use super::reach::ReachState;
use super::role::{Class, Role};
use crate::formats::pdf::file::File;
use crate::formats::pdf::object::{Dictionary, Object};
use crate::formats::pdf::object_map::ObjectMap;
use crate::formats::pdf::revision::Revision;
use std::collections::HashSet;
use std::rc::Rc;

/// An object of the graph: a small number for an object number that was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Slot(u32);

/// A reference in an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub path: Path,
    pub to: Slot,
}

/// The references in an object of the latest revision.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub edges: Vec<Edge>,
    /// Whether the object is an array.
    pub is_array: bool,
    /// The objects that decide what this one is: the `/V` of a field, the `/Length` of a stream.
    decisive: Vec<Slot>,
    /// The byte where the object ends, with the bytes of the stream that it is or in which it is.
    pub end: usize,
}

/// The objects of the latest revision, as far as comparisons came.
#[derive(Debug, Default)]
pub(in crate::formats::pdf) struct Graph {
    pub(super) keys: Keys,
    objects: Vec<ObjectState>,
    slots: ObjectMap<Slot>,
    /// What changed from revision to revision; `None` before the first comparison.
    changes: Option<SectionChanges>,
    /// The object streams of the latest revision whose reading needs other objects; `None` before they were looked for.
    dependent: Option<Rc<[u32]>>,
    /// The newer sections of the signed revision; `None` where locations do not tell what is the same.
    newer_sections: Option<usize>,
    /// How many walks began.
    walk: u32,
    /// The paths, actions and classes of the differences that the present walk recorded; the next one finds room for its own.
    pub(super) recorded: HashSet<(String, u8, Class)>,
}

/// What changed from section to section.
#[derive(Debug, Default)]
struct SectionChanges {
    /// The object streams that changed, each with the oldest section that names it.
    object_streams: Vec<(u32, usize)>,
    /// Whether every section was looked at.
    complete: bool,
}

/// What is known of the object of a number.
#[derive(Debug)]
struct ObjectState {
    number: u32,
    /// `None`: not read yet. `Some(None)`: not where the cross-references say, or a mere reference.
    node: Option<Option<Rc<Node>>>,
    /// The least number of newer sections without which it is another object than in the latest revision.
    changed_from: usize,
    reach: ReachState,
    /// The last walk that entered it, and the roles in which that did.
    walk: u32,
    roles: u64,
}

impl Graph {
    /// Returns the slot of an object number.
    pub(super) fn slot(&mut self, number: u32, file: &File<'_>) -> Slot {
        if let Some(slot) = self.slots.get(number) {
            return *slot;
        }
        let slot = Slot(self.objects.len() as u32);
        self.slots.insert(number, slot, file.dense_numbers());
        self.objects.push(ObjectState {
            number,
            node: None,
            changed_from: usize::MAX,
            reach: ReachState::Unknown,
            walk: 0,
            roles: 0,
        });
        slot
    }

    /// Returns the object number of a slot.
    pub(super) fn number(&self, slot: Slot) -> u32 {
        self.objects[slot.0 as usize].number
    }

    /// Begins the comparison of `signed` with `last`.
    pub(super) fn begin_comparison(&mut self, signed: &Revision<'_, '_>, last: &Revision<'_, '_>) {
        if self.changes.is_none() {
            self.changes = Some(self.find_changes(last));
        }
        self.newer_sections = signed.newer_sections().filter(|newer| self.locations_decide(*newer, last));
    }

    /// Makes the present comparison compare everything, whatever its location.
    #[cfg(test)]
    pub(super) fn ignore_locations(&mut self) {
        self.newer_sections = None;
    }

    /// Returns the newer sections of the signed revision, where locations tell what is the same.
    pub(super) fn newer_sections(&self) -> Option<usize> {
        self.newer_sections
    }

    /// Finds for every object since when it is what it is in the latest revision.
    fn find_changes(&mut self, last: &Revision<'_, '_>) -> SectionChanges {
        let file = last.file();
        let streams = last.object_streams();
        let mut changes = SectionChanges::default();
        for (newer_sections, section) in (1..).zip(file.sections()) {
            for (number, _) in section.entries() {
                if !file.step() {
                    return changes;
                }
                if file.location(*number, newer_sections) != last.location(*number) {
                    let slot = self.slot(*number, file);
                    let object = &mut self.objects[slot.0 as usize];
                    if let (usize::MAX, Some(oldest)) = (object.changed_from, streams.get(number)) {
                        changes.object_streams.push((*number, *oldest));
                    }
                    object.changed_from = object.changed_from.min(newer_sections);
                }
            }
        }
        changes.complete = true;
        changes
    }

    /// Returns the object streams whose reading needs other objects: a length, a place or a filter that is a reference.
    pub(super) fn dependent_object_streams(&mut self, last: &Revision<'_, '_>) -> Rc<[u32]> {
        let find = || {
            let refers = |number: &u32| match last.in_place(*number) {
                Some((Object::Stream(stream), _)) => stream.dictionary.iter().any(|(_, value)| has_reference(value)),
                _ => false,
            };
            let mut numbers: Vec<u32> = last.object_streams().into_keys().filter(refers).collect();
            crate::order::sort(&mut numbers);
            numbers.into()
        };
        self.dependent.get_or_insert_with(find).clone()
    }

    /// Returns whether locations tell what is the same in the revision without `newer_sections`.
    fn locations_decide(&self, newer_sections: usize, last: &Revision<'_, '_>) -> bool {
        // An object stream that is another one than the signed revision names: its objects may be other objects. No
        // writer does that.
        let is_replaced = |&(number, oldest): &(u32, usize)| {
            oldest >= newer_sections && last.file().location(number, newer_sections) != last.location(number)
        };
        self.changes.as_ref().is_some_and(|changes| changes.complete && !changes.object_streams.iter().any(is_replaced))
    }

    /// Returns whether an object is another one in the revision without `newer_sections`.
    fn is_changed(&self, slot: Slot, newer_sections: usize, last: &Revision<'_, '_>) -> bool {
        let object = &self.objects[slot.0 as usize];
        object.changed_from <= newer_sections
            && last.file().location(object.number, newer_sections) != last.location(object.number)
    }

    /// Returns the least number of newer sections without which an object is another one.
    pub(super) fn changed_from(&self, slot: Slot) -> usize {
        self.objects[slot.0 as usize].changed_from
    }

    /// Returns how much is known of what can be reached from an object.
    pub(super) fn reach(&mut self, slot: Slot) -> &mut ReachState {
        &mut self.objects[slot.0 as usize].reach
    }

    /// Begins a walk of the present comparison.
    pub(super) fn begin_walk(&mut self) {
        self.walk += 1;
        self.recorded.clear();
    }

    /// Returns the state of an object in the present walk.
    fn in_walk(&mut self, slot: Slot) -> &mut ObjectState {
        let object = &mut self.objects[slot.0 as usize];
        if object.walk != self.walk {
            (object.walk, object.roles) = (self.walk, 0);
        }
        object
    }

    /// Records that this walk enters an object in a role; `false` where it did before.
    pub(super) fn enter(&mut self, slot: Slot, role: Role) -> bool {
        let object = self.in_walk(slot);
        let is_first = object.roles & role.bit() == 0;
        object.roles |= role.bit();
        is_first
    }

    /// Returns whether this walk entered an object in the role that it has by its place in the document.
    pub(super) fn was_entered_at_its_place(&mut self, slot: Slot) -> bool {
        self.in_walk(slot).roles & Role::places() != 0
    }

    /// Returns the references in an object that is the same one in both compared revisions.
    pub(super) fn unchanged(
        &mut self,
        slot: Slot,
        signed: &Revision<'_, '_>,
        last: &Revision<'_, '_>,
    ) -> Option<Rc<Node>> {
        let newer_sections = self.newer_sections?;
        if self.is_changed(slot, newer_sections, last) {
            return None;
        }
        let node = self.node(slot, last)?;
        let mut is_same = |slot: &Slot| {
            !self.is_changed(*slot, newer_sections, last)
                && self.node(*slot, last).is_some_and(|node| node.end < signed.end())
        };
        (node.end < signed.end() && node.decisive.iter().all(&mut is_same)).then_some(node)
    }

    /// Returns the references in an object of the latest revision; `None` where it is not where the cross-references
    /// say, or a mere reference.
    pub(super) fn node(&mut self, slot: Slot, last: &Revision<'_, '_>) -> Option<Rc<Node>> {
        let object = &self.objects[slot.0 as usize];
        if let Some(node) = &object.node {
            return node.clone();
        }
        let node = self.read(object.number, last).map(Rc::new);
        self.objects[slot.0 as usize].node = Some(node.clone());
        node
    }

    fn read(&mut self, number: u32, last: &Revision<'_, '_>) -> Option<Node> {
        if last.location(number).is_none() {
            return Some(Node::default());
        }
        let (object, end) = last.in_place(number)?;
        let mut node = Node { end, is_array: matches!(object, Object::Array(_)), ..Node::default() };
        match &object {
            Object::Reference(_) => return None,
            Object::Stream(stream) => {
                if let Some(length) = stream.dictionary.get(b"Length").and_then(Object::reference) {
                    node.decisive.push(self.slot(length.number, last.file()));
                }
                self.add_entries(&stream.dictionary, Path::HERE, last.file(), &mut node);
            }
            object => self.add(object, Path::HERE, last.file(), &mut node),
        }
        Some(node)
    }

    /// Adds the references in an object, as deep as it is nested, which the lexer bounds.
    fn add(&mut self, object: &Object<'_>, path: Path, file: &File<'_>, node: &mut Node) {
        match object {
            Object::Reference(reference) => node.edges.push(Edge { path, to: self.slot(reference.number, file) }),
            Object::Array(items) => items.iter().for_each(|item| self.add(item, path, file, node)),
            Object::Dictionary(dictionary) => self.add_entries(dictionary, path, file, node),
            _ => {}
        }
    }

    fn add_entries(&mut self, dictionary: &Dictionary<'_>, path: Path, file: &File<'_>, node: &mut Node) {
        let replaced = dictionary.replaced().iter().map(|(name, value)| (&**name, value));
        for (name, value) in dictionary.iter().chain(replaced) {
            if matches!(value, Object::Reference(_) | Object::Array(_) | Object::Dictionary(_)) {
                let key = self.keys.key(name);
                let path = self.keys.extend(path, key);
                self.add(value, path, file, node);
            }
            if let (b"V", Object::Reference(value)) = (name, value) {
                node.decisive.push(self.slot(value.number, file));
            }
        }
    }
}

/// Returns whether a value is a reference or has one in it, as deep as the lexer nests.
fn has_reference(object: &Object<'_>) -> bool {
    match object {
        Object::Reference(_) => true,
        Object::Array(items) => items.iter().any(has_reference),
        Object::Dictionary(dictionary) => dictionary.iter().any(|(_, value)| has_reference(value)),
        _ => false,
    }
}
