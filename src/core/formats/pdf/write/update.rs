//! One incremental update: the objects that change, those that are new, and their cross-references.

use super::admission::{Admission, HIGHEST, admit};
use super::encryption::Cipher;
use super::error::WriteError;
use super::gap::{Appended, ByteRange, Gap};
use super::kept::{self, Strings};
use super::section::{self, Form, Row};
use super::serialize;
use super::value::{Entries, Value};
use crate::formats::pdf::lexer::Lexer;
use crate::formats::pdf::object::{Object, Reference};
use crate::formats::pdf::revision::Revision;
use crate::formats::pdf::updates::{counts_to, linearized_length};
use crate::formats::pdf::xref::Entry;
use std::collections::BTreeMap;

/// Bounds a chain of references.
const REFERENCE_CHAIN: usize = 32;

/// What is accepted of a file, besides what every reader reads in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accepted {
    /// Cross-reference tables and streams side by side (ISO 32000-1 §7.5.8.4), with the same pages and fields for all
    /// readers. Microsoft Office writes such files.
    pub hybrid: bool,
}

impl Default for Accepted {
    fn default() -> Self {
        Self { hybrid: true }
    }
}

/// One incremental update over the latest revision of a file.
pub struct Update<'r, 'a, 'f> {
    revision: &'r Revision<'a, 'f>,
    before: Admission,
    seed: [u8; 32],
    /// By number.
    objects: BTreeMap<u32, Changed>,
}

/// An object that is written, if it is not what it was.
struct Changed {
    generation: u16,
    was: Option<Value>,
    body: Body,
}

enum Body {
    Value(Value),
    /// A stream: entries without `/Length`, and bytes.
    Stream(Entries, Vec<u8>),
    /// A signature dictionary: entries without `/Contents` and `/ByteRange`, and how many bytes are reserved.
    Signature(Entries, usize),
    /// A stream of the file, which is not changed.
    Untouched,
}

impl<'r, 'a, 'f> Update<'r, 'a, 'f> {
    /// Begins an update of a file's latest revision.
    ///
    /// `seed` stands for what the update is made of (the file, the signer, the time): the file's new identifier and what
    /// encryption needs are derived from it, so that the same update is the same bytes.
    ///
    /// # Errors
    ///
    /// Where readers would not agree about the file, or it is not written: see [`WriteError`].
    pub fn begin(revision: &'r Revision<'a, 'f>, seed: [u8; 32], accepted: Accepted) -> Result<Self, WriteError> {
        let before = admit(revision, accepted.hybrid)?;
        Ok(Self { revision, before, seed, objects: BTreeMap::new() })
    }

    /// Returns the revision that is updated.
    pub fn revision(&self) -> &'r Revision<'a, 'f> {
        self.revision
    }

    /// Returns the reference to the catalog.
    pub fn catalog(&self) -> Reference {
        self.before.root
    }

    /// Returns the number of a new object, for [`put`](Self::put).
    pub fn reserve(&mut self) -> Reference {
        let number = self.before.next;
        self.before.next = number.saturating_add(1);
        self.objects.insert(number, Changed { generation: 0, was: None, body: Body::Value(Value::Null) });
        Reference { number, generation: 0 }
    }

    /// Sets the value of a new object.
    pub fn put(&mut self, id: Reference, value: impl Into<Value>) {
        self.set_body(id, Body::Value(value.into()));
    }

    /// Adds a new object.
    pub fn add(&mut self, value: impl Into<Value>) -> Reference {
        let id = self.reserve();
        self.put(id, value);
        id
    }

    /// Adds a new stream; the entries say how its bytes are encoded, `/Length` is added.
    pub fn add_stream(&mut self, entries: Entries, bytes: Vec<u8>) -> Reference {
        let id = self.reserve();
        self.set_body(id, Body::Stream(entries, bytes));
        id
    }

    /// Sets a new object to a signature dictionary, whose `/Contents` has so many bytes and is left to fill in:
    /// [`Appended::fill`]. One update has one at most.
    pub fn put_signature(&mut self, id: Reference, entries: Entries, reserved: usize) {
        self.set_body(id, Body::Signature(entries, reserved));
    }

    fn set_body(&mut self, id: Reference, body: Body) {
        if let Some(changed) = self.objects.get_mut(&id.number) {
            changed.body = body;
        }
    }

    /// Returns an object to be changed; null where there is none.
    ///
    /// # Errors
    ///
    /// [`WriteError::NeedsRepair`] where it is not where the cross-references say; [`WriteError::Unusual`] for a stream.
    pub fn edit(&mut self, id: Reference) -> Result<&mut Value, WriteError> {
        self.load(id)?;
        match self.objects.get_mut(&id.number).map(|changed| &mut changed.body) {
            Some(Body::Value(value)) => Ok(value),
            _ => Err(unusual("a stream", "an array or a dictionary")),
        }
    }

    /// Returns the value at the end of a path of keys that begins at an object, through references; `None` where there is
    /// none. The object that holds it is returned, too.
    pub fn find(&mut self, start: Reference, path: &[&[u8]]) -> Result<Option<(Reference, &mut Value)>, WriteError> {
        let Some((holder, taken)) = self.holder(start, path)? else { return Ok(None) };
        let mut value = self.edit(holder)?;
        for key in path.get(taken..).unwrap_or_default() {
            let Value::Dictionary(entries) = value else { return Ok(None) };
            let Some(next) = entries.get_mut(key) else { return Ok(None) };
            value = next;
        }
        Ok(Some((holder, value)))
    }

    /// Sets an entry of the dictionary at the end of a path.
    ///
    /// # Errors
    ///
    /// [`WriteError::Unusual`] where there is no dictionary.
    pub fn set(
        &mut self,
        start: Reference,
        path: &[&[u8]],
        key: &[u8],
        value: impl Into<Value>,
    ) -> Result<(), WriteError> {
        match self.find(start, path)?.map(|(_, found)| found) {
            Some(Value::Dictionary(entries)) => {
                entries.set(key, value);
                Ok(())
            }
            found => Err(unusual(found.map_or("nothing", |found| found.kind()), "a dictionary")),
        }
    }

    /// Appends an element to the array that is an entry of the dictionary at the end of a path, or makes one of it where
    /// there is none.
    ///
    /// # Errors
    ///
    /// [`WriteError::Unusual`] where there is something other than an array.
    pub fn push(
        &mut self,
        start: Reference,
        path: &[&[u8]],
        key: &[u8],
        value: impl Into<Value>,
    ) -> Result<(), WriteError> {
        let whole: Vec<&[u8]> = path.iter().copied().chain([key]).collect();
        match self.find(start, &whole)?.map(|(_, found)| found) {
            Some(Value::Array(items)) => items.push(value.into()),
            None => return self.set(start, path, key, vec![value.into()]),
            Some(found) => return Err(unusual(found.kind(), "an array")),
        }
        Ok(())
    }

    /// Returns the object that holds the value at the end of a path itself, and how many keys of the path lead to it. `None`
    /// where there is no value, or it is null.
    fn holder(&mut self, start: Reference, path: &[&[u8]]) -> Result<Option<(Reference, usize)>, WriteError> {
        let (mut id, mut taken) = (start, 0);
        'objects: for _ in 0..REFERENCE_CHAIN {
            self.load(id)?;
            let Some(Body::Value(object)) = self.objects.get(&id.number).map(|changed| &changed.body) else {
                return Ok(None);
            };
            let mut value = object;
            let keys = path.get(taken..).unwrap_or_default();
            for (place, key) in std::iter::once(None).chain(keys.iter().map(Some)).enumerate() {
                value = match (key, value) {
                    (None, value) => value,
                    (Some(key), Value::Dictionary(entries)) => match entries.get(key) {
                        Some(value) => value,
                        None => return Ok(None),
                    },
                    _ => return Ok(None),
                };
                match value {
                    Value::Reference(next) => {
                        (id, taken) = (*next, taken + place);
                        continue 'objects;
                    }
                    Value::Null => return Ok(None),
                    _ => {}
                }
            }
            return Ok(Some((id, taken)));
        }
        Err(WriteError::repair("references that lead in a circle"))
    }

    /// Reads an object of the file, unless that was done.
    fn load(&mut self, id: Reference) -> Result<(), WriteError> {
        if self.objects.contains_key(&id.number) {
            return Ok(());
        }
        let found = self.revision.read(id.number);
        self.revision.file().check_limits()?;
        if self.revision.repaired() {
            return Err(WriteError::repair(format!("object {} elsewhere than the cross-references say", id.number)));
        }
        let generation = self.revision.file().generation(id.number, 0).unwrap_or(0);
        let generation =
            u16::try_from(generation).map_err(|_| WriteError::repair(format!("generation {generation}")))?;
        let body = match found {
            None => Body::Value(Value::Null),
            Some(Object::Stream(_)) => Body::Untouched,
            Some(object) => Body::Value(self.written(id.number, generation, &object)?),
        };
        let was = match &body {
            Body::Value(value) => Some(value.clone()),
            _ => None,
        };
        self.objects.insert(id.number, Changed { generation, was, body });
        Ok(())
    }

    /// Returns an object as it is written in the file, or else as it was read.
    fn written(&self, number: u32, generation: u16, object: &Object<'a>) -> Result<Value, WriteError> {
        let nesting = self.revision.limits().nesting;
        let kept = match self.revision.entry(number) {
            Some(Entry::Offset(offset)) => {
                let at = usize::try_from(offset).unwrap_or(usize::MAX);
                let mut lexer = Lexer::new(self.revision.data(), at, nesting);
                let header = lexer.header();
                if header != Some(Reference { number, generation }) {
                    return Err(WriteError::repair(format!("object {number} of another generation than stated")));
                }
                kept::read(self.revision.data(), lexer.position(), nesting, Strings::Kept)
            }
            Some(Entry::Compressed { stream, .. }) => self.kept_compressed(number, stream, nesting),
            _ => None,
        };
        Ok(kept.unwrap_or_else(|| Value::of(object)))
    }

    /// Returns object `number` as it is written in an object stream, the same one that is read.
    fn kept_compressed(&self, number: u32, stream: u32, nesting: usize) -> Option<Value> {
        let Some(Entry::Offset(offset)) = self.revision.entry(stream) else { return None };
        let stream = self.revision.object_stream(stream, offset)?;
        // One that stands there twice is left to the reader.
        let mut places = stream.index.iter().filter(|(of, _)| *of == number);
        let (&(_, at), None) = (places.next()?, places.next()) else { return None };
        let strings = if self.revision.file().encrypted() { Strings::Decoded } else { Strings::Kept };
        kept::read(&stream.data, at, nesting, strings)
    }

    /// Tells whether anything would be written.
    pub fn is_empty(&self) -> bool {
        !self.objects.values().any(Changed::is_changed)
    }

    /// Writes the update.
    ///
    /// # Errors
    ///
    /// [`WriteError::TooLarge`] where object numbers or offsets become too large for readers.
    pub fn finish(self) -> Result<Appended, WriteError> {
        let data = self.revision.data();
        let appended = self.write(b"")?;
        // ISO 32000-1 annex F.3.3: a reader would take the file for a linearized one that was not updated.
        let end = data.len() + appended.bytes.len();
        match linearized_length(data).is_some_and(|length| counts_to(data, end, length)) {
            true => self.write(b"\n"),
            false => Ok(appended),
        }
    }

    fn write(&self, lead: &[u8]) -> Result<Appended, WriteError> {
        let data = self.revision.data();
        let base = data.len();
        let mut out = lead.to_vec();
        if !matches!(data.last(), Some(b'\n' | b'\r')) {
            out.push(b'\n');
        }
        let (mut rows, mut hole) = (vec![], None);
        for (&number, changed) in self.objects.iter().filter(|(_, changed)| changed.is_changed()) {
            rows.push(Row { number, generation: changed.generation, offset: base + out.len() });
            let found = self.object(&mut out, Reference { number, generation: changed.generation }, &changed.body);
            hole = hole.or(found);
        }
        let (section, mut size) = (base + out.len(), self.before.next);
        if self.before.form == Form::Stream {
            rows.push(Row { number: size, generation: 0, offset: section });
            size += 1;
        }
        if size > HIGHEST {
            return Err(WriteError::TooLarge { found: format!("{size} objects"), limit: HIGHEST.into() });
        }
        let trailer = self.trailer(size);
        match self.before.form {
            Form::Table => section::table(&mut out, &rows, &trailer)?,
            Form::Stream => section::stream(&mut out, &rows, trailer),
        }
        out.extend_from_slice(format!("startxref\n{section}\n%%EOF\n").as_bytes());
        let gap = hole.map(|(gap, byte_range)| {
            byte_range.write(&mut out, base, &gap);
            gap
        });
        Ok(Appended { bytes: out, gap })
    }

    fn object(&self, out: &mut Vec<u8>, id: Reference, body: &Body) -> Option<(Gap, ByteRange)> {
        let security = self.revision.file().security.get().and_then(Option::as_ref);
        let mut cipher = security.map(|security| Cipher::new(security, &self.seed, id));
        let mut hole = None;
        out.extend_from_slice(format!("{} {} obj\n", id.number, id.generation).as_bytes());
        match body {
            Body::Value(value) => serialize::value(out, value, &mut cipher),
            Body::Stream(entries, bytes) => {
                let bytes = cipher.as_mut().map_or_else(|| bytes.clone(), |cipher| cipher.stream(bytes));
                let entries = entries.clone().with("Length", bytes.len() as i64);
                serialize::dictionary(out, &entries, &mut cipher);
                out.extend_from_slice(b"\nstream\n");
                out.extend_from_slice(&bytes);
                out.extend_from_slice(b"\nendstream");
            }
            Body::Signature(entries, reserved) => {
                out.extend_from_slice(b"<<");
                serialize::entries(out, entries, &mut cipher);
                out.extend_from_slice(b"/ByteRange");
                let byte_range = ByteRange::reserve(out);
                out.extend_from_slice(b"/Contents");
                hole = Some((Gap::reserve(out, *reserved), byte_range));
                out.extend_from_slice(b">>");
            }
            Body::Untouched => out.extend_from_slice(b"null"),
        }
        out.extend_from_slice(b"\nendobj\n");
        hole
    }

    fn trailer(&self, size: u32) -> Entries {
        let mut trailer = Entries::new().with("Size", i64::from(size));
        self.before.trailer.iter().for_each(|(key, value)| trailer.set(key, value.clone()));
        let new = Value::Clear(self.seed.iter().take(16).copied().collect());
        match &self.before.id[..] {
            [first, ..] => trailer.set(b"ID", vec![first.clone(), new]),
            // The key to an encrypted file is made of it: ISO 32000-1 §7.6.3.3.
            [] if self.revision.file().encrypted() => {}
            [] => trailer.set(b"ID", vec![new.clone(), new]),
        }
        trailer.with("Prev", i64::try_from(self.before.previous).unwrap_or(i64::MAX))
    }
}

impl Changed {
    fn is_changed(&self) -> bool {
        match (&self.body, &self.was) {
            (Body::Untouched, _) => false,
            (Body::Value(value), Some(was)) => value != was,
            _ => true,
        }
    }
}

fn unusual(found: &str, expected: &'static str) -> WriteError {
    WriteError::Unusual { found: found.to_owned(), expected }
}
