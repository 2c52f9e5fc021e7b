//! The gap of a signature: the string `/Contents`, which is filled in when the rest is written and signed.

use super::error::WriteError;
use super::serialize::hexadecimal;

/// What an update appends to the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Where `/Contents` of the signature stands in them, if the update has one.
    pub gap: Option<Gap>,
}

impl Appended {
    /// Returns what a signature covers, besides the file before: the bytes before `/Contents` and those after. Everything
    /// where there is no signature.
    pub fn covered(&self) -> [&[u8]; 2] {
        let bytes = &self.bytes[..];
        match &self.gap {
            Some(gap) => [bytes.get(..gap.start).unwrap_or_default(), bytes.get(gap.end..).unwrap_or_default()],
            None => [bytes, &[]],
        }
    }

    /// Fills in `/Contents`.
    ///
    /// # Errors
    ///
    /// [`WriteError::ContentsTooSmall`] where more bytes are needed than are reserved, or nothing is.
    pub fn fill(&mut self, contents: &[u8]) -> Result<(), WriteError> {
        match self.gap.clone() {
            Some(gap) => gap.fill(&mut self.bytes, contents),
            None => Err(WriteError::ContentsTooSmall { needed: contents.len(), reserved: 0 }),
        }
    }
}

/// Where `/Contents` stands in the bytes of an update, delimiters included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// The byte where `<` stands.
    pub start: usize,
    /// The byte after `>`.
    pub end: usize,
}

impl Gap {
    /// Appends a string of so many zeros, and returns where it stands.
    pub(super) fn reserve(out: &mut Vec<u8>, reserved: usize) -> Self {
        let start = out.len();
        hexadecimal(out, &vec![0; reserved]);
        Self { start, end: out.len() }
    }

    /// Returns how many bytes are reserved.
    pub fn reserved(&self) -> usize {
        (self.end - self.start).saturating_sub(2) / 2
    }

    /// Writes the contents into the update's bytes; zeros follow.
    fn fill(&self, bytes: &mut [u8], contents: &[u8]) -> Result<(), WriteError> {
        let too_small = WriteError::ContentsTooSmall { needed: contents.len(), reserved: self.reserved() };
        let Some(hole) = bytes.get_mut(self.start + 1..self.end - 1) else { return Err(too_small) };
        let digits = crate::hex::upper(contents);
        let Some((filled, rest)) = hole.split_at_mut_checked(digits.len()) else { return Err(too_small) };
        filled.copy_from_slice(digits.as_bytes());
        rest.fill(b'0');
        Ok(())
    }
}

/// The characters of a `/ByteRange`, so that it can be written before its numbers are known: three numbers of 19 digits.
const BYTE_RANGE: usize = 64;

/// A `/ByteRange` whose numbers are not known yet.
#[derive(Debug)]
pub(super) struct ByteRange {
    start: usize,
}

impl ByteRange {
    /// Appends room for it.
    pub fn reserve(out: &mut Vec<u8>) -> Self {
        let start = out.len();
        out.resize(start + BYTE_RANGE, b' ');
        Self { start }
    }

    /// Writes its numbers: `base` bytes are before the update, whose bytes are these.
    pub fn write(&self, out: &mut [u8], base: usize, gap: &Gap) {
        let (before, after) = (base + gap.start, base + gap.end);
        let written = format!("[0 {before} {after} {}]", base + out.len() - after);
        if let Some(place) = out.get_mut(self.start..self.start + written.len()) {
            place.copy_from_slice(written.as_bytes());
        }
    }
}
