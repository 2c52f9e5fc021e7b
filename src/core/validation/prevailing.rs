//! Which of several pieces of revocation data on one certificate prevails: RFC 5280 §3.3, §5.3.1, RFC 6960 §4.2.2.2.
//!
//! Answers two questions: whether somebody who may say so has stated that a certificate is revoked, which nothing
//! undoes, and which of the acceptable pieces counts otherwise. Both are asked only under the rule
//! `RevocationIsFinal`; without it the piece that was produced last counts, as in DSS.

use super::context::ValidationContext;
use crate::facts::{
    Certificate, CertificateRevocation, CertificateStatus, Id, KeyUsage, Revocation, RevocationReason, RevocationType,
};
use crate::order;
use crate::policy::{Context, Level, PolicySection, RuleName, SubContext, ValidityModel};
use crate::time::Time;

/// What revocation data says of a certificate, and the data.
pub(super) type Said<'a> = (&'a CertificateRevocation, &'a Revocation);

/// `id-kp-OCSPSigning`.
const OCSP_SIGNING: &str = "1.3.6.1.5.5.7.3.9";

/// How the types of services that answer about certificates begin (TS 119 612 §5.5.1.1).
const OCSP_SERVICE: &str = "http://uri.etsi.org/TrstSvc/Svctype/Certstatus/OCSP";

/// Returns whether a stated revocation is final under the policy.
pub(super) fn is_final(cx: &ValidationContext<'_>) -> bool {
    let rule = cx.rule(PolicySection::Token(Context::Revocation), RuleName::RevocationIsFinal);
    rule.is_some_and(|rule| rule.level != Level::Ignore)
}

/// Returns the revocation of a certificate that somebody stated who may: the earliest, unless all are holds, which may
/// end.
///
/// NOTE: whether the data is acceptable otherwise does not matter. Data that is too old, or that need not list the
/// certificate any more, cannot say that it is good, but can say that it is revoked.
pub(super) fn stated_revocation<'a>(cx: &ValidationContext<'a>, certificate: &'a Certificate) -> Option<Said<'a>> {
    let known = cx.stated.borrow().get(&certificate.id).copied();
    let place = known.unwrap_or_else(|| {
        let place = earliest_revocation(cx, certificate);
        cx.stated.borrow_mut().insert(certificate.id.clone(), place);
        place
    });
    let said = certificate.revocations.get(place?)?;
    Some((said, cx.index.revocation(&said.revocation)?))
}

/// Returns the place of the earliest revocation among what is said of a certificate.
fn earliest_revocation(cx: &ValidationContext<'_>, certificate: &Certificate) -> Option<usize> {
    let data = |said: &CertificateRevocation| cx.index.revocation(&said.revocation);
    let revoked = certificate.revocations.iter().enumerate().filter(|(_, said)| {
        said.status == CertificateStatus::Revoked
            && !is_hold(said)
            && data(said).is_some_and(|data| is_believable(cx, certificate, data))
    });
    revoked.min_by_key(|(_, said)| revoked_since(cx, said)).map(|(place, _)| place)
}

/// Returns since when the certificate is not to be relied on: its revocation or, under the rule `InvalidityDate`, the earlier
/// time that its issuer states (RFC 5280 §5.3.2). Without a date of revocation it may have been any time.
pub(crate) fn revoked_since(cx: &ValidationContext<'_>, said: &CertificateRevocation) -> Option<Time> {
    let rule = cx.rule(PolicySection::Token(Context::Revocation), RuleName::InvalidityDate);
    let invalid = said.invalidity_date.filter(|_| rule.is_some_and(|rule| rule.level != Level::Ignore));
    said.revocation_date.map(|date| invalid.map_or(date, |invalid| date.min(invalid)))
}

/// Returns the hold that somebody stated last who may, unless the certificate's own CA has ended it by newer data that is
/// `acceptable`.
pub(super) fn stated_hold<'a>(
    cx: &ValidationContext<'a>,
    certificate: &'a Certificate,
    acceptable: &[Id],
) -> Option<Said<'a>> {
    let holds = statements(cx, certificate).filter(|(said, data)| {
        said.status == CertificateStatus::Revoked && is_hold(said) && is_believable(cx, certificate, data)
    });
    let (said, hold) = holds.max_by_key(|(_, data)| data.this_update)?;
    let acceptable = order::set(acceptable);
    let ended = statements(cx, certificate).any(|(said, data)| {
        said.status == CertificateStatus::Good
            && data.this_update > hold.this_update
            && acceptable.contains(&data.id)
            && is_of_own_ca(cx, certificate, data)
    });
    (!ended).then_some((said, hold))
}

/// Returns whether somebody who may has stated that the certificate is revoked or on hold.
pub(super) fn is_contradicted<'a>(cx: &ValidationContext<'a>, certificate: &'a Certificate) -> bool {
    statements(cx, certificate)
        .any(|(said, data)| said.status == CertificateStatus::Revoked && is_believable(cx, certificate, data))
}

/// Returns of acceptable data the one that counts: a hold that the certificate's own CA stated last, else what was
/// current last. Of two that were current at the same time the later produced, then the first.
pub(super) fn latest<'a>(
    cx: &ValidationContext<'a>,
    certificate: &'a Certificate,
    acceptable: &[&'a Revocation],
) -> Option<&'a Revocation> {
    let holds = order::set(certificate.revocations.iter().filter(|said| is_hold(said)).map(|said| &said.revocation));
    let held = |data: &&'a Revocation| holds.contains(&data.id);
    let newest = |all: &mut dyn Iterator<Item = &'a Revocation>| {
        let order = |data: &&'a Revocation| (data.this_update, held(data), data.production_date);
        all.reduce(|last, next| if order(&next) > order(&last) { next } else { last })
    };
    let own = newest(&mut acceptable.iter().copied().filter(|data| is_of_own_ca(cx, certificate, data)));
    own.filter(held).or_else(|| newest(&mut acceptable.iter().copied()))
}

/// Returns whether a revocation ends the trust in the certificate from its date on, by the validity model: where CAs
/// count as of the time at which they issued, only that of a key that others may have.
pub(super) fn reaches_back(cx: &ValidationContext<'_>, said: &CertificateRevocation, sub: SubContext) -> bool {
    match cx.policy.model {
        ValidityModel::Shell => true,
        ValidityModel::Hybrid if sub == SubContext::CaCertificate => true,
        _ => key_may_be_known(said),
    }
}

/// Returns whether others may have had the key of the certificate when it was revoked, as far as the reason tells.
pub(super) fn key_may_be_known(said: &CertificateRevocation) -> bool {
    use RevocationReason::{CaCompromise, KeyCompromise, Unspecified};
    matches!(said.reason, None | Some(Unspecified | KeyCompromise | CaCompromise))
}

fn statements<'a>(cx: &ValidationContext<'a>, certificate: &'a Certificate) -> impl Iterator<Item = Said<'a>> {
    certificate.revocations.iter().filter_map(|said| Some((said, cx.index.revocation(&said.revocation)?)))
}

fn is_hold(said: &CertificateRevocation) -> bool {
    said.reason == Some(RevocationReason::CertificateHold)
}

/// Returns whether the data is genuine, and from somebody who may speak about the certificate.
fn is_believable(cx: &ValidationContext<'_>, certificate: &Certificate, data: &Revocation) -> bool {
    let signer = data.signing_certificate.as_ref().and_then(|id| cx.index.certificate(id));
    let Some(signer) = signer.filter(|_| data.basic.intact) else { return false };
    match data.kind {
        RevocationType::Crl => is_issuer(signer, certificate) || cx.index.leads_to_trust(signer),
        RevocationType::Ocsp => {
            // NOTE: whom the verifier trusts for something else says nothing good, and nothing bad is overlooked.
            is_issuer(signer, certificate)
                || signer.trust.trusted
                || is_authorized_responder(cx, signer, certificate) && cx.index.leads_to_trust(signer)
        }
    }
}

/// Returns whether the data is from the CA that issued the certificate, from its delegate, or a CRL from whom the
/// certificate names: it speaks of no other certificates.
fn is_of_own_ca(cx: &ValidationContext<'_>, certificate: &Certificate, data: &Revocation) -> bool {
    let signer = data.signing_certificate.as_ref().and_then(|id| cx.index.certificate(id));
    let sibling = |signer: &Certificate| {
        let issuer = |one: &Certificate| one.issuer_entity_key.as_ref().map(|issuer| issuer.entity_key.clone());
        issuer(signer).is_some_and(|of_signer| Some(of_signer) == issuer(certificate))
    };
    data.kind == RevocationType::Crl || signer.is_some_and(|signer| is_issuer(signer, certificate) || sibling(signer))
}

/// Returns whether `signer` is the certificate's issuer, by certificate or by name and key.
pub(super) fn is_issuer(signer: &Certificate, certificate: &Certificate) -> bool {
    certificate.signing_certificate.as_ref() == Some(&signer.id)
        || certificate.issuer_entity_key.as_ref().is_some_and(|issuer| issuer.entity_key == signer.entity_key)
}

/// Returns whether a responder may speak about a certificate: its issuer, one whom the verifier trusts as a responder,
/// or a delegate (RFC 6960 §4.2.2.2).
///
/// NOTE: a delegate has `id-kp-OCSPSigning` from the certificate's own issuer, says the clause. Responders of a whole
/// hierarchy have it from a CA above, and some from a CA beside it; they are believed where somebody above is the same,
/// as a CA gives that purpose to responders only.
pub(super) fn is_authorized_responder(
    cx: &ValidationContext<'_>,
    responder: &Certificate,
    certificate: &Certificate,
) -> bool {
    let mut purposes = responder.extensions.extended_key_usage.iter().flatten();
    is_issuer(responder, certificate)
        || responder.trust.trusted && (is_above(cx, responder, certificate) || is_listed_responder(responder))
        || purposes.any(|purpose| purpose == OCSP_SIGNING)
            && (responder.trust.trusted || is_related(cx, responder, certificate))
}

/// Returns whether the key of a delegate is for signatures on something else than certificates and lists, as far as its
/// certificate says (RFC 5280 §4.2.1.3).
///
/// NOTE: CAs answer with keys that their certificates give to certificates and lists alone.
pub(super) fn may_sign_answers(responder: &Certificate, certificate: &Certificate) -> bool {
    let signs = |usage: &KeyUsage| matches!(usage, KeyUsage::DigitalSignature | KeyUsage::NonRepudiation);
    let stated = responder.extensions.key_usage.as_ref();
    responder.trust.trusted || is_issuer(responder, certificate) || stated.is_none_or(|usages| usages.iter().any(signs))
}

/// Returns whether the certificate rests on `authority`, by certificate or by name and key.
fn is_above(cx: &ValidationContext<'_>, authority: &Certificate, certificate: &Certificate) -> bool {
    let mut issuers = certificate.chain.iter().filter_map(|id| cx.index.certificate(id));
    issuers.any(|issuer| issuer.id == authority.id || issuer.entity_key == authority.entity_key)
}

/// Returns whether a trusted list has the certificate as that of a service that answers by OCSP.
fn is_listed_responder(responder: &Certificate) -> bool {
    let mut services = responder.trust_service_providers.iter().flat_map(|provider| &provider.services);
    services.any(|service| {
        let kind = service.service_type.as_deref().unwrap_or_default();
        service.certificate == responder.id && kind.starts_with(OCSP_SERVICE)
    })
}

/// Returns whether the two certificates have somebody above them in common.
fn is_related(cx: &ValidationContext<'_>, one: &Certificate, other: &Certificate) -> bool {
    let above = |certificate: &Certificate| -> Vec<String> {
        let issuers = certificate.chain.iter().filter_map(|id| cx.index.certificate(id));
        let keys = issuers.map(|issuer| issuer.entity_key.clone());
        keys.chain(certificate.issuer_entity_key.as_ref().map(|issuer| issuer.entity_key.clone())).collect()
    };
    let of_other = above(other);
    above(one).iter().any(|key| of_other.contains(key))
}

#[cfg(test)]
mod tests {
    use crate::facts::{
        Certificate, CertificateRevocation, CertificateStatus, ExtensionHeader, Facts, Id, RevocationReason,
        RevocationType,
    };
    use crate::policy::Policy;
    use crate::validation::bbb::signature_blocks;
    use crate::validation::context::ValidationContext;
    use crate::validation::situations::check;
    use crate::validation::testing::{at, certificate_mut, revoke, word};

    /// Returns what becomes of the signing certificate.
    fn of(cx: &ValidationContext<'_>) -> String {
        let blocks = signature_blocks(cx, &cx.facts.signatures[0], &Default::default());
        word(&blocks.certificate_in_path(&Id::new("SIGNER")).unwrap().block.conclusion)
    }

    /// Adds another answer about the signer, good unless changed, current as of that time and produced on the last day.
    fn also(facts: &mut Facts, kind: RevocationType, signer: &str, current: &str) {
        let mut data = facts.revocations[0].clone();
        (data.id, data.kind) = (Id::new("R-OTHER"), kind);
        (data.this_update, data.production_date) = (Some(at(current)), Some(at("2021-06-02")));
        data.next_update = Some(at("2022-01-01"));
        (data.signing_certificate, data.chain) = (Some(Id::new(signer)), vec![Id::new(signer), Id::new("ROOT")]);
        facts.revocations.push(data);
        let good = CertificateRevocation {
            revocation: Id::new("R-OTHER"),
            status: CertificateStatus::Good,
            reason: None,
            revocation_date: None,
            invalidity_date: None,
        };
        certificate_mut(facts, "SIGNER").revocations.push(good);
    }

    /// Adds a responder whose certificate is of the same CA, or of one beside that nothing connects with it.
    fn responder(facts: &mut Facts, stranger: bool) {
        let tsa = certificate_mut(facts, "TSA").clone();
        let mut responder = Certificate { id: Id::new("RESPONDER"), revocations: vec![], ..tsa };
        responder.extensions.extended_key_usage = Some(vec!["1.3.6.1.5.5.7.3.9".into()]);
        let no_check = ExtensionHeader { oid: "1.3.6.1.5.5.7.48.1.5".into(), ..Default::default() };
        responder.extensions.present.push(no_check);
        if stranger {
            let mut other = certificate_mut(facts, "ROOT").clone();
            (other.id, other.entity_key) = (Id::new("ROOT-2"), "key of ROOT-2".into());
            facts.certificates.push(other);
            responder.chain = vec![Id::new("ROOT-2")];
            responder.issuer_entity_key.as_mut().unwrap().entity_key = "key of ROOT-2".into();
        }
        facts.certificates.push(responder);
    }

    fn hold(facts: &mut Facts) {
        revoke(facts, "SIGNER", "2021-05-01");
        certificate_mut(facts, "SIGNER").revocations[0].reason = Some(RevocationReason::CertificateHold);
    }

    const REVOKED: &str = "INDETERMINATE/REVOKED_NO_POE";
    const LATER: &str = "INDETERMINATE/TRY_LATER";

    /// Makes the signer revoked on 2021-07-01, invalid since then.
    fn invalid(facts: &mut Facts, since: &str) {
        revoke(facts, "SIGNER", "2021-07-01");
        certificate_mut(facts, "SIGNER").revocations[0].invalidity_date = Some(at(since));
    }

    #[test]
    fn a_certificate_may_be_invalid_before_it_is_revoked() {
        let before: (&str, &str, fn(&mut Facts), &str) =
            ("RFC 5280 §5.3.2", "before", |f| invalid(f, "2021-06-01"), REVOKED);
        check(
            &Policy::eidas(),
            "2021-06-02",
            of,
            &[
                before,
                ("RFC 5280 §5.3.2", "after", |f| invalid(f, "2021-06-03"), "PASSED"),
                (
                    "RFC 5280 §5.3.2",
                    "after the revocation",
                    |f| {
                        revoke(f, "SIGNER", "2021-06-01");
                        certificate_mut(f, "SIGNER").revocations[0].invalidity_date = Some(at("2021-06-03"));
                    },
                    REVOKED,
                ),
            ],
        );
        check(&Policy::dss(), "2021-06-02", of, &[(before.0, before.1, before.2, "PASSED")]);
    }

    #[test]
    fn what_undoes_a_revocation() {
        check(
            &Policy::eidas(),
            "2021-06-02",
            of,
            &[
                ("RFC 5280 §5.3.1", "good", |_| {}, "PASSED"),
                (
                    "RFC 5280 §3.3",
                    "a later CRL says good",
                    |f| {
                        revoke(f, "SIGNER", "2021-05-01");
                        also(f, RevocationType::Crl, "ROOT", "2021-06-02");
                    },
                    REVOKED,
                ),
                (
                    "RFC 6960 §2.4",
                    "an answer produced later, current before",
                    |f| {
                        hold(f);
                        also(f, RevocationType::Crl, "ROOT", "2021-05-15");
                    },
                    LATER,
                ),
                (
                    "RFC 5280 §5.3.1",
                    "a hold that the same CA has ended",
                    |f| {
                        hold(f);
                        also(f, RevocationType::Crl, "ROOT", "2021-06-02");
                    },
                    "PASSED",
                ),
                (
                    "RFC 6960 §4.2.2.2",
                    "a hold that a stranger denies",
                    |f| {
                        hold(f);
                        responder(f, true);
                        also(f, RevocationType::Ocsp, "RESPONDER", "2021-06-02");
                    },
                    LATER,
                ),
                (
                    "RFC 9608 §4",
                    "an extension that says that no data is needed",
                    |f| {
                        revoke(f, "SIGNER", "2021-05-01");
                        let header = ExtensionHeader { oid: "2.5.29.56".into(), ..ExtensionHeader::default() };
                        certificate_mut(f, "SIGNER").extensions.present.push(header);
                    },
                    REVOKED,
                ),
                (
                    "5.2.6.4",
                    "stated by data that need not list the certificate any more",
                    |f| {
                        revoke(f, "SIGNER", "2021-05-01");
                        certificate_mut(f, "SIGNER").not_after = at("2021-05-20");
                    },
                    REVOKED,
                ),
                (
                    "RFC 6960 §4.2.2.2",
                    "stated by nobody who may",
                    |f| {
                        responder(f, true);
                        also(f, RevocationType::Ocsp, "RESPONDER", "2021-06-02");
                        certificate_mut(f, "SIGNER").revocations[1].status = CertificateStatus::Revoked;
                    },
                    "PASSED",
                ),
            ],
        );
    }

    #[test]
    fn who_vouches() {
        const NONE: &str = "INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE";
        /// Makes a responder the only one that speaks for the signer.
        fn only(facts: &mut Facts, stranger: bool) {
            responder(facts, stranger);
            also(facts, RevocationType::Ocsp, "RESPONDER", "2021-06-02");
            let named = crate::facts::CertificateRef::new(crate::facts::CertificateRefOrigin::SigningCertificate);
            facts.revocations.last_mut().unwrap().found_certificates = vec![
                crate::facts::FoundCertificate {
                    certificate: Id::new("RESPONDER"),
                    orphan: false,
                    origins: vec![],
                    references: vec![named],
                }
                .into(),
            ];
            certificate_mut(facts, "SIGNER").revocations.remove(0);
        }
        check(
            &Policy::eidas(),
            "2021-06-02",
            of,
            &[
                ("RFC 6960 §4.2.2.2", "a delegate of the CA", |f| only(f, false), "PASSED"),
                ("RFC 6960 §4.2.2.2", "a delegate of somebody else", |f| only(f, true), NONE),
                (
                    "RFC 6960 §4.2.2.2.1",
                    "a delegate that the CA has revoked, whatever time it states",
                    |f| {
                        only(f, false);
                        let said = certificate_mut(f, "TSA").revocations[0].clone();
                        certificate_mut(f, "RESPONDER").revocations = vec![said];
                        revoke(f, "RESPONDER", "2021-06-02");
                    },
                    NONE,
                ),
            ],
        );
    }

    #[test]
    fn how_old_it_may_be() {
        check(
            &Policy::eidas(),
            "2021-06-08",
            of,
            &[
                ("5.2.5 2)", "as old as the issuer's interval", |_| {}, LATER),
                ("5.2.5 2)", "within it", |f| f.revocations[0].next_update = Some(at("2021-06-09")), "PASSED"),
                ("RFC 6960 §4.2.2.1", "no interval, a week old", |f| f.revocations[0].next_update = None, LATER),
                (
                    "RFC 6960 §4.2.2.1",
                    "no interval, some hours old",
                    |f| {
                        f.revocations[0].next_update = None;
                        f.revocations[0].this_update = Some(at("2021-06-07T12:00:00Z"));
                        f.revocations[0].production_date = f.revocations[0].this_update;
                    },
                    "PASSED",
                ),
            ],
        );
    }
}
