//! Finding objects without cross-references, as viewers do with broken files.
//!
//! The last object of a number wins, and so does the last trailer. A document found in this way is marked as repaired,
//! because another reader may find another one.

use super::characters::{is_foreign, is_regular, is_space};
use super::error::PdfError;
use super::lexer::Lexer;
use super::object::{Dictionary, Object};
use super::revision::{Recovery, Revision};
use super::xref::{Entry, Section};

impl<'a> Revision<'a, '_> {
    /// Searches the file for its objects.
    pub(super) fn search(&self) -> Result<Section<'a>, PdfError> {
        scan(&self.without_recovery()).map_err(|error| self.limits().recorded(error))
    }

    /// Returns where objects are that are not where the cross-references say.
    pub(super) fn recovered(&self) -> Option<&Section<'a>> {
        match &self.recovery {
            Recovery::Off => None,
            Recovery::BySearch(found) => found.get_or_init(|| self.search().ok()).as_ref(),
        }
    }
}

/// Searches the bytes of `revision` for objects, and returns the section that would list them.
fn scan<'a>(revision: &Revision<'a, '_>) -> Result<Section<'a>, PdfError> {
    let data = revision.data();
    let (nesting, objects) = (revision.limits().nesting, revision.limits().objects);
    revision.limits().read(data.len())?;
    let mut entries = Vec::new();
    let mut trailer: Option<Dictionary<'a>> = None;
    let mut catalog = None;
    for at in memchr::memmem::find_iter(data, b"obj") {
        let Some(start) = header_before(data, at) else { continue };
        let mut lexer = Lexer::new(data, start, nesting);
        let Some(id) = lexer.header() else { continue };
        let Some(offset) = start.checked_sub(revision.file().origin()) else { continue };
        entries.push((id.number, Entry::Offset(offset as u64)));
        if entries.len() > objects {
            return Err(PdfError::TooManyObjects { limit: objects });
        }
        // A cheap look at what may be a catalog or a cross-reference stream.
        let body = &data[at + 3..data.len().min(at + 3 + LOOK)];
        if memchr::memmem::find(body, b"/Catalog").is_some() || memchr::memmem::find(body, b"/XRef").is_some() {
            let mut lexer = Lexer::new(data, start, nesting);
            let found = lexer.indirect();
            revision.limits().read(lexer.position() - start)?;
            match found.map(|found| found.object) {
                Ok(Object::Dictionary(d)) if d.get(b"Type").and_then(Object::name) == Some(b"Catalog") => {
                    catalog = Some(Object::Reference(id));
                }
                Ok(Object::Stream(stream)) if stream.dictionary.get(b"Root").is_some() => {
                    trailer = Some(stream.dictionary.clone());
                }
                _ => {}
            }
        }
    }
    for at in memchr::memmem::find_iter(data, b"trailer") {
        let mut lexer = Lexer::new(data, at + 7, nesting);
        let found = lexer.object();
        revision.limits().read(lexer.position() - at)?;
        if let Ok(Object::Dictionary(found)) = found
            && found.get(b"Root").is_some()
        {
            trailer = Some((*found).clone());
        }
    }
    let mut trailer = trailer.unwrap_or_default();
    if let (None, Some(catalog)) = (trailer.get(b"Root"), catalog) {
        trailer.insert(b"Root".into(), catalog);
    }
    add_compressed(revision, &mut entries)?;
    Ok(Section::new(0, entries, trailer))
}

/// Adds the objects of the object streams that were found.
fn add_compressed(revision: &Revision<'_, '_>, entries: &mut Vec<(u32, Entry)>) -> Result<(), PdfError> {
    let data = revision.data();
    let limit = revision.limits().objects;
    let plain: Vec<_> = std::mem::take(entries);
    for (number, entry) in plain {
        entries.push((number, entry));
        let Entry::Offset(offset) = entry else { continue };
        let Some(head) = revision.file().place(offset).and_then(|place| data.get(place..)) else { continue };
        let head = head.get(..LOOK).unwrap_or(head);
        if memchr::memmem::find(head, b"/ObjStm").is_none() {
            continue;
        }
        if let Some(object_stream) = revision.object_stream(number, offset) {
            let found = object_stream.index.iter().zip(0..);
            entries.extend(found.map(|((inner, _), index)| (*inner, Entry::Compressed { stream: number, index })));
        }
        if entries.len() > limit {
            return Err(PdfError::TooManyObjects { limit });
        }
    }
    Ok(())
}

/// How many bytes of an object are searched for its `/Type`.
const LOOK: usize = 512;

/// Returns whether a byte is a blank to a reader that searches: white space, or what C (poppler), JavaScript (pdf.js) and PDFium
/// take for it.
pub(super) fn is_blank(byte: u8) -> bool {
    is_space(byte) || matches!(byte, 0x0B | 0xA0) || is_foreign(byte)
}

/// Returns where `number generation` before the `obj` at `at` starts.
pub(super) fn header_before(data: &[u8], at: usize) -> Option<usize> {
    let skip = |mut end: usize, matches: fn(u8) -> bool| {
        while end > 0 && matches(data[end - 1]) {
            end -= 1;
        }
        end
    };
    let digit = |byte: u8| byte.is_ascii_digit();
    let spaces = skip(at, is_blank);
    let generation = skip(spaces, digit);
    let between = skip(generation, is_blank);
    let number = skip(between, digit);
    let delimited = number == 0 || is_blank(data[number - 1]) || !is_regular(data[number - 1]);
    (spaces < at && generation < spaces && between < generation && number < between && delimited).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers() {
        let rows = [
            ("7.3.10", "1 0 obj", Some(0)),
            ("7.3.10", ">>12 0 obj", Some(2)),
            ("7.3.10", "endobj", None),
            ("7.3.10", "x1 0 obj", None),
        ];
        for (clause, text, start) in rows {
            let at = text.len() - 3;
            assert_eq!(header_before(text.as_bytes(), at), start, "{clause}: {text}");
        }
    }
}
