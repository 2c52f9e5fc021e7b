//! From a document to its draft, by what its octets are.

use super::cms;
use super::draft::Draft;
use super::tsp::{self, Token};
use crate::document::{Document, Syntax};
use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Why a document cannot be read at all.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The octets are like nothing that is signed.
    #[error("the file is not PDF, ASiC, XML, JWS, CMS, a time-stamp or an evidence record")]
    Unknown,
    /// The syntax is known, but what is in it is nothing that this version reads.
    #[error(
        "the file is {syntax}, but holds no signature, time-stamp or evidence record in a format that is supported"
    )]
    Unsupported {
        /// What the file is.
        syntax: Syntax,
    },
    /// Text that begins as Base64 does, but is not.
    #[error("the file is not Base64 throughout")]
    NotBase64,
    /// CMS that cannot be read.
    #[error("the file is ASN.1, but neither CMS nor a time-stamp")]
    Cms(#[source] cms::Error),
}

/// A document and what has to be unpacked before it can be read where it lies.
#[derive(Debug)]
pub struct Source<'d> {
    document: &'d Document<'d>,
    syntax: Syntax,
    decoded: Option<Vec<u8>>,
}

impl<'d> Source<'d> {
    /// Tells what the document is and unpacks it where it has to be.
    pub fn open(document: &'d Document<'d>) -> Result<Self, Error> {
        let syntax = document.syntax().ok_or(Error::Unknown)?;
        let decoded = match syntax {
            Syntax::Base64Asn1 => Some(base64(document.bytes()).ok_or(Error::NotBase64)?),
            _ => None,
        };
        Ok(Self { document, syntax, decoded })
    }

    /// What the document is.
    pub fn syntax(&self) -> Syntax {
        self.syntax
    }

    /// Reads it.
    pub fn read(&self) -> Result<Draft<'_>, Error> {
        match self.syntax {
            Syntax::Asn1 => self.asn1(self.document.bytes()),
            Syntax::Base64Asn1 => self.asn1(self.decoded.as_deref().unwrap_or_default()),
            syntax => Err(Error::Unsupported { syntax }),
        }
    }

    fn asn1<'s>(&'s self, octets: &'s [u8]) -> Result<Draft<'s>, Error> {
        match Token::parse(octets) {
            Ok(token) => Ok(tsp::standalone(&token, self.document)),
            Err(_) => cms::read(octets, self.document).map_err(Error::Cms),
        }
    }
}

/// Base64 with or without PEM lines (RFC 7468): the first block, where there are several.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let engine = GeneralPurpose::new(
        &alphabet::STANDARD,
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
    );
    let text = std::str::from_utf8(text).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let body = match text.trim_start().strip_prefix("-----BEGIN ") {
        Some(rest) => rest.split_once("-----")?.1.split("-----END ").next()?,
        None => text,
    };
    let digits: Vec<u8> = body.bytes().filter(|octet| !octet.is_ascii_whitespace()).collect();
    engine.decode(digits).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_and_pem() {
        for (clause, text, expected) in [
            ("RFC 7468 3", "-----BEGIN CMS-----\r\nMAA=\r\n-----END CMS-----\r\n", Some(vec![0x30, 0])),
            ("RFC 4648 4", "MA\nA=", Some(vec![0x30, 0])),
            ("RFC 4648 3.2", "MAA", Some(vec![0x30, 0])),
            ("RFC 4648 3.3", "MA#=", None),
        ] {
            assert_eq!(base64(text.as_bytes()), expected, "{clause} {text:?}");
        }
    }

    #[test]
    fn what_is_not_read_is_said() {
        for (bytes, expected) in [
            (&b"just text"[..], Error::Unknown),
            (b"{\"payload\":1}", Error::Unsupported { syntax: Syntax::Json }),
            (b"MIIBAgMEBQYHCAkK====", Error::NotBase64),
        ] {
            let document = Document::new(bytes);
            let found = Source::open(&document).and_then(|source| source.read().map(|_| ()));
            assert_eq!(found, Err(expected), "{:?}", String::from_utf8_lossy(bytes));
        }
    }
}
