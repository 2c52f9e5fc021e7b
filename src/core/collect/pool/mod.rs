//! All certificates known, each read once, found by name and key, and their issuers.

mod issuers;

use super::address::ByteAddress;
use super::cache::Cache;
use crate::algorithm::{DigestAlgorithm, SignatureAlgorithm};
use crate::asn1::Tlv;
use crate::budget::{Budget, PATHS};
use crate::crypto::{PublicKey, Signed, verify};
use crate::facts::{BasicSignature, CertificateSource, Id, Trust};
use crate::hashed::Map;
use crate::time::Time;
use crate::x509::{Certificate, Name, path};
use sha2::Digest as _;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

/// The bound on the cost of verifying signature values.
pub(super) const VERIFICATION_COST: &str = "verification_cost";

/// Since and until when a certificate is trusted, and by whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrustAnchor {
    /// The caller's store or a trusted list.
    pub source: CertificateSource,
    /// Trusted from then on.
    pub start: Option<Time>,
    /// No longer trusted from then on (EN 319 102-1 §5.2.6: the sunset date).
    pub sunset: Option<Time>,
}

impl Default for TrustAnchor {
    /// Returns trust by the caller, without limits.
    fn default() -> Self {
        Self { source: CertificateSource::TrustedStore, start: None, sunset: None }
    }
}

/// A certificate's place in the pool.
pub(super) type Index = usize;

/// A certificate and what is known of it beside its own bytes.
#[derive(Debug)]
pub(super) struct Entry {
    pub certificate: Certificate,
    pub key: Option<PublicKey>,
    /// The first certificate with the same key.
    key_of: Index,
    pub algorithm: Option<SignatureAlgorithm>,
    pub sources: Vec<CertificateSource>,
    pub trust: Trust,
    /// The time-stamps and OCSP responses that hold it.
    groups: Vec<usize>,
    /// `None`: not looked for yet.
    issuer: Option<Option<Index>>,
    /// `None`: not verified yet.
    self_signed: Option<bool>,
    /// Whether there is revocation data that may be about it.
    has_status: bool,
}

/// All certificates known.
#[derive(Debug)]
pub(super) struct Pool {
    entries: Vec<Entry>,
    by_digest: Map<[u8; 32], Index>,
    /// What was made of embedded bytes; `None`: they are no certificate.
    by_address: Map<ByteAddress, Option<Index>>,
    by_subject: HashMap<String, Vec<Index>>,
    by_key_identifier: HashMap<Vec<u8>, Vec<Index>>,
    /// Whether a key, named by the first certificate that has it, verifies a token.
    verified: Map<([u8; 32], Index), bool>,
    /// What the verification of values may still cost.
    pub left: u64,
    /// Keys whose validation is paid for, by the first certificate that has them.
    validated: HashSet<Index>,
    /// Bounds past which something was left out.
    cut: Mutex<BTreeSet<&'static str>>,
    /// Links of paths that may still be looked at to compare issuers.
    steps: usize,
    /// What tokens with paths to be judged have cost so far.
    judged: usize,
    /// What may still be spent on paths.
    pub paths: path::Work,
    /// Answers of earlier documents.
    pub cache: Option<Cache>,
    groups: usize,
    /// The places that certificates with long lists take beside their own.
    listed: usize,
    budget: Budget,
}

impl Pool {
    pub fn new(budget: &Budget) -> Self {
        Self {
            entries: Vec::new(),
            by_digest: Map::default(),
            by_address: Map::default(),
            by_subject: HashMap::new(),
            by_key_identifier: HashMap::new(),
            verified: Map::default(),
            left: budget.verification_cost,
            validated: HashSet::new(),
            cut: Mutex::default(),
            steps: budget.chain_steps,
            judged: 0,
            paths: path::Work::new(budget),
            cache: None,
            groups: 0,
            listed: 0,
            budget: budget.clone(),
        }
    }

    /// Adds a certificate, or another place where it was found; `None` past the budget.
    pub fn add(&mut self, certificate: Certificate, source: CertificateSource) -> Option<Index> {
        if let Some(&index) = self.by_digest.get(certificate.sha256()) {
            self.found_in(index, source);
            return Some(index);
        }
        // What lists hundreds of names or points takes the place of several. Usual ones: below 200.
        self.listed += certificate.extent().saturating_sub(500) / 100;
        if self.entries.len() + self.listed >= self.budget.certificates {
            self.cut("certificates");
            return None;
        }
        let index = self.entries.len();
        self.by_digest.insert(*certificate.sha256(), index);
        self.by_subject.entry(certificate.subject().canonical().to_owned()).or_default().push(index);
        let key_sha1 = certificate.key_sha1();
        let same_key = |&other: &Index| self.entries[other].certificate.spki() == certificate.spki();
        let key_of = self.by_key_identifier(&key_sha1).iter().copied().find(same_key);
        let key = match key_of {
            Some(known) => self.entries[known].key.clone(),
            None => certificate.public_key().cloned(),
        };
        self.by_key_identifier.entry(key_sha1.to_vec()).or_default().push(index);
        if let Some(stated) = &certificate.extensions().subject_key_identifier
            && stated.0 != key_sha1
        {
            self.by_key_identifier.entry(stated.0.clone()).or_default().push(index);
        }
        // A new certificate may be the issuer of one that had none.
        self.entries.iter_mut().filter(|entry| entry.issuer == Some(None)).for_each(|entry| entry.issuer = None);
        self.entries.push(Entry {
            key,
            key_of: key_of.map_or(index, |known| self.entries[known].key_of),
            algorithm: SignatureAlgorithm::from_algorithm_identifier(certificate.signature_algorithm()).ok(),
            sources: vec![source],
            trust: Trust::default(),
            groups: Vec::new(),
            issuer: None,
            self_signed: None,
            has_status: false,
            certificate,
        });
        Some(index)
    }

    fn found_in(&mut self, index: Index, source: CertificateSource) {
        let sources = &mut self.entries[index].sources;
        if !sources.contains(&source) {
            sources.push(source);
        }
    }

    /// Adds a certificate by bytes of a draft, which are read only where they are new.
    pub fn add_embedded(&mut self, bytes: &[u8], source: CertificateSource) -> Option<Index> {
        if let Some(&known) = self.by_address.get(&ByteAddress::of(bytes)) {
            known.into_iter().for_each(|index| self.found_in(index, source));
            return known;
        }
        let index = self.add_bytes(bytes, source);
        self.by_address.insert(ByteAddress::of(bytes), index);
        index
    }

    /// Adds a certificate by its bytes; `None` where they are none.
    pub fn add_bytes(&mut self, bytes: &[u8], source: CertificateSource) -> Option<Index> {
        let certificate = match &self.cache {
            Some(cache) => cache.certificate(bytes),
            None => Certificate::from_der(bytes).ok(),
        };
        self.add(certificate?, source)
    }

    /// Marks a certificate as trusted. Trusted several times, the widest limits count.
    pub fn trust(&mut self, certificate: Certificate, anchor: TrustAnchor) -> Option<Index> {
        let index = self.add(certificate, anchor.source)?;
        let trust = &mut self.entries[index].trust;
        if trust.trusted {
            trust.start = trust.start.zip(anchor.start).map(|(a, b)| a.min(b));
            trust.sunset = trust.sunset.zip(anchor.sunset).map(|(a, b)| a.max(b));
        } else {
            *trust = Trust { trusted: true, start: anchor.start, sunset: anchor.sunset };
        }
        Some(index)
    }

    /// Notes that certificates come together in one time-stamp or OCSP response: they are each other's first choice.
    pub fn together(&mut self, members: &[Index]) {
        /// Tokens remembered for a certificate. Real ones: below 30.
        const REMEMBERED: usize = 64;
        for &member in members {
            let groups = &mut self.entries[member].groups;
            if groups.len() < REMEMBERED {
                groups.push(self.groups);
            }
        }
        self.groups += 1;
    }

    pub fn get(&self, index: Index) -> &Entry {
        &self.entries[index]
    }

    /// Returns whether two certificates have the same key.
    pub fn same_key(&self, one: Index, other: Index) -> bool {
        self.entries[one].key_of == self.entries[other].key_of
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn id(&self, index: Index) -> Id {
        self.entries[index].certificate.id().clone()
    }

    pub fn by_digest(&self, sha256: &[u8; 32]) -> Option<Index> {
        self.by_digest.get(sha256).copied()
    }

    /// Returns the certificate with these bytes of a draft, also where something follows them.
    pub fn by_bytes(&self, bytes: &[u8]) -> Option<Index> {
        if let Some(&known) = self.by_address.get(&ByteAddress::of(bytes)) {
            return known;
        }
        let whole = |bytes: &[u8]| self.by_digest(&sha2::Sha256::digest(bytes).into());
        whole(bytes).or_else(|| whole(Tlv::split(bytes).ok()?.0.raw))
    }

    pub fn all(&self) -> impl Iterator<Item = (Index, &Entry)> {
        self.entries.iter().enumerate()
    }

    pub fn by_subject(&self, name: &Name) -> &[Index] {
        self.by_subject.get(name.canonical()).map_or(&[], Vec::as_slice)
    }

    /// Returns the certificates whose key has this identifier: the one they state or the SHA-1 of the key.
    pub fn by_key_identifier(&self, identifier: &[u8]) -> &[Index] {
        self.by_key_identifier.get(identifier).map_or(&[], Vec::as_slice)
    }

    /// Returns whether the key of `candidate` verifies `value` over `message`. Calculated once for each token and key.
    pub fn verifies(
        &mut self,
        token: [u8; 32],
        candidate: Index,
        algorithm: Option<&SignatureAlgorithm>,
        message: &[u8],
        value: &[u8],
    ) -> bool {
        let Entry { key, key_of, .. } = &self.entries[candidate];
        if let Some(&known) = self.verified.get(&(token, *key_of)) {
            return known;
        }
        // As much is spent with the cache as without it: what is cut off must not depend on earlier documents.
        let weight = algorithm.and_then(|algorithm| algorithm.digest).map_or(1, DigestAlgorithm::weight);
        let bytes = message.len().saturating_mul(weight as usize);
        let Some(left) = self.left.checked_sub(self.cost(candidate, bytes)) else {
            self.cut(VERIFICATION_COST);
            return false;
        };
        self.left = left;
        self.validated.insert(*key_of);
        let result = key.as_ref().zip(algorithm).is_some_and(|(key, algorithm)| {
            let verifies = || verify(key, algorithm, Signed::Message(message), value).is_ok();
            match &self.cache {
                Some(cache) => cache.answer(token, *self.entries[*key_of].certificate.sha256(), verifies),
                None => verifies(),
            }
        });
        self.verified.insert((token, *key_of), result);
        result
    }

    /// Returns what it costs to verify a value over a message of so many bytes with the key of `candidate`.
    pub fn cost(&self, candidate: Index, bytes: usize) -> u64 {
        let Entry { key, key_of, .. } = &self.entries[candidate];
        let Some(key) = key else { return 0 };
        let first = if self.validated.contains(key_of) { 0 } else { key.validation_cost() };
        key.verification_cost(bytes).saturating_add(first)
    }

    /// Notes that values were verified with the keys of these certificates, at that cost in all.
    pub fn spend(&mut self, cost: u64, tried: &[Index]) {
        self.left = self.left.saturating_sub(cost);
        self.validated.extend(tried.iter().map(|&index| self.entries[index].key_of));
    }

    /// Returns whether one more token with this path may be judged: `budget::PATHS`.
    pub fn may_judge(&mut self, path: &[Index]) -> bool {
        let spent = self.judged.saturating_add(path.len().saturating_mul(path.len()));
        if spent > PATHS {
            self.cut("relations");
            return false;
        }
        self.judged = spent;
        true
    }

    /// Notes that something is left out for a bound of the budget.
    pub fn cut(&self, bound: &'static str) {
        self.cut.lock().unwrap_or_else(PoisonError::into_inner).insert(bound);
    }

    /// Returns the bounds past which something was left out.
    pub fn bounds_reached(&self) -> Vec<&'static str> {
        self.cut.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
    }

    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Facts about the certificate's own signature value, verified by `issuer`.
    pub fn basic(&self, index: Index, issuer: Option<Index>) -> BasicSignature {
        let algorithm = self.entries[index].algorithm;
        BasicSignature {
            key_algorithm: algorithm.map(|algorithm| algorithm.key),
            key_length: issuer.and_then(|issuer| self.entries[issuer].key.as_ref()?.bits()),
            digest_algorithm: algorithm.and_then(|algorithm| algorithm.digest),
            intact: issuer.is_some(),
            valid: issuer.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::CertificateSource::{Signature, Timestamp, TrustedList, TrustedStore};

    /// Self-signed.
    const ROOT: &[u8] = include_bytes!("../../../../examples/documents/root.der");

    #[test]
    fn embedded_bytes_are_read_once() {
        let mut pool = Pool::new(&Budget::default());
        let (copy, longer) = (ROOT.to_vec(), [ROOT, &[0]].concat());
        for (situation, bytes, source) in [
            ("the first", ROOT, Signature),
            ("the same again", ROOT, Timestamp),
            ("equal bytes elsewhere", &copy, Signature),
            ("something follows", &longer, Signature),
        ] {
            assert_eq!(pool.add_embedded(bytes, source), Some(0), "{situation}");
            assert_eq!(pool.by_bytes(bytes), Some(0), "{situation}");
        }
        assert_eq!(pool.add_embedded(b"no certificate", Signature), None);
        assert_eq!(pool.by_bytes(b"no certificate"), None);
        assert_eq!((pool.len(), &pool.get(0).sources[..]), (1, &[Signature, Timestamp][..]));
    }

    #[test]
    fn whose_key_verifies_a_certificate() {
        let mut forged = ROOT.to_vec();
        if let Some(last) = forged.last_mut() {
            *last ^= 1;
        }
        let mut pool = Pool::new(&Budget::default());
        let genuine = pool.add_embedded(ROOT, Signature).unwrap();
        let forged = pool.add_embedded(&forged, Signature).unwrap();
        for (clause, situation, index, self_signed) in [
            ("RFC 5280 6.1", "its own key", genuine, true),
            ("RFC 5280 6.1", "a value that no key verifies", forged, false),
        ] {
            assert_eq!(pool.is_self_signed(index), self_signed, "{clause} {situation}");
            assert_eq!(pool.chain(index), [index], "{clause} {situation}");
            assert_eq!(pool.issuer(index), self_signed.then_some(index), "{clause} {situation}");
        }
    }

    #[test]
    fn past_the_budget_nothing_verifies() {
        let mut pool = Pool::new(&Budget { verification_cost: 0, ..Budget::default() });
        let root = pool.add_embedded(ROOT, Signature).unwrap();
        assert!(!pool.is_self_signed(root));
        assert_eq!(pool.bounds_reached(), ["verification_cost"]);
        let mut pool = Pool::new(&Budget { certificates: 0, ..Budget::default() });
        assert_eq!(pool.add_embedded(ROOT, Signature), None);
        assert_eq!(pool.bounds_reached(), ["certificates"]);
    }

    #[test]
    fn trusted_twice_the_widest_limits_count() {
        let at = |seconds| Some(Time::from_seconds(seconds));
        let anchor = |source, start, sunset| TrustAnchor { source, start, sunset };
        for (situation, anchors, expected) in [
            ("once", vec![anchor(TrustedList, at(10), at(20))], (at(10), at(20))),
            ("twice", vec![anchor(TrustedList, at(10), at(20)), anchor(TrustedList, at(5), at(15))], (at(5), at(20))),
            (
                "once without limits",
                vec![anchor(TrustedList, at(10), at(20)), anchor(TrustedStore, None, None)],
                (None, None),
            ),
        ] {
            let mut pool = Pool::new(&Budget::default());
            let root = Certificate::from_der(ROOT).unwrap();
            anchors.into_iter().for_each(|anchor| _ = pool.trust(root.clone(), anchor));
            let trust = pool.get(0).trust;
            assert_eq!((trust.trusted, (trust.start, trust.sunset)), (true, expected), "{situation}");
        }
    }
}
