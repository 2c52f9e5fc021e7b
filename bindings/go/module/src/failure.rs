//! Why a call failed, as the host reads it.

use serde::Serialize;
use std::error::Error;

/// A failure: the codes are the constants `Code…` of the Go package.
#[derive(Debug, Serialize)]
pub(crate) struct Failure {
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
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
        Self { code, message, hint: None }
    }

    /// Makes a failure, told in one sentence: something handed in is not what it may be.
    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Self { code: "INVALID_ARGUMENT", message: message.into(), hint: None }
    }

    /// Returns the failure as the host gets it.
    pub(crate) fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

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
        Self { hint: error.hint(), ..Self::new(code, &error) }
    }
}
