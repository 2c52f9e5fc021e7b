//! Storage that fails, and nodes that share it: what was promised is kept, and what cannot be is not promised.

use crate::signing::assert_internal;
use crate::support::postgres;
use crate::support::server::Server;
use crate::validation::assert_problem;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre::issuance::Locations;
use lacre_server::audit::{self, Action};
use lacre_server::registry::tokens;
use lacre_server::storage::{self, Person, Store};
use lacre_server::{clock, pki};
use serde_json::json;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const CERTIFICATES: &str = "/api/signature/certificates/";

/// Users with a token each.
async fn users(store: &dyn Store, count: usize) -> Vec<(Person, String)> {
    let mut users = vec![];
    for at in 0..count {
        let person = Person::known_as(format!("user-{at}").parse().unwrap(), "PT");
        let token = tokens::issue(store, person.clone(), None, clock::now()).await.unwrap();
        users.push((person, token.text().to_owned()));
    }
    users
}

async fn open(place: &str) -> Arc<dyn Store> {
    storage::open(place, None).await.unwrap()
}

fn assert_not_ready(server: &Server) {
    let answer = server.get("/readyz", &[]);
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("2")), "{}", answer.text());
    assert_problem(&answer, "not-ready", "The server is not ready", "the storage does not answer");
    assert_eq!(server.get("/healthz", &[]).status, 200, "the process is alive");
}

/// The arguments of a node, all of which have the same authority and master key.
fn node(place: &str, folder: &Path) -> Vec<String> {
    let file = |name: &str| folder.join(name).display().to_string();
    let (master, authority, key, root) = (file("master.key"), file("ca.der"), file("ca.key"), file("root.der"));
    let settings: [(&str, &str); 6] = [
        ("--store", place),
        ("--master-key-file", &master),
        ("--ca-certificate", &authority),
        ("--ca-key", &key),
        ("--ca-chain", &root),
        ("--trust-anchor", &authority),
    ];
    settings.iter().flat_map(|(name, value)| [(*name).to_owned(), (*value).to_owned()]).collect()
}

fn start(place: &str, folder: &Path) -> Server {
    let arguments = node(place, folder);
    Server::start(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A disk that gets full: what was answered is in the log, what was not is nowhere, and no certificate is lost.
#[tokio::test]
async fn an_embedded_store_that_cannot_grow() {
    let temporary = tempfile::tempdir().unwrap();
    let place = temporary.path().join("store.redb").display().to_string();
    let prepared = users(&*open(&place).await, 1).await;
    let (person, token) = &prepared[0];
    let own = [("X-AUTH-TOKEN", &**token)];
    pki::demo(temporary.path(), Locations::default(), clock::now()).unwrap();
    let arguments = node(&place, temporary.path());
    let length = std::fs::metadata(&place).unwrap().len();
    let room = length / 1024 + 64;
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();

    let server = Server::start_limited(room, &arguments);
    let first = server.get(CERTIFICATES, &own).json();
    let id = first[0]["keyInfo"]["keyId"].as_u64().unwrap().to_string();
    let hashes = vec![BASE64_STANDARD.encode([7; 32]); 1000];
    let asked = json!({"credentialID": id, "hashes": hashes, "signAlgo": "1.2.840.10045.4.3.2"}).to_string();
    let (mut signed, begun) = (0, Instant::now());
    let refused = loop {
        let answer = server.post("/csc/v2/signatures/signHash", &own, asked.as_bytes());
        match answer.status {
            200 => signed += 1000,
            _ => break answer,
        }
        assert!(begun.elapsed() < Duration::from_secs(240), "{signed} signatures, and the disk is not full");
    };
    assert_internal(&refused);
    assert_internal(&server.post("/csc/v2/signatures/signHash", &own, asked.as_bytes()));
    assert_not_ready(&server);
    drop(server);

    // With room again, all is as it was promised.
    let server = Server::start(&arguments);
    assert_eq!(server.get(CERTIFICATES, &own).json(), first, "the certificate is kept, and is the only one");
    drop(server);
    let store = open(&place).await;
    let head = audit::verify(&*store, None).await.unwrap();
    let entries = store.audit(1, usize::try_from(head.count).unwrap()).await.unwrap();
    let told = entries.iter().filter(|entry| entry.event.action == Action::HashSigned).count();
    assert!(told >= signed, "{signed} signatures were handed out, the log tells of {told}");
    assert_eq!(store.history(&person.user).await.unwrap().len(), 1);
}

/// PostgreSQL goes away amid requests, and comes back.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL (Debian package postgresql)"]
async fn a_database_that_goes_away() {
    let mut database = postgres::Server::start();
    let place = database.database("away");
    let store = open(&place).await;
    let users = users(&*store, 60).await;
    let temporary = tempfile::tempdir().unwrap();
    pki::demo(temporary.path(), Locations::default(), clock::now()).unwrap();
    let server = start(&place, temporary.path());

    let (stop, got) = (AtomicBool::new(false), std::sync::Mutex::new(HashMap::<String, u64>::new()));
    let (mut answered, mut failed) = (0, 0);
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..6)
            .map(|at| {
                let (server, users, stop, got) = (&server, &users, &stop, &got);
                scope.spawn(move || {
                    let (mut answered, mut failed, mut next) = (0, 0, at);
                    while !stop.load(Ordering::Relaxed) {
                        let (person, token) = &users[next % users.len()];
                        next += 6;
                        let own = [("X-AUTH-TOKEN", &**token)];
                        let answer = server.get(CERTIFICATES, &own);
                        if answer.status != 200 {
                            assert_internal(&answer);
                            failed += 1;
                            continue;
                        }
                        let key = answer.json()[0]["keyInfo"]["keyId"].as_u64().unwrap();
                        let before = got.lock().unwrap().insert(person.user.to_string(), key);
                        assert!(before.is_none_or(|before| before == key), "{}: another certificate", person.user);
                        let signed = server.post(&format!("/api/signature/hash/{key}"), &own, &[7; 32]);
                        match signed.status {
                            200 => answered += 1,
                            _ => {
                                assert_internal(&signed);
                                failed += 1;
                            }
                        }
                    }
                    (answered, failed)
                })
            })
            .collect();
        for _ in 0..2 {
            std::thread::sleep(Duration::from_millis(1500));
            database.stop();
            assert_not_ready(&server);
            database.resume();
            let begun = Instant::now();
            while server.get("/readyz", &[]).status != 200 {
                assert!(begun.elapsed() < Duration::from_secs(60), "it is ready again");
                std::thread::sleep(Duration::from_millis(100));
            }
        }
        std::thread::sleep(Duration::from_millis(1500));
        stop.store(true, Ordering::Relaxed);
        for client in clients {
            let (own_answered, own_failed) = client.join().unwrap();
            answered += own_answered;
            failed += own_failed;
        }
    });
    assert!(answered > 0 && failed > 0, "{answered} signatures, {failed} failures: it went away amid requests");

    let store = open(&place).await;
    let head = audit::verify(&*store, None).await.unwrap();
    let entries = store.audit(1, usize::try_from(head.count).unwrap()).await.unwrap();
    let told = |action: Action| entries.iter().filter(|entry| entry.event.action == action).count();
    assert!(told(Action::HashSigned) >= answered, "what was handed out is told");
    let got = got.into_inner().unwrap();
    let mut issued = 0;
    for (person, _) in &users {
        let history = store.history(&person.user).await.unwrap();
        assert!(history.len() <= 1, "{}: one certificate", person.user);
        issued += history.len();
        if let Some(key) = got.get(person.user.as_str()) {
            assert_eq!(history.first().map(|issued| issued.key.number()), Some(*key), "{}: not lost", person.user);
        }
    }
    assert_eq!(told(Action::CertificateIssued), issued);
}

/// A hundred first requests of one user at two processes: one certificate.
#[tokio::test]
#[ignore = "needs PostgreSQL (Debian package postgresql)"]
async fn two_nodes_and_a_hundred_first_requests() {
    let database = postgres::Server::start();
    let place = database.database("nodes");
    let store = open(&place).await;
    let users = users(&*store, 1).await;
    let (person, token) = &users[0];
    let temporary = tempfile::tempdir().unwrap();
    pki::demo(temporary.path(), Locations::default(), clock::now()).unwrap();
    let nodes = [start(&place, temporary.path()), start(&place, temporary.path())];
    let bodies: Vec<Vec<u8>> = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..100)
            .map(|at| {
                let node = &nodes[at % 2];
                scope.spawn(move || {
                    let answer = node.get(CERTIFICATES, &[("X-AUTH-TOKEN", token)]);
                    assert_eq!(answer.status, 200, "{}", answer.text());
                    answer.body
                })
            })
            .collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    assert_eq!(bodies.len(), 100);
    assert!(bodies.iter().all(|body| *body == bodies[0]), "one user, one certificate");
    assert_eq!(store.history(&person.user).await.unwrap().len(), 1);
    let entries = store.audit(1, 1000).await.unwrap();
    let told = entries.iter().filter(|entry| entry.event.action == Action::CertificateIssued).count();
    assert_eq!(told, 1, "the log tells of one");
    audit::verify(&*store, None).await.unwrap();
}
