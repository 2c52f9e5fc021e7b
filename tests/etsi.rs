//! The ETSI report says what the JSON report says: TS 119 102-2 against `lacre-report/2`, over the examples and a
//! sample of the corpus. That it is valid against the schema is `.ci/etsi`'s to check, with xmllint.

use lacre::{Document, Facts, Policy, Report, Validator};
use lacre_testkit::files::{corpus, files, manifest};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What is read back from the XML.
#[derive(Debug, Default)]
struct Read {
    /// Main and sub-indication of each signature, in order.
    signatures: Vec<(String, Option<String>)>,
    /// The same of each time-stamp, with its id.
    timestamps: Vec<(String, String, Option<String>)>,
    ids: BTreeSet<String>,
    references: BTreeSet<String>,
}

fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = start.attributes().flatten().find(|a| a.key.as_ref() == name)?;
    Some(found.value.into_owned())
}

fn read(xml: &str) -> Read {
    let mut read = Read::default();
    let mut reader = Reader::from_str(xml);
    let (mut path, mut object): (Vec<String>, Option<String>) = (vec![], None);
    loop {
        let event = reader.read_event().expect("the report is XML");
        if let Event::Start(start) | Event::Empty(start) = &event {
            let name = start.name().as_ref().to_owned();
            let id = attribute(start, "id");
            if name == "ValidationObject" && path.len() == 2 {
                object.clone_from(&id);
            }
            read.ids.extend(id);
            let references = attribute(start, "VOReference").unwrap_or_default();
            read.references.extend(references.split_whitespace().map(str::to_owned));
            if matches!(event, Event::Start(_)) {
                path.push(name);
            }
            continue;
        }
        match event {
            Event::End(_) => drop(path.pop()),
            Event::Text(text) => {
                let word = text.rsplit(':').next().unwrap_or_default().to_owned();
                let at: Vec<&str> = path.iter().skip(1).map(String::as_str).collect();
                match (at.as_slice(), &object) {
                    (["SignatureValidationReport", "SignatureValidationStatus", "MainIndication"], _) => {
                        read.signatures.push((word, None));
                    }
                    (["SignatureValidationReport", "SignatureValidationStatus", "SubIndication"], _) => {
                        read.signatures.last_mut().expect("the main one stands before").1 = Some(word);
                    }
                    ([_, _, "ValidationReport", "SignatureValidationStatus", "MainIndication"], Some(id)) => {
                        read.timestamps.push((id.clone(), word, None));
                    }
                    ([_, _, "ValidationReport", "SignatureValidationStatus", "SubIndication"], Some(_)) => {
                        read.timestamps.last_mut().expect("the main one stands before").2 = Some(word);
                    }
                    _ => {}
                }
            }
            Event::Eof => return read,
            _ => {}
        }
    }
}

/// Holds the ETSI report of a file to its JSON report.
fn agree(name: &str, report: &Report) {
    let json: Value = serde_json::from_str(&report.to_json()).expect("the report is JSON");
    let xml = report.to_etsi_xml();
    let found = read(&xml);
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let list = |name: &str| json[name].as_array().cloned().unwrap_or_default();
    let signatures: Vec<(String, Option<String>)> = list("signatures")
        .iter()
        .map(|s| (text(&s["indication"]).unwrap_or_default().to_lowercase(), text(&s["sub_indication"])))
        .collect();
    match signatures.is_empty() {
        true => assert_eq!(found.signatures, [("noSignatureFound".to_owned(), None)], "{name}"),
        false => assert_eq!(found.signatures, signatures, "{name}"),
    }
    for timestamp in list("timestamps") {
        let id = text(&timestamp["id"]).unwrap_or_default();
        let Some((_, main, sub)) = found.timestamps.iter().find(|(known, ..)| *known == id) else {
            panic!("{name}: {id} is not in the ETSI report");
        };
        let expected =
            (text(&timestamp["indication"]).unwrap_or_default().to_lowercase(), text(&timestamp["sub_indication"]));
        assert_eq!((main.clone(), sub.clone()), expected, "{name}: {id}");
    }
    let dangling: Vec<_> = found.references.difference(&found.ids).collect();
    assert!(dangling.is_empty(), "{name}: references to nothing: {dangling:?}");
}

#[test]
fn the_examples() {
    let anchor = std::fs::read(root().join("examples/documents/root.der")).expect("an example");
    let validator = Validator::new(Policy::eidas()).trust_anchor(&anchor).expect("a certificate");
    let mut judged = 0;
    for path in files(&root().join("examples/documents"), "") {
        let bytes = std::fs::read(&path).expect("it was listed");
        let time = "2027-01-01T00:00:00Z".parse().expect("a time");
        let Ok(report) = validator.validate(&Document::new(&bytes).named("example"), time) else { continue };
        agree(&path.display().to_string(), &report);
        judged += 1;
    }
    assert!(judged >= 4, "only {judged} examples were judged");
}

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn a_sample_of_the_corpus() {
    let validator = Validator::new(Policy::eidas());
    let time = "2026-06-01T00:00:00Z".parse().expect("a time");
    let mut judged = 0;
    for path in manifest().iter().step_by(31) {
        let Ok(bytes) = std::fs::read(corpus().join(path)) else { continue };
        if bytes.len() > 1 << 20 {
            continue;
        }
        let Ok(report) = validator.validate(&Document::new(&bytes).named(path), time) else { continue };
        agree(path, &report);
        judged += 1;
    }
    assert!(judged >= 20, "only {judged} files were judged");
}

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn stored_facts() {
    let folder = corpus().join("dss-facts/near");
    let (mut ends, mut proofs) = (0, 0);
    for path in files(&folder, "").into_iter().step_by(37) {
        let bytes = std::fs::read(&path).expect("it was listed");
        let facts = Facts::from_bytes(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let time = facts.validation_time.expect("the other validator states it");
        let report = lacre::judge(facts, &Policy::eidas(), time);
        agree(&path.display().to_string(), &report);
        let xml = report.to_etsi_xml();
        ends += usize::from(xml.contains("<NotAfter>"));
        proofs += usize::from(xml.contains("<POEObject "));
    }
    assert!(ends >= 5 && proofs >= 2, "{ends} reports say until when an algorithm is good, {proofs} prove existence");
}
