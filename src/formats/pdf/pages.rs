//! Pages and the annotations on them: ISO 32000-1 §7.7.3, §12.5.2.

use super::holding::{area, inherited, is_visible};
use super::object::{Dictionary, Object};
use super::revision::Revision;
use std::collections::HashSet;
use std::rc::Rc;

/// The pages in their order: the leaves of the page tree.
pub fn pages<'a>(revision: &Revision<'a, '_>) -> Vec<Rc<Dictionary<'a>>> {
    numbered(revision).into_iter().map(|(_, page)| page).collect()
}

/// The same with the numbers of their objects.
pub(super) fn numbered<'a>(revision: &Revision<'a, '_>) -> Vec<(Option<u32>, Rc<Dictionary<'a>>)> {
    let mut found = Vec::new();
    let root = revision.catalog().and_then(|catalog| catalog.get(b"Pages").cloned());
    let mut todo: Vec<Object<'a>> = root.into_iter().collect();
    let mut seen = HashSet::new();
    while let Some(object) = todo.pop() {
        let number = object.reference().map(|reference| reference.number);
        if number.is_some_and(|number| !seen.insert(number)) {
            continue;
        }
        let Object::Dictionary(node) = revision.resolve(&object) else { continue };
        match revision.array(&node, b"Kids") {
            Some(kids) => todo.extend(kids.iter().rev().cloned()),
            None => found.push((number, node)),
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
pub(super) struct Rectangle {
    pub left: f64,
    pub bottom: f64,
    pub right: f64,
    pub top: f64,
}

impl Rectangle {
    /// ISO 32000-1 §7.9.5: any two opposite corners.
    pub fn read<'a>(revision: &Revision<'a, '_>, object: &Object<'a>) -> Option<Self> {
        let Object::Array(items) = revision.resolve(object) else { return None };
        let numbers: Vec<f64> = items.iter().filter_map(|item| revision.resolve(item).number()).collect();
        let &[a, b, c, d] = &numbers[..] else { return None };
        Some(Self { left: a.min(c), bottom: b.min(d), right: a.max(c), top: b.max(d) })
    }

    /// The rectangle that an entry of a dictionary is.
    pub fn read_entry<'a>(revision: &Revision<'a, '_>, dictionary: &Dictionary<'a>, key: &[u8]) -> Option<Self> {
        Self::read(revision, dictionary.get(key)?)
    }

    /// The least one around both.
    pub fn with(&self, other: &Self) -> Self {
        Self::around([
            (self.left, self.bottom),
            (self.right, self.top),
            (other.left, other.bottom),
            (other.right, other.top),
        ])
    }

    /// What is in both, if there is anything.
    pub fn within(&self, other: &Self) -> Option<Self> {
        let both = Self {
            left: self.left.max(other.left),
            bottom: self.bottom.max(other.bottom),
            right: self.right.min(other.right),
            top: self.top.min(other.top),
        };
        self.overlaps(other).then_some(both)
    }

    /// With so much more at each side.
    pub fn widened(&self, by: f64) -> Self {
        Self { left: self.left - by, bottom: self.bottom - by, right: self.right + by, top: self.top + by }
    }

    /// The square from zero to one, in which pictures are drawn.
    pub const UNIT: Self = Self { left: 0.0, bottom: 0.0, right: 1.0, top: 1.0 };

    /// The least one around these points.
    pub fn around(points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let none = Self { left: f64::MAX, bottom: f64::MAX, right: f64::MIN, top: f64::MIN };
        points.into_iter().fold(none, |area, (x, y)| Self {
            left: area.left.min(x),
            bottom: area.bottom.min(y),
            right: area.right.max(x),
            top: area.top.max(y),
        })
    }

    /// How much of `whole` it takes.
    pub fn share_of(&self, whole: &Self) -> f64 {
        let size = |area: &Self| (area.right - area.left) * (area.top - area.bottom);
        size(self) / size(whole)
    }

    pub fn is_empty(&self) -> bool {
        self.left == self.right || self.bottom == self.top
    }

    pub fn overlaps(&self, other: &Self) -> bool {
        !self.is_empty()
            && !other.is_empty()
            && self.left < other.right
            && other.left < self.right
            && self.bottom < other.top
            && other.bottom < self.top
    }
}

/// What viewers show of the page itself: ISO 32000-1 §14.11.2.
pub(super) fn page_area<'a>(revision: &Revision<'a, '_>, page: &Dictionary<'a>) -> Option<Rectangle> {
    let area = |key| Rectangle::read(revision, &inherited(revision, page, key)).filter(|area| !area.is_empty());
    let media = area(b"MediaBox")?;
    Some(area(b"CropBox").and_then(|crop| crop.within(&media)).unwrap_or(media))
}

/// Where the visible annotations of a page are.
pub(super) fn annotation_areas<'a>(revision: &Revision<'a, '_>, page: &Dictionary<'a>) -> Vec<Rectangle> {
    let annotations = revision.array(page, b"Annots").unwrap_or_default();
    let area = |annotation: &Object<'a>| match revision.resolve(annotation) {
        Object::Dictionary(annotation) if is_visible(revision, &annotation) => area(revision, &annotation),
        _ => None,
    };
    annotations.iter().filter_map(area).collect()
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
            .filter(|rectangle| !rectangle.is_empty())
            .collect();
        boxes.len() > ANNOTATIONS
            || boxes.iter().enumerate().any(|(place, one)| boxes[place + 1..].iter().any(|other| one.overlaps(other)))
    };
    let pages = pages(revision);
    (1..).zip(&pages).filter(|(_, page)| overlapping(page)).map(|(number, _)| number).collect()
}
