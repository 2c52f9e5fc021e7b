//! CMS signatures whose attributes readers see otherwise than the signature value, and archive time-stamps that prove less
//! than they seem to (RFC 5652, EN 319 122-1, TS 101 733).

use super::Expect::{Finding, NotPassed, Passed};
use super::{Given, Row, check};
use lacre_testkit::cms::*;
use lacre_testkit::der::*;
use lacre_testkit::lab::Lab;
use lacre_testkit::pki::{self, Crl, Entity, Key, SHA256, Spec, sha256};

const TEXT: &[u8] = b"I, Alice, agree to pay 100 euros.";
const POLICY: &str = "1.2.840.113549.1.9.16.2.15";
const COMMITMENT: &str = "1.2.840.113549.1.9.16.2.16";
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

#[test]
fn signed_attributes_are_what_the_value_is_over() {
    check(ATTRIBUTES);
}

#[test]
fn archive_time_stamps_prove_what_they_are_over() {
    check(PROOFS);
}
