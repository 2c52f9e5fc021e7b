//! The bytes of a PDF and its cross-references: ISO 32000-1 §7.5.
//!
//! A file that was updated n times holds n + 1 documents: a reader that stops at an earlier end of file sees an earlier
//! one. [`File`] holds the bytes, the index of the cross-references, and the objects that were read. A [`Revision`] is the
//! document as it stands when reading stops at some byte.

use super::crypt::{Access, Security};
use super::error::PdfError;
use super::lexer::Lexer;
use super::limits::Limits;
use super::objects::Objects;
use super::revision::Revision;
use super::xref::{self, Entry, Section, XrefLimits};
use super::xref_index::{Location, XrefIndex, hybrid, location};
use crate::budget::Budget;
use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// How many bytes at the end of a file its last `startxref` is looked for in. ISO 32000-1 §7.5.5 has three lines; viewers
/// look into the last 1,024 (annex H) to 2,048 bytes.
const TAIL: usize = 2048;

/// How many bytes of a file its header is looked for in. NOTE: viewers accept up to 1,024 bytes before it.
const HEAD: usize = 1024 + 5;

/// The bytes of a PDF, and what was read of them.
pub struct File<'a> {
    data: &'a [u8],
    /// The byte from which offsets count.
    origin: usize,
    /// Whether the last `startxref` names cross-references by the other way of counting, too.
    has_two_origins: bool,
    limits: Limits,
    /// The encryption key, once the file was opened.
    pub(super) security: OnceCell<Option<Security>>,
    pub(super) objects: Objects<'a>,
    sections: RefCell<HashMap<u64, (Rc<Section<'a>>, usize)>>,
    /// The cross-references, once the file was opened.
    pub(super) index: OnceCell<XrefIndex<'a>>,
}

impl<'a> File<'a> {
    /// Begins reading a file, which has to have a header near its start: ISO 32000-1 §7.5.2.
    pub fn new(data: &'a [u8], budget: &Budget) -> Result<Self, PdfError> {
        let header = header(data).ok_or(PdfError::NotPdf { searched: data.len().min(HEAD) })?;
        let finds_section = [0, header].map(|origin| finds_section(data, origin, budget.nesting));
        Ok(Self {
            data,
            // NOTE: some readers count from the header where bytes stand before it; so do we where only that finds the
            // last cross-references. Each object could have another place by each way of counting (7.5.4).
            origin: if finds_section == [false, true] { header } else { 0 },
            has_two_origins: header > 0 && finds_section == [true, true],
            limits: Limits::new(budget, data.len()),
            security: OnceCell::new(),
            objects: Objects::default(),
            sections: RefCell::default(),
            index: OnceCell::new(),
        })
    }

    /// Returns the bytes of the file.
    pub fn data(&self) -> &'a [u8] {
        self.data
    }

    /// Returns whether the file is encrypted, once it was opened.
    pub fn encrypted(&self) -> bool {
        matches!(self.security.get(), Some(Some(_)))
    }

    /// Returns what the password gives access to, where the file is encrypted and was opened.
    pub fn access(&self) -> Option<Access> {
        self.security.get()?.as_ref().map(Security::access)
    }

    /// Returns whether the newest cross-references state that the file is encrypted, without opening it: ISO 32000-1 §7.6.1.
    pub fn states_encryption(&self) -> bool {
        let trailer = || {
            let tail = self.data.len().saturating_sub(TAIL);
            let offset = last_start_xref(self.data.get(tail..)?)?;
            xref::trailer(self.data, self.place(offset)?, self.limits.nesting)
        };
        trailer().is_some_and(|trailer| trailer.get(b"Encrypt").is_some())
    }

    /// Opens the latest revision, with `password` if the file is encrypted: ISO 32000-1 §7.6.
    pub fn open(&self, password: Option<&[u8]>) -> Result<Revision<'a, '_>, PdfError> {
        let opened = self.latest(password);
        // A limit is the cause of what follows from it, such as a catalog that is missing.
        self.check_limits()?;
        opened
    }

    fn latest(&self, password: Option<&[u8]>) -> Result<Revision<'a, '_>, PdfError> {
        let mut revision = self.revision(self.data.len())?;
        let index = self.index.get_or_init(|| XrefIndex::new(&revision.sections));
        revision.newer_sections = index.newer_sections(&revision.sections);
        if self.security.get().is_none() {
            let security = revision.security(password)?;
            self.objects.forget();
            let _ = self.security.set(security);
        }
        Ok(revision)
    }

    /// Returns the document as it stood when the file ended at `end`.
    pub fn revision(&self, end: usize) -> Result<Revision<'a, '_>, PdfError> {
        let end = end.min(self.data.len());
        let mut revision = Revision::new(self, end, Vec::new(), None);
        match self.chain(end) {
            Ok(sections) => {
                revision.newer_sections = self.index.get().and_then(|index| index.newer_sections(&sections));
                revision.sections = sections;
            }
            Err(error @ (PdfError::TooManyObjects { .. } | PdfError::TooMuchInflated { .. })) => return Err(error),
            Err(_) => {}
        }
        if revision.catalog().is_none() {
            revision.repaired.set(true);
            revision.sections.clear();
            revision.newer_sections = None;
            let found = revision.search()?;
            revision.sections.push(Rc::new(found));
            if revision.catalog().is_none() {
                return Err(PdfError::NoCatalog);
            }
        }
        Ok(revision)
    }

    /// Returns the documents before the newest cross-reference sections were added, each with the number of these, from one
    /// on. The byte where such a revision ended is not looked for.
    pub(super) fn earlier(&self) -> impl Iterator<Item = (usize, Revision<'a, '_>)> {
        let sections = self.sections();
        (1..sections.len())
            .map(|newer| (newer, Revision::new(self, self.data.len(), sections[newer..].to_vec(), Some(newer))))
    }

    /// Returns the sections from the last `startxref` before `end`, by `/Prev`: ISO 32000-1 §7.5.5, §7.5.6.
    fn chain(&self, end: usize) -> Result<Vec<Rc<Section<'a>>>, PdfError> {
        let data = &self.data[..end];
        let keyword =
            memchr::memmem::rfind(data, b"startxref").ok_or(PdfError::NotACrossReference { offset: end as u64 })?;
        // Bytes that follow an earlier revision and have lost their own end must not be skipped: viewers search then, too.
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
            if entries > self.limits.objects {
                return Err(self.limits.recorded(PdfError::TooManyObjects { limit: self.limits.objects }));
            }
        }
        Ok(sections)
    }

    /// Returns the section at `offset`, with the stream that a hybrid one hides (ISO 32000-1 §7.5.8.4).
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
        // A section that the end of its revision cut short would read differently in a later one.
        if section_end < end {
            self.sections.borrow_mut().insert(offset, (section.clone(), section_end));
        }
        Ok(section)
    }

    fn read_section(&self, offset: u64, end: usize) -> Result<(Section<'a>, usize), PdfError> {
        let limits = self.xref_limits();
        let place = self.place(offset).ok_or(PdfError::NotACrossReference { offset })?;
        let read = xref::read(&self.data[..end], place as u64, limits);
        let (section, section_end) = read.map_err(|error| self.limits.recorded(error))?;
        self.limits.read(section_end.abs_diff(place))?;
        if !section.is_of_integers() {
            return Err(PdfError::NotACrossReference { offset });
        }
        Ok((section, section_end))
    }

    /// Returns the limits of reading cross-references.
    pub(super) fn xref_limits(&self) -> XrefLimits<'_> {
        self.limits.of_xref()
    }

    /// Returns the byte from which offsets count.
    pub(super) fn origin(&self) -> usize {
        self.origin
    }

    /// Returns whether readers that count offsets from another byte find cross-references, too.
    pub(super) fn has_two_origins(&self) -> bool {
        self.has_two_origins
    }

    /// Returns the byte that an offset names.
    pub(super) fn place(&self, offset: u64) -> Option<usize> {
        usize::try_from(offset).ok()?.checked_add(self.origin)
    }

    /// Returns the entry of an object without the newest `newer` sections.
    pub(super) fn entry(&self, number: u32, newer: usize) -> Option<Entry> {
        self.index.get()?.entry(number, newer)
    }

    /// Returns the generation of an object without the newest `newer` sections; `None` where it is not in use.
    pub(super) fn generation(&self, number: u32, newer: usize) -> Option<u64> {
        self.index.get()?.generation(number, newer)
    }

    /// Returns whether readers differ in what the entry of an object is without the newest `newer` sections.
    pub(super) fn is_ambiguous(&self, number: u32, newer: usize) -> bool {
        self.index.get().is_some_and(|index| index.is_ambiguous(number, newer))
    }

    /// Returns the cross-reference sections of the whole file, once it was opened, from the newest to the oldest.
    pub(super) fn sections(&self) -> &[Rc<Section<'a>>] {
        self.index.get().map_or(&[], XrefIndex::sections)
    }

    /// Returns the number below which the objects of the cross-references are dense: zero where they are not.
    pub(super) fn dense_numbers(&self) -> usize {
        self.index.get().map_or(0, XrefIndex::dense_numbers)
    }

    /// Returns where an object is without the newest `newer` sections.
    pub(super) fn location(&self, number: u32, newer: usize) -> Option<Location> {
        let index = self.index.get()?;
        location(number, |number| index.entry(number, newer))
    }

    /// Returns what reading it may cost, and has cost.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Counts one step of a walk over objects; `false` where there were too many, which the caller has to report.
    pub(super) fn step(&self) -> bool {
        self.limits.step().is_ok()
    }

    /// Returns the error of the first limit that was reached, if one was: objects that were refused then counted as
    /// missing.
    pub(crate) fn check_limits(&self) -> Result<(), PdfError> {
        self.limits.check()
    }

    /// Reads the file, and returns what `read` makes of it unless a limit was reached.
    pub(super) fn within_limits<T>(&self, read: impl FnOnce() -> Result<T, PdfError>) -> Result<T, PdfError> {
        let found = read()?;
        self.check_limits().map(|()| found)
    }
}

/// Returns the byte where `%PDF-` stands, if that is near the start of the file.
pub(super) fn header(data: &[u8]) -> Option<usize> {
    memchr::memmem::find(data.get(..HEAD).unwrap_or(data), b"%PDF-")
}

/// Returns whether the last `startxref` names cross-references where offsets count from the byte `origin`.
fn finds_section(data: &[u8], origin: usize, nesting: usize) -> bool {
    let offset = || usize::try_from(last_start_xref(data)?).ok()?.checked_add(origin);
    offset().is_some_and(|place| xref::is_section(data, place, nesting))
}

/// Returns the number after the last `startxref`.
pub(super) fn last_start_xref(data: &[u8]) -> Option<u64> {
    let keyword = memchr::memmem::rfind(data, b"startxref")?;
    Lexer::new(data, keyword + b"startxref".len(), 0).unsigned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encryption_of_an_older_trailer() {
        let encrypt = "/Encrypt<</Filter/Standard/V 1/R 2/O<00>/U<00>/P -4>>/ID[<00><00>]";
        let first = "%PDF-1.7\n1 0 obj <</Type/Catalog>> endobj\n";
        let table =
            |previous: &str| format!("xref\n1 1\n0000000009 00000 n \ntrailer <</Root 1 0 R/Size 2{previous}>>\n");
        for (situation, [older, newer], expected) in
            [("the older one", [encrypt, ""], true), ("the newer one", ["", encrypt], false)]
        {
            let mut text = format!("{first}{}startxref\n{}\n%%EOF\n", table(older), first.len());
            let start = text.len();
            text += &format!("{}startxref\n{start}\n%%EOF\n", table(&format!("/Prev {}{newer}", first.len())));
            let file = File::new(text.as_bytes(), &Budget::default()).expect("a PDF");
            assert_eq!(file.open(None).is_ok(), expected, "7.5.5: {situation}");
        }
    }

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
            let bytes = first.clone() + &rest;
            let file = File::new(bytes.as_bytes(), &Budget::default()).expect("a PDF");
            let revision = file.open(None).expect("a revision");
            let catalog = revision.catalog().expect("a catalog");
            assert_eq!(revision.lookup(&catalog, b"Number").integer(), Some(expected), "{clause} {situation}");
        }
    }
}
