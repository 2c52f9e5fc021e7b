//! The incremental updates after a signed revision: whether every reader makes the same document of them
//! (ISO 32000-1 §7.5.6).
//!
//! The bytes after a revision have to be well-formed [updates](update), of which the last ends with the last `startxref`
//! of the file. Each has to [agree](agreement) with its own cross-references: its objects stand where these say, under the
//! number and generation that these say, and `/Prev` names the section before. Anything else is a [`Flaw`], which readers
//! may read in different ways.

mod agreement;
#[cfg(test)]
mod tests;
mod update;

use super::characters::is_space;
use super::error::PdfError;
use super::file::{File, header, last_start_xref};
use super::lexer::Lexer;
use super::object::Object;
use super::revision::Revision;
use agreement::Agreement;
use update::Stop;

pub(super) use update::Flaw;

/// The bytes at the end of a file in which readers look for the last `startxref`: ISO 32000-1 annex H.3.18.
const TAIL: usize = 1024;

/// Bounds the flaws reported: one is enough.
const FLAWS: usize = 20;

/// The bytes in which the dictionary of a linearized file stands: ISO 32000-1 annex F.3.3.
const HEAD: usize = 1024;

/// The updates after a revision of a file. Those after a later revision are among them, so that each is read once.
#[derive(Debug, Default)]
pub(super) struct Appended {
    /// The byte where each update starts, and its flaws.
    updates: Vec<(usize, Vec<Flaw>)>,
    /// Why the bytes after the last one are no update.
    stopped: Option<Flaw>,
}

impl Appended {
    /// Returns the flaws of the updates after byte `end` of a file, of which `last` is the latest revision.
    pub(super) fn flaws(&mut self, last: &Revision<'_, '_>, end: usize) -> Result<Vec<Flaw>, PdfError> {
        let data = last.data();
        let start = match update::blank(data, end) {
            Ok(start) => start,
            Err(flaw) => return Ok(vec![flaw]),
        };
        last.limits().read(start - end)?;
        let place = match self.updates.iter().position(|(known, _)| *known == start) {
            Some(place) => place,
            None => {
                *self = Self::read(last, end, start)?;
                0
            }
        };
        let mut found: Vec<_> = self.updates[place..].iter().flat_map(|(_, flaws)| flaws.clone()).collect();
        found.extend(self.stopped.clone());
        if memchr::memmem::rfind(data, b"startxref").is_none_or(|at| data.len() - at > TAIL) {
            found.push(Flaw::new(end, "the last startxref is too far from the end of the file"));
        }
        if last.file().has_two_origins() {
            found.push(Flaw::new(end, "cross-references for each of two ways of counting offsets"));
        }
        if linearized_length(data).is_some_and(|length| counts_to(data, data.len(), length)) {
            found
                .push(Flaw::new(end, "with it the file is as long as a linearized file says, which it was not before"));
        }
        found.truncate(FLAWS);
        Ok(found)
    }

    /// Reads the updates after byte `end`, of which the first starts at `start`.
    fn read(last: &Revision<'_, '_>, end: usize, start: usize) -> Result<Self, PdfError> {
        let data = last.data();
        let (mut updates, mut stopped, mut at) = (Vec::new(), None, start);
        while at < data.len() {
            let read = update::read(last, at).and_then(|update| {
                let next = update::blank(data, update.end)?;
                Ok((std::mem::replace(&mut at, next), update))
            });
            match read {
                Ok(update) => updates.push(update),
                Err(Stop::Flaw(flaw)) => {
                    stopped = Some(flaw);
                    break;
                }
                Err(Stop::Limit(error)) => return Err(error),
            }
        }
        let (count, mut before) = (updates.len(), last_start_xref(&data[..end]));
        let mut checked = Vec::with_capacity(count);
        for (rank, (start, update)) in updates.into_iter().enumerate() {
            let start_xref = update.start_xref;
            let agreement = Agreement::new(last, update, count - 1 - rank);
            checked.push((start, agreement.check(before)?));
            before = Some(start_xref);
        }
        Ok(Self { updates: checked, stopped })
    }
}

/// Returns whether a length is that of the bytes up to `end`, from the first one or from the header.
pub(super) fn counts_to(data: &[u8], end: usize, length: u64) -> bool {
    [0, header(data).unwrap_or(0)].iter().any(|origin| end.saturating_sub(*origin) as u64 == length)
}

/// Returns the flaw that a revision is as long as a linearized file says, but begins with other cross-references than those behind
/// the first object: annex F.3.3, F.3.4. Readers that find the length right begin there, and end with an update.
pub(super) fn linearized_otherwise(file: &File<'_>, end: usize) -> Option<Flaw> {
    let data = file.data().get(..end)?;
    linearized_length(data).filter(|length| counts_to(data, end, *length))?;
    let first = memchr::memmem::find(data, b"endobj")? + b"endobj".len();
    let first = first + data[first..].iter().take_while(|byte| is_space(**byte)).count();
    let is_first = last_start_xref(data).and_then(|offset| file.place(offset)) == Some(first);
    (!is_first).then(|| Flaw::new(first, "as long as a linearized file says, which begins with other cross-references"))
}

/// Returns the length that a linearized file states: annex F.3.3. Readers that find it right begin with the first page.
pub(super) fn linearized_length(data: &[u8]) -> Option<u64> {
    let head = &data[..data.len().min(header(data).unwrap_or(0) + HEAD)];
    let key = memchr::memmem::find(head, b"/Linearized")?;
    let start = memchr::memmem::rfind(&head[..key], b"<<")?;
    match Lexer::new(data, start, 8).object() {
        Ok(Object::Dictionary(dictionary)) => u64::try_from(dictionary.get(b"L")?.integer()?).ok(),
        _ => None,
    }
}
