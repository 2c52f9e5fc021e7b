//! Evidence records in an XML signature: EN 319 132-3 §5.

use super::matchers::ComparedReference;
use super::signature::XadesSignature;
use super::timestamps::{Part, PrecedingProperties};
use crate::algorithm::DigestAlgorithm;
use crate::crypto::{Hasher, digest};
use crate::facts::{
    Digest, EvidenceRecordIncorporation, EvidenceRecordOrigin, Id, Irregularity, IrregularityKind, MatcherType, Scope,
    Shared, SignedData,
};
use crate::formats::draft::{CoveredObject, EvidenceRecordDraft, SignatureFacts};
use crate::formats::ers::{Object, Record};
use crate::formats::ids;
use crate::formats::xml::transform::Omitted;
use crate::formats::xml::{Algorithm, Canonicalization, Element, Sink};

/// Where bytes go that nobody asks for.
struct Nothing;

impl Sink for Nothing {
    fn write(&mut self, _: &[u8]) {}
}

/// The property that holds records.
const RECORDS: &str = "SealingEvidenceRecords";

impl<'r, 'u> XadesSignature<'r, 'u> {
    /// Reads the records in a property, each with the signed data that stands for the signature. They are over the
    /// signature and what stands in it before the property.
    pub(super) fn sealing_records(
        &self,
        property: Element<'u, 'u>,
        facts: &SignatureFacts,
        signature: &[CoveredObject<'u>],
        preceding: &PrecedingProperties<'u>,
    ) -> Vec<(EvidenceRecordDraft<'u>, SignedData)> {
        let mut found = vec![];
        for record in self.records_in(property).filter_map(Result::ok) {
            let (scope, data) = self.own_scope(&record, property, &facts.id);
            let covers = signature.iter().cloned().chain(preceding.all()).collect();
            let objects = self.objects(property, &scope, &facts.scopes, covers);
            let (own, work) = (facts.id.as_str().as_bytes(), self.contents.work());
            let mut draft = record.verify(&objects, EvidenceRecordOrigin::Signature, own, work);
            draft.facts.incorporation = Some(self.incorporation());
            draft.facts.irregularities.extend(self.left_out(&record, property));
            draft.facts.parent = Some(facts.id.clone());
            found.push((draft, data));
        }
        found
    }

    /// Returns what is said of properties that should hold evidence records, and hold something else.
    pub(super) fn malformed_records(&self) -> impl Iterator<Item = Irregularity> {
        self.properties.iter().flat_map(|property| self.records_in(*property)).filter_map(Result::err)
    }

    fn records_in(&self, property: Element<'u, 'u>) -> impl Iterator<Item = Result<Record<'u>, Irregularity>> {
        let held = property.children().filter(move |_| property.local() == RECORDS);
        held.map(|element| self.unpacked.record(element))
    }

    fn incorporation(&self) -> EvidenceRecordIncorporation {
        match self.matched.iter().any(|matched| matched.content.is_some()) {
            true => EvidenceRecordIncorporation::External,
            false => EvidenceRecordIncorporation::Internal,
        }
    }

    /// Returns the signature, with what it signs; and the contents beside it, for which a record may have leaves
    /// (§5.2).
    fn objects<'o>(
        &'o self,
        property: Element<'u, 'u>,
        own: &Scope,
        signed: &[Shared<Scope>],
        covers: Vec<CoveredObject<'u>>,
    ) -> Vec<Object<'o, 'u>> {
        let scopes: Vec<Shared<Scope>> = std::iter::once(own.clone().into()).chain(signed.iter().cloned()).collect();
        let covers = CoveredObject::signed_data(&scopes).chain(covers).collect();
        let mut objects = vec![Object {
            kind: MatcherType::ErMasterSignature,
            name: None,
            found: true,
            required: true,
            digests: Box::new(move |algorithm, method| self.digests(algorithm, method, property)),
            scopes,
            covers,
        }];
        for content in self.matched.iter().filter_map(|matched| matched.content) {
            objects.push(Object {
                kind: MatcherType::ErArchiveObject,
                name: content.name().map(Into::into),
                found: true,
                required: false,
                digests: Box::new(move |algorithm, _| content.digest(algorithm).into_iter().collect()),
                scopes: vec![],
                covers: vec![],
            });
        }
        objects
    }

    /// Returns the digest of the group of what the signature signs, its parts, the properties before the record, and
    /// what its manifests name; in the canonical form that the signature states for itself, or the record for its
    /// objects (§5.2).
    fn digests(
        &self,
        algorithm: DigestAlgorithm,
        method: Option<&Canonicalization>,
        property: Element<'u, 'u>,
    ) -> Vec<Vec<u8>> {
        let parts = self.sealed_parts(property);
        self.methods(method).filter_map(|method| self.group(algorithm, method, &parts)).collect()
    }

    fn sealed_parts(&self, property: Element<'u, 'u>) -> Vec<Part<'_, 'r, 'u>> {
        let before: Vec<_> = self.properties.iter().copied().filter(|p| p.id() < property.id()).collect();
        let entries = self.matched.iter().filter(|matched| matched.matcher.kind == MatcherType::ManifestEntry);
        let mut parts = self.parts(&before, true);
        parts.extend(entries.map(Part::Reference));
        parts
    }

    fn methods<'m>(&'m self, stated: Option<&'m Canonicalization>) -> impl Iterator<Item = &'m Canonicalization> {
        let own = self.signature.canonicalization.as_ref().ok();
        own.into_iter().chain(stated.filter(|method| Some(*method) != own))
    }

    /// Returns what the canonical form in which the record is over the signed data has not, and the form that is signed has:
    /// once the signature's algorithms are weak, only the record protects it. RFC 6283 §3.2.1.
    fn left_out(&self, record: &Record<'_>, property: Element<'u, 'u>) -> Vec<Irregularity> {
        let Some(chain) = record.chains.first() else { return vec![] };
        let Some(archive) = chain.timestamps.first() else { return vec![] };
        let parts = self.sealed_parts(property);
        let is_over = |method| {
            let digest = archive.digest.and_then(|algorithm| self.group(algorithm, method, &parts));
            digest.is_some_and(|digest| archive.tree.first().is_none_or(|leaves| leaves.contains(&digest)))
        };
        let unwritten = |method| -> Vec<String> {
            let references = parts.iter().filter_map(|part| match part {
                Part::Reference(matched) => Some(*matched),
                Part::Element(_) => None,
            });
            references.flat_map(|matched| self.unwritten(matched, method)).collect()
        };
        let exclusive = self.methods(chain.canonicalization.as_ref()).filter(|m| m.algorithm == Algorithm::Exclusive);
        let found = exclusive.map(|method| (method, unwritten(method)));
        let mut found = found.filter(|(method, unwritten)| !unwritten.is_empty() && is_over(*method));
        let about = |what| Irregularity::about(IrregularityKind::PartlySignedContent, what);
        found.next().into_iter().flat_map(|(_, unwritten)| unwritten).map(about).collect()
    }

    /// Returns what a canonical form of what a reference points at has not, and its transforms alone leave.
    fn unwritten(&self, matched: &ComparedReference<'r, 'u>, method: &Canonicalization) -> Vec<String> {
        let mut omitted = Omitted::default();
        // What cannot be written is not what the record is over.
        let written = self.reference_noting(matched, method, &mut Nothing, &mut omitted);
        written.map(|()| omitted.beside(&matched.omitted).map(str::to_owned).collect()).unwrap_or_default()
    }

    /// Returns the digest of the objects' digests, sorted; a single object's digest stands for itself (RFC 6283
    /// §3.2.2).
    fn group(
        &self,
        algorithm: DigestAlgorithm,
        method: &Canonicalization,
        parts: &[Part<'_, 'r, 'u>],
    ) -> Option<Vec<u8>> {
        let mut digests = vec![];
        for part in parts {
            let mut hasher = Hasher::new(algorithm)?;
            self.write(part, method, &mut hasher).ok()?;
            digests.push(hasher.finish());
        }
        crate::order::sort(&mut digests);
        match &digests[..] {
            [only] => Some(only.clone()),
            several => digest(algorithm, &several.concat()),
        }
    }

    /// Returns a scope for the signature that the record covers.
    fn own_scope(&self, record: &Record<'_>, property: Element<'u, 'u>, own: &Id) -> (Scope, SignedData) {
        let chain = record.chains.first();
        let algorithm = chain.and_then(|chain| chain.timestamps.first()?.digest).unwrap_or(DigestAlgorithm::Sha256);
        let method = chain.and_then(|chain| chain.canonicalization.as_ref());
        let value = self.digests(algorithm, method, property).into_iter().next().unwrap_or_default();
        let name = Some(own.to_string());
        let id = ids::of_parts("D-", &[own.as_str().as_bytes(), b"signature", record.bytes]);
        let scope = Scope::master_signature(own, id.clone());
        (
            scope,
            SignedData { id, name, digest: Digest { algorithm: Some(algorithm), value: value.into() }, parent: None },
        )
    }
}
