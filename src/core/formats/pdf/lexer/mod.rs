//! From bytes to objects: ISO 32000-1 §7.2 and §7.3.
//!
//! The lexer is lenient where readers in the field are (odd numbers, unknown words): a signature is judged on the bytes, and
//! a viewer shows what it makes of them. It notes that as a *liberty*. It never nests deeper than the budget
//! allows.

mod numbers;
mod objects;
mod strings;

use super::characters::{is_regular, is_space};
use super::error::PdfError;
use super::object::{Object, Reference, Stream};
use std::borrow::Cow;
use std::rc::Rc;

/// Reads objects from `data`, from a position on.
#[derive(Debug)]
pub struct Lexer<'a> {
    data: &'a [u8],
    position: usize,
    depth: usize,
    /// The byte where it first had to be lenient.
    liberty: Option<usize>,
    /// The byte where it first read what every reader reads alike, but an update may not have.
    superfluous: Option<usize>,
    /// The elements of the arrays around the position that were read, outer arrays first; and the entries of dictionaries.
    items: Vec<Object<'a>>,
    entries: Vec<(Cow<'a, [u8]>, Object<'a>)>,
    /// How many of both the object has, with those in what it holds.
    held: usize,
}

/// What one object may hold, in an array or dictionary and inside these, and more by one for each sixteen bytes of the file: each
/// takes more memory than it has bytes. Real ones: below 100,000.
const HELD: usize = 500_000;

/// An indirect object's header and what it holds.
#[derive(Debug, Clone)]
pub struct Indirect<'a> {
    /// The number and generation in its header.
    pub id: Reference,
    /// The object.
    pub object: Object<'a>,
    /// The byte where reading it ended.
    pub end: usize,
}

impl<'a> Lexer<'a> {
    /// Begins at `position` of `data`. Arrays and dictionaries may be nested `nesting` levels deep.
    pub fn new(data: &'a [u8], position: usize, nesting: usize) -> Self {
        Self {
            data,
            position: position.min(data.len()),
            depth: nesting,
            liberty: None,
            superfluous: None,
            items: Vec::new(),
            entries: Vec::new(),
            held: 0,
        }
    }

    /// Returns where the next byte is read.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Returns where the lexer first read something that the standard forbids or leaves open, such as a key that comes
    /// twice: readers differ in what they make of it.
    pub(super) fn liberty(&self) -> Option<usize> {
        self.liberty
    }

    /// Returns where the lexer first read something that an update may not have: a liberty, a key that comes twice with one value,
    /// or a comment, which may hide another object from readers that search.
    pub(super) fn deviation(&self) -> Option<usize> {
        self.liberty.or(self.superfluous)
    }

    #[cold]
    fn take_liberty(&mut self) {
        self.liberty.get_or_insert(self.position);
    }

    /// Goes on at a position.
    pub(super) fn go_to(&mut self, position: usize) {
        self.position = position.min(self.data.len());
    }

    /// Goes back to a position.
    pub(super) fn back_to(&mut self, position: usize) {
        self.position = self.position.min(position);
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.data.get(self.position).copied()
    }

    #[inline(always)]
    fn rest(&self) -> &'a [u8] {
        self.data.get(self.position..).unwrap_or_default()
    }

    /// Skips white space and comments: ISO 32000-1 §7.2.2, §7.2.3.
    pub fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            if is_space(byte) {
                self.position += 1;
            } else if byte == b'%' {
                self.superfluous.get_or_insert(self.position);
                let rest = self.rest();
                self.position += memchr::memchr2(b'\r', b'\n', rest).unwrap_or(rest.len());
            } else {
                break;
            }
        }
    }

    /// Takes `word` if it comes next.
    pub fn keyword(&mut self, word: &[u8]) -> bool {
        self.skip_space();
        let rest = self.rest();
        let found = rest.starts_with(word) && !rest.get(word.len()).is_some_and(|&o| is_regular(o));
        if found {
            self.position += word.len();
        }
        found
    }

    /// Takes the next `N` bytes if `read` makes something of them.
    pub(super) fn take<T, const N: usize>(&mut self, read: impl FnOnce(&[u8; N]) -> Option<T>) -> Option<T> {
        let found = read(self.rest().first_chunk()?)?;
        self.position += N;
        Some(found)
    }

    /// Reads a whole number without sign, as in cross-reference tables and object headers.
    pub fn unsigned(&mut self) -> Option<u64> {
        self.skip_space();
        let rest = self.rest();
        let mut value = 0u64;
        let mut digits = 0;
        while let Some(digit @ b'0'..=b'9') = rest.get(digits) {
            value = value.wrapping_mul(10).wrapping_add((digit - b'0').into());
            digits += 1;
        }
        // Twenty digits are more than 64 bits hold.
        (1..=19).contains(&digits).then(|| {
            self.position += digits;
            value
        })
    }

    /// Reads `number generation obj`, the object, and for a stream where its bytes start.
    pub fn indirect(&mut self) -> Result<Indirect<'a>, PdfError> {
        let at = self.position;
        let id = self.header().ok_or(PdfError::NotAnObject { offset: at as u64 })?;
        let object = self.object()?;
        let object = match object {
            Object::Dictionary(dictionary) if self.keyword_stream() => Object::Stream(Rc::new(Stream {
                dictionary: Rc::unwrap_or_clone(dictionary),
                start: self.position,
                id,
            })),
            other => other,
        };
        Ok(Indirect { id, object, end: self.position })
    }

    /// Reads `number generation obj`: ISO 32000-1 §7.3.10.
    pub fn header(&mut self) -> Option<Reference> {
        let number = u32::try_from(self.unsigned()?).ok()?;
        let generation = u16::try_from(self.unsigned()?).ok()?;
        let is_apart = self.peek().is_some_and(|byte| !is_regular(byte));
        self.skip_space();
        if !self.rest().starts_with(b"obj") {
            return None;
        }
        self.position += 3;
        if !is_apart || self.peek().is_some_and(is_regular) {
            self.take_liberty();
        }
        Some(Reference { number, generation })
    }

    /// Takes `stream` and the end of its line: ISO 32000-1 §7.3.8.1.
    fn keyword_stream(&mut self) -> bool {
        let before = self.position;
        self.skip_space();
        if !self.rest().starts_with(b"stream") {
            self.position = before;
            return false;
        }
        self.position += 6;
        // NOTE: spaces before the end of the line are not allowed, but occur.
        let mut line_end = self.position;
        while self.data.get(line_end) == Some(&b' ') {
            line_end += 1;
        }
        match (self.data.get(line_end), self.data.get(line_end + 1)) {
            (Some(b'\r'), Some(b'\n')) => self.position = line_end + 2,
            (Some(b'\n'), _) => self.position = line_end + 1,
            (Some(b'\r'), _) => {
                self.take_liberty();
                self.position = line_end + 1;
            }
            _ => self.take_liberty(),
        }
        true
    }

    fn regular(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().position(|&o| !is_regular(o)).unwrap_or(rest.len());
        self.position += length;
        &rest[..length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Object<'_> {
        Lexer::new(text.as_bytes(), 0, 32).object().unwrap_or(Object::Null)
    }

    fn show(object: &Object) -> String {
        match object {
            Object::Null => "null".into(),
            Object::Boolean(value) => value.to_string(),
            Object::Integer(value) => value.to_string(),
            Object::Real(value) => format!("{value:?}"),
            Object::Name(name) => format!("/{}", String::from_utf8_lossy(name)),
            Object::String(string) => format!("({})", String::from_utf8_lossy(&string.bytes())),
            Object::Array(items) => format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(" ")),
            Object::Dictionary(entries) => {
                let entries: Vec<_> =
                    entries.iter().map(|(k, v)| format!("/{} {}", String::from_utf8_lossy(k), show(v))).collect();
                format!("<<{}>>", entries.join(" "))
            }
            Object::Stream(_) => "stream".into(),
            Object::Reference(reference) => format!("{} {} R", reference.number, reference.generation),
        }
    }

    #[test]
    fn objects() {
        // Clauses of ISO 32000-1.
        let rows = [
            ("7.3.2", "boolean", "true", "true"),
            ("7.3.3", "integer", "+17", "17"),
            ("7.3.3", "negative", "-98", "-98"),
            ("7.3.3", "real", "-.002", "-0.002"),
            ("7.3.3", "real that ends in a point", "4.", "4.0"),
            ("7.3.3", "not allowed but met: two signs", "--5", "-5"),
            ("7.3.3", "larger than any integer", "99999999999999999999", "9223372036854775807"),
            ("7.3.4.2", "balanced parentheses", "(a (b) c)", "(a (b) c)"),
            ("7.3.4.2", "escapes", r"(\(\)\\\101\7\n)", "()\\A\u{7}\n"),
            ("7.3.4.2", "a line continued", "(a\\\nb)", "(ab)"),
            ("7.3.4.2", "any end of line is a line feed", "(a\r\nb)", "(a\nb)"),
            ("7.3.4.2", "not closed", "(abc", "(abc)"),
            ("7.3.4.3", "hexadecimal", "<4142 43>", "(ABC)"),
            ("7.3.4.3", "odd number of digits", "<414>", "(A@)"),
            ("7.3.5", "number sign in a name", "/A#42C", "/ABC"),
            ("7.3.5", "number sign that is not an escape", "/A#4", "/A#4"),
            ("7.3.5", "the empty name", "/ ", "/"),
            ("7.3.6", "array", "[1 2 0 R 3 4]", "[1 2 0 R 3 4]"),
            ("7.3.6", "array not closed", "[1 endobj", "[1]"),
            ("7.3.7", "dictionary", "<</A 1/B[/C]>>", "<</A 1 /B [/C]>>"),
            ("7.3.7", "a key twice: the last one counts", "<</A 1/B 2/A 3>>", "<</A 3 /B 2>>"),
            ("7.3.7", "a key without a value", "<</A>>", "<</A null>>"),
            ("7.5.5", "a trailer not closed", "<</A 1 startxref 9", "<</A 1>>"),
            ("7.3.7", "an unknown word", "<</A foo/B 2>>", "<</B 2>>"),
            ("7.3.10", "reference", "12 0 R", "12 0 R"),
            ("7.3.10", "references, as most are written", "[12 0 R 3 0 R]", "[12 0 R 3 0 R]"),
            ("7.3.10", "and otherwise", "[012 0 R/B 3 00 R 4  1 R]", "[12 0 R /B 3 0 R 4 1 R]"),
            ("7.3.10", "what only begins as one", "[1 0 Rx 2]", "[1 0 2]"),
            ("7.3.10", "among numbers", "[1 2 03 4 R 5 6 7R 8 R 9 9 0 Rx]", "[1 2 3 4 R 5 6 7 R 8 9 9 0]"),
            ("7.3.10", "not of numbers with a sign, nor across a word", "[+1 0 R 2 foo 0 R]", "[1 0 2 0]"),
            ("7.3.10", "a generation too high", "[1 65536 R]", "[1 65536]"),
            ("7.3.10", "not of a number outside", "[1[2 R]]", "[1 [2]]"),
            ("7.3.10", "a number that no object has", "[4294967296 0 R]", "[4294967296 0]"),
            ("7.3.6", "arrays in dictionaries in arrays", "[1<</A[2 3]/B 4>>[5[]]6]", "[1 <</A [2 3] /B 4>> [5 []] 6]"),
            ("7.2.3", "comment", "% 1\n2", "2"),
        ];
        for (clause, situation, text, expected) in rows {
            let expected = if text.starts_with(r"(\(") { format!("({expected})") } else { expected.to_string() };
            assert_eq!(show(&read(text)), expected, "{clause}: {situation}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = "[".repeat(100_000);
        let error = Lexer::new(deep.as_bytes(), 0, 128).object();
        assert!(matches!(error, Err(PdfError::NestingTooDeep { .. })), "7.3.6: deeper than the budget");
    }

    #[test]
    fn streams() {
        let rows = [
            ("7.3.8.1", "line feed", "1 0 obj<<>>stream\nX", Some(18)),
            ("7.3.8.1", "carriage return and line feed", "1 0 obj<<>>stream\r\nX", Some(19)),
            ("7.3.8.1", "spaces before the end of the line", "1 0 obj<<>>stream  \nX", Some(20)),
            ("7.3.7", "no stream", "1 0 obj<<>>endobj", None),
        ];
        for (clause, situation, text, start) in rows {
            let indirect = Lexer::new(text.as_bytes(), 0, 32).indirect().expect(situation);
            let found = match &indirect.object {
                Object::Stream(stream) => Some(stream.start),
                _ => None,
            };
            assert_eq!(found, start, "{clause}: {situation}");
        }
    }
}
