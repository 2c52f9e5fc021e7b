//! Characters: text, references, line ends (XML 1.0 §2.2, §2.4, §2.7, §2.11, §4.1).

use super::super::characters::{is_char, is_space};
use super::super::references::predefined;
use super::super::search::first_of;
use super::super::tree::*;
use super::{NOTHING, Parser, Result_, XmlError, text};
use memchr::memmem;

impl<'s> Parser<'s, '_> {
    /// Reads character data with its references and CDATA sections, as one text node.
    pub(super) fn characters(&mut self) -> Result_<()> {
        let start = self.at;
        let mut copied = start;
        let mut pooled_at = None;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'<' if self.rest().starts_with(b"<![CDATA[") => {
                    pooled_at.get_or_insert(self.tree.pool.len());
                    self.tree.pool.push_str(&self.source[copied..self.at]);
                    self.at += 9;
                    let end = self.find("]]>", "the end of a CDATA section")?;
                    self.checked(self.at, end)?;
                    self.push_lines(self.at, end);
                    self.at = end + 3;
                    copied = self.at;
                }
                b'<' => break,
                b'&' | b'\r' => {
                    pooled_at.get_or_insert(self.tree.pool.len());
                    self.tree.pool.push_str(&self.source[copied..self.at]);
                    if byte == b'&' {
                        self.reference(false)?;
                    } else {
                        self.at += if self.rest().starts_with(b"\r\n") { 2 } else { 1 };
                        self.tree.pool.push('\n');
                    }
                    copied = self.at;
                }
                _ if self.plain => {
                    let rest = self.rest();
                    self.at += first_of(rest, *b"<&\r").unwrap_or(rest.len());
                }
                b']' if self.rest().starts_with(b"]]>") => return Err(self.expected("no ]]> in text")),
                _ => self.skip_character(byte)?,
            }
        }
        if self.at == start {
            return Err(self.expected("a CDATA section"));
        }
        let content = match pooled_at {
            None => text(start, self.at),
            Some(begin) => {
                self.tree.pool.push_str(&self.source[copied..self.at]);
                self.pool_from(begin)
            }
        };
        // References to nothing and empty sections make no node.
        if content.start != content.end {
            self.push_text(Kind::Text, start, NOTHING, content);
        }
        Ok(())
    }

    /// Reads a `Reference`: its replacement goes to the pool.
    pub(super) fn reference(&mut self, in_value: bool) -> Result_<()> {
        let start = self.at;
        let end = self.bytes[start..].iter().take(80).position(|byte| *byte == b';');
        let Some(end) = end.map(|length| start + length) else { return Err(XmlError::Entity { offset: start }) };
        let name = &self.source[start + 1..end];
        self.at = end + 1;
        if let Some(character) = predefined(name) {
            self.tree.pool.push(character);
            return Ok(());
        }
        if name.starts_with('#') {
            return Err(XmlError::Character { offset: start });
        }
        let known = self.document_type.as_ref().and_then(|document_type| document_type.entity(name));
        let Some(replacement) = known else { return Err(XmlError::Entity { offset: start }) };
        self.expanded = self.expanded.saturating_add(replacement.len());
        if self.expanded > self.options.expansion {
            return Err(self.limit("bytes of entities", self.options.expansion));
        }
        let spaced = |c: char| if in_value && matches!(c, '\t' | '\n' | '\r') { ' ' } else { c };
        self.tree.pool.extend(replacement.chars().map(spaced));
        Ok(())
    }

    /// Returns the source between two places, with line ends normalised (§2.11).
    pub(super) fn lines(&mut self, start: usize, end: usize) -> Text {
        if !self.bytes[start..end].contains(&b'\r') {
            return text(start, end);
        }
        let begin = self.tree.pool.len();
        self.push_lines(start, end);
        self.pool_from(begin)
    }

    pub(super) fn push_lines(&mut self, start: usize, end: usize) {
        let mut lines = self.source[start..end].split('\r');
        self.tree.pool.push_str(lines.next().unwrap_or_default());
        for line in lines {
            self.tree.pool.push('\n');
            self.tree.pool.push_str(line.strip_prefix('\n').unwrap_or(line));
        }
    }

    /// Checks that every character between two places is one of XML's.
    pub(super) fn checked(&self, start: usize, end: usize) -> Result_<()> {
        if self.plain {
            return Ok(());
        }
        match self.source[start..end].char_indices().find(|(_, c)| !is_char(*c)) {
            Some((at, _)) => Err(XmlError::Character { offset: start + at }),
            None => Ok(()),
        }
    }

    /// Moves past a character that stands for itself.
    pub(super) fn skip_character(&mut self, first: u8) -> Result_<()> {
        match first {
            0..=0x1f if !is_space(first) => Err(XmlError::Character { offset: self.at }),
            0xef if matches!(self.bytes.get(self.at + 1..self.at + 3), Some([0xbf, 0xbe | 0xbf])) => {
                Err(XmlError::Character { offset: self.at })
            }
            _ => {
                self.at += 1;
                Ok(())
            }
        }
    }
}

/// What a first look at a document tells.
pub(super) struct FirstLook {
    /// Whether no control character stands in it, neither U+FFFE nor U+FFFF, and no `]]>`.
    pub plain: bool,
    /// How many `<`.
    pub tags: usize,
}

impl FirstLook {
    pub(super) fn at(bytes: &[u8]) -> Self {
        const FORBIDDEN: [&[u8]; 3] = [b"\xef\xbf\xbe", b"\xef\xbf\xbf", b"]]>"];
        let mut seen = Seen { control: false, suspect: false, tags: 0 };
        bytes.chunks(4096).for_each(|stretch| seen.look(stretch));
        let forbidden = || FORBIDDEN.iter().any(|forbidden| memmem::find(bytes, forbidden).is_some());
        Self { plain: !(seen.control || seen.suspect && forbidden()), tags: seen.tags }
    }
}

/// What stands in the stretches that were looked at.
struct Seen {
    control: bool,
    /// A byte with which something forbidden begins.
    suspect: bool,
    tags: usize,
}

impl Seen {
    #[cfg(not(target_feature = "simd128"))]
    fn look(&mut self, stretch: &[u8]) {
        // Branches would cost more than the whole rest of reading.
        let is_control = |byte: u8| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r');
        let is_suspect = |byte: u8| (byte == 0xef) | (byte == b']');
        let (control, suspect) = stretch
            .iter()
            .fold((false, false), |(control, suspect), &byte| (control | is_control(byte), suspect | is_suspect(byte)));
        self.control |= control;
        self.suspect |= suspect;
        self.tags += memchr::memchr_iter(b'<', stretch).count();
    }

    /// Looks in the same way by vectors of WebAssembly, which the compiler does not make of the other.
    #[cfg(target_feature = "simd128")]
    fn look(&mut self, stretch: &[u8]) {
        use super::super::search::vector;
        use std::arch::wasm32::{i8x16_bitmask, u8x16_eq, u8x16_lt, u8x16_splat};
        use std::arch::wasm32::{v128_andnot, v128_any_true, v128_or};
        let (blocks, rest) = stretch.as_chunks::<16>();
        let mut last = [b' '; 16];
        last[..rest.len()].copy_from_slice(rest);
        let (mut control, mut suspect) = (u8x16_splat(0), u8x16_splat(0));
        // One loop, so that what is in it is called from one place and stays in it.
        for at in 0..=blocks.len() {
            let bytes = vector(blocks.get(at).unwrap_or(&last));
            let is = |byte| u8x16_eq(bytes, u8x16_splat(byte));
            let white = v128_or(v128_or(is(b'\t'), is(b'\n')), is(b'\r'));
            control = v128_or(control, v128_andnot(u8x16_lt(bytes, u8x16_splat(b' ')), white));
            suspect = v128_or(suspect, v128_or(is(0xef), is(b']')));
            self.tags += i8x16_bitmask(is(b'<')).count_ones() as usize;
        }
        self.control |= v128_any_true(control);
        self.suspect |= v128_any_true(suspect);
    }
}
