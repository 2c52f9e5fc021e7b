//! Objects of a PDF as they are written, duplicates and all.

use std::collections::BTreeMap;
use std::fmt;

/// A value. Bytes stand for the characters of the same number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A number, name, string, reference, `true`, `null`: as it is written.
    Atom(String),
    Array(Vec<Value>),
    Dictionary(Vec<(String, Value)>),
}

/// An indirect object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    pub value: Value,
    pub stream: Option<Vec<u8>>,
}

/// Objects by their numbers.
pub type Objects = BTreeMap<u32, Object>;

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Atom(text) => f.write_str(text),
            Self::Array(values) => {
                f.write_str("[")?;
                for (at, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if at == 0 { "" } else { " " })?;
                }
                f.write_str("]")
            }
            Self::Dictionary(entries) => {
                f.write_str("<<")?;
                for (key, value) in entries {
                    write!(f, " /{key} {value}")?;
                }
                f.write_str(" >>")
            }
        }
    }
}

/// The value that the text writes.
pub fn value(text: &str) -> Value {
    Reader { bytes: text.as_bytes(), at: 0 }.value().unwrap_or_else(|| panic!("no value: {text}"))
}

/// An object without a stream.
pub fn object(text: &str) -> Object {
    Object { value: value(text), stream: None }
}

/// A stream with those entries besides its length.
pub fn stream(entries: &str, bytes: &[u8]) -> Object {
    let mut value = value(&format!("<< {entries} >>"));
    value.set("Length", &bytes.len().to_string());
    Object { value, stream: Some(bytes.to_vec()) }
}

impl Value {
    pub fn entries(&self) -> &[(String, Value)] {
        match self {
            Self::Dictionary(entries) => entries,
            _ => &[],
        }
    }

    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entries().iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        match self {
            Self::Dictionary(entries) => entries.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Sets an entry in its place, or adds it.
    pub fn put(&mut self, key: &str, new: Value) {
        match self.get_mut(key) {
            Some(value) => *value = new,
            None => self.add(key, new),
        }
    }

    pub fn set(&mut self, key: &str, text: &str) {
        self.put(key, value(text));
    }

    /// Adds an entry, whether there is one or not.
    pub fn add(&mut self, key: &str, new: Value) {
        if let Self::Dictionary(entries) = self {
            entries.push((key.to_owned(), new));
        }
    }

    pub fn remove(&mut self, key: &str) {
        if let Self::Dictionary(entries) = self {
            entries.retain(|(name, _)| name != key);
        }
    }

    pub fn items(&self) -> &[Value] {
        match self {
            Self::Array(items) => items,
            _ => &[],
        }
    }

    pub fn push(&mut self, text: &str) {
        if let Self::Array(items) = self {
            items.push(value(text));
        }
    }

    /// Adds a reference where the array has it not yet.
    pub fn enlist(&mut self, number: u32) {
        if !self.items().iter().any(|item| item.reference() == Some(number)) {
            self.push(&format!("{number} 0 R"));
        }
    }

    /// The number of the object that it refers to.
    pub fn reference(&self) -> Option<u32> {
        let Self::Atom(text) = self else { return None };
        text.strip_suffix(" R")?.split(' ').next()?.parse().ok()
    }

    pub fn text(&self) -> &str {
        match self {
            Self::Atom(text) => text,
            _ => "",
        }
    }

    /// Whether the entry is that name.
    pub fn is(&self, key: &str, name: &str) -> bool {
        self.get(key).is_some_and(|value| value.text().strip_prefix('/') == Some(name))
    }

    /// The bytes that are written.
    pub fn bytes(&self) -> Vec<u8> {
        latin(&self.to_string())
    }
}

/// Each character as the byte of its number.
pub fn latin(text: &str) -> Vec<u8> {
    text.chars().map(|c| c as u8).collect()
}

/// Reads values, as far as files go that ordinary tools write.
pub struct Reader<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or_default()
    }

    fn blanks(&mut self) {
        while self.at < self.bytes.len() && matches!(self.peek(), 0 | 9 | 10 | 12 | 13 | 32) {
            self.at += 1;
        }
    }

    fn word(&mut self) -> String {
        let start = self.at;
        self.at += usize::from(self.at < self.bytes.len());
        while self.at < self.bytes.len() && !b"\0\t\n\x0c\r ()<>[]{}/%".contains(&self.peek()) {
            self.at += 1;
        }
        self.bytes[start..self.at].iter().map(|byte| *byte as char).collect()
    }

    pub fn value(&mut self) -> Option<Value> {
        self.blanks();
        if self.at >= self.bytes.len() {
            return None;
        }
        match self.peek() {
            b'<' if self.bytes.get(self.at + 1) == Some(&b'<') => self.dictionary(),
            b'<' => self.until(b'>'),
            b'(' => self.string(),
            b'[' => self.array(),
            b']' | b'>' | b')' => None,
            _ => Some(self.atom()),
        }
    }

    /// A word, or the three of a reference.
    fn atom(&mut self) -> Value {
        let word = self.word();
        let back = self.at;
        if !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()) {
            self.blanks();
            let generation = self.word();
            self.blanks();
            if generation.bytes().all(|byte| byte.is_ascii_digit()) && self.word() == "R" {
                return Value::Atom(format!("{word} {generation} R"));
            }
            self.at = back;
        }
        Value::Atom(word)
    }

    fn until(&mut self, end: u8) -> Option<Value> {
        let length = self.bytes[self.at..].iter().position(|byte| *byte == end)? + 1;
        let text = self.bytes[self.at..self.at + length].iter().map(|byte| *byte as char).collect();
        self.at += length;
        Some(Value::Atom(text))
    }

    fn string(&mut self) -> Option<Value> {
        let (start, mut depth) = (self.at, 0);
        loop {
            match self.bytes.get(self.at)? {
                b'\\' => self.at += 1,
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Some(Value::Atom(self.bytes[start..self.at].iter().map(|byte| *byte as char).collect()));
            }
        }
    }

    fn array(&mut self) -> Option<Value> {
        self.at += 1;
        let mut items = vec![];
        while let Some(item) = self.value() {
            items.push(item);
        }
        (self.peek() == b']').then(|| self.at += 1)?;
        Some(Value::Array(items))
    }

    fn dictionary(&mut self) -> Option<Value> {
        self.at += 2;
        let mut entries = vec![];
        loop {
            self.blanks();
            if self.bytes[self.at..].starts_with(b">>") {
                self.at += 2;
                return Some(Value::Dictionary(entries));
            }
            let key = self.word().strip_prefix('/')?.to_owned();
            entries.push((key, self.value()?));
        }
    }
}
