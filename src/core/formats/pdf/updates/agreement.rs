//! One update held against its own cross-references, and against what readers make of it.

use super::FLAWS;
use super::update::{self, Flaw, HIGHEST, Update};
use crate::formats::pdf::characters::is_space;
use crate::formats::pdf::error::PdfError;
use crate::formats::pdf::lexer::Lexer;
use crate::formats::pdf::object::{Dictionary, Object, Reference};
use crate::formats::pdf::objects::ObjectStream;
use crate::formats::pdf::revision::Revision;
use crate::formats::pdf::xref::{Entry, Row, Section};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// An update, and what a reader that follows its cross-references finds.
pub(super) struct Agreement<'a, 'f, 'r> {
    last: &'r Revision<'a, 'f>,
    update: Update<'a>,
    /// How many sections of the file are newer.
    newer_sections: usize,
    flaws: Vec<Flaw>,
}

impl<'a, 'f, 'r> Agreement<'a, 'f, 'r> {
    /// Prepares to check an update that has so many newer sections after it.
    pub fn new(last: &'r Revision<'a, 'f>, update: Update<'a>, newer_sections: usize) -> Self {
        Self { last, update, newer_sections, flaws: Vec::new() }
    }

    fn flaw(&mut self, at: usize, what: impl Into<String>) {
        if self.flaws.len() < FLAWS {
            self.flaws.push(Flaw::new(at, what));
        }
    }

    /// Returns the flaws of the update. `before` is the `startxref` of the revision before it.
    pub fn check(mut self, before: Option<u64>) -> Result<Vec<Flaw>, PdfError> {
        let start = self.update.section.start;
        if !self.stands_at(self.update.start_xref, start) {
            self.flaw(start, "startxref names another byte than that of the cross-references before it");
        }
        let sections = self.last.file().sections();
        match sections.get(self.newer_sections) {
            Some(section)
                if self.last.file().place(self.update.start_xref).is_some_and(|at| at as u64 == section.offset) => {}
            _ => self.flaw(start, "cross-references that are not those of this update in their order"),
        }
        self.check_trailer(before, sections.get(self.newer_sections + 1));
        self.check_size();
        let rows = self.rows();
        self.check_hybrid(&rows)?;
        self.check_objects(&rows);
        self.check_rows(&rows)?;
        self.check_references();
        self.flaws.append(&mut self.update.flaws);
        Ok(self.flaws)
    }

    /// Returns whether a stated offset is `start`. White space between the two is tolerated, because every reader skips
    /// it.
    fn stands_at(&self, stated: u64, start: usize) -> bool {
        let data = self.last.data();
        let blank =
            |from: usize| data.get(from..start).is_some_and(|gap| gap.len() < 8 && gap.iter().all(|&o| is_space(o)));
        self.last.file().place(stated).is_some_and(blank)
    }

    /// Compares the trailer with the one before.
    fn check_trailer(&mut self, before: Option<u64>, previous: Option<&Rc<Section<'a>>>) {
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
            if !is_same(old, new) {
                self.flaw(start, format!("/{} of the trailer changed", String::from_utf8_lossy(key)));
            }
        }
        let encrypted = trailer.get(b"Encrypt").is_some();
        let first = |trailer: &Dictionary<'a>| match trailer.get(b"ID").map(|id| self.last.resolve(id)) {
            Some(Object::Array(items)) => items.first().cloned(),
            _ => None,
        };
        if encrypted && !is_same(first(&previous.trailer).as_ref(), first(&trailer).as_ref()) {
            self.flaw(start, "/ID of the trailer changed, by which the file is decrypted");
        }
        if let Some(Object::Reference(reference)) = trailer.get(b"Encrypt") {
            let entry = |newer| self.last.file().entry(reference.number, newer);
            if entry(self.newer_sections) != entry(self.newer_sections + 1) {
                self.flaw(start, "/Encrypt of the trailer changed");
            }
        }
    }

    /// Checks that the stream of a hybrid section (§7.5.8.4), which only some readers read, has no entries of its own.
    fn check_hybrid(&mut self, rows: &HashMap<u64, Row>) -> Result<(), PdfError> {
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

    /// Checks that every object number is below `/Size`. That of the last update counts all objects, that of another one
    /// those of the update alone.
    fn check_size(&mut self) {
        let size = match self.update.section.trailer.get(b"Size") {
            Some(Object::Integer(size)) => u64::try_from(*size).unwrap_or(0),
            _ => 0,
        };
        let rows = &self.update.section.rows;
        let own = rows.iter().filter(|(_, row)| row.kind != 0).map(|(number, _)| *number).max();
        let older =
            self.last.file().sections().iter().skip(self.newer_sections + 1).filter(|_| self.newer_sections == 0);
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

    /// Returns the rows by object number.
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

    /// Checks that each object of the update has a row that says where it is.
    fn check_objects(&mut self, rows: &HashMap<u64, Row>) {
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
            // An entry as a free object is tolerated: no reader asks for it by its number.
            && row.kind != 0
            && !self.names(row, id, section.start)
        {
            self.flaw(section.start, "the cross-references name themselves elsewhere");
        }
    }

    /// Returns whether an object that was in use keeps its generation, or has the next one, as where it was deleted and its
    /// number taken for another one in the same update (§7.5.4). References to the former refer to nothing then.
    fn keeps_generation(&self, id: Reference) -> bool {
        let file = self.last.file();
        let used = file.generation(id.number, self.newer_sections + 1);
        used.is_none_or(|used| (used..=used + 1).contains(&id.generation.into()))
    }

    /// Returns whether a row says that object `id` stands at `start`.
    fn names(&self, row: &Row, id: Reference, start: usize) -> bool {
        row.kind == 1 && row.last == u64::from(id.generation) && self.stands_at(row.middle, start)
    }

    /// Checks that each row names an object of the update, or repeats an earlier entry.
    fn check_rows(&mut self, rows: &HashMap<u64, Row>) -> Result<(), PdfError> {
        let mut own: HashSet<u64> = self.update.objects.iter().map(|object| object.id.number.into()).collect();
        own.extend(self.update.section.stream.map(|id| u64::from(id.number)));
        let mut object_streams = HashMap::new();
        for place in 0..self.update.section.rows.len() {
            let (number, row) = self.update.section.rows[place];
            if row.kind == 0 || own.contains(&number) {
                continue;
            }
            let known = u32::try_from(number).ok();
            let before = known.and_then(|number| self.last.file().entry(number, self.newer_sections + 1));
            let good = match (before, row.kind) {
                (Some(Entry::Offset(offset)), 1) => {
                    let generation =
                        known.and_then(|number| self.last.file().generation(number, self.newer_sections + 1));
                    offset == row.middle && generation == Some(row.last)
                }
                (Some(Entry::Compressed { stream, index }), 2)
                    if u64::from(stream) == row.middle && u64::from(index) == row.last =>
                {
                    !rows.contains_key(&row.middle) || self.is_compressed(number, row, &mut object_streams)?
                }
                (_, 2) => {
                    // One in an object stream has generation 0.
                    known.is_some_and(|number| self.keeps_generation(Reference { number, generation: 0 }))
                        && self.is_compressed(number, row, &mut object_streams)?
                }
                _ => false,
            };
            // Readers that took the other entry before see another object now.
            let is_ambiguous =
                known.is_some_and(|number| self.last.file().is_ambiguous(number, self.newer_sections + 1));
            if !good || is_ambiguous {
                self.flaw(self.update.section.start, format!("object {number} is not where the cross-references say"));
            }
        }
        Ok(())
    }

    /// Returns whether an object stands in its object stream where the row says, and nowhere else in it.
    fn is_compressed(
        &mut self,
        number: u64,
        row: Row,
        object_streams: &mut HashMap<u64, Option<Rc<ObjectStream<'a>>>>,
    ) -> Result<bool, PdfError> {
        let object_stream = match object_streams.get(&row.middle) {
            Some(known) => known.clone(),
            None => {
                let found = self.object_stream(row.middle);
                object_streams.insert(row.middle, found.clone());
                found
            }
        };
        let Some(object_stream) = object_stream else { return Ok(false) };
        let at = usize::try_from(row.last).ok().and_then(|index| object_stream.index.get(index));
        let Some(&(_, at)) = at.filter(|(found, _)| u64::from(*found) == number) else { return Ok(false) };
        let mut lexer = Lexer::new(&object_stream.data, at, self.last.limits().nesting);
        let read = lexer.object();
        self.last.limits().read(lexer.position().saturating_sub(at))?;
        if lexer.deviation().is_some() || read.is_err() {
            self.flaw(self.update.section.start, format!("readers read object {number} differently"));
        }
        if let Ok(object) = read {
            self.check_references_in(&object, self.update.section.start);
        }
        Ok(true)
    }

    /// Returns an object stream, if every reader finds the same objects in it.
    fn object_stream(&self, number: u64) -> Option<Rc<ObjectStream<'a>>> {
        let number = u32::try_from(number).ok()?;
        let Some(Entry::Offset(offset)) = self.last.file().entry(number, self.newer_sections) else { return None };
        self.last.object_stream(number, offset).filter(|object_stream| object_stream.is_well_formed())
    }

    /// Checks that references name the generation that their object has.
    fn check_references(&mut self) {
        let objects = std::mem::take(&mut self.update.objects);
        objects.iter().for_each(|appended| self.check_references_in(&appended.object, appended.start));
        let trailer = self.update.section.trailer.clone();
        trailer.iter().for_each(|(_, value)| self.check_references_in(value, self.update.section.start));
        self.update.objects = objects;
    }

    fn check_references_in(&mut self, object: &Object<'_>, at: usize) {
        match object {
            Object::Reference(Reference { number, generation }) => {
                let used = self.last.file().generation(*number, self.newer_sections);
                if used.is_some_and(|used| used != u64::from(*generation)) {
                    self.flaw(
                        at,
                        format!("a reference to {number} {generation}, where {number} has another generation"),
                    );
                }
            }
            Object::Array(items) => items.iter().for_each(|item| self.check_references_in(item, at)),
            Object::Dictionary(dictionary) => {
                dictionary.iter().for_each(|(_, value)| self.check_references_in(value, at))
            }
            Object::Stream(stream) => {
                stream.dictionary.iter().for_each(|(_, value)| self.check_references_in(value, at))
            }
            _ => {}
        }
    }
}

/// Returns whether two values are the same, whatever the notation of strings.
fn is_same(old: Option<&Object<'_>>, new: Option<&Object<'_>>) -> bool {
    match (old, new) {
        (Some(Object::String(old)), Some(Object::String(new))) => old.means(new),
        (Some(Object::Array(old)), Some(Object::Array(new))) => {
            old.len() == new.len() && old.iter().zip(new.iter()).all(|(old, new)| is_same(Some(old), Some(new)))
        }
        (Some(Object::Dictionary(old)), Some(Object::Dictionary(new))) => {
            old.len() == new.len() && old.iter().all(|(key, value)| is_same(Some(value), new.get(key)))
        }
        _ => old == new,
    }
}
