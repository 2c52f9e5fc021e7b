//! Octets as hexadecimal digits, as names of tokens, digests and serial numbers are written.

const LOWER: &[u8; 16] = b"0123456789abcdef";
const UPPER: &[u8; 16] = b"0123456789ABCDEF";

/// Two lower-case digits an octet.
pub(crate) fn lower(octets: &[u8]) -> String {
    digits("", octets, LOWER)
}

/// Two upper-case digits an octet.
pub(crate) fn upper(octets: &[u8]) -> String {
    digits("", octets, UPPER)
}

/// As [`lower`], after `prefix`.
pub(crate) fn lower_after(prefix: &str, octets: &[u8]) -> String {
    digits(prefix, octets, LOWER)
}

/// As [`upper`], after `prefix`.
pub(crate) fn upper_after(prefix: &str, octets: &[u8]) -> String {
    digits(prefix, octets, UPPER)
}

fn digits(prefix: &str, octets: &[u8], alphabet: &[u8; 16]) -> String {
    let mut text = String::with_capacity(prefix.len() + 2 * octets.len());
    text.push_str(prefix);
    let digit = |half: u8| char::from(alphabet[usize::from(half & 15)]);
    text.extend(octets.iter().flat_map(|&octet| [digit(octet >> 4), digit(octet)]));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_octets() {
        assert_eq!(lower(&[0x00, 0x9a, 0xff]), "009aff");
        assert_eq!(upper(&[0x00, 0x9a, 0xff]), "009AFF");
        assert_eq!((lower_after("#", &[0x0a]), upper_after("C-", &[0x0a])), ("#0a".into(), "C-0A".into()));
        assert_eq!(lower(&[]), "");
    }
}
