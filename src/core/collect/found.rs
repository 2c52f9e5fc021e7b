//! What was found in a token: certificates, revocation data, and what its references mean.

use super::pool::{Index, Pool};
use super::revocation::Revocations;
use super::signer::{digest_match, issuer_serial_match, stated_serial};
use crate::algorithm::DigestAlgorithm;
use crate::crypto::digest;
use crate::facts::{
    self, Covered, CoveredKind, Digest, FoundCertificate, FoundRevocation, Id, RevocationRef, RevocationType, Shared,
};
use crate::formats::draft::{CertificateRef, CoveredObject, Material};
use crate::hashed::{Map, Set};
use crate::hex;
use crate::x509::{Crl, OcspResponse, ResponderId};
use sha2::Digest as _;
use std::collections::HashMap;
use std::sync::Arc;

/// Finds the certificate or revocation data that a reference means. Digests are computed once for each function.
#[derive(Debug, Default)]
pub(super) struct ReferenceIndex {
    certificate_digests: Map<DigestAlgorithm, Map<Arc<[u8]>, Index>>,
    /// The certificates with each serial number, in their order.
    serials: Option<HashMap<Vec<u8>, Vec<Index>>>,
    revocation_digests: Map<DigestAlgorithm, Map<Vec<u8>, usize>>,
    held: Held,
}

/// Keeps one copy of what many tokens hold: the certificates of a `SignedData` are those of each of its signers.
#[derive(Debug, Default)]
pub(super) struct Held(HashMap<Id, Vec<Shared<FoundCertificate>>>);

impl Held {
    /// Returns the copy that is held. A certificate that is referred to has a copy of its own.
    pub fn share(&mut self, found: FoundCertificate) -> Shared<FoundCertificate> {
        if !found.references.is_empty() {
            return found.into();
        }
        let known = self.0.entry(found.certificate.clone()).or_default();
        if let Some(same) = known.iter().find(|known| ***known == found) {
            return same.clone();
        }
        let found = Shared::from(found);
        known.push(found.clone());
        found
    }
}

impl ReferenceIndex {
    /// Returns the certificate with this digest.
    fn certificate_with(&mut self, pool: &Pool, stated: &Digest) -> Option<Index> {
        let algorithm = stated.algorithm?;
        let table = self.certificate_digests.entry(algorithm).or_insert_with(|| {
            let digest_of =
                |(index, entry): (Index, &super::pool::Entry)| Some((entry.certificate.digest(algorithm)?, index));
            pool.all().filter_map(digest_of).collect()
        });
        table.get(&stated.value.0[..]).copied()
    }

    /// Returns the certificate that a reference means: by digest, else by issuer and serial number.
    fn certificate(&mut self, pool: &Pool, reference: &CertificateRef) -> Option<Index> {
        if let Some(index) = reference.digest.as_ref().and_then(|stated| self.certificate_with(pool, stated)) {
            return Some(index);
        }
        let serials = self.serials.get_or_insert_with(|| {
            let mut serials: HashMap<Vec<u8>, Vec<Index>> = HashMap::new();
            for (index, entry) in pool.all() {
                serials.entry(entry.certificate.minimal_serial().to_vec()).or_default().push(index);
            }
            serials
        });
        let matches = |index: &&Index| issuer_serial_match(reference, &pool.get(**index).certificate) == Some(true);
        serials.get(stated_serial(reference)?)?.iter().find(matches).copied()
    }

    /// Returns the certificate that existed when the reference did: the one with its digest. A name commits to no bytes.
    fn covered_certificate(&mut self, pool: &Pool, reference: &CertificateRef) -> Option<Index> {
        self.certificate_with(pool, reference.digest.as_ref()?)
    }

    /// Returns the revocation data of that kind with this digest.
    fn revocation_with(&mut self, revocations: &Revocations, kind: RevocationType, stated: &Digest) -> Option<usize> {
        let algorithm = stated.algorithm?;
        let table = self.revocation_digests.entry(algorithm).or_insert_with(|| {
            let mut table = Map::default();
            for (index, entry) in revocations.all() {
                for bytes in entry.data.referable() {
                    table.extend(digest(algorithm, &bytes).map(|digest| (digest, index)));
                }
            }
            table
        });
        let found = table.get(&stated.value.0).copied();
        found.filter(|&index| revocations.get(index).data.kind() == kind)
    }

    /// Returns the revocation data that existed when the reference did: that with its digest.
    fn covered_revocation(
        &mut self,
        revocations: &Revocations,
        kind: RevocationType,
        reference: &RevocationRef,
    ) -> Option<usize> {
        self.revocation_with(revocations, kind, reference.digest.as_ref()?)
    }

    /// Returns the revocation data that a reference means: by digest, else by responder and time.
    fn revocation(
        &mut self,
        revocations: &Revocations,
        kind: RevocationType,
        reference: &RevocationRef,
    ) -> Option<usize> {
        if let Some(stated) = &reference.digest {
            return self.revocation_with(revocations, kind, stated);
        }
        let (produced_at, responder) = (reference.produced_at?, reference.responder.as_ref()?);
        let matches = |data: &super::revocation::Data| match data {
            super::revocation::Data::Ocsp(ocsp) if ocsp.produced_at() == produced_at => match ocsp.responder() {
                ResponderId::Name(name) => responder.issuer.as_deref() == Some(name.rfc2253()),
                ResponderId::KeyHash(hash) => responder.ski.as_ref().is_some_and(|ski| ski.0 == *hash),
            },
            _ => false,
        };
        revocations.all().find(|(_, entry)| matches(&entry.data)).map(|(index, _)| index)
    }

    /// Returns the certificates in a token's material, each with its origins, and what its references mean.
    pub fn certificates(&mut self, pool: &Pool, material: &Material<'_>) -> Vec<Shared<FoundCertificate>> {
        let mut found = Found::new();
        for embedded in &material.certificates {
            let Some(id) = certificate_id(pool, &embedded.bytes) else { continue };
            let place = found.entry(id, found_certificate);
            if !place.origins.contains(&embedded.origin) {
                place.origins.push(embedded.origin);
            }
        }
        for reference in &material.certificate_refs {
            let (id, digest_match, issuer_serial_match) = match self.certificate(pool, reference) {
                Some(index) => {
                    let certificate = &pool.get(index).certificate;
                    let issuer_serial_match = issuer_serial_match(reference, certificate);
                    (certificate.id().clone(), digest_match(reference, certificate), issuer_serial_match)
                }
                None => {
                    let digest_match = reference.digest.as_ref().map(|_| false);
                    let issuer_serial_match = reference.issuer_serial.as_ref().map(|_| false);
                    (orphan_certificate_id(reference), digest_match, issuer_serial_match)
                }
            };
            let reference = compared(reference.clone(), digest_match, issuer_serial_match);
            found.entry(id, found_certificate).references.push(reference);
        }
        // `collect` would keep the room that the list had.
        let mut all = Vec::with_capacity(found.list.len());
        all.extend(found.list.into_iter().map(|found| self.held.share(found)));
        all
    }

    /// Returns the revocation data in a token's material, each with its origins, and what its references mean.
    pub fn revocations(&mut self, known: &Revocations, material: &Material<'_>) -> Vec<FoundRevocation> {
        let mut found = Found::new();
        for embedded in &material.revocations {
            let Some((id, _)) = revocation_of(known, embedded.kind, &embedded.bytes) else { continue };
            let place = found.entry(id, found_revocation(embedded.kind));
            if !place.origins.contains(&embedded.origin) {
                place.origins.push(embedded.origin);
            }
        }
        for (kind, reference) in &material.revocation_refs {
            let id = self.referenced_revocation(known, *kind, reference);
            let place = found.entry(id, found_revocation(*kind));
            // The same reference in two attributes is one reference with two origins.
            let same = |known: &&mut RevocationRef| {
                known.digest == reference.digest
                    && known.produced_at == reference.produced_at
                    && known.responder == reference.responder
            };
            match place.references.iter_mut().find(same) {
                Some(known) => known.origins.extend(&reference.origins),
                None => place.references.push(reference.clone()),
            }
        }
        found.list
    }

    fn referenced_revocation(&mut self, known: &Revocations, kind: RevocationType, reference: &RevocationRef) -> Id {
        match self.revocation(known, kind, reference) {
            Some(index) => known.get(index).data.id().clone(),
            None => orphan_revocation_id(reference),
        }
    }

    /// Returns the tokens that a time-stamp or evidence record covers, each once.
    pub fn covered(&mut self, pool: &Pool, known: &Revocations, covers: &[CoveredObject<'_>]) -> Vec<Covered> {
        let mut out: Vec<Covered> = Vec::with_capacity(covers.len());
        let mut seen = Set::default();
        seen.reserve(covers.len());
        let mut add = |covered: Covered| {
            if seen.insert(covered.clone()) {
                out.push(covered);
            }
        };
        let certificate = |id| Covered { kind: CoveredKind::Certificate, id };
        for covers in covers {
            match covers {
                CoveredObject::Token(covered) => add(covered.clone()),
                CoveredObject::Certificate(bytes) => {
                    certificate_id(pool, bytes).map(certificate).into_iter().for_each(&mut add);
                }
                // A certificate that has the name, and not a digest that is stated, is not what was there.
                CoveredObject::CertificateRef(reference) => {
                    add(certificate(match self.covered_certificate(pool, reference) {
                        Some(index) => pool.id(index),
                        None => orphan_certificate_id(reference),
                    }))
                }
                CoveredObject::Revocation(kind, bytes) => {
                    let Some((id, index)) = revocation_of(known, *kind, bytes) else { continue };
                    let certificates = index.map(|index| &known.get(index).certificates);
                    certificates.into_iter().flatten().for_each(|&index| add(certificate(pool.id(index))));
                    add(Covered { kind: CoveredKind::Revocation, id });
                }
                CoveredObject::RevocationRef(kind, reference) => {
                    let entry = self.covered_revocation(known, *kind, reference).map(|index| known.get(index));
                    let id = entry.map_or_else(|| orphan_revocation_id(reference), |entry| entry.data.id().clone());
                    add(Covered { kind: CoveredKind::Revocation, id });
                    // The digest is of the whole response, with the certificates in it.
                    let held = entry.map(|entry| &entry.certificates);
                    held.into_iter().flatten().for_each(|&index| add(certificate(pool.id(index))));
                }
            }
        }
        out
    }
}

/// Returns the reference with the outcome of its comparison with the certificate that it means.
pub(super) fn compared(
    stated: CertificateRef,
    digest_match: Option<bool>,
    issuer_serial_match: Option<bool>,
) -> facts::CertificateRef {
    facts::CertificateRef {
        origin: stated.origin,
        issuer_serial: stated.issuer_serial,
        issuer_serial_match,
        digest: stated.digest,
        digest_match,
        signer: stated.signer,
        x509_url: stated.x509_url,
    }
}

/// Lists what was found in a token, each thing once, in the order in which it was met. Ids of what is only referred to are
/// digests that the document states: its author chooses them.
struct Found<T> {
    list: Vec<T>,
    places: HashMap<Id, usize>,
}

impl<T> Found<T> {
    fn new() -> Self {
        Self { list: vec![], places: HashMap::new() }
    }

    /// Returns the entry of this id, which is made where there is none.
    fn entry(&mut self, id: Id, make: impl FnOnce(Id) -> T) -> &mut T {
        let at = *self.places.entry(id).or_insert_with_key(|id| {
            self.list.push(make(id.clone()));
            self.list.len() - 1
        });
        &mut self.list[at]
    }
}

fn found_certificate(certificate: Id) -> FoundCertificate {
    FoundCertificate { certificate, ..FoundCertificate::default() }
}

fn found_revocation(kind: RevocationType) -> impl FnOnce(Id) -> FoundRevocation {
    move |revocation| FoundRevocation { revocation, orphan: false, kind, origins: vec![], references: vec![] }
}

/// Returns the name of a certificate that the pool knows, by its bytes (with or without something after them).
fn certificate_id(pool: &Pool, bytes: &[u8]) -> Option<Id> {
    pool.by_bytes(bytes).map(|index| pool.id(index))
}

/// Returns the name of a CRL or OCSP response by its bytes, and its place among those known.
fn revocation_of(known: &Revocations, kind: RevocationType, bytes: &[u8]) -> Option<(Id, Option<usize>)> {
    if let Some(index) = known.known(kind, bytes) {
        return index.map(|index| (known.get(index).data.id().clone(), Some(index)));
    }
    let (id, sha256) = match kind {
        RevocationType::Crl => Crl::from_der(bytes).ok().map(|crl| (crl.id().clone(), *crl.sha256()))?,
        _ => OcspResponse::from_der(bytes).ok().map(|ocsp| (ocsp.id().clone(), *ocsp.sha256()))?,
    };
    Some((id, known.by_digest(&sha256)))
}

fn hex_id(prefix: &str, bytes: &[u8]) -> Id {
    Id::new(hex::upper_after(prefix, bytes))
}

/// Returns the id of a certificate that is referred to and not at hand: the digest that the reference states, else the
/// digest of the reference.
pub(super) fn orphan_certificate_id(reference: &CertificateRef) -> Id {
    if let Some(stated) = &reference.digest {
        return hex_id("C-", &stated.value.0);
    }
    let mut hasher = sha2::Sha256::new();
    if let Some(stated) = &reference.issuer_serial {
        hasher.update(&stated.0);
    }
    if let Some(signer) = &reference.signer {
        hasher.update(signer.issuer.as_deref().unwrap_or_default());
        hasher.update(signer.serial.as_deref().unwrap_or_default());
        hasher.update(signer.ski.as_ref().map_or(&[][..], |ski| &ski.0));
    }
    hasher.update(reference.x509_url.as_deref().unwrap_or_default());
    hex_id("C-", &hasher.finalize())
}

fn orphan_revocation_id(reference: &RevocationRef) -> Id {
    if let Some(stated) = &reference.digest {
        return hex_id("R-", &stated.value.0);
    }
    let mut hasher = sha2::Sha256::new();
    hasher.update(reference.produced_at.map_or(0, |time| time.millis()).to_be_bytes());
    if let Some(responder) = &reference.responder {
        hasher.update(responder.issuer.as_deref().unwrap_or_default());
        hasher.update(responder.ski.as_ref().map_or(&[][..], |ski| &ski.0));
    }
    hex_id("R-", &hasher.finalize())
}
