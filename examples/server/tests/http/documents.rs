//! Documents that are prepared, finished and extended, with keys of the server and of its callers, and time-stamping
//! authorities that the test starts.

use crate::signing::assert_unauthorized;
use crate::support::server::{Answer, Server, example};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre::issuance::{
    Certificate, CertificateStatus, Issuer, Locations, OcspResponder, OcspUpdate, Profile, TimestampUnit,
};
use lacre::signing::{DigestAlgorithm, KeyKind, SignatureAlgorithm, SigningKey as _, SoftwareKey};
use lacre_server::registry::tokens;
use lacre_server::storage::{self, Person};
use lacre_server::{clock, rng};
use lacre_testkit::authorities::{Pki, key, now, randomness};
use lacre_testkit::http::{Reply, Request, Server as Authorities};
use lacre_testkit::served;
use serde_json::{Value, json};
use std::sync::{Arc, OnceLock};

const PREPARE: &str = "/api/signature/document/prepare";
const FINISH: &str = "/api/signature/document/finish";
const EXTEND: &str = "/api/signature/document/extend";
const FORM: (&str, &str) = ("Content-Type", "multipart/form-data; boundary=b");

type Unit = (Certificate, SoftwareKey);

fn stamped((certificate, key): &Unit, request: &[u8]) -> Vec<u8> {
    let issuer = Issuer::new(certificate.clone(), key, Locations::default()).expect("its own key");
    TimestampUnit::new(issuer).respond(request, now(), &mut randomness()).expect("the key signs")
}

/// The authority's answer of now: everything is good.
fn ocsp(pki: &Pki, request: &[u8]) -> Vec<u8> {
    let responder = OcspResponder::new(pki.authority.clone(), pki.issuer());
    let update = OcspUpdate { this_update: now(), next_update: now().plus_millis(86_400_000) };
    responder.respond(request, &|_: &[u8]| CertificateStatus::Good, update, &mut randomness()).expect("the key signs")
}

/// Authorities on the loopback address, and a server that may ask them.
struct World {
    pki: Arc<OnceLock<Pki>>,
    unit: Arc<OnceLock<Unit>>,
    authorities: Authorities,
    server: Server,
    token: String,
    stranger: String,
    _folder: tempfile::TempDir,
}

impl World {
    /// With these authorities, by their paths, and these arguments.
    fn new(tsas: &[&str], arguments: &[&str]) -> Self {
        let unit: Arc<OnceLock<Unit>> = Arc::default();
        let own = Arc::clone(&unit);
        let answer = move |pki: &Pki, request: &Request| {
            let unit = own.get_or_init(|| {
                let key = key(KeyKind::P256);
                (pki.issue(Profile::TimestampUnit, &key), key)
            });
            match request.path.as_str() {
                "/tsa" => {
                    let kind = ("Content-Type", "application/timestamp-reply".to_owned());
                    Some(Reply::Whole(200, vec![kind], stamped(unit, &request.body)))
                }
                "/page" => Some(Reply::ok(b"<!DOCTYPE html><html><title>Welcome</title></html>".to_vec())),
                "/broken" => Some(Reply::status(503)),
                _ => Some(Reply::ok(ocsp(pki, &served::ocsp_request(request)?))),
            }
        };
        let (pki, authorities) = served::start(answer);
        let known = pki.get().expect("it is made");
        unit.get_or_init(|| {
            let key = key(KeyKind::P256);
            (known.issue(Profile::TimestampUnit, &key), key)
        });
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(path("root.der"), known.root.der()).unwrap();
        let stranger = stranger(&path("store.redb"));
        let (store, root, address) = (path("store.redb"), path("root.der"), authorities.address());
        let mut all = vec!["--store", &store, "--trust-anchor", &root, "--fetch-allow", &address];
        let urls: Vec<String> = tsas.iter().map(|path| authorities.url(path)).collect();
        let urls = urls.join(",");
        if !tsas.is_empty() {
            all.extend(["--tsa", &urls]);
        }
        all.extend(arguments);
        let (server, token) = Server::demo(&all);
        Self { pki, unit, authorities, server, token, stranger, _folder: folder }
    }

    fn pki(&self) -> &Pki {
        self.pki.get().unwrap()
    }

    fn post(&self, path: &str, parts: &[(&str, &[u8])]) -> Answer {
        self.post_as(&self.token, path, parts)
    }

    fn post_as(&self, token: &str, path: &str, parts: &[(&str, &[u8])]) -> Answer {
        self.server.post(path, &[FORM, ("X-AUTH-TOKEN", token)], &form(parts))
    }

    /// The id of the key that the server keeps for its user.
    fn key_id(&self) -> String {
        let listed = self.server.get("/api/signature/certificates/?keyIds=text", &[("X-AUTH-TOKEN", &self.token)]);
        listed.json()[0]["keyInfo"]["keyId"].as_str().expect("an id").to_owned()
    }

    /// Prepares a signature.
    fn prepared(&self, request: &Value, document: &[u8]) -> Value {
        let answer = self.post(PREPARE, &[("request", request.to_string().as_bytes()), ("document", document)]);
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    /// What the server itself says of a file: its indication, and the levels of its signatures.
    fn judged(&self, file: &[u8], content: Option<&[u8]>) -> (String, Vec<String>) {
        let mut parts = vec![("document", file)];
        parts.extend(content.map(|content| ("contents", content)));
        let headers = [FORM, ("Accept", "application/json")];
        let answer = self.server.post("/api/Document/Validate/Pdf/own", &headers, &form(&parts));
        assert_eq!(answer.status, 200, "{}", answer.text());
        let report = answer.json();
        let levels = report["signatures"].as_array().unwrap().iter();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (text(&report["conclusion"]["indication"]), levels.map(|one| text(&one["level"])).collect())
    }

    fn assert_signed(&self, answer: &Answer, level: &str, content: Option<&[u8]>) {
        assert_eq!(answer.status, 200, "{level}: {}", String::from_utf8_lossy(&answer.body));
        assert_eq!(answer.header("x-signature-level"), Some(level));
        assert_eq!(self.judged(&answer.body, content), ("TOTAL-PASSED".to_owned(), vec![level.to_owned()]));
    }

    /// Answers what is wanted, as a caller would who asks for it.
    fn answer(&self, want: &Value) -> (&'static str, Vec<u8>) {
        let request = want["request"].as_str().map(|text| BASE64_STANDARD.decode(text).unwrap());
        match want["kind"].as_str().unwrap() {
            "timestamp" => {
                assert_eq!(want["contentType"], "application/timestamp-query");
                ("timestamps", stamped(self.unit.get().unwrap(), &request.expect("a request")))
            }
            "ocsp" => ("evidence", ocsp(self.pki(), &request.expect("a request"))),
            "issuer" => ("evidence", self.pki().authority.der().to_vec()),
            "crl" => {
                let url = want["urls"][0].as_str().unwrap();
                ("evidence", if url.ends_with("/root.crl") { self.pki().root_crl() } else { self.pki().crl(false) })
            }
            kind => panic!("{kind}: {want}"),
        }
    }
}

/// The token of another user.
fn stranger(place: &str) -> String {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = storage::open(place, None).await.unwrap();
        let person = Person::known_as("stranger".parse().unwrap(), "PT");
        tokens::issue(&*store, person, None, clock::now()).await.unwrap().text().to_owned()
    })
}

fn form(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = vec![];
    for (name, content) in parts {
        let file = if matches!(*name, "document" | "contents") { r#"; filename="letter.txt""# } else { "" };
        bytes.extend(format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n").as_bytes());
        bytes.extend_from_slice(content);
        bytes.extend(b"\r\n");
    }
    bytes.extend(b"--b--\r\n");
    bytes
}

/// The answer is a problem of that kind and code.
fn assert_refused(answer: &Answer, status: u16, kind: &str, code: Option<&str>) {
    let told = String::from_utf8_lossy(&answer.body).into_owned();
    assert_eq!((answer.status, answer.header("content-type")), (status, Some("application/problem+json")), "{told}");
    let problem = answer.json();
    assert_eq!(problem["type"], format!("/problems/{kind}"), "{told}");
    assert_eq!(problem["status"], status, "RFC 9457 3.1.2");
    assert_eq!(problem["code"].as_str(), code, "{told}");
    assert!(!problem["detail"].as_str().unwrap().is_empty());
}

/// A caller's own key, with its certificate.
struct Own {
    key: SoftwareKey,
    certificate: Certificate,
}

impl Own {
    fn new(pki: &Pki, kind: KeyKind) -> Self {
        let key = key(kind);
        Self { certificate: pki.issue(Profile::NaturalPerson, &key), key }
    }

    fn request(&self, pki: &Pki, more: Value) -> Value {
        let encoded = |certificate: &Certificate| BASE64_STANDARD.encode(certificate.der());
        let mut request = json!({
            "certificate": encoded(&self.certificate), "chain": [encoded(&pki.authority), encoded(&pki.root)],
        });
        for (name, value) in more.as_object().unwrap() {
            request[name] = value.clone();
        }
        request
    }

    fn value(&self, prepared: &Value, algorithm: SignatureAlgorithm) -> String {
        let digest = BASE64_STANDARD.decode(prepared["digest"].as_str().unwrap()).unwrap();
        BASE64_STANDARD.encode(self.key.sign(&algorithm, &digest, &mut rng::system()).unwrap())
    }
}

#[test]
fn with_a_key_of_the_server() {
    let world = World::new(&["/broken", "/tsa"], &["--fetch-evidence"]);
    let key_id = world.key_id();
    let (letter, pdf) = (example("letter.txt"), example("not-signed.pdf"));
    for (format, document, options, levels) in [
        ("PAdES", &pdf, json!({"reason": "agreed"}), &["B", "T", "LT", "LTA"][..]),
        ("CAdES", &letter, json!({}), &["B", "T", "LTA"]),
        ("CAdES", &letter, json!({"packaging": "detached"}), &["B", "LTA"]),
    ] {
        let content = options["packaging"].as_str().map(|_| &letter[..]);
        for level in levels {
            let request = json!({"format": format, "level": level, "keyId": key_id, "options": options});
            let prepared = world.prepared(&request, document);
            assert_eq!(prepared["algorithm"], "SHA256withECDSA");
            let state = prepared["state"].to_string();
            let parts = [("state", state.as_bytes()), ("document", document), ("keyId", key_id.as_bytes())];
            let answer = world.post(FINISH, &[&parts[..], &[("level", level.as_bytes())]].concat());
            world.assert_signed(&answer, &format!("{format}-BASELINE-{level}"), content);
            let media = match (format, content) {
                ("PAdES", _) => "application/pdf",
                (_, None) => "application/pkcs7-mime",
                _ => "application/pkcs7-signature",
            };
            assert_eq!(answer.header("content-type"), Some(media));
            if format == "PAdES" {
                assert!(answer.body.starts_with(document), "what was there stays");
            }
        }
    }
    let told = std::iter::repeat_with(|| world.server.logged("request"));
    let told = told.into_iter().find(|line| !line["signature_level"].is_null()).expect("one of them");
    assert_eq!((&told["route"], &told["signature_level"]), (&json!(FINISH), &json!("PAdES-BASELINE-B")));
    assert_eq!(told["document_sha256"].as_str().map(str::len), Some(64));
    let metrics = world.server.get("/metrics", &[]).text();
    assert!(metrics.contains(r#"lacre_documents_total{operation="finish",level="PAdES-BASELINE-LTA"} 1"#), "{metrics}");
}

#[test]
fn with_a_key_of_the_caller() {
    let world = World::new(&["/tsa"], &["--fetch-evidence"]);
    let pdf = example("not-signed.pdf");
    for (kind, stated, algorithm) in [
        (KeyKind::P256, None, "SHA256withECDSA"),
        (KeyKind::P256, Some("ES256"), "SHA256withECDSA"),
        (KeyKind::P384, None, "SHA384withECDSA"),
        (KeyKind::Rsa3072, None, "SHA256withRSA"),
        (KeyKind::Rsa3072, Some("PS512"), "SHA512withRSASSA-PSS"),
    ] {
        let own = Own::new(world.pki(), kind);
        let mut more = json!({"level": "LT", "parameters": {"claimedRoles": ["Procurador"], "country": "PT"}});
        if let Some(name) = stated {
            more["signatureAlgorithm"] = json!(name);
        }
        let prepared = world.prepared(&own.request(world.pki(), more), &pdf);
        assert_eq!((&prepared["algorithm"], &prepared["needsMessage"]), (&json!(algorithm), &json!(false)));
        let names = ["SHA256", "SHA384", "SHA512"];
        let function = [DigestAlgorithm::Sha256, DigestAlgorithm::Sha384, DigestAlgorithm::Sha512]
            [names.iter().position(|name| prepared["digestAlgorithm"] == *name).expect("a digest function")];
        let kind = own.key.algorithm(function).key;
        let kind = if algorithm.ends_with("PSS") { lacre::signing::KeyAlgorithm::RsassaPss } else { kind };
        let signed_with = SignatureAlgorithm::new(kind, Some(function));
        // As a smart card has it: the two numbers one after the other.
        let signed_with = if stated == Some("ES256") { signed_with.concatenated() } else { signed_with };
        let (state, value) = (prepared["state"].to_string(), own.value(&prepared, signed_with));
        let parts = [("state", state.as_bytes()), ("document", &pdf), ("value", value.as_bytes()), ("level", b"LT")];
        world.assert_signed(&world.post(FINISH, &parts), "PAdES-BASELINE-LT", None);
    }
}

#[test]
fn what_only_cades_states() {
    let world = World::new(&[], &[]);
    let own = Own::new(world.pki(), KeyKind::P256);
    let letter = example("letter.txt");
    let sign = |options: Value| {
        let parameters = json!({
            "signedAssertions": ["Sócia gerente"],
            "qualifiedCommitments": [{"oid": "1.2.3.4", "qualifiers": [{"oid": "1.2.3.5", "value": "BQA="}]}],
        });
        let more = json!({"format": "CAdES", "options": options, "parameters": parameters});
        let prepared = world.prepared(&own.request(world.pki(), more), &letter);
        let (state, value) =
            (prepared["state"].to_string(), own.value(&prepared, own.key.algorithm(DigestAlgorithm::Sha256)));
        let parts = [("state", state.as_bytes()), ("document", &letter[..]), ("value", value.as_bytes())];
        let answer = world.post(FINISH, &parts);
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.body
    };
    let question = sign(json!({"packaging": "detached", "identifier": BASE64_STANDARD.encode("question 1")}));
    let answer = sign(json!({"packaging": "detached", "about": BASE64_STANDARD.encode(&question)}));
    let facts = lacre::Validator::new(lacre::Policy::eidas())
        .facts(&lacre::Document::new(&answer).with_content("letter.txt", &letter), clock::now())
        .unwrap();
    let signature = &facts.signatures[0];
    let reference = signature.content_reference.as_ref().expect("RFC 2634 2.11");
    assert_eq!(reference.identifier, "question 1");
    assert!(question.windows(reference.value.0.len()).any(|bytes| bytes == reference.value.0));
    assert_eq!(signature.commitments[0].identifier, "1.2.3.4", "EN 319 122-1 5.2.3");
    assert_eq!(signature.commitments[0].qualifiers[0].value.as_ref().unwrap().0, [5, 0]);
    assert_eq!(signature.roles[0].role, "Sócia gerente", "5.2.6.1");
}

#[test]
fn what_is_refused() {
    let world = World::new(&[], &["--max-body", "2000000"]);
    let key_id = world.key_id();
    let own = Own::new(world.pki(), KeyKind::P256);
    let (pdf, letter) = (example("not-signed.pdf"), example("letter.txt"));
    let prepared = world.prepared(&own.request(world.pki(), json!({})), &pdf);
    let usual = own.key.algorithm(DigestAlgorithm::Sha256);
    let (state, value) = (prepared["state"].to_string(), own.value(&prepared, usual));
    let finish = |state: &str, document: &[u8], more: &[(&str, &[u8])]| {
        world.post(FINISH, &[&[("state", state.as_bytes()), ("document", document)], more].concat())
    };
    let good = [("value", value.as_bytes())];

    let mut changed = prepared["state"].clone();
    changed["document"]["length"] = json!(1);
    let tampered = finish(&changed.to_string(), &pdf, &good);
    assert_refused(&tampered, 422, "signing", Some("state-tampered"));
    let mut other = prepared["state"].clone();
    other["version"] = json!(7);
    assert_refused(&finish(&other.to_string(), &pdf, &good), 422, "signing", Some("state-of-other-version"));
    assert_refused(&finish("{", &pdf, &good), 422, "signing", Some("state-unreadable"));
    assert_refused(&finish(&state, &letter, &good), 422, "signing", Some("content-differs"));
    let mut flipped = pdf.clone();
    flipped[100] ^= 1;
    assert_refused(&finish(&state, &flipped, &good), 422, "signing", Some("content-differs"));
    let wrong = BASE64_STANDARD.encode(own.key.sign(&usual, &[7; 32], &mut rng::system()).unwrap());
    let answer = finish(&state, &pdf, &[("value", wrong.as_bytes())]);
    assert_refused(&answer, 422, "signing", Some("value-does-not-verify"));
    assert_refused(&finish(&state, &pdf, &[("value", b"AAAA")]), 422, "signing", Some("value-form"));
    assert_refused(&finish(&state, &pdf, &[("value", b"#")]), 400, "bad-parameter", None);
    assert_refused(&finish(&state, &pdf, &[]), 400, "bad-parameter", None);
    assert_refused(&finish(&state, &pdf, &[good[0], ("keyId", b"7")]), 400, "bad-parameter", None);
    assert_refused(&finish(&state, &pdf, &[good[0], ("level", b"C")]), 400, "bad-parameter", None);
    assert_refused(&finish(&state, &pdf, &[good[0], ("tsa", b"http://example.org")]), 400, "bad-form", None);
    // The server's key is not that of the certificate that was prepared with.
    let answer = finish(&state, &pdf, &[("keyId", key_id.as_bytes())]);
    assert_refused(&answer, 422, "signing", Some("certificate-key-mismatch"));
    // What was refused leaves the state good.
    world.assert_b(&finish(&state, &pdf, &good));

    let prepare = |token: &str, request: &Value, document: &[u8]| {
        world.post_as(token, PREPARE, &[("request", request.to_string().as_bytes()), ("document", document)])
    };
    let by_key = json!({"keyId": key_id});
    let broken = [b"%PDF-1.7\n", &[b'x'; 500][..]].concat();
    assert_refused(&prepare(&world.token, &by_key, &broken), 422, "signing", Some("document-unreadable"));
    for (request, status, kind, code) in [
        (json!({}), 400, "bad-parameter", None),
        (own.request(world.pki(), json!({"keyId": key_id})), 400, "bad-parameter", None),
        (json!({"keyId": "x"}), 400, "bad-parameter", None),
        (json!({"keyId": key_id, "level": "Z"}), 400, "bad-json", None),
        (json!({"keyId": key_id, "tsa": "http://example.org"}), 400, "bad-json", None),
        (json!({"certificate": "AAAA"}), 422, "signing", Some("parameter-invalid")),
        (json!({"keyId": "7"}), 404, "unknown-key", None),
        (json!({"keyId": key_id, "signatureAlgorithm": "RS256"}), 422, "signing", Some("algorithm-key-mismatch")),
        (
            json!({"keyId": key_id, "format": "CAdES", "options": {"reason": "x"}}),
            422,
            "signing",
            Some("parameter-not-in-format"),
        ),
        (
            json!({"keyId": key_id, "parameters": {"signingTime": "2020-01-01T00:00:00Z"}}),
            422,
            "signing",
            Some("certificate-outside-validity"),
        ),
        (json!({"keyId": key_id, "options": {"field": "none"}}), 422, "signing", Some("field-not-found")),
    ] {
        let answer = prepare(&world.token, &request, &pdf);
        assert_refused(&answer, status, kind, code);
    }

    // Whoever has no token, and whoever has another's key.
    assert_refused(&prepare(&world.stranger, &by_key, &pdf), 404, "unknown-key", None);
    let of_server = world.prepared(&by_key, &pdf)["state"].to_string();
    let parts = [("state", of_server.as_bytes()), ("document", &pdf[..]), ("keyId", key_id.as_bytes())];
    assert_refused(&world.post_as(&world.stranger, FINISH, &parts), 404, "unknown-key", None);
    for path in [PREPARE, FINISH, EXTEND] {
        assert_unauthorized(&world.server.post(path, &[FORM], &form(&parts)));
        let large = world.post(path, &[("document", &vec![b'x'; 2_000_001])]);
        assert_refused(&large, 413, "too-large", None);
        let no_form = world.server.post(path, &[("X-AUTH-TOKEN", &world.token)], &pdf);
        assert_refused(&no_form, 415, "media-type", None);
        assert_refused(&world.post(path, &[("level", b"T")]), 400, "bad-form", None);
    }
    let extend =
        |document: &[u8], more: &[(&str, &[u8])]| world.post(EXTEND, &[&[("document", document)], more].concat());
    assert_refused(&extend(&pdf, &[]), 422, "signing", Some("no-signature"));
    assert_refused(&extend(&letter, &[]), 422, "signing", Some("document-unreadable"));
    assert_refused(&extend(&pdf, &[("level", b"B")]), 400, "bad-parameter", None);
    assert_refused(&extend(&pdf, &[("freshness", b"new")]), 400, "bad-parameter", None);
    assert_refused(&extend(&pdf, &[("overlook", b"all")]), 400, "bad-parameter", None);
    assert_refused(&extend(&pdf, &[("evidence", b"what")]), 422, "signing", Some("evidence-unreadable"));
    let signed = finish(&state, &pdf, &good).body;
    assert_refused(&extend(&signed, &[("signature", b"S-none")]), 422, "signing", Some("signature-not-found"));
}

impl World {
    /// Level B by a certificate about which the server knows no revocation data.
    fn assert_b(&self, answer: &Answer) {
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        assert_eq!(answer.header("x-signature-level"), Some("PAdES-BASELINE-B"));
        assert_eq!(self.judged(&answer.body, None).1, ["PAdES-BASELINE-B"]);
    }
}

#[test]
fn authorities_that_give_no_time_stamp() {
    for (paths, code) in [(&["/broken"][..], "tsa-unreachable"), (&["/broken", "/page"], "tsa-reply-unreadable")] {
        let world = World::new(paths, &["--fetch-evidence"]);
        let (key_id, pdf) = (world.key_id(), example("not-signed.pdf"));
        let prepared = world.prepared(&json!({"keyId": key_id, "level": "T"}), &pdf);
        let state = prepared["state"].to_string();
        let parts = [("state", state.as_bytes()), ("document", &pdf[..]), ("keyId", key_id.as_bytes())];
        let answer = world.post(FINISH, &[&parts[..], &[("level", b"T")]].concat());
        assert_refused(&answer, 502, "timestamp", Some(code));
        assert!(!answer.text().contains(&world.authorities.address()), "addresses are the operator's");
        let signed = world.post(FINISH, &parts);
        world.assert_signed(&signed, "PAdES-BASELINE-B", None);
        let extended = world.post(EXTEND, &[("document", &signed.body), ("level", b"T")]);
        assert_refused(&extended, 502, "timestamp", Some(code));
    }
    let world = World::new(&["/broken"], &[]);
    let asked = world.authorities.asked().len();
    let (key_id, pdf) = (world.key_id(), example("not-signed.pdf"));
    let prepared = world.prepared(&json!({"keyId": key_id, "level": "T"}), &pdf);
    let (state, other) = (prepared["state"].to_string(), example("letter.txt"));
    let parts = [("state", state.as_bytes()), ("document", &other[..]), ("keyId", key_id.as_bytes()), ("level", b"T")];
    assert_refused(&world.post(FINISH, &parts), 422, "signing", Some("content-differs"));
    assert_eq!(world.authorities.asked().len(), asked, "a time-stamp costs money: not for what cannot be finished");
}

/// Nothing is asked by the server: the caller asks for what is wanted, and sends the form again with it.
#[test]
fn with_what_the_caller_hands_in() {
    let world = World::new(&[], &[]);
    let (key_id, pdf, letter) = (world.key_id(), example("not-signed.pdf"), example("letter.txt"));
    for (document, form) in [(&pdf, "PAdES"), (&letter, "CAdES")] {
        let prepared = world.prepared(&json!({"keyId": key_id, "level": "LTA"}), document);
        let state = prepared["state"].to_string();
        let begin = [("state", state.as_bytes()), ("document", &document[..])];
        // In one go, with the value that the first answer has.
        let key = [("keyId", key_id.as_bytes()), ("level", b"LTA")];
        let finished = world.until_done(FINISH, &[&begin[..], &key[..]].concat());
        world.assert_signed(&finished, &format!("{form}-BASELINE-LTA"), None);

        // And from level B on.
        let signed = world.post(FINISH, &[&begin[..], &[("keyId", key_id.as_bytes())]].concat()).body;
        let extended = world.until_done(EXTEND, &[("document", &signed[..])]);
        world.assert_signed(&extended, &format!("{form}-BASELINE-LTA"), None);
        let again = world.post(EXTEND, &[("document", &extended.body), ("level", b"LT")]);
        assert_refused(&again, 422, "signing", Some("already-at-level"));
        let stray = stamped(world.unit.get().unwrap(), &query(b"something else"));
        let answer = world.post(EXTEND, &[("document", &signed), ("level", b"T"), ("timestamps", &stray)]);
        assert_refused(&answer, 422, "signing", Some("tsa-imprint"));
    }
    assert_eq!(world.authorities.asked().len(), 0, "the server asked nobody");
}

fn query(message: &[u8]) -> Vec<u8> {
    let imprint = lacre::signing::digest(DigestAlgorithm::Sha256, message).unwrap();
    lacre::issuance::TimestampQuery::new(DigestAlgorithm::Sha256, &imprint).unwrap().to_der()
}

impl World {
    /// Sends a form until nothing is wanted any more.
    fn until_done(&self, path: &str, parts: &[(&str, &[u8])]) -> Answer {
        let (mut more, mut value): (Vec<(&str, Vec<u8>)>, _) = (vec![], None);
        for _ in 0..8 {
            let mut sent: Vec<(&str, &[u8])> = parts.to_vec();
            let made: Option<String> = value.clone();
            if let Some(made) = &made {
                sent.retain(|(name, _)| *name != "keyId");
                sent.push(("value", made.as_bytes()));
            }
            sent.extend(more.iter().map(|(name, bytes)| (*name, &bytes[..])));
            let answer = self.post(path, &sent);
            if answer.status == 200 {
                return answer;
            }
            assert_refused(&answer, 422, "evidence-missing", Some("evidence-missing"));
            let problem = answer.json();
            if let Some(made) = problem["material"]["value"].as_str() {
                value = Some(made.to_owned());
            }
            for part in ["evidence", "timestamps"] {
                let fetched = problem["material"][part].as_array().map_or(&[][..], Vec::as_slice);
                more.extend(fetched.iter().map(|one| (part, BASE64_STANDARD.decode(one.as_str().unwrap()).unwrap())));
            }
            let wanted = problem["wanted"].as_array().unwrap();
            assert!(!wanted.is_empty());
            for want in wanted {
                more.push(self.answer(want));
            }
        }
        panic!("no end");
    }
}

/// What the settings name is asked, and the evidence comes from the caller from the beginning.
#[test]
fn with_an_authority_and_the_evidence_of_the_caller() {
    let world = World::new(&["/tsa"], &[]);
    let (key_id, letter) = (world.key_id(), example("letter.txt"));
    let prepared = world.prepared(&json!({"keyId": key_id}), &letter);
    let state = prepared["state"].to_string();
    let parts = [("state", state.as_bytes()), ("document", &letter[..]), ("keyId", key_id.as_bytes())];
    let signed = world.post(FINISH, &parts).body;
    let missing = world.post(EXTEND, &[("document", &signed)]);
    assert_refused(&missing, 422, "evidence-missing", Some("evidence-missing"));
    let problem = missing.json();
    assert_eq!(problem["material"]["timestamps"].as_array().map(Vec::len), Some(1), "what was paid for is kept");
    let kinds: Vec<_> = problem["wanted"].as_array().unwrap().iter().map(|want| &want["kind"]).collect();
    assert_eq!(kinds, ["issuer"], "without it nobody can be asked about the unit");
    let (ca, root) = (world.pki().crl(false), world.pki().root_crl());
    let issuer = world.pki().authority.der().to_vec();
    let token = BASE64_STANDARD.decode(problem["material"]["timestamps"][0].as_str().unwrap()).unwrap();
    let own = BASE64_STANDARD.decode(problem["material"]["evidence"][0].as_str().unwrap()).unwrap();
    let evidence = [&own, &ca, &root, &issuer].map(|bytes| ("evidence", &bytes[..]));
    let parts = [&evidence[..], &[("document", &signed), ("timestamps", &token)]].concat();
    let extended = world.post(EXTEND, &[&parts[..], &[("freshness", b"accept-older")]].concat());
    world.assert_signed(&extended, "CAdES-BASELINE-LTA", None);
    let asked: Vec<String> = world.authorities.asked().into_iter().map(|request| request.path).collect();
    assert_eq!(asked, ["/tsa", "/tsa"], "one a time-stamp, and nothing at an address of a certificate");
}
