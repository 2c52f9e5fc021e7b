//! Which algorithm a caller means.

use crate::http::failure::Failure;
use crate::http::problem;
use crate::registry::UserKey;
use axum::http::HeaderMap;
use lacre::signing::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm};

/// TS 119 312 §5.2, of which every key here can sign.
const DIGESTS: [DigestAlgorithm; 3] = [DigestAlgorithm::Sha256, DigestAlgorithm::Sha384, DigestAlgorithm::Sha512];

/// Returns the digest function that a header names; SHA-256 where there is none.
pub fn digest_in(headers: &HeaderMap, name: &str) -> Result<DigestAlgorithm, Failure> {
    match headers.get(name) {
        Some(value) => digest(Some(value.to_str().map_err(|_| unknown("the digest function's name is no text"))?)),
        None => digest(None),
    }
}

/// Returns the digest function of that name or object identifier; SHA-256 where there is none.
pub fn digest(name: Option<&str>) -> Result<DigestAlgorithm, Failure> {
    let Some(name) = name else { return Ok(DigestAlgorithm::Sha256) };
    let known = DigestAlgorithm::from_name(name).or_else(|| DigestAlgorithm::from_oid(name));
    known
        .filter(|function| DIGESTS.contains(function))
        .ok_or_else(|| unknown("the digest function is none of SHA-256, SHA-384 and SHA-512"))
}

/// Returns the algorithm that a caller names for this key and digest function, and its name.
pub fn for_key(
    key: &UserKey,
    function: DigestAlgorithm,
    name: Option<&str>,
) -> Result<(SignatureAlgorithm, String), Failure> {
    let usual = key.algorithm(function);
    let Some(name) = name else { return Ok((usual, usual.to_string())) };
    let all = of_key(key.kind()).map(|kind| SignatureAlgorithm::new(kind, Some(function)));
    for algorithm in all {
        if algorithm.to_string() == name || algorithm.oid() == Some(name) {
            return Ok((algorithm, name.to_owned()));
        }
        if algorithm.jose() == Some(name) {
            return Ok((algorithm.concatenated(), name.to_owned()));
        }
    }
    Err(unknown(format!("the key signs this digest with {usual}")))
}

/// Returns what a kind of key signs with; RSA keys with both paddings.
pub fn of_key(kind: KeyAlgorithm) -> impl Iterator<Item = KeyAlgorithm> {
    let pss = (kind == KeyAlgorithm::Rsa).then_some(KeyAlgorithm::RsassaPss);
    std::iter::once(kind).chain(pss)
}

/// Returns every algorithm that a kind of key signs with.
pub fn all_of_key(kind: KeyAlgorithm) -> impl Iterator<Item = SignatureAlgorithm> {
    of_key(kind).flat_map(|kind| DIGESTS.map(|function| SignatureAlgorithm::new(kind, Some(function))))
}

fn unknown(detail: impl Into<String>) -> Failure {
    Failure::of(problem::UNKNOWN_ALGORITHM, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests() {
        for (name, expected) in [
            (None, Some(DigestAlgorithm::Sha256)),
            (Some("SHA-256"), Some(DigestAlgorithm::Sha256)),
            (Some("sha512"), Some(DigestAlgorithm::Sha512)),
            (Some("2.16.840.1.101.3.4.2.2"), Some(DigestAlgorithm::Sha384)),
            (Some("SHA-1"), None),
            (Some("MD5"), None),
            (Some(""), None),
        ] {
            assert_eq!(digest(name).ok(), expected, "{name:?}");
        }
    }
}
