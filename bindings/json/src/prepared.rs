//! A prepared signature, as it is told.

use crate::{Base64, Refused};
use lacre::signing::{Prepared, SigningErrorCode};
use serde::Serialize;
use serde_json::Value;

/// A signature that lacks only its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PreparedSignature {
    /// What finishing takes again, unchanged. It holds no secret, and states which document it is of.
    #[cfg_attr(feature = "schemas", schema(value_type = Object))]
    pub state: Value,
    /// What a key signs that signs digests: the digest of `toBeSigned`, under the digest function of the algorithm.
    pub digest: Base64,
    /// That digest function; none where the algorithm has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub digest_algorithm: Option<String>,
    /// The algorithm with which the value is to be made: `SHA256withECDSA` and the like.
    pub algorithm: String,
    /// What a key signs that digests by itself. EdDSA and ML-DSA sign it, and no digest of it.
    pub to_be_signed: Base64,
    /// Whether the key has to sign `toBeSigned` itself.
    pub needs_message: bool,
    /// Where the signature goes: `pdf`, `enveloping`, `detached`, `parallel` or `counter`.
    #[cfg_attr(feature = "schemas", schema(value_type = String))]
    pub packaging: &'static str,
}

impl PreparedSignature {
    /// Returns what is told of a prepared signature.
    ///
    /// # Errors
    ///
    /// `state-unreadable` where it cannot be written, which does not happen.
    pub fn of(prepared: &Prepared) -> Result<Self, Refused> {
        let state = serde_json::from_slice(&prepared.to_json());
        let unwritten = |error: serde_json::Error| Refused::new(SigningErrorCode::StateUnreadable, error.to_string());
        Ok(Self {
            state: state.map_err(unwritten)?,
            digest: Base64(prepared.digest()),
            digest_algorithm: prepared.algorithm().digest.map(|digest| digest.to_string()),
            algorithm: prepared.algorithm().to_string(),
            to_be_signed: Base64(prepared.to_be_signed().to_vec()),
            needs_message: prepared.needs_message(),
            packaging: prepared.packaging().as_str(),
        })
    }
}
