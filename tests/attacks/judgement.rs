//! Judgement: what one finding hides, and who answers for revocation (EN 319 102-1 §5.2.6, §5.5.4, §5.6.2).

use lacre::{Document, Facts, Policy, Time};
use lacre_core::facts::{Covered, CoveredKind, Id, TimestampType};
use lacre_core::policy::{Context, Level, PolicySection, RuleName};
use lacre_core::report::Report;
use lacre_core::validation::{outcome::Indication, validate};
use lacre_testkit::cms::*;
use lacre_testkit::der::*;
use lacre_testkit::lab::{AT, Lab};
use lacre_testkit::pki::*;
use lacre_testkit::xml::{EXCLUSIVE, Signature, enclosed, reference};

const TEXT: &[u8] = b"I, Alice, agree.";
const NEWER: &str = "http://uri.etsi.org/01903/v1.4.1#";
const NO_REV_AVAIL: &str = "2.5.29.56";

fn at(text: &str) -> Time {
    text.parse().expect("a time")
}

/// A message by that signer with certificates of authorities and revocation data.
fn by(lab: &Lab, signer: &Entity, authorities: &[&Entity], crls: &[Vec<u8>], ocsps: &[Vec<u8>]) -> Vec<u8> {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(signer, TEXT).at(STAMPED)]);
    data.certificates.extend(authorities.iter().map(|authority| authority.certificate.clone()));
    data.crls = crls.to_vec();
    data.ocsps = ocsps.to_vec();
    data.bytes()
}

fn report(lab: &Lab, bytes: &[u8], name: &str, time: &str) -> Report {
    lab.validator().validate(&Document::new(bytes).named(name.to_owned()), at(time)).expect("it is read")
}

fn passed(lab: &Lab, bytes: &[u8]) -> bool {
    report(lab, bytes, "letter.p7m", AT).indication() == Indication::TotalPassed
}

fn judged(facts: &Facts, policy: &Policy, time: &str) -> bool {
    validate(facts, policy, at(time)).signatures[0].indication == Indication::TotalPassed
}

/// An authority that the root revoked on 2026-06-01 because its key was stolen, and the root's list.
fn stolen(lab: &Lab, revoked: bool) -> (Entity, Vec<u8>) {
    let between = Spec::named("Attack Lab Sub", 1011).with(authority()).issued_by(&lab.root, Key::of("sub"));
    let revoked = if revoked { vec![(1011, "20260601000000Z", Some(2))] } else { vec![] };
    (between, Crl { revoked, ..Crl::default() }.of(&lab.root))
}

fn stale_list(lab: &Lab, revoked: bool) -> Vec<u8> {
    let (between, list) = stolen(lab, revoked);
    let dave = Spec::signer("Dave Below", 1012).issued_by(&between, Key::of("dave"));
    let own = Crl { this_update: "20261125000000Z", next_update: "20261205000000Z", ..Crl::default() };
    by(lab, &dave, &[&between], &[list, own.of(&between)], &[])
}

#[test]
fn a_list_that_ran_out_hides_that_the_authority_was_revoked() {
    let lab = Lab::new();
    assert!(passed(&lab, &stale_list(&lab, false)), "control");
    assert!(!passed(&lab, &stale_list(&lab, true)));
}

fn short_lived(lab: &Lab, revoked: bool) -> Vec<u8> {
    let (between, list) = stolen(lab, revoked);
    let spec = Spec { to: "20261201000000Z", locations: false, ..Spec::signer("Dave Below", 1012) };
    let dave = spec.and(extension(NO_REV_AVAIL, false, &tlv(5, &[]))).issued_by(&between, Key::of("dave"));
    by(lab, &dave, &[&between], &[list], &[])
}

#[test]
fn an_end_hides_that_the_authority_was_revoked() {
    let lab = Lab::new();
    assert!(passed(&lab, &short_lived(&lab, false)), "control");
    assert!(!passed(&lab, &short_lived(&lab, true)));
}

/// RFC 5280 §5.1.2.5: the root's list ran out long before Dave signed, and Dave ended, or was revoked, since.
#[test]
fn an_end_hides_that_the_authority_s_status_is_not_known() {
    let lab = Lab::new();
    let between = Spec::named("Attack Lab Sub", 1011).with(authority()).issued_by(&lab.root, Key::of("sub"));
    let spec = |to| Spec { to, locations: false, ..Spec::signer("Dave Below", 1012) };
    let spec = |to| spec(to).and(extension(NO_REV_AVAIL, false, &tlv(5, &[])));
    let old = Crl { this_update: "20260501000000Z", next_update: "20260601000000Z", ..Crl::default() };
    for to in ["20261201000000Z", "20300101000000Z"] {
        let dave = spec(to).issued_by(&between, Key::of("dave"));
        let message = |list: &Crl| by(&lab, &dave, &[&between], &[list.of(&lab.root)], &[lab.ocsp(1003, Status::Good)]);
        assert!(passed(&lab, &message(&Crl::default())), "control, Dave until {to}");
        assert!(!passed(&lab, &message(&old)), "Dave until {to}");
    }
    let dave = Spec::signer("Dave Below", 1012).issued_by(&between, Key::of("dave"));
    let own = Crl { revoked: vec![(1012, "20261124000000Z", Some(4))], ..Crl::default() }.of(&between);
    let message =
        |list: &Crl| by(&lab, &dave, &[&between], &[list.of(&lab.root), own.clone()], &[lab.ocsp(1003, Status::Good)]);
    assert!(passed(&lab, &message(&Crl::default())), "control, Dave revoked");
    assert!(!passed(&lab, &message(&old)), "Dave revoked");
}

/// What ended or was revoked since in good order, with what its issuers say of that (RFC 5280 §3.3, X.509 §9.5.2.9, RFC 6960
/// §4.4.4, EN 319 412-1 §5.2).
#[test]
fn what_ended_in_good_order_passes() {
    let lab = Lab::new();
    let spec = Spec { to: "20261201000000Z", ..Spec::signer("Dave Below", 1012) };
    let short = Spec { locations: false, ..spec.clone() }.and(extension("0.4.0.194121.2.1", false, &tlv(5, &[])));
    let (usual, list) = (lab.crl.clone(), Crl { this_update: "20261215000000Z", ..Crl::default() });
    let since = generalized("20260101000000Z");
    let kept = Crl { extensions: vec![extension("2.5.29.60", false, &since)], ..list.clone() };
    let delegate = Spec::responder("Attack Lab OCSP", 1004).issued_by(&lab.root, Key::of("ocsp"));
    let late = |extensions| {
        let times = ("20261215000000Z", "20261215000000Z");
        let answer = Ocsp { this_update: times.0, produced_at: times.1, extensions, ..Ocsp::about(1012, Status::Good) };
        vec![answer.by(&delegate, &lab.root), lab.ocsp(1003, Status::Good)]
    };
    let cutoff = extension("1.3.6.1.5.5.7.48.1.6", false, &since);
    let revoked = Crl { revoked: vec![(1012, "20261124000000Z", Some(4))], ..Crl::default() };
    let stamps = lab.ocsp(1003, Status::Good);
    let rows = [
        ("a list of before the end", &spec, vec![usual], vec![], true),
        ("a list of after the end", &spec, vec![list.of(&lab.root)], vec![], false),
        ("one that keeps what ended", &spec, vec![kept.of(&lab.root)], vec![], true),
        ("an answer of after the end", &spec, vec![], late(vec![]), false),
        ("one of a responder that keeps what ended", &spec, vec![], late(vec![cutoff]), true),
        ("a certificate of short life", &short, vec![], vec![stamps], true),
        ("revoked since, in good order", &spec, vec![revoked.of(&lab.root)], vec![], true),
    ];
    let mut wrong = vec![];
    for (situation, spec, crls, ocsps, expected) in rows {
        let dave = spec.issued_by(&lab.root, Key::of("dave"));
        if passed(&lab, &by(&lab, &dave, &[], &crls, &ocsps)) != expected {
            wrong.push(situation);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn a_later_revocation_hides_that_the_authority_was_revoked() {
    let lab = Lab::new();
    let (between, list) = stolen(&lab, true);
    let dave = Spec::signer("Dave Below", 1012).issued_by(&between, Key::of("dave"));
    let own = Crl { revoked: vec![(1012, "20261124000000Z", None)], ..Crl::default() };
    let bytes = by(&lab, &dave, &[&between], &[list, own.of(&between)], &[]);
    assert!(!passed(&lab, &bytes));
}

/// Dave ended, below a lower authority that is not what the path allows.
fn below(lab: &Lab, to: &'static str, upper: Vec<Vec<u8>>, lower: Vec<Vec<u8>>, lower_name: &[u8]) -> Vec<u8> {
    let upper = Spec::named("Attack Lab Upper", 1013).with(upper).issued_by(&lab.root, Key::of("upper"));
    let spec = Spec { subject: lower_name.to_vec(), ..Spec::named("", 1014) };
    let lower = spec.with(lower).issued_by(&upper, Key::of("lower"));
    let spec = Spec { to, locations: false, ..Spec::signer("Dave Below", 1012) };
    let dave = spec.and(extension(NO_REV_AVAIL, false, &tlv(5, &[]))).issued_by(&lower, Key::of("dave"));
    by(lab, &dave, &[&upper, &lower], &[lab.crl.clone(), Crl::default().of(&upper)], &[])
}

fn limited_to(length: u64) -> Vec<Vec<u8>> {
    let value = sequence(&[&boolean(true), &integer(length)]);
    vec![extension("2.5.29.19", true, &value), key_usage(&[5, 6])]
}

#[test]
fn an_end_hides_what_the_path_does_not_allow() {
    let lab = Lab::new();
    let name = subject("Attack Lab Lower");
    let other = distinguished(&[("2.5.4.6", "ES"), ("2.5.4.10", "Other"), ("2.5.4.3", "Lower")]);
    let base = distinguished(&[("2.5.4.6", "PT")]);
    let permitted = extension("2.5.29.30", true, &sequence(&[&tlv(0xa0, &[&sequence(&[&tlv(0xa4, &[&base])])])]));
    let unknown = extension("1.2.3.4", true, &utf8("x"));
    let rows: Vec<(&str, Vec<Vec<u8>>, Vec<Vec<u8>>, &[u8])> = vec![
        ("path length 0", limited_to(0), authority(), &name),
        ("no keyCertSign", authority(), vec![basic_constraints(true), key_usage(&[1])], &name),
        ("unknown critical extension", authority(), [authority(), vec![unknown]].concat(), &name),
        ("a name outside of the constraints", [authority(), vec![permitted]].concat(), authority(), &other),
    ];
    let mut wrong = vec![];
    assert!(passed(&lab, &below(&lab, "20261201000000Z", authority(), authority(), &name)));
    for (what, upper, lower, name) in rows {
        for to in ["20300101000000Z", "20261201000000Z"] {
            let bytes = below(&lab, to, upper.clone(), lower.clone(), name);
            if passed(&lab, &bytes) {
                wrong.push(format!("{what}, Dave until {to}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// RFC 6960 §4.2.2.2: a delegate's certificate is issued by a CA.
#[test]
fn a_responder_certified_by_somebody_who_is_no_authority() {
    let lab = Lab::new();
    // The attacker's other certificate is for a web server, and good.
    let spec = Spec::named("www.mallory.example", 1050);
    let server = spec.with(vec![basic_constraints(false), key_usage(&[0]), extended_key_usage(false, &[SERVER_AUTH])]);
    let server = server.issued_by(&lab.root, Key::of("mallory"));
    let responder = Spec::responder("My OCSP", 1).issued_by(&server, Key::of("my-ocsp"));
    let good =
        Ocsp { this_update: "20261231200000Z", produced_at: "20261231200000Z", ..Ocsp::about(1001, Status::Good) };
    let forged = good.by(&responder, &lab.root);
    let honest = [lab.ocsp(1003, Status::Good), lab.ocsp(1050, Status::Good)];
    let bytes = by(&lab, &lab.alice, &[&server], &[], &[vec![forged], honest.to_vec()].concat());
    assert!(!passed(&lab, &bytes));
}

/// The same where the data does not speak for the signer now, but at the time of the time-stamp.
#[test]
fn a_responder_certified_by_somebody_who_is_no_authority_in_the_past() {
    let lab = Lab::new();
    let server = Spec::signer("Mallory", 1050).issued_by(&lab.root, Key::of("mallory"));
    let responder = Spec::responder("My OCSP", 1).issued_by(&server, Key::of("my-ocsp"));
    let forged = Ocsp::about(1001, Status::Good).by(&responder, &lab.root);
    let honest = [lab.ocsp(1003, Status::Good), lab.ocsp(1050, Status::Good)];
    let bytes = by(&lab, &lab.alice, &[&server], &[], &[vec![forged], honest.to_vec()].concat());
    assert!(!passed(&lab, &bytes));
}

/// A XAdES signature without a time-stamp of its own, with an archive time-stamp of 2026-11-26.
fn archived(lab: &Lab, entity: &Entity, stamped: bool) -> String {
    let text = "<text Id=\"T\">I agree.</text>";
    let archived = Some(("xades141:ArchiveTimeStamp", NEWER, [text.to_owned(), String::new()]));
    let references = vec![reference(Some("#T"), text.as_bytes(), &[EXCLUSIVE])];
    let signed = Signature { entity, stamped, archived, ..Signature::over(lab, references) }.xml();
    enclosed(&format!("<doc>{text}</doc>"), &signed)
}

fn facts_of(lab: &Lab, text: &str) -> Facts {
    report(lab, text.as_bytes(), "contract.xml", AT).facts().clone()
}

/// EN 319 102-1 §5.2.8, §5.6.3.4: attributes that are not accepted are not accepted later.
#[test]
fn an_end_makes_attributes_acceptable() {
    let lab = Lab::new();
    let spec = |from, to| Spec { from, to, locations: false, ..Spec::signer("Frank Late", 1042) };
    let frank = |from| spec(from, "20261201000000Z").and(extension(NO_REV_AVAIL, false, &tlv(5, &[])));
    let frank = |from| frank(from).issued_by(&lab.root, Key::of("frank"));
    let good = facts_of(&lab, &archived(&lab, &frank("20260101000000Z"), false));
    assert!(judged(&good, &Policy::eidas(), AT));

    // Signed, he says, before his certificate began.
    let early = facts_of(&lab, &archived(&lab, &frank("20261122000000Z"), false));
    let before = judged(&early, &Policy::eidas(), "2026-11-27T00:00:00Z");
    let after = judged(&early, &Policy::eidas(), AT);

    // A policy that demands a commitment.
    let section = PolicySection::SignedAttributes(Context::Signature);
    let strict = Policy::eidas().with_level(section, RuleName::CommitmentTypeIndication, Level::Fail);
    let strict_before = judged(&good, &strict, "2026-11-27T00:00:00Z");
    let strict_after = judged(&good, &strict, AT);
    assert_eq!((before, after, strict_before, strict_after), (false, false, false, false));
}

/// EN 319 102-1 §5.5.4 6), §5.6.2.2 b): a certificate that was on hold when the signature is known to have existed, and ended
/// since; with another list, older or newer, that does not have it.
#[test]
fn a_hold_at_the_control_time() {
    let mut lab = Lab::new();
    let spec = Spec { to: "20261201000000Z", ..Spec::signer("Frank Late", 1042) };
    let frank = spec.issued_by(&lab.root, Key::of("frank"));
    let silent = |this_update| Crl { this_update, ..Crl::default() };
    let held = |since, issued| Crl { revoked: vec![(1042, since, Some(6))], ..silent(issued) };
    let (usual, before) = (silent("20261125000000Z"), held("20261101000000Z", "20261125000000Z"));
    let rows = [
        ("not at all", &usual, None, true),
        ("since before", &before, None, false),
        ("since before, with an older list", &before, Some(silent("20261030000000Z")), false),
        // A list that is newer than the end need not have it any more: RFC 5280 §3.3.
        ("since before, with a newer list", &before, Some(silent("20261215000000Z")), false),
        ("since before, said after the end", &usual, Some(held("20261101000000Z", "20261202000000Z")), false),
        ("since after", &usual, Some(held("20261128000000Z", "20261129000000Z")), true),
        ("since after, said after the end", &usual, Some(held("20261128000000Z", "20261202000000Z")), true),
    ];
    let mut wrong = vec![];
    for (situation, list, other, expected) in rows {
        lab.crl = list.of(&lab.root);
        lab.evidence = other.map(|list| list.of(&lab.root)).into_iter().collect();
        for stamped in [false, true] {
            let facts = facts_of(&lab, &archived(&lab, &frank, stamped));
            let found = judged(&facts, &Policy::eidas(), AT);
            if found != expected {
                wrong.push(format!("on hold {situation}, stamped {stamped}: passed {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// TS 119 612 §5.5.5: where the trust in the root ended, what the path did not allow is not allowed.
#[test]
fn the_end_of_trust_hides_what_a_key_is_for() {
    let mut lab = Lab::new();
    let stamps = Entity::root("Root of Time", Key::of("root-of-time"));
    lab.anchors.push(stamps.certificate.clone());
    lab.tsa = Spec::timestamp_unit("TSA of Time", 3003).issued_by(&stamps, Key::of("tsa-of-time"));
    lab.evidence.push(Crl::default().of(&stamps));
    let purpose = extended_key_usage(false, &[SERVER_AUTH]);
    let spec = Spec::named("www.mallory.example", 1050).with(vec![basic_constraints(false), key_usage(&[0]), purpose]);
    let server = spec.issued_by(&lab.root, Key::of("mallory"));
    let mut facts = facts_of(&lab, &archived(&lab, &server, true));
    assert!(!judged(&facts, &Policy::eidas(), AT));
    let root = facts.signatures[0].chain.last().expect("a root").clone();
    let root = facts.certificates.iter_mut().find(|one| one.id == root).expect("it is there");
    assert!(root.trust.trusted);
    root.trust.sunset = Some(at("2026-12-01T00:00:00Z"));
    assert!(!judged(&facts, &Policy::eidas(), AT));
}

/// RFC 5280 §6.1.4 (k): whoever has a certificate of an authority whose trust ended signs in anybody's name.
#[test]
fn the_end_of_trust_hides_who_is_no_authority() {
    let mut lab = Lab::new();
    let stamps = Entity::root("Root of Time", Key::of("root-of-time"));
    lab.anchors.push(stamps.certificate.clone());
    lab.tsa = Spec::timestamp_unit("TSA of Time", 3003).issued_by(&stamps, Key::of("tsa-of-time"));
    let (server, _) = own_responder(&lab);
    lab.evidence = vec![Crl::default().of(&stamps), server.certificate.clone()];
    let spec = Spec { locations: false, ..Spec::signer("Alice Honest", 1001) };
    let forged = spec.and(extension(NO_REV_AVAIL, false, &tlv(5, &[]))).issued_by(&server, Key::of("forged"));
    let mut facts = facts_of(&lab, &archived(&lab, &forged, true));
    assert!(!judged(&facts, &Policy::eidas(), AT));
    let root = facts.signatures[0].chain.last().expect("a root").clone();
    let root = facts.certificates.iter_mut().find(|one| one.id == root).expect("it is there");
    assert!(root.trust.trusted);
    root.trust.sunset = Some(at("2026-12-01T00:00:00Z"));
    // The archive time-stamp covers the chain.
    let ids: Vec<_> = facts.certificates.iter().map(|one| one.id.clone()).collect();
    for stamp in &mut facts.timestamps {
        stamp.covered.extend(ids.iter().map(|id| Covered { kind: CoveredKind::Certificate, id: id.clone() }));
    }
    assert!(!judged(&facts, &Policy::eidas(), AT));
}

/// Somebody's certificate for a web server, with which he issues a responder's.
fn own_responder(lab: &Lab) -> (Entity, Entity) {
    let spec = Spec::named("www.mallory.example", 1050);
    let server = spec.with(vec![basic_constraints(false), key_usage(&[0]), extended_key_usage(false, &[SERVER_AUTH])]);
    let server = server.issued_by(&lab.root, Key::of("mallory"));
    let responder = Spec::responder("My OCSP", 1).issued_by(&server, Key::of("my-ocsp"));
    (server, responder)
}

/// RFC 6960 §4.2.2.2, RFC 5280 §6.1.4 (k): about the authority of a time-stamp.
#[test]
fn a_responder_of_no_authority_speaks_for_a_time_stamping_authority() {
    let lab = Lab::new();
    let (server, responder) = own_responder(&lab);
    let forged = Ocsp::about(1003, Status::Good).by(&responder, &lab.root);
    let ocsps = [forged, lab.ocsp(1001, Status::Good), lab.ocsp(1050, Status::Good)];
    let bytes = by(&lab, &lab.alice, &[&server], &[], &ocsps);
    assert!(!passed(&lab, &bytes));
}

/// The same about a certificate that is asked for by itself.
#[test]
fn a_responder_of_no_authority_speaks_for_a_certificate() {
    let lab = Lab::new();
    let (server, responder) = own_responder(&lab);
    let good =
        Ocsp { this_update: "20261231200000Z", produced_at: "20261231200000Z", ..Ocsp::about(1001, Status::Good) };
    let forged = good.by(&responder, &lab.root);
    let mut validator = lab.validator();
    for evidence in [&server.certificate, &lab.ocsp(1050, Status::Good), &forged] {
        validator = validator.evidence(evidence).expect("evidence");
    }
    let report = validator.certificate(&lab.alice.certificate, at(AT)).expect("it is read");
    assert_ne!(report.indication(), Indication::Passed);
}

/// RFC 6960 §4.2.1: thisUpdate is that of the answer.
#[test]
fn an_old_answer_beside_a_new_one() {
    let lab = Lab::new();
    let delegate = Spec::responder("Attack Lab OCSP", 1004).issued_by(&lab.root, Key::of("ocsp"));
    let new =
        Ocsp { this_update: "20261125000000Z", produced_at: "20261125000000Z", ..Ocsp::about(1001, Status::Good) };
    let old =
        Ocsp { this_update: "20260105000000Z", produced_at: "20261125000000Z", ..Ocsp::about(1002, Status::Good) };
    for (what, both) in [("alone", vec![old.clone()]), ("beside", vec![new, old])] {
        let signers: Vec<_> = match what {
            "alone" => vec![lab.signer(&lab.bob, TEXT).at(STAMPED)],
            _ => vec![lab.signer(&lab.alice, TEXT).at(STAMPED), lab.signer(&lab.bob, TEXT).at(STAMPED)],
        };
        let mut data = lab.signed_data(Some(TEXT), TEXT, &signers);
        data.crls = vec![];
        data.ocsps = vec![Ocsp::all_by(&both, &delegate, &lab.root), lab.ocsp(1003, Status::Good)];
        assert!(!passed(&lab, &data.bytes()));
    }
}

/// The same of a time-stamp: whoever has a certificate stamps at what time he likes.
#[test]
fn the_end_of_trust_hides_who_stamps() {
    let mut lab = Lab::new();
    lab.crl = Crl { revoked: vec![(1002, "20260701000000Z", Some(1))], ..Crl::default() }.of(&lab.root);
    let mut facts = facts_of(&lab, &archived(&lab, &lab.bob, true));
    assert!(!judged(&facts, &Policy::eidas(), AT));

    // Another authority made the archive time-stamp.
    let tsa = facts.timestamps[0].signing_certificate.clone().expect("it is known");
    let mut other = facts.certificates.iter().find(|one| one.id == tsa).expect("it is there").clone();
    other.id = Id::new("C-OTHER");
    other.trust.trusted = true;
    other.chain.clear();
    facts.certificates.push(other);
    for stamp in &mut facts.timestamps {
        if stamp.kind == TimestampType::Archive {
            stamp.signing_certificate = Some(Id::new("C-OTHER"));
            stamp.chain = vec![Id::new("C-OTHER")];
            stamp
                .found_certificates
                .iter_mut()
                .filter(|f| f.certificate == tsa)
                .for_each(|f| f.certificate = Id::new("C-OTHER"));
        } else {
            // Somebody's own, of whatever time.
            stamp.production_time = at("2026-06-01T00:00:00Z");
        }
    }
    let stamper = facts.certificates.iter_mut().find(|one| one.id == tsa).expect("it is there");
    stamper.extensions.extended_key_usage = None;
    assert!(!judged(&facts, &Policy::eidas(), AT));
    let root = facts.signatures[0].chain.last().expect("a root").clone();
    let root = facts.certificates.iter_mut().find(|one| one.id == root).expect("it is there");
    root.trust.sunset = Some(at("2026-12-01T00:00:00Z"));
    assert!(!judged(&facts, &Policy::eidas(), AT));
}

/// EN 319 102-1 §5.6.2.4: TRY_LATER, and the authority was revoked before the signature is known to have existed.
#[test]
fn past_validation_of_data_that_is_not_fresh_asks_for_a_proof_before_the_control_time() {
    let mut lab = Lab::new();
    let between = Spec::named("Attack Lab Sub", 1011).with(authority()).issued_by(&lab.root, Key::of("sub"));
    lab.crl = Crl { revoked: vec![(1011, "20261122000000Z", Some(2))], ..Crl::default() }.of(&lab.root);
    let own = Crl { this_update: "20261105000000Z", next_update: "20261205000000Z", ..Crl::default() };
    lab.evidence = vec![between.certificate.clone(), own.of(&between)];
    let dave = Spec::signer("Dave Below", 1012).issued_by(&between, Key::of("dave"));
    let mut facts = facts_of(&lab, &archived(&lab, &dave, false));
    assert!(!judged(&facts, &Policy::eidas(), AT));
    // Another time-stamp of the file covers the old list and the certificate.
    let mut stamp = facts.timestamps[0].clone();
    stamp.id = Id::new("T-OTHER");
    stamp.production_time = at("2026-11-10T00:00:00Z");
    stamp.covered =
        facts.certificates.iter().map(|one| Covered { kind: CoveredKind::Certificate, id: one.id.clone() }).collect();
    stamp
        .covered
        .extend(facts.revocations.iter().map(|one| Covered { kind: CoveredKind::Revocation, id: one.id.clone() }));
    facts.timestamps.push(stamp);
    assert!(!judged(&facts, &Policy::eidas(), AT));
}

/// RFC 3161 §2.4.2: the authority's own attribute names another certificate.
#[test]
fn a_time_stamp_that_names_another_certificate() {
    let lab = Lab::new();
    let mut wrong = vec![];
    for (what, hash) in [("another", sha256(&lab.bob.certificate)), ("nobody's", vec![7; 32])] {
        let mut signer = Signer::of(&lab.alice, TEXT).at(STAMPED);
        let attributes = sorted(&signer.attributes);
        let value = lab.alice.key.sign(&tlv(0x31, &[&attributes]));
        let info = sequence(&[
            &integer(1),
            &oid("1.2.3.4.1"),
            &sequence(&[&sequence(&[&oid(SHA256), &tlv(5, &[])]), &bytes(&sha256(&value))]),
            &integer(7),
            &generalized(STAMPED),
        ]);
        let tsa = &lab.tsa;
        let names = tlv(0x30, &[&tlv(0xa4, &[&tsa.issuer()])]);
        let named = sequence(&[&names, &tsa.serial()]);
        let identifier = sequence(&[&bytes(&hash), &named]);
        let stated = attribute(SIGNING_CERTIFICATE, &sequence(&[&sequence(&[&identifier])]));
        let stamp = Signer::of(tsa, &info).without(CONTENT_TYPE).and(attribute(CONTENT_TYPE, &oid(TST_INFO)));
        let stamp = stamp.without(SIGNING_CERTIFICATE).and(stated);
        let mut token = SignedData::new(Some(&info));
        token.kind = TST_INFO;
        token.signers = vec![stamp.signed(&info)];
        token.certificates = vec![tsa.certificate.clone()];
        signer.unsigned.push(attribute(SIGNATURE_TIMESTAMP, &token.bytes()));
        let mut data = SignedData::new(Some(TEXT));
        data.signers = vec![signer.with_value(&tlv(0xa0, &[&attributes]), &value)];
        data.certificates = vec![lab.alice.certificate.clone()];
        data.crls = vec![Crl { revoked: vec![(1001, "20261123000000Z", None)], ..Crl::default() }.of(&lab.root)];
        if passed(&lab, &data.bytes()) {
            wrong.push(what);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
