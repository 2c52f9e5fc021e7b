//! A signed revision and the final file, page by page.

use super::copy::{self, Bounds, Page, Refused, Streams, annotations, pages};
use super::draw::Picture;
use super::{Compared, Limits};
use crate::budget::Budget;
use crate::formats::pdf::field::signature_fields;
use crate::formats::pdf::object::{Dictionary, Object};
use crate::formats::pdf::unpacked::{Unpacked, UnpackedSignature};
use crate::formats::pdf::{File, Revision};
use std::collections::HashSet;
use std::rc::Rc;

/// Pages of a revision that are compared. What a file may have of them is what it has room for; each costs a walk over
/// its objects.
const PAGES: usize = 1_000;

/// Objects of one page. The largest drawings of the corpora have some thousand.
const OBJECTS: usize = 100_000;

/// Objects of all the pages that are looked at, those of one page counted for each.
const ALL_OBJECTS: usize = 4_000_000;

/// Annotations of one page.
const ANNOTATIONS: usize = 5_000;

/// Signatures that came later, on one page. Each is drawn by itself.
const SIGNATURES: usize = 32;

/// Compares revisions with the final file.
pub struct Pairs<'d> {
    bytes: &'d [u8],
    password: Option<&'d [u8]>,
    budget: &'d Budget,
    limits: Limits,
    /// Pictures and objects that are left.
    pictures: usize,
    objects: usize,
}

/// A revision with what is looked for in it.
struct Side<'a, 'f> {
    revision: Revision<'a, 'f>,
    pages: Vec<Page<'a>>,
    /// Fields of signatures that came after the older of the two, and their widgets.
    later: Vec<Rc<Dictionary<'a>>>,
}

impl<'d> Pairs<'d> {
    /// Makes the pairs of the file that `bytes` are.
    pub fn new(bytes: &'d [u8], password: Option<&'d [u8]>, budget: &'d Budget) -> Self {
        let limits = Limits::of(budget);
        Self { bytes, password, budget, limits, pictures: budget.pdf_pictures, objects: ALL_OBJECTS }
    }

    /// Compares the pages of the revision that ends there with those of the final file.
    pub fn compared<'u>(&mut self, unpacked: &'u Unpacked, end: usize) -> Compared {
        let (later, earlier): (Vec<_>, Vec<_>) = unpacked.signatures.iter().partition(|one| one.end > end);
        let names = |signatures: Vec<&'u UnpackedSignature>| -> HashSet<&'u str> {
            signatures.iter().flat_map(|one| one.facts.fields.iter().map(|field| field.name.as_str())).collect()
        };
        let earlier = names(earlier);
        let later = names(later).into_iter().filter(|name| !earlier.contains(name)).collect();
        let mut compared = Compared::default();
        if let Err(why) = self.compare(&later, end, &mut compared) {
            compared.refused.insert(why.into_owned(), vec![]);
        }
        compared
    }

    fn compare(&mut self, later: &HashSet<&str>, end: usize, compared: &mut Compared) -> Result<(), Refused> {
        let unread = |error: super::super::PdfError| Refused::from(format!("a revision cannot be read: {error}"));
        let [before, after] = [&self.bytes[..end], self.bytes].map(|bytes| File::new(bytes, self.budget));
        let (before, after) = (before.map_err(unread)?, after.map_err(unread)?);
        let before = Side::new(before.open(self.password).map_err(unread)?, later);
        let after = Side::new(after.open(self.password).map_err(unread)?, later);
        let both = before.pages.len().min(after.pages.len());
        for (place, number) in (0..both.min(PAGES)).zip(1..) {
            let differs = self.differs(&before, &after, place);
            // Objects refused by a limit counted as missing, on both sides alike.
            before.revision.file().check_limits().and(after.revision.file().check_limits()).map_err(unread)?;
            match differs {
                Ok(false) => {}
                Ok(true) => compared.different.push(number),
                Err(why) => compared.refused.entry(why.into_owned()).or_default().push(number),
            }
        }
        let all = before.pages.len().max(after.pages.len());
        compared.alone = (both..all.min(PAGES)).filter_map(|place| u32::try_from(place + 1).ok()).collect();
        if all > PAGES {
            compared.refused.insert(format!("those after the first {PAGES}"), vec![]);
        }
        Ok(())
    }

    /// Returns whether a page looks different, or something that was signed on it is hidden.
    fn differs(&mut self, before: &Side<'_, '_>, after: &Side<'_, '_>, place: usize) -> Result<bool, Refused> {
        let (old, _) = before.annotations(place);
        let (new, added) = after.annotations(place);
        let old_copy = self.copy(before, place, &old, Streams::AsInFile)?;
        let same = old_copy == self.copy(after, place, &new, Streams::AsInFile)?;
        let unseen = before.unseen(&old) != after.unseen(&new);
        if !(same && added.is_empty()) && self.looks_different(before, after, place, &old, (&new, added))? {
            return Ok(true);
        }
        if unseen {
            Err("an annotation without appearance, which each viewer draws its own way".into())
        } else {
            Ok(false)
        }
    }

    fn looks_different<'a, 'b>(
        &mut self,
        before: &Side<'a, '_>,
        after: &Side<'b, '_>,
        place: usize,
        old: &[Rc<Dictionary<'a>>],
        new: (&[Rc<Dictionary<'b>>], Vec<Rc<Dictionary<'b>>>),
    ) -> Result<bool, Refused> {
        let (new, added) = new;
        let page = self.picture(after, place, new)?;
        if self.picture(before, place, old)? != page {
            return Ok(true);
        }
        if added.len() > SIGNATURES {
            return Err(format!("more than {SIGNATURES} later signatures on it").into());
        }
        for signature in added {
            let shown: Vec<_> = new.iter().cloned().chain([signature]).collect();
            if self.picture(after, place, &shown)?.hides(&page) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn copy<'a>(
        &mut self,
        side: &Side<'a, '_>,
        place: usize,
        shown: &[Rc<Dictionary<'a>>],
        streams: Streams,
    ) -> Result<Vec<u8>, Refused> {
        let page = side.pages.get(place).ok_or("no such page")?;
        if self.objects == 0 {
            return Err("the file's pages have too many objects to compare them all".into());
        }
        if shown.len() > ANNOTATIONS {
            return Err(format!("more than {ANNOTATIONS} annotations").into());
        }
        let bounds = Bounds { objects: OBJECTS.min(self.objects), pixels: self.limits.image };
        let (copy, objects) = copy::copy(&side.revision, page, shown, streams, bounds)?;
        // What stands directly in others counts by its length.
        let direct = if streams == Streams::AsInFile { copy.len() / 64 } else { 0 };
        self.objects = self.objects.saturating_sub(objects + direct);
        Ok(copy)
    }

    fn picture<'a>(
        &mut self,
        side: &Side<'a, '_>,
        place: usize,
        shown: &[Rc<Dictionary<'a>>],
    ) -> Result<Picture, Refused> {
        let copy = self.copy(side, place, shown, Streams::Decoded(self.limits.bytes))?;
        self.pictures = self.pictures.checked_sub(1).ok_or("too many pages of the file differ to draw them all")?;
        Picture::of(copy, &self.limits)
    }
}

impl<'a, 'f> Side<'a, 'f> {
    fn new(revision: Revision<'a, 'f>, later: &HashSet<&str>) -> Self {
        let pages = pages(&revision, PAGES);
        let fields = signature_fields(&revision).into_iter().filter(|field| later.contains(field.name.as_str()));
        let later = fields.flat_map(|field| {
            let kids = revision.array(&field.dictionary, b"Kids").unwrap_or_default();
            let widget = |kid: &Object<'a>| match revision.resolve(kid) {
                Object::Dictionary(kid) => Some(kid),
                _ => None,
            };
            let widgets: Vec<_> = kids.iter().filter_map(widget).collect();
            [field.dictionary].into_iter().chain(widgets)
        });
        let later = later.collect();
        Self { revision, pages, later }
    }

    /// Returns those annotations that viewers show though the file does not say how they look (ISO 32000-1 §12.5.5).
    fn unseen(&self, annotations: &[Rc<Dictionary<'a>>]) -> Vec<Rc<Dictionary<'a>>> {
        /// ISO 32000-1 table 165: hidden, and not to be viewed.
        const NOT_SHOWN: i64 = 1 << 1 | 1 << 5;
        let look = |one: &Dictionary<'a>, key: &[u8]| self.revision.lookup(one, key);
        let shown = |one: &Dictionary<'a>| {
            let corners: Vec<f64> = match look(one, b"Rect") {
                Object::Array(items) => items.iter().filter_map(|item| self.revision.resolve(item).number()).collect(),
                _ => vec![],
            };
            look(one, b"F").integer().unwrap_or(0) & NOT_SHOWN == 0
                && look(one, b"Subtype").name() != Some(b"Popup")
                && matches!(corners[..], [left, bottom, right, top] if left != right && bottom != top)
        };
        annotations.iter().filter(|one| !self.has_looks(one) && shown(one)).cloned().collect()
    }

    /// Returns whether it has a normal appearance.
    fn has_looks(&self, annotation: &Dictionary<'a>) -> bool {
        self.revision.dictionary(annotation, b"AP").is_some_and(|looks| looks.get(b"N").is_some())
    }

    /// Returns the annotations of a page, those of later signatures apart. Where these show nothing, they are left out.
    #[allow(clippy::type_complexity, reason = "a list in two")]
    fn annotations(&self, place: usize) -> (Vec<Rc<Dictionary<'a>>>, Vec<Rc<Dictionary<'a>>>) {
        let all =
            self.pages.get(place).map(|page| annotations(&self.revision, page, ANNOTATIONS + 1)).unwrap_or_default();
        let of_later = |one: &Rc<Dictionary<'a>>| self.later.iter().any(|later| Rc::ptr_eq(later, one) || later == one);
        let (mut later, own): (Vec<_>, Vec<_>) = all.into_iter().partition(of_later);
        later.retain(|one| self.has_looks(one));
        (own, later)
    }
}
