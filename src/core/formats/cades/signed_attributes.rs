//! What the signed attributes say of the signature: RFC 5652 §11, RFC 2634, EN 319 122-1 §5.2.

use super::policy;
use crate::asn1::{Tag, Tlv};
use crate::facts::{
    Commitment, CommitmentQualifier, ContentReference, Irregularity, IrregularityKind, ProductionPlace, RoleCategory,
    SignerRole,
};
use crate::formats::ades::attribute_certificate::{certified_roles, is_attribute_certificate};
use crate::formats::cms::signer::{Once, faults};
use crate::formats::cms::{Attribute, Attributes, SignerInfo, oids};
use crate::formats::draft::SignatureFacts;
use crate::time::Time;

/// Fills in every fact that a signed attribute states. An attribute that cannot be read states nothing.
pub(crate) fn read(signed: &Attributes<'_>, facts: &mut SignatureFacts) {
    facts.claimed_signing_time = signing_time(signed);
    facts.content_type = signed.value(oids::CONTENT_TYPE).and_then(|v| v.oid().ok()).map(|oid| oid.dotted());
    facts.mime_type = signed.value(oids::MIME_TYPE).and_then(|v| text(&v));
    facts.content_identifier = signed.value(oids::CONTENT_IDENTIFIER).and_then(|v| content_identifier(&v));
    facts.content_reference = signed.value(oids::CONTENT_REFERENCE).and_then(|v| content_reference(&v));
    facts.content_hints = signed.value(oids::CONTENT_HINT).and_then(|v| content_hints(&v));
    facts.production_place = signed.value(oids::SIGNER_LOCATION).map(|v| signer_location(&v));
    facts.commitments = signed.all(oids::COMMITMENT_TYPE).flat_map(|a| a.values()).filter_map(commitment).collect();
    facts.roles = roles(signed);
}

/// Attributes that EN 319 122-1 §6.3 has at most once.
const SIGNED: [Once; 8] = [
    (oids::MIME_TYPE, "mime-type", |value| text(value).is_some()),
    (oids::CONTENT_IDENTIFIER, "content-identifier", |value| content_identifier(value).is_some()),
    (oids::CONTENT_REFERENCE, "content-reference", |value| content_reference(value).is_some()),
    (oids::CONTENT_HINT, "content-hints", |value| content_hints(value).is_some()),
    (oids::SIGNER_LOCATION, "signer-location", is_location),
    (oids::SIGNER_ATTRIBUTES, "signer-attributes", |value| are_roles(value, false)),
    (oids::SIGNER_ATTRIBUTES_V2, "signer-attributes-v2", |value| are_roles(value, true)),
    (oids::SIGNATURE_POLICY, "signature policy", policy::is_identifier),
];
const UNSIGNED: [Once; 1] = [(oids::SIGNATURE_POLICY_STORE, "signature-policy-store", policy::is_store)];

/// Returns what is said of attributes that cannot be read or stand twice, beside those of every CMS signature: others may read
/// what the signer stated there.
pub(super) fn malformed(signer: &SignerInfo<'_>) -> Vec<Irregularity> {
    let signed = &signer.signed;
    let mut commitments = signed.all(oids::COMMITMENT_TYPE);
    let is_unreadable = |value: Tlv<'_>| !is_commitment(value);
    let unreadable = commitments.any(|one| one.value().is_none() || one.values().any(is_unreadable));
    let twice = signed.count(oids::SIGNER_ATTRIBUTES) > 0 && signed.count(oids::SIGNER_ATTRIBUTES_V2) > 0;
    let others = [
        unreadable.then(|| "commitment that cannot be read".into()),
        twice.then(|| "signer-attributes beside signer-attributes-v2".into()),
    ];
    let faults = faults(signed, &SIGNED).chain(faults(&signer.unsigned, &UNSIGNED));
    let about = |subject: String| Irregularity::about(IrregularityKind::MalformedHeader, subject);
    faults.chain(others.into_iter().flatten()).map(about).collect()
}

/// Reads the claimed signing time (RFC 5652 §11.3). NOTE: dates from 1950 to 2049 must be UTCTime there;
/// GeneralizedTime is read all the same.
fn signing_time(signed: &Attributes<'_>) -> Option<Time> {
    signed.value(oids::SIGNING_TIME)?.time().ok()
}

fn text(value: &Tlv<'_>) -> Option<String> {
    value.string().ok().map(|text| text.into_owned())
}

/// Reads a content identifier: bytes, shown as text where they are that, else as hexadecimal (RFC 2634 §2.7).
fn content_identifier(value: &Tlv<'_>) -> Option<String> {
    let bytes = value.bytes().ok()?;
    Some(match std::str::from_utf8(&bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => crate::hex::lower(&bytes),
    })
}

/// Reads a content-reference.
///
/// ```asn1
/// ContentReference ::= SEQUENCE { contentType ContentType, signedContentIdentifier ContentIdentifier,
///                                 originatorSignatureValue OCTET STRING }
/// ```
fn content_reference(value: &Tlv<'_>) -> Option<ContentReference> {
    let mut reader = value.children();
    Some(ContentReference {
        content_type: reader.read().ok()?.oid().ok()?.dotted(),
        identifier: content_identifier(&reader.read().ok()?)?,
        value: reader.read().ok()?.bytes().ok()?.into_owned().into(),
    })
}

/// Reads `ContentHints ::= SEQUENCE { contentDescription UTF8String OPTIONAL, contentType ContentType }` (RFC 2634
/// §2.9).
fn content_hints(value: &Tlv<'_>) -> Option<String> {
    let mut reader = value.children();
    let first = reader.read().ok()?;
    if first.is(Tag::OID) {
        return Some(first.oid().ok()?.to_string());
    }
    let kind = reader.read().ok()?.oid().ok()?;
    Some(format!("{kind} [{}]", text(&first)?))
}

/// Reads a signer-location.
///
/// ```asn1
/// SignerLocation ::= SEQUENCE { countryName [0] DirectoryString OPTIONAL, localityName [1] DirectoryString OPTIONAL,
///                               postalAddress [2] SEQUENCE SIZE(1..6) OF DirectoryString OPTIONAL }
/// ```
fn signer_location(value: &Tlv<'_>) -> ProductionPlace {
    let mut place = ProductionPlace::default();
    for part in value.children() {
        // DirectoryString is a CHOICE, so its tag is explicit; some writers made it implicit.
        let string = part.inner().ok().filter(|_| part.tag.constructed).unwrap_or(part);
        match part.tag.number {
            0 => place.country = text(&string),
            1 => place.city = text(&string),
            2 => {
                let lines = if string.is(Tag::SEQUENCE) { string } else { part };
                place.postal_address =
                    lines.children().map(|line| text(&line)).collect::<Option<_>>().unwrap_or_default();
            }
            _ => {}
        }
    }
    place
}

/// Returns whether all of it can be read, and nothing of it stands twice.
fn is_location(value: &Tlv<'_>) -> bool {
    let ProductionPlace { country, city, postal_address, .. } = signer_location(value);
    let read = [country.is_some(), city.is_some(), !postal_address.is_empty()];
    value.is(Tag::SEQUENCE) && value.children().count() == read.into_iter().filter(|read| *read).count()
}

/// Reads a commitment-type-indication.
///
/// ```asn1
/// CommitmentTypeIndication ::= SEQUENCE { commitmentTypeId OBJECT IDENTIFIER,
///   commitmentTypeQualifier SEQUENCE OF CommitmentTypeQualifier OPTIONAL }
/// CommitmentTypeQualifier ::= SEQUENCE { commitmentQualifierId OBJECT IDENTIFIER, qualifier ANY OPTIONAL }
/// ```
fn commitment(value: Tlv<'_>) -> Option<Commitment> {
    let mut reader = value.children();
    let identifier = reader.read().ok()?.oid().ok()?.to_string();
    let mut qualifiers = vec![];
    if let Ok(stated) = reader.read() {
        for qualifier in stated.children() {
            let mut reader = qualifier.children();
            let Some(identifier) = reader.read().ok().and_then(|oid| oid.oid().ok()) else { continue };
            let value = reader.read().ok().map(|value| value.raw.to_vec().into());
            qualifiers.push(CommitmentQualifier { identifier: identifier.dotted(), value });
        }
    }
    Some(Commitment { identifier, qualifiers, ..Default::default() })
}

/// Returns whether it is a commitment with all its qualifiers.
fn is_commitment(value: Tlv<'_>) -> bool {
    let stated = value.children().nth(1);
    let qualifiers = stated.map_or(0, |stated| stated.children().count());
    value.children().each_is(|_| true)
        && stated.is_none_or(|stated| stated.children().each_is(|_| true))
        && commitment(value).is_some_and(|commitment| commitment.qualifiers.len() == qualifiers)
}

/// Reads the roles in signer-attributes-v2, or else in signer-attributes.
///
/// ```asn1
/// SignerAttribute ::= SEQUENCE OF CHOICE { claimedAttributes [0] SEQUENCE OF Attribute,
///                                          certifiedAttributes [1] AttributeCertificate }
/// SignerAttributeV2 ::= SEQUENCE { claimedAttributes [0] …, certifiedAttributesV2 [1] SEQUENCE OF CHOICE {
///                                  attributeCertificate [0] …, otherAttributeCertificate [1] … } OPTIONAL,
///                                  signedAssertions [2] SEQUENCE OF SignedAssertion OPTIONAL }
/// ```
fn roles(signed: &Attributes<'_>) -> Vec<SignerRole> {
    let (value, second) = match signed.value(oids::SIGNER_ATTRIBUTES_V2) {
        Some(value) => (Some(value), true),
        None => (signed.value(oids::SIGNER_ATTRIBUTES), false),
    };
    let mut roles = Vec::new();
    for part in value.iter().flat_map(|value| value.children()) {
        match part.tag.number {
            0 => roles.extend(claimed(&unwrapped(part))),
            1 if second => {
                let certified = unwrapped(part).children().filter(|choice| choice.is_context(0));
                roles.extend(certified.flat_map(|choice| certified_roles(&unwrapped(choice))));
            }
            1 => roles.extend(certified_roles(&unwrapped(part))),
            2 if second => roles.extend(unwrapped(part).children().filter_map(signed_assertion)),
            _ => {}
        }
    }
    roles
}

/// Returns whether all parts are of a kind that is known and can be read. An attribute whose values are no texts states
/// no role that could be shown.
fn are_roles(value: &Tlv<'_>, second: bool) -> bool {
    let is_claimed = |attribute: &Tlv<'_>| {
        Attribute::parse(*attribute)
            .is_some_and(|one| one.values().all(|value| !value.is_string() || text(&value).is_some()))
    };
    let is_certified = |choice: &Tlv<'_>| !choice.is_context(0) || is_attribute_certificate(&unwrapped(*choice));
    value.is(Tag::SEQUENCE)
        && value.children().each_is(|part| match part.tag.number {
            0 => unwrapped(*part).children().each_is(is_claimed),
            1 if second => unwrapped(*part).children().each_is(is_certified),
            1 => is_attribute_certificate(&unwrapped(*part)),
            2 if second => unwrapped(*part).children().each_is(|one| one.inner().is_ok_and(|kind| kind.is(Tag::OID))),
            _ => false,
        })
}

/// Returns what is under a tag that is explicit in one edition and implicit in another: the SEQUENCE whose elements
/// count.
fn unwrapped(tagged: Tlv<'_>) -> Tlv<'_> {
    let mut reader = tagged.children();
    match (reader.read().ok(), reader.read().ok()) {
        // A single SEQUENCE of SEQUENCEs, or of the tags of a CHOICE, is the list itself.
        (Some(only), None) if only.is(Tag::SEQUENCE) => {
            let is_element = |first: Tlv<'_>| first.is(Tag::SEQUENCE) || first.is_context(0) || first.is_context(1);
            if only.children().read().is_ok_and(is_element) { only } else { tagged }
        }
        _ => tagged,
    }
}

/// Reads `SignedAssertion ::= SEQUENCE { signedAssertionID OBJECT IDENTIFIER, signedAssertion ANY OPTIONAL }`, where it
/// is a text.
fn signed_assertion(assertion: Tlv<'_>) -> Option<SignerRole> {
    let mut reader = assertion.children();
    reader.expect(Tag::OID).ok()?;
    let value = reader.read().ok()?;
    let role = value.is_string().then(|| text(&value))??;
    Some(SignerRole::new(role, RoleCategory::Signed))
}

/// Returns a claimed attribute's values that are strings.
fn claimed(attributes: &Tlv<'_>) -> Vec<SignerRole> {
    let values = attributes.children().filter_map(|attribute| {
        let mut reader = attribute.children();
        reader.expect(Tag::OID).ok()?;
        reader.expect(Tag::SET).ok()
    });
    values
        .flat_map(|set| set.children())
        .filter(|value| value.is_string())
        .filter_map(|value| text(&value))
        .map(|role| SignerRole::new(role, RoleCategory::Claimed))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asn1::Writer;

    /// Returns a SET OF one attribute with one value.
    fn attribute(oid: crate::asn1::Oid<'_>, value: &[u8]) -> Vec<u8> {
        let mut w = Writer::new();
        w.set(|w| {
            w.sequence(|w| {
                w.oid(oid).set(|w| {
                    w.raw(value);
                });
            });
        });
        w.finish()
    }

    fn facts(oid: crate::asn1::Oid<'_>, value: &[u8]) -> SignatureFacts {
        let set = attribute(oid, value);
        let mut facts = SignatureFacts::default();
        read(&Attributes::parse(&Tlv::whole(&set).unwrap()), &mut facts);
        facts
    }

    #[test]
    fn attributes_state_facts() {
        let utf8 = |w: &mut Writer, text: &str| {
            w.element(Tag::UTF8_STRING, text.as_bytes());
        };
        let mut hints = Writer::new();
        hints.sequence(|w| {
            utf8(w, "about");
            w.oid(oids::DATA);
        });
        let found = facts(oids::CONTENT_HINT, &hints.finish()).content_hints;
        assert_eq!(found.as_deref(), Some("1.2.840.113549.1.7.1 [about]"), "RFC 2634 2.9");

        let mut place = Writer::new();
        place.sequence(|w| {
            w.explicit(0, |w| utf8(w, "Luxembourg"));
            w.nested(Tag::context_constructed(2), |w| utf8(w, "Line 1"));
        });
        let found = facts(oids::SIGNER_LOCATION, &place.finish()).production_place.unwrap();
        assert_eq!(found.country.as_deref(), Some("Luxembourg"), "5.2.5");
        assert_eq!(found.postal_address, ["Line 1"], "5.2.5");

        let mut roles = Writer::new();
        roles.sequence(|w| {
            w.explicit(0, |w| {
                w.sequence(|w| {
                    w.sequence(|w| {
                        w.oid(oids::ROLE).set(|w| utf8(w, "Manager"));
                    });
                });
            });
        });
        let found = facts(oids::SIGNER_ATTRIBUTES_V2, &roles.finish()).roles;
        assert_eq!(found.len(), 1, "5.2.6.1");
        assert_eq!((found[0].role.as_str(), found[0].category), ("Manager", RoleCategory::Claimed));

        let time = facts(
            oids::SIGNING_TIME,
            &[0x17, 13, b'2', b'6', b'1', b'1', b'2', b'1', b'1', b'0', b'0', b'0', b'0', b'0', b'Z'],
        );
        assert_eq!(time.claimed_signing_time.unwrap().to_string(), "2026-11-21T10:00:00Z", "RFC 5652 11.3");
        assert_eq!(facts(oids::SIGNING_TIME, &[5, 0]), SignatureFacts::default(), "an attribute that cannot be read");
    }
}
