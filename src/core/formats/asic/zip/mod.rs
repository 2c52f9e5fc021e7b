//! ZIP files as containers need them: no entry that some readers see and others do not. APPNOTE 6.3.10.
//!
//! A signature over a container covers names and bytes. Where a file can be read in two ways (a local header that differs
//! from the central directory, two entries of one name, entries that overlap, entries that the directory does not have),
//! the file that one reader verifies is not the one that another reader opens. Such files are refused. Bytes around the
//! entries, and entries that become something else when they are extracted, are reported.

mod headers;
mod layout;

use super::name::named;
use crate::budget::Budget;
use crate::facts::{Irregularity, IrregularityKind};
use crate::formats::Deflated;
use crate::formats::content::{Content, LARGE};
use crate::formats::digest_work::DigestWork;
use crate::formats::relay::Relay;
use headers::place;
use layout::{apart, behind, uncovered};
use rawzip::ZipArchive;
use std::borrow::Cow;
use std::collections::HashSet;
use std::rc::Rc;

/// The size up to which an entry may be compressed at any ratio: so few bytes cost nothing.
const UNSUSPICIOUS: u64 = 1 << 20;
/// The size of a record of the directory without its parts of variable length (§4.3.12).
const RECORD_SIZE: usize = 46;

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
    /// §4.4.3: for readers of a version that there is not, which others pass over.
    #[error("the entry {name} needs version {version} of ZIP, and 6.3 is the last one")]
    Version { name: String, version: String },
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
    fn new(name: String, data: Data<'d>, work: &Rc<DigestWork>, relay: Option<&'d Relay<'d>>) -> Self {
        let content = match data {
            Data::Stored(bytes) => Content::pieces(vec![bytes]),
            Data::Deflated(deflated) => Content::deflated(deflated, relay),
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
        Self::read_with(bytes, budget, &work, None)
    }

    /// Reads a ZIP file; its contents are digested on the threads of `relay`, and their digests taken from `work`.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn read_with(
        bytes: &'d [u8],
        budget: &Budget,
        work: &Rc<DigestWork>,
        relay: Option<&'d Relay<'d>>,
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
            places.push(place(bytes, &archive, &record, written, budget.zip_ratio, work, relay)?);
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

/// Finds entries whose names are those of others to readers that take what is not said to be UTF-8 for the code page
/// (§4.4.4 bit 11).
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

/// Returns a little-endian number of so many bytes.
fn number(bytes: &[u8], at: usize, width: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(width)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// Returns how long the record of the directory there is.
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
                "4.4.17.1",
                "a drive",
                with(|entry| (entry.name, entry.local_name) = ("C:a.txt".into(), "C:a.txt".into())),
                Err("the entry C:a.txt has a name that leads out of the container".into()),
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
