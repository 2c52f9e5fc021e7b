//! Where reports go, and in which form.

use crate::talk::Trouble;
use lacre::Report;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

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
    /// Whether the report can be written: HTML and PDF are about one file, and a terminal does not show PDF.
    pub fn check(self, files: usize, output: Option<&Path>) -> Result<(), Trouble> {
        let page = matches!(self, Self::Html | Self::Pdf);
        if page && files > 1 {
            return Err(Trouble::plain(format!("found {files} files, expected one for a report as HTML or PDF")));
        }
        if self == Self::Pdf && output.is_none() && io::stdout().is_terminal() {
            let trouble = Trouble::plain("found a terminal, expected a file or a pipe for a report as PDF");
            return Err(trouble.hint(Some("name a file with --output")));
        }
        Ok(())
    }

    /// The report in that form. With `explain` the way to the verdict follows; beside the other forms it goes to
    /// stderr.
    pub fn write(self, report: &Report, explain: bool) -> Result<Vec<u8>, Trouble> {
        if explain && self != Self::Text {
            eprint!("{}", report.to_trace());
        }
        Ok(match self {
            Self::Text if explain => format!("{}\n{}", report.to_text(), report.to_trace()).into_bytes(),
            Self::Text => report.to_text().into_bytes(),
            Self::Json => (report.to_json() + "\n").into_bytes(),
            Self::Etsi => report.to_etsi_xml().into_bytes(),
            Self::Html => report.to_html().into_bytes(),
            Self::Pdf => report.to_pdf().map_err(|error| Trouble::new("the report", &error))?,
        })
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
pub fn put(octets: &[u8], path: Option<&Path>) -> Result<(), Trouble> {
    match path {
        Some(path) => std::fs::write(path, octets).map_err(|e| Trouble::new(path.display(), &e)),
        None => match io::stdout().lock().write_all(octets) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other.map_err(|e| Trouble::new("standard output", &e)),
        },
    }
}
