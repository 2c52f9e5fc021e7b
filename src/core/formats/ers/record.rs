use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Tag, tlv, to_der};
use crate::facts::EvidenceRecordType;
use crate::formats::digest_work::DigestWork;
use crate::formats::draft::{EmbeddedCertificate, EmbeddedRevocation};
use crate::formats::tsp::Token;
use crate::formats::xml::Canonicalization;
use std::borrow::Cow;

/// An evidence record, read but not verified.
#[derive(Debug, Clone)]
pub struct Record<'a> {
    /// Its syntax.
    pub kind: EvidenceRecordType,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Its chains, oldest first. All archive time-stamps of one chain use one digest function.
    pub chains: Vec<Chain<'a>>,
    /// Certificates in `cryptoInfos` and `supportingInformation`.
    pub certificates: Vec<EmbeddedCertificate<'a>>,
    /// Revocation data there.
    pub revocations: Vec<EmbeddedRevocation<'a>>,
}

impl Record<'_> {
    /// Returns the number of hashes in its trees.
    pub(in crate::formats) fn hashes(&self) -> usize {
        self.chains.iter().flat_map(|chain| &chain.timestamps).flat_map(|one| &one.tree).map(Vec::len).sum()
    }
}

/// A chain of archive time-stamps, each renewing the one before it (RFC 4998 §5).
#[derive(Debug, Clone)]
pub struct Chain<'a> {
    /// The archive time-stamps, oldest first.
    pub timestamps: Vec<ArchiveTimestamp<'a>>,
    /// What a hash-tree renewal digests: all chains before this one; `None` in the first.
    pub sequence_before: Option<SequenceBefore<'a>>,
    /// XML: how what is digested is canonicalised.
    pub canonicalization: Option<Canonicalization>,
}

/// All chains before one (RFC 4998 §5.3, RFC 6283 §4.2.2).
#[derive(Debug, Clone)]
pub enum SequenceBefore<'a> {
    /// ASN.1: the chains, where they lie.
    Asn1(&'a [u8]),
    /// XML: their canonical forms, with what stands between them and without.
    Xml(&'a [Vec<u8>]),
}

impl SequenceBefore<'_> {
    /// Returns the digests that stand for the chains: in ASN.1 of their DER and, where that differs, of what was sent, as
    /// writers did not normalise.
    pub(super) fn digests(&self, algorithm: DigestAlgorithm, work: &DigestWork) -> Vec<Vec<u8>> {
        match self {
            Self::Asn1(chains) => {
                let sequence = tlv(Tag::SEQUENCE, chains);
                let der = work.der(&sequence);
                [Some(sequence), der].iter().flatten().filter_map(|encoding| work.digest(algorithm, encoding)).collect()
            }
            Self::Xml(forms) => forms.iter().filter_map(|form| work.digest(algorithm, form)).collect(),
        }
    }
}

/// Returns an element as sent and, where that differs, as DER.
pub(super) fn encodings(element: &[u8]) -> Vec<Cow<'_, [u8]>> {
    let der = to_der(element).ok().filter(|der| der[..] != *element);
    [Some(Cow::Borrowed(element)), der].into_iter().flatten().collect()
}

/// One archive time-stamp (RFC 4998 §4).
#[derive(Debug, Clone)]
pub struct ArchiveTimestamp<'a> {
    /// The digest function of its tree.
    pub digest: Option<DigestAlgorithm>,
    /// The reduced hash tree, from the archived objects to the root; empty where the imprint is that of the one object.
    pub tree: Vec<Vec<Vec<u8>>>,
    /// The time-stamp.
    pub token: Token<'a>,
    /// What the next archive time-stamp of the chain digests: the time-stamp, in the encodings in use.
    pub renewal_input: Vec<Cow<'a, [u8]>>,
}
