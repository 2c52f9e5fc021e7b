//! Words from outside, made fit to be shown: names, reasons and file names inside documents are hostile text.

use crate::confusable::is_invisible;
use std::fmt::Write as _;

/// How many characters of a foreign text a report for people shows; the reports for machines have the whole.
///
/// The longest distinguished names of the public corpus have 260 characters.
const LONGEST: usize = 300;

/// The text with everything that acts on its surroundings made visible by its code point: control characters,
/// line ends, direction marks and characters without width.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if acts(c) {
            write!(shown, "U+{:04X}", u32::from(c)).expect("writing into memory does not fail");
        } else {
            shown.push(c);
        }
    }
    shown
}

/// [`visible`], at most so long as people read, with the number of characters of the whole where it is longer.
pub fn shortened(text: &str) -> (String, Option<usize>) {
    match text.char_indices().nth(LONGEST) {
        None => (visible(text), None),
        Some((end, _)) => (visible(&text[..end]), Some(text.chars().count())),
    }
}

/// Whether the character does something else than to be seen: general category Cc, and what moves or hides text or is
/// not seen itself (UAX #9 §2, UTR #36 §2.9).
fn acts(c: char) -> bool {
    c.is_control() || is_invisible(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_made_visible_and_the_rest_stays() {
        for (text, shown) in [
            ("José Ñandú Ωμέγα Ленин 中文", "José Ñandú Ωμέγα Ленин 中文"),
            ("a\u{202e}fdp.exe", "aU+202Efdp.exe"),
            ("line\r\nline\u{2028}", "lineU+000DU+000AlineU+2028"),
            ("\u{1b}[31mred\0", "U+001B[31mredU+0000"),
            ("soft\u{ad}\u{200b}\u{feff}", "softU+00ADU+200BU+FEFF"),
            ("<script>&", "<script>&"),
            ("Alice\u{3164}\u{2800}\u{fe0f}\u{e0041}", "AliceU+3164U+2800U+FE0FU+E0041"),
        ] {
            assert_eq!(visible(text), shown);
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
