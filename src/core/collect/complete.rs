//! Drafts as facts: where the record's fields come from that no format knows.
//!
//! Every field of the record is named here, so that a new one does not compile until it is said who fills it in.

use crate::facts::{
    BasicSignature, Bytes, Covered, EvidenceRecord, EvidenceRecordOrigin, FoundCertificate, FoundRevocation, Id,
    Shared, Signature, Timestamp, TsaName,
};
use crate::formats::draft::{EvidenceRecordFacts, SignatureFacts, TimestampFacts};

/// The signer of a token, and the check of the token's value.
pub(super) struct SignedBy {
    pub basic: BasicSignature,
    pub signing_certificate: Option<Id>,
    pub signing_public_key: Option<Bytes>,
    pub chain: Vec<Id>,
}

/// The certificates and revocation data that a token holds or refers to.
pub(super) struct Found {
    pub certificates: Vec<Shared<FoundCertificate>>,
    pub revocations: Vec<FoundRevocation>,
}

/// Completes a signature; `timestamps` and `evidence_records` are those embedded in it. Its level is decided later.
pub(super) fn signature(
    stated: SignatureFacts,
    signed_by: SignedBy,
    found: Found,
    timestamps: Vec<Id>,
    evidence_records: Vec<Id>,
) -> Signature {
    Signature {
        id: stated.id,
        duplicated: false,
        counter_signature: stated.parent.is_some(),
        parent: stated.parent,
        da_identifier: stated.da_identifier,
        file: stated.file,
        error: None,
        claimed_signing_time: stated.claimed_signing_time,
        expiration_time: stated.expiration_time,
        level: None,
        jws_serialization: stated.jws_serialization,
        signature_type: stated.signature_type,
        structural_validation: stated.structural_validation,
        digest_matchers: stated.digest_matchers,
        basic: signed_by.basic,
        signing_certificate: signed_by.signing_certificate,
        signing_public_key: signed_by.signing_public_key,
        chain: signed_by.chain,
        content_type: stated.content_type,
        mime_type: stated.mime_type,
        content_identifier: stated.content_identifier,
        content_reference: stated.content_reference,
        content_hints: stated.content_hints,
        production_place: stated.production_place,
        commitments: stated.commitments,
        roles: stated.roles,
        policy: stated.policy,
        policy_store: stated.policy_store,
        signer_infos: stated.signer_infos,
        pdf_revision: stated.pdf_revision,
        vri_creation_time: stated.vri_creation_time,
        hash_only: stated.hash_only,
        document_hash_only: stated.document_hash_only,
        found_certificates: found.certificates,
        found_revocations: found.revocations,
        found_timestamps: timestamps.into_iter().chain(stated.timestamps_elsewhere).collect(),
        found_evidence_records: evidence_records.into_iter().chain(stated.evidence_records_elsewhere).collect(),
        scopes: stated.scopes,
        digest_reference: stated.digest_reference,
        data_to_be_signed: stated.data_to_be_signed,
        value: stated.value,
        irregularities: stated.irregularities,
    }
}

/// Completes a time-stamp.
pub(super) fn timestamp(
    stated: TimestampFacts,
    signed_by: SignedBy,
    tsa_name: Option<TsaName>,
    found: Found,
    covered: Vec<Covered>,
) -> Timestamp {
    Timestamp {
        id: stated.id,
        kind: stated.kind,
        duplicated: false,
        file: stated.file,
        archive_type: stated.archive_type,
        evidence_record_type: stated.evidence_record_type,
        hash_index: stated.hash_index,
        production_time: stated.production_time,
        digest_matchers: stated.digest_matchers,
        basic: signed_by.basic,
        signing_certificate: signed_by.signing_certificate,
        signing_public_key: signed_by.signing_public_key,
        chain: signed_by.chain,
        signer_infos: stated.signer_infos,
        tsa_name,
        pdf_revision: stated.pdf_revision,
        found_certificates: found.certificates,
        found_revocations: found.revocations,
        found_evidence_records: stated.evidence_records_elsewhere,
        covered,
        scopes: stated.scopes,
        bytes: None,
        digest: Some(stated.digest),
        irregularities: stated.irregularities,
    }
}

/// Completes an evidence record.
pub(super) fn evidence_record(
    stated: EvidenceRecordFacts,
    timestamps: Vec<Id>,
    found: Found,
    covered: Vec<Covered>,
) -> EvidenceRecord {
    EvidenceRecord {
        id: stated.id,
        duplicated: false,
        file: stated.file,
        kind: stated.kind,
        origin: stated.origin,
        incorporation: stated.incorporation,
        structural_validation: stated.structural_validation,
        digest_matchers: stated.digest_matchers,
        timestamps,
        found_certificates: found.certificates,
        found_revocations: found.revocations,
        covered,
        scopes: stated.scopes,
        bytes: None,
        digest: Some(stated.digest),
        embedded: stated.origin == EvidenceRecordOrigin::Signature,
        parent: stated.parent,
        irregularities: stated.irregularities,
    }
}
