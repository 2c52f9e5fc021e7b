//! Validation over real HTTP: every form of the report, every documented error.

use crate::signing::assert_unauthorized;
use crate::support::server::{Answer, ROOT, Server, example};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre::trust::{LotlSigningCertificates, Role, TrustedLists};
use lacre_server::http::problem;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

const PDF: &str = "/api/Document/Validate/Pdf/case-1";
const XML: &str = "/api/Document/Validate/Xml/case-1";

const NOT_READY: &str = "The server is not ready";

fn server(more: &[&str]) -> Server {
    let root = format!("{}/examples/documents/root.der", ROOT);
    Server::start(&[&["--trust-anchor", &root], more].concat())
}

/// An RFC 9457 body, member by member; the request's id is the one in the header.
pub fn assert_problem(answer: &Answer, name: &str, title: &str, detail: &str) {
    let id = answer.header("x-request-id").expect("every answer has an id");
    let expected = serde_json::json!({
        "type": format!("/problems/{name}"), "title": title, "status": answer.status, "detail": detail,
        "instance": format!("urn:lacre:request:{id}"),
    });
    assert_eq!(answer.json(), expected);
    assert_eq!(answer.header("content-type"), Some("application/problem+json"));
}

#[test]
fn every_form_of_the_report() {
    let server = server(&[]);
    let contract = example("contract.pdf");
    for (situation, path, accept, media) in [
        ("no Accept", PDF, None, "text/plain; charset=utf-8"),
        ("anything", PDF, Some("*/*"), "text/plain; charset=utf-8"),
        ("XML on the same path", PDF, Some("application/xml"), "application/xml"),
        ("raw", PDF, Some("application/pdf"), "application/pdf"),
        ("JSON", PDF, Some("application/json"), "application/json"),
        ("the XML path", XML, None, "application/xml"),
        ("the XML path does not negotiate", XML, Some("application/pdf"), "application/xml"),
        ("a slash at the end", "/api/Document/Validate/Pdf/case-1/", Some("application/json"), "application/json"),
    ] {
        let headers: Vec<_> = accept.map(|accept| ("Accept", accept)).into_iter().collect();
        let answer = server.post(path, &headers, &contract);
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(media)), "{situation}");
        assert_eq!(answer.header("x-process-id"), Some("case-1"), "{situation}");
        match media {
            "application/json" => {
                let report = answer.json();
                assert_eq!(report["schema"], "lacre-report/2");
                assert_eq!(report["conclusion"]["indication"], "TOTAL-PASSED");
                assert_eq!(report["document"]["name"], "case-1");
            }
            "application/xml" => {
                let text = answer.text();
                assert!(text.contains("urn:etsi:019102:mainindication:total-passed"), "{situation}");
            }
            "application/pdf" => assert!(answer.body.starts_with(b"%PDF-"), "{situation}"),
            _ => assert!(BASE64_STANDARD.decode(&answer.body).unwrap().starts_with(b"%PDF-"), "{situation}"),
        }
    }
    let german = server.post(PDF, &[("Accept", "application/json"), ("Accept-Language", "de")], &contract);
    let english = server.post(PDF, &[("Accept", "application/json")], &contract);
    assert_ne!(
        german.json()["signatures"],
        english.json()["signatures"],
        "findings are said in the language asked for"
    );
    let changed = server.post(PDF, &[("Accept", "application/json")], &example("contract-tampered.pdf"));
    assert_eq!((changed.status, &changed.json()["conclusion"]["indication"]), (200, &"TOTAL-FAILED".into()));
}

#[test]
fn every_documented_error() {
    let server = server(&["--max-body", "2000000"]);
    let title = "The body is larger than this server takes";

    let answer = server.post(PDF, &[], b"");
    assert_eq!(answer.status, 400);
    assert_problem(&answer, "empty-body", "The body is empty", "found no bytes, expected a file");

    for path in ["/api/Document/Validate/Pdf/a%20b", "/api/Document/Validate/Xml/%ff"] {
        let answer = server.post(path, &[], b"x");
        assert_eq!(answer.status, 400);
        let detail = "processId: expected 1 to 128 characters of [A-Za-z0-9._~-]";
        assert_problem(&answer, "bad-parameter", "A parameter cannot be read", detail);
    }

    let answer = server.post(XML, &[], b"hello");
    assert_eq!(answer.status, 415);
    let detail = "the file begins with `hello`; expected PDF, CMS, XML, a JSON signature or a time-stamp";
    assert_problem(&answer, "unknown-format", "The file cannot be read as anything that holds signatures", detail);

    let answer = server.post(PDF, &[("Accept", "image/png")], b"x");
    assert_eq!(answer.status, 406);
    let detail = "available are text/plain, application/xml, text/xml, application/pdf, application/json";
    assert_problem(&answer, "not-acceptable", "None of the accepted media types is available", detail);

    // Content-Length alone is enough: nothing of the body was sent.
    let head = format!("POST {PDF} HTTP/1.1\r\nHost: x\r\nContent-Length: 2000001\r\n\r\n");
    let answer = server.raw(head.as_bytes());
    assert_eq!(answer.status, 413);
    assert_problem(&answer, "too-large", title, "the body may have 2000000 bytes");

    // A length that is not stated is counted.
    let mut chunks = format!("POST {PDF} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n").into_bytes();
    for _ in 0..3 {
        chunks.extend(b"f4240\r\n");
        chunks.extend(std::iter::repeat_n(b'x', 1_000_000));
        chunks.extend(b"\r\n");
    }
    let answer = server.raw(&chunks);
    assert_eq!(answer.status, 413);
    assert_problem(&answer, "too-large", title, "the body may have 2000000 bytes");

    let answer = server.get("/nothing/here", &[]);
    assert_eq!(answer.status, 404);
    assert_problem(&answer, "not-found", "There is nothing at this path", "no operation has this path");

    let answer = server.get(PDF, &[]);
    assert_eq!((answer.status, answer.header("allow")), (405, Some("POST")));
    assert_problem(&answer, "method", "The path does not take this method", "this path takes other methods");

    let answer = server.get("/api/signature/certificates/", &[("X-AUTH-TOKEN", "x")]);
    assert_eq!(answer.status, 404);
    let detail = "this server only validates: it has no storage";
    assert_problem(&answer, "not-found", "There is nothing at this path", detail);

    // A chunk whose length is no number: the body ends there.
    let broken = format!("POST {PDF} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nx\r\n");
    let answer = server.raw(broken.as_bytes());
    assert_eq!(answer.status, 400);
    let title = "The body ended before it was complete";
    assert_problem(&answer, "broken-body", title, "the connection broke off");

    for kind in problem::ALL {
        let explained = server.get(&format!("/problems/{}", kind.name), &[]);
        assert_eq!((explained.status, explained.header("content-type")), (200, Some("text/plain; charset=utf-8")));
        assert_eq!(explained.text(), format!("{} ({})\n\n{}\n", kind.title, kind.status, kind.advice));
    }
    let answer = server.get("/problems/no-such", &[]);
    assert_eq!(answer.status, 404);
    assert_problem(&answer, "not-found", "There is nothing at this path", "no problem has this name");
}

/// Where validating needs a token: without one that is accepted nothing of the file is looked at.
#[test]
fn validation_with_a_token() {
    let (server, token) = Server::demo(&["--validation-token", "required"]);
    let contract = example("contract.pdf");
    for path in [PDF, XML] {
        for headers in [vec![], vec![("X-AUTH-TOKEN", "abc")]] {
            assert_unauthorized(&server.post(path, &headers, &contract));
        }
        assert_eq!(server.post(path, &[("X-AUTH-TOKEN", &token), ("Accept", "*/*")], &contract).status, 200, "{path}");
    }
}

#[test]
fn slow_and_broken_uploads_end() {
    let server = server(&["--upload-timeout", "1", "--header-timeout", "1"]);
    let begun = Instant::now();
    let head = format!("POST {PDF} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
    let answer = server.raw(head.as_bytes());
    assert_eq!(answer.status, 408);
    let title = "The body did not arrive in time";
    assert_problem(&answer, "slow", title, "the body took longer than 1 s");
    // A head that does not end.
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost:").unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut rest = vec![];
    stream.read_to_end(&mut rest).expect("the server ends the connection");
    assert!(!rest.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&rest));
    // A body that breaks off costs nobody anything.
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    drop(stream);
    assert!(begun.elapsed() < Duration::from_secs(15));
    assert_eq!(server.get("/healthz", &[]).status, 200);
}

#[test]
fn large_uploads_are_mapped_and_leave_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(&["--temp", folder.path().to_str().unwrap()]);
    let mut large = example("contract.pdf");
    large.extend(std::iter::repeat_n(b'\n', 3 << 20));
    let answer = server.post(PDF, &[("Accept", "application/json")], &large);
    assert_eq!((answer.status, &answer.json()["document"]["size"]), (200, &large.len().into()));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_full_server_says_so() {
    let server = server(&["--workers", "1", "--queue", "0"]);
    let contract = example("contract.pdf");
    let full = std::thread::scope(|scope| {
        let send = || (0..20).map(|_| server.post(PDF, &[], &contract)).find(|answer| answer.status != 200);
        let clients: Vec<_> = (0..8).map(|_| scope.spawn(send)).collect();
        clients.into_iter().filter_map(|client| client.join().unwrap()).next()
    });
    let answer = full.expect("eight clients at once are too many for one worker without a queue");
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("2")));
    let title = "All workers are busy and the queue is full";
    assert_problem(&answer, "full", title, "every worker is busy and the queue is full");
}

#[test]
fn ready_once_trust_is_loaded_and_stopped_gracefully() {
    let folder = tempfile::tempdir().unwrap();
    let late = folder.path().join("late.der");
    let mut server = Server::start_unready(&["--trust-anchor", late.to_str().unwrap()]);
    assert_eq!(server.get("/healthz", &[]).text(), "alive\n");
    for answer in [server.get("/readyz", &[]), server.post(PDF, &[], b"x")] {
        assert_eq!((answer.status, answer.header("retry-after")), (503, Some("2")));
        let detail = "what is trusted is not loaded yet";
        assert_problem(&answer, "not-ready", NOT_READY, detail);
    }
    std::fs::write(&late, example("root.der")).unwrap();
    let begun = Instant::now();
    while server.get("/readyz", &[]).status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(30), "what is there at last is loaded");
        std::thread::sleep(Duration::from_millis(200));
    }
    assert_eq!(server.terminate(), Some(0));
}

/// Lists of 2023: the server validates by them, says how old they are, and is not ready.
#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn old_trusted_lists_are_not_fresh() {
    let folder = Path::new(ROOT).join("target/corpus/dss/dss-cookbook/src/test/resources/signature-pool/cache");
    let files = std::fs::read_dir(&folder).expect("the corpus has it");
    let lists = files.flatten().filter(|file| {
        let name = file.file_name().to_string_lossy().into_owned();
        name.contains("eu_lotl") || name.contains("eu-lotl")
    });
    let sources = lists.map(|file| {
        let bytes = std::fs::read(file.path()).unwrap();
        lacre::trust::read(&file.file_name().to_string_lossy(), &bytes, None)
    });
    // Whoever signed the list of lists then is in it, which is as good as any announcement for a test of its age.
    let lists = TrustedLists::assemble(sources.collect(), &LotlSigningCertificates::official_journal());
    let temporary = tempfile::tempdir().unwrap();
    let snapshot = temporary.path().join("lists");
    std::fs::write(&snapshot, lists.to_snapshot()).unwrap();
    let server = Server::start_unready(&["--trusted-lists", snapshot.to_str().unwrap()]);
    let begun = Instant::now();
    let answer = loop {
        let answer = server.get("/readyz", &[]);
        if !answer.text().contains("not loaded yet") {
            break answer;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "a snapshot is read at once");
        std::thread::sleep(Duration::from_millis(100));
    };
    assert_eq!(answer.status, 503, "{}", answer.text());
    let due = lists.states().iter().find(|list| list.role == Role::ListOfLists).and_then(|list| list.next_update);
    let detail = format!("the list of lists should have been replaced by {}", due.expect("it says when"));
    assert_problem(&answer, "not-ready", NOT_READY, &detail);
    assert_eq!(server.post(PDF, &[], &example("contract.pdf")).status, 200);
}

#[test]
fn what_is_logged_and_measured() {
    let server = server(&[]);
    let contract = example("contract.pdf");
    let answer = server.post(PDF, &[("X-Request-Id", "abc-7"), ("Accept", "application/json")], &contract);
    assert_eq!(answer.header("x-request-id"), Some("abc-7"));
    for header in ["cache-control", "x-content-type-options", "content-security-policy"] {
        assert!(answer.header(header).is_some(), "{header}");
    }
    let mut entry = server.logged("request");
    while entry["request_id"] != "abc-7" {
        entry = server.logged("request");
    }
    assert_eq!(entry["route"], "/api/Document/Validate/Pdf/{processId}");
    assert_eq!((&entry["process_id"], &entry["status"]), (&"case-1".into(), &200.into()));
    assert_eq!(entry["document_sha256"], answer.json()["document"]["sha256"]);
    assert_eq!(entry["indication"], "TOTAL-PASSED");
    let metrics = server.get("/metrics", &[]).text();
    for line in [
        r#"lacre_validations_total{format="PAdES",indication="TOTAL-PASSED",sub_indication=""} 1"#,
        r#"http_request_duration_seconds_count{method="POST",route="/api/Document/Validate/Pdf/{processId}",status="200"} 1"#,
        "lacre_validation_duration_seconds_count 1",
        "lacre_ready 1",
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line}\n{metrics}");
    }
}

#[test]
fn the_page_runs_only_its_own() {
    let server = server(&[]);
    let page = server.get("/", &[]);
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"), "{policy}");
    let text = page.text();
    assert!(!text.contains("style=") && !text.contains("onclick") && !text.contains("http://"), "nothing inline");
    for (path, media) in [("/style.css", "text/css"), ("/app.js", "text/javascript"), ("/seal.svg", "image/svg+xml")] {
        assert!(text.contains(path), "{path}");
        let part = server.get(path, &[]);
        assert!(
            part.status == 200 && part.header("content-type").is_some_and(|found| found.starts_with(media)),
            "{path}"
        );
    }
    // Whatever a script imports is served.
    for path in ["/app.js", "/view.js", "/engine.js", "/strings.js"] {
        let script = server.get(path, &[]);
        assert_eq!(
            (script.status, script.header("content-type")),
            (200, Some("text/javascript; charset=utf-8")),
            "{path}"
        );
        for import in script.text().lines().filter_map(|line| line.split_once(" from \"./")) {
            let name = import.1.trim_end_matches("\";");
            assert_eq!(server.get(&format!("/{name}"), &[]).status, 200, "{path} imports {name}");
        }
    }
    let described = server.get("/openapi.json", &[]).json();
    assert_eq!(described["openapi"], "3.1.0");
}
