//! The codes that occur in a report, each with what it means.

use super::{LocalizedText, Section};
use crate::facts::SignatureLevel;
use crate::report::Report;
use crate::report::messages::MessageId;
use crate::validation::outcome::{Indication, SubIndication};

/// A code and its meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The code, as the standard writes it.
    pub code: &'static str,
    /// The meaning in plain words.
    pub meaning: LocalizedText,
}

/// Returns the glossary: indications and sub-indications in the order of the standard, then levels and qualifications.
pub(super) fn glossary(report: &Report, sections: &[Section]) -> Vec<Entry> {
    let mut words: Vec<&str> = vec![report.indication().as_str()];
    for section in sections {
        words.extend(section.code.split(' '));
        words.extend(section.checks.iter().flat_map(|check| check.code.split(' ')));
    }
    crate::order::sort(&mut words);
    words.dedup();
    let occurs = |word: &str| words.binary_search(&word).is_ok();
    let mut entries: Vec<Entry> = vec![];
    let mut add = |code: &'static str, meaning: LocalizedText| {
        if !entries.iter().any(|entry| entry.code == code) {
            entries.push(Entry { code, meaning });
        }
    };
    for indication in Indication::ALL.iter().filter(|i| occurs(i.as_str())) {
        add(indication.as_str(), LocalizedText::new(*indication));
    }
    for sub in SubIndication::ALL.iter().filter(|s| occurs(s.as_str())) {
        add(sub.as_str(), LocalizedText::new(*sub));
    }
    for signature in report.signatures() {
        if let Some(level) = signature.level() {
            add(level.as_str(), meaning(level).into());
        }
        if !report.facts.trusted_lists.is_empty() {
            add(signature.qualification().as_str(), LocalizedText::new(signature.qualification()));
        }
    }
    entries
}

/// Returns what a level stands for, by the end of its name.
fn meaning(level: SignatureLevel) -> MessageId {
    match level.as_str().rsplit_once('-') {
        Some((_, "ETSI")) => MessageId::LevelNotEtsi,
        Some((_, "B")) => MessageId::LevelB,
        Some((_, "T")) => MessageId::LevelT,
        Some((_, "LT")) => MessageId::LevelLt,
        Some((_, "LTA")) => MessageId::LevelLta,
        _ => MessageId::LevelOther,
    }
}
