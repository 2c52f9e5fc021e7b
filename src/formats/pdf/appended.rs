//! Whether what was appended after a revision is the same document to every reader: ISO 32000-1 §7.5.6.
//!
//! Octets after a revision are well-formed [updates](super::update), the last `startxref` is that of the last one, and
//! each update agrees with its own cross-references: its objects stand where these say, under the number and generation
//! that these say, and what comes before is what `/Prev` names. Whatever else is there is a flaw, which says where.

use super::error::PdfError;
use super::file::Revision;
use super::lexer::{Lexer, is_space};
use super::object::{Dictionary, Object, Reference};
use super::update::{self, Flaw, Stop, Update};
use super::xref::{Entry, Row, Section};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Octets at the end of a file among which readers look for the last `startxref`: ISO 32000-1 annex H.3.18.
const TAIL: usize = 1024;

/// Flaws named: one is enough.
const FLAWS: usize = 20;

/// What follows the revisions of a file. Revisions of which one follows another have updates in common, which are read
/// once.
#[derive(Debug, Default)]
pub(super) struct Appended {
    /// Where each update starts, and its flaws.
    updates: Vec<(usize, Vec<Flaw>)>,
    /// Why the octets after them are no update.
    stopped: Option<Flaw>,
}

impl Appended {
    /// The flaws of what follows octet `end` of a file, of which `last` is the newest revision.
    pub(super) fn flaws(&mut self, last: &Revision<'_, '_>, end: usize) -> Result<Vec<Flaw>, PdfError> {
        let data = last.data();
        let start = match update::blank(data, end) {
            Ok(start) => start,
            Err(flaw) => return Ok(vec![flaw]),
        };
        last.spend(start - end)?;
        let place = match self.updates.iter().position(|(known, _)| *known == start) {
            Some(place) => place,
            None => {
                *self = Self::read(last, end, start)?;
                0
            }
        };
        let mut found: Vec<_> = self.updates[place..].iter().flat_map(|(_, flaws)| flaws.clone()).collect();
        found.extend(self.stopped.clone());
        if memchr::memmem::rfind(data, b"startxref").is_none_or(|at| data.len() - at > TAIL) {
            found.push(Flaw::new(end, "the last startxref is too far from the end of the file"));
        }
        found.truncate(FLAWS);
        Ok(found)
    }

    /// Reads the updates after octet `end`, of which the first starts at `start`.
    fn read(last: &Revision<'_, '_>, end: usize, start: usize) -> Result<Self, PdfError> {
        let data = last.data();
        let (mut updates, mut stopped, mut at) = (Vec::new(), None, start);
        while at < data.len() {
            let read = update::read(last, at).and_then(|update| {
                let next = update::blank(data, update.end)?;
                Ok((std::mem::replace(&mut at, next), update))
            });
            match read {
                Ok(update) => updates.push(update),
                Err(Stop::Flaw(flaw)) => {
                    stopped = Some(flaw);
                    break;
                }
                Err(Stop::Bound(error)) => return Err(error),
            }
        }
        let (count, mut before) = (updates.len(), last_start_xref(&data[..end]));
        let mut checked = Vec::with_capacity(count);
        for (rank, (start, update)) in updates.into_iter().enumerate() {
            let start_xref = update.start_xref;
            let agreement = Agreement { last, update, newer: count - 1 - rank, flaws: Vec::new() };
            checked.push((start, agreement.check(before)?));
            before = Some(start_xref);
        }
        Ok(Self { updates: checked, stopped })
    }
}

/// What stands behind the last `startxref`.
fn last_start_xref(data: &[u8]) -> Option<u64> {
    let keyword = memchr::memmem::rfind(data, b"startxref")?;
    Lexer::new(data, keyword + 9, 0).unsigned()
}

/// An update beside what readers have of it.
struct Agreement<'a, 'f, 'r> {
    last: &'r Revision<'a, 'f>,
    update: Update<'a>,
    /// How many sections of the file are newer.
    newer: usize,
    flaws: Vec<Flaw>,
}

impl<'a, 'f, 'r> Agreement<'a, 'f, 'r> {
    fn flaw(&mut self, at: usize, what: impl Into<String>) {
        if self.flaws.len() < FLAWS {
            self.flaws.push(Flaw::new(at, what));
        }
    }

    /// `before`: the `startxref` of the revision before.
    fn check(mut self, before: Option<u64>) -> Result<Vec<Flaw>, PdfError> {
        let start = self.update.section.start;
        if !self.stands_at(self.update.start_xref, start) {
            self.flaw(start, "startxref names another octet than that of the cross-references before it");
        }
        let sections = self.last.file().sections();
        match sections.get(self.newer) {
            Some(section) if section.offset == self.update.start_xref => {}
            _ => self.flaw(start, "cross-references that are not those of this update in their order"),
        }
        self.links(before, sections.get(self.newer + 1));
        self.numbers();
        let rows = self.rows();
        self.registered(&rows);
        self.in_place(&rows)?;
        self.references();
        self.flaws.append(&mut self.update.flaws);
        Ok(self.flaws)
    }

    /// Whether a stated offset is that of what starts at `start`. Tolerated: white space between, which every reader
    /// skips; and offsets that count from the header.
    fn stands_at(&self, stated: u64, start: usize) -> bool {
        let data = self.last.data();
        let blank = |from: usize| data.get(from..start).is_some_and(|gap| gap.len() < 8 && gap.iter().all(|&o| is_space(o)));
        let Ok(stated) = usize::try_from(stated) else { return false };
        blank(stated) || self.last.file().header() > 0 && stated.checked_add(self.last.file().header()) == Some(start)
    }

    /// What the trailer has in common with the one before.
    fn links(&mut self, before: Option<u64>, previous: Option<&Rc<Section<'a>>>) {
        let trailer = self.update.section.trailer.clone();
        let start = self.update.section.start;
        let offset = |key: &[u8]| match trailer.get(key) {
            Some(Object::Integer(offset)) => u64::try_from(*offset).ok(),
            _ => None,
        };
        if offset(b"Prev").is_none() || offset(b"Prev") != before {
            self.flaw(start, "/Prev is not what the startxref before says");
        }
        if trailer.get(b"XRefStm").is_some() {
            self.flaw(start, "cross-references that some readers do not look into (/XRefStm)");
        }
        let Some(previous) = previous else { return };
        for key in [&b"Root"[..], b"Encrypt"] {
            let [old, new] = [previous.trailer.get(key), trailer.get(key)];
            if !same_values(old, new) {
                self.flaw(start, format!("/{} of the trailer changed", String::from_utf8_lossy(key)));
            }
        }
        let encrypted = trailer.get(b"Encrypt").is_some();
        let first = |trailer: &Dictionary<'a>| match trailer.get(b"ID").map(|id| self.last.resolve(id)) {
            Some(Object::Array(items)) => items.first().cloned(),
            _ => None,
        };
        if encrypted && !same_values(first(&previous.trailer).as_ref(), first(&trailer).as_ref()) {
            self.flaw(start, "/ID of the trailer changed, by which the file is decrypted");
        }
        if let Some(Object::Reference(reference)) = trailer.get(b"Encrypt") {
            let entry = |newer| self.last.file().entry(reference.number, newer);
            if entry(self.newer) != entry(self.newer + 1) {
                self.flaw(start, "/Encrypt of the trailer changed");
            }
        }
    }

    /// Every number is below `/Size`, also those of the revisions before.
    fn numbers(&mut self) {
        let size = match self.update.section.trailer.get(b"Size") {
            Some(Object::Integer(size)) => u64::try_from(*size).unwrap_or(0),
            _ => 0,
        };
        let own = self.update.section.rows.iter().filter(|(_, row)| row.kind != 0).map(|(number, _)| *number).max();
        let older = self.last.file().sections().iter().skip(self.newer + 1);
        let used = |section: &Rc<Section<'a>>| {
            let mut entries = section.entries().iter().rev();
            entries.find(|(_, entry)| *entry != Entry::Free).map(|(number, _)| u64::from(*number))
        };
        if older.filter_map(used).chain(own).max().is_some_and(|highest| highest >= size) {
            self.flaw(self.update.section.start, "/Size is not above the numbers of all objects");
        }
    }

    /// The rows by number.
    fn rows(&mut self) -> HashMap<u64, Row> {
        let mut rows = HashMap::with_capacity(self.update.section.rows.len());
        let mut twice = None;
        for (number, row) in &self.update.section.rows {
            if rows.insert(*number, *row).is_some() || row.kind > 2 {
                twice = Some(*number);
            }
        }
        if let Some(number) = twice {
            self.flaw(self.update.section.start, format!("object {number} is cross-referenced twice, or in no known way"));
        }
        rows
    }

    /// Each object of the update has a row that says where it is.
    fn registered(&mut self, rows: &HashMap<u64, Row>) {
        for place in 0..self.update.objects.len() {
            let (id, start) = (self.update.objects[place].id, self.update.objects[place].start);
            let row = rows.get(&id.number.into());
            if !row.is_some_and(|row| self.names(row, id, start)) {
                self.flaw(start, format!("object {} {} is not in the cross-references", id.number, id.generation));
            }
        }
        let section = &self.update.section;
        if let Some((id, row)) = section.stream.and_then(|id| Some((id, rows.get(&id.number.into())?)))
            && !self.names(row, id, section.start)
        {
            self.flaw(section.start, "the cross-references name themselves elsewhere");
        }
    }

    /// Whether a row says that object `id` stands at `start`.
    fn names(&self, row: &Row, id: Reference, start: usize) -> bool {
        row.kind == 1 && row.last == u64::from(id.generation) && self.stands_at(row.middle, start)
    }

    /// Each row names an object of the update, or repeats what held before.
    fn in_place(&mut self, rows: &HashMap<u64, Row>) -> Result<(), PdfError> {
        let mut own: HashSet<u64> = self.update.objects.iter().map(|object| object.id.number.into()).collect();
        own.extend(self.update.section.stream.map(|id| u64::from(id.number)));
        let mut containers = HashMap::new();
        for place in 0..self.update.section.rows.len() {
            let (number, row) = self.update.section.rows[place];
            if row.kind == 0 || own.contains(&number) {
                continue;
            }
            let known = u32::try_from(number).ok();
            let before = known.and_then(|number| self.last.file().entry(number, self.newer + 1));
            let good = match (before, row.kind) {
                (Some(Entry::Offset(offset)), 1) => {
                    let generation = known.map(|number| self.last.file().generation(number, self.newer + 1));
                    offset == row.middle && generation == Some(row.last)
                }
                (Some(Entry::Compressed { stream, index }), 2)
                    if u64::from(stream) == row.middle && u64::from(index) == row.last =>
                {
                    !rows.contains_key(&row.middle) || self.compressed(number, row, &mut containers)?
                }
                (_, 2) => self.compressed(number, row, &mut containers)?,
                _ => false,
            };
            if !good {
                self.flaw(self.update.section.start, format!("object {number} is not where the cross-references say"));
            }
        }
        Ok(())
    }

    /// Whether an object stands in its object stream where the row says, and nowhere else in it.
    fn compressed(
        &mut self,
        number: u64,
        row: Row,
        containers: &mut HashMap<u64, Option<Rc<super::file::Container>>>,
    ) -> Result<bool, PdfError> {
        let container = match containers.get(&row.middle) {
            Some(known) => known.clone(),
            None => {
                let found = self.container(row.middle);
                containers.insert(row.middle, found.clone());
                found
            }
        };
        let Some(container) = container else { return Ok(false) };
        let at = usize::try_from(row.last).ok().and_then(|index| container.index.get(index));
        let Some(&(_, at)) = at.filter(|(found, _)| u64::from(*found) == number) else { return Ok(false) };
        let mut lexer = Lexer::new(&container.data, at, self.last.limits().0);
        let read = lexer.object();
        self.last.spend(lexer.position().saturating_sub(at))?;
        if lexer.liberty().is_some() || read.is_err() {
            self.flaw(self.update.section.start, format!("readers read object {number} differently"));
        }
        if let Ok(object) = read {
            self.refers(&object, self.update.section.start);
        }
        Ok(true)
    }

    /// An object stream whose objects have numbers of their own and follow each other.
    fn container(&self, number: u64) -> Option<Rc<super::file::Container>> {
        let number = u32::try_from(number).ok()?;
        let Some(Entry::Offset(offset)) = self.last.file().entry(number, self.newer) else { return None };
        let container = self.last.container(number, usize::try_from(offset).ok()?)?;
        let mut numbers = HashSet::with_capacity(container.index.len());
        let own = container.index.iter().all(|(number, _)| numbers.insert(*number));
        (own && container.index.is_sorted_by(|(_, one), (_, next)| one < next)).then_some(container)
    }

    /// References name the generation that their object has.
    fn references(&mut self) {
        let objects = std::mem::take(&mut self.update.objects);
        objects.iter().for_each(|appended| self.refers(&appended.object, appended.start));
        let trailer = self.update.section.trailer.clone();
        trailer.iter().for_each(|(_, value)| self.refers(value, self.update.section.start));
        self.update.objects = objects;
    }

    fn refers(&mut self, object: &Object<'_>, at: usize) {
        match object {
            Object::Reference(Reference { number, generation }) => {
                let used = self.last.file().entry(*number, self.newer).is_some_and(|entry| entry != Entry::Free);
                if used && self.last.file().generation(*number, self.newer) != u64::from(*generation) {
                    self.flaw(at, format!("a reference to {number} {generation}, where {number} has another generation"));
                }
            }
            Object::Array(items) => items.iter().for_each(|item| self.refers(item, at)),
            Object::Dictionary(dictionary) => dictionary.iter().for_each(|(_, value)| self.refers(value, at)),
            Object::Stream(stream) => stream.dictionary.iter().for_each(|(_, value)| self.refers(value, at)),
            _ => {}
        }
    }
}

/// Whether two values are written alike, but for the notation of strings.
fn same_values(old: Option<&Object<'_>>, new: Option<&Object<'_>>) -> bool {
    match (old, new) {
        (Some(Object::String(old)), Some(Object::String(new))) => old.means(new),
        (Some(Object::Array(old)), Some(Object::Array(new))) => {
            old.len() == new.len() && old.iter().zip(new.iter()).all(|(old, new)| same_values(Some(old), Some(new)))
        }
        (Some(Object::Dictionary(old)), Some(Object::Dictionary(new))) => {
            old.len() == new.len() && old.iter().all(|(key, value)| same_values(Some(value), new.get(key)))
        }
        _ => old == new,
    }
}
