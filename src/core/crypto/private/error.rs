//! Why a private key could not be read, made or used.

use crate::algorithm::{DigestAlgorithm, KeyAlgorithm};

/// Why a signature value could not be made.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignError {
    /// The key is of another kind than the algorithm asks for, or the algorithm cannot be made here.
    #[error("a key of {key} cannot sign with {algorithm}")]
    Algorithm {
        /// The kind of key.
        key: KeyAlgorithm,
        /// The requested algorithm.
        algorithm: String,
    },
    /// The digest has not the length that its function has.
    #[error("a digest of {found} bytes, expected the {expected} of {function}")]
    DigestLength {
        /// The length of the supplied digest, in bytes.
        found: usize,
        /// What the function yields.
        expected: usize,
        /// The digest function.
        function: DigestAlgorithm,
    },
    /// The key store did not sign.
    #[error("the keeper of the key did not sign: {0}")]
    Keeper(String),
}

/// Why a private key could not be read or made.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PrivateKeyError {
    /// The bytes are no private key.
    #[error("found {found}, expected a PKCS#8 private key (RFC 5958), in DER or PEM")]
    Format {
        /// What they are.
        found: String,
    },
    /// The key is of a kind that does not sign here.
    #[error("found a private key of {found}, expected {KINDS}")]
    Kind {
        /// The kind, by its object identifiers or its length.
        found: String,
    },
    /// The key is encrypted, and no password was given.
    #[error("the private key is encrypted, expected its password")]
    Encrypted,
    /// The password does not open the key.
    #[error("the password does not open the private key, or the key was damaged")]
    Password,
    /// The encryption is one that is not opened, or one whose cost has no measure.
    #[error(
        "the private key is encrypted by {found}, expected PBES2 (RFC 8018) with AES or Triple DES within {LIMITS}"
    )]
    Encryption {
        /// How it is encrypted.
        found: String,
    },
    /// No key could be made.
    #[error("no key could be generated")]
    Generation,
}

/// The kinds of key that are read.
const KINDS: &str = "RSA with 2,048 bits or more, P-256, P-384, P-521, brainpoolP256r1 or P384r1, Ed25519, Ed448, or \
                     ML-DSA with its seed";
/// What deriving a key from a password may cost.
const LIMITS: &str = "ten million rounds or 256 MiB";
