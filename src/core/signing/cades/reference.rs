//! References to other signatures: RFC 2634 §2.11, EN 319 122-1 §5.2.11.

use super::unreadable;
use crate::asn1::Writer;
use crate::facts::Id;
use crate::formats::cms::{SignedData, oids};
use crate::formats::ids;
use crate::signing::attributes::{identifier, invalid};
use crate::signing::{SigningError, SigningErrorCode};

/// A reference to another signature, by the identifier that it gives its content, and by its value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContentReference {
    /// The content type, an object identifier (dotted).
    pub content_type: String,
    /// What the other signature has as `content-identifier` (RFC 2634 §2.7).
    pub identifier: Vec<u8>,
    /// Its value.
    pub value: Vec<u8>,
}

impl ContentReference {
    /// Makes a reference by its parts.
    pub fn new(content_type: impl Into<String>, identifier: Vec<u8>, value: Vec<u8>) -> Self {
        Self { content_type: content_type.into(), identifier, value }
    }

    /// Makes the reference to a signature of a CMS file: the one of this [id](crate::facts::Signature::id), or the only one.
    ///
    /// # Errors
    ///
    /// `document-unreadable`; `signature-not-found`; `parameter-invalid` where the signature has no `content-identifier`.
    pub fn to(file: &[u8], id: Option<&Id>) -> Result<Self, SigningError> {
        let signed_data = SignedData::parse(file).map_err(|error| unreadable(&error))?;
        let is_it = |raw: &[u8]| id.is_none_or(|id| ids::of_parts("S-", &[raw]) == *id);
        let mut chosen = signed_data.signers.iter().filter(|signer| is_it(signer.raw.raw));
        let (Some(signer), None) = (chosen.next(), chosen.next()) else {
            let found = format!("found {} signatures, expected one that is referred to", signed_data.signers.len());
            return Err(SigningError::new(SigningErrorCode::SignatureNotFound, found).with_hint("name it by its id"));
        };
        let stated = signer.signed.value(oids::CONTENT_IDENTIFIER).and_then(|value| value.bytes().ok());
        let identifier = stated.ok_or_else(|| {
            invalid("found a signature without content-identifier, expected one that can be referred to".into())
        })?;
        Ok(Self::new(signed_data.content_type.dotted(), identifier.into_owned(), signer.value.to_vec()))
    }

    /// Makes a `ContentReference`:
    ///
    /// ```asn1
    /// ContentReference ::= SEQUENCE { contentType OBJECT IDENTIFIER, signedContentIdentifier OCTET STRING,
    ///                                 originatorSignatureValue OCTET STRING }
    /// ```
    pub(in crate::signing) fn der(&self) -> Result<Vec<u8>, SigningError> {
        if self.identifier.is_empty() || self.value.is_empty() {
            return Err(invalid(
                "found an empty reference to a signature, expected its identifier and its value".into(),
            ));
        }
        let content_type = identifier(&self.content_type)?;
        let mut w = Writer::new();
        w.sequence(|w| {
            w.raw(&content_type).octet_string(&self.identifier).octet_string(&self.value);
        });
        Ok(w.finish())
    }
}
