//! The structure of a tagged document, to which a field is added: ISO 32000-1 §14.7, ISO 14289-1 §7.18.

use super::error::WriteError;
use super::update::Update;
use super::value::{Entries, Value};
use crate::formats::pdf::object::{Dictionary, Object, Reference};
use crate::formats::pdf::revision::Revision;
use std::rc::Rc;

/// Says that the annotations of a page are reached in the order of the structure: ISO 14289-1 §7.18.3.
///
/// # Errors
///
/// [`WriteError::Unusual`] where the page is no dictionary.
pub fn order_by_structure(update: &mut Update<'_, '_, '_>, page: Reference) -> Result<(), WriteError> {
    match update.find(page, &[b"Tabs"])? {
        Some(_) => Ok(()),
        None => update.set(page, &[], b"Tabs", Value::name("S")),
    }
}

/// Adds a widget to the structure as a form element: ISO 14289-1 §7.18.4. A document without structure, or with one of
/// another shape than the standard has, stays without.
///
/// # Errors
///
/// [`WriteError::NeedsRepair`] where objects are not where the cross-references say.
pub fn add_form_element(update: &mut Update<'_, '_, '_>, page: Reference, widget: Reference) -> Result<(), WriteError> {
    let (catalog, revision) = (update.catalog(), update.revision());
    const ROOT: &[u8] = b"StructTreeRoot";
    let tree = revision.catalog().and_then(|catalog| revision.dictionary(&catalog, ROOT));
    let Some(parent) = tree.as_ref().and_then(|tree| parent(revision, tree)) else { return Ok(()) };
    // Elements refer to their parent.
    let root = update.find(catalog, &[])?.and_then(|(_, catalog)| match catalog {
        Value::Dictionary(catalog) => catalog.get(ROOT).and_then(Value::reference),
        _ => None,
    });
    let (Some(root), Some(numbers)) = (root, tree.as_ref().and_then(|tree| Numbers::read(revision, tree))) else {
        return Ok(());
    };
    let parent = parent.unwrap_or(root);
    let kid = Entries::new().with("Type", Value::name("OBJR")).with("Pg", page).with("Obj", widget);
    let element = Entries::new()
        .with("Type", Value::name("StructElem"))
        .with("S", Value::name("Form"))
        .with("P", parent)
        .with("Pg", page)
        .with("K", kid);
    let element = update.add(element);
    update.push(parent, &[], b"K", element)?;
    update.set(widget, &[], b"StructParent", numbers.next)?;
    match numbers.is_leaf {
        true => {
            update.push(root, &[b"ParentTree"], b"Nums", numbers.next)?;
            update.push(root, &[b"ParentTree"], b"Nums", element)?;
        }
        false => {
            let limits = [numbers.next; 2].map(Value::Integer).to_vec();
            let leaf = Entries::new().with("Limits", limits).with("Nums", vec![numbers.next.into(), element.into()]);
            let leaf = update.add(leaf);
            update.push(root, &[b"ParentTree"], b"Kids", leaf)?;
        }
    }
    update.set(root, &[], b"ParentTreeNextKey", numbers.next + 1)
}

/// Returns the element whose kids a new element is added to: the only one of the tree, usually `Document`, or else `None`
/// for the root of the tree. Kids that are no array are left as they are.
fn parent<'a>(revision: &Revision<'a, '_>, tree: &Dictionary<'a>) -> Option<Option<Reference>> {
    let is_array = |dictionary: &Dictionary<'a>| matches!(revision.lookup(dictionary, b"K"), Object::Array(_));
    let only = match revision.lookup(tree, b"K") {
        Object::Array(kids) if kids.len() == 1 => kids.first().cloned(),
        Object::Dictionary(_) => tree.get(b"K").cloned(),
        _ => None,
    };
    if let Some(Object::Reference(reference)) = only
        && let Object::Dictionary(element) = revision.get(reference)
        && is_array(&element)
    {
        return Some(Some(revision.in_use(reference.number)));
    }
    is_array(tree).then_some(None)
}

/// The number tree of parents: §7.9.7.
struct Numbers {
    /// The first number that is free.
    next: i64,
    /// Whether its root has the numbers itself.
    is_leaf: bool,
}

impl Numbers {
    fn read<'a>(revision: &Revision<'a, '_>, tree: &Dictionary<'a>) -> Option<Self> {
        let root = revision.dictionary(tree, b"ParentTree")?;
        let is_leaf = revision.array(&root, b"Nums").is_some();
        if !is_leaf && revision.array(&root, b"Kids").is_none() {
            return None;
        }
        let stated = revision.lookup(tree, b"ParentTreeNextKey").integer().unwrap_or(0);
        let next = stated.max(highest(revision, root).map_or(0, |highest| highest.saturating_add(1)));
        (0..i64::from(i32::MAX)).contains(&next).then_some(Self { next, is_leaf })
    }
}

/// Returns the last number of a number tree, whose nodes are in order.
fn highest<'a>(revision: &Revision<'a, '_>, mut node: Rc<Dictionary<'a>>) -> Option<i64> {
    for _ in 0..revision.limits().nesting {
        if let Some(numbers) = revision.array(&node, b"Nums") {
            return numbers.chunks(2).filter_map(|pair| revision.resolve(pair.first()?).integer()).max();
        }
        let kids = revision.array(&node, b"Kids")?;
        let Object::Dictionary(last) = revision.resolve(kids.last()?) else { return None };
        node = last;
    }
    None
}
