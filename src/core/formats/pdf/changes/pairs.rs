//! Which parts of two objects are compared with each other: entries by key, elements by place, members of a set by
//! object number.

use super::graph::Slot;
use super::keys::Key;
use super::value::{equal, is_simple};
use super::walk::Walk;
use crate::formats::pdf::object::{Dictionary, Object};
use std::collections::{HashMap, HashSet};

/// A pair of values to compare: entries of two dictionaries or, without a key, elements of two arrays.
pub(super) enum Pair<'a> {
    /// Two values, with the object whose number is reported.
    Both { key: Option<Key>, object: Option<Slot>, before: Object<'a>, after: Object<'a> },
    /// References to the same object number.
    Same { key: Option<Key>, object: Slot },
}

impl<'a> Walk<'a, '_, '_> {
    /// Pairs the entries of two dictionaries by their keys; those of the signed revision come first.
    pub(super) fn entries(&mut self, old: &Dictionary<'a>, new: &Dictionary<'a>) -> Vec<Pair<'a>> {
        let mut pairs = Vec::new();
        let (mut in_old, mut in_new) = (Entries::of(old), Entries::of(new));
        for (place, (name, before)) in old.iter().enumerate() {
            let after = in_new.find(name, place).unwrap_or(&Object::Null);
            if is_simple(before) && equal(before, after) {
                continue;
            }
            let key = Some(self.graph.keys.key(name));
            pairs.push(self.pair_of(key, before, after));
        }
        for (place, (name, after)) in new.iter().enumerate() {
            if in_old.find(name, place).is_none() {
                let key = Some(self.graph.keys.key(name));
                pairs.push(Pair::Both { key, object: None, before: Object::Null, after: after.clone() });
            }
        }
        // What both give to readers that take the first of two entries (7.3.7).
        for ((name, before), (_, after)) in old.replaced().iter().zip(new.replaced()) {
            let key = Some(self.graph.keys.key(name));
            pairs.push(self.pair_of(key, before, after));
        }
        // Pages and fields first: what refers back to them was entered at its place then.
        let first = |pair: &Pair<'a>| match pair {
            Pair::Both { key: Some(key), .. } | Pair::Same { key: Some(key), .. } => {
                !matches!(&**self.graph.keys.name(*key), b"Pages" | b"AcroForm")
            }
            _ => true,
        };
        if self.frames.is_empty() {
            crate::order::sort_by_key(&mut pairs, first);
        }
        pairs
    }

    fn pair_of(&mut self, key: Option<Key>, before: &Object<'a>, after: &Object<'a>) -> Pair<'a> {
        let object = before.reference().or(after.reference().filter(|_| key.is_none()));
        let object = object.map(|reference| self.slot(reference.number));
        match object {
            Some(object) if before.reference() == after.reference() => Pair::Same { key, object },
            object => Pair::Both { key, object, before: before.clone(), after: after.clone() },
        }
    }

    /// Pairs the elements of two arrays by their index.
    pub(super) fn elements(&mut self, first: &[Object<'a>], second: &[Object<'a>]) -> Vec<Pair<'a>> {
        let mut pairs = Vec::new();
        for place in 0..first.len().max(second.len()) {
            let [before, after] = [first, second].map(|items| items.get(place).unwrap_or(&Object::Null));
            if !(is_simple(before) && equal(before, after)) {
                pairs.push(self.pair_of(None, before, after));
            }
        }
        pairs
    }

    /// Pairs the members of two sets by their object numbers, and direct ones by their index among these; `None` where
    /// those that both have come in another order, or more often: a later annotation covers an earlier one, and what is
    /// nearly transparent hides the page once it is drawn often enough (ISO 32000-1 §12.5.2, §11.3.6).
    pub(super) fn members(&mut self, first: &[Object<'a>], second: &[Object<'a>]) -> Option<Vec<Pair<'a>>> {
        let mut pairs = Vec::new();
        let number = |object: &Object<'a>| object.reference().map(|reference| reference.number);
        let [before, after] = [first, second].map(|items| {
            let mut counts = HashMap::new();
            items.iter().filter_map(number).for_each(|number| *counts.entry(number).or_insert(0) += 1);
            counts
        });
        if before.iter().any(|(number, count)| after.get(number).is_some_and(|other| other != count)) {
            return None;
        }
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
            pairs.push(self.pair_of(None, before, after));
        }
        let direct = |items: &[Object<'a>]| -> Vec<Object<'a>> {
            items.iter().filter(|object| object.reference().is_none()).cloned().collect()
        };
        let direct = self.elements(&direct(first), &direct(second));
        pairs.extend(direct);
        for after in second.iter().filter(|object| number(object).is_some_and(|number| known.insert(number))) {
            pairs.push(self.pair_of(None, &Object::Null, after));
        }
        Some(pairs)
    }
}

/// Finds entries of a dictionary. Most stand at the index where they stood, so that a table is made only where one moved.
struct Entries<'o, 'a> {
    dictionary: &'o Dictionary<'a>,
    table: Option<HashMap<&'o [u8], &'o Object<'a>>>,
}

impl<'o, 'a> Entries<'o, 'a> {
    fn of(dictionary: &'o Dictionary<'a>) -> Self {
        Self { dictionary, table: None }
    }

    /// Returns the value of `key`, which is the entry at index `place` in the other revision.
    fn find(&mut self, key: &[u8], place: usize) -> Option<&'o Object<'a>> {
        match self.dictionary.at(place) {
            Some((name, value)) if name == key => Some(value),
            _ if self.dictionary.len() <= 24 => self.dictionary.get(key),
            _ => self.table.get_or_insert_with(|| self.dictionary.iter().collect()).get(key).copied(),
        }
    }
}
