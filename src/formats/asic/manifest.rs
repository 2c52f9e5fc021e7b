//! Lists of what a signature, time-stamp or evidence record is over: EN 319 162-1 §4.4.4, annex A.4 and A.7.

use crate::algorithm::DigestAlgorithm;
use crate::facts::Digest;
use crate::formats::xml::signature::{base64_text, unescaped};
use crate::formats::xml::{DSIG, Element, Options, XmlError, decode, parse};

/// The namespace of a package's manifest (ODF 1.2 part 3 §4.1).
const PACKAGE: &str = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0";

/// A manifest, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Manifest {
    /// Its own name in the container.
    pub(super) file: String,
    /// The file that it says is over it: `SigReference`.
    pub(super) signature_file: Option<String>,
    /// What it lists.
    pub(super) entries: Vec<Listed>,
}

/// A `DataObjectReference`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    /// The name, percent-decoded.
    pub(super) uri: String,
    /// The media type that it states.
    pub(super) media_type: Option<String>,
    /// The digest that it states.
    pub(super) digest: Digest,
}

/// Reads an `ASiCManifest`, whatever the manifest is for; `None` where the XML is something else.
pub(super) fn asic(file: &str, octets: &[u8]) -> Result<Option<Manifest>, XmlError> {
    let text = decode(octets)?;
    let tree = parse(&text, &Options::default())?;
    // TS 102 918 and EN 319 162 have different namespaces, and the same names.
    let Some(root) = tree.document_element().filter(|root| root.local() == "ASiCManifest") else { return Ok(None) };
    let named = |local: &'static str| root.children().filter(move |child| child.local() == local);
    let signature_file = named("SigReference").find_map(|reference| reference.attribute("URI").map(in_container));
    let entries = named("DataObjectReference").map(listed).collect();
    Ok(Some(Manifest { file: file.into(), signature_file, entries }))
}

fn listed(reference: Element<'_, '_>) -> Listed {
    let method = reference.child(DSIG, "DigestMethod").and_then(|method| method.attribute("Algorithm"));
    let value = reference.child(DSIG, "DigestValue").and_then(base64_text).unwrap_or_default();
    Listed {
        uri: reference.attribute("URI").map(in_container).unwrap_or_default(),
        media_type: reference.attribute("MimeType").map(Into::into),
        digest: Digest { algorithm: method.and_then(DigestAlgorithm::from_uri), value: value.into() },
    }
}

/// Reads a package's manifest: the files that it lists, folders left out. It is over nothing by itself.
pub(super) fn package(file: &str, octets: &[u8]) -> Option<Manifest> {
    let text = decode(octets).ok()?;
    let options = Options { document_type: true, ..Options::default() };
    let tree = parse(&text, &options).ok()?;
    let root = tree.document_element().filter(|root| root.local() == "manifest")?;
    let path = |entry: Element<'_, '_>| {
        let mut attributes = entry.attributes();
        let path = attributes.find(|a| a.local == "full-path" && [PACKAGE, ""].contains(&a.namespace));
        path.map(|path| path.value.to_owned())
    };
    let entry = |uri: String| Listed { uri, media_type: None, digest: Digest::default() };
    let paths = root.children().filter(|child| child.local() == "file-entry").filter_map(path);
    let entries = paths.filter(|path| !path.ends_with('/')).map(entry).collect();
    Some(Manifest { file: file.into(), signature_file: None, entries })
}

/// RFC 3986 §2.1 and §5: names are relative to the container's root.
fn in_container(uri: &str) -> String {
    let plain = unescaped(uri);
    plain.strip_prefix("./").or(plain.strip_prefix('/')).unwrap_or(&plain).to_string()
}
