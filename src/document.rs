//! What a file is: told from its octets, never from its name.

use crate::vocabulary::words;
use base64::Engine as _;
use std::borrow::Cow;

/// A document to be validated: its octets, and what the caller knows about it.
#[derive(Debug, Clone)]
pub struct Document<'a> {
    bytes: &'a [u8],
    name: Option<String>,
    contents: Vec<Content<'a>>,
    password: Option<&'a [u8]>,
}

/// A detached content: what a signature beside it signs.
#[derive(Debug, Clone)]
pub struct Content<'a> {
    /// Its file name.
    pub name: String,
    /// Its octets.
    pub bytes: &'a [u8],
}

impl<'a> Document<'a> {
    /// The document with these octets.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, name: None, contents: vec![], password: None }
    }

    /// Its file name, for the report and for references by name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// A content that the document's signatures sign without holding it.
    pub fn with_content(mut self, name: impl Into<String>, bytes: &'a [u8]) -> Self {
        self.contents.push(Content { name: name.into(), bytes });
        self
    }

    /// The password of an encrypted PDF (user or owner).
    pub fn with_password(mut self, password: &'a [u8]) -> Self {
        self.password = Some(password);
        self
    }

    /// The octets.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The file name.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The detached contents.
    pub fn contents(&self) -> &[Content<'a>] {
        &self.contents
    }

    /// The password.
    pub fn password(&self) -> Option<&'a [u8]> {
        self.password
    }

    /// What the octets look like; `None` when like nothing that is signed.
    pub fn syntax(&self) -> Option<Syntax> {
        Syntax::of(self.bytes)
    }
}

words! {
    /// The outermost syntax of a file.
    pub enum Syntax {
        /// A PDF (ISO 32000-1 §7.5.2; the header may stand within the first 1,024 octets).
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
    /// Tells the syntax from the octets.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let head = &bytes[..bytes.len().min(1024)];
        if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
            return Some(Self::Zip);
        }
        if head.windows(5).any(|w| w == b"%PDF-") {
            return Some(Self::Pdf);
        }
        // A SEQUENCE whose length octets make sense; `0` (0x30) also begins text.
        if let [0x30, length, ..] = head
            && (*length >= 0x80 || usize::from(*length) + 2 <= bytes.len())
            && !head.iter().take(16).all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace())
        {
            return Some(Self::Asn1);
        }
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        let text = &text[text.iter().take_while(|b| b.is_ascii_whitespace()).count()..];
        match text {
            [b'<', ..] | [0xfe, 0xff, ..] | [0xff, 0xfe, ..] => Some(Self::Xml),
            [b'{', ..] => Some(Self::Json),
            _ if text.starts_with(b"-----BEGIN ") => Some(Self::Base64Asn1),
            _ if is_compact_jws(text) => Some(Self::CompactJws),
            _ if is_base64_sequence(text) => Some(Self::Base64Asn1),
            _ => None,
        }
    }
}

/// The octets inside PEM lines or bare Base64; anything else as it is.
pub fn unarmored(octets: &[u8]) -> Cow<'_, [u8]> {
    if Syntax::of(octets) != Some(Syntax::Base64Asn1) {
        return Cow::Borrowed(octets);
    }
    let text = String::from_utf8_lossy(octets);
    let mut inside = !text.trim_start().starts_with("-----BEGIN ");
    let mut base64 = Vec::with_capacity(octets.len());
    for line in text.lines() {
        match line.trim() {
            marker if marker.starts_with("-----BEGIN ") => inside = true,
            marker if marker.starts_with("-----END ") => break,
            // RFC 1421 headers, and what stands around the lines.
            line if inside && !line.contains(':') => base64.extend(line.bytes().filter(|b| !b.is_ascii_whitespace())),
            _ => {}
        }
    }
    let engine = base64::engine::GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        base64::engine::GeneralPurposeConfig::new()
            .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent)
            .with_decode_allow_trailing_bits(true),
    );
    engine.decode(&base64).map_or(Cow::Borrowed(octets), Cow::Owned)
}

/// `eyJ…` is `{"` in base64url; a first dot ends the protected header (RFC 7515 §7.1).
fn is_compact_jws(text: &[u8]) -> bool {
    let base64url = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    text.starts_with(b"ey") && text.iter().take(512).all(|b| base64url(b) || b.is_ascii_whitespace())
}

/// `M` is how every SEQUENCE begins in Base64 (0x30).
fn is_base64_sequence(text: &[u8]) -> bool {
    let base64 = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=') || b.is_ascii_whitespace();
    text.first() == Some(&b'M') && text.len() >= 16 && text.iter().all(base64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_off_pem_lines() {
        for (octets, expected) in [
            (&b"-----BEGIN X-----\nMIIB\n-----END X-----\ntrailer"[..], &b"\x30\x82\x01"[..]),
            (b"-----BEGIN X-----\r\nProc-Type: 4\r\n\r\nMIIB\r\n-----END X-----", b"\x30\x82\x01"),
            (b"MIIBAgMEBQYHCAkKCwwN\nDg==", b"\x30\x82\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e"),
            (b"-----BEGIN X-----\n?\n-----END X-----", b"-----BEGIN X-----\n?\n-----END X-----"),
            (b"\x30\x03\x02\x01\x00", b"\x30\x03\x02\x01\x00"),
        ] {
            assert_eq!(&*unarmored(octets), expected, "{:?}", String::from_utf8_lossy(octets));
        }
    }

    #[test]
    fn tells_the_syntax_from_the_octets() {
        for (bytes, expected) in [
            (&b"%PDF-1.7\n"[..], Some(Syntax::Pdf)),
            (b"junk before\n%PDF-1.4", Some(Syntax::Pdf)),
            (b"PK\x03\x04rest", Some(Syntax::Zip)),
            (b"\xef\xbb\xbf  <?xml version='1.0'?>", Some(Syntax::Xml)),
            (b"<Signature/>", Some(Syntax::Xml)),
            (b" {\"payload\":\"\"}", Some(Syntax::Json)),
            (b"eyJhbGciOiJFUzI1NiJ9.e30.AAAA", Some(Syntax::CompactJws)),
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
