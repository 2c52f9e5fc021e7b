//! Documents that hold many of one thing.

use base64::prelude::*;
use lacre_testkit::cms::{SIGNATURE_TIMESTAMP, SIGNING_CERTIFICATE, STAMPED, SignedData, Signer, Token, attribute};
use lacre_testkit::der::{bytes, children, integer, oid, sequence, set_of, tlv, utf8};
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::{Field, Objects, Pdf, SECOND};
use lacre_testkit::pki::{Crl, Key, SHA256, Spec, Status, entry, extension};
use lacre_testkit::xml::{self, EXCLUSIVE, Signature, enclosed, reference};
use lacre_testkit::zip::{Entry, Zip};
use lacre_testkit::{ers, pki};
use serde_json::json;

/// Makes a document that holds so many of one thing.
pub type Make = fn(&Lab, usize) -> Vec<u8>;

/// Each thing that a document can hold many of, but for those of which each is over all others.
pub const DOCUMENTS: &[(&str, Make)] = &[
    ("signers", signers),
    ("certificates of one name", certificates),
    ("certificates of one key", certificates_of_one_key),
    ("revocation lists", revocation_lists),
    ("OCSP responses", ocsp_responses),
    ("entries of a revocation list", revoked),
    ("signature time-stamps", timestamps),
    ("archive time-stamps", archive_timestamps),
    ("counter-signatures", counter_signatures),
    ("unsigned attributes", attributes),
    ("references to certificates", certificate_references),
    ("references in the signing-certificate attribute", signing_certificate_references),
    ("parts of a name", name_parts),
    ("extensions", extensions),
    ("XML references", references),
    ("XML signatures", xml_signatures),
    ("XML counter-signatures", xml_counter_signatures),
    ("XML namespaces", xml_namespaces),
    ("XML attributes", xml_attributes),
    ("JWS signatures", jws_signatures),
    ("JWS time-stamps", jws_timestamps),
    ("files of ASiC-E", asic_files),
    ("signatures of ASiC-E", asic_signatures),
    ("manifests of ASiC-E", asic_manifests),
    ("hashes of a record", hashes),
    ("evidence records of a signature", embedded_records),
    ("signers with an evidence record", signers_with_records),
];

const TEXT: &[u8] = b"I, Alice, agree.";

fn one(lab: &Lab) -> Signer<'_> {
    lab.signer(&lab.alice, TEXT).at(STAMPED)
}

fn with_unsigned(lab: &Lab, unsigned: Vec<Vec<u8>>) -> Vec<u8> {
    let signer = Signer { unsigned, ..one(lab) };
    lab.signed_data(Some(TEXT), TEXT, &[signer]).bytes()
}

/// Each names another certificate, which is not there.
fn signers(lab: &Lab, count: usize) -> Vec<u8> {
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

/// A signature beside certificates that have the name of the authority, and one of so many keys in turn.
fn beside_namesakes(lab: &Lab, count: usize, keys: &[&str]) -> Vec<u8> {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[one(lab)]);
    let other = Spec { subject: lab.root.subject(), ..Spec::named("", 0) }.with(pki::authority());
    data.certificates.extend((0..count).map(|number| {
        let key = Key::of(keys[number % keys.len()]);
        Spec { serial: 300_000 + number as u64, ..other.clone() }.issued_by(&lab.root, key).certificate
    }));
    data.bytes()
}

fn certificates(lab: &Lab, count: usize) -> Vec<u8> {
    beside_namesakes(lab, count, &["one", "two", "three", "four", "five", "six", "seven", "eight"])
}

fn certificates_of_one_key(lab: &Lab, count: usize) -> Vec<u8> {
    beside_namesakes(lab, count, &["root"])
}

fn revocation_lists(lab: &Lab, count: usize) -> Vec<u8> {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[one(lab)]);
    data.crls = (0..count).map(|number| Crl { number: number as u64, ..Crl::default() }.of(&lab.root)).collect();
    data.bytes()
}

fn ocsp_responses(lab: &Lab, count: usize) -> Vec<u8> {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[one(lab)]);
    data.ocsps = (0..count).map(|number| lab.ocsp(number as u64, Status::Good)).collect();
    data.bytes()
}

fn revoked(lab: &Lab, count: usize) -> Vec<u8> {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[one(lab)]);
    let entries = (0..count).map(|number| entry(400_000 + number as u64, "20260601000000Z", &[])).collect();
    data.crls = vec![Crl { entries, ..Crl::default() }.of(&lab.root)];
    data.bytes()
}

fn timestamps(lab: &Lab, count: usize) -> Vec<u8> {
    let stamp =
        |number: usize| attribute(SIGNATURE_TIMESTAMP, &Token::over(&number.to_be_bytes(), STAMPED).by(&lab.tsa));
    with_unsigned(lab, (0..count).map(stamp).collect())
}

/// By the archive-time-stamp attribute of version 3 (EN 319 122-1 §5.5.3), over nothing.
fn archive_timestamps(lab: &Lab, count: usize) -> Vec<u8> {
    let stamp = |number: usize| attribute("0.4.0.1733.2.4", &Token::over(&number.to_be_bytes(), STAMPED).by(&lab.tsa));
    with_unsigned(lab, (0..count).map(stamp).collect())
}

fn counter_signatures(lab: &Lab, count: usize) -> Vec<u8> {
    let counter = |number: usize| {
        let signer = Signer { timestamp: None, ..Signer::of(&lab.bob, &number.to_be_bytes()) };
        attribute("1.2.840.113549.1.9.6", &signer.signed(&number.to_be_bytes()))
    };
    with_unsigned(lab, (0..count).map(counter).collect())
}

fn attributes(lab: &Lab, count: usize) -> Vec<u8> {
    with_unsigned(lab, (0..count).map(|number| attribute(&format!("1.2.3.{number}"), &utf8("x"))).collect())
}

/// Certificates of people who sign nothing.
fn others(lab: &Lab, count: usize) -> impl Iterator<Item = Vec<u8>> {
    (0..count).map(|number| {
        let spec = Spec::signer(&format!("Other {number}"), 600_000 + number as u64);
        spec.issued_by(&lab.root, Key::of("many")).certificate
    })
}

/// Each names an issuer and a serial number that no certificate has, among as many certificates.
fn certificate_references(lab: &Lab, count: usize) -> Vec<u8> {
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
fn other_cert_id(parts: &[u8]) -> Vec<u8> {
    let parts = children(parts);
    sequence(&[&sequence(&[&parts[0], &parts[1]]), &parts[2]])
}

/// As many references as certificates, none of which is meant.
fn signing_certificate_references(lab: &Lab, count: usize) -> Vec<u8> {
    let reference = |number: usize| sequence(&[&bytes(&pki::sha256(&number.to_be_bytes()))]);
    let references: Vec<Vec<u8>> = (0..count).map(reference).collect();
    let value = sequence(&[&sequence(&[&references.concat()])]);
    let signer = one(lab).without(SIGNING_CERTIFICATE).and(attribute(SIGNING_CERTIFICATE, &value));
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[signer]);
    data.certificates.extend(others(lab, count));
    data.bytes()
}

fn of_certificate(lab: &Lab, spec: &Spec) -> Vec<u8> {
    let person = spec.issued_by(&lab.root, Key::of("many"));
    lab.signed_data(Some(TEXT), TEXT, &[Signer::of(&person, TEXT)]).bytes()
}

fn name_parts(lab: &Lab, count: usize) -> Vec<u8> {
    let part = |number: usize| set_of(&[sequence(&[&oid("2.5.4.11"), &utf8(&format!("unit {number}"))])]);
    let subject = sequence(&[&(0..count).map(part).collect::<Vec<_>>().concat()]);
    of_certificate(lab, &Spec { subject, ..Spec::signer("", 500_000) })
}

fn extensions(lab: &Lab, count: usize) -> Vec<u8> {
    let mut spec = Spec::signer("Many extensions", 500_001);
    spec.extensions.extend((0..count).map(|number| extension(&format!("1.2.3.{number}"), false, &utf8("x"))));
    of_certificate(lab, &spec)
}

const DOCUMENT: &str = "<doc><text Id=\"T\">I, Alice, agree.</text></doc>";
const PART: &str = "<text Id=\"T\">I, Alice, agree.</text>";

fn references(lab: &Lab, count: usize) -> Vec<u8> {
    let references = vec![reference(Some("#T"), PART.as_bytes(), &[EXCLUSIVE]); count];
    enclosed(DOCUMENT, &Signature::over(lab, references).xml()).into_bytes()
}

fn xml_signatures(lab: &Lab, count: usize) -> Vec<u8> {
    let signature = |number: usize| {
        let id = format!("S{number}");
        let references = vec![reference(Some("#T"), PART.as_bytes(), &[EXCLUSIVE])];
        Signature { id: &id, stamped: false, ..Signature::over(lab, references) }.xml()
    };
    enclosed(DOCUMENT, &(0..count).map(signature).collect::<String>()).into_bytes()
}

pub fn xml_timestamps(lab: &Lab, count: usize) -> Vec<u8> {
    let references = vec![reference(Some("#T"), PART.as_bytes(), &[EXCLUSIVE])];
    let xml = Signature::over(lab, references).xml();
    let stamp = lab.xades_timestamp("xades141:ArchiveTimeStamp", "http://uri.etsi.org/01903/v1.4.1#", "", b"", STAMPED);
    let end = "</xades:UnsignedSignatureProperties>";
    let xml = xml.replace(end, &(stamp.repeat(count) + end));
    enclosed(DOCUMENT, &xml).into_bytes()
}

fn xml_counter_signatures(lab: &Lab, count: usize) -> Vec<u8> {
    let references = || vec![reference(Some("#T"), PART.as_bytes(), &[EXCLUSIVE])];
    let xml = Signature::over(lab, references()).xml();
    let counter = |number: usize| {
        let id = format!("C{number}");
        let counter = Signature { id: &id, stamped: false, ..Signature::over(lab, references()) };
        format!("<xades:CounterSignature>{}</xades:CounterSignature>", counter.xml())
    };
    let end = "</xades:UnsignedSignatureProperties>";
    let xml = xml.replacen(end, &((0..count).map(counter).collect::<String>() + end), 1);
    enclosed(DOCUMENT, &xml).into_bytes()
}

fn xml_namespaces(lab: &Lab, count: usize) -> Vec<u8> {
    let declared: String = (0..count).map(|number| format!(" xmlns:n{number}=\"urn:{number}\"")).collect();
    let document = format!("<doc{declared}>{}</doc>", "<a/>".repeat(count));
    lab.enveloped_by(&document, &document, &[xml::ENVELOPED, "http://www.w3.org/2006/12/xml-c14n11"]).into_bytes()
}

fn xml_attributes(lab: &Lab, count: usize) -> Vec<u8> {
    let attributes: String = (0..count).map(|number| format!(" a{number}=\"{number}\"")).collect();
    lab.enveloped(&format!("<doc{attributes}></doc>")).into_bytes()
}

fn jws_signatures(lab: &Lab, count: usize) -> Vec<u8> {
    let mut one = lab.jws(TEXT, json!({}));
    let payload = one.as_object_mut().and_then(|one| one.remove("payload"));
    json!({ "payload": payload, "signatures": vec![one; count] }).to_string().into_bytes()
}

fn jws_timestamps(lab: &Lab, count: usize) -> Vec<u8> {
    let mut one = lab.jws(TEXT, json!({}));
    let token = BASE64_STANDARD.encode(Token::over(b"", STAMPED).by(&lab.tsa));
    let stamp = json!({ "arcTst": { "tstTokens": [{ "val": token }] } });
    let unsigned = one["header"]["etsiU"].as_array_mut().expect("an array");
    unsigned.extend(vec![stamp; count]);
    one.to_string().into_bytes()
}

/// An eighth of them: a PDF may have 500 signatures, each of which is over the whole of it.
pub fn pdf_signatures(lab: &Lab, count: usize) -> Vec<u8> {
    let mut pdf = Pdf::usual();
    for number in 0..count as u32 {
        let name = format!("Field {number}");
        let field = Field { field: 100 + 2 * number, value: 101 + 2 * number, name: &name, ..SECOND };
        pdf.sign_with(&field, Objects::new(), |bytes| {
            let mut data = SignedData::new(None);
            data.signers = vec![Signer::of(&lab.alice, bytes).signed(bytes)];
            data.certificates = vec![lab.alice.certificate.clone()];
            data.bytes()
        });
    }
    pdf.bytes
}

fn named(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("file{number}.txt")).collect()
}

fn asic_files(lab: &Lab, count: usize) -> Vec<u8> {
    let names = named(count);
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), TEXT)).collect();
    lab.asic_e(&files, &[]).bytes()
}

fn asic_signatures(lab: &Lab, count: usize) -> Vec<u8> {
    let mut zip = lab.asic_e(&[("a.txt", TEXT)], &[]);
    let at = zip.entries.iter().position(|entry| entry.title().contains("signatures")).expect("an entry");
    let signature = zip.entries[at].clone();
    zip.entries.extend((0..count).map(|number| {
        let mut entry = signature.clone();
        entry.name = format!("META-INF/signatures{number:05}.xml").into_bytes();
        entry
    }));
    zip.bytes()
}

fn asic_manifests(lab: &Lab, count: usize) -> Vec<u8> {
    let mut zip: Zip = lab.asic_e_cades(&[("a.txt", TEXT)]);
    let of = |zip: &Zip, part: &str| -> Entry {
        zip.entries.iter().find(|entry| entry.title().contains(part)).expect("an entry").clone()
    };
    let (manifest, signature) = (of(&zip, "anifest"), of(&zip, ".p7s"));
    let name = signature.title();
    for number in 0..count {
        let other = format!("META-INF/signature{number:05}.p7s");
        let mut entry = manifest.clone();
        entry.name = format!("META-INF/ASiCManifest{number:05}.xml").into_bytes();
        entry.data = String::from_utf8(entry.data).expect("XML").replace(&name, &other).into_bytes();
        zip.entries.push(entry);
        zip.entries.push(Entry { name: other.into_bytes(), ..signature.clone() });
    }
    zip.bytes()
}

pub fn record(lab: &Lab, count: usize) -> Vec<u8> {
    let stamp = lab.archive_timestamp(&[pki::sha256(TEXT)], STAMPED);
    ers::record(&[&vec![stamp; count]])
}

pub fn chains(lab: &Lab, count: usize) -> Vec<u8> {
    let chain = [lab.archive_timestamp(&[pki::sha256(TEXT)], STAMPED)];
    ers::record(&vec![&chain[..]; count])
}

fn hashes(lab: &Lab, count: usize) -> Vec<u8> {
    let hashes: Vec<Vec<u8>> = (0..count).map(|number| pki::sha256(&number.to_be_bytes())).collect();
    ers::record(&[&[lab.archive_timestamp(&hashes, STAMPED)]])
}

const INTERNAL_RECORD: &str = "1.2.840.113549.1.9.16.2.49";

/// Each of a version of its own, so that no two are the same.
fn embedded_records(lab: &Lab, count: usize) -> Vec<u8> {
    let stamp = lab.archive_timestamp(&[pki::sha256(TEXT)], STAMPED);
    let record = |number: usize| {
        let mut record = children(&ers::record(&[std::slice::from_ref(&stamp)]));
        record[0] = integer(number as u64);
        attribute(INTERNAL_RECORD, &sequence(&[&record.concat()]))
    };
    with_unsigned(lab, (0..count).map(record).collect())
}

fn signers_with_records(lab: &Lab, count: usize) -> Vec<u8> {
    let stamp = lab.archive_timestamp(&[pki::sha256(TEXT)], STAMPED);
    let record = attribute(INTERNAL_RECORD, &ers::record(&[&[stamp]]));
    let signer = |number: usize| Signer {
        identifier: sequence(&[&lab.alice.issuer(), &integer(100_000 + number as u64)]),
        timestamp: None,
        unsigned: vec![record.clone()],
        ..Signer::of(&lab.alice, TEXT)
    };
    let mut data = lab.signed_data(Some(TEXT), TEXT, &(0..count).map(signer).collect::<Vec<_>>());
    data.certificates = vec![lab.alice.certificate.clone()];
    data.bytes()
}

/// A large message with one record of 64 chains.
pub fn chains_over_a_large_message(lab: &Lab, bytes: usize) -> Vec<u8> {
    let text = vec![b'x'; bytes];
    let chain = [lab.archive_timestamp(&[pki::sha256(TEXT)], STAMPED)];
    let record = attribute(INTERNAL_RECORD, &ers::record(&vec![&chain[..]; 64]));
    let signer = Signer { unsigned: vec![record], ..lab.signer(&lab.alice, &text).at(STAMPED) };
    lab.signed_data(Some(&text), &text, &[signer]).bytes()
}
