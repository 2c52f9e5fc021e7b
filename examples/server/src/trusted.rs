//! Whom the judgement trusts: loaded while the server starts, and asked for by every validation.

use crate::config::Trust;
use crate::http::failure::Failure;
use crate::http::problem;
use lacre::policy::CryptographicSuite;
use lacre::{Policy, Validator};
use lacre_map::FileBytes;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The validator, once what it trusts is loaded.
#[derive(Debug, Default)]
pub struct Trusted(OnceLock<Arc<Validator>>);

/// Files that are not there yet may be mounted later.
const AGAIN: Duration = Duration::from_secs(5);

impl Trusted {
    /// The validator.
    ///
    /// # Errors
    ///
    /// 503 until everything is loaded.
    pub fn validator(&self) -> Result<Arc<Validator>, Failure> {
        let loaded = self.0.get().cloned();
        loaded.ok_or_else(|| Failure::of(problem::NOT_READY, "the trust anchors are not loaded yet"))
    }

    /// Loads until it succeeds; what is wrong is in the log. `more` are certificates to trust besides those named.
    pub async fn load(&self, trust: &Trust, more: &[Vec<u8>]) {
        loop {
            match validator(trust, more) {
                Ok(validator) => {
                    tracing::info!(trust_anchors = trust.trust_anchor.len() + more.len(), "trust loaded");
                    // Loaded once: a second load would find what the first one left.
                    let _ = self.0.set(Arc::new(validator));
                    return;
                }
                Err(error) => tracing::error!(error, "trust not loaded, trying again"),
            }
            tokio::time::sleep(AGAIN).await;
        }
    }
}

fn validator(trust: &Trust, more: &[Vec<u8>]) -> Result<Validator, String> {
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
    Ok(validator)
}

fn open(path: &Path) -> Result<FileBytes, String> {
    FileBytes::open(path).map_err(|e| because(path, e))
}

fn because(path: &Path, error: impl std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}
