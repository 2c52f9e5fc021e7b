//! CMS signatures whose attributes readers see otherwise than the signature value, and archive time-stamps that prove less
//! than they seem to (RFC 5652, EN 319 122-1, TS 101 733).

use super::Expect::{Finding, NotPassed, Passed};
use super::{Given, Row, check, facts};
use lacre_core::facts::{Id, TimestampType};
use lacre_testkit::cms::*;
use lacre_testkit::der::*;
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::{Field, Objects, Pdf};
use lacre_testkit::pki::{self, Crl, Entity, Key, SHA256, Spec, sha256};

const TEXT: &[u8] = b"I, Alice, agree to pay 100 euros.";
const POLICY: &str = "1.2.840.113549.1.9.16.2.15";
const COMMITMENT: &str = "1.2.840.113549.1.9.16.2.16";
const SIGNING_CERTIFICATE_V1: &str = "1.2.840.113549.1.9.16.2.12";
const HINTS: &str = "1.2.840.113549.1.9.16.2.4";
const IDENTIFIER: &str = "1.2.840.113549.1.9.16.2.7";
const REFERENCE: &str = "1.2.840.113549.1.9.16.2.10";
const LOCATION: &str = "1.2.840.113549.1.9.16.2.17";
const ROLES: &str = "1.2.840.113549.1.9.16.2.18";
const ROLES_V2: &str = "0.4.0.19122.1.1";
const MEDIA: &str = "0.4.0.1733.2.1";
const VALUES: &str = "1.2.840.113549.1.9.16.2.23";
const REVOCATION_REFS: &str = "1.2.840.113549.1.9.16.2.22";
const CONTENT_TIMESTAMP: &str = "1.2.840.113549.1.9.16.2.20";
const REVOCATION_ARCHIVAL: &str = "1.2.840.113583.1.1.8";
const ARCHIVE_V2: &str = "1.2.840.113549.1.9.16.2.48";

fn letter(data: &SignedData) -> Given {
    Given::new("letter.p7m", data.bytes())
}

fn policy() -> Vec<u8> {
    let hash = sequence(&[&sequence(&[&oid(SHA256)]), &bytes(&sha256(b"the policy"))]);
    attribute(POLICY, &sequence(&[&oid("1.2.3.4.5"), &hash]))
}

fn commitment() -> Vec<u8> {
    attribute(COMMITMENT, &sequence(&[&oid("1.2.840.113549.1.9.16.6.2")]))
}

/// Alice signs with that attribute; somebody else puts the type into pieces afterwards.
fn disguised(lab: &Lab, extra: Vec<u8>) -> Given {
    let signer = lab.signer(&lab.alice, TEXT).at(STAMPED).and(extra.clone());
    let value = lab.alice.key.sign(&tlv(0x31, &[&sorted(&signer.attributes)]));
    let parts = children(&extra);
    let other = sequence(&[&tlv(0x26, &[&parts[0]]), &parts[1]]);
    let sent = signer.attributes.iter().map(|one| if *one == extra { other.clone() } else { one.clone() });
    let sent: Vec<Vec<u8>> = sent.collect();
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[]);
    data.signers = vec![signer.with_value(&tlv(0xa0, &[&sent.concat()]), &value)];
    data.certificates = vec![lab.alice.certificate.clone()];
    letter(&data)
}

/// Alice signs with these attributes.
fn with(lab: &Lab, extra: &[Vec<u8>]) -> Given {
    let mut signer = lab.signer(&lab.alice, TEXT).at(STAMPED);
    signer.attributes.extend_from_slice(extra);
    letter(&lab.signed_data(Some(TEXT), TEXT, &[signer]))
}

/// Alice signs, and this stands among the unsigned attributes.
fn beside(lab: &Lab, unsigned: &[u8]) -> Given {
    let mut signer = lab.signer(&lab.alice, TEXT).at(STAMPED);
    signer.unsigned.push(unsigned.to_vec());
    letter(&lab.signed_data(Some(TEXT), TEXT, &[signer]))
}

/// Alice signs, and this names the signer.
fn named(lab: &Lab, identifier: Vec<u8>) -> Given {
    let signer = Signer { identifier, ..lab.signer(&lab.alice, TEXT).at(STAMPED) };
    letter(&lab.signed_data(Some(TEXT), TEXT, &[signer]))
}

/// `SignerLocation` of these parts.
fn place(parts: &[(u8, &str)]) -> Vec<u8> {
    let parts: Vec<Vec<u8>> = parts.iter().map(|(tag, text)| tlv(*tag, &[&utf8(text)])).collect();
    attribute(LOCATION, &sequence(&[&parts.concat()]))
}

/// `SignerAttribute` or `SignerAttributeV2` with one claim.
fn role(name: &str) -> Vec<u8> {
    sequence(&[&tlv(0xa0, &[&sequence(&[&attribute("2.5.4.72", &utf8(name))])])])
}

/// The same bytes with that tag on an element of them.
fn tagged(mut bytes: Vec<u8>, element: &[u8], tag: u8) -> Vec<u8> {
    let at = bytes.windows(element.len()).position(|part| part == element).expect("the element is there");
    bytes[at] = tag;
    bytes
}

/// Alice signs; then an element of the file is made primitive.
fn primitive(lab: &Lab, element: fn(&Lab) -> Vec<u8>, tag: u8) -> Given {
    let signer = Signer { timestamp: None, ..lab.signer(&lab.alice, TEXT).at(STAMPED) };
    let signer = Signer { unsigned: vec![note()], ..signer };
    let data = lab.signed_data(Some(TEXT), TEXT, &[signer]);
    Given::new("letter.p7m", tagged(data.bytes(), &element(lab), tag))
}

/// An attribute that nobody knows.
fn note() -> Vec<u8> {
    attribute("1.2.3.4", &utf8("x"))
}

const FORMS: &[Row] = &[
    ("X.690 8.14", "all as it should be", Passed, |lab| primitive(lab, |_| note(), 0x30)),
    ("X.690 8.14.4", "signed attributes in a primitive", NotPassed, |lab| {
        let signer = lab.signer(&lab.alice, TEXT).at(STAMPED);
        let value = lab.alice.key.sign(&tlv(0x31, &[&sorted(&signer.attributes)]));
        let mut data = lab.signed_data(Some(TEXT), TEXT, &[]);
        data.signers = vec![signer.with_value(&tlv(0x80, &[&sorted(&signer.attributes)]), &value)];
        data.certificates = vec![lab.alice.certificate.clone()];
        letter(&data)
    }),
    ("X.690 8.14.4", "unsigned attributes in a primitive", NotPassed, |lab| {
        primitive(lab, |_| tlv(0xa1, &[&note()]), 0x81)
    }),
    ("RFC 5652 5.3", "a value, and half of another", Finding, |lab| {
        with(lab, &[sequence(&[&oid("1.2.3.4"), &tlv(0x31, &[&utf8("x"), &[0x0c, 9, 0]])])])
    }),
    ("EN 319 122-1 5.2.6.1", "a role in a primitive", Finding, |lab| {
        let claimed = sequence(&[&attribute("2.5.4.72", &utf8("Clerk"))]);
        with(lab, &[attribute(ROLES_V2, &sequence(&[&tlv(0x80, &[&claimed])]))])
    }),
    ("EN 319 122-1 5.2.3", "qualifiers of a commitment in a primitive", Finding, |lab| {
        let qualifiers = tlv(0x10, &[&sequence(&[&oid("1.2.3")])]);
        with(lab, &[attribute(COMMITMENT, &sequence(&[&oid("1.2.840.113549.1.9.16.6.2"), &qualifiers]))])
    }),
    ("X.690 8.9.1", "an attribute in a primitive", Finding, |lab| primitive(lab, |_| note(), 0x10)),
    ("X.690 8.14.4", "certificates in a primitive", NotPassed, |lab| {
        primitive(lab, |lab| tlv(0xa0, &[&lab.alice.certificate]), 0x80)
    }),
    ("X.690 8.14.4", "revocation lists in a primitive", NotPassed, |lab| {
        primitive(lab, |lab| tlv(0xa1, &[&lab.crl]), 0x81)
    }),
    ("X.690 8.14.3", "the content in a primitive", NotPassed, |lab| {
        primitive(lab, |_| tlv(0xa0, &[&bytes(TEXT)]), 0x80)
    }),
    ("X.690 8.9.1", "the identifier of the signer in a primitive", NotPassed, |lab| {
        primitive(lab, |lab| lab.alice.issuer_and_serial(), 0x10)
    }),
];

const ATTRIBUTES: &[Row] = &[
    ("X.690 8.19.1", "the type of a signed policy in pieces", NotPassed, |lab| disguised(lab, policy())),
    ("X.690 8.19.1", "the type of a signed commitment in pieces", NotPassed, |lab| disguised(lab, commitment())),
    ("EN 319 122-1 5.2.3", "a commitment", Passed, |lab| with(lab, &[commitment()])),
    ("EN 319 122-1 5.2.3", "no commitment", Finding, |lab| with(lab, &[attribute(COMMITMENT, &utf8("x"))])),
    ("EN 319 122-1 5.2.9", "no policy", Finding, |lab| with(lab, &[attribute(POLICY, &utf8("x"))])),
    ("RFC 5652 5.3", "no SET", Finding, |lab| with(lab, &[sequence(&[&oid(POLICY), &utf8("x")])])),
    ("RFC 5652 11", "two policies", Finding, |lab| {
        with(lab, &[policy(), attribute(POLICY, &sequence(&[&oid("1.2.3.4.6")]))])
    }),
    ("RFC 5652 11", "a policy with two values", Finding, |lab| {
        let values = [sequence(&[&oid("1.2.3.4.5")]), sequence(&[&oid("1.2.3.4.6")])];
        with(lab, &[sequence(&[&oid(POLICY), &tlv(0x31, &[&values.concat()])])])
    }),
    ("EN 319 122-1 5.2.9.1", "a policy with a qualifier of no type", Finding, |lab| {
        let qualifiers = sequence(&[&sequence(&[&utf8("x"), &utf8("http://example.invalid/policy")])]);
        with(lab, &[attribute(POLICY, &sequence(&[&oid("1.2.3.4.5"), &qualifiers]))])
    }),
    ("EN 319 122-1 5.2.9.1", "a policy with two digests", Finding, |lab| {
        let hash = |document| sequence(&[&sequence(&[&oid(SHA256)]), &bytes(&sha256(document))]);
        with(lab, &[attribute(POLICY, &sequence(&[&oid("1.2.3.4.5"), &hash(b"one"), &hash(b"other")]))])
    }),
    ("EN 319 122-1 5.2.9.1", "a policy with one qualifier and no list of them", Passed, |lab| {
        let qualifier = sequence(&[&oid("1.2.840.113549.1.9.16.5.1"), &tlv(0x16, &[b"http://example.invalid/policy"])]);
        let hash = sequence(&[&sequence(&[&oid(SHA256)]), &bytes(&[0; 32])]);
        with(lab, &[attribute(POLICY, &sequence(&[&oid("1.2.3.4.5"), &hash, &qualifier]))])
    }),
    ("EN 319 122-1 5.2.3", "no commitment in the attribute", Finding, |lab| {
        with(lab, &[sequence(&[&oid(COMMITMENT), &tlv(0x31, &[])])])
    }),
    ("EN 319 122-1 5.2.3", "a commitment with a qualifier of no type", Finding, |lab| {
        let qualifiers = sequence(&[&sequence(&[&utf8("x")])]);
        with(lab, &[attribute(COMMITMENT, &sequence(&[&oid("1.2.840.113549.1.9.16.6.2"), &qualifiers]))])
    }),
    ("RFC 5652 5.3", "an attribute with something after its values", Finding, |lab| {
        with(lab, &[sequence(&[&oid(HINTS), &tlv(0x31, &[&sequence(&[&oid(DATA)])]), &utf8("x")])])
    }),
    ("X.690 8.19.2", "the type of a commitment with a needless byte", Finding, |lab| {
        let mut padded = oid(COMMITMENT);
        padded[1] += 1;
        padded.insert(3, 0x80);
        let values = tlv(0x31, &[&sequence(&[&oid("1.2.840.113549.1.9.16.6.2")])]);
        with(lab, &[sequence(&[&padded, &values])])
    }),
    ("EN 319 122-1 5.2.3", "two commitments in one attribute", Passed, |lab| {
        let values = ["1.2.840.113549.1.9.16.6.2", "1.2.840.113549.1.9.16.6.5"].map(|kind| sequence(&[&oid(kind)]));
        with(lab, &[sequence(&[&oid(COMMITMENT), &tlv(0x31, &[&values.concat()])])])
    }),
    ("RFC 5652 5.4", "without lengths, and in another order", Passed, |lab| {
        let signer = lab.signer(&lab.alice, TEXT).at(STAMPED).and(commitment());
        let value = lab.alice.key.sign(&tlv(0x31, &[&sorted(&signer.attributes)]));
        let endless = |tag: u8, parts: &[u8]| [&[tag, 0x80], parts, &[0, 0]].concat();
        let reversed = signer.attributes.iter().rev().map(|one| endless(0x30, &children(one).concat()));
        let sent = endless(0xa0, &reversed.collect::<Vec<_>>().concat());
        let mut data = lab.signed_data(Some(TEXT), TEXT, &[]);
        data.signers = vec![signer.with_value(&sent, &value)];
        data.certificates = vec![lab.alice.certificate.clone()];
        letter(&data)
    }),
    ("RFC 5652 5.3", "a signer that is not named", NotPassed, |lab| named(lab, sequence(&[]))),
    ("RFC 5652 5.3", "another one, whose number is in pieces", NotPassed, |lab| {
        let parts = children(&lab.bob.issuer_and_serial());
        named(lab, sequence(&[&parts[0], &tlv(0x22, &[&parts[1]])]))
    }),
    ("RFC 5652 11.3", "two times", Finding, |lab| with(lab, &[attribute(SIGNING_TIME, &time("20200101000000Z"))])),
    ("RFC 5035 3", "two references to the signer", Finding, |lab| {
        with(lab, &[signing_certificate(&lab.alice.certificate), signing_certificate(&lab.alice.certificate)])
    }),
    ("RFC 5035 5.4", "no reference", Finding, |lab| with(lab, &[attribute(SIGNING_CERTIFICATE_V1, &utf8("x"))])),
    ("RFC 2634 2.9", "hints", Passed, |lab| with(lab, &[attribute(HINTS, &sequence(&[&utf8("a"), &oid(DATA)]))])),
    ("RFC 2634 2.9", "no hints", Finding, |lab| with(lab, &[attribute(HINTS, &utf8("x"))])),
    ("RFC 2634 2.7", "two identifiers", Finding, |lab| {
        with(lab, &[attribute(IDENTIFIER, &bytes(b"1")), attribute(IDENTIFIER, &bytes(b"2"))])
    }),
    ("RFC 2634 2.11", "no reference to a content", Finding, |lab| with(lab, &[attribute(REFERENCE, &utf8("x"))])),
    ("EN 319 122-1 5.2.4.2", "a type of media", Passed, |lab| with(lab, &[attribute(MEDIA, &utf8("text/plain"))])),
    ("EN 319 122-1 5.2.4.2", "no type of media", Finding, |lab| with(lab, &[attribute(MEDIA, &integer(1))])),
    ("EN 319 122-1 5.2.5", "a place", Passed, |lab| with(lab, &[place(&[(0xa0, "PT"), (0xa1, "Lisboa")])])),
    ("EN 319 122-1 5.2.5", "two countries", Finding, |lab| with(lab, &[place(&[(0xa0, "PT"), (0xa0, "ES")])])),
    ("EN 319 122-1 5.2.5", "something else beside the country", Finding, |lab| {
        with(lab, &[place(&[(0xa0, "PT"), (0xa3, "ES")])])
    }),
    ("EN 319 122-1 5.2.6.1", "a role", Passed, |lab| with(lab, &[attribute(ROLES_V2, &role("Clerk"))])),
    ("EN 319 122-1 5.2.6.1", "no roles", Finding, |lab| with(lab, &[attribute(ROLES_V2, &utf8("x"))])),
    ("EN 319 122-1 5.2.6.1", "something that is neither claimed nor certified", Finding, |lab| {
        with(lab, &[attribute(ROLES_V2, &sequence(&[&tlv(0xa5, &[&utf8("Director")])]))])
    }),
    ("EN 319 122-1 6.3", "roles of both kinds", Finding, |lab| {
        with(lab, &[attribute(ROLES, &role("Director")), attribute(ROLES_V2, &role("Clerk"))])
    }),
    ("EN 319 122-1 A.1.1.2", "values", Passed, |lab| {
        beside(lab, &attribute(VALUES, &sequence(&[&lab.root.certificate])))
    }),
    ("EN 319 122-1 A.1.1.2", "no values", Finding, |lab| beside(lab, &attribute(VALUES, &utf8("x")))),
    ("EN 319 122-1 A.1.1.2", "values twice", Finding, |lab| {
        let values = attribute(VALUES, &sequence(&[&lab.root.certificate]));
        beside(lab, &[&values[..], &values].concat())
    }),
    ("EN 319 122-1 A.1.2.1", "no references", Finding, |lab| beside(lab, &attribute(REVOCATION_REFS, &utf8("x")))),
    ("RFC 5652 5.3", "what is no unsigned attribute", Finding, |lab| beside(lab, &sequence(&[&oid(VALUES)]))),
];

/// Mallory was revoked on 2026-11-10 by a CA whose key leaked on 2026-12-10; with it he writes in December that he was not.
struct Leak {
    sub: Entity,
    mallory: Entity,
    /// That the CA is revoked.
    revoked: Vec<u8>,
}

impl Leak {
    fn new(lab: &Lab, to: &'static str) -> Self {
        let sub = Spec::named("Leaked CA", 2001).with(pki::authority()).issued_by(&lab.root, Key::of("sub"));
        let mallory = Spec { to, ..Spec::signer("Mallory", 2002) }.issued_by(&sub, Key::of("mallory"));
        let revoked = vec![(2001, "20261210000000Z", Some(1))];
        let revoked = Crl { this_update: "20261220000000Z", number: 9, revoked, ..Crl::default() }.of(&lab.root);
        Self { sub, mallory, revoked }
    }

    fn forged(&self) -> Vec<u8> {
        Crl { this_update: "20261122000000Z", number: 5, ..Crl::default() }.of(&self.sub)
    }

    /// What he signs, with archive time-stamps v2 of one moment: a genuine one, and a copy of it that holds that list.
    fn archived(&self, lab: &Lab, copied: &[u8], genuine_first: bool) -> Given {
        let signer = lab.signer(&self.mallory, TEXT).at(STAMPED).signed(TEXT);
        let mut fields = children(&signer);
        let stamp = children(&fields.pop().expect("unsigned attributes"))[0].clone();
        let mut data = lab.signed_data(Some(TEXT), TEXT, &[]);
        data.certificates =
            [&self.mallory, &self.sub, &lab.tsa].iter().map(|entity| entity.certificate.clone()).collect();
        data.signers = vec![signer.clone()];
        let parts = children(&children(&children(&data.bytes())[1])[0]);
        let stream = [&parts[2..parts.len() - 1].concat()[..], &fields.concat(), &stamp].concat();
        let genuine = Token::over(&stream, "20261122120000Z").by(&lab.tsa);
        let mut parts = children(&children(&children(&genuine)[1])[0]);
        parts.insert(parts.len() - 1, tlv(0xa1, &[copied]));
        let copy = sequence(&[&oid(SIGNED_DATA), &tlv(0xa0, &[&sequence(&[&parts.concat()])])]);
        let tokens = if genuine_first { [&genuine, &copy] } else { [&copy, &genuine] };
        let archives = tokens.map(|token| attribute(ARCHIVE_V2, token)).concat();
        fields.push(tlv(0xa1, &[&stamp, &archives]));
        data.signers = vec![sequence(&[&fields.concat()])];
        let mut given = letter(&data);
        given.evidence = vec![self.revoked.clone()];
        given
    }
}

const ENDED: &str = "20261215000000Z";
const NEVER: &str = "20360101000000Z";

/// The list beside the signature, and nothing that proves when it was made.
fn unproven(lab: &Lab, to: &'static str) -> Given {
    let leak = Leak::new(lab, to);
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(&leak.mallory, TEXT).at(STAMPED)]);
    data.certificates.push(leak.sub.certificate.clone());
    let mut given = letter(&data);
    given.evidence = vec![leak.revoked.clone(), leak.forged()];
    given
}

const PROOFS: &[Row] = &[
    ("TS 101 733 K", "a copy of an archive time-stamp covers the genuine one", NotPassed, |lab| {
        let leak = Leak::new(lab, ENDED);
        leak.archived(lab, &leak.forged(), true)
    }),
    ("TS 101 733 K", "the genuine one covers its copy", NotPassed, |lab| {
        let leak = Leak::new(lab, ENDED);
        leak.archived(lab, &leak.forged(), false)
    }),
    ("EN 319 102-1 5.6.2.2", "the list of a leaked key has no proof", NotPassed, |lab| unproven(lab, NEVER)),
    ("EN 319 102-1 5.6.2.2", "and the certificate has ended", NotPassed, |lab| unproven(lab, ENDED)),
];

/// TS 101 733 annex K: neither is in the imprint of the other. What the copy holds has no proof.
#[test]
fn archive_time_stamps_of_one_moment_do_not_cover_each_other() {
    let lab = Lab::new();
    let leak = Leak::new(&lab, ENDED);
    let digest: String = sha256(&leak.forged()).iter().map(|byte| format!("{byte:02X}")).collect();
    let forged = Id::new(format!("R-{digest}"));
    for genuine_first in [true, false] {
        let given = leak.archived(&lab, &leak.forged(), genuine_first);
        let facts = facts(&lab, &given.bytes);
        let stamps: Vec<_> = facts.timestamps.iter().filter(|one| one.kind == TimestampType::Archive).collect();
        assert_eq!(stamps.len(), 2);
        assert!(facts.revocations.iter().any(|one| one.id == forged), "the list in the copy");
        for stamp in &stamps {
            let covers = |id: &Id| stamp.covered.iter().any(|covered| covered.id == *id);
            assert!(covers(&facts.signatures[0].id), "TS 101 733 K: the signature");
            assert!(!stamps.iter().any(|other| covers(&other.id)), "TS 101 733 K: each other");
            assert!(!covers(&forged), "TS 101 733 K: the list in the copy");
        }
    }
}

/// EN 319 122-1 §5.2.8: a time-stamp over the content is made before the attributes are, and proves nothing of what they hold.
#[test]
fn content_time_stamps_are_over_the_content() {
    let lab = Lab::new();
    let mut document = Pdf::usual();
    document.sign_with(&Field::default(), Objects::new(), |content| {
        let archived = sequence(&[&tlv(0xa0, &[&sequence(&[&lab.crl])])]);
        let signer = lab.signer(&lab.alice, content).and(attribute(REVOCATION_ARCHIVAL, &archived));
        let stamp = Token::over(content, STAMPED).by(&lab.tsa);
        let mut data = lab.signed_data(None, content, &[signer.and(attribute(CONTENT_TIMESTAMP, &stamp))]);
        data.crls.clear();
        data.bytes()
    });
    let facts = facts(&lab, &document.bytes);
    for (kind, expected) in [(TimestampType::Content, false), (TimestampType::Signature, true)] {
        let stamp = facts.timestamps.iter().find(|one| one.kind == kind).expect("a time-stamp");
        let covers = stamp.covered.iter().any(|covered| covered.id == facts.revocations[0].id);
        assert_eq!(covers, expected, "{kind:?}");
    }
}

#[test]
fn structures_are_constructed() {
    check(FORMS);
}

#[test]
fn signed_attributes_are_what_the_value_is_over() {
    check(ATTRIBUTES);
}

#[test]
fn archive_time_stamps_prove_what_they_are_over() {
    check(PROOFS);
}
