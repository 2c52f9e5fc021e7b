//! A time-stamp token (RFC 3161), wherever it was found.

use super::*;

words! {
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

words! {
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

words! {
    /// Why an evidence record holds a time-stamp (RFC 4998 §5).
    pub enum EvidenceRecordTimestampType {
        First = "ARCHIVE_TIMESTAMP",
        TimestampRenewal = "TIMESTAMP_RENEWAL_ARCHIVE_TIMESTAMP",
        HashTreeRenewal = "HASH_TREE_RENEWAL_ARCHIVE_TIMESTAMP",
    }
}

words! {
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
    pub version: Option<HashIndexVersion>,
    /// Whether every entry has its counterpart.
    pub valid: bool,
    pub messages: Vec<String>,
}

/// The name that a time-stamp gives its issuer (RFC 3161 `tsa`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TsaName {
    pub name: String,
    /// Whether it has the attributes of the certificate's subject.
    pub content_match: bool,
    /// Whether they come in the same order.
    pub order_match: bool,
}

/// A time-stamp.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Timestamp {
    pub id: Id,
    pub kind: TimestampType,
    #[serde(default)]
    pub duplicated: bool,
    /// The file that holds it, where it stands alone.
    #[serde(default)]
    pub file: Option<String>,
    #[serde(default)]
    pub archive_type: Option<ArchiveTimestampType>,
    #[serde(default)]
    pub evidence_record_type: Option<EvidenceRecordTimestampType>,
    #[serde(default)]
    pub hash_index: Option<HashIndex>,
    /// `genTime`.
    pub production_time: Time,
    /// The imprint, and for evidence records the digests of what the hash tree rests on.
    #[serde(default)]
    pub digest_matchers: Vec<Shared<DigestMatcher>>,
    #[serde(default)]
    pub basic: BasicSignature,
    #[serde(default)]
    pub signing_certificate: Option<Id>,
    #[serde(default)]
    pub signing_public_key: Option<Octets>,
    #[serde(default)]
    pub chain: Vec<Id>,
    #[serde(default)]
    pub signer_infos: Vec<SignerInfo>,
    #[serde(default)]
    pub tsa_name: Option<TsaName>,
    /// PAdES document time-stamps: the revision covered.
    #[serde(default)]
    pub pdf_revision: Option<Shared<PdfRevision>>,
    #[serde(default)]
    pub found_certificates: Vec<FoundCertificate>,
    #[serde(default)]
    pub found_revocations: Vec<FoundRevocation>,
    /// Evidence records over this time-stamp.
    #[serde(default)]
    pub found_evidence_records: Vec<Id>,
    /// What it proves the existence of.
    #[serde(default)]
    pub covered: Vec<Covered>,
    #[serde(default)]
    pub scopes: Vec<Shared<Scope>>,
    /// The token's octets, or
    #[serde(default)]
    pub octets: Option<Octets>,
    /// its digest.
    #[serde(default)]
    pub digest: Option<Digest>,
    /// What is irregular about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub irregularities: Vec<Irregularity>,
}

impl Timestamp {
    /// A time-stamp of which nothing is known but its kind and time.
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
            octets: None,
            digest: None,
            irregularities: vec![],
        }
    }
}
