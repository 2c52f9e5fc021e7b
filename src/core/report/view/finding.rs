//! What the checks noticed, for a reader.

use crate::facts::Id;
use crate::report::messages;
use crate::report::{Report, subject};
use crate::validation::Findings;
use crate::validation::engine::Message;
use crate::vocabulary::string_enum;
use serde::Serialize;

string_enum! {
    /// How much a finding weighs.
    pub enum Severity {
        /// Keeps the token from being valid.
        Error = "error",
        /// Is only warned of by the policy.
        Warning = "warning",
        /// May be good to know.
        Info = "info",
    }
}

/// Something that a check noticed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finding<'a> {
    /// How much it weighs.
    pub severity: Severity,
    /// The stable key of the check, such as `BBB_XCV_CCCBB_ANS`: EU DSS's where it has one.
    pub check: &'static str,
    /// What it is about, in the language of the report: a signature or time-stamp by its number, a certificate by its
    /// name, a reference by what it refers to.
    pub subject: String,
    /// What was found: a sentence in the language of the report.
    pub message: &'static str,
    /// The values that were compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<&'a str>,
    /// The id of the token that the check looked at.
    pub token: &'a Id,
}

impl<'a> Finding<'a> {
    /// Describes a message that is listed under `owner`.
    pub(in crate::report) fn new(report: &Report, owner: &'a Id, severity: Severity, message: &'a Message) -> Self {
        let language = report.language;
        Self {
            severity,
            check: message.key(),
            subject: subject::of_message(report, message, owner).common_in(language),
            message: messages::sentence(language, message.key()),
            compared: message.compared.as_deref(),
            token: message.token.as_ref().unwrap_or(owner),
        }
    }

    /// Returns the findings that are listed under a token, the heaviest first.
    pub(in crate::report) fn all(
        report: &'a Report,
        owner: &'a Id,
        findings: &'a Findings,
    ) -> impl Iterator<Item = Self> + use<'a> {
        by_severity(findings).map(move |(severity, message)| Self::new(report, owner, severity, message))
    }
}

/// Returns the messages of a token, the heaviest first.
pub(in crate::report) fn by_severity(findings: &Findings) -> impl Iterator<Item = (Severity, &Message)> {
    [(Severity::Error, &findings.errors), (Severity::Warning, &findings.warnings), (Severity::Info, &findings.infos)]
        .into_iter()
        .flat_map(|(severity, messages)| messages.iter().map(move |message| (severity, message)))
}
