//! Criteria that select the certificates to which a qualifier applies: TS 119 612 §5.5.9.2.2.

use super::elements::{ADDITIONAL_TYPES, QUALIFICATIONS, RECOGNITION, identifier};
use super::qc_statement::{QcStatement, statements};
use crate::facts::KeyUsage;
use crate::formats::xml::Element;
use crate::vocabulary::string_enum;
use crate::x509::Certificate;
use serde::{Deserialize, Serialize};

string_enum! {
    /// How many criteria of a list must be met (§5.5.9.2.2.1).
    pub enum Assert {
        All = "all",
        AtLeastOne = "atLeastOne",
        None = "none",
    }
}

/// A `CriteriaList` (TS 119 612 §5.5.9.2.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Criteria {
    /// How many of the criteria must be met.
    pub assert: Assert,
    /// The criteria.
    pub list: Vec<Criterion>,
}

impl Default for Criteria {
    fn default() -> Self {
        Self { assert: Assert::All, list: vec![] }
    }
}

/// A criterion for certificates (TS 119 612 §5.5.9.2.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
#[non_exhaustive]
pub enum Criterion {
    /// Key usage bits that must be set or not set (§5.5.9.2.2.2).
    KeyUsage(Vec<(KeyUsage, bool)>),
    /// Certificate policies, all of which must be present: OIDs in dotted form (§5.5.9.2.2.3).
    Policies(Vec<String>),
    /// Extended key usages, all of which must be present: OIDs in dotted form.
    ExtendedKeyUsage(Vec<String>),
    /// Attribute types, all of which must be in the subject: OIDs in dotted form.
    SubjectAttributes(Vec<String>),
    /// QC statements, all of which must be present (mutual recognition agreements).
    Statements(Vec<QcStatement>),
    /// Criteria within criteria.
    Nested(Criteria),
    /// A criterion that is not known here, by its name.
    Unknown(String),
}

/// Criteria inside each other that are read. Real lists: at most 3.
const NESTING: usize = 16;

impl Criteria {
    /// Reads a `CriteriaList`.
    pub(super) fn read(element: Element<'_, '_>) -> Self {
        Self::within(element, 0)
    }

    fn within(element: Element<'_, '_>, depth: usize) -> Self {
        // §5.5.9.2.2.1: `assert` is required; what is neither of its words is nothing that could be met.
        let assert = element.attribute("assert").map_or(Some(Assert::All), |word| word.trim().parse().ok());
        let mut list = vec![];
        for child in element.children() {
            let own = child.namespace() == QUALIFICATIONS;
            match child.local() {
                "KeyUsage" if own => list.push(key_usage(child)),
                "PolicySet" if own => list.push(identifiers(child, "PolicyIdentifier", Criterion::Policies)),
                "CriteriaList" if own && depth < NESTING => {
                    list.push(Criterion::Nested(Self::within(child, depth + 1)));
                }
                "otherCriteriaList" if own => list.extend(child.children().map(other)),
                "Description" if own => {}
                local => list.push(Criterion::Unknown(local.into())),
            }
        }
        match assert {
            Some(assert) => Self { assert, list },
            None => Self::unknown("assert"),
        }
    }

    /// Returns criteria of which nobody knows whether they are met.
    pub(super) fn unknown(what: &str) -> Self {
        Self { list: vec![Criterion::Unknown(what.into())], ..Self::default() }
    }

    /// Returns whether the certificate meets the criteria; `None` where that depends on a criterion that is not known
    /// here.
    pub fn met_by(&self, certificate: &Certificate) -> Option<bool> {
        let met = || self.list.iter().map(|criterion| criterion.met_by(certificate));
        match self.assert {
            Assert::All => all(met()),
            Assert::AtLeastOne => any(met()),
            Assert::None => any(met()).map(|met| !met),
        }
    }
}

impl Criterion {
    fn met_by(&self, certificate: &Certificate) -> Option<bool> {
        let extensions = certificate.extensions();
        let all_in = |wanted: &[String], stated: &[String]| Some(wanted.iter().all(|oid| stated.contains(oid)));
        match self {
            Self::KeyUsage(bits) => {
                let stated = extensions.key_usage.as_deref().unwrap_or_default();
                Some(bits.iter().all(|(bit, set)| stated.contains(bit) == *set))
            }
            Self::Policies(oids) => {
                let stated = extensions.certificate_policies.as_deref().unwrap_or_default();
                Some(oids.iter().all(|oid| stated.iter().any(|policy| policy.oid == *oid)))
            }
            Self::ExtendedKeyUsage(oids) => all_in(oids, extensions.extended_key_usage.as_deref().unwrap_or_default()),
            Self::SubjectAttributes(oids) => {
                let stated: Vec<String> =
                    certificate.subject().rdns().flatten().map(|(oid, _)| oid.to_string()).collect();
                all_in(oids, &stated)
            }
            Self::Statements(wanted) => {
                let stated = extensions.qc_statements.as_ref();
                Some(stated.is_some_and(|stated| wanted.iter().all(|wanted| wanted.is_in(stated))))
            }
            Self::Nested(criteria) => criteria.met_by(certificate),
            Self::Unknown(_) => None,
        }
    }
}

/// Returns whether all are met: `Some(false)` where one is not, whatever is not known of the others.
fn all(mut met: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    met.try_fold(Some(true), |so_far, next| match next {
        Some(false) => Err(()),
        Some(true) => Ok(so_far),
        None => Ok(None),
    })
    .unwrap_or(Some(false))
}

/// Returns whether one is met: `Some(true)` where it is, whatever is not known of the others.
fn any(mut met: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    met.try_fold(Some(false), |so_far, next| match next {
        Some(true) => Err(()),
        Some(false) => Ok(so_far),
        None => Ok(None),
    })
    .unwrap_or(Some(true))
}

/// Reads a criterion on the key usage: §5.5.9.2.2.2.
fn key_usage(element: Element<'_, '_>) -> Criterion {
    let mut bits = vec![];
    for bit in element.children().filter(|child| child.is(QUALIFICATIONS, "KeyUsageBit")) {
        let name = bit.attribute("name").unwrap_or_default().trim();
        let usage = KeyUsage::ALL.iter().find(|usage| usage.as_str().eq_ignore_ascii_case(name));
        let is_set = match bit.text().trim() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        };
        let Some((usage, is_set)) = usage.zip(is_set) else {
            return Criterion::Unknown(format!("KeyUsageBit {name}"));
        };
        bits.push((*usage, is_set));
    }
    if bits.is_empty() { Criterion::Unknown("KeyUsage".into()) } else { Criterion::KeyUsage(bits) }
}

/// Reads another criterion: §5.5.9.2.2.3 and annex C.
fn other(element: Element<'_, '_>) -> Criterion {
    match element.local() {
        "ExtendedKeyUsage" if element.namespace() == ADDITIONAL_TYPES => {
            identifiers(element, "KeyPurposeId", Criterion::ExtendedKeyUsage)
        }
        "CertSubjectDNAttribute" if element.namespace() == ADDITIONAL_TYPES => {
            identifiers(element, "AttributeOID", Criterion::SubjectAttributes)
        }
        "QcStatementSet" if element.namespace() == RECOGNITION => {
            statements(element).map_or_else(|| Criterion::Unknown("QcStatementSet".into()), Criterion::Statements)
        }
        local => Criterion::Unknown(local.into()),
    }
}

/// Returns the criterion of the OIDs of `ObjectIdentifierType` children (EN 319 132-1 §5.1.2), also as URNs. Every certificate
/// would meet none.
fn identifiers(element: Element<'_, '_>, local: &str, criterion: fn(Vec<String>) -> Criterion) -> Criterion {
    let each: Vec<String> = element.children().filter(|child| child.local() == local).map(identifier).collect();
    if each.is_empty() { Criterion::Unknown(element.local().into()) } else { criterion(each) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::xml::{Options, parse};

    /// Key usage: certificate and CRL signing.
    const ROOT: &[u8] = include_bytes!("../../../examples/documents/root.der");

    #[test]
    fn criteria_that_a_certificate_meets() {
        let certificate = Certificate::from_der(ROOT).expect("an example");
        let bit =
            |name: &str, set: bool| format!(r#"<KeyUsage><KeyUsageBit name="{name}">{set}</KeyUsageBit></KeyUsage>"#);
        let (yes, no) = (bit("keyCertSign", true), bit("keyCertSign", false));
        let unknown = "<otherCriteriaList><x:Something xmlns:x='urn:x'/></otherCriteriaList>";
        let policy = "<PolicySet><PolicyIdentifier><i:Identifier xmlns:i='urn:i'>urn:oid:1.2.3</i:Identifier></PolicyIdentifier></PolicySet>";
        let common_name = format!(
            "<otherCriteriaList><a:CertSubjectDNAttribute xmlns:a='{ADDITIONAL_TYPES}'><a:AttributeOID><Identifier>2.5.4.3</Identifier></a:AttributeOID></a:CertSubjectDNAttribute></otherCriteriaList>"
        );
        let list = |assert: &str, inside: &str| format!(r#"<CriteriaList assert="{assert}">{inside}</CriteriaList>"#);
        let rows = [
            ("5.5.9.2.2.2: a bit that is set", list("all", &yes), Some(true)),
            ("5.5.9.2.2.2: a bit that shall not be", list("all", &no), Some(false)),
            ("5.5.9.2.2.2: a bit of no known word", list("none", &no.replace("false", "FALSE")), None),
            ("5.5.9.2.2.1: all", list("all", &format!("{yes}{no}")), Some(false)),
            ("5.5.9.2.2.1: at least one", list("atLeastOne", &format!("{yes}{no}")), Some(true)),
            ("5.5.9.2.2.1: none", list("none", &no), Some(true)),
            ("5.5.9.2.2.1: one inside the other", list("all", &list("none", &yes)), Some(false)),
            ("5.5.9.2.2.3: a policy that it has not", list("all", policy), Some(false)),
            ("annex C: an attribute of the subject", list("all", &common_name), Some(true)),
            ("what is not known decides", list("all", &format!("{yes}{unknown}")), None),
            ("what is not known decides nothing", list("all", &format!("{no}{unknown}")), Some(false)),
            ("what is not known decides nothing", list("atLeastOne", &format!("{yes}{unknown}")), Some(true)),
            ("none of what is not known", list("none", unknown), None),
            ("5.5.9.2.2.1: a word that is none", list("some", &yes), None),
            ("5.5.9.2.2.2: no bit", list("all", "<KeyUsage/>"), None),
            ("5.5.9.2.2.3: no policy", list("all", "<PolicySet><PolicyIdentifiers/></PolicySet>"), None),
        ];
        for (situation, text, expected) in rows {
            let text = text.replacen("<CriteriaList", &format!("<CriteriaList xmlns='{QUALIFICATIONS}'"), 1);
            let tree = parse(&text, &Options::default()).expect("it is XML");
            let criteria = Criteria::read(tree.document_element().expect("there is one"));
            assert_eq!(criteria.met_by(&certificate), expected, "TS 119 612 {situation}");
        }
    }
}
