//! EdDSA: RFC 8032 §5.1.7 and §5.2.7.

use super::verify::VerifyError;

/// Ed25519. Equation without cofactor, canonical encodings only, as RFC 8032's strict reading and its users do.
pub(super) fn verify_ed25519(key: &[u8; 32], message: &[u8], value: &[u8]) -> Result<(), VerifyError> {
    use signature::Verifier;
    let key = ed25519_dalek::VerifyingKey::from_bytes(key)
        .map_err(|_| VerifyError::Key { expected: "a point of its curve (RFC 8032 §5.1.3)" })?;
    let value = ed25519_dalek::Signature::from_slice(value)
        .map_err(|_| VerifyError::Value { expected: "64 octets (RFC 8032 §5.1.6)" })?;
    key.verify(message, &value).map_err(|_| VerifyError::Invalid)
}

/// Ed448.
pub(super) fn verify_ed448(_key: &[u8; 57], _message: &[u8], _value: &[u8]) -> Result<(), VerifyError> {
    Err(VerifyError::Unsupported { what: "Ed448" })
}
