//! Revocation data that is stale, contradicted or somebody else's (RFC 5280 §6.3, RFC 6960).

use super::Expect::{Finding, NotPassed, Passed};
use super::{Given, Row, check};
use lacre_testkit::cms::STAMPED;
use lacre_testkit::der::*;
use lacre_testkit::lab::Lab;
use lacre_testkit::pki::*;

const TEXT: &[u8] = b"I, Alice, agree.";
const ALICE: u64 = 1001;

/// A message by that signer with those lists and responses.
fn by(lab: &Lab, signer: &Entity, crls: &[Vec<u8>], ocsps: &[Vec<u8>]) -> Given {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(signer, TEXT).at(STAMPED)]);
    data.crls = crls.to_vec();
    data.ocsps = ocsps.to_vec();
    Given::new("letter.p7m", data.bytes())
}

fn revoked(lab: &Lab, serial: u64) -> Vec<u8> {
    Crl { revoked: vec![(serial, "20260601000000Z", None)], ..Crl::default() }.of(&lab.root)
}

/// `deltaCRLIndicator`.
fn delta() -> Vec<u8> {
    extension("2.5.29.27", true, &integer(1))
}

/// A root of somebody else, and its responder.
fn elsewhere() -> (Entity, Entity) {
    let root = Entity::root("Another Root", Key::of("root2"));
    let responder = Spec::responder("Another OCSP", 2001).issued_by(&root, Key::of("ocsp2"));
    (root, responder)
}

/// A signer with an extension.
fn special(lab: &Lab, more: Vec<u8>) -> Entity {
    Spec::signer("Frank Special", 1040).and(more).issued_by(&lab.root, Key::of("frank"))
}

/// The root's key of before, certified by the root, and a list by it.
fn former_key(lab: &Lab, revoked: Vec<(u64, &'static str, Option<u8>)>) -> (Entity, Vec<u8>) {
    let spec = Spec { subject: lab.root.subject(), ..Spec::named("", 1050).with(authority()) };
    let former = spec.issued_by(&lab.root, Key::of("root-of-before"));
    let list = Crl { revoked, ..Crl::default() }.of(&former);
    (former, list)
}

/// A response that a delegate gives, with several answers or with more in them.
fn answers(lab: &Lab, answers: &[Ocsp]) -> Vec<u8> {
    let delegate = Spec::responder("Attack Lab OCSP", 1004).issued_by(&lab.root, Key::of("ocsp"));
    Ocsp::all_by(answers, &delegate, &lab.root)
}

/// Good as of the day after the signature.
fn good(serial: u64) -> Ocsp {
    Ocsp { this_update: "20261125000000Z", produced_at: "20261125000000Z", ..Ocsp::about(serial, Status::Good) }
}

/// Statements that are overlooked (RFC 5280 §5, §6.3; RFC 6960).
const OVERLOOKED: &[Row] = &[
    ("RFC 5280 5.3.1", "a response with two answers, revoked before and good later", NotPassed, |lab| {
        let revoked = Ocsp::about(ALICE, Status::Revoked("20260601000000Z"));
        by(lab, &lab.alice, &[], &[answers(lab, &[revoked, good(ALICE)]), answers(lab, &[good(1003)])])
    }),
    ("RFC 6960 4.2.1", "revoked since nobody can read when, and good elsewhere", NotPassed, |lab| {
        let revoked = Ocsp::about(ALICE, Status::Revoked("20261301000000Z"));
        by(lab, &lab.alice, &[], &[answers(lab, &[revoked]), answers(lab, &[good(ALICE), good(1003)])])
    }),
    ("RFC 6960 4.2.1", "two answers of one time, good and doubtful", NotPassed, |lab| {
        let doubtful = Ocsp { extensions: vec![extension("1.2.3.4", true, &utf8("x"))], ..good(ALICE) };
        by(lab, &lab.alice, &[], &[answers(lab, &[good(ALICE), doubtful]), answers(lab, &[good(1003)])])
    }),
    ("RFC 6960 4.2.1", "the same the other way round", NotPassed, |lab| {
        let doubtful = Ocsp { extensions: vec![extension("1.2.3.4", true, &utf8("x"))], ..good(ALICE) };
        by(lab, &lab.alice, &[], &[answers(lab, &[doubtful, good(ALICE)]), answers(lab, &[good(1003)])])
    }),
    ("RFC 5280 5.1.2.6", "a list with an entry that has no number", NotPassed, |lab| {
        let entries = vec![sequence(&[&bytes(&[0x7f; 8]), &time("20260601000000Z")])];
        by(lab, &lab.alice, &[Crl { entries, ..Crl::default() }.of(&lab.root)], &[])
    }),
    ("RFC 5280 5.1.2.6", "a list with an entry about another", Passed, |lab| {
        let entries = vec![entry(9999, "20260601000000Z", &[])];
        by(lab, &lab.alice, &[Crl { entries, ..Crl::default() }.of(&lab.root)], &[])
    }),
    ("RFC 5280 4.1.2.9", "an extension that is critical behind its value", NotPassed, |lab| {
        let behind = sequence(&[&oid("1.2.3.4"), &bytes(&utf8("x")), &tlv(1, &[&[0xff]])]);
        by(lab, &special(lab, behind), std::slice::from_ref(&lab.crl), &[])
    }),
    ("X.690 10.2", "an extension in pieces", NotPassed, |lab| {
        let pieces = sequence(&[&oid("1.2.3.4"), &tlv(0x24, &[&bytes(&utf8("x"))])]);
        by(lab, &special(lab, pieces), std::slice::from_ref(&lab.crl), &[])
    }),
    ("RFC 5280 4.2", "an extension that nobody knows", Passed, |lab| {
        by(lab, &special(lab, extension("1.2.3.4", false, &utf8("x"))), std::slice::from_ref(&lab.crl), &[])
    }),
    ("RFC 6960 4.2.1", "good beside an answer that cannot be read", NotPassed, |lab| {
        let unreadable = Ocsp { this_update: "20261301000000Z", ..good(9999) };
        by(lab, &lab.alice, &[], &[answers(lab, &[good(ALICE), unreadable]), answers(lab, &[good(1003)])])
    }),
    ("RFC 6960 4.2.1", "good before an answer that ends behind the list", NotPassed, |lab| {
        let mut response = answers(lab, &[good(ALICE), good(9999)]);
        let number = integer(9999);
        let serial = response.windows(number.len()).position(|bytes| bytes == number).expect("the answer");
        // Before it: the algorithm, two digests, and the lengths of `CertID` and of the answer.
        response[serial - 11 - 22 - 22 - 2 - 1] += 1;
        by(lab, &lab.alice, &[], &[response, answers(lab, &[good(1003)])])
    }),
    ("RFC 6960 4.2.1", "a response with two answers about two", Passed, |lab| {
        by(lab, &lab.alice, &[], &[answers(lab, &[good(ALICE), good(1003)])])
    }),
    ("RFC 6960 4.4", "a critical extension of the answer that nobody knows", NotPassed, |lab| {
        let doubtful = Ocsp { extensions: vec![extension("1.2.3.4", true, &utf8("x"))], ..good(ALICE) };
        by(lab, &lab.alice, &[], &[answers(lab, &[doubtful]), answers(lab, &[good(1003)])])
    }),
    ("Common PKI CertHash", "the responder has seen another certificate", NotPassed, |lab| {
        let sha256 = sequence(&[&oid(SHA256)]);
        let hash = extension("1.3.36.8.3.13", false, &sequence(&[&sha256, &bytes(&[7; 32])]));
        let other = Ocsp { extensions: vec![hash], ..good(ALICE) };
        by(lab, &lab.alice, &[], &[answers(lab, &[other]), answers(lab, &[good(1003)])])
    }),
    ("RFC 5280 6.3.3 f)", "the list of another key of the CA says revoked, its own says good", NotPassed, |lab| {
        let (former, list) = former_key(lab, vec![(ALICE, "20260601000000Z", None)]);
        let mut given = by(lab, &lab.alice, &[lab.crl.clone(), list], &[]);
        given.evidence.push(former.certificate);
        given
    }),
    ("RFC 5280 6.3.3 f)", "the list of another key of the CA says nothing", Passed, |lab| {
        let (former, list) = former_key(lab, vec![]);
        let mut given = by(lab, &lab.alice, &[lab.crl.clone(), list], &[]);
        given.evidence.push(former.certificate);
        given
    }),
    ("RFC 5280 5.2.3", "a critical number", NotPassed, |lab| {
        let list = Crl { critical_number: true, ..Crl::default() };
        by(lab, &lab.alice, &[list.of(&lab.root)], &[])
    }),
    ("RFC 5280 5.2", "an extension twice", NotPassed, |lab| {
        let list = Crl { extensions: vec![extension("2.5.29.20", false, &integer(2))], ..Crl::default() };
        by(lab, &lab.alice, &[list.of(&lab.root)], &[])
    }),
    ("RFC 5280 5.3", "an entry of somebody else with a critical extension that nobody knows", NotPassed, |lab| {
        let list = Crl { revoked: vec![(77, "20260601000000Z", Some(CRITICAL))], ..Crl::default() };
        by(lab, &lab.alice, &[list.of(&lab.root)], &[])
    }),
    ("RFC 5280 5.1.2.5", "the list about the authority had run out before the time-stamp", NotPassed, |lab| {
        let old = Crl { this_update: "20260201000000Z", next_update: "20260301000000Z", ..Crl::default() };
        by(lab, &lab.alice, &[old.of(&lab.root)], &[answers(lab, &[good(ALICE)])])
    }),
    ("RFC 5280 4.1.2.5", "signed after the certificate ended, which a list that has run out hides", NotPassed, |lab| {
        let spec = Spec { to: "20261110000000Z", ..Spec::signer("Frank Ended", 1042) };
        let frank = spec.issued_by(&lab.root, Key::of("frank"));
        let list = Crl { this_update: "20261105000000Z", next_update: "20261205000000Z", ..Crl::default() };
        by(lab, &frank, &[list.of(&lab.root)], &[answers(lab, &[good(1003)])])
    }),
];

#[test]
fn overlooked_statements() {
    check(OVERLOOKED);
}

/// A message by Alice with a list that has those extensions.
fn listed_with(lab: &Lab, extensions: Vec<Vec<u8>>) -> Given {
    by(lab, &lab.alice, &[Crl { extensions, ..Crl::default() }.of(&lab.root)], &[])
}

/// The same with a list that has somebody else's entry, with something behind the date.
fn beside(lab: &Lab, behind: &[u8]) -> Given {
    let entry = sequence(&[&integer(77), &time("20260601000000Z"), behind]);
    by(lab, &lab.alice, &[Crl { entries: vec![entry], ..Crl::default() }.of(&lab.root)], &[])
}

/// The same with an answer that has those extensions, and something behind it.
fn answered(lab: &Lab, extensions: Vec<Vec<u8>>, behind: &[u8]) -> Given {
    let delegate = Spec::responder("Attack Lab OCSP", 1004).issued_by(&lab.root, Key::of("ocsp"));
    let about = Ocsp { extensions, ..good(ALICE) };
    let response = Ocsp::all_with(&[about], &delegate, &lab.root, behind);
    by(lab, &lab.alice, &[], &[response, answers(lab, &[good(1003)])])
}

/// `[1] Extensions`, of a response.
fn of_response(extensions: &[Vec<u8>]) -> Vec<u8> {
    tlv(0xa1, &[&sequence(&[&extensions.concat()])])
}

/// An extension without a value; one whose criticality is two bytes.
fn cut_off() -> Vec<u8> {
    sequence(&[&oid("1.2.3.4"), &boolean(true)])
}

fn neither_nor() -> Vec<u8> {
    sequence(&[&oid("1.2.3.4"), &tlv(1, &[&[0, 0]]), &bytes(&utf8("x"))])
}

const NONCE: &str = "1.3.6.1.5.5.7.48.1.2";
const CUTOFF: &str = "1.3.6.1.5.5.7.48.1.6";
const EXPIRED_CERTS: &str = "2.5.29.60";
const REASON: &str = "2.5.29.21";

/// Who does not understand what is critical does not rely on the rest, and what cannot be read may be critical.
const CRITICAL_ONES: &[Row] = &[
    ("RFC 5280 5.2", "a critical extension of the list that nobody knows", NotPassed, |lab| {
        listed_with(lab, vec![extension("1.2.3.4", true, &utf8("x"))])
    }),
    ("RFC 5280 5.2", "one that nobody knows and that is not critical", Passed, |lab| {
        listed_with(lab, vec![extension("1.2.3.4", false, &utf8("x"))])
    }),
    ("RFC 5280 5.2", "an extension of the list without a value", NotPassed, |lab| listed_with(lab, vec![cut_off()])),
    ("RFC 5280 5.2", "one that is neither critical nor not", NotPassed, |lab| listed_with(lab, vec![neither_nor()])),
    ("RFC 5280 5.2", "an extension of the list that is empty", NotPassed, |lab| listed_with(lab, vec![sequence(&[])])),
    ("RFC 5280 5.2", "a critical extension whose value is of another type", NotPassed, |lab| {
        listed_with(lab, vec![extension(EXPIRED_CERTS, true, &utf8("x"))])
    }),
    ("X.509 9.5.2.8", "the same with its value", Passed, |lab| {
        listed_with(lab, vec![extension(EXPIRED_CERTS, true, &generalized("20260101000000Z"))])
    }),
    ("RFC 5280 5.2.1", "a critical key identifier", NotPassed, |lab| {
        let identifier = sequence(&[&tlv(0x80, &[&lab.root.key_identifier()])]);
        let list = Crl { extensions: vec![extension("2.5.29.35", true, &identifier)], ..Crl::default() };
        by(lab, &lab.alice, &[Crl { key_identifier: false, ..list }.of(&lab.root)], &[])
    }),
    ("RFC 5280 5.3", "an entry with an extension without a value", NotPassed, |lab| {
        beside(lab, &sequence(&[&cut_off()]))
    }),
    ("RFC 5280 5.3", "an entry with something that is no list of extensions", NotPassed, |lab| beside(lab, &utf8("x"))),
    ("RFC 5280 5.3", "an entry with a critical reason that is none", NotPassed, |lab| {
        beside(lab, &sequence(&[&extension(REASON, true, &utf8("x"))]))
    }),
    ("RFC 5280 5.3.1", "an entry with a critical reason", Passed, |lab| {
        beside(lab, &sequence(&[&extension(REASON, true, &tlv(0x0a, &[&[1]]))]))
    }),
    ("RFC 6960 4.4", "a critical extension of the response that nobody knows", NotPassed, |lab| {
        answered(lab, vec![], &of_response(&[extension("1.2.3.4", true, &utf8("x"))]))
    }),
    ("RFC 6960 4.4", "one of the protocol's that is not known", NotPassed, |lab| {
        answered(lab, vec![], &of_response(&[extension("1.3.6.1.5.5.7.48.1.99", true, &utf8("x"))]))
    }),
    ("RFC 6960 4.4", "an extension of the response without a value", NotPassed, |lab| {
        answered(lab, vec![], &of_response(&[cut_off()]))
    }),
    ("RFC 6960 4.4", "extensions of the response behind something else", NotPassed, |lab| {
        let more = of_response(&[extension("1.2.3.4", true, &utf8("x"))]);
        answered(lab, vec![], &[utf8("x"), more].concat())
    }),
    ("RFC 6960 4.4", "an extension of the answer without a value", NotPassed, |lab| {
        answered(lab, vec![cut_off()], &[])
    }),
    ("RFC 6960 4.4.4", "a critical cutoff that is no time", NotPassed, |lab| {
        answered(lab, vec![extension(CUTOFF, true, &utf8("x"))], &[])
    }),
    ("RFC 6960 4.4.4", "a critical cutoff", Passed, |lab| {
        answered(lab, vec![extension(CUTOFF, true, &generalized("20260101000000Z"))], &[])
    }),
    ("RFC 6960 4.4.1", "a critical nonce", Passed, |lab| {
        answered(lab, vec![], &of_response(&[extension(NONCE, true, &bytes(&[7; 16]))]))
    }),
    ("RFC 2560 4.4.1", "one of bare bytes", Passed, |lab| {
        answered(lab, vec![], &of_response(&[extension(NONCE, true, b"1510667795719")]))
    }),
];

#[test]
fn what_is_critical_is_understood_or_nothing_is_good() {
    check(CRITICAL_ONES);
}

const F10: &[Row] = &[
    (
        "RFC 6960 4.2.2.2",
        "the list of the own authority says revoked, a responder of another says good",
        NotPassed,
        |lab| {
            let (root, responder) = elsewhere();
            let good = Ocsp {
                this_update: "20261128000000Z",
                produced_at: "20261128000000Z",
                ..Ocsp::about(ALICE, Status::Good)
            };
            by(lab, &lab.alice, &[revoked(lab, ALICE)], &[good.by(&responder, &lab.root)]).trusting(&root.certificate)
        },
    ),
    ("RFC 6960 4.2.2.2", "the same, about a certificate of the other authority", NotPassed, |lab| {
        let (root, responder) = elsewhere();
        let good =
            Ocsp { this_update: "20261128000000Z", produced_at: "20261128000000Z", ..Ocsp::about(ALICE, Status::Good) };
        by(lab, &lab.alice, &[revoked(lab, ALICE)], &[good.by(&responder, &root)]).trusting(&root.certificate)
    }),
    ("RFC 6960 4.2.2.1", "revoked since; good of before, produced later", NotPassed, |lab| {
        let crl = Crl { revoked: vec![(ALICE, "20261101000000Z", None)], ..Crl::default() }.of(&lab.root);
        let good =
            Ocsp { this_update: "20260105000000Z", produced_at: "20261122000000Z", ..Ocsp::about(ALICE, Status::Good) };
        let responder = Spec::responder("Attack Lab OCSP", 1004).issued_by(&lab.root, Key::of("ocsp"));
        by(lab, &lab.alice, &[crl], &[good.by(&responder, &lab.root)])
    }),
    ("RFC 5280 5.3.1", "removeFromCRL in a full list", NotPassed, |lab| {
        let crl = Crl { revoked: vec![(ALICE, "20260601000000Z", Some(8))], ..Crl::default() };
        by(lab, &lab.alice, &[crl.of(&lab.root)], &[])
    }),
    ("RFC 5280 5.2.4", "a full list says good later than a delta says revoked", NotPassed, |lab| {
        let full = Crl { this_update: "20261127000000Z", number: 3, ..Crl::default() };
        let delta = Crl {
            this_update: "20261126000000Z",
            number: 2,
            revoked: vec![(ALICE, "20260601000000Z", None)],
            extensions: vec![delta()],
            ..Crl::default()
        };
        by(lab, &lab.alice, &[full.of(&lab.root), delta.of(&lab.root)], &[])
    }),
    ("RFC 5280 5.1.2.4", "a list of the future says good", Finding, |lab| {
        let crl = Crl { this_update: "20300101000000Z", next_update: "20310101000000Z", ..Crl::default() };
        by(lab, &lab.alice, &[crl.of(&lab.root)], &[])
    }),
    ("EN 319 102-1 5.2.5", "only a list that ended before the signature", NotPassed, |lab| {
        let crl = Crl { this_update: "20260201000000Z", next_update: "20260301000000Z", ..Crl::default() };
        by(lab, &lab.alice, &[crl.of(&lab.root)], &[])
    }),
    ("RFC 9608 4", "noRevAvail, and a list says revoked", NotPassed, |lab| {
        let frank = special(lab, extension("2.5.29.56", false, &tlv(5, &[])));
        by(lab, &frank, &[revoked(lab, 1040)], &[])
    }),
    ("EN 319 412-1 5.2", "a statement of short term, and a list says revoked", NotPassed, |lab| {
        let frank = special(lab, extension("0.4.0.194121.2.1", false, &tlv(5, &[])));
        by(lab, &frank, &[revoked(lab, 1040)], &[])
    }),
    ("RFC 6960 4.2.2.2", "a signer vouches for itself", NotPassed, |lab| {
        let grace = Spec::signer("Grace Own", 1041).and(extended_key_usage(false, &[OCSP_SIGNING]));
        let grace = grace.issued_by(&lab.root, Key::of("grace"));
        let good = Ocsp::about(1041, Status::Good).by(&grace, &lab.root);
        let tsa = lab.ocsp(1003, Status::Good);
        by(lab, &grace, &[], &[good, tsa])
    }),
    ("RFC 5280 6.3.3", "a list says revoked", NotPassed, |lab| by(lab, &lab.alice, &[revoked(lab, ALICE)], &[])),
    ("RFC 6960 2.2", "a response says revoked", NotPassed, |lab| {
        by(lab, &lab.alice, &[], &[lab.ocsp(ALICE, Status::Revoked("20260601000000Z")), lab.ocsp(1003, Status::Good)])
    }),
    ("RFC 5280 6.3.3", "a list says good", Passed, |lab| by(lab, &lab.alice, std::slice::from_ref(&lab.crl), &[])),
    ("RFC 6960 4.2.2.2", "responses of a delegate say good", Passed, |lab| {
        by(lab, &lab.alice, &[], &[lab.ocsp(ALICE, Status::Good), lab.ocsp(1003, Status::Good)])
    }),
    ("EN 319 102-1 5.2.5", "an old list and a new one", Passed, |lab| {
        let old = Crl { this_update: "20260201000000Z", next_update: "20260301000000Z", ..Crl::default() };
        by(lab, &lab.alice, &[old.of(&lab.root), lab.crl.clone()], &[])
    }),
];

/// A time-stamp is of 2026-11-21; the certificate with that number is revoked in December, and was invalid since then.
fn invalid_since(serial: u64, since: &str, reason: u8) -> Crl {
    let invalid = extension("2.5.29.24", false, &generalized(since));
    let reason = extension("2.5.29.21", false, &tlv(0x0a, &[&[reason]]));
    let entries = vec![entry(serial, "20261201000000Z", &[reason, invalid])];
    Crl { this_update: "20261205000000Z", entries, ..Crl::default() }
}

/// A message by a signer of an authority that is on that list.
fn below(lab: &Lab, list: &Crl) -> Given {
    let sub = Spec::named("Attack Lab Sub", 1011).with(authority()).issued_by(&lab.root, Key::of("sub"));
    let dave = Spec::signer("Dave Below", 1012).issued_by(&sub, Key::of("dave"));
    let mut given = by(lab, &dave, &[list.of(&lab.root), Crl::default().of(&sub)], &[]);
    given.evidence.push(sub.certificate);
    given
}

/// Invalid from before the time-stamp on (RFC 5280 §5.3.2).
const INVALID: &[Row] = &[
    ("RFC 5280 5.3.2", "the key was in other hands before the time-stamp", NotPassed, |lab| {
        by(lab, &lab.alice, &[invalid_since(ALICE, "20261101000000Z", 1).of(&lab.root)], &[])
    }),
    ("RFC 5280 5.3.2", "the certificate was wrong before the time-stamp", NotPassed, |lab| {
        by(lab, &lab.alice, &[invalid_since(ALICE, "20261101000000Z", 3).of(&lab.root)], &[])
    }),
    ("RFC 5280 5.3.2", "the key was in other hands after the time-stamp", Passed, |lab| {
        by(lab, &lab.alice, &[invalid_since(ALICE, "20261125000000Z", 1).of(&lab.root)], &[])
    }),
    ("RFC 6960 4.4.5", "a response says the same", NotPassed, |lab| {
        let invalid = extension("2.5.29.24", false, &generalized("20261101000000Z"));
        let revoked = Ocsp::about(ALICE, Status::Revoked("20261201000000Z"));
        let (this_update, produced_at) = ("20261205000000Z", "20261205000000Z");
        let revoked = Ocsp { this_update, produced_at, extensions: vec![invalid], ..revoked };
        by(lab, &lab.alice, &[], &[answers(lab, &[revoked]), answers(lab, &[good(1003)])])
    }),
    ("RFC 5280 5.3.2", "so was that of the authority", NotPassed, |lab| {
        below(lab, &invalid_since(1011, "20261101000000Z", 4))
    }),
    ("RFC 5280 5.3.2", "that of the authority was wrong after the time-stamp", Passed, |lab| {
        below(lab, &invalid_since(1011, "20261125000000Z", 4))
    }),
    ("RFC 5280 5.3.2", "another list has the revocation alone", NotPassed, |lab| {
        let later = Crl { this_update: "20261210000000Z", number: 9, ..Crl::default() };
        let later = Crl { revoked: vec![(ALICE, "20261201000000Z", Some(1))], ..later };
        by(lab, &lab.alice, &[invalid_since(ALICE, "20261101000000Z", 1).of(&lab.root), later.of(&lab.root)], &[])
    }),
];

#[test]
fn certificates_that_were_invalid_before_they_were_revoked() {
    check(INVALID);
}

/// A message by Alice, of whom a delegate with that usage of its key says that she is good.
fn answered_with(lab: &Lab, usage: &[u8]) -> Given {
    let spec = Spec::responder("Attack Lab OCSP", 1004);
    let mut extensions = spec.extensions.clone();
    extensions[1] = key_usage(usage);
    let delegate = spec.with(extensions).issued_by(&lab.root, Key::of("ocsp"));
    let answers = [good(ALICE).by(&delegate, &lab.root), good(1003).by(&delegate, &lab.root)];
    by(lab, &lab.alice, &[], &answers)
}

const USAGES: &[Row] = &[
    ("RFC 5280 4.2.1.3", "a responder whose key is for signatures", Passed, |lab| answered_with(lab, &[0])),
    ("RFC 5280 4.2.1.3", "a responder whose key is for commitments", Passed, |lab| answered_with(lab, &[1])),
    ("RFC 5280 4.2.1.3", "a responder whose key is for encryption", NotPassed, |lab| answered_with(lab, &[2])),
    ("RFC 5280 4.2.1.3", "a responder whose key is for lists", NotPassed, |lab| answered_with(lab, &[6])),
];

#[test]
fn keys_of_responders_are_for_signatures() {
    check(USAGES);
}

#[test]
fn f10_revocation() {
    check(F10);
}
