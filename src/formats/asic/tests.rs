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

fn sha256(octets: &[u8]) -> String {
    STANDARD.encode(digest(DigestAlgorithm::Sha256, octets).unwrap())
}

/// XML signatures over a file with these octets, whose values nobody verifies.
fn signatures(uri: &str, octets: &[u8]) -> Vec<u8> {
    format!(
        "<a:XAdESSignatures xmlns:a='http://uri.etsi.org/02918/v1.2.1#' \
         xmlns:ds='http://www.w3.org/2000/09/xmldsig#'><ds:Signature Id='s'><ds:SignedInfo><ds:CanonicalizationMethod \
         Algorithm='http://www.w3.org/2001/10/xml-exc-c14n#'/><ds:SignatureMethod \
         Algorithm='http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'/><ds:Reference URI='{uri}'><ds:DigestMethod \
         Algorithm='http://www.w3.org/2001/04/xmlenc#sha256'/><ds:DigestValue>{}</ds:DigestValue></ds:Reference>\
         </ds:SignedInfo><ds:SignatureValue>AAAA</ds:SignatureValue></ds:Signature></a:XAdESSignatures>",
        sha256(octets)
    )
    .into_bytes()
}

/// What the reference of the first signature is found to be: its file, whether it is there, whether it is as signed.
fn found(entries: &[(&str, &[u8])], name: &str) -> Result<(Option<String>, bool, bool), Error> {
    let zip = Zip::of(entries).octets();
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
            "changed, and the signed octets under another name",
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
        let zip = Zip::of(entries).octets();
        Unpacked::read(&zip, None, &Budget::default()).map(|unpacked| unpacked.tokens.len())
    };
    assert_eq!(read(&[("a.txt", b"text")]).unwrap_err(), Error::NotContainer, "4.2: a ZIP file");
    assert_eq!(read(&[("mimetype", b"text/plain"), ("a", b"")]).unwrap_err(), Error::NotContainer, "A.1: another type");
    assert_eq!(read(&[("mimetype", ASIC_E), ("a.txt", b"text")]).unwrap(), 0, "4.2: nothing signed yet");
    assert_eq!(read(&[("a.txt", b"text"), ("META-INF/signatures.xml", &signed)]).unwrap(), 1, "A.1: no media type");
    assert_eq!(read(&[("mimetype", ASIC_E), ("signatures.xml", &signed)]).unwrap(), 0, "4.2: not in META-INF");
    let broken = [("mimetype", ASIC_E), ("META-INF/signatures.xml", &b"<a>"[..])];
    assert!(matches!(read(&broken).unwrap_err(), Error::Xml { file, .. } if file == "META-INF/signatures.xml"));
    let broken = [("mimetype", ASIC_S), ("a", b"text"), ("META-INF/timestamp.tst", &b"0"[..])];
    let zip = Zip::of(&broken).octets();
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
    let zip = Zip::of(&entries).octets();
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
