//! An evidence record: RFC 4998 (ASN.1), RFC 6283 (XML).

use super::*;

words! {
    /// The record's syntax.
    pub enum EvidenceRecordType {
        Xml = "XML Evidence Record",
        Asn1 = "ASN.1 Evidence Record",
    }
}

words! {
    /// Where the record was found.
    pub enum EvidenceRecordOrigin {
        Container = "CONTAINER",
        Signature = "SIGNATURE",
        External = "EXTERNAL",
    }
}

words! {
    /// Which CAdES attribute holds it (EN 319 122-3).
    pub enum EvidenceRecordIncorporation {
        Internal = "INTERNAL_EVIDENCE_RECORD",
        External = "EXTERNAL_EVIDENCE_RECORD",
    }
}

/// An evidence record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvidenceRecord {
    pub id: Id,
    #[serde(default)]
    pub duplicated: bool,
    /// The file that holds it.
    #[serde(default)]
    pub file: Option<String>,
    pub kind: EvidenceRecordType,
    pub origin: EvidenceRecordOrigin,
    #[serde(default)]
    pub incorporation: Option<EvidenceRecordIncorporation>,
    #[serde(default)]
    pub structural_validation: Option<StructuralValidation>,
    #[serde(default)]
    pub digest_matchers: Vec<Shared<DigestMatcher>>,
    /// Its time-stamps, oldest first.
    #[serde(default)]
    pub timestamps: Vec<Id>,
    #[serde(default)]
    pub found_certificates: Vec<FoundCertificate>,
    #[serde(default)]
    pub found_revocations: Vec<FoundRevocation>,
    #[serde(default)]
    pub covered: Vec<Covered>,
    #[serde(default)]
    pub scopes: Vec<Shared<Scope>>,
    #[serde(default)]
    pub octets: Option<Octets>,
    #[serde(default)]
    pub digest: Option<Digest>,
    #[serde(default)]
    pub embedded: bool,
    /// The signature or time-stamp that it is embedded in.
    #[serde(default)]
    pub parent: Option<Id>,
    /// What is irregular about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub irregularities: Vec<Irregularity>,
}

impl EvidenceRecord {
    /// A record of which nothing is known but its syntax and where it was found.
    pub fn new(id: Id, kind: EvidenceRecordType, origin: EvidenceRecordOrigin) -> Self {
        Self {
            id,
            duplicated: false,
            file: None,
            kind,
            origin,
            incorporation: None,
            structural_validation: None,
            digest_matchers: vec![],
            timestamps: vec![],
            found_certificates: vec![],
            found_revocations: vec![],
            covered: vec![],
            scopes: vec![],
            octets: None,
            digest: None,
            embedded: false,
            parent: None,
            irregularities: vec![],
        }
    }
}
