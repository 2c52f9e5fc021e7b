//! What the two headers of an entry say: that they agree, and that no reader takes them otherwise. APPNOTE §4.3.7, §4.3.12, §4.4, §4.5.

use super::super::code_page;
use super::super::name::named;
use super::{Data, Entry, Place, UNSUSPICIOUS, ZipError, number, slice};
use crate::facts::{Irregularity, IrregularityKind};
use crate::formats::Deflated;
use crate::formats::digest_work::DigestWork;
use crate::formats::relay::Relay;
use rawzip::extra_fields::{ExtraFieldId, ExtraFields};
use rawzip::{CompressionMethod, ZipFileHeaderRecord, ZipSliceArchive, ZipSliceEntry};
use std::rc::Rc;

/// The bit of the flags that says that a name is UTF-8 (§4.4.4).
const UTF8: u64 = 1 << 11;
/// The bits that say that the bytes, or what the local header says of them, are encrypted (§4.4.4: 0, 6 and 13).
const ENCRYPTED: u64 = 1 | 1 << 6 | 1 << 13;
/// The newest version that a reader may need (§4.4.3.2), of which the lower byte counts.
const NEWEST: u64 = 63;
/// Types in the mode of a file, of which they are the uppermost four bits (POSIX.1-2017, `S_IFMT`).
const FOLDER: u32 = 0x4;
const REGULAR: u32 = 0x8;
const SYMBOLIC_LINK: u32 = 0xA;
/// The attribute of a folder in FAT, which readers of any host look at (§4.4.15).
const FAT_FOLDER: u32 = 0x10;

/// Reads one record of the central directory and compares it with the local header.
pub(super) fn place<'d>(
    bytes: &'d [u8],
    archive: &ZipSliceArchive<&'d [u8]>,
    record: &ZipFileHeaderRecord<'_>,
    written: &[u8],
    ratio: u64,
    work: &Rc<DigestWork>,
    relay: Option<&'d Relay<'d>>,
) -> Result<Place<'d>, ZipError> {
    let name = String::from_utf8_lossy(record.file_path().as_bytes()).into_owned();
    let found = archive.get_entry(record.wayfinder())?;
    if let Some(what) = headers_differ(record, written, &found) {
        return Err(ZipError::HeadersDiffer { name, what });
    }
    let local = found.local_header();
    let header = slice(bytes, record.local_header_offset(), found.compressed_data_range().0)?;
    let is_encrypted = |flags: Option<u64>| flags.is_none_or(|flags| flags & ENCRYPTED != 0);
    if is_encrypted(number(written, 8, 2)) || is_encrypted(number(header, 6, 2)) {
        return Err(ZipError::Encrypted { name });
    }
    let needed = number(written, 6, 1).max(number(header, 4, 1)).unwrap_or_default();
    if needed > NEWEST {
        return Err(ZipError::Version { name, version: format!("{}.{}", needed / 10, needed % 10) });
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
        entry: Entry::new(name, data, work, relay),
        directory,
        start,
        end,
        descriptor,
        in_code_page,
        irregularities,
    })
}

/// Returns in what the local header differs from the directory (§4.3.12).
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
    // §4.4.13: there is one disk.
    if !matches!(number(written, 34, 2), Some(0 | 0xffff)) {
        return Some("disk");
    }
    // §4.5.3: some readers take the sizes from the extra field, whatever the header says.
    let stated = [24, 20, 42].map(|at| number(written, at, 4));
    let place = stated[2].filter(|place| *place != u64::from(u32::MAX));
    let differ = zip64_differs(record.extra_fields(), stated, [size, compressed], place, false)
        || zip64_differs(local.extra_fields(), [None; 3], [size, compressed], None, later);
    differ.then_some("size")
}

/// Returns the name in the code page, where one of the headers does not say that it is UTF-8 (§4.4.4 bit 11).
fn in_code_page(record: &ZipFileHeaderRecord<'_>, written: &[u8], local: &[u8]) -> Option<String> {
    let is_utf8 = |flags: Option<u64>| flags.is_some_and(|flags| flags & UTF8 != 0);
    let is_said = is_utf8(number(written, 8, 2)) && is_utf8(number(local, 6, 2));
    let name = record.file_path().as_bytes();
    (!is_said && !name.is_ascii()).then(|| code_page::decoded(name))
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
    if let Some(other) = other_than_file(name, record.external_attributes()) {
        irregularities.push(Irregularity::about(AmbiguousFileNames, format!("{name}: {other}")));
    }
    if name.ends_with('/') && record.uncompressed_size_hint() > 0 {
        irregularities.push(Irregularity::about(UnexpectedContainerEntry, format!("{name}: a folder with bytes")));
    }
    irregularities
}

/// Returns what an entry is by its attributes, where that is neither a file nor a folder of its name (§4.4.2, §4.4.15).
/// Readers take the upper half for a mode of Unix whatever the host, and the lower one for attributes of FAT.
fn other_than_file(name: &str, attributes: u32) -> Option<&'static str> {
    let is_folder = name.ends_with('/');
    match attributes >> 28 {
        SYMBOLIC_LINK => Some("a symbolic link"),
        FOLDER if !is_folder => Some("a folder"),
        0 | FOLDER | REGULAR if attributes & FAT_FOLDER != 0 && !is_folder => Some("a folder"),
        0 | FOLDER | REGULAR => None,
        _ => Some("no file"),
    }
}

/// Returns the names that readers of this field take (§4.6.9). Some of them do not look at its checksum; of several
/// fields some take the first, and some the last.
fn unicode_paths(fields: ExtraFields<'_>) -> impl Iterator<Item = &[u8]> {
    const BEFORE: usize = 5;
    let paths = fields.filter(|(id, _)| *id == ExtraFieldId::INFO_ZIP_UNICODE_PATH);
    paths.filter_map(|(_, field)| field.get(BEFORE..))
}

/// Returns whether the extra field of ZIP64 states other sizes or another place than those that are read, or there are
/// two of it. `stated` are the sizes and the place in the header, where it is known what it says: one of them that is
/// left out there stands first in the field.
fn zip64_differs(
    fields: ExtraFields<'_>,
    stated: [Option<u64>; 3],
    sizes: [u64; 2],
    at: Option<u64>,
    later: bool,
) -> bool {
    let mut fields = fields.filter(|(id, _)| *id == ExtraFieldId::ZIP64);
    let Some((_, field)) = fields.next() else { return false };
    if fields.next().is_some() {
        return true;
    }
    let [size, compressed, place] = stated.map(|stated| stated == Some(u32::MAX.into()));
    if size != compressed || place && !size && field.len() < 16 {
        return false;
    }
    let found = [number(field, 0, 8), number(field, 8, 8)];
    let placed = number(field, 16, 8).zip(at).is_some_and(|(found, at)| found != at);
    let disk = number(field, 24, 4).is_some_and(|disk| disk != 0);
    let differ =
        |(found, size): (&Option<u64>, u64)| found.is_some_and(|found| found != size && !(later && found == 0));
    placed || disk || found.iter().zip(sizes).any(differ)
}

/// Returns the length of the descriptor behind the data: with or without its signature, with sizes of four or eight
/// bytes; 0 where it says other than the directory.
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

/// Returns whether a name leads out of the folder: it may have no drive, no root, no way up (§4.4.17.1).
fn leads_out(name: &str) -> bool {
    let is_on_drive = matches!(name.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    is_on_drive
        || name.starts_with(['/', '\\'])
        || name.contains('\0')
        || name.split(['/', '\\']).any(|part| part == "..")
}
