//! What is irregular about a file or token, beyond what a field of its own records.
//!
//! EU DSS's diagnostic data have no place for these facts, and its policies no rule. Each kind has the rule of the
//! same name; a policy without that rule does not look at it.

use super::*;

words! {
    /// A kind of irregularity.
    pub enum IrregularityKind {
        /// Octets before, between or after the parts of the format, covered by no signature.
        UncoveredOctets = "UncoveredOctets",
        /// The octets open as a file of another type elsewhere.
        SecondFileType = "SecondFileType",
        /// Two entries of a ZIP file are one file once extracted, or one entry has two names.
        AmbiguousFileNames = "AmbiguousFileNames",
        /// The name of an entry can be taken for another's.
        ConfusableFileNames = "ConfusableFileNames",
        /// An entry that the standard does not foresee at its place (EN 319 162-1 annex A).
        UnexpectedContainerEntry = "UnexpectedContainerEntry",
        /// Something that stands where a signature stands, and cannot be read as one.
        UnreadableSignature = "UnreadableSignature",
        /// A content that the caller supplied and no reference covers.
        UnreferencedContent = "UnreferencedContent",
        /// The signature covers something else than the file of its container.
        OtherSignedFile = "OtherSignedFile",
        /// Transforms leave parts of the content unsigned (XMLDSig §8.1.1).
        PartlySignedContent = "PartlySignedContent",
        /// The references cover nothing at all.
        EmptySignedContent = "EmptySignedContent",
        /// An object inside the signature that no reference covers.
        UnsignedObject = "UnsignedObject",
        /// Several contents are signed as one, without the boundaries between them.
        JoinedContents = "JoinedContents",
        /// The content is not of the type that the signature states.
        ContentTypeMismatch = "ContentTypeMismatch",
        /// Identifiers of the signer that name different certificates.
        SignerIdentifierMismatch = "SignerIdentifierMismatch",
        /// A header or attribute that breaks the syntax without changing what is signed.
        MalformedHeader = "MalformedHeader",
        /// A requirement of the format is broken in a way that decides what is signed or who signed.
        FormatViolation = "FormatViolation",
        /// A page whose picture could not be compared with that of the signed revision.
        PageNotCompared = "PageNotCompared",
        /// A bound on work was reached, and something was left out.
        BudgetExceeded = "BudgetExceeded",
        /// The signer's certificate is one of a certification authority (EN 319 411-1 §6.5.1).
        CaSigner = "CaSigner",
        /// The signer's certificate names nobody (RFC 5280 §4.1.2.6).
        UnnamedSigner = "UnnamedSigner",
        /// A name of the signer is made to be taken for another: a word of several scripts, or what nobody sees.
        DeceptiveName = "DeceptiveName",
        /// The certificate of a time-stamping authority has other purposes than time-stamping (RFC 3161 §2.3).
        TimestampingPurpose = "TimestampingPurpose",
        /// A time-stamp that says itself how far off its time may be (RFC 3161 §2.4.2, EN 319 421 §7.7.2).
        CoarseTime = "CoarseTime",
        /// Time-stamps of an evidence record that are out of order, or mix digest functions (RFC 4998 §5).
        EvidenceRecordOrder = "EvidenceRecordOrder",
    }
}

/// An irregularity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Irregularity {
    /// What kind it is.
    pub kind: IrregularityKind,
    /// What it is about: the name of a file, field, object or parameter, with the values found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<Arc<str>>,
}

impl Irregularity {
    /// One of that kind about `subject`.
    pub fn about(kind: IrregularityKind, subject: impl Into<Arc<str>>) -> Self {
        Self { kind, subject: Some(subject.into()) }
    }
}

impl From<IrregularityKind> for Irregularity {
    fn from(kind: IrregularityKind) -> Self {
        Self { kind, subject: None }
    }
}
