//! What of a document its signature covers, and what it does not: XMLDSig §8.1, EN 319 132-1 §4.

use super::Unpacked;
use super::beside::{around, unsigned_files};
use super::comments::{misread, shown_comment};
use super::matchers::{ComparedReference, pointed};
use super::media_types::other_types;
use super::objects::objects;
use super::signature::XadesSignature;
use super::structure::structure;
use crate::facts::IrregularityKind::{EmptySignedContent, PartlySignedContent};
use crate::facts::{Irregularity, MatcherType};
use crate::formats::xml::signature::{Reference, Target};
use crate::formats::xml::transform::{Omitted, Transform};
use crate::formats::xml::{Algorithm, DSIG, Element, Kind, NodeId, Tree, XML};
use std::collections::HashSet;

/// Objects and parts that are named. They are for messages.
pub(super) const NAMED: usize = 16;

/// How much of what it means a reference covers.
pub(super) enum Extent {
    /// All of a file: of the document or of what lies beside it.
    Whole,
    /// An element of the document.
    Part,
}

/// Returns how much of a file a reference covers: the whole where it means the document, its document element, or another file,
/// and its transforms leave nothing out but the signature: §4.4.3.3, §6.6.4.
pub(super) fn extent(matched: &ComparedReference<'_, '_>) -> Extent {
    let means_all = match matched.reference.target() {
        Target::Document { .. } => true,
        Target::Element { node, .. } => is_document_element(&matched.reference, node),
        Target::Outside => matched.matcher.document_name.is_some(),
        Target::Nothing => false,
    };
    if means_all && matched.omitted.is_empty() && !matched.empty { Extent::Whole } else { Extent::Part }
}

fn is_document_element(reference: &Reference<'_, '_>, node: NodeId) -> bool {
    let tree = reference.element.tree();
    tree.parent(node) == Some(tree.root())
}

/// Returns what is irregular about what a signature covers, and about its own structure.
pub(super) fn irregularities(read: &XadesSignature<'_, '_>) -> Vec<Irregularity> {
    let XadesSignature { unpacked, signature, qualifying, matched, .. } = read;
    let mut found = structure(signature, *qualifying);
    let data = || matched.iter().filter(|m| m.is_data());
    for matched in matched.iter().filter(|m| !m.omitted.is_empty()) {
        let subject = subject(matched, &matched.omitted);
        found.push(Irregularity::about(PartlySignedContent, subject));
    }
    found.extend_from_slice(around(unpacked, signature.element, matched));
    found.extend(unsigned_files(signature.element.tree(), matched));
    let signs = data().any(|m| !(m.empty || m.matcher.kind == MatcherType::Manifest && is_bare(m)));
    if !signs && !matched.is_empty() {
        found.push(EmptySignedContent.into());
    }
    found.extend(before_and_after(unpacked, matched));
    found.extend(inherited(unpacked, matched));
    found.extend(shown_comment(signature.element, matched));
    found.extend(misread(signature.element.tree(), matched));
    found.extend(objects(signature, *qualifying, matched));
    found.extend(other_types(read));
    found
}

/// Returns whether a manifest lists nothing.
fn is_bare(matched: &ComparedReference<'_, '_>) -> bool {
    pointed(&matched.reference).is_some_and(|manifest| manifest.child(DSIG, "Reference").is_none())
}

fn subject(matched: &ComparedReference<'_, '_>, omitted: &Omitted) -> String {
    let name = matched.matcher.document_name.as_deref().or(matched.matcher.uri.as_deref()).unwrap_or_default();
    if name.is_empty() { omitted.to_string() } else { format!("{name}: {omitted}") }
}

/// Notes instructions before and after the document element, which a reference to that element by its id does not
/// cover. A style sheet named there decides what is shown, also of an element inside.
fn before_and_after(unpacked: &Unpacked<'_>, matched: &[ComparedReference<'_, '_>]) -> Option<Irregularity> {
    let data = || matched.iter().filter(|m| m.is_data());
    let by_id = |m: &ComparedReference<'_, '_>| matches!(m.reference.target(), Target::Element { node, .. } if is_document_element(&m.reference, node));
    let inside = |m: &ComparedReference<'_, '_>| matches!(m.reference.target(), Target::Element { .. });
    let document = |m: &ComparedReference<'_, '_>| matches!(m.reference.target(), Target::Document { .. });
    if !data().any(inside) || matched.iter().any(document) {
        return None;
    }
    let all = matched.iter().any(by_id);
    let tree = unpacked.tree();
    let [first, style_sheet] = unpacked.instructions.get_or_init(|| instructions(tree));
    let instruction = if all { *first } else { *style_sheet }?;
    Some(Irregularity::about(PartlySignedContent, format!("processing instruction {}", tree.target(instruction))))
}

/// Returns the first instruction around the document element, and the first that names a style sheet.
fn instructions(tree: &Tree<'_>) -> [Option<NodeId>; 2] {
    let all = || tree.children(tree.root()).filter(|node| tree.kind(*node) == Kind::Instruction);
    [all().next(), all().find(|node| tree.target(*node) == "xml-stylesheet")]
}

/// Notes an attribute of an unsigned element around a signed one that says something of it (XML 1.0 §2.10, §2.12, XML
/// Base §3), and that exclusive canonical form does not take over (§2): relative links lead elsewhere.
fn inherited(unpacked: &Unpacked<'_>, matched: &[ComparedReference<'_, '_>]) -> Option<Irregularity> {
    let tree = unpacked.tree();
    let data = || matched.iter().filter(|m| m.is_data());
    let exclusive = |transform: &Transform| match transform {
        Transform::Canonical(method) | Transform::Final(method) => method.algorithm == Algorithm::Exclusive,
        _ => false,
    };
    let signed: HashSet<NodeId> = data().filter_map(|m| pointed(&m.reference)).map(Element::id).collect();
    if data().any(|m| matches!(m.reference.target(), Target::Document { .. })) {
        return None;
    }
    let speaking = unpacked.inherited.get_or_init(|| {
        let said = |element: Element<'_, '_>| -> Vec<&'static str> {
            let own = |name: &&str| element.attributes().any(|one| one.namespace == XML && one.local == *name);
            INHERITED.into_iter().filter(own).collect()
        };
        let all = tree.elements(tree.root()).map(|element| (element.id(), said(element)));
        all.filter(|(_, said)| !said.is_empty()).collect()
    });
    let taken = data().filter(|m| m.reference.transforms.as_deref().is_ok_and(|all| all.iter().any(exclusive)));
    let mut elements = taken.filter(|_| !speaking.is_empty()).filter_map(|m| pointed(&m.reference));
    let (around, name) = elements.find_map(|element| {
        let own = speaking.get(&element.id()).map(Vec::as_slice).unwrap_or_default();
        let around = tree.ancestors_or_self(element.id()).skip(1).take_while(|node| !signed.contains(node));
        // Its own word prevails; a link of its own may still be relative.
        let prevails = |name: &&&str| **name != "base" && own.contains(*name);
        around.into_iter().find_map(|node| Some((node, *speaking.get(&node)?.iter().find(|name| !prevails(name))?)))
    })?;
    let element: String = tree.element(around)?.local().chars().take(100).collect();
    Some(Irregularity::about(PartlySignedContent, format!("{element}/@xml:{name}")))
}

/// Attributes of XML that say something of all that is in an element.
const INHERITED: [&str; 3] = ["base", "lang", "space"];

#[cfg(test)]
mod tests {
    use super::super::Root;
    use super::super::testing::*;
    use super::*;
    use crate::formats::Contents;
    use crate::formats::xml::{self, Options};

    #[test]
    fn what_transforms_leave_out() {
        const ALL: &str = "<r Id=\"r\"><a>1</a><b c=\"2\">3</b></r>";
        let enveloped = |uri: &str, transforms: &str, bytes: &str| {
            ALL.replace("</r>", &(signature(&reference(uri, transforms, bytes), "") + "</r>"))
        };
        let none = xpath("not(ancestor-or-self::d:Signature)");
        let not_a = xpath("not(ancestor-or-self::d:Signature) and not(ancestor-or-self::a)");
        let no_attribute = xpath("not(ancestor-or-self::d:Signature) and not(self::node()[name()='c'])");
        let by_signature = filter("subtract", "//d:Signature");
        let only_b = format!("{ENVELOPED}{}", filter("intersect", "//b"));
        let no_a = format!("{ENVELOPED}{}", filter("subtract", "//a"));
        let whole = (vec![], 1, 0);
        let part = |names: &str| (vec![(PartlySignedContent, names.to_owned())], 0, 1);
        let without_a = "<r Id=\"r\"><b c=\"2\">3</b></r>";
        for (clause, situation, document, expected) in [
            ("6.6.4", "enveloped", enveloped("", ENVELOPED, ALL), whole.clone()),
            (
                "4.4.3.3",
                "the document element by its id",
                enveloped("#r", &format!("{ENVELOPED}{C14N}"), ALL),
                whole.clone(),
            ),
            ("4.4.3.3", "the root as a pointer", enveloped("#xpointer(/)", ENVELOPED, ALL), whole.clone()),
            ("6.6.3", "all but signatures", enveloped("", &none, ALL), whole.clone()),
            ("Filter 2.0", "all but signatures", enveloped("", &by_signature, ALL), whole),
            ("6.6.3", "an element less", enveloped("", &not_a, without_a), part("a")),
            ("6.6.3", "an attribute less", enveloped("", &no_attribute, &ALL.replace(" c=\"2\"", "")), part("b/@c")),
            ("Filter 2.0", "only an element", enveloped("", &only_b, "<b c=\"2\">3</b>"), part("r")),
            ("Filter 2.0", "an element less", enveloped("", &no_a, without_a), part("a")),
            (
                "4.4.3.3",
                "the document element by its id, and a style sheet before it",
                format!("<?xml-stylesheet href='x'?>{}", enveloped("#r", ENVELOPED, ALL)),
                part("processing instruction xml-stylesheet"),
            ),
        ] {
            let (irregular, full, partial) = read(&document, &[]);
            let (kinds, whole, parts) = expected;
            assert_eq!((full, partial), (whole, parts), "XMLDSig {clause} {situation}");
            assert_eq!(irregular, kinds, "XMLDSig {clause} {situation}");
        }
    }

    #[test]
    fn what_is_said_around_a_signed_element() {
        const C14N_10: &str = "<Transform Algorithm='http://www.w3.org/TR/2001/REC-xml-c14n-20010315'/>";
        let inside = |around: &str, own: &str, transform: &str, rest: &str| {
            let element = format!("<a{own} Id=\"a\">1</a>");
            let bytes = element.replace("<a xml:lang=\"de\" Id=\"a\">", "<a Id=\"a\" xml:lang=\"de\">");
            let bytes = if transform == C14N { bytes } else { bytes.replace("\"a\">", &format!("\"a\"{around}>")) };
            format!("<r{around}>{element}{}</r>", signature(&(reference("#a", transform, &bytes) + rest), ""))
        };
        let part = |names: &str| (vec![(PartlySignedContent, names.to_owned())], 0, 1);
        let whole = reference("", ENVELOPED, "<r xml:lang=\"en\"><a Id=\"a\">1</a></r>");
        let (english, german) = (" xml:lang=\"en\"", " xml:lang=\"de\"");
        for (situation, document, expected) in [
            ("where links lead", inside(" xml:base=\"http://x/\"", "", C14N, ""), part("r/@xml:base")),
            ("a language", inside(english, "", C14N, ""), part("r/@xml:lang")),
            ("another language of its own", inside(english, german, C14N, ""), (vec![], 0, 1)),
            ("an identifier", inside(" xml:id=\"r\"", "", C14N, ""), (vec![], 0, 1)),
            ("taken over by inclusive form", inside(english, "", C14N_10, ""), (vec![], 0, 1)),
            ("signed with the document", inside(english, "", C14N, &whole), (vec![], 1, 1)),
        ] {
            assert_eq!(read(&document, &[]), expected, "Exclusive XML Canonicalization 2: {situation}");
        }
    }

    #[test]
    fn files_beside() {
        let file = "<r><a>1</a><b>2</b></r>";
        let not_a = xpath("not(ancestor-or-self::a)");
        let signed = |transforms: &str, bytes: &str| signature(&reference("f.xml", transforms, bytes), "");
        let beside = [("f.xml", file.as_bytes())];
        assert_eq!(read(&signed(C14N, file), &beside), (vec![], 1, 0), "XMLDSig 6.5 canonical, and whole");
        let left_out = vec![(PartlySignedContent, "f.xml: a".to_owned())];
        assert_eq!(read(&signed(&not_a, "<r><b>2</b></r>"), &beside), (left_out.clone(), 0, 1), "XMLDSig 8.1.1");
        let two = reference("f.xml", &not_a, "<r><b>2</b></r>") + &reference("g.xml", "", "<g/>");
        let found = read(&signature(&two, ""), &[beside[0], ("g.xml", b"<g/>")]);
        assert_eq!(found, (left_out, 1, 1), "XMLDSig 8.1.1: what is left out of one file is there in the other");
        let signatures = format!("<r><a>1</a>{}</r>", signature("", ""));
        let beside = [("f.xml", signatures.as_bytes())];
        let left_out = vec![(PartlySignedContent, "f.xml: Signature".to_owned())];
        let none = xpath("not(ancestor-or-self::d:Signature)");
        let found = read(&signed(&none, "<r><a>1</a></r>"), &beside);
        assert_eq!(found, (left_out, 0, 1), "XMLDSig 8.1.1: the signatures of another document speak for nobody here");
    }

    #[test]
    fn nothing_is_signed() {
        let signed = |reference: String| format!("<r><a>1</a>{}</r>", signature(&reference, ""));
        for (situation, document) in [
            ("an expression that never holds", signed(reference("", &xpath("false()"), ""))),
            ("an intersection with nothing", signed(reference("", &filter("intersect", "//nothing"), ""))),
            ("a signature that takes itself out", signature(&reference("", ENVELOPED, ""), "")),
        ] {
            let (irregular, full, _) = read(&document, &[]);
            assert!(irregular.iter().any(|(kind, _)| *kind == EmptySignedContent), "XMLDSig 8.1.1 {situation}");
            assert_eq!(full, 0, "XMLDSig 8.1.1 {situation}");
        }
    }

    #[test]
    fn manifests_wherever_they_are() {
        let wrong = reference("", ENVELOPED, "other");
        let manifest = |id: &str, entries: &str| format!("<Manifest xmlns=\"{DSIG}\" Id=\"{id}\">{entries}</Manifest>");
        // As exclusive canonicalisation writes it.
        let canonical = |xml: &str| {
            let tree = xml::read(xml.as_bytes(), &Options::default()).expect("well-formed");
            let set = xml::NodeSet::subtree(&tree, tree.root(), true);
            let method = xml::Canonicalization::from_uri("http://www.w3.org/2001/10/xml-exc-c14n#").expect("known");
            let mut bytes = vec![];
            assert!(xml::canonicalize(&tree, &set, &method, &mut bytes));
            String::from_utf8(bytes).expect("UTF-8")
        };
        let direct = manifest("m", &wrong);
        let outer = manifest("m", &reference("#n", C14N, &canonical(&manifest("n", &wrong))));
        let object = format!("<Object xmlns=\"{DSIG}\" Id=\"m\">{}</Object>", manifest("n", &wrong));
        for (situation, uri, first, rest) in [
            ("by its id", "#m", &direct, format!("<Object>{direct}</Object>")),
            ("by a pointer", "#xpointer(id(&apos;m&apos;))", &direct, format!("<Object>{direct}</Object>")),
            ("in another", "#m", &outer, format!("<Object>{outer}{}</Object>", manifest("n", &wrong))),
            ("in an object", "#m", &object, object.clone()),
        ] {
            let signed = signature(&reference(uri, C14N, &canonical(first)), &rest);
            let document = format!("<r><a>1</a>{signed}</r>");
            let tree = xml::read(document.as_bytes(), &Options::default()).expect("well-formed");
            let Root::Signed(unpacked) = Unpacked::of(tree) else { panic!("a signature") };
            let draft = unpacked.draft(&Contents::default());
            let matchers = &draft.signatures[0].facts.digest_matchers;
            assert!(matchers[0].data_intact, "XMLDSig 5.1 {situation}: the list itself");
            let wrong = matchers.iter().any(|m| m.kind == MatcherType::ManifestEntry && m.data_found && !m.data_intact);
            assert!(wrong, "XMLDSig 5.1 {situation}");
        }
    }

    #[test]
    fn a_type_is_a_statement() {
        let stated = reference("", ENVELOPED, "<r><a>1</a></r>")
            .replace("<Reference ", "<Reference Type='http://uri.etsi.org/01903#CountersignedSignature' ");
        let document = format!("<r><a>1</a>{}</r>", signature(&stated, ""));
        assert_eq!(read(&document, &[]), (vec![], 1, 0), "EN 319 132-1 5.2.7.2: a document is no signature's value");
    }
}
