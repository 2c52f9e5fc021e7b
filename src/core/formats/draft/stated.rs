//! The part of the facts about a token that the token and its place in the document tell.

use crate::facts::{
    ArchiveTimestampType, Bytes, Commitment, ContentReference, Digest, DigestMatcher, EvidenceRecordIncorporation,
    EvidenceRecordOrigin, EvidenceRecordTimestampType, EvidenceRecordType, HashIndex, Id, Irregularity,
    JwsSerialization, PdfRevision, ProductionPlace, Scope, Shared, SignatureDigestReference, SignaturePolicy,
    SignaturePolicyStore, SignerInfo, SignerRole, StructuralValidation, TimestampType,
};
use crate::time::Time;

/// The part of a [`Signature`](crate::facts::Signature) that the signature alone tells.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SignatureFacts {
    /// Its id.
    pub id: Id,
    /// The signature that this one counter-signs.
    pub parent: Option<Id>,
    /// The id that the signer's application gave it (XML `Id`).
    pub da_identifier: Option<String>,
    /// The file that holds it.
    pub file: String,
    /// The time that the signer claims.
    pub claimed_signing_time: Option<Time>,
    /// JAdES `exp`.
    pub expiration_time: Option<Time>,
    /// JAdES: the serialisation.
    pub jws_serialization: Option<JwsSerialization>,
    /// JAdES: `typ`.
    pub signature_type: Option<String>,
    /// Whether it has the structure that its profile asks for.
    pub structural_validation: Option<StructuralValidation>,
    /// Every digest that the signature rests on.
    pub digest_matchers: Vec<Shared<DigestMatcher>>,
    /// CAdES content-type.
    pub content_type: Option<String>,
    /// The signed data's media type.
    pub mime_type: Option<String>,
    /// CAdES content-identifier.
    pub content_identifier: Option<String>,
    /// CAdES content-reference.
    pub content_reference: Option<ContentReference>,
    /// CAdES content-hints.
    pub content_hints: Option<String>,
    /// Where it was made, as claimed.
    pub production_place: Option<ProductionPlace>,
    /// What the signer commits to.
    pub commitments: Vec<Commitment>,
    /// The signer's roles.
    pub roles: Vec<SignerRole>,
    /// The signature policy.
    pub policy: Option<SignaturePolicy>,
    /// The policy document carried along.
    pub policy_store: Option<SignaturePolicyStore>,
    /// CMS: every `SignerInfo` of the `SignedData`.
    pub signer_infos: Vec<SignerInfo>,
    /// PAdES: the revision that it signs.
    pub pdf_revision: Option<Shared<PdfRevision>>,
    /// PAdES: `/TU` of the signature's VRI dictionary.
    pub vri_creation_time: Option<Time>,
    /// Only digests of the signed data were known.
    pub hash_only: Option<bool>,
    /// Only the digest of the document was known.
    pub document_hash_only: Option<bool>,
    /// What it signs.
    pub scopes: Vec<Shared<Scope>>,
    /// The digest by which a report refers to it.
    pub digest_reference: Option<SignatureDigestReference>,
    /// The digest of what its value signs.
    pub data_to_be_signed: Option<Digest>,
    /// The signature value's bytes.
    pub value: Bytes,
    /// Time-stamps over it that stand elsewhere in the document: of a PDF as a whole, of a container.
    pub timestamps_elsewhere: Vec<Id>,
    /// Evidence records over it that stand elsewhere in the document: of another signer, of a container.
    pub evidence_records_elsewhere: Vec<Id>,
    /// What is irregular about it.
    pub irregularities: Vec<Irregularity>,
}

impl SignatureFacts {
    /// Returns whether it counter-signs another signature.
    pub fn is_counter_signature(&self) -> bool {
        self.parent.is_some()
    }
}

/// The part of a [`Timestamp`](crate::facts::Timestamp) that the token and its place tell.
#[derive(Debug, Clone, PartialEq)]
pub struct TimestampFacts {
    /// Its id.
    pub id: Id,
    /// What it is for.
    pub kind: TimestampType,
    /// The file that holds it, where it stands alone.
    pub file: Option<String>,
    /// Which archive time-stamp it is.
    pub archive_type: Option<ArchiveTimestampType>,
    /// Why an evidence record holds it.
    pub evidence_record_type: Option<EvidenceRecordTimestampType>,
    /// The hash index of a CAdES archive time-stamp v3.
    pub hash_index: Option<HashIndex>,
    /// `genTime`.
    pub production_time: Time,
    /// The imprint, and for evidence records the digests of what the hash tree rests on.
    pub digest_matchers: Vec<Shared<DigestMatcher>>,
    /// Every `SignerInfo` of the token.
    pub signer_infos: Vec<SignerInfo>,
    /// PAdES document time-stamps: the revision covered.
    pub pdf_revision: Option<Shared<PdfRevision>>,
    /// What it is over.
    pub scopes: Vec<Shared<Scope>>,
    /// The token's digest.
    pub digest: Digest,
    /// Evidence records over it that stand elsewhere in the document.
    pub evidence_records_elsewhere: Vec<Id>,
    /// What is irregular about it.
    pub irregularities: Vec<Irregularity>,
}

/// The name in a token's `tsa` field: RFC 3161 §2.4.2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedTsa {
    /// The name for display.
    pub name: String,
    /// The DER of the `Name`, for a directory name.
    pub directory_name: Option<Vec<u8>>,
}

/// The part of a [`EvidenceRecord`](crate::facts::EvidenceRecord) that the record and its place tell.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceRecordFacts {
    /// Its id.
    pub id: Id,
    /// The file that holds it.
    pub file: Option<String>,
    /// Its syntax.
    pub kind: EvidenceRecordType,
    /// Where it was found.
    pub origin: EvidenceRecordOrigin,
    /// Which CAdES attribute holds it.
    pub incorporation: Option<EvidenceRecordIncorporation>,
    /// Whether it has the structure that its syntax asks for.
    pub structural_validation: Option<StructuralValidation>,
    /// The digests of what its hash tree rests on.
    pub digest_matchers: Vec<Shared<DigestMatcher>>,
    /// What it is over.
    pub scopes: Vec<Shared<Scope>>,
    /// The record's digest.
    pub digest: Digest,
    /// The signature that it is embedded in.
    pub parent: Option<Id>,
    /// What is irregular about it.
    pub irregularities: Vec<Irregularity>,
}
