//! From a document to its draft, by what its octets are.

use super::asic;
use super::cms;
use super::contents::Contents;
use super::draft::Draft;
use super::ers;
use super::pdf;
use super::tsp::{self, Token};
use super::xades;
use super::xml;
use crate::budget::Budget;
use crate::document::{self, Document, Syntax};

/// Why a document cannot be read at all.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The octets are like nothing that is signed.
    #[error("the file begins with {found}; expected PDF, CMS, XML or a time-stamp")]
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
}

/// A document and what has to be unpacked before it can be read where it lies.
#[derive(Debug)]
pub struct Source<'d> {
    document: &'d Document<'d>,
    syntax: Syntax,
    decoded: Option<Vec<u8>>,
    pdf: Option<pdf::Unpacked>,
    evidence_record: Option<ers::XmlRecord>,
    xades: Option<xades::Unpacked>,
    asic: Option<asic::Unpacked<'d>>,
}

impl<'d> Source<'d> {
    /// Tells what the document is and unpacks it where it has to be.
    pub fn open(document: &'d Document<'d>) -> Result<Self, Error> {
        let syntax = document.syntax().ok_or_else(|| Error::Unknown { found: document.beginning() })?;
        let decoded = match syntax {
            Syntax::Base64Asn1 => Some(document::base64(document.bytes()).ok_or(Error::NotBase64)?),
            _ => None,
        };
        let pdf = match syntax {
            Syntax::Pdf => Some(pdf::Unpacked::read(document.bytes(), document.password(), &Budget::default())),
            _ => None,
        };
        let evidence_record = match syntax {
            Syntax::Xml => ers::XmlRecord::parse(document.bytes()).map_err(Error::Xml)?,
            _ => None,
        };
        let xades = match (syntax, &evidence_record) {
            (Syntax::Xml, None) => xades::Unpacked::read(document.bytes()).map_err(Error::Signed)?,
            _ => None,
        };
        let pdf = pdf.transpose().map_err(Error::Pdf)?;
        let asic = match syntax {
            Syntax::Zip => match asic::Unpacked::read(document.bytes(), &Budget::default()) {
                Err(asic::Error::NotContainer) => None,
                read => Some(read.map_err(Error::Container)?),
            },
            _ => None,
        };
        Ok(Self { document, syntax, decoded, pdf, evidence_record, xades, asic })
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
            syntax => match (&self.pdf, &self.evidence_record) {
                (Some(unpacked), _) => Ok(pdf::draft(unpacked, self.document)),
                (_, Some(record)) => Ok(ers::standalone(&record.record().map_err(Error::Xml)?, self.document)),
                _ => match (&self.xades, &self.asic) {
                    (Some(unpacked), _) => Ok(unpacked.draft(&Contents::of(self.document))),
                    (_, Some(unpacked)) => unpacked.draft().map_err(Error::Container),
                    _ => Err(Error::Unsupported { syntax }),
                },
            },
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
