//! The string unions of `pkg/index.d.ts` are the words of Rust's enums.

use lacre::report::{
    Indication, Language, SignatureQualification, SubIndication, TimestampQualification, TimestampType, WantedKind,
};
use lacre::signing::SigningErrorCode;
use lacre_core::facts::{ScopeType, TrustState};
use std::collections::BTreeSet;
use std::path::Path;

/// The words of `export type NAME = "…" | "…";`, with the unions that it names in their place.
fn union(types: &str, name: &str) -> BTreeSet<String> {
    let head = format!("export type {name} =");
    let (_, rest) = types.split_once(&head).unwrap_or_else(|| panic!("index.d.ts has no type {name}"));
    let (body, _) = rest.split_once(';').expect("a type ends in a semicolon");
    let mut words = BTreeSet::new();
    for part in body.split('|').map(str::trim).filter(|part| !part.is_empty()) {
        match part.strip_prefix('"').and_then(|part| part.strip_suffix('"')) {
            Some(word) => {
                assert!(words.insert(word.to_owned()), "{name}: {word} stands twice");
            }
            None => words.extend(union(types, part)),
        }
    }
    words
}

fn spelt<T: ToString>(all: &[T]) -> BTreeSet<String> {
    all.iter().map(T::to_string).collect()
}

#[test]
fn the_unions_are_the_enums() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pkg/index.d.ts");
    let types = std::fs::read_to_string(path).expect("the types are in the tree");
    // The report writes the types of time-stamps in kebab case.
    let timestamps = TimestampType::ALL.iter().map(|kind| kind.as_str().to_ascii_lowercase().replace('_', "-"));
    for (name, words) in [
        ("Language", spelt(Language::ALL)),
        ("Indication", spelt(Indication::ALL)),
        ("SubIndication", spelt(SubIndication::ALL)),
        ("SignatureQualification", spelt(SignatureQualification::ALL)),
        ("TimestampQualification", spelt(TimestampQualification::ALL)),
        ("TimestampType", timestamps.collect()),
        ("ScopeKind", spelt(ScopeType::ALL)),
        ("WantedKind", spelt(WantedKind::ALL)),
        ("TrustState", spelt(TrustState::ALL)),
    ] {
        assert_eq!(union(&types, name), words, "{name}");
    }
}

#[test]
fn the_codes_of_signing_are_those_of_the_library() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pkg/sign.d.ts");
    let types = std::fs::read_to_string(path).expect("the types are in the tree");
    let types: Vec<&str> = types.lines().filter(|line| !line.trim_start().starts_with("/**")).collect();
    let mut words = spelt(SigningErrorCode::ALL);
    words.insert("evidence-missing".to_owned());
    assert_eq!(union(&types.join("\n"), "SigningErrorCode"), words);
}
