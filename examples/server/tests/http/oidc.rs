//! Access tokens of an OpenID Connect issuer that lives on this machine.

use crate::support::server::Server;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use lacre::signing::{DigestAlgorithm, KeyKind, SignatureAlgorithm, SigningKey as _, SoftwareKey, digest};
use lacre_server::{clock, rng};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

const CERTIFICATES: &str = "/api/signature/certificates/";

/// An issuer that serves its key set.
struct Issuer {
    address: String,
    keys: Arc<Mutex<Vec<(String, SoftwareKey)>>>,
}

impl Issuer {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let keys = Arc::new(Mutex::new(vec![("one".to_owned(), new_key())]));
        let served = Arc::clone(&keys);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let _ = stream.read(&mut [0; 4096]);
                let set: Vec<Value> = served.lock().unwrap().iter().map(|(id, key)| jwk(id, key)).collect();
                let body = json!({"keys": set}).to_string();
                let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close";
                let _ = write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
            }
        });
        Self { address, keys }
    }

    fn arguments(&self) -> Vec<String> {
        let url = format!("http://{}/jwks", self.address);
        ["--oidc-issuer", "https://issuer.example", "--oidc-audience", "lacre", "--oidc-jwks", &url]
            .map(String::from)
            .into()
    }

    /// A token with these claims in place of the usual ones, signed by the key of that name.
    fn token(&self, id: &str, change: Value) -> String {
        let mut claims = json!({
            "iss": "https://issuer.example", "aud": "lacre", "exp": clock::now().seconds() + 300, "sub": "ana",
            "given_name": "Ana", "family_name": "Sá", "address": {"country": "PT"},
        });
        for (name, value) in change.as_object().unwrap() {
            claims[name] = value.clone();
        }
        let header = json!({"alg": "ES256", "kid": id, "typ": "at+jwt"});
        let part = |json: &Value| BASE64_URL_SAFE_NO_PAD.encode(json.to_string());
        let signed = format!("{}.{}", part(&header), part(&claims));
        let keys = self.keys.lock().unwrap();
        let (_, key) = keys.iter().find(|(own, _)| own == id).unwrap();
        let bytes = digest(DigestAlgorithm::Sha256, signed.as_bytes()).unwrap();
        let algorithm = SignatureAlgorithm::from_jose("ES256").unwrap();
        let value = key.sign(&algorithm, &bytes, &mut rng::system()).unwrap();
        format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode(value))
    }
}

fn new_key() -> SoftwareKey {
    SoftwareKey::generate(KeyKind::P256, &mut rng::system()).unwrap()
}

/// RFC 7518 §6.2: the point is the end of the SubjectPublicKeyInfo.
fn jwk(id: &str, key: &SoftwareKey) -> Value {
    let spki = key.public_key().spki();
    let point = &spki[spki.len() - 64..];
    let number = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
    json!({"kty": "EC", "crv": "P-256", "kid": id, "use": "sig", "x": number(&point[..32]), "y": number(&point[32..])})
}

fn status(server: &Server, token: &str) -> u16 {
    server.get(CERTIFICATES, &[("Authorization", &format!("Bearer {token}"))]).status
}

#[test]
fn tokens_of_an_issuer() {
    let issuer = Issuer::start();
    let mut arguments = issuer.arguments();
    arguments.extend(["--fetch-allow".to_owned(), issuer.address.clone()]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (server, demo) = Server::demo(&arguments);

    let token = issuer.token("one", json!({}));
    let own = server.get(CERTIFICATES, &[("Authorization", &format!("Bearer {token}"))]);
    assert_eq!(own.status, 200, "{}", own.text());
    let again = server.get(CERTIFICATES, &[("X-AUTH-TOKEN", &issuer.token("one", json!({"aud": ["x", "lacre"]})))]);
    assert_eq!(again.json(), own.json(), "the subject is the user, whichever the token and the header");
    let demos = server.get(CERTIFICATES, &[("X-AUTH-TOKEN", &demo)]);
    assert_ne!(demos.json(), own.json(), "tokens of our own are accepted beside");

    let now = clock::now().seconds();
    let (front, value) = token.rsplit_once('.').unwrap();
    let changed = format!("{front}.{}", value.chars().rev().collect::<String>());
    for (clause, token) in [
        ("RFC 9068 4: signature", changed),
        ("RFC 9068 4: iss", issuer.token("one", json!({"iss": "https://other.example"}))),
        ("RFC 9068 4: aud", issuer.token("one", json!({"aud": "other"}))),
        ("RFC 9068 4: exp", issuer.token("one", json!({"exp": now - 300}))),
        ("RFC 7519 4.1.5: nbf", issuer.token("one", json!({"nbf": now + 300}))),
        ("no name for the certificate", issuer.token("one", json!({"family_name": null}))),
        (
            "RFC 8725 3.2: alg none",
            format!("{}.{}.", BASE64_URL_SAFE_NO_PAD.encode(r#"{"alg":"none"}"#), front.split_once('.').unwrap().1),
        ),
    ] {
        assert_eq!(status(&server, &token), 401, "{clause}");
    }

    // A stranger's key of the issuer's own name: the set is not asked for it, as it has one of that name.
    let stranger = Issuer { address: String::new(), keys: Arc::new(Mutex::new(vec![("one".into(), new_key())])) };
    assert_eq!(status(&server, &stranger.token("one", json!({}))), 401);
}

#[test]
fn private_addresses_are_not_asked_unless_allowed() {
    let issuer = Issuer::start();
    let arguments = issuer.arguments();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (server, _) = Server::demo(&arguments);
    assert_eq!(status(&server, &issuer.token("one", json!({}))), 401);
    let refused = server.logged("the issuer's key set was not fetched");
    assert!(refused["error"].as_str().unwrap().contains("expected a public one"), "{refused}");
}
