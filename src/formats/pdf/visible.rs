//! Pages that look otherwise because an annotation came, went or changed, as far as that can be told without drawing
//! them.

use super::compare::{Look, Looks};
use super::file::Revision;
use super::ink;
use super::pages::{self, Rectangle};
use std::collections::{HashMap, HashSet};

/// The share of a page from which on a filled field is taken for the page itself.
const LARGE: f64 = 0.25;

/// Pages are looked at for so many annotations; beyond, each counts as covering something.
const LOOKS: usize = 1_000;

/// The pages, counted from one, that look otherwise.
///
/// An annotation that is gone or another one changes the page on which it was. A new one does where it covers what the
/// page shows, or another annotation. A field shows its value where it always was; only a large one covers anything.
pub(super) fn changed_pages<'a>(last: &Revision<'a, '_>, looks: &[Look]) -> Vec<u32> {
    if looks.is_empty() {
        return Vec::new();
    }
    let pages = pages::numbered(last);
    let mut shown: HashMap<u32, Vec<Rectangle>> = HashMap::new();
    let mut found = HashSet::new();
    for (place, look) in looks.iter().enumerate() {
        if found.contains(&look.page) {
            continue;
        }
        let Some((_, page)) = pages.iter().find(|(number, _)| *number == Some(look.page)) else {
            continue;
        };
        let differs = match (look.what, look.area) {
            _ if place > LOOKS => true,
            (Looks::Changed, _) | (_, None) => true,
            (Looks::Filled, Some(area)) => {
                pages::page_area(last, page).is_none_or(|whole| area.share_of(&whole) > LARGE)
            }
            (Looks::New, Some(area)) => {
                let shown = shown.entry(look.page).or_insert_with(|| ink::shown(last, page));
                shown.iter().any(|ink| ink.overlaps(&area))
                    // It is one of them itself.
                    || pages::annotation_areas(last, page).iter().filter(|other| other.overlaps(&area)).nth(1).is_some()
            }
        };
        if differs {
            found.insert(look.page);
        }
    }
    let numbers = (1..).zip(&pages);
    numbers.filter(|(_, (number, _))| number.is_some_and(|number| found.contains(&number))).map(|(n, _)| n).collect()
}
