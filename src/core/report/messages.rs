//! The texts of reports: for each language one file of what every report says, one of what only reports for people say, one
//! of what is said on qualification, and one of what each check asks. A line is a key and a text, and lines are sorted by key.
//!
//! Keys and codes are stable and never translated; their texts are. The keys of checks are EU DSS's, so that two
//! validators can be compared check by check; the sentences are ours. A text that a language lacks is written in English.

#[cfg(test)]
mod check_sentences;
mod message_id;

pub use message_id::{Advice, CommonId, Key, MessageId};

use crate::vocabulary::string_enum;

string_enum! {
    /// A language of reports, by its code in ISO 639-1.
    ///
    /// Without the feature `languages` every report is in English.
    #[derive(Default)]
    pub enum Language {
        #[default]
        English = "en",
        German = "de",
        French = "fr",
        Spanish = "es",
        Italian = "it",
        Portuguese = "pt",
        Estonian = "et",
        Finnish = "fi",
    }
}

/// Returns what is wrong where a check failed, by the key of the failure; the key itself where there is no sentence.
pub fn sentence(language: Language, key: &'static str) -> &'static str {
    told(language, "", key).unwrap_or(key)
}

/// Returns what a check asks, by the key of the question; the key itself where there is no sentence.
pub fn question(language: Language, key: &'static str) -> &'static str {
    said(questions, language, "", key).unwrap_or(key)
}

/// Returns a text that every report says: what a qualification means, or what a finding is about. The word itself where it is
/// one that only reports for people say.
pub fn common(language: Language, text: impl Into<Key>) -> &'static str {
    let Key { list, word } = text.into();
    told(language, list, word).unwrap_or(word)
}

/// Returns a text of the reports for people: a phrase, the sentence of a check, or the meaning of a word of the standards, as of
/// an indication. Where it has `{names}`, [`fill`] puts values in their place.
pub fn text(language: Language, text: impl Into<Key>) -> &'static str {
    let Key { list, word } = text.into();
    said(phrases, language, list, word).or_else(|| told(language, list, word)).unwrap_or(word)
}

/// Replaces each `{name}` of a text by the value of that name. A name without a value stays as it is.
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let known =
            after.split_once('}').and_then(|(name, tail)| Some((values.iter().find(|(n, _)| *n == name)?.1, tail)));
        match known {
            Some((value, tail)) => {
                filled.push_str(value);
                rest = tail;
            }
            None => {
                filled.push('{');
                rest = after;
            }
        }
    }
    filled + rest
}

/// Returns what every report says for `list` followed by `word`. On qualification only those can say something who read trusted
/// lists, or render what was judged by them.
fn told(language: Language, list: &str, word: &str) -> Option<&'static str> {
    let has_qualification = cfg!(any(feature = "report", feature = "trusted-lists"));
    let qualified = || has_qualification.then(|| said(qualification, language, list, word)).flatten();
    said(file, language, list, word).or_else(qualified)
}

/// Returns whether the sentence of a failed check is there where nothing on qualification is.
#[cfg(test)]
pub(super) fn is_said_without_lists(key: &str) -> bool {
    said(file, Language::English, "", key).is_some()
}

/// Returns the text for `list` followed by `word` in the file of a language, else the English one.
fn said(file: fn(Language) -> &'static str, language: Language, list: &str, word: &str) -> Option<&'static str> {
    find(file(language), list, word).or_else(|| find(file(Language::English), list, word))
}

/// Finds a key in the sorted lines by binary search: nothing is parsed beforehand, and nothing is kept.
fn find(lines: &'static str, list: &str, word: &str) -> Option<&'static str> {
    let mut lines = lines;
    while !lines.is_empty() {
        let (bytes, middle) = (lines.as_bytes(), lines.len() / 2);
        let start = memchr::memrchr(b'\n', &bytes[..middle]).map_or(0, |at| at + 1);
        let end = memchr::memchr(b'\n', &bytes[start..]).map_or(lines.len(), |at| start + at);
        let (key, text) = lines[start..end].split_once('\t')?;
        let (of_list, of_word) = key.as_bytes().split_at(list.len().min(key.len()));
        match of_list.cmp(list.as_bytes()).then_with(|| of_word.cmp(word.as_bytes())) {
            std::cmp::Ordering::Equal => return Some(text),
            std::cmp::Ordering::Less => lines = lines.get(end + 1..).unwrap_or_default(),
            std::cmp::Ordering::Greater => lines = &lines[..start],
        }
    }
    None
}

/// Defines a function that returns the file of a language in a folder.
macro_rules! files {
    ($(#[$doc:meta])* $name:ident, $folder:literal) => {
        $(#[$doc])*
        const fn $name(language: Language) -> &'static str {
            const ENGLISH: &str = include_str!(concat!($folder, "en.txt"));
            if !cfg!(feature = "languages") {
                return ENGLISH;
            }
            match language {
                Language::English => ENGLISH,
                Language::German => include_str!(concat!($folder, "de.txt")),
                Language::French => include_str!(concat!($folder, "fr.txt")),
                Language::Spanish => include_str!(concat!($folder, "es.txt")),
                Language::Italian => include_str!(concat!($folder, "it.txt")),
                Language::Portuguese => include_str!(concat!($folder, "pt.txt")),
                Language::Estonian => include_str!(concat!($folder, "et.txt")),
                Language::Finnish => include_str!(concat!($folder, "fi.txt")),
            }
        }
    };
}

files! {
    /// Returns what every report says, in a language.
    file, "messages/"
}

files! {
    /// Returns what only reports for people say, in a language: in a file of its own, because a program that writes JSON
    /// never says it.
    phrases, "messages/phrases/"
}

files! {
    /// Returns what reports say on qualification, in a language: in a file of its own, because a program without trusted
    /// lists never says it.
    qualification, "messages/qualification/"
}

files! {
    /// Returns what each check asks, in a language: in a file of its own, because few programs show it.
    questions, "messages/questions/"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// Returns the files of a language.
    fn files(language: Language) -> [&'static str; 4] {
        [file(language), phrases(language), qualification(language), questions(language)]
    }

    fn lines(language: Language) -> BTreeMap<&'static str, &'static str> {
        files(language).into_iter().flat_map(str::lines).filter_map(|line| line.split_once('\t')).collect()
    }

    fn names(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).filter_map(|after| Some(after.split_once('}')?.0)).collect()
    }

    #[test]
    fn every_line_is_a_key_and_a_text_in_order() {
        for (language, file) in Language::ALL.iter().flat_map(|language| files(*language).map(|file| (language, file)))
        {
            let mut before = "";
            for line in file.lines() {
                let (key, text) = line.split_once('\t').unwrap_or_else(|| panic!("{language}: no tab: {line}"));
                assert!(before < key, "{language}: {key} stands after {before}");
                assert!(!text.is_empty() && text.trim() == text && !text.contains('\t'), "{language}: {line}");
                assert!(
                    ["common.", "phrase.", "time-stamp-type."].iter().any(|list| key.starts_with(list))
                        || text.ends_with(['.', '?']),
                    "{language}: {line}"
                );
                before = key;
            }
        }
    }

    #[test]
    fn every_text_is_found_by_its_key() {
        for language in Language::ALL {
            for (key, text) in lines(*language) {
                let found = |list: &str, word| files(*language).map(|file| find(file, list, word));
                let once = |found: [Option<&str>; 4]| found.into_iter().flatten().collect::<Vec<_>>() == [text];
                assert!(once(found("", key)), "{language}: {key}");
                if let Some((list, word)) = key.split_once('.') {
                    assert!(once(found(&format!("{list}."), word)), "{language}: {key}");
                }
            }
            for absent in ["", "AAA", "BBB_XCV", "zzz", "phrase."] {
                assert_eq!(files(*language).map(|file| find(file, "", absent)), [None; 4], "{language}: {absent}");
            }
        }
    }

    #[test]
    fn a_translation_has_the_keys_and_the_names_of_the_english() {
        let english = lines(Language::English);
        for language in Language::ALL {
            let own = lines(*language);
            for (key, text) in &own {
                let original = english.get(key).unwrap_or_else(|| panic!("{language}: {key} is not in English"));
                assert_eq!(names(text), names(original), "{language}: {key}");
            }
            println!("{language}: {} of {} texts, the others in English", own.len(), english.len());
        }
    }

    #[test]
    fn every_phrase_and_code_has_its_english() {
        let english = lines(Language::English);
        let wanted = Key::all().map(|key| format!("{}{}", key.list, key.word));
        let wanted: BTreeSet<String> = wanted.collect();
        for key in &wanted {
            assert!(english.contains_key(key.as_str()), "{key} has no English text");
        }
        for key in english.keys().filter(|key| key.contains('.')) {
            assert!(wanted.contains(*key), "{key} is not used");
        }
    }

    #[test]
    fn json_says_nothing_that_stands_among_the_phrases() {
        use crate::qualification::{CertificateQualification, SignatureQualification, TimestampQualification};
        use crate::validation::check_id::CheckId;
        fn meant<T: Copy + Into<Key>>(words: &[T]) -> impl Iterator<Item = Key> {
            words.iter().map(|word| (*word).into())
        }
        let said = (CheckId::ALL.iter().map(|check| Key { list: "", word: check.failure() }))
            .chain(meant(CertificateQualification::ALL))
            .chain(meant(SignatureQualification::ALL))
            .chain(meant(TimestampQualification::ALL))
            .chain(meant(CommonId::ALL));
        for Key { list, word } in said {
            assert!(told(Language::English, list, word).is_some(), "{list}{word} stands among the phrases");
        }
    }

    #[test]
    fn names_are_filled_once() {
        let rows = [
            ("{a} of {b}", "1 of {a}"),
            ("{c} stays, {a} not", "{c} stays, 1 not"),
            ("{a", "{a"),
            ("{{a}}", "{1}"),
            ("no name", "no name"),
        ];
        for (text, expected) in rows {
            assert_eq!(fill(text, &[("a", "1"), ("b", "{a}")]), expected);
        }
    }
}
