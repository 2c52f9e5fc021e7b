//! Remote signing (CSC API v2) with a service that the test is: bound activation data, PKCE, refusals.

use lacre_core::algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm};
use lacre_core::crypto::{Signed, digest, verify};
use lacre_fetch::csc::{
    AccessToken, AuthorizationData, AuthorizationMode, Credential, CscError, Hashes, OAuth, Scope, SigningService,
};
use lacre_fetch::{Addresses, Fetcher, Limits};
use lacre_testkit::csc::{HASHES, Service};
use lacre_testkit::http::Server;
use std::collections::BTreeMap;
use std::sync::Arc;

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
        bench.service.expect(&asked["code_challenge"]);
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
    bench.service.expect(&format!("{}x", asked["code_challenge"]));
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
