//! Which pages show an annotation: those that have the list in which it is, and those with other lists in which it is, too. ISO
//! 32000-1 §12.5.2 wants one page.

use super::VisibleChange;
use crate::formats::pdf::object::{Dictionary, Object};
use crate::formats::pdf::pages;
use crate::formats::pdf::revision::Revision;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Bounds the pages for which it is found what one annotation covers; one that more pages show counts as covering something.
const PAGES: usize = 20;

/// The lists of annotations, with their pages.
#[derive(Default)]
pub(super) struct AnnotationPages {
    /// The object numbers of the pages that have each list.
    pages: Vec<Vec<u32>>,
    /// The list of each page.
    of_page: HashMap<u32, usize>,
    /// The first list in which each annotation is.
    of_annotation: HashMap<u32, usize>,
    /// The other lists of those annotations that are in several.
    others: HashMap<u32, Vec<usize>>,
}

impl AnnotationPages {
    /// Finds the lists of a revision's pages.
    pub fn of(last: &Revision<'_, '_>, numbered: &[(Option<u32>, Rc<Dictionary<'_>>)]) -> Self {
        let mut found = Self::default();
        for (place, (list, ordinals)) in pages::annotation_lists(last).into_iter().enumerate() {
            let page = |ordinal: &u32| numbered.get(*ordinal as usize - 1).and_then(|(number, _)| *number);
            let of_list: Vec<u32> = ordinals.iter().filter_map(page).collect();
            found.of_page.extend(of_list.iter().map(|page| (*page, place)));
            found.pages.push(of_list);
            for number in list.iter().filter_map(Object::reference).map(|reference| reference.number) {
                let first = *found.of_annotation.entry(number).or_insert(place);
                let others = (first != place).then(|| found.others.entry(number).or_default());
                others.into_iter().filter(|others| others.last() != Some(&place)).for_each(|others| others.push(place));
            }
        }
        found
    }

    /// Returns the object numbers of the pages on which a change is seen; `None` where these are too many.
    pub fn of_change(&self, change: &VisibleChange) -> Option<HashSet<u32>> {
        let number = change.annotation.unwrap_or_default();
        let own = self.of_page.get(&change.page).into_iter().chain(self.of_annotation.get(&number));
        let lists = own.chain(self.others.get(&number).into_iter().flatten());
        let pages = || lists.clone().flat_map(|place| &self.pages[*place]).copied();
        (pages().nth(PAGES).is_none()).then(|| pages().chain([change.page]).collect())
    }
}
