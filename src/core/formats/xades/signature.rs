//! One signature: what it states, what its value is over. EN 319 132-1 §4 and §5.2.

use super::matchers::{self, ComparedReference, compared_references};
use super::timestamps::PrecedingProperties;
use super::{Unpacked, coverage, is, key_value, level, material, properties, qualifying};
use crate::algorithm::DigestAlgorithm;
use crate::crypto::Hasher;
use crate::facts::{
    self, CoveredKind, Digest, DigestMatcher, Id, Irregularity, IrregularityKind, MatcherType, Scope, ScopeType,
    Shared, SignatureDigestReference, StructuralValidation,
};
use crate::formats::Contents;
use crate::formats::ades::{self, AdesSignature, CounterSignatures, Tokens};
use crate::formats::draft::{
    CoveredObject, Draft, PART, SignatureDraft, SignatureFacts, SignedBytes, SignerIdentifier, TimestampDraft,
    ValueCheck, previous,
};
use crate::formats::ids;
use crate::formats::scope::SignedScope;
use crate::formats::xml::signature::{Target, XmlSignature, base64_text};
use crate::formats::xml::{Canonicalization, DSIG, Element, NodeId, NodeSet, transform};
use std::borrow::Cow;
use std::collections::HashSet;

/// Counter-signatures of counter-signatures that are followed. Real files have one level.
const COUNTER_SIGNATURES: usize = 8;

/// Reads a signature, and after it its counter-signatures, into the draft. `known` grows by the elements that they are.
pub(super) fn read<'u>(
    unpacked: &'u Unpacked<'u>,
    element: Element<'u, 'u>,
    parent: Option<(&Id, usize)>,
    contents: &Contents<'_>,
    known: &mut HashSet<NodeId>,
    draft: &mut Draft<'u>,
) {
    known.insert(element.id());
    match XmlSignature::read(element) {
        Ok(signature) => ades::read(XadesSignature::new(unpacked, signature, parent, contents, known), draft),
        Err(_) => unreadable(element, parent, contents, draft),
    }
}

/// A signature element that can be read.
pub(super) struct XadesSignature<'r, 'u> {
    pub(super) unpacked: &'u Unpacked<'u>,
    pub(super) signature: XmlSignature<'u, 'u>,
    pub(super) qualifying: Option<Element<'u, 'u>>,
    /// The unsigned properties.
    pub(super) properties: Vec<Element<'u, 'u>>,
    /// Its references, compared.
    pub(super) matched: Vec<ComparedReference<'r, 'u>>,
    /// What the value is over.
    signed_info: Option<Vec<u8>>,
    /// The signature that it counter-signs.
    parent: Option<&'r Id>,
    /// How many signatures are around it.
    depth: usize,
    pub(super) contents: &'r Contents<'r>,
    known: &'r mut HashSet<NodeId>,
    counter_signatures: CounterSignatures,
}

impl<'r, 'u> XadesSignature<'r, 'u> {
    fn new(
        unpacked: &'u Unpacked<'u>,
        signature: XmlSignature<'u, 'u>,
        parent: Option<(&'r Id, usize)>,
        contents: &'r Contents<'r>,
        known: &'r mut HashSet<NodeId>,
    ) -> Self {
        let qualifying = qualifying(signature.element);
        let mut signed_info = vec![];
        let canonical = signature.signed_bytes(&mut signed_info).is_ok();
        Self {
            unpacked,
            qualifying,
            properties: qualifying.map(material::unsigned).unwrap_or_default(),
            matched: compared_references(&signature, qualifying, contents, parent.is_some()),
            signed_info: canonical.then_some(signed_info),
            signature,
            parent: parent.map(|(id, _)| id),
            depth: parent.map_or(0, |(_, depth)| depth),
            contents,
            known,
            counter_signatures: CounterSignatures::default(),
        }
    }

    /// Returns the id, made of what is signed, of the value, and of where the signature stands: its unsigned properties may
    /// have any size.
    fn id(&self) -> Id {
        let (span, signed_info) = (self.signature.element.span(), self.signature.signed_info.span());
        let source = self.signature.element.tree().source();
        let source = source.get(signed_info.start as usize..signed_info.end as usize).unwrap_or_default();
        let place = [span.start.to_be_bytes(), span.end.to_be_bytes()].concat();
        ids::of_parts("S-", &[source.as_bytes(), &self.signature.value, &place, self.contents.discriminator()])
    }

    fn digest_matchers(&self) -> Vec<Shared<DigestMatcher>> {
        let mut matchers: Vec<Shared<DigestMatcher>> = self.matched.iter().map(|m| m.matcher.clone().into()).collect();
        // A signature over nothing but what it states of itself signs no data.
        if self.matched.iter().all(|m| m.own || m.matcher.kind == MatcherType::SignedProperties) {
            matchers.push(DigestMatcher::missing(MatcherType::Reference).into());
        }
        if self.parent.is_some() {
            let data_intact = matchers::countersigned(&self.signature).is_some();
            let missing = DigestMatcher::missing(MatcherType::CounterSignedSignatureValue);
            matchers.push(DigestMatcher { data_found: true, data_intact, ..missing }.into());
        }
        matchers
    }

    /// Returns the value that it counter-signs, as scope.
    fn countersigned(&self) -> Option<SignedScope> {
        let value = matchers::countersigned(&self.signature)?;
        let is_whole = |m: &ComparedReference<'_, '_>| {
            m.matcher.kind == MatcherType::CounterSignature
                && matchers::pointed(&m.reference).is_some_and(|element| element.id() == value.id())
                && m.matcher.data_intact
                && m.omitted.is_empty()
                && !m.empty
        };
        self.matched.iter().find(|compared| is_whole(compared))?;
        Some(SignedScope::signature(self.parent?, &base64_text(value)?))
    }
}

impl<'u> AdesSignature<'u> for XadesSignature<'_, 'u> {
    /// The place of an unsigned property.
    type Unsigned = usize;
    /// What the properties hold, in their order.
    type Preceding = PrecedingProperties<'u>;

    /// Counts each node, which may become a reference, and each property, which each later token looks at.
    fn extent(&self) -> usize {
        let nodes = self.qualifying.map_or(0, |qualifying| qualifying.tree().subtree(qualifying.id()).len());
        2 * nodes + 16 * self.properties.len()
    }

    fn signed(&mut self, signed_data: &mut Vec<facts::SignedData>) -> SignatureFacts {
        let digest_matchers = self.digest_matchers();
        let irregularities = coverage::irregularities(self);
        let countersigned = self.countersigned().unwrap_or_default();
        let (data, more) = scopes(&mut self.matched, self.contents, &irregularities);
        let scopes = [countersigned.scopes, data].concat();
        signed_data.extend(countersigned.signed_data.into_iter().chain(more));
        let mut facts = SignatureFacts {
            id: self.id(),
            parent: self.parent.cloned(),
            da_identifier: self.signature.element.attribute("Id").map(Into::into),
            file: self.contents.file().into(),
            structural_validation: Some(structural_validation(&irregularities)),
            digest_matchers,
            scopes,
            data_to_be_signed: self.signed_info.as_deref().map(ids::sha256_digest),
            value: self.signature.value.clone().into(),
            irregularities,
            ..SignatureFacts::default()
        };
        if let Some(qualifying) = self.qualifying {
            properties::read(self.unpacked, qualifying, &mut facts);
            facts.irregularities.extend(self.malformed(qualifying));
            facts.irregularities.extend(self.malformed_records());
        }
        facts
    }

    fn counter_signatures(&mut self, facts: &mut SignatureFacts, draft: &mut Draft<'u>) {
        let properties = self.properties.iter().enumerate();
        for (place, property) in properties.filter(|(_, property)| is(**property, "CounterSignature")) {
            let counter = property.children().find(|inner| inner.is(DSIG, "Signature"));
            if let Some(counter) = counter.filter(|_| self.depth < COUNTER_SIGNATURES) {
                let parent = Some((&facts.id, self.depth + 1));
                let before = draft.signatures.len();
                read(self.unpacked, counter, parent, self.contents, self.known, draft);
                self.counter_signatures.add(place, draft, before);
            }
        }
    }

    fn content_timestamps(&self, facts: &SignatureFacts) -> Vec<TimestampDraft<'u>> {
        self.qualifying.map(|qualifying| self.read_content_timestamps(qualifying, facts)).unwrap_or_default()
    }

    fn named_signer(&self) -> Vec<CoveredObject<'u>> {
        let references = self.qualifying.map(material::signing_certificate_refs).unwrap_or_default();
        references.into_iter().map(CoveredObject::certificate_ref).collect()
    }

    fn unsigned(&self) -> Vec<usize> {
        (0..self.properties.len()).collect()
    }

    fn tokens(
        &self,
        place: usize,
        facts: &SignatureFacts,
        signature: &[CoveredObject<'u>],
        preceding: &PrecedingProperties<'u>,
    ) -> Tokens<'u> {
        let timestamps = self.unsigned_timestamps(place, facts, signature, preceding);
        let mut tokens = Tokens { timestamps, ..Tokens::default() };
        for (record, signed_data) in self.sealing_records(self.properties[place], facts, signature, preceding) {
            tokens.add_record(record, signed_data);
        }
        tokens
    }

    fn precede(&self, preceding: &mut PrecedingProperties<'u>, place: usize, _: &SignatureFacts, tokens: &Tokens<'u>) {
        let property = self.properties[place];
        let mut covers = previous(&tokens.timestamps);
        for record in &tokens.evidence_records {
            covers.push(CoveredObject::token(CoveredKind::EvidenceRecord, &record.facts.id));
            covers.extend(previous(&record.timestamps));
        }
        covers.extend(material::covers(self.unpacked, property));
        covers.extend(self.counter_signatures.at(place));
        preceding.add(covers);
    }

    fn finish(self, mut facts: SignatureFacts, tokens: Tokens<'u>) -> SignatureDraft<'u> {
        let Tokens { timestamps, evidence_records, .. } = tokens;
        // Reports refer to a signature by its digest where something covers it; nothing else is worth a pass over all of it.
        let covered = !timestamps.is_empty() || !evidence_records.is_empty() || self.contents.is_container();
        if covered || self.parent.is_some() {
            facts.digest_reference = digest_reference(&self.signature);
        }
        let element = self.signature.element;
        let public_key = self.signature.key_info.and_then(key_value::public_key).map(Cow::Owned);
        SignatureDraft {
            check: ValueCheck {
                algorithm: self.signature.algorithm,
                signed: self.signed_info.into_iter().map(|bytes| SignedBytes::Message(Cow::Owned(bytes))).collect(),
                value: Cow::Owned(self.signature.value),
                certificate_valid_at: None,
            },
            signer: SignerIdentifier { public_key, ..SignerIdentifier::default() },
            material: material::of(self.unpacked, element),
            levels: level::levels(element, &facts, &timestamps),
            facts,
            timestamps,
            evidence_records,
        }
    }
}

/// Adds a signature element that lacks a part: it is there, and nothing of it can be verified.
fn unreadable(element: Element<'_, '_>, parent: Option<(&Id, usize)>, contents: &Contents<'_>, draft: &mut Draft<'_>) {
    let span = element.span();
    let id = ids::of_parts("S-", &[&span.start.to_be_bytes(), &span.end.to_be_bytes(), contents.discriminator()]);
    let value = element.child(DSIG, "SignatureValue").and_then(base64_text).unwrap_or_default();
    let facts = SignatureFacts {
        id,
        parent: parent.map(|(id, _)| id.clone()),
        da_identifier: element.attribute("Id").map(Into::into),
        file: contents.file().into(),
        structural_validation: Some(StructuralValidation { valid: false, messages: vec![] }),
        digest_matchers: vec![DigestMatcher::missing(MatcherType::Reference).into()],
        value: value.into(),
        ..SignatureFacts::default()
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

/// Checks that the signature has the parts that XMLDSig gives it.
fn structural_validation(irregularities: &[Irregularity]) -> StructuralValidation {
    let violations = irregularities.iter().filter(|one| one.kind == IrregularityKind::FormatViolation);
    let messages: Vec<String> = violations.filter_map(|one| one.subject.as_deref().map(str::to_owned)).collect();
    StructuralValidation { valid: messages.is_empty(), messages }
}

/// Returns what is signed, as facts: every reference to data that is there.
fn scopes(
    matched: &mut [ComparedReference<'_, '_>],
    contents: &Contents<'_>,
    irregularities: &[Irregularity],
) -> (Vec<Shared<Scope>>, Vec<facts::SignedData>) {
    let data = |matched: &&mut ComparedReference<'_, '_>| {
        matched.matcher.data_intact && matched.matcher.kind != MatcherType::CounterSignature && matched.is_data()
    };
    let said = |kind| irregularities.iter().any(|one| one.kind == kind);
    let (beside, partly) = (said(IrregularityKind::UnsignedObject), said(IrregularityKind::PartlySignedContent));
    let mut scopes = vec![];
    let mut signed = vec![];
    for matched in matched.iter_mut().filter(data) {
        let matcher = &matched.matcher;
        let target = matched.reference.target();
        // What is left out of the document or of another file is there in a file beside.
        let partly = partly && target != Target::Outside;
        let whole = matches!(coverage::extent(matched), coverage::Extent::Whole) && !beside && !partly;
        let document = match target {
            Target::Document { .. } => true,
            Target::Element { .. } => whole,
            _ => false,
        };
        let name = match &matcher.uri {
            Some(_) if document => Some(contents.file().into()).filter(|file: &String| !file.is_empty()),
            _ => matcher.document_name.as_ref().or(matcher.uri.as_ref()).map(|name| name.to_string()),
        };
        let id = ids::of_parts("D-", &[&matcher.digest.value.0, name.as_deref().unwrap_or_default().as_bytes()]);
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

/// Returns the signature element's digest, by which others refer to the signature.
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
