//! Evidence records (RFC 4998), and work that a file can lengthen.

use super::Expect::{self, NotPassed, Passed};
use base64::prelude::*;
use lacre::{Budget, Document, Time};
#[cfg(feature = "meter")]
use lacre_core::crypto::meter;
use lacre_core::{algorithm::DigestAlgorithm, crypto::digest};
use lacre_testkit::cms::{CONTENT_TYPE, STAMPED, SignedData, Signer, TST_INFO, Token, attribute};
use lacre_testkit::der::*;
use lacre_testkit::ers::{self, ERS, xml_record, xml_time_stamp};
use lacre_testkit::lab::Lab;
use lacre_testkit::lab::{AT, Answer};
use lacre_testkit::pki::{SHA256, sha256};

const SHA512: &str = "2.16.840.1.101.3.4.2.3";
const TEXT: &[u8] = b"archived document";
/// Attributes that hold evidence records.
const INTERNAL: &str = "1.2.840.113549.1.9.16.2.49";
const EXTERNAL: &str = "1.2.840.113549.1.9.16.2.50";

fn moment() -> Time {
    AT.parse().expect("a time")
}

/// `ArchiveTimeStamp`.
fn archived(token: &[u8], function: Option<&str>) -> Vec<u8> {
    let function = function.map_or(vec![], |function| tlv(0xa0, &[&oid(function)]));
    sequence(&[&function, token])
}

/// `EvidenceRecord` of one chain.
fn evidence(chain: &[Vec<u8>], functions: &[&str]) -> Vec<u8> {
    let functions: Vec<Vec<u8>> = functions.iter().map(|function| sequence(&[&oid(function)])).collect();
    let chain = sequence(&[&chain.concat()]);
    sequence(&[&integer(1), &sequence(&[&functions.concat()]), &sequence(&[&chain])])
}

fn token(lab: &Lab, over: &[u8], time: &str) -> Vec<u8> {
    Token::over(over, time).by(&lab.tsa)
}

fn answered(lab: &Lab, record: &[u8]) -> String {
    let document = Document::new(record).named("record.ers").with_content("archived.txt", TEXT);
    let validator = lab.validator().evidence(&lab.crl).expect("a revocation list");
    match validator.validate(&document, moment()) {
        Ok(report) => report.indication().to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn f17_evidence_records_in_order() {
    let lab = Lab::new();
    let first = token(&lab, TEXT, STAMPED);
    let rows: [(&str, &str, Expect, Vec<u8>); 5] = [
        ("RFC 4998 5.1", "one time-stamp", Passed, evidence(&[archived(&first, None)], &[SHA256])),
        (
            "RFC 4998 5.2",
            "a renewal",
            Passed,
            evidence(&[archived(&first, None), archived(&token(&lab, &first, "20261122120000Z"), None)], &[SHA256]),
        ),
        (
            "RFC 4998 5.2",
            "a renewal of before the first",
            NotPassed,
            evidence(&[archived(&first, None), archived(&token(&lab, &first, "20261120120000Z"), None)], &[SHA256]),
        ),
        ("RFC 4998 5.3", "two digest functions in one chain", NotPassed, {
            // The imprint of the renewal is of another function than the first.
            let hashed = digest(DigestAlgorithm::Sha512, &first).expect("SHA-512 is there");
            let second = sha512_token(&lab, &hashed, "20261122120000Z");
            evidence(&[archived(&first, None), archived(&second, Some(SHA512))], &[SHA256, SHA512])
        }),
        (
            "RFC 4998 5.3",
            "a renewal over something else",
            NotPassed,
            evidence(&[archived(&first, None), archived(&token(&lab, b"x", "20261122120000Z"), None)], &[SHA256]),
        ),
    ];
    let mut wrong = vec![];
    for (clause, situation, expect, record) in &rows {
        let said = answered(&lab, record);
        if (said == "TOTAL-PASSED") != matches!(expect, Passed) {
            wrong.push(format!("{clause}: {situation}: expected {expect:?}, found {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// RFC 4998 §5.3 step 4: the hash tree that renews a record has a leaf for each object that the record is over.
#[test]
fn what_a_renewal_leaves_out_is_not_covered() {
    let lab = Lab::new();
    let (one, two): (&[u8], &[u8]) = (b"one", b"two");
    let first = [lab.archive_timestamp(&[sha256(one), sha256(two)], STAMPED)];
    let leaf = |object: &[u8]| ers::renewed(object, &[&first]);
    for (situation, leaves, expected) in
        [("both", [leaf(one), leaf(two)], true), ("one and another", [leaf(one), leaf(b"x")], false)]
    {
        let second = [lab.archive_timestamp(&leaves, ers::RENEWED[0])];
        let record = ers::record(&[&first, &second]);
        let document = Document::new(&record).named("record.ers").with_content("1", one).with_content("2", two);
        let report = lab.validator().evidence(&lab.crl).expect("a list").validate(&document, moment()).expect("read");
        assert_eq!(report.indication().to_string() == "TOTAL-PASSED", expected, "{situation}");
    }
}

/// RFC 6283 §4.2.1: a renewal is over the canonical form of the time-stamp before it, however long that form is.
#[test]
fn a_renewal_in_xml_is_over_the_time_stamp_before_it() {
    let lab = Lab::new();
    let first = token(&lab, TEXT, STAMPED);
    let renewed = |over: &[u8], behind: &str| {
        let renewal = token(&lab, over, "20261122120000Z");
        xml_record(&[xml_time_stamp(&first, behind), xml_time_stamp(&renewal, "")])
    };
    let form = xml_time_stamp(&first, "").replacen("<TimeStamp", &format!("<TimeStamp xmlns=\"{ERS}\""), 1);
    // Each of these elements declares its namespace in exclusive canonical form.
    let long = format!("<w xmlns:a=\"u:{}\">{}</w>", "x".repeat(1_900), "<a:b/>".repeat(20_000));
    for (situation, record, passes) in [
        ("over it", renewed(form.as_bytes(), ""), true),
        ("over nothing", renewed(b"", ""), false),
        ("over nothing, where its form is too long", renewed(b"", &long), false),
    ] {
        let said = answered(&lab, record.as_bytes());
        assert_eq!(said == "TOTAL-PASSED" || said == "PASSED", passes, "{situation}: {said}");
    }
}

/// A token whose imprint is by SHA-512.
fn sha512_token(lab: &Lab, imprint: &[u8], time: &str) -> Vec<u8> {
    let info = sequence(&[
        &integer(1),
        &oid("1.2.3.4.1"),
        &sequence(&[&sequence(&[&oid(SHA512), &tlv(5, &[])]), &bytes(imprint)]),
        &integer(8),
        &generalized(time),
    ]);
    let signer = Signer::of(&lab.tsa, &info).without(CONTENT_TYPE);
    let signer = signer.and(attribute(CONTENT_TYPE, &oid(TST_INFO)));
    let mut data = SignedData::new(Some(&info));
    data.kind = TST_INFO;
    data.signers = vec![signer.signed(&info)];
    data.certificates = vec![lab.tsa.certificate.clone()];
    data.bytes()
}

/// The most that may be checked: a value with P-256 costs one.
const CHECKS: u64 = 500;

/// What is said within that budget. Where checks are metered (.ci/full), no more are made than it allows.
fn bounded(lab: &Lab, bytes: &[u8]) -> Answer {
    let mut budget = Budget::default();
    budget.verification_cost = CHECKS;
    #[cfg(feature = "meter")]
    meter::start();
    let answer = lab.answer_of(lab.validator().budget(budget), bytes, "letter.p7m", &[]);
    #[cfg(feature = "meter")]
    assert!(meter::stop().checks() <= CHECKS as usize, "more values were checked: {}", answer.line());
    answer
}

const COUNTER_SIGNATURE: &str = "1.2.840.113549.1.9.6";

#[test]
fn bounded_work() {
    let lab = Lab::new();
    let text = b"I, Alice, agree.";
    let message = |signers: Vec<Vec<u8>>| {
        let mut data = lab.signed_data(Some(text), text, &[]);
        data.signers = signers;
        data.certificates = vec![lab.alice.certificate.clone()];
        data.bytes()
    };
    let counter = |over: &[u8]| Signer { bare: true, ..Signer::of(&lab.alice, over) }.signed(over);
    // Distinct values, all of them wrong.
    let others: Vec<Vec<u8>> = (0..2000u32).map(|at| counter(&at.to_be_bytes())).collect();
    let many = |values: &[Vec<u8>]| {
        let all = sequence(&[&oid(COUNTER_SIGNATURE), &tlv(0x31, &[&values.concat()])]);
        Signer { unsigned: vec![all], ..lab.signer(&lab.alice, text).at(STAMPED) }.signed(text)
    };
    let rows = [
        ("2,000 counter-signatures", message(vec![many(&others)])),
        ("2,000 signers", message(others)),
        ("a tree of counter-signatures, 4 wide and 6 deep", {
            let mut level = vec![counter(b"leaf")];
            for depth in 0..6u8 {
                let signer = Signer { bare: true, ..Signer::of(&lab.alice, &[depth]) };
                let inner = sequence(&[&oid(COUNTER_SIGNATURE), &tlv(0x31, &[&level.concat()])]);
                let one = Signer { unsigned: vec![inner], ..signer }.signed(&[depth]);
                level = vec![one; 4];
            }
            message(vec![many(&level)])
        }),
    ];
    for (situation, bytes) in rows {
        let answer = bounded(&lab, &bytes);
        let said = !answer.passed() || !answer.about.is_empty();
        assert!(said, "{situation}: nothing is left out in silence: {}", answer.line());
    }
}

#[test]
fn nested_values_have_an_end() {
    let lab = Lab::new();
    let deep = (0..20_000).fold(tlv(5, &[]), |inner, _| sequence(&[&inner]));
    for (situation, bytes) in [
        ("DER nested 20,000 times", deep),
        ("BER nested 100,000 times", b"\x30\x80".repeat(100_000)),
        ("JSON nested 200,000 times", [b"{\"signatures\":".to_vec(), b"[".repeat(200_000)].concat()),
        ("XML nested 100,000 times", [b"<a>".repeat(100_000), b"</a>".repeat(100_000)].concat()),
        ("PDF nested 100,000 times", [b"%PDF-1.7\n1 0 obj\n".to_vec(), b"[".repeat(100_000)].concat()),
    ] {
        let answer = lab.answer(&bytes, "document", &[]);
        assert!(!answer.passed(), "{situation}: {}", answer.line());
    }
}

#[test]
fn what_stands_for_a_record_and_is_none_is_said() {
    let lab = Lab::new();
    let record = evidence(&[archived(&token(&lab, b"x", STAMPED), None)], &[SHA256]);
    let cut = &record[..record.len() - 1];
    let message = |kind: &str, value: &[u8]| {
        let signer = Signer { unsigned: vec![attribute(kind, value)], ..lab.signer(&lab.alice, TEXT).at(STAMPED) };
        lab.signed_data(Some(TEXT), TEXT, &[signer]).bytes()
    };
    let sealed = |inside: &str| {
        let property = format!(
            "<p:SealingEvidenceRecords xmlns:p=\"http://uri.etsi.org/01903/v1.4.1#\">{inside}</p:SealingEvidenceRecords>"
        );
        let end = "</xades:UnsignedSignatureProperties>";
        lab.enveloped(lacre_testkit::xml::CONTRACT).replacen(end, &[&*property, end].concat(), 1).into_bytes()
    };
    let base64 =
        |bytes: &[u8]| format!("<p:ASN1EvidenceRecord>{}</p:ASN1EvidenceRecord>", BASE64_STANDARD.encode(bytes));
    let xml = "<EvidenceRecord xmlns=\"urn:ietf:params:xml:ns:ers\" Version=\"1.0\"/>";
    for (clause, situation, document, said) in [
        ("RFC 4998 4", "no record, internal", message(INTERNAL, &utf8("x")), true),
        ("RFC 4998 4", "no record, external", message(EXTERNAL, &sequence(&[])), true),
        ("RFC 4998 4", "a record", message(INTERNAL, &record), false),
        ("EN 319 132-3 5", "half a record", sealed(&base64(cut)), true),
        ("EN 319 132-3 5", "no Base64", sealed("<p:ASN1EvidenceRecord>~</p:ASN1EvidenceRecord>"), true),
        ("EN 319 132-3 5", "a record in XML without a time-stamp", sealed(xml), true),
        ("EN 319 132-3 5", "something else", sealed("<p:Other/>"), true),
        ("EN 319 132-3 5", "a record", sealed(&base64(&record)), false),
    ] {
        let answer = lab.answer(&document, "document", &[]);
        let found = answer.worries.iter().any(|worry| worry.contains("BBB_FC_MALFORMED_HEADER"));
        assert_eq!(found, said, "{clause}: {situation}: {}", answer.line());
    }
}
