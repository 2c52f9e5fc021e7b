//! The stored facts of the corpus: every qualification and every message key as EU DSS answered.
//!
//! The conclusions of the processes are taken from the answers too, so that only qualification is tested here.

use super::{lists, signature, timestamp};
use crate::facts::{Facts, Id};
use crate::policy::Policy;
use crate::time::Time;
use crate::validation::outcome::Indication;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;

/// How many answers were the same.
#[derive(Debug, Default)]
struct Tally {
    signatures: usize,
    timestamps: usize,
    differences: Vec<String>,
}

#[test]
#[ignore = "needs ../shared and target/corpus"]
fn qualifications_of_stored_facts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (shared, corpus) = (root.join("../shared"), root.join("target/corpus"));
    let default = std::fs::read(shared.join("schemas/dss/constraint.xml")).expect("the default policy is shared");
    let mut tally = Tally::default();
    for mode in ["judge", "changed", "facts"] {
        for case in answers(&shared.join("oracle").join(format!("{mode}.jsonl.gz"))) {
            let Some(facts) = facts(&corpus, &case) else { continue };
            let policy = match case["policy"].as_str() {
                Some(path) => std::fs::read(corpus.join(path)).expect("the policy is in the corpus"),
                None => default.clone(),
            };
            let policy = Policy::from_bytes(&policy).expect("the policy can be read");
            compare(&facts, &policy, &case, &mut tally);
        }
    }
    println!("{} signatures, {} time-stamps", tally.signatures, tally.timestamps);
    let Tally { differences, .. } = &tally;
    assert!(differences.is_empty(), "{} differ: {:#?}", differences.len(), &differences[..differences.len().min(10)]);
    assert!(tally.signatures > 5_000 && tally.timestamps > 10_000, "most cases are missing: {tally:?}");
}

fn answers(path: &Path) -> Vec<Value> {
    let packed = std::fs::read(path).expect("the answers are shared");
    let mut text = String::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut text).expect("the answers are gzip");
    text.lines().map(|line| serde_json::from_str(line).expect("an answer is JSON")).collect()
}

/// Returns the facts of a case, with its one change made; `None` where the answer is that they cannot be judged.
fn facts(corpus: &Path, case: &Value) -> Option<Facts> {
    if !case["exception"].is_null() {
        return None;
    }
    let file = corpus.join(case["file"].as_str()?);
    let mut text = std::fs::read_to_string(&file).ok()?;
    if let Some([at, old, new]) = case["edit"].as_array().and_then(|edit| <&[Value; 3]>::try_from(&edit[..]).ok()) {
        // Offsets count characters.
        let at = text.char_indices().nth(at.as_u64()? as usize)?.0;
        text.replace_range(at..at + old.as_str()?.len(), new.as_str()?);
    }
    Some(Facts::from_bytes(text.as_bytes()).unwrap_or_else(|e| panic!("{}: {e}", file.display())))
}

fn compare(facts: &Facts, policy: &Policy, case: &Value, tally: &mut Tally) {
    let now: Time = case["time"].as_str().and_then(|t| t.parse().ok()).expect("an answer has a time");
    let lists = lists::Analyses::new(facts, policy, now);
    let empty = vec![];
    for answer in case["signatures"].as_array().unwrap_or(&empty) {
        let id = Id::new(answer["id"].as_str().expect("a signature has an id"));
        let signature = facts.signatures.iter().find(|s| s.id == id).expect("the signature is in the facts");
        let process = ["archival", "ltv", "basic"].iter().find_map(|p| answer[*p].as_str()).expect("a process was run");
        let indication: Indication =
            process.split('/').next().and_then(|word| word.parse().ok()).expect("an indication");
        let best = answer["bestSignatureTime"].as_str().and_then(|t| t.parse().ok()).expect("a best-signature-time");
        let mut ours = (String::from("NA"), BTreeSet::new(), BTreeSet::new());
        if policy.has_eidas() {
            let found = signature::qualify(&lists, signature, indication, best);
            let keys = |messages: &[crate::validation::engine::Message]| {
                messages.iter().map(|m| m.key().to_string()).collect::<BTreeSet<_>>()
            };
            let conclusion = &found.block.conclusion;
            ours = (found.qualification.to_string(), keys(&conclusion.errors), keys(&conclusion.warnings));
        }
        let keys = |field: &str| -> BTreeSet<String> {
            answer[field].as_array().unwrap_or(&empty).iter().filter_map(|k| Some(k.as_str()?.to_string())).collect()
        };
        let theirs = (
            answer["qualification"].as_str().unwrap_or_default().replace('_', "-"),
            keys("qualificationErrors"),
            keys("qualificationWarnings"),
        );
        tally.signatures += 1;
        if ours != theirs {
            tally.differences.push(format!("{} {} {id}: {theirs:?}, not {ours:?}", case["file"], case["edit"]));
        }
    }
    timestamps(facts, policy, &lists, case, now, tally);
}

fn timestamps(facts: &Facts, policy: &Policy, lists: &lists::Analyses, case: &Value, now: Time, tally: &mut Tally) {
    let empty = vec![];
    let answers = case["timestamps"].as_array().unwrap_or(&empty);
    let passed = |id: &Id| {
        answers.iter().any(|t| {
            t["id"].as_str() == Some(id.as_str()) && t["archival"].as_str().or(t["basic"].as_str()) == Some("PASSED")
        })
    };
    let proofs = super::Proofs::new(facts, passed, |_| None);
    for answer in answers {
        let id = Id::new(answer["id"].as_str().expect("a time-stamp has an id"));
        let stamp = facts.timestamps.iter().find(|t| t.id == id).expect("the time-stamp is in the facts");
        let proven = proofs.earliest(stamp, now);
        // EU DSS asks about the service alone, not whether the time-stamp holds.
        let qualified = || timestamp::qualify(lists, stamp, Indication::Passed, proven);
        let ours = policy.has_eidas().then(|| qualified().qualification.to_string());
        tally.timestamps += 1;
        if ours.as_deref() != answer["qualification"].as_str() {
            tally.differences.push(format!("{} {id}: {}, not {ours:?}", case["file"], answer["qualification"]));
        }
    }
}
