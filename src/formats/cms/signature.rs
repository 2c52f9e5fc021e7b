//! One `SignerInfo` as a signature: CAdES (EN 319 122-1), and what PAdES takes from it.

use super::content::Content;
use super::oids;
use super::signed_data::{SignedData, SignerInfo};
use super::signer::{self, Role};
use super::{evidence_records, level, policy, references, revocation, signed_attributes, timestamps};
use crate::algorithm::DigestAlgorithm;
use crate::crypto::Hasher;
use crate::facts::{
    self, CertificateOrigin, Digest, Id, Irregularity, IrregularityKind, RevocationOrigin, Scope, ScopeType, Shared,
    Signature, SignatureDigestReference, StructuralValidation,
};
use crate::formats::draft::{EmbeddedCertificate, Family, Material, SignatureDraft};
use crate::formats::tsp::{digest_of, hex};
use std::borrow::Cow;

/// Counter-signatures of counter-signatures that are followed. Real files have one level; RFC 5652 §11.4 allows any.
const COUNTER_SIGNATURE_DEPTH: usize = 8;

/// What is signed, as facts: the scopes of a signature and the data that they refer to.
#[derive(Debug, Clone, Default)]
pub struct Subject {
    /// The scopes.
    pub scopes: Vec<Shared<Scope>>,
    /// The data.
    pub signed_data: Vec<facts::SignedData>,
}

impl Subject {
    /// The whole of a content: `FULL`, or `DIGEST` where only digests are known. Nothing where it is not at hand.
    pub fn whole(content: &Content<'_>) -> Self {
        let Some((algorithm, value)) = content.any_digest() else { return Self::default() };
        let name = content.name().map(str::to_owned);
        let id = Id::new(format!("D-{}", hex(&[&value, name.as_deref().unwrap_or_default().as_bytes()])));
        let (kind, description) = match content.is_digest_only() {
            true => (ScopeType::Digest, "Digest of the document"),
            false => (ScopeType::Full, "Full document"),
        };
        let scope = Scope {
            kind,
            name: name.clone(),
            description: description.into(),
            transformations: vec![],
            signed_data: id.clone(),
        };
        let digest = Digest { algorithm: Some(algorithm), value: value.into() };
        Self { scopes: vec![scope.into()], signed_data: vec![facts::SignedData { id, name, digest, parent: None }] }
    }

    /// A signature's value, which a counter-signature signs.
    pub(crate) fn signature(parent: &Id, value: &[u8]) -> Self {
        let digest = digest_of(value).unwrap_or_default();
        let id = Id::new(format!("D-{}", hex(&[value, parent.as_str().as_bytes()])));
        let scope = Scope {
            kind: ScopeType::CounterSignature,
            name: Some(parent.to_string()),
            description: format!("Master signature with Id : {parent}"),
            transformations: vec![],
            signed_data: id.clone(),
        };
        let name = Some(parent.to_string());
        Self { scopes: vec![scope.into()], signed_data: vec![facts::SignedData { id, name, digest, parent: None }] }
    }
}

/// Reads the signers of a `SignedData`.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'r> {
    /// The file that holds the signature.
    pub file: &'r str,
    /// Which profiles are looked for.
    pub family: Family,
    /// Keeps apart the ids of the same signature in two places of a file.
    pub salt: &'r [u8],
    /// Signatures from which on no more counter-signatures are read: there are too many then.
    pub tokens: usize,
}

impl Reading<'_> {
    /// A signature and, after it, its counter-signatures. `subject.signed_data` grows by what these sign.
    pub fn signature<'a>(
        &self,
        signed_data: &SignedData<'a>,
        signer: &SignerInfo<'a>,
        content: &Content<'_>,
        subject: &mut Subject,
    ) -> Vec<SignatureDraft<'a>> {
        let scopes = subject.scopes.clone();
        let infos = signer::infos(signed_data.signers.iter(), signer);
        let own = Own { signed_data, signer, content, parent: None, scopes, infos };
        let mut drafts = Vec::new();
        self.read(own, subject, COUNTER_SIGNATURE_DEPTH, &mut drafts);
        drafts
    }

    fn read<'a>(&self, own: Own<'_, 'a>, subject: &mut Subject, depth: usize, drafts: &mut Vec<SignatureDraft<'a>>) {
        let Own { signed_data, signer, content, parent, scopes, infos } = own;
        let role = if parent.is_some() { Role::CounterSigner } else { Role::Signer };
        let salt = parent.as_ref().map(Id::as_str).unwrap_or_default();
        let id = Id::new(format!("S-{}", hex(&[signer.raw.raw, salt.as_bytes(), self.salt])));
        let mut facts = Signature {
            id: id.clone(),
            counter_signature: parent.is_some(),
            parent,
            file: self.file.into(),
            structural_validation: Some(StructuralValidation { valid: true, messages: vec![] }),
            digest_matchers: vec![signer::digest_matcher(signed_data, signer, content).into()],
            signer_infos: infos,
            scopes,
            digest_reference: digest_reference(signer),
            data_to_be_signed: timestamps::data_to_be_signed(signer, content),
            value: signer.value.to_vec().into(),
            document_hash_only: content.is_digest_only().then_some(true),
            irregularities: signer::irregularities(signed_data, signer, role),
            ..Default::default()
        };
        facts.irregularities.extend(timestamps::malformed(signer));
        signed_attributes::read(&signer.signed, &mut facts);
        (facts.policy, facts.policy_store) = policy::read(&signer.signed, &signer.unsigned);

        // The counter-signatures' ids first: an archive time-stamp covers them.
        let mut counter = Vec::new();
        let signers = timestamps::counter_signers(signer);
        if signers.len() < timestamps::counter_signatures(signer).count() {
            facts.irregularities.push(Irregularity::about(IrregularityKind::UnreadableSignature, "counter-signature"));
        }
        if depth == 0 && !signers.is_empty() {
            facts.irregularities.push(Irregularity::about(IrregularityKind::BudgetExceeded, "counter-signatures"));
        } else {
            for counter_signer in &signers {
                if drafts.len() + counter.len() > self.tokens {
                    break;
                }
                let subject_of = Subject::signature(&id, &signer.value);
                subject.signed_data.extend(subject_of.signed_data);
                let value = Content::pieces(vec![&*signer.value]);
                let infos = counter_infos(signed_data, counter_signer);
                let own = Own {
                    signed_data,
                    signer: counter_signer,
                    content: &value,
                    parent: Some(id.clone()),
                    scopes: subject_of.scopes,
                    infos,
                };
                self.read(own, subject, depth - 1, &mut counter);
            }
        }
        let counter_ids: Vec<Id> = counter.iter().map(|draft| draft.facts.id.clone()).collect();
        let stamped = timestamps::Stamped {
            signed_data,
            signer,
            content,
            id: &id,
            scopes: &facts.scopes,
            counter_signatures: &counter_ids,
        };
        let timestamps = stamped.read();
        facts.found_timestamps = timestamps.iter().map(|draft| draft.facts.id.clone()).collect();
        let held = evidence_records::Held {
            signed_data,
            signer,
            content,
            id: &id,
            scopes: &facts.scopes,
            covers: &stamped.everything(&timestamps),
        };
        let (records, data) = held.read();
        subject.signed_data.extend(data);
        facts.found_evidence_records = records.iter().map(|draft| draft.facts.id.clone()).collect();
        let levels = level::levels(signed_data, signer, &facts, &timestamps, self.family);
        drafts.push(SignatureDraft {
            check: signer::value_check(signed_data, signer, content, role),
            signer: signer::identifier(signer),
            material: material(signed_data, signer),
            evidence_records: records,
            facts,
            timestamps,
            levels,
        });
        drafts.append(&mut counter);
    }
}

/// One signer and what stands around it.
struct Own<'s, 'a> {
    signed_data: &'s SignedData<'a>,
    signer: &'s SignerInfo<'a>,
    content: &'s Content<'s>,
    parent: Option<Id>,
    scopes: Vec<Shared<Scope>>,
    infos: Vec<facts::SignerInfo>,
}

/// The signers of the `SignedData`, and the counter-signer as the current one.
fn counter_infos(signed_data: &SignedData<'_>, counter_signer: &SignerInfo<'_>) -> Vec<facts::SignerInfo> {
    let mut infos = signer::infos(signed_data.signers.iter(), counter_signer);
    infos.extend(signer::infos(std::iter::once(counter_signer), counter_signer));
    infos
}

/// The signature's own certificates, revocation data and references.
fn material<'a>(signed_data: &SignedData<'a>, signer: &SignerInfo<'a>) -> Material<'a> {
    let mut material = Material {
        certificates: signer::certificates(signed_data),
        certificate_refs: references::signing_certificate_refs(&signer.signed),
        revocations: revocation::in_signed_data(signed_data),
        revocation_refs: vec![],
    };
    if let Some(attribute) = signer.signed.first(oids::ADBE_REVOCATION_INFO) {
        material.revocations.extend(revocation::in_values(attribute, RevocationOrigin::AdbeRevocationInfoArchival));
    }
    add_unsigned_material(&mut material, &signer.unsigned);
    material
}

/// Adds what unsigned attributes hold: EN 319 122-1 §A.1.1, §A.1.2.
pub(crate) fn add_unsigned_material<'a>(material: &mut Material<'a>, unsigned: &super::Attributes<'a>) {
    for attribute in unsigned {
        let oid = attribute.oid;
        if let Some(origin) = timestamps::certificate_ref_origin(oid) {
            material.certificate_refs.extend(references::certificate_refs(attribute, origin));
        } else if let Some(origin) = timestamps::revocation_ref_origin(oid) {
            material.revocation_refs.extend(references::revocation_refs(attribute, origin));
        } else if oid == oids::CERTIFICATE_VALUES {
            let values = timestamps::certificate_values(attribute);
            let origin = CertificateOrigin::CertificateValues;
            let embedded =
                |value: crate::asn1::Tlv<'a>| EmbeddedCertificate { origin, octets: Cow::Borrowed(value.raw) };
            material.certificates.extend(values.map(embedded));
        } else if oid == oids::REVOCATION_VALUES {
            material.revocations.extend(revocation::in_values(attribute, RevocationOrigin::RevocationValues));
        }
    }
}

/// TS 119 442 §5.1.4.2.1.3: a CAdES signature is referred to by the digest of its SignerInfo's DER.
fn digest_reference(signer: &SignerInfo<'_>) -> Option<SignatureDigestReference> {
    let mut hasher = Hasher::new(DigestAlgorithm::Sha256)?;
    signer::der(signer)?.iter().for_each(|piece| hasher.update(piece));
    let value = hasher.finish().into();
    let digest = Digest { algorithm: Some(DigestAlgorithm::Sha256), value };
    Some(SignatureDigestReference { canonicalization: None, digest })
}
