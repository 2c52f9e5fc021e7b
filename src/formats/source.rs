//! From a document to its draft, by what its octets are.

use super::asic;
use super::cms;
use super::contents::Contents;
use super::draft::Draft;
use super::ers;
use super::jose;
use super::pdf;
use super::tsp::{self, Token};
use super::xades;
use super::xml;
use crate::algorithm::DigestAlgorithm;
use crate::budget::Budget;
use crate::crypto::Beginnings;
use crate::document::{self, Document, Syntax};
use std::borrow::Cow;

/// Why a document cannot be read at all.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The octets are like nothing that is signed.
    #[error("the file begins with {found}; expected PDF, CMS, XML, a JSON signature or a time-stamp")]
    Unknown {
        /// The first octets.
        found: String,
    },
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
    #[error("the file is ASN.1, but neither CMS nor a time-stamp nor an evidence record")]
    Cms(#[source] cms::Error),
    /// A PDF that cannot be read.
    #[error("the PDF cannot be read")]
    Pdf(#[source] pdf::PdfError),
    /// XML that cannot be read.
    #[error("the XML cannot be read")]
    Xml(#[source] ers::XmlError),
    /// A signed XML document that cannot be read.
    #[error("the XML cannot be read")]
    Signed(#[source] xml::XmlError),
    /// A container that cannot be read, or that could be read in several ways.
    #[error("the container cannot be read")]
    Container(#[source] asic::Error),
    /// A JSON signature that cannot be read.
    #[error("the JSON signature cannot be read")]
    Jose(#[source] jose::JoseError),
}

/// A document and what has to be unpacked before it can be read where it lies.
#[derive(Debug)]
pub struct Source<'d> {
    document: &'d Document<'d>,
    syntax: Syntax,
    beginnings: Beginnings<'d>,
    unpacked: Unpacked<'d>,
}

/// What a document holds, by its syntax.
#[derive(Debug)]
enum Unpacked<'d> {
    /// BER or DER, which is read where it lies.
    Asn1(Cow<'d, [u8]>),
    Pdf(Box<pdf::Unpacked>),
    EvidenceRecord(ers::XmlRecord),
    Xml(Box<xades::Unpacked>),
    Container(asic::Unpacked<'d>),
    Json(jose::Unpacked<'d>),
    /// Nothing that is supported.
    Nothing,
}

impl<'d> Source<'d> {
    /// Tells what the document is and unpacks it where it has to be.
    pub fn open(document: &'d Document<'d>) -> Result<Self, Error> {
        let syntax = document.syntax().ok_or_else(|| Error::Unknown { found: document.beginning() })?;
        let (octets, budget) = (document.bytes(), Budget::default());
        let unpacked = match syntax {
            Syntax::Asn1 => Unpacked::Asn1(Cow::Borrowed(octets)),
            Syntax::Base64Asn1 => Unpacked::Asn1(Cow::Owned(document::base64(octets).ok_or(Error::NotBase64)?)),
            Syntax::Pdf => {
                let pdf = pdf::Unpacked::read(octets, document.password(), &budget).map_err(Error::Pdf)?;
                Unpacked::Pdf(Box::new(pdf))
            }
            Syntax::Xml => match xades::Unpacked::read(octets).map_err(Error::Signed)? {
                Some(signed) => Unpacked::Xml(Box::new(signed)),
                None => {
                    let record = ers::XmlRecord::parse(octets).map_err(Error::Xml)?;
                    record.map_or(Unpacked::Nothing, Unpacked::EvidenceRecord)
                }
            },
            Syntax::Zip => match asic::Unpacked::read(octets, document.name(), &budget) {
                Err(asic::Error::NotContainer) => Unpacked::Nothing,
                read => Unpacked::Container(read.map_err(Error::Container)?),
            },
            Syntax::Json | Syntax::CompactJws => {
                let compact = syntax == Syntax::CompactJws;
                let signed = jose::Unpacked::read(octets, compact, &budget).map_err(Error::Jose)?;
                signed.map_or(Unpacked::Nothing, Unpacked::Json)
            }
        };
        Ok(Self { document, syntax, beginnings: Beginnings::new(octets), unpacked })
    }

    /// What the document is.
    pub fn syntax(&self) -> Syntax {
        self.syntax
    }

    /// The SHA-256 of the document. What [`read`](Self::read) digested of it is not digested again.
    pub fn sha256(&self) -> Vec<u8> {
        let made = || self.beginnings.digest(DigestAlgorithm::Sha256).expect("SHA-256 is computed");
        self.document.sha256().map_or_else(made, Into::into)
    }

    /// Reads it.
    pub fn read(&self) -> Result<Draft<'_>, Error> {
        match &self.unpacked {
            Unpacked::Asn1(octets) => self.asn1(octets),
            Unpacked::Pdf(unpacked) => Ok(pdf::draft(unpacked, self.document.name(), &self.beginnings)),
            Unpacked::EvidenceRecord(record) => {
                Ok(ers::standalone(&record.record().map_err(Error::Xml)?, self.document))
            }
            Unpacked::Xml(unpacked) => Ok(unpacked.draft(&Contents::of(self.document))),
            Unpacked::Container(unpacked) => unpacked.draft().map_err(Error::Container),
            Unpacked::Json(unpacked) => Ok(unpacked.draft(&Contents::of(self.document))),
            Unpacked::Nothing => Err(Error::Unsupported { syntax: self.syntax }),
        }
    }

    fn asn1<'s>(&'s self, octets: &'s [u8]) -> Result<Draft<'s>, Error> {
        match Token::parse(octets) {
            Ok(token) => Ok(tsp::standalone(&token, self.document)),
            Err(_) => match ers::parse(octets) {
                Ok(record) => Ok(ers::standalone(&record, self.document)),
                Err(_) => cms::read(octets, self.document).map_err(Error::Cms),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_read_is_said() {
        for (bytes, expected) in [
            (&b"just text"[..], Error::Unknown { found: "`just text`".into() }),
            (b"{\"payload\":1}", Error::Unsupported { syntax: Syntax::Json }),
            (b"MIIBAgMEBQYHCAkK====", Error::NotBase64),
        ] {
            let document = Document::new(bytes);
            let found = Source::open(&document).and_then(|source| source.read().map(|_| ()));
            assert_eq!(found, Err(expected), "{:?}", String::from_utf8_lossy(bytes));
        }
    }
}
