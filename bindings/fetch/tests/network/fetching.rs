//! Fetching from servers that the test starts, good and bad ones.

use lacre_fetch::{Addresses, Cache, FetchError, Fetcher, Limits, Validators};
use lacre_testkit::http::{Reply, Server};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

fn limits() -> Limits {
    let mut limits = Limits::default();
    (limits.answer, limits.patience, limits.time) = (100_000, Duration::from_millis(700), Duration::from_secs(5));
    limits
}

/// A fetcher that may ask these servers though they are on this machine.
fn fetcher(servers: &[&Server]) -> Fetcher {
    let allowed = servers.iter().try_fold(Addresses::public(), |all, server| all.and(&server.address()));
    Fetcher::new(allowed.expect("the server has an address"))
}

#[test]
fn what_bad_servers_give() {
    let elsewhere = Server::start(|_| Reply::ok("secret"));
    let (to_private, address) = (elsewhere.url("/admin"), elsewhere.address());
    let server = Server::start(move |request| match request.path.as_str() {
        "/good" => Reply::ok("good"),
        "/once" => Reply::redirect("/good"),
        "/loop" => Reply::redirect("/loop"),
        "/private" => Reply::redirect(to_private.clone()),
        "/file" => Reply::redirect("file:///etc/passwd"),
        "/nowhere" => Reply::status(302),
        "/endless" => Reply::Endless,
        "/large" => Reply::ok(vec![b'x'; 100_001]),
        "/largest" => Reply::ok(vec![b'x'; 100_000]),
        "/silent" => Reply::Silence,
        "/trickle" => Reply::Trickle(Duration::from_millis(100)),
        "/hangup" => Reply::Hangup,
        _ => Reply::status(404),
    });
    let fetcher = fetcher(&[&server]);
    let private = "the host 127.0.0.1 has the address 127.0.0.1, expected a public one";
    for (situation, path, expected) in [
        ("good", "/good", "ok 4"),
        ("a redirect", "/once", "ok 4"),
        ("as much as is allowed", "/largest", "ok 100000"),
        ("one byte more", "/large", "the answer is longer than 100000 bytes"),
        ("an answer that does not end", "/endless", "the answer is longer than 100000 bytes"),
        ("no answer", "/silent", "no answer within 0.7 s"),
        ("an answer that comes byte by byte", "/trickle", "no answer within 0.7 s"),
        ("a closed connection", "/hangup", "the connection failed"),
        ("a redirect to itself", "/loop", "the server redirects more than 5 times"),
        ("a redirect into the private network", "/private", private),
        ("a redirect to a file", "/file", "the address is of the scheme file, expected http or https"),
        ("a redirect to nowhere", "/nowhere", "the server redirects without saying whereto"),
        ("not there", "/missing", "the server answers with status 404, expected 200"),
    ] {
        let started = Instant::now();
        let got = match fetcher.session(limits()).get(&server.url(path)) {
            Ok(bytes) => format!("ok {}", bytes.len()),
            Err(error) => error.to_string(),
        };
        assert_eq!(got, expected, "{situation}");
        assert!(started.elapsed() < Duration::from_secs(4), "{situation}: {:?}", started.elapsed());
    }
    assert_eq!(elsewhere.asked().len(), 0, "nobody spoke to {address}");
}

#[test]
fn addresses_that_are_not_asked() {
    let session = Fetcher::new(Addresses::public());
    let session = session.session(limits());
    for (situation, address, expected) in [
        (
            "LDAP",
            "ldap://directory.example/cn=CA?certificateRevocationList",
            "the address is of the scheme ldap, expected http or https",
        ),
        ("a file", "file:///etc/passwd", "the address is of the scheme file, expected http or https"),
        ("loopback", "http://127.0.0.1:1/", "the host 127.0.0.1 has the address 127.0.0.1, expected a public one"),
        ("loopback by name", "http://localhost:1/", "the host localhost has the address "),
        (
            "loopback as a number",
            "http://2130706433:1/",
            "the host 127.0.0.1 has the address 127.0.0.1, expected a public one",
        ),
        ("loopback in IPv6", "http://[::1]:1/", "the host [::1] has the address ::1, expected a public one"),
        (
            "mapped",
            "http://[::ffff:10.0.0.1]/",
            "the host [::ffff:a00:1] has the address ::ffff:10.0.0.1, expected a public one",
        ),
        (
            "metadata of a cloud",
            "http://169.254.169.254/latest",
            "the host 169.254.169.254 has the address 169.254.169.254, expected a public one",
        ),
        (
            "a password",
            "http://user:password@example.com/",
            "the address holds a user name or a password, expected none",
        ),
        ("no address", "ca.crl", "the address cannot be read: relative URL without a base"),
    ] {
        let error = session.get(address).expect_err(situation).to_string();
        assert!(error.starts_with(expected), "{situation}: {error}");
    }
}

#[test]
fn one_judgement_causes_only_so_much() {
    let server = Server::start(|request| match request.path.as_str() {
        "/slow" => Reply::Silence,
        _ => Reply::ok(vec![b'x'; 60_000]),
    });
    let fetcher = fetcher(&[&server]);
    let mut few = limits();
    few.requests = 2;
    let session = fetcher.session(few);
    assert!(session.get(&server.url("/1")).is_ok() && session.get(&server.url("/2")).is_ok());
    assert!(matches!(session.get(&server.url("/3")), Err(FetchError::Requests { limit: 2 })));
    let mut small = limits();
    small.total = 100_000;
    let session = fetcher.session(small);
    assert!(session.get(&server.url("/1")).is_ok());
    assert!(matches!(session.get(&server.url("/2")), Err(FetchError::TooLong { limit: 40_000 })));
    let mut short = limits();
    short.time = Duration::from_millis(900);
    let session = fetcher.session(short);
    assert!(matches!(session.get(&server.url("/slow")), Err(FetchError::TimeOut { .. })));
    assert!(matches!(session.get(&server.url("/slow")), Err(FetchError::TimeOut { .. })));
    assert!(matches!(session.get(&server.url("/1")), Err(FetchError::Over { .. })));
}

#[test]
fn what_http_lets_be_kept_is_kept() {
    let version = Arc::new(AtomicUsize::new(1));
    let current = Arc::clone(&version);
    let server = Server::start(move |request| {
        let version = current.load(Ordering::Relaxed);
        let headers = |control: &str| vec![("Cache-Control", control.to_owned()), ("ETag", format!("\"{version}\""))];
        let known = request.header("if-none-match") == Some(format!("\"{version}\"").as_str());
        let body = format!("version {version}");
        match request.path.as_str() {
            "/fresh" => Reply::Whole(200, headers("max-age=3600"), body.into()),
            "/never" => Reply::Whole(200, headers("no-store"), body.into()),
            _ if known => Reply::Whole(304, headers("no-cache"), vec![]),
            _ => Reply::Whole(200, headers("no-cache"), body.into()),
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let get = |path: &str| {
        // A process of its own each time, with the same folder.
        let fetcher = fetcher(&[&server]).cached(Cache::open(folder.path()).unwrap());
        let bytes = fetcher.session(limits()).get(&server.url(path)).unwrap();
        (String::from_utf8(bytes).unwrap(), server.asked().len())
    };
    assert_eq!(get("/fresh"), ("version 1".into(), 1));
    assert_eq!(get("/fresh"), ("version 1".into(), 1), "RFC 9111 4.2: fresh, nobody is asked");
    assert_eq!(get("/asked"), ("version 1".into(), 2));
    assert_eq!(get("/asked"), ("version 1".into(), 3), "RFC 9111 4.3: asked whether it is still so");
    assert_eq!(server.asked()[2].header("if-none-match"), Some("\"1\""));
    version.store(2, Ordering::Relaxed);
    assert_eq!(get("/asked"), ("version 2".into(), 4), "RFC 9111 4.3.3: another one");
    assert_eq!(get("/never"), ("version 2".into(), 5));
    assert_eq!(get("/never"), ("version 2".into(), 6), "RFC 9111 5.2.2.5: nothing was kept");
    for file in std::fs::read_dir(folder.path()).unwrap().flatten() {
        std::fs::write(file.path(), "{broken").unwrap();
    }
    assert_eq!(get("/fresh"), ("version 2".into(), 7), "what cannot be read is as none");
}

#[test]
fn only_what_changed_comes_again() {
    let server = Server::start(|request| match request.header("if-none-match") {
        Some("\"a\"") => Reply::status(304),
        _ => Reply::Whole(
            200,
            vec![("ETag", "\"a\"".into()), ("Last-Modified", "Sat, 21 Nov 2026 10:00:00 GMT".into())],
            b"list".to_vec(),
        ),
    });
    let fetcher = fetcher(&[&server]);
    let session = fetcher.session(limits());
    let (bytes, known) = session.changed(&server.url("/"), &Validators::default()).unwrap().expect("it is new");
    assert_eq!(bytes, b"list");
    assert_eq!(known.last_modified.as_deref(), Some("Sat, 21 Nov 2026 10:00:00 GMT"));
    assert!(session.changed(&server.url("/"), &known).unwrap().is_none());
}
