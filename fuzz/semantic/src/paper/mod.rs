//! What is changed in a PDF.

mod annotations;
mod astray;
mod content;
mod document;
mod draft;
mod fields;
mod pages;
mod stores;

pub use draft::Draft;

use crate::original::Paper;
use crate::random::Random;

/// A change of a document.
pub struct Edit {
    pub name: &'static str,
    /// Whether it may be made to such a document, whatever then is seen.
    pub permitted: fn(&Paper) -> bool,
    /// Makes it; `None` where the document has no place for it.
    pub make: fn(&mut Draft<'_>, &mut Random) -> Option<()>,
}

fn never(_: &Paper) -> bool {
    false
}

fn always(_: &Paper) -> bool {
    true
}

fn fill(paper: &Paper) -> bool {
    paper.p != Some(1) && !paper.locked
}

/// Certified so that annotations may be added.
fn certified(paper: &Paper) -> bool {
    paper.p == Some(3)
}

fn annotate(paper: &Paper) -> bool {
    paper.p.is_none_or(|p| p == 3)
}

type Done = Option<()>;

macro_rules! edits {
    ($($permitted:ident $make:ident,)*) => {
        &[$(Edit { name: stringify!($make), permitted: $permitted, make: $make },)*]
    };
}
use edits;

/// All of them.
pub fn all() -> impl Iterator<Item = &'static Edit> {
    let rooms = [
        content::EDITS,
        pages::EDITS,
        annotations::EDITS,
        fields::EDITS,
        document::EDITS,
        stores::EDITS,
        astray::EDITS,
    ];
    rooms.into_iter().flatten()
}
