//! What a CAdES signature is written of.

use super::unreadable;
use crate::algorithm::DigestAlgorithm;
use crate::crypto::digest;
use crate::document::Document;
use crate::facts::Bytes;
use crate::formats::Content;
use crate::formats::cms::edit::Edits;
use crate::formats::cms::{SignedData, oids};
use crate::output::{Output, Piece};
use crate::signing::attributes::attribute_of;
use crate::signing::cms::{self, SignerInfo};
use crate::signing::prepared::Finishing;
use crate::signing::{Packaging, SigningError, SigningErrorCode};
use serde::{Deserialize, Serialize};

/// What is kept between preparing and finishing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::signing) struct Body {
    /// Where the signature goes.
    pub placement: Placement,
    /// The certificates that are embedded, DER.
    pub certificates: Vec<Bytes>,
    /// The unsigned attributes, DER.
    pub unsigned: Vec<Bytes>,
}

/// Where a signature goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::signing) enum Placement {
    /// A new file that holds the document.
    Enveloping,
    /// A new file beside the document.
    Detached,
    /// Beside the signatures of the document.
    Parallel,
    /// In the unsigned attributes of a signature of the document.
    Counter {
        /// The place of its signer.
        signer: usize,
    },
}

impl Body {
    /// Returns where the signature goes.
    pub fn packaging(&self) -> Packaging {
        match self.placement {
            Placement::Enveloping => Packaging::Enveloping,
            Placement::Detached => Packaging::Detached,
            Placement::Parallel => Packaging::Parallel,
            Placement::Counter { .. } => Packaging::Counter,
        }
    }

    /// Returns the digest of the content, or of the value that is counter-signed.
    pub fn covered(&self, document: &Document<'_>, function: DigestAlgorithm) -> Option<Vec<u8>> {
        let bytes = document.bytes();
        let content = match self.placement {
            Placement::Enveloping | Placement::Detached => Content::pieces(vec![bytes]),
            Placement::Parallel => Content::pieces(SignedData::parse(bytes).ok()?.content_pieces()?),
            Placement::Counter { signer } => {
                let signed_data = SignedData::parse(bytes).ok()?;
                return digest(function, &signed_data.signers.get(signer)?.value);
            }
        };
        content.digest(function)
    }

    /// Writes the signature.
    pub fn finish(&self, finishing: &Finishing<'_>) -> Result<Output, SigningError> {
        let kept = self.unsigned.iter().map(|attribute| attribute.0.clone());
        let unsigned: Vec<Vec<u8>> = kept.chain(finishing.timestamp.map(<[u8]>::to_vec)).collect();
        let signer_info = SignerInfo {
            signer: finishing.signer,
            signed_attributes: finishing.to_be_signed,
            value: finishing.value,
            unsigned_attributes: &unsigned,
        };
        let document = finishing.document.bytes();
        match self.placement {
            Placement::Enveloping => Ok(self.new_file(Some(document.len()), signer_info)),
            Placement::Detached => Ok(self.new_file(None, signer_info)),
            Placement::Parallel => self.added(document, None, &signer_info),
            Placement::Counter { signer } => self.added(document, Some(signer), &signer_info),
        }
    }

    /// Returns a new file, with a content of so many bytes or with none.
    fn new_file(&self, length: Option<usize>, signer_info: SignerInfo<'_>) -> Output {
        let certificates = self.certificates.iter().map(|held| &held.0[..]).collect();
        let signed_data = cms::SignedData { content_type: oids::DATA, certificates, signer_info };
        let (before, after) = signed_data.around(length);
        Output::of([Piece::New(before), Piece::Kept(0..length.unwrap_or(0)), Piece::New(after)])
    }

    /// Returns a signed file with one signature more, perhaps a counter-signature of the signer at a place.
    fn added(&self, file: &[u8], of: Option<usize>, signer_info: &SignerInfo<'_>) -> Result<Output, SigningError> {
        let mut edits = Edits::new(file).map_err(|error| unreadable(&error))?;
        match of {
            None => edits.signer(&signer_info.der()),
            Some(place) if place < edits.signed_data().signers.len() => {
                edits.unsigned_attribute(place, attribute_of(oids::COUNTER_SIGNATURE, vec![signer_info.der()]))
            }
            Some(_) => {
                let found = "found a prepared counter-signature of a signature that is not there";
                return Err(SigningError::new(SigningErrorCode::StateUnreadable, found));
            }
        };
        for certificate in &self.certificates {
            edits.certificate(&certificate.0);
        }
        edits.output().map_err(|error| unreadable(&error))
    }
}
