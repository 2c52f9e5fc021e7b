//! The public corpus, which `../shared/corpus/unpack.sh` unpacks, and files below a folder.

use lacre::{Document, Facts, Policy, Validator};
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of the unpacked corpus. Panics where it is missing.
pub fn corpus() -> PathBuf {
    let folder = root().join("target/corpus");
    assert!(folder.join("manifest.tsv").exists(), "target/corpus is missing: ../shared/corpus/unpack.sh unpacks it");
    folder
}

/// The paths that the manifest of the corpus names, from its root.
pub fn manifest() -> Vec<String> {
    let text = std::fs::read_to_string(corpus().join("manifest.tsv")).expect("the manifest is UTF-8");
    text.lines().filter_map(|line| line.split('\t').next()).map(str::to_owned).collect()
}

/// A file of `../shared`. Panics where it is missing.
pub fn shared(path: &str) -> Vec<u8> {
    let file = root().join("../shared").join(path);
    std::fs::read(&file).unwrap_or_else(|error| panic!("../shared/{path} is missing: {error}"))
}

/// Every file below a folder whose name ends so, in order. Panics where there is none.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let found = below(folder, ending);
    assert!(!found.is_empty(), "no file *{ending} below {}", folder.display());
    found
}

fn below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    found.sort();
    let each = |path: PathBuf| match path.is_dir() {
        true => below(&path, ending),
        false if path.to_string_lossy().ends_with(ending) => vec![path],
        false => vec![],
    };
    found.into_iter().flat_map(each).collect()
}

/// A file of `examples/documents`.
pub fn example(name: &str) -> Vec<u8> {
    std::fs::read(root().join("examples/documents").join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The facts of the signed examples, which trust their root, with their names.
pub fn example_facts() -> Vec<(String, Facts)> {
    let validator = Validator::new(Policy::eidas()).trust_anchor(&example("root.der")).expect("a certificate");
    let time = "2027-01-01T00:00:00Z".parse().expect("a time");
    let facts = |name: &str| validator.facts(&Document::new(&example(name)), time).expect("a signed file");
    let names = ["contract.pdf", "contract-tampered.pdf", "revoked.pdf", "letter.txt.p7s"];
    names.map(|name| (name.to_owned(), facts(name))).into()
}
