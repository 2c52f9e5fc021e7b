//! Elements in BER: X.690 §8.1.

use super::MAX_NESTING;
use super::error::Error;
use super::tag::Tag;

/// An element of BER, borrowed from its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tlv<'a> {
    /// The tag.
    pub tag: Tag,
    /// The whole element as sent, with tag, length and (indefinite length) end.
    pub raw: &'a [u8],
    /// The contents.
    pub content: &'a [u8],
}

impl<'a> Tlv<'a> {
    /// Splits `input` into its first element and the bytes that follow.
    ///
    /// # Errors
    ///
    /// [`Error`] where the input does not begin with an element.
    #[inline(always)]
    pub fn split(input: &'a [u8]) -> Result<(Self, &'a [u8]), Error> {
        // Nearly all elements of nearly all files: one byte of tag, one of length.
        if let [first, length @ ..0x80, rest @ ..] = input
            && first & 0x1f != 0x1f
            && let Some((content, rest)) = rest.split_at_checked(usize::from(*length))
        {
            return Ok((Self { tag: Tag::of_byte(*first), raw: &input[..2 + content.len()], content }, rest));
        }
        Self::split_any(input)
    }

    fn split_any(input: &'a [u8]) -> Result<(Self, &'a [u8]), Error> {
        let header = Header::read(input)?;
        let (content, whole) = match header.length {
            Some(length) => {
                let left = (input.len() - header.bytes) as u64;
                if length > left {
                    return Err(Error::Truncated { needed: length, left });
                }
                let end = header.bytes + length as usize;
                (header.bytes..end, end)
            }
            None if header.tag.constructed => {
                let end = header.bytes + indefinite_length(&input[header.bytes..])?;
                (header.bytes..end, end + 2)
            }
            None => return Err(Error::Unterminated),
        };
        let (raw, rest) = input.split_at(whole);
        Ok((Self { tag: header.tag, raw, content: &raw[content] }, rest))
    }

    /// Reads the only element of `input`.
    ///
    /// # Errors
    ///
    /// [`Error`] where the input does not begin with an element, or does not end with it.
    pub fn whole(input: &'a [u8]) -> Result<Self, Error> {
        match Self::split(input)? {
            (tlv, []) => Ok(tlv),
            (_, rest) => Err(Error::Trailing { bytes: rest.len() as u64 }),
        }
    }

    /// Returns whether class and number of its tag are those of `tag`.
    pub fn is(&self, tag: Tag) -> bool {
        self.tag.is(tag)
    }

    /// Returns whether its tag is `[number]`.
    pub fn is_context(&self, number: u32) -> bool {
        self.tag.is(Tag::context(number))
    }

    /// Returns the element if its tag is `tag`, and constructed where that is (X.690 §8.9.1, §8.11.1).
    ///
    /// # Errors
    ///
    /// [`Error`] where it has another tag, or no elements inside where there should be.
    pub fn expecting(self, tag: Tag) -> Result<Self, Error> {
        match self.is(tag) {
            true if tag.constructed => self.structure(),
            true => Ok(self),
            false => Err(Error::Unexpected { expected: tag, found: self.tag }),
        }
    }

    /// Returns the element if it is constructed, as SEQUENCE, SET and explicit tags are under whatever tag: X.690 §8.14.3.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] where it is primitive.
    pub fn structure(self) -> Result<Self, Error> {
        if self.tag.constructed { Ok(self) } else { Err(PRIMITIVE) }
    }
}

/// A primitive element where there should be elements inside.
pub(super) const PRIMITIVE: Error = Error::Malformed { expected: "structure", found: "a primitive element" };

/// A tag and a length; `None` is the indefinite length.
struct Header {
    tag: Tag,
    length: Option<u64>,
    bytes: usize,
}

impl Header {
    fn read(input: &[u8]) -> Result<Self, Error> {
        let at = |index: usize| {
            input.get(index).copied().ok_or(Error::Truncated { needed: index as u64 + 1, left: input.len() as u64 })
        };
        let first = at(0)?;
        let mut tag = Tag::of_byte(first);
        let mut bytes = 1;
        if tag.number == 0x1f {
            // X.690 §8.1.2.4: seven bits a byte, the last one without the top bit.
            let mut number = 0;
            loop {
                let byte = at(bytes)?;
                bytes += 1;
                if number >> 25 != 0 {
                    return Err(Error::TooLarge { what: "tag number" });
                }
                number = number << 7 | u32::from(byte & 0x7f);
                if byte & 0x80 == 0 {
                    break;
                }
            }
            tag.number = number;
        }
        let byte = at(bytes)?;
        bytes += 1;
        let length = match byte {
            0x80 => None,
            short @ 0..0x80 => Some(u64::from(short)),
            long => {
                let mut length = 0u64;
                for _ in 0..long & 0x7f {
                    if length >> 56 != 0 {
                        return Err(Error::TooLarge { what: "length" });
                    }
                    length = length << 8 | u64::from(at(bytes)?);
                    bytes += 1;
                }
                Some(length)
            }
        };
        Ok(Self { tag, length, bytes })
    }
}

/// How often the elements within indefinite lengths may be looked at for each byte, and whatever there is. Who reads them all
/// looks for the end of each level, and so at each of them once for every level that it is in. Real files: below one.
const LOOKS: usize = 4;
const LOOKS_ALWAYS: usize = 10_000;

/// Returns the number of bytes before the end-of-contents that ends an indefinite length (X.690 §8.1.5).
fn indefinite_length(input: &[u8]) -> Result<usize, Error> {
    let mut at = 0;
    let mut open = 1;
    let mut looks = 0;
    loop {
        let rest = &input[at..];
        if rest.is_empty() {
            return Err(Error::Unterminated);
        }
        if rest.starts_with(&[0, 0]) {
            open -= 1;
            if open == 0 {
                return Ok(at);
            }
            at += 2;
            continue;
        }
        let header = Header::read(rest)?;
        at += header.bytes;
        looks += open;
        if looks > LOOKS_ALWAYS + LOOKS * at {
            return Err(Error::TooLarge { what: "nesting of indefinite lengths" });
        }
        match header.length {
            Some(length) => {
                let left = (input.len() - at) as u64;
                if length > left {
                    return Err(Error::Truncated { needed: length, left });
                }
                at += length as usize;
            }
            None if !header.tag.constructed => return Err(Error::Unterminated),
            None if open == MAX_NESTING => return Err(Error::TooDeep),
            None => open += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_tags() {
        let long = [&[0x04, 0x81, 0x80][..], &[7; 128]].concat();
        let padded = [0x04, 0x83, 0, 0, 1, 7];
        let rows: &[(&str, &str, &[u8], Result<(u32, usize), Error>)] = &[
            ("8.1.3.4", "short", &[0x02, 1, 5], Ok((2, 1))),
            ("8.1.3.5", "long", &long, Ok((4, 128))),
            ("8.1.3.5", "long with leading zeros", &padded, Ok((4, 1))),
            ("8.1.2.4", "high tag number", &[0xbf, 0x81, 0x00, 0], Ok((128, 0))),
            (
                "8.1.2.4",
                "tag number past 32 bits",
                &[0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0],
                Err(Error::TooLarge { what: "tag number" }),
            ),
            ("8.1.3.6", "indefinite", &[0x30, 0x80, 0x02, 1, 5, 0, 0], Ok((16, 3))),
            ("8.1.3.6", "indefinite in indefinite", &[0x30, 0x80, 0x30, 0x80, 0, 0, 0, 0], Ok((16, 4))),
            ("8.1.3.6", "indefinite without end", &[0x30, 0x80, 0x02, 1, 5], Err(Error::Unterminated)),
            ("8.1.3.6", "indefinite on a primitive", &[0x04, 0x80, 0, 0], Err(Error::Unterminated)),
            ("8.1.3", "too short", &[0x04, 5, 1], Err(Error::Truncated { needed: 5, left: 1 })),
            ("8.1.3", "nothing", &[], Err(Error::Truncated { needed: 1, left: 0 })),
            (
                "8.1.3.5",
                "nine bytes of length",
                &[4, 0x89, 1, 0, 0, 0, 0, 0, 0, 0, 0],
                Err(Error::TooLarge { what: "length" }),
            ),
        ];
        for (clause, situation, bytes, expected) in rows {
            let found = Tlv::whole(bytes).map(|tlv| (tlv.tag.number, tlv.content.len()));
            assert_eq!(&found, expected, "{clause} {situation}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = |levels: usize| [[0x30, 0x80].repeat(levels), vec![0; 2 * levels]].concat();
        assert!(Tlv::whole(&deep(MAX_NESTING)).is_ok());
        assert_eq!(Tlv::whole(&deep(MAX_NESTING + 1)), Err(Error::TooDeep));
    }

    /// X.690 §8.1.5: who reads them all looks at each of them once for every level that it is in.
    #[test]
    fn many_elements_in_many_indefinite_lengths_are_refused() {
        let within = |levels: usize, element: &[u8]| {
            [[0x30, 0x80].repeat(levels), element.repeat(10_000), vec![0; 2 * levels]].concat()
        };
        let refused = Err(Error::TooLarge { what: "nesting of indefinite lengths" });
        for (levels, element, expected) in
            [(6, &[5, 0][..], Ok(())), (100, &[5, 0], refused.clone()), (100, &[0x30, 0x80, 0, 0], refused)]
        {
            assert_eq!(Tlv::whole(&within(levels, element)).map(drop), expected, "{levels} levels");
        }
    }
}
