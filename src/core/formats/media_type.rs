//! Media types: RFC 2045 §5.1, RFC 6838 §4.2.

/// Characters of one that are shown: RFC 6838 §4.2 has 127 for each of its two names.
const SHOWN: usize = 255;

/// The type of bytes of which nothing is said: RFC 2046 §4.5.1.
const ANY: &str = "application/octet-stream";

/// Returns whether two texts state media types that exclude each other, whatever the case and the parameters.
pub(in crate::formats) fn differ(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(essence);
    let is_any = |stated: &str| stated.is_empty() || stated.eq_ignore_ascii_case(ANY);
    !is_any(one) && !is_any(other) && !one.eq_ignore_ascii_case(other)
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
            ("RFC 2045 5.1", "text/plain", "Text/PLAIN", false),
            ("RFC 2045 5.1", "text/plain", "text/plain; charset=utf-8", false),
            ("RFC 2045 5.1", "text/plain", "\u{feff}text/plain\n", false),
            ("RFC 2045 5.1", "text/plain", "text/html", true),
            ("RFC 2045 5.2", "text/plain", "", false),
            ("RFC 2046 4.5.1", "text/plain", "Application/Octet-Stream", false),
            ("RFC 2046 4.5.1", "application/octet-stream", "text/html", false),
        ] {
            assert_eq!(differ(one, other), expected, "{clause}: {one}, {other}");
        }
    }
}
