//! One signature: what it states, what its value is over. RFC 7515 §5.2, TS 119 182-1 §5.

use super::base64url;
use super::etsi_u::{self, Member};
use super::header::{self, Critical};
use super::jws::Jws;
use super::payload::{self, Allowance, Payload, Piece};
use super::timestamps::{Imprints, PrecedingComponents};
use super::{level, material, policy, structure};
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm};
use crate::facts::{
    Commitment, Digest, DigestMatcher, Id, Irregularity, IrregularityKind, MatcherType, ProductionPlace, RoleCategory,
    Shared, SignatureDigestReference, SignedData, SignerRole,
};
use crate::formats::ades::{self, AdesSignature, CounterSignatures, Tokens};
use crate::formats::content::Content;
use crate::formats::contents::Contents;
use crate::formats::digest_work::DigestWork;
use crate::formats::draft::{
    CoveredObject, Draft, SignatureDraft, SignatureFacts, SignedBytes, SignerIdentifier, TimestampDraft, ValueCheck,
    in_part,
};
use crate::formats::ids;
use crate::formats::scope::SignedScope;
use crate::formats::tsp::Token;
use std::borrow::Cow;
use std::cell::RefCell;

/// A JWS as a signature.
pub(super) struct JadesSignature<'r, 'u> {
    pub(super) jws: &'u Jws<'u>,
    /// Tells it from the same JWS elsewhere in the document.
    place: &'r str,
    /// What it counter-signs.
    parent: Option<(&'r Id, &'u Jws<'u>)>,
    pub(super) contents: &'r Contents<'r>,
    allowance: &'r Allowance,
    payload: Payload<'r>,
    algorithm: Option<SignatureAlgorithm>,
    counter_signatures: CounterSignatures,
    /// The imprints of its time-stamps, as far as they were digested.
    pub(super) imprints: RefCell<Imprints<'r>>,
}

impl<'r, 'u: 'r> JadesSignature<'r, 'u> {
    /// Finds the payload, which is taken from the allowance; `None` where that is spent.
    pub(super) fn new(
        jws: &'u Jws<'u>,
        place: &'r str,
        parent: Option<(&'r Id, &'u Jws<'u>)>,
        contents: &'r Contents<'r>,
        allowance: &'r Allowance,
    ) -> Option<Self> {
        let payload = Payload::of(jws, contents, parent.map(|(_, parent)| parent));
        allowance.take(payload.bytes())?;
        let algorithm = header::algorithm(jws).and_then(SignatureAlgorithm::from_jose);
        let counter_signatures = CounterSignatures::default();
        let imprints = RefCell::default();
        Some(Self { jws, place, parent, contents, allowance, payload, algorithm, counter_signatures, imprints })
    }

    fn parent(&self) -> Option<&'u Jws<'u>> {
        self.parent.map(|(_, parent)| parent)
    }

    /// Returns what the value is over; `None` where the payload is not at hand.
    fn input(&self) -> Option<Input<'_>> {
        self.payload.pieces.as_deref().map(|pieces| Input { header: &self.jws.protected_text, pieces })
    }

    /// Returns the payload as content and archive time-stamps take it; `None` where it is not at hand.
    pub(super) fn stamped_payload(&self) -> Option<Cow<'_, [Piece<'r>]>> {
        payload::stamped(self.jws, &self.payload)
    }

    fn irregularities(&self) -> Vec<Irregularity> {
        let jws = self.jws;
        let mut irregularities = jws.irregularities.clone();
        irregularities.extend(header::irregularities(jws));
        if self.parent.is_some() && jws.protected.get("sigD").is_some() {
            irregularities.push(Irregularity::about(IrregularityKind::FormatViolation, "sigD in a counter-signature"));
        }
        let unread = jws.etsi_u.members().filter(|one| one.name == "cSig" && one.counter_signature.is_none());
        irregularities.extend(unread.map(|_| Irregularity::about(IrregularityKind::UnreadableSignature, "cSig")));
        if jws.protected.get("adoTst").is_some() {
            irregularities.extend(malformed("adoTst", &jws.content_tokens));
        }
        for member in jws.etsi_u.members() {
            if etsi_u::is_timestamp(&member.name) {
                irregularities.extend(malformed(&member.name, &member.tokens));
            }
            if member.held.is_malformed {
                irregularities.push(Irregularity::about(IrregularityKind::MalformedHeader, &*member.name));
            }
        }
        if self.payload.is_joined() {
            let names: Vec<&str> = self.payload.objects.iter().map(|object| object.uri.as_str()).collect();
            irregularities.push(Irregularity::about(IrregularityKind::JoinedContents, names.join(", ")));
        }
        irregularities
    }

    /// Returns the digest of the signing input, and every reference in it, compared.
    fn digest_matchers(&self, input: &Digest) -> Vec<Shared<DigestMatcher>> {
        let (jws, payload) = (self.jws, &self.payload);
        let at_hand = payload.pieces.is_some();
        let renamed = payload.renamed(jws);
        let input = DigestMatcher {
            digest: input.clone(),
            data_found: at_hand,
            data_intact: at_hand,
            uri: renamed.map(|object| object.uri.as_str().into()),
            document_name: renamed.and_then(|object| object.content?.name().map(Into::into)),
            ..DigestMatcher::missing(MatcherType::JwsSigningInput)
        };
        let mut matchers = vec![input.into()];
        matchers.extend(payload::matchers(jws, payload));
        matchers.extend(self.parent().map(|parent| countersigned(jws, parent).into()));
        matchers
    }

    fn scope(&self, irregularities: &[Irregularity]) -> SignedScope {
        let mut scope = scope(self.jws, &self.payload, self.parent, self.contents);
        let in_part_only = |one: &Irregularity| {
            matches!(one.kind, IrregularityKind::JoinedContents | IrregularityKind::UnsignedObject)
        };
        if self.payload.is_trimmed || irregularities.iter().any(in_part_only) {
            scope.scopes.iter_mut().for_each(in_part);
        }
        scope
    }

    /// Returns what the value is over; none where the JWS is invalid.
    fn check(&self, facts: &SignatureFacts) -> ValueCheck<'u> {
        let algorithm = self.algorithm;
        let signed = algorithm.filter(|_| counts(self.jws)).and_then(|algorithm| self.signed_bytes(algorithm, facts));
        let value = Cow::Borrowed(&self.jws.value[..]);
        ValueCheck { algorithm, signed: signed.into_iter().collect(), value, certificate_valid_at: None }
    }

    /// Returns the digest where that is enough, so that large contents are never in memory as a whole; else the signing
    /// input, of which the draft holds no more than contents.
    fn signed_bytes(&self, algorithm: SignatureAlgorithm, facts: &SignatureFacts) -> Option<SignedBytes<'u>> {
        let pieces = self.payload.pieces.as_deref()?;
        if algorithm.digest.is_some() && !algorithm.needs_message() {
            return facts.data_to_be_signed.as_ref().map(|digest| SignedBytes::Digest(digest.value.0.clone()));
        }
        let text = self.jws.own_payload().or(self.parent().map(|parent| &*parent.signature_text));
        let payload = match text {
            Some(text) => Cow::Borrowed(text.as_bytes()),
            None => {
                let mut bytes = vec![];
                payload::write(pieces, &mut |piece| bytes.extend_from_slice(piece))?;
                Cow::Owned(bytes)
            }
        };
        let header = self.jws.protected_text.as_bytes();
        Some(SignedBytes::Pieces(vec![Cow::Borrowed(header), Cow::Borrowed(b"."), payload]))
    }
}

impl<'r, 'u: 'r> AdesSignature<'u> for JadesSignature<'r, 'u> {
    /// The member of a component of `etsiU`, and its place in it.
    type Unsigned = (usize, &'u Member<'u>);
    type Preceding = PrecedingComponents<'u>;

    fn signed(&mut self, signed_data: &mut Vec<SignedData>) -> SignatureFacts {
        let jws = self.jws;
        self.payload.refer(jws);
        let irregularities = self.irregularities();
        let algorithm = self.algorithm.and_then(|algorithm| digested_by(algorithm, &jws.value));
        let data_to_be_signed =
            self.input().zip(algorithm).and_then(|(input, algorithm)| input.digest(algorithm, self.contents.work()));
        let unread = Digest { algorithm, ..Digest::default() };
        let scope = self.scope(&irregularities);
        signed_data.extend(scope.signed_data);
        let (policy, policy_store) = policy::read(jws);
        SignatureFacts {
            id: id(jws, self.place, self.contents),
            parent: self.parent.map(|(id, _)| id.clone()),
            file: self.contents.file().into(),
            claimed_signing_time: header::signing_time(jws),
            expiration_time: header::expiration_time(jws),
            jws_serialization: Some(jws.serialization),
            signature_type: header::signature_type(jws),
            mime_type: header::content_type(jws),
            structural_validation: Some(structure::validate(jws)),
            digest_matchers: self.digest_matchers(data_to_be_signed.as_ref().unwrap_or(&unread)),
            production_place: production_place(jws),
            commitments: commitments(jws),
            roles: roles(jws),
            policy,
            policy_store,
            scopes: scope.scopes,
            digest_reference: digest_reference(jws, self.parent(), self.contents.work()),
            data_to_be_signed,
            value: jws.value.clone().into(),
            irregularities,
            ..SignatureFacts::default()
        }
    }

    fn counter_signatures(&mut self, facts: &mut SignatureFacts, draft: &mut Draft<'u>) {
        for (at, component) in self.jws.etsi_u.components.iter().enumerate() {
            if let Some(counter) = component.member.as_ref().and_then(|member| member.counter_signature.as_deref()) {
                let place = format!("{}/{at}", self.place);
                let parent = Some((&facts.id, self.jws));
                let before = draft.signatures.len();
                let signature = JadesSignature::new(counter, &place, parent, self.contents, self.allowance);
                let Some(signature) = signature else { return };
                ades::read(signature, draft);
                self.counter_signatures.add(at, draft, before);
            }
        }
    }

    fn content_timestamps(&self, facts: &SignatureFacts) -> Vec<TimestampDraft<'u>> {
        self.read_content_timestamps(facts)
    }

    fn named_signer(&self) -> Vec<CoveredObject<'u>> {
        let references = material::signing_certificate_refs(self.jws).into_iter().map(CoveredObject::certificate_ref);
        let chain = material::chain(self.jws).into_iter().map(|c| CoveredObject::Certificate(c.bytes));
        references.chain(chain).collect()
    }

    fn unsigned(&self) -> Vec<(usize, &'u Member<'u>)> {
        let components = self.jws.etsi_u.components.iter().enumerate();
        components.filter_map(|(place, component)| Some((place, component.member.as_deref()?))).collect()
    }

    fn tokens(
        &self,
        (place, member): (usize, &'u Member<'u>),
        facts: &SignatureFacts,
        signature: &[CoveredObject<'u>],
        preceding: &PrecedingComponents<'u>,
    ) -> Tokens<'u> {
        let timestamps = self.unsigned_timestamps(place, member, facts, signature, preceding);
        Tokens { timestamps, ..Tokens::default() }
    }

    fn precede(
        &self,
        preceding: &mut PrecedingComponents<'u>,
        (place, member): (usize, &'u Member<'u>),
        _: &SignatureFacts,
        tokens: &Tokens<'u>,
    ) {
        preceding.add(member, &tokens.timestamps, self.counter_signatures.at(place));
    }

    fn finish(self, facts: SignatureFacts, tokens: Tokens<'u>) -> SignatureDraft<'u> {
        SignatureDraft {
            check: self.check(&facts),
            signer: SignerIdentifier::default(),
            material: material::of(self.jws),
            evidence_records: tokens.evidence_records,
            levels: level::levels(self.jws, &facts, &tokens.timestamps),
            facts,
            timestamps: tokens.timestamps,
        }
    }
}

/// Returns what is said of time-stamps in a container that cannot be read, and of a container without any: §5.4.3.3.
fn malformed(container: &str, tokens: &[Vec<u8>]) -> Vec<Irregularity> {
    match tokens {
        [] => vec![Irregularity::about(IrregularityKind::MalformedHeader, format!("{container} without a time-stamp"))],
        tokens => Token::malformed(container, tokens.iter().map(Vec::as_slice)),
    }
}

/// Returns the digest function of a signature algorithm; that of EdDSA is the curve's (RFC 8032 §5.1, §5.2), which the
/// length of the value tells.
fn digested_by(algorithm: SignatureAlgorithm, value: &[u8]) -> Option<DigestAlgorithm> {
    algorithm.digest.or(match (algorithm.key, value.len()) {
        (KeyAlgorithm::EdDsa, 64) => Some(DigestAlgorithm::Sha512),
        (KeyAlgorithm::EdDsa, 114) => Some(DigestAlgorithm::Shake256_512),
        _ => None,
    })
}

/// Returns whether a JWS counts. It is invalid with a parameter in both headers, a critical one that is not understood,
/// or a payload or value that is not Base64url (RFC 7515 §4, §4.1.11 and §5.2 6)).
fn counts(jws: &Jws<'_>) -> bool {
    let payload = jws.own_payload().filter(|_| !jws.is_unencoded());
    header::twice(jws).is_none()
        && header::critical(jws) != Critical::NotUnderstood
        && payload.is_none_or(|payload| base64url::decode(payload).is_some())
        && base64url::decode(&jws.signature_text).is_some()
}

fn id(jws: &Jws<'_>, place: &str, contents: &Contents<'_>) -> Id {
    let (header, value) = (jws.protected_text.as_bytes(), jws.signature_text.as_bytes());
    ids::of_parts("S-", &[header, b".", value, place.as_bytes(), contents.discriminator()])
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

    fn digest(&self, algorithm: DigestAlgorithm, work: &DigestWork) -> Option<Digest> {
        let value = payload::digest(work, algorithm, |sink| self.write(sink))?;
        Some(Digest { algorithm: Some(algorithm), value: value.into() })
    }
}

/// Returns the digest by which a report refers to a signature: the SHA-256 of its compact form (RFC 7515 §7.1),
/// detached contents left out.
fn digest_reference(jws: &Jws<'_>, parent: Option<&Jws<'_>>, work: &DigestWork) -> Option<SignatureDigestReference> {
    let value = payload::digest(work, DigestAlgorithm::Sha256, |sink| {
        let payload = jws.own_payload().or(parent.map(|parent| &*parent.signature_text)).unwrap_or_default();
        let parts = [&*jws.protected_text, ".", payload, ".", &*jws.signature_text];
        parts.iter().for_each(|part| sink(part.as_bytes()));
        Some(())
    })?;
    let digest = Digest { algorithm: Some(DigestAlgorithm::Sha256), value: value.into() };
    Some(SignatureDigestReference { canonicalization: None, digest })
}

/// Compares the payload of a counter-signature, where it has one of its own, with the value that it counter-signs (TS
/// 119 182-1 §5.3.2).
fn countersigned(jws: &Jws<'_>, parent: &Jws<'_>) -> DigestMatcher {
    let own = jws.own_payload();
    DigestMatcher {
        data_found: !parent.value.is_empty(),
        data_intact: own.is_none_or(|own| own == parent.signature_text && !jws.is_unencoded()),
        ..DigestMatcher::missing(MatcherType::CounterSignedSignatureValue)
    }
}

/// Returns what is signed, as scopes.
fn scope(
    jws: &Jws<'_>,
    payload: &Payload<'_>,
    parent: Option<(&Id, &Jws<'_>)>,
    contents: &Contents<'_>,
) -> SignedScope {
    if let Some((id, parent)) = parent {
        return SignedScope::signature(id, &parent.value);
    }
    let mut whole = SignedScope::default();
    let mut add = |content: &Content<'_>| {
        let subject = SignedScope::whole(content);
        whole.scopes.extend(subject.scopes);
        whole.signed_data.extend(subject.signed_data);
    };
    if let Some(own) = jws.own_payload() {
        let bytes = if jws.is_unencoded() { own.as_bytes().to_vec() } else { decoded(own) };
        add(&Content::pieces(vec![&bytes]));
    } else if payload.pieces.is_some() {
        match payload::mechanism(jws) {
            None => contents.only().into_iter().for_each(add),
            Some(_) => payload.objects.iter().filter_map(|object| object.content).for_each(add),
        }
    }
    whole
}

/// Returns the payload's bytes; those of its text, where that is not Base64url.
fn decoded(payload: &str) -> Vec<u8> {
    base64url::decode(payload).unwrap_or_else(|| payload.as_bytes().to_vec())
}

/// Reads `sigPl` (TS 119 182-1 §5.2.4).
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

/// Reads `srCms` (TS 119 182-1 §5.2.3).
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

/// Reads `srAts` (TS 119 182-1 §5.2.5). Certified attributes are certificates and name no role by themselves.
fn roles(jws: &Jws<'_>) -> Vec<SignerRole> {
    let Some(attributes) = jws.protected.get("srAts") else { return vec![] };
    let kinds = [("claimed", RoleCategory::Claimed), ("signedAssertions", RoleCategory::Signed)];
    let mut roles = vec![];
    for (name, category) in kinds {
        let arrays = attributes.get(name).map(|list| list.elements()).unwrap_or_default();
        let values = arrays.iter().flat_map(|array| array.texts_of("qVals"));
        roles.extend(values.map(|role| SignerRole::new(role, category)));
    }
    roles
}
