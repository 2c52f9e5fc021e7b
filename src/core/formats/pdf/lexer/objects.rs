//! Objects, and those that are made of others: ISO 32000-1 §7.3.6 to §7.3.8.

use super::{HELD, Lexer};
use crate::formats::pdf::characters::is_regular;
use crate::formats::pdf::error::PdfError;
use crate::formats::pdf::object::{Dictionary, Object};
use std::rc::Rc;

impl<'a> Lexer<'a> {
    /// Reads the next object: ISO 32000-1 §7.3.
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
            Some(byte) if is_regular(byte) => {
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
        if self.items.is_empty() && self.entries.is_empty() {
            self.held = 0;
        }
        self.depth = self.depth.checked_sub(1).ok_or(PdfError::NestingTooDeep { offset: self.position as u64 })?;
        let object = read(self);
        self.depth += 1;
        object
    }

    /// Counts one more that the object holds.
    fn holds_one_more(&mut self) -> Result<(), PdfError> {
        self.held += 1;
        let limit = HELD.max(self.data.len() / 16);
        if self.held > limit { Err(PdfError::TooManyObjects { limit }) } else { Ok(()) }
    }

    /// Reads an array: ISO 32000-1 §7.3.6.
    fn array(&mut self) -> Result<Object<'a>, PdfError> {
        let around = self.items.len();
        let read = self.read_items();
        let items: Rc<[_]> = self.items.drain(around..).collect();
        read.map(|()| Object::Array(items))
    }

    /// Reads the items of an array, from `[` to `]`.
    fn read_items(&mut self) -> Result<(), PdfError> {
        self.position += 1;
        // How many items in a row were digits, such as references begin with. Widths of glyphs are listed by thousands of
        // them, so that it is not tried at each whether a reference follows.
        let mut digits = 0;
        loop {
            self.holds_one_more()?;
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

    /// Reads a dictionary: ISO 32000-1 §7.3.7.
    fn dictionary(&mut self) -> Result<Object<'a>, PdfError> {
        let around = self.entries.len();
        let read = self.read_entries();
        let count = self.entries.len() - around;
        let entries = Dictionary::from_entries(self.entries.drain(around..));
        if entries.len() < count {
            self.superfluous.get_or_insert(self.position);
        }
        if !entries.replaced().is_empty() {
            self.take_liberty();
        }
        read.map(|()| Object::Dictionary(Rc::new(entries)))
    }

    /// Reads the entries of a dictionary, from `<<` to `>>`.
    fn read_entries(&mut self) -> Result<(), PdfError> {
        self.position += 2;
        loop {
            self.holds_one_more()?;
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

    /// Returns whether an array or dictionary that was not closed ends here.
    fn at_end_of_object(&self) -> bool {
        const ENDS: [&[u8]; 6] = [b"endobj", b"endstream", b"stream", b"obj", b"trailer", b"startxref"];
        ENDS.iter().any(|word| self.rest().starts_with(word))
    }

    /// Skips one word or stray delimiter; `false` at the end of the data.
    fn skip_word(&mut self) -> bool {
        if self.regular().is_empty() {
            self.position += 1;
        }
        self.position < self.data.len()
    }
}
