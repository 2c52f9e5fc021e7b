//! A revision: the document as it stands when the file ends at some byte, with its objects and their values.
//!
//! Objects are looked up by number. The generation of a reference is for the comparison of revisions; viewers read the
//! object whatever it is.

use super::file::File;
use super::limits::Limits;
use super::object::{Dictionary, Object, Reference};
use super::page_content::Drawn;
use super::text;
use super::xref::{Entry, Section};
use super::xref_index::{Location, location};
use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// Bounds a chain of references; a longer one is taken for a circle.
const REFERENCE_CHAIN: usize = 32;

/// The document as it stands when reading stops at [`end`](Self::end).
pub struct Revision<'a, 'f> {
    pub(super) file: &'f File<'a>,
    pub(super) end: usize,
    /// From the newest to the oldest.
    pub(super) sections: Vec<Rc<Section<'a>>>,
    /// How many sections the whole file has beyond these, where these are its oldest ones.
    pub(super) newer_sections: Option<usize>,
    pub(super) recovery: Recovery<'a>,
    pub(super) repaired: Cell<bool>,
    pub(super) drawn: Drawn,
}

/// What becomes of objects that are not where the cross-references say.
pub(super) enum Recovery<'a> {
    /// They are missing.
    Off,
    /// The file is searched for them once, by a revision whose recovery is off; `None` where a limit forbids it.
    BySearch(OnceCell<Option<Section<'a>>>),
}

impl<'a, 'f> Revision<'a, 'f> {
    pub(super) fn new(
        file: &'f File<'a>,
        end: usize,
        sections: Vec<Rc<Section<'a>>>,
        newer_sections: Option<usize>,
    ) -> Self {
        Self {
            file,
            end,
            sections,
            newer_sections,
            recovery: Recovery::BySearch(OnceCell::new()),
            repaired: Cell::new(false),
            drawn: Drawn::default(),
        }
    }

    /// Returns the same revision, to which objects that are not where the cross-references say are missing.
    pub(super) fn without_recovery(&self) -> Self {
        let plain = Self::new(self.file, self.end, self.sections.clone(), self.newer_sections);
        Self { recovery: Recovery::Off, ..plain }
    }

    /// Returns how many cross-reference sections the whole file has beyond those of this revision, if these are the oldest
    /// of the file.
    pub(super) fn newer_sections(&self) -> Option<usize> {
        self.newer_sections
    }

    /// Returns the file of which it is a revision.
    pub fn file(&self) -> &'f File<'a> {
        self.file
    }

    /// Returns the byte where it ends.
    pub fn end(&self) -> usize {
        self.end
    }

    /// Returns the bytes up to its end.
    pub(super) fn data(&self) -> &'a [u8] {
        &self.file.data()[..self.end]
    }

    /// Returns what reading the file may cost, and has cost.
    pub(super) fn limits(&self) -> &'f Limits {
        self.file.limits()
    }

    /// Returns whether objects had to be searched for, or the ends of streams.
    pub fn repaired(&self) -> bool {
        self.repaired.get()
    }

    /// Returns its cross-reference sections, from the newest to the oldest.
    pub fn sections(&self) -> &[Rc<Section<'a>>] {
        &self.sections
    }

    /// Returns a value of the trailer, of the newest section that has it.
    pub fn trailer(&self, key: &[u8]) -> Object<'a> {
        self.sections.iter().find_map(|section| section.trailer.get(key)).map_or(Object::Null, |o| self.resolve(o))
    }

    /// Returns `/Encrypt` of the newest trailer: readers do not look for it in older ones (ISO 32000-1 §7.5.5, table 15).
    pub(super) fn encryption(&self) -> Object<'a> {
        let newest = self.sections.first().and_then(|section| section.trailer.get(b"Encrypt"));
        newest.map_or(Object::Null, |encryption| self.resolve(encryption))
    }

    /// Returns the document catalog: ISO 32000-1 §7.7.2.
    pub fn catalog(&self) -> Option<Rc<Dictionary<'a>>> {
        match self.trailer(b"Root") {
            Object::Dictionary(catalog) if catalog.get(b"Pages").is_some() || catalog.get(b"Type").is_some() => {
                Some(catalog)
            }
            _ => None,
        }
    }

    /// Returns the cross-reference entry of an object.
    pub fn entry(&self, number: u32) -> Option<Entry> {
        match (self.newer_sections, self.file.index.get()) {
            (Some(newer), Some(index)) => index.entry(number, newer),
            _ => self.sections.iter().find_map(|section| section.entry(number)),
        }
    }

    /// Returns the section that has the entry of an object.
    fn section(&self, number: u32) -> Option<&Section<'a>> {
        match (self.newer_sections, self.file.index.get()) {
            (Some(newer), Some(index)) => index.section(number, newer),
            _ => self.sections.iter().find(|section| section.entry(number).is_some()).map(|section| &**section),
        }
    }

    /// Returns the generation that the cross-references state for an object.
    pub(super) fn stated_generation(&self, number: u32) -> u64 {
        self.section(number).map_or(0, |section| section.generation(number))
    }

    /// Returns whether the section that has the entry of an object has another one of it: readers differ in which they take.
    pub(super) fn is_ambiguous(&self, number: u32) -> bool {
        self.section(number).is_some_and(|section| section.is_ambiguous(number))
    }

    /// Returns the reference to an object as it is in use: with the generation that the cross-references state.
    #[cfg(feature = "signing")]
    pub(super) fn in_use(&self, number: u32) -> Reference {
        let generation = self.file.generation(number, self.newer_sections.unwrap_or(0)).unwrap_or(0);
        Reference { number, generation: u16::try_from(generation).unwrap_or(0) }
    }

    /// Returns the object numbers of the object streams that its cross-references name, each with the oldest section that
    /// does.
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

    /// Returns where an object is; `None` where there is none.
    pub fn location(&self, number: u32) -> Option<Location> {
        location(number, |number| self.entry(number))
    }

    /// Returns where an object is, and all revisions in which it is there: a range of newer sections.
    pub(super) fn location_and_revisions(&self, number: u32) -> Option<(Location, Range<usize>)> {
        let location = self.location(number)?;
        let entry = |number| self.file.index.get()?.entry_and_revisions(number, self.newer_sections?);
        let revisions = match entry(number) {
            Some((Entry::Compressed { stream, .. }, own)) => {
                entry(stream).map(|(_, its)| own.start.max(its.start)..own.end.min(its.end))
            }
            Some((_, own)) => Some(own),
            None => None,
        };
        Some((location, revisions.unwrap_or_default()))
    }

    /// Returns the object to which `object` refers, or itself where it is no reference.
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

    /// Returns the value of `key` of `dictionary`, resolved; null where there is none.
    pub fn lookup(&self, dictionary: &Dictionary<'a>, key: &[u8]) -> Object<'a> {
        dictionary.get(key).map_or(Object::Null, |object| self.resolve(object))
    }

    /// Returns the value of `key` of `dictionary`, resolved, if it is a dictionary.
    pub fn dictionary(&self, dictionary: &Dictionary<'a>, key: &[u8]) -> Option<Rc<Dictionary<'a>>> {
        match self.lookup(dictionary, key) {
            Object::Dictionary(found) => Some(found),
            _ => None,
        }
    }

    /// Returns the value of `key` of `dictionary`, resolved, if it is an array.
    pub fn array(&self, dictionary: &Dictionary<'a>, key: &[u8]) -> Option<Rc<[Object<'a>]>> {
        match self.lookup(dictionary, key) {
            Object::Array(found) => Some(found),
            _ => None,
        }
    }

    /// Returns the text that `object`, or what it refers to, is; `None` where it is no string.
    pub(super) fn text(&self, object: &Object<'a>) -> Option<String> {
        let object = self.resolve(object);
        self.limits().text(object.string()?.written().len()).ok()?;
        text::text(&object)
    }

    /// Returns the text that the value of `key` of `dictionary` is.
    pub(super) fn text_of(&self, dictionary: &Dictionary<'a>, key: &[u8]) -> Option<String> {
        self.text(dictionary.get(key)?)
    }

    /// Returns an indirect object; null where there is none (ISO 32000-1 §7.3.10).
    pub fn get(&self, reference: Reference) -> Object<'a> {
        self.read(reference.number).unwrap_or(Object::Null)
    }
}
