//! NIST's PKITS against RFC 5280 path validation: every test as NIST expects, or with the clause in `conformance/pkits.tsv`.

use lacre::{Budget, Time, Validator};
use lacre_core::{
    policy::Policy,
    x509::{
        Certificate,
        path::{self, PathOptions},
    },
};
use lacre_testkit::pkits::{Objects, Test};
use std::collections::BTreeMap;

struct Suite {
    certificates: Objects,
    crls: Objects,
    time: Time,
}

impl Suite {
    fn new() -> Self {
        let suite = Self {
            certificates: Objects::certificates(),
            crls: Objects::crls(),
            time: "2026-11-01T00:00:00Z".parse().expect("a time"),
        };
        assert_eq!((suite.certificates.count(), suite.crls.count()), (405, 173));
        suite
    }

    fn certificate(&self, name: &str) -> Result<Certificate, String> {
        Certificate::from_der(self.certificates.get(name)).map_err(|error| error.to_string())
    }

    /// The test's own CRLs, and the anchor's.
    fn crls<'s>(&'s self, test: &'s Test) -> impl Iterator<Item = &'s [u8]> {
        test.crls.iter().chain(&["TrustAnchorRootCRL"]).map(|name| self.crls.get(name))
    }

    /// What `x509::path` says of the path, without regard to revocation.
    fn path(&self, test: &Test) -> Result<(), String> {
        let options = PathOptions {
            policies: test.policies.clone(),
            inhibit_policy_mapping: test.inhibit_policy_mapping,
            require_explicit_policy: test.explicit_policy,
            inhibit_any_policy: test.inhibit_any_policy,
            ..PathOptions::at(self.time)
        };
        let budget = Budget::default();
        let anchors = [self.certificate("TrustAnchorRootCertificate")?];
        let others: Vec<Certificate> = test.authorities.iter().filter_map(|name| self.certificate(name).ok()).collect();
        let first = self.certificate(test.certificate)?;
        path::find(&first, &others, &anchors, &options, &budget).map(drop).map_err(|error| error.to_string())
    }

    /// What the judgement of a certificate says.
    fn front_door(&self, test: &Test, policy: &Policy) -> Result<(), String> {
        let mut validator = Validator::new(policy.clone());
        let anchor = self.certificates.get("TrustAnchorRootCertificate");
        validator = validator.trust_anchor(anchor).map_err(|error| error.to_string())?;
        let authorities = test.authorities.iter().map(|name| self.certificates.get(name));
        for der in authorities.chain(self.crls(test)) {
            validator = validator.clone().evidence(der).unwrap_or(validator);
        }
        let report = validator
            .certificate(self.certificates.get(test.certificate), self.time)
            .map_err(|error| error.to_string())?;
        let keys = report.verdict().findings.errors.iter().map(|error| error.key().to_string());
        match report.indication().to_string().as_str() {
            "PASSED" => Ok(()),
            _ => Err(keys.collect::<Vec<_>>().join(" ")),
        }
    }
}

/// Holds each test to what NIST expects. A row of the ledger (door, test, reason) must still be needed.
fn hold(door: &str, outcome: impl Fn(&Test) -> Option<Result<(), String>>) {
    let rows = include_str!("conformance/pkits.tsv").lines().filter(|line| !line.starts_with('#'));
    let mut ledger: BTreeMap<&str, &str> = rows
        .filter_map(|row| row.split_once('\t'))
        .filter(|(of, _)| *of == door)
        .filter_map(|(_, row)| row.split_once('\t'))
        .collect();
    let (mut asked, mut wrong) = (0, vec![]);
    for test in lacre_testkit::pkits::tests() {
        let Some(found) = outcome(&test) else { continue };
        asked += 1;
        match (found.is_ok() == test.valid, ledger.remove(test.name.as_str())) {
            (true, None) | (false, Some(_)) => {}
            (true, Some(reason)) => wrong.push(format!("{}: as expected, but the ledger says: {reason}", test.name)),
            (false, None) => {
                wrong.push(format!("{} {}: valid {}, found {found:?}", test.name, test.certificate, test.valid))
            }
        }
    }
    wrong.extend(ledger.keys().map(|test| format!("{test}: in the ledger, but not in the suite")));
    println!("{door}: {asked} tests");
    assert!(asked > 100, "{asked} tests");
    assert!(wrong.is_empty(), "{} of {asked}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn pkits_by_the_path_algorithm() {
    let suite = Suite::new();
    // What CRLs alone make invalid is for the front door.
    hold("path", |test| (test.valid || !test.is_plain()).then(|| suite.path(test)));
}

#[test]
fn pkits_through_the_front_door() {
    let suite = Suite::new();
    let policy = Policy::from_bytes(lacre_testkit::path_policy::path_policy(true, false).as_bytes()).expect("a policy");
    hold("certificate", |test| test.is_plain().then(|| suite.front_door(test, &policy)));
}
