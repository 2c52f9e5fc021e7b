//! Every JSON report is what `docs/report.schema.json` says: over the example documents, a sample of the corpus,
//! and stored facts of another validator.

use jsonschema::Validator as Schema;
use lacre::{
    Document, Facts, Policy, Report, Validator,
    report::{Indication, Language, SignatureQualification, SubIndication, TimestampQualification, WantedKind},
};
use lacre_testkit::files::{corpus, files, manifest};
use serde_json::Value;
use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text_of_schema() -> Value {
    let text = std::fs::read_to_string(root().join("docs/report.schema.json")).expect("the schema is in the tree");
    serde_json::from_str(&text).expect("the schema is JSON")
}

fn schema() -> Schema {
    jsonschema::draft202012::new(&text_of_schema()).expect("the schema is one of JSON Schema 2020-12")
}

/// What breaks the schema, with the place.
fn breaches(schema: &Schema, report: &Report) -> Vec<String> {
    let json: Value = serde_json::from_str(&report.to_json()).expect("the report is JSON");
    schema.iter_errors(&json).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

#[test]
fn the_examples() {
    let anchor = std::fs::read(root().join("examples/documents/root.der")).expect("an example");
    let validator = Validator::new(Policy::eidas()).trust_anchor(&anchor).expect("a certificate");
    let time = "2027-01-01T00:00:00Z".parse().expect("a time");
    let schema = schema();
    let mut judged = 0;
    for path in files(&root().join("examples/documents"), "") {
        let bytes = std::fs::read(&path).expect("it was listed");
        let Ok(report) = validator.validate(&Document::new(&bytes).named("example"), time) else { continue };
        for language in Language::ALL {
            let report = report.clone().in_language(*language);
            assert_eq!(breaches(&schema, &report), Vec::<String>::new(), "{} in {language}", path.display());
        }
        judged += 1;
    }
    assert!(judged >= 4, "only {judged} examples were judged");
}

#[test]
fn a_signature_that_cannot_be_read_does_not_disappear() {
    let mut contract = std::fs::read(root().join("examples/documents/contract.pdf")).expect("an example");
    let key = b"/Contents <3082";
    let at = contract.windows(key.len()).position(|bytes| bytes == key).expect("it is signed");
    let end = at + key.len();
    contract[end - 4..end].copy_from_slice(b"0000");
    let time = "2027-01-01T00:00:00Z".parse().expect("a time");
    let report = Validator::new(Policy::eidas()).validate(&Document::new(&contract), time).expect("a PDF");
    assert_eq!(report.indication(), Indication::NoSignatureFound);
    let schema = schema();
    for language in Language::ALL {
        let report = report.clone().in_language(*language);
        let found: Vec<_> = report.irregularities().collect();
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].check, "BBB_FC_UNREADABLE_SIGNATURE_ANS", "5.2.2");
        assert!(report.to_text().contains(found[0].message), "{language}: {}", report.to_text());
        assert!(report.to_json().contains(found[0].message), "{language}");
        assert!(report.to_html().contains(found[0].message), "{language}");
        assert_eq!(breaches(&schema, &report), Vec::<String>::new(), "{language}");
    }

    // Of very many, people are told the first and how many more; the JSON has all.
    let mut facts: Value = serde_json::from_str(&report.facts().to_json()).expect("facts are JSON");
    let one = facts["facts"]["irregularities"][0].clone();
    facts["facts"]["irregularities"] = vec![one; 490].into();
    let facts = Facts::from_bytes(facts.to_string().as_bytes()).expect("they are facts still");
    let report = lacre::judge(facts, &Policy::eidas(), time);
    assert_eq!(report.irregularities().count(), 490);
    let text = report.to_text();
    assert!(text.contains("and 478 more"), "{text}");
}

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn a_sample_of_the_corpus() {
    let (schema, validator) = (schema(), Validator::new(Policy::eidas()));
    let time = "2026-06-01T00:00:00Z".parse().expect("a time");
    let mut judged = 0;
    for path in manifest().iter().step_by(29) {
        let Ok(bytes) = std::fs::read(corpus().join(path)) else { continue };
        if bytes.len() > 1 << 20 {
            continue;
        }
        let Ok(report) = validator.validate(&Document::new(&bytes).named(path), time) else { continue };
        assert_eq!(breaches(&schema, &report), Vec::<String>::new(), "{path}");
        judged += 1;
    }
    assert!(judged >= 20, "only {judged} files were judged");
}

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn stored_facts() {
    let folders = ["near", "lists"].map(|name| corpus().join("dss-facts").join(name));
    let schema = schema();
    let mut services = 0;
    for path in folders.iter().flat_map(|folder| files(folder, "").into_iter().step_by(31)) {
        let bytes = std::fs::read(&path).expect("it was listed");
        let facts = Facts::from_bytes(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let time = facts.validation_time.expect("the other validator states it");
        let report = lacre::judge(facts, &Policy::eidas(), time);
        assert_eq!(breaches(&schema, &report), Vec::<String>::new(), "{}", path.display());
        services += usize::from(report.to_json().contains(r#""trust_service":{"country":"#));
    }
    assert!(services >= 5, "only {services} reports name a trust service");
}

#[test]
fn the_word_lists_are_ours() {
    let schema = text_of_schema();
    let words = |place: &str| -> Vec<String> {
        let list = schema.pointer(place).and_then(Value::as_array).unwrap_or_else(|| panic!("no {place}"));
        list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let ours = |all: Vec<&str>| all.into_iter().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words("/$defs/indication/enum"), ours(Indication::ALL.iter().map(|w| w.as_str()).collect()));
    assert_eq!(words("/$defs/sub_indication/enum"), ours(SubIndication::ALL.iter().map(|w| w.as_str()).collect()));
    let qualifications = ours(SignatureQualification::ALL.iter().map(|w| w.as_str()).collect());
    assert_eq!(words("/$defs/signature/properties/qualification/enum"), qualifications);
    let qualifications = ours(TimestampQualification::ALL.iter().map(|w| w.as_str()).collect());
    assert_eq!(words("/$defs/timestamp/properties/qualification/enum"), qualifications);
    let kinds = ours(WantedKind::ALL.iter().map(|w| w.as_str()).collect());
    assert_eq!(words("/properties/wanted/items/properties/kind/enum"), kinds);
}

#[test]
fn a_report_with_a_field_more_or_less_is_refused() {
    let schema = schema();
    let report = lacre::judge(Facts::default(), &Policy::eidas(), lacre::Time::default());
    let whole: Value = serde_json::from_str(&report.to_json()).expect("the report is JSON");
    assert!(schema.is_valid(&whole));
    let mut more = whole.clone();
    more["opinion"] = Value::Null;
    assert!(!schema.is_valid(&more));
    for name in whole.as_object().expect("an object").keys() {
        let mut less = whole.clone();
        less.as_object_mut().expect("an object").remove(name);
        assert!(!schema.is_valid(&less), "without {name}");
    }
}
