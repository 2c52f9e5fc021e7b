//! Every key of a check that the judgement can report has its sentence: what is asked, and what is wrong.
//!
//! The keys are read from the source of `validation` and `qualification`, where they stand as they are reported.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// How the keys of checks begin.
const FAMILIES: [&str; 15] =
    ["ACCM", "ADEST", "ARCH", "ASCCM", "BBB", "BSV", "LTV", "PCV", "PSV", "QUAL", "QWAC", "QWAC2", "TLS", "TSV", "XCV"];

/// What begins like a key and is none: names of blocks, and what several keys begin with.
const NO_KEYS: [&str; 5] = ["LTV", "PCV", "PSV", "XCV", "BSV_ICTGTN"];

/// Failures whose key is not a question's key with something behind it.
const FAILURES: [&str; 2] = ["QUAL_IS_ADES_IND", "QUAL_IS_ADES_INV"];

fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("the source is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source file is UTF-8");
            found.push(text.split("#[cfg(test)]").next().unwrap_or_default().to_owned());
        }
    }
}

fn is_key(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && FAMILIES.contains(&word.split('_').next().unwrap_or_default())
        && !NO_KEYS.contains(&word)
}

/// The keys of questions, and of failures.
fn keys() -> (BTreeSet<String>, BTreeSet<String>) {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut texts = vec![];
    ["validation", "qualification"].iter().for_each(|room| sources(&src.join(room), &mut texts));
    let (mut questions, mut failures) = (BTreeSet::new(), BTreeSet::new());
    for text in &texts {
        // Between the first and second quotation mark of each line, the third and fourth, and so on.
        for line in text.lines() {
            for (at, word) in line.split('"').enumerate().filter(|(at, word)| at % 2 == 1 && is_key(word)) {
                let before = line.split('"').nth(at - 1).unwrap_or_default();
                if word.contains("_ANS") || FAILURES.contains(&word) {
                    failures.insert(word.to_owned());
                } else {
                    questions.insert(word.to_owned());
                }
                // `ask!` and the table of rules make the failure's key from the question's.
                let in_table = text.contains("macro_rules! rows") && !word.contains("_ANS");
                if before.ends_with("ask!(") || in_table {
                    failures.insert(format!("{word}_ANS"));
                }
            }
        }
    }
    (questions, failures)
}

fn sentences(language: &str) -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/report/messages/{language}.txt"));
    let text = fs::read_to_string(path).expect("each language has its file");
    text.lines().filter_map(|line| line.split_once('\t')).map(|(k, t)| (k.to_owned(), t.to_owned())).collect()
}

#[test]
fn every_key_has_its_english_sentence() {
    let (questions, failures) = keys();
    assert!(questions.len() > 270 && failures.len() > 290, "{} and {} keys found", questions.len(), failures.len());
    let english = sentences("en");
    for (kind, ends, keys) in [("question", '?', &questions), ("failure", '.', &failures)] {
        let missing: Vec<_> = keys.iter().filter(|key| !english.contains_key(*key)).collect();
        assert!(missing.is_empty(), "no English sentence for the {kind} {missing:?}");
        for key in keys {
            assert!(english[key].ends_with(ends), "{kind} {key}: {}", english[key]);
        }
    }
}

#[test]
fn how_many_fall_back_to_english() {
    let (questions, failures) = keys();
    let english = sentences("en");
    for language in ["de", "fr", "es", "it", "pt", "et", "fi"] {
        let own = sentences(language);
        let lacking = |keys: &BTreeSet<String>| keys.iter().filter(|key| !own.contains_key(*key)).count();
        println!(
            "{language}: {} of {} failures, {} of {} questions and {} of {} texts in all are said in English",
            lacking(&failures),
            failures.len(),
            lacking(&questions),
            questions.len(),
            english.keys().filter(|key| !own.contains_key(*key)).count(),
            english.len()
        );
        // A language that has been complete stays so, as far as what is wrong is concerned.
        assert_eq!(lacking(&failures), 0, "{language}: a failure has no sentence");
        let same: Vec<_> = failures.iter().filter(|key| own.get(*key) == english.get(*key)).collect();
        assert!(same.is_empty(), "{language}: English sentences {same:?}");
    }
}
