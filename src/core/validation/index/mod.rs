//! Indexes of the facts: tokens by id, the files of the container, byte ranges. They know neither policy nor time.

mod byte_ranges;
mod container_files;
mod coverage;

pub(super) use container_files::ContainerFiles;

use crate::facts::{Certificate, Facts, Id, Revocation, Signature, Timestamp};
use crate::order;
use byte_ranges::ByteRanges;
use std::collections::{BTreeMap, BTreeSet};

/// The facts of one judgement, found by id. Of tokens with the same id the first counts.
#[derive(Debug)]
pub struct FactsIndex<'a> {
    facts: &'a Facts,
    /// Where in its list the token with an id is.
    certificates: BTreeMap<&'a Id, usize>,
    revocations: BTreeMap<&'a Id, usize>,
    timestamps: BTreeMap<&'a Id, usize>,
    signatures: BTreeMap<&'a Id, usize>,
    /// The signatures to which there are counter-signatures.
    countersigned: BTreeSet<&'a Id>,
    /// The files of the container.
    pub(super) files: ContainerFiles<'a>,
    /// The byte ranges of the document's signatures and time-stamps.
    pub(super) byte_ranges: ByteRanges<'a>,
}

impl<'a> FactsIndex<'a> {
    /// Indexes `facts`.
    pub fn new(facts: &'a Facts) -> Self {
        let counter_signatures = facts.signatures.iter().filter(|signature| signature.counter_signature);
        Self {
            facts,
            certificates: by_id(facts.certificates.iter().map(|c| &c.id).collect()),
            revocations: by_id(facts.revocations.iter().map(|r| &r.id).collect()),
            timestamps: by_id(facts.timestamps.iter().map(|t| &t.id).collect()),
            signatures: by_id(facts.signatures.iter().map(|s| &s.id).collect()),
            countersigned: order::set(counter_signatures.filter_map(|signature| signature.parent.as_ref())),
            files: ContainerFiles::new(facts),
            byte_ranges: ByteRanges::new(facts),
        }
    }

    /// Returns the certificate with that id.
    pub fn certificate(&self, id: &Id) -> Option<&'a Certificate> {
        self.certificates.get(id).map(|&at| &self.facts.certificates[at])
    }

    /// Returns the revocation data with that id.
    pub fn revocation(&self, id: &Id) -> Option<&'a Revocation> {
        self.revocations.get(id).map(|&at| &self.facts.revocations[at])
    }

    /// Returns the time-stamp with that id.
    pub fn timestamp(&self, id: &Id) -> Option<&'a Timestamp> {
        self.timestamps.get(id).map(|&at| &self.facts.timestamps[at])
    }

    /// Returns the signature with that id.
    pub fn signature(&self, id: &Id) -> Option<&'a Signature> {
        self.signatures.get(id).map(|&at| &self.facts.signatures[at])
    }

    /// Returns whether there is a counter-signature to that signature.
    pub fn is_countersigned(&self, id: &Id) -> bool {
        self.countersigned.contains(id)
    }

    /// Returns the time-stamps with those ids.
    pub fn timestamps<'c>(&'c self, ids: &'c [Id]) -> impl Iterator<Item = &'a Timestamp> + 'c {
        ids.iter().filter_map(|id| self.timestamp(id))
    }

    /// Returns the certificates of a chain, from the signing certificate upwards.
    pub fn chain(&self, ids: &'a [Id]) -> Vec<&'a Certificate> {
        ids.iter().filter_map(|id| self.certificate(id)).collect()
    }

    /// Returns the issuers of a certificate, from its own upwards.
    pub fn issuers(&self, certificate: &'a Certificate) -> Vec<&'a Certificate> {
        self.chain(&certificate.chain)
    }

    /// Returns whether a certificate or one of its issuers is trusted, at whatever time: EN 319 102-1's prospective
    /// chain.
    pub fn leads_to_trust(&self, certificate: &Certificate) -> bool {
        certificate.trust.trusted || self.has_trusted_issuer(certificate)
    }

    /// Returns whether one of a certificate's issuers is trusted.
    pub fn has_trusted_issuer(&self, certificate: &Certificate) -> bool {
        certificate.chain.iter().filter_map(|id| self.certificate(id)).any(|issuer| issuer.trust.trusted)
    }
}

/// Returns the positions of ids; of those with the same id, the first.
fn by_id(ids: Vec<&Id>) -> BTreeMap<&Id, usize> {
    order::map(ids.into_iter().enumerate().rev().map(|(at, id)| (id, at)))
}
