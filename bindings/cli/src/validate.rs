//! `lacre validate`: every signature of one or more files.

use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::input::{self, DocumentOptions, PolicyArguments};
use crate::online::{self, Online, OnlineArguments};
use crate::output::{Form, Format, WriteError, write_output};
use crate::output_dir::OutputDir;
use crate::results::{Listing, Results, Validated};
use crate::summary::Summary;
use crate::trust::{TrustArguments, with_trust};
use lacre::{Bundle, Cache, Document, Time, Validator, report::Language};
use lacre_fetch::in_order;
use lacre_fetch::side_by_side;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::thread;

/// Judges every signature of one or more files.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The signed files. `-` reads standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The time to judge for, as in 2026-11-21T10:00:00Z. Default: now.
    #[arg(long, value_name = "TIME")]
    at: Option<Time>,
    #[command(flatten)]
    trust: TrustArguments,
    /// A detached content, under its own file name.
    #[arg(long, value_name = "FILE")]
    content: Vec<PathBuf>,
    #[command(flatten)]
    policy: PolicyArguments,
    #[command(flatten)]
    online: OnlineArguments,
    /// The password of encrypted PDF files.
    #[arg(long, value_name = "PW")]
    password: Option<String>,
    /// Also draw the pages of PDF files, as signed and as they are, and name those that look different. Bounds the work, not
    /// the time: end it yourself where files come from strangers.
    #[arg(long)]
    compare_pages: bool,
    /// Also write an evidence bundle: everything that the verdict rests on, for `lacre replay`. One file only.
    #[arg(long, value_name = "ZIP")]
    bundle: Option<PathBuf>,
    /// Also print the way to the verdict: every check, what it compared, and its clause.
    #[arg(long)]
    explain: bool,
    /// The language of the answer: en, de, fr, es, it, pt, et or fi. Keys and codes are the same in all.
    #[arg(long, value_name = "LANGUAGE", default_value_t = Language::English)]
    language: Language,
    /// The form of the answer. JSON of several files is one object a line for each of them, with its path as given and its
    /// report, or the error where it could not be judged.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Where to write it. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write a file for each report into this folder, which is made if it is not there, and the summary to standard output.
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    output_dir: Option<PathBuf>,
    /// Replace files that are in that folder already.
    #[arg(long, requires = "output_dir")]
    overwrite: bool,
    /// Print one line a file in place of its report, and totals.
    #[arg(long, conflicts_with = "explain")]
    summary: bool,
}

impl Arguments {
    /// Checks that the arguments go together.
    fn check(&self) -> Result<(), CliError> {
        let files = self.files.len();
        if self.bundle.is_some() && files > 1 {
            return Err(CliError::plain("a bundle holds the evidence of one file, and several were given"));
        }
        input::check_not_among(&self.files, [&self.output, &self.bundle].into_iter().flatten())?;
        if self.output_dir.is_some() {
            return Ok(());
        }
        if self.format.form().is_none() && (files > 1 || self.summary) {
            let found = if files > 1 { format!("{files} files") } else { "--summary".into() };
            let error = CliError::plain(format!("found {found}, expected one file for a report as HTML, PDF or ETSI"));
            return Err(error.hint(Some("--output-dir writes a report for each file into a folder")));
        }
        self.format.check_terminal(self.output.as_deref())
    }

    /// Returns what is printed of a file.
    fn listing(&self) -> Listing {
        match self.format.form() {
            form if self.summary || self.output_dir.is_some() => Listing::Summary(form.unwrap_or(Form::Text)),
            form => Listing::Report(form),
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<ExitStatus, CliError> {
    arguments.check()?;
    let folder = match &arguments.output_dir {
        Some(folder) => {
            Some(OutputDir::new(folder, &arguments.files, arguments.format.extension(), arguments.overwrite)?)
        }
        None => None,
    };
    let job = Job::new(arguments, folder.as_ref())?;
    let mut results = Results::new(&arguments.files, arguments.listing(), folder.as_ref(), arguments.output.as_deref());
    let written = in_order(
        &arguments.files,
        cores(),
        |index, path| job.validate(index, path),
        |index, outcome| results.write(index, &outcome),
    );
    match written.and_then(|()| results.finish()) {
        Err(WriteError::Failed(error)) => Err(error),
        Ok(()) | Err(WriteError::ReaderGone) => Ok(results.status()),
    }
}

/// What is the same for every file.
struct Job<'a> {
    validator: Validator,
    /// Whether what certificates and revocation data say is kept from one file to the next.
    keeps: bool,
    options: DocumentOptions,
    language: Language,
    format: Format,
    explain: bool,
    bundle: Option<PathBuf>,
    listing: Listing,
    folder: Option<&'a OutputDir>,
    compare_pages: bool,
    online: Option<Online>,
    /// The moment of every judgement. None: the moment at which it is made, after what was fetched for it.
    time: Option<Time>,
}

impl<'a> Job<'a> {
    fn new(arguments: &Arguments, folder: Option<&'a OutputDir>) -> Result<Self, CliError> {
        let validator = arguments.trust.validator(arguments.policy.read()?, arguments.at)?.with_executor(on_all_cores);
        let online = arguments.online.open()?;
        Ok(Self {
            validator,
            // It takes some 30 MB and saves milliseconds a file. A PDF takes far longer to write, and the largest as much memory.
            keeps: arguments.format != Format::Pdf,
            options: DocumentOptions::open(&arguments.content, arguments.password.as_deref())?,
            language: arguments.language,
            format: arguments.format,
            explain: arguments.explain,
            bundle: arguments.bundle.clone(),
            listing: arguments.listing(),
            folder,
            compare_pages: arguments.compare_pages,
            time: arguments.at.or_else(|| online.is_none().then(input::now)),
            online,
        })
    }

    fn validator(&self) -> Cow<'_, Validator> {
        match self.keeps {
            true => Cow::Borrowed(&self.validator),
            false => Cow::Owned(self.validator.clone().with_cache(Cache::default())),
        }
    }

    fn validate(&self, index: usize, path: &Path) -> Result<Validated, CliError> {
        let bytes = input::open(path)?;
        let mut document = self.options.apply(Document::new(&bytes).named(input::name(path)));
        if self.compare_pages {
            document = document.comparing_pages();
        }
        let validator = self.validator();
        let judged = online::judged(self.online.as_ref(), &validator, |validator| {
            validator.validate(&document, self.time.unwrap_or_else(input::now))
        });
        let judged = judged.map_err(|error| CliError::of_document(path, &error))?;
        if let Some(to) = &self.bundle {
            let time = judged.verdict.verdicts().time;
            let bundle = Bundle::record(&judged.validator, &document, time, self.language);
            let bundle = bundle.map_err(|error| CliError::of_document(path, &error))?;
            write_output(&bundle.1.to_zip(), Some(to))?;
        }
        let report = judged.verdict.with_attempts(judged.attempts).in_language(self.language);
        let written = match (self.folder, self.listing) {
            (Some(folder), _) => {
                folder.write(index, &self.format.write(&report, self.explain)?)?;
                vec![]
            }
            (None, Listing::Summary(_)) => vec![],
            (None, Listing::Report(_)) => self.format.write(&report, self.explain)?,
        };
        let (status, without_trust) = with_trust(report.indication().into(), report.facts());
        Ok(Validated {
            report: written,
            trace: self.format.trace_apart(&report, self.explain),
            summary: Summary::from(&report),
            status,
            without_trust,
            notes: judged.notes,
        })
    }
}

/// Runs the pieces of work that a document has many of.
fn on_all_cores(count: usize, piece: &(dyn Fn(usize) + Sync)) {
    let numbers: Vec<usize> = (0..count).collect();
    side_by_side(&numbers, cores(), |number| piece(*number));
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
