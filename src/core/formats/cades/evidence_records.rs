//! Evidence records in a CMS signature: EN 319 122-3 §5, RFC 4998 appendix A.

use super::signature::CadesSignature;
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Class, Tag, Tlv, set_to_der, tlv, to_der};
use crate::crypto::digest;
use crate::facts::{
    CoveredKind, Digest, EvidenceRecordIncorporation, EvidenceRecordOrigin, Irregularity, MatcherType, Scope, Shared,
    SignedData as SignedDataFacts,
};
use crate::formats::cms::{Attribute, SignedData, SignerInfo, oids, signer};
use crate::formats::draft::{
    CoveredObject, EvidenceRecordDraft, SignatureDraft, SignatureFacts, previous_with_covered,
};
use crate::formats::ers::{self, Object};
use crate::formats::ids;

/// The evidence records in the unsigned attributes of a signature.
pub(super) struct EmbeddedRecords<'s, 'a> {
    pub signature: &'s CadesSignature<'s, 'a>,
    pub facts: &'s SignatureFacts,
    /// The signature and everything in it.
    pub covers: &'s [CoveredObject<'a>],
}

impl<'a> EmbeddedRecords<'_, 'a> {
    /// Reads the records in the order of their attributes, each with the signed data that stands for the signature.
    pub(super) fn read(&self) -> Vec<(EvidenceRecordDraft<'a>, SignedDataFacts)> {
        let mut found = Vec::new();
        for attribute in &self.signature.signer.unsigned {
            let incorporation = match attribute.oid {
                oid if oid == oids::INTERNAL_EVIDENCE_RECORD => EvidenceRecordIncorporation::Internal,
                oid if oid == oids::EXTERNAL_EVIDENCE_RECORD => EvidenceRecordIncorporation::External,
                _ => continue,
            };
            for value in attribute.values() {
                let Ok(record) = ers::parse(value.raw) else { continue };
                let (scope, data) = self.own_scope(&record);
                let own = [scope.into()];
                let objects = self.objects(incorporation, attribute, &own);
                let id = self.facts.id.as_str().as_bytes();
                let mut draft = record.verify(&objects, EvidenceRecordOrigin::Signature, id);
                draft.facts.incorporation = Some(incorporation);
                draft.facts.parent = Some(self.facts.id.clone());
                found.push((draft, data));
            }
        }
        found
    }

    /// Returns the signature, and for an external record the detached content beside it.
    fn objects<'o>(
        &'o self,
        incorporation: EvidenceRecordIncorporation,
        attribute: &'o Attribute<'a>,
        own: &[Shared<Scope>],
    ) -> Vec<Object<'o, 'a>> {
        let CadesSignature { signed_data, content, .. } = *self.signature;
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
            digests: Box::new(move |algorithm, _| self.signature_digests(algorithm, attribute)),
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

    /// RFC 4998 appendix A: the digests of the signature without its evidence records: without all of them, and (for a
    /// record added to others) without itself and those made after it; as DER and as sent.
    ///
    /// The order of a SET says nothing of which was made first; the times of their first time-stamps do.
    fn signature_digests(&self, algorithm: DigestAlgorithm, own: &Attribute<'a>) -> Vec<Vec<u8>> {
        let made = |attribute: &Attribute<'_>| {
            let records = attribute.values().filter_map(|value| ers::parse(value.raw).ok());
            let time = records.map(|record| record.chains[0].timestamps[0].token.info.gen_time).min();
            (time, attribute.raw.raw.as_ptr() as usize)
        };
        let own = made(own);
        let all: Box<dyn Fn(&Attribute<'_>) -> bool> = Box::new(|attribute| !is_evidence_record(attribute));
        let earlier: Box<dyn Fn(&Attribute<'_>) -> bool> =
            Box::new(|attribute| !is_evidence_record(attribute) || made(attribute) < own);
        let mut found = Vec::new();
        for keep in [all, earlier] {
            for reduced in [self.without(&*keep), self.der_without(&*keep)].into_iter().flatten() {
                found.extend(digest(algorithm, &reduced));
            }
        }
        found
    }

    /// The whole `ContentInfo` with only those unsigned attributes that are kept, lengths in the form sent.
    fn without(&self, keep: &dyn Fn(&Attribute<'_>) -> bool) -> Option<Vec<u8>> {
        let signers = self.signature.signed_data.signers.iter();
        let signers: Vec<u8> = signers.map(|s| reduced_signer(s, keep)).collect::<Option<Vec<_>>>()?.concat();
        let whole = &self.signature.signed_data.whole;
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

    /// The same in DER.
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

    /// Returns the scope that stands for the signature, and its signed data.
    fn own_scope(&self, record: &ers::Record<'_>) -> (Scope, SignedDataFacts) {
        let algorithm = record.chains[0].timestamps[0].digest.unwrap_or(DigestAlgorithm::Sha256);
        let value = self.without(&|attribute| !is_evidence_record(attribute)).and_then(|o| digest(algorithm, &o));
        let own = &self.facts.id;
        let id = ids::of_parts("D-", &[own.as_str().as_bytes(), b"signature", record.bytes]);
        let scope = Scope::master_signature(own, id.clone());
        let digest = Digest { algorithm: Some(algorithm), value: value.unwrap_or_default().into() };
        (scope, SignedDataFacts { id, name: Some(own.to_string()), digest, parent: None })
    }
}

/// RFC 4998 appendix A: a record in one signer's attributes is over the whole `SignedData`, so that it covers the
/// signatures of all signers.
pub(crate) fn share(signatures: &mut [SignatureDraft<'_>]) {
    let of = |signature: &SignatureDraft<'_>| !signature.facts.is_counter_signature();
    for owner in 0..signatures.len() {
        if !of(&signatures[owner]) || signatures[owner].evidence_records.is_empty() {
            continue;
        }
        let mut covers = Vec::new();
        for (_, other) in signatures.iter().enumerate().filter(|(at, other)| *at != owner && of(other)) {
            covers.push(CoveredObject::token(CoveredKind::Signature, &other.facts.id));
            covers.extend(previous_with_covered(&other.timestamps));
            covers.extend(CoveredObject::embedded(&other.material));
        }
        let mut ids = Vec::new();
        for record in &mut signatures[owner].evidence_records {
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

/// Returns what is said of a signer's attributes that should be evidence records, and are none.
pub(super) fn malformed(signer: &SignerInfo<'_>) -> Vec<Irregularity> {
    let values = signer.unsigned.iter().filter(|attribute| is_evidence_record(attribute)).flat_map(Attribute::values);
    values.filter_map(|value| ers::parse(value.raw).err()).map(|error| ers::malformed(&error)).collect()
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

/// A `SignerInfo` without the unsigned attributes that are not kept; none left: without `unsignedAttrs`.
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
