//! Values to be written.

use crate::formats::pdf::{Object, Reference};
use std::borrow::Cow;

/// A value to be written: ISO 32000-1 §7.3.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Real(f64),
    /// A name without its solidus.
    Name(Cow<'static, [u8]>),
    /// The bytes that a string stands for. It is encrypted where the file is.
    String(Vec<u8>),
    /// The bytes that a string stands for, which is never encrypted.
    Clear(Vec<u8>),
    /// A reference to an indirect object.
    Reference(Reference),
    /// An array.
    Array(Vec<Value>),
    /// A dictionary.
    Dictionary(Entries),
    /// A number or string as it is written in the file, in the object that it is in. A string is encrypted already.
    Kept(Vec<u8>),
}

impl Value {
    /// Makes a name.
    pub const fn name(name: &'static str) -> Self {
        Self::Name(Cow::Borrowed(name.as_bytes()))
    }

    /// Returns the reference, if it is one.
    pub fn reference(&self) -> Option<Reference> {
        match self {
            Self::Reference(reference) => Some(*reference),
            _ => None,
        }
    }

    /// Returns the whole number, if it is one.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Self::Integer(value) => Some(*value),
            _ => None,
        }
    }

    /// Says what it is, for an error.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Boolean(_) => "a boolean",
            Self::Integer(_) | Self::Real(_) => "a number",
            Self::Name(_) => "a name",
            Self::String(_) | Self::Clear(_) => "a string",
            Self::Reference(_) => "a reference",
            Self::Array(_) => "an array",
            Self::Dictionary(_) => "a dictionary",
            Self::Kept(_) => "a number or string",
        }
    }

    /// Makes the value of an object that was read, whose strings are decrypted.
    pub(super) fn of(object: &Object<'_>) -> Self {
        match object {
            Object::Null => Self::Null,
            Object::Boolean(value) => Self::Boolean(*value),
            Object::Integer(value) => Self::Integer(*value),
            Object::Real(value) => Self::Real(*value),
            Object::Name(name) => Self::Name(Cow::Owned(name.to_vec())),
            Object::String(string) => Self::String(string.bytes().into_owned()),
            Object::Array(items) => Self::Array(items.iter().map(Self::of).collect()),
            Object::Dictionary(dictionary) => Self::Dictionary(Entries::of(dictionary.iter())),
            // A stream is an object of its own; the caller has dealt with it.
            Object::Stream(stream) => Self::Dictionary(Entries::of(stream.dictionary.iter())),
            Object::Reference(reference) => Self::Reference(*reference),
        }
    }
}

impl From<Reference> for Value {
    fn from(reference: Reference) -> Self {
        Self::Reference(reference)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<Entries> for Value {
    fn from(entries: Entries) -> Self {
        Self::Dictionary(entries)
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Self {
        Self::Array(items)
    }
}

/// The entries of a dictionary to be written, in their order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Entries {
    entries: Vec<(Cow<'static, [u8]>, Value)>,
}

impl Entries {
    /// Makes an empty dictionary.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an entry, or replaces the one of the same key in its place.
    pub fn with(mut self, key: &'static str, value: impl Into<Value>) -> Self {
        self.set(key.as_bytes(), value);
        self
    }

    /// Sets an entry, in its old place if it has one.
    pub fn set(&mut self, key: &[u8], value: impl Into<Value>) {
        match self.get_mut(key) {
            Some(old) => *old = value.into(),
            None => self.entries.push((Cow::Owned(key.to_vec()), value.into())),
        }
    }

    /// Takes an entry away.
    pub fn remove(&mut self, key: &[u8]) {
        self.entries.retain(|(name, _)| &**name != key);
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &[u8]) -> Option<&Value> {
        self.entries.iter().find(|(name, _)| &**name == key).map(|(_, value)| value)
    }

    /// Returns the value of a key, to be changed.
    pub fn get_mut(&mut self, key: &[u8]) -> Option<&mut Value> {
        self.entries.iter_mut().find(|(name, _)| &**name == key).map(|(_, value)| value)
    }

    /// Returns the entries in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &Value)> {
        self.entries.iter().map(|(name, value)| (&**name, value))
    }

    /// Makes entries of keys that differ.
    pub(super) fn of_distinct(entries: Vec<(Vec<u8>, Value)>) -> Self {
        Self { entries: entries.into_iter().map(|(key, value)| (Cow::Owned(key), value)).collect() }
    }

    fn of<'o, 'a: 'o>(entries: impl Iterator<Item = (&'o [u8], &'o Object<'a>)>) -> Self {
        Self { entries: entries.map(|(key, value)| (Cow::Owned(key.to_vec()), Value::of(value))).collect() }
    }
}
