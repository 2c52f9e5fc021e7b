//! Whether what was appended after a revision is the same document to every reader: ISO 32000-1 §7.5.6.
//!
//! Octets after a revision are well-formed [updates](super::update), the last `startxref` is that of the last one, and
//! each update agrees with its own cross-references: its objects stand where these say, under the number and generation
//! that these say, and what comes before is what `/Prev` names. Whatever else is there is a flaw, which says where.

use super::error::PdfError;
use super::lexer::{Lexer, is_space};
use super::object::{Dictionary, Object, Reference};
use super::revision::Revision;
use super::update::{self, Flaw, Stop, Update};
use super::xref::{Entry, Row, Section};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Octets at the end of a file among which readers look for the last `startxref`: ISO 32000-1 annex H.3.18.
const TAIL: usize = 1024;

/// Flaws named: one is enough.
const FLAWS: usize = 20;

/// The highest number of an object that every reader counts to. Some take a file with others for a broken one, and
/// search it for objects; others count on from zero. NOTE: ISO 32000-1 annex C.2 has twice as many; PDFium has these.
const HIGHEST: u64 = 4_194_304;

/// Octets among which the dictionary of a linearized file stands: ISO 32000-1 annex F.3.3.
const HEAD: usize = 1024;

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
        if linearized_length(data).is_some_and(|length| u64::try_from(data.len()) == Ok(length)) {
            found
                .push(Flaw::new(end, "with it the file is as long as a linearized file says, which it was not before"));
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
            let shift = if before.is_some_and(|before| section_at(data, before)) { 0 } else { last.file().header() };
            let agreement = Agreement { last, update, newer: count - 1 - rank, shift, flaws: Vec::new() };
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

/// Whether cross-references start at an octet.
fn section_at(data: &[u8], offset: u64) -> bool {
    let Ok(at) = usize::try_from(offset) else { return false };
    let mut lexer = Lexer::new(data, at, 0);
    lexer.keyword(b"xref") || lexer.header().is_some()
}

/// The length that a linearized file says it has: annex F.3.3. Readers that find it right begin with its first page.
fn linearized_length(data: &[u8]) -> Option<u64> {
    let head = &data[..data.len().min(HEAD)];
    let key = memchr::memmem::find(head, b"/Linearized")?;
    let start = memchr::memmem::rfind(&head[..key], b"<<")?;
    match Lexer::new(data, start, 8).object() {
        Ok(Object::Dictionary(dictionary)) => u64::try_from(dictionary.get(b"L")?.integer()?).ok(),
        _ => None,
    }
}

/// An update beside what readers have of it.
struct Agreement<'a, 'f, 'r> {
    last: &'r Revision<'a, 'f>,
    update: Update<'a>,
    /// How many sections of the file are newer.
    newer: usize,
    /// What is added to offsets, where those of the revisions before count from the header.
    shift: usize,
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
            Some(section) if section.offset == self.update.start_xref.saturating_add(self.shift as u64) => {}
            _ => self.flaw(start, "cross-references that are not those of this update in their order"),
        }
        self.links(before, sections.get(self.newer + 1));
        self.numbers();
        let rows = self.rows();
        self.hidden(&rows)?;
        self.registered(&rows);
        self.in_place(&rows)?;
        self.references();
        self.flaws.append(&mut self.update.flaws);
        Ok(self.flaws)
    }

    /// Whether a stated offset is that of what starts at `start`. Tolerated: white space between, which every reader
    /// skips; and offsets that count from the header where those of the revisions before do.
    fn stands_at(&self, stated: u64, start: usize) -> bool {
        let data = self.last.data();
        let blank =
            |from: usize| data.get(from..start).is_some_and(|gap| gap.len() < 8 && gap.iter().all(|&o| is_space(o)));
        usize::try_from(stated).ok().and_then(|stated| stated.checked_add(self.shift)).is_some_and(blank)
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

    /// A hybrid section's stream (§7.5.8.4), into which some readers look and some do not, says nothing of its own.
    fn hidden(&mut self, rows: &HashMap<u64, Row>) -> Result<(), PdfError> {
        let trailer = &self.update.section.trailer;
        let Some(stated) = trailer.get(b"XRefStm") else { return Ok(()) };
        let offset = stated.integer().and_then(|offset| u64::try_from(offset).ok());
        let object = offset.and_then(|offset| {
            self.update.objects.iter().find(|object| self.stands_at(offset, object.start)).map(|object| &object.object)
        });
        let agrees = match object {
            Some(Object::Stream(stream)) => {
                let before = stream.dictionary.get(b"Prev");
                let own = update::rows(self.last, stream, offset.unwrap_or_default())?.unwrap_or_default();
                !own.is_empty()
                    && before.is_none_or(|before| Some(before) == trailer.get(b"Prev"))
                    && own.iter().all(|(number, row)| rows.get(number).is_some_and(|known| known == row))
            }
            _ => false,
        };
        if !agrees {
            self.flaw(self.update.section.start, "a cross-reference stream (/XRefStm) that says other than the table");
        }
        Ok(())
    }

    /// Every number is below `/Size`. That of the last update is for all objects; before, for those of the update alone.
    fn numbers(&mut self) {
        let size = match self.update.section.trailer.get(b"Size") {
            Some(Object::Integer(size)) => u64::try_from(*size).unwrap_or(0),
            _ => 0,
        };
        let rows = &self.update.section.rows;
        let own = rows.iter().filter(|(_, row)| row.kind != 0).map(|(number, _)| *number).max();
        let older = self.last.file().sections().iter().skip(self.newer + 1).filter(|_| self.newer == 0);
        let used = |section: &Rc<Section<'a>>| {
            let mut entries = section.entries().iter().rev();
            entries.find(|(_, entry)| *entry != Entry::Free).map(|(number, _)| u64::from(*number))
        };
        let start = self.update.section.start;
        let counted = size.max(rows.iter().map(|(number, _)| *number).max().unwrap_or(0));
        if older.filter_map(used).chain(own).max().is_some_and(|highest| highest >= size) {
            self.flaw(start, "/Size is not above the numbers of all objects");
        }
        if counted > HIGHEST {
            self.flaw(start, "more objects than every reader counts");
        }
    }

    /// The rows by number.
    fn rows(&mut self) -> HashMap<u64, Row> {
        let mut rows = HashMap::with_capacity(self.update.section.rows.len());
        let mut twice = None;
        for (number, row) in &self.update.section.rows {
            if rows.insert(*number, *row).is_some() || row.kind > 2 || *number == 0 && row.kind != 0 {
                twice = Some(*number);
            }
        }
        if let Some(number) = twice {
            self.flaw(
                self.update.section.start,
                format!("object {number} is cross-referenced twice, or in no known way"),
            );
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
            if !self.keeps_generation(id) {
                self.flaw(start, format!("object {} {} was of another generation", id.number, id.generation));
            }
        }
        let section = &self.update.section;
        if let Some((id, row)) = section.stream.and_then(|id| Some((id, rows.get(&id.number.into())?)))
            // Tolerated: it is free. No reader asks for it by its number.
            && row.kind != 0
            && !self.names(row, id, section.start)
        {
            self.flaw(section.start, "the cross-references name themselves elsewhere");
        }
    }

    /// Whether an object that was in use keeps its generation. §7.5.4: only one that was free has another; readers do not
    /// find it by the references that there are.
    fn keeps_generation(&self, id: Reference) -> bool {
        let file = self.last.file();
        let used = file.entry(id.number, self.newer + 1).is_some_and(|entry| entry != Entry::Free);
        !used || file.generation(id.number, self.newer + 1) == u64::from(id.generation)
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
                (_, 2) => {
                    // One in an object stream has generation 0.
                    known.is_some_and(|number| self.keeps_generation(Reference { number, generation: 0 }))
                        && self.compressed(number, row, &mut containers)?
                }
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
        containers: &mut HashMap<u64, Option<Rc<super::objects::ObjectStream>>>,
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
    fn container(&self, number: u64) -> Option<Rc<super::objects::ObjectStream>> {
        let number = u32::try_from(number).ok()?;
        let Some(Entry::Offset(offset)) = self.last.file().entry(number, self.newer) else { return None };
        let container = self.last.object_stream(number, usize::try_from(offset).ok()?)?;
        let mut numbers = HashSet::with_capacity(container.index.len());
        let own = container.whole && container.index.iter().all(|(number, _)| numbers.insert(*number));
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
                    self.flaw(
                        at,
                        format!("a reference to {number} {generation}, where {number} has another generation"),
                    );
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::formats::pdf::File;

    /// A well-formed update of [`signed`]. Runs of a capital letter stand for offsets: of `4 0 obj`, of the
    /// cross-references, of those before, and of object 2 in the revision before.
    const UPDATE: &str = "4 0 obj\n<</Length 5/A 2 0 R>>\nstream\nother\nendstream\nendobj\nxref\n4 1\nOOOOOOOOOO 00000 n \n\
        trailer\n<</Size 6/Root 1 0 R/Prev PPPPPPPPPP>>\nstartxref\nXXXXXXXXXX\n%%EOF\n";

    /// A revision, and where its cross-references stand.
    fn signed() -> (Vec<u8>, usize) {
        signed_after("%PDF-1.7\n", 0)
    }

    /// The same with a header, and offsets that are so much lower.
    fn signed_after(header: &str, shift: usize) -> (Vec<u8>, usize) {
        let mut octets = header.as_bytes().to_vec();
        let mut table = "xref\n0 1\n0000000000 65535 f \n".to_string();
        for (number, object) in [
            (1, "<</Type/Catalog/Pages 2 0 R>>"),
            (2, "<</Kids[3 0 R]/Count 1>>"),
            (3, "<</Type/Page/Contents 4 0 R>>"),
            (4, "<</Length 3>>\nstream\nabc\nendstream"),
        ] {
            table += &format!("{number} 1\n{:010} 00000 n \n", octets.len() - shift);
            octets.extend(format!("{number} 0 obj\n{object}\nendobj\n").bytes());
        }
        let start = octets.len() - shift;
        octets.extend(format!("{table}trailer\n<</Size 5/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n").bytes());
        (octets, start)
    }

    #[test]
    fn another_generation() {
        let all = UPDATE.replacen("4 0 obj", "4 1 obj", 1).replacen("00000 n", "00001 n", 1);
        let (octets, end) = updated(&all.replacen("OOOOOOOOOO", "GGGGGGGGGG", 1));
        let at = format!("{:010}", place(&octets, end, "4 1 obj"));
        let octets = String::from_utf8(octets).expect("ASCII").replacen("GGGGGGGGGG", &at, 1).into_bytes();
        let flaws = found(&octets, end);
        assert_eq!(flaws.len(), 1, "7.5.4: {flaws:?}");
        assert!(flaws[0].what.contains("object 4 1 was of another generation"), "7.5.4: {flaws:?}");
    }

    /// The flaws of what follows the first `end` octets.
    fn found(octets: &[u8], end: usize) -> Vec<Flaw> {
        let file = File::new(octets, &Budget::default()).expect("a PDF");
        let last = file.open(None).expect("a revision");
        Appended::default().flaws(&last, end).expect("within the bounds")
    }

    fn place(octets: &[u8], from: usize, of: &str) -> usize {
        from + memchr::memmem::find(&octets[from..], of.as_bytes()).unwrap_or_default()
    }

    /// `update` after the signed revision, its offsets filled in, and where it begins.
    fn updated(update: &str) -> (Vec<u8>, usize) {
        let (mut octets, start) = signed();
        let end = octets.len();
        octets.extend(update.bytes());
        let offsets = [
            ("OOOOOOOOOO", place(&octets, end, "4 0 obj")),
            ("XXXXXXXXXX", place(&octets, end, "xref\n")),
            ("PPPPPPPPPP", start),
            ("QQQQQQQQQQ", place(&octets, 0, "2 0 obj")),
        ];
        let mut text = update.to_string();
        for (letters, offset) in offsets {
            text = text.replace(letters, &format!("{offset:010}"));
        }
        octets.truncate(end);
        octets.extend(text.bytes());
        (octets, end)
    }

    #[test]
    fn one_update() {
        let rows: &[(&str, &str, &str, &str, &str)] = &[
            ("7.5.6", "as it should be", "", "", ""),
            ("7.2.4", "the producer's name before startxref", "startxref", "%Producer 1.0\nstartxref", ""),
            ("7.5.5", "line ends after it", "%%EOF\n", "%%EOF\r\n\r\n", ""),
            ("7.5.4", "the row of an old object again", "xref\n", "xref\n2 1\nQQQQQQQQQQ 00000 n \n", ""),
            ("7.5.6", "white space before its objects", "4 0 obj", "\r\n\n4 0 obj", ""),
            ("7.5.4", "an object that is deleted", "xref\n", "xref\n3 1\n0000000000 00001 f \n", ""),
            ("7.5.5", "a comment behind startxref", "startxref\n", "startxref%\n", "no startxref"),
            ("7.5.5", "a comment before the number", "startxref\n", "startxref\n%\n", "no startxref"),
            ("7.5.5", "another startxref", "%%EOF\n", "%%EOF\nstartxref\nPPPPPPPPPP\n", "no part of an update"),
            (
                "7.5.5",
                "another startxref with its mark",
                "%%EOF\n",
                "%%EOF\nstartxref\n0\n%%EOF\n",
                "no part of an update",
            ),
            ("7.5.5", "startxref in a comment", "%%EOF\n", "%%EOF\n% startxref PPPPPPPPPP\n", "a comment"),
            ("7.5.5", "startxref in a longer word", "%%EOF\n", "%%EOF\nxstartxrefy 9\n%%EOF\n", "no part of an update"),
            ("7.5.5", "startxref in a string", "%%EOF\n", "%%EOF\n(startxref 9)\n%%EOF\n", "no part of an update"),
            ("7.5.6", "an object behind", "%%EOF\n", "%%EOF\n4 0 obj null endobj\n", "no part of an update"),
            ("7.5.6", "an object that is nowhere listed", "xref\n", "5 0 obj null endobj\nxref\n", "object 5 0 is not"),
            ("7.5.6", "an object twice", "xref\n4", "4 0 obj null endobj\nxref\n4", "object 4 0 is not"),
            ("7.5.4", "a row of another generation", "00000 n", "00001 n", "object 4 0 is not"),
            ("7.5.4", "a row of another place", "OOOOOOOOOO", "QQQQQQQQQQ", "object 4 0 is not"),
            ("7.5.4", "a row without object", "4 1\n", "5 1\n0000000099 00000 n \n4 1\n", "object 5 is not where"),
            (
                "7.5.4",
                "a number twice",
                "4 1\n",
                "4 1\nQQQQQQQQQQ 00000 n \n4 1\n",
                "object 4 is cross-referenced twice",
            ),
            ("7.5.4", "a row of 19 octets", " n \n", " n\n", "no row"),
            ("7.5.5", "/Size too small for what is new", "/Size 6", "/Size 4", "/Size"),
            ("7.5.5", "/Size too small for what is old", "/Size 6", "/Size 3", "/Size"),
            ("7.3.7", "/Prev twice", "/Prev", "/Prev 0/Prev", "readers differ"),
            ("C.2", "/Size above what readers count to", "/Size 6", "/Size 99999999", "more objects"),
            ("7.5.4", "a number that is 4 for who counts to 2^32", "4 1\n", "4294967300 1\n", "more objects"),
            ("7.5.4", "number zero in use", "4 1\n", "0 1\nQQQQQQQQQQ 00000 n \n4 1\n", "object 0 is"),
            ("7.3.10", "a reference to 4 for who counts to 2^32", "/A 2 0 R", "/A 4294967300 0 R", "readers differ"),
            ("7.5.5", "/Prev somewhere else", "PPPPPPPPPP", "0", "/Prev"),
            ("7.5.5", "/Prev missing", "/Prev PPPPPPPPPP", "", "/Prev"),
            ("7.5.8.4", "a stream that is none", "/Prev", "/XRefStm 9/Prev", "/XRefStm"),
            ("7.5.5", "another catalog", "/Root 1", "/Root 3", "/Root"),
            ("7.6.1", "encryption that begins", "/Prev", "/Encrypt 4 0 R/Prev", "/Encrypt"),
            ("7.3.8.2", "a length that is too short", "/Length 5", "/Length 4", "a stream that does not end"),
            ("7.3.7", "a key twice", "/Length 5", "/Length 9/Length 5", "readers differ"),
            ("7.3.7", "a key twice, spelt in two ways", "/A 2 0 R", "/A 2 0 R/#41 3 0 R", "readers differ"),
            ("7.3.3", "a number that is none", "/A 2 0 R", "/A 1.2.3", "readers differ"),
            ("7.3.10", "a reference of another generation", "/A 2 0 R", "/A 2 1 R", "a reference to 2 1"),
            ("7.3.10", "an object that does not end", "endstream\nendobj", "endstream", "an object that does not end"),
        ];
        for (clause, situation, from, to, expected) in rows {
            let (octets, end) = updated(&UPDATE.replacen(from, to, usize::from(!from.is_empty())));
            let flaws = found(&octets, end);
            match *expected {
                "" => assert_eq!(flaws, [], "{clause}: {situation}"),
                text => assert!(flaws.iter().any(|flaw| flaw.what.contains(text)), "{clause}: {situation}: {flaws:?}"),
            }
        }
    }

    #[test]
    fn no_update() {
        for (clause, situation, rest, expected) in [
            ("7.5.5", "line ends", "\r\n\r\n".to_string(), 0),
            ("H.3.18", "more than readers look through", " ".repeat(TAIL), 1),
            ("H.3.18", "more than readers look through, in a comment", format!("%{}", "x".repeat(TAIL)), 1),
            ("7.5.6", "an object", "4 0 obj null endobj\n".into(), 1),
            ("7.5.6", "what is no object", "<html>".into(), 1),
        ] {
            let (mut octets, _) = signed();
            let end = octets.len();
            octets.extend(rest.bytes());
            assert_eq!(found(&octets, end).len(), expected, "{clause}: {situation}");
        }
    }

    #[test]
    fn other_beginnings() {
        let linearized = |length: usize| format!("%PDF-1.7\n9 0 obj<</Linearized 1/L {length:010}>>endobj\n");
        let length = updated(UPDATE).0.len() - "%PDF-1.7\n".len() + linearized(0).len();
        for (clause, situation, header, [before, shift], expected) in [
            ("7.5.2", "offsets that count from the first octet", "junk\n%PDF-1.7\n".to_string(), [0, 0], ""),
            (
                "7.5.2",
                "offsets of the update that count from the header",
                "junk\n%PDF-1.7\n".into(),
                [0, 5],
                "startxref names",
            ),
            ("7.5.2", "offsets of all that count from the header", "junk\n%PDF-1.7\n".into(), [5, 5], ""),
            ("F.3.3", "linearized, of another length", linearized(length + 1), [0, 0], ""),
            (
                "F.3.3",
                "linearized, as long as it says once it is updated",
                linearized(length),
                [0, 0],
                "with it the file is as long",
            ),
        ] {
            let (mut octets, start) = signed_after(&header, before);
            let end = octets.len();
            let at = end - shift;
            let table = end + place(UPDATE.as_bytes(), 0, "xref\n") - shift;
            let update = UPDATE.replace("OOOOOOOOOO", &format!("{at:010}"));
            let update =
                update.replace("XXXXXXXXXX", &format!("{table:010}")).replace("PPPPPPPPPP", &format!("{start:010}"));
            octets.extend(update.bytes());
            let flaws = found(&octets, end);
            match expected {
                "" => assert_eq!(flaws, [], "{clause}: {situation}"),
                text => assert!(flaws.iter().any(|flaw| flaw.what.contains(text)), "{clause}: {situation}: {flaws:?}"),
            }
        }
    }

    #[test]
    fn one_after_the_other() {
        let (first, end) = updated(UPDATE);
        let middle = first.len();
        let previous = place(&first, end, "xref\n");
        let second = |table: &str| {
            let mut octets = first.clone();
            let (at, start) = (octets.len(), octets.len() + 20);
            octets.extend(format!("5 0 obj null endobj\nxref\n5 1\n{at:010} 00000 n \n{table}").bytes());
            let trailer = format!("trailer\n<</Size 6/Root 1 0 R/Prev {previous}>>\nstartxref\n{start}\n%%EOF\n");
            octets.extend(trailer.bytes());
            octets
        };
        let good = second("");
        let bad = second("1 1\n0000000011 00000 n \n");
        let file = File::new(&bad, &Budget::default()).expect("a PDF");
        let last = file.open(None).expect("a revision");
        let mut appended = Appended::default();
        for (situation, octets, end, expected) in [
            ("two", &good, end, 0),
            ("the second", &good, middle, 0),
            ("two", &bad, end, 1),
            ("none", &bad, bad.len(), 0),
        ] {
            assert_eq!(found(octets, end).len(), expected, "7.5.6: {situation}");
            if octets == &bad {
                let flaws = appended.flaws(&last, end).expect("within the bounds");
                assert_eq!(flaws.len(), expected, "7.5.6: {situation}, with what is known");
            }
        }
        assert_eq!(appended.flaws(&last, middle).expect("within the bounds").len(), 1, "7.5.6: the second alone");
    }

    #[test]
    fn hybrid_sections() {
        for (situation, keys, table, hidden, flawed) in [
            ("the stream repeats the table", "", 0, 0, false),
            ("the stream has another place", "", 0, 9, true),
            ("the table has another place", "", 9, 0, true),
            ("the stream names other revisions", "/Prev 0", 0, 0, true),
        ] {
            let (mut octets, previous) = signed();
            let end = octets.len();
            octets.extend(b"4 0 obj null endobj\n");
            let stream = octets.len();
            let head = format!("6 0 obj\n<</Type/XRef/Size 8/W[1 2 1]/Index[4 1]/Length 4{keys}>>stream\n");
            octets.extend(head.bytes());
            let place = if hidden == 0 { end } else { hidden };
            octets.extend([1, (place >> 8) as u8, place as u8, 0]);
            octets.extend(b"\nendstream\nendobj\n");
            let (start, place) = (octets.len(), if table == 0 { end } else { table });
            let rows = format!("xref\n4 1\n{place:010} 00000 n \n6 1\n{stream:010} 00000 n \n");
            let links = format!("/Prev {previous}/XRefStm {stream}");
            let trailer = format!("trailer\n<</Size 8/Root 1 0 R{links}>>\nstartxref\n{start}\n%%EOF\n");
            octets.extend((rows + &trailer).bytes());
            let flaws = found(&octets, end);
            assert_eq!(!flaws.is_empty(), flawed, "7.5.8.4: {situation}: {flaws:?}");
        }
    }

    #[test]
    fn object_streams() {
        for (clause, situation, content, index, flawed) in [
            ("7.5.7", "as it should be", "3 0 5 5 null true", 0, false),
            ("7.5.8.3", "at the index of another object", "3 0 5 5 null true", 1, true),
            ("7.5.7", "the number twice", "3 0 3 5 null true", 0, true),
            ("7.5.7", "one object inside the other", "3 0 5 0 null true", 0, true),
            ("7.3.7", "an object that readers read differently", "3 0 5 5 <<>  true", 0, true),
        ] {
            let (mut octets, previous) = signed();
            let end = octets.len();
            let head = format!("6 0 obj\n<</Type/ObjStm/N 2/First 8/Length {}>>stream\n", content.len());
            octets.extend(format!("{head}{content}\nendstream\nendobj\n").bytes());
            let start = octets.len();
            let head = "/Type/XRef/Size 8/W[1 2 1]/Index[3 1 6 2]/Root 1 0 R/Length 12";
            octets.extend(format!("7 0 obj\n<<{head}/Prev {previous}>>stream\n").bytes());
            octets.extend([2, 0, 6, index]);
            for offset in [end, start] {
                octets.extend([1, (offset >> 8) as u8, offset as u8, 0]);
            }
            octets.extend(format!("\nendstream\nendobj\nstartxref\n{start}\n%%EOF\n").bytes());
            let flaws = found(&octets, end);
            assert_eq!(!flaws.is_empty(), flawed, "{clause}: {situation}: {flaws:?}");
        }
    }
}
