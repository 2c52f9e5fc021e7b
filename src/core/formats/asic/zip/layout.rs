//! What lies where in the file: entries that share nothing, one directory, one end of it. APPNOTE §4.3.

use super::{Place, ZipError, number, slice};
use crate::facts::{Irregularity, IrregularityKind};
use rawzip::ZipSliceArchive;
use std::ops::Range;

/// The signature of a local header (APPNOTE §4.3.7).
const LOCAL: &[u8] = b"PK\x03\x04";
/// The signatures of the directory, of its end, and of those of ZIP64 (§4.3.12, §4.3.14 to §4.3.16).
const DIRECTORY: [&[u8]; 4] = [b"PK\x01\x02", b"PK\x05\x06", END64, LOCATOR64];
const END64: &[u8] = b"PK\x06\x06";
const LOCATOR64: &[u8] = b"PK\x06\x07";
/// The sizes of these records without their parts of variable length.
const LOCATOR64_SIZE: usize = 20;
const END64_SIZE: usize = 56;

/// Checks that no two entries share bytes, and none lies between them that the directory does not have. Returns what
/// else lies between them.
pub(super) fn apart(places: &[Place<'_>], bytes: &[u8], directory: u64) -> Result<Vec<Range<u64>>, ZipError> {
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

/// Returns what lies behind the directory and is not its end, after a check that none of it is a directory or the end
/// of one as well.
pub(super) fn behind(
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
        agree_64(record, between.get(END64_SIZE..).unwrap_or_default(), directory_end, there)?;
        agree(bytes, end, [there[0], there[1], number(record, 48, 8)], true)?;
        at = END64_SIZE + LOCATOR64_SIZE;
    } else {
        agree(bytes, end, [there[0], there[1], None], false)?;
    }
    other_directory(bytes, archive, number(end64.unwrap_or_default(), 48, 8), end)?;
    let mut gaps = vec![];
    gaps.extend(none_between(bytes, directory_end + at.min(between.len()) as u64, end)?);
    gaps.extend(none_between(bytes, archive.end_offset().min(length), length)?);
    // The comment belongs to the structure, but a directory in it is what some readers find first.
    none_between(bytes, archive.end_offset() - archive.comment().as_bytes().len() as u64, archive.end_offset())?;
    Ok(gaps)
}

/// Checks what the end record says: one disk, and what is there (§4.4.1.4, §4.4.19 to §4.4.24). Only beside a record of
/// ZIP64 it may leave that to it.
fn agree(bytes: &[u8], end: u64, stated: [Option<u64>; 3], zip64: bool) -> Result<(), ZipError> {
    let end = usize::try_from(end).unwrap_or(usize::MAX);
    let [entries, size, place] = stated;
    for (at, width, what, stated) in [
        (4, 2, "disk", Some(0)),
        (6, 2, "disk of the directory", Some(0)),
        (8, 2, "number of entries on this disk", entries),
        (10, 2, "number of entries", entries),
        (12, 4, "size of the directory", size),
        (16, 4, "place of the directory", place),
    ] {
        let said = number(bytes, end.saturating_add(at), width);
        let left_out = zip64 && said == Some((1 << (8 * width)) - 1);
        if stated.is_some() && said != stated && !left_out {
            return Err(ZipError::EndDiffers { what });
        }
    }
    Ok(())
}

/// Checks what the end record of ZIP64 says, and the locator behind it, by which readers find it (§4.3.14, §4.3.15).
fn agree_64(record: &[u8], locator: &[u8], begins: u64, there: [Option<u64>; 2]) -> Result<(), ZipError> {
    let [entries, size] = there;
    let is_located = locator.starts_with(LOCATOR64) && number(locator, 16, 4).is_some_and(|disks| disks <= 1);
    for (said, what, stated) in [
        (number(record, 4, 8), "size of the record of ZIP64", Some(END64_SIZE as u64 - 12)),
        (number(record, 16, 4), "disk", Some(0)),
        (number(record, 20, 4), "disk of the directory", Some(0)),
        (number(record, 24, 8), "number of entries on this disk", entries),
        (number(record, 32, 8), "number of entries", entries),
        (number(record, 40, 8), "size of the directory", size),
        (number(locator, 4, 4), "disk of the record of ZIP64", Some(0)),
        (number(locator, 8, 8).filter(|_| is_located), "place of the record of ZIP64", Some(begins)),
    ] {
        if said != stated {
            return Err(ZipError::EndDiffers { what });
        }
    }
    Ok(())
}

/// Refuses another directory than that which is read, where the directory is stated to begin (§4.4.24).
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

/// Checks that no entry or directory lies between entries, in front or behind; returns what else there is.
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

/// Notes the bytes that belong to nothing.
pub(super) fn uncovered(bytes: &[u8], gap: &Range<u64>) -> Irregularity {
    let found = slice(bytes, gap.start, gap.end).map(crate::document::preview).unwrap_or_default();
    let length = gap.end - gap.start;
    let subject = format!("{length} bytes at byte {} of the ZIP file, which begin with {found}", gap.start);
    Irregularity::about(IrregularityKind::UncoveredOctets, subject)
}
