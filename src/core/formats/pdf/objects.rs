//! The objects of a file. Each is read once at its byte of the file or in its object stream, however many revisions are
//! looked at.

use super::crypt::Security;
use super::error::PdfError;
use super::filter::{is_usually_encoded, is_wrapped};
use super::lexer::Lexer;
use super::object::{Dictionary, Object, Reference};
use super::revision::Revision;
use super::string::PdfString;
use super::xref::Entry;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The objects of a file that were read.
#[derive(Default)]
pub(super) struct Objects<'a> {
    /// By their byte of the file.
    loaded: RefCell<HashMap<usize, Rc<Loaded<'a>>>>,
    /// The object streams, by the byte of the file where their bytes start.
    streams: RefCell<HashMap<usize, Rc<ObjectStream<'a>>>>,
}

impl Objects<'_> {
    /// Forgets objects that were read before the key to the file was known.
    pub fn forget(&self) {
        self.loaded.borrow_mut().clear();
        self.streams.borrow_mut().clear();
    }
}

/// An indirect object as it was read.
pub(super) struct Loaded<'a> {
    pub(super) id: Reference,
    pub(super) object: Object<'a>,
    /// The byte where reading it ended.
    pub(super) end: usize,
    /// The byte where the lexer first had to be lenient.
    liberty: Option<usize>,
    /// The byte where it first read what an update may not have.
    pub(super) deviation: Option<usize>,
    /// Whether nothing of the file was hidden from the lexer.
    is_of_whole_file: bool,
}

/// An object stream, inflated: ISO 32000-1 §7.5.7.
pub(super) struct ObjectStream<'a> {
    pub(super) data: Vec<u8>,
    /// The number of each object and its offset in `data`, in the order of the stream.
    pub(super) index: Vec<(u32, usize)>,
    /// Whether there are as many objects as it says, in integers as all that it says, their list ends where the first begins, and
    /// every reader decodes it alike.
    whole: bool,
    /// The byte of the file where it ends.
    end: usize,
    /// The objects that were read, by number.
    objects: RefCell<HashMap<u32, Object<'a>>>,
}

impl ObjectStream<'_> {
    /// Returns whether every reader finds the same objects in it: they have different numbers and follow each other.
    pub(super) fn is_well_formed(&self) -> bool {
        let mut numbers = HashSet::with_capacity(self.index.len());
        self.whole
            && self.index.iter().all(|(number, _)| numbers.insert(*number))
            && self.index.is_sorted_by(|(_, one), (_, next)| one < next)
    }
}

impl<'a> Revision<'a, '_> {
    /// Returns the object of a number; `None` where there is none, or it cannot be read.
    pub(super) fn read(&self, number: u32) -> Option<Object<'a>> {
        match self.entry(number)? {
            Entry::Free => None,
            Entry::Offset(offset) => self.load_or_recover(number, offset),
            Entry::Compressed { stream, index } => {
                self.read_compressed(number, stream, index).map(|(object, _)| object)
            }
        }
    }

    /// Returns object `number`, if it is where the cross-references say, and the byte where it ends: with the bytes of the
    /// stream that it is, or of the object stream in which it is.
    pub(super) fn in_place(&self, number: u32) -> Option<(Object<'a>, usize)> {
        match self.entry(number)? {
            Entry::Free => None,
            Entry::Offset(offset) => {
                let loaded = self.load_in_place(number, offset)?;
                let end = match &loaded.object {
                    Object::Stream(stream) => self.stretch(stream).end,
                    _ => loaded.end,
                };
                Some((loaded.object.clone(), end))
            }
            Entry::Compressed { stream, index } => self.read_compressed(number, stream, index),
        }
    }

    /// Returns object `number`, if it is at `offset`.
    fn load_in_place(&self, number: u32, offset: u64) -> Option<Rc<Loaded<'a>>> {
        self.load(self.file.place(offset)?).ok().filter(|loaded| loaded.id.number == number)
    }

    /// Returns object `number`, which is at `offset`, or where a search finds it if another object or none is there.
    fn load_or_recover(&self, number: u32, offset: u64) -> Option<Object<'a>> {
        if let Some(loaded) = self.load_in_place(number, offset) {
            return Some(loaded.object.clone());
        }
        self.repaired.set(true);
        match self.recovered()?.entry(number)? {
            Entry::Offset(offset) => self.load_in_place(number, offset).map(|loaded| loaded.object.clone()),
            _ => None,
        }
    }

    fn load(&self, offset: usize) -> Result<Rc<Loaded<'a>>, PdfError> {
        if let Some(loaded) = self.file.objects.loaded.borrow().get(&offset)
            && loaded.end < self.end
        {
            return Ok(loaded.clone());
        }
        let mut lexer = Lexer::new(self.data(), offset, self.limits().nesting);
        let indirect = lexer.indirect();
        self.limits().read(lexer.position().saturating_sub(offset))?;
        let mut indirect = indirect.map_err(|error| self.limits().recorded(error))?;
        if let Some(Some(security)) = self.file.security.get() {
            decrypt(&mut indirect.object, indirect.id, security);
        }
        let loaded = Rc::new(Loaded {
            id: indirect.id,
            object: indirect.object,
            end: indirect.end,
            liberty: lexer.liberty(),
            deviation: lexer.deviation(),
            is_of_whole_file: self.end == self.file.data().len(),
        });
        // An object that the end of its revision cut short would read differently in a later one.
        if loaded.end < self.end {
            let mut objects = self.file.objects.loaded.borrow_mut();
            self.limits().one_more(objects.len())?;
            objects.insert(offset, loaded.clone());
        }
        Ok(loaded)
    }

    /// Returns the object at `offset` if it was read before, with the whole file before the lexer and as it is written there.
    pub(super) fn already_read(&self, offset: usize) -> Option<Rc<Loaded<'a>>> {
        let known = self.file.objects.loaded.borrow().get(&offset)?.clone();
        (known.is_of_whole_file && !self.file.encrypted()).then_some(known)
    }

    /// Returns whether this reader was lenient with an object, so that others may read another one or none: with its bytes,
    /// or with where they are (ISO 32000-1 §7.3, §7.5.4, §7.5.7).
    pub(super) fn is_read_with_liberty(&self, number: u32) -> bool {
        let id = |loaded: &Loaded<'a>| u64::from(loaded.id.generation) == self.stated_generation(number);
        let is_other = |loaded: &Loaded<'a>| match &loaded.object {
            Object::Stream(stream) => !self.stretch(stream).is_as_stated,
            // Not every reader goes on where a reference refers to a reference.
            object => object.reference().is_some(),
        };
        let in_place = match self.entry(number) {
            None | Some(Entry::Free) => return false,
            Some(Entry::Offset(offset)) => self
                .load_in_place(number, offset)
                .is_some_and(|loaded| loaded.liberty.is_none() && id(&loaded) && !is_other(&loaded)),
            Some(Entry::Compressed { stream, index }) => self.is_compressed_in_place(number, stream, index),
        };
        !in_place || self.is_ambiguous(number) || self.is_found_elsewhere(number)
    }

    /// Returns whether readers that do not take the cross-references, and search the file, find another object.
    fn is_found_elsewhere(&self, number: u32) -> bool {
        self.sections.iter().any(|section| section.has_liberty)
            && self.recovered().is_none_or(|found| found.entry(number) != self.entry(number))
    }

    /// Returns whether object `number` is in an object stream where the cross-references say, and every reader reads it.
    fn is_compressed_in_place(&self, number: u32, stream: u32, index: u32) -> bool {
        let Some(Entry::Offset(offset)) = self.entry(stream) else { return false };
        let Some(object_stream) = self.object_stream(stream, offset) else { return false };
        let Some(&(_, at)) = object_stream.index.get(index as usize).filter(|(found, _)| *found == number) else {
            return false;
        };
        let mut lexer = Lexer::new(&object_stream.data, at, self.limits().nesting);
        let is_read = lexer.object().is_ok() && self.limits().read(lexer.position().saturating_sub(at)).is_ok();
        is_read && lexer.liberty().is_none() && object_stream.is_well_formed() && !self.is_read_with_liberty(stream)
    }

    /// Returns object `number` of an object stream, and the byte where that ends: ISO 32000-1 §7.5.7.
    fn read_compressed(&self, number: u32, stream: u32, index: u32) -> Option<(Object<'a>, usize)> {
        let Entry::Offset(offset) = self.entry(stream)? else { return None };
        let object_stream = self.object_stream(stream, offset)?;
        if let Some(object) = object_stream.objects.borrow().get(&number) {
            return Some((object.clone(), object_stream.end));
        }
        let at_index = object_stream.index.get(index as usize).filter(|(n, _)| *n == number);
        let &(_, at) = at_index.or_else(|| object_stream.index.iter().find(|(n, _)| *n == number))?;
        // No further than may still be read: objects take more memory than their bytes.
        let left = self.limits().read_remaining();
        let end = usize::try_from(left).unwrap_or(usize::MAX).saturating_add(1).saturating_add(at);
        let data = &object_stream.data[..end.min(object_stream.data.len())];
        let mut lexer = Lexer::new(data, at, self.limits().nesting);
        let object = lexer.object();
        self.limits().read(lexer.position().saturating_sub(at)).ok()?;
        let object: Object<'a> = object.map_err(|error| self.limits().recorded(error)).ok()?.into_owned();
        object_stream.objects.borrow_mut().insert(number, object.clone());
        Some((object, object_stream.end))
    }

    /// Returns the object stream `number` at `offset`, inflated once.
    pub(super) fn object_stream(&self, number: u32, offset: u64) -> Option<Rc<ObjectStream<'a>>> {
        let Object::Stream(stream) = self.load_or_recover(number, offset)? else { return None };
        // One that the end of its revision cut short would read differently in a later one.
        let is_whole = |end: usize| end < self.end || self.end == self.file.data().len();
        if let Some(known) = self.file.objects.streams.borrow().get(&stream.start)
            && is_whole(known.end)
        {
            return Some(known.clone());
        }
        if self.lookup_direct(&stream.dictionary, b"Type").name() != Some(b"ObjStm") {
            return None;
        }
        let data = self.decoded(&stream).ok()?;
        let count = usize::try_from(self.lookup_direct(&stream.dictionary, b"N").integer()?).ok()?;
        let first = usize::try_from(self.lookup_direct(&stream.dictionary, b"First").integer()?).ok()?;
        let mut lexer = Lexer::new(&data, 0, 0);
        let mut index = Vec::new();
        for _ in 0..count.min(self.limits().objects) {
            let (Some(number), Some(at)) = (lexer.unsigned(), lexer.unsigned()) else { break };
            index.push((u32::try_from(number).ok()?, first.saturating_add(usize::try_from(at).ok()?)));
        }
        let has_real = stream.dictionary.iter().any(|(_, value)| has_real(&self.direct(value)));
        let is_usual = !has_real && is_usually_encoded(&stream.dictionary, None);
        let is_usual = is_usual && is_wrapped(&stream.dictionary, &self.decrypted(&stream));
        let whole = index.len() == count && lexer.position() <= first && is_usual;
        let end = self.stretch(&stream).end;
        let object_stream = Rc::new(ObjectStream { data, index, whole, end, objects: RefCell::default() });
        if is_whole(end) {
            self.file.objects.streams.borrow_mut().insert(stream.start, object_stream.clone());
        }
        Some(object_stream)
    }

    /// Returns a value of a stream's dictionary, which may not itself be in an object stream: so reading an object stream
    /// cannot lead to reading it again.
    pub(super) fn lookup_direct(&self, dictionary: &Dictionary<'a>, key: &[u8]) -> Object<'a> {
        match dictionary.get(key) {
            Some(Object::Reference(reference)) => match self.entry(reference.number) {
                Some(Entry::Offset(_)) => self.get(*reference),
                _ => Object::Null,
            },
            Some(object) => object.clone(),
            None => Object::Null,
        }
    }
}

/// Returns whether an object is a real number, or has one in it: not every reader takes `1.0` for an integer.
fn has_real(object: &Object<'_>) -> bool {
    match object {
        Object::Real(_) => true,
        Object::Array(items) => items.iter().any(has_real),
        Object::Dictionary(dictionary) => dictionary.iter().any(|(_, value)| has_real(value)),
        _ => false,
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
