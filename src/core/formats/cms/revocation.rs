//! Revocation data inside CMS: `crls` (RFC 5652 §10.2.1, RFC 5940), revocation-values (EN 319 122-1 §A.1.2.2).
//!
//! Only found, not read: one that is broken spoils no other.

use super::attribute::Attribute;
use super::oids;
use super::signed_data::SignedData;
use crate::asn1::{Reader, Tag, Tlv};
use crate::facts::{RevocationOrigin, RevocationType};
use crate::formats::draft::EmbeddedRevocation;
use std::borrow::Cow;

/// Returns the CRLs and OCSP responses in `crls`.
///
/// ```asn1
/// RevocationInfoChoice ::= CHOICE { crl CertificateList, other [1] IMPLICIT OtherRevocationInfoFormat }
/// OtherRevocationInfoFormat ::= SEQUENCE { otherRevInfoFormat OBJECT IDENTIFIER, otherRevInfo ANY }
/// ```
pub(crate) fn in_signed_data<'a>(signed_data: &SignedData<'a>) -> Vec<EmbeddedRevocation<'a>> {
    let choices = signed_data.crls.map(|set| set.children()).unwrap_or(Reader::new(&[]));
    choices.filter_map(|choice| in_choice(&choice)).collect()
}

/// Returns what one element of `crls` holds, where it is a CRL or an OCSP response.
pub(crate) fn in_choice<'a>(choice: &Tlv<'a>) -> Option<EmbeddedRevocation<'a>> {
    let origin = RevocationOrigin::CmsSignedData;
    if choice.is(Tag::SEQUENCE) {
        return Some(embedded(RevocationType::Crl, origin, *choice));
    }
    let mut reader = choice.is_context(1).then(|| choice.children())?;
    let format = reader.expect(Tag::OID).ok()?.oid().ok()?;
    let known = format == oids::RI_OCSP_RESPONSE || format == oids::RI_OCSP_BASIC;
    known.then(|| reader.read().ok()).flatten().map(|info| embedded(RevocationType::Ocsp, origin, info))
}

/// Returns the CRLs and OCSP responses in revocation-values or Adobe's revocation info archival (ISO 32000-1
/// §12.8.3.3.2).
///
/// ```asn1
/// RevocationValues ::= SEQUENCE { crlVals [0] SEQUENCE OF CertificateList OPTIONAL,
///                                 ocspVals [1] SEQUENCE OF BasicOCSPResponse OPTIONAL, otherRevVals [2] … OPTIONAL }
/// ```
pub(crate) fn in_values<'a>(attribute: &Attribute<'a>, origin: RevocationOrigin) -> Vec<EmbeddedRevocation<'a>> {
    let mut found = Vec::new();
    for list in attribute.value().map(|value| value.children()).unwrap_or(Reader::new(&[])) {
        let kind = match list.tag.number {
            0 => RevocationType::Crl,
            1 => RevocationType::Ocsp,
            _ => continue,
        };
        let Ok(values) = list.inner() else { continue };
        found.extend(values.children().map(|value| embedded(kind, origin, value)));
    }
    found
}

/// Returns whether the value of such an attribute holds lists that can be read; what `otherRevVals` holds is for
/// others.
pub(crate) fn are_values(value: &Tlv<'_>) -> bool {
    let is_list = |list: &Tlv<'_>| match list.tag.number {
        0 | 1 => list.inner().is_ok_and(|values| values.children().each_is(|value| value.is(Tag::SEQUENCE))),
        number => number == 2,
    };
    value.is(Tag::SEQUENCE) && value.children().each_is(is_list)
}

fn embedded<'a>(kind: RevocationType, origin: RevocationOrigin, element: Tlv<'a>) -> EmbeddedRevocation<'a> {
    EmbeddedRevocation { kind, origin, bytes: Cow::Borrowed(element.raw) }
}
