//! What is said of certificates, by whom, and when that existed (RFC 5280 §6.3.3, RFC 6960 §4.2.2.2, EN 319 102-1 §5.5.4,
//! §5.6.2.3).

use super::Expect::{NotPassed, Passed};
use super::{Given, Row, check, facts};
use base64::prelude::*;
use lacre_core::facts::{CoveredKind, TimestampType};
use lacre_testkit::cms::{STAMPED, Token};
use lacre_testkit::der::*;
use lacre_testkit::lab::Lab;
use lacre_testkit::pki::*;
use serde_json::json;

const TEXT: &[u8] = b"I, Alice, agree.";
const ALICE: u64 = 1001;
const UNIT: u64 = 1003;

/// A message by that signer with those lists and responses.
fn by(lab: &Lab, signer: &Entity, crls: &[Vec<u8>], ocsps: &[Vec<u8>]) -> Given {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(signer, TEXT).at(STAMPED)]);
    data.crls = crls.to_vec();
    data.ocsps = ocsps.to_vec();
    Given::new("letter.p7m", data.bytes())
}

/// A message by Alice, of whom somebody who is trusted says that she is good.
fn vouched_for(lab: &Lab, responder: &Entity) -> Given {
    let good =
        Ocsp { this_update: "20261125000000Z", produced_at: "20261125000000Z", ..Ocsp::about(ALICE, Status::Good) }
            .by(responder, &lab.root);
    by(lab, &lab.alice, &[], &[good, lab.ocsp(UNIT, Status::Good)]).trusting(&responder.certificate)
}

const RESPONDERS: &[Row] = &[
    ("RFC 6960 4.2.2.2", "one who is trusted as a signer", NotPassed, |lab| vouched_for(lab, &lab.bob)),
    ("RFC 6960 4.2.2.2", "a time-stamping unit that is trusted", NotPassed, |lab| vouched_for(lab, &lab.tsa)),
    ("RFC 6960 4.2.2.2", "a responder that is trusted", Passed, |lab| {
        let root = Entity::root("Another Root", Key::of("root2"));
        vouched_for(lab, &Spec::responder("Another OCSP", 2001).issued_by(&root, Key::of("ocsp2")))
    }),
];

#[test]
fn who_may_answer() {
    check(RESPONDERS);
}

/// A message by somebody below an authority that two trusted roots certified, of which one says that it is good.
fn below_two_roots(lab: &Lab, order: [usize; 2]) -> Given {
    let other = Entity::root("Old Root", Key::of("root2"));
    let spec = |serial| Spec::named("Attack Lab Sub", serial).with(authority());
    let of_root = spec(2101).issued_by(&lab.root, Key::of("sub"));
    let of_other = spec(2102).issued_by(&other, Key::of("sub"));
    let frank = Spec::signer("Frank Special", 1040).issued_by(&of_root, Key::of("frank"));
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(&frank, TEXT).at(STAMPED)]);
    let both = [of_root.certificate.clone(), of_other.certificate];
    data.certificates.extend(order.map(|place| both[place].clone()));
    data.crls.push(Crl::default().of(&of_root));
    Given::new("letter.p7m", data.bytes()).trusting(&other.certificate)
}

const CROSS_CERTIFIED: &[Row] = &[
    ("EN 319 102-1 5.2.6.4", "the path that validates is the first", Passed, |lab| below_two_roots(lab, [0, 1])),
    ("EN 319 102-1 5.2.6.4", "the path that validates is the second", Passed, |lab| below_two_roots(lab, [1, 0])),
];

#[test]
fn one_path_that_validates_is_enough() {
    check(CROSS_CERTIFIED);
}

/// The certificate names who issues its list: one below the same anchor, or one of the same name below another.
fn indirect(lab: &Lab, below: &Entity, revoked: bool) -> Given {
    let spec = Spec::named("Attack Lab Lists", 2001).with(vec![basic_constraints(false), key_usage(&[6])]);
    let issuer = spec.issued_by(below, Key::of("lists"));
    let point = sequence(&[&tlv(0xa2, &[&tlv(0xa4, &[&subject("Attack Lab Lists")])])]);
    let spec = Spec { locations: false, ..Spec::signer("Frank Special", 1040) };
    let frank = spec.and(extension("2.5.29.31", false, &sequence(&[&point]))).issued_by(&lab.root, Key::of("frank"));
    let scope = extension("2.5.29.28", true, &sequence(&[&tlv(0x84, &[&[0xff]])]));
    let name = extension("2.5.29.29", true, &sequence(&[&tlv(0xa4, &[&lab.root.subject()])]));
    let entries = if revoked { vec![entry(1040, "20260601000000Z", &[name])] } else { vec![] };
    let list = Crl { extensions: vec![scope], entries, ..Crl::default() }.of(&issuer);
    let of_another = Crl::default().of(below);
    let answers = [lab.ocsp(UNIT, Status::Good), lab.ocsp(2001, Status::Good)];
    let mut given = by(lab, &frank, &[list, of_another], &answers).trusting(&below.certificate);
    given.evidence.push(issuer.certificate);
    given
}

const INDIRECT: &[Row] = &[
    ("RFC 5280 6.3.3 f)", "of another anchor", NotPassed, |lab| {
        indirect(lab, &Entity::root("Another Root", Key::of("root2")), false)
    }),
    ("RFC 5280 6.3.3 f)", "of the same anchor, revoked", NotPassed, |lab| indirect(lab, &lab.root, true)),
];

#[test]
fn indirect_lists() {
    check(INDIRECT);
    // It passes with a finding: the certificate says nowhere where data is to be had.
    let mut lab = Lab::new();
    let given = indirect(&lab, &lab.root, false);
    lab.evidence = given.evidence;
    assert!(lab.answer(&given.bytes, given.name, &[]).passed(), "RFC 5280 6.3.3 f): of the same anchor");
}

/// A signer, whose certificate has ended and need not be asked for (RFC 9608), below an authority with that entry.
fn below(lab: &Lab, date: &'static str, reason: u8) -> Given {
    let sub = Spec::named("Attack Lab Sub", 1011).with(authority()).issued_by(&lab.root, Key::of("sub"));
    let spec = Spec { locations: false, to: "20261201000000Z", ..Spec::signer("Dave Below", 1012) };
    let dave = spec.and(extension("2.5.29.56", false, &tlv(5, &[]))).issued_by(&sub, Key::of("dave"));
    let list = Crl { revoked: vec![(1011, date, Some(reason))], ..Crl::default() }.of(&lab.root);
    let mut given = by(lab, &dave, &[list], &[lab.ocsp(UNIT, Status::Good)]);
    given.evidence.push(sub.certificate);
    given
}

const HIDDEN: &[Row] = &[
    ("EN 319 102-1 5.5.4 4)", "the authority was revoked before", NotPassed, |lab| below(lab, "20260601000000Z", 1)),
    ("EN 319 102-1 5.5.4 6)", "the authority was suspended before", NotPassed, |lab| below(lab, "20260601000000Z", 6)),
    ("EN 319 102-1 5.5.4 6)", "the authority was suspended after", Passed, |lab| below(lab, "20261125000000Z", 6)),
];

#[test]
fn what_the_end_of_a_certificate_hides() {
    check(HIDDEN);
}

/// EN 319 102-1 §5.6.2.3, TS 119 182-1 §A.1.2: a reference that states no digest commits to no bytes. Neither the response nor
/// the certificates in it existed, for all that a time-stamp over the reference says.
#[test]
fn a_reference_without_a_digest_covers_no_response() {
    let lab = Lab::new();
    let responder = Spec::responder("Attack Lab OCSP", 1004).issued_by(&lab.root, Key::of("ocsp"));
    let references = json!({ "rRefs": { "ocspRefs": [{ "ocspId": {
        "producedAt": "2026-11-22T00:00:00Z",
        "responderId": { "byName": BASE64_STANDARD.encode(responder.subject()) },
    } }] } });
    let token = Token::over(references.to_string().as_bytes(), STAMPED).by(&lab.tsa);
    let response = lab.ocsp(ALICE, Status::Good);
    let mut jws = lab.jws(TEXT, json!({}));
    jws["header"]["etsiU"] = json!([
        references,
        { "rfsTst": { "tstTokens": [{ "val": BASE64_STANDARD.encode(token) }] } },
        { "rVals": { "ocspVals": [{ "val": BASE64_STANDARD.encode(response) }] } },
    ]);
    let facts = facts(&lab, jws.to_string());
    let stamp = facts.timestamps.iter().find(|one| one.kind == TimestampType::ValidationDataRefsOnly).expect("rfsTst");
    for covered in &stamp.covered {
        let known = match covered.kind {
            CoveredKind::Revocation => facts.revocations.iter().any(|one| one.id == covered.id),
            CoveredKind::Certificate => facts.certificates.iter().any(|one| one.id == covered.id),
            _ => false,
        };
        assert!(!known, "{covered:?}");
    }
}
