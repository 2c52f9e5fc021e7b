//! Compressed bytes that are made anew each time they are asked for: RFC 1951, APPNOTE §4.4.5.

use crate::inflate::{Broken, Inflater, WINDOW, Wrapping};
use flate2::Crc;

/// Bytes inflated at a time. Larger pieces were not measurably faster.
const PIECE: usize = 64 * 1024;

/// What a compressed entry says that it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deflated<'a> {
    /// The compressed bytes.
    pub compressed: &'a [u8],
    /// How many bytes they stand for, as stated.
    pub size: u64,
    /// The CRC-32 of those bytes, as stated.
    pub crc: u32,
}

/// Compressed bytes that are not what was stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the compressed bytes are not what their header says")]
pub struct NotAsStated;

impl Deflated<'_> {
    /// Returns the first bytes, at most so many.
    pub fn beginning(&self, length: usize) -> Vec<u8> {
        // What cannot be inflated has no beginning.
        Inflater::new(self.compressed, Wrapping::None).whole(length, length).unwrap_or_default()
    }

    /// Returns the bytes, held.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    pub fn whole(&self) -> Result<Vec<u8>, NotAsStated> {
        self.whole_and_write(&mut |_| ())
    }

    /// Returns the bytes, held, and hands them over piece by piece meanwhile.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    pub(super) fn whole_and_write(&self, sink: &mut dyn FnMut(&[u8])) -> Result<Vec<u8>, NotAsStated> {
        let length = usize::try_from(self.size).map_err(|_| NotAsStated)?;
        let mut inflater = Inflater::new(self.compressed, Wrapping::None);
        let mut crc = Crc::new();
        // Room for one more tells whether there are more.
        let mut bytes = vec![0; length.checked_add(1).ok_or(NotAsStated)?];
        let mut at = 0;
        while at <= length {
            let room = bytes.len().min(at.saturating_add(PIECE));
            let made = inflater.write(&mut bytes[..room], at).map_err(|Broken| NotAsStated)?;
            let piece = bytes[..length].get(at..at + made).ok_or(NotAsStated)?;
            crc.update(piece);
            sink(piece);
            at += made;
            if at < room {
                break;
            }
        }
        bytes.truncate(at);
        if at == length && inflater.is_at_end() && crc.sum() == self.crc { Ok(bytes) } else { Err(NotAsStated) }
    }

    /// Hands the bytes over, piece by piece. Never more than stated; what was handed over counts only where all of it
    /// turns out to be as stated.
    ///
    /// # Errors
    ///
    /// [`NotAsStated`] when the size or the checksum is another, or bytes are left over.
    pub fn write(&self, sink: &mut dyn FnMut(&[u8])) -> Result<(), NotAsStated> {
        let mut inflater = Inflater::new(self.compressed, Wrapping::None);
        let mut crc = Crc::new();
        let mut left = self.size;
        let most = usize::try_from(self.size).unwrap_or(usize::MAX).saturating_add(1);
        let mut buffer = vec![0; most.min(WINDOW + PIECE)];
        let mut at = 0;
        loop {
            let made = inflater.write(&mut buffer, at).map_err(|Broken| NotAsStated)?;
            left = left.checked_sub(made as u64).ok_or(NotAsStated)?;
            let piece = &buffer[at..at + made];
            crc.update(piece);
            sink(piece);
            at += made;
            if at < buffer.len() {
                break;
            }
            // What comes next may copy from what came last.
            let kept = at.min(WINDOW);
            buffer.copy_within(at - kept.., 0);
            at = kept;
        }
        if left == 0 && inflater.is_at_end() && crc.sum() == self.crc { Ok(()) } else { Err(NotAsStated) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::DeflateEncoder;
    use std::io::Write as _;

    #[test]
    fn what_is_stated_is_what_is_made() {
        let plain: Vec<u8> = (0..200_000u32).flat_map(|n| (n / 7).to_be_bytes()).collect();
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&plain).unwrap();
        let compressed = encoder.finish().unwrap();
        let longer = [&compressed[..], b"more"].concat();
        let mut crc = Crc::new();
        crc.update(&plain);
        let right = Deflated { compressed: &compressed, size: plain.len() as u64, crc: crc.sum() };
        for (clause, situation, deflated, expected) in [
            ("4.4.5", "as stated", right, Ok(())),
            ("4.4.9", "more than stated", Deflated { size: right.size - 1, ..right }, Err(NotAsStated)),
            ("4.4.9", "less than stated", Deflated { size: right.size + 1, ..right }, Err(NotAsStated)),
            ("4.4.7", "another checksum", Deflated { crc: right.crc ^ 1, ..right }, Err(NotAsStated)),
            ("4.4.8", "bytes left over", Deflated { compressed: &longer, ..right }, Err(NotAsStated)),
            ("4.4.8", "cut off", Deflated { compressed: &compressed[..1000], ..right }, Err(NotAsStated)),
            ("4.4.8", "nothing", Deflated { compressed: &[], ..right }, Err(NotAsStated)),
        ] {
            let mut made = Vec::new();
            let result = deflated.write(&mut |piece| made.extend_from_slice(piece));
            assert_eq!(result, expected, "APPNOTE {clause} {situation}");
            assert!(result.is_err() || made == plain, "APPNOTE {clause} {situation}");
            assert!(made.len() as u64 <= deflated.size, "APPNOTE {clause} {situation}: never more than stated");
            let mut meanwhile = Vec::new();
            let held = deflated.whole_and_write(&mut |piece| meanwhile.extend_from_slice(piece));
            assert!(meanwhile.len() as u64 <= deflated.size, "APPNOTE {clause} {situation}: never more, held");
            assert!(
                held.as_ref().is_ok_and(|held| *held == meanwhile) || held.is_err(),
                "APPNOTE {clause} {situation}"
            );
            assert_eq!(held, result.map(|()| made), "APPNOTE {clause} {situation}: held");
            let beginning = deflated.beginning(7);
            assert_eq!(beginning, plain[..beginning.len()], "APPNOTE {clause} {situation}");
            assert!(beginning.len() == 7 || deflated.compressed.is_empty(), "APPNOTE {clause} {situation}");
        }
    }
}
