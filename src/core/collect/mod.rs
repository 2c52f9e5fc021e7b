//! The pool in which drafts find their issuers, chains and revocation data, and become facts.
//!
//! A format reads bytes and ends in a [`Draft`]: what the document states, which digests
//! match, what every signature value is over. The signer's certificate, its
//! chain, and the revocation data about each certificate depend on the material of the whole
//! document, the caller's validation data and the trust anchors: they are the [`Collector`]'s
//! part. It verifies every certificate, CRL and OCSP response at most once for each key, and
//! concludes nothing.
//!
//! ```ignore
//! let mut collector = Collector::new(&Budget::default());
//! collector.trust_anchor(certificate, TrustAnchor::default());
//! collector.evidence(bytes);                   // certificate, CRL or OCSP response
//! collector.document(draft);                   // what a format read
//! let facts = collector.finish(time);
//! ```

mod address;
mod builder;
mod cache;
mod complete;
mod directory;
mod found;
mod irregular;
mod links;
mod names;
mod pool;
mod purpose;
mod record;
mod revocation;
mod signer;

pub use cache::Cache;
pub use directory::Directory;
pub use pool::TrustAnchor;

use crate::budget::Budget;
use crate::executor::{Executor, Sequential};
use crate::facts::{
    Bytes, CertificateSource, Encapsulation, Facts, FoundCertificate, Id, Irregularity, IrregularityKind,
    OrphanCertificate, OrphanRevocation, RevocationOrigin, TimestampType,
};
use crate::formats::Draft;
use crate::formats::level::LevelEvidence;
use crate::time::Time;
use crate::x509::Certificate;
use builder::{LevelTask, RecordBuilder};
use links::RevocationLinks;
use pool::Pool;
use revocation::{Data, Revocations};
use std::collections::HashSet;

/// Turns what formats read, with the caller's evidence and trust anchors, into the record.
#[derive(Debug)]
pub struct Collector<'a> {
    pool: Pool,
    revocations: Revocations,
    drafts: Vec<Draft<'a>>,
    facts: Facts,
    roots: Vec<Id>,
    executor: &'a dyn Executor,
}

/// The kind of a piece of validation data, with its id.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// A certificate.
    Certificate(Id),
    /// A CRL.
    Crl(Id),
    /// An OCSP response.
    Ocsp(Id),
}

impl<'a> Collector<'a> {
    /// Returns a collector that has collected nothing yet.
    pub fn new(budget: &Budget) -> Self {
        Self {
            pool: Pool::new(budget),
            revocations: Revocations::default(),
            drafts: Vec::new(),
            facts: Facts::default(),
            roots: Vec::new(),
            executor: &Sequential,
        }
    }

    /// Uses what a cache has of earlier documents, and keeps there what later ones may need.
    pub fn with_cache(mut self, cache: Option<Cache>) -> Self {
        self.pool.cache = cache;
        self
    }

    /// Verifies values on `executor`, where they are many.
    pub fn with_executor(mut self, executor: &'a dyn Executor) -> Self {
        self.executor = executor;
        self
    }

    /// Adds a certificate, or another place where it was found, and returns its id. `None` past the budget.
    pub fn certificate(&mut self, certificate: Certificate, source: CertificateSource) -> Option<Id> {
        self.pool.add(certificate, source).map(|index| self.pool.id(index))
    }

    /// Adds a certificate that the caller or a trusted list trusts.
    pub fn trust_anchor(&mut self, certificate: Certificate, anchor: TrustAnchor) -> Option<Id> {
        self.pool.trust(certificate, anchor).map(|index| self.pool.id(index))
    }

    /// Adds a certificate that is in the record with its chain and revocation data though no token is signed with it.
    pub fn subject(&mut self, certificate: Certificate, source: CertificateSource) -> Option<Id> {
        let id = self.certificate(certificate, source)?;
        self.roots.push(id.clone());
        Some(id)
    }

    /// Adds a CRL from outside the document and returns its id. `None` where it cannot be read.
    pub fn crl(&mut self, bytes: &[u8], origin: RevocationOrigin) -> Option<Id> {
        let index = builder::add_crl(&self.pool, &mut self.revocations, bytes, origin)?;
        Some(self.revocations.get(index).data.id().clone())
    }

    /// Adds an OCSP response (or its `BasicOCSPResponse`) from outside the document, and the
    /// certificates in it, and returns its id. `None` where it cannot be read.
    pub fn ocsp(&mut self, bytes: &[u8], origin: RevocationOrigin) -> Option<Id> {
        let index = builder::add_ocsp(&mut self.pool, &mut self.revocations, bytes, origin)?;
        Some(self.revocations.get(index).data.id().clone())
    }

    /// Adds a certificate, CRL or OCSP response that the caller supplies, recognised by its bytes (DER, not PEM).
    pub fn evidence(&mut self, bytes: &[u8]) -> Option<Evidence> {
        if let Ok(certificate) = Certificate::from_der(bytes) {
            return self.certificate(certificate, CertificateSource::Other).map(Evidence::Certificate);
        }
        if let Some(id) = self.crl(bytes, RevocationOrigin::External) {
            return Some(Evidence::Crl(id));
        }
        self.ocsp(bytes, RevocationOrigin::External).map(Evidence::Ocsp)
    }

    /// Returns the facts that no token tells, to be filled in by the caller: name, size and digest of the document, PDF/A,
    /// trusted lists.
    pub fn facts_mut(&mut self) -> &mut Facts {
        &mut self.facts
    }

    /// Adds what a format read from a document.
    pub fn document(&mut self, draft: Draft<'a>) {
        builder::register(&mut self.pool, &mut self.revocations, &draft);
        self.drafts.push(draft);
    }

    /// Returns the bounds of the budget past which something was left out so far.
    pub fn bounds_reached(&self) -> Vec<&'static str> {
        self.pool.bounds_reached()
    }

    /// Returns the record, as of `time`.
    pub fn finish(mut self, time: Time) -> Facts {
        self.conclude(time);
        self.facts
    }

    /// Returns the record, as of `time`, and the bytes of the CRLs in it, which it does not hold.
    pub fn finish_with_crls(mut self, time: Time) -> (Facts, Vec<Bytes>) {
        self.conclude(time);
        let recorded: HashSet<&Id> = self.facts.revocations.iter().map(|revocation| &revocation.id).collect();
        let crls = self.revocations.all().filter_map(|(_, entry)| match &entry.data {
            Data::Crl(crl) if recorded.contains(crl.id()) => Some(crl.der().into()),
            _ => None,
        });
        let crls = crls.collect();
        (self.facts, crls)
    }

    fn conclude(&mut self, time: Time) {
        self.facts.validation_time = Some(time);
        self.revocations.reconsider();
        let revocations = &self.revocations;
        self.pool.set_status(|certificate| !revocations.candidates(certificate).is_empty());
        let drafts = std::mem::take(&mut self.drafts);
        let mut builder = RecordBuilder {
            pool: &mut self.pool,
            revocations: &mut self.revocations,
            facts: &mut self.facts,
            references: found::ReferenceIndex::default(),
            roots: Vec::new(),
            levels: Vec::new(),
            executor: self.executor,
        };
        drafts.into_iter().for_each(|draft| builder.draft(draft));
        let (mut roots, levels) = (builder.roots, builder.levels);
        let named =
            |(index, entry): (usize, &pool::Entry)| self.roots.contains(entry.certificate.id()).then_some(index);
        roots.extend(self.pool.all().filter_map(named));
        let links = RevocationLinks::follow(&roots, &mut self.pool, &mut self.revocations, time);
        let stamped = self.stamped_revocations();
        levels.iter().for_each(|task| self.level(task, &links, &stamped));
        self.tokens(&links);
        self.orphans(&links);
        let about = |bound: &'static str| Irregularity::about(IrregularityKind::BudgetExceeded, bound);
        self.facts.irregularities.extend(self.pool.bounds_reached().into_iter().map(about));
    }

    /// Decides a signature's level, now that it is known whether its material is complete.
    fn level(&mut self, task: &LevelTask, links: &RevocationLinks, stamped: &HashSet<usize>) {
        use TimestampType::{Archive, Container, Document, EvidenceRecord, Signature};
        let archive = |kind| matches!(kind, Archive | Document | Container | EvidenceRecord);
        let stamps = || task.timestamps.iter().enumerate();
        let newest = stamps().filter(|(_, stamp)| archive(stamp.kind)).max_by_key(|(_, stamp)| stamp.time);
        // The newest proves the others, so that its own material may come later; where none proves another, it proves the
        // signature.
        let proves = task.timestamps.iter().any(|stamp| !archive(stamp.kind) || stamp.over_another);
        let newest = newest.filter(|_| proves).map(|(place, _)| place);
        let others = stamps().filter(|(place, _)| Some(*place) != newest);
        let mut signers: Vec<usize> = task.signer.into_iter().collect();
        signers.extend(others.filter_map(|(_, stamp)| stamp.signer));
        let all_self_signed = !task.own.is_empty() && task.own.iter().all(|&index| self.pool.is_self_signed(index));
        let own = self.own_revocations(task.signature);
        let stamped = own.intersection(stamped).copied().collect();
        let material_stamped = self.complete(signers.clone(), links, &stamped);
        let complete = material_stamped || self.complete(signers, links, &own);
        let evidence = LevelEvidence {
            signer_embedded: task.signer_embedded,
            signer_not_after: task.signer.map(|signer| self.pool.get(signer).certificate.not_after()),
            newest_signature_timestamp: task
                .timestamps
                .iter()
                .filter(|stamp| stamp.kind == Signature)
                .map(|stamp| stamp.time)
                .max(),
            all_self_signed,
            material_complete: task.revocations && complete,
            material_stamped,
        };
        self.facts.signatures[task.signature].level = Some(task.levels.level(&evidence));
    }

    /// Returns the revocation data that a signature and its time-stamps hold.
    fn own_revocations(&self, signature: usize) -> HashSet<usize> {
        let signature = &self.facts.signatures[signature];
        let ids: HashSet<&Id> = signature.found_timestamps.iter().collect();
        let timestamps = self.facts.timestamps.iter().filter(|timestamp| ids.contains(&timestamp.id));
        let found = timestamps.flat_map(|timestamp| &timestamp.found_revocations).chain(&signature.found_revocations);
        let found: HashSet<&Id> = found.map(|found| &found.revocation).collect();
        let all = self.revocations.all();
        all.filter(|(_, entry)| found.contains(entry.data.id())).map(|(index, _)| index).collect()
    }

    /// Returns the revocation data that document time-stamps cover, of whatever signature: the last one covers all before it
    /// (EN 319 142-1 §5.4.3).
    fn stamped_revocations(&self) -> HashSet<usize> {
        let stamps = self.facts.timestamps.iter().filter(|stamp| stamp.kind == TimestampType::Document);
        let covered: HashSet<&Id> = stamps.flat_map(|stamp| &stamp.covered).map(|covered| &covered.id).collect();
        let all = self.revocations.all().filter(|(_, entry)| covered.contains(entry.data.id()));
        all.map(|(index, _)| index).collect()
    }

    /// Returns whether `own` holds revocation data for every certificate that needs it in the chains of `signers`, and
    /// in those of the signers of that revocation data.
    fn complete(&mut self, mut signers: Vec<usize>, links: &RevocationLinks, own: &HashSet<usize>) -> bool {
        // Above a certificate that was met before, all were; those above an anchor need nothing.
        let mut seen = HashSet::new();
        while let Some(signer) = signers.pop() {
            if seen.contains(&(signer, true)) {
                continue;
            }
            let mut needed = true;
            for index in self.pool.chain(signer) {
                if !seen.insert((index, needed)) {
                    break;
                }
                needed = needed && !self.pool.get(index).trust.trusted && !self.pool.is_self_signed(index);
                if needed && !links.has(index, &self.pool, |revocation| own.contains(&revocation)) {
                    return false;
                }
                for &(revocation, _) in links.about(index) {
                    if own.contains(&revocation) {
                        signers.extend(self.revocations.signer(revocation, &mut self.pool));
                    }
                }
            }
        }
        true
    }

    /// Adds the certificates in use and the revocation data about them to the facts.
    fn tokens(&mut self, links: &RevocationLinks) {
        let mut statements = vec![None; self.revocations.len()];
        for &index in &links.used {
            let mut about = Vec::new();
            for (revocation, statement) in links.about(index) {
                let first = *statements[*revocation].get_or_insert(statement);
                about.push(statement.to_facts(self.revocations.get(*revocation).data.id(), first));
            }
            self.facts.certificates.push(record::certificate(&mut self.pool, index, about));
        }
        for (index, statement) in statements.into_iter().enumerate() {
            if let Some(statement) = statement {
                let revocation = record::revocation(&mut self.pool, &mut self.revocations, index, statement);
                self.facts.revocations.push(revocation);
            }
        }
    }

    /// Adds to the facts what is embedded or referred to and in no chain.
    fn orphans(&mut self, links: &RevocationLinks) {
        let used: HashSet<Id> = links.used.iter().map(|&index| self.pool.id(index)).collect();
        let used_data: HashSet<Id> = self.facts.revocations.iter().map(|revocation| revocation.id.clone()).collect();
        let of_document = |source: &CertificateSource| {
            use CertificateSource::{EvidenceRecord, OcspResponse, Signature, Timestamp};
            matches!(source, Signature | Timestamp | OcspResponse | EvidenceRecord)
        };
        for index in 0..self.pool.len() {
            if !links.is_used(index) && self.pool.get(index).sources.iter().any(of_document) {
                let orphan = record::orphan_certificate(&mut self.pool, index);
                self.facts.orphan_certificates.push(orphan);
            }
        }
        for (index, entry) in self.revocations.all() {
            if !used_data.contains(entry.data.id()) && entry.origin == RevocationOrigin::InputDocument {
                self.facts.orphan_revocations.push(record::orphan_revocation(&self.revocations, index));
            }
        }
        let facts = &mut self.facts;
        let mut known: HashSet<Id> = facts.orphan_certificates.iter().map(|orphan| orphan.id.clone()).collect();
        known.extend(facts.orphan_revocations.iter().map(|orphan| orphan.id.clone()));
        let found = facts.signatures.iter_mut().map(|token| &mut token.found_certificates);
        let found = found.chain(facts.timestamps.iter_mut().map(|token| &mut token.found_certificates));
        let found = found.chain(facts.evidence_records.iter_mut().map(|token| &mut token.found_certificates));
        let found = found.chain(facts.revocations.iter_mut().map(|token| &mut token.found_certificates));
        let mut held = found::Held::default();
        for found in found.flatten() {
            let orphan = !used.contains(&found.certificate);
            if found.orphan != orphan {
                *found = held.share(FoundCertificate { orphan, ..(**found).clone() });
            }
            if found.orphan && known.insert(found.certificate.clone()) {
                let digest = found.references.iter().find_map(|reference| reference.digest.clone());
                let orphan = OrphanCertificate::new(found.certificate.clone(), Encapsulation::Reference);
                facts.orphan_certificates.push(OrphanCertificate { digest, ..orphan });
            }
        }
        let found = facts.signatures.iter_mut().map(|token| &mut token.found_revocations);
        let found = found.chain(facts.timestamps.iter_mut().map(|token| &mut token.found_revocations));
        let found = found.chain(facts.evidence_records.iter_mut().map(|token| &mut token.found_revocations));
        for found in found.flatten() {
            found.orphan = !used_data.contains(&found.revocation);
            if found.orphan && known.insert(found.revocation.clone()) {
                facts.orphan_revocations.push(OrphanRevocation {
                    id: found.revocation.clone(),
                    encapsulation: Encapsulation::Reference,
                    kind: found.kind,
                    bytes: None,
                    digest: found.references.iter().find_map(|reference| reference.digest.clone()),
                });
            }
        }
        let covered = facts.timestamps.iter_mut().map(|token| &mut token.covered);
        let covered = covered.chain(facts.evidence_records.iter_mut().map(|token| &mut token.covered));
        for covered in covered.flatten() {
            builder::orphaned(covered, |id| used.contains(id) || used_data.contains(id));
        }
    }
}
