//! The `lacre` command, for `src/main.rs` and for `python -m lacre`. Results go to stdout, messages to stderr; the exit status
//! says the verdict.
#![allow(rustdoc::bare_urls, reason = "comments of arguments are what --help prints")]
#![forbid(unsafe_code)]

mod augment;
mod authority;
mod certificate;
mod completions;
mod default_lists;
mod dry_run;
mod entities;
mod error;
mod exit_status;
mod extend;
mod field;
mod input;
mod inspect;
mod issue;
mod judge;
mod lists;
mod made;
mod man;
mod new_file;
mod online;
mod output;
mod output_dir;
mod outputs;
mod replay;
mod results;
mod sign;
mod snapshots;
mod summary;
mod terminal;
mod timestamp;
mod trust;
mod user_dirs;
mod validate;
mod version;

use clap::{CommandFactory as _, Parser, Subcommand};
use exit_status::ExitStatus;
use lacre::report::escape_control_chars;
use std::ffi::OsString;

/// Validates European electronic signatures: CAdES, PAdES, XAdES, evidence records, RFC 3161 time-stamps.
///
/// Exit status: 0 every signature TOTAL-PASSED, 1 some TOTAL-FAILED, 2 usage, 3 some INDETERMINATE,
/// 4 no signature, 5 could not do the job:
/// a file cannot be read, or whether somebody is trusted is open because no list and no certificate is loaded.
#[derive(Debug, Parser)]
#[command(name = "lacre", version, long_version = version::long(), max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Judges every signature of one or more files.
    Validate(validate::Arguments),
    /// Judges stored facts: lacre's own JSON or DSS diagnostic data.
    Judge(judge::Arguments),
    /// Judges certificates by themselves: path, revocation, qualification.
    Certificate(certificate::Arguments),
    /// Gives the report of an evidence bundle again, and says what differs.
    Replay(replay::Arguments),
    /// Says what is inside a file, without a verdict.
    Inspect(inspect::Arguments),
    /// Works with the EU list of lists and national lists.
    Lists(lists::Arguments),
    /// Issues certificates, revocation lists, OCSP responses, time-stamps.
    Issue(Box<issue::Arguments>),
    /// Signs files: PAdES, CAdES.
    ///
    /// A PDF gets a signature PAdES; a file with CAdES signatures one more; any other file CAdES around it, or beside
    /// it. The new file is beside the old one, under a name of its own: report.signed.pdf, letter.txt.p7m,
    /// letter.txt.p7s. Nothing is written where anything goes wrong. Exit status: 0 written at that level, 1 the rules
    /// forbid it, 3 written at a lower level, 5 could not do the job.
    Sign(Box<sign::Arguments>),
    /// Puts empty signature fields into PDF files, to be signed later.
    ///
    /// Where several are to sign, all fields are best there before the first of them signs: viewers differ in whether a
    /// new field changes what was signed. The new file is beside the old one: report.field.pdf. Exit status: 0 written,
    /// 1 a signature in the file forbids it, 5 could not do the job.
    Field(Box<field::Arguments>),
    /// Extends signatures to the levels T, LT and LTA, and renews them.
    ///
    /// What is added is a time-stamp (t), all certificates and revocation data that a validation needs (lt), a
    /// time-stamp over all of it (lta). A signature of level lta is renewed: data for its newest time-stamp, and
    /// another one. What is signed is not touched. The new file is beside the old one: report.extended.pdf. Exit
    /// status: 0 at that level, 1 a signature is not good enough to be extended, 3 written at a lower level, 4 no
    /// signature, 5 could not do the job.
    Extend(Box<extend::Arguments>),
    /// Time-stamps files: a PDF within, any other beside it; renews time-stamps.
    ///
    /// A PDF gets a document time-stamp: report.stamped.pdf. Beside any other file lies a token (RFC 3161):
    /// letter.txt.tst.
    Timestamp(Box<timestamp::Arguments>),
    /// Prints a script by which a shell completes lacre's arguments.
    Completions(completions::Arguments),
    /// Writes manual pages, one a command.
    Man(man::Arguments),
}

/// Parses the arguments. What is said of wrong ones shows them, and nothing in them may act on the terminal.
fn parsed(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(arguments).map_err(|error| {
        let shown = arguments.iter().map(|argument| escape_control_chars(&argument.to_string_lossy()));
        Cli::try_parse_from(shown).err().unwrap_or(error)
    })
}

/// Runs the command with these arguments, of which the first is its name; returns its exit status.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    match parsed(&arguments) {
        Ok(cli) => done(cli.command) as u8,
        Err(error) => {
            // Whoever read it may have gone away.
            let _ = error.print();
            u8::try_from(error.exit_code()).unwrap_or(ExitStatus::NotDone as u8)
        }
    }
}

fn done(command: Command) -> ExitStatus {
    let done = match command {
        Command::Validate(arguments) => validate::run(&arguments),
        Command::Judge(arguments) => judge::run(&arguments),
        Command::Certificate(arguments) => certificate::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Inspect(arguments) => inspect::run(&arguments),
        Command::Lists(arguments) => lists::run(&arguments),
        Command::Issue(arguments) => issue::run(&arguments),
        Command::Sign(arguments) => sign::run(&arguments),
        Command::Field(arguments) => field::run(&arguments),
        Command::Extend(arguments) => extend::run(&arguments),
        Command::Timestamp(arguments) => timestamp::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments, Cli::command()),
        Command::Man(arguments) => man::run(&arguments, Cli::command()),
    };
    match done {
        Ok(status) => status,
        Err(error) => {
            error.print();
            ExitStatus::NotDone
        }
    }
}
