//! Who is trusted, and what else is known: `--trust-anchor`, `--trusted-lists`, `--lotl-signer`, `--evidence`.

use crate::input;
use crate::talk::Trouble;
use lacre::document::unarmored;
use lacre::trust::{Announcement, TrustedLists};
use lacre::x509::Certificate;
use lacre::{Policy, Validator};
use lacre_fetch::lists;
use std::path::{Path, PathBuf};

/// Who is trusted, and what else is known.
#[derive(Debug, clap::Args)]
pub struct TrustArguments {
    /// A certificate to trust (DER or PEM).
    #[arg(long, value_name = "CERT")]
    trust_anchor: Vec<PathBuf>,
    /// A folder with a list of lists and the trusted lists that it points at, or a snapshot of one (`lacre lists pack`).
    #[arg(long, value_name = "DIR|SNAPSHOT")]
    trusted_lists: Option<PathBuf>,
    #[command(flatten)]
    signers: SignerArguments,
    /// A certificate, CRL or OCSP response that the files may lack (DER or PEM).
    #[arg(long, value_name = "FILE")]
    evidence: Vec<PathBuf>,
}

/// Who may sign the list of lists.
#[derive(Debug, clap::Args)]
pub struct SignerArguments {
    /// A certificate that may sign the list of lists (DER or PEM). Default: those announced in the Official Journal
    /// C/2026/1944.
    #[arg(long, value_name = "CERT")]
    lotl_signer: Vec<PathBuf>,
}

impl TrustArguments {
    /// A validator under `policy` that trusts and knows them.
    pub fn validator(&self, policy: Policy) -> Result<Validator, Trouble> {
        let mut validator = Validator::new(policy);
        let trouble = |path: &Path, error: lacre::Error| Trouble::new(path.display(), &error).hint(error.hint());
        for path in &self.trust_anchor {
            validator = validator.trust_anchor(&input::open(path)?).map_err(|e| trouble(path, e))?;
        }
        for path in &self.evidence {
            validator = validator.evidence(&input::open(path)?).map_err(|e| trouble(path, e))?;
        }
        match &self.trusted_lists {
            Some(from) => Ok(validator.trusted_lists(&load(from, &self.signers.announcement()?)?)),
            None => Ok(validator),
        }
    }
}

impl SignerArguments {
    /// The certificates that may sign the list of lists.
    pub fn announcement(&self) -> Result<Announcement, Trouble> {
        if self.lotl_signer.is_empty() {
            return Ok(Announcement::official_journal());
        }
        let read = |path: &PathBuf| {
            let octets = input::open(path)?;
            Certificate::from_der(&unarmored(&octets)).map_err(|e| Trouble::new(path.display(), &e))
        };
        Ok(Announcement::of(&self.lotl_signer.iter().map(read).collect::<Result<Vec<_>, _>>()?))
    }
}

/// The lists of a snapshot, or of a folder, which is read on all cores.
pub fn load(from: &Path, announcement: &Announcement) -> Result<TrustedLists, Trouble> {
    lists::load(from, announcement).map_err(|error| Trouble::new("trusted lists", &error))
}
