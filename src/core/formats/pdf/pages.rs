//! Pages and the annotations on them: ISO 32000-1 §7.7.3, §12.5.2.

use super::annotation::{area_on_page, is_visible, shows_words};
use super::field::inherited;
use super::object::{Dictionary, Object};
use super::rectangle::Rectangle;
use super::revision::Revision;
use std::collections::{HashMap, HashSet};
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
        Object::Dictionary(annotation) if is_visible(revision, &annotation) => {
            area_on_page(revision, page, &annotation)
        }
        _ => None,
    };
    annotations.iter().filter_map(area).collect()
}

/// Returns the areas in which the annotations of a page show words, each with its object number, from the lowest to the uppermost.
pub(super) fn annotated_words<'a>(revision: &Revision<'a, '_>, page: &Dictionary<'a>) -> Vec<(u32, Rectangle)> {
    let annotations = revision.array(page, b"Annots").unwrap_or_default();
    let words = |item: &Object<'a>| match revision.resolve(item) {
        Object::Dictionary(annotation) if is_visible(revision, &annotation) && shows_words(revision, &annotation) => {
            area_on_page(revision, page, &annotation).unwrap_or(Rectangle::EVERYWHERE)
        }
        _ => Rectangle::NOWHERE,
    };
    let number = |item: &Object<'a>| item.reference().map_or(0, |reference| reference.number);
    annotations.iter().map(|item| (number(item), words(item))).collect()
}

/// Bounds the annotations of one page that are compared with each other; a page with more counts as overlapping.
const ANNOTATIONS: usize = 5_000;

/// Returns the lists of annotations on the pages, each once, with all pages that have it, counted from one.
pub(super) fn annotation_lists<'a>(revision: &Revision<'a, '_>) -> Vec<(Rc<[Object<'a>]>, Vec<u32>)> {
    let mut found: Vec<(Rc<[Object<'a>]>, Vec<u32>)> = Vec::new();
    let mut known = HashMap::new();
    for (page, number) in pages(revision).iter().zip(1..) {
        let Some(list) = revision.array(page, b"Annots") else { continue };
        let place = *known.entry(Rc::as_ptr(&list)).or_insert(found.len());
        match found.get_mut(place) {
            Some((_, pages)) => pages.push(number),
            None => found.push((list, vec![number])),
        }
    }
    found
}

/// Returns the pages, counted from one, on which two visible annotations overlap.
pub fn annotation_overlaps<'a>(revision: &Revision<'a, '_>) -> Vec<u32> {
    let lists = annotation_lists(revision).into_iter();
    let mut found: Vec<u32> =
        lists.filter(|(list, _)| do_overlap(revision, list)).flat_map(|(_, pages)| pages).collect();
    crate::order::sort(&mut found);
    found
}

/// Returns whether two of the annotations overlap. Only those are compared of which one begins before the other ends.
fn do_overlap<'a>(revision: &Revision<'a, '_>, annotations: &[Object<'a>]) -> bool {
    let is_left = || revision.limits().step_or_record().is_ok();
    let mut boxes = Vec::new();
    for annotation in annotations {
        if boxes.len() > ANNOTATIONS || !is_left() {
            return true;
        }
        let Object::Dictionary(annotation) = revision.resolve(annotation) else { continue };
        boxes.extend(Rectangle::read_entry(revision, &annotation, b"Rect").filter(|area| !area.is_empty()));
    }
    crate::order::sort_by(&mut boxes, |one, other| one.left.total_cmp(&other.left));
    let overlaps_next = |(place, one): (usize, &Rectangle)| {
        let next = boxes.iter().skip(place + 1).take_while(|next| next.left < one.right && is_left());
        { next }.any(|next| one.overlaps(next))
    };
    boxes.len() > ANNOTATIONS || boxes.iter().enumerate().any(overlaps_next)
}
