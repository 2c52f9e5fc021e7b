//! All CRLs and OCSP responses known, whose they are, and which certificates they are about.

use super::address::ByteAddress;
use super::pool::{Index, Pool};
use crate::algorithm::SignatureAlgorithm;
use crate::crypto::PublicKey;
use crate::facts::{
    BasicSignature, CertificateRevocation, CertificateStatus, Id, KeyUsage, RevocationOrigin, RevocationReason,
    RevocationType,
};
use crate::time::Time;
use crate::x509::{
    Certificate, Crl, IssuingDistributionPoint, Name, OcspResponse, ResponderId, distribution_points, minimal,
};
use std::collections::HashMap;

/// A CRL or OCSP response.
#[derive(Debug, Clone)]
pub(super) enum Data {
    Crl(Crl),
    Ocsp(OcspResponse),
}

impl Data {
    pub fn kind(&self) -> RevocationType {
        match self {
            Self::Crl(_) => RevocationType::Crl,
            Self::Ocsp(_) => RevocationType::Ocsp,
        }
    }

    pub fn id(&self) -> &Id {
        match self {
            Self::Crl(crl) => crl.id(),
            Self::Ocsp(ocsp) => ocsp.id(),
        }
    }

    pub fn sha256(&self) -> &[u8; 32] {
        match self {
            Self::Crl(crl) => crl.sha256(),
            Self::Ocsp(ocsp) => ocsp.sha256(),
        }
    }

    /// Returns the bytes that a reference to it may be a digest of.
    pub fn referable(&self) -> Vec<Vec<u8>> {
        match self {
            Self::Crl(crl) => vec![crl.der().to_vec()],
            Self::Ocsp(ocsp) => vec![ocsp.der(), ocsp.basic().to_vec()],
        }
    }

    fn tbs(&self) -> &[u8] {
        match self {
            Self::Crl(crl) => crl.tbs(),
            Self::Ocsp(ocsp) => ocsp.tbs(),
        }
    }

    fn signature(&self) -> Vec<u8> {
        match self {
            Self::Crl(crl) => crl.signature(),
            Self::Ocsp(ocsp) => ocsp.signature(),
        }
    }

    /// Returns the time of its production: of a CRL `thisUpdate`, of an OCSP response `producedAt`.
    pub fn production_date(&self) -> Time {
        match self {
            Self::Crl(crl) => crl.this_update(),
            Self::Ocsp(ocsp) => ocsp.produced_at(),
        }
    }
}

/// A piece of revocation data and what is known of it beside its own bytes.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub data: Data,
    pub origin: RevocationOrigin,
    pub algorithm: Option<SignatureAlgorithm>,
    /// OCSP: the certificates in it.
    pub certificates: Vec<Index>,
    /// Whose it is; `None`: not looked for yet.
    signer: Option<Option<Index>>,
}

/// What one piece of revocation data says of one certificate, with what belongs to the single answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    pub status: CertificateStatus,
    pub reason: Option<RevocationReason>,
    pub revocation_date: Option<Time>,
    pub invalidity_date: Option<Time>,
    pub this_update: Time,
    pub next_update: Option<Time>,
    pub archive_cutoff: Option<Time>,
    pub cert_hash_match: Option<bool>,
}

impl Statement {
    /// Returns what counts of it, where the record of the data has what belongs to its `first` answer. RFC 6960 §4.2.1:
    /// each has its own times, and those of another do not make a certificate good.
    pub fn to_facts(&self, revocation: &Id, first: &Self) -> CertificateRevocation {
        let own =
            |answer: &Self| (answer.this_update, answer.next_update, answer.archive_cutoff, answer.cert_hash_match);
        let unknown = self.status == CertificateStatus::Good && own(self) != own(first);
        CertificateRevocation {
            revocation: revocation.clone(),
            status: if unknown { CertificateStatus::Unknown } else { self.status },
            reason: self.reason,
            revocation_date: self.revocation_date,
            invalidity_date: self.invalidity_date,
        }
    }
}

/// All revocation data known, in the order in which it came.
#[derive(Debug, Default)]
pub(super) struct Revocations {
    entries: Vec<Entry>,
    by_digest: HashMap<[u8; 32], usize>,
    /// What was made of embedded bytes; `None`: they are no such data.
    by_address: HashMap<(RevocationType, ByteAddress), Option<usize>>,
    /// OCSP responses by the serial numbers in them, CRLs by issuer.
    by_serial: HashMap<Vec<u8>, Vec<usize>>,
    by_issuer: HashMap<String, Vec<usize>>,
}

impl Revocations {
    /// Adds revocation data; that of the document goes before the same from elsewhere.
    pub fn add(&mut self, data: Data, origin: RevocationOrigin, certificates: Vec<Index>) -> usize {
        if let Some(&index) = self.by_digest.get(data.sha256()) {
            let known = &mut self.entries[index].origin;
            if *known != RevocationOrigin::InputDocument && origin == RevocationOrigin::InputDocument {
                *known = origin;
            }
            return index;
        }
        let algorithm = match &data {
            Data::Crl(crl) if crl.signature_algorithms_agree() => crl.signature_algorithm(),
            Data::Crl(_) => &[],
            Data::Ocsp(ocsp) => ocsp.signature_algorithm(),
        };
        let algorithm = SignatureAlgorithm::from_algorithm_identifier(algorithm).ok();
        let index = self.entries.len();
        self.by_digest.insert(*data.sha256(), index);
        match &data {
            Data::Crl(crl) => self.by_issuer.entry(crl.issuer().canonical().to_owned()).or_default().push(index),
            Data::Ocsp(ocsp) => {
                for response in ocsp.responses() {
                    let of_serial = self.by_serial.entry(response.serial().to_vec()).or_default();
                    if of_serial.last() != Some(&index) {
                        of_serial.push(index);
                    }
                }
            }
        }
        self.entries.push(Entry { data, origin, algorithm, certificates, signer: None });
        index
    }

    /// Keeps in mind what was made of bytes of a draft.
    pub fn remember(&mut self, kind: RevocationType, bytes: &[u8], index: Option<usize>) {
        self.by_address.insert((kind, ByteAddress::of(bytes)), index);
    }

    /// Returns what was made of bytes of a draft; `None` where they were not looked at before.
    pub fn known(&self, kind: RevocationType, bytes: &[u8]) -> Option<Option<usize>> {
        self.by_address.get(&(kind, ByteAddress::of(bytes))).copied()
    }

    pub fn by_digest(&self, sha256: &[u8; 32]) -> Option<usize> {
        self.by_digest.get(sha256).copied()
    }

    pub fn get(&self, index: usize) -> &Entry {
        &self.entries[index]
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn all(&self) -> impl Iterator<Item = (usize, &Entry)> {
        self.entries.iter().enumerate()
    }

    /// Returns the data that may be about a certificate, in the order in which it came.
    pub fn candidates(&self, certificate: &Certificate) -> Vec<usize> {
        // RFC 5280 §4.2.1.13: by its issuer, or by whom it names.
        let named = distribution_points(certificate).iter().flat_map(|point| &point.issuers);
        let names = crate::order::set(named.chain([certificate.issuer()]).map(Name::canonical));
        let crls = names.into_iter().filter_map(|issuer| self.by_issuer.get(issuer));
        let responses = self.by_serial.get(minimal(certificate.serial()));
        let mut found: Vec<usize> = crls.chain(responses).flatten().copied().collect();
        crate::order::sort(&mut found);
        found.dedup();
        found
    }

    /// Forgets who signed what had no signer: there are new certificates.
    pub fn reconsider(&mut self) {
        self.entries.iter_mut().filter(|entry| entry.signer == Some(None)).for_each(|entry| entry.signer = None);
    }

    /// Returns who signed it.
    ///
    /// OCSP: of its own certificates, then of all, those that the responder id names; CRL: those of the issuer's
    /// name or key identifier. Of these, the one whose key verifies it.
    pub fn signer(&mut self, index: usize, pool: &mut Pool) -> Option<Index> {
        if let Some(known) = self.entries[index].signer {
            return known;
        }
        let entry = self.entries[index].clone();
        let (data, algorithm) = (&entry.data, entry.algorithm.as_ref());
        let value = data.signature();
        let mut verifies =
            |pool: &mut Pool, candidate: Index| pool.verifies(*data.sha256(), candidate, algorithm, data.tbs(), &value);
        let found = match data {
            Data::Ocsp(ocsp) => {
                let named: Vec<Index> = match ocsp.responder() {
                    ResponderId::Name(name) => pool.by_subject(name).to_vec(),
                    ResponderId::KeyHash(hash) => pool.by_key_identifier(hash).to_vec(),
                };
                let own = entry.certificates.iter().copied().filter(|index| named.contains(index));
                let others = named.iter().copied().filter(|index| !entry.certificates.contains(index));
                let mut ordered: Vec<Index> = own.chain(others).collect();
                pool.limit(&mut ordered);
                let own: Vec<Index> =
                    ordered.iter().copied().filter(|index| entry.certificates.contains(index)).collect();
                let produced = ocsp.produced_at();
                own.into_iter()
                    .find(|&index| verifies(pool, index))
                    .or_else(|| pool.choose(&ordered, None, produced, &mut verifies))
            }
            Data::Crl(crl) => {
                let key = crl.authority_key_identifier();
                let candidates = pool.candidates(key.as_deref(), Some(crl.issuer()));
                let found = pool.choose(&candidates, Some(crl.issuer()), crl.this_update(), &mut verifies);
                found.map(|found| pool.better_certificate(None, found, &candidates).unwrap_or(found))
            }
        };
        self.entries[index].signer = Some(found);
        found
    }

    /// Returns what the data says of a certificate whose issuer is `issuer`; `None` where it is about others.
    pub fn statement(&mut self, index: usize, pool: &mut Pool, subject: Index, issuer: Index) -> Option<Statement> {
        let certificate = pool.get(subject).certificate.clone();
        match self.entries[index].data.clone() {
            Data::Ocsp(ocsp) => about_ocsp(&ocsp, &certificate, &pool.get(issuer).certificate),
            Data::Crl(crl) => {
                let indirect = crl.issuer() != certificate.issuer();
                // RFC 5280 §6.3.3 (f), (g): the CRL is signed with the issuer's own key; an indirect one with its own
                // issuer's, whose chain is judged like every other.
                let signer = if indirect { self.signer(index, pool)? } else { issuer };
                let authority = pool.get(signer).certificate.clone();
                if indirect && authority.subject() != crl.issuer() {
                    return None;
                }
                let algorithm = self.entries[index].algorithm;
                let limit = pool.budget().crl_entries;
                let own = usable(&crl, &certificate, &authority)
                    && pool.verifies(*crl.sha256(), signer, algorithm.as_ref(), crl.tbs(), &crl.signature());
                if !own {
                    let other = self.by_another_key(index, pool, &certificate, issuer)?;
                    let said =
                        usable(&crl, &certificate, &other).then(|| about_crl(&crl, &certificate, &other, limit))?;
                    return said.filter(|said| said.status == CertificateStatus::Revoked);
                }
                let said = about_crl(&crl, &certificate, &authority, limit);
                if said.is_none() && crl.is_longer_than(limit) {
                    pool.cut("crl_entries");
                }
                said.filter(|said| {
                    let good = said.status == CertificateStatus::Good;
                    !(good && indirect) || has_common_anchor(pool, signer, subject)
                })
            }
        }
    }

    /// Returns who signed a CRL of the issuer's name with another key of the same CA: certified by the same authority
    /// as the issuer, or by the issuer itself (RFC 4210 §4.4).
    ///
    /// NOTE: RFC 5280 §6.3.3 (f) leaves the key open. That a name is the same is not enough to say that a certificate is
    /// good; that it is revoked is not to be overlooked.
    fn by_another_key(
        &mut self,
        index: usize,
        pool: &mut Pool,
        certificate: &Certificate,
        issuer: Index,
    ) -> Option<Certificate> {
        let signer = self.signer(index, pool).filter(|signer| *signer != issuer)?;
        let above = pool.issuer(signer).filter(|above| *above != signer)?;
        let authority = pool.get(signer).certificate.clone();
        let of_one_ca = pool.same_key(above, issuer)
            || pool.issuer(issuer).is_some_and(|other| other != issuer && pool.same_key(above, other));
        (of_one_ca && authority.subject() == certificate.issuer()).then_some(authority)
    }

    /// Facts about the data's own signature value.
    pub fn basic(&self, index: usize, pool: &Pool, signer: Option<Index>) -> BasicSignature {
        let algorithm = self.entries[index].algorithm;
        BasicSignature {
            key_algorithm: algorithm.map(|algorithm| algorithm.key),
            key_length: signer.and_then(|signer| pool.get(signer).key.as_ref().and_then(PublicKey::bits)),
            digest_algorithm: algorithm.and_then(|algorithm| algorithm.digest),
            intact: signer.is_some(),
            valid: signer.is_some(),
        }
    }
}

/// Returns whether both certificates are below one that is trusted. RFC 5280 §6.3.3 (f): the path of an indirect CRL's
/// issuer ends at the trust anchor of the certificate's own.
fn has_common_anchor(pool: &mut Pool, one: Index, other: Index) -> bool {
    let (above, beside) = (pool.chain(one), pool.chain(other));
    above.into_iter().any(|index| pool.get(index).trust.trusted && beside.contains(&index))
}

/// Returns what an OCSP response states about the certificate that it names, by its serial number and by its issuer's
/// name and key (RFC 6960 §3.2).
fn about_ocsp(ocsp: &OcspResponse, certificate: &Certificate, authority: &Certificate) -> Option<Statement> {
    let answer = ocsp.about(certificate, authority)?;
    let revoked = answer.status == CertificateStatus::Revoked;
    let reason = answer.reason.or(revoked.then_some(RevocationReason::Unspecified));
    Some(Statement {
        status: answer.status,
        reason,
        revocation_date: answer.revocation_date,
        invalidity_date: answer.invalidity_date.filter(|_| revoked),
        this_update: answer.this_update,
        next_update: answer.next_update,
        archive_cutoff: answer.archive_cutoff,
        cert_hash_match: answer.cert_hash_matches(certificate),
    })
}

/// Returns whether a CRL is for this certificate: RFC 5280 §6.3.3 (b), (f).
///
/// Its two statements of the signature algorithm are the same, parameters included (§5.1.1.2, §5.1.2.2).
///
/// NOTE: §5.2 demands extensions of every CRL and with them version 2; CRLs of version 1 occur and say what they say.
fn usable(crl: &Crl, certificate: &Certificate, authority: &Certificate) -> bool {
    let may_sign = authority.extensions().key_usage.as_ref().is_none_or(|usage| usage.contains(&KeyUsage::CrlSign));
    if !may_sign || !crl.signature_algorithms_agree() || !crl.is_understood() {
        return false;
    }
    let Ok(point) = crl.issuing_distribution_point() else { return false };
    // (b) (1): by another issuer only where the certificate names it, and the CRL says that it is indirect.
    let named = || distribution_points(certificate).iter().any(|point| point.issuers.contains(crl.issuer()));
    if crl.issuer() != certificate.issuer() && !(point.is_some_and(|point| point.indirect) && named()) {
        return false;
    }
    let Some(point) = point else { return true };
    let ca = certificate.extensions().basic_constraints.is_some_and(|constraints| constraints.ca);
    let other_kind = if ca { point.only_user_certificates } else { point.only_ca_certificates };
    !point.only_attribute_certificates && !other_kind
}

/// Returns what a CRL states about a certificate (RFC 5280 §6.3.3 (b), (i), (j)). A delta CRL, one for some reasons
/// only, and one of another distribution point than the certificate's cannot say that a certificate is good; nor can
/// one of an authority whose certificate does not state that its key signs CRLs, as §4.2.1.3 demands of every CA.
fn about_crl(crl: &Crl, certificate: &Certificate, authority: &Certificate, limit: usize) -> Option<Statement> {
    let entry = crl.entry(certificate.serial(), certificate.issuer(), limit).ok()?;
    let point = crl.issuing_distribution_point().ok()?;
    let part =
        |point: &IssuingDistributionPoint| point.only_some_reasons.is_some() || !point.is_of(crl.issuer(), certificate);
    let unstated = authority.extensions().key_usage.is_none();
    let partial = unstated || crl.is_delta() || point.is_some_and(part);
    // §5.3.1: removeFromCRL stands in delta CRLs only; in a complete one, every certificate listed is revoked.
    let removed = |entry: &crate::x509::CrlEntry| entry.reason == Some(RevocationReason::RemoveFromCrl);
    let revoked = entry.filter(|entry| !(crl.is_delta() && removed(entry)));
    if revoked.is_none() && (partial || !crl.are_entries_understood()) {
        return None;
    }
    Some(Statement {
        status: if revoked.is_some() { CertificateStatus::Revoked } else { CertificateStatus::Good },
        reason: revoked.as_ref().map(|entry| entry.reason.unwrap_or(RevocationReason::Unspecified)),
        revocation_date: revoked.as_ref().map(|entry| entry.date),
        invalidity_date: revoked.as_ref().and_then(|entry| entry.invalidity_date),
        this_update: crl.this_update(),
        next_update: crl.next_update(),
        archive_cutoff: None,
        cert_hash_match: None,
    })
}
