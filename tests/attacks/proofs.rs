//! Time-stamps and revocation data that cannot be what they say: RFC 3161, RFC 5652, RFC 6960, EN 319 122-1 §5.5.

use super::Expect::{NotPassed, Passed};
use super::{Given, Row, check};
use lacre_testkit::cms::*;
use lacre_testkit::der::*;
use lacre_testkit::lab::Lab;
use lacre_testkit::pki::*;

const TEXT: &[u8] = b"I, Alice, agree.";
const ALICE: u64 = 1001;
const UNIT: u64 = 1003;

/// A list on which Alice stands since a week after she signed.
fn revoked(lab: &Lab) -> Vec<u8> {
    let revoked = vec![(ALICE, "20261128000000Z", None)];
    Crl { this_update: "20261205000000Z", revoked, ..Crl::default() }.of(&lab.root)
}

/// A message by Alice, who was revoked later, with the token that `stamp` makes over her value.
fn stamped(lab: &Lab, stamp: impl Fn(&[u8]) -> Vec<u8>) -> Given {
    let mut signer = Signer::of(&lab.alice, TEXT).at(STAMPED);
    let attributes = sorted(&signer.attributes);
    let value = lab.alice.key.sign(&tlv(0x31, &[&attributes]));
    signer.unsigned = vec![attribute(SIGNATURE_TIMESTAMP, &stamp(&value))];
    message(lab, &signer, &attributes, &value)
}

fn message(lab: &Lab, signer: &Signer<'_>, attributes: &[u8], value: &[u8]) -> Given {
    let mut data = SignedData::new(Some(TEXT));
    data.signers = vec![signer.with_value(&tlv(0xa0, &[attributes]), value)];
    data.certificates = vec![lab.alice.certificate.clone()];
    data.crls = vec![revoked(lab)];
    Given::new("letter.p7m", data.bytes())
}

/// By a unit whose certificate begins then.
fn by_unit_since(lab: &Lab, from: &'static str) -> Given {
    let spec = Spec { from, ..Spec::timestamp_unit("Attack Lab TSA 2", 1033) };
    let unit = spec.issued_by(&lab.root, Key::of("tsa2"));
    stamped(lab, |value| Token::over(value, STAMPED).by(&unit))
}

/// By a unit that digests its `TSTInfo` by that function, and signs by ECDSA with SHA-256.
fn digested_by(lab: &Lab, function: &str, digest: fn(&[u8]) -> Vec<u8>) -> Given {
    stamped(lab, |value| {
        let imprint = sequence(&[&sequence(&[&oid(SHA256), &tlv(5, &[])]), &bytes(&sha256(value))]);
        let info = sequence(&[&integer(1), &oid("1.2.3.4.1"), &imprint, &integer(7), &generalized(STAMPED)]);
        let signer = Signer::of(&lab.tsa, &info).without(CONTENT_TYPE).without(MESSAGE_DIGEST);
        let signer = signer.and(attribute(CONTENT_TYPE, &oid(TST_INFO)));
        let mut signer = signer.and(attribute(MESSAGE_DIGEST, &bytes(&digest(&info))));
        signer.digest = sequence(&[&oid(function)]);
        let mut data = SignedData::new(Some(&info));
        data.kind = TST_INFO;
        data.digests = vec![signer.digest.clone()];
        data.signers = vec![signer.signed(&info)];
        data.certificates = vec![lab.tsa.certificate.clone()];
        data.bytes()
    })
}

/// With an archive time-stamp whose index lists the list on which Alice stands, and what else it is to list.
fn archived(lab: &Lab, more: &[Vec<u8>]) -> Given {
    indexed_by(lab, SHA256, sha256, more)
}

/// The same by that digest function.
fn indexed_by(lab: &Lab, function: &str, digest: fn(&[u8]) -> Vec<u8>, more: &[Vec<u8>]) -> Given {
    let mut signer = Signer::of(&lab.alice, TEXT).at(STAMPED);
    let attributes = sorted(&signer.attributes);
    let value = lab.alice.key.sign(&tlv(0x31, &[&attributes]));
    let hashes: Vec<u8> = [bytes(&digest(&revoked(lab)))].into_iter().chain(more.iter().cloned()).flatten().collect();
    let index = sequence(&[&sequence(&[&oid(function)]), &sequence(&[]), &sequence(&[&hashes]), &sequence(&[])]);
    let fields = children(&signer.with_value(&tlv(0xa0, &[&attributes]), &value)).concat();
    let over = [oid(DATA), sha256(TEXT), fields, index.clone()].concat();
    let token =
        Token::over(&over, "20261124120000Z").with_unsigned(&lab.tsa, vec![attribute("0.4.0.19122.1.5", &index)]);
    signer.unsigned = vec![attribute("0.4.0.1733.2.4", &token)];
    message(lab, &signer, &attributes, &value)
}

/// With a time-stamp over the content of that time.
fn of_content(lab: &Lab, time: &'static str) -> Given {
    let token = Token::over(TEXT, time).by(&lab.tsa);
    let signer = lab.signer(&lab.alice, TEXT).at(STAMPED).and(attribute("1.2.840.113549.1.9.16.2.20", &token));
    Given::new("letter.p7m", lab.signed_data(Some(TEXT), TEXT, &[signer]).bytes())
}

const TIMESTAMPS: &[Row] = &[
    ("EN 319 421 7.6.4", "of a unit that had its certificate", Passed, |lab| by_unit_since(lab, "20261101000000Z")),
    ("EN 319 421 7.6.4", "of a unit that had none yet", NotPassed, |lab| by_unit_since(lab, "20261201000000Z")),
    ("EN 319 102-1 5.2.8.4.1", "whose content is digested by SHA-256", Passed, |lab| digested_by(lab, SHA256, sha256)),
    ("EN 319 102-1 5.2.8.4.1", "whose content is digested by SHA-1", NotPassed, |lab| digested_by(lab, SHA1, sha1)),
    ("EN 319 122-1 5.5.2", "whose index lists what is there", Passed, |lab| archived(lab, &[])),
    ("EN 319 122-1 5.5.2", "whose index lists a list that is gone", NotPassed, |lab| {
        archived(lab, &[bytes(&sha256(b"a list that says more"))])
    }),
    ("EN 319 122-1 5.5.2", "whose index is by SHA-1", NotPassed, |lab| indexed_by(lab, SHA1, sha1, &[])),
    ("EN 319 102-1 5.5.4 5)", "of the content after that of the signature", NotPassed, |lab| {
        of_content(lab, "20261121130000Z")
    }),
    ("EN 319 102-1 5.5.4 5)", "of the content, by a clock that is a bit ahead", Passed, |lab| {
        of_content(lab, "20261121120030Z")
    }),
];

#[test]
fn time_stamps_that_cannot_be_what_they_say() {
    check(TIMESTAMPS);
}

/// A message by that signer with those lists and responses.
fn by(lab: &Lab, signer: &Entity, crls: &[Vec<u8>], ocsps: &[Vec<u8>]) -> Given {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(signer, TEXT).at(STAMPED)]);
    data.crls = crls.to_vec();
    data.ocsps = ocsps.to_vec();
    Given::new("letter.p7m", data.bytes())
}

/// A response of that status and time, by a responder whose certificate ended in June.
fn by_former_responder(lab: &Lab, this_update: &'static str, produced_at: &'static str) -> Given {
    let spec = Spec { to: "20260601000000Z", ..Spec::responder("Attack Lab OCSP", 1004) };
    let responder = spec.issued_by(&lab.root, Key::of("ocsp"));
    let good = Ocsp { this_update, produced_at, ..Ocsp::about(ALICE, Status::Good) }.by(&responder, &lab.root);
    by(lab, &lab.alice, &[], &[good, lab.ocsp(UNIT, Status::Good)])
}

/// The authority above the signer names as the issuer of the list about it somebody whom `issuer` certified.
fn listed_by(lab: &Lab, circular: bool) -> Given {
    let point = sequence(&[&tlv(0xa2, &[&tlv(0xa4, &[&subject("Attack Lab Lists")])])]);
    let point = extension("2.5.29.31", false, &sequence(&[&point]));
    let spec = Spec { locations: false, ..Spec::named("Attack Lab Sub", 1011).with(authority()).and(point) };
    let sub = spec.issued_by(&lab.root, Key::of("sub"));
    let spec = Spec::named("Attack Lab Lists", 2001).with(vec![basic_constraints(false), key_usage(&[6])]);
    let lists = spec.issued_by(if circular { &sub } else { &lab.root }, Key::of("lists"));
    let scope = extension("2.5.29.28", true, &sequence(&[&tlv(0x84, &[&[0xff]])]));
    let about_sub = Crl { extensions: vec![scope], ..Crl::default() }.of(&lists);
    let dave = Spec::signer("Dave Below", 1012).issued_by(&sub, Key::of("dave"));
    let lists_of = [about_sub, Crl::default().of(&sub)];
    let answers = [lab.ocsp(UNIT, Status::Good), lab.ocsp(2001, Status::Good)];
    let mut given = by(lab, &dave, &lists_of, &answers[..if circular { 1 } else { 2 }]);
    given.evidence = vec![sub.certificate, lists.certificate];
    given
}

/// By a signer whose certificate begins then, with a list that has run out since.
fn issued(lab: &Lab, from: &'static str) -> Given {
    let spec = Spec { from, ..Spec::signer("Frank Later", 1041) };
    let frank = spec.issued_by(&lab.root, Key::of("frank"));
    let signer = lab.signer(&frank, TEXT).at("20261123120000Z");
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[signer]);
    let list = Crl { this_update: "20261124000000Z", next_update: "20261201000000Z", ..Crl::default() };
    data.crls = vec![list.of(&lab.root)];
    data.ocsps = vec![lab.ocsp(UNIT, Status::Good)];
    Given::new("letter.p7m", data.bytes())
}

const STATEMENTS: &[Row] = &[
    ("EN 319 102-1 5.5.4 4)", "stamped after the certificate was issued", Passed, |lab| issued(lab, "20261101000000Z")),
    ("EN 319 102-1 5.5.4 4)", "stamped before, and its status is known up to then only", NotPassed, |lab| {
        issued(lab, "20261122000000Z")
    }),
    ("RFC 6960 2.4", "as of a time after it was made", NotPassed, |lab| {
        by_former_responder(lab, "20261125000000Z", "20260501000000Z")
    }),
    ("RFC 5280 6.3.3 f)", "a list by whom the authority's own issuer certified", Passed, |lab| listed_by(lab, false)),
    ("RFC 5280 6.3.3 f)", "a list by whom the authority itself certified", NotPassed, |lab| listed_by(lab, true)),
];

#[test]
fn statements_that_rest_on_what_they_are_about() {
    check(STATEMENTS);
}

/// Two authorities below the root, and a delegate of the lower one.
fn authorities(lab: &Lab) -> (Entity, Entity, Entity) {
    let upper = Spec::named("Attack Lab Upper", 1013).with(authority()).issued_by(&lab.root, Key::of("upper"));
    let lower = Spec::named("Attack Lab Lower", 1014).with(authority()).issued_by(&upper, Key::of("lower"));
    let delegate = Spec::responder("Attack Lab OCSP 2", 1034).issued_by(&lower, Key::of("ocsp2"));
    (upper, lower, delegate)
}

/// A response that says good of that certificate.
fn good(serial: u64, responder: &Entity, authority: &Entity) -> Vec<u8> {
    let of = "20261125000000Z";
    Ocsp { this_update: of, produced_at: of, ..Ocsp::about(serial, Status::Good) }.by(responder, authority)
}

/// With a time-stamp of a unit below two authorities, with the upper one's list or without.
fn by_unit_below(lab: &Lab, with_list: bool) -> Given {
    let (upper, lower, delegate) = authorities(lab);
    let unit = Spec::timestamp_unit("Attack Lab TSA 2", 1033).issued_by(&lower, Key::of("tsa2"));
    let crls = if with_list { vec![Crl::default().of(&upper)] } else { vec![] };
    let mut given = stamped(lab, |value| Token { crls: crls.clone(), ..Token::over(value, STAMPED) }.by(&unit));
    given.evidence = vec![upper.certificate, good(1033, &delegate, &lower), lower.certificate];
    given
}

/// Of whom a delegate of an authority two below the root says that all is well.
fn answered_below(lab: &Lab, with_list: bool) -> Given {
    let (upper, lower, delegate) = authorities(lab);
    let lists = if with_list { vec![Crl::default().of(&upper)] } else { vec![] };
    let answers = [good(ALICE, &delegate, &lab.root), lab.ocsp(UNIT, Status::Good), lab.ocsp(1013, Status::Good)];
    let mut given = by(lab, &lab.alice, &lists, &answers);
    given.evidence = vec![upper.certificate, lower.certificate];
    given
}

/// With a time-stamp of a unit below an authority for those purposes.
fn by_unit_of(lab: &Lab, purposes: &[&str]) -> Given {
    let spec = Spec::named("Attack Lab Upper", 1013).with(authority()).and(extended_key_usage(false, purposes));
    let upper = spec.issued_by(&lab.root, Key::of("upper"));
    let unit = Spec::timestamp_unit("Attack Lab TSA 2", 1033).issued_by(&upper, Key::of("tsa2"));
    let crls = vec![Crl::default().of(&upper)];
    let mut given = stamped(lab, |value| Token { crls: crls.clone(), ..Token::over(value, STAMPED) }.by(&unit));
    given.evidence = vec![upper.certificate];
    given
}

const AUTHORITIES: &[Row] = &[
    ("RFC 5280 4.2.1.12", "of a unit below an authority for units", Passed, |lab| by_unit_of(lab, &[TIME_STAMPING])),
    ("RFC 5280 4.2.1.12", "of a unit below an authority for servers and log-on", NotPassed, |lab| {
        by_unit_of(lab, &[SERVER_AUTH, CLIENT_AUTH])
    }),
    ("EN 319 102-1 5.2.6.4", "of a unit whose authorities nobody has revoked", Passed, |lab| by_unit_below(lab, true)),
    ("EN 319 102-1 5.2.6.4", "of a unit of whose authority nothing is known", NotPassed, |lab| {
        by_unit_below(lab, false)
    }),
    ("EN 319 102-1 5.2.6.4", "by a delegate whose authorities nobody has revoked", Passed, |lab| {
        answered_below(lab, true)
    }),
    ("EN 319 102-1 5.2.6.4", "by a delegate of whose authority nothing is known", NotPassed, |lab| {
        answered_below(lab, false)
    }),
];

#[test]
fn authorities_of_whom_nothing_is_known() {
    check(AUTHORITIES);
}

/// With a time-stamp of the unit, of which a list says good that ran out then.
fn listed_until(lab: &Lab, next_update: &'static str) -> Given {
    let unit = Spec::timestamp_unit("Attack Lab TSA 2", 1033).issued_by(&lab.root, Key::of("tsa2"));
    let list = Crl { next_update, ..Crl::default() }.of(&lab.root);
    let mut signer = Signer { timestamp: Some((&unit, STAMPED)), ..Signer::of(&lab.alice, TEXT) }.at(STAMPED);
    signer.unsigned.clear();
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[signer]);
    data.crls = vec![list];
    data.ocsps = vec![lab.ocsp(ALICE, Status::Good)];
    Given::new("letter.p7m", data.bytes())
}

const PURPOSES: &[Row] = &[
    ("RFC 5280 5.1.2.5", "a list that ran out after it was issued", Passed, |lab| listed_until(lab, "20261126000000Z")),
    ("RFC 5280 5.1.2.5", "a list that ran out before it was issued", NotPassed, |lab| {
        listed_until(lab, "20261122000000Z")
    }),
    ("RFC 5280 4.2.1.12", "by a signer who is trusted", Passed, |lab| {
        by(lab, &lab.bob, std::slice::from_ref(&lab.crl), &[]).trusting(&lab.bob.certificate)
    }),
    ("RFC 5280 4.2.1.12", "by a time-stamping unit that is trusted", NotPassed, |lab| {
        by(lab, &lab.tsa, std::slice::from_ref(&lab.crl), &[]).trusting(&lab.tsa.certificate)
    }),
    ("RFC 3161 2.3", "stamped by a unit that is trusted", Passed, |lab| {
        stamped(lab, |value| Token::over(value, STAMPED).by(&lab.tsa)).trusting(&lab.tsa.certificate)
    }),
    ("RFC 3161 2.3", "stamped by a signer who is trusted", NotPassed, |lab| {
        stamped(lab, |value| Token::over(value, STAMPED).by(&lab.bob)).trusting(&lab.bob.certificate)
    }),
];

#[test]
fn what_a_key_is_for() {
    check(PURPOSES);
}
