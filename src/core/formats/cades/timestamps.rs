//! The time-stamps of a CAdES signature, in order, with what each covers: EN 319 122-1 §5.2.8, §5.3, §5.5, A.1.5.

use super::archive;
use super::hash_index::{self, HashIndex};
use super::signature::CadesSignature;
use crate::asn1::{Oid, Tag};
use crate::facts::{
    ArchiveTimestampType, CoveredKind, Digest, Irregularity, IrregularityKind, RevocationOrigin, TimestampType,
};
use crate::formats::ades::CounterSignatures;
use crate::formats::cms::material::{certificate_ref_origin, certificate_values, revocation_ref_origin};
use crate::formats::cms::{Attribute, Attributes, SignerInfo, oids, references, revocation};
use crate::formats::draft::{CoveredObject, SignatureFacts, TimestampDraft, once, previous, previous_with_covered};
use crate::formats::tsp::{Imprint, SAID, Token};
use crate::time::Time;
use std::borrow::Cow;

impl<'a> CadesSignature<'_, 'a> {
    /// Returns the time-stamps over the content (§5.2.8).
    pub(super) fn read_content_timestamps(&self, facts: &SignatureFacts) -> Vec<TimestampDraft<'a>> {
        let attributes = self.signer.signed.all(oids::CONTENT_TIMESTAMP);
        let stamp = |(token, discriminator): (Token<'a>, Vec<u8>)| {
            let imprint = |algorithm| self.content.digest(algorithm).into_iter().collect();
            let imprint = if self.content.is_found() { Imprint::Computed(&imprint) } else { Imprint::Missing };
            let mut draft = token.draft(TimestampType::Content, imprint, &discriminator);
            draft.covers = CoveredObject::signed_data(&facts.scopes).collect();
            draft.facts.scopes = facts.scopes.clone();
            draft
        };
        attributes.filter_map(|attribute| token(attribute, facts)).map(stamp).collect()
    }

    /// Returns the time-stamp in an unsigned attribute (§5.3, §5.5, §A.1.5). `signature` is what each of them covers at
    /// least.
    pub(super) fn unsigned_timestamp(
        &self,
        attribute: &Attribute<'a>,
        facts: &SignatureFacts,
        signature: &[CoveredObject<'a>],
        preceding: &PrecedingAttributes<'a>,
    ) -> Option<TimestampDraft<'a>> {
        let (signer, oid) = (self.signer, attribute.oid);
        // Past the bound, which `Source::read` reports.
        let is_read = is_timestamp(oid) && !self.reader.work.is_exceeded();
        let (token, discriminator) = is_read.then(|| token(attribute, facts))??;
        let mut draft = if oid == oids::SIGNATURE_TIMESTAMP {
            let imprint = |algorithm| self.reader.work.digest(algorithm, &signer.value).into_iter().collect();
            let mut draft = token.draft(TimestampType::Signature, Imprint::Computed(&imprint), &discriminator);
            draft.covers = signature.to_vec();
            draft
        } else if oid == oids::REFERENCES_TIMESTAMP {
            let imprint = |stated: &Digest| archive::is_references(stated, signer, false, self.reader.work);
            let kind = TimestampType::ValidationDataRefsOnly;
            let mut draft = token.draft(kind, Imprint::Compared(&imprint), &discriminator);
            draft.covers = preceding.complete_references.clone();
            draft
        } else if oid == oids::CADES_C_TIMESTAMP {
            let imprint = |stated: &Digest| archive::is_references(stated, signer, true, self.reader.work);
            let kind = TimestampType::ValidationData;
            let mut draft = token.draft(kind, Imprint::Compared(&imprint), &discriminator);
            draft.covers = [&preceding.complete_references, signature, &preceding.signature_timestamps].concat();
            draft
        } else {
            let mut draft = match oid == oids::ARCHIVE_TIMESTAMP_V3 {
                true => self.archive_v3(&token, &discriminator, preceding),
                false => self.archive_v2(&token, &discriminator, preceding),
            };
            draft.covers.splice(0..0, signature.iter().cloned());
            draft.facts.scopes = facts.scopes.clone();
            draft
        };
        once(&mut draft.covers);
        Some(draft)
    }

    /// Returns everything that the signature holds, with its time-stamps: what an evidence record over it covers.
    pub(super) fn everything(
        &self,
        facts: &SignatureFacts,
        timestamps: &[TimestampDraft<'a>],
        preceding: &PrecedingAttributes<'a>,
    ) -> Vec<CoveredObject<'a>> {
        let mut covers = vec![CoveredObject::token(CoveredKind::Signature, &facts.id)];
        covers.extend(CoveredObject::signed_data(&facts.scopes));
        covers.extend(previous_with_covered(timestamps));
        covers.extend([&preceding.references, &preceding.values].into_iter().flatten().cloned());
        covers.extend(self.in_signed_data());
        once(&mut covers);
        covers
    }

    /// Returns the certificates and revocation data in the fields of the `SignedData`.
    fn in_signed_data(&self) -> impl Iterator<Item = CoveredObject<'a>> {
        let certificates = self.signed_data.x509_certificates();
        let certificates = certificates.map(|bytes| CoveredObject::Certificate(Cow::Borrowed(bytes)));
        let revocations = revocation::in_signed_data(self.signed_data).into_iter();
        certificates.chain(revocations.map(|r| CoveredObject::Revocation(r.kind, r.bytes)))
    }

    /// Returns an archive time-stamp v2: over everything that is there, less the archive time-stamps that are not older
    /// (TS 101 733 §6.4.1, annex K). Of one moment, neither covers the other.
    fn archive_v2(
        &self,
        token: &Token<'a>,
        discriminator: &[u8],
        preceding: &PrecedingAttributes<'a>,
    ) -> TimestampDraft<'a> {
        let imprint = |stated: &Digest| self.archive.is_v2(stated, token.info.gen_time);
        let mut draft = token.draft(TimestampType::Archive, self.over_content(&imprint), discriminator);
        draft.facts.archive_type = Some(ArchiveTimestampType::CadesV2);
        let PrecedingAttributes { timestamps, references, values, .. } = preceding;
        let timestamps = timestamps.iter().filter(|(place, _)| self.archive.is_over(*place, token.info.gen_time));
        draft.covers = timestamps.flat_map(|(_, timestamps)| timestamps.iter().cloned()).collect();
        draft.covers.extend([references, values].into_iter().flatten().cloned());
        draft.covers.extend(self.in_signed_data());
        draft
    }

    /// Returns an archive time-stamp v3: over what its hash index lists (§5.5.3).
    fn archive_v3(
        &self,
        token: &Token<'a>,
        discriminator: &[u8],
        preceding: &PrecedingAttributes<'a>,
    ) -> TimestampDraft<'a> {
        let index = HashIndex::read(token.unsigned());
        let imprint = |stated: &Digest| self.archive.is_v3(stated, index.as_ref());
        let mut draft = token.draft(TimestampType::Archive, self.over_content(&imprint), discriminator);
        draft.facts.archive_type = Some(ArchiveTimestampType::CadesV3);
        let Some(index) = &index else {
            draft.facts.hash_index = Some(hash_index::missing());
            return draft;
        };
        let listed = index.listed(&self.elements, &token.info.imprint);
        let certificates = hash_index::marked(self.signed_data.certificates, &listed.certificates);
        let certificates = certificates.filter(|choice| choice.is(Tag::SEQUENCE));
        draft.covers.extend(certificates.map(|choice| CoveredObject::Certificate(Cow::Borrowed(choice.raw))));
        let revocations = hash_index::marked(self.signed_data.crls, &listed.revocations);
        let revocations = revocations.filter_map(|choice| revocation::in_choice(&choice));
        draft.covers.extend(revocations.map(|r| CoveredObject::Revocation(r.kind, r.bytes)));
        let attributes = preceding.attributes.iter().filter(|(place, _)| listed.attributes.get(*place) == Some(&true));
        draft.covers.extend(attributes.flat_map(|(_, covers)| covers.iter().cloned()));
        draft.facts.hash_index = Some(listed.facts);
        draft
    }

    fn over_content<'i>(&self, imprint: &'i dyn Fn(&Digest) -> bool) -> Imprint<'i> {
        if self.content.is_found() { Imprint::Compared(imprint) } else { Imprint::Missing }
    }
}

/// The unsigned attributes before a time-stamp.
#[derive(Default)]
pub(super) struct PrecedingAttributes<'a> {
    references: Vec<CoveredObject<'a>>,
    values: Vec<CoveredObject<'a>>,
    /// The place of each attribute of time-stamps, and these with what they hold.
    timestamps: Vec<(usize, Vec<CoveredObject<'a>>)>,
    /// What the time-stamps of annex A.1.5 are over: the complete references, and the signature time-stamps.
    complete_references: Vec<CoveredObject<'a>>,
    signature_timestamps: Vec<CoveredObject<'a>>,
    /// The place of each attribute, and what it holds.
    attributes: Vec<(usize, Vec<CoveredObject<'a>>)>,
}

impl<'a> PrecedingAttributes<'a> {
    /// Adds the attribute at this place, which holds these time-stamps.
    pub(super) fn add(
        &mut self,
        place: usize,
        attribute: &Attribute<'a>,
        timestamps: &[TimestampDraft<'a>],
        counter_signatures: &CounterSignatures,
    ) {
        let mut covers = Vec::new();
        let oid = attribute.oid;
        if is_timestamp(oid) {
            covers.extend(previous_with_covered(timestamps));
            self.timestamps.push((place, previous(timestamps)));
        } else if let Some(origin) = certificate_ref_origin(oid) {
            let references = references::certificate_refs(attribute, origin).into_iter();
            covers.extend(references.map(CoveredObject::certificate_ref));
            self.references.extend(covers.iter().cloned());
        } else if let Some(origin) = revocation_ref_origin(oid) {
            let references = references::revocation_refs(attribute, origin).into_iter();
            covers.extend(references.map(|(kind, reference)| CoveredObject::revocation_ref(kind, reference)));
            self.references.extend(covers.iter().cloned());
        } else {
            if oid == oids::CERTIFICATE_VALUES {
                let values = certificate_values(attribute);
                covers.extend(values.map(|c| CoveredObject::Certificate(Cow::Borrowed(c.raw))));
            } else if oid == oids::REVOCATION_VALUES {
                let values = revocation::in_values(attribute, RevocationOrigin::RevocationValues).into_iter();
                covers.extend(values.map(|r| CoveredObject::Revocation(r.kind, r.bytes)));
            } else if oid == oids::COUNTER_SIGNATURE {
                covers.extend(counter_signatures.at(place));
            }
            self.values.extend(covers.iter().cloned());
        }
        if oid == oids::SIGNATURE_TIMESTAMP {
            self.signature_timestamps.extend(previous(timestamps));
        } else if oid == oids::CERTIFICATE_REFS || oid == oids::REVOCATION_REFS {
            self.complete_references.extend(covers.iter().cloned());
        }
        self.attributes.push((place, covers));
    }
}

/// Returns the token in an attribute, with what tells its id from that of the same token elsewhere. An attribute of a
/// time-stamp has one value: EN 319 122-1 §5.2.8, §5.3.
fn token<'a>(attribute: &Attribute<'a>, facts: &SignatureFacts) -> Option<(Token<'a>, Vec<u8>)> {
    if attribute.values().count() != 1 {
        return None;
    }
    let token = Token::parse(attribute.value()?.raw).ok()?;
    Some((token, [facts.id.as_str().as_bytes(), attribute.oid.content()].concat()))
}

/// Returns what is said of a signer's attributes that should be time-stamps, and are none.
pub(super) fn malformed(signer: &SignerInfo<'_>) -> Vec<Irregularity> {
    let unsigned = signer.unsigned.iter().filter(|attribute| is_timestamp(attribute.oid));
    let attributes: Vec<_> = unsigned.chain(signer.signed.all(oids::CONTENT_TIMESTAMP)).collect();
    let values = attributes.iter().flat_map(|attribute| attribute.values()).map(|value| value.raw);
    let several = attributes.iter().map(|attribute| attribute.values().count()).filter(|count| *count != 1);
    let several = several.map(|count| {
        Irregularity::about(IrregularityKind::MalformedHeader, format!("time-stamp attribute of {count} values"))
    });
    Token::malformed("time-stamp", values).into_iter().chain(several.take(SAID)).collect()
}

fn is_timestamp(oid: Oid<'_>) -> bool {
    rank(oid) != 1 && rank(oid) != 3
}

/// Returns the order in which unsigned attributes were added, as far as their kinds tell: a SET keeps none.
fn rank(oid: Oid<'_>) -> u8 {
    match oid {
        oid if oid == oids::SIGNATURE_TIMESTAMP => 0,
        oid if certificate_ref_origin(oid).is_some() || revocation_ref_origin(oid).is_some() => 1,
        oid if oid == oids::CADES_C_TIMESTAMP || oid == oids::REFERENCES_TIMESTAMP => 2,
        oid if oid == oids::ARCHIVE_TIMESTAMP_V2 || oid == oids::ARCHIVE_TIMESTAMP_V3 => 4,
        _ => 3,
    }
}

/// Returns unsigned attributes, each with its place, by kind, and time-stamps of one kind by their time.
pub(super) fn in_order<'s, 'a>(unsigned: &'s Attributes<'a>) -> Vec<(usize, &'s Attribute<'a>)> {
    let attributes: Vec<(usize, &Attribute<'a>)> = unsigned.iter().enumerate().collect();
    let orders: Vec<_> = unsigned.iter().map(order).collect();
    let positions = crate::order::positions(orders.len(), &mut |a, b| orders[a].cmp(&orders[b]));
    positions.into_iter().map(|at| attributes[at]).collect()
}

fn order(attribute: &Attribute<'_>) -> (u8, Option<Time>) {
    let rank = rank(attribute.oid);
    (rank, is_timestamp(attribute.oid).then(|| archive::time(attribute)).flatten())
}
