//! Text strings: ISO 32000-1 §7.9.2.2.

use super::object::Object;

/// Decodes a text string: PDFDocEncoding, UTF-16, or in ISO 32000-2 also UTF-8.
pub fn text(object: &Object<'_>) -> Option<String> {
    let bytes = object.string()?.bytes();
    let utf16 = |bytes: &[u8], read: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| read([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    Some(match bytes.as_ref() {
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        plain => plain.iter().map(|&byte| pdf_doc_encoding(byte)).collect(),
    })
}

/// Decodes a byte of PDFDocEncoding (ISO 32000-1 annex D.3), which is Latin-1 but for two ranges.
pub(super) fn pdf_doc_encoding(byte: u8) -> char {
    const LOW: [char; 8] = ['\u{2D8}', '\u{2C7}', '\u{2C6}', '\u{2D9}', '\u{2DD}', '\u{2DB}', '\u{2DA}', '\u{2DC}'];
    const HIGH: [char; 33] = [
        '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™', 'ﬁ', 'ﬂ', 'Ł',
        'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{FFFD}', '€',
    ];
    match byte {
        0x18..=0x1F => LOW[usize::from(byte - 0x18)],
        0x80..=0xA0 => HIGH[usize::from(byte - 0x80)],
        other => char::from(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::pdf::lexer::Lexer;

    #[test]
    fn texts() {
        let rows = [
            ("7.9.2.2", "PDFDocEncoding", "(caf\\351 \\240)", "café €"),
            ("7.9.2.2", "UTF-16, big end first", "<FEFF00410142>", "Ał"),
            ("7.9.2.2", "UTF-8 (ISO 32000-2)", "<EFBBBFC582>", "ł"),
        ];
        for (clause, situation, string, expected) in rows {
            let object = Lexer::new(string.as_bytes(), 0, 8).object().expect(situation);
            assert_eq!(text(&object).as_deref(), Some(expected), "{clause}: {situation}");
        }
    }
}
