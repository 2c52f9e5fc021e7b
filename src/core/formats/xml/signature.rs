//! XML signatures: XML Signature Syntax and Processing 1.1 §4, and where references lead.
//!
//! Reading a signature never fails for what one reference says: what cannot be
//! resolved or transformed is that reference's defect, and the others stand.

use super::canonical::{Canonicalization, Sink};
use super::element::Element;
use super::method::signature_algorithm;
use super::node_set::NodeSet;
use super::transform::{self, Data, Omitted, Transform, TransformError};
use super::tree::{NodeId, Tree};
use super::xpath::{Context, Item, compile, evaluate};
use super::{DSIG, ids};
use crate::algorithm::SignatureAlgorithm;
use crate::uri::unescaped;
use std::borrow::Cow;

/// References of one signature or manifest. The largest in the public corpora has some 400.
const REFERENCES: usize = 10_000;

/// Nodes that an XPointer expression may visit. Those in use name an element by its id or its path.
const POINTER_VISITS: usize = 100_000;
/// XPointer expressions of one signature or manifest that are evaluated. Real files: none or one.
const POINTERS: usize = 16;

/// A `ds:Signature`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct XmlSignature<'t, 's> {
    /// The element.
    pub element: Element<'t, 's>,
    /// `SignedInfo`, whose canonical form is what the value is over.
    pub signed_info: Element<'t, 's>,
    /// How `SignedInfo` is canonicalised.
    pub canonicalization: Result<Canonicalization, TransformError>,
    /// The signature algorithm; `None` where its name or a parameter of it is not known.
    pub algorithm: Option<SignatureAlgorithm>,
    /// In their order.
    pub references: Vec<Reference<'t, 's>>,
    /// The signature value; empty where there is none or its text is not Base64.
    pub value: Vec<u8>,
    /// What is said of the key.
    pub key_info: Option<Element<'t, 's>>,
}

/// A `ds:Reference`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Reference<'t, 's> {
    /// The element.
    pub element: Element<'t, 's>,
    /// Where it points; `None`: the application knows.
    pub uri: Option<&'t str>,
    /// Where that leads.
    target: Target,
    /// What kind of object it says it points at.
    pub kind: Option<&'t str>,
    /// What is done before digesting.
    pub transforms: Result<Vec<Transform>, TransformError>,
    /// The digest function's URI.
    pub digest_method: &'t str,
    /// The stated digest; `None` where there is none that is Base64.
    pub digest: Option<Vec<u8>>,
}

/// Why an element is not an XML signature.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// A part is missing.
    #[error("the signature has no {part}")]
    Missing { part: &'static str },
    /// Past a bound.
    #[error("the signature has more than {limit} references")]
    TooMany { limit: usize },
}

/// What a reference points at.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// The whole document, with comments or without.
    Document { comments: bool },
    /// The element with that id, with comments or without. `ambiguous`: others have the same id.
    Element { node: NodeId, comments: bool, ambiguous: bool },
    /// Another document, or nothing that is named.
    Outside,
    /// An id that no element has, or a pointer that is not read.
    Nothing,
}

/// Why a reference's bytes cannot be had.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ReferenceError {
    /// What it points at is not there.
    #[error("what the reference points at is not there")]
    NotFound,
    /// A transform cannot be made.
    #[error(transparent)]
    Transform(#[from] TransformError),
}

/// Returns every signature of a document, in its order, also those inside others.
pub fn signatures<'t, 's>(tree: &'t Tree<'s>) -> impl Iterator<Item = Element<'t, 's>> {
    tree.elements(tree.root()).filter(|element| element.is(DSIG, "Signature"))
}

impl<'t, 's> XmlSignature<'t, 's> {
    /// Reads a `ds:Signature`.
    pub fn read(element: Element<'t, 's>) -> Result<Self, SignatureError> {
        let part = |within: Element<'t, 's>, part: &'static str| {
            within.child(DSIG, part).ok_or(SignatureError::Missing { part })
        };
        let signed_info = part(element, "SignedInfo")?;
        Ok(Self {
            element,
            signed_info,
            canonicalization: transform::canonicalization(part(signed_info, "CanonicalizationMethod")?),
            algorithm: signature_algorithm(part(signed_info, "SignatureMethod")?),
            references: references(signed_info)?,
            value: element.child(DSIG, "SignatureValue").and_then(base64_text).unwrap_or_default(),
            key_info: element.child(DSIG, "KeyInfo"),
        })
    }

    /// Writes what the signature value is over.
    pub fn signed_bytes(&self, sink: &mut dyn Sink) -> Result<(), TransformError> {
        let method = self.canonicalization.clone()?;
        let tree = self.element.tree();
        // §4.4.1: SignedInfo is taken with its comments; the method says whether they are written.
        transform::canonical(tree, &NodeSet::subtree(tree, self.signed_info.id(), true), &method, sink)
    }
}

/// Returns the references of a `SignedInfo` or `Manifest`.
pub fn references<'t, 's>(element: Element<'t, 's>) -> Result<Vec<Reference<'t, 's>>, SignatureError> {
    let (mut references, mut pointers) = (vec![], 0);
    for reference in element.children().filter(|child| child.is(DSIG, "Reference")) {
        if references.len() >= REFERENCES {
            return Err(SignatureError::TooMany { limit: REFERENCES });
        }
        let method = reference.child(DSIG, "DigestMethod").and_then(|method| method.attribute("Algorithm"));
        let mut read = Reference {
            element: reference,
            target: Target::Nothing,
            uri: reference.attribute("URI"),
            kind: reference.attribute("Type"),
            transforms: reference.child(DSIG, "Transforms").map_or(Ok(vec![]), transform::read),
            digest_method: method.unwrap_or_default(),
            digest: reference.child(DSIG, "DigestValue").and_then(base64_text),
        };
        pointers += usize::from(read.uri.is_some_and(|uri| uri.starts_with('#') && uri.contains('(')));
        // Past the bound pointers lead nowhere; plain references cost nothing.
        if pointers <= POINTERS || !read.uri.is_some_and(|uri| uri.contains('(')) {
            read.target = read.resolve();
        }
        references.push(read);
    }
    Ok(references)
}

impl<'t, 's> Reference<'t, 's> {
    /// Returns where the reference leads.
    pub fn target(&self) -> Target {
        self.target
    }

    /// Returns where the URI leads (§4.4.3.2 and §4.4.3.3).
    fn resolve(&self) -> Target {
        let tree = self.element.tree();
        let Some(uri) = self.uri else { return Target::Outside };
        let Some(fragment) = uri.strip_prefix('#') else {
            return if uri.is_empty() { Target::Document { comments: false } } else { Target::Outside };
        };
        if fragment == "xpointer(/)" {
            return Target::Document { comments: true };
        }
        let pointer = fragment.strip_prefix("xpointer(id(").and_then(|rest| rest.strip_suffix("))"));
        let quoted = |text: &'t str| {
            let bare = |quote: char| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
            bare('\'').or(bare('"'))
        };
        let (id, comments) = match pointer {
            Some(id) => (quoted(id).unwrap_or_default(), true),
            None if fragment.contains('(') => return self.pointed(tree, fragment),
            None => (fragment, false),
        };
        let id = unescaped(id);
        let mut found = ids::find(tree, &id);
        match (found.next(), found.next()) {
            (None, _) => Target::Nothing,
            (Some(first), other) => Target::Element { node: first.id(), comments, ambiguous: other.is_some() },
        }
    }

    /// Returns where `xpointer(EXPRESSION)` leads: an expression that names one element.
    fn pointed(&self, tree: &Tree, fragment: &str) -> Target {
        let expression = fragment.strip_prefix("xpointer(").and_then(|rest| rest.strip_suffix(')'));
        let Some(expression) = expression.map(unescaped) else { return Target::Nothing };
        let resolve = |prefix: &str| self.element.resolve(prefix);
        let context = Context::new(tree, Some(self.element.id()), POINTER_VISITS);
        let value = compile(&expression, &resolve).and_then(|e| evaluate(&e, &context, Item::Node(tree.root())));
        match value.and_then(super::xpath::Value::nodes).as_deref() {
            Ok([Item::Node(node)]) if *node == tree.root() => Target::Document { comments: true },
            Ok([Item::Node(node)]) => Target::Element { node: *node, comments: true, ambiguous: false },
            _ => Target::Nothing,
        }
    }

    /// Writes what the reference points at, transformed, where nodes at the end are put in a canonical form of the
    /// caller's choosing (EN 319 132-1 §5.2.8: a time-stamp states its own). Notes what is left out.
    pub fn bytes_by(
        &self,
        signature: Element,
        outside: Option<Cow<'_, [u8]>>,
        method: &Canonicalization,
        sink: &mut dyn Sink,
        omitted: &mut Omitted,
    ) -> Result<(), TransformError> {
        let data = self.data(outside).map_err(|_| TransformError::Incomplete { lacks: "data" })?;
        let mut transforms = self.transforms.clone()?;
        // The method applies where the transforms end in nodes.
        transforms.push(Transform::Final(method.clone()));
        transform::apply_noting(data, &transforms, signature, sink, omitted)
    }

    fn data<'d>(&self, outside: Option<Cow<'d, [u8]>>) -> Result<Data<'t, 's, 'd>, ReferenceError> {
        let tree = self.element.tree();
        Ok(match self.target() {
            Target::Document { comments } => Data::Nodes(tree, NodeSet::subtree(tree, tree.root(), comments)),
            Target::Element { node, comments, .. } => Data::Nodes(tree, NodeSet::subtree(tree, node, comments)),
            Target::Outside => Data::Bytes(outside.ok_or(ReferenceError::NotFound)?),
            Target::Nothing => return Err(ReferenceError::NotFound),
        })
    }

    /// Writes the bytes that are digested. `outside` gives the bytes of what lies outside the document.
    pub fn bytes<'d>(
        &self,
        signature: Element,
        outside: Option<Cow<'d, [u8]>>,
        sink: &mut dyn Sink,
    ) -> Result<(), ReferenceError> {
        let data = self.data(outside)?;
        let transforms = self.transforms.as_ref().map_err(Clone::clone)?;
        Ok(transform::apply(data, transforms, signature, sink)?)
    }

    /// Writes the same as [`bytes`](Self::bytes), and notes what the transforms leave out.
    pub fn bytes_noting<'d>(
        &self,
        signature: Element,
        outside: Option<Cow<'d, [u8]>>,
        sink: &mut dyn Sink,
        omitted: &mut Omitted,
    ) -> Result<(), ReferenceError> {
        let data = self.data(outside)?;
        let transforms = self.transforms.as_ref().map_err(Clone::clone)?;
        Ok(transform::apply_noting(data, transforms, signature, sink, omitted)?)
    }
}

/// Returns the bytes that an element's Base64 text stands for.
pub fn base64_text(element: Element) -> Option<Vec<u8>> {
    super::base64(element.text().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::super::options::Options;
    use super::super::parse::parse;
    use super::*;

    /// Returns the bytes of the first reference of the first signature in the document.
    fn first(source: &str) -> Result<String, String> {
        let tree = parse(source, &Options::default()).map_err(|e| e.to_string())?;
        let element = signatures(&tree).next().ok_or("no signature")?;
        let signature = XmlSignature::read(element).map_err(|e| e.to_string())?;
        let mut out = vec![];
        let outside = Some(Cow::Borrowed(&b"<o:x xmlns:o='u:o'><!--c-->PGE+\n</o:x>"[..]));
        signature.references[0].bytes(element, outside, &mut out).map_err(|e| e.to_string())?;
        String::from_utf8(out).map_err(|e| e.to_string())
    }

    fn document(uri: &str, transforms: &str) -> String {
        format!(
            "<r xmlns:p='u:p'><!--c--><p:a Id='a'>1<b Id='b'>Mg==</b><!--d--></p:a><ds:Signature Id='s' \
             xmlns:ds='{DSIG}'><ds:SignedInfo><ds:CanonicalizationMethod \
             Algorithm='http://www.w3.org/2001/10/xml-exc-c14n#'/><ds:SignatureMethod Algorithm='m'/><ds:Reference \
             {uri}><ds:Transforms>{transforms}</ds:Transforms><ds:DigestMethod Algorithm='d'/><ds:DigestValue>AA==\
             </ds:DigestValue></ds:Reference></ds:SignedInfo><ds:SignatureValue>AA\n==</ds:SignatureValue>\
             </ds:Signature><b Id='x y'/></r>"
        )
    }

    #[test]
    fn references_and_transforms() {
        const ENVELOPED: &str = "<ds:Transform Algorithm='http://www.w3.org/2000/09/xmldsig#enveloped-signature'/>";
        const EXC: &str = "<ds:Transform Algorithm='http://www.w3.org/2001/10/xml-exc-c14n#'/>";
        const BASE64: &str = "<ds:Transform Algorithm='http://www.w3.org/2000/09/xmldsig#base64'/>";
        let xpath = |expression: &str| {
            format!(
                "<ds:Transform Algorithm='http://www.w3.org/TR/1999/REC-xpath-19991116'><ds:XPath>{expression}</ds:XPath></ds:Transform>"
            )
        };
        let filter = |operation: &str, expression: &str| {
            format!(
                "<ds:Transform Algorithm='http://www.w3.org/2002/06/xmldsig-filter2'><f:XPath xmlns:f='http://www.w3.org/2002/06/xmldsig-filter2' Filter='{operation}'>{expression}</f:XPath></ds:Transform>"
            )
        };
        let whole = "<r xmlns:p=\"u:p\"><p:a Id=\"a\">1<b Id=\"b\">Mg==</b></p:a><b Id=\"x y\"></b></r>";
        let a = "<p:a xmlns:p=\"u:p\" Id=\"a\">1<b Id=\"b\">Mg==</b></p:a>";
        let not_signature = xpath("not(ancestor-or-self::ds:Signature)");
        let the_same = xpath("count(ancestor-or-self::ds:Signature) = 0");
        let here = xpath(
            "count(ancestor-or-self::ds:Signature | here()/ancestor::ds:Signature[1]) &gt; count(ancestor-or-self::ds:Signature)",
        );
        let subtract = filter("subtract", "//ds:Signature");
        let intersect = filter("intersect", "//p:a") + &filter("subtract", "//b");
        for (clause, uri, transforms, expected) in [
            ("§4.4.3.2: by id, without comments", "URI='#a'", String::new(), a),
            (
                "§4.4.3.3: a pointer by id keeps them",
                "URI=\"#xpointer(id('a'))\"",
                EXC.replace("n#", "n#WithComments"),
                "<p:a xmlns:p=\"u:p\" Id=\"a\">1<b Id=\"b\">Mg==</b><!--d--></p:a>",
            ),
            ("§6.6.4: enveloped", "URI=''", ENVELOPED.into(), whole),
            ("§6.6.3: the usual expression", "URI=''", not_signature, whole),
            ("§6.6.3: another that says the same", "URI=''", the_same, whole),
            ("§6.6.3: with here()", "URI=''", here, whole),
            ("Filter 2.0: subtract", "URI=''", subtract, whole),
            (
                "Filter 2.0: intersect, then subtract",
                "URI=''",
                intersect + EXC,
                "<p:a xmlns:p=\"u:p\" Id=\"a\">1</p:a>",
            ),
            ("§6.6.2: Base64 of an element", "URI='#b'", BASE64.into(), "2"),
            ("§6.6.2: Base64 after canonical bytes", "URI='#b'", format!("{}{BASE64}", xpath("self::text()")), "2"),
            ("§4.4.3.2: another document", "URI='other.xml'", String::new(), "<o:x xmlns:o='u:o'><!--c-->PGE+\n</o:x>"),
            ("§4.4.3.2: another document as nodes", "URI='other.xml'", EXC.into(), "<o:x xmlns:o=\"u:o\">PGE+\n</o:x>"),
            ("§4.4.3.2: no URI, and what the application gives is not Base64", "", BASE64.into(), ""),
        ] {
            let found = first(&document(uri, &transforms));
            if expected.is_empty() {
                assert!(found.is_err(), "XMLDSig {clause}: {found:?}");
            } else {
                assert_eq!(found.as_deref(), Ok(expected), "XMLDSig {clause}");
            }
        }
        for (clause, uri, transforms) in [
            ("§4.4.3.2: an id that nobody has", "URI='#nobody'", ""),
            ("§6.6.5: XSLT", "URI=''", "<ds:Transform Algorithm='http://www.w3.org/TR/1999/REC-xslt-19991116'/>"),
            ("§6.6.4: enveloped by another document", "URI='o.xml'", ENVELOPED),
            (
                "§6.6.3: no expression",
                "URI=''",
                "<ds:Transform Algorithm='http://www.w3.org/TR/1999/REC-xpath-19991116'/>",
            ),
            ("§4.4.3.4: too many", "URI='#b'", &EXC.repeat(17)),
        ] {
            assert!(first(&document(uri, transforms)).is_err(), "XMLDSig {clause}");
        }
    }

    #[test]
    fn an_id_twice_is_ambiguous() {
        let source = document("URI='#a'", "").replace("<b Id='x y'/>", "<b Id='a'/>");
        let tree = parse(&source, &Options::default()).expect("well-formed");
        let signature = XmlSignature::read(signatures(&tree).next().expect("one")).expect("whole");
        assert!(matches!(signature.references[0].target(), Target::Element { ambiguous: true, .. }));
        let mut bytes = vec![];
        signature.signed_bytes(&mut bytes).expect("a canonical form");
        assert!(bytes.starts_with(b"<ds:SignedInfo xmlns:ds="), "§4.4.1");
        assert_eq!(signature.value, [0]);
    }
}
