//! Character classes and hexadecimal digits: ISO 32000-1 §7.2.2, §7.3.4.3.

/// Decodes hexadecimal digits. Other characters are skipped; a missing last digit is zero.
pub(super) fn decode_hexadecimal(raw: &[u8]) -> Vec<u8> {
    // Most strings are digits throughout, and some are as long as the file.
    let mut out = vec![0; raw.len() / 2];
    let (pairs, rest) = raw.as_chunks::<2>();
    let mut bad = 0;
    for (byte, &[high, low]) in out.iter_mut().zip(pairs) {
        let (high, low) = (digit(high), digit(low));
        bad |= high | low;
        *byte = high << 4 | low & 0xF;
    }
    if bad <= 0xF && rest.is_empty() {
        return out;
    }
    out.clear();
    let mut high = None;
    for digit in raw.iter().copied().filter_map(hexadecimal) {
        match high.take() {
            None => high = Some(digit),
            Some(first) => out.push(first << 4 | digit),
        }
    }
    out.extend(high.map(|digit| digit << 4));
    out
}

/// Returns whether PDFium takes a byte for white space, which is a regular character (ISO 32000-1 §7.2.2).
pub(super) fn is_foreign(byte: u8) -> bool {
    matches!(byte, 0x80 | 0xFF)
}

/// Returns whether there are only hexadecimal digits and white space.
pub(super) fn is_hexadecimal(raw: &[u8]) -> bool {
    let worth = raw.iter().fold(0, |worth, &byte| worth | digit(byte));
    worth <= 0xF || raw.iter().all(|&byte| is_space(byte) || hexadecimal(byte).is_some())
}

pub(super) fn hexadecimal(byte: u8) -> Option<u8> {
    Some(digit(byte)).filter(|&value| value <= 0xF)
}

/// Returns the value of a hexadecimal digit; 0xFF for any other byte. It uses no table, so that compilers vectorize it.
#[inline(always)]
fn digit(byte: u8) -> u8 {
    let decimal = byte.wrapping_sub(b'0');
    let letter = (byte | 0x20).wrapping_sub(b'a');
    let not_decimal = if letter < 6 { letter + 10 } else { 0xFF };
    if decimal < 10 { decimal } else { not_decimal }
}

/// Returns whether a byte is white space: ISO 32000-1 table 1.
#[inline(always)]
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | 9 | 10 | 12 | 13 | 32)
}

/// Returns whether a byte is neither white space nor a delimiter: ISO 32000-1 §7.2.2.
#[inline(always)]
pub(super) fn is_regular(byte: u8) -> bool {
    !is_space(byte) && !matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}
