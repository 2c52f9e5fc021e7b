//! The document security store of a PDF, when it grows.

use crate::steps::*;
use lacre::Document;
use lacre::augmentation::{Level, Material, Target, timestamp};
use lacre_testkit::decades::Decades;
use lacre_testkit::pdf::Pdf;

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
