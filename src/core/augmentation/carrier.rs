//! What a format does for the loop: it puts things into a file.

use super::material::Tokens;
use super::needs::Needs;
use super::state::State;
use super::want::TimestampWant;
use crate::algorithm::DigestAlgorithm;
use crate::output::Output;
use crate::signing::SigningError;

/// A format whose files are extended. Signatures are named by their places in the record.
pub(super) trait Carrier {
    /// Adds a time-stamp over the value of each of the signatures: level T.
    fn stamp(
        &self,
        file: &[u8],
        state: &State<'_>,
        signatures: &[usize],
        tokens: &Tokens<'_>,
        digest: DigestAlgorithm,
    ) -> Result<Step, SigningError>;

    /// Adds validation data for each of the signatures: level LT. What is needed is not empty for some.
    fn fill(&self, file: &[u8], state: &State<'_>, needs: &[(usize, Needs)]) -> Result<Step, SigningError>;

    /// Adds a time-stamp over all that is there for each of the signatures: level LTA.
    fn archive(
        &self,
        file: &[u8],
        state: &State<'_>,
        signatures: &[usize],
        tokens: &Tokens<'_>,
        digest: DigestAlgorithm,
    ) -> Result<Step, SigningError>;
}

/// What a step ended in.
#[derive(Debug, Default)]
pub(super) struct Step {
    /// The file, where something was added and no time-stamp is missing.
    pub output: Option<Output>,
    /// The time-stamps that are missing.
    pub wants: Vec<TimestampWant>,
    /// The signatures that they are for, by their places.
    pub waiting: Vec<usize>,
    /// The signatures for which it cannot be done, by their places, and why.
    pub failed: Vec<(usize, SigningError)>,
}

impl Step {
    /// Takes note of a time-stamp that is missing for a signature: one for all signatures of the same value.
    pub(super) fn want(&mut self, place: usize, want: TimestampWant) {
        let same = |known: &TimestampWant| (known.algorithm, &known.imprint) == (want.algorithm, &want.imprint);
        if !self.wants.iter().any(same) {
            self.wants.push(want);
        }
        self.waiting.push(place);
    }
}
