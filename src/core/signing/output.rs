//! What signing and extending write: pieces of the original file, and new bytes between them.

use std::ops::Range;

/// A file that was written from another: which bytes of the original it keeps, and the new bytes.
///
/// A PDF keeps all of the original and appends; a CMS file keeps its content and its signers. So the original, which
/// may be large and mapped, is copied once, by the caller, to where the file is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Output {
    pieces: Vec<Piece>,
}

/// A piece of an [`Output`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// A stretch of the original, in bytes.
    Kept(Range<usize>),
    /// New bytes.
    New(Vec<u8>),
}

impl Output {
    /// Makes a file of new bytes alone.
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        Self { pieces: vec![Piece::New(bytes)] }
    }

    /// Makes a file of these pieces.
    pub(crate) fn of(pieces: Vec<Piece>) -> Self {
        Self { pieces }
    }

    /// Makes a file that keeps an original of `length` bytes and appends to it.
    pub(crate) fn appended(length: usize, bytes: Vec<u8>) -> Self {
        Self { pieces: vec![Piece::Kept(0..length), Piece::New(bytes)] }
    }

    /// Returns the pieces in the order of the file.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Returns the length of the file in bytes.
    pub fn len(&self) -> usize {
        self.pieces
            .iter()
            .map(|piece| match piece {
                Piece::Kept(range) => range.len(),
                Piece::New(bytes) => bytes.len(),
            })
            .sum()
    }

    /// Tells whether the file is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes of the file in their order; `original` is the file that it was made from.
    pub fn parts<'s>(&'s self, original: &'s [u8]) -> impl Iterator<Item = &'s [u8]> {
        self.pieces.iter().map(|piece| match piece {
            Piece::Kept(range) => original.get(range.clone()).unwrap_or_default(),
            Piece::New(bytes) => bytes,
        })
    }

    /// Returns the file as one; `original` is the file that it was made from.
    pub fn to_vec(&self, original: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len());
        self.parts(original).for_each(|part| bytes.extend_from_slice(part));
        bytes
    }
}
