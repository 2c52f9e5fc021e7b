//! A CRL or OCSP response, what it says, and what was concluded of it.

use super::{CertificateView, certificate};
use crate::facts::{self, CertificateRevocation, Id, RevocationType};
use crate::report::Report;
use crate::time::Time;
use crate::validation::blocks::BuildingBlocks;
use crate::validation::outcome::{Indication, SubIndication};

/// A CRL (RFC 5280 §5) or OCSP response (RFC 6960) of a report.
#[derive(Clone, Copy)]
pub struct RevocationView<'a> {
    report: &'a Report,
    facts: &'a facts::Revocation,
}

impl<'a> RevocationView<'a> {
    pub(in crate::report) fn new(report: &'a Report, facts: &'a facts::Revocation) -> Self {
        Self { report, facts }
    }

    /// Returns all that was collected about the CRL or OCSP response.
    pub fn facts(&self) -> &'a facts::Revocation {
        self.facts
    }

    /// Returns the building blocks of its own signature (EN 319 102-1 §5.2.6); `None` where it was not judged.
    pub fn verdict(&self) -> Option<&'a BuildingBlocks> {
        let report = self.report;
        report.index().revocation_verdicts.find(&report.verdicts.revocations, self.id())
    }

    /// Returns the id by which reports name the CRL or OCSP response.
    pub fn id(&self) -> &'a Id {
        &self.facts.id
    }

    /// Returns whether it is a CRL or an OCSP response.
    pub fn kind(&self) -> RevocationType {
        self.facts.kind
    }

    /// Returns the SHA-256 of its bytes, lower-case hexadecimal; `None` where imported facts do not state it.
    pub fn sha256(&self) -> Option<&'a str> {
        self.facts.sha256.as_deref()
    }

    /// Returns since when it holds (`thisUpdate`).
    pub fn this_update(&self) -> Option<Time> {
        self.facts.this_update
    }

    /// Returns when newer data is available at the latest (`nextUpdate`).
    pub fn next_update(&self) -> Option<Time> {
        self.facts.next_update
    }

    /// Returns whether its own signature is valid; `None` where it was not judged.
    pub fn indication(&self) -> Option<Indication> {
        self.verdict().map(|blocks| blocks.conclusion.indication)
    }

    /// Returns why its own signature is not valid.
    pub fn sub_indication(&self) -> Option<SubIndication> {
        self.verdict().and_then(|blocks| blocks.conclusion.sub_indication)
    }

    /// Returns the certificate whose key signed it.
    pub fn signer(&self) -> Option<CertificateView<'a>> {
        self.report.certificate(self.facts.signing_certificate.as_ref()?)
    }

    /// Returns the certificates from the signing one upwards.
    pub fn chain(&self) -> impl Iterator<Item = CertificateView<'a>> + use<'a> {
        certificate::chain(self.report, &self.facts.chain)
    }

    /// Returns the certificates of the report of which it speaks, each with what it says.
    pub fn statements(&self) -> impl Iterator<Item = (CertificateView<'a>, &'a CertificateRevocation)> + use<'a> {
        let report = self.report;
        let statements = report.index().statements(&report.facts, self.id());
        statements.map(move |(certificate, said)| (CertificateView::new(report, certificate), said))
    }
}
