//! ZIP files as containers need them: no entry that some readers see and others do not. APPNOTE 6.3.10.
//!
//! A signature over a container is over names and octets. Where a file can be read in two ways (a local header that
//! differs from the central directory, two entries of one name, entries that lie on each other, entries that the
//! directory leaves out), what one reader verifies another one does not open. Such files are refused.

use crate::budget::Budget;
use crate::formats::Deflated;
use crate::formats::cms::{Content, LARGE};
use rawzip::{CompressionMethod, ZipArchive, ZipFileHeaderRecord, ZipSliceArchive};
use std::borrow::Cow;
use std::collections::HashSet;

/// Octets up to which an entry may be compressed at any ratio: what they cost is nothing.
const UNSUSPICIOUS: u64 = 1 << 20;
/// How a local header begins (APPNOTE §4.3.7).
const LOCAL: &[u8] = b"PK\x03\x04";

/// A ZIP file whose structure has been checked.
#[derive(Debug, Clone)]
pub struct Archive<'d> {
    /// The entries in the order in which they lie in the file, directories left out.
    pub entries: Vec<Entry<'d>>,
    /// The comment of the file; `None` where it is empty.
    pub comment: Option<String>,
}

/// One entry.
#[derive(Debug, Clone)]
pub struct Entry<'d> {
    /// Its name.
    pub name: String,
    /// Its octets as they lie in the file.
    pub data: Data<'d>,
    content: Content<'d>,
}

/// How the octets of an entry lie in the file.
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
    /// §4.4.9: far more octets than were compressed.
    #[error(
        "the entry {name} has {size} octets in {compressed} compressed ones; at most {limit} times as many are read"
    )]
    Bomb { name: String, size: u64, compressed: u64, limit: u64 },
    /// The same of all entries together.
    #[error("the entries have {size} octets in a file of {length}; at most {limit} times as many are read")]
    Bombs { size: u64, length: u64, limit: u64 },
    /// §4.3.12: the local header says other than the central directory.
    #[error("the entry {name} has another {what} in its local header than in the central directory")]
    HeadersDiffer { name: String, what: &'static str },
    /// §4.4.17: one name for two entries.
    #[error("the ZIP file has two entries of the name {name}, expected one")]
    Duplicate { name: String },
    /// Octets that belong to two entries.
    #[error("the entry {name} lies on the one before it, expected it after")]
    Overlap { name: String },
    /// An entry that the central directory does not have.
    #[error("the ZIP file has an entry at octet {offset} that is not in its central directory")]
    Hidden { offset: u64 },
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
    #[error("the entry {name} is not what its header says: other octets, or another number of them")]
    NotAsStated { name: String },
    /// An entry that has to be held, and is too large for that.
    #[error("the entry {name} has {size} octets; of signatures and manifests at most {limit} are read")]
    TooLarge { name: String, size: u64, limit: u64 },
}

impl From<rawzip::Error> for ZipError {
    fn from(error: rawzip::Error) -> Self {
        Self::Unreadable { found: error.to_string().to_lowercase() }
    }
}

impl<'d> Entry<'d> {
    fn new(name: String, data: Data<'d>) -> Self {
        let content = match data {
            Data::Stored(octets) => Content::pieces(vec![octets]),
            Data::Deflated(deflated) => Content::deflated(deflated),
        };
        Self { content: content.named(Some(name.clone())), name, data }
    }

    /// Its octets as a content, to be digested without being held, and under each function once.
    pub fn content(&self) -> &Content<'d> {
        &self.content
    }

    /// Its octets, as [`Data::octets`].
    pub fn octets(&self, limit: u64) -> Result<Cow<'d, [u8]>, ZipError> {
        self.data.octets(&self.name, limit)
    }
}

impl<'d> Data<'d> {
    /// How many octets they are, as stated.
    pub fn size(&self) -> u64 {
        match self {
            Self::Stored(octets) => octets.len() as u64,
            Self::Deflated(deflated) => deflated.size,
        }
    }

    /// Whether digests that will be asked for are better made by whoever holds the octets anyway: compressed ones are
    /// then not inflated again.
    pub fn is_digested_early(&self) -> bool {
        matches!(self, Self::Deflated(deflated) if deflated.size <= LARGE)
    }

    /// The octets of the entry of that name, borrowed where they are stored, at most `limit` otherwise.
    pub fn octets(&self, name: &str, limit: u64) -> Result<Cow<'d, [u8]>, ZipError> {
        let deflated = match self {
            Self::Stored(octets) => return Ok(Cow::Borrowed(octets)),
            Self::Deflated(deflated) => deflated,
        };
        if deflated.size > limit {
            return Err(ZipError::TooLarge { name: name.into(), size: deflated.size, limit });
        }
        // Bounded by the limit, and by what compressed octets may stand for.
        let octets = deflated.whole().map_err(|_| ZipError::NotAsStated { name: name.into() })?;
        Ok(Cow::Owned(octets))
    }
}

/// Where an entry lies, with its header.
struct Place<'d> {
    entry: Entry<'d>,
    directory: bool,
    start: u64,
    end: u64,
}

impl<'d> Archive<'d> {
    /// Reads a ZIP file.
    ///
    /// # Errors
    ///
    /// [`ZipError`] where its structure is broken, ambiguous, or larger than the budget.
    pub fn read(octets: &'d [u8], budget: &Budget) -> Result<Self, ZipError> {
        let archive = ZipArchive::from_slice(octets)?;
        let limit = budget.zip_entries;
        if archive.entries_hint() > limit as u64 {
            return Err(ZipError::TooManyEntries { found: archive.entries_hint(), limit });
        }
        let mut places = vec![];
        let mut entries = archive.entries();
        while let Some(record) = entries.next_entry()? {
            if places.len() >= limit {
                return Err(ZipError::TooManyEntries { found: places.len() as u64 + 1, limit });
            }
            places.push(place(octets, &archive, &record, budget.zip_ratio)?);
        }
        places.sort_by_key(|place| place.start);
        apart(&places, octets, archive.directory_offset())?;
        let size = places.iter().fold(0u64, |sum, place| sum.saturating_add(place.entry.data.size()));
        let length = octets.len() as u64;
        if size > UNSUSPICIOUS && size / budget.zip_ratio > length {
            return Err(ZipError::Bombs { size, length, limit: budget.zip_ratio });
        }
        let mut names = HashSet::new();
        let entries = places.into_iter().filter(|place| !place.directory).map(|place| place.entry);
        let entries: Vec<Entry<'d>> = entries.collect();
        if let Some(twice) = entries.iter().find(|entry| !names.insert(entry.name.as_str())) {
            return Err(ZipError::Duplicate { name: twice.name.clone() });
        }
        let comment = String::from_utf8_lossy(archive.comment().as_bytes()).into_owned();
        Ok(Self { entries, comment: Some(comment).filter(|comment| !comment.is_empty()) })
    }
}

/// Reads one record of the central directory and compares it with the local header.
fn place<'d>(
    octets: &'d [u8],
    archive: &ZipSliceArchive<&'d [u8]>,
    record: &ZipFileHeaderRecord<'_>,
    ratio: u64,
) -> Result<Place<'d>, ZipError> {
    let name = String::from_utf8_lossy(record.file_path().as_bytes()).into_owned();
    let found = archive.get_entry(record.wayfinder())?;
    let local = found.local_header();
    let differ = |what| Err(ZipError::HeadersDiffer { name: name.clone(), what });
    if local.file_path().as_bytes() != record.file_path().as_bytes() {
        return differ("name");
    }
    if local.compression_method() != record.compression_method() {
        return differ("compression method");
    }
    // §4.4.4 bit 3: then what the local header lacks stands behind the data, and nothing else may be said here.
    let later = local.flags().has_data_descriptor();
    let agrees = |here: u64, there: u64| here == there || later && here == 0;
    let (size, compressed) = (record.uncompressed_size_hint(), record.compressed_size_hint());
    if !agrees(local.uncompressed_size_hint(), size) || !agrees(local.compressed_size_hint(), compressed) {
        return differ("size");
    }
    if !agrees(local.crc32().into(), record.crc32().into()) {
        return differ("checksum");
    }
    if record.flags().is_encrypted() || local.flags().is_encrypted() {
        return Err(ZipError::Encrypted { name });
    }
    if leads_out(&name) {
        return Err(ZipError::Path { name });
    }
    if size > UNSUSPICIOUS && size / ratio > compressed {
        return Err(ZipError::Bomb { name, size, compressed, limit: ratio });
    }
    let (start, end) = found.compressed_data_range();
    let data = slice(octets, start, end)?;
    let method = record.compression_method();
    let data = match method {
        CompressionMethod::STORE if size != compressed => return Err(ZipError::NotAsStated { name }),
        CompressionMethod::STORE => Data::Stored(data),
        CompressionMethod::DEFLATE => Data::Deflated(Deflated { compressed: data, size, crc: record.crc32() }),
        method => return Err(ZipError::Method { name, method: method.to_string().to_lowercase() }),
    };
    let directory = name.ends_with('/');
    Ok(Place { entry: Entry::new(name, data), directory, start: record.local_header_offset(), end })
}

fn slice(octets: &[u8], start: u64, end: u64) -> Result<&[u8], ZipError> {
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    let slice = range.and_then(|(start, end)| octets.get(start..end));
    slice.ok_or_else(|| ZipError::Unreadable { found: format!("data end at octet {end}, past the end of the file") })
}

/// Whether no two entries share octets, and none lies between them that the directory does not have.
fn apart(places: &[Place<'_>], octets: &[u8], directory: u64) -> Result<(), ZipError> {
    let mut after = 0;
    for place in places {
        if place.start < after {
            return Err(ZipError::Overlap { name: place.entry.name.clone() });
        }
        none_between(octets, after, place.start)?;
        after = place.end;
    }
    if let Some(last) = places.last().filter(|last| last.end > directory) {
        return Err(ZipError::Overlap { name: last.entry.name.clone() });
    }
    none_between(octets, after, directory)
}

/// Between entries a data descriptor may stand, and in front of all of them a program that unpacks them; no entry.
fn none_between(octets: &[u8], start: u64, end: u64) -> Result<(), ZipError> {
    let gap = slice(octets, start, end)?;
    match memchr::memmem::find(gap, LOCAL) {
        Some(at) => Err(ZipError::Hidden { offset: start + at as u64 }),
        None => Ok(()),
    }
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
            read(&zip.octets())
        };
        let names = |names: &[&str]| Ok(names.iter().map(|name| (*name).to_string()).collect::<Vec<_>>());
        let both = || names(&["mimetype", "a.txt"]);
        for (clause, situation, found, expected) in [
            ("4.3.6", "as written", read(&two().octets()), both()),
            ("4.4.5", "deflated", with(|entry| entry.deflate()), both()),
            ("4.3.9", "streamed", with(|entry| entry.streamed = true), both()),
            ("4.3.14", "ZIP64", read(&Zip { zip64: true, ..two() }.octets()), both()),
            ("4.1.9", "a program in front", read(&[b"#!/bin/sh\n", &two().octets()[..]].concat()), both()),
            ("4.3.12", "a comment", read(&Zip { comment: "c".into(), ..two() }.octets()), both()),
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
                Err("the ZIP file has an entry at octet 39 that is not in its central directory".into()),
            ),
            (
                "4.4.16",
                "two entries in one place",
                read(&Zip { overlap: true, ..two() }.octets()),
                Err("the entry b.txt lies on the one before it, expected it after".into()),
            ),
            (
                "4.3.16",
                "cut off",
                read(&two().octets()[..60]),
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
        let bomb = zip.octets();
        assert!(bomb.len() < 100_000);
        let found = read(&bomb).unwrap_err();
        assert!(found.ends_with("at most 100 times as many are read"), "4.4.9 one entry: {found}");

        // Each of them below suspicion.
        let names: Vec<String> = (0..200).map(|n| format!("{n}")).collect();
        let small: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &zeros[..1_000_000])).collect();
        let mut zip = Zip::of(&small);
        zip.entries.iter_mut().for_each(Made::deflate);
        let found = read(&zip.octets()).unwrap_err();
        assert!(found.starts_with("the entries have 200000000 octets"), "4.4.9 all together: {found}");

        let names: Vec<String> = (0..100_000).map(|n| format!("{n}")).collect();
        let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
        let found = read(&Zip { zip64: true, ..Zip::of(&many) }.octets()).unwrap_err();
        assert_eq!(found, "the ZIP file has 100000 entries, and at most 10000 are read");
    }

    #[test]
    fn what_is_stated_holds() {
        let mut zip = Zip::of(&[("a", b"some text, some text, some text")]);
        zip.entries[0].deflate();
        zip.entries[0].crc ^= 1;
        let octets = zip.octets();
        let archive = Archive::read(&octets, &Budget::default()).unwrap();
        let found = archive.entries[0].octets(100).unwrap_err();
        assert_eq!(found, ZipError::NotAsStated { name: "a".into() }, "4.4.7");
        assert_eq!(
            archive.entries[0].octets(10).unwrap_err(),
            ZipError::TooLarge { name: "a".into(), size: 31, limit: 10 }
        );
    }
}
