//! Signatures are extended over decades, and every step is judged: EN 319 122-1 §6, EN 319 142-1 §6.

use lacre::{
    Document, Report, Time,
    augmentation::{
        EvidenceWant, Extension, Freshness, Level, Material, Obstacle, Target, TimestampWant, Want, extend, outlook,
        renew, timestamp,
    },
    report::{Attempt, SignatureLevel, Tried, WantedKind},
    signing::{DigestAlgorithm, SigningErrorCode, digest},
};
use lacre_testkit::cms::{SIGNED_DATA, attribute};
use lacre_testkit::decades::Decades;
use lacre_testkit::der::{children, oid, sequence, tlv};
use lacre_testkit::pdf::{Form, Pdf};
use std::collections::BTreeSet;

#[path = "../examples/life.rs"]
mod life;

const SECOND: i64 = 1000;
const DAY: i64 = 86_400_000;
const YEAR: i64 = 365 * DAY;
const TEXT: &[u8] = b"Dear Ines,\r\nall is well.\r\n";

fn start() -> Time {
    "2027-03-01T12:00:00Z".parse().expect("a time")
}

/// The levels of the signatures of a report.
fn levels(report: &Report) -> Vec<&'static str> {
    report.signatures().map(|signature| signature.level().map_or("none", SignatureLevel::as_str)).collect()
}

/// What was done with a document on its way, step by step.
struct Life<'w> {
    world: &'w Decades,
    file: Vec<u8>,
    content: Option<&'w [u8]>,
    now: Time,
}

impl<'w> Life<'w> {
    fn of(world: &'w Decades, file: Vec<u8>, now: Time) -> Self {
        Self { world, file, content: None, now }
    }

    fn document(&self) -> Document<'_> {
        let document = Document::new(&self.file);
        match self.content {
            Some(content) => document.with_content("letter.txt", content),
            None => document,
        }
    }

    /// Extends the file, which is judged afterwards with nothing but what is in it.
    fn extend(&mut self, target: &Target, situation: &str) -> Report {
        let mut now = self.now;
        let extended = self.world.extend(&self.document(), target, &mut now);
        let extended = extended.unwrap_or_else(|error| panic!("{situation}: {} {error}", error.code()));
        let file = extended.output.to_vec(&self.file);
        (self.file, self.now) = (file, now);
        let judged = self.world.validator().validate(&self.document(), now).expect("it is read");
        assert_eq!(levels(&judged), levels(&extended.report), "{situation}: the report that was returned");
        judged
    }

    /// What an extension answers that has no material.
    fn first(&self, target: &Target) -> Result<Extension, SigningErrorCode> {
        let material = Material::new();
        let first = extend(&self.world.validator(), &self.document(), target, &material, self.now);
        first.map_err(|error| error.code())
    }

    fn wants(&self, target: &Target, material: &Material) -> Vec<Want> {
        match extend(&self.world.validator(), &self.document(), target, material, self.now) {
            Ok(Extension::Wanted(wants)) => wants,
            Ok(Extension::Done(_)) => panic!("found that nothing is wanted"),
            Err(error) => panic!("{} {error}", error.code()),
        }
    }
}

fn timestamps(wants: &[Want]) -> Vec<&TimestampWant> {
    wants.iter().filter_map(|want| if let Want::Timestamp(want) = want { Some(want) } else { None }).collect()
}

fn evidence(wants: &[Want]) -> Vec<&EvidenceWant> {
    wants.iter().filter_map(|want| if let Want::Evidence(want) = want { Some(want) } else { None }).collect()
}

#[test]
fn a_cades_signature_lives_for_decades() {
    let world = Decades::from(start());
    let person = world.person(1, start(), 700);
    let signed = start().plus_millis(DAY);
    for (situation, file, content) in [
        ("enveloping", world.enveloping(&person, TEXT, signed), None),
        ("detached", world.detached(&person, TEXT, signed), Some(TEXT)),
    ] {
        let mut life = Life::of(&world, file, signed);
        life.content = content;
        let mut stamps = 0;
        for (level, years, expected) in [
            (Level::T, 0, "CAdES-BASELINE-T"),
            (Level::Lt, 0, "CAdES-BASELINE-LT"),
            (Level::Lta, 0, "CAdES-BASELINE-LTA"),
            (Level::Lta, 12, "CAdES-BASELINE-LTA"),
            (Level::Lta, 11, "CAdES-BASELINE-LTA"),
        ] {
            life.now = life.now.plus_millis(years * YEAR + 60 * SECOND);
            let situation = format!("EN 319 122-1 6.3 {situation} to {level} after {years} years");
            let report = life.extend(&Target::new(level), &situation);
            assert_eq!(levels(&report), [expected], "{situation}");
            stamps += usize::from(level != Level::Lt);
            let signature = report.signatures().next().expect("there is one");
            assert_eq!(signature.timestamps().count(), stamps, "{situation}");
            if level > Level::T {
                assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{situation}: {}", report.to_text());
                let warned: BTreeSet<&str> = report
                    .timestamps()
                    .flat_map(|stamp| stamp.findings().map(|finding| finding.check).collect::<Vec<_>>())
                    .filter(|check| check.contains("HASH_INDEX") || check.contains("ATS"))
                    .collect();
                assert!(warned.is_empty(), "{situation}: EN 319 122-1 5.5.2 {warned:?}");
            }
        }
        let best = life.world.validator().validate(&life.document(), life.now).expect("it is read");
        let signature = best.signatures().next().expect("there is one");
        assert!(signature.best_signature_time().time < signed.plus_millis(DAY), "the first time-stamp still proves it");
    }
}

#[test]
fn a_pades_signature_lives_for_decades() {
    let world = Decades::from(start());
    let (person, second) = (world.person(1, start(), 700), world.person(2, start(), 700));
    let signed = start().plus_millis(DAY);
    let kinds = [("a table", Form::Table), ("a stream", Form::Stream), ("object streams", Form::Packed)];
    for (situation, form) in kinds {
        let pdf = Pdf::usual();
        let original = Pdf::of(pdf.objects.clone(), form).bytes;
        let mut life = Life::of(&world, world.pdf(&person, &Document::new(&original), signed), signed);
        life.file = world.pdf(&second, &life.document(), signed.plus_millis(SECOND));
        let (mut stamps, mut stored) = (0, 0);
        for (level, years, expected) in [
            (Level::T, 0, "PAdES-BASELINE-T"),
            (Level::Lt, 0, "PAdES-BASELINE-LT"),
            (Level::Lta, 0, "PAdES-BASELINE-LTA"),
            (Level::Lta, 12, "PAdES-BASELINE-LTA"),
            (Level::Lta, 11, "PAdES-BASELINE-LTA"),
        ] {
            life.now = life.now.plus_millis(years * YEAR + 60 * SECOND);
            let situation = format!("EN 319 142-1 6.3 {situation} to {level} after {years} years");
            let before = life.file.clone();
            let report = life.extend(&Target::new(level), &situation);
            assert!(life.file.starts_with(&before), "{situation}: no byte is changed");
            assert_eq!(levels(&report), [expected; 2], "{situation}");
            stamps += usize::from(level != Level::Lt);
            assert_eq!(report.timestamps().count(), stamps, "{situation}: one for all signatures");
            let catalogs = count(&life.file, b"/Type /DSS");
            assert!(catalogs >= stored, "{situation}");
            stored = catalogs;
            if level > Level::T {
                assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{situation}: {}", report.to_text());
            }
            for signature in report.signatures() {
                let revision = signature.facts().pdf_revision.clone().expect("it is in a PDF");
                let changes = revision.modifications.clone().and_then(|changes| changes.objects).unwrap_or_default();
                assert_eq!(changes.undefined, [], "{situation}: EN 319 142-1 5.4");
                assert_eq!(changes.annotation, [], "{situation}: EN 319 142-1 5.4");
            }
        }
    }
}

/// How often something stands in a file.
fn count(file: &[u8], word: &[u8]) -> usize {
    file.windows(word.len()).filter(|window| *window == word).count()
}

#[test]
fn a_store_holds_nothing_twice() {
    let world = Decades::from(start());
    let (person, second) = (world.person(1, start(), 700), world.person(2, start(), 700));
    let signed = start().plus_millis(DAY);
    let original = Pdf::usual().bytes;
    let mut life = Life::of(&world, world.pdf(&person, &Document::new(&original), signed), signed);
    life.extend(&Target::new(Level::Lta).with_vri(), "the first");
    life.file = world.pdf(&second, &life.document(), life.now);
    let report = life.extend(&Target::new(Level::Lta).with_vri(), "both");
    assert_eq!(levels(&report), ["PAdES-BASELINE-LTA"; 2]);
    assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{}", report.to_text());
    for (name, certificate) in [("root", &world.root), ("authority", &world.authority)] {
        let streams = count(&life.file, certificate.der());
        // The authority's certificate stands in no signature or token.
        assert_eq!(streams, 1, "EN 319 142-1 5.4.2: the {name}");
    }
    let of_vri = report.signatures().filter(|signature| {
        let mut found = signature.facts().found_certificates.iter();
        found.any(|found| found.origins.iter().any(|origin| origin.as_str() == "VRI_DICTIONARY"))
    });
    assert_eq!(of_vri.count(), 2, "EN 319 142-1 5.4.2.3: each has its own");
}

#[test]
fn arrays_of_a_store_that_are_objects_stay_as_they_are() {
    let world = Decades::from(start());
    let person = world.person(1, start(), 700);
    let signed = start().plus_millis(DAY);
    let original = Pdf::usual().and(&[
        (6, "<< /Type /DSS /Certs 7 0 R /CRLs [] >>"),
        (7, "[]"),
        (1, "<< /Type /Catalog /Pages 2 0 R /DSS 6 0 R >>"),
    ]);
    let mut life = Life::of(&world, world.pdf(&person, &Document::new(&original.bytes), signed), signed);
    let report = life.extend(&Target::new(Level::Lta), "EN 319 142-1 5.4.2");
    assert_eq!(levels(&report), ["PAdES-BASELINE-LTA"]);
    assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{}", report.to_text());
    assert_eq!(count(&life.file, b"\n7 0 obj"), 1, "pyHanko takes a changed array for an undefined change");
    assert_eq!(count(&life.file, b"/Certs 7 0 R"), 1, "the array is the dictionary's own from then on");
}

#[test]
fn to_lta_at_once_and_twice_the_same() {
    let world = Decades::from(start());
    let person = world.person(1, start(), 700);
    let signed = start().plus_millis(DAY);
    let file = world.enveloping(&person, TEXT, signed);
    let mut material = Material::new();
    let mut now = signed;
    let target = Target::new(Level::Lta).digest(DigestAlgorithm::Sha512);
    let first = world.extend_with(&Document::new(&file), &target, &mut material, &mut now).expect("it is extended");
    assert_eq!(levels(&first.report), ["CAdES-BASELINE-LTA"]);
    assert_eq!(first.signatures[0].before, Some(SignatureLevel::CadesBaselineB));
    let again = extend(&world.validator(), &Document::new(&file), &target, &material, now).expect("it is extended");
    let Extension::Done(again) = again else { panic!("all is there") };
    assert_eq!(again.output, first.output, "same material, same bytes");
    let pem = format!(
        "-----BEGIN CMS-----\n{}\n-----END CMS-----\n",
        base64::Engine::encode(&base64::prelude::BASE64_STANDARD, &file)
    );
    let from_pem = extend(&world.validator(), &Document::new(pem.as_bytes()), &target, &material, now);
    let Extension::Done(from_pem) = from_pem.expect("it is extended") else { panic!("all is there") };
    assert_eq!(from_pem.output.to_vec(pem.as_bytes()), first.output.to_vec(&file), "PEM becomes DER");
}

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
fn two_signers_at_different_levels() {
    let world = Decades::from(start());
    let (first, second) = (world.person(1, start(), 700), world.person(2, start(), 700));
    let signed = start().plus_millis(DAY);
    let mut life = Life::of(&world, world.enveloping(&first, TEXT, signed), signed);
    life.extend(&Target::new(Level::Lta), "the first alone");
    life.now = life.now.plus_millis(DAY);
    life.file = world.parallel(&second, &life.document(), life.now);
    let judged = world.validator().validate(&life.document(), life.now).expect("it is read");
    let mut before = levels(&judged);
    before.sort_unstable();
    assert_eq!(before, ["CAdES-BASELINE-B", "CAdES-BASELINE-LTA"]);
    let stamps = |report: &Report| report.signatures().map(|one| one.timestamps().count()).collect::<Vec<_>>();
    let counts = stamps(&judged);

    let below = judged.signatures().find(|one| one.level() == Some(SignatureLevel::CadesBaselineB)).expect("it is new");
    let only = Target::new(Level::T).only(below.id().clone());
    let mut chosen = Life::of(&world, life.file.clone(), life.now);
    let report = chosen.extend(&only, "the second to T");
    let mut after = levels(&report);
    after.sort_unstable();
    assert_eq!(after, ["CAdES-BASELINE-LTA", "CAdES-BASELINE-T"]);

    let report = life.extend(&Target::new(Level::Lta).without_renewal(), "both, without renewal");
    assert_eq!(levels(&report), ["CAdES-BASELINE-LTA"; 2]);
    assert_eq!(
        stamps(&report).iter().sum::<usize>(),
        counts.iter().sum::<usize>() + 2,
        "only the second got time-stamps"
    );
    assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{}", report.to_text());
    life.now = life.now.plus_millis(12 * YEAR);
    let report = life.extend(&Target::new(Level::Lta), "both renewed");
    assert_eq!(levels(&report), ["CAdES-BASELINE-LTA"; 2]);
    assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{}", report.to_text());
    let unknown = life.first(&Target::new(Level::T).only(lacre::Id::new("S-0")));
    assert_eq!(unknown.map(|_| ()), Err(SigningErrorCode::SignatureNotFound));
}

#[test]
fn signatures_of_one_value_share_a_time_stamp() {
    let world = Decades::from(start());
    let signed = start().plus_millis(DAY);
    let mut fields = fields(&world.enveloping(&world.person(1, start(), 700), TEXT, signed));
    let signers = fields.pop().expect("it has signers");
    fields.push(tlv(0x31, &[&children(&signers).concat(), &children(&signers).concat()]));
    let mut life = Life::of(&world, with_fields(&fields), signed);
    let wants = life.wants(&Target::new(Level::T), &Material::new());
    assert_eq!(timestamps(&wants).len(), 1, "EN 319 122-1 5.3: one value, one imprint");
    assert_eq!(levels(&life.extend(&Target::new(Level::T), "the same signer twice")), ["CAdES-BASELINE-T"; 2]);
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
fn what_is_not_extended() {
    let world = Decades::from(start());
    let person = world.person(1, start(), 700);
    let signed = start().plus_millis(DAY);
    let good = world.enveloping(&person, TEXT, signed);
    let mut tampered = good.clone();
    let at = tampered.windows(TEXT.len()).position(|window| window == TEXT).expect("it holds the text");
    tampered[at] ^= 1;
    let expired = person.certificate.not_after().plus_millis(SECOND);
    let token = world.token(DigestAlgorithm::Sha256, &[1; 32], signed);
    let detached = world.detached(&person, TEXT, signed);
    let stranger = Decades::seeded(start(), 100);
    let unknown = stranger.enveloping(&stranger.person(3, start(), 700), TEXT, signed);
    for (situation, file, time, level, expected) in [
        ("a changed content", &tampered, signed, Level::T, SigningErrorCode::SignatureInvalid),
        ("an expired certificate", &good, expired, Level::T, SigningErrorCode::CertificateExpired),
        ("no content", &detached, signed, Level::T, SigningErrorCode::ContentNeeded),
        ("a time-stamp", &token, signed, Level::Lta, SigningErrorCode::NotExtendable),
        ("text", &TEXT.to_vec(), signed, Level::T, SigningErrorCode::DocumentUnreadable),
        ("half a file", &good[..good.len() / 2].to_vec(), signed, Level::T, SigningErrorCode::DocumentUnreadable),
    ] {
        let life = Life::of(&world, file.clone(), time);
        let found = life.first(&Target::new(level)).map(|_| ());
        assert_eq!(found, Err(expected), "{situation}");
    }
    // A document time-stamp may come late, a signature time-stamp may not.
    let old = Target::new(Level::T).overlooking(Obstacle::ExpiredCertificate);
    let late = Life::of(&world, good.clone(), expired).first(&old).map(|_| ());
    assert_eq!(late, Err(SigningErrorCode::CertificateExpired), "EN 319 122-1 6.3 m)");
    let pdf = world.pdf(&person, &Document::new(&Pdf::usual().bytes), signed);
    let report = Life::of(&world, pdf, expired).extend(&old, "archives do");
    assert_eq!(levels(&report), ["PAdES-BASELINE-T"]);
    // A stranger's signature can be time-stamped; its validation data cannot be had.
    let life = Life::of(&world, unknown, signed);
    let (mut material, mut now) = (Material::new(), signed);
    world.extend_with(&life.document(), &Target::new(Level::T), &mut material, &mut now).expect("it is time-stamped");
    material.evidence(stranger.authority.der());
    let found = world.extend_with(&life.document(), &Target::new(Level::Lt), &mut material, &mut now);
    assert_eq!(found.map(|_| ()).map_err(|error| error.code()), Err(SigningErrorCode::ChainNotTrusted));

    let mut life = Life::of(&world, good, signed);
    life.extend(&Target::new(Level::Lt), "to LT");
    for (level, expected) in [(Level::T, "T"), (Level::Lt, "LT")] {
        let found = life.first(&Target::new(level)).map(|_| ());
        assert_eq!(found, Err(SigningErrorCode::AlreadyAtLevel), "{expected}");
    }
}

#[test]
fn time_stamps_beside_files_are_renewed() {
    let world = Decades::from(start());
    let mut now = start().plus_millis(DAY);
    let (validator, target) = (world.validator(), Target::new(Level::Lta));
    let letter = Document::new(TEXT).named("letter.txt");
    let first = world.answered(&mut Material::new(), &mut now, |material, now| {
        timestamp(&validator, &letter, &target, material, now)
    });
    let mut file = first.expect("it is time-stamped").output.to_vec(TEXT);
    for (years, function, stamps) in
        [(10, DigestAlgorithm::Sha256, 2), (10, DigestAlgorithm::Sha256, 3), (10, DigestAlgorithm::Sha512, 4)]
    {
        now = now.plus_millis(years * YEAR);
        let document = Document::new(&file).with_content("letter.txt", TEXT);
        let target = target.clone().digest(function);
        let renewed = world.answered(&mut Material::new(), &mut now, |material, now| {
            renew(&validator, &document, &target, material, now)
        });
        let renewed = renewed.unwrap_or_else(|error| panic!("RFC 4998 5 {function}: {} {error}", error.code()));
        file = renewed.output.to_vec(&file);
        let document = Document::new(&file).with_content("letter.txt", TEXT);
        let facts = validator.facts(&document, now).expect("it is read");
        assert_eq!(facts.evidence_records.len(), 1, "RFC 4998 5 {function}");
        assert_eq!(facts.timestamps.len(), stamps, "RFC 4998 5 {function}");
        // The status of the newest authority is in nothing but what its list says now.
        let later = now.plus_millis(DAY);
        let validator = [world.crl(false, later), world.crl(true, later)]
            .iter()
            .fold(validator.clone(), |validator, list| validator.evidence(list).expect("a list"));
        let report = validator.validate(&document, later).expect("it is read");
        assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "RFC 4998 5 {function}: {}", report.to_text());
        let proven = report.evidence_records().next().expect("there is one").proof_of_existence().time;
        assert!(proven < start().plus_millis(2 * DAY), "RFC 4998 5 {function}: since the first, not {proven}");
        let other = Document::new(&file).with_content("letter.txt", b"Dear Ines, all is lost.");
        let report = validator.validate(&other, later).expect("it is read");
        assert_ne!(report.indication().as_str(), "TOTAL-PASSED", "RFC 4998 4.3 {function}");
    }
    let alone = renew(&validator, &Document::new(&file), &target, &Material::new(), now);
    assert_eq!(alone.map(|_| ()).map_err(|error| error.code()), Err(SigningErrorCode::ContentNeeded));
}

#[test]
fn document_time_stamps_alone() {
    let world = Decades::from(start());
    let person = world.person(1, start(), 700);
    let signed = start().plus_millis(DAY);
    let original = Pdf::usual().bytes;
    let stranger = Decades::seeded(start(), 100);
    let late = person.certificate.not_after().plus_millis(YEAR);
    for (situation, file, at) in [
        ("unsigned", original.clone(), signed),
        ("signed", world.pdf(&person, &Document::new(&original), signed), signed),
        ("of a signer whose certificate expired", world.pdf(&person, &Document::new(&original), signed), late),
        (
            "of a signer whom nobody trusts",
            stranger.pdf(&stranger.person(3, start(), 700), &Document::new(&original), signed),
            signed,
        ),
    ] {
        let (mut file, mut now, validator) = (file, at, world.validator());
        for step in 1..=5 {
            let document = Document::new(&file);
            let stamped = world.answered(&mut Material::new(), &mut now, |material, now| {
                timestamp(&validator, &document, &Target::new(Level::T), material, now)
            });
            let stamped = stamped.unwrap_or_else(|error| panic!("EN 319 142-1 5.4.3 {situation}: {error}"));
            let next = stamped.output.to_vec(&file);
            assert!(next.starts_with(&file), "{situation}: no byte is changed");
            file = next;
            let report = validator.validate(&Document::new(&file), now).expect("it is read");
            assert_eq!(report.timestamps().count(), step, "EN 319 142-1 5.4.3 {situation}");
            let passed = report.timestamps().filter(|stamp| stamp.indication().as_str() == "PASSED").count();
            // The newest lacks revocation data of its authority until it is renewed.
            assert!(passed + 1 >= step, "EN 319 142-1 5.4.3 {situation} {passed} of {step}: {}", report.to_text());
            now = now.plus_millis(5 * YEAR);
        }
    }
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

#[test]
fn the_example_runs() {
    life::main().expect("every step is judged as it should be");
}

/// The fields of the `SignedData` in a file in DER.
fn fields(cms: &[u8]) -> Vec<Vec<u8>> {
    children(&children(&children(cms)[1])[0])
}

/// A file with these fields of a `SignedData`.
fn with_fields(fields: &[Vec<u8>]) -> Vec<u8> {
    sequence(&[&oid(SIGNED_DATA), &tlv(0xa0, &[&sequence(&[&fields.concat()])])])
}

/// A file in DER whose first signer has another unsigned attribute.
fn with_attribute(cms: &[u8], attribute: &[u8]) -> Vec<u8> {
    let mut fields = fields(cms);
    let mut signers = children(&fields[fields.len() - 1]);
    let mut parts = children(&signers[0]);
    let unsigned = parts.pop().expect("it has unsigned attributes");
    parts.push(tlv(0xa1, &[&children(&unsigned).concat(), attribute]));
    signers[0] = sequence(&[&parts.concat()]);
    let place = fields.len() - 1;
    fields[place] = tlv(0x31, &[&signers.concat()]);
    with_fields(&fields)
}

#[test]
fn older_archive_time_stamps_are_renewed() {
    let world = Decades::from(start());
    let person = world.person(1, start(), 700);
    let signed = start().plus_millis(DAY);
    let mut life = Life::of(&world, world.enveloping(&person, TEXT, signed), signed);
    life.extend(&Target::new(Level::Lt), "to LT");
    // TS 101 733 §6.4.1: content, certificates, CRLs, the signer's fields, its unsigned attributes.
    let before = fields(&life.file);
    let signer = children(&children(&before[5])[0]);
    let covered = [&before[2..5].concat()[..], &signer.concat()].concat();
    let imprint = digest(DigestAlgorithm::Sha256, &covered).expect("SHA-256");
    life.now = life.now.plus_millis(DAY);
    let token = world.token(DigestAlgorithm::Sha256, &imprint, life.now);
    life.file = with_attribute(&life.file, &attribute("1.2.840.113549.1.9.16.2.48", &token));
    let judged = world.validator().validate(&life.document(), life.now).expect("it is read");
    assert_eq!(levels(&judged), ["CAdES-BASELINE-LT"], "EN 319 122-1 6.3: the older form makes no baseline LTA");
    let intact = judged.timestamps().filter(|stamp| stamp.facts().digest_matchers.iter().all(|m| m.data_intact));
    assert_eq!(intact.count(), 2, "TS 101 733 6.4.1");
    life.now = life.now.plus_millis(12 * YEAR);
    let report = life.extend(&Target::new(Level::Lta), "v3 over v2");
    let after = fields(&life.file);
    assert_eq!(after[2..5], before[2..5], "EN 319 122-1 5.5.2: the sets of the file stay as they are");
    assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{}", report.to_text());
    assert!(matches!(levels(&report)[0], "CAdES-BASELINE-LTA"), "{:?}", levels(&report));
    let kinds: Vec<_> =
        report.timestamps().filter_map(|stamp| stamp.facts().archive_type).map(|k| k.as_str()).collect();
    assert_eq!(kinds, ["CAdES_V2", "CAdES_V3"]);
    life.now = life.now.plus_millis(11 * YEAR);
    let report = life.extend(&Target::new(Level::Lta), "v3 over v3 over v2");
    assert_eq!(fields(&life.file)[2..5], before[2..5], "EN 319 122-1 5.5.2: the sets of the file stay as they are");
    assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{}", report.to_text());
}

#[test]
fn nothing_is_added_under_an_evidence_record() {
    let world = Decades::from(start());
    let person = world.person(1, start(), 700);
    let signed = start().plus_millis(DAY);
    let mut life = Life::of(&world, world.enveloping(&person, TEXT, signed), signed);
    life.extend(&Target::new(Level::Lt), "to LT");
    let (validator, target) = (world.validator(), Target::new(Level::Lta));
    let token =
        world.token(DigestAlgorithm::Sha256, &digest(DigestAlgorithm::Sha256, &life.file).expect("SHA-256"), life.now);
    let beside = Document::new(&token).with_content("letter.p7m", &life.file);
    let mut now = life.now.plus_millis(SECOND);
    let record = world
        .answered(&mut Material::new(), &mut now, |material, now| renew(&validator, &beside, &target, material, now));
    let record = record.expect("RFC 4998: a record over the file").output.to_vec(&token);
    life.file = with_attribute(&life.file, &attribute("1.2.840.113549.1.9.16.2.49", &record));
    life.now = now;
    let facts = validator.facts(&life.document(), now).expect("it is read");
    assert!(facts.evidence_records.iter().all(|record| record.embedded) && !facts.evidence_records.is_empty());
    for (level, expected) in
        [(Level::Lt, SigningErrorCode::AlreadyAtLevel), (Level::Lta, SigningErrorCode::EvidenceRecordInside)]
    {
        let found = life.first(&Target::new(level)).map(|_| ());
        assert_eq!(found, Err(expected), "RFC 4998 appendix A {level}");
    }
}

/// An element of indefinite length.
fn indefinite(element: &[u8], content: &[u8]) -> Vec<u8> {
    [&[element[0], 0x80], content, &[0, 0]].concat()
}

#[test]
fn files_in_ber_keep_their_form() {
    let world = Decades::from(start());
    let person = world.person(1, start(), 700);
    let signed = start().plus_millis(DAY);
    let der = world.enveloping(&person, TEXT, signed);
    let mut parts = fields(&der);
    // The content in two pieces; the sets and everything around them of indefinite length.
    let kind = children(&parts[2]).remove(0);
    let pieces = [tlv(4, &[&TEXT[..5]]), tlv(4, &[&TEXT[5..]])].concat();
    let content = indefinite(&[0xa0], &indefinite(&[0x24], &pieces));
    parts[2] = indefinite(&[0x30], &[kind, content].concat());
    for place in [1, 3, 4] {
        let inner = children(&parts[place]).concat();
        parts[place] = indefinite(&parts[place].clone(), &inner);
    }
    let explicit = indefinite(&[0xa0], &indefinite(&[0x30], &parts.concat()));
    let ber = indefinite(&[0x30], &[oid(SIGNED_DATA), explicit].concat());
    let mut life = Life::of(&world, ber.clone(), signed);
    for level in [Level::T, Level::Lt, Level::Lta, Level::Lta] {
        life.now = life.now.plus_millis(DAY);
        let report = life.extend(&Target::new(level), "BER");
        assert_eq!(levels(&report), [format!("CAdES-BASELINE-{level}")], "RFC 5652 5.1");
        assert!(level == Level::T || report.indication().as_str() == "TOTAL-PASSED", "{}", report.to_text());
        assert_eq!(life.file[..2], ber[..2], "X.690 8.1.3.6");
        let at = ber.windows(parts[2].len()).position(|window| window == &parts[2][..]);
        assert!(at.is_some() && life.file.windows(parts[2].len()).any(|window| window == &parts[2][..]), "the content");
    }
}

#[test]
fn encrypted_documents_are_extended() {
    let world = Decades::from(start());
    let person = world.person(1, start(), 700);
    let signed = start().plus_millis(DAY);
    for name in ["rc4-40", "rc4-128", "aes-128", "aes-256-r6"] {
        let path = format!("{}/tests/data/encrypted/{name}.pdf", env!("CARGO_MANIFEST_DIR"));
        let original = std::fs::read(path).expect("it is there");
        let mut file = world.pdf(&person, &Document::new(&original).with_password(b"owner"), signed);
        let mut now = signed;
        for level in [Level::Lta, Level::Lta] {
            let document = Document::new(&file).with_password(b"owner");
            let extended = world.extend(&document, &Target::new(level), &mut now);
            let extended = extended.unwrap_or_else(|error| panic!("ISO 32000-2 7.6 {name}: {} {error}", error.code()));
            file = extended.output.to_vec(&file);
            let document = Document::new(&file).with_password(b"user");
            let report = world.validator().validate(&document, now).expect("it is read");
            assert_eq!(levels(&report), ["PAdES-BASELINE-LTA"], "ISO 32000-2 7.6 {name}");
            assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{name}: {}", report.to_text());
            now = now.plus_millis(DAY);
        }
    }
}
