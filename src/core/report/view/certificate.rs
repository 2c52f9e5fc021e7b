//! A certificate, what it is used for, and what revocation data says of it.

use super::RevocationView;
use crate::facts::{self, CertificateRevocation, CertificateStatus, Id};
use crate::report::Report;
use crate::report::name::Names;
use crate::time::Time;
use crate::vocabulary::string_enum;

string_enum! {
    /// What a certificate is used for in a report.
    pub enum CertificateRole {
        /// Its key signed a signature of the document.
        SignatureSigner = "signature-signer",
        /// Its key signed a time-stamp (RFC 3161).
        TimestampSigner = "timestamp-signer",
        /// Its key signed a CRL or an OCSP response.
        RevocationSigner = "revocation-signer",
        /// Its key signed another certificate.
        CertificateIssuer = "certificate-issuer",
        /// It is trusted by the caller or by a trusted list (RFC 5280 §6.1.1 (d)).
        TrustAnchor = "trust-anchor",
    }
}

impl CertificateRole {
    pub(super) fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A certificate of a report (RFC 5280).
#[derive(Clone, Copy)]
pub struct CertificateView<'a> {
    report: &'a Report,
    /// Its position among the certificates of the facts.
    position: usize,
}

impl<'a> CertificateView<'a> {
    pub(in crate::report) fn new(report: &'a Report, position: usize) -> Self {
        Self { report, position }
    }

    /// Returns all that was collected about the certificate.
    pub fn facts(&self) -> &'a facts::Certificate {
        &self.report.facts.certificates[self.position]
    }

    /// Returns the id by which reports name the certificate.
    pub fn id(&self) -> &'a Id {
        &self.facts().id
    }

    /// Returns the SHA-256 of the DER, lower-case hexadecimal; `None` where imported facts do not state it.
    pub fn sha256(&self) -> Option<&'a str> {
        self.facts().sha256.as_deref()
    }

    /// Returns the name by which people call the subject: its common name; else given name and surname, the pseudonym, or
    /// the organisation; else its whole distinguished name.
    pub fn name(&self) -> &'a str {
        self.names().common(self.facts())
    }

    /// Returns the distinguished name of the subject, as RFC 2253 writes it, with attribute types by name (RFC 4519,
    /// X.520) and strings as text in place of hexadecimal.
    pub fn subject(&self) -> &'a str {
        self.names().subject(self.facts())
    }

    /// Returns the distinguished name of the issuer, written as that of the [subject](Self::subject).
    pub fn issuer_name(&self) -> &'a str {
        self.names().issuer(self.facts())
    }

    fn names(&self) -> &'a Names {
        &self.report.index().names[self.position]
    }

    /// Returns the serial number, decimal.
    pub fn serial(&self) -> &'a str {
        &self.facts().serial
    }

    /// Returns the first moment of the validity period.
    pub fn not_before(&self) -> Time {
        self.facts().not_before
    }

    /// Returns the last moment of the validity period.
    pub fn not_after(&self) -> Time {
        self.facts().not_after
    }

    /// Returns whether the certificate is a trust anchor.
    pub fn is_trusted(&self) -> bool {
        self.facts().trust.trusted
    }

    /// Returns what the certificate is used for.
    pub fn roles(&self) -> impl Iterator<Item = CertificateRole> + use<'a> {
        let (report, facts) = (self.report, self.facts());
        let has = move |role: &CertificateRole| report.index().has_role(&report.facts, &facts.id, *role);
        CertificateRole::ALL.iter().copied().filter(has)
    }

    /// Returns the certificate of the issuer; `None` where it was not found, and of a self-signed certificate.
    pub fn issuer(&self) -> Option<Self> {
        self.report.certificate(self.facts().signing_certificate.as_ref()?)
    }

    /// Returns the certificates above this one, from its issuer upwards.
    pub fn chain(&self) -> impl Iterator<Item = Self> + use<'a> {
        chain(self.report, &self.facts().chain)
    }

    /// Returns the statement on the certificate's status, and the revocation data that makes it: that it is revoked
    /// before anything else, then the latest one. `None` where no revocation data speaks of the certificate.
    pub fn revocation(&self) -> Option<(RevocationView<'a>, &'a CertificateRevocation)> {
        self.revocation_by(None)
    }

    /// Returns the [statement](Self::revocation) of the revocation data `used`; where that makes none, the most telling.
    pub(in crate::report) fn revocation_by(
        &self,
        used: Option<&Id>,
    ) -> Option<(RevocationView<'a>, &'a CertificateRevocation)> {
        self.revocations().max_by_key(|(data, said)| {
            let weight = match said.status {
                CertificateStatus::Revoked => 2,
                CertificateStatus::Good => 1,
                CertificateStatus::Unknown => 0,
            };
            (Some(data.id()) == used, weight, data.this_update())
        })
    }

    /// Returns each CRL and OCSP response that speaks of the certificate, with what it says.
    pub fn revocations(&self) -> impl Iterator<Item = (RevocationView<'a>, &'a CertificateRevocation)> + use<'a> {
        let report = self.report;
        self.facts().revocations.iter().filter_map(move |said| Some((report.revocation(&said.revocation)?, said)))
    }
}

/// Returns the certificates of a chain that the report holds.
pub(super) fn chain<'a>(report: &'a Report, ids: &'a [Id]) -> impl Iterator<Item = CertificateView<'a>> + use<'a> {
    ids.iter().filter_map(move |id| report.certificate(id))
}
