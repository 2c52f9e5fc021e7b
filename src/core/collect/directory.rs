//! Trusted certificates that are looked up rather than added all at once: trusted lists hold thousands, a document needs few.

use super::pool::{Index, Pool};
use super::revocation::{Data, Revocations};
use super::{Collector, TrustAnchor};
use crate::facts::CertificateSource;
use crate::formats::Draft;
use crate::formats::draft::SignerIdentifier;
use crate::x509::{Certificate, Name, ResponderId};

/// A set of trusted certificates, searched by what a document states of issuers and signers.
pub trait Directory {
    /// Returns since and until when a certificate is trusted; `None` for one that is not.
    fn trust(&self, certificate: &Certificate) -> Option<TrustAnchor>;
    /// Returns the certificates with that subject.
    fn by_subject(&self, subject: &Name) -> Vec<Certificate>;
    /// Returns the certificates whose key has that identifier.
    fn by_key_identifier(&self, identifier: &[u8]) -> Vec<Certificate>;
    /// Returns the certificates of that issuer and serial number (the contents of its INTEGER).
    fn by_issuer_and_serial(&self, issuer: &Name, serial: &[u8]) -> Vec<Certificate>;
}

impl Collector<'_> {
    /// Looks up the issuers, up to the top, of the certificates collected so far, and signers whose certificate is not embedded.
    pub fn directory(&mut self, directory: &dyn Directory) {
        let mut lookup = DirectoryLookup { directory, pool: &mut self.pool, next: 0 };
        self.drafts.iter().for_each(|draft| lookup.draft(draft));
        lookup.revocations(&self.revocations);
        lookup.issuers();
    }
}

/// Adds to the pool what a directory has for the drafts.
struct DirectoryLookup<'c> {
    directory: &'c dyn Directory,
    pool: &'c mut Pool,
    next: Index,
}

impl DirectoryLookup<'_> {
    fn found(&mut self, certificates: Vec<Certificate>) {
        for certificate in certificates {
            // Also one that is no longer trusted may be on the way to one that is.
            match self.directory.trust(&certificate) {
                Some(anchor) => self.pool.trust(certificate, anchor),
                None => self.pool.add(certificate, CertificateSource::TrustedList),
            };
        }
    }

    fn draft(&mut self, draft: &Draft<'_>) {
        for signature in &draft.signatures {
            self.signer(&signature.signer);
            signature.timestamps.iter().for_each(|timestamp| self.signer(&timestamp.signer));
            let records = signature.evidence_records.iter();
            records.flat_map(|record| &record.timestamps).for_each(|timestamp| self.signer(&timestamp.signer));
        }
        let records = draft.evidence_records.iter().flat_map(|record| &record.timestamps);
        draft.timestamps.iter().chain(records).for_each(|timestamp| self.signer(&timestamp.signer));
    }

    fn signer(&mut self, signer: &SignerIdentifier<'_>) {
        if let Some((issuer, serial)) = signer.issuer.as_deref().zip(signer.serial.as_deref())
            && let Ok(issuer) = Name::from_der(issuer)
        {
            self.found(self.directory.by_issuer_and_serial(&issuer, serial));
        }
        if let Some(identifier) = signer.key_identifier.as_deref() {
            self.found(self.directory.by_key_identifier(identifier));
        }
    }

    fn revocations(&mut self, revocations: &Revocations) {
        for (_, entry) in revocations.all() {
            let found = match &entry.data {
                Data::Crl(crl) => self.directory.by_subject(crl.issuer()),
                Data::Ocsp(ocsp) => match ocsp.responder() {
                    ResponderId::Name(name) => self.directory.by_subject(name),
                    ResponderId::KeyHash(hash) => self.directory.by_key_identifier(hash),
                },
            };
            self.found(found);
        }
    }

    /// Looks up every certificate in the pool, those that are added meanwhile as well: its trust, and its issuers.
    fn issuers(&mut self) {
        while self.next < self.pool.len() {
            let certificate = self.pool.get(self.next).certificate.clone();
            self.next += 1;
            if let Some(anchor) = self.directory.trust(&certificate) {
                self.pool.trust(certificate.clone(), anchor);
            }
            self.found(self.directory.by_subject(certificate.issuer()));
            let stated = certificate.extensions().authority_key_identifier.as_ref();
            if let Some(identifier) = stated.and_then(|stated| stated.key_identifier.as_ref()) {
                self.found(self.directory.by_key_identifier(&identifier.0));
            }
        }
    }
}
