//! Trusted lists (TS 119 612) and the services that they list.

use super::*;
use crate::vocabulary::string_enum;

/// A text in a stated language.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LangText {
    /// The language, a tag of RFC 5646.
    pub lang: String,
    /// The text.
    pub text: String,
}

/// A trusted list or list of trusted lists (TS 119 612).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TrustedList {
    /// `TL-` or `LOTL-` and an identifier of the list.
    pub id: Id,
    /// Whether it is a list of trusted lists.
    pub lotl: bool,
    /// The list of trusted lists that points to this list.
    pub parent: Option<Id>,
    /// Whether it was reached through a mutual recognition agreement.
    pub mra: bool,
    /// Whether it was reached through a list of trusted lists other than the European Union's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub third_country: bool,
    /// `SchemeTerritory` (§5.3.10), an ISO 3166 code.
    pub country: Option<String>,
    /// The URL from which it is published.
    pub url: String,
    /// `TSLType` (§5.3.3), a URI.
    pub list_type: Option<String>,
    /// `TSLSequenceNumber` (§5.3.2).
    pub sequence_number: Option<i64>,
    /// `TSLVersionIdentifier` (§5.3.1).
    pub version: Option<i64>,
    /// When it was last loaded; only in imported facts.
    pub last_loading: Option<Time>,
    /// `ListIssueDateTime` (§5.3.14).
    pub issue_date: Option<Time>,
    /// `NextUpdate` (§5.3.15); `None` for a closed list.
    pub next_update: Option<Time>,
    /// Whether its signature is valid and by a certificate authorised for it.
    pub well_signed: bool,
    /// Whether it has the structure that its version requires; `None` when that was not checked.
    pub structural_validation: Option<StructuralValidation>,
}

string_enum! {
    /// Whether any certificate could be trusted.
    pub enum TrustState {
        /// No trusted list is loaded, and no certificate is trusted.
        Nobody = "nobody",
        /// Trust anchors of the caller; no list.
        Anchors = "anchors",
        /// Lists are loaded, and none of them can be relied on.
        NoUsableList = "no-usable-list",
        /// The next issue of every list is overdue, closed lists aside.
        StaleLists = "stale-lists",
        /// Lists that can be relied on.
        Lists = "lists",
    }
}

/// The trust that was configured before the document was read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TrustStore {
    /// The number of trust anchors that the caller supplied.
    pub anchors: usize,
    /// The trusted lists, where some were supplied.
    pub lists: Option<ListStore>,
}

/// Counts of the trusted lists that were loaded.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ListStore {
    /// The sequence number of the list of trusted lists.
    pub sequence_number: Option<i64>,
    /// The issue date of the list of trusted lists.
    pub issue_date: Option<Time>,
    /// The number of national lists that can be relied on.
    pub trusted: usize,
    /// The number of those whose next issue is due after the validation time.
    pub current: usize,
    /// The number of those that are closed: no further issue follows (TS 119 612 §5.3.15).
    #[serde(skip_serializing_if = "is_zero")]
    pub closed: usize,
    /// The number of files that are no lists, or cannot be relied on.
    pub unusable: usize,
    /// The number of lists that are pointed to and absent.
    pub missing: usize,
    /// These lists.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing_lists: Vec<MissingList>,
    /// The files that are no lists, or cannot be relied on, each with the reason.
    #[cfg(feature = "trusted-lists")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unusable_lists: Vec<UnusableList>,
    /// The signer of the snapshot from which the lists come.
    #[serde(rename = "packed_by", skip_serializing_if = "Option::is_none")]
    pub snapshot_signer: Option<SnapshotSigner>,
}

/// A trusted list that a list of trusted lists points to and that was not loaded.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MissingList {
    /// `SchemeTerritory` (§5.3.10) of the pointer to it.
    pub territory: Option<String>,
    /// `TSLLocation` (§5.3.13) of the pointer to it.
    pub url: String,
}

/// A file among the trusted lists that is no list, or cannot be relied on.
#[cfg(feature = "trusted-lists")]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct UnusableList {
    /// The name of the file.
    pub name: String,
    /// `SchemeTerritory` (§5.3.10), where the file is a list.
    pub territory: Option<String>,
    /// Why it is not relied on: what was found and what was expected.
    pub reason: String,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The signer of a snapshot of trusted lists.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SnapshotSigner {
    /// The subject of the signer's certificate, in the syntax of RFC 2253.
    pub subject: String,
    /// The SHA-256 of the signer's certificate, in lower-case hexadecimal.
    pub sha256: String,
}

impl TrustStore {
    /// Returns whether any certificate could be trusted.
    pub fn state(&self) -> TrustState {
        match &self.lists {
            Some(lists) if lists.trusted == 0 && self.anchors == 0 => TrustState::NoUsableList,
            Some(lists) if lists.current == 0 && lists.trusted > lists.closed => TrustState::StaleLists,
            Some(lists) if lists.trusted > 0 => TrustState::Lists,
            _ if self.anchors > 0 => TrustState::Anchors,
            _ => TrustState::Nobody,
        }
    }
}

/// A trust service provider whose services cover a certificate (TS 119 612 §5.4).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TrustServiceProvider {
    /// The trusted list that lists it.
    pub trusted_list: Id,
    /// The list of trusted lists that points to that list.
    pub lotl: Option<Id>,
    /// `TSPName` (§5.4.1).
    pub names: Vec<LangText>,
    /// `TSPTradeName` (§5.4.2), without registration identifiers.
    pub trade_names: Vec<LangText>,
    /// Official registration identifiers among the trade names (§5.4.2).
    pub registration_identifiers: Vec<String>,
    /// The services that cover the certificate, one entry for each status period.
    pub services: Vec<TrustService>,
}

/// A trust service in one of its status periods (TS 119 612 §5.5).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TrustService {
    /// The certificate that identifies the service (`ServiceDigitalIdentity`, §5.5.3).
    pub certificate: Id,
    /// `ServiceName` (§5.5.2).
    pub names: Vec<LangText>,
    /// `ServiceTypeIdentifier` (§5.5.1), a URI.
    pub service_type: Option<String>,
    /// `ServiceStatus` (§5.5.4), a URI.
    pub status: Option<String>,
    /// `StatusStartingTime` (§5.5.5).
    pub start: Option<Time>,
    /// The end of the period: the start of the next one; `None` for the current status.
    pub end: Option<Time>,
    /// The qualifiers whose criteria the certificate meets (§5.5.9.2).
    pub qualifiers: Vec<Qualifier>,
    /// `AdditionalServiceInformation` (§5.5.9.4): URIs.
    pub additional_service_info: Vec<String>,
    /// `ServiceSupplyPoints` (§5.5.7): URIs.
    pub supply_points: Vec<String>,
    /// `ExpiredCertsRevocationInfo` (§5.5.9.1): certificates that expired after this time are still in revocation data.
    pub expired_certs_revocation_info: Option<Time>,
    /// Whether a mutual recognition agreement translated the service; `None` where none applies.
    pub enacted_mra: Option<bool>,
    /// The translation under mutual recognition.
    pub mra: Option<MraServiceMapping>,
}

/// A qualifier of a service that applies to a certificate (TS 119 612 §5.5.9.2).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Qualifier {
    /// The qualifier, a URI.
    pub uri: String,
    /// Whether the `Qualifications` extension is critical.
    pub critical: Option<bool>,
}

/// The service before mutual recognition translated it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MraServiceMapping {
    /// The URI of the trust service legal identifier of the equivalence.
    pub legal_identifier: String,
    /// The start of the period in which the equivalence holds.
    pub equivalence_start: Option<Time>,
    /// The end of the period in which the equivalence holds; `None` is unlimited.
    pub equivalence_end: Option<Time>,
    /// The service type before the translation, a URI.
    pub original_type: Option<String>,
    /// The status before the translation, a URI.
    pub original_status: Option<String>,
    /// The qualifiers before the translation.
    pub original_qualifiers: Vec<Qualifier>,
    /// The additional service information before the translation, URIs.
    pub original_additional_service_info: Vec<String>,
}
