//! What time-stamps and evidence records cover.

use super::{CertificateRef, Material, TimestampDraft};
use crate::facts::{Covered, CoveredKind, Id, RevocationRef, RevocationType, Scope, Shared};
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

/// Something that a time-stamp or evidence record covers.
#[derive(Debug, Clone, PartialEq)]
pub enum CoveredObject<'a> {
    /// A token whose id the format knows (signed data, signatures, time-stamps).
    Token(Covered),
    /// The certificate with these bytes.
    Certificate(Cow<'a, [u8]>),
    /// The CRL or OCSP response with these bytes; with an OCSP response go the certificates in it.
    Revocation(RevocationType, Cow<'a, [u8]>),
    /// The certificate that the reference means.
    CertificateRef(Arc<CertificateRef>),
    /// The CRL or OCSP response that the reference means.
    RevocationRef(RevocationType, Arc<RevocationRef>),
}

impl<'a> CoveredObject<'a> {
    /// Returns a token by its id.
    pub fn token(kind: CoveredKind, id: &Id) -> Self {
        Self::Token(Covered { kind, id: id.clone() })
    }

    /// Returns the certificate that the reference means.
    pub fn certificate_ref(reference: CertificateRef) -> Self {
        Self::CertificateRef(reference.into())
    }

    /// Returns the CRL or OCSP response that the reference means.
    pub fn revocation_ref(kind: RevocationType, reference: RevocationRef) -> Self {
        Self::RevocationRef(kind, reference.into())
    }

    /// Returns the signed data that scopes name.
    pub fn signed_data(scopes: &[Shared<Scope>]) -> impl Iterator<Item = Self> {
        scopes.iter().map(|scope| Self::token(CoveredKind::SignedData, &scope.signed_data))
    }

    /// Returns the certificates and revocation data in `material`.
    pub fn embedded(material: &Material<'a>) -> impl Iterator<Item = Self> {
        let certificates = material.certificates.iter().map(|one| Self::Certificate(one.bytes.clone()));
        certificates.chain(material.revocations.iter().map(|one| Self::Revocation(one.kind, one.bytes.clone())))
    }
}

/// Returns time-stamps that a later one covers, with what they hold. What they cover in turn is left out, for signatures
/// in which it is named already.
pub fn previous<'a>(drafts: &[TimestampDraft<'a>]) -> Vec<CoveredObject<'a>> {
    let mut covers = vec![];
    for draft in drafts {
        covers.push(CoveredObject::token(CoveredKind::Timestamp, &draft.facts.id));
        covers.extend(CoveredObject::embedded(&draft.material));
    }
    covers
}

/// Returns time-stamps that a later one covers, with what they hold, and what they cover: a later one covers that as well, where
/// the imprint of the earlier one is of it.
pub fn previous_with_covered<'a>(drafts: &[TimestampDraft<'a>]) -> Vec<CoveredObject<'a>> {
    let mut covers = vec![];
    for draft in drafts {
        covers.push(CoveredObject::token(CoveredKind::Timestamp, &draft.facts.id));
        if draft.facts.digest_matchers.iter().all(|matcher| matcher.data_intact) {
            covers.extend(draft.covers.iter().cloned());
        }
        covers.extend(CoveredObject::embedded(&draft.material));
    }
    covers
}

/// Keeps each object once, where it is first named.
///
/// Where a time-stamp chooses what it covers (an index of hashes), what the earlier ones cover goes with them, and the
/// lists of a chain would double with every link of it.
pub fn once(covers: &mut Vec<CoveredObject<'_>>) {
    let mut seen = HashSet::with_capacity(covers.len());
    let first: Vec<bool> = covers.iter().map(|one| seen.insert(DedupKey::of(one))).collect();
    let mut first = first.into_iter();
    covers.retain(|_| first.next().unwrap_or(true));
}

/// Tells two [`CoveredObject`]s apart. Bytes of the document are compared by their place: reading them would cost more than
/// naming the same ones twice.
#[derive(PartialEq, Eq, Hash)]
pub(crate) enum DedupKey<'c> {
    Token(&'c Covered),
    Place(Option<RevocationType>, *const u8, usize),
    Bytes(Option<RevocationType>, &'c [u8]),
    CertificateRef(&'c CertificateRef),
    RevocationRef(RevocationType, &'c RevocationRef),
}

impl<'c> DedupKey<'c> {
    pub(crate) fn of(covers: &'c CoveredObject<'_>) -> Self {
        match covers {
            CoveredObject::Token(token) => Self::Token(token),
            CoveredObject::Certificate(bytes) => Self::bytes(None, bytes),
            CoveredObject::Revocation(kind, bytes) => Self::bytes(Some(*kind), bytes),
            CoveredObject::CertificateRef(reference) => Self::CertificateRef(reference),
            CoveredObject::RevocationRef(kind, reference) => Self::RevocationRef(*kind, reference),
        }
    }

    #[allow(clippy::ptr_arg, reason = "borrowed and owned bytes are told apart")]
    fn bytes(kind: Option<RevocationType>, bytes: &'c Cow<'_, [u8]>) -> Self {
        match bytes {
            Cow::Borrowed(bytes) => Self::Place(kind, bytes.as_ptr(), bytes.len()),
            Cow::Owned(bytes) => Self::Bytes(kind, bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_chain_covers_grows_by_what_each_link_adds() {
        let id = |name: &str| Covered { kind: CoveredKind::Timestamp, id: Id::new(name) };
        let bytes = [1, 2, 3];
        let mut earlier: Vec<CoveredObject<'_>> = vec![CoveredObject::Certificate(Cow::Borrowed(&bytes))];
        for link in 0..64 {
            let mut covers = earlier.clone();
            covers.push(CoveredObject::Certificate(Cow::Owned(bytes.to_vec())));
            once(&mut covers);
            earlier.push(CoveredObject::Token(id(&format!("T-{link}"))));
            earlier.extend(covers);
            once(&mut earlier);
        }
        assert_eq!(earlier.len(), 64 + 2, "EN 319 122-1 5.5: 64 archive time-stamps, a certificate from two places");
        assert_eq!(earlier[1], CoveredObject::Token(id("T-0")), "the order is the one in which things are named");
    }

    #[test]
    fn a_crl_and_a_certificate_of_the_same_bytes_are_two_things() {
        let bytes = [0x30, 0];
        let mut covers = vec![
            CoveredObject::Certificate(Cow::Borrowed(&bytes)),
            CoveredObject::Revocation(RevocationType::Crl, Cow::Borrowed(&bytes)),
            CoveredObject::Revocation(RevocationType::Ocsp, Cow::Borrowed(&bytes)),
            CoveredObject::Revocation(RevocationType::Crl, Cow::Borrowed(&bytes)),
        ];
        once(&mut covers);
        assert_eq!(covers.len(), 3);
    }
}
