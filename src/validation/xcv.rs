//! X.509 certificate validation: EN 319 102-1 §5.2.6.
//!
//! Answers one question: is the signing certificate good at the validation time, by a chain up to a trust anchor?
//! Each certificate of the chain is judged by [`sub_xcv`](super::sub_xcv); here the chain is followed and the
//! results are put together.

use super::blocks::{Aov, SubXcv, Xcv};
use super::case::{Case, position};
use super::engine::{Ask, BlockKind, Concluded, Failure, Steps, ask};
use super::outcome::SubIndication::{NoCertificateChainFound, NoCertificateChainFoundNoPoe};
use super::sub_xcv::{self, OTHER_ANCHOR, SUNSET, sub_xcv};
use crate::facts::{Certificate, CertificateSource, TrustService};
use crate::policy::{Context, Level, Place, Rule, RuleName, ValidityModel};
use crate::time::Time;

/// Validates `certificate`, which signed a token of that kind, used at `usage_time`. The token's algorithms were
/// judged to be `algorithms`.
pub fn xcv<'a>(
    case: &Case<'a>,
    certificate: &'a Certificate,
    usage_time: Time,
    context: Context,
    algorithms: &Aov,
) -> Xcv {
    let path = path(case, certificate, context);
    // What signed a signature is known to have existed when its time-stamps are judged; other tokens state their time.
    let used = (context == Context::Timestamp).then_some(usage_time);
    let results = judge_path(case, &path, certificate, context, used, algorithms);

    let mut steps = Steps::new(BlockKind::X509CertificateValidation, Some(&certificate.id));
    let _ = prospective_chain(case, &mut steps, certificate, context)
        .and_then(|()| anchor_is_valid(case, &mut steps, &path, context))
        .and_then(|()| {
            if results.is_empty() { Ok(()) } else { trust_service(case, &mut steps, certificate, usage_time, context) }
        })
        .and_then(|()| results.iter().try_for_each(|result| certificate_is_valid(case, &mut steps, result)));

    // That an anchor's trust has ended is worth a message only where the chain fails by it.
    let about_anchor = |question: &str| question == SUNSET || question == OTHER_ANCHOR;
    let mut block = steps.finish_showing(|check| !about_anchor(check.question));
    for result in &results {
        block.conclusion.add_messages_of(&result.block.conclusion);
        for check in result.block.checks.iter().filter(|check| about_anchor(check.question)) {
            let key = check.failure;
            match check.status {
                super::engine::Status::NotOk => block.conclusion.errors.retain(|m| m.key != key),
                super::engine::Status::Warning => block.conclusion.warnings.retain(|m| m.key != key),
                super::engine::Status::Information => block.conclusion.infos.retain(|m| m.key != key),
                super::engine::Status::Ok | super::engine::Status::Ignored => {}
            }
        }
    }
    Xcv { block, certificates: results }
}

/// The certificates from the signing certificate up to the first that ends the chain, and whether one did.
struct Path<'a> {
    certificates: Vec<&'a Certificate>,
    ends_at_anchor: bool,
}

/// §5.2.6.4 2): follows the issuers up to a trust anchor, or to a trusted certificate with no trusted issuer above.
fn path<'a>(case: &Case<'a>, certificate: &'a Certificate, context: Context) -> Path<'a> {
    let mut certificates = vec![];
    for (depth, candidate) in std::iter::once(certificate).chain(case.issuers(certificate)).enumerate() {
        certificates.push(candidate);
        let last_hope = candidate.trust.trusted && !case.has_trusted_issuer(candidate);
        if last_hope || case.is_trust_anchor(candidate, case.time, context, position(depth)) {
            return Path { certificates, ends_at_anchor: true };
        }
    }
    Path { certificates, ends_at_anchor: false }
}

/// Every certificate of the path, judged: at the validation time, or as the validity model has it.
fn judge_path<'a>(
    case: &Case<'a>,
    path: &Path<'a>,
    certificate: &'a Certificate,
    context: Context,
    used: Option<Time>,
    algorithms: &Aov,
) -> Vec<SubXcv> {
    let rule = case.rule(Place::Basic(context), RuleName::ProspectiveCertificateChain);
    let insists = rule.is_some_and(|rule| rule.level == Level::Fail);
    if insists && !case.leads_to_trust(certificate) {
        return vec![];
    }
    let mut time = case.time;
    let mut results = vec![];
    for (depth, &link) in path.certificates.iter().enumerate() {
        results.push(sub_xcv(case, link, time, context, position(depth), used, algorithms));
        time = match case.policy.model {
            ValidityModel::Shell => case.time,
            // Every CA when the signing certificate was issued.
            ValidityModel::Hybrid => certificate.not_before,
            // Each CA when it issued.
            _ => link.not_before,
        };
    }
    results
}

/// §5.2.6.4 2) a): some chain leads to trust.
fn prospective_chain(
    case: &Case<'_>,
    steps: &mut Steps,
    certificate: &Certificate,
    context: Context,
) -> Result<(), Concluded> {
    let question = Ask::new("BBB_XCV_CCCBB", chain_failure(context));
    let rule = case.rule(Place::Basic(context), RuleName::ProspectiveCertificateChain);
    steps.rule(rule, question, case.leads_to_trust(certificate), Failure::indeterminate(NoCertificateChainFound))
}

/// The failure key of a missing chain, for a token of that kind.
pub(super) fn chain_failure(context: Context) -> &'static str {
    match context {
        Context::Signature | Context::CounterSignature => "BBB_XCV_CCCBB_SIG_ANS",
        Context::Timestamp => "BBB_XCV_CCCBB_TSP_ANS",
        Context::Revocation => "BBB_XCV_CCCBB_REV_ANS",
        _ => "BBB_XCV_CCCBB_ANS",
    }
}

/// §5.2.6.4 3): the anchor's trust has not ended.
fn anchor_is_valid(case: &Case<'_>, steps: &mut Steps, path: &Path<'_>, context: Context) -> Result<(), Concluded> {
    for (depth, candidate) in path.certificates.iter().enumerate() {
        let trust = candidate.trust;
        if trust.trusted && trust.start.is_some() || trust.sunset.is_some() {
            sub_xcv::before_sunset(case, steps, candidate, context, position(depth))?;
        }
        if path.ends_at_anchor && depth + 1 == path.certificates.len() {
            let rule = case.rule(Place::Certificate(context, position(depth)), RuleName::SunsetDate);
            let above = case.issuers(candidate);
            let valid = std::iter::once(*candidate).chain(above).any(|c| is_anchor_in_time(c, case.time));
            let failure = Failure::indeterminate(NoCertificateChainFoundNoPoe);
            steps.rule(rule, ask!("BBB_XCV_HPCCVVT"), valid, failure)?;
            let rule = case.rule(Place::Certificate(context, position(depth)), RuleName::TrustInForce);
            let above = case.issuers(candidate);
            let begun = std::iter::once(*candidate).chain(above).any(|c| c.trust.trusted && has_begun(c, case.time));
            let compared = candidate.trust.start.map_or_else(String::new, |start| format!("{start} ≤ {}", case.time));
            let question = ask!("BBB_XCV_TRUST_IN_FORCE").about(&candidate.id).comparing(compared);
            steps.rule(rule, question, begun, Failure::indeterminate(NoCertificateChainFound))?;
        }
    }
    Ok(())
}

/// Whether a certificate is trusted and its trust has not ended, however strict the policy is about it.
pub(super) fn is_anchor_in_time(certificate: &Certificate, time: Time) -> bool {
    certificate.trust.trusted && certificate.trust.sunset.is_none_or(|sunset| time < sunset)
}

/// Whether the trust in a certificate has begun.
pub(super) fn has_begun(certificate: &Certificate, time: Time) -> bool {
    certificate.trust.start.is_none_or(|start| start <= time)
}

/// The trusted list's service was of an accepted type, and had an accepted status, when the certificate was used.
fn trust_service(
    case: &Case<'_>,
    steps: &mut Steps,
    certificate: &Certificate,
    usage_time: Time,
    context: Context,
) -> Result<(), Concluded> {
    let failure = || Failure::indeterminate(NoCertificateChainFound);
    let key = |sig, tsp, rev, other| match context {
        Context::Signature | Context::CounterSignature => sig,
        Context::Timestamp => tsp,
        Context::Revocation => rev,
        _ => other,
    };
    let place = Place::Basic(context);
    let types = case.rule(place, RuleName::TrustServiceTypeIdentifier);
    let kind = |service: &TrustService, rule: &Rule| accepts(rule, service.service_type.as_deref());
    let holds = types.is_some_and(|rule| has_service(case, certificate, usage_time, |s| kind(s, rule)));
    let ans = key("XCV_TSL_ETIP_SIG_ANS", "XCV_TSL_ETIP_TSP_ANS", "XCV_TSL_ETIP_REV_ANS", "XCV_TSL_ETIP_ANS");
    steps.rule(types, Ask::new("XCV_TSL_ETIP", ans), holds, failure())?;

    let statuses = case.rule(place, RuleName::TrustServiceStatus);
    let status = |service: &TrustService, rule: &Rule| accepts(rule, service.status.as_deref());
    let holds = statuses.is_some_and(|rule| has_service(case, certificate, usage_time, |s| status(s, rule)));
    let ans = key("XCV_TSL_ESP_SIG_ANS", "XCV_TSL_ESP_TSP_ANS", "XCV_TSL_ESP_REV_ANS", "XCV_TSL_ESP_ANS");
    steps.rule(statuses, Ask::new("XCV_TSL_ESP", ans), holds, failure())
}

fn accepts(rule: &Rule, value: Option<&str>) -> bool {
    value.map(str::trim).is_some_and(|value| !value.is_empty() && rule.accepts(value))
}

/// Whether a service covers the certificate at that time. A chain to a trust store needs none.
fn has_service(
    case: &Case<'_>,
    certificate: &Certificate,
    time: Time,
    accepted: impl Fn(&TrustService) -> bool,
) -> bool {
    let mut issuers = certificate.chain.iter().filter_map(|id| case.certificate(id));
    issuers.any(|issuer| issuer.sources.contains(&CertificateSource::TrustedStore))
        || certificate.trust_service_providers.iter().flat_map(|provider| &provider.services).any(|service| {
            accepted(service)
                && service.start.is_some_and(|start| start <= time)
                && service.end.is_none_or(|end| time < end)
        })
}

/// §5.2.6.4 4): the certificate's own result. One that is itself trusted was given up as an anchor before.
fn certificate_is_valid(case: &Case<'_>, steps: &mut Steps, result: &SubXcv) -> Result<(), Concluded> {
    let conclusion = &result.block.conclusion;
    let trusted = case.certificate(&result.certificate).is_some_and(|certificate| certificate.trust.trusted);
    let (key, failure) = if trusted {
        ("BBB_XCV_SUB_ANS_2", Failure::indeterminate(NoCertificateChainFoundNoPoe))
    } else {
        let (indication, sub_indication) = (conclusion.indication, conclusion.sub_indication);
        ("BBB_XCV_SUB_ANS", Failure { indication, sub_indication, previous_errors: vec![] })
    };
    let question =
        Ask::new("BBB_XCV_SUB", key).about(&result.certificate).of_block(BlockKind::SubX509CertificateValidation);
    steps.level(Some(Level::Fail), question, conclusion.is_passed(), failure)
}

#[cfg(test)]
mod tests {
    use crate::facts::{CertificateSource, Facts, TrustService, TrustServiceProvider};
    use crate::policy::Policy;
    use crate::validation::bbb::signature_blocks;
    use crate::validation::case::Case;
    use crate::validation::situations::{answer, check, policy};
    use crate::validation::testing::{at, certificate_mut};

    fn of(case: &Case<'_>) -> String {
        answer(&signature_blocks(case, &case.facts.signatures[0], &Default::default()).xcv.unwrap().block)
    }

    /// The anchor's trust ended then.
    fn sunset(facts: &mut Facts, name: &str, date: &str) {
        let trust = &mut certificate_mut(facts, name).trust;
        (trust.trusted, trust.start, trust.sunset) = (true, Some(at("2015-01-01")), Some(at(date)));
    }

    #[test]
    fn anchors() {
        check(
            &Policy::dss(),
            "2021-06-02",
            of,
            &[
                ("5.2.6.4 2)", "a chain to an anchor", |_| {}, "PASSED"),
                (
                    "5.2.6.4 2)",
                    "no anchor",
                    |f| certificate_mut(f, "ROOT").trust.trusted = false,
                    "INDETERMINATE/NO_CERTIFICATE_CHAIN_FOUND BBB_XCV_CCCBB_SIG_ANS",
                ),
                (
                    "5.2.6.4 2)",
                    "the signing certificate is itself the anchor",
                    |f| certificate_mut(f, "SIGNER").trust.trusted = true,
                    "PASSED",
                ),
                ("5.2.6.4 3)", "an anchor whose trust goes on", |f| sunset(f, "ROOT", "2021-06-03"), "PASSED"),
                (
                    "5.2.6.4 3)",
                    "an anchor whose trust has just ended",
                    |f| sunset(f, "ROOT", "2021-06-02"),
                    "INDETERMINATE/NO_CERTIFICATE_CHAIN_FOUND_NO_POE BBB_XCV_IVTBCTSD_ANS BBB_XCV_HPCCVVT_ANS",
                ),
                (
                    "5.2.6.4 3)",
                    "a signing certificate that was trusted, below an anchor",
                    |f| sunset(f, "SIGNER", "2021-06-02"),
                    "PASSED BBB_XCV_IVTBCTSD_ANS",
                ),
            ],
        );
    }

    #[test]
    fn trust_that_has_not_begun() {
        let begins = "INDETERMINATE/NO_CERTIFICATE_CHAIN_FOUND BBB_XCV_TRUST_IN_FORCE_ANS";
        let rules = policy(
            "<SignatureConstraints><BasicSignatureConstraints><SigningCertificate><TrustInForce Level='FAIL'/>\
             </SigningCertificate><CACertificate><TrustInForce Level='FAIL'/></CACertificate>\
             </BasicSignatureConstraints></SignatureConstraints>",
        );
        let from = |policy: &Policy, rows: &[(&'static str, fn(&mut Facts), &'static str)]| {
            for (situation, spoil, expected) in rows {
                check(policy, "2021-06-02", of, &[("TS 119 612 §5.5.5", situation, *spoil, expected)]);
            }
        };
        let on: fn(&mut Facts) = |f| certificate_mut(f, "ROOT").trust.start = Some(at("2021-06-02"));
        let after: fn(&mut Facts) = |f| certificate_mut(f, "ROOT").trust.start = Some(at("2021-06-03"));
        from(&rules, &[("begins at that moment", on, "PASSED"), ("begins a day later", after, begins)]);
        from(&Policy::dss(), &[("DSS does not ask", after, "PASSED")]);
    }

    #[test]
    fn trust_services() {
        /// A service in whose list the chain ends.
        fn listed(facts: &mut Facts, kind: &str, end: Option<&str>) {
            certificate_mut(facts, "ROOT").sources = vec![CertificateSource::TrustedList];
            let service = TrustService {
                service_type: Some(kind.into()),
                start: Some(at("2016-07-01")),
                end: end.map(at),
                ..TrustService::default()
            };
            let provider = TrustServiceProvider { services: vec![service], ..TrustServiceProvider::default() };
            certificate_mut(facts, "SIGNER").trust_service_providers = vec![provider];
        }
        let rules = policy(
            "<SignatureConstraints><BasicSignatureConstraints><TrustServiceTypeIdentifier Level='FAIL'><Id>CA/QC</Id>\
             </TrustServiceTypeIdentifier></BasicSignatureConstraints></SignatureConstraints>",
        );
        check(
            &rules,
            "2021-06-02",
            of,
            &[
                ("TS 119 612 §5.5.1", "a trust store has no services", |_| {}, "PASSED"),
                ("TS 119 612 §5.5.1", "a service of that type", |f| listed(f, "CA/QC", None), "PASSED"),
                (
                    "TS 119 612 §5.5.1",
                    "a service of another type",
                    |f| listed(f, "TSA/QTST", None),
                    "INDETERMINATE/NO_CERTIFICATE_CHAIN_FOUND XCV_TSL_ETIP_SIG_ANS",
                ),
                (
                    "TS 119 612 §5.5.4",
                    "it ended before the certificate was issued",
                    |f| listed(f, "CA/QC", Some("2019-01-01")),
                    "INDETERMINATE/NO_CERTIFICATE_CHAIN_FOUND XCV_TSL_ETIP_SIG_ANS",
                ),
            ],
        );
    }
}
