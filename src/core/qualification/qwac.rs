//! Whether a TLS connection is one of a qualified website certificate: TS 119 411-5.
//!
//! There are two ways. In the first the TLS certificate itself is the qualified
//! one (1-QWAC). In the second it is any certificate, and a JAdES signature made
//! with a qualified one (2-QWAC) binds it to its owner.

use super::certificate::{QualifiedCertificate, qualify};
use super::codes::CertificateQualification;
use super::kind::has_policy;
use super::lists::{Analyses, failed};
use crate::facts::{
    Certificate, Connection, Facts, GeneralNameType, Id, JwsSerialization, MatcherType, Signature, SignatureLevel,
};
use crate::policy::{Level, Policy};
use crate::time::Time;
use crate::validation::Verdicts;
use crate::validation::check_id::CheckId;
use crate::validation::engine::{Block, BlockBuilder, BlockKind, Concluded, Conclusion};
use crate::validation::outcome::Indication;
use crate::vocabulary::string_enum;

string_enum! {
    /// By which of TS 119 411-5's profiles a connection is qualified.
    pub enum QwacProfile {
        One = "1-QWAC",
        Two = "2-QWAC",
        BoundByTwo = "TLS-CERTIFICATE-SUPPORTED-BY-2-QWAC",
        None = "NOT-QWAC",
    }
}

/// Certificate policies of a 1-QWAC: QEVCP-w and QNCP-w (EN 319 411-2 §5.3).
const POLICIES_ONE: [&str; 2] = ["0.4.0.194112.1.4", "0.4.0.194112.1.5"];
/// Certificate policy of a 2-QWAC: QNCP-w-gen (EN 319 411-2 §5.3).
const POLICY_TWO: &str = "0.4.0.194112.1.6";
/// The only extended key usage of a 2-QWAC: binding TLS certificates (TS 119 411-5 annex A).
const TLS_BINDING: &str = "0.4.0.194115.1.0";
/// How long a website certificate may be valid that browsers accept: CA/Browser Forum baseline
/// requirements §6.3.2, 398 days.
const LONGEST_VALIDITY_MILLIS: i64 = 398 * 86_400_000;

/// A connection's profile and how it came about.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct QualifiedConnection {
    /// The TLS certificate.
    pub tls_certificate: Id,
    /// What the connection is.
    pub profile: QwacProfile,
    /// The checks of a 1-QWAC.
    pub one: Block,
    /// The checks of a binding by a 2-QWAC, where the server offers one.
    pub two: Option<Block>,
}

/// Judges the record's connection; `None` where it has none. `path` is the X.509 validation of its certificate.
pub fn connection(
    facts: &Facts,
    policy: &Policy,
    verdicts: &Verdicts,
    path: &Conclusion,
    now: Time,
) -> Option<QualifiedConnection> {
    let connection = facts.connection.as_ref()?;
    let tls = find(facts, connection.tls_certificate.as_ref()?)?;
    let lists = Analyses::new(facts, policy, now);

    let mut block = BlockBuilder::new(BlockKind::CertificateQualification, &tls.id);
    let is_one = one(&mut block, connection, tls, &qualify(&lists, tls, now), path).is_ok();
    let first = block.finish();

    let mut block = BlockBuilder::new(BlockKind::CertificateQualification, &tls.id);
    let offered = connection.binding_url.is_some() || connection.binding_signature.is_some();
    let bound = offered && two(&mut block, facts, &lists, verdicts, connection, tls, path, now).is_ok();
    let second = offered.then(|| block.finish());

    let profile = match (is_one, bound) {
        (true, _) => QwacProfile::One,
        (false, true) => QwacProfile::BoundByTwo,
        (false, false) => QwacProfile::None,
    };
    Some(QualifiedConnection { tls_certificate: tls.id.clone(), profile, one: first, two: second })
}

/// Checks a 1-QWAC: TS 119 411-5 §5.2.
fn one(
    block: &mut BlockBuilder,
    connection: &Connection,
    tls: &Certificate,
    qualified: &QualifiedCertificate,
    path: &Conclusion,
) -> Result<(), Concluded> {
    let fail = Some(Level::Fail);
    valid_path(block, path)?;
    for_websites(block, qualified)?;
    let policy = POLICIES_ONE.iter().any(|oid| has_policy(tls, oid));
    block.check_at(fail, CheckId::WebsiteCertificatePolicy, policy, failed())?;
    let validity = tls.not_after.millis().saturating_sub(tls.not_before.millis());
    let question = CheckId::WebsiteValidityPeriod.comparing(format!(
        "{} days, at most {}",
        validity / 86_400_000,
        LONGEST_VALIDITY_MILLIS / 86_400_000
    ));
    block.check_at(fail, question, validity <= LONGEST_VALIDITY_MILLIS, failed())?;
    named(block, connection, tls)
}

/// Checks a TLS certificate bound by a 2-QWAC: TS 119 411-5 §6.2 and annex B.
#[expect(clippy::too_many_arguments, reason = "the clause compares all of them")]
fn two(
    block: &mut BlockBuilder,
    facts: &Facts,
    lists: &Analyses,
    verdicts: &Verdicts,
    connection: &Connection,
    tls: &Certificate,
    path: &Conclusion,
    now: Time,
) -> Result<(), Concluded> {
    let fail = Some(Level::Fail);
    valid_path(block, path)?;
    named(block, connection, tls)?;
    let question = CheckId::BindingUrlPresent;
    block.check_at(fail, question, connection.binding_url.is_some(), failed())?;

    let found = connection.binding_signature.as_ref().and_then(|id| facts.signatures.iter().find(|s| s.id == *id));
    block.check_at(fail, CheckId::BindingSignaturePresent, found.is_some(), failed())?;
    let signature = found.ok_or(Concluded)?;
    binding(block, signature, verdicts, tls, now)?;

    let signer = signature.signing_certificate.as_ref().and_then(|id| find(facts, id));
    let Some(signer) = signer else {
        return block.check_at(fail, CheckId::BindingCertificateFound, false, failed());
    };
    for_websites(block, &qualify(lists, signer, now))?;
    let question = CheckId::WebsiteCertificatePolicy;
    block.check_at(fail, question, has_policy(signer, POLICY_TWO), failed())?;
    let usages = signer.extensions.extended_key_usage.as_deref().unwrap_or_default();
    let question = CheckId::BindingExtendedKeyUsage.comparing(usages.join(", "));
    block.check_at(fail, question, usages.len() == 1 && usages[0] == TLS_BINDING, failed())?;
    named(block, connection, signer)
}

/// Checks the binding signature: JAdES in compact form, in force, over this very certificate. TS 119 411-5 annex B.
fn binding(
    block: &mut BlockBuilder,
    signature: &Signature,
    verdicts: &Verdicts,
    tls: &Certificate,
    now: Time,
) -> Result<(), Concluded> {
    let fail = Some(Level::Fail);
    let jades = signature.level.is_some_and(is_jades);
    block.check_at(fail, CheckId::BindingSignatureIsJades, jades, failed())?;
    let compact = signature.jws_serialization == Some(JwsSerialization::Compact);
    block.check_at(fail, CheckId::BindingSignatureIsCompact, compact, failed())?;
    let expiry = signature.expiration_time;
    block.check_at(fail, CheckId::BindingExpiryPresent, expiry.is_some(), failed())?;
    let question = CheckId::BindingNotExpired;
    block.check_at(fail, question, expiry.is_some_and(|expiry| now <= expiry), failed())?;
    let covers = signature.digest_matchers.iter().any(|matcher| {
        matcher.kind == MatcherType::SigDEntry
            && matcher.data_found
            && matcher.data_intact
            && matcher.document_name.as_deref() == Some(tls.id.as_str())
    });
    let question = CheckId::BindingIdentifiesCertificate;
    block.check_at(fail, question, covers, failed())?;
    let valid = verdicts.signature(&signature.id).is_some_and(|v| v.indication == Indication::TotalPassed);
    block.check_at(fail, CheckId::BindingSignatureValid, valid, failed())
}

/// Returns whether a signature is JAdES, and not just a JSON web signature.
fn is_jades(level: SignatureLevel) -> bool {
    use SignatureLevel::{Jades, JadesBaselineB, JadesBaselineLt, JadesBaselineLta, JadesBaselineT};
    matches!(level, Jades | JadesBaselineB | JadesBaselineT | JadesBaselineLt | JadesBaselineLta)
}

/// Checks that the certificate's path holds.
fn valid_path(block: &mut BlockBuilder, path: &Conclusion) -> Result<(), Concluded> {
    let question = CheckId::WebsiteCertificateValid.comparing(path.indication.as_str());
    block.check_at(Level::Fail, question, path.is_passed(), failed())
}

/// Checks that the certificate is qualified for websites, when issued and now.
fn for_websites(block: &mut BlockBuilder, qualified: &QualifiedCertificate) -> Result<(), Concluded> {
    let fail = Some(Level::Fail);
    let question = CheckId::WebsiteQualificationConclusive;
    block.check_at(fail, question, !qualified.moments.is_empty(), failed())?;
    for qualification in [qualified.at_issuance, qualified.at_time] {
        let question = CheckId::QualifiedForWebsites.comparing(qualification.as_str());
        block.check_at(fail, question, qualification == CertificateQualification::QcertForWsa, failed())?;
    }
    Ok(())
}

/// Checks that the certificate names the host of the connection.
fn named(block: &mut BlockBuilder, connection: &Connection, certificate: &Certificate) -> Result<(), Concluded> {
    let host = host(&connection.url).unwrap_or_default();
    let names = certificate.extensions.subject_alternative_names.as_deref().unwrap_or_default();
    let holds =
        names.iter().filter(|name| name.kind == Some(GeneralNameType::DnsName)).any(|name| matches(&name.value, host));
    let question = CheckId::WebsiteNamed.comparing(host);
    block.check_at(Level::Fail, question, holds, failed())
}

/// Returns the host of an `https` URL, without user, port, path.
fn host(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once("://")?;
    if !scheme.eq_ignore_ascii_case("https") {
        return None;
    }
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?.split(':').next()?;
    (!host.is_empty()).then_some(host)
}

/// Returns whether a DNS name of a certificate stands for the host; `*` stands for one whole label, the leftmost (RFC
/// 9525 §6.3).
fn matches(name: &str, host: &str) -> bool {
    match name.strip_prefix("*.") {
        None => name.eq_ignore_ascii_case(host),
        Some(domain) => host.split_once('.').is_some_and(|(label, rest)| {
            !label.is_empty() && rest.eq_ignore_ascii_case(domain) && domain.contains('.')
        }),
    }
}

fn find<'a>(facts: &'a Facts, id: &Id) -> Option<&'a Certificate> {
    facts.certificates.iter().find(|c| c.id == *id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_names() {
        for (clause, url, name, holds) in [
            ("RFC 9525 §6.3, the same name", "https://example.org/a?b", "EXAMPLE.org", true),
            ("RFC 9525 §6.3, another name", "https://example.org", "example.com", false),
            ("RFC 9525 §6.3, port and user do not count", "https://u@example.org:8443/", "example.org", true),
            ("RFC 9525 §6.3, a wildcard for one label", "https://www.example.org", "*.example.org", true),
            ("RFC 9525 §6.3, a wildcard is not none", "https://example.org", "*.example.org", false),
            ("RFC 9525 §6.3, a wildcard is not two", "https://a.b.example.org", "*.example.org", false),
            ("RFC 9525 §6.3, a wildcard of everything", "https://example.org", "*.org", false),
            ("TS 119 411-5 §4, no TLS", "http://example.org", "example.org", false),
            ("TS 119 411-5 §4, not a URL", "example.org", "example.org", false),
        ] {
            assert_eq!(host(url).is_some_and(|host| matches(name, host)), holds, "{clause}");
        }
    }

    #[test]
    fn connections() {
        use super::super::testing::{certificate, entry, list, listed, time};
        use super::super::vocabulary::ServicePurpose::WebSiteAuthentication;
        use super::super::vocabulary::ServiceStatus::Granted;
        use crate::facts::GeneralName;

        let path = |indication| Conclusion { indication, ..Conclusion::passed() };
        let now = time("2022-01-01T01:00:00Z");
        for (situation, policy, days, url, indication, expected) in [
            ("all in order", POLICIES_ONE[0], 397, "https://example.org/", Indication::Passed, QwacProfile::One),
            ("valid too long", POLICIES_ONE[1], 399, "https://example.org/", Indication::Passed, QwacProfile::None),
            ("of another policy", POLICY_TWO, 397, "https://example.org/", Indication::Passed, QwacProfile::None),
            ("of another host", POLICIES_ONE[0], 397, "https://example.com/", Indication::Passed, QwacProfile::None),
            (
                "without a path",
                POLICIES_ONE[0],
                397,
                "https://example.org/",
                Indication::Indeterminate,
                QwacProfile::None,
            ),
        ] {
            let mut tls = certificate("2021-06-01", true, false, &["0.4.0.1862.1.6.3"], &[policy]);
            tls.not_after = tls.not_before.plus_millis(days * 86_400_000);
            tls.extensions.subject_alternative_names =
                Some(vec![GeneralName { kind: Some(GeneralNameType::DnsName), value: "example.org".into() }]);
            let service = entry("2017-01-01", Granted, &[], &[WebSiteAuthentication]);
            let facts = Facts {
                certificates: vec![listed(tls, vec![service])],
                trusted_lists: vec![list("TL-1", "2022-01-01"), list("LOTL-1", "2022-01-01")],
                connection: Some(Connection {
                    url: url.into(),
                    tls_certificate: Some(Id::new("C-1")),
                    ..Connection::default()
                }),
                ..Facts::default()
            };
            let (signatures, timestamps, evidence_records, revocations) = (vec![], vec![], vec![], vec![]);
            let verdicts = Verdicts {
                time: now,
                signatures,
                timestamps,
                evidence_records,
                revocations,
                existence: Default::default(),
            };
            let found = connection(&facts, &Policy::dss(), &verdicts, &path(indication), now).expect("a connection");
            assert_eq!(found.profile, expected, "TS 119 411-5 §5.2: {situation}");
        }
    }
}
