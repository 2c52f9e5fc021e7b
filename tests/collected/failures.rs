//! Which failure is named first, where more than one is there: EN 319 102-1 §5.

use super::{Given, Row, TEXT, check, message};
use lacre_testkit::cms::{
    MESSAGE_DIGEST, SIGNATURE_TIMESTAMP, SIGNING_CERTIFICATE, SIGNING_TIME, STAMPED, Signer, Token, attribute,
    signing_certificate,
};
use lacre_testkit::der::{bytes, oid, sequence, sorted, tlv};
use lacre_testkit::lab::Lab;
use lacre_testkit::pki::{Crl, Entity, Key, SHA1, Spec, ecdsa, sha1, sha256};

/// A signer whose certificate is valid between these times.
fn between(lab: &Lab, from: &'static str, to: &'static str) -> Entity {
    Spec { from, to, ..Spec::signer("Carol Brief", 1011) }.issued_by(&lab.root, Key::of("carol"))
}

/// Somebody whose certificate has ended since the signature.
fn expired(lab: &Lab) -> Entity {
    between(lab, "20260101000000Z", "20261201000000Z")
}

/// The list on which Alice is revoked since then.
fn revoked(lab: &Lab, since: &'static str) -> Vec<u8> {
    Crl { revoked: vec![(1001, since, None)], ..Crl::default() }.of(&lab.root)
}

fn signed(lab: &Lab, signer: Signer<'_>, crls: &[&[u8]]) -> Given {
    let digest = signer.digest.clone();
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[signer]);
    data.crls = crls.iter().map(|crl| crl.to_vec()).collect();
    data.digests = vec![digest];
    message(data.bytes())
}

/// A signature without a time-stamp.
fn bare(entity: &Entity) -> Signer<'_> {
    Signer::of(entity, TEXT).at(STAMPED)
}

/// One with a time-stamp.
fn stamped<'a>(lab: &'a Lab, entity: &'a Entity) -> Signer<'a> {
    lab.signer(entity, TEXT).at(STAMPED)
}

/// A message digest by SHA-1, the value still by SHA-256.
fn by_sha1(signer: Signer<'_>) -> Signer<'_> {
    let signer = signer.without(MESSAGE_DIGEST).and(attribute(MESSAGE_DIGEST, &bytes(&sha1(TEXT))));
    Signer { digest: sequence(&[&oid(SHA1)]), ..signer }
}

/// The signature with time-stamps that the row makes over its value.
fn stamped_by(lab: &Lab, signer: Signer<'_>, tokens: &dyn Fn(&[u8]) -> Vec<Vec<u8>>) -> Given {
    let attributes = sorted(&signer.attributes);
    let value = signer.entity.key.sign(&tlv(0x31, &[&attributes]));
    let unsigned = tokens(&value).iter().map(|token| attribute(SIGNATURE_TIMESTAMP, token)).collect();
    signed(lab, Signer { unsigned, ..signer }, &[&lab.crl])
}

/// The value by SHA-1 as well.
fn valued_by_sha1(signer: Signer<'_>) -> Signer<'_> {
    Signer { algorithm: sequence(&[&oid("1.2.840.10045.4.1")]), ..by_sha1(signer) }
}

/// The signature with its time-stamp, where it has one, and in an evidence record where wanted.
fn kept(lab: &Lab, signer: Signer<'_>, recorded: bool) -> Given {
    let attributes = sorted(&signer.attributes);
    let key = &signer.entity.key;
    let signed = tlv(0x31, &[&attributes]);
    let weak = signer.algorithm != ecdsa();
    let value = if weak { key.sign_by_sha1(&signed) } else { key.sign(&signed) };
    let stamp = |(authority, time)| attribute(SIGNATURE_TIMESTAMP, &Token::over(&value, time).by(authority));
    let stamp: Vec<Vec<u8>> = signer.timestamp.map(stamp).into_iter().collect();
    let of = |unsigned: Vec<Vec<u8>>| {
        let signer = Signer { unsigned, timestamp: None, ..signer.clone() };
        let mut data = lab.signed_data(Some(TEXT), TEXT, &[]);
        data.digests = vec![signer.digest.clone()];
        data.certificates = vec![signer.entity.certificate.clone()];
        data.signers = vec![signer.with_value(&tlv(0xa0, &[&attributes]), &value)];
        data.bytes()
    };
    if !recorded {
        return message(of(stamp));
    }
    let record = lab.evidence_record(&[&of(stamp.clone())]);
    message(of([stamp, vec![attribute("1.2.840.113549.1.9.16.2.49", &record)]].concat()))
}

const FAILURES: &[Row] = &[
    (
        "EN 319 102-1 5.5.4",
        "expired since, stamped before",
        |lab| signed(lab, stamped(lab, &expired(lab)), &[&lab.crl]),
        &["CAdES-BASELINE-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "EN 319 102-1 5.2.6",
        "expired, no time-stamp",
        |lab| signed(lab, bare(&expired(lab)), &[&lab.crl]),
        &["CAdES-BASELINE-B INDETERMINATE OUT_OF_BOUNDS_NOT_REVOKED"],
    ),
    (
        "EN 319 102-1 5.2.6",
        "expired, no time-stamp, no revocation data",
        |lab| signed(lab, bare(&expired(lab)), &[]),
        &["CAdES-BASELINE-B INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "EN 319 102-1 5.2.6",
        "expired, no revocation data, stamped before",
        |lab| signed(lab, stamped(lab, &expired(lab)), &[]),
        &[
            "CAdES-BASELINE-T INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE",
            "INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE",
        ],
    ),
    (
        "EN 319 102-1 5.5.4",
        "expired before the time-stamp",
        |lab| signed(lab, stamped(lab, &between(lab, "20260101000000Z", "20261101000000Z")), &[&lab.crl]),
        &["CAdES-BASELINE-B INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE", "PASSED"],
    ),
    (
        "EN 319 102-1 5.5.4",
        "issued after the time-stamp",
        |lab| signed(lab, stamped(lab, &between(lab, "20261125000000Z", "20361101000000Z")), &[&lab.crl]),
        &["CAdES-BASELINE-LT INDETERMINATE SIG_CONSTRAINTS_FAILURE", "PASSED"],
    ),
    (
        "EN 319 102-1 5.2.6",
        "not valid yet",
        |lab| signed(lab, bare(&between(lab, "20350101000000Z", "20361101000000Z")), &[&lab.crl]),
        &["CAdES-BASELINE-B INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "EN 319 102-1 5.2.6",
        "no revocation data",
        |lab| signed(lab, stamped(lab, &lab.alice), &[]),
        &[
            "CAdES-BASELINE-T INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE",
            "INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE",
        ],
    ),
    (
        "EN 319 102-1 5.5.4",
        "revoked after the time-stamp",
        |lab| signed(lab, stamped(lab, &lab.alice), &[&revoked(lab, "20261122000000Z")]),
        &["CAdES-BASELINE-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "EN 319 102-1 5.5.4",
        "revoked before the time-stamp",
        |lab| signed(lab, stamped(lab, &lab.alice), &[&revoked(lab, "20261120000000Z")]),
        &["CAdES-BASELINE-LT INDETERMINATE REVOKED_NO_POE", "PASSED"],
    ),
    (
        "EN 319 102-1 5.2.6",
        "revoked, no time-stamp",
        |lab| signed(lab, bare(&lab.alice), &[&revoked(lab, "20261122000000Z")]),
        &["CAdES-BASELINE-B INDETERMINATE REVOKED_NO_POE"],
    ),
    (
        "EN 319 102-1 5.2.8",
        "a message digest by SHA-1",
        |lab| signed(lab, by_sha1(stamped(lab, &lab.alice)), &[&lab.crl]),
        &["CAdES-BASELINE-LT INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE_NO_POE", "PASSED"],
    ),
    (
        "EN 319 102-1 5.2.8",
        "a message digest by SHA-1, no time-stamp",
        |lab| signed(lab, by_sha1(bare(&lab.alice)), &[&lab.crl]),
        &["CAdES-BASELINE-B INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE_NO_POE"],
    ),
    (
        "EN 319 102-1 5.3.4",
        "a message digest by SHA-1, no revocation data",
        |lab| signed(lab, by_sha1(stamped(lab, &lab.alice)), &[]),
        &[
            "CAdES-BASELINE-T INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE",
            "INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE",
        ],
    ),
    (
        "EN 319 102-1 5.3.4",
        "a message digest by SHA-1, expired",
        |lab| signed(lab, by_sha1(bare(&expired(lab))), &[&lab.crl]),
        &["CAdES-BASELINE-B INDETERMINATE OUT_OF_BOUNDS_NOT_REVOKED"],
    ),
    (
        "EN 319 102-1 5.3.4",
        "a message digest by SHA-1, revoked",
        |lab| signed(lab, by_sha1(bare(&lab.alice)), &[&revoked(lab, "20261122000000Z")]),
        &["CAdES-BASELINE-B INDETERMINATE REVOKED_NO_POE"],
    ),
    (
        "EN 319 102-1 5.6.2.4",
        "a message digest by SHA-1, expired since, in an evidence record",
        |lab| kept(lab, by_sha1(stamped(lab, &expired(lab))), true),
        &["CAdES-ERS INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE_NO_POE", "PASSED", "PASSED"],
    ),
    (
        "EN 319 102-1 5.6.2.4",
        "expired since, in an evidence record",
        |lab| kept(lab, stamped(lab, &expired(lab)), true),
        &["CAdES-ERS TOTAL-PASSED", "PASSED", "PASSED"],
    ),
    (
        "EN 319 102-1 5.6.2.4",
        "a message digest by SHA-1, in an evidence record",
        |lab| kept(lab, by_sha1(stamped(lab, &lab.alice)), true),
        &["CAdES-ERS INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE_NO_POE", "PASSED", "PASSED"],
    ),
    (
        "EN 319 102-1 5.5.4",
        "a value by SHA-1",
        |lab| kept(lab, valued_by_sha1(stamped(lab, &lab.alice)), false),
        &["CAdES-BASELINE-LT INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE_NO_POE", "PASSED"],
    ),
    (
        "EN 319 102-1 5.5.4",
        "a value by SHA-1, expired since",
        |lab| kept(lab, valued_by_sha1(stamped(lab, &expired(lab))), false),
        &["CAdES-BASELINE-LT INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE_NO_POE", "PASSED"],
    ),
    (
        "EN 319 102-1 5.5.4",
        "a value by SHA-1, expired since, in an evidence record",
        |lab| kept(lab, valued_by_sha1(stamped(lab, &expired(lab))), true),
        &["CAdES-ERS INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE_NO_POE", "PASSED", "PASSED"],
    ),
    (
        "EN 319 102-1 5.5.4",
        "a value by SHA-1, expired since, in an evidence record without a time-stamp",
        |lab| kept(lab, valued_by_sha1(bare(&expired(lab))), true),
        &["CAdES-BASELINE-B INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE_NO_POE", "PASSED"],
    ),
    (
        "EN 319 102-1 5.5.4",
        "expired since, in an evidence record without a time-stamp",
        |lab| kept(lab, bare(&expired(lab)), true),
        &["CAdES-BASELINE-B TOTAL-PASSED", "PASSED"],
    ),
    (
        "EN 319 102-1 5.5.4",
        "a message digest by SHA-1, expired since, in an evidence record without a time-stamp",
        |lab| kept(lab, by_sha1(bare(&expired(lab))), true),
        &["CAdES-BASELINE-B INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE_NO_POE", "PASSED"],
    ),
    (
        "EN 319 102-1 5.2.8",
        "no claimed time",
        |lab| signed(lab, stamped(lab, &lab.alice).without(SIGNING_TIME), &[&lab.crl]),
        &["CAdES-LT INDETERMINATE SIG_CONSTRAINTS_FAILURE", "PASSED"],
    ),
    (
        "EN 319 102-1 5.3.4",
        "no claimed time, a message digest by SHA-1",
        |lab| signed(lab, by_sha1(stamped(lab, &lab.alice)).without(SIGNING_TIME), &[&lab.crl]),
        &["CAdES-LT INDETERMINATE SIG_CONSTRAINTS_FAILURE", "PASSED"],
    ),
    (
        "EN 319 102-1 5.3.4",
        "no claimed time, expired",
        |lab| signed(lab, bare(&expired(lab)).without(SIGNING_TIME), &[&lab.crl]),
        &["CAdES-BES INDETERMINATE OUT_OF_BOUNDS_NOT_REVOKED"],
    ),
    (
        "EN 319 102-1 5.3.4",
        "another message digest, expired",
        |lab| {
            let carol = expired(lab);
            let signer = bare(&carol).without(MESSAGE_DIGEST);
            signed(lab, signer.and(attribute(MESSAGE_DIGEST, &bytes(&sha256(b"another")))), &[&lab.crl])
        },
        &["CAdES-BASELINE-B TOTAL-FAILED HASH_FAILURE"],
    ),
    (
        "EN 319 102-1 5.3.4",
        "another certificate named, no revocation data",
        |lab| {
            let signer = stamped(lab, &lab.alice).without(SIGNING_CERTIFICATE);
            signed(lab, signer.and(signing_certificate(b"another")), &[])
        },
        &[
            "CAdES-BASELINE-T INDETERMINATE NO_SIGNING_CERTIFICATE_FOUND",
            "INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE",
        ],
    ),
    (
        "EN 319 102-1 5.5.4",
        "two time-stamps, the first by SHA-1",
        |lab| {
            let tokens = |value: &[u8]| {
                let weak = Token { digest: SHA1, imprint: sha1(value), ..Token::over(b"", STAMPED) };
                vec![weak.by(&lab.tsa), Token::over(value, "20261122120000Z").by(&lab.tsa)]
            };
            stamped_by(lab, bare(&lab.alice), &tokens)
        },
        &["CAdES-BASELINE-LT TOTAL-PASSED", "INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE_NO_POE", "PASSED"],
    ),
    (
        "EN 319 102-1 5.5.4",
        "two time-stamps, the first over another value",
        |lab| {
            let tokens = |value: &[u8]| {
                let other = Token::over(b"another value", STAMPED);
                vec![other.by(&lab.tsa), Token::over(value, "20261122120000Z").by(&lab.tsa)]
            };
            stamped_by(lab, bare(&lab.alice), &tokens)
        },
        &["CAdES-BASELINE-LT TOTAL-PASSED", "FAILED HASH_FAILURE", "PASSED"],
    ),
    (
        "EN 319 102-1 5.5.4",
        "two time-stamps, the later one first",
        |lab| {
            let tokens = |value: &[u8]| {
                let of = |time| Token::over(value, time).by(&lab.tsa);
                vec![of("20261122120000Z"), of(STAMPED)]
            };
            stamped_by(lab, bare(&lab.alice), &tokens)
        },
        &["CAdES-BASELINE-LT TOTAL-PASSED", "PASSED", "PASSED"],
    ),
    (
        "EN 319 102-1 5.4",
        "a time-stamp of a unit that is revoked since",
        |lab| {
            let crl = Crl { revoked: vec![(1003, "20261124000000Z", None)], ..Crl::default() }.of(&lab.root);
            signed(lab, stamped(lab, &lab.alice), &[&crl])
        },
        &["CAdES-BASELINE-LT TOTAL-PASSED", "INDETERMINATE REVOKED_NO_POE"],
    ),
    (
        "EN 319 102-1 5.4",
        "a time-stamp of a unit that has expired",
        |lab| {
            let spec = Spec { to: "20261201000000Z", ..Spec::timestamp_unit("Brief TSA", 1013) };
            let unit = spec.issued_by(&lab.root, Key::of("brief tsa"));
            let signer = Signer { timestamp: Some((&unit, STAMPED)), ..bare(&lab.alice) };
            signed(lab, signer, &[&lab.crl])
        },
        &["CAdES-BASELINE-LT TOTAL-PASSED", "INDETERMINATE OUT_OF_BOUNDS_NOT_REVOKED"],
    ),
    (
        "EN 319 102-1 5.5.4",
        "a time-stamp before the claimed time",
        |lab| {
            let signer = Signer::of(&lab.alice, TEXT).at("20261124120000Z");
            signed(lab, Signer { timestamp: Some((&lab.tsa, STAMPED)), ..signer }, &[&lab.crl])
        },
        &["CAdES-BASELINE-LT TOTAL-PASSED", "PASSED"],
    ),
];

#[test]
fn failures() {
    check(FAILURES, &["signatures", "timestamps"]);
}
