//! Media types: RFC 2045 §5.1, RFC 6838 §4.2.

/// Characters of one that are shown: RFC 6838 §4.2 has 127 for each of its two names.
const SHOWN: usize = 255;

/// Whether two texts name one media type, whatever the case and the parameters.
pub(in crate::formats) fn is_same(one: &str, other: &str) -> bool {
    essence(one).eq_ignore_ascii_case(essence(other))
}

/// Returns a media type for a message.
pub(in crate::formats) fn shown(text: &str) -> String {
    essence(text).chars().take(SHOWN).collect()
}

fn essence(text: &str) -> &str {
    // Writers put a byte order mark in front of it, where it is a file.
    text.trim_start_matches('\u{feff}').split(';').next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types() {
        for (clause, one, other, expected) in [
            ("5.1", "text/plain", "Text/PLAIN", true),
            ("5.1", "text/plain", "text/plain; charset=utf-8", true),
            ("5.1", "text/plain", "\u{feff}text/plain\n", true),
            ("5.1", "text/plain", "text/html", false),
            ("5.1", "text/plain", "", false),
        ] {
            assert_eq!(is_same(one, other), expected, "RFC 2045 {clause}: {one}, {other}");
        }
    }
}
