//! Arrows point one way: a room never uses a room further right in the flow (docs/architecture.md).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Words and numbers that every room may use.
const LEAVES: [&str; 8] = ["algorithm", "budget", "executor", "hex", "output", "time", "uri", "vocabulary"];

/// Each room and the rooms that it may use, besides [`LEAVES`] and itself.
const ROOMS: [(&str, &[&str]); 17] = [
    ("asn1", &[]),
    ("crypto", &["asn1"]),
    ("x509", &["asn1", "crypto", "facts"]),
    ("facts", &[]),
    ("document", &[]),
    ("formats", &["asn1", "crypto", "x509", "facts", "document"]),
    ("collect", &["asn1", "crypto", "x509", "facts", "document", "formats"]),
    ("trust", &["asn1", "crypto", "x509", "facts", "document", "formats", "collect", "policy", "validation"]),
    ("policy", &["facts"]),
    ("validation", &["facts", "policy"]),
    ("qualification", &["facts", "policy", "validation"]),
    ("report", &["facts", "policy", "validation", "qualification"]),
    ("signing", &["asn1", "crypto", "x509", "facts", "document", "formats", "policy"]),
    ("issuance", &["asn1", "crypto", "x509", "formats", "signing"]),
    // What is extended is judged through the front door.
    (
        "augmentation",
        &[
            "asn1",
            "crypto",
            "x509",
            "facts",
            "document",
            "formats",
            "policy",
            "validation",
            "report",
            "signing",
            "validator",
        ],
    ),
    // The bundle is recorded and replayed through the front door.
    (
        "bundle",
        &["document", "formats", "facts", "policy", "validation", "qualification", "report", "trust", "validator"],
    ),
    (
        "validator",
        &[
            "crypto",
            "x509",
            "facts",
            "document",
            "formats",
            "collect",
            "trust",
            "policy",
            "validation",
            "qualification",
            "report",
        ],
    ),
];

/// Parts of the formats that know no format: what each of them may use, besides itself.
const SHARED_BY_FORMATS: [(&str, &[&str]); 11] = [
    ("decimal", &[]),
    ("ids", &[]),
    ("media_type", &[]),
    ("level", &[]),
    ("deflated", &[]),
    ("digest_work", &[]),
    ("relay", &[]),
    ("content", &["deflated", "digest_work", "media_type", "relay"]),
    ("scope", &["content", "ids"]),
    ("draft", &["level"]),
    // References to contents are URIs, as those of XML signatures.
    ("contents", &["content", "digest_work", "draft", "xml"]),
];

/// Each format and the formats that it may use, besides [`SHARED_BY_FORMATS`] and itself.
const FORMATS: [(&str, &[&str]); 12] = [
    ("cms", &[]),
    ("xml", &[]),
    ("tsp", &["cms"]),
    ("ers", &["tsp", "cms", "xml"]),
    ("ades", &["cms"]),
    ("cades", &["ades", "cms", "tsp", "ers"]),
    ("xades", &["ades", "xml", "tsp", "ers"]),
    ("jose", &["ades", "tsp"]),
    ("pdf", &["cades", "cms", "tsp"]),
    ("asic", &["cades", "xades", "cms", "xml", "tsp", "ers", "pdf"]),
    ("polyglot", &["cms"]),
    ("source", &["pdf", "asic", "cades", "xades", "jose", "ers", "tsp", "cms", "xml", "polyglot"]),
];

/// The rooms that a source text names as `crate::room` or in `use crate::{room, …}`.
fn named(source: &str) -> BTreeSet<String> {
    named_under(source, "crate::")
}

/// The names that follow `path` in a source text, alone or in a brace list.
fn named_under(source: &str, path: &str) -> BTreeSet<String> {
    let code: String =
        source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut rooms = BTreeSet::new();
    for rest in code.split(path).skip(1) {
        let names = match rest.strip_prefix('{') {
            Some(list) => top_level(list),
            None => vec![rest],
        };
        for name in names {
            let word: String = name.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            rooms.insert(word);
        }
    }
    rooms
}

/// The entries of a brace list, without those of lists inside.
fn top_level(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut entries) = (0, 0, vec![]);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                entries.push(&list[start..at]);
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    entries
}

/// The sources of a folder. Tests may make what they look at with anything.
fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") && path.file_name().is_some_and(|name| name != "tests.rs")
        {
            found.push((path.display().to_string(), fs::read_to_string(&path).expect("a source file is UTF-8")));
        }
    }
}

#[test]
fn no_room_uses_a_room_further_right() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/core");
    let rooms: BTreeSet<&str> = ROOMS.iter().map(|r| r.0).collect();
    let mut wrong = vec![];
    for (room, allowed) in ROOMS {
        let mut files = vec![];
        sources(&src.join(room), &mut files);
        if let Ok(single) = fs::read_to_string(src.join(format!("{room}.rs"))) {
            files.push((format!("src/core/{room}.rs"), single));
        }
        assert!(!files.is_empty(), "src/core/{room} is in a row, and is not there");
        for (file, source) in files {
            for used in named(&source) {
                let known = rooms.contains(used.as_str());
                if known && used != room && !allowed.contains(&used.as_str()) {
                    wrong.push(format!("{file}: {room} uses {used}; it may use {allowed:?} and {LEAVES:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn no_format_uses_one_above_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/core/formats");
    let shared: Vec<&str> = SHARED_BY_FORMATS.iter().map(|row| row.0).collect();
    let parts: BTreeSet<&str> = shared.iter().copied().chain(FORMATS.iter().map(|row| row.0)).collect();
    let rows = SHARED_BY_FORMATS.iter().map(|(part, allowed)| (part, allowed, &[][..]));
    let mut wrong = vec![];
    for (part, allowed, shared) in rows.chain(FORMATS.iter().map(|(part, allowed)| (part, allowed, &shared[..]))) {
        let mut files = vec![];
        sources(&folder.join(part), &mut files);
        if let Ok(single) = fs::read_to_string(folder.join(format!("{part}.rs"))) {
            files.push((format!("src/core/formats/{part}.rs"), single));
        }
        assert!(!files.is_empty(), "src/core/formats/{part} is in a row, and is not there");
        for (file, source) in files {
            let mut used = named_under(&source, "crate::formats::");
            // Files of the formats' own folder, and the first file of each format, name the others as `super::…`.
            if file.ends_with(&format!("{part}.rs")) || file.ends_with(&format!("{part}/mod.rs")) {
                used.extend(named_under(&source, "super::"));
            }
            // `formats` re-exports types under the names of their parts.
            for used in used.into_iter().map(|name| name.to_lowercase()) {
                let known = parts.contains(used.as_str());
                if known && used != *part && !allowed.contains(&used.as_str()) && !shared.contains(&used.as_str()) {
                    wrong.push(format!("{file}: {part} uses {used}; it may use {allowed:?} and {shared:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    for entry in fs::read_dir(folder).expect("src/core/formats is there").flatten() {
        let name = entry.file_name().to_string_lossy().trim_end_matches(".rs").to_owned();
        assert!(
            name == "mod" || parts.contains(name.as_str()),
            "src/core/formats/{name} is in no row: say what it may use"
        );
    }
}

/// What private keys may use of `crypto`: the public half of a key, for what is public, and digests.
const MEETS_SECRETS: [&str; 2] = ["PublicKey", "digest"];

/// The arithmetic that verifies, whose time depends on its input (docs/cryptography.md).
const ARITHMETIC: [&str; 15] = [
    "cost",
    "curve",
    "dsa",
    "ecdsa",
    "edwards",
    "fiat",
    "field",
    "material",
    "ml_dsa",
    "montgomery",
    "native",
    "number",
    "rsa",
    "verify",
    "weierstrass",
];

/// The names of `crypto` that a source of `crypto/private` uses. Only its first file says `super` for `crypto`.
fn used_of_crypto(file: &str, source: &str) -> BTreeSet<String> {
    let mut used = named_under(source, "crate::crypto::");
    used.extend(named_under(source, "super::super::"));
    if file.ends_with("mod.rs") {
        used.extend(named_under(source, "super::"));
    }
    used
}

#[test]
fn no_private_key_meets_the_arithmetic_that_verifies() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/core/crypto");
    let mut files = vec![];
    sources(&folder.join("private"), &mut files);
    assert!(files.len() > 5, "src/core/crypto/private has one file a kind of key: {}", files.len());
    for (file, source) in &files {
        let wrong: Vec<_> =
            used_of_crypto(file, source).into_iter().filter(|name| !MEETS_SECRETS.contains(&name.as_str())).collect();
        assert!(wrong.is_empty(), "{file}: private keys use {wrong:?} of crypto; they may use {MEETS_SECRETS:?}");
    }
    // Digests are not made with it either.
    let digests = fs::read_to_string(folder.join("digest.rs")).expect("src/core/crypto/digest.rs is there");
    let used = named_under(&digests, "super::").into_iter().chain(named_under(&digests, "crate::crypto::"));
    let wrong: Vec<_> = used.filter(|name| ARITHMETIC.contains(&name.as_str())).collect();
    assert!(wrong.is_empty(), "src/core/crypto/digest.rs uses {wrong:?}");
    // The rows are what is there, and the check sees every way to it.
    for name in ARITHMETIC {
        assert!(folder.join(format!("{name}.rs")).is_file(), "src/core/crypto/{name}.rs is in a row, and is not there");
    }
    for (file, source, expected) in [
        ("mod.rs", "use super::{field, PublicKey};", &["PublicKey", "field"][..]),
        ("ecdsa.rs", "use super::software::Secret;", &[]),
        ("ecdsa.rs", "let one = super::super::weierstrass::one();", &["weierstrass"]),
        ("ecdsa.rs", "use crate::crypto::montgomery;", &["montgomery"]),
    ] {
        let expected: BTreeSet<String> = expected.iter().map(|&name| name.to_owned()).collect();
        assert_eq!(used_of_crypto(file, source), expected, "{source}");
    }
}

#[test]
fn every_folder_is_a_room() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/core");
    for entry in fs::read_dir(src).expect("src/core is there").flatten().filter(|e| e.path().is_dir()) {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(ROOMS.iter().any(|r| r.0 == name), "src/core/{name} is in no row of ROOMS: say what it may use");
    }
}

#[test]
fn the_check_sees_every_way_to_name_a_room() {
    let source = "use crate::{x509::{Name, asn1}, facts};\nlet a = crate::policy::Rule; // crate::report\n";
    let expected: BTreeSet<String> = ["x509", "facts", "policy"].map(String::from).into();
    assert_eq!(named(source), expected);
}

/// The table of rooms in docs/architecture.md: each room, and the rooms that it uses.
fn documented() -> BTreeMap<String, BTreeSet<String>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md");
    let page = fs::read_to_string(page).expect("the page is there");
    let rooms = page.split("\n## ").find(|section| section.starts_with("Rooms\n")).expect("it has a table of rooms");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, room, _, uses, _] = cells[..] else { return None };
        let room = room.strip_prefix('`')?.strip_suffix('`')?;
        Some((room.to_owned(), uses.split('`').skip(1).step_by(2).map(str::to_owned).collect()))
    };
    rooms.lines().filter_map(row).collect()
}

#[test]
fn the_architecture_page_has_the_same_table() {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let expected: BTreeMap<String, BTreeSet<String>> =
        ROOMS.iter().map(|(room, uses)| ((*room).to_owned(), owned(uses))).collect();
    assert_eq!(documented(), expected);
}
