//! The pool in which tokens find their issuers, chains and revocation data, and become facts.
//!
//! A format reads octets and hands over a [`Draft`]: what the document states, which digests
//! match, what every signature value is over. Whose certificate made a value, which chains there
//! are, which revocation data concerns which certificate, can only be said over the material of
//! the whole document, the caller's evidence and the trust anchors: that is the [`Collector`]'s
//! part. It verifies every value at most once for each key, and concludes nothing.
//!
//! ```ignore
//! let mut collector = Collector::new(&Budget::default());
//! collector.trust_anchor(certificate, TrustAnchor::default());
//! collector.evidence(bytes);                   // certificate, CRL or OCSP response
//! collector.document(draft);                   // what a format read
//! let facts = collector.finish(time);
//! ```

mod pool;

use crate::formats::Draft;
pub use pool::TrustAnchor;

use crate::budget::Budget;
use crate::facts::{CertificateSource, Facts, Id, RevocationOrigin};
use crate::time::Time;
use crate::x509::Certificate;
use pool::Pool;

/// Turns what formats read, with the caller's evidence and trust anchors, into the record.
#[derive(Debug)]
pub struct Collector {
    pool: Pool,
    facts: Facts,
}

/// What a piece of evidence turned out to be.
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

impl Collector {
    /// Nothing collected yet.
    pub fn new(budget: &Budget) -> Self {
        Self { pool: Pool::new(budget), facts: Facts::default() }
    }

    /// Adds a certificate, or another place where it was found; its name in the record. `None` past the budget.
    pub fn certificate(&mut self, certificate: Certificate, source: CertificateSource) -> Option<Id> {
        self.pool.add(certificate, source).map(|index| self.pool.id(index))
    }

    /// A certificate that the caller or a trusted list trusts.
    pub fn trust_anchor(&mut self, certificate: Certificate, anchor: TrustAnchor) -> Option<Id> {
        self.pool.trust(certificate, anchor).map(|index| self.pool.id(index))
    }

    /// Adds a CRL from outside the document; its name in the record. `None` where it cannot be read.
    pub fn crl(&mut self, octets: &[u8], origin: RevocationOrigin) -> Option<Id> {
        let _ = (octets, origin);
        None
    }

    /// Adds an OCSP response (or its `BasicOCSPResponse`) from outside the document, and the
    /// certificates in it; its name in the record. `None` where it cannot be read.
    pub fn ocsp(&mut self, octets: &[u8], origin: RevocationOrigin) -> Option<Id> {
        let _ = (octets, origin);
        None
    }

    /// Adds a certificate, CRL or OCSP response that the caller hands in, told apart by its octets.
    pub fn evidence(&mut self, octets: &[u8]) -> Option<Evidence> {
        if let Ok(certificate) = Certificate::from_der(octets) {
            return self.certificate(certificate, CertificateSource::Other).map(Evidence::Certificate);
        }
        if let Some(id) = self.crl(octets, RevocationOrigin::External) {
            return Some(Evidence::Crl(id));
        }
        self.ocsp(octets, RevocationOrigin::External).map(Evidence::Ocsp)
    }

    /// What is said of the document itself (name, size, digest, container, PDF/A), to be set by whoever knows it.
    pub fn facts_mut(&mut self) -> &mut Facts {
        &mut self.facts
    }

    /// Takes what a format read from one document.
    pub fn document(&mut self, draft: Draft<'_>) {
        let _ = draft;
    }

    /// The record, as of `time`.
    pub fn finish(mut self, time: Time) -> Facts {
        self.facts.validation_time = Some(time);
        self.facts
    }
}
