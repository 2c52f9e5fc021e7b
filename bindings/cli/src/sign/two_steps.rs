//! Signing in two steps, for keys that are elsewhere: `--prepare`, then `--finish` with the value.

use super::Arguments;
use super::job::{Job, original};
use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::input::{self, DocumentOptions};
use crate::made::MadeFiles;
use crate::new_file::{Existing, NewFile};
use crate::output::{WriteError, write_output};
use crate::terminal::print_note;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre::Document;
use lacre::signing::Prepared;
use std::path::{Path, PathBuf};

/// The two steps.
#[derive(Debug, clap::Args)]
pub struct StepArguments {
    /// Prepare the signature, keep it in this file, and print the digest that is to be signed, in Base64.
    #[arg(long, value_name = "STATE", group = "with", requires = "certificate")]
    prepare: Option<PathBuf>,
    /// Finish the signature that is kept in this file, with the value of --value. What it states was said when it was
    /// prepared.
    #[arg(long, value_name = "STATE", group = "with", requires = "value", conflicts_with = "certificate")]
    finish: Option<PathBuf>,
    /// The signature value: its bytes, or Base64 of them.
    #[arg(long, value_name = "FILE", requires = "finish")]
    value: Option<PathBuf>,
}

/// A prepared signature and its value.
pub struct Finish<'a> {
    state: &'a Path,
    value: &'a Path,
}

impl StepArguments {
    /// Returns whether the signature is prepared only.
    pub fn is_prepare(&self) -> bool {
        self.prepare.is_some()
    }

    /// Returns where a prepared signature is to be kept.
    pub fn prepare(&self) -> Option<&Path> {
        self.prepare.as_deref()
    }

    /// Returns the prepared signature that is to be finished.
    pub fn finish(&self) -> Option<Finish<'_>> {
        Some(Finish { state: self.finish.as_deref()?, value: self.value.as_deref()? })
    }

    /// Checks that there is one file for them.
    pub fn check(&self, files: usize) -> Result<(), CliError> {
        match files {
            1 => Ok(()),
            _ if self.prepare.is_none() && self.finish.is_none() => Ok(()),
            _ => {
                Err(CliError::plain(format!("found {files} files, expected one: a prepared signature is of one file")))
            }
        }
    }
}

/// Prepares the signature of the file, and prints what is to be signed.
pub fn prepare(arguments: &Arguments, state: &Path) -> Result<ExitStatus, CliError> {
    let [path] = &arguments.files[..] else { return Err(CliError::plain("no file was given")) };
    let job = Job::new(arguments, arguments.signer.signer(&arguments.secrets)?)?;
    let bytes = input::open(path)?;
    let packaging = job.packaging(path, &bytes)?;
    let existing = if arguments.output.overwrites() { Existing::Replaced } else { Existing::Kept };
    input::check_not_among(&arguments.files, [state])?;
    let mut file = NewFile::begin(state, existing, path)?;
    let options = DocumentOptions::open(&arguments.content, arguments.password.as_deref())?;
    let original = original(packaging, &bytes);
    let document = options.apply(Document::new(&original).named(input::name(path)));
    let prepared = job.prepare(path, &document, packaging)?;
    file.write([&*prepared.to_json()])?;
    file.finish()?;
    let digest = BASE64_STANDARD.encode(prepared.digest());
    let algorithm = prepared.algorithm().to_string();
    if arguments.json {
        let object = serde_json::json!({
            "path": path.to_string_lossy(),
            "state": state.to_string_lossy(),
            "algorithm": algorithm,
            "is_message": prepared.needs_message(),
            "digest": digest,
        });
        write_output(format!("{object}\n").as_bytes(), None)?;
    } else {
        let what =
            if prepared.needs_message() { "the bytes to be signed, no digest" } else { "the digest to be signed" };
        print_note(&format!("{what}, with {algorithm}:"));
        write_output(format!("{digest}\n").as_bytes(), None)?;
    }
    Ok(ExitStatus::Passed)
}

/// Writes the signature that was prepared, with its value.
pub fn finish(arguments: &Arguments, finish: &Finish<'_>) -> Result<ExitStatus, CliError> {
    let [path] = &arguments.files[..] else { return Err(CliError::plain("no file was given")) };
    let state = input::open(finish.state)?;
    let prepared = Prepared::from_json(&state).map_err(|error| CliError::of_signing(finish.state, &error))?;
    let value = decoded(&input::open(finish.value)?);
    let job = Job::finishing(arguments)?;
    let mut results = MadeFiles::new(&arguments.files, arguments.json);
    let outcome = job.finish(path, prepared, &value);
    match results.write(0, &outcome).and_then(|()| results.finish()) {
        Err(WriteError::Failed(error)) => Err(error),
        Ok(()) | Err(WriteError::ReaderGone) => Ok(results.status()),
    }
}

/// Decodes a value from Base64, where it is that. A value of a key is no text.
fn decoded(bytes: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(bytes).ok().map(|text| text.split_whitespace().collect::<String>());
    text.and_then(|text| BASE64_STANDARD.decode(text).ok()).unwrap_or_else(|| bytes.to_vec())
}
