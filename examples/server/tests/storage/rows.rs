//! What every store promises.

use crate::fixture::{DAY, NOW, Place, count, log, over, person, verified};
use lacre::{
    issuance::{Certificate, RevocationReason},
    signing::{DigestAlgorithm, PublicKey, SignatureAlgorithm, digest},
};
use lacre_core::crypto::{Signed, verify};
use lacre_server::audit::Action;
use lacre_server::registry::{AccessError, Error, Registry, SigningError, UserCertificate, tokens};
use lacre_server::storage::{KeyId, StorageError};
use lacre_server::token::Refusal;
use std::sync::Arc;

pub async fn all(mut place: impl FnMut() -> Place) {
    one_user_one_certificate(place()).await;
    renewal(place()).await;
    revocation(place()).await;
    signatures(place()).await;
    access(place()).await;
    nothing_half_written(place()).await;
    crate::commands::commands(place()).await;
}

/// A hundred first requests at once, over two nodes.
async fn one_user_one_certificate(place: Place) {
    let nodes = [Arc::new(place.registry().await), Arc::new(place.registry().await)];
    let mut asked = tokio::task::JoinSet::new();
    for at in 0..100 {
        let node = Arc::clone(&nodes[at % 2]);
        asked.spawn(async move { node.get_or_issue(&person("ana"), NOW).await });
    }
    let answers: Vec<Result<UserCertificate, Error>> = asked.join_all().await;
    let mut certificates: Vec<Vec<u8>> =
        answers.into_iter().map(|answer| answer.expect("each request is answered").certificate).collect();
    assert_eq!(certificates.len(), 100);
    certificates.dedup();
    assert_eq!(certificates.len(), 1, "one user, one certificate");
    let store = nodes[0].store();
    assert_eq!(store.history(&person("ana").user).await.expect("read").len(), 1);
    assert_eq!(count(&**store, Action::CertificateIssued).await, 1, "the log tells of one");
    assert_eq!(verified(&**store).await.count, 1);
}

async fn renewal(place: Place) {
    let registry = place.registry().await;
    let ana = person("ana");
    let mut seen = Vec::new();
    for (situation, days, expected) in [
        ("first", 0, 0),
        ("kept", 1, 0),
        ("kept until ten days before its end", 89, 0),
        ("renewed ten days before its end", 91, 1),
        ("the new one is kept", 100, 1),
        ("renewed after its end", 500, 2),
    ] {
        let got = registry.get_or_issue(&ana, NOW.plus_millis(days * DAY)).await.expect("a certificate");
        if !seen.contains(&got.key) {
            seen.push(got.key);
        }
        assert_eq!(seen.iter().position(|key| *key == got.key), Some(expected), "{situation}");
    }
    let history = registry.store().history(&ana.user).await.expect("read");
    assert_eq!(history.iter().map(|issued| issued.key).collect::<Vec<_>>(), seen, "history, oldest first");
    // The older key signs as long as its certificate lasts.
    for (situation, days, expected) in [("before", 95, true), ("after its end", 101, false)] {
        let key = registry.key(&ana.user, seen[0], NOW.plus_millis(days * DAY)).await.expect("an answer");
        assert_eq!(key.is_some(), expected, "{situation}");
    }
    assert_eq!(count(&**registry.store(), Action::CertificateIssued).await, 1);
    assert_eq!(count(&**registry.store(), Action::CertificateRenewed).await, 2);
    verified(&**registry.store()).await;
}

async fn revocation(place: Place) {
    let (registry, other) = (place.registry().await, place.registry().await);
    let (ana, bob) = (person("ana"), person("bob"));
    let first = registry.get_or_issue(&ana, NOW).await.expect("a certificate").key;
    registry.get_or_issue(&bob, NOW).await.expect("a certificate");
    let key = other.key(&ana.user, first, NOW).await.expect("an answer").expect("a key");
    let algorithm = key.algorithm(DigestAlgorithm::Sha256);
    other.sign(&key, algorithm, &[7; 32], NOW).await.expect("it signs");

    let reason = RevocationReason::KeyCompromise;
    assert!(registry.revoke(first, reason, NOW.plus_millis(1)).await.expect("an answer"));
    assert!(!registry.revoke(first, reason, NOW.plus_millis(2)).await.expect("an answer"), "only once");
    let nobody = KeyId::new(4711).expect("it is positive");
    assert!(!registry.revoke(nobody, reason, NOW).await.expect("an answer"), "nobody's key");

    // The other node has the key open; the log knows better.
    let refused = other.sign(&key, algorithm, &[7; 32], NOW).await;
    assert!(matches!(refused, Err(SigningError::Revoked)), "{refused:?}");
    for (node, name) in [(&registry, "this node"), (&other, "the other node")] {
        assert!(node.key(&ana.user, first, NOW).await.expect("an answer").is_none(), "{name}: the key is gone");
    }
    let list = registry.revocation_list(NOW.plus_millis(2)).await.expect("a list");
    let serial = registry.store().certificate(first).await.expect("read").expect("it is there").serial;
    assert!(list.windows(serial.len()).any(|bytes| bytes == serial), "RFC 5280 5.1.2.6: it is in the list");
    assert_eq!(registry.store().revoked(NOW).await.expect("read").len(), 1);
    let late = NOW.plus_millis(101 * DAY);
    assert!(registry.store().revoked(late).await.expect("read").is_empty(), "expired certificates leave the list");

    responder(&registry, first).await;
    let second = registry.get_or_issue(&ana, NOW).await.expect("a certificate").key;
    assert_ne!(second, first, "a new certificate follows a revoked one");
    let actions: Vec<Action> = log(&**registry.store()).await.iter().map(|entry| entry.event.action).collect();
    use Action::*;
    let expected =
        [CertificateIssued, CertificateIssued, HashSigned, CertificateRevoked, SignatureRefused, CertificateRenewed];
    assert_eq!(actions, expected);
    let entries = log(&**registry.store()).await;
    assert_eq!(entries[3].event.user.as_ref(), Some(&ana.user), "the log says whose certificate it was");
    assert_eq!((entries[3].event.key, entries[3].event.detail.as_str()), (Some(first), "keyCompromise"));
    verified(&**registry.store()).await;
}

/// RFC 6960 §2.2, as `openssl` asks and reads it: revoked, good, never issued.
async fn responder(registry: &Registry, revoked: KeyId) {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let issued = registry.store().certificate(revoked).await.expect("read").expect("it is there");
    let good = registry.store().history(&person("bob").user).await.expect("read").remove(0);
    let file = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("written");
    file("ca.der", registry.authority().certificate().der());
    file("root.der", registry.authority().chain()[0].der());
    file("revoked.der", &issued.certificate);
    file("good.der", &good.certificate);
    let openssl = |line: &str| {
        let words = line.split(' ');
        let done = std::process::Command::new("openssl").args(words).current_dir(folder.path()).output();
        let done = done.expect("openssl is installed");
        format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr))
    };
    for name in ["ca", "root", "revoked", "good"] {
        openssl(&format!("x509 -inform DER -in {name}.der -out {name}.pem"));
    }
    openssl("ocsp -issuer ca.pem -cert revoked.pem -cert good.pem -serial 0x4711 -reqout request");
    let request = std::fs::read(folder.path().join("request")).expect("openssl wrote it");
    let at = NOW.plus_millis(2);
    file("response", &registry.ocsp(request, at).await.expect("a response"));
    let read = "ocsp -issuer ca.pem -cert revoked.pem -cert good.pem -serial 0x4711 -respin response -CAfile root.pem \
                -verify_other ca.pem -attime 1795255300 -validity_period 4000000000 -no_nonce";
    let told = openssl(read);
    for expected in ["Response verify OK", "revoked.pem: revoked", "good.pem: good", "0x4711: unknown"] {
        assert!(told.contains(expected), "{expected}: {told}");
    }
    let unreadable = registry.ocsp(b"no request".to_vec(), at).await.expect("a response");
    assert_eq!(unreadable, [0x30, 0x03, 0x0a, 0x01, 0x01], "RFC 6960 4.2.1: malformedRequest");
}

async fn signatures(place: Place) {
    let registry = Arc::new(place.registry().await);
    let (ana, bob) = (person("ana"), person("bob"));
    let got = registry.get_or_issue(&ana, NOW).await.expect("a certificate");
    let certificate = Certificate::from_der(&got.certificate).expect("it is a certificate");
    assert_eq!(certificate.spki(), got.public_key);
    assert_eq!(certificate.not_after(), got.expires);
    assert!(registry.key(&bob.user, got.key, NOW).await.expect("an answer").is_none(), "a stranger's key");
    let nobody = KeyId::new(4711).expect("it is positive");
    assert!(registry.key(&ana.user, nobody, NOW).await.expect("an answer").is_none(), "nobody's key");

    let key = registry.key(&ana.user, got.key, NOW).await.expect("an answer").expect("a key");
    assert!(registry.key(&bob.user, got.key, NOW).await.expect("an answer").is_none(), "a stranger's, open by now");
    let bytes = digest(DigestAlgorithm::Sha256, b"text").expect("SHA-256");
    let algorithm = key.algorithm(DigestAlgorithm::Sha256);
    let mut signed = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let (registry, key, bytes) = (Arc::clone(&registry), key.clone(), bytes.clone());
        signed.spawn(async move { registry.sign(&key, algorithm, &bytes, NOW).await });
    }
    let public = PublicKey::from_spki(&got.public_key).expect("a public key");
    for value in signed.join_all().await {
        let value = value.expect("it signs");
        assert_eq!(verify(&public, &algorithm, Signed::Message(b"text"), &value), Ok(()));
    }
    let wrong = registry.sign(&key, algorithm, &[0; 20], NOW).await;
    assert!(matches!(wrong, Err(SigningError::Sign(_))), "FIPS 186-5 6.4.1: the digest's length");
    let other = SignatureAlgorithm::new(lacre::signing::KeyAlgorithm::Rsa, Some(DigestAlgorithm::Sha256));
    assert!(matches!(registry.sign(&key, other, &bytes, NOW).await, Err(SigningError::Sign(_))), "another kind");
    assert_eq!(count(&**registry.store(), Action::HashSigned).await, 50);
    let entries = log(&**registry.store()).await;
    let detail = &entries.last().expect("there are entries").event.detail;
    assert!(detail.starts_with("SHA256withECDSA 982d9e3eb996f559"), "algorithm and digest: {detail}");
    verified(&**registry.store()).await;
}

async fn access(place: Place) {
    let registry = place.registry().await;
    let store = &**registry.store();
    let ana = person("ana");
    let expires = Some(NOW.plus_millis(DAY));
    let good = tokens::issue(store, ana.clone(), expires, NOW).await.expect("a token");
    let revoked = tokens::issue(store, ana.clone(), None, NOW).await.expect("a token");
    assert!(tokens::revoke(store, revoked.id(), NOW).await.expect("an answer"));
    assert!(!tokens::revoke(store, revoked.id(), NOW).await.expect("an answer"), "only once");

    let wrong = format!("{}x", good.text());
    let unknown = "lacre_4711_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let rows = [
        ("good", good.text(), 0, None),
        ("at its last moment", good.text(), DAY - 1, None),
        ("expired", good.text(), DAY, Some(Refusal::Expired)),
        ("revoked", revoked.text(), 0, Some(Refusal::Revoked)),
        ("another secret", &wrong, 0, Some(Refusal::Secret)),
        ("nobody's", unknown, 0, Some(Refusal::Unknown)),
        ("no token", "Basic YTpi", 0, Some(Refusal::Malformed)),
        ("nothing", "", 0, Some(Refusal::Malformed)),
    ];
    for (situation, text, later, expected) in &rows {
        match (registry.user_of(text, NOW.plus_millis(*later)).await, expected) {
            (Ok(person), None) => assert_eq!(person, ana, "{situation}"),
            (Err(AccessError::Refused(found)), Some(expected)) => assert_eq!(found, *expected, "{situation}"),
            (found, expected) => panic!("{situation}: {found:?}, expected {expected:?}"),
        }
    }
    assert_eq!(count(store, Action::TokenRefused).await, 6, "every refusal is in the log");
    let listed = store.tokens().await.expect("read");
    assert_eq!(listed.len(), 2);
    for record in &listed {
        let text = format!("{record:?}");
        for token in [good.text(), revoked.text()] {
            // Base64url: the secret itself may hold the separator.
            let secret = token.splitn(3, '_').nth(2).expect("a token has a secret");
            assert!(!text.contains(secret), "only the digest is stored");
        }
    }
    let told = format!("{:?}", log(store).await);
    assert!(!told.contains(good.text()) && !told.contains("AAAAAAAA"), "no token in the log");
    verified(store).await;
}

/// A certificate that cannot be made leaves nothing behind.
async fn nothing_half_written(place: Place) {
    let store = place.store().await;
    let registry: Registry = over(Arc::clone(&store), place.folder.path());
    let mut nameless = person("ana");
    nameless.surname = String::new();
    let refused = registry.get_or_issue(&nameless, NOW).await;
    assert!(matches!(refused, Err(Error::Issuance(_))), "{refused:?}");
    assert!(store.history(&nameless.user).await.expect("read").is_empty());
    assert!(log(&*store).await.is_empty(), "what did not happen is not told");

    // A panic in the middle of a transaction.
    let panics = Box::new(|_: Option<&_>| panic!("a test's panic"));
    assert!(store.current_or_issue(&nameless.user, NOW, panics).await.is_err());
    registry.get_or_issue(&person("ana"), NOW).await.expect("the store goes on");
    let twice = tokens::issue(&*store, person("ana"), None, NOW).await.expect("a token");
    let record = store.token(twice.id()).await.expect("read").expect("it is there");
    assert_eq!(record.sha256, twice.sha256());
    let _: Result<(), StorageError> = store.ready().await;
    verified(&*store).await;
}
