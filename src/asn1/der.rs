use super::writer::write_header;
use super::{Class, Error, MAX_NESTING, Reader, Tag, Tlv};
use std::borrow::Cow;

/// The DER of a BER element: definite minimal lengths, strings in one piece, SETs in
/// order, TRUE as 255 (X.690 §10, §11). Borrowed where it is that already.
///
/// Implicitly tagged strings in pieces cannot be told from structures and stay in
/// pieces; INTEGERs are left as they are.
pub fn to_der(element: &[u8]) -> Result<Cow<'_, [u8]>, Error> {
    let tlv = Tlv::whole(element)?;
    let mut out = Vec::with_capacity(element.len());
    write(&tlv, 0, &mut out)?;
    Ok(if out == element { Cow::Borrowed(element) } else { Cow::Owned(out) })
}

fn write(tlv: &Tlv<'_>, depth: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    if depth == MAX_NESTING {
        return Err(Error::TooDeep);
    }
    let universal = tlv.tag.class == Class::Universal;
    if !tlv.tag.constructed {
        let truth = universal && tlv.tag.number == Tag::BOOLEAN.number && tlv.content.len() == 1 && tlv.content != [0];
        write_element(out, tlv.tag, if truth { &[0xff] } else { tlv.content });
        return Ok(());
    }
    if universal && tlv.is(Tag::BIT_STRING) {
        let bits = tlv.bit_string()?;
        write_element(out, Tag::BIT_STRING, &[&[bits.unused][..], &bits.octets].concat());
        return Ok(());
    }
    if universal && !matches!(tlv.tag.number, 8 | 11 | 16 | 17 | 29) {
        write_element(out, Tag { constructed: false, ..tlv.tag }, &tlv.octets()?);
        return Ok(());
    }
    let mut children = Vec::new();
    let mut reader = tlv.children();
    while let Some(child) = Reader::next(&mut reader)? {
        let mut encoded = Vec::with_capacity(child.raw.len());
        write(&child, depth + 1, &mut encoded)?;
        children.push(encoded);
    }
    if universal && tlv.is(Tag::SET) {
        // X.690 §11.6; a SET's components come in the order of their tags (§10.3), which this order has too.
        children.sort();
    }
    write_element(out, tlv.tag, &children.concat());
    Ok(())
}

fn write_element(out: &mut Vec<u8>, tag: Tag, content: &[u8]) {
    write_header(out, tag, content.len());
    out.extend_from_slice(content);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalises() {
        let rows: &[(&str, &str, &[u8], &[u8])] = &[
            ("10.1", "definite", &[0x30, 0x80, 2, 1, 5, 0, 0], &[0x30, 3, 2, 1, 5]),
            ("10.1", "minimal", &[0x30, 0x82, 0, 3, 2, 1, 5], &[0x30, 3, 2, 1, 5]),
            ("10.2", "in one piece", &[0x24, 0x80, 4, 1, 1, 4, 1, 2, 0, 0], &[4, 2, 1, 2]),
            ("11.1", "TRUE", &[1, 1, 1], &[1, 1, 255]),
            ("11.6", "SET OF", &[0x31, 6, 2, 1, 9, 2, 1, 3], &[0x31, 6, 2, 1, 3, 2, 1, 9]),
            ("10", "DER", &[0x30, 3, 2, 1, 5], &[0x30, 3, 2, 1, 5]),
        ];
        for (clause, situation, ber, der) in rows {
            assert_eq!(to_der(ber).unwrap(), *der, "{clause} {situation}");
        }
        assert!(matches!(to_der(&[0x30, 3, 2, 1, 5]), Ok(Cow::Borrowed(_))));
        let deep = [[0x30, 0x80].repeat(MAX_NESTING), vec![0; 2 * MAX_NESTING]].concat();
        assert!(to_der(&deep).is_ok());
    }
}
