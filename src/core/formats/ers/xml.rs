//! The XML syntax: RFC 6283.
//!
//! Time-stamps are Base64 text here, so that an [`XmlRecord`] owns what a [`Record`] borrows.

use super::TooMany;
use super::record::{ArchiveTimestamp, Chain, Record, SequenceBefore};
use crate::algorithm::DigestAlgorithm;
use crate::budget::Budget;
use crate::facts::{CertificateOrigin, EvidenceRecordType, RevocationOrigin, RevocationType};
use crate::formats::cms;
use crate::formats::content::Content;
use crate::formats::draft::{EmbeddedCertificate, EmbeddedRevocation};
use crate::formats::tsp::Token;
use crate::formats::xml::transform::beginning;
use crate::formats::xml::{
    self, Canonicalization, Element, KEPT, NodeSet, Options, Tree, XmlError, canonical_bytes, html, unsigned_types,
};
use std::borrow::Cow;

/// RFC 6283 §3.1.
const ERS: &str = "urn:ietf:params:xml:ns:ers";

/// Returns whether the element is an evidence record.
pub(in crate::formats) fn is_record(element: Element<'_, '_>) -> bool {
    element.is(ERS, "EvidenceRecord")
}

/// Why bytes are not an XML evidence record.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Not XML.
    #[error("the evidence record is not XML")]
    Xml(#[source] XmlError),
    /// A part that has to be there.
    #[error("evidence record without {element}")]
    Missing {
        /// The element.
        element: &'static str,
    },
    /// Text that is not Base64.
    #[error("{element} of an evidence record is not Base64")]
    NotBase64 {
        /// The element.
        element: &'static str,
    },
    /// A time-stamp that cannot be read.
    #[error("a time-stamp of the evidence record cannot be read")]
    Timestamp(#[source] cms::Error),
    /// More than records of honest makers hold.
    #[error(transparent)]
    TooMany(#[from] TooMany),
}

/// An evidence record in XML, decoded.
#[derive(Debug, Clone)]
pub struct XmlRecord {
    bytes: Vec<u8>,
    chains: Vec<OwnedChain>,
    certificates: Vec<Vec<u8>>,
    revocations: Vec<(RevocationType, Vec<u8>)>,
}

#[derive(Debug, Clone)]
struct OwnedChain {
    digest: Option<DigestAlgorithm>,
    canonicalization: Canonicalization,
    sequence_before: Option<Vec<Vec<u8>>>,
    timestamps: Vec<OwnedTimestamp>,
}

#[derive(Debug, Clone)]
struct OwnedTimestamp {
    tree: Vec<Vec<Vec<u8>>>,
    token: Vec<u8>,
    renewal_input: Vec<u8>,
}

impl XmlRecord {
    /// Reads an evidence record; `None` where the document element is another.
    ///
    /// # Errors
    ///
    /// [`Error`] when it is an evidence record, but not a whole one, or no XML at all.
    pub fn parse(bytes: &[u8], budget: &Budget) -> Result<Option<Self>, Error> {
        Self::of(&xml::read(bytes, &Options::from(budget)).map_err(Error::Xml)?, bytes)
    }

    /// Returns the evidence record that a document, read from these bytes, is; `None` where its element is another.
    ///
    /// # Errors
    ///
    /// [`Error`] when it is not a whole one.
    pub fn of(tree: &Tree<'_>, bytes: &[u8]) -> Result<Option<Self>, Error> {
        let root = tree.document_element().filter(|root| is_record(*root));
        root.map(|root| Self::read(root, bytes)).transpose()
    }

    /// Reads the record that an element is, inside another document.
    ///
    /// # Errors
    ///
    /// [`Error`] when it is not a whole one.
    pub fn within(root: Element<'_, '_>) -> Result<Option<Self>, Error> {
        let span = root.span();
        let bytes = root.tree().source().as_bytes().get(span.start as usize..span.end as usize).unwrap_or_default();
        Some(root).filter(|root| is_record(*root)).map(|root| Self::read(root, bytes)).transpose()
    }

    fn read(root: Element<'_, '_>, bytes: &[u8]) -> Result<Self, Error> {
        let tree = root.tree();
        let sequence = child(root, "ArchiveTimeStampSequence")?;
        let mut record = Self { bytes: bytes.to_vec(), chains: vec![], certificates: vec![], revocations: vec![] };
        let chains = ordered(sequence, "ArchiveTimeStampChain");
        for (at, chain) in chains.iter().enumerate() {
            let owned = record.chain(tree, *chain, sequence, &chains[at..])?;
            record.chains.push(owned);
        }
        if record.chains.iter().any(|chain| chain.timestamps.is_empty()) || record.chains.is_empty() {
            return Err(Error::Missing { element: "ArchiveTimeStamp" });
        }
        Ok(record)
    }

    /// Reads a chain.
    ///
    /// ```xml
    /// <ArchiveTimeStampChain Order="1"><DigestMethod Algorithm=""/><CanonicalizationMethod Algorithm=""/>
    ///   <ArchiveTimeStamp Order="1">…</ArchiveTimeStamp></ArchiveTimeStampChain>
    /// ```
    fn chain(
        &mut self,
        tree: &Tree<'_>,
        chain: Element<'_, '_>,
        sequence: Element<'_, '_>,
        from_here: &[Element<'_, '_>],
    ) -> Result<OwnedChain, Error> {
        let digest = child(chain, "DigestMethod")?.attribute("Algorithm").and_then(DigestAlgorithm::from_uri);
        let method =
            child(chain, "CanonicalizationMethod")?.attribute("Algorithm").and_then(Canonicalization::from_uri);
        let canonicalization = method.ok_or(Error::Missing { element: "a known CanonicalizationMethod" })?;
        let mut timestamps = Vec::new();
        let mut count = self.chains.iter().map(|chain| chain.timestamps.len()).sum();
        for archive in ordered(chain, "ArchiveTimeStamp") {
            count += 1;
            TooMany::check(self.chains.len(), count)?;
            timestamps.push(self.timestamp(tree, archive, &canonicalization)?);
        }
        let is_renewal = !self.chains.is_empty();
        let without = is_renewal.then(|| sequence_without(tree, sequence, from_here, &canonicalization));
        let sequence_before = without.transpose()?;
        Ok(OwnedChain { digest, canonicalization, sequence_before, timestamps })
    }

    /// Reads an archive time-stamp:
    ///
    /// `<ArchiveTimeStamp><HashTree><Sequence><DigestValue/>…</HashTree><TimeStamp>…</TimeStamp></ArchiveTimeStamp>`
    fn timestamp(
        &mut self,
        tree: &Tree<'_>,
        archive: Element<'_, '_>,
        canonicalization: &Canonicalization,
    ) -> Result<OwnedTimestamp, Error> {
        let timestamp = child(archive, "TimeStamp")?;
        let token = base64(child(timestamp, "TimeStampToken")?, "TimeStampToken")?;
        let mut groups = Vec::new();
        if let Some(hash_tree) = archive.child(ERS, "HashTree") {
            for sequence in ordered(hash_tree, "Sequence") {
                let values = sequence.children().filter(|element| element.is(ERS, "DigestValue"));
                groups.push(values.map(|value| base64(value, "DigestValue")).collect::<Result<_, _>>()?);
            }
        }
        if let Some(list) = timestamp.child(ERS, "CryptographicInformationList") {
            for information in list.children().filter(|element| element.is(ERS, "CryptographicInformation")) {
                let bytes = base64(information, "CryptographicInformation")?;
                match information.attribute("Type") {
                    Some("CERT") => self.certificates.push(bytes),
                    Some("CRL") => self.revocations.push((RevocationType::Crl, bytes)),
                    Some("OCSP") => self.revocations.push((RevocationType::Ocsp, bytes)),
                    _ => {}
                }
            }
        }
        let set = NodeSet::subtree(tree, timestamp.id(), canonicalization.comments);
        let renewal_input = canonical_bytes(tree, &set, canonicalization).ok_or(TooMany { what: FORM, limit: KEPT })?;
        Ok(OwnedTimestamp { tree: groups, token, renewal_input })
    }

    /// Returns the record for verification.
    ///
    /// # Errors
    ///
    /// [`Error::Timestamp`] when one of its time-stamps cannot be read.
    pub fn record(&self) -> Result<Record<'_>, Error> {
        let mut chains = Vec::new();
        for chain in &self.chains {
            let mut timestamps = Vec::new();
            for owned in &chain.timestamps {
                timestamps.push(ArchiveTimestamp {
                    digest: chain.digest,
                    tree: owned.tree.clone(),
                    token: Token::parse(&owned.token).map_err(Error::Timestamp)?,
                    renewal_input: vec![Cow::Borrowed(&owned.renewal_input)],
                });
            }
            chains.push(Chain {
                timestamps,
                sequence_before: chain.sequence_before.as_deref().map(SequenceBefore::Xml),
                canonicalization: Some(chain.canonicalization.clone()),
            });
        }
        let origin = CertificateOrigin::EvidenceRecord;
        let certificate = |bytes| EmbeddedCertificate { origin, bytes: Cow::Borrowed(bytes) };
        let origin = RevocationOrigin::EvidenceRecord;
        let revocation = |(kind, bytes)| EmbeddedRevocation { kind, origin, bytes: Cow::Borrowed(bytes) };
        Ok(Record {
            kind: EvidenceRecordType::Xml,
            bytes: &self.bytes,
            chains,
            certificates: self.certificates.iter().map(Vec::as_slice).map(certificate).collect(),
            revocations: self
                .revocations
                .iter()
                .map(|(kind, bytes)| (*kind, bytes.as_slice()))
                .map(revocation)
                .collect(),
        })
    }
}

/// Returns an archived object that is XML in the chain's canonical form, which is digested (RFC 6283 §3.2.1). `None`:
/// it is not XML. What readers of HTML see of it otherwise is noted.
pub(super) fn canonical(content: &Content<'_>, method: &Canonicalization) -> Option<Vec<u8>> {
    let bytes = content.whole()?;
    let text = xml::decode(&bytes).ok()?;
    if !xml::is_held(&text, content.stored()) {
        content.refuse();
        return None;
    }
    let tree = xml::parse(&text, &Options::default()).ok()?;
    let set = NodeSet::subtree(&tree, tree.root(), method.comments);
    left_out(&tree, &set, method)?.into_iter().for_each(|what| content.leave_out(what));
    canonical_bytes(&tree, &set, method)
}

/// Returns what readers of a document see, and its canonical form has not. `None`: to look for it would take too much.
fn left_out(tree: &Tree<'_>, set: &NodeSet, method: &Canonicalization) -> Option<Option<String>> {
    let types = unsigned_types(tree, set, method).ok()?;
    let comment = html::shown_comments(tree).first().filter(|_| !method.comments);
    let comment = comment.map(|comment| format!("comment `{}`", beginning(tree.text(*comment))));
    let spelling = || html::misread_spelling(tree).map(str::to_owned);
    Some(comment.or_else(spelling).or_else(|| types.first().map(|stated| format!("namespace of the type {stated}"))))
}

/// What there is too much of where a time-stamp, which its renewal is over, declares namespaces again and again.
const FORM: &str = "times its bytes in the canonical form of a time-stamp";

/// What it costs to hold a byte of a canonical form until the record is verified.
const HELD: u64 = 16;
/// The bytes that may so be held of a record, beside as many as twice its own.
const ALL_HELD: usize = 32 << 20;

/// Returns the sequence with the chains before one (RFC 6283 §4.2.2). What stands between chains stays; some writers
/// took it out with them.
fn sequence_without(
    tree: &Tree<'_>,
    sequence: Element<'_, '_>,
    chains: &[Element<'_, '_>],
    method: &Canonicalization,
) -> Result<Vec<Vec<u8>>, TooMany> {
    let mut set = NodeSet::subtree(tree, sequence.id(), method.comments);
    set.drop_subtrees(tree, chains.iter().map(|chain| chain.id()));
    let mut bare = set.clone();
    bare.drop_subtrees(tree, tree.children(sequence.id()).filter(|node| tree.element(*node).is_none()));
    let mut forms = vec![];
    for set in [set, bare] {
        let form = canonical_bytes(tree, &set, method).filter(|form| tree.affords(HELD * form.len() as u64));
        let form = form.ok_or(TooMany { what: "bytes of chains before others", limit: ALL_HELD })?;
        // Mostly nothing stands between chains.
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    Ok(forms)
}

fn child<'t, 's>(parent: Element<'t, 's>, local: &'static str) -> Result<Element<'t, 's>, Error> {
    parent.child(ERS, local).ok_or(Error::Missing { element: local })
}

/// Returns the children of a name by their `Order`.
fn ordered<'t, 's>(parent: Element<'t, 's>, local: &str) -> Vec<Element<'t, 's>> {
    let mut found: Vec<Element<'t, 's>> = parent.children().filter(|element| element.is(ERS, local)).collect();
    crate::order::sort_by_key(&mut found, |element| {
        element.attribute("Order").and_then(|order| order.trim().parse::<u64>().ok())
    });
    found
}

fn base64(element: Element<'_, '_>, name: &'static str) -> Result<Vec<u8>, Error> {
    xml::base64(element.text().as_bytes()).ok_or(Error::NotBase64 { element: name })
}
