//! Pages and the annotations on them: ISO 32000-1 §7.7.3, §12.5.2.

use super::annotation::{area, is_visible};
use super::field::inherited;
use super::object::{Dictionary, Object};
use super::rectangle::Rectangle;
use super::revision::Revision;
use std::collections::HashSet;
use std::rc::Rc;

/// Returns the pages in their order: the leaves of the page tree.
pub fn pages<'a>(revision: &Revision<'a, '_>) -> Vec<Rc<Dictionary<'a>>> {
    numbered(revision).into_iter().map(|(_, page)| page).collect()
}

/// Returns the pages in their order, with the numbers of their objects.
pub(super) fn numbered<'a>(revision: &Revision<'a, '_>) -> Vec<(Option<u32>, Rc<Dictionary<'a>>)> {
    Pages::new(revision).collect()
}

/// The pages in their order, each read when it is asked for, with the numbers of their objects.
pub(super) struct Pages<'r, 'a, 'f> {
    revision: &'r Revision<'a, 'f>,
    todo: Vec<Object<'a>>,
    seen: HashSet<u32>,
}

impl<'r, 'a, 'f> Pages<'r, 'a, 'f> {
    /// Begins at the root of the page tree.
    pub fn new(revision: &'r Revision<'a, 'f>) -> Self {
        let root = revision.catalog().and_then(|catalog| catalog.get(b"Pages").cloned());
        Self { revision, todo: root.into_iter().collect(), seen: HashSet::new() }
    }
}

impl<'a> Iterator for Pages<'_, 'a, '_> {
    type Item = (Option<u32>, Rc<Dictionary<'a>>);

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(object) = self.todo.pop() {
            let number = object.reference().map(|reference| reference.number);
            if number.is_some_and(|number| !self.seen.insert(number)) {
                continue;
            }
            let Object::Dictionary(node) = self.revision.resolve(&object) else { continue };
            let is_page = self.revision.lookup(&node, b"Type").name() == Some(b"Page");
            match self.revision.array(&node, b"Kids") {
                Some(kids) if !is_page => self.todo.extend(kids.iter().rev().cloned()),
                _ => return Some((number, node)),
            }
        }
        None
    }
}

/// Returns how many pages the root of the page tree states: ISO 32000-1 table 29.
pub fn page_count(revision: &Revision<'_, '_>) -> usize {
    let root = revision.catalog().and_then(|catalog| revision.dictionary(&catalog, b"Pages"));
    let count = root.map(|root| revision.lookup(&root, b"Count")).and_then(|count| count.integer());
    count.and_then(|count| usize::try_from(count).ok()).unwrap_or(0)
}

/// Returns the area that viewers show of a page: ISO 32000-1 §14.11.2.
pub(super) fn page_area<'a>(revision: &Revision<'a, '_>, page: &Dictionary<'a>) -> Option<Rectangle> {
    let area = |key| Rectangle::read(revision, &inherited(revision, page, key)).filter(|area| !area.is_empty());
    let media = area(b"MediaBox")?;
    Some(area(b"CropBox").and_then(|crop| crop.within(&media)).unwrap_or(media))
}

/// Returns the areas of the visible annotations of a page.
pub(super) fn annotation_areas<'a>(revision: &Revision<'a, '_>, page: &Dictionary<'a>) -> Vec<Rectangle> {
    let annotations = revision.array(page, b"Annots").unwrap_or_default();
    let area = |annotation: &Object<'a>| match revision.resolve(annotation) {
        Object::Dictionary(annotation) if is_visible(revision, &annotation) => area(revision, &annotation),
        _ => None,
    };
    annotations.iter().filter_map(area).collect()
}

/// Bounds the annotations of one page that are compared with each other; a page with more counts as overlapping.
const ANNOTATIONS: usize = 5_000;

/// Returns the pages, counted from one, on which two visible annotations overlap.
pub fn annotation_overlaps<'a>(revision: &Revision<'a, '_>) -> Vec<u32> {
    let overlapping = |page: &Rc<Dictionary<'a>>| {
        let annotations = revision.array(page, b"Annots").unwrap_or_default();
        let boxes: Vec<Rectangle> = annotations
            .iter()
            .filter_map(|annotation| match revision.resolve(annotation) {
                Object::Dictionary(annotation) => Rectangle::read(revision, annotation.get(b"Rect")?),
                _ => None,
            })
            .filter(|rectangle| !rectangle.is_empty())
            .collect();
        boxes.len() > ANNOTATIONS
            || boxes.iter().enumerate().any(|(place, one)| boxes[place + 1..].iter().any(|other| one.overlaps(other)))
    };
    let pages = pages(revision);
    (1..).zip(&pages).filter(|(_, page)| overlapping(page)).map(|(number, _)| number).collect()
}
