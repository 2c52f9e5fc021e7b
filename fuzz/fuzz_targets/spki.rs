//! A key and an algorithm, whole or damaged, are read or refused, whatever they say of a value.
//!
//! The input is a SubjectPublicKeyInfo, an AlgorithmIdentifier and a value, the first two after their length in two
//! bytes.
#![no_main]

use lacre_core::algorithm::{DigestAlgorithm, SignatureAlgorithm};
use lacre_core::crypto::{PublicKey, Signed, digest_from_algorithm_identifier, verify};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((spki, rest)) = split(bytes) else { return };
    let Some((identifier, value)) = split(rest) else { return };
    let _ = digest_from_algorithm_identifier(identifier);
    let Ok(key) = PublicKey::from_spki(spki) else { return };
    let Ok(algorithm) = SignatureAlgorithm::from_algorithm_identifier(identifier) else { return };
    let algorithm = algorithm.or_digest(Some(DigestAlgorithm::Sha256));
    let _ = verify(&key, &algorithm, Signed::Message(value), value);
    let digest = vec![0x5a; algorithm.digest.map_or(0, DigestAlgorithm::length)];
    let _ = verify(&key, &algorithm.concatenated(), Signed::Digest(&digest), value);
});

/// The bytes after their length, and what follows.
fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_at_checked(2)?;
    rest.split_at_checked(usize::from(u16::from_be_bytes([length[0], length[1]])))
}
