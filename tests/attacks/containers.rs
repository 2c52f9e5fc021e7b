//! ASiC containers: names, entries that nobody signed, files of other types (EN 319 162-1, APPNOTE).

use super::Expect::{Finding, NotPassed, Passed};
use super::{Given, Row, check};
use lacre::Document;
use lacre_testkit::lab::{AT, Lab};
use lacre_testkit::pdf::{EVIL, Objects, Pdf};
use lacre_testkit::random::Random;
use lacre_testkit::xml::{DS, EXCLUSIVE, Signature, reference, xpath};
use lacre_testkit::zip::*;

const OTHER: &[u8] = b"pay 900";
const CONTRACT: (&str, &[u8]) = FILES[0];

fn asice(zip: &Zip) -> Given {
    Given::new("contract.asice", zip.bytes())
}

fn asics(zip: &Zip) -> Given {
    Given::new("contract.asics", zip.bytes())
}

/// A container with another file of that name.
fn twin(lab: &Lab, name: &str) -> Given {
    asice(&lab.asic_e(&FILES, &[(name, OTHER)]))
}

/// A signature over an object of its own, and over nothing else.
fn own(lab: &Lab) -> String {
    let object = format!("<ds:Object xmlns:ds=\"{DS}\" Id=\"o\">pay 100</ds:Object>");
    let over = vec![reference(Some("#o"), object.as_bytes(), &[EXCLUSIVE])];
    Signature { objects: object, ..Signature::over(lab, over) }.xml()
}

const F2: &[Row] = &[
    ("EN 319 162-1 4.3.3", "ASiC-S: attached CAdES over other bytes than the file", NotPassed, |lab| {
        asics(&lab.asic_s((CONTRACT.0, OTHER), "META-INF/signature.p7s", &lab.attached(CONTRACT.1)))
    }),
    ("EN 319 162-1 4.3.3", "ASiC-S: XAdES over an object of its own", NotPassed, |lab| {
        asics(&lab.asic_s((CONTRACT.0, OTHER), "META-INF/signatures.xml", &signatures(&own(lab))))
    }),
    ("EN 319 162-1 4.4.3", "ASiC-E: XAdES over an object of its own", Finding, |lab| {
        asice(&lab.asic_e_with(&[(CONTRACT.0, OTHER)], &[], &own(lab)))
    }),
];

#[test]
fn f2_the_file_of_the_container() {
    check(F2);
}

fn page() -> Vec<u8> {
    Pdf::page(EVIL, Objects::new()).bytes
}

fn named_pdf(zip: &Zip) -> Given {
    Given::new("contract.pdf", zip.bytes())
}

const F9: &[Row] = &[
    ("ISO 32000-2 7.5.2", "a PDF between entries, by name a PDF", NotPassed, |lab| {
        let mut zip = lab.asic_e(&FILES, &[]);
        zip.entries[0].gap = [b"\n".to_vec(), page(), b"\n".to_vec()].concat();
        named_pdf(&zip)
    }),
    ("ISO 32000-2 7.5.2", "a PDF in the comment, its header in an extra field", NotPassed, |lab| {
        let mut zip = lab.asic_e(&FILES, &[]);
        zip.entries[0].extra = b"\x99\x99\x09\0%PDF-1.7\n".to_vec();
        zip.entries[0].listed_extra = Some(vec![]);
        zip.comment = page();
        named_pdf(&zip)
    }),
    ("ISO 32000-2 7.5.2", "a PDF in front, offsets as they were", NotPassed, |lab| {
        let bytes = [b"PK\x05\x06\n".to_vec(), page(), lab.asic_e(&FILES, &[]).bytes()].concat();
        Given::new("contract.pdf", bytes)
    }),
    ("ISO 32000-2 7.5.2", "a PDF in front, offsets right", NotPassed, |lab| {
        let prefix = [b"PK\x05\x06\n".to_vec(), page()].concat();
        named_pdf(&Zip { prefix, ..lab.asic_e(&FILES, &[]) })
    }),
    ("ISO 32000-2 7.5.2", "a PDF before the directory", NotPassed, |lab| {
        named_pdf(&Zip { before_directory: page(), ..lab.asic_e(&FILES, &[]) })
    }),
];

#[test]
fn f9_a_page_in_a_container() {
    check(F9);
}

/// The transforms of an entry leave a paragraph out, and that is another.
fn left_out(lab: &Lab) -> Given {
    let kept = "<html><i>x</i></html>";
    let transform = xpath("not(ancestor-or-self::p)");
    let over = vec![reference(Some("contract.xhtml"), kept.as_bytes(), &[&transform, EXCLUSIVE])];
    let file: (&str, &[u8]) = ("contract.xhtml", b"<html><p>pay 900,000</p><i>x</i></html>");
    asice(&lab.asic_e_with(&[file], &[], &Signature::over(lab, over).xml()))
}

#[test]
fn f7_transforms_of_an_entry() {
    check(&[("XMLDSig 8.1.1", "XPath leaves out what is another", Finding, left_out)]);
}

const F14: &[Row] = &[
    ("EN 319 162-1 A", "a file like a signed one, in capitals", Finding, |lab| twin(lab, "CONTRACT.TXT")),
    ("EN 319 162-1 A", "a file like a signed one, a blank behind", Finding, |lab| twin(lab, "contract.txt ")),
    ("EN 319 162-1 A", "a file like a signed one, a dot behind", Finding, |lab| twin(lab, "contract.txt.")),
    ("APPNOTE 4.4.17", "a file like a signed one, ./ before", NotPassed, |lab| twin(lab, "./contract.txt")),
    ("APPNOTE 4.4.17", "a file like a signed one, .// before", NotPassed, |lab| twin(lab, ".//contract.txt")),
    ("APPNOTE 4.4.17", "a folder like a signed file, with data", Finding, |lab| twin(lab, "contract.txt/")),
    ("UTS #39", "a file like a signed one, with a Cyrillic letter", Finding, |lab| twin(lab, "\u{441}ontract.txt")),
    ("UTS #39", "a file like a signed one, with a blank of no width", Finding, |lab| twin(lab, "contract\u{200b}.txt")),
    ("EN 319 162-1 A", "a file like a signed one, with the name of a stream", Finding, |lab| {
        twin(lab, "contract.txt:stream")
    }),
    ("EN 319 162-1 A.1", "a file like a signed one, in META-INF", Finding, |lab| twin(lab, "META-INF/contract.txt")),
    ("EN 319 162-1 A.1", "a page in META-INF", Finding, |lab| twin(lab, "META-INF/evil.pdf")),
    ("APPNOTE 4.4.17", "a file in META-INF by a backslash", Finding, |lab| twin(lab, "META-INF\\x.txt")),
    ("APPNOTE 4.4.17", "a file outside by ..", NotPassed, |lab| twin(lab, "a/../contract.txt")),
    ("APPNOTE 4.4.17", "a file outside by .. and backslashes", NotPassed, |lab| twin(lab, "sub\\..\\contract.txt")),
    ("APPNOTE 4.4.17", "a name with a zero", NotPassed, |lab| twin(lab, "contract.txt\0.exe")),
    ("APPNOTE 4.4.17", "the same name twice", NotPassed, |lab| twin(lab, "contract.txt")),
    ("UAX #15", "a name in another Unicode form", Finding, |lab| {
        asice(&lab.asic_e(&[("caf\u{e9}.txt", b"pay 100")], &[("cafe\u{301}.txt", OTHER)]))
    }),
    ("APPNOTE 4.6.9", "extra fields that swap two names", NotPassed, |lab| {
        let mut zip = lab.asic_e(&FILES, &[]);
        zip.entry("contract.txt").extra = unicode_path("annex.txt", "contract.txt");
        zip.entry("annex.txt").extra = unicode_path("contract.txt", "annex.txt");
        asice(&zip)
    }),
    ("APPNOTE 4.6.9", "an extra field that renames a file, in the directory only", NotPassed, |lab| {
        let mut zip = lab.asic_e(&FILES, &[]);
        zip.entry("contract.txt").listed_extra = Some(unicode_path("annex.txt", "contract.txt"));
        asice(&zip)
    }),
    ("APPNOTE 4.3.7", "another name in the local header", NotPassed, |lab| {
        let mut zip = lab.asic_e(&FILES, &[]);
        zip.entry("contract.txt").listed_name = Some(b"annex2.txt".to_vec());
        asice(&zip)
    }),
    ("APPNOTE 4.3.12", "an entry that the directory does not list", NotPassed, |lab| {
        let mut zip = lab.asic_e(&FILES, &[]);
        zip.entries.push(Entry { unlisted: true, ..Entry::new("contract.txt", OTHER) });
        asice(&zip)
    }),
    ("EN 319 162-1 4.4", "a signature that cannot be read beside a good one", NotPassed, |lab| {
        asice(&lab.asic_e(&FILES, &[("META-INF/signature001.p7s", b"garbage")]))
    }),
    ("EN 319 162-1 4.4", "a file that nobody signed", Finding, |lab| twin(lab, "evil.txt")),
    ("EN 319 162-1 4.4", "a signed file is another", NotPassed, |lab| {
        asice(&lab.asic_e_with(&[(CONTRACT.0, OTHER), FILES[1]], &[], &lab.xades_over(&FILES)))
    }),
];

#[test]
fn f14_names_in_a_container() {
    check(F14);
}

/// A container of two files, the first of which has a name that is the second's in code page 437.
fn in_code_page(lab: &Lab, flags: u16) -> Given {
    let mut zip = lab.asic_e(&[("\u{e9}.txt", b"pay 100"), ("\u{251c}\u{2310}.txt", OTHER)], &[]);
    zip.entry("\u{e9}.txt").flags = flags;
    asice(&zip)
}

/// The ZIP64 field of the directory has the place of the annex, and the header leaves it out.
fn placed_by_zip64(lab: &Lab, states: fn(u64) -> Vec<u64>) -> Given {
    let mut zip = lab.asic_e(&FILES, &[]);
    let field = |numbers: &[u64]| {
        let numbers: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        [&[1, 0, numbers.len() as u8, 0], &numbers[..]].concat()
    };
    zip.entry("annex.txt").listed_extra = Some(field(&states(0)));
    let mut bytes = zip.bytes();
    let name = bytes.windows(9).rposition(|window| window == b"annex.txt").expect("it is listed");
    let place = u32::from_le_bytes(bytes[name - 4..name].try_into().expect("four bytes"));
    bytes[name - 4..name].fill(0xff);
    let stated = field(&states(place.into()));
    bytes[name + 9..][..stated.len()].copy_from_slice(&stated);
    Given::new("contract.asice", bytes)
}

/// The container with bytes changed: in the end record, or in the record or the local header of the annex, from a place on.
fn rewritten(lab: &Lab, part: &[u8], at: usize, to: &[u8]) -> Given {
    let mut bytes = lab.asic_e(&FILES, &[]).bytes();
    let named = |bytes: &[u8], from: usize| {
        bytes[from..].starts_with(part) && {
            let name = [(RECORD, 46), (LOCAL, 30)].into_iter().find(|(begin, _)| *begin == part);
            name.is_none_or(|(_, at)| bytes[from + at..].starts_with(b"annex.txt"))
        }
    };
    let found = (0..bytes.len()).rev().find(|from| named(&bytes, *from)).expect("it is there");
    bytes[found + at..][..to.len()].copy_from_slice(to);
    Given::new("contract.asice", bytes)
}

const END: &[u8] = b"PK\x05\x06";
const RECORD: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";

const ENDS: &[Row] = &[
    ("APPNOTE 4.4.19", "an end on another disk", NotPassed, |lab| rewritten(lab, END, 4, &[1])),
    ("APPNOTE 4.4.20", "a directory on another disk", NotPassed, |lab| rewritten(lab, END, 6, &[1])),
    ("APPNOTE 4.4.21", "fewer entries on this disk", NotPassed, |lab| rewritten(lab, END, 8, &[1])),
    ("APPNOTE 4.4.1.4", "entries left to ZIP64, of which there is none", NotPassed, |lab| {
        rewritten(lab, END, 8, &[0xff, 0xff])
    }),
    ("APPNOTE 4.4.1.4", "a size left to ZIP64, of which there is none", NotPassed, |lab| {
        rewritten(lab, END, 12, &[0xff; 4])
    }),
    ("APPNOTE 4.4.13", "an entry on another disk", NotPassed, |lab| rewritten(lab, RECORD, 34, &[1])),
    ("APPNOTE 4.4.3", "an entry for readers to come", NotPassed, |lab| rewritten(lab, RECORD, 6, &[99])),
    ("APPNOTE 4.4.3", "an entry for readers to come, by its local header", NotPassed, |lab| {
        rewritten(lab, LOCAL, 4, &[99])
    }),
    ("APPNOTE 4.4.4", "strong encryption that is stated alone", NotPassed, |lab| rewritten(lab, RECORD, 8, &[0x40])),
    ("APPNOTE 4.4.4", "a local header that is masked", NotPassed, |lab| rewritten(lab, LOCAL, 7, &[0x20])),
    ("APPNOTE 4.4.15", "a file that is a folder by its attributes", NotPassed, |lab| {
        rewritten(lab, RECORD, 38, &[0x10])
    }),
    ("APPNOTE 4.4.15", "a file that is a folder by its mode", NotPassed, |lab| rewritten(lab, RECORD, 41, &[0x41])),
    ("APPNOTE 4.4.15", "a file that is a pipe by its mode", NotPassed, |lab| rewritten(lab, RECORD, 41, &[0x11])),
    ("APPNOTE 4.4.15", "a file that is one by its mode", Passed, |lab| rewritten(lab, RECORD, 40, &[0xa4, 0x81])),
    ("APPNOTE 4.5.3", "two fields of ZIP64", NotPassed, |lab| {
        let field = [&[1u8, 0, 16, 0][..], &5u64.to_le_bytes(), &5u64.to_le_bytes()].concat();
        let mut zip = lab.asic_e(&FILES, &[]);
        zip.entry("annex.txt").listed_extra = Some([&field[..], &field].concat());
        asice(&zip)
    }),
    ("APPNOTE 4.5.3", "a field of ZIP64 with another place", NotPassed, |lab| {
        let field = [&[1u8, 0, 24, 0][..], &5u64.to_le_bytes(), &5u64.to_le_bytes(), &1u64.to_le_bytes()].concat();
        let mut zip = lab.asic_e(&FILES, &[]);
        zip.entry("annex.txt").listed_extra = Some(field);
        asice(&zip)
    }),
];

#[test]
fn what_ends_and_records_say() {
    check(ENDS);
}

const HEADERS: &[Row] = &[
    ("APPNOTE 4.4.4", "names of UTF-8 that are said to be", Passed, |lab| in_code_page(lab, 0x800)),
    ("APPNOTE 4.4.4", "a name that is another entry's in the code page", NotPassed, |lab| in_code_page(lab, 0)),
    ("APPNOTE 4.5.3", "the place of an entry in the field of ZIP64", Passed, |lab| placed_by_zip64(lab, |at| vec![at])),
    ("APPNOTE 4.5.3", "and another size", NotPassed, |lab| placed_by_zip64(lab, |at| vec![7, 7, at])),
];

#[test]
fn what_headers_say() {
    check(HEADERS);
}

/// What many entries say of one long name is said in short.
#[test]
fn names_are_said_in_short() {
    let lab = Lab::new();
    let name = "a".repeat(60_000);
    let fields: Vec<u8> = (0..6_000).flat_map(|at| unicode_path(if at % 2 == 0 { "b" } else { "c" }, "")).collect();
    let mut fielded = lab.asic_e(&FILES, &[(&name, OTHER)]);
    fielded.entry(&name).extra = fields;
    let long = format!("a{}", "/.".repeat(30_000));
    let others: Vec<String> = (1..500).map(|at| format!(".{}a", "/".repeat(at))).collect();
    let mut same = vec![(long.as_str(), OTHER)];
    same.extend(others.iter().map(|name| (name.as_str(), OTHER)));
    for zip in [fielded, lab.asic_e(&FILES, &same)] {
        let bytes = zip.bytes();
        let document = Document::new(&bytes).named("contract.asice".to_owned());
        let report = lab.validator().validate(&document, AT.parse().expect("a time")).expect("it is signed");
        let said = report.facts().irregularities.iter().filter_map(|one| one.subject.as_deref());
        let (most, all) = said.fold((0, 0), |(most, all), subject| (most.max(subject.len()), all + subject.len()));
        assert!(most < 1_000 && all < bytes.len(), "APPNOTE 4.4.10: {most} and {all} of {}", bytes.len());
    }
}

/// XML that was compressed is bounded by what the container has, and so is what each signature lists.
#[test]
fn xml_of_a_container_is_bounded() {
    let lab = Lab::new();
    let mut random = Random(1);
    let padding: String = (0..200_000).map(|_| format!("{:02x}", random.below(256))).collect();
    let nodes = format!("<r>{}<!--{padding}--></r>", "<a/>".repeat(2_200_000));
    let listed = "<file-entry full-path=\"a\"/>".repeat(60_000);
    let list = format!("<manifest xmlns=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\">{listed}</manifest>");
    let signed = lab.xades_over(&FILES);
    let deflated = |zip: &Zip, name: &str, data: &str| {
        let mut zip = zip.clone().and(name, data.as_bytes());
        zip.entry(name).deflated = true;
        zip.bytes()
    };
    let plain = lab.asic_e_with(&FILES, &[], &signed);
    let mut unlisted = plain.clone();
    unlisted.entries.retain(|entry| entry.name != b"META-INF/manifest.xml");
    let many = (0..20)
        .fold(unlisted.clone(), |zip, at| zip.and(&format!("META-INF/signatures1{at}.xml"), &signatures(&signed)));
    for (situation, bytes) in [
        ("a file of signatures", deflated(&plain, "META-INF/signatures002.xml", &nodes)),
        ("a manifest", deflated(&lab.asic_e_cades(&FILES), "META-INF/ASiCManifest002.xml", &nodes)),
        ("a long list for each of many signatures", many.and("META-INF/manifest.xml", list.as_bytes()).bytes()),
    ] {
        let document = Document::new(&bytes).named("contract.asice".to_owned());
        let judged = lab.validator().validate(&document, AT.parse().expect("a time"));
        let error = judged.map(drop).expect_err(situation);
        let causes = std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source());
        let causes: Vec<String> = causes.map(ToString::to_string).collect();
        assert!(causes.iter().any(|why| why.contains("there are more than")), "{situation}: {causes:?}");
    }
    let declared =
        |count: usize, value: &str| -> String { (0..count).map(|at| format!(" a{at} CDATA {value}")).collect() };
    let typed = |declared: String, inner: &str| format!("<!DOCTYPE m [<!ATTLIST m{declared}>]><m>{inner}</m>");
    for (situation, list) in [
        ("a list of files", nodes),
        ("default values", typed(declared(900, "\"v\""), &"<m/>".repeat(20_000))),
        ("declared attributes", typed(declared(60_000, "#IMPLIED"), "")),
        ("declared attributes that are there", typed(declared(30_000, "#IMPLIED"), &"<m a2999=\"1\"/>".repeat(90_000))),
    ] {
        let answer = lab.answer(&deflated(&unlisted, "META-INF/manifest.xml", &list), "contract.asice", &[]);
        assert!(!answer.passed() || !answer.about.is_empty(), "{situation}: {}", answer.line());
    }
}

const CONTROLS: &[Row] = &[
    ("EN 319 162-1 4.4.3", "ASiC-E with XAdES", Passed, |lab| asice(&lab.asic_e(&FILES, &[]))),
    ("EN 319 162-1 4.4.4", "ASiC-E with CAdES", Passed, |lab| asice(&lab.asic_e_cades(&FILES))),
    ("EN 319 162-1 4.3.3", "ASiC-S with CAdES", Passed, |lab| {
        asics(&lab.asic_s(CONTRACT, "META-INF/signature.p7s", &lab.detached(CONTRACT.1)))
    }),
    ("EN 319 162-1 4.3.3", "ASiC-S with attached CAdES over its file", Passed, |lab| {
        asics(&lab.asic_s(CONTRACT, "META-INF/signature.p7s", &lab.attached(CONTRACT.1)))
    }),
    ("EN 319 162-1 A.1", "files that the standard foresees in META-INF", Passed, |lab| {
        asice(&lab.asic_e(&FILES, &[("META-INF/container.xml", b"<x/>"), ("META-INF/metadata.xml", b"<x/>")]))
    }),
    ("APPNOTE 4.6.9", "an extra field that says the same name; deflated", Passed, |lab| {
        let mut zip = lab.asic_e(&FILES, &[]);
        let entry = zip.entry("contract.txt");
        (entry.extra, entry.deflated) = (unicode_path("contract.txt", "contract.txt"), true);
        asice(&zip)
    }),
    ("EN 319 162-1 4.3.3.1", "the comment that says the type", Passed, |lab| {
        asice(&Zip { comment: [b"mimetype=".to_vec(), ASIC_E.to_vec()].concat(), ..lab.asic_e(&FILES, &[]) })
    }),
];

#[test]
fn containers_as_they_should_be() {
    check(CONTROLS);
}
