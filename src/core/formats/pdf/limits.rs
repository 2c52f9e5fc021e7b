//! What reading one PDF may cost: bytes read, bytes inflated, bytes of texts, objects, nesting, steps of walks.
//!
//! Each spending returns the error of the limit that it reaches. That error is also *recorded*, because most readers have
//! to treat an object that was refused like one that is missing: the standard makes a reference to nothing null, and so
//! do viewers with objects that they cannot read. A result is therefore only used after [`Limits::check`], which
//! [`File::open`](super::File::open) and [`File::within_limits`](super::File::within_limits) do for their callers. An
//! error that a reader drops on the way cannot be lost.

use super::error::PdfError;
use super::xref::XrefLimits;
use crate::budget::Budget;
use std::cell::{Cell, OnceCell};

/// How often each byte of a file may be read on average. Objects that overlap could be read as often as there are
/// cross-references. Files of the corpora stay below 3.
const READ_RATIO: u64 = 64;

/// How many bytes of any file may be read. A short one may be read some hundred times: 1 MiB takes milliseconds.
const READ_LEAST: u64 = 1 << 20;

/// How often each byte of a file may be in a text that is made of it, on average: many places may name the same string, and all
/// kids of a field have its name in theirs.
const TEXT_RATIO: u64 = 16;

/// How many bytes of texts may be made of any file.
const TEXT_LEAST: u64 = 32 << 20;

/// How many pairs of objects may be compared between revisions of one file, and nodes of its form visited. The largest
/// files of the corpora need some hundred thousand; so many take seconds.
const STEPS: u64 = 20_000_000;

/// The limits of one file, and what was spent of them.
pub(super) struct Limits {
    /// Levels of nesting.
    pub nesting: usize,
    /// Objects.
    pub objects: usize,
    readable: u64,
    read: Cell<u64>,
    texts: u64,
    /// How many bytes of texts may still be made.
    text_remaining: Cell<u64>,
    inflatable: u64,
    /// How many bytes streams may still inflate to.
    inflate_remaining: Cell<u64>,
    steps: Cell<u64>,
    /// The error of the first limit that was reached.
    reached: OnceCell<PdfError>,
}

impl Limits {
    /// Sets the limits of a file of so many bytes.
    pub fn new(budget: &Budget, length: usize) -> Self {
        let inflatable = budget.inflated_of_pdf(length);
        let texts = (length as u64).saturating_mul(TEXT_RATIO).max(TEXT_LEAST);
        Self {
            nesting: budget.nesting,
            objects: budget.objects_of_pdf(length),
            readable: (length as u64).saturating_mul(READ_RATIO).max(READ_LEAST),
            read: Cell::new(0),
            texts,
            text_remaining: Cell::new(texts),
            inflatable,
            inflate_remaining: Cell::new(inflatable),
            steps: Cell::new(0),
            reached: OnceCell::new(),
        }
    }

    /// Counts bytes as read.
    pub fn read(&self, bytes: usize) -> Result<(), PdfError> {
        self.read.set(self.read.get().saturating_add(bytes as u64));
        if self.read.get() > self.readable {
            return Err(self.recorded(PdfError::TooMuchWork { limit: self.readable }));
        }
        Ok(())
    }

    /// Counts bytes of a text that is made of the file, such as a name.
    pub fn text(&self, bytes: usize) -> Result<(), PdfError> {
        let remaining = self.text_remaining.get().checked_sub(bytes as u64);
        self.text_remaining.set(remaining.unwrap_or(0));
        remaining.map(|_| ()).ok_or_else(|| self.recorded(PdfError::TooMuchText { limit: self.texts }))
    }

    /// Returns how many bytes may still be read.
    pub fn read_remaining(&self) -> u64 {
        self.readable.saturating_sub(self.read.get())
    }

    /// Inflates a stream with `inflate`, which gets the number of bytes that the stream may inflate to.
    pub fn inflate(&self, inflate: impl FnOnce(u64) -> Result<Vec<u8>, PdfError>) -> Result<Vec<u8>, PdfError> {
        let remaining = self.inflate_remaining.get();
        let plain = inflate(remaining).map_err(|error| self.recorded(error))?;
        self.inflate_remaining.set(remaining.saturating_sub(plain.len() as u64));
        Ok(plain)
    }

    /// Counts one step of a walk over objects. The error is not recorded: the comparison of revisions reports by itself
    /// that it is incomplete.
    pub fn step(&self) -> Result<(), PdfError> {
        self.steps(1)
    }

    /// Counts several such steps.
    pub fn steps(&self, several: u64) -> Result<(), PdfError> {
        self.steps.set(self.steps.get().saturating_add(several));
        if self.steps.get() > STEPS { Err(PdfError::TooManySteps { limit: STEPS }) } else { Ok(()) }
    }

    /// Counts one step of a walk that cannot report that it is incomplete.
    pub fn step_or_record(&self) -> Result<(), PdfError> {
        self.step().map_err(|error| self.recorded(error))
    }

    /// Returns the error where one object more than so many is too many.
    pub fn one_more(&self, objects: usize) -> Result<(), PdfError> {
        if objects < self.objects {
            return Ok(());
        }
        Err(self.recorded(PdfError::TooManyObjects { limit: self.objects }))
    }

    /// Returns the limits of reading cross-references.
    pub fn of_xref(&self) -> XrefLimits<'_> {
        XrefLimits { nesting: self.nesting, objects: self.objects, inflatable: &self.inflate_remaining }
    }

    /// Records an error that is one of a limit, and returns it. Once streams inflate to too much, none inflates any more.
    pub fn recorded(&self, error: PdfError) -> PdfError {
        let error = match error {
            PdfError::TooMuchInflated { .. } => {
                self.inflate_remaining.set(0);
                PdfError::TooMuchInflated { limit: self.inflatable }
            }
            PdfError::TooMuchWork { .. }
            | PdfError::TooMuchText { .. }
            | PdfError::TooManyObjects { .. }
            | PdfError::TooManySteps { .. }
            | PdfError::NestingTooDeep { .. } => error,
            _ => return error,
        };
        self.reached.get_or_init(|| error.clone());
        error
    }

    /// Returns the error of the first limit that was reached, if one was.
    pub fn check(&self) -> Result<(), PdfError> {
        self.reached.get().cloned().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the limits of a file of one byte that may hold ten objects, and inflate to a hundred bytes.
    fn limits() -> Limits {
        let budget = Budget { pdf_objects: 10, pdf_inflated_least: 100, ..Budget::default() };
        Limits::new(&budget, 1)
    }

    #[test]
    fn each_spending_says_which_limit_it_reaches() {
        let inflate = |bytes: usize| {
            move |left: u64| match bytes as u64 > left {
                true => Err(PdfError::TooMuchInflated { limit: left }),
                false => Ok(vec![0; bytes]),
            }
        };
        type Spend<'s> = &'s dyn Fn(&Limits) -> Result<(), PdfError>;
        let rows: [(&str, Spend<'_>, PdfError); 5] = [
            (
                "bytes read",
                &|limits| limits.read(READ_LEAST as usize / 2 + 1),
                PdfError::TooMuchWork { limit: READ_LEAST },
            ),
            (
                "bytes of texts",
                &|limits| limits.text(TEXT_LEAST as usize / 2 + 1),
                PdfError::TooMuchText { limit: TEXT_LEAST },
            ),
            (
                "bytes inflated",
                &|limits| limits.inflate(inflate(60)).map(|_| ()),
                PdfError::TooMuchInflated { limit: 100 },
            ),
            (
                "objects",
                &|limits| limits.one_more(if limits.read.replace(1) == 0 { 9 } else { 10 }),
                PdfError::TooManyObjects { limit: 10 },
            ),
            (
                "steps",
                &|limits| {
                    limits.steps.set(limits.steps.get() + STEPS / 2);
                    limits.step_or_record()
                },
                PdfError::TooManySteps { limit: STEPS },
            ),
        ];
        for (situation, spend, expected) in rows {
            let limits = limits();
            assert_eq!((spend(&limits), limits.check()), (Ok(()), Ok(())), "{situation}: within the limit");
            assert_eq!(spend(&limits), Err(expected.clone()), "{situation}: beyond it");
            assert_eq!(limits.check(), Err(expected), "{situation}: recorded");
        }
    }

    #[test]
    fn nothing_inflates_after_too_much_did() {
        let limits = limits();
        let too_much = limits.inflate(|left| Err(PdfError::TooMuchInflated { limit: left }));
        assert_eq!(too_much, Err(PdfError::TooMuchInflated { limit: 100 }), "the limit of the file, not what was left");
        let left = Cell::new(None);
        let _ = limits.inflate(|bytes| {
            left.set(Some(bytes));
            Ok(vec![])
        });
        assert_eq!(left.get(), Some(0));
    }

    #[test]
    fn broken_objects_reach_no_limit() {
        let limits = limits();
        limits.recorded(PdfError::NotAnObject { offset: 7 });
        assert_eq!(limits.check(), Ok(()), "7.3.10: as if it were not there");
    }
}
