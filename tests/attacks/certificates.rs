//! Certificates that may not sign so, and keys with which anybody signs (RFC 5280, FIPS 186).

use super::Expect::{Finding, FindingOfTimestamp, NotPassed, Passed};
use super::{Given, Row, check};
use lacre_core::{algorithm::DigestAlgorithm, crypto::digest};
use lacre_testkit::cms::*;
use lacre_testkit::der::*;
use lacre_testkit::lab::Lab;
use lacre_testkit::pki::*;

const TEXT: &[u8] = b"I, Alice, agree.";

/// A message by that signer, with certificates of authorities and revocation data.
fn by(lab: &Lab, signer: &Entity, authorities: &[&Entity], crls: &[Vec<u8>]) -> Given {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(signer, TEXT).at(STAMPED)]);
    data.certificates.extend(authorities.iter().map(|authority| authority.certificate.clone()));
    data.crls = crls.to_vec();
    Given::new("letter.p7m", data.bytes())
}

/// By a signer with those extensions, of the root.
fn signer(lab: &Lab, extensions: Vec<Vec<u8>>) -> Given {
    let signer = Spec::named("Carol Other", 1010).with(extensions).issued_by(&lab.root, Key::of("carol"));
    by(lab, &signer, &[], std::slice::from_ref(&lab.crl))
}

/// By a signer of an authority with those extensions besides its own.
fn below(lab: &Lab, more: Vec<Vec<u8>>) -> Given {
    let extensions = [authority(), more].concat();
    let between = Spec::named("Attack Lab Sub", 1011).with(extensions).issued_by(&lab.root, Key::of("sub"));
    let signer = Spec::signer("Dave Below", 1012).issued_by(&between, Key::of("dave"));
    by(lab, &signer, &[&between], &[lab.crl.clone(), Crl::default().of(&between)])
}

/// `NameConstraints` with subtrees of one directory name.
fn names(tag: u8, name: &[u8]) -> Vec<u8> {
    let base = tlv(0xa4, &[name]);
    extension("2.5.29.30", true, &sequence(&[&tlv(tag, &[&sequence(&[&base])])]))
}

/// By a signer of an authority of that validity.
fn below_of(lab: &Lab, from: &'static str, to: &'static str) -> Given {
    let spec = Spec { from, to, ..Spec::named("Attack Lab Sub", 1011).with(authority()) };
    let between = spec.issued_by(&lab.root, Key::of("sub"));
    let signer = Spec::signer("Dave Below", 1012).issued_by(&between, Key::of("dave"));
    by(lab, &signer, &[&between], &[lab.crl.clone(), Crl::default().of(&between)])
}

/// By a signer two authorities below the root, of which the upper one is valid until then.
fn two_below(lab: &Lab, to: &'static str) -> Given {
    let upper = Spec { to, ..Spec::named("Attack Lab Upper", 1013).with(authority()) };
    let upper = upper.issued_by(&lab.root, Key::of("upper"));
    let lower = Spec::named("Attack Lab Lower", 1014).with(authority()).issued_by(&upper, Key::of("lower"));
    let signer = Spec::signer("Dave Below", 1012).issued_by(&lower, Key::of("dave"));
    let lists = [lab.crl.clone(), Crl::default().of(&upper), Crl::default().of(&lower)];
    by(lab, &signer, &[&upper, &lower], &lists)
}

/// By a signer of that name below an authority whose names must not be `O=Attack Lab`.
fn excluded(lab: &Lab, organization: &[u8]) -> Given {
    let attribute = |text: &[u8]| tlv(0x31, &[&sequence(&[&oid("2.5.4.10"), text])]);
    let base = tlv(0xa4, &[&tlv(0x30, &[&attribute(&utf8("Attack Lab"))])]);
    let constraint = extension("2.5.29.30", true, &sequence(&[&tlv(0xa1, &[&sequence(&[&base])])]));
    let spec = Spec { subject: distinguished(&[("2.5.4.3", "Sub")]), ..Spec::named("", 1011) };
    let between = spec.with([authority(), vec![constraint]].concat()).issued_by(&lab.root, Key::of("sub"));
    let name = [attribute(organization), tlv(0x31, &[&sequence(&[&oid("2.5.4.3"), &utf8("Dave Below")])])];
    let spec = Spec { subject: tlv(0x30, &[&name[0], &name[1]]), ..Spec::signer("", 1012) };
    let signer = spec.issued_by(&between, Key::of("dave"));
    by(lab, &signer, &[&between], &[lab.crl.clone(), Crl::default().of(&between)])
}

/// By a signer with that mailbox in `SmtpUTF8Mailbox`, below an authority with subtrees of mailboxes.
fn mailbox(lab: &Lab, tag: u8, base: &str, mailbox: &str) -> Given {
    let constraint = tlv(tag, &[&sequence(&[&tlv(0x81, &[base.as_bytes()])])]);
    let constraint = extension("2.5.29.30", true, &sequence(&[&constraint]));
    let between = Spec::named("Attack Lab Sub", 1011).with([authority(), vec![constraint]].concat());
    let between = between.issued_by(&lab.root, Key::of("sub"));
    let name = tlv(0xa0, &[&oid("1.3.6.1.5.5.7.8.9"), &tlv(0xa0, &[&utf8(mailbox)])]);
    let signer = Spec::signer("Dave Below", 1012).and(extension("2.5.29.17", false, &sequence(&[&name])));
    let signer = signer.issued_by(&between, Key::of("dave"));
    by(lab, &signer, &[&between], &[lab.crl.clone(), Crl::default().of(&between)])
}

const MAILBOXES: &[Row] = &[
    ("RFC 9598 6", "of a host that is permitted", Passed, |lab| {
        mailbox(lab, 0xa0, "example.com", "médecin@example.com")
    }),
    ("RFC 9598 6", "of another host", NotPassed, |lab| mailbox(lab, 0xa0, "example.com", "médecin@example.org")),
    ("RFC 9598 6", "of a host that is excluded", NotPassed, |lab| {
        mailbox(lab, 0xa1, "example.com", "médecin@example.com")
    }),
    ("RFC 9598 6", "of a host that is not excluded", Passed, |lab| {
        mailbox(lab, 0xa1, "example.com", "médecin@example.org")
    }),
    ("RFC 9598 3", "of a host that is not in ASCII", NotPassed, |lab| {
        mailbox(lab, 0xa1, "xn--fa-hia.example", "médecin@faß.example")
    }),
];

#[test]
fn mailboxes_of_all_languages() {
    check(MAILBOXES);
}

/// Paths that are none (RFC 5280 §4, §6.1).
const PATHS: &[Row] = &[
    ("RFC 5280 6.1.3 a) 2)", "the authority had expired before the signature", NotPassed, |lab| {
        below_of(lab, "20260101000000Z", "20260601000000Z")
    }),
    ("RFC 5280 6.1.3 a) 2)", "the authority begins after the time judged for", NotPassed, |lab| {
        below_of(lab, "20280101000000Z", "20360101000000Z")
    }),
    ("RFC 5280 6.1.3 a) 2)", "the upper authority had expired before the signature", NotPassed, |lab| {
        two_below(lab, "20261120000000Z")
    }),
    ("EN 319 102-1 5.5.4", "the upper authority expired after the time-stamp", Passed, |lab| {
        two_below(lab, "20261215000000Z")
    }),
    ("RFC 5280 4.2.1.12", "purposes that cannot be read", NotPassed, |lab| {
        signer(lab, vec![basic_constraints(false), key_usage(&[1]), extension("2.5.29.37", false, &utf8("x"))])
    }),
    ("RFC 5280 4.2.1.12", "no purpose at all", NotPassed, |lab| {
        signer(lab, vec![basic_constraints(false), key_usage(&[1]), extended_key_usage(false, &[])])
    }),
    ("RFC 5280 4.2.1.3", "usages that cannot be read", NotPassed, |lab| {
        signer(lab, vec![basic_constraints(false), extension("2.5.29.15", true, &utf8("x"))])
    }),
    ("RFC 5280 4.2.1.12", "log-on is the only purpose, and the key is for no commitments", NotPassed, |lab| {
        signer(lab, vec![basic_constraints(false), key_usage(&[0]), extended_key_usage(false, &[CLIENT_AUTH])])
    }),
    ("EN 319 412-2 4.3.2", "log-on beside commitments", Passed, |lab| {
        signer(lab, vec![basic_constraints(false), key_usage(&[1]), extended_key_usage(false, &[CLIENT_AUTH])])
    }),
    ("RFC 5280 4.2.1.12", "below an authority for servers alone", NotPassed, |lab| {
        below(lab, vec![extended_key_usage(false, &[SERVER_AUTH])])
    }),
    ("RFC 5280 4.2.1.12", "below an authority for log-on", Passed, |lab| {
        below(lab, vec![extended_key_usage(true, &[CLIENT_AUTH])])
    }),
    ("RFC 5280 4.2.1.9", "keyCertSign of who is no CA", NotPassed, |lab| {
        signer(lab, vec![basic_constraints(false), key_usage(&[1, 5])])
    }),
    ("RFC 5280 4.2.1.5", "policy mappings that are critical, as they should be", Passed, |lab| {
        let policy = |policy: &str| sequence(&[&oid(policy)]);
        let pair = sequence(&[&oid("1.2.3.4"), &oid("1.2.3.5")]);
        let mapping = extension("2.5.29.33", true, &sequence(&[&pair]));
        below(lab, vec![extension("2.5.29.32", false, &sequence(&[&policy("1.2.3.4")])), mapping])
    }),
    ("RFC 5280 6.1.4 k)", "somebody who is trusted, and no CA, issues", NotPassed, |lab| {
        let signer = Spec::signer("Dave Below", 1012).issued_by(&lab.bob, Key::of("dave"));
        by(lab, &signer, &[], &[lab.crl.clone(), Crl::default().of(&lab.bob)]).trusting(&lab.bob.certificate)
    }),
    ("RFC 5280 7.1", "an excluded name", NotPassed, |lab| excluded(lab, &utf8("Attack Lab"))),
    ("RFC 5280 7.1", "the same in a BMPString", NotPassed, |lab| {
        let wide: Vec<u8> = "Attack Lab".bytes().flat_map(|byte| [0, byte]).collect();
        excluded(lab, &tlv(0x1e, &[&wide]))
    }),
    ("RFC 5280 7.1", "the same in a TeletexString, in capitals and with blanks", NotPassed, |lab| {
        excluded(lab, &tlv(0x14, &[b"ATTACK  Lab "]))
    }),
    ("RFC 5280 7.1", "a BMPString that cannot be read", NotPassed, |lab| excluded(lab, &tlv(0x1e, &[b"\0A\0"]))),
    ("RFC 5280 4.2.1.10", "an excluded host that is none, not critical, and the signer has no host", Passed, |lab| {
        let base = sequence(&[&tlv(0x82, &[b"\"\""])]);
        below(lab, vec![extension("2.5.29.30", false, &sequence(&[&tlv(0xa1, &[&base])]))])
    }),
    ("RFC 5280 7.1", "another name", Passed, |lab| excluded(lab, &utf8("Another Lab"))),
];

#[test]
fn paths() {
    check(PATHS);
}

const F13: &[Row] = &[
    ("RFC 5280 6.1.4 g)", "names outside the permitted ones", NotPassed, |lab| {
        below(lab, vec![names(0xa0, &distinguished(&[("2.5.4.10", "Permitted Org")]))])
    }),
    ("RFC 5280 6.1.4 g)", "names within the excluded ones", NotPassed, |lab| {
        below(lab, vec![names(0xa1, &distinguished(&[("2.5.4.6", "PT"), ("2.5.4.10", "Attack Lab")]))])
    }),
    ("RFC 5280 4.2", "an unknown critical extension of the authority", NotPassed, |lab| {
        below(lab, vec![extension("1.2.3.4.5", true, &utf8("x"))])
    }),
    ("RFC 5280 4.2", "an unknown critical extension of the signer", NotPassed, |lab| {
        signer(lab, vec![basic_constraints(false), key_usage(&[1]), extension("1.2.3.4.5", true, &utf8("x"))])
    }),
    ("RFC 5280 4.2.1.12", "the signer may only serve TLS", NotPassed, |lab| {
        signer(lab, vec![basic_constraints(false), key_usage(&[1]), extended_key_usage(true, &[SERVER_AUTH])])
    }),
    ("RFC 5280 4.2.1.3", "the signer may only encipher keys", NotPassed, |lab| {
        signer(lab, vec![basic_constraints(false), key_usage(&[2])])
    }),
    ("EN 319 411-1 6.5.1", "the signer is an authority", Finding, |lab| {
        signer(lab, vec![basic_constraints(true), key_usage(&[1, 5, 6])])
    }),
    ("RFC 5280 6.1.4 k)", "the authority is none", NotPassed, |lab| {
        let between = Spec::signer("Attack Lab End", 1013).issued_by(&lab.root, Key::of("sub"));
        let signer = Spec::signer("Dave Below", 1012).issued_by(&between, Key::of("dave"));
        by(lab, &signer, &[&between], &[lab.crl.clone(), Crl::default().of(&between)])
    }),
    ("RFC 5280 6.1", "nobody vouches for the signer", NotPassed, |lab| {
        let mallory = Entity::root("Mallory", Key::of("mallory"));
        by(lab, &mallory, &[], &[])
    }),
    ("RFC 5280 6.1", "below an authority", Passed, |lab| below(lab, vec![])),
    ("RFC 5280 6.1.4 g)", "names within the permitted ones", Passed, |lab| {
        below(lab, vec![names(0xa0, &distinguished(&[("2.5.4.6", "PT"), ("2.5.4.10", "Attack Lab")]))])
    }),
];

#[test]
fn f13_certificates_that_may_not() {
    check(F13);
}

/// A message by that key, its value made so from the signed attributes.
pub fn keyed(
    lab: &Lab,
    spki: &[u8],
    function: DigestAlgorithm,
    digest_oid: &str,
    algorithm: &str,
    sign: &dyn Fn(&[u8]) -> Vec<u8>,
) -> Given {
    let holder = Spec::signer("Any Body", 1020).for_key(&lab.root, Key::of("nobody"), spki);
    let hashed = digest(function, TEXT).expect("the digest is there");
    let signer = Signer {
        digest: sequence(&[&oid(digest_oid)]),
        algorithm: sequence(&[&oid(algorithm)]),
        ..lab.signer(&holder, TEXT).at(STAMPED).without(MESSAGE_DIGEST).and(attribute(MESSAGE_DIGEST, &bytes(&hashed)))
    };
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[]);
    let attributes = sorted(&signer.attributes);
    let value = sign(&tlv(0x31, &[&attributes]));
    data.signers = vec![signer.with_value(&tlv(0xa0, &[&attributes]), &value)];
    data.certificates = vec![holder.certificate.clone()];
    data.digests = vec![sequence(&[&oid(digest_oid)])];
    Given::new("letter.p7m", data.bytes())
}

/// A key of an Edwards curve, and a value that a key of small order has for everything.
pub fn small(algorithm: &str, point: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let spki = sequence(&[&sequence(&[&oid(algorithm)]), &bits(point)]);
    (spki, [point, &vec![0; point.len()]].concat())
}

/// The neutral element, which is of order 1.
fn neutral(algorithm: &str, length: usize) -> (Vec<u8>, Vec<u8>) {
    small(algorithm, &[vec![1], vec![0; length - 1]].concat())
}

pub const DSA_SHA256: &str = "2.16.840.1.101.3.4.3.2";

/// A DSA key.
pub fn dsa_key(p: &[u8], q: &[u8], g: &[u8], y: &[u8]) -> Vec<u8> {
    let parameters = sequence(&[&unsigned(p), &unsigned(q), &unsigned(g)]);
    sequence(&[&sequence(&[&oid("1.2.840.10040.4.1"), &parameters]), &bits(&unsigned(y))])
}

/// A DSA key: p is 2^3071 + 5, which is 2 modulo 7; g and y are −1, so that every power of them is 1 modulo 7, and
/// r = 1 is a value over everything.
fn dsa(q: u64, base: &dyn Fn(&mut Vec<u8>)) -> Vec<u8> {
    let mut p = vec![0; 384];
    (p[0], p[383]) = (0x80, 5);
    let mut g = p.clone();
    base(&mut g);
    dsa_key(&p, &q.to_be_bytes(), &g, &g)
}

fn dsa_forged(lab: &Lab, spki: &[u8]) -> Given {
    let value = sequence(&[&integer(1), &integer(1)]);
    keyed(lab, spki, DigestAlgorithm::Sha256, SHA256, DSA_SHA256, &|_| value.clone())
}

const K1: &[Row] = &[
    ("FIPS 186-4 4.2", "a DSA key with q = 7: one value for every message", NotPassed, |lab| {
        dsa_forged(lab, &dsa(7, &|g| g[383] = 4))
    }),
    ("FIPS 186-4 4.1", "a DSA key with g = y = 1: one value for every message", NotPassed, |lab| {
        dsa_forged(
            lab,
            &dsa(7, &|g| {
                g.fill(0);
                g[383] = 1;
            }),
        )
    }),
    ("RFC 8032 5.1.7", "an Ed25519 key of small order: one value for every message", NotPassed, |lab| {
        let (spki, value) = neutral("1.3.101.112", 32);
        keyed(lab, &spki, DigestAlgorithm::Sha512, "2.16.840.1.101.3.4.2.3", "1.3.101.112", &|_| value.clone())
    }),
    ("RFC 8032 5.2.7", "an Ed448 key of small order: one value for every message", NotPassed, |lab| {
        let (spki, value) = neutral("1.3.101.113", 57);
        keyed(lab, &spki, DigestAlgorithm::Shake256, "2.16.840.1.101.3.4.2.12", "1.3.101.113", &|_| value.clone())
    }),
];

#[test]
fn k1_keys_with_which_anybody_signs() {
    check(K1);
}

/// A signer whose certificate ended since, and a time-stamp of before by an authority with those purposes.
fn stamped(lab: &Lab, purposes: &[Vec<u8>], change: fn(&mut Token<'_>)) -> Given {
    let spec = Spec { to: "20261201000000Z", ..Spec::signer("Erin Expired", 1030) };
    let erin = spec.issued_by(&lab.root, Key::of("erin"));
    let extensions = [&[basic_constraints(false), key_usage(&[0])][..], purposes].concat();
    let unit = Spec::named("Attack Lab Unit", 1031).with(extensions).issued_by(&lab.root, Key::of("unit"));
    let signer = Signer::of(&erin, TEXT).at(STAMPED);
    let attributes = sorted(&signer.attributes);
    let value = erin.key.sign(&tlv(0x31, &[&attributes]));
    let mut token = Token::over(&value, STAMPED);
    change(&mut token);
    let signer = Signer { unsigned: vec![attribute(SIGNATURE_TIMESTAMP, &token.by(&unit))], ..signer };
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[]);
    data.signers = vec![signer.with_value(&tlv(0xa0, &[&attributes]), &value)];
    data.certificates = vec![erin.certificate.clone()];
    Given::new("letter.p7m", data.bytes())
}

const F17: &[Row] = &[
    ("EN 319 102-1 5.5", "a time-stamp of before the signer's certificate ended", Passed, |lab| {
        stamped(lab, &[extended_key_usage(true, &[TIME_STAMPING])], |_| {})
    }),
    ("RFC 3161 2.3", "the authority's purpose is not critical", FindingOfTimestamp, |lab| {
        stamped(lab, &[extended_key_usage(false, &[TIME_STAMPING])], |_| {})
    }),
    ("RFC 3161 2.3", "the authority has another purpose beside", FindingOfTimestamp, |lab| {
        stamped(lab, &[extended_key_usage(true, &[TIME_STAMPING, CLIENT_AUTH])], |_| {})
    }),
    ("RFC 3161 2.3", "the authority has another purpose", NotPassed, |lab| {
        stamped(lab, &[extended_key_usage(true, &[CLIENT_AUTH])], |_| {})
    }),
    ("RFC 5652 5.3", "a token without signed attributes", NotPassed, |lab| {
        stamped(lab, &[extended_key_usage(true, &[TIME_STAMPING])], |token| token.with_attributes = false)
    }),
    ("RFC 3161 2.4.2", "a token without the signing-certificate attribute", FindingOfTimestamp, |lab| {
        stamped(lab, &[extended_key_usage(true, &[TIME_STAMPING])], |token| token.with_signing_certificate = false)
    }),
];

#[test]
fn f17_time_stamps_that_lack_something() {
    check(F17);
}
