//! The reports for people, whole: what stands in them and in which order (snapshots), and that nothing inside a
//! document can spoil them.
//!
//! `LACRE_WRITE=1 cargo test --lib report::tests` writes the snapshots anew; look at the difference.

use super::Report;
use super::layout::{Element, Layout};
use super::messages;
use crate::facts::{Facts, Id};
use crate::policy::Policy;
use crate::time::Time;
use crate::{Document, Validator};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn time() -> Time {
    "2027-01-01T00:00:00Z".parse().expect("the text is a time")
}

fn example(name: &str) -> Vec<u8> {
    std::fs::read(root().join("examples/documents").join(name)).expect("the examples are in the repository")
}

/// Returns the facts of an example, for whom its issuer is trusted or not.
fn facts(name: &str, trusted: bool) -> Facts {
    let mut validator = Validator::new(Policy::eidas());
    if trusted {
        validator = validator.trust_anchor(&example("root.der")).expect("the example's root is a certificate");
    }
    validator.facts(&Document::new(&example(name)).named(name), time()).expect("the example can be read")
}

fn report(facts: Facts) -> Report {
    crate::judge(facts, &Policy::eidas(), time())
}

/// Returns facts with the same signature that many times.
fn signed(times: usize) -> Facts {
    let mut facts = facts("contract.pdf", true);
    let signature = facts.signatures[0].clone();
    facts.signatures = (0..times)
        .map(|at| {
            let mut copy = signature.clone();
            copy.id = Id::new(format!("S-{at}"));
            copy
        })
        .collect();
    facts
}

/// Returns a document whose names are written to deceive, and one of which is very long.
fn hostile() -> Facts {
    const NAMES: [&str; 4] = [
        "</title><script>alert(1)</script><!--",
        "TOTAL-PASSED\r\n\u{1b}[2J\u{202e}fdp.tcartnoc\u{0}\u{200b}",
        "中文 한국어 \u{1f512} \u{e000} e\u{301} Ω Ж",
        "\"onmouseover='x' &amp; %n {name} {n}",
    ];
    let mut facts = facts("contract.pdf", true);
    facts.document.name = Some(NAMES[1].to_owned());
    for (at, certificate) in facts.certificates.iter_mut().enumerate() {
        certificate.attributes.common_name = Some(NAMES[at % NAMES.len()].to_owned());
    }
    let signature = &mut facts.signatures[0];
    if let Some(revision) = &mut signature.pdf_revision {
        revision.reason = Some(NAMES[2].to_owned());
        revision.location = Some("x".repeat(10_000));
        revision.fields[0].name = NAMES[3].to_owned();
    }
    facts
}

/// Returns what stands in a layout, a line an element.
fn structure(layout: &Layout) -> String {
    let mut out = String::new();
    let mut line = |depth: usize, text: &str| writeln!(out, "{}{text}", "  ".repeat(depth)).expect("memory is there");
    line(0, &format!("title: {}", layout.title));
    for part in &layout.parts {
        line(0, &part.state.map_or("part".to_owned(), |state| format!("part {state:?}")));
        for element in &part.elements {
            match element {
                Element::Heading(level, text) => line(1, &format!("h{level} {text}")),
                Element::Paragraph(text) => line(1, &format!("p {text}")),
                Element::Verdict { state, sentence, code } => line(1, &format!("{} {sentence} ({code})", state.sign())),
                Element::Counts(counts) => counts.iter().for_each(|(label, n)| line(1, &format!("{label}: {n}"))),
                Element::Rows(rows) => {
                    for (label, values) in rows {
                        line(1, &format!("{label}: {}", values.join(" / ")));
                    }
                }
                Element::Findings(findings) => {
                    for finding in findings {
                        line(1, &format!("{}: {} ({})", finding.weight, finding.sentence, finding.key));
                    }
                }
                Element::List(items) => items.iter().for_each(|item| line(1, &format!("- {item}"))),
                Element::Figure(figure) => line(1, &format!("figure: {}", figure.alternative)),
                Element::Table { columns, rows } => {
                    let headings: Vec<&str> = columns.iter().map(|(heading, _)| &**heading).collect();
                    line(1, &format!("table: {}", headings.join(" | ")));
                    for row in rows {
                        let cells: Vec<String> = row.iter().map(|cell| cell.join(" / ")).collect();
                        line(2, &cells.join(" | "));
                    }
                }
            }
        }
    }
    out
}

/// A build without lists has no texts on qualification, but its judgement does say that no list was reached.
#[test]
fn what_is_found_without_lists_is_said_without_their_texts() {
    fn checks(value: &serde_json::Value, into: &mut BTreeSet<String>) {
        match value {
            serde_json::Value::Array(items) => items.iter().for_each(|item| checks(item, into)),
            serde_json::Value::Object(fields) => {
                into.extend(fields.get("check").and_then(|key| key.as_str()).map(str::to_owned));
                fields.values().for_each(|value| checks(value, into));
            }
            _ => {}
        }
    }
    let cases =
        [("contract.pdf", true), ("contract-tampered.pdf", true), ("contract.pdf", false), ("revoked.pdf", true)];
    let mut found = BTreeSet::new();
    for (name, trusted) in cases {
        let json = report(facts(name, trusted)).to_json();
        checks(&serde_json::from_str(&json).expect("a report is JSON"), &mut found);
    }
    for key in ["QUAL_CERT_TRUSTED_LIST_REACHED_ANS", "QUAL_IS_ADES_IND", "QUAL_IS_ADES_INV"] {
        assert!(found.contains(key), "{key} is not among {found:?}");
    }
    let unsaid: Vec<_> = found.iter().filter(|key| !messages::is_said_without_lists(key)).collect();
    assert!(unsaid.is_empty(), "{unsaid:?}");
}

#[test]
fn what_stands_in_six_reports() {
    let cases = [
        ("passed", report(facts("contract.pdf", true))),
        ("failed", report(facts("contract-tampered.pdf", true))),
        ("indeterminate", report(facts("contract.pdf", false))),
        ("revoked", report(facts("revoked.pdf", true))),
        ("many", report(signed(3))),
        ("none", report(facts("not-signed.pdf", true))),
        ("hostile", report(hostile())),
    ];
    let mut different: Vec<PathBuf> = vec![];
    for (name, report) in cases {
        let path = root().join("tests/data/reports").join(format!("{name}.txt"));
        let found = structure(&report.layout()).replace(env!("CARGO_PKG_VERSION"), "VERSION");
        if std::env::var_os("LACRE_WRITE").is_some() {
            std::fs::write(&path, &found).expect("the snapshots can be written");
        }
        if std::fs::read_to_string(&path).ok().as_deref() != Some(&*found) {
            println!("{found}");
            different.push(path);
        }
    }
    assert!(different.is_empty(), "not as in {different:?}");
}

#[test]
fn nothing_in_a_document_acts_on_its_report() {
    let report = report(hostile());
    let (html, text) = (report.to_html(), report.to_text());
    for shown in [&html, &text] {
        let acting = shown.chars().find(|c| (c.is_control() && *c != '\n') || ('\u{202a}'..='\u{202e}').contains(c));
        assert_eq!(acting, None);
        assert!(shown.contains("U+202E") && shown.contains("U+001B") && shown.contains("中文"));
    }
    assert!(!html.contains("<script") && !html.contains("onmouseover='"), "{html}");
    // A page has its own elements only, and each of them is closed.
    assert_eq!(html.matches("<title>").count(), 1);
    assert_eq!(html.matches("<section").count(), html.matches("</section>").count());
    // Nothing is loaded from anywhere.
    for loading in ["http://", "https://", "src=", "href=", "url("] {
        assert!(!html.contains(loading), "{loading}");
    }
    let pdf = report.to_pdf().expect("hostile names can be set");
    assert!(pdf.starts_with(b"%PDF-1.7"));
}

#[test]
fn five_hundred_signatures_have_a_report() {
    let report = report(signed(500));
    // Each of them has its line on the first pages.
    let rows = |element: &Element| match element {
        Element::Table { rows, .. } => rows.len(),
        _ => 0,
    };
    assert_eq!(report.layout().parts[0].elements.iter().map(rows).max(), Some(500));
    assert!(report.to_html().len() < 10_000_000);
    assert!(report.to_pdf().expect("many signatures can be set").len() < 25_000_000);
}

#[test]
fn the_same_report_has_the_same_bytes_and_is_small() {
    let report = report(facts("contract.pdf", true));
    let pdf = report.to_pdf().expect("the example can be set");
    assert_eq!(pdf, report.to_pdf().expect("the example can be set"));
    let compressed = |text: String| {
        use std::io::Write as _;
        let mut sink = flate2::write::ZlibEncoder::new(vec![], flate2::Compression::default());
        sink.write_all(text.as_bytes()).expect("memory is there");
        sink.finish().expect("memory is there").len()
    };
    let own = pdf.len() - compressed(report.to_etsi_xml()) - compressed(report.to_json());
    println!("PDF report without attachments: {own} bytes");
    assert!(own <= 65_000, "{own}");
}
