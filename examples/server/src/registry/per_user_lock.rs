//! One request at a time for each user.

use crate::storage::User;
use std::hash::{BuildHasher as _, RandomState};

/// Holds a fixed number of locks, each shared by the users whose hashes it gets: sharing costs time and nothing else.
pub struct PerUserLock {
    locks: [tokio::sync::Mutex<()>; 64],
    hasher: RandomState,
}

impl Default for PerUserLock {
    fn default() -> Self {
        Self { locks: std::array::from_fn(|_| tokio::sync::Mutex::default()), hasher: RandomState::new() }
    }
}

impl PerUserLock {
    /// Returns the user's lock.
    pub fn of(&self, user: &User) -> &tokio::sync::Mutex<()> {
        let at = self.hasher.hash_one(user) % self.locks.len() as u64;
        &self.locks[usize::try_from(at).expect("it is below 64")]
    }
}
