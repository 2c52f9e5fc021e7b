//! The document security store: EN 319 142-1 §5.4.2, ISO 32000-2 §12.8.4.3.

use super::by_number::ByNumber;
use super::date;
use super::field;
use super::index::Location;
use super::object::{Dictionary, Object, Stream};
use super::revision::Revision;
use crate::time::Time;
use std::collections::HashMap;
use std::ops::Range;

/// The streams of all stores of a file, each unpacked once.
#[derive(Debug, Default)]
pub struct Blobs {
    octets: Vec<Vec<u8>>,
    /// By where a stream's octets start.
    known: HashMap<usize, usize>,
    /// By the object that a stream is.
    objects: ByNumber<Known>,
}

/// A stream that was asked for by the number of its object.
#[derive(Debug)]
struct Known {
    location: Location,
    /// The numbers of newer sections without which it is there.
    without: Range<usize>,
    /// `None`: it cannot be unpacked.
    found: Option<usize>,
}

impl Blobs {
    /// The octets of one stream.
    pub fn octets(&self, index: usize) -> &[u8] {
        &self.octets[index]
    }

    fn add<'a>(&mut self, revision: &Revision<'a, '_>, object: &Object<'a>) -> Option<usize> {
        // Stores of later revisions list the same objects again.
        let number = object.reference().map(|reference| reference.number);
        let standing = |number| {
            let newer = revision.newer();
            let known = self.objects.get(number);
            known.filter(|known| {
                newer.is_some_and(|newer| known.without.contains(&newer))
                    || revision.location(number) == Some(known.location)
            })
        };
        if let Some(known) = number.and_then(standing) {
            return known.found;
        }
        let Object::Stream(stream) = revision.resolve(object) else { return None };
        let found = self.unpacked(revision, &stream);
        if let Some(number) = number.filter(|number| *number == stream.id.number)
            && let Some((location, without)) = revision.standing(number)
        {
            self.objects.insert(number, Known { location, without, found }, revision.file().numbers());
        }
        found
    }

    fn unpacked<'a>(&mut self, revision: &Revision<'a, '_>, stream: &Stream<'a>) -> Option<usize> {
        if let Some(&known) = self.known.get(&stream.start) {
            return Some(known);
        }
        self.octets.push(revision.decoded(stream).ok()?);
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

/// Validation data of several stores, put together in order, each once.
#[derive(Debug, Default)]
pub struct Gathered {
    /// What was put together.
    pub listed: Listed,
    /// What is in each of its lists.
    known: [Vec<bool>; 3],
}

impl Gathered {
    /// Adds what is not there yet.
    pub fn add(&mut self, more: &Listed) {
        let Listed { certificates, crls, ocsps } = &mut self.listed;
        let lists = [(certificates, &more.certificates), (crls, &more.crls), (ocsps, &more.ocsps)];
        for ((own, more), known) in lists.into_iter().zip(&mut self.known) {
            for &blob in more {
                if known.len() <= blob {
                    known.resize(blob + 1, false);
                }
                if !std::mem::replace(&mut known[blob], true) {
                    own.push(blob);
                }
            }
        }
    }
}

impl Listed {
    /// The stores from each on to the last one, put together in order; no more than `limit` of each kind.
    pub fn from_each_on<'s>(stores: impl DoubleEndedIterator<Item = &'s Self>, limit: usize) -> Vec<Self> {
        let mut together: Vec<Self> = vec![];
        for store in stores.rev() {
            let mut from_here = Gathered::default();
            from_here.add(store);
            together.last().into_iter().for_each(|later| from_here.add(later));
            let mut listed = from_here.listed;
            for list in [&mut listed.certificates, &mut listed.crls, &mut listed.ocsps] {
                list.truncate(limit);
            }
            together.push(listed);
        }
        together.reverse();
        together
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
    let mut listed = Vec::with_capacity(items.len().min(ELEMENTS));
    for item in items.iter().take(ELEMENTS) {
        listed.extend(blobs.add(revision, item));
    }
    listed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_from_each_on() {
        let store = |certificates: &[usize]| Listed { certificates: certificates.to_vec(), ..Listed::default() };
        let stores = [store(&[1, 2]), store(&[3, 1]), store(&[2, 4, 4])];
        let rows: [(&str, usize, [&[usize]; 3]); 2] = [
            ("each once, where it is first listed", 9, [&[1, 2, 3, 4], &[3, 1, 2, 4], &[2, 4]]),
            ("no more than so many", 2, [&[1, 2], &[3, 1], &[2, 4]]),
        ];
        for (situation, limit, expected) in rows {
            let found = Listed::from_each_on(stores.iter(), limit);
            let found: Vec<&[usize]> = found.iter().map(|listed| &listed.certificates[..]).collect();
            assert_eq!(found, expected, "EN 319 142-1 5.4.2: {situation}");
        }
    }
}
