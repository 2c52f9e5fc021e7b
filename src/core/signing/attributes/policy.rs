//! The signature policy: EN 319 122-1 §5.2.9 (identifier) and §5.2.10 (store).

use super::{attribute, identifier};
use crate::asn1::{Tag, Writer, tlv};
use crate::crypto::digest_algorithm_identifier;
use crate::formats::cms::oids;
use crate::signing::parameters::{ExplicitPolicy, SignaturePolicy};
use crate::signing::{SignatureParameters, SigningError};

/// Makes a `SignaturePolicy`:
///
/// ```asn1
/// SignaturePolicy ::= CHOICE { signaturePolicyId SignaturePolicyId, signaturePolicyImplied NULL }
/// SignaturePolicyId ::= SEQUENCE { sigPolicyId OBJECT IDENTIFIER, sigPolicyHash OtherHashAlgAndValue OPTIONAL,
///                                  sigPolicyQualifiers SEQUENCE OF SigPolicyQualifierInfo OPTIONAL }
/// ```
pub(super) fn policy_identifier(policy: &SignaturePolicy) -> Result<Vec<u8>, SigningError> {
    let policy = match policy {
        SignaturePolicy::Implied => return Ok(tlv(Tag::NULL, &[])),
        SignaturePolicy::Explicit(policy) => policy,
    };
    policy.check()?;
    let qualifiers = qualifiers(policy)?;
    let mut w = Writer::new();
    let oid = identifier(&policy.oid)?;
    w.sequence(|w| {
        w.raw(&oid).sequence(|w| {
            w.raw(&digest_algorithm_identifier(policy.digest_algorithm)).octet_string(&policy.digest);
        });
        if !qualifiers.is_empty() {
            w.element(Tag::SEQUENCE, &qualifiers);
        }
    });
    Ok(w.finish())
}

/// Makes the qualifiers, each a `SigPolicyQualifierInfo ::= SEQUENCE { sigPolicyQualifierId OBJECT IDENTIFIER,
/// qualifier ANY }` (EN 319 122-1 §5.2.9.2).
fn qualifiers(policy: &ExplicitPolicy) -> Result<Vec<u8>, SigningError> {
    let mut w = Writer::new();
    if let Some(uri) = &policy.uri {
        w.sequence(|w| {
            w.oid(oids::POLICY_URI).ia5(uri);
        });
    }
    if let Some(notice) = &policy.user_notice {
        // Its reference to a numbered notice is left out.
        w.sequence(|w| {
            w.oid(oids::POLICY_USER_NOTICE).sequence(|w| {
                w.utf8(notice);
            });
        });
    }
    if let Some(specification) = &policy.document_specification {
        w.sequence(|w| {
            w.oid(oids::POLICY_DOCUMENT_SPECIFICATION).raw(&document_specification(specification));
        });
    }
    Ok(w.finish())
}

/// Makes an `SPDocSpecification ::= CHOICE { oid OBJECT IDENTIFIER, uri IA5String }`.
fn document_specification(text: &str) -> Vec<u8> {
    identifier(text).unwrap_or_else(|_| tlv(Tag::IA5_STRING, text.as_bytes()))
}

/// Returns the signature-policy-store attribute, where the document of the policy is to be held: EN 319 122-1 §5.2.10.
///
/// ```asn1
/// SignaturePolicyStore ::= SEQUENCE { spDocSpec SPDocSpecification,
///   spDocument CHOICE { sigPolicyEncoded OCTET STRING, sigPolicyLocalURI IA5String } }
/// ```
///
/// # Errors
///
/// [`SigningError`] as [`signed_attributes`](super::signed_attributes) has it about the policy.
pub(crate) fn policy_store(parameters: &SignatureParameters) -> Result<Option<Vec<u8>>, SigningError> {
    let Some(SignaturePolicy::Explicit(policy)) = &parameters.policy else { return Ok(None) };
    policy.check()?;
    let held = policy.document.as_ref().zip(policy.document_specification.as_ref());
    Ok(held.map(|(document, specification)| {
        attribute(oids::SIGNATURE_POLICY_STORE, |w| {
            w.sequence(|w| {
                w.raw(&document_specification(specification)).octet_string(document);
            });
        })
    }))
}
