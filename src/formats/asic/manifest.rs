//! Lists of what a signature, time-stamp or evidence record is over: EN 319 162-1 §4.4.4, annex A.4 and A.7.

use crate::algorithm::DigestAlgorithm;
use crate::facts::{self, Digest};
use crate::formats::xml::signature::{base64_text, unescaped};
use crate::formats::xml::{DSIG, Element, Options, XmlError, decode, parse};
use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

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
    pub(super) entries: Vec<Rc<Listed>>,
}

impl Manifest {
    /// What it says.
    pub(super) fn facts(&self) -> facts::Manifest {
        facts::Manifest {
            file: self.file.clone(),
            signature_file: self.signature_file.clone(),
            entries: self.entries.iter().map(|entry| entry.uri.clone()).collect(),
        }
    }

    /// Whether it lists that file.
    pub(super) fn lists(&self, file: &str) -> bool {
        self.entries.iter().any(|entry| *entry.uri == *file)
    }
}

/// A `DataObjectReference`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    /// Tells it from whatever else is listed in the container.
    pub(super) number: usize,
    /// The name, percent-decoded.
    pub(super) uri: Arc<str>,
    /// The media type that it states.
    pub(super) media_type: Option<String>,
    /// The digest that it states.
    pub(super) digest: Digest,
}

/// Reads the manifests of one container. Archive manifests by the hundred list the same files with the same digests:
/// each is kept once.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// By its name what was last listed of a file.
    latest: HashMap<Arc<str>, Rc<Listed>>,
    /// How many different things were listed.
    listed: usize,
}

impl Reader {
    /// Reads an `ASiCManifest`, whatever the manifest is for; `None` where the XML is something else.
    pub(super) fn asic(&mut self, file: &str, octets: &[u8]) -> Result<Option<Manifest>, XmlError> {
        let text = decode(octets)?;
        let tree = parse(&text, &Options::default())?;
        // TS 102 918 and EN 319 162 have different namespaces, and the same names.
        let Some(root) = tree.document_element().filter(|root| root.local() == "ASiCManifest") else { return Ok(None) };
        let named = |local: &'static str| root.children().filter(move |child| child.local() == local);
        let signature_file = named("SigReference").find_map(|reference| reference.attribute("URI").map(in_container));
        let entries = named("DataObjectReference").map(|reference| self.listed(reference)).collect();
        Ok(Some(Manifest { file: file.into(), signature_file: signature_file.map(Cow::into_owned), entries }))
    }

    fn listed(&mut self, reference: Element<'_, '_>) -> Rc<Listed> {
        let uri = reference.attribute("URI").map(in_container).unwrap_or_default();
        let media_type = reference.attribute("MimeType");
        let method = reference.child(DSIG, "DigestMethod").and_then(|method| method.attribute("Algorithm"));
        let value = reference.child(DSIG, "DigestValue").and_then(base64_text).unwrap_or_default();
        let digest = Digest { algorithm: method.and_then(DigestAlgorithm::from_uri), value: value.into() };
        let same = |known: &&Rc<Listed>| known.digest == digest && known.media_type.as_deref() == media_type;
        if let Some(known) = self.latest.get(&*uri).filter(same) {
            return known.clone();
        }
        self.once(&uri, media_type, digest)
    }

    fn once(&mut self, uri: &str, media_type: Option<&str>, digest: Digest) -> Rc<Listed> {
        let (number, uri) = (self.listed, Arc::from(uri));
        let listed = Rc::new(Listed { number, uri, media_type: media_type.map(Into::into), digest });
        self.listed += 1;
        self.latest.insert(listed.uri.clone(), listed.clone());
        listed
    }
}

/// Reads a package's manifest: the files that it lists, folders left out. It is over nothing by itself.
pub(super) fn package(file: &str, octets: &[u8]) -> Option<facts::Manifest> {
    let text = decode(octets).ok()?;
    let options = Options { document_type: true, ..Options::default() };
    let tree = parse(&text, &options).ok()?;
    let root = tree.document_element().filter(|root| root.local() == "manifest")?;
    let path = |entry: Element<'_, '_>| {
        let mut attributes = entry.attributes();
        let path = attributes.find(|a| a.local == "full-path" && [PACKAGE, ""].contains(&a.namespace));
        path.map(|path| path.value.to_owned())
    };
    let paths = root.children().filter(|child| child.local() == "file-entry").filter_map(path);
    let entries = paths.filter(|path| !path.ends_with('/')).map(Into::into).collect();
    Some(facts::Manifest { file: file.into(), signature_file: None, entries })
}

/// RFC 3986 §2.1 and §5: names are relative to the container's root.
fn in_container(uri: &str) -> Cow<'_, str> {
    fn relative(plain: &str) -> &str {
        plain.strip_prefix("./").or(plain.strip_prefix('/')).unwrap_or(plain)
    }
    match unescaped(uri) {
        Cow::Borrowed(plain) => relative(plain).into(),
        Cow::Owned(plain) => relative(&plain).to_owned().into(),
    }
}
