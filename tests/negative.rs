//! Every file of the corpus that is wrapped, tampered with, revoked, malformed or refused by its own project's tests.
//!
//! Each is refused, or one of its signatures is not TOTAL-PASSED, or what is signed is visibly a part only; where one is
//! accepted, `conformance/negative.tsv` says with the clause why. A row there that no longer applies fails as well.
//!
//! The judgement is as friendly as can be: every top of the document is trusted, the time is an hour after the newest
//! time that it states, and of two policies (the default one, and the same without the demand for revocation data)
//! either counts.

use lacre::{Facts, Time, Validator, judge, report::Indication};
use lacre_core::{
    collect::Collector,
    document::Document,
    facts::ScopeType,
    formats::{
        Source,
        draft::{Draft, EvidenceRecordDraft, Material, TimestampDraft},
    },
    policy::Policy,
    x509::Certificate,
};
use std::collections::{BTreeMap, HashMap};
use std::io::Read as _;
use std::path::{Path, PathBuf};

const LEDGER: &str = include_str!("conformance/negative.tsv");

/// Classes in which what is attacked is how much is signed: a scope that says so is the answer.
const ABOUT_SCOPE: [&str; 3] = ["xml-signature-wrapping", "pdf-byterange/incremental", "tampered-content"];

/// What became of a file.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Refused,
    NoSignature,
    NotPassed,
    Limited,
    Accepted,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The detached contents of the files that have some: name and path.
fn contents() -> HashMap<String, Vec<(String, String)>> {
    let mut text = String::new();
    let Ok(packed) = std::fs::read(root().join("../shared/oracle/near.jsonl.gz")) else { return HashMap::new() };
    flate2::read::MultiGzDecoder::new(&*packed).read_to_string(&mut text).expect("the answers are text");
    let of = |line: &str| {
        let answer: serde_json::Value = serde_json::from_str(line).expect("the answers are JSON");
        let item = |item: &serde_json::Value| {
            let (path, name) = item.as_str()?.split_once('=')?;
            Some((name.to_owned(), path.to_owned()))
        };
        let contents: Vec<_> = answer["content"].as_array()?.iter().filter_map(item).collect();
        Some((answer["file"].as_str()?.to_owned(), contents))
    };
    text.lines().filter_map(of).collect()
}

/// The certificates of a draft, by their names in the record.
fn certificates(draft: &Draft<'_>) -> HashMap<String, Vec<u8>> {
    fn timestamp<'d>(draft: &'d TimestampDraft<'_>, found: &mut Vec<&'d Material<'d>>) {
        found.push(&draft.material);
    }
    fn record<'d>(draft: &'d EvidenceRecordDraft<'_>, found: &mut Vec<&'d Material<'d>>) {
        found.push(&draft.material);
        draft.timestamps.iter().for_each(|inner| timestamp(inner, found));
    }
    let mut materials = vec![&draft.material];
    for signature in &draft.signatures {
        materials.push(&signature.material);
        signature.timestamps.iter().for_each(|inner| timestamp(inner, &mut materials));
        signature.evidence_records.iter().for_each(|inner| record(inner, &mut materials));
    }
    draft.timestamps.iter().for_each(|inner| timestamp(inner, &mut materials));
    draft.evidence_records.iter().for_each(|inner| record(inner, &mut materials));
    let bytes = materials.iter().flat_map(|material| material.certificates.iter().map(|embedded| &*embedded.bytes));
    bytes.filter_map(|bytes| Some((Certificate::from_der(bytes).ok()?.id().to_string(), bytes.to_vec()))).collect()
}

/// An hour after the newest time that the document states.
fn time(facts: &Facts) -> Time {
    let claimed = facts.signatures.iter().filter_map(|signature| signature.claimed_signing_time);
    let stamped = facts.timestamps.iter().map(|timestamp| timestamp.production_time);
    let newest = claimed.chain(stamped).max();
    newest.map_or_else(|| "2026-06-01T00:00:00Z".parse().expect("a time"), |newest| newest.plus_millis(3_600_000))
}

/// The facts of a document in which every top is trusted, and the time at which they are judged.
fn friendly(document: &Document<'_>) -> Option<(Facts, Time)> {
    let source = Source::open(document, &Default::default()).ok()?;
    let draft = source.read().ok()?;
    let bytes = certificates(&draft);
    let mut collector = Collector::new(&Default::default());
    collector.document(draft);
    let facts = collector.finish("2026-06-01T00:00:00Z".parse().expect("a time"));
    let time = time(&facts);
    let mut validator = Validator::new(Policy::eidas());
    for top in facts.certificates.iter().filter(|certificate| certificate.self_signed || certificate.chain.is_empty()) {
        if let Some(der) = bytes.get(top.id.as_str()) {
            validator = validator.trust_anchor(der).expect("it was read before");
        }
    }
    Some((validator.facts(document, time).expect("it was read before"), time))
}

fn outcome(document: &Document<'_>, class: &str, policies: &[Policy]) -> Outcome {
    let Some((facts, time)) = friendly(document) else { return Outcome::Refused };
    if facts.signatures.is_empty() {
        return Outcome::NoSignature;
    }
    let mut worst = Outcome::NotPassed;
    for policy in policies {
        let report = judge(facts.clone(), policy, time);
        for signature in report.signatures() {
            let passed = signature.indication() == Indication::TotalPassed;
            assert!(passed || signature.sub_indication().is_some(), "{} has no reason", signature.id());
        }
        if report.indication() == Indication::TotalPassed {
            let scopes = || facts.signatures.iter().flat_map(|signature| &signature.scopes);
            let part = scopes().any(|scope| scope.kind == ScopeType::Partial);
            let about_scope = ABOUT_SCOPE.iter().any(|about| class.split(',').any(|class| class == *about));
            worst = worst.max(if part && about_scope { Outcome::Limited } else { Outcome::Accepted });
        }
    }
    worst
}

#[test]
#[ignore = "needs ../shared and target/corpus"]
fn negative_files() {
    let list = root().join("../shared/corpus/negative.tsv");
    let corpus = root().join("target/corpus");
    let rows = std::fs::read_to_string(&list).expect("../shared/corpus lists them");
    let relaxed = std::fs::read(root().join("../shared/oracle/no-revocation.xml")).expect("it is beside the answers");
    let policies = [Policy::eidas(), Policy::from_bytes(&relaxed).expect("it is a policy")];
    let rest = |line: &'static str| line.split_once('\t').unwrap_or_else(|| panic!("ledger: {line}"));
    let lines = LEDGER.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut ledger: BTreeMap<&str, &str> = lines.map(rest).collect();

    let contents = contents();
    let (mut counts, mut wrong) = (BTreeMap::new(), vec![]);
    for row in rows.lines().skip(1) {
        let [path, _, class, why, ..] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let bytes = std::fs::read(corpus.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        let detached: Vec<(&str, Vec<u8>)> = contents
            .get(path)
            .into_iter()
            .flatten()
            .filter_map(|(name, path)| Some((name.as_str(), std::fs::read(corpus.join(path)).ok()?)))
            .collect();
        let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy();
        let mut document = Document::new(&bytes).named(name);
        for (name, bytes) in &detached {
            document = document.with_content(*name, bytes);
        }
        let outcome = outcome(&document, class, &policies);
        match (&outcome, ledger.remove(path)) {
            (Outcome::Accepted, None) => wrong.push(format!("accepted: {path} ({class}; {why})")),
            (Outcome::Accepted, Some(_)) | (_, None) => {}
            (_, Some(reason)) => wrong.push(format!("in the ledger, but {outcome:?}: {path} ({reason})")),
        }
        *counts.entry(outcome).or_insert(0) += 1;
    }
    println!("{counts:?}");
    assert!(ledger.is_empty(), "not found: {ledger:?}");
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}
