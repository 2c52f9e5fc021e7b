//! What canonical forms write in the place of characters that have another meaning: Canonical XML §2.3.

use super::search::first;

/// What text escapes: Canonical XML §2.3.
pub(super) const TEXT: &[[u8; 3]] = &[*b"&<>", *b"\r\r\r"];
/// What of that can stand in text that is as the source has it: the rest is markup there, or a line end.
pub(super) const AS_WRITTEN: &[[u8; 3]] = &[*b">>>"];
/// What attribute values escape: Canonical XML §2.3.
pub(super) const VALUE: &[[u8; 3]] = &[*b"&<\"", *b"\t\n\r"];

/// Writes bytes, with a reference in the place of each that is escaped.
pub(super) fn escape(out: &mut Vec<u8>, mut bytes: &[u8], escaped: &[[u8; 3]]) {
    while let Some(at) = first(bytes, escaped) {
        let (before, rest) = bytes.split_at(at);
        out.extend_from_slice(before);
        bytes = rest;
        // Where there is one, there may be many.
        while let [byte, rest @ ..] = bytes
            && escaped.as_flattened().contains(byte)
        {
            out.extend_from_slice(reference(*byte));
            bytes = rest;
        }
    }
    out.extend_from_slice(bytes);
}

/// Returns the reference that is written for a byte.
fn reference(byte: u8) -> &'static [u8] {
    match byte {
        b'&' => b"&amp;",
        b'<' => b"&lt;",
        b'>' => b"&gt;",
        b'\r' => b"&#xD;",
        b'"' => b"&quot;",
        b'\t' => b"&#x9;",
        _ => b"&#xA;",
    }
}
