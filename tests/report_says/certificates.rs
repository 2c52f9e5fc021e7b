//! Certificates are named with their dates.

use crate::given::*;
use crate::says::{Row, Says::*, check};
use lacre_core::algorithm::DigestAlgorithm;
use lacre_core::crypto::digest;
use lacre_testkit::cms::{SIGNING_CERTIFICATE, STAMPED, Signer, attribute, signing_certificate};
use lacre_testkit::der::{bytes, oid, sequence, tlv};
use lacre_testkit::pki::*;

pub const ROWS: &[Row] = &[
    (
        "RFC 5280 4.1.2.5",
        "a certificate that has ended, and no proof from before",
        |lab| {
            let spec = Spec { to: "20261225000000Z", ..Spec::signer("Frank Ended", 1042) };
            let frank = spec.issued_by(&lab.root, Key::of("frank"));
            let mut signer = Signer::of(&frank, TEXT).at(STAMPED);
            signer.timestamp = None;
            letter(lab.signed_data(Some(TEXT), TEXT, &[signer]).bytes())
        },
        &[Words(&["Frank Ended", "2026-12-25"])],
    ),
    (
        "RFC 5280 4.1.2.5",
        "a certificate that is not valid yet",
        |lab| {
            let spec = Spec { from: "20271225000000Z", to: "20301225000000Z", ..Spec::signer("Frank Early", 1043) };
            by(lab, &spec.issued_by(&lab.root, Key::of("frank")), std::slice::from_ref(&lab.crl), &[])
        },
        &[Words(&["Frank Early", "2027-12-25"])],
    ),
    (
        "RFC 5280 6.1",
        "an issuer that nobody trusts",
        |lab| {
            let root = Entity::root("Another Root", Key::of("root2"));
            let mallory = Spec::signer("Mallory", 9).issued_by(&root, Key::of("mallory"));
            by(lab, &mallory, std::slice::from_ref(&lab.crl), &[])
        },
        &[Finding("BBB_XCV_CCCBB_SIG_ANS", "Mallory", ""), Words(&["Mallory", "NO_CERTIFICATE_CHAIN_FOUND"])],
    ),
    (
        "EN 319 411-1 6.6.1",
        "a certificate for authorities only",
        |lab| {
            let spec = Spec::named("Key Signer", 1061).with(vec![key_usage(&[5])]);
            by(lab, &spec.issued_by(&lab.root, Key::of("keysigner")), std::slice::from_ref(&lab.crl), &[])
        },
        &[Finding("BBB_XCV_SIGNING_KEY_USAGE_ANS", "Key Signer", "keyCertSign")],
    ),
    (
        "TS 119 312 4.5",
        "a digest function that was reliable until 2009",
        |lab| {
            let mut signer = lab.signer(&lab.alice, TEXT).at(STAMPED);
            signer.digest = sequence(&[&oid("1.3.14.3.2.26")]);
            signer.algorithm = sequence(&[&oid("1.2.840.10045.4.1")]);
            let content = digest(DigestAlgorithm::Sha1, TEXT).expect("SHA-1 is there");
            signer = signer.without("1.2.840.113549.1.9.4").and(attribute("1.2.840.113549.1.9.4", &bytes(&content)));
            letter(lab.signed_data(Some(TEXT), TEXT, &[signer]).bytes())
        },
        &[Words(&["SHA1"])],
    ),
    (
        "EN 319 102-1 5.5.4",
        "a certificate that ended before the time-stamp",
        |lab| issued(lab, &Spec { to: "20261101000000Z", ..Spec::signer("Carol Brief", 1063) }),
        &[
            Words(&["Carol Brief", "2026-11-01 00:00:00 UTC"]),
            Finding("BBB_XCV_IARDPFC_ANS", "Carol Brief", ""),
            Finding("BBB_XCV_REVOC_HAS_CERT_INFO_ANS", "Attack Lab Root", ""),
        ],
    ),
    (
        "EN 319 102-1 5.5.4",
        "a certificate that ended after the time-stamp",
        |lab| issued(lab, &Spec { to: "20261201000000Z", ..Spec::signer("Carol Brief", 1063) }),
        &[
            Words(&["Carol Brief", "2026-11-21 12:00:00 UTC", "TOTAL-PASSED"]),
            Json("/signatures/0/best_signature_time", "2026-11-21T12:00:00Z"),
            Json("/signatures/0/signing_certificate/not_after", "2026-12-01T00:00:00Z"),
        ],
    ),
    (
        "TS 119 312 6.2",
        "a key that is too short",
        by_short_key,
        &[
            Words(&["Sara Short", "RSA", "1024", "2019-10-01", "CRYPTO_CONSTRAINTS_FAILURE_NO_POE"]),
            Finding("ASCCM_AR_ANS_AKSNR", "1", "RSA 1024"),
            Json("/signatures/0/algorithm/key", "1024"),
        ],
    ),
    (
        "RFC 5280 4.2.1.12",
        "a certificate for TLS only",
        |lab| issued(lab, &Spec::signer("Carol Server", 1065).and(extended_key_usage(true, &[SERVER_AUTH]))),
        &[
            Words(&["Carol Server", "CHAIN_CONSTRAINTS_FAILURE"]),
            Finding("BBB_XCV_SIGNING_PURPOSE_ANS", "Carol Server", "1.3.6.1.5.5.7.3.1"),
        ],
    ),
    (
        "RFC 5280 6.1.4 k)",
        "an issuer that is no authority",
        |lab| below(lab, &Spec::signer("Attack Lab End", 1011), &lab.crl),
        &[
            Words(&["Dave Below"]),
            Finding("BBB_XCV_ICAC_ANS", "Attack Lab End", ""),
            Finding("BBB_XCV_PROFILE_ANS", "Attack Lab End", "issued another, but is no CA's"),
        ],
    ),
    (
        "RFC 5280 6.1.4 g)",
        "a name outside those that the authority may certify",
        |lab| {
            let base = tlv(0xa4, &[&distinguished(&[("2.5.4.10", "Permitted Org")])]);
            let names = extension("2.5.29.30", true, &sequence(&[&tlv(0xa0, &[&sequence(&[&base])])]));
            below(lab, &authority_below().and(names), &lab.crl)
        },
        &[Finding("BBB_XCV_DCSBSINC_ANS", "Dave Below", "CN=Dave Below,O=Attack Lab,C=PT")],
    ),
    (
        "RFC 5280 6.1.3 a) 2)",
        "an authority that had ended before the signature",
        |lab| below(lab, &Spec { to: "20260601000000Z", ..authority_below() }, &lab.crl),
        &[
            Words(&["Dave Below", "Attack Lab Sub", "2026-06-01"]),
            Finding("BBB_XCV_CHAIN_NOT_EXPIRED_ANS", "Attack Lab Sub", "2026-06-01T00:00:00Z"),
        ],
    ),
    (
        "RFC 5035 3",
        "the attribute names another certificate",
        |lab| {
            let other = signing_certificate(&lab.bob.certificate);
            message(lab, |signer| signer.without(SIGNING_CERTIFICATE).and(other.clone()))
        },
        &[
            Words(&["Alice Honest", "NO_SIGNING_CERTIFICATE_FOUND"]),
            Finding("BBB_ICS_ICDVV_ANS", "1", ""),
            Finding("BBB_SAV_DSCACRCC_ANS", "1", ""),
        ],
    ),
    (
        "RFC 5280 4.2",
        "a critical extension that nobody knows",
        |lab| {
            let unknown = vec![key_usage(&[0, 1]), extension("1.2.3.4.5", true, &tlv(5, &[]))];
            let eve = Spec::named("Eve Unknown", 1075).with(unknown).issued_by(&lab.root, Key::of("eve"));
            by(lab, &eve, std::slice::from_ref(&lab.crl), &[])
        },
        &[Finding("BBB_XCV_DCCUCE_ANS", "Eve Unknown", "1.2.3.4.5")],
    ),
];

#[test]
fn certificates_are_named_with_their_dates() {
    check(ROWS);
}
