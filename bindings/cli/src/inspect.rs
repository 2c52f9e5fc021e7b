//! `lacre inspect`: what is inside a file, without a verdict.

use crate::input::{self, Beside};
use crate::output::{Form, put};
use crate::talk::{Status, Trouble};
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

pub fn run(arguments: &Arguments) -> Result<Status, Trouble> {
    let bytes = input::open(&arguments.file)?;
    let beside = Beside::open(&arguments.content, arguments.password.as_deref())?;
    let document = beside.with(Document::new(&bytes).named(input::name(&arguments.file)));
    let validator = Validator::new(Policy::eidas()).without_cache();
    let facts = validator
        .facts(&document, input::now())
        .map_err(|e| Trouble::new(arguments.file.display(), &e).hint(e.hint()))?;
    let text = match arguments.format {
        Form::Text => facts.to_text(),
        Form::Json => facts.to_json() + "\n",
    };
    put(text.as_bytes(), arguments.output.as_deref())?;
    Ok(Status::Passed)
}
