//! Why an update cannot be written.

use crate::formats::pdf::PdfError;

/// Why an update cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The file cannot be read, or reading it reached a limit.
    #[error(transparent)]
    Unreadable(#[from] PdfError),
    /// Cross-references or objects are not where they should be: readers find them in ways of their own.
    #[error("found {found}, expected a file that can be read without repair")]
    NeedsRepair {
        /// What is broken.
        found: String,
    },
    /// Something precedes the header, from which offsets may count or not.
    #[error("found {count} bytes before `%PDF-`, expected none")]
    LeadingBytes {
        /// How many bytes.
        count: usize,
    },
    /// Something follows the end of the file.
    #[error("found {count} bytes after `%%EOF` at byte {at}, expected at most some white space")]
    TrailingData {
        /// The byte after the end.
        at: usize,
        /// How many bytes.
        count: usize,
    },
    /// The form is a dynamic XFA form, which viewers lay out themselves.
    #[error("found a dynamic XFA form, expected a form of fields or none")]
    DynamicXfa,
    /// The file is protected by an authentication code, which an update would break: ISO/TS 32004.
    #[error("found a document with a message authentication code (ISO/TS 32004), which is not written")]
    AuthenticationCode,
    /// A hybrid file (ISO 32000-1 §7.5.8.4) whose pages or fields are others to readers that know no cross-reference streams.
    #[error("found a hybrid file in which object {object} is another to readers of cross-reference tables alone")]
    TwoDocuments {
        /// The number of the object.
        object: u32,
    },
    /// A hybrid file, which the caller does not accept.
    #[error("found a file with cross-reference tables and streams side by side, which is not accepted")]
    Hybrid,
    /// An object is not of the type that the standard has for it.
    #[error("found {found}, expected {expected}")]
    Unusual {
        /// What was found.
        found: String,
        /// What the standard has there.
        expected: &'static str,
    },
    /// Object numbers or offsets are too large for readers.
    #[error("found {found}, expected at most {limit}")]
    TooLarge {
        /// What is too large.
        found: String,
        /// The limit.
        limit: u64,
    },
    /// What is to stand in `/Contents` is longer than the bytes reserved for it.
    #[error("found {needed} bytes for /Contents, expected at most the {reserved} reserved ones")]
    ContentsTooSmall {
        /// How many bytes are needed.
        needed: usize,
        /// How many are reserved.
        reserved: usize,
    },
}

impl WriteError {
    /// Makes the error that something has to be repaired.
    pub(super) fn repair(found: impl Into<String>) -> Self {
        Self::NeedsRepair { found: found.into() }
    }
}
