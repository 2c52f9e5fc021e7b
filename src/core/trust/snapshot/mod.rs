//! Snapshots: the assembled lists of one day in one file, whose lists are read as documents need them.
//!
//! A snapshot holds the state of every source with its SHA-256, the providers and services of each trusted list, and an
//! index. It keeps the certificates of authorities that issue to persons and to time-stamping units, since a document
//! may leave them out; of all other certificates it keeps the digest of key and subject and whether they may issue, which
//! suffices to recognise them. The file ends with the SHA-256 of everything before; the same lists give the same bytes.
//!
//! ```text
//! "lacre-trust/1\n"
//! u32  length of the manifest · manifest: JSON, deflated
//! u32  length of the index · index: u32 digest, u16 list, u16 identity each, deflated
//! …    sections, one a trusted list: deflated; u32 length of the JSON, JSON, identities: u32 length of a certificate and
//!      the certificate, or u32 0 and a digest, 1 of an authority's
//! 32   SHA-256 of everything before
//! ```

mod error;
mod signature;

pub use error::SnapshotError;
pub use signature::{SignerMismatch, append_signature};

use super::content::{ListContent, entity, may_issue};
use super::index::{Index, Place};
use super::list::{List, Service, ServiceDigitalIdentity};
use super::section::{PackedList, Reader, deflated, inflated, section};
use super::state::{ListState, Missing};
use super::{Inner, TrustedLists};
use crate::facts::{Facts, SnapshotSigner};
use crate::time::Time;
use crate::x509::Certificate;
use error::MAGIC;
use serde::{Deserialize, Serialize};
use sha2::Digest as _;
use std::sync::Arc;

/// 1 July 2016, 00:00 in Brussels: Regulation (EU) No 910/2014, Article 52 (2).
const REGULATION: Time = Time::from_seconds(1_467_324_000);

/// The manifest of a snapshot.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    /// The URL of the publication of the LOTL-signing certificates.
    announced: Option<String>,
    states: Vec<ListState>,
    missing: Vec<Missing>,
    /// The state to which each section belongs, and its length in bytes.
    sections: Vec<(usize, usize)>,
    /// In a bundle: the signer of the snapshot that was used.
    #[serde(default, rename = "packed_by", skip_serializing_if = "Option::is_none")]
    snapshot_signer: Option<SnapshotSigner>,
}

impl TrustedLists {
    /// Returns whether a file begins as a snapshot.
    pub fn is_snapshot(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Returns the lists as a snapshot. The same lists give the same bytes.
    ///
    /// ```
    /// use lacre::trust::{LotlSigningCertificates, TrustedLists};
    ///
    /// let lists = TrustedLists::assemble(vec![], &LotlSigningCertificates::official_journal());
    /// let snapshot = lists.to_snapshot();
    /// assert!(TrustedLists::is_snapshot(&snapshot));
    /// let again = TrustedLists::from_snapshot(&snapshot)?;
    /// assert_eq!(again.to_snapshot(), snapshot);
    /// # Ok::<(), lacre::trust::SnapshotError>(())
    /// ```
    pub fn to_snapshot(&self) -> Vec<u8> {
        self.packed(|_| true, false)
    }

    /// Returns a snapshot of the lists that the facts name, complete, so that a replay finds the same.
    pub(crate) fn snapshot_of_used(&self, facts: &Facts) -> Vec<u8> {
        self.packed(|state| facts.trusted_lists.iter().any(|list| list.id == state.id()), true)
    }

    /// Returns a snapshot of some of the lists, with the states of all sources.
    fn packed(&self, wanted: impl Fn(&ListState) -> bool, whole: bool) -> Vec<u8> {
        let (mut sections, mut packed, mut kept) = (vec![], vec![], vec![]);
        let wanted = |(state, _): &&(usize, ListContent)| self.0.states.get(*state).is_some_and(&wanted);
        for (state, content) in self.0.contents.iter().filter(wanted) {
            // What services of other countries are for is said in words of their own.
            let foreign =
                self.0.states.get(*state).is_some_and(|state| state.mutual_recognition || state.third_country);
            let list = reduced(content, whole || foreign);
            let section = section(&list);
            sections.push((*state, section.len()));
            packed.push(section);
            kept.push(ListContent::new(list));
        }
        let (announced, states, missing) = (self.0.announced.clone(), self.0.states.clone(), self.0.missing.clone());
        // Only of lists that are kept whole, as a bundle does: else who signs the file says it.
        let snapshot_signer = self.0.snapshot_signer.clone().filter(|_| whole);
        let manifest = serde_json::to_vec(&Manifest { announced, states, missing, sections, snapshot_signer });
        let manifest = deflated(&manifest.expect("a manifest is texts and numbers"));
        let index = Index::new(kept.iter(), whole);
        let mut file = MAGIC.to_vec();
        file.extend((manifest.len() as u32).to_be_bytes());
        file.extend(manifest);
        let index = index.0.iter().flat_map(|(digest, place)| {
            let place = (place.content as u16, place.identity as u16);
            [digest.to_be_bytes(), (u32::from(place.0) << 16 | u32::from(place.1)).to_be_bytes()].concat()
        });
        let index = deflated(&index.collect::<Vec<u8>>());
        file.extend((index.len() as u32).to_be_bytes());
        file.extend(index);
        packed.into_iter().for_each(|section| file.extend(section));
        let digest: [u8; 32] = sha2::Sha256::digest(&file).into();
        file.extend(digest);
        file
    }

    /// Reads a snapshot, and its signature where it has one ([`TrustedLists::snapshot_signer`]).
    ///
    /// # Errors
    ///
    /// [`SnapshotError`] where the file is not a snapshot, differs from what was written, or has a signature that is
    /// not valid.
    pub fn from_snapshot(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let (snapshot, signature) = signature::split(bytes);
        let snapshot_signer = signature.map(|signature| signature::of(snapshot, signature)).transpose()?;
        let mut inner = Self::unpacked(snapshot)?;
        inner.snapshot_signer = snapshot_signer;
        Ok(Self(Arc::new(inner)))
    }

    /// Reads the snapshot of a bundle, whose manifest names the signer of the snapshot that was used.
    pub(crate) fn from_bundle(bytes: &[u8]) -> Result<Self, SnapshotError> {
        Ok(Self(Arc::new(Self::unpacked(bytes)?)))
    }

    fn unpacked(bytes: &[u8]) -> Result<Inner, SnapshotError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(SnapshotError::NotASnapshot)?;
        let (covered, stated) = bytes.split_last_chunk::<32>().ok_or(SnapshotError::NotASnapshot)?;
        let found: [u8; 32] = sha2::Sha256::digest(covered).into();
        if found != *stated {
            let (found, stated) = (crate::hex::lower(&found), crate::hex::lower(stated));
            return Err(SnapshotError::Changed { found, stated });
        }
        let mut reader = Reader(rest.get(..rest.len().saturating_sub(32)).unwrap_or_default());
        let manifest = reader.sized().and_then(inflated);
        let manifest = manifest.and_then(|json| serde_json::from_slice::<Manifest>(&json).ok());
        let mut manifest = manifest.ok_or(SnapshotError::Unreadable { part: "manifest" })?;
        let index = reader
            .sized()
            .and_then(inflated)
            .and_then(|bytes| index(&bytes))
            .ok_or(SnapshotError::Unreadable { part: "index" })?;
        let file: Arc<[u8]> = bytes.into();
        let (mut start, end) = (covered.len() - reader.0.len(), covered.len());
        let mut contents = vec![];
        for (state, length) in std::mem::take(&mut manifest.sections) {
            let stop = start.checked_add(length).filter(|stop| *stop <= end && state < manifest.states.len());
            let section = start..stop.ok_or(SnapshotError::Unreadable { part: "table of sections" })?;
            start = section.end;
            contents.push((state, ListContent::packed(PackedList { file: file.clone(), section })));
        }
        let Manifest { announced, states, missing, snapshot_signer, .. } = manifest;
        Ok(Inner { announced, states, missing, contents, index, snapshot_signer })
    }
}

/// Reduces a list to what a snapshot keeps. Unless `whole`, certificates that documents contain themselves are replaced
/// by their digest.
fn reduced(content: &ListContent, whole: bool) -> List {
    let mut list = content.list().clone();
    let mut kept = vec![whole; list.identities.len()];
    let services = list.providers.iter().flat_map(|provider| &provider.services);
    for (service, identity) in services.flat_map(|service| service.identities.iter().map(move |at| (service, *at))) {
        let may_be_missing = content.certificate(identity).is_some_and(|known| may_be_missing(service, known));
        kept.get_mut(identity as usize).into_iter().for_each(|kept| *kept |= may_be_missing);
    }
    for ((identity, place), kept) in list.identities.iter_mut().zip(0..).zip(kept) {
        let certificate = content.certificate(place).filter(|_| !kept);
        if let Some((digest, known)) = certificate.and_then(|known| Some((entity(known)?, known))) {
            *identity = ServiceDigitalIdentity::Entity { digest, authority: may_issue(known) };
        }
    }
    // What is said of the list itself stands in its state.
    let List { providers, identities, recognition, .. } = list;
    List { providers, identities, recognition, ..List::default() }
}

/// Returns whether a document may lack the service's certificate although its signatures or time-stamps rest on it:
/// that of an authority that issues certificates, to time-stamping units at least.
///
/// Authorities that expired before Regulation (EU) No 910/2014 applied are left out, to keep snapshots small: a
/// signature under them can be valid today only with validation data that contains their certificates.
fn may_be_missing(service: &Service, certificate: &Certificate) -> bool {
    let authority = certificate.extensions().basic_constraints.is_some_and(|constraints| constraints.ca);
    service.issues_certificates() && certificate.not_after() >= REGULATION || service.issues_timestamps() && authority
}

fn index(bytes: &[u8]) -> Option<Index> {
    let mut reader = Reader(bytes);
    let mut entries = Vec::with_capacity(bytes.len() / 8);
    while let Some(digest) = reader.number() {
        entries.push((digest, Place { content: reader.short()?, identity: reader.short()? }));
    }
    entries.is_sorted().then_some(Index(entries))
}
