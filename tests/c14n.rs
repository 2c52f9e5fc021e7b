//! Canonical XML against libxml2, byte for byte, over every XML file of the corpus.

use lacre_core::formats::xml::{
    Algorithm, Canonicalization, DocumentTypes, NodeSet, Options, canonicalize, decode, parse,
};
use lacre_testkit::files::files;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether a file looks like XML.
fn is_xml(path: &PathBuf) -> bool {
    std::fs::read(path).is_ok_and(|bytes| {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes).trim_ascii_start();
        text.starts_with(b"<") && !text.starts_with(b"<!DOCTYPE html")
    })
}

fn ours(bytes: &[u8], algorithm: Algorithm) -> Result<Vec<u8>, String> {
    let text = decode(bytes).map_err(|e| e.to_string())?;
    let mut options = Options::default();
    options.document_types = DocumentTypes::All;
    let tree = parse(&text, &options).map_err(|e| e.to_string())?;
    if tree.has_relative_namespaces() {
        return Err("a namespace name is relative".into());
    }
    let mut out = vec![];
    let method = Canonicalization { comments: true, ..Canonicalization::new(algorithm) };
    let whole = canonicalize(&tree, &NodeSet::subtree(&tree, tree.root(), true), &method, &mut out);
    if whole { Ok(out) } else { Err("more than may be written".into()) }
}

/// What may differ, and why: `path<TAB>reason`.
fn ledger() -> BTreeMap<String, String> {
    let text = include_str!("conformance/c14n.tsv");
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    rows.filter_map(|line| line.split_once('\t')).map(|(path, why)| (path.to_string(), why.to_string())).collect()
}

#[test]
#[ignore = "needs target/corpus, and xmllint of libxml2"]
fn the_same_bytes_as_libxml2() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus");
    let mut files = files(&corpus, "");
    files.retain(is_xml);
    // DSS's facts are one program's output a thousand times; every twentieth shows as much.
    let stored = files.iter().filter(|path| path.components().any(|part| part.as_os_str() == "dss-facts")).cloned();
    let some: Vec<PathBuf> = stored.step_by(20).collect();
    files.retain(|path| !path.components().any(|part| part.as_os_str() == "dss-facts"));
    files.extend(some);
    let ledger = ledger();
    let (mut same, mut differ, mut refused) = (0, vec![], 0);
    for path in &files {
        let bytes = std::fs::read(path).expect("listed before");
        let name = path.strip_prefix(&corpus).expect("below the corpus").display().to_string();
        for (flag, algorithm) in [
            ("--c14n", Algorithm::Inclusive10),
            ("--c14n11", Algorithm::Inclusive11),
            ("--exc-c14n", Algorithm::Exclusive),
        ] {
            let theirs = Command::new("xmllint")
                .args(["--nonet", flag])
                .arg(path)
                .output()
                .expect("xmllint is installed (Debian package libxml2-utils)");
            let theirs = theirs.status.success().then_some(theirs.stdout);
            match (ours(&bytes, algorithm), theirs) {
                (Ok(ours), Some(theirs)) if ours == theirs => same += 1,
                (Err(_), None) => refused += 1,
                (Ok(_), Some(_)) => differ.push(format!("{name}\t{flag}\tother bytes")),
                (Ok(_), None) => differ.push(format!("{name}\t{flag}\tread here, refused there")),
                (Err(why), Some(_)) => differ.push(format!("{name}\t{flag}\trefused: {why}")),
            }
        }
    }
    let explained = |line: &String| line.split('\t').next().is_some_and(|name| ledger.contains_key(name));
    let unexplained: Vec<&String> = differ.iter().filter(|line| !explained(line)).collect();
    println!(
        "{} files: {same} the same, {refused} refused by both, {} in the ledger",
        files.len(),
        differ.len() - unexplained.len()
    );
    assert!(
        unexplained.is_empty(),
        "{} unexplained: {:#?}",
        unexplained.len(),
        &unexplained[..unexplained.len().min(60)]
    );
    let unused: Vec<&String> =
        ledger.keys().filter(|name| !differ.iter().any(|line| line.starts_with(name.as_str()))).collect();
    assert!(unused.is_empty(), "in the ledger, yet the same: {unused:?}");
}
