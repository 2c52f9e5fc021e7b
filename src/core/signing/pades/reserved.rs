//! How large a signature can be: EN 319 142-1 §6.3, ISO 32000-1 §12.8.3.3.

use super::options::Options;
use crate::algorithm::KeyAlgorithm;
use crate::formats::cms::oids;
use crate::signing::attributes::{Profile, policy_store, signed_attributes};
use crate::signing::cms::{SignedData, SignerInfo};
use crate::signing::{SignatureParameters, Signer, SigningError, SigningErrorCode};

/// What is reserved at least, so that the size of the file says little about the signer.
const LEAST: usize = 8192;

/// What is reserved in steps of.
const STEP: usize = 1024;

/// What is reserved for what nobody thought of.
const SPARE: usize = 1024;

/// The headers of an attribute around a token, and what longer lengths need elsewhere.
const AROUND_TOKEN: usize = 64;

/// Returns how many bytes are reserved for the CMS signature.
///
/// # Errors
///
/// `contents-too-small` where fewer are asked for than it can need.
pub(super) fn size(
    parameters: &SignatureParameters,
    options: &Options,
    signer: &Signer,
) -> Result<usize, SigningError> {
    let timestamp = options.timestamp.map_or(0, |token| token.saturating_add(AROUND_TOKEN));
    let needed = largest(parameters, signer)?.saturating_add(timestamp);
    match options.reserved {
        None => Ok(needed.saturating_add(SPARE).max(LEAST).next_multiple_of(STEP)),
        Some(reserved) if reserved >= needed => Ok(reserved),
        Some(reserved) => {
            let found = format!("found {reserved} bytes reserved, expected {needed}, which the signature can need");
            let hint = format!("reserve at least {needed} bytes, or leave the number out");
            Err(SigningError::new(SigningErrorCode::ContentsTooSmall, found).with_hint(hint))
        }
    }
}

/// Returns the length of the signature with the largest value that the key can make.
fn largest(parameters: &SignatureParameters, signer: &Signer) -> Result<usize, SigningError> {
    let digest = vec![0; signer.digest().length()];
    let signed_attributes = signed_attributes(Profile::Pades, signer, parameters, oids::DATA, &digest)?;
    let unsigned: Vec<Vec<u8>> = policy_store(parameters)?.into_iter().collect();
    let signed_data = SignedData {
        content_type: oids::DATA,
        certificates: signer.embedded(parameters.embedded).iter().map(|held| held.der()).collect(),
        signer_info: SignerInfo {
            signer,
            signed_attributes: &signed_attributes,
            value: &vec![0; largest_value(signer)],
            unsigned_attributes: &unsigned,
        },
    };
    Ok(signed_data.der(None).len())
}

/// Returns the length of the largest value that the key can make, in the form of CMS.
fn largest_value(signer: &Signer) -> usize {
    // A signer's key is known.
    let bits = signer.certificate().public_key().and_then(|key| key.bits()).unwrap_or(0);
    let length = bits.div_ceil(8) as usize;
    match signer.algorithm().key {
        // Two INTEGERs, each perhaps with a zero in front, and three headers.
        KeyAlgorithm::Ecdsa => 2 * (length + 1) + 12,
        KeyAlgorithm::PlainEcdsa => 2 * length,
        // RFC 8032 §5.1.6, §5.2.6.
        KeyAlgorithm::EdDsa => 2 * length.max(57),
        // FIPS 204 table 2.
        KeyAlgorithm::MlDsa44 => 2420,
        KeyAlgorithm::MlDsa65 => 3309,
        KeyAlgorithm::MlDsa87 => 4627,
        // RFC 8017 §8: as long as the modulus.
        _ => length,
    }
}
