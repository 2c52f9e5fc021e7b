//! Octets as digits.

/// Lower-case hexadecimal.
pub fn lower(octets: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(half.into(), 16).expect("half an octet is one hexadecimal digit");
    let mut text = String::with_capacity(2 * octets.len());
    octets.iter().for_each(|octet| text.extend([digit(octet >> 4), digit(octet & 15)]));
    text
}
