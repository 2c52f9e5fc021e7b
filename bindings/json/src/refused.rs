//! Why a request is refused.

use lacre::signing::{SigningError, SigningErrorCode};
use std::fmt;

/// Why a request is refused: a code, what was found and expected, and what can be done. What the library says
/// ([`SigningError`]) becomes one, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    code: SigningErrorCode,
    message: String,
    hint: Option<String>,
}

impl Refused {
    /// Makes a refusal that says what was found and what was expected.
    pub fn new(code: SigningErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None }
    }

    /// Adds what the caller could do.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Returns the cause as a code.
    pub fn code(&self) -> SigningErrorCode {
        self.code
    }

    /// Says what the caller could do about it.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl From<SigningError> for Refused {
    fn from(error: SigningError) -> Self {
        Self { code: error.code(), message: error.to_string(), hint: error.hint().map(str::to_owned) }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refused {}
