//! What the references of a signature say, compared with what they point at: XMLDSig §4.4.3, EN 319 132-1 §4.4.

use crate::algorithm::DigestAlgorithm;
use crate::crypto::Hasher;
use crate::facts::{Digest, DigestMatcher, MatcherType, Scope, Shared};
use crate::formats::Contents;
use crate::formats::content::Content;
use crate::formats::xml::signature::{Reference, ReferenceError, Target, XmlSignature, references};
use crate::formats::xml::transform::{Omitted, Transform, TransformError};
use crate::formats::xml::{DSIG, Element, Sink};
use crate::uri::unescaped;
use std::collections::HashSet;

/// Contents that a reference with transforms is tried against when none has its name. Real files have one or two.
const TRIED: usize = 32;

/// A reference with its comparison.
pub(super) struct ComparedReference<'c, 't> {
    pub(super) reference: Reference<'t, 't>,
    pub(super) matcher: DigestMatcher,
    /// What lies outside the document and is meant.
    pub(super) content: Option<&'c Content<'c>>,
    /// What its transforms leave out.
    pub(super) omitted: Omitted,
    /// Whether its transforms leave nothing.
    pub(super) empty: bool,
    /// Whether it points at what the signature states of itself.
    pub(super) own: bool,
    /// What it signs, where that is data.
    pub(super) scope: Option<Shared<Scope>>,
}

impl<'t> ComparedReference<'_, 't> {
    /// Returns an entry that is not there to compare, of a manifest to which a reference leads.
    fn missing_entry(reference: &Reference<'t, 't>) -> Self {
        Self {
            reference: reference.clone(),
            matcher: DigestMatcher::missing(MatcherType::ManifestEntry),
            content: None,
            omitted: Omitted::default(),
            empty: false,
            own: false,
            scope: None,
        }
    }

    /// Returns whether it is of data, and not of what the signature states of itself.
    pub(super) fn is_data(&self) -> bool {
        use MatcherType::*;
        let kind = self.matcher.kind;
        matches!(kind, Reference | Object | Manifest | ManifestEntry | XPointer | CounterSignature) && !self.own
    }
}

/// What the transforms of a reference make of what it points at.
#[derive(Default)]
struct Digested {
    value: Option<Vec<u8>>,
    omitted: Omitted,
    empty: bool,
    /// Whether a transform is known, and cannot be applied to what is there.
    inapplicable: bool,
}

/// Digests bytes, and sees whether there are any but white space.
struct Visible {
    hasher: Hasher,
    any: bool,
}

impl Sink for Visible {
    fn write(&mut self, bytes: &[u8]) {
        self.any = self.any || bytes.iter().any(|byte| !byte.is_ascii_whitespace());
        self.hasher.update(bytes);
    }

    fn weight(&self) -> u64 {
        self.hasher.weight()
    }
}

/// Returns the references of a signature, and of the manifests that they point at, in order.
pub(super) fn compared_references<'c, 't>(
    signature: &XmlSignature<'t, 't>,
    qualifying: Option<Element<'t, 't>>,
    contents: &'c Contents<'c>,
    counter: bool,
) -> Vec<ComparedReference<'c, 't>> {
    let outside = signature.references.iter().filter(|reference| reference.target() == Target::Outside).count();
    let place = ReferenceContext { signature: signature.element, qualifying, contents, counter };
    let (mut all, mut seen, mut followed) = (vec![], HashSet::new(), HashSet::new());
    for reference in &signature.references {
        let compared = place.compare(reference, place.kind(reference), outside == 1);
        let follows = compared.matcher.data_found && followed.insert(reference.target());
        let mut rest = if follows { manifests(reference) } else { vec![] };
        all.push(compared);
        while let Some(manifest) = rest.pop() {
            if !seen.insert(manifest.id()) {
                continue;
            }
            let Some(entries) = place.entries(manifest) else {
                all.push(ComparedReference::missing_entry(reference));
                continue;
            };
            // Where nothing is at hand to compare the entries with, the manifest itself is what is signed. What they point at
            // in the document is always at hand.
            let inside = |entry: &ComparedReference<'_, '_>| entry.reference.target() != Target::Outside;
            if contents.first().is_some() || entries.iter().any(inside) {
                let found = entries.iter().filter(|entry| entry.matcher.data_found);
                let found = found.filter(|entry| followed.insert(entry.reference.target()));
                rest.extend(found.flat_map(|entry| manifests(&entry.reference)));
                all.extend(entries);
            }
        }
    }
    all
}

/// Returns the manifests that a reference points at, itself or in an object: §5.1. What one lists may be another.
fn manifests<'t>(reference: &Reference<'t, 't>) -> Vec<Element<'t, 't>> {
    let is_manifest = |element: &Element<'_, '_>| element.is(DSIG, "Manifest");
    match pointed(reference) {
        Some(manifest) if is_manifest(&manifest) => vec![manifest],
        Some(object) if object.is(DSIG, "Object") => object.children().filter(is_manifest).collect(),
        _ => vec![],
    }
}

/// Returns the element that a reference points at.
pub(super) fn pointed<'t>(reference: &Reference<'t, 't>) -> Option<Element<'t, 't>> {
    match reference.target() {
        Target::Element { node, .. } => reference.element.tree().element(node),
        _ => None,
    }
}

/// Where references stand: the signature, what lies beside it, whether it signs another one's value.
struct ReferenceContext<'c, 't> {
    signature: Element<'t, 't>,
    /// Its qualifying properties.
    qualifying: Option<Element<'t, 't>>,
    contents: &'c Contents<'c>,
    counter: bool,
}

impl<'c, 't> ReferenceContext<'c, 't> {
    fn kind(&self, reference: &Reference<'_, '_>) -> MatcherType {
        let stated = reference.kind.unwrap_or_default();
        let element = pointed(reference);
        let is = |local: &str| element.is_some_and(|element| element.is(DSIG, local));
        let fragment = reference.uri.and_then(|uri| uri.strip_prefix('#'));
        if fragment.is_some_and(|fragment| fragment.contains('(')) {
            MatcherType::XPointer
        } else if fragment.is_some() && is_properties_type(stated) {
            // §4.4.2: only the type says that they are the properties of this signature.
            MatcherType::SignedProperties
        } else if is("SignatureValue") && (self.counter || is_counter_type(stated))
            || self.counter && is_counter_type(stated) && reference.target() == Target::Nothing
        {
            // §5.2.7.2: what is no value is data, whatever its type.
            MatcherType::CounterSignature
        } else if element.is_some_and(|element| is_own_key_info(element, self.signature)) {
            MatcherType::KeyInfo
        } else if is("Manifest") || stated == "http://www.w3.org/2000/09/xmldsig#Manifest" {
            MatcherType::Manifest
        } else if is("SignatureProperties") {
            MatcherType::SignatureProperties
        } else if fragment.is_some() && stated == "http://www.w3.org/2000/09/xmldsig#Object" {
            MatcherType::Object
        } else {
            MatcherType::Reference
        }
    }

    /// Returns what a manifest lists, each compared; `None` where that is more than is read.
    fn entries(&self, manifest: Element<'t, 't>) -> Option<Vec<ComparedReference<'c, 't>>> {
        let entries = references(manifest).ok()?;
        let alone = entries.len() == 1;
        Some(entries.iter().map(|entry| self.compare(entry, MatcherType::ManifestEntry, alone)).collect())
    }

    fn compare(&self, reference: &Reference<'t, 't>, kind: MatcherType, alone: bool) -> ComparedReference<'c, 't> {
        let algorithm = DigestAlgorithm::from_uri(reference.digest_method);
        let (content, Digested { value, omitted, empty, inapplicable }) = match reference.target() {
            Target::Outside => self.outside(reference, alone),
            _ => (None, digested(reference, self.signature, None)),
        };
        content.into_iter().for_each(Content::refer);
        // §4.4.3.1: a type makes no manifest of a whole file; one that was changed was changed, whatever it calls itself.
        let altered = value.is_some() && value != reference.digest && pointed(reference).is_none();
        let in_its_place = altered || self.is_in_its_place(kind, reference);
        let there = match algorithm.and_then(Hasher::new) {
            // What cannot be transformed as stated is not what was signed.
            Some(_) => value.is_some() || inapplicable || content.is_some_and(Content::is_found),
            // Under a digest function that nobody knows there is data, but nothing to compare.
            None => content.is_some() || !matches!(reference.target(), Target::Outside | Target::Nothing),
        };
        // Which of several elements with one id was signed, nobody knows.
        let ambiguous = matches!(reference.target(), Target::Element { ambiguous: true, .. });
        // XMLDSig §8.1.1: an element of which the transforms leave nothing is not signed. §6.6.2: one without text is an
        // empty file in Base64, and all of that is signed.
        let is_empty_file = omitted.is_empty()
            && matches!(reference.transforms.as_deref(), Ok([Transform::Base64]))
            && pointed(reference).is_some_and(|element| element.text().trim().is_empty());
        let nothing_left = empty && !is_empty_file && matches!(reference.target(), Target::Element { .. });
        let found = there && in_its_place && !ambiguous && !nothing_left;
        let matcher = DigestMatcher {
            kind,
            digest: Digest { algorithm, value: reference.digest.clone().unwrap_or_default().into() },
            data_found: found,
            data_intact: found && value.is_some() && value == reference.digest,
            id: reference.element.attribute("Id").map(Into::into),
            uri: reference.uri.map(|uri| unescaped(uri).into()),
            document_name: content.and_then(|content| content.name()).map(Into::into),
            object_references: vec![],
            duplicated: ambiguous,
        };
        let own = pointed(reference).is_some_and(|element| self.is_statement(element));
        ComparedReference { reference: reference.clone(), matcher, content, omitted, empty, own, scope: None }
    }

    /// Returns what lies outside the document, with its digest: the content that is named, or that has the digest under
    /// another name; failing these, for a reference that stands alone, the only content.
    fn outside(&self, reference: &Reference<'t, 't>, alone: bool) -> (Option<&'c Content<'c>>, Digested) {
        let digest = |content: &'c Content<'c>| digested(reference, self.signature, Some(content));
        let named = reference.uri.and_then(|uri| self.contents.meant_by(uri));
        // EN 319 162-1 §4.4.3.2: in a container a reference means the entry of that name. NOTE: where there is no such
        // entry, EU DSS takes the one file that there is, or that has the digest; its own name is reported.
        let entry = named.or(self.contents.only()).filter(|_| self.contents.is_container());
        if let Some(content) = entry {
            return (entry, digest(content));
        }
        if let Some(content) = named {
            let found = digest(content);
            if found.value.is_some() && found.value == reference.digest {
                return (named, found);
            }
        }
        let matching = if reference.transforms.as_deref().is_ok_and(<[_]>::is_empty) {
            let stated = DigestAlgorithm::from_uri(reference.digest_method).zip(reference.digest.as_deref());
            let found = stated.and_then(|(algorithm, digest)| self.contents.digested(algorithm, digest));
            found.map(|content| (Some(content), digest(content)))
        } else {
            let tried = self.contents.iter().take(TRIED).map(|content| (Some(content), digest(content)));
            let matches = |(_, found): &(_, Digested)| found.value.is_some() && found.value == reference.digest;
            { tried }.find(matches)
        };
        let meant = || named.or(self.contents.only().filter(|_| alone));
        matching.unwrap_or_else(|| (meant(), meant().map(digest).unwrap_or_default()))
    }

    /// Returns whether what a reference of that kind points at stands where a signature keeps it.
    ///
    /// An object that is moved elsewhere keeps its digest, but not its meaning: an application looks for it in the
    /// signature, where another one may stand by then.
    fn is_in_its_place(&self, kind: MatcherType, reference: &Reference<'_, '_>) -> bool {
        match kind {
            MatcherType::SignedProperties => {
                let own = self.qualifying.and_then(|qualifying| super::child(qualifying, "SignedProperties"));
                own.zip(pointed(reference)).is_some_and(|(own, element)| own.id() == element.id())
            }
            MatcherType::Object => pointed(reference).is_some_and(|element| is_object_of(element, self.signature)),
            MatcherType::Manifest => pointed(reference)
                .filter(|manifest| manifest.is(DSIG, "Manifest"))
                .and_then(|manifest| manifest.parent())
                .is_some_and(|object| is_object_of(object, self.signature)),
            _ => true,
        }
    }

    /// Returns whether an element belongs to what a signature states of itself: to its qualifying properties, the
    /// object that holds nothing else, or a part that is no object. XMLDSig §4.1, EN 319 132-1 §4.3.
    fn is_statement(&self, element: Element<'t, 't>) -> bool {
        let tree = element.tree();
        let part = |part: &Element<'_, '_>| part.parent().is_some_and(|parent| parent.id() == self.signature.id());
        let around = tree.ancestors_or_self(element.id()).filter_map(|node| tree.element(node));
        let Some(part) = { around }.find(part) else { return false };
        let is_of = |own: &Element<'_, '_>| own.parent().is_some_and(|object| object.id() == part.id());
        match self.qualifying.filter(is_of) {
            Some(own) => tree.is_within(element.id(), own.id()) || part.children().nth(1).is_none(),
            None => !part.is(DSIG, "Object"),
        }
    }
}

fn is_object_of(element: Element<'_, '_>, signature: Element<'_, '_>) -> bool {
    element.is(DSIG, "Object") && element.parent().is_some_and(|parent| parent.id() == signature.id())
}

fn is_own_key_info(element: Element<'_, '_>, signature: Element<'_, '_>) -> bool {
    element.is(DSIG, "KeyInfo") && element.parent().is_some_and(|parent| parent.id() == signature.id())
}

fn is_counter_type(stated: &str) -> bool {
    stated.starts_with("http://uri.etsi.org/01903") && stated.ends_with("#CountersignedSignature")
}

/// Returns the value of the signature around a counter-signature, where it signs that (EN 319 132-1 §5.2.7.2).
pub(super) fn countersigned<'t>(signature: &XmlSignature<'t, 't>) -> Option<Element<'t, 't>> {
    let element = signature.element;
    // Signature within CounterSignature within properties within the signature that is counter-signed.
    let tree = element.tree();
    let around = tree.ancestors_or_self(element.id()).skip(1).filter_map(|node| tree.element(node));
    let value = around.into_iter().find(|e| e.is(DSIG, "Signature")).and_then(|e| e.child(DSIG, "SignatureValue"))?;
    let signs = |reference| pointed(reference).is_some_and(|element| value.id() == element.id());
    signature.references.iter().any(signs).then_some(value)
}

fn is_properties_type(stated: &str) -> bool {
    stated.starts_with("http://uri.etsi.org/01903") && stated.ends_with("#SignedProperties")
}

/// Returns the digest of what a reference points at, as its transforms make it.
fn digested(reference: &Reference<'_, '_>, signature: Element<'_, '_>, outside: Option<&Content<'_>>) -> Digested {
    let Some(algorithm) = DigestAlgorithm::from_uri(reference.digest_method) else { return Digested::default() };
    // What lies outside and is not transformed is digested once for all that refer to it.
    if let (Some(content), Ok([])) = (outside, reference.transforms.as_deref()) {
        return Digested { value: content.digest(algorithm), ..Digested::default() };
    }
    // Compressed bytes are inflated anew for each reference.
    if outside.is_some_and(|content| content.is_compressed() && !signature.tree().affords(content.size())) {
        return Digested::default();
    }
    outside.iter().for_each(|content| signature.tree().is_beside(content.stored()));
    let Some(hasher) = Hasher::new(algorithm) else { return Digested::default() };
    let (mut sink, mut omitted) = (Visible { hasher, any: false }, Omitted::default());
    let written = reference.bytes_noting(signature, outside.and_then(Content::whole), &mut sink, &mut omitted);
    match written {
        Ok(()) => Digested { value: Some(sink.hasher.finish()), omitted, empty: !sink.any, inapplicable: false },
        Err(error) => Digested { inapplicable: is_inapplicable(&error), ..Digested::default() },
    }
}

/// Returns whether there are bytes to transform, and a transform that says how, though not for these: their digest is
/// wrong.
fn is_inapplicable(error: &ReferenceError) -> bool {
    use TransformError::{Base64, Incomplete};
    matches!(error, ReferenceError::Transform(Base64 | Incomplete { .. }))
}
