//! Wycheproof's JSON web signatures, through the door that documents take, against a ledger.
//!
//! Values under public keys only: a MAC (`HS256`) is nobody's signature and is never accepted.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use lacre::Budget;
use lacre_core::{
    asn1::{Oid, Tag, Writer},
    crypto::{PublicKey, Signed, verify},
    formats::{
        Contents,
        draft::{SignedBytes, ValueCheck},
        jose::Unpacked,
    },
};
use lacre_testkit::vectors;
use serde_json::Value;
use std::collections::BTreeMap;

const LEDGER: &str = include_str!("conformance/jws.tsv");

const RSA: Oid<'static> = Oid::from_content(&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]);
const EC: Oid<'static> = Oid::from_content(&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]);

/// A JSON Web Key (RFC 7518 §6.2, §6.3) as `SubjectPublicKeyInfo`; none for keys that are not public.
fn spki(jwk: &Value) -> Option<Vec<u8>> {
    let part = |name: &str| URL_SAFE_NO_PAD.decode(jwk[name].as_str()?).ok();
    let mut key = Writer::new();
    let curve: &[u8] = match (jwk["kty"].as_str()?, jwk["crv"].as_str()) {
        ("RSA", _) => {
            let (modulus, exponent) = (part("n")?, part("e")?);
            key.sequence(|key| {
                key.unsigned(&modulus).unsigned(&exponent);
            });
            &[]
        }
        ("EC", Some("P-256")) => &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07],
        ("EC", Some("P-384")) => &[0x2b, 0x81, 0x04, 0x00, 0x22],
        ("EC", Some("P-521")) => &[0x2b, 0x81, 0x04, 0x00, 0x23],
        _ => return None,
    };
    let bytes = if curve.is_empty() { key.finish() } else { [vec![4], part("x")?, part("y")?].concat() };
    let mut info = Writer::new();
    info.sequence(|info| {
        info.sequence(|algorithm| {
            if curve.is_empty() {
                algorithm.oid(RSA).null();
            } else {
                algorithm.oid(EC).element(Tag::OID, curve);
            }
        });
        info.element(Tag::BIT_STRING, &[&[0], &bytes[..]].concat());
    });
    Some(info.finish())
}

/// Whether one of the signatures that can be read verifies under the key.
fn verifies(jws: &str, key: Option<&PublicKey>) -> bool {
    let Ok(Some(unpacked)) = Unpacked::read(jws.as_bytes(), !jws.starts_with('{'), &Budget::default()) else {
        return false;
    };
    let value = |check: &ValueCheck<'_>| {
        let (Some(key), Some(algorithm)) = (key, &check.algorithm) else { return false };
        check.signed.iter().any(|signed| {
            let whole;
            let signed = match signed {
                SignedBytes::Message(bytes) => Signed::Message(bytes),
                SignedBytes::Shared(bytes) => Signed::Message(bytes),
                SignedBytes::Pieces(pieces) => {
                    whole = pieces.concat();
                    Signed::Message(&whole)
                }
                SignedBytes::Digest(bytes) => Signed::Digest(bytes),
            };
            verify(key, algorithm, signed, &check.value).is_ok()
        })
    };
    let draft = unpacked.draft(&Contents::default(), &Budget::default()).expect("it is within the budget");
    draft.signatures.iter().any(|signature| value(&signature.check))
}

#[test]
fn signatures_verify_as_the_vectors_say() {
    let content = vectors::wycheproof().find(|content| content["file"] == "json_web_signature_test").expect("the file");
    let lines = LEDGER.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut ledger: BTreeMap<u64, &str> = lines
        .map(|line| {
            let (case, reason) = line.split_once('\t').unwrap_or_else(|| panic!("ledger: {line}"));
            (case.parse().expect("a number"), reason)
        })
        .collect();
    let (mut vectors, mut macs, mut wrong) = (0, 0, vec![]);
    for group in content["testGroups"].as_array().expect("groups") {
        let public = if group["public"].is_object() { &group["public"] } else { &group["private"] };
        let key = spki(public).and_then(|spki| PublicKey::from_spki(&spki).ok());
        for test in group["tests"].as_array().expect("tests") {
            vectors += 1;
            macs += usize::from(key.is_none());
            let case = test["tcId"].as_u64().expect("a number");
            // Some vectors hold the JSON itself rather than its text.
            let jws = test["jws"].as_str().map_or_else(|| test["jws"].to_string(), Into::into);
            let found = verifies(&jws, key.as_ref());
            let expected = test["result"] == "valid" && key.is_some();
            let listed = ledger.remove(&case).is_some();
            if (found == expected) == listed {
                let listed = if listed { " (in the ledger)" } else { "" };
                wrong.push(format!("{case}{listed}: {} {found} {}", test["result"], test["comment"]));
            }
        }
    }
    println!("{vectors} vectors, {macs} of them under keys that are not public");
    assert!(vectors > 300, "the vectors are incomplete: {vectors}");
    assert!(ledger.is_empty(), "not found: {ledger:?}");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
