//! The verification of signature values: one function for all algorithms.

use super::ecdsa::Pair;
use super::error::VerifyError;
use super::key::PublicKey;
use super::material::{Material, PssRestriction};
use super::signed::Signed;
use super::{digest, dsa, ecdsa, edwards, meter, ml_dsa, native, rsa};
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm, PssParameters, SignatureAlgorithm, ValueForm};

/// Verifies that `value` was made over `signed` with the private half of `key` and `algorithm`.
///
/// # Errors
///
/// [`VerifyError`] with the reason for which it does not verify.
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
    let decided = native::verifies(key.prepared(), key.algorithm(), algorithm, signed, value);
    if decided == Some(true) {
        return Ok(());
    }
    let mismatch = VerifyError::KeyMismatch { key: key.algorithm(), algorithm: algorithm.key };
    match (key.material(), algorithm.key) {
        // RFC 4055 §1.2: a key of id-RSASSA-PSS is for RSASSA-PSS only.
        (Material::Rsa { key: numbers, .. }, Rsa) if key.algorithm() == Rsa => {
            let (function, digest) = digested(algorithm, signed)?;
            // Whether a value with NULL is good is decided; one without it is still to be looked at.
            let forms = if decided.is_some() { rsa::WITHOUT_NULL } else { rsa::ANY_FORM };
            rsa::verify_pkcs1(numbers, function, &digest, value, forms)
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
            let found = ecdsa::verify(curve, point, &pair, &digest);
            // A value that was refused stays refused; here the reason is found.
            if decided.is_some() { found.and(Err(VerifyError::Invalid)) } else { found }
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
        (Material::MlDsa(bytes), MlDsa44 | MlDsa65 | MlDsa87) if key.algorithm() == algorithm.key => {
            ml_dsa::verify(algorithm.key, bytes, message(algorithm, signed)?, value)
        }
        (Material::Other, _) if key.algorithm() == algorithm.key => {
            Err(VerifyError::Unsupported { what: "this elliptic curve" })
        }
        _ => Err(mismatch),
    }
}

/// Verifies an RSA value over a bare digest, without the DigestInfo of RFC 8017 §9.2 that names its function.
///
/// Some old cards sign so. Such a value proves less, since it does not bind the signer to a digest function; hence the
/// function of its own.
///
/// # Errors
///
/// [`VerifyError`] with the reason for which it does not verify.
pub fn verify_bare(key: &PublicKey, digest: &[u8], value: &[u8]) -> Result<(), VerifyError> {
    key.validate()?;
    match key.material() {
        Material::Rsa { key: numbers, .. } if key.algorithm() == KeyAlgorithm::Rsa => {
            rsa::verify_bare(numbers, digest, value)
        }
        _ => Err(VerifyError::KeyMismatch { key: key.algorithm(), algorithm: KeyAlgorithm::Rsa }),
    }
}

/// Returns the digest function, and the digest of what was signed.
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

/// Returns whether the algorithm goes with the key's own digest: each Edwards curve has one; a name that leaves it
/// open takes the key's (RFC 8419 §2.3).
fn admits(algorithm: &SignatureAlgorithm, own: DigestAlgorithm) -> bool {
    algorithm.digest.is_none_or(|digest| digest == own)
}

/// Returns whether the key allows the parameters: digest and mask as it says, the salt at least as long (RFC 4055
/// §3.3).
fn allows(only: &PssRestriction, digest: DigestAlgorithm, pss: &PssParameters) -> bool {
    let least = only.parameters.salt_length.unwrap_or(0);
    only.digest == digest && only.parameters.mask == pss.mask && pss.salt_length.is_none_or(|length| length >= least)
}
