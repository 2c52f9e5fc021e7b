//! Transforms: from what a reference points at to the bytes that are digested. XMLDSig §4.4.3.4 and §6.6.

use super::canonical::{Algorithm, Canonicalization, Sink, canonical_bytes, canonicalize};
use super::element::{Declaration, Element};
use super::error::XmlError;
use super::html::{misread_spelling, shown_comments, signs_comments};
use super::node_set::{NodeSet, Nodes, attributes_within};
use super::options::{DocumentTypes, Options};
use super::parse::parse;
use super::tree::{Kind, NodeId, Tree};
use super::type_names::unsigned_types;
use super::xpath::{Context, Expression, Item, XPathError, compile, evaluate};
use super::{DSIG, EXCLUSIVE, decode};
use std::borrow::Cow;
use std::collections::HashSet;

/// Transforms of one reference. Real ones: at most 4.
const TRANSFORMS: usize = 16;
/// Prefixes that a canonical form treats as the inclusive one does. Real files: below 40.
const PREFIXES: usize = 500;
/// Nodes that the expressions of one transform may visit: a list of 200,000 nodes, fifty times over.
const VISITS: usize = 10_000_000;

/// What it costs to look at a node for a transform, in bytes of canonical forms.
const VISIT: usize = 64;

/// A step between what a reference points at and what is digested.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Transform {
    /// The signature that the reference belongs to is taken out: §6.6.4.
    Enveloped,
    /// §6.5.
    Canonical(Canonicalization),
    /// As [`Canonical`](Self::Canonical), but bytes are left as they are.
    Final(Canonicalization),
    /// §6.6.2.
    Base64,
    /// Nodes for which the expression holds, and the element that bears it: §6.6.3.
    XPath(Expression, NodeId),
    /// XPath Filter 2.0.
    Filter(Vec<(Operation, Expression, NodeId)>),
}

/// What XPath Filter 2.0 does with the subtrees that an expression names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Keeps only them.
    Intersect,
    /// Takes them out.
    Subtract,
    /// Adds them.
    Union,
}

/// Why a reference's bytes cannot be had.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TransformError {
    /// A transform that is not made here; XSLT is a programming language in the hands of whoever made the document.
    #[error("the transform {uri} is not made")]
    Unsupported { uri: String },
    /// A transform without what it needs.
    #[error("a transform lacks its {lacks}")]
    Incomplete { lacks: &'static str },
    /// More than are made.
    #[error("a reference has more than {limit} transforms")]
    TooMany { limit: usize },
    /// Past a bound.
    #[error("a canonical form has more than {limit} inclusive prefixes")]
    Prefixes { limit: usize },
    /// The enveloped-signature transform over something that the signature is not in.
    #[error("the signature is not in the document from which it is to be taken out")]
    NotEnveloped,
    /// Canonical forms of the whole document, again and again.
    #[error("the references ask for more canonical bytes than may be written, or kept")]
    TooMuchWork,
    /// Not Base64.
    #[error("what is to be decoded is not Base64")]
    Base64,
    /// A document of which there is no canonical form.
    #[error("a namespace name is relative, so the document has no canonical form")]
    RelativeNamespace,
    /// An expression that cannot be evaluated.
    #[error("an XPath transform has no result")]
    XPath(#[from] XPathError),
    /// Bytes that should be XML.
    #[error("a transform needs XML, and what it is given is not")]
    Xml(#[from] XmlError),
}

/// What a transform is given.
#[derive(Debug, Clone)]
pub enum Data<'t, 's, 'd> {
    /// Bytes.
    Bytes(Cow<'d, [u8]>),
    /// Nodes.
    Nodes(&'t Tree<'s>, NodeSet),
}

/// What transforms leave out of what a reference points at, beside comments and signatures of the same document, each of
/// which speaks for itself: §8.1.1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Omitted {
    names: Vec<String>,
    others: usize,
}

/// Names of omitted parts that are kept. They are for a message.
const NAMED: usize = 4;

impl Omitted {
    /// Returns whether nothing is left out.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the names of parts that another one does not leave out.
    pub fn beside<'o>(&'o self, other: &Self) -> impl Iterator<Item = &'o str> {
        self.names.iter().filter(|name| !other.names.contains(name)).map(String::as_str)
    }

    fn add(&mut self, name: impl FnOnce() -> String) {
        if self.names.len() < NAMED {
            let name = name().chars().take(100).collect();
            if !self.names.contains(&name) {
                self.names.push(name);
            }
        } else {
            self.others += 1;
        }
    }

    /// Notes the nodes and attributes of `given` that are not in `kept`; those inside a node that is left out go with it.
    fn between(&mut self, tree: &Tree, given: &Nodes, kept: &Nodes, own: bool) {
        let mut skip = 0;
        for node in tree.nodes() {
            let number = node.0 as usize;
            if node.0 < skip || !given.nodes[number] {
                continue;
            }
            if !kept.nodes[number] {
                skip = self.dropped(tree, node, own).unwrap_or(skip);
            } else if let Some(element) = tree.element(node) {
                let attributes = element.attributes().filter(|a| given.attributes[a.number as usize]);
                for attribute in attributes.filter(|a| !kept.attributes[a.number as usize]) {
                    self.add(|| format!("{}/@{}", element.local(), attribute.local));
                }
            }
        }
    }

    /// Notes a node that is left out; the end of what goes with it, where that is not looked at.
    fn dropped(&mut self, tree: &Tree, node: NodeId, own: bool) -> Option<u32> {
        match tree.kind(node) {
            Kind::Root | Kind::Comment => return None,
            Kind::Text if tree.text(node).trim().is_empty() => return None,
            Kind::Text => self.add(|| format!("text `{}`", tree.text(node).trim())),
            Kind::Instruction => self.add(|| format!("processing instruction {}", tree.target(node))),
            Kind::Element => {
                let element = tree.element(node)?;
                // The tag around an object says nothing of what is in it.
                if own && element.is(DSIG, "Object") {
                    return None;
                }
                if !(own && element.is(DSIG, "Signature")) {
                    self.add(|| element.local().to_owned());
                }
            }
        }
        Some(tree.node(node).end)
    }
}

impl std::fmt::Display for Omitted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.names.join(", "))?;
        if self.others > 0 { write!(f, " and {} more", self.others) } else { Ok(()) }
    }
}

/// Reads the `Transform` elements inside `element`.
pub fn read(element: Element) -> Result<Vec<Transform>, TransformError> {
    let mut transforms = vec![];
    for transform in element.children().filter(|child| child.is(DSIG, "Transform")) {
        if transforms.len() >= TRANSFORMS {
            return Err(TransformError::TooMany { limit: TRANSFORMS });
        }
        transforms.push(one(transform)?);
    }
    Ok(transforms)
}

fn one(element: Element) -> Result<Transform, TransformError> {
    let uri = element.attribute("Algorithm").ok_or(TransformError::Incomplete { lacks: "algorithm" })?;
    match uri {
        "http://www.w3.org/2000/09/xmldsig#enveloped-signature" => Ok(Transform::Enveloped),
        "http://www.w3.org/2000/09/xmldsig#base64" => Ok(Transform::Base64),
        "http://www.w3.org/TR/1999/REC-xpath-19991116" => {
            let xpath = element.child(DSIG, "XPath").ok_or(TransformError::Incomplete { lacks: "expression" })?;
            Ok(Transform::XPath(expression(xpath)?, xpath.id()))
        }
        FILTER => {
            let mut steps = vec![];
            for xpath in element.children().filter(|child| child.is(FILTER, "XPath")) {
                let operation = match xpath.attribute("Filter") {
                    Some("intersect") => Operation::Intersect,
                    Some("subtract") => Operation::Subtract,
                    Some("union") => Operation::Union,
                    _ => return Err(TransformError::Incomplete { lacks: "operation" }),
                };
                if steps.len() >= TRANSFORMS {
                    return Err(TransformError::TooMany { limit: TRANSFORMS });
                }
                steps.push((operation, expression(xpath)?, xpath.id()));
            }
            if steps.is_empty() {
                return Err(TransformError::Incomplete { lacks: "expression" });
            }
            Ok(Transform::Filter(steps))
        }
        _ => canonicalization(element).map(Transform::Canonical),
    }
}

/// The namespace and identifier of XPath Filter 2.0.
const FILTER: &str = "http://www.w3.org/2002/06/xmldsig-filter2";

fn expression(element: Element) -> Result<Expression, TransformError> {
    Ok(compile(&element.text(), &|prefix| element.resolve(prefix))?)
}

/// Returns the canonicalisation that a `Transform` or `CanonicalizationMethod` names, with its prefix list.
pub fn canonicalization(element: Element) -> Result<Canonicalization, TransformError> {
    let uri = element.attribute("Algorithm").unwrap_or_default();
    let method = Canonicalization::from_uri(uri);
    let mut method = method.ok_or_else(|| TransformError::Unsupported { uri: uri.chars().take(100).collect() })?;
    if let Some(inclusive) = element.child(EXCLUSIVE, "InclusiveNamespaces") {
        let prefixes = inclusive.attribute("PrefixList").unwrap_or_default().split_ascii_whitespace();
        let prefix = |written: &str| if written == "#default" { String::new() } else { written.to_string() };
        for prefix in prefixes.map(prefix) {
            method.inclusive_prefixes.insert(prefix);
            if method.inclusive_prefixes.len() > PREFIXES {
                return Err(TransformError::Prefixes { limit: PREFIXES });
            }
        }
    }
    Ok(method)
}

/// Makes the transforms and hands the bytes at their end to the sink; nodes at the end are put in canonical form.
///
/// `signature` is the `Signature` element that the reference belongs to.
pub fn apply(
    data: Data,
    transforms: &[Transform],
    signature: Element,
    sink: &mut dyn Sink,
) -> Result<(), TransformError> {
    apply_noting(data, transforms, signature, sink, &mut Omitted::default())
}

/// Applies the transforms as [`apply`] does, and notes what they leave out.
pub fn apply_noting(
    data: Data,
    transforms: &[Transform],
    signature: Element,
    sink: &mut dyn Sink,
    omitted: &mut Omitted,
) -> Result<(), TransformError> {
    let (mut bytes, mut transforms) = match data {
        Data::Bytes(bytes) => (bytes, transforms),
        Data::Nodes(tree, set) => match on_nodes(tree, set, transforms, signature, sink, omitted)? {
            None => return Ok(()),
            Some((bytes, rest)) => (Cow::Owned(bytes), rest),
        },
    };
    while let Some((transform, rest)) = transforms.split_first() {
        let made = match transform {
            Transform::Final(_) => None,
            Transform::Base64 => Some((decoded(&bytes, signature, omitted)?, rest)),
            // Nodes are needed: the bytes are read as a document of their own, which does not outlive what is made of it.
            _ => match on_document(&bytes, transforms, signature, sink, omitted)? {
                None => return Ok(()),
                made => made,
            },
        };
        transforms = rest;
        if let Some((made, rest)) = made {
            (bytes, transforms) = (Cow::Owned(made), rest);
        }
    }
    sink.write(&bytes);
    Ok(())
}

/// What transforms of nodes made of them, and the transforms that follow.
type Made<'t> = (Vec<u8>, &'t [Transform]);

/// Makes the transforms of nodes of a document that is read within or beside the signature's, at the cost of that.
fn on_document<'t>(
    bytes: &[u8],
    transforms: &'t [Transform],
    signature: Element,
    sink: &mut dyn Sink,
    omitted: &mut Omitted,
) -> Result<Option<Made<'t>>, TransformError> {
    spend(signature, bytes.len())?;
    let work = &signature.tree().work;
    let text = decode(bytes)?;
    if !signature.tree().affords_document(&text) {
        return Err(TransformError::TooMuchWork);
    }
    let mut tree = parse(&text, &Options { document_types: DocumentTypes::Empty, ..work.options.clone() })?;
    tree.work = work.clone();
    // Canonical XML 1.0 §4.1: no canonical form has it.
    if tree.has_document_type() {
        omitted.add(|| "document type".to_owned());
    }
    if let Some(comment) = shown_comments(&tree).first().filter(|_| !signs_comments(transforms)) {
        omitted.add(|| format!("comment `{}`", beginning(tree.text(*comment))));
    }
    misread_spelling(&tree).into_iter().for_each(|spelling| omitted.add(|| spelling.to_owned()));
    let set = NodeSet::subtree(&tree, tree.root(), true);
    on_nodes(&tree, set, transforms, signature, sink, omitted)
}

/// Makes the transforms of nodes, up to one that makes bytes of them where others follow it: these, and those that follow.
/// Else hands the nodes over in canonical form.
fn on_nodes<'t>(
    tree: &Tree,
    mut set: NodeSet,
    transforms: &'t [Transform],
    signature: Element,
    sink: &mut dyn Sink,
    omitted: &mut Omitted,
) -> Result<Option<Made<'t>>, TransformError> {
    for (at, transform) in transforms.iter().enumerate() {
        let rest = &transforms[at + 1..];
        match transform {
            Transform::Canonical(method) | Transform::Final(method) => {
                for stated in unsigned_types(tree, &set, method)? {
                    omitted.add(|| format!("namespace of the type {stated}"));
                }
                // The last one flows; one in between is kept.
                if rest.is_empty() {
                    return canonical(tree, &set, method, sink).map(|()| None);
                }
                return Ok(Some((kept(tree, &set, method)?, rest)));
            }
            Transform::Base64 => {
                spend(signature, tree.nodes.len())?;
                markup(tree, &set, omitted);
                let text: String = tree
                    .nodes()
                    .filter(|n| is_text(tree, *n) && set.contains(tree, *n))
                    .map(|n| tree.text(n))
                    .collect();
                return Ok(Some((decoded(text.as_bytes(), signature, omitted)?, rest)));
            }
            Transform::Enveloped => {
                if !same_tree(tree, signature) {
                    return Err(TransformError::NotEnveloped);
                }
                set.drop_subtree(tree, signature.id());
            }
            Transform::XPath(expression, bearer) => {
                spend(signature, VISIT * tree.nodes.len())?;
                let here = here(tree, signature, *bearer);
                set = satisfying(tree, set, expression, here, same_tree(tree, signature), omitted)?;
            }
            Transform::Filter(steps) => {
                spend(signature, VISIT * steps.len() * tree.nodes.len())?;
                let here = |bearer| here(tree, signature, bearer);
                set = filtered(tree, set, steps, here, same_tree(tree, signature), omitted)?;
            }
        }
    }
    // §4.4.3.2: what is not bytes yet is canonicalised without comments.
    canonical(tree, &set, &Canonicalization::new(Algorithm::Inclusive10), sink).map(|()| None)
}

/// Spends what a transform reads of the budget for canonical forms of the signature's document.
fn spend(signature: Element, bytes: usize) -> Result<(), TransformError> {
    if signature.tree().affords(bytes as u64) { Ok(()) } else { Err(TransformError::TooMuchWork) }
}

/// Returns the beginning of a text, for a message.
pub fn beginning(text: &str) -> String {
    text.trim().chars().take(40).collect()
}

/// Notes what the Base64 text of nodes leaves out: every tag but that of the one element whose text it is, unless that is
/// the document's; of that one its attributes, but for those that say what the text is; instructions.
fn markup(tree: &Tree, set: &NodeSet, omitted: &mut Omitted) {
    const OF_THE_TEXT: [&str; 5] = ["Id", "ID", "id", "Encoding", "MimeType"];
    let mut elements = tree.elements(tree.root()).filter(|element| set.contains(tree, element.id()));
    let only = elements.next().filter(|first| first.parent().is_some());
    let attributes = only.into_iter().flat_map(|only| only.attributes().map(move |attribute| (only, attribute)));
    for (element, attribute) in attributes.filter(|(_, attribute)| !OF_THE_TEXT.contains(&attribute.local)) {
        omitted.add(|| format!("{}/@{}", element.local(), attribute.local));
    }
    for node in tree.nodes().filter(|node| tree.kind(*node) == Kind::Instruction && set.contains(tree, *node)) {
        omitted.add(|| format!("processing instruction {}", tree.target(node)));
    }
    for element in only.is_none().then_some(tree.document_element()).flatten().into_iter().chain(elements) {
        omitted.add(|| format!("markup of {}", element.local()));
    }
}

/// Writes the nodes in canonical form, if there is one.
pub fn canonical(
    tree: &Tree,
    set: &NodeSet,
    method: &Canonicalization,
    sink: &mut dyn Sink,
) -> Result<(), TransformError> {
    if tree.has_relative_namespaces() {
        return Err(TransformError::RelativeNamespace);
    }
    if canonicalize(tree, set, method, sink) { Ok(()) } else { Err(TransformError::TooMuchWork) }
}

/// Returns the nodes in canonical form, kept for the next transform.
fn kept(tree: &Tree, set: &NodeSet, method: &Canonicalization) -> Result<Vec<u8>, TransformError> {
    if tree.has_relative_namespaces() {
        return Err(TransformError::RelativeNamespace);
    }
    canonical_bytes(tree, set, method).ok_or(TransformError::TooMuchWork)
}

fn is_text(tree: &Tree, node: NodeId) -> bool {
    tree.kind(node) == super::tree::Kind::Text
}

fn same_tree(tree: &Tree, element: Element) -> bool {
    std::ptr::eq(std::ptr::from_ref(tree).cast::<()>(), std::ptr::from_ref(element.tree()).cast::<()>())
}

/// Returns the element that bears an expression, where that is in the document the expression is about.
fn here(tree: &Tree, signature: Element, bearer: NodeId) -> Option<NodeId> {
    same_tree(tree, signature).then_some(bearer)
}

/// Returns the bytes that Base64 stands for, at the cost of what is read and of what is made. Notes characters that it
/// passes over, and that readers of the text see.
fn decoded(bytes: &[u8], signature: Element, omitted: &mut Omitted) -> Result<Vec<u8>, TransformError> {
    spend(signature, 2 * bytes.len())?;
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || byte.is_ascii_whitespace() || b"+/=".contains(byte);
    if !bytes.iter().all(is_base64) {
        omitted.add(|| "characters between Base64".to_owned());
    }
    super::base64(bytes).ok_or(TransformError::Base64)
}

/// Returns the nodes, attributes and namespaces of the set for which the expression holds: §6.6.3.
fn satisfying(
    tree: &Tree,
    mut set: NodeSet,
    expression: &Expression,
    here: Option<NodeId>,
    own: bool,
    omitted: &mut Omitted,
) -> Result<NodeSet, TransformError> {
    if let Some((namespace, local)) = expression.without_ancestor() {
        let named: Vec<NodeId> =
            tree.elements(tree.root()).filter(|e| e.is(namespace, local)).map(|e| e.id()).collect();
        named.iter().filter(|node| set.contains(tree, **node)).for_each(|node| _ = omitted.dropped(tree, *node, own));
        set.drop_subtrees(tree, named);
        return Ok(set);
    }
    let context = Context::new(tree, here, VISITS);
    // Where nothing is left to spend, nothing is begun.
    context.spend(1)?;
    let holds = |item: Item| -> Result<bool, TransformError> { Ok(evaluate(expression, &context, item)?.boolean()) };
    let given = set.into_nodes(tree);
    let mut kept = Nodes {
        nodes: vec![false; given.nodes.len()],
        attributes: vec![false; given.attributes.len()],
        namespaces: Some(HashSet::new()),
    };
    let mut in_scope = InScope::default();
    for node in tree.nodes().filter(|node| given.nodes[node.0 as usize]) {
        kept.nodes[node.0 as usize] = holds(Item::Node(node))?;
        let Some(element) = tree.element(node) else { continue };
        for declaration in in_scope.of(element).iter().filter(|d| !d.namespace.is_empty()) {
            context.spend(NAMESPACE)?;
            let held = given.namespaces.as_ref().is_none_or(|all| all.contains(&(node.0, declaration.number)));
            if held && holds(Item::Namespace(node, Some(declaration.number)))? {
                kept.namespaces.get_or_insert_default().insert((node.0, declaration.number));
            } else if held && kept.nodes[node.0 as usize] {
                omitted.add(|| format!("{}/xmlns:{}", element.local(), declaration.prefix));
            }
        }
        for attribute in element.attributes().filter(|a| given.attributes[a.number as usize]) {
            kept.attributes[attribute.number as usize] = holds(Item::Attribute(node, attribute.number))?;
        }
    }
    omitted.between(tree, &given, &kept, own);
    Ok(NodeSet::of_nodes(kept))
}

/// Visits that a namespace of an element costs beside its own: it is kept by itself.
const NAMESPACE: usize = 5;

/// The namespaces of the element before, which most elements share.
#[derive(Default)]
struct InScope<'t>(Option<(u32, Vec<Declaration<'t>>)>);

impl<'t> InScope<'t> {
    fn of(&mut self, element: Element<'t, '_>) -> &[Declaration<'t>] {
        let scope = element.data.scope;
        let known = self.0.take().filter(|(known, _)| *known == scope);
        &self.0.insert(known.unwrap_or_else(|| (scope, element.namespaces()))).1
    }
}

/// Keeps, takes out and adds whole subtrees, one step after the other (XPath Filter 2.0 §3.4).
fn filtered(
    tree: &Tree,
    mut set: NodeSet,
    steps: &[(Operation, Expression, NodeId)],
    here: impl Fn(NodeId) -> Option<NodeId>,
    own: bool,
    omitted: &mut Omitted,
) -> Result<NodeSet, TransformError> {
    let root = Item::Node(tree.root());
    let named = |(_, expression, bearer): &(Operation, Expression, NodeId)| -> Result<Vec<Item>, TransformError> {
        Ok(evaluate(expression, &Context::new(tree, here(*bearer), VISITS), root)?.nodes()?)
    };
    if steps.iter().all(|(operation, ..)| *operation == Operation::Subtract) {
        let items = steps.iter().map(named).collect::<Result<Vec<_>, _>>()?.concat();
        let nodes: Option<Vec<NodeId>> =
            items.iter().map(|item| if let Item::Node(node) = item { Some(*node) } else { None }).collect();
        if let Some(nodes) = nodes {
            nodes
                .iter()
                .filter(|node| set.contains(tree, **node))
                .for_each(|node| _ = omitted.dropped(tree, *node, own));
            set.drop_subtrees(tree, nodes);
            return Ok(set);
        }
    }
    let mut kept =
        Nodes { nodes: vec![true; tree.nodes.len()], attributes: vec![true; tree.attributes.len()], namespaces: None };
    for step in steps {
        let (operation, ..) = step;
        let mut marked = Nodes {
            nodes: vec![false; tree.nodes.len()],
            attributes: vec![false; tree.attributes.len()],
            namespaces: None,
        };
        let mut covered = 0;
        for item in named(step)? {
            match item {
                // In document order, what is inside a subtree already marked is marked.
                Item::Node(node) if node.0 < covered => {}
                Item::Node(node) => {
                    covered = tree.node(node).end;
                    marked.nodes[node.0 as usize..covered as usize].fill(true);
                    marked.attributes[attributes_within(tree, (node.0, covered))].fill(true);
                }
                Item::Attribute(_, number) => marked.attributes[number as usize] = true,
                Item::Namespace(..) => {}
            }
        }
        let combine = |kept: &mut [bool], marked: &[bool]| {
            for (kept, marked) in kept.iter_mut().zip(marked) {
                *kept = match operation {
                    Operation::Intersect => *kept && *marked,
                    Operation::Subtract => *kept && !*marked,
                    Operation::Union => *kept || *marked,
                };
            }
        };
        combine(&mut kept.nodes, &marked.nodes);
        combine(&mut kept.attributes, &marked.attributes);
    }
    let given = set.into_nodes(tree);
    let both = |given: &[bool], kept: Vec<bool>| given.iter().zip(kept).map(|(given, kept)| *given && kept).collect();
    let kept = Nodes {
        nodes: both(&given.nodes, kept.nodes),
        attributes: both(&given.attributes, kept.attributes),
        namespaces: given.namespaces.clone(),
    };
    omitted.between(tree, &given, &kept, own);
    Ok(NodeSet::of_nodes(kept))
}
