//! What the references of a signature say, compared with what they point at: XMLDSig §4.4.3, EN 319 132-1 §4.4.

use super::{is, qualifying};
use crate::algorithm::DigestAlgorithm;
use crate::crypto::Hasher;
use crate::facts::{Digest, DigestMatcher, MatcherType};
use crate::formats::Contents;
use crate::formats::cms::Content;
use crate::formats::xml::signature::{Reference, Target, XmlSignature, references, unescaped};
use crate::formats::xml::{DSIG, Element};

/// A reference with its comparison.
pub(super) struct Matched<'t, 's> {
    pub(super) reference: Reference<'t, 's>,
    pub(super) matcher: DigestMatcher,
}

/// The references of a signature, and of the manifests that they point at, in order.
pub(super) fn matched<'t, 's>(signature: &XmlSignature<'t, 's>, contents: &Contents<'_>) -> Vec<Matched<'t, 's>> {
    let mut all = vec![];
    for reference in &signature.references {
        let kind = kind(reference, signature.element);
        all.push(compare(reference, signature.element, contents, kind));
        let manifest = pointed(reference).filter(|element| element.is(DSIG, "Manifest"));
        for entry in manifest.and_then(|manifest| references(manifest).ok()).unwrap_or_default() {
            all.push(compare(&entry, signature.element, contents, MatcherType::ManifestEntry));
        }
    }
    all
}

/// A matcher for signed properties that no reference points at: they are not signed.
pub(super) fn missing_properties() -> DigestMatcher {
    DigestMatcher {
        kind: MatcherType::SignedProperties,
        digest: Digest::default(),
        data_found: false,
        data_intact: false,
        id: None,
        uri: None,
        document_name: None,
        object_references: vec![],
        duplicated: false,
    }
}

/// The element that a reference points at.
pub(super) fn pointed<'t, 's>(reference: &Reference<'t, 's>) -> Option<Element<'t, 's>> {
    match reference.target() {
        Target::Element { node, .. } => reference.element.tree().element(node),
        _ => None,
    }
}

fn kind(reference: &Reference<'_, '_>, signature: Element<'_, '_>) -> MatcherType {
    let stated = reference.kind.unwrap_or_default();
    let local = pointed(reference).map(|element| element.local());
    let by_id = reference.uri.is_some_and(|uri| uri.starts_with('#'));
    if own_properties(reference, signature) || by_id && is_properties_type(stated) {
        MatcherType::SignedProperties
    } else if is_counter_type(stated) {
        MatcherType::CounterSignature
    } else if local == Some("KeyInfo") {
        MatcherType::KeyInfo
    } else if local == Some("Manifest") || stated == "http://www.w3.org/2000/09/xmldsig#Manifest" {
        MatcherType::Manifest
    } else if local == Some("SignatureProperties") {
        MatcherType::SignatureProperties
    } else if own_object(reference, signature) || stated == "http://www.w3.org/2000/09/xmldsig#Object" {
        MatcherType::Object
    } else if reference.uri.is_some_and(|uri| uri.starts_with("#xpointer")) {
        MatcherType::XPointer
    } else {
        MatcherType::Reference
    }
}

/// Whether what a reference of that kind points at stands where a signature keeps it.
///
/// Whoever moves an object elsewhere keeps its digest, but not its meaning: an application looks for it in the
/// signature, and there may be another by then.
fn in_its_place(kind: MatcherType, reference: &Reference<'_, '_>, signature: Element<'_, '_>) -> bool {
    match kind {
        MatcherType::SignedProperties => own_properties(reference, signature),
        MatcherType::Object => own_object(reference, signature),
        MatcherType::Manifest => pointed(reference)
            .filter(|manifest| manifest.is(DSIG, "Manifest"))
            .and_then(|manifest| manifest.parent())
            .is_some_and(|object| is_object_of(object, signature)),
        _ => true,
    }
}

fn own_properties(reference: &Reference<'_, '_>, signature: Element<'_, '_>) -> bool {
    let own = qualifying(signature).and_then(|qualifying| super::child(qualifying, "SignedProperties"));
    own.zip(pointed(reference)).is_some_and(|(own, element)| own.id() == element.id())
}

fn own_object(reference: &Reference<'_, '_>, signature: Element<'_, '_>) -> bool {
    pointed(reference).is_some_and(|element| is_object_of(element, signature))
}

fn is_object_of(element: Element<'_, '_>, signature: Element<'_, '_>) -> bool {
    element.is(DSIG, "Object") && element.parent().is_some_and(|parent| parent.id() == signature.id())
}

fn is_counter_type(stated: &str) -> bool {
    stated.starts_with("http://uri.etsi.org/01903") && stated.ends_with("#CountersignedSignature")
}

/// For a counter-signature: whether it signs the value of the signature around it. EN 319 132-1 §5.2.7.2.
pub(super) fn countersigned(signature: &XmlSignature<'_, '_>) -> DigestMatcher {
    let element = signature.element;
    // Signature within CounterSignature within properties within the signature that is counter-signed.
    let tree = element.tree();
    let around = tree.ancestors_or_self(element.id()).skip(1).filter_map(|node| tree.element(node));
    let value = around.into_iter().find(|e| e.is(DSIG, "Signature")).and_then(|e| e.child(DSIG, "SignatureValue"));
    let signs = |reference: &Reference<'_, '_>| {
        value.zip(pointed(reference)).is_some_and(|(value, element)| value.id() == element.id())
    };
    let signs = signature.references.iter().any(signs);
    DigestMatcher {
        kind: MatcherType::CounterSignedSignatureValue,
        data_found: true,
        data_intact: signs,
        ..missing_properties()
    }
}

fn is_properties_type(stated: &str) -> bool {
    stated.starts_with("http://uri.etsi.org/01903") && stated.ends_with("#SignedProperties")
}

/// Whether the signature has signed properties at all.
pub(super) fn has_properties(signature: Element<'_, '_>) -> bool {
    qualifying(signature).is_some_and(|q| q.children().any(|c| is(c, "SignedProperties")))
}

fn compare<'t, 's>(
    reference: &Reference<'t, 's>,
    signature: Element<'t, 's>,
    contents: &Contents<'_>,
    kind: MatcherType,
) -> Matched<'t, 's> {
    let algorithm = DigestAlgorithm::from_uri(reference.digest_method);
    let outside = outside(reference, contents, signature);
    let value = digested(reference, signature, outside);
    let value = value.filter(|_| in_its_place(kind, reference, signature));
    let document_name = outside.and_then(|content| content.name()).map(Into::into);
    let ambiguous = matches!(reference.target(), Target::Element { ambiguous: true, .. });
    let matcher = DigestMatcher {
        kind,
        digest: Digest { algorithm, value: reference.digest.clone().unwrap_or_default().into() },
        // Which of several elements with one id was signed, nobody knows.
        data_found: value.is_some() && !ambiguous,
        data_intact: !ambiguous && value.is_some() && value == reference.digest,
        id: reference.element.attribute("Id").map(Into::into),
        uri: reference.uri.map(Into::into),
        document_name,
        object_references: vec![],
        duplicated: ambiguous,
    };
    Matched { reference: reference.clone(), matcher }
}

/// The digest of what a reference points at, as its transforms make it.
fn digested(
    reference: &Reference<'_, '_>,
    signature: Element<'_, '_>,
    outside: Option<&Content<'_>>,
) -> Option<Vec<u8>> {
    let algorithm = DigestAlgorithm::from_uri(reference.digest_method)?;
    // What lies outside and is not transformed is digested once for all that refer to it.
    if let (Some(content), Ok([])) = (outside, reference.transforms.as_deref()) {
        return content.digest(algorithm);
    }
    let mut hasher = Hasher::new(algorithm)?;
    reference.octets(signature, outside.and_then(Content::whole), &mut hasher).ok()?;
    Some(hasher.finish())
}

/// What lies outside the document: the content that is named and has the digest, or that has the digest under another
/// name; failing these the one that is named, or the only one.
pub(super) fn outside<'c, 'd>(
    reference: &Reference<'_, '_>,
    contents: &'c Contents<'d>,
    signature: Element<'_, '_>,
) -> Option<&'c Content<'d>> {
    if reference.target() != Target::Outside {
        return None;
    }
    let named = reference.uri.and_then(|uri| contents.named(&unescaped(uri)));
    // EN 319 162-1 §4.4.3.2: in a container names are what references mean. NOTE: where there is one file only, EU DSS
    // takes it whatever its name is.
    if contents.is_container() {
        return named.or(contents.only());
    }
    let matches = |content: &&Content<'d>| {
        reference.digest.is_some() && digested(reference, signature, Some(content)) == reference.digest
    };
    named.filter(matches).or_else(|| contents.iter().find(matches)).or(named).or(contents.only())
}
