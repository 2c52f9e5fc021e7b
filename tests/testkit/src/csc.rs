//! A remote signing service (CSC API v2) as a test wants it: bound activation data, PKCE, refusals, and lies.

use crate::authorities::{Pki, key, randomness};
use crate::http::{Reply, Request};
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use lacre::issuance::Profile;
use lacre_core::algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm};
use lacre_core::crypto::{KeyKind, SigningKey as _, SoftwareKey, digest};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// The function by which everything is digested.
pub const HASHES: DigestAlgorithm = DigestAlgorithm::Sha256;
const ALGORITHM: &str = "1.2.840.10045.4.3.2";

/// The service: a key for each credential, and what it authorised.
pub struct Service {
    pub pki: Pki,
    key: SoftwareKey,
    rsa: SoftwareKey,
    /// A key that signs nothing.
    other: SoftwareKey,
    authorised: Mutex<BTreeMap<String, Vec<String>>>,
    challenge: Mutex<String>,
}

impl Service {
    /// A service whose credentials are `ec`, `rsa`, and such as no service should have.
    #[expect(clippy::new_without_default, reason = "each makes keys")]
    pub fn new() -> Self {
        let rsa = SoftwareKey::from_pkcs8(include_bytes!("../../data/rsa-3072.pk8")).expect("a key");
        let pki = Pki::new("http://pki.example");
        let (key, other) = (key(KeyKind::P256), key(KeyKind::P256));
        Self { pki, key, rsa, other, authorised: Mutex::default(), challenge: Mutex::default() }
    }

    /// The challenge of the next authorisation in a browser: RFC 7636 §4.3.
    pub fn expect(&self, challenge: &str) {
        challenge.clone_into(&mut self.challenge.lock().unwrap());
    }

    /// Answers as CSC API v2 has it, and OAuth 2.0.
    pub fn answer(&self, request: &Request) -> Reply {
        if request.path == "/oauth2/token" {
            return self.token(request);
        }
        let method = request.path.strip_prefix("/csc/v2/").unwrap_or_default().to_owned();
        let body: Value = serde_json::from_slice(&request.body).expect("a JSON object");
        if method == "info" {
            assert_eq!(request.header("authorization"), None, "info needs no token");
            let methods =
                json!(["credentials/list", "credentials/info", "credentials/authorize", "signatures/signHash"]);
            let oauth = request.header("host").map(|host| format!("http://{host}")).expect("RFC 9110 7.2");
            let auth = json!(["oauth2client"]);
            return ok(
                json!({ "specs": "2.0.0.0", "name": "Test", "authType": auth, "oauth2": oauth, "methods": methods }),
            );
        }
        let authorised_by_token = request.header("authorization") == Some("Bearer for-two-hashes");
        if request.header("authorization") != Some("Bearer opens") && !authorised_by_token {
            return refusal(401, "invalid_token", "who are you?");
        }
        match method.as_str() {
            "credentials/list" => ok(json!({ "credentialIDs": ["ec", "rsa"], "onlyValid": true })),
            "credentials/info" => self.info(body["credentialID"].as_str().unwrap_or_default()),
            "credentials/authorize" => self.authorize(&body),
            "credentials/extendTransaction" => {
                let old = self.authorised.lock().unwrap().remove(body["SAD"].as_str().unwrap_or_default());
                match old {
                    Some(_) => self.activation(&body),
                    None => refusal(400, "invalid_request", "SAD"),
                }
            }
            "signatures/signHash" => self.sign(&body, authorised_by_token),
            _ => refusal(404, "not_found", ""),
        }
    }

    fn info(&self, id: &str) -> Reply {
        let (key, algorithms): (&SoftwareKey, _) = match id {
            "rsa" => (&self.rsa, json!(["1.2.840.113549.1.1.1", "1.2.840.113549.1.1.10"])),
            _ => (&self.key, json!([ALGORITHM])),
        };
        let certificate = self.pki.issue(Profile::NaturalPerson, if id == "stranger" { &self.other } else { key });
        let (mut status, mut certificates) = (
            "enabled",
            vec![BASE64_STANDARD.encode(certificate.der()), BASE64_STANDARD.encode(self.pki.authority.der())],
        );
        match id {
            "disabled" => status = "disabled\u{7}",
            "bare" => certificates.clear(),
            "damaged" => certificates[1] = "MAA=".into(),
            "unknown" => return refusal(400, "invalid_request", "Invalid parameter credentialID"),
            _ => {}
        }
        let mode = if id == "oauth" { "oauth2code" } else { "explicit" };
        ok(json!({
            "key": { "status": status, "algo": algorithms, "len": 256, "curve": "1.2.840.10045.3.1.7" },
            "cert": { "status": "valid", "certificates": certificates },
            "auth": { "mode": mode, "expression": "PIN", "objects": [
                { "type": "Password", "id": "PIN", "label": "Your PIN" },
            ] },
            "SCAL": "2", "multisign": 2,
        }))
    }

    fn authorize(&self, body: &Value) -> Reply {
        if body["authData"] != json!([{ "id": "PIN", "value": "1234" }]) {
            return refusal(400, "invalid_request", "Invalid parameter PIN");
        }
        self.activation(body)
    }

    fn activation(&self, body: &Value) -> Reply {
        let hashes: Vec<String> = serde_json::from_value(body["hashes"].clone()).expect("a list of hashes");
        assert_eq!(body["hashAlgorithmOID"], HASHES.oid());
        let mut authorised = self.authorised.lock().unwrap();
        let sad = format!("SAD-{}-{}", authorised.len(), hashes.concat());
        authorised.insert(sad.clone(), hashes);
        ok(json!({ "SAD": sad, "expiresIn": 300 }))
    }

    fn sign(&self, body: &Value, by_token: bool) -> Reply {
        let hashes: Vec<String> = serde_json::from_value(body["hashes"].clone()).expect("a list of hashes");
        // The activation data is for exactly these hashes, and good once.
        let authorised = match body["SAD"].as_str() {
            Some(sad) => self.authorised.lock().unwrap().remove(sad),
            None => by_token.then(|| hashes.clone()),
        };
        if authorised.as_ref() != Some(&hashes) {
            return refusal(400, "invalid_request", "Invalid parameter SAD");
        }
        let id = body["credentialID"].as_str().unwrap_or_default();
        let algorithm = SignatureAlgorithm::from_oid(body["signAlgo"].as_str().unwrap_or_default()).expect("known");
        let algorithm = match body["signAlgoParams"].as_str() {
            Some(parameters) => {
                let parameters = BASE64_STANDARD.decode(parameters).expect("Base64");
                let pss = SignatureAlgorithm::new(KeyAlgorithm::RsassaPss, Some(HASHES));
                assert!(pss.to_algorithm_identifier().expect("it has one").ends_with(&parameters), "RFC 4055 3.1");
                pss
            }
            None => algorithm.or_digest(Some(HASHES)),
        };
        let key = if id == "rsa" { &self.rsa } else { &self.key };
        let value = |hash: &String| {
            let mut digest = BASE64_STANDARD.decode(hash).expect("Base64");
            if id == "elsewhere" {
                digest[0] ^= 1;
            }
            // As a token gives it: r and s one after the other.
            let algorithm = if id == "ec" { algorithm.concatenated() } else { algorithm };
            let value = key.sign(&algorithm, &digest, &mut randomness()).expect("the key signs");
            if id == "loose" { BASE64_URL_SAFE_NO_PAD.encode(value) } else { BASE64_STANDARD.encode(value) }
        };
        let mut values: Vec<String> = hashes.iter().map(value).collect();
        match id {
            "fewer" => drop(values.pop()),
            "garbled" => values[0] = "!".into(),
            "later" => return ok(json!({ "responseID": "1" })),
            "page" => return Reply::ok("<html><head><title>Welcome</title></head></html>"),
            "broken" => return Reply::status(500),
            "moved" => return Reply::redirect("/csc/v2/elsewhere"),
            "endless" => return Reply::Endless,
            _ => {}
        }
        ok(json!({ "signatures": values }))
    }

    /// RFC 6749 §4.1.3, §4.4.2, RFC 7636 §4.6.
    fn token(&self, request: &Request) -> Reply {
        let form: BTreeMap<String, String> = form(&request.body);
        let is = |name: &str, value: &str| form.get(name).is_some_and(|found| found == value);
        // client:s3cret
        let known = request.header("authorization") == Some("Basic Y2xpZW50OnMzY3JldA==");
        if !known {
            return Reply::Whole(401, vec![], json!({ "error": "invalid_client" }).to_string().into());
        }
        let verified = form.get("code_verifier").is_some_and(|verifier| {
            let challenge = digest(DigestAlgorithm::Sha256, verifier.as_bytes()).expect("SHA-256");
            BASE64_URL_SAFE_NO_PAD.encode(challenge) == *self.challenge.lock().unwrap()
        });
        match form.get("grant_type").map(String::as_str) {
            Some("client_credentials") if is("scope", "service") => token("opens"),
            Some("authorization_code")
                if is("code", "c0de") && is("redirect_uri", "http://127.0.0.1:9/back") && verified =>
            {
                token("for-two-hashes")
            }
            _ => Reply::Whole(
                400,
                vec![("Content-Type", "application/json".into())],
                json!({ "error": "invalid_grant", "error_description": "no\r\nsuch code" }).to_string().into(),
            ),
        }
    }
}

/// `application/x-www-form-urlencoded`.
fn form(body: &[u8]) -> BTreeMap<String, String> {
    let decoded = |text: &str| {
        let text = text.replace('+', " ");
        let mut parts = text.split('%');
        let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
        for part in parts {
            let (digits, rest) = part.split_at(2);
            bytes.push(u8::from_str_radix(digits, 16).expect("two digits"));
            bytes.extend_from_slice(rest.as_bytes());
        }
        String::from_utf8(bytes).expect("UTF-8")
    };
    let text = std::str::from_utf8(body).expect("UTF-8");
    text.split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (decoded(name), decoded(value)))
        .collect()
}

fn token(text: &str) -> Reply {
    ok(json!({ "access_token": text, "token_type": "Bearer", "expires_in": 600 }))
}

fn ok(body: Value) -> Reply {
    Reply::Whole(200, vec![("Content-Type", "application/json".into())], body.to_string().into_bytes())
}

fn refusal(status: u16, error: &str, description: &str) -> Reply {
    let body = json!({ "error": error, "error_description": description });
    Reply::Whole(status, vec![("Content-Type", "application/json".into())], body.to_string().into_bytes())
}
