//! What the server answers is what the library writes: whole bodies, byte by byte.

use crate::support::server::{ROOT, Server, example};
use crate::validation::assert_problem;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre::{Document, Policy, Report, Time, Validator, report::Language};
use lacre_server::clock;

/// Path, `Accept`, media type, and what the library writes.
type Form = (&'static str, Option<&'static str>, &'static str, fn(&Report) -> Vec<u8>);

const FORMS: [Form; 6] = [
    ("Pdf", None, "text/plain; charset=utf-8", |report| BASE64_STANDARD.encode(report.to_pdf().unwrap()).into_bytes()),
    ("Pdf", Some("application/pdf"), "application/pdf", |report| report.to_pdf().unwrap()),
    ("Pdf", Some("application/xml"), "application/xml", |report| report.to_etsi_xml().into_bytes()),
    ("Pdf", Some("application/json"), "application/json", |report| report.to_json().into_bytes()),
    ("Xml", None, "application/xml", |report| report.to_etsi_xml().into_bytes()),
    ("Xml", Some("application/json"), "application/xml", |report| report.to_etsi_xml().into_bytes()),
];

#[test]
fn bodies_are_what_the_library_writes() {
    let root = example("root.der");
    let place = format!("{ROOT}/examples/documents/root.der");
    let server = Server::start(&["--trust-anchor", &place]);
    let validator = Validator::new(Policy::eidas()).trust_anchor(&root).unwrap();
    for file in ["contract.pdf", "contract-tampered.pdf", "revoked.pdf", "not-signed.pdf", "letter.txt.p7s"] {
        for form in &FORMS {
            compare(&server, &validator, file, form, Language::English);
        }
    }
    for language in [Language::German, Language::Portuguese] {
        compare(&server, &validator, "contract.pdf", &FORMS[3], language);
    }
}

/// The operator's own policy and evidence, and nobody who is trusted.
#[test]
fn with_the_operators_settings() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let text = r#"<ConstraintsParameters xmlns="http://dss.esig.europa.eu/validation/policy" Name="Little"/>"#;
    let (policy, root) = (file("policy.xml", text.as_bytes()), file("evidence.der", &example("root.der")));
    let server = Server::start_unready(&["--policy", &policy, "--evidence", &root]);
    let validator = Validator::new(Policy::from_bytes(text.as_bytes()).unwrap());
    let validator = validator.evidence(&example("root.der")).unwrap();
    while server.get("/readyz", &[]).text().contains("not loaded yet") {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let answer = server.get("/readyz", &[]);
    let detail = "nobody is trusted: no certificates and no trusted lists are set";
    assert_eq!(answer.status, 503);
    assert_problem(&answer, "not-ready", "The server is not ready", detail);
    for form in [&FORMS[2], &FORMS[3]] {
        compare(&server, &validator, "contract.pdf", form, Language::English);
    }
}

/// The body is the report as of one of the seconds in which it was asked for.
fn compare(server: &Server, validator: &Validator, file: &str, form: &Form, language: Language) {
    let (operation, accept, media, write) = form;
    let bytes = example(file);
    let mut headers = vec![("Accept-Language", language.as_str())];
    headers.extend(accept.map(|accept| ("Accept", accept)));
    let begun = clock::second();
    let answer = server.post(&format!("/api/Document/Validate/{operation}/case-7"), &headers, &bytes);
    let ended = clock::second();
    assert_eq!((answer.status, answer.header("content-type")), (200, Some(*media)), "{file} {operation} {accept:?}");
    let expected = |second: i64| {
        let document = Document::new(&bytes).named("case-7");
        write(&validator.validate(&document, Time::from_seconds(second)).unwrap().in_language(language))
    };
    let same = (begun.seconds()..=ended.seconds()).any(|second| expected(second) == answer.body);
    assert!(same, "{file} {operation} {accept:?} {language:?}: the body differs from what the library writes");
}
