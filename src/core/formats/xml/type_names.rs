//! Types that elements state by a name (`xsi:type`), whose prefix a canonical form leaves undeclared: XML Schema 1 §2.6.1,
//! Exclusive XML Canonicalization §1.3.

use super::XSI;
use super::canonical::{Algorithm, Canonicalization};
use super::element::Element;
use super::node_set::{NodeSet, attributes_within};
use super::transform::TransformError;
use super::tree::{NodeId, Tree};

/// The namespace of the types that every schema has.
const BUILT_IN: &str = "http://www.w3.org/2001/XMLSchema";

/// What it costs to look at an element or attribute around a type.
const LOOK: usize = 16;

/// Returns the types that the nodes state and whose namespace their canonical form does not: it writes a declaration where
/// the name of an element or attribute uses it, and none for a name that is a value. Whoever passes the document on may
/// declare another one.
///
/// # Errors
///
/// [`TransformError::TooMuchWork`] where the document cannot pay for what is looked at.
pub fn unsigned_types<'t>(
    tree: &'t Tree<'_>,
    set: &NodeSet,
    method: &Canonicalization,
) -> Result<Vec<&'t str>, TransformError> {
    let known = tree.namespaces.iter().position(|namespace| namespace == XSI);
    let Some(xsi) = known.filter(|_| method.algorithm == Algorithm::Exclusive) else { return Ok(vec![]) };
    let ranges = set.ranges(tree);
    let numbers = ranges.iter().flat_map(|range| attributes_within(tree, *range));
    let mut found = vec![];
    for data in numbers.map(|number| &tree.attributes[number]).filter(|data| data.namespace as usize == xsi) {
        let owner = tree.element(NodeId(data.owner)).filter(|owner| set.contains(tree, owner.id()));
        let Some(owner) = owner.filter(|_| tree.slice(data.local) == "type") else { continue };
        let stated = tree.slice(data.value).trim();
        let prefix = stated.split_once(':').map_or("", |(prefix, _)| prefix);
        if !method.inclusive_prefixes.contains(prefix) && !is_declared(owner, prefix, set)? {
            found.push(stated);
        }
    }
    Ok(found)
}

/// Returns whether the form declares a prefix as it is declared at the element: it, or an element around it, uses the
/// prefix.
fn is_declared(owner: Element<'_, '_>, prefix: &str, set: &NodeSet) -> Result<bool, TransformError> {
    let tree = owner.tree();
    let meant = |element: Element<'_, '_>| tree.declaration_of(prefix, element.data.scope);
    let (declaration, mut looked_at) = meant(owner);
    let number = declaration.map(|declaration| declaration.number);
    let mut is_declared = declaration.is_some_and(|declaration| declaration.namespace == BUILT_IN);
    let around = tree.ancestors_or_self(owner.id()).take_while(|node| set.contains(tree, *node));
    for element in around.filter_map(|node| tree.element(node)) {
        if is_declared {
            break;
        }
        let mut attributes = element.attributes();
        looked_at += attributes.len() + 1;
        if element.prefix() == prefix || !prefix.is_empty() && attributes.any(|attribute| attribute.prefix == prefix) {
            let (declaration, more) = meant(element);
            looked_at += more;
            is_declared = declaration.map(|declaration| declaration.number) == number;
        }
    }
    if tree.affords((LOOK * looked_at) as u64) { Ok(is_declared) } else { Err(TransformError::TooMuchWork) }
}
