//! One signature: what it states, what its value is over. EN 319 132-1 §4 and §5.2.

use super::matchers::{self, matched};
use super::timestamps::Stamped;
use super::{Unpacked, child, descend, is, key_value, level, material, qualifying, trimmed};
use crate::algorithm::{DigestAlgorithm, SignatureAlgorithm};
use crate::facts::{
    self, Commitment, Digest, DigestMatcher, Id, MatcherType, ProductionPlace, RoleCategory, Scope, ScopeType,
    Signature, SignaturePolicy, SignerRole, StructuralValidation,
};
use crate::formats::Contents;
use crate::formats::draft::{Draft, SignatureDraft, SignedOctets, SignerIdentifier, ValueCheck};
use crate::formats::tsp::{digest_of, hex};
use crate::formats::xml::signature::{XmlSignature, base64_text};
use crate::formats::xml::{DSIG, Element};
use std::borrow::Cow;

/// Counter-signatures of counter-signatures that are followed. Real files have one level.
const COUNTER_SIGNATURES: usize = 8;

/// Reads a signature, and after it its counter-signatures, into the draft.
pub(super) fn read<'u>(
    unpacked: &'u Unpacked,
    element: Element<'_, '_>,
    parent: Option<(&Id, usize)>,
    contents: &Contents<'_>,
    draft: &mut Draft<'u>,
) {
    let Ok(signature) = XmlSignature::read(element) else { return unreadable(element, parent, contents, draft) };
    let tree = element.tree();
    let span = element.span();
    let source = tree.source().get(span.start as usize..span.end as usize).unwrap_or_default();
    let salt = [span.start.to_be_bytes(), span.end.to_be_bytes()].concat();
    let id = Id::new(format!("S-{}", hex(&[source.as_bytes(), &salt, contents.salt()])));
    let matched = matched(&signature, contents);
    let mut digest_matchers: Vec<DigestMatcher> = matched.iter().map(|m| m.matcher.clone()).collect();
    let signs_properties = digest_matchers.iter().any(|m| m.kind == MatcherType::SignedProperties);
    if matchers::has_properties(element) && !signs_properties {
        digest_matchers.push(matchers::missing_properties());
    }
    if parent.is_some() {
        digest_matchers.push(matchers::countersigned(&signature));
    }
    let mut signed = vec![];
    let signed_octets = signature.signed_octets(&mut signed).map(|()| signed);
    let (scopes, data) = scopes(&digest_matchers, contents);
    draft.signed_data.extend(data);
    let mut facts = Signature {
        id: id.clone(),
        counter_signature: parent.is_some(),
        parent: parent.map(|(id, _)| id.clone()),
        da_identifier: element.attribute("Id").map(Into::into),
        file: contents.file().into(),
        structural_validation: Some(StructuralValidation { valid: true, messages: vec![] }),
        digest_matchers,
        scopes,
        data_to_be_signed: signed_octets.as_ref().ok().and_then(|octets| digest_of(octets)),
        value: signature.value.clone().into(),
        ..Signature::default()
    };
    let qualifying = qualifying(element);
    if let Some(qualifying) = qualifying {
        signed_properties(qualifying, &mut facts);
    }

    // The counter-signatures' ids first: an archive time-stamp covers them.
    let mut counter = Draft::default();
    let depth = parent.map_or(0, |(_, depth)| depth);
    for property in qualifying.map(material::unsigned).unwrap_or_default() {
        let inner = property.children().find(|inner| inner.is(DSIG, "Signature") && is(property, "CounterSignature"));
        if let Some(inner) = inner.filter(|_| depth < COUNTER_SIGNATURES) {
            read(unpacked, inner, Some((&id, depth + 1)), contents, &mut counter);
        }
    }
    let counter_signatures: Vec<Id> = counter.signatures.iter().map(|draft| draft.facts.id.clone()).collect();
    let scopes = facts.scopes.clone();
    let stamped = Stamped {
        unpacked,
        signature: &signature,
        matched: &matched,
        contents,
        id: &id,
        scopes: &scopes,
        counter_signatures: &counter_signatures,
    };
    let timestamps = qualifying.map(|qualifying| stamped.read(qualifying)).unwrap_or_default();
    facts.found_timestamps = timestamps.iter().map(|draft| draft.facts.id.clone()).collect();
    let public_key = signature.key_info.and_then(key_value::public_key).map(Cow::Owned);
    draft.signatures.push(SignatureDraft {
        check: ValueCheck {
            algorithm: SignatureAlgorithm::from_uri(signature.method),
            signed: signed_octets.into_iter().map(|octets| SignedOctets::Message(Cow::Owned(octets))).collect(),
            value: Cow::Owned(signature.value.clone()),
            certificate_valid_at: None,
        },
        signer: SignerIdentifier { public_key, ..SignerIdentifier::default() },
        material: material::of(unpacked, element),
        evidence_records: vec![],
        levels: level::levels(element, &facts, &timestamps),
        facts,
        timestamps,
    });
    draft.signatures.append(&mut counter.signatures);
    draft.signed_data.append(&mut counter.signed_data);
}

/// A signature element that lacks a part: it is there, and nothing of it can be verified.
fn unreadable(element: Element<'_, '_>, parent: Option<(&Id, usize)>, contents: &Contents<'_>, draft: &mut Draft<'_>) {
    let span = element.span();
    let id = Id::new(format!("S-{}", hex(&[&span.start.to_be_bytes(), &span.end.to_be_bytes(), contents.salt()])));
    let value = element.child(DSIG, "SignatureValue").and_then(base64_text).unwrap_or_default();
    let facts = Signature {
        id,
        counter_signature: parent.is_some(),
        parent: parent.map(|(id, _)| id.clone()),
        da_identifier: element.attribute("Id").map(Into::into),
        file: contents.file().into(),
        structural_validation: Some(StructuralValidation { valid: false, messages: vec![] }),
        digest_matchers: vec![DigestMatcher { kind: MatcherType::Reference, ..matchers::missing_properties() }],
        value: value.into(),
        ..Signature::default()
    };
    draft.signatures.push(SignatureDraft {
        check: ValueCheck::default(),
        signer: SignerIdentifier::default(),
        material: Default::default(),
        timestamps: vec![],
        evidence_records: vec![],
        levels: level::none(),
        facts,
    });
}

/// What is signed, as facts: every reference to data that is there.
fn scopes(matchers: &[DigestMatcher], contents: &Contents<'_>) -> (Vec<Scope>, Vec<facts::SignedData>) {
    let data = |m: &&DigestMatcher| {
        use MatcherType::*;
        m.data_intact && matches!(m.kind, Reference | Object | Manifest | ManifestEntry | XPointer)
    };
    let mut scopes = vec![];
    let mut signed = vec![];
    for matcher in matchers.iter().filter(data) {
        let whole = matcher.uri.as_deref() == Some("") || matcher.document_name.is_some();
        let name = match &matcher.uri {
            Some(uri) if uri.is_empty() => Some(contents.file().into()).filter(|file: &String| !file.is_empty()),
            _ => matcher.document_name.clone().or(matcher.uri.clone()),
        };
        let id =
            Id::new(format!("D-{}", hex(&[&matcher.digest.value.0, name.as_deref().unwrap_or_default().as_bytes()])));
        scopes.push(Scope {
            kind: if whole { ScopeType::Full } else { ScopeType::Partial },
            name: name.clone(),
            description: if whole { "Full document" } else { "Part of the document" }.into(),
            transformations: vec![],
            signed_data: id.clone(),
        });
        signed.push(facts::SignedData { id, name, digest: matcher.digest.clone(), parent: None });
    }
    (scopes, signed)
}

/// The signed properties that are about the signature: §5.2.
fn signed_properties(qualifying: Element<'_, '_>, facts: &mut Signature) {
    let Some(signed) = child(qualifying, "SignedProperties") else { return };
    if let Some(objects) = child(signed, "SignedDataObjectProperties") {
        let format = child(objects, "DataObjectFormat");
        facts.mime_type = format.and_then(|format| child(format, "MimeType")).and_then(trimmed);
        let commitments = objects.children().filter(|property| is(*property, "CommitmentTypeIndication"));
        facts.commitments = commitments.filter_map(commitment).collect();
    }
    let Some(properties) = child(signed, "SignedSignatureProperties") else { return };
    for property in properties.children() {
        match property.local() {
            "SigningTime" => facts.claimed_signing_time = trimmed(property).and_then(|text| text.parse().ok()),
            "SignaturePolicyIdentifier" => facts.policy = Some(policy(property)),
            "SignatureProductionPlace" | "SignatureProductionPlaceV2" => {
                let part = |local: &str| child(property, local).and_then(trimmed);
                facts.production_place = Some(ProductionPlace {
                    city: part("City"),
                    state: part("StateOrProvince"),
                    postal_code: part("PostalCode"),
                    country: part("CountryName"),
                    street_address: part("StreetAddress"),
                    ..ProductionPlace::default()
                });
            }
            "SignerRole" | "SignerRoleV2" => {
                let roles = property.tree().elements(property.id()).filter(|element| is(*element, "ClaimedRole"));
                let role =
                    |role| SignerRole { role, category: RoleCategory::Claimed, not_before: None, not_after: None };
                facts.roles = roles.filter_map(trimmed).map(role).collect();
            }
            _ => {}
        }
    }
}

fn commitment(property: Element<'_, '_>) -> Option<Commitment> {
    let id = child(property, "CommitmentTypeId")?;
    let references = property.children().filter(|part| is(*part, "ObjectReference"));
    Some(Commitment {
        identifier: child(id, "Identifier").and_then(trimmed)?,
        description: child(id, "Description").and_then(trimmed),
        object_references: references.filter_map(trimmed).collect(),
        all_data: child(property, "AllSignedDataObjects").map(|_| true),
        ..Commitment::default()
    })
}

/// §5.2.9: the policy's identifier and digest; its document is not at hand.
fn policy(property: Element<'_, '_>) -> SignaturePolicy {
    let Some(policy) = child(property, "SignaturePolicyId") else {
        return SignaturePolicy { id: "IMPLICIT_POLICY".into(), ..SignaturePolicy::default() };
    };
    let text = |path: &[&str]| descend(policy, path).and_then(trimmed);
    let hash = child(policy, "SigPolicyHash").map(|hash| {
        let method = hash.child(DSIG, "DigestMethod").and_then(|method| method.attribute("Algorithm"));
        let value = hash.child(DSIG, "DigestValue").and_then(base64_text).unwrap_or_default();
        Digest { algorithm: method.and_then(DigestAlgorithm::from_uri), value: value.into() }
    });
    let id = text(&["SigPolicyId", "Identifier"]).unwrap_or_default();
    SignaturePolicy {
        id: id.strip_prefix("urn:oid:").map(Into::into).unwrap_or(id),
        description: text(&["SigPolicyId", "Description"]),
        url: text(&["SigPolicyQualifiers", "SigPolicyQualifier", "SPURI"]),
        digest: hash,
        asn1_processable: Some(false),
        digest_match: Some(false),
        digest_algorithms_equal: Some(false),
        ..SignaturePolicy::default()
    }
}
