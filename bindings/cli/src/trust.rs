//! Who is trusted, and what else is known: `--trust-anchor`, `--trusted-lists`, `--lotl-signer`, `--evidence`.

use crate::default_lists;
use crate::entities::EntityArguments;
use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::input;
use crate::snapshots;
use crate::terminal::print_note;
use lacre::{
    Policy, Time, Validator, decode_pem,
    issuance::Certificate,
    signing::SigningErrorCode,
    trust::{ListState, LotlSigningCertificates, ProblemKey, TrustedLists},
};
use lacre_core::facts::{Facts, TrustState, TrustStore};
use lacre_fetch::lists;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// What is said where nobody is trusted.
const NOBODY: &str = "no trusted list is loaded and no certificate is trusted";
/// The advice about that.
const SAY_WHOM: &str = "--trusted-lists names a folder of lists, --trust-anchor a certificate; see `lacre lists show`";

/// Who is trusted, and what else is known.
#[derive(Debug, clap::Args)]
pub struct TrustArguments {
    #[command(flatten)]
    trusted: TrustedArguments,
    /// Leave out the lists of LACRE_TRUSTED_LISTS and of the default place, ~/.local/share/lacre/lists. They are used where
    /// no option names anybody to trust.
    #[arg(long, conflicts_with = "trusted_lists")]
    no_trusted_lists: bool,
    /// A certificate, CRL or OCSP response that the files may lack (DER or PEM).
    #[arg(long, value_name = "FILE")]
    evidence: Vec<PathBuf>,
}

/// Who is trusted.
#[derive(Debug, clap::Args)]
pub struct TrustedArguments {
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
    /// Returns a validator under `policy` that trusts and knows them, with the lists of that day.
    pub fn validator(&self, policy: Policy, at: Option<Time>) -> Result<Validator, CliError> {
        self.with_lists(policy, at, &self.lists())
    }

    /// Returns the same, where it makes no sense that nobody is trusted.
    pub fn trusting_validator(&self, policy: Policy, at: Option<Time>) -> Result<Validator, CliError> {
        let lists = self.lists();
        if lists.is_empty() && !self.trusted.says_whom() {
            let error = CliError::plain(NOBODY).coded(SigningErrorCode::ChainNotTrusted);
            return Err(error.hint(Some(SAY_WHOM)));
        }
        self.with_lists(policy, at, &lists)
    }

    fn with_lists(&self, policy: Policy, at: Option<Time>, lists: &[PathBuf]) -> Result<Validator, CliError> {
        let mut validator = Validator::new(policy);
        for path in &self.evidence {
            validator = validator.evidence(&input::open(path)?).map_err(|e| cli_error(path, e))?;
        }
        self.trusted.by_lists(validator, at, lists)
    }

    /// Returns the trusted lists: an option that says whom to trust goes before the variable and the default place, so
    /// that what a command says in full depends on nobody's home.
    fn lists(&self) -> Cow<'_, [PathBuf]> {
        if self.trusted.names_anybody() || self.no_trusted_lists {
            return Cow::Borrowed(&self.trusted.trusted_lists);
        }
        default_lists::find().into_iter().collect()
    }
}

impl TrustedArguments {
    /// Returns a validator under `policy` that trusts them, with the lists of that day.
    pub fn validator(&self, policy: Policy, at: Time) -> Result<Validator, CliError> {
        self.by_lists(Validator::new(policy), Some(at), &self.trusted_lists)
    }

    fn by_lists(&self, mut validator: Validator, at: Option<Time>, lists: &[PathBuf]) -> Result<Validator, CliError> {
        for path in &self.trust_anchor {
            validator = validator.trust_anchor(&input::open(path)?).map_err(|e| cli_error(path, e))?;
        }
        let validator = self.entities.trusted_by(validator)?;
        match lists {
            [] => Ok(validator),
            from => {
                let lists = load(from, at, &self.signers, &self.packers)?;
                note_unusable(&lists);
                Ok(validator.trusted_lists(&lists))
            }
        }
    }

    /// Returns whether an option names somebody who is trusted.
    pub fn names_anybody(&self) -> bool {
        !self.trusted_lists.is_empty() || self.says_whom()
    }

    /// Returns whether an option names somebody who is trusted, beside lists.
    fn says_whom(&self) -> bool {
        !self.trust_anchor.is_empty() || self.entities.are_given()
    }
}

fn cli_error(path: &Path, error: lacre::Error) -> CliError {
    CliError::new(path.display(), &error).hint(error.hint())
}

impl SignerArguments {
    /// Returns the certificates that may sign the list of lists.
    pub fn announcement(&self) -> Result<LotlSigningCertificates, CliError> {
        if self.lotl_signer.is_empty() {
            return Ok(LotlSigningCertificates::official_journal());
        }
        let certificates = self.lotl_signer.iter().map(|path| certificate(path));
        Ok(LotlSigningCertificates::of(&certificates.collect::<Result<Vec<_>, _>>()?))
    }
}

/// The number of lists that a note names.
const NAMED: usize = 3;

/// Prints which lists are not relied on, with the reason. Earlier issues of lists that are there are none of them.
fn note_unusable(lists: &TrustedLists) {
    let superseded = |state: &ListState| state.problems.iter().any(|problem| problem.key == ProblemKey::Superseded);
    let unusable: Vec<&ListState> =
        lists.states().iter().filter(|state| !state.trusted && !superseded(state)).collect();
    for state in unusable.iter().take(NAMED) {
        let territory = state.territory.as_ref().map(|territory| format!(" ({territory})")).unwrap_or_default();
        let reasons: Vec<&str> = state.problems.iter().map(|problem| &*problem.message).collect();
        print_note(&format!("the trusted list {}{territory} is not relied on: {}", state.name, reasons.join("; ")));
    }
    if unusable.len() > NAMED {
        print_note(&format!("{} more lists are not relied on; `lacre lists show` names them", unusable.len() - NAMED));
    }
}

/// Loads the lists of a snapshot, of the one of the day where there are several, or of a folder, which is read on all
/// cores.
pub fn load(
    from: &[PathBuf],
    at: Option<Time>,
    signers: &SignerArguments,
    packers: &PackerArguments,
) -> Result<TrustedLists, CliError> {
    let announcement = signers.announcement()?;
    let read = |path: &Path| lists::load(path, &announcement).map_err(|error| CliError::new("trusted lists", &error));
    if let Some(all) = snapshots::among(from)? {
        let (path, lists) = snapshots::of_day(&all, at.unwrap_or_else(input::now), read)?;
        packers.check(&path, &lists)?;
        return Ok(lists);
    }
    let [from] = from else { return Err(CliError::plain("no trusted lists are named")) };
    if from.is_dir() && !packers.packed_by.is_empty() {
        return Err(CliError::plain(format!("{}: found a folder, expected a signed snapshot", from.display())));
    }
    let lists = read(from)?;
    packers.check(from, &lists)?;
    Ok(lists)
}

impl PackerArguments {
    /// Checks that one of these certificates signed the snapshot, where any is given.
    fn check(&self, from: &Path, lists: &TrustedLists) -> Result<(), CliError> {
        if self.packed_by.is_empty() {
            return Ok(());
        }
        let certificates = self.packed_by.iter().map(|path| certificate(path)).collect::<Result<Vec<_>, _>>()?;
        let cli_error = |error| CliError::new(from.display(), &error);
        let hint = "--packed-by names the certificate of whoever packed it";
        lists.require_snapshot_signer(&certificates).map_err(|error| cli_error(error).hint(Some(hint)))
    }
}

/// Reads a certificate from a file.
pub fn certificate(path: &Path) -> Result<Certificate, CliError> {
    Certificate::from_der(&decode_pem(&input::open(path)?)).map_err(|e| CliError::new(path.display(), &e))
}

/// Returns the status of a verdict: where that is open and nobody could be trusted the job was not done, and the error
/// says so.
pub fn with_trust(status: ExitStatus, facts: &Facts) -> (ExitStatus, Option<CliError>) {
    let message = match facts.trust_store.as_ref().map(TrustStore::state) {
        Some(TrustState::Nobody) => NOBODY,
        Some(TrustState::NoUsableList) => "none of the trusted lists can be relied on",
        _ => return (status, None),
    };
    if status != ExitStatus::Indeterminate {
        return (status, None);
    }
    (ExitStatus::NotDone, Some(CliError::plain(message).hint(Some(SAY_WHOM))))
}
