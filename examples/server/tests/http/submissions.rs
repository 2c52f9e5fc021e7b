//! What may come with a file: a form or JSON with its name, password, detached contents and time; and what no operation
//! may take for a file.

use crate::support::server::{Answer, ROOT, Server, example};
use crate::validation::assert_problem;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;

const PDF: &str = "/api/Document/Validate/Pdf/case-1";
const XML: &str = "/api/Document/Validate/Xml/case-1";
const AS_JSON: (&str, &str) = ("Accept", "application/json");
const FORM: (&str, &str) = ("Content-Type", "multipart/form-data; boundary=b");
const MEDIA_TYPE: &str = "This operation does not take bodies of this media type";

fn server() -> Server {
    Server::start(&["--trust-anchor", &format!("{ROOT}/examples/documents/root.der")])
}

fn form(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = vec![];
    for (disposition, content) in parts {
        bytes.extend(format!("--b\r\nContent-Disposition: form-data; {disposition}\r\n\r\n").as_bytes());
        bytes.extend_from_slice(content);
        bytes.extend(b"\r\n");
    }
    bytes.extend(b"--b--\r\n");
    bytes
}

fn verdict(answer: &Answer) -> (String, String) {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let report = answer.json();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    (text(&report["conclusion"]["indication"]), text(&report["document"]["name"]))
}

/// The same file in each of the three ways is the same file; a good one in an envelope is not called changed.
#[test]
fn three_ways_to_send_a_file() {
    let server = server();
    let contract = example("contract.pdf");
    let in_form = form(&[(r#"name="document"; filename="contract.pdf""#, &contract)]);
    let as_json = json!({"document": BASE64_STANDARD.encode(&contract), "name": "contract.pdf"}).to_string();
    let passed = |name: &str| ("TOTAL-PASSED".to_owned(), name.to_owned());
    assert_eq!(verdict(&server.post(PDF, &[AS_JSON], &contract)), passed("case-1"));
    assert_eq!(verdict(&server.post(PDF, &[AS_JSON, FORM], &in_form)), passed("contract.pdf"));
    let json_type = ("Content-Type", "application/json");
    assert_eq!(verdict(&server.post(PDF, &[AS_JSON, json_type], as_json.as_bytes())), passed("contract.pdf"));
    for headers in [vec![FORM], vec![json_type]] {
        let body = if headers[0] == FORM { &in_form[..] } else { as_json.as_bytes() };
        let answer = server.post(XML, &headers, body);
        assert!(answer.text().contains("urn:etsi:019102:mainindication:total-passed"), "{}", answer.text());
    }
    let tampered = form(&[(r#"name="document"; filename="a.pdf""#, &example("contract-tampered.pdf"))]);
    assert_eq!(verdict(&server.post(PDF, &[AS_JSON, FORM], &tampered)).0, "TOTAL-FAILED");
}

/// An envelope is judged nowhere: what takes no form refuses it.
#[test]
fn envelopes_are_refused() {
    let (server, token) = Server::demo(&[]);
    let in_form = form(&[(r#"name="document"; filename="contract.pdf""#, &example("contract.pdf"))]);
    // As a file, the form begins with 60 bytes that are not the file's, and a PDF may begin later.
    for media in ["application/octet-stream", "application/pdf", "application/x-www-form-urlencoded"] {
        for path in [PDF, XML] {
            let answer = server.post(path, &[AS_JSON, ("Content-Type", media)], &in_form);
            assert_eq!(answer.status, 415, "{path} {media}");
            let detail = "found a form, expected its Content-Type to be multipart/form-data";
            assert_problem(&answer, "media-type", MEDIA_TYPE, detail);
        }
    }
    let answer = server.post(PDF, &[AS_JSON, ("Content-Type", "multipart/mixed; boundary=b")], &in_form);
    assert_eq!(answer.status, 415);
    let detail = "found multipart/mixed, expected the file's bytes, multipart/form-data or application/json";
    assert_problem(&answer, "media-type", MEDIA_TYPE, detail);
    let answer = server.post(PDF, &[AS_JSON, ("Content-Type", "multipart/form-data")], &in_form);
    assert_eq!(answer.status, 400);
    let detail = "Content-Type: expected multipart/form-data with its boundary";
    assert_problem(&answer, "bad-form", "The body is not the form that is expected", detail);

    let token = ("X-AUTH-TOKEN", &*token);
    for path in [
        "/api/signature/hash",
        "/api/signature/hash/1",
        "/csc/v2/info",
        "/csc/v2/credentials/list",
        "/csc/v2/credentials/info",
        "/csc/v2/signatures/signHash",
        "/pki/ocsp",
    ] {
        let answer = server.post(path, &[token, FORM], &in_form);
        assert_eq!(answer.status, 415, "{path}: {}", answer.text());
        let detail = "found a multipart body, expected the bytes or the JSON itself";
        assert_problem(&answer, "media-type", MEDIA_TYPE, detail);
    }
}

#[test]
fn detached_contents_and_time() {
    let server = server();
    let (signature, letter) = (example("letter.txt.p7s"), example("letter.txt"));
    let document = (r#"name="document"; filename="letter.txt.p7s""#, &signature[..]);
    let content = (r#"name="contents"; filename="letter.txt""#, &letter[..]);
    for (parts, reason) in [
        (vec![document], "SIGNED_DATA_NOT_FOUND"),
        // As far as it goes: the letter has no revocation data.
        (vec![content, document], "CERTIFICATE_CHAIN_GENERAL_FAILURE"),
        (vec![document, (content.0, b"another letter")], "HASH_FAILURE"),
    ] {
        let answer = server.post(PDF, &[AS_JSON, FORM], &form(&parts));
        assert_eq!(verdict(&answer).1, "letter.txt.p7s");
        assert_eq!(answer.json()["signatures"][0]["sub_indication"], reason);
    }

    let asked = json!({
        "document": BASE64_STANDARD.encode(&signature),
        "contents": [{"name": "letter.txt", "content": BASE64_STANDARD.encode(&letter)}],
        "time": "2027-01-01T00:00:00Z",
    });
    let answer = server.post(PDF, &[AS_JSON, ("Content-Type", "application/json")], asked.to_string().as_bytes());
    assert_eq!(verdict(&answer).1, "case-1");
    assert_eq!(answer.json()["signatures"][0]["sub_indication"], "CERTIFICATE_CHAIN_GENERAL_FAILURE");
    assert_eq!(answer.json()["validation_time"], "2027-01-01T00:00:00Z");
    // Long before the certificate: the same file is judged as of then.
    let contract = example("contract.pdf");
    let early = [(r#"name="document""#, &contract[..]), (r#"name="time""#, b"2000-01-01T00:00:00Z")];
    let early = server.post(PDF, &[AS_JSON, FORM], &form(&early));
    assert_eq!(early.json()["validation_time"], "2000-01-01T00:00:00Z");
    assert_ne!(verdict(&early).0, "TOTAL-PASSED");
}

#[test]
fn passwords() {
    let server = server();
    let secret = example("encrypted.pdf");
    let document = (r#"name="document"; filename="secret.pdf""#, &secret[..]);
    let title = "The PDF is encrypted, and the password does not open it";
    let raw = server.post(PDF, &[AS_JSON], &secret);
    let without = server.post(PDF, &[AS_JSON, FORM], &form(&[document]));
    let wrong = server.post(PDF, &[AS_JSON, FORM], &form(&[document, (r#"name="password""#, b"wrong")]));
    for answer in [raw, without, wrong] {
        assert_eq!(answer.status, 422, "{}", answer.text());
        assert_problem(&answer, "password", title, "the PDF cannot be read");
    }
    let right = form(&[document, (r#"name="password""#, "p\u{e4}ss".as_bytes())]);
    let right = server.post(PDF, &[AS_JSON, FORM], &right);
    assert_eq!(verdict(&right), ("NO_SIGNATURE_FOUND".into(), "secret.pdf".into()));
    assert!(!right.text().contains("p\u{e4}ss"), "no report has it");
    let logged = server.logged("request").to_string();
    assert!(!logged.contains("ss\""), "{logged}");
}

/// Names of strangers are text: no path, no header, no line of the log.
#[test]
fn hostile_names() {
    let folder = tempfile::tempdir().unwrap();
    let root = format!("{ROOT}/examples/documents/root.der");
    let server = Server::start(&["--trust-anchor", &root, "--temp", folder.path().to_str().unwrap()]);
    let mut large = example("contract.pdf");
    large.extend(std::iter::repeat_n(b'\n', 2 << 20));
    for name in
        ["../../../../etc/passwd", "a%0d%0aSet-Cookie: b", "\u{202e}fdp.exe", "<img src=x>", "a;b=c", "C:\\a\\b.pdf"]
    {
        let body = form(&[(&format!(r#"name="document"; filename="{name}""#), &large)]);
        let answer = server.post(PDF, &[AS_JSON, FORM], &body);
        assert_eq!(verdict(&answer).1, name);
        assert!(answer.header("set-cookie").is_none() && answer.header("content-disposition").is_none(), "{name}");
        let entry = server.logged("request").to_string();
        assert!(!entry.contains("passwd") && !entry.contains("exe"), "{entry}");
        let pdf = server.post(PDF, &[("Accept", "application/pdf"), FORM], &body);
        assert!(pdf.body.starts_with(b"%PDF-"), "{name}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Whatever way a file is sent, the bounds are the same.
#[test]
fn bounds() {
    let server = Server::start(&[
        "--trust-anchor",
        &format!("{ROOT}/examples/documents/root.der"),
        "--max-body",
        "2000000",
        "--upload-timeout",
        "2",
    ]);
    let title = "The body is larger than this server takes";
    let large = form(&[(r#"name="document"; filename="a""#, &vec![b'x'; 2_000_000])]);
    let answer = server.post(PDF, &[FORM], &large);
    assert_eq!(answer.status, 413);
    assert_problem(&answer, "too-large", title, "the body may have 2000000 bytes");
    let mut chunks =
        format!("POST {PDF} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n{}: {}\r\n\r\n", FORM.0, FORM.1)
            .into_bytes();
    for piece in large.chunks(500_000) {
        chunks.extend(format!("{:x}\r\n", piece.len()).as_bytes());
        chunks.extend_from_slice(piece);
        chunks.extend(b"\r\n");
    }
    let answer = server.raw(&chunks);
    assert_eq!(answer.status, 413);
    assert_problem(&answer, "too-large", title, "the body may have 2000000 bytes");
    // A head of a part that does not end is not read to the bound of the body.
    let endless = [&b"--b\r\nX: "[..], &vec![b'x'; 1_000_000]].concat();
    let answer = server.post(PDF, &[FORM], &endless);
    assert_eq!(answer.status, 400);
    let detail = "found a part whose head does not end within 16384 bytes";
    assert_problem(&answer, "bad-form", "The body is not the form that is expected", detail);
    // A form that stops in the middle of a part.
    let begun = &large[..1_000];
    let head = format!("POST {PDF} HTTP/1.1\r\nHost: x\r\nContent-Length: 1500000\r\n{}: {}\r\n\r\n", FORM.0, FORM.1);
    let answer = server.raw(&[head.as_bytes(), begun].concat());
    assert_eq!(answer.status, 408);
    assert_problem(&answer, "slow", "The body did not arrive in time", "the body took longer than 2 s");
}

/// Ids as text, in both directions.
#[test]
fn key_ids_as_text() {
    let (server, token) = Server::demo(&[]);
    let token = ("X-AUTH-TOKEN", &*token);
    let id = |query: &str| {
        server.get(&format!("/api/signature/certificates/{query}"), &[token]).json()[0]["keyInfo"]["keyId"].clone()
    };
    let number = id("").as_u64().expect("a number");
    assert_eq!(id("?keyIds=number"), number);
    assert_eq!(id("?keyIds=text"), number.to_string());
    let hash = BASE64_STANDARD.encode([7; 32]);
    for stated in [json!(number), json!(number.to_string())] {
        let asked = json!({"keyId": stated, "hash": hash}).to_string();
        for (query, expected) in [("", json!(number)), ("?keyIds=text", json!(number.to_string()))] {
            let answer = server.post(&format!("/api/signature/hash{query}"), &[token], asked.as_bytes());
            assert_eq!((answer.status, &answer.json()["keyId"]), (200, &expected), "{}", answer.text());
        }
    }
    for path in ["/api/signature/certificates/?keyIds=hex", "/api/signature/certificates/?keyIds="] {
        let answer = server.get(path, &[token]);
        assert_eq!(answer.status, 400);
        assert_problem(&answer, "bad-parameter", "A parameter cannot be read", "keyIds: expected number or text");
    }
}
