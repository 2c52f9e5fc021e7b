//! The octets of a PDF and its cross-references: ISO 32000-1 §7.5.
//!
//! A file that was updated n times holds n + 1 documents: whoever reads up to an earlier end of
//! file sees an earlier one. [`File`] holds the octets, the index of its cross-references and whatever was read of its
//! objects; [`Revision`] is the document as it stands when reading stops at some octet.

use super::bounds::Bounds;
use super::crypt::Security;
use super::error::PdfError;
use super::index::{Index, Location, hybrid, location};
use super::lexer::Lexer;
use super::objects::Objects;
use super::repair;
use super::revision::Revision;
use super::xref::{self, Entry, Limits, Section};
use crate::budget::Budget;
use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Octets at the end of a file among which its last `startxref` stands: ISO 32000-1 §7.5.5 has three lines, viewers look
/// into the last 1,024 (annex H) to 2,048 octets.
const TAIL: usize = 2048;

/// The octets of a PDF and what was read of them.
pub struct File<'a> {
    data: &'a [u8],
    /// Where `%PDF-` stands: offsets of some files count from there.
    header: usize,
    bounds: Bounds,
    /// Its key, once it was opened.
    pub(super) security: OnceCell<Option<Security>>,
    pub(super) objects: Objects<'a>,
    sections: RefCell<HashMap<u64, (Rc<Section<'a>>, usize)>>,
    /// Its cross-references, once it was opened.
    pub(super) index: OnceCell<Index<'a>>,
}

impl<'a> File<'a> {
    /// The file that `data` is, of which a header has to be near the start.
    ///
    /// ISO 32000-1 §7.5.2. NOTE: viewers accept up to 1,024 octets before it.
    pub fn new(data: &'a [u8], budget: &Budget) -> Result<Self, PdfError> {
        let searched = data.len().min(1024 + 5);
        let header = memchr::memmem::find(&data[..searched], b"%PDF-").ok_or(PdfError::NotPdf { searched })?;
        Ok(Self {
            data,
            header,
            bounds: Bounds::new(budget, data.len()),
            security: OnceCell::new(),
            objects: Objects::default(),
            sections: RefCell::default(),
            index: OnceCell::new(),
        })
    }

    /// Its octets.
    pub fn data(&self) -> &'a [u8] {
        self.data
    }

    /// Whether it is encrypted, once [`unlock`](Self::unlock) was asked.
    pub fn encrypted(&self) -> bool {
        matches!(self.security.get(), Some(Some(_)))
    }

    /// The whole file, opened with `password` if it is encrypted: ISO 32000-1 §7.6.
    pub fn open(&self, password: Option<&[u8]>) -> Result<Revision<'a, '_>, PdfError> {
        let mut revision = self.revision(self.data.len())?;
        let index = self.index.get_or_init(|| Index::new(&revision.sections));
        revision.newer = index.newer(&revision.sections);
        if self.security.get().is_none() {
            let security = revision.security(password)?;
            self.objects.forget();
            let _ = self.security.set(security);
        }
        Ok(revision)
    }

    /// The document as it stood when the file ended at `end`.
    pub fn revision(&self, end: usize) -> Result<Revision<'a, '_>, PdfError> {
        let end = end.min(self.data.len());
        let mut revision = Revision::new(self, end, Vec::new(), None);
        match self.chain(end) {
            Ok(sections) => {
                revision.newer = self.index.get().and_then(|index| index.newer(&sections));
                revision.sections = sections;
            }
            Err(error @ (PdfError::TooManyObjects { .. } | PdfError::TooMuchInflated { .. })) => return Err(error),
            Err(_) => {}
        }
        if revision.catalog().is_none() {
            revision.repaired.set(true);
            revision.sections.clear();
            revision.newer = None;
            revision.searching.set(true);
            let rescued = repair::scan(&revision).map_err(|error| self.bounds.noted(error))?;
            revision.searching.set(false);
            revision.sections.push(Rc::new(rescued));
            if revision.catalog().is_none() {
                return Err(PdfError::NoCatalog);
            }
        }
        Ok(revision)
    }

    /// The documents before the newest `newer` cross-reference sections were added, for each number of these from one
    /// on. Where such a revision ended is not looked for.
    pub(super) fn earlier(&self) -> impl Iterator<Item = (usize, Revision<'a, '_>)> {
        let sections = self.sections();
        (1..sections.len())
            .map(|newer| (newer, Revision::new(self, self.data.len(), sections[newer..].to_vec(), Some(newer))))
    }

    /// The sections from the last `startxref` before `end` on, by `/Prev`: ISO 32000-1 §7.5.5, §7.5.6.
    fn chain(&self, end: usize) -> Result<Vec<Rc<Section<'a>>>, PdfError> {
        let data = &self.data[..end];
        let keyword =
            memchr::memmem::rfind(data, b"startxref").ok_or(PdfError::NotACrossReference { offset: end as u64 })?;
        // What follows an earlier revision and has lost its own end is not to be passed over: viewers search then, too.
        if end == self.data.len() && end - keyword > TAIL {
            return Err(PdfError::NotACrossReference { offset: end as u64 });
        }
        let mut lexer = Lexer::new(data, keyword + 9, 0);
        let mut next = lexer.unsigned();
        let mut sections = Vec::new();
        let mut seen = HashSet::new();
        let mut entries = 0;
        while let Some(offset) = next {
            if !seen.insert(offset) {
                break;
            }
            let section = self.section(offset, end)?;
            entries += section.entries().len();
            next = section.link(b"Prev");
            sections.push(section);
            if entries > self.bounds.objects {
                return Err(self.bounds.noted(PdfError::TooManyObjects { limit: self.bounds.objects }));
            }
        }
        Ok(sections)
    }

    /// The section at `offset`, with the stream that a hybrid one hides (ISO 32000-1 §7.5.8.4).
    fn section(&self, offset: u64, end: usize) -> Result<Rc<Section<'a>>, PdfError> {
        if let Some((section, section_end)) = self.sections.borrow().get(&offset)
            && *section_end < end
        {
            return Ok(section.clone());
        }
        let (mut section, mut section_end) = self.read_section(offset, end)?;
        if let Some((hidden, hidden_end)) = section.link(b"XRefStm").and_then(|at| self.read_section(at, end).ok()) {
            section = hybrid(&section, &hidden);
            section_end = section_end.max(hidden_end);
        }
        let section = Rc::new(section);
        // What the end of a revision cut short would read differently in a later one.
        if section_end < end {
            self.sections.borrow_mut().insert(offset, (section.clone(), section_end));
        }
        Ok(section)
    }

    fn read_section(&self, offset: u64, end: usize) -> Result<(Section<'a>, usize), PdfError> {
        let limits = self.limits();
        let data = &self.data[..end];
        let (section, section_end) = match xref::read(data, offset, limits) {
            // NOTE: offsets of files with octets before the header may count from the header.
            Err(PdfError::NotACrossReference { .. }) if self.header > 0 => {
                xref::read(data, offset.saturating_add(self.header as u64), limits)
            }
            other => other,
        }
        .map_err(|error| self.bounds.noted(error))?;
        self.bounds.read(section_end.abs_diff(usize::try_from(offset).unwrap_or(section_end)))?;
        Ok((section, section_end))
    }

    /// The limits of reading cross-references.
    pub(super) fn limits(&self) -> Limits<'_> {
        self.bounds.of_cross_references()
    }

    /// Where `%PDF-` stands.
    pub(super) fn header(&self) -> usize {
        self.header
    }

    /// What the sections of the whole file but the newest `newer` say of an object.
    pub(super) fn entry(&self, number: u32, newer: usize) -> Option<Entry> {
        self.index.get()?.entry(number, newer)
    }

    /// The generation of an object that is in use without the newest `newer` sections.
    pub(super) fn generation(&self, number: u32, newer: usize) -> u64 {
        self.index.get().map_or(0, |index| index.generation(number, newer))
    }

    /// The cross-reference sections of the whole file, once it was opened, from the newest to the oldest.
    pub(super) fn sections(&self) -> &[Rc<Section<'a>>] {
        self.index.get().map_or(&[], Index::sections)
    }

    /// Below which number the objects of the cross-references are close together: zero where they are not.
    pub(super) fn numbers(&self) -> usize {
        self.index.get().map_or(0, Index::numbers)
    }

    /// Where an object is without the newest `newer` sections.
    pub(super) fn location(&self, number: u32, newer: usize) -> Option<Location> {
        let index = self.index.get()?;
        location(number, |number| index.entry(number, newer))
    }

    /// What reading it may cost, and has cost.
    pub(super) fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Counts one step of a walk over objects; `false` when there were too many, which the caller has to say.
    pub(super) fn step(&self) -> bool {
        self.bounds.step().is_ok()
    }

    /// Whether every bound was kept. Where one was not, something was taken for missing.
    pub(super) fn kept_bounds(&self) -> Result<(), PdfError> {
        self.bounds.kept()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_the_last_cross_references() {
        let catalog = |number| format!("1 0 obj <</Type/Catalog/Number {number}>> endobj\n");
        let mut first = format!("%PDF-1.7\n{}", catalog(1));
        let start = first.len();
        first +=
            &format!("xref\n1 1\n0000000009 00000 n \ntrailer <</Root 1 0 R/Size 2>>\nstartxref\n{start}\n%%EOF\n");
        for (clause, situation, rest, expected) in [
            ("7.5.5", "nothing", String::new(), 1),
            ("7.5.5", "little", "x".repeat(1000), 1),
            ("7.5.6", "an update without its end", catalog(2) + &"x".repeat(TAIL), 2),
        ] {
            let octets = first.clone() + &rest;
            let file = File::new(octets.as_bytes(), &Budget::default()).expect("a PDF");
            let revision = file.open(None).expect("a revision");
            let catalog = revision.catalog().expect("a catalog");
            assert_eq!(revision.lookup(&catalog, b"Number").integer(), Some(expected), "{clause} {situation}");
        }
    }
}
