//! What of a document its signature covers, and what it does not: XMLDSig §8.1, EN 319 132-1 §4.

use super::matchers::{Matched, pointed};
use super::{descend, is, qualifying};
use crate::facts::IrregularityKind::{EmptySignedContent, FormatViolation, PartlySignedContent, UnsignedObject};
use crate::facts::{Irregularity, MatcherType};
use crate::formats::xml::signature::{Reference, Target, XmlSignature};
use crate::formats::xml::transform::Omitted;
use crate::formats::xml::{DSIG, Element, Kind, NodeId, Tree};
use std::collections::HashSet;

/// The namespaces of elements that a signature is made of, beside XAdES's.
const OWN: [&str; 3] = [DSIG, "http://www.w3.org/2009/xmldsig11#", "urn:ietf:params:xml:ns:ers"];

/// Objects and parts that are named. They are for messages.
const NAMED: usize = 16;

/// Whether a matcher of this kind is of data, and not of something that the signature states of itself.
pub(super) fn is_data(kind: MatcherType) -> bool {
    use MatcherType::*;
    matches!(kind, Reference | Object | Manifest | ManifestEntry | XPointer | CounterSignature)
}

/// How much of what it means a reference covers.
pub(super) enum Extent {
    /// All of a file: of the document or of what lies beside it.
    Whole,
    /// An element of the document.
    Part,
}

/// A file is covered as a whole where the reference means the document, its document element, or another file, and its
/// transforms leave nothing out but the signature: §4.4.3.3, §6.6.4.
pub(super) fn extent(matched: &Matched<'_, '_, '_, '_>) -> Extent {
    let means_all = match matched.reference.target() {
        Target::Document { .. } => true,
        Target::Element { node, .. } => is_document_element(&matched.reference, node),
        Target::Outside => matched.matcher.document_name.is_some(),
        Target::Nothing => false,
    };
    if means_all && matched.omitted.is_empty() && !matched.empty { Extent::Whole } else { Extent::Part }
}

fn is_document_element(reference: &Reference<'_, '_>, node: NodeId) -> bool {
    reference.element.tree().document_element().is_some_and(|root| root.id() == node)
}

/// What is irregular about what a signature covers, and about its own structure.
pub(super) fn irregularities(
    signature: &XmlSignature<'_, '_>,
    matched: &[Matched<'_, '_, '_, '_>],
) -> Vec<Irregularity> {
    let mut found = structure(signature);
    let data = || matched.iter().filter(|m| is_data(m.matcher.kind));
    for matched in data().filter(|m| !m.omitted.is_empty()) {
        let subject = subject(matched, &matched.omitted);
        found.push(Irregularity::about(PartlySignedContent, subject));
    }
    let signs = data().any(|m| !m.empty && !(m.matcher.kind == MatcherType::Manifest && is_bare(m)));
    if !signs && !matched.is_empty() {
        found.push(EmptySignedContent.into());
    }
    found.extend(before_and_after(signature.element.tree(), matched));
    found.extend(objects(signature, matched));
    found
}

/// Whether a manifest lists nothing.
fn is_bare(matched: &Matched<'_, '_, '_, '_>) -> bool {
    pointed(&matched.reference).is_some_and(|manifest| manifest.child(DSIG, "Reference").is_none())
}

fn subject(matched: &Matched<'_, '_, '_, '_>, omitted: &Omitted) -> String {
    let name = matched.matcher.document_name.as_deref().or(matched.matcher.uri.as_deref()).unwrap_or_default();
    if name.is_empty() { omitted.to_string() } else { format!("{name}: {omitted}") }
}

/// Instructions before and after the document element, which a reference to that element by its id does not cover. A
/// style sheet named there decides what is shown.
fn before_and_after(tree: &Tree<'_>, matched: &[Matched<'_, '_, '_, '_>]) -> Option<Irregularity> {
    let by_id = |m: &Matched<'_, '_, '_, '_>| {
        matches!(m.reference.target(), Target::Element { node, .. } if is_document_element(&m.reference, node))
    };
    let document = |m: &Matched<'_, '_, '_, '_>| matches!(m.reference.target(), Target::Document { .. });
    if !matched.iter().any(by_id) || matched.iter().any(document) {
        return None;
    }
    let instruction = tree.children(tree.root()).find(|node| tree.kind(*node) == Kind::Instruction)?;
    Some(Irregularity::about(PartlySignedContent, format!("processing instruction {}", tree.target(instruction))))
}

/// §4.1, §4.4: which parts there are, and how many of each. Two readers of a part that is there twice may take
/// different ones.
fn structure(signature: &XmlSignature<'_, '_>) -> Vec<Irregularity> {
    let mut found = vec![];
    let mut parts = |parent: Element<'_, '_>, single: &[&'static str], any: &[&str]| {
        for name in single {
            let count = parent.children().filter(|child| child.is(DSIG, name)).count();
            if count > 1 {
                found.push(Irregularity::about(FormatViolation, format!("{count} {name} in {}", parent.local())));
            }
        }
        let foreign = |child: &Element<'_, '_>| {
            !single.iter().chain(any).any(|name| child.is(DSIG, name))
        };
        for child in parent.children().filter(foreign).take(NAMED) {
            found.push(Irregularity::about(FormatViolation, format!("{} in {}", child.local(), parent.local())));
        }
    };
    parts(signature.element, &["SignedInfo", "SignatureValue", "KeyInfo"], &["Object"]);
    parts(signature.signed_info, &["CanonicalizationMethod", "SignatureMethod"], &["Reference"]);
    for reference in &signature.references {
        parts(reference.element, &["Transforms", "DigestMethod", "DigestValue"], &[]);
    }
    found
}

/// What stands inside the signature and nothing covers: of its objects what no reference points at, of its unsigned parts
/// what the standards do not foresee. The enveloped-signature transform leaves all of it out: §6.6.4.
fn objects(signature: &XmlSignature<'_, '_>, matched: &[Matched<'_, '_, '_, '_>]) -> Vec<Irregularity> {
    let element = signature.element;
    let tree = element.tree();
    let covered: HashSet<NodeId> = matched
        .iter()
        .filter_map(|matched| match matched.reference.target() {
            Target::Element { node, .. } => Some(node),
            _ => None,
        })
        .collect();
    let mut walk = Walk {
        covered: &covered,
        // Those above an element that is covered, and thus are looked into.
        above: covered.iter().flat_map(|node| tree.ancestors_or_self(*node).skip(1)).collect(),
        names: vec![],
    };
    let own = qualifying(element);
    for object in element.children().filter(|child| child.is(DSIG, "Object")) {
        walk.object(object, own);
    }
    let unsigned = own.and_then(|own| descend(own, &["UnsignedProperties"]));
    let parts = element.child(DSIG, "KeyInfo").into_iter().chain(unsigned);
    parts.for_each(|part| walk.foreign(part));
    walk.names.into_iter().map(|name| Irregularity::about(UnsignedObject, name)).collect()
}

struct Walk<'w> {
    covered: &'w HashSet<NodeId>,
    above: HashSet<NodeId>,
    names: Vec<String>,
}

impl Walk<'_> {
    fn add(&mut self, element: Element<'_, '_>) {
        if self.names.len() < NAMED {
            let id = element.attribute("Id").map(|id| format!(" {id}")).unwrap_or_default();
            self.names.push(format!("{}{id}", element.local()).chars().take(100).collect());
        }
    }

    /// An object; `own` are the signature's qualifying properties.
    fn object(&mut self, object: Element<'_, '_>, own: Option<Element<'_, '_>>) {
        if self.covered.contains(&object.id()) {
            return;
        }
        let holds_own = own.is_some_and(|own| own.parent().is_some_and(|parent| parent.id() == object.id()));
        if !holds_own && !self.above.contains(&object.id()) {
            return self.add(object);
        }
        if has_text(object) {
            self.add(object);
        }
        for child in object.children() {
            match own.filter(|own| own.id() == child.id()) {
                Some(own) => self.properties(own),
                None => self.inner(child),
            }
        }
    }

    /// The qualifying properties: the signed ones are a reference's, the unsigned ones come later.
    fn properties(&mut self, own: Element<'_, '_>) {
        let signed = super::child(own, "SignedProperties").map(Element::id);
        let unsigned = super::child(own, "UnsignedProperties").map(Element::id);
        for child in own.children() {
            // Properties that no reference covers have a finding of their own.
            if Some(child.id()) != signed && Some(child.id()) != unsigned {
                self.inner(child);
            }
        }
    }

    /// An element of an object: covered, or around something that is, or neither.
    fn inner(&mut self, element: Element<'_, '_>) {
        let tree = element.tree();
        let mut rest = vec![element];
        while let Some(element) = rest.pop() {
            // Every signature speaks for itself.
            if self.covered.contains(&element.id()) || element.is(DSIG, "Signature") {
                continue;
            }
            if !self.above.contains(&element.id()) || has_text(element) {
                self.add(element);
            } else {
                rest.extend(tree.children(element.id()).filter_map(|node| tree.element(node)));
            }
        }
    }

    /// Elements of other vocabularies, the outermost ones, in a part that is not signed.
    fn foreign(&mut self, part: Element<'_, '_>) {
        let tree = part.tree();
        let mut skip = part.id();
        for element in tree.elements(part.id()) {
            if tree.is_within(element.id(), skip) && skip != part.id() {
                continue;
            }
            let xades = element.namespace().starts_with("http://uri.etsi.org/01903/");
            // What a signature or time-stamp within holds is its own.
            let nested = element.is(DSIG, "Signature") || is(element, "XMLTimeStamp");
            if nested || !xades && !OWN.contains(&element.namespace()) {
                skip = element.id();
                if !nested {
                    self.add(element);
                }
            }
        }
    }
}

fn has_text(element: Element<'_, '_>) -> bool {
    let tree = element.tree();
    tree.children(element.id()).any(|node| tree.kind(node) == Kind::Text && !tree.text(node).trim().is_empty())
}
