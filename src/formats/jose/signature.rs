//! One signature: what it states, what its value is over. RFC 7515 §5.2, TS 119 182-1 §5.

use super::base64url;
use super::etsi_u::{self, Component};
use super::header::{self, Critical};
use super::jws::Jws;
use super::payload::{self, Payload};
use super::timestamps::Stamped;
use super::{level, material, policy, structure};
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm};
use crate::facts::{
    Commitment, Digest, DigestMatcher, Id, Irregularity, IrregularityKind, MatcherType, ProductionPlace, RoleCategory,
    Scope, Shared, Signature, SignatureDigestReference, SignerRole,
};
use crate::formats::cms::{Content, Subject};
use crate::formats::contents::Contents;
use crate::formats::draft::{Draft, SignatureDraft, SignedOctets, SignerIdentifier, ValueCheck, in_part};
use crate::formats::tsp::{Token, hex};
use std::borrow::Cow;

/// Reads a signature, and after it its counter-signatures, into the draft. `place` tells it from the same one
/// elsewhere in the document.
pub(super) fn read<'u>(
    jws: &'u Jws<'u>,
    place: &str,
    parent: Option<(&Id, &'u Jws<'u>)>,
    contents: &Contents<'_>,
    draft: &mut Draft<'u>,
) {
    let id = Id::new(format!("S-{}", identity(jws, place, contents)));
    let payload = Payload::of(jws, contents, parent.map(|(_, parent)| parent));
    payload.refer(jws);
    let mut irregularities = jws.irregularities.clone();
    irregularities.extend(header::irregularities(jws));
    let unread = |component: &&Component<'_>| component.name == "cSig" && component.counter_signature.is_none();
    let unread = jws.etsi_u.components.iter().filter(unread);
    irregularities.extend(unread.map(|_| Irregularity::about(IrregularityKind::UnreadableSignature, "cSig")));
    for component in jws.etsi_u.components.iter().filter(|component| etsi_u::is_timestamp(&component.name)) {
        irregularities.extend(Token::malformed(&component.name, component.tokens.iter().map(Vec::as_slice)));
    }
    if payload.is_joined() {
        let names: Vec<&str> = payload.objects.iter().map(|object| object.uri.as_str()).collect();
        irregularities.push(Irregularity::about(IrregularityKind::JoinedContents, names.join(", ")));
    }
    let algorithm = header::algorithm(jws).and_then(SignatureAlgorithm::from_jose);
    let input = payload.pieces.as_deref().map(|pieces| Input { header: &jws.protected_text, pieces });
    let data_to_be_signed =
        input.as_ref().zip(algorithm).and_then(|(input, algorithm)| input.digest(digested_by(algorithm, &jws.value)?));
    let renamed = payload.renamed(jws);
    let input_matcher = DigestMatcher {
        digest: data_to_be_signed.clone().unwrap_or_default(),
        data_found: input.is_some(),
        data_intact: input.is_some(),
        uri: renamed.map(|object| object.uri.as_str().into()),
        document_name: renamed.and_then(|object| object.content?.name().map(Into::into)),
        ..DigestMatcher::missing(MatcherType::JwsSigningInput)
    };
    let mut digest_matchers = vec![input_matcher.into()];
    digest_matchers.extend(payload::matchers(jws, &payload));
    digest_matchers.extend(parent.map(|(_, parent)| countersigned(jws, parent).into()));
    let mut subject = subject(jws, &payload, parent, contents);
    let in_part_only =
        |one: &Irregularity| matches!(one.kind, IrregularityKind::JoinedContents | IrregularityKind::UnsignedObject);
    if irregularities.iter().any(in_part_only) {
        subject.scopes.iter_mut().for_each(in_part);
    }
    draft.signed_data.extend(subject.signed_data);
    let signed = match (&input, algorithm) {
        (Some(input), Some(algorithm)) if counts(jws) => input.signed(algorithm).into_iter().collect(),
        _ => vec![],
    };
    let (policy, policy_store) = policy::read(jws);
    let mut facts = Signature {
        id: id.clone(),
        counter_signature: parent.is_some(),
        parent: parent.map(|(id, _)| id.clone()),
        file: contents.file().into(),
        claimed_signing_time: header::signing_time(jws),
        expiration_time: header::expiration_time(jws),
        jws_serialization: Some(jws.serialization),
        signature_type: header::signature_type(jws),
        mime_type: header::content_type(jws),
        structural_validation: Some(structure::validate(jws)),
        digest_matchers,
        production_place: production_place(jws),
        commitments: commitments(jws),
        roles: roles(jws),
        policy,
        policy_store,
        scopes: subject.scopes,
        digest_reference: digest_reference(jws, parent.map(|(_, parent)| parent)),
        data_to_be_signed,
        value: jws.value.clone().into(),
        irregularities,
        ..Signature::default()
    };

    // The counter-signatures' ids first: an archive time-stamp covers them.
    let mut counter = Draft::default();
    for (at, component) in jws.etsi_u.components.iter().enumerate() {
        if let Some(inner) = &component.counter_signature {
            read(inner, &format!("{place}/{at}"), Some((&id, jws)), contents, &mut counter);
        }
    }
    let own = |draft: &&SignatureDraft<'_>| draft.facts.parent.as_ref() == Some(&id);
    let counter_signatures: Vec<Id> =
        counter.signatures.iter().filter(own).map(|draft| draft.facts.id.clone()).collect();
    let scopes: Vec<Shared<Scope>> = facts.scopes.clone();
    let stamped = Stamped {
        jws,
        payload: payload::stamped(jws, payload),
        id: &id,
        scopes: &scopes,
        counter_signatures: &counter_signatures,
    };
    let timestamps = stamped.read();
    facts.found_timestamps = timestamps.iter().map(|draft| draft.facts.id.clone()).collect();
    draft.signatures.push(SignatureDraft {
        check: ValueCheck { algorithm, signed, value: Cow::Borrowed(&jws.value), certificate_valid_at: None },
        signer: SignerIdentifier::default(),
        material: material::of(jws),
        evidence_records: vec![],
        levels: level::levels(jws, &facts, &timestamps),
        facts,
        timestamps,
    });
    draft.signatures.append(&mut counter.signatures);
    draft.signed_data.append(&mut counter.signed_data);
}

/// The digest function of a signature algorithm; that of EdDSA is the curve's (RFC 8032 §5.1, §5.2), which the length of
/// the value tells.
fn digested_by(algorithm: SignatureAlgorithm, value: &[u8]) -> Option<DigestAlgorithm> {
    algorithm.digest.or(match (algorithm.key, value.len()) {
        (KeyAlgorithm::EdDsa, 64) => Some(DigestAlgorithm::Sha512),
        (KeyAlgorithm::EdDsa, 114) => Some(DigestAlgorithm::Shake256_512),
        _ => None,
    })
}

/// RFC 7515 §4, §4.1.11 and §5.2 6): a JWS with a parameter in both headers, a critical one that is not understood, or
/// a payload or value that is not Base64url is invalid.
fn counts(jws: &Jws<'_>) -> bool {
    let payload = jws.payload.as_deref().filter(|_| !jws.is_unencoded());
    !header::is_ambiguous(jws)
        && header::critical(jws) != Critical::NotUnderstood
        && payload.is_none_or(|payload| base64url::decode(payload).is_some())
        && base64url::decode(&jws.signature_text).is_some()
}

fn identity(jws: &Jws<'_>, place: &str, contents: &Contents<'_>) -> String {
    hex(&[jws.protected_text.as_bytes(), b".", jws.signature_text.as_bytes(), place.as_bytes(), contents.salt()])
}

/// RFC 7515 §5.1 5): what the value is over.
struct Input<'i> {
    header: &'i str,
    pieces: &'i [payload::Piece<'i>],
}

impl Input<'_> {
    fn write(&self, sink: &mut dyn FnMut(&[u8])) -> Option<()> {
        sink(self.header.as_bytes());
        sink(b".");
        payload::write(self.pieces, sink)
    }

    fn digest(&self, algorithm: DigestAlgorithm) -> Option<Digest> {
        let value = payload::digest(algorithm, |sink| self.write(sink))?;
        Some(Digest { algorithm: Some(algorithm), value: value.into() })
    }

    /// The digest where that is enough, so that large contents are never in memory as a whole.
    fn signed<'a>(&self, algorithm: SignatureAlgorithm) -> Option<SignedOctets<'a>> {
        match algorithm.digest.filter(|_| !algorithm.needs_message()) {
            Some(digest) => payload::digest(digest, |sink| self.write(sink)).map(SignedOctets::Digest),
            None => {
                let mut octets = vec![];
                self.write(&mut |part| octets.extend_from_slice(part))?;
                Some(SignedOctets::Message(Cow::Owned(octets)))
            }
        }
    }
}

/// By what a report refers to it: the SHA-256 of its compact form (RFC 7515 §7.1), detached contents left out.
fn digest_reference(jws: &Jws<'_>, parent: Option<&Jws<'_>>) -> Option<SignatureDigestReference> {
    let value = payload::digest(DigestAlgorithm::Sha256, |sink| {
        let own = jws.payload.as_deref().filter(|own| !own.is_empty());
        let payload = own.or(parent.map(|parent| &*parent.signature_text)).unwrap_or_default();
        let parts = [&*jws.protected_text, ".", payload, ".", &*jws.signature_text];
        parts.iter().for_each(|part| sink(part.as_bytes()));
        Some(())
    })?;
    let digest = Digest { algorithm: Some(DigestAlgorithm::Sha256), value: value.into() };
    Some(SignatureDigestReference { canonicalization: None, digest })
}

/// TS 119 182-1 §5.3.2: where a counter-signature has a payload of its own, it is the value that it counter-signs.
fn countersigned(jws: &Jws<'_>, parent: &Jws<'_>) -> DigestMatcher {
    let own = jws.payload.as_deref().filter(|payload| !payload.is_empty());
    DigestMatcher {
        data_found: !parent.value.is_empty(),
        data_intact: own.is_none_or(|own| own == parent.signature_text && !jws.is_unencoded()),
        ..DigestMatcher::missing(MatcherType::CounterSignedSignatureValue)
    }
}

/// What is signed, as scopes.
fn subject(jws: &Jws<'_>, payload: &Payload<'_>, parent: Option<(&Id, &Jws<'_>)>, contents: &Contents<'_>) -> Subject {
    if let Some((id, parent)) = parent {
        return Subject::signature(id, &parent.value);
    }
    let mut whole = Subject::default();
    let mut add = |content: &Content<'_>| {
        let subject = Subject::whole(content);
        whole.scopes.extend(subject.scopes);
        whole.signed_data.extend(subject.signed_data);
    };
    if let Some(own) = jws.payload.as_deref().filter(|own| !own.is_empty()) {
        let octets = if jws.is_unencoded() { own.as_bytes().to_vec() } else { decoded(own) };
        add(&Content::pieces(vec![&octets]));
    } else if payload.pieces.is_some() {
        match payload::mechanism(jws) {
            None => contents.only().into_iter().for_each(add),
            Some(_) => payload.objects.iter().filter_map(|object| object.content).for_each(add),
        }
    }
    whole
}

/// The payload's octets; those of its text, where that is not Base64url.
fn decoded(payload: &str) -> Vec<u8> {
    base64url::decode(payload).unwrap_or_else(|| payload.as_bytes().to_vec())
}

/// `sigPl`: TS 119 182-1 §5.2.4.
fn production_place(jws: &Jws<'_>) -> Option<ProductionPlace> {
    let place = jws.protected.get("sigPl")?;
    let part = |name: &str| place.text_of(name).map(Into::into);
    Some(ProductionPlace {
        city: part("addressLocality"),
        state: part("addressRegion"),
        post_office_box: part("postOfficeBoxNumber"),
        postal_code: part("postalCode"),
        country: part("addressCountry"),
        street_address: part("streetAddress"),
        ..ProductionPlace::default()
    })
}

/// `srCms`: TS 119 182-1 §5.2.3.
fn commitments(jws: &Jws<'_>) -> Vec<Commitment> {
    let list = jws.protected.get("srCms").map(|list| list.elements()).unwrap_or_default();
    let read = |node: &super::json::Node<'_>| {
        let id = policy::specification(node.get("commId")?);
        Some(Commitment {
            identifier: id.id,
            description: id.description,
            documentation: id.documentation,
            ..Commitment::default()
        })
    };
    list.iter().filter_map(read).collect()
}

/// `srAts`: TS 119 182-1 §5.2.5. Certified attributes are certificates and name no role by themselves.
fn roles(jws: &Jws<'_>) -> Vec<SignerRole> {
    let Some(attributes) = jws.protected.get("srAts") else { return vec![] };
    let kinds = [("claimed", RoleCategory::Claimed), ("signedAssertions", RoleCategory::Signed)];
    let mut roles = vec![];
    for (name, category) in kinds {
        let arrays = attributes.get(name).map(|list| list.elements()).unwrap_or_default();
        let values = arrays.iter().flat_map(|array| array.texts_of("qVals"));
        roles.extend(values.map(|role| SignerRole { role, category, not_before: None, not_after: None }));
    }
    roles
}
