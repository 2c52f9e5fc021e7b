//! A certificate as a link of a certification path: RFC 5280 §6.1 with its extensions (§4.2), and the extensions
//! that the policy demands, supports or forbids.

use super::{Link, NotValidInPath, imported};
use crate::facts::{Certificate, KeyUsage, PathSubject};
use crate::policy::{Context, Rule, RuleName, SubContext};
use crate::validation::check_id::CheckId;
use crate::validation::context::ValidationContext;
use crate::validation::engine::{BlockBuilder, Concluded};
use crate::validation::path_rules;

/// Checks the rules about the path, in their order.
pub(super) fn path(link: Link<'_, '_>, block: &mut BlockBuilder) -> Result<(), Concluded> {
    let certificate = link.certificate;
    let general = NotValidInPath::CertificateChainGeneralFailure;

    // RFC 5280 §6.1.3 (a)(1)
    block.check(
        link.rule(RuleName::Signature),
        CheckId::CertificateSignatureValid,
        certificate.basic.valid,
        general,
    )?;
    // §6.1.4 (k)
    let ca = certificate.extensions.basic_constraints.is_some_and(|basic| basic.ca);
    block.check(link.rule(RuleName::CA), CheckId::CaCertificate, ca, general)?;
    // §6.1.3 (a)(4)
    let names_issuer = certificate.issuer_entity_key.as_ref().is_some_and(|issuer| issuer.subject_name);
    block.check(link.rule(RuleName::IssuerName), CheckId::IssuerNameMatch, names_issuer, general)?;
    // §6.1.4 (l), (m)
    allowed(link, block, PathSubject::Length, imported::is_within_path_length)?;
    key_usage(link, block)?;
    extended_key_usage(link, block)?;
    signing_purpose(link, block)?;

    // EN 319 412-2 §4.4.1
    let aia = certificate.extensions.authority_information_access.as_ref();
    let has_aia = aia.is_some_and(|aia| !aia.ca_issuers.is_empty());
    let failure = NotValidInPath::ChainConstraintsFailure;
    block.check(
        link.rule(RuleName::AuthorityInfoAccessPresent),
        CheckId::AuthorityInfoAccessPresent,
        has_aia,
        failure,
    )?;

    // §6.1.3 (d) to (f)
    allowed(link, block, PathSubject::Policies, imported::policy_tree::is_acceptable)?;
    // §6.1.3 (b), (c)
    allowed(link, block, PathSubject::Names, imported::name_constraints::is_within)?;

    // §4.2.1.1: only a self-signed certificate may do without.
    if !certificate.self_signed {
        let identifier = certificate.extensions.authority_key_identifier.as_ref();
        let present =
            identifier.and_then(|identifier| identifier.key_identifier.as_ref()).is_some_and(|key| !key.0.is_empty());
        let rule = link.rule(RuleName::AuthorityKeyIdentifierPresent);
        block.check(rule, CheckId::AuthorityKeyIdentifierPresent, present, general)?;
    }
    // §4.2.1.2
    let present = certificate.extensions.subject_key_identifier.as_ref().is_some_and(|key| !key.0.is_empty());
    block.check(
        link.rule(RuleName::SubjectKeyIdentifierPresent),
        CheckId::SubjectKeyIdentifierPresent,
        present,
        general,
    )?;

    if certificate.extensions.no_rev_avail {
        let consistent = is_consistent_without_revocation(certificate);
        block.check(link.rule(RuleName::NoRevAvail), CheckId::NoRevAvailConsistent, consistent, general)?;
    }
    // §6.1.4 (o), §6.1.5 (f): every critical extension is understood.
    let (name, check) = path_rules::about(PathSubject::Extensions);
    let rule = link.rule(name);
    let critical = certificate.extensions.present.iter().filter(|extension| extension.critical);
    let unknown = critical.filter(|extension| rule.is_some_and(|rule| !rule.accepts(&extension.oid)));
    let mut violations = certificate.path_violations.iter().flatten();
    let twice = violations.find(|found| found.about == PathSubject::Extensions);
    let unknown: Vec<&str> = unknown.map(|extension| &*extension.oid).chain(twice.map(|found| &*found.found)).collect();
    let understood = rule.is_none() || unknown.is_empty();
    block.check(rule, check.naming(&unknown), understood, general)?;

    // §4: it does not contradict itself.
    allowed(link, block, PathSubject::Profile, |_, _| true)?;

    let rule = link.rule(RuleName::ForbiddenExtensions);
    let mut present = certificate.extensions.present.iter();
    let allowed = rule.is_none_or(|rule| !present.any(|extension| rule.accepts(&extension.oid)));
    block.check(rule, CheckId::NoForbiddenExtension, allowed, general)
}

/// Maps the violations of the path, as the record has them, to the rule. Facts that were imported have none, and what
/// they hold instead is asked, where the build has what that takes (feature `imported-facts`).
fn allowed<'a>(
    link: Link<'_, 'a>,
    block: &mut BlockBuilder,
    about: PathSubject,
    imported: fn(&ValidationContext<'a>, &'a Certificate) -> bool,
) -> Result<(), Concluded> {
    let (rule, check) = path_rules::about(about);
    let Some(rule) = link.rule(rule) else { return Ok(()) };
    let failure = NotValidInPath::CertificateChainGeneralFailure;
    let Some(violations) = &link.certificate.path_violations else {
        let is_allowed = cfg!(feature = "imported-facts") && imported(link.cx, link.certificate);
        return block.check(Some(rule), check, is_allowed, failure);
    };
    let violation = violations.iter().find(|violation| violation.about == about);
    let question = violation.map_or(check.into(), path_rules::question);
    block.check(Some(rule), question, violation.is_none(), failure)
}

/// Checks the key usage: RFC 5280 §4.2.1.3. For a CA it is a matter of the path, for a signer one of the policy.
fn key_usage(link: Link<'_, '_>, block: &mut BlockBuilder) -> Result<(), Concluded> {
    let rule = link.rule(RuleName::KeyUsage);
    let usages = link.certificate.extensions.key_usage.iter().flatten().map(|usage| usage.as_str());
    let check = match link.context {
        Context::Certificate => CheckId::KeyUsageOfCertificate,
        _ => CheckId::KeyUsage,
    };
    let failure = match link.sub {
        SubContext::CaCertificate => NotValidInPath::CertificateChainGeneralFailure,
        _ => NotValidInPath::ChainConstraintsFailure,
    };
    block.check(rule, check, any(rule, usages), failure)
}

/// Checks the extended key usage: RFC 5280 §4.2.1.12.
fn extended_key_usage(link: Link<'_, '_>, block: &mut BlockBuilder) -> Result<(), Concluded> {
    let rule = link.rule(RuleName::ExtendedKeyUsage);
    let usages = link.certificate.extensions.extended_key_usage.iter().flatten().map(|oid| purpose(oid));
    let check = match link.context {
        Context::Certificate => CheckId::ExtendedKeyUsageOfCertificate,
        _ => CheckId::ExtendedKeyUsage,
    };
    let permitted = any(rule, usages.clone());
    let question = if permitted { check.into() } else { check.naming(usages) };
    block.check(rule, question, permitted, NotValidInPath::ChainConstraintsFailure)
}

/// Checks the same of a signer that is trusted itself, where the policy asks more than that it is trusted: what its key is for
/// is no matter of the path (§6.1.1 (d)), and who is trusted for one thing is not for another. One that is judged by itself
/// signed nothing.
pub(super) fn purposes_of_anchor(link: Link<'_, '_>, block: &mut BlockBuilder) -> Result<(), Concluded> {
    let signed = link.sub == SubContext::SigningCertificate && link.context != Context::Certificate;
    if !signed || link.rule(RuleName::CertificateProfile).is_none() {
        return Ok(());
    }
    extended_key_usage(link, block)?;
    signing_purpose(link, block)
}

/// Purposes of a person's log-on: clientAuth, and Microsoft's for smart cards.
///
/// NOTE: by RFC 5280 §4.2.1.12 the usage bits that go with clientAuth are digitalSignature and keyAgreement: such a key
/// logs somebody on and signs no documents. Where the bit for commitments is there as well (nonRepudiation, the one of
/// EN 319 412-2 §4.3.2 for signatures), the key is for both, as on several countries' cards.
const LOG_ON: [&str; 2] = ["1.3.6.1.5.5.7.3.2", "1.3.6.1.4.1.311.20.2.2"];

/// `id-tsl-kp-tslSigning` (TS 119 612 §5.7.1), of those whom the list above or the publication names for signing lists.
const LIST_SIGNING: &str = "0.4.0.2231.3.0";

/// Checks that the key may sign: RFC 5280 §4.2.1.3, §4.2.1.12. A certificate that limits the uses of its key must not
/// be used otherwise, whether the extension is critical or not; one that limits none may be used.
fn signing_purpose(link: Link<'_, '_>, block: &mut BlockBuilder) -> Result<(), Concluded> {
    let extensions = &link.certificate.extensions;
    let failure = NotValidInPath::ChainConstraintsFailure;
    let rule = link.rule(RuleName::SigningKeyUsage);
    let usages = extensions.key_usage.as_ref();
    let signs = usages.is_none_or(|all| all.iter().any(|usage| rule.is_some_and(|rule| rule.accepts(usage.as_str()))));
    let stated = usages.map(|all| all.iter().map(|usage| usage.as_str()).collect::<Vec<_>>().join(", "));
    let question = CheckId::SigningKeyUsage.comparing(stated.unwrap_or_default());
    block.check(rule, question, signs, failure)?;

    let rule = link.rule(RuleName::SigningPurpose);
    let purposes = extensions.extended_key_usage.as_ref();
    let commits = usages.is_some_and(|all| all.contains(&KeyUsage::NonRepudiation));
    let is_anchor = link.certificate.trust.trusted;
    let counts = |oid: &String| {
        rule.is_some_and(|rule| rule.accepts(oid))
            || commits && LOG_ON.contains(&oid.as_str())
            || is_anchor && oid == LIST_SIGNING
    };
    let signs = purposes.is_none_or(|all| all.iter().any(counts));
    let check = if link.context == Context::Timestamp { CheckId::ExtendedKeyUsage } else { CheckId::SigningPurpose };
    let question = check.comparing(purposes.map(|all| all.join(", ")).unwrap_or_default());
    block.check(rule, question, signs, failure)
}

/// Returns the name by which policies call a key purpose; one that has none is not accepted by any rule.
fn purpose(oid: &str) -> &str {
    match oid {
        "1.3.6.1.5.5.7.3.1" => "serverAuth",
        "1.3.6.1.5.5.7.3.2" => "clientAuth",
        "1.3.6.1.5.5.7.3.3" => "codeSigning",
        "1.3.6.1.5.5.7.3.4" => "emailProtection",
        "1.3.6.1.5.5.7.3.8" => "timeStamping",
        "1.3.6.1.5.5.7.3.9" => "ocspSigning",
        LIST_SIGNING => "tslSigning",
        "0.4.0.194115.1.0" => "tslBinding",
        _ => "",
    }
}

fn any<'v>(rule: Option<&Rule>, values: impl Iterator<Item = &'v str>) -> bool {
    let mut values = values.peekable();
    rule.is_some_and(|rule| match values.peek() {
        None => rule.values.is_empty(),
        Some(_) => values.any(|value| !value.is_empty() && rule.accepts(value)),
    })
}

/// Returns whether a certificate without revocation data is no CA and names no place to ask: RFC 9608 §3.
fn is_consistent_without_revocation(certificate: &Certificate) -> bool {
    let extensions = &certificate.extensions;
    !extensions.basic_constraints.is_some_and(|basic| basic.ca)
        && extensions.crl_distribution_points.iter().flatten().next().is_none()
        && extensions.freshest_crl.iter().flatten().next().is_none()
        && extensions.authority_information_access.as_ref().is_none_or(|aia| aia.ocsp.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{AuthorityInformationAccess, BasicConstraints, ExtensionHeader, Facts, Id};
    use crate::policy::Policy;
    use crate::validation::bbb::signature_blocks;
    use crate::validation::context::ValidationContext;
    use crate::validation::situations::{answer, check};
    use crate::validation::testing::certificate_mut;

    /// Puts a CA between signer and anchor.
    fn intermediate(facts: &mut Facts) -> &mut Certificate {
        let mut ca = certificate_mut(facts, "TSA").clone();
        ca.id = Id::new("CA");
        ca.extensions.basic_constraints = Some(BasicConstraints { ca: true, path_length: None });
        ca.extensions.key_usage = Some(vec![KeyUsage::KeyCertSign]);
        ca.extensions.subject_key_identifier = Some(crate::facts::Bytes(vec![1]));
        facts.certificates.push(ca);
        certificate_mut(facts, "SIGNER").chain.insert(0, Id::new("CA"));
        facts.signatures[0].chain.insert(1, Id::new("CA"));
        certificate_mut(facts, "CA")
    }

    #[test]
    fn certification_authorities() {
        let of = |cx: &ValidationContext<'_>| {
            let blocks = signature_blocks(cx, &cx.facts.signatures[0], &Default::default());
            answer(&blocks.certificate_in_path(&Id::new("CA")).unwrap().block).replace(" BBB_XCV_IAKIP_ANS", "")
        };
        const GENERAL: &str = "INDETERMINATE/CERTIFICATE_CHAIN_GENERAL_FAILURE";
        let general = |key: &str| -> &'static str { format!("{GENERAL} {key}").leak() };
        check(
            &Policy::dss(),
            "2021-06-02",
            of,
            &[
                ("RFC 5280 §6.1", "a good CA", |f| _ = intermediate(f), "PASSED"),
                (
                    "RFC 5280 §6.1.3 (a)(1)",
                    "not signed by its issuer",
                    |f| intermediate(f).basic.valid = false,
                    general("BBB_XCV_ICSI_ANS"),
                ),
                (
                    "RFC 5280 §6.1.4 (k)",
                    "no CA",
                    |f| intermediate(f).extensions.basic_constraints = None,
                    general("BBB_XCV_ICAC_ANS"),
                ),
                (
                    "RFC 5280 §6.1.3 (a)(4)",
                    "its issuer's name is another",
                    |f| intermediate(f).issuer_entity_key = None,
                    general("BBB_XCV_DCIDNMSDNIC_ANS"),
                ),
                (
                    "RFC 5280 §6.1.4 (n)",
                    "its key may not sign certificates",
                    |f| intermediate(f).extensions.key_usage = Some(vec![KeyUsage::CrlSign]),
                    general("BBB_XCV_ISCGKU_ANS"),
                ),
                (
                    "RFC 5280 §4.2.1.2",
                    "no subject key identifier",
                    |f| intermediate(f).extensions.subject_key_identifier = None,
                    general("BBB_XCV_ISKIP_ANS"),
                ),
                (
                    "RFC 5280 §6.1.4 (l)",
                    "the anchor allows no CA below it",
                    |f| {
                        intermediate(f);
                        let none = Some(BasicConstraints { ca: true, path_length: Some(0) });
                        certificate_mut(f, "ROOT").extensions.basic_constraints = none;
                    },
                    general("BBB_XCV_ICPDV_ANS"),
                ),
                (
                    "RFC 5280 §6.1.4 (l)",
                    "the anchor allows one CA below it",
                    |f| {
                        intermediate(f);
                        let one = Some(BasicConstraints { ca: true, path_length: Some(1) });
                        certificate_mut(f, "ROOT").extensions.basic_constraints = one;
                    },
                    "PASSED",
                ),
                (
                    "RFC 5280 §6.1.4 (o)",
                    "a critical extension that nobody knows",
                    |f| {
                        let unknown = ExtensionHeader { oid: "1.2.3".into(), critical: true, bytes: None };
                        intermediate(f).extensions.present.push(unknown);
                    },
                    "PASSED BBB_XCV_DCCUCE_ANS",
                ),
                (
                    "RFC 9608 §3",
                    "an extension that a CA may not have",
                    |f| {
                        let forbidden = ExtensionHeader { oid: "2.5.29.56".into(), ..ExtensionHeader::default() };
                        intermediate(f).extensions.present.push(forbidden);
                    },
                    general("BBB_XCV_DCCFCE_ANS"),
                ),
            ],
        );
    }

    #[test]
    fn without_revocation_data() {
        type Row = (&'static str, &'static str, fn(&mut Certificate), bool);
        let rows: [Row; 4] = [
            ("RFC 9608 §3", "a certificate with no section to question", |_| {}, true),
            (
                "RFC 9608 §3",
                "a CA",
                |c| c.extensions.basic_constraints = Some(BasicConstraints { ca: true, path_length: None }),
                false,
            ),
            ("RFC 9608 §3", "a CRL", |c| c.extensions.crl_distribution_points = Some(vec!["http://a".into()]), false),
            (
                "RFC 9608 §3",
                "a responder",
                |c| {
                    let ocsp = vec!["http://a".into()];
                    let access = AuthorityInformationAccess { ocsp, ..AuthorityInformationAccess::default() };
                    c.extensions.authority_information_access = Some(access);
                },
                false,
            ),
        ];
        for (clause, situation, change, expected) in rows {
            let mut certificate = Certificate::default();
            change(&mut certificate);
            assert_eq!(is_consistent_without_revocation(&certificate), expected, "{clause}: {situation}");
        }
    }
}
