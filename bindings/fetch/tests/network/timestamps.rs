//! Time-stamps from authorities that the test starts, good and bad ones: RFC 3161 §3.4.

use lacre::Time;
use lacre::issuance::{Issuer, Locations, Profile, TimestampQuery, TimestampUnit};
use lacre_core::algorithm::DigestAlgorithm;
use lacre_core::crypto::{KeyKind, SoftwareKey, digest};
use lacre_core::formats::tsp::Token;
use lacre_core::x509::Certificate;
use lacre_fetch::{Addresses, Credentials, Fetcher, Limits, TimestampAuthority};
use lacre_testkit::authorities::{Pki, key, now, randomness};
use lacre_testkit::http::{Reply, Request, Server};
use std::sync::Arc;
use std::time::Duration;

/// A unit with its key.
struct Unit {
    certificate: Certificate,
    key: SoftwareKey,
}

impl Unit {
    fn new() -> Self {
        let (pki, key) = (Pki::new("http://pki.example"), key(KeyKind::P256));
        Self { certificate: pki.issue(Profile::TimestampUnit, &key), key }
    }

    fn respond(&self, request: &[u8], time: Time) -> Vec<u8> {
        let issuer = Issuer::new(self.certificate.clone(), &self.key, Locations::default()).expect("its own key");
        TimestampUnit::new(issuer).respond(request, time, &mut randomness()).expect("the key signs")
    }
}

fn reply(bytes: Vec<u8>) -> Reply {
    Reply::Whole(200, vec![("Content-Type", "application/timestamp-reply".into())], bytes)
}

fn serve(unit: &Unit, request: &Request) -> Reply {
    let page = |title: &str| format!("<!DOCTYPE html>\n<html><head><title>{title}</title></head></html>").into_bytes();
    let with = |status: u16, name: &'static str, value: &str| Reply::Whole(status, vec![(name, value.into())], vec![]);
    match request.path.as_str() {
        "/good" => reply(unit.respond(&request.body, now())),
        "/untyped" => Reply::ok(unit.respond(&request.body, now())),
        "/late" => reply(unit.respond(&request.body, now().plus_millis(-3_600_000))),
        "/replayed" => {
            let query = TimestampQuery::from_der(&request.body).expect("a request");
            let old = TimestampQuery::new(query.function(), query.imprint()).expect("its length");
            reply(unit.respond(&old.with_nonce(vec![7; 16]).to_der(), now()))
        }
        "/without" => {
            let query = TimestampQuery::from_der(&request.body).expect("a request");
            let plain = TimestampQuery::new(query.function(), query.imprint()).expect("its length");
            reply(unit.respond(&plain.to_der(), now()))
        }
        "/other" => {
            let other = digest(DigestAlgorithm::Sha256, b"something else").expect("it is known");
            let other = TimestampQuery::new(DigestAlgorithm::Sha256, &other).expect("its length");
            reply(unit.respond(&other.to_der(), now()))
        }
        "/known" => match request.header("authorization") {
            // RFC 7617 §2: the pair of the RFC itself.
            Some("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==" | "Bearer opensesame") => {
                reply(unit.respond(&request.body, now()))
            }
            _ => Reply::status(401),
        },
        "/page" => Reply::ok(page("Time Stamping Service\u{7}")),
        "/typed-page" => Reply::Whole(200, vec![("Content-Type", "text/html".into())], b"\n  Sorry".to_vec()),
        "/garbage" => reply(vec![1, 2, 3]),
        "/busy" => with(429, "Retry-After", "30"),
        "/busy-until" => with(429, "Retry-After", "Wed, 25 Nov 2026 12:00:00 GMT"),
        "/forbidden" => Reply::status(403),
        "/moved" => with(307, "Location", "/good"),
        "/broken" => Reply::status(503),
        "/silent" => Reply::Silence,
        "/endless" => Reply::Endless,
        _ => Reply::status(404),
    }
}

fn started() -> (Arc<Unit>, Server, Fetcher) {
    let unit = Arc::new(Unit::new());
    let own = Arc::clone(&unit);
    let server = Server::start(move |request| serve(&own, request));
    let fetcher = Fetcher::new(Addresses::public().and(&server.address()).expect("an address"));
    (unit, server, fetcher)
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    (limits.patience, limits.time) = (Duration::from_millis(700), Duration::from_secs(8));
    limits
}

#[test]
fn what_an_authority_may_answer() {
    let (_, server, fetcher) = started();
    let imprint = digest(DigestAlgorithm::Sha256, b"a value").expect("it is known");
    let at = |path: &str| TimestampAuthority::at(server.url(path));
    let basic = |password: &str| Credentials::Basic { user: "Aladdin".into(), password: password.to_owned().into() };
    let bearer = |token: &str| Credentials::Bearer(token.to_owned().into());
    for (situation, authority, expected) in [
        ("good", at("/good"), "good"),
        ("RFC 3161 3.4: without the type of a response", at("/untyped"), "good"),
        ("RFC 7617: name and password", at("/known").with_credentials(basic("open sesame")), "good"),
        ("RFC 6750: a token", at("/known").with_credentials(bearer("opensesame")), "good"),
        (
            "a wrong password",
            at("/known").with_credentials(basic("open cumin")),
            "tsa-unreachable: the server answers with status 401: it asks for credentials, or for others",
        ),
        (
            "a token that no header carries",
            at("/known").with_credentials(bearer("open\r\nsesame")),
            "tsa-unreachable: the credentials hold characters that HTTP does not carry",
        ),
        ("no nonce asked for", at("/without").without_nonce(), "good"),
        ("2.4.2: a nonce asked for, and none", at("/without"), "tsa-nonce: the time-stamp has no nonce"),
        ("2.4.2: an old response", at("/replayed"), "tsa-nonce: the time-stamp has the nonce "),
        ("2.2: another imprint", at("/other").without_nonce(), "tsa-imprint: the time-stamp is over SHA256 "),
        ("another time", at("/late"), "tsa-time: the time-stamp is of "),
        (
            "2.4.2: another policy",
            at("/good").with_policy("1.2.3"),
            "tsa-rejected: the time-stamping authority answered with status 2 (unacceptedPolicy)",
        ),
        ("the unit's own policy", at("/good").with_policy("0.4.0.2023.1.1"), "good"),
        ("no policy", at("/good").with_policy("best"), "tsa-policy: the time-stamp policy is \"best\""),
        (
            "a page",
            at("/page"),
            "tsa-reply-unreadable: the answer is an HTML page with the title \"Time Stamping Service\", expected a \
             response to a time-stamp request (application/timestamp-reply)",
        ),
        ("a page by its type", at("/typed-page"), "tsa-reply-unreadable: the answer is an HTML page, expected"),
        (
            "bytes",
            at("/garbage"),
            "tsa-reply-unreadable: the response of the time-stamping authority is the bytes 010203, expected",
        ),
        (
            "RFC 6585 4: too often",
            at("/busy"),
            "tsa-quota: the server answers with status 429: too many requests, again after 30 s",
        ),
        (
            "RFC 9110 10.2.3: a date",
            at("/busy-until"),
            "tsa-quota: the server answers with status 429: too many requests, again after Wed, 25 Nov 2026 12:00:00 \
             GMT",
        ),
        ("forbidden", at("/forbidden"), "tsa-unreachable: the server answers with status 403: "),
        (
            "a redirect is not followed",
            at("/moved"),
            "tsa-unreachable: the server answers with status 307, expected 200",
        ),
        ("broken", at("/broken"), "tsa-unreachable: the server answers with status 503, expected 200"),
        ("silent", at("/silent"), "tsa-unreachable: no answer within 0.7 s"),
        ("endless", at("/endless"), "tsa-reply-unreadable: the answer is longer than 1048576 bytes"),
        (
            "a private address",
            TimestampAuthority::at("http://127.0.0.1:1/"),
            "tsa-unreachable: the host 127.0.0.1 has the address 127.0.0.1, expected a public one",
        ),
        (
            "RFC 7617 4: a password in the clear",
            TimestampAuthority::at("http://tsa.example/").with_credentials(basic("open sesame")),
            "tsa-unreachable: credentials are for a server without TLS, expected an address of https",
        ),
    ] {
        let found = match fetcher.session(limits()).timestamp(&[authority], DigestAlgorithm::Sha256, &imprint, now()) {
            Ok(stamped) => {
                let token = Token::parse(&stamped.token).expect("a checked token is read");
                assert_eq!(token.info.imprint.value.0, imprint, "{situation}");
                "good".to_owned()
            }
            Err(error) => {
                let [failure] = &error.failures[..] else { panic!("{situation}: one was asked: {error}") };
                assert!(!failure.error.hint().is_empty(), "{situation}");
                assert!(!error.to_string().contains("sesame"), "{situation}: secrets are not printed");
                format!("{}: {}", error.code(), failure.error)
            }
        };
        assert!(found.starts_with(expected), "{situation}: {found}");
    }
    let debug = format!("{:?}", at("/known").with_credentials(basic("open sesame")));
    assert!(!debug.contains("sesame"), "{debug}");
    let asked = server.asked();
    let first = asked.first().expect("something was asked");
    assert_eq!(
        (first.method.as_str(), first.header("content-type"), first.header("accept")),
        ("POST", Some("application/timestamp-query"), Some("application/timestamp-reply")),
        "RFC 3161 3.4"
    );
}

#[test]
fn authorities_are_asked_in_order_until_one_is_good() {
    let (_, server, fetcher) = started();
    let imprint = digest(DigestAlgorithm::Sha512, b"a value").expect("it is known");
    let ask = |paths: &[&str], limits: Limits| {
        let authorities: Vec<_> = paths.iter().map(|path| TimestampAuthority::at(server.url(path))).collect();
        let before = server.asked().len();
        let session = fetcher.session(limits);
        let stamped = session.timestamp(&authorities, DigestAlgorithm::Sha512, &imprint, now());
        let asked: Vec<String> = server.asked()[before..].iter().map(|request| request.path.clone()).collect();
        (stamped, asked)
    };
    let (stamped, asked) = ask(&["/broken", "/page", "/late", "/good", "/untyped"], limits());
    let stamped = stamped.expect("the fourth is good");
    assert_eq!(asked, ["/broken", "/page", "/late", "/good"], "none after a good one: each costs money");
    assert!(stamped.url.ends_with("/good"));
    let codes: Vec<_> = stamped.failures.iter().map(|failure| failure.error.code().as_str()).collect();
    assert_eq!(codes, ["tsa-unreachable", "tsa-reply-unreadable", "tsa-time"]);

    let (none, asked) = ask(&["/broken", "/busy"], limits());
    let none = none.expect_err("neither is good");
    assert_eq!((asked, none.code().as_str()), (vec!["/broken".to_owned(), "/busy".to_owned()], "tsa-quota"));
    assert!(none.to_string().lines().count() == 3, "a line for each: {none}");
    let (nobody, _) = ask(&[], limits());
    assert!(nobody.expect_err("nobody was asked").to_string().contains("no time-stamping authority was named"));

    let mut one = limits();
    one.requests = 1;
    let (bounded, asked) = ask(&["/broken", "/good"], one);
    assert_eq!(asked, ["/broken"], "the session's bound");
    assert!(bounded.expect_err("over the bound").to_string().contains("1 requests were made"));

    let nonces: Vec<_> = server
        .asked()
        .iter()
        .filter_map(|request| TimestampQuery::from_der(&request.body).ok()?.nonce().map(<[u8]>::to_vec))
        .collect();
    let distinct: std::collections::BTreeSet<_> = nonces.iter().collect();
    assert_eq!(distinct.len(), nonces.len(), "RFC 3161 2.4.1: a nonce for each request");
}
