//! Where results go, and in which form.

use crate::error::CliError;
use crate::terminal::Display;
use lacre::Report;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

/// A form of what is for people or for programs, and of nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Form {
    /// For people, on a terminal.
    Text,
    /// For programs.
    Json,
}

/// A form of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people, on a terminal.
    Text,
    /// `lacre-report/2`, one object on one line.
    Json,
    /// ETSI TS 119 102-2.
    Etsi,
    /// For people, as one page for a browser.
    Html,
    /// For people and for the file, as PDF/A with the JSON and the ETSI report attached.
    Pdf,
}

impl Format {
    /// Returns the same as a form of many results in one stream. The others are documents, one a report.
    pub fn form(self) -> Option<Form> {
        match self {
            Self::Text => Some(Form::Text),
            Self::Json => Some(Form::Json),
            Self::Etsi | Self::Html | Self::Pdf => None,
        }
    }

    /// Returns what names of files in that form end with.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Text => "txt",
            Self::Json => "json",
            Self::Etsi => "xml",
            Self::Html => "html",
            Self::Pdf => "pdf",
        }
    }

    /// Checks that a report in that form may be written to standard output: a terminal does not show PDF.
    pub fn check_terminal(self, output: Option<&Path>) -> Result<(), CliError> {
        if self == Self::Pdf && output.is_none() && io::stdout().is_terminal() {
            let error = CliError::plain("found a terminal, expected a file or a pipe for a report as PDF");
            return Err(error.hint(Some("name a file with --output")));
        }
        Ok(())
    }

    /// Writes the report in that form. With `explain` the way to the verdict follows, where the form is text.
    pub fn write(self, report: &Report, explain: bool) -> Result<Vec<u8>, CliError> {
        Ok(match self {
            Self::Text if explain => format!("{}\n{}", report.to_text(), report.to_trace()).into_bytes(),
            Self::Text => report.to_text().into_bytes(),
            Self::Json => (report.to_json() + "\n").into_bytes(),
            Self::Etsi => report.to_etsi_xml().into_bytes(),
            Self::Html => report.to_html().into_bytes(),
            Self::Pdf => report.to_pdf().map_err(|error| CliError::new("the report", &error))?,
        })
    }

    /// Returns the way to the verdict, which goes to stderr where the form has no place for it.
    pub fn trace_apart(self, report: &Report, explain: bool) -> Option<String> {
        (explain && self != Self::Text).then(|| report.to_trace())
    }

    /// Writes one report, and the way to the verdict with `explain`.
    pub fn print(self, report: &Report, explain: bool, path: Option<&Path>) -> Result<(), CliError> {
        if let Some(trace) = self.trace_apart(report, explain) {
            eprint!("{trace}");
        }
        let written = self.write(report, explain)?;
        match self {
            Self::Text => write_text(&String::from_utf8_lossy(&written), path),
            _ => write_output(&written, path),
        }
    }
}

/// Adds a line to a text for people. What stands in it does nothing to the terminal, and ends no line.
macro_rules! line {
    ($text:expr, $($of:tt)+) => {{
        $text.push_str(&lacre::report::escape_control_chars(&format!($($of)+)));
        $text.push('\n');
    }};
}
pub(crate) use line;

/// Writes to the file, else to stdout. A reader that went away is not an error.
pub fn write_output(bytes: &[u8], path: Option<&Path>) -> Result<(), CliError> {
    let mut output = Output::new(path);
    match output.write(bytes).and_then(|()| output.finish()) {
        Err(WriteError::Failed(error)) => Err(error),
        Ok(()) | Err(WriteError::ReaderGone) => Ok(()),
    }
}

/// Writes a text for people to the file, else to stdout as that shows it.
pub fn write_text(text: &str, path: Option<&Path>) -> Result<(), CliError> {
    write_output(shown(text, path).as_bytes(), path)
}

fn shown<'t>(text: &'t str, path: Option<&Path>) -> Cow<'t, str> {
    match path {
        Some(_) => Cow::Borrowed(text),
        None => Display::of_stdout().show(text),
    }
}

/// Why nothing more can be written.
#[derive(Debug)]
pub enum WriteError {
    /// Whoever read standard output went away: `lacre … | head`.
    ReaderGone,
    /// Anything else.
    Failed(CliError),
}

/// A file, or standard output, that is written piece by piece.
#[derive(Debug)]
pub struct Output {
    path: Option<PathBuf>,
    file: Option<File>,
    display: Display,
    is_empty: bool,
}

impl Output {
    /// Makes an output of the file at `path`, which is made when the first piece is written; else of standard output.
    pub fn new(path: Option<&Path>) -> Self {
        let display = if path.is_some() { Display::default() } else { Display::of_stdout() };
        Self { path: path.map(Path::to_path_buf), file: None, display, is_empty: true }
    }

    /// Returns whether nothing was written yet.
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Writes a piece, and lets it be read at once.
    ///
    /// # Errors
    ///
    /// When nothing more can be written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.is_empty &= bytes.is_empty();
        let Some(path) = &self.path else {
            let mut stdout = io::stdout().lock();
            return stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(|error| match error.kind() {
                io::ErrorKind::BrokenPipe => WriteError::ReaderGone,
                _ => WriteError::Failed(CliError::new("standard output", &error)),
            });
        };
        let file = match self.file.take() {
            Some(file) => Ok(file),
            None => File::create(path),
        };
        let written = file.and_then(|mut file| file.write_all(bytes).map(|()| file));
        self.file = Some(written.map_err(|error| WriteError::Failed(CliError::new(path.display(), &error)))?);
        Ok(())
    }

    /// Writes a text for people, as it is shown there.
    ///
    /// # Errors
    ///
    /// When nothing more can be written.
    pub fn write_text(&mut self, text: &str) -> Result<(), WriteError> {
        let display = self.display;
        self.write(display.show(text).as_bytes())
    }

    /// Ends it: a file is there, if nothing was written to it.
    ///
    /// # Errors
    ///
    /// When the file cannot be made.
    pub fn finish(&mut self) -> Result<(), WriteError> {
        if self.path.is_some() && self.file.is_none() { self.write(&[]) } else { Ok(()) }
    }
}
