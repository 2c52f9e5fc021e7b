//! ASiC: what the references of a manifest find.

use super::texts::twice;
use super::{Given, Row, check};
use lacre_testkit::lab::Lab;
use lacre_testkit::zip::{ASIC_E, FILES, Zip, manifest};

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
    Given("container.asice", zip.bytes(), vec![])
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
            Given("container.asice", zip.bytes(), vec![])
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
            Given("container.asice", zip.bytes(), vec![])
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
            Given("container.asice", zip.bytes(), vec![])
        },
        &["CAdES-BASELINE-LT INDETERMINATE SIGNED_DATA_NOT_FOUND"],
    ),
    (
        "EN 319 162-1 A.4",
        "two manifests name the signature",
        |lab| {
            let signed = manifest(&[("a.txt", b"1")], "META-INF/signature001.p7s");
            let other = manifest(&[("b.txt", b"2")], "META-INF/signature001.p7s");
            let mut zip = Zip::of(&[("mimetype", ASIC_E), ("a.txt", b"1"), ("b.txt", b"2")]);
            zip = zip.and("META-INF/ASiCManifest001.xml", &signed).and("META-INF/ASiCManifest002.xml", &other);
            zip = zip.and("META-INF/signature001.p7s", &lab.detached(&signed));
            Given("container.asice", zip.bytes(), vec![])
        },
        &["CAdES-BASELINE-LT TOTAL-PASSED"],
    ),
    (
        "EN 319 162-1 A.4",
        "a manifest that was changed, and a file that is not there",
        |lab| {
            let signed = manifest(&[("a.txt", b"1")], "META-INF/signature001.p7s");
            let other = manifest(&[("a.txt", b"1"), ("c.txt", b"3")], "META-INF/signature001.p7s");
            let mut zip = Zip::of(&[("mimetype", ASIC_E), ("a.txt", b"1")]);
            zip = zip.and("META-INF/ASiCManifest001.xml", &other);
            zip = zip.and("META-INF/signature001.p7s", &lab.detached(&signed));
            Given("container.asice", zip.bytes(), vec![])
        },
        &["CAdES-BASELINE-LT TOTAL-FAILED HASH_FAILURE"],
    ),
    (
        "EN 319 162-1 4.4.3.2",
        "two signatures, each with its manifest",
        |lab| {
            let first = manifest(&[("a.txt", b"1")], "META-INF/signature001.p7s");
            let second = manifest(&[("a.txt", b"1"), ("b.txt", b"2")], "META-INF/signature002.p7s");
            let mut zip = Zip::of(&[("mimetype", ASIC_E), ("a.txt", b"1"), ("b.txt", b"2")]);
            zip = zip.and("META-INF/ASiCManifest001.xml", &first).and("META-INF/ASiCManifest002.xml", &second);
            zip = zip.and("META-INF/signature001.p7s", &lab.detached(&first));
            zip = zip.and("META-INF/signature002.p7s", &lab.detached(&second));
            Given("container.asice", zip.bytes(), vec![])
        },
        &["CAdES-BASELINE-LT TOTAL-PASSED", "CAdES-BASELINE-LT TOTAL-PASSED"],
    ),
    (
        "EN 319 162-1 4.3.3.2",
        "the one file of ASiC-S",
        |lab| {
            let zip = lab.asic_s(("a.txt", b"1"), "META-INF/signature.p7s", &lab.detached(b"1"));
            Given("container.asics", zip.bytes(), vec![])
        },
        &["CAdES-BASELINE-LT TOTAL-PASSED"],
    ),
    (
        "EN 319 162-1 4.3.3.2",
        "the one file of ASiC-S, changed",
        |lab| {
            let zip = lab.asic_s(("a.txt", b"2"), "META-INF/signature.p7s", &lab.detached(b"1"));
            Given("container.asics", zip.bytes(), vec![])
        },
        &["CAdES-BASELINE-LT TOTAL-FAILED HASH_FAILURE"],
    ),
    (
        "EN 319 162-1 4.4.3.2",
        "XAdES over two files, one of which is not there",
        |lab| {
            let signature = lab.xades_over(&FILES);
            let zip = lab.asic_e_with(&FILES[..1], &[], &signature);
            Given("container.asice", zip.bytes(), vec![])
        },
        &["XAdES-BASELINE-LT INDETERMINATE SIGNED_DATA_NOT_FOUND"],
    ),
    (
        "EN 319 162-1 4.4.3.2",
        "XAdES over two files",
        |lab| Given("container.asice", lab.asic_e(&FILES, &[]).bytes(), vec![]),
        &["XAdES-BASELINE-LT TOTAL-PASSED"],
    ),
    (
        "EN 319 132-1 4.3",
        "XAdES with its unsigned properties twice",
        |lab| {
            let signature = twice(&lab.xades_over(&FILES), "xades:UnsignedProperties");
            Given("container.asice", lab.asic_e_with(&FILES, &[], &signature).bytes(), vec![])
        },
        &["the container cannot be read"],
    ),
];

#[test]
fn containers() {
    check(CONTAINERS, &["signatures"]);
}
