//! Pages and the annotations on them: ISO 32000-1 §7.7.3, §12.5.2.

use super::file::Revision;
use super::object::{Dictionary, Object};
use std::collections::HashSet;
use std::rc::Rc;

/// The pages in their order: the leaves of the page tree.
pub fn pages<'a>(revision: &Revision<'a, '_>) -> Vec<Rc<Dictionary<'a>>> {
    let mut found = Vec::new();
    let root = revision.catalog().and_then(|catalog| catalog.get(b"Pages").cloned());
    let mut todo: Vec<Object<'a>> = root.into_iter().collect();
    let mut seen = HashSet::new();
    while let Some(node) = todo.pop() {
        if node.reference().is_some_and(|reference| !seen.insert(reference.number)) {
            continue;
        }
        let Object::Dictionary(node) = revision.resolve(&node) else { continue };
        match revision.array(&node, b"Kids") {
            Some(kids) => todo.extend(kids.iter().rev().cloned()),
            None => found.push(node),
        }
    }
    found
}

/// How many pages there are, as the root of the page tree says: ISO 32000-1 table 29.
pub fn page_count(revision: &Revision<'_, '_>) -> usize {
    let root = revision.catalog().and_then(|catalog| revision.dictionary(&catalog, b"Pages"));
    let count = root.map(|root| revision.lookup(&root, b"Count")).and_then(|count| count.integer());
    count.and_then(|count| usize::try_from(count).ok()).unwrap_or(0)
}

/// A rectangle, lower left corner first.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rectangle {
    left: f64,
    bottom: f64,
    right: f64,
    top: f64,
}

impl Rectangle {
    /// ISO 32000-1 §7.9.5: any two opposite corners.
    fn read<'a>(revision: &Revision<'a, '_>, object: &Object<'a>) -> Option<Self> {
        let Object::Array(items) = revision.resolve(object) else { return None };
        let numbers: Vec<f64> = items.iter().filter_map(|item| revision.resolve(item).number()).collect();
        let &[a, b, c, d] = &numbers[..] else { return None };
        Some(Self { left: a.min(c), bottom: b.min(d), right: a.max(c), top: b.max(d) })
    }

    fn empty(&self) -> bool {
        self.left == self.right || self.bottom == self.top
    }

    fn overlaps(&self, other: &Self) -> bool {
        !self.empty()
            && !other.empty()
            && self.left < other.right
            && other.left < self.right
            && self.bottom < other.top
            && other.bottom < self.top
    }
}

/// Annotations compared on one page with each other; beyond, a page counts as overlapping.
const ANNOTATIONS: usize = 5_000;

/// The pages, counted from one, on which two visible annotations overlap.
pub fn annotation_overlaps<'a>(revision: &Revision<'a, '_>) -> Vec<u32> {
    let overlapping = |page: &Rc<Dictionary<'a>>| {
        let annotations = revision.array(page, b"Annots").unwrap_or_default();
        let boxes: Vec<Rectangle> = annotations
            .iter()
            .filter_map(|annotation| match revision.resolve(annotation) {
                Object::Dictionary(annotation) => Rectangle::read(revision, annotation.get(b"Rect")?),
                _ => None,
            })
            .filter(|rectangle| !rectangle.empty())
            .collect();
        boxes.len() > ANNOTATIONS
            || boxes.iter().enumerate().any(|(place, one)| boxes[place + 1..].iter().any(|other| one.overlaps(other)))
    };
    let pages = pages(revision);
    (1..).zip(&pages).filter(|(_, page)| overlapping(page)).map(|(number, _)| number).collect()
}
