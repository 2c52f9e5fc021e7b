use super::{Class, Error, MAX_NESTING, Reader, Tag, Tlv};
use std::borrow::Cow;

/// A BIT STRING.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitString<'a> {
    /// Bits of the last byte that do not count.
    pub unused: u8,
    /// The bytes.
    pub bytes: Cow<'a, [u8]>,
}

impl BitString<'_> {
    /// Returns bit `number`, counted from the first byte's top bit as ASN.1's named bits are.
    pub fn bit(&self, number: usize) -> bool {
        number < self.bytes.len() * 8 - usize::from(self.unused)
            && self.bytes.get(number / 8).is_some_and(|byte| byte & 0x80 >> (number % 8) != 0)
    }
}

impl<'a> Tlv<'a> {
    /// Returns the bytes of an OCTET STRING or any string type, in one piece or several, also under an implicit tag.
    pub fn bytes(&self) -> Result<Cow<'a, [u8]>, Error> {
        if !self.tag.constructed {
            return Ok(Cow::Borrowed(self.content));
        }
        let mut joined = Vec::new();
        self.each_piece(0, &mut |piece| {
            joined.extend_from_slice(piece);
            Ok(())
        })?;
        Ok(Cow::Owned(joined))
    }

    /// Hands each piece of a string to `sink` in order, without joining them (X.690 §8.7.3).
    pub fn pieces(&self, sink: &mut dyn FnMut(&'a [u8])) -> Result<(), Error> {
        self.each_piece(0, &mut |piece| {
            sink(piece);
            Ok(())
        })
    }

    fn each_piece(&self, depth: usize, sink: &mut dyn FnMut(&'a [u8]) -> Result<(), Error>) -> Result<(), Error> {
        if !self.tag.constructed {
            return sink(self.content);
        }
        if depth == MAX_NESTING {
            return Err(Error::TooDeep);
        }
        let mut pieces = self.children();
        while let Some(piece) = Reader::next(&mut pieces)? {
            if piece.tag.class != Class::Universal {
                return Err(Error::Unexpected { expected: Tag::OCTET_STRING, found: piece.tag });
            }
            piece.each_piece(depth + 1, sink)?;
        }
        Ok(())
    }

    /// Reads a BIT STRING, in one piece or several, also under an implicit tag (X.690 §8.6).
    pub fn bit_string(&self) -> Result<BitString<'a>, Error> {
        if !self.tag.constructed {
            let (unused, bytes) = bits(self.content)?;
            return Ok(BitString { unused, bytes: Cow::Borrowed(bytes) });
        }
        let mut joined = Vec::new();
        let mut last = 0;
        self.each_piece(0, &mut |piece| {
            if last != 0 {
                return Err(Error::Malformed { expected: "BIT STRING", found: "unused bits before the last piece" });
            }
            let (unused, bytes) = bits(piece)?;
            last = unused;
            joined.extend_from_slice(bytes);
            Ok(())
        })?;
        Ok(BitString { unused: last, bytes: Cow::Owned(joined) })
    }

    /// Returns the text of any string type.
    ///
    /// TeletexString is read as Latin-1, which is what certificates mean by it; a
    /// PrintableString with characters outside its alphabet as UTF-8 where it is
    /// that, else Latin-1.
    pub fn string(&self) -> Result<Cow<'a, str>, Error> {
        let bytes = self.bytes()?;
        if self.tag.class != Class::Universal {
            return Ok(utf8(bytes));
        }
        match self.tag.number {
            12 | 18 | 19 | 22 | 25..=27 => Ok(utf8(bytes)),
            20 | 21 => Ok(latin1(bytes)),
            30 => wide(&bytes, 2),
            28 => wide(&bytes, 4),
            _ => Err(Error::Malformed { expected: "string", found: "another type" }),
        }
    }

    /// Returns whether this is one of the character string types.
    pub fn is_string(&self) -> bool {
        self.tag.class == Class::Universal && matches!(self.tag.number, 12 | 18..=22 | 25..=28 | 30)
    }
}

/// Splits off the number of unused bits.
fn bits(content: &[u8]) -> Result<(u8, &[u8]), Error> {
    match content.split_first() {
        Some((unused @ 0..=7, bytes)) if *unused == 0 || !bytes.is_empty() => Ok((*unused, bytes)),
        Some(_) => Err(Error::Malformed { expected: "BIT STRING", found: "more unused bits than there are" }),
        None => Err(Error::Malformed { expected: "BIT STRING", found: "no bytes" }),
    }
}

fn utf8(bytes: Cow<'_, [u8]>) -> Cow<'_, str> {
    match bytes {
        Cow::Borrowed(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => latin1(Cow::Borrowed(bytes)),
        },
        Cow::Owned(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Cow::Owned(text),
            Err(error) => latin1(Cow::Owned(error.into_bytes())),
        },
    }
}

fn latin1(bytes: Cow<'_, [u8]>) -> Cow<'_, str> {
    match bytes {
        Cow::Borrowed(bytes) if bytes.is_ascii() => utf8(Cow::Borrowed(bytes)),
        bytes => Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect()),
    }
}

/// Decodes BMPString (two bytes a character; surrogates are read too) and UniversalString (four).
fn wide(bytes: &[u8], width: usize) -> Result<Cow<'static, str>, Error> {
    let chunks = bytes.chunks_exact(width);
    if !chunks.remainder().is_empty() {
        return Err(Error::Malformed {
            expected: "string of wide characters",
            found: "part of a character at its end",
        });
    }
    let text = if width == 2 {
        let units = chunks.map(|unit| u16::from_be_bytes([unit[0], unit[1]]));
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    } else {
        chunks
            .map(|unit| char::from_u32(u32::from_be_bytes([unit[0], unit[1], unit[2], unit[3]])))
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect()
    };
    Ok(Cow::Owned(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings() {
        let rows: &[(&str, &str, &[u8], Option<&str>)] = &[
            ("8.23", "UTF8String", b"\x0c\x03\xc3\xa9!", Some("é!")),
            ("8.23", "TeletexString", b"\x14\x02\xe9!", Some("é!")),
            ("8.23", "PrintableString outside its alphabet", b"\x13\x02\xe9!", Some("é!")),
            ("8.23", "BMPString", b"\x1e\x04\x00\xe9\x00!", Some("é!")),
            ("8.23", "BMPString of odd length", b"\x1e\x03\x00\xe9\x00", None),
            ("8.23", "UniversalString", b"\x1c\x04\x00\x00\x00\xe9", Some("é")),
            ("8.23.6", "in pieces", b"\x2c\x80\x0c\x01a\x0c\x01b\x00\x00", Some("ab")),
            ("8.23", "not a string", b"\x02\x01\x05", None),
        ];
        for (clause, situation, bytes, expected) in rows {
            let found = Tlv::whole(bytes).unwrap().string().ok();
            assert_eq!(found.as_deref(), *expected, "{clause} {situation}");
        }
    }

    #[test]
    fn bit_strings() {
        let rows: &[(&str, &[u8], Option<(u8, &[u8])>)] = &[
            ("8.6.2", &[3, 2, 1, 0b1100_0000], Some((1, &[0b1100_0000]))),
            ("8.6.2.2", &[3, 2, 8, 1], None),
            ("8.6.2.3", &[3, 1, 0], Some((0, &[]))),
            ("8.6.2.3", &[3, 1, 3], None),
            ("8.6.1", &[3, 0], None),
            ("8.6.4", &[0x23, 8, 3, 2, 0, 1, 3, 2, 4, 0x10], Some((4, &[1, 0x10]))),
            ("8.6.4", &[0x23, 8, 3, 2, 4, 0x10, 3, 2, 0, 1], None),
        ];
        for (clause, bytes, expected) in rows {
            let found = Tlv::whole(bytes).unwrap().bit_string().ok();
            assert_eq!(found.as_ref().map(|b| (b.unused, &b.bytes[..])), *expected, "{clause} {bytes:x?}");
        }
        let bits = BitString { unused: 1, bytes: Cow::Borrowed(&[0b1100_0001]) };
        assert_eq!((bits.bit(0), bits.bit(2), bits.bit(7), bits.bit(8)), (true, false, false, false));
    }
}
