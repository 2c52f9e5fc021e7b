//! The smallest pieces of a report: labelled values, findings, questions with their answers.

use super::{Saying, State};
use crate::report::messages::Phrase;
use crate::validation::Findings;
use crate::validation::engine::{BlockKind, Message};

/// How many values a row names before it only counts them.
const VALUES: usize = 12;

/// A label and what is to be said under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The label.
    pub label: Phrase,
    /// One value a line.
    pub values: Vec<Saying>,
}

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Keeps the token from being valid.
    Error,
    /// The policy only warns of it.
    Warning,
    /// May be good to know.
    Info,
}

/// Something that the checks noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How much it weighs.
    pub severity: Severity,
    /// The stable key of the check.
    pub key: &'static str,
    /// The values that were compared.
    pub compared: Option<String>,
}

/// A question that the judgement asked, and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The building block or process that asks it.
    pub block: BlockKind,
    /// The answer.
    pub state: State,
    /// The answer in ETSI's words.
    pub code: String,
}

impl Row {
    /// A row with one value.
    pub fn one(label: Phrase, value: impl Into<Saying>) -> Self {
        Self { label, values: vec![value.into()] }
    }

    /// A row where there is a value.
    pub(in crate::report) fn maybe(label: Phrase, value: Option<Saying>) -> Option<Self> {
        value.map(|value| Self::one(label, value))
    }

    /// A row where there are values: the first of them, and how many there are besides.
    pub(super) fn many(label: Phrase, values: impl Iterator<Item = Saying>) -> Option<Self> {
        let mut values = values;
        let mut shown: Vec<Saying> = values.by_ref().take(VALUES).collect();
        match values.count() {
            0 => {}
            more => shown.push(Saying::text(Phrase::More).with("n", more)),
        }
        (!shown.is_empty()).then_some(Self { label, values: shown })
    }
}

impl Severity {
    /// The weight in a word.
    pub fn word(self) -> Phrase {
        match self {
            Self::Error => Phrase::Error,
            Self::Warning => Phrase::Warning,
            Self::Info => Phrase::Info,
        }
    }
}

/// The findings of a token, the heaviest first.
pub(in crate::report) fn findings(findings: &Findings) -> Vec<Finding> {
    let of = |severity, messages: &[Message]| -> Vec<Finding> {
        let finding =
            |m: &Message| Finding { severity, key: m.key(), compared: m.compared.as_deref().map(str::to_owned) };
        messages.iter().map(finding).collect()
    };
    let mut all = of(Severity::Error, &findings.errors);
    all.extend(of(Severity::Warning, &findings.warnings));
    all.extend(of(Severity::Info, &findings.infos));
    all
}
