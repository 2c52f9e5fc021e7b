//! Keys that are open, so that they need not be opened for each signature.

use super::UserKey;
use crate::storage::KeyId;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Most keys that are open at once: an elliptic key takes less than a kilobyte.
const MOST: usize = 1024;

/// Open keys. Who is forgotten is wiped as soon as nobody signs with it.
#[derive(Default)]
pub struct Cache(Mutex<Keys>);

#[derive(Default)]
struct Keys {
    keys: HashMap<KeyId, (UserKey, u64)>,
    uses: u64,
}

impl Cache {
    pub fn find(&self, id: KeyId) -> Option<UserKey> {
        self.with(|keys| {
            keys.uses += 1;
            let (key, last) = keys.keys.get_mut(&id)?;
            *last = keys.uses;
            Some(key.clone())
        })
    }

    /// Keeps an open key; past the limit, the half that was not used for longest is forgotten.
    pub fn keep(&self, key: UserKey) {
        self.with(|keys| {
            if keys.keys.len() >= MOST {
                let mut uses: Vec<u64> = keys.keys.values().map(|(_, last)| *last).collect();
                uses.sort_unstable();
                let limit = uses.get(MOST / 2).copied().unwrap_or_default();
                keys.keys.retain(|_, (_, last)| *last > limit);
            }
            keys.uses += 1;
            let last = keys.uses;
            keys.keys.insert(key.issued.key, (key, last));
        });
    }

    pub fn forget(&self, id: KeyId) {
        self.with(|keys| keys.keys.remove(&id));
    }

    fn with<T>(&self, work: impl FnOnce(&mut Keys) -> T) -> T {
        // A panic leaves nothing half-done in a map of whole keys.
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
