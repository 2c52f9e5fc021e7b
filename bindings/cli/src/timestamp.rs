//! `lacre timestamp`: time-stamps over files, without a signature; the time-stamps of files renewed.

use crate::augment::{AugmentArguments, Augmenter, Stamper};
use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::extend::result_of;
use crate::input::{self, DocumentOptions, PolicyArguments};
use crate::issue::Secrets;
use crate::made::{self, Made};
use crate::outputs::{Ending, OutputArguments, Outputs};
use crate::sign::{is_signature, is_token};
use lacre::augmentation::{Extension, Level, Material, Target, extend, renew, timestamp};
use lacre::signing::{SigningError, digest};
use lacre::{Document, Syntax, Time, Validator};
use std::path::{Path, PathBuf};
use std::thread;

/// Time-stamps files.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The files. `-` reads standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Renew the time-stamps of the files: data for the newest one, and another one over all of it.
    #[arg(long)]
    renew: bool,
    /// A detached content, under its own file name.
    #[arg(long, value_name = "FILE", requires = "renew")]
    content: Vec<PathBuf>,
    /// The password of encrypted PDF files.
    #[arg(long, value_name = "PW")]
    password: Option<String>,
    /// The time to judge for, as in 2026-11-21T10:00:00Z. Default: now. A time-stamping unit of your own stamps at this
    /// time.
    #[arg(long, value_name = "TIME")]
    at: Option<Time>,
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

pub fn run(arguments: &Arguments) -> Result<ExitStatus, CliError> {
    if !arguments.augment.names_authority() {
        let hint = "--tsa names one; --tsa-key and --tsa-certificate are one of your own";
        return Err(CliError::plain("no authority is named that makes time-stamps").hint(Some(hint)));
    }
    let job = Job::new(arguments)?;
    let workers = thread::available_parallelism().map_or(1, usize::from);
    made::each(&arguments.files, arguments.json, workers, |index, path| job.stamp(index, path))
}

/// What is the same for every file.
struct Job {
    augmenter: Augmenter,
    renew: bool,
    options: DocumentOptions,
    outputs: Outputs,
}

impl Job {
    fn new(arguments: &Arguments) -> Result<Self, CliError> {
        let suffix = if arguments.renew { "renewed" } else { "stamped" };
        Ok(Self {
            augmenter: arguments.augment.open_without_trust(
                arguments.policy.read()?,
                arguments.at,
                &arguments.secrets,
            )?,
            renew: arguments.renew,
            options: DocumentOptions::open(&arguments.content, arguments.password.as_deref())?,
            outputs: Outputs::new(&arguments.output, &arguments.files, suffix)?,
        })
    }

    /// Time-stamps a file: a PDF within, any other beside it; or renews its time-stamps.
    fn stamp(&self, index: usize, path: &Path) -> Result<Made, CliError> {
        let bytes = input::open(path)?;
        let document = self.options.apply(Document::new(&bytes).named(input::name(path)));
        let work = self.work(&document);
        let mut file = self.outputs.begin(index, path, work.ending())?;
        let mut notes = vec![];
        let target = self.augmenter.target(Level::Lta, []);
        let extended = match work.step() {
            Some(step) => {
                let validator = self.augmenter.validator();
                let step = |material: &Material, time| step(validator, &document, &target, material, time);
                let extended = self.augmenter.run(path, &mut notes, step)?;
                file.write(extended.output.parts(&bytes))?;
                Some(extended)
            }
            None => {
                file.write([&*token(path, &bytes, self.augmenter.stamper(), &mut notes)?])?;
                None
            }
        };
        drop(document);
        drop(bytes);
        let output = file.path().to_path_buf();
        file.finish()?;
        // Of signatures in the file nothing was asked.
        match extended.filter(|_| work == Work::Signatures) {
            Some(extended) => Ok(result_of(&extended, &target, output, notes)),
            None => {
                Ok(Made { level: None, field: None, output, signatures: vec![], status: ExitStatus::Passed, notes })
            }
        }
    }

    /// Returns what is to be done with a file.
    fn work(&self, document: &Document<'_>) -> Work {
        match document.syntax() {
            Some(Syntax::Pdf) => Work::Within,
            _ if !self.renew => Work::Token,
            _ if is_signature(document) => Work::Signatures,
            _ => Work::Renewal(if is_token(document) { Ending::Added("ers") } else { Ending::Same }),
        }
    }
}

/// A step of the library's.
type Step = fn(&Validator, &Document<'_>, &Target, &Material, Time) -> Result<Extension, SigningError>;

/// What is to be done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    /// A token is made beside it.
    Token,
    /// A PDF gets a document time-stamp.
    Within,
    /// The archive time-stamps of signatures are renewed.
    Signatures,
    /// A token becomes an evidence record, which gets a time-stamp more.
    Renewal(Ending),
}

impl Work {
    /// Returns what the library does of it.
    fn step(self) -> Option<Step> {
        match self {
            Self::Token => None,
            Self::Within => Some(timestamp),
            Self::Signatures => Some(extend),
            Self::Renewal(_) => Some(renew),
        }
    }

    fn ending(self) -> Ending {
        match self {
            Self::Token => Ending::Added("tst"),
            Self::Within | Self::Signatures => Ending::Same,
            Self::Renewal(ending) => ending,
        }
    }
}

/// Returns a time-stamp token over a file: RFC 3161 §2.4.2.
fn token(path: &Path, bytes: &[u8], stamper: &Stamper, notes: &mut Vec<String>) -> Result<Vec<u8>, CliError> {
    let function = stamper.digest();
    let imprint = digest(function, bytes).ok_or_else(|| {
        CliError::plain(format!("found the digest function {function}, expected one that is computed"))
    })?;
    stamper.token(function, &imprint, notes).map_err(|error| error.about(path))
}
