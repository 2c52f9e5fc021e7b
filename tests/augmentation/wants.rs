//! What an augmentation asks for, and what of the answers it takes.

use crate::steps::*;
use lacre::augmentation::{
    EvidenceWant, Extension, Freshness, Level, Material, Obstacle, Target, Want, extend, outlook,
};
use lacre::report::{Attempt, Tried, WantedKind};
use lacre::signing::{DigestAlgorithm, SigningErrorCode, digest};
use lacre::{Document, Time};
use lacre_testkit::decades::Decades;
use std::collections::BTreeSet;

#[test]
fn what_is_asked_for() {
    let world = Decades::from(start());
    let person = world.person(1, start(), 700);
    let signed = start().plus_millis(DAY);
    let life = Life::of(&world, world.enveloping(&person, TEXT, signed), signed);
    let target = Target::new(Level::Lt);
    let mut material = Material::new();
    let wants = life.wants(&target, &material);
    let [Want::Timestamp(want)] = &wants[..] else { panic!("EN 319 122-1 5.3: a time-stamp first: {wants:?}") };
    let facts = world.validator().facts(&life.document(), signed).expect("it is read");
    let value = &facts.signatures[0].value.0;
    assert_eq!(want.imprint, digest(DigestAlgorithm::Sha256, value).expect("SHA-256"));
    assert_eq!(want.about.as_ref(), Some(&facts.signatures[0].id));

    let stamped = signed.plus_millis(SECOND);
    material.timestamp(world.stamp(want, stamped));
    let wants = life.wants(&target, &material);
    let [Want::Evidence(issuer)] = &wants[..] else { panic!("the chain of the authority: {wants:?}") };
    assert_eq!(
        (issuer.wanted.kind, &issuer.wanted.urls[..]),
        (WantedKind::Issuer, &["http://pki.example/ca.der".into()][..])
    );
    material.evidence(world.authority.der());
    let wants = life.wants(&target, &material);
    let asked: Vec<_> =
        evidence(&wants).iter().map(|want| (want.wanted.kind, want.name.as_str(), want.not_before)).collect();
    let after = Some(stamped);
    assert_eq!(
        asked,
        [
            (WantedKind::Ocsp, "Unit of Decades", after),
            (WantedKind::Crl, "Unit of Decades", after),
            (WantedKind::Crl, "CA of Decades", None),
            (WantedKind::Ocsp, "Inês Conceição", after),
            (WantedKind::Crl, "Inês Conceição", after),
        ],
        "later than the time-stamp"
    );
    assert!(timestamps(&wants).is_empty());
}

#[test]
fn time_stamps_that_are_refused() {
    let world = Decades::from(start());
    let strangers = Decades::seeded(start(), 100);
    let person = world.person(1, start(), 700);
    let signed = start().plus_millis(DAY);
    let life = Life::of(&world, world.enveloping(&person, TEXT, signed), signed);
    let target = Target::new(Level::T);
    let wants = life.wants(&target, &Material::new());
    let want = timestamps(&wants)[0];
    let later = signed.plus_millis(SECOND);
    let good = world.stamp(want, later);
    let mut broken = good.clone();
    *broken.last_mut().expect("it is not empty") ^= 1;
    for (situation, token, expected) in [
        ("another imprint", world.token(DigestAlgorithm::Sha256, &[7; 32], later), SigningErrorCode::TsaImprint),
        (
            "another digest function",
            world.token(DigestAlgorithm::Sha512, &[7; 64], later),
            SigningErrorCode::TsaImprint,
        ),
        ("no token", b"<html>".to_vec(), SigningErrorCode::TsaReplyUnreadable),
        ("a value that does not verify", broken, SigningErrorCode::TsaCertificate),
        ("an authority that nobody trusts", strangers.stamp(want, later), SigningErrorCode::ChainNotTrusted),
        ("tomorrow", world.stamp(want, signed.plus_millis(DAY)), SigningErrorCode::TsaTime),
    ] {
        let mut material = Material::new();
        material.timestamp(token).evidence(world.authority.der()).evidence(strangers.authority.der());
        let found = extend(&world.validator(), &life.document(), &target, &material, later);
        let found = found.map(|_| ()).map_err(|error| error.code());
        assert_eq!(found, Err(expected), "RFC 3161 2.4.2 {situation}");
    }
    let mut material = Material::new();
    material.timestamp(good).evidence(world.authority.der());
    let done =
        extend(&world.validator(), &life.document(), &target, &material, signed).expect("clocks differ by seconds");
    assert!(matches!(done, Extension::Done(_)));
}

#[test]
fn revocations() {
    let signed = start().plus_millis(DAY);
    for (situation, since, expected) in [
        ("before it was time-stamped", -3600 * SECOND, Some(SigningErrorCode::CertificateRevoked)),
        ("after", 3600 * SECOND, None),
    ] {
        let world = Decades::from(start());
        let person = world.person(1, start(), 700);
        let life = Life::of(&world, world.enveloping(&person, TEXT, signed), signed);
        world.revoke(&person.certificate, signed.plus_millis(since));
        // LT is made two hours after T.
        let (mut material, mut now) = (Material::new(), signed);
        world
            .extend_with(&life.document(), &Target::new(Level::T), &mut material, &mut now)
            .expect("it is time-stamped");
        now = now.plus_millis(7200 * SECOND);
        let extended = world.extend_with(&life.document(), &Target::new(Level::Lt), &mut material, &mut now);
        match expected {
            Some(code) => assert_eq!(extended.map(|_| ()).map_err(|error| error.code()), Err(code), "{situation}"),
            None => {
                let extended = extended.unwrap_or_else(|error| panic!("{situation}: {error}"));
                assert_eq!(levels(&extended.report), ["CAdES-BASELINE-LT"], "{situation}");
                assert_eq!(extended.report.indication().as_str(), "TOTAL-PASSED", "{situation}");
            }
        }
    }
}

#[test]
fn what_cannot_be_had() {
    let world = Decades::from(start());
    let person = world.person(1, start(), 700);
    let signed = start().plus_millis(DAY);
    let life = Life::of(&world, world.enveloping(&person, TEXT, signed), signed);
    let (mut material, mut now) = (Material::new(), signed);
    world.extend_with(&life.document(), &Target::new(Level::T), &mut material, &mut now).expect("it is time-stamped");
    let target = Target::new(Level::Lt);
    let wants = life.wants(&target, &material);
    let failed = |want: &EvidenceWant, reason: &str| Attempt {
        kind: want.wanted.kind,
        about: want.wanted.about.clone(),
        tried: Tried { url: want.wanted.urls[0].clone(), reason: reason.into() },
    };
    // The responder is down: the lists are still wanted.
    for want in evidence(&wants).into_iter().filter(|want| want.wanted.kind == WantedKind::Ocsp) {
        material.attempt(failed(want, "the connection was refused"));
    }
    let wants = life.wants(&target, &material);
    let kinds: BTreeSet<WantedKind> = evidence(&wants).iter().map(|want| want.wanted.kind).collect();
    assert_eq!(kinds, [WantedKind::Crl].into(), "what was tried in vain is not wanted again");
    for want in evidence(&wants) {
        material.attempt(failed(want, "HTTP status 404"));
    }
    let error = extend(&world.validator(), &life.document(), &target, &material, now).expect_err("nothing is left");
    assert_eq!(error.code(), SigningErrorCode::RevocationMissing);
    let text = error.to_string();
    assert!(text.contains("Unit of Decades") && text.contains("404") && text.contains("refused"), "{text}");

    let partial = extend(
        &world.validator(),
        &life.document(),
        &target.clone().overlooking(Obstacle::MissingRevocation),
        &material,
        now,
    );
    let Ok(Extension::Done(partial)) = partial else { panic!("what there is, is written") };
    assert_eq!(levels(&partial.report), ["CAdES-BASELINE-T"]);
}

#[test]
fn freshness() {
    let world = Decades::from(start());
    world.responds.set(false);
    let person = world.person(1, start(), 700);
    let signed = start().plus_millis(DAY);
    let file = world.enveloping(&person, TEXT, signed);
    let life = Life::of(&world, file.clone(), signed);
    let (mut material, mut now) = (Material::new(), signed);
    world.extend_with(&life.document(), &Target::new(Level::T), &mut material, &mut now).expect("it is time-stamped");
    material.evidence(world.crl(false, now)).evidence(world.crl(true, now));
    let wants = life.wants(&Target::new(Level::Lt), &material);
    let midnight: Time = "2027-03-03T00:00:00Z".parse().expect("a time");
    assert!(!wants.is_empty());
    for want in evidence(&wants) {
        assert_eq!(want.wanted.kind, WantedKind::Crl);
        assert!(want.not_before.is_some_and(|earliest| earliest > signed), "later than the time-stamp");
        assert_eq!(want.retry_at, Some(midnight), "the list's nextUpdate");
    }
    let mut tried = material.clone();
    for want in evidence(&wants) {
        let tries = Tried { url: want.wanted.urls[0].clone(), reason: "as old as before".into() };
        tried.attempt(Attempt { kind: want.wanted.kind, about: want.wanted.about.clone(), tried: tries });
    }
    let error =
        extend(&world.validator(), &life.document(), &Target::new(Level::Lt), &tried, now).expect_err("too old");
    assert_eq!(error.code(), SigningErrorCode::RevocationTooOld);
    assert!(error.hint().is_some_and(|hint| hint.contains("2027-03-03")), "{:?}", error.hint());

    let older = Target::new(Level::Lt).freshness(Freshness::AcceptOlder);
    let done = extend(&world.validator(), &life.document(), &older, &material, now).expect("it is accepted");
    let Extension::Done(done) = done else { panic!("the lists were current") };
    assert_eq!(levels(&done.report), ["CAdES-BASELINE-LT"]);

    // The next day the new lists serve.
    now = midnight.plus_millis(3600 * SECOND);
    let done = world.extend_with(&life.document(), &Target::new(Level::Lt), &mut material, &mut now).expect("it waits");
    assert_eq!(levels(&done.report), ["CAdES-BASELINE-LT"]);
    assert_eq!(done.report.indication().as_str(), "TOTAL-PASSED");
}

#[test]
fn data_of_an_expired_responder_is_replaced() {
    let world = Decades::from(start());
    let person = world.person(1, start(), 700);
    let signed = start().plus_millis(DAY);
    let mut life = Life::of(&world, world.enveloping(&person, TEXT, signed), signed);
    for level in [Level::T, Level::Lt, Level::Lta] {
        // The certificates of responders are valid for 30 days.
        life.now = life.now.plus_millis(40 * DAY);
        let report = life.extend(&Target::new(level), "step by step");
        if level > Level::T {
            assert_eq!(
                report.indication().as_str(),
                "TOTAL-PASSED",
                "EN 319 102-1 5.2.6.4 {level} {}",
                report.to_text()
            );
        }
    }
}

#[test]
fn data_of_counter_signatures_is_collected() {
    let world = Decades::from(start());
    let (person, witness) = (world.person(1, start(), 700), world.person(2, start(), 700));
    let signed = start().plus_millis(DAY);
    let mut life = Life::of(&world, world.enveloping(&person, TEXT, signed), signed);
    life.file = world.counter(&witness, &life.document(), signed);
    let report = life.extend(&Target::new(Level::Lta), "with a counter-signature");
    assert_eq!(levels(&report)[0], "CAdES-BASELINE-LTA");
    let verdicts: Vec<_> = report.signatures().map(|signature| signature.indication().as_str()).collect();
    assert_eq!(verdicts, ["TOTAL-PASSED"; 2], "{}", report.to_text());
    let witness = report
        .certificates()
        .find(|held| held.facts().bytes.as_ref().is_some_and(|b| b.0 == witness.certificate.der()));
    assert!(witness.expect("it is there").revocations().count() > 0, "EN 319 122-1 6.3: its status is in the file");
}

#[test]
fn what_it_would_take() {
    let world = Decades::from(start());
    let person = world.person(1, start(), 700);
    let signed = start().plus_millis(DAY);
    let file = world.enveloping(&person, TEXT, signed);
    let ask = |file: &[u8], level, at| {
        let found = outlook(&world.validator(), &Document::new(file), &Target::new(level), &Material::new(), at);
        let found = found.expect("it is read").signatures.remove(0);
        let kinds: Vec<&str> = found.evidence.iter().map(|want| want.wanted.kind.as_str()).collect();
        (found.timestamps, kinds.join(" "), found.obstacle.map(|error| error.code()))
    };
    assert_eq!(ask(&file, Level::T, signed), (1, String::new(), None));
    assert_eq!(ask(&file, Level::Lt, signed), (1, "issuer".into(), None));
    assert_eq!(ask(&file, Level::Lta, signed).0, 2);
    let late = person.certificate.not_after().plus_millis(SECOND);
    assert_eq!(ask(&file, Level::Lta, late).2, Some(SigningErrorCode::CertificateExpired));
    let mut life = Life::of(&world, file, signed);
    life.extend(&Target::new(Level::Lta), "to LTA");
    assert_eq!(ask(&life.file, Level::Lt, life.now).2, Some(SigningErrorCode::AlreadyAtLevel));
    let later = life.now.plus_millis(5 * YEAR);
    assert_eq!(ask(&life.file, Level::Lta, later), (1, "ocsp crl".into(), None), "renewal: the authority's status");
}
