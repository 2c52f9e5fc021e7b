//! A log of the cryptographic work of one thread, for benches: what a validation costs at the very least.
//!
//! Only with the feature `record`. The floor of a validation is its digests and
//! signature checks alone; to measure it they are noted once and then done again
//! without anything around them.

use super::{PublicKey, Signed, digest, verify};
use crate::algorithm::{DigestAlgorithm, SignatureAlgorithm};
use std::cell::RefCell;
use std::collections::BTreeMap;

thread_local! {
    static LOG: RefCell<Option<Log>> = const { RefCell::new(None) };
}

/// The work that was done between [`start`] and [`stop`].
#[derive(Debug, Default)]
pub struct Log {
    digests: Vec<Digested>,
    /// Octets of the certificates, CRLs and OCSP responses that reports name by their SHA-256, each counted once.
    named: BTreeMap<[u8; 32], u64>,
    verified: Vec<Verified>,
}

/// That work, to be done again.
#[derive(Debug)]
pub struct Work {
    log: Log,
    octets: Vec<u8>,
}

/// A digest that was finished.
#[derive(Debug, Clone, Copy)]
struct Digested {
    algorithm: DigestAlgorithm,
    octets: Octets,
}

/// How many octets a digest took in.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Octets {
    pub(super) all: u64,
    /// Those of them that digests before it did not take in already.
    pub(super) new: u64,
}

#[derive(Debug)]
struct Verified {
    spki: Vec<u8>,
    algorithm: SignatureAlgorithm,
    message: Option<Vec<u8>>,
    digest: Option<Vec<u8>>,
    value: Vec<u8>,
}

/// Begins a log on this thread.
pub fn start() {
    LOG.with_borrow_mut(|log| *log = Some(Log::default()));
}

/// Ends it.
pub fn stop() -> Log {
    LOG.take().unwrap_or_default()
}

pub(super) fn digested(algorithm: DigestAlgorithm, octets: Octets) {
    LOG.with_borrow_mut(|log| {
        if let Some(log) = log {
            log.digests.push(Digested { algorithm, octets });
        }
    });
}

pub(super) fn named(name: [u8; 32], length: usize) {
    LOG.with_borrow_mut(|log| {
        if let Some(log) = log {
            log.named.insert(name, length as u64);
        }
    });
}

/// Does a check and notes it; its own digests belong to it and are not noted besides.
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
            Signed::Message(octets) => (Some(octets.to_vec()), None),
            Signed::Digest(octets) => (None, Some(octets.to_vec())),
        };
        let (spki, value) = (key.spki().to_vec(), value.to_vec());
        log.verified.push(Verified { spki, algorithm: *algorithm, message, digest, value });
        LOG.set(Some(log));
    }
    outcome
}

impl Octets {
    pub(super) fn take_in(&mut self, octets: &[u8]) {
        self.all += octets.len() as u64;
        self.new += octets.len() as u64;
    }
}

impl Log {
    /// The work, to be done again: over octets that lie in memory as long as the longest digest wants them, as the input did.
    pub fn work(self) -> Work {
        let digested = self.digests.iter().map(|digest| digest.octets.all);
        let longest = digested.chain(self.named.values().copied()).max().unwrap_or_default();
        Work { octets: vec![0xa5; usize::try_from(longest).unwrap_or_default()], log: self }
    }

    /// Octets digested and values verified.
    pub fn counts(&self) -> (u64, usize) {
        (self.digests.iter().map(|digest| digest.octets.new).sum(), self.verified.len())
    }
}

impl Work {
    /// Does what the input asks for and nothing else: every digest by itself, and every check with its key read anew.
    pub fn replay(&self) {
        self.name_again();
        self.replay_unnamed();
    }

    /// The same, but what digests have in common only once.
    pub fn replay_shared(&self) {
        self.name_again();
        self.digest_again(|octets| octets.new);
        self.check_again();
    }

    /// As [`replay`](Self::replay), but no token is named: only what signatures and references cover is digested.
    pub fn replay_unnamed(&self) {
        self.digest_again(|octets| octets.all);
        self.check_again();
    }

    fn name_again(&self) {
        self.log.named.values().for_each(|&octets| self.digest(DigestAlgorithm::Sha256, octets));
    }

    fn digest_again(&self, octets: impl Fn(Octets) -> u64) {
        self.log.digests.iter().for_each(|digest| self.digest(digest.algorithm, octets(digest.octets)));
    }

    fn digest(&self, algorithm: DigestAlgorithm, octets: u64) {
        std::hint::black_box(digest(algorithm, &self.octets[..octets as usize]));
    }

    fn check_again(&self) {
        for check in &self.log.verified {
            let Ok(key) = PublicKey::from_spki(&check.spki) else { continue };
            let signed = match (&check.message, &check.digest) {
                (Some(message), _) => Signed::Message(message),
                (None, digest) => Signed::Digest(digest.as_deref().unwrap_or_default()),
            };
            // Good or bad is not the question here.
            std::hint::black_box(verify(&key, &check.algorithm, signed, &check.value).is_ok());
        }
    }
}
