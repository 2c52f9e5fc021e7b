//! What the authority publishes, asked by openssl over HTTP and read back by openssl and lacre.

use crate::support::server::{PROGRAM, Server};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre::{
    Document, Policy, Time, Validator,
    issuance::Certificate,
    signing::{DigestAlgorithm, SignatureAlgorithm, SignatureParameters, Signer, cades},
};
use lacre_server::clock;
use std::path::Path;
use std::process::Command;

/// A demonstration with a user's certificate; its files are beside its store.
struct Demo {
    server: Server,
    token: String,
    store: String,
    key: u64,
    user: Certificate,
    authority: Certificate,
}

const LETTER: &[u8] = b"a letter";

impl Demo {
    fn start(folder: &Path) -> Self {
        let store = folder.join("store.redb").display().to_string();
        let (server, token) = Server::demo(&["--store", &store]);
        let first = server.get("/api/signature/certificates/", &[("X-AUTH-TOKEN", &token)]).json();
        let encoded = first[0]["keyInfo"]["certificateBytes"].as_str().unwrap();
        let user = Certificate::from_der(&BASE64_STANDARD.decode(encoded).unwrap()).unwrap();
        let authority = Certificate::from_der(&server.get("/pki/ca.cer", &[]).body).unwrap();
        for (name, bytes) in [("user", user.der()), ("ca", authority.der())] {
            pem(&folder.join(name), bytes);
        }
        pem(&folder.join("root"), &std::fs::read(format!("{store}.demo/root.der")).unwrap());
        let key = first[0]["keyInfo"]["keyId"].as_u64().unwrap();
        Self { server, token, store, key, user, authority }
    }

    /// A CAdES signature over a letter, its value from the server.
    fn signed(&self) -> Vec<u8> {
        let usual = SignatureAlgorithm::new(lacre::signing::KeyAlgorithm::Ecdsa, Some(DigestAlgorithm::Sha256));
        let signer = Signer::new(self.user.clone(), usual).unwrap().with_chain(vec![self.authority.clone()]);
        let (content, parameters) = (cades::Content::Enveloped(LETTER), SignatureParameters::new(clock::second()));
        let prepared = cades::prepare(&content, &parameters, &cades::Options::default(), &signer).unwrap();
        let path = format!("/api/signature/hash/{}", self.key);
        let value = self.server.post(&path, &[("X-AUTH-TOKEN", &self.token)], &prepared.digest());
        let value = BASE64_STANDARD.decode(value.text()).unwrap();
        prepared.finish(&Document::new(LETTER), &value).unwrap().to_vec(LETTER)
    }

    /// What the server says of a file.
    fn verdict(&self, file: &[u8]) -> (String, String) {
        let report = self.server.post("/api/Document/Validate/Pdf/own", &[("Accept", "application/json")], file).json();
        let said = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        (said(&report["conclusion"]["indication"]), said(&report["signatures"][0]["sub_indication"]))
    }

    fn revoke(&self) {
        let id = self.key.to_string();
        let mut command = Command::new(PROGRAM);
        command.args(["--store", &self.store, "certificate", "revoke", &id, "--reason", "keyCompromise"]);
        assert!(command.status().unwrap().success());
    }
}

fn pem(path: &Path, der: &[u8]) {
    let text = BASE64_STANDARD.encode(der);
    std::fs::write(path, format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n")).unwrap();
}

/// What openssl prints on both streams.
fn openssl(folder: &Path, line: &str) -> String {
    let done = Command::new("openssl").args(line.split(' ')).current_dir(folder).output();
    let done = done.expect("openssl is installed (Debian package openssl)");
    format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr))
}

/// Whether the signature passes when the server's own response is all that is known of revocations.
fn with_evidence(demo: &Demo, file: &[u8], evidence: &[u8]) -> (String, String) {
    let validator = Validator::new(Policy::eidas()).trust_anchor(demo.authority.der()).unwrap();
    let validator = validator.evidence(evidence).unwrap();
    let report = validator.validate(&Document::new(file), Time::from_seconds(clock::now().seconds() + 1)).unwrap();
    let sub = report.signatures().next().and_then(|signature| signature.sub_indication());
    (report.indication().to_string(), sub.map_or_else(String::new, |sub| sub.to_string()))
}

#[test]
fn good_and_revoked() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let demo = Demo::start(folder);
    let file = demo.signed();
    assert_eq!(demo.verdict(&file).0, "TOTAL-PASSED", "the server knows its own authority");

    for (situation, status, passes) in [("good", "user: good", true), ("revoked", "user: revoked", false)] {
        if !passes {
            demo.revoke();
        }
        // openssl asks over HTTP itself: POST, with a nonce; the response is the delegated responder's.
        let ask = "ocsp -issuer ca -cert user -CAfile root -resp_text -url";
        let told = openssl(folder, &format!("{ask} {}", demo.server.url("/pki/ocsp")));
        for expected in ["Response verify OK", status, "OCSP Signing"] {
            assert!(told.contains(expected), "{situation}, POST: {expected}: {told}");
        }
        // RFC 6960 appendix A.1: GET.
        openssl(folder, "ocsp -issuer ca -cert user -no_nonce -reqout request");
        let request = BASE64_STANDARD.encode(std::fs::read(folder.join("request")).unwrap());
        let escaped = request.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D");
        let answer = demo.server.get(&format!("/pki/ocsp/{escaped}"), &[]);
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/ocsp-response")));
        std::fs::write(folder.join("response"), &answer.body).unwrap();
        let told = openssl(folder, "ocsp -issuer ca -cert user -respin response -CAfile root -no_nonce");
        assert!(told.contains("Response verify OK") && told.contains(status), "{situation}, GET: {told}");

        let list = demo.server.get("/pki/ca.crl", &[]);
        std::fs::write(folder.join("list"), &list.body).unwrap();
        let told = openssl(folder, "crl -inform DER -in list -CAfile ca -noout -text");
        assert!(told.contains("verify OK"), "{situation}: {told}");
        let serial: String = demo.user.serial().iter().map(|byte| format!("{byte:02X}")).collect();
        assert_eq!(told.contains(serial.trim_start_matches("00")), !passes, "{situation}: {told}");

        for (what, evidence) in [("OCSP response", &answer.body), ("CRL", &list.body)] {
            let (indication, sub) = with_evidence(&demo, &file, evidence);
            match passes {
                true => assert_eq!(indication, "TOTAL-PASSED", "{what}"),
                false => assert_eq!((&*indication, &*sub), ("INDETERMINATE", "REVOKED_NO_POE"), "{what}"),
            }
        }
    }
    // Revoked by another process: known here within seconds.
    let begun = std::time::Instant::now();
    while demo.verdict(&file) != ("INDETERMINATE".to_owned(), "REVOKED_NO_POE".to_owned()) {
        assert!(begun.elapsed().as_secs() < 60, "{:?}", demo.verdict(&file));
        std::thread::sleep(std::time::Duration::from_millis(500));
    }
}

#[test]
fn requests_that_cannot_be_read() {
    let temporary = tempfile::tempdir().unwrap();
    let demo = Demo::start(temporary.path());
    let malformed: &[u8] = &[0x30, 3, 0x0a, 1, 1];
    assert_eq!(demo.server.get("/pki/ocsp/AAAA", &[]).body, malformed, "RFC 6960 4.2.1: malformedRequest");
    let answer = demo.server.get("/pki/ocsp/%23", &[]);
    assert_eq!(answer.status, 400);
    let (title, detail) = ("A parameter cannot be read", "request: expected Base64");
    crate::validation::assert_problem(&answer, "bad-parameter", title, detail);
    let answer = demo.server.post("/pki/ocsp", &[], b"");
    assert_eq!(answer.status, 400);
    let detail = "found no bytes, expected an OCSP request";
    crate::validation::assert_problem(&answer, "empty-body", "The body is empty", detail);
}
