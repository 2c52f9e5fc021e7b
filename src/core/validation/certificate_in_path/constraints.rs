//! What a policy may ask of a certificate's subject, policies and QC statements: TS 119 172-4 annex A,
//! EN 319 412-5, TS 119 495. One row, one rule.

use super::{Link, NotValidInPath};
use crate::facts::{Certificate, QcStatements};
use crate::policy::{Rule, RuleName};
use crate::validation::check_id::CheckId;
use crate::validation::engine::{BlockBuilder, Concluded};

/// A rule and what it asks of the certificate.
struct Row {
    rule: RuleName,
    check: CheckId,
    holds: fn(&Certificate, &Rule) -> bool,
}

macro_rules! rows {
    ($($rule:ident, $check:ident, $holds:expr;)+) => {
        &[$(Row { rule: RuleName::$rule, check: CheckId::$check, holds: $holds },)+]
    };
}

/// Attributes of the subject (ITU-T X.520), and whose signature the certificate bears.
const SUBJECT: &[Row] = rows! {
    SerialNumberPresent, SerialNumberPresent, |c, _| !c.serial.is_empty();
    Surname, SurnameAccepted, |c, rule| one(rule, &c.attributes.surname);
    GivenName, GivenNameAccepted, |c, rule| one(rule, &c.attributes.given_name);
    CommonName, CommonNameAccepted, |c, rule| one(rule, &c.attributes.common_name);
    UsePseudonym, NoPseudonym, |c, _| !uses_pseudonym(c);
    Pseudonym, PseudonymAccepted, |c, rule| one(rule, &c.attributes.pseudonym);
    Title, TitleAccepted, |c, rule| one(rule, &c.attributes.title);
    Email, EmailAccepted, |c, rule| one(rule, &c.attributes.email);
    Country, CountryAccepted, |c, rule| one(rule, &c.attributes.country);
    Locality, LocalityAccepted, |c, rule| one(rule, &c.attributes.locality);
    State, StateAccepted, |c, rule| one(rule, &c.attributes.state);
    OrganizationIdentifier, OrganizationIdentifierAccepted, |c, rule| one(rule, &c.attributes.organization_identifier);
    OrganizationUnit, OrganizationUnitAccepted, |c, rule| one(rule, &c.attributes.organizational_unit);
    OrganizationName, OrganizationNameAccepted, |c, rule| one(rule, &c.attributes.organization);
    SelfSigned, SelfSigned, |c, _| c.self_signed;
    NotSelfSigned, NotSelfSigned, |c, _| !c.self_signed;
};

/// Certificate policies and QC statements.
const QUALIFIED: &[Row] = rows! {
    PolicyIds, CertificatePolicyAccepted, |c, rule| any(rule, policies(c));
    PolicyQualificationIds, QualifiedPolicy, |c, _| has_policy(c, &[QCP_PUBLIC, QCP_PUBLIC_WITH_SSCD]);
    PolicySupportedByQSCDIds, QscdPolicy,
        |c, _| has_policy(c, &[QCP_PUBLIC_WITH_SSCD, QCP_LEGAL_QSCD, QCP_NATURAL_QSCD]);
    QcCompliance, QcCompliance, |c, _| qc(c).is_some_and(|qc| qc.compliance);
    QcEuLimitValueCurrency, LimitCurrencyAccepted, |c, rule| limit_currency(c, rule);
    MinQcEuLimitValue, LimitValueSufficient, |c, rule| limit_at_least(c, rule);
    MinQcEuRetentionPeriod, RetentionPeriodSufficient, |c, rule| retention_at_least(c, rule);
    QcSSCD, QcSscd, |c, _| qc(c).is_some_and(|qc| qc.sscd);
    QcEuPDSLocation, PdsLocationAccepted,
        |c, rule| any(rule, qc(c).into_iter().flat_map(|qc| &qc.pds).map(|pds| pds.text.as_str()));
    QcType, QcTypeAccepted,
        |c, rule| any(rule, qc(c).into_iter().flat_map(|qc| &qc.types).flat_map(|oid| names(QC_TYPES, oid)));
    QcLegislationCountryCodes, LegislationCountryAccepted,
        |c, rule| any(rule, qc(c).into_iter().flat_map(|qc| qc.cc_legislation.iter().flatten()).map(String::as_str));
    IssuedToNaturalPerson, IssuedToNaturalPerson, |c, _| has_policy(c, &[QCP_NATURAL, QCP_NATURAL_QSCD]);
    IssuedToLegalPerson, IssuedToLegalPerson, |c, _| has_policy(c, &[QCP_LEGAL, QCP_LEGAL_QSCD]);
    SemanticsIdentifier, SemanticsIdentifierAccepted,
        |c, rule| any(rule, qc(c).and_then(|qc| qc.semantics_identifier.as_ref()).into_iter().flat_map(|oid| names(SEMANTICS, oid)));
    PSD2QcTypeRolesOfPSP, Psd2RoleAccepted, |c, rule| any(rule, psd2_roles(c));
    PSD2QcCompetentAuthorityName, Psd2AuthorityNameAccepted,
        |c, rule| qc(c).and_then(|qc| qc.psd2.as_ref()).is_some_and(|psd2| one_of(rule, &psd2.nca_name));
    PSD2QcCompetentAuthorityId, Psd2AuthorityIdAccepted,
        |c, rule| qc(c).and_then(|qc| qc.psd2.as_ref()).is_some_and(|psd2| one_of(rule, &psd2.nca_id));
    QcQSCDLegislation, QscdLegislationAccepted,
        |c, rule| any(rule, qc(c).into_iter().flat_map(|qc| qc.qscd_legislation.iter().flatten()).map(String::as_str));
    QcIdentificationMethod, IdentificationMethodAccepted,
        |c, rule| qc(c).and_then(|qc| qc.identification_method.as_deref()).is_some_and(|method| one_of(rule, method));
};

// TS 101 456 §5.3.
const QCP_PUBLIC: &str = "0.4.0.1456.1.2";
const QCP_PUBLIC_WITH_SSCD: &str = "0.4.0.1456.1.1";
// EN 319 411-2 §5.3.
const QCP_NATURAL: &str = "0.4.0.194112.1.0";
const QCP_LEGAL: &str = "0.4.0.194112.1.1";
const QCP_NATURAL_QSCD: &str = "0.4.0.194112.1.2";
const QCP_LEGAL_QSCD: &str = "0.4.0.194112.1.3";

/// An OID and the other names by which policies call it.
type Names = (&'static str, &'static [&'static str]);

/// EN 319 412-5 §4.2.3.
const QC_TYPES: &[Names] = &[
    ("0.4.0.1862.1.6.1", &["qc-type-esign"]),
    ("0.4.0.1862.1.6.2", &["qc-type-eseal"]),
    ("0.4.0.1862.1.6.3", &["qc-type-web"]),
];

/// EN 319 412-1 §5.1.
const SEMANTICS: &[Names] = &[
    ("0.4.0.194121.1.1", &["qcsSemanticsIdNatural", "Semantics identifier for natural person"]),
    ("0.4.0.194121.1.2", &["qcsSemanticsIdLegal", "Semantics identifier for legal person"]),
    ("0.4.0.194121.1.3", &["qcsSemanticsIdeIDASNatural", "Semantics identifier for eIDAS natural person"]),
    ("0.4.0.194121.1.4", &["qcsSemanticsIdeIDASLegal", "Semantics identifier for eIDAS legal person"]),
];

/// TS 119 495 §5.1.
const PSP_ROLES: &[Names] = &[
    ("0.4.0.19495.1.1", &["psp-as"]),
    ("0.4.0.19495.1.2", &["psp-pi"]),
    ("0.4.0.19495.1.3", &["psp-ai"]),
    ("0.4.0.19495.1.4", &["psp-ic"]),
];

/// Checks the rules about the subject.
pub(super) fn subject(link: Link<'_, '_>, block: &mut BlockBuilder) -> Result<(), Concluded> {
    check(link, block, SUBJECT)
}

/// Checks the rules about certificate policies and QC statements.
pub(super) fn qualified(link: Link<'_, '_>, block: &mut BlockBuilder) -> Result<(), Concluded> {
    check(link, block, QUALIFIED)
}

fn check(link: Link<'_, '_>, block: &mut BlockBuilder, rows: &[Row]) -> Result<(), Concluded> {
    for row in rows {
        let Some(rule) = link.rule(row.rule) else { continue };
        let holds = (row.holds)(link.certificate, rule);
        // EN 319 412-5 §4.2.1 a): an EU qualified certificate names no country of legislation.
        let check = match row.check {
            CheckId::LegislationCountryAccepted if rule.values.is_empty() => CheckId::EuLegislation,
            check => check,
        };
        block.check(Some(rule), check, holds, NotValidInPath::ChainConstraintsFailure)?;
    }
    Ok(())
}

fn one_of(rule: &Rule, value: &str) -> bool {
    !value.is_empty() && rule.accepts(value)
}

fn one(rule: &Rule, value: &Option<String>) -> bool {
    value.as_deref().is_some_and(|value| one_of(rule, value))
}

/// Returns whether one of the values is accepted; without values, whether none was expected.
fn any<'v>(rule: &Rule, values: impl Iterator<Item = &'v str>) -> bool {
    let mut values = values.peekable();
    match values.peek() {
        None => rule.values.is_empty(),
        Some(_) => values.any(|value| one_of(rule, value)),
    }
}

fn names<'v>(table: &[Names], oid: &'v str) -> impl Iterator<Item = &'v str> {
    let other = table.iter().find(|(known, _)| *known == oid).map_or(&[][..], |(_, names)| names);
    std::iter::once(oid).chain(other.iter().copied())
}

fn qc(certificate: &Certificate) -> Option<&QcStatements> {
    certificate.extensions.qc_statements.as_ref()
}

fn policies(certificate: &Certificate) -> impl Iterator<Item = &str> {
    certificate.extensions.certificate_policies.iter().flatten().map(|policy| policy.oid.as_str())
}

fn has_policy(certificate: &Certificate, oids: &[&str]) -> bool {
    policies(certificate).any(|oid| oids.contains(&oid))
}

/// Returns whether there is a pseudonym: the attribute, or the German way: a common name that ends in `:PN`.
fn uses_pseudonym(certificate: &Certificate) -> bool {
    let attributes = &certificate.attributes;
    let german = || {
        let name = attributes.common_name.as_deref().unwrap_or_default();
        let suffix = name.len().checked_sub(3).and_then(|at| name.get(at..));
        attributes.country.as_deref() == Some("DE") && suffix.is_some_and(|s| s.eq_ignore_ascii_case(":PN"))
    };
    attributes.pseudonym.as_deref().is_some_and(|pseudonym| !pseudonym.is_empty()) || german()
}

fn limit_currency(certificate: &Certificate, rule: &Rule) -> bool {
    let limit = qc(certificate).and_then(|qc| qc.limit_value.as_ref());
    limit
        .zip(rule.value.as_deref())
        .is_some_and(|(limit, accepted)| !limit.currency.is_empty() && (accepted == "*" || accepted == limit.currency))
}

/// Returns whether the limit reaches the policy's minimum; its value is amount × 10^exponent (EN 319 412-5 §4.3.2).
fn limit_at_least(certificate: &Certificate, rule: &Rule) -> bool {
    let limit = qc(certificate).and_then(|qc| qc.limit_value.as_ref());
    let exponent = |exponent: i64| i32::try_from(exponent).unwrap_or(if exponent < 0 { i32::MIN } else { i32::MAX });
    limit
        .zip(number(rule))
        .is_some_and(|(limit, minimum)| limit.amount as f64 * 10f64.powi(exponent(limit.exponent)) >= minimum as f64)
}

fn retention_at_least(certificate: &Certificate, rule: &Rule) -> bool {
    let years = qc(certificate).and_then(|qc| qc.retention_period);
    years.zip(number(rule)).is_some_and(|(years, minimum)| years >= minimum)
}

fn number(rule: &Rule) -> Option<i64> {
    rule.value.as_deref()?.trim().parse().ok()
}

fn psd2_roles(certificate: &Certificate) -> impl Iterator<Item = &str> {
    let roles = qc(certificate).and_then(|qc| qc.psd2.as_ref()).into_iter().flat_map(|psd2| &psd2.roles);
    roles.flat_map(|role| {
        std::iter::once(role.name.as_str()).chain(role.oid.as_deref().into_iter().flat_map(|oid| names(PSP_ROLES, oid)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{CertificatePolicy, Facts, Id, Psd2, Psd2Role, QcLimitValue};
    use crate::validation::bbb::signature_blocks;
    use crate::validation::context::ValidationContext;
    use crate::validation::situations::{answer, policy};
    use crate::validation::testing::{at, certificate_mut, valid};

    /// A rule on the signing certificate, how its certificate is changed, and whether it then holds.
    type Row = (&'static str, &'static str, &'static str, fn(&mut Certificate), bool);

    /// Judges the signing certificate by that rule alone.
    fn check(rows: &[Row]) {
        for (clause, situation, rule, change, holds) in rows {
            let policy = policy(&format!(
                "<SignatureConstraints><BasicSignatureConstraints><SigningCertificate>{rule}</SigningCertificate>\
                 </BasicSignatureConstraints></SignatureConstraints>"
            ));
            let mut facts: Facts = valid();
            change(certificate_mut(&mut facts, "SIGNER"));
            let cx = ValidationContext::new(&facts, &policy, at("2021-06-02"));
            let blocks = signature_blocks(&cx, &facts.signatures[0], &Default::default());
            let answer = answer(&blocks.certificate_in_path(&Id::new("SIGNER")).unwrap().block);
            assert_eq!(answer == "PASSED", *holds, "{clause} {situation}: {answer}");
            assert!(*holds || answer.contains("CHAIN_CONSTRAINTS_FAILURE"), "{clause} {situation}: {answer}");
        }
    }

    fn qc(certificate: &mut Certificate) -> &mut QcStatements {
        certificate.extensions.qc_statements.get_or_insert_default()
    }

    fn limit(certificate: &mut Certificate, amount: i64, exponent: i64) {
        qc(certificate).limit_value = Some(QcLimitValue { currency: "EUR".into(), amount, exponent });
    }

    fn with_policy(certificate: &mut Certificate, oid: &str) {
        let policy = CertificatePolicy { oid: oid.into(), cps_url: None };
        certificate.extensions.certificate_policies = Some(vec![policy]);
    }

    #[test]
    fn the_subject() {
        const COUNTRY: &str = "<Country Level='FAIL'><Id>EE</Id><Id>LV</Id></Country>";
        const PSEUDONYM: &str = "<UsePseudonym Level='FAIL'/>";
        check(&[
            ("X.520 6.3.1", "the country asked for", COUNTRY, |c| c.attributes.country = Some("LV".into()), true),
            ("X.520 6.3.1", "another country", COUNTRY, |c| c.attributes.country = Some("LT".into()), false),
            ("X.520 6.3.1", "no country", COUNTRY, |_| {}, false),
            (
                "X.520 6.3.1",
                "any country, and there is an empty one",
                "<Country Level='FAIL'><Id>*</Id></Country>",
                |c| c.attributes.country = Some(String::new()),
                false,
            ),
            ("EN 319 412-2 4.2.4", "no pseudonym", PSEUDONYM, |_| {}, true),
            ("EN 319 412-2 4.2.4", "a pseudonym", PSEUDONYM, |c| c.attributes.pseudonym = Some("x".into()), false),
            (
                "EN 319 412-2 4.2.4",
                "a pseudonym the German way",
                PSEUDONYM,
                |c| {
                    c.attributes.country = Some("DE".into());
                    c.attributes.common_name = Some("Eva:pn".into());
                },
                false,
            ),
        ]);
    }

    #[test]
    fn policies_and_statements() {
        const QSCD: &str = "<PolicySupportedByQSCDIds Level='FAIL'/>";
        const CURRENCY: &str = "<QcEuLimitValueCurrency Level='FAIL' value='EUR'/>";
        const LIMIT: &str = "<MinQcEuLimitValue Level='FAIL' value='1000'/>";
        const TYPE: &str = "<QcType Level='FAIL'><Id>qc-type-eseal</Id></QcType>";
        const EU: &str = "<QcLegislationCountryCodes Level='FAIL'/>";
        const METHOD: &str = "<QcIdentificationMethod Level='FAIL'/>";
        const ROLE: &str = "<PSD2QcTypeRolesOfPSP Level='FAIL'><Id>psp-ai</Id></PSD2QcTypeRolesOfPSP>";
        check(&[
            ("EN 319 411-2 5.3", "a policy of devices", QSCD, |c| with_policy(c, QCP_NATURAL_QSCD), true),
            ("EN 319 411-2 5.3", "a policy without", QSCD, |c| with_policy(c, QCP_NATURAL), false),
            ("EN 319 412-5 4.2.1", "compliant", "<QcCompliance Level='FAIL'/>", |c| qc(c).compliance = true, true),
            ("EN 319 412-5 4.2.1", "not so", "<QcCompliance Level='FAIL'/>", |_| {}, false),
            ("EN 319 412-5 4.3.2", "the currency", CURRENCY, |c| limit(c, 1, 0), true),
            ("EN 319 412-5 4.3.2", "no limit, no currency", CURRENCY, |c| qc(c).limit_value = None, false),
            ("EN 319 412-5 4.3.2", "1 × 10³ is a thousand", LIMIT, |c| limit(c, 1, 3), true),
            ("EN 319 412-5 4.3.2", "9999 × 10⁻¹ is less", LIMIT, |c| limit(c, 9_999, -1), false),
            ("EN 319 412-5 4.2.3", "a seal by its name", TYPE, |c| qc(c).types = vec!["0.4.0.1862.1.6.2".into()], true),
            ("EN 319 412-5 4.2.3", "a signature", TYPE, |c| qc(c).types = vec!["0.4.0.1862.1.6.1".into()], false),
            ("EN 319 412-5 4.2.4", "of the EU: no country named", EU, |_| {}, true),
            ("TS 119 461", "a method of identification, and none is stated", METHOD, |_| {}, false),
            ("EN 319 412-5 4.2.4", "a third country", EU, |c| qc(c).cc_legislation = Some(vec!["XX".into()]), false),
            (
                "TS 119 495 5.1",
                "the role by its OID",
                ROLE,
                |c| {
                    let role = Psd2Role { oid: Some("0.4.0.19495.1.3".into()), name: "PSP_AI".into() };
                    qc(c).psd2 = Some(Psd2 { roles: vec![role], ..Psd2::default() });
                },
                true,
            ),
            ("TS 119 495 5.1", "no role", ROLE, |_| {}, false),
        ]);
    }
}
