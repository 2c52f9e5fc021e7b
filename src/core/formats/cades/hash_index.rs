//! The hash index of an archive time-stamp v3: EN 319 122-1 §5.5.2, and its two predecessors (TS 101 733 §6.4.2).

use crate::algorithm::DigestAlgorithm;
#[cfg(feature = "signing")]
use crate::asn1::Writer;
use crate::asn1::{Reader, Tag, Tlv};
#[cfg(feature = "signing")]
use crate::crypto::digest_algorithm_identifier;
use crate::facts::{self, Digest, HashIndexVersion};
use crate::formats::cms::{Attribute, Attributes, SignedData, digest_algorithm, oids};
use crate::formats::digest_work::DigestWork;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A hash index as stated.
///
/// ```asn1
/// ATSHashIndexV3 ::= SEQUENCE { hashIndAlgorithm AlgorithmIdentifier, certificatesHashIndex SEQUENCE OF OCTET STRING,
///   crlsHashIndex SEQUENCE OF OCTET STRING, unsignedAttrValuesHashIndex SEQUENCE OF OCTET STRING }
/// ```
/// In the predecessors `hashIndAlgorithm` is SHA-256 by default.
#[derive(Debug, Clone)]
pub(crate) struct HashIndex<'a> {
    version: HashIndexVersion,
    /// The whole element: the last part of the archive time-stamp's imprint.
    pub element: Tlv<'a>,
    algorithm: Option<DigestAlgorithm>,
    certificates: Vec<Cow<'a, [u8]>>,
    revocations: Vec<Cow<'a, [u8]>>,
    attributes: Vec<Cow<'a, [u8]>>,
}

/// Each version's attribute.
const VERSIONS: [(crate::asn1::Oid<'static>, HashIndexVersion); 3] = [
    (oids::HASH_INDEX_V3, HashIndexVersion::V3),
    (oids::HASH_INDEX_V2, HashIndexVersion::V2),
    (oids::HASH_INDEX, HashIndexVersion::V1),
];

impl<'a> HashIndex<'a> {
    /// Returns the hash index among the unsigned attributes of a time-stamp token.
    pub(crate) fn read(unsigned: &Attributes<'a>) -> Option<Self> {
        VERSIONS.iter().find_map(|(oid, version)| {
            // NOTE: some writers left out the SEQUENCE and made its parts the values.
            let element = unsigned.value(*oid).or(unsigned.first(*oid).map(|attribute| attribute.values))?;
            Self::parse(element, *version)
        })
    }

    fn parse(element: Tlv<'a>, version: HashIndexVersion) -> Option<Self> {
        if !element.children().each_is(|_| true) {
            return None;
        }
        let parts: Vec<Tlv<'a>> = element.children().collect();
        let (algorithm, lists) = match &parts[..] {
            [identifier, lists @ ..] if lists.len() == 3 => (digest_algorithm(identifier), lists),
            lists if lists.len() == 3 && version != HashIndexVersion::V3 => (Some(DigestAlgorithm::Sha256), lists),
            _ => return None,
        };
        let (certificates, revocations, attributes) = (hashes(lists[0])?, hashes(lists[1])?, hashes(lists[2])?);
        Some(Self { version, element, algorithm, certificates, revocations, attributes })
    }

    /// Returns what of a signature the index lists. §5.5.2: every hash in it has to be that of something there, by the digest
    /// function of the imprint.
    pub(crate) fn listed(&self, elements: &Elements<'_, '_>, imprint: &Digest) -> IndexedElements {
        let hashes = self.algorithm.map(|algorithm| elements.hashes(algorithm, self.version == HashIndexVersion::V3));
        // Each element is looked for in each index.
        let hashes = hashes.filter(|hashes| elements.work.take(LOOK * hashes.count)).unwrap_or_default();
        let mut messages = Vec::new();
        if self.algorithm != imprint.algorithm {
            messages.push(format!("{} is not by the digest function of the imprint", self.version));
        }
        let mut look = |what, stated: &[Cow<'_, [u8]>], hashes: &[Vec<Hashed<'_>>]| -> Vec<bool> {
            let mut missing: HashSet<&[u8]> = stated.iter().map(|hash| &**hash).collect();
            let all: HashSet<&[u8]> = missing.clone();
            let mut is_listed = |hashed: &&Hashed<'_>| match hashed.in_list(&all, elements.work) {
                Some(hash) => {
                    missing.remove(&*hash);
                    true
                }
                None => false,
            };
            // All of them are looked for, also after one that is not there.
            let mut all_listed = |parts: &Vec<Hashed<'_>>| {
                let listed = parts.iter().filter(&mut is_listed).count();
                listed > 0 && listed == parts.len()
            };
            let listed = hashes.iter().map(&mut all_listed).collect();
            let missing = stated.iter().filter(|hash| missing.contains(&***hash)).count();
            if missing > 0 {
                messages.push(format!("{} lists {missing} {what} that the signature does not hold", self.version));
            }
            listed
        };
        IndexedElements {
            certificates: look("certificates", &self.certificates, &hashes.certificates),
            revocations: look("crls", &self.revocations, &hashes.revocations),
            attributes: look("unsigned attributes", &self.attributes, &hashes.attributes),
            facts: facts::HashIndex { version: Some(self.version), valid: messages.is_empty(), messages },
        }
    }
}

/// Reads a `SEQUENCE OF OCTET STRING`; `None` where it is something else, as every hash has to be that of something
/// there.
fn hashes<'a>(list: Tlv<'a>) -> Option<Vec<Cow<'a, [u8]>>> {
    let mut list = list.expecting(Tag::SEQUENCE).ok()?.children();
    let mut hashes = Vec::new();
    while let Some(hash) = Reader::next(&mut list).ok()? {
        hashes.push(hash.expecting(Tag::OCTET_STRING).ok()?.bytes().ok()?);
    }
    Some(hashes)
}

/// What a hash index lists: of each element of a set, in its order, whether it is in the index.
pub(crate) struct IndexedElements {
    pub certificates: Vec<bool>,
    pub revocations: Vec<bool>,
    /// IndexedElements with all its values, where the index is of values.
    pub attributes: Vec<bool>,
    pub facts: facts::HashIndex,
}

/// Returns the elements of a set that are listed.
pub(crate) fn marked<'a>(set: Option<Tlv<'a>>, listed: &[bool]) -> impl Iterator<Item = Tlv<'a>> {
    let elements = set.into_iter().flat_map(|set| set.children());
    elements.zip(listed).filter(|(_, listed)| **listed).map(|(element, _)| element)
}

/// The elements of a signature that hash indices list, hashed once however many indices there are.
pub(crate) struct Elements<'s, 'a> {
    certificates: Option<Tlv<'a>>,
    revocations: Option<Tlv<'a>>,
    unsigned: &'s Attributes<'a>,
    work: &'s DigestWork,
    hashes: RefCell<HashMap<(DigestAlgorithm, bool), Rc<Hashes<'a>>>>,
}

/// The hashes of every element; of an attribute several where each value has its own.
#[derive(Default)]
struct Hashes<'a> {
    certificates: Vec<Vec<Hashed<'a>>>,
    revocations: Vec<Vec<Hashed<'a>>>,
    attributes: Vec<Vec<Hashed<'a>>>,
    /// How many there are.
    count: u64,
}

/// What it costs to look for an element in an index, in digested bytes.
const LOOK: u64 = 128;

impl<'s, 'a> Elements<'s, 'a> {
    pub(crate) fn new(signed_data: &SignedData<'a>, unsigned: &'s Attributes<'a>, work: &'s DigestWork) -> Self {
        let SignedData { certificates, crls: revocations, .. } = *signed_data;
        Self { certificates, revocations, unsigned, work, hashes: RefCell::default() }
    }

    /// Returns the hashes of what is there: of v3 an attribute has one for each value, of its type and the value one
    /// after the other; before, one of the attribute.
    fn hashes(&self, algorithm: DigestAlgorithm, of_values: bool) -> Rc<Hashes<'a>> {
        let each = |set: Option<Tlv<'a>>| {
            let elements = set.into_iter().flat_map(|set| set.children());
            elements.map(|element| vec![Hashed::new(self.work, algorithm, None, element)]).collect()
        };
        let of_attribute = |attribute: &Attribute<'a>| match of_values {
            true => {
                attribute.values().map(|value| Hashed::new(self.work, algorithm, Some(attribute.kind), value)).collect()
            }
            false => vec![Hashed::new(self.work, algorithm, None, attribute.raw)],
        };
        let hash = || {
            let (certificates, revocations) = (each(self.certificates), each(self.revocations));
            let attributes: Vec<Vec<Hashed<'a>>> = self.unsigned.iter().map(of_attribute).collect();
            let all = [&certificates, &revocations, &attributes].into_iter().flatten();
            let count = all.map(|parts| 1 + parts.len() as u64).sum();
            Rc::new(Hashes { certificates, revocations, attributes, count })
        };
        self.hashes.borrow_mut().entry((algorithm, of_values)).or_insert_with(hash).clone()
    }
}

/// An element and its hash as it was sent.
struct Hashed<'a> {
    algorithm: DigestAlgorithm,
    kind: Option<Tlv<'a>>,
    element: Tlv<'a>,
    as_sent: Option<Vec<u8>>,
}

impl<'a> Hashed<'a> {
    fn new(work: &DigestWork, algorithm: DigestAlgorithm, kind: Option<Tlv<'a>>, element: Tlv<'a>) -> Self {
        let as_sent = hash(work, algorithm, kind, element.raw);
        Self { algorithm, kind, element, as_sent }
    }

    /// Returns the one of its hashes that is in the list: as it was sent or, where that is another, as DER.
    fn in_list(&self, list: &HashSet<&[u8]>, work: &DigestWork) -> Option<Cow<'_, [u8]>> {
        let as_sent = self.as_sent.as_deref().filter(|hash| list.contains(hash));
        as_sent.map(Cow::Borrowed).or_else(|| {
            let der = work.der(self.element.raw)?;
            hash(work, self.algorithm, self.kind, &der).filter(|hash| list.contains(&hash[..])).map(Cow::Owned)
        })
    }
}

fn hash(work: &DigestWork, algorithm: DigestAlgorithm, kind: Option<Tlv<'_>>, element: &[u8]) -> Option<Vec<u8>> {
    let mut hasher = work.hasher(algorithm)?;
    kind.iter().for_each(|kind| hasher.update(kind.raw));
    hasher.update(element);
    hasher.finish()
}

/// Writes the `ATSHashIndexV3` of everything there is: certificates and CRLs as they are stored, each value of the
/// unsigned attributes with its type (§5.5.2). `None` without the digest function.
#[cfg(feature = "signing")]
pub(super) fn write(
    signed_data: &SignedData<'_>,
    unsigned: &Attributes<'_>,
    algorithm: DigestAlgorithm,
) -> Option<Vec<u8>> {
    let work = &DigestWork::default();
    let each = |set: Option<Tlv<'_>>| {
        let elements = set.into_iter().flat_map(|set| set.children());
        elements.map(|element| hash(work, algorithm, None, element.raw)).collect::<Option<Vec<_>>>()
    };
    let values = unsigned.iter().flat_map(|attribute| attribute.values().map(|value| (attribute.kind, value)));
    let values =
        values.map(|(kind, value)| hash(work, algorithm, Some(kind), value.raw)).collect::<Option<Vec<_>>>()?;
    let lists = [each(signed_data.certificates)?, each(signed_data.crls)?, values];
    let mut index = Writer::new();
    index.sequence(|w| {
        w.raw(&digest_algorithm_identifier(algorithm));
        for list in &lists {
            w.sequence(|w| {
                for hash in list {
                    w.octet_string(hash);
                }
            });
        }
    });
    Some(index.finish())
}

/// Returns the facts of a v3 archive time-stamp without a hash index that can be read.
pub(crate) fn missing() -> facts::HashIndex {
    let messages = vec!["the archive time-stamp has no hash index".to_owned()];
    facts::HashIndex { version: None, valid: false, messages }
}
