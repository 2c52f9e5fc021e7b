//! Trusted lists (TS 119 612) and the services that they list.

use super::*;

/// A text and its language.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LangText {
    pub lang: String,
    pub text: String,
}

/// A trusted list or list of lists.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TrustedList {
    pub id: Id,
    pub lotl: bool,
    /// The list of lists that points at this list.
    pub parent: Option<Id>,
    /// Whether it was reached through mutual recognition.
    pub mra: bool,
    pub country: Option<String>,
    pub url: String,
    pub list_type: Option<String>,
    pub sequence_number: Option<i64>,
    pub version: Option<i64>,
    pub last_loading: Option<Time>,
    pub issue_date: Option<Time>,
    pub next_update: Option<Time>,
    pub well_signed: bool,
    pub structural_validation: Option<StructuralValidation>,
}

/// A provider whose services cover a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TrustServiceProvider {
    pub trusted_list: Id,
    pub lotl: Option<Id>,
    pub names: Vec<LangText>,
    pub trade_names: Vec<LangText>,
    pub registration_identifiers: Vec<String>,
    pub services: Vec<TrustService>,
}

/// One status period of a trust service.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TrustService {
    /// The certificate that stands for the service.
    pub certificate: Id,
    pub names: Vec<LangText>,
    /// A URI.
    pub service_type: Option<String>,
    /// A URI.
    pub status: Option<String>,
    pub start: Option<Time>,
    pub end: Option<Time>,
    /// The qualifiers whose criteria the certificate meets.
    pub qualifiers: Vec<Qualifier>,
    pub additional_service_info: Vec<String>,
    pub supply_points: Vec<String>,
    pub expired_certs_revocation_info: Option<Time>,
    /// Whether a mutual recognition applies.
    pub enacted_mra: Option<bool>,
    pub mra: Option<MraServiceMapping>,
}

/// A captured qualifier.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Qualifier {
    pub uri: String,
    pub critical: Option<bool>,
}

/// What mutual recognition made of a service, and what it was before.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MraServiceMapping {
    pub legal_identifier: String,
    pub equivalence_start: Option<Time>,
    pub equivalence_end: Option<Time>,
    pub original_type: Option<String>,
    pub original_status: Option<String>,
    pub original_qualifiers: Vec<Qualifier>,
    pub original_additional_service_info: Vec<String>,
}
