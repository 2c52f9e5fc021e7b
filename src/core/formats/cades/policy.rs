//! The signature policy: EN 319 122-1 §5.2.9 (identifier) and §5.2.10 (store).

use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Tag, Tlv};
use crate::facts::{Digest, DocumentSpecification, SignaturePolicy, SignaturePolicyStore, UserNotice};
use crate::formats::ades::policy::{compare, document_digest};
use crate::formats::cms::{Attributes, digest_algorithm, oids};
use std::collections::HashSet;

/// A policy document in a signature-policy-store.
struct Stored<'a> {
    facts: SignaturePolicyStore,
    document: Option<std::borrow::Cow<'a, [u8]>>,
}

/// Returns the policy that the signature names and the policy document that it carries.
pub(crate) fn read(
    signed: &Attributes<'_>,
    unsigned: &Attributes<'_>,
) -> (Option<SignaturePolicy>, Option<SignaturePolicyStore>) {
    let stated = signed.value(oids::SIGNATURE_POLICY).and_then(|value| identifier(&value));
    let algorithm = stated.as_ref().and_then(|policy| policy.digest.as_ref()?.algorithm);
    let stored = unsigned.value(oids::SIGNATURE_POLICY_STORE).and_then(|value| store(&value, algorithm));
    let policy = stated.map(|policy| match stored.as_ref().and_then(|stored| stored.document.as_deref()) {
        Some(document) => compare(policy, document, true),
        // EN 319 122-1 §5.2.9.1: a hash of zeros says that no hash is known, so that there is nothing to compare.
        None if policy.zero_hash => SignaturePolicy {
            identified: true,
            asn1_processable: Some(false),
            digest_match: Some(true),
            digest: Some(Digest::default()),
            ..policy
        },
        None => SignaturePolicy {
            asn1_processable: Some(false),
            digest_match: Some(false),
            digest_algorithms_equal: Some(false),
            ..policy
        },
    });
    (policy, stored.map(|stored| stored.facts))
}

/// Reads a signature-policy-identifier.
///
/// ```asn1
/// SignaturePolicy ::= CHOICE { signaturePolicyId SignaturePolicyId, signaturePolicyImplied NULL }
/// SignaturePolicyId ::= SEQUENCE { sigPolicyId OBJECT IDENTIFIER, sigPolicyHash OtherHashAlgAndValue OPTIONAL,
///                                  sigPolicyQualifiers SEQUENCE OF SigPolicyQualifierInfo OPTIONAL }
/// ```
fn identifier(value: &Tlv<'_>) -> Option<SignaturePolicy> {
    if value.is(Tag::NULL) {
        return Some(SignaturePolicy { id: "IMPLICIT_POLICY".into(), ..Default::default() });
    }
    let mut reader = value.children();
    let id = reader.expect(Tag::OID).ok()?.oid().ok()?.to_string();
    let mut policy = SignaturePolicy { id, ..Default::default() };
    for part in reader {
        let mut inner = part.children();
        let Some(first) = inner.read().ok() else { continue };
        // A hash begins with an AlgorithmIdentifier and goes on with bytes; qualifiers are SEQUENCEs only.
        match inner.read().ok() {
            Some(bytes) if bytes.is(Tag::OCTET_STRING) => {
                let value = bytes.bytes().ok()?.into_owned();
                policy.zero_hash = value.iter().all(|byte| *byte == 0);
                policy.digest = Some(Digest { algorithm: digest_algorithm(&first), value: value.into() });
            }
            _ => qualifiers(part).for_each(|qualifier| {
                let _ = add_qualifier(&mut policy, &qualifier);
            }),
        }
    }
    Some(policy)
}

/// Returns whether it is a signature-policy-identifier, and its qualifiers can be read: EN 319 122-1 §5.2.9. Whoever
/// reads it otherwise sees a policy that nothing was validated by.
pub(super) fn is_identifier(value: &Tlv<'_>) -> bool {
    let is_hash = |part: &Tlv<'_>| part.children().nth(1).is_some_and(|value| value.is(Tag::OCTET_STRING));
    let (hashes, parts): (Vec<_>, Vec<_>) = value.children().skip(1).partition(is_hash);
    let mut kinds = HashSet::new();
    let mut is_qualifier = |qualifier: Tlv<'_>| {
        let first = qualifier.inner().is_ok_and(|kind| kinds.insert(kind.raw.to_vec()));
        first && add_qualifier(&mut SignaturePolicy::default(), &qualifier).is_some()
    };
    identifier(value).is_some() && hashes.len() < 2 && parts.into_iter().flat_map(qualifiers).all(&mut is_qualifier)
}

/// Returns the qualifiers in a list of them. NOTE: Spanish software left out the list where there is one.
fn qualifiers(list: Tlv<'_>) -> impl Iterator<Item = Tlv<'_>> {
    let bare = list.inner().is_ok_and(|first| first.is(Tag::OID));
    let listed = list.children().filter(move |_| !bare);
    bare.then_some(list).into_iter().chain(listed)
}

/// Adds what a qualifier says; `None` where it cannot be read. One of an unknown type says nothing.
fn add_qualifier(policy: &mut SignaturePolicy, qualifier: &Tlv<'_>) -> Option<()> {
    let mut reader = qualifier.children();
    let oid = reader.read().ok()?.oid().ok()?;
    let value = reader.read().ok()?;
    if oid == oids::POLICY_URI {
        policy.url = Some(value.string().ok()?.into_owned());
    } else if oid == oids::POLICY_USER_NOTICE {
        policy.user_notice = Some(user_notice(&value));
    } else if oid == oids::POLICY_DOCUMENT_SPECIFICATION {
        policy.document_specification = Some(specification(&value));
    }
    Some(())
}

/// Reads a user notice.
///
/// ```asn1
/// SPUserNotice ::= SEQUENCE { noticeRef SEQUENCE { organization DisplayText, noticeNumbers SEQUENCE OF INTEGER }
///                             OPTIONAL, explicitText DisplayText OPTIONAL }
/// ```
fn user_notice(value: &Tlv<'_>) -> UserNotice {
    let mut notice = UserNotice::default();
    for part in value.children() {
        if part.is_string() {
            notice.explicit_text = part.string().ok().map(|text| text.into_owned());
            continue;
        }
        let mut reader = part.children();
        notice.organization = reader.read().ok().and_then(|tlv| tlv.string().ok().map(|text| text.into_owned()));
        let numbers = reader.read().ok().map(|tlv| tlv.children().filter_map(|n| n.to_i64().ok()).collect());
        notice.notice_numbers = numbers.unwrap_or_default();
    }
    notice
}

/// Reads `SPDocSpecification ::= CHOICE { oid OBJECT IDENTIFIER, uri IA5String }`.
fn specification(value: &Tlv<'_>) -> DocumentSpecification {
    let id = match value.oid() {
        Ok(oid) if value.is(Tag::OID) => oid.to_string(),
        _ => value.string().map(|text| text.into_owned()).unwrap_or_default(),
    };
    DocumentSpecification { id, ..Default::default() }
}

/// Returns whether it is a signature-policy-store.
pub(super) fn is_store(value: &Tlv<'_>) -> bool {
    store(value, None).is_some()
}

/// Reads a signature-policy-store.
///
/// ```asn1
/// SignaturePolicyStore ::= SEQUENCE { spDocSpec SPDocSpecification,
///   spDocument CHOICE { sigPolicyEncoded OCTET STRING, sigPolicyLocalURI IA5String } }
/// ```
fn store<'a>(value: &Tlv<'a>, algorithm: Option<DigestAlgorithm>) -> Option<Stored<'a>> {
    let mut reader = value.children();
    let specification = specification(&reader.read().ok()?);
    let document = reader.read().ok()?;
    if document.is_string() {
        let local_uri = document.string().ok().map(|text| text.into_owned());
        let facts = SignaturePolicyStore { specification, local_uri, digest: None };
        return Some(Stored { facts, document: None });
    }
    let bytes = document.bytes().ok()?;
    let algorithm = algorithm.unwrap_or(DigestAlgorithm::Sha256);
    let value = document_digest(&bytes, algorithm, true).unwrap_or_default();
    let digest = Some(Digest { algorithm: Some(algorithm), value: value.into() });
    Some(Stored { facts: SignaturePolicyStore { specification, local_uri: None, digest }, document: Some(bytes) })
}
