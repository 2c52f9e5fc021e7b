//! Who waits for whom.

use crate::storage::User;
use std::hash::{BuildHasher as _, RandomState};

/// Users take turns: those that share a lock wait for each other, which costs time and nothing else.
pub struct Turns {
    locks: [tokio::sync::Mutex<()>; 64],
    hasher: RandomState,
}

impl Default for Turns {
    fn default() -> Self {
        Self { locks: std::array::from_fn(|_| tokio::sync::Mutex::default()), hasher: RandomState::new() }
    }
}

impl Turns {
    pub fn of(&self, user: &User) -> &tokio::sync::Mutex<()> {
        let at = self.hasher.hash_one(user) % self.locks.len() as u64;
        &self.locks[usize::try_from(at).expect("it is below 64")]
    }
}
