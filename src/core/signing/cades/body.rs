//! What a CAdES signature is written of.

use crate::facts::Bytes;
use crate::formats::cms::oids;
use crate::signing::cms::{SignedData, SignerInfo};
use crate::signing::prepared::Finishing;
use crate::signing::{Output, Piece, SigningError};
use serde::{Deserialize, Serialize};

/// What is kept between preparing and finishing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::signing) struct Body {
    /// The certificates that are embedded, DER.
    pub certificates: Vec<Bytes>,
    /// The unsigned attributes, DER.
    pub unsigned: Vec<Bytes>,
    /// Whether the signature holds the content.
    pub enveloped: bool,
}

impl Body {
    /// Writes the signature.
    pub fn finish(&self, finishing: &Finishing<'_>) -> Result<Output, SigningError> {
        let unsigned: Vec<Vec<u8>> = self
            .unsigned
            .iter()
            .map(|attribute| attribute.0.clone())
            .chain(finishing.timestamp.map(<[u8]>::to_vec))
            .collect();
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
        if !self.enveloped {
            return Ok(Output::new(signed_data.der(None)));
        }
        let length = finishing.document.bytes().len();
        let (before, after) = signed_data.around(Some(length));
        Ok(Output::of(vec![Piece::New(before), Piece::Kept(0..length), Piece::New(after)]))
    }
}
