//! What a file is, by its bytes, never by its name.

pub mod elsewhere;

use crate::hex;
use crate::vocabulary::string_enum;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, Engine as _, GeneralPurpose, GeneralPurposeConfig};
use std::borrow::Cow;

/// Holds a document to be validated: its bytes, and what the caller knows about it.
///
/// ```
/// use lacre::{Document, Syntax};
///
/// # fn main() -> std::io::Result<()> {
/// # std::env::set_current_dir("../..")?;
/// let signature = std::fs::read("examples/documents/letter.txt.p7s")?;
/// let letter = std::fs::read("examples/documents/letter.txt")?;
///
/// // A detached signature, with what it signs.
/// let document = Document::new(&signature).named("letter.txt.p7s").with_content("letter.txt", &letter);
/// assert_eq!(document.syntax(), Some(Syntax::Asn1));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Document<'a> {
    bytes: &'a [u8],
    name: Option<Cow<'a, str>>,
    contents: Vec<Content<'a>>,
    password: Option<&'a [u8]>,
    compares_pages: bool,
}

/// Holds a detached content: what a signature beside it signs.
#[derive(Debug, Clone)]
pub struct Content<'a> {
    /// Its file name.
    pub name: String,
    /// Its bytes.
    pub bytes: &'a [u8],
}

impl<'a> Document<'a> {
    /// Makes the document with these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, name: None, contents: vec![], password: None, compares_pages: false }
    }

    /// Gives it a file name, for the report and for references by name.
    pub fn named(mut self, name: impl Into<Cow<'a, str>>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Adds a content that the document's signatures sign without holding it.
    pub fn with_content(mut self, name: impl Into<String>, bytes: &'a [u8]) -> Self {
        self.contents.push(Content { name: name.into(), bytes });
        self
    }

    /// Gives the password of an encrypted PDF (user or owner).
    pub fn with_password(mut self, password: &'a [u8]) -> Self {
        self.password = Some(password);
        self
    }

    /// Makes validation draw the pages of a PDF, too, as they were when signed and as they are, and name those that
    /// look different.
    ///
    /// That takes the feature `render`, and some milliseconds for a page that changed. Where a page cannot be drawn, the
    /// report says so. Work is bounded, time is not: for files of strangers, run it where it can be ended.
    pub fn comparing_pages(mut self) -> Self {
        self.compares_pages = true;
        self
    }

    /// Says whether pages are drawn and compared.
    pub(crate) fn compares_pages(&self) -> bool {
        self.compares_pages
    }

    /// Returns the document with other bytes, and the same name, contents and password. Pages are not drawn.
    #[cfg(feature = "signing")]
    pub(crate) fn with_bytes<'b>(&'b self, bytes: &'b [u8]) -> Document<'b> {
        Document { bytes, name: self.name.as_deref().map(Cow::Borrowed), compares_pages: false, ..self.clone() }
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the file name.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the detached contents.
    pub fn contents(&self) -> &[Content<'a>] {
        &self.contents
    }

    /// Returns the password.
    pub(crate) fn password(&self) -> Option<&'a [u8]> {
        self.password
    }

    /// Shows the first bytes, for an error.
    pub(crate) fn preview(&self) -> String {
        preview(self.bytes)
    }

    /// Tells the syntax from the bytes; `None` when it is none that is signed.
    pub fn syntax(&self) -> Option<Syntax> {
        Syntax::of(self.bytes)
    }
}

string_enum! {
    /// The outermost syntax of a file.
    pub enum Syntax {
        /// A PDF (ISO 32000-1 §7.5.2; the header may stand within the first 1,024 bytes).
        Pdf = "PDF",
        /// A ZIP archive: ASiC or OpenDocument.
        Zip = "ZIP",
        /// XML: a signature, an evidence record.
        Xml = "XML",
        /// A JWS in one of its JSON serialisations.
        Json = "JSON",
        /// A JWS in compact serialisation.
        CompactJws = "JWS",
        /// BER or DER: CMS, a time-stamp, an evidence record.
        Asn1 = "ASN.1",
        /// The same in Base64, with or without PEM lines.
        Base64Asn1 = "Base64",
    }
}

impl Syntax {
    /// Tells the syntax from the bytes.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let head = &bytes[..bytes.len().min(1024)];
        if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
            return Some(Self::Zip);
        }
        // What begins as signed data holds its content near its beginning, and that may be a PDF.
        if is_signed_data(head) {
            return Some(Self::Asn1);
        }
        if head.windows(5).any(|w| w == b"%PDF-") {
            return Some(Self::Pdf);
        }
        // A SEQUENCE whose length bytes make sense; `0` (0x30) also begins text.
        if let [0x30, length, ..] = head
            && (*length >= 0x80 || usize::from(*length) + 2 <= bytes.len())
            && !head.iter().take(16).all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace())
        {
            return Some(Self::Asn1);
        }
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        let text = &text[text.iter().take_while(|b| b.is_ascii_whitespace()).count()..];
        match text {
            [b'<', ..] | [0, b'<', ..] | [0xfe, 0xff, ..] | [0xff, 0xfe, ..] => Some(Self::Xml),
            [b'{', ..] => Some(Self::Json),
            _ if text.starts_with(b"-----BEGIN ") => Some(Self::Base64Asn1),
            _ if is_compact_jws(text) => Some(Self::CompactJws),
            _ if is_base64_sequence(text) => Some(Self::Base64Asn1),
            _ => None,
        }
    }
}

/// Shows the first bytes of something, for an error: as text where they are text.
pub fn preview(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(16)];
    match head {
        [] => "nothing (it is empty)".into(),
        _ if head.iter().all(|b| b.is_ascii_graphic() || *b == b' ') => format!("`{}`", String::from_utf8_lossy(head)),
        _ => format!("the bytes {}", hex::lower(head)),
    }
}

/// Decodes PEM (RFC 7468) and bare Base64; anything else is returned as it is.
pub fn decode_pem(bytes: &[u8]) -> Cow<'_, [u8]> {
    match Syntax::of(bytes) {
        Some(Syntax::Base64Asn1) => base64(bytes).map_or(Cow::Borrowed(bytes), Cow::Owned),
        _ => Cow::Borrowed(bytes),
    }
}

/// Decodes Base64 with or without PEM lines (RFC 7468): the first block, where there are several.
pub fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let engine = GeneralPurpose::new(
        &alphabet::STANDARD,
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
    );
    let text = std::str::from_utf8(text).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let body = match text.find("-----BEGIN ") {
        Some(at) => text[at + 11..].split_once("-----")?.1.split("-----END ").next()?,
        None => text,
    };
    let digits: Vec<u8> = body.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    engine.decode(digits).ok()
}

/// Returns what stands before and after the lines of the first PEM block, which [`base64()`] reads; nothing where there are
/// none.
pub fn around_armor(text: &[u8]) -> (&[u8], &[u8]) {
    let find = |from: usize, wanted: &[u8]| memchr::memmem::find(text.get(from..)?, wanted).map(|at| from + at);
    let Some(begin) = find(0, b"-----BEGIN ") else { return (&[], &[]) };
    let end = find(begin, b"-----END ").and_then(|end| find(end + 9, b"-----"));
    let before = text[..begin].strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text[..begin]);
    (before, end.and_then(|end| text.get(end + 5..)).unwrap_or_default())
}

/// Says whether the bytes begin as a `ContentInfo` of signed data does (RFC 5652 §3, §5.1).
fn is_signed_data(head: &[u8]) -> bool {
    const SIGNED_DATA: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02";
    let [0x30, length, rest @ ..] = head else { return false };
    let more = if *length > 0x80 { usize::from(length & 0x7f) } else { 0 };
    rest.get(more..).is_some_and(|rest| rest.starts_with(SIGNED_DATA))
}

/// Returns what is not Base64 in a text with PEM lines (RFC 7468): what is before them, between the dashes, and behind
/// them. Empty for bare Base64.
pub fn armor(text: &[u8]) -> Vec<&[u8]> {
    use memchr::memmem::find;
    const DASHES: &[u8] = b"-----";
    let Some(begin) = find(text, b"-----BEGIN ") else { return vec![] };
    let (before, rest) = text.split_at(begin);
    let rest = rest.get(DASHES.len()..).unwrap_or_default();
    let (label, rest) = rest.split_at(find(rest, DASHES).unwrap_or(rest.len()));
    let rest = rest.get(DASHES.len()..).unwrap_or_default();
    let rest = find(rest, b"-----END ").and_then(|at| rest.get(at + DASHES.len()..)).unwrap_or_default();
    let (end, rest) = rest.split_at(find(rest, DASHES).unwrap_or(rest.len()));
    vec![before, label, end, rest.get(DASHES.len()..).unwrap_or_default()]
}

/// Returns whether a text begins as a compact JWS: `ey…` is `{"` or `{` and a space in base64url, `ew…` is `{` and
/// another white space; a first dot ends the protected header (RFC 7515 §7.1).
fn is_compact_jws(text: &[u8]) -> bool {
    let base64url = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let brace = text.starts_with(b"ey") || text.starts_with(b"ew");
    brace && text.iter().take(512).all(|b| base64url(b) || b.is_ascii_whitespace())
}

/// Returns whether a text is like a SEQUENCE in Base64: `M` is how every one begins (0x30).
fn is_base64_sequence(text: &[u8]) -> bool {
    let base64 = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=') || b.is_ascii_whitespace();
    text.first() == Some(&b'M') && text.len() >= 16 && text.iter().all(base64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_and_pem() {
        for (clause, text, expected) in [
            ("RFC 7468 3", "-----BEGIN CMS-----\r\nMAA=\r\n-----END CMS-----\r\n", Some(vec![0x30, 0])),
            ("RFC 7468 5.2", "explanatory text\n-----BEGIN CMS-----\nMAA=\n-----END CMS-----\n", Some(vec![0x30, 0])),
            ("RFC 4648 4", "MA\nA=", Some(vec![0x30, 0])),
            ("RFC 4648 3.2", "MAA", Some(vec![0x30, 0])),
            ("RFC 4648 3.3", "MA#=", None),
        ] {
            assert_eq!(base64(text.as_bytes()), expected, "{clause} {text:?}");
        }
        assert_eq!(&*decode_pem(b"\x30\x03\x02\x01\x00"), b"\x30\x03\x02\x01\x00", "DER stays as it is");
    }

    #[test]
    fn what_stands_around_pem() {
        for (clause, text, expected) in [
            ("RFC 7468 2", "-----BEGIN CMS-----\nMAA=\n-----END CMS-----\n", ("", "\n")),
            ("RFC 7468 5.2", "text\n-----BEGIN CMS-----\nMAA=\n-----END CMS-----<p>", ("text\n", "<p>")),
            ("RFC 7468 2", "-----BEGIN CMS-----\nMAA=", ("", "")),
            ("RFC 4648 4", "MAA=", ("", "")),
        ] {
            let found = around_armor(text.as_bytes());
            assert_eq!(found, (expected.0.as_bytes(), expected.1.as_bytes()), "{clause} {text:?}");
        }
    }

    #[test]
    fn tells_the_syntax_from_the_bytes() {
        for (bytes, expected) in [
            (&b"%PDF-1.7\n"[..], Some(Syntax::Pdf)),
            (b"junk before\n%PDF-1.4", Some(Syntax::Pdf)),
            (b"\x30\x82\x10\x00\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02 .. %PDF-1.4", Some(Syntax::Asn1)),
            (b"\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02 .. %PDF-1.4", Some(Syntax::Asn1)),
            (b"PK\x03\x04rest", Some(Syntax::Zip)),
            (b"\xef\xbb\xbf  <?xml version='1.0'?>", Some(Syntax::Xml)),
            (b"<Signature/>", Some(Syntax::Xml)),
            (b" {\"payload\":\"\"}", Some(Syntax::Json)),
            (b"eyJhbGciOiJFUzI1NiJ9.e30.AAAA", Some(Syntax::CompactJws)),
            (b"ewoiYWxnIjoiRVMyNTYifQ.e30.AAAA", Some(Syntax::CompactJws)),
            (b"\x30\x82\x01\x00\x06\x09", Some(Syntax::Asn1)),
            (b"\x30\x80\x06\x09", Some(Syntax::Asn1)),
            (b"-----BEGIN CMS-----\nMIIB", Some(Syntax::Base64Asn1)),
            (b"MIIBAgMEBQYHCAkKCwwN\nDg==", Some(Syntax::Base64Asn1)),
            (b"01234 just some text, 0 is 0x30", None),
            (b"Hello", None),
            (b"", None),
        ] {
            assert_eq!(Syntax::of(bytes), expected, "{:?}", String::from_utf8_lossy(bytes));
        }
    }
}
