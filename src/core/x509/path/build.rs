//! Finding a path: RFC 4158, depth first.

use super::{PathError, PathOptions, ValidPath, Work, validate_within};
use crate::budget::Budget;
use crate::x509::Certificate;

/// Returns a valid path from `certificate` to one of the `anchors`, through any of the `intermediates`.
///
/// Fails with why the candidate that came furthest is not valid, the first of several. Every step and every comparison
/// of names spends from one budget; where that is spent, the search ends.
pub fn find(
    certificate: &Certificate,
    intermediates: &[Certificate],
    anchors: &[Certificate],
    options: &PathOptions,
    budget: &Budget,
) -> Result<ValidPath, PathError> {
    let mut search = Search {
        intermediates,
        anchors,
        options,
        budget,
        work: Work::new(budget),
        steps: budget.chain_steps,
        error: PathError::NoPath,
    };
    match search.extend(&mut vec![certificate.clone()]) {
        Some(path) => Ok(path),
        None => Err(search.error),
    }
}

struct Search<'a> {
    intermediates: &'a [Certificate],
    anchors: &'a [Certificate],
    options: &'a PathOptions,
    budget: &'a Budget,
    work: Work,
    steps: usize,
    error: PathError,
}

impl Search<'_> {
    /// Goes on from the end of `path`. Not deeper than the budget's nesting.
    fn extend(&mut self, path: &mut Vec<Certificate>) -> Option<ValidPath> {
        let end = path.last()?.clone();
        let Some(left) = self.steps.checked_sub(1).filter(|_| path.len() < self.budget.nesting) else {
            self.note(PathError::Budget { what: "steps of the search for a path", limit: self.budget.chain_steps });
            return None;
        };
        self.steps = left;
        for anchor in self.anchors.iter().filter(|anchor| anchor.subject() == end.issuer()) {
            path.push(anchor.clone());
            match validate_within(path, self.options, self.budget, &mut self.work) {
                Ok(valid) => return Some(valid),
                Err(error) => self.note(error),
            }
            path.pop();
            self.steps = self.steps.saturating_sub(1);
        }
        for next in self.intermediates.iter().filter(|next| next.subject() == end.issuer()) {
            // RFC 4158 §2.4.2: the same name and key twice is a loop.
            let known = |one: &Certificate| one.subject() == next.subject() && one.spki() == next.spki();
            if path.iter().any(known) {
                continue;
            }
            path.push(next.clone());
            if let Some(valid) = self.extend(path) {
                return Some(valid);
            }
            path.pop();
            if self.steps == 0 {
                return None;
            }
        }
        None
    }

    /// Keeps the error that says most.
    fn note(&mut self, error: PathError) {
        if specificity(&error) > specificity(&self.error) {
            self.error = error;
        }
    }
}

/// Returns how far a candidate came: one whose key or name is another's was never the right one; one that breaks a
/// constraint was, but for that. That the search was cut short says that nothing is known.
fn specificity(error: &PathError) -> u8 {
    match error {
        PathError::NoPath | PathError::TooShort { .. } => 0,
        PathError::Name { .. } => 1,
        PathError::Signature { .. } | PathError::Key { .. } => 2,
        PathError::Budget { .. } => u8::MAX,
        PathError::Validity { .. } => 3,
        PathError::Algorithm { .. } | PathError::Profile { .. } => 4,
        _ => 5,
    }
}
