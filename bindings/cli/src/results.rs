//! The results of `lacre validate`, written one after another in the order of the files.

use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::output::{Form, Output, WriteError};
use crate::output_dir::OutputDir;
use crate::summary::{FileSummary, Summary, Totals, json_error, json_report};
use crate::terminal::print_note;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lacre::report::escape_control_chars;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

/// What came of one file.
pub struct Validated {
    /// Its report in the form asked for; empty where that is not printed.
    pub report: Vec<u8>,
    /// The way to the verdict, where that is asked for and the form has no place for it.
    pub trace: Option<String>,
    pub summary: Summary,
    pub status: ExitStatus,
    /// Says that nobody could be trusted, where the verdict is open for that reason.
    pub without_trust: Option<CliError>,
    /// What could not be fetched.
    pub notes: Vec<String>,
}

/// What is printed of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// Its report: as text, as JSON, or as another form, of one file alone.
    Report(Option<Form>),
    /// Its verdict, in a line.
    Summary(Form),
}

/// The results of all files.
pub struct Results<'a> {
    files: &'a [PathBuf],
    listing: Listing,
    /// Where the reports are, if in a folder.
    folder: Option<&'a OutputDir>,
    output: Output,
    totals: Totals,
    status: ExitStatus,
    /// Whether it was printed that nobody is trusted, which holds for every file.
    without_trust: bool,
    progress: ProgressBar,
}

impl<'a> Results<'a> {
    /// Begins without results.
    pub fn new(files: &'a [PathBuf], listing: Listing, folder: Option<&'a OutputDir>, output: Option<&Path>) -> Self {
        Self {
            files,
            listing,
            folder,
            output: Output::new(output),
            totals: Totals::default(),
            status: ExitStatus::Passed,
            without_trust: false,
            progress: progress(files.len(), output),
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
    pub fn write(&mut self, index: usize, outcome: &Result<Validated, CliError>) -> Result<(), WriteError> {
        let progress = self.progress.clone();
        progress.inc(1);
        progress.suspend(|| {
            self.print_messages(index, outcome);
            self.status = self.status.worse(match outcome {
                Ok(validated) => validated.status,
                Err(_) => ExitStatus::NotDone,
            });
            self.totals.count(summary(outcome));
            match self.listing {
                Listing::Report(form) => self.write_report(index, outcome, form),
                Listing::Summary(form) => self.write_summary(index, outcome, form),
            }
        })
    }

    /// Writes what follows the last file.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn finish(&mut self) -> Result<(), WriteError> {
        self.progress.finish_and_clear();
        if let Listing::Summary(form) = self.listing {
            self.write_line(form, self.totals.line(form))?;
        }
        self.output.finish()
    }

    fn are_several(&self) -> bool {
        self.files.len() > 1
    }

    fn write_report(
        &mut self,
        index: usize,
        outcome: &Result<Validated, CliError>,
        form: Option<Form>,
    ) -> Result<(), WriteError> {
        let path = &self.files[index];
        match (outcome, form) {
            (Ok(validated), Some(Form::Text)) => {
                let report = String::from_utf8_lossy(&validated.report);
                let blank_line = if self.output.is_empty() { "" } else { "\n" };
                let heading = if self.are_several() { heading(path) } else { String::new() };
                self.output.write_text(&format!("{blank_line}{heading}{report}"))
            }
            (Ok(validated), Some(Form::Json)) if self.are_several() => {
                let report = String::from_utf8_lossy(&validated.report);
                self.write_line(Form::Json, json_report(path, &report))
            }
            (Ok(validated), _) => self.output.write(&validated.report),
            (Err(error), Some(Form::Json)) if self.are_several() => {
                self.write_line(Form::Json, json_error(path, error))
            }
            (Err(_), _) => Ok(()),
        }
    }

    fn write_summary(
        &mut self,
        index: usize,
        outcome: &Result<Validated, CliError>,
        form: Form,
    ) -> Result<(), WriteError> {
        let output = self.folder.map(|folder| folder.path(index));
        let line = FileSummary { path: &self.files[index], outcome: summary(outcome), output }.line(form);
        self.write_line(form, line)
    }

    fn write_line(&mut self, form: Form, line: Result<String, CliError>) -> Result<(), WriteError> {
        let line = line.map_err(WriteError::Failed)?;
        match form {
            Form::Text => self.output.write_text(&line),
            Form::Json => self.output.write(line.as_bytes()),
        }
    }

    /// Prints what is no result: errors, notes, the way to the verdict, and once that nobody is trusted.
    fn print_messages(&mut self, index: usize, outcome: &Result<Validated, CliError>) {
        let path = &self.files[index];
        let validated = match outcome {
            Ok(validated) => validated,
            Err(error) => return error.print(),
        };
        for note in &validated.notes {
            match self.are_several() {
                true => print_note(&format!("{}: {note}", path.display())),
                false => print_note(note),
            }
        }
        if let Some(trace) = &validated.trace {
            let heading = if self.are_several() { heading(path) } else { String::new() };
            eprint!("{heading}{trace}");
        }
        if let Some(error) = validated.without_trust.as_ref().filter(|_| !self.without_trust) {
            error.print();
            self.without_trust = true;
        }
    }
}

fn summary(outcome: &Result<Validated, CliError>) -> Result<&Summary, &CliError> {
    outcome.as_ref().map(|validated| &validated.summary)
}

/// Says which of several files follows.
fn heading(path: &Path) -> String {
    format!("==> {} <==\n", escape_control_chars(&path.display().to_string()))
}

/// Returns how far it is, on a terminal that shows nothing else meanwhile.
pub fn progress(files: usize, output: Option<&Path>) -> ProgressBar {
    let is_shown = files > 1 && (output.is_some() || !io::stdout().is_terminal());
    let target = if is_shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let progress = ProgressBar::with_draw_target(Some(files as u64), target);
    match ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}") {
        Ok(style) => progress.with_style(style),
        Err(_) => progress,
    }
}
