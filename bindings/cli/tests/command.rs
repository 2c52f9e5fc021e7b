//! The command as its users meet it: arguments, streams, exit statuses.

mod common;

use lacre_testkit::lab::Lab;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/documents")
}

fn lacre(arguments: &[&str]) -> Output {
    common::lacre().args(arguments).current_dir(examples()).output().expect("the command was built")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const TRUST: [&str; 4] = ["--trust-anchor", "root.der", "--at", "2027-01-01T00:00:00Z"];

fn validate(file: &str, more: &[&str]) -> Output {
    lacre(&[&["validate", file], &TRUST[..], more].concat())
}

#[test]
fn the_exit_status_tells_the_verdict() {
    for (situation, arguments, status) in [
        ("passed", vec!["validate", "contract.pdf"], 0),
        ("failed", vec!["validate", "contract-tampered.pdf"], 1),
        ("indeterminate", vec!["validate", "revoked.pdf"], 3),
        ("no signature", vec!["validate", "not-signed.pdf"], 4),
        ("not readable", vec!["validate", "make.py"], 5),
        ("not there", vec!["validate", "missing.pdf"], 5),
        ("several: the worst", vec!["validate", "contract.pdf", "revoked.pdf", "contract-tampered.pdf"], 1),
        ("several: trouble is worse", vec!["validate", "contract-tampered.pdf", "missing.pdf"], 5),
    ] {
        let done = lacre(&[&arguments[..], &TRUST[..]].concat());
        assert_eq!(done.status.code(), Some(status), "{situation}\n{}{}", text(&done.stdout), text(&done.stderr));
    }
    for (situation, arguments) in [
        ("no command", vec![]),
        ("unknown option", vec!["validate", "contract.pdf", "--frobnicate"]),
        ("no file", vec!["validate"]),
        ("not a time", vec!["validate", "contract.pdf", "--at", "yesterday"]),
    ] {
        assert_eq!(lacre(&arguments).status.code(), Some(2), "usage: {situation}");
    }
}

#[test]
fn the_long_version_names_who_accepts_values() {
    let short = text(&lacre(&["-V"]).stdout);
    assert_eq!(short, format!("lacre {}\n", env!("CARGO_PKG_VERSION")));
    let long = text(&lacre(&["--version"]).stdout);
    let mut lines = long.lines();
    assert_eq!(lines.next(), Some(short.trim_end()));
    for (what, by) in lacre_core::crypto::implementations() {
        assert!(long.contains(&format!("\n  {what}: {by}\n")), "{what}: {by} in {long}");
    }
    assert!(long.contains("fiat-crypto"), "{long}");
}

#[test]
fn results_go_to_stdout_and_messages_to_stderr() {
    let passed = validate("contract.pdf", &[]);
    assert!(text(&passed.stdout).starts_with("✔ TOTAL-PASSED"), "{}", text(&passed.stdout));
    assert!(passed.stderr.is_empty(), "{}", text(&passed.stderr));

    let refused = validate("make.py", &[]);
    assert!(refused.stdout.is_empty());
    let messages = text(&refused.stderr);
    assert!(messages.starts_with("lacre: error: make.py: the file begins with "), "{messages}");
    assert!(messages.contains("lacre: hint: "), "{messages}");
}

#[test]
fn json_is_one_object_a_line_in_the_order_given() {
    let done = validate("contract.pdf", &["revoked.pdf", "contract-tampered.pdf", "--format", "json"]);
    let names: Vec<String> = text(&done.stdout)
        .lines()
        .map(|line| {
            let object: serde_json::Value = serde_json::from_str(line).expect("each line is an object");
            assert_eq!(object["report"]["schema"], "lacre-report/2");
            assert_eq!(object["report"]["document"]["name"], object["path"]);
            object["path"].as_str().expect("the path was given").to_owned()
        })
        .collect();
    assert_eq!(names, ["contract.pdf", "revoked.pdf", "contract-tampered.pdf"]);
}

#[test]
fn a_detached_content_is_handed_in() {
    let with = validate("letter.txt.p7s", &["--content", "letter.txt", "--format", "json"]);
    let without = validate("letter.txt.p7s", &["--format", "json"]);
    assert!(text(&with.stdout).contains("\"sub_indication\":\"CERTIFICATE_CHAIN_GENERAL_FAILURE\""));
    assert!(text(&without.stdout).contains("\"sub_indication\":\"SIGNED_DATA_NOT_FOUND\""));
}

#[test]
fn standard_input_is_read_as_a_dash() {
    let mut child = common::lacre()
        .args(["validate", "-", "--at", "2027-01-01"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command was built");
    let contract = std::fs::read(examples().join("contract.pdf")).expect("the example is there");
    child.stdin.take().expect("it is piped").write_all(&contract).expect("it reads to the end");
    assert_eq!(
        child.wait_with_output().expect("it ends").status.code(),
        Some(5),
        "whether the signer is trusted cannot be said"
    );
}

#[test]
fn inspected_facts_can_be_judged() {
    let folder = std::env::temp_dir().join(format!("lacre-inspect-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let facts = folder.join("facts.json");
    let facts = facts.to_str().expect("the path is text");
    let inspected = lacre(&["inspect", "contract.pdf", "--format", "json", "-o", facts]);
    assert_eq!(inspected.status.code(), Some(0), "{}", text(&inspected.stderr));
    let judged = lacre(&["judge", facts, "--at", "2027-01-01", "--format", "json"]);
    assert_eq!(judged.status.code(), Some(3), "{}", text(&judged.stderr));
    assert!(text(&judged.stdout).contains("NO_CERTIFICATE_CHAIN_FOUND"));
    let refused = lacre(&["judge", "contract.pdf"]);
    assert_eq!(refused.status.code(), Some(5));
    assert!(text(&refused.stderr).contains("expected DSS diagnostic data"), "{}", text(&refused.stderr));
    std::fs::remove_dir_all(&folder).expect("it was made here");
}

/// The contract with another text in a revision of its own.
fn contract_with_other_text() -> Vec<u8> {
    let mut bytes = std::fs::read(examples().join("contract.pdf")).expect("the example is there");
    let last = text(&bytes).rfind("startxref\n").expect("an end") + "startxref\n".len();
    let previous: String = text(&bytes)[last..].lines().next().expect("a number").to_owned();
    let content = "BT /F 12 Tf 72 720 Td (The price is 900 euros.) Tj ET";
    let at = bytes.len();
    let object = format!("4 0 obj\n<</Length {}>>\nstream\n{content}\nendstream\nendobj\n", content.len());
    let start = at + object.len();
    bytes.extend(object.bytes());
    let trailer = format!("trailer\n<</Size 13/Root 1 0 R/Prev {previous}>>\nstartxref\n{start}\n%%EOF\n");
    bytes.extend(format!("xref\n4 1\n{at:010} 00000 n \n{trailer}").bytes());
    bytes
}

#[test]
fn pages_are_compared_where_that_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("changed.pdf");
    std::fs::write(&file, contract_with_other_text()).expect("written");
    let file = file.to_str().expect("a name");
    let expected = "BBB_FC_IVDBSFR_ANS";
    let findings = |more: &[&str]| text(&validate(file, &[&["--format", "json"], more].concat()).stdout);
    assert!(!findings(&[]).contains(expected), "not asked for");
    let found = findings(&["--compare-pages"]);
    assert!(found.contains(expected), "{found}");
    let told = text(&validate(file, &["--compare-pages"]).stdout);
    assert!(told.contains("[1]"), "{told}");
    let same = validate("contract.pdf", &["--compare-pages"]);
    assert_eq!(same.status.code(), Some(0), "only validation data was added: {}", text(&same.stdout));
    assert!(text(&lacre(&["validate", "--help"]).stdout).contains("--compare-pages"));
}

/// A PDF whose password is known to nobody here: ISO 32000-1 §7.6.4, with values of some other password.
fn encrypted() -> Vec<u8> {
    let digits = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    let objects = format!(
        "1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n2 0 obj <</Type/Pages/Kids[]/Count 0>> endobj\n\
         3 0 obj <</Filter/Standard/V 1/R 2/P -4/O<{digits}>/U<{digits}>>> endobj\n"
    );
    let head = "%PDF-1.7\n";
    let place = |object: &str| head.len() + objects.find(object).expect("it is there");
    let rows: String =
        ["1 0 obj", "2 0 obj", "3 0 obj"].iter().map(|object| format!("{:010} 00000 n \n", place(object))).collect();
    let start = head.len() + objects.len();
    let trailer = "trailer <</Root 1 0 R/Size 4/Encrypt 3 0 R/ID[<30><30>]>>";
    format!("{head}{objects}xref\n1 3\n{rows}{trailer}\nstartxref\n{start}\n%%EOF\n").into_bytes()
}

#[test]
fn an_encrypted_pdf_asks_for_its_password() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("secret.pdf");
    std::fs::write(&file, encrypted()).expect("written");
    let file = file.to_str().expect("a name");
    for arguments in [&["validate", file][..], &["validate", file, "--password", "x"], &["inspect", file]] {
        let done = lacre(arguments);
        let messages = text(&done.stderr);
        assert_eq!(done.status.code(), Some(5), "{messages}");
        assert!(messages.contains("is encrypted"), "{messages}");
        assert!(messages.contains("lacre: hint: --password"), "{messages}");
    }
}

#[test]
fn a_container_says_that_a_pdf_in_it_is_encrypted() {
    let lab = Lab::new();
    let folder = tempfile::tempdir().expect("a folder");
    let open = std::fs::read(examples().join("contract.pdf")).expect("the example is there");
    for (situation, content, expected) in [("encrypted", encrypted(), true), ("not encrypted", open, false)] {
        let container = lab.asic_e(&[("inner.pdf", &content)], &[]).bytes();
        assert!(lab.answer(&container, "c.asice", &[]).passed(), "{situation}: what was signed are its bytes");
        let file = folder.path().join("c.asice");
        std::fs::write(&file, container).expect("written");
        let done = lacre(&["validate", file.to_str().expect("a name"), "--format", "json"]);
        let report: serde_json::Value = serde_json::from_slice(&done.stdout).expect("a report");
        let findings = report["signatures"][0]["findings"].as_array().expect("a list");
        let found = findings.iter().find(|finding| finding["check"] == "BBB_FC_ENCRYPTED_CONTENT_ANS");
        assert_eq!(found.is_some(), expected, "{situation}: {findings:?}");
        assert!(found.is_none_or(|finding| finding.to_string().contains("inner.pdf")), "{found:?}");
    }
}
