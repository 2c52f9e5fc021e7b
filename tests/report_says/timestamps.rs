//! Time-stamps have a line of their own.

use crate::given::*;
use crate::says::{Row, Says::*, check};
use lacre::Document;
use lacre_testkit::cms::{STAMPED, Signer, Token, attribute};
use lacre_testkit::lab::{AT, Lab};
use lacre_testkit::pki::*;
use serde_json::Value;

pub const ROWS: &[Row] = &[
    (
        "EN 319 102-1 5.4",
        "a time-stamp that counts",
        |lab| by(lab, &lab.alice, std::slice::from_ref(&lab.crl), &[]),
        &[Words(&["Attack Lab TSA", "2026-11-21 12:00:00 UTC", "PASSED"])],
    ),
    (
        "EN 319 102-1 5.4",
        "an authority that nobody trusts",
        |lab| {
            let root = Entity::root("Another Root", Key::of("root2"));
            let tsa = Spec::timestamp_unit("Unknown TSA", 7).issued_by(&root, Key::of("tsa2"));
            stamped(lab, &tsa, STAMPED)
        },
        &[Words(&["Unknown TSA", "2026-11-21 12:00:00 UTC", "NO_CERTIFICATE_CHAIN_FOUND"])],
    ),
    (
        "EN 319 102-1 5.4",
        "an authority whose certificate had ended",
        |lab| {
            let spec = Spec { to: "20261101000000Z", ..Spec::timestamp_unit("Ended TSA", 8) };
            let tsa = spec.issued_by(&lab.root, Key::of("tsa3"));
            stamped(lab, &tsa, STAMPED)
        },
        &[Words(&["Ended TSA", "2026-11-01"])],
    ),
    (
        "RFC 3161 2.4.2",
        "a time-stamp over something else",
        |lab| {
            let mut signer = Signer::of(&lab.alice, TEXT).at(STAMPED);
            signer.unsigned =
                vec![attribute("1.2.840.113549.1.9.16.2.14", &Token::over(b"something else", STAMPED).by(&lab.tsa))];
            letter(lab.signed_data(Some(TEXT), TEXT, &[signer]).bytes())
        },
        &[Words(&["Attack Lab TSA", "HASH_FAILURE"])],
    ),
    (
        "EN 319 102-1 5.5",
        "two time-stamps, of which the second is over something else",
        |lab| {
            let mut signer = lab.signer(&lab.alice, TEXT).at(STAMPED);
            signer.unsigned.push(attribute(
                "1.2.840.113549.1.9.16.2.14",
                &Token::over(b"something else", "20261122120000Z").by(&lab.tsa),
            ));
            letter(lab.signed_data(Some(TEXT), TEXT, &[signer]).bytes())
        },
        &[Words(&["HASH_FAILURE", "2026-11-22 12:00:00 UTC", "2026-11-21 12:00:00 UTC"])],
    ),
    (
        "RFC 3161 2.4.2",
        "a time-stamp of the future",
        |lab| stamped(lab, &lab.tsa, "20280101000000Z"),
        &[Words(&["2028-01-01 00:00:00 UTC"])],
    ),
    (
        "EN 319 102-1 5.4",
        "an authority whose certificate has ended since",
        |lab| {
            let spec = Spec { to: "20261201000000Z", ..Spec::timestamp_unit("Brief TSA", 8) };
            stamped(lab, &spec.issued_by(&lab.root, Key::of("tsa3")), STAMPED)
        },
        &[
            Words(&["Brief TSA", "2026-11-21 12:00:00 UTC", "2026-12-01 00:00:00 UTC", "OUT_OF_BOUNDS_NOT_REVOKED"]),
            Finding("BBB_XCV_ICTIVRSC_ANS", "Brief TSA", ""),
        ],
    ),
    (
        "RFC 3161 2.3",
        "a time-stamp by somebody who is no authority",
        |lab| stamped(lab, &lab.bob, STAMPED),
        &[
            Words(&["Bob Other", "2026-11-21 12:00:00 UTC", "CHAIN_CONSTRAINTS_FAILURE"]),
            Finding("BBB_XCV_ISCGEKU_ANS", "Bob Other", ""),
        ],
    ),
    (
        "EN 319 122-1 5.2.8",
        "a time-stamp over the content, made before the signature",
        |lab| {
            let token = Token::over(TEXT, "20261120120000Z").by(&lab.tsa);
            message(lab, |signer| signer.and(attribute("1.2.840.113549.1.9.16.2.20", &token)))
        },
        &[
            Words(&["Attack Lab TSA", "2026-11-20 12:00:00 UTC", "2026-11-21 12:00:00 UTC"]),
            Json("/timestamps/0/type", "content-timestamp"),
            Json("/timestamps/0/time", "2026-11-20T12:00:00Z"),
            Json("/timestamps/0/indication", "PASSED"),
        ],
    ),
    (
        "RFC 4998 5.3",
        "an evidence record that counts",
        |lab| recorded(lab, TEXT),
        &[
            Words(&["Attack Lab TSA", "2026-11-21 12:00:00 UTC", "archived.txt", "PASSED"]),
            Json("/evidence_records/0/indication", "PASSED"),
            Json("/evidence_records/0/time", "2026-11-21T12:00:00Z"),
        ],
    ),
    (
        "RFC 4998 5.3",
        "an evidence record over something else",
        |lab| recorded(lab, b"something else"),
        &[
            Words(&["Attack Lab TSA", "2026-11-21 12:00:00 UTC", "HASH_FAILURE"]),
            Finding("BBB_CV_TSP_IRDOI_ANS", "1", ""),
            Finding("ADEST_IBSVPTADC_ANS", "1", ""),
            Json("/evidence_records/0/sub_indication", "HASH_FAILURE"),
        ],
    ),
];

#[test]
fn time_stamps_have_a_line_of_their_own() {
    check(ROWS);
}

/// In a container each time-stamp may belong to each signature: text has so many of one signature, and says how many more
/// there are; JSON has all.
#[test]
fn many_time_stamps_of_one_signature() {
    let lab = Lab::new();
    let mut signer = lab.signer(&lab.alice, TEXT).at(STAMPED);
    let kind = "1.2.840.113549.1.9.16.2.14";
    let stamp = |n: u8| attribute(kind, &Token::over(&[n], "20261122120000Z").by(&lab.tsa));
    signer.unsigned = (0..60).map(stamp).collect();
    let bytes = lab.signed_data(Some(TEXT), TEXT, &[signer]).bytes();
    let report = lab.validator().validate(&Document::new(&bytes), AT.parse().expect("a time")).expect("it is CMS");
    let json: Value = serde_json::from_str(&report.to_json()).expect("reports are JSON");
    let all = json["timestamps"].as_array().map_or(0, Vec::len);
    assert!(all >= 60, "{all}");
    let text = report.to_text();
    assert_eq!(text.matches("tokens and data covered").count(), 40);
    assert!(text.contains(&format!("{} more", all - 40)), "{text}");
}
