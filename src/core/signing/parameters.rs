//! What a signer states, whatever the format: EN 319 122-1 §5.2, EN 319 142-1 §6.3.

use super::attributes::{identifier, invalid, not_empty};
use super::{SigningError, SigningErrorCode};
use crate::algorithm::DigestAlgorithm;
use crate::formats::ades::policy::document_digest;
use crate::time::Time;
use serde::{Deserialize, Serialize};

/// What a signer states in signed attributes. A format that has no place for one of them refuses it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SignatureParameters {
    /// The claimed signing time: `signing-time` (RFC 5652 §11.3), in PDF `/M`.
    pub signing_time: Time,
    /// Where it was signed: `signer-location` (EN 319 122-1 §5.2.5), in PDF `/Location`.
    pub place: Option<Place>,
    /// Roles that the signer claims: `signer-attributes-v2` (§5.2.6.1).
    pub claimed_roles: Vec<String>,
    /// Attribute certificates of the signer (RFC 5755, DER): `signer-attributes-v2`.
    pub certified_attributes: Vec<Vec<u8>>,
    /// Assertions that others signed, as text: `signer-attributes-v2`.
    pub signed_assertions: Vec<String>,
    /// What the signer commits to: `commitment-type-indication` (§5.2.3).
    pub commitments: Vec<Commitment>,
    /// The signature policy: `signature-policy-identifier` (§5.2.9).
    pub policy: Option<SignaturePolicy>,
    /// Time-stamp tokens over the content, made before signing: `content-time-stamp` (§5.2.8).
    pub content_timestamps: Vec<Vec<u8>>,
    /// Which certificates are embedded.
    pub embedded: EmbeddedCertificates,
    /// The digest by which `signing-certificate-v2` names the signing certificate (§5.2.2.3).
    pub certificate_digest: DigestAlgorithm,
    /// Whether algorithms are allowed that TS 119 312 does not, or no longer at the claimed time.
    pub allow_weak_algorithms: bool,
}

impl SignatureParameters {
    /// Makes parameters that state nothing but a signing time.
    pub fn new(signing_time: Time) -> Self {
        Self {
            signing_time,
            place: None,
            claimed_roles: vec![],
            certified_attributes: vec![],
            signed_assertions: vec![],
            commitments: vec![],
            policy: None,
            content_timestamps: vec![],
            embedded: EmbeddedCertificates::default(),
            certificate_digest: DigestAlgorithm::Sha256,
            allow_weak_algorithms: false,
        }
    }
}

/// Which certificates a signature embeds. The signing certificate always is (EN 319 122-1 §6.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EmbeddedCertificates {
    /// The signing certificate alone.
    Signer,
    /// The chain without a self-signed certificate.
    #[default]
    Chain,
    /// The chain with its self-signed certificate.
    ChainWithRoot,
}

/// A place: EN 319 122-1 §5.2.5.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Place {
    /// The country, two letters of ISO 3166-1.
    pub country: Option<String>,
    /// The city.
    pub locality: Option<String>,
    /// Up to six lines of a postal address.
    pub postal_address: Vec<String>,
}

impl Place {
    /// Checks that something is stated, and is of the form that `signer-location` has.
    pub(super) fn check(&self) -> Result<(), SigningError> {
        if self.country.is_none() && self.locality.is_none() && self.postal_address.is_empty() {
            return Err(invalid("found an empty place, expected a country, a city or an address".into()));
        }
        if let Some(country) = &self.country
            && (country.len() != 2 || !country.bytes().all(|byte| byte.is_ascii_uppercase()))
        {
            return Err(invalid(format!("found the country `{country}`, expected two capital letters of ISO 3166-1")));
        }
        let lines = self.postal_address.len();
        if lines > 6 {
            return Err(invalid(format!("found a postal address of {lines} lines, expected at most 6")));
        }
        let mut texts = self.locality.iter().chain(&self.postal_address);
        texts.try_for_each(|text| not_empty("part of a place", text))
    }
}

/// A commitment type: EN 319 122-1 §5.2.3.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Commitment {
    /// Having made, approved and sent the content.
    ProofOfOrigin,
    /// Having received it.
    ProofOfReceipt,
    /// Having delivered it to the recipient's store.
    ProofOfDelivery,
    /// Having sent it.
    ProofOfSender,
    /// Approving it.
    ProofOfApproval,
    /// Having made it.
    ProofOfCreation,
    /// Another, by its object identifier (dotted).
    Other(String),
    /// Any of them with qualifiers.
    Qualified {
        /// The object identifier (dotted).
        oid: String,
        /// What is stated besides; at least one.
        qualifiers: Vec<CommitmentQualifier>,
    },
}

/// A qualifier of a commitment type: EN 319 122-1 §5.2.3.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommitmentQualifier {
    /// Its object identifier (dotted), which says what the value is.
    pub oid: String,
    /// The value, DER.
    pub value: Option<Vec<u8>>,
}

/// A signature policy: EN 319 122-1 §5.2.9.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignaturePolicy {
    /// The policy follows from the content or the circumstances.
    Implied,
    /// A policy with an identifier and the digest of its document.
    Explicit(ExplicitPolicy),
}

/// A policy with an identifier and the digest of its document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplicitPolicy {
    /// Its object identifier (dotted).
    pub oid: String,
    /// The digest function.
    pub digest_algorithm: DigestAlgorithm,
    /// The digest of the policy document.
    pub digest: Vec<u8>,
    /// Where the document can be had: qualifier SPuri.
    pub uri: Option<String>,
    /// What users are to be shown: qualifier SPUserNotice.
    pub user_notice: Option<String>,
    /// The specification of the document's syntax: qualifier SPDocSpecification, an object identifier or a URI.
    pub document_specification: Option<String>,
    /// The document, to be held by the signature: `signature-policy-store` (EN 319 122-1 §5.4.2).
    pub document: Option<Vec<u8>>,
}

impl ExplicitPolicy {
    /// Checks that the parts are of the form that `signature-policy-identifier` has, and that a document to be held is
    /// the one that the digest names (EN 319 122-1 §5.2.10).
    pub(super) fn check(&self) -> Result<(), SigningError> {
        identifier(&self.oid)?;
        let (found, expected) = (self.digest.len(), self.digest_algorithm.length());
        if found != expected {
            let message = format!("found a policy digest of {found} bytes, expected {expected}");
            return Err(SigningError::new(SigningErrorCode::DigestLength, message));
        }
        for (what, text) in [("URI", &self.uri), ("document specification", &self.document_specification)] {
            if let Some(text) = text {
                not_empty(what, text)?;
                if !text.is_ascii() {
                    return Err(invalid(format!("found the {what} `{text}` of a policy, expected ASCII")));
                }
            }
        }
        if let Some(notice) = &self.user_notice {
            let length = notice.chars().count();
            // RFC 5280 §4.2.1.4: DisplayText.
            if length == 0 || length > 200 {
                return Err(invalid(format!("found a user notice of {length} characters, expected 1 to 200")));
            }
        }
        let Some(document) = &self.document else { return Ok(()) };
        if self.document_specification.is_none() {
            let found = "found a policy document without its specification, expected both (EN 319 122-1 §5.2.10)";
            return Err(SigningError::new(SigningErrorCode::ParametersConflict, found));
        }
        if document_digest(document, self.digest_algorithm, true).as_ref() != Some(&self.digest) {
            let found = "found a policy document of another digest than the policy's";
            return Err(SigningError::new(SigningErrorCode::ParametersConflict, found)
                .with_hint("give the document that the identifier names, or leave it out"));
        }
        Ok(())
    }
}
