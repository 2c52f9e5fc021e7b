//! What is the matter with the names of a signer.

use crate::confusable::{deceives, is_invisible};
use crate::facts::{Irregularity, IrregularityKind, SubjectAttributes};
use crate::x509::Certificate;

/// Finds names that are missing, and names that are made to be taken for others.
pub(super) fn irregularities(certificate: &Certificate) -> Vec<Irregularity> {
    let attributes = certificate.subject().subject_attributes();
    let mut found: Vec<Irregularity> = names(attributes)
        .filter(|name| deceives(name))
        .map(|name| Irregularity::about(IrregularityKind::DeceptiveName, name))
        .collect();
    // RFC 5280 §4.1.2.6: where the subject is empty, the names stand in an extension.
    let elsewhere = certificate.subject().is_empty() && has_other_names(certificate);
    if !elsewhere && !names(attributes).any(says_something) {
        let subject = certificate.subject().rfc2253();
        found.push(Irregularity::about(IrregularityKind::UnnamedSigner, subject));
    }
    found
}

/// Returns the attributes that name somebody; a country alone does not.
fn names(attributes: &SubjectAttributes) -> impl Iterator<Item = &str> {
    let SubjectAttributes { serial_number, common_name, organization_identifier, organization, .. } = attributes;
    let SubjectAttributes { organizational_unit, given_name, surname, pseudonym, email, .. } = attributes;
    let company = [organization, organization_identifier, organizational_unit, serial_number];
    let person = [common_name, given_name, surname, pseudonym, email];
    person.into_iter().chain(company).filter_map(|name| name.as_deref())
}

fn says_something(name: &str) -> bool {
    name.chars().any(|c| !c.is_whitespace() && !c.is_control() && !is_invisible(c))
}

fn has_other_names(certificate: &Certificate) -> bool {
    certificate.extensions().subject_alternative_names.as_ref().is_some_and(|names| !names.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_named() {
        let named =
            |common_name: &str| SubjectAttributes { common_name: Some(common_name.into()), ..Default::default() };
        for (situation, attributes, expected) in [
            ("a name", named("Alice"), true),
            ("blanks", named(" \u{a0}"), false),
            ("what nobody sees", named("\u{200b}\u{2800}"), false),
            ("nothing", SubjectAttributes::default(), false),
            ("a country", SubjectAttributes { country: Some("PT".into()), ..Default::default() }, false),
            ("a pseudonym", SubjectAttributes { pseudonym: Some("PN".into()), ..Default::default() }, true),
            ("a company", SubjectAttributes { organization: Some("Lab".into()), ..Default::default() }, true),
        ] {
            assert_eq!(names(&attributes).any(says_something), expected, "RFC 5280 4.1.2.6 {situation}");
        }
    }
}
