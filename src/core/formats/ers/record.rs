use crate::algorithm::DigestAlgorithm;
use crate::facts::EvidenceRecordType;
use crate::formats::draft::{EmbeddedCertificate, EmbeddedRevocation};
use crate::formats::tsp::Token;
use crate::formats::xml::Canonicalization;

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

/// A chain of archive time-stamps, each renewing the one before it (RFC 4998 §5).
#[derive(Debug, Clone)]
pub struct Chain<'a> {
    /// The archive time-stamps, oldest first.
    pub timestamps: Vec<ArchiveTimestamp<'a>>,
    /// What a hash-tree renewal digests: all chains before this one, as the syntax has it. Empty in the first.
    pub sequence_before: Vec<Vec<u8>>,
    /// XML: how what is digested is canonicalised.
    pub canonicalization: Option<Canonicalization>,
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
    pub renewal_input: Vec<Vec<u8>>,
}
