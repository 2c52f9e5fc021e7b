//! What a rewritten object keeps: the tokens of an object of the file, as they are written there.
//!
//! A number with more digits than arithmetic keeps, or a string in its own notation, is the same to this library when it
//! is written anew, but not to every program that compares revisions.

use super::value::{Entries, Value};
use crate::formats::pdf::lexer::Lexer;
use crate::formats::pdf::object::Object;
use std::borrow::Cow;
use std::collections::HashSet;

/// What becomes of strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strings {
    /// They are kept as they are written.
    Kept,
    /// They are decoded: those of object streams, which are encrypted anew by themselves.
    Decoded,
}

/// Reads the value that starts at `at`, levels of arrays and dictionaries no deeper than `nesting`. `None` where it is not
/// written as the standard prescribes, so that readers differ, or is a stream.
pub(super) fn read(data: &[u8], at: usize, nesting: usize, strings: Strings) -> Option<Value> {
    let mut reader = Reader { data, lexer: Lexer::new(data, at, 0), strings };
    let value = reader.value(nesting)?;
    reader.lexer.deviation().is_none().then_some(value)
}

struct Reader<'d> {
    data: &'d [u8],
    lexer: Lexer<'d>,
    strings: Strings,
}

impl Reader<'_> {
    fn value(&mut self, nesting: usize) -> Option<Value> {
        self.lexer.skip_space();
        let at = self.lexer.position();
        match self.data.get(at..)? {
            [b'[', ..] => {
                self.lexer.go_to(at + 1);
                self.array(nesting.checked_sub(1)?)
            }
            [b'<', b'<', ..] => {
                self.lexer.go_to(at + 2);
                self.dictionary(nesting.checked_sub(1)?)
            }
            _ => self.token(at),
        }
    }

    fn array(&mut self, nesting: usize) -> Option<Value> {
        let mut items = vec![];
        while !self.ends_with(b"]") {
            items.push(self.value(nesting)?);
        }
        Some(Value::Array(items))
    }

    fn dictionary(&mut self, nesting: usize) -> Option<Value> {
        let (mut entries, mut seen) = (vec![], HashSet::new());
        while !self.ends_with(b">>") {
            let Ok(Object::Name(key)) = self.lexer.object() else { return None };
            // Readers differ in which of two counts.
            let key = seen.insert(key.to_vec()).then(|| key.into_owned())?;
            entries.push((key, self.value(nesting)?));
        }
        Some(Value::Dictionary(Entries::of_distinct(entries)))
    }

    /// Takes the delimiter if it comes next.
    fn ends_with(&mut self, delimiter: &[u8]) -> bool {
        self.lexer.skip_space();
        let at = self.lexer.position();
        let ends = self.data.get(at..).is_some_and(|rest| rest.starts_with(delimiter));
        if ends {
            self.lexer.go_to(at + delimiter.len());
        }
        ends
    }

    fn token(&mut self, at: usize) -> Option<Value> {
        let object = self.lexer.object().ok()?;
        let written = self.data.get(at..self.lexer.position())?;
        Some(match object {
            Object::Integer(value) if value.to_string().as_bytes() == written => Value::Integer(value),
            Object::Integer(_) | Object::Real(_) => Value::Kept(written.to_vec()),
            Object::String(string) => match self.strings {
                Strings::Kept => Value::Kept(written.to_vec()),
                Strings::Decoded => Value::String(string.bytes().into_owned()),
            },
            Object::Null => Value::Null,
            Object::Boolean(value) => Value::Boolean(value),
            Object::Name(name) => Value::Name(Cow::Owned(name.into_owned())),
            Object::Reference(reference) => Value::Reference(reference),
            Object::Array(_) | Object::Dictionary(_) | Object::Stream(_) => return None,
        })
    }
}
