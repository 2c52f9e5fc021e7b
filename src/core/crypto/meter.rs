//! A log of the cryptographic work of one thread, for benches: what a validation costs at the very least.
//!
//! Only with the feature `meter`, which nothing but `benches/validate.rs` and its like asks for; without it
//! `unmetered.rs` stands in its place, which does nothing. The lower bound of a validation is its digests and signature
//! checks alone; to measure it they are logged once and then done again without anything around them.

use super::{Hasher, PublicKey, Signed, digest, verify};
use crate::algorithm::{DigestAlgorithm, SignatureAlgorithm};
use std::cell::RefCell;
use std::collections::BTreeMap;

thread_local! {
    static LOG: RefCell<Option<Log>> = const { RefCell::new(None) };
}

/// The work that was done between [`start`] and [`stop`].
#[derive(Debug, Default)]
pub struct Log {
    /// Each digest that was finished, and how many bytes it had taken in.
    digests: Vec<(DigestAlgorithm, u64)>,
    /// Bytes that were taken in: what digests have in common, once.
    taken_in: BTreeMap<DigestAlgorithm, u64>,
    /// Bytes of the certificates, CRLs and OCSP responses that reports name by their SHA-256, each counted once.
    named: BTreeMap<[u8; 32], u64>,
    verified: Vec<Verified>,
}

/// That work, to be done again.
#[derive(Debug)]
pub struct Work {
    log: Log,
    bytes: Vec<u8>,
}

#[derive(Debug)]
struct Verified {
    spki: Vec<u8>,
    algorithm: SignatureAlgorithm,
    message: Option<Vec<u8>>,
    digest: Option<Vec<u8>>,
    value: Vec<u8>,
}

/// One check of a signature value.
#[derive(Debug, Clone, Copy)]
pub struct Check<'a> {
    /// The key: SubjectPublicKeyInfo, DER.
    pub spki: &'a [u8],
    /// The algorithm.
    pub algorithm: SignatureAlgorithm,
    /// What was signed.
    pub signed: Signed<'a>,
    /// The value, in the form that the algorithm says.
    pub value: &'a [u8],
}

impl Verified {
    fn check(&self) -> Check<'_> {
        let signed = match (&self.message, &self.digest) {
            (Some(message), _) => Signed::Message(message),
            (None, digest) => Signed::Digest(digest.as_deref().unwrap_or_default()),
        };
        Check { spki: &self.spki, algorithm: self.algorithm, signed, value: &self.value }
    }
}

/// Begins a log on this thread.
pub fn start() {
    LOG.with_borrow_mut(|log| *log = Some(Log::default()));
}

/// Ends it.
pub fn stop() -> Log {
    LOG.take().unwrap_or_default()
}

/// Counts the bytes that one digest has taken in.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Count(u64);

impl Count {
    /// Adds the next bytes.
    pub(super) fn add(&mut self, algorithm: DigestAlgorithm, bytes: usize) {
        self.0 += bytes as u64;
        LOG.with_borrow_mut(|log| {
            if let Some(log) = log {
                *log.taken_in.entry(algorithm).or_default() += bytes as u64;
            }
        });
    }

    /// Takes off bytes that were taken in for another digest.
    pub(super) fn subtract(&mut self, bytes: usize) {
        self.0 -= bytes as u64;
    }
}

/// Logs a digest that is finished.
pub(super) fn digested(algorithm: DigestAlgorithm, Count(bytes): Count) {
    LOG.with_borrow_mut(|log| {
        if let Some(log) = log {
            log.digests.push((algorithm, bytes));
        }
    });
}

/// Logs the digest by which a report names a token.
pub(super) fn named(name: [u8; 32], length: usize) {
    LOG.with_borrow_mut(|log| {
        if let Some(log) = log {
            log.named.insert(name, length as u64);
        }
    });
}

/// Does a check and logs it; its own digests belong to it and are not logged besides.
pub(super) fn verified<T>(
    key: &PublicKey,
    algorithm: &SignatureAlgorithm,
    signed: Signed<'_>,
    value: &[u8],
    check: impl FnOnce() -> T,
) -> T {
    let log = LOG.take();
    let outcome = check();
    if let Some(mut log) = log {
        let (message, digest) = match signed {
            Signed::Message(bytes) => (Some(bytes.to_vec()), None),
            Signed::Digest(bytes) => (None, Some(bytes.to_vec())),
        };
        let (spki, value) = (key.spki().to_vec(), value.to_vec());
        log.verified.push(Verified { spki, algorithm: *algorithm, message, digest, value });
        LOG.set(Some(log));
    }
    outcome
}

impl Log {
    /// Returns the work, to be done again: over bytes that lie in memory as long as the longest digest wants them, as
    /// the input did.
    pub fn work(self) -> Work {
        /// Never none: of a digest that was not finished, only what it took in is known.
        const LEAST: u64 = 1 << 16;
        let digested = self.digests.iter().map(|(_, bytes)| *bytes);
        let longest = digested.chain(self.named.values().copied()).fold(LEAST, u64::max);
        Work { bytes: vec![0xa5; longest as usize], log: self }
    }

    /// Returns each digest, and how many bytes it took in, those by which tokens are named among them.
    pub fn digests(&self) -> impl Iterator<Item = (DigestAlgorithm, u64)> {
        let named = self.named.values().map(|bytes| (DigestAlgorithm::Sha256, *bytes));
        self.digests.iter().copied().chain(named)
    }

    /// Returns each check.
    pub fn verifications(&self) -> impl Iterator<Item = Check<'_>> {
        self.verified.iter().map(Verified::check)
    }

    /// Returns how many values were verified.
    pub fn checks(&self) -> usize {
        self.verified.len()
    }
}

impl Work {
    /// Does what the input asks for and nothing else: every digest by itself, and every check with its key read anew.
    pub fn replay(&self) {
        self.name_again();
        self.replay_unnamed();
    }

    /// Does the same again, but what digests have in common only once.
    pub fn replay_shared(&self) {
        self.name_again();
        for (&algorithm, &bytes) in &self.log.taken_in {
            let Some(mut hasher) = Hasher::new(algorithm) else { continue };
            let mut left = bytes as usize;
            while left > 0 {
                let now = left.min(self.bytes.len());
                hasher.update(&self.bytes[..now]);
                left -= now;
            }
            std::hint::black_box(hasher.finish());
        }
        self.check_again();
    }

    /// Does the same as [`replay`](Self::replay), but no token is named: only what signatures and references cover is
    /// digested.
    pub fn replay_unnamed(&self) {
        self.log.digests.iter().for_each(|&(algorithm, bytes)| self.digest(algorithm, bytes));
        self.check_again();
    }

    fn name_again(&self) {
        self.log.named.values().for_each(|&bytes| self.digest(DigestAlgorithm::Sha256, bytes));
    }

    fn digest(&self, algorithm: DigestAlgorithm, bytes: u64) {
        std::hint::black_box(digest(algorithm, &self.bytes[..bytes as usize]));
    }

    fn check_again(&self) {
        for check in &self.log.verified {
            let check = check.check();
            let Ok(key) = PublicKey::from_spki(check.spki) else { continue };
            // Good or bad is not the question here.
            std::hint::black_box(verify(&key, &check.algorithm, check.signed, check.value).is_ok());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crypto::PrefixHashes;

    #[test]
    fn what_digests_have_in_common_counts_once() {
        let bytes = [0; 1000];
        start();
        digest(DigestAlgorithm::Sha1, &bytes[..10]);
        let prefixes = PrefixHashes::new(&bytes);
        for length in [600, 900, 900] {
            prefixes.hasher(DigestAlgorithm::Sha256, length).map(Hasher::finish);
        }
        prefixes.digest(DigestAlgorithm::Sha256);
        [1, 1, 2].iter().for_each(|name| named([*name; 32], 50));
        let log = stop();
        let found: Vec<u64> = log.digests.iter().map(|(_, bytes)| *bytes).collect();
        assert_eq!(found[..4], [10, 600, 900, 900], "each by itself");
        assert_eq!(found[4..], [100], "that of the whole file is asked by nobody but the report");
        assert_eq!(log.taken_in.values().copied().collect::<Vec<_>>(), [10, 1000], "what they have in common once");
        assert_eq!(log.named.values().copied().collect::<Vec<_>>(), [50, 50], "a token once");
        assert_eq!(log.work().bytes.len(), 1 << 16);
    }
}
