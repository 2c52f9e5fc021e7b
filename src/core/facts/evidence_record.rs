//! An evidence record: RFC 4998 (ASN.1), RFC 6283 (XML).

use super::*;

string_enum! {
    /// The record's syntax.
    pub enum EvidenceRecordType {
        Xml = "XML Evidence Record",
        Asn1 = "ASN.1 Evidence Record",
    }
}

string_enum! {
    /// Where the record was found.
    pub enum EvidenceRecordOrigin {
        Container = "CONTAINER",
        Signature = "SIGNATURE",
        External = "EXTERNAL",
    }
}

string_enum! {
    /// Which CAdES attribute holds it (EN 319 122-3).
    pub enum EvidenceRecordIncorporation {
        Internal = "INTERNAL_EVIDENCE_RECORD",
        External = "EXTERNAL_EVIDENCE_RECORD",
    }
}

/// An evidence record (RFC 4998, RFC 6283).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvidenceRecord {
    /// `E-` and the upper-case SHA-256 of the record.
    pub id: Id,
    /// Whether another evidence record has the same id.
    #[serde(default)]
    pub duplicated: bool,
    /// The name of the file that holds it.
    #[serde(default)]
    pub file: Option<String>,
    /// Its syntax.
    pub kind: EvidenceRecordType,
    /// Where it was found.
    pub origin: EvidenceRecordOrigin,
    /// In signatures: the attribute that holds it.
    #[serde(default)]
    pub incorporation: Option<EvidenceRecordIncorporation>,
    /// Whether it has the structure that its RFC requires; `None` when that was not checked.
    #[serde(default)]
    pub structural_validation: Option<StructuralValidation>,
    /// The digests of the archived objects.
    #[serde(default)]
    pub digest_matchers: Vec<Shared<DigestMatcher>>,
    /// Its time-stamps, oldest first.
    #[serde(default)]
    pub timestamps: Vec<Id>,
    /// Certificates embedded in it.
    #[serde(default)]
    pub found_certificates: Vec<Shared<FoundCertificate>>,
    /// Revocation data embedded in it.
    #[serde(default)]
    pub found_revocations: Vec<FoundRevocation>,
    /// The objects whose existence it proves.
    #[serde(default)]
    pub covered: Vec<Covered>,
    /// The data that it covers.
    #[serde(default)]
    pub scopes: Vec<Shared<Scope>>,
    /// The record's bytes; `None` where they are not kept.
    #[serde(default, rename = "octets")]
    pub bytes: Option<Bytes>,
    /// The digest of the record.
    #[serde(default)]
    pub digest: Option<Digest>,
    /// Whether it is embedded in a signature or time-stamp.
    #[serde(default)]
    pub embedded: bool,
    /// The signature or time-stamp in which it is embedded.
    #[serde(default)]
    pub parent: Option<Id>,
    /// Irregularities of this record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub irregularities: Vec<Irregularity>,
}

impl EvidenceRecord {
    /// Returns a record of which nothing is known but its syntax and where it was found.
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
            bytes: None,
            digest: None,
            embedded: false,
            parent: None,
            irregularities: vec![],
        }
    }
}
