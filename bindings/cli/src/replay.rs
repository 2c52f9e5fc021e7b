//! `lacre replay`: the report of an evidence bundle, again.

use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::input::{self, DocumentOptions, PolicyArguments};
use crate::output::Format;
use crate::terminal::print_note;
use crate::trust::TrustedArguments;
use lacre::{
    Bundle, Document, Policy,
    bundle::{BundleError, Replay},
    report::Language,
};
use std::path::PathBuf;

/// What a report rests on that was made without the document.
const UNVERIFIED: &str = "the facts of the bundle were not verified again, because the document was not given: \
                          lacre replay BUNDLE DOCUMENT reads it and compares them";

/// What an expected trust is held against: what the document shows, read again.
const NOTHING_TO_TRUST: &str = "--trust-anchor and --trusted-lists say who is expected to be trusted, and the document was \
                                not given: lacre replay BUNDLE DOCUMENT";

/// What another policy than the expected one means: whoever wrote the bundle chose it, its name and its rules.
const OTHER_POLICY: &str = "the policy of the bundle is not the one expected here, whatever its name is: \
                            lacre replay --policy FILE says which one is expected";

/// Whose trust a verdict of a bundle is.
const OF_THE_AUTHOR: &str = "the trust anchors, the trusted lists and the time are those of the bundle's author, \
                             whoever that is: --trust-anchor and --trusted-lists say whom you expect it to be";

/// What is the author's where the trust is the reader's.
const TIME_OF_THE_AUTHOR: &str = "the time is that of the bundle's author";

/// Gives the report of an evidence bundle again, and says what differs.
///
/// Without the document only the judgement is repeated: whoever wrote the bundle may have written any facts into it.
/// The exit status is then 3 where the report says that everything passed, and likewise where the bundle was judged by
/// another policy than that which --policy names or, without it, by one more lenient than that of EU DSS. Where the
/// report or the facts are others than those in the bundle, it is 1. Whom the report trusts is what the bundle's author
/// chose, which is said, unless --trust-anchor or --trusted-lists name who is expected: these alone are then trusted, and
/// where the bundle trusts others its facts are others.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The bundle that `lacre validate --bundle` wrote.
    bundle: PathBuf,
    /// The document that was judged: to read it again, with the evidence of the bundle.
    document: Option<PathBuf>,
    /// A detached content of the document, under its own file name.
    #[arg(long, value_name = "FILE", requires = "document")]
    content: Vec<PathBuf>,
    /// The password of an encrypted PDF file.
    #[arg(long, value_name = "PW", requires = "document")]
    password: Option<String>,
    /// Also draw and compare its pages, if that was done for the bundle.
    #[arg(long, requires = "document")]
    compare_pages: bool,
    #[command(flatten)]
    policy: PolicyArguments,
    #[command(flatten)]
    trusted: TrustedArguments,
    /// Also print the way to the verdict: every check, what it compared, and its clause.
    #[arg(long)]
    explain: bool,
    /// The language of the answer. Default: that of the bundle.
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<Language>,
    /// The form of the answer.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Where to write it. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<ExitStatus, CliError> {
    let cli_error = |error: BundleError| CliError::new(arguments.bundle.display(), &error);
    let bundle = Bundle::from_zip(&input::open(&arguments.bundle)?).map_err(cli_error)?;
    let policy = bundle.policy().map_err(cli_error)?;
    let replay = replayed(arguments, &bundle, &policy)?;
    let mut status: ExitStatus = replay.report.indication().into();
    let report = match arguments.language {
        Some(language) => replay.report.in_language(language),
        None => replay.report,
    };
    arguments.format.print(&report, arguments.explain, arguments.output.as_deref())?;
    for difference in &replay.differences {
        CliError::plain(difference.to_string()).print();
    }
    print_note(if arguments.trusted.names_anybody() { TIME_OF_THE_AUTHOR } else { OF_THE_AUTHOR });
    // What an older version of the built-in policy accepted is told, and stands.
    if policy.sha256() != arguments.policy.read()?.sha256() {
        print_note(OTHER_POLICY);
        if arguments.policy.is_given() || !policy.is_strict() {
            status = status.undecided();
        }
    }
    if arguments.document.is_none() {
        print_note(UNVERIFIED);
        status = status.undecided();
    }
    Ok(if replay.differences.is_empty() { status } else { status.worse(ExitStatus::Failed) })
}

/// Judges again: the document where it is given, by the trust that is expected where that is named.
fn replayed(arguments: &Arguments, bundle: &Bundle, policy: &Policy) -> Result<Replay, CliError> {
    let cli_error = |error: BundleError| CliError::new(arguments.bundle.display(), &error);
    let expected = arguments.trusted.names_anybody();
    let Some(path) = &arguments.document else {
        return if expected { Err(CliError::plain(NOTHING_TO_TRUST)) } else { bundle.replay().map_err(cli_error) };
    };
    let bytes = input::open(path)?;
    let options = DocumentOptions::open(&arguments.content, arguments.password.as_deref())?;
    // The name is part of the report; the file may have been given another one since.
    let mut document = Document::new(&bytes);
    if let Some(name) = &bundle.document().name {
        document = document.named(name);
    }
    if arguments.compare_pages {
        document = document.comparing_pages();
    }
    let document = options.apply(document);
    if !expected {
        return bundle.replay_with(&document).map_err(cli_error);
    }
    let policy = if arguments.policy.is_given() { arguments.policy.read()? } else { policy.clone() };
    let expected = arguments.trusted.validator(policy, bundle.validation_time())?;
    bundle.replay_trusting(&document, &expected).map_err(cli_error)
}
