//! The signed properties that are about the signature and what it signs: EN 319 132-1 §5.2.

use super::{Unpacked, child, descend, is, material, policy, trimmed};
use crate::asn1::Tlv;
use crate::facts::{Commitment, ProductionPlace, RoleCategory, SignerRole};
use crate::formats::ades::attribute_certificate::certified_roles;
use crate::formats::draft::SignatureFacts;
use crate::formats::xml::Element;
use crate::formats::xml::signature::base64_text;

/// Reads what the qualifying properties state into the facts.
pub(super) fn read(unpacked: &Unpacked<'_>, qualifying: Element<'_, '_>, facts: &mut SignatureFacts) {
    let objects = descend(qualifying, &["SignedProperties", "SignedDataObjectProperties"]);
    for property in objects.into_iter().flat_map(|objects| objects.children()) {
        match property.local() {
            "DataObjectFormat" => {
                let media = || child(property, "MimeType").and_then(trimmed);
                facts.mime_type = facts.mime_type.take().or_else(media);
                let identifier = || descend(property, &["ObjectIdentifier", "Identifier"]).and_then(trimmed);
                facts.content_type = facts.content_type.take().or_else(identifier);
            }
            "CommitmentTypeIndication" => facts.commitments.extend(commitment(property)),
            _ => {}
        }
    }
    let signed = descend(qualifying, &["SignedProperties", "SignedSignatureProperties"]);
    for property in signed.into_iter().flat_map(|signed| signed.children()) {
        match property.local() {
            "SigningTime" => facts.claimed_signing_time = trimmed(property).and_then(|text| text.parse().ok()),
            "SignaturePolicyIdentifier" => {
                let store = material::unsigned(qualifying).into_iter().find(|p| is(*p, "SignaturePolicyStore"));
                let (policy, store) = policy::read(unpacked, property, store);
                (facts.policy, facts.policy_store) = (Some(policy), store);
            }
            "SignatureProductionPlace" | "SignatureProductionPlaceV2" => {
                facts.production_place = Some(production_place(property));
            }
            "SignerRole" | "SignerRoleV2" => facts.roles = roles(property),
            _ => {}
        }
    }
}

/// Reads `SignatureProductionPlaceV2`, and its predecessor without a street (§5.2.5).
fn production_place(property: Element<'_, '_>) -> ProductionPlace {
    let part = |local: &str| child(property, local).and_then(trimmed);
    ProductionPlace {
        city: part("City"),
        state: part("StateOrProvince"),
        postal_code: part("PostalCode"),
        country: part("CountryName"),
        street_address: part("StreetAddress"),
        ..ProductionPlace::default()
    }
}

/// Returns what the signer is committed to, and for which of the references (§5.2.3).
fn commitment(property: Element<'_, '_>) -> Option<Commitment> {
    let id = child(property, "CommitmentTypeId")?;
    let reference = |text: String| text.strip_prefix('#').map(Into::into).unwrap_or(text);
    let references = property.children().filter(|part| is(*part, "ObjectReference"));
    Some(Commitment {
        qualifiers: vec![],
        identifier: child(id, "Identifier").and_then(trimmed)?,
        description: child(id, "Description").and_then(trimmed),
        documentation: documentation(id),
        object_references: references.filter_map(trimmed).map(reference).collect(),
        all_data: child(property, "AllSignedDataObjects").map(|_| true),
    })
}

/// Returns the references of an `ObjectIdentifier` (§5.1.2).
pub(super) fn documentation(identifier: Element<'_, '_>) -> Vec<String> {
    let references = child(identifier, "DocumentationReferences");
    references.into_iter().flat_map(|references| references.children()).filter_map(trimmed).collect()
}

/// Returns the roles that the signer claims, and those in attribute certificates (§5.2.6).
fn roles(property: Element<'_, '_>) -> Vec<SignerRole> {
    let mut roles = vec![];
    for element in property.tree().elements(property.id()) {
        if is(element, "ClaimedRole") {
            roles.extend(trimmed(element).map(|role| SignerRole::new(role, RoleCategory::Claimed)));
        } else if is(element, "X509AttributeCertificate") || is(element, "CertifiedRole") && !has_children(element) {
            let bytes = base64_text(element).unwrap_or_default();
            if let Ok(certificate) = Tlv::whole(&bytes) {
                roles.extend(certified_roles(&certificate));
            }
        }
    }
    roles
}

fn has_children(element: Element<'_, '_>) -> bool {
    element.children().next().is_some()
}
