//! Evidence records: beside a file, in CMS, in ASiC.

use super::{Given, Row, TEXT, check, message};
use lacre_testkit::cms::{STAMPED, attribute};
use lacre_testkit::ers::{RENEWED, record, renewed, token_of};
use lacre_testkit::lab::Lab;
use lacre_testkit::pki::sha256;
use lacre_testkit::zip::{ASIC_E, Zip, manifest};

const OTHER: &[u8] = b"Another text.";

/// A record beside these files.
fn beside(record: Vec<u8>, files: &[(&'static str, &'static [u8])]) -> Given {
    Given("record.ers", record, files.to_vec())
}

/// An archive time-stamp over both texts, the first of a record.
fn first(lab: &Lab) -> Vec<u8> {
    lab.archive_timestamp(&[sha256(TEXT), sha256(OTHER)], STAMPED)
}

/// A record whose hash tree was renewed for these objects, over that sequence.
fn tree_renewed(lab: &Lab, objects: &[&[u8]], over: &[&[Vec<u8>]]) -> Vec<u8> {
    let hashes: Vec<Vec<u8>> = objects.iter().map(|object| renewed(object, over)).collect();
    let second = lab.archive_timestamp(&hashes, RENEWED[0]);
    record(&[&[first(lab)], &[second]])
}

const INTERNAL: &str = "1.2.840.113549.1.9.16.2.49";
const EXTERNAL: &str = "1.2.840.113549.1.9.16.2.50";

/// A message by Alice with unsigned attributes behind its time-stamp, and its content in it or beside it.
fn with_records(lab: &Lab, attached: bool, attributes: &[Vec<u8>]) -> Vec<u8> {
    // The time of the signature keeps it the same in every call.
    let mut signer = lab.signer(&lab.alice, TEXT).at(STAMPED);
    signer.unsigned = attributes.to_vec();
    lab.signed_data(attached.then_some(TEXT), TEXT, &[signer]).bytes()
}

/// A container with a record over a manifest's files; the files themselves.
fn kept(lab: &Lab, stated: &[(&str, &[u8])], files: &[(&str, &[u8])]) -> Given {
    let manifest = manifest(stated, "META-INF/evidencerecord.ers");
    let mut zip = Zip::of(&[("mimetype", ASIC_E)]);
    for (name, data) in files {
        zip = zip.and(name, data);
    }
    zip = zip.and("META-INF/ASiCEvidenceRecordManifest001.xml", &manifest);
    let objects: Vec<&[u8]> = stated.iter().map(|(_, data)| *data).collect();
    zip = zip.and("META-INF/evidencerecord.ers", &lab.evidence_record(&objects));
    Given("container.asice", zip.bytes(), vec![])
}

const RECORDS: &[Row] = &[
    ("RFC 4998 4.3", "of one object", |lab| beside(lab.evidence_record(&[TEXT]), &[("a.txt", TEXT)]), &["PASSED"]),
    (
        "RFC 4998 4.3",
        "of another object",
        |lab| beside(lab.evidence_record(&[OTHER]), &[("a.txt", TEXT)]),
        &["FAILED HASH_FAILURE"],
    ),
    (
        "RFC 4998 4.3",
        "the object is missing",
        |lab| beside(lab.evidence_record(&[TEXT]), &[]),
        &["INDETERMINATE SIGNED_DATA_NOT_FOUND"],
    ),
    (
        "RFC 4998 4.3",
        "of two objects",
        |lab| beside(lab.evidence_record(&[TEXT, OTHER]), &[("a.txt", TEXT), ("b.txt", OTHER)]),
        &["PASSED"],
    ),
    (
        "RFC 4998 4.3",
        "of two objects, one is missing",
        |lab| beside(lab.evidence_record(&[TEXT, OTHER]), &[("a.txt", TEXT)]),
        &["PASSED"],
    ),
    (
        "RFC 4998 4.3",
        "an object that the tree does not hold",
        |lab| beside(lab.evidence_record(&[TEXT]), &[("a.txt", TEXT), ("b.txt", OTHER)]),
        &["INDETERMINATE SIGNED_DATA_NOT_FOUND"],
    ),
    (
        "RFC 4998 4.3",
        "an object that the tree does not hold, another leaf",
        |lab| beside(lab.evidence_record(&[TEXT, b"of somebody else"]), &[("a.txt", TEXT), ("b.txt", OTHER)]),
        &["PASSED"],
    ),
    (
        "RFC 4998 5.2",
        "the time-stamp renewed",
        |lab| {
            let first = first(lab);
            let second = lab.archive_timestamp(&[sha256(&token_of(&first))], RENEWED[0]);
            let third = lab.archive_timestamp(&[sha256(&token_of(&second)), sha256(b"of another record")], RENEWED[1]);
            beside(record(&[&[first, second, third]]), &[("a.txt", TEXT), ("b.txt", OTHER)])
        },
        &["PASSED"],
    ),
    (
        "RFC 4998 5.2",
        "a renewal that covers another time-stamp",
        |lab| {
            let other = lab.archive_timestamp(&[sha256(OTHER)], STAMPED);
            let second = lab.archive_timestamp(&[sha256(&token_of(&other))], RENEWED[0]);
            beside(record(&[&[first(lab), second]]), &[("a.txt", TEXT), ("b.txt", OTHER)])
        },
        &["FAILED HASH_FAILURE"],
    ),
    (
        "RFC 4998 5.2",
        "a renewal before what it renews",
        |lab| {
            let first = lab.archive_timestamp(&[sha256(TEXT)], RENEWED[0]);
            let second = lab.archive_timestamp(&[sha256(&token_of(&first))], STAMPED);
            beside(record(&[&[first, second]]), &[("a.txt", TEXT)])
        },
        &["PASSED"],
    ),
    (
        "RFC 4998 5.2",
        "the hash tree renewed",
        |lab| {
            let record = tree_renewed(lab, &[TEXT, OTHER], &[&[first(lab)]]);
            beside(record, &[("a.txt", TEXT), ("b.txt", OTHER)])
        },
        &["PASSED"],
    ),
    (
        "RFC 4998 5.2",
        "the renewed hash tree lacks an object",
        |lab| {
            let record = tree_renewed(lab, &[TEXT], &[&[first(lab)]]);
            beside(record, &[("a.txt", TEXT), ("b.txt", OTHER)])
        },
        &["FAILED HASH_FAILURE"],
    ),
    (
        "RFC 4998 5.2",
        "the renewed hash tree has another leaf for an object",
        |lab| {
            let record = tree_renewed(lab, &[TEXT, b"of somebody else"], &[&[first(lab)]]);
            beside(record, &[("a.txt", TEXT), ("b.txt", OTHER)])
        },
        &["FAILED HASH_FAILURE"],
    ),
    (
        "RFC 4998 5.2",
        "the renewed hash tree covers another sequence",
        |lab| {
            let other = lab.archive_timestamp(&[sha256(OTHER)], STAMPED);
            let record = tree_renewed(lab, &[TEXT, OTHER], &[&[other]]);
            beside(record, &[("a.txt", TEXT), ("b.txt", OTHER)])
        },
        &["FAILED HASH_FAILURE"],
    ),
    (
        "RFC 4998 5.2",
        "the hash tree renewed, an object is missing",
        |lab| {
            let record = tree_renewed(lab, &[TEXT, OTHER], &[&[first(lab)]]);
            beside(record, &[("a.txt", TEXT)])
        },
        &["PASSED"],
    ),
    (
        "RFC 4998 A",
        "in a message",
        |lab| {
            let record = lab.evidence_record(&[&with_records(lab, true, &[])]);
            message(with_records(lab, true, &[attribute(INTERNAL, &record)]))
        },
        &["CAdES-ERS TOTAL-PASSED", "PASSED"],
    ),
    (
        "RFC 4998 A",
        "in a message, of another one",
        |lab| message(with_records(lab, true, &[attribute(INTERNAL, &lab.evidence_record(&[OTHER]))])),
        &["CAdES-ERS TOTAL-PASSED", "FAILED HASH_FAILURE"],
    ),
    (
        "RFC 4998 A",
        "in a message, two",
        |lab| {
            let first = attribute(INTERNAL, &lab.evidence_record(&[&with_records(lab, true, &[])]));
            let before = with_records(lab, true, std::slice::from_ref(&first));
            let second = record(&[&[lab.archive_timestamp(&[sha256(&before)], RENEWED[0])]]);
            let second = attribute(INTERNAL, &second);
            message(with_records(lab, true, &[first, second]))
        },
        &["CAdES-ERS TOTAL-PASSED", "PASSED", "PASSED"],
    ),
    (
        "RFC 4998 A",
        "in a message, of itself and the content beside it",
        |lab| {
            let record = lab.evidence_record(&[&with_records(lab, false, &[]), TEXT]);
            let bytes = with_records(lab, false, &[attribute(EXTERNAL, &record)]);
            Given("message.p7s", bytes, vec![("a.txt", TEXT)])
        },
        &["CAdES-ERS TOTAL-PASSED", "PASSED"],
    ),
    (
        "RFC 4998 A",
        "in a message, of itself without the content beside it",
        |lab| {
            let record = lab.evidence_record(&[&with_records(lab, false, &[])]);
            let bytes = with_records(lab, false, &[attribute(EXTERNAL, &record)]);
            Given("message.p7s", bytes, vec![("a.txt", TEXT)])
        },
        &["CAdES-ERS TOTAL-PASSED", "FAILED HASH_FAILURE"],
    ),
    (
        "RFC 4998 A",
        "in a message, of itself and another content than that beside it",
        |lab| {
            let record = lab.evidence_record(&[&with_records(lab, false, &[]), OTHER]);
            let bytes = with_records(lab, false, &[attribute(EXTERNAL, &record)]);
            Given("message.p7s", bytes, vec![("a.txt", TEXT)])
        },
        &["CAdES-ERS TOTAL-PASSED", "FAILED HASH_FAILURE"],
    ),
    (
        "RFC 4998 A",
        "in a message, of the content beside it alone",
        |lab| {
            let bytes = with_records(lab, false, &[attribute(EXTERNAL, &lab.evidence_record(&[TEXT]))]);
            Given("message.p7s", bytes, vec![("a.txt", TEXT)])
        },
        &["CAdES-ERS TOTAL-PASSED", "FAILED HASH_FAILURE"],
    ),
    (
        "EN 319 162-1 A.7",
        "in a container",
        |lab| kept(lab, &[("a.txt", TEXT), ("b.txt", OTHER)], &[("a.txt", TEXT), ("b.txt", OTHER)]),
        &["PASSED"],
    ),
    (
        "EN 319 162-1 A.7",
        "in a container, a file is missing",
        |lab| kept(lab, &[("a.txt", TEXT), ("b.txt", OTHER)], &[("a.txt", TEXT)]),
        &["INDETERMINATE SIGNED_DATA_NOT_FOUND"],
    ),
    (
        "EN 319 162-1 A.7",
        "in a container, a file was changed",
        |lab| kept(lab, &[("a.txt", TEXT), ("b.txt", OTHER)], &[("a.txt", TEXT), ("b.txt", b"changed")]),
        &["FAILED HASH_FAILURE"],
    ),
    (
        "EN 319 162-1 A.7",
        "in a container, a file more than the manifest names",
        |lab| kept(lab, &[("a.txt", TEXT)], &[("a.txt", TEXT), ("b.txt", OTHER)]),
        &["PASSED"],
    ),
];

#[test]
fn records() {
    check(RECORDS, &["signatures", "evidence_records"]);
}
