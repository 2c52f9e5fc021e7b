//! The outcome of an update.

use std::fmt;

/// The outcome of an update.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Updated {
    /// The LOTL, then every list to which there is a pointer.
    pub lists: Vec<ListOutcome>,
    /// Changes that a person should check: of the LOTL-signing certificates or their publication.
    pub alerts: Vec<String>,
}

impl Updated {
    /// Returns whether every list is present, at least as an older copy.
    pub fn is_complete(&self) -> bool {
        !self.lists.is_empty() && !self.lists.iter().any(|list| matches!(list.outcome, Outcome::Missing { .. }))
    }
}

/// The outcome for one list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListOutcome {
    /// The URL of the list.
    pub url: String,
    /// The country.
    pub territory: Option<String>,
    /// The outcome.
    pub outcome: Outcome,
}

/// What came of one list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The copy is the newest.
    Unchanged,
    /// Another issue was fetched.
    Updated {
        /// The number of the copy before, where there was a good one.
        from: Option<i64>,
        /// The number of this one.
        to: Option<i64>,
    },
    /// What came was not good, or nothing came: the copy stays.
    Kept {
        /// Why.
        why: String,
    },
    /// What came was not good, or nothing came, and there is no good copy.
    Missing {
        /// Why.
        why: String,
    },
}

impl Outcome {
    pub(super) fn failed(why: String, copy: bool) -> Self {
        if copy { Self::Kept { why } } else { Self::Missing { why } }
    }
}

/// Returns the outcome where what came is older than a good copy.
pub(super) fn older(copy: Option<i64>, came: Option<i64>) -> Option<Outcome> {
    let (copy, came) = (copy?, came.unwrap_or(i64::MIN));
    let why = format!("number {came} came, which is older than number {copy}");
    (came < copy).then_some(Outcome::Kept { why })
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |number: &Option<i64>| number.map_or_else(|| "without a number".into(), |n| format!("number {n}"));
        match self {
            Self::Unchanged => f.write_str("unchanged"),
            Self::Updated { from: None, to } => write!(f, "new, {}", number(to)),
            Self::Updated { from, to } if from == to => write!(f, "renewed, {}", number(to)),
            Self::Updated { from, to } => write!(f, "updated from {} to {}", number(from), number(to)),
            Self::Kept { why } => write!(f, "the copy is kept: {why}"),
            Self::Missing { why } => write!(f, "missing: {why}"),
        }
    }
}

/// How far an update is.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// Lists done.
    pub done: usize,
    /// Lists of this round.
    pub all: usize,
    /// The one that was done last.
    pub url: &'a str,
}
