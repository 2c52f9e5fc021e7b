//! The document security store: EN 319 142-1 §5.4.2, ISO 32000-2 §12.8.4.3.

use super::date;
use super::field;
use super::file::Revision;
use super::object::{Dictionary, Object};
use crate::time::Time;
use std::collections::{HashMap, HashSet};

/// The streams of all stores of a file, each unpacked once.
#[derive(Debug, Default)]
pub struct Blobs {
    octets: Vec<Vec<u8>>,
    /// By where a stream's octets start.
    known: HashMap<usize, usize>,
}

impl Blobs {
    /// The octets of one stream.
    pub fn octets(&self, index: usize) -> &[u8] {
        &self.octets[index]
    }

    fn add<'a>(&mut self, revision: &Revision<'a, '_>, object: &Object<'a>) -> Option<usize> {
        let Object::Stream(stream) = revision.resolve(object) else { return None };
        if let Some(&known) = self.known.get(&stream.start) {
            return Some(known);
        }
        self.octets.push(revision.decoded(&stream).ok()?);
        self.known.insert(stream.start, self.octets.len() - 1);
        Some(self.octets.len() - 1)
    }
}

/// A store, as it stands in one revision. Numbers are those of [`Blobs`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Store {
    /// `/Certs`, `/CRLs` and `/OCSPs`.
    pub all: Listed,
    /// `/VRI`: what concerns one signature each.
    pub related: Vec<Related>,
}

/// Validation data.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listed {
    /// Certificates.
    pub certificates: Vec<usize>,
    /// CRLs.
    pub crls: Vec<usize>,
    /// OCSP responses.
    pub ocsps: Vec<usize>,
}

impl Listed {
    /// Adds what `other` has and this has not, in order.
    pub fn merge(&mut self, other: &Self) {
        let add = |own: &mut Vec<usize>, other: &[usize]| {
            let known: HashSet<usize> = own.iter().copied().collect();
            let mut fresh = HashSet::new();
            own.extend(other.iter().copied().filter(|blob| !known.contains(blob) && fresh.insert(*blob)));
        };
        add(&mut self.certificates, &other.certificates);
        add(&mut self.crls, &other.crls);
        add(&mut self.ocsps, &other.ocsps);
    }

    /// No more than so many of each.
    pub fn truncate(&mut self, length: usize) {
        self.certificates.truncate(length);
        self.crls.truncate(length);
        self.ocsps.truncate(length);
    }
}

/// Signature validation-related information: EN 319 142-1 §5.4.2.3.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Related {
    /// The upper-case SHA-1 of the signature's `/Contents`.
    pub key: String,
    /// What was used.
    pub listed: Listed,
    /// `/TU`: when this was put together.
    pub created: Option<Time>,
    /// `/TS`: a time-stamp that says so.
    pub timestamp: Option<usize>,
}

/// Elements read of one list: no signature needs so many, and each is a stream.
const ELEMENTS: usize = 10_000;

/// The store of a revision, if there is one.
pub fn read<'a>(revision: &Revision<'a, '_>, blobs: &mut Blobs) -> Option<Store> {
    let catalog = revision.catalog()?;
    let store = revision.dictionary(&catalog, b"DSS")?;
    let all = Listed {
        certificates: list(revision, blobs, &store, b"Certs"),
        crls: list(revision, blobs, &store, b"CRLs"),
        ocsps: list(revision, blobs, &store, b"OCSPs"),
    };
    let related = revision.dictionary(&store, b"VRI").map(|vri| {
        let entries = vri.iter().filter(|(key, _)| *key != b"Type").take(ELEMENTS);
        entries.filter_map(|(key, value)| related(revision, blobs, key, value)).collect()
    });
    Some(Store { all, related: related.unwrap_or_default() })
}

fn related<'a>(revision: &Revision<'a, '_>, blobs: &mut Blobs, key: &[u8], value: &Object<'a>) -> Option<Related> {
    let Object::Dictionary(entry) = revision.resolve(value) else { return None };
    Some(Related {
        key: String::from_utf8_lossy(key).to_ascii_uppercase(),
        listed: Listed {
            certificates: list(revision, blobs, &entry, b"Cert"),
            crls: list(revision, blobs, &entry, b"CRL"),
            ocsps: list(revision, blobs, &entry, b"OCSP"),
        },
        created: field::text(&revision.lookup(&entry, b"TU")).and_then(|text| date::parse(&text)),
        timestamp: entry.get(b"TS").and_then(|stream| blobs.add(revision, stream)),
    })
}

fn list<'a>(revision: &Revision<'a, '_>, blobs: &mut Blobs, dictionary: &Dictionary<'a>, key: &[u8]) -> Vec<usize> {
    let items = revision.array(dictionary, key).unwrap_or_default();
    items.iter().take(ELEMENTS).filter_map(|item| blobs.add(revision, item)).collect()
}
