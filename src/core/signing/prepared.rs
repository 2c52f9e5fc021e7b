//! A signature that lacks only its value, as bytes that travel between processes: EN 319 102-1 §4.2.

use super::{Output, Signer, SigningError, SigningErrorCode, cades, pades};
use crate::algorithm::{DigestAlgorithm, SignatureAlgorithm};
use crate::crypto::{self, Signed};
use crate::document::Document;
use crate::facts::Bytes;
use crate::hex;
use crate::x509::Certificate;
use serde::{Deserialize, Serialize};

/// The version of the written form.
const VERSION: u32 = 1;

/// A signature that lacks only its value.
///
/// It states what is to be signed, and holds all that is needed to write the signature, but for the document. It does
/// not depend on the process that made it: [`to_json`](Self::to_json) and [`from_json`](Self::from_json).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    signer: Certificate,
    algorithm: SignatureAlgorithm,
    state: State,
}

/// The written form, but for its own digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    version: u32,
    /// The signing certificate, DER.
    certificate: Bytes,
    /// The algorithm: `AlgorithmIdentifier`, DER.
    algorithm: Bytes,
    /// The document that is signed.
    document: Input,
    /// The data to be signed.
    to_be_signed: Bytes,
    /// The rest, which depends on the format.
    body: Body,
}

/// The written form with its digest: SHA-256 of the JSON of the rest.
#[derive(Serialize, Deserialize)]
struct Written {
    #[serde(flatten)]
    state: State,
    sha256: String,
}

/// A file by its length and digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Input {
    pub length: u64,
    pub digest_algorithm: DigestAlgorithm,
    pub digest: Bytes,
}

/// What a format keeps between preparing and finishing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Body {
    /// CAdES: EN 319 122-1.
    Cades(cades::Body),
    /// PAdES: EN 319 142-1.
    #[cfg(feature = "pdf")]
    Pades(pades::Body),
}
