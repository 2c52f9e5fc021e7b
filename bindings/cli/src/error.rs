//! Errors of the command.

use crate::terminal;
use lacre_core::formats::{Error as FormatError, pdf::PdfError};
use serde::Serialize;
use std::error::Error;
use std::fmt::Display;
use std::path::Path;

/// Something that kept the command from doing its job.
#[derive(Debug, Clone, Serialize)]
pub struct CliError {
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl CliError {
    /// What went wrong with what, and why: the causes follow after colons.
    pub fn new(what: impl Display, error: &dyn Error) -> Self {
        let mut message = format!("{what}: {error}");
        let mut source = error.source();
        while let Some(cause) = source {
            message.push_str(&format!(": {cause}"));
            source = cause.source();
        }
        Self::plain(message)
    }

    /// What went wrong, in one sentence.
    pub fn plain(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
    }

    /// Why a document could not be judged, with the library's advice in the words of the command.
    pub fn of_document(path: &Path, error: &lacre::Error) -> Self {
        let hint = match error {
            lacre::Error::Document(FormatError::Pdf(PdfError::WrongPassword)) => {
                Some("--password gives the password of encrypted PDF files")
            }
            _ => error.hint(),
        };
        Self::new(path.display(), error).hint(hint)
    }

    /// With advice.
    pub fn hint(mut self, hint: Option<impl Into<String>>) -> Self {
        self.hint = hint.map(Into::into);
        self
    }

    /// What went wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Prints it on stderr.
    pub fn print(&self) {
        terminal::print_error(&self.message);
        if let Some(hint) = &self.hint {
            terminal::print_hint(hint);
        }
    }
}
