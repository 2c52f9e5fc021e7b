//! Big-endian byte strings of unsigned integers.

/// Returns the bytes without leading zeros.
pub(super) fn strip_leading_zeros(bytes: &[u8]) -> &[u8] {
    &bytes[bytes.iter().take_while(|byte| **byte == 0).count()..]
}

/// Returns the number of bits of an integer without leading zero bytes.
pub(super) fn bit_length(bytes: &[u8]) -> u32 {
    bytes.first().map_or(0, |first| bytes.len() as u32 * 8 - first.leading_zeros())
}

/// Decodes hexadecimal digits that stand in this program.
pub(super) fn unhex(digits: &str) -> Vec<u8> {
    let value = |digit: u8| (digit as char).to_digit(16).expect("the table holds hexadecimal digits") as u8;
    let padded = if digits.len().is_multiple_of(2) { digits.to_owned() } else { format!("0{digits}") };
    padded.as_bytes().chunks_exact(2).map(|pair| 16 * value(pair[0]) + value(pair[1])).collect()
}
