//! Manifests, which list the files that a signature, time-stamp or evidence record covers: EN 319 162-1 §4.4.4, annex A.4 and A.7.

use crate::algorithm::DigestAlgorithm;
use crate::budget::{Budget, RELATIONS};
use crate::facts::{self, Digest, Irregularity, IrregularityKind};
use crate::formats::xml::{DSIG, Element, Options, XmlError, base64, decode, nodes, nodes_held, parse};
use crate::uri::unescaped;
use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// References that differ, in one container: as many as ten to each entry of the largest container that is read.
const DISTINCT: usize = 100_000;

/// Characters that are shown of a part that is not foreseen.
const PART: usize = 100;

/// Nodes of all manifests of one container: those of as many references as there may be.
const NODES: usize = 8 * RELATIONS;

/// A manifest that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Manifest {
    /// Its name in the container.
    pub(super) file: String,
    /// The file that covers it: `SigReference`.
    pub(super) signature_file: Option<String>,
    /// The files that it lists.
    pub(super) entries: Vec<Arc<DataObjectReference>>,
    /// What of it is not of the form that §A.4 gives it: other readers may read that otherwise.
    pub(super) irregularity: Option<Irregularity>,
}

impl Manifest {
    /// Returns its facts.
    pub(super) fn facts(&self) -> facts::Manifest {
        facts::Manifest {
            file: self.file.clone(),
            signature_file: self.signature_file.clone(),
            entries: self.entries.iter().map(|entry| entry.uri.clone()).collect(),
        }
    }

    /// Returns the names of the files that it lists.
    pub(super) fn names(&self) -> HashSet<&str> {
        self.entries.iter().map(|entry| &*entry.uri).collect()
    }
}

/// A `DataObjectReference`: a file that a manifest lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DataObjectReference {
    /// Its number among all references in the container.
    pub(super) number: usize,
    /// The name, percent-decoded.
    pub(super) uri: Arc<str>,
    /// The media type that it states.
    pub(super) media_type: Option<String>,
    /// The digest that it states.
    pub(super) digest: Digest,
}

/// Reads the manifests of one container. Archive manifests by the hundred list the same files with the same digests in the
/// same order: each is read and kept once. Several manifests may be read at once.
#[derive(Debug)]
pub(super) struct Reader {
    references: Mutex<References>,
    options: Options,
    /// How many nodes the manifests may have together.
    nodes: usize,
}

/// The references of all manifests.
#[derive(Debug, Default)]
struct References {
    known: Vec<KnownReference>,
    /// The numbers of references, by the hash of what is written.
    numbers: HashMap<u64, usize>,
    keys: RandomState,
    /// The reference before.
    before: usize,
    /// How many the manifests list together.
    listed: usize,
    /// How many nodes they have together.
    nodes: usize,
}

/// A reference that was read.
#[derive(Debug)]
struct KnownReference {
    written: Written<String, String>,
    reference: Arc<DataObjectReference>,
    /// The reference that followed it the last time.
    next: usize,
}

/// A `DataObjectReference` as it is written.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Written<A, T> {
    uri: A,
    media_type: Option<A>,
    method: Option<A>,
    value: Option<T>,
}

impl<'t> Written<&'t str, Cow<'t, str>> {
    fn of(reference: Element<'t, '_>) -> Self {
        let (mut method, mut value) = (None, None);
        for child in reference.children() {
            match child.local() {
                "DigestMethod" if method.is_none() && child.namespace() == DSIG => method = Some(child),
                "DigestValue" if value.is_none() && child.namespace() == DSIG => value = Some(child),
                _ => {}
            }
        }
        Self {
            uri: reference.attribute("URI").unwrap_or_default(),
            media_type: reference.attribute("MimeType"),
            method: method.and_then(|method| method.attribute("Algorithm")),
            value: value.map(Element::text),
        }
    }

    fn is(&self, known: &Written<String, String>) -> bool {
        self.uri == known.uri
            && self.media_type == known.media_type.as_deref()
            && self.method == known.method.as_deref()
            && self.value.as_deref() == known.value.as_deref()
    }

    fn kept(self) -> Written<String, String> {
        let owned = |text: Option<&str>| text.map(ToOwned::to_owned);
        let Self { uri, media_type, method, value } = self;
        let value = value.map(Cow::into_owned);
        Written { uri: uri.into(), media_type: owned(media_type), method: owned(method), value }
    }
}

impl Reader {
    /// Returns one that has read nothing yet of a container of so many bytes.
    pub(super) fn new(budget: &Budget, container: usize) -> Self {
        let held = nodes_held(container as u64);
        let options = Options { nodes: held, ..Options::from(budget) };
        Self { references: Mutex::default(), options, nodes: NODES.saturating_add(held) }
    }

    /// Reads an `ASiCManifest`, whatever the manifest is for; `None` where the XML is something else.
    pub(super) fn asic(&self, file: &str, bytes: &[u8]) -> Result<Option<Manifest>, XmlError> {
        let text = decode(bytes)?;
        self.references().hold(nodes(&text), self.nodes)?;
        let tree = parse(&text, &self.options)?;
        // TS 102 918 and EN 319 162 have different namespaces, and the same names.
        let Some(root) = tree.document_element().filter(|root| root.local() == "ASiCManifest") else { return Ok(None) };
        let named = |local: &'static str| root.children().filter(move |child| child.local() == local);
        let signature_file = named("SigReference").find_map(|reference| reference.attribute("URI").map(in_container));
        let listed = || named("DataObjectReference");
        self.references().list(listed().count())?;
        let written: Vec<_> = listed().map(Written::of).collect();
        let mut references = self.references();
        let entries = written.into_iter().map(|written| references.reference(written)).collect::<Result<_, _>>()?;
        let about = |what| Irregularity::about(IrregularityKind::MalformedHeader, format!("{file}: {what}"));
        Ok(Some(Manifest {
            file: file.into(),
            signature_file: signature_file.map(Cow::into_owned),
            entries,
            irregularity: irregular(root).map(about),
        }))
    }

    fn references(&self) -> MutexGuard<'_, References> {
        self.references.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the references of all manifests, each once.
    pub(super) fn into_references(self) -> Vec<Arc<DataObjectReference>> {
        let references = self.references.into_inner().unwrap_or_else(PoisonError::into_inner);
        references.known.into_iter().map(|known| known.reference).collect()
    }
}

/// Returns the first part of a manifest that the schema of §A.4 does not have, or has once, and an extension that is critical:
/// none is known.
fn irregular(root: Element<'_, '_>) -> Option<String> {
    let unexpected = |element: Element<'_, '_>| element.local().chars().take(PART).collect();
    if !root.namespace().starts_with("http://uri.etsi.org/") {
        return Some(root.namespace().chars().take(PART).collect());
    }
    let (mut signatures, mut roots) = (0, 0);
    for child in root.children() {
        match child.local() {
            _ if child.namespace() != root.namespace() => return Some(unexpected(child)),
            "SigReference" => signatures += 1,
            "DataObjectReference" => {
                roots += usize::from(matches!(child.attribute("Rootfile").map(str::trim), Some("true" | "1")));
                let mut digests = [0, 0];
                for part in child.children() {
                    match (part.local(), part.namespace()) {
                        ("DigestMethod", DSIG) => digests[0] += 1,
                        ("DigestValue", DSIG) => digests[1] += 1,
                        ("DataObjectReferenceExtensions", own) if own == root.namespace() => {
                            if let Some(critical) = critical(part) {
                                return Some(critical);
                            }
                        }
                        _ => return Some(unexpected(part)),
                    }
                }
                if digests != [1, 1] {
                    return Some("digests of a DataObjectReference".into());
                }
            }
            "ASiCManifestExtensions" => {
                if let Some(critical) = critical(child) {
                    return Some(critical);
                }
            }
            _ => return Some(unexpected(child)),
        }
    }
    let counts = [(signatures > 1, "SigReference"), (roots > 1, "Rootfile")];
    counts.into_iter().find(|(several, _)| *several).map(|(_, what)| format!("several {what}"))
}

/// Returns what an extension is about that is critical.
fn critical(extensions: Element<'_, '_>) -> Option<String> {
    let is_critical =
        |extension: &Element<'_, '_>| matches!(extension.attribute("Critical").map(str::trim), Some("true" | "1"));
    let found = extensions.children().find(is_critical)?;
    let about: String = found.children().next().map_or("", Element::local).chars().take(PART).collect();
    Some(format!("critical extension {about}"))
}

impl References {
    /// Counts the nodes of another manifest.
    fn hold(&mut self, count: usize, limit: usize) -> Result<(), XmlError> {
        self.nodes = self.nodes.saturating_add(count);
        within(self.nodes, limit, "nodes of manifests")
    }

    /// Counts what another manifest lists.
    fn list(&mut self, count: usize) -> Result<(), XmlError> {
        self.listed = self.listed.saturating_add(count);
        within(self.listed, RELATIONS, "references in manifests")
    }

    /// Returns the reference that is written so, read at most once.
    fn reference(&mut self, written: Written<&str, Cow<'_, str>>) -> Result<Arc<DataObjectReference>, XmlError> {
        let is = |known: &&KnownReference| written.is(&known.written);
        let next = self.known.get(self.before).and_then(|before| self.known.get(before.next)).filter(is);
        let known = next.or_else(|| self.known.get(*self.numbers.get(&self.keys.hash_one(&written))?).filter(is));
        let reference = match known.map(|known| known.reference.clone()) {
            Some(reference) => reference,
            None => self.keep(written)?,
        };
        if let Some(before) = self.known.get_mut(self.before) {
            before.next = reference.number;
        }
        self.before = reference.number;
        Ok(reference)
    }

    fn keep(&mut self, written: Written<&str, Cow<'_, str>>) -> Result<Arc<DataObjectReference>, XmlError> {
        let number = self.known.len();
        within(number + 1, DISTINCT, "different references in manifests")?;
        let value = written.value.as_ref().and_then(|value| base64(value.as_bytes())).unwrap_or_default();
        let reference = Arc::new(DataObjectReference {
            number,
            uri: in_container(written.uri).into(),
            media_type: written.media_type.map(Into::into),
            digest: Digest { algorithm: written.method.and_then(DigestAlgorithm::from_uri), value: value.into() },
        });
        self.numbers.insert(self.keys.hash_one(&written), number);
        self.known.push(KnownReference { written: written.kept(), reference: reference.clone(), next: 0 });
        Ok(reference)
    }
}

pub(super) fn within(count: usize, limit: usize, what: &'static str) -> Result<(), XmlError> {
    if count <= limit { Ok(()) } else { Err(XmlError::Limit { offset: 0, what, limit }) }
}

/// Returns the name of a file in the container, to whose root URIs are relative: RFC 3986 §2.1 and §5.
fn in_container(uri: &str) -> Cow<'_, str> {
    fn relative(plain: &str) -> &str {
        plain.strip_prefix("./").or(plain.strip_prefix('/')).unwrap_or(plain)
    }
    match unescaped(uri) {
        Cow::Borrowed(plain) => relative(plain).into(),
        Cow::Owned(plain) => relative(&plain).to_owned().into(),
    }
}
