//! The tree: nodes in document order, in one array.
//!
//! A node's number is its place in document order, and its descendants are the
//! numbers up to its `end`. So a subtree is a range, "is within" is two
//! comparisons, and no walk needs recursion.

use super::element::{Attribute, Declaration, Element};
use super::work::Work;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A node of one tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

/// Where something lies in the source, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Its first byte.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
}

/// A text: a slice of the source, or, where normalising changed it, of the pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) pooled: bool,
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The document itself.
    Root,
    /// An element.
    Element,
    /// Character data; adjacent data and CDATA sections are one node.
    Text,
    /// A comment.
    Comment,
    /// A processing instruction.
    Instruction,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) parent: u32,
    /// The number after the last descendant's.
    pub(super) end: u32,
    pub(super) span: Span,
    /// Element: its place in `elements`. Others: their text's place in `texts`.
    pub(super) data: u32,
}

/// The number of no namespace.
pub(super) const NO_NAMESPACE: u32 = 0;
/// The number of the namespace of `xml`.
pub(super) const XML_NAMESPACE: u32 = 1;

#[derive(Debug, Clone)]
pub(super) struct ElementData {
    pub(super) prefix: Text,
    pub(super) local: Text,
    pub(super) namespace: u32,
    pub(super) attributes: Range<u32>,
    pub(super) scope: u32,
    /// Where the start tag ends.
    pub(super) opened: u32,
    /// Where the end tag begins; an empty element has none, then it is the end.
    pub(super) closing: u32,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct AttributeData {
    pub(super) prefix: Text,
    pub(super) local: Text,
    pub(super) namespace: u32,
    pub(super) value: Text,
    pub(super) owner: u32,
}

/// Namespaces declared by one element, and the scope around it.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    pub(super) around: u32,
    pub(super) declarations: Range<u32>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct DeclarationData {
    pub(super) prefix: Text,
    /// What tells most prefixes apart.
    pub(super) key: u64,
    pub(super) namespace: u32,
}

/// Returns a number that is another for other prefixes, if they have less than eight bytes; for most of the longer ones.
pub(super) fn prefix_key(prefix: &str) -> u64 {
    let bytes = prefix.as_bytes();
    let (first, last) = if bytes.len() < 8 { (bytes, &[][..]) } else { (&bytes[..4], &bytes[bytes.len() - 3..]) };
    let length = bytes.len().min(255) as u64;
    first.iter().chain(last).fold(length, |key, byte| key << 8 | u64::from(*byte))
}

/// An XML document.
#[derive(Debug)]
pub struct Tree<'s> {
    pub(super) source: Cow<'s, str>,
    pub(super) pool: String,
    pub(super) nodes: Vec<Node>,
    /// Target and data of instructions, content of texts and comments.
    pub(super) texts: Vec<(Text, Text)>,
    pub(super) elements: Vec<ElementData>,
    pub(super) attributes: Vec<AttributeData>,
    pub(super) scopes: Vec<Scope>,
    pub(super) declarations: Vec<DeclarationData>,
    /// Namespace names by number: none, that of `xml`, then as met.
    pub(super) namespaces: Vec<String>,
    /// Whether there was a document type declaration.
    pub(super) has_document_type: bool,
    /// Whether a namespace name is a relative reference.
    pub(super) has_relative_namespaces: bool,
    /// Attributes that are ids, by their values; made when first asked for.
    pub(super) ids: OnceLock<Vec<u32>>,
    /// The comments that readers of HTML show or run; looked for when first asked for.
    pub(super) shown_comments: OnceLock<Vec<NodeId>>,
    /// What readers of HTML read otherwise, for a message; looked for when first asked for.
    pub(super) misread_spelling: OnceLock<Option<String>>,
    /// What expressions and canonical forms have cost so far, of this document and of what its signatures refer to.
    pub(super) work: Arc<Work>,
}

impl<'s> Tree<'s> {
    /// Returns the document node.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// Returns the document element.
    pub fn document_element(&self) -> Option<Element<'_, 's>> {
        self.children(self.root()).find_map(|node| self.element(node))
    }

    /// Returns the source text.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns whether the document has a document type declaration.
    pub fn has_document_type(&self) -> bool {
        self.has_document_type
    }

    /// Returns whether a namespace name is a relative reference: such a document has no canonical form (Canonical XML
    /// §1.3).
    pub fn has_relative_namespaces(&self) -> bool {
        self.has_relative_namespaces
    }

    /// Returns every node, in document order.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Returns what the node is.
    pub fn kind(&self, node: NodeId) -> Kind {
        self.node(node).kind
    }

    /// Returns the node around it.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node.0 != 0).then(|| NodeId(self.node(node).parent))
    }

    /// Returns the nodes right inside it, in document order.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.node(node).end;
        let mut next = node.0 + 1;
        std::iter::from_fn(move || {
            if next >= end {
                return None;
            }
            let child = next;
            next = self.nodes[child as usize].end;
            Some(NodeId(child))
        })
    }

    /// Returns the node and everything inside it, in document order.
    pub fn subtree(&self, node: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (node.0..self.node(node).end).map(NodeId)
    }

    /// Returns the node, then what is around it, to the document.
    pub fn ancestors_or_self(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(node), |node| self.parent(*node))
    }

    /// Returns whether `node` is `within` or inside it.
    pub fn is_within(&self, node: NodeId, within: NodeId) -> bool {
        node >= within && node.0 < self.node(within).end
    }

    /// Returns the node that follows all of it, or would.
    pub fn end(&self, node: NodeId) -> NodeId {
        NodeId(self.node(node).end)
    }

    /// Returns where the node lies in the source.
    pub fn span(&self, node: NodeId) -> Span {
        self.node(node).span
    }

    /// Returns the node as an element.
    #[inline]
    pub fn element(&self, node: NodeId) -> Option<Element<'_, 's>> {
        let node_data = self.node(node);
        (node_data.kind == Kind::Element).then(|| Element {
            tree: self,
            node,
            data: &self.elements[node_data.data as usize],
        })
    }

    /// Returns every element inside `node` (and it), in document order.
    pub fn elements(&self, node: NodeId) -> impl Iterator<Item = Element<'_, 's>> {
        self.subtree(node).filter_map(|node| self.element(node))
    }

    /// Returns the content of a text or comment, the data of an instruction; empty for the others.
    pub fn text(&self, node: NodeId) -> &str {
        match self.node(node) {
            Node { kind: Kind::Text | Kind::Comment | Kind::Instruction, data, .. } => {
                self.slice(self.texts[*data as usize].1)
            }
            _ => "",
        }
    }

    /// Returns whether a text is as the source has it: without references, CDATA sections and carriage returns.
    pub(super) fn is_as_written(&self, node: NodeId) -> bool {
        let node = self.node(node);
        node.kind == Kind::Text && !self.texts[node.data as usize].1.pooled
    }

    /// Returns the target of an instruction; empty for the others.
    pub fn target(&self, node: NodeId) -> &str {
        match self.node(node) {
            Node { kind: Kind::Instruction, data, .. } => self.slice(self.texts[*data as usize].0),
            _ => "",
        }
    }

    /// Returns the string-value: the text of everything inside, without comments and instructions (XPath 1.0 §5).
    pub fn string_value(&self, node: NodeId) -> Cow<'_, str> {
        if !matches!(self.kind(node), Kind::Root | Kind::Element) {
            return Cow::Borrowed(self.text(node));
        }
        let mut texts =
            self.subtree(node).filter(|inner| self.kind(*inner) == Kind::Text).map(|inner| self.text(inner));
        let mut value = Cow::Borrowed(texts.next().unwrap_or_default());
        texts.for_each(|text| value += text);
        value
    }

    #[inline]
    pub(super) fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.0 as usize]
    }

    /// Returns whether a text reads so; told by the lengths where they differ.
    pub(super) fn reads(&self, text: Text, expected: &str) -> bool {
        (text.end - text.start) as usize == expected.len() && self.slice(text) == expected
    }

    #[inline]
    pub(super) fn slice(&self, text: Text) -> &str {
        let from: &str = if text.pooled { &self.pool } else { &self.source };
        &from[text.start as usize..text.end as usize]
    }

    /// Returns the declarations of a scope and those around it, innermost first; the same prefix may come more than
    /// once.
    pub(super) fn declarations_from(&self, scope: u32) -> impl Iterator<Item = Declaration<'_>> {
        let mut scopes = std::iter::successors(Some(scope), |scope| {
            let around = self.scopes[*scope as usize].around;
            (around != *scope).then_some(around)
        });
        let mut range = 0..0;
        std::iter::from_fn(move || {
            loop {
                if let Some(next) = range.next() {
                    return Some(self.declaration(next));
                }
                range = self.scopes[scopes.next()? as usize].declarations.clone();
            }
        })
    }

    /// Returns the innermost declaration of a prefix, and how many were looked at.
    pub(super) fn declaration_of(&self, prefix: &str, mut scope: u32) -> (Option<Declaration<'_>>, usize) {
        let (key, mut looked_at) = (prefix_key(prefix), 0);
        let is = |data: &DeclarationData| data.key == key && (prefix.len() < 8 || self.slice(data.prefix) == prefix);
        loop {
            let Scope { around, declarations } = &self.scopes[scope as usize];
            let own = &self.declarations[declarations.start as usize..declarations.end as usize];
            if let Some(at) = own.iter().position(is) {
                return (Some(self.declaration(declarations.start + at as u32)), looked_at + at);
            }
            looked_at += own.len();
            if *around == scope {
                return (None, looked_at);
            }
            scope = *around;
        }
    }

    pub(super) fn declaration(&self, number: u32) -> Declaration<'_> {
        let data = &self.declarations[number as usize];
        Declaration { prefix: self.slice(data.prefix), namespace: &self.namespaces[data.namespace as usize], number }
    }

    pub(super) fn attribute(&self, number: u32) -> Attribute<'_> {
        let data = &self.attributes[number as usize];
        Attribute {
            prefix: self.slice(data.prefix),
            local: self.slice(data.local),
            namespace: &self.namespaces[data.namespace as usize],
            value: self.slice(data.value),
            number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_prefixes() {
        let short = ["", "a", "b", "aa", "\0", "\0\0", "abcdefg", "abcdefh", "bbcdefg"].map(prefix_key);
        for (at, key) in short.iter().enumerate() {
            assert!(!short[..at].contains(key), "two of less than eight bytes");
        }
        assert_ne!(prefix_key("abcdefgh"), prefix_key("abcdfgh"), "of another length");
    }
}
