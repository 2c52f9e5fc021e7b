//! ASiC containers: which files signatures, time-stamps and evidence records leave out (EN 319 162-1 §4.3, §4.4, annex A).

use super::Expect::{Finding, FindingOfTimestamp, NotPassed, Passed};
use super::{Given, Row, check};
use lacre::Document;
use lacre_core::facts::SignatureLevel;
use lacre_testkit::cms::{STAMPED, Token};
use lacre_testkit::der::{integer, sequence};
use lacre_testkit::lab::{AT, Lab};
use lacre_testkit::zip::*;

const CONTRACT: (&str, &[u8]) = FILES[0];
const EVIL: (&str, &[u8]) = ("evil.txt", b"pay 900");
/// In a folder, where an ASiC-S may have it beside its one file.
const INNER: (&str, &[u8]) = ("sub/evil.txt", b"pay 900");

fn asice(zip: &Zip) -> Given {
    Given::new("contract.asice", zip.bytes())
}

fn asics(zip: &Zip) -> Given {
    Given::new("contract.asics", zip.bytes())
}

/// An ASiC-E whose contract alone this token is over, by this manifest.
fn over_contract(list: (&str, &[u8]), token: (&str, &[u8]), more: &[(&str, &[u8])]) -> Given {
    let files = [&[("mimetype", ASIC_E), CONTRACT][..], more, &[list, token]].concat();
    asice(&Zip::of(&files))
}

fn stamp(lab: &Lab, bytes: &[u8]) -> Vec<u8> {
    Token { crls: vec![lab.crl.clone()], ..Token::over(bytes, STAMPED) }.by(&lab.tsa)
}

fn stamped(lab: &Lab, more: &[(&str, &[u8])]) -> Given {
    let list = manifest(&[CONTRACT], "META-INF/timestamp.tst");
    let token = stamp(lab, &list);
    over_contract(("META-INF/ASiCManifest.xml", &list), ("META-INF/timestamp.tst", &token), more)
}

fn recorded(lab: &Lab, more: &[(&str, &[u8])]) -> Given {
    let list = manifest(&[CONTRACT], "META-INF/evidencerecord.ers");
    let record = lab.evidence_record(&[CONTRACT.1]);
    over_contract(("META-INF/ASiCEvidenceRecordManifest.xml", &list), ("META-INF/evidencerecord.ers", &record), more)
}

/// XAdES over the contract, in what Estonia used before BDOC.
fn signed_doc(lab: &Lab, more: &[(&str, &[u8])]) -> Given {
    let signature = lab.xades_over(&[CONTRACT]);
    let mut zip = lab.asic_e_with(&[CONTRACT], more, &signature);
    let around = format!("<SignedDoc format=\"DIGIDOC-XML\" version=\"1.3\">{signature}</SignedDoc>");
    zip.entry("META-INF/signatures001.xml").data = around.into_bytes();
    asice(&zip)
}

fn stamped_simple(lab: &Lab) -> Zip {
    lab.asic_s(CONTRACT, "META-INF/timestamp.tst", &stamp(lab, CONTRACT.1))
}

/// An ASiC-S whose time-stamp stands in the authority's response of that status.
fn answered(lab: &Lab, status: u64) -> Given {
    let response = sequence(&[&sequence(&[&integer(status)]), &stamp(lab, CONTRACT.1)]);
    asics(&lab.asic_s(CONTRACT, "META-INF/timestamp.tst", &response))
}

fn recorded_simple(lab: &Lab) -> Zip {
    lab.asic_s(CONTRACT, "META-INF/evidencerecord.ers", &lab.evidence_record(&[CONTRACT.1]))
}

const LEFT_OUT: &[Row] = &[
    ("EN 319 162-1 4.4.1", "XAdES in a SignedDoc", Finding, |lab| signed_doc(lab, &[EVIL])),
    ("EN 319 162-1 4.4.3.3", "ASiC-E: a time-stamp", FindingOfTimestamp, |lab| stamped(lab, &[EVIL])),
    ("EN 319 162-1 4.3.1", "ASiC-S: a time-stamp, a file in a folder", FindingOfTimestamp, |lab| {
        asics(&stamped_simple(lab).and(INNER.0, INNER.1))
    }),
    ("EN 319 162-1 4.4.3.4", "ASiC-E: an evidence record", Finding, |lab| recorded(lab, &[EVIL])),
    ("EN 319 162-1 4.3.1", "ASiC-S: an evidence record, a file in a folder", Finding, |lab| {
        asics(&recorded_simple(lab).and(INNER.0, INNER.1))
    }),
    ("EN 319 162-1 4.4.3.3", "nothing, by a time-stamp", Passed, |lab| stamped(lab, &[])),
    ("EN 319 162-1 4.3.1", "nothing, by a time-stamp of an ASiC-S", Passed, |lab| asics(&stamped_simple(lab))),
    ("EN 319 162-1 4.4.3.4", "nothing, by an evidence record", Passed, |lab| recorded(lab, &[])),
    ("EN 319 162-1 4.3.1", "nothing, by an evidence record of an ASiC-S", Passed, |lab| asics(&recorded_simple(lab))),
];

#[test]
fn files_that_are_left_out() {
    check(LEFT_OUT);
}

/// Readers name the file that nobody is over.
#[test]
fn files_that_are_left_out_are_named() {
    for make in [signed_doc, stamped, recorded] {
        let lab = Lab::new();
        let given = make(&lab, &[EVIL]);
        let document = Document::new(&given.bytes).named(given.name.to_owned());
        let report = lab.validator().validate(&document, AT.parse().expect("a time")).expect("it is signed");
        let report: serde_json::Value = serde_json::from_str(&report.to_json()).expect("JSON");
        let tokens = ["signatures", "timestamps", "evidence_records"].map(|list| report[list].as_array().cloned());
        let findings = tokens.into_iter().flatten().flatten().map(|token| token["findings"].to_string());
        assert!({ findings }.any(|found| found.contains("BBB_CV_IAFS_ANS") && found.contains(EVIL.0)), "4.4.1");
    }
}

/// A signed file that a symbolic link is made of, whose attributes are those of this host.
fn link(lab: &Lab, host: u8) -> Given {
    let mut zip = lab.asic_e(&[("contract.txt", b"annex.txt"), ("annex.txt", b"terms")], &[]);
    let entry = zip.entry("contract.txt");
    (entry.attributes, entry.host) = (0o120_777 << 16, host);
    asice(&zip)
}

/// A container that calls itself something else.
fn called(zip: Zip, name: &'static str) -> Given {
    let mut zip = zip;
    zip.entry("mimetype").data = b"application/zip".to_vec();
    Given::new(name, zip.bytes())
}

/// An evidence record whose manifest has another name.
fn listed_elsewhere(lab: &Lab, list: &str) -> Given {
    let entries = manifest(&[CONTRACT], "META-INF/evidencerecord.ers");
    let record = lab.evidence_record(&[CONTRACT.1]);
    over_contract((list, &entries), ("META-INF/evidencerecord.ers", &record), &[])
}

/// An ASiC-E of two files that are the same, and a record of these leaves.
fn recorded_same(lab: &Lab, leaves: &[&[u8]]) -> Given {
    let files = [("one.txt", EVIL.1), ("two.txt", EVIL.1)];
    let (list, record) = (manifest(&files, "META-INF/evidencerecord.ers"), lab.evidence_record(leaves));
    let list = ("META-INF/ASiCEvidenceRecordManifest.xml", &list[..]);
    asice(&Zip::of(&[("mimetype", ASIC_E), files[0], files[1], list, ("META-INF/evidencerecord.ers", &record)]))
}

const PUT_TOGETHER: &[Row] = &[
    ("RFC 4998 4.3", "an evidence record of two files that are the same", Passed, |lab| {
        recorded_same(lab, &[EVIL.1, EVIL.1])
    }),
    ("RFC 4998 4.3", "and of other files beside", Passed, |lab| recorded_same(lab, &[EVIL.1])),
    ("EN 319 162-1 4.3.1", "an evidence record beside a time-stamp", FindingOfTimestamp, |lab| {
        asics(&stamped_simple(lab).and("META-INF/evidencerecord.ers", &lab.evidence_record(&[EVIL.1])))
    }),
    ("EN 319 162-1 A.1", "a time-stamp in a container of another media type", FindingOfTimestamp, |lab| {
        called(stamped_simple(lab), "contract.asics")
    }),
    ("RFC 3161 2.4.2", "a response that grants a time-stamp", Passed, |lab| answered(lab, 0)),
    ("RFC 3161 2.4.2", "a response that rejects, with a time-stamp", NotPassed, |lab| answered(lab, 2)),
    ("EN 319 162-1 A.1", "an evidence record in a container of another media type", Finding, |lab| {
        called(recorded_simple(lab), "contract.asics")
    }),
    ("EN 319 162-1 4.4.1", "an evidence record of an ASiC-E over nothing", Finding, |lab| {
        let (list, record) = (manifest(&[], "META-INF/evidencerecord.ers"), lab.evidence_record(&[CONTRACT.1]));
        let list = ("META-INF/ASiCEvidenceRecordManifest.xml", &list[..]);
        asice(&Zip::of(&[("mimetype", ASIC_E), list, ("META-INF/evidencerecord.ers", &record)]))
    }),
    ("EN 319 162-1 A.7", "a manifest of an evidence record that is named as one of a signature", Finding, |lab| {
        listed_elsewhere(lab, "META-INF/ASiCManifest.xml")
    }),
    ("EN 319 162-1 A.7", "a manifest with a number", Passed, |lab| {
        listed_elsewhere(lab, "META-INF/ASiCEvidenceRecordManifest001.xml")
    }),
];

#[test]
fn containers_of_proofs_alone() {
    check(PUT_TOGETHER);
}

const ENTRIES: &[Row] = &[
    ("APPNOTE 4.4.2", "a symbolic link of Unix", Finding, |lab| link(lab, 3)),
    ("APPNOTE 4.4.2", "a symbolic link of FAT", Finding, |lab| link(lab, 0)),
    ("APPNOTE 4.4.2", "a symbolic link of Atari", Finding, |lab| link(lab, 5)),
    ("APPNOTE 4.4.2", "a symbolic link of BeOS", Finding, |lab| link(lab, 16)),
    ("APPNOTE 4.4.2", "a symbolic link of AtheOS", Finding, |lab| link(lab, 30)),
    ("EN 319 162-1 A.1", "a list of files beside CAdES that is none", Finding, |lab| {
        asice(&lab.asic_e_cades(&FILES).and("META-INF/manifest.xml", b"MZ"))
    }),
    ("EN 319 162-1 A.1", "a list of files beside CAdES that is another document", Finding, |lab| {
        asice(&lab.asic_e_cades(&FILES).and("META-INF/manifest.xml", b"<invoice/>"))
    }),
    ("EN 319 162-1 A.1", "a list of files beside CAdES", Passed, |lab| {
        let names = FILES.map(|(name, _)| name);
        asice(&lab.asic_e_cades(&FILES).and("META-INF/manifest.xml", &package(&names)))
    }),
];

/// A container of one file, whose token has something behind it.
fn followed(lab: &Lab, name: &str, token: Vec<u8>, behind: &[u8]) -> Given {
    asics(&lab.asic_s(CONTRACT, name, &[&token, behind].concat()))
}

const BEHIND: &[Row] = &[
    ("RFC 5652 3", "text behind a signature", Finding, |lab| {
        followed(lab, "META-INF/signature.p7s", lab.detached(CONTRACT.1), EVIL.1)
    }),
    ("RFC 5652 3", "behind a time-stamp", FindingOfTimestamp, |lab| {
        followed(lab, "META-INF/timestamp.tst", stamp(lab, CONTRACT.1), EVIL.1)
    }),
    ("RFC 4998 3", "behind an evidence record", Finding, |lab| {
        followed(lab, "META-INF/evidencerecord.ers", lab.evidence_record(&[CONTRACT.1]), EVIL.1)
    }),
    ("RFC 5652 3", "padding", Passed, |lab| {
        followed(lab, "META-INF/signature.p7s", lab.detached(CONTRACT.1), b"\0\0\r\n")
    }),
];

#[test]
fn what_stands_behind_a_token() {
    check(BEHIND);
}

#[test]
fn entries_that_are_something_else() {
    check(ENTRIES);
}

/// EN 319 162-1 A.4, EN 319 122-1 6.3: a time-stamp is over a signature whose digest its manifest has, and over it alone.
#[test]
fn levels_by_container_time_stamps() {
    const SIGNATURE: &str = "META-INF/signature001.p7s";
    let lab = Lab::new();
    let zip = lab.asic_e_cades(&[CONTRACT]);
    let signed = zip.clone().entry(SIGNATURE).data.clone();
    let level = |listed: &[u8], stamped: Option<&[u8]>| {
        let list = manifest(&[CONTRACT, (SIGNATURE, listed)], "META-INF/timestamp001.tst");
        let token = stamp(&lab, stamped.unwrap_or(&list));
        let zip = zip.clone().and("META-INF/ASiCArchiveManifest.xml", &list).and("META-INF/timestamp001.tst", &token);
        let bytes = zip.bytes();
        let document = Document::new(&bytes).named("contract.asice".to_owned());
        let validator = lab.validator().evidence(&lab.crl).expect("a list");
        let report = validator.validate(&document, AT.parse().expect("a time")).expect("it is signed");
        report.facts().signatures[0].level
    };
    for (situation, level, expected) in [
        ("over the signature", level(&signed, None), SignatureLevel::CadesBaselineLta),
        ("over another signature", level(b"another", None), SignatureLevel::CadesBaselineLt),
        ("over another manifest", level(&signed, Some(b"another")), SignatureLevel::CadesBaselineLt),
    ] {
        assert_eq!(level, Some(expected), "{situation}");
    }
}
