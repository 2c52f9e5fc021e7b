//! Errors of the command.

use crate::exit_status::ExitStatus;
use crate::terminal;
use lacre::signing::{SigningError, SigningErrorCode};
use lacre_core::formats::{Error as FormatError, pdf::PdfError};
use serde::Serialize;
use std::error::Error;
use std::fmt::Display;
use std::path::Path;

/// Something that kept the command from doing its job.
#[derive(Debug, Clone, Serialize)]
pub struct CliError {
    message: String,
    /// The cause, where it is one of signing and extending.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<SigningErrorCode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl CliError {
    /// Makes an error of what went wrong with what, and why: the causes follow after colons.
    pub fn new(what: impl Display, error: &dyn Error) -> Self {
        let mut message = format!("{what}: {error}");
        let mut source = error.source();
        while let Some(cause) = source {
            message.push_str(&format!(": {cause}"));
            source = cause.source();
        }
        Self::plain(message)
    }

    /// Makes an error of what went wrong, in one sentence.
    pub fn plain(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: None, hint: None }
    }

    /// Makes the error that says why a document could not be judged, with the library's advice in the words of the
    /// command.
    pub fn of_document(path: &Path, error: &lacre::Error) -> Self {
        let hint = match error {
            lacre::Error::Document(FormatError::Pdf(PdfError::WrongPassword)) => {
                Some("--password gives the password of encrypted PDF files")
            }
            _ => error.hint(),
        };
        Self::new(path.display(), error).hint(hint)
    }

    /// Makes the error that says why a document could not be signed or extended, with the library's advice in the words
    /// of the command.
    pub fn of_signing(path: &Path, error: &SigningError) -> Self {
        Self::of_cause(error).about(path)
    }

    /// Makes the same error, where it is said elsewhere what it is about.
    pub fn of_cause(error: &SigningError) -> Self {
        Self::plain(error.to_string()).coded(error.code()).hint(advice(error.code()).or(error.hint()))
    }

    /// Adds its cause.
    pub fn coded(mut self, code: SigningErrorCode) -> Self {
        self.code = Some(code);
        self
    }

    /// Puts what the message is about before it.
    pub fn about(mut self, path: &Path) -> Self {
        self.message = format!("{}: {}", path.display(), self.message);
        self
    }

    /// Returns the status of a file that it kept the command from writing.
    pub fn status(&self) -> ExitStatus {
        self.code.map_or(ExitStatus::NotDone, ExitStatus::from)
    }

    /// Returns the cause, where it is one of signing and extending.
    pub fn code(&self) -> Option<SigningErrorCode> {
        self.code
    }

    /// Adds advice.
    pub fn hint(mut self, hint: Option<impl Into<String>>) -> Self {
        self.hint = hint.map(Into::into);
        self
    }

    /// Returns what went wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Prints it on stderr.
    pub fn print(&self) {
        match self.code {
            Some(code) => terminal::print_error(&format!("{} [{code}]", self.message)),
            None => terminal::print_error(&self.message),
        }
        if let Some(hint) = &self.hint {
            terminal::print_hint(hint);
        }
    }
}

/// Returns the option of the command that helps against a cause.
fn advice(code: SigningErrorCode) -> Option<&'static str> {
    use SigningErrorCode::{
        AlgorithmNotAllowed, ChainNotTrusted, ContentNeeded, PasswordNeeded, PasswordWrong, RevocationMissing,
        RevocationTooOld,
    };
    Some(match code {
        ChainNotTrusted => "--trust-anchor or --trusted-lists says whom to trust; --evidence hands in an issuer",
        RevocationMissing => "--online asks for it; --evidence hands in a CRL or an OCSP response",
        RevocationTooOld => {
            "--online asks for newer data, --evidence hands it in; --freshness older takes what there is"
        }
        ContentNeeded => "--content names the file that is signed",
        PasswordNeeded | PasswordWrong => "--password gives the password of encrypted PDF files",
        AlgorithmNotAllowed => "--digest and --pss choose another algorithm; --allow-weak signs with this one",
        _ => return None,
    })
}
