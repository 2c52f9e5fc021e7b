//! What our default policy refuses of the public corpus, and that of DSS accepts: `conformance/stricter.tsv` says with the
//! clause why. A row there that no longer applies fails as well.

use lacre::{Document, Policy, Report, Validator, judge, report::Indication};
use lacre_core::policy::{Context, Level, PolicySection, RuleName, SubContext};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

const TABLE: &str = include_str!("conformance/stricter.tsv");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The same policy without the demand for revocation data, which most of the corpus does not hold.
fn relaxed(mut policy: Policy) -> Policy {
    for context in [Context::Signature, Context::CounterSignature, Context::Timestamp, Context::Revocation] {
        for sub in [SubContext::SigningCertificate, SubContext::CaCertificate] {
            for name in [RuleName::RevocationDataAvailable, RuleName::AcceptableRevocationDataFound] {
                policy = policy.with_level(PolicySection::Certificate(context, sub), name, Level::Inform);
            }
        }
    }
    policy
}

/// The answers of the setting in which every top of the document is trusted.
fn answers() -> Vec<Value> {
    let file = std::fs::File::open(root().join("../shared/oracle/near.jsonl.gz")).expect("the answers are there");
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).expect("they are compressed text");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is an object")).collect()
}

/// The certificates that the answers name, by their SHA-256.
fn anchors() -> BTreeMap<String, Vec<u8>> {
    let archive = std::fs::read(root().join("../shared/oracle/anchors.zip")).expect("the anchors are there");
    let archive = rawzip::ZipArchive::from_slice(&archive).expect("they are a ZIP file");
    let mut found = BTreeMap::new();
    for entry in archive.entries() {
        let entry = entry.expect("an entry");
        let name = String::from_utf8_lossy(entry.file_path().as_ref()).trim_end_matches(".der").to_owned();
        let stored = archive.get_entry(entry.wayfinder()).expect("its bytes");
        let mut bytes = vec![];
        match entry.compression_method() {
            rawzip::CompressionMethod::STORE => bytes.extend_from_slice(stored.data()),
            _ => _ = flate2::read::DeflateDecoder::new(stored.data()).read_to_end(&mut bytes).expect("it inflates"),
        }
        found.insert(name, bytes);
    }
    found
}

/// The errors of signatures that `ours` has and `theirs` does not, where `theirs` passes.
fn refused(theirs: &Report, ours: &Report) -> Option<String> {
    if theirs.indication() != Indication::TotalPassed || ours.indication() == Indication::TotalPassed {
        return None;
    }
    let mut keys: Vec<_> =
        ours.signatures().flat_map(|signature| &signature.verdict().findings.errors).map(|m| m.key()).collect();
    keys.sort_unstable();
    keys.dedup();
    Some(keys.join(" "))
}

#[test]
#[ignore = "needs ../shared and target/corpus"]
fn what_our_policy_refuses_and_that_of_dss_accepts() {
    let (corpus, anchors) = (root().join("target/corpus"), anchors());
    let (dss, ours) = (relaxed(Policy::dss()), relaxed(Policy::eidas()));
    let mut table: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    for line in TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let [path, keys, reason] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not three columns: {line}")
        };
        assert!(reason.split_whitespace().count() > 3, "{path}: no reason");
        table.insert(path, (keys, reason));
    }
    let (mut compared, mut passed, mut wrong) = (0, 0, vec![]);
    for answer in answers() {
        let path = answer["file"].as_str().expect("a path");
        let bytes = std::fs::read(corpus.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        let items = answer["content"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let contents: Vec<(&str, Vec<u8>)> = items
            .filter_map(|item| item.split_once('='))
            .map(|(path, name)| (name, std::fs::read(corpus.join(path)).expect("a content")))
            .collect();
        let mut document = Document::new(&bytes);
        for (name, content) in &contents {
            document = document.with_content(*name, content);
        }
        let mut validator = Validator::new(Policy::default()).without_cache();
        for anchor in answer["anchors"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            validator = validator.trust_anchor(&anchors[anchor]).expect("a certificate");
        }
        let time = answer["time"].as_str().unwrap_or("2026-06-01T00:00:00Z").parse().expect("a time");
        let Ok(facts) = validator.facts(&document, time) else { continue };
        let theirs = judge(facts.clone(), &dss, time);
        compared += 1;
        passed += usize::from(theirs.indication() == Indication::TotalPassed);
        match (refused(&theirs, &judge(facts, &ours, time)), table.remove(path)) {
            (Some(keys), None) => wrong.push(format!("{path}\t{keys}\t")),
            (Some(keys), Some((known, _))) if keys != known => wrong.push(format!("{path}\t{keys}\tnot {known}")),
            (None, Some(_)) => wrong.push(format!("{path}\tno longer refused")),
            _ => {}
        }
    }
    println!("{compared} files; {passed} pass under the policy of DSS");
    assert!(compared > 900 && passed > 200, "{compared} files, {passed} pass");
    assert!(table.is_empty(), "not found: {table:?}");
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}
