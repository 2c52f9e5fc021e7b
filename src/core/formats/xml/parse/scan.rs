//! The place in the source: names, white space, and what stands next.

use super::super::characters::{continues_name, is_space, starts_name};
use super::super::tree::*;
use super::{NOTHING, Parser, Result_, XmlError};

impl<'s> Parser<'s, '_> {
    /// Reads a `QName`: prefix (may be empty) and local part.
    pub(super) fn qualified_name(&mut self) -> Result_<(Text, Text)> {
        let first = self.name()?;
        if self.rest().first() != Some(&b':') {
            return Ok((NOTHING, first));
        }
        self.at += 1;
        let local = self.name()?;
        if self.rest().first() == Some(&b':') {
            return Err(self.expected("one colon in a name"));
        }
        Ok((first, local))
    }

    /// Reads an `NCName`.
    pub(super) fn name(&mut self) -> Result_<Text> {
        let start = self.at;
        if self.bytes.get(start).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_') {
            let rest = self.rest();
            self.at += rest.iter().position(|byte| !CONTINUES[usize::from(*byte)]).unwrap_or(rest.len());
        }
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte.is_ascii_alphabetic() || byte == b'_' {
                self.at += 1;
            } else if byte.is_ascii() {
                if self.at == start || !matches!(byte, b'0'..=b'9' | b'-' | b'.') {
                    break;
                }
                self.at += 1;
            } else {
                let Some(c) = self.source[self.at..].chars().next() else { break };
                if !if self.at == start { starts_name(c) } else { continues_name(c) } {
                    break;
                }
                self.at += c.len_utf8();
            }
        }
        self.bound_name(self.at - start)?;
        if self.at == start { Err(self.expected("a name")) } else { Ok(text(start, self.at)) }
    }

    /// Refuses a name that is too long: names of elements, attributes and namespaces are compared again and again.
    pub(super) fn bound_name(&self, length: usize) -> Result_<()> {
        let limit = self.options.names;
        if length > limit { Err(self.limit("bytes in one name", limit)) } else { Ok(()) }
    }

    pub(super) fn skip_space(&mut self) {
        while self.bytes.get(self.at).copied().is_some_and(is_space) {
            self.at += 1;
        }
    }

    pub(super) fn find(&self, end: &str, expected: &'static str) -> Result_<usize> {
        self.source[self.at..].find(end).map(|length| self.at + length).ok_or_else(|| self.expected(expected))
    }

    pub(super) fn rest(&self) -> &'s [u8] {
        &self.bytes[self.at.min(self.bytes.len())..]
    }

    pub(super) fn expected(&self, expected: &'static str) -> XmlError {
        XmlError::Syntax { offset: self.at, expected }
    }

    pub(super) fn limit(&self, what: &'static str, limit: usize) -> XmlError {
        XmlError::Limit { offset: self.at, what, limit }
    }

    pub(super) fn pooled(&mut self, value: &str) -> Text {
        let begin = self.tree.pool.len();
        self.tree.pool.push_str(value);
        self.pool_from(begin)
    }

    pub(super) fn pool_from(&self, begin: usize) -> Text {
        Text { start: begin as u32, end: self.tree.pool.len() as u32, pooled: true }
    }
}

/// The ASCII characters that continue a name.
const CONTINUES: [bool; 256] = {
    let (mut table, mut byte) = ([false; 256], 0u8);
    while byte < 0x80 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        byte += 1;
    }
    table
};

pub(super) fn text(start: usize, end: usize) -> Text {
    Text { start: start as u32, end: end as u32, pooled: false }
}

pub(super) fn span(start: usize, end: usize) -> Span {
    Span { start: start as u32, end: end as u32 }
}
