//! Text from outside, made fit to be shown: names, reasons and file names inside documents are hostile.

use crate::confusable::is_invisible;
use std::fmt::Write as _;

/// How many characters of a foreign text a report for people shows; the reports for machines have the whole.
///
/// The longest distinguished names of the public corpus have 260 characters.
const LONGEST: usize = 300;

/// Returns the text with every character that acts on its surroundings replaced by its code point: control characters,
/// line ends, direction marks and characters without width.
///
/// ```
/// assert_eq!(lacre::report::escape_control_chars("invoice\u{202e}fdp.exe\n"), "invoiceU+202Efdp.exeU+000A");
/// ```
pub fn escape_control_chars(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_control(c) {
            write!(shown, "U+{:04X}", u32::from(c)).expect("writing into memory does not fail");
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Escapes the first characters of a text, as many as people read. Returns the number of characters of the whole where
/// there are more.
pub(super) fn shortened(text: &str) -> (String, Option<usize>) {
    match text.char_indices().nth(LONGEST) {
        None => (escape_control_chars(text), None),
        Some((end, _)) => (escape_control_chars(&text[..end]), Some(text.chars().count())),
    }
}

/// Returns whether the character does something else than to be seen: general category Cc, and what moves or hides text
/// or is not seen itself (UAX #9 §2, UTR #36 §2.9).
fn is_control(c: char) -> bool {
    c.is_control() || is_invisible(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_the_rest_stays() {
        for (text, shown) in [
            ("José Ñandú Ωμέγα Ленин 中文", "José Ñandú Ωμέγα Ленин 中文"),
            ("a\u{202e}fdp.exe", "aU+202Efdp.exe"),
            ("line\r\nline\u{2028}", "lineU+000DU+000AlineU+2028"),
            ("\u{1b}[31mred\0", "U+001B[31mredU+0000"),
            ("soft\u{ad}\u{200b}\u{feff}", "softU+00ADU+200BU+FEFF"),
            ("<script>&", "<script>&"),
            ("Alice\u{3164}\u{2800}\u{fe0f}\u{e0041}", "AliceU+3164U+2800U+FE0FU+E0041"),
        ] {
            assert_eq!(escape_control_chars(text), shown);
        }
    }

    #[test]
    fn long_texts_end_after_a_number_of_characters() {
        let long = "é".repeat(10_000);
        let (shown, count) = shortened(&long);
        assert_eq!((shown.chars().count(), count), (LONGEST, Some(10_000)));
        assert_eq!(shortened(&"é".repeat(LONGEST)), ("é".repeat(LONGEST), None));
    }
}
