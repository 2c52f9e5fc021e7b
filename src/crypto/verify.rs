//! The door: does this value verify?

use super::ecdsa::Pair;
use super::key::{Material, PssRestriction, PublicKey};
use super::{digest, dsa, ecdsa, edwards, meter, ml_dsa, native, rsa};
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm, PssParameters, SignatureAlgorithm, ValueForm};

/// What was signed.
#[derive(Debug, Clone, Copy)]
pub enum Signed<'a> {
    /// The message itself.
    Message(&'a [u8]),
    /// Its digest, by the digest function of the signature algorithm.
    Digest(&'a [u8]),
}

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
    /// The digest handed in has the wrong length for its function.
    #[error("a digest of {found} octets, expected {expected} of {digest}")]
    DigestLength {
        /// The function.
        digest: DigestAlgorithm,
        /// Octets handed in.
        found: usize,
        /// Octets that the function yields.
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

/// Whether `value` was made over `signed` by the private half of `key` with `algorithm`.
pub fn verify(
    key: &PublicKey,
    algorithm: &SignatureAlgorithm,
    signed: Signed<'_>,
    value: &[u8],
) -> Result<(), VerifyError> {
    meter::verified(key, algorithm, signed, value, || check(key, algorithm, signed, value))
}

fn check(key: &PublicKey, algorithm: &SignatureAlgorithm, signed: Signed<'_>, value: &[u8]) -> Result<(), VerifyError> {
    use KeyAlgorithm::*;
    key.validate()?;
    if let (ValueForm::OnCurve(expected), Material::Ec { curve, .. }) = (algorithm.form, key.material())
        && curve.name != expected
    {
        return Err(VerifyError::Key { expected: "on the curve that the algorithm's name stands for" });
    }
    if native::verifies(key, algorithm, signed, value) {
        return Ok(());
    }
    let mismatch = VerifyError::KeyMismatch { key: key.algorithm(), algorithm: algorithm.key };
    match (key.material(), algorithm.key) {
        // RFC 4055 §1.2: a key of id-RSASSA-PSS is for RSASSA-PSS only.
        (Material::Rsa { key: numbers, .. }, Rsa) if key.algorithm() == Rsa => {
            let (function, digest) = digested(algorithm, signed)?;
            rsa::verify_pkcs1(numbers, function, &digest, value)
        }
        (Material::Rsa { key, only }, RsassaPss) => {
            let (function, digest) = digested(algorithm, signed)?;
            let pss = algorithm.pss.unwrap_or_else(|| PssParameters::of(function));
            if only.is_some_and(|only| !allows(&only, function, &pss)) {
                return Err(VerifyError::KeyRestriction);
            }
            rsa::verify_pss(key, function, &pss, &digest, value)
        }
        (Material::Ec { curve, point }, Ecdsa | PlainEcdsa) => {
            let pair = Pair::read(value, algorithm.form, curve.order_length())?;
            let (_, digest) = digested(algorithm, signed)?;
            ecdsa::verify(curve, point, &pair, &digest)
        }
        (Material::Dsa(key), Dsa) => {
            let (_, digest) = digested(algorithm, signed)?;
            dsa::verify(key, algorithm.form, &digest, value)
        }
        (Material::Ed25519(key), EdDsa) if admits(algorithm, DigestAlgorithm::Sha512) => {
            edwards::verify_ed25519(key, message(algorithm, signed)?, value)
        }
        (Material::Ed448(key), EdDsa) if admits(algorithm, DigestAlgorithm::Shake256_512) => {
            edwards::verify_ed448(key, message(algorithm, signed)?, value)
        }
        (Material::MlDsa(octets), MlDsa44 | MlDsa65 | MlDsa87) if key.algorithm() == algorithm.key => {
            ml_dsa::verify(algorithm.key, octets, message(algorithm, signed)?, value)
        }
        (Material::Other, _) if key.algorithm() == algorithm.key => {
            Err(VerifyError::Unsupported { what: "this elliptic curve" })
        }
        _ => Err(mismatch),
    }
}

/// As [`verify`], for RSA values over a bare digest, without the DigestInfo of RFC 8017 §9.2 that names its function.
///
/// Some old cards sign so. It proves less (whoever signs cannot be held to a digest function), so it is a door of
/// its own.
pub fn verify_bare(key: &PublicKey, digest: &[u8], value: &[u8]) -> Result<(), VerifyError> {
    key.validate()?;
    match key.material() {
        Material::Rsa { key: numbers, .. } if key.algorithm() == KeyAlgorithm::Rsa => {
            rsa::verify_bare(numbers, digest, value)
        }
        _ => Err(VerifyError::KeyMismatch { key: key.algorithm(), algorithm: KeyAlgorithm::Rsa }),
    }
}

/// The digest function, and the digest of what was signed.
fn digested<'a>(
    algorithm: &SignatureAlgorithm,
    signed: Signed<'a>,
) -> Result<(DigestAlgorithm, std::borrow::Cow<'a, [u8]>), VerifyError> {
    let function = algorithm.digest.ok_or(VerifyError::NoDigest { algorithm: algorithm.key })?;
    match signed {
        Signed::Message(message) => {
            let digest = digest(function, message).ok_or(VerifyError::Unsupported { what: "this digest function" })?;
            Ok((function, digest.into()))
        }
        Signed::Digest(digest) if digest.len() == function.length() => Ok((function, digest.into())),
        Signed::Digest(digest) => {
            Err(VerifyError::DigestLength { digest: function, found: digest.len(), expected: function.length() })
        }
    }
}

fn message<'a>(algorithm: &SignatureAlgorithm, signed: Signed<'a>) -> Result<&'a [u8], VerifyError> {
    match signed {
        Signed::Message(message) => Ok(message),
        Signed::Digest(_) => Err(VerifyError::NeedsMessage { algorithm: algorithm.key }),
    }
}

/// RFC 8419 §2.3: each Edwards curve has its own digest; a name that leaves it open takes the key's.
fn admits(algorithm: &SignatureAlgorithm, own: DigestAlgorithm) -> bool {
    algorithm.digest.is_none_or(|digest| digest == own)
}

/// RFC 4055 §3.3: digest and mask as the key says, the salt at least as long.
fn allows(only: &PssRestriction, digest: DigestAlgorithm, pss: &PssParameters) -> bool {
    let least = only.parameters.salt_length.unwrap_or(0);
    only.digest == digest && only.parameters.mask == pss.mask && pss.salt_length.is_none_or(|length| length >= least)
}
