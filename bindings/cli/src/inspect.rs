//! `lacre inspect`: what is inside a file, without a verdict.

use crate::input;
use crate::output::put;
use crate::talk::{Status, Trouble};
use lacre::report::contents;
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

/// A form of the facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    Text,
    Json,
}

pub fn run(arguments: &Arguments) -> Result<Status, Trouble> {
    let bytes = input::open(&arguments.file)?;
    let contents: Vec<_> = arguments
        .content
        .iter()
        .map(|path| Ok((input::name(path), input::open(path)?)))
        .collect::<Result<_, Trouble>>()?;
    let mut document = Document::new(&bytes).named(input::name(&arguments.file));
    for (name, content) in &contents {
        document = document.with_content(name, content);
    }
    if let Some(password) = &arguments.password {
        document = document.with_password(password.as_bytes());
    }
    let validator = Validator::new(Policy::eidas());
    let facts = validator
        .facts(&document, input::now())
        .map_err(|e| Trouble::new(arguments.file.display(), &e).hint(e.hint()))?;
    let text = match arguments.format {
        Form::Text => contents::write(&facts),
        Form::Json => facts.to_json() + "\n",
    };
    put(text.as_bytes(), arguments.output.as_deref())?;
    Ok(Status::Passed)
}
