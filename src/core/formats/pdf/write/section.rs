//! Cross-references of an update: ISO 32000-1 §7.5.4, §7.5.5, §7.5.8.

use super::error::WriteError;
use super::serialize;
use super::value::{Entries, Value};

/// How an update names its objects: as the section before it does. A reader that knows no streams would not find one
/// after a table; some readers that know them do not find a table after one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A table: also after a hybrid section.
    Table,
    /// A stream.
    Stream,
}

/// An object in use: its number, generation, and the byte of the file where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub number: u32,
    pub generation: u16,
    pub offset: usize,
}

/// An offset in a table has ten digits.
const LARGEST: u64 = 9_999_999_999;

/// Appends a table and its trailer: §7.5.4, §7.5.5.
pub(super) fn table(out: &mut Vec<u8>, rows: &[Row], trailer: &Entries) -> Result<(), WriteError> {
    // The head of the list of free objects, with which tables begin.
    out.extend_from_slice(b"xref\n0 1\n0000000000 65535 f \n");
    for run in rows.chunk_by(|one, next| one.number + 1 == next.number) {
        let first = run.first().map_or(0, |row| row.number);
        out.extend_from_slice(format!("{first} {}\n", run.len()).as_bytes());
        for row in run {
            if row.offset as u64 > LARGEST {
                return Err(WriteError::TooLarge {
                    found: format!("an object at byte {}", row.offset),
                    limit: LARGEST,
                });
            }
            out.extend_from_slice(format!("{:010} {:05} n \n", row.offset, row.generation).as_bytes());
        }
    }
    out.extend_from_slice(b"trailer\n");
    serialize::dictionary(out, trailer, &mut None);
    out.push(b'\n');
    Ok(())
}

/// Appends a stream, of which the last row is its own: §7.5.8. It is never encrypted (§7.5.8.2).
pub(super) fn stream(out: &mut Vec<u8>, rows: &[Row], trailer: Entries) {
    let largest = rows.iter().map(|row| row.offset as u64).max().unwrap_or(0);
    let width = (8 - largest.leading_zeros() as usize / 8).max(1);
    let mut data = Vec::with_capacity(rows.len() * (width + 3));
    let mut index = vec![];
    for run in rows.chunk_by(|one, next| one.number + 1 == next.number) {
        let first = run.first().map_or(0, |row| row.number);
        index.extend([Value::Integer(first.into()), Value::Integer(run.len() as i64)]);
        for row in run {
            data.push(1);
            data.extend_from_slice(&(row.offset as u64).to_be_bytes()[8 - width..]);
            data.extend_from_slice(&row.generation.to_be_bytes());
        }
    }
    let mut entries = Entries::new().with("Type", Value::name("XRef"));
    trailer.iter().for_each(|(key, value)| entries.set(key, value.clone()));
    let widths = [1, width as i64, 2].map(Value::Integer);
    let entries = entries.with("W", widths.to_vec()).with("Index", index).with("Length", data.len() as i64);
    let own = rows.last().map_or((0, 0), |row| (row.number, row.generation));
    out.extend_from_slice(format!("{} {} obj\n", own.0, own.1).as_bytes());
    serialize::dictionary(out, &entries, &mut None);
    out.extend_from_slice(b"\nstream\n");
    out.extend_from_slice(&data);
    out.extend_from_slice(b"\nendstream\nendobj\n");
}
