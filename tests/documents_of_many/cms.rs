//! CMS: signers, certificates, revocation data, attributes.

use lacre_testkit::cms::{SIGNATURE_TIMESTAMP, SIGNING_CERTIFICATE, STAMPED, SignedData, Signer, Token, attribute};
use lacre_testkit::der::{bytes, children, integer, oid, sequence, set_of, sorted, tlv, utf8};
use lacre_testkit::lab::Lab;
use lacre_testkit::pki::{self, Crl, Key, SHA256, Spec, Status, entry, extension};

pub const TEXT: &[u8] = b"I, Alice, agree.";

pub fn one(lab: &Lab) -> Signer<'_> {
    lab.signer(&lab.alice, TEXT).at(STAMPED)
}

pub fn with_unsigned(lab: &Lab, unsigned: Vec<Vec<u8>>) -> Vec<u8> {
    let signer = Signer { unsigned, ..one(lab) };
    lab.signed_data(Some(TEXT), TEXT, &[signer]).bytes()
}

/// Signers by EdDSA without signed attributes, whose values are over a content of so many bytes itself: RFC 5652 §5.4, RFC 8419.
pub fn signers_of_a_large_content(lab: &Lab, count: usize, length: usize) -> Vec<u8> {
    let signer = |number: usize| {
        let identifier = sequence(&[&lab.alice.issuer(), &integer(100_000 + number as u64)]);
        let algorithm = sequence(&[&oid("1.3.101.112")]);
        Signer { identifier, algorithm, ..Signer::of(&lab.alice, TEXT) }.with_value(&[], &[0; 64])
    };
    let mut data = SignedData::new(Some(&vec![b'x'; length]));
    data.signers = (0..count).map(signer).collect();
    data.bytes()
}

/// Each names another certificate, which is not there.
pub fn signers(lab: &Lab, count: usize) -> Vec<u8> {
    let signer = |number: usize| Signer {
        identifier: sequence(&[&lab.alice.issuer(), &integer(100_000 + number as u64)]),
        timestamp: None,
        ..Signer::of(&lab.alice, TEXT)
    };
    let mut data = lab.signed_data(Some(TEXT), TEXT, &(0..count).map(signer).collect::<Vec<_>>());
    data.certificates = vec![lab.alice.certificate.clone()];
    data.bytes()
}

pub fn signers_with_certificates(lab: &Lab, count: usize) -> Vec<u8> {
    let key = || Key::of("many");
    let people: Vec<_> = (0..count)
        .map(|number| Spec::signer(&format!("Signer {number}"), 200_000 + number as u64).issued_by(&lab.root, key()))
        .collect();
    let signers: Vec<_> = people.iter().map(|person| Signer::of(person, TEXT)).collect();
    lab.signed_data(Some(TEXT), TEXT, &signers).bytes()
}

/// Signers below a path of so many authorities.
pub fn signers_below(lab: &Lab, count: usize, depth: usize) -> Vec<u8> {
    let mut path: Vec<pki::Entity> = vec![];
    for number in 0..depth {
        let spec = Spec::named(&format!("CA {number}"), 600_000 + number as u64).with(pki::authority());
        let authority = spec.issued_by(path.last().unwrap_or(&lab.root), Key::of(&format!("authority {number}")));
        path.push(authority);
    }
    let issuer = path.last().unwrap_or(&lab.root);
    let one = |number: usize| Spec::signer(&format!("Signer {number}"), 200_000 + number as u64);
    let people: Vec<_> = (0..count).map(|number| one(number).issued_by(issuer, Key::of("many"))).collect();
    let signers: Vec<_> = people.iter().map(|person| Signer::of(person, TEXT)).collect();
    let mut data = lab.signed_data(Some(TEXT), TEXT, &signers);
    data.certificates.extend(path.iter().map(|authority| authority.certificate.clone()));
    data.bytes()
}

/// A signature beside certificates that have the name of the authority, and one of so many keys in turn.
pub fn beside_namesakes(lab: &Lab, count: usize, keys: &[&str]) -> Vec<u8> {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[one(lab)]);
    let other = Spec { subject: lab.root.subject(), ..Spec::named("", 0) }.with(pki::authority());
    data.certificates.extend((0..count).map(|number| {
        let key = Key::of(keys[number % keys.len()]);
        Spec { serial: 300_000 + number as u64, ..other.clone() }.issued_by(&lab.root, key).certificate
    }));
    data.bytes()
}

pub fn certificates(lab: &Lab, count: usize) -> Vec<u8> {
    beside_namesakes(lab, count, &["one", "two", "three", "four", "five", "six", "seven", "eight"])
}

pub fn certificates_of_one_key(lab: &Lab, count: usize) -> Vec<u8> {
    beside_namesakes(lab, count, &["root"])
}

pub fn revocation_lists(lab: &Lab, count: usize) -> Vec<u8> {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[one(lab)]);
    data.crls = (0..count).map(|number| Crl { number: number as u64, ..Crl::default() }.of(&lab.root)).collect();
    data.bytes()
}

pub fn ocsp_responses(lab: &Lab, count: usize) -> Vec<u8> {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[one(lab)]);
    data.ocsps = (0..count).map(|number| lab.ocsp(number as u64, Status::Good)).collect();
    data.bytes()
}

pub fn revoked(lab: &Lab, count: usize) -> Vec<u8> {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[one(lab)]);
    let entries = (0..count).map(|number| entry(400_000 + number as u64, "20260601000000Z", &[])).collect();
    data.crls = vec![Crl { entries, ..Crl::default() }.of(&lab.root)];
    data.bytes()
}

/// A signature by each of so many signers, beside that revocation data; their numbers begin with 500,000.
pub fn signers_beside(lab: &Lab, count: u64, crls: Vec<Vec<u8>>, ocsps: Vec<Vec<u8>>) -> Vec<u8> {
    let one = |number| Spec::signer(&format!("Signer {number}"), number).issued_by(&lab.root, Key::of("many"));
    let entities: Vec<_> = (500_000..500_000 + count).map(one).collect();
    let signers: Vec<_> = entities.iter().map(|signer| Signer::of(signer, TEXT)).collect();
    let mut data = lab.signed_data(Some(TEXT), TEXT, &signers);
    (data.crls, data.ocsps) = (crls, ocsps);
    data.bytes()
}

/// A certificate that names so many places of lists, and lists of as many other places.
pub fn places(lab: &Lab, count: usize) -> Vec<u8> {
    let names = |from: usize| {
        let names = (from..from + 5 * count).map(|number| tlv(0x86, &[format!("{number:06}").as_bytes()]));
        tlv(0xa0, &[&tlv(0xa0, &[&names.collect::<Vec<_>>().concat()])])
    };
    let points = extension("2.5.29.31", false, &sequence(&[&sequence(&[&names(0)])]));
    let spec = Spec { locations: false, ..Spec::signer("Places", 5) };
    let signer = spec.and(points).issued_by(&lab.root, Key::of("many"));
    let place = extension("2.5.29.28", true, &sequence(&[&names(100_000)]));
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[Signer::of(&signer, TEXT)]);
    data.crls = vec![Crl { extensions: vec![place], ..Crl::default() }.of(&lab.root)];
    data.bytes()
}

/// Two authorities and a signer with so many policies.
pub fn policies(lab: &Lab, count: usize) -> Vec<u8> {
    let policies: Vec<_> = (0..5 * count).map(|number| sequence(&[&oid(&format!("1.2.3.{number}"))])).collect();
    let policies = extension("2.5.29.32", false, &sequence(&[&policies.concat()]));
    let explicit = extension("2.5.29.36", true, &sequence(&[&tlv(0x80, &[&[0]])]));
    let authority = |name: &str, number| {
        Spec::named(name, number).with([pki::authority(), vec![policies.clone(), explicit.clone()]].concat())
    };
    let upper = authority("Upper", 6).issued_by(&lab.root, Key::of("upper"));
    let lower = authority("Lower", 7).issued_by(&upper, Key::of("lower"));
    let signer = Spec::signer("Policies", 5).and(policies.clone()).issued_by(&lower, Key::of("many"));
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[Signer::of(&signer, TEXT)]);
    data.certificates.extend([upper.certificate, lower.certificate]);
    data.bytes()
}

pub fn timestamps(lab: &Lab, count: usize) -> Vec<u8> {
    let stamp =
        |number: usize| attribute(SIGNATURE_TIMESTAMP, &Token::over(&number.to_be_bytes(), STAMPED).by(&lab.tsa));
    with_unsigned(lab, (0..count).map(stamp).collect())
}

/// By the archive-time-stamp attribute of version 3 (EN 319 122-1 §5.5.3), over nothing.
pub fn archive_timestamps(lab: &Lab, count: usize) -> Vec<u8> {
    let stamp = |number: usize| attribute("0.4.0.1733.2.4", &Token::over(&number.to_be_bytes(), STAMPED).by(&lab.tsa));
    with_unsigned(lab, (0..count).map(stamp).collect())
}

/// So many time-stamps of that kind in the unsigned attributes, whose imprints are of that function, in a signature with a
/// large value, and with a large attribute of that kind, signed or not. What digests them all digests that again and again.
pub fn stamped_over(lab: &Lab, (kind, count, digest): (&str, usize, &str), large: Large<'_>) -> Vec<u8> {
    let index = sequence(&[&sequence(&[&oid(digest)]), &sequence(&[]), &sequence(&[]), &sequence(&[])]);
    let stamp = |number: usize| {
        let time = format!("{}0101120000Z", 2001 + number % 25);
        let token = Token { digest, ..Token::of(vec![0; 16], &time) };
        attribute(kind, &token.with_unsigned(&lab.tsa, vec![attribute("0.4.0.19122.1.5", &index)]))
    };
    let mut unsigned: Vec<Vec<u8>> = (0..count).map(stamp).collect();
    let mut signer = Signer { timestamp: None, ..Signer::of(&lab.alice, TEXT) };
    let mut value = vec![0; 64];
    match large {
        Large::Signed(length) => signer = signer.and(attribute("1.2.3.4", &bytes(&vec![0; length]))),
        Large::Unsigned(kind, length) => unsigned.push(attribute(kind, &sequence(&[&bytes(&vec![0; length])]))),
        Large::Value(length) => value = vec![0; length],
    }
    signer.unsigned = unsigned;
    let signed = tlv(0xa0, &[&sorted(&signer.attributes)]);
    let mut data = SignedData::new(Some(TEXT));
    data.signers = vec![signer.with_value(&signed, &value)];
    data.bytes()
}

/// What is large in a signature, in bytes.
pub enum Large<'k> {
    /// An attribute that is signed.
    Signed(usize),
    /// One of that kind that is not.
    Unsigned(&'k str, usize),
    /// The value itself.
    Value(usize),
}

pub fn counter_signatures(lab: &Lab, count: usize) -> Vec<u8> {
    let counter = |number: usize| {
        let signer = Signer { timestamp: None, ..Signer::of(&lab.bob, &number.to_be_bytes()) };
        attribute("1.2.840.113549.1.9.6", &signer.signed(&number.to_be_bytes()))
    };
    with_unsigned(lab, (0..count).map(counter).collect())
}

pub fn attributes(lab: &Lab, count: usize) -> Vec<u8> {
    with_unsigned(lab, (0..count).map(|number| attribute(&format!("1.2.3.{number}"), &utf8("x"))).collect())
}

/// Certificates of people who sign nothing.
pub fn others(lab: &Lab, count: usize) -> impl Iterator<Item = Vec<u8>> {
    (0..count).map(|number| {
        let spec = Spec::signer(&format!("Other {number}"), 600_000 + number as u64);
        spec.issued_by(&lab.root, Key::of("many")).certificate
    })
}

/// Each names an issuer and a serial number that no certificate has, among as many certificates.
pub fn certificate_references(lab: &Lab, count: usize) -> Vec<u8> {
    let reference = |number: usize| {
        let name = tlv(0xa4, &[&lab.root.subject()]);
        let issuer = sequence(&[&sequence(&[&name]), &integer(700_000 + number as u64)]);
        sequence(&[&sequence(&[&oid(SHA256)]), &bytes(&pki::sha256(&number.to_be_bytes())), &issuer])
    };
    let references: Vec<Vec<u8>> = (0..count).map(reference).map(|parts| other_cert_id(&parts)).collect();
    let attribute = attribute("1.2.840.113549.1.9.16.2.21", &sequence(&[&references.concat()]));
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[Signer { unsigned: vec![attribute], ..one(lab) }]);
    data.certificates.extend(others(lab, count));
    data.bytes()
}

/// `OtherCertID ::= SEQUENCE { otherCertHash OtherHash, issuerSerial IssuerSerial OPTIONAL }` of an algorithm, a digest, an
/// issuer.
pub fn other_cert_id(parts: &[u8]) -> Vec<u8> {
    let parts = children(parts);
    sequence(&[&sequence(&[&parts[0], &parts[1]]), &parts[2]])
}

/// As many references as certificates, none of which is meant.
pub fn signing_certificate_references(lab: &Lab, count: usize) -> Vec<u8> {
    let reference = |number: usize| sequence(&[&bytes(&pki::sha256(&number.to_be_bytes()))]);
    let references: Vec<Vec<u8>> = (0..count).map(reference).collect();
    let value = sequence(&[&sequence(&[&references.concat()])]);
    let signer = one(lab).without(SIGNING_CERTIFICATE).and(attribute(SIGNING_CERTIFICATE, &value));
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[signer]);
    data.certificates.extend(others(lab, count));
    data.bytes()
}

pub fn of_certificate(lab: &Lab, spec: &Spec) -> Vec<u8> {
    let person = spec.issued_by(&lab.root, Key::of("many"));
    lab.signed_data(Some(TEXT), TEXT, &[Signer::of(&person, TEXT)]).bytes()
}

pub fn name_parts(lab: &Lab, count: usize) -> Vec<u8> {
    let part = |number: usize| set_of(&[sequence(&[&oid("2.5.4.11"), &utf8(&format!("unit {number}"))])]);
    let subject = sequence(&[&(0..count).map(part).collect::<Vec<_>>().concat()]);
    of_certificate(lab, &Spec { subject, ..Spec::signer("", 500_000) })
}

pub fn extensions(lab: &Lab, count: usize) -> Vec<u8> {
    let mut spec = Spec::signer("Many extensions", 500_001);
    spec.extensions.extend((0..count).map(|number| extension(&format!("1.2.3.{number}"), false, &utf8("x"))));
    of_certificate(lab, &spec)
}
