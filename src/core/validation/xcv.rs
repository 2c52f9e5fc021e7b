//! X.509 certificate validation: EN 319 102-1 §5.2.6.
//!
//! Answers one question: is the signing certificate good at the validation time, by a chain up to a trust anchor? Each
//! certificate of the chain is judged by `certificate_in_path`; here the chain is
//! followed and the results are put together.

use super::blocks::{AlgorithmObsolescence, CertificateInPath, Xcv};
use super::certificate_in_path::{Link, before_sunset, judge};
use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{BlockBuilder, BlockKind, Concluded, Failure};
use super::outcome::outcomes;
use super::validity::{has_begun, is_anchor_in_time};
use crate::facts::{Certificate, CertificateSource, TrustService};
use crate::policy::{Context, Level, PolicySection, Rule, RuleName, SubContext, ValidityModel};
use crate::time::Time;
use std::sync::Arc;

outcomes! {
    /// The outcomes of path validation, but for those of its certificates: EN 319 102-1 §5.2.6.3.
    enum NoValidPath {
        NoCertificateChainFound,
        NoCertificateChainFoundNoPoe,
    }
}

/// Validates `certificate`, which signed a token of that kind, used at `usage_time`. The token's algorithms were
/// judged to be `algorithms`.
pub fn xcv<'a>(
    cx: &ValidationContext<'a>,
    certificate: &'a Certificate,
    usage_time: Time,
    context: Context,
    algorithms: &AlgorithmObsolescence,
) -> Xcv {
    let path = path(cx, certificate, context);
    // What signed a signature is known to have existed when its time-stamps are judged; other tokens state their time.
    let used = (context == Context::Timestamp).then_some(usage_time);
    let results = judge_path(cx, &path, certificate, context, used, algorithms);

    let mut block = BlockBuilder::new(BlockKind::X509CertificateValidation, &certificate.id);
    let _ = prospective_chain(cx, &mut block, certificate, context)
        .and_then(|()| anchor_is_valid(cx, &mut block, &path, context))
        .and_then(|()| {
            if results.is_empty() { Ok(()) } else { trust_service(cx, &mut block, certificate, usage_time, context) }
        })
        .and_then(|()| results.iter().try_for_each(|result| certificate_is_valid(cx, &mut block, result)));

    // That an anchor's trust has ended is worth a message only where the chain fails by it.
    let mut block = block.finish();
    let is_about_anchor = |check| matches!(check, CheckId::BeforeSunset | CheckId::OtherAnchorAbove);
    for result in &results {
        block.conclusion.add_messages_where(&result.block.conclusion, |message| !is_about_anchor(message.check));
    }
    Xcv { block, certificates: results }
}

/// The certificates from the signing certificate up to the first that ends the chain, and whether one did.
struct Path<'a> {
    certificates: Vec<&'a Certificate>,
    ends_at_anchor: bool,
}

/// Follows the issuers (§5.2.6.4 2)) up to a trust anchor, or to a trusted certificate with no trusted issuer above.
fn path<'a>(cx: &ValidationContext<'a>, certificate: &'a Certificate, context: Context) -> Path<'a> {
    let mut certificates = vec![];
    for (depth, candidate) in std::iter::once(certificate).chain(cx.index.issuers(certificate)).enumerate() {
        certificates.push(candidate);
        let last_hope = candidate.trust.trusted && !cx.index.has_trusted_issuer(candidate);
        if last_hope || cx.is_trust_anchor(candidate, cx.time, context, SubContext::at_depth(depth)) {
            return Path { certificates, ends_at_anchor: true };
        }
    }
    Path { certificates, ends_at_anchor: false }
}

/// Judges every certificate of the path: at the validation time, or as the validity model has it.
fn judge_path<'a>(
    cx: &ValidationContext<'a>,
    path: &Path<'a>,
    certificate: &'a Certificate,
    context: Context,
    used: Option<Time>,
    algorithms: &AlgorithmObsolescence,
) -> Vec<Arc<CertificateInPath>> {
    let rule = cx.rule(PolicySection::Basic(context), RuleName::ProspectiveCertificateChain);
    let insists = rule.is_some_and(|rule| rule.level == Level::Fail);
    if insists && !cx.index.leads_to_trust(certificate) {
        return vec![];
    }
    let mut time = cx.time;
    let mut results = vec![];
    for (depth, &link) in path.certificates.iter().enumerate() {
        let sub = SubContext::at_depth(depth);
        results.push(Arc::new(judge(Link { cx, certificate: link, time, context, sub, used, algorithms })));
        time = match cx.policy.model {
            ValidityModel::Shell => cx.time,
            // Every CA when the signing certificate was issued.
            ValidityModel::Hybrid => certificate.not_before,
            // Each CA when it issued.
            _ => link.not_before,
        };
    }
    results
}

/// Checks that some chain leads to trust: §5.2.6.4 2) a).
fn prospective_chain(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    certificate: &Certificate,
    context: Context,
) -> Result<(), Concluded> {
    let check = for_context(
        context,
        CheckId::ProspectiveChainOfSignature,
        CheckId::ProspectiveChainOfTimestamp,
        CheckId::ProspectiveChainOfRevocation,
        CheckId::ProspectiveChain,
    );
    let rule = cx.rule(PolicySection::Basic(context), RuleName::ProspectiveCertificateChain);
    block.check(rule, check, cx.index.leads_to_trust(certificate), NoValidPath::NoCertificateChainFound)
}

/// Returns the check that is about a path of a token of that kind.
fn for_context(
    context: Context,
    signature: CheckId,
    timestamp: CheckId,
    revocation: CheckId,
    other: CheckId,
) -> CheckId {
    match context {
        Context::Signature | Context::CounterSignature => signature,
        Context::Timestamp => timestamp,
        Context::Revocation => revocation,
        _ => other,
    }
}

/// Checks that the anchor's trust has not ended: §5.2.6.4 3).
fn anchor_is_valid(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    path: &Path<'_>,
    context: Context,
) -> Result<(), Concluded> {
    for (depth, candidate) in path.certificates.iter().enumerate() {
        let trust = candidate.trust;
        if trust.trusted && trust.start.is_some() || trust.sunset.is_some() {
            let question = CheckId::BeforeSunset.about(&candidate.id).silent();
            before_sunset(cx, block, candidate, question, context, SubContext::at_depth(depth))?;
        }
        if path.ends_at_anchor && depth + 1 == path.certificates.len() {
            let rule = cx.rule(PolicySection::Certificate(context, SubContext::at_depth(depth)), RuleName::SunsetDate);
            let above = cx.index.issuers(candidate);
            let valid = std::iter::once(*candidate).chain(above).any(|c| is_anchor_in_time(c, cx.time));
            let failure = NoValidPath::NoCertificateChainFoundNoPoe;
            block.check(rule, CheckId::AnchorInTime, valid, failure)?;
            let rule =
                cx.rule(PolicySection::Certificate(context, SubContext::at_depth(depth)), RuleName::TrustInForce);
            let above = cx.index.issuers(candidate);
            let begun = std::iter::once(*candidate).chain(above).any(|c| c.trust.trusted && has_begun(c, cx.time));
            let compared = candidate.trust.start.map_or_else(String::new, |start| format!("{start} ≤ {}", cx.time));
            let question = CheckId::TrustInForce.about(&candidate.id).comparing(compared);
            block.check(rule, question, begun, NoValidPath::NoCertificateChainFound)?;
        }
    }
    Ok(())
}

/// Checks that the trusted list's service was of an accepted type, and had an accepted status, when the certificate was
/// used.
fn trust_service(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    certificate: &Certificate,
    usage_time: Time,
    context: Context,
) -> Result<(), Concluded> {
    let failure = NoValidPath::NoCertificateChainFound;
    let section = PolicySection::Basic(context);
    let types = cx.rule(section, RuleName::TrustServiceTypeIdentifier);
    let kind = |service: &TrustService, rule: &Rule| accepts(rule, service.service_type.as_deref());
    let holds = types.is_some_and(|rule| has_service(cx, certificate, usage_time, |s| kind(s, rule)));
    let check = for_context(
        context,
        CheckId::TrustServiceTypeOfSignature,
        CheckId::TrustServiceTypeOfTimestamp,
        CheckId::TrustServiceTypeOfRevocation,
        CheckId::TrustServiceType,
    );
    block.check(types, check, holds, failure)?;

    let statuses = cx.rule(section, RuleName::TrustServiceStatus);
    let status = |service: &TrustService, rule: &Rule| accepts(rule, service.status.as_deref());
    let holds = statuses.is_some_and(|rule| has_service(cx, certificate, usage_time, |s| status(s, rule)));
    let check = for_context(
        context,
        CheckId::TrustServiceStatusOfSignature,
        CheckId::TrustServiceStatusOfTimestamp,
        CheckId::TrustServiceStatusOfRevocation,
        CheckId::TrustServiceStatus,
    );
    block.check(statuses, check, holds, failure)
}

fn accepts(rule: &Rule, value: Option<&str>) -> bool {
    value.map(str::trim).is_some_and(|value| !value.is_empty() && rule.accepts(value))
}

/// Returns whether a service covers the certificate at that time. A chain to a trust store needs none.
fn has_service(
    cx: &ValidationContext<'_>,
    certificate: &Certificate,
    time: Time,
    accepted: impl Fn(&TrustService) -> bool,
) -> bool {
    let mut issuers = certificate.chain.iter().filter_map(|id| cx.index.certificate(id));
    issuers.any(|issuer| issuer.sources.contains(&CertificateSource::TrustedStore))
        || certificate.trust_service_providers.iter().flat_map(|provider| &provider.services).any(|service| {
            accepted(service)
                && service.start.is_some_and(|start| start <= time)
                && service.end.is_none_or(|end| time < end)
        })
}

/// Checks the certificate's own result: §5.2.6.4 4). One whose trust has ended was given up as an anchor before.
fn certificate_is_valid(
    cx: &ValidationContext<'_>,
    block: &mut BlockBuilder,
    result: &CertificateInPath,
) -> Result<(), Concluded> {
    let conclusion = &result.block.conclusion;
    let former = |one: &Certificate| one.trust.trusted && !is_anchor_in_time(one, cx.time);
    let (check, failure) = if cx.index.certificate(&result.certificate).is_some_and(former) {
        (CheckId::FormerAnchorValid, NoValidPath::NoCertificateChainFoundNoPoe.into())
    } else {
        (CheckId::CertificateInPathValid, Failure::result_of(conclusion))
    };
    let question = check.about(&result.certificate).of_block(BlockKind::SubX509CertificateValidation);
    block.check_at(Level::Fail, question, conclusion.is_passed(), failure)
}

#[cfg(test)]
mod tests {
    use crate::facts::{CertificateSource, Facts, TrustService, TrustServiceProvider};
    use crate::policy::Policy;
    use crate::validation::bbb::signature_blocks;
    use crate::validation::context::ValidationContext;
    use crate::validation::situations::{answer, check, policy};
    use crate::validation::testing::{at, certificate_mut};

    fn of(cx: &ValidationContext<'_>) -> String {
        answer(&signature_blocks(cx, &cx.facts.signatures[0], &Default::default()).xcv.unwrap().block)
    }

    /// Ends the anchor's trust then.
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
        from(&Policy::dss(), &[("DSS does not question", after, "PASSED")]);
    }

    #[test]
    fn trust_services() {
        /// Adds a service in whose list the chain ends.
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
