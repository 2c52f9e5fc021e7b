//! Certificates and revocation data of the pools as they stand in the record.

use super::pool::{Index, Pool};
use super::revocation::{Data, Revocations, Statement};
use crate::algorithm::DigestAlgorithm;
use crate::crypto::PublicKey;
use crate::facts::{
    self, CertificateOrigin, CertificateRefOrigin, Digest, Encapsulation, FoundCertificate, IssuerEntityKey,
    OrphanCertificate, OrphanRevocation, PathSubject, PathViolation, Shared, SignerInfo,
};
use crate::formats::draft::CertificateRef;
use crate::hex;
use crate::x509::{ResponderId, entity_key, path};

/// Returns a certificate: its own statements, its issuer and chain, what revocation data says of it.
pub(super) fn certificate(
    pool: &mut Pool,
    index: Index,
    revocations: Vec<facts::CertificateRevocation>,
) -> facts::Certificate {
    let self_signed = pool.is_self_signed(index);
    let issuer = if self_signed { Some(index) } else { pool.issuer(index) };
    let chain = pool.chain(index);
    let path_violations = path_violations(pool, &chain);
    let entry = pool.get(index);
    let certificate = &entry.certificate;
    let issuer_entity_key = issuer.map(|issuer| {
        let issuer = &pool.get(issuer).certificate;
        // RFC 5280 §7.1: names are compared without regard to case and white space.
        let subject_name = issuer.subject() == certificate.issuer();
        let entity_key = match issuer.subject().der() == certificate.issuer().der() {
            true => issuer.entity_key().to_owned(),
            false => entity_key(issuer.spki(), certificate.issuer()),
        };
        IssuerEntityKey { entity_key, key: true, subject_name }
    });
    facts::Certificate {
        id: certificate.id().clone(),
        sha256: Some(hex::lower(certificate.sha256())),
        duplicated: false,
        subject: certificate.subject().forms().clone(),
        issuer: certificate.issuer().forms().clone(),
        serial: certificate.serial_text(),
        attributes: certificate.subject().subject_attributes().clone(),
        sources: entry.sources.clone(),
        not_before: certificate.not_before(),
        not_after: certificate.not_after(),
        public_key_length: entry.key.as_ref().and_then(PublicKey::bits),
        public_key_algorithm: entry.key.as_ref().map(PublicKey::algorithm),
        entity_key: certificate.entity_key().to_owned(),
        issuer_entity_key,
        basic: pool.basic(index, issuer),
        signing_certificate: issuer.filter(|_| !self_signed).map(|issuer| pool.id(issuer)),
        signing_public_key: None,
        chain: chain.iter().skip(1).map(|&index| pool.id(index)).collect(),
        trust: entry.trust,
        self_signed,
        extensions: certificate.extensions().clone(),
        path_violations: Some(path_violations),
        trust_service_providers: Vec::new(),
        revocations,
        bytes: Some(certificate.der().into()),
        digest: None,
    }
}

/// Returns what the path up to the trust anchor does not allow the first certificate of a chain.
///
/// NOTE: an anchor's trust may have ended, and whether it counts is a matter of time; the path goes on then, to the
/// anchor above, and more is asked rather than less.
pub(super) fn path_violations(pool: &mut Pool, chain: &[Index]) -> Vec<PathViolation> {
    let trust = |index: &Index| pool.get(*index).trust;
    let lasting = chain.iter().position(|index| trust(index).trusted && trust(index).sunset.is_none());
    let anchor = lasting.or_else(|| chain.iter().rposition(|index| trust(index).trusted)).unwrap_or(chain.len());
    let certificates = chain.iter().take(anchor.saturating_add(1)).map(|&index| pool.get(index).certificate.clone());
    let certificates: Vec<_> = certificates.collect();
    let violations = path::inspect(&certificates, &mut pool.paths).into_iter().map(|violation| {
        let about = match violation.subject() {
            path::Subject::Names => PathSubject::Names,
            path::Subject::Policies => PathSubject::Policies,
            path::Subject::Length => PathSubject::Length,
            path::Subject::Extensions => PathSubject::Extensions,
            path::Subject::Profile => PathSubject::Profile,
        };
        let at = violation.certificate().filter(|at| *at < certificates.len());
        let (found, of) = (violation.to_string(), at.map(|at| format!("certificate {at}: ")));
        let found = of.and_then(|of| found.strip_prefix(&of).map(str::to_owned)).unwrap_or(found);
        PathViolation { about, certificate: at.map(|at| certificates[at].id().clone()), found }
    });
    violations.collect()
}

/// Returns a certificate that is in no chain.
pub(super) fn orphan_certificate(pool: &mut Pool, index: Index) -> OrphanCertificate {
    let self_signed = pool.is_self_signed(index);
    let entry = pool.get(index);
    let certificate = &entry.certificate;
    OrphanCertificate {
        id: certificate.id().clone(),
        encapsulation: Encapsulation::Binaries,
        subject: Some(certificate.subject().forms().clone()),
        issuer: Some(certificate.issuer().forms().clone()),
        serial: Some(certificate.serial_text()),
        not_before: Some(certificate.not_before()),
        not_after: Some(certificate.not_after()),
        entity_key: Some(certificate.entity_key().to_owned()),
        trusted: Some(entry.trust.trusted),
        self_signed: Some(self_signed),
        bytes: Some(certificate.der().into()),
        digest: None,
    }
}

/// Returns a CRL or OCSP response that is about a certificate of the record.
pub(super) fn revocation(
    pool: &mut Pool,
    revocations: &mut Revocations,
    index: usize,
    statement: &Statement,
) -> facts::Revocation {
    let signer = revocations.signer(index, pool);
    let chain = signer.map(|signer| pool.chain(signer)).unwrap_or_default();
    let signer = signer.filter(|_| pool.may_judge(&chain));
    let chain = if signer.is_some() { chain } else { Vec::new() };
    let entry = revocations.get(index);
    let (expired_certs_on_crl, bytes) = match &entry.data {
        Data::Crl(crl) => (crl.expired_certs_on_crl(), None),
        Data::Ocsp(ocsp) => (None, Some(ocsp.der().into())),
    };
    facts::Revocation {
        id: entry.data.id().clone(),
        sha256: Some(hex::lower(entry.data.sha256())),
        duplicated: false,
        origin: Some(entry.origin),
        kind: entry.data.kind(),
        source_address: None,
        production_date: Some(entry.data.production_date()),
        this_update: Some(statement.this_update),
        next_update: statement.next_update,
        expired_certs_on_crl,
        archive_cutoff: statement.archive_cutoff,
        cert_hash_present: statement.cert_hash_match.is_some(),
        cert_hash_match: statement.cert_hash_match == Some(true),
        basic: revocations.basic(index, pool, signer),
        signing_certificate: signer.map(|signer| pool.id(signer)),
        signing_public_key: None,
        chain: chain.iter().map(|&index| pool.id(index)).collect(),
        found_certificates: found_in_revocation(pool, entry, signer),
        bytes,
        digest: Some(sha256(entry.data.sha256())),
    }
}

/// Returns the certificates in an OCSP response, and the one that its responder id names.
fn found_in_revocation(
    pool: &Pool,
    entry: &super::revocation::Entry,
    signer: Option<Index>,
) -> Vec<Shared<FoundCertificate>> {
    let Data::Ocsp(ocsp) = &entry.data else { return Vec::new() };
    let identifier = match ocsp.responder() {
        ResponderId::Name(name) => SignerInfo { issuer: Some(name.rfc2253().to_owned()), ..SignerInfo::default() },
        ResponderId::KeyHash(hash) => SignerInfo { ski: Some(hash.clone().into()), ..SignerInfo::default() },
    };
    let reference = CertificateRef {
        signer: Some(identifier.clone()),
        ..CertificateRef::new(CertificateRefOrigin::SigningCertificate)
    };
    let fact = super::found::compared(reference.clone(), None, None);
    let named = |index: &Index| super::signer::names(&identifier, &pool.get(*index).certificate);
    let found = |index: Index, origins: Vec<CertificateOrigin>| FoundCertificate {
        certificate: pool.id(index),
        orphan: false,
        origins,
        references: if named(&index) { vec![fact.clone()] } else { Vec::new() },
    };
    let mut out: Vec<FoundCertificate> =
        entry.certificates.iter().map(|&index| found(index, vec![CertificateOrigin::BasicOcspResponse])).collect();
    if !entry.certificates.iter().any(named) {
        out.push(match signer {
            Some(signer) => found(signer, Vec::new()),
            None => FoundCertificate {
                certificate: super::found::orphan_certificate_id(&reference),
                orphan: true,
                origins: Vec::new(),
                references: vec![fact],
            },
        });
    }
    out.into_iter().map(Shared::from).collect()
}

/// Describes revocation data that is about no certificate of the record.
pub(super) fn orphan_revocation(revocations: &Revocations, index: usize) -> OrphanRevocation {
    let data = &revocations.get(index).data;
    OrphanRevocation {
        id: data.id().clone(),
        encapsulation: Encapsulation::Binaries,
        kind: data.kind(),
        bytes: None,
        digest: Some(sha256(data.sha256())),
    }
}

fn sha256(value: &[u8; 32]) -> Digest {
    Digest { algorithm: Some(DigestAlgorithm::Sha256), value: value[..].into() }
}
