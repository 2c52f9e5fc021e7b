//! The eight kinds of object that a PDF is made of: ISO 32000-1 §7.3.

use super::string::PdfString;
use std::borrow::Cow;
use std::rc::Rc;

/// An indirect object's number and generation (ISO 32000-1 §7.3.10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reference {
    /// The object number, above zero.
    pub number: u32,
    /// The generation number.
    pub generation: u16,
}

/// An object. Cloning is cheap, because everything large is shared.
#[derive(Debug, Clone, PartialEq)]
pub enum Object<'a> {
    /// `null`, and the value of a reference to nothing.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Real(f64),
    /// A name, without its solidus and with `#xx` resolved.
    Name(Cow<'a, [u8]>),
    /// A literal or hexadecimal string.
    String(Rc<PdfString<'a>>),
    /// An array.
    Array(Rc<[Object<'a>]>),
    /// A dictionary.
    Dictionary(Rc<Dictionary<'a>>),
    /// A dictionary with bytes.
    Stream(Rc<Stream<'a>>),
    /// A reference to an indirect object.
    Reference(Reference),
}

/// A dictionary: ISO 32000-1 §7.3.7. A key that comes twice has the value that came last.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dictionary<'a> {
    entries: Vec<(Cow<'a, [u8]>, Object<'a>)>,
    /// The indexes of the entries in the order of their keys. Empty where these are few.
    order: Vec<usize>,
    /// The entries of which a later one has the same key and another value.
    replaced: Vec<(Cow<'a, [u8]>, Object<'a>)>,
}

/// A stream: ISO 32000-1 §7.3.8.
#[derive(Debug, Clone, PartialEq)]
pub struct Stream<'a> {
    /// Its dictionary.
    pub dictionary: Dictionary<'a>,
    /// The byte of the file where its bytes start. Its `/Length` says where they end, and may be another object that differs
    /// from revision to revision.
    pub start: usize,
    /// The object that it is, by which it is encrypted.
    pub id: Reference,
}

impl<'a> Object<'a> {
    /// Returns the name, if it is one.
    pub fn name(&self) -> Option<&[u8]> {
        match self {
            Object::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the whole number, if it is one. A real number without fraction counts as one.
    pub fn integer(&self) -> Option<i64> {
        match *self {
            Object::Integer(value) => Some(value),
            Object::Real(value) if value.fract() == 0.0 && value.abs() < 9e15 => Some(value as i64),
            _ => None,
        }
    }

    /// Returns the number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match *self {
            Object::Integer(value) => Some(value as f64),
            Object::Real(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the string, if it is one.
    pub fn string(&self) -> Option<&Rc<PdfString<'a>>> {
        match self {
            Object::String(string) => Some(string),
            _ => None,
        }
    }

    /// Returns the reference, if it is one.
    pub fn reference(&self) -> Option<Reference> {
        match self {
            Object::Reference(reference) => Some(*reference),
            _ => None,
        }
    }

    /// Returns the same object with its own copy of its bytes, for objects of object streams.
    pub fn into_owned<'b>(self) -> Object<'b> {
        match self {
            Object::Null => Object::Null,
            Object::Boolean(value) => Object::Boolean(value),
            Object::Integer(value) => Object::Integer(value),
            Object::Real(value) => Object::Real(value),
            Object::Name(name) => Object::Name(Cow::Owned(name.into_owned())),
            Object::String(string) => Object::String(Rc::new(Rc::unwrap_or_clone(string).into_owned())),
            Object::Array(array) => Object::Array(array.iter().cloned().map(Object::into_owned).collect()),
            Object::Dictionary(dictionary) => Object::Dictionary(Rc::new(Rc::unwrap_or_clone(dictionary).into_owned())),
            Object::Stream(stream) => Object::Stream(Rc::new(Stream {
                dictionary: stream.dictionary.clone().into_owned(),
                start: stream.start,
                id: stream.id,
            })),
            Object::Reference(reference) => Object::Reference(reference),
        }
    }
}

impl<'a> Dictionary<'a> {
    /// Returns the value of `key`, which may be a reference.
    pub fn get(&self, key: &[u8]) -> Option<&Object<'a>> {
        self.entries.get(self.index(key)?).map(|(_, value)| value)
    }

    /// Returns the index of the entry of `key`.
    fn index(&self, key: &[u8]) -> Option<usize> {
        if self.order.is_empty() {
            return self.entries.iter().position(|(name, _)| &**name == key);
        }
        let place = self.order.binary_search_by(|&index| (*self.entries[index].0).cmp(key)).ok()?;
        Some(self.order[place])
    }

    /// Sets `key`, in its old place if it has one.
    pub fn insert(&mut self, key: Cow<'a, [u8]>, value: Object<'a>) {
        match self.index(&key) {
            Some(index) => self.entries[index].1 = value,
            None => {
                self.entries.push((key, value));
                self.order.clear();
            }
        }
    }

    /// Returns the entries in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &Object<'a>)> {
        self.entries.iter().map(|(name, value)| (&**name, value))
    }

    /// Returns the entry at an index.
    pub(super) fn at(&self, place: usize) -> Option<(&[u8], &Object<'a>)> {
        self.entries.get(place).map(|(name, value)| (&**name, value))
    }

    /// Returns the entries of which a later one has the same key and another value: some readers take these.
    pub(super) fn replaced(&self) -> &[(Cow<'a, [u8]>, Object<'a>)] {
        &self.replaced
    }

    /// Returns how many entries it has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether it has none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Makes a dictionary of `entries`, of which a later one of the same key replaces an earlier.
    pub(super) fn from_entries(entries: impl ExactSizeIterator<Item = (Cow<'a, [u8]>, Object<'a>)>) -> Self {
        let mut dictionary = Dictionary { entries: Vec::with_capacity(entries.len()), ..Dictionary::default() };
        if entries.len() <= SMALL {
            for (key, value) in entries {
                let place = dictionary.index(&key);
                dictionary.put(place, key, value);
            }
            return dictionary;
        }
        // Looking each key up in turn would take quadratic time, which an attacker could choose.
        let entries: Vec<_> = entries.collect();
        let mut order = crate::order::positions(entries.len(), &mut |one, other| entries[one].0.cmp(&entries[other].0));
        let mut firsts = vec![0; entries.len()];
        for (rank, &index) in order.iter().enumerate() {
            let before = rank.checked_sub(1).map(|before| order[before]);
            let same = before.filter(|before| entries[*before].0 == entries[index].0);
            firsts[index] = same.map_or(index, |same| firsts[same]);
        }
        let mut places = vec![0; entries.len()];
        for (index, (key, value)) in entries.into_iter().enumerate() {
            let first = firsts[index];
            places[index] = if first < index { places[first] } else { dictionary.entries.len() };
            dictionary.put((first < index).then_some(places[index]), key, value);
        }
        order.retain(|index| firsts[*index] == *index);
        dictionary.order = order.into_iter().map(|index| places[index]).collect();
        dictionary
    }

    /// Puts an entry in place of the one at `place`, which has the same key, or behind all.
    fn put(&mut self, place: Option<usize>, key: Cow<'a, [u8]>, value: Object<'a>) {
        match place.and_then(|place| self.entries.get_mut(place)) {
            Some((_, known)) if *known == value => {}
            Some((_, known)) => self.replaced.push((key, std::mem::replace(known, value))),
            None => self.entries.push((key, value)),
        }
    }

    /// Applies `change` to every value.
    pub(super) fn for_each_value(&mut self, mut change: impl FnMut(&[u8], &mut Object<'a>)) {
        for (key, value) in &mut self.entries {
            change(key, value);
        }
    }

    fn into_owned<'b>(self) -> Dictionary<'b> {
        let owned = |entries: Vec<(Cow<'a, [u8]>, Object<'a>)>| {
            { entries.into_iter() }.map(|(key, value)| (Cow::Owned(key.into_owned()), value.into_owned())).collect()
        };
        Dictionary { entries: owned(self.entries), order: self.order, replaced: owned(self.replaced) }
    }
}

/// The number of entries up to which a linear search is faster than a table.
const SMALL: usize = 24;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_few_and_of_many_keys() {
        for count in [3, 60] {
            // Each key twice, in another order: the last value counts, in the place of the first.
            let numbers = (0..count).chain((0..count).rev());
            let entries: Vec<_> = numbers
                .enumerate()
                .map(|(value, key)| (Cow::Owned(format!("k{key}").into_bytes()), Object::Integer(value as i64)))
                .collect();
            let mut dictionary = Dictionary::from_entries(entries.into_iter());
            assert_eq!((dictionary.len() as i64, dictionary.replaced().len() as i64), (count, count), "7.3.7");
            for key in 0..count {
                let name = format!("k{key}").into_bytes();
                assert_eq!(
                    dictionary.get(&name),
                    Some(&Object::Integer(2 * count - 1 - key)),
                    "7.3.7: key {key} of {count}"
                );
                assert_eq!(
                    dictionary.at(key as usize).map(|(name, _)| name.to_vec()),
                    Some(name),
                    "7.3.7: key {key} of {count}"
                );
            }
            assert_eq!(dictionary.get(b"k"), None, "7.3.7: of {count}");
            dictionary.insert(Cow::Borrowed(b"k"), Object::Null);
            dictionary.insert(Cow::Borrowed(b"k0"), Object::Null);
            assert_eq!(
                [b"k".as_slice(), b"k0"].map(|key| dictionary.get(key)),
                [Some(&Object::Null); 2],
                "7.3.7: of {count}"
            );
        }
    }
}
