//! Ids of signatures, time-stamps, evidence records and signed data: a prefix and a SHA-256.

use crate::algorithm::DigestAlgorithm;
use crate::crypto::Hasher;
use crate::facts::{Digest, Id};

/// Returns the id made of `prefix` and the SHA-256 of `parts`, one after the other.
pub(crate) fn of_parts(prefix: &str, parts: &[&[u8]]) -> Id {
    Id::new(crate::hex::upper_after(prefix, &sha256(parts)))
}

/// Returns the id of a token and the token's SHA-256.
///
/// `discriminator` tells the token from the same one found elsewhere in the document; an empty one adds nothing.
pub(crate) fn of_token(prefix: &str, discriminator: &[u8], token: &[u8]) -> (Id, Digest) {
    let digest = sha256_digest(token);
    let id = match discriminator {
        [] => Id::new(crate::hex::upper_after(prefix, &digest.value.0)),
        _ => of_parts(prefix, &[discriminator, &digest.value.0]),
    };
    (id, digest)
}

/// Returns the SHA-256 of `bytes` as a fact.
pub(crate) fn sha256_digest(bytes: &[u8]) -> Digest {
    Digest { algorithm: Some(DigestAlgorithm::Sha256), value: sha256(&[bytes]).into() }
}

fn sha256(parts: &[&[u8]]) -> Vec<u8> {
    let mut hasher = Hasher::new(DigestAlgorithm::Sha256).expect("SHA-256 is always there");
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finish()
}
