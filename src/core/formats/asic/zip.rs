//! ZIP files as containers need them: no entry that some readers see and others do not. APPNOTE 6.3.10.
//!
//! A signature over a container covers names and bytes. Where a file can be read in two ways (a local header that differs
//! from the central directory, two entries of one name, entries that overlap, entries that the directory does not have),
//! the file that one reader verifies is not the one that another reader opens. Such files are refused. Bytes around the
//! entries, and entries that become something else when they are extracted, are reported.

use super::code_page;
use super::name::named;
use crate::budget::Budget;
use crate::executor::{Executor, Sequential};
use crate::facts::{Irregularity, IrregularityKind};
use crate::formats::Deflated;
use crate::formats::content::{Content, LARGE};
use crate::formats::digest_work::DigestWork;
use rawzip::extra_fields::{ExtraFieldId, ExtraFields};
use rawzip::{CompressionMethod, ZipArchive, ZipFileHeaderRecord, ZipSliceArchive, ZipSliceEntry};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

/// The size up to which an entry may be compressed at any ratio: so few bytes cost nothing.
const UNSUSPICIOUS: u64 = 1 << 20;
/// The signature of a local header (APPNOTE §4.3.7).
const LOCAL: &[u8] = b"PK\x03\x04";
/// The signatures of the directory, of its end, and of those of ZIP64 (§4.3.12, §4.3.14 to §4.3.16).
const DIRECTORY: [&[u8]; 4] = [b"PK\x01\x02", b"PK\x05\x06", END64, LOCATOR64];
const END64: &[u8] = b"PK\x06\x06";
const LOCATOR64: &[u8] = b"PK\x06\x07";
/// The sizes of these records without their parts of variable length.
const LOCATOR64_SIZE: usize = 20;
const END64_SIZE: usize = 56;
const RECORD_SIZE: usize = 46;
/// The bit of the flags that says that a name is UTF-8 (§4.4.4).
const UTF8: u64 = 1 << 11;
/// The type of a symbolic link in the mode of a file (POSIX.1-2017, `S_IFLNK`), of which it is the uppermost four bits.
const SYMBOLIC_LINK: u32 = 0xA;

/// A ZIP file whose structure has been checked.
#[derive(Debug, Clone)]
pub struct Archive<'d> {
    /// The entries in the order of the file, without directories.
    pub entries: Vec<Entry<'d>>,
    /// The comment of the file; `None` where it is empty.
    pub comment: Option<String>,
    /// Its irregularities, with which it can still be read in one way only.
    pub irregularities: Vec<Irregularity>,
    /// The names of directories that have bytes.
    pub(super) folders_with_bytes: Vec<String>,
}

/// One entry.
#[derive(Debug, Clone)]
pub struct Entry<'d> {
    /// Its name.
    pub name: String,
    /// Its bytes in the file.
    pub data: Data<'d>,
    content: Content<'d>,
}

/// The bytes of an entry in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Data<'d> {
    /// As they are.
    Stored(&'d [u8]),
    /// Compressed.
    Deflated(Deflated<'d>),
}

/// Why a ZIP file is not read.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ZipError {
    /// No ZIP file, or one that was cut off.
    #[error("the ZIP file cannot be read: {found}")]
    Unreadable { found: String },
    /// More entries than are read.
    #[error("the ZIP file has {found} entries, and at most {limit} are read")]
    TooManyEntries { found: u64, limit: usize },
    /// §4.4.9: far more bytes than were compressed.
    #[error(
        "the entry {name} has {size} bytes in {compressed} compressed ones; at most {limit} times as many are read"
    )]
    Bomb { name: String, size: u64, compressed: u64, limit: u64 },
    /// The same of all entries together.
    #[error("the entries have {size} bytes in a file of {length}; at most {limit} times as many are read")]
    Bombs { size: u64, length: u64, limit: u64 },
    /// §4.3.12: the local header says other than the central directory.
    #[error("the entry {name} has another {what} in its local header than in the central directory")]
    HeadersDiffer { name: String, what: &'static str },
    /// §4.4.17: one name for two entries.
    #[error("the ZIP file has two entries of the name {name}, expected one")]
    Duplicate { name: String },
    /// Bytes that belong to two entries.
    #[error("the entry {name} lies on the one before it, expected it after")]
    Overlap { name: String },
    /// An entry that the central directory does not have.
    #[error("the ZIP file has an entry at byte {offset} that is not in its central directory")]
    Hidden { offset: u64 },
    /// §4.3.1, §4.3.16: a directory, or an end of one, beside the one that is read.
    #[error("the ZIP file has a second central directory, or a second end of one, at byte {offset}")]
    SecondDirectory { offset: u64 },
    /// §4.4.22 to §4.4.24: the end record says other than that of ZIP64, or than what is there.
    #[error("the end record of the ZIP file states another {what} than there is")]
    EndDiffers { what: &'static str },
    /// §4.4.17.1: a name that leads out of the container.
    #[error("the entry {name} has a name that leads out of the container")]
    Path { name: String },
    /// §4.4.4: encrypted.
    #[error("the entry {name} is encrypted, and cannot be read")]
    Encrypted { name: String },
    /// §4.4.5: neither stored nor deflated.
    #[error("the entry {name} is compressed with {method}; stored and deflated ones are read")]
    Method { name: String, method: String },
    /// What is compressed is not what the header says.
    #[error("the entry {name} is not what its header says: other bytes, or another number of them")]
    NotAsStated { name: String },
    /// An entry that has to be held, and is too large for that.
    #[error("the entry {name} has {size} bytes; of signatures and manifests at most {limit} are read")]
    TooLarge { name: String, size: u64, limit: u64 },
}

impl From<rawzip::Error> for ZipError {
    fn from(error: rawzip::Error) -> Self {
        Self::Unreadable { found: error.to_string().to_lowercase() }
    }
}

impl<'d> Entry<'d> {
    fn new(name: String, data: Data<'d>, work: &Rc<DigestWork>, executor: &'d dyn Executor) -> Self {
        let content = match data {
            Data::Stored(bytes) => Content::pieces(vec![bytes]),
            Data::Deflated(deflated) => Content::deflated(deflated, executor),
        };
        Self { content: content.named(Some(name.clone())).within(work), name, data }
    }

    /// Returns its bytes as a content, which is digested without being held, and once under each algorithm.
    pub fn content(&self) -> &Content<'d> {
        &self.content
    }

    /// Returns its bytes, as [`Data::bytes`] does.
    pub fn bytes(&self, limit: u64) -> Result<Cow<'d, [u8]>, ZipError> {
        self.data.bytes(&self.name, limit)
    }
}

impl<'d> Data<'d> {
    /// Returns the size that is stated.
    pub fn size(&self) -> u64 {
        match self {
            Self::Stored(bytes) => bytes.len() as u64,
            Self::Deflated(deflated) => deflated.size,
        }
    }

    /// Returns the bytes as they lie in the file.
    pub(super) fn lie(&self) -> &'d [u8] {
        match self {
            Self::Stored(bytes) => bytes,
            Self::Deflated(deflated) => deflated.compressed,
        }
    }

    /// Returns whether digests that will be needed are better computed by a reader that holds the bytes anyway: compressed
    /// ones are then not inflated again.
    pub fn is_digested_early(&self) -> bool {
        matches!(self, Self::Deflated(deflated) if deflated.size <= LARGE)
    }

    /// Returns the bytes of the entry `name`, which are borrowed where they are stored, and at most `limit` otherwise.
    pub fn bytes(&self, name: &str, limit: u64) -> Result<Cow<'d, [u8]>, ZipError> {
        let deflated = match self {
            Self::Stored(bytes) => return Ok(Cow::Borrowed(bytes)),
            Self::Deflated(deflated) => deflated,
        };
        if deflated.size > limit {
            return Err(ZipError::TooLarge { name: name.into(), size: deflated.size, limit });
        }
        // Bounded by the limit, and by what compressed bytes may stand for.
        let bytes = deflated.whole().map_err(|_| ZipError::NotAsStated { name: name.into() })?;
        Ok(Cow::Owned(bytes))
    }
}

/// Where an entry and its header are.
struct Place<'d> {
    entry: Entry<'d>,
    directory: bool,
    start: u64,
    end: u64,
    /// The size of the data descriptor behind the data (§4.3.9).
    descriptor: u64,
    /// Its name in the code page, where a header does not say that it is UTF-8, and that is another one.
    in_code_page: Option<String>,
    irregularities: Vec<Irregularity>,
}

impl<'d> Archive<'d> {
    /// Reads a ZIP file.
    ///
    /// # Errors
    ///
    /// [`ZipError`] where its structure is broken, ambiguous, or larger than the budget.
    pub fn read(bytes: &'d [u8], budget: &Budget) -> Result<Self, ZipError> {
        let work = Rc::new(DigestWork::of(budget, bytes.len() as u64));
        Self::read_with(bytes, budget, &work, &Sequential)
    }

    /// Reads a ZIP file; its contents are digested on `executor`, and their digests taken from `work`.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn read_with(
        bytes: &'d [u8],
        budget: &Budget,
        work: &Rc<DigestWork>,
        executor: &'d dyn Executor,
    ) -> Result<Self, ZipError> {
        let archive = ZipArchive::from_slice(bytes)?;
        let limit = budget.zip_entries;
        if archive.entries_hint() > limit as u64 {
            return Err(ZipError::TooManyEntries { found: archive.entries_hint(), limit });
        }
        let mut places = vec![];
        let mut entries = archive.entries();
        let mut end = archive.directory_offset();
        while let Some(record) = entries.next_entry()? {
            if places.len() >= limit {
                return Err(ZipError::TooManyEntries { found: places.len() as u64 + 1, limit });
            }
            let size = record_size(bytes, end);
            let written = slice(bytes, end, end + size)?;
            places.push(place(bytes, &archive, &record, written, budget.zip_ratio, work, executor)?);
            end += size;
        }
        crate::order::sort_by_key(&mut places, |place| place.start);
        let mut gaps = apart(&places, bytes, archive.directory_offset())?;
        gaps.extend(behind(bytes, &archive, end, places.len())?);
        let size = places.iter().fold(0u64, |sum, place| sum.saturating_add(place.entry.data.size()));
        let length = bytes.len() as u64;
        if size > UNSUSPICIOUS && size / budget.zip_ratio > length {
            return Err(ZipError::Bombs { size, length, limit: budget.zip_ratio });
        }
        let mut irregularities: Vec<Irregularity> = gaps.iter().map(|gap| uncovered(bytes, gap)).collect();
        irregularities.extend(places.iter_mut().flat_map(|place| std::mem::take(&mut place.irregularities)));
        irregularities.extend(taken_for_others(&places));
        let folders = places.iter().filter(|place| place.directory && place.entry.data.size() > 0);
        let folders_with_bytes = folders.map(|place| place.entry.name.clone()).collect();
        let mut names = HashSet::new();
        let entries = places.into_iter().filter(|place| !place.directory).map(|place| place.entry);
        let entries: Vec<Entry<'d>> = entries.collect();
        if let Some(twice) = entries.iter().find(|entry| !names.insert(entry.name.as_str())) {
            return Err(ZipError::Duplicate { name: twice.name.clone() });
        }
        let comment = String::from_utf8_lossy(archive.comment().as_bytes()).into_owned();
        let comment = Some(comment).filter(|comment| !comment.is_empty());
        Ok(Self { entries, comment, irregularities, folders_with_bytes })
    }
}

/// Reads one record of the central directory and compares it with the local header.
fn place<'d>(
    bytes: &'d [u8],
    archive: &ZipSliceArchive<&'d [u8]>,
    record: &ZipFileHeaderRecord<'_>,
    written: &[u8],
    ratio: u64,
    work: &Rc<DigestWork>,
    executor: &'d dyn Executor,
) -> Result<Place<'d>, ZipError> {
    let name = String::from_utf8_lossy(record.file_path().as_bytes()).into_owned();
    let found = archive.get_entry(record.wayfinder())?;
    if let Some(what) = headers_differ(record, written, &found) {
        return Err(ZipError::HeadersDiffer { name, what });
    }
    let local = found.local_header();
    if record.flags().is_encrypted() || local.flags().is_encrypted() {
        return Err(ZipError::Encrypted { name });
    }
    if leads_out(&name) {
        return Err(ZipError::Path { name });
    }
    let (size, compressed) = (record.uncompressed_size_hint(), record.compressed_size_hint());
    if size > UNSUSPICIOUS && size / ratio > compressed {
        return Err(ZipError::Bomb { name, size, compressed, limit: ratio });
    }
    let (start, end) = found.compressed_data_range();
    let data = slice(bytes, start, end)?;
    let method = record.compression_method();
    let data = match method {
        CompressionMethod::STORE if size != compressed => return Err(ZipError::NotAsStated { name }),
        CompressionMethod::STORE => Data::Stored(data),
        CompressionMethod::DEFLATE => Data::Deflated(Deflated { compressed: data, size, crc: record.crc32() }),
        method => return Err(ZipError::Method { name, method: method.to_string().to_lowercase() }),
    };
    let directory = name.ends_with('/');
    let irregularities = extracted(&name, record, &found);
    let descriptor = if local.flags().has_data_descriptor() { descriptor(bytes, end, record) } else { 0 };
    let start = record.local_header_offset();
    let in_code_page = in_code_page(record, written, slice(bytes, start, end)?);
    Ok(Place {
        entry: Entry::new(name, data, work, executor),
        directory,
        start,
        end,
        descriptor,
        in_code_page,
        irregularities,
    })
}

/// §4.3.12: what the local header says otherwise than the directory.
fn headers_differ(record: &ZipFileHeaderRecord<'_>, written: &[u8], found: &ZipSliceEntry<'_>) -> Option<&'static str> {
    let local = found.local_header();
    if local.file_path().as_bytes() != record.file_path().as_bytes() {
        return Some("name");
    }
    if local.compression_method() != record.compression_method() {
        return Some("compression method");
    }
    // §4.4.4 bit 3: then what the local header lacks stands behind the data, and nothing else may be said here.
    let later = local.flags().has_data_descriptor();
    let agrees = |here: u64, there: u64| here == there || later && here == 0;
    let (size, compressed) = (record.uncompressed_size_hint(), record.compressed_size_hint());
    if !agrees(local.uncompressed_size_hint(), size) || !agrees(local.compressed_size_hint(), compressed) {
        return Some("size");
    }
    if !agrees(local.crc32().into(), record.crc32().into()) {
        return Some("checksum");
    }
    // §4.5.3: some readers take the sizes from the extra field, whatever the header says.
    let stated = [24, 20, 42].map(|at| number(written, at, 4));
    let differ = zip64_differs(record.extra_fields(), stated, [size, compressed], false)
        || zip64_differs(local.extra_fields(), [None; 3], [size, compressed], later);
    differ.then_some("size")
}

/// §4.4.4 bit 11: the name in the code page, where one of the headers does not say that it is UTF-8.
fn in_code_page(record: &ZipFileHeaderRecord<'_>, written: &[u8], local: &[u8]) -> Option<String> {
    let is_utf8 = |flags: Option<u64>| flags.is_some_and(|flags| flags & UTF8 != 0);
    let is_said = is_utf8(number(written, 8, 2)) && is_utf8(number(local, 6, 2));
    let name = record.file_path().as_bytes();
    (!is_said && !name.is_ascii()).then(|| code_page::decoded(name))
}

/// §4.4.4 bit 11: entries whose names are those of others to readers that take what is not said to be UTF-8 for the code page.
fn taken_for_others(places: &[Place<'_>]) -> Vec<Irregularity> {
    let doubtful = || places.iter().filter_map(|place| Some((&place.entry.name, place.in_code_page.as_deref()?)));
    if doubtful().next().is_none() {
        return vec![];
    }
    let names: HashSet<&str> = places.iter().map(|place| place.entry.name.as_str()).collect();
    let about = |(name, other): (&String, &str)| {
        let subject = format!("{}, {}", named(name), named(other));
        Irregularity::about(IrregularityKind::AmbiguousFileNames, subject)
    };
    doubtful().filter(|(_, other)| names.contains(other)).map(about).collect()
}

/// Returns the irregularities of an entry that becomes something else than a file of its name when it is extracted.
fn extracted(name: &str, record: &ZipFileHeaderRecord<'_>, found: &ZipSliceEntry<'_>) -> Vec<Irregularity> {
    use IrregularityKind::{AmbiguousFileNames, UnexpectedContainerEntry};
    let mut irregularities = vec![];
    let stored = record.file_path();
    let mut others = [record.extra_fields(), found.local_header().extra_fields()].into_iter().flat_map(unicode_paths);
    // One is enough to say so.
    if let Some(other) = others.find(|other| *other != stored.as_bytes()) {
        let subject = format!("{}, {}", named(name), named(&String::from_utf8_lossy(other)));
        irregularities.push(Irregularity::about(AmbiguousFileNames, subject));
    }
    // §4.4.2, §4.4.15: readers take the upper half for a mode of Unix whatever the host, and some of any host.
    if record.external_attributes() >> 28 == SYMBOLIC_LINK {
        irregularities.push(Irregularity::about(AmbiguousFileNames, format!("{name}: a symbolic link")));
    }
    if name.ends_with('/') && record.uncompressed_size_hint() > 0 {
        irregularities.push(Irregularity::about(UnexpectedContainerEntry, format!("{name}: a folder with bytes")));
    }
    irregularities
}

/// §4.6.9: the names that readers take which know this field. Some of them do not look at its checksum; of several fields
/// some take the first, and some the last.
fn unicode_paths(fields: ExtraFields<'_>) -> impl Iterator<Item = &[u8]> {
    const BEFORE: usize = 5;
    let paths = fields.filter(|(id, _)| *id == ExtraFieldId::INFO_ZIP_UNICODE_PATH);
    paths.filter_map(|(_, field)| field.get(BEFORE..))
}

/// Whether the extra field of ZIP64 states other sizes than those that are read. `stated` are the sizes and the place in the
/// header, where it is known what it says: one of them that is left out there stands first in the field.
fn zip64_differs(fields: ExtraFields<'_>, stated: [Option<u64>; 3], sizes: [u64; 2], later: bool) -> bool {
    let Some((_, field)) = { fields }.find(|(id, _)| *id == ExtraFieldId::ZIP64) else { return false };
    let [size, compressed, place] = stated.map(|stated| stated == Some(u32::MAX.into()));
    if size != compressed || place && !size && field.len() < 16 {
        return false;
    }
    let found = [number(field, 0, 8), number(field, 8, 8)];
    found.iter().zip(sizes).any(|(found, size)| found.is_some_and(|found| found != size && !(later && found == 0)))
}

/// How long what stands behind the data is: with or without its signature, with sizes of four or eight bytes; nothing
/// where it says other than the directory.
fn descriptor(bytes: &[u8], end: u64, record: &ZipFileHeaderRecord<'_>) -> u64 {
    const LONGEST: u64 = 24;
    let Ok(found) = slice(bytes, end, (end + LONGEST).min(bytes.len() as u64)) else { return 0 };
    let (signed, numbers) = match found.strip_prefix(b"PK\x07\x08") {
        Some(rest) => (4, rest),
        None => (0, found),
    };
    let (size, compressed) = (record.uncompressed_size_hint(), record.compressed_size_hint());
    let is = |width: usize| {
        number(numbers, 0, 4) == Some(record.crc32().into())
            && number(numbers, 4, width) == Some(compressed)
            && number(numbers, 4 + width, width) == Some(size)
    };
    match [8, 4].into_iter().find(|width| is(*width)) {
        Some(width) => signed + 4 + 2 * width as u64,
        None => 0,
    }
}

/// A little-endian number of so many bytes.
fn number(bytes: &[u8], at: usize, width: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(width)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// How long the record of the directory there is.
fn record_size(bytes: &[u8], at: u64) -> u64 {
    let Ok(at) = usize::try_from(at) else { return 0 };
    let lengths = [28, 30, 32].map(|field| number(bytes, at.saturating_add(field), 2).unwrap_or_default());
    RECORD_SIZE as u64 + lengths.iter().sum::<u64>()
}

fn slice(bytes: &[u8], start: u64, end: u64) -> Result<&[u8], ZipError> {
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    let slice = range.and_then(|(start, end)| bytes.get(start..end));
    slice.ok_or_else(|| ZipError::Unreadable { found: format!("data end at byte {end}, past the end of the file") })
}

/// Whether no two entries share bytes, and none lies between them that the directory does not have. What else lies
/// between them.
fn apart(places: &[Place<'_>], bytes: &[u8], directory: u64) -> Result<Vec<Range<u64>>, ZipError> {
    let (mut after, mut gaps) = (0, vec![]);
    for (number, place) in places.iter().enumerate() {
        if place.start < after {
            return Err(ZipError::Overlap { name: place.entry.name.clone() });
        }
        gaps.extend(none_between(bytes, after, place.start)?);
        let next = places.get(number + 1).map_or(directory, |next| next.start);
        // Where the next one begins within the descriptor, there is none.
        let described = Some(place.end + place.descriptor).filter(|end| *end <= next);
        after = described.unwrap_or(place.end);
    }
    if let Some(last) = places.last().filter(|last| last.end > directory) {
        return Err(ZipError::Overlap { name: last.entry.name.clone() });
    }
    gaps.extend(none_between(bytes, after, directory)?);
    Ok(gaps)
}

/// What lies behind the directory and is not its end: nothing that is a directory or the end of one as well.
fn behind(
    bytes: &[u8],
    archive: &ZipSliceArchive<&[u8]>,
    directory_end: u64,
    entries: usize,
) -> Result<Vec<Range<u64>>, ZipError> {
    let (end, length) = (archive.eocd_offset(), bytes.len() as u64);
    let between = slice(bytes, directory_end, end)?;
    let there = [Some(entries as u64), Some(directory_end - archive.directory_offset())];
    let mut at = 0;
    let end64 = between.starts_with(END64).then(|| between.get(..END64_SIZE)).flatten();
    if let Some(record) = end64 {
        at += END64_SIZE;
        let stated = [number(record, 32, 8), number(record, 40, 8), number(record, 48, 8)];
        if stated[..2] != there {
            return Err(ZipError::EndDiffers { what: "number or size" });
        }
        agree(bytes, end, stated)?;
        at += between.get(at..).filter(|rest| rest.starts_with(LOCATOR64)).map_or(0, |_| LOCATOR64_SIZE);
    } else {
        agree(bytes, end, [there[0], there[1], None])?;
    }
    other_directory(bytes, archive, number(end64.unwrap_or_default(), 48, 8), end)?;
    let mut gaps = vec![];
    gaps.extend(none_between(bytes, directory_end + at.min(between.len()) as u64, end)?);
    gaps.extend(none_between(bytes, archive.end_offset().min(length), length)?);
    // The comment belongs to the structure, but a directory in it is what some readers find first.
    none_between(bytes, archive.end_offset() - archive.comment().as_bytes().len() as u64, archive.end_offset())?;
    Ok(gaps)
}

/// §4.4.1.4: what the end record says, where it says anything.
fn agree(bytes: &[u8], end: u64, stated: [Option<u64>; 3]) -> Result<(), ZipError> {
    let end = usize::try_from(end).unwrap_or(usize::MAX);
    for ((at, width, what), stated) in
        [(10, 2, "number of entries"), (12, 4, "size of the directory"), (16, 4, "place of the directory")]
            .into_iter()
            .zip(stated)
    {
        let said = number(bytes, end.saturating_add(at), width);
        let left_out = said == Some((1 << (8 * width)) - 1);
        if stated.is_some() && said != stated && !left_out {
            return Err(ZipError::EndDiffers { what });
        }
    }
    Ok(())
}

/// §4.4.24: where the directory is stated to begin no other one may be than that which is read.
fn other_directory(
    bytes: &[u8],
    archive: &ZipSliceArchive<&[u8]>,
    zip64: Option<u64>,
    end: u64,
) -> Result<(), ZipError> {
    let end = usize::try_from(end).unwrap_or(usize::MAX);
    let stated = zip64.or_else(|| number(bytes, end.saturating_add(16), 4)).unwrap_or_default();
    let there = usize::try_from(stated).ok().and_then(|at| bytes.get(at..)).unwrap_or_default();
    if stated != archive.directory_offset() && DIRECTORY.iter().any(|begin| there.starts_with(begin)) {
        return Err(ZipError::SecondDirectory { offset: stated });
    }
    Ok(())
}

/// Between entries, in front and behind nothing may be that is an entry or a directory. What else there is.
fn none_between(bytes: &[u8], start: u64, end: u64) -> Result<Option<Range<u64>>, ZipError> {
    let gap = slice(bytes, start, end)?;
    for at in memchr::memmem::find_iter(gap, b"PK") {
        let (there, offset) = (gap.get(at..).unwrap_or_default(), start + at as u64);
        if there.starts_with(LOCAL) {
            return Err(ZipError::Hidden { offset });
        }
        if DIRECTORY.iter().any(|begin| there.starts_with(begin)) {
            return Err(ZipError::SecondDirectory { offset });
        }
    }
    // Zeros fill, and say nothing.
    Ok(gap.iter().any(|byte| *byte != 0).then_some(start..end))
}

/// The bytes that belong to nothing.
fn uncovered(bytes: &[u8], gap: &Range<u64>) -> Irregularity {
    let found = slice(bytes, gap.start, gap.end).map(crate::document::preview).unwrap_or_default();
    let length = gap.end - gap.start;
    let subject = format!("{length} bytes at byte {} of the ZIP file, which begin with {found}", gap.start);
    Irregularity::about(IrregularityKind::UncoveredOctets, subject)
}

/// §4.4.17.1: no drive, no root, no way up.
fn leads_out(name: &str) -> bool {
    name.starts_with(['/', '\\']) || name.contains('\0') || name.split(['/', '\\']).any(|part| part == "..")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Made, Zip};
    use super::*;

    fn read(zip: &[u8]) -> Result<Vec<String>, String> {
        let archive = Archive::read(zip, &Budget::default()).map_err(|error| error.to_string())?;
        Ok(archive.entries.into_iter().map(|entry| entry.name).collect())
    }

    #[test]
    fn structure() {
        let two = || Zip::of(&[("mimetype", b"m"), ("a.txt", b"some text, some text")]);
        let with = |change: fn(&mut Made)| {
            let mut zip = two();
            change(&mut zip.entries[1]);
            read(&zip.bytes())
        };
        let names = |names: &[&str]| Ok(names.iter().map(|name| (*name).to_string()).collect::<Vec<_>>());
        let both = || names(&["mimetype", "a.txt"]);
        for (clause, situation, found, expected) in [
            ("4.3.6", "as written", read(&two().bytes()), both()),
            ("4.4.5", "deflated", with(|entry| entry.deflate()), both()),
            ("4.3.9", "streamed", with(|entry| entry.streamed = true), both()),
            ("4.3.14", "ZIP64", read(&Zip { zip64: true, ..two() }.bytes()), both()),
            ("4.1.9", "a program in front", read(&[b"#!/bin/sh\n", &two().bytes()[..]].concat()), both()),
            ("4.3.12", "a comment", read(&Zip { comment: "c".into(), ..two() }.bytes()), both()),
            (
                "4.3.12",
                "another local name",
                with(|entry| entry.local_name = "b.txt".into()),
                Err("the entry a.txt has another name in its local header than in the central directory".into()),
            ),
            (
                "4.4.9",
                "another local size",
                with(|entry| entry.local_size = Some(7)),
                Err("the entry a.txt has another size in its local header than in the central directory".into()),
            ),
            (
                "4.4.7",
                "another local checksum",
                with(|entry| entry.local_crc = Some(7)),
                Err("the entry a.txt has another checksum in its local header than in the central directory".into()),
            ),
            (
                "4.4.17",
                "a name twice",
                with(|entry| (entry.name, entry.local_name) = ("mimetype".into(), "mimetype".into())),
                Err("the ZIP file has two entries of the name mimetype, expected one".into()),
            ),
            (
                "4.4.17.1",
                "a way up",
                with(|entry| (entry.name, entry.local_name) = ("a/../../b".into(), "a/../../b".into())),
                Err("the entry a/../../b has a name that leads out of the container".into()),
            ),
            (
                "4.4.17.1",
                "a root",
                with(|entry| (entry.name, entry.local_name) = ("/etc/x".into(), "/etc/x".into())),
                Err("the entry /etc/x has a name that leads out of the container".into()),
            ),
            (
                "4.4.4",
                "encrypted",
                with(|entry| entry.flags = 1),
                Err("the entry a.txt is encrypted, and cannot be read".into()),
            ),
            (
                "4.4.5",
                "another method",
                with(|entry| entry.method = 12),
                Err("the entry a.txt is compressed with 12 (bzip2); stored and deflated ones are read".into()),
            ),
            (
                "4.3.12",
                "left out of the directory",
                with(|entry| entry.listed = false),
                Err("the ZIP file has an entry at byte 39 that is not in its central directory".into()),
            ),
            (
                "4.4.16",
                "two entries in one place",
                read(&Zip { overlap: true, ..two() }.bytes()),
                Err("the entry b.txt lies on the one before it, expected it after".into()),
            ),
            (
                "4.3.16",
                "cut off",
                read(&two().bytes()[..60]),
                Err("the ZIP file cannot be read: missing end of central directory".into()),
            ),
        ] {
            assert_eq!(found, expected, "APPNOTE {clause} {situation}");
        }
    }

    #[test]
    fn bombs() {
        let zeros = vec![0; 16 << 20];
        let mut zip = Zip::of(&[("zeros", &zeros)]);
        zip.entries[0].deflate();
        let bomb = zip.bytes();
        assert!(bomb.len() < 100_000);
        let found = read(&bomb).unwrap_err();
        assert!(found.ends_with("at most 100 times as many are read"), "4.4.9 one entry: {found}");

        // Each of them below suspicion.
        let names: Vec<String> = (0..200).map(|n| format!("{n}")).collect();
        let small: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &zeros[..1_000_000])).collect();
        let mut zip = Zip::of(&small);
        zip.entries.iter_mut().for_each(Made::deflate);
        let found = read(&zip.bytes()).unwrap_err();
        assert!(found.starts_with("the entries have 200000000 bytes"), "4.4.9 all together: {found}");

        let names: Vec<String> = (0..100_000).map(|n| format!("{n}")).collect();
        let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
        let found = read(&Zip { zip64: true, ..Zip::of(&many) }.bytes()).unwrap_err();
        assert_eq!(found, "the ZIP file has 100000 entries, and at most 10000 are read");
    }

    #[test]
    fn what_is_stated_holds() {
        let mut zip = Zip::of(&[("a", b"some text, some text, some text")]);
        zip.entries[0].deflate();
        zip.entries[0].crc ^= 1;
        let bytes = zip.bytes();
        let archive = Archive::read(&bytes, &Budget::default()).unwrap();
        let found = archive.entries[0].bytes(100).unwrap_err();
        assert_eq!(found, ZipError::NotAsStated { name: "a".into() }, "4.4.7");
        assert_eq!(
            archive.entries[0].bytes(10).unwrap_err(),
            ZipError::TooLarge { name: "a".into(), size: 31, limit: 10 }
        );
    }
}
