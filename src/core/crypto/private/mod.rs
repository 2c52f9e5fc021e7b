//! Private keys: the half that makes signature values.
//!
//! No arithmetic of this crate is used here, nor anything else of it that a secret could leak through: each kind of key
//! is the business of the crate named in its file (docs/cryptography.md).

mod ecdsa;
mod eddsa;
mod encryption;
mod error;
#[cfg(feature = "ml-dsa")]
mod ml_dsa;
mod pem;
mod rsa;
mod software;
#[cfg(test)]
mod tests;

pub use encryption::decrypt;
pub use error::{PrivateKeyError, SignError};
pub use software::{KeyKind, SoftwareKey};

use super::PublicKey;
use super::digest::digest;
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm};
use signature::rand_core::CryptoRng;

/// A private key, in memory, in a token, or behind a network.
pub trait SigningKey: Send + Sync {
    /// Returns the public key.
    fn public_key(&self) -> &PublicKey;

    /// Signs, and returns the signature value in the form that the algorithm states.
    ///
    /// What is signed is a digest, by the algorithm's own digest function; where the algorithm
    /// [needs the message](SignatureAlgorithm::needs_message), as EdDSA and ML-DSA do, it is the message itself.
    /// `randomness` blinds the computation and salts the value, where the algorithm has a salt.
    ///
    /// # Errors
    ///
    /// [`SignError`] where the key is of another kind than the algorithm, or the digest of another length, or the
    /// keeper of the key does not sign.
    fn sign(
        &self,
        algorithm: &SignatureAlgorithm,
        signed: &[u8],
        randomness: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, SignError>;

    /// Signs a message: digests it first, where the algorithm signs digests.
    ///
    /// # Errors
    ///
    /// As [`sign`](Self::sign).
    fn sign_message(
        &self,
        algorithm: &SignatureAlgorithm,
        message: &[u8],
        randomness: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, SignError> {
        if algorithm.needs_message() {
            return self.sign(algorithm, message, randomness);
        }
        let other = || SignError::Algorithm { key: self.public_key().algorithm(), algorithm: algorithm.to_string() };
        let digest = algorithm.digest.and_then(|function| digest(function, message)).ok_or_else(other)?;
        self.sign(algorithm, &digest, randomness)
    }

    /// Returns the key's default algorithm with this digest function. Edwards curves have their own (RFC 8419 §2.3),
    /// and ML-DSA has none to choose (RFC 9882 §3.3).
    fn algorithm(&self, digest: DigestAlgorithm) -> SignatureAlgorithm {
        let key = self.public_key();
        let digest = match (key.algorithm(), key.bits()) {
            (KeyAlgorithm::EdDsa, Some(448)) => Some(DigestAlgorithm::Shake256_512),
            (KeyAlgorithm::EdDsa, _) => Some(DigestAlgorithm::Sha512),
            (KeyAlgorithm::MlDsa44 | KeyAlgorithm::MlDsa65 | KeyAlgorithm::MlDsa87, _) => None,
            _ => Some(digest),
        };
        SignatureAlgorithm::new(key.algorithm(), digest)
    }
}

/// Checks what every keeper of keys requires before it signs a digest: a digest function that may be signed, and a
/// digest of its length.
///
/// # Errors
///
/// [`SignError::Algorithm`] and [`SignError::DigestLength`]; the former also for algorithms that sign messages.
pub fn check_digest(
    key: KeyAlgorithm,
    algorithm: &SignatureAlgorithm,
    digest: &[u8],
) -> Result<DigestAlgorithm, SignError> {
    let other = || SignError::Algorithm { key, algorithm: algorithm.to_string() };
    let function = algorithm.digest.filter(|function| may_be_signed(*function)).ok_or_else(other)?;
    if algorithm.needs_message() {
        return Err(other());
    }
    if digest.len() != function.length() {
        return Err(SignError::DigestLength { found: digest.len(), expected: function.length(), function });
    }
    Ok(function)
}

/// Returns whether the digest function is for new signatures (TS 119 312 §5.2).
fn may_be_signed(function: DigestAlgorithm) -> bool {
    use DigestAlgorithm::{Sha3_256, Sha3_384, Sha3_512, Sha256, Sha384, Sha512, Sha512_256};
    matches!(function, Sha256 | Sha384 | Sha512 | Sha512_256 | Sha3_256 | Sha3_384 | Sha3_512)
}
