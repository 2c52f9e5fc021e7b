//! The signature policy: EN 319 132-1 §5.2.9 (identifier) and §5.2.10 (store).

use super::properties::documentation;
use super::{Unpacked, child, descend, is, trimmed};
use crate::algorithm::DigestAlgorithm;
use crate::crypto::{Hasher, digest};
use crate::facts::{Digest, DocumentSpecification, SignaturePolicy, SignaturePolicyStore, UserNotice};
use crate::formats::ades;
use crate::formats::xml::signature::base64_text;
use crate::formats::xml::transform::{self, Data, Transform, TransformError};
use crate::formats::xml::{DSIG, Element};
use std::borrow::Cow;

/// Returns the policy that the signature names, and the policy document that it carries.
pub(super) fn read(
    unpacked: &Unpacked<'_>,
    property: Element<'_, '_>,
    store: Option<Element<'_, '_>>,
) -> (SignaturePolicy, Option<SignaturePolicyStore>) {
    let Some(element) = child(property, "SignaturePolicyId") else {
        return (SignaturePolicy { id: "IMPLICIT_POLICY".into(), ..SignaturePolicy::default() }, None);
    };
    let policy = identifier(element);
    let transforms = element.child(DSIG, "Transforms").map(transform::read);
    let document = store.and_then(|store| child(store, "SignaturePolicyDocument"));
    let document = document.and_then(|document| unpacked.value(document));
    let policy = match document {
        Some(document) => compare(policy, document, transforms.as_ref(), element),
        // §5.2.9: a hash of zeros says that no hash is known, so that there is nothing to compare.
        None if policy.zero_hash => SignaturePolicy { identified: true, digest_match: Some(true), ..policy },
        None => SignaturePolicy { digest_match: Some(false), digest_algorithms_equal: Some(false), ..policy },
    };
    let algorithm = policy.digest.as_ref().and_then(|digest| digest.algorithm);
    let store = store.map(|store| stored(store, document, algorithm));
    (SignaturePolicy { asn1_processable: policy.asn1_processable.or(Some(false)), ..policy }, store)
}

/// Reads a policy identifier.
///
/// ```xml
/// <SignaturePolicyId><SigPolicyId><Identifier/></SigPolicyId><ds:Transforms/>?<SigPolicyHash/>
///   <SigPolicyQualifiers><SigPolicyQualifier/>+</SigPolicyQualifiers>?</SignaturePolicyId>
/// ```
fn identifier(element: Element<'_, '_>) -> SignaturePolicy {
    let text = |path: &[&str]| descend(element, path).and_then(trimmed);
    let id = text(&["SigPolicyId", "Identifier"]).unwrap_or_default();
    let hash = child(element, "SigPolicyHash").map(stated_digest);
    let transforms = element.child(DSIG, "Transforms").into_iter().flat_map(|list| list.children());
    let mut policy = SignaturePolicy {
        id: id.strip_prefix("urn:oid:").map(Into::into).unwrap_or(id),
        description: text(&["SigPolicyId", "Description"]),
        documentation: child(element, "SigPolicyId").map(documentation).unwrap_or_default(),
        transformations: transforms.filter_map(|t| t.attribute("Algorithm")).map(Into::into).collect(),
        zero_hash: hash
            .as_ref()
            .is_some_and(|hash| !hash.value.0.is_empty() && hash.value.0.iter().all(|byte| *byte == 0)),
        digest: hash,
        ..SignaturePolicy::default()
    };
    let qualifiers = child(element, "SigPolicyQualifiers").into_iter().flat_map(|list| list.children());
    for part in qualifiers.flat_map(|qualifier| qualifier.children()) {
        match part.local() {
            "SPURI" => policy.url = trimmed(part),
            "SPUserNotice" => policy.user_notice = Some(user_notice(part)),
            "SPDocSpecification" => policy.document_specification = Some(specification(part)),
            _ => {}
        }
    }
    policy
}

/// Reads `DigestMethod` and `DigestValue`, of XMLDSig or (XAdES 1.1.1) of XAdES itself. XML Schema 2 §3.2.17: white
/// space around a URI is none of it.
pub(super) fn stated_digest(element: Element<'_, '_>) -> Digest {
    let part = |local: &str| element.child(DSIG, local).or_else(|| child(element, local));
    let method = part("DigestMethod").and_then(|method| method.attribute("Algorithm"));
    let value = part("DigestValue").and_then(base64_text).unwrap_or_default();
    Digest { algorithm: method.map(str::trim).and_then(DigestAlgorithm::from_uri), value: value.into() }
}

fn user_notice(element: Element<'_, '_>) -> UserNotice {
    let reference = child(element, "NoticeRef");
    let numbers = reference.and_then(|reference| child(reference, "NoticeNumbers"));
    let number = |element: Element<'_, '_>| trimmed(element)?.parse().ok();
    UserNotice {
        organization: reference.and_then(|reference| child(reference, "Organization")).and_then(trimmed),
        notice_numbers: numbers.into_iter().flat_map(|list| list.children()).filter_map(number).collect(),
        explicit_text: child(element, "ExplicitText").and_then(trimmed),
    }
}

fn specification(element: Element<'_, '_>) -> DocumentSpecification {
    DocumentSpecification {
        id: child(element, "Identifier").and_then(trimmed).unwrap_or_default(),
        description: child(element, "Description").and_then(trimmed),
        documentation: documentation(element),
    }
}

/// Reads a policy store:
///
/// `<SignaturePolicyStore><SPDocSpecification/>(<SignaturePolicyDocument/>|<SigPolDocLocalURI/>)</…>`
fn stored(store: Element<'_, '_>, document: Option<&[u8]>, algorithm: Option<DigestAlgorithm>) -> SignaturePolicyStore {
    let of = |bytes| {
        let algorithm = algorithm?;
        Some(Digest { algorithm: Some(algorithm), value: digest(algorithm, bytes)?.into() })
    };
    SignaturePolicyStore {
        specification: store.children().find(|c| is(*c, "SPDocSpecification")).map(specification).unwrap_or_default(),
        local_uri: child(store, "SigPolDocLocalURI").and_then(trimmed),
        digest: document.and_then(of),
    }
}

/// Compares the document with the stated digest: §5.2.9, of the document as its transforms make it.
fn compare(
    policy: SignaturePolicy,
    document: &[u8],
    transforms: Option<&Result<Vec<Transform>, TransformError>>,
    bearer: Element<'_, '_>,
) -> SignaturePolicy {
    let Some(transforms) = transforms else { return ades::policy::compare(policy, document, true) };
    let stated = policy.digest.as_ref();
    let computed = stated.and_then(|stated| stated.algorithm).and_then(Hasher::new).and_then(|mut hasher| {
        let data = Data::Bytes(Cow::Borrowed(document));
        transform::apply(data, transforms.as_ref().ok()?, bearer, &mut hasher).ok()?;
        Some(hasher.finish())
    });
    let matches = stated.is_some_and(|stated| computed.as_ref() == Some(&stated.value.0));
    SignaturePolicy { identified: true, digest_match: Some(matches), digest_algorithms_equal: Some(true), ..policy }
}
