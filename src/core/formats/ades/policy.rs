//! The document of a signature policy, compared with the digest that a signature states of it: EN 319 122-1 §5.2.9.

use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Tag, Tlv};
use crate::crypto::{Hasher, digest};
use crate::facts::SignaturePolicy;
use crate::formats::cms::digest_algorithm;
use crate::formats::draft::SignatureFacts;

/// Returns whether a policy store stands beside a policy identifier with a digest, or there is none: EN 319 122-1
/// §5.2.10, EN 319 132-1 §5.2.10, TS 119 182-1 §6.3 requirement b).
pub(crate) fn store_has_digest(facts: &SignatureFacts) -> bool {
    let digest = facts.policy.as_ref().and_then(|policy| policy.digest.as_ref());
    facts.policy_store.is_none() || digest.is_some_and(|digest| digest.algorithm.is_some())
}

/// Compares the document with the stated digest. With `own_syntax` the digest of an ASN.1 policy is the one that its own
/// syntax defines.
pub(crate) fn compare(policy: SignaturePolicy, document: &[u8], own_syntax: bool) -> SignaturePolicy {
    let algorithm = policy.digest.as_ref().and_then(|digest| digest.algorithm);
    let own = asn1_policy(document);
    let own_algorithm = own.as_ref().map(|(identifier, _)| digest_algorithm(identifier));
    let computed = algorithm.and_then(|algorithm| document_digest(document, algorithm, own_syntax));
    let matches = policy.digest.as_ref().is_some_and(|stated| computed.as_ref() == Some(&stated.value.0));
    SignaturePolicy {
        identified: true,
        asn1_processable: Some(own.is_some()),
        digest_match: Some(matches),
        digest_algorithms_equal: Some(own_algorithm.is_none_or(|own| own == algorithm)),
        ..policy
    }
}

/// Returns the digest of a policy document: of the file, or of the `signPolicyHashAlg` and `signPolicyInfo` of an ASN.1
/// policy (TR 102 272 §6.1) with `own_syntax`.
pub(crate) fn document_digest(document: &[u8], algorithm: DigestAlgorithm, own_syntax: bool) -> Option<Vec<u8>> {
    match asn1_policy(document).filter(|_| own_syntax) {
        Some((identifier, info)) => {
            let mut hasher = Hasher::new(algorithm)?;
            hasher.update(identifier.raw);
            hasher.update(info.raw);
            Some(hasher.finish())
        }
        None => digest(algorithm, document),
    }
}

/// Returns algorithm and information of `SignaturePolicy ::= SEQUENCE { signPolicyHashAlg AlgorithmIdentifier,
/// signPolicyInfo SEQUENCE, signPolicyHash OCTET STRING OPTIONAL }`.
fn asn1_policy(document: &[u8]) -> Option<(Tlv<'_>, Tlv<'_>)> {
    let mut reader = Tlv::whole(document).ok()?.expecting(Tag::SEQUENCE).ok()?.children();
    let identifier = reader.expect(Tag::SEQUENCE).ok()?;
    identifier.children().expect(Tag::OID).ok()?;
    Some((identifier, reader.expect(Tag::SEQUENCE).ok()?))
}
