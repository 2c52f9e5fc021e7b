//! Why a signature value does not verify.

use crate::algorithm::{DigestAlgorithm, KeyAlgorithm};

/// Why a value does not verify.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// The arithmetic says no: another key, another message, or no signature at all.
    #[error("the signature value does not verify")]
    Invalid,
    /// The value cannot be a signature of this algorithm under this key.
    #[error("the signature value is not {expected}")]
    Value {
        /// What the algorithm prescribes.
        expected: &'static str,
    },
    /// The key is of another kind than the signature algorithm.
    #[error("a key of {key} cannot verify a signature of {algorithm}")]
    KeyMismatch {
        /// The kind of the key.
        key: KeyAlgorithm,
        /// The kind that the signature states.
        algorithm: KeyAlgorithm,
    },
    /// The key may be used with other RSASSA-PSS parameters only: RFC 4055 §3.3.
    #[error("the key demands other RSASSA-PSS parameters than the signature states")]
    KeyRestriction,
    /// The key is not a valid one of its kind: a point beside its curve, an even modulus.
    #[error("the public key is not {expected}")]
    Key {
        /// What it should be.
        expected: &'static str,
    },
    /// The signature algorithm leaves its digest open.
    #[error("{algorithm} without a digest function")]
    NoDigest {
        /// The kind that the signature states.
        algorithm: KeyAlgorithm,
    },
    /// The supplied digest has the wrong length for its function.
    #[error("a digest of {found} bytes, expected {expected} of {digest}")]
    DigestLength {
        /// The function.
        digest: DigestAlgorithm,
        /// Its length in bytes.
        found: usize,
        /// The length in bytes that the function yields.
        expected: usize,
    },
    /// The algorithm digests inside and needs the message itself.
    #[error("{algorithm} needs the message, not its digest")]
    NeedsMessage {
        /// The kind that the signature states.
        algorithm: KeyAlgorithm,
    },
    /// The combination has a meaning, but nothing here computes it.
    #[error("{what} is not supported")]
    Unsupported {
        /// What is not.
        what: &'static str,
    },
}
