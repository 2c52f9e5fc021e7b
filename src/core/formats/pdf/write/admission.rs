//! Which files are appended to: those that every reader reads in the same way, and their last cross-references.

use super::error::WriteError;
use super::section::Form;
use super::value::{Entries, Value};
use crate::formats::pdf::PdfError;
use crate::formats::pdf::characters::{is_regular, is_space};
use crate::formats::pdf::file::header;
use crate::formats::pdf::lexer::Lexer;
use crate::formats::pdf::object::{Dictionary, Object, Reference};
use crate::formats::pdf::revision::Revision;
use crate::formats::pdf::xref::{self, Entry, Section};
use std::collections::HashSet;
use std::rc::Rc;

/// What an update has to know of the file before it.
#[derive(Debug)]
pub(super) struct Admission {
    /// How its cross-references are written.
    pub form: Form,
    /// The entries of its trailer, but for `/Size`, `/ID` and `/Prev`.
    pub trailer: Entries,
    /// The elements of `/ID`.
    pub id: Vec<Value>,
    /// The byte where the last section starts, as it is stated.
    pub previous: u64,
    /// The first number that no object has.
    pub next: u32,
    /// The catalog.
    pub root: Reference,
}

/// The highest object number that every reader counts to. NOTE: ISO 32000-1 annex C.2 has twice as many; PDFium has these.
pub(super) const HIGHEST: u32 = 4_194_304;

/// White space after the end of the file that does no harm.
const BLANK: usize = 1024;

/// What a trailer has for its own section, or for the stream that it is: ISO 32000-1 tables 5, 15, 17 and 19.
const OF_SECTION: [&[u8]; 15] = [
    b"Size",
    b"Prev",
    b"XRefStm",
    b"ID",
    b"Root",
    b"Type",
    b"W",
    b"Index",
    b"Length",
    b"Filter",
    b"DecodeParms",
    b"DL",
    b"F",
    b"FFilter",
    b"FDecodeParms",
];

/// Says what an update has to know of the file, or why none is appended.
pub(super) fn admit(revision: &Revision<'_, '_>, hybrid: bool) -> Result<Admission, WriteError> {
    let (file, data) = (revision.file(), revision.data());
    if let Some(count @ 1..) = header(file.data()) {
        return Err(WriteError::LeadingBytes { count });
    }
    let last = revision.sections().first().filter(|_| !revision.repaired());
    let last = last.ok_or_else(|| WriteError::repair("cross-references that lead to no catalog"))?;
    check_end(data)?;
    let at_last = usize::try_from(last.offset).ok().and_then(|offset| data.get(offset..)).unwrap_or_default();
    let form = match at_last {
        [b'x', b'r', b'e', b'f', ..] => Form::Table,
        [b'0'..=b'9', ..] => Form::Stream,
        _ => return Err(WriteError::repair("a startxref that names another byte than that of the cross-references")),
    };
    let Some(&Object::Reference(root)) = last.trailer.get(b"Root") else {
        return Err(WriteError::repair("a trailer without a reference to the catalog"));
    };
    check_offsets(revision)?;
    check_encryption(revision, last)?;
    check_hybrid(revision, root, hybrid)?;
    check_form(revision)?;
    let mut trailer = Entries::new().with("Root", root);
    let own = last.trailer.iter().filter(|(key, _)| !OF_SECTION.contains(key));
    own.for_each(|(key, value)| trailer.set(key, Value::of(value)));
    let admission =
        Admission { form, trailer, id: id(revision), previous: last.offset, next: next_number(revision, last)?, root };
    file.check_limits()?;
    Ok(admission)
}

/// Checks that nothing but white space follows the end of the file: ISO 32000-1 §7.5.5.
fn check_end(data: &[u8]) -> Result<(), WriteError> {
    let unended = || WriteError::repair("no startxref with its number and %%EOF at the end");
    let keyword = memchr::memmem::rfind(data, b"startxref").ok_or_else(unended)?;
    let mut lexer = Lexer::new(data, keyword + b"startxref".len(), 0);
    lexer.unsigned().ok_or_else(unended)?;
    let rest = data.get(lexer.position()..).unwrap_or_default();
    let blank = rest.iter().take_while(|byte| is_space(**byte)).count();
    let after = rest.get(blank..).and_then(|rest| rest.strip_prefix(b"%%EOF")).ok_or_else(unended)?;
    if after.len() > BLANK || !after.iter().all(|byte| is_space(*byte)) {
        return Err(WriteError::TrailingData { at: data.len() - after.len(), count: after.len() });
    }
    Ok(())
}

/// Checks that every object in use is where the cross-references have it: ISO 32000-1 §7.5.4. One that is elsewhere is found
/// by some readers, and by others it is not.
fn check_offsets(revision: &Revision<'_, '_>) -> Result<(), WriteError> {
    let data = revision.data();
    let is_there = |number: u32, offset: u64| {
        let at = usize::try_from(offset).ok().filter(|at| *at < data.len());
        at.and_then(|at| Lexer::new(data, at, 0).header()).is_some_and(|header| header.number == number)
    };
    // Each number once, however many sections list it: space before an object is gone through.
    let mut seen = HashSet::new();
    for &(number, entry) in revision.sections().iter().flat_map(|section| section.entries()) {
        // NOTE: some writers list numbers that they left out at byte 0.
        if let Entry::Offset(offset @ 1..) = entry
            && revision.entry(number) == Some(entry)
            && seen.insert(number)
            && !is_there(number, offset)
        {
            return Err(WriteError::repair(format!("object {number} elsewhere than at byte {offset}")));
        }
    }
    Ok(())
}

/// Checks that the file is encrypted in the same way to every reader, and not authenticated as a whole (ISO/TS 32004).
fn check_encryption(revision: &Revision<'_, '_>, last: &Section<'_>) -> Result<(), WriteError> {
    let states = |key: &[u8]| revision.sections().iter().any(|section| section.trailer.get(key).is_some());
    let encryption = revision.encryption();
    let has_salt = matches!(&encryption, Object::Dictionary(encryption) if encryption.get(b"KDFSalt").is_some());
    if states(b"AuthCode") || has_salt {
        return Err(WriteError::AuthenticationCode);
    }
    if states(b"Encrypt") && last.trailer.get(b"Encrypt").is_none() {
        return Err(WriteError::repair("a last trailer without the /Encrypt of an earlier one"));
    }
    Ok(())
}

/// Checks that a hybrid file has the same pages and fields to readers that do not know cross-reference streams: ISO 32000-1
/// §7.5.8.4.
fn check_hybrid(revision: &Revision<'_, '_>, root: Reference, accepted: bool) -> Result<(), WriteError> {
    let is_hybrid = |section: &Rc<Section<'_>>| section.trailer.get(b"XRefStm").is_some();
    if !revision.sections().iter().any(is_hybrid) {
        return Ok(());
    }
    if !accepted {
        return Err(WriteError::Hybrid);
    }
    let tables = Tables::read(revision)?;
    let mut seen = HashSet::new();
    let mut todo = vec![Object::Reference(root)];
    while let Some(object) = todo.pop() {
        revision.limits().step_or_record()?;
        let object = match object {
            Object::Reference(Reference { number, .. }) => {
                if !seen.insert(number) {
                    continue;
                }
                if !tables.agree(number, revision.entry(number)) {
                    return Err(WriteError::TwoDocuments { object: number });
                }
                let found = revision.read(number).unwrap_or(Object::Null);
                match &found {
                    // Of the catalog only what is seen.
                    Object::Dictionary(catalog) if number == root.number => {
                        todo.extend([&b"Pages"[..], b"AcroForm"].iter().filter_map(|key| catalog.get(key).cloned()));
                        continue;
                    }
                    _ => found,
                }
            }
            other => other,
        };
        match object {
            Object::Array(items) => todo.extend(items.iter().cloned()),
            Object::Dictionary(dictionary) => todo.extend(seen_entries(&dictionary)),
            Object::Stream(stream) => todo.extend(seen_entries(&stream.dictionary)),
            _ => {}
        }
    }
    Ok(())
}

/// The sections of a hybrid file, from the newest to the oldest: each table, and the stream that it hides.
struct Tables<'a>(Vec<(Section<'a>, Option<Section<'a>>)>);

impl<'a> Tables<'a> {
    fn read(revision: &Revision<'a, '_>) -> Result<Self, WriteError> {
        let limits = revision.file().xref_limits();
        let read = |offset| xref::read(revision.data(), offset, limits).map(|(section, _)| section);
        let both =
            |section: &Rc<Section<'a>>| Ok((read(section.offset)?, section.link(b"XRefStm").map(read).transpose()?));
        Ok(Self(revision.sections().iter().map(both).collect::<Result<_, PdfError>>()?))
    }

    /// Returns whether readers that know the hidden streams or not, and those that prefer them, find an object in the same
    /// place.
    fn agree(&self, number: u32, entry: Option<Entry>) -> bool {
        for (table, hidden) in &self.0 {
            let hidden = hidden.as_ref().and_then(|hidden| hidden.entry(number));
            if hidden.is_some() && hidden != entry {
                return false;
            }
            if let Some(found) = table.entry(number) {
                return Some(found) == entry;
            }
        }
        entry.is_none()
    }
}

/// Returns the values of a dictionary that have to do with what is seen.
fn seen_entries<'o, 'a: 'o>(dictionary: &'o Dictionary<'a>) -> impl Iterator<Item = Object<'a>> + use<'o, 'a> {
    let is_seen = |key: &[u8]| !matches!(key, b"Metadata" | b"PieceInfo");
    dictionary.iter().filter(move |(key, _)| is_seen(key)).map(|(_, value)| value.clone())
}

/// Checks that the form is not one that viewers lay out themselves: ISO 32000-1 §12.7.8.
fn check_form(revision: &Revision<'_, '_>) -> Result<(), WriteError> {
    let Some(catalog) = revision.catalog() else { return Ok(()) };
    let form = revision.dictionary(&catalog, b"AcroForm");
    let has_xfa = form.is_some_and(|form| revision.lookup(&form, b"XFA") != Object::Null);
    if has_xfa && revision.lookup(&catalog, b"NeedsRendering") == Object::Boolean(true) {
        return Err(WriteError::DynamicXfa);
    }
    Ok(())
}

/// Returns the two elements of `/ID`, if it is one: ISO 32000-1 §14.4.
fn id(revision: &Revision<'_, '_>) -> Vec<Value> {
    let id = revision.sections().iter().find_map(|section| section.trailer.get(b"ID"));
    let Some(Object::Array(items)) = id.map(|id| revision.resolve(id)) else { return vec![] };
    let strings: Vec<Value> = items
        .iter()
        .filter_map(|item| Some(Value::Clear(revision.resolve(item).string()?.bytes().into_owned())))
        .collect();
    if strings.len() == items.len() { strings } else { vec![] }
}

/// Returns the first number that no object has, nor had, nor is referred to: a number that was freed is not used again, and
/// a reference to nothing (ISO 32000-1 §7.3.10) must not become one to something.
fn next_number(revision: &Revision<'_, '_>, last: &Section<'_>) -> Result<u32, WriteError> {
    let highest = revision.sections().iter().filter_map(|section| section.entries().last()).map(|(number, _)| *number);
    let next = highest.max().unwrap_or(0).max(highest_reference(revision.data())).saturating_add(1);
    let size = last.trailer.get(b"Size").and_then(Object::integer).and_then(|size| u32::try_from(size).ok());
    // A size beyond what readers count to is no size.
    let next = size.filter(|size| *size <= HIGHEST).map_or(next, |size| size.max(next));
    if next > HIGHEST {
        return Err(WriteError::TooLarge { found: format!("object number {next}"), limit: HIGHEST.into() });
    }
    Ok(next)
}

/// Returns the highest number that a reference has, as far as references are not compressed. Trailers that were copied from
/// other files have some to nothing.
fn highest_reference(data: &[u8]) -> u32 {
    let mut highest = 0;
    for end in memchr::memmem::find_iter(data, b" 0 R") {
        let (mut number, mut place) = (0, 1);
        let digits = data.get(..end).unwrap_or_default().iter().rev().take(7).take_while(|byte| byte.is_ascii_digit());
        for digit in digits {
            number += u32::from(digit - b'0') * place;
            place *= 10;
        }
        let is_whole = data.get(end + 4).is_none_or(|&byte| !is_regular(byte));
        if number > highest && number < HIGHEST && is_whole {
            highest = number;
        }
    }
    highest
}
