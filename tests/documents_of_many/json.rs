//! JSON signatures.

use super::cms::TEXT;
use base64::prelude::*;
use lacre_testkit::cms::{STAMPED, Token};
use lacre_testkit::jws::url;
use lacre_testkit::lab::Lab;
use serde_json::{Value, json};

pub fn jws_signatures(lab: &Lab, count: usize) -> Vec<u8> {
    let mut one = lab.jws(TEXT, json!({}));
    let payload = one.as_object_mut().and_then(|one| one.remove("payload"));
    json!({ "payload": payload, "signatures": vec![one; count] }).to_string().into_bytes()
}

pub fn jws_timestamps(lab: &Lab, count: usize) -> Vec<u8> {
    let mut one = lab.jws(TEXT, json!({}));
    let token = BASE64_STANDARD.encode(Token::over(b"", STAMPED).by(&lab.tsa));
    let stamp = json!({ "arcTst": { "tstTokens": [{ "val": token }] } });
    let unsigned = one["header"]["etsiU"].as_array_mut().expect("an array");
    unsigned.extend(vec![stamp; count]);
    one.to_string().into_bytes()
}

pub fn jws_content_timestamps(lab: &Lab, count: usize) -> Vec<u8> {
    let token = BASE64_STANDARD.encode(Token::over(b"", STAMPED).by(&lab.tsa));
    let stamps = json!({ "adoTst": { "tstTokens": vec![json!({ "val": token }); count] } });
    lab.jws(TEXT, stamps).to_string().into_bytes()
}

pub fn jws_members(lab: &Lab, count: usize) -> Vec<u8> {
    let members = |prefix: &str| (0..count).map(|number| (format!("{prefix}{number}"), json!(1))).collect();
    let mut jws = lab.jws(TEXT, Value::Object(members("a")));
    jws["header"] = Value::Object(members("b"));
    jws.to_string().into_bytes()
}

pub fn jws_fields(lab: &Lab, count: usize) -> Vec<u8> {
    let data = json!({ "mId": "http://uri.etsi.org/19182/HttpHeaders", "pars": vec!["x"; count] });
    let header = lab.header(json!({ "sigD": data, "b64": false, "crit": ["sigT", "sigD", "b64"] }));
    lab.flattened(&header, None, b"").to_string().into_bytes()
}

pub fn jws_components(lab: &Lab, count: usize) -> Vec<u8> {
    let mut jws = lab.jws(TEXT, json!({}));
    jws["header"]["etsiU"] = json!(vec![1; count]);
    jws.to_string().into_bytes()
}

/// A JWS without a certificate, with the rest of its members.
pub fn bare_jws(header: &Value, rest: Value) -> Vec<u8> {
    let mut jws = json!({ "protected": url(header.to_string().as_bytes()), "signature": url(&[7; 64]) });
    jws.as_object_mut().into_iter().for_each(|jws| jws.extend(rest.as_object().cloned().into_iter().flatten()));
    jws.to_string().into_bytes()
}

/// Signatures over one payload of so many bytes.
pub fn signatures_over_one_payload(algorithm: &str, count: usize, bytes: usize) -> Vec<u8> {
    let protected = url(json!({ "alg": algorithm }).to_string().as_bytes());
    let entry = |number: usize| json!({ "protected": protected, "signature": url(format!("{number:064}").as_bytes()) });
    let entries: Vec<Value> = (0..count).map(entry).collect();
    json!({ "payload": url(&vec![7; bytes]), "signatures": entries }).to_string().into_bytes()
}
