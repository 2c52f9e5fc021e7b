//! What stands in a document beside signatures that are over other files: XMLDSig §8.1.2.

use super::Unpacked;
use super::coverage::{Extent, extent};
use super::matchers::{ComparedReference, pointed};
use crate::facts::Irregularity;
use crate::facts::IrregularityKind::UnsignedObject;
use crate::formats::xml::signature::Target;
use crate::formats::xml::{Attribute, DSIG, Element, Kind, NodeId, Tree, XSI};
use std::collections::HashSet;

/// Parts that are named. They are for messages.
const NAMED: usize = 16;

/// Returns what stands in the document beside signatures that are over other files only: nothing but what is around
/// signatures is part of them.
pub(super) fn around<'u>(
    unpacked: &'u Unpacked<'_>,
    signature: Element<'_, '_>,
    matched: &[ComparedReference<'_, '_>],
) -> &'u [Irregularity] {
    let tree = signature.tree();
    let data = || matched.iter().filter(|m| m.is_data());
    let over_file =
        |m: &ComparedReference<'_, '_>| m.reference.target() == Target::Outside && matches!(extent(m), Extent::Whole);
    let beside = |m: &ComparedReference<'_, '_>| match m.reference.target() {
        Target::Document { .. } => true,
        Target::Element { node, .. } => !tree.is_within(node, signature.id()),
        Target::Outside | Target::Nothing => false,
    };
    if !data().any(over_file) || data().any(beside) {
        return &[];
    }
    unpacked.beside.get_or_init(|| beside_signatures(tree))
}

/// Returns the files in a `SignedDoc`, the container of DIGIDOC-XML, that a signature over others of them leaves out.
pub(super) fn unsigned_files(tree: &Tree<'_>, matched: &[ComparedReference<'_, '_>]) -> Vec<Irregularity> {
    let Some(root) = tree.document_element().filter(|root| root.is_named("SignedDoc")) else { return vec![] };
    let over_all = |m: &ComparedReference<'_, '_>| matches!(m.reference.target(), Target::Document { .. });
    let signed: Vec<Element<'_, '_>> = matched.iter().filter_map(|m| pointed(&m.reference)).collect();
    let is_file = |element: &Element<'_, '_>| element.is_named("DataFile");
    if !signed.iter().any(is_file) || matched.iter().any(over_all) {
        return vec![];
    }
    let signed: HashSet<NodeId> = signed.into_iter().map(Element::id).collect();
    let name = |file: Element<'_, '_>| {
        let name = file.attribute("Filename").or(file.attribute("Id")).unwrap_or_default();
        format!("{} {}", file.local(), name.chars().take(100).collect::<String>())
    };
    // What is neither a file nor a signature the container does not have.
    let left = tree.children(root.id()).filter_map(|node| match tree.element(node) {
        Some(element) if element.is(DSIG, "Signature") || signed.contains(&node) => None,
        Some(element) => Some(name(element)),
        None => (tree.kind(node) == Kind::Text && !tree.text(node).trim().is_empty()).then(|| "text".to_owned()),
    });
    let foreign = |one: &Attribute<'_>| one.namespace.is_empty() && !matches!(one.local, "format" | "version");
    let attributes = root.attributes().filter(foreign).map(|one| format!("SignedDoc/@{}", one.local));
    let all = left.chain(attributes).take(NAMED);
    all.map(|name| Irregularity::about(UnsignedObject, name)).collect()
}

fn beside_signatures(tree: &Tree<'_>) -> Vec<Irregularity> {
    let mut found = vec![];
    let mut rest: Vec<NodeId> = tree.children(tree.root()).collect();
    while let Some(node) = rest.pop().filter(|_| found.len() < NAMED) {
        let Some(element) = tree.element(node) else {
            match tree.kind(node) {
                Kind::Instruction => found.push(format!("processing instruction {}", tree.target(node))),
                Kind::Text if !tree.text(node).trim().is_empty() => found.push("text".to_owned()),
                _ => {}
            }
            continue;
        };
        if element.is(DSIG, "Signature") {
            continue;
        }
        // What is only around others says nothing itself, but by its attributes. Where a schema is found is a hint:
        // XML Schema 1 §4.3.2.
        let hint = |one: &Attribute<'_>| {
            one.namespace == XSI && matches!(one.local, "schemaLocation" | "noNamespaceSchemaLocation")
        };
        let own = |one: &Attribute<'_>| !hint(one) && !one.local.eq_ignore_ascii_case("Id");
        if element.children().next().is_none() || element.attributes().any(|attribute| own(&attribute)) {
            found.push(element.local().to_owned());
        }
        rest.extend(tree.children(node));
    }
    found
        .into_iter()
        .map(|name| Irregularity::about(UnsignedObject, name.chars().take(100).collect::<String>()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::DigestAlgorithm::Sha256;
    use crate::crypto::digest;
    use crate::document::Document;
    use crate::facts::ScopeType;
    use crate::formats::Contents;
    use crate::formats::xades::{Root, Unpacked};
    use crate::formats::xml::{self, Options};
    use base64::Engine as _;

    /// Returns a reference to what has these bytes.
    fn reference(uri: &str, transforms: &str, bytes: &str) -> String {
        let value = digest(Sha256, bytes.as_bytes()).expect("SHA-256");
        let value = base64::engine::general_purpose::STANDARD.encode(value);
        format!(
            "<Reference URI='{uri}'>{transforms}<DigestMethod Algorithm='http://www.w3.org/2001/04/xmlenc#sha256'/>\
             <DigestValue>{value}</DigestValue></Reference>"
        )
    }

    fn signature(references: &str) -> String {
        format!(
            "<Signature xmlns='{DSIG}'><SignedInfo><CanonicalizationMethod \
             Algorithm='http://www.w3.org/2001/10/xml-exc-c14n#'/><SignatureMethod Algorithm='m'/>{references}</SignedInfo>\
             <SignatureValue>AAAA</SignatureValue></Signature>"
        )
    }

    /// Returns what is named beside the first signature, which has `a.txt` beside it, and whether that is called whole.
    fn read(document: &str) -> (Vec<String>, bool) {
        let tree = xml::read(document.as_bytes(), &Options::default()).expect("well-formed");
        let Root::Signed(unpacked) = Unpacked::of(tree) else { panic!("a signature") };
        let beside = Document::new(document.as_bytes()).with_content("a.txt", b"a");
        let draft = unpacked.draft(&Contents::of(&beside));
        let facts = &draft.signatures[0].facts;
        let unsigned = facts.irregularities.iter().filter(|one| one.kind == UnsignedObject);
        let mut names: Vec<String> = unsigned.filter_map(|one| one.subject.as_deref().map(Into::into)).collect();
        names.sort();
        (names, facts.scopes.iter().any(|scope| scope.kind == ScopeType::Full))
    }

    #[test]
    fn signatures_over_files() {
        let own = || signature(&reference("a.txt", "", "a"));
        for (situation, document, expected) in [
            ("nothing", own(), &[][..]),
            ("another signature, each in an element", format!("<r Id='r'><s>{}</s>{}</r>", own(), own()), &[]),
            ("an element", format!("<r><y>900</y>{}</r>", own()), &["text", "y"]),
            ("an attribute", format!("<r amount='900'>{}</r>", own()), &["r"]),
            ("where a schema is", format!("<r xmlns:x='{XSI}' x:schemaLocation='a b'>{}</r>", own()), &[]),
            ("a type", format!("<r xmlns:x='{XSI}' x:type='Refusal'>{}</r>", own()), &["r"]),
            (
                "a style sheet",
                format!("<?xml-stylesheet href='x'?>{}", own()),
                &["processing instruction xml-stylesheet"],
            ),
            ("text", format!("<r>900{}</r>", own()), &["text"]),
        ] {
            let (names, whole) = read(&document);
            assert_eq!(names, expected, "XMLDSig 8.1.2 {situation}");
            assert_eq!(whole, expected.is_empty(), "XMLDSig 8.1.2 {situation}");
        }
        let c14n = "<Transforms><Transform Algorithm='http://www.w3.org/2001/10/xml-exc-c14n#'/></Transforms>";
        let part = "<data xmlns=\"\" Id=\"d\">1</data>";
        let two = reference("a.txt", "", "a") + &reference("#d", c14n, "<data Id=\"d\">1</data>");
        let (names, _) = read(&format!("<r>{part}{}</r>", signature(&two)));
        assert!(names.is_empty(), "XMLDSig 4.4.3.3: one that is over a part of the document, too: {names:?}");
    }
}
