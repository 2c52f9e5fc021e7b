//! One signature: what it states, what its value is over. EN 319 132-1 §4 and §5.2.

use super::evidence_records::Sealed;
use super::matchers::{self, Matched, matched};
use super::timestamps::Stamped;
use super::{Unpacked, coverage, is, key_value, level, material, properties, qualifying};
use crate::algorithm::DigestAlgorithm;
use crate::crypto::Hasher;
use crate::facts::{
    self, Digest, DigestMatcher, Id, Irregularity, IrregularityKind, MatcherType, Scope, ScopeType, Shared, Signature,
    SignatureDigestReference, StructuralValidation,
};
use crate::formats::Contents;
use crate::formats::draft::{Draft, PART, SignatureDraft, SignedOctets, SignerIdentifier, ValueCheck};
use crate::formats::tsp::{digest_of, hex};
use crate::formats::xml::signature::{Target, XmlSignature, base64_text};
use crate::formats::xml::{Canonicalization, DSIG, Element, NodeId, NodeSet, transform};
use std::borrow::Cow;
use std::collections::HashSet;

/// Counter-signatures of counter-signatures that are followed. Real files have one level.
const COUNTER_SIGNATURES: usize = 8;

/// Reads a signature, and after it its counter-signatures, into the draft. `known` grows by the elements that they are.
pub(super) fn read<'u>(
    unpacked: &'u Unpacked<'u>,
    element: Element<'_, '_>,
    parent: Option<(&Id, usize)>,
    contents: &Contents<'_>,
    known: &mut HashSet<NodeId>,
    draft: &mut Draft<'u>,
) {
    known.insert(element.id());
    let Ok(signature) = XmlSignature::read(element) else { return unreadable(element, parent, contents, draft) };
    let tree = element.tree();
    // Named by what was signed, by its value, and by where it stands; unsigned properties may have any size.
    let (span, signed_info) = (element.span(), signature.signed_info.span());
    let source = tree.source().get(signed_info.start as usize..signed_info.end as usize).unwrap_or_default();
    let salt = [span.start.to_be_bytes(), span.end.to_be_bytes()].concat();
    let id = Id::new(format!("S-{}", hex(&[source.as_bytes(), &signature.value, &salt, contents.salt()])));
    let mut matched = matched(&signature, contents, parent.is_some());
    let mut digest_matchers: Vec<Shared<DigestMatcher>> = matched.iter().map(|m| m.matcher.clone().into()).collect();
    // A signature over nothing but its own properties signs no data.
    if digest_matchers.iter().all(|m| m.kind == MatcherType::SignedProperties) {
        digest_matchers.push(DigestMatcher::missing(MatcherType::Reference).into());
    }
    if parent.is_some() {
        digest_matchers.push(matchers::countersigned(&signature).into());
    }
    let mut signed = vec![];
    let signed_octets = signature.signed_octets(&mut signed).map(|()| signed);
    let irregularities = coverage::irregularities(&signature, &matched);
    let (scopes, data) = scopes(&mut matched, contents, &irregularities);
    draft.signed_data.extend(data);
    let mut facts = Signature {
        id: id.clone(),
        counter_signature: parent.is_some(),
        parent: parent.map(|(id, _)| id.clone()),
        da_identifier: element.attribute("Id").map(Into::into),
        file: contents.file().into(),
        structural_validation: Some(structural_validation(&irregularities)),
        digest_matchers,
        scopes,
        data_to_be_signed: signed_octets.as_ref().ok().and_then(|octets| digest_of(octets)),
        value: signature.value.clone().into(),
        irregularities,
        ..Signature::default()
    };
    let qualifying = qualifying(element);
    if let Some(qualifying) = qualifying {
        properties::read(unpacked, qualifying, &mut facts);
    }

    // The counter-signatures' ids first: an archive time-stamp covers them.
    let mut counter = Draft::default();
    let depth = parent.map_or(0, |(_, depth)| depth);
    for property in qualifying.map(material::unsigned).unwrap_or_default() {
        let inner = property.children().find(|inner| inner.is(DSIG, "Signature") && is(property, "CounterSignature"));
        if let Some(inner) = inner.filter(|_| depth < COUNTER_SIGNATURES) {
            read(unpacked, inner, Some((&id, depth + 1)), contents, known, &mut counter);
        }
    }
    let counter_signatures: Vec<Id> = counter.signatures.iter().map(|draft| draft.facts.id.clone()).collect();
    let scopes = facts.scopes.clone();
    let stamped = Stamped {
        unpacked,
        signature: &signature,
        matched: &matched,
        id: &id,
        scopes: &scopes,
        counter_signatures: &counter_signatures,
    };
    let sealed =
        |qualifying| Sealed { stamped: &stamped, unpacked, qualifying, matched: &matched, id: &id, scopes: &scopes };
    facts.irregularities.extend(qualifying.map(|qualifying| stamped.malformed(qualifying)).unwrap_or_default());
    let tokens = qualifying.map(|qualifying| stamped.read(&sealed(qualifying))).unwrap_or_default();
    let (timestamps, evidence_records) = (tokens.timestamps, tokens.evidence_records);
    draft.signed_data.extend(tokens.signed_data);
    facts.found_timestamps = timestamps.iter().map(|draft| draft.facts.id.clone()).collect();
    facts.found_evidence_records = evidence_records.iter().map(|draft| draft.facts.id.clone()).collect();
    // Reports refer to a signature by its digest where something covers it; nothing else is worth a pass over all of it.
    let covered = !timestamps.is_empty() || !evidence_records.is_empty() || contents.is_container();
    if covered || parent.is_some() {
        facts.digest_reference = digest_reference(&signature);
    }
    let public_key = signature.key_info.and_then(key_value::public_key).map(Cow::Owned);
    draft.signatures.push(SignatureDraft {
        check: ValueCheck {
            algorithm: signature.algorithm,
            signed: signed_octets.into_iter().map(|octets| SignedOctets::Message(Cow::Owned(octets))).collect(),
            value: Cow::Owned(signature.value.clone()),
            certificate_valid_at: None,
        },
        signer: SignerIdentifier { public_key, ..SignerIdentifier::default() },
        material: material::of(unpacked, element),
        evidence_records,
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
        digest_matchers: vec![DigestMatcher::missing(MatcherType::Reference).into()],
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

/// Whether the signature has the parts that XMLDSig gives it.
fn structural_validation(irregularities: &[Irregularity]) -> StructuralValidation {
    let violations = irregularities.iter().filter(|one| one.kind == IrregularityKind::FormatViolation);
    let messages: Vec<String> = violations.filter_map(|one| one.subject.as_deref().map(str::to_owned)).collect();
    StructuralValidation { valid: messages.is_empty(), messages }
}

/// What is signed, as facts: every reference to data that is there.
fn scopes(
    matched: &mut [Matched<'_, '_, '_, '_>],
    contents: &Contents<'_>,
    irregularities: &[Irregularity],
) -> (Vec<Shared<Scope>>, Vec<facts::SignedData>) {
    let data = |matched: &&mut Matched<'_, '_, '_, '_>| {
        matched.matcher.data_intact
            && matched.matcher.kind != MatcherType::CounterSignature
            && coverage::is_data(matched.matcher.kind)
    };
    let unsigned = irregularities
        .iter()
        .any(|one| matches!(one.kind, IrregularityKind::UnsignedObject | IrregularityKind::PartlySignedContent));
    let mut scopes = vec![];
    let mut signed = vec![];
    for matched in matched.iter_mut().filter(data) {
        let matcher = &matched.matcher;
        let whole = matches!(coverage::extent(matched), coverage::Extent::Whole) && !unsigned;
        let document = match matched.reference.target() {
            Target::Document { .. } => true,
            Target::Element { .. } => whole,
            _ => false,
        };
        let name = match &matcher.uri {
            Some(_) if document => Some(contents.file().into()).filter(|file: &String| !file.is_empty()),
            _ => matcher.document_name.as_ref().or(matcher.uri.as_ref()).map(|name| name.to_string()),
        };
        let id =
            Id::new(format!("D-{}", hex(&[&matcher.digest.value.0, name.as_deref().unwrap_or_default().as_bytes()])));
        let left_out = Some(&matched.omitted).filter(|omitted| !omitted.is_empty());
        let scope = Scope {
            kind: if whole { ScopeType::Full } else { ScopeType::Partial },
            name: name.clone(),
            description: if whole { "Full document" } else { PART }.into(),
            transformations: left_out.map(|omitted| format!("leave out {omitted}")).into_iter().collect(),
            signed_data: id.clone(),
        };
        signed.push(facts::SignedData { id, name, digest: matcher.digest.clone(), parent: None });
        let scope: Shared<Scope> = scope.into();
        matched.scope = Some(scope.clone());
        scopes.push(scope);
    }
    (scopes, signed)
}

/// The signature element's digest, by which others refer to the signature.
fn digest_reference(signature: &XmlSignature<'_, '_>) -> Option<SignatureDigestReference> {
    const EXCLUSIVE: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";
    let method = Canonicalization::from_uri(EXCLUSIVE)?;
    let tree = signature.element.tree();
    let mut hasher = Hasher::new(DigestAlgorithm::Sha256)?;
    transform::canonical(tree, &NodeSet::subtree(tree, signature.element.id(), true), &method, &mut hasher).ok()?;
    Some(SignatureDigestReference {
        canonicalization: Some(EXCLUSIVE.into()),
        digest: Digest { algorithm: Some(DigestAlgorithm::Sha256), value: hasher.finish().into() },
    })
}
