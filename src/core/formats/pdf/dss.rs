//! The document security store: EN 319 142-1 §5.4.2, ISO 32000-2 §12.8.4.3.

use super::date;
use super::object::{Dictionary, Object, Stream};
use super::object_map::ObjectMap;
use super::revision::Revision;
use super::xref_index::Location;
use crate::time::Time;
use crate::x509::{Certificate, Crl, OcspResponse};
use std::collections::HashMap;
use std::ops::Range;

/// The streams of all document security stores of a file, each decoded once.
#[derive(Debug, Default)]
pub struct StreamPool {
    decoded: Vec<Vec<u8>>,
    /// The index of each stream, by the byte of the file where it starts.
    indexes: HashMap<usize, usize>,
    /// The streams that were asked for by object number.
    objects: ObjectMap<PooledObject>,
}

/// A stream that was asked for by object number.
#[derive(Debug)]
struct PooledObject {
    location: Location,
    /// The revisions in which it is there: a range of newer sections.
    revisions: Range<usize>,
    /// Its index; `None` where it cannot be decoded.
    index: Option<usize>,
}

impl StreamPool {
    /// Returns the bytes of the stream at `index`.
    pub fn bytes(&self, index: usize) -> &[u8] {
        &self.decoded[index]
    }

    /// Returns the index of a stream, which is decoded if it is new.
    fn add<'a>(&mut self, revision: &Revision<'a, '_>, object: &Object<'a>) -> Option<usize> {
        // Stores of later revisions list the same objects again.
        let number = object.reference().map(|reference| reference.number);
        let pooled = |number| {
            self.objects.get(number).filter(|known| {
                revision.newer_sections().is_some_and(|newer| known.revisions.contains(&newer))
                    || revision.location(number) == Some(known.location)
            })
        };
        if let Some(known) = number.and_then(pooled) {
            return known.index;
        }
        let Object::Stream(stream) = revision.resolve(object) else { return None };
        let index = self.decode(revision, &stream);
        if let Some(number) = number.filter(|number| *number == stream.id.number)
            && let Some((location, revisions)) = revision.location_and_revisions(number)
        {
            let known = PooledObject { location, revisions, index };
            self.objects.insert(number, known, revision.file().dense_numbers());
        }
        index
    }

    fn decode<'a>(&mut self, revision: &Revision<'a, '_>, stream: &Stream<'a>) -> Option<usize> {
        if let Some(&index) = self.indexes.get(&stream.start) {
            return Some(index);
        }
        self.decoded.push(revision.decoded(stream).ok()?);
        self.indexes.insert(stream.start, self.decoded.len() - 1);
        Some(self.decoded.len() - 1)
    }
}

/// The document security store of one revision. Streams are named by their index in the [`StreamPool`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dss {
    /// `/Certs`, `/CRLs` and `/OCSPs`.
    pub all: DssEntries,
    /// `/VRI`: what each signature was validated with.
    pub vri: Vec<Vri>,
}

/// Certificates, CRLs and OCSP responses.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DssEntries {
    /// Certificates.
    pub certificates: Vec<usize>,
    /// CRLs.
    pub crls: Vec<usize>,
    /// OCSP responses.
    pub ocsps: Vec<usize>,
}

/// The entries of several stores in their order, each once.
#[derive(Debug, Default)]
pub struct MergedEntries {
    /// The entries.
    pub entries: DssEntries,
    /// Which streams are in each of the three lists.
    has: [Vec<bool>; 3],
}

impl MergedEntries {
    /// Adds the entries that are not there yet.
    pub fn add(&mut self, more: &DssEntries) {
        let DssEntries { certificates, crls, ocsps } = &mut self.entries;
        let lists = [(certificates, &more.certificates), (crls, &more.crls), (ocsps, &more.ocsps)];
        for ((own, more), has) in lists.into_iter().zip(&mut self.has) {
            for &stream in more {
                if has.len() <= stream {
                    has.resize(stream + 1, false);
                }
                if !std::mem::replace(&mut has[stream], true) {
                    own.push(stream);
                }
            }
        }
    }
}

impl Dss {
    /// Returns whether it has a certificate, a CRL or an OCSP response, for any signature.
    pub fn has_validation_data(&self, streams: &StreamPool) -> bool {
        self.all.has_validation_data(streams)
            || self.vri.iter().any(|related| related.entries.has_validation_data(streams))
    }
}

impl DssEntries {
    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.certificates.is_empty() && self.crls.is_empty() && self.ocsps.is_empty()
    }

    /// Returns whether one of them can be read as what it is listed as.
    fn has_validation_data(&self, streams: &StreamPool) -> bool {
        let any = |listed: &[usize], is: fn(&[u8]) -> bool| listed.iter().any(|stream| is(streams.bytes(*stream)));
        any(&self.certificates, |bytes| Certificate::from_der(bytes).is_ok())
            || any(&self.crls, |bytes| Crl::from_der(bytes).is_ok())
            || any(&self.ocsps, |bytes| OcspResponse::from_der(bytes).is_ok())
    }

    /// Merges, for each of `stores`, its entries and those of all later ones; no more than `limit` of each kind.
    pub fn from_each_on<'s>(stores: impl DoubleEndedIterator<Item = &'s Self>, limit: usize) -> Vec<Self> {
        let mut together: Vec<Self> = vec![];
        for store in stores.rev() {
            let mut from_here = MergedEntries::default();
            from_here.add(store);
            together.last().into_iter().for_each(|later| from_here.add(later));
            let mut entries = from_here.entries;
            for list in [&mut entries.certificates, &mut entries.crls, &mut entries.ocsps] {
                list.truncate(limit);
            }
            together.push(entries);
        }
        together.reverse();
        together
    }
}

/// Signature validation-related information: EN 319 142-1 §5.4.2.3.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Vri {
    /// The upper-case SHA-1 of the signature's `/Contents`.
    pub key: String,
    /// The validation data that was used.
    pub entries: DssEntries,
    /// `/TU`: when the entries were put together.
    pub created: Option<Time>,
    /// `/TS`: a time-stamp that says so.
    pub timestamp: Option<usize>,
}

/// Bounds the elements read of one list: no signature needs so many, and each is a stream.
const ELEMENTS: usize = 10_000;

/// Reads the document security store of a revision, if it has one.
pub fn read<'a>(revision: &Revision<'a, '_>, streams: &mut StreamPool) -> Option<Dss> {
    let catalog = revision.catalog()?;
    let store = revision.dictionary(&catalog, b"DSS")?;
    let all = DssEntries {
        certificates: list(revision, streams, &store, b"Certs"),
        crls: list(revision, streams, &store, b"CRLs"),
        ocsps: list(revision, streams, &store, b"OCSPs"),
    };
    let vri = revision.dictionary(&store, b"VRI").map(|entries| {
        let entries = entries.iter().filter(|(key, _)| *key != b"Type").take(ELEMENTS);
        entries.filter_map(|(key, value)| read_vri(revision, streams, key, value)).collect()
    });
    Some(Dss { all, vri: vri.unwrap_or_default() })
}

fn read_vri<'a>(revision: &Revision<'a, '_>, streams: &mut StreamPool, key: &[u8], value: &Object<'a>) -> Option<Vri> {
    let Object::Dictionary(entry) = revision.resolve(value) else { return None };
    revision.limits().text(key.len()).ok()?;
    Some(Vri {
        key: String::from_utf8_lossy(key).to_ascii_uppercase(),
        entries: DssEntries {
            certificates: list(revision, streams, &entry, b"Cert"),
            crls: list(revision, streams, &entry, b"CRL"),
            ocsps: list(revision, streams, &entry, b"OCSP"),
        },
        created: revision.text_of(&entry, b"TU").and_then(|text| date::parse(&text)),
        timestamp: entry.get(b"TS").and_then(|stream| streams.add(revision, stream)),
    })
}

fn list<'a>(
    revision: &Revision<'a, '_>,
    streams: &mut StreamPool,
    dictionary: &Dictionary<'a>,
    key: &[u8],
) -> Vec<usize> {
    let items = revision.array(dictionary, key).unwrap_or_default();
    let mut listed = Vec::new();
    let is_left = |_: &&Object<'a>| revision.limits().text(size_of::<usize>()).is_ok();
    for item in items.iter().take(ELEMENTS).take_while(is_left) {
        listed.extend(streams.add(revision, item));
    }
    listed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_from_each_on() {
        let store =
            |certificates: &[usize]| DssEntries { certificates: certificates.to_vec(), ..DssEntries::default() };
        let stores = [store(&[1, 2]), store(&[3, 1]), store(&[2, 4, 4])];
        let rows: [(&str, usize, [&[usize]; 3]); 2] = [
            ("each once, where it is first listed", 9, [&[1, 2, 3, 4], &[3, 1, 2, 4], &[2, 4]]),
            ("no more than so many", 2, [&[1, 2], &[3, 1], &[2, 4]]),
        ];
        for (situation, limit, expected) in rows {
            let found = DssEntries::from_each_on(stores.iter(), limit);
            let found: Vec<&[usize]> = found.iter().map(|listed| &listed.certificates[..]).collect();
            assert_eq!(found, expected, "EN 319 142-1 5.4.2: {situation}");
        }
    }
}
