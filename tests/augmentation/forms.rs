//! What is extended, in which form, and what is not.

use crate::steps::*;
use lacre::Document;
use lacre::augmentation::{Level, Material, Obstacle, Target, renew, timestamp};
use lacre::signing::{DigestAlgorithm, SigningErrorCode, digest};
use lacre_testkit::cms::{SIGNED_DATA, attribute};
use lacre_testkit::decades::Decades;
use lacre_testkit::der::{children, oid, tlv};
use lacre_testkit::pdf::Pdf;

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
