//! DER, written by hand.

/// A value of that tag with these contents.
pub fn tlv(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    let mut value = vec![tag];
    match body.len() {
        short @ 0..=127 => value.push(short as u8),
        long => {
            let bytes = long.to_be_bytes();
            let bytes = &bytes[bytes.iter().take_while(|byte| **byte == 0).count()..];
            value.push(0x80 | bytes.len() as u8);
            value.extend(bytes);
        }
    }
    value.extend(body);
    value
}

pub fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    tlv(0x30, parts)
}

/// A SET OF, its elements in the order of DER.
pub fn set_of(parts: &[Vec<u8>]) -> Vec<u8> {
    tlv(0x31, &[&sorted(parts)])
}

/// The elements of a SET OF in the order of DER, one after the other.
pub fn sorted(parts: &[Vec<u8>]) -> Vec<u8> {
    let mut parts = parts.to_vec();
    parts.sort();
    parts.concat()
}

pub fn bytes(content: &[u8]) -> Vec<u8> {
    tlv(4, &[content])
}

pub fn bits(content: &[u8]) -> Vec<u8> {
    tlv(3, &[&[0], content])
}

pub fn boolean(value: bool) -> Vec<u8> {
    tlv(1, &[&[if value { 0xff } else { 0 }]])
}

/// A number that is not negative.
pub fn integer(value: u64) -> Vec<u8> {
    unsigned(&value.to_be_bytes())
}

/// The same from its bytes, the highest first.
pub fn unsigned(bytes: &[u8]) -> Vec<u8> {
    let start = bytes.iter().take_while(|byte| **byte == 0).count().min(bytes.len().saturating_sub(1));
    let bytes = &bytes[start..];
    let sign: &[u8] = if bytes.first().is_some_and(|byte| byte & 0x80 != 0) { &[0] } else { &[] };
    tlv(2, &[sign, bytes])
}

pub fn utf8(text: &str) -> Vec<u8> {
    tlv(0x0c, &[text.as_bytes()])
}

pub fn oid(dotted: &str) -> Vec<u8> {
    let numbers: Vec<u64> = dotted.split('.').map(|part| part.parse().expect("a number")).collect();
    let mut body = vec![];
    for number in std::iter::once(40 * numbers[0] + numbers[1]).chain(numbers[2..].iter().copied()) {
        let mut groups = vec![(number & 0x7f) as u8];
        let mut rest = number >> 7;
        while rest > 0 {
            groups.push(0x80 | (rest & 0x7f) as u8);
            rest >>= 7;
        }
        groups.reverse();
        body.extend(groups);
    }
    tlv(6, &[&body])
}

/// `UTCTime` of `YYYYMMDDHHMMSSZ` from 1950 to 2049, `GeneralizedTime` of others.
pub fn time(text: &str) -> Vec<u8> {
    match text[..4].parse().unwrap_or(0) {
        1950..=2049 => tlv(0x17, &[&text.as_bytes()[2..]]),
        _ => generalized(text),
    }
}

pub fn generalized(text: &str) -> Vec<u8> {
    tlv(0x18, &[text.as_bytes()])
}

/// Where the value at `at` has its contents, and where it ends.
pub fn read(bytes: &[u8], at: usize) -> (usize, usize) {
    let first = bytes[at + 1];
    if first < 0x80 {
        return (at + 2, at + 2 + usize::from(first));
    }
    let count = usize::from(first & 0x7f);
    let length = bytes[at + 2..at + 2 + count].iter().fold(0, |length, byte| length << 8 | usize::from(*byte));
    (at + 2 + count, at + 2 + count + length)
}

/// The values inside a constructed value.
pub fn children(bytes: &[u8]) -> Vec<Vec<u8>> {
    let (mut at, end) = read(bytes, 0);
    let mut found = vec![];
    while at < end {
        let (_, stop) = read(bytes, at);
        found.push(bytes[at..stop].to_vec());
        at = stop;
    }
    found
}
