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

impl Piece {
    /// Returns its length in bytes.
    pub fn len(&self) -> usize {
        match self {
            Self::Kept(range) => range.len(),
            Self::New(bytes) => bytes.len(),
        }
    }

    /// Tells whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Output {
    /// Makes a file of new bytes alone.
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        Self { pieces: vec![Piece::New(bytes)] }
    }

    /// Makes a file of these pieces. Neighbours of one kind become one piece, and empty ones none.
    pub(crate) fn of(pieces: impl IntoIterator<Item = Piece>) -> Self {
        let mut joined: Vec<Piece> = vec![];
        for piece in pieces.into_iter().filter(|piece| !piece.is_empty()) {
            match (joined.last_mut(), piece) {
                (Some(Piece::Kept(last)), Piece::Kept(next)) if last.end == next.start => last.end = next.end,
                (Some(Piece::New(last)), Piece::New(next)) => last.extend(next),
                (_, piece) => joined.push(piece),
            }
        }
        Self { pieces: joined }
    }

    /// Returns the file that `next` makes of this one, as made from this one's original.
    pub(crate) fn then(&self, next: &Self) -> Self {
        Self::of(next.pieces.iter().flat_map(|piece| match piece {
            Piece::Kept(range) => self.stretch(range.clone()),
            Piece::New(bytes) => vec![Piece::New(bytes.clone())],
        }))
    }

    /// Returns the pieces that a stretch of this file consists of.
    fn stretch(&self, wanted: Range<usize>) -> Vec<Piece> {
        let mut found = vec![];
        let mut start = 0;
        for piece in &self.pieces {
            let (from, to) = (wanted.start.max(start), wanted.end.min(start + piece.len()));
            if from < to {
                let (from, to) = (from - start, to - start);
                found.push(match piece {
                    Piece::Kept(range) => Piece::Kept(range.start + from..range.start + to),
                    Piece::New(bytes) => Piece::New(bytes[from..to].to_vec()),
                });
            }
            start += piece.len();
        }
        found
    }

    /// Makes a file that keeps an original of `length` bytes and appends to it.
    #[cfg(feature = "pdf")]
    pub(crate) fn appended(length: usize, bytes: Vec<u8>) -> Self {
        Self { pieces: vec![Piece::Kept(0..length), Piece::New(bytes)] }
    }

    /// Returns the pieces in the order of the file.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Returns the length of the file in bytes.
    pub fn len(&self) -> usize {
        self.pieces.iter().map(Piece::len).sum()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_after_the_other_is_both_at_once() {
        let original = b"0123456789";
        let new = |text: &[u8]| Piece::New(text.to_vec());
        let first = Output::of([Piece::Kept(0..4), new(b"ab"), Piece::Kept(4..8), Piece::Kept(8..10)]);
        assert_eq!(first.pieces().len(), 3, "neighbours are joined");
        let middle = first.to_vec(original);
        let rows: [Vec<Piece>; 5] = [
            vec![Piece::Kept(0..12)],
            vec![Piece::Kept(0..5), new(b"X"), Piece::Kept(5..12)],
            vec![new(b"X"), Piece::Kept(3..7)],
            vec![Piece::Kept(4..6), Piece::Kept(9..12), new(b"Y")],
            vec![Piece::Kept(3..3), new(b"")],
        ];
        for second in rows.map(Output::of) {
            let both = first.then(&second);
            assert_eq!(both.to_vec(original), second.to_vec(&middle), "{second:?}");
            assert_eq!(both.len(), second.len());
        }
    }
}
