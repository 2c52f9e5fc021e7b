//! Every form of a report names subject, reason and date of what is wrong, in each language.
//!
//! Each row makes a document in the laboratory: the clause, the situation, the document, what the report has to name.
//! JSON is asked for the finding; text, HTML and PDF have to say the same sentence about the same subject.

use crypto_bigint::modular::{BoxedMontyForm, BoxedMontyParams};
use crypto_bigint::{BoxedUint, Odd};
use lacre::report::Language;
use lacre::trust::{LotlSigningCertificates, TrustedLists, read};
use lacre::{Document, Policy, Report, Validator};
use lacre_core::algorithm::DigestAlgorithm;
use lacre_core::crypto::digest;
use lacre_testkit::authorities::{Pki, now, time};
use lacre_testkit::cms::{CONTENT_TYPE, SIGNING_CERTIFICATE, STAMPED, Signer, Token, attribute, signing_certificate};
use lacre_testkit::der::{bits, bytes, integer, oid, sequence, sorted, tlv, unsigned, utf8};
use lacre_testkit::jws::url;
use lacre_testkit::lab::{AT, Lab};
use lacre_testkit::pdf::{Field, Pdf, SECOND, line, stream};
use lacre_testkit::pki::*;
use lacre_testkit::trusted_list::{self, List};
use lacre_testkit::xml::{CONTRACT, ENVELOPED, EXCLUSIVE, Signature, enclosed, reference};
use lacre_testkit::zip::FILES;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

const TEXT: &[u8] = b"I, Alice, agree.";
const ALICE: u64 = 1001;
const TSA: u64 = 1003;

/// The languages in which every row is read.
const LANGUAGES: [Language; 3] = [Language::English, Language::German, Language::Estonian];

/// The languages in which every row is read as PDF.
const PDF_LANGUAGES: [Language; 2] = [Language::English, Language::Estonian];

/// What a report has to say.
enum Says {
    /// A finding with that key, about a subject whose name has that part, with that part among the compared values.
    Finding(&'static str, &'static str, &'static str),
    /// These words, in any language: names, dates, codes.
    Words(&'static [&'static str]),
    /// The value at that place of the JSON.
    Json(&'static str, &'static str),
}
use Says::{Finding, Json, Words};

struct Given {
    name: &'static str,
    bytes: Vec<u8>,
    contents: Vec<(&'static str, Vec<u8>)>,
    /// Another validator than the laboratory's.
    validator: Option<Validator>,
}

impl Given {
    fn new(name: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name, bytes: bytes.into(), contents: vec![], validator: None }
    }

    /// Adds a content beside it.
    fn with(mut self, name: &'static str, content: &[u8]) -> Self {
        self.contents.push((name, content.to_vec()));
        self
    }
}

type Row = (&'static str, &'static str, fn(&Lab) -> Given, &'static [Says]);

/// All tables. A test takes its rows from here, so that each is read as PDF as well.
const TABLES: [(&str, &[Row]); 6] = [
    ("revocation", REVOCATION),
    ("timestamps", TIMESTAMPS),
    ("certificates", CERTIFICATES),
    ("lists", LISTS),
    ("names", NAMES),
    ("data", DATA),
];

fn letter(bytes: Vec<u8>) -> Given {
    Given::new("letter.p7m", bytes)
}

fn contract(document: Pdf) -> Given {
    Given::new("contract.pdf", document.bytes)
}

/// A message by that signer with those lists and responses, time-stamped.
fn by(lab: &Lab, signer: &Entity, crls: &[Vec<u8>], ocsps: &[Vec<u8>]) -> Given {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(signer, TEXT).at(STAMPED)]);
    data.crls = crls.to_vec();
    data.ocsps = ocsps.to_vec();
    letter(data.bytes())
}

fn revoked(lab: &Lab, serial: u64, reason: Option<u8>) -> Vec<u8> {
    Crl { revoked: vec![(serial, "20260601000000Z", reason)], ..Crl::default() }.of(&lab.root)
}

/// A message by a signer of that name.
fn called(lab: &Lab, attributes: &[(&str, &str)]) -> Given {
    let spec = Spec { subject: distinguished(attributes), ..Spec::signer("", 1060) };
    by(lab, &spec.issued_by(&lab.root, Key::of("named")), std::slice::from_ref(&lab.crl), &[])
}

/// A message with that time-stamp in the place of the usual one.
fn stamped<'a>(lab: &'a Lab, authority: &'a Entity, time: &'a str) -> Given {
    let mut signer = Signer::of(&lab.alice, TEXT).at(STAMPED);
    signer.timestamp = Some((authority, time));
    letter(lab.signed_data(Some(TEXT), TEXT, &[signer]).bytes())
}

fn crl(lab: &Lab, this_update: &'static str, next_update: &'static str) -> Vec<u8> {
    Crl { this_update, next_update, ..Crl::default() }.of(&lab.root)
}

/// The objects that put a note on the usual page, which has a signature.
const NOTED: &[(u32, &str)] = &[
    (
        3,
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /Annots [6 0 R 20 0 R] >>",
    ),
    (20, "<< /Type /Annot /Subtype /Text /Rect [10 10 30 30] /Contents (A note) >>"),
];

/// Makes a message by Alice, her part changed.
fn message(lab: &Lab, change: impl Fn(Signer<'_>) -> Signer<'_>) -> Given {
    letter(lab.signed_data(Some(TEXT), TEXT, &[change(lab.signer(&lab.alice, TEXT).at(STAMPED))]).bytes())
}

/// Makes a message by a signer of that certificate, which the root issues.
fn issued(lab: &Lab, spec: &Spec) -> Given {
    by(lab, &spec.issued_by(&lab.root, Key::of("carol")), std::slice::from_ref(&lab.crl), &[])
}

/// Makes a message by a signer of an authority of that certificate, below the root, with that list of the root.
fn below(lab: &Lab, spec: &Spec, crl: &[u8]) -> Given {
    let between = spec.issued_by(&lab.root, Key::of("sub"));
    let dave = Spec::signer("Dave Below", 1012).issued_by(&between, Key::of("dave"));
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(&dave, TEXT).at(STAMPED)]);
    data.certificates.push(between.certificate.clone());
    data.crls = vec![crl.to_vec(), Crl::default().of(&between)];
    letter(data.bytes())
}

fn authority_below() -> Spec {
    Spec::named("Attack Lab Sub", 1011).with(authority())
}

/// Makes a message whose value Bob signs as well, or instead of it something else.
fn countersigned(lab: &Lab, over: Option<&[u8]>) -> Given {
    let mut signer = lab.signer(&lab.alice, TEXT).at(STAMPED);
    let attributes = sorted(&signer.attributes);
    let value = lab.alice.key.sign(&tlv(0x31, &[&attributes]));
    let over = over.unwrap_or(&value);
    let counter = Signer::of(&lab.bob, over).without(CONTENT_TYPE).at("20261122120000Z").signed(over);
    signer.unsigned = vec![attribute("1.2.840.113549.1.9.6", &counter)];
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[]);
    data.signers = vec![signer.with_value(&tlv(0xa0, &[&attributes]), &value)];
    data.certificates = vec![lab.alice.certificate.clone(), lab.bob.certificate.clone()];
    letter(data.bytes())
}

/// Makes an evidence record over an object, beside the text.
fn recorded(lab: &Lab, object: &[u8]) -> Given {
    let validator = lab.validator().evidence(&lab.crl).expect("it is a CRL");
    let given = Given::new("record.ers", lab.evidence_record(&[object])).with("archived.txt", TEXT);
    Given { validator: Some(validator), ..given }
}

/// Modulus and private exponent of an RSA key of 1,024 bits, made by OpenSSL, which is no secret.
const MODULUS: &str = "c304892831960ea25653b9056f53b33a40ed36f52cfd709e0fd237820ea32954e83bcfcb96d29026f018d8e3bb14eedd\
    c67973807225ddffe970c5a98feb80b353816b23166f827cf780dc455b5aeb12835e94565773c869a18e8dee067abfb4\
    6255fc843d0d0dbc211bf39f36b9f593983a8a11073b92afb165f2f55d3c9349";
const EXPONENT: &str = "52f71606b479bb4612e5d15bdf8dc33cf02c3aea3936a4f789918c2dd75e50921fae7a6b898190f40fc6f25687db92f7\
    649d7ca6d3690ab5f9b111565eb4f8ee123f42aa9a7573539d5f0192436a76c7ae67258d43680db69c5d9c56282536e4\
    9a9b1d1f3e81c78f5b5ee3af21e97bde1df6ad07bf79f3a529a930ac90d40991";

/// Makes a message by that key: RFC 8017 §8.2.1.
fn by_short_key(lab: &Lab) -> Given {
    let number = |digits: &str| BoxedUint::from_str_radix_with_precision_vartime(digits, 16, 1024).expect("1,024 bits");
    let sha256_identifier = sequence(&[&oid(SHA256), &tlv(5, &[])]);
    let rsa = sequence(&[&oid("1.2.840.113549.1.1.1"), &tlv(5, &[])]);
    let public = sequence(&[&unsigned(&number(MODULUS).to_be_bytes()), &integer(65537)]);
    let spki = sequence(&[&rsa, &bits(&public)]);
    let short = Spec::signer("Sara Short", 1062).for_key(&lab.root, Key::of("nobody"), &spki);
    let algorithm = sequence(&[&oid("1.2.840.113549.1.1.11"), &tlv(5, &[])]);
    let signer = Signer { algorithm, ..Signer::of(&short, TEXT).at(STAMPED) };
    let attributes = sorted(&signer.attributes);
    let info = sequence(&[&sha256_identifier, &bytes(&sha256(&tlv(0x31, &[&attributes])))]);
    let padded = [vec![0, 1], vec![0xff; 125 - info.len()], vec![0], info].concat();
    let modulus = BoxedMontyParams::new_vartime(Odd::new(number(MODULUS)).into_option().expect("it is odd"));
    let padded = BoxedUint::from_be_slice(&padded, 1024).expect("it fits");
    let value = BoxedMontyForm::new(padded, &modulus).pow(&number(EXPONENT)).retrieve().to_be_bytes();
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[]);
    data.signers = vec![signer.with_value(&tlv(0xa0, &[&attributes]), &value)];
    data.certificates = vec![short.certificate.clone()];
    letter(data.bytes())
}

/// Adds a place and a role to the properties of XAdES.
fn at_lisbon(properties: String) -> String {
    const END: &str = "</xades:SignedSignatureProperties>";
    let place = "<xades:SignatureProductionPlaceV2><xades:City>Lisbon</xades:City></xades:SignatureProductionPlaceV2>";
    let role = "<xades:ClaimedRoles><xades:ClaimedRole>Managing Director</xades:ClaimedRole></xades:ClaimedRoles>";
    properties.replace(END, &format!("{place}<xades:SignerRoleV2>{role}</xades:SignerRoleV2>{END}"))
}

/// Makes a seal of an authority on an Estonian list of that next update.
fn sealed(next: &str) -> Given {
    let pki = Pki::at("http://127.0.0.1:9", time("2026-12-30T00:00:00Z"));
    let (union, country) = (trusted_list::Signer::new("LOTL"), trusted_list::Signer::new("EE"));
    let pointers = [
        ("https://lists.example/lotl.xml".to_owned(), "EU", true, vec![&union]),
        ("https://lists.example/EE.xml".to_owned(), "EE", false, vec![&country]),
    ];
    let services = [&pki.authority];
    let lotl =
        List { of_lists: true, territory: "EU", number: 7, information: &[], pointers: &pointers, services: &[] };
    let list =
        List { of_lists: false, territory: "EE", number: 62, information: &[], pointers: &[], services: &services };
    let sources = vec![
        read("lotl.xml", &union.signed(&lotl.text_until(Some(time("2036-01-01T00:00:00Z")))), Some(now())),
        read("EE.xml", &country.signed(&list.text_until(Some(time(next)))), Some(now())),
    ];
    let signing = LotlSigningCertificates::of(std::slice::from_ref(&union.certificate));
    let validator = Validator::new(Policy::eidas()).trusted_lists(&TrustedLists::assemble(sources, &signing));
    let validator = validator.evidence(&pki.crl(false)).expect("it is a CRL");
    Given { validator: Some(validator), ..letter(pki.signed(b"a deed")) }
}

const REVOCATION: &[Row] = &[
    (
        "RFC 5280 5.3.1",
        "revoked, with a reason",
        |lab| by(lab, &lab.alice, &[revoked(lab, ALICE, Some(1))], &[]),
        &[
            Words(&["Alice Honest", "2026-06-01 00:00:00 UTC", "keyCompromise", "CRL", "Attack Lab Root"]),
            Json("/revocations/0/reason", "keyCompromise"),
            Json("/revocations/0/status", "REVOKED"),
            Json("/revocations/0/revocation_time", "2026-06-01T00:00:00Z"),
            Json("/revocations/0/producer", "Attack Lab Root"),
            Finding("BBB_XCV_ISCR_ANS", "Alice Honest", ""),
        ],
    ),
    (
        "RFC 5280 5.3.1",
        "revoked, without a reason",
        |lab| by(lab, &lab.alice, &[revoked(lab, ALICE, None)], &[]),
        &[Words(&["2026-06-01 00:00:00 UTC"]), Json("/revocations/0/reason", "unspecified")],
    ),
    (
        "RFC 6960 2.2",
        "an OCSP response says revoked",
        |lab| {
            let said = [lab.ocsp(ALICE, Status::Revoked("20260601000000Z")), lab.ocsp(TSA, Status::Good)];
            by(lab, &lab.alice, &[], &said)
        },
        &[Words(&["2026-06-01 00:00:00 UTC", "OCSP", "Attack Lab OCSP", "2026-11-25 00:00:00 UTC"])],
    ),
    (
        "RFC 5280 5",
        "not revoked: who says so, and when",
        |lab| by(lab, &lab.alice, std::slice::from_ref(&lab.crl), &[]),
        &[Words(&["Alice Honest", "CRL", "Attack Lab Root"]), Json("/revocations/0/status", "GOOD")],
    ),
    (
        "EN 319 102-1 5.2.5",
        "no revocation data",
        |lab| by(lab, &lab.alice, &[], &[]),
        &[Finding("BBB_XCV_IRDPFC_ANS", "Alice Honest", "")],
    ),
    (
        "EN 319 102-1 5.2.5",
        "only a list that ended before the signature",
        |lab| by(lab, &lab.alice, &[crl(lab, "20260201000000Z", "20260301000000Z")], &[]),
        &[Words(&["Attack Lab Root", "2026-02-01"])],
    ),
    (
        "RFC 5280 5.1.2.4",
        "a list of the future",
        |lab| by(lab, &lab.alice, &[crl(lab, "20300101000000Z", "20310101000000Z")], &[]),
        &[Words(&["2030-01-01"])],
    ),
    (
        "RFC 5280 5.3.1",
        "the time-stamping authority is revoked",
        |lab| by(lab, &lab.alice, &[revoked(lab, TSA, Some(4))], &[]),
        &[Words(&["Attack Lab TSA", "superseded", "2026-06-01"])],
    ),
    (
        "RFC 5280 5.3.1",
        "suspended",
        |lab| by(lab, &lab.alice, &[revoked(lab, ALICE, Some(6))], &[]),
        &[
            Words(&["Alice Honest", "2026-06-01 00:00:00 UTC", "certificateHold", "TRY_LATER"]),
            Finding("BBB_XCV_ISCOH_ANS", "Alice Honest", ""),
            Finding("ADEST_ISTPTBST_ANS", "Alice Honest", "2026-06-01T00:00:00Z"),
            Json("/revocations/0/reason", "certificateHold"),
        ],
    ),
    (
        "EN 319 102-1 5.5.4",
        "the key is compromised after the time-stamp",
        |lab| {
            let list = Crl { revoked: vec![(ALICE, "20261122000000Z", Some(1))], ..Crl::default() };
            by(lab, &lab.alice, &[list.of(&lab.root)], &[])
        },
        &[
            Words(&["Alice Honest", "2026-11-22 00:00:00 UTC", "keyCompromise", "TOTAL-PASSED"]),
            Words(&["2026-11-21 12:00:00 UTC"]),
            Json("/revocations/0/revocation_time", "2026-11-22T00:00:00Z"),
            Json("/signatures/0/best_signature_time", "2026-11-21T12:00:00Z"),
        ],
    ),
    (
        "RFC 5280 5.1.2.5",
        "the list about the time-stamping authority had run out before the time-stamp",
        |lab| by(lab, &lab.alice, &[crl(lab, "20260201000000Z", "20260301000000Z")], &[lab.ocsp(ALICE, Status::Good)]),
        &[
            Words(&["Attack Lab TSA", "2026-02-01 00:00:00 UTC", "TRY_LATER"]),
            Finding("BBB_XCV_REVOC_CURRENT_ANS", "Attack Lab Root", "2026-03-01T00:00:00Z"),
            Finding("BBB_RFC_IRIF_ANS", "Attack Lab OCSP", ""),
        ],
    ),
    (
        "RFC 5280 6.3.3",
        "the authority above the signer is revoked",
        |lab| below(lab, &authority_below(), &revoked(lab, 1011, Some(2))),
        &[
            Words(&["Dave Below", "Attack Lab Sub", "2026-06-01 00:00:00 UTC", "cACompromise", "REVOKED_CA_NO_POE"]),
            Finding("BBB_XCV_ISCR_ANS", "Attack Lab Sub", ""),
            Finding("ADEST_IRTPTBST_ANS", "Attack Lab Sub", "2026-06-01T00:00:00Z"),
        ],
    ),
    (
        "RFC 6960 4.2.2.2",
        "a responder of another authority says good",
        |lab| {
            let root = Entity::root("Another Root", Key::of("root2"));
            let responder = Spec::responder("Another OCSP", 2001).issued_by(&root, Key::of("ocsp2"));
            let good = Ocsp::about(ALICE, Status::Good).by(&responder, &lab.root);
            by(lab, &lab.alice, &[], &[good, lab.ocsp(TSA, Status::Good)])
        },
        &[
            Words(&["Another OCSP", "2026-11-22 00:00:00 UTC"]),
            Finding("BBB_XCV_CCCBB_REV_ANS", "Another OCSP", ""),
            Finding("BBB_XCV_IARDPFC_ANS", "Alice Honest", ""),
        ],
    ),
];

#[test]
fn revocation_status_date_reason_and_producer() {
    check("revocation");
}

const TIMESTAMPS: &[Row] = &[
    (
        "EN 319 102-1 5.4",
        "a time-stamp that counts",
        |lab| by(lab, &lab.alice, std::slice::from_ref(&lab.crl), &[]),
        &[Words(&["Attack Lab TSA", "2026-11-21 12:00:00 UTC", "PASSED"])],
    ),
    (
        "EN 319 102-1 5.4",
        "an authority that nobody trusts",
        |lab| {
            let root = Entity::root("Another Root", Key::of("root2"));
            let tsa = Spec::timestamp_unit("Unknown TSA", 7).issued_by(&root, Key::of("tsa2"));
            stamped(lab, &tsa, STAMPED)
        },
        &[Words(&["Unknown TSA", "2026-11-21 12:00:00 UTC", "NO_CERTIFICATE_CHAIN_FOUND"])],
    ),
    (
        "EN 319 102-1 5.4",
        "an authority whose certificate had ended",
        |lab| {
            let spec = Spec { to: "20261101000000Z", ..Spec::timestamp_unit("Ended TSA", 8) };
            let tsa = spec.issued_by(&lab.root, Key::of("tsa3"));
            stamped(lab, &tsa, STAMPED)
        },
        &[Words(&["Ended TSA", "2026-11-01"])],
    ),
    (
        "RFC 3161 2.4.2",
        "a time-stamp over something else",
        |lab| {
            let mut signer = Signer::of(&lab.alice, TEXT).at(STAMPED);
            signer.unsigned =
                vec![attribute("1.2.840.113549.1.9.16.2.14", &Token::over(b"something else", STAMPED).by(&lab.tsa))];
            letter(lab.signed_data(Some(TEXT), TEXT, &[signer]).bytes())
        },
        &[Words(&["Attack Lab TSA", "HASH_FAILURE"])],
    ),
    (
        "EN 319 102-1 5.5",
        "two time-stamps, of which the second is over something else",
        |lab| {
            let mut signer = lab.signer(&lab.alice, TEXT).at(STAMPED);
            signer.unsigned.push(attribute(
                "1.2.840.113549.1.9.16.2.14",
                &Token::over(b"something else", "20261122120000Z").by(&lab.tsa),
            ));
            letter(lab.signed_data(Some(TEXT), TEXT, &[signer]).bytes())
        },
        &[Words(&["HASH_FAILURE", "2026-11-22 12:00:00 UTC", "2026-11-21 12:00:00 UTC"])],
    ),
    (
        "RFC 3161 2.4.2",
        "a time-stamp of the future",
        |lab| stamped(lab, &lab.tsa, "20280101000000Z"),
        &[Words(&["2028-01-01 00:00:00 UTC"])],
    ),
    (
        "EN 319 102-1 5.4",
        "an authority whose certificate has ended since",
        |lab| {
            let spec = Spec { to: "20261201000000Z", ..Spec::timestamp_unit("Brief TSA", 8) };
            stamped(lab, &spec.issued_by(&lab.root, Key::of("tsa3")), STAMPED)
        },
        &[
            Words(&["Brief TSA", "2026-11-21 12:00:00 UTC", "2026-12-01 00:00:00 UTC", "OUT_OF_BOUNDS_NOT_REVOKED"]),
            Finding("BBB_XCV_ICTIVRSC_ANS", "Brief TSA", ""),
        ],
    ),
    (
        "RFC 3161 2.3",
        "a time-stamp by somebody who is no authority",
        |lab| stamped(lab, &lab.bob, STAMPED),
        &[
            Words(&["Bob Other", "2026-11-21 12:00:00 UTC", "CHAIN_CONSTRAINTS_FAILURE"]),
            Finding("BBB_XCV_ISCGEKU_ANS", "Bob Other", ""),
        ],
    ),
    (
        "EN 319 122-1 5.2.8",
        "a time-stamp over the content, made before the signature",
        |lab| {
            let token = Token::over(TEXT, "20261120120000Z").by(&lab.tsa);
            message(lab, |signer| signer.and(attribute("1.2.840.113549.1.9.16.2.20", &token)))
        },
        &[
            Words(&["Attack Lab TSA", "2026-11-20 12:00:00 UTC", "2026-11-21 12:00:00 UTC"]),
            Json("/timestamps/0/type", "content-timestamp"),
            Json("/timestamps/0/time", "2026-11-20T12:00:00Z"),
            Json("/timestamps/0/indication", "PASSED"),
        ],
    ),
    (
        "RFC 4998 5.3",
        "an evidence record that counts",
        |lab| recorded(lab, TEXT),
        &[
            Words(&["Attack Lab TSA", "2026-11-21 12:00:00 UTC", "archived.txt", "PASSED"]),
            Json("/evidence_records/0/indication", "PASSED"),
            Json("/evidence_records/0/time", "2026-11-21T12:00:00Z"),
        ],
    ),
    (
        "RFC 4998 5.3",
        "an evidence record over something else",
        |lab| recorded(lab, b"something else"),
        &[
            Words(&["Attack Lab TSA", "2026-11-21 12:00:00 UTC", "HASH_FAILURE"]),
            Finding("BBB_CV_TSP_IRDOI_ANS", "1", ""),
            Finding("ADEST_IBSVPTADC_ANS", "1", ""),
            Json("/evidence_records/0/sub_indication", "HASH_FAILURE"),
        ],
    ),
];

#[test]
fn time_stamps_have_a_line_of_their_own() {
    check("timestamps");
}

const CERTIFICATES: &[Row] = &[
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
    check("certificates");
}

const LISTS: &[Row] = &[
    (
        "TS 119 612 5.3.15",
        "a list that is current",
        |_| sealed("2036-01-01T00:00:00Z"),
        &[
            Words(&["Example Seal", "Seals of Example Trust", "2026-11-30", "EE"]),
            Json("/signatures/0/qualification", "QESEAL"),
        ],
    ),
    (
        "TS 119 612 5.3.15",
        "a list that is overdue",
        |_| sealed("2026-12-25T00:00:00Z"),
        &[
            Words(&["Example Seal", "2026-12-25 00:00:00 UTC", "https://lists.example/EE.xml"]),
            Finding("QUAL_TL_EXP_ANS", "EE", "next update 2026-12-25T00:00:00Z, after 2027-01-01T00:00:00Z"),
            Json("/signatures/0/qualification", "NA"),
            Json("/wanted/0/territory", "EE"),
        ],
    ),
];

#[test]
fn lists_are_named_with_their_dates() {
    check("lists");
}

const NAMES: &[Row] = &[
    (
        "X.520 6.4.3",
        "given name and surname, no common name",
        |lab| called(lab, &[("2.5.4.42", "Zoë"), ("2.5.4.4", "Ångström")]),
        &[
            Words(&["Zoë Ångström"]),
            Json("/signatures/0/signer/name", "Zoë Ångström"),
            Json("/signatures/0/signer/surname", "Ångström"),
            Json("/signatures/0/signing_certificate/subject", "surname=Ångström,givenName=Zoë"),
        ],
    ),
    (
        "EN 319 412-1 5.1.3",
        "a national personal number",
        |lab| called(lab, &[("2.5.4.3", "Mari Maasikas"), ("2.5.4.5", "PNOEE-38001085718")]),
        &[
            Words(&["Mari Maasikas", "PNOEE-38001085718", "EE)"]),
            Json("/signatures/0/signer/serial_number/type", "PNO"),
            Json("/signatures/0/signer/serial_number/country", "EE"),
        ],
    ),
    (
        "EN 319 412-1 5.1.4",
        "an organisation with its number",
        |lab| called(lab, &[("2.5.4.10", "Example SA"), ("2.5.4.97", "VATPT-500000000")]),
        &[
            Words(&["Example SA", "VATPT-500000000"]),
            Json("/signatures/0/signer/name", "Example SA"),
            Json("/signatures/0/signer/organisation", "Example SA"),
            Json("/signatures/0/signer/organisation_identifier/type", "VAT"),
            Json("/signatures/0/signing_certificate/subject", "organizationIdentifier=VATPT-500000000,O=Example SA"),
        ],
    ),
    (
        "EN 319 412-2 4.2.4",
        "a pseudonym",
        |lab| called(lab, &[("2.5.4.65", "Nightingale")]),
        &[Words(&["Nightingale"]), Json("/signatures/0/signer/pseudonym", "Nightingale")],
    ),
];

#[test]
fn people_are_called_by_name() {
    check("names");
}

const DATA: &[Row] = &[
    (
        "RFC 5652 11.2",
        "another content",
        |lab| Given::new("letter.txt.p7s", lab.detached(TEXT)).with("letter.txt", b"I, Alice, disagree."),
        &[Words(&["HASH_FAILURE"])],
    ),
    (
        "RFC 5652 5.2",
        "no content",
        |lab| Given::new("letter.txt.p7s", lab.detached(TEXT)),
        &[Words(&["SIGNED_DATA_NOT_FOUND"])],
    ),
    (
        "RFC 5652 5.4",
        "two signers, of whom the second signed something else",
        |lab| {
            let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(&lab.alice, TEXT).at(STAMPED)]);
            data.signers.push(lab.signer(&lab.bob, b"Something else.").at(STAMPED).signed(b"Something else."));
            data.certificates.push(lab.bob.certificate.clone());
            letter(data.bytes())
        },
        &[Words(&["Alice Honest", "Bob Other", "HASH_FAILURE"])],
    ),
    (
        "ISO 32000-1 table 252",
        "reason and place",
        |lab| {
            let field = Field { dictionary: "/Reason (I approve) /Location (Lisbon)", ..Field::default() };
            contract(Pdf::usual().signed(lab, &field))
        },
        &[
            Words(&["I approve", "Lisbon"]),
            Json("/signatures/0/reason", "I approve"),
            Json("/signatures/0/location", "Lisbon"),
        ],
    ),
    (
        "EN 319 142-1 5.4",
        "the page is another",
        |lab| {
            let mut document = Pdf::usual().signed(lab, &Field::default());
            document.update([(4, stream("", &line("Another text.")))].into_iter().collect());
            contract(document)
        },
        &[Json("/signatures/0/changes_since_signing/undefined", "2")],
    ),
    (
        "EN 319 142-1 5.4",
        "a second signature",
        |lab| contract(Pdf::usual().signed(lab, &Field::default()).signed(lab, &SECOND)),
        &[Words(&["Alice Honest"]), Json("/conclusion/signatures", "2")],
    ),
    (
        "EN 319 142-1 5.4",
        "an annotation",
        |lab| contract(Pdf::usual().signed(lab, &Field::default()).and(NOTED)),
        &[Json("/signatures/0/changes_since_signing/annotation", "1")],
    ),
    (
        "ISO 32000-1 12.8.2.2",
        "an annotation that the certification forbids",
        |lab| contract(Pdf::usual().certified(lab, 1).and(NOTED)),
        &[
            Words(&["Alice Honest", "FORMAT_FAILURE"]),
            Finding("BBB_FC_ISVADMDPD_ANS", "1", ""),
            Json("/signatures/0/changes_since_signing/annotation", "1"),
        ],
    ),
    (
        "RFC 5652 5.6",
        "another value",
        |lab| {
            let signer = lab.signer(&lab.alice, TEXT).at(STAMPED);
            let attributes = tlv(0xa0, &[&sorted(&signer.attributes)]);
            let mut data = lab.signed_data(Some(TEXT), TEXT, &[]);
            data.signers = vec![signer.with_value(&attributes, &lab.alice.key.sign(b"something else"))];
            data.certificates = vec![lab.alice.certificate.clone()];
            letter(data.bytes())
        },
        &[
            Words(&["Alice Honest", "2026-11-21 12:00:00 UTC", "SIG_CRYPTO_FAILURE"]),
            Finding("BBB_CV_ISI_ANS", "1", ""),
        ],
    ),
    (
        "RFC 5652 11.4",
        "a counter-signature",
        |lab| countersigned(lab, None),
        &[
            Words(&["Alice Honest", "Bob Other", "2026-11-22 12:00:00 UTC", "TOTAL-PASSED"]),
            Json("/conclusion/passed", "2"),
            Json("/signatures/1/scope/0/kind", "COUNTER_SIGNATURE"),
        ],
    ),
    (
        "RFC 5652 11.4",
        "a counter-signature over something else",
        |lab| countersigned(lab, Some(b"something else")),
        &[
            Words(&["Alice Honest", "Bob Other", "2026-11-22 12:00:00 UTC", "HASH_FAILURE"]),
            Finding("BBB_CV_IRDOI_ANS", "2", ""),
            Json("/conclusion/passed", "1"),
        ],
    ),
    (
        "EN 319 122-1 5.2",
        "role and place",
        |lab| {
            let place = sequence(&[&tlv(0xa0, &[&utf8("Portugal")]), &tlv(0xa1, &[&utf8("Lisbon")])]);
            let role = sequence(&[&oid("2.5.4.72"), &tlv(0x31, &[&utf8("Managing Director")])]);
            let roles = sequence(&[&tlv(0xa0, &[&sequence(&[&role])])]);
            message(lab, |signer| {
                let placed = signer.and(attribute("1.2.840.113549.1.9.16.2.17", &place));
                placed.and(attribute("0.4.0.19122.1.1", &roles))
            })
        },
        &[
            Words(&["Alice Honest", "Managing Director", "Lisbon, Portugal"]),
            Json("/signatures/0/roles/0/role", "Managing Director"),
            Json("/signatures/0/location", "Lisbon, Portugal"),
        ],
    ),
    (
        "EN 319 132-1 5.2",
        "role and place in XML",
        |lab| {
            let over = reference(Some(""), CONTRACT.as_bytes(), &[ENVELOPED, EXCLUSIVE]);
            let signature = Signature { change: at_lisbon, ..Signature::over(lab, vec![over]) };
            Given::new("contract.xml", enclosed(CONTRACT, &signature.xml()))
        },
        &[
            Words(&["Alice Honest", "Managing Director", "Lisbon"]),
            Json("/signatures/0/roles/0/role", "Managing Director"),
            Json("/signatures/0/location", "Lisbon"),
        ],
    ),
    (
        "XMLDSig 3.2.1",
        "an element is another",
        |lab| Given::new("contract.xml", lab.enveloped(CONTRACT).replace(">100<", ">900<")),
        &[Words(&["Alice Honest", "HASH_FAILURE", "contract.xml"]), Finding("BBB_CV_IRDOI_ANS", "1", "")],
    ),
    (
        "EN 319 162-1 4.4.3.2",
        "a file of a container that nobody signed",
        |lab| Given::new("contract.asice", lab.asic_e(&FILES, &[("evil.txt", b"pay 900")]).bytes()),
        &[Finding("BBB_CV_IAFS_ANS", "1", "evil.txt")],
    ),
    (
        "EN 319 122-1 5.2.3",
        "a commitment type",
        |lab| {
            let approval = sequence(&[&oid("1.2.840.113549.1.9.16.6.5")]);
            message(lab, |signer| signer.and(attribute("1.2.840.113549.1.9.16.2.16", &approval)))
        },
        &[Json("/signatures/0/commitments/0", "1.2.840.113549.1.9.16.6.5")],
    ),
    (
        "EN 319 162-1 4.4",
        "a file of a container is another",
        |lab| {
            let files: [(&str, &[u8]); 2] = [("contract.txt", b"pay 900"), FILES[1]];
            Given::new("contract.asice", lab.asic_e_with(&files, &[], &lab.xades_over(&FILES)).bytes())
        },
        &[
            Words(&["Alice Honest", "HASH_FAILURE", "annex.txt"]),
            Finding("BBB_CV_IRDOI_ANS", "contract.txt", "contract.txt"),
        ],
    ),
    (
        "RFC 7515 5.2",
        "the payload of JSON is another",
        |lab| {
            let mut jws = lab.jws(b"{\"pay\":100}", json!({}));
            jws["payload"] = url(b"{\"pay\":900}").into();
            Given::new("contract.json", jws.to_string())
        },
        &[Words(&["Alice Honest", "HASH_FAILURE", "contract.json"]), Finding("BBB_CV_IRDOI_ANS", "1", "")],
    ),
];

#[test]
fn signed_data_and_its_changes() {
    check("data");
}

/// In a container each time-stamp may belong to each signature: text has so many of one signature, and says how many more
/// there are; JSON has all.
#[test]
fn many_time_stamps_of_one_signature() {
    let lab = Lab::new();
    let mut signer = lab.signer(&lab.alice, TEXT).at(STAMPED);
    let kind = "1.2.840.113549.1.9.16.2.14";
    let stamp = |n: u8| attribute(kind, &Token::over(&[n], "20261122120000Z").by(&lab.tsa));
    signer.unsigned = (0..60).map(stamp).collect();
    let bytes = lab.signed_data(Some(TEXT), TEXT, &[signer]).bytes();
    let report = lab.validator().validate(&Document::new(&bytes), AT.parse().expect("a time")).expect("it is CMS");
    let json: Value = serde_json::from_str(&report.to_json()).expect("reports are JSON");
    let all = json["timestamps"].as_array().map_or(0, Vec::len);
    assert!(all >= 60, "{all}");
    let text = report.to_text();
    assert_eq!(text.matches("tokens and data covered").count(), 40);
    assert!(text.contains(&format!("{} more", all - 40)), "{text}");
}

fn check(table: &str) {
    let (_, rows) = TABLES.iter().find(|(name, _)| *name == table).expect("the table is listed");
    let wrong: Vec<String> = rows.iter().flat_map(|row| missing(row, &LANGUAGES, str::to_owned, &forms)).collect();
    assert!(wrong.is_empty(), "{} things:\n{}", wrong.len(), wrong.join("\n"));
}

/// Every row as PDF. Lines break anywhere in long words, so that white space is left out on both sides.
#[test]
#[ignore = "needs pdftotext (poppler-utils)"]
fn the_pdf_says_the_same() {
    let path = std::env::temp_dir().join(format!("lacre-report-says-{}.pdf", std::process::id()));
    let pdf = |report: &Report| vec![("PDF", squeezed(&pdf_text(report, &path)))];
    let rows = TABLES.iter().flat_map(|(_, rows)| *rows);
    let wrong: Vec<String> = rows.flat_map(|row| missing(row, &PDF_LANGUAGES, squeezed, &pdf)).collect();
    std::fs::remove_file(&path).expect("the last PDF is there");
    assert!(wrong.is_empty(), "{} things:\n{}", wrong.len(), wrong.join("\n"));
}

/// Returns the text of the report's PDF without what stands at the foot of each page.
fn pdf_text(report: &Report, path: &Path) -> String {
    std::fs::write(path, report.to_pdf().expect("a report can be set")).expect("there is room for a PDF");
    let done = Command::new("pdftotext")
        .args(["-raw", "-x", "0", "-y", "0", "-W", "595", "-H", "770"])
        .arg(path)
        .arg("-")
        .output()
        .expect("pdftotext is installed (Debian package poppler-utils)");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("pdftotext writes UTF-8")
}

/// Returns the text without white space, its signs spelt as the fonts of the PDF need it.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<String>().replace('≤', "<=").replace('≥', ">=")
}

/// Returns what a report on the row's document does not say, in each language and each form. The expected words are read
/// the same way as the forms.
fn missing(
    (clause, situation, make, says): &Row,
    languages: &[Language],
    read: fn(&str) -> String,
    forms: &dyn Fn(&Report) -> Vec<Form>,
) -> Vec<String> {
    let lab = Lab::new();
    let given = make(&lab);
    let mut document = Document::new(&given.bytes).named(given.name);
    for (name, content) in &given.contents {
        document = document.with_content(*name, content);
    }
    let validator = given.validator.clone().unwrap_or_else(|| lab.validator());
    let report = match validator.validate(&document, time(AT)) {
        Ok(report) => report,
        Err(error) => return vec![format!("{clause}: {situation}: refused: {error}")],
    };
    let mut wrong = vec![];
    for language in languages {
        let report = report.clone().in_language(*language);
        let json: Value = serde_json::from_str(&report.to_json()).expect("reports are JSON");
        let forms = forms(&report);
        let lacking = says.iter().flat_map(|said| lacks(&json, &forms, read, said)).chain(nameless(&json));
        wrong.extend(lacking.map(|what| format!("{clause}: {situation} ({language}): {what}")));
    }
    wrong
}

/// Returns what the report does not say in one of its forms.
fn lacks(json: &Value, forms: &[Form], read: fn(&str) -> String, said: &Says) -> Vec<String> {
    let absent = |words: &[&str]| -> Vec<String> {
        let lacking = |(form, text): &Form| {
            let missing: Vec<&str> = words.iter().copied().filter(|word| !text.contains(&read(word))).collect();
            (!missing.is_empty()).then(|| format!("{form} lacks {missing:?}:\n{text}"))
        };
        forms.iter().filter_map(lacking).collect()
    };
    match said {
        Words(words) => absent(words),
        Json(place, expected) => match json.pointer(place) {
            Some(Value::String(found)) if found == expected => vec![],
            Some(Value::Number(found)) if found.as_u64() == expected.parse().ok() => vec![],
            found => vec![format!("JSON has {found:?} at {place}, expected {expected}")],
        },
        Finding(key, subject, value) => {
            let all = findings(json);
            let about = |f: &&Value| {
                f["check"] == *key
                    && f["subject"].as_str().is_some_and(|name| name.contains(subject))
                    && (value.is_empty() || f["compared"].as_str().is_some_and(|values| values.contains(value)))
            };
            match all.iter().find(about) {
                Some(found) => {
                    absent(&["subject", "message", "compared"].map(|part| found[part].as_str().unwrap_or("")))
                }
                None => vec![format!("no finding {key} about {subject:?} with {value:?} in {all:#?}")],
            }
        }
    }
}

/// Returns the findings that have no subject, or no token.
fn nameless(json: &Value) -> Vec<String> {
    let nameless = findings(json).into_iter().filter(|finding| {
        finding["subject"].as_str().is_none_or(str::is_empty) || finding["token"].as_str().is_none_or(str::is_empty)
    });
    nameless.map(|finding| format!("a finding without subject or token: {finding}")).collect()
}

/// Returns all findings, those on the qualification as well.
fn findings(json: &Value) -> Vec<Value> {
    let tokens = ["signatures", "timestamps", "evidence_records"].iter().filter_map(|list| json[*list].as_array());
    let lists = tokens.flatten().flat_map(|token| [&token["findings"], &token["qualification_findings"]]);
    lists.filter_map(Value::as_array).flatten().cloned().collect()
}

/// A form of a report, and its text.
type Form = (&'static str, String);

/// Returns the report as text, and the text of the HTML.
fn forms(report: &Report) -> Vec<Form> {
    let html = report.to_html();
    let mut text = String::with_capacity(html.len());
    let mut in_tag = false;
    for c in html.chars() {
        match c {
            '<' => in_tag = true,
            '>' => in_tag = false,
            c if !in_tag => text.push(c),
            _ => {}
        }
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    vec![("text", report.to_text()), ("HTML", text.replace("&amp;", "&"))]
}
