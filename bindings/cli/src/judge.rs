//! `lacre judge`: stored facts, judged again.

use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::input::{self, PolicyArguments};
use crate::output::Format;
use lacre::{Facts, Time, report::Language};
use std::path::PathBuf;

/// Judges stored facts.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Facts: lacre's own JSON, or DSS diagnostic data. `-` reads standard input.
    facts: PathBuf,
    #[command(flatten)]
    policy: PolicyArguments,
    /// The time to judge for. Default: the time that the facts state.
    #[arg(long, value_name = "TIME")]
    at: Option<Time>,
    /// Also print the way to the verdict: every check, what it compared, and its clause.
    #[arg(long)]
    explain: bool,
    /// The language of the answer: en, de, fr, es, it, pt, et or fi. Keys and codes are the same in all.
    #[arg(long, value_name = "LANGUAGE", default_value_t = Language::English)]
    language: Language,
    /// The form of the answer.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Where to write it. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<ExitStatus, CliError> {
    arguments.format.check_terminal(arguments.output.as_deref())?;
    let bytes = input::open(&arguments.facts)?;
    let facts = Facts::from_bytes(&bytes).map_err(|e| CliError::new(arguments.facts.display(), &e))?;
    let time = arguments
        .at
        .or(facts.validation_time)
        .ok_or_else(|| CliError::plain("the facts state no validation time").hint(Some("say for when with --at")))?;
    let report = lacre::judge(facts, &arguments.policy.read()?, time).in_language(arguments.language);
    arguments.format.print(&report, arguments.explain, arguments.output.as_deref())?;
    Ok(report.indication().into())
}
