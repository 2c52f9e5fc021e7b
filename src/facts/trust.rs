//! Trusted lists (TS 119 612) and the services that they list.

use super::*;
use crate::vocabulary::words;

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
    /// Whether it was reached over a list of lists that is not the Union's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub third_country: bool,
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

words! {
    /// Whether anybody could be trusted at all.
    pub enum TrustState {
        /// No trusted list is loaded, and no certificate is trusted.
        Nobody = "nobody",
        /// Certificates that the caller trusts; no list.
        Anchors = "anchors",
        /// Lists are loaded, and none of them can be relied on.
        NoUsableList = "no-usable-list",
        /// The next issue of every list is overdue.
        StaleLists = "stale-lists",
        /// Lists that can be relied on.
        Lists = "lists",
    }
}

/// Who could be trusted: what was loaded before the document was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TrustStore {
    /// Certificates that the caller trusts.
    pub anchors: usize,
    /// Trusted lists, where some were handed in.
    pub lists: Option<ListStore>,
}

/// Trusted lists that were loaded.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ListStore {
    /// The number of the list of lists,
    pub sequence_number: Option<i64>,
    /// and when it was issued.
    pub issue_date: Option<Time>,
    /// National lists that can be relied on.
    pub trusted: usize,
    /// Those of them whose next issue is not overdue at the validation time.
    pub current: usize,
    /// Files that are no lists, or cannot be relied on.
    pub unusable: usize,
    /// Lists that are pointed at and not there.
    pub missing: usize,
    /// Who signed the snapshot that they come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packed_by: Option<Packer>,
}

/// Whoever made a snapshot of trusted lists and signed it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Packer {
    /// The subject of the certificate, RFC 2253.
    pub subject: String,
    /// The SHA-256 of the certificate, lower-case hexadecimal.
    pub sha256: String,
}

impl TrustStore {
    /// Whether anybody could be trusted at all.
    pub fn state(&self) -> TrustState {
        match &self.lists {
            Some(lists) if lists.trusted == 0 && self.anchors == 0 => TrustState::NoUsableList,
            Some(lists) if lists.current == 0 && lists.trusted > 0 => TrustState::StaleLists,
            Some(lists) if lists.trusted > 0 => TrustState::Lists,
            _ if self.anchors > 0 => TrustState::Anchors,
            _ => TrustState::Nobody,
        }
    }
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
