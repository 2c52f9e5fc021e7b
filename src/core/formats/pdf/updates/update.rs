//! One incremental update, read strictly: ISO 32000-1 §7.5.6.
//!
//! Elsewhere this reader is as lenient as viewers are. Each viewer is lenient in its own way, so that bytes which are no
//! well-formed update can be a different document to each of them. Here the grammar is that of the standard, but for the
//! tolerances named in this file, which mislead no reader.

use crate::formats::pdf::characters::{is_regular, is_space};
use crate::formats::pdf::error::PdfError;
use crate::formats::pdf::filter::{is_usually_encoded, is_wrapped};
use crate::formats::pdf::lexer::Lexer;
use crate::formats::pdf::object::{Dictionary, Object, Reference, Stream};
use crate::formats::pdf::repair::{header_before, is_blank};
use crate::formats::pdf::revision::Revision;
use crate::formats::pdf::xref::{self, Row};
use std::rc::Rc;

/// The highest object number that every reader counts to. Some take a file with others for a broken one, and
/// search it for objects; others count on from zero. NOTE: ISO 32000-1 annex C.2 has twice as many; PDFium has these.
pub(super) const HIGHEST: u64 = 4_194_304;

/// A flaw of bytes that were appended: why readers may read them differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::formats::pdf) struct Flaw {
    /// The byte of the file.
    pub(in crate::formats::pdf) at: usize,
    /// What is wrong.
    pub(in crate::formats::pdf) what: String,
}

impl Flaw {
    pub(super) fn new(at: usize, what: impl Into<String>) -> Self {
        Self { at, what: what.into() }
    }
}

/// An indirect object of an update.
#[derive(Debug)]
pub(super) struct Indirect<'a> {
    pub(super) id: Reference,
    /// Where its header starts.
    pub(super) start: usize,
    pub(super) object: Object<'a>,
}

/// An update: objects, one cross-reference section, and where that is.
#[derive(Debug)]
pub(super) struct Update<'a> {
    /// The objects, without a cross-reference stream that is the section.
    pub(super) objects: Vec<Indirect<'a>>,
    pub(super) section: Section<'a>,
    /// The number after `startxref`.
    pub(super) start_xref: u64,
    /// The byte after `%%EOF`.
    pub(super) end: usize,
    /// The flaws after which reading goes on.
    pub(super) flaws: Vec<Flaw>,
}

/// The cross-reference section of an update, as it is written.
#[derive(Debug)]
pub(super) struct Section<'a> {
    /// Where it starts.
    pub(super) start: usize,
    pub(super) rows: Vec<(u64, Row)>,
    pub(super) trailer: Rc<Dictionary<'a>>,
    /// The object that it is, where it is a stream.
    pub(super) stream: Option<Reference>,
}

/// Why reading an update stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// The bytes are no update.
    Flaw(Flaw),
    /// A limit was reached.
    Limit(PdfError),
}

impl From<PdfError> for Stop {
    fn from(error: PdfError) -> Self {
        Self::Limit(error)
    }
}

impl From<Flaw> for Stop {
    fn from(flaw: Flaw) -> Self {
        Self::Flaw(flaw)
    }
}

fn stop<T>(at: usize, what: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Flaw(Flaw::new(at, what)))
}

/// Reads the update that starts at `at`, where no white space stands.
pub(super) fn read<'a>(revision: &Revision<'a, '_>, at: usize) -> Result<Update<'a>, Stop> {
    let mut reader = Reader { revision, data: revision.data(), at, flaws: Vec::new() };
    let mut objects = Vec::new();
    let section = loop {
        reader.at = blank(reader.data, reader.at)?;
        if let Some(section) = reader.table()? {
            break section;
        }
        let object = reader.object()?;
        match &object.object {
            Object::Stream(stream)
                if is_section(stream) && starts_with(reader.data, blank(reader.data, reader.at)?) =>
            {
                break reader.stream(stream, &object)?;
            }
            _ => objects.push(object),
        }
    };
    let (start_xref, end) = reader.end()?;
    revision.limits().read(end - at)?;
    let mut update = Update { objects, section, start_xref, end, flaws: reader.flaws };
    update.flaws.extend(hidden_part(reader.data, at, &update));
    Ok(update)
}

/// Returns the flaw that a reader which searches finds more in an update, which starts at `at`, than its objects and its
/// trailer: in a stream or a string (§7.5.6). One wrong entry, long before, makes readers search.
fn hidden_part(data: &[u8], at: usize, update: &Update<'_>) -> Option<Flaw> {
    let found = |word: &'static [u8]| memchr::memmem::find_iter(data.get(at..update.end).unwrap_or_default(), word);
    let is_own = |start: &usize| {
        *start == update.section.start || update.objects.binary_search_by_key(start, |object| object.start).is_ok()
    };
    let mut objects = found(b"obj").filter_map(|place| header_before(data, at + place));
    let object = { objects.find(|start| !is_own(start)) }.map(|start| Flaw::new(start, "an object within another one"));
    let is_trailer = |after: &usize| {
        let mut rest = data.get(*after..).unwrap_or_default().iter().skip_while(|byte| is_blank(**byte));
        rest.next().is_some_and(|byte| matches!(byte, b'<' | b'%'))
    };
    let mut trailers = found(b"trailer").map(|place| at + place + b"trailer".len()).filter(is_trailer);
    let own = usize::from(update.section.stream.is_none());
    let trailer = || trailers.nth(own).map(|after| Flaw::new(after, "a trailer within an object"));
    object.or_else(trailer)
}

/// Returns the rows of a cross-reference stream; `None` where it cannot be read, or they are not as many as it says.
pub(super) fn rows(
    revision: &Revision<'_, '_>,
    stream: &Stream<'_>,
    offset: u64,
) -> Result<Option<Vec<(u64, Row)>>, PdfError> {
    match xref::rows(revision.data(), stream, offset, revision.file().xref_limits()) {
        Err(error @ (PdfError::TooManyObjects { .. } | PdfError::TooMuchInflated { .. })) => Err(error),
        found => Ok(found.unwrap_or_default()),
    }
}

/// Returns whether a cross-reference stream is written as every reader expects: its fields fit the numbers of readers.
fn usual(dictionary: &Dictionary<'_>) -> bool {
    let Some(Object::Array(widths)) = dictionary.get(b"W") else { return false };
    let widths: Vec<i64> = widths.iter().filter_map(Object::integer).collect();
    let &[kind @ 0..=4, offset @ 0..=8, last @ 0..=4] = &widths[..] else { return false };
    is_usually_encoded(dictionary, Some(kind + offset + last))
}

fn is_section(stream: &Stream<'_>) -> bool {
    stream.dictionary.get(b"Type").and_then(Object::name) == Some(b"XRef")
}

fn starts_with(data: &[u8], at: usize) -> bool {
    data.get(at..).is_some_and(|rest| rest.starts_with(b"startxref"))
}

/// The words by which readers find their way, in comments too.
const WORDS: [&[u8]; 5] = [b"xref", b"obj", b"trailer", b"%PDF-", b"stream"];

/// Skips white space and comments between the parts of a file. A comment is tolerated (producers sign their name, or
/// mark the file as binary) unless a reader that searches would take it for a part.
pub(super) fn blank(data: &[u8], mut at: usize) -> Result<usize, Flaw> {
    while let Some(&byte) = data.get(at) {
        if is_space(byte) {
            at += 1;
        } else if byte == b'%' {
            let rest = &data[at..];
            let comment = &rest[..memchr::memchr2(b'\r', b'\n', rest).unwrap_or(rest.len())];
            if WORDS.iter().any(|word| memchr::memmem::find(comment, word).is_some()) {
                return Err(Flaw::new(at, "a comment that can be taken for a part of the file"));
            }
            at += comment.len();
        } else {
            break;
        }
    }
    Ok(at)
}

struct Reader<'a, 'f, 'r> {
    revision: &'r Revision<'a, 'f>,
    data: &'a [u8],
    at: usize,
    flaws: Vec<Flaw>,
}

impl<'a> Reader<'a, '_, '_> {
    /// Skips white space, but not a zero or a form feed: poppler and pdf.js end there between a keyword and its number.
    fn space(&mut self) {
        while self.data.get(self.at).is_some_and(|&byte| is_space(byte) && !matches!(byte, 0 | 12)) {
            self.at += 1;
        }
    }

    /// Takes `word`, which no regular character may follow.
    fn word(&mut self, word: &[u8]) -> bool {
        let rest = self.data.get(self.at..).unwrap_or_default();
        let found = rest.starts_with(word) && !rest.get(word.len()).is_some_and(|&byte| is_regular(byte));
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn number(&mut self) -> Option<u64> {
        let rest = self.data.get(self.at..).unwrap_or_default();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let value = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
        self.at += digits;
        Some(value)
    }

    fn lexer(&self) -> Lexer<'a> {
        Lexer::new(self.data, self.at, self.revision.limits().nesting)
    }

    /// Adds the flaw that the lexer read at a byte what an update may not have, where it did.
    fn add_deviation(&mut self, deviation: Option<usize>) {
        self.flaws.extend(deviation.map(|at| Flaw::new(at, "written so that readers differ")));
    }

    /// Reads `N G obj … endobj` (§7.3.10).
    fn object(&mut self) -> Result<Indirect<'a>, Stop> {
        let start = self.at;
        let (id, object) = self.indirect()?;
        if let Object::Stream(stream) = &object {
            let length = self.revision.lookup(&stream.dictionary, b"Length");
            let length = match length {
                Object::Integer(length) => usize::try_from(length).ok(),
                _ => None,
            };
            let Some(end) = length.and_then(|length| stream.start.checked_add(length)) else {
                return stop(start, "a stream without length");
            };
            self.at = end;
            self.space();
            if !self.word(b"endstream") {
                return stop(start, "a stream that does not end where its length says");
            }
        }
        self.space();
        if !self.word(b"endobj") {
            return stop(self.at, "an object that does not end");
        }
        Ok(Indirect { id, start, object })
    }

    /// Reads `N G obj` and the object. Most were read before, for the comparison of revisions.
    fn indirect(&mut self) -> Result<(Reference, Object<'a>), Stop> {
        let start = self.at;
        if let Some(known) = self.revision.already_read(start) {
            self.at = known.end;
            self.add_deviation(known.deviation);
            return Ok((known.id, known.object.clone()));
        }
        let mut lexer = self.lexer();
        let read = lexer.indirect();
        self.at = lexer.position();
        self.add_deviation(lexer.deviation());
        match read {
            Ok(read) => Ok((read.id, read.object)),
            Err(error @ PdfError::NestingTooDeep { .. }) => Err(error.into()),
            Err(_) => stop(start, "what stands here is no part of an update"),
        }
    }

    /// Reads a cross-reference table with its trailer, if one starts here (§7.5.4, §7.5.5).
    fn table(&mut self) -> Result<Option<Section<'a>>, Stop> {
        let start = self.at;
        if !self.word(b"xref") {
            return Ok(None);
        }
        let mut rows = Vec::new();
        let limit = self.revision.limits().objects;
        loop {
            let before = self.at;
            self.space();
            if self.word(b"trailer") {
                break;
            }
            if self.at > before && !rows.is_empty() {
                return stop(before, "a blank between subsections of a cross-reference table");
            }
            let (first, count) = self.subsection()?;
            for number in 0..count {
                let row = self.data.get(self.at..).and_then(|rest| rest.first_chunk()).and_then(xref::exact_row);
                let Some((middle, last, kind)) = row else { return stop(self.at, "no row of a cross-reference table") };
                self.at += 20;
                rows.push((first.saturating_add(number), Row { kind: u64::from(kind == b'n'), middle, last }));
                if rows.len() > limit {
                    return Err(PdfError::TooManyObjects { limit }.into());
                }
            }
        }
        self.space();
        let mut lexer = self.lexer();
        let Ok(Object::Dictionary(trailer)) = lexer.object() else { return stop(self.at, "no trailer dictionary") };
        self.add_deviation(lexer.deviation());
        self.at = lexer.position();
        Ok(Some(Section { start, rows, trailer, stream: None }))
    }

    /// Reads the first line of a subsection: first number and count (§7.5.4). Readers that find anything else search
    /// the file: MuPDF after other blanks, more readers after a number that no object has, though no row follows.
    fn subsection(&mut self) -> Result<(u64, u64), Stop> {
        let start = self.at;
        let first = self.number();
        let is_apart = self.data.get(self.at) == Some(&b' ');
        self.at += 1;
        let count = self.number();
        let rest = self.data.get(self.at..).unwrap_or_default();
        let line = &rest[rest.iter().take_while(|&&byte| byte == b' ').count()..];
        let end = [&b"\r\n"[..], b"\n", b"\r"].into_iter().find(|end| line.starts_with(end));
        match (first.filter(|first| *first <= HIGHEST), count, end) {
            (Some(first), Some(count), Some(end)) if is_apart => {
                self.at = self.at + rest.len() - line.len() + end.len();
                Ok((first, count))
            }
            _ => stop(start, "no subsection of a cross-reference table"),
        }
    }

    /// Reads a cross-reference stream (§7.5.8).
    fn stream(&self, stream: &Rc<Stream<'a>>, object: &Indirect<'a>) -> Result<Section<'a>, Stop> {
        let start = object.start;
        let dictionary = &stream.dictionary;
        let whole = |key: &[u8]| match dictionary.get(key) {
            // A number without a count ends the cross-references to some readers.
            Some(Object::Array(items)) if key == b"Index" && items.len() % 2 != 0 => false,
            Some(Object::Array(items)) => items
                .iter()
                .all(|item| matches!(item, Object::Integer(number) if (0..=HIGHEST as i64).contains(number))),
            other => key == b"Index" && other.is_none(),
        };
        if !whole(b"W") || !whole(b"Index") || !matches!(dictionary.get(b"Length"), Some(Object::Integer(_))) {
            return stop(start, "a cross-reference stream with entries that are no numbers");
        }
        if !usual(dictionary) || !is_wrapped(dictionary, self.data.get(stream.start..).unwrap_or_default()) {
            return stop(start, "a cross-reference stream that not every reader reads");
        }
        match rows(self.revision, stream, start as u64)? {
            Some(rows) => Ok(Section { start, rows, trailer: Rc::new(dictionary.clone()), stream: Some(object.id) }),
            None => stop(start, "a cross-reference stream of other length than it says"),
        }
    }

    /// Reads `startxref`, the number, `%%EOF` (§7.5.5). Comments before are tolerated, between them none.
    fn end(&mut self) -> Result<(u64, usize), Stop> {
        self.at = blank(self.data, self.at)?;
        let start = self.at;
        let keyword = self.word(b"startxref");
        self.space();
        let number = self.number().filter(|_| keyword);
        self.space();
        let rest = self.data.get(self.at..).unwrap_or_default();
        let marked = rest.starts_with(b"%%EOF") && rest.get(5).is_none_or(|&byte| is_space(byte));
        match number.filter(|_| marked) {
            Some(number) => Ok((number, self.at + 5)),
            None => stop(start, "no startxref with its number and %%EOF"),
        }
    }
}
