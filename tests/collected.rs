//! What is collected of a document: the level of each signature and what fails first, where validators are known to
//! differ.
//!
//! Every row makes its document itself, signed in a laboratory of its own, and is judged by the policy of EU DSS. A test
//! shows all rows of its group that are answered otherwise.

#[path = "support/lab/mod.rs"]
mod lab;

use lab::cms::{MESSAGE_DIGEST, SIGNING_CERTIFICATE, STAMPED, Signer, Token, attribute, signing_certificate};
use lab::der::{octets, oid, sequence, sorted, tlv};
use lab::pdf::{Field, Objects, Pdf};
use lab::pki::{SHA256, sha256};
use lab::xml::{CONTRACT, ENVELOPED, EXCLUSIVE, Signature, enclosed, reference};
use lab::zip::{Zip, manifest};
use lab::{AT, Lab};
use lacre::{Document, Policy, Validator};
use serde_json::{Value, json};

/// A name, octets, and contents beside them.
struct Given(&'static str, Vec<u8>, Vec<(&'static str, &'static [u8])>);

/// Clause, situation, document, and of each signature its level and what is said of it.
type Row = (&'static str, &'static str, fn(&Lab) -> Given, &'static [&'static str]);

/// Of each signature: level, indication, sub-indication where there is one.
fn said(lab: &Lab, given: &Given) -> Vec<String> {
    let mut validator = Validator::new(Policy::dss());
    validator.add_trust_anchor(&lab.root.certificate).expect("the root is a certificate");
    let document = Document::new(&given.1).named(given.0);
    let document = given.2.iter().fold(document, |document, (name, content)| document.with_content(*name, content));
    let report = match validator.for_one_document().validate(&document, AT.parse().expect("a time")) {
        Ok(report) => report.to_json(),
        Err(error) => return vec![error.to_string()],
    };
    let report: Value = serde_json::from_str(&report).expect("reports are JSON");
    let text = |value: &Value| value.as_str().map(|word| format!(" {word}")).unwrap_or_default();
    let of = |one: &Value| {
        [&one["level"], &one["indication"], &one["sub_indication"]].map(text).concat().trim_start().to_owned()
    };
    report["signatures"].as_array().into_iter().flatten().map(of).collect()
}

fn check(rows: &[Row]) {
    let lab = Lab::new();
    let mut wrong = vec![];
    for (clause, situation, make, expected) in rows {
        let said = said(&lab, &make(&lab));
        if said != *expected {
            wrong.push(format!("{clause}: {situation}: {said:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

fn message(octets: Vec<u8>) -> Given {
    Given("message.p7m", octets, vec![])
}

fn file(pdf: Pdf) -> Given {
    Given("contract.pdf", pdf.octets, vec![])
}

fn xml(text: String) -> Given {
    Given("contract.xml", text.into_bytes(), vec![])
}

const TEXT: &[u8] = b"The parties agree.";

/// A message by Alice, changed before it is signed.
fn by_alice(lab: &Lab, change: impl Fn(Signer<'_>) -> Signer<'_>) -> Given {
    let signer = change(lab.signer(&lab.alice, TEXT).at(STAMPED));
    message(lab.signed_data(Some(TEXT), TEXT, &[signer]).octets())
}

/// An attribute naming a signature policy by its digest (EN 319 122-1 §5.2.9.1).
fn policy() -> Vec<u8> {
    let digest = sequence(&[&sequence(&[&oid(SHA256)]), &octets(&sha256(b"a policy"))]);
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
            message(data.octets())
        },
        &["CMS-NOT-ETSI TOTAL-FAILED SIG_CRYPTO_FAILURE"],
    ),
    (
        "RFC 5652 5.3",
        "an attribute twice",
        |lab| by_alice(lab, |signer| signer.and(attribute(MESSAGE_DIGEST, &octets(&sha256(b"another"))))),
        &["CMS-NOT-ETSI TOTAL-FAILED SIG_CRYPTO_FAILURE"],
    ),
    (
        "EN 319 122-1 5.5.3",
        "no certificate",
        |lab| {
            let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(&lab.alice, TEXT).at(STAMPED)]);
            data.certificates = vec![];
            message(data.octets())
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
                Signer { timestamp: None, unsigned: vec![attribute(lab::cms::SIGNATURE_TIMESTAMP, &token)], ..signer }
            })
        },
        &["CAdES-BASELINE-B TOTAL-PASSED"],
    ),
];

#[test]
fn messages() {
    check(MESSAGES);
}

/// A file signed by that CMS, with more entries in the signature dictionary.
fn signed_by(make: impl Fn(&[u8]) -> Vec<u8>, field: &Field<'_>) -> Pdf {
    let mut pdf = Pdf::usual();
    pdf.sign_with(field, Objects::new(), make);
    pdf
}

/// The same with proofs of the chains, and a document time-stamp where asked for.
fn with_proofs(lab: &Lab, crls: &[&[u8]], stamped: bool) -> Pdf {
    let signer = |octets: &[u8]| {
        let mut data = lab.signed_data(None, octets, &[lab.signer(&lab.alice, octets)]);
        data.crls = vec![];
        data.octets()
    };
    let mut pdf = signed_by(signer, &Field::default());
    let certificates: [&[u8]; 3] = [&lab.alice.certificate, &lab.tsa.certificate, &lab.root.certificate];
    let proofs = pdf.proofs(&certificates, crls);
    pdf.update(proofs);
    if stamped {
        let field = Field { kind: "DocTimeStamp", filter: "ETSI.RFC3161", ..lab::pdf::SECOND };
        pdf.sign_with(&field, Objects::new(), |octets| Token::over(octets, "20261122120000Z").by(&lab.tsa));
    }
    pdf
}

fn without_crl(lab: &Lab, octets: &[u8], signers: &[Signer<'_>]) -> Vec<u8> {
    let mut data = lab.signed_data(None, octets, signers);
    data.crls = vec![];
    data.octets()
}

/// A CMS over those octets that holds a content.
fn holding(lab: &Lab, content: &[u8], octets: &[u8]) -> Vec<u8> {
    let mut data = lab.signed_data(Some(content), octets, &[lab.signer(&lab.alice, octets)]);
    data.crls = vec![];
    data.octets()
}

const PAGES: &[Row] = &[
    (
        "EN 319 142-1 6.3",
        "T",
        |lab| file(signed_by(|octets| without_crl(lab, octets, &[lab.signer(&lab.alice, octets)]), &Field::default())),
        &["PAdES-BASELINE-T INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "EN 319 142-1 6.3",
        "B",
        |lab| file(signed_by(|octets| without_crl(lab, octets, &[Signer::of(&lab.alice, octets)]), &Field::default())),
        &["PAdES-BASELINE-B INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    ("EN 319 142-1 6.3", "LT", |lab| file(with_proofs(lab, &[&lab.crl], false)), &["PAdES-BASELINE-LT TOTAL-PASSED"]),
    ("EN 319 142-1 6.3", "LTA", |lab| file(with_proofs(lab, &[&lab.crl], true)), &["PAdES-BASELINE-LTA TOTAL-PASSED"]),
    (
        "EN 319 142-1 6.3",
        "proofs without revocation data",
        |lab| file(with_proofs(lab, &[], false)),
        &["PAdES-BASELINE-T INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "EN 319 142-1 6.3",
        "proofs without revocation data, time-stamped",
        |lab| file(with_proofs(lab, &[], true)),
        &["PAdES-BASELINE-T INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "EN 319 142-1 5.3",
        "with a policy",
        |lab| {
            file(signed_by(
                |octets| without_crl(lab, octets, &[lab.signer(&lab.alice, octets).and(policy())]),
                &Field::default(),
            ))
        },
        &["PAdES-BES INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "EN 319 142-1 6.3",
        "the time is in an attribute, too",
        |lab| {
            file(signed_by(
                |octets| without_crl(lab, octets, &[Signer::of(&lab.alice, octets).at(STAMPED)]),
                &Field::default(),
            ))
        },
        &["PAdES-BES INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "EN 319 142-1 6.3",
        "two SignerInfos",
        |lab| {
            let both = |octets: &[u8]| {
                without_crl(lab, octets, &[lab.signer(&lab.alice, octets), lab.signer(&lab.bob, octets)])
            };
            file(signed_by(both, &Field::default()))
        },
        &["PDF-NOT-ETSI TOTAL-FAILED FORMAT_FAILURE"],
    ),
    (
        "ISO 32000-2 12.8.3.3.1",
        "a CMS that holds the same octets",
        |lab| {
            let own = |octets: &[u8]| holding(lab, octets, octets);
            file(signed_by(own, &Field { room: 16384, ..Field::default() }))
        },
        &["PDF-NOT-ETSI INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "ISO 32000-2 12.8.3.3.1",
        "a CMS with a content of no octets",
        |lab| {
            let own = |octets: &[u8]| holding(lab, b"", octets);
            file(signed_by(own, &Field::default()))
        },
        &["PDF-NOT-ETSI TOTAL-FAILED SIG_CRYPTO_FAILURE"],
    ),
    (
        "ISO 32000-2 12.8.3.3",
        "adbe.pkcs7.detached with a time-stamp",
        |lab| {
            file(signed_by(
                |octets| without_crl(lab, octets, &[lab.signer(&lab.alice, octets)]),
                &Field { filter: "adbe.pkcs7.detached", ..Field::default() },
            ))
        },
        &["PKCS7-T INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "ISO 32000-2 12.8.3.3",
        "adbe.pkcs7.detached without the attribute",
        |lab| {
            file(signed_by(
                |octets| without_crl(lab, octets, &[Signer::of(&lab.alice, octets).without(SIGNING_CERTIFICATE)]),
                &Field { filter: "adbe.pkcs7.detached", ..Field::default() },
            ))
        },
        &["PKCS7-B INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
    (
        "EN 319 142-1 6.3",
        "a SubFilter of nobody",
        |lab| {
            file(signed_by(
                |octets| without_crl(lab, octets, &[lab.signer(&lab.alice, octets)]),
                &Field { filter: "Example.detached", ..Field::default() },
            ))
        },
        &["PDF-NOT-ETSI INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE"],
    ),
];

#[test]
fn pages() {
    check(PAGES);
}

/// An enveloped signature over an element with an identifier, asked for by it.
fn whole_by_identifier(lab: &Lab) -> Given {
    let document = CONTRACT.replacen("<contract>", "<contract Id=\"all\">", 1);
    let over = reference(Some("#all"), document.as_bytes(), &[ENVELOPED, EXCLUSIVE]);
    xml(enclosed(&document, &Signature::over(lab, vec![over]).xml()))
}

fn enveloped(lab: &Lab, change: impl Fn(String) -> String) -> Given {
    xml(change(lab.enveloped(CONTRACT)))
}

const TEXTS: &[Row] = &[
    ("EN 319 132-1 6.3", "as it must be", |lab| enveloped(lab, |text| text), &["XAdES-BASELINE-LT TOTAL-PASSED"]),
    ("XMLDSig 4.4.3.3", "the document element by its Id", whole_by_identifier, &["XAdES-BASELINE-LT TOTAL-PASSED"]),
    (
        "XMLDSig 4.4.3.3",
        "the document element by its Id, changed",
        |lab| {
            let Given(name, octets, contents) = whole_by_identifier(lab);
            let text = String::from_utf8(octets).expect("XML is UTF-8").replace(">100<", ">900,000<");
            Given(name, text.into_bytes(), contents)
        },
        &["XAdES-BASELINE-LT TOTAL-FAILED HASH_FAILURE"],
    ),
    (
        "RFC 2045 6.8",
        "white space in the Base64 of a time-stamp",
        |lab| {
            enveloped(lab, |text| {
                text.replacen("<xades:EncapsulatedTimeStamp>", "<xades:EncapsulatedTimeStamp>\n  ", 1)
            })
        },
        &["XAdES-BASELINE-LT TOTAL-PASSED"],
    ),
    (
        "RFC 2045 6.8",
        "a stray character in the Base64 of a time-stamp",
        |lab| {
            enveloped(lab, |text| text.replacen("<xades:EncapsulatedTimeStamp>", "<xades:EncapsulatedTimeStamp>!", 1))
        },
        &["XAdES-BASELINE-LT TOTAL-PASSED"],
    ),
    (
        "EN 319 132-1 5.3",
        "the time-stamp twice",
        |lab| {
            enveloped(lab, |text| {
                let start = text.find("<xades:SignatureTimeStamp>").expect("it is stamped");
                let end = text.find("</xades:SignatureTimeStamp>").expect("it ends") + 27;
                format!("{}{}{}", &text[..end], &text[start..end], &text[end..])
            })
        },
        &["XAdES-BASELINE-LT TOTAL-PASSED"],
    ),
    (
        "XMLDSig 4.5",
        "no certificate",
        |lab| {
            enveloped(lab, |text| {
                let start = text.find("<ds:X509Data>").expect("it has a certificate");
                let end = text.find("</ds:X509Data>").expect("it ends") + 14;
                format!("{}{}", &text[..start], &text[end..])
            })
        },
        &["XAdES-LT INDETERMINATE NO_SIGNING_CERTIFICATE_FOUND"],
    ),
    (
        "RFC 2045 6.8",
        "a stray character in the value",
        |lab| enveloped(lab, |text| text.replacen("</ds:SignatureValue>", "!</ds:SignatureValue>", 1)),
        &["XAdES-BASELINE-LT TOTAL-PASSED"],
    ),
    (
        "RFC 2045 6.8",
        "a stray character in a digest",
        |lab| {
            let over = reference(Some(""), CONTRACT.as_bytes(), &[ENVELOPED, EXCLUSIVE]).replacen(
                "<ds:DigestValue>",
                "<ds:DigestValue>-",
                1,
            );
            xml(enclosed(CONTRACT, &Signature::over(lab, vec![over]).xml()))
        },
        &["XAdES-BASELINE-LT TOTAL-PASSED"],
    ),
    (
        "RFC 2045 6.8",
        "a stray character in the certificate",
        |lab| enveloped(lab, |text| text.replacen("<ds:X509Certificate>", "<ds:X509Certificate>!", 1)),
        &["XAdES-BASELINE-LT TOTAL-PASSED"],
    ),
    (
        "RFC 2045 6.8",
        "a digit too many in the value",
        |lab| enveloped(lab, |text| text.replacen("</ds:SignatureValue>", "A</ds:SignatureValue>", 1)),
        &["XAdES-BASELINE-LT TOTAL-FAILED SIG_CRYPTO_FAILURE"],
    ),
];

#[test]
fn texts() {
    check(TEXTS);
}

/// ASiC-E by CAdES over files that a manifest names so.
fn named(lab: &Lab, files: &[(&str, &[u8])], names: &[&str]) -> Given {
    let stated: Vec<(&str, &[u8])> = names.iter().zip(files).map(|(name, (_, data))| (*name, *data)).collect();
    let manifest = manifest(&stated, "META-INF/signature001.p7s");
    let mut zip = Zip::of(&[("mimetype", b"application/vnd.etsi.asic-e+zip")]);
    for (name, data) in files {
        zip = zip.and(name, data);
    }
    let zip =
        zip.and("META-INF/ASiCManifest001.xml", &manifest).and("META-INF/signature001.p7s", &lab.detached(&manifest));
    Given("container.asice", zip.octets(), vec![])
}

const CONTAINERS: &[Row] = &[
    (
        "RFC 3986 2.1",
        "a blank, encoded",
        |lab| named(lab, &[("a b.txt", b"1")], &["a%20b.txt"]),
        &["CAdES-BASELINE-LT TOTAL-PASSED"],
    ),
    (
        "RFC 3986 2.1",
        "a blank as it is",
        |lab| named(lab, &[("a b.txt", b"1")], &["a b.txt"]),
        &["CAdES-BASELINE-LT TOTAL-PASSED"],
    ),
    (
        "RFC 3986 2.2",
        "a plus as it is",
        |lab| named(lab, &[("a+b.txt", b"1")], &["a+b.txt"]),
        &["CAdES-BASELINE-LT TOTAL-PASSED"],
    ),
    (
        "RFC 3986 2.1",
        "a plus, encoded",
        |lab| named(lab, &[("a+b.txt", b"1")], &["a%2Bb.txt"]),
        &["CAdES-BASELINE-LT TOTAL-PASSED"],
    ),
    (
        "RFC 3986 2.2",
        "a plus is no blank",
        |lab| named(lab, &[("a b.txt", b"1")], &["a+b.txt"]),
        &["CAdES-BASELINE-LT INDETERMINATE SIGNED_DATA_NOT_FOUND"],
    ),
    (
        "RFC 3986 2.1",
        "a per cent sign, encoded",
        |lab| named(lab, &[("100%.txt", b"1")], &["100%25.txt"]),
        &["CAdES-BASELINE-LT TOTAL-PASSED"],
    ),
    (
        "RFC 3987 3.1",
        "letters beyond ASCII",
        |lab| named(lab, &[("é.txt", b"1")], &["é.txt"]),
        &["CAdES-BASELINE-LT TOTAL-PASSED"],
    ),
    (
        "RFC 3987 3.1",
        "letters beyond ASCII, encoded",
        |lab| named(lab, &[("é.txt", b"1")], &["%C3%A9.txt"]),
        &["CAdES-BASELINE-LT TOTAL-PASSED"],
    ),
    (
        "EN 319 162-1 A.4",
        "a file that is not there",
        |lab| named(lab, &[("a.txt", b"1")], &["b.txt"]),
        &["CAdES-BASELINE-LT INDETERMINATE SIGNED_DATA_NOT_FOUND"],
    ),
    (
        "EN 319 162-1 A.4",
        "a file of another content",
        |lab| {
            let lie = manifest(&[("a.txt", b"2")], "META-INF/signature001.p7s");
            let mut zip = Zip::of(&[("mimetype", b"application/vnd.etsi.asic-e+zip"), ("a.txt", b"1")]);
            zip = zip.and("META-INF/ASiCManifest001.xml", &lie).and("META-INF/signature001.p7s", &lab.detached(&lie));
            Given("container.asice", zip.octets(), vec![])
        },
        &["CAdES-BASELINE-LT TOTAL-FAILED HASH_FAILURE"],
    ),
    (
        "EN 319 162-1 A.4",
        "a manifest that was changed",
        |lab| {
            let signed = manifest(&[("a.txt", b"1")], "META-INF/signature001.p7s");
            let other = manifest(&[("a.txt", b"1"), ("b.txt", b"2")], "META-INF/signature001.p7s");
            let mut zip = Zip::of(&[("mimetype", b"application/vnd.etsi.asic-e+zip"), ("a.txt", b"1")]);
            zip = zip
                .and("META-INF/ASiCManifest001.xml", &other)
                .and("META-INF/signature001.p7s", &lab.detached(&signed));
            Given("container.asice", zip.octets(), vec![])
        },
        &["CAdES-BASELINE-LT TOTAL-FAILED HASH_FAILURE"],
    ),
    (
        "EN 319 162-1 A.4",
        "no manifest names the signature",
        |lab| {
            let signed = manifest(&[("a.txt", b"1")], "META-INF/signature009.p7s");
            let mut zip = Zip::of(&[("mimetype", b"application/vnd.etsi.asic-e+zip"), ("a.txt", b"1")]);
            zip = zip
                .and("META-INF/ASiCManifest001.xml", &signed)
                .and("META-INF/signature001.p7s", &lab.detached(&signed));
            Given("container.asice", zip.octets(), vec![])
        },
        &["CAdES-BASELINE-LT INDETERMINATE SIGNED_DATA_NOT_FOUND"],
    ),
];

#[test]
fn containers() {
    check(CONTAINERS);
}

fn jws(lab: &Lab, more: Value, change: impl Fn(&mut Value)) -> Given {
    let mut jws = lab.jws(b"a payload", more);
    change(&mut jws);
    Given("contract.json", jws.to_string().into_bytes(), vec![])
}

const JSON: &[Row] = &[
    ("TS 119 182-1 6.3", "no type of the content", |lab| jws(lab, json!({}), |_| ()), &["JSON-NOT-ETSI TOTAL-PASSED"]),
    (
        "TS 119 182-1 6.3",
        "with a type of the content",
        |lab| jws(lab, json!({"cty": "text/plain"}), |_| ()),
        &["JSON-NOT-ETSI TOTAL-PASSED"],
    ),
    (
        "TS 119 182-1 5.1.7",
        "no x5t#S256",
        |lab| jws(lab, json!({"x5t#S256": null}), |_| ()),
        &["JSON-NOT-ETSI TOTAL-PASSED"],
    ),
    (
        "TS 119 182-1 5.1.7",
        "an x5t#S256 of another certificate",
        |lab| jws(lab, json!({"x5t#S256": lab::jws::url(&sha256(&lab.bob.certificate))}), |_| ()),
        &["JSON-NOT-ETSI INDETERMINATE NO_SIGNING_CERTIFICATE_FOUND"],
    ),
    (
        "RFC 7515 4.1.11",
        "crit names what is not there",
        |lab| jws(lab, json!({"crit": ["sigT", "sigPl"]}), |_| ()),
        &["JSON-NOT-ETSI TOTAL-PASSED"],
    ),
    (
        "RFC 7515 2",
        "padding behind the value",
        |lab| {
            jws(lab, json!({}), |jws| {
                jws["signature"] = format!("{}==", jws["signature"].as_str().expect("text")).into()
            })
        },
        &["JSON-NOT-ETSI TOTAL-FAILED HASH_FAILURE"],
    ),
    (
        "RFC 7515 5.2",
        "another payload",
        |lab| jws(lab, json!({}), |jws| jws["payload"] = lab::jws::url(b"another").into()),
        &["JSON-NOT-ETSI TOTAL-FAILED HASH_FAILURE"],
    ),
];

#[test]
fn json_signatures() {
    check(JSON);
}
