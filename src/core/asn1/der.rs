use super::writer::{header, write_header};
use super::{Class, Error, MAX_NESTING, Reader, Tag, Tlv};
use std::borrow::Cow;

/// Returns the DER of a BER element: definite minimal lengths, strings in one piece, SETs in order, TRUE as 255 (X.690
/// §10, §11). Borrowed where it is that already.
///
/// Implicitly tagged strings in pieces cannot be told from structures and stay in
/// pieces; INTEGERs are left as they are.
///
/// # Errors
///
/// [`Error`] where the element is no BER: also where a type that has no pieces is in pieces (§8.2.1, §8.3.1, §8.8.1,
/// §8.19.1). Readers do not join these, and would not see what a signature is over.
pub fn to_der(element: &[u8]) -> Result<Cow<'_, [u8]>, Error> {
    let tlv = Tlv::whole(element)?;
    if are_der(tlv.raw, false) {
        return Ok(Cow::Borrowed(element));
    }
    let mut out = Vec::with_capacity(element.len());
    write(&tlv, 0, &mut out)?;
    Ok(Cow::Owned(out))
}

/// Returns the DER of an element whose tag stands for that of a SET, as its contents bytes: borrowed where they are
/// that already.
pub fn set_to_der<'a>(set: &Tlv<'a>) -> Result<Cow<'a, [u8]>, Error> {
    if are_der(set.content, true) {
        return Ok(Cow::Borrowed(set.content));
    }
    let mut out = Vec::with_capacity(set.content.len());
    write_children(set, true, 0, &mut out)?;
    Ok(Cow::Owned(out))
}

/// Returns whether an element is DER, as [`to_der`] would leave it.
pub(crate) fn is_der(element: &[u8]) -> bool {
    are_der(element, false)
}

/// Returns whether [`write`] would leave the elements as they are, those of a SET also in their order.
fn are_der(elements: &[u8], set: bool) -> bool {
    struct Level<'a> {
        rest: &'a [u8],
        set: bool,
        before: &'a [u8],
    }
    let mut outer: Vec<Level<'_>> = Vec::new();
    let mut level = Level { rest: elements, set, before: &[] };
    loop {
        if level.rest.is_empty() {
            match outer.pop() {
                Some(next) => level = next,
                None => return true,
            }
            continue;
        }
        let Ok((tlv, rest)) = Tlv::split(level.rest) else { return false };
        let universal = tlv.tag.class == Class::Universal;
        level.rest = rest;
        if level.set {
            if level.before > tlv.raw {
                return false;
            }
            level.before = tlv.raw;
        }
        if !has_minimal_header(&tlv) {
            return false;
        }
        if tlv.tag.constructed {
            if outer.len() == MAX_NESTING || (universal && !STRUCTURES.contains(&tlv.tag.number)) {
                return false;
            }
            let inner = Level { rest: tlv.content, set: universal && tlv.is(Tag::SET), before: &[] };
            outer.push(std::mem::replace(&mut level, inner));
        } else if universal
            && (STRUCTURES.contains(&tlv.tag.number) || tlv.is(Tag::BOOLEAN) && matches!(tlv.content, [1..=254]))
        {
            return false;
        }
    }
}

/// Returns whether tag and length are in as few bytes as they need (X.690 §8.1.2.2, §10.1).
fn has_minimal_header(tlv: &Tlv<'_>) -> bool {
    let header = tlv.raw.len() - tlv.content.len();
    if header == 2 {
        return true;
    }
    let length = tlv.content.len();
    let tag_bytes = if tlv.tag.number < 0x1f { 1 } else { 1 + (32 - tlv.tag.number.leading_zeros()).div_ceil(7) };
    let length_bytes = if length < 0x80 { 1 } else { 1 + (usize::BITS - length.leading_zeros()).div_ceil(8) };
    // An indefinite length has one byte before the contents and two after them.
    header == (tag_bytes + length_bytes) as usize && tlv.raw.get(tag_bytes as usize) != Some(&0x80)
}

/// The constructed universal types that are no strings: EXTERNAL, EMBEDDED PDV, SEQUENCE, SET, CHARACTER STRING.
const STRUCTURES: [u32; 5] = [8, 11, 16, 17, 29];

/// Returns whether pieces of the universal type are joined: X.690 §8.7.3, §8.23.6, §8.25, §8.26. BIT STRING has its own
/// rule.
fn is_string_or_time(number: u32) -> bool {
    matches!(number, 4 | 7 | 12 | 18..=28 | 30)
}

fn write(tlv: &Tlv<'_>, depth: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    if depth == MAX_NESTING {
        return Err(Error::TooDeep);
    }
    let universal = tlv.tag.class == Class::Universal;
    if universal && STRUCTURES.contains(&tlv.tag.number) {
        tlv.structure()?;
    }
    if !tlv.tag.constructed {
        let truth = universal && tlv.tag.number == Tag::BOOLEAN.number && tlv.content.len() == 1 && tlv.content != [0];
        write_element(out, tlv.tag, if truth { &[0xff] } else { tlv.content });
        return Ok(());
    }
    if universal && tlv.is(Tag::BIT_STRING) {
        let bits = tlv.bit_string()?;
        write_element(out, Tag::BIT_STRING, &[&[bits.unused][..], &bits.bytes].concat());
        return Ok(());
    }
    if universal && !STRUCTURES.contains(&tlv.tag.number) {
        if !is_string_or_time(tlv.tag.number) {
            return Err(Error::Malformed { expected: "element in one piece", found: "pieces" });
        }
        write_element(out, Tag { constructed: false, ..tlv.tag }, &tlv.bytes()?);
        return Ok(());
    }
    let start = out.len();
    write_children(tlv, universal && tlv.is(Tag::SET), depth, out)?;
    let length = out.len() - start;
    out.splice(start..start, header(tlv.tag, length));
    Ok(())
}

/// Writes the elements inside, of a SET in their order.
fn write_children(outer: &Tlv<'_>, set: bool, depth: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut reader = outer.children();
    if !set {
        while let Some(child) = Reader::next(&mut reader)? {
            write(&child, depth + 1, out)?;
        }
        return Ok(());
    }
    let mut children = Vec::new();
    while let Some(child) = Reader::next(&mut reader)? {
        // Where only the order is wrong, as in attributes, nothing inside has to be written anew. Further inside, looking
        // again at each level would take long.
        children.push(if depth == 0 && are_der(child.raw, false) {
            Cow::Borrowed(child.raw)
        } else {
            let mut encoded = Vec::with_capacity(child.raw.len());
            write(&child, depth + 1, &mut encoded)?;
            Cow::Owned(encoded)
        });
    }
    // X.690 §11.6; a SET's components come in the order of their tags (§10.3), which this order has too.
    crate::order::sort(&mut children);
    children.iter().for_each(|child| out.extend_from_slice(child));
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
        let pieces: &[(&str, &str, &[u8])] = &[
            ("8.2.1", "BOOLEAN", &[0x21, 3, 1, 1, 255]),
            ("8.3.1", "INTEGER", &[0x22, 3, 2, 1, 5]),
            ("8.4", "ENUMERATED", &[0x2a, 3, 0x0a, 1, 5]),
            ("8.8.1", "NULL", &[0x25, 2, 5, 0]),
            ("8.19.1", "OBJECT IDENTIFIER", &[0x26, 3, 6, 1, 0x2a]),
            ("8.20.1", "RELATIVE-OID", &[0x2d, 3, 0x0d, 1, 5]),
            ("8.1.5", "end of contents", &[0x20, 2, 4, 0]),
        ];
        for (clause, situation, ber) in pieces {
            let inside = [&[0x30, ber.len() as u8][..], ber].concat();
            assert!(to_der(ber).is_err() && to_der(&inside).is_err(), "{clause} {situation} in pieces");
        }
        let deep = [[0x30, 0x80].repeat(MAX_NESTING), vec![0; 2 * MAX_NESTING]].concat();
        assert!(to_der(&deep).is_ok());
    }

    #[test]
    fn der_is_what_writing_leaves_as_it_is() {
        // Every element of a few bytes that are likely in headers, and what follows from them when they are not.
        let bytes = [0x01, 0x02, 0x1f, 0x24, 0x30, 0x31, 0x80, 0x81, 0xa0, 0x00, 0xff];
        let mut seen = [0; 2];
        for element in (0..7u32).flat_map(|length| (0..bytes.len().pow(length.min(5))).map(move |at| (length, at))) {
            let (length, mut at) = element;
            let mut element = vec![0x31, length as u8];
            for _ in 0..length {
                element.push(bytes[at % bytes.len()]);
                at /= bytes.len();
            }
            let tlv = Tlv::whole(&element).unwrap();
            let mut written = Vec::new();
            let same = write(&tlv, 0, &mut written).is_ok() && written == element;
            assert_eq!(are_der(&element, false), same, "{element:02x?}");
            assert_eq!(
                set_to_der(&tlv).is_ok_and(|content| matches!(content, Cow::Borrowed(_))),
                same,
                "{element:02x?}"
            );
            seen[usize::from(same)] += 1;
        }
        assert!(seen[0] > 1000 && seen[1] > 50, "{seen:?}");
    }
}
