//! Certificates judged by themselves: the front door, its JSON, and what it asks for.

use jsonschema::Validator as Schema;
use lacre::{
    CertificateReport, Policy, Validator,
    issuance::{Issuer, Locations, Profile, RevocationList, RevocationReason, Revoked, Validity},
    report::{CertificateQualification, Language, WantedKind},
};
use lacre_core::{
    crypto::{KeyKind, SigningKey as _, SoftwareKey},
    x509::Certificate,
};
use lacre_testkit::authorities::{key, legal, randomness, time};
use serde_json::Value;

fn schema() -> (Value, Schema) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/certificate.schema.json");
    let text: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("it is in the tree")).expect("JSON");
    let schema = jsonschema::draft202012::new(&text).expect("the schema is one of JSON Schema 2020-12");
    (text, schema)
}

fn breaches(schema: &Schema, json: &str) -> Vec<String> {
    let json: Value = serde_json::from_str(json).expect("it is JSON");
    schema.iter_errors(&json).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// A root and a certificate below it.
struct Pki {
    root: Certificate,
    key: SoftwareKey,
    signer: Certificate,
}

impl Pki {
    fn new() -> Self {
        let [key, of_signer] = [(); 2].map(|()| key(KeyKind::P256));
        let locations = Locations {
            issuer: Some("http://pki.example/ca.der".into()),
            ocsp: Some("http://pki.example/ocsp".into()),
            crl: Some("http://pki.example/ca.crl".into()),
            disclosure: vec![],
        };
        let validity = |to| Validity { from: time("2026-01-01T00:00:00Z"), to: time(to) };
        let of_root = validity("2046-01-01T00:00:00Z");
        let root = Issuer::root(&legal("Root"), &key, of_root, locations.clone(), &mut randomness()).unwrap();
        let root = root.certificate().clone();
        let signer = Issuer::new(root.clone(), &key, locations).unwrap().issue(
            Profile::LegalPersonQualifiedDevice,
            &legal("Seal"),
            of_signer.public_key(),
            validity("2028-01-01T00:00:00Z"),
            &mut randomness(),
        );
        Self { root, signer: signer.unwrap(), key }
    }

    fn crl(&self, this_update: &str, next_update: &str, revoked: bool) -> Vec<u8> {
        let since = time("2027-02-01T00:00:00Z");
        let entry = Revoked { serial: self.signer.serial().to_vec(), since, reason: RevocationReason::KeyCompromise };
        let revoked = if revoked { std::slice::from_ref(&entry) } else { &[] };
        let (this_update, next_update) = (time(this_update), time(next_update));
        let list = RevocationList { number: 1, this_update, next_update, revoked };
        let issuer = Issuer::new(self.root.clone(), &self.key, Locations::default()).unwrap();
        issuer.revocation_list(&list, &mut randomness()).unwrap()
    }
}

fn outcome(report: &CertificateReport) -> String {
    report.indication().to_string() + &report.sub_indication().map_or(String::new(), |sub| format!("/{sub}"))
}

#[test]
fn what_is_said_of_a_certificate_and_what_would_help() {
    use WantedKind::{Crl, Issuer as Authority, Ocsp, TrustedList};
    let pki = Pki::new();
    let fresh = pki.crl("2027-03-01T00:00:00Z", "2027-03-08T00:00:00Z", false);
    let stale = pki.crl("2026-12-01T00:00:00Z", "2026-12-08T00:00:00Z", false);
    let revoked = pki.crl("2027-03-01T00:00:00Z", "2027-03-08T00:00:00Z", true);
    let (root, schema) = (pki.root.der().to_vec(), schema().1);
    for (clause, situation, anchor, evidence, expected, wanted) in [
        ("5.2.6.4", "a chain and a CRL", true, vec![&fresh], "PASSED", vec![]),
        ("5.2.6.4", "no CRL", true, vec![], "INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE", vec![Ocsp, Crl]),
        ("5.2.5", "an old CRL, which the policy lets pass", true, vec![&stale], "PASSED", vec![]),
        ("5.2.6.4", "revoked", true, vec![&revoked], "INDETERMINATE/REVOKED_NO_POE", vec![]),
        (
            "5.2.6.4 2)",
            "nobody is trusted",
            false,
            vec![&root, &fresh],
            "INDETERMINATE/NO_CERTIFICATE_CHAIN_FOUND",
            vec![TrustedList],
        ),
        (
            "5.2.6.4 2)",
            "the issuer is not known",
            false,
            vec![],
            "INDETERMINATE/NO_CERTIFICATE_CHAIN_FOUND",
            vec![Authority, Ocsp, Crl, TrustedList],
        ),
    ] {
        let mut validator = Validator::new(Policy::dss());
        if anchor {
            validator = validator.trust_anchor(&root).unwrap();
        }
        for bytes in evidence {
            validator = validator.evidence(bytes).unwrap();
        }
        let report = validator.certificate(pki.signer.der(), time("2027-03-02T00:00:00Z")).unwrap();
        assert_eq!(outcome(&report), expected, "{clause}: {situation}\n{}", report.to_text());
        let kinds: Vec<WantedKind> = report.wanted().iter().map(|want| want.kind).collect();
        assert_eq!(kinds, wanted, "{clause}: {situation}");
        assert_eq!(report.qualification_at_time(), CertificateQualification::Na, "no list, no qualification");
        for language in Language::ALL {
            let report = report.clone().named("seal.der").in_language(*language);
            assert_eq!(breaches(&schema, &report.to_json()), Vec::<String>::new(), "{situation} in {language}");
            assert!(report.to_text().contains("Seal"), "{situation} in {language}");
        }
    }
}

#[test]
fn what_is_no_certificate() {
    let (_, schema) = schema();
    let validator = Validator::new(Policy::eidas());
    for (bytes, found) in [(&b"<html>"[..], "`<html>`"), (b"", "nothing"), (b"\x30\x03\x02\x01\x00", "the bytes")] {
        let error = validator.certificate(bytes, time("2027-03-02T00:00:00Z")).expect_err("no certificate");
        assert!(error.to_string().starts_with(&format!("found {found}")), "{error}");
        let line = CertificateReport::error_json("file", &error.to_string());
        assert_eq!(breaches(&schema, &line), Vec::<String>::new());
    }
}

#[test]
fn the_word_lists_and_shared_parts_are_ours() {
    let (text, _) = schema();
    let report = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/report.schema.json");
    let report: Value = serde_json::from_str(&std::fs::read_to_string(report).expect("in the tree")).expect("JSON");
    let ours: Vec<&str> = CertificateQualification::ALL.iter().map(|word| word.as_str()).collect();
    assert_eq!(text["$defs"]["qualification"]["enum"], Value::from(ours));
    for shared in ["time", "sha256", "id", "sub_indication", "finding", "certificate"] {
        assert_eq!(text["$defs"][shared], report["$defs"][shared], "{shared}");
    }
    for shared in ["generator", "policy", "certificates", "trusted_lists", "trust", "wanted"] {
        assert_eq!(text["$defs"]["report"]["properties"][shared], report["properties"][shared], "{shared}");
    }
    let service = &report["$defs"]["signature"]["properties"]["trust_service"];
    assert_eq!(&text["$defs"]["report"]["properties"]["trust_service"], service);
}
