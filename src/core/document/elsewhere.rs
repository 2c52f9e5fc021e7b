//! What bytes open as that are no part of a file's own structure, by the lenient rules of the programs that read them.
//!
//! A PDF viewer looks for its header in the first thousand bytes, or for objects anywhere; whoever unpacks ZIP files
//! begins at the end; a browser shows whatever has a tag. So one file is a signed contract for the validator, and
//! another contract for whoever opens it under another extension.

use crate::vocabulary::string_enum;
use memchr::{memchr_iter, memmem};
use std::ops::Range;

string_enum! {
    /// A type of file that programs find where it does not begin at the first byte.
    pub enum Elsewhere {
        /// ISO 32000-2 §7.5.2; viewers rebuild a file from its objects.
        Pdf = "PDF",
        /// APPNOTE 6.3.10 §4.3.6.
        Zip = "ZIP",
        /// What a browser shows.
        Html = "HTML",
        /// Archives whose beginning is searched for.
        Rar = "RAR",
        /// The same.
        SevenZip = "7z",
    }
}

/// What HTML begins with, or acts by: words that other bytes do not have by chance.
const TAGS: [&[u8]; 17] = [
    b"!doctype",
    b"html",
    b"head",
    b"body",
    b"script",
    b"style",
    b"iframe",
    b"frameset",
    b"table",
    b"center",
    b"marquee",
    b"font",
    b"div",
    b"svg",
    b"img",
    b"video",
    b"embed",
];
/// Bytes of a ZIP file's end record without its comment.
const END_RECORD: usize = 22;

/// Returns what the bytes open as; `None` where no program opens them.
pub fn opens_as(bytes: &[u8]) -> Option<Elsewhere> {
    all(bytes).next()
}

/// Returns every type as which the bytes open.
pub fn all(bytes: &[u8]) -> impl Iterator<Item = Elsewhere> {
    let has = |what: &[u8]| memmem::find(bytes, what).is_some();
    Elsewhere::ALL.iter().copied().filter(move |found| match found {
        Elsewhere::Pdf => is_pdf(bytes),
        Elsewhere::Zip => is_zip(bytes),
        Elsewhere::Html => has_tag(bytes, |name| TAGS.contains(&&*name.to_ascii_lowercase())),
        Elsewhere::Rar => has(b"Rar!\x1a\x07"),
        Elsewhere::SevenZip => has(b"7z\xbc\xaf\x27\x1c"),
    })
}

/// Returns what a text opens as, which a browser shows as a page whatever its tags are.
pub fn text_opens_as(text: &[u8]) -> Option<Elsewhere> {
    opens_as(text).or_else(|| has_tag(text, |name| !name.is_empty()).then_some(Elsewhere::Html))
}

/// Returns whether a viewer can make a PDF of them: a header, or an object (ISO 32000-2 §7.3.10).
fn is_pdf(bytes: &[u8]) -> bool {
    memmem::find(bytes, b"%PDF-").is_some() || memmem::find(bytes, b"startxref").is_some() || has_object(bytes)
}

/// Returns whether text in which a PDF may be spoken of is one: it has an object, and more that belongs to one.
pub fn is_whole_pdf(bytes: &[u8]) -> bool {
    let parts: [&[u8]; 4] = [b"%PDF-", b"startxref", b"endobj", b"trailer"];
    parts.iter().any(|part| memmem::find(bytes, part).is_some()) && has_object(bytes)
}

/// Returns whether the bytes end in the end record of a ZIP file, with its comment (APPNOTE §4.3.16), which may hold
/// anything.
pub fn ends_as_zip(bytes: &[u8]) -> bool {
    let start = bytes.len().saturating_sub(END_RECORD + usize::from(u16::MAX));
    let tail = bytes.get(start..).unwrap_or_default();
    memmem::find_iter(tail, b"PK\x05\x06").any(|at| match tail.get(at + END_RECORD - 2..at + END_RECORD) {
        Some(&[low, high]) => at + END_RECORD + usize::from(u16::from_le_bytes([low, high])) == tail.len(),
        _ => false,
    })
}

/// Returns whether they have an object of a PDF: two numbers and `obj`.
fn has_object(bytes: &[u8]) -> bool {
    memmem::find_iter(bytes, b"obj").any(|at| {
        let before = strip_blank(bytes.get(..at).unwrap_or_default());
        strip_number(before).is_some_and(|rest| {
            let first = strip_blank(rest);
            first.len() < rest.len() && strip_number(first).is_some()
        })
    })
}

/// Removes the white space at the end (ISO 32000-2 §7.2.3).
fn strip_blank(bytes: &[u8]) -> &[u8] {
    let blank = bytes.iter().rev().take_while(|b| b.is_ascii_whitespace() || **b == 0).count();
    bytes.get(..bytes.len() - blank).unwrap_or_default()
}

/// Removes the number at the end; `None` where there is none.
fn strip_number(bytes: &[u8]) -> Option<&[u8]> {
    let digits = bytes.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    bytes.get(..bytes.len() - digits).filter(|_| digits > 0)
}

/// Returns whether they have a record of a ZIP file: one that programs find from the end, or from the beginning.
fn is_zip(bytes: &[u8]) -> bool {
    let number = |at: usize| bytes.get(at..at + 2).map(|two| u16::from_le_bytes([two[0], two[1]]));
    memmem::find_iter(bytes, b"PK").any(|at| match bytes.get(at + 2..at + 4) {
        // §4.3.16: of one disk only.
        Some(b"\x05\x06") => bytes.len() >= at + END_RECORD && number(at + 4) == Some(0),
        // §4.3.7, §4.3.12: versions are below 100, methods below 256.
        Some(b"\x03\x04") => number(at + 4).is_some_and(|v| v & 0xff < 100) && number(at + 8).is_some_and(|m| m < 256),
        Some(b"\x01\x02") => number(at + 6).is_some_and(|v| v & 0xff < 100) && number(at + 10).is_some_and(|m| m < 256),
        _ => false,
    })
}

/// Returns whether they have a tag whose name is one of those asked for: letters, and behind them what ends a name.
fn has_tag(bytes: &[u8], asked: impl Fn(&[u8]) -> bool) -> bool {
    const LONGEST: usize = 12;
    memchr_iter(b'<', bytes).any(|at| {
        let rest = bytes.get(at + 1..).unwrap_or_default();
        let rest = rest.strip_prefix(b"/").unwrap_or(rest);
        let window = rest.get(..rest.len().min(LONGEST)).unwrap_or_default();
        let letters =
            |(at, b): (usize, &u8)| b.is_ascii_alphabetic() || at == 0 && *b == b'!' || at > 0 && b.is_ascii_digit();
        let length = window.iter().enumerate().take_while(|(at, b)| letters((*at, b))).count();
        let ends = rest.get(length).is_some_and(|b| b.is_ascii_whitespace() || matches!(b, b'>' | b'/'));
        ends && window.get(..length).is_some_and(&asked)
    })
}

/// Returns what of `whole` lies outside of the ranges, which are in order.
pub fn outside(whole: &[u8], inside: impl IntoIterator<Item = Range<usize>>) -> Vec<&[u8]> {
    let (mut found, mut at) = (vec![], 0);
    for range in inside {
        found.extend(whole.get(at..range.start).filter(|bytes| !bytes.is_empty()));
        at = at.max(range.end);
    }
    found.extend(whole.get(at..).filter(|bytes| !bytes.is_empty()));
    found
}

/// Returns where in `whole` the part lies; `None` where it is no part of it.
pub fn place(whole: &[u8], part: &[u8]) -> Option<Range<usize>> {
    let start = (part.as_ptr() as usize).checked_sub(whole.as_ptr() as usize)?;
    let end = start.checked_add(part.len())?;
    (end <= whole.len()).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_files() {
        let end = [&b"PK\x05\x06"[..], &[0; 18]].concat();
        for (clause, situation, bytes, expected) in [
            ("ISO 32000-2 7.5.2", "a header behind other bytes", &b"xx\n%PDF-1.7\n"[..], Some(Elsewhere::Pdf)),
            ("ISO 32000-2 7.3.10", "an object without header", b"\x001 0 obj<<>>", Some(Elsewhere::Pdf)),
            ("ISO 32000-2 7.3.10", "white space of all kinds", b"\n12\x00\t0\x0cobj", Some(Elsewhere::Pdf)),
            ("ISO 32000-2 7.3.10", "one number", b"the 1 object", None),
            ("ISO 32000-2 7.3.10", "one number of two digits", b"10 obj", None),
            ("ISO 32000-2 7.5.5", "a pointer to a table", b"startxref\n0\n", Some(Elsewhere::Pdf)),
            ("APPNOTE 4.3.16", "an end record", &end, Some(Elsewhere::Zip)),
            ("APPNOTE 4.3.16", "of several disks", &[&b"PK\x05\x06\x07"[..], &[0; 17]].concat(), None),
            ("APPNOTE 4.3.7", "a local header", b"..PK\x03\x04\x14\x00\x00\x08\x08\x00", Some(Elsewhere::Zip)),
            ("APPNOTE 4.3.7", "no local header", b"..PK\x03\x04\xff\xff\xff\xff\xff\xff", None),
            ("HTML 13.1", "a document", b"\x00<HTML><p>x", Some(Elsewhere::Html)),
            ("HTML 13.1", "a script", b"MII<script src=x>", Some(Elsewhere::Html)),
            ("HTML 13.1", "a part of a word", b"<headline>", None),
            ("", "an archive", b"..Rar!\x1a\x07\x00", Some(Elsewhere::Rar)),
            ("RFC 7468 5.2", "text", b"subject=/CN=Alice <alice@example.com> 5 < 6", None),
            ("", "nothing", b"", None),
        ] {
            assert_eq!(opens_as(bytes), expected, "{clause} {situation}");
        }
        assert_eq!(text_opens_as(b"<p>The buyer pays"), Some(Elsewhere::Html));
        assert_eq!(text_opens_as(b"Alice <alice@example.com>, 5 < 6 > 4"), None);
    }

    #[test]
    fn what_lies_outside() {
        let whole = b"0123456789";
        assert_eq!(outside(whole, [2..4, 4..5, 9..10]), [&b"01"[..], b"5678"]);
        assert_eq!(outside(whole, []), [whole]);
        assert_eq!(place(whole, &whole[3..5]), Some(3..5));
        assert_eq!(place(&whole[3..5], whole), None);
    }
}
