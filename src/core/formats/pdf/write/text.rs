//! Texts and dates: ISO 32000-1 §7.9.2.2, §7.9.4.

use super::value::Value;
use crate::formats::pdf::text::pdf_doc_encoding;
use crate::time::Time;

/// Makes a text string: PDFDocEncoding where it has all characters, else UTF-16 with the high byte first.
pub fn text_string(text: &str) -> Value {
    let encoded: Option<Vec<u8>> = text.chars().map(pdf_doc_byte).collect();
    // NOTE: readers take what begins with these for UTF-16 or UTF-8.
    let is_marked = |bytes: &Vec<u8>| {
        [&[0xFE, 0xFF][..], &[0xFF, 0xFE], &[0xEF, 0xBB, 0xBF]].iter().any(|mark| bytes.starts_with(mark))
    };
    Value::String(encoded.filter(|bytes| !is_marked(bytes)).unwrap_or_else(|| {
        let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
        units.flat_map(u16::to_be_bytes).collect()
    }))
}

/// Returns the byte of a character in PDFDocEncoding (annex D.3), where it has one.
fn pdf_doc_byte(character: char) -> Option<u8> {
    let is_defined = |byte: &u8| !matches!(byte, 0..=8 | 11 | 12 | 14..=0x17 | 0x7F | 0x9F | 0xAD);
    match u8::try_from(u32::from(character)) {
        Ok(byte @ (0x20..=0x7E | 0xA1..)) => Some(byte).filter(is_defined),
        _ => (0..=u8::MAX).filter(is_defined).find(|byte| pdf_doc_encoding(*byte) == character),
    }
}

/// Makes a date, in the local time that is so many minutes before (`+`) that of Greenwich: `D:YYYYMMDDHHmmSSOHH'mm'`.
pub fn date(time: Time, offset: i16) -> Value {
    let (year, month, day, hour, minute, second) = time.plus_millis(i64::from(offset) * 60_000).civil();
    let zone = match offset {
        0 => "Z".to_owned(),
        _ => {
            let sign = if offset < 0 { '-' } else { '+' };
            format!("{sign}{:02}'{:02}'", offset.unsigned_abs() / 60, offset.unsigned_abs() % 60)
        }
    };
    let year = year.clamp(0, 9999);
    text_string(&format!("D:{year:04}{month:02}{day:02}{hour:02}{minute:02}{second:02}{zone}"))
}
