//! The pages of `docs/conformance`: whatever a row calls done names code that exists, and a test that shows it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What each source file of the library defines, and each test, also of the command.
fn sources() -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<PathBuf> = ["src", "tests", "bindings/cli/tests"].map(|folder| root.join(folder)).into();
    let mut all = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                all.insert(name, definitions(&fs::read_to_string(&path).unwrap_or_default()));
            }
        }
    }
    all
}

/// The names that follow a keyword of definition, types that have an `impl`, and variants.
fn definitions(text: &str) -> BTreeSet<String> {
    const KEYWORDS: [&str; 10] =
        ["fn", "struct", "enum", "trait", "mod", "macro_rules!", "const", "static", "type", "impl"];
    let identifier = |word: &str| -> String { word.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    let mut all = BTreeSet::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let variant = words.first().filter(|word| word.starts_with(char::is_uppercase));
        let named = words.windows(2).filter(|pair| KEYWORDS.iter().any(|keyword| pair[0].starts_with(keyword)));
        all.extend(named.map(|pair| identifier(pair[1])).chain(variant.map(|word| identifier(word))));
    }
    all
}

/// Whether the file is the module `name`, or lies in its folder.
fn is_module(file: &str, name: &str) -> bool {
    file.ends_with(&format!("/{name}.rs")) || file.contains(&format!("/{name}/"))
}

/// Whether a row's name leads to code: a file, a module, or something that is defined in what goes before `::`, be
/// that a module or a type.
fn exists(sources: &BTreeMap<String, BTreeSet<String>>, name: &str) -> bool {
    if name.contains('/') {
        return sources.contains_key(name) || sources.keys().any(|file| file.starts_with(&format!("{name}/")));
    }
    let (scope, item) = match name.rsplit_once("::") {
        None => (None, name),
        Some((before, item)) => (before.rsplit("::").next(), item),
    };
    sources.iter().any(|(file, defined)| {
        let here = scope.is_none_or(|scope| is_module(file, scope) || defined.contains(scope));
        here && (defined.contains(item) || is_module(file, item))
    })
}

/// The names in backticks.
fn names(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn what_is_done_names_code_and_a_test() {
    let sources = sources();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/conformance");
    let mut rows = 0;
    let mut wrong = vec![];
    for path in fs::read_dir(&folder).expect("docs/conformance is there").flatten().map(|entry| entry.path()) {
        let page = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for line in fs::read_to_string(&path).expect("a page is text").lines() {
            let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
            let [clause, _, state, code, tests, ..] = cells[..] else { continue };
            if !state.starts_with("done") {
                continue;
            }
            rows += 1;
            for (cell, what) in [(code, "code"), (tests, "test")] {
                if names(cell).next().is_none() {
                    wrong.push(format!("{page} {clause}: names no {what}"));
                }
                for name in names(cell).filter(|name| !exists(&sources, name)) {
                    wrong.push(format!("{page} {clause}: there is no {what} `{name}`"));
                }
            }
        }
    }
    assert!(rows > 50, "only {rows} rows were read");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_that_lead_nowhere_are_noticed() {
    let sources = sources();
    for (name, found) in [
        ("run::validate", true),
        ("tests/policy.rs", true),
        ("certificate_in_path", true),
        ("agreement", true),
        ("run::no_such_function", false),
        ("no_such_module", false),
        ("tests/none.rs", false),
        ("Process::no_such_function", false),
    ] {
        assert_eq!(exists(&sources, name), found, "{name}");
    }
}
