//! What reading one PDF may cost: octets read, octets inflated, objects, nesting, steps of walks.
//!
//! Each spending returns the error of the bound that it passes. [`Bounds::kept`] returns the first of these errors for as
//! long as some readers still take what was refused for missing.

use super::error::PdfError;
use super::xref::Limits;
use crate::budget::Budget;
use std::cell::{Cell, RefCell};

/// Octets read for each octet of the file, before reading stops: objects that overlap could be read
/// as often as there are cross-references. Files of the corpora stay below 3.
const WORK_RATIO: u64 = 64;

/// A short file may be read in full some hundred times: 1 MiB takes milliseconds.
const WORK_LEAST: u64 = 1 << 20;

/// Pairs of objects compared between revisions of one file, and nodes of its form visited. The largest
/// files of the corpora need some hundred thousand; so many take seconds.
const STEPS: u64 = 20_000_000;

/// The bounds of one file, and what was spent of them.
pub(super) struct Bounds {
    /// Levels of nesting.
    pub nesting: usize,
    /// Objects.
    pub objects: usize,
    readable: u64,
    read: Cell<u64>,
    inflatable: u64,
    /// Octets that streams may still inflate to.
    left_to_inflate: Cell<u64>,
    steps: Cell<u64>,
    /// The first error of a bound.
    exceeded: RefCell<Option<PdfError>>,
}

impl Bounds {
    /// Those of a file of so many octets.
    pub fn new(budget: &Budget, octets: usize) -> Self {
        let inflatable = budget.inflated_of_pdf(octets);
        Self {
            nesting: budget.nesting,
            objects: budget.objects_of_pdf(octets),
            readable: (octets as u64).saturating_mul(WORK_RATIO).max(WORK_LEAST),
            read: Cell::new(0),
            inflatable,
            left_to_inflate: Cell::new(inflatable),
            steps: Cell::new(0),
            exceeded: RefCell::default(),
        }
    }

    /// Counts octets as read.
    pub fn read(&self, octets: usize) -> Result<(), PdfError> {
        self.read.set(self.read.get().saturating_add(octets as u64));
        if self.read.get() > self.readable {
            return Err(self.noted(PdfError::TooMuchWork { limit: self.readable }));
        }
        Ok(())
    }

    /// How many octets may still be read.
    pub fn left_to_read(&self) -> u64 {
        self.readable.saturating_sub(self.read.get())
    }

    /// What `inflate` yields, given how much that may be, counted as inflated.
    pub fn inflate(&self, inflate: impl FnOnce(u64) -> Result<Vec<u8>, PdfError>) -> Result<Vec<u8>, PdfError> {
        let left = self.left_to_inflate.get();
        let plain = inflate(left).map_err(|error| self.noted(error))?;
        self.left_to_inflate.set(left.saturating_sub(plain.len() as u64));
        Ok(plain)
    }

    /// Counts one step of a walk over objects. The comparison of revisions says itself that it came to no end.
    pub fn step(&self) -> Result<(), PdfError> {
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() > STEPS { Err(PdfError::TooManySteps { limit: STEPS }) } else { Ok(()) }
    }

    /// The same for a walk that has no way to say it: kept in mind.
    pub fn step_kept(&self) -> Result<(), PdfError> {
        self.step().map_err(|error| self.noted(error))
    }

    /// The error that one object more than these is, where it is.
    pub fn one_more(&self, objects: usize) -> Result<(), PdfError> {
        if objects < self.objects {
            return Ok(());
        }
        Err(self.noted(PdfError::TooManyObjects { limit: self.objects }))
    }

    /// The limits of reading cross-references.
    pub fn of_cross_references(&self) -> Limits<'_> {
        Limits { nesting: self.nesting, objects: self.objects, inflatable: &self.left_to_inflate }
    }

    /// An error, kept in mind where it is that of a bound. Once streams inflate to too much, none inflates any more.
    pub fn noted(&self, error: PdfError) -> PdfError {
        let error = match error {
            PdfError::TooMuchInflated { .. } => {
                self.left_to_inflate.set(0);
                PdfError::TooMuchInflated { limit: self.inflatable }
            }
            PdfError::TooMuchWork { .. }
            | PdfError::TooManyObjects { .. }
            | PdfError::TooManySteps { .. }
            | PdfError::NestingTooDeep { .. } => error,
            _ => return error,
        };
        self.exceeded.borrow_mut().get_or_insert_with(|| error.clone());
        error
    }

    /// The first error of a bound, if there was one: something was taken for missing.
    pub fn kept(&self) -> Result<(), PdfError> {
        self.exceeded.borrow().clone().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a file of one octet that may hold ten objects, and inflate to a hundred octets.
    fn bounds() -> Bounds {
        let budget = Budget { pdf_objects: 10, pdf_inflated_least: 100, ..Budget::default() };
        Bounds::new(&budget, 1)
    }

    #[test]
    fn each_spending_says_which_bound_it_passes() {
        let inflate = |octets: usize| {
            move |left: u64| match octets as u64 > left {
                true => Err(PdfError::TooMuchInflated { limit: left }),
                false => Ok(vec![0; octets]),
            }
        };
        type Spend<'s> = &'s dyn Fn(&Bounds) -> Result<(), PdfError>;
        let rows: [(&str, Spend<'_>, PdfError); 4] = [
            (
                "octets read",
                &|bounds| bounds.read(WORK_LEAST as usize / 2 + 1),
                PdfError::TooMuchWork { limit: WORK_LEAST },
            ),
            (
                "octets inflated",
                &|bounds| bounds.inflate(inflate(60)).map(|_| ()),
                PdfError::TooMuchInflated { limit: 100 },
            ),
            (
                "objects",
                &|bounds| bounds.one_more(if bounds.read.replace(1) == 0 { 9 } else { 10 }),
                PdfError::TooManyObjects { limit: 10 },
            ),
            (
                "steps",
                &|bounds| {
                    bounds.steps.set(bounds.steps.get() + STEPS / 2);
                    bounds.step_kept()
                },
                PdfError::TooManySteps { limit: STEPS },
            ),
        ];
        for (situation, spend, expected) in rows {
            let bounds = bounds();
            assert_eq!((spend(&bounds), bounds.kept()), (Ok(()), Ok(())), "{situation}: within the bound");
            assert_eq!(spend(&bounds), Err(expected.clone()), "{situation}: beyond it");
            assert_eq!(bounds.kept(), Err(expected), "{situation}: kept in mind");
        }
    }

    #[test]
    fn nothing_inflates_after_too_much_did() {
        let bounds = bounds();
        let too_much = bounds.inflate(|left| Err(PdfError::TooMuchInflated { limit: left }));
        assert_eq!(too_much, Err(PdfError::TooMuchInflated { limit: 100 }), "the bound of the file, not what was left");
        let left = Cell::new(None);
        let _ = bounds.inflate(|octets| {
            left.set(Some(octets));
            Ok(vec![])
        });
        assert_eq!(left.get(), Some(0));
    }

    #[test]
    fn what_is_broken_is_no_bound() {
        let bounds = bounds();
        bounds.noted(PdfError::NotAnObject { offset: 7 });
        assert_eq!(bounds.kept(), Ok(()), "7.3.10: as if it were not there");
    }
}
