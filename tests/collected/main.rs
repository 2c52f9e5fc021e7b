//! What is collected of a document: the level of each signature and what fails first, where validators are known to
//! differ.
//!
//! Every row makes its document itself, signed in a laboratory of its own, and is judged by the policy of EU DSS. There is
//! a file a group; its test shows all rows that are answered otherwise.

mod containers;
mod failures;
mod json;
mod messages;
mod pages;
mod records;
mod texts;

use lacre::{Document, Policy, Validator};
use lacre_testkit::lab::{AT, Lab};
use lacre_testkit::pdf::Pdf;
use serde_json::Value;

/// A name, bytes, and contents beside them.
struct Given(&'static str, Vec<u8>, Vec<(&'static str, &'static [u8])>);

/// Clause, situation, document, and what is said of it, one after the other.
type Row = (&'static str, &'static str, fn(&Lab) -> Given, &'static [&'static str]);

/// Of each member of these lists of the report: level, indication, sub-indication where there is one.
fn said(lab: &Lab, given: &Given, lists: &[&str]) -> Vec<String> {
    let mut validator = Validator::new(Policy::dss());
    validator = validator.trust_anchor(&lab.root.certificate).expect("the root is a certificate");
    let document = Document::new(&given.1).named(given.0);
    let document = given.2.iter().fold(document, |document, (name, content)| document.with_content(*name, content));

    let report = match validator.without_cache().validate(&document, AT.parse().expect("a time")) {
        Ok(report) => report.to_json(),
        Err(error) => return vec![error.to_string()],
    };
    let report: Value = serde_json::from_str(&report).expect("reports are JSON");
    let text = |value: &Value| value.as_str().map(|word| format!(" {word}")).unwrap_or_default();
    let of = |one: &Value| {
        [&one["level"], &one["indication"], &one["sub_indication"]].map(text).concat().trim_start().to_owned()
    };
    lists.iter().filter_map(|list| report[list].as_array()).flatten().map(of).collect()
}

/// Judges the document of each row, and shows all that are answered otherwise.
fn check(rows: &[Row], lists: &[&str]) {
    let lab = Lab::new();
    let mut wrong = vec![];
    for (clause, situation, make, expected) in rows {
        let said = said(&lab, &make(&lab), lists);
        if said != *expected {
            wrong.push(format!("{clause}: {situation}: {said:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

fn message(bytes: Vec<u8>) -> Given {
    Given("message.p7m", bytes, vec![])
}

fn file(pdf: Pdf) -> Given {
    Given("contract.pdf", pdf.bytes, vec![])
}

fn xml(text: String) -> Given {
    Given("contract.xml", text.into_bytes(), vec![])
}

const TEXT: &[u8] = b"The parties agree.";
