//! Ids: what references in signatures point at.
//!
//! Without a schema nobody knows which attributes are ids. Signatures use `Id`,
//! other vocabularies `ID` and `id`, and `xml:id` is one everywhere. All of them
//! count, and an id that two elements have is ambiguous: a reference to it may
//! mean one element to whoever signed and another to whoever reads.

use super::XML;
use super::tree::{Element, Tree};

/// The ids of an element.
pub fn of<'t>(element: Element<'t, '_>) -> impl Iterator<Item = &'t str> {
    let is_id = |namespace: &str, local: &str| match namespace {
        "" => matches!(local, "Id" | "ID" | "id"),
        XML => local == "id",
        _ => false,
    };
    element.attributes().filter(move |a| is_id(a.namespace, a.local)).map(|a| a.value)
}

/// Every element with that id, in document order.
pub fn find<'t, 's>(tree: &'t Tree<'s>, id: &str) -> Vec<Element<'t, 's>> {
    tree.elements(tree.root()).filter(|element| of(*element).any(|own| own == id)).collect()
}
