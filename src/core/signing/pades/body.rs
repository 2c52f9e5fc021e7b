//! What a signature of a PDF is written of.

use crate::algorithm::DigestAlgorithm;
use crate::crypto::Hasher;
use crate::document::Document;
use crate::facts::Bytes;
use crate::formats::cms::oids;
use crate::formats::pdf::write::{Appended, Gap};
use crate::output::Output;
use crate::signing::cms::{SignedData, SignerInfo};
use crate::signing::prepared::Finishing;
use crate::signing::{SigningError, SigningErrorCode};
use serde::{Deserialize, Serialize};

/// What is kept between preparing and finishing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::signing) struct Body {
    /// The bytes of the update before `/Contents`.
    before: Bytes,
    /// How many bytes are reserved for the signature.
    reserved: u32,
    /// The bytes of the update after `/Contents`.
    after: Bytes,
    /// The certificates that are embedded, DER.
    certificates: Vec<Bytes>,
    /// The unsigned attributes, DER.
    unsigned: Vec<Bytes>,
}

impl Body {
    /// Keeps an update that has a gap for a signature.
    pub fn new(appended: Appended, certificates: Vec<Bytes>, unsigned: Vec<Bytes>) -> Result<Self, SigningError> {
        let reserved = appended.gap.as_ref().map_or(0, Gap::reserved);
        let reserved = u32::try_from(reserved).map_err(|_| {
            let found = format!("found {reserved} reserved bytes, expected at most {}", u32::MAX);
            SigningError::new(SigningErrorCode::ParameterInvalid, found)
        })?;
        let [before, after] = appended.covered().map(Bytes::from);
        Ok(Self { before, reserved, after, certificates, unsigned })
    }

    /// Returns the digest of what `/ByteRange` covers: the document, and the update around the gap.
    pub fn covered(&self, document: &Document<'_>, function: DigestAlgorithm) -> Option<Vec<u8>> {
        let mut hasher = Hasher::new(function)?;
        [document.bytes(), &self.before.0, &self.after.0].iter().for_each(|part| hasher.update(part));
        Some(hasher.finish())
    }

    /// Writes the signature.
    pub fn finish(&self, finishing: &Finishing<'_>) -> Result<Output, SigningError> {
        let kept = self.unsigned.iter().map(|attribute| attribute.0.clone());
        let unsigned: Vec<Vec<u8>> = kept.chain(finishing.timestamp.map(<[u8]>::to_vec)).collect();
        let signed_data = SignedData {
            content_type: oids::DATA,
            certificates: self.certificates.iter().map(|held| &held.0[..]).collect(),
            signer_info: SignerInfo {
                signer: finishing.signer,
                signed_attributes: finishing.to_be_signed,
                value: finishing.value,
                unsigned_attributes: &unsigned,
            },
        };
        let contents = signed_data.der(None);
        let gap = Gap { start: self.before.0.len(), end: self.before.0.len() + 2 * self.reserved as usize + 2 };
        let mut bytes = Vec::with_capacity(gap.end + self.after.0.len());
        bytes.extend_from_slice(&self.before.0);
        bytes.push(b'<');
        bytes.resize(gap.end - 1, b'0');
        bytes.push(b'>');
        bytes.extend_from_slice(&self.after.0);
        let mut appended = Appended { bytes, gap: Some(gap) };
        appended.fill(&contents)?;
        Ok(Output::appended(finishing.document.bytes().len(), appended.bytes))
    }
}
