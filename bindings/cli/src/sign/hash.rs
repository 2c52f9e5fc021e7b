//! `lacre sign hash`: a signature value over a digest.

use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::issue::{Key, Secrets, key};
use crate::output::write_output;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre::signing::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm};
use std::path::PathBuf;

/// A signature value over a digest.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The digest, in Base64.
    digest: String,
    /// Its digest function.
    #[arg(long, default_value = "SHA256", value_name = "NAME")]
    digest_algorithm: String,
    /// RSASSA-PSS in place of PKCS#1 v1.5, with an RSA key.
    #[arg(long)]
    pss: bool,
    #[command(flatten)]
    key: Key,
    /// Where to write the value. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(hash: &Arguments, secrets: &Secrets) -> Result<ExitStatus, CliError> {
    let function = DigestAlgorithm::from_name(&hash.digest_algorithm)
        .ok_or_else(|| CliError::plain(format!("{}: no such digest function", hash.digest_algorithm)))?;
    let digest = BASE64_STANDARD.decode(hash.digest.trim()).map_err(|e| CliError::new("the digest", &e))?;
    let key = hash.key.open(secrets)?;
    let algorithm = match hash.pss {
        true => SignatureAlgorithm::new(KeyAlgorithm::RsassaPss, Some(function)),
        false => key.algorithm(function),
    };
    let value = key.sign(&algorithm, &digest, &mut key::randomness()).map_err(|e| CliError::new("the digest", &e))?;
    write_output((BASE64_STANDARD.encode(value) + "\n").as_bytes(), hash.output.as_deref())?;
    Ok(ExitStatus::Passed)
}
