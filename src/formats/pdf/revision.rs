//! The document as it stands when reading stops at some octet: what its objects and their values are.
//!
//! Objects are looked up by number. The generation of a reference is for the comparison of revisions; viewers read the
//! object whatever it is.

use super::bounds::Bounds;
use super::file::File;
use super::index::{Location, location};
use super::object::{Dictionary, Object, Reference};
use super::xref::{Entry, Section};
use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// References followed before a chain of references is taken for a circle.
const REFERENCE_CHAIN: usize = 32;

/// The document as it stands when reading stops at [`end`](Self::end).
pub struct Revision<'a, 'f> {
    pub(super) file: &'f File<'a>,
    pub(super) end: usize,
    /// From the newest to the oldest.
    pub(super) sections: Vec<Rc<Section<'a>>>,
    /// How many sections the whole file has that are newer, where the rest are these.
    pub(super) newer: Option<usize>,
    pub(super) rescued: OnceCell<Section<'a>>,
    pub(super) repaired: Cell<bool>,
    /// Set while searching, so that a search never starts another.
    pub(super) searching: Cell<bool>,
}

impl<'a, 'f> Revision<'a, 'f> {
    pub(super) fn new(file: &'f File<'a>, end: usize, sections: Vec<Rc<Section<'a>>>, newer: Option<usize>) -> Self {
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
        &self.file.data()[..self.end]
    }

    /// What reading the file may cost, and has cost.
    pub(super) fn bounds(&self) -> &'f Bounds {
        self.file.bounds()
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
        match (self.newer, self.file.index.get()) {
            (Some(newer), Some(index)) => index.entry(number, newer),
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
        let standing = |number| self.file.index.get()?.standing(number, self.newer?);
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
}
