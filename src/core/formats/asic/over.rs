//! What each signature, time-stamp and evidence record is over: EN 319 162-1 §4.3.3, §4.4.4.

use super::manifest::{DataObjectReference, Manifest};
use super::name::is_at_root;
use super::zip::Archive;
use super::{Unpacked, name::Role};
use crate::budget::Budget;
use crate::facts::{ContainerType, DigestMatcher, Id, MatcherType, Scope, ScopeType, Shared, SignedData};
use crate::formats::Contents;
use crate::formats::content::Content;
use crate::formats::contents::Listing;
use crate::formats::ids;
use crate::formats::scope::SignedScope;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Bytes of a container in the container whose entries are digested as well. Beyond, the whole of it is named alone.
const INNER: u64 = 64 << 20;

/// The files of a container, each digested at most once under each function.
pub(super) struct Files<'u, 'd> {
    unpacked: &'u Unpacked<'d>,
    by_name: HashMap<&'u str, Content<'d>>,
    /// What XML signatures may refer to.
    listing: Rc<Listing<'d>>,
    /// By its number what is listed, compared once: manifests by the hundred list the same files.
    compared: RefCell<Vec<Option<Compared>>>,
    /// By the name of the file that is over it; of two the first counts.
    manifests: HashMap<&'u str, &'u Manifest>,
    /// The one file at the root of an ASiC-S, with what is in it.
    single: Option<(Content<'d>, SignedScope)>,
}

/// What a manifest lists, compared with the file that it names.
#[derive(Clone)]
struct Compared {
    matcher: Shared<DigestMatcher>,
    /// The file as something signed, where its digest is the one that is listed.
    subject: Rc<SignedScope>,
    /// Whether its signed data is in the draft already, and need not be told again by the next hundred manifests.
    told: bool,
}

/// What something is over.
pub(super) struct Over<'u, 'd> {
    /// The bytes that are signed: a file, or a manifest.
    pub(super) content: Content<'d>,
    /// The manifest, where it is one.
    pub(super) manifest: Option<&'u Manifest>,
    /// What is signed thereby.
    pub(super) subject: SignedScope,
    /// Whether the files that the manifest lists have the digests that it states.
    pub(super) matchers: Vec<Shared<DigestMatcher>>,
}

impl<'u, 'd> Files<'u, 'd> {
    pub(super) fn new(unpacked: &'u Unpacked<'d>) -> Self {
        let by_name = unpacked.entries.iter().map(|entry| (entry.name.as_str(), entry.content().clone())).collect();
        let by_signature =
            unpacked.manifests.iter().rev().filter_map(|list| Some((list.signature_file.as_deref()?, list)));
        let manifests = by_signature.collect();
        let listing = listing(unpacked, &by_name).into();
        let mut files = Self { unpacked, by_name, listing, compared: RefCell::default(), manifests, single: None };
        files.single = files.single_file();
        files
    }

    /// Returns the one file that an ASiC-S has at its root (§4.3.1).
    fn single_file(&self) -> Option<(Content<'d>, SignedScope)> {
        let contents = &self.unpacked.facts.contents;
        let mut roots = contents.iter().filter(|name| is_at_root(name));
        let only = roots.next().filter(|_| roots.next().is_none())?;
        if self.unpacked.kind() != Some(ContainerType::AsicS) {
            return None;
        }
        let content = self.by_name.get(only.as_str())?.clone();
        for &algorithm in &self.unpacked.imprints {
            // Made now, it takes no pass of its own.
            content.digest_and_any(algorithm);
        }
        let subject = with_archived(&content, &self.unpacked.budget);
        Some((content, subject))
    }

    /// Returns the one file of an ASiC-S.
    pub(super) fn single(&self) -> Option<&(Content<'d>, SignedScope)> {
        self.single.as_ref()
    }

    /// Returns a file by its name.
    pub(super) fn named(&self, name: &str) -> Option<&Content<'d>> {
        self.by_name.get(name)
    }

    /// Returns the manifest that says what `file` is over.
    pub(super) fn manifest(&self, file: &str) -> Option<&'u Manifest> {
        self.manifests.get(file).copied()
    }

    /// Returns what the XML signatures in `file` may refer to: in ASiC-S the one file, elsewhere every other entry
    /// (§4.4.3.2; signatures of OpenDocument packages are also over the `mimetype` and the manifest).
    pub(super) fn beside(&self, file: &str) -> Contents<'d> {
        Contents::of_entry(file, self.listing.clone(), &self.unpacked.work)
    }

    /// Returns what a CMS signature or time-stamp in `file` is over: in ASiC-S the one file, unless it is a later
    /// time-stamp with a manifest; in ASiC-E what the manifest lists.
    pub(super) fn over(&self, file: &str, role: Role) -> Over<'u, 'd> {
        let simple = self.unpacked.kind() == Some(ContainerType::AsicS);
        let manifest = self.manifest(file).filter(|_| !simple || role == Role::Timestamp);
        let Some(manifest) = manifest else {
            let (content, subject) = self.single.clone().unwrap_or_default();
            return Over { content, manifest: None, subject, matchers: vec![] };
        };
        let content = self.named(&manifest.file).cloned().unwrap_or_default();
        let mut subject = SignedScope::whole(&content);
        subject.scopes.iter_mut().for_each(|scope| scope.description = "Manifest document".into());
        let parent = subject.signed_data.first().map(|data| data.id.clone());
        let mut matchers = vec![];
        for listed in &manifest.entries {
            let Compared { matcher, subject: file, told } = self.compare(listed);
            subject.scopes.extend(file.scopes.iter().cloned());
            if !told {
                subject
                    .signed_data
                    .extend(file.signed_data.iter().map(|data| listed_in(parent.as_ref(), data.clone())));
            }
            matchers.push(matcher);
        }
        Over { content, manifest: Some(manifest), subject, matchers }
    }

    /// Notes that the draft has the signed data that is listed.
    pub(super) fn tell(&self, manifest: &Manifest) {
        let mut compared = self.compared.borrow_mut();
        for listed in &manifest.entries {
            if let Some(Some(compared)) = compared.get_mut(listed.number) {
                compared.told = true;
            }
        }
    }

    /// Returns whether what is listed is as it is listed.
    pub(super) fn is_intact(&self, listed: &DataObjectReference) -> bool {
        self.compare(listed).matcher.data_intact
    }

    /// Compares a `DataObjectReference` with the file that it names (§A.4).
    fn compare(&self, listed: &DataObjectReference) -> Compared {
        let mut compared = self.compared.borrow_mut();
        if compared.len() <= listed.number {
            compared.resize_with(listed.number + 1, || None);
        }
        compared[listed.number].get_or_insert_with(|| self.compared(listed)).clone()
    }

    fn compared(&self, listed: &DataObjectReference) -> Compared {
        let content = self.named(&listed.uri);
        let algorithm = listed.digest.algorithm;
        // By a function that nobody knows nothing can be compared: it is not said that the file is another.
        let content = content.filter(|_| algorithm.is_some());
        let digest = content.zip(algorithm).and_then(|(content, algorithm)| content.digest_and_any(algorithm));
        let matcher = DigestMatcher {
            digest: listed.digest.clone(),
            data_found: content.is_some(),
            data_intact: digest.is_some_and(|digest| digest == listed.digest.value.0),
            uri: Some(listed.uri.clone()),
            document_name: content.map(|_| listed.uri.clone()),
            ..DigestMatcher::missing(MatcherType::ManifestEntry)
        };
        let subject = content.filter(|_| matcher.data_intact).map(SignedScope::whole).unwrap_or_default();
        Compared { matcher: matcher.into(), subject: subject.into(), told: false }
    }
}

/// Returns what XML signatures may refer to, those in files among it as well.
fn listing<'d>(unpacked: &Unpacked<'d>, by_name: &HashMap<&str, Content<'d>>) -> Listing<'d> {
    let simple = unpacked.kind() == Some(ContainerType::AsicS);
    let counts = |name: &str| !simple || (Role::of(name) == Role::Content && is_at_root(name));
    let mut listing = Listing::default();
    for entry in unpacked.entries.iter().filter(|entry| counts(&entry.name)) {
        if let Some(content) = by_name.get(entry.name.as_str()) {
            listing.add(content.clone());
        }
    }
    listing
}

/// Returns what is signed through a list.
fn listed_in(parent: Option<&Id>, data: SignedData) -> SignedData {
    SignedData { parent: parent.filter(|id| **id != data.id).cloned(), ..data }
}

/// Returns the scope of the file of an ASiC-S; of a ZIP file also that of what is in it (§4.3.1: that is how ASiC-S
/// signs several files).
fn with_archived(content: &Content<'_>, budget: &Budget) -> SignedScope {
    let mut subject = SignedScope::whole(content);
    let Some(bytes) = content.begins_with(b"PK\x03\x04").then(|| content.whole()).flatten() else { return subject };
    // What is not a whole ZIP file is signed as the bytes that it is.
    let Ok(archive) = Archive::read(&bytes, budget) else { return subject };
    if archive.entries.iter().map(|entry| entry.data.size()).sum::<u64>() > INNER {
        return subject;
    }
    subject.scopes.iter_mut().for_each(|scope| scope.description = "ASiCS archive".into());
    let parent = subject.signed_data.first().map(|data| data.id.clone());
    for entry in &archive.entries {
        let mut inner = SignedScope::whole(entry.content());
        let (Some(scope), Some(data)) = (inner.scopes.first_mut(), inner.signed_data.first_mut()) else { continue };
        let around = parent.as_ref().map(Id::as_str).unwrap_or_default();
        data.id = ids::of_parts("D-", &[data.id.as_str().as_bytes(), around.as_bytes()]);
        let inside = Scope {
            kind: ScopeType::Archived,
            description: "ASiCS archive content".into(),
            signed_data: data.id.clone(),
            ..(**scope).clone()
        };
        *scope = inside.into();
        subject.scopes.append(&mut inner.scopes);
        subject.signed_data.extend(inner.signed_data.into_iter().map(|data| listed_in(parent.as_ref(), data)));
    }
    subject
}
