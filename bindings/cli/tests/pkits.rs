//! NIST's PKITS through `lacre certificate`: the command says what the library says (`tests/pkits.rs` holds that to what NIST
//! expects), and ends accordingly.

mod common;

use lacre_testkit::pkits::{Objects, Test};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The suite as files.
fn unpack(folder: &Path) {
    let (certificates, crls) = (Objects::certificates(), Objects::crls());
    for (name, der) in certificates.all().chain(crls.all()) {
        std::fs::write(folder.join(name), der).expect("a file is written");
    }
    std::fs::write(folder.join("paths.xml"), lacre_testkit::path_policy::path_policy(true, false))
        .expect("a file is written");
}

/// The exit status and the indication.
fn command(folder: &Path, test: &Test) -> (i32, String) {
    let file = |name: &str| -> PathBuf { folder.join(name) };
    let mut command = common::lacre();
    command.arg("certificate").arg(file(test.certificate)).args(["--format", "json", "--at", "2026-11-01T00:00:00Z"]);
    command.arg("--trust-anchor").arg(file("TrustAnchorRootCertificate")).arg("--policy").arg(file("paths.xml"));
    for name in test.authorities.iter().chain(&test.crls).chain(&["TrustAnchorRootCRL"]) {
        command.arg("--evidence").arg(file(name));
    }
    let output = command.output().expect("the command was built");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output.status.code().unwrap_or(-1), report["indication"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn every_test_of_pkits() {
    let folder = tempfile::tempdir().expect("a folder");
    unpack(folder.path());
    let ledger: BTreeSet<&str> = include_str!("../../../tests/conformance/pkits.tsv")
        .lines()
        .filter_map(|row| row.strip_prefix("certificate\t")?.split('\t').next())
        .collect();
    let mut wrong = vec![];
    for test in lacre_testkit::pkits::tests().iter().filter(|test| test.is_plain()) {
        let expected = test.valid && !ledger.contains(test.name.as_str());
        let (status, indication) = command(folder.path(), test);
        let good = (status, indication.as_str()) == (0, "PASSED");
        let bad = matches!(status, 1 | 3) && ["INDETERMINATE", "FAILED"].contains(&indication.as_str());
        if !(if expected { good } else { bad }) {
            wrong.push(format!(
                "{} {}: exit {status}, {indication:?}, expected valid {expected}",
                test.name, test.certificate
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
