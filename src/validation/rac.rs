//! Revocation acceptance checker: EN 319 102-1 §5.2.6.4 (working specification §7.3).
//!
//! Answers one question: may this piece of revocation data be believed about this certificate? Whether it is
//! recent enough is asked elsewhere ([`rfc`](super::rfc)), and which of several is used in [`crs`](super::crs).

use super::blocks::{Crs, Rac};
use super::case::{Case, position};
use super::crs::{self, Walk};
use super::engine::{Ask, Block, BlockKind, Concluded, Failure, Steps, ask};
use super::outcome::SubIndication::{CertificateChainGeneralFailure, NoCertificateChainFound, SigCryptoFailure};
use super::prevailing;
use super::skip::revocation_required;
use super::sub_xcv::current_at_use;
use super::validity::has_ended;
use super::xcv::has_begun;
use crate::facts::{
    Certificate, CertificateRefOrigin, CertificateRevocation, CertificateStatus, Id, Revocation, RevocationReason,
    RevocationType,
};
use crate::policy::{Context, Level, Place, Rule, RuleName, SubContext};
use crate::time::Time;
use std::sync::Arc;

const CONTEXT: Context = Context::Revocation;

/// Checks whether `entry`, which `revocation` says of `certificate`, is acceptable at the walk's time.
pub(super) fn check<'a>(
    case: &Case<'a>,
    certificate: &'a Certificate,
    entry: &CertificateRevocation,
    revocation: &'a Revocation,
    walk: &mut Walk,
) -> Rac {
    let issuers = issuer_selections(case, revocation, walk);
    let circular =
        revocation.chain.contains(&certificate.id) || prevailing::is_final(case) && walk.came_from(&revocation.chain);

    let mut steps = Steps::new(BlockKind::RevocationAcceptance, Some(&revocation.id));
    let _ = authentic(case, &mut steps, entry, revocation)
        .and_then(|()| ocsp_response(case, &mut steps, certificate, revocation, circular))
        .and_then(|()| about_certificate(case, &mut steps, certificate, revocation))
        .and_then(|()| issuer_not_revoked(case, &mut steps, certificate, revocation))
        .and_then(|()| issuer_in_force(case, &mut steps, revocation))
        .and_then(|()| {
            issuers.iter().try_for_each(|issuer| issuer_status(case, &mut steps, issuer, revocation.production_date))
        });
    let mut block = steps.finish();
    let selections: Vec<Arc<Crs>> = issuers.into_iter().filter_map(|issuer| issuer.selection).collect();
    if let Some(last) = selections.last() {
        block.conclusion.add_messages_of(&last.block.conclusion);
    }
    Rac { certificate: certificate.id.clone(), revocation: revocation.id.clone(), block, selections }
}

/// What stands in for the result when the budget is spent: not acceptable.
pub(super) fn not_looked_at(certificate: &Certificate, revocation: &Revocation) -> Rac {
    let mut steps = Steps::new(BlockKind::RevocationAcceptance, Some(&revocation.id));
    let failure = Failure::indeterminate(CertificateChainGeneralFailure);
    let _ = steps.level(Some(Level::Fail), ask!("BBB_FC_BUDGET_EXCEEDED"), false, failure);
    let block: Block = steps.finish();
    Rac { certificate: certificate.id.clone(), revocation: revocation.id.clone(), block, selections: vec![] }
}

fn rule<'a>(case: &Case<'a>, name: RuleName) -> Option<&'a Rule> {
    case.rule(Place::Token(CONTEXT), name)
}

/// The status is known, and the data is signed by somebody with a chain to a trust anchor.
fn authentic(
    case: &Case<'_>,
    steps: &mut Steps,
    entry: &CertificateRevocation,
    revocation: &Revocation,
) -> Result<(), Concluded> {
    let general = || Failure::indeterminate(CertificateChainGeneralFailure);
    let issuer = revocation.signing_certificate.as_ref().and_then(|id| case.certificate(id));

    // An OCSP response may say that the responder does not know the certificate (RFC 6960 §2.2).
    let known = entry.status != CertificateStatus::Unknown;
    steps.rule(rule(case, RuleName::UnknownStatus), ask!("BBB_XCV_ISCUKN"), known, general())?;

    let found = issuer.is_some();
    steps.rule(rule(case, RuleName::RevocationIssuerKnown), ask!("BBB_XCV_REVOC_ISSUER_KNOWN"), found, general())?;

    let trusted = issuer.is_some_and(|issuer| case.leads_to_trust(issuer));
    let ask_chain = Ask::new("BBB_XCV_CCCBB", "BBB_XCV_CCCBB_REV_ANS");
    let chain = case.rule(Place::Basic(CONTEXT), RuleName::ProspectiveCertificateChain);
    steps.rule(chain, ask_chain, trusted, Failure::indeterminate(NoCertificateChainFound))?;

    let intact = case.rule(Place::Basic(CONTEXT), RuleName::SignatureIntact);
    let ask_intact = Ask::new("BBB_CV_ISIR", "BBB_CV_ISI_ANS");
    steps.rule(intact, ask_intact, revocation.basic.intact, Failure::failed(SigCryptoFailure))?;

    let dated = revocation.this_update.is_some();
    steps.rule(rule(case, RuleName::ThisUpdatePresent), ask!("BBB_XCV_REVOC_THIS_UPDATE_PRESENT"), dated, general())
}

/// What holds for OCSP responses only (RFC 6960 §3.2).
fn ocsp_response(
    case: &Case<'_>,
    steps: &mut Steps,
    certificate: &Certificate,
    revocation: &Revocation,
    circular: bool,
) -> Result<(), Concluded> {
    if revocation.kind != RevocationType::Ocsp {
        return Ok(());
    }
    let general = || Failure::indeterminate(CertificateChainGeneralFailure);
    let responder = revocation.signing_certificate.as_ref().and_then(|id| case.certificate(id));

    // The responder's certificate was valid when it produced the response.
    let valid =
        responder.zip(revocation.production_date).is_some_and(|(r, at)| r.not_before <= at && at <= r.not_after);
    let valid_at = rule(case, RuleName::RevocationIssuerValidAtProductionTime);
    steps.rule(valid_at, ask!("BBB_XCV_REVOC_ISSUER_VALID_AT_PROD"), valid, general())?;

    // ResponderID names one certificate, and that one signed.
    let named: Vec<&Id> = revocation
        .found_certificates
        .iter()
        .filter(|f| !f.orphan && f.references.iter().any(|r| r.origin == CertificateRefOrigin::SigningCertificate))
        .map(|found| &found.certificate)
        .collect();
    let matches = responder.is_some_and(|responder| named == [&responder.id]);
    steps.rule(rule(case, RuleName::OCSPResponderIdMatch), ask!("BBB_XCV_REVOC_RESPID_MATCH"), matches, general())?;

    let authorized =
        responder.is_some_and(|responder| prevailing::is_authorized_responder(case, responder, certificate));
    let name = rule(case, RuleName::OCSPResponderAuthorized);
    steps.rule(name, ask!("BBB_XCV_REVOC_RESP_AUTH"), authorized, general())?;

    // certHash, a German extension: the responder has seen this very certificate.
    let present = revocation.cert_hash_present;
    steps.rule(
        rule(case, RuleName::OCSPCertHashPresent),
        ask!("BBB_XCV_REVOC_CERT_HASH_PRESENT"),
        present,
        general(),
    )?;
    if present {
        let name = rule(case, RuleName::OCSPCertHashMatch);
        steps.rule(name, ask!("BBB_XCV_REVOC_CERT_HASH_MATCH"), revocation.cert_hash_match, general())?;
    }

    steps.rule(rule(case, RuleName::SelfIssuedOCSP), ask!("BBB_XCV_REVOC_SELF_ISSUED_OCSP"), !circular, general())
}

/// The data was issued while its issuer kept the certificate's status.
fn about_certificate(
    case: &Case<'_>,
    steps: &mut Steps,
    certificate: &Certificate,
    revocation: &Revocation,
) -> Result<(), Concluded> {
    let general = || Failure::indeterminate(CertificateChainGeneralFailure);
    let after = revocation.this_update.is_some_and(|this_update| certificate.not_before <= this_update);
    let name = rule(case, RuleName::RevocationAfterCertificateIssuance);
    steps.rule(name, ask!("BBB_XCV_REVOC_AFTER_CERT_NOT_BEFORE"), after, general())?;

    let informed = revocation.cert_hash_present && revocation.cert_hash_match
        || status_kept_since(case, revocation).is_some_and(|since| certificate.not_after >= since);
    let name = rule(case, RuleName::RevocationHasInformationAboutCertificate);
    steps.rule(name, ask!("BBB_XCV_REVOC_HAS_CERT_INFO"), informed, general())?;

    // RFC 5280 §5.1.2.4, RFC 6960 §2.4: what is stated as of a later time was not known at the time judged for.
    // NOTE: clocks differ by minutes, and an answer that was asked for is newer than the moment at which it was.
    let rule = rule(case, RuleName::RevocationNotInFuture);
    let latest = case.time.plus_millis(rule.and_then(|rule| rule.duration_millis).unwrap_or(0));
    let begun = [revocation.this_update, revocation.production_date].iter().flatten().all(|issued| *issued <= latest);
    let compared = revocation.this_update.map_or_else(String::new, |issued| format!("{issued} ≤ {}", case.time));
    let question = ask!("BBB_XCV_REVOC_NOT_IN_FUTURE").about(&revocation.id).comparing(compared);
    steps.rule(rule, question, begun, general())
}

/// Whoever signed the data was trusted when it was produced, and so long the certificates above were valid.
fn issuer_in_force(case: &Case<'_>, steps: &mut Steps, revocation: &Revocation) -> Result<(), Concluded> {
    let Some(produced) = revocation.production_date else { return Ok(()) };
    let general = || Failure::indeterminate(CertificateChainGeneralFailure);
    for (depth, issuer) in case.chain(&revocation.chain).into_iter().enumerate() {
        let place = Place::Certificate(CONTEXT, position(depth));
        if issuer.trust.trusted {
            let trusted = |one: &Certificate| {
                one.trust.trusted
                    && has_begun(one, case.time)
                    && one.trust.sunset.is_none_or(|sunset| produced < sunset)
            };
            let in_force = std::iter::once(issuer).chain(case.issuers(issuer)).any(trusted);
            let question = ask!("BBB_XCV_TRUST_IN_FORCE").about(&issuer.id);
            return steps.rule(case.rule(place, RuleName::TrustInForce), question, in_force, general());
        }
        let question =
            ask!("BBB_XCV_CHAIN_NOT_EXPIRED").about(&issuer.id).comparing(format!("{produced} ≤ {}", issuer.not_after));
        let rule = case.rule(place, RuleName::ChainNotExpired);
        steps.rule(rule, question, !has_ended(issuer, produced), general())?;
    }
    Ok(())
}

/// Nobody has stated that whoever signed the data, or a CA above that the certificate itself does not rest on, is
/// revoked.
///
/// NOTE: of a responder that was replaced in good order, what it said before stands. A time is no help against whoever
/// has its key: he writes what time he likes.
fn issuer_not_revoked(
    case: &Case<'_>,
    steps: &mut Steps,
    certificate: &Certificate,
    revocation: &Revocation,
) -> Result<(), Concluded> {
    use RevocationReason::{AffiliationChanged, CessationOfOperation, Superseded};
    let Some(rule) = rule(case, RuleName::RevocationIssuerNotRevoked) else { return Ok(()) };
    for issuer in case.chain(&revocation.chain) {
        if issuer.trust.trusted || issuer.id == certificate.id || certificate.chain.contains(&issuer.id) {
            break;
        }
        let stated = prevailing::stated_revocation(case, issuer).filter(|(said, _)| {
            let in_order = matches!(said.reason, Some(Superseded | CessationOfOperation | AffiliationChanged));
            let before = revocation.production_date.zip(said.revocation_date).is_some_and(|(made, date)| made < date);
            said.revocation_date.is_none_or(|date| date <= case.time) && !(in_order && before)
        });
        let question = ask!("BBB_XCV_REVOC_ISSUER_NOT_REVOKED").about(&issuer.id);
        let failure = Failure::indeterminate(CertificateChainGeneralFailure);
        steps.rule(Some(rule), question, stated.is_none(), failure)?;
    }
    Ok(())
}

/// Certificates that expired before this may have been dropped from the data. The data's own statement
/// (expiredCertsOnCRL, archive cutoff) prevails over the trusted list's (TS 119 612 §5.5.9.1).
fn status_kept_since(case: &Case<'_>, revocation: &Revocation) -> Option<Time> {
    let this_update = revocation.this_update?;
    let own = [revocation.expired_certs_on_crl, revocation.archive_cutoff];
    let listed = || {
        let issuer = case.certificate(revocation.signing_certificate.as_ref()?)?;
        let mut services = issuer.trust_service_providers.iter().flat_map(|provider| &provider.services);
        services.find_map(|service| service.expired_certs_revocation_info)
    };
    let stated = if own == [None, None] { listed() } else { own.into_iter().flatten().min() };
    Some(stated.map_or(this_update, |stated| stated.min(this_update)))
}

/// A certificate of the data's issuer, below the trust anchor, and the selection of its own revocation data.
struct Issuer<'a> {
    certificate: &'a Certificate,
    sub: SubContext,
    required: bool,
    selection: Option<Arc<Crs>>,
}

/// The certificates of the chain below the anchor that were not visited before, each with its own selection.
fn issuer_selections<'a>(case: &Case<'a>, revocation: &'a Revocation, walk: &mut Walk) -> Vec<Issuer<'a>> {
    let mut issuers = vec![];
    for certificate in case.chain(&revocation.chain) {
        let sub = match &revocation.signing_certificate {
            Some(signer) if *signer == certificate.id => SubContext::SigningCertificate,
            _ => SubContext::CaCertificate,
        };
        if case.is_trust_anchor(certificate, walk.time, CONTEXT, sub) {
            break;
        }
        if walk.has_visited(&certificate.id) {
            continue;
        }
        let required = revocation_required(case, certificate, walk.time, CONTEXT, sub);
        let selection = if required && !certificate.revocations.is_empty() {
            Some(crs::select_on_walk(case, certificate, walk))
        } else {
            walk.visit(&certificate.id);
            None
        };
        issuers.push(Issuer { certificate, sub, required, selection });
    }
    issuers
}

/// The issuer's certificate is genuine and not itself of unknown status. Its level is that of revocation data's
/// certificates in the policy.
fn issuer_status(
    case: &Case<'_>,
    steps: &mut Steps,
    issuer: &Issuer<'_>,
    produced: Option<Time>,
) -> Result<(), Concluded> {
    let (certificate, place) = (issuer.certificate, Place::Certificate(CONTEXT, issuer.sub));
    let general = || Failure::indeterminate(CertificateChainGeneralFailure);
    let ask_intact = Ask::new("BBB_CV_ISIC", "BBB_CV_ISI_ANS").about(&certificate.id);
    let intact = case.rule(Place::Basic(Context::Certificate), RuleName::SignatureIntact);
    steps.rule(intact, ask_intact, certificate.basic.intact, Failure::failed(SigCryptoFailure))?;
    if certificate.self_signed {
        steps.level(Some(Level::Warn), ask!("BBB_XCV_ISSSC"), true, general())?;
    }
    if !issuer.required {
        let ask_required = ask!("BBB_XCV_IRDCSFC").about(&certificate.id);
        return steps.rule(case.rule(place, RuleName::RevocationDataSkip), ask_required, false, general());
    }
    let available = case.rule(place, RuleName::RevocationDataAvailable);
    steps.rule(available, ask!("BBB_XCV_IRDPFRC"), !certificate.revocations.is_empty(), general())?;
    if let Some(selection) = &issuer.selection {
        let found = case.rule(place, RuleName::AcceptableRevocationDataFound);
        crs::check_result(steps, found, selection)?;
        let used = selection.latest.as_ref().and_then(|id| case.revocation(id)).zip(produced);
        if let Some((data, produced)) = used {
            current_at_use(steps, case.rule(place, RuleName::RevocationCurrentAtUse), data, produced)?;
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
    use crate::validation::case::Case;
    use crate::validation::crs;
    use crate::validation::situations::{answer, check};
    use crate::validation::testing::{at, certificate_mut};

    /// What is said of the first revocation data of the signing certificate.
    fn of(case: &Case<'_>) -> String {
        let selection = crs::select(case, case.certificate(&Id::new("SIGNER")).unwrap(), case.time);
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
        data.found_certificates = vec![named("RESPONDER")];
    }

    /// `ResponderID` names that certificate.
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
            |case| {
                answer(&crs::select(case, case.certificate(&Id::new("SIGNER")).unwrap(), case.time).candidates[0].block)
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

    /// A conclusion and the key that leads to it.
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
                        f.revocations[0].found_certificates = vec![named("TSA")];
                    },
                    "INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE BBB_XCV_REVOC_RESPID_MATCH_ANS",
                ),
                (
                    "RFC 6960 §3.2",
                    "it names two",
                    |f| {
                        ocsp(f);
                        f.revocations[0].found_certificates.push(named("TSA"));
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
                        f.revocations[0].found_certificates = vec![named("ROOT")];
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
