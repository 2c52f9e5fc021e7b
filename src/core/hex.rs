//! Bytes as hexadecimal digits: ids of tokens, digests, serial numbers.

const LOWER: &[u8; 16] = b"0123456789abcdef";
const UPPER: &[u8; 16] = b"0123456789ABCDEF";

/// Returns two lower-case digits a byte.
pub(crate) fn lower(bytes: &[u8]) -> String {
    digits("", bytes, LOWER)
}

/// Returns two upper-case digits a byte.
pub(crate) fn upper(bytes: &[u8]) -> String {
    digits("", bytes, UPPER)
}

/// Returns `prefix` followed by two lower-case digits a byte.
pub(crate) fn lower_after(prefix: &str, bytes: &[u8]) -> String {
    digits(prefix, bytes, LOWER)
}

/// Returns `prefix` followed by two upper-case digits a byte.
pub(crate) fn upper_after(prefix: &str, bytes: &[u8]) -> String {
    digits(prefix, bytes, UPPER)
}

/// Decodes a text of exactly two digits a byte; `None` for any other text.
#[cfg(feature = "trusted-lists")]
pub(crate) fn array<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    let mut bytes = [0; N];
    if digits.len() != 2 * N {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
        let digit = |digit: &u8| char::from(*digit).to_digit(16);
        let [high, low] = pair else { return None };
        *byte = (digit(high)? * 16 + digit(low)?) as u8;
    }
    Some(bytes)
}

fn digits(prefix: &str, bytes: &[u8], alphabet: &[u8; 16]) -> String {
    let mut text = Vec::with_capacity(prefix.len() + 2 * bytes.len());
    text.extend_from_slice(prefix.as_bytes());
    text.resize(prefix.len() + 2 * bytes.len(), 0);
    let digit = |half: u8| alphabet[usize::from(half & 15)];
    for (pair, byte) in text[prefix.len()..].as_chunks_mut().0.iter_mut().zip(bytes) {
        *pair = [digit(byte >> 4), digit(*byte)];
    }
    String::from_utf8(text).expect("the prefix is text, and digits are")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_bytes() {
        assert_eq!(lower(&[0x00, 0x9a, 0xff]), "009aff");
        assert_eq!(upper(&[0x00, 0x9a, 0xff]), "009AFF");
        assert_eq!((lower_after("#", &[0x0a]), upper_after("C-", &[0x0a])), ("#0a".into(), "C-0A".into()));
        assert_eq!(lower(&[]), "");
        assert_eq!(array("009Aff"), Some([0x00, 0x9a, 0xff]));
        assert_eq!((array::<2>("009Aff"), array::<1>("0g"), array::<1>("é")), (None, None, None));
    }
}
