//! x509-limbo against RFC 5280 path validation, every case with the outcome it expects or a reason in the ledger.
//!
//! Cases under `webpki::` ask for the rules of the CA/Browser Forum and are left out. The rest run twice: through
//! `x509::path`, and, as far as they can be asked there, through the front door, `Validator::certificate`, under a policy
//! of nothing but RFC 5280 §6.1 and §6.3. There no purpose, no longest path and no profile can be asked for, and who
//! trusts a certificate trusts it whatever stands in it; what differs for that has a row in a ledger of its own.

use base64::Engine as _;
use lacre::{Budget, Time, Validator};
use lacre_core::{
    policy::Policy,
    x509::{
        Certificate, Crl,
        path::{self, PathOptions},
    },
};
use lacre_testkit::{path_policy::path_policy, vectors};
use serde_json::Value;
use std::collections::BTreeMap;

fn der(pem: &str) -> Vec<u8> {
    let body: String = pem.lines().filter(|line| !line.starts_with("-----")).collect();
    base64::engine::general_purpose::STANDARD.decode(body.trim()).expect("PEM of the suite")
}

/// Those that can be read; a certificate that cannot is as good as none.
fn certificates(list: &Value) -> Vec<Certificate> {
    let pems = list.as_array().into_iter().flatten().filter_map(Value::as_str);
    pems.filter_map(|pem| Certificate::from_der(&der(pem)).ok()).collect()
}

/// Whether the case's path is found valid, and if not, why.
fn outcome(case: &Value) -> Result<(), String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let first = Certificate::from_der(&der(&text(&case["peer_certificate"]))).map_err(|error| error.to_string())?;
    let time = match case["validation_time"].as_str() {
        Some(time) => time.parse::<Time>().expect("a time of the suite"),
        None => "2025-06-01T00:00:00Z".parse().expect("a time"),
    };
    let usage = match case["extended_key_usage"][0].as_str() {
        Some("clientAuth") => Some("1.3.6.1.5.5.7.3.2".to_owned()),
        Some("serverAuth") => Some("1.3.6.1.5.5.7.3.1".to_owned()),
        _ => None,
    };
    let options = PathOptions {
        extended_key_usage: usage,
        max_intermediates: case["max_chain_depth"].as_u64().map(|depth| depth as usize),
        profile: true,
        ..PathOptions::at(time)
    };
    let budget = Budget::default();
    let (anchors, intermediates) =
        (certificates(&case["trusted_certs"]), certificates(&case["untrusted_intermediates"]));
    let found = path::find(&first, &intermediates, &anchors, &options, &budget).map_err(|error| error.to_string())?;
    let crls = case["crls"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let crls: Vec<Crl> = crls.filter_map(|pem| Crl::from_der(&der(pem)).ok()).collect();
    path::check_revocation(&found, &crls, time, &budget).map_err(|error| error.to_string())
}

/// RFC 5280 §6.1 and the profile of §4; where a case has CRLs, what §6.3 makes of them as well.
fn path_rules(revocation: bool) -> Policy {
    Policy::from_bytes(path_policy(revocation, true).as_bytes()).expect("a policy")
}

/// Whether the front door finds the case's certificate good, and if not, why; `None` where it cannot be asked.
fn through_the_front_door(case: &Value, policies: &[Policy; 2]) -> Option<Result<(), String>> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if case["max_chain_depth"].is_u64() {
        return None;
    }
    let time = case["validation_time"].as_str().unwrap_or("2025-06-01T00:00:00Z").parse::<Time>().ok()?;
    let revocation = case["crls"].as_array().is_some_and(|list| !list.is_empty());
    let [without, with] = policies;
    let mut validator = Validator::new(if revocation { with.clone() } else { without.clone() });
    for anchor in certificates(&case["trusted_certs"]) {
        validator = validator.trust_anchor(anchor.der()).ok()?;
    }
    let crls = case["crls"].as_array().into_iter().flatten();
    for pem in case["untrusted_intermediates"].as_array().into_iter().flatten().chain(crls) {
        validator = validator.clone().evidence(&der(&text(pem))).unwrap_or(validator);
    }
    let report = validator.certificate(&der(&text(&case["peer_certificate"])), time);
    Some(match report {
        Err(error) => Err(error.to_string()),
        Ok(report) if report.indication().to_string() == "PASSED" => Ok(()),
        Ok(report) => Err(report
            .verdict()
            .findings
            .errors
            .iter()
            .map(|error| error.key().to_string())
            .collect::<Vec<_>>()
            .join(" ")),
    })
}

#[test]
fn x509_limbo() {
    run(include_str!("conformance/x509-limbo.tsv"), |case| Some(outcome(case)));
}

#[test]
fn x509_limbo_through_the_front_door() {
    let policies = [false, true].map(path_rules);
    run(include_str!("conformance/x509-limbo-validator.tsv"), |case| through_the_front_door(case, &policies));
}

/// Runs the suite: each case has the outcome that it expects, or a row in the ledger, which must still be needed.
fn run(ledger: &str, outcome: impl Fn(&Value) -> Option<Result<(), String>>) {
    let mut ledger: BTreeMap<&str, &str> =
        ledger.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t')).collect();
    let (mut passed, mut expected, mut left_out, mut wrong) = (0, 0, 0, Vec::new());
    for case in &vectors::limbo() {
        let id = case["id"].as_str().expect("an id");
        let Some(found) = outcome(case) else {
            left_out += 1;
            continue;
        };
        let agrees = found.is_ok() == (case["expected_result"] == "SUCCESS");
        match (agrees, ledger.remove(id)) {
            (true, None) => passed += 1,
            (false, Some(_)) => expected += 1,
            (true, Some(reason)) => wrong.push(format!("{id}: unexpected success, but the ledger says: {reason}")),
            (false, None) => wrong.push(format!("{id}: expected {}, found {found:?}", case["expected_result"])),
        }
    }
    println!("{passed} as expected, {expected} diverge for a reason, {left_out} cannot be asked");
    wrong.extend(ledger.keys().map(|id| format!("{id}: in the ledger, but not in the suite")));
    assert!(passed > 100, "the suite is incomplete: {passed} as expected");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
