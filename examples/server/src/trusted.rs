//! Whom the judgement trusts: loaded in the background, again when a file changes, and asked for by every validation.

mod load;

use crate::config::Trust;
use crate::http::failure::Failure;
use crate::http::problem;
use crate::metrics;
use lacre::{
    Time, Validator,
    trust::{ListState, Role, TrustedLists},
};
use load::{Files, Loaded};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

/// The validator, once what it trusts is loaded.
#[derive(Debug)]
pub struct Trusted {
    loaded: RwLock<Option<Arc<Loaded>>>,
    /// For how long lists are fresh after they were fetched.
    lists_max_age: Duration,
}

/// Files that are not there yet may be mounted later; files that are being written are whole soon.
const AGAIN: Duration = Duration::from_secs(5);

impl Trusted {
    /// Trusts nobody, until [`keep`](Self::keep) has loaded somebody. Lists that were fetched longer ago are not fresh.
    pub fn new(lists_max_age: Duration) -> Self {
        Self { loaded: RwLock::default(), lists_max_age }
    }

    /// Returns the validator.
    ///
    /// # Errors
    ///
    /// 503 until everything is loaded.
    pub fn validator(&self) -> Result<Arc<Validator>, Failure> {
        Ok(Arc::clone(&self.loaded()?.validator))
    }

    /// Checks that everything is loaded, somebody is trusted, and what the lists say is recent.
    ///
    /// # Errors
    ///
    /// 503 where not, with the reason.
    pub fn ready(&self, now: Time) -> Result<(), Failure> {
        let loaded = self.loaded()?;
        let wrong = match &loaded.lists {
            Some(lists) => self.unfit(lists, now),
            None if loaded.anchors == 0 => {
                Some("nobody is trusted: no certificates and no trusted lists are set".into())
            }
            None => None,
        };
        wrong.map_or(Ok(()), |reason| Err(Failure::of(problem::NOT_READY, reason)))
    }

    /// Returns why nobody should rely on these lists now.
    fn unfit(&self, lists: &TrustedLists, now: Time) -> Option<String> {
        let max_age = i64::try_from(self.lists_max_age.as_millis()).unwrap_or(i64::MAX);
        for list in lists.states().iter().filter(|list| list.role == Role::ListOfLists) {
            // TS 119 612 §5.3.15.
            if let Some(due) = list.next_update.filter(|due| *due < now) {
                return Some(format!("the list of lists should have been replaced by {due}"));
            }
            if let Some(loaded) = list.loaded.filter(|loaded| now.millis() - loaded.millis() > max_age) {
                return Some(format!("the list of lists was last fetched at {loaded}"));
            }
        }
        (lists.trusted() == 0).then(|| "none of the trusted lists can be relied on".to_owned())
    }

    /// Measures how old the lists are.
    pub fn measure(&self, now: Time) {
        let Ok(loaded) = self.loaded() else { return };
        let states = loaded.lists.as_ref().map_or(&[] as &[ListState], TrustedLists::states);
        for list in states.iter().filter(|list| matches!(list.role, Role::ListOfLists | Role::TrustedList)) {
            if let (Some(territory), Some(issued)) = (&list.territory, list.issue_date) {
                metrics::list_age(territory, now.seconds() - issued.seconds());
            }
        }
    }

    fn loaded(&self) -> Result<Arc<Loaded>, Failure> {
        // What is in there is whole, whoever panicked.
        let loaded = self.loaded.read().unwrap_or_else(PoisonError::into_inner).clone();
        loaded.ok_or_else(|| Failure::of(problem::NOT_READY, "what is trusted is not loaded yet"))
    }

    /// Loads until it succeeds, and again whenever a file is another one. What was loaded before stays where a new file
    /// cannot be read; what is wrong is in the log. `more` are certificates to trust besides those named.
    pub async fn keep(&self, trust: &Trust, more: &[Vec<u8>]) {
        let (mut known, mut told) = (None, None);
        loop {
            let (trust_now, more_now) = (trust.clone(), more.to_vec());
            let before = known.clone();
            let done = tokio::task::spawn_blocking(move || load::if_changed(&trust_now, &more_now, before.as_ref()));
            match done.await.unwrap_or_else(|_| Err("the loader ended early".to_owned())) {
                Ok(None) => {}
                Ok(Some((files, loaded))) => {
                    told = None;
                    self.replace(loaded);
                    known = Some(files);
                }
                Err(error) => {
                    metrics::trust_loaded(false);
                    if told.as_ref() != Some(&error) {
                        tracing::error!(error, "trust not loaded, trying again");
                    }
                    (known, told) = (None::<Files>, Some(error));
                }
            }
            tokio::time::sleep(if known.is_some() { trust.trust_refresh } else { trust.trust_refresh.min(AGAIN) })
                .await;
        }
    }

    fn replace(&self, loaded: Loaded) {
        metrics::trust_loaded(true);
        let lists = loaded.lists.as_ref().map_or(0, TrustedLists::trusted);
        tracing::info!(trust_anchors = loaded.anchors, trusted_lists = lists, "trust loaded");
        *self.loaded.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(loaded));
    }
}
