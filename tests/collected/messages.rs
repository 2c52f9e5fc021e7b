//! CMS: levels, and who signed.

use super::{Given, Row, TEXT, check, message};
use lacre_testkit::cms::{
    MESSAGE_DIGEST, SIGNATURE_TIMESTAMP, SIGNING_CERTIFICATE, STAMPED, Signer, Token, attribute, signing_certificate,
};
use lacre_testkit::der::{bytes, oid, sequence, sorted, tlv};
use lacre_testkit::lab::Lab;
use lacre_testkit::pki::{SHA256, sha256};

/// A message by Alice, changed before it is signed.
pub fn by_alice(lab: &Lab, change: impl Fn(Signer<'_>) -> Signer<'_>) -> Given {
    let signer = change(lab.signer(&lab.alice, TEXT).at(STAMPED));
    message(lab.signed_data(Some(TEXT), TEXT, &[signer]).bytes())
}

/// An attribute naming a signature policy by its digest (EN 319 122-1 §5.2.9.1).
pub fn policy() -> Vec<u8> {
    let digest = sequence(&[&sequence(&[&oid(SHA256)]), &bytes(&sha256(b"a policy"))]);
    attribute("1.2.840.113549.1.9.16.2.15", &sequence(&[&oid("1.2.3.4.5"), &digest]))
}

const MESSAGES: &[Row] = &[
    ("EN 319 122-1 6.3", "as it must be", |lab| by_alice(lab, |signer| signer), &["CAdES-BASELINE-LT TOTAL-PASSED"]),
    (
        "EN 319 122-1 6.3",
        "with a policy by its digest",
        |lab| by_alice(lab, |signer| signer.and(policy())),
        &["CAdES-BASELINE-LT TOTAL-PASSED"],
    ),
    (
        "EN 319 122-1 5.2.2",
        "the attribute names another certificate",
        |lab| by_alice(lab, |signer| signer.without(SIGNING_CERTIFICATE).and(signing_certificate(b"another"))),
        &["CAdES-BASELINE-LT INDETERMINATE NO_SIGNING_CERTIFICATE_FOUND"],
    ),
    (
        "EN 319 102-1 5.2.3",
        "no attribute names the certificate",
        |lab| by_alice(lab, |signer| signer.without(SIGNING_CERTIFICATE)),
        &["CMS-NOT-ETSI TOTAL-PASSED"],
    ),
    (
        "EN 319 102-1 5.2.3",
        "nothing names the certificate, and no key verifies the value",
        |lab| {
            let signer = lab.signer(&lab.alice, TEXT).at(STAMPED).without(SIGNING_CERTIFICATE);
            let attributes = signer.attributes.clone();
            let value = lab.bob.key.sign(&tlv(0x31, &[&sorted(&attributes)]));
            let signed = tlv(0xa0, &[&sorted(&attributes)]);
            let mut data = lab.signed_data(Some(TEXT), TEXT, &[]);
            data.certificates = vec![lab.alice.certificate.clone()];
            data.signers = vec![signer.with_value(&signed, &value)];
            message(data.bytes())
        },
        &["CMS-NOT-ETSI TOTAL-FAILED SIG_CRYPTO_FAILURE"],
    ),
    (
        "RFC 5652 5.3",
        "an attribute twice",
        |lab| by_alice(lab, |signer| signer.and(attribute(MESSAGE_DIGEST, &bytes(&sha256(b"another"))))),
        &["CMS-NOT-ETSI TOTAL-FAILED SIG_CRYPTO_FAILURE"],
    ),
    (
        "EN 319 122-1 5.5.3",
        "no certificate",
        |lab| {
            let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(&lab.alice, TEXT).at(STAMPED)]);
            data.certificates = vec![];
            message(data.bytes())
        },
        &["CAdES-LT INDETERMINATE NO_SIGNING_CERTIFICATE_FOUND"],
    ),
    (
        "RFC 3161 2.4.2",
        "the time-stamp names no certificate",
        |lab| {
            by_alice(lab, |signer| {
                let token = Token { with_signing_certificate: false, ..Token::over(b"another value", STAMPED) };
                let token = token.by(&lab.tsa);
                Signer { timestamp: None, unsigned: vec![attribute(SIGNATURE_TIMESTAMP, &token)], ..signer }
            })
        },
        &["CAdES-BASELINE-B TOTAL-PASSED"],
    ),
    (
        "RFC 5652 5.3",
        "the identifier is of another certificate, which is not there, and nothing else names the signer",
        |lab| {
            let signer = lab.signer(&lab.alice, TEXT).at(STAMPED).without(SIGNING_CERTIFICATE);
            let mut data = lab.signed_data(Some(TEXT), TEXT, &[]);
            data.certificates = vec![lab.alice.certificate.clone()];
            data.signers = vec![Signer { identifier: lab.bob.issuer_and_serial(), ..signer }.signed(TEXT)];
            message(data.bytes())
        },
        &["CMS-NOT-ETSI INDETERMINATE NO_SIGNING_CERTIFICATE_FOUND"],
    ),
    (
        "EN 319 122-1 5.2.2",
        "the identifier is of another certificate, the attribute of the signer's",
        |lab| by_alice(lab, |signer| Signer { identifier: lab.bob.issuer_and_serial(), ..signer }),
        &["CAdES-LT INDETERMINATE NO_SIGNING_CERTIFICATE_FOUND"],
    ),
    (
        "EN 319 122-1 5.3",
        "a time-stamp that cannot be read",
        |lab| {
            by_alice(lab, |signer| {
                let unsigned = vec![attribute(SIGNATURE_TIMESTAMP, &bytes(b"no token"))];
                Signer { timestamp: None, unsigned, ..signer }
            })
        },
        &["CAdES-BASELINE-B TOTAL-PASSED"],
    ),
    (
        "RFC 5652 5.3",
        "two signers",
        |lab| {
            let of = |entity| lab.signer(entity, TEXT).at(STAMPED);
            message(lab.signed_data(Some(TEXT), TEXT, &[of(&lab.alice), of(&lab.bob)]).bytes())
        },
        &["CAdES-BASELINE-LT TOTAL-PASSED", "CAdES-BASELINE-LT TOTAL-PASSED"],
    ),
];

#[test]
fn messages() {
    check(MESSAGES, &["signatures"]);
}
