//! Snapshots: the lists of one day in one file, checked before, opened list by list as documents need them.
//!
//! A snapshot holds the state of every file that was read (with its SHA-256), of each trusted list the providers and
//! services, and an index. Certificates of authorities that issue to persons and to time-stamping units are kept whole, as
//! a document may leave them out; of all others the digest of key and subject is enough to know them again. The file ends with the SHA-256 of
//! everything before, which is its name: the same lists give the same octets.
//!
//! ```text
//! "lacre-trust/1\n"
//! u32  length of the manifest · manifest: JSON, deflated
//! u32  length of the index · index: u32 digest, u16 list, u16 identity each, deflated
//! …    sections, one a trusted list: deflated; u32 length of the JSON, JSON, identities
//! 32   SHA-256 of everything before
//! ```

use super::index::{Content, Index, Place, entity};
use super::list::{Identity, List, Service};
use super::state::{ListState, Missing};
use super::{Inner, SignatureDefect, TrustedLists, packer};
use crate::facts::{Facts, Packer};
use crate::inflate::{Inflater, Wrapping};
use crate::time::Time;
use crate::x509::Certificate;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};
use sha2::Digest as _;
use std::io::Write as _;
use std::ops::Range;
use std::sync::Arc;

/// How a snapshot begins: the format and its version, the only one that is read.
const MAGIC: &[u8] = b"lacre-trust/1\n";
/// Octets that a manifest or a section may inflate to. The largest list has 1.5 MB.
const INFLATED: usize = 64 << 20;

/// 1 July 2016, 00:00 in Brussels: Regulation (EU) No 910/2014, Article 52 (2).
const REGULATION: Time = Time::from_seconds(1_467_324_000);

/// Why a snapshot is not read.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// Something else, or another version.
    #[error("the file does not begin with {}, expected a snapshot of trusted lists", String::from_utf8_lossy(MAGIC).trim_end())]
    NotASnapshot,
    /// It was changed.
    #[error("the snapshot was changed or cut off: its SHA-256 is {found}, and it states {stated}")]
    Changed { found: String, stated: String },
    /// The signature that follows it does not count.
    #[error("the signature of whoever packed the snapshot: {0}")]
    Signature(#[from] SignatureDefect),
    /// A part is not what it should be.
    #[error("the {part} of the snapshot cannot be read")]
    Unreadable { part: &'static str },
}

/// What stands in front of the sections.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    /// Where the signers of the list of lists were announced.
    announced: Option<String>,
    states: Vec<ListState>,
    missing: Vec<Missing>,
    /// The state that each section is of, and how many octets it has.
    sections: Vec<(usize, usize)>,
    /// In a bundle: who signed the snapshot that was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    packed_by: Option<Packer>,
}

/// A section of a snapshot.
#[derive(Debug, Clone)]
pub(super) struct Packed {
    file: Arc<[u8]>,
    section: Range<usize>,
}

impl TrustedLists {
    /// Whether that is how a snapshot begins.
    pub fn is_snapshot(octets: &[u8]) -> bool {
        octets.starts_with(MAGIC)
    }

    /// The lists as a snapshot.
    pub fn to_snapshot(&self) -> Vec<u8> {
        self.packed(|_| true, false)
    }

    /// A snapshot of the lists that the record names, whole: with it the same is found again.
    pub(crate) fn snapshot_of_used(&self, facts: &Facts) -> Vec<u8> {
        self.packed(|state| facts.trusted_lists.iter().any(|list| list.id == state.id()), true)
    }

    /// A snapshot of some of the lists, with the state of all files.
    fn packed(&self, wanted: impl Fn(&ListState) -> bool, whole: bool) -> Vec<u8> {
        let (mut sections, mut packed, mut kept) = (vec![], vec![], vec![]);
        let wanted = |(state, _): &&(usize, Content)| self.0.states.get(*state).is_some_and(&wanted);
        for (state, content) in self.0.contents.iter().filter(wanted) {
            // What services of other countries are for is said in words of their own.
            let foreign =
                self.0.states.get(*state).is_some_and(|state| state.mutual_recognition || state.third_country);
            let list = reduced(content, whole || foreign);
            let section = section(&list);
            sections.push((*state, section.len()));
            packed.push(section);
            kept.push(Content::new(list));
        }
        let (announced, states, missing) = (self.0.announced.clone(), self.0.states.clone(), self.0.missing.clone());
        // Only of lists that are kept whole, as a bundle does: else who signs the file says it.
        let packed_by = self.0.packed_by.clone().filter(|_| whole);
        let manifest = serde_json::to_vec(&Manifest { announced, states, missing, sections, packed_by });
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

    /// Reads a snapshot, and the signature of whoever packed it where it has one ([`TrustedLists::packed_by`]).
    ///
    /// # Errors
    ///
    /// When the file is none, or another one than was written or signed.
    pub fn from_snapshot(octets: &[u8]) -> Result<Self, SnapshotError> {
        let (snapshot, signature) = packer::split(octets);
        let packed_by = signature.map(|signature| packer::of(snapshot, signature)).transpose()?;
        let mut inner = Self::unpacked(snapshot)?;
        inner.packed_by = packed_by;
        Ok(Self(Arc::new(inner)))
    }

    /// Reads the snapshot of a bundle, which says itself who signed the one that was used.
    pub(crate) fn from_bundle(octets: &[u8]) -> Result<Self, SnapshotError> {
        Ok(Self(Arc::new(Self::unpacked(octets)?)))
    }

    fn unpacked(octets: &[u8]) -> Result<Inner, SnapshotError> {
        let rest = octets.strip_prefix(MAGIC).ok_or(SnapshotError::NotASnapshot)?;
        let (covered, stated) = octets.split_last_chunk::<32>().ok_or(SnapshotError::NotASnapshot)?;
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
            .and_then(|octets| index(&octets))
            .ok_or(SnapshotError::Unreadable { part: "index" })?;
        let file: Arc<[u8]> = octets.into();
        let (mut start, end) = (covered.len() - reader.0.len(), covered.len());
        let mut contents = vec![];
        for (state, length) in std::mem::take(&mut manifest.sections) {
            let stop = start.checked_add(length).filter(|stop| *stop <= end && state < manifest.states.len());
            let section = start..stop.ok_or(SnapshotError::Unreadable { part: "table of sections" })?;
            start = section.end;
            contents.push((state, Content::packed(Packed { file: file.clone(), section })));
        }
        let Manifest { announced, states, missing, packed_by, .. } = manifest;
        Ok(Inner { announced, states, missing, contents, index, packed_by })
    }
}

impl Packed {
    /// The list in it.
    pub fn open(&self) -> Option<List> {
        let octets = inflated(self.file.get(self.section.clone())?)?;
        let mut reader = Reader(&octets);
        let mut list: List = serde_json::from_slice(reader.sized()?).ok()?;
        while let Some(length) = reader.number() {
            list.identities.push(match length {
                0 => Identity::Entity(*reader.take(16)?.first_chunk()?),
                length => Identity::Certificate(reader.take(length as usize)?.into()),
            });
        }
        Some(list)
    }
}

/// What is kept of a list: unless it is kept `whole`, the digest in place of each certificate that documents hold
/// themselves.
fn reduced(content: &Content, whole: bool) -> List {
    let mut list = content.list().clone();
    let mut kept = vec![whole; list.identities.len()];
    let services = list.providers.iter().flat_map(|provider| &provider.services);
    for (service, identity) in services.flat_map(|service| service.identities.iter().map(move |at| (service, *at))) {
        let may_be_missing = content.certificate(identity).is_some_and(|known| may_be_missing(service, known));
        kept.get_mut(identity as usize).into_iter().for_each(|kept| *kept |= may_be_missing);
    }
    for ((identity, place), kept) in list.identities.iter_mut().zip(0..).zip(kept) {
        if let Some(digest) = content.certificate(place).and_then(entity).filter(|_| !kept) {
            *identity = Identity::Entity(digest);
        }
    }
    // What is said of the list itself stands in its state.
    let List { providers, identities, recognition, .. } = list;
    List { providers, identities, recognition, ..List::default() }
}

/// Whether a document whose signatures or time-stamps rest on the service may lack its certificate: that of whoever issues
/// certificates, be it to time-stamping units only.
///
/// What such an authority issued before it expired is shown to be valid later only by material that holds its certificate.
/// Authorities that expired before Regulation (EU) No 910/2014 applied are so many that this counts.
fn may_be_missing(service: &Service, certificate: &Certificate) -> bool {
    let authority = certificate.extensions().basic_constraints.is_some_and(|constraints| constraints.ca);
    service.issues_certificates() && certificate.not_after() >= REGULATION || service.issues_timestamps() && authority
}

fn section(list: &List) -> Vec<u8> {
    let json = serde_json::to_vec(list).expect("a list is texts and numbers");
    let mut octets = (json.len() as u32).to_be_bytes().to_vec();
    octets.extend(json);
    for identity in &list.identities {
        match identity {
            Identity::Entity(digest) => {
                octets.extend(0_u32.to_be_bytes());
                octets.extend(digest);
            }
            Identity::Certificate(der) => {
                octets.extend((der.len() as u32).to_be_bytes());
                octets.extend(der);
            }
        }
    }
    deflated(&octets)
}

fn deflated(octets: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(vec![], Compression::best());
    encoder.write_all(octets).and_then(|()| encoder.finish()).expect("a vector takes what is written")
}

fn inflated(octets: &[u8]) -> Option<Vec<u8>> {
    let inflated = Inflater::new(octets, Wrapping::None).whole(octets.len().saturating_mul(8), INFLATED).ok()?;
    (inflated.len() != INFLATED).then_some(inflated)
}

/// What is left of octets.
struct Reader<'o>(&'o [u8]);

impl<'o> Reader<'o> {
    fn take(&mut self, length: usize) -> Option<&'o [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(*self.take(4)?.first_chunk()?))
    }

    fn short(&mut self) -> Option<u32> {
        Some(u16::from_be_bytes(*self.take(2)?.first_chunk()?).into())
    }

    fn sized(&mut self) -> Option<&'o [u8]> {
        let length = self.number()?;
        self.take(length as usize)
    }
}

fn index(octets: &[u8]) -> Option<Index> {
    let mut reader = Reader(octets);
    let mut entries = Vec::with_capacity(octets.len() / 8);
    while let Some(digest) = reader.number() {
        entries.push((digest, Place { content: reader.short()?, identity: reader.short()? }));
    }
    entries.is_sorted().then_some(Index(entries))
}
