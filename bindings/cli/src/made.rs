//! What came of files that are signed, extended or time-stamped: a line each, as they come, and totals.

use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::output::{Output, WriteError, line};
use crate::results::progress;
use crate::terminal::print_note;
use indicatif::ProgressBar;
use lacre::signing::SigningErrorCode;
use lacre::{Id, report::SignatureLevel};
use lacre_fetch::in_order;
use serde::Serialize;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// What was made of a file.
#[derive(Debug, Serialize)]
pub struct Made {
    /// The profile, that of the lowest where there are several signatures; nothing where there is no signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<SignatureLevel>,
    /// The empty signature field that was put into it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Where it is.
    #[serde(serialize_with = "path_text")]
    pub output: PathBuf,
    /// What became of each signature, where there were some before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub signatures: Vec<SignatureResult>,
    /// Whether it is lower than asked for.
    #[serde(skip)]
    pub status: ExitStatus,
    /// What else is to be said.
    #[serde(skip)]
    pub notes: Vec<String>,
}

/// What became of a signature.
#[derive(Debug, Serialize)]
pub struct SignatureResult {
    pub id: Id,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<SignatureLevel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<SignatureLevel>,
    /// Why it was not extended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<CliError>,
}

fn path_text<S: serde::Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// The counts of all files.
#[derive(Debug, Default, Serialize)]
struct Totals {
    files: usize,
    written: usize,
    unchanged: usize,
    error: usize,
}

/// Makes something of each file, so many at a time, and writes what came of it as it comes.
pub fn each(
    files: &[PathBuf],
    json: bool,
    workers: usize,
    make: impl Fn(usize, &Path) -> Result<Made, CliError> + Sync,
) -> Result<ExitStatus, CliError> {
    let mut results = MadeFiles::new(files, json);
    let written =
        in_order(files, workers, |index, path| make(index, path), |index, outcome| results.write(index, &outcome));
    match written.and_then(|()| results.finish()) {
        Err(WriteError::Failed(error)) => Err(error),
        Ok(()) | Err(WriteError::ReaderGone) => Ok(results.status()),
    }
}

/// The results of all files.
pub struct MadeFiles<'a> {
    files: &'a [PathBuf],
    json: bool,
    output: Output,
    totals: Totals,
    status: ExitStatus,
    progress: ProgressBar,
}

impl<'a> MadeFiles<'a> {
    /// Begins without results.
    pub fn new(files: &'a [PathBuf], json: bool) -> Self {
        Self {
            files,
            json,
            output: Output::new(None),
            totals: Totals::default(),
            status: ExitStatus::Passed,
            progress: progress(files.len(), None),
        }
    }

    /// Returns the status of all files together.
    pub fn status(&self) -> ExitStatus {
        self.status
    }

    /// Writes what came of the file with that number.
    ///
    /// # Errors
    ///
    /// When nothing more can be written.
    pub fn write(&mut self, index: usize, outcome: &Result<Made, CliError>) -> Result<(), WriteError> {
        let progress = self.progress.clone();
        progress.inc(1);
        progress.suspend(|| {
            self.totals.files += 1;
            self.print_messages(index, outcome);
            let status = match outcome {
                Ok(made) => {
                    self.totals.written += 1;
                    made.status
                }
                Err(error) => {
                    *if is_unchanged(error) { &mut self.totals.unchanged } else { &mut self.totals.error } += 1;
                    error.status()
                }
            };
            self.status = self.status.worse(status);
            let path = &self.files[index];
            let line = if self.json { json_line(path, outcome)? } else { text_line(path, outcome) };
            self.write_line(&line)
        })
    }

    /// Writes the totals, where there are several files.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub fn finish(&mut self) -> Result<(), WriteError> {
        self.progress.finish_and_clear();
        if self.files.len() < 2 {
            return Ok(());
        }
        let line = if self.json {
            #[derive(Serialize)]
            struct Line<'a> {
                totals: &'a Totals,
            }
            json(&Line { totals: &self.totals })?
        } else {
            let counts =
                [(self.totals.written, "written"), (self.totals.unchanged, "unchanged"), (self.totals.error, "ERROR")];
            let words: Vec<String> =
                counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
            format!("{} files: {}\n", self.totals.files, words.join(", "))
        };
        self.write_line(&line)
    }

    fn write_line(&mut self, line: &str) -> Result<(), WriteError> {
        if self.json { self.output.write(line.as_bytes()) } else { self.output.write_text(line) }
    }

    /// Prints what is no result: errors and notes.
    fn print_messages(&self, index: usize, outcome: &Result<Made, CliError>) {
        let path = self.files[index].display();
        match outcome {
            Ok(made) => made.notes.iter().for_each(|note| print_note(&format!("{path}: {note}"))),
            Err(error) if is_unchanged(error) => print_note(error.message()),
            Err(error) => error.print(),
        }
    }
}

/// Returns whether a file stays as it is because it has all that was asked for.
fn is_unchanged(error: &CliError) -> bool {
    error.code() == Some(SigningErrorCode::AlreadyAtLevel)
}

fn text_line(path: &Path, outcome: &Result<Made, CliError>) -> String {
    let mut text = String::new();
    match outcome {
        Ok(made) => {
            let without = if made.field.is_some() { "FIELD" } else { "TIME-STAMP" };
            let level = made.level.map_or(without, SignatureLevel::as_str);
            line!(text, "{level:<18}  {} -> {}", path.display(), made.output.display());
        }
        Err(error) => {
            let word = if is_unchanged(error) { "UNCHANGED" } else { "ERROR" };
            let reason = error.code().map_or_else(String::new, |code| format!("  ({code})"));
            line!(text, "{word:<18}  {}{reason}", path.display());
        }
    }
    text
}

fn json_line(path: &Path, outcome: &Result<Made, CliError>) -> Result<String, WriteError> {
    #[derive(Serialize)]
    struct Line<'a> {
        path: Cow<'a, str>,
        #[serde(flatten)]
        made: Option<&'a Made>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<&'a CliError>,
    }
    json(&Line { path: path.to_string_lossy(), made: outcome.as_ref().ok(), error: outcome.as_ref().err() })
}

fn json(value: &impl Serialize) -> Result<String, WriteError> {
    let json = serde_json::to_string(value).map_err(|error| WriteError::Failed(CliError::new("a result", &error)))?;
    Ok(json + "\n")
}
