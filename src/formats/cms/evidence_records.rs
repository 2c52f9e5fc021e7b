//! Evidence records in a CMS signature: EN 319 122-3 §5, RFC 4998 appendix A.

use super::attribute::Attribute;
use super::content::Content;
use super::oids;
use super::signed_data::{SignedData, SignerInfo};
use super::signer;
use super::timestamps::add_previous;
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Class, Tag, Tlv, set_to_der, tlv, to_der};
use crate::crypto::digest;
use crate::facts::{
    Covered, CoveredKind, Digest, EvidenceRecordIncorporation, EvidenceRecordOrigin, Id, MatcherType, Scope, Shared,
    SignedData as SignedDataFacts,
};
use crate::formats::draft::{Covers, EvidenceRecordDraft, SignatureDraft};
use crate::formats::ers::{self, Object};
use crate::formats::tsp::hex;

/// A signature whose evidence records are read.
pub(crate) struct Held<'s, 'a> {
    pub signed_data: &'s SignedData<'a>,
    pub signer: &'s SignerInfo<'a>,
    pub content: &'s Content<'s>,
    pub id: &'s Id,
    /// What the signature signs.
    pub scopes: &'s [Shared<Scope>],
    /// The signature and everything in it.
    pub covers: &'s [Covers<'a>],
}

impl<'a> Held<'_, 'a> {
    /// The records in the order of their attributes, and the signed data that stands for the signature itself.
    pub(crate) fn read(&self) -> (Vec<EvidenceRecordDraft<'a>>, Vec<SignedDataFacts>) {
        let mut drafts = Vec::new();
        let mut signed_data = Vec::new();
        for attribute in &self.signer.unsigned {
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
                let mut draft = record.verify(&objects, EvidenceRecordOrigin::Signature, self.id.as_str().as_bytes());
                draft.facts.incorporation = Some(incorporation);
                draft.facts.parent = Some(self.id.clone());
                signed_data.extend(data);
                drafts.push(draft);
            }
        }
        (drafts, signed_data)
    }

    /// The signature, and for an external record the detached content beside it.
    fn objects<'o>(
        &'o self,
        incorporation: EvidenceRecordIncorporation,
        attribute: &'o Attribute<'a>,
        own: &[Shared<Scope>],
    ) -> Vec<Object<'o, 'a>> {
        let external = incorporation == EvidenceRecordIncorporation::External;
        let mut scopes = own.to_vec();
        let mut covers = self.covers.to_vec();
        let data = |scope: &Shared<Scope>| {
            Covers::Token(Covered { kind: CoveredKind::SignedData, id: scope.signed_data.clone() })
        };
        covers.extend(own.iter().map(data));
        // The content in the signature is covered with it.
        if !external {
            scopes.extend(self.scopes.iter().cloned());
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
            let detached = self.signed_data.is_detached();
            objects.push(Object {
                kind: MatcherType::ErArchiveObject,
                name: self.content.name().map(Into::into),
                found: detached && self.content.is_found(),
                required: true,
                digests: Box::new(move |algorithm, _| {
                    self.content.digest(algorithm).filter(|_| detached).into_iter().collect()
                }),
                scopes: if detached { self.scopes.to_vec() } else { vec![] },
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
        signers.sort();
        *fields.last_mut()? = tlv(Tag::SET, &signers.concat());
        let explicit = tlv(Tag::context_constructed(0), &tlv(Tag::SEQUENCE, &fields.concat()));
        let kind = signed_data.whole.children().read().ok()?;
        Some(tlv(Tag::SEQUENCE, &[kind.raw, &explicit].concat()))
    }

    /// A scope for the signature that the record covers.
    fn own_scope(&self, record: &ers::Record<'_>) -> (Scope, Option<SignedDataFacts>) {
        let algorithm = record.chains[0].timestamps[0].digest.unwrap_or(DigestAlgorithm::Sha256);
        let value = self.without(&|attribute| !is_evidence_record(attribute)).and_then(|o| digest(algorithm, &o));
        let name = Some(self.id.to_string());
        let id = Id::new(format!("D-{}", hex(&[self.id.as_str().as_bytes(), b"signature", record.octets])));
        let scope = Scope::master_signature(self.id, id.clone());
        let digest = Digest { algorithm: Some(algorithm), value: value.unwrap_or_default().into() };
        (scope, Some(SignedDataFacts { id, name, digest, parent: None }))
    }
}

/// RFC 4998 appendix A: a record in one signer's attributes is over the whole `SignedData`, so that it covers the
/// signatures of all signers.
pub(crate) fn share(signatures: &mut [SignatureDraft<'_>]) {
    let of = |signature: &SignatureDraft<'_>| !signature.facts.counter_signature;
    for owner in 0..signatures.len() {
        if !of(&signatures[owner]) || signatures[owner].evidence_records.is_empty() {
            continue;
        }
        let mut covers = Vec::new();
        for (_, other) in signatures.iter().enumerate().filter(|(at, other)| *at != owner && of(other)) {
            covers.push(Covers::Token(Covered { kind: CoveredKind::Signature, id: other.facts.id.clone() }));
            add_previous(&mut covers, &other.timestamps);
            covers.extend(other.material.certificates.iter().map(|c| Covers::Certificate(c.octets.clone())));
            covers.extend(other.material.revocations.iter().map(|r| Covers::Revocation(r.kind, r.octets.clone())));
        }
        let mut ids = Vec::new();
        for record in &mut signatures[owner].evidence_records {
            ids.push(record.facts.id.clone());
            record.covers.extend(covers.iter().cloned());
            record.timestamps.iter_mut().for_each(|timestamp| timestamp.covers.extend(covers.iter().cloned()));
        }
        for (at, other) in signatures.iter_mut().enumerate() {
            if at != owner && of(other) {
                other.facts.found_evidence_records.extend(ids.iter().cloned());
            }
        }
    }
}

fn is_evidence_record(attribute: &Attribute<'_>) -> bool {
    attribute.oid == oids::INTERNAL_EVIDENCE_RECORD || attribute.oid == oids::EXTERNAL_EVIDENCE_RECORD
}

/// An element with other contents, its length definite or indefinite as before.
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
