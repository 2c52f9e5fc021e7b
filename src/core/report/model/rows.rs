//! The smallest pieces of a report: labelled values, findings, questions with their answers.

use super::{LocalizedText, State};
use crate::facts::Id;
use crate::report::messages::MessageId;
use crate::report::view::{self, Severity};
use crate::report::{Report, subject};
use crate::validation::Findings;
use crate::validation::engine::{BlockKind, Message};

/// The number of values that a row names before it only counts them.
const VALUES: usize = 12;

/// A label with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The label.
    pub label: MessageId,
    /// The values, one for each line.
    pub values: Vec<LocalizedText>,
}

/// Something that the checks noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its weight.
    pub severity: Severity,
    /// What it is about.
    pub subject: LocalizedText,
    /// The stable key of the check.
    pub key: &'static str,
    /// The values that were compared.
    pub compared: Option<String>,
}

/// A building block or process as a question with its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The building block or process.
    pub block: BlockKind,
    /// The answer.
    pub state: State,
    /// The answer in ETSI's words.
    pub code: String,
}

impl Finding {
    /// Returns what the check noticed, and about what, without the values that were compared.
    pub(in crate::report) fn sentence(&self) -> LocalizedText {
        LocalizedText::new(MessageId::FindingLine)
            .with("subject", self.subject.clone())
            .with("finding", LocalizedText::sentence(self.key))
    }
}

impl Row {
    /// Makes a row with one value.
    pub fn one(label: MessageId, value: impl Into<LocalizedText>) -> Self {
        Self { label, values: vec![value.into()] }
    }

    /// Makes a row where there is a value.
    pub(in crate::report) fn maybe(label: MessageId, value: Option<LocalizedText>) -> Option<Self> {
        value.map(|value| Self::one(label, value))
    }

    /// Makes a row of all values, where there are any.
    pub(super) fn all(label: MessageId, values: impl Iterator<Item = LocalizedText>) -> Option<Self> {
        let values: Vec<LocalizedText> = values.collect();
        (!values.is_empty()).then_some(Self { label, values })
    }

    /// Makes a row where there are values: the first of them, and the number of the others.
    pub(super) fn many(label: MessageId, values: impl Iterator<Item = LocalizedText>) -> Option<Self> {
        let mut values = values;
        let mut shown: Vec<LocalizedText> = values.by_ref().take(VALUES).collect();
        match values.count() {
            0 => {}
            more => shown.push(LocalizedText::new(MessageId::More).with("n", more)),
        }
        (!shown.is_empty()).then_some(Self { label, values: shown })
    }
}

impl Severity {
    /// Returns the weight in a word.
    pub(in crate::report) fn word(self) -> MessageId {
        match self {
            Self::Error => MessageId::Error,
            Self::Warning => MessageId::Warning,
            Self::Info => MessageId::Info,
        }
    }
}

/// Returns the findings that are listed under a token, the heaviest first.
pub(in crate::report) fn findings(report: &Report, owner: &Id, findings: &Findings) -> Vec<Finding> {
    let finding = |(severity, message): (Severity, &Message)| Finding {
        severity,
        subject: subject::of_message(report, message, owner),
        key: message.key(),
        compared: message.compared.as_deref().map(str::to_owned),
    };
    view::by_severity(findings).map(finding).collect()
}
