//! Names and strings: ISO 32000-1 §7.3.5, §7.3.4.

use super::Lexer;
use crate::formats::pdf::characters::{hexadecimal, is_foreign, is_hexadecimal};
use crate::formats::pdf::object::Object;
use crate::formats::pdf::string::{Notation, PdfString};
use std::borrow::Cow;
use std::rc::Rc;

impl<'a> Lexer<'a> {
    /// Reads a name: ISO 32000-1 §7.3.5.
    pub(super) fn name(&mut self) -> Cow<'a, [u8]> {
        self.position += 1;
        let raw = self.regular();
        if memchr::memchr3(b'#', 0x80, 0xFF, raw).is_none() {
            return Cow::Borrowed(raw);
        }
        let mut name = Vec::with_capacity(raw.len());
        let mut at = 0;
        while let Some(&byte) = raw.get(at) {
            let pair = (raw.get(at + 1).copied().and_then(hexadecimal), raw.get(at + 2).copied().and_then(hexadecimal));
            match pair {
                (Some(high), Some(low)) if byte == b'#' => {
                    // Not allowed: some readers end the name there.
                    if (high, low) == (0, 0) {
                        self.take_liberty();
                    }
                    name.push(high << 4 | low);
                    at += 3;
                }
                _ => {
                    if byte == b'#' || is_foreign(byte) {
                        self.take_liberty();
                    }
                    name.push(byte);
                    at += 1;
                }
            }
        }
        Cow::Owned(name)
    }

    /// Reads a literal string: ISO 32000-1 §7.3.4.2.
    pub(super) fn literal_string(&mut self) -> Object<'a> {
        let start = self.position;
        let body = start + 1;
        let mut at = body;
        let mut depth = 1usize;
        let mut plain = true;
        while let Some(&byte) = self.data.get(at) {
            match byte {
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

    /// Reads a hexadecimal string: ISO 32000-1 §7.3.4.3.
    pub(super) fn hexadecimal_string(&mut self) -> Object<'a> {
        let start = self.position;
        let rest = &self.rest()[1..];
        let length = memchr::memchr(b'>', rest).unwrap_or(rest.len());
        if length == rest.len() || !is_hexadecimal(&rest[..length]) {
            self.take_liberty();
        }
        self.position = (start + 1 + length + 1).min(self.data.len());
        Object::String(Rc::new(PdfString::new(&rest[..length], Notation::Hexadecimal, start..self.position)))
    }
}
