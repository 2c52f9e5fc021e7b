//! Finding a path: RFC 4158, depth first.

use super::{PathError, PathOptions, ValidPath, validate};
use crate::budget::Budget;
use crate::x509::Certificate;

/// A valid path from `certificate` to one of the `anchors`, through any of the `intermediates`.
///
/// Fails with why the last candidate is not valid. Every step spends from the budget.
pub fn find(
    certificate: &Certificate,
    intermediates: &[Certificate],
    anchors: &[Certificate],
    options: &PathOptions,
    budget: &Budget,
) -> Result<ValidPath, PathError> {
    let mut search =
        Search { intermediates, anchors, options, budget, steps: budget.chain_steps, error: PathError::NoPath };
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
    steps: usize,
    error: PathError,
}

impl Search<'_> {
    /// Goes on from the end of `path`. Not deeper than the budget's nesting.
    fn extend(&mut self, path: &mut Vec<Certificate>) -> Option<ValidPath> {
        let end = path.last()?.clone();
        let Some(left) = self.steps.checked_sub(1).filter(|_| path.len() < self.budget.nesting) else {
            self.error = PathError::Budget { what: "steps of the search for a path", limit: self.budget.chain_steps };
            return None;
        };
        self.steps = left;
        for anchor in self.anchors.iter().filter(|anchor| anchor.subject() == end.issuer()) {
            path.push(anchor.clone());
            match validate(path, self.options, self.budget) {
                Ok(valid) => return Some(valid),
                Err(error) => self.error = error,
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
}
