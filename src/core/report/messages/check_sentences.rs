//! Every check has its sentences: what is asked, and what is wrong; and no sentence is without a check.

use super::{Language, file, phrases, qualification, questions as questions_file};
use crate::validation::check_id::CheckId;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the sentences of checks: the keys of everything else have a list's name before a point.
fn sentences(language: Language) -> BTreeMap<&'static str, &'static str> {
    let lines = [file, phrases, qualification, questions_file].into_iter().flat_map(|file| file(language).lines());
    lines.filter_map(|line| line.split_once('\t')).filter(|(key, _)| !key.contains('.')).collect()
}

fn questions() -> BTreeSet<&'static str> {
    CheckId::ALL.iter().map(|check| check.question()).collect()
}

fn failures() -> BTreeSet<&'static str> {
    CheckId::ALL.iter().map(|check| check.failure()).collect()
}

#[test]
fn every_key_has_its_english_sentence() {
    let english = sentences(Language::English);
    for (kind, end, keys) in [("question", '?', questions()), ("failure", '.', failures())] {
        let missing: Vec<_> = keys.iter().filter(|key| !english.contains_key(*key)).collect();
        assert!(missing.is_empty(), "no English sentence for the {kind} {missing:?}");
        for key in keys {
            assert!(english[key].ends_with(end), "{kind} {key}: {}", english[key]);
        }
    }
}

#[test]
fn every_sentence_belongs_to_a_check() {
    let keys: BTreeSet<_> = questions().union(&failures()).copied().collect();
    for language in Language::ALL {
        let own: Vec<_> = sentences(*language).into_keys().filter(|key| !keys.contains(key)).collect();
        assert!(own.is_empty(), "{language}: no check reports {own:?}");
    }
}

#[test]
#[cfg(feature = "languages")]
fn what_is_wrong_is_said_in_every_language() {
    let (english, failures) = (sentences(Language::English), failures());
    for language in Language::ALL.iter().filter(|language| **language != Language::English) {
        let own = sentences(*language);
        let lacking: Vec<_> = failures.iter().filter(|key| !own.contains_key(*key)).collect();
        assert!(lacking.is_empty(), "{language}: no sentence for {lacking:?}");
        let same: Vec<_> = failures.iter().filter(|key| own.get(*key) == english.get(*key)).collect();
        assert!(same.is_empty(), "{language}: English sentences {same:?}");
    }
}
