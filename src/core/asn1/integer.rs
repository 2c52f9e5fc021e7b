use super::{Error, Tag, Tlv};

impl<'a> Tlv<'a> {
    /// Returns the contents of an INTEGER or ENUMERATED, two's complement, as sent (not always minimal).
    pub fn integer_bytes(&self) -> Result<&'a [u8], Error> {
        if !self.is(Tag::INTEGER) && !self.is(Tag::ENUMERATED) && self.tag.class != super::Class::Context {
            return Err(Error::Unexpected { expected: Tag::INTEGER, found: self.tag });
        }
        if self.tag.constructed {
            return Err(Error::Malformed { expected: "INTEGER", found: "in pieces" });
        }
        if self.content.is_empty() {
            return Err(Error::Malformed { expected: "INTEGER", found: "no bytes" });
        }
        Ok(self.content)
    }

    /// Returns the bytes of an INTEGER that has no byte too many (X.690 §8.3.2, of BER and of DER).
    pub fn minimal_integer_bytes(&self) -> Result<&'a [u8], Error> {
        match self.integer_bytes()? {
            [0, 0..=0x7f, ..] | [0xff, 0x80..=0xff, ..] => {
                Err(Error::Malformed { expected: "INTEGER", found: "a byte too many" })
            }
            bytes => Ok(bytes),
        }
    }

    /// Returns the magnitude of an INTEGER without leading zeros, its bytes taken as unsigned.
    pub fn unsigned_bytes(&self) -> Result<&'a [u8], Error> {
        let bytes = self.integer_bytes()?;
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        Ok(&bytes[zeros..])
    }

    /// Reads a non-negative INTEGER of at most 64 bits.
    pub fn to_u64(&self) -> Result<u64, Error> {
        u64::try_from(self.to_i128()?)
            .map_err(|_| Error::Malformed { expected: "number", found: "negative or too large" })
    }

    /// Reads an INTEGER of at most 64 bits.
    pub fn to_i64(&self) -> Result<i64, Error> {
        i64::try_from(self.to_i128()?).map_err(|_| Error::Malformed { expected: "number", found: "too large" })
    }

    /// Reads an INTEGER in decimal digits.
    pub fn to_decimal(&self) -> Result<String, Error> {
        decimal(self.integer_bytes()?).ok_or(Error::TooLarge { what: "INTEGER" })
    }

    fn to_i128(self) -> Result<i128, Error> {
        let bytes = self.integer_bytes()?;
        let sign = if bytes[0] & 0x80 == 0 { 0 } else { 0xff };
        let padding = bytes.iter().take_while(|byte| **byte == sign).count();
        let bytes = &bytes[padding..];
        if bytes.len() > 15 {
            return Err(Error::Malformed { expected: "number", found: "too large" });
        }
        let start = if sign == 0 { 0 } else { -1 };
        Ok(bytes.iter().fold(start, |number: i128, byte| number << 8 | i128::from(*byte)))
    }

    /// Reads a BOOLEAN. DER's TRUE is 255; BER's is anything but 0 (X.690 §8.2.2).
    pub fn boolean(&self) -> Result<bool, Error> {
        match self.content {
            _ if self.tag.constructed => Err(Error::Malformed { expected: "BOOLEAN", found: "in pieces" }),
            [byte] => Ok(*byte != 0),
            _ => Err(Error::Malformed { expected: "BOOLEAN", found: "not one byte" }),
        }
    }
}

/// Returns the magnitude of a number in decimal digits, big-endian; `None` for anything else and past 256 digits
/// (serial numbers have at most 49).
pub fn magnitude(digits: &str) -> Option<Vec<u8>> {
    if digits.is_empty() || digits.len() > 256 {
        return None;
    }
    let mut bytes: Vec<u8> = vec![];
    for digit in digits.chars() {
        let mut carry = digit.to_digit(10)?;
        for byte in bytes.iter_mut().rev() {
            let value = u32::from(*byte) * 10 + carry;
            *byte = value as u8;
            carry = value >> 8;
        }
        if carry > 0 {
            bytes.insert(0, carry as u8);
        }
    }
    Some(bytes)
}

/// Bytes of an INTEGER that are written in decimal: serial numbers have at most 20 (RFC 5280
/// §4.1.2.2), moduli some 2,000. The work grows with the square.
const MAX_DECIMAL: usize = 4096;

/// Returns a two's complement number in decimal digits; `None` past 4,096 bytes or without any.
pub fn decimal(bytes: &[u8]) -> Option<String> {
    let negative = bytes.first()? & 0x80 != 0;
    if bytes.len() > MAX_DECIMAL {
        return None;
    }
    let mut magnitude = bytes.to_vec();
    if negative {
        magnitude.iter_mut().for_each(|byte| *byte = !*byte);
        for byte in magnitude.iter_mut().rev() {
            let (sum, carry) = byte.overflowing_add(1);
            *byte = sum;
            if !carry {
                break;
            }
        }
    }
    // Limbs of nine decimal digits, the lowest first.
    let mut limbs: Vec<u32> = vec![0];
    for byte in magnitude {
        let mut carry = u64::from(byte);
        for limb in &mut limbs {
            let value = (u64::from(*limb) << 8) + carry;
            *limb = (value % 1_000_000_000) as u32;
            carry = value / 1_000_000_000;
        }
        if carry > 0 {
            limbs.push(carry as u32);
        }
    }
    let mut text = String::from(if negative { "-" } else { "" });
    let mut limbs = limbs.into_iter().rev();
    text.push_str(&limbs.next().unwrap_or(0).to_string());
    limbs.for_each(|limb| text.push_str(&format!("{limb:09}")));
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_byte_too_many_is_seen() {
        let rows: [(&str, &[u8], bool); 8] = [
            ("8.3.2 zero", &[0], true),
            ("8.3.2 nine bits of zero", &[0, 0x7f], false),
            ("8.3.2 the zero is the sign", &[0, 0x80], true),
            ("8.3.2 minus one", &[0xff], true),
            ("8.3.2 nine bits of one", &[0xff, 0x80], false),
            ("8.3.2 the ones are the sign", &[0xff, 0x7f], true),
            ("8.3.2 nothing to spare", &[1, 0], true),
            ("8.3.1 at least one", &[], false),
        ];
        for (situation, bytes, minimal) in rows {
            let element = [&[2, bytes.len() as u8][..], bytes].concat();
            let tlv = Tlv::whole(&element).expect("it is an element");
            assert_eq!(tlv.minimal_integer_bytes().is_ok(), minimal, "{situation}");
        }
    }

    #[test]
    fn integers() {
        let rows: &[(&str, &[u8], &str)] = &[
            ("zero", &[0], "0"),
            ("small", &[0x7f], "127"),
            ("negative", &[0x80], "-128"),
            ("minus one", &[0xff], "-1"),
            ("not minimal", &[0, 0, 5], "5"),
            ("not minimal, negative", &[0xff, 0xff, 0x80], "-128"),
            ("two limbs", &[0x3b, 0x9a, 0xca, 0x00], "1000000000"),
            ("2^64", &[1, 0, 0, 0, 0, 0, 0, 0, 0], "18446744073709551616"),
        ];
        for (situation, bytes, expected) in rows {
            assert_eq!(decimal(bytes).as_deref(), Some(*expected), "8.3 {situation}");
            let tlv = super::super::tlv(Tag::INTEGER, bytes);
            let number = Tlv::whole(&tlv).unwrap().to_i64();
            assert_eq!(number.ok(), expected.parse().ok(), "8.3 {situation}");
        }
        assert_eq!(decimal(&[]), None);
        assert_eq!(decimal(&vec![1; MAX_DECIMAL + 1]), None);
        let all: Vec<u8> = (1..=40).collect();
        let text = decimal(&all).unwrap();
        let check = text.bytes().fold(0u64, |n, d| (n * 10 + u64::from(d - b'0')) % 1_000_003);
        assert_eq!(check, all.iter().fold(0u64, |n, d| (n * 256 + u64::from(*d)) % 1_000_003));
    }

    #[test]
    fn numbers_from_digits() {
        for (text, bytes) in [
            ("0", Some(vec![])),
            ("255", Some(vec![255])),
            ("256", Some(vec![1, 0])),
            ("18446744073709551616", Some(vec![1, 0, 0, 0, 0, 0, 0, 0, 0])),
            ("", None),
            ("-1", None),
            ("0x1", None),
        ] {
            assert_eq!(magnitude(text), bytes, "{text}");
        }
        assert_eq!(magnitude(&"9".repeat(257)), None);
    }
}
