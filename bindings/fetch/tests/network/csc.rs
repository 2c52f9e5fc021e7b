//! Remote signing (CSC API v2) with a service that the test is: bound activation data, PKCE, refusals.

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use lacre::issuance::Profile;
use lacre_core::algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm};
use lacre_core::crypto::{KeyKind, Signed, SigningKey as _, SoftwareKey, digest, verify};
use lacre_fetch::csc::{
    AccessToken, AuthorizationData, AuthorizationMode, Credential, CscError, Hashes, OAuth, Scope, SigningService,
};
use lacre_fetch::{Addresses, Fetcher, Limits};
use lacre_testkit::authorities::{Pki, key, randomness};
use lacre_testkit::http::{Reply, Request, Server};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

const HASHES: DigestAlgorithm = DigestAlgorithm::Sha256;
const ALGORITHM: &str = "1.2.840.10045.4.3.2";

/// The service: a key for each credential, and what it authorised.
struct Service {
    pki: Pki,
    key: SoftwareKey,
    rsa: SoftwareKey,
    authorised: Mutex<BTreeMap<String, Vec<String>>>,
    challenge: Mutex<String>,
}

impl Service {
    fn new() -> Self {
        let rsa = SoftwareKey::from_pkcs8(include_bytes!("../../../../tests/data/rsa-3072.pk8")).expect("a key");
        let pki = Pki::new("http://pki.example");
        Self { pki, key: key(KeyKind::P256), rsa, authorised: Mutex::default(), challenge: Mutex::default() }
    }

    fn answer(&self, request: &Request) -> Reply {
        if request.path == "/oauth2/token" {
            return self.token(request);
        }
        let method = request.path.strip_prefix("/csc/v2/").unwrap_or_default().to_owned();
        let body: Value = serde_json::from_slice(&request.body).expect("a JSON object");
        if method == "info" {
            assert_eq!(request.header("authorization"), None, "info needs no token");
            let methods =
                json!(["credentials/list", "credentials/info", "credentials/authorize", "signatures/signHash"]);
            return ok(json!({ "specs": "2.0.0.0", "name": "Test", "authType": ["oauth2client"], "methods": methods }));
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
        let certificate = self.pki.issue(Profile::NaturalPerson, key);
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
            let digest = BASE64_STANDARD.decode(hash).expect("Base64");
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
            _ => {}
        }
        ok(json!({ "signatures": values }))
    }

    /// RFC 6749 §4.1.3, §4.4.2, RFC 7636 §4.6.
    fn token(&self, request: &Request) -> Reply {
        let form: BTreeMap<String, String> = url::form_urlencoded::parse(&request.body).into_owned().collect();
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

struct Bench {
    service: Arc<Service>,
    server: Server,
    fetcher: Fetcher,
}

impl Bench {
    fn start() -> Self {
        let service = Arc::new(Service::new());
        let own = Arc::clone(&service);
        let server = Server::start(move |request| own.answer(request));
        let fetcher = Fetcher::new(Addresses::public().and(&server.address()).expect("an address"));
        Self { service, server, fetcher }
    }

    fn client(&self) -> SigningService {
        SigningService::at(self.server.url("/csc/v2/")).with_token(AccessToken::new("opens"))
    }

    fn oauth(&self, secret: &str) -> OAuth {
        OAuth::at(&self.server.url(""), "client", Some(&secret.to_owned().into())).expect("an address")
    }
}

fn pin(value: &str) -> Vec<AuthorizationData> {
    vec![AuthorizationData { id: "PIN".into(), value: value.to_owned().into() }]
}

fn hashes(texts: &[&[u8]]) -> Hashes {
    let values = texts.iter().map(|text| digest(HASHES, text).expect("it is known")).collect();
    Hashes::new(HASHES, values).expect("of its length")
}

fn verified(credential: &Credential, algorithm: &SignatureAlgorithm, text: &[u8], value: &[u8]) -> bool {
    let key = credential.certificate.public_key().expect("a key that is known");
    let forms = [*algorithm, algorithm.concatenated()];
    forms.iter().any(|algorithm| verify(key, algorithm, Signed::Message(text), value).is_ok())
}

/// Two documents, one authorisation.
#[test]
fn from_a_token_to_values_that_verify() {
    let bench = Bench::start();
    let session = bench.fetcher.session(Limits::default());
    let info = bench.client().info(&session).expect("the service answers");
    assert!(info.has("signatures/signHash") && !info.has("signatures/timestamp"));
    let token = bench.oauth("s3cret").client_credentials(&session).expect("RFC 6749 4.4");
    assert_eq!(token.expires_in().map(|time| time.as_secs()), Some(600));
    let service = SigningService::at(bench.server.url("/csc/v2")).with_token(token);
    assert_eq!(service.credentials(&session, None).expect("there are two"), ["ec", "rsa"]);
    let both = hashes(&[b"first", b"second"]);
    let pss = SignatureAlgorithm::new(KeyAlgorithm::RsassaPss, Some(HASHES));
    for (id, algorithm) in [
        ("ec", SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, Some(HASHES))),
        ("loose", SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, Some(HASHES))),
        ("rsa", SignatureAlgorithm::new(KeyAlgorithm::Rsa, Some(HASHES))),
        ("rsa", pss),
    ] {
        let credential = service.credential(&session, id).expect("there is one");
        assert_eq!((credential.chain.len(), &credential.mode), (1, &AuthorizationMode::Explicit), "{id}");
        assert!(credential.is_bound_to_hashes && credential.objects[0].id == "PIN", "{id}");
        let activation = service.authorize(&session, &credential, &both, &pin("1234"), Some("two contracts"));
        let activation = activation.expect("the PIN is the right one");
        assert_eq!(activation.expires_in().as_secs(), 300);
        let values = service.sign(&session, &credential, &both, &algorithm, Some(activation)).expect("they are signed");
        for (text, value) in [b"first".as_slice(), b"second"].iter().zip(&values) {
            assert!(verified(&credential, &algorithm, text, value), "{id}: in the order of the digests");
        }
        assert!(!verified(&credential, &algorithm, b"second", &values[0]), "{id}");
    }
    // Activation data for more: the old is good no more, the new is for the new digests.
    let credential = service.credential(&session, "ec").expect("there is one");
    let algorithm = SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, Some(HASHES));
    let first = service.authorize(&session, &credential, &both, &pin("1234"), None).expect("the PIN is the right one");
    let third = hashes(&[b"third"]);
    let extended = service.extend_transaction(&session, &credential, first, &third).expect("it is extended");
    let wrong = service.authorize(&session, &credential, &both, &pin("1234"), None).expect("the PIN is the right one");
    let refused = service.sign(&session, &credential, &third, &algorithm, Some(wrong)).expect_err("of other digests");
    assert_eq!(refused.code(), "csc-refused", "SCAL 2: {refused}");
    let values = service.sign(&session, &credential, &third, &algorithm, Some(extended)).expect("they are signed");
    assert!(verified(&credential, &algorithm, b"third", &values[0]));
}

#[test]
fn a_user_authorises_in_a_browser() {
    let bench = Bench::start();
    let session = bench.fetcher.session(Limits::default());
    let (oauth, both) = (bench.oauth("s3cret"), hashes(&[b"first", b"second"]));
    let begin = || {
        let scope = Scope::Credential { id: "oauth", hashes: &both };
        let pending = oauth.begin("http://127.0.0.1:9/back", scope).expect("an address");
        let url = url::Url::parse(&pending.url).expect("an address");
        let asked: BTreeMap<String, String> = url.query_pairs().into_owned().collect();
        *bench.service.challenge.lock().unwrap() = asked["code_challenge"].clone();
        (pending, asked)
    };
    let (pending, asked) = begin();
    for (name, value) in [
        ("response_type", "code"),
        ("client_id", "client"),
        ("redirect_uri", "http://127.0.0.1:9/back"),
        ("scope", "credential"),
        ("code_challenge_method", "S256"),
        ("credentialID", "oauth"),
        ("numSignatures", "2"),
        ("hashAlgorithmOID", HASHES.oid()),
    ] {
        assert_eq!(asked[name], value, "{name}");
    }
    assert_eq!(asked["hashes"].split(',').count(), 2);
    let returned = format!("http://127.0.0.1:9/back?code=c0de&state={}", asked["state"]);
    let token = oauth.finish(&session, pending, &returned).expect("RFC 6749 4.1.3, RFC 7636 4.5");
    let service = SigningService::at(bench.server.url("/csc/v2")).with_token(token);
    let credential = service.credential(&session, "oauth").expect("there is one");
    assert_eq!(credential.mode, AuthorizationMode::OAuth2Code);
    let algorithm = SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, Some(HASHES));
    let values = service.sign(&session, &credential, &both, &algorithm, None).expect("the token authorises");
    assert!(verified(&credential, &algorithm, b"first", &values[0]));

    for (clause, returned, expected) in [
        ("RFC 6749 10.12: another state", "http://127.0.0.1:9/back?code=c0de&state=x", "csc-redirect"),
        ("RFC 6749 10.12: no state", "http://127.0.0.1:9/back?code=c0de", "csc-redirect"),
        ("RFC 6749 10.12: two states", "http://127.0.0.1:9/back?code=c0de&state=STATE&state=STATE", "csc-redirect"),
        ("RFC 6749 4.1.2: no code", "http://127.0.0.1:9/back?state=STATE", "csc-redirect"),
        ("RFC 6749 4.1.2.1: refused", "http://127.0.0.1:9/back?error=access_denied&state=STATE", "csc-denied"),
        ("RFC 6749 5.2: another code", "http://127.0.0.1:9/back?code=other&state=STATE", "csc-denied"),
        ("no address", "back?code=c0de", "csc-unreachable"),
    ] {
        let (pending, asked) = begin();
        let returned = returned.replace("STATE", &asked["state"]);
        let error = oauth.finish(&session, pending, &returned).map(drop).expect_err(clause);
        assert_eq!(error.code(), expected, "{clause}: {error}");
    }
    let (pending, asked) = begin();
    bench.service.challenge.lock().unwrap().push('x');
    let returned = format!("http://127.0.0.1:9/back?code=c0de&state={}", asked["state"]);
    let error = oauth.finish(&session, pending, &returned).expect_err("RFC 7636 4.6: another challenge");
    assert_eq!(error.to_string(), "the signing service answers \"invalid_grant\" (status 400): nosuch code");
    let denied = bench.oauth("other").client_credentials(&session).expect_err("RFC 6749 5.2: another secret");
    assert_eq!(denied.code(), "csc-denied", "{denied}");
}

#[test]
fn what_is_refused() {
    let bench = Bench::start();
    let session = bench.fetcher.session(Limits::default());
    let (service, both) = (bench.client(), hashes(&[b"first", b"second"]));
    let algorithm = SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, Some(HASHES));
    let signed = |id: &str, algorithm: &SignatureAlgorithm| -> Result<(), CscError> {
        let credential = service.credential(&session, id)?;
        let activation = service.authorize(&session, &credential, &both, &pin("1234"), None)?;
        service.sign(&session, &credential, &both, algorithm, Some(activation)).map(drop)
    };
    for (id, algorithm, code, expected) in [
        ("fewer", algorithm, "count-differs", "the signing service returned 1 signature values, expected 2"),
        ("garbled", algorithm, "csc-answer", "the answer to signatures/signHash is !, expected a value in Base64"),
        ("later", algorithm, "csc-answer", "the answer to signatures/signHash is that it answers later (responseID)"),
        (
            "page",
            algorithm,
            "csc-answer",
            "the answer to signatures/signHash is an HTML page with the title \"Welcome\"",
        ),
        ("broken", algorithm, "csc-unreachable", "the server answers with status 500, expected 200"),
        ("disabled", algorithm, "csc-disabled", "the credential is one whose key is disabled, expected"),
        ("bare", algorithm, "csc-answer", "the answer to credentials/info is one with 0 certificates"),
        (
            "damaged",
            algorithm,
            "csc-answer",
            "the answer to credentials/info is one with 2 certificates, not all readable",
        ),
        (
            "unknown",
            algorithm,
            "csc-refused",
            "the signing service answers \"invalid_request\" (status 400): Invalid parameter credentialID",
        ),
        (
            "ec",
            SignatureAlgorithm::new(KeyAlgorithm::Rsa, Some(HASHES)),
            "csc-algorithm",
            "the credential does not sign with SHA256withRSA, expected one of: 1.2.840.10045.4.3.2",
        ),
        (
            "ec",
            SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, Some(DigestAlgorithm::Sha512)),
            "csc-algorithm",
            "the credential does not sign with SHA512withECDSA",
        ),
        (
            "ec",
            SignatureAlgorithm::new(KeyAlgorithm::EdDsa, Some(DigestAlgorithm::Sha512)),
            "csc-algorithm",
            "the credential does not sign with SHA512withEdDSA",
        ),
    ] {
        let error = signed(id, &algorithm).expect_err(id);
        assert_eq!(error.code(), code, "{id}: {error}");
        assert!(error.to_string().starts_with(expected), "{id}: {error}");
    }
    let credential = service.credential(&session, "ec").expect("there is one");
    let wrong = service.authorize(&session, &credential, &both, &pin("4321"), None).expect_err("another PIN");
    assert_eq!(wrong.code(), "csc-refused");
    assert!(!format!("{wrong} {wrong:?} {:?}", pin("4321")).contains("4321"), "secrets are not printed");
    let before = bench.server.asked().len();
    let three = hashes(&[b"1", b"2", b"3"]);
    let many = service.authorize(&session, &credential, &three, &pin("1234"), None).expect_err("multisign is 2");
    assert_eq!(many.code(), "csc-too-many");
    assert_eq!(bench.server.asked().len(), before, "nobody is asked in vain");
    let once = service.authorize(&session, &credential, &both, &pin("1234"), None).expect("the PIN is the right one");
    assert!(service.sign(&session, &credential, &both, &algorithm, Some(once)).is_ok());
    let none = service.sign(&session, &credential, &both, &algorithm, None).expect_err("no activation data");
    assert_eq!(none.code(), "csc-refused");
    let stranger = SigningService::at(bench.server.url("/csc/v2")).with_token(AccessToken::new("other"));
    let denied = stranger.credentials(&session, Some("somebody")).expect_err("another token");
    assert_eq!(denied.code(), "csc-denied", "{denied}");
    let clear = SigningService::at("http://csc.example/csc/v2").with_token(AccessToken::new("opens"));
    let clear = clear.credentials(&session, None).expect_err("RFC 6750 5.3: without TLS");
    assert_eq!(clear.to_string(), "credentials are for a server without TLS, expected an address of https");
    assert!(Hashes::new(HASHES, vec![vec![0; 32], vec![0; 20]]).is_err(), "digests of one function");
}
