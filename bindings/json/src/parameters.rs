//! What a signer states, as JSON.

use crate::{Base64, Refused};
use lacre::Time;
use lacre::signing::{
    Commitment, CommitmentQualifier, DigestAlgorithm, EmbeddedCertificates, ExplicitPolicy, Place, SignatureParameters,
    SignaturePolicy, SigningErrorCode,
};
use serde::Deserialize;

/// What the signer states, whatever the format.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Parameters {
    /// The claimed signing time (RFC 3339); otherwise now.
    #[cfg_attr(feature = "schemas", schema(format = DateTime, nullable = false))]
    pub signing_time: Option<String>,
    /// The country in which it is signed: two letters of ISO 3166-1.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub country: Option<String>,
    /// The city in which it is signed.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub locality: Option<String>,
    /// Up to six lines of a postal address.
    #[serde(default)]
    pub postal_address: Vec<String>,
    /// Roles that the signer claims.
    #[serde(default)]
    pub claimed_roles: Vec<String>,
    /// CAdES: attribute certificates of the signer (RFC 5755, DER).
    #[serde(default)]
    pub certified_attributes: Vec<Base64>,
    /// CAdES: assertions that others signed, as text.
    #[serde(default)]
    pub signed_assertions: Vec<String>,
    /// What the signer commits to: `origin`, `receipt`, `delivery`, `sender`, `approval`, `creation`, or an object identifier.
    #[serde(default)]
    pub commitments: Vec<String>,
    /// CAdES: what the signer commits to, with qualifiers.
    #[serde(default)]
    pub qualified_commitments: Vec<QualifiedCommitment>,
    /// The signature policy.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub policy: Option<Policy>,
    /// Time-stamp tokens over the content, made before signing.
    #[serde(default)]
    pub content_timestamps: Vec<Base64>,
    /// Which certificates are embedded: `signer`, `chain` (the default) or `chain-with-root`.
    #[cfg_attr(feature = "schemas", schema(nullable = false, value_type = Option<String>, pattern = "^(signer|chain|chain-with-root)$"))]
    pub embedded: Option<EmbeddedCertificates>,
    /// Whether algorithms are allowed that TS 119 312 does not allow, or no longer.
    #[serde(default)]
    pub allow_weak_algorithms: bool,
}

/// A commitment type with qualifiers.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct QualifiedCommitment {
    /// Its object identifier (dotted).
    pub oid: String,
    /// What is stated besides; at least one.
    pub qualifiers: Vec<Qualifier>,
}

/// A qualifier of a commitment type.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Qualifier {
    /// Its object identifier (dotted), which says what the value is.
    pub oid: String,
    /// The value, DER.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub value: Option<Base64>,
}

/// A signature policy: `implied`, or one with an identifier.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// The policy follows from the content or the circumstances.
    Implied,
    /// A policy with an identifier and the digest of its document.
    Explicit(PolicyDocument),
}

/// A policy with an identifier and the digest of its document.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PolicyDocument {
    /// Its object identifier (dotted).
    pub oid: String,
    /// The digest function: `SHA-256` and the like.
    pub digest_algorithm: String,
    /// The digest of the policy's document.
    pub digest: Base64,
    /// Where the document can be had.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub uri: Option<String>,
    /// What users are to be shown.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub user_notice: Option<String>,
    /// CAdES: the document, to be held by the signature. It needs `documentSpecification`.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub document: Option<Base64>,
    /// The specification of the document's syntax: an object identifier or a URI.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub document_specification: Option<String>,
}

impl Parameters {
    /// Returns them as the library has them; `now` is the claimed time where none is stated.
    ///
    /// # Errors
    ///
    /// `parameter-invalid`.
    pub fn read(&self, now: Time) -> Result<SignatureParameters, Refused> {
        let mut read = SignatureParameters::new(now);
        if let Some(text) = &self.signing_time {
            let invalid = || invalid("signingTime", text, "RFC 3339 as in 2027-01-01T00:00:00Z");
            read.signing_time = text.parse().map_err(|_| invalid())?;
        }
        if self.country.is_some() || self.locality.is_some() || !self.postal_address.is_empty() {
            let (country, locality) = (self.country.clone(), self.locality.clone());
            read.place = Some(Place { country, locality, postal_address: self.postal_address.clone() });
        }
        read.claimed_roles.clone_from(&self.claimed_roles);
        read.certified_attributes = self.certified_attributes.iter().map(|held| held.0.clone()).collect();
        read.signed_assertions.clone_from(&self.signed_assertions);
        read.commitments = self.commitments.iter().map(|word| commitment(word)).collect::<Result<_, _>>()?;
        read.commitments.extend(self.qualified_commitments.iter().map(QualifiedCommitment::read));
        read.policy = self.policy.as_ref().map(Policy::read).transpose()?;
        read.content_timestamps = self.content_timestamps.iter().map(|token| token.0.clone()).collect();
        read.embedded = self.embedded.unwrap_or_default();
        read.allow_weak_algorithms = self.allow_weak_algorithms;
        Ok(read)
    }
}

impl QualifiedCommitment {
    fn read(&self) -> Commitment {
        let qualifier = |stated: &Qualifier| CommitmentQualifier {
            oid: stated.oid.clone(),
            value: stated.value.as_ref().map(|value| value.0.clone()),
        };
        Commitment::Qualified { oid: self.oid.clone(), qualifiers: self.qualifiers.iter().map(qualifier).collect() }
    }
}

impl Policy {
    fn read(&self) -> Result<SignaturePolicy, Refused> {
        let Self::Explicit(stated) = self else { return Ok(SignaturePolicy::Implied) };
        Ok(SignaturePolicy::Explicit(ExplicitPolicy {
            oid: stated.oid.clone(),
            digest_algorithm: digest_function(&stated.digest_algorithm)?,
            digest: stated.digest.0.clone(),
            uri: stated.uri.clone(),
            user_notice: stated.user_notice.clone(),
            document_specification: stated.document_specification.clone(),
            document: stated.document.as_ref().map(|document| document.0.clone()),
        }))
    }
}

/// Returns the digest function of that name or object identifier.
pub(crate) fn digest_function(name: &str) -> Result<DigestAlgorithm, Refused> {
    let found = DigestAlgorithm::from_name(name).or_else(|| DigestAlgorithm::from_oid(name));
    found.ok_or_else(|| invalid("the digest function", name, "SHA-256, SHA-384, SHA-512 …"))
}

/// Reads a commitment from its name (EN 319 122-1 §5.2.3) or object identifier.
fn commitment(word: &str) -> Result<Commitment, Refused> {
    Ok(match word {
        "origin" => Commitment::ProofOfOrigin,
        "receipt" => Commitment::ProofOfReceipt,
        "delivery" => Commitment::ProofOfDelivery,
        "sender" => Commitment::ProofOfSender,
        "approval" => Commitment::ProofOfApproval,
        "creation" => Commitment::ProofOfCreation,
        oid if oid.contains('.') => Commitment::Other(oid.to_owned()),
        _ => {
            let expected = "origin, receipt, delivery, sender, approval, creation, or an object identifier";
            return Err(invalid("a commitment", word, expected));
        }
    })
}

/// Makes the refusal of a member that cannot be read.
pub(crate) fn invalid(what: &str, found: &str, expected: &str) -> Refused {
    let found: String = found.escape_debug().take(64).collect();
    Refused::new(SigningErrorCode::ParameterInvalid, format!("{what}: found `{found}`, expected {expected}"))
}
