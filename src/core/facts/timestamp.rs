//! A time-stamp token (RFC 3161), wherever it was found.

use super::*;

string_enum! {
    /// What a time-stamp is for.
    pub enum TimestampType {
        Content = "CONTENT_TIMESTAMP",
        AllDataObjects = "ALL_DATA_OBJECTS_TIMESTAMP",
        IndividualDataObjects = "INDIVIDUAL_DATA_OBJECTS_TIMESTAMP",
        Signature = "SIGNATURE_TIMESTAMP",
        ValidationDataRefsOnly = "VALIDATION_DATA_REFSONLY_TIMESTAMP",
        ValidationData = "VALIDATION_DATA_TIMESTAMP",
        Archive = "ARCHIVE_TIMESTAMP",
        Container = "CONTAINER_TIMESTAMP",
        Document = "DOCUMENT_TIMESTAMP",
        Vri = "VRI_TIMESTAMP",
        EvidenceRecord = "EVIDENCE_RECORD_TIMESTAMP",
    }
}

string_enum! {
    /// Which archive time-stamp it is.
    pub enum ArchiveTimestampType {
        Xades = "XAdES",
        Xades141 = "XAdES_141",
        Cades = "CAdES",
        CadesV2 = "CAdES_V2",
        CadesV3 = "CAdES_V3",
        CadesDetached = "CAdES_DETACHED",
        Jades = "JAdES",
        CbAdes = "CB_AdES",
        Pades = "PAdES",
        XmlEvidenceRecord = "XML_EVIDENCE_RECORD",
        Asn1EvidenceRecord = "ASN1_EVIDENCE_RECORD",
    }
}

string_enum! {
    /// Why an evidence record holds a time-stamp (RFC 4998 §5).
    pub enum EvidenceRecordTimestampType {
        First = "ARCHIVE_TIMESTAMP",
        TimestampRenewal = "TIMESTAMP_RENEWAL_ARCHIVE_TIMESTAMP",
        HashTreeRenewal = "HASH_TREE_RENEWAL_ARCHIVE_TIMESTAMP",
    }
}

string_enum! {
    /// Which hash index a CAdES archive time-stamp v3 has.
    pub enum HashIndexVersion {
        V1 = "ats-hash-index",
        V2 = "ats-hash-index-v2",
        V3 = "ats-hash-index-v3",
    }
}

/// The hash index of a CAdES archive time-stamp v3 (EN 319 122-1 §5.5.2).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct HashIndex {
    /// Which of the three attributes it is.
    pub version: Option<HashIndexVersion>,
    /// Whether every digest of the index has its counterpart in the signature, and the reverse.
    pub valid: bool,
    /// The deviations found.
    pub messages: Vec<String>,
}

/// The name by which a time-stamp identifies its issuer (RFC 3161 §2.4.2, `tsa`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TsaName {
    /// The name, in the syntax of RFC 2253.
    pub name: String,
    /// Whether it has the attributes of the subject of the signing certificate.
    pub content_match: bool,
    /// Whether they are in the same order.
    pub order_match: bool,
}

/// A time-stamp token (RFC 3161).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Timestamp {
    /// `T-` and the upper-case SHA-256 of what identifies the token.
    pub id: Id,
    /// What the time-stamp is for.
    pub kind: TimestampType,
    /// Whether another time-stamp has the same id.
    #[serde(default)]
    pub duplicated: bool,
    /// The name of the file that holds it, where it stands alone.
    #[serde(default)]
    pub file: Option<String>,
    /// Archive time-stamps: which attribute it is.
    #[serde(default)]
    pub archive_type: Option<ArchiveTimestampType>,
    /// Time-stamps of evidence records: the first one, or by which renewal it came.
    #[serde(default)]
    pub evidence_record_type: Option<EvidenceRecordTimestampType>,
    /// CAdES archive time-stamps v3: the hash index.
    #[serde(default)]
    pub hash_index: Option<HashIndex>,
    /// `genTime` (RFC 3161 §2.4.2).
    pub production_time: Time,
    /// The message imprint, and for evidence records the digests on which the hash tree rests.
    #[serde(default)]
    pub digest_matchers: Vec<Shared<DigestMatcher>>,
    /// The algorithms of the token's signature and whether it verifies.
    #[serde(default)]
    pub basic: BasicSignature,
    /// The certificate of the time-stamping authority.
    #[serde(default)]
    pub signing_certificate: Option<Id>,
    /// The signer's public key (`SubjectPublicKeyInfo`, DER) where there is no certificate of it.
    #[serde(default)]
    pub signing_public_key: Option<Bytes>,
    /// The certificate path from the signing certificate upwards.
    #[serde(default)]
    pub chain: Vec<Id>,
    /// The signer identifiers of the token (RFC 5652 §5.3), each once: of the first 32, and its own.
    #[serde(default)]
    pub signer_infos: Vec<SignerInfo>,
    /// `tsa`, where the token states it.
    #[serde(default)]
    pub tsa_name: Option<TsaName>,
    /// PAdES document time-stamps: the revision that it covers.
    #[serde(default)]
    pub pdf_revision: Option<Shared<PdfRevision>>,
    /// Certificates embedded in it or referred to by it.
    #[serde(default)]
    pub found_certificates: Vec<Shared<FoundCertificate>>,
    /// Revocation data embedded in it or referred to by it.
    #[serde(default)]
    pub found_revocations: Vec<FoundRevocation>,
    /// Evidence records that cover this time-stamp.
    #[serde(default)]
    pub found_evidence_records: Vec<Id>,
    /// The objects whose existence it proves.
    #[serde(default)]
    pub covered: Vec<Covered>,
    /// The data that it covers.
    #[serde(default)]
    pub scopes: Vec<Shared<Scope>>,
    /// The token's DER; `None` where it is not kept.
    #[serde(default, rename = "octets")]
    pub bytes: Option<Bytes>,
    /// The digest of the DER.
    #[serde(default)]
    pub digest: Option<Digest>,
    /// Irregularities of this time-stamp.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub irregularities: Vec<Irregularity>,
}

impl Timestamp {
    /// Returns a time-stamp of which nothing is known but its kind and time.
    pub fn new(id: Id, kind: TimestampType, production_time: Time) -> Self {
        Self {
            id,
            kind,
            duplicated: false,
            file: None,
            archive_type: None,
            evidence_record_type: None,
            hash_index: None,
            production_time,
            digest_matchers: vec![],
            basic: BasicSignature::default(),
            signing_certificate: None,
            signing_public_key: None,
            chain: vec![],
            signer_infos: vec![],
            tsa_name: None,
            pdf_revision: None,
            found_certificates: vec![],
            found_revocations: vec![],
            found_evidence_records: vec![],
            covered: vec![],
            scopes: vec![],
            bytes: None,
            digest: None,
            irregularities: vec![],
        }
    }
}
