//! CMS with other bytes inside, before or behind, and contents handed in beside it (RFC 5652).

use super::Expect::{Finding, FindingNotWhole, NotPassed, Passed};
use super::{Given, Row, check};
use base64::prelude::*;
use lacre_testkit::cms::*;
use lacre_testkit::der::*;
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::{EVIL, Objects, Pdf};
use lacre_testkit::pki::{Key, Spec};
use lacre_testkit::zip::Zip;

const TEXT: &[u8] = b"I, Alice, agree to pay 100 euros.";
const OTHER: &[u8] = b"I, Alice, agree to pay 900 euros.";

/// SignedData over the text with that after the type of its content.
fn with_content(lab: &Lab, content: Vec<u8>) -> Given {
    let mut data = lab.signed_data(None, TEXT, &[lab.signer(&lab.alice, TEXT).at(STAMPED)]);
    data.content = content;
    Given::new("letter.p7m", data.bytes())
}

fn page() -> Vec<u8> {
    Pdf::page(EVIL, Objects::new()).bytes
}

/// What is signed, then those bytes.
fn followed(lab: &Lab, name: &'static str, behind: &[u8]) -> Given {
    Given::new(name, [&lab.attached(TEXT)[..], behind].concat())
}

/// An algorithm among the digests with that as its parameters.
fn in_digests(lab: &Lab, hidden: &[u8], behind: &[u8]) -> Given {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(&lab.alice, TEXT).at(STAMPED)]);
    data.digests.push(sequence(&[&oid("1.2.3.4"), &bytes(hidden)]));
    Given::new("contract.pdf", [data.bytes(), behind.to_vec()].concat())
}

fn armored(der: &[u8]) -> Vec<u8> {
    let digits = BASE64_STANDARD.encode(der);
    let lines: Vec<&str> = digits.as_bytes().chunks(64).filter_map(|line| std::str::from_utf8(line).ok()).collect();
    format!("-----BEGIN CMS-----\n{}\n-----END CMS-----\n", lines.join("\n")).into_bytes()
}

const F8: &[Row] = &[
    ("EN 319 102-1 5.2.2", "detached, its content and another given", NotPassed, |lab| {
        Given::new("letter.p7s", lab.detached(TEXT)).with("letter.txt", TEXT).with("other.txt", OTHER)
    }),
    ("EN 319 102-1 5.2.2", "detached, another content given first", NotPassed, |lab| {
        Given::new("letter.p7s", lab.detached(TEXT)).with("other.txt", OTHER).with("letter.txt", TEXT)
    }),
    ("EN 319 102-1 5.2.2", "attached, another content given", NotPassed, |lab| {
        Given::new("letter.p7m", lab.attached(TEXT)).with("other.txt", OTHER)
    }),
    ("EN 319 102-1 5.2.2", "a PDF, a content given", NotPassed, |lab| {
        let signed = Pdf::usual().signed(lab, &lacre_testkit::pdf::Field::default());
        Given::new("contract.pdf", signed.bytes).with("other.txt", OTHER)
    }),
    ("EN 319 102-1 5.2.2", "detached, its content given", Passed, |lab| {
        Given::new("letter.p7s", lab.detached(TEXT)).with("letter.txt", TEXT)
    }),
    ("EN 319 102-1 5.2.2", "attached, its own content given", Passed, |lab| {
        Given::new("letter.p7m", lab.attached(TEXT)).with("letter.txt", TEXT)
    }),
];

#[test]
fn f8_contents_that_nobody_signed() {
    check(F8);
}

const F9: &[Row] = &[
    ("RFC 5652 5.2", "content in pieces of BER, other bytes behind them", NotPassed, |lab| {
        let pieces = [b"\x24\x80".to_vec(), bytes(TEXT), b"\0\0".to_vec()].concat();
        with_content(lab, [b"\xa0\x80".to_vec(), pieces, bytes(OTHER), b"\0\0".to_vec()].concat())
    }),
    ("RFC 5652 5.2.1", "content that is a SEQUENCE (PKCS #7 1.5)", Finding, |lab| {
        with_content(lab, tlv(0xa0, &[&tlv(0x30, &[TEXT])]))
    }),
    ("RFC 5652 5.2", "two contents", NotPassed, |lab| {
        with_content(lab, [tlv(0xa0, &[&bytes(TEXT)]), tlv(0xa0, &[&bytes(OTHER)])].concat())
    }),
    ("RFC 5652 5.1", "bytes behind", FindingNotWhole, |lab| followed(lab, "letter.p7m", OTHER)),
    ("ISO 32000-2 7.5.2", "a PDF behind, by name a PDF", NotPassed, |lab| {
        followed(lab, "contract.pdf", &[b"\n".to_vec(), page()].concat())
    }),
    ("ISO 32000-2 7.5.2", "a PDF among the digest algorithms, by name a PDF", NotPassed, |lab| {
        in_digests(lab, &page(), b"")
    }),
    ("ISO 32000-2 7.5.2", "a PDF behind, its header among the digest algorithms", NotPassed, |lab| {
        in_digests(lab, b"%PDF-1.7\n", &[b"\n".to_vec(), page()].concat())
    }),
    ("APPNOTE 4.3", "a ZIP behind, by name a ZIP", NotPassed, |lab| {
        followed(lab, "contract.zip", &Zip::of(&[("contract.txt", OTHER)]).bytes())
    }),
    ("RFC 7468 2", "HTML behind PEM, by name HTML", NotPassed, |lab| {
        let html = format!("<html><body>{EVIL}</body></html>");
        Given::new("contract.html", [armored(&lab.attached(TEXT)), html.into_bytes()].concat())
    }),
    ("RFC 7468 2", "PEM", Passed, |lab| Given::new("letter.pem", armored(&lab.attached(TEXT)))),
    ("RFC 5652 5.2", "content in pieces of BER", Passed, |lab| {
        let pieces = [b"\x24\x80".to_vec(), bytes(&TEXT[..9]), bytes(&TEXT[9..]), b"\0\0".to_vec()].concat();
        with_content(lab, [b"\xa0\x80".to_vec(), pieces, b"\0\0".to_vec()].concat())
    }),
];

#[test]
fn f9_two_files_in_one_message() {
    check(F9);
}

/// Signed by Alice's key with that changed, other certificates beside hers.
fn signed(lab: &Lab, change: impl Fn(Signer<'_>) -> Signer<'_>, certificates: &[&[u8]]) -> Given {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[change(lab.signer(&lab.alice, TEXT).at(STAMPED))]);
    data.certificates = certificates.iter().map(|certificate| certificate.to_vec()).collect();
    Given::new("letter.p7m", data.bytes())
}

/// Another certificate for Alice's key.
fn twin(lab: &Lab) -> lacre_testkit::pki::Entity {
    Spec::signer("Alice Twin CEO", 1009).issued_by(&lab.root, Key::of("alice"))
}

/// `SigningCertificate`, which names a certificate by SHA-1: RFC 2634 §5.4.
fn by_sha1(certificate: &[u8]) -> Vec<u8> {
    let digest =
        lacre_core::crypto::digest(lacre_core::algorithm::DigestAlgorithm::Sha1, certificate).expect("SHA-1 is there");
    attribute("1.2.840.113549.1.9.16.2.12", &sequence(&[&sequence(&[&sequence(&[&bytes(&digest)])])]))
}

const F13: &[Row] = &[
    ("RFC 5035 3", "the attribute names another certificate", NotPassed, |lab| {
        let (alice, bob) = (&lab.alice.certificate, &lab.bob.certificate);
        signed(lab, |signer| signer.without(SIGNING_CERTIFICATE).and(signing_certificate(bob)), &[alice, bob])
    }),
    ("RFC 5652 5.3", "the identifier of the signer names another", Finding, |lab| {
        let other = lab.bob.issuer_and_serial();
        let certificates = [&lab.alice.certificate[..], &lab.bob.certificate];
        signed(lab, |signer| Signer { identifier: other.clone(), ..signer }, &certificates)
    }),
    ("RFC 5035 5", "one attribute names the signer by SHA-1, the other somebody else", NotPassed, |lab| {
        let (alice, bob) = (&lab.alice.certificate, &lab.bob.certificate);
        signed(
            lab,
            |signer| signer.without(SIGNING_CERTIFICATE).and(by_sha1(alice)).and(signing_certificate(bob)),
            &[alice, bob],
        )
    }),
    ("RFC 5652 11", "the attribute twice, the second names another", NotPassed, |lab| {
        let (alice, bob) = (&lab.alice.certificate, &lab.bob.certificate);
        signed(lab, |signer| signer.and(signing_certificate(bob)), &[alice, bob])
    }),
    ("RFC 5035 3", "two certificates for one key: the attribute names one, the signer another", Finding, |lab| {
        let twin = twin(lab);
        let other = twin.issuer_and_serial();
        let certificates = [&lab.alice.certificate[..], &twin.certificate];
        signed(lab, |signer| Signer { identifier: other.clone(), ..signer }, &certificates)
    }),
    ("EN 319 122-1 6.3", "two certificates for one key: the signer names one, the other is there", NotPassed, |lab| {
        signed(lab, |signer| signer.without(SIGNING_CERTIFICATE), &[&twin(lab).certificate])
    }),
    ("RFC 5035 4", "the attribute states another serial number", Finding, |lab| {
        let names = sequence(&[&tlv(0xa4, &[&lab.alice.issuer()])]);
        let identifier = sequence(&[
            &bytes(&lacre_testkit::pki::sha256(&lab.alice.certificate)),
            &sequence(&[&names, &integer(4242)]),
        ]);
        let other = attribute(SIGNING_CERTIFICATE, &sequence(&[&sequence(&[&identifier])]));
        signed(lab, |signer| signer.without(SIGNING_CERTIFICATE).and(other.clone()), &[&lab.alice.certificate])
    }),
];

#[test]
fn f13_who_signed() {
    check(F13);
}

/// Attacks of the literature: they never passed, and never may.
const LITERATURE: &[Row] = &[
    ("RFC 5652 5.4", "the content is another", NotPassed, |lab| with_content(lab, tlv(0xa0, &[&bytes(OTHER)]))),
    ("RFC 5652 5.4", "the signed attributes turned into the content", NotPassed, |lab| {
        let signer = lab.signer(&lab.alice, TEXT).at(STAMPED);
        let attributes = tlv(0x31, &[&sorted(&signer.attributes)]);
        let value = lab.alice.key.sign(&attributes);
        let mut data = lab.signed_data(Some(&attributes), &attributes, &[]);
        data.signers = vec![signer.with_value(&[], &value)];
        data.certificates = vec![lab.alice.certificate.clone()];
        Given::new("letter.p7m", data.bytes())
    }),
    ("RFC 5652 11.2", "messageDigest twice", NotPassed, |lab| {
        let other = attribute(MESSAGE_DIGEST, &bytes(&lacre_testkit::pki::sha256(OTHER)));
        signed(lab, |signer| signer.and(other.clone()), &[&lab.alice.certificate])
    }),
    ("RFC 5652 11.1", "contentType of another type", NotPassed, |lab| {
        let other = attribute(CONTENT_TYPE, &oid(TST_INFO));
        signed(lab, |signer| signer.without(CONTENT_TYPE).and(other.clone()), &[&lab.alice.certificate])
    }),
    ("RFC 5652 5.3", "no messageDigest", NotPassed, |lab| {
        signed(lab, |signer| signer.without(MESSAGE_DIGEST), &[&lab.alice.certificate])
    }),
    ("FIPS 186-5 6.4.2", "a value of r = s = 0", NotPassed, |lab| {
        let signer = Signer { timestamp: None, ..lab.signer(&lab.alice, TEXT).at(STAMPED) };
        let attributes = tlv(0xa0, &[&sorted(&signer.attributes)]);
        let mut data = lab.signed_data(Some(TEXT), TEXT, &[]);
        data.signers = vec![signer.with_value(&attributes, &sequence(&[&integer(0), &integer(0)]))];
        data.certificates = vec![lab.alice.certificate.clone()];
        Given::new("letter.p7m", data.bytes())
    }),
];

#[test]
fn attacks_of_the_literature_on_cms() {
    check(LITERATURE);
}
