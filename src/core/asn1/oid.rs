use super::{Error, Tag, Tlv};
use std::fmt;

/// An object identifier, as its encoding; its text is dotted numbers.
///
/// Compared byte by byte: X.690 §8.19 has one encoding for each identifier, and an
/// encoding of another form is another identifier to everyone who compares signed data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Oid<'a>(&'a [u8]);

impl<'a> Oid<'a> {
    /// Returns the identifier with this encoding (the contents of an OBJECT IDENTIFIER).
    pub const fn from_content(content: &'a [u8]) -> Self {
        Self(content)
    }

    /// Returns the contents of the OBJECT IDENTIFIER.
    pub const fn content(self) -> &'a [u8] {
        self.0
    }
}

/// Returns the encoding of dotted numbers, for constants only: a wrong text does not compile.
pub(crate) const fn encode(text: &str) -> ([u8; 40], usize) {
    let text = text.as_bytes();
    let mut encoded = [0; 40];
    let mut length = 0;
    let mut at = 0;
    let mut arc = 0;
    let mut first = 0;
    while at < text.len() {
        let mut number = 0u64;
        while at < text.len() && text[at] != b'.' {
            assert!(text[at].is_ascii_digit(), "an object identifier is numbers and dots");
            number = number * 10 + (text[at] - b'0') as u64;
            at += 1;
        }
        at += 1;
        if arc == 0 {
            first = number;
        } else {
            let value = if arc == 1 { first * 40 + number } else { number };
            let mut groups = 1;
            while value >> (7 * groups) != 0 {
                groups += 1;
            }
            while groups > 0 {
                groups -= 1;
                encoded[length] = (value >> (7 * groups)) as u8 & 0x7f | if groups > 0 { 0x80 } else { 0 };
                length += 1;
            }
        }
        arc += 1;
    }
    assert!(arc >= 2, "an object identifier has at least two numbers");
    (encoded, length)
}

/// `oid!("2.5.29.15")`: a constant [`Oid`], also usable as a pattern through a `const`.
macro_rules! oid {
    ($text:literal) => {{
        const ENCODED: ([u8; 40], usize) = $crate::asn1::encode_oid($text);
        const CONTENT: &[u8] = ENCODED.0.split_at(ENCODED.1).0;
        $crate::asn1::Oid::from_content(CONTENT)
    }};
}
pub(crate) use oid;

impl Oid<'_> {
    /// Returns the identifier as dotted numbers; `?` for an encoding that is not an identifier's.
    pub fn dotted(&self) -> String {
        let mut text = String::with_capacity(4 * self.0.len() + 2);
        let mut number = 0u128;
        for byte in self.0 {
            if number >> 120 != 0 {
                // Arcs of more than 128 bits: nobody has registered one (UUIDs, the longest in use, have 128).
                break;
            }
            number = number << 7 | u128::from(byte & 0x7f);
            if byte & 0x80 != 0 {
                continue;
            }
            if text.is_empty() {
                let root = u8::from(number >= 40) + u8::from(number >= 80);
                text.push(char::from(b'0' + root));
                number -= 40 * u128::from(root);
            }
            text.push('.');
            push_decimal(&mut text, number);
            number = 0;
        }
        if number >> 120 != 0 || self.0.last().is_none_or(|byte| byte & 0x80 != 0) {
            text.push_str(if text.is_empty() { "?" } else { ".?" });
        }
        text
    }
}

impl fmt::Display for Oid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.dotted())
    }
}

/// Writes a number's digits. Nearly all fit in 64 bits; numbers of 128 are divided slowly.
fn push_decimal(text: &mut String, number: u128) {
    let Ok(mut rest) = u64::try_from(number) else { return text.push_str(&number.to_string()) };
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    text.extend(digits[at..].iter().map(|digit| char::from(*digit)));
}

impl fmt::Debug for Oid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<'a> Tlv<'a> {
    /// Reads an OBJECT IDENTIFIER, also under an implicit tag.
    pub fn oid(&self) -> Result<Oid<'a>, Error> {
        if !self.is(Tag::OID) && self.tag.class != super::Class::Context {
            return Err(Error::Unexpected { expected: Tag::OID, found: self.tag });
        }
        if self.tag.constructed {
            return Err(Error::Malformed { expected: "OBJECT IDENTIFIER", found: "in pieces" });
        }
        // X.690 §8.19.2: with a needless byte it would be another identifier to whoever compares bytes, and the same to whoever
        // reads numbers.
        let begins =
            [self.content.first() == Some(&0x80), self.content.windows(2).any(|two| two[0] < 0x80 && two[1] == 0x80)];
        match self.content.last() {
            Some(_) if begins.contains(&true) => {
                Err(Error::Malformed { expected: "OBJECT IDENTIFIER", found: "a needless 80" })
            }
            Some(last) if last & 0x80 == 0 => Ok(Oid(self.content)),
            _ => Err(Error::Malformed { expected: "OBJECT IDENTIFIER", found: "ends inside a number" }),
        }
    }
}

/// Returns the contents of an OID from its dotted text.
pub fn oid_content(dotted: &str) -> Option<Vec<u8>> {
    let arcs: Vec<u64> = dotted.split('.').map(|arc| arc.parse().ok()).collect::<Option<_>>()?;
    let [first, second, rest @ ..] = &arcs[..] else { return None };
    let first = first.checked_mul(40)?.checked_add(*second)?;
    let mut content = vec![];
    for arc in std::iter::once(first).chain(rest.iter().copied()) {
        let groups = (u64::BITS - arc.leading_zeros()).div_ceil(7).max(1);
        for group in (0..groups).rev() {
            let more = if group > 0 { 0x80 } else { 0 };
            content.push((arc >> (group * 7)) as u8 & 0x7f | more);
        }
    }
    Some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        const RSA: Oid<'static> = oid!("1.2.840.113549.1.1.1");
        assert_eq!(RSA.content(), [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1]);
        for (content, text) in [
            (RSA.content(), "1.2.840.113549.1.1.1"),
            (oid!("2.5.29.15").content(), "2.5.29.15"),
            (oid!("0.4.0.1862.1.1").content(), "0.4.0.1862.1.1"),
            (oid!("2.999.3").content(), "2.999.3"),
            (&[0x69, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0], "2.25.1180591620717411303424"),
            (&[0x2a, 0x86], "1.2.?"),
            (&[], "?"),
            (&[0xff; 30], "?"),
        ] {
            assert_eq!(Oid(content).to_string(), text);
        }
        assert!(Tlv::whole(&[6, 1, 0x86]).unwrap().oid().is_err());
        assert!(Tlv::whole(&[6, 0]).unwrap().oid().is_err());
        // §8.19.2.
        assert!(Tlv::whole(&[6, 2, 0x80, 0x2a]).unwrap().oid().is_err());
        assert!(Tlv::whole(&[6, 4, 0x2a, 0x80, 0x86, 0x48]).unwrap().oid().is_err());
        assert!(Tlv::whole(&[6, 4, 0x2a, 0x86, 0x80, 0x48]).unwrap().oid().is_ok());
    }

    #[test]
    fn object_identifiers() {
        for (clause, dotted, expected) in [
            ("X.690 §8.19: P-256", "1.2.840.10045.3.1.7", Some(&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07][..])),
            ("X.690 §8.19: P-384", "1.3.132.0.34", Some(&[0x2b, 0x81, 0x04, 0x00, 0x22])),
            ("X.690 §8.19: one arc", "1", None),
            ("X.690 §8.19: not digits", "1.x", None),
        ] {
            assert_eq!(oid_content(dotted).as_deref(), expected, "{clause}");
        }
    }
}
