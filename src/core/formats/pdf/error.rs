//! Why a PDF could not be read.

/// Why a PDF, or a part of it, could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PdfError {
    /// There is no `%PDF-` near the start.
    #[error("no `%PDF-` in the first {searched} bytes")]
    NotPdf {
        /// How many bytes were searched.
        searched: usize,
    },
    /// Arrays and dictionaries are nested beyond the budget.
    #[error("objects nested too deeply at byte {offset}")]
    NestingTooDeep {
        /// The byte of the file.
        offset: u64,
    },
    /// The data ends where an object should start.
    #[error("an object should start at byte {offset}, where the data ends")]
    UnexpectedEnd {
        /// The byte of the file.
        offset: u64,
    },
    /// A word that starts no object.
    #[error("byte {offset} starts no object")]
    UnknownWord {
        /// The byte of the file.
        offset: u64,
    },
    /// Something else where `number generation obj` should be.
    #[error("no indirect object at byte {offset}")]
    NotAnObject {
        /// The byte of the file.
        offset: u64,
    },
    /// A cross-reference section that is neither table nor stream.
    #[error("no cross-reference section at byte {offset}")]
    NotACrossReference {
        /// The byte of the file.
        offset: u64,
    },
    /// Neither the cross-references nor a search lead to a catalog.
    #[error("no document catalog found, neither by cross-references nor by search")]
    NoCatalog,
    /// More bytes were read, again and again, than the limit allows.
    #[error("reading the objects takes more than {limit} bytes of work")]
    TooMuchWork {
        /// The limit.
        limit: u64,
    },
    /// Names and other texts are repeated more often than the limit allows.
    #[error("names and other texts take more than {limit} bytes")]
    TooMuchText {
        /// The limit.
        limit: u64,
    },
    /// More objects than the budget allows.
    #[error("more than {limit} objects")]
    TooManyObjects {
        /// The limit.
        limit: usize,
    },
    /// More fields and other objects were visited than the limit allows.
    #[error("walks over the objects take more than {limit} steps")]
    TooManySteps {
        /// The limit.
        limit: u64,
    },
    /// More signatures than the budget allows.
    #[error("more than {limit} signatures")]
    TooManySignatures {
        /// The limit.
        limit: usize,
    },
    /// Streams inflate beyond the budget.
    #[error("streams inflate to more than {limit} bytes")]
    TooMuchInflated {
        /// The limit.
        limit: u64,
    },
    /// A filter that is not supported, or data that it cannot read.
    #[error("stream filter `{filter}` is not supported or its data is broken")]
    Filter {
        /// Its name.
        filter: String,
    },
    /// An encryption that is not supported.
    #[error("encryption handler `{handler}` version {version} revision {revision} is not supported")]
    UnsupportedEncryption {
        /// `/Filter` of the encryption dictionary.
        handler: String,
        /// `/V`.
        version: i64,
        /// `/R`.
        revision: i64,
    },
    /// Neither the given password nor the empty one opens the file.
    #[error("the document is encrypted and the password does not open it")]
    WrongPassword,
}

impl PdfError {
    /// Returns the field of [`Budget`](crate::budget::Budget) whose limit was reached, where one was.
    pub fn bound(&self) -> Option<&'static str> {
        match self {
            Self::NestingTooDeep { .. } => Some("nesting"),
            Self::TooManyObjects { .. } => Some("pdf_objects"),
            Self::TooMuchInflated { .. } => Some("pdf_inflated_ratio"),
            Self::TooManySignatures { .. } => Some("tokens"),
            _ => None,
        }
    }

    /// Returns advice, where there is some.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            PdfError::WrongPassword => Some("give the document's password"),
            PdfError::NoCatalog => Some("the file looks truncated; fetch it again"),
            _ => None,
        }
    }
}
