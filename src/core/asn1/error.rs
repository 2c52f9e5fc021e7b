use super::tag::Tag;

/// Why bytes are not the ASN.1 that was expected.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The bytes end inside a tag, a length or a value.
    #[error("ASN.1 value of {needed} bytes, but only {left} are left")]
    Truncated {
        /// How many bytes the value needs.
        needed: u64,
        /// How many there are.
        left: u64,
    },
    /// A length written in more than eight bytes, or a tag number above 2³².
    #[error("ASN.1 {what} too large")]
    TooLarge {
        /// Which part.
        what: &'static str,
    },
    /// An indefinite length without its end, or on a primitive value (X.690 §8.1.3.6).
    #[error("ASN.1 indefinite length without an end")]
    Unterminated,
    /// Another element than expected.
    #[error("expected ASN.1 {expected}, found {found}")]
    Unexpected {
        /// What the structure has here.
        expected: Tag,
        /// What was found.
        found: Tag,
    },
    /// No element where one was expected.
    #[error("expected ASN.1 {expected}, found the end")]
    Missing {
        /// What the structure has here.
        expected: Tag,
    },
    /// An element where none was expected.
    #[error("expected no further ASN.1 element, found {bytes} bytes")]
    Trailing {
        /// How many bytes.
        bytes: u64,
    },
    /// Nesting beyond [`MAX_NESTING`](super::MAX_NESTING).
    #[error("ASN.1 nested more than {} deep", super::MAX_NESTING)]
    TooDeep,
    /// Contents that are not of their type.
    #[error("not an ASN.1 {expected}: {found}")]
    Malformed {
        /// The type.
        expected: &'static str,
        /// What is wrong with it.
        found: &'static str,
    },
}
