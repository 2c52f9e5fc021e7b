//! What a signer saw beside what the reader sees: the pages of each signed revision and of the final file, as pictures.
//!
//! Objects are compared for themselves (`pdf/changes`); this is about what comes of them on the page. It is done
//! where the caller asks for it ([`Document::comparing_pages`](crate::Document::comparing_pages)), and where this build
//! draws at all (feature `render`). Where a page cannot be drawn, that is said of it.
//!
//! Signatures that came later are not held against a page, unless what they show hides what was signed.

#[cfg(feature = "render")]
mod copy;
#[cfg(feature = "render")]
mod draw;
#[cfg(feature = "render")]
mod pair;
#[cfg(feature = "render")]
mod survey;

use super::unpacked::Unpacked;
use crate::budget::Budget;
use crate::facts::{Irregularity, IrregularityKind::PageNotCompared};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bounds on what is drawn.
#[cfg(feature = "render")]
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Pixels of a picture.
    pixels: u64,
    /// Pixels of an image on the page.
    image: u64,
    /// What drawing a page may cost.
    work: u64,
    /// Bytes that its streams may have.
    bytes: u64,
}

#[cfg(feature = "render")]
impl Limits {
    fn of(budget: &Budget) -> Self {
        Self {
            pixels: budget.pdf_picture_pixels,
            image: budget.pdf_image_pixels,
            work: budget.pdf_picture_work,
            bytes: budget.pdf_inflated_most,
        }
    }
}

/// What came of comparing the pages of two revisions.
#[derive(Debug, Clone, Default)]
struct Compared {
    /// Pages that look different.
    different: Vec<u32>,
    /// Pages that only one of the two has.
    alone: Vec<u32>,
    /// Pages that could not be compared, by the reason; no page where that is so of all.
    refused: BTreeMap<String, Vec<u32>>,
}

/// Compares the pages of every signed revision with those of the final file, which `bytes` are.
pub fn compare(unpacked: &mut Unpacked, bytes: &[u8], password: Option<&[u8]>, budget: &Budget) {
    let later = |end: usize| end < bytes.len();
    let ends: Vec<usize> =
        unpacked.signatures.iter().map(|signature| signature.end).filter(|end| later(*end)).collect();
    let mut known: BTreeMap<usize, Compared> = BTreeMap::new();
    #[cfg(feature = "render")]
    {
        let mut pairs = pair::Pairs::new(bytes, password, budget);
        for end in ends {
            known.entry(end).or_insert_with(|| pairs.compared(unpacked, end));
        }
    }
    #[cfg(not(feature = "render"))]
    {
        let _ = (password, budget);
        let refused = crate::order::map([("this build of lacre does not draw pages".to_owned(), vec![])]);
        known.extend(ends.into_iter().map(|end| (end, Compared { refused: refused.clone(), ..Compared::default() })));
    }
    for signature in &mut unpacked.signatures {
        let Some(compared) = known.get(&signature.end) else { continue };
        let modifications = signature.facts.modifications.get_or_insert_default();
        modifications.visual_differences.clone_from(&compared.different);
        modifications.page_differences.extend(&compared.alone);
        crate::order::sort(&mut modifications.page_differences);
        modifications.page_differences.dedup();
        signature.irregularities.extend(compared.irregularities());
    }
}

impl Compared {
    fn irregularities(&self) -> impl Iterator<Item = Irregularity> {
        self.refused.iter().map(|(why, pages)| Irregularity::about(PageNotCompared, subject(why, pages)))
    }
}

/// Returns the reason with the pages that it is about.
fn subject(why: &str, pages: &[u32]) -> Arc<str> {
    /// Pages that are named; of the others, how many they are.
    const NAMED: usize = 10;
    let numbers: Vec<String> = pages.iter().take(NAMED).map(u32::to_string).collect();
    match pages.len() {
        0 => why.into(),
        1 => format!("page {}: {why}", numbers.concat()).into(),
        n if n <= NAMED => format!("pages {}: {why}", numbers.join(", ")).into(),
        n => format!("pages {} and {} more: {why}", numbers.join(", "), n - NAMED).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_named_up_to_a_number() {
        let pages: Vec<u32> = (1..=12).collect();
        for (count, expected) in [
            (0, "why"),
            (1, "page 1: why"),
            (2, "pages 1, 2: why"),
            (12, "pages 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more: why"),
        ] {
            assert_eq!(&*subject("why", &pages[..count]), expected);
        }
    }
}
