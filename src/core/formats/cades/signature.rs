//! One `SignerInfo` as a signature: CAdES (EN 319 122-1), and what PAdES takes from it.

use super::archive::Archive;
use super::evidence_records::{self, EmbeddedRecords, Reduced};
use super::hash_index::Elements;
use super::timestamps::PrecedingAttributes;
use super::{level, policy, signed_attributes, timestamps};
use crate::algorithm::DigestAlgorithm;
use crate::asn1::Tlv;
use crate::crypto::Hasher;
use crate::facts::{
    self, Digest, Id, Irregularity, IrregularityKind, RevocationOrigin, Scope, Shared, SignatureDigestReference,
    StructuralValidation,
};
use crate::formats::ades::{self, AdesSignature, CounterSignatures, Tokens};
use crate::formats::cms::signer::{self, Role};
use crate::formats::cms::{Attribute, SignedData, SignerInfo, material, oids, references, revocation};
use crate::formats::content::Content;
use crate::formats::digest_work::DigestWork;
use crate::formats::draft::{
    CoveredObject, Draft, EvidenceRecordDraft, Material, SignatureDraft, SignatureFacts, TimestampDraft,
};
use crate::formats::ids;
use crate::formats::level::Family;
use crate::formats::scope::SignedScope;
use std::cell::Cell;

/// Bounds how deep counter-signatures of counter-signatures are read. Real files have one level; RFC 5652 §11.4 allows any.
const COUNTER_SIGNATURE_DEPTH: usize = 8;

/// Reads the signers of a `SignedData`.
#[derive(Debug, Clone, Copy)]
pub struct SignerInfoReader<'r> {
    /// The file that holds the signature.
    pub file: &'r str,
    /// Which profiles are looked for.
    pub family: Family,
    /// Tells the ids of a signature from those of the same signature elsewhere in the document.
    pub discriminator: &'r [u8],
    /// Bounds how many signatures are read; counter-signatures beyond are left out.
    pub signatures: usize,
    /// The [relations](Draft::relations) of the document, so far.
    pub relations: &'r Cell<usize>,
    /// What digests may still cost.
    pub work: &'r DigestWork,
}

impl SignerInfoReader<'_> {
    /// Reads a signature and, after it, its counter-signatures. What these sign is added to the signed data of `scope`.
    pub fn read<'a>(
        &self,
        signed_data: &SignedData<'a>,
        signer: &SignerInfo<'a>,
        content: &Content<'_>,
        scope: &mut SignedScope,
    ) -> Vec<SignatureDraft<'a>> {
        let scopes = scope.scopes.clone();
        let mut draft = Draft { relations: self.relations.get(), ..Draft::default() };
        let reduced = Reduced::new(signed_data, self.work);
        let signature = CadesSignature::new(self, &reduced, signer, content, scopes, None, COUNTER_SIGNATURE_DEPTH);
        ades::read(signature, &mut draft);
        self.relations.set(draft.relations);
        scope.signed_data.append(&mut draft.signed_data);
        draft.signatures
    }
}

/// One signer and what stands around it.
pub(super) struct CadesSignature<'s, 'a> {
    pub(super) reader: &'s SignerInfoReader<'s>,
    pub(super) signed_data: &'s SignedData<'a>,
    /// What evidence records in the signature are over.
    pub(super) reduced: &'s Reduced<'s, 'a>,
    pub(super) signer: &'s SignerInfo<'a>,
    pub(super) content: &'s Content<'s>,
    scopes: Vec<Shared<Scope>>,
    /// The signature that it counter-signs.
    parent: Option<&'s Id>,
    /// Levels of counter-signatures that may still be read.
    depth: usize,
    counter_signatures: CounterSignatures,
    /// The parts of archive time-stamps' imprints, digested once for all of them.
    pub(super) archive: Archive<'s, 'a>,
    /// The hashes of what hash indices list, made once for all of them.
    pub(super) elements: Elements<'s, 'a>,
}

impl<'s, 'a> CadesSignature<'s, 'a> {
    fn new(
        reader: &'s SignerInfoReader<'s>,
        reduced: &'s Reduced<'s, 'a>,
        signer: &'s SignerInfo<'a>,
        content: &'s Content<'s>,
        scopes: Vec<Shared<Scope>>,
        parent: Option<&'s Id>,
        depth: usize,
    ) -> Self {
        let signed_data = reduced.signed_data;
        let archive = Archive::new(signed_data, signer, content, reader.work);
        let elements = Elements::new(signed_data, &signer.unsigned, reader.work);
        let counter_signatures = CounterSignatures::default();
        Self {
            reader,
            signed_data,
            reduced,
            signer,
            content,
            scopes,
            parent,
            depth,
            counter_signatures,
            archive,
            elements,
        }
    }

    fn role(&self) -> Role {
        if self.parent.is_some() { Role::CounterSigner } else { Role::Signer }
    }

    /// Returns the signature's own certificates, revocation data and references.
    fn material(&self) -> Material<'a> {
        let mut material = material::signed(self.signed_data, self.signer);
        if let Some(attribute) = self.signer.signed.first(oids::ADBE_REVOCATION_INFO) {
            material.revocations.extend(revocation::in_values(attribute, RevocationOrigin::AdbeRevocationInfoArchival));
        }
        material::add_unsigned(&mut material, &self.signer.unsigned);
        material
    }
}

impl<'s, 'a> AdesSignature<'a> for CadesSignature<'s, 'a> {
    type Unsigned = (usize, &'s Attribute<'a>);
    type Preceding = PrecedingAttributes<'a>;

    fn signed(&mut self, _: &mut Vec<facts::SignedData>) -> SignatureFacts {
        let Self { signed_data, signer, content, .. } = *self;
        let around = self.parent.map(Id::as_str).unwrap_or_default();
        let mut facts = SignatureFacts {
            id: ids::of_parts("S-", &[signer.raw.raw, around.as_bytes(), self.reader.discriminator]),
            parent: self.parent.cloned(),
            file: self.reader.file.into(),
            structural_validation: Some(StructuralValidation { valid: true, messages: vec![] }),
            digest_matchers: vec![signer::digest_matcher(signed_data, signer, content).into()],
            signer_infos: signer::infos(signed_data, signer, self.role()),
            scopes: std::mem::take(&mut self.scopes),
            digest_reference: digest_reference(signer),
            data_to_be_signed: data_to_be_signed(signer, content),
            value: signer.value.to_vec().into(),
            document_hash_only: content.is_digest_only().then_some(true),
            irregularities: signer::irregularities(signed_data, signer, self.role()),
            ..Default::default()
        };
        facts.irregularities.extend(timestamps::malformed(signer));
        facts.irregularities.extend(evidence_records::irregularities(self.reduced, signer));
        signed_attributes::read(&signer.signed, &mut facts);
        facts.irregularities.extend(signed_attributes::malformed(signer));
        (facts.policy, facts.policy_store) = policy::read(&signer.signed, &signer.unsigned);
        facts
    }

    fn counter_signatures(&mut self, facts: &mut SignatureFacts, draft: &mut Draft<'a>) {
        let attributes = self.signer.unsigned.iter().enumerate();
        let attributes = attributes.filter(|(_, attribute)| attribute.oid == oids::COUNTER_SIGNATURE);
        let values: Vec<_> =
            attributes.flat_map(|(place, attribute)| attribute.values().map(move |value| (place, value))).collect();
        let signer = |(place, value): &(usize, Tlv<'a>)| Some((*place, SignerInfo::parse(*value).ok()?));
        let signers: Vec<_> = values.iter().filter_map(signer).collect();
        if signers.len() < values.len() {
            facts.irregularities.push(Irregularity::about(IrregularityKind::UnreadableSignature, "counter-signature"));
        }
        if self.depth == 0 && !signers.is_empty() {
            facts.irregularities.push(Irregularity::about(IrregularityKind::BudgetExceeded, "counter-signatures"));
            return;
        }
        // RFC 5652 §11.4: the content is the signature value.
        let content = Content::pieces(vec![&*self.signer.value]);
        let scope = SignedScope::signature(&facts.id, &self.signer.value);
        for (place, signer) in &signers {
            if draft.signatures.len() > self.reader.signatures {
                break;
            }
            draft.signed_data.extend(scope.signed_data.iter().cloned());
            let Self { reader, reduced, depth, .. } = *self;
            let (scopes, parent) = (scope.scopes.clone(), Some(&facts.id));
            let before = draft.signatures.len();
            ades::read(CadesSignature::new(reader, reduced, signer, &content, scopes, parent, depth - 1), draft);
            self.counter_signatures.add(*place, draft, before);
        }
    }

    fn content_timestamps(&self, facts: &SignatureFacts) -> Vec<TimestampDraft<'a>> {
        self.read_content_timestamps(facts)
    }

    fn named_signer(&self) -> Vec<CoveredObject<'a>> {
        let references = references::signing_certificate_refs(&self.signer.signed);
        references.into_iter().map(CoveredObject::certificate_ref).collect()
    }

    fn unsigned(&self) -> Vec<(usize, &'s Attribute<'a>)> {
        timestamps::in_order(&self.signer.unsigned)
    }

    fn tokens(
        &self,
        (_, attribute): (usize, &'s Attribute<'a>),
        facts: &SignatureFacts,
        signature: &[CoveredObject<'a>],
        preceding: &PrecedingAttributes<'a>,
    ) -> Tokens<'a> {
        let timestamp = self.unsigned_timestamp(attribute, facts, signature, preceding);
        Tokens { timestamps: timestamp.into_iter().collect(), ..Tokens::default() }
    }

    fn precede(
        &self,
        preceding: &mut PrecedingAttributes<'a>,
        (place, attribute): (usize, &'s Attribute<'a>),
        _: &SignatureFacts,
        tokens: &Tokens<'a>,
    ) {
        preceding.add(place, attribute, &tokens.timestamps, &self.counter_signatures);
    }

    fn evidence_records(
        &self,
        facts: &SignatureFacts,
        timestamps: &[TimestampDraft<'a>],
        preceding: &PrecedingAttributes<'a>,
        relations: &mut usize,
    ) -> Vec<(EvidenceRecordDraft<'a>, facts::SignedData)> {
        if !self.signer.unsigned.iter().any(evidence_records::is_evidence_record) {
            return vec![];
        }
        let covers = self.everything(facts, timestamps, preceding);
        EmbeddedRecords { signature: self, facts, covers: &covers }.read(relations)
    }

    fn finish(self, facts: SignatureFacts, tokens: Tokens<'a>) -> SignatureDraft<'a> {
        let Self { signed_data, signer, .. } = self;
        SignatureDraft {
            check: signer::value_check(signed_data, signer, self.content, self.role()),
            signer: signer::identifier(signer),
            material: self.material(),
            levels: level::levels(signed_data, signer, &facts, &tokens.timestamps, self.reader.family),
            facts,
            timestamps: tokens.timestamps,
            evidence_records: tokens.evidence_records,
        }
    }
}

/// Returns the digest of the data to be signed, under the signer's own digest function.
fn data_to_be_signed(signer: &SignerInfo<'_>, content: &Content<'_>) -> Option<Digest> {
    let algorithm = signer.algorithm()?.digest?;
    let value = match &signer.signed_attributes {
        Some(set) => crate::crypto::digest(algorithm, &signer::signed_attributes_der(set))?,
        None => content.digest(algorithm)?,
    };
    Some(Digest { algorithm: Some(algorithm), value: value.into() })
}

/// Returns the digest by which a CAdES signature is referred to: that of its SignerInfo's DER (TS 119 442
/// §5.1.4.2.1.3).
fn digest_reference(signer: &SignerInfo<'_>) -> Option<SignatureDigestReference> {
    let mut hasher = Hasher::new(DigestAlgorithm::Sha256)?;
    signer::der(signer)?.iter().for_each(|piece| hasher.update(piece));
    let value = hasher.finish().into();
    let digest = Digest { algorithm: Some(DigestAlgorithm::Sha256), value };
    Some(SignatureDigestReference { canonicalization: None, digest })
}
