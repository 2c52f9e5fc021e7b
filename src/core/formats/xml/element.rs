//! Elements of a tree, their attributes and their namespace declarations.

use super::tree::{AttributeData, ElementData, NO_NAMESPACE, NodeId, Span, Text, Tree};
use std::borrow::Cow;
use std::collections::HashSet;

/// An element.
#[derive(Debug, Clone, Copy)]
pub struct Element<'t, 's> {
    pub(super) tree: &'t Tree<'s>,
    pub(super) node: NodeId,
    pub(super) data: &'t ElementData,
}

/// An attribute that is not a namespace declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute<'t> {
    /// As written; empty for none.
    pub prefix: &'t str,
    /// Without the prefix.
    pub local: &'t str,
    /// The namespace name; empty for none.
    pub namespace: &'t str,
    /// Normalised.
    pub value: &'t str,
    pub(super) number: u32,
}

/// A namespace declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declaration<'t> {
    /// Empty for the default namespace.
    pub prefix: &'t str,
    /// The namespace name; empty where the default namespace is undeclared.
    pub namespace: &'t str,
    pub(super) number: u32,
}

impl<'t, 's> Element<'t, 's> {
    /// Returns its node.
    pub fn id(self) -> NodeId {
        self.node
    }

    /// Returns the tree that it is in.
    pub fn tree(self) -> &'t Tree<'s> {
        self.tree
    }

    /// Returns the prefix as written; empty for none.
    pub fn prefix(self) -> &'t str {
        self.tree.slice(self.data.prefix)
    }

    /// Returns the name as written, its prefix before it. (The names of elements lie in the source, never in the pool.)
    #[inline]
    pub(super) fn qualified(self) -> &'t str {
        let ElementData { prefix, local, .. } = *self.data;
        let start = if prefix.start == prefix.end { local.start } else { prefix.start };
        self.tree.slice(Text { start, ..local })
    }

    /// Returns the name without its prefix.
    pub fn local(self) -> &'t str {
        self.tree.slice(self.data.local)
    }

    /// Returns the namespace name; empty for none.
    pub fn namespace(self) -> &'t str {
        &self.tree.namespaces[self.data.namespace as usize]
    }

    /// Returns whether it has that name in that namespace.
    pub fn is(self, namespace: &str, local: &str) -> bool {
        self.is_named(local) && self.namespace() == namespace
    }

    /// Returns whether it has that name, in whatever namespace.
    pub fn is_named(self, local: &str) -> bool {
        self.tree.reads(self.data.local, local)
    }

    /// Returns its attributes in the order of the source, without namespace declarations.
    pub fn attributes(self) -> impl ExactSizeIterator<Item = Attribute<'t>> {
        self.data.attributes.clone().map(|number| self.tree.attribute(number))
    }

    /// Returns the value of the attribute of that name in no namespace.
    pub fn attribute(self, local: &str) -> Option<&'t str> {
        let attributes = &self.tree.attributes[self.data.attributes.start as usize..self.data.attributes.end as usize];
        let named = |data: &&AttributeData| data.namespace == NO_NAMESPACE && self.tree.reads(data.local, local);
        attributes.iter().find(named).map(|data| self.tree.slice(data.value))
    }

    /// Returns the namespace declarations that the element itself carries, in the order of the source.
    pub fn declarations(self) -> impl Iterator<Item = Declaration<'t>> {
        let around = self.parent().map_or(0, |parent| parent.data.scope);
        let own = if around == self.data.scope {
            0..0
        } else {
            self.tree.scopes[self.data.scope as usize].declarations.clone()
        };
        own.map(|number| self.tree.declaration(number))
    }

    /// Returns the namespace that a prefix stands for here; `None` when it is not declared.
    pub fn resolve(self, prefix: &str) -> Option<&'t str> {
        if prefix == "xml" {
            return Some(super::XML);
        }
        let found = self.tree.declarations_from(self.data.scope).find(|d| d.prefix == prefix).map(|d| d.namespace);
        if prefix.is_empty() { Some(found.unwrap_or_default()) } else { found.filter(|name| !name.is_empty()) }
    }

    /// Returns every namespace in scope but that of `xml`: the innermost declaration of each prefix. The last rank
    /// of the default namespace may be its undeclaration (an empty name).
    pub fn namespaces(self) -> Vec<Declaration<'t>> {
        let mut seen = HashSet::new();
        self.tree.declarations_from(self.data.scope).filter(|declaration| seen.insert(declaration.prefix)).collect()
    }

    /// Returns the namespaces that it declares itself, if it is right inside `parent`.
    pub(super) fn declarations_inside(self, parent: Element<'_, '_>) -> impl Iterator<Item = Declaration<'t>> {
        let own = Some(self.data.scope).filter(|scope| *scope != parent.data.scope);
        let own = own.and_then(|scope| self.tree.scopes.get(scope as usize));
        let numbers = own.map(|scope| scope.declarations.clone()).unwrap_or_default();
        numbers.map(|number| self.tree.declaration(number))
    }

    /// Returns the element around it.
    pub fn parent(self) -> Option<Element<'t, 's>> {
        self.tree.element(self.tree.parent(self.node)?)
    }

    /// Returns the elements right inside it.
    pub fn children(self) -> impl Iterator<Item = Element<'t, 's>> {
        let tree = self.tree;
        tree.children(self.node).filter_map(move |node| tree.element(node))
    }

    /// Returns the first element right inside it with that name.
    pub fn child(self, namespace: &str, local: &str) -> Option<Element<'t, 's>> {
        self.children().find(|child| child.is(namespace, local))
    }

    /// Returns its text, without that of comments and instructions.
    pub fn text(self) -> Cow<'t, str> {
        self.tree.string_value(self.node)
    }

    /// Returns where it lies in the source, tags included.
    pub fn span(self) -> Span {
        self.tree.span(self.node)
    }

    /// Returns where its content lies in the source, between the tags.
    pub fn content(self) -> Span {
        Span { start: self.data.opened, end: self.data.closing }
    }
}
