//! From a document to its draft, by what its bytes are.

use super::asic;
use super::cades;
use super::cms;
use super::cms::{after_element, is_padding};
use super::contents::Contents;
use super::digest_work::DigestWork;
use super::draft::Draft;
use super::ers;
use super::jose;
use super::pdf;
use super::polyglot;
use super::relay::Relay;
use super::tsp::{self, Token};
use super::xades;
use super::xml;
use crate::algorithm::DigestAlgorithm;
use crate::asn1;
use crate::budget::{Budget, RELATIONS};
use crate::crypto::PrefixHashes;
use crate::document::{self, Document, Syntax};
use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;

/// Why a document cannot be read at all.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The bytes are like nothing that is signed.
    #[error("the file begins with {found}; expected PDF, CMS, XML, a JSON signature or a time-stamp")]
    Unknown {
        /// The first bytes.
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
    /// A package of ISO/IEC 29500-2.
    #[error(
        "the file is an OPC package (Office Open XML, XPS), of which signatures are not read; expected a PDF, an OpenDocument or an ASiC container"
    )]
    OpcPackage,
    /// A bound of the budget was reached.
    #[error("the file goes beyond the bound {bound} of the budget, which is {limit}")]
    Budget {
        /// The field of [`Budget`], or `relations`: what tokens hold and cover, one by one.
        bound: &'static str,
        /// What it is.
        limit: u64,
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
    /// CMS with more in it than that of honest makers.
    #[error("the CMS is not read")]
    OverfullCms(#[source] cms::Error),
    /// An evidence record with more in it than those of honest makers.
    #[error("the evidence record is not read")]
    EvidenceRecord(#[source] ers::TooMany),
    /// A PDF that cannot be read.
    #[error("the PDF cannot be read")]
    Pdf(#[source] pdf::PdfError),
    /// XML that cannot be read.
    #[error("the XML cannot be read")]
    Xml(#[source] ers::XmlError),
    /// A signed XML document that cannot be read.
    #[error("the XML cannot be read")]
    Signed(#[source] xml::XmlError),
    /// An XML signature that is not of the form that XMLDSig and XAdES give it.
    #[error("the XML signature is not of the form of one")]
    Form(#[source] xml::structure::FormError),
    /// A container that cannot be read, or that could be read in several ways.
    #[error("the container cannot be read")]
    Container(#[source] asic::Error),
    /// A JSON signature that cannot be read.
    #[error("the JSON signature cannot be read")]
    Jose(#[source] jose::JoseError),
}

impl Error {
    /// Returns the field of [`Budget`] that was exceeded, if that is the reason.
    pub fn bound(&self) -> Option<&'static str> {
        match self {
            Self::Budget { bound, .. } => Some(bound),
            Self::OverfullCms(_) => Some("relations"),
            Self::Pdf(error) => error.bound(),
            Self::Xml(ers::XmlError::Xml(error)) | Self::Signed(error) => error.bound(),
            Self::Container(error) => error.bound(),
            Self::Jose(error) => error.bound(),
            _ => None,
        }
    }

    /// Returns the reason why CMS was not read.
    fn of_cms(error: cms::Error) -> Self {
        match error {
            cms::Error::TooMany { .. } => Self::OverfullCms(error),
            _ => Self::Cms(error),
        }
    }

    /// Tells whether it is an evidence record with more in it than those of honest makers.
    pub(crate) fn is_overfull_record(&self) -> bool {
        matches!(self, Self::EvidenceRecord(_) | Self::Xml(ers::XmlError::TooMany(_)))
    }

    /// Tells whether the document is encrypted and the given password, or the empty one, does not open it.
    pub fn needs_password(&self) -> bool {
        matches!(self, Self::Pdf(pdf::PdfError::WrongPassword))
    }
}

/// A document and what has to be unpacked before it can be read where it lies.
#[derive(Debug)]
pub struct Source<'d> {
    document: &'d Document<'d>,
    syntax: Syntax,
    prefixes: PrefixHashes<'d>,
    unpacked: Box<dyn Unpacked + 'd>,
    budget: Budget,
    work: Rc<DigestWork>,
}

/// A document's content, unpacked so that what is read from it can borrow.
///
/// NOTE: a trait and no enum, so that a format which [`Source::open`] never unpacks is not linked.
trait Unpacked {
    fn draft<'s>(&'s self, source: &'s Source<'_>, contents: &Contents<'_>) -> Result<Draft<'s>, Error>;
}

impl fmt::Debug for dyn Unpacked + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Unpacked")
    }
}

impl<'d> Source<'d> {
    /// Recognises the document's syntax and unpacks it where it has to be. This is the table of formats, and the only place
    /// that knows which of them the features of this build leave out.
    ///
    /// # Errors
    ///
    /// Where the document cannot be read, or goes beyond the budget.
    pub fn open(document: &'d Document<'d>, budget: &Budget) -> Result<Self, Error> {
        Self::open_with(document, budget, None)
    }

    /// Opens it as [`open`](Self::open) does; independent pieces of work are run on the threads of `relay`.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_with(document: &'d Document<'d>, budget: &Budget, relay: Option<&'d Relay<'d>>) -> Result<Self, Error> {
        let syntax = document.syntax().ok_or_else(|| Error::Unknown { found: document.preview() })?;
        let bytes = document.bytes();
        let beside = document.contents().iter().map(|content| content.bytes.len() as u64);
        let work = Rc::new(DigestWork::of(budget, beside.fold(bytes.len() as u64, u64::saturating_add)));
        let unpacked: Box<dyn Unpacked + 'd> = match syntax {
            Syntax::Asn1 => Box::new(Asn1(Cow::Borrowed(bytes))),
            Syntax::Base64Asn1 => Box::new(Asn1(Cow::Owned(document::base64(bytes).ok_or(Error::NotBase64)?))),
            Syntax::Pdf if cfg!(feature = "pdf") => {
                let mut read = pdf::Unpacked::read(bytes, document.password(), budget).map_err(Error::Pdf)?;
                if document.compares_pages() {
                    pdf::picture::compare(&mut read, bytes, document.password(), budget);
                }
                Box::new(read)
            }
            Syntax::Xml if cfg!(feature = "xml") => {
                let tree = xml::read(bytes, &xml::Options::from(budget)).map_err(Error::Signed)?;
                match xades::Unpacked::of(tree) {
                    xades::Root::Signed(signed) => {
                        xml::structure::check(signed.tree()).map_err(Error::Form)?;
                        Box::new(signed)
                    }
                    xades::Root::Other(tree) => Box::new(ers::XmlRecord::of(&tree, bytes).map_err(Error::Xml)?),
                }
            }
            Syntax::Zip if cfg!(feature = "asic") => {
                match asic::Unpacked::read_with(bytes, document.name(), budget, &work, relay) {
                    Err(asic::Error::NotContainer) => Box::new(None::<asic::Unpacked<'d>>),
                    Err(asic::Error::OpcPackage) => return Err(Error::OpcPackage),
                    read => Box::new(Some(read.map_err(Error::Container)?)),
                }
            }
            Syntax::Json | Syntax::CompactJws if cfg!(feature = "jose") => {
                let compact = syntax == Syntax::CompactJws;
                Box::new(jose::Unpacked::read(bytes, compact, budget).map_err(Error::Jose)?)
            }
            Syntax::Pdf | Syntax::Xml | Syntax::Zip | Syntax::Json | Syntax::CompactJws => {
                return Err(Error::LeftOut { syntax });
            }
        };
        Ok(Self { document, syntax, prefixes: PrefixHashes::new(bytes), unpacked, budget: budget.clone(), work })
    }

    /// Returns the document's syntax.
    pub fn syntax(&self) -> Syntax {
        self.syntax
    }

    /// Returns the SHA-256 of the document. What [`read`](Self::read) digested of it is not digested again.
    pub fn sha256(&self) -> Vec<u8> {
        self.prefixes.digest(DigestAlgorithm::Sha256).expect("SHA-256 is computed")
    }

    /// Reads the document, and reports which of the contents beside it are not signed.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, or goes beyond the budget.
    pub fn read(&self) -> Result<Draft<'_>, Error> {
        let contents = Contents::within(self.document, &self.work);
        let mut draft = self.unpacked.draft(self, &contents)?;
        if draft.tokens() > self.budget.tokens {
            return Err(Error::Budget { bound: "tokens", limit: self.budget.tokens as u64 });
        }
        if draft.relations > RELATIONS {
            return Err(Error::Budget { bound: "relations", limit: RELATIONS as u64 });
        }
        let unsigned = contents.unreferenced(&draft);
        // What was not digested would be said to be another.
        if self.work.is_exceeded() {
            return Err(Error::Budget { bound: "digested_bytes", limit: self.budget.digested_bytes });
        }
        draft.irregularities.extend(unsigned);
        draft.irregularities.extend(polyglot::types(self.syntax, self.document.bytes()));
        Ok(draft)
    }
}

/// BER or DER, which is read where it lies: a time-stamp, an evidence record, CMS.
#[derive(Debug)]
struct Asn1<'d>(Cow<'d, [u8]>);

impl Unpacked for Asn1<'_> {
    fn draft<'s>(&'s self, source: &'s Source<'_>, contents: &Contents<'_>) -> Result<Draft<'s>, Error> {
        let nesting = source.budget.nesting;
        if nesting < asn1::MAX_NESTING && asn1::is_deeper_than(&self.0, nesting) {
            return Err(Error::Budget { bound: "nesting", limit: nesting as u64 });
        }
        let mut draft = match Token::parse(&self.0) {
            Ok(token) => tsp::standalone(&token, contents),
            Err(_) => match ers::parse(&self.0) {
                Ok(record) => ers::standalone(&record, contents),
                Err(ers::Error::TooMany(bound)) => return Err(Error::EvidenceRecord(bound)),
                Err(_) => cades::read(&self.0, contents, &source.budget).map_err(Error::of_cms)?,
            },
        };
        let armor = match source.syntax {
            Syntax::Base64Asn1 => document::around_armor(source.document.bytes()),
            _ => (&[][..], &[][..]),
        };
        for (bytes, place) in [
            (after_element(&self.0), "after the ContentInfo"),
            (armor.0, "before the PEM lines"),
            (armor.1, "after the PEM lines"),
        ] {
            if !is_padding(bytes) {
                draft.uncovered(format!("{} bytes {place}", bytes.len()));
            }
        }
        Ok(draft)
    }
}

impl Unpacked for pdf::Unpacked {
    fn draft<'s>(&'s self, source: &'s Source<'_>, _: &Contents<'_>) -> Result<Draft<'s>, Error> {
        Ok(pdf::draft(self, source.document.name(), &source.prefixes, &source.budget, &source.work))
    }
}

impl Unpacked for xades::Unpacked<'_> {
    fn draft<'s>(&'s self, _: &'s Source<'_>, contents: &Contents<'_>) -> Result<Draft<'s>, Error> {
        Ok(self.draft(contents))
    }
}

impl Unpacked for ers::XmlRecord {
    fn draft<'s>(&'s self, _: &'s Source<'_>, contents: &Contents<'_>) -> Result<Draft<'s>, Error> {
        Ok(ers::standalone(&self.record().map_err(Error::Xml)?, contents))
    }
}

impl Unpacked for asic::Unpacked<'_> {
    fn draft<'s>(&'s self, _: &'s Source<'_>, _: &Contents<'_>) -> Result<Draft<'s>, Error> {
        self.draft().map_err(Error::Container)
    }
}

impl Unpacked for jose::Unpacked<'_> {
    fn draft<'s>(&'s self, source: &'s Source<'_>, contents: &Contents<'_>) -> Result<Draft<'s>, Error> {
        let limit = source.budget.payload_bytes;
        self.draft(contents, &source.budget).ok_or(Error::Budget { bound: "payload_bytes", limit })
    }
}

/// `None`: the syntax is as it should be, but in it is nothing that is signed.
impl<U: Unpacked> Unpacked for Option<U> {
    fn draft<'s>(&'s self, source: &'s Source<'_>, contents: &Contents<'_>) -> Result<Draft<'s>, Error> {
        self.as_ref().ok_or(Error::Unsupported { syntax: source.syntax })?.draft(source, contents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Irregularity;

    #[test]
    fn what_is_not_read_is_said() {
        for (bytes, expected) in [
            (&b"just text"[..], Error::Unknown { found: "`just text`".into() }),
            (b"{\"payload\":1}", Error::Unsupported { syntax: Syntax::Json }),
            (b"MIIBAgMEBQYHCAkK====", Error::NotBase64),
        ] {
            let document = Document::new(bytes);
            let found = Source::open(&document, &Budget::default()).and_then(|source| source.read().map(|_| ()));
            assert_eq!(found, Err(expected), "{:?}", String::from_utf8_lossy(bytes));
        }
    }

    /// EN 319 102-1 §5.2.7.4: a file that comes with a signature is taken for what is signed.
    #[test]
    fn contents_that_nobody_signed_are_said() {
        let header = "eyJhbGciOiJFUzI1NiJ9"; // {"alg":"ES256"}
        let attached = format!("{header}.b25l.AQID");
        let detached = format!("{header}..AQID");
        let value = crate::crypto::digest(DigestAlgorithm::Sha256, b"one").expect("SHA-256");
        let value = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, value);
        let xml = |uri: &str| {
            format!(
                "<Signature xmlns='http://www.w3.org/2000/09/xmldsig#'><SignedInfo><CanonicalizationMethod \
                 Algorithm='http://www.w3.org/2001/10/xml-exc-c14n#'/><SignatureMethod Algorithm='m'/><Reference {uri}>\
                 <DigestMethod Algorithm='http://www.w3.org/2001/04/xmlenc#sha256'/><DigestValue>{value}</DigestValue>\
                 </Reference></SignedInfo><SignatureValue>AAAA</SignatureValue></Signature>"
            )
        };
        let (named, unnamed) = (xml("URI='a'"), xml(""));
        let (one, two): (&[u8], &[u8]) = (b"one", b"two");
        let rows: [(&str, &str, &str, &[(&str, &[u8])], &[&str]); 12] = [
            ("RFC 7515 7.1", "none beside an own one", &attached, &[], &[]),
            ("RFC 7515 7.1", "another beside an own one", &attached, &[("a", two)], &["a"]),
            ("RFC 7515 7.1", "the same beside an own one", &attached, &[("a", one)], &[]),
            ("RFC 7515 F", "the only one, whatever it is", &detached, &[("a", two)], &[]),
            ("RFC 7515 F", "two, of which one would be meant", &detached, &[("a", one), ("b", two)], &["a", "b"]),
            ("XMLDSig 4.4.3.1", "the one that is named", &named, &[("a", one)], &[]),
            ("XMLDSig 4.4.3.1", "the one that is named, changed", &named, &[("a", two)], &[]),
            ("XMLDSig 4.4.3.1", "another beside it", &named, &[("a", one), ("b", two)], &["b"]),
            ("XMLDSig 4.4.3.1", "the same under two names", &named, &[("a", one), ("b", one)], &[]),
            ("XMLDSig 4.4.3.1", "two of one name", &named, &[("a", one), ("a", two)], &["a"]),
            ("XMLDSig 4.4.3.1", "the name is another's", &named, &[("a", two), ("b", one)], &["a"]),
            ("XMLDSig 4.4.3.1", "no name: the one that has the digest", &unnamed, &[("a", two), ("b", one)], &["a"]),
        ];
        for (clause, situation, file, contents, expected) in rows {
            let mut document = Document::new(file.as_bytes());
            for (name, bytes) in contents {
                document = document.with_content(*name, bytes);
            }
            let source = Source::open(&document, &Budget::default()).expect(situation);
            let draft = source.read().expect(situation);
            let about = |one: &Irregularity| one.subject.as_deref().map(str::to_owned);
            let found: Vec<String> = draft.irregularities.iter().filter_map(about).collect();
            assert_eq!(found, expected, "{clause} {situation}");
        }
    }

    #[test]
    fn bytes_around_are_said() {
        for (clause, bytes, rest) in [
            ("RFC 5652 3", &b"\x30\x00"[..], &b""[..]),
            ("RFC 5652 3", b"\x30\x00%PDF-", b"%PDF-"),
            ("X.690 8.1.3.6", b"\x30\x80\0\0more", b"more"),
            ("X.690 8.1.2", b"", b""),
        ] {
            assert_eq!(after_element(bytes), rest, "{clause}");
        }
        for (bytes, expected) in [(&b"\r\n \0"[..], true), (b"", true), (b"\nx", false)] {
            assert_eq!(is_padding(bytes), expected, "{bytes:?}");
        }
    }
}
