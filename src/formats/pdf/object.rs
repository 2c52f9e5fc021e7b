//! The eight kinds of object that a PDF is made of: ISO 32000-1 §7.3.

use super::lexer::{decode_hexadecimal, unescape};
use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

/// An indirect object's number and generation (ISO 32000-1 §7.3.10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reference {
    /// The object number, above zero.
    pub number: u32,
    /// The generation number.
    pub generation: u16,
}

/// An object. Cloning is cheap: whatever may be large is shared.
#[derive(Debug, Clone, PartialEq)]
pub enum Object<'a> {
    /// `null`, and whatever a reference to nothing stands for.
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
    /// A dictionary with octets.
    Stream(Rc<Stream<'a>>),
    /// A reference to an indirect object.
    Reference(Reference),
}

/// A string: ISO 32000-1 §7.3.4. It is decoded where its octets are asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct PdfString<'a> {
    written: Cow<'a, [u8]>,
    notation: Notation,
    /// Where it stands in the file, delimiters included. `None` in an object stream, and where it was encrypted.
    pub span: Option<Range<usize>>,
}

/// How a string is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// Octet by octet.
    Plain,
    /// With escapes or line ends that stand for others (§7.3.4.2).
    Escaped,
    /// In hexadecimal (§7.3.4.3).
    Hexadecimal,
}

impl<'a> PdfString<'a> {
    /// As it is written, without its delimiters.
    pub(super) fn new(written: &'a [u8], notation: Notation, span: Range<usize>) -> Self {
        Self { written: Cow::Borrowed(written), notation, span: Some(span) }
    }

    /// Its octets.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match self.notation {
            Notation::Plain => Cow::Borrowed(&self.written),
            Notation::Escaped => Cow::Owned(unescape(&self.written)),
            Notation::Hexadecimal => Cow::Owned(decode_hexadecimal(&self.written)),
        }
    }

    /// Whether the octets of both are the same, however they are written.
    pub fn means(&self, other: &Self) -> bool {
        self.notation == other.notation && self.written == other.written || self.bytes() == other.bytes()
    }

    /// A string of these octets instead, such as decryption yields.
    pub(super) fn of(bytes: Vec<u8>) -> Self {
        Self { written: Cow::Owned(bytes), notation: Notation::Plain, span: None }
    }

    fn into_owned<'b>(self) -> PdfString<'b> {
        PdfString { written: Cow::Owned(self.written.into_owned()), notation: self.notation, span: None }
    }
}

/// A dictionary: ISO 32000-1 §7.3.7. A key that comes twice has the value that came last.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dictionary<'a> {
    entries: Vec<(Cow<'a, [u8]>, Object<'a>)>,
    /// Whether a key came twice.
    repeats: bool,
}

/// A stream: ISO 32000-1 §7.3.8.
#[derive(Debug, Clone, PartialEq)]
pub struct Stream<'a> {
    /// Its dictionary.
    pub dictionary: Dictionary<'a>,
    /// Where its octets start in the file. Where they end is for its `/Length` to say, which may be
    /// another object and so differ from revision to revision.
    pub start: usize,
    /// The object that it is: the key to its encryption.
    pub id: Reference,
}

impl<'a> Object<'a> {
    /// The name, if it is one.
    pub fn name(&self) -> Option<&[u8]> {
        match self {
            Object::Name(name) => Some(name),
            _ => None,
        }
    }

    /// The whole number, if it is one. A real number without fraction is taken for one.
    pub fn integer(&self) -> Option<i64> {
        match *self {
            Object::Integer(value) => Some(value),
            Object::Real(value) if value.fract() == 0.0 && value.abs() < 9e15 => Some(value as i64),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match *self {
            Object::Integer(value) => Some(value as f64),
            Object::Real(value) => Some(value),
            _ => None,
        }
    }

    /// The string, if it is one.
    pub fn string(&self) -> Option<&Rc<PdfString<'a>>> {
        match self {
            Object::String(string) => Some(string),
            _ => None,
        }
    }

    /// The reference, if it is one.
    pub fn reference(&self) -> Option<Reference> {
        match self {
            Object::Reference(reference) => Some(*reference),
            _ => None,
        }
    }

    /// The same object, owning its octets: for what stands in an object stream.
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
    /// The value of `key` as it stands there: perhaps a reference.
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

    /// The entries in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &Object<'a>)> {
        self.entries.iter().map(|(name, value)| (&**name, value))
    }

    /// The entry at a place.
    pub(super) fn at(&self, place: usize) -> Option<(&[u8], &Object<'a>)> {
        self.entries.get(place).map(|(name, value)| (&**name, value))
    }

    /// Whether a key came twice when it was read.
    pub fn repeats(&self) -> bool {
        self.repeats
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Made of `entries`, of which a later one of the same key replaces an earlier.
    pub(super) fn from_entries(entries: impl ExactSizeIterator<Item = (Cow<'a, [u8]>, Object<'a>)>) -> Self {
        if entries.len() <= SMALL {
            let count = entries.len();
            let mut dictionary = Dictionary { entries: Vec::with_capacity(count), repeats: false };
            for (key, value) in entries {
                dictionary.insert(key, value);
            }
            dictionary.repeats = dictionary.entries.len() < count;
            return dictionary;
        }
        // Looking each key up would take quadratic time, which an attacker could choose.
        let count = entries.len();
        let mut places = std::collections::HashMap::new();
        let mut kept: Vec<(Cow<'a, [u8]>, Object<'a>)> = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            match places.get(&key) {
                Some(&place) => {
                    let entry: &mut (Cow<'a, [u8]>, Object<'a>) = &mut kept[place];
                    entry.1 = value;
                }
                None => {
                    places.insert(key.clone(), kept.len());
                    kept.push((key, value));
                }
            }
        }
        Dictionary { repeats: kept.len() < count, entries: kept }
    }

    /// Applies `change` to every value.
    pub(super) fn for_each_value(&mut self, mut change: impl FnMut(&[u8], &mut Object<'a>)) {
        for (key, value) in &mut self.entries {
            change(key, value);
        }
    }

    fn into_owned<'b>(self) -> Dictionary<'b> {
        Dictionary {
            repeats: self.repeats,
            entries: self
                .entries
                .into_iter()
                .map(|(key, value)| (Cow::Owned(key.into_owned()), value.into_owned()))
                .collect(),
        }
    }
}

/// Up to so many entries a linear search is faster than a table.
const SMALL: usize = 24;
