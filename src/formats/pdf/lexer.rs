//! From octets to objects: ISO 32000-1 §7.2 and §7.3.
//!
//! Lenient where readers in the field are (odd numbers, unknown words), because a signature is
//! judged on the octets and a viewer shows what it makes of them; never beyond the nesting of the
//! budget.

use super::error::PdfError;
use super::object::{Dictionary, Notation, Object, PdfString, Reference, Stream};
use std::borrow::Cow;
use std::rc::Rc;

/// Reads objects from `data`, from a position on.
#[derive(Debug)]
pub struct Lexer<'a> {
    data: &'a [u8],
    position: usize,
    depth: usize,
    /// Where it first had to be lenient.
    liberty: Option<usize>,
    /// What was read of the arrays and dictionaries around the position, outer ones first.
    items: Vec<Object<'a>>,
    entries: Vec<(Cow<'a, [u8]>, Object<'a>)>,
}

/// An indirect object's header and what it holds.
#[derive(Debug, Clone)]
pub struct Indirect<'a> {
    /// What its header says it is.
    pub id: Reference,
    /// What it is.
    pub object: Object<'a>,
    /// Where reading it ended.
    pub end: usize,
}

impl<'a> Lexer<'a> {
    /// At `position` of `data`, with `nesting` levels of arrays and dictionaries allowed.
    pub fn new(data: &'a [u8], position: usize, nesting: usize) -> Self {
        Self {
            data,
            position: position.min(data.len()),
            depth: nesting,
            liberty: None,
            items: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// Where the next octet is read.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Where something was first read that the standard does not allow so, or leaves open, such as a key that comes
    /// twice: what readers make of it differs.
    pub(super) fn liberty(&self) -> Option<usize> {
        self.liberty
    }

    #[cold]
    fn take_liberty(&mut self) {
        self.liberty.get_or_insert(self.position);
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
        while let Some(octet) = self.peek() {
            if is_space(octet) {
                self.position += 1;
            } else if octet == b'%' {
                self.take_liberty();
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

    /// Takes the next `N` octets if `read` makes something of them.
    pub(super) fn take<T, const N: usize>(&mut self, read: impl FnOnce(&[u8; N]) -> Option<T>) -> Option<T> {
        let found = read(self.rest().first_chunk()?)?;
        self.position += N;
        Some(found)
    }

    /// A whole number without sign, as in cross-reference tables and object headers.
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

    /// `number generation obj`, the object, and for a stream where its octets start.
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

    /// `number generation obj`: ISO 32000-1 §7.3.10.
    pub fn header(&mut self) -> Option<Reference> {
        let number = u32::try_from(self.unsigned()?).ok()?;
        let generation = u16::try_from(self.unsigned()?).ok()?;
        self.skip_space();
        if !self.rest().starts_with(b"obj") {
            return None;
        }
        self.position += 3;
        Some(Reference { number, generation })
    }

    /// `stream` and the end of its line: ISO 32000-1 §7.3.8.1.
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

    /// The next object: ISO 32000-1 §7.3.
    pub fn object(&mut self) -> Result<Object<'a>, PdfError> {
        self.skip_space();
        let at = self.position;
        match self.peek() {
            None => Err(PdfError::UnexpectedEnd { offset: at as u64 }),
            Some(b'/') => Ok(Object::Name(self.name())),
            Some(b'(') => Ok(self.literal_string()),
            Some(b'<') if self.data.get(at + 1) == Some(&b'<') => self.nested(Self::dictionary),
            Some(b'<') => Ok(self.hexadecimal_string()),
            Some(b'[') => self.nested(Self::array),
            Some(b'0'..=b'9' | b'+' | b'-' | b'.') => Ok(self.number_or_reference()),
            Some(octet) if is_regular(octet) => {
                let word = self.regular();
                match word {
                    b"true" => Ok(Object::Boolean(true)),
                    b"false" => Ok(Object::Boolean(false)),
                    b"null" => Ok(Object::Null),
                    _ => {
                        self.position = at;
                        Err(PdfError::UnknownWord { offset: at as u64 })
                    }
                }
            }
            Some(_) => Err(PdfError::UnknownWord { offset: at as u64 }),
        }
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Result<Object<'a>, PdfError>) -> Result<Object<'a>, PdfError> {
        self.depth = self.depth.checked_sub(1).ok_or(PdfError::NestingTooDeep { offset: self.position as u64 })?;
        let object = read(self);
        self.depth += 1;
        object
    }

    /// ISO 32000-1 §7.3.6.
    fn array(&mut self) -> Result<Object<'a>, PdfError> {
        let around = self.items.len();
        let read = self.read_items();
        let items: Rc<[_]> = self.items.drain(around..).collect();
        read.map(|()| Object::Array(items))
    }

    /// The items of an array, from `[` to `]`.
    fn read_items(&mut self) -> Result<(), PdfError> {
        self.position += 1;
        // How many items in a row were digits, such as references begin with. Widths of glyphs are listed by thousands of
        // them, so that it is not tried at each whether a reference follows.
        let mut digits = 0;
        loop {
            self.skip_space();
            match self.peek() {
                Some(b']') => {
                    self.position += 1;
                    break;
                }
                None => {
                    self.take_liberty();
                    break;
                }
                Some(b'R') if digits >= 2 && self.ends_reference() => continue,
                _ => {}
            }
            if let Some(item) = self.digits() {
                digits += 1;
                self.items.push(item);
                continue;
            }
            digits = 0;
            match self.object() {
                Ok(item) => self.items.push(item),
                Err(PdfError::UnknownWord { .. }) => {
                    self.take_liberty();
                    if self.at_end_of_object() || !self.skip_word() {
                        break;
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// ISO 32000-1 §7.3.7.
    fn dictionary(&mut self) -> Result<Object<'a>, PdfError> {
        let around = self.entries.len();
        let read = self.read_entries();
        let count = self.entries.len() - around;
        let entries = Dictionary::from_entries(self.entries.drain(around..));
        if entries.len() < count {
            self.take_liberty();
        }
        read.map(|()| Object::Dictionary(Rc::new(entries)))
    }

    /// The entries of a dictionary, from `<<` to `>>`.
    fn read_entries(&mut self) -> Result<(), PdfError> {
        self.position += 2;
        loop {
            self.skip_space();
            match self.peek() {
                Some(b'>') => {
                    let closed = self.data.get(self.position + 1) == Some(&b'>');
                    if !closed {
                        self.take_liberty();
                    }
                    self.position += if closed { 2 } else { 1 };
                    break;
                }
                Some(b'/') => {
                    let key = self.name();
                    self.skip_space();
                    // NOTE: a key without a value occurs; its value is null.
                    if self.peek() == Some(b'>') && self.data.get(self.position + 1) == Some(&b'>') {
                        self.take_liberty();
                        self.entries.push((key, Object::Null));
                        continue;
                    }
                    match self.object() {
                        Ok(value) => self.entries.push((key, value)),
                        Err(PdfError::UnknownWord { .. }) => {
                            self.take_liberty();
                            if self.at_end_of_object() || !self.skip_word() {
                                break;
                            }
                        }
                        Err(error) => return Err(error),
                    }
                }
                None => {
                    self.take_liberty();
                    break;
                }
                Some(_) => {
                    self.take_liberty();
                    if self.at_end_of_object() || !self.skip_word() {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether an array or dictionary that was not closed ends here.
    fn at_end_of_object(&self) -> bool {
        [&b"endobj"[..], b"endstream", b"stream", b"obj"].iter().any(|word| self.rest().starts_with(word))
    }

    /// Skips one word or stray delimiter; `false` at the end of the data.
    fn skip_word(&mut self) -> bool {
        if self.regular().is_empty() {
            self.position += 1;
        }
        self.position < self.data.len()
    }

    fn regular(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().position(|&o| !is_regular(o)).unwrap_or(rest.len());
        self.position += length;
        &rest[..length]
    }

    /// ISO 32000-1 §7.3.5.
    fn name(&mut self) -> Cow<'a, [u8]> {
        self.position += 1;
        let raw = self.regular();
        if !raw.contains(&b'#') {
            return Cow::Borrowed(raw);
        }
        let mut name = Vec::with_capacity(raw.len());
        let mut at = 0;
        while let Some(&octet) = raw.get(at) {
            let pair = (raw.get(at + 1).copied().and_then(hexadecimal), raw.get(at + 2).copied().and_then(hexadecimal));
            match pair {
                (Some(high), Some(low)) if octet == b'#' => {
                    name.push(high << 4 | low);
                    at += 3;
                }
                _ => {
                    if octet == b'#' {
                        self.take_liberty();
                    }
                    name.push(octet);
                    at += 1;
                }
            }
        }
        Cow::Owned(name)
    }

    /// ISO 32000-1 §7.3.4.2.
    fn literal_string(&mut self) -> Object<'a> {
        let start = self.position;
        let body = start + 1;
        let mut at = body;
        let mut depth = 1usize;
        let mut plain = true;
        while let Some(&octet) = self.data.get(at) {
            match octet {
                b'\\' => {
                    plain = false;
                    at += 1;
                }
                b'\r' => plain = false,
                b'(' => depth += 1,
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        let end = at.min(self.data.len());
        if depth > 0 {
            self.take_liberty();
        }
        self.position = (end + 1).min(self.data.len());
        let raw = self.data.get(body..end).unwrap_or_default();
        let notation = if plain { Notation::Plain } else { Notation::Escaped };
        Object::String(Rc::new(PdfString::new(raw, notation, start..self.position)))
    }

    /// ISO 32000-1 §7.3.4.3.
    fn hexadecimal_string(&mut self) -> Object<'a> {
        let start = self.position;
        let rest = &self.rest()[1..];
        let length = memchr::memchr(b'>', rest).unwrap_or(rest.len());
        if length == rest.len() || !is_hexadecimal(&rest[..length]) {
            self.take_liberty();
        }
        self.position = (start + 1 + length + 1).min(self.data.len());
        Object::String(Rc::new(PdfString::new(&rest[..length], Notation::Hexadecimal, start..self.position)))
    }

    /// A whole number as nearly all are written, in digits; or a reference as nearly all are: digits, one space, a zero,
    /// one space, `R`.
    fn digits(&mut self) -> Option<Object<'a>> {
        let rest = self.rest();
        let mut number = 0;
        let mut digits = 0;
        // Nine digits are less than 32 bits hold.
        while let Some(digit @ b'0'..=b'9') = rest.get(digits).filter(|_| digits < 9) {
            number = number * 10 + u32::from(digit - b'0');
            digits += 1;
        }
        let after = rest.get(digits..).filter(|_| digits > 0)?;
        if let Some((b" 0 R", after)) = after.split_at_checked(4)
            && !after.first().is_some_and(|&octet| is_regular(octet))
        {
            self.position += digits + 4;
            return Some(Object::Reference(Reference { number, generation: 0 }));
        }
        if after.first().is_some_and(|&octet| is_regular(octet) && octet != b'R') {
            return None;
        }
        if after.first() == Some(&b'R') {
            self.take_liberty();
        }
        self.position += digits;
        Some(Object::Integer(number.into()))
    }

    /// Makes a reference of the last two items, whole numbers before an `R`.
    fn ends_reference(&mut self) -> bool {
        let [.., Object::Integer(number), Object::Integer(generation)] = self.items[..] else { return false };
        let (Ok(number), Ok(generation)) = (u32::try_from(number), u16::try_from(generation)) else { return false };
        if self.rest().get(1).is_some_and(|&octet| is_regular(octet)) {
            return false;
        }
        self.position += 1;
        self.items.truncate(self.items.len() - 2);
        self.items.push(Object::Reference(Reference { number, generation }));
        true
    }

    /// A number, or the reference that starts with one: ISO 32000-1 §7.3.3, §7.3.10.
    fn number_or_reference(&mut self) -> Object<'a> {
        let start = self.position;
        match self.digits() {
            Some(Object::Integer(_)) | None => self.position = start,
            Some(reference) => return reference,
        }
        let word = self.regular();
        if !well_formed(word) {
            self.take_liberty();
        }
        let object = number(word);
        let after = self.position;
        if let Object::Integer(value) = object
            && word.iter().all(u8::is_ascii_digit)
            && let Ok(number) = u32::try_from(value)
            && let Some(generation) = self.generation_and_r()
        {
            return Object::Reference(Reference { number, generation });
        }
        self.position = after.max(start + 1);
        object
    }

    fn generation_and_r(&mut self) -> Option<u16> {
        // A reference's parts are on average two octets apart: a cheap look first.
        self.skip_space();
        let generation = u16::try_from(self.unsigned()?).ok()?;
        let after = self.position;
        self.skip_space();
        let rest = self.rest();
        if after == self.position && rest.first() == Some(&b'R') {
            self.take_liberty();
        }
        if rest.first() == Some(&b'R') && !rest.get(1).is_some_and(|&o| is_regular(o)) {
            self.position += 1;
            return Some(generation);
        }
        None
    }
}

/// Whether a word is a number as ISO 32000-1 §7.3.3 has them: a sign, digits, one point among them.
fn well_formed(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"-").or(word.strip_prefix(b"+")).unwrap_or(word);
    let points = digits.iter().filter(|&&octet| octet == b'.').count();
    points <= 1 && digits.len() > points && digits.iter().all(|&octet| octet.is_ascii_digit() || octet == b'.')
}

/// A number as it stands, also in the odd spellings of the field: `--5`, `4.`, `1.2.3`.
fn number(word: &[u8]) -> Object<'static> {
    let (sign, digits) = match word {
        [b'-', rest @ ..] => (-1, rest),
        [b'+', rest @ ..] => (1, rest),
        _ => (1, word),
    };
    let digits = digits.strip_prefix(b"-").unwrap_or(digits);
    let whole = digits.iter().take_while(|o| o.is_ascii_digit()).count();
    if whole == digits.len() || digits.get(whole) != Some(&b'.') {
        let value = digits[..whole].iter().fold(0i64, |v, &o| v.saturating_mul(10).saturating_add((o - b'0').into()));
        return Object::Integer(sign * value);
    }
    let fraction = digits[whole + 1..].iter().take_while(|o| o.is_ascii_digit()).count();
    // A point alone is no number to Rust.
    let text = std::str::from_utf8(&digits[..whole + 1 + fraction]).unwrap_or_default();
    Object::Real(f64::from(sign as i32) * text.parse::<f64>().unwrap_or(0.0))
}

/// Escapes of a literal string: ISO 32000-1 table 3.
pub(super) fn unescape(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len());
    let mut octets = raw.iter().copied().peekable();
    while let Some(octet) = octets.next() {
        match octet {
            b'\r' => {
                octets.next_if_eq(&b'\n');
                out.push(b'\n');
            }
            b'\\' => match octets.next() {
                Some(b'n') => out.push(b'\n'),
                Some(b'r') => out.push(b'\r'),
                Some(b't') => out.push(b'\t'),
                Some(b'b') => out.push(8),
                Some(b'f') => out.push(12),
                Some(b'\r') => {
                    octets.next_if_eq(&b'\n');
                }
                Some(b'\n') | None => {}
                Some(digit @ b'0'..=b'7') => {
                    let mut value = u32::from(digit - b'0');
                    for _ in 0..2 {
                        match octets.next_if(|o| (b'0'..=b'7').contains(o)) {
                            Some(next) => value = value * 8 + u32::from(next - b'0'),
                            None => break,
                        }
                    }
                    // High-order overflow is ignored.
                    out.push(value as u8);
                }
                Some(other) => out.push(other),
            },
            other => out.push(other),
        }
    }
    out
}

/// Hexadecimal digits, others skipped; a missing last digit is zero.
pub(super) fn decode_hexadecimal(raw: &[u8]) -> Vec<u8> {
    // Most strings are digits throughout, and some are as long as the file.
    let mut out = vec![0; raw.len() / 2];
    let (pairs, rest) = raw.as_chunks::<2>();
    let mut bad = 0;
    for (octet, &[high, low]) in out.iter_mut().zip(pairs) {
        let (high, low) = (digit(high), digit(low));
        bad |= high | low;
        *octet = high << 4 | low & 0xF;
    }
    if bad <= 0xF && rest.is_empty() {
        return out;
    }
    out.clear();
    let mut high = None;
    for digit in raw.iter().copied().filter_map(hexadecimal) {
        match high.take() {
            None => high = Some(digit),
            Some(first) => out.push(first << 4 | digit),
        }
    }
    out.extend(high.map(|digit| digit << 4));
    out
}

/// Whether nothing but hexadecimal digits and white space stands there.
pub(super) fn is_hexadecimal(raw: &[u8]) -> bool {
    let worth = raw.iter().fold(0, |worth, &octet| worth | digit(octet));
    worth <= 0xF || raw.iter().all(|&octet| is_space(octet) || hexadecimal(octet).is_some())
}

fn hexadecimal(octet: u8) -> Option<u8> {
    Some(digit(octet)).filter(|&value| value <= 0xF)
}

/// What an octet is worth as a hexadecimal digit; 0xFF where it is none. Without a table, so that compilers do it for many
/// octets at once.
#[inline(always)]
fn digit(octet: u8) -> u8 {
    let decimal = octet.wrapping_sub(b'0');
    let letter = (octet | 0x20).wrapping_sub(b'a');
    let not_decimal = if letter < 6 { letter + 10 } else { 0xFF };
    if decimal < 10 { decimal } else { not_decimal }
}

/// ISO 32000-1 table 1.
#[inline(always)]
pub(super) fn is_space(octet: u8) -> bool {
    matches!(octet, 0 | 9 | 10 | 12 | 13 | 32)
}

/// Neither white space nor a delimiter: ISO 32000-1 §7.2.2.
#[inline(always)]
pub(super) fn is_regular(octet: u8) -> bool {
    !is_space(octet) && !matches!(octet, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
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
