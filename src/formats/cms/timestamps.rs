//! The time-stamps of a CAdES signature, in order, with what each covers: EN 319 122-1 §5.2.8, §5.3, §5.5, A.1.5.

use super::archive::{self, Archive};
use super::attribute::Attribute;
use super::content::Content;
use super::hash_index::{self, Elements, HashIndex};
use super::oids;
use super::references;
use super::revocation;
use super::signed_data::{SignedData, SignerInfo};
use super::signer;
use crate::asn1::{Oid, Tag, Tlv};
use crate::crypto::digest;
use crate::facts::{
    ArchiveTimestampType, CertificateRefOrigin, Covered, CoveredKind, Digest, Id, Irregularity, IrregularityKind,
    RevocationOrigin, RevocationRefOrigin, Scope, Shared, TimestampType,
};
use crate::formats::draft::{Covers, TimestampDraft, once};
use crate::formats::tsp::{Imprint, Token};
use crate::time::Time;
use std::borrow::Cow;

/// A signature whose time-stamps are read.
pub(crate) struct Stamped<'s, 'a> {
    pub signed_data: &'s SignedData<'a>,
    pub signer: &'s SignerInfo<'a>,
    pub content: &'s Content<'s>,
    pub id: &'s Id,
    /// What it signs.
    pub scopes: &'s [Shared<Scope>],
    /// Its counter-signatures.
    pub counter_signatures: &'s [Id],
}

impl<'a> Stamped<'_, 'a> {
    /// The time-stamps: content, signature, references, archive; those of one kind by their time.
    pub(crate) fn read(&self) -> Vec<TimestampDraft<'a>> {
        let data: Vec<Covers<'a>> =
            self.scopes.iter().map(|scope| covered(CoveredKind::SignedData, scope.signed_data.clone())).collect();
        let mut done = Vec::new();
        for (token, salt) in self.signer.signed.all(oids::CONTENT_TIMESTAMP).flat_map(|a| self.tokens(a)) {
            let imprint = |algorithm| self.content.digest(algorithm).into_iter().collect();
            let imprint = if self.content.is_found() { Imprint::Computed(&imprint) } else { Imprint::Missing };
            let mut draft = token.draft(TimestampType::Content, imprint, &salt);
            draft.covers = data.clone();
            draft.facts.scopes = self.scopes.to_vec();
            done.push(draft);
        }

        // What a signature time-stamp covers, and with it every later one.
        let mut base = data;
        base.push(covered(CoveredKind::Signature, self.id.clone()));
        base.extend(references::signing_certificate_refs(&self.signer.signed).into_iter().map(Covers::certificate_ref));
        add_previous(&mut base, &done);

        let over = Over {
            archive: Archive::new(self.signed_data, self.signer, self.content),
            elements: Elements::new(self.signed_data, &self.signer.unsigned),
        };
        let mut earlier = Earlier::default();
        let mut attributes: Vec<(usize, &Attribute<'a>)> = self.signer.unsigned.iter().enumerate().collect();
        attributes.sort_by_cached_key(|(_, attribute)| order(attribute));
        for (place, attribute) in attributes {
            let first = done.len();
            for (token, salt) in self.tokens(attribute) {
                let mut draft = self.unsigned_timestamp(attribute.oid, &token, &salt, &over, &base, &earlier);
                if let Some(draft) = &mut draft {
                    once(&mut draft.covers);
                }
                done.extend(draft);
            }
            earlier.add(self, place, attribute, &done[first..]);
        }
        done
    }

    /// Everything that the signature holds, with its time-stamps: what an evidence record over it covers.
    pub(crate) fn everything(&self, timestamps: &[TimestampDraft<'a>]) -> Vec<Covers<'a>> {
        let mut covers = vec![covered(CoveredKind::Signature, self.id.clone())];
        covers.extend(self.scopes.iter().map(|scope| covered(CoveredKind::SignedData, scope.signed_data.clone())));
        add_previous(&mut covers, timestamps);
        let mut earlier = Earlier::default();
        let attributes = self.signer.unsigned.iter().enumerate();
        attributes.for_each(|(place, attribute)| earlier.add(self, place, attribute, &[]));
        covers.extend(earlier.all());
        let certificates =
            self.signed_data.x509_certificates().map(|octets| Covers::Certificate(Cow::Borrowed(octets)));
        covers.extend(certificates);
        let revocations = revocation::in_signed_data(self.signed_data);
        covers.extend(revocations.into_iter().map(|r| Covers::Revocation(r.kind, r.octets)));
        once(&mut covers);
        covers
    }

    /// The token in an attribute, with what keeps its id apart from that of the same token elsewhere. An attribute of a
    /// time-stamp has one value: EN 319 122-1 §5.2.8, §5.3.
    fn tokens(&self, attribute: &Attribute<'a>) -> Vec<(Token<'a>, Vec<u8>)> {
        let named = is_timestamp(attribute.oid) || attribute.oid == oids::CONTENT_TIMESTAMP;
        if !named || attribute.values().count() != 1 {
            return vec![];
        }
        let salt = [self.id.as_str().as_bytes(), attribute.oid.content()].concat();
        attribute.values().filter_map(|v| Token::parse(v.raw).ok()).map(|token| (token, salt.clone())).collect()
    }

    fn unsigned_timestamp(
        &self,
        oid: Oid<'a>,
        token: &Token<'a>,
        salt: &[u8],
        over: &Over<'_, 'a>,
        base: &[Covers<'a>],
        earlier: &Earlier<'a>,
    ) -> Option<TimestampDraft<'a>> {
        let signer = self.signer;
        if oid == oids::SIGNATURE_TIMESTAMP {
            let imprint = |algorithm| digest(algorithm, &signer.value).into_iter().collect();
            let mut draft = token.draft(TimestampType::Signature, Imprint::Computed(&imprint), salt);
            draft.covers = base.to_vec();
            return Some(draft);
        }
        if oid == oids::REFERENCES_TIMESTAMP || oid == oids::CADES_C_TIMESTAMP {
            let with_signature = oid == oids::CADES_C_TIMESTAMP;
            let kind =
                if with_signature { TimestampType::ValidationData } else { TimestampType::ValidationDataRefsOnly };
            let imprint = |stated: &Digest| archive::is_references(stated, signer, with_signature);
            let mut draft = token.draft(kind, Imprint::Compared(&imprint), salt);
            draft.covers = earlier.references.clone();
            if with_signature {
                draft.covers.extend(base.iter().chain(&earlier.timestamps).cloned());
            }
            return Some(draft);
        }
        let third = oid == oids::ARCHIVE_TIMESTAMP_V3;
        (third || oid == oids::ARCHIVE_TIMESTAMP_V2).then(|| {
            let mut draft = match third {
                true => self.archive_v3(token, salt, over, earlier),
                false => self.archive_v2(token, salt, &over.archive, earlier),
            };
            draft.covers.splice(0..0, base.iter().cloned());
            draft.facts.scopes = self.scopes.to_vec();
            draft
        })
    }

    /// Everything that is there.
    fn archive_v2(
        &self,
        token: &Token<'a>,
        salt: &[u8],
        archive: &Archive<'_, 'a>,
        earlier: &Earlier<'a>,
    ) -> TimestampDraft<'a> {
        let imprint = |stated: &Digest| archive.is_v2(stated, token.info.gen_time);
        let mut draft = token.draft(TimestampType::Archive, self.over_content(&imprint), salt);
        draft.facts.archive_type = Some(ArchiveTimestampType::CadesV2);
        draft.covers = earlier.all();
        let certificates =
            self.signed_data.x509_certificates().map(|octets| Covers::Certificate(Cow::Borrowed(octets)));
        draft.covers.extend(certificates);
        let revocations = revocation::in_signed_data(self.signed_data);
        draft.covers.extend(revocations.into_iter().map(|r| Covers::Revocation(r.kind, r.octets)));
        draft
    }

    /// What its hash index lists.
    fn archive_v3(
        &self,
        token: &Token<'a>,
        salt: &[u8],
        over: &Over<'_, 'a>,
        earlier: &Earlier<'a>,
    ) -> TimestampDraft<'a> {
        let index = HashIndex::read(token.unsigned());
        let imprint = |stated: &Digest| over.archive.is_v3(stated, index.as_ref());
        let mut draft = token.draft(TimestampType::Archive, self.over_content(&imprint), salt);
        draft.facts.archive_type = Some(ArchiveTimestampType::CadesV3);
        let Some(index) = &index else {
            draft.facts.hash_index = Some(hash_index::missing());
            return draft;
        };
        let listed = index.listed(&over.elements);
        let certificates = hash_index::marked(self.signed_data.certificates, &listed.certificates);
        let certificates = certificates.filter(|choice| choice.is(Tag::SEQUENCE));
        draft.covers.extend(certificates.map(|choice| Covers::Certificate(Cow::Borrowed(choice.raw))));
        let revocations = hash_index::marked(self.signed_data.crls, &listed.revocations);
        let revocations = revocations.filter_map(|choice| revocation::in_choice(&choice));
        draft.covers.extend(revocations.map(|r| Covers::Revocation(r.kind, r.octets)));
        let attributes = earlier.attributes.iter().filter(|(place, _)| listed.attributes.get(*place) == Some(&true));
        draft.covers.extend(attributes.flat_map(|(_, covers)| covers.iter().cloned()));
        draft.facts.hash_index = Some(listed.facts);
        draft
    }

    fn over_content<'i>(&self, imprint: &'i dyn Fn(&Digest) -> bool) -> Imprint<'i> {
        if self.content.is_found() { Imprint::Compared(imprint) } else { Imprint::Missing }
    }
}

/// What the archive time-stamps of one signature are over, digested once for all of them.
struct Over<'s, 'a> {
    archive: Archive<'s, 'a>,
    elements: Elements<'s, 'a>,
}

/// What stands before a time-stamp among the unsigned attributes.
#[derive(Default)]
struct Earlier<'a> {
    references: Vec<Covers<'a>>,
    values: Vec<Covers<'a>>,
    timestamps: Vec<Covers<'a>>,
    /// The places of attributes, and what each holds.
    attributes: Vec<(usize, Vec<Covers<'a>>)>,
}

impl<'a> Earlier<'a> {
    fn all(&self) -> Vec<Covers<'a>> {
        [&self.timestamps, &self.references, &self.values].into_iter().flatten().cloned().collect()
    }

    fn add(
        &mut self,
        stamped: &Stamped<'_, 'a>,
        place: usize,
        attribute: &Attribute<'a>,
        drafts: &[TimestampDraft<'a>],
    ) {
        let mut covers = Vec::new();
        let oid = attribute.oid;
        if is_timestamp(oid) {
            add_previous(&mut covers, drafts);
            self.timestamps.extend(covers.iter().cloned());
            once(&mut self.timestamps);
        } else if let Some(origin) = certificate_ref_origin(oid) {
            covers.extend(references::certificate_refs(attribute, origin).into_iter().map(Covers::certificate_ref));
            self.references.extend(covers.iter().cloned());
        } else if let Some(origin) = revocation_ref_origin(oid) {
            let refs = references::revocation_refs(attribute, origin).into_iter();
            covers.extend(refs.map(|(kind, reference)| Covers::revocation_ref(kind, reference)));
            self.references.extend(covers.iter().cloned());
        } else if oid == oids::CERTIFICATE_VALUES {
            covers.extend(certificate_values(attribute).map(|c| Covers::Certificate(Cow::Borrowed(c.raw))));
            self.values.extend(covers.iter().cloned());
        } else if oid == oids::REVOCATION_VALUES {
            let values = revocation::in_values(attribute, RevocationOrigin::RevocationValues).into_iter();
            covers.extend(values.map(|r| Covers::Revocation(r.kind, r.octets)));
            self.values.extend(covers.iter().cloned());
        } else if oid == oids::COUNTER_SIGNATURE {
            let ids = stamped.counter_signatures.iter().cloned();
            covers.extend(ids.map(|id| covered(CoveredKind::Signature, id)));
            self.values.extend(covers.iter().cloned());
        }
        self.attributes.push((place, covers));
    }
}

/// A time-stamp that a later one covers: itself, what it covers, and what it holds.
pub(crate) fn add_previous<'a>(covers: &mut Vec<Covers<'a>>, drafts: &[TimestampDraft<'a>]) {
    for draft in drafts {
        covers.push(covered(CoveredKind::Timestamp, draft.facts.id.clone()));
        covers.extend(draft.covers.iter().cloned());
        covers.extend(draft.material.certificates.iter().map(|c| Covers::Certificate(c.octets.clone())));
        covers.extend(draft.material.revocations.iter().map(|r| Covers::Revocation(r.kind, r.octets.clone())));
    }
}

fn covered<'a>(kind: CoveredKind, id: Id) -> Covers<'a> {
    Covers::Token(Covered { kind, id })
}

/// The certificates in certificate-values (EN 319 122-1 §A.1.1.2: `SEQUENCE OF Certificate`).
pub(crate) fn certificate_values<'a>(attribute: &Attribute<'a>) -> impl Iterator<Item = Tlv<'a>> + use<'a> {
    attribute.value().into_iter().flat_map(|value| value.children())
}

pub(crate) fn certificate_ref_origin(oid: Oid<'_>) -> Option<CertificateRefOrigin> {
    match oid {
        oid if oid == oids::CERTIFICATE_REFS => Some(CertificateRefOrigin::CompleteCertificateRefs),
        oid if oid == oids::ATTRIBUTE_CERTIFICATE_REFS => Some(CertificateRefOrigin::AttributeCertificateRefs),
        _ => None,
    }
}

pub(crate) fn revocation_ref_origin(oid: Oid<'_>) -> Option<RevocationRefOrigin> {
    match oid {
        oid if oid == oids::REVOCATION_REFS => Some(RevocationRefOrigin::CompleteRevocationRefs),
        oid if oid == oids::ATTRIBUTE_REVOCATION_REFS => Some(RevocationRefOrigin::AttributeRevocationRefs),
        _ => None,
    }
}

/// What is said of a signer's attributes that should be time-stamps, and are none.
pub(super) fn malformed(signer: &SignerInfo<'_>) -> Vec<Irregularity> {
    let unsigned = signer.unsigned.iter().filter(|attribute| is_timestamp(attribute.oid));
    let attributes: Vec<_> = unsigned.chain(signer.signed.all(oids::CONTENT_TIMESTAMP)).collect();
    let values = attributes.iter().flat_map(|attribute| attribute.values()).map(|value| value.raw);
    let several = attributes.iter().map(|attribute| attribute.values().count()).filter(|count| *count != 1);
    let several = several.map(|count| {
        Irregularity::about(IrregularityKind::MalformedHeader, format!("time-stamp attribute of {count} values"))
    });
    Token::malformed("time-stamp", values).into_iter().chain(several).collect()
}

fn is_timestamp(oid: Oid<'_>) -> bool {
    rank(oid) != 1 && rank(oid) != 3
}

/// The order in which unsigned attributes were added, as far as their kinds tell: a SET keeps none.
fn rank(oid: Oid<'_>) -> u8 {
    match oid {
        oid if oid == oids::SIGNATURE_TIMESTAMP => 0,
        oid if certificate_ref_origin(oid).is_some() || revocation_ref_origin(oid).is_some() => 1,
        oid if oid == oids::CADES_C_TIMESTAMP || oid == oids::REFERENCES_TIMESTAMP => 2,
        oid if oid == oids::ARCHIVE_TIMESTAMP_V2 || oid == oids::ARCHIVE_TIMESTAMP_V3 => 4,
        _ => 3,
    }
}

/// By kind, and time-stamps of one kind by their time.
fn order(attribute: &Attribute<'_>) -> (u8, Option<Time>) {
    let rank = rank(attribute.oid);
    let time = is_timestamp(attribute.oid)
        .then(|| attribute.value().and_then(|v| Token::parse(v.raw).ok()).map(|token| token.info.gen_time))
        .flatten();
    (rank, time)
}

/// Whether the signer is one that `signer` counter-signs: used for scopes.
pub(crate) fn counter_signers<'a>(signer: &SignerInfo<'a>) -> Vec<SignerInfo<'a>> {
    counter_signatures(signer).filter_map(|value| SignerInfo::parse(value).ok()).collect()
}

/// What stands where counter-signatures stand: RFC 5652 §11.4.
pub(crate) fn counter_signatures<'s, 'a>(signer: &'s SignerInfo<'a>) -> impl Iterator<Item = Tlv<'a>> + use<'s, 'a> {
    signer.unsigned.all(oids::COUNTER_SIGNATURE).flat_map(|attribute| attribute.values())
}

/// Kept beside the imprints: the digest of the data to be signed, under the signer's own digest function.
pub(crate) fn data_to_be_signed(signer: &SignerInfo<'_>, content: &Content<'_>) -> Option<crate::facts::Digest> {
    let algorithm = signer.algorithm()?.digest?;
    let value = match &signer.signed_attributes {
        Some(set) => digest(algorithm, &signer::signed_attributes_der(set))?,
        None => content.digest(algorithm)?,
    };
    Some(crate::facts::Digest { algorithm: Some(algorithm), value: value.into() })
}
