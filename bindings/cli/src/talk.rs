//! Exit statuses, and errors as they are told on stderr: in one line each, in which names of files and what is in them
//! do nothing to the terminal.

use lacre::{
    Report,
    report::{Indication, escape_control_chars},
};
use lacre_core::facts::{TrustState, TrustStore};
use std::error::Error;
use std::fmt::Display;
use std::process::ExitCode;

/// How the command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Passed = 0,
    Failed = 1,
    Indeterminate = 3,
    NoSignature = 4,
    Trouble = 5,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        (status as u8).into()
    }
}

impl From<Indication> for Status {
    fn from(indication: Indication) -> Self {
        match indication {
            Indication::TotalPassed | Indication::Passed => Self::Passed,
            Indication::TotalFailed | Indication::Failed => Self::Failed,
            Indication::NoSignatureFound => Self::NoSignature,
            _ => Self::Indeterminate,
        }
    }
}

impl From<&Report> for Status {
    /// As the indication says; but where the verdict is open and nobody could be trusted, the job was not done.
    fn from(report: &Report) -> Self {
        let trust = report.facts().trust_store.as_ref().map(TrustStore::state);
        let message = match trust {
            Some(TrustState::Nobody) => "no trusted list is loaded and no certificate is trusted",
            Some(TrustState::NoUsableList) => "none of the trusted lists can be relied on",
            _ => return report.indication().into(),
        };
        match report.indication().into() {
            Self::Indeterminate => {
                Trouble::plain(message)
                    .hint(Some(
                        "--trusted-lists names a folder of lists, --trust-anchor a certificate; see `lacre lists show`",
                    ))
                    .tell();
                Self::Trouble
            }
            status => status,
        }
    }
}

impl Status {
    /// The same, but that nothing passed for sure.
    pub fn undecided(self) -> Self {
        if self == Self::Passed { Self::Indeterminate } else { self }
    }

    /// The status of several files together: trouble, then failed, indeterminate, no signature, passed.
    pub fn worse(self, other: Self) -> Self {
        let rank = |status| match status {
            Self::Trouble => 4,
            Self::Failed => 3,
            Self::Indeterminate => 2,
            Self::NoSignature => 1,
            Self::Passed => 0,
        };
        if rank(other) > rank(self) { other } else { self }
    }
}

/// Something that kept the command from doing its job.
#[derive(Debug)]
pub struct Trouble {
    message: String,
    hint: Option<String>,
}

impl Trouble {
    /// What went wrong with what, and why: the causes follow after colons.
    pub fn new(what: impl Display, error: &dyn Error) -> Self {
        let mut message = format!("{what}: {error}");
        let mut source = error.source();
        while let Some(cause) = source {
            message.push_str(&format!(": {cause}"));
            source = cause.source();
        }
        Self { message, hint: None }
    }

    /// What went wrong, in one sentence.
    pub fn plain(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
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

    /// Tells it on stderr.
    pub fn tell(&self) {
        anstream::eprintln!("lacre: error: {}", escape_control_chars(&self.message));
        if let Some(hint) = &self.hint {
            anstream::eprintln!("lacre: hint: {}", escape_control_chars(hint));
        }
    }
}

/// Something that the user may want to know, and that kept the command from nothing.
pub fn note(message: &str) {
    anstream::eprintln!("lacre: note: {}", escape_control_chars(message));
}
