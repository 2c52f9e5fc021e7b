//! The profile of certificates: RFC 5280 §4.

use super::PathError;
use crate::asn1::Oid;
use crate::facts::{GeneralName, GeneralNameType, KeyUsage};
use crate::x509::Certificate;
use crate::x509::certificate::minimal;
use crate::x509::extensions::{
    AUTHORITY_INFORMATION_ACCESS, AUTHORITY_KEY_IDENTIFIER, BASIC_CONSTRAINTS, EXTENDED_KEY_USAGE, FRESHEST_CRL,
    INHIBIT_ANY_POLICY, KEY_USAGE, NAME_CONSTRAINTS, POLICY_CONSTRAINTS, SUBJECT_ALT_NAME, SUBJECT_KEY_IDENTIFIER,
};
use std::collections::HashSet;

/// Extensions and whether they must be critical (true) or must not be (false).
const CRITICALITY: [(Oid<'static>, bool, &str); 7] = [
    (AUTHORITY_KEY_IDENTIFIER, false, "4.2.1.1"),
    (SUBJECT_KEY_IDENTIFIER, false, "4.2.1.2"),
    (NAME_CONSTRAINTS, true, "4.2.1.10"),
    (POLICY_CONSTRAINTS, true, "4.2.1.11"),
    (INHIBIT_ANY_POLICY, true, "4.2.1.14"),
    (FRESHEST_CRL, false, "4.2.1.15"),
    (AUTHORITY_INFORMATION_ACCESS, false, "4.2.2.1"),
];

/// Checks that a certificate conforms to the profile.
pub(super) fn check(at: usize, certificate: &Certificate, anchor: bool) -> Result<(), PathError> {
    let breach =
        |clause, kept: bool, breach| if kept { Ok(()) } else { Err(PathError::Profile { at, clause, breach }) };
    let stated = certificate.extensions();
    let has = |oid: Oid<'_>| certificate.extension(oid).is_some();
    let critical = |oid: Oid<'_>| certificate.extension(oid).is_some_and(|ext| ext.critical);
    let ca = stated.basic_constraints.is_some_and(|constraints| constraints.ca);
    let usage = |usage| stated.key_usage.as_ref().is_some_and(|stated| stated.contains(&usage));

    breach("4.1.2.1", certificate.version() == 3, "the version is not 3")?;
    let serial = minimal(certificate.serial());
    let positive = serial.first().is_some_and(|first| first & 0x80 == 0) && serial != [0];
    // NOTE: anchors of the field have serial number 0, and nobody looks an anchor up by its serial number.
    let numbered = anchor || positive && serial.len() <= 20;
    breach("4.1.2.2", numbered, "the serial number is not positive or longer than 20 bytes")?;
    unreadable(at, certificate)?;
    // §4.2.1.1: the issuer's key is named by everybody but who issued himself.
    let key_named = stated.authority_key_identifier.as_ref().is_some_and(|stated| stated.key_identifier.is_some());
    let may_omit = anchor && certificate.is_self_issued();
    breach("4.2.1.1", key_named || may_omit && !has(AUTHORITY_KEY_IDENTIFIER), "no authority key identifier")?;
    breach("4.2.1.2", !ca || stated.subject_key_identifier.is_some(), "a CA without a subject key identifier")?;
    breach("4.2.1.9", !ca || !has(KEY_USAGE) || usage(KeyUsage::KeyCertSign), "a CA without keyCertSign")?;
    breach("4.2.1.9", !ca || critical(BASIC_CONSTRAINTS), "a CA's basic constraints are not critical")?;
    breach("4.2.1.9", !anchor || ca, "an anchor that is no CA")?;
    for (oid, must, clause) in CRITICALITY {
        breach(clause, !must || !has(oid) || critical(oid), "an extension is not critical where it must be")?;
    }
    let names = stated.subject_alternative_names.as_deref().unwrap_or_default();
    breach("4.2.1.6", !has(SUBJECT_ALT_NAME) || !names.is_empty(), "no alternative name is listed")?;
    breach("4.2.1.6", names.iter().all(is_well_formed), "an alternative name is not of its form")?;
    consistent(at, certificate)
}

/// Refuses what a certificate says of names, uses and limits, and cannot mean: asked of every certificate below an
/// anchor, as whoever relies on it would have to choose what it means.
pub(super) fn consistent(at: usize, certificate: &Certificate) -> Result<(), PathError> {
    let breach =
        |clause, kept: bool, breach| if kept { Ok(()) } else { Err(PathError::Profile { at, clause, breach }) };
    let stated = certificate.extensions();
    let has = |oid: Oid<'_>| certificate.extension(oid).is_some();
    let critical = |oid: Oid<'_>| certificate.extension(oid).is_some_and(|ext| ext.critical);
    let ca = stated.basic_constraints.is_some_and(|constraints| constraints.ca);
    let usage = |usage| stated.key_usage.as_ref().is_some_and(|stated| stated.contains(&usage));

    breach("4.1.2.4", !certificate.issuer().is_empty(), "the issuer's name is empty")?;
    breach("4.1.2.6", !ca || !certificate.subject().is_empty(), "a CA's name is empty")?;
    let named = !certificate.subject().is_empty() || critical(SUBJECT_ALT_NAME);
    breach("4.2.1.6", named, "the subject is empty and there is no critical alternative name")?;
    // NOTE: what must be critical and is not is processed all the same, and CAs of the field leave it so.
    for (oid, must, clause) in CRITICALITY {
        breach(clause, must || !critical(oid), "an extension is critical where it must not be")?;
    }
    breach("4.2.1.3", stated.key_usage.as_ref().is_none_or(|usage| !usage.is_empty()), "no key usage is allowed")?;
    breach("4.2.1.9", ca || !usage(KeyUsage::KeyCertSign), "keyCertSign without being a CA")?;
    breach("4.2.1.10", ca || !has(NAME_CONSTRAINTS), "name constraints without being a CA")?;
    let purposes = stated.extended_key_usage.as_ref();
    breach("4.2.1.12", purposes.is_none_or(|list| !list.is_empty()), "no extended key usage is listed")?;
    let constraints = stated.policy_constraints;
    let limits = constraints.is_none_or(|c| c.require_explicit_policy.is_some() || c.inhibit_policy_mapping.is_some());
    breach("4.2.1.11", limits, "policy constraints without a constraint")
}

/// Refuses an extension that says what a certificate or its key may be used for, and that is there twice or cannot be
/// read. One that is not understood does not mean that there are no limits.
pub(super) fn unreadable(at: usize, certificate: &Certificate) -> Result<(), PathError> {
    let mut seen = HashSet::new();
    let twice =
        certificate.raw_extensions().find(|extension| !seen.insert(extension.oid)).map(|extension| extension.oid);
    let stated = certificate.extensions();
    let lost = [
        (KEY_USAGE, stated.key_usage.is_some()),
        (EXTENDED_KEY_USAGE, stated.extended_key_usage.is_some()),
        (BASIC_CONSTRAINTS, stated.basic_constraints.is_some()),
        (NAME_CONSTRAINTS, stated.name_constraints.is_some()),
        (POLICY_CONSTRAINTS, stated.policy_constraints.is_some()),
        (INHIBIT_ANY_POLICY, stated.inhibit_any_policy.is_some()),
    ];
    let lost = lost.into_iter().find(|(oid, read)| !read && certificate.extension(*oid).is_some()).map(|(oid, _)| oid);
    match twice.or(lost) {
        Some(oid) => Err(PathError::Extension { at, oid: oid.to_string() }),
        None => Ok(()),
    }
}

/// Returns whether a name is well formed: host names in the preferred syntax (RFC 1034 §3.5), also with a wildcard as
/// first label; mailboxes with one host (§4.2.1.6).
fn is_well_formed(name: &GeneralName) -> bool {
    let label = |label: &str| {
        let inner = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        inner && !label.is_empty() && label.len() <= 63 && !label.starts_with('-') && !label.ends_with('-')
    };
    let host = |host: &str| {
        let numeric = host.rsplit('.').next().is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()));
        host.split('.').all(label) && !numeric
    };
    match name.kind {
        Some(GeneralNameType::DnsName) => host(name.value.strip_prefix("*.").unwrap_or(&name.value)),
        Some(GeneralNameType::Rfc822Name) => {
            let mailbox = name.value.split_once('@');
            mailbox.is_some_and(|(local, domain)| !local.is_empty() && host(domain))
        }
        _ => true,
    }
}
