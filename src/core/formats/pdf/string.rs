//! Strings: ISO 32000-1 §7.3.4.

use super::characters::decode_hexadecimal;
use std::borrow::Cow;
use std::ops::Range;

/// A string: ISO 32000-1 §7.3.4. It is decoded when its bytes are asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct PdfString<'a> {
    written: Cow<'a, [u8]>,
    notation: Notation,
    /// Where it stands in the file, delimiters included. `None` in an object stream, and where it was encrypted.
    pub span: Option<Range<usize>>,
}

/// How a string is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// Byte by byte.
    Plain,
    /// With escapes or line ends that stand for others (§7.3.4.2).
    Escaped,
    /// In hexadecimal (§7.3.4.3).
    Hexadecimal,
}

impl<'a> PdfString<'a> {
    /// Makes a string of its bytes in the file, without delimiters.
    pub(super) fn new(written: &'a [u8], notation: Notation, span: Range<usize>) -> Self {
        Self { written: Cow::Borrowed(written), notation, span: Some(span) }
    }

    /// Returns its bytes, decoded.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match self.notation {
            Notation::Plain => Cow::Borrowed(&self.written),
            Notation::Escaped => Cow::Owned(unescape(&self.written)),
            Notation::Hexadecimal => Cow::Owned(decode_hexadecimal(&self.written)),
        }
    }

    /// Returns its bytes as they are written, without delimiters.
    pub(super) fn written(&self) -> &[u8] {
        &self.written
    }

    /// Returns whether both have the same bytes, whatever their notation. A string that readers read differently is the same only
    /// as it is written.
    pub fn means(&self, other: &Self) -> bool {
        self.notation == other.notation && self.written == other.written
            || [self, other].iter().all(|string| string.is_read_alike()) && self.bytes() == other.bytes()
    }

    /// Returns whether every reader reads the same bytes. A carriage return by itself stands for a line feed, and of an escape above
    /// 255 the high bits are ignored (§7.3.4.2): many readers do neither.
    fn is_read_alike(&self) -> bool {
        let is_high = |four: &[u8]| matches!(four, [b'\\', b'4'..=b'7', b'0'..=b'7', b'0'..=b'7']);
        self.notation != Notation::Escaped || !self.written.contains(&b'\r') && !self.written.windows(4).any(is_high)
    }

    /// Makes a string of decoded bytes, such as decryption yields.
    pub(super) fn of(bytes: Vec<u8>) -> Self {
        Self { written: Cow::Owned(bytes), notation: Notation::Plain, span: None }
    }

    pub(super) fn into_owned<'b>(self) -> PdfString<'b> {
        PdfString { written: Cow::Owned(self.written.into_owned()), notation: self.notation, span: None }
    }
}

/// Decodes the escapes of a literal string: ISO 32000-1 table 3.
fn unescape(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len());
    let mut bytes = raw.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\r' => {
                bytes.next_if_eq(&b'\n');
                out.push(b'\n');
            }
            b'\\' => match bytes.next() {
                Some(b'n') => out.push(b'\n'),
                Some(b'r') => out.push(b'\r'),
                Some(b't') => out.push(b'\t'),
                Some(b'b') => out.push(8),
                Some(b'f') => out.push(12),
                Some(b'\r') => {
                    bytes.next_if_eq(&b'\n');
                }
                Some(b'\n') | None => {}
                Some(digit @ b'0'..=b'7') => {
                    let mut value = u32::from(digit - b'0');
                    for _ in 0..2 {
                        match bytes.next_if(|o| (b'0'..=b'7').contains(o)) {
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
