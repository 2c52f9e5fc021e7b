//! Errors as Python gets them: `lacre.Error`, with a code and a hint.

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::error::Error;
use std::ffi::OsString;
use std::io;
use std::path::Path;

/// Why a call failed. The codes are `ErrorCode` of `python/lacre/_words.py`.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What the library says.
    Refused { code: &'static str, message: String, hint: Option<String> },
    /// What the system says of a file.
    File { path: OsString, error: io::Error },
}

impl Failure {
    /// Makes a failure of that code: the error, and after colons its causes.
    pub(crate) fn new(code: &'static str, error: &dyn Error) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message.push_str(": ");
            message.push_str(&cause.to_string());
            source = cause.source();
        }
        Self::plain(code, message)
    }

    /// Makes a failure of that code, told in one sentence.
    pub(crate) fn plain(code: &'static str, message: impl Into<String>) -> Self {
        Self::Refused { code, message: message.into(), hint: None }
    }

    /// Makes the failure of a file that cannot be read.
    pub(crate) fn file(path: &Path, error: io::Error) -> Self {
        Self::File { path: path.as_os_str().to_owned(), error }
    }

    /// Adds what could be done about it.
    pub(crate) fn with_hint(self, advice: Option<impl Into<String>>) -> Self {
        match self {
            Self::Refused { code, message, .. } => Self::Refused { code, message, hint: advice.map(Into::into) },
            file => file,
        }
    }
}

/// What the library says of a document or of evidence. The codes are those of the npm package.
impl From<lacre::Error> for Failure {
    fn from(error: lacre::Error) -> Self {
        use lacre_core::formats::Error as Format;
        let code = match &error {
            lacre::Error::Document(Format::Unknown { .. }) => "UNKNOWN_FORMAT",
            lacre::Error::Document(Format::Unsupported { .. } | Format::OpcPackage | Format::LeftOut { .. }) => {
                "UNSUPPORTED_FORMAT"
            }
            error if error.needs_password() => "PASSWORD",
            lacre::Error::Algorithm { .. } => "UNSUPPORTED_ALGORITHM",
            lacre::Error::Evidence { .. } => "INVALID_EVIDENCE",
            _ => "UNREADABLE",
        };
        Self::new(code, &error).with_hint(error.hint())
    }
}

/// `lacre.Error`, which is written in Python.
static ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused { code, message, hint } => Python::attach(|py| {
                match ERROR.import(py, "lacre._errors", "Error").and_then(|class| class.call1((code, message, hint))) {
                    Ok(error) => Self::from_value(error),
                    Err(error) => error,
                }
            }),
            Failure::File { path, error } => match error.raw_os_error() {
                // OSError makes FileNotFoundError and the like of the number.
                Some(number) => PyOSError::new_err((number, told(&error), path)),
                None if error.kind() == io::ErrorKind::InvalidInput => PyValueError::new_err(error.to_string()),
                None => PyOSError::new_err(error.to_string()),
            },
        }
    }
}

/// Returns what the system says, without the number that Python adds itself.
fn told(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
