//! Ids: what references in signatures point at.
//!
//! Without a schema nobody knows which attributes are ids. Signatures use `Id`, other vocabularies `ID` and `id`, those of web
//! services `wsu:Id`, and `xml:id` is one everywhere. All of them count, in any namespace, and an id that two elements have is
//! ambiguous: a reference to it may mean one element to whoever signed and another to whoever reads.

use super::XML;
use super::element::{Attribute, Element};
use super::tree::{NodeId, Tree};

/// Returns the ids of an element.
pub fn of<'t>(element: Element<'t, '_>) -> impl Iterator<Item = &'t str> {
    element.attributes().filter(is_id).map(|attribute| value(&attribute))
}

/// Returns the id that an attribute states: xml:id §4 has it without white space around it.
fn value<'t>(attribute: &Attribute<'t>) -> &'t str {
    if attribute.namespace == XML { attribute.value.trim_matches(' ') } else { attribute.value }
}

fn is_id(attribute: &Attribute<'_>) -> bool {
    matches!(attribute.local, "Id" | "ID" | "id")
}

/// Returns every element with that id, in document order.
pub fn find<'f, 't: 'f, 's>(
    tree: &'t Tree<'s>,
    id: &'f str,
) -> impl Iterator<Item = Element<'t, 's>> + use<'f, 't, 's> {
    let value = move |number: u32| value(&tree.attribute(number));
    let sorted = tree.ids.get_or_init(|| {
        let all = 0..tree.attributes.len() as u32;
        let mut ids: Vec<u32> = all.filter(|number| is_id(&tree.attribute(*number))).collect();
        crate::order::sort_by_key(&mut ids, |number| (value(*number), *number));
        ids
    });
    let first = sorted.partition_point(|number| value(*number) < id);
    let same = sorted.iter().skip(first).take_while(move |number| value(**number) == id);
    let owners = same.filter_map(|number| Some(tree.attributes.get(*number as usize)?.owner));
    let mut last = None;
    owners.filter(move |owner| last.replace(*owner) != Some(*owner)).filter_map(|owner| tree.element(NodeId(owner)))
}
