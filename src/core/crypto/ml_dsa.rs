//! ML-DSA: FIPS 204 algorithm 3, with the empty context of RFC 9881 §3.

use ml_dsa::{EncodedVerifyingKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Signature, VerifyingKey};

use super::error::VerifyError;
use crate::algorithm::KeyAlgorithm;

/// Checks that the value was made over the message by the private half of the key.
pub(super) fn verify(algorithm: KeyAlgorithm, key: &[u8], message: &[u8], value: &[u8]) -> Result<(), VerifyError> {
    match algorithm {
        KeyAlgorithm::MlDsa44 => of::<MlDsa44>(key, message, value),
        KeyAlgorithm::MlDsa65 => of::<MlDsa65>(key, message, value),
        KeyAlgorithm::MlDsa87 => of::<MlDsa87>(key, message, value),
        _ => Err(VerifyError::Unsupported { what: "this parameter set of ML-DSA" }),
    }
}

fn of<P: MlDsaParams>(key: &[u8], message: &[u8], value: &[u8]) -> Result<(), VerifyError> {
    let encoded = EncodedVerifyingKey::<P>::try_from(key)
        .map_err(|_| VerifyError::Key { expected: "as long as its parameter set prescribes" })?;
    let value =
        Signature::<P>::try_from(value).map_err(|_| VerifyError::Value { expected: "sigEncode of FIPS 204" })?;
    let key = VerifyingKey::<P>::decode(&encoded);
    if key.verify_with_context(message, &[], &value) { Ok(()) } else { Err(VerifyError::Invalid) }
}
