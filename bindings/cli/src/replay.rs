//! `lacre replay`: the report of an evidence bundle, again.

use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::input::{self, DocumentOptions, PolicyArguments};
use crate::output::Format;
use crate::terminal::print_note;
use lacre::{Bundle, Document, report::Language};
use std::path::PathBuf;

/// What a report rests on that was made without the document.
const UNVERIFIED: &str = "the facts of the bundle were not verified again, because the document was not given: \
                          lacre replay BUNDLE DOCUMENT reads it and compares them";

/// What another policy than the expected one means: whoever wrote the bundle chose it, its name and its rules.
const OTHER_POLICY: &str = "the policy of the bundle is not the one expected here, whatever its name is: \
                            lacre replay --policy FILE says which one is expected";

/// Whose trust a verdict of a bundle is.
const OF_THE_AUTHOR: &str = "the trust anchors, the trusted lists and the time are those of the bundle's author, \
                             whoever that is: lacre validate judges the document by your own";

/// Gives the report of an evidence bundle again, and says what differs.
///
/// Without the document only the judgement is repeated: whoever wrote the bundle may have written any facts into it.
/// The exit status is then 3 where the report says that everything passed, and likewise where the bundle was judged by
/// another policy than that which --policy names or, without it, by one more lenient than that of EU DSS. Where the
/// report or the facts are others than those in the bundle, it is 1. Whom the report trusts is what the bundle's author
/// chose, which is said.
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
    let cli_error = |error: lacre::bundle::BundleError| CliError::new(arguments.bundle.display(), &error);
    let bundle = Bundle::from_zip(&input::open(&arguments.bundle)?).map_err(cli_error)?;
    let replay = match &arguments.document {
        None => bundle.replay().map_err(cli_error)?,
        Some(path) => {
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
            bundle.replay_with(&options.apply(document)).map_err(cli_error)?
        }
    };
    let mut status: ExitStatus = replay.report.indication().into();
    let report = match arguments.language {
        Some(language) => replay.report.in_language(language),
        None => replay.report,
    };
    arguments.format.print(&report, arguments.explain, arguments.output.as_deref())?;
    for difference in &replay.differences {
        CliError::plain(difference.to_string()).print();
    }
    print_note(OF_THE_AUTHOR);
    let policy = bundle.policy().map_err(cli_error)?;
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
