//! Selections of revocation data made before, kept for the next that needs the same.

use super::blocks::RevocationSelection;
use crate::facts::Id;
use crate::time::Time;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// A certificate that was visited, and what was selected for it by the end of that.
pub(super) type Visited = (Id, Option<Arc<RevocationSelection>>);

/// A selection, and the certificates that were visited for it.
#[derive(Debug, Clone)]
pub(super) struct CachedSelection {
    /// The selection.
    pub selection: Arc<RevocationSelection>,
    /// The certificates visited, in order, each with its own.
    pub visited: Arc<[Visited]>,
}

/// The selections by certificate and time.
#[derive(Debug, Default)]
pub(super) struct SelectionCache(RefCell<HashMap<Id, HashMap<Time, CachedSelection>>>);

impl SelectionCache {
    /// Returns the selection for a certificate at a time, where it was made before.
    pub fn get(&self, certificate: &Id, time: Time) -> Option<CachedSelection> {
        self.0.borrow().get(certificate)?.get(&time).cloned()
    }

    /// Keeps the selection for a certificate at a time.
    pub fn insert(&self, certificate: &Id, time: Time, selection: CachedSelection) {
        self.0.borrow_mut().entry(certificate.clone()).or_default().insert(time, selection);
    }
}
