//! Strict JSON: RFC 8259, I-JSON (RFC 7493 §2.3: no member twice), with the place of every value in the text.
//!
//! Two readers that disagree on a document are two documents: whatever RFC 8259 leaves open is refused here rather
//! than decided.

use crate::budget::Budget;
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

/// Why a text is not JSON that is read here. Places are bytes from the beginning.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JsonError {
    /// RFC 8259 §8.1: JSON is UTF-8.
    #[error("at byte {at}: found bytes that are not UTF-8")]
    NotUtf8 {
        /// Where.
        at: usize,
    },
    /// Something else than the grammar has.
    #[error("at byte {at}: found {found}, expected {expected}")]
    Syntax {
        /// Where.
        at: usize,
        /// What is there.
        found: String,
        /// What should be.
        expected: &'static str,
    },
    /// A member of an object is there twice.
    #[error("at byte {at}: the object has a second member `{name}`; expected each name once")]
    Duplicate {
        /// Where the second one is.
        at: usize,
        /// Its name.
        name: String,
    },
    /// Arrays and objects in each other beyond the budget.
    #[error("at byte {at}: values are nested more than {limit} deep, the most that is read")]
    TooDeep {
        /// Where.
        at: usize,
        /// The most.
        limit: usize,
    },
    /// More values than the budget has.
    #[error("at byte {at}: there are more than {limit} values, the most that is read")]
    TooMany {
        /// Where.
        at: usize,
        /// The most.
        limit: usize,
    },
    /// A number with more digits than the budget has.
    #[error("at byte {at}: found a number of {length} characters, of which at most {limit} are read")]
    LongNumber {
        /// Where.
        at: usize,
        /// Its length.
        length: usize,
        /// The most.
        limit: usize,
    },
}

/// A value and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node<'t> {
    /// The value.
    pub value: Value<'t>,
    /// The bytes of the text that it is written in.
    pub span: Range<usize>,
}

/// A JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value<'t> {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number, as written.
    Number(Cow<'t, str>),
    /// A string, without its escapes.
    String(Cow<'t, str>),
    /// An array.
    Array(Vec<Node<'t>>),
    /// An object: its members in order.
    Object(Vec<(Cow<'t, str>, Node<'t>)>),
}

impl<'t> Node<'t> {
    /// Returns `null`, which stands nowhere.
    pub(super) fn null() -> Self {
        Self { value: Value::Null, span: 0..0 }
    }

    /// Takes the value of the member of an object with this name; an array is empty from then on, anything else null.
    pub(super) fn take(&mut self, name: &str) -> Option<Self> {
        let Value::Object(members) = &mut self.value else { return None };
        let (_, node) = members.iter_mut().find(|(member, _)| member == name)?;
        let left = if let Value::Array(_) = node.value { Value::Array(vec![]) } else { Value::Null };
        Some(std::mem::replace(node, Self { value: left, span: node.span.clone() }))
    }

    /// Returns the same without the text that it was read from.
    pub fn into_owned(self) -> Node<'static> {
        let value = match self.value {
            Value::Null => Value::Null,
            Value::Bool(value) => Value::Bool(value),
            Value::Number(number) => Value::Number(Cow::Owned(number.into_owned())),
            Value::String(text) => Value::String(Cow::Owned(text.into_owned())),
            Value::Array(elements) => Value::Array(elements.into_iter().map(Node::into_owned).collect()),
            Value::Object(members) => {
                let owned =
                    |(name, value): (Cow<'t, str>, Node<'t>)| (Cow::Owned(name.into_owned()), value.into_owned());
                Value::Object(members.into_iter().map(owned).collect())
            }
        };
        Node { value, span: self.span }
    }

    /// Returns the member of an object with this name.
    pub fn get(&self, name: &str) -> Option<&Node<'t>> {
        self.members().iter().find(|(member, _)| member == name).map(|(_, value)| value)
    }

    /// Returns the members of an object; of anything else none.
    pub fn members(&self) -> &[(Cow<'t, str>, Node<'t>)] {
        match &self.value {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// Returns the elements of an array; of anything else none.
    pub fn elements(&self) -> &[Node<'t>] {
        match &self.value {
            Value::Array(elements) => elements,
            _ => &[],
        }
    }

    /// Returns the text of a string.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the text of the member with this name.
    pub fn text_of(&self, name: &str) -> Option<&str> {
        self.get(name)?.text()
    }

    /// Returns the texts in the array that the member with this name is.
    pub fn texts_of(&self, name: &str) -> Vec<String> {
        let elements = self.get(name).map(|list| list.elements()).unwrap_or_default();
        elements.iter().filter_map(|element| element.text().map(Into::into)).collect()
    }
}

/// Reads a text that is one JSON value. A byte order mark before it is skipped (RFC 8259 §8.1).
pub fn parse<'t>(bytes: &'t [u8], budget: &Budget) -> Result<Node<'t>, JsonError> {
    let text = std::str::from_utf8(bytes).map_err(|error| JsonError::NotUtf8 { at: error.valid_up_to() })?;
    let mut parser = Parser { text, at: 0, values: 0, budget };
    if text.starts_with('\u{feff}') {
        parser.at = '\u{feff}'.len_utf8();
    }
    let node = parser.value(0)?;
    parser.space();
    match parser.peek() {
        None => Ok(node),
        Some(_) => Err(parser.unexpected("the end")),
    }
}

struct Parser<'t, 'b> {
    text: &'t str,
    at: usize,
    values: usize,
    budget: &'b Budget,
}

impl<'t> Parser<'t, '_> {
    fn value(&mut self, depth: usize) -> Result<Node<'t>, JsonError> {
        self.space();
        self.values += 1;
        if self.values > self.budget.json_values {
            return Err(JsonError::TooMany { at: self.at, limit: self.budget.json_values });
        }
        let start = self.at;
        let value = match self.peek() {
            Some(b'{' | b'[') if depth >= self.budget.nesting => {
                return Err(JsonError::TooDeep { at: start, limit: self.budget.nesting });
            }
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => Value::Number(Cow::Borrowed(self.number()?)),
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            _ => return Err(self.unexpected("a value")),
        };
        Ok(Node { value, span: start..self.at })
    }

    /// Reads an object (RFC 8259 §4).
    fn object(&mut self, depth: usize) -> Result<Value<'t>, JsonError> {
        let mut members: Vec<(Cow<'t, str>, Node<'t>)> = vec![];
        let mut names: HashSet<Cow<'t, str>> = HashSet::new();
        self.at += 1;
        self.space();
        if self.take(b'}') {
            return Ok(Value::Object(members));
        }
        loop {
            self.space();
            let at = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("the name of a member"));
            }
            let name = self.string()?;
            if !names.insert(name.clone()) {
                return Err(JsonError::Duplicate { at, name: name.chars().take(64).collect() });
            }
            self.space();
            if !self.take(b':') {
                return Err(self.unexpected("`:`"));
            }
            members.push((name, self.value(depth + 1)?));
            self.space();
            if self.take(b'}') {
                return Ok(Value::Object(members));
            }
            if !self.take(b',') {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
    }

    /// Reads an array (RFC 8259 §5).
    fn array(&mut self, depth: usize) -> Result<Value<'t>, JsonError> {
        let mut elements = vec![];
        self.at += 1;
        self.space();
        if self.take(b']') {
            return Ok(Value::Array(elements));
        }
        loop {
            elements.push(self.value(depth + 1)?);
            self.space();
            if self.take(b']') {
                return Ok(Value::Array(elements));
            }
            if !self.take(b',') {
                return Err(self.unexpected("`,` or `]`"));
            }
        }
    }

    /// Reads a number, kept as written: no leading zero, no sign but `-` (RFC 8259 §6).
    fn number(&mut self) -> Result<&'t str, JsonError> {
        let start = self.at;
        self.take(b'-');
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        let (length, limit) = (self.at - start, self.budget.json_number);
        if length > limit {
            return Err(JsonError::LongNumber { at: start, length, limit });
        }
        Ok(self.text.get(start..self.at).unwrap_or_default())
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected("a digit")) } else { Ok(()) }
    }

    /// Reads a string, borrowed where there is no escape in it (RFC 8259 §7).
    fn string(&mut self) -> Result<Cow<'t, str>, JsonError> {
        self.at += 1;
        let mut whole: Option<String> = None;
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let plain = rest.bytes().position(|byte| byte == b'"' || byte == b'\\' || byte < 0x20);
            let Some(plain) = plain else {
                self.at = self.text.len();
                return Err(self.unexpected("`\"`"));
            };
            let piece = rest.get(..plain).unwrap_or_default();
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(match whole {
                        None => Cow::Borrowed(piece),
                        Some(whole) => Cow::Owned(whole + piece),
                    });
                }
                Some(b'\\') => {
                    let whole = whole.get_or_insert_default();
                    whole.push_str(piece);
                    whole.push(self.escape()?);
                }
                _ => return Err(self.unexpected("no control character in a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let start = self.at;
        self.at += 1;
        let kind = self.peek();
        self.at += usize::from(kind.is_some_and(|byte| byte.is_ascii()));
        Ok(match kind {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let first = self.unit()?;
                let pair = (0xd800..0xdc00).contains(&first) && self.take(b'\\') && self.take(b'u');
                let code = if pair {
                    let second = self.unit()?;
                    (0xdc00..0xe000).contains(&second).then(|| 0x10000 + ((first - 0xd800) << 10) + second - 0xdc00)
                } else {
                    Some(first)
                };
                return code.and_then(char::from_u32).ok_or_else(|| JsonError::Syntax {
                    at: start,
                    found: "half of a surrogate pair".into(),
                    expected: "a character",
                });
            }
            _ => {
                self.at = start;
                return Err(self.unexpected("an escape as in RFC 8259 §7"));
            }
        })
    }

    /// Reads four hexadecimal digits.
    fn unit(&mut self) -> Result<u32, JsonError> {
        let digits = self.text.get(self.at..self.at + 4).filter(|four| four.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(unit) = digits.and_then(|four| u32::from_str_radix(four, 16).ok()) else {
            return Err(self.unexpected("four hexadecimal digits"));
        };
        self.at += 4;
        Ok(unit)
    }

    fn word(&mut self, word: &'static str, value: Value<'t>) -> Result<Value<'t>, JsonError> {
        if !self.text.get(self.at..).unwrap_or_default().starts_with(word) {
            return Err(self.unexpected(word));
        }
        self.at += word.len();
        Ok(value)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let is = self.peek() == Some(byte);
        self.at += usize::from(is);
        is
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn unexpected(&self, expected: &'static str) -> JsonError {
        let found = match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            Some(character) if character.is_control() => format!("U+{:04X}", u32::from(character)),
            Some(character) => format!("`{character}`"),
            None => "the end".into(),
        };
        JsonError::Syntax { at: self.at, found, expected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Result<Node<'_>, JsonError> {
        parse(text, &Budget::default())
    }

    #[test]
    fn values_and_their_places() {
        let text = " {\"a\": [1, -0.5e+2, true, null], \"b\\u00e9\": \"x\\n\\ud83d\\ude00\"} ".as_bytes();
        let node = read(text).expect("it is JSON");
        assert_eq!(node.span, 1..text.len() - 1);
        let list = node.get("a").expect("a");
        assert_eq!(&text[list.span.clone()], b"[1, -0.5e+2, true, null]");
        assert_eq!(list.elements()[1].value, Value::Number("-0.5e+2".into()));
        assert_eq!(node.text_of("bé"), Some("x\n😀"));
        assert!(read("\u{feff}{}".as_bytes()).is_ok(), "RFC 8259 §8.1: a byte order mark is passed over");
    }

    #[test]
    fn what_is_refused() {
        for (clause, text, expected) in [
            ("RFC 7493 §2.3", &b"{\"a\":1,\"a\":1}"[..], "at byte 7: the object has a second member `a`"),
            ("RFC 7493 §2.3: escaped", b"{\"a\":1,\"\\u0061\":1}", "second member `a`"),
            ("RFC 8259 §8.1", b"{\"a\":\"\xff\"}", "at byte 6: found bytes that are not UTF-8"),
            ("RFC 8259 §8.1: surrogates", b"\"\xed\xa0\x80\"", "not UTF-8"),
            ("RFC 8259 §8.2", b"\"\\ud800\"", "half of a surrogate pair"),
            ("RFC 8259 §8.2", b"\"\\ud800\\u0041\"", "half of a surrogate pair"),
            ("RFC 8259 §2", b"{} {}", "found `{`, expected the end"),
            ("RFC 8259 §2", b"", "found the end, expected a value"),
            ("RFC 8259 §3", b"True", "expected a value"),
            ("RFC 8259 §3", b"truf", "expected true"),
            ("RFC 8259 §4", b"{\"a\":1,}", "expected the name of a member"),
            ("RFC 8259 §4", b"{a:1}", "found `a`, expected the name of a member"),
            ("RFC 8259 §4", b"{\"a\"}", "expected `:`"),
            ("RFC 8259 §5", b"[1,]", "found `]`, expected a value"),
            ("RFC 8259 §5", b"[1", "expected `,` or `]`"),
            ("RFC 8259 §6", b"01", "found `1`, expected the end"),
            ("RFC 8259 §6", b"+1", "expected a value"),
            ("RFC 8259 §6", b"1.", "expected a digit"),
            ("RFC 8259 §6", b"-", "expected a digit"),
            ("RFC 8259 §6", b"NaN", "expected a value"),
            ("RFC 8259 §7", b"\"\t\"", "found U+0009, expected no control character in a string"),
            ("RFC 8259 §7", b"\"\\x\"", "expected an escape"),
            ("RFC 8259 §7", b"\"\\", "expected an escape"),
            ("RFC 8259 §7", b"\"\\u12\"", "expected four hexadecimal digits"),
            ("RFC 8259 §7", b"\"a", "found the end, expected `\"`"),
        ] {
            let error = read(text).expect_err(clause).to_string();
            assert!(error.contains(expected), "{clause} {:?}: {error}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn limits_are_named() {
        let deep = [vec![b'['; 100_000], vec![b']'; 100_000]].concat();
        let objects = "{\"a\":".repeat(100_000);
        let many = format!("[{}1]", "1,".repeat(2_000_000));
        let long = "9".repeat(1_000_000);
        for (text, expected) in [
            (&deep[..], "at byte 128: values are nested more than 128 deep"),
            (objects.as_bytes(), "values are nested more than 128 deep"),
            (many.as_bytes(), "there are more than 500000 values"),
            (long.as_bytes(), "found a number of 1000000 characters, of which at most 64 are read"),
        ] {
            let error = read(text).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert!(read(&[vec![b'['; 128], vec![b']'; 128]].concat()).is_ok(), "the limit itself is read");
    }
}
