//! JWS: levels, and what a header names.

use super::{Given, Row, check};
use base64::prelude::*;
use lacre_testkit::jws::url;
use lacre_testkit::lab::Lab;
use lacre_testkit::pki::sha256;
use serde_json::{Value, json};

fn jws(lab: &Lab, more: Value, change: impl Fn(&mut Value)) -> Given {
    let mut jws = lab.jws(b"a payload", more);
    change(&mut jws);
    Given("contract.json", jws.to_string().into_bytes(), vec![])
}

const JSON: &[Row] = &[
    ("TS 119 182-1 6.3", "no type of the content", |lab| jws(lab, json!({}), |_| ()), &["JSON-NOT-ETSI TOTAL-PASSED"]),
    (
        "TS 119 182-1 6.3",
        "with a type of the content",
        |lab| jws(lab, json!({"cty": "text/plain"}), |_| ()),
        &["JSON-NOT-ETSI TOTAL-PASSED"],
    ),
    (
        "TS 119 182-1 5.1.7",
        "no x5t#S256",
        |lab| jws(lab, json!({"x5t#S256": null}), |_| ()),
        &["JSON-NOT-ETSI TOTAL-PASSED"],
    ),
    (
        "TS 119 182-1 5.1.7",
        "an x5t#S256 of another certificate",
        |lab| jws(lab, json!({"x5t#S256": url(&sha256(&lab.bob.certificate))}), |_| ()),
        &["JSON-NOT-ETSI INDETERMINATE NO_SIGNING_CERTIFICATE_FOUND"],
    ),
    (
        "RFC 7515 4.1.6",
        "the certificate in the header that is not protected",
        |lab| {
            let certificate = BASE64_STANDARD.encode(&lab.alice.certificate);
            jws(lab, json!({"x5c": null}), |jws| jws["header"]["x5c"] = json!([certificate]))
        },
        &["JSON-NOT-ETSI INDETERMINATE NO_SIGNING_CERTIFICATE_FOUND"],
    ),
    (
        "RFC 7515 4.1.6",
        "no certificate",
        |lab| jws(lab, json!({"x5c": null}), |_| ()),
        &["JSON-NOT-ETSI INDETERMINATE NO_SIGNING_CERTIFICATE_FOUND"],
    ),
    (
        "RFC 7515 4.1.11",
        "crit names what is not there",
        |lab| jws(lab, json!({"crit": ["sigT", "sigPl"]}), |_| ()),
        &["JSON-NOT-ETSI TOTAL-PASSED"],
    ),
    (
        "RFC 7515 2",
        "padding behind the value",
        |lab| {
            jws(lab, json!({}), |jws| {
                jws["signature"] = format!("{}==", jws["signature"].as_str().expect("text")).into()
            })
        },
        &["JSON-NOT-ETSI TOTAL-FAILED HASH_FAILURE"],
    ),
    (
        "RFC 7515 5.2",
        "another payload",
        |lab| jws(lab, json!({}), |jws| jws["payload"] = url(b"another").into()),
        &["JSON-NOT-ETSI TOTAL-FAILED HASH_FAILURE"],
    ),
];

#[test]
fn json_signatures() {
    check(JSON, &["signatures"]);
}
