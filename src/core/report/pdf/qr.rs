//! The QR code at the foot: which file and which report this is, and what the verdict was.

use crate::time::Time;
use crate::validation::outcome::Indication;
use qrcodegen::{QrCode, QrCodeEcc};

/// Makes the text of the QR code: version, verdict, time, digest of the file, digest of the attached XML; in the
/// alphabet of 45 characters that QR codes write most densely (ISO/IEC 18004 §7.4.4).
pub(super) fn text(document: &str, xml: &str, indication: Indication, time: Time) -> String {
    format!("LACRE1:{indication}:{time}:{document}:{xml}").to_ascii_uppercase().replace('_', "-")
}

/// Returns the dark runs of each row, as (row, first column, length), and how many modules a side has.
pub(super) fn runs(text: &str) -> (Vec<(i32, i32, i32)>, i32) {
    // No text of the length above is too long for a code; without one the foot has none.
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Low) else { return (vec![], 1) };
    let mut runs = vec![];
    for row in 0..code.size() {
        let mut column = 0;
        while column < code.size() {
            let start = column;
            while column < code.size() && code.get_module(column, row) {
                column += 1;
            }
            if column > start {
                runs.push((row, start, column - start));
            }
            column += 1;
        }
    }
    (runs, code.size())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_is_dense_and_its_runs_are_its_modules() {
        let text = text(&"ab".repeat(32), &"cd".repeat(32), Indication::NoSignatureFound, Time::from_seconds(0));
        assert!(text.starts_with("LACRE1:NO-SIGNATURE-FOUND:1970-01-01T00:00:00Z:ABAB"));
        let (runs, size) = runs(&text);
        let code = QrCode::encode_text(&text, QrCodeEcc::Low).expect("the text is short");
        assert_eq!(code.size(), size);
        assert!(size <= 45, "ISO/IEC 18004 version 7 holds it: {size} modules");
        let dark = (0..size).flat_map(|y| (0..size).map(move |x| (x, y))).filter(|(x, y)| code.get_module(*x, *y));
        assert_eq!(runs.iter().map(|(.., length)| *length).sum::<i32>() as usize, dark.count());
    }
}
