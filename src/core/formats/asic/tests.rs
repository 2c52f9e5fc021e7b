//! Containers in small: what is found of what is signed. EN 319 162-1.

use super::testing::Zip;
use super::{Error, Unpacked};
use crate::algorithm::DigestAlgorithm;
use crate::budget::Budget;
use crate::crypto::digest;
use crate::facts::MatcherType;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

const ASIC_E: &[u8] = b"application/vnd.etsi.asic-e+zip";
const ASIC_S: &[u8] = b"application/vnd.etsi.asic-s+zip";

fn sha256(bytes: &[u8]) -> String {
    STANDARD.encode(digest(DigestAlgorithm::Sha256, bytes).unwrap())
}

/// Makes XML signatures over a file with these bytes, whose values nobody verifies.
fn signatures(uri: &str, bytes: &[u8]) -> Vec<u8> {
    format!(
        "<a:XAdESSignatures xmlns:a='http://uri.etsi.org/02918/v1.2.1#' \
         xmlns:ds='http://www.w3.org/2000/09/xmldsig#'><ds:Signature Id='s'><ds:SignedInfo><ds:CanonicalizationMethod \
         Algorithm='http://www.w3.org/2001/10/xml-exc-c14n#'/><ds:SignatureMethod \
         Algorithm='http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'/><ds:Reference URI='{uri}'><ds:DigestMethod \
         Algorithm='http://www.w3.org/2001/04/xmlenc#sha256'/><ds:DigestValue>{}</ds:DigestValue></ds:Reference>\
         </ds:SignedInfo><ds:SignatureValue>AAAA</ds:SignatureValue></ds:Signature></a:XAdESSignatures>",
        sha256(bytes)
    )
    .into_bytes()
}

/// Returns what the reference of the first signature is found to be: its file, whether it is there, whether it is as
/// signed.
fn found(entries: &[(&str, &[u8])], name: &str) -> Result<(Option<String>, bool, bool), Error> {
    let zip = Zip::of(entries).bytes();
    let unpacked = Unpacked::read(&zip, Some(name), &Budget::default())?;
    let draft = unpacked.draft()?;
    let signature = draft.signatures.first().expect("a signature");
    let matcher = signature.facts.digest_matchers.iter().find(|m| m.kind == MatcherType::Reference).expect("one");
    Ok((matcher.document_name.as_deref().map(Into::into), matcher.data_found, matcher.data_intact))
}

#[test]
fn what_signatures_are_over() {
    let signed = signatures("a.txt", b"text");
    let escaped = signatures("a%20%C3%A9.txt", b"text");
    let file = "META-INF/signatures.xml";
    let canonical =
        "<ds:Transforms><ds:Transform Algorithm='http://www.w3.org/2001/10/xml-exc-c14n#'/></ds:Transforms>";
    let plain = String::from_utf8(signatures("a.txt", b"text")).unwrap();
    let transformed = plain.replacen("<ds:DigestMethod", &format!("{canonical}<ds:DigestMethod"), 1).into_bytes();
    let some = |name: &str| Some(name.to_string());
    for (clause, situation, entries, expected) in [
        (
            "4.4.3.2",
            "the file that is named",
            vec![("mimetype", ASIC_E), ("a.txt", b"text"), (file, &signed)],
            (some("a.txt"), true, true),
        ),
        (
            "4.4.3.2",
            "changed",
            vec![("mimetype", ASIC_E), ("a.txt", b"other"), (file, &signed)],
            (some("a.txt"), true, false),
        ),
        (
            "4.4.3.2, XMLDSig 4.4.3.4",
            "what is no XML, to be canonicalised",
            vec![("mimetype", ASIC_E), ("a.txt", b"text"), (file, &transformed)],
            (some("a.txt"), true, false),
        ),
        (
            "4.4.3.2",
            "changed, and the signed bytes under another name",
            vec![("mimetype", ASIC_E), ("a.txt", b"other"), ("b.txt", b"text"), (file, &signed)],
            (some("a.txt"), true, false),
        ),
        ("4.4.3.2", "missing", vec![("mimetype", ASIC_E), ("b.txt", b"other"), (file, &signed)], (None, false, false)),
        (
            "4.4.3.2",
            "an escaped name",
            vec![("mimetype", ASIC_E), ("a é.txt", b"text"), (file, &escaped)],
            (some("a é.txt"), true, true),
        ),
        (
            "4.3.3.1",
            "the one file of an ASiC-S, changed and under another name",
            vec![("mimetype", ASIC_S), ("b.txt", b"other"), (file, &signed)],
            (some("b.txt"), true, false),
        ),
        (
            "4.3.1",
            "in ASiC-S only what is at the root",
            vec![("mimetype", ASIC_S), ("b.txt", b"other"), ("c/a.txt", b"text"), (file, &signed)],
            (some("b.txt"), true, false),
        ),
    ] {
        assert_eq!(found(&entries, "a").unwrap(), expected, "EN 319 162-1 {clause} {situation}");
    }
}

#[test]
fn what_is_no_container() {
    let signed = signatures("a.txt", b"text");
    let read = |entries: &[(&str, &[u8])]| {
        let zip = Zip::of(entries).bytes();
        Unpacked::read(&zip, None, &Budget::default()).map(|unpacked| unpacked.tokens.len())
    };
    assert_eq!(read(&[("a.txt", b"text")]).unwrap_err(), Error::NotContainer, "4.2: a ZIP file");
    assert_eq!(read(&[("[Content_Types].xml", b"<Types/>")]).unwrap_err(), Error::OpcPackage, "ISO/IEC 29500-2 7.3.7");
    assert_eq!(read(&[("mimetype", b"text/plain"), ("a", b"")]).unwrap_err(), Error::NotContainer, "A.1: another type");
    assert_eq!(read(&[("mimetype", ASIC_E), ("a.txt", b"text")]).unwrap(), 0, "4.2: nothing signed yet");
    assert_eq!(read(&[("a.txt", b"text"), ("META-INF/signatures.xml", &signed)]).unwrap(), 1, "A.1: no media type");
    assert_eq!(read(&[("mimetype", ASIC_E), ("signatures.xml", &signed)]).unwrap(), 0, "4.2: not in META-INF");
    let broken = [("mimetype", ASIC_E), ("META-INF/signatures.xml", &b"<a>"[..])];
    assert!(matches!(read(&broken).unwrap_err(), Error::Xml { file, .. } if file == "META-INF/signatures.xml"));
    let broken = [("mimetype", ASIC_S), ("a", b"text"), ("META-INF/timestamp.tst", &b"0"[..])];
    let zip = Zip::of(&broken).bytes();
    let unpacked = Unpacked::read(&zip, None, &Budget::default()).unwrap();
    assert!(matches!(unpacked.draft().unwrap_err(), Error::Cms { what: "a time-stamp", .. }), "4.3.3.3");
}

#[test]
fn manifests() {
    let manifest = format!(
        "<m:ASiCManifest xmlns:m='http://uri.etsi.org/02918/v1.2.1#' xmlns:ds='http://www.w3.org/2000/09/xmldsig#'>\
         <m:SigReference URI='META-INF/timestamp.tst'/><m:DataObjectReference URI='a%20b.txt' MimeType='text/plain'>\
         <ds:DigestMethod Algorithm='http://www.w3.org/2001/04/xmlenc#sha256'/><ds:DigestValue>{}</ds:DigestValue>\
         </m:DataObjectReference><m:DataObjectReference URI='/c.txt'/></m:ASiCManifest>",
        sha256(b"text")
    );
    let entries = [
        ("mimetype", ASIC_E),
        ("a b.txt", b"text"),
        ("META-INF/ASiCManifest.xml", manifest.as_bytes()),
        ("META-INF/other.xml", b"<x/>"),
    ];
    let zip = Zip::of(&entries).bytes();
    let unpacked = Unpacked::read(&zip, None, &Budget::default()).unwrap();
    let [list] = &unpacked.facts().manifests[..] else { panic!("one manifest") };
    assert_eq!(list.file, "META-INF/ASiCManifest.xml");
    assert_eq!(list.signature_file.as_deref(), Some("META-INF/timestamp.tst"), "A.4");
    let entries: Vec<&str> = list.entries.iter().map(|name| &**name).collect();
    assert_eq!(entries, ["a b.txt", "c.txt"], "A.4: names are decoded, and begin at the root");
    assert_eq!(unpacked.facts().contents, ["a b.txt"], "4.4.1: what is in META-INF is no content");

    let files = super::over::Files::new(&unpacked);
    let over = files.over("META-INF/timestamp.tst", super::name::Role::Timestamp);
    let states: Vec<_> = over.matchers.iter().map(|m| (m.data_found, m.data_intact)).collect();
    assert_eq!(states, [(true, true), (false, false)], "A.4: a file that is there, and one that is not");
    let names: Vec<_> = over.subject.scopes.iter().filter_map(|scope| scope.name.as_deref()).collect();
    assert_eq!(names, ["META-INF/ASiCManifest.xml", "a b.txt"], "4.4.4: what is signed thereby");
    let other = files.over("META-INF/timestamp2.tst", super::name::Role::Timestamp);
    assert!(!other.content.is_found(), "A.4: a manifest is over the file that it names");
}

/// Returns what is irregular about a container with these entries: the names.
fn unexpected(entries: &[(&str, &[u8])]) -> Vec<String> {
    let zip = Zip::of(entries).bytes();
    let unpacked = Unpacked::read(&zip, None, &Budget::default()).expect("a container");
    let kind = crate::facts::IrregularityKind::UnexpectedContainerEntry;
    let found = unpacked.irregularities.iter().filter(|one| one.kind == kind);
    found.filter_map(|one| one.subject.as_deref().map(str::to_owned)).collect()
}

#[test]
fn what_no_token_is_over() {
    let list = |signature: &str| {
        format!(
            "<a:ASiCManifest xmlns:a='http://uri.etsi.org/02918/v1.2.1#'><a:SigReference URI='{signature}'/>\
             </a:ASiCManifest>"
        )
        .into_bytes()
    };
    let (first, file) = ("META-INF/ASiCManifest001.xml", "META-INF/signatures.xml");
    let xades = signatures("a.txt", b"text");
    let begins = [("mimetype", ASIC_E), ("a.txt", &b"text"[..])];
    let with = |more: &[(&'static str, &[u8])]| unexpected(&[&begins[..], more].concat());
    let inside = |what: &str| {
        let end = format!("{what}</a:XAdESSignatures>");
        String::from_utf8(xades.clone()).unwrap().replace("</a:XAdESSignatures>", &end).into_bytes()
    };
    assert_eq!(with(&[(file, &xades)]), [""; 0], "EN 319 162-1 4.4.3.2 signatures");
    assert_eq!(with(&[(file, &xades), (first, b"text")]), [first], "4.4.4.1 no list");
    assert_eq!(with(&[(file, &xades), (first, &list("x.p7s"))]), [first], "4.4.4.1 of a signature that is not there");
    assert_eq!(with(&[(file, &inside("<x/>"))]), [format!("{file}: x")], "4.4.3.2 an element beside signatures");
    assert_eq!(with(&[(file, &inside("900"))]), [format!("{file}: text")], "4.4.3.2 text beside signatures");
    let second = "META-INF/signatures2.xml";
    let bare = |text: &str| format!("<a:XAdESSignatures xmlns:a='u:a'>{text}</a:XAdESSignatures>").into_bytes();
    assert_eq!(with(&[(file, &xades), (second, &bare(" "))]), [""; 0], "4.4.3.2 a list that has none yet");
    let zip = Zip::of(&[&begins[..], &[(file, &xades), (second, &bare("900"))]].concat()).bytes();
    let unpacked = Unpacked::read(&zip, None, &Budget::default()).expect("a container");
    let said = unpacked.irregularities.iter().any(|one| one.subject.as_deref() == Some(second));
    assert!(said, "4.4.3.2 a list that has text in the place of signatures");
}

/// APPNOTE 4.6.9: of two fields some readers take the first, and some the last.
#[test]
fn two_names_in_the_extra_fields() {
    let field = |name: &str| {
        let mut bytes = vec![0x75, 0x70, 5 + name.len() as u8, 0, 1, 0, 0, 0, 0];
        bytes.extend_from_slice(name.as_bytes());
        bytes
    };
    for (situation, fields, expected) in [
        ("its own", field("a.txt"), false),
        ("another", field("b.txt"), true),
        ("another after its own", [field("a.txt"), field("b.txt")].concat(), true),
    ] {
        let mut zip = Zip::of(&[("mimetype", ASIC_E), ("a.txt", b"text")]);
        zip.entries[1].local_extra = fields.clone();
        zip.entries[1].extra = fields;
        let bytes = zip.bytes();
        let archive = super::zip::Archive::read(&bytes, &Budget::default()).expect("a ZIP file");
        assert_eq!(!archive.irregularities.is_empty(), expected, "APPNOTE 4.6.9 {situation}");
    }
}
