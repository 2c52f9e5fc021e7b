//! The signature policy: TS 119 182-1 §5.2.7 (`sigPId`) and §5.3.3 (`sigPSt`).

use super::base64url::decode_any;
use super::json::{Node, Value};
use super::jws::Jws;
use super::material::digest;
use crate::algorithm::DigestAlgorithm;
use crate::facts::{Digest, DocumentSpecification, SignaturePolicy, SignaturePolicyStore, UserNotice};
use crate::formats::ades::policy;

/// Returns the policy that the signature names and the policy document that it carries.
pub(super) fn read(jws: &Jws<'_>) -> (Option<SignaturePolicy>, Option<SignaturePolicyStore>) {
    let stated = jws.protected.get("sigPId");
    let store = jws.etsi_u.members().find(|member| member.name == "sigPSt").map(|member| &member.value);
    let document = store.and_then(|store| decode_any(store.text_of("sigPolDoc")?));
    // `digPSp`: the digest is computed as the policy's own syntax says, not over the document.
    let own_syntax = stated.and_then(|stated| stated.get("digPSp")).is_some_and(|d| d.value == Value::Bool(true));
    let policy = stated.map(identifier).map(|policy| match &document {
        Some(document) => policy::compare(policy, document, own_syntax),
        None => SignaturePolicy {
            asn1_processable: Some(false),
            digest_match: Some(false),
            digest_algorithms_equal: Some(false),
            ..policy
        },
    });
    let algorithm = policy.as_ref().and_then(|policy| policy.digest.as_ref()?.algorithm);
    let store = store.map(|store| SignaturePolicyStore {
        specification: store.get("spDSpec").map(specification).unwrap_or_default(),
        local_uri: store.text_of("sigPolLocalURI").map(Into::into),
        digest: document.map(|document| {
            let algorithm = algorithm.unwrap_or(DigestAlgorithm::Sha256);
            let value = policy::document_digest(&document, algorithm, own_syntax).unwrap_or_default();
            Digest { algorithm: Some(algorithm), value: value.into() }
        }),
    });
    (policy, store)
}

/// Reads a policy identifier (§5.2.7.1).
fn identifier(node: &Node<'_>) -> SignaturePolicy {
    let object = node.get("id").map(specification).unwrap_or_default();
    let qualifiers = node.get("sigPQuals").map(|list| list.elements()).unwrap_or_default();
    let qualifier = |name: &str| qualifiers.iter().find_map(|qualifier| qualifier.get(name));
    SignaturePolicy {
        id: object.id,
        description: object.description,
        documentation: object.documentation,
        digest: digest(node),
        url: qualifier("spURI").and_then(|uri| uri.text().map(Into::into)),
        user_notice: qualifier("spUserNotice").map(user_notice),
        document_specification: qualifier("spDSpec").map(specification),
        ..SignaturePolicy::default()
    }
}

/// Reads `spUserNotice` (§5.2.7.3).
fn user_notice(node: &Node<'_>) -> UserNotice {
    let reference = node.get("noticeRef");
    let numbers = reference.and_then(|reference| reference.get("noticeNumbers")).map(|list| list.elements());
    let number = |node: &Node<'_>| match &node.value {
        Value::Number(number) => number.parse().ok(),
        _ => None,
    };
    UserNotice {
        organization: reference.and_then(|reference| reference.text_of("organization").map(Into::into)),
        notice_numbers: numbers.unwrap_or_default().iter().filter_map(number).collect(),
        explicit_text: node.text_of("explText").map(Into::into),
    }
}

/// Reads the `oId` type (§5.4.1). An identifier may be an OID as a URN (RFC 3061).
pub(super) fn specification(node: &Node<'_>) -> DocumentSpecification {
    let id = node.text_of("id").unwrap_or_default();
    DocumentSpecification {
        id: id.strip_prefix("urn:oid:").unwrap_or(id).into(),
        description: node.text_of("desc").map(Into::into),
        documentation: node.texts_of("docRefs"),
    }
}
