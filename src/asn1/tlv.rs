use super::{Error, MAX_NESTING, Reader};
use std::fmt;

/// The class of a tag (X.690 §8.1.2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// The types of ASN.1 itself.
    Universal,
    /// Types of an application.
    Application,
    /// A component, named by its place in its structure.
    Context,
    /// Types of a private agreement.
    Private,
}

/// A tag: class, form and number (X.690 §8.1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag {
    /// The class.
    pub class: Class,
    /// Whether the contents are elements.
    pub constructed: bool,
    /// The number.
    pub number: u32,
}

#[allow(missing_docs)] // The names are ASN.1's own.
impl Tag {
    pub const BOOLEAN: Self = Self::universal(1);
    pub const INTEGER: Self = Self::universal(2);
    pub const BIT_STRING: Self = Self::universal(3);
    pub const OCTET_STRING: Self = Self::universal(4);
    pub const NULL: Self = Self::universal(5);
    pub const OID: Self = Self::universal(6);
    pub const ENUMERATED: Self = Self::universal(10);
    pub const UTF8_STRING: Self = Self::universal(12);
    pub const SEQUENCE: Self = Self { constructed: true, ..Self::universal(16) };
    pub const SET: Self = Self { constructed: true, ..Self::universal(17) };
    pub const NUMERIC_STRING: Self = Self::universal(18);
    pub const PRINTABLE_STRING: Self = Self::universal(19);
    pub const TELETEX_STRING: Self = Self::universal(20);
    pub const IA5_STRING: Self = Self::universal(22);
    pub const UTC_TIME: Self = Self::universal(23);
    pub const GENERALIZED_TIME: Self = Self::universal(24);
    pub const VISIBLE_STRING: Self = Self::universal(26);
    pub const UNIVERSAL_STRING: Self = Self::universal(28);
    pub const BMP_STRING: Self = Self::universal(30);

    const fn universal(number: u32) -> Self {
        Self { class: Class::Universal, constructed: false, number }
    }

    /// A tag of one octet, its number below 31.
    const fn of_octet(octet: u8) -> Self {
        const CLASSES: [Class; 4] = [Class::Universal, Class::Application, Class::Context, Class::Private];
        Self { class: CLASSES[(octet >> 6) as usize], constructed: octet & 0x20 != 0, number: (octet & 0x1f) as u32 }
    }

    /// `[number]` on a primitive type: an implicit tag.
    pub const fn context(number: u32) -> Self {
        Self { class: Class::Context, constructed: false, number }
    }

    /// `[number]` on elements: an explicit tag, or an implicit one on a SEQUENCE or SET.
    pub const fn context_constructed(number: u32) -> Self {
        Self { class: Class::Context, constructed: true, number }
    }

    /// Whether class and number are the same. BER leaves the form of strings open.
    pub const fn is(self, other: Self) -> bool {
        self.class as u8 == other.class as u8 && self.number == other.number
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 31] = [
            "end of contents",
            "BOOLEAN",
            "INTEGER",
            "BIT STRING",
            "OCTET STRING",
            "NULL",
            "OBJECT IDENTIFIER",
            "ObjectDescriptor",
            "EXTERNAL",
            "REAL",
            "ENUMERATED",
            "EMBEDDED PDV",
            "UTF8String",
            "RELATIVE-OID",
            "TIME",
            "type 15",
            "SEQUENCE",
            "SET",
            "NumericString",
            "PrintableString",
            "TeletexString",
            "VideotexString",
            "IA5String",
            "UTCTime",
            "GeneralizedTime",
            "GraphicString",
            "VisibleString",
            "GeneralString",
            "UniversalString",
            "CHARACTER STRING",
            "BMPString",
        ];
        match (self.class, NAMES.get(self.number as usize)) {
            (Class::Universal, Some(name)) => f.write_str(name),
            (Class::Universal, None) => write!(f, "[UNIVERSAL {}]", self.number),
            (Class::Application, _) => write!(f, "[APPLICATION {}]", self.number),
            (Class::Context, _) => write!(f, "[{}]", self.number),
            (Class::Private, _) => write!(f, "[PRIVATE {}]", self.number),
        }
    }
}

/// One element where it lies.
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
    /// The element with which `input` begins, and what follows it.
    #[inline(always)]
    pub fn split(input: &'a [u8]) -> Result<(Self, &'a [u8]), Error> {
        // Nearly all elements of nearly all files: one octet of tag, one of length.
        if let [first, length @ ..0x80, rest @ ..] = input
            && first & 0x1f != 0x1f
            && let Some((content, rest)) = rest.split_at_checked(usize::from(*length))
        {
            return Ok((Self { tag: Tag::of_octet(*first), raw: &input[..2 + content.len()], content }, rest));
        }
        Self::split_any(input)
    }

    fn split_any(input: &'a [u8]) -> Result<(Self, &'a [u8]), Error> {
        let header = Header::read(input)?;
        let (content, whole) = match header.length {
            Some(length) => {
                let left = (input.len() - header.octets) as u64;
                if length > left {
                    return Err(Error::Truncated { needed: length, left });
                }
                let end = header.octets + length as usize;
                (header.octets..end, end)
            }
            None if header.tag.constructed => {
                let end = header.octets + indefinite_length(&input[header.octets..])?;
                (header.octets..end, end + 2)
            }
            None => return Err(Error::Unterminated),
        };
        let (raw, rest) = input.split_at(whole);
        Ok((Self { tag: header.tag, raw, content: &raw[content] }, rest))
    }

    /// The only element of `input`.
    pub fn whole(input: &'a [u8]) -> Result<Self, Error> {
        match Self::split(input)? {
            (tlv, []) => Ok(tlv),
            (_, rest) => Err(Error::Trailing { octets: rest.len() as u64 }),
        }
    }

    /// The elements inside.
    pub fn children(&self) -> Reader<'a> {
        Reader::new(self.content)
    }

    /// The element inside an explicit tag.
    pub fn inner(&self) -> Result<Tlv<'a>, Error> {
        self.children().read()
    }

    /// Whether class and number of the tag are those of `tag`.
    pub fn is(&self, tag: Tag) -> bool {
        self.tag.is(tag)
    }

    /// Whether this is the component `[number]`.
    pub fn is_context(&self, number: u32) -> bool {
        self.tag.is(Tag::context(number))
    }

    /// This element, if its tag is `tag`.
    pub fn expecting(self, tag: Tag) -> Result<Self, Error> {
        if self.is(tag) { Ok(self) } else { Err(Error::Unexpected { expected: tag, found: self.tag }) }
    }
}

/// A tag and a length; `None` is the indefinite length.
struct Header {
    tag: Tag,
    length: Option<u64>,
    octets: usize,
}

impl Header {
    fn read(input: &[u8]) -> Result<Self, Error> {
        let at = |index: usize| {
            input.get(index).copied().ok_or(Error::Truncated { needed: index as u64 + 1, left: input.len() as u64 })
        };
        let first = at(0)?;
        let mut tag = Tag::of_octet(first);
        let mut octets = 1;
        if tag.number == 0x1f {
            // X.690 §8.1.2.4: seven bits an octet, the last one without the top bit.
            let mut number = 0;
            loop {
                let octet = at(octets)?;
                octets += 1;
                if number >> 25 != 0 {
                    return Err(Error::TooLarge { what: "tag number" });
                }
                number = number << 7 | u32::from(octet & 0x7f);
                if octet & 0x80 == 0 {
                    break;
                }
            }
            tag.number = number;
        }
        let octet = at(octets)?;
        octets += 1;
        let length = match octet {
            0x80 => None,
            short @ 0..0x80 => Some(u64::from(short)),
            long => {
                let mut length = 0u64;
                for _ in 0..long & 0x7f {
                    if length >> 56 != 0 {
                        return Err(Error::TooLarge { what: "length" });
                    }
                    length = length << 8 | u64::from(at(octets)?);
                    octets += 1;
                }
                Some(length)
            }
        };
        Ok(Self { tag, length, octets })
    }
}

/// Whether structures are nested deeper than so many levels, as far as they can be read.
pub fn is_deeper_than(octets: &[u8], levels: usize) -> bool {
    let mut parts = Reader::new(octets);
    std::iter::from_fn(|| Reader::next(&mut parts).ok().flatten())
        .filter(|part| part.tag.constructed)
        .any(|part| levels == 0 || is_deeper_than(part.content, levels - 1))
}

/// The number of octets before the end-of-contents that ends an indefinite length (X.690 §8.1.5).
fn indefinite_length(input: &[u8]) -> Result<usize, Error> {
    let mut at = 0;
    let mut open = 1;
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
        at += header.octets;
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
                "nine octets of length",
                &[4, 0x89, 1, 0, 0, 0, 0, 0, 0, 0, 0],
                Err(Error::TooLarge { what: "length" }),
            ),
        ];
        for (clause, situation, octets, expected) in rows {
            let found = Tlv::whole(octets).map(|tlv| (tlv.tag.number, tlv.content.len()));
            assert_eq!(&found, expected, "{clause} {situation}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = |levels: usize| [[0x30, 0x80].repeat(levels), vec![0; 2 * levels]].concat();
        assert!(Tlv::whole(&deep(MAX_NESTING)).is_ok());
        assert_eq!(Tlv::whole(&deep(MAX_NESTING + 1)), Err(Error::TooDeep));
    }
}
