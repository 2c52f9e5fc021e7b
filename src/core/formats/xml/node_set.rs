//! Which nodes of a tree are meant: XPath 1.0's node-sets, as signatures use them.
//!
//! Nearly every signature is over whole subtrees, less the signature itself;
//! that is kept as ranges. What an XPath transform picks is kept node by node.

use super::tree::{Kind, NodeId, Tree};
use std::collections::HashSet;

/// A set of nodes of one tree, their attributes and namespaces.
#[derive(Debug, Clone)]
pub struct NodeSet {
    pub(super) form: Form,
    comments: bool,
}

#[derive(Debug, Clone)]
pub(super) enum Form {
    /// A subtree by its range, if there is one, less other subtrees. Attributes and namespaces go with their element.
    Subtrees { kept: Option<(u32, u32)>, dropped: Ranges },
    /// Node by node.
    Nodes(Box<Nodes>),
}

/// Nodes, attributes and namespaces one by one.
#[derive(Debug, Clone, Default)]
pub(super) struct Nodes {
    pub(super) nodes: Vec<bool>,
    pub(super) attributes: Vec<bool>,
    /// Element and declaration. `None`: namespaces go with their element.
    pub(super) namespaces: Option<HashSet<(u32, u32)>>,
}

/// Ranges of subtrees, in order and apart: of two subtrees one is inside the other, or they have nothing in common.
#[derive(Debug, Clone, Default)]
pub(super) struct Ranges(Vec<(u32, u32)>);

impl Ranges {
    fn add(&mut self, (start, end): (u32, u32)) {
        if self.end_around(start).is_none() {
            let first = self.0.partition_point(|(other, _)| *other < start);
            let behind = self.0.partition_point(|(other, _)| *other < end);
            self.0.splice(first..behind, [(start, end)]);
        }
    }

    /// Returns the end of the range in which a number is.
    fn end_around(&self, number: u32) -> Option<u32> {
        let before = self.0.partition_point(|(start, _)| *start <= number).checked_sub(1)?;
        self.0.get(before).map(|(_, end)| *end).filter(|end| number < *end)
    }
}

impl NodeSet {
    /// Returns the subtree of a node, with comments or without.
    pub fn subtree(tree: &Tree, node: NodeId, comments: bool) -> Self {
        Self {
            form: Form::Subtrees { kept: Some((node.0, tree.node(node).end)), dropped: Ranges::default() },
            comments,
        }
    }

    /// Returns the set with nothing in it.
    pub fn empty() -> Self {
        Self { form: Form::Subtrees { kept: None, dropped: Ranges::default() }, comments: true }
    }

    pub(super) fn of_nodes(nodes: Nodes) -> Self {
        Self { form: Form::Nodes(Box::new(nodes)), comments: true }
    }

    /// Takes a node and everything inside it out.
    pub fn drop_subtree(&mut self, tree: &Tree, node: NodeId) {
        self.drop_subtrees(tree, [node]);
    }

    /// Takes nodes and everything inside them out.
    pub fn drop_subtrees(&mut self, tree: &Tree, nodes: impl IntoIterator<Item = NodeId>) {
        let ranges = nodes.into_iter().map(|node| (node.0, tree.node(node).end));
        match &mut self.form {
            Form::Subtrees { dropped, .. } => ranges.for_each(|range| dropped.add(range)),
            Form::Nodes(nodes) => {
                let mut dropped = Ranges::default();
                ranges.for_each(|range| dropped.add(range));
                for (start, end) in &dropped.0 {
                    nodes.nodes[*start as usize..*end as usize].fill(false);
                    nodes.attributes[attributes_within(tree, (*start, *end))].fill(false);
                }
                if let Some(namespaces) = &mut nodes.namespaces {
                    namespaces.retain(|(element, _)| dropped.end_around(*element).is_none());
                }
            }
        }
    }

    /// Returns whether the node is in it.
    pub fn contains(&self, tree: &Tree, node: NodeId) -> bool {
        if !self.comments && tree.kind(node) == Kind::Comment {
            return false;
        }
        match &self.form {
            Form::Subtrees { kept, dropped } => {
                kept.is_some_and(|(start, end)| (start..end).contains(&node.0)) && dropped.end_around(node.0).is_none()
            }
            Form::Nodes(nodes) => nodes.nodes[node.0 as usize],
        }
    }

    /// Returns whether an attribute is in it; of a set of subtrees it is asked only where its element is.
    pub(super) fn contains_attribute(&self, number: u32) -> bool {
        match &self.form {
            Form::Subtrees { .. } => true,
            Form::Nodes(nodes) => nodes.attributes[number as usize],
        }
    }

    /// Returns whether a namespace of an element is in it; of a set of subtrees it is asked only where the element is.
    pub(super) fn contains_namespace(&self, element: NodeId, declaration: u32) -> bool {
        match &self.form {
            Form::Subtrees { .. } => true,
            Form::Nodes(nodes) => match &nodes.namespaces {
                Some(namespaces) => namespaces.contains(&(element.0, declaration)),
                None => nodes.nodes[element.0 as usize],
            },
        }
    }

    /// Returns whether attributes and namespaces all go with their element.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.form, Form::Subtrees { .. })
    }

    /// Returns whether comments may be in it.
    pub fn has_comments(&self) -> bool {
        self.comments
    }

    /// Returns the ranges of numbers outside which there is nothing.
    pub(super) fn ranges(&self, tree: &Tree) -> Vec<(u32, u32)> {
        match &self.form {
            Form::Subtrees { kept, .. } => kept.iter().copied().collect(),
            Form::Nodes(_) => vec![(0, tree.nodes.len() as u32)],
        }
    }

    /// Returns the end of the dropped subtree in which this number is.
    pub(super) fn skip(&self, number: u32) -> Option<u32> {
        match &self.form {
            Form::Subtrees { dropped, .. } => dropped.end_around(number),
            Form::Nodes(_) => None,
        }
    }

    /// Returns the same set node by node.
    pub(super) fn into_nodes(self, tree: &Tree) -> Nodes {
        if let Form::Nodes(nodes) = self.form {
            return *nodes;
        }
        let nodes: Vec<bool> = tree.nodes().map(|node| self.contains(tree, node)).collect();
        let attributes = tree.attributes.iter().map(|attribute| nodes[attribute.owner as usize]).collect();
        Nodes { nodes, attributes, namespaces: None }
    }
}

/// Returns the attributes of the elements in a range of nodes: attributes stand in the order of their elements.
pub(super) fn attributes_within(tree: &Tree, (start, end): (u32, u32)) -> std::ops::Range<usize> {
    let first = |number: u32| tree.attributes.partition_point(|attribute| attribute.owner < number);
    first(start)..first(end)
}
