//! Where bytes stand that end a text, or that are escaped in it. Documents are mostly text, so this goes by vectors.

/// Returns where the first byte of a set stands.
#[cfg(not(target_feature = "simd128"))]
pub(super) fn first_of(bytes: &[u8], [one, two, three]: [u8; 3]) -> Option<usize> {
    memchr::memchr3(one, two, three, bytes)
}

/// Returns where the first byte of several sets stands. A stretch at a time, so that none is looked for again and again
/// while another is near.
#[cfg(not(target_feature = "simd128"))]
pub(super) fn first(bytes: &[u8], sets: &[[u8; 3]]) -> Option<usize> {
    const STRETCH: usize = 256;
    let stretch = if sets.len() == 1 { bytes.len().max(1) } else { STRETCH };
    (0..).step_by(stretch).zip(bytes.chunks(stretch)).find_map(|(start, stretch)| {
        let in_stretch = sets.iter().filter_map(|set| first_of(stretch, *set));
        in_stretch.min().map(|at| start + at)
    })
}

#[cfg(target_feature = "simd128")]
pub(super) use vectors::{first, first_of, vector};

/// The same by vectors of WebAssembly: those of memchr are not inlined where the library is built for size.
#[cfg(target_feature = "simd128")]
mod vectors {
    use std::arch::wasm32::{i8x16_bitmask, u8x16_eq, u8x16_splat, u64x2, v128, v128_or};

    pub fn first_of(bytes: &[u8], set: [u8; 3]) -> Option<usize> {
        first(bytes, &[set])
    }

    pub fn first(bytes: &[u8], sets: &[[u8; 3]]) -> Option<usize> {
        let (blocks, rest) = bytes.as_chunks::<16>();
        let mut at = 0;
        for block in blocks {
            let bytes = vector(block);
            let mut found = u8x16_splat(0);
            for set in sets {
                let is_one = v128_or(u8x16_eq(bytes, u8x16_splat(set[0])), u8x16_eq(bytes, u8x16_splat(set[1])));
                found = v128_or(found, v128_or(is_one, u8x16_eq(bytes, u8x16_splat(set[2]))));
            }
            let places = i8x16_bitmask(found);
            if places != 0 {
                return Some(at + places.trailing_zeros() as usize);
            }
            at += 16;
        }
        for byte in rest {
            if sets.as_flattened().contains(byte) {
                return Some(at);
            }
            at += 1;
        }
        None
    }

    /// Returns sixteen bytes as a vector.
    #[inline(always)]
    pub fn vector(bytes: &[u8; 16]) -> v128 {
        let number = u128::from_le_bytes(*bytes);
        u64x2(number as u64, (number >> 64) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_found_wherever_it_stands() {
        let sets = [*b"&<>", *b"\r\r\r"];
        for length in 0..70 {
            let text = vec![b'x'; length];
            assert_eq!((first(&text, &sets), first_of(&text, sets[0])), (None, None), "{length} bytes");
            for at in 0..length {
                for byte in *b"&<>\r" {
                    let mut text = text.clone();
                    text[at..].fill(byte);
                    assert_eq!(first(&text, &sets), Some(at), "{byte} at {at} of {length}");
                    assert_eq!(first_of(&text, sets[0]), Some(at).filter(|_| byte != b'\r'), "{byte} at {at}");
                }
            }
        }
        let far = [&[b'x'; 600][..], b"\r", &[b'x'; 300], b"<"].concat();
        assert_eq!((first(&far, &sets), first_of(&far, sets[0])), (Some(600), Some(901)));
    }
}
