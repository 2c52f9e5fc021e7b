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
use std::fmt;

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
    /// A format that this build was made without.
    #[error("the file is {syntax}, which this build of lacre does not read")]
    LeftOut {
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
    unpacked: Box<dyn Unpacked + 'd>,
}

/// A document's content, unpacked so that what is read from it can borrow.
///
/// NOTE: a trait and no enum, so that a format which [`Source::open`] never unpacks is not linked.
trait Unpacked: fmt::Debug {
    fn draft<'s>(&'s self, source: &'s Source<'_>) -> Result<Draft<'s>, Error>;
}

impl<'d> Source<'d> {
    /// Tells what the document is and unpacks it where it has to be. This is the table of formats, and the only place
    /// that knows which of them the features of this build leave out.
    pub fn open(document: &'d Document<'d>) -> Result<Self, Error> {
        let syntax = document.syntax().ok_or_else(|| Error::Unknown { found: document.beginning() })?;
        let (octets, budget) = (document.bytes(), Budget::default());
        let unpacked: Box<dyn Unpacked + 'd> = match syntax {
            Syntax::Asn1 => Box::new(Asn1(Cow::Borrowed(octets))),
            Syntax::Base64Asn1 => Box::new(Asn1(Cow::Owned(document::base64(octets).ok_or(Error::NotBase64)?))),
            Syntax::Pdf if cfg!(feature = "pdf") => {
                let mut read = pdf::Unpacked::read(octets, document.password(), &budget).map_err(Error::Pdf)?;
                if document.compares_pages() {
                    pdf::picture::compare(&mut read, octets, document.password(), &budget);
                }
                Box::new(read)
            }
            Syntax::Xml if cfg!(feature = "xml") => {
                let tree = xml::read(octets, &xml::Options::default()).map_err(Error::Signed)?;
                match xades::Unpacked::of(tree) {
                    Ok(signed) => Box::new(signed),
                    Err(tree) => Box::new(ers::XmlRecord::of(&tree, octets).map_err(Error::Xml)?),
                }
            }
            Syntax::Zip if cfg!(feature = "asic") => {
                match asic::Unpacked::read_with(octets, document.name(), &budget, document.hands()) {
                    Err(asic::Error::NotContainer) => Box::new(None::<asic::Unpacked<'d>>),
                    read => Box::new(Some(read.map_err(Error::Container)?)),
                }
            }
            Syntax::Json | Syntax::CompactJws if cfg!(feature = "jose") => {
                let compact = syntax == Syntax::CompactJws;
                Box::new(jose::Unpacked::read(octets, compact, &budget).map_err(Error::Jose)?)
            }
            Syntax::Pdf | Syntax::Xml | Syntax::Zip | Syntax::Json | Syntax::CompactJws => {
                return Err(Error::LeftOut { syntax });
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
        self.unpacked.draft(self)
    }
}

/// BER or DER, which is read where it lies: a time-stamp, an evidence record, CMS.
#[derive(Debug)]
struct Asn1<'d>(Cow<'d, [u8]>);

impl Unpacked for Asn1<'_> {
    fn draft<'s>(&'s self, source: &'s Source<'_>) -> Result<Draft<'s>, Error> {
        match Token::parse(&self.0) {
            Ok(token) => Ok(tsp::standalone(&token, source.document)),
            Err(_) => match ers::parse(&self.0) {
                Ok(record) => Ok(ers::standalone(&record, source.document)),
                Err(_) => cms::read(&self.0, source.document).map_err(Error::Cms),
            },
        }
    }
}

impl Unpacked for pdf::Unpacked {
    fn draft<'s>(&'s self, source: &'s Source<'_>) -> Result<Draft<'s>, Error> {
        Ok(pdf::draft(self, source.document.name(), &source.beginnings))
    }
}

impl Unpacked for xades::Unpacked<'_> {
    fn draft<'s>(&'s self, source: &'s Source<'_>) -> Result<Draft<'s>, Error> {
        Ok(self.draft(&Contents::of(source.document)))
    }
}

impl Unpacked for ers::XmlRecord {
    fn draft<'s>(&'s self, source: &'s Source<'_>) -> Result<Draft<'s>, Error> {
        Ok(ers::standalone(&self.record().map_err(Error::Xml)?, source.document))
    }
}

impl Unpacked for asic::Unpacked<'_> {
    fn draft<'s>(&'s self, _: &'s Source<'_>) -> Result<Draft<'s>, Error> {
        self.draft().map_err(Error::Container)
    }
}

impl Unpacked for jose::Unpacked<'_> {
    fn draft<'s>(&'s self, source: &'s Source<'_>) -> Result<Draft<'s>, Error> {
        Ok(self.draft(&Contents::of(source.document)))
    }
}

/// `None`: the syntax is as it should be, but in it is nothing that is signed.
impl<U: Unpacked> Unpacked for Option<U> {
    fn draft<'s>(&'s self, source: &'s Source<'_>) -> Result<Draft<'s>, Error> {
        self.as_ref().ok_or(Error::Unsupported { syntax: source.syntax })?.draft(source)
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
