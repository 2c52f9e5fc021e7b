//! The front door: a policy, trust anchors and evidence; then documents.

mod error;
mod judge;
mod left_out;
mod website;

pub use error::Error;
pub use judge::{judge, judge_certificate, judge_certificate_within, judge_within};
pub use website::{Binding, Website};

use crate::budget::Budget;
use crate::collect::{Cache, Collector, TrustAnchor};
use crate::document::{Document, Syntax, decode_pem, preview};
use crate::executor::{Executor, Sequential};
use crate::facts::{Bytes, CertificateSource, Facts, TrustStore};
use crate::formats::{Relay, Source, is_shared};
use crate::hex;
use crate::policy::Policy;
use crate::report::{CertificateReport, Report};
use crate::time::Time;
#[cfg(feature = "trusted-lists")]
use crate::trust::TrustedLists;
use crate::x509::Certificate;
use std::sync::Arc;

/// Validates documents under one policy, with one set of trust anchors.
///
/// It may be kept for many documents and used from many threads; a clone is cheap. What documents of the same
/// authorities have in common is read and verified once, and kept in its [`Cache`].
///
/// ```
/// use lacre::{Document, Policy, Validator};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # std::env::set_current_dir("../..")?;
/// let root = std::fs::read("examples/documents/root.der")?;
/// let validator = Validator::new(Policy::eidas()).trust_anchor(&root)?;
///
/// let contract = std::fs::read("examples/documents/contract.pdf")?;
/// let report = validator.validate(&Document::new(&contract), "2027-01-01".parse()?)?;
/// assert_eq!(report.indication().to_string(), "TOTAL-PASSED");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Validator {
    policy: Arc<Policy>,
    budget: Budget,
    anchors: Vec<Certificate>,
    evidence: Vec<Arc<[u8]>>,
    #[cfg(feature = "trusted-lists")]
    lists: Option<TrustedLists>,
    cache: Option<Cache>,
    executor: Arc<dyn Executor>,
}

impl Validator {
    /// Makes a validator under `policy` that trusts nobody yet. Several validators may share a policy.
    pub fn new(policy: impl Into<Arc<Policy>>) -> Self {
        Self {
            policy: policy.into(),
            budget: Budget::default(),
            anchors: vec![],
            evidence: vec![],
            #[cfg(feature = "trusted-lists")]
            lists: None,
            cache: Some(Cache::default()),
            executor: Arc::new(Sequential),
        }
    }

    /// Trusts the certificate (DER or PEM).
    ///
    /// # Errors
    ///
    /// [`Error::Evidence`] when the bytes are no certificate.
    pub fn trust_anchor(mut self, certificate: &[u8]) -> Result<Self, Error> {
        self.anchors.push(read(certificate)?);
        Ok(self)
    }

    /// Trusts the services of trusted lists (feature `trusted-lists`), in place of lists that were set before.
    #[cfg(feature = "trusted-lists")]
    pub fn trusted_lists(mut self, lists: &TrustedLists) -> Self {
        self.lists = Some(lists.clone());
        self
    }

    /// Adds a certificate, CRL or OCSP response (DER or PEM) that the documents may lack.
    ///
    /// # Errors
    ///
    /// [`Error::Evidence`] when the bytes are none of these.
    pub fn evidence(mut self, bytes: &[u8]) -> Result<Self, Error> {
        let der = decode_pem(bytes);
        let mut collector = Collector::new(&self.budget);
        if collector.evidence(&der).is_none() {
            return Err(self.beyond(&collector).unwrap_or_else(|| Error::Evidence {
                found: preview(bytes),
                expected: "a certificate, a CRL or an OCSP response",
            }));
        }
        self.evidence.push(der.into());
        Ok(self)
    }

    /// Bounds the work that a document may cause.
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Runs independent pieces of work on `executor`, instead of one after the other. Reports are the same.
    pub fn with_executor(mut self, executor: impl Executor + 'static) -> Self {
        self.executor = Arc::new(executor);
        self
    }

    /// Keeps what documents have in common in `cache`, which several validators may share, instead of a cache of its own.
    /// Reports are the same.
    pub fn with_cache(mut self, cache: Cache) -> Self {
        self.cache = Some(cache);
        self
    }

    /// Keeps nothing from one document to the next, which saves the time for keeping it. Reports are the same.
    pub fn without_cache(mut self) -> Self {
        self.cache = None;
        self
    }

    /// Returns the policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Validates every signature of a document, as of `time`.
    ///
    /// A document whose signatures are bad is `Ok`: the verdict is in the report.
    ///
    /// # Errors
    ///
    /// When the document cannot be read as anything that holds signatures.
    pub fn validate(&self, document: &Document<'_>, time: Time) -> Result<Report, Error> {
        Ok(self.judged(self.facts(document, time)?, time))
    }

    /// Judges a certificate (DER or PEM) by itself, as of `time`: its path, its revocation, and what it is under eIDAS,
    /// when it was issued and then.
    ///
    /// A certificate that is not good is `Ok`: the verdict is in the report.
    ///
    /// # Errors
    ///
    /// [`Error::Evidence`] when the bytes are no certificate.
    pub fn certificate(&self, certificate: &[u8], time: Time) -> Result<CertificateReport, Error> {
        let certificate = read(certificate)?;
        let mut collector = self.collector();
        let Some(id) = collector.subject(certificate, CertificateSource::Other) else {
            return Err(Error::Budget { bound: "certificates", limit: self.budget.certificates as u64 });
        };
        let facts = self.finished(collector, time);
        left_out::refuse(&facts)?;
        let report = judge_certificate_within(facts, &self.policy, &id, time, &self.budget);
        report
            .ok_or(Error::Evidence { found: "a certificate that is not in the record".into(), expected: "one that is" })
    }

    /// Collects the facts of a document, as of `time`, and concludes nothing.
    ///
    /// # Errors
    ///
    /// When the document cannot be read as anything that holds signatures.
    pub fn facts(&self, document: &Document<'_>, time: Time) -> Result<Facts, Error> {
        Ok(self.recorded(document, |collector| (self.finished(collector, time), ()))?.0)
    }

    /// Collects the facts of a document, and the bytes of the CRLs in them, which the record does not hold.
    pub(crate) fn facts_with_crls(&self, document: &Document<'_>, time: Time) -> Result<(Facts, Vec<Bytes>), Error> {
        self.recorded(document, |mut collector| {
            self.ask_lists(&mut collector);
            let (facts, crls) = collector.finish_with_crls(time);
            (self.described(facts), crls)
        })
    }

    /// Judges facts under the policy and within the budget of this validator.
    pub(crate) fn judged(&self, facts: Facts, time: Time) -> Report {
        judge_within(facts, &self.policy, time, &self.budget)
    }

    /// Returns the bounds on the work that a document may cause.
    #[cfg(feature = "signing")]
    pub(crate) fn limits(&self) -> &Budget {
        &self.budget
    }

    /// Returns the trust anchors, DER.
    pub(crate) fn anchors(&self) -> impl Iterator<Item = &[u8]> {
        self.anchors.iter().map(Certificate::der)
    }

    /// Returns the evidence that was supplied, DER.
    pub(crate) fn supplied(&self) -> impl Iterator<Item = &[u8]> {
        self.evidence.iter().map(|der| &**der)
    }

    /// Returns a snapshot of the lists that the facts name, if there are lists.
    pub(crate) fn snapshot_of_lists(&self, facts: &Facts) -> Option<Vec<u8>> {
        #[cfg(feature = "trusted-lists")]
        return self.lists.as_ref().map(|lists| lists.snapshot_of_used(facts));
        #[cfg(not(feature = "trusted-lists"))]
        {
            let _ = facts;
            None
        }
    }

    /// Reads a document, and makes the record of it by `finish`, beside which the file is digested where it is large.
    fn recorded<E: Send>(
        &self,
        document: &Document<'_>,
        finish: impl Fn(Collector<'_>) -> (Facts, E) + Sync,
    ) -> Result<(Facts, E), Error> {
        let read = |relay: &Relay<'_>, with_digest: bool| {
            let source = Source::open_with(document, &self.budget, Some(relay))?;
            let (mut facts, more) = finish(self.collected(document, &source)?);
            left_out::refuse(&facts)?;
            if with_digest {
                facts.document.sha256 = Some(hex::lower(&source.sha256()));
            }
            Ok((facts, more))
        };
        // The digests of what signatures of a PDF cover are digests of its beginning, and go on to the whole.
        if document.syntax() == Some(Syntax::Pdf) || !is_shared(document.bytes().len() as u64) {
            return read(&Relay::new(&*self.executor), true);
        }
        let (read, sha256) = Relay::beside(&*self.executor, document.bytes(), |relay| read(relay, false));
        let (mut facts, more) = read?;
        facts.document.sha256 = sha256.as_deref().map(hex::lower);
        Ok((facts, more))
    }

    /// Collects what the document shows, beside what is known before anything is read.
    fn collected<'s>(&'s self, document: &Document<'_>, source: &'s Source<'_>) -> Result<Collector<'s>, Error> {
        let draft = source.read()?;
        let mut collector = self.collector();
        let facts = collector.facts_mut();
        facts.document.name = document.name().map(str::to_owned);
        facts.document.size = Some(document.bytes().len() as u64);
        collector.document(draft);
        Ok(collector)
    }

    /// Makes a collector of what is known before anything is read: the trust anchors and the evidence.
    fn collector(&self) -> Collector<'_> {
        let mut collector = Collector::new(&self.budget).with_cache(self.cache.clone()).with_executor(&*self.executor);
        for anchor in &self.anchors {
            collector.trust_anchor(anchor.clone(), TrustAnchor::default());
        }
        for der in &self.evidence {
            collector.evidence(der);
        }
        collector
    }

    /// Returns the first bound past which the collector left something out.
    fn beyond(&self, collector: &Collector<'_>) -> Option<Error> {
        let bound = *collector.bounds_reached().first()?;
        let limit = if bound == "tokens" { self.budget.tokens } else { self.budget.certificates };
        Some(Error::Budget { bound, limit: limit as u64 })
    }

    /// Asks the trusted lists about everything collected, to which nothing is added afterwards.
    #[cfg(feature = "trusted-lists")]
    fn ask_lists(&self, collector: &mut Collector<'_>) {
        if let Some(lists) = &self.lists {
            collector.directory(lists);
        }
    }

    #[cfg(not(feature = "trusted-lists"))]
    fn ask_lists(&self, _: &mut Collector<'_>) {}

    /// Makes the record of what was collected.
    fn finished(&self, mut collector: Collector<'_>, time: Time) -> Facts {
        self.ask_lists(&mut collector);
        self.described(collector.finish(time))
    }

    /// Adds to the record what the trusted lists say of its certificates.
    #[cfg(feature = "trusted-lists")]
    fn described(&self, mut facts: Facts) -> Facts {
        let time = facts.validation_time.unwrap_or_default();
        let lists = self.lists.as_ref().map(|lists| lists.store(time));
        facts.trust_store = Some(TrustStore { anchors: self.anchors.len(), lists });
        if let Some(lists) = &self.lists {
            lists.describe(&mut facts);
        }
        facts
    }

    /// Adds to the record that certificates are trusted, and no lists.
    #[cfg(not(feature = "trusted-lists"))]
    fn described(&self, facts: Facts) -> Facts {
        Facts { trust_store: Some(TrustStore { anchors: self.anchors.len(), lists: None }), ..facts }
    }
}

fn read(bytes: &[u8]) -> Result<Certificate, Error> {
    Certificate::from_der(&decode_pem(bytes))
        .map_err(|error| Error::Evidence { found: format!("{} ({error})", preview(bytes)), expected: "a certificate" })
}
