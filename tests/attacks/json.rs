//! JWS and JAdES (RFC 7515, RFC 7797, TS 119 182-1).

use super::Expect::{Finding, FindingNotWhole, NotPassed, Passed};
use super::{Given, Row, check, facts};
use base64::prelude::*;
use lacre_core::algorithm::DigestAlgorithm;
use lacre_core::facts::{Id, TimestampType};
use lacre_testkit::cms::{STAMPED, Token};
use lacre_testkit::jws::url;
use lacre_testkit::lab::Lab;
use lacre_testkit::pki::sha256;
use serde_json::{Value, json};

const PAYLOAD: &[u8] = b"{\"pay\":100}";

fn document(jws: &Value) -> Given {
    Given::new("contract.json", jws.to_string())
}

/// A payload that is not in Base64url.
fn plain(lab: &Lab, critical: &[&str], payload: &str) -> Given {
    let header = lab.header(json!({ "b64": false, "crit": critical }));
    document(&lab.flattened(&header, Some(payload), payload.as_bytes()))
}

/// Files by their URIs, one after the other.
fn joined(lab: &Lab, signed: &[u8], files: &[(&str, &[u8])]) -> Given {
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let data = json!({ "mId": "http://uri.etsi.org/19182/ObjectIdByURI", "pars": names });
    let header = lab.header(json!({ "sigD": data, "b64": false, "crit": ["sigT", "sigD", "b64"] }));
    let given = document(&lab.flattened(&header, None, signed));
    files.iter().fold(given, |given, (name, file)| given.with(name, file))
}

const ONE: &[u8] = b"The price is 100";
const TWO: &[u8] = b"0 is the number of this file.";

const F16: &[Row] = &[
    ("RFC 7797 6", "b64 is not in crit", NotPassed, |lab| plain(lab, &["sigT"], "cGF5IDEwMA")),
    ("RFC 7797 3", "b64 in the unprotected header", Finding, |lab| {
        let mut jws = lab.jws(PAYLOAD, json!({}));
        jws["header"]["b64"] = false.into();
        document(&jws)
    }),
    ("RFC 7515 4.1.11", "crit names what is not there", Finding, |lab| {
        document(&lab.jws(PAYLOAD, json!({ "crit": ["sigT", "sigPl"] })))
    }),
    ("RFC 7515 4.1.11", "crit is empty", Finding, |lab| document(&lab.jws(PAYLOAD, json!({ "crit": [] })))),
    ("TS 119 182-1 5.3.1", "etsiU in the protected header", Finding, |lab| {
        document(&lab.jws(PAYLOAD, json!({ "etsiU": [{ "sigTst": { "tstTokens": [] } }] })))
    }),
    ("RFC 7519 4.1.4", "signed when it had expired", Finding, |lab| {
        document(&lab.jws(PAYLOAD, json!({ "exp": 1_700_000_000 })))
    }),
    ("RFC 7515 2", "the value in Base64 with padding", NotPassed, |lab| {
        let mut jws = lab.jws(PAYLOAD, json!({}));
        let value = jws["signature"].as_str().unwrap_or_default().replace('-', "+").replace('_', "/");
        jws["signature"] = format!("{value}==").into();
        document(&jws)
    }),
    ("TS 119 182-1 5.2.8.3.2", "two files, signed one after the other", FindingNotWhole, |lab| {
        joined(lab, &[ONE, TWO].concat(), &[("a.txt", ONE), ("b.txt", TWO)])
    }),
    ("TS 119 182-1 5.2.8.3.2", "a byte moves from the second file to the first", FindingNotWhole, |lab| {
        let first = [ONE, &TWO[..1]].concat();
        joined(lab, &[ONE, TWO].concat(), &[("a.txt", &first), ("b.txt", &TWO[1..])])
    }),
];

#[test]
fn f16_headers_and_boundaries() {
    check(F16);
}

/// Two files by their digests, handed in under those names.
fn two_files(lab: &Lab, names: [&str; 2]) -> Given {
    let digest = |file: &[u8]| url(&sha256(url(file).as_bytes()));
    let data = json!({
        "mId": "http://uri.etsi.org/19182/ObjectIdByURIHash",
        "pars": ["a.txt", "b.txt"],
        "hashM": "S256",
        "hashV": [digest(ONE), digest(TWO)],
    });
    let header = lab.header(json!({ "sigD": data, "crit": ["sigT", "sigD"] }));
    document(&lab.flattened(&header, None, b"")).with(names[0], ONE).with(names[1], TWO)
}

#[test]
fn f16_names_of_files() {
    check(&[
        ("TS 119 182-1 5.2.8.3.3", "two files under each other's names", NotPassed, |lab| {
            two_files(lab, ["b.txt", "a.txt"])
        }),
        ("TS 119 182-1 5.2.8.3.3", "a file under another name", Finding, |lab| two_files(lab, ["a.txt", "c.txt"])),
        ("TS 119 182-1 5.2.8.1", "more types than files", Finding, |lab| {
            let data = json!({ "mId": "http://uri.etsi.org/19182/ObjectIdByURI", "pars": ["a.txt"], "ctys": ["text/plain", "text/html"] });
            let header = lab.header(json!({ "sigD": data, "b64": false, "crit": ["sigT", "sigD", "b64"] }));
            document(&lab.flattened(&header, None, ONE)).with("a.txt", ONE)
        }),
        ("TS 119 182-1 5.2.8.1", "a type for each file", Passed, |lab| {
            let data =
                json!({ "mId": "http://uri.etsi.org/19182/ObjectIdByURI", "pars": ["a.txt"], "ctys": ["text/plain"] });
            let header = lab.header(json!({ "sigD": data, "b64": false, "crit": ["sigT", "sigD", "b64"] }));
            document(&lab.flattened(&header, None, ONE)).with("a.txt", ONE)
        }),
        ("TS 119 182-1 5.2.8.3.2", "the only file under another name", Finding, |lab| {
            let data = json!({ "mId": "http://uri.etsi.org/19182/ObjectIdByURI", "pars": ["a.txt"] });
            let header = lab.header(json!({ "sigD": data, "b64": false, "crit": ["sigT", "sigD", "b64"] }));
            document(&lab.flattened(&header, None, ONE)).with("c.txt", ONE)
        }),
    ]);
}

/// A counter-signature by Bob that says to sign a file, in a JWS beside which that file is handed in.
fn counter_signed(lab: &Lab, data: Option<Value>) -> Given {
    let mut jws = lab.jws(PAYLOAD, json!({}));
    let more = data.map_or(json!({}), |data| json!({ "crit": ["sigT", "sigD"], "sigD": data }));
    let mut header = lab.header(more);
    header["x5c"] = json!([BASE64_STANDARD.encode(&lab.bob.certificate)]);
    header["x5t#S256"] = url(&sha256(&lab.bob.certificate)).into();
    let protected = url(header.to_string().as_bytes());
    let input = format!("{protected}.{}", jws["signature"].as_str().expect("a value"));
    let value = url(&lab.bob.key.sign_concatenated(input.as_bytes()));
    let stamp = Token::over(value.as_bytes(), STAMPED).by(&lab.tsa);
    let stamp = json!({ "sigTst": { "tstTokens": [{ "val": BASE64_STANDARD.encode(stamp) }] } });
    let counter = json!({ "protected": protected, "signature": value, "header": { "etsiU": [stamp] } });
    jws["header"]["etsiU"].as_array_mut().expect("an array").push(json!({ "cSig": counter }));
    document(&jws)
}

/// A JWS with a counter-signature by Bob, whose archive time-stamp stands behind a revocation list, and is over these bytes more
/// than what comes before the components (TS 119 182-1 §5.3.6.3.1).
fn archived(lab: &Lab, list: &Value, more: &str, encoded: bool) -> String {
    let mut jws: Value = serde_json::from_slice(&counter_signed(lab, None).bytes).expect("JSON");
    let parent = jws["signature"].as_str().expect("a value").to_owned();
    let components = jws["header"]["etsiU"].as_array_mut().expect("an array");
    let counter = &mut components.last_mut().expect("a counter-signature")["cSig"];
    let text = |name: &str| counter[name].as_str().expect("a text").to_owned();
    let stamped = format!("{parent}.{}.{}.{more}", text("protected"), text("signature"));
    let stamp = Token::over(stamped.as_bytes(), STAMPED).by(&lab.tsa);
    let stamp = json!({ "arcTst": { "tstTokens": [{ "val": BASE64_STANDARD.encode(stamp) }] } });
    counter["header"]["etsiU"] = json!([list, stamp]);
    if encoded {
        for component in components {
            *component = url(component.to_string().as_bytes()).into();
        }
    }
    jws.to_string()
}

/// TS 119 182-1 §5.3.6.3.1: it is over the components as they stand, in a counter-signature as well.
#[test]
fn archive_time_stamps_in_counter_signatures_are_over_what_is_before_them() {
    let lab = Lab::new();
    let list = json!({ "rVals": { "crlVals": [{ "val": BASE64_STANDARD.encode(&lab.crl) }] } });
    for encoded in [false, true] {
        for (more, expected) in [(list.to_string(), true), (String::new(), false)] {
            let facts = facts(&lab, archived(&lab, &list, &more, encoded));
            let stamp = facts.timestamps.iter().find(|one| one.kind == TimestampType::Archive).expect("a time-stamp");
            let intact = stamp.digest_matchers.iter().all(|matcher| matcher.data_intact);
            assert_eq!(intact, expected, "encoded: {encoded}, over {more:?}");
        }
    }
}

const EVIL: (&str, &[u8]) = ("evil.json", b"{\"pay\":900}");

/// A file by its digest.
fn by_digest(file: (&str, &[u8])) -> Value {
    json!({
        "mId": "http://uri.etsi.org/19182/ObjectIdByURIHash",
        "pars": [file.0],
        "hashM": "S256",
        "hashV": [url(&sha256(url(file.1).as_bytes()))],
    })
}

#[test]
fn counter_signatures_sign_no_content() {
    check(&[
        ("TS 119 182-1 5.3.2", "a counter-signature", Passed, |lab| counter_signed(lab, None)),
        ("TS 119 182-1 5.3.2", "a counter-signature says to sign a file by its digest", Finding, |lab| {
            counter_signed(lab, Some(by_digest(EVIL))).with(EVIL.0, EVIL.1)
        }),
        ("TS 119 182-1 5.3.2", "a counter-signature says to sign a field", Finding, |lab| {
            let data = json!({ "mId": "http://uri.etsi.org/19182/HttpHeaders", "pars": [EVIL.0] });
            counter_signed(lab, Some(data)).with(EVIL.0, EVIL.1)
        }),
        ("TS 119 182-1 5.2.8.1", "a file by its digest beside a payload", NotPassed, |lab| {
            let header = lab.header(json!({ "crit": ["sigT", "sigD"], "sigD": by_digest(EVIL) }));
            let payload = url(PAYLOAD);
            document(&lab.flattened(&header, Some(&payload), payload.as_bytes())).with(EVIL.0, EVIL.1)
        }),
    ]);
}

/// A JWS over fields of an HTTP message.
fn fields(lab: &Lab, names: &[&str], signed: &[u8]) -> Given {
    let data = json!({ "mId": "http://uri.etsi.org/19182/HttpHeaders", "pars": names });
    let header = lab.header(json!({ "sigD": data, "b64": false, "crit": ["sigT", "sigD", "b64"] }));
    document(&lab.flattened(&header, None, signed))
}

#[test]
fn fields_of_messages() {
    check(&[
        ("TS 119 182-1 5.2.8.2", "two fields", Passed, |lab| {
            fields(lab, &["x", "y"], b"x: a\ny: b").with("X", b"a").with("y", b"b")
        }),
        ("RFC 9110 5.6.3", "white space that is not that of HTTP was added", NotPassed, |lab| {
            fields(lab, &["x"], b"x: a, b").with("x", "\u{a0}a, b".as_bytes())
        }),
        ("RFC 9110 5.5", "lines were added", NotPassed, |lab| {
            fields(lab, &["x"], b"x: a, b").with("x", b"\n\n a, b\n")
        }),
        ("RFC 9110 5.5", "a value of two lines", NotPassed, |lab| {
            fields(lab, &["x", "y"], b"x: a\nb\ny: c").with("x", b"a\nb").with("y", b"c")
        }),
        ("draft-cavage-http-signatures-10 2.3", "two files as one field", FindingNotWhole, |lab| {
            fields(lab, &["x"], b"x: a, b").with("x", b"a").with("X", b"b")
        }),
        ("draft-cavage-http-signatures-10 2.3", "a field twice", NotPassed, |lab| {
            fields(lab, &["x", "X"], b"x: a\nx: a").with("x", b"a")
        }),
    ]);
}

/// A JWS with one more component of `etsiU`.
fn with_component(lab: &Lab, component: Value) -> Given {
    let mut jws = lab.jws(PAYLOAD, json!({}));
    jws["header"]["etsiU"].as_array_mut().expect("an array").push(component);
    document(&jws)
}

const UNREAD: &[Row] = &[
    ("TS 119 182-1 5.2.6", "adoTst that is no token", Finding, |lab| {
        document(&lab.jws(PAYLOAD, json!({ "adoTst": { "tstTokens": [{ "val": "AAAA" }] } })))
    }),
    ("TS 119 182-1 5.2.6", "adoTst that is not Base64", Finding, |lab| {
        document(&lab.jws(PAYLOAD, json!({ "adoTst": { "tstTokens": [{ "val": "!!!!" }] } })))
    }),
    ("TS 119 182-1 5.2.6", "adoTst without a token", Finding, |lab| {
        document(&lab.jws(PAYLOAD, json!({ "adoTst": { "tstTokens": [] } })))
    }),
    ("TS 119 182-1 5.3.6.3", "arcTst that is not Base64", Finding, |lab| {
        with_component(lab, json!({ "arcTst": { "tstTokens": [{ "val": "!!!!" }] } }))
    }),
    ("TS 119 182-1 5.3.6.3", "arcTst without a token", Finding, |lab| with_component(lab, json!({ "arcTst": {} }))),
    ("TS 119 182-1 5.3.5.1", "xVals that is not Base64", Finding, |lab| {
        with_component(lab, json!({ "xVals": [{ "x509Cert": { "val": "!!!!" } }] }))
    }),
    ("TS 119 182-1 5.3.5.2", "rVals that is not Base64", Finding, |lab| {
        with_component(lab, json!({ "rVals": { "ocspVals": [{ "val": "!!!!" }] } }))
    }),
    ("RFC 7515 4.1.6", "x5c whose first is not Base64", Finding, |lab| {
        document(&lab.jws(PAYLOAD, json!({ "x5c": ["!!!", BASE64_STANDARD.encode(&lab.alice.certificate)] })))
    }),
    ("RFC 7515 4.1.6", "x5c whose first is no text", Finding, |lab| {
        document(&lab.jws(PAYLOAD, json!({ "x5c": [1, BASE64_STANDARD.encode(&lab.alice.certificate)] })))
    }),
    ("RFC 7515 4.1.6", "x5c whose first is no certificate", Finding, |lab| {
        document(&lab.jws(PAYLOAD, json!({ "x5c": ["AAAA", BASE64_STANDARD.encode(&lab.alice.certificate)] })))
    }),
];

#[test]
fn what_cannot_be_read_is_said() {
    check(UNREAD);
}

#[test]
fn f8_contents_beside_json() {
    check(&[("EN 319 102-1 5.2.2", "attached, another content given", NotPassed, |lab| {
        document(&lab.jws(PAYLOAD, json!({}))).with("evil.json", b"{\"pay\":900}")
    })]);
}

#[test]
fn a_payload_that_is_not_at_hand_has_a_known_digest_function() {
    let lab = Lab::new();
    let facts = facts(&lab, lab.flattened(&lab.header(json!({})), None, PAYLOAD).to_string());
    let input = &facts.signatures[0].digest_matchers[0];
    assert_eq!((input.digest.algorithm, input.data_found), (Some(DigestAlgorithm::Sha256), false), "RFC 7518 3.1");
}

const LITERATURE: &[Row] = &[
    ("RFC 7515 5.2", "the payload is another", NotPassed, |lab| {
        let mut jws = lab.jws(PAYLOAD, json!({}));
        jws["payload"] = url(b"{\"pay\":900}").into();
        document(&jws)
    }),
    ("RFC 7518 3.6", "alg none", NotPassed, |lab| {
        let mut jws = lab.jws(PAYLOAD, json!({ "alg": "none" }));
        jws["signature"] = "".into();
        document(&jws)
    }),
    ("RFC 8725 3.1", "HS256 with the certificate", NotPassed, |lab| {
        document(&lab.jws(PAYLOAD, json!({ "alg": "HS256" })))
    }),
    ("RFC 7515 4.1.11", "crit names what nobody knows", NotPassed, |lab| {
        document(&lab.jws(PAYLOAD, json!({ "crit": ["sigT", "foo"], "foo": 1 })))
    }),
    ("RFC 8259 4", "the payload twice", NotPassed, |lab| {
        let jws = lab.jws(PAYLOAD, json!({})).to_string();
        let second = format!(",\"payload\":\"{}\"}}", url(b"{\"pay\":900}"));
        Given::new("contract.json", format!("{}{second}", &jws[..jws.len() - 1]))
    }),
];

#[test]
fn attacks_of_the_literature_on_json() {
    check(LITERATURE);
}

/// RFC 7515 §5.2: why a JWS is invalid is said, and not that something was changed.
#[test]
fn what_is_wrong_with_a_header() {
    let lab = Lab::new();
    let unknown = lab.jws(PAYLOAD, json!({ "alg": "XX999" }));
    let critical = lab.jws(PAYLOAD, json!({ "crit": ["sigT", "foo"], "foo": 1 }));
    let mut twice = lab.jws(PAYLOAD, json!({}));
    twice["header"]["alg"] = "ES256".into();
    for (clause, jws, indication, finding) in [
        ("EN 319 102-1 5.2.7.4", unknown, "INDETERMINATE", "BBB_CV_DIGEST_KNOWN_ANS"),
        ("RFC 7515 4.1.11", critical, "TOTAL-FAILED", "BBB_FC_FORMAT_VIOLATION_ANS"),
        ("RFC 7515 4", twice, "TOTAL-FAILED", "BBB_FC_FORMAT_VIOLATION_ANS"),
    ] {
        let answer = lab.answer(jws.to_string().as_bytes(), "contract.json", &[]);
        let said = answer.about.iter().any(|name| name == finding);
        assert!(answer.indication == indication && said, "{clause}: {}", answer.line());
    }
}

const CONTROLS: &[Row] = &[
    ("RFC 7515 7.2.2", "attached", Passed, |lab| document(&lab.jws(PAYLOAD, json!({})))),
    ("RFC 7797 5.2", "b64 in crit", Passed, |lab| plain(lab, &["b64", "sigT"], "pay 100")),
    ("TS 119 182-1 5.2.8.3.2", "one file", Passed, |lab| joined(lab, ONE, &[("a.txt", ONE)])),
    ("TS 119 182-1 5.2.2.2", "x5t#o by the name of XML Signature", Passed, |lab| {
        let digest = json!({ "digAlg": "http://www.w3.org/2001/04/xmlenc#sha256", "digVal": url(&sha256(&lab.alice.certificate)) });
        let mut header = lab.header(json!({ "x5t#o": digest }));
        header.as_object_mut().expect("an object").remove("x5t#S256");
        let payload = url(PAYLOAD);
        document(&lab.flattened(&header, Some(&payload), payload.as_bytes()))
    }),
    ("RFC 3986 2.1", "a file by its digest, its name escaped", Passed, |lab| {
        let header = lab.header(json!({ "crit": ["sigT", "sigD"], "sigD": by_digest(("a%20b.txt", ONE)) }));
        document(&lab.flattened(&header, None, b"")).with("a b.txt", ONE)
    }),
    ("TS 119 182-1 5.2.8.3.3", "two files by their digests", Passed, |lab| two_files(lab, ["a.txt", "b.txt"])),
];

#[test]
fn json_as_it_should_be() {
    check(CONTROLS);
}

/// TS 119 182-1 §A.1.5.1: `sigRTst` is over the value, the signature time-stamps and the references; `rfsTst` (§A.1.5.2) is over
/// the references alone. What else stands before them existed later, for all they say.
#[test]
fn a_time_stamp_over_references_covers_no_other_time_stamp() {
    let lab = Lab::new();
    let mut jws = lab.jws(b"I agree.", json!({}));
    let stamp = |bytes: &[u8]| json!({ "tstTokens": [{ "val": BASE64_STANDARD.encode(Token::over(bytes, STAMPED).by(&lab.tsa)) }] });
    let unsigned = jws["header"]["etsiU"].as_array_mut().expect("an array");
    unsigned.extend([
        json!({ "arcTst": stamp(b"archive") }),
        json!({ "sigRTst": stamp(b"value and references") }),
        json!({ "rfsTst": stamp(b"references") }),
    ]);
    let facts = facts(&lab, jws.to_string());
    let of = |kind| facts.timestamps.iter().find(|stamp| stamp.kind == kind).unwrap_or_else(|| panic!("{kind:?}"));
    let covers = |kind, id: &Id| of(kind).covered.iter().any(|covered| covered.id == *id);
    let ids = [&facts.signatures[0].id, &of(TimestampType::Signature).id, &of(TimestampType::Archive).id];
    let covered = |kind| ids.map(|id| covers(kind, id));
    assert_eq!(covered(TimestampType::ValidationData), [true, true, false]);
    assert_eq!(covered(TimestampType::ValidationDataRefsOnly), [false; 3]);
}

/// EN 319 102-1 §5.2.3: who signed is said where the certificates of the signer are. What stands among the values is whoever's.
#[test]
fn a_certificate_among_the_values_names_no_signer() {
    let lab = Lab::new();
    let mut jws = lab.jws(b"I agree.", json!({}));
    jws["protected"] = url(br#"{"alg":"ES256"}"#).into();
    let unit = BASE64_STANDARD.encode(&lab.tsa.certificate);
    jws["header"]["etsiU"] = json!([{ "xVals": [{ "x509Cert": { "val": unit } }] }]);
    assert_eq!(facts(&lab, jws.to_string()).signatures[0].signing_certificate, None);
}
