//! Reading what is trusted, and seeing whether it is still what was read.

use crate::config::Trust;
use lacre::{
    Policy, Validator, decode_pem,
    issuance::Certificate,
    policy::CryptographicSuite,
    trust::{LotlSigningCertificates, TrustedLists},
};
use lacre_fetch::lists;
use lacre_map::FileBytes;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// What was loaded.
#[derive(Debug)]
pub struct Loaded {
    /// The validator over all of it.
    pub validator: Arc<Validator>,
    /// How many certificates are trusted beside the lists.
    pub anchors: usize,
    /// The lists.
    pub lists: Option<TrustedLists>,
}

/// Every file that is read, with its length and when it was written.
pub type Files = Vec<(PathBuf, Option<(u64, SystemTime)>)>;

/// Loads everything, unless the files are those.
///
/// # Errors
///
/// What is wrong with which file.
pub fn if_changed(trust: &Trust, more: &[Vec<u8>], known: Option<&Files>) -> Result<Option<(Files, Loaded)>, String> {
    // Looked at first: what is written while it is read is found to be another file the next time.
    let files = files(trust);
    if known == Some(&files) {
        return Ok(None);
    }
    Ok(Some((files, loaded(trust, more)?)))
}

fn files(trust: &Trust) -> Files {
    let mut paths: Vec<PathBuf> = [&trust.trust_anchor, &trust.evidence, &trust.lotl_signer, &trust.packed_by]
        .into_iter()
        .flatten()
        .cloned()
        .collect();
    paths.extend(trust.policy.iter().chain(&trust.crypto_suite).cloned());
    if let Some(place) = &trust.trusted_lists {
        // A folder that cannot be read is said when it is loaded.
        paths.extend(lists::files(place).unwrap_or_default());
        paths.push(place.clone());
    }
    let state = |path: &Path| {
        let file = std::fs::metadata(path).ok()?;
        Some((file.len(), file.modified().ok()?))
    };
    paths.into_iter().map(|path| (path.clone(), state(&path))).collect()
}

fn loaded(trust: &Trust, more: &[Vec<u8>]) -> Result<Loaded, String> {
    let mut policy = match &trust.policy {
        Some(path) => match path.to_str().and_then(Policy::named) {
            Some(policy) => policy,
            None => Policy::from_bytes(&open(path)?).map_err(|e| because(path, e))?,
        },
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
        Some(place) => {
            let lists = lists::load(place, &announcement(trust)?).map_err(|e| chain(&e))?;
            if !trust.packed_by.is_empty() {
                lists.require_snapshot_signer(&certificates(&trust.packed_by)?).map_err(|e| because(place, e))?;
            }
            Some(lists)
        }
        None => None,
    };
    if let Some(lists) = &lists {
        validator = validator.trusted_lists(lists);
    }
    Ok(Loaded { validator: Arc::new(validator), anchors: trust.trust_anchor.len() + more.len(), lists })
}

/// Returns who may sign the list of lists.
fn announcement(trust: &Trust) -> Result<LotlSigningCertificates, String> {
    if trust.lotl_signer.is_empty() {
        return Ok(LotlSigningCertificates::official_journal());
    }
    Ok(LotlSigningCertificates::of(&certificates(&trust.lotl_signer)?))
}

fn certificates(paths: &[PathBuf]) -> Result<Vec<Certificate>, String> {
    let read = |path: &PathBuf| Certificate::from_der(&decode_pem(&open(path)?)).map_err(|e| because(path, e));
    paths.iter().map(read).collect()
}

fn open(path: &Path) -> Result<FileBytes, String> {
    FileBytes::open(path).map_err(|e| because(path, e))
}

fn because(path: &Path, error: impl std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}

/// Returns an error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    std::iter::successors(error.source(), |cause| cause.source())
        .fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
