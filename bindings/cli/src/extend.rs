//! `lacre extend`: signatures raised to the levels T, LT and LTA, and renewed years later.

use crate::augment::{AugmentArguments, Augmenter};
use crate::dry_run;
use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::input::{self, DocumentOptions, PolicyArguments};
use crate::issue::Secrets;
use crate::made::{self, Made, SignatureResult};
use crate::outputs::{Ending, OutputArguments, Outputs};
use lacre::augmentation::{self, Extended, Target};
use lacre::report::SignatureLevel;
use lacre::{Document, Id, Time};
use std::path::{Path, PathBuf};
use std::thread;

/// Extends signatures.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The signed files: PDF and CAdES. `-` reads standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The level.
    #[arg(long, value_enum, ignore_case = true, default_value_t = Level::Lta)]
    level: Level,
    /// Extend this signature only, by its id in a report. In a PDF, what is added may serve others as well.
    #[arg(long, value_name = "ID")]
    signature: Vec<String>,
    /// A detached content, under its own file name.
    #[arg(long, value_name = "FILE")]
    content: Vec<PathBuf>,
    /// The password of encrypted PDF files.
    #[arg(long, value_name = "PW")]
    password: Option<String>,
    /// The time to judge for, as in 2026-11-21T10:00:00Z. Default: now. A time-stamping unit of your own stamps at this
    /// time.
    #[arg(long, value_name = "TIME")]
    at: Option<Time>,
    /// Leave signatures of level lta as they are.
    #[arg(long)]
    no_renewal: bool,
    /// Also write the VRI dictionaries of a PDF, which some viewers look for and no validation needs.
    #[arg(long)]
    vri: bool,
    /// Write nothing: say the level of each signature, and what would be wanted first.
    #[arg(long, conflicts_with_all = ["output", "output_dir", "in_place", "suffix", "overwrite"])]
    dry_run: bool,
    /// Print results as JSON, one object a line.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    policy: PolicyArguments,
    #[command(flatten)]
    secrets: Secrets,
    #[command(flatten)]
    augment: AugmentArguments,
}

/// A level above B.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Level {
    T,
    Lt,
    Lta,
}

impl From<Level> for augmentation::Level {
    fn from(level: Level) -> Self {
        match level {
            Level::T => Self::T,
            Level::Lt => Self::Lt,
            Level::Lta => Self::Lta,
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<ExitStatus, CliError> {
    let job = Job::new(arguments)?;
    if arguments.dry_run {
        return job.look(&arguments.files, arguments.json);
    }
    let workers = thread::available_parallelism().map_or(1, usize::from);
    made::each(&arguments.files, arguments.json, workers, |index, path| job.extend(index, path))
}

/// What is the same for every file.
struct Job {
    augmenter: Augmenter,
    target: Target,
    options: DocumentOptions,
    outputs: Outputs,
}

impl Job {
    fn new(arguments: &Arguments) -> Result<Self, CliError> {
        let augmenter = arguments.augment.open(arguments.policy.read()?, arguments.at, &arguments.secrets)?;
        let only = arguments.signature.iter().map(|id| Id::new(id.as_str()));
        let mut target = augmenter.target(arguments.level.into(), only);
        target.renewal = !arguments.no_renewal;
        target.vri = arguments.vri;
        Ok(Self {
            augmenter,
            target,
            options: DocumentOptions::open(&arguments.content, arguments.password.as_deref())?,
            outputs: Outputs::new(&arguments.output, &arguments.files, "extended")?,
        })
    }

    /// Says of each file what would be done.
    fn look(&self, files: &[PathBuf], json: bool) -> Result<ExitStatus, CliError> {
        let mut status = ExitStatus::Passed;
        for path in files {
            let bytes = input::open(path)?;
            let document = self.options.apply(Document::new(&bytes).named(input::name(path)));
            status = status.worse(dry_run::look(path, &document, &self.augmenter, &self.target, json)?);
        }
        Ok(status)
    }

    /// Extends a file. The place where it goes is there before a time-stamp is asked for.
    fn extend(&self, index: usize, path: &Path) -> Result<Made, CliError> {
        let bytes = input::open(path)?;
        let mut file = self.outputs.begin(index, path, Ending::Same)?;
        let mut notes = vec![];
        let extended = {
            let document = self.options.apply(Document::new(&bytes).named(input::name(path)));
            let extended = self.augmenter.extend(path, &document, &self.target, &mut notes)?;
            file.write(extended.output.parts(&bytes))?;
            extended
        };
        drop(bytes);
        let output = file.path().to_path_buf();
        file.finish()?;
        Ok(result_of(&extended, &self.target, output, notes))
    }
}

/// Returns what is said of an extended file.
pub fn result_of(extended: &Extended, target: &Target, output: PathBuf, mut notes: Vec<String>) -> Made {
    let chosen = |id: &Id| target.only.as_ref().is_none_or(|only| only.contains(id));
    let mut status = ExitStatus::Passed;
    for signature in extended.signatures.iter().filter(|signature| chosen(&signature.id)) {
        let obstacle = signature.obstacle.as_ref().map(CliError::of_cause);
        let reached = signature.after.and_then(augmentation::Level::of);
        if reached < Some(target.level) {
            status = ExitStatus::Indeterminate;
        }
        if let Some(error) = obstacle.filter(|error| error.status() != ExitStatus::Passed) {
            let code = error.code().map_or_else(String::new, |code| format!(" [{code}]"));
            notes.push(format!("{} was not extended: {}{code}", signature.id, error.message()));
            status = ExitStatus::Indeterminate;
        }
    }
    let results = extended.signatures.iter().map(|signature| SignatureResult {
        id: signature.id.clone(),
        before: signature.before,
        after: signature.after,
        error: signature.obstacle.as_ref().map(CliError::of_cause),
    });
    let after = extended.signatures.iter().filter(|signature| chosen(&signature.id)).filter_map(|one| one.after);
    let rank = |level: &SignatureLevel| augmentation::Level::of(*level);
    Made { level: after.min_by_key(rank), field: None, output, signatures: results.collect(), status, notes }
}
