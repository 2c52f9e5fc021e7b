//! A PDF as it stood at one of its revisions: ISO 32000-1 §7.5.
//!
//! A file that was updated n times holds n + 1 documents: whoever reads up to an earlier end of
//! file sees an earlier one. [`File`] holds the octets and whatever was read of them; [`Revision`]
//! is the document as it stands when reading stops at some octet. Objects that did not change are
//! read once, however many revisions are looked at.

use super::crypt::Security;
use super::error::PdfError;
use super::filter;
use super::lexer::Lexer;
use super::object::{Dictionary, Object, PdfString, Reference, Stream};
use super::repair;
use super::xref::{self, Entry, Limits, Section};
use crate::budget::Budget;
use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

/// Octets at the end of a file among which its last `startxref` stands: ISO 32000-1 §7.5.5 has three lines, viewers look
/// into the last 1,024 (annex H) to 2,048 octets.
const TAIL: usize = 2048;

/// References followed before a chain of references is taken for a circle.
const REFERENCE_CHAIN: usize = 32;

/// Filters of one stream. Writers chain two at the most.
const FILTER_CHAIN: usize = 8;

/// Octets read for each octet of the file, before reading stops: objects that overlap could be read
/// as often as there are cross-references. Files of the corpora stay below 3.
const WORK_RATIO: u64 = 64;

/// Pairs of objects compared between revisions of one file, and nodes of its form visited. The largest
/// files of the corpora need some hundred thousand; so many take seconds.
const STEPS: u64 = 20_000_000;

/// The octets of a PDF and what was read of them.
pub struct File<'a> {
    data: &'a [u8],
    /// Where `%PDF-` stands: offsets of some files count from there.
    header: usize,
    budget: Budget,
    security: OnceCell<Option<Security>>,
    objects: RefCell<HashMap<usize, Rc<Loaded<'a>>>>,
    compressed: RefCell<HashMap<(usize, u32), Object<'a>>>,
    containers: RefCell<HashMap<usize, Rc<Container>>>,
    sections: RefCell<HashMap<u64, (Rc<Section<'a>>, usize)>>,
    history: OnceCell<History<'a>>,
    work: Cell<u64>,
    /// Octets that its streams may still inflate to.
    inflatable: Cell<u64>,
    /// The first bound that was not kept.
    exceeded: RefCell<Option<PdfError>>,
    steps: Cell<u64>,
}

/// An indirect object and where reading it ended.
struct Loaded<'a> {
    id: Reference,
    object: Object<'a>,
    end: usize,
}

/// An object stream, inflated: ISO 32000-1 §7.5.7.
pub(super) struct Container {
    pub(super) data: Vec<u8>,
    /// Object number and offset in `data`, in the order of the stream.
    pub(super) index: Vec<(u32, usize)>,
    /// Whether there are as many as it says, and their list ends where the first begins.
    pub(super) whole: bool,
}

/// The sections of the whole file, from the newest to the oldest, and their entries in one table: what any of its
/// revisions has is found by one search.
struct History<'a> {
    sections: Vec<Rc<Section<'a>>>,
    /// By number, then by section. A single section has its own table.
    entries: Vec<(u32, u32, Entry)>,
    /// Where the entries of each number begin. Empty where numbers are far apart.
    begins: Vec<u32>,
    /// Below which number they are close together.
    numbers: usize,
}

impl<'a> History<'a> {
    fn new(sections: &[Rc<Section<'a>>]) -> Self {
        let several = if sections.len() > 1 { sections } else { &[] };
        let entries = || {
            let of_each = (0..).zip(several);
            of_each
                .flat_map(|(rank, section)| section.entries().iter().map(move |&(number, entry)| (number, rank, entry)))
        };
        let highest = sections.iter().filter_map(|section| section.entries().last()).map(|(number, _)| *number).max();
        let count: usize = sections.iter().map(|section| section.entries().len()).sum();
        let numbers = highest.map_or(0, |highest| highest as usize + 1);
        let numbers = if numbers <= 4 * count { numbers } else { 0 };
        if numbers == 0 || several.is_empty() {
            let mut entries: Vec<_> = entries().collect();
            entries.sort_by_key(|&(number, rank, _)| (number, rank));
            return Self { sections: sections.to_vec(), entries, begins: Vec::new(), numbers };
        }
        // Sorted by counting: how many have a lower number says where those of a number begin.
        let mut begins = vec![0u32; numbers + 1];
        entries().for_each(|(number, ..)| begins[number as usize + 1] += 1);
        for number in 0..numbers {
            begins[number + 1] += begins[number];
        }
        let (mut next, mut sorted) = (begins.clone(), vec![(0, 0, Entry::Free); count]);
        for entry in entries() {
            let place = &mut next[entry.0 as usize];
            sorted[*place as usize] = entry;
            *place += 1;
        }
        let entries = sorted;
        Self { sections: sections.to_vec(), entries, begins, numbers }
    }

    /// How many sections are newer than `sections`, where these are the last ones.
    fn newer(&self, sections: &[Rc<Section<'a>>]) -> Option<usize> {
        let newer = self.sections.len().checked_sub(sections.len())?;
        self.sections[newer..].iter().zip(sections).all(|(own, other)| Rc::ptr_eq(own, other)).then_some(newer)
    }

    /// What the sections after the first `newer` say of an object.
    fn entry(&self, number: u32, newer: usize) -> Option<Entry> {
        self.standing(number, newer).map(|(entry, _)| entry)
    }

    /// The same, with the numbers of newer sections without which that is so.
    fn standing(&self, number: u32, newer: usize) -> Option<(Entry, Range<usize>)> {
        if let [only] = &self.sections[..] {
            return only.entry(number).map(|entry| (entry, 0..1)).filter(|_| newer == 0);
        }
        let of_number = match self.begins.get(number as usize..(number as usize).saturating_add(2)) {
            Some(&[begin, end]) => self.entries.get(begin as usize..end as usize)?,
            _ if self.begins.is_empty() => &self.entries,
            _ => return None,
        };
        let place = of_number.partition_point(|&(n, rank, _)| (n, rank as usize) < (number, newer));
        let &(_, rank, entry) = of_number.get(place).filter(|(n, ..)| *n == number)?;
        let before = place.checked_sub(1).and_then(|place| of_number.get(place)).filter(|(n, ..)| *n == number);
        Some((entry, before.map_or(0, |(_, rank, _)| *rank as usize + 1)..rank as usize + 1))
    }
}

/// Where an object was found: two objects at the same place are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Location {
    /// At an octet of the file.
    At(usize),
    /// In the object stream at an octet of the file.
    In(usize, u32),
}

/// The document as it stands when reading stops at [`end`](Self::end).
pub struct Revision<'a, 'f> {
    file: &'f File<'a>,
    end: usize,
    /// From the newest to the oldest.
    sections: Vec<Rc<Section<'a>>>,
    /// How many sections the whole file has that are newer, where the rest are these.
    newer: Option<usize>,
    rescued: OnceCell<Section<'a>>,
    repaired: Cell<bool>,
    /// Set while searching, so that a search never starts another.
    searching: Cell<bool>,
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
            budget: Budget { pdf_objects: budget.objects_of_pdf(data.len()), ..budget.clone() },
            security: OnceCell::new(),
            objects: RefCell::default(),
            compressed: RefCell::default(),
            containers: RefCell::default(),
            sections: RefCell::default(),
            history: OnceCell::new(),
            work: Cell::new(0),
            inflatable: Cell::new(budget.inflated_of_pdf(data.len())),
            exceeded: RefCell::default(),
            steps: Cell::new(0),
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
        let history = self.history.get_or_init(|| History::new(&revision.sections));
        revision.newer = history.newer(&revision.sections);
        if self.security.get().is_none() {
            let security = revision.security(password)?;
            self.objects.borrow_mut().clear();
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
                revision.newer = self.history.get().and_then(|history| history.newer(&sections));
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
            let rescued = repair::scan(&revision).map_err(|error| self.noted(error))?;
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
        let sections = self.history.get().map_or(&[][..], |history| &history.sections);
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
            if entries > self.budget.pdf_objects {
                return Err(self.noted(PdfError::TooManyObjects { limit: self.budget.pdf_objects }));
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
        .map_err(|error| self.noted(error))?;
        self.spend(section_end.abs_diff(usize::try_from(offset).unwrap_or(section_end)))?;
        Ok((section, section_end))
    }

    /// The limits of reading cross-references.
    pub(super) fn limits(&self) -> Limits<'_> {
        Limits { nesting: self.budget.nesting, objects: self.budget.pdf_objects, inflatable: &self.inflatable }
    }

    /// Where `%PDF-` stands.
    pub(super) fn header(&self) -> usize {
        self.header
    }

    /// What the sections of the whole file but the newest `newer` say of an object.
    pub(super) fn entry(&self, number: u32, newer: usize) -> Option<Entry> {
        self.history.get()?.entry(number, newer)
    }

    /// The generation of an object that is in use without the newest `newer` sections.
    pub(super) fn generation(&self, number: u32, newer: usize) -> u64 {
        let section = self.history.get().and_then(|history| {
            let (_, without) = history.standing(number, newer)?;
            history.sections.get(without.end.checked_sub(1)?)
        });
        section.map_or(0, |section| section.generation(number))
    }

    /// The cross-reference sections of the whole file, once it was opened, from the newest to the oldest.
    pub(super) fn sections(&self) -> &[Rc<Section<'a>>] {
        self.history.get().map_or(&[], |history| &history.sections)
    }

    /// Below which number the objects of the cross-references are close together: zero where they are not.
    pub(super) fn numbers(&self) -> usize {
        self.history.get().map_or(0, |history| history.numbers)
    }

    /// Where an object is without the newest `newer` sections.
    pub(super) fn location(&self, number: u32, newer: usize) -> Option<Location> {
        let history = self.history.get()?;
        location(number, |number| history.entry(number, newer))
    }

    /// Counts one step of a walk over objects; `false` when there were too many.
    pub(super) fn step(&self) -> bool {
        self.steps.set(self.steps.get() + 1);
        self.steps.get() <= STEPS
    }

    /// Whether every bound was kept. Where one was not, something was taken for missing.
    pub(super) fn kept_bounds(&self) -> Result<(), PdfError> {
        self.exceeded.borrow().clone().map_or(Ok(()), Err)
    }

    /// An error, kept in mind where it is that of a bound. Once streams inflate to too much, none inflates any more.
    fn noted(&self, error: PdfError) -> PdfError {
        let error = match error {
            PdfError::TooMuchInflated { .. } => {
                self.inflatable.set(0);
                PdfError::TooMuchInflated { limit: self.budget.inflated_of_pdf(self.data.len()) }
            }
            PdfError::TooMuchWork { .. } | PdfError::TooManyObjects { .. } | PdfError::NestingTooDeep { .. } => error,
            _ => return error,
        };
        self.exceeded.borrow_mut().get_or_insert_with(|| error.clone());
        error
    }

    /// Octets that may be read in all.
    fn work_limit(&self) -> u64 {
        // A short file may be read in full some hundred times: 1 MiB takes milliseconds.
        (self.data.len() as u64).saturating_mul(WORK_RATIO).max(1 << 20)
    }

    /// Counts `octets` as read.
    fn spend(&self, octets: usize) -> Result<(), PdfError> {
        let limit = self.work_limit();
        let work = self.work.get().saturating_add(octets as u64);
        self.work.set(work);
        if work > limit { Err(self.noted(PdfError::TooMuchWork { limit })) } else { Ok(()) }
    }
}

/// Where an object is by the cross-references that `entry` looks into.
fn location(number: u32, entry: impl Fn(u32) -> Option<Entry>) -> Option<Location> {
    match entry(number)? {
        Entry::Free => None,
        Entry::Offset(offset) => Some(Location::At(usize::try_from(offset).ok()?)),
        Entry::Compressed { stream, index } => match entry(stream)? {
            Entry::Offset(offset) => Some(Location::In(usize::try_from(offset).ok()?, index)),
            _ => None,
        },
    }
}

/// A table with what its hidden stream adds.
fn hybrid<'a>(table: &Section<'a>, hidden: &Section<'a>) -> Section<'a> {
    let mut entries: Vec<_> = hidden.entries().to_vec();
    entries.extend(
        table.entries().iter().filter(|(number, entry)| *entry != Entry::Free || hidden.entry(*number).is_none()),
    );
    let generations = hidden.generations().iter().chain(table.generations()).copied().collect();
    Section::new(table.offset, entries, table.trailer.clone()).with_generations(generations)
}

impl<'a, 'f> Revision<'a, 'f> {
    fn new(file: &'f File<'a>, end: usize, sections: Vec<Rc<Section<'a>>>, newer: Option<usize>) -> Self {
        Self {
            file,
            end,
            sections,
            newer,
            rescued: OnceCell::new(),
            repaired: Cell::new(false),
            searching: Cell::new(false),
        }
    }

    /// How many cross-reference sections the whole file has more, if these are the rest of its.
    pub(super) fn newer(&self) -> Option<usize> {
        self.newer
    }

    /// The file it is a revision of.
    pub fn file(&self) -> &'f File<'a> {
        self.file
    }

    /// Where it ends.
    pub fn end(&self) -> usize {
        self.end
    }

    /// The octets up to its end.
    pub(super) fn data(&self) -> &'a [u8] {
        &self.file.data[..self.end]
    }

    /// Whether objects had to be searched for because the cross-references lead nowhere.
    pub fn repaired(&self) -> bool {
        self.repaired.get()
    }

    /// Its cross-reference sections, from the newest to the oldest.
    pub fn sections(&self) -> &[Rc<Section<'a>>] {
        &self.sections
    }

    /// A value of the trailer: the newest one that is given.
    pub fn trailer(&self, key: &[u8]) -> Object<'a> {
        self.sections.iter().find_map(|section| section.trailer.get(key)).map_or(Object::Null, |o| self.resolve(o))
    }

    /// The document catalog: ISO 32000-1 §7.7.2.
    pub fn catalog(&self) -> Option<Rc<Dictionary<'a>>> {
        match self.trailer(b"Root") {
            Object::Dictionary(catalog) if catalog.get(b"Pages").is_some() || catalog.get(b"Type").is_some() => {
                Some(catalog)
            }
            _ => None,
        }
    }

    /// Where the cross-references say that an object stands.
    pub fn entry(&self, number: u32) -> Option<Entry> {
        match (self.newer, self.file.history.get()) {
            (Some(newer), Some(history)) => history.entry(number, newer),
            _ => self.sections.iter().find_map(|section| section.entry(number)),
        }
    }

    /// The numbers of the object streams that its cross-references name, with the oldest section that does.
    pub(super) fn object_streams(&self) -> HashMap<u32, usize> {
        let mut found = HashMap::new();
        for (rank, section) in self.sections.iter().enumerate() {
            for (_, entry) in section.entries() {
                if let Entry::Compressed { stream, .. } = entry {
                    found.insert(*stream, rank);
                }
            }
        }
        found
    }

    /// Where an object is; `None` when it does not exist.
    pub fn location(&self, number: u32) -> Option<Location> {
        location(number, |number| self.entry(number))
    }

    /// Where an object is, with the numbers of newer sections of the file without which it is there, this revision's own
    /// among them where it has one.
    pub(super) fn standing(&self, number: u32) -> Option<(Location, Range<usize>)> {
        let location = self.location(number)?;
        let standing = |number| self.file.history.get()?.standing(number, self.newer?);
        let without = match standing(number) {
            Some((Entry::Compressed { stream, .. }, own)) => {
                standing(stream).map(|(_, its)| own.start.max(its.start)..own.end.min(its.end))
            }
            Some((_, own)) => Some(own),
            None => None,
        };
        Some((location, without.unwrap_or_default()))
    }

    /// What `object` stands for: itself, or what it refers to.
    pub fn resolve(&self, object: &Object<'a>) -> Object<'a> {
        let Object::Reference(mut reference) = *object else { return object.clone() };
        for _ in 0..REFERENCE_CHAIN {
            match self.get(reference) {
                Object::Reference(next) => reference = next,
                other => return other,
            }
        }
        Object::Null
    }

    /// What `key` of `dictionary` stands for; null when there is none.
    pub fn lookup(&self, dictionary: &Dictionary<'a>, key: &[u8]) -> Object<'a> {
        dictionary.get(key).map_or(Object::Null, |object| self.resolve(object))
    }

    /// The dictionary that `key` of `dictionary` stands for.
    pub fn dictionary(&self, dictionary: &Dictionary<'a>, key: &[u8]) -> Option<Rc<Dictionary<'a>>> {
        match self.lookup(dictionary, key) {
            Object::Dictionary(found) => Some(found),
            _ => None,
        }
    }

    /// The array that `key` of `dictionary` stands for.
    pub fn array(&self, dictionary: &Dictionary<'a>, key: &[u8]) -> Option<Rc<[Object<'a>]>> {
        match self.lookup(dictionary, key) {
            Object::Array(found) => Some(found),
            _ => None,
        }
    }

    /// The indirect object; null when there is none (ISO 32000-1 §7.3.10).
    pub fn get(&self, reference: Reference) -> Object<'a> {
        self.read(reference.number).unwrap_or(Object::Null)
    }

    fn read(&self, number: u32) -> Option<Object<'a>> {
        match self.entry(number)? {
            Entry::Free => None,
            Entry::Offset(offset) => {
                let offset = usize::try_from(offset).ok()?;
                self.load_as(number, offset)
            }
            Entry::Compressed { stream, index } => self.read_compressed(number, stream, index),
        }
    }

    /// Object `number`, if it is where the cross-references say, and where reading it ended. (One in an object stream
    /// ends with that.)
    pub(super) fn in_place(&self, number: u32) -> Option<(Object<'a>, usize)> {
        match self.entry(number)? {
            Entry::Free => None,
            Entry::Offset(offset) => {
                let loaded = self.load_in_place(number, usize::try_from(offset).ok()?)?;
                Some((loaded.object.clone(), loaded.end))
            }
            Entry::Compressed { stream, index } => Some((self.read_compressed(number, stream, index)?, 0)),
        }
    }

    /// Object `number`, if it stands at `offset`.
    fn load_in_place(&self, number: u32, offset: usize) -> Option<Rc<Loaded<'a>>> {
        let load = |place| self.load(place).ok().filter(|loaded| loaded.id.number == number);
        // NOTE: offsets of files with octets before the header may count from the header.
        load(offset).or_else(|| (self.file.header > 0).then(|| load(offset.saturating_add(self.file.header)))?)
    }

    /// Object `number` at `offset`, or wherever it is if another or none stands there.
    fn load_as(&self, number: u32, offset: usize) -> Option<Object<'a>> {
        if let Some(loaded) = self.load_in_place(number, offset) {
            return Some(loaded.object.clone());
        }
        self.repaired.set(true);
        if self.rescued.get().is_none() {
            if self.searching.replace(true) {
                return None;
            }
            let rescued = repair::scan(self).map_err(|error| self.file.noted(error));
            self.searching.set(false);
            let _ = self.rescued.set(rescued.ok()?);
        }
        match self.rescued.get()?.entry(number)? {
            Entry::Offset(place) => {
                let loaded = self.load(usize::try_from(place).ok()?).ok()?;
                (loaded.id.number == number).then(|| loaded.object.clone())
            }
            _ => None,
        }
    }

    fn load(&self, offset: usize) -> Result<Rc<Loaded<'a>>, PdfError> {
        if let Some(loaded) = self.file.objects.borrow().get(&offset)
            && loaded.end < self.end
        {
            return Ok(loaded.clone());
        }
        let mut lexer = Lexer::new(self.data(), offset, self.file.budget.nesting);
        let indirect = lexer.indirect();
        self.file.spend(lexer.position().saturating_sub(offset))?;
        let mut indirect = indirect.map_err(|error| self.file.noted(error))?;
        if let Some(Some(security)) = self.file.security.get() {
            decrypt(&mut indirect.object, indirect.id, security);
        }
        let loaded = Rc::new(Loaded { id: indirect.id, object: indirect.object, end: indirect.end });
        // What the end of this revision cut short would read differently in a later one.
        if loaded.end < self.end {
            let mut objects = self.file.objects.borrow_mut();
            if objects.len() >= self.file.budget.pdf_objects {
                return Err(self.file.noted(PdfError::TooManyObjects { limit: self.file.budget.pdf_objects }));
            }
            objects.insert(offset, loaded.clone());
        }
        Ok(loaded)
    }

    /// ISO 32000-1 §7.5.7.
    fn read_compressed(&self, number: u32, stream: u32, index: u32) -> Option<Object<'a>> {
        let Entry::Offset(offset) = self.entry(stream)? else { return None };
        let offset = usize::try_from(offset).ok()?;
        let key = (offset, number);
        if let Some(object) = self.file.compressed.borrow().get(&key) {
            return Some(object.clone());
        }
        let container = self.container(stream, offset)?;
        let at_index = container.index.get(index as usize).filter(|(n, _)| *n == number);
        let &(_, at) = at_index.or_else(|| container.index.iter().find(|(n, _)| *n == number))?;
        // No further than may still be read: what is there becomes larger as objects.
        let left = self.file.work_limit().saturating_sub(self.file.work.get());
        let end = usize::try_from(left).unwrap_or(usize::MAX).saturating_add(1).saturating_add(at);
        let data = &container.data[..end.min(container.data.len())];
        let mut lexer = Lexer::new(data, at, self.file.budget.nesting);
        let object = lexer.object();
        self.file.spend(lexer.position().saturating_sub(at)).ok()?;
        let object: Object<'a> = object.map_err(|error| self.file.noted(error)).ok()?.into_owned();
        self.file.compressed.borrow_mut().insert(key, object.clone());
        Some(object)
    }

    /// The object stream `number` at `offset`, inflated once.
    pub(super) fn container(&self, number: u32, offset: usize) -> Option<Rc<Container>> {
        if let Some(container) = self.file.containers.borrow().get(&offset) {
            return Some(container.clone());
        }
        let Object::Stream(stream) = self.load_as(number, offset)? else { return None };
        if self.lookup_direct(&stream.dictionary, b"Type").name() != Some(b"ObjStm") {
            return None;
        }
        let data = self.decoded(&stream).ok()?;
        let count = usize::try_from(self.lookup_direct(&stream.dictionary, b"N").integer()?).ok()?;
        let first = usize::try_from(self.lookup_direct(&stream.dictionary, b"First").integer()?).ok()?;
        let mut lexer = Lexer::new(&data, 0, 0);
        let mut index = Vec::new();
        for _ in 0..count.min(self.file.budget.pdf_objects) {
            let (Some(number), Some(at)) = (lexer.unsigned(), lexer.unsigned()) else { break };
            index.push((u32::try_from(number).ok()?, first.saturating_add(usize::try_from(at).ok()?)));
        }
        let whole = index.len() == count && lexer.position() <= first;
        let container = Rc::new(Container { data, index, whole });
        self.file.containers.borrow_mut().insert(offset, container.clone());
        Some(container)
    }

    /// A value of an object stream's dictionary, which may not itself be in an object stream: so
    /// reading one cannot lead to reading it again.
    fn lookup_direct(&self, dictionary: &Dictionary<'a>, key: &[u8]) -> Object<'a> {
        match dictionary.get(key) {
            Some(Object::Reference(reference)) => match self.entry(reference.number) {
                Some(Entry::Offset(_)) => self.get(*reference),
                _ => Object::Null,
            },
            Some(object) => object.clone(),
            None => Object::Null,
        }
    }

    /// A stream's octets as they stand in the file: ISO 32000-1 §7.3.8.
    pub fn raw(&self, stream: &Stream<'a>) -> &'a [u8] {
        let rest = self.data().get(stream.start..).unwrap_or_default();
        let length = self.lookup_direct(&stream.dictionary, b"Length").integer().and_then(|l| usize::try_from(l).ok());
        if let Some(body) = length.and_then(|length| rest.get(..length)) {
            let mut after = Lexer::new(rest, body.len(), 0);
            after.skip_space();
            if rest[after.position()..].starts_with(b"endstream") {
                return body;
            }
        }
        // NOTE: the length is wrong; viewers look for the keyword, and so do we, saying so.
        self.repaired.set(true);
        let end = memchr::memmem::find(rest, b"endstream").unwrap_or(rest.len());
        if self.file.spend(end).is_err() {
            return &[];
        }
        let body = &rest[..end];
        body.strip_suffix(b"\r\n").or(body.strip_suffix(b"\n")).or(body.strip_suffix(b"\r")).unwrap_or(body)
    }

    /// A stream's octets, decrypted but with its filters on.
    pub fn deciphered(&self, stream: &Stream<'a>) -> Cow<'a, [u8]> {
        let raw = self.raw(stream);
        let Some(Some(security)) = self.file.security.get() else { return Cow::Borrowed(raw) };
        let kind = self.lookup_direct(&stream.dictionary, b"Type");
        // ISO 32000-1 §7.4.10: a Crypt filter without name is the identity.
        let identity = self.filters(stream).iter().any(|(name, parameters)| {
            &**name == b"Crypt"
                && parameters
                    .as_ref()
                    .is_none_or(|p| matches!(p.get(b"Name").and_then(Object::name), None | Some(b"Identity")))
        });
        security.stream(stream.id, kind.name(), identity, raw).map_or(Cow::Borrowed(raw), Cow::Owned)
    }

    /// A stream's octets without encryption and filters: ISO 32000-1 §7.4.
    pub fn decoded(&self, stream: &Stream<'a>) -> Result<Vec<u8>, PdfError> {
        let mut data = self.deciphered(stream);
        let filters = self.filters(stream);
        if filters.len() > FILTER_CHAIN {
            return Err(PdfError::Filter { filter: format!("a chain of {} filters", filters.len()) });
        }
        for (name, parameters) in &filters {
            let parameters = parameters.as_ref().map_or_else(filter::Parameters::default, |parameters| {
                xref::parameters_of(|key| self.lookup_direct(parameters, key).integer())
            });
            let left = self.file.inflatable.get();
            let plain = filter::decode(name, &data, parameters, left).map_err(|error| self.file.noted(error))?;
            self.file.inflatable.set(left.saturating_sub(plain.len() as u64));
            data = Cow::Owned(plain);
        }
        Ok(data.into_owned())
    }

    /// The names of a stream's filters with their parameters: ISO 32000-1 table 5.
    fn filters(&self, stream: &Stream<'a>) -> Vec<(Vec<u8>, Option<Rc<Dictionary<'a>>>)> {
        let list = |key: &[u8]| match self.lookup_direct(&stream.dictionary, key) {
            Object::Array(items) => items.iter().map(|item| self.direct(item)).collect(),
            Object::Null => Vec::new(),
            other => vec![other],
        };
        let mut parameters = list(b"DecodeParms").into_iter().map(|object| match object {
            Object::Dictionary(parameters) => Some(parameters),
            _ => None,
        });
        let names = list(b"Filter").into_iter();
        names.map(|name| (name.name().unwrap_or_default().to_vec(), parameters.next().flatten())).collect()
    }

    fn direct(&self, object: &Object<'a>) -> Object<'a> {
        match object {
            Object::Reference(reference) if matches!(self.entry(reference.number), Some(Entry::Offset(_))) => {
                self.get(*reference)
            }
            Object::Reference(_) => Object::Null,
            other => other.clone(),
        }
    }

    /// The key to the file, or that it needs none: ISO 32000-1 §7.6.1.
    fn security(&self, password: Option<&[u8]>) -> Result<Option<Security>, PdfError> {
        let Object::Dictionary(dictionary) = self.trailer(b"Encrypt") else { return Ok(None) };
        let mut dictionary = (*dictionary).clone();
        dictionary.for_each_value(|_, value| {
            *value = self.resolve(value);
        });
        let id = match self.trailer(b"ID") {
            Object::Array(items) => items.first().map(|item| self.resolve(item)),
            _ => None,
        };
        let id = id.as_ref().and_then(Object::string).map(|s| s.bytes().into_owned()).unwrap_or_default();
        Security::open(&dictionary, &id, password).map(Some)
    }

    pub(super) fn limits(&self) -> (usize, usize) {
        (self.file.budget.nesting, self.file.budget.pdf_objects)
    }

    pub(super) fn spend(&self, octets: usize) -> Result<(), PdfError> {
        self.file.spend(octets)
    }
}

/// Decrypts every string of `object` but a signature's `/Contents`: ISO 32000-1 §7.6.1.
fn decrypt(object: &mut Object<'_>, id: Reference, security: &Security) {
    match object {
        Object::String(string) => {
            *string = Rc::new(PdfString::of(security.string(id, &string.bytes())));
        }
        Object::Array(items) => Rc::make_mut(items).iter_mut().for_each(|item| decrypt(item, id, security)),
        Object::Dictionary(dictionary) => decrypt_values(Rc::make_mut(dictionary), id, security),
        Object::Stream(stream) => decrypt_values(&mut Rc::make_mut(stream).dictionary, id, security),
        _ => {}
    }
}

fn decrypt_values(dictionary: &mut Dictionary<'_>, id: Reference, security: &Security) {
    let signature = dictionary.get(b"ByteRange").is_some();
    dictionary.for_each_value(|key, value| {
        if !(signature && key == b"Contents") {
            decrypt(value, id, security);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sections_say_of_an_object() {
        let section = |entries: &[(u32, u64)]| {
            let entries = entries.iter().map(|(number, offset)| (*number, Entry::Offset(*offset))).collect();
            Rc::new(Section::new(0, entries, Dictionary::default()))
        };
        for (situation, last) in [("numbers close together", 7), ("numbers far apart", u32::MAX)] {
            let sections =
                [section(&[(2, 30), (last, 31)]), section(&[(2, 20), (5, 21)]), section(&[(0, 10), (2, 11)])];
            let history = History::new(&sections);
            assert_eq!(history.begins.is_empty(), last == u32::MAX, "7.5.6: {situation}");
            for newer in 0..=sections.len() {
                for number in [0, 1, 2, 3, 5, 6, 7, 8, u32::MAX] {
                    let expected = sections[newer..].iter().find_map(|section| section.entry(number));
                    assert_eq!(history.entry(number, newer), expected, "7.5.6: {situation}, {number} from {newer}");
                }
            }
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
            let octets = first.clone() + &rest;
            let file = File::new(octets.as_bytes(), &Budget::default()).expect("a PDF");
            let revision = file.open(None).expect("a revision");
            let catalog = revision.catalog().expect("a catalog");
            assert_eq!(revision.lookup(&catalog, b"Number").integer(), Some(expected), "{clause} {situation}");
        }
    }
}
