//! A log of the cryptographic work of one thread, for benches: what a validation costs at the very least.
//!
//! Only with the feature `record`. The floor of a validation is its digests and
//! signature checks alone; to measure it they are noted once and then done again
//! without anything around them.

use super::{Hasher, PublicKey, Signed, verify};
use crate::algorithm::{DigestAlgorithm, SignatureAlgorithm};
use std::cell::RefCell;
use std::collections::BTreeMap;

thread_local! {
    static LOG: RefCell<Option<Log>> = const { RefCell::new(None) };
}

/// The work that was done between [`start`] and [`stop`].
#[derive(Debug, Default)]
pub struct Log {
    digested: BTreeMap<DigestAlgorithm, u64>,
    /// Octets that what signatures cover has in common with what earlier ones cover, and that were not digested again.
    shared: BTreeMap<DigestAlgorithm, u64>,
    /// Octets of the certificates, CRLs and OCSP responses that reports name by their SHA-256, each counted once.
    named: BTreeMap<[u8; 32], u64>,
    verified: Vec<Verified>,
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

pub(super) fn digested(algorithm: DigestAlgorithm, length: usize) {
    LOG.with_borrow_mut(|log| {
        if let Some(log) = log {
            *log.digested.entry(algorithm).or_default() += length as u64;
        }
    });
}

pub(super) fn shared(algorithm: DigestAlgorithm, length: usize) {
    LOG.with_borrow_mut(|log| {
        if let Some(log) = log {
            *log.shared.entry(algorithm).or_default() += length as u64;
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

impl Log {
    /// Does what the input asks for and nothing else: every digest by itself, and every check with its key read anew.
    pub fn replay(&self) {
        self.name_again();
        self.replay_unnamed();
    }

    /// The same, but what digests have in common only once.
    pub fn replay_shared(&self) {
        self.name_again();
        self.digest_and_check_again();
    }

    /// As [`replay`](Self::replay), but no token is named: only what signatures and references cover is digested.
    pub fn replay_unnamed(&self) {
        digest_again(&self.shared);
        self.digest_and_check_again();
    }

    fn name_again(&self) {
        digest_again(&BTreeMap::from([(DigestAlgorithm::Sha256, self.named.values().sum())]));
    }

    fn digest_and_check_again(&self) {
        digest_again(&self.digested);
        for check in &self.verified {
            let Ok(key) = PublicKey::from_spki(&check.spki) else { continue };
            let signed = match (&check.message, &check.digest) {
                (Some(message), _) => Signed::Message(message),
                (None, digest) => Signed::Digest(digest.as_deref().unwrap_or_default()),
            };
            // Good or bad is not the question here.
            std::hint::black_box(verify(&key, &check.algorithm, signed, &check.value).is_ok());
        }
    }

    /// Octets digested and values verified.
    pub fn counts(&self) -> (u64, usize) {
        (self.digested.values().sum(), self.verified.len())
    }
}

fn digest_again(digested: &BTreeMap<DigestAlgorithm, u64>) {
    static BLOCK: [u8; 1 << 16] = [0; 1 << 16];
    for (&algorithm, &octets) in digested {
        let Some(mut hasher) = Hasher::new(algorithm) else { continue };
        let mut left = octets;
        while left > 0 {
            let now = left.min(BLOCK.len() as u64);
            hasher.update(&BLOCK[..now as usize]);
            left -= now;
        }
        std::hint::black_box(hasher.finish());
    }
}
