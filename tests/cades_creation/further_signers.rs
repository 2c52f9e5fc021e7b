//! Second signers and counter-signatures keep what was there.

use crate::desk::*;
use lacre::Document;
use lacre::report::SignatureLevel;
use lacre::signing::SigningKey as _;
use lacre::signing::cades::{self, Content, Options};
use lacre::signing::{
    DigestAlgorithm, KeyAlgorithm, KeyKind, SignatureAlgorithm, SignatureParameters, SigningErrorCode, digest,
};
use lacre_core::formats::cms::SignedData;
use lacre_testkit::authorities::{key, randomness, time};
use lacre_testkit::der;
use lacre_testkit::files::{corpus, manifest};

#[test]
fn a_second_signer_keeps_the_bytes_of_the_first() {
    let desk = Desk::new();
    let enveloping = desk.signed(&Content::Enveloped(LETTER), LETTER);
    let detached = desk.signed(&Content::Detached(LETTER), LETTER);
    let ber = to_ber(&enveloping);
    assert_eq!(ber[..2], [0x30, 0x80]);
    let other = Desk::new();
    let folder = Folder::new("parallel", &desk.pki.root);
    let by_digest = digest(SHA256, LETTER).expect("it is computed");
    for (situation, file, beside) in [
        ("enveloping", &enveloping, None),
        ("enveloping, in BER", &ber, None),
        ("detached", &detached, Some(false)),
        ("detached, by digest", &detached, Some(true)),
    ] {
        let document = Document::new(file);
        let with_content = document.clone().with_content("letter", LETTER);
        let content = match beside {
            None => Content::Parallel(&document),
            Some(false) => Content::Parallel(&with_content),
            Some(true) => Content::ParallelDigest(&document, &by_digest),
        };
        // Another person under the same authority.
        let second = key(KeyKind::P384);
        let algorithm = SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, Some(DigestAlgorithm::Sha384));
        let who = signer(&desk.pki, &second, algorithm);
        let by_digest = digest(DigestAlgorithm::Sha384, LETTER).expect("it is computed");
        let content = match content {
            Content::ParallelDigest(document, _) => Content::ParallelDigest(document, &by_digest),
            content => content,
        };
        let prepared = cades::prepare(&content, &parameters(), &Options::default(), &who).expect("nothing forbids it");
        let output = prepared.sign(&document, &second, &mut randomness()).expect("the key signs");
        let both = output.to_vec(file);

        let (before, after) = (SignedData::parse(file).expect("CMS"), SignedData::parse(&both).expect("CMS"));
        assert_eq!(after.signers.len(), 2, "{situation}");
        assert_eq!(after.signers[0].raw.raw, before.signers[0].raw.raw, "RFC 5652 5.1: {situation}");
        assert_eq!(after.content_info.raw, before.content_info.raw, "RFC 5652 5.1: {situation}");
        let held: Vec<_> = after.x509_certificates().collect();
        assert!(before.x509_certificates().all(|certificate| held.contains(&certificate)), "{situation}");
        assert_eq!(held.len(), before.x509_certificates().count() + 1, "{situation}: the authority's is there");
        let named = [SHA256, DigestAlgorithm::Sha384];
        assert_eq!(after.digest_algorithms, named, "RFC 5652 5.1: {situation}");

        let document = Document::new(&both);
        let report = desk.judged(&if beside.is_some() { document.with_content("letter", LETTER) } else { document });
        assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{situation}: {}", report.to_text());
        assert_eq!(levels(&report), [Some(SignatureLevel::CadesBaselineB); 2], "{situation}");
        assert_eq!(worries(&report), [] as [&str; 0], "{situation}");
        folder.verify(situation, &both, beside.is_some());

        let changed = [file, &[0][..]].concat();
        let value = second.sign(&algorithm, &prepared.digest(), &mut randomness()).expect("the key signs");
        let found = prepared.finish(&Document::new(&changed), &value);
        assert_eq!(refused(found), SigningErrorCode::ContentDiffers, "{situation}: another file");
    }
    drop(other);
}

#[test]
fn what_cannot_take_a_signature_is_refused() {
    use SigningErrorCode::*;
    let desk = Desk::new();
    let enveloping = desk.signed(&Content::Enveloped(LETTER), LETTER);
    let detached = desk.signed(&Content::Detached(LETTER), LETTER);
    let token = der::children(&desk.token(&[1; 32])).pop().expect("a token follows the status");
    let pem = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, &enveloping);
    let with = |oid: &str| {
        let attribute = der::sequence(&[&der::oid(oid), &der::set_of(&[der::sequence(&[])])]);
        let mut edits = vec![];
        let read = SignedData::parse(&enveloping).expect("CMS");
        let info = read.signers[0].raw.raw;
        edits.push(der::sequence(&[&der::children(info).concat(), &der::tlv(0xa1, &[&attribute])]));
        let explicit = der::children(&enveloping)[1].clone();
        let mut fields = der::children(&der::children(&explicit)[0]);
        fields.pop();
        let signed_data = der::sequence(&[&fields.concat(), &der::set_of(&edits)]);
        der::sequence(&[&der::oid("1.2.840.113549.1.7.2"), &der::tlv(0xa0, &[&signed_data])])
    };
    let (record, archive) = (with("1.2.840.113549.1.9.16.2.49"), with("1.2.840.113549.1.9.16.2.48"));
    let third = with("0.4.0.1733.2.4");
    let letter = |file| Document::new(file).with_content("letter", LETTER);
    // Its certificates are not there yet.
    let second = key(KeyKind::P256);
    let who = signer(&desk.pki, &second, ECDSA);
    for (clause, document, expected) in [
        ("RFC 5652 5.2: no content", Document::new(&detached), ContentNeeded),
        ("RFC 5652 5.2: a content too many", letter(&enveloping), PackagingDiffers),
        ("RFC 5652 5.2: two contents", letter(&detached).with_content("other", b"other"), PackagingDiffers),
        ("RFC 7468", Document::new(pem.as_bytes()), DocumentUnreadable),
        ("no signature", Document::new(LETTER), DocumentUnreadable),
        ("RFC 3161 2.4.2: a token", Document::new(&token), DocumentUnreadable),
        ("RFC 4998 appendix A", Document::new(&record), EvidenceRecordInside),
        ("TS 101 733 6.4.1", Document::new(&archive), CoveredByArchiveTimestamp),
    ] {
        let found = cades::prepare(&Content::Parallel(&document), &parameters(), &Options::default(), &who);
        assert_eq!(refused(found), expected, "{clause}");
    }
    for (clause, file) in
        [("5.5.3: version 3 covers no additions", &third), ("6.4.1: no certificate is added", &archive)]
    {
        let (document, who) = (Document::new(file), if file == &third { &who } else { &desk.signer });
        let later = SignatureParameters::new(time(LATER));
        let found = cades::prepare(&Content::Parallel(&document), &later, &Options::default(), who);
        assert!(found.is_ok(), "{clause}: {found:?}");
    }
}

#[test]
fn counter_signatures() {
    let desk = Desk::new();
    let first = desk.signed(&Content::Enveloped(LETTER), LETTER);
    for file in [first.clone(), to_ber(&first)] {
        let document = Document::new(&file);
        let id = desk.judged(&document).facts().signatures[0].id.clone();
        let second = key(KeyKind::P256);
        let who = signer(&desk.pki, &second, ECDSA);
        let parameters = stating(|all| all.claimed_roles = vec!["Notário".into()]);
        let content = Content::Signature(&document, &id);
        let prepared = cades::prepare(&content, &parameters, &Options::default(), &who).expect("nothing forbids it");
        let both = prepared.sign(&document, &second, &mut randomness()).expect("the key signs").to_vec(&file);
        let report = desk.judged(&Document::new(&both));
        assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "RFC 5652 11.4: {}", report.to_text());
        let counter: Vec<_> = report.signatures().filter(|signature| signature.parent().is_some()).collect();
        assert_eq!(counter.len(), 1, "RFC 5652 11.4");
        assert_eq!(counter[0].level(), Some(SignatureLevel::CadesBaselineB), "EN 319 122-1 6.3");
        assert_eq!(counter[0].facts().content_type, None, "RFC 5652 11.4: a counter-signature has no content-type");
        assert_eq!(counter[0].facts().mime_type, None, "EN 319 122-1 5.2.4.2");
        assert_eq!(worries(&report), [] as [&str; 0]);
        let (before, after) = (SignedData::parse(&file).expect("CMS"), SignedData::parse(&both).expect("CMS"));
        let (before, after) = (&before.signers[0], &after.signers[0]);
        assert_eq!(after.signed_attributes.map(|set| set.raw), before.signed_attributes.map(|set| set.raw));
        assert_eq!(after.signature.raw, before.signature.raw, "RFC 5652 11.4");

        let again = counter[0].id().clone();
        let both = Document::new(&both);
        let found = cades::prepare(&Content::Signature(&both, &again), &parameters, &Options::default(), &who);
        assert_eq!(refused(found), SigningErrorCode::SignatureNotFound, "one level deep");
        let options = about(|all| all.mime_type = Some("text/plain".into()));
        let found = cades::prepare(&content, &parameters, &options, &who);
        assert_eq!(refused(found), SigningErrorCode::ParameterNotInFormat, "EN 319 122-1 5.2.4.2");
    }
}

/// A content may be larger than the memory: it is read where it lies, and the file keeps pieces of it.
#[test]
fn contents_are_not_copied() {
    let desk = Desk::new();
    let large = vec![7; 32 << 20];
    let document = Document::new(&large);
    let enveloping = desk.signed(&Content::Enveloped(&large), &large);
    let file = Document::new(&enveloping);
    for (situation, content, document) in [
        ("enveloping", Content::Enveloped(&large), &document),
        ("detached", Content::Detached(&large), &document),
        ("a second signer", Content::Parallel(&file), &file),
    ] {
        let used = allocation_counter::measure(|| {
            let prepared = desk.prepared(&content);
            let output = prepared.sign(document, &desk.key, &mut randomness()).expect("the key signs");
            assert_eq!(output.len() > large.len(), situation != "detached", "{situation}");
        });
        assert!(used.bytes_max < 1 << 20, "{situation}: {} bytes", used.bytes_max);
    }
}

/// Whatever the bytes: refused, or added so that the first signer is what it was.
#[test]
fn damaged_files_are_refused_or_keep_their_signer() {
    let desk = Desk::new();
    let file = to_ber(&desk.signed(&Content::Enveloped(LETTER), LETTER));
    let id = desk.judged(&Document::new(&file)).facts().signatures[0].id.clone();
    let (mut refusals, mut added) = (0, 0);
    for at in 0..file.len() {
        for flip in [1, 0x80, 0xff] {
            let mut damaged = file.clone();
            damaged[at] ^= flip;
            let document = Document::new(&damaged);
            for content in [Content::Parallel(&document), Content::Signature(&document, &id)] {
                let prepared = cades::prepare(&content, &parameters(), &Options::default(), &desk.signer);
                let Ok(prepared) = prepared else {
                    refusals += 1;
                    continue;
                };
                // To verify each value takes long; every seventh place shows as much.
                if at % 7 != 0 {
                    continue;
                }
                let Ok(output) = prepared.sign(&document, &desk.key, &mut randomness()) else { continue };
                let both = output.to_vec(&damaged);
                let (before, after) =
                    (SignedData::parse(&damaged).expect("CMS"), SignedData::parse(&both).expect("CMS"));
                assert_eq!(after.content_info.raw, before.content_info.raw, "byte {at}");
                let signed = |data: &SignedData<'_>| {
                    let signer = &data.signers[0];
                    (signer.signed_attributes.map(|set| set.raw.to_vec()), signer.signature.raw.to_vec())
                };
                assert_eq!(signed(&after), signed(&before), "byte {at}");
                added += 1;
            }
        }
    }
    assert!(refusals > 100 && added > 100, "{refusals} refused, {added} added");
}

/// Each file of the corpus to which a signature can be added: what is said of the signatures in it stays what it was.
#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn signatures_of_the_corpus_stay_what_they_were() {
    let desk = Desk::new();
    let folder = corpus();
    let (mut added, mut refusals) = (0, std::collections::BTreeMap::<&str, usize>::new());
    for path in manifest() {
        let Ok(bytes) = std::fs::read(folder.join(&path)) else { continue };
        let document = Document::new(&bytes);
        if document.syntax() != Some(lacre::Syntax::Asn1) || SignedData::parse(&bytes).is_err() {
            continue;
        }
        let read = SignedData::parse(&bytes).expect("it was read");
        let by_digest = [0; 32];
        let content = match read.is_detached() {
            true => Content::ParallelDigest(&document, &by_digest),
            false => Content::Parallel(&document),
        };
        let prepared = match cades::prepare(&content, &parameters(), &Options::default(), &desk.signer) {
            Ok(prepared) => prepared,
            Err(error) => {
                *refusals.entry(error.code().as_str()).or_default() += 1;
                continue;
            }
        };
        let output = prepared.sign(&document, &desk.key, &mut randomness()).expect("the key signs");
        let both = output.to_vec(&bytes);
        let after = SignedData::parse(&both).expect("CMS");
        let signers =
            |data: &SignedData<'_>| data.signers.iter().map(|signer| signer.raw.raw.to_vec()).collect::<Vec<_>>();
        assert_eq!(signers(&after)[..read.signers.len()], signers(&read), "{path}");
        assert_eq!(after.content_info.raw, read.content_info.raw, "{path}");
        let said = |bytes: &[u8]| {
            let facts = desk.validator().without_cache().facts(&Document::new(bytes), time(NOW)).expect("it is read");
            let signatures = facts.signatures.iter().map(|one| (one.basic.clone(), one.digest_matchers.clone()));
            let stamps = facts.timestamps.iter().map(|one| (one.basic.clone(), one.digest_matchers.clone()));
            (signatures.collect::<Vec<_>>(), stamps.collect::<Vec<_>>())
        };
        let (before, with) = (said(&bytes), said(&both));
        assert_eq!(with.0[..before.0.len()], before.0[..], "{path}: signatures");
        assert_eq!(with.1, before.1, "{path}: time-stamps");
        added += 1;
    }
    println!("{added} files with a signature more; refused: {refusals:?}");
    assert!(added > 50, "{added} files, {refusals:?}");
}
