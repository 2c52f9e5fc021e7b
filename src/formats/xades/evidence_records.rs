//! Evidence records in an XML signature: EN 319 132-3 §5.

use super::matchers::Matched;
use super::timestamps::{Part, Stamped};
use super::{Unpacked, material};
use crate::algorithm::DigestAlgorithm;
use crate::crypto::{Hasher, digest};
use crate::facts::{
    Covered, CoveredKind, Digest, EvidenceRecordIncorporation, EvidenceRecordOrigin, Id, MatcherType, Scope, Shared,
    SignedData,
};
use crate::formats::draft::{Covers, EvidenceRecordDraft};
use crate::formats::ers::{Object, Record};
use crate::formats::tsp::hex;
use crate::formats::xml::{Canonicalization, Element};

/// The property that holds records.
const RECORDS: &str = "SealingEvidenceRecords";

/// A signature whose evidence records are read.
pub(super) struct Sealed<'r, 'd, 't, 's, 'u> {
    pub(super) unpacked: &'u Unpacked<'u>,
    pub(super) stamped: &'r Stamped<'r, 'd, 't, 's, 'u>,
    pub(super) qualifying: Element<'t, 's>,
    pub(super) matched: &'r [Matched<'r, 'd, 't, 's>],
    pub(super) id: &'r Id,
    /// What the signature signs.
    pub(super) scopes: &'r [Shared<Scope>],
}

impl<'d, 't, 's, 'u> Sealed<'_, 'd, 't, 's, 'u> {
    /// The records in a property, and the signed data that stands for the signature itself. `covers` is what stands in
    /// the signature before the property.
    pub(super) fn read(
        &self,
        property: Element<'t, 's>,
        covers: &[Covers<'u>],
    ) -> Vec<(EvidenceRecordDraft<'u>, SignedData)> {
        let mut found = vec![];
        for element in property.children().filter(|_| property.local() == RECORDS) {
            let Some(record) = self.unpacked.record(element) else { continue };
            let (scope, data) = self.own_scope(&record, property);
            let objects = self.objects(property, &scope, covers.to_vec());
            let mut draft = record.verify(&objects, EvidenceRecordOrigin::Signature, self.id.as_str().as_bytes());
            draft.facts.incorporation = Some(self.incorporation());
            draft.facts.parent = Some(self.id.clone());
            found.push((draft, data));
        }
        found
    }

    fn incorporation(&self) -> EvidenceRecordIncorporation {
        match self.matched.iter().any(|matched| matched.content.is_some()) {
            true => EvidenceRecordIncorporation::External,
            false => EvidenceRecordIncorporation::Internal,
        }
    }

    /// §5.2: the signature, with what it signs; and the contents beside it, which a record may have leaves for.
    fn objects<'o>(&'o self, property: Element<'t, 's>, own: &Scope, covers: Vec<Covers<'u>>) -> Vec<Object<'o, 'u>> {
        let data = |scope: &Shared<Scope>| {
            Covers::Token(Covered { kind: CoveredKind::SignedData, id: scope.signed_data.clone() })
        };
        let scopes: Vec<Shared<Scope>> =
            std::iter::once(own.clone().into()).chain(self.scopes.iter().cloned()).collect();
        let covers = scopes.iter().map(data).chain(covers).collect();
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

    /// §5.2: the digest of the group of what the signature signs, its parts, the properties before the record, and what
    /// its manifests name; in the canonical form that the signature states for itself, or the record for its objects.
    fn digests(
        &self,
        algorithm: DigestAlgorithm,
        method: Option<&Canonicalization>,
        property: Element<'t, 's>,
    ) -> Vec<Vec<u8>> {
        let properties = material::unsigned(self.qualifying);
        let before: Vec<_> = properties.into_iter().filter(|p| p.id() < property.id()).collect();
        let entries = self.matched.iter().filter(|matched| matched.matcher.kind == MatcherType::ManifestEntry);
        let mut parts = self.stamped.parts(&before, true);
        parts.extend(entries.map(Part::Reference));
        let own = self.stamped.signature.canonicalization.as_ref().ok();
        let methods = own.into_iter().chain(method.filter(|method| Some(*method) != own));
        methods.filter_map(|method| self.group(algorithm, method, &parts)).collect()
    }

    /// RFC 6283 §3.2.2: the digest of the objects' digests, sorted; a single object's digest stands for itself.
    fn group(
        &self,
        algorithm: DigestAlgorithm,
        method: &Canonicalization,
        parts: &[Part<'_, 'd, 't, 's>],
    ) -> Option<Vec<u8>> {
        let mut digests = vec![];
        for part in parts {
            let mut hasher = Hasher::new(algorithm)?;
            self.stamped.write(part, method, &mut hasher).ok()?;
            digests.push(hasher.finish());
        }
        digests.sort();
        match &digests[..] {
            [only] => Some(only.clone()),
            several => digest(algorithm, &several.concat()),
        }
    }

    /// A scope for the signature that the record covers.
    fn own_scope(&self, record: &Record<'_>, property: Element<'t, 's>) -> (Scope, SignedData) {
        let chain = record.chains.first();
        let algorithm = chain.and_then(|chain| chain.timestamps.first()?.digest).unwrap_or(DigestAlgorithm::Sha256);
        let method = chain.and_then(|chain| chain.canonicalization.as_ref());
        let value = self.digests(algorithm, method, property).into_iter().next().unwrap_or_default();
        let name = Some(self.id.to_string());
        let id = Id::new(format!("D-{}", hex(&[self.id.as_str().as_bytes(), b"signature", record.octets])));
        let scope = Scope::master_signature(self.id, id.clone());
        (
            scope,
            SignedData { id, name, digest: Digest { algorithm: Some(algorithm), value: value.into() }, parent: None },
        )
    }
}
