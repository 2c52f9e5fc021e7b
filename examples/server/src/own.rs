//! What the server's own authority says, for its own validations: a signature that was made here can be judged here.

use crate::registry::{self, Registry};
use lacre::Validator;
use lacre::time::Time;
use std::sync::{Arc, Mutex, PoisonError};

/// How long a revocation by another process may stay unnoticed; what this process does is noticed at once.
const MILLISECONDS: i64 = 10_000;
/// The longest list that is handed in, some ten thousand entries: every validation reads it.
const MOST: usize = 1 << 19;

/// A validator that knows who was revoked, kept while nobody else is.
#[derive(Default)]
pub struct Own(Mutex<Option<Kept>>);

struct Kept {
    /// What it was made from.
    plain: Arc<Validator>,
    changes: u64,
    made: Time,
    informed: Arc<Validator>,
}

impl Own {
    /// The validator, with the authority's chain and its revocation list as evidence. Where the storage does not say who
    /// is revoked, the validator as it is: what it cannot know shows in its verdicts.
    pub async fn informed(&self, registry: &Registry, plain: Arc<Validator>, now: Time) -> Arc<Validator> {
        // Asked before the list is made: what comes in between is a change that the list may lack.
        let changes = registry.changes();
        let recent = |kept: &Kept| {
            Arc::ptr_eq(&kept.plain, &plain)
                && kept.changes == changes
                && now.millis() - kept.made.millis() < MILLISECONDS
        };
        if let Some(kept) = self.lock().as_ref().filter(|kept| recent(kept)) {
            return Arc::clone(&kept.informed);
        }
        match make(registry, &plain, now).await {
            Ok(informed) => {
                let informed = Arc::new(informed);
                *self.lock() = Some(Kept { plain, changes, made: now, informed: Arc::clone(&informed) });
                informed
            }
            Err(error) => {
                tracing::warn!(%error, "validating without the authority's own revocation list");
                plain
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Kept>> {
        // A validator that is kept is whole, whoever panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn make(registry: &Registry, plain: &Validator, now: Time) -> Result<Validator, registry::Error> {
    let list = registry.revocation_list(now).await?;
    let mut informed = plain.clone();
    let authority = registry.authority();
    let chain = std::iter::once(authority.certificate()).chain(authority.chain()).map(|certificate| certificate.der());
    let list = Some(list.as_slice()).filter(|list| list.len() <= MOST);
    for octets in chain.chain(list) {
        // They were read or written here: evidence that is none cannot be among them.
        informed = informed.evidence(octets).map_err(|_| registry::Error::Evidence)?;
    }
    Ok(informed)
}
