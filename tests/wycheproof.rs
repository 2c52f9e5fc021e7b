//! Wycheproof's vectors for the verification of signatures, whole, against a ledger.
//!
//! `valid` and `acceptable` values must verify and `invalid` ones must not. Where we differ on purpose,
//! `conformance/wycheproof.tsv` says so with a reason, and a row there that no longer applies fails as well.

use std::collections::{BTreeMap, BTreeSet};

use lacre_core::{
    algorithm::{DigestAlgorithm, KeyAlgorithm, MaskGeneration, PssParameters, SignatureAlgorithm, ValueForm},
    asn1::{Tag, Writer},
    crypto::{PublicKey, Signed, digest, verify},
};
use lacre_testkit::vectors;
use serde_json::Value;

const LEDGER: &str = include_str!("conformance/wycheproof.tsv");

#[test]
fn signatures_verify_as_the_vectors_say() {
    let mut ledger: BTreeMap<(String, u64), &str> = BTreeMap::new();
    for line in LEDGER.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let [file, case, reason] = line.splitn(3, '\t').collect::<Vec<_>>()[..] else { panic!("ledger: {line}") };
        ledger.insert((file.to_owned(), case.parse().expect("a number")), reason);
    }

    let (mut vectors, mut wrong, mut uncovered) = (0, vec![], BTreeSet::new());
    for content in vectors::wycheproof() {
        let file = content["file"].as_str().unwrap();
        for group in content["testGroups"].as_array().unwrap() {
            let Some(algorithm) = algorithm(group) else {
                uncovered.insert(file.to_owned());
                continue;
            };
            let key = PublicKey::from_spki(&spki(group));
            for test in group["tests"].as_array().unwrap() {
                // FIPS 204 contexts other than the empty one have no place in X.509 or CMS (RFC 9881, RFC 9882).
                if test["ctx"].as_str().is_some_and(|context| !context.is_empty()) {
                    continue;
                }
                vectors += 1;
                let case = test["tcId"].as_u64().unwrap();
                let (message, value) = (unhex(&test["msg"]), unhex(&test["sig"]));
                let found = match &key {
                    Ok(key) => verify(key, &algorithm, Signed::Message(&message), &value).map_err(|e| e.to_string()),
                    Err(error) => Err(error.to_string()),
                };
                // A supplied digest is verified by the portable backend, a message by the faster one where there is one.
                if let (Ok(key), false, Some(function)) = (&key, algorithm.needs_message(), algorithm.digest) {
                    let digest = digest(function, &message).unwrap();
                    let portable = verify(key, &algorithm, Signed::Digest(&digest), &value);
                    assert_eq!(portable.is_ok(), found.is_ok(), "{file} {case}: by message and by digest");
                }
                let expected = test["result"] != "invalid";
                let listed = ledger.remove(&(file.to_owned(), case)).is_some();
                if (found.is_ok() == expected) == listed {
                    let listed = if listed { " (in the ledger)" } else { "" };
                    wrong.push(format!("{file} {case}{listed}: {} {found:?} {}", test["result"], test["comment"]));
                }
            }
        }
    }
    println!("{vectors} vectors; not covered: {uncovered:?}");
    assert!(vectors > 39_900, "the vectors are incomplete: {vectors}");
    assert_eq!(uncovered, BTreeSet::from(["json_web_signature_test".to_owned()]), "files that nothing was tried of");
    assert!(ledger.is_empty(), "not found: {ledger:?}");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// The algorithm that a group of vectors states; none where the door has no such thing.
fn algorithm(group: &Value) -> Option<SignatureAlgorithm> {
    let digest = |name: &str| group[name].as_str().and_then(DigestAlgorithm::from_name);
    let of = |key, form| Some(SignatureAlgorithm { form, ..SignatureAlgorithm::new(key, digest("sha")) });
    match group["type"].as_str()? {
        "EcdsaVerify" => of(KeyAlgorithm::Ecdsa, ValueForm::Usual),
        "EcdsaP1363Verify" => of(KeyAlgorithm::Ecdsa, ValueForm::Concatenated),
        "RsassaPkcs1Verify" => of(KeyAlgorithm::Rsa, ValueForm::Usual),
        "EddsaVerify" => of(KeyAlgorithm::EdDsa, ValueForm::Usual),
        "RsassaPssVerify" | "RsassaPssWithParametersVerify" => {
            let mask = match group["mgf"].as_str()? {
                "MGF1" => MaskGeneration::Mgf1(digest("mgfSha")?),
                shake => MaskGeneration::Shake(DigestAlgorithm::from_name(shake)?),
            };
            let salt_length = group["sLen"].as_u64().map(|length| length as u32);
            let pss = Some(PssParameters { mask, salt_length });
            Some(SignatureAlgorithm { pss, ..SignatureAlgorithm::new(KeyAlgorithm::RsassaPss, digest("sha")) })
        }
        "MlDsaVerify" => {
            let key = group["publicKey"].as_str().or(group["publicKeyDer"].as_str())?;
            // FIPS 204 table 2: 1,312, 1,952 and 2,592 bytes, with some more around them in DER.
            let key = match key.len() / 2 {
                0..=1631 => KeyAlgorithm::MlDsa44,
                1632..=2271 => KeyAlgorithm::MlDsa65,
                _ => KeyAlgorithm::MlDsa87,
            };
            Some(SignatureAlgorithm::new(key, None))
        }
        // tests/jws_vectors.rs has these.
        "JsonWebSignature" => None,
        other => panic!("unknown kind of vectors {other}"),
    }
}

/// The group's key, wrapped here where the file has it bare only.
fn spki(group: &Value) -> Vec<u8> {
    if group["publicKeyDer"].is_string() {
        return unhex(&group["publicKeyDer"]);
    }
    let key = unhex(&group["publicKey"]);
    let oid = algorithm(group).and_then(|algorithm| algorithm.oid()).expect("ML-DSA has an OID");
    let mut writer = Writer::new();
    writer.sequence(|info| {
        info.sequence(|identifier| {
            identifier.element(Tag::OID, der::oid::ObjectIdentifier::new(oid).unwrap().as_bytes());
        });
        info.element(Tag::BIT_STRING, &[&[0][..], &key].concat());
    });
    writer.finish()
}

fn unhex(digits: &Value) -> Vec<u8> {
    let digits = digits.as_str().unwrap();
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}
