//! Judge, fetch, judge again: with authorities whose server the test starts.

use lacre::{
    Document, Policy, Report, Validator,
    issuance::{CertificateStatus, Profile, RevocationReason},
    report::WantedKind,
};
use lacre_fetch::{Addresses, Answered, Fetcher, Limits, answered};
use lacre_testkit::authorities::{Pki, now};
use lacre_testkit::http::{Reply, Request, Server};
use lacre_testkit::served::{ocsp_request, start};
use std::time::Duration;

fn judged(pki: &Pki, server: &Server, limits: Limits) -> Answered<Report> {
    let fetcher = Fetcher::new(Addresses::public().and(&server.address()).expect("an address"));
    let validator = Validator::new(Policy::eidas()).trust_anchor(pki.root.der()).expect("a certificate");
    let signed = pki.signed(b"a contract");
    let document = Document::new(&signed);
    // Some seconds later: what is fetched is made while judging.
    let time = now().plus_millis(5_000);
    answered(validator, &fetcher.session(limits), |validator| validator.validate(&document, time)).expect("it is CMS")
}

fn paths(server: &Server) -> Vec<String> {
    let cut = |path: &str| path.split_inclusive('/').take(2).collect::<String>();
    server.asked().iter().map(|request| format!("{} {}", request.method, cut(&request.path))).collect()
}

#[test]
fn what_is_missing_is_fetched() {
    let (pki, server) = start(|_, _| None);
    let done = judged(pki.get().unwrap(), &server, Limits::default());
    assert_eq!(done.verdict.indication().to_string(), "TOTAL-PASSED", "{}", done.verdict.to_text());
    let mut asked = paths(&server);
    asked.sort();
    assert_eq!(asked, ["GET /ca.der", "GET /ocsp/", "GET /root.crl"], "OCSP goes before the CRL");
    assert_eq!((done.fetched, done.failures.len()), (3, 0));
    assert!(done.verdict.wanted().is_empty());
    // The same again from the evidence alone.
    let signed = pki.get().unwrap().signed(b"another contract");
    let report = done.validator.validate(&Document::new(&signed), now().plus_millis(5_000)).unwrap();
    assert_eq!(report.indication().to_string(), "TOTAL-PASSED");
}

#[test]
fn where_one_source_fails_another_is_asked() {
    for (situation, spoil, expected, requests) in [
        (
            "no GET for OCSP",
            (|_, r| (r.path.starts_with("/ocsp/")).then(|| Reply::status(405))) as fn(&Pki, &Request) -> Option<Reply>,
            "TOTAL-PASSED",
            &["GET /ca.der", "GET /ocsp/", "GET /root.crl", "POST /ocsp"][..],
        ),
        (
            "a page instead of an OCSP response",
            |_, r| r.path.starts_with("/ocsp").then(|| Reply::ok("<html>not here</html>")),
            "TOTAL-PASSED",
            &["GET /ca.crl", "GET /ca.der", "GET /ocsp/", "GET /root.crl", "POST /ocsp"],
        ),
        (
            "revoked in the CRL",
            |pki, r| match r.path.as_str() {
                "/ca.crl" => Some(Reply::ok(pki.crl(true))),
                path => path.starts_with("/ocsp").then(|| Reply::status(500)),
            },
            "INDETERMINATE",
            &["GET /ca.crl", "GET /ca.der", "GET /ocsp/", "GET /root.crl", "POST /ocsp"],
        ),
        (
            "another's CRL",
            |pki, r| match r.path.as_str() {
                "/ca.crl" => Some(Reply::ok(pki.root_crl())),
                path => path.starts_with("/ocsp").then(|| Reply::status(500)),
            },
            "INDETERMINATE",
            &["GET /ca.crl", "GET /ca.der", "GET /ocsp/", "GET /root.crl", "POST /ocsp"],
        ),
        (
            "the issuer in PEM",
            |pki, r| {
                (r.path == "/ca.der").then(|| {
                    let text = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, pki.authority.der());
                    Reply::ok(format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n"))
                })
            },
            "TOTAL-PASSED",
            &["GET /ca.der", "GET /ocsp/", "GET /root.crl"],
        ),
        (
            "the issuer is not there",
            |_, r| (r.path == "/ca.der").then(|| Reply::status(404)),
            "INDETERMINATE",
            &["GET /ca.der"],
        ),
    ] {
        let (pki, server) = start(spoil);
        let done = judged(pki.get().unwrap(), &server, Limits::default());
        assert_eq!(done.verdict.indication().to_string(), expected, "{situation}\n{}", done.verdict.to_text());
        let mut asked = paths(&server);
        asked.sort();
        assert_eq!(asked, requests, "{situation}");
    }
}

#[test]
fn what_cannot_be_had_is_said() {
    let (pki, server) = start(|_, request| match request.path.as_str() {
        "/ca.crl" => Some(Reply::Endless),
        path => path.starts_with("/ocsp").then_some(Reply::Silence),
    });
    let mut limits = Limits::default();
    (limits.patience, limits.answer) = (Duration::from_millis(600), 1 << 20);
    let done = judged(pki.get().unwrap(), &server, limits);
    assert_eq!(done.verdict.indication().to_string(), "INDETERMINATE");
    let said: Vec<(WantedKind, String)> = done.failures.iter().map(|f| (f.kind, f.error.to_string())).collect();
    assert_eq!(
        said,
        [
            (WantedKind::Ocsp, "no answer within 0.6 s".to_owned()),
            (WantedKind::Crl, "the answer is longer than 1048576 bytes".to_owned()),
        ]
    );
    let wanted: Vec<WantedKind> = done.verdict.wanted().iter().map(|want| want.kind).collect();
    assert_eq!(wanted, [WantedKind::Ocsp, WantedKind::Crl], "it is still wanted");
}

#[test]
fn who_answers_for_the_authority() {
    type Answer = fn(&Pki, &[u8]) -> Vec<u8>;
    let revoked = |pki: &Pki, request: &[u8]| {
        let (since, reason) = (now().plus_millis(-86_400_000), RevocationReason::KeyCompromise);
        pki.delegated_ocsp(request, Profile::OcspResponder, CertificateStatus::Revoked { since, reason })
    };
    let rows: [(&str, Answer, &str, bool); 5] = [
        (
            "4.2.2.2: a responder that it delegated",
            |pki, request| pki.delegated_ocsp(request, Profile::OcspResponder, CertificateStatus::Good),
            "TOTAL-PASSED",
            false,
        ),
        ("4.2.2.2: that responder says revoked", revoked, "INDETERMINATE", false),
        // What does not count leaves the question open: the CRL answers it.
        (
            "4.2.2.2: a certificate without the purpose",
            |pki, request| pki.delegated_ocsp(request, Profile::LegalPerson, CertificateStatus::Good),
            "TOTAL-PASSED",
            true,
        ),
        ("4.2.2.2: a responder of a stranger", |pki, request| pki.strange_ocsp(request), "TOTAL-PASSED", true),
        // `RevocationFreshness`: an answer without nextUpdate is fresh for a day.
        ("4.2.2.1: an answer of last week, sent again", |pki, request| pki.old_ocsp(request), "TOTAL-PASSED", true),
    ];
    for (situation, answer, expected, by_crl) in rows {
        for with_crl in [true, false] {
            let (pki, server) = start(move |pki, request| match ocsp_request(request) {
                Some(request) => Some(Reply::ok(answer(pki, &request))),
                None => (!with_crl && request.path == "/ca.crl").then(|| Reply::status(404)),
            });
            let done = judged(pki.get().unwrap(), &server, Limits::default());
            let expected = if by_crl && !with_crl { "INDETERMINATE" } else { expected };
            let text = done.verdict.to_text();
            assert_eq!(done.verdict.indication().to_string(), expected, "RFC 6960 {situation}\n{text}");
            let asked = paths(&server).iter().any(|path| path == "GET /ca.crl");
            assert_eq!(asked, by_crl, "RFC 6960 {situation}: the CRL is asked for where the response does not count");
        }
    }
}

#[test]
fn a_server_that_leads_into_the_private_network_is_left() {
    let inside = Server::start(|_| Reply::ok("secret"));
    let address = inside.url("/admin");
    let (pki, server) = start(move |_, request| match request.path.as_str() {
        path if path.starts_with("/ocsp") => Some(Reply::redirect(address.clone())),
        _ => None,
    });
    let done = judged(pki.get().unwrap(), &server, Limits::default());
    assert_eq!(done.verdict.indication().to_string(), "TOTAL-PASSED", "the CRL is there");
    assert!(done.failures.iter().any(|failure| failure.error.to_string().contains("expected a public one")));
    assert_eq!(inside.asked().len(), 0);
}

#[test]
fn a_private_address_is_not_asked() {
    let (pki, server) = start(|_, _| None);
    let pki = pki.get().unwrap();
    let fetcher = Fetcher::new(Addresses::public());
    let validator = Validator::new(Policy::eidas()).trust_anchor(pki.root.der()).unwrap();
    let time = now();
    let session = fetcher.session(Limits::default());
    let done = answered(validator, &session, |validator| validator.certificate(pki.signer.der(), time)).unwrap();
    assert_eq!(done.verdict.indication().to_string(), "INDETERMINATE");
    assert!(done.failures.iter().all(|failure| failure.error.to_string().contains("expected a public one")));
    assert!(!done.failures.is_empty());
    assert_eq!(server.asked().len(), 0);
}
