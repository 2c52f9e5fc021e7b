//! What of a document its signature covers, and what it does not: XMLDSig §8.1, EN 319 132-1 §4.

use super::beside::around;
use super::matchers::{ComparedReference, pointed};
use super::names::{BESIDE_XADES, INSIDE_UNSIGNED, KEYS, OF_KEYS, UNSIGNED, XADES};
use super::{descend, is, qualifying};
use crate::facts::IrregularityKind::{EmptySignedContent, FormatViolation, PartlySignedContent, UnsignedObject};
use crate::facts::{Irregularity, MatcherType};
use crate::formats::xml::html::{misread_spelling, shown_comments, signs_comments};
use crate::formats::xml::signature::{Reference, Target, XmlSignature};
use crate::formats::xml::transform::{Omitted, beginning};
use crate::formats::xml::{DSIG, Element, Kind, NodeId, Tree};
use std::collections::HashSet;

/// Objects and parts that are named. They are for messages.
const NAMED: usize = 16;

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
    reference.element.tree().document_element().is_some_and(|root| root.id() == node)
}

/// Returns what is irregular about what a signature covers, and about its own structure.
pub(super) fn irregularities(
    signature: &XmlSignature<'_, '_>,
    matched: &[ComparedReference<'_, '_>],
) -> Vec<Irregularity> {
    let mut found = structure(signature);
    let data = || matched.iter().filter(|m| m.is_data());
    for matched in matched.iter().filter(|m| !m.omitted.is_empty()) {
        let subject = subject(matched, &matched.omitted);
        found.push(Irregularity::about(PartlySignedContent, subject));
    }
    found.extend(around(signature.element, matched));
    let signs = data().any(|m| !(m.empty || m.matcher.kind == MatcherType::Manifest && is_bare(m)));
    if !signs && !matched.is_empty() {
        found.push(EmptySignedContent.into());
    }
    found.extend(before_and_after(signature.element.tree(), matched));
    found.extend(shown_comment(signature.element, matched));
    found.extend(misread(signature.element.tree(), matched));
    found.extend(objects(signature, matched));
    found
}

/// Whether a manifest lists nothing.
fn is_bare(matched: &ComparedReference<'_, '_>) -> bool {
    pointed(&matched.reference).is_some_and(|manifest| manifest.child(DSIG, "Reference").is_none())
}

fn subject(matched: &ComparedReference<'_, '_>, omitted: &Omitted) -> String {
    let name = matched.matcher.document_name.as_deref().or(matched.matcher.uri.as_deref()).unwrap_or_default();
    if name.is_empty() { omitted.to_string() } else { format!("{name}: {omitted}") }
}

/// Instructions before and after the document element, which a reference to that element by its id does not cover. A
/// style sheet named there decides what is shown, also of an element inside.
fn before_and_after(tree: &Tree<'_>, matched: &[ComparedReference<'_, '_>]) -> Option<Irregularity> {
    let data = || matched.iter().filter(|m| m.is_data());
    let by_id = |m: &ComparedReference<'_, '_>| matches!(m.reference.target(), Target::Element { node, .. } if is_document_element(&m.reference, node));
    let inside = |m: &ComparedReference<'_, '_>| matches!(m.reference.target(), Target::Element { .. });
    let document = |m: &ComparedReference<'_, '_>| matches!(m.reference.target(), Target::Document { .. });
    if !data().any(inside) || matched.iter().any(document) {
        return None;
    }
    let all = matched.iter().any(by_id);
    let instructions = tree.children(tree.root()).filter(|node| tree.kind(*node) == Kind::Instruction);
    let instruction = { instructions }.find(|node| all || tree.target(*node) == "xml-stylesheet")?;
    Some(Irregularity::about(PartlySignedContent, format!("processing instruction {}", tree.target(instruction))))
}

/// Reports a comment that is not signed, and that readers of HTML do not take for one. It is signed with an element around
/// it, or the document, that is meant with its comments (§4.4.3.3) by transforms that keep them.
fn shown_comment(signature: Element<'_, '_>, matched: &[ComparedReference<'_, '_>]) -> Option<Irregularity> {
    let tree = signature.tree();
    let keeping = matched.iter().filter(|m| m.reference.transforms.as_deref().is_ok_and(signs_comments));
    let signing: HashSet<NodeId> = keeping
        .filter_map(|matched| match matched.reference.target() {
            Target::Document { comments: true } => Some(tree.root()),
            Target::Element { node, comments: true, .. } => Some(node),
            _ => None,
        })
        .collect();
    let signed = |comment: NodeId| {
        let around = tree.ancestors_or_self(comment).take_while(|node| *node != signature.id());
        { around }.any(|node| signing.contains(&node))
    };
    let comment = shown_comments(tree).iter().find(|comment| !signed(**comment))?;
    Some(Irregularity::about(PartlySignedContent, format!("comment `{}`", beginning(tree.text(*comment)))))
}

/// Reports a spelling by which the signed document is another one to readers of HTML.
fn misread(tree: &Tree<'_>, matched: &[ComparedReference<'_, '_>]) -> Option<Irregularity> {
    let inside = |m: &ComparedReference<'_, '_>| !matches!(m.reference.target(), Target::Outside | Target::Nothing);
    let spelling = matched.iter().any(|m| m.is_data() && inside(m)).then(|| misread_spelling(tree))??;
    Some(Irregularity::about(PartlySignedContent, spelling))
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
        let foreign = |child: &Element<'_, '_>| !single.iter().chain(any).any(|name| child.is(DSIG, name));
        for child in parent.children().filter(foreign).take(NAMED) {
            found.push(Irregularity::about(FormatViolation, format!("{} in {}", child.local(), parent.local())));
        }
    };
    parts(signature.element, &["SignedInfo", "SignatureValue", "KeyInfo"], &["Object"]);
    parts(signature.signed_info, &["CanonicalizationMethod", "SignatureMethod"], &["Reference"]);
    // §4.3: the value is text.
    signature.element.child(DSIG, "SignatureValue").into_iter().for_each(|value| parts(value, &[], &[]));
    for reference in &signature.references {
        parts(reference.element, &["Transforms", "DigestMethod", "DigestValue"], &[]);
    }
    found
}

/// Returns what stands inside the signature and nothing covers: of its objects what no reference points at, of its
/// unsigned parts what the standards do not foresee. The enveloped-signature transform leaves all of it out: §6.6.4.
fn objects(signature: &XmlSignature<'_, '_>, matched: &[ComparedReference<'_, '_>]) -> Vec<Irregularity> {
    let element = signature.element;
    let tree = element.tree();
    let covered: HashSet<NodeId> = matched
        .iter()
        .filter_map(|matched| match matched.reference.target() {
            Target::Element { node, .. } if !matched.empty => Some(node),
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
    if let Some(key_info) = element.child(DSIG, "KeyInfo") {
        walk.foreign(key_info, &|e| OF_KEYS.contains(&e.namespace()) && KEYS.contains(&e.local()));
    }
    let of_properties = |e: Element<'_, '_>| {
        let namespace = e.namespace();
        (XADES.contains(&namespace) || BESIDE_XADES.contains(&namespace))
            && (UNSIGNED.contains(&e.local()) || INSIDE_UNSIGNED.contains(&e.local()))
    };
    unsigned.into_iter().for_each(|unsigned| walk.foreign(unsigned, &of_properties));
    let properties = unsigned.and_then(|unsigned| super::child(unsigned, "UnsignedSignatureProperties"));
    let unknown = |property: &Element<'_, '_>| !UNSIGNED.iter().any(|name| is(*property, name));
    // Those of other names are named above.
    let known = |property: &Element<'_, '_>| of_properties(*property);
    properties.into_iter().flat_map(Element::children).filter(|p| known(p) && unknown(p)).for_each(|p| walk.add(p));
    if has_text(element) {
        walk.name("text in Signature".into());
    }
    if let Some(own) = own.filter(|own| has_text(*own)) {
        walk.name(format!("text in {}", own.local()));
    }
    walk.instruction(element);
    walk.names.into_iter().map(|name| Irregularity::about(UnsignedObject, name)).collect()
}

struct Walk<'w> {
    covered: &'w HashSet<NodeId>,
    above: HashSet<NodeId>,
    names: Vec<String>,
}

impl Walk<'_> {
    fn add(&mut self, element: Element<'_, '_>) {
        let id = element.attribute("Id").map(|id| format!(" {id}")).unwrap_or_default();
        self.name(format!("{}{id}", element.local()));
    }

    fn name(&mut self, name: String) {
        if self.names.len() < NAMED {
            self.names.push(name.chars().take(100).collect());
        }
    }

    /// A processing instruction inside the signature: SignedInfo is signed with its own, every signature within speaks
    /// for itself.
    fn instruction(&mut self, signature: Element<'_, '_>) {
        let tree = signature.tree();
        let inside = tree.subtree(signature.id());
        let speaks = |node: NodeId| {
            let within = tree.ancestors_or_self(node).skip(1).take_while(|node| *node != signature.id());
            { within }.any(|node| {
                let signed = |e: Element<'_, '_>| e.is(DSIG, "SignedInfo") || e.is(DSIG, "Signature");
                self.covered.contains(&node) || tree.element(node).is_some_and(signed)
            })
        };
        // One is enough to say so.
        let mut instructions = inside.filter(|node| tree.kind(*node) == Kind::Instruction);
        if let Some(node) = instructions.find(|node| !speaks(*node)) {
            self.name(format!("processing instruction {}", tree.target(node)));
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

    /// Elements that are not foreseen, the outermost ones, in a part that is not signed.
    fn foreign(&mut self, part: Element<'_, '_>, foreseen: &dyn Fn(Element<'_, '_>) -> bool) {
        let tree = part.tree();
        let mut skip = part.id();
        for element in tree.elements(part.id()) {
            if tree.is_within(element.id(), skip) && skip != part.id() {
                continue;
            }
            // What a signature within holds is its own.
            let nested = element.is(DSIG, "Signature");
            if nested || self.covered.contains(&element.id()) {
                skip = element.id();
            } else if !foreseen(element) {
                skip = element.id();
                self.add(element);
            } else if is_mixed(element) {
                self.name(format!("text in {}", element.local()));
            }
        }
    }
}

/// Whether an element that has other elements in it, or holds them where it holds anything, has text in it as well: of the
/// unsigned parts none has both.
fn is_mixed(element: Element<'_, '_>) -> bool {
    const STRUCTURE: [&str; 4] = [
        "UnsignedProperties",
        "UnsignedSignatureProperties",
        "UnsignedDataObjectProperties",
        "UnsignedDataObjectProperty",
    ];
    let structure = element.is(DSIG, "KeyInfo") || STRUCTURE.iter().any(|name| is(element, name));
    (structure || element.children().next().is_some()) && has_text(element)
}

fn has_text(element: Element<'_, '_>) -> bool {
    let tree = element.tree();
    tree.children(element.id()).any(|node| tree.kind(node) == Kind::Text && !tree.text(node).trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::{Root, Unpacked};
    use super::*;
    use crate::algorithm::DigestAlgorithm::Sha256;
    use crate::crypto::digest;
    use crate::document::Document;
    use crate::facts::{IrregularityKind, ScopeType};
    use crate::formats::Contents;
    use crate::formats::xml::{self, Options};
    use base64::Engine as _;

    const ENVELOPED: &str = "<Transform Algorithm='http://www.w3.org/2000/09/xmldsig#enveloped-signature'/>";
    const C14N: &str = "<Transform Algorithm='http://www.w3.org/2001/10/xml-exc-c14n#'/>";

    fn xpath(expression: &str) -> String {
        format!(
            "<Transform Algorithm='http://www.w3.org/TR/1999/REC-xpath-19991116'><XPath xmlns:d='{DSIG}'>{expression}\
             </XPath></Transform>"
        )
    }

    fn filter(operation: &str, expression: &str) -> String {
        format!(
            "<Transform Algorithm='http://www.w3.org/2002/06/xmldsig-filter2'><f:XPath xmlns:d='{DSIG}' \
             xmlns:f='http://www.w3.org/2002/06/xmldsig-filter2' Filter='{operation}'>{expression}</f:XPath></Transform>"
        )
    }

    /// Returns a reference to what has these bytes after its transforms.
    fn reference(uri: &str, transforms: &str, bytes: &str) -> String {
        let value = digest(Sha256, bytes.as_bytes()).expect("SHA-256");
        let value = base64::engine::general_purpose::STANDARD.encode(value);
        format!(
            "<Reference URI='{uri}'><Transforms>{transforms}</Transforms>\
             <DigestMethod Algorithm='http://www.w3.org/2001/04/xmlenc#sha256'/><DigestValue>{value}</DigestValue></Reference>"
        )
    }

    /// Returns a signature with these references, and these elements after its value.
    fn signature(references: &str, rest: &str) -> String {
        format!(
            "<Signature xmlns='{DSIG}'><SignedInfo><CanonicalizationMethod \
             Algorithm='http://www.w3.org/2001/10/xml-exc-c14n#'/><SignatureMethod Algorithm='m'/>{references}</SignedInfo>\
             <SignatureValue>AAAA</SignatureValue>{rest}</Signature>"
        )
    }

    /// Returns what is irregular about the first signature, what is covered as a whole, and what is covered in part.
    fn read(document: &str, contents: &[(&str, &[u8])]) -> (Vec<(IrregularityKind, String)>, usize, usize) {
        let tree = xml::read(document.as_bytes(), &Options::default()).expect("well-formed");
        let Root::Signed(unpacked) = Unpacked::of(tree) else { panic!("a signature") };
        let mut beside = Document::new(document.as_bytes());
        for (name, bytes) in contents {
            beside = beside.with_content(*name, bytes);
        }
        let draft = unpacked.draft(&Contents::of(&beside));
        let facts = &draft.signatures[0].facts;
        let about = |one: &Irregularity| (one.kind, one.subject.as_deref().unwrap_or_default().to_owned());
        let count = |kind| facts.scopes.iter().filter(|scope| scope.kind == kind).count();
        (facts.irregularities.iter().map(about).collect(), count(ScopeType::Full), count(ScopeType::Partial))
    }

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
    fn files_beside() {
        let file = "<r><a>1</a><b>2</b></r>";
        let not_a = xpath("not(ancestor-or-self::a)");
        let signed = |transforms: &str, bytes: &str| signature(&reference("f.xml", transforms, bytes), "");
        let beside = [("f.xml", file.as_bytes())];
        assert_eq!(read(&signed(C14N, file), &beside), (vec![], 1, 0), "XMLDSig 6.5 canonical, and whole");
        let left_out = vec![(PartlySignedContent, "f.xml: a".to_owned())];
        assert_eq!(read(&signed(&not_a, "<r><b>2</b></r>"), &beside), (left_out, 0, 1), "XMLDSig 8.1.1");
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
    fn what_stands_in_the_signature() {
        let all = "<r></r>";
        let with = |references: &str, rest: &str| {
            let references = reference("", ENVELOPED, all) + references;
            format!("<r>{}</r>", signature(&references, rest))
        };
        let xades = "xmlns:x='http://uri.etsi.org/01903/v1.3.2#'";
        let object = |content: &str| format!("<Object>{content}</Object>");
        let properties =
            |content: &str| object(&format!("<x:QualifyingProperties {xades}>{content}</x:QualifyingProperties>"));
        let data = "<data xmlns='' Id='d'>1</data>";
        let to_data = reference("#d", C14N, "<data Id=\"d\">1</data>");
        let unsigned = |local: &str| vec![(UnsignedObject, local.to_owned())];
        let violation = |subject: &str| vec![(FormatViolation, subject.to_owned())];
        for (clause, situation, document, expected) in [
            ("6.6.4", "nothing else", with("", ""), vec![]),
            ("6.6.4", "an object", with("", &object("<x xmlns=''/>")), unsigned("Object")),
            ("6.6.4", "text", with("", &object("900")), unsigned("Object")),
            ("6.6.4", "an object that is signed", with(&to_data, &object(data)), vec![]),
            (
                "6.6.4",
                "something beside what is signed",
                with(&to_data, &object(&format!("{data}<y xmlns=''/>"))),
                unsigned("y"),
            ),
            ("EN 319 132-1 4.3", "the properties", with("", &properties("<x:UnsignedProperties/>")), vec![]),
            ("EN 319 132-1 4.3", "beside the properties", with("", &properties("<y xmlns=''/>")), unsigned("y")),
            (
                "EN 319 132-1 4.3",
                "other properties",
                with("", &(properties("") + &properties("<x:SignedProperties/>"))),
                unsigned("Object"),
            ),
            (
                "EN 319 132-1 4.3.6",
                "something among the unsigned properties",
                with(
                    "",
                    &properties(
                        "<x:UnsignedProperties><x:UnsignedSignatureProperties><y xmlns=''><z/></y></x:UnsignedSignatureProperties></x:UnsignedProperties>",
                    ),
                ),
                unsigned("y"),
            ),
            ("4.5", "a name of the key", with("", "<KeyInfo><KeyName>k</KeyName></KeyInfo>"), vec![]),
            ("4.5", "something else about the key", with("", "<KeyInfo><y xmlns=''/></KeyInfo>"), unsigned("y")),
            (
                "EN 319 132-1 5",
                "a property that is none",
                with(
                    "",
                    &properties(
                        "<x:UnsignedProperties><x:UnsignedSignatureProperties><x:Contract>pay 900</x:Contract></x:UnsignedSignatureProperties></x:UnsignedProperties>",
                    ),
                ),
                unsigned("Contract"),
            ),
            (
                "EN 319 132-1 5",
                "an object among the unsigned properties",
                with(
                    "",
                    &properties(
                        "<x:UnsignedProperties><x:UnsignedSignatureProperties><Object>900</Object></x:UnsignedSignatureProperties></x:UnsignedProperties>",
                    ),
                ),
                unsigned("Object"),
            ),
            (
                "TS 101 903 7.1.4.3",
                "a document as a time-stamp",
                with(
                    "",
                    &properties(
                        "<x:UnsignedProperties><x:UnsignedSignatureProperties><x:SignatureTimeStamp><x:XMLTimeStamp><y xmlns=''/></x:XMLTimeStamp></x:SignatureTimeStamp></x:UnsignedSignatureProperties></x:UnsignedProperties>",
                    ),
                ),
                unsigned("y"),
            ),
            (
                "TS 101 903 7.1",
                "text for a property of the data",
                with(
                    "",
                    &properties(
                        "<x:UnsignedProperties><x:UnsignedDataObjectProperties>900</x:UnsignedDataObjectProperties></x:UnsignedProperties>",
                    ),
                ),
                unsigned("text in UnsignedDataObjectProperties"),
            ),
            (
                "4.5",
                "text beside the key",
                with("", "<KeyInfo>900<KeyName>k</KeyName></KeyInfo>"),
                unsigned("text in KeyInfo"),
            ),
            ("4.5", "an object about the key", with("", "<KeyInfo><Object>900</Object></KeyInfo>"), unsigned("Object")),
            ("4.1", "text", with("", "900"), unsigned("text in Signature")),
            (
                "4.3",
                "text beside the properties",
                with("", &properties("900")),
                unsigned("text in QualifyingProperties"),
            ),
            (
                "4.1",
                "an instruction",
                with("", "<?xml-stylesheet href='x'?>"),
                unsigned("processing instruction xml-stylesheet"),
            ),
            (
                "4.2",
                "two values",
                with("", "<SignatureValue>BBBB</SignatureValue>"),
                violation("2 SignatureValue in Signature"),
            ),
            ("4.1", "another element", with("", "<y xmlns=''/>"), violation("y in Signature")),
        ] {
            let (irregular, full, partial) = read(&document, &[]);
            assert_eq!(irregular, expected, "{clause} {situation}");
            if irregular.iter().any(|(kind, _)| *kind == UnsignedObject) {
                assert!(full == 0 && partial > 0, "{clause} {situation}");
            }
        }
    }

    #[test]
    fn what_other_readers_show() {
        const ALL: &str = "<r Id=\"r\"><a>1</a></r>";
        let by_id = |id: &str, bytes: &str| signature(&reference(id, C14N, bytes), "");
        let enveloped = ALL.replace("</r>", &(signature(&reference("", ENVELOPED, ALL), "") + "</r>"));
        let with = |comment: &str| enveloped.replace("<a>1", &format!("<a>{comment}1"));
        let part = |names: &str| (vec![(PartlySignedContent, names.to_owned())], 0, 1);
        let base64 = "<Transform Algorithm='http://www.w3.org/2000/09/xmldsig#base64'/>";
        let decoded = |attribute: &str| {
            format!("<q><a Id='a' {attribute}>TWFu</a>{}</q>", signature(&reference("#a", base64, "Man"), ""))
        };
        let inside = format!("<q><a Id=\"a\">1</a>{}</q>", by_id("#a", "<a Id=\"a\">1</a>"));
        for (clause, situation, document, expected) in [
            ("6.5.1", "a comment", with("<!-- x -->"), (vec![], 1, 0)),
            ("6.5.1", "a comment that HTML ends at once", with("<!-->900-->"), part("comment `>900`")),
            ("6.5.1", "another one", with("<!--->900-->"), part("comment `->900`")),
            (
                "6.5.1",
                "a script",
                enveloped.replace("<a>1", "<a><script xmlns='http://www.w3.org/1999/xhtml'/>1"),
                (vec![], 0, 0),
            ),
            ("6.6.2", "Base64 of an element", decoded("MimeType='text/plain'"), (vec![], 0, 1)),
            ("6.6.2", "with something beside it", decoded("note='900'"), part("#a: a/@note")),
            ("8.1", "a part", inside.clone(), (vec![], 0, 1)),
            (
                "8.1",
                "a part, and a style sheet that shows it",
                format!("<?xml-stylesheet href='x'?>{inside}"),
                part("processing instruction xml-stylesheet"),
            ),
        ] {
            assert_eq!(read(&document, &[]), expected, "XMLDSig {clause} {situation}");
        }
        let page = "<html><script><!-- show(900) --></script><p>1</p></html>";
        let signed = signature(&reference("f.html", C14N, "<html><script></script><p>1</p></html>"), "");
        let found = read(&signed, &[("f.html", page.as_bytes())]);
        assert_eq!(found, part("f.html: comment `show(900)`"), "HTML 13.2.6.2 a script that is a comment to XML");
    }

    /// XMLDSig §5.1: what each of these lists is not what is there.
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

    #[test]
    fn every_signature_speaks_for_itself() {
        let hidden = format!(
            "<x:CounterSignature xmlns:x='http://uri.etsi.org/01903/v1.3.2#'>{}</x:CounterSignature>",
            signature("", "<Object>900</Object>")
        );
        let document = format!("<r>{hidden}{}</r>", signature(&reference("", ENVELOPED, "<r></r>"), ""));
        let tree = xml::read(document.as_bytes(), &Options::default()).expect("well-formed");
        let Root::Signed(unpacked) = Unpacked::of(tree) else { panic!("a signature") };
        let draft = unpacked.draft(&Contents::default());
        assert_eq!(draft.signatures.len(), 2, "EN 319 132-1 5.2.7: it stands where nothing is counter-signed");
    }
}
