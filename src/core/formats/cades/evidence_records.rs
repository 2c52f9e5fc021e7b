//! Evidence records in a CMS signature: EN 319 122-3 §5, RFC 4998 appendix A.

use super::signature::CadesSignature;
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Class, Tag, Tlv, set_to_der, tlv, to_der};
use crate::budget::RELATIONS;
use crate::facts::{
    CoveredKind, Digest, EvidenceRecordIncorporation, EvidenceRecordOrigin, Irregularity, IrregularityKind,
    MatcherType, Scope, Shared, SignedData as SignedDataFacts,
};
use crate::formats::cms::{Attribute, SignedData, SignerInfo, oids, signer};
use crate::formats::digest_work::DigestWork;
use crate::formats::draft::{
    CoveredObject, Draft, EvidenceRecordDraft, SignatureDraft, SignatureFacts, previous_with_covered,
};
use crate::formats::ers::{self, Object};
use crate::formats::ids;
use crate::time::Time;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

/// The evidence records in the unsigned attributes of a signature.
pub(super) struct EmbeddedRecords<'e, 's, 'a> {
    pub signature: &'e CadesSignature<'s, 'a>,
    pub facts: &'e SignatureFacts,
    /// The signature and everything in it.
    pub covers: &'e [CoveredObject<'a>],
}

impl<'a> EmbeddedRecords<'_, '_, 'a> {
    /// Reads the records in the order of their attributes, each with the signed data that stands for the signature. What they
    /// cover is counted among the relations, and not past the bound on these.
    pub(super) fn read(&self, relations: &mut usize) -> Vec<(EvidenceRecordDraft<'a>, SignedDataFacts)> {
        let CadesSignature { reduced, signer, .. } = *self.signature;
        let mut found = Vec::new();
        if reduced.is_overfull(signer) {
            return found;
        }
        for attribute in &signer.unsigned {
            let incorporation = match attribute.oid {
                oid if oid == oids::INTERNAL_EVIDENCE_RECORD => EvidenceRecordIncorporation::Internal,
                oid if oid == oids::EXTERNAL_EVIDENCE_RECORD => EvidenceRecordIncorporation::External,
                _ => continue,
            };
            let earlier = reduced.earlier(attribute);
            for value in attribute.values() {
                let Ok(record) = ers::parse(value.raw) else { continue };
                let stamps = record.chains.iter().map(|chain| chain.timestamps.len()).sum::<usize>();
                *relations = relations.saturating_add((1 + stamps).saturating_mul(self.covers.len() + stamps));
                *relations = relations.saturating_add(record.hashes());
                if *relations > RELATIONS {
                    return found;
                }
                let (scope, data) = self.own_scope(&record);
                let own = [scope.into()];
                let objects = self.objects(incorporation, earlier, &own);
                let id = self.facts.id.as_str().as_bytes();
                let mut draft = record.verify(&objects, EvidenceRecordOrigin::Signature, id, reduced.work);
                draft.facts.incorporation = Some(incorporation);
                draft.facts.parent = Some(self.facts.id.clone());
                found.push((draft, data));
            }
        }
        found
    }

    /// Returns the signature, and for an external record the detached content beside it. So many records were made before.
    fn objects<'o>(
        &'o self,
        incorporation: EvidenceRecordIncorporation,
        earlier: usize,
        own: &[Shared<Scope>],
    ) -> Vec<Object<'o, 'a>> {
        let CadesSignature { signed_data, content, reduced, .. } = *self.signature;
        let external = incorporation == EvidenceRecordIncorporation::External;
        let mut scopes = own.to_vec();
        let mut covers = self.covers.to_vec();
        covers.extend(CoveredObject::signed_data(own));
        // The content in the signature is covered with it.
        if !external {
            scopes.extend(self.facts.scopes.iter().cloned());
        }
        let mut objects = vec![Object {
            kind: MatcherType::ErMasterSignature,
            name: None,
            found: true,
            required: true,
            digests: Box::new(move |algorithm, _| reduced.digests(algorithm, earlier)),
            scopes,
            covers,
        }];
        if external {
            let detached = signed_data.is_detached();
            objects.push(Object {
                kind: MatcherType::ErArchiveObject,
                name: content.name().map(Into::into),
                found: detached && content.is_found(),
                required: true,
                digests: Box::new(move |algorithm, _| {
                    content.digest(algorithm).filter(|_| detached).into_iter().collect()
                }),
                scopes: if detached { self.facts.scopes.clone() } else { vec![] },
                covers: vec![],
            });
        }
        objects
    }

    /// Returns the scope that stands for the signature, and its signed data.
    fn own_scope(&self, record: &ers::Record<'_>) -> (Scope, SignedDataFacts) {
        let algorithm = record.chains[0].timestamps[0].digest.unwrap_or(DigestAlgorithm::Sha256);
        let value = self.signature.reduced.digests(algorithm, 0).into_iter().next();
        let own = &self.facts.id;
        let id = ids::of_parts("D-", &[own.as_str().as_bytes(), b"signature", record.bytes]);
        let scope = Scope::master_signature(own, id.clone());
        let digest = Digest { algorithm: Some(algorithm), value: value.unwrap_or_default().into() };
        (scope, SignedDataFacts { id, name: Some(own.to_string()), digest, parent: None })
    }
}

/// The most evidence records in a `SignedData`. One covers the signatures of all signers, and renewals are inside it; each
/// is over the whole file less those made after it.
const RECORDS: usize = 32;

/// A `SignedData` without its evidence records, or with those made before one of them: RFC 4998 appendix A.
pub(super) struct Reduced<'s, 'a> {
    pub(super) signed_data: &'s SignedData<'a>,
    work: &'s DigestWork,
    /// The attributes of evidence records in the order in which they were made.
    order: OnceCell<Vec<Made>>,
    /// The digests of what is left with so many of them.
    digests: RefCell<HashMap<(DigestAlgorithm, usize), Vec<Vec<u8>>>>,
}

/// The time of an attribute's first record, and its place in memory, which is that in the file.
type Made = (Option<Time>, usize);

fn made(attribute: &Attribute<'_>) -> Made {
    let records = attribute.values().filter_map(|value| ers::parse(value.raw).ok());
    let first = |record: ers::Record<'_>| Some(record.chains.first()?.timestamps.first()?.token.info.gen_time);
    (records.filter_map(first).min(), place(attribute))
}

fn place(attribute: &Attribute<'_>) -> usize {
    attribute.raw.raw.as_ptr() as usize
}

impl<'s, 'a> Reduced<'s, 'a> {
    pub(super) fn new(signed_data: &'s SignedData<'a>, work: &'s DigestWork) -> Self {
        Self { signed_data, work, order: OnceCell::new(), digests: RefCell::default() }
    }

    /// Returns whether there are more evidence records in the `SignedData`, or of this signer, than are read. An
    /// attribute without values counts as well.
    fn is_overfull(&self, signer: &SignerInfo<'_>) -> bool {
        let count = |attribute: &Attribute<'_>| attribute.values().count().max(1);
        let all = self.signed_data.signers.iter().flat_map(attributes).take(RECORDS + 1).map(count).sum::<usize>();
        all > RECORDS || attributes(signer).take(RECORDS + 1).map(count).sum::<usize>() > RECORDS
    }

    /// Returns how many of the attributes of evidence records were made before this one.
    ///
    /// The order of a SET says nothing of which was made first; the times of their first time-stamps do.
    fn earlier(&self, attribute: &Attribute<'_>) -> usize {
        let own = made(attribute);
        self.order().iter().filter(|made| **made < own).count()
    }

    fn order(&self) -> &[Made] {
        self.order.get_or_init(|| {
            let mut order: Vec<Made> = self.signed_data.signers.iter().flat_map(attributes).map(made).collect();
            crate::order::sort(&mut order);
            order
        })
    }

    /// Returns the digests of the `ContentInfo` without all evidence records and, where there are earlier ones, with these: as
    /// sent and as DER.
    fn digests(&self, algorithm: DigestAlgorithm, earlier: usize) -> Vec<Vec<u8>> {
        let digests = |kept: usize| {
            let kept = self.order().get(..kept).unwrap_or_default();
            let is_kept =
                |one: &Attribute<'_>| !is_evidence_record(one) || kept.iter().any(|made| made.1 == place(one));
            if !self.work.take(self.cost()) {
                return vec![];
            }
            let reduced = [self.without(&is_kept), self.der_without(&is_kept)].into_iter().flatten();
            reduced.filter_map(|reduced| self.work.digest(algorithm, &reduced)).collect()
        };
        let kept = if earlier > 0 { vec![0, earlier] } else { vec![0] };
        let known =
            |kept: usize| self.digests.borrow_mut().entry((algorithm, kept)).or_insert_with(|| digests(kept)).clone();
        kept.into_iter().flat_map(known).collect()
    }

    /// Returns what it costs to write it anew, in digested bytes: a content in one piece is copied, the rest is read and written.
    fn cost(&self) -> u64 {
        let copied = self.signed_data.content.filter(|content| !content.tag.constructed);
        let copied = copied.map_or(0, |content| content.content.len());
        let rest = self.signed_data.whole.raw.len().saturating_sub(copied);
        copied as u64 + 16 * rest as u64
    }

    /// Returns the whole `ContentInfo` with only those unsigned attributes that are kept, lengths in the form sent.
    fn without(&self, keep: &dyn Fn(&Attribute<'_>) -> bool) -> Option<Vec<u8>> {
        let signers = self.signed_data.signers.iter();
        let signers: Vec<u8> = signers.map(|s| reduced_signer(s, keep)).collect::<Option<Vec<_>>>()?.concat();
        let whole = &self.signed_data.whole;
        let mut parts = whole.children();
        let (kind, explicit) = (parts.read().ok()?, parts.read().ok()?);
        let signed_data = explicit.inner().ok()?;
        let fields: Vec<Tlv<'_>> = signed_data.children().collect();
        let (last, before) = fields.split_last()?;
        let last = rewrapped(last, &signers);
        let content: Vec<&[u8]> = before.iter().map(|field| field.raw).chain([&last[..]]).collect();
        let explicit = rewrapped(&explicit, &rewrapped(&signed_data, &content.concat()));
        Some(rewrapped(whole, &[kind.raw, &explicit].concat()))
    }

    /// Returns the same in DER.
    fn der_without(&self, keep: &dyn Fn(&Attribute<'_>) -> bool) -> Option<Vec<u8>> {
        let reduced = self.without(keep)?;
        let signed_data = SignedData::parse(&reduced).ok()?;
        let content = signed_data.whole.children().nth(1)?.inner().ok()?;
        let mut fields = Vec::new();
        for field in content.children() {
            // Certificates and CRLs are SETs under implicit tags.
            fields.push(match field.tag.class {
                Class::Context => tlv(field.tag, &set_to_der(&field).ok()?),
                _ => to_der(field.raw).ok()?.into_owned(),
            });
        }
        let signers = signed_data.signers.iter().map(|signer| Some(signer::der(signer)?.concat()));
        let mut signers = signers.collect::<Option<Vec<_>>>()?;
        crate::order::sort(&mut signers);
        *fields.last_mut()? = tlv(Tag::SET, &signers.concat());
        let explicit = tlv(Tag::context_constructed(0), &tlv(Tag::SEQUENCE, &fields.concat()));
        let kind = signed_data.whole.children().read().ok()?;
        Some(tlv(Tag::SEQUENCE, &[kind.raw, &explicit].concat()))
    }
}

/// Adds what a record in one signer's attributes covers: it is over the whole `SignedData`, and so over the signatures
/// of all signers (RFC 4998 appendix A).
///
/// What they cover is counted among the relations, and not past the bound on these.
pub(crate) fn share(draft: &mut Draft<'_>) {
    let Draft { signatures, relations, .. } = draft;
    let of = |signature: &SignatureDraft<'_>| !signature.facts.is_counter_signature();
    let held = |one: &SignatureDraft<'_>| {
        1 + one.material.len() + one.timestamps.iter().map(|stamp| 1 + stamp.relations()).sum::<usize>()
    };
    let all: usize = signatures.iter().filter(|one| of(one)).map(held).sum();
    for owner in 0..signatures.len() {
        let Some(signature) = signatures.get(owner).filter(|one| of(one) && !one.evidence_records.is_empty()) else {
            continue;
        };
        let records = signature.evidence_records.iter().map(|record| 1 + record.timestamps.len()).sum::<usize>();
        *relations = relations.saturating_add(records.saturating_mul(all));
        if *relations > RELATIONS {
            return;
        }
        let mut covers = Vec::new();
        for (_, other) in signatures.iter().enumerate().filter(|(at, other)| *at != owner && of(other)) {
            covers.push(CoveredObject::token(CoveredKind::Signature, &other.facts.id));
            covers.extend(previous_with_covered(&other.timestamps));
            covers.extend(CoveredObject::embedded(&other.material));
        }
        let mut ids = Vec::new();
        for record in signatures.get_mut(owner).into_iter().flat_map(|owner| &mut owner.evidence_records) {
            ids.push(record.facts.id.clone());
            record.covers.extend(covers.iter().cloned());
            record.timestamps.iter_mut().for_each(|timestamp| timestamp.covers.extend(covers.iter().cloned()));
        }
        for (at, other) in signatures.iter_mut().enumerate() {
            if at != owner && of(other) {
                other.facts.evidence_records_elsewhere.extend(ids.iter().cloned());
            }
        }
    }
}

/// Returns what is said of a signer's attributes that should be evidence records and are none, or that are too many to be
/// read.
pub(super) fn irregularities(reduced: &Reduced<'_, '_>, signer: &SignerInfo<'_>) -> Vec<Irregularity> {
    if attributes(signer).next().is_some() && reduced.is_overfull(signer) {
        return vec![Irregularity::about(IrregularityKind::BudgetExceeded, "evidence records")];
    }
    let values = attributes(signer).flat_map(Attribute::values);
    values.filter_map(|value| ers::parse(value.raw).err()).map(|error| ers::malformed(&error)).collect()
}

/// Returns a signer's attributes of evidence records.
fn attributes<'s, 'a>(signer: &'s SignerInfo<'a>) -> impl Iterator<Item = &'s Attribute<'a>> {
    signer.unsigned.iter().filter(|attribute| is_evidence_record(attribute))
}

pub(super) fn is_evidence_record(attribute: &Attribute<'_>) -> bool {
    attribute.oid == oids::INTERNAL_EVIDENCE_RECORD || attribute.oid == oids::EXTERNAL_EVIDENCE_RECORD
}

/// Returns an element with other contents, its length definite or indefinite as before.
fn rewrapped(element: &Tlv<'_>, content: &[u8]) -> Vec<u8> {
    if element.raw.get(1) == Some(&0x80) {
        return [&element.raw[..2], content, &[0, 0]].concat();
    }
    tlv(element.tag, content)
}

/// Returns a `SignerInfo` without the unsigned attributes that are not kept; none left: without `unsignedAttrs`.
fn reduced_signer(signer: &SignerInfo<'_>, keep: &dyn Fn(&Attribute<'_>) -> bool) -> Option<Vec<u8>> {
    let Some(set) = signer.unsigned_attributes.filter(|_| signer.unsigned.iter().any(|a| !keep(a))) else {
        return Some(signer.raw.raw.to_vec());
    };
    let before = signer.raw.content.len().checked_sub(set.raw.len())?;
    let mut content = signer.raw.content.get(..before)?.to_vec();
    let kept: Vec<u8> = signer.unsigned.iter().filter(|a| keep(a)).flat_map(|a| a.raw.raw.to_vec()).collect();
    if !kept.is_empty() {
        content.extend(rewrapped(&set, &kept));
    }
    Some(rewrapped(&signer.raw, &content))
}
