//! `lacre inspect`: what is inside a file, without a verdict.

use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::input::{self, DocumentOptions};
use crate::output::{Form, write_output, write_text};
use lacre::{Document, Policy, Validator};
use std::path::PathBuf;

/// Says what is inside a file, without a verdict.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The file. `-` reads standard input.
    file: PathBuf,
    /// A detached content, under its own file name.
    #[arg(long, value_name = "FILE")]
    content: Vec<PathBuf>,
    /// The password of an encrypted PDF file.
    #[arg(long, value_name = "PW")]
    password: Option<String>,
    /// Text for people, or the record as JSON, which `lacre judge` reads.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// Where to write the facts. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<ExitStatus, CliError> {
    let bytes = input::open(&arguments.file)?;
    let options = DocumentOptions::open(&arguments.content, arguments.password.as_deref())?;
    let document = options.apply(Document::new(&bytes).named(input::name(&arguments.file)));
    let validator = Validator::new(Policy::eidas()).without_cache();
    let facts =
        validator.facts(&document, input::now()).map_err(|error| CliError::of_document(&arguments.file, &error))?;
    let output = arguments.output.as_deref();
    match arguments.format {
        Form::Text => write_text(&facts.to_text(), output)?,
        Form::Json => write_output((facts.to_json() + "\n").as_bytes(), output)?,
    }
    Ok(ExitStatus::Passed)
}
