//! What a signer states, whatever the format: EN 319 122-1 §5.2, EN 319 142-1 §6.3.

use crate::algorithm::DigestAlgorithm;
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
            signed_assertions: vec![],
            commitments: vec![],
            policy: None,
            content_timestamps: vec![],
            embedded: EmbeddedCertificates::default(),
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
