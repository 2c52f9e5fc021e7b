//! Why a snapshot is not read.

use super::super::SignatureDefect;

/// How a snapshot begins: the format and its version, the only one that is read.
pub(super) const MAGIC: &[u8] = b"lacre-trust/1\n";

/// Why a snapshot is not read.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// The file does not begin as a snapshot of this version.
    #[error("the file does not begin with {}, expected a snapshot of trusted lists", String::from_utf8_lossy(MAGIC).trim_end())]
    NotASnapshot,
    /// The file does not have the SHA-256 that it states.
    #[error("the snapshot was changed or cut off: its SHA-256 is {found}, and it states {stated}")]
    Changed { found: String, stated: String },
    /// The signature that follows the snapshot is not accepted.
    #[error("the signature of whoever packed the snapshot: {0}")]
    Signature(#[from] SignatureDefect),
    /// A part of the snapshot cannot be decoded.
    #[error("the {part} of the snapshot cannot be read")]
    Unreadable { part: &'static str },
}
