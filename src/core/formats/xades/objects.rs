//! What stands inside a signature and is not signed: XMLDSig §4.5, §6.6.4, EN 319 132-1 §4.3, §5.

use super::coverage::NAMED;
use super::matchers::ComparedReference;
use super::names::{ATTRIBUTES, BESIDE_XADES, INSIDE_UNSIGNED, KEYS, OF_KEYS, STRUCTURE, UNSIGNED, XADES};
use super::{descend, is};
use crate::facts::Irregularity;
use crate::facts::IrregularityKind::UnsignedObject;
use crate::formats::xml::signature::{Target, XmlSignature};
use crate::formats::xml::{Attribute, DSIG, Element, Kind, NodeId, XML, XSI};
use std::collections::HashSet;

/// Returns what stands inside the signature and nothing covers: of its objects what no reference points at, of its
/// unsigned parts what the standards do not foresee. The enveloped-signature transform leaves all of it out: §6.6.4.
///
/// `own` are the signature's qualifying properties.
pub(super) fn objects(
    signature: &XmlSignature<'_, '_>,
    own: Option<Element<'_, '_>>,
    matched: &[ComparedReference<'_, '_>],
) -> Vec<Irregularity> {
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
    let value = element.child(DSIG, "SignatureValue");
    [Some(element), value, own].into_iter().flatten().for_each(|part| walk.attributes(part));
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

    /// Adds a processing instruction inside the signature: SignedInfo is signed with its own, every signature within
    /// speaks for itself.
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

    /// Adds what nothing covers of an object; `own` are the signature's qualifying properties.
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

    /// Adds what nothing covers of the qualifying properties: the signed ones are a reference's, the unsigned ones come
    /// later.
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

    /// Adds what nothing covers of an element of an object: it is covered, or around something that is, or neither.
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

    /// Adds elements that are not foreseen, the outermost ones, in a part that is not signed.
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
            } else {
                self.attributes(element);
            }
        }
    }

    /// Adds attributes that are not foreseen, of an element that is.
    fn attributes(&mut self, element: Element<'_, '_>) {
        let foreign = |one: &Attribute<'_>| match one.namespace {
            "" => !ATTRIBUTES.contains(&one.local) && !one.local.eq_ignore_ascii_case("Id"),
            namespace => namespace != XML && namespace != XSI,
        };
        element.attributes().filter(foreign).for_each(|one| self.name(format!("{}/@{}", element.local(), one.local)));
    }
}

/// Returns whether an element that has other elements in it, or can have nothing else, has text in it as well: of the
/// unsigned parts none has both.
fn is_mixed(element: Element<'_, '_>) -> bool {
    let local = element.local();
    let structure = STRUCTURE.contains(&local) || UNSIGNED.contains(&local) && local != "AnyValidationData";
    (structure || element.children().next().is_some()) && has_text(element)
}

fn has_text(element: Element<'_, '_>) -> bool {
    let tree = element.tree();
    tree.children(element.id()).any(|node| tree.kind(node) == Kind::Text && !tree.text(node).trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::super::{Root, Unpacked};
    use super::*;
    use crate::facts::IrregularityKind::MalformedHeader;
    use crate::formats::Contents;
    use crate::formats::xml::{self, Options};

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
        let rfc4050 = |text: &str| {
            format!(
                "<KeyInfo><KeyValue><ECDSAKeyValue xmlns='http://www.w3.org/2001/04/xmldsig-more#'><DomainParameters><NamedCurve URN='urn:oid:1.2.840.10045.3.1.7'/></DomainParameters><PublicKey>{text}<X Value='1'/><Y Value='2'/></PublicKey></ECDSAKeyValue></KeyValue></KeyInfo>"
            )
        };
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
            ("RFC 4050 3", "a key on an elliptic curve, as before XMLDSig 1.1", with("", &rfc4050("")), vec![]),
            ("RFC 4050 3", "text beside its point", with("", &rfc4050("900")), unsigned("text in PublicKey")),
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
                vec![(UnsignedObject, "y".to_owned()), (MalformedHeader, "SignatureTimeStamp".to_owned())],
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
        ] {
            let (irregular, full, partial) = read(&document, &[]);
            assert_eq!(irregular, expected, "{clause} {situation}");
            if irregular.iter().any(|(kind, _)| *kind == UnsignedObject) {
                assert!(full == 0 && partial > 0, "{clause} {situation}");
            }
        }
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
