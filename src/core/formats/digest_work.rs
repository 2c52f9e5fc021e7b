//! A bound on what the digests of one document cost.

use crate::algorithm::DigestAlgorithm;
use crate::asn1::{is_der, to_der};
use crate::budget::Budget;
use crate::crypto::Hasher;
use std::borrow::Cow;
use std::cell::Cell;

/// Digests that every document may have of its bytes and of those beside it: so many times each byte.
const ALWAYS: u64 = 32;

/// What a stretch of bytes costs beside them, in bytes of a usual function: a digest of very short ones takes as long.
const STRETCH: usize = 64;

/// Bounds the digests of one document, however many time-stamps, signers, records and functions ask for them.
///
/// A digest costs its bytes, as many times as its function is slower than the usual ones. Bytes that are digested once for
/// all who ask cost once.
#[derive(Debug)]
pub struct DigestWork {
    left: Cell<u64>,
    is_exceeded: Cell<bool>,
}

impl DigestWork {
    /// Returns the bound for a document that has so many bytes, with those beside it.
    pub fn of(budget: &Budget, bytes: u64) -> Self {
        Self::limited(budget.digested_bytes.saturating_add(bytes.saturating_mul(ALWAYS)))
    }

    fn limited(left: u64) -> Self {
        Self { left: Cell::new(left), is_exceeded: Cell::new(false) }
    }

    /// Takes the cost of one digest of so many bytes. Returns whether there was as much; where there was not, nothing is left.
    #[must_use]
    fn affords(&self, algorithm: DigestAlgorithm, bytes: usize) -> bool {
        self.take((bytes as u64).saturating_mul(algorithm.weight()))
    }

    /// Takes a cost in bytes of a usual function.
    #[must_use]
    pub(super) fn take(&self, cost: u64) -> bool {
        let left = self.left.get().checked_sub(cost);
        self.left.set(left.unwrap_or_default());
        self.is_exceeded.set(self.is_exceeded.get() || left.is_none());
        left.is_some()
    }

    /// Returns the digest of these bytes, where there is as much left.
    pub(super) fn digest(&self, algorithm: DigestAlgorithm, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut hasher = self.hasher(algorithm)?;
        hasher.update(bytes);
        hasher.finish()
    }

    /// Returns the DER of an element that is not DER; `None` also where it cannot be written, or there is not as much left. To
    /// look through one of short elements takes as long as some digests, to write it several times as long.
    pub(super) fn der(&self, element: &[u8]) -> Option<Vec<u8>> {
        let length = element.len() as u64;
        if !self.take(4 * length) || is_der(element) || !self.take(16 * length) {
            return None;
        }
        to_der(element).ok().map(Cow::into_owned)
    }

    /// Begins a digest whose bytes are taken from the bound; `None` where the function is known by name only.
    pub(super) fn hasher(&self, algorithm: DigestAlgorithm) -> Option<BoundedHasher<'_>> {
        Some(BoundedHasher { work: self, hasher: Some(Hasher::new(algorithm)?) })
    }

    /// Notes that something is refused which would take too much.
    pub(super) fn refuse(&self) {
        self.is_exceeded.set(true);
    }

    /// Returns whether more was asked for than there was.
    pub fn is_exceeded(&self) -> bool {
        self.is_exceeded.get()
    }
}

/// Has no bound: what is to be signed is digested whatever that costs.
impl Default for DigestWork {
    fn default() -> Self {
        Self::limited(u64::MAX)
    }
}

/// A digest under way that the work of its document bounds.
#[derive(Debug, Clone)]
pub(super) struct BoundedHasher<'w> {
    work: &'w DigestWork,
    /// None where there was not as much left as it would have taken.
    hasher: Option<Hasher>,
}

impl BoundedHasher<'_> {
    /// Digests the next bytes, where there is as much left.
    pub(super) fn update(&mut self, bytes: &[u8]) {
        match &mut self.hasher {
            Some(hasher) if self.work.affords(hasher.algorithm(), bytes.len() + STRETCH) => hasher.update(bytes),
            other => *other = None,
        }
    }

    /// Returns the digest; `None` where its bytes went beyond the bound.
    pub(super) fn finish(self) -> Option<Vec<u8>> {
        self.hasher.map(Hasher::finish)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_function_costs_more() {
        let work = DigestWork::of(&Budget { digested_bytes: 100, ..Budget::default() }, 1);
        assert!(work.affords(DigestAlgorithm::Sha256, 68) && !work.is_exceeded());
        assert!(work.affords(DigestAlgorithm::Md2, 1) && !work.is_exceeded());
        assert!(!work.affords(DigestAlgorithm::Sha256, 1) && work.is_exceeded());
        assert!(!work.affords(DigestAlgorithm::Sha256, 1), "nothing is left from then on");
        let work = DigestWork::default();
        assert!(work.affords(DigestAlgorithm::Md2, 1 << 40) && !work.is_exceeded());
    }
}
