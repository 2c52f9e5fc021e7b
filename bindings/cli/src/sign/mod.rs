//! `lacre sign`: files, by a key at hand or in two steps; signature values over digests.

mod csc;
mod form;
mod hash;
mod job;
pub mod pdf;
mod remote;
mod signer;
mod statement;
mod two_steps;

pub use form::{is_signature, is_token};

use crate::augment::AugmentArguments;
use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::issue::Secrets;
use crate::made;
use crate::outputs::OutputArguments;
use clap::{ArgGroup, Subcommand};
use job::Job;
use std::path::PathBuf;
use std::thread;

/// Signs files, and makes signature values.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(group = ArgGroup::new("with").required(true))]
pub struct Arguments {
    #[command(subcommand)]
    what: Option<What>,
    /// The files to sign. `-` reads standard input. One that is called `hash` is given as `./hash`.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The level: b, the signature alone; t, with a time-stamp; lt, with all that a validation needs; lta, with a
    /// time-stamp over all of it.
    #[arg(long, value_enum, ignore_case = true, default_value_t = Level::B)]
    level: Level,
    /// Write the signature at a lower level where the one asked for cannot be reached; the exit status is then 3.
    #[arg(long)]
    accept_lower: bool,
    #[command(flatten)]
    form: form::FormArguments,
    /// The media type that a CAdES signature states of its content. Default: application/octet-stream.
    #[arg(long, value_name = "TYPE")]
    media_type: Option<String>,
    /// An identifier of the content, by which other CAdES signatures can refer to this one.
    #[arg(long, value_name = "TEXT")]
    content_identifier: Option<String>,
    /// The CAdES file that this signature is about, such as the question that it answers. It has one signature, with a
    /// --content-identifier.
    #[arg(long, value_name = "FILE")]
    about: Option<PathBuf>,
    /// The signed file, where a signature is added to one that lies beside it.
    #[arg(long, value_name = "FILE")]
    content: Vec<PathBuf>,
    /// The password of encrypted PDF files.
    #[arg(long, value_name = "PW")]
    password: Option<String>,
    /// Print results as JSON, one object a line.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten, next_help_heading = "Who signs")]
    signer: signer::SigningKeyArguments,
    #[command(flatten)]
    secrets: Secrets,
    #[command(flatten, next_help_heading = "What the signer states")]
    statement: statement::StatementArguments,
    #[command(flatten, next_help_heading = "Signatures in PDF")]
    pdf: pdf::PdfArguments,
    #[command(flatten, next_help_heading = "In two steps, where the key is elsewhere")]
    steps: two_steps::StepArguments,
    #[command(flatten)]
    augment: AugmentArguments,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Makes the signature value over a digest, and prints it in Base64.
    Hash(hash::Arguments),
}

/// A level of the baseline profiles: EN 319 122-1 §6, EN 319 142-1 §6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
enum Level {
    B,
    T,
    Lt,
    Lta,
}

impl Arguments {
    /// Returns whether something is stated of the content that only CAdES has a place for.
    fn is_about_content(&self) -> bool {
        self.media_type.is_some() || self.content_identifier.is_some() || self.about.is_some()
    }

    /// Checks that the arguments go together.
    fn check(&self) -> Result<(), CliError> {
        if self.level > Level::B && !self.augment.names_authority() && !self.steps.is_prepare() {
            let error = "a level above B takes a time-stamp, and no authority is named that makes one";
            let hint = "--tsa names one; --tsa-key and --tsa-certificate are one of your own";
            return Err(CliError::plain(error).hint(Some(hint)));
        }
        if self.level > Level::T && self.form.counter().is_some() {
            let error = "a counter-signature is extended with what it counter-signs";
            let hint = "make it with --level b or t, and extend the file with `lacre extend`";
            return Err(CliError::plain(error).hint(Some(hint)));
        }
        self.steps.check(self.files.len())
    }
}

pub fn run(arguments: &Arguments) -> Result<ExitStatus, CliError> {
    if let Some(What::Hash(hash)) = &arguments.what {
        return hash::run(hash, &arguments.secrets);
    }
    arguments.check()?;
    if let Some(state) = arguments.steps.prepare() {
        return two_steps::prepare(arguments, state);
    }
    if let Some(finish) = arguments.steps.finish() {
        return two_steps::finish(arguments, &finish);
    }
    if let Some((signer, mut key)) = arguments.signer.remote(arguments.augment.network())? {
        return remote::sign(arguments, signer, &mut key);
    }
    let (signer, key) = arguments.signer.open(&arguments.secrets)?;
    let job = Job::new(arguments, signer)?;
    // A token makes one signature after another, and may ask for each.
    let workers = if arguments.signer.is_token() { 1 } else { thread::available_parallelism().map_or(1, usize::from) };
    made::each(&arguments.files, arguments.json, workers, |index, path| job.sign(index, path, &*key))
}
