//! The list of a package's files, which nobody need sign, and OpenDocument signatures (ODF 1.2 part 3, EN 319 162-1 §4.4.3.2).

use super::Expect::{Finding, Passed};
use super::{Given, Row, check};
use lacre_testkit::lab::Lab;
use lacre_testkit::xml::{EXCLUSIVE, Signature, XADES, reference};
use lacre_testkit::zip::*;

const SHA512: &str = "http://www.w3.org/2001/04/xmlenc#sha512";
const NAME: &str = "contract.txt";
const TEXT: &[u8] = b"pay 100";

/// A container of one file, signed as of a media type, with another list of its files.
fn typed(lab: &Lab, signed: &str, change: impl Fn(String) -> String) -> Given {
    let over = reference(Some(NAME), TEXT, &[]).replace("<ds:Reference", "<ds:Reference Id=\"R\"");
    let data_properties = format!(
        "<xades:SignedDataObjectProperties><xades:DataObjectFormat ObjectReference=\"#R\"><xades:MimeType>{signed}</xades:MimeType></xades:DataObjectFormat></xades:SignedDataObjectProperties>"
    );
    let signature = Signature { data_properties, ..Signature::over(lab, vec![over]) }.xml();
    listed(&lab.asic_e_with(&[(NAME, TEXT)], &[], &signature), change)
}

fn listed(zip: &Zip, change: impl Fn(String) -> String) -> Given {
    let mut zip = zip.clone();
    let list = zip.entry("META-INF/manifest.xml");
    list.data = change(String::from_utf8(list.data.clone()).expect("text")).into_bytes();
    Given::new("contract.asice", zip.bytes())
}

/// CAdES over a manifest that states a media type, beside a list of files.
fn cades(lab: &Lab, signed: &str) -> Given {
    let manifest = String::from_utf8(manifest(&[(NAME, TEXT)], "META-INF/signature001.p7s")).expect("text");
    let stated = format!("<asic:DataObjectReference MimeType=\"{signed}\"");
    let manifest = manifest.replace("<asic:DataObjectReference", &stated).into_bytes();
    let zip = Zip::of(&[("mimetype", ASIC_E), (NAME, TEXT), ("META-INF/ASiCManifest001.xml", &manifest)]);
    let zip = zip.and("META-INF/signature001.p7s", &lab.detached(&manifest));
    Given::new("contract.asice", zip.and("META-INF/manifest.xml", &package(&[NAME])).bytes())
}

const LISTS: &[Row] = &[
    ("EN 319 132-1 5.2.4", "the type that is signed", Passed, |lab| typed(lab, "text/plain", |list| list)),
    ("RFC 2045 5.1", "the same in other letters", Passed, |lab| typed(lab, "Text/Plain; charset=utf-8", |list| list)),
    ("EN 319 132-1 5.2.4", "another type than the signed one", Finding, |lab| typed(lab, "text/html", |list| list)),
    ("EN 319 162-1 A.4", "another type than the signed manifest has", Finding, |lab| cades(lab, "text/html")),
    ("EN 319 162-1 A.4", "the type of the signed manifest", Passed, |lab| cades(lab, "text/plain")),
    ("ODF 1.2-3 4.3", "a file that is not there", Finding, |lab| {
        typed(lab, "text/plain", |list| {
            list.replace(
                "</manifest:manifest>",
                "<manifest:file-entry manifest:full-path=\"a.txt\" manifest:media-type=\"\"/></manifest:manifest>",
            )
        })
    }),
    ("ODF 1.2-3 4.3", "a file that is left out", Finding, |lab| {
        listed(&lab.asic_e(&FILES, &[]), |list| list.replace("annex.txt", "contract.txt"))
    }),
    ("ODF 1.2-3 4.3", "a file twice", Finding, |lab| {
        typed(lab, "text/plain", |list| {
            list.replace("</manifest:manifest>", "<manifest:file-entry manifest:full-path=\"contract.txt\" manifest:media-type=\"text/html\"/></manifest:manifest>")
        })
    }),
    ("ODF 1.2-3 4.3", "another type of the package than it says itself", Finding, |lab| {
        typed(lab, "text/plain", |list| list.replace("vnd.etsi.asic-e+zip", "vnd.oasis.opendocument.text"))
    }),
    ("ODF 1.2-3 4.3", "folders", Passed, |lab| {
        typed(lab, "text/plain", |list| {
            list.replace(
                "</manifest:manifest>",
                "<manifest:file-entry manifest:full-path=\"Pictures/\" manifest:media-type=\"\"/></manifest:manifest>",
            )
        })
    }),
];

#[test]
fn lists_of_files() {
    check(LISTS);
}

const ODT: &[u8] = b"application/vnd.oasis.opendocument.text";

/// An OpenDocument text that is signed but for some files.
fn document(lab: &Lab, but: &[&str]) -> Given {
    of_files(lab, b"<a></a>", |name, data| match but.contains(&name) {
        true => None,
        false => Some(reference(Some(name), data, &[])),
    })
}

/// An OpenDocument text with that content, and what is signed of each file.
fn of_files(lab: &Lab, content: &[u8], over: impl Fn(&str, &[u8]) -> Option<String>) -> Given {
    let list = String::from_utf8(package(&["content.xml", "styles.xml"])).expect("text");
    let list = list.replace("application/vnd.etsi.asic-e+zip", "application/vnd.oasis.opendocument.text").into_bytes();
    let files: [(&str, &[u8]); 4] =
        [("mimetype", ODT), ("content.xml", content), ("styles.xml", b"<b/>"), ("META-INF/manifest.xml", &list)];
    let over = files.iter().filter_map(|(name, data)| over(name, data)).collect();
    let signature = Signature::over(lab, over).xml();
    let signatures = format!(
        "<document-signatures xmlns=\"urn:oasis:names:tc:opendocument:xmlns:digitalsignature:1.0\" xmlns:xades=\"{XADES}\">{signature}</document-signatures>"
    );
    let zip = Zip::of(&files).and("META-INF/documentsignatures.xml", signatures.as_bytes());
    Given::new("contract.odt", zip.bytes())
}

/// An OpenDocument text of which the canonical form of the content is signed, with that before it (XML 1.0 §2.8).
fn with_document_type(lab: &Lab, declaration: &str) -> Given {
    let content = format!("{declaration}\n<a></a>");
    of_files(lab, content.as_bytes(), |name, data| match name {
        "content.xml" => Some(reference(Some(name), b"<a></a>", &[EXCLUSIVE])),
        _ => Some(reference(Some(name), data, &[])),
    })
}

#[test]
fn document_types() {
    let lab = Lab::new();
    for (clause, situation, declaration, found) in [
        ("XML 1.0 2.8", "no type", "<?xml version=\"1.0\"?>", Some(false)),
        (
            "C14N 1.0 4.1",
            "macros as office programs write them",
            "<!DOCTYPE a PUBLIC \"-//OpenOffice.org//DTD OfficeDocument 1.0//EN\" \"module.dtd\">",
            Some(true),
        ),
        ("XML 1.0 2.8", "a file with > and [ in its name", "<!DOCTYPE a SYSTEM 'a>b[c.dtd'>", Some(true)),
        ("XML 1.0 2.8", "a type by its name", "<!DOCTYPE a>", Some(true)),
        ("XML 1.0 3.3", "declarations of its own", "<!DOCTYPE a [<!ATTLIST a b CDATA #IMPLIED>]>", None),
        ("XML 1.0 2.8", "a type that is not well-formed", "<!DOCTYPE a b>", None),
    ] {
        let given = with_document_type(&lab, declaration);
        let answer = lab.answer(&given.bytes, given.name, &[]);
        let warned = answer.about.iter().any(|finding| finding == "BBB_CV_PARTLY_SIGNED_ANS");
        let expected = if answer.passed() { Some(warned) } else { None };
        assert_eq!(expected, found, "{clause}: {situation}: {}", answer.line());
    }
}

#[test]
fn documents() {
    let lab = Lab::new();
    for (clause, situation, but, said) in [
        ("ODF 1.2-3 3.5", "all files", &[][..], false),
        ("ODF 1.2-3 3.5", "all but a stream", &["styles.xml"], true),
        ("ODF 1.2-3 3.5", "all but the list of files", &["META-INF/manifest.xml"], true),
        ("ODF 1.2-3 3.5", "all but the media type", &["mimetype"], true),
    ] {
        let given = document(&lab, but);
        let answer = lab.answer(&given.bytes, given.name, &[]);
        let found = answer.about.iter().any(|finding| finding == "BBB_CV_IAFS_ANS");
        assert!(answer.passed() && found == said, "{clause}: {situation}: {}", answer.line());
    }
}

/// CAdES over a manifest that was changed before it was signed.
fn manifested(lab: &Lab, change: impl Fn(String) -> String) -> Given {
    let manifest = String::from_utf8(manifest(&FILES, "META-INF/signature001.p7s")).expect("text");
    let manifest = change(manifest).into_bytes();
    let mut zip = Zip::of(&[("mimetype", ASIC_E), FILES[0], FILES[1], ("META-INF/ASiCManifest001.xml", &manifest)]);
    zip = zip.and("META-INF/signature001.p7s", &lab.detached(&manifest));
    Given::new("contract.asice", zip.bytes())
}

const EXTENSION: &str = "<asic:Extension Critical=\"false\"><x xmlns=\"urn:x\"></x></asic:Extension>";

fn extended(lab: &Lab, extension: &str) -> Given {
    let end = "</asic:ASiCManifest>";
    let more = format!("<asic:ASiCManifestExtensions>{extension}</asic:ASiCManifestExtensions>{end}");
    manifested(lab, |manifest| manifest.replace(end, &more))
}

const MANIFESTS: &[Row] = &[
    ("EN 319 162-1 A.4", "as it should be", Passed, |lab| manifested(lab, |manifest| manifest)),
    ("EN 319 162-1 A.4", "an extension", Passed, |lab| extended(lab, EXTENSION)),
    ("EN 319 162-1 A.4", "an extension that is critical", Finding, |lab| {
        extended(lab, &EXTENSION.replace("false", "true"))
    }),
    ("EN 319 162-1 A.4", "two digests of a file", Finding, |lab| {
        let other = format!("<ds:DigestMethod Algorithm=\"{SHA512}\"/><ds:DigestValue>AAAA</ds:DigestValue>");
        let end = "</asic:DataObjectReference>";
        manifested(lab, |manifest| manifest.replacen(end, &format!("{other}{end}"), 1))
    }),
    ("EN 319 162-1 A.4", "two signatures", Finding, |lab| {
        let other = "<asic:SigReference URI=\"META-INF/signature002.p7s\"/><asic:DataObjectReference";
        manifested(lab, |manifest| manifest.replacen("<asic:DataObjectReference", other, 1))
    }),
    ("EN 319 162-1 A.4", "two root files", Finding, |lab| {
        manifested(lab, |manifest| {
            manifest
                .replace(" URI=\"contract", " Rootfile=\"true\" URI=\"contract")
                .replace(" URI=\"annex", " Rootfile=\"1\" URI=\"annex")
        })
    }),
    ("EN 319 162-1 A.4", "transforms", Finding, |lab| {
        manifested(lab, |manifest| manifest.replacen("<ds:DigestMethod", "<ds:Transforms/><ds:DigestMethod", 1))
    }),
    ("EN 319 162-1 A.4", "a file of another namespace", Finding, |lab| {
        manifested(lab, |manifest| {
            manifest.replace("</asic:ASiCManifest>", "<x:File xmlns:x=\"urn:x\" URI=\"b\"/></asic:ASiCManifest>")
        })
    }),
    ("EN 319 162-1 A.4", "of another namespace", Finding, |lab| {
        manifested(lab, |manifest| manifest.replace("http://uri.etsi.org/02918/v1.2.1#", "urn:x"))
    }),
];

#[test]
fn manifests() {
    check(MANIFESTS);
}
