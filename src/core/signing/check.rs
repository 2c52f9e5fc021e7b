//! What a signer may sign with, and when: TS 119 312, RFC 5280 §4.1.2.5 and §4.2.1.3.

use super::{SignatureParameters, Signer, SigningError, SigningErrorCode};
use crate::facts::KeyUsage;
use crate::policy::CryptographicSuite;
use crate::time::Time;

/// Checks the certificate and the algorithms of a new signature, at its claimed time.
///
/// # Errors
///
/// `certificate-outside-validity`, `certificate-not-for-signing` and `algorithm-not-allowed`.
pub(super) fn check(signer: &Signer, parameters: &SignatureParameters) -> Result<(), SigningError> {
    let (certificate, time) = (signer.certificate(), parameters.signing_time);
    if !certificate.is_valid_at(time) {
        let (from, to) = (certificate.not_before(), certificate.not_after());
        let found = format!("found the claimed time {time}, expected one within the certificate's, {from} to {to}");
        return Err(SigningError::new(SigningErrorCode::CertificateOutsideValidity, found)
            .with_hint("check the clock, or sign with another certificate"));
    }
    if let Some(usages) = &certificate.extensions().key_usage
        && !usages.iter().any(|usage| matches!(usage, KeyUsage::DigitalSignature | KeyUsage::NonRepudiation))
    {
        let words: Vec<&str> = usages.iter().map(|usage| usage.as_str()).collect();
        let found = format!("found the key usage {}, expected nonRepudiation or digitalSignature", words.join(", "));
        return Err(SigningError::new(SigningErrorCode::CertificateNotForSigning, found)
            .with_hint("sign with another certificate: a token often has one for signing and one for logging in"));
    }
    if parameters.allow_weak_algorithms { Ok(()) } else { algorithms(signer, parameters) }
}

/// Checks the algorithms of new signatures (TS 119 312 §5 and §6).
fn algorithms(signer: &Signer, parameters: &SignatureParameters) -> Result<(), SigningError> {
    let (suite, time) = (CryptographicSuite::of_ts_119_312(), parameters.signing_time);
    let refused = |found: String| {
        Err(SigningError::new(SigningErrorCode::AlgorithmNotAllowed, found).with_hint(
            "use SHA-256 with ECDSA on P-256, or RSASSA-PSS of 3,000 bits or more; or allow weak algorithms explicitly",
        ))
    };
    for function in [signer.digest(), parameters.certificate_digest] {
        if !suite.digest_acceptable_at(function, time) {
            let until = until(suite.digest_expiry(function).filter(|_| suite.digest_reliable(function)));
            return refused(format!("found the digest function {function}{until}, expected one of TS 119 312"));
        }
    }
    let algorithm = signer.algorithm();
    // A signer's key is known; of what has no size nothing is said by size.
    let bits = signer.certificate().public_key().and_then(|key| key.bits()).unwrap_or(0);
    if suite.signature_acceptable_at(algorithm.key, algorithm.digest, bits, time) {
        return Ok(());
    }
    let until = until(suite.signature_expiry(algorithm.key, algorithm.digest, bits));
    refused(format!("found {algorithm} with a key of {bits} bits{until}, expected an algorithm of TS 119 312"))
}

fn until(end: Option<Time>) -> String {
    end.map(|end| format!(", good until {end}")).unwrap_or_default()
}
