//! Time-stamps and evidence from servers that the tests start on the loopback address, good and bad ones.

use super::*;
use lacre::issuance::{
    Certificate, CertificateStatus, Issuer, Locations, OcspResponder, OcspUpdate, Profile, TimestampUnit,
};
use lacre::signing::{KeyKind, SoftwareKey};
use lacre_testkit::authorities::{Pki, key, now, randomness};
use lacre_testkit::http::{Reply, Request, Server};
use lacre_testkit::served::{self, ocsp_request};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A folder with what a person needs, and the server of the authorities.
struct World {
    folder: Folder,
    server: Server,
    /// Whether responders answer of now, and not of the day before.
    responds_of_now: Arc<AtomicBool>,
}

/// A unit's certificate and key.
type Unit = (Certificate, SoftwareKey);

fn stamped((certificate, key): &Unit, request: &[u8], late: i64) -> Reply {
    let issuer = Issuer::new(certificate.clone(), key, Locations::default()).expect("its own key");
    let response = TimestampUnit::new(issuer).respond(request, now().plus_millis(-late), &mut randomness());
    let kind = ("Content-Type", "application/timestamp-reply".to_owned());
    Reply::Whole(200, vec![kind], response.expect("the key signs"))
}

fn answer(pki: &Pki, unit: &OnceLock<Unit>, of_now: bool, request: &Request) -> Option<Reply> {
    let unit = unit.get_or_init(|| {
        let key = key(KeyKind::P256);
        (pki.issue(Profile::TimestampUnit, &key), key)
    });
    Some(match request.path.as_str() {
        "/tsa" => stamped(unit, &request.body, 0),
        "/late" => stamped(unit, &request.body, 3_600_000),
        "/replayed" => {
            let mut old = request.body.clone();
            let nonce = old.len() - 5;
            old[nonce] ^= 1;
            stamped(unit, &old, 0)
        }
        "/page" => Reply::ok(b"<!DOCTYPE html><html><title>Welcome</title></html>".to_vec()),
        "/broken" => Reply::status(503),
        "/busy" => Reply::Whole(429, vec![("Retry-After", "30".into())], vec![]),
        _ => {
            let request = ocsp_request(request).filter(|_| of_now)?;
            let responder = OcspResponder::new(pki.authority.clone(), pki.issuer());
            let update = OcspUpdate { this_update: now(), next_update: now().plus_millis(86_400_000) };
            let answer = responder.respond(&request, &|_: &[u8]| CertificateStatus::Good, update, &mut randomness());
            Reply::ok(answer.expect("the key signs"))
        }
    })
}

impl World {
    fn new(name: &str) -> Self {
        let (unit, responds_of_now) = (OnceLock::new(), Arc::new(AtomicBool::new(true)));
        let of_now = Arc::clone(&responds_of_now);
        let (pki, server) = served::start(move |pki, request| answer(pki, &unit, of_now.load(Relaxed), request));
        let pki = pki.get().expect("it is made");
        let folder = Folder::new(&format!("sign-{name}"));
        let person = key(KeyKind::P256);
        folder.write("ana.der", pki.issue(Profile::NaturalPerson, &person).der());
        folder.write("ana.key", &person.to_pkcs8().expect("a key"));
        folder.write("root.der", pki.root.der());
        folder.write("letter.txt", b"Dear Ines");
        Self { folder, server, responds_of_now }
    }

    /// Options for the network, with these authorities.
    fn network(&self, authorities: &[&str]) -> String {
        let named: Vec<String> = authorities.iter().map(|path| format!("--tsa {}", self.server.url(path))).collect();
        format!("{ANA} --trust-anchor root.der --allow-address {} {}", self.server.address(), named.join(" "))
    }

    fn asked(&self, path: &str) -> usize {
        self.server.asked().iter().filter(|request| request.path == path).count()
    }
}

#[test]
fn a_level_with_what_is_fetched() {
    let world = World::new("fetched");
    let network = world.network(&["/tsa"]);
    let cache = world.folder.path("cache");
    let online = format!("--online --cache {}", cache.display());
    let told = world.folder.ok(&format!("lacre sign letter.txt {network} --level lta {online}"));
    assert_eq!(told, "CAdES-BASELINE-LTA  letter.txt -> letter.txt.p7m\n");
    assert_eq!(world.asked("/tsa"), 2, "one over the signature, one over all of it: they cost money");
    let report = judged(&world.folder, "letter.txt.p7m", "");
    assert_eq!(levels(&report), ["CAdES-BASELINE-LTA"], "offline");
}

#[test]
fn an_authority_is_all_that_a_time_stamp_asks() {
    let world = World::new("stamped");
    let network = world.network(&["/broken", "/page", "/tsa", "/tsa"]);
    let told = world.folder.ok(&format!("lacre sign letter.txt {network} --level t"));
    assert!(told.starts_with("CAdES-BASELINE-T    letter.txt -> letter.txt.p7m\n"), "{told}");
    assert!(told.contains("/broken: the server answers with status 503"), "what was in the way is said: {told}");
    let paths: Vec<String> = world.server.asked().into_iter().map(|request| request.path).collect();
    assert_eq!(paths, ["/broken", "/page", "/tsa"], "the first that answers, and nobody after it");
}

#[test]
fn authorities_that_are_of_no_use() {
    let world = World::new("useless");
    let before = world.folder.files();
    for (situation, path, code) in [
        ("a web page", "/page", "tsa-reply-unreadable"),
        ("down", "/broken", "tsa-unreachable"),
        ("too often", "/busy", "tsa-quota"),
        ("RFC 3161 2.4.2: another nonce", "/replayed", "tsa-nonce"),
        ("another time", "/late", "tsa-time"),
    ] {
        for level in ["t", "lta"] {
            let line = format!("lacre sign letter.txt {} --level {level}", world.network(&[path]));
            let (told, status) = world.folder.run(&line);
            assert_eq!(status, Some(5), "{situation}: {told}");
            assert!(told.contains(&format!("[{code}]")) && told.contains("lacre: hint: "), "{situation}: {told}");
            assert!(world.folder.files() == before, "{situation}: the folder is as it was");
        }
    }
    let line = format!("lacre sign letter.txt {ANA} --level t --tsa {}", world.server.url("/tsa"));
    let (told, status) = world.folder.run(&line);
    assert_eq!(status, Some(5), "an address of the own network: {told}");
    assert!(told.contains("expected a public one"), "{told}");
    assert!(world.folder.files() == before);
}

#[test]
fn evidence_of_before_the_time_stamp() {
    let world = World::new("older");
    let network = world.network(&["/tsa"]);
    world.responds_of_now.store(false, Relaxed);
    // The lists and the answers are of the moment at which the authorities were made.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    let before = world.folder.files();
    let sign = format!("lacre sign letter.txt {network} --level lt --online --cache ../sign-older-cache");
    let (told, status) = world.folder.run(&sign);
    assert_eq!(status, Some(5), "{told}");
    assert!(told.contains("[revocation-too-old]") && told.contains("--freshness older"), "{told}");
    assert!(world.folder.files() == before, "nothing is written");

    let told = world.folder.ok(&format!("{sign} --freshness older"));
    assert!(told.starts_with("CAdES-BASELINE-LT "), "{told}");
}
