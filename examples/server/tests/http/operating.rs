//! What an operator changes while the server runs, and between two runs.

use crate::support::postgres;
use crate::support::server::{PROGRAM, Server, example};
use crate::validation::assert_problem;
use lacre_keys::MasterKey;
use lacre_server::rng;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const CERTIFICATES: &str = "/api/signature/certificates/";
const PDF: &str = "/api/Document/Validate/Pdf/case-1";

/// Waits until it is so.
fn until(what: &str, is: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is() {
        assert!(begun.elapsed() < Duration::from_secs(30), "{what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn run(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).output().unwrap()
}

fn key_id(server: &Server, token: &str) -> u64 {
    let answer = server.get(CERTIFICATES, &[("X-AUTH-TOKEN", token)]);
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()[0]["keyInfo"]["keyId"].as_u64().unwrap()
}

fn signs(server: &Server, token: &str, key: u64) -> u16 {
    server.post(&format!("/api/signature/hash/{key}"), &[("X-AUTH-TOKEN", token)], &[7; 32]).status
}

/// What is trusted is read again when it changes; what cannot be read leaves what was.
#[test]
fn trust_is_loaded_again() {
    let folder = tempfile::tempdir().unwrap();
    let anchor = folder.path().join("anchor.der");
    let stranger = lacre_server::pki::demo(folder.path(), Default::default(), lacre_server::clock::now()).unwrap().1;
    std::fs::write(&anchor, stranger.certificate().der()).unwrap();
    let server = Server::start(&["--trust-anchor", anchor.to_str().unwrap(), "--trust-refresh", "1"]);
    let verdict = || {
        let answer = server.post(PDF, &[("Accept", "application/json")], &example("contract.pdf"));
        answer.json()["conclusion"]["indication"].as_str().unwrap().to_owned()
    };
    assert_eq!(verdict(), "INDETERMINATE", "a stranger is trusted");
    std::fs::write(&anchor, example("root.der")).unwrap();
    until("the new anchor is loaded", || verdict() == "TOTAL-PASSED");
    std::fs::write(&anchor, "no certificate").unwrap();
    server.logged("trust not loaded, trying again");
    assert_eq!((verdict().as_str(), server.get("/readyz", &[]).status), ("TOTAL-PASSED", 200), "what was loaded stays");
    let metrics = server.get("/metrics", &[]).text();
    assert!(metrics.contains(r#"lacre_trust_loads_total{result="loaded"} 2"#), "{metrics}");
}

/// A folder of lists that make nobody trusted never looks healthy.
#[test]
fn lists_that_make_nobody_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start_unready(&["--trusted-lists", folder.path().to_str().unwrap(), "--trust-refresh", "1"]);
    until("the folder is loaded", || !server.get("/readyz", &[]).text().contains("not loaded yet"));
    for (situation, file) in [("an empty folder", None), ("an HTML page", Some("<html></html>"))] {
        if let Some(text) = file {
            std::fs::write(folder.path().join("eu-lotl.xml"), text).unwrap();
            server.logged("trust loaded");
        }
        let answer = server.get("/readyz", &[]);
        assert_eq!(answer.status, 503, "{situation}");
        let detail = "none of the trusted lists can be relied on";
        assert_problem(&answer, "not-ready", "The server is not ready", detail);
        let metrics = server.get("/metrics", &[]).text();
        assert!(metrics.contains("lacre_ready 0"), "{situation}: {metrics}");
    }
    let report = server.post(PDF, &[("Accept", "application/json")], &example("contract.pdf")).json();
    assert_eq!(report["conclusion"]["indication"], "INDETERMINATE");
}

#[test]
fn measurements_at_an_address_of_their_own() {
    let mut server = Server::start_unready(&["--demo", "--metrics-listen", "127.0.0.1:0"]);
    let here = server.get("/metrics", &[]);
    assert_eq!(here.status, 404);
    assert_problem(&here, "not-found", "There is nothing at this path", "no operation has this path");
    let address = server.metrics_address.clone().expect("the log says where");
    let elsewhere = |path: &str| server.get_at(&address, path);
    until("it gets ready", || elsewhere("/readyz").status == 200);
    assert!(elsewhere("/metrics").text().contains("lacre_ready 1"));
    for path in ["/", PDF, CERTIFICATES] {
        assert_eq!(elsewhere(path).status, 404, "{path}");
    }
    assert_eq!(server.terminate(), Some(0));
}

/// Told to stop, it says that it is not ready, and serves until whoever distributes requests has heard of it.
#[test]
fn drained_before_it_stops() {
    let mut server = Server::start(&["--demo", "--drain", "600"]);
    let tell = || {
        let process = server.process_id().to_string();
        assert!(Command::new("kill").args(["-TERM", &process]).status().unwrap().success());
    };
    tell();
    until("it says so", || server.get("/readyz", &[]).status == 503);
    let answer = server.get("/readyz", &[]);
    assert_problem(&answer, "not-ready", "The server is not ready", "the server is stopping");
    let judged = server.post(PDF, &[("Accept", "application/json")], &example("contract.pdf"));
    assert_eq!(judged.status, 200, "new connections are still served");
    // Who is told again does not wait for ten minutes.
    assert_eq!(server.terminate(), Some(0));
}

/// A demonstration goes on where its store is a file.
#[test]
fn a_demonstration_goes_on_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("store.redb").display().to_string();
    let (mut server, token) = Server::demo(&["--store", &place]);
    let key = key_id(&server, &token);
    assert_eq!(server.terminate(), Some(0));
    let (server, other) = Server::demo(&["--store", &place]);
    for token in [&token, &other] {
        assert_eq!((key_id(&server, token), signs(&server, token, key)), (key, 200), "same user, same key");
    }
}

/// In a database it says why it cannot.
#[test]
#[ignore = "needs PostgreSQL (Debian package postgresql)"]
fn a_demonstration_does_not_go_on_in_a_database() {
    let database = postgres::Server::start();
    let place = database.database("demo");
    let (server, token) = Server::demo(&["--store", &place]);
    key_id(&server, &token);
    drop(server);
    let again = run(&["--demo", "--listen", "127.0.0.1:0", "--store", &place]);
    let told = String::from_utf8_lossy(&again.stderr);
    assert!(!again.status.success() && told.contains("keys of an earlier demonstration"), "{told}");
}

/// A revoked token neither signs nor is told what is wrong with a request, though it was just used.
#[test]
fn a_token_is_revoked_between_two_requests() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("store.redb").display().to_string();
    let (server, token) = Server::demo(&["--store", &place]);
    let key = key_id(&server, &token);
    assert_eq!(signs(&server, &token, key), 200);
    let id = token.split('_').nth(1).unwrap();
    assert!(run(&["--store", &place, "token", "revoke", id]).status.success());
    let own = [("X-AUTH-TOKEN", &*token)];
    for (situation, answer) in [
        ("a wrong digest", server.post(&format!("/api/signature/hash/{key}"), &own, &[7; 5])),
        ("a signature", server.post(&format!("/api/signature/hash/{key}"), &own, &[7; 32])),
        ("no JSON", server.post("/api/signature/hash", &own, b"{")),
        ("CSC", server.post("/csc/v2/signatures/signHash", &own, b"{}")),
    ] {
        assert_eq!(answer.status, 401, "{situation}: {}", answer.text());
    }
}

/// Every key under another master key; the old one opens nothing any more, and the server says so at its start.
#[test]
fn another_master_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let place = file("store.redb");
    let (mut server, token) = Server::demo(&["--store", &place]);
    let key = key_id(&server, &token);
    assert_eq!(server.terminate(), Some(0));
    let demo = |name: &str| file(&format!("store.redb.demo/{name}"));
    let (new, old) = (file("new.key"), demo("master.key"));
    write_private(Path::new(&new), &MasterKey::generate(&mut rng::system()).to_text());

    let reseal = ["--store", &place, "--master-key-file", &old, "keys", "reseal", "--new-master-key-file", &new];
    let files = ["--file", &demo("ca.key"), "--file", &demo("ocsp.key")];
    for (situation, expected) in [("first", "1 keys are sealed"), ("again", "0 keys are sealed")] {
        let done = run(&[&reseal[..], &files[..]].concat());
        let told = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success() && told.contains(expected), "{situation}: {told}");
    }

    let arguments = |master: &str| {
        [
            "--store",
            &place,
            "--master-key-file",
            master,
            "--ca-certificate",
            &demo("ca.der"),
            "--ca-key",
            &demo("ca.key"),
        ]
        .into_iter()
        .chain(["--ocsp-certificate", &demo("ocsp.der"), "--ocsp-key", &demo("ocsp.key")])
        .chain(["--trust-anchor", &demo("ca.der")])
        .map(str::to_owned)
        .collect::<Vec<_>>()
    };
    let new = arguments(&new);
    let server = Server::start(&new.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!((key_id(&server, &token), signs(&server, &token, key)), (key, 200), "the same key, sealed anew");
    drop(server);
    let old = arguments(&old);
    let old: Vec<&str> = old.iter().map(String::as_str).collect();
    let refused = run(&[&["--listen", "127.0.0.1:0"], &old[..]].concat());
    let told = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && told.contains("sealed under the master key"), "{told}");
}

fn write_private(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
}
