//! An issuer's key set, fetched from the one address that the operator names, and kept for a while.

use super::OidcError;
use super::jwk::KeySet;
use lacre_fetch::{Addresses, Fetcher, Limits};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How long a key set is used without asking again.
const KEPT: Duration = Duration::from_secs(600);

/// How often the issuer is asked at most, however many tokens name keys that are not there.
const PAUSE: Duration = Duration::from_secs(10);

/// An issuer's keys.
pub struct Keys {
    source: Option<Source>,
    known: Mutex<Known>,
}

struct Source {
    url: String,
    fetcher: Arc<Fetcher>,
}

#[derive(Default)]
struct Known {
    keys: Option<Arc<KeySet>>,
    asked: Option<Instant>,
}

impl Keys {
    /// Returns the keys at an address, which has to be a public one or among those allowed.
    pub fn at(url: String, addresses: Addresses) -> Self {
        let fetcher = Arc::new(Fetcher::new(addresses));
        Self { source: Some(Source { url, fetcher }), known: Mutex::default() }
    }

    /// Keys that are known and stay.
    pub fn fixed(keys: KeySet) -> Self {
        let known = Known { keys: Some(Arc::new(keys)), asked: None };
        Self { source: None, known: Mutex::new(known) }
    }

    /// Returns the keys; fetched where they are not there yet or were kept for long.
    pub async fn known(&self) -> Result<Arc<KeySet>, OidcError> {
        self.not_older_than(KEPT).await
    }

    /// Returns the keys; fetched unless that was only just done.
    pub async fn renewed(&self) -> Result<Arc<KeySet>, OidcError> {
        self.not_older_than(PAUSE).await
    }

    async fn not_older_than(&self, age: Duration) -> Result<Arc<KeySet>, OidcError> {
        // Whoever comes while the issuer is asked waits for its answer.
        let mut known = self.known.lock().await;
        let young = known.asked.is_some_and(|asked| asked.elapsed() < age);
        if let (false, Some(source)) = (young, &self.source) {
            known.asked = Some(Instant::now());
            match source.fetch().await {
                Ok(keys) => known.keys = Some(Arc::new(keys)),
                // Old keys are better than none: the issuer may be back soon.
                Err(error) => tracing::warn!(error, "the issuer's key set was not fetched"),
            }
        }
        known.keys.clone().ok_or_else(|| OidcError::Keys("not there".into()))
    }
}

impl Source {
    async fn fetch(&self) -> Result<KeySet, String> {
        let (url, fetcher) = (self.url.clone(), Arc::clone(&self.fetcher));
        // The address is the operator's: it does not lead elsewhere.
        let limits = Limits { redirects: 0, ..Limits::default() };
        let fetched = tokio::task::spawn_blocking(move || fetcher.session(limits).get(&url)).await;
        let bytes = fetched.map_err(|_| "the worker ended early".to_owned())?.map_err(|e| e.to_string())?;
        KeySet::from_json(&bytes).map_err(|e| e.to_string())
    }
}
