//! Which profiles a CMS signature fulfils: EN 319 122-1 §6.3 (baseline), EN 319 122-2 §5 (extended).
//!
//! The same table serves PAdES (EN 319 142-1 §6.3), whose signatures are CMS with other answers to some rows.

use crate::algorithm::DigestAlgorithm;
use crate::asn1::Oid;
use crate::facts::{ArchiveTimestampType, TimestampType};
use crate::formats::ades::policy::store_has_digest;
use crate::formats::cms::{Attributes, SignedData, SignerInfo, oids, references};
use crate::formats::draft::{SignatureFacts, TimestampDraft};
use crate::formats::level::{Family, Levels};

/// Attributes that a profile allows at most once.
const ONCE_SIGNED: [Oid<'static>; 7] = [
    oids::SIGNING_TIME,
    oids::COMMITMENT_TYPE,
    oids::CONTENT_HINT,
    oids::MIME_TYPE,
    oids::SIGNER_LOCATION,
    oids::CONTENT_REFERENCE,
    oids::CONTENT_IDENTIFIER,
];
const ONCE_UNSIGNED: [Oid<'static>; 7] = [
    oids::SIGNATURE_POLICY_STORE,
    oids::CERTIFICATE_REFS,
    oids::REVOCATION_REFS,
    oids::ATTRIBUTE_CERTIFICATE_REFS,
    oids::ATTRIBUTE_REVOCATION_REFS,
    oids::CERTIFICATE_VALUES,
    oids::REVOCATION_VALUES,
];
/// EN 319 122-1 §6.3, table 1: what baseline LT does not have.
const NOT_IN_LT: [Oid<'static>; 5] = [
    oids::CERTIFICATE_VALUES,
    oids::CERTIFICATE_REFS,
    oids::REVOCATION_VALUES,
    oids::REVOCATION_REFS,
    oids::REFERENCES_TIMESTAMP,
];

/// Returns the profiles of a signature, with the time-stamps that belong to it. For PDF the caller adds what document
/// time-stamps contribute to `t`, `a` and `baseline_lta`.
pub(crate) fn levels(
    signed_data: &SignedData<'_>,
    signer: &SignerInfo<'_>,
    facts: &SignatureFacts,
    timestamps: &[TimestampDraft<'_>],
    family: Family,
) -> Levels {
    let count = |kind| timestamps.iter().filter(|t| t.facts.kind == kind).count();
    let unsigned = &signer.unsigned;
    let certificate_refs = unsigned.count(oids::CERTIFICATE_REFS) == 1;
    let revocation_refs = unsigned.count_valued(oids::REVOCATION_REFS);
    let v3 = |t: &TimestampDraft<'_>| t.facts.archive_type == Some(ArchiveTimestampType::CadesV3);
    Levels {
        family,
        baseline_b: baseline_b(signed_data, signer, facts, family),
        needs_embedded_signer: true,
        baseline_lt: NOT_IN_LT.iter().all(|oid| unsigned.count(*oid) == 0),
        baseline_lta: timestamps.iter().any(v3),
        bes: bes(signer, facts),
        epes: signer.signed.count_valued(oids::SIGNATURE_POLICY) > 0 && store_has_digest(facts),
        t: count(TimestampType::Signature) > 0,
        c: certificate_refs && revocation_refs == 1,
        c_self_signed: certificate_refs && revocation_refs == 0,
        x: unsigned.count(oids::REFERENCES_TIMESTAMP) + unsigned.count(oids::CADES_C_TIMESTAMP) == 1,
        a: count(TimestampType::Archive) > 0,
        ers: *signed_data.recorded.get_or_init(|| has_evidence_record(signed_data)),
    }
}

/// Returns whether the cardinalities and requirements of level B are kept (EN 319 122-1 §6.3 and EN 319 142-1 §6.3).
fn baseline_b(signed_data: &SignedData<'_>, signer: &SignerInfo<'_>, facts: &SignatureFacts, family: Family) -> bool {
    let signed = &signer.signed;
    // In PDF the signing time is an entry of the signature dictionary.
    let signing_times = usize::from(family != Family::Pades);
    let data = oids::DATA.to_string();
    signed_data.x509_certificates().next().is_some()
        && common(signer, facts)
        && signed.count_valued(oids::SIGNING_TIME) == signing_times
        && signed.count(oids::SIGNATURE_POLICY) <= 1
        // Requirement f).
        && facts.content_type.as_ref().is_none_or(|content_type| *content_type == data)
        // Requirements h) and i).
        && reference_fits_its_digest(signed)
        // Requirement k).
        && (family == Family::Pades || store_has_digest(facts))
}

/// Returns whether the requirements of level BES are kept (EN 319 122-2 §5.1).
fn bes(signer: &SignerInfo<'_>, facts: &SignatureFacts) -> bool {
    common(signer, facts)
        && ONCE_SIGNED.iter().all(|oid| signer.signed.count(*oid) <= 1)
        && signer.signed.count(oids::SIGNATURE_POLICY) <= 1
        && ONCE_UNSIGNED.iter().all(|oid| signer.unsigned.count(*oid) <= 1)
        && reference_fits_its_digest(&signer.signed)
}

/// Returns whether there is what every profile asks for: content-type (counter-signatures: none), message-digest and
/// one of the two signing-certificate attributes, each once; signer-attributes at most once.
fn common(signer: &SignerInfo<'_>, facts: &SignatureFacts) -> bool {
    let signed = &signer.signed;
    let content_types = signed.count_valued(oids::CONTENT_TYPE);
    let signing = signed.count_valued(oids::SIGNING_CERTIFICATE) + signed.count_valued(oids::SIGNING_CERTIFICATE_V2);
    (content_types == 1 || facts.is_counter_signature() && content_types == 0)
        && signed.count_valued(oids::MESSAGE_DIGEST) == 1
        && signing == 1
        && signed.count(oids::SIGNER_ATTRIBUTES) + signed.count(oids::SIGNER_ATTRIBUTES_V2) <= 1
}

/// Returns whether the reference is in the attribute for its digest: signing-certificate is for SHA-1,
/// signing-certificate-v2 for all others.
fn reference_fits_its_digest(signed: &Attributes<'_>) -> bool {
    let refs = references::signing_certificate_refs(signed);
    let Some(digest) = refs.first().and_then(|reference| reference.digest.as_ref()) else { return true };
    let attribute = match digest.algorithm {
        Some(DigestAlgorithm::Sha1) => oids::SIGNING_CERTIFICATE,
        _ => oids::SIGNING_CERTIFICATE_V2,
    };
    signed.count(attribute) > 0
}

/// Returns whether any of the signers has an internal evidence record in an attached signature, or an external one in a
/// detached signature (EN 319 122-3 §5).
fn has_evidence_record(signed_data: &SignedData<'_>) -> bool {
    signed_data.signers.iter().any(|signer| {
        let internal = signer.unsigned.count(oids::INTERNAL_EVIDENCE_RECORD);
        let external = signer.unsigned.count(oids::EXTERNAL_EVIDENCE_RECORD);
        if signed_data.is_detached() { internal == 0 && external > 0 } else { external == 0 && internal > 0 }
    })
}
