//! `lacre validate`: every signature of one or more files.

use crate::input::{self, Beside, PolicyArguments};
use crate::online::{self, Online, OnlineArguments};
use crate::output::{Format, put};
use crate::talk::{Status, Trouble};
use crate::trust::TrustArguments;
use indicatif::{ProgressBar, ProgressStyle};
use lacre::{Bundle, Document, Time, Validator, report::Language};
use lacre_fetch::side_by_side;
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
    /// The form of the answer. With several files, JSON is one object a line.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Where to write it. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<Status, Trouble> {
    arguments.format.check(arguments.files.len(), arguments.output.as_deref())?;
    if arguments.bundle.is_some() && arguments.files.len() > 1 {
        return Err(Trouble::plain("a bundle holds the evidence of one file, and several were given"));
    }
    let job = Job::new(arguments)?;
    let answers = job.all(&arguments.files);
    let mut written = vec![];
    let mut status = Status::Passed;
    for answer in answers {
        match answer {
            Ok((report, one)) => {
                if arguments.format == Format::Text && !written.is_empty() {
                    written.push(b'\n');
                }
                written.extend(report);
                status = status.worse(one);
            }
            Err(trouble) => {
                trouble.tell();
                status = Status::Trouble;
            }
        }
    }
    put(&written, arguments.output.as_deref())?;
    Ok(status)
}

/// One answer a file: the report in the form asked for, and what it means for the exit status.
type Answer = Result<(Vec<u8>, Status), Trouble>;

/// What is the same for every file.
struct Job {
    validator: Validator,
    beside: Beside,
    language: Language,
    format: Format,
    explain: bool,
    bundle: Option<PathBuf>,
    compare_pages: bool,
    online: Option<Online>,
    /// The moment of every judgement. None: the moment at which it is made, after what was fetched for it.
    time: Option<Time>,
}

impl Job {
    fn new(arguments: &Arguments) -> Result<Self, Trouble> {
        let validator = arguments.trust.validator(arguments.policy.read()?, arguments.at)?.with_executor(on_all_cores);
        let online = arguments.online.open()?;
        Ok(Self {
            validator,
            beside: Beside::open(&arguments.content, arguments.password.as_deref())?,
            language: arguments.language,
            format: arguments.format,
            explain: arguments.explain,
            bundle: arguments.bundle.clone(),
            compare_pages: arguments.compare_pages,
            time: arguments.at.or_else(|| online.is_none().then(input::now)),
            online,
        })
    }

    fn one(&self, path: &Path) -> Answer {
        let bytes = input::open(path)?;
        let mut document = self.beside.with(Document::new(&bytes).named(input::name(path)));
        if self.compare_pages {
            document = document.comparing_pages();
        }
        let judged = online::judged(self.online.as_ref(), &self.validator, |validator| {
            validator.validate(&document, self.time.unwrap_or_else(input::now))
        });
        let judged = judged.map_err(|e| trouble(path, &e))?;
        if let Some(to) = &self.bundle {
            let time = judged.verdict.verdicts().time;
            let kept = Bundle::record(&judged.validator, &document, time, self.language);
            put(&kept.map_err(|e| trouble(path, &e))?.1.to_zip(), Some(to))?;
        }
        let report = judged.verdict.with_attempts(judged.attempts).in_language(self.language);
        Ok((self.format.write(&report, self.explain)?, Status::from(&report)))
    }

    /// Every file, on all cores, answers in the order given.
    fn all(&self, files: &[PathBuf]) -> Vec<Answer> {
        if let [only] = files {
            return vec![self.one(only)];
        }
        let progress = ProgressBar::new(files.len() as u64);
        progress
            .set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}").expect("the template is ours"));
        let answers = side_by_side(files, cores(), |path| {
            let answer = self.one(path);
            progress.inc(1);
            answer
        });
        progress.finish_and_clear();
        answers
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

fn trouble(path: &Path, error: &lacre::Error) -> Trouble {
    Trouble::new(path.display(), error).hint(error.hint())
}
