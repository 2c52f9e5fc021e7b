//! Certificates, hash signatures, CSC and what the authority publishes, on both stores.

use crate::support::postgres;
use crate::support::server::{Answer, Server};
use crate::validation::assert_problem;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre::{
    Document, Policy, Time, Validator,
    issuance::Certificate,
    signing::{DigestAlgorithm, SignatureAlgorithm, SignatureParameters, Signer, cades, digest},
};
use lacre_fetch::csc::{AccessToken, AuthorizationMode, Hashes, SigningService};
use lacre_fetch::{Addresses, Fetcher, Limits};
use lacre_server::registry::tokens;
use lacre_server::storage::{self, Person};
use lacre_server::{audit, clock};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

const CERTIFICATES: &str = "/api/signature/certificates/";
const HASH: &str = "/api/signature/hash";

/// Tokens that were issued before the server starts, each in its state.
struct Tokens {
    other: String,
    expired: String,
    revoked: String,
}

fn tokens_in(place: &str) -> Tokens {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = storage::open(place, None).await.unwrap();
        let now = clock::now();
        let person = Person {
            user: "other".parse().unwrap(),
            country: "PT".into(),
            given_name: "Inês".into(),
            surname: "Outra".into(),
            serial_number: "PASPT-1".into(),
        };
        let issue = async |expires| tokens::issue(&*store, person.clone(), expires, now).await.unwrap();
        let revoked = issue(None).await;
        assert!(tokens::revoke(&*store, revoked.id(), now).await.unwrap());
        let text = |token: lacre_server::token::Token| token.text().to_owned();
        Tokens {
            other: text(issue(None).await),
            expired: text(issue(Some(now.plus_millis(-1000))).await),
            revoked: text(revoked),
        }
    })
}

#[test]
fn on_redb() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("store.redb").display().to_string();
    let prepared = tokens_in(&place);
    let (mut server, token) = Server::demo(&["--store", &place]);
    every_operation(&server, &token, &prepared);
    assert_eq!(server.terminate(), Some(0));
    audited(&place);
}

#[test]
#[ignore = "needs PostgreSQL (Debian package postgresql)"]
fn on_postgresql() {
    let mut database = postgres::Server::start();
    let place = database.database("http");
    let prepared = tokens_in(&place);
    let (server, token) = Server::demo(&["--store", &place]);
    every_operation(&server, &token, &prepared);
    audited(&place);

    // The storage goes down, and comes back.
    database.stop();
    for answer in [
        server.get(CERTIFICATES, &[("X-AUTH-TOKEN", &token)]),
        server.post(HASH, &[("X-AUTH-TOKEN", &token)], b"{}"),
        server.post("/csc/v2/credentials/list", &[("X-AUTH-TOKEN", &token)], b"{}"),
    ] {
        assert_internal(&answer);
    }
    let ready = server.get("/readyz", &[]);
    assert_eq!((ready.status, ready.header("retry-after")), (503, Some("2")));
    assert_problem(&ready, "not-ready", "The server is not ready", "the storage does not answer");
    assert_eq!(server.get("/healthz", &[]).status, 200);
    database.resume();
    let back = server.get(CERTIFICATES, &[("X-AUTH-TOKEN", &token)]);
    assert_eq!(back.status, 200, "{}", back.text());
}

/// Tokens are issued and revoked, and the log verified, beside the running server.
#[test]
fn an_operators_commands() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("store.redb").display().to_string();
    let (server, _) = Server::demo(&["--store", &place]);
    let operate = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lacre-server"));
        let done = command.args(["--store", &place]).args(arguments).output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    };
    let token = operate(&["token", "issue", "--user", "rita"]);
    assert_eq!(server.get(CERTIFICATES, &[("X-AUTH-TOKEN", &token)]).status, 200);
    let id = token.split('_').nth(1).expect("lacre_ID_SECRET");
    assert!(operate(&["token", "list"]).contains(id));
    operate(&["token", "revoke", id]);
    assert_eq!(server.get(CERTIFICATES, &[("X-AUTH-TOKEN", &token)]).status, 401);
    let head = operate(&["audit", "verify"]);
    assert!(head.contains(':'), "{head}: NUMBER:HASH");
}

/// The audit log holds together, and tells of what was done.
fn audited(place: &str) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = storage::open(place, None).await.unwrap();
        audit::verify(&*store, None).await.unwrap();
        let entries = store.audit(1, 1000).await.unwrap();
        for action in ["token-issued", "token-refused", "certificate-issued", "hash-signed"] {
            assert!(entries.iter().any(|entry| entry.event.action.as_str() == action), "{action}");
        }
    });
}

fn every_operation(server: &Server, token: &str, prepared: &Tokens) {
    let own = [("X-AUTH-TOKEN", token)];
    unauthorized(server, prepared);

    // One certificate, the same each time, however the token is sent and whatever the path ends with.
    let first = server.get(CERTIFICATES, &own);
    assert_eq!((first.status, first.header("content-type")), (200, Some("application/json")));
    let first = first.json();
    let bearer = format!("Bearer {token}");
    for (path, headers) in
        [(CERTIFICATES, [("Authorization", &*bearer)]), ("/api/signature/certificates", [("X-AUTH-TOKEN", token)])]
    {
        assert_eq!(server.get(path, &headers).json(), first, "{path}");
    }
    let json_type = server.get(CERTIFICATES, &[("X-AUTH-TOKEN", token), ("Content-Type", "application/json")]);
    assert_eq!(json_type.json(), first);
    let encoded = first[0]["keyInfo"]["certificateBytes"].as_str().unwrap();
    let certificate = Certificate::from_der(&BASE64_STANDARD.decode(encoded).unwrap()).unwrap();
    let key = first[0]["keyInfo"]["keyId"].as_u64().filter(|key| *key < 1 << 63).expect("63 bits");
    let description = "Certificates of a demonstration: their authority is known to nobody";
    assert_eq!(
        first,
        json!([{
            "policy": {"policyId": 1, "name": "Demonstration", "description": description},
            "keyInfo": {
                "certificateBytes": encoded, "keyId": key,
                "publicKey": BASE64_STANDARD.encode(certificate.spki()),
                "expirationDate": certificate.not_after().to_string(),
            },
        }])
    );

    let value = signatures(server, token, key, encoded, &certificate);
    signing_errors(server, token, prepared, key);
    csc(server, token, prepared, key, &certificate, &value);
    a_file_by_our_own_client(server, token);
    a_cades_file(server, token, key, &certificate);
}

/// Every way of not being allowed has the same body, and only the time differs.
fn unauthorized(server: &Server, prepared: &Tokens) {
    let wrong = format!("{}x", prepared.other);
    for (situation, headers) in [
        ("missing", vec![]),
        ("empty", vec![("X-AUTH-TOKEN", "")]),
        ("no token of ours", vec![("X-AUTH-TOKEN", "abc")]),
        ("wrong secret", vec![("X-AUTH-TOKEN", &*wrong)]),
        ("expired", vec![("X-AUTH-TOKEN", &*prepared.expired)]),
        ("revoked", vec![("X-AUTH-TOKEN", &*prepared.revoked)]),
        ("another scheme", vec![("Authorization", "Basic abc")]),
        ("a JWT, and no issuer is configured", vec![("Authorization", "Bearer e30.e30.AA")]),
    ] {
        for answer in [
            server.get(CERTIFICATES, &headers),
            server.post("/api/signature/hash/1", &headers, &[0; 32]),
            server.post(HASH, &headers, b"{}"),
            server.post("/csc/v2/credentials/list", &headers, b"{}"),
            server.post("/csc/v2/credentials/info", &headers, b"{}"),
            server.post("/csc/v2/signatures/signHash", &headers, b"{}"),
        ] {
            assert_eq!(answer.status, 401, "{situation}");
            assert_unauthorized(&answer);
        }
    }
}

pub fn assert_unauthorized(answer: &Answer) {
    assert_eq!((answer.status, answer.header("content-type")), (401, Some("application/json")), "{}", answer.text());
    assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    assert_body(
        answer,
        r#"{"exception":"UnauthorizedAccessException","code":401,"message":"error.no.access","timestamp":"TIME","status":"UNAUTHORIZED","details":{"objectName":"authorization","error":{"objectName":"authorization","codes":["error.no.access"],"arguments":null,"defaultMessage":"Access denied: the access token is missing or not accepted","code":"error.no.access"}}}"#,
    );
}

pub fn assert_internal(answer: &Answer) {
    assert_eq!((answer.status, answer.header("content-type")), (500, Some("application/json")), "{}", answer.text());
    assert_body(
        answer,
        r#"{"exception":"ServicePortalException","code":"unrecognized.exception","timestamp":"TIME","message":"ServicePortalException"}"#,
    );
}

/// The body, byte by byte but for the time, which is of the last minutes and has milliseconds.
fn assert_body(answer: &Answer, expected: &str) {
    let text = answer.text();
    let stated = answer.json()["timestamp"].as_str().expect("a timestamp").to_owned();
    let time: Time = stated.parse().unwrap();
    assert!(stated.len() == 24 && (0..300_000).contains(&(clock::now().millis() - time.millis())), "{stated}");
    assert_eq!(text, expected.replace("TIME", &stated));
}

/// Both "Sign hash" operations, in every form; openssl agrees. Gives the value over SHA-256 of "message".
fn signatures(server: &Server, token: &str, key: u64, encoded: &str, certificate: &Certificate) -> String {
    let own = [("X-AUTH-TOKEN", token)];
    let path = format!("{HASH}/{key}");
    let mut first = None;
    for (name, function) in [
        ("SHA-256", DigestAlgorithm::Sha256),
        ("SHA-384", DigestAlgorithm::Sha384),
        ("SHA-512", DigestAlgorithm::Sha512),
    ] {
        let bytes = digest(function, b"message").unwrap();
        let answer = server.post(&path, &[("X-AUTH-TOKEN", token), ("X-Digest-Algorithm", name)], &bytes);
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/plain; charset=utf-8")), "{name}");
        let value = answer.text();
        openssl_verifies(certificate, &bytes, &BASE64_STANDARD.decode(&value).unwrap());
        let request = json!({"keyId": key, "digestAlgorithm": name, "hash": BASE64_STANDARD.encode(&bytes)});
        let answer = server.post(HASH, &own, request.to_string().as_bytes());
        assert_eq!(answer.status, 200, "{}", answer.text());
        let algorithm = format!("{function}withECDSA");
        let expected =
            json!({"keyId": key, "signature": value, "signatureAlgorithm": algorithm, "certificate": encoded});
        assert_eq!(answer.json(), expected, "a value is made from key and digest alone: RFC 6979");
        first.get_or_insert(value);
    }
    // SHA-256 is what is meant where nothing is said.
    let bytes = digest(DigestAlgorithm::Sha256, b"message").unwrap();
    assert_eq!(Some(server.post(&path, &own, &bytes).text()), first);
    let jose = json!({"keyId": key, "hash": BASE64_STANDARD.encode(&bytes), "signatureAlgorithm": "ES256"});
    let jose = server.post(&format!("{HASH}/"), &own, jose.to_string().as_bytes()).json();
    assert_eq!(jose["signatureAlgorithm"], "ES256");
    assert_eq!(BASE64_STANDARD.decode(jose["signature"].as_str().unwrap()).unwrap().len(), 64, "RFC 7518 3.4");
    first.expect("three were made")
}

fn openssl_verifies(certificate: &Certificate, digest: &[u8], value: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let (key, input, value) = (file("key", certificate.spki()), file("digest", digest), file("value", value));
    let command = Command::new("openssl")
        .args(["pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey"])
        .arg(key)
        .arg("-in")
        .arg(input)
        .arg("-sigfile")
        .arg(value)
        .output();
    let done = command.expect("openssl is installed (Debian package openssl)");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

fn signing_errors(server: &Server, token: &str, prepared: &Tokens, key: u64) {
    let own = [("X-AUTH-TOKEN", token)];
    let other = [("X-AUTH-TOKEN", &*prepared.other)];
    let path = format!("{HASH}/{key}");
    let unknown = ("unknown-key", "No such key", "the caller has no key with this id that can sign");
    let parameter = "A parameter cannot be read";
    let key_id = ("bad-parameter", parameter, "keyId: expected an integer from 1 to 2^63 - 1");
    let length = (
        "digest-length",
        "The digest has not the length of its digest function",
        "a digest of 20 bytes, expected the 32 of SHA256",
    );
    let algorithm = "The algorithm is unknown or cannot be used with this key";
    let digests = ("unknown-algorithm", algorithm, "the digest function is none of SHA-256, SHA-384 and SHA-512");
    let mut md5 = own.to_vec();
    md5.push(("X-Digest-Algorithm", "MD5"));
    let body = |value: Value| value.to_string().into_bytes();
    let hash = BASE64_STANDARD.encode([0; 32]);
    for (situation, answer, status, (name, title, detail)) in [
        ("no such key", server.post(&format!("{HASH}/7"), &own, &[0; 32]), 404, unknown),
        ("another's key", server.post(&path, &other, &[0; 32]), 404, unknown),
        ("no number", server.post(&format!("{HASH}/x"), &own, &[0; 32]), 400, key_id),
        ("wrong length", server.post(&path, &own, &[0; 20]), 400, length),
        ("unknown digest", server.post(&path, &md5, &[0; 16]), 400, digests),
        ("JSON: no such key", server.post(HASH, &own, &body(json!({"keyId": 7, "hash": hash}))), 404, unknown),
        ("JSON: another's key", server.post(HASH, &other, &body(json!({"keyId": key, "hash": hash}))), 404, unknown),
        (
            "JSON: no Base64",
            server.post(HASH, &own, &body(json!({"keyId": key, "hash": "#"}))),
            400,
            ("bad-parameter", parameter, "hash: expected Base64: Invalid symbol 35, offset 0."),
        ),
        (
            "JSON: another algorithm",
            server.post(HASH, &own, &body(json!({"keyId": key, "hash": hash, "signatureAlgorithm": "RS256"}))),
            400,
            ("unknown-algorithm", algorithm, "the key signs this digest with SHA256withECDSA"),
        ),
        (
            "no JSON",
            server.post(HASH, &own, b"{"),
            400,
            ("bad-json", "The body is not the JSON that is expected", "EOF while parsing an object at line 1 column 1"),
        ),
    ] {
        assert_eq!(answer.status, status, "{situation}: {}", answer.text());
        assert_problem(&answer, name, title, detail);
    }
}

fn csc(server: &Server, token: &str, prepared: &Tokens, key: u64, certificate: &Certificate, value: &str) {
    let post = |path: &str, token: &str, body: Value| {
        server.post(&format!("/csc/v2/{path}"), &[("X-AUTH-TOKEN", token)], body.to_string().as_bytes())
    };
    let id = key.to_string();
    let algorithms = json!(["1.2.840.10045.4.3.2", "1.2.840.10045.4.3.3", "1.2.840.10045.4.3.4"]);
    let info = server.post("/csc/v2/info", &[], b"{}");
    assert_eq!(
        info.json(),
        json!({
            "specs": "2.0.0.2", "name": "lacre-server", "logo": "", "region": "EU", "lang": "en",
            "description": "Hash signatures with keys that the server keeps", "authType": ["external"],
            "methods": ["info", "credentials/list", "credentials/info", "signatures/signHash"],
            "signAlgorithms": {"algos": algorithms},
        })
    );
    let listed = post("credentials/list", token, json!({}));
    assert_eq!(listed.json(), json!({"credentialIDs": [id], "onlyValid": true}));
    let described = post("credentials/info", token, json!({"credentialID": id, "certInfo": true, "authInfo": true}));
    let time = |time: Time| time.to_string().replace(['-', ':', 'T'], "");
    let serial: String = certificate.serial().iter().map(|byte| format!("{byte:02X}")).collect();
    let expected = json!({
        "key": {"status": "enabled", "algo": algorithms, "len": 256, "curve": "1.2.840.10045.3.1.7"},
        "cert": {
            "status": "valid", "certificates": [BASE64_STANDARD.encode(certificate.der())],
            "issuerDN": certificate.issuer().rfc2253(), "subjectDN": certificate.subject().rfc2253(),
            "serialNumber": serial,
            "validFrom": time(certificate.not_before()), "validTo": time(certificate.not_after()),
        },
        "auth": {"mode": "implicit"}, "SCAL": "1", "multisign": 1000, "lang": "en",
    });
    assert_eq!(described.json(), expected);
    let hash = BASE64_STANDARD.encode(digest(DigestAlgorithm::Sha256, b"message").unwrap());
    let ask = |more: Value| {
        let mut asked = json!({"credentialID": id, "hashes": [hash, hash], "signAlgo": "1.2.840.10045.4.3.2"});
        for (name, value) in more.as_object().unwrap() {
            asked[name] = value.clone();
        }
        asked
    };
    let sha256 = "2.16.840.1.101.3.4.2.1";
    for more in [
        json!({}),
        json!({"hashAlgorithmOID": sha256, "operationMode": "S"}),
        json!({"signAlgo": "1.2.840.10045.2.1", "hashAlgorithmOID": sha256}),
    ] {
        let answer = post("signatures/signHash", token, ask(more));
        assert_eq!(answer.json(), json!({"signatures": [value, value]}));
    }
    let named = "credentialID: expected one that credentials/list gives";
    let algorithm = "signAlgo: unknown, or not with this key, hashAlgorithmOID and signAlgoParams";
    for (more, description) in [
        (json!({"credentialID": "x"}), named),
        (json!({"credentialID": "7"}), "the caller has no key with this id that can sign"),
        (json!({"hashes": []}), "hashes: expected 1 to 1000 of them"),
        (json!({"hashes": ["#"]}), "hashes: expected Base64"),
        (json!({"hashes": ["AAAA"]}), "a digest of 3 bytes, expected the 32 of SHA256"),
        (json!({"signAlgo": "1.2.840.113549.1.1.11"}), algorithm),
        (json!({"signAlgo": "1.2.3"}), algorithm),
        (json!({"signAlgo": "1.2.840.10045.2.1"}), algorithm),
        (json!({"hashAlgorithmOID": "2.16.840.1.101.3.4.2.2"}), algorithm),
        (json!({"hashAlgorithmOID": "1.2.3"}), "hashAlgorithmOID: unknown"),
        (json!({"operationMode": "A"}), "operationMode: expected S"),
    ] {
        let answer = post("signatures/signHash", token, ask(more.clone()));
        assert_eq!(answer.status, 400, "{more}");
        assert_eq!(answer.json(), json!({"error": "invalid_request", "error_description": description}), "{more}");
    }
    let another = post("signatures/signHash", &prepared.other, ask(json!({})));
    assert_eq!(another.status, 400, "another's key: {}", another.text());
}

/// The library's own client finds the credential, has a digest signed, and the signature is TOTAL-PASSED.
fn a_file_by_our_own_client(server: &Server, token: &str) {
    let address = server.url("").trim_start_matches("http://").to_owned();
    let fetcher = Fetcher::new(Addresses::public().and(&address).unwrap());
    let session = fetcher.session(Limits::default());
    let service = SigningService::at(server.url("/csc/v2")).with_token(AccessToken::new(token));
    assert!(service.info(&session).unwrap().has("signatures/signHash"));
    let [id] = &service.credentials(&session, None).unwrap()[..] else { panic!("one credential") };
    let credential = service.credential(&session, id).unwrap();
    assert_eq!((&credential.mode, credential.chain.len()), (&AuthorizationMode::Implicit, 2));
    let algorithm = SignatureAlgorithm::from_oid("1.2.840.10045.4.3.2").unwrap();
    let time = Time::from_seconds(clock::now().seconds());
    let signer = Signer::new(credential.certificate.clone(), algorithm).unwrap().with_chain(credential.chain.clone());
    let (letter, parameters, options) = (b"a letter", SignatureParameters::new(time), cades::Options::default());
    let prepared = cades::prepare(&cades::Content::Enveloped(letter), &parameters, &options, &signer).unwrap();
    let hashes = Hashes::new(DigestAlgorithm::Sha256, vec![prepared.digest()]).unwrap();
    let values = service.sign(&session, &credential, &hashes, &algorithm, None).unwrap();
    let file = prepared.finish(&Document::new(letter), &values[0]).unwrap().to_vec(letter);
    let list = server.get("/pki/ca.crl", &[]).body;
    let validator = Validator::new(Policy::eidas()).trust_anchor(credential.chain[0].der()).unwrap();
    let report = validator.evidence(&list).unwrap().validate(&Document::new(&file), clock::now()).unwrap();
    assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{}", report.to_text());
}

/// A CAdES signature whose value the server made is TOTAL-PASSED under the demonstration's authority.
fn a_cades_file(server: &Server, token: &str, key: u64, certificate: &Certificate) {
    let own = [("X-AUTH-TOKEN", token)];
    let asked = json!({"credentialID": key.to_string(), "certificates": "chain"});
    let chain = server.post("/csc/v2/credentials/info", &own, asked.to_string().as_bytes()).json();
    let chain: Vec<Vec<u8>> = chain["cert"]["certificates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| BASE64_STANDARD.decode(one.as_str().unwrap()).unwrap())
        .collect();
    let [_, authority, root] = &*chain else { panic!("user, authority, root") };
    assert_eq!(&server.get("/pki/ca.cer", &[]).body, authority);

    let algorithm = SignatureAlgorithm::from_oid("1.2.840.10045.4.3.2").unwrap();
    let above = vec![Certificate::from_der(authority).unwrap()];
    let signer = Signer::new(certificate.clone(), algorithm).unwrap().with_chain(above);
    let parameters = SignatureParameters::new(Time::from_seconds(clock::now().seconds()));
    let (letter, options) = (b"a letter", cades::Options::default());
    let prepared = cades::prepare(&cades::Content::Enveloped(letter), &parameters, &options, &signer).unwrap();
    let value = server.post(&format!("{HASH}/{key}"), &own, &prepared.digest());
    let value = BASE64_STANDARD.decode(value.text()).unwrap();
    let file = prepared.finish(&Document::new(letter), &value).unwrap().to_vec(letter);

    let list = server.get("/pki/ca.crl", &[]);
    assert_eq!((list.status, list.header("content-type")), (200, Some("application/pkix-crl")));
    let validator = Validator::new(Policy::eidas()).trust_anchor(authority).unwrap().evidence(&list.body).unwrap();
    let report = validator.validate(&Document::new(&file), clock::now()).unwrap();
    assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{}", report.to_text());
    openssl_reads(&file, root, authority, certificate);

    // The server itself reads it, too: it knows what its authority revoked.
    let path = "/api/Document/Validate/Pdf/own";
    let told = server.post(path, &[("Accept", "application/json")], &file).json();
    assert_eq!(told["signatures"][0]["level"], "CAdES-BASELINE-B");
    assert_eq!(told["conclusion"]["indication"], "TOTAL-PASSED", "{told}");
    let status = server.post("/pki/ocsp", &[], b"what");
    assert_eq!((status.status, &*status.body), (200, &[0x30, 3, 0x0a, 1, 1][..]), "RFC 6960 4.2.1: malformedRequest");
}

/// openssl verifies the file under the root, and asks the responder.
fn openssl_reads(file: &[u8], root: &[u8], authority: &[u8], certificate: &Certificate) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("file.p7m"), file).unwrap();
    for (name, der) in [("root", root), ("authority", authority), ("user", certificate.der())] {
        let text = BASE64_STANDARD.encode(der);
        let pem = format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n");
        std::fs::write(path(name), pem).unwrap();
    }
    let run = |arguments: &[&dyn AsRef<Path>]| {
        let mut command = Command::new("openssl");
        command.args(arguments.iter().map(|argument| argument.as_ref()));
        let done = command.output().expect("openssl is installed (Debian package openssl)");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    run(&[
        &"cms",
        &"-verify",
        &"-inform",
        &"DER",
        &"-in",
        &path("file.p7m"),
        &"-CAfile",
        &path("root"),
        &"-purpose",
        &"any",
        &"-out",
        &path("content"),
    ]);
    run(&[&"verify", &"-CAfile", &path("root"), &"-untrusted", &path("authority"), &path("user")]);
}
