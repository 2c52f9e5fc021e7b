//! What is irregular in a file that holds nothing to judge.

use crate::facts::Irregularity;
use crate::report::{Report, messages};
use crate::validation::outcome::Indication;
use serde::Serialize;

/// An irregularity that no finding states, because there is no signature, time-stamp or evidence record to list it under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct IrregularityView<'a> {
    /// The stable key of the check that would have failed, such as `BBB_FC_UNREADABLE_SIGNATURE_ANS`.
    pub check: &'static str,
    /// What was found: a sentence in the language of the report.
    pub message: &'static str,
    /// The file, field or object concerned, with the values found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<&'a str>,
}

impl Report {
    /// Returns the irregularities of a document in which nothing was judged: there they are in no list of findings.
    pub fn irregularities(&self) -> impl Iterator<Item = IrregularityView<'_>> {
        let unjudged = match self.indication() {
            Indication::NoSignatureFound => &self.facts.irregularities[..],
            _ => &[],
        };
        unjudged.iter().map(|irregularity| self.irregularity(irregularity))
    }

    fn irregularity<'a>(&self, irregularity: &'a Irregularity) -> IrregularityView<'a> {
        let check = irregularity.kind.check().failure();
        let subject = irregularity.subject.as_deref();
        IrregularityView { check, message: messages::sentence(self.language, check), subject }
    }
}
