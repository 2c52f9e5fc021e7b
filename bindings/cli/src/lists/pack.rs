//! `lacre lists pack`: what is trusted of a folder's lists, in one file, signed where a key is given.

use crate::default_lists;
use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::input;
use crate::issue::{Secrets, key};
use crate::output::write_output;
use crate::trust::{PackerArguments, SignerArguments, certificate, load};
use lacre::{
    Document,
    signing::{DigestAlgorithm::Sha256, SignatureParameters, Signer, cades},
    trust::append_signature,
};
use lacre_keys::KeyLocation;
use std::path::{Path, PathBuf};

/// Writes what is trusted of a folder's lists into one file, which is loaded in a few milliseconds.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The folder. Default: LACRE_TRUSTED_LISTS, else ~/.local/share/lacre/lists.
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    signers: SignerArguments,
    #[command(flatten)]
    packers: PackerArguments,
    /// Sign the snapshot with this private key: PKCS#8, DER or PEM, or sealed.
    #[arg(long, value_name = "FILE", requires = "certificate", conflicts_with = "pkcs11")]
    key: Option<PathBuf>,
    /// Sign the snapshot with a private key in a PKCS#11 token: the module's file, the token's label, the key's label.
    #[arg(long, value_name = "MODULE/TOKEN/LABEL", requires = "certificate")]
    pkcs11: Option<KeyLocation>,
    /// The certificate of whoever signs it (DER or PEM).
    #[arg(long, value_name = "CERT")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    secrets: Secrets,
    /// Where to write the snapshot.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<ExitStatus, CliError> {
    let folder = default_lists::folder(arguments.folder.as_deref())?;
    let lists = load(std::slice::from_ref(&folder), None, &arguments.signers, &arguments.packers)?;
    if lists.trusted() == 0 {
        let folder = folder.display();
        let nothing = CliError::plain(format!("{folder}: none of its lists is trusted, and there is nothing to pack"));
        return Err(nothing.hint(Some("`lacre lists show` says of each list what is wrong with it")));
    }
    let snapshot = lists.to_snapshot();
    let snapshot = match &arguments.certificate {
        Some(path) => signed(snapshot, path, arguments)?,
        None => snapshot,
    };
    write_output(&snapshot, Some(&arguments.output))?;
    Ok(ExitStatus::Passed)
}

/// Returns the snapshot with the signature of whoever packed it.
fn signed(snapshot: Vec<u8>, path: &Path, arguments: &Arguments) -> Result<Vec<u8>, CliError> {
    let cli_error = |e: &dyn std::error::Error| CliError::new(path.display(), e);
    let signer = certificate(path)?;
    let key = key::open(arguments.key.as_deref(), arguments.pkcs11.as_ref(), None, &arguments.secrets)?;
    if key.public_key().spki() != signer.spki() {
        return Err(CliError::plain(format!("{}: the certificate is of another key than is given", path.display())));
    }
    let signer = Signer::new(signer, key.algorithm(Sha256)).map_err(|error| cli_error(&error))?;
    let (content, parameters) = (cades::Content::Detached(&snapshot), SignatureParameters::new(input::now()));
    let prepared = cades::prepare(&content, &parameters, &cades::Options::default(), &signer);
    let prepared = prepared.map_err(|error| cli_error(&error))?;
    let signature = prepared.sign(&Document::new(&snapshot), &*key, &mut key::randomness());
    let signature = signature.map_err(|error| cli_error(&error))?.to_vec(&snapshot);
    Ok(append_signature(snapshot, &signature))
}
