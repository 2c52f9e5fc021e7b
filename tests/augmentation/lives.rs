//! Whole lives of documents, each step of which is judged.

use crate::life;
use crate::steps::*;
use lacre::augmentation::{Extension, Level, Material, Target, extend};
use lacre::report::SignatureLevel;
use lacre::signing::{DigestAlgorithm, SigningErrorCode};
use lacre::{Document, Report};
use lacre_testkit::decades::Decades;
use lacre_testkit::der::{children, tlv};
use lacre_testkit::pdf::{Form, Pdf};
use std::collections::BTreeSet;

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
fn the_example_runs() {
    life::main().expect("every step is judged as it should be");
}
