//! Where reports go, and in which form.

use crate::talk::Trouble;
use lacre::Report;
use std::io::{self, Write as _};
use std::path::Path;

/// A form of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people, on a terminal.
    Text,
    /// `lacre-report/1`, one object on one line.
    Json,
    /// ETSI TS 119 102-2.
    Etsi,
}

impl Format {
    /// The report in that form. With `explain` the way to the verdict follows; beside a form for machines it goes
    /// to stderr.
    pub fn write(self, report: &Report, explain: bool) -> String {
        if explain && self != Self::Text {
            eprint!("{}", report.to_trace());
        }
        match self {
            Self::Text if explain => format!("{}\n{}", report.to_text(), report.to_trace()),
            Self::Text => report.to_text(),
            Self::Json => report.to_json() + "\n",
            Self::Etsi => report.to_etsi_xml(),
        }
    }
}

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
