//! Irregularities of a file or token for which there is no field of its own.
//!
//! EU DSS's diagnostic data have no place for these facts, and its policies no rule. Each kind has a rule of the same
//! name; a policy without that rule does not check it.

use super::*;

string_enum! {
    /// A kind of irregularity.
    pub enum IrregularityKind {
        /// Bytes before, between or after the parts of the format, covered by no signature.
        UncoveredOctets = "UncoveredOctets",
        /// The bytes open as a file of another type elsewhere.
        SecondFileType = "SecondFileType",
        /// Two entries of a ZIP file are one file once extracted, or one entry has two names.
        AmbiguousFileNames = "AmbiguousFileNames",
        /// The name of an entry can be taken for another's.
        ConfusableFileNames = "ConfusableFileNames",
        /// An entry that the standard does not foresee at its place (EN 319 162-1 annex A).
        UnexpectedContainerEntry = "UnexpectedContainerEntry",
        /// The list of a package's files (`META-INF/manifest.xml`) names other files than there are, or another type.
        PackageManifestMismatch = "PackageManifestMismatch",
        /// A PDF among the contents of a container is encrypted (ISO 32000-1 §7.6).
        EncryptedContent = "EncryptedContent",
        /// Something in the place of a signature that cannot be read as one.
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
        /// The signer's certificate has an empty subject (RFC 5280 §4.1.2.6).
        UnnamedSigner = "UnnamedSigner",
        /// A name of the signer is made to look like another: by a word of several scripts, or by invisible characters.
        DeceptiveName = "DeceptiveName",
        /// The certificate of a time-stamping authority has other purposes than time-stamping (RFC 3161 §2.3).
        TimestampingPurpose = "TimestampingPurpose",
        /// A time-stamp whose stated accuracy is worse than a minute (RFC 3161 §2.4.2, EN 319 421 §7.7.2).
        CoarseTime = "CoarseTime",
        /// Time-stamps of an evidence record that are out of order, or mix digest functions (RFC 4998 §5).
        EvidenceRecordOrder = "EvidenceRecordOrder",
    }
}

/// An irregularity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Irregularity {
    /// The kind.
    pub kind: IrregularityKind,
    /// The file, field, object or parameter concerned, with the values found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<Arc<str>>,
}

impl Irregularity {
    /// Returns an irregularity of this kind that concerns `subject`.
    pub fn about(kind: IrregularityKind, subject: impl Into<Arc<str>>) -> Self {
        Self { kind, subject: Some(subject.into()) }
    }
}

impl From<IrregularityKind> for Irregularity {
    fn from(kind: IrregularityKind) -> Self {
        Self { kind, subject: None }
    }
}
