//! Why a document cannot be read: one error for all of reading.

/// Why a document cannot be read as XML.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum XmlError {
    /// The bytes are not characters.
    #[error("the bytes at {offset} are not characters of the document's encoding")]
    NotText { offset: usize },
    /// An encoding that is not read.
    #[error("the encoding is {found}, not UTF-8, UTF-16, ISO-8859-1, ISO-8859-2, windows-1250 or windows-1252")]
    Encoding { found: String },
    /// Not well-formed.
    #[error("at byte {offset} {expected} was expected")]
    Syntax { offset: usize, expected: &'static str },
    /// A character that XML has not.
    #[error("at byte {offset} stands a character that XML does not allow")]
    Character { offset: usize },
    /// The end tag is not the start tag's.
    #[error("at byte {offset} an end tag closes an element of another name")]
    Unbalanced { offset: usize },
    /// A prefix without a namespace.
    #[error("at byte {offset} the prefix {prefix} is not declared")]
    Prefix { offset: usize, prefix: String },
    /// A namespace declaration that may not be.
    #[error("at byte {offset} a namespace is declared that may not be")]
    Declaration { offset: usize },
    /// Two attributes of one name.
    #[error("at byte {offset} an element has two attributes of one name")]
    DuplicateAttribute { offset: usize },
    /// A document type declaration where none is allowed.
    #[error("at byte {offset} a document type is declared, which signed documents may not have")]
    DocumentType { offset: usize },
    /// An entity that is not declared, or not a plain text.
    #[error("at byte {offset} an entity stands that is not a plain text declared before")]
    Entity { offset: usize },
    /// Past a bound.
    #[error("at byte {offset} there are more than {limit} {what}")]
    Limit { offset: usize, what: &'static str, limit: usize },
}

impl XmlError {
    /// Returns the field of [`Budget`](crate::budget::Budget) whose bound was passed, where one was.
    pub fn bound(&self) -> Option<&'static str> {
        matches!(self, Self::Limit { what: NESTED, .. }).then_some("nesting")
    }
}

/// What [`Options::nesting`](super::Options::nesting) bounds.
pub(super) const NESTED: &str = "elements inside each other";
