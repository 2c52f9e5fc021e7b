//! CAdES-BASELINE-B: EN 319 122-1 §6.3.
//!
//! [`prepare`] makes a new file, adds a signature to one, or counter-signs one of its signatures: [`Content`] says which.
//! The file is written by [`Prepared::finish`].

mod body;
mod existing;
mod reference;

pub(super) use body::Body;
pub use reference::ContentReference;

use super::attributes::{Profile, check_content_timestamps, policy_store, signed_attributes};
use super::check::check;
use super::prepared::{self, Input};
use super::{Prepared, SignatureParameters, Signer, SigningError, SigningErrorCode};
use crate::algorithm::DigestAlgorithm;
use crate::document::Document;
use crate::facts::{Digest, Id};
use crate::formats::cms::oids;
use crate::formats::{self, cms};
use body::Placement;

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
    /// The content of a signed file, which gets another signature; where it lies beside the file, it is among the
    /// document's contents.
    Parallel(&'a Document<'a>),
    /// The same, the content by its digest, as in [`Digest`](Self::Digest).
    ParallelDigest(&'a Document<'a>, &'a [u8]),
    /// One of the signatures of a signed file, by its [id](crate::facts::Signature::id): a counter-signature (RFC 5652
    /// §11.4).
    Signature(&'a Document<'a>, &'a Id),
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
    /// An identifier, for references from other signatures: `content-identifier` (RFC 2634 §2.7).
    pub identifier: Option<Vec<u8>>,
    /// The signature that this one is about, such as the question that is answered: `content-reference` (RFC 2634 §2.11).
    pub reference: Option<ContentReference>,
}

impl Options {
    /// Tells whether nothing is stated.
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Prepares a signature of the profile CAdES-BASELINE-B.
///
/// The [`Document`] that [`Prepared::finish`] takes is the content of a new file; the signed file, where it gets another
/// signature.
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
    match content {
        Content::Enveloped(bytes) | Content::Detached(bytes) => {
            let held = matches!(content, Content::Enveloped(_));
            let subject = Subject {
                content: formats::Content::pieces(vec![bytes]),
                placement: if held { Placement::Enveloping } else { Placement::Detached },
            };
            let digest = subject.digest(signer)?;
            let input = Input::of(bytes, signer.digest(), Some(digest))?;
            subject.prepare(Some(input), oids::DATA, parameters, options, signer)
        }
        Content::Digest(digest) => {
            let content = by_digest(digest, signer.digest())?;
            let subject = Subject { content, placement: Placement::Detached };
            subject.prepare(None, oids::DATA, parameters, options, signer)
        }
        Content::Parallel(file) => existing::parallel(file, None, parameters, options, signer),
        Content::ParallelDigest(file, digest) => {
            let content = by_digest(digest, signer.digest())?;
            existing::parallel(file, Some(content), parameters, options, signer)
        }
        Content::Signature(file, id) => existing::counter(file, id, parameters, options, signer),
    }
}

/// Returns a content of which one digest is known.
fn by_digest<'a>(digest: &[u8], function: DigestAlgorithm) -> Result<formats::Content<'a>, SigningError> {
    if digest.len() != function.length() {
        let found = format!("found a digest of {} bytes, expected {} ({function})", digest.len(), function.length());
        return Err(SigningError::new(SigningErrorCode::DigestLength, found));
    }
    Ok(formats::Content::digests([Digest { algorithm: Some(function), value: digest.into() }]))
}

/// What is signed, as far as it is at hand.
struct Subject<'a> {
    content: formats::Content<'a>,
    placement: Placement,
}

impl Subject<'_> {
    fn digest(&self, signer: &Signer) -> Result<Vec<u8>, SigningError> {
        let function = signer.digest();
        self.content.digest(function).ok_or_else(|| {
            let found = format!("found no content, expected one, or its digest by {function}");
            SigningError::new(SigningErrorCode::ContentNeeded, found)
        })
    }

    fn prepare(
        &self,
        input: Option<Input>,
        content_type: crate::asn1::Oid<'_>,
        parameters: &SignatureParameters,
        options: &Options,
        signer: &Signer,
    ) -> Result<Prepared, SigningError> {
        let digest = self.digest(signer)?;
        check_content_timestamps(parameters, |function| self.content.digest(function))?;
        let profile = match self.placement {
            Placement::Counter { .. } => Profile::CounterSignature,
            _ => Profile::Cades(options),
        };
        let to_be_signed = signed_attributes(profile, signer, parameters, content_type, &digest)?;
        let body = Body {
            placement: self.placement,
            certificates: signer.embedded(parameters.embedded).iter().map(|held| held.der().into()).collect(),
            unsigned: policy_store(parameters)?.into_iter().map(Into::into).collect(),
        };
        Ok(Prepared::new(signer, input, to_be_signed, prepared::Body::Cades(body)))
    }
}

/// Says that a file is not what a signature can be added to.
fn unreadable(error: &cms::Error) -> SigningError {
    let found = format!("found no CMS signature ({error}), expected one in BER or DER");
    SigningError::new(SigningErrorCode::DocumentUnreadable, found)
        .with_hint("decode PEM and Base64 before, and encode the result again")
}
