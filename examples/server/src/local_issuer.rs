//! The server's own authority as a source of validation data: a signature that was made here can be validated here.

use crate::registry::{self, Registry};
use lacre::{Time, Validator};
use std::sync::{Arc, Mutex, PoisonError};

/// How long a revocation by another process may stay unnoticed. Those of this process are noticed at once.
const MILLISECONDS: i64 = 10_000;
/// The longest revocation list that is supplied, some ten thousand entries: every validation reads it.
pub const MOST: usize = 1 << 19;

/// Adds the authority's chain and revocation list to the validator, and caches the result until one of them changes.
#[derive(Default)]
pub struct LocalIssuer(Mutex<Option<Cached>>);

struct Cached {
    /// The validator without the authority's data.
    base: Arc<Validator>,
    /// [`Registry::changes`] at that time.
    changes: u64,
    made: Time,
    validator: Arc<Validator>,
}

impl LocalIssuer {
    /// Returns `base` with the authority's chain and its revocation list as evidence. Where the storage does not answer,
    /// returns `base` itself: the verdicts then show what is missing.
    pub async fn validator(&self, registry: &Registry, base: Arc<Validator>, now: Time) -> Arc<Validator> {
        // Read before the list is made: a change in between is one that the list may lack.
        let changes = registry.changes();
        let is_recent = |cached: &Cached| {
            Arc::ptr_eq(&cached.base, &base)
                && cached.changes == changes
                && now.millis() - cached.made.millis() < MILLISECONDS
        };
        if let Some(cached) = self.lock().as_ref().filter(|cached| is_recent(cached)) {
            return Arc::clone(&cached.validator);
        }
        match with_own_data(registry, &base, now).await {
            Ok(validator) => {
                let validator = Arc::new(validator);
                *self.lock() = Some(Cached { base, changes, made: now, validator: Arc::clone(&validator) });
                validator
            }
            Err(error) => {
                tracing::warn!(%error, "validating without the authority's own revocation list");
                base
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Cached>> {
        // A cached validator is complete, even where a thread panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn with_own_data(registry: &Registry, base: &Validator, now: Time) -> Result<Validator, registry::Error> {
    let list = registry.revocation_list(now).await?;
    let mut validator = base.clone();
    let authority = registry.authority();
    let chain = std::iter::once(authority.certificate()).chain(authority.chain()).map(|certificate| certificate.der());
    let list = Some(list.as_slice()).filter(|list| list.len() <= MOST);
    for bytes in chain.chain(list) {
        // The registry read or wrote each of them: all are certificates or revocation data.
        validator = validator.evidence(bytes).map_err(|_| registry::Error::Evidence)?;
    }
    Ok(validator)
}
