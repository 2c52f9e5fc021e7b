//! Whom the judgement trusts: loaded while the server starts, and asked for by every validation.

use crate::config::Trust;
use crate::http::failure::Failure;
use crate::http::problem;
use crate::metrics;
use lacre::policy::CryptographicSuite;
use lacre::time::Time;
use lacre::trust::{ListState, Role, TrustedLists};
use lacre::{Policy, Validator};
use lacre_map::FileBytes;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The validator, once what it trusts is loaded.
#[derive(Debug, Default)]
pub struct Trusted(OnceLock<Loaded>);

#[derive(Debug)]
struct Loaded {
    validator: Arc<Validator>,
    lists: Option<TrustedLists>,
}

/// Files that are not there yet may be mounted later.
const AGAIN: Duration = Duration::from_secs(5);

impl Trusted {
    /// The validator.
    ///
    /// # Errors
    ///
    /// 503 until everything is loaded.
    pub fn validator(&self) -> Result<Arc<Validator>, Failure> {
        let loaded = self.0.get().map(|loaded| Arc::clone(&loaded.validator));
        loaded.ok_or_else(|| Failure::of(problem::NOT_READY, "the trust anchors are not loaded yet"))
    }

    /// Whether everything is loaded, and no list of lists should have been replaced by now: TS 119 612 §5.3.15.
    ///
    /// # Errors
    ///
    /// 503 where not.
    pub fn ready(&self, now: Time) -> Result<(), Failure> {
        self.validator()?;
        let due = |list: &ListState| list.role == Role::ListOfLists && list.next_update.is_some_and(|due| due < now);
        match self.lists().iter().any(due) {
            true => Err(Failure::of(problem::NOT_READY, "the list of trusted lists is due to be replaced")),
            false => Ok(()),
        }
    }

    /// Measures how old the lists are.
    pub fn measure(&self, now: Time) {
        for list in self.lists().iter().filter(|list| matches!(list.role, Role::ListOfLists | Role::TrustedList)) {
            if let (Some(territory), Some(issued)) = (&list.territory, list.issue_date) {
                metrics::list_age(territory, now.seconds() - issued.seconds());
            }
        }
    }

    fn lists(&self) -> &[ListState] {
        self.0.get().and_then(|loaded| loaded.lists.as_ref()).map_or(&[], TrustedLists::states)
    }

    /// Loads until it succeeds; what is wrong is in the log. `more` are certificates to trust besides those named.
    pub async fn load(&self, trust: &Trust, more: &[Vec<u8>]) {
        loop {
            match loaded(trust, more) {
                Ok(loaded) => {
                    tracing::info!(trust_anchors = trust.trust_anchor.len() + more.len(), "trust loaded");
                    // Loaded once: a second load would find what the first one left.
                    let _ = self.0.set(loaded);
                    return;
                }
                Err(error) => tracing::error!(error, "trust not loaded, trying again"),
            }
            tokio::time::sleep(AGAIN).await;
        }
    }
}

fn loaded(trust: &Trust, more: &[Vec<u8>]) -> Result<Loaded, String> {
    let mut policy = match &trust.policy {
        Some(path) => Policy::from_bytes(&open(path)?).map_err(|e| because(path, e))?,
        None => Policy::eidas(),
    };
    if let Some(path) = &trust.crypto_suite {
        policy = policy.with_suite(CryptographicSuite::from_bytes(&open(path)?).map_err(|e| because(path, e))?);
    }
    let mut validator = Validator::new(policy);
    for path in &trust.trust_anchor {
        validator = validator.trust_anchor(&open(path)?).map_err(|e| because(path, e))?;
    }
    for certificate in more {
        validator = validator.trust_anchor(certificate).map_err(|e| e.to_string())?;
    }
    for path in &trust.evidence {
        validator = validator.evidence(&open(path)?).map_err(|e| because(path, e))?;
    }
    let lists = match &trust.trusted_lists {
        Some(path) => Some(TrustedLists::from_snapshot(&open(path)?).map_err(|e| because(path, e))?),
        None => None,
    };
    if let Some(lists) = &lists {
        validator = validator.trusted_lists(lists);
    }
    Ok(Loaded { validator: Arc::new(validator), lists })
}

fn open(path: &Path) -> Result<FileBytes, String> {
    FileBytes::open(path).map_err(|e| because(path, e))
}

fn because(path: &Path, error: impl std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}
