//! The files of `src/core/validation` use each other in one direction: no circle of indexes, context and blocks.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The files and folders of the room, each using only those before it. `src/core/validation/mod.rs` draws them.
const ORDER: [&str; 45] = [
    "outcome",
    "check_id",
    "engine",
    "blocks",
    "verdict",
    "findings",
    "validity",
    "poe",
    "coherence",
    "token",
    "index",
    "selection_cache",
    "context",
    "irregularities",
    "fc",
    "isc",
    "vci",
    "cv",
    "algorithm_check",
    "algorithms",
    "revocation_walk",
    "revocation_freshness",
    "prevailing",
    "revocation_required",
    "path_rules",
    "revocation_acceptance",
    "revocation_selection",
    "certificate_in_path",
    "xcv",
    "lta_material",
    "sav",
    "bbb",
    "basic",
    "signature_timestamps",
    "past_selection",
    "past_chain",
    "vts",
    "pcv",
    "psv",
    "long_term",
    "archival",
    "timestamp",
    "evidence_record",
    "run",
    "certificate",
];

fn room() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/core/validation")
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Source text without comments and tests.
fn product(text: &str) -> String {
    let product = text.split("#[cfg(test)]").next().unwrap_or_default();
    product.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The code of a file, or of all files of a folder.
fn code(path: &Path, found: &mut String) {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("a folder is readable").flatten();
        entries.for_each(|entry| code(&entry.path(), found));
        return;
    }
    found.push_str(&product(&fs::read_to_string(path).expect("a source file is UTF-8")));
}

/// The names that follow `prefix`: one, or those of a list.
fn named(code: &str, prefix: &str) -> BTreeSet<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut names = BTreeSet::new();
    for rest in code.split(prefix).skip(1) {
        match rest.strip_prefix('{') {
            Some(list) => names.extend(list.split('}').next().unwrap_or_default().split(',').map(|n| word(n.trim()))),
            None => _ = names.insert(word(rest)),
        }
    }
    names
}

#[test]
fn files_use_each_other_in_one_direction() {
    let mut wrong = vec![];
    for (place, unit) in ORDER.iter().enumerate() {
        let (file, folder) = (room().join(format!("{unit}.rs")), room().join(unit));
        let mut text = String::new();
        code(if folder.is_dir() { &folder } else { &file }, &mut text);
        let mut used = named(&text, "crate::validation::");
        // In a folder `super` is the folder itself, but for its `mod.rs`.
        let own = fs::read_to_string(folder.join("mod.rs")).map_or(text, |own| product(&own));
        used.extend(named(&own, "super::"));
        let later = ORDER[place + 1..].iter().filter(|later| used.contains(**later));
        wrong.extend(later.map(|later| format!("{unit} uses {later}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_file_has_its_place() {
    let missing: Vec<String> = (fs::read_dir(room()).expect("the room is there").flatten())
        .map(|entry| stem(&entry.path()))
        .filter(|name| !["mod", "situations", "testing"].contains(&name.as_str()) && !ORDER.contains(&name.as_str()))
        .collect();
    assert!(missing.is_empty(), "say in ORDER what may use {missing:?}");
}

#[test]
fn the_check_sees_every_way_to_name_a_file() {
    let code = "use super::{blocks, engine};\nuse super::context::ValidationContext;\nlet a = super::poe::covers;";
    let expected: BTreeSet<String> = ["blocks", "engine", "context", "poe"].map(String::from).into();
    assert_eq!(named(code, "super::"), expected);
}
