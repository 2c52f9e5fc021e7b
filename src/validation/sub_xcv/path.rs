//! A certificate as a link of a certification path: RFC 5280 §6.1 with its extensions (§4.2), and the extensions
//! that the policy demands, supports or forbids.

use super::{Link, name_constraints, policy_tree};
use crate::facts::Certificate;
use crate::policy::{Context, Rule, RuleName, SubContext};
use crate::validation::engine::{Ask, Concluded, Failure, Steps, ask};
use crate::validation::outcome::SubIndication::{CertificateChainGeneralFailure, ChainConstraintsFailure};

/// The rules about the path, in their order.
pub(super) fn path(link: Link<'_, '_>, steps: &mut Steps) -> Result<(), Concluded> {
    let certificate = link.certificate;
    let general = || Failure::indeterminate(CertificateChainGeneralFailure);

    // RFC 5280 §6.1.3 (a)(1)
    steps.rule(link.rule(RuleName::Signature), ask!("BBB_XCV_ICSI"), certificate.basic.valid, general())?;
    // §6.1.4 (k)
    let ca = certificate.extensions.basic_constraints.is_some_and(|basic| basic.ca);
    steps.rule(link.rule(RuleName::CA), ask!("BBB_XCV_ICAC"), ca, general())?;
    // §6.1.3 (a)(4)
    let names_issuer = certificate.issuer_entity_key.as_ref().is_some_and(|issuer| issuer.subject_name);
    steps.rule(link.rule(RuleName::IssuerName), ask!("BBB_XCV_DCIDNMSDNIC"), names_issuer, general())?;
    // §6.1.4 (l), (m)
    let short = is_within_path_length(link);
    steps.rule(link.rule(RuleName::MaxPathLength), ask!("BBB_XCV_ICPDV"), short, general())?;
    key_usage(link, steps)?;
    extended_key_usage(link, steps)?;

    // EN 319 412-2 §4.4.1
    let aia = certificate.extensions.authority_information_access.as_ref();
    let has_aia = aia.is_some_and(|aia| !aia.ca_issuers.is_empty());
    let failure = Failure::indeterminate(ChainConstraintsFailure);
    steps.rule(link.rule(RuleName::AuthorityInfoAccessPresent), ask!("BBB_XCV_AIA_PRES"), has_aia, failure)?;

    // §6.1.3 (d) to (f)
    let rule = link.rule(RuleName::PolicyTree);
    let tree = rule.is_none() || policy_tree::is_acceptable(link.case, certificate);
    steps.rule(rule, ask!("BBB_XCV_ICPTV"), tree, general())?;
    // §6.1.3 (b), (c)
    let rule = link.rule(RuleName::NameConstraints);
    let named = rule.is_none() || name_constraints::is_within(link.case, certificate);
    steps.rule(rule, ask!("BBB_XCV_DCSBSINC"), named, general())?;

    // §4.2.1.1: only a self-signed certificate may do without.
    if !certificate.self_signed {
        let identifier = certificate.extensions.authority_key_identifier.as_ref();
        let present =
            identifier.and_then(|identifier| identifier.key_identifier.as_ref()).is_some_and(|key| !key.0.is_empty());
        let rule = link.rule(RuleName::AuthorityKeyIdentifierPresent);
        steps.rule(rule, ask!("BBB_XCV_IAKIP"), present, general())?;
    }
    // §4.2.1.2
    let present = certificate.extensions.subject_key_identifier.as_ref().is_some_and(|key| !key.0.is_empty());
    steps.rule(link.rule(RuleName::SubjectKeyIdentifierPresent), ask!("BBB_XCV_ISKIP"), present, general())?;

    if certificate.extensions.no_rev_avail {
        let consistent = is_consistent_without_revocation(certificate);
        steps.rule(link.rule(RuleName::NoRevAvail), ask!("BBB_XCV_ICNRAEV"), consistent, general())?;
    }
    // §6.1.4 (o), §6.1.5 (f): whatever is critical is understood.
    let rule = link.rule(RuleName::SupportedCriticalExtensions);
    let mut critical = certificate.extensions.present.iter().filter(|extension| extension.critical);
    let understood = rule.is_none_or(|rule| critical.all(|extension| rule.accepts(&extension.oid)));
    steps.rule(rule, ask!("BBB_XCV_DCCUCE"), understood, general())?;

    let rule = link.rule(RuleName::ForbiddenExtensions);
    let mut present = certificate.extensions.present.iter();
    let allowed = rule.is_none_or(|rule| !present.any(|extension| rule.accepts(&extension.oid)));
    steps.rule(rule, ask!("BBB_XCV_DCCFCE"), allowed, general())
}

/// RFC 5280 §6.1.4 (k) to (m): no certificate above allows fewer certificates below it.
fn is_within_path_length(link: Link<'_, '_>) -> bool {
    let issuers = link.case.issuers(link.certificate);
    let mut left = issuers.len() as i64 + 1;
    for issuer in issuers.iter().rev() {
        if !issuer.self_signed {
            left -= 1;
        }
        let allowed = issuer.extensions.basic_constraints.and_then(|basic| basic.path_length);
        left = allowed.filter(|allowed| *allowed >= 0).map_or(left, |allowed| left.min(allowed));
    }
    left > 0
}

/// RFC 5280 §4.2.1.3. For a CA it is a matter of the path, for a signer one of the policy.
fn key_usage(link: Link<'_, '_>, steps: &mut Steps) -> Result<(), Concluded> {
    let rule = link.rule(RuleName::KeyUsage);
    let usages = link.certificate.extensions.key_usage.iter().flatten().map(|usage| usage.as_str());
    let key = match link.context {
        Context::Certificate => "BBB_XCV_ISCGKU_ANS_CERT",
        _ => "BBB_XCV_ISCGKU_ANS",
    };
    let failure = Failure::indeterminate(match link.sub {
        SubContext::CaCertificate => CertificateChainGeneralFailure,
        _ => ChainConstraintsFailure,
    });
    steps.rule(rule, Ask::new("BBB_XCV_ISCGKU", key), any(rule, usages), failure)
}

/// RFC 5280 §4.2.1.12.
fn extended_key_usage(link: Link<'_, '_>, steps: &mut Steps) -> Result<(), Concluded> {
    let rule = link.rule(RuleName::ExtendedKeyUsage);
    let usages = link.certificate.extensions.extended_key_usage.iter().flatten().map(|oid| purpose(oid));
    let key = match link.context {
        Context::Certificate => "BBB_XCV_ISCGEKU_ANS_CERT",
        _ => "BBB_XCV_ISCGEKU_ANS",
    };
    let failure = Failure::indeterminate(ChainConstraintsFailure);
    steps.rule(rule, Ask::new("BBB_XCV_ISCGEKU", key), any(rule, usages), failure)
}

/// The name by which policies call a key purpose.
fn purpose(oid: &str) -> &str {
    match oid {
        "1.3.6.1.5.5.7.3.1" => "serverAuth",
        "1.3.6.1.5.5.7.3.2" => "clientAuth",
        "1.3.6.1.5.5.7.3.3" => "codeSigning",
        "1.3.6.1.5.5.7.3.4" => "emailProtection",
        "1.3.6.1.5.5.7.3.8" => "timeStamping",
        "1.3.6.1.5.5.7.3.9" => "ocspSigning",
        "0.4.0.2231.3.0" => "tslSigning",
        "0.4.0.194115.1.0" => "tslBinding",
        other => other,
    }
}

fn any<'v>(rule: Option<&Rule>, values: impl Iterator<Item = &'v str>) -> bool {
    let mut values = values.peekable();
    rule.is_some_and(|rule| match values.peek() {
        None => rule.values.is_empty(),
        Some(_) => values.any(|value| !value.is_empty() && rule.accepts(value)),
    })
}

/// RFC 9608 §3: a certificate that will have no revocation data is no CA and names no place to ask.
fn is_consistent_without_revocation(certificate: &Certificate) -> bool {
    let extensions = &certificate.extensions;
    !extensions.basic_constraints.is_some_and(|basic| basic.ca)
        && extensions.crl_distribution_points.iter().flatten().next().is_none()
        && extensions.freshest_crl.iter().flatten().next().is_none()
        && extensions.authority_information_access.as_ref().is_none_or(|aia| aia.ocsp.is_empty())
}
