//! Which of several pieces of revocation data on one certificate prevails: RFC 5280 §3.3, §5.3.1, RFC 6960 §4.2.2.2.
//!
//! Answers two questions: whether somebody who may say so has stated that a certificate is revoked, which nothing
//! undoes, and which of the acceptable pieces counts otherwise. Both are asked only under the rule
//! `RevocationIsFinal`; without it the piece that was produced last counts, as in DSS.

use super::case::Case;
use crate::facts::{
    Certificate, CertificateRevocation, CertificateStatus, Revocation, RevocationReason, RevocationType,
};
use crate::policy::{Context, Level, Place, RuleName};

/// What revocation data says of a certificate, and the data.
pub(super) type Said<'a> = (&'a CertificateRevocation, &'a Revocation);

/// `id-kp-OCSPSigning`.
const OCSP_SIGNING: &str = "1.3.6.1.5.5.7.3.9";

/// Whether a stated revocation is final under the policy.
pub(super) fn is_final(case: &Case<'_>) -> bool {
    let rule = case.rule(Place::Token(Context::Revocation), RuleName::RevocationIsFinal);
    rule.is_some_and(|rule| rule.level != Level::Ignore)
}

/// The revocation of a certificate that somebody stated who may: the earliest, unless all are holds, which may end.
///
/// NOTE: whether the data is acceptable otherwise does not matter. Data that is too old, or that need not list the
/// certificate any more, cannot say that it is good, but can say that it is revoked.
pub(super) fn stated_revocation<'a>(case: &Case<'a>, certificate: &'a Certificate) -> Option<Said<'a>> {
    let revoked = statements(case, certificate).filter(|(said, data)| {
        said.status == CertificateStatus::Revoked && !is_hold(said) && is_believable(case, certificate, data)
    });
    revoked.min_by_key(|(said, _)| said.revocation_date)
}

/// Whether somebody who may has stated that the certificate is revoked or on hold.
pub(super) fn is_contradicted<'a>(case: &Case<'a>, certificate: &'a Certificate) -> bool {
    statements(case, certificate)
        .any(|(said, data)| said.status == CertificateStatus::Revoked && is_believable(case, certificate, data))
}

/// Of acceptable data the one that counts: a hold that the certificate's own CA stated last, else what was current
/// last. Of two that were current at the same time the later produced, then the first.
pub(super) fn latest<'a>(
    case: &Case<'a>,
    certificate: &'a Certificate,
    acceptable: &[&'a Revocation],
) -> Option<&'a Revocation> {
    let said = |data: &&'a Revocation| {
        let mut all = certificate.revocations.iter();
        all.find(|said| said.revocation == data.id)
    };
    let held = |data: &&'a Revocation| said(data).is_some_and(is_hold);
    let newest = |all: &mut dyn Iterator<Item = &'a Revocation>| {
        let order = |data: &&'a Revocation| (data.this_update, held(data), data.production_date);
        all.reduce(|last, next| if order(&next) > order(&last) { next } else { last })
    };
    let own = newest(&mut acceptable.iter().copied().filter(|data| is_of_own_ca(case, certificate, data)));
    own.filter(held).or_else(|| newest(&mut acceptable.iter().copied()))
}

fn statements<'a>(case: &Case<'a>, certificate: &'a Certificate) -> impl Iterator<Item = Said<'a>> {
    certificate.revocations.iter().filter_map(|said| Some((said, case.revocation(&said.revocation)?)))
}

fn is_hold(said: &CertificateRevocation) -> bool {
    said.reason == Some(RevocationReason::CertificateHold)
}

/// Whether the data is genuine, and from somebody who may speak about the certificate.
fn is_believable(case: &Case<'_>, certificate: &Certificate, data: &Revocation) -> bool {
    let signer = data.signing_certificate.as_ref().and_then(|id| case.certificate(id));
    let Some(signer) = signer.filter(|_| data.basic.intact) else { return false };
    match data.kind {
        RevocationType::Crl => is_issuer(signer, certificate) || case.leads_to_trust(signer),
        RevocationType::Ocsp => {
            is_issuer(signer, certificate)
                || is_authorized_responder(case, signer, certificate) && case.leads_to_trust(signer)
        }
    }
}

/// Whether the data is from the CA that issued the certificate, from its delegate, or a CRL from whom the certificate
/// names: it tells about no other certificates.
fn is_of_own_ca(case: &Case<'_>, certificate: &Certificate, data: &Revocation) -> bool {
    let signer = data.signing_certificate.as_ref().and_then(|id| case.certificate(id));
    let sibling = |signer: &Certificate| {
        let issuer = |one: &Certificate| one.issuer_entity_key.as_ref().map(|issuer| issuer.entity_key.clone());
        issuer(signer).is_some_and(|of_signer| Some(of_signer) == issuer(certificate))
    };
    data.kind == RevocationType::Crl || signer.is_some_and(|signer| is_issuer(signer, certificate) || sibling(signer))
}

/// Whether `signer` is the certificate's issuer, by certificate or by name and key.
pub(super) fn is_issuer(signer: &Certificate, certificate: &Certificate) -> bool {
    certificate.signing_certificate.as_ref() == Some(&signer.id)
        || certificate.issuer_entity_key.as_ref().is_some_and(|issuer| issuer.entity_key == signer.entity_key)
}

/// RFC 6960 §4.2.2.2: the certificate's issuer, somebody whom the verifier trusts, or a delegate.
///
/// NOTE: a delegate has `id-kp-OCSPSigning` from the certificate's own issuer, says the clause. Responders of a whole
/// hierarchy have it from a CA above, and some from a CA beside it; they are believed where somebody above is the same,
/// as a CA gives that purpose to responders only.
pub(super) fn is_authorized_responder(case: &Case<'_>, responder: &Certificate, certificate: &Certificate) -> bool {
    let mut purposes = responder.extensions.extended_key_usage.iter().flatten();
    is_issuer(responder, certificate)
        || responder.trust.trusted
        || purposes.any(|purpose| purpose == OCSP_SIGNING) && is_related(case, responder, certificate)
}

/// Whether the two certificates have somebody above them in common.
fn is_related(case: &Case<'_>, one: &Certificate, other: &Certificate) -> bool {
    let above = |certificate: &Certificate| -> Vec<String> {
        let issuers = certificate.chain.iter().filter_map(|id| case.certificate(id));
        let keys = issuers.map(|issuer| issuer.entity_key.clone());
        keys.chain(certificate.issuer_entity_key.as_ref().map(|issuer| issuer.entity_key.clone())).collect()
    };
    let of_other = above(other);
    above(one).iter().any(|key| of_other.contains(key))
}
