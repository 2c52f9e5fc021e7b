//! `lacre certificate --website`: whether a connection is one of a qualified website certificate (TS 119 411-5).

mod common;

use std::path::Path;
use std::process::Output;

fn lacre(arguments: &[&str]) -> Output {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/documents");
    let mut command = common::lacre();
    command.args(arguments).current_dir(examples).output().expect("the command was built")
}

const JUDGED: [&str; 6] = ["certificate", "root.der", "--trust-anchor", "root.der", "--at", "2027-01-01T00:00:00Z"];
const SITE: [&str; 2] = ["--website", "https://example.org/"];

/// The exit status and the part on the website.
fn website(more: &[&str]) -> (Option<i32>, serde_json::Value) {
    let done = lacre(&[&JUDGED[..], more, &["--format", "json"]].concat());
    let report: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap_or_default();
    (done.status.code(), report["website"].clone())
}

fn keys(findings: &serde_json::Value) -> Vec<&str> {
    findings.as_array().into_iter().flatten().filter_map(|finding| finding["check"].as_str()).collect()
}

#[test]
fn a_connection_of_no_qualified_certificate() {
    let (without, nothing) = website(&[]);
    assert!(nothing.is_null(), "nobody asked: {nothing}");
    let (status, site) = website(&SITE);
    assert_eq!(site["profile"], "NOT-QWAC");
    assert_eq!(site["url"], "https://example.org/");
    assert_eq!(keys(&site["qwac_1"]).len(), 1, "{site}");
    assert!(site.get("qwac_2").is_none(), "no binding is offered: {site}");
    assert_eq!((without, status), (Some(0), Some(1)), "a certificate may be good and no QWAC");
    let told = lacre(&[&JUDGED[..], &SITE].concat());
    assert!(String::from_utf8_lossy(&told.stdout).contains("NOT-QWAC"), "{told:?}");
}

#[test]
fn a_binding_that_is_none() {
    let binding = ["--binding", "letter.txt.p7s", "--binding-url", "https://example.org/binding.jws"];
    let (status, site) = website(&[&SITE[..], &binding].concat());
    assert_eq!(status, Some(1));
    assert_eq!(site["profile"], "NOT-QWAC");
    let why = keys(&site["qwac_2"]);
    assert_eq!(why.len(), 1, "{site}");
    let no_signature = ["--binding", "make.py", "--binding-url", "https://example.org/binding.jws"];
    assert_eq!(website(&[&SITE[..], &no_signature].concat()).0, Some(5), "bytes that are no signature");
    for (situation, more) in [
        ("without the website", &binding[..]),
        ("without its place", &["--website", "https://example.org/", "--binding", "letter.txt.p7s"]),
    ] {
        assert_eq!(lacre(&[&JUDGED[..], more].concat()).status.code(), Some(2), "{situation}");
    }
}
