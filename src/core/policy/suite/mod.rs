//! Cryptographic suites: which algorithms and key sizes a policy accepts, and until when.
//!
//! TS 119 312 gives the values, TS 119 322 a file format for them, and a DSS
//! constraint file states its own in `Cryptographic`. All three become one
//! [`CryptographicSuite`]: for each algorithm a list of [`Evaluation`]s, each
//! good for keys from some size on and for some period (TS 119 322 §5).

pub(super) mod catalogue;
pub(super) mod constraint;
pub(super) mod ts_119_312;

use super::Level;
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm};
use crate::time::Time;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One evaluation of an algorithm: from this key size on, in this period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Evaluation {
    /// The smallest key, in bits, that it is about; 0 for all and for digests.
    pub minimum: u32,
    /// The largest key that it is about; `None` for no bound.
    pub maximum: Option<u32>,
    /// The moment after which it holds.
    pub start: Option<Time>,
    /// The moment from which on it no longer holds; `None` when no end is known.
    pub end: Option<Time>,
}

impl Evaluation {
    /// Returns whether `time` is within the period.
    pub fn holds_at(&self, time: Time) -> bool {
        self.start.is_none_or(|start| start < time) && self.end.is_none_or(|end| time < end)
    }

    /// Returns whether it is about keys of that size.
    pub fn is_about(&self, bits: u32) -> bool {
        self.minimum <= bits && self.maximum.is_none_or(|maximum| bits <= maximum)
    }

    /// Returns the part of its period that is also in that of `other`.
    fn within(&self, other: &Self) -> Self {
        let end = [self.end, other.end].into_iter().flatten().min();
        Self { start: self.start.max(other.start), end, ..*self }
    }
}

/// The levels of a suite's steps; `None` means that the step is not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SuiteLevels {
    /// Whether the signature algorithm is in the suite.
    pub signature_algorithm: Option<Level>,
    /// Whether the digest function is in the suite.
    pub digest: Option<Level>,
    /// Whether the key is long enough.
    pub key_size: Option<Level>,
    /// Whether the algorithm has not expired.
    pub expiry: Option<Level>,
    /// The same, for an expiry that lies after the suite's last update.
    pub expiry_after_update: Option<Level>,
}

/// What a policy says of algorithms.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CryptographicSuite {
    /// The name of the suite, where it has one of its own.
    pub name: Option<String>,
    /// When its values were last reviewed.
    pub update: Option<Time>,
    /// How strict each step is.
    pub levels: SuiteLevels,
    pub(crate) digests: BTreeMap<DigestAlgorithm, Vec<Evaluation>>,
    pub(crate) signatures: BTreeMap<(KeyAlgorithm, Option<DigestAlgorithm>), Vec<Evaluation>>,
}

impl CryptographicSuite {
    /// Returns the suite of the built-in policies: TS 119 312 v2.1.1.
    #[cfg(feature = "signing")]
    pub(crate) fn of_ts_119_312() -> Self {
        ts_119_312::suite()
    }

    /// Returns what is said of a signature algorithm with a key of that size.
    fn evaluations(
        &self,
        key: KeyAlgorithm,
        digest: impl Into<Option<DigestAlgorithm>>,
        bits: u32,
    ) -> impl Iterator<Item = &Evaluation> {
        let all = self.signatures.get(&(key, digest.into())).map_or(&[][..], Vec::as_slice);
        all.iter().filter(move |evaluation| evaluation.is_about(bits))
    }

    /// Returns whether the suite has this signature algorithm. Algorithms that hash the message
    /// themselves (ML-DSA) have no digest.
    pub fn signature_algorithm_reliable(
        &self,
        key: impl Into<Option<KeyAlgorithm>>,
        digest: impl Into<Option<DigestAlgorithm>>,
    ) -> bool {
        key.into().is_some_and(|key| self.signatures.contains_key(&(key, digest.into())))
    }

    /// Returns whether a key of that size is long enough for some evaluation of the signature algorithm.
    pub fn key_size_sufficient(
        &self,
        key: KeyAlgorithm,
        digest: impl Into<Option<DigestAlgorithm>>,
        bits: u32,
    ) -> bool {
        self.evaluations(key, digest, bits).next().is_some()
    }

    /// Returns whether the signature algorithm with a key of that size is good at `time`.
    pub fn signature_acceptable_at(
        &self,
        key: KeyAlgorithm,
        digest: impl Into<Option<DigestAlgorithm>>,
        bits: u32,
        time: Time,
    ) -> bool {
        self.evaluations(key, digest, bits).any(|evaluation| evaluation.holds_at(time))
    }

    /// Returns when the signature algorithm with a key of that size expires; `None` when no end is known.
    pub fn signature_expiry(
        &self,
        key: KeyAlgorithm,
        digest: impl Into<Option<DigestAlgorithm>>,
        bits: u32,
    ) -> Option<Time> {
        latest_end(self.evaluations(key, digest, bits))
    }

    /// Returns whether the suite has this digest function.
    pub fn digest_reliable(&self, digest: impl Into<Option<DigestAlgorithm>>) -> bool {
        digest.into().is_some_and(|digest| self.digests.contains_key(&digest))
    }

    /// Returns whether the digest function is good at `time`.
    pub fn digest_acceptable_at(&self, digest: DigestAlgorithm, time: Time) -> bool {
        self.digests.get(&digest).is_some_and(|all| all.iter().any(|evaluation| evaluation.holds_at(time)))
    }

    /// Returns when the digest function expires; `None` when no end is known.
    pub fn digest_expiry(&self, digest: DigestAlgorithm) -> Option<Time> {
        latest_end(self.digests.get(&digest)?.iter())
    }

    /// Returns how strict the step about expiry is for an algorithm that expires then: an expiry that
    /// was still to come when the suite was last reviewed may have been put off since.
    pub fn expiry_level(&self, expiry: Option<Time>) -> Option<Level> {
        match (expiry, self.update) {
            (Some(expiry), Some(update)) if update < expiry => self.levels.expiry_after_update,
            _ => self.levels.expiry,
        }
    }
}

/// Returns the latest end; an evaluation without an end never ends.
fn latest_end<'a>(evaluations: impl Iterator<Item = &'a Evaluation>) -> Option<Time> {
    let mut latest = None;
    for evaluation in evaluations {
        latest = latest.max(Some(evaluation.end?));
    }
    latest
}

#[cfg(test)]
mod tests {
    use super::*;
    use DigestAlgorithm::{Sha1, Sha224, Sha256};
    use KeyAlgorithm::{Ecdsa, EdDsa, PlainEcdsa, Rsa, RsassaPss};

    fn time(text: &str) -> Time {
        text.parse().unwrap()
    }

    #[test]
    fn signature_algorithms_of_ts_119_312() {
        let suite = ts_119_312::suite();
        for (clause, situation, key, digest, bits, at, accepted) in [
            (
                "6.2.2.2",
                "RSA with 2048 bits before the end of legacy use",
                Rsa,
                Sha256,
                2048,
                "2026-12-31T23:59:59Z",
                true,
            ),
            ("6.2.2.2", "the end itself is too late", Rsa, Sha256, 2048, "2027-01-01T00:00:00Z", false),
            ("6.2.2.2", "a longer key lasts longer", Rsa, Sha256, 3072, "2030-01-01T00:00:00Z", true),
            ("6.2.2.2", "also a longer key ends", Rsa, Sha256, 3072, "2035-01-01T00:00:00Z", false),
            ("6.2.2.2", "PSS with a long key has no end", RsassaPss, Sha256, 3072, "2060-01-01T00:00:00Z", true),
            ("6.2.2.2", "a short key ended with its own date", Rsa, Sha256, 1024, "2019-10-01T00:00:00Z", false),
            ("6.2.2.2", "a short key was good before", Rsa, Sha256, 1024, "2019-09-30T23:59:59Z", true),
            ("6.2.2.2", "a key shorter than any is never good", Rsa, Sha256, 512, "2000-01-01T00:00:00Z", false),
            ("5.2", "the digest ends first", Rsa, Sha1, 4096, "2012-08-01T00:00:00Z", false),
            ("5.2", "SHA-1 was good before", Rsa, Sha1, 4096, "2012-07-31T00:00:00Z", true),
            ("6.2.2.3", "a curve of 256 bits has no end", Ecdsa, Sha256, 256, "2060-01-01T00:00:00Z", true),
            ("6.2.2.3", "but its digest may have one", PlainEcdsa, Sha224, 256, "2029-01-01T00:00:00Z", false),
            ("6.2", "an algorithm that is not listed", EdDsa, Sha256, 256, "2020-01-01T00:00:00Z", false),
        ] {
            let at = time(at);
            assert_eq!(suite.signature_acceptable_at(key, digest, bits, at), accepted, "{clause} {situation}");
        }
    }

    #[test]
    fn levels_after_the_last_update() {
        let suite = ts_119_312::suite();
        for (situation, expiry, level) in [
            ("it ended before the last update", Some("2019-10-01"), Level::Fail),
            ("at the last update", Some("2026-02-01"), Level::Fail),
            ("its end was still to come", Some("2027-01-01"), Level::Warn),
            ("it was never good", None, Level::Fail),
        ] {
            assert_eq!(suite.expiry_level(expiry.map(time)), Some(level), "TS 119 312 {situation}");
        }
    }

    #[test]
    fn the_latest_end_counts() {
        let end = |text: &str| Evaluation { end: Some(time(text)), ..Evaluation::default() };
        let rows = [end("2020-01-01"), end("2030-01-01"), end("2025-01-01")];
        assert_eq!(latest_end(rows.iter()), Some(time("2030-01-01")), "TS 119 322: the last of several evaluations");
        let rows = [end("2020-01-01"), Evaluation::default()];
        assert_eq!(latest_end(rows.iter()), None, "TS 119 322: an evaluation without an end does not end");
    }
}
