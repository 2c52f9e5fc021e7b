//! Doc comments of functions say first what the function does: their first word is a verb in the third person
//! (CONTRIBUTING.md).

use std::fs;
use std::path::{Path, PathBuf};

/// Words that end as such a verb does, and are none.
const NO_VERBS: [&str; 10] =
    ["As", "Attributes", "Bytes", "Certificates", "Its", "Members", "Names", "References", "Those", "Whether"];

/// What may stand between a comment and the name of a function.
const QUALIFIERS: [&str; 6] = ["pub", "const", "async", "unsafe", "extern", "\"C\""];

/// Adds the Rust files of a folder and of those in it, but for tests and benches.
fn add_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = entry.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if entry.is_dir() && !["tests", "benches", "target", "node_modules"].contains(&name) {
            add_files(&entry, found);
        } else if name.ends_with(".rs") {
            found.push(entry);
        }
    }
}

/// Returns whether a line begins a function.
fn is_function(line: &str) -> bool {
    let mut words = line.split_whitespace().map(|word| word.split('(').next().unwrap_or_default());
    words.find(|word| !QUALIFIERS.contains(word)) == Some("fn")
}

/// Returns whether a word is a verb in the third person, as far as its spelling tells.
fn is_verb(word: &str) -> bool {
    let word = word.trim_end_matches([',', ':']);
    let is_spelt_so = word.chars().skip(1).all(|letter| letter.is_ascii_lowercase() || letter == '-');
    word.starts_with(|first: char| first.is_ascii_uppercase())
        && is_spelt_so
        && word.ends_with('s')
        && !NO_VERBS.contains(&word)
}

/// Returns the comments of the functions in a text that begin otherwise, with their lines.
fn others(text: &str) -> Vec<(usize, &str)> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut found = vec![];
    for (at, line) in lines.iter().enumerate() {
        let Some(first) = line.strip_prefix("///").filter(|_| at == 0 || !lines[at - 1].starts_with("///")) else {
            continue;
        };
        let above = lines[at..].iter().take_while(|line| line.starts_with("///") || line.starts_with("#["));
        let (count, is_test) = above.fold((0, false), |(count, test), line| (count + 1, test || *line == "#[test]"));
        let item = lines.get(at + count).copied().unwrap_or_default();
        let word = first.split_whitespace().next().unwrap_or_default();
        if is_function(item) && !is_test && !is_verb(word) {
            found.push((at + 1, first.trim()));
        }
    }
    found
}

#[test]
fn functions_say_what_they_do() {
    let text = "/// A name.\nfn name() {}\n/// Reads a name.\n#[must_use]\npub(crate) fn read() {}\n/// A name.\nstruct Name;\n";
    assert_eq!(others(text), [(1, "A name.")]);

    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![];
    for folder in ["src", "bindings", "examples"] {
        add_files(&root.join(folder), &mut files);
    }
    assert!(files.len() > 500, "the sources are where they were: {} files", files.len());
    let mut wrong = vec![];
    for file in &files {
        let text = fs::read_to_string(file).expect("a source");
        let name = file.strip_prefix(root).unwrap_or(file).display();
        wrong.extend(others(&text).iter().map(|(line, first)| format!("{name}:{line}: {first}")));
    }
    assert!(wrong.is_empty(), "{} comments:\n{}", wrong.len(), wrong.join("\n"));
}
