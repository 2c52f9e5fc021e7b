//! CAdES-BASELINE-B: EN 319 122-1 §6.3.

mod body;

pub(super) use body::Body;

use super::attributes::{Profile, policy_store, signed_attributes};
use super::check::check;
use super::prepared::{self, Input, checked_digest};
use super::{Prepared, SignatureParameters, Signer, SigningError, SigningErrorCode};
use crate::formats::cms::oids;

/// What is signed, and where the signature goes.
#[non_exhaustive]
#[derive(Debug, Clone, Copy)]
pub enum Content<'a> {
    /// These bytes, which the signature is to hold: a new `.p7m` file.
    Enveloped(&'a [u8]),
    /// These bytes, which lie beside the signature: a new `.p7s` file.
    Detached(&'a [u8]),
    /// The content beside the signature of which this is the digest, under the signer's [digest
    /// function](Signer::digest): a new `.p7s` file.
    Digest(&'a [u8]),
}

/// What a CAdES signature states of its content, and other formats do not.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// The media type: `mime-type` (EN 319 122-1 §5.2.4.2); without one and without a description it is
    /// `application/octet-stream`.
    pub mime_type: Option<String>,
    /// A description, instead of a media type: `content-hints` (§5.2.4.1).
    pub description: Option<String>,
    /// An identifier, for references from other signatures: `content-identifier` (§5.2.12).
    pub identifier: Option<Vec<u8>>,
}

/// Prepares a signature of the profile CAdES-BASELINE-B.
///
/// # Errors
///
/// [`SigningError`] with the code of what forbids it.
pub fn prepare(
    content: &Content<'_>,
    parameters: &SignatureParameters,
    options: &Options,
    signer: &Signer,
) -> Result<Prepared, SigningError> {
    check(signer, parameters)?;
    let function = signer.digest();
    let (digest, input, enveloped) = match *content {
        Content::Enveloped(bytes) | Content::Detached(bytes) => {
            let digest = checked_digest(function, bytes)?;
            let input = Input::of(bytes, function, Some(digest.clone()))?;
            (digest, Some(input), matches!(content, Content::Enveloped(_)))
        }
        Content::Digest(digest) if digest.len() != function.length() => {
            let message =
                format!("found a digest of {} bytes, expected the {} of {function}", digest.len(), function.length());
            return Err(SigningError::new(SigningErrorCode::DigestLength, message));
        }
        Content::Digest(digest) => (digest.to_vec(), None, false),
    };
    let to_be_signed = signed_attributes(Profile::Cades(options), signer, parameters, oids::DATA, &digest)?;
    let body = Body {
        certificates: signer.embedded(parameters.embedded).iter().map(|held| held.der().into()).collect(),
        unsigned: policy_store(parameters)?.into_iter().map(Into::into).collect(),
        enveloped,
    };
    Ok(Prepared::new(signer, input, to_be_signed, prepared::Body::Cades(body)))
}
