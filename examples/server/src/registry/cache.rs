//! What was read or opened before, so that it need not be for each signature.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

/// Most values that are kept: an elliptic key or a token's record takes less than a kilobyte.
const MOST: usize = 1024;

/// Kept values. A key that is forgotten is wiped as soon as nobody signs with it.
pub struct Cache<K, V>(Mutex<Entries<K, V>>);

struct Entries<K, V> {
    values: HashMap<K, (V, u64)>,
    uses: u64,
}

impl<K, V> Default for Cache<K, V> {
    fn default() -> Self {
        Self(Mutex::new(Entries { values: HashMap::new(), uses: 0 }))
    }
}

impl<K: Copy + Eq + Hash, V: Clone> Cache<K, V> {
    pub fn find(&self, id: K) -> Option<V> {
        self.with(|entries| {
            entries.uses += 1;
            let (value, last) = entries.values.get_mut(&id)?;
            *last = entries.uses;
            Some(value.clone())
        })
    }

    /// Keeps a value; past the limit, the half that was not used for longest is forgotten.
    pub fn keep(&self, id: K, value: V) {
        self.with(|entries| {
            if entries.values.len() >= MOST {
                let mut uses: Vec<u64> = entries.values.values().map(|(_, last)| *last).collect();
                uses.sort_unstable();
                let limit = uses.get(MOST / 2).copied().unwrap_or_default();
                entries.values.retain(|_, (_, last)| *last > limit);
            }
            entries.uses += 1;
            let last = entries.uses;
            entries.values.insert(id, (value, last));
        });
    }

    pub fn forget(&self, id: K) {
        self.with(|entries| entries.values.remove(&id));
    }

    fn with<T>(&self, work: impl FnOnce(&mut Entries<K, V>) -> T) -> T {
        // A panic leaves nothing half-done in a map of whole values.
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_is_kept() {
        let cache = Cache::default();
        for id in 0..MOST {
            cache.keep(id, id);
        }
        assert_eq!(cache.find(0), Some(0), "used again");
        cache.keep(MOST, MOST);
        for (situation, id, expected) in [
            ("used lately", 0, true),
            ("the oldest", 1, false),
            ("newer ones", MOST - 1, true),
            ("the newest", MOST, true),
        ] {
            assert_eq!(cache.find(id).is_some(), expected, "{situation}");
        }
        cache.forget(0);
        assert_eq!(cache.find(0), None);
    }
}
