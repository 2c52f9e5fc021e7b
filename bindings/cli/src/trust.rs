//! Who is trusted, and what else is known: `--trust-anchor`, `--trusted-lists`, `--lotl-signer`, `--evidence`.

use crate::entities::EntityArguments;
use crate::input;
use crate::snapshots;
use crate::talk::Trouble;
use lacre::{
    Policy, Time, Validator, decode_pem,
    issuance::Certificate,
    trust::{LotlSigningCertificates, TrustedLists},
};
use lacre_fetch::lists;
use std::path::{Path, PathBuf};

/// Who is trusted, and what else is known.
#[derive(Debug, clap::Args)]
pub struct TrustArguments {
    /// A certificate to trust (DER or PEM).
    #[arg(long, value_name = "CERT")]
    trust_anchor: Vec<PathBuf>,
    /// A folder with a list of lists and the trusted lists that it points at, or a snapshot of one (`lacre lists pack`).
    /// Of several snapshots, or of a folder that holds nothing else, the one of the day that `--at` asks about is used.
    #[arg(long, value_name = "DIR|SNAPSHOT")]
    trusted_lists: Vec<PathBuf>,
    #[command(flatten)]
    signers: SignerArguments,
    #[command(flatten)]
    packers: PackerArguments,
    #[command(flatten)]
    entities: EntityArguments,
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

/// Who may have made a snapshot.
#[derive(Debug, clap::Args)]
pub struct PackerArguments {
    /// Take lists from a snapshot only, signed with this certificate (DER or PEM) or another one that is given.
    #[arg(long, value_name = "CERT")]
    packed_by: Vec<PathBuf>,
}

impl TrustArguments {
    /// A validator under `policy` that trusts and knows them, with the lists of that day.
    pub fn validator(&self, policy: Policy, at: Option<Time>) -> Result<Validator, Trouble> {
        let mut validator = Validator::new(policy);
        let trouble = |path: &Path, error: lacre::Error| Trouble::new(path.display(), &error).hint(error.hint());
        for path in &self.trust_anchor {
            validator = validator.trust_anchor(&input::open(path)?).map_err(|e| trouble(path, e))?;
        }
        for path in &self.evidence {
            validator = validator.evidence(&input::open(path)?).map_err(|e| trouble(path, e))?;
        }
        let validator = self.entities.trusted_by(validator)?;
        match &self.trusted_lists[..] {
            [] => Ok(validator),
            from => Ok(validator.trusted_lists(&load(from, at, &self.signers, &self.packers)?)),
        }
    }
}

impl SignerArguments {
    /// The certificates that may sign the list of lists.
    pub fn announcement(&self) -> Result<LotlSigningCertificates, Trouble> {
        if self.lotl_signer.is_empty() {
            return Ok(LotlSigningCertificates::official_journal());
        }
        let certificates = self.lotl_signer.iter().map(|path| certificate(path));
        Ok(LotlSigningCertificates::of(&certificates.collect::<Result<Vec<_>, _>>()?))
    }
}

/// The lists of a snapshot, of the one of the day where there are several, or of a folder, which is read on all cores.
pub fn load(
    from: &[PathBuf],
    at: Option<Time>,
    signers: &SignerArguments,
    packers: &PackerArguments,
) -> Result<TrustedLists, Trouble> {
    let announcement = signers.announcement()?;
    let read = |path: &Path| lists::load(path, &announcement).map_err(|error| Trouble::new("trusted lists", &error));
    if let Some(all) = snapshots::among(from)? {
        let (path, lists) = snapshots::of_day(&all, at.unwrap_or_else(input::now), read)?;
        packers.check(&path, &lists)?;
        return Ok(lists);
    }
    let [from] = from else { return Err(Trouble::plain("no trusted lists are named")) };
    if from.is_dir() && !packers.packed_by.is_empty() {
        return Err(Trouble::plain(format!("{}: found a folder, expected a signed snapshot", from.display())));
    }
    let lists = read(from)?;
    packers.check(from, &lists)?;
    Ok(lists)
}

impl PackerArguments {
    /// Whether one of these certificates signed the snapshot, where any is given.
    fn check(&self, from: &Path, lists: &TrustedLists) -> Result<(), Trouble> {
        if self.packed_by.is_empty() {
            return Ok(());
        }
        let certificates = self.packed_by.iter().map(|path| certificate(path)).collect::<Result<Vec<_>, _>>()?;
        let trouble = |error| Trouble::new(from.display(), &error);
        let hint = "--packed-by names the certificate of whoever packed it";
        lists.require_snapshot_signer(&certificates).map_err(|error| trouble(error).hint(Some(hint)))
    }
}

/// A certificate in a file.
pub fn certificate(path: &Path) -> Result<Certificate, Trouble> {
    Certificate::from_der(&decode_pem(&input::open(path)?)).map_err(|e| Trouble::new(path.display(), &e))
}
