//! One page as a PDF of its own: only what is drawn of it, as our own reader understands the file.
//!
//! What draws pages reads this copy, not the file. So both are sure to speak of the same objects, encryption and
//! compression are undone within bounds, and pages that did not change are known without being drawn: their copies are
//! the same, byte by byte.

use super::super::filter;
use super::super::object::{Dictionary, Object, Reference, Stream};
use super::super::revision::Revision;
use super::super::xref;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::Write as _;
use std::rc::Rc;

/// A leaf of the page tree with what it inherits: ISO 32000-1 §7.7.3.4.
#[derive(Debug, Clone)]
pub struct Page<'a> {
    /// Its dictionary.
    pub dictionary: Rc<Dictionary<'a>>,
    inherited: [Option<Object<'a>>; INHERITED.len()],
}

/// ISO 32000-1 table 30: what a page has from those above it.
const INHERITED: [&[u8]; 4] = [b"Resources", b"MediaBox", b"CropBox", b"Rotate"];

/// What else of a page is drawn, its annotations aside.
const OWN: [&[u8]; 3] = [b"Contents", b"UserUnit", b"Group"];

/// What of an annotation says how it looks: ISO 32000-1 §12.5.5. Of its appearances, the normal one.
const ANNOTATION: [&[u8]; 5] = [b"Subtype", b"Rect", b"F", b"AS", b"OC"];

/// What may stand in any dictionary and is never drawn. Some of it leads to the rest of the document.
const NEVER_DRAWN: [&[u8]; 6] = [b"Parent", b"Metadata", b"PieceInfo", b"StructParent", b"StructParents", b"Thumb"];

/// Filters that only images have: ISO 32000-1 table 6. What draws undoes them.
const IMAGES: [&[u8]; 6] = [b"DCTDecode", b"DCT", b"JPXDecode", b"CCITTFaxDecode", b"CCF", b"JBIG2Decode"];

/// Filters of one stream. Writers chain two at the most.
const FILTER_CHAIN: usize = 8;

/// Returns the pages in their order, no more than `limit` of them.
pub fn pages<'a>(revision: &Revision<'a, '_>, limit: usize) -> Vec<Page<'a>> {
    let root = revision.catalog().and_then(|catalog| catalog.get(b"Pages").cloned());
    let mut todo: Vec<(Object<'a>, [Option<Object<'a>>; INHERITED.len()])> =
        root.into_iter().map(|root| (root, Default::default())).collect();
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    while let Some((node, above)) = todo.pop() {
        if found.len() > limit {
            break;
        }
        if node.reference().is_some_and(|reference| !seen.insert(reference.number)) {
            continue;
        }
        let Object::Dictionary(node) = revision.resolve(&node) else { continue };
        let mut inherited = above;
        for (value, key) in inherited.iter_mut().zip(INHERITED) {
            *value = node.get(key).cloned().or(value.take());
        }
        match revision.array(&node, b"Kids") {
            Some(kids) => todo.extend(kids.iter().rev().map(|kid| (kid.clone(), inherited.clone()))),
            None => found.push(Page { dictionary: node, inherited }),
        }
    }
    found
}

/// Returns the annotations of a page, no more than `limit` of them.
pub fn annotations<'a>(revision: &Revision<'a, '_>, page: &Page<'a>, limit: usize) -> Vec<Rc<Dictionary<'a>>> {
    let annotations = revision.array(&page.dictionary, b"Annots").unwrap_or_default();
    let dictionary = |annotation| match revision.resolve(annotation) {
        Object::Dictionary(annotation) => Some(annotation),
        _ => None,
    };
    annotations.iter().take(limit).filter_map(dictionary).collect()
}

/// How streams stand in a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Streams {
    /// As they stand in the file: by their place, where they are not encrypted. To tell whether two pages are the same.
    AsInFile,
    /// Without the filters that others than images have, no more bytes than this together. To be drawn.
    Decoded(u64),
}

/// What a copy may hold.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Objects.
    pub objects: usize,
    /// Pixels of one image.
    pub pixels: u64,
}

/// Why there is no copy.
pub type Refused = Cow<'static, str>;

/// Returns a copy of `page` with these of its annotations, and how many objects that is.
pub fn copy<'a>(
    revision: &Revision<'a, '_>,
    page: &Page<'a>,
    annotations: &[Rc<Dictionary<'a>>],
    streams: Streams,
    bounds: Bounds,
) -> Result<(Vec<u8>, usize), Refused> {
    let mut writer = Writer {
        revision,
        streams,
        bounds,
        out: b"%PDF-1.7\n".to_vec(),
        offsets: vec![],
        numbers: HashMap::new(),
        todo: vec![],
    };
    writer.document(page, annotations)?;
    Ok((writer.out, PAGE + writer.numbers.len()))
}

struct Writer<'a, 'f, 'r> {
    revision: &'r Revision<'a, 'f>,
    streams: Streams,
    bounds: Bounds,
    out: Vec<u8>,
    /// Where the objects stand, with their numbers.
    offsets: Vec<(usize, usize)>,
    /// The numbers of objects in the copy.
    numbers: HashMap<Reference, usize>,
    /// Those that are still to be copied.
    todo: Vec<Reference>,
}

/// The numbers of the catalog, the page tree and the page.
const CATALOG: usize = 1;
const TREE: usize = 2;
const PAGE: usize = 3;

impl<'a> Writer<'a, '_, '_> {
    fn document(&mut self, page: &Page<'a>, annotations: &[Rc<Dictionary<'a>>]) -> Result<(), Refused> {
        self.begin(CATALOG);
        self.text("<</Type/Catalog/Pages 2 0 R");
        // What is shown of optional content is for the catalog to say: ISO 32000-1 §8.11.4.
        if let Some(layers) = self.revision.catalog().and_then(|catalog| catalog.get(b"OCProperties").cloned()) {
            self.entry(b"OCProperties", &layers)?;
        }
        self.text(">>");
        self.end();
        self.begin(TREE);
        self.text("<</Type/Pages/Kids[3 0 R]/Count 1>>");
        self.end();
        self.begin(PAGE);
        self.text("<</Type/Page/Parent 2 0 R");
        for (key, value) in INHERITED.iter().zip(&page.inherited) {
            self.entries(key, value.as_ref())?;
        }
        for key in OWN {
            self.entries(key, page.dictionary.get(key))?;
        }
        self.text("/Annots[");
        for annotation in annotations {
            self.annotation(annotation)?;
        }
        self.text("]>>");
        self.end();
        while let Some(next) = self.todo.pop() {
            let Some(&number) = self.numbers.get(&next) else { continue };
            let object = self.revision.resolve(&Object::Reference(next));
            self.begin(number);
            self.object(&object)?;
            self.end();
        }
        self.finish();
        Ok(())
    }

    fn annotation(&mut self, annotation: &Dictionary<'a>) -> Result<(), Refused> {
        self.text("<<");
        for key in ANNOTATION {
            self.entries(key, annotation.get(key))?;
        }
        let appearance = self.revision.dictionary(annotation, b"AP");
        if let Some(normal) = appearance.as_ref().and_then(|appearance| appearance.get(b"N")) {
            self.text("/AP<<");
            self.entry(b"N", normal)?;
            self.text(">>");
        }
        self.text(">>");
        Ok(())
    }

    fn entries(&mut self, key: &[u8], value: Option<&Object<'a>>) -> Result<(), Refused> {
        value.map_or(Ok(()), |value| self.entry(key, value))
    }

    fn entry(&mut self, key: &[u8], value: &Object<'a>) -> Result<(), Refused> {
        self.name(key);
        self.out.push(b' ');
        self.object(value)
    }

    fn object(&mut self, object: &Object<'a>) -> Result<(), Refused> {
        match object {
            Object::Null => self.text("null"),
            Object::Boolean(value) => self.text(if *value { "true" } else { "false" }),
            Object::Integer(value) => self.text(&value.to_string()),
            Object::Real(value) if value.is_finite() => self.text(&value.to_string()),
            Object::Real(_) => self.text("0"),
            Object::Name(name) => self.name(name),
            Object::String(string) => self.string(&string.bytes()),
            Object::Array(items) => {
                self.text("[");
                for item in items.iter() {
                    self.object(item)?;
                    self.out.push(b' ');
                }
                self.text("]");
            }
            Object::Dictionary(dictionary) => {
                self.text("<<");
                self.dictionary(dictionary, &[])?;
                self.text(">>");
            }
            Object::Stream(stream) => self.stream(stream)?,
            Object::Reference(reference) => {
                let number = self.number(*reference)?;
                self.text(&format!("{number} 0 R"));
            }
        }
        Ok(())
    }

    fn dictionary(&mut self, dictionary: &Dictionary<'a>, without: &[&[u8]]) -> Result<(), Refused> {
        for (key, value) in dictionary.iter() {
            if !NEVER_DRAWN.contains(&key) && !without.contains(&key) {
                self.entry(key, value)?;
            }
        }
        Ok(())
    }

    /// Returns the number that an object has in the copy: those that are met first have the lowest.
    fn number(&mut self, reference: Reference) -> Result<usize, Refused> {
        if let Some(&number) = self.numbers.get(&reference) {
            return Ok(number);
        }
        if self.numbers.len() >= self.bounds.objects {
            return Err(format!("more than {} objects", self.bounds.objects).into());
        }
        let number = PAGE + 1 + self.numbers.len();
        self.numbers.insert(reference, number);
        self.todo.push(reference);
        Ok(number)
    }

    fn stream(&mut self, stream: &Stream<'a>) -> Result<(), Refused> {
        /// What the copy says itself (ISO 32000-1 table 5), or other files would.
        const WRITTEN: [&[u8]; 6] = [b"Length", b"Filter", b"DecodeParms", b"F", b"FFilter", b"FDecodeParms"];
        if stream.dictionary.get(b"F").is_some() {
            return Err("a stream in another file".into());
        }
        if self.streams == Streams::AsInFile {
            return self.stream_as_in_file(stream);
        }
        self.within_pixels(&stream.dictionary)?;
        let (bytes, left) = self.decoded(stream)?;
        self.text("<<");
        self.dictionary(&stream.dictionary, &WRITTEN)?;
        if !left.is_empty() {
            let (names, parameters): (Vec<_>, Vec<_>) = left.into_iter().unzip();
            self.entry(b"Filter", &Object::Array(names.into()))?;
            self.entry(b"DecodeParms", &Object::Array(parameters.into()))?;
        }
        self.text(&format!("/Length {}>>stream\n", bytes.len()));
        self.out.extend_from_slice(&bytes);
        self.text("\nendstream");
        Ok(())
    }

    fn stream_as_in_file(&mut self, stream: &Stream<'a>) -> Result<(), Refused> {
        self.text("<<");
        // Its length may be another object, and is found out below.
        self.dictionary(&stream.dictionary, &[b"Length"])?;
        self.text(">>");
        if self.revision.file().encrypted() {
            let bytes = self.revision.decrypted(stream);
            self.text(&format!("stream {}\n", bytes.len()));
            self.out.extend_from_slice(&bytes);
        } else {
            self.text(&format!("stream at {} of {}", stream.start, self.revision.raw(stream).len()));
        }
        Ok(())
    }

    /// Refuses an image of too many pixels: as many as its dictionary says are decoded, or fewer (ISO 32000-1 table
    /// 89).
    fn within_pixels(&self, dictionary: &Dictionary<'a>) -> Result<(), Refused> {
        let side = |key| self.revision.lookup(dictionary, key).integer().and_then(|side| u64::try_from(side).ok());
        let pixels = side(b"Width").zip(side(b"Height")).map(|(width, height)| width.saturating_mul(height));
        match pixels.filter(|pixels| *pixels > self.bounds.pixels) {
            Some(pixels) => Err(format!("an image of {pixels} pixels; expected {} at most", self.bounds.pixels).into()),
            None => Ok(()),
        }
    }

    /// Returns a stream's bytes with the filters of images still on, and the names and parameters of these.
    #[allow(clippy::type_complexity, reason = "two columns of a table, and what they are about")]
    fn decoded(&mut self, stream: &Stream<'a>) -> Result<(Vec<u8>, Vec<(Object<'a>, Object<'a>)>), Refused> {
        let list = |key| match self.revision.lookup(&stream.dictionary, key) {
            Object::Array(items) => items.iter().map(|item| self.revision.resolve(item)).collect(),
            Object::Null => Vec::new(),
            other => vec![other],
        };
        let filters = list(b"Filter");
        let parameters = list(b"DecodeParms").into_iter().chain(std::iter::repeat(Object::Null));
        if filters.len() > FILTER_CHAIN {
            return Err(format!("a chain of {} filters", filters.len()).into());
        }
        let mut filters = filters.into_iter().zip(parameters).peekable();
        let mut bytes = self.revision.decrypted(stream);
        let of_image = |filter: &(Object<'a>, _)| filter.0.name().is_some_and(|name| IMAGES.contains(&name));
        while let Some((filter, parameters)) = filters.next_if(|filter| !of_image(filter)) {
            let Streams::Decoded(left) = self.streams else { break };
            let parameters = match parameters {
                Object::Dictionary(given) => xref::parameters_of(|key| self.revision.lookup(&given, key).integer()),
                _ => filter::Parameters::default(),
            };
            let plain = filter::decode(filter.name().unwrap_or_default(), &bytes, parameters, left);
            bytes = Cow::Owned(plain.map_err(|error| Refused::from(error.to_string()))?);
        }
        if let Streams::Decoded(left) = &mut self.streams {
            let length = bytes.len() as u64;
            *left = left.checked_sub(length).ok_or("more bytes than may be drawn")?;
        }
        Ok((bytes.into_owned(), filters.collect()))
    }

    /// Writes a name, whatever is not a letter or digit in hexadecimal (ISO 32000-1 §7.3.5).
    fn name(&mut self, name: &[u8]) {
        self.out.push(b'/');
        for &byte in name {
            if byte.is_ascii_alphanumeric() {
                self.out.push(byte);
            } else {
                self.text(&format!("#{byte:02X}"));
            }
        }
    }

    fn string(&mut self, bytes: &[u8]) {
        self.out.push(b'<');
        self.text(&crate::hex::lower(bytes));
        self.out.push(b'>');
    }

    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn begin(&mut self, number: usize) {
        self.offsets.push((number, self.out.len()));
        self.text(&format!("{number} 0 obj\n"));
    }

    fn end(&mut self) {
        self.text("\nendobj\n");
    }

    /// Writes the cross-references and the trailer (ISO 32000-1 §7.5.4, §7.5.5).
    fn finish(&mut self) {
        let start = self.out.len();
        self.offsets.sort_unstable();
        let size = PAGE + 1 + self.numbers.len();
        self.text("xref\n0 1\n0000000000 65535 f \n");
        for (number, offset) in std::mem::take(&mut self.offsets) {
            self.text(&format!("{number} 1\n{offset:010} 00000 n \n"));
        }
        let _ = write!(self.out, "trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n");
    }
}
