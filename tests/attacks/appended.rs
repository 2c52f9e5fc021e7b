//! What is appended to a PDF where its signed part points already (ISO 32000-2 §7.5).

use super::Expect::{FindingNotWhole, NotPassed, Passed};
use super::revisions::{PAGE, cover, sign};
use super::{Given, Row, check, pdf};
use lacre::Document;
use lacre_core::{algorithm::DigestAlgorithm, crypto::digest, facts::SignatureLevel};
use lacre_testkit::cms::{Signer, Token};
use lacre_testkit::lab::{AT, Lab};
use lacre_testkit::pdf::*;
use lacre_testkit::pki::{Crl, Entity, Key, Spec};

fn last_start(bytes: &[u8]) -> usize {
    let at = rfind(bytes, b"startxref\n").expect("startxref") + 10;
    let digits: String = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).map(|b| char::from(*b)).collect();
    digits.parse().expect("a number")
}

/// The signed cross-references name an object stream behind the end, which is appended there or not.
fn stream_behind(lab: &Lab, p: Option<u8>, append: bool) -> Given {
    let place = 60_000usize;
    let page = |contents: u32, annots: &str| {
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {contents} 0 R /Resources << /Font << /F 5 0 R >> >> {annots} >>"
        )
    };
    let (one, other) = (page(4, ""), page(11, "/Annots 30 0 R"));
    let mut all = objects(&[
        (1, "<< /Type /Catalog /Pages 2 0 R >>"),
        (2, "<< /Type /Pages /Kids [3 0 R 10 0 R] /Count 2 >>"),
        (3, &one),
        (10, &other),
        (5, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"),
        (12, "<< /Type /Annot /Subtype /Stamp /Rect [0 0 595 842] /F 4 /AP << /N 21 0 R >> >>"),
    ]);
    all.insert(4, stream("", &line("The parties agree.")));
    all.insert(11, stream("", &line("Price 1000 euros.")));
    all.insert(21, cover(EVIL));
    let mut document = Pdf::of(all, Form::Stream);
    // Cross-references that name an object stream behind the end.
    let at = document.bytes.len();
    let row = |kind: u8, middle: u32, last: u8| [&[kind][..], &middle.to_be_bytes(), &[last]].concat();
    let rows = [row(1, place as u32, 0), row(2, 29, 0), row(1, at as u32, 0)].concat();
    let previous = document.previous.expect("there is one");
    document.bytes.extend(format!("31 0 obj\n<< /Type /XRef /Size 32 /W [1 4 1] /Index [29 3] /Root 1 0 R /Prev {previous} /Length {} >>\nstream\n", rows.len()).bytes());
    document.bytes.extend(rows);
    document.bytes.extend(format!("\nendstream\nendobj\nstartxref\n{at}\n%%EOF\n").bytes());
    document.previous = Some(at);
    document.size = 32;
    sign(&mut document, lab, p);
    let mut bytes = document.bytes.clone();
    if append {
        assert!(bytes.len() < place, "{}", bytes.len());
        bytes.resize(place, b'\n');
        let held = "30 0 [12 0 R]";
        bytes.extend(
            format!(
                "29 0 obj\n<< /Type /ObjStm /N 1 /First 5 /Length {} >>\nstream\n{held}\nendstream\nendobj\n",
                held.len()
            )
            .bytes(),
        );
        let at = bytes.len();
        let size = document.size;
        let rows = [row(1, place as u32, 0), row(1, at as u32, 0)].concat();
        bytes.extend(format!("{size} 0 obj\n<< /Type /XRef /Size {} /W [1 4 1] /Index [29 1 {size} 1] /Root 1 0 R /Prev {} /Length {} >>\nstream\n", size + 1, last_start(&bytes), rows.len()).bytes());
        bytes.extend(rows);
        bytes.extend(format!("\nendstream\nendobj\nstartxref\n{at}\n%%EOF\n").bytes());
    }
    pdf(bytes)
}

/// The length of the page's content ends behind the end, or in what is appended.
fn long_stream(lab: &Lab, p: Option<u8>, append: bool) -> Given {
    let length = 60_000usize;
    let mut content = stream("", &line("The parties agree."));
    content.value.set("Length", &length.to_string());
    let mut document = Pdf::page("", [(4, content)].into_iter().collect());
    let start = find(&document.bytes, b"stream\n", document.places[&4]).expect("the stream") + 7;
    sign(&mut document, lab, p);
    if append {
        let shown = [b" q 1 1 1 rg 0 0 595 842 re f 0 g ".to_vec(), line(EVIL)].concat();
        let number = document.free();
        // Twice: first to find where its bytes begin.
        let padded = |count: usize| stream("", &[vec![b' '; count], shown.clone()].concat());
        let mut dry = document.clone();
        dry.update([(number, padded(30_000))].into_iter().collect());
        let begin = find(&dry.bytes, b"stream\n", dry.places[&number]).expect("the stream") + 7;
        let count = start + length - begin - shown.len();
        assert!((10_000..99_000).contains(&(count + shown.len())), "{count}");
        document.update([(number, padded(count))].into_iter().collect());
    }
    pdf(document.bytes)
}

/// A file with bytes before its header, from which its offsets count. An update with another content, before which so many
/// bytes the old one stands again or not.
fn behind(junk: &[u8], lab: &Lab, decoy: Option<bool>) -> Given {
    let mut signed = Pdf::usual();
    let hole = "0".repeat(16_384);
    let placeholder = "[0 0000000000 0000000000 0000000000]";
    let mut changes = objects(&[
        (1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R] /SigFlags 3 >> >>"),
        (3, PAGE),
        (6, "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature) /V 7 0 R /P 3 0 R /Rect [0 0 0 0] /F 132 >>"),
        (
            7,
            &format!(
                "<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /ByteRange {placeholder} /M (D:20261121120000Z) /Contents <{hole}> >>"
            ),
        ),
    ]);
    signed.update(std::mem::take(&mut changes));
    let mut bytes = [junk, &signed.bytes].concat();
    let start = rfind(&bytes, format!("<{hole}>").as_bytes()).expect("the hole");
    let end = start + hole.len() + 2;
    let range = format!("[0 {start:010} {end:010} {:010}]", bytes.len() - end);
    let at = rfind(&bytes, placeholder.as_bytes()).expect("the range");
    bytes[at..at + range.len()].copy_from_slice(range.as_bytes());
    let cms = lab.pades(&lab.alice, &[&bytes[..start], &bytes[end..]].concat());
    let digits: String = cms.iter().map(|byte| format!("{byte:02x}")).collect();
    bytes[start + 1..start + 1 + digits.len()].copy_from_slice(digits.as_bytes());
    let Some(decoy) = decoy else { return pdf(bytes) };
    // The update: a stream that nobody refers to with the old object in it; then the new object.
    let old = String::from_utf8(line("The parties agree.")).expect("text");
    let new = String::from_utf8(line(EVIL)).expect("text");
    let old = format!("4 0 obj\n<< /Length {} >>\nstream\n{old}\nendstream\nendobj\n", old.len());
    let holder = |pad: usize| {
        let body = format!("{old}{}", " ".repeat(pad));
        format!("40 0 obj\n<< /Length {} >>\nstream\n{body}\nendstream\nendobj\n", body.len())
    };
    let begin = bytes.len();
    let mut pad = 0;
    let behind_decoy = |text: &str| text.len() - text.find("stream\n4 0 obj").expect("it") - 7;
    while decoy && behind_decoy(&holder(pad)) != junk.len() {
        pad += 1;
    }
    bytes.extend(holder(pad).bytes());
    let place = bytes.len();
    bytes.extend(format!("4 0 obj\n<< /Length {} >>\nstream\n{new}\nendstream\nendobj\n", new.len()).bytes());
    let start = bytes.len() - junk.len();
    let (begin, place) = (begin - junk.len(), place - junk.len());
    let previous = last_start(&bytes);
    bytes.extend(format!("xref\n4 1\n{place:010} 00000 n \n40 1\n{begin:010} 00000 n \ntrailer\n<< /Size 41 /Root 1 0 R /Prev {previous} >>\nstartxref\n{start}\n%%EOF\n").bytes());
    pdf(bytes)
}

/// Two rows of the content in the signed cross-references; one of them is repeated in an update.
fn rows_twice(lab: &Lab, append: bool) -> Given {
    let usual = Pdf::usual();
    let changes: Objects = [(4, stream("", &line(EVIL)))].into_iter().collect();
    let bytes = usual.carried(&changes, "", Carrier::RowsTwiceOldFirst);
    let other = rfind(&bytes, b"4 0 obj").expect("the other");
    let mut document = Pdf { previous: Some(last_start(&bytes)), bytes, ..usual };
    sign(&mut document, lab, None);
    if append {
        let start = document.bytes.len();
        let previous = last_start(&document.bytes);
        document.bytes.extend(format!("xref\n4 1\n{other:010} 00000 n \ntrailer\n<< /Size {} /Root 1 0 R /Prev {previous} >>\nstartxref\n{start}\n%%EOF\n", document.size).bytes());
    }
    pdf(document.bytes)
}

const TWICE: &str = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Contents 20 0 R /Resources << /Font << /F 5 0 R >> >> >>";

/// A page with two keys of its content, then changed.
fn keys_twice(lab: &Lab, then: &[(u32, &str)], more: &[(u32, Object)]) -> Given {
    let mut all = objects(&[(3, TWICE)]);
    all.insert(20, stream("", &line("The parties agree.")));
    let mut document = Pdf::page("The parties agree.", all);
    sign(&mut document, lab, None);
    let mut changes = objects(then);
    changes.extend(more.iter().cloned());
    if !changes.is_empty() {
        document.update(changes);
    }
    pdf(document.bytes)
}

/// The signed cross-references are wrong about the font, so that readers search; an object is appended within another.
fn searched(lab: &Lab, hide: Option<fn(&str) -> Object>) -> Given {
    let mut document = Pdf::usual();
    // The cross-references are wrong about the font.
    let row = format!("{:010} 00000 n", document.places[&5]);
    let at = rfind(&document.bytes, row.as_bytes()).expect("the row");
    let other = format!("{:010} 00000 n", document.places[&4] + 9);
    document.bytes[at..at + row.len()].copy_from_slice(other.as_bytes());
    sign(&mut document, lab, None);
    if let Some(hide) = hide {
        let shown = String::from_utf8(line(EVIL)).expect("text");
        let number = document.free();
        let object = format!("4 0 obj\n<< /Length {} >>\nstream\n{shown}\nendstream\nendobj\n", shown.len());
        document.update([(number, hide(&object))].into_iter().collect());
    }
    pdf(document.bytes)
}

const F12: &[Row] = &[
    ("ISO 32000-2 7.5.7", "an object stream behind the signed end", Passed, |lab| stream_behind(lab, None, false)),
    ("ISO 32000-2 7.5.7", "it is appended", FindingNotWhole, |lab| stream_behind(lab, None, true)),
    ("ISO 32000-2 7.5.7", "it is appended, P = 1", NotPassed, |lab| stream_behind(lab, Some(1), true)),
    ("ISO 32000-2 7.3.8.2", "a stream longer than the file", Passed, |lab| long_stream(lab, None, false)),
    ("ISO 32000-2 7.3.8.2", "its end is appended", NotPassed, |lab| long_stream(lab, None, true)),
    ("ISO 32000-2 7.3.8.2", "its end is appended, P = 1", NotPassed, |lab| long_stream(lab, Some(1), true)),
    ("ISO 32000-2 7.5.2", "700 bytes before the header", Passed, |lab| behind(&[b'\n'; 700], lab, None)),
    ("ISO 32000-2 7.5.2", "they are followed by another content", NotPassed, |lab| {
        behind(&[b'\n'; 700], lab, Some(false))
    }),
    ("ISO 32000-2 7.5.2", "the old content stands 700 bytes before it", NotPassed, |lab| {
        behind(&[b'\n'; 700], lab, Some(true))
    }),
    ("ISO 32000-2 7.5.4", "two rows of an object", Passed, |lab| rows_twice(lab, false)),
    ("ISO 32000-2 7.5.4", "one of them is repeated", NotPassed, |lab| rows_twice(lab, true)),
    ("ISO 32000-2 7.3.7", "two keys", Passed, |lab| keys_twice(lab, &[], &[])),
    ("ISO 32000-2 7.3.7", "one of them is written again", NotPassed, |lab| {
        keys_twice(lab, &[(3, &TWICE.replacen("/Contents 4 0 R ", "", 1))], &[])
    }),
    ("ISO 32000-2 7.3.7", "what the first key names is another", NotPassed, |lab| {
        keys_twice(lab, &[], &[(4, stream("", &line(EVIL)))])
    }),
    ("ISO 32000-2 7.5.6", "readers search for objects", Passed, |lab| searched(lab, None)),
    ("ISO 32000-2 7.5.6", "an object within a stream", NotPassed, |lab| {
        searched(lab, Some(|hidden| stream("", format!("x\nendstream\nendobj\n{hidden}").as_bytes())))
    }),
    ("ISO 32000-2 7.5.6", "an object within a string", NotPassed, |lab| {
        searched(lab, Some(|hidden| object(&format!("<< /A (\nendobj\n{} ) >>", hidden.replace(['(', ')'], "")))))
    }),
    ("ISO 32000-2 7.5.6", "a trailer within a stream", NotPassed, |lab| {
        searched(lab, Some(|_| stream("", b"x\nendstream\nendobj\ntrailer << /Root 50 0 R >>")))
    }),
];

#[test]
fn f12_what_the_signed_part_points_to() {
    check(F12);
}

fn contents(document: &Pdf, index: usize) -> Vec<u8> {
    let (start, end) = document.holes[index];
    let digits = &document.bytes[start + 1..end - 1];
    digits
        .chunks(2)
        .map(|two| u8::from_str_radix(std::str::from_utf8(two).expect("digits"), 16).expect("hex"))
        .collect()
}

/// Where a time-stamp stands that was made with a stolen key.
#[derive(PartialEq)]
enum Stolen {
    Nowhere,
    /// In the VRI dictionary of a store behind the document time-stamp.
    Stored,
    /// In the CMS, which the document time-stamp covers.
    Covered,
}

/// The signer was revoked on the 10th; the document time-stamp is of the 20th; the certificate of another authority was
/// revoked on the 22nd, its key stolen. A time-stamp made with it says the 5th.
fn with_stolen_key(lab: &Lab, place: Stolen) -> Given {
    let thief = Spec::timestamp_unit("Stolen TSA", 1077).issued_by(&lab.root, Key::of("stolen"));
    let crl =
        Crl { revoked: vec![(1001, "20261110000000Z", Some(1)), (1077, "20261122000000Z", Some(1))], ..Crl::default() }
            .of(&lab.root);
    let mut document = Pdf::usual();
    document.sign_with(&Field::default(), Objects::new(), |bytes| {
        let mut signer = Signer::of(&lab.alice, bytes);
        signer.timestamp = (place == Stolen::Covered).then_some((&thief, "20261105120000Z"));
        let mut data = lab.signed_data(None, bytes, &[signer]);
        data.crls = vec![];
        data.bytes()
    });
    let cms = contents(&document, 0);
    // The signature value is the first OCTET STRING that holds a SEQUENCE of ECDSA's length.
    let is_value = |at: &usize| matches!(cms[*at..], [4, long @ 68..=72, 0x30, short, ..] if short + 2 == long);
    let at = (0..cms.len()).find(is_value).expect("a value");
    let value = &cms[at + 2..at + 2 + usize::from(cms[at + 1])];
    let field = Field { kind: "DocTimeStamp", filter: "ETSI.RFC3161", name: "TimeStamp", ..SECOND };
    document.sign_with(&field, Objects::new(), |bytes| Token::over(bytes, "20261120120000Z").by(&lab.tsa));
    let mut changes = document.proofs(&[&lab.root.certificate, &lab.alice.certificate, &thief.certificate], &[&crl]);
    if place == Stolen::Stored {
        let next = changes.keys().max().expect("some") + 1;
        changes.insert(next, stream("", &Token::over(value, "20261105120000Z").by(&thief)));
        let key: String =
            digest(DigestAlgorithm::Sha1, &cms).expect("a digest").iter().map(|byte| format!("{byte:02X}")).collect();
        let store =
            changes.iter().find(|(_, object)| object.value.get("Certs").is_some()).map(|(n, _)| *n).expect("it");
        changes.get_mut(&store).expect("it").value.set("VRI", &format!("<< /{key} << /TS {next} 0 R >> >>"));
    }
    document.update(changes);
    pdf(document.bytes)
}

const F13: &[Row] = &[
    ("EN 319 142-1 5.4.3", "the signer was revoked before", NotPassed, |lab| with_stolen_key(lab, Stolen::Nowhere)),
    ("EN 319 142-1 5.4.3", "a time-stamp stored behind", NotPassed, |lab| with_stolen_key(lab, Stolen::Stored)),
    ("EN 319 142-1 5.4.3", "a time-stamp that is covered", Passed, |lab| with_stolen_key(lab, Stolen::Covered)),
];

#[test]
fn f13_what_a_document_timestamp_covers() {
    check(F13);
}

/// EN 319 142-1 §6.3: the CMS has the certificate of its signer, whatever the store has. EN 319 142-2 §5.5: LTV has a store.
#[test]
fn where_a_level_looks_for_what_it_asks_for() {
    let lab = Lab::new();
    let level = |other: bool, removed: bool| {
        let mut document = Pdf::usual();
        let field = Field { room: 12_000, ..Field::default() };
        document.sign_with(&field, Objects::new(), |bytes| {
            let mut signer = Signer::of(&lab.alice, bytes);
            signer.timestamp = Some((&lab.tsa, "20261121120000Z"));
            let mut data = lab.signed_data(None, bytes, &[signer]);
            if other {
                data.certificates = vec![lab.root.certificate.clone()];
            }
            data.bytes()
        });
        let all = [&lab.root.certificate[..], &lab.alice.certificate, &lab.tsa.certificate];
        document.update(document.proofs(&all, &[&lab.crl]));
        let field = Field { kind: "DocTimeStamp", filter: "ETSI.RFC3161", name: "TimeStamp", ..SECOND };
        document.sign_with(&field, Objects::new(), |bytes| Token::over(bytes, "20261122120000Z").by(&lab.tsa));
        if removed {
            document.update([(1, document.with(1, "DSS", "null"))].into_iter().collect());
        }
        let report = lab.validator().validate(&Document::new(&document.bytes), AT.parse().expect("a time"));
        report.expect("it is signed").facts().signatures.first()?.level
    };
    assert_eq!(level(false, false), Some(SignatureLevel::PadesBaselineLta));
    assert_eq!(level(true, false), Some(SignatureLevel::PadesLtv), "the certificate is in the store only");
    assert_eq!(level(true, true), Some(SignatureLevel::PadesBes), "the store was taken out");
}

/// The level of a signature with a document time-stamp over a store with that certificate or all, to which others are added.
fn level(lab: &Lab, certificate: Option<&[u8]>) -> Option<SignatureLevel> {
    let mut document = Pdf::usual();
    document.sign_with(&Field { room: 12_000, ..Field::default() }, Objects::new(), |bytes| {
        let mut signer = Signer::of(&lab.alice, bytes);
        signer.timestamp = Some((&lab.tsa, "20261121120000Z"));
        lab.signed_data(None, bytes, &[signer]).bytes()
    });
    let proofs = |document: &Pdf| {
        document.proofs(&[&lab.root.certificate, &lab.alice.certificate, &lab.tsa.certificate], &[&lab.crl])
    };
    let store = match certificate {
        Some(b"another") => {
            let other = Entity::root("Nobody", Key::of("nobody"));
            document.proofs(&[&other.certificate], &[])
        }
        Some(b"") => [(1, document.with(1, "DSS", "<< /Type /DSS /Certs [] >>"))].into_iter().collect(),
        Some(junk) => document.proofs(&[junk], &[junk]),
        None => proofs(&document),
    };
    document.update(store);
    let field = Field { kind: "DocTimeStamp", filter: "ETSI.RFC3161", name: "TimeStamp", ..SECOND };
    document.sign_with(&field, Objects::new(), |bytes| Token::over(bytes, "20261122120000Z").by(&lab.tsa));
    let proofs = proofs(&document);
    document.update(proofs);
    let report = lab.validator().validate(&Document::new(&document.bytes), AT.parse().expect("a time"));
    report.expect("it is signed").facts().signatures.first()?.level
}

#[test]
fn what_a_store_under_a_timestamp_holds() {
    let lab = Lab::new();
    assert_eq!(level(&lab, None), Some(SignatureLevel::PadesBaselineLta), "EN 319 142-1 6.3: validation data");
    for (situation, certificate) in
        [("nothing", &b""[..]), ("what is no certificate and no CRL", b"junk"), ("what is about others", b"another")]
    {
        let found = level(&lab, Some(certificate));
        assert_eq!(found, Some(SignatureLevel::PadesBaselineLt), "EN 319 142-1 6.3: {situation}");
    }
}
