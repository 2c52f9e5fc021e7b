//! Inflating: RFC 1951, alone or wrapped as RFC 1950 says.

use fdeflate::Decompressor;

/// How far back a copy may reach: RFC 1951 §2.
pub(crate) const WINDOW: usize = 32 * 1024;

/// Bytes that are not compressed as RFC 1951 says, or cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Broken;

/// What stands around compressed bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrapping {
    None,
    /// RFC 1950.
    Zlib,
}

/// Inflates bytes as far as there is room for them.
pub(crate) struct Inflater<'i> {
    decompressor: Decompressor,
    /// What was not read yet. The library wants a checksum at the end, and does not look at it: where there is none, zeros
    /// stand for it, the last of them apart, so that they tell where the end was.
    ahead: [&'i [u8]; 3],
}

impl<'i> Inflater<'i> {
    /// Begins to inflate bytes. A checksum in the wrapping is not compared.
    pub(crate) fn new(compressed: &'i [u8], wrapping: Wrapping) -> Self {
        let ahead: [&[u8]; 3] = match wrapping {
            Wrapping::None => [compressed, &[0; 3], &[0]],
            Wrapping::Zlib => [compressed, &[], &[]],
        };
        Self { ahead, ..Self::begun(compressed, wrapping) }
    }

    fn begun(compressed: &'i [u8], wrapping: Wrapping) -> Self {
        /// RFC 1950 §2.2: compressed by this method, and nothing else of note.
        const HEADER: &[u8] = &[0x78, 0x01];
        let mut decompressor = Decompressor::new();
        decompressor.ignore_adler32();
        if wrapping == Wrapping::None {
            let header = decompressor.read(HEADER, &mut [], 0, false);
            debug_assert_eq!(header, Ok((HEADER.len(), 0)));
        }
        Self { decompressor, ahead: [compressed, &[], &[]] }
    }

    /// Writes what comes next to `output`, from a place on, before which stands what came before it: at least a [`WINDOW`]
    /// of it. Returns how many bytes those were: there is room left only where it was the last.
    pub(crate) fn write(&mut self, output: &mut [u8], from: usize) -> Result<usize, Broken> {
        let mut at = from;
        loop {
            let next = self.ahead.iter().position(|ahead| !ahead.is_empty()).unwrap_or(0);
            let (read, made) = self.decompressor.read(self.ahead[next], output, at, false).map_err(|_| Broken)?;
            self.ahead[next] = &self.ahead[next][read..];
            at += made;
            if at == output.len() || self.decompressor.is_done() {
                return Ok(at - from);
            }
            if (read, made) == (0, 0) {
                return Err(Broken);
            }
        }
    }

    /// Returns whether the last byte was written and nothing follows the compressed ones.
    pub(crate) fn is_at_end(&self) -> bool {
        self.decompressor.is_done() && self.ahead.iter().all(|ahead| ahead.is_empty())
    }

    /// Returns all bytes, `likely` so many, or the first `limit` of them where there are more.
    pub(crate) fn whole(&mut self, likely: usize, limit: usize) -> Result<Vec<u8>, Broken> {
        /// Room to begin with, so that doubling it leads somewhere.
        const LEAST: usize = 512;
        let mut bytes = vec![0; likely.max(LEAST).min(limit)];
        let mut at = 0;
        loop {
            at += self.write(&mut bytes, at)?;
            if self.decompressor.is_done() || at == limit {
                bytes.truncate(at);
                bytes.shrink_to_fit();
                return Ok(bytes);
            }
            // Zeros that are asked for with the room cost less than those that are written to it.
            let held = std::mem::replace(&mut bytes, vec![0; at.saturating_mul(2).min(limit)]);
            bytes[..at].copy_from_slice(&held);
        }
    }
}

/// Returns the bytes before the place at which compressed ones are broken, or the first `limit` of them. Told are only
/// whole stretches: so it is begun anew for shorter ones, down to one byte.
pub(crate) fn until_broken(compressed: &[u8], wrapping: Wrapping, limit: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for stretch in [1 << 16, 1 << 8, 1] {
        let mut inflater = Inflater::begun(compressed, wrapping);
        let mut known = inflater.write(&mut bytes, 0).is_ok();
        while known && bytes.len() < limit {
            let at = bytes.len();
            bytes.resize(limit.min(at + stretch), 0);
            let made = inflater.write(&mut bytes, at);
            known = made == Ok(bytes.len() - at);
            bytes.truncate(at + made.unwrap_or(0));
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, ZlibEncoder};
    use std::io::Write as _;

    /// Texts that ask something of an inflater.
    fn texts() -> Vec<(&'static str, Vec<u8>)> {
        let noise = |length: u32| (0..length).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect::<Vec<u8>>();
        vec![
            ("nothing", vec![]),
            ("one byte", b"a".to_vec()),
            ("one byte over and over", vec![b'a'; 300_000]),
            ("what cannot be made shorter", noise(100_000)),
            ("what comes again a window later", [noise(WINDOW as u32), noise(WINDOW as u32)].concat()),
            ("digits", (0..60_000).flat_map(|n: u32| (n * n).to_string().into_bytes()).collect()),
        ]
    }

    fn deflated(plain: &[u8], level: u32) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(level));
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn what_was_deflated_is_inflated() {
        for (what, plain) in texts() {
            for level in [0, 1, 6, 9] {
                let compressed = deflated(&plain, level);
                for likely in [0, plain.len(), plain.len() + 1] {
                    let mut inflater = Inflater::new(&compressed, Wrapping::None);
                    let found = inflater.whole(likely, usize::MAX);
                    assert!(found.as_ref() == Ok(&plain), "{what}, level {level}, {likely} likely");
                    assert!(inflater.is_at_end(), "{what}, level {level}");
                }
                let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(level));
                encoder.write_all(&plain).unwrap();
                let wrapped = encoder.finish().unwrap();
                assert!(
                    Inflater::new(&wrapped, Wrapping::Zlib).whole(0, usize::MAX).as_ref() == Ok(&plain),
                    "{what}, level {level}"
                );
            }
        }
    }

    #[test]
    fn the_end_is_where_it_is() {
        for (what, plain) in texts() {
            for level in [0, 6] {
                let compressed = deflated(&plain, level);
                for more in 1..12 {
                    let longer = [&compressed[..], &vec![0; more]].concat();
                    let mut inflater = Inflater::new(&longer, Wrapping::None);
                    assert!(inflater.whole(0, usize::MAX).as_ref() == Ok(&plain), "{what}, {more} more");
                    assert!(!inflater.is_at_end(), "{what}, {more} more");
                }
                let less = compressed.len().min(12);
                for cut in 1..less {
                    let mut inflater = Inflater::new(&compressed[..compressed.len() - cut], Wrapping::None);
                    let found = inflater.whole(0, usize::MAX);
                    assert!(found != Ok(plain.clone()) || !inflater.is_at_end(), "{what}, {cut} less");
                }
            }
        }
    }

    #[test]
    fn never_more_than_there_is_room_for() {
        let plain = vec![7; 1 << 20];
        let bomb = deflated(&plain, 9);
        for limit in [1, 2, 511, 512, 513, 100_000] {
            let found = Inflater::new(&bomb, Wrapping::None).whole(0, limit).expect("it is whole");
            assert_eq!((found.len(), found.capacity()), (limit, limit));
        }
        for room in [1, 2, 7, 258, 259, WINDOW, WINDOW + 1] {
            let mut inflater = Inflater::new(&bomb, Wrapping::None);
            let mut buffer = vec![0; WINDOW + room];
            let mut made = inflater.write(&mut buffer, 0).expect("it is whole");
            for _ in 0..20 {
                buffer.copy_within(room.., 0);
                buffer[WINDOW..].fill(0);
                assert_eq!(inflater.write(&mut buffer, WINDOW), Ok(room));
                made += room;
            }
            assert!(buffer.iter().all(|byte| *byte == 7) && made == WINDOW + 21 * room, "room for {room}");
        }
    }

    #[test]
    fn what_comes_before_a_break_is_known() {
        for (what, plain) in texts() {
            let compressed = deflated(&plain, 6);
            for kept in [0, 1, compressed.len() / 2, compressed.len() - 1] {
                let found = until_broken(&compressed[..kept], Wrapping::None, usize::MAX);
                let whole = kept == compressed.len() - 1 && found.len() == plain.len();
                assert!(
                    plain.starts_with(&found) && (whole || found.len() < plain.len().max(1)),
                    "{what}, {kept} kept"
                );
                assert!(kept < compressed.len() - 1 || found.len() + 1000 > plain.len(), "{what}, {kept} kept");
                let limited = until_broken(&compressed[..kept], Wrapping::None, 300);
                assert_eq!(limited, found[..found.len().min(300)], "{what}, {kept} kept");
            }
        }
    }

    #[test]
    fn what_is_broken_is_told() {
        for (clause, what, bytes) in [
            ("3.2.3", "a reserved type of block", &[0x07_u8][..]),
            ("3.2.4", "a length that is not its complement", &[0x01, 1, 0, 0, 0, b'a']),
            ("3.2.5", "a copy of what was never there", &[0x63, 0x00, 0x42, 0x00]),
            ("3.2.7", "too many codes", &[0xfd, 0xff, 0xff, 0xff, 0xff]),
            ("3.2.3", "nothing", &[]),
        ] {
            let mut inflater = Inflater::new(bytes, Wrapping::None);
            let found = inflater.whole(0, usize::MAX);
            assert!(found.is_err() || !inflater.is_at_end(), "RFC 1951 §{clause}: {what}");
        }
    }
}
