//! The eight kinds of object that a PDF is made of: ISO 32000-1 §7.3.

use super::string::PdfString;
use std::borrow::Cow;
use std::collections::HashMap;
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
        self.entries.iter().find(|(name, _)| &**name == key).map(|(_, value)| value)
    }

    /// Sets `key`, in its old place if it has one.
    pub fn insert(&mut self, key: Cow<'a, [u8]>, value: Object<'a>) {
        match self.entries.iter_mut().find(|(name, _)| *name == key) {
            Some(entry) => entry.1 = value,
            None => self.entries.push((key, value)),
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
        let mut dictionary = Dictionary { entries: Vec::with_capacity(entries.len()), replaced: Vec::new() };
        // Looking each key up would take quadratic time, which an attacker could choose.
        let mut table = (entries.len() > SMALL).then(HashMap::new);
        for (key, value) in entries {
            let next = dictionary.entries.len();
            let place = match &mut table {
                Some(table) => *table.entry(key.clone()).or_insert(next),
                None => dictionary.entries.iter().position(|(known, _)| *known == key).unwrap_or(next),
            };
            match dictionary.entries.get_mut(place) {
                Some((_, known)) if *known == value => {}
                Some((_, known)) => dictionary.replaced.push((key, std::mem::replace(known, value))),
                None => dictionary.entries.push((key, value)),
            }
        }
        dictionary
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
        Dictionary { entries: owned(self.entries), replaced: owned(self.replaced) }
    }
}

/// The number of entries up to which a linear search is faster than a table.
const SMALL: usize = 24;
