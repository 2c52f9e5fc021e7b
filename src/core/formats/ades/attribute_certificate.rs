//! Attribute certificates, as far as signatures state roles by them: RFC 5755, EN 319 122-1 §5.2.6.

use crate::asn1::{Tag, Tlv};
use crate::facts::{RoleCategory, SignerRole};
use crate::formats::cms::{Attributes, oids};

/// Returns the roles (RFC 5755 §4.4.5) in an attribute certificate, whose signature and holder are not verified.
///
/// ```asn1
/// AttributeCertificateInfo ::= SEQUENCE { version, holder, issuer, signature, serialNumber,
///   attrCertValidityPeriod SEQUENCE { notBeforeTime GeneralizedTime, notAfterTime GeneralizedTime },
///   attributes SEQUENCE OF Attribute, … }
/// ```
pub(crate) fn certified_roles(certificate: &Tlv<'_>) -> Vec<SignerRole> {
    let Some((period, attributes)) = period_and_attributes(certificate) else { return vec![] };
    let mut times = period.children().map(|time| time.time().ok());
    let (not_before, not_after) = (times.next().flatten(), times.next().flatten());
    let attributes = Attributes::parse(&attributes);
    attributes
        .all(oids::ROLE)
        .flat_map(|attribute| attribute.values())
        .filter_map(|role| role_name(&role))
        .map(|role| SignerRole {
            not_before,
            not_after,
            verified: Some(false),
            ..SignerRole::new(role, RoleCategory::Certified)
        })
        .collect()
}

/// Returns whether it is an attribute certificate, as far as roles are looked for in it.
pub(crate) fn is_attribute_certificate(certificate: &Tlv<'_>) -> bool {
    period_and_attributes(certificate).is_some()
}

/// Returns the validity period, the SEQUENCE of two times, and the attributes, which follow it.
fn period_and_attributes<'a>(certificate: &Tlv<'a>) -> Option<(Tlv<'a>, Tlv<'a>)> {
    let info = certificate.children().read().ok().filter(|info| info.is(Tag::SEQUENCE))?;
    let is_period = |part: &Tlv<'_>| part.inner().is_ok_and(|time| time.is(Tag::GENERALIZED_TIME));
    let mut parts = info.children().skip_while(|part| !is_period(part));
    Some((parts.next()?, parts.next()?))
}

/// Reads the name in `RoleSyntax ::= SEQUENCE { roleAuthority [0] GeneralNames OPTIONAL, roleName [1] GeneralName }`.
fn role_name(role: &Tlv<'_>) -> Option<String> {
    let name = role.children().find(|part| part.is_context(1))?.inner().ok()?;
    Some(String::from_utf8_lossy(name.content).into_owned())
}
