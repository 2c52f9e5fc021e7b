//! The codes that occur in a report, each with what it means.

use super::{Saying, Section};
use crate::facts::{Signature, SignatureLevel};
use crate::report::Report;
use crate::report::messages::Phrase;
use crate::validation::outcome::{Indication, SubIndication};

/// A code and its meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// As the standard writes it.
    pub code: &'static str,
    /// In plain words.
    pub meaning: Saying,
}

/// The glossary: indications and sub-indications in the order of the standard, then levels, then qualifications.
pub(super) fn glossary(report: &Report, sections: &[Section]) -> Vec<Entry> {
    let mut words: Vec<&str> = vec![report.indication().as_str()];
    for section in sections {
        words.extend(section.code.split(' '));
        words.extend(section.checks.iter().flat_map(|check| check.code.split(' ')));
    }
    words.sort_unstable();
    words.dedup();
    let occurs = |word: &str| words.binary_search(&word).is_ok();
    let mut entries: Vec<Entry> = vec![];
    let mut add = |code: &'static str, meaning: Saying| {
        if !entries.iter().any(|entry| entry.code == code) {
            entries.push(Entry { code, meaning });
        }
    };
    for indication in Indication::ALL.iter().filter(|i| occurs(i.as_str())) {
        add(indication.as_str(), Saying::text(*indication));
    }
    for sub in SubIndication::ALL.iter().filter(|s| occurs(s.as_str())) {
        add(sub.as_str(), Saying::text(*sub));
    }
    for Signature { id, level, .. } in &report.facts.signatures {
        if let Some(level) = level {
            add(level.as_str(), meaning(*level).into());
        }
        let quality = report.signature_quality(id);
        if !report.facts.trusted_lists.is_empty() {
            add(quality.as_str(), Saying::text(quality));
        }
    }
    entries
}

/// What a level stands for, told from the end of its name.
fn meaning(level: SignatureLevel) -> Phrase {
    match level.as_str().rsplit_once('-') {
        Some((_, "ETSI")) => Phrase::LevelNotEtsi,
        Some((_, "B")) => Phrase::LevelB,
        Some((_, "T")) => Phrase::LevelT,
        Some((_, "LT")) => Phrase::LevelLt,
        Some((_, "LTA")) => Phrase::LevelLta,
        _ => Phrase::LevelOther,
    }
}
