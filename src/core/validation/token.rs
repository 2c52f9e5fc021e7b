//! What the building blocks have in common to look at in a signature, a time-stamp, revocation data or a certificate.

use crate::facts::{
    BasicSignature, Certificate, CertificateRef, CertificateRefOrigin, DigestMatcher, EvidenceRecord, FoundCertificate,
    Id, Revocation, Shared, Signature, SignerInfo, Timestamp,
};
use crate::policy::Context;

/// A token that is judged.
#[derive(Debug, Clone, Copy)]
pub enum Token<'a> {
    /// A signature or counter-signature.
    Signature(&'a Signature),
    /// A time-stamp.
    Timestamp(&'a Timestamp),
    /// A CRL or OCSP response.
    Revocation(&'a Revocation),
    /// A certificate.
    Certificate(&'a Certificate),
    /// An evidence record.
    EvidenceRecord(&'a EvidenceRecord),
}

const UNSIGNED: &BasicSignature =
    &BasicSignature { key_algorithm: None, key_length: None, digest_algorithm: None, intact: false, valid: false };

impl<'a> Token<'a> {
    /// Returns its id.
    pub fn id(self) -> &'a Id {
        match self {
            Self::Signature(t) => &t.id,
            Self::Timestamp(t) => &t.id,
            Self::Revocation(t) => &t.id,
            Self::Certificate(t) => &t.id,
            Self::EvidenceRecord(t) => &t.id,
        }
    }

    /// Returns the part of the policy that it is judged by.
    pub fn context(self) -> Context {
        match self {
            Self::Signature(s) if s.counter_signature => Context::CounterSignature,
            Self::Signature(_) => Context::Signature,
            Self::Timestamp(_) => Context::Timestamp,
            Self::Revocation(_) => Context::Revocation,
            Self::Certificate(_) => Context::Certificate,
            Self::EvidenceRecord(_) => Context::EvidenceRecord,
        }
    }

    /// Returns its signature value; an evidence record has none of its own.
    pub fn basic(self) -> &'a BasicSignature {
        match self {
            Self::Signature(t) => &t.basic,
            Self::Timestamp(t) => &t.basic,
            Self::Revocation(t) => &t.basic,
            Self::Certificate(t) => &t.basic,
            Self::EvidenceRecord(_) => UNSIGNED,
        }
    }

    /// Returns its signing certificate.
    pub fn signing_certificate(self) -> Option<&'a Id> {
        match self {
            Self::Signature(t) => t.signing_certificate.as_ref(),
            Self::Timestamp(t) => t.signing_certificate.as_ref(),
            Self::Revocation(t) => t.signing_certificate.as_ref(),
            Self::Certificate(t) => t.signing_certificate.as_ref(),
            Self::EvidenceRecord(_) => None,
        }
    }

    /// Returns its chain, from its signing certificate upwards.
    pub fn chain(self) -> &'a [Id] {
        match self {
            Self::Signature(t) => &t.chain,
            Self::Timestamp(t) => &t.chain,
            Self::Revocation(t) => &t.chain,
            Self::Certificate(t) => &t.chain,
            Self::EvidenceRecord(_) => &[],
        }
    }

    /// Returns its digests.
    pub fn digest_matchers(self) -> &'a [Shared<DigestMatcher>] {
        match self {
            Self::Signature(t) => &t.digest_matchers,
            Self::Timestamp(t) => &t.digest_matchers,
            Self::EvidenceRecord(t) => &t.digest_matchers,
            Self::Revocation(_) | Self::Certificate(_) => &[],
        }
    }

    /// Returns the certificates that it holds or refers to.
    pub fn found_certificates(self) -> &'a [Shared<FoundCertificate>] {
        match self {
            Self::Signature(t) => &t.found_certificates,
            Self::Timestamp(t) => &t.found_certificates,
            Self::Revocation(t) => &t.found_certificates,
            Self::EvidenceRecord(t) => &t.found_certificates,
            Self::Certificate(_) => &[],
        }
    }

    /// Returns the signers that it names, in CMS.
    pub fn signer_infos(self) -> &'a [SignerInfo] {
        match self {
            Self::Signature(t) => &t.signer_infos,
            Self::Timestamp(t) => &t.signer_infos,
            _ => &[],
        }
    }

    /// Returns the references by which the token names its signing certificate (and perhaps others of its chain), each
    /// with the certificate that it refers to; those to certificates that were not found come last.
    pub fn signing_references(self) -> Vec<(&'a Id, &'a CertificateRef)> {
        let found = self.found_certificates();
        let refer = |found: &'a Shared<FoundCertificate>| {
            let references = found.references.iter().filter(|r| r.origin == CertificateRefOrigin::SigningCertificate);
            references.map(|reference| (&found.certificate, reference))
        };
        let (known, orphans) = (found.iter().filter(|f| !f.orphan), found.iter().filter(|f| f.orphan));
        known.flat_map(refer).chain(orphans.flat_map(refer)).collect()
    }

    /// Returns the reference to the signing certificate; else the first to a certificate that was not found.
    pub fn signing_reference(self) -> Option<(&'a Id, &'a CertificateRef)> {
        let references = self.signing_references();
        let own = references.iter().find(|(certificate, _)| Some(*certificate) == self.signing_certificate());
        let orphan = |id: &Id| self.found_certificates().iter().any(|found| found.orphan && found.certificate == *id);
        own.or_else(|| references.iter().find(|(certificate, _)| orphan(certificate))).copied()
    }
}
