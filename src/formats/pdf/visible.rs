//! Pages that look otherwise because an annotation came, went or changed, as far as that can be told without drawing
//! them.

use super::compare::{Look, Looks};
use super::file::Revision;
use super::ink::{self, Shown};
use super::pages::{self, Rectangle};
use std::collections::{HashMap, HashSet};

/// The share of a page from which on a filled field is taken for the page itself.
const LARGE: f64 = 0.25;

/// The share of a page that filled fields take together from which on they are taken for the page itself.
const MOST: f64 = 0.5;

/// The share of a line that a field takes, up and along, when it stands on words.
const ON_WORDS: f64 = 0.5;

/// Pages are looked at for so many annotations; beyond, each counts as covering something.
const LOOKS: usize = 1_000;

/// The pages, counted from one, that look otherwise.
///
/// An annotation that is gone or another one changes the page on which it was. A new one does where it covers what the
/// page shows, or another annotation; and one that adds words or drawings does anywhere, unless the signer permits
/// annotations. A field shows its value where it always was: that covers something where it stands on words of the page,
/// or is large.
pub(super) fn changed_pages<'a>(last: &Revision<'a, '_>, looks: &[Look], permitted: bool) -> Vec<u32> {
    if looks.is_empty() {
        return Vec::new();
    }
    let pages = pages::numbered(last);
    let mut shown: HashMap<u32, Shown> = HashMap::new();
    let mut filled: HashMap<u32, f64> = HashMap::new();
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
            (Looks::Drawn, _) if !permitted => true,
            (Looks::Filled, Some(area)) => {
                let share = pages::page_area(last, page).map_or(1.0, |whole| area.share_of(&whole));
                let together = filled.entry(look.page).or_default();
                *together += share;
                share > LARGE || *together > MOST || {
                    let shown = shown.entry(look.page).or_insert_with(|| ink::shown(last, page));
                    shown.words.iter().any(|words| stands_on(&area, words))
                }
            }
            (Looks::New | Looks::Drawn, Some(area)) => {
                let shown = shown.entry(look.page).or_insert_with(|| ink::shown(last, page));
                shown.boxes.iter().any(|ink| ink.overlaps(&area))
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

/// Whether a field stands on words rather than beside them.
fn stands_on(area: &Rectangle, words: &Rectangle) -> bool {
    let least = ON_WORDS * (words.right - words.left).min(words.top - words.bottom);
    area.within(words).is_some_and(|both| both.top - both.bottom >= least && both.right - both.left >= least)
}
