//! What is said of revocation: status, date, reason, producer.

use crate::given::*;
use crate::says::{Row, Says::*, check};
use lacre_testkit::pki::*;

pub const ROWS: &[Row] = &[
    (
        "RFC 5280 5.3.1",
        "revoked, with a reason",
        |lab| by(lab, &lab.alice, &[revoked(lab, ALICE, Some(1))], &[]),
        &[
            Words(&["Alice Honest", "2026-06-01 00:00:00 UTC", "keyCompromise", "CRL", "Attack Lab Root"]),
            Json("/revocations/0/reason", "keyCompromise"),
            Json("/revocations/0/status", "REVOKED"),
            Json("/revocations/0/revocation_time", "2026-06-01T00:00:00Z"),
            Json("/revocations/0/producer", "Attack Lab Root"),
            Finding("BBB_XCV_ISCR_ANS", "Alice Honest", ""),
        ],
    ),
    (
        "RFC 5280 5.3.1",
        "revoked, without a reason",
        |lab| by(lab, &lab.alice, &[revoked(lab, ALICE, None)], &[]),
        &[Words(&["2026-06-01 00:00:00 UTC"]), Json("/revocations/0/reason", "unspecified")],
    ),
    (
        "RFC 6960 2.2",
        "an OCSP response says revoked",
        |lab| {
            let said = [lab.ocsp(ALICE, Status::Revoked("20260601000000Z")), lab.ocsp(TSA, Status::Good)];
            by(lab, &lab.alice, &[], &said)
        },
        &[Words(&["2026-06-01 00:00:00 UTC", "OCSP", "Attack Lab OCSP", "2026-11-25 00:00:00 UTC"])],
    ),
    (
        "RFC 5280 5",
        "not revoked: who says so, and when",
        |lab| by(lab, &lab.alice, std::slice::from_ref(&lab.crl), &[]),
        &[Words(&["Alice Honest", "CRL", "Attack Lab Root"]), Json("/revocations/0/status", "GOOD")],
    ),
    (
        "EN 319 102-1 5.2.5",
        "no revocation data",
        |lab| by(lab, &lab.alice, &[], &[]),
        &[Finding("BBB_XCV_IRDPFC_ANS", "Alice Honest", "")],
    ),
    (
        "EN 319 102-1 5.2.5",
        "only a list that ended before the signature",
        |lab| by(lab, &lab.alice, &[crl(lab, "20260201000000Z", "20260301000000Z")], &[]),
        &[Words(&["Attack Lab Root", "2026-02-01"])],
    ),
    (
        "RFC 5280 5.1.2.4",
        "a list of the future",
        |lab| by(lab, &lab.alice, &[crl(lab, "20300101000000Z", "20310101000000Z")], &[]),
        &[Words(&["2030-01-01"])],
    ),
    (
        "RFC 5280 5.3.1",
        "the time-stamping authority is revoked",
        |lab| by(lab, &lab.alice, &[revoked(lab, TSA, Some(4))], &[]),
        &[Words(&["Attack Lab TSA", "superseded", "2026-06-01"])],
    ),
    (
        "RFC 5280 5.3.1",
        "suspended",
        |lab| by(lab, &lab.alice, &[revoked(lab, ALICE, Some(6))], &[]),
        &[
            Words(&["Alice Honest", "2026-06-01 00:00:00 UTC", "certificateHold", "TRY_LATER"]),
            Finding("BBB_XCV_ISCOH_ANS", "Alice Honest", ""),
            Finding("ADEST_ISTPTBST_ANS", "Alice Honest", "2026-06-01T00:00:00Z"),
            Json("/revocations/0/reason", "certificateHold"),
        ],
    ),
    (
        "EN 319 102-1 5.5.4",
        "the key is compromised after the time-stamp",
        |lab| {
            let list = Crl { revoked: vec![(ALICE, "20261122000000Z", Some(1))], ..Crl::default() };
            by(lab, &lab.alice, &[list.of(&lab.root)], &[])
        },
        &[
            Words(&["Alice Honest", "2026-11-22 00:00:00 UTC", "keyCompromise", "TOTAL-PASSED"]),
            Words(&["2026-11-21 12:00:00 UTC"]),
            Json("/revocations/0/revocation_time", "2026-11-22T00:00:00Z"),
            Json("/signatures/0/best_signature_time", "2026-11-21T12:00:00Z"),
        ],
    ),
    (
        "RFC 5280 5.1.2.5",
        "the list about the time-stamping authority had run out before the time-stamp",
        |lab| by(lab, &lab.alice, &[crl(lab, "20260201000000Z", "20260301000000Z")], &[lab.ocsp(ALICE, Status::Good)]),
        &[
            Words(&["Attack Lab TSA", "2026-02-01 00:00:00 UTC", "TRY_LATER"]),
            Finding("BBB_XCV_REVOC_CURRENT_ANS", "Attack Lab Root", "2026-03-01T00:00:00Z"),
            Finding("BBB_RFC_IRIF_ANS", "Attack Lab OCSP", ""),
        ],
    ),
    (
        "RFC 5280 6.3.3",
        "the authority above the signer is revoked",
        |lab| below(lab, &authority_below(), &revoked(lab, 1011, Some(2))),
        &[
            Words(&["Dave Below", "Attack Lab Sub", "2026-06-01 00:00:00 UTC", "cACompromise", "REVOKED_CA_NO_POE"]),
            Finding("BBB_XCV_ISCR_ANS", "Attack Lab Sub", ""),
            Finding("ADEST_IRTPTBST_ANS", "Attack Lab Sub", "2026-06-01T00:00:00Z"),
        ],
    ),
    (
        "RFC 6960 4.2.2.2",
        "a responder of another authority says good",
        |lab| {
            let root = Entity::root("Another Root", Key::of("root2"));
            let responder = Spec::responder("Another OCSP", 2001).issued_by(&root, Key::of("ocsp2"));
            let good = Ocsp::about(ALICE, Status::Good).by(&responder, &lab.root);
            by(lab, &lab.alice, &[], &[good, lab.ocsp(TSA, Status::Good)])
        },
        &[
            Words(&["Another OCSP", "2026-11-22 00:00:00 UTC"]),
            Finding("BBB_XCV_CCCBB_REV_ANS", "Another OCSP", ""),
            Finding("BBB_XCV_IARDPFC_ANS", "Alice Honest", ""),
        ],
    ),
];

#[test]
fn revocation_status_date_reason_and_producer() {
    check(ROWS);
}
