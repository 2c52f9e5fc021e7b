//! Cross-reference sections: where each object is. ISO 32000-1 §7.5.4 (tables), §7.5.8 (streams).

use super::error::PdfError;
use super::filter::{self, Parameters};
use super::lexer::Lexer;
use super::object::{Dictionary, Object, Stream};
use std::cell::Cell;
use std::rc::Rc;

/// Where an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// The number is free.
    Free,
    /// At a byte of the file.
    Offset(u64),
    /// In an object stream.
    Compressed {
        /// The object stream's number.
        stream: u32,
        /// The index in it.
        index: u32,
    },
}

/// One cross-reference section: what one revision adds.
#[derive(Debug, Clone, PartialEq)]
pub struct Section<'a> {
    /// The byte where it starts.
    pub offset: u64,
    entries: Vec<(u32, Entry)>,
    /// The generations of the objects in use whose generation is not zero, by number.
    generations: Vec<(u32, u64)>,
    /// The numbers that have two entries which differ: readers take the first or the last.
    ambiguous: Vec<u32>,
    /// Whether it was read with a liberty: readers that do not take it search the file for objects.
    pub(super) has_liberty: bool,
    /// Its trailer dictionary.
    pub trailer: Dictionary<'a>,
}

impl<'a> Section<'a> {
    /// Makes a section of entries in any order, of which a later one of the same number replaces an earlier.
    pub fn new(offset: u64, mut entries: Vec<(u32, Entry)>, trailer: Dictionary<'a>) -> Self {
        if !entries.is_sorted_by_key(|(number, _)| *number) {
            crate::order::sort_by_key(&mut entries, |(number, _)| *number);
        }
        let mut ambiguous = Vec::new();
        entries.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                ambiguous.extend((later.1 != kept.1).then_some(kept.0));
                *kept = *later;
            }
            same
        });
        Self { offset, entries, generations: Vec::new(), ambiguous, has_liberty: false, trailer }
    }

    /// Returns whether it has two entries of an object which differ.
    pub(super) fn is_ambiguous(&self, number: u32) -> bool {
        self.ambiguous.binary_search(&number).is_ok()
    }

    /// Adds the numbers that have two entries in the sections of which it is made.
    pub(super) fn with_ambiguous_of(mut self, others: [&Self; 2]) -> Self {
        self.ambiguous.extend(others.iter().flat_map(|other| &other.ambiguous));
        crate::order::sort(&mut self.ambiguous);
        self.has_liberty = others.iter().any(|other| other.has_liberty);
        self
    }

    /// Adds the generations of its objects that are not zero.
    pub(super) fn with_generations(mut self, mut generations: Vec<(u32, u64)>) -> Self {
        crate::order::sort(&mut generations);
        self.generations = generations;
        self
    }

    /// Returns the generations of its objects that are not zero.
    pub(super) fn generations(&self) -> &[(u32, u64)] {
        &self.generations
    }

    /// Returns the generation that it states for an object.
    pub(super) fn generation(&self, number: u32) -> u64 {
        let place = self.generations.partition_point(|(of, _)| *of <= number).checked_sub(1);
        let stated = place.and_then(|place| self.generations.get(place)).filter(|(of, _)| *of == number);
        stated.map_or(0, |(_, generation)| *generation)
    }

    /// Returns its entry of an object.
    pub fn entry(&self, number: u32) -> Option<Entry> {
        let place = self.entries.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        Some(self.entries[place].1)
    }

    /// Returns its entries, by object number.
    pub fn entries(&self) -> &[(u32, Entry)] {
        &self.entries
    }

    /// Returns whether all that cross-references are read by is integers (ISO 32000-1 tables 15 and 17): readers follow an offset that
    /// is a real number or a reference, or do not.
    pub(super) fn is_of_integers(&self) -> bool {
        let is_integer = |value: &Object<'_>| matches!(value, Object::Integer(_) | Object::Null);
        let are_integers = |value: &Object<'_>| match value {
            Object::Array(items) => items.iter().all(is_integer),
            value => is_integer(value),
        };
        [&b"Prev"[..], b"XRefStm", b"W", b"Index"].iter().all(|key| self.trailer.get(key).is_none_or(are_integers))
    }

    /// Returns an offset of the trailer: `/Prev` or `/XRefStm`.
    pub fn link(&self, key: &[u8]) -> Option<u64> {
        u64::try_from(self.trailer.get(key)?.integer()?).ok()
    }
}

/// The limits of reading a section.
#[derive(Debug, Clone, Copy)]
pub struct XrefLimits<'l> {
    /// Levels of nesting.
    pub nesting: usize,
    /// Entries.
    pub objects: usize,
    /// How many bytes streams may still inflate to. Those of this one are subtracted.
    pub inflatable: &'l Cell<u64>,
}

/// Reads the section at `offset`, which is a table or a stream, and returns it with the byte where reading it ended.
pub fn read<'a>(data: &'a [u8], offset: u64, limits: XrefLimits<'_>) -> Result<(Section<'a>, usize), PdfError> {
    let position = usize::try_from(offset).ok().filter(|&p| p < data.len());
    let position = position.ok_or(PdfError::NotACrossReference { offset })?;
    let mut lexer = Lexer::new(data, position, limits.nesting);
    if lexer.keyword(b"xref") { table(&mut lexer, offset, limits) } else { stream(&mut lexer, data, offset, limits) }
}

/// Returns whether a section starts at a byte.
pub fn is_section(data: &[u8], position: usize, nesting: usize) -> bool {
    let mut lexer = Lexer::new(data, position, nesting);
    lexer.keyword(b"xref")
        || matches!(
            lexer.indirect().map(|found| found.object),
            Ok(Object::Stream(stream)) if stream.dictionary.get(b"Type").and_then(Object::name) == Some(b"XRef")
        )
}

/// Returns the trailer of the section at a byte without reading its entries.
pub fn trailer(data: &[u8], position: usize, nesting: usize) -> Option<Dictionary<'_>> {
    let mut lexer = Lexer::new(data, position, nesting);
    let object = if lexer.keyword(b"xref") {
        let keyword = lexer.position() + memchr::memmem::find(&data[lexer.position()..], b"trailer")?;
        Lexer::new(data, keyword + b"trailer".len(), nesting).object().ok()?
    } else {
        lexer.indirect().ok()?.object
    };
    match object {
        Object::Dictionary(trailer) => Some(Rc::unwrap_or_clone(trailer)),
        Object::Stream(stream) => Some(Rc::unwrap_or_clone(stream).dictionary),
        _ => None,
    }
}

/// Reads a cross-reference table after its keyword: ISO 32000-1 §7.5.4.
fn table<'a>(lexer: &mut Lexer<'a>, offset: u64, limits: XrefLimits<'_>) -> Result<(Section<'a>, usize), PdfError> {
    let broken = || PdfError::NotACrossReference { offset };
    let (mut entries, mut generations, mut has_liberty) = (Vec::new(), Vec::new(), false);
    while !lexer.keyword(b"trailer") {
        let mut number = lexer.unsigned().ok_or_else(broken)?;
        let count = lexer.unsigned().ok_or_else(broken)?;
        for index in 0..count {
            // NOTE: a count that is too high occurs; the trailer or next subsection follows.
            let Some((entry, generation, is_exact)) = row(lexer) else {
                has_liberty = true;
                break;
            };
            has_liberty |= !is_exact;
            // NOTE: some writers number the first subsection from one instead of zero.
            if index == 0 && number == 1 && entry == Entry::Free && generation == 65_535 {
                (number, has_liberty) = (0, true);
            }
            let of = u32::try_from(number).map_err(|_| broken())?;
            entries.push((of, entry));
            if generation != 0 && entry != Entry::Free {
                generations.push((of, generation));
            }
            if entries.len() > limits.objects {
                return Err(PdfError::TooManyObjects { limit: limits.objects });
            }
            number += 1;
        }
    }
    let Object::Dictionary(trailer) = lexer.object()? else { return Err(broken()) };
    // NOTE: an offset of zero for an object in use means that it is not there (§7.5.4 has zero for free ones).
    entries.iter_mut().filter(|(_, entry)| *entry == Entry::Offset(0)).for_each(|(_, entry)| *entry = Entry::Free);
    let section = Section::new(offset, entries, Rc::unwrap_or_clone(trailer)).with_generations(generations);
    Ok((Section { has_liberty, ..section }, lexer.position()))
}

/// Reads one row of a table, with its generation number, and whether it is as the standard prescribes it. Where there is no row,
/// the lexer does not move.
fn row(lexer: &mut Lexer<'_>) -> Option<(Entry, u64, bool)> {
    lexer.skip_space();
    if let Some((at, generation, kind)) = lexer.take(exact_row) {
        return Some((if kind == b'n' { Entry::Offset(at) } else { Entry::Free }, generation, true));
    }
    let before = lexer.position();
    let mut read = || {
        let (at, generation) = (lexer.unsigned()?, lexer.unsigned()?);
        let entry = if lexer.keyword(b"n") { Entry::Offset(at) } else { lexer.keyword(b"f").then_some(Entry::Free)? };
        Some((entry, generation, false))
    };
    let found = read();
    if found.is_none() {
        lexer.back_to(before);
    }
    found
}

/// Reads a row as the standard prescribes it: ten digits, five digits, `n` or `f`, and an end of line of two bytes.
pub(super) fn exact_row(bytes: &[u8; 20]) -> Option<(u64, u64, u8)> {
    let &[ref offset @ .., b' ', g0, g1, g2, g3, g4, b' ', kind @ (b'n' | b'f'), b' ' | b'\r', b'\r' | b'\n'] = bytes
    else {
        return None;
    };
    let number = |digits: &[u8]| {
        let all = digits.iter().all(u8::is_ascii_digit);
        all.then(|| digits.iter().fold(0, |value, digit| value * 10 + u64::from(digit - b'0')))
    };
    Some((number(offset)?, number(&[g0, g1, g2, g3, g4])?, kind))
}

/// Reads a cross-reference stream (ISO 32000-1 §7.5.8).
fn stream<'a>(
    lexer: &mut Lexer<'a>,
    data: &'a [u8],
    offset: u64,
    limits: XrefLimits<'_>,
) -> Result<(Section<'a>, usize), PdfError> {
    let broken = || PdfError::NotACrossReference { offset };
    let indirect = lexer.indirect().map_err(|_| broken())?;
    let Object::Stream(stream) = indirect.object else { return Err(broken()) };
    if stream.dictionary.get(b"Type").and_then(Object::name) != Some(b"XRef") {
        return Err(broken());
    }
    let (plain, widths, end) = plain_rows(data, &stream, offset, limits)?;
    let mut rows = Rows::new(&stream.dictionary, widths, &plain);
    let (mut entries, mut generations) = (Vec::new(), Vec::new());
    for (number, row) in rows.by_ref() {
        let number = u32::try_from(number).map_err(|_| broken())?;
        entries.push((number, row.entry().ok_or_else(broken)?));
        if row.kind == 1 && row.last != 0 {
            generations.push((number, row.last));
        }
        if entries.len() > limits.objects {
            return Err(PdfError::TooManyObjects { limit: limits.objects });
        }
    }
    let has_liberty = !rows.exhausted() || !filter::is_usually_encoded(&stream.dictionary, None);
    let trailer = Rc::unwrap_or_clone(stream).dictionary;
    let section = Section::new(offset, entries, trailer).with_generations(generations);
    Ok((Section { has_liberty, ..section }, end))
}

/// Returns the rows of the cross-reference stream at `offset`; `None` where they are not as many as it states.
pub(super) fn rows(
    data: &[u8],
    stream: &Stream<'_>,
    offset: u64,
    limits: XrefLimits<'_>,
) -> Result<Option<Vec<(u64, Row)>>, PdfError> {
    let (plain, widths, _) = plain_rows(data, stream, offset, limits)?;
    let mut rows = Rows::new(&stream.dictionary, widths, &plain);
    let found: Vec<_> = rows.by_ref().take(limits.objects).collect();
    Ok(rows.exhausted().then_some(found))
}

/// Returns the bytes of the rows, the widths of their fields, and where the stream ends.
fn plain_rows(
    data: &[u8],
    stream: &Stream<'_>,
    offset: u64,
    limits: XrefLimits<'_>,
) -> Result<(Vec<u8>, [u64; 3], usize), PdfError> {
    let broken = || PdfError::NotACrossReference { offset };
    let raw = raw_data(data, stream).ok_or_else(broken)?;
    let end = stream.start + raw.len();
    let widths = widths(&stream.dictionary).ok_or_else(broken)?;
    // Each row, and what a predictor says of it.
    let longest = (limits.objects as u64 + 1).saturating_mul(widths.iter().sum::<u64>() + 1);
    let left = limits.inflatable.get();
    let plain = match decode_direct(&stream.dictionary, raw, left.min(longest)) {
        Err(PdfError::TooMuchInflated { limit }) if limit == longest => {
            return Err(PdfError::TooManyObjects { limit: limits.objects });
        }
        plain => plain?,
    };
    limits.inflatable.set(left.saturating_sub(plain.len() as u64));
    Ok((plain, widths, end))
}

/// Returns the bytes of a stream whose `/Length` is direct, as a cross-reference stream's must be (§7.5.8.2).
fn raw_data<'a>(data: &'a [u8], stream: &Stream<'_>) -> Option<&'a [u8]> {
    let rest = data.get(stream.start..)?;
    let stated = stream.dictionary.get(b"Length").and_then(Object::integer).and_then(|l| usize::try_from(l).ok());
    let stated = stated.and_then(|length| rest.get(..length));
    stated.or_else(|| rest.get(..memchr::memmem::find(rest, b"endstream")?))
}

fn decode_direct(dictionary: &Dictionary<'_>, raw: &[u8], limit: u64) -> Result<Vec<u8>, PdfError> {
    let parameters = |object: Option<&Object<'_>>| match object {
        Some(Object::Dictionary(parameters)) => parameters_of(|key| parameters.get(key).and_then(Object::integer)),
        _ => Parameters::default(),
    };
    match dictionary.get(b"Filter") {
        None | Some(Object::Null) => Ok(raw.to_vec()),
        Some(Object::Name(name)) => filter::decode(name, raw, parameters(dictionary.get(b"DecodeParms")), limit),
        Some(Object::Array(names)) if names.len() == 1 => {
            let first = match dictionary.get(b"DecodeParms") {
                Some(Object::Array(all)) => parameters(all.first()),
                other => parameters(other),
            };
            filter::decode(names[0].name().unwrap_or_default(), raw, first, limit)
        }
        Some(_) => Err(PdfError::Filter { filter: "a chain of filters on cross-references".into() }),
    }
}

/// Reads filter parameters from a dictionary through `get`.
pub(super) fn parameters_of(get: impl Fn(&[u8]) -> Option<i64>) -> Parameters {
    let default = Parameters::default();
    Parameters {
        predictor: get(b"Predictor").unwrap_or(default.predictor),
        // ISO 32000-1 table 8: the widest image has so few components and bits.
        colors: get(b"Colors").unwrap_or(default.colors).clamp(1, 32),
        bits: get(b"BitsPerComponent").unwrap_or(default.bits).clamp(1, 16),
        columns: get(b"Columns").unwrap_or(default.columns).clamp(1, i64::from(u32::MAX)),
        early_change: get(b"EarlyChange") != Some(0),
    }
}

fn numbers(dictionary: &Dictionary<'_>, key: &[u8]) -> Option<Vec<u64>> {
    let Object::Array(items) = dictionary.get(key)? else { return None };
    Some(items.iter().filter_map(Object::integer).filter_map(|n| u64::try_from(n).ok()).collect())
}

/// Returns how many bytes each of the three fields of a row has: ISO 32000-1 table 17, `/W`.
fn widths(dictionary: &Dictionary<'_>) -> Option<[u64; 3]> {
    let widths: [u64; 3] = numbers(dictionary, b"W")?.try_into().ok()?;
    // A field wider than 64 bits holds no offset.
    (widths.iter().all(|&width| width <= 8) && widths.iter().sum::<u64>() > 0).then_some(widths)
}

/// The rows of a cross-reference stream with their numbers: ISO 32000-1 §7.5.8.3.
pub(super) struct Rows<'p> {
    widths: [u64; 3],
    /// First number and count of each subsection that is left.
    index: std::vec::IntoIter<u64>,
    number: u64,
    left: u64,
    rows: std::slice::ChunksExact<'p, u8>,
}

/// The three fields of a row: table 18.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    /// Free, at an offset, in an object stream.
    pub(super) kind: u64,
    /// An offset, or the number of an object stream.
    pub(super) middle: u64,
    /// A generation, or a place in an object stream.
    pub(super) last: u64,
}

impl Row {
    /// Returns its entry; `None` where a number is too large.
    fn entry(self) -> Option<Entry> {
        Some(match self.kind {
            1 => Entry::Offset(self.middle),
            2 => Entry::Compressed { stream: u32::try_from(self.middle).ok()?, index: u32::try_from(self.last).ok()? },
            // Unknown kinds are references to the null object.
            _ => Entry::Free,
        })
    }
}

impl<'p> Rows<'p> {
    fn new(dictionary: &Dictionary<'_>, widths: [u64; 3], plain: &'p [u8]) -> Self {
        let size = dictionary.get(b"Size").and_then(Object::integer).and_then(|n| u64::try_from(n).ok());
        let index = numbers(dictionary, b"Index").unwrap_or_else(|| vec![0, size.unwrap_or(u64::MAX)]);
        let rows = plain.chunks_exact(widths.iter().sum::<u64>() as usize);
        Self { widths, index: index.into_iter(), number: 0, left: 0, rows }
    }

    /// Returns whether there were as many rows as `/Index` states, once the last one was taken.
    pub(super) fn exhausted(mut self) -> bool {
        self.rows.next().is_none() && self.rows.remainder().is_empty() && self.left == 0 && self.index.all(|n| n == 0)
    }
}

impl Iterator for Rows<'_> {
    type Item = (u64, Row);

    fn next(&mut self) -> Option<Self::Item> {
        while self.left == 0 {
            let [number, left] = [self.index.next()?, self.index.next()?];
            (self.number, self.left) = (number, left);
        }
        let row = self.rows.next()?;
        let [first, second, _] = self.widths;
        let (kind, row) = row.split_at(first as usize);
        let (middle, last) = row.split_at(second as usize);
        let kind = if first == 0 { 1 } else { big_endian(kind) };
        let number = self.number;
        self.left -= 1;
        self.number = number.saturating_add(1);
        Some((number, Row { kind, middle: big_endian(middle), last: big_endian(last) }))
    }
}

fn big_endian(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(data: &[u8]) -> Result<(Section<'_>, usize), PdfError> {
        read(data, 0, XrefLimits { nesting: 32, objects: 1000, inflatable: &Cell::new(1 << 20) })
    }

    #[test]
    fn tables() {
        let rows = [
            (
                "7.5.4",
                "two subsections",
                "xref\n0 1\n0000000000 65535 f \n3 2\n0000000017 00000 n \n0000000081 00000 n \ntrailer\n<</Size 5>>",
                vec![(0, Entry::Free), (3, Entry::Offset(17)), (4, Entry::Offset(81))],
            ),
            (
                "7.5.4",
                "numbered from one by mistake",
                "xref\n1 2\n0000000000 65535 f \n0000000017 00000 n \ntrailer<<>>",
                vec![(0, Entry::Free), (1, Entry::Offset(17))],
            ),
            (
                "7.5.4",
                "a count that is too high",
                "xref\n5 9\n0000000017 00000 n\ntrailer<<>>",
                vec![(5, Entry::Offset(17))],
            ),
            ("7.5.4", "no entries", "xref\n0 0\ntrailer<<>>", vec![]),
        ];
        for (clause, situation, text, expected) in rows {
            let (section, _) = read_all(text.as_bytes()).expect(situation);
            assert_eq!(section.entries(), expected, "{clause}: {situation}");
        }
        for text in ["xref\n0 1\n", "1 0 obj<<>>endobj", "xref 4294967295 2 0 0 n 0 0 n trailer<<>>", ""] {
            assert!(read_all(text.as_bytes()).is_err(), "7.5.4: not a section: {text}");
        }
    }

    #[test]
    fn offsets_are_integers() {
        for (trailer, expected) in [
            ("/Prev 17", true),
            ("/Prev null", true),
            ("/Prev 17.0", false),
            ("/Prev 17 0 R", false),
            ("/XRefStm 17.0", false),
            ("/Index[0 1.0]", false),
            ("/Size 5.0", true),
        ] {
            let text = format!("xref\n0 0\ntrailer<<{trailer}>>");
            let (section, _) = read_all(text.as_bytes()).expect("a section");
            assert_eq!(section.is_of_integers(), expected, "tables 15 and 17: {trailer}");
        }
    }

    /// Returns a cross-reference stream of so many rows of one byte, compressed.
    fn claiming(rows: usize) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(vec![], flate2::Compression::best());
        std::io::Write::write_all(&mut encoder, &vec![0; rows]).expect("a Vec takes all");
        let body = encoder.finish().expect("a Vec takes all");
        let head = format!(
            "7 0 obj<</Type/XRef/Root 1 0 R/W[1 0 0]/Size {rows}/Filter/FlateDecode/Length {}>>stream\n",
            body.len()
        );
        [head.as_bytes(), &body, b"\nendstream endobj\nstartxref\n9\n%%EOF"].concat()
    }

    #[test]
    fn claims_are_bounded_by_the_file() {
        for (situation, rows, expected) in [
            ("as many as a small file may have", 100_000, true),
            ("more", 100_001, false),
            ("as many as the standard allows", 8_000_000, false),
        ] {
            let bytes = [b"%PDF-1.7\n", &claiming(rows)[..]].concat();
            assert!(bytes.len() < 10_000, "7.5.8: a small stream");
            let file = crate::formats::pdf::File::new(&bytes, &crate::budget::Budget::default()).expect("a PDF");
            let found = file.open(None).map(|_| ());
            // None of these has a catalog: that is not looked for past the bound.
            let refused = matches!(found, Err(PdfError::TooManyObjects { limit: 100_000 }));
            assert_eq!(refused, !expected, "7.5.8: {situation}: {found:?}");
        }
    }

    #[test]
    fn streams() {
        let mut data = b"7 0 obj<</Type/XRef/W[1 2 1]/Index[3 2 9 1]/Size 10/Length 12>>stream\n".to_vec();
        data.extend([1, 0, 17, 0, 2, 0, 5, 1, 0, 0, 0, 0]);
        data.extend(b"\nendstream endobj");
        let (section, _) = read_all(&data).expect("7.5.8: a cross-reference stream");
        let expected = [(3, Entry::Offset(17)), (4, Entry::Compressed { stream: 5, index: 1 }), (9, Entry::Free)];
        assert_eq!(section.entries(), expected, "7.5.8.3: three kinds of entry");
    }
}
