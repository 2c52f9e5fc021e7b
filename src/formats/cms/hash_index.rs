//! The hash index of an archive time-stamp v3: EN 319 122-1 §5.5.2, and its two predecessors (TS 101 733 §6.4.2).

use super::attribute::{Attribute, Attributes};
use super::oids;
use super::signed_data::{SignedData, digest_algorithm};
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Tlv, to_der};
use crate::crypto::{Hasher, digest};
use crate::facts::{self, HashIndexVersion};
use std::borrow::Cow;

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
    /// The hash index among the unsigned attributes of a time-stamp token.
    pub(crate) fn read(unsigned: &Attributes<'a>) -> Option<Self> {
        VERSIONS.iter().find_map(|(oid, version)| {
            // NOTE: some writers left out the SEQUENCE and made its parts the values.
            let element = unsigned.value(*oid).or(unsigned.first(*oid).map(|attribute| attribute.values))?;
            Self::parse(element, *version)
        })
    }

    fn parse(element: Tlv<'a>, version: HashIndexVersion) -> Option<Self> {
        let parts: Vec<Tlv<'a>> = element.children().collect();
        let (algorithm, lists) = match &parts[..] {
            [identifier, lists @ ..] if lists.len() == 3 => (digest_algorithm(identifier), lists),
            lists if lists.len() == 3 && version != HashIndexVersion::V3 => (Some(DigestAlgorithm::Sha256), lists),
            _ => return None,
        };
        let hashes = |list: &Tlv<'a>| list.children().filter_map(|hash| hash.octets().ok()).collect();
        Some(Self {
            version,
            element,
            algorithm,
            certificates: hashes(&lists[0]),
            revocations: hashes(&lists[1]),
            attributes: hashes(&lists[2]),
        })
    }

    /// Whether a certificate is in the index.
    pub(crate) fn has_certificate(&self, octets: &[u8]) -> bool {
        self.has(&self.certificates, octets)
    }

    /// Whether an element of `crls` is in the index.
    pub(crate) fn has_revocation(&self, element: &[u8]) -> bool {
        self.has(&self.revocations, element)
    }

    /// Whether an unsigned attribute is in the index: with all its values, where the index is of values.
    pub(crate) fn has_attribute(&self, attribute: &Attribute<'_>) -> bool {
        let hashes = self.attribute_hashes(attribute);
        !hashes.is_empty() && hashes.iter().all(|either| either.iter().any(|hash| contains(&self.attributes, hash)))
    }

    fn has(&self, list: &[Cow<'_, [u8]>], octets: &[u8]) -> bool {
        self.algorithm.is_some_and(|algorithm| hashes(algorithm, octets).iter().any(|hash| contains(list, hash)))
    }

    /// What the index may hold for an attribute: of v1 and v2 the hash of the attribute; of v3 one for each value,
    /// of the type and the value one after the other. Each as sent and as DER.
    fn attribute_hashes(&self, attribute: &Attribute<'_>) -> Vec<Vec<Vec<u8>>> {
        let Some(algorithm) = self.algorithm else { return vec![] };
        if self.version != HashIndexVersion::V3 {
            return vec![hashes(algorithm, attribute.raw.raw)];
        }
        let of_value = |value: Tlv<'_>| {
            let mut found = Vec::new();
            for octets in [Some(Cow::Borrowed(value.raw)), to_der(value.raw).ok()].into_iter().flatten() {
                let Some(mut hasher) = Hasher::new(algorithm) else { continue };
                hasher.update(attribute.kind.raw);
                hasher.update(&octets);
                found.push(hasher.finish());
            }
            found
        };
        attribute.values().map(of_value).collect()
    }

    /// §5.5.2: every hash in the index has to be that of something there.
    pub(crate) fn validate(&self, signed_data: &SignedData<'_>, unsigned: &Attributes<'_>) -> facts::HashIndex {
        let algorithm = self.algorithm;
        let there = |elements: Option<Tlv<'_>>| -> Vec<Vec<u8>> {
            let elements = elements.into_iter().flat_map(|set| set.children());
            elements.flat_map(|element| algorithm.map(|a| hashes(a, element.raw)).unwrap_or_default()).collect()
        };
        let attributes: Vec<Vec<u8>> = unsigned.iter().flat_map(|a| self.attribute_hashes(a)).flatten().collect();
        let rows = [
            ("certificates", &self.certificates, there(signed_data.certificates)),
            ("crls", &self.revocations, there(signed_data.crls)),
            ("unsigned attributes", &self.attributes, attributes),
        ];
        let mut messages = Vec::new();
        for (what, stated, found) in rows {
            let missing = stated.iter().filter(|hash| !found.iter().any(|f| f[..] == hash[..])).count();
            if missing > 0 {
                messages.push(format!("{} lists {missing} {what} that the signature does not hold", self.version));
            }
        }
        facts::HashIndex { version: Some(self.version), valid: messages.is_empty(), messages }
    }
}

/// The facts of a v3 archive time-stamp without a hash index that can be read.
pub(crate) fn missing() -> facts::HashIndex {
    let messages = vec!["the archive time-stamp has no hash index".to_owned()];
    facts::HashIndex { version: None, valid: false, messages }
}

fn contains(list: &[Cow<'_, [u8]>], hash: &[u8]) -> bool {
    list.iter().any(|entry| entry[..] == *hash)
}

/// The hash of an element as sent and, where that differs, as DER.
fn hashes(algorithm: DigestAlgorithm, element: &[u8]) -> Vec<Vec<u8>> {
    let der = to_der(element).ok().filter(|der| der[..] != *element);
    [Some(Cow::Borrowed(element)), der].into_iter().flatten().filter_map(|octets| digest(algorithm, &octets)).collect()
}
