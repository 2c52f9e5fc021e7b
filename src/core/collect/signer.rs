//! The identification of the signing certificate: EN 319 102-1 §5.2.3.

use super::pool::{Index, Pool};
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Tag, Tlv};
use crate::crypto::{PublicKey, Signed, VerifyError, verify};
use crate::facts::{BasicSignature, CertificateRefOrigin, DigestMatcher, MatcherType, Shared, SignerInfo};
use crate::formats::draft::{CertificateRef, SignedBytes, SignerIdentifier, ValueCheck};
use crate::x509::{Certificate, GeneralName, Name, minimal};

/// What it cost to look for a signer.
#[derive(Debug, Clone, Default)]
pub(super) struct Spent {
    /// In the unit of [`Budget::verification_cost`](crate::budget::Budget::verification_cost).
    pub cost: u64,
    /// The certificates whose keys were tried.
    pub tried: Vec<Index>,
    /// Whether a key was not tried because the limit did not allow it.
    pub exceeded: bool,
}

impl Spent {
    /// Returns whether the key of `candidate` may be tried within the limit.
    fn may_try(&mut self, pool: &Pool, candidate: Index, bytes: usize, limit: u64) -> bool {
        let cost = self.cost.saturating_add(pool.cost(candidate, bytes));
        let within = cost <= limit;
        if within {
            self.cost = cost;
            self.tried.push(candidate);
        }
        self.exceeded |= !within;
        within
    }
}

/// The signer found for a value.
#[derive(Debug, Clone, Default)]
pub(super) struct Signer {
    pub certificate: Option<Index>,
    /// Whether the certificate's key (or the bare key) verifies the value.
    pub intact: bool,
    /// The length of the key that was tried last.
    pub key_length: Option<u32>,
    /// Why no key that was tried is believed.
    pub refused: Option<VerifyError>,
    /// What it cost to find.
    pub spent: Spent,
}

/// How well a certificate fits what a token says of its signer, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The first reference has its digest, and issuer and serial number where it states them (RFC 5035 §4: the first
    /// is the signer's, others may follow it up the chain).
    FirstReference,
    /// Issuer and serial number are those stated.
    IssuerSerial,
    /// Another reference has its digest.
    Reference,
    /// The key identifier is the one stated.
    KeyIdentifier,
    /// Nothing speaks for it.
    None,
}

/// What a token says of its signer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stated<'a> {
    pub identifier: &'a SignerIdentifier<'a>,
    pub references: &'a [CertificateRef],
    /// Whether every digest of the token matches.
    pub whole: bool,
    /// How many of its certificates are in the field meant for the signer's: they are the first.
    pub in_field: usize,
}

/// Finds the signer whose key verifies the value: of the token's own certificates the best fitting one, then of the
/// `others` the best fitting one, failing both the best fitting one of its own.
///
/// One of several certificates that nothing names is taken only where the token is whole. No key is tried past the limit.
pub(super) fn identify(
    pool: &Pool,
    own: &[Index],
    others: impl Fn(Index) -> bool,
    stated: Stated<'_>,
    check: &ValueCheck<'_>,
    limit: u64,
) -> Signer {
    let Stated { identifier, references, whole, in_field } = stated;
    let mut spent = Spent::default();
    let bytes = message_bytes(check);
    let fit = |index: Index| fit(&pool.get(index).certificate, identifier, references);
    // RFC 5652 §5.3: whom the identifier does not identify is not the signer.
    let another = |index: Index| identifies(identifier, &pool.get(index).certificate) == Some(false);
    let mut candidates: Vec<(Fit, Index)> =
        own.iter().filter(|&&index| !another(index)).map(|&index| (fit(index), index)).collect();
    crate::order::sort_by_key(&mut candidates, |(fit, _)| *fit);
    candidates.dedup_by_key(|(_, index)| *index);
    let verifies = |index: Index, spent: &mut Spent| {
        let entry = pool.get(index);
        let validity = entry.certificate.not_before()..=entry.certificate.not_after();
        check.certificate_valid_at.is_none_or(|time| validity.contains(&time))
            && entry
                .key
                .as_ref()
                .is_some_and(|key| spent.may_try(pool, index, bytes, limit) && value_verifies(key, check))
    };
    let found = |index: Index, intact: bool, spent: Spent| {
        let key = pool.get(index).key.as_ref();
        Signer {
            certificate: Some(index),
            intact,
            key_length: key.and_then(PublicKey::bits),
            refused: key.filter(|_| spent.tried.contains(&index)).and_then(|key| key.validate().err()),
            spent,
        }
    };
    let alone = candidates.len() == 1;
    let may_sign = |fit: Fit| fit != Fit::None || whole || alone;
    if let Some(&(_, index)) = candidates.iter().find(|(fit, index)| may_sign(*fit) && verifies(*index, &mut spent)) {
        return found(index, true, spent);
    }
    let elsewhere = pool.all().map(|(index, _)| index).filter(|index| !own.contains(index) && others(*index));
    let elsewhere = elsewhere.filter(|index| !another(*index));
    let mut fitting: Vec<(Fit, Index)> = elsewhere.map(|index| (fit(index), index)).collect();
    fitting.retain(|(fit, _)| *fit != Fit::None);
    crate::order::sort_by_key(&mut fitting, |(fit, _)| *fit);
    if let Some(&(_, index)) = fitting.iter().find(|(_, index)| verifies(*index, &mut spent)) {
        return found(index, true, spent);
    }
    // A certificate that stands alone where the signer's does is his, unless what is said of the signer is something else.
    let unnamed = alone && !references.iter().any(names_signer);
    let in_field = |index| own.iter().take(in_field).any(|one| *one == index);
    let own = candidates.first().filter(|(fit, index)| *fit != Fit::None || unnamed && in_field(*index));
    let key = identifier.public_key.as_ref().and_then(|spki| PublicKey::from_spki(spki).ok());
    match (own, key) {
        (Some(&(_, index)), _) => found(index, false, spent),
        // XML Signature 1.1 §4.5.2: a bare key speaks where no certificate does.
        (None, Some(key)) => {
            let cost = key.verification_cost(bytes).saturating_add(key.validation_cost());
            let within = spent.cost.saturating_add(cost) <= limit;
            spent.exceeded |= !within;
            spent.cost += if within { cost } else { 0 };
            let refused = if within { key.validate().err() } else { None };
            let intact = within && value_verifies(&key, check);
            Signer { certificate: None, intact, key_length: key.bits(), refused, spent }
        }
        (None, None) => match fitting.first() {
            Some(&(_, index)) => found(index, false, spent),
            None => Signer { spent, ..Signer::default() },
        },
    }
}

/// Returns how many bytes are digested for each key that is tried, as many as they are worth under a slow function.
fn message_bytes(check: &ValueCheck<'_>) -> usize {
    let bytes = |signed: &SignedBytes<'_>| match signed {
        SignedBytes::Message(bytes) => bytes.len(),
        SignedBytes::Shared(bytes) => bytes.len(),
        SignedBytes::Pieces(pieces) => pieces.iter().map(|piece| piece.len()).sum(),
        SignedBytes::Digest(_) => 0,
    };
    let weight = check.algorithm.and_then(|algorithm| algorithm.digest).map_or(1, DigestAlgorithm::weight);
    check.signed.iter().map(bytes).sum::<usize>().saturating_mul(weight as usize)
}

fn value_verifies(key: &PublicKey, check: &ValueCheck<'_>) -> bool {
    let Some(algorithm) = &check.algorithm else { return false };
    check.signed.iter().any(|signed| {
        let whole;
        let signed = match signed {
            SignedBytes::Message(bytes) => Signed::Message(bytes),
            SignedBytes::Shared(bytes) => Signed::Message(bytes),
            SignedBytes::Pieces(pieces) => {
                whole = pieces.concat();
                Signed::Message(&whole)
            }
            SignedBytes::Digest(bytes) => Signed::Digest(bytes),
        };
        verify(key, algorithm, signed, &check.value).is_ok()
    })
}

fn fit(certificate: &Certificate, identifier: &SignerIdentifier<'_>, references: &[CertificateRef]) -> Fit {
    let mut best = Fit::None;
    for (place, reference) in references.iter().filter(|reference| names_signer(reference)).enumerate() {
        let issuer_serial = issuer_serial_match(reference, certificate);
        let digest = digest_match(reference, certificate) == Some(true);
        best = best.min(match (digest, place) {
            (true, 0) if issuer_serial != Some(false) => Fit::FirstReference,
            (_, 0) if issuer_serial == Some(true) => Fit::IssuerSerial,
            (true, _) => Fit::Reference,
            _ => Fit::None,
        });
    }
    if identifies(identifier, certificate) == Some(true) {
        best = best.min(if identifier.serial.is_some() { Fit::IssuerSerial } else { Fit::KeyIdentifier });
    }
    best
}

/// Returns whether the identifier is of this certificate; `None` where it states nothing.
pub(super) fn identifies(identifier: &SignerIdentifier<'_>, certificate: &Certificate) -> Option<bool> {
    if let (Some(issuer), Some(serial)) = (&identifier.issuer, &identifier.serial) {
        let issuer = || Name::from_der(issuer).is_ok_and(|issuer| issuer == *certificate.issuer());
        return Some(certificate.has_serial(serial) && issuer());
    }
    identifier.key_identifier.as_ref().map(|stated| has_key_identifier(certificate, stated))
}

fn names_signer(reference: &CertificateRef) -> bool {
    matches!(reference.origin, CertificateRefOrigin::SigningCertificate | CertificateRefOrigin::KeyIdentifier)
}

fn has_key_identifier(certificate: &Certificate, stated: &[u8]) -> bool {
    certificate.extensions().subject_key_identifier.as_ref().is_some_and(|own| own.0 == stated)
        || certificate.key_sha1() == stated
}

/// Returns whether the reference has this certificate's digest; `None` where it states none.
pub(super) fn digest_match(reference: &CertificateRef, certificate: &Certificate) -> Option<bool> {
    let stated = reference.digest.as_ref()?;
    Some(stated.algorithm.is_some_and(|algorithm| certificate.has_digest(algorithm, &stated.value.0)))
}

/// Returns the serial number that the reference states, as [`Certificate::minimal_serial`] has it.
pub(super) fn stated_serial(reference: &CertificateRef) -> Option<&[u8]> {
    let mut parts = Tlv::whole(&reference.issuer_serial.as_ref()?.0).ok()?.children();
    parts.expect(Tag::SEQUENCE).ok()?;
    Some(minimal(parts.expect(Tag::INTEGER).ok()?.content))
}

/// Returns whether the reference has this certificate's issuer and serial number; `None` where it states none.
pub(super) fn issuer_serial_match(reference: &CertificateRef, certificate: &Certificate) -> Option<bool> {
    let stated = reference.issuer_serial.as_ref()?;
    Some(is_issuer_serial(&stated.0, certificate).unwrap_or(false))
}

/// Compares `IssuerSerial ::= SEQUENCE { issuer GeneralNames, serialNumber INTEGER }` (RFC 5035 §5), its only directory
/// name, with the certificate.
fn is_issuer_serial(der: &[u8], certificate: &Certificate) -> Option<bool> {
    let mut parts = Tlv::whole(der).ok()?.children();
    let mut names = parts.expect(Tag::SEQUENCE).ok()?.children();
    // To read a name takes more than to compare a number.
    if !certificate.has_serial(parts.expect(Tag::INTEGER).ok()?.content) {
        return Some(false);
    }
    let name = names.find_map(|tlv| GeneralName::from_tlv(tlv)?.directory_name())?;
    Some(name.is_like(certificate.issuer()))
}

/// Returns whether every digest is there and matches that a value rests on.
pub(super) fn digests_match(matchers: &[Shared<DigestMatcher>]) -> bool {
    let rests_on = |kind: MatcherType| {
        !matches!(
            kind,
            MatcherType::ManifestEntry
                | MatcherType::ErArchiveObject
                | MatcherType::ErOrphanReference
                | MatcherType::ErArchiveTimestamp
                | MatcherType::ErArchiveTimestampSequence
                | MatcherType::ErMasterSignature
        )
    };
    matchers.iter().filter(|m| rests_on(m.kind)).all(|m| m.data_found && m.data_intact)
}

/// Returns the facts about a value. `valid` also asks for every digest that the value rests on.
pub(super) fn basic(check: &ValueCheck<'_>, signer: &Signer, matchers: &[Shared<DigestMatcher>]) -> BasicSignature {
    BasicSignature {
        key_algorithm: check.algorithm.as_ref().map(|algorithm| algorithm.key),
        key_length: signer.key_length,
        digest_algorithm: check.algorithm.as_ref().and_then(|algorithm| algorithm.digest),
        intact: signer.intact,
        valid: signer.intact && digests_match(matchers),
    }
}

/// Returns whether a signer's identifier (OCSP responder id) names this certificate.
pub(super) fn names(identifier: &SignerInfo, certificate: &Certificate) -> bool {
    identifier.ski.as_ref().is_some_and(|key| certificate.key_sha1() == key.0[..])
        || identifier.issuer.as_deref() == Some(certificate.subject().rfc2253())
}
