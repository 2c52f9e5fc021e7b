//! What one judgement may cause on the network.

use crate::{FetchError, Fetcher};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Bounds of a [`Session`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Requests, redirects included. A signature of level B needs below 10, one with many time-stamps below 50.
    pub requests: usize,
    /// Bytes of one answer. The largest CRLs in public use have some 60 MB, trusted lists 5.
    pub answer: u64,
    /// Bytes of all answers together.
    pub total: u64,
    /// How long one answer may take. Responders answer within a second; large CRLs take some.
    pub patience: Duration,
    /// How long all of it may take.
    pub time: Duration,
    /// The most redirects of one request. Browsers stop at 20.
    pub redirects: usize,
    /// How often is judged again with what was fetched: issuers first, then what is to be asked about them.
    pub rounds: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            requests: 100,
            answer: 96 << 20,
            total: 256 << 20,
            patience: Duration::from_secs(20),
            time: Duration::from_secs(60),
            redirects: 5,
            rounds: 6,
        }
    }
}

impl Limits {
    /// Returns the bounds of an update of trusted lists, each of which may take so long: the Union has some 30 lists of up to
    /// 5 MB, and as many again in other countries.
    pub fn of_lists(patience: Duration) -> Self {
        Self {
            requests: 1_000,
            answer: 64 << 20,
            total: 1 << 30,
            patience,
            time: Duration::from_secs(1_800),
            ..Self::default()
        }
    }
}

/// Fetching for one judgement.
#[derive(Debug)]
pub struct Session<'f> {
    pub(crate) fetcher: &'f Fetcher,
    pub(crate) limits: Limits,
    begun: Instant,
    spent: Mutex<Spent>,
}

#[derive(Debug, Default)]
struct Spent {
    requests: usize,
    bytes: u64,
}

impl<'f> Session<'f> {
    pub(crate) fn new(fetcher: &'f Fetcher, limits: Limits) -> Self {
        Self { fetcher, limits, begun: Instant::now(), spent: Mutex::default() }
    }

    /// Spends a request; how long it may take, and how many bytes its answer may have.
    pub(crate) fn spend(&self) -> Result<(Duration, u64), FetchError> {
        let over = FetchError::Over { limit: self.limits.time };
        let left = self.limits.time.checked_sub(self.begun.elapsed()).filter(|left| !left.is_zero()).ok_or(over)?;
        let mut spent = self.spent.lock().expect("nobody panics with the lock");
        if spent.requests >= self.limits.requests {
            return Err(FetchError::Requests { limit: self.limits.requests });
        }
        spent.requests += 1;
        let bytes = self.limits.total.saturating_sub(spent.bytes);
        Ok((left.min(self.limits.patience), bytes.min(self.limits.answer)))
    }

    pub(crate) fn received(&self, bytes: usize) {
        self.spent.lock().expect("nobody panics with the lock").bytes += bytes as u64;
    }
}
