//! Facts, policies and catalogues with damaged bytes are read or refused; nothing panics.

use lacre::{Facts, policy::CryptographicSuite};
use lacre_core::{policy::Policy, qualification::qualify, validation::validate};
use lacre_testkit::files::{corpus, example_facts, shared};
use lacre_testkit::path_policy::path_policy;
use lacre_testkit::random::Random;
use serde_json::Value;

/// A copy with up to eight places changed, removed or repeated.
fn damaged(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    const PIECES: [&[u8]; 12] = [
        b"<",
        b">",
        b"</",
        b"\"",
        b"&#0;",
        b"&x;",
        b"\0",
        b"\xff",
        b"-1",
        b"99999999999999999999",
        b"<![CDATA[",
        b"<!--",
    ];
    let mut copy = bytes.to_vec();
    for _ in 0..=random.below(8) {
        let at = random.below(copy.len());
        match random.below(4) {
            0 => copy[at] = random.below(256) as u8,
            1 => {
                let end = (at + random.below(40)).min(copy.len());
                copy.drain(at..end);
            }
            2 => {
                let piece = PIECES[random.below(PIECES.len())];
                copy.splice(at..at, piece.iter().copied());
            }
            _ => {
                let end = (at + random.below(400)).min(copy.len());
                let piece = copy[at..end].to_vec();
                copy.splice(at..at, piece);
            }
        }
        if copy.is_empty() {
            copy.push(b'<');
        }
    }
    copy
}

/// Diagnostic data of EU DSS, with its name.
fn diagnostic_data(names: &[&str]) -> Vec<(String, Vec<u8>)> {
    let folder = corpus().join("dss/dss-validation/src/test/resources/diag-data");
    let read = |name: &&str| (name.to_string(), std::fs::read(folder.join(name)).expect("the corpus has it"));
    names.iter().map(read).collect()
}

/// The facts of the examples as JSON.
fn examples() -> Vec<(String, Vec<u8>)> {
    example_facts().into_iter().map(|(name, facts)| (name, facts.to_json().into_bytes())).collect()
}

/// Judges and qualifies; every signature gets a verdict.
fn judged(facts: &Facts, policy: &Policy) {
    let time = facts.validation_time.unwrap_or_default();
    let verdicts = validate(facts, policy, time);
    assert_eq!(verdicts.signatures.len(), facts.signatures.len());
    let _ = qualify(facts, policy, &verdicts, time);
}

/// Facts as JSON, with some values exchanged for others of members with the same name: damage that stays readable.
fn shuffled(facts: &Facts, random: &mut Random) -> Option<Facts> {
    let mut json: Value = serde_json::from_str(&facts.to_json()).ok()?;
    let mut scalars = vec![];
    gather("", &json["facts"], &mut scalars);
    for _ in 0..=random.below(12) {
        let target = random.below(scalars.len());
        let same: Vec<_> = scalars.iter().filter(|(name, _)| *name == scalars[target].0).collect();
        let by = match &scalars[target].1 {
            Value::Bool(flag) => Value::Bool(!flag),
            _ => same[random.below(same.len())].1.clone(),
        };
        exchange(&mut json["facts"], target, &by, &mut 0);
    }
    Facts::from_bytes(json.to_string().as_bytes()).ok()
}

/// Every value that is no list and no object, with the name of its member.
fn gather(name: &str, value: &Value, all: &mut Vec<(String, Value)>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| gather(name, item, all)),
        Value::Object(members) => members.iter().for_each(|(name, member)| gather(name, member, all)),
        scalar => all.push((name.to_owned(), scalar.clone())),
    }
}

fn exchange(value: &mut Value, target: usize, by: &Value, count: &mut usize) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| exchange(item, target, by, count)),
        Value::Object(members) => members.values_mut().for_each(|member| exchange(member, target, by, count)),
        scalar => {
            if *count == target {
                *scalar = by.clone();
            }
            *count += 1;
        }
    }
}

#[test]
fn facts_of_the_examples_that_contradict_themselves() {
    contradictions(&examples());
}

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn facts_of_the_corpus_that_contradict_themselves() {
    contradictions(&diagnostic_data(&[
        "DSS-1330-diag-data.xml",
        "asic-e-xades-diag-data.xml",
        "er-validation/er-valid.xml",
    ]));
}

fn contradictions(sources: &[(String, Vec<u8>)]) {
    let mut random = Random(0x5851_f42d_4c95_7f2d);
    let policy = Policy::eidas();
    let mut count = 0;
    for (name, bytes) in sources {
        let facts = Facts::from_bytes(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        for _ in 0..300 {
            if let Some(facts) = shuffled(&facts, &mut random) {
                judged(&facts, &policy);
                count += 1;
            }
        }
        // Every token without all the others that it refers to.
        let mut alone = facts.clone();
        alone.certificates.clear();
        judged(&alone, &policy);
        let mut alone = facts.clone();
        alone.revocations.clear();
        alone.timestamps.clear();
        judged(&alone, &policy);
        // Chains that lead back to themselves.
        let mut circle = facts;
        let ids: Vec<_> = circle.certificates.iter().map(|certificate| certificate.id.clone()).collect();
        for certificate in &mut circle.certificates {
            certificate.chain = ids.clone();
            certificate.signing_certificate = ids.first().cloned();
            certificate.trust.trusted = false;
        }
        for revocation in &mut circle.revocations {
            revocation.chain = ids.clone();
            revocation.signing_certificate = ids.first().cloned();
        }
        judged(&circle, &policy);
    }
    assert!(count > 300, "{count} judged");
}

#[test]
fn damaged_facts_of_the_examples() {
    damaged_facts(&examples());
}

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn damaged_facts_of_the_corpus() {
    damaged_facts(&diagnostic_data(&["DSS-1330-diag-data.xml", "asic-e-xades-diag-data.xml", "all-files-present.xml"]));
}

fn damaged_facts(sources: &[(String, Vec<u8>)]) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let policy = Policy::eidas();
    let (mut accepted, mut refused) = (0, 0);
    for (name, bytes) in sources {
        let json = Facts::from_bytes(bytes).map(|facts| facts.to_json().into_bytes()).unwrap_or_default();
        for round in 0..300 {
            let source = if round % 3 == 0 && !json.is_empty() { &json } else { bytes };
            match Facts::from_bytes(&damaged(source, &mut random)) {
                Ok(facts) => {
                    accepted += 1;
                    judged(&facts, &policy);
                    assert_eq!(
                        Facts::from_bytes(facts.to_json().as_bytes()).as_ref(),
                        Ok(&facts),
                        "{name}, round {round}"
                    );
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
    assert!(accepted > 0 && refused > 0, "{accepted} accepted, {refused} refused");
}

#[test]
fn damaged_policies() {
    let suite = r#"{"SecuritySuitabilityPolicy": {"PolicyName": {"Name": "x"}, "PolicyIssueDate": "2026-01-01T00:00:00Z",
        "Algorithm": [{"AlgorithmIdentifier": {"Name": "SHA256", "ObjectIdentifier": "2.16.840.1.101.3.4.2.1"},
        "Evaluation": [{"Validity": {"End": "2030-01-01"}}]}]}}"#;
    damaged_policy(path_policy(true, true).as_bytes());
    damaged_policy(suite.as_bytes());
}

#[test]
#[ignore = "needs ../shared"]
fn damaged_policies_of_dss() {
    damaged_policy(&shared("schemas/dss/6.5/constraint.xml"));
    damaged_policy(&shared("schemas/dss/dss-crypto-suite.json"));
}

/// Reads damaged copies of a policy or cryptographic suite; some are refused.
fn damaged_policy(bytes: &[u8]) {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let read = |bytes: &[u8]| Policy::from_bytes(bytes).is_ok() || CryptographicSuite::from_bytes(bytes).is_ok();
    assert!(read(bytes));
    let refused = (0..300).filter(|_| !read(&damaged(bytes, &mut random))).count();
    assert!(refused > 0, "every damaged copy was accepted");
}

#[test]
fn what_is_neither_is_refused_with_place_and_reason() {
    for (situation, bytes, message) in [
        ("nothing", &b""[..], "found nothing, expected DSS diagnostic data (XML) or facts of lacre (JSON)"),
        ("a PDF", b"%PDF-1.7\n", "begins with the bytes 25 50 44 46"),
        ("other XML", b"<x>\n</x>", "line 1, column 1: found the root element <x>, expected DSS's <DiagnosticData>"),
        ("XML that ends early", b"<DiagnosticData>\n <Signatures>", "line 2, column"),
        ("other JSON", b"{\"a\": 1}", "line 1, column"),
        ("JSON of another version", b"{\"schema\": \"lacre-facts/9\", \"facts\": {}}", "expected `lacre-facts/1`"),
        (
            "a word that no list has",
            b"<DiagnosticData>\n<UsedTimestamps>\n  <Timestamp Id=\"T\" Type=\"CLOCK\"/></UsedTimestamps></DiagnosticData>",
            "line 3, column 3: attribute `Type` of <Timestamp>: `CLOCK` is not a known TimestampType",
        ),
        (
            "a date that is none",
            b"<DiagnosticData><ValidationDate>yesterday</ValidationDate></DiagnosticData>",
            "`yesterday` is not a date and time",
        ),
        ("a document type", b"<!DOCTYPE DiagnosticData []><DiagnosticData/>", "document type declaration"),
        ("two roots", b"<DiagnosticData/><DiagnosticData/>", "second root"),
    ] {
        let error = Facts::from_bytes(bytes).expect_err(situation).to_string();
        assert!(error.contains(message), "{situation}: {error}");
    }
    let deep = format!("{}{}", "<DiagnosticData>".repeat(10_000), "</DiagnosticData>".repeat(10_000));
    assert!(Facts::from_bytes(deep.as_bytes()).unwrap_err().to_string().contains("levels"));
    let deep = "[".repeat(100_000);
    assert!(Facts::from_bytes(format!("{{\"facts\":{deep}").as_bytes()).is_err());
}
