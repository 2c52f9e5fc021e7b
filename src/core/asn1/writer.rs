use super::{Class, Oid, Tag};
use crate::time::Time;

/// Returns one element in DER.
pub fn tlv(tag: Tag, content: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(content.len() + 8);
    write_header(&mut out, tag, content.len());
    out.extend_from_slice(content);
    out
}

/// Returns tag and length of an element in DER, for contents that are never held in one piece.
pub(crate) fn header(tag: Tag, length: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(16);
    write_header(&mut out, tag, length);
    out
}

pub(super) fn write_header(out: &mut Vec<u8>, tag: Tag, length: usize) {
    let class = match tag.class {
        Class::Universal => 0,
        Class::Application => 0x40,
        Class::Context => 0x80,
        Class::Private => 0xc0,
    } | if tag.constructed { 0x20 } else { 0 };
    if tag.number < 0x1f {
        out.push(class | tag.number as u8);
    } else {
        out.push(class | 0x1f);
        let groups = (32 - tag.number.leading_zeros()).div_ceil(7);
        for group in (0..groups).rev() {
            out.push((tag.number >> (7 * group)) as u8 & 0x7f | if group > 0 { 0x80 } else { 0 });
        }
    }
    if length < 0x80 {
        out.push(length as u8);
    } else {
        let bytes = length.to_be_bytes();
        let bytes = &bytes[length.leading_zeros() as usize / 8..];
        out.push(0x80 | bytes.len() as u8);
        out.extend_from_slice(bytes);
    }
}

/// Writes small structures in DER, each element after the one before.
///
/// ```ignore
/// let mut w = Writer::new();
/// w.sequence(|w| { w.oid(SHA_256); w.null(); });
/// ```
#[derive(Debug, Default, Clone)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// Returns a writer that has written nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns what was written.
    pub fn finish(self) -> Vec<u8> {
        self.0
    }

    /// Writes an element that is DER already.
    pub fn raw(&mut self, element: &[u8]) -> &mut Self {
        self.0.extend_from_slice(element);
        self
    }

    /// Writes an element with these contents.
    pub fn element(&mut self, tag: Tag, content: &[u8]) -> &mut Self {
        write_header(&mut self.0, tag, content.len());
        self.raw(content)
    }

    /// Writes an element made of elements.
    pub fn nested(&mut self, tag: Tag, write: impl FnOnce(&mut Self)) -> &mut Self {
        let start = self.0.len();
        write(self);
        let content = self.0.len() - start;
        // Its length is known only now: the contents make room for the header before them.
        let header = header(Tag { constructed: true, ..tag }, content);
        self.0.extend_from_slice(&header);
        self.0.copy_within(start..start + content, start + header.len());
        self.0[start..start + header.len()].copy_from_slice(&header);
        self
    }

    /// Writes a SEQUENCE.
    pub fn sequence(&mut self, write: impl FnOnce(&mut Self)) -> &mut Self {
        self.nested(Tag::SEQUENCE, write)
    }

    /// Writes a SET, in the order written.
    pub fn set(&mut self, write: impl FnOnce(&mut Self)) -> &mut Self {
        self.nested(Tag::SET, write)
    }

    /// Writes an explicit `[number]`.
    pub fn explicit(&mut self, number: u32, write: impl FnOnce(&mut Self)) -> &mut Self {
        self.nested(Tag::context_constructed(number), write)
    }

    /// Writes an OBJECT IDENTIFIER.
    pub fn oid(&mut self, oid: Oid<'_>) -> &mut Self {
        self.element(Tag::OID, oid.content())
    }

    /// Writes an OCTET STRING.
    pub fn octet_string(&mut self, bytes: &[u8]) -> &mut Self {
        self.element(Tag::OCTET_STRING, bytes)
    }

    /// Writes a NULL.
    pub fn null(&mut self) -> &mut Self {
        self.element(Tag::NULL, &[])
    }

    /// Writes a BOOLEAN.
    pub fn boolean(&mut self, value: bool) -> &mut Self {
        self.element(Tag::BOOLEAN, &[if value { 0xff } else { 0 }])
    }

    /// Writes an INTEGER of these two's complement bytes, made minimal (X.690 §8.3.2).
    pub fn integer(&mut self, bytes: &[u8]) -> &mut Self {
        let mut bytes = bytes;
        while let [first, rest @ ..] = bytes
            && let Some(next) = rest.first()
        {
            if (*first == 0 && next & 0x80 == 0) || (*first == 0xff && next & 0x80 != 0) {
                bytes = rest;
            } else {
                break;
            }
        }
        self.element(Tag::INTEGER, if bytes.is_empty() { &[0] } else { bytes })
    }

    /// Writes a whole-byte BIT STRING.
    pub fn bit_string(&mut self, bytes: &[u8]) -> &mut Self {
        write_header(&mut self.0, Tag::BIT_STRING, bytes.len() + 1);
        self.raw(&[0]).raw(bytes)
    }

    /// Writes an ENUMERATED of one byte.
    pub fn enumerated(&mut self, value: u8) -> &mut Self {
        self.element(Tag::ENUMERATED, &[value & 0x7f])
    }

    /// Writes a text as UTF8String.
    pub fn utf8(&mut self, text: &str) -> &mut Self {
        self.element(Tag::UTF8_STRING, text.as_bytes())
    }

    /// Writes a text as IA5String.
    pub fn ia5(&mut self, text: &str) -> &mut Self {
        self.element(Tag::IA5_STRING, text.as_bytes())
    }

    /// Writes a text as PrintableString.
    pub fn printable(&mut self, text: &str) -> &mut Self {
        self.element(Tag::PRINTABLE_STRING, text.as_bytes())
    }

    /// Writes a UTCTime to the end of 2049, a GeneralizedTime from then on: RFC 5280 §4.1.2.5, RFC 5652 §11.3.
    pub fn time(&mut self, time: Time) -> &mut Self {
        let (year, month, day, hour, minute, second) = time.civil();
        match year {
            1950..2050 => {
                let text = format!("{:02}{month:02}{day:02}{hour:02}{minute:02}{second:02}Z", year % 100);
                self.element(Tag::UTC_TIME, text.as_bytes())
            }
            _ => self.generalized_time(time),
        }
    }

    /// Writes a GeneralizedTime in whole seconds.
    pub fn generalized_time(&mut self, time: Time) -> &mut Self {
        let (year, month, day, hour, minute, second) = time.civil();
        let text = format!("{year:04}{month:02}{day:02}{hour:02}{minute:02}{second:02}Z");
        self.element(Tag::GENERALIZED_TIME, text.as_bytes())
    }

    /// Writes an INTEGER of this unsigned magnitude.
    pub fn unsigned(&mut self, magnitude: &[u8]) -> &mut Self {
        let mut bytes = vec![0];
        bytes.extend_from_slice(magnitude);
        self.integer(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Tlv, oid};
    use super::*;

    #[test]
    fn writes_times() {
        for (clause, time, expected) in [
            ("RFC 5280 4.1.2.5.1", "2049-12-31T23:59:59Z", "491231235959Z"),
            ("RFC 5280 4.1.2.5.2", "2050-01-01T00:00:00Z", "20500101000000Z"),
            ("RFC 5280 4.1.2.5.1", "1950-01-01T00:00:00Z", "500101000000Z"),
        ] {
            let time: Time = time.parse().unwrap();
            let mut writer = Writer::new();
            writer.time(time);
            let bytes = writer.finish();
            let read = Tlv::whole(&bytes).unwrap();
            assert_eq!(read.content, expected.as_bytes(), "{clause}");
            assert_eq!(read.time(), Ok(time), "{clause}");
        }
    }

    #[test]
    fn writes_what_it_reads() {
        let mut writer = Writer::new();
        writer.sequence(|w| {
            w.oid(oid!("2.5.4.3")).null().unsigned(&[0x80]).integer(&[0, 0, 5]).octet_string(&[0; 300]);
            w.explicit(40, |w| {
                w.boolean(true);
            });
        });
        let bytes = writer.finish();
        let mut reader = Tlv::whole(&bytes).unwrap().children();
        assert_eq!(reader.read().unwrap().oid().unwrap().to_string(), "2.5.4.3");
        assert!(reader.read().unwrap().is(Tag::NULL));
        assert_eq!(reader.read().unwrap().raw, [2, 2, 0, 0x80]);
        assert_eq!(reader.read().unwrap().raw, [2, 1, 5]);
        assert_eq!(reader.read().unwrap().content.len(), 300);
        assert_eq!(reader.context(40).unwrap().unwrap().inner().unwrap().boolean(), Ok(true));
        assert_eq!(reader.finish(), Ok(()));
    }
}
