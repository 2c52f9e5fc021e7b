//! Revocation acceptance checker: EN 319 102-1 §5.2.6.4 (working specification §7.3).
//!
//! Answers one question: may this piece of revocation data be believed about this certificate? Whether it is
//! recent enough is asked elsewhere ([`revocation_freshness`](super::revocation_freshness)), and which of several is
//! used in `revocation_selection`.

use super::blocks::{RevocationAcceptance, RevocationSelection};
use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{BlockBuilder, BlockKind, Concluded};
use super::outcome::outcomes;
use super::path_rules;
use super::prevailing;
use super::revocation_freshness::check_current_at_use;
use super::validity::{has_begun, has_ended};
use crate::facts::{
    Certificate, CertificateRefOrigin, CertificateRevocation, CertificateStatus, Id, Revocation, RevocationReason,
    RevocationType,
};
use crate::policy::{Context, Level, PolicySection, Rule, RuleName, SubContext};
use crate::time::Time;
use std::sync::Arc;

outcomes! {
    /// The outcomes of the acceptance checker: EN 319 102-1 §5.2.6.4.
    enum NotAcceptable {
        CertificateChainGeneralFailure,
        NoCertificateChainFound,
        SigCryptoFailure,
    }
}

const CONTEXT: Context = Context::Revocation;

/// Revocation data that says something of a certificate.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'c, 'a> {
    /// The certificate.
    pub certificate: &'a Certificate,
    /// What the data says of it.
    pub entry: &'c CertificateRevocation,
    /// The data.
    pub revocation: &'a Revocation,
    /// Whether the data rests on the certificate that it is about.
    pub circular: bool,
}

/// A certificate of the data's chain, below the trust anchor, and the selection of its own revocation data.
pub(super) struct Issuer<'a> {
    /// The certificate.
    pub certificate: &'a Certificate,
    /// Whose rules apply to it.
    pub sub: SubContext,
    /// Whether it needs revocation data.
    pub required: bool,
    /// The selection, where it needs data and there is some.
    pub selection: Option<Arc<RevocationSelection>>,
    /// Whether that was made, and is told, elsewhere.
    pub again: bool,
}

/// Checks whether the candidate may be believed, given the status of its issuers.
pub(super) fn check<'a>(
    cx: &ValidationContext<'a>,
    candidate: Candidate<'_, 'a>,
    issuers: Vec<Issuer<'a>>,
) -> RevocationAcceptance {
    let Candidate { certificate, revocation, .. } = candidate;
    let mut block = BlockBuilder::new(BlockKind::RevocationAcceptance, &revocation.id);
    let _ = authentic(cx, &mut block, candidate.entry, revocation)
        .and_then(|()| ocsp_response(cx, &mut block, candidate))
        .and_then(|()| {
            // RFC 5280 §6.3.3 (f), RFC 6960 §4.2.2.2.1: whoever has the key of the certificate could make it good.
            let independent = CheckId::RevocationIndependent;
            let general = NotAcceptable::CertificateChainGeneralFailure;
            block.check(rule(cx, RuleName::SelfIssuedOCSP), independent, !candidate.circular, general)
        })
        .and_then(|()| about_certificate(cx, &mut block, certificate, revocation))
        .and_then(|()| issuer_permitted(cx, &mut block, certificate, revocation))
        .and_then(|()| issuer_not_revoked(cx, &mut block, certificate, revocation))
        .and_then(|()| issuer_in_force(cx, &mut block, revocation))
        .and_then(|()| {
            issuers.iter().try_for_each(|issuer| issuer_status(cx, &mut block, issuer, revocation.production_date))
        });
    let mut block = block.finish();
    let selections: Vec<_> =
        issuers.into_iter().filter(|issuer| !issuer.again).filter_map(|issuer| issuer.selection).collect();
    if let Some(last) = selections.last() {
        block.conclusion.add_messages_of(&last.block.conclusion);
    }
    RevocationAcceptance { certificate: certificate.id.clone(), revocation: revocation.id.clone(), block, selections }
}

/// Returns what stands in for the result when the budget is spent: not acceptable.
pub(super) fn not_looked_at(certificate: &Certificate, revocation: &Revocation) -> RevocationAcceptance {
    let mut block = BlockBuilder::new(BlockKind::RevocationAcceptance, &revocation.id);
    let failure = NotAcceptable::CertificateChainGeneralFailure;
    let _ = block.check_at(Level::Fail, CheckId::BudgetExceeded, false, failure);
    RevocationAcceptance {
        certificate: certificate.id.clone(),
        revocation: revocation.id.clone(),
        block: block.finish(),
        selections: vec![],
    }
}

fn rule<'a>(cx: &ValidationContext<'a>, name: RuleName) -> Option<&'a Rule> {
    cx.rule(PolicySection::Token(CONTEXT), name)
}

/// Checks that the status is known, and that the data is signed with a certificate that has a chain to a trust anchor.
fn authentic(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    entry: &CertificateRevocation,
    revocation: &Revocation,
) -> Result<(), Concluded> {
    let general = NotAcceptable::CertificateChainGeneralFailure;
    let issuer = revocation.signing_certificate.as_ref().and_then(|id| cx.index.certificate(id));

    // An OCSP response may say that the responder does not know the certificate (RFC 6960 §2.2).
    let known = entry.status != CertificateStatus::Unknown;
    block.check(rule(cx, RuleName::UnknownStatus), CheckId::StatusKnown, known, general)?;

    let found = issuer.is_some();
    block.check(rule(cx, RuleName::RevocationIssuerKnown), CheckId::RevocationIssuerKnown, found, general)?;

    let trusted = issuer.is_some_and(|issuer| cx.index.leads_to_trust(issuer));
    let chain = cx.rule(PolicySection::Basic(CONTEXT), RuleName::ProspectiveCertificateChain);
    block.check(chain, CheckId::ProspectiveChainOfRevocation, trusted, NotAcceptable::NoCertificateChainFound)?;

    let intact = cx.rule(PolicySection::Basic(CONTEXT), RuleName::SignatureIntact);
    let holds = revocation.basic.intact;
    block.check(intact, CheckId::RevocationSignatureIntact, holds, NotAcceptable::SigCryptoFailure)?;

    let dated = revocation.this_update.is_some();
    block.check(rule(cx, RuleName::ThisUpdatePresent), CheckId::ThisUpdatePresent, dated, general)
}

/// Checks what holds for OCSP responses only (RFC 6960 §3.2).
fn ocsp_response(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    candidate: Candidate<'_, '_>,
) -> Result<(), Concluded> {
    let Candidate { certificate, revocation, .. } = candidate;
    if revocation.kind != RevocationType::Ocsp {
        return Ok(());
    }
    let general = NotAcceptable::CertificateChainGeneralFailure;
    let responder = revocation.signing_certificate.as_ref().and_then(|id| cx.index.certificate(id));

    // The responder's certificate was valid when it produced the response.
    let valid =
        responder.zip(revocation.production_date).is_some_and(|(r, at)| r.not_before <= at && at <= r.not_after);
    let valid_at = rule(cx, RuleName::RevocationIssuerValidAtProductionTime);
    block.check(valid_at, CheckId::RevocationIssuerValidAtProductionTime, valid, general)?;

    // ResponderID names one certificate, and that one signed.
    let named: Vec<&Id> = revocation
        .found_certificates
        .iter()
        .filter(|f| !f.orphan && f.references.iter().any(|r| r.origin == CertificateRefOrigin::SigningCertificate))
        .map(|found| &found.certificate)
        .collect();
    let matches = responder.is_some_and(|responder| named == [&responder.id]);
    block.check(rule(cx, RuleName::OCSPResponderIdMatch), CheckId::OcspResponderIdMatch, matches, general)?;

    let authorized = responder.is_some_and(|responder| {
        prevailing::is_authorized_responder(cx, responder, certificate)
            && prevailing::may_sign_answers(responder, certificate)
    });
    let name = rule(cx, RuleName::OCSPResponderAuthorized);
    block.check(name, CheckId::OcspResponderAuthorized, authorized, general)?;

    // certHash, a German extension: the responder has seen this very certificate.
    let present = revocation.cert_hash_present;
    block.check(rule(cx, RuleName::OCSPCertHashPresent), CheckId::OcspCertHashPresent, present, general)?;
    if present {
        let name = rule(cx, RuleName::OCSPCertHashMatch);
        block.check(name, CheckId::OcspCertHashMatch, revocation.cert_hash_match, general)?;
    }
    Ok(())
}

/// Checks that the data was issued while its issuer kept the certificate's status.
fn about_certificate(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    certificate: &Certificate,
    revocation: &Revocation,
) -> Result<(), Concluded> {
    let general = NotAcceptable::CertificateChainGeneralFailure;
    let after = revocation.this_update.is_some_and(|this_update| certificate.not_before <= this_update);
    let name = rule(cx, RuleName::RevocationAfterCertificateIssuance);
    block.check(name, CheckId::RevocationAfterCertificateIssuance, after, general)?;

    let informed = revocation.cert_hash_present && revocation.cert_hash_match
        || status_kept_since(cx, revocation).is_some_and(|since| certificate.not_after >= since);
    let name = rule(cx, RuleName::RevocationHasInformationAboutCertificate);
    block.check(name, CheckId::RevocationHasInformationAboutCertificate, informed, general)?;

    // RFC 5280 §5.1.2.4, RFC 6960 §2.4: what is stated as of a later time was not known at the time judged for.
    // NOTE: clocks differ by minutes, and an answer that was asked for is newer than the moment at which it was.
    let rule = rule(cx, RuleName::RevocationNotInFuture);
    let clocks = rule.and_then(|rule| rule.duration_millis).unwrap_or(0);
    let made = revocation.production_date.unwrap_or(cx.time);
    // RFC 6960 §2.4: nor was it known before the data was made, by a key that may have run out since.
    let known = made.min(cx.time);
    let stated = revocation.this_update.unwrap_or(made);
    let begun = made <= cx.time.plus_millis(clocks) && stated <= known.plus_millis(clocks);
    let compared = revocation.this_update.map_or_else(String::new, |issued| format!("{issued} ≤ {known}"));
    let question = CheckId::RevocationNotInFuture.about(&revocation.id).comparing(compared);
    block.check(rule, question, begun, general)
}

/// Checks that the signer of the data was trusted when it was produced, and that the certificates above were valid
/// then.
fn issuer_in_force(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    revocation: &Revocation,
) -> Result<(), Concluded> {
    let Some(produced) = revocation.production_date else { return Ok(()) };
    let general = NotAcceptable::CertificateChainGeneralFailure;
    for (depth, issuer) in cx.index.chain(&revocation.chain).into_iter().enumerate() {
        let section = PolicySection::Certificate(CONTEXT, SubContext::at_depth(depth));
        if issuer.trust.trusted {
            let trusted = |one: &Certificate| {
                one.trust.trusted && has_begun(one, cx.time) && one.trust.sunset.is_none_or(|sunset| produced < sunset)
            };
            let in_force = std::iter::once(issuer).chain(cx.index.issuers(issuer)).any(trusted);
            let question = CheckId::TrustInForce.about(&issuer.id);
            return block.check(cx.rule(section, RuleName::TrustInForce), question, in_force, general);
        }
        let question =
            CheckId::ChainNotExpired.about(&issuer.id).comparing(format!("{produced} ≤ {}", issuer.not_after));
        let rule = cx.rule(section, RuleName::ChainNotExpired);
        block.check(rule, question, !has_ended(issuer, produced), general)?;
    }
    Ok(())
}

/// Checks that the certificates above permit that of the data's signer (RFC 5280 §6.1): whoever has a certificate can
/// issue one with the purpose of a responder. What the certificate itself rests on is judged with it.
fn issuer_permitted(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    certificate: &Certificate,
    revocation: &Revocation,
) -> Result<(), Concluded> {
    let general = NotAcceptable::CertificateChainGeneralFailure;
    for (depth, issuer) in beside(cx, certificate, revocation).enumerate() {
        let rule = |name| cx.rule(PolicySection::Certificate(CONTEXT, SubContext::at_depth(depth)), name);
        for violation in issuer.path_violations.iter().flatten() {
            let (name, _) = path_rules::about(violation.about);
            block.check(rule(name), path_rules::question(violation), false, general)?;
        }
        let ca = issuer.extensions.basic_constraints.is_some_and(|basic| basic.ca);
        block.check(rule(RuleName::CA).filter(|_| depth > 0), CheckId::CaCertificate.about(&issuer.id), ca, general)?;
    }
    Ok(())
}

/// Returns the certificates of the data's chain, from its signer upwards, as far as they are below an anchor and not
/// what the certificate itself rests on.
fn beside<'a>(
    cx: &ValidationContext<'a>,
    certificate: &Certificate,
    revocation: &'a Revocation,
) -> impl Iterator<Item = &'a Certificate> {
    let own = |issuer: &Certificate| issuer.id == certificate.id || certificate.chain.contains(&issuer.id);
    cx.index.chain(&revocation.chain).into_iter().take_while(move |issuer| !issuer.trust.trusted && !own(issuer))
}

/// Checks that nobody has stated that the signer of the data, or a CA above that the certificate itself does not rest
/// on, is revoked.
///
/// NOTE: of a responder that was replaced in good order, what it said before stands. A time is no help against one who
/// has its key: he writes what time he likes.
fn issuer_not_revoked(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    certificate: &Certificate,
    revocation: &Revocation,
) -> Result<(), Concluded> {
    use RevocationReason::{AffiliationChanged, CessationOfOperation, Superseded};
    let Some(rule) = rule(cx, RuleName::RevocationIssuerNotRevoked) else { return Ok(()) };
    for issuer in beside(cx, certificate, revocation) {
        let stated = prevailing::stated_revocation(cx, issuer).filter(|(said, _)| {
            let in_order = matches!(said.reason, Some(Superseded | CessationOfOperation | AffiliationChanged));
            let since = prevailing::revoked_since(cx, said);
            let before = revocation.production_date.zip(since).is_some_and(|(made, date)| made < date);
            since.is_none_or(|date| date <= cx.time) && !(in_order && before)
        });
        let question = CheckId::RevocationIssuerNotRevoked.about(&issuer.id);
        let failure = NotAcceptable::CertificateChainGeneralFailure;
        block.check(Some(rule), question, stated.is_none(), failure)?;
    }
    Ok(())
}

/// Returns since when the data keeps the status of expired certificates. The data's own statement
/// (expiredCertsOnCRL, archive cutoff) prevails over the trusted list's (TS 119 612 §5.5.9.1).
fn status_kept_since(cx: &ValidationContext<'_>, revocation: &Revocation) -> Option<Time> {
    let this_update = revocation.this_update?;
    let own = [revocation.expired_certs_on_crl, revocation.archive_cutoff];
    let listed = || {
        let issuer = cx.index.certificate(revocation.signing_certificate.as_ref()?)?;
        let mut services = issuer.trust_service_providers.iter().flat_map(|provider| &provider.services);
        services.find_map(|service| service.expired_certs_revocation_info)
    };
    let stated = if own == [None, None] { listed() } else { own.into_iter().flatten().min() };
    Some(stated.map_or(this_update, |stated| stated.min(this_update)))
}

/// Checks that the issuer's certificate is genuine and not itself of unknown status. Its level is that of revocation
/// data's certificates in the policy.
fn issuer_status(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    issuer: &Issuer<'_>,
    produced: Option<Time>,
) -> Result<(), Concluded> {
    let (certificate, section) = (issuer.certificate, PolicySection::Certificate(CONTEXT, issuer.sub));
    let general = NotAcceptable::CertificateChainGeneralFailure;
    let question = CheckId::CertificateSignatureIntact.about(&certificate.id);
    let intact = cx.rule(PolicySection::Basic(Context::Certificate), RuleName::SignatureIntact);
    block.check(intact, question, certificate.basic.intact, NotAcceptable::SigCryptoFailure)?;
    if certificate.self_signed {
        block.check_at(Level::Warn, CheckId::SelfSigned, true, general)?;
    }
    if !issuer.required {
        let question = CheckId::RevocationDataRequired.about(&certificate.id);
        return block.check(cx.rule(section, RuleName::RevocationDataSkip), question, false, general);
    }
    let available = cx.rule(section, RuleName::RevocationDataAvailable);
    block.check(available, CheckId::RevocationDataAvailableForIssuer, !certificate.revocations.is_empty(), general)?;
    if let Some(selection) = &issuer.selection {
        let found = cx.rule(section, RuleName::AcceptableRevocationDataFound);
        selection.relay(block, found)?;
        let used = selection.latest.as_ref().and_then(|id| cx.index.revocation(id)).zip(produced);
        if let Some((data, produced)) = used {
            check_current_at_use(block, cx.rule(section, RuleName::RevocationCurrentAtUse), data, produced)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::facts::{
        Certificate, CertificateRef, CertificateRefOrigin, CertificateStatus, Facts, FoundCertificate, Id,
        RevocationType,
    };
    use crate::policy::Policy;
    use crate::validation::context::ValidationContext;
    use crate::validation::revocation_selection;
    use crate::validation::situations::{answer, check};
    use crate::validation::testing::{at, certificate_mut};

    /// Returns what is said of the first revocation data of the signing certificate.
    fn of(cx: &ValidationContext<'_>) -> String {
        let selection = revocation_selection::select(cx, cx.index.certificate(&Id::new("SIGNER")).unwrap(), cx.time);
        answer(&selection.candidates[0].block)
    }

    /// Makes the data an OCSP response, signed by a responder below the anchor that needs no revocation data.
    fn ocsp(facts: &mut Facts) {
        let issuer = certificate_mut(facts, "TSA").clone();
        let mut responder = Certificate { id: Id::new("RESPONDER"), revocations: vec![], ..issuer };
        let no_check = crate::facts::ExtensionHeader { oid: "1.3.6.1.5.5.7.48.1.5".into(), ..Default::default() };
        responder.extensions.present.push(no_check);
        responder.extensions.extended_key_usage = Some(vec!["1.3.6.1.5.5.7.3.9".into()]);
        facts.certificates.push(responder);
        let data = &mut facts.revocations[0];
        data.kind = RevocationType::Ocsp;
        data.signing_certificate = Some(Id::new("RESPONDER"));
        data.chain = vec![Id::new("RESPONDER"), Id::new("ROOT")];
        data.found_certificates = vec![named("RESPONDER").into()];
    }

    /// Returns the reference by which `ResponderID` names that certificate.
    fn named(certificate: &str) -> FoundCertificate {
        FoundCertificate {
            certificate: Id::new(certificate),
            orphan: false,
            origins: vec![],
            references: vec![CertificateRef::new(CertificateRefOrigin::SigningCertificate)],
        }
    }

    #[test]
    fn any_data() {
        check(
            &Policy::dss(),
            "2021-06-02",
            of,
            &[
                ("5.2.6.4", "a good CRL", |_| {}, "PASSED"),
                (
                    "5.2.6.4",
                    "the status is not known",
                    |f| certificate_mut(f, "SIGNER").revocations[0].status = CertificateStatus::Unknown,
                    "INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE BBB_XCV_ISCUKN_ANS",
                ),
                (
                    "5.2.6.4",
                    "nobody knows who issued it",
                    |f| f.revocations[0].signing_certificate = None,
                    "INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE BBB_XCV_REVOC_ISSUER_KNOWN_ANS",
                ),
                (
                    "5.2.6.4",
                    "its issuer leads to no anchor",
                    |f| {
                        ocsp(f);
                        certificate_mut(f, "RESPONDER").chain.clear();
                    },
                    "INDETERMINATE/NO_CERTIFICATE_CHAIN_FOUND BBB_XCV_CCCBB_REV_ANS",
                ),
                (
                    "5.2.6.4",
                    "its signature is broken",
                    |f| f.revocations[0].basic.intact = false,
                    "FAILED/SIG_CRYPTO_FAILURE BBB_CV_ISI_ANS",
                ),
                (
                    "RFC 5280 §5.1.2.4",
                    "no time of issue",
                    |f| f.revocations[0].this_update = None,
                    "INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE BBB_XCV_REVOC_THIS_UPDATE_PRESENT_ANS",
                ),
                (
                    "5.2.6.4",
                    "issued before the certificate",
                    |f| f.revocations[0].this_update = Some(at("2019-12-31")),
                    "INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE BBB_XCV_REVOC_AFTER_CERT_NOT_BEFORE_ANS",
                ),
                (
                    "5.2.6.4",
                    "the certificate expired before it was issued",
                    |f| certificate_mut(f, "SIGNER").not_after = at("2021-05-31"),
                    "INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE BBB_XCV_REVOC_HAS_CERT_INFO_ANS",
                ),
                (
                    "X.509 expiredCertsOnCRL",
                    "so it did, and the CRL keeps expired certificates",
                    |f| {
                        certificate_mut(f, "SIGNER").not_after = at("2021-05-31");
                        f.revocations[0].expired_certs_on_crl = Some(at("2021-01-01"));
                    },
                    "PASSED",
                ),
            ],
        );
    }

    #[test]
    fn whoever_answers_is_in_force() {
        const NONE: &str = "INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE";
        check(
            &Policy::eidas(),
            "2021-06-02",
            |cx| {
                answer(
                    &revocation_selection::select(cx, cx.index.certificate(&Id::new("SIGNER")).unwrap(), cx.time)
                        .candidates[0]
                        .block,
                )
            },
            &[
                ("TS 119 612 §5.5.5", "trusted", |_| {}, "PASSED"),
                (
                    "TS 119 612 §5.5.5",
                    "trusted no longer when the data was made",
                    |f| certificate_mut(f, "ROOT").trust.sunset = Some(at("2021-05-01")),
                    const_key(NONE, "BBB_XCV_TRUST_IN_FORCE_ANS"),
                ),
                (
                    "TS 119 612 §5.5.5",
                    "trusted from later on",
                    |f| certificate_mut(f, "ROOT").trust.start = Some(at("2021-06-03")),
                    const_key(NONE, "BBB_XCV_TRUST_IN_FORCE_ANS"),
                ),
                (
                    "RFC 6960 §4.2.2.1",
                    "minutes ahead of our clock",
                    |f| f.revocations[0].production_date = Some(at("2021-06-02T00:04:00Z")),
                    "PASSED",
                ),
                (
                    "RFC 6960 §4.2.2.1",
                    "an hour ahead",
                    |f| f.revocations[0].production_date = Some(at("2021-06-02T01:00:00Z")),
                    const_key(NONE, "BBB_XCV_REVOC_NOT_IN_FUTURE_ANS"),
                ),
            ],
        );
    }

    /// Returns a conclusion and the key that leads to it.
    fn const_key(conclusion: &str, key: &str) -> &'static str {
        format!("{conclusion} {key}").leak()
    }

    #[test]
    fn ocsp_responses() {
        check(
            &Policy::dss(),
            "2021-06-02",
            of,
            &[
                ("RFC 6960 §3.2", "a good response", ocsp, "PASSED"),
                (
                    "RFC 6960 §3.2",
                    "the responder's certificate had expired",
                    |f| {
                        ocsp(f);
                        certificate_mut(f, "RESPONDER").not_after = at("2021-05-31");
                    },
                    "INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE BBB_XCV_REVOC_ISSUER_VALID_AT_PROD_ANS",
                ),
                (
                    "RFC 6960 §3.2",
                    "it names another responder",
                    |f| {
                        ocsp(f);
                        f.revocations[0].found_certificates = vec![named("TSA").into()];
                    },
                    "INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE BBB_XCV_REVOC_RESPID_MATCH_ANS",
                ),
                (
                    "RFC 6960 §3.2",
                    "it names two",
                    |f| {
                        ocsp(f);
                        f.revocations[0].found_certificates.push(named("TSA").into());
                    },
                    "INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE BBB_XCV_REVOC_RESPID_MATCH_ANS",
                ),
                (
                    "RFC 6960 §4.2.2.2",
                    "the responder's certificate is for something else",
                    |f| {
                        ocsp(f);
                        certificate_mut(f, "RESPONDER").extensions.extended_key_usage = None;
                    },
                    "INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE BBB_XCV_REVOC_RESP_AUTH_ANS",
                ),
                (
                    "RFC 6960 §4.2.2.2",
                    "the certificate's own issuer is the responder",
                    |f| {
                        ocsp(f);
                        f.revocations[0].signing_certificate = Some(Id::new("ROOT"));
                        f.revocations[0].chain = vec![Id::new("ROOT")];
                        f.revocations[0].found_certificates = vec![named("ROOT").into()];
                    },
                    "PASSED",
                ),
                (
                    "5.2.6.4",
                    "the certificate vouches for itself",
                    |f| {
                        ocsp(f);
                        f.revocations[0].chain.insert(1, Id::new("SIGNER"));
                    },
                    "PASSED BBB_XCV_REVOC_SELF_ISSUED_OCSP_ANS",
                ),
                (
                    "5.2.6.4",
                    "the responder's certificate is forged",
                    |f| {
                        ocsp(f);
                        certificate_mut(f, "RESPONDER").basic.intact = false;
                    },
                    "FAILED/SIG_CRYPTO_FAILURE BBB_CV_ISI_ANS",
                ),
                (
                    "5.2.6.4",
                    "the responder needs revocation data and has none",
                    |f| {
                        ocsp(f);
                        certificate_mut(f, "RESPONDER").extensions.present.clear();
                    },
                    "INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE BBB_XCV_IRDPFRC_ANS",
                ),
            ],
        );
    }
}
