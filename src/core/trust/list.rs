//! The content of a trusted list: TS 119 612 §5.

use super::criteria::Criteria;
use super::recognition::Agreement;
use crate::facts::LangText;
use crate::time::Time;
use serde::{Deserialize, Serialize};

/// A trusted list or list of trusted lists (TS 119 612 §5).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// `TSLVersionIdentifier` (§5.3.1).
    pub version: Option<i64>,
    /// `TSLSequenceNumber` (§5.3.2).
    pub sequence_number: Option<i64>,
    /// `TSLType` (§5.3.3), a URI.
    pub list_type: String,
    /// `SchemeOperatorName` (§5.3.4).
    pub operator: Vec<LangText>,
    /// `SchemeInformationURI` (§5.3.7); in a list of trusted lists also its pivots and the publication of the
    /// LOTL-signing certificates.
    pub information: Vec<String>,
    /// `SchemeTerritory` (§5.3.10), an ISO 3166 code.
    pub territory: Option<String>,
    /// `ListIssueDateTime` (§5.3.14).
    pub issue_date: Option<Time>,
    /// `NextUpdate` (§5.3.15); `None` for a closed list, the issue date where it is absent or cannot be read.
    pub next_update: Option<Time>,
    /// `PointersToOtherTSL` (§5.3.13).
    pub pointers: Vec<OtherTslPointer>,
    /// `TrustServiceProviderList` (§5.4).
    pub providers: Vec<Provider>,
    /// The service digital identities of all services, each once.
    #[serde(skip)]
    pub identities: Vec<ServiceDigitalIdentity>,
    /// The mutual recognition agreement that the pointing list states for this list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recognition: Option<Agreement>,
    /// Elements that TS 119 612 requires and the list lacks.
    pub problems: Vec<String>,
}

/// A service digital identity (TS 119 612 §5.5.3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServiceDigitalIdentity {
    /// A certificate, in DER.
    Certificate(Box<[u8]>),
    /// What a snapshot keeps of a certificate that documents hold themselves.
    Entity {
        /// The first half of the SHA-256 of public key and subject.
        digest: [u8; 16],
        /// Whether the certificate may issue others.
        authority: bool,
    },
}

/// A pointer to another list: `OtherTSLPointer` (TS 119 612 §5.3.13).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherTslPointer {
    /// `TSLLocation`: the URL of the list.
    pub location: String,
    /// `TSLType` of the list, a URI.
    pub list_type: Option<String>,
    /// `SchemeTerritory` of the list.
    pub territory: Option<String>,
    /// The media type of the document; only XML is a trusted list.
    pub mime_type: Option<String>,
    /// The SHA-256 of each certificate that may sign the list.
    pub signers: Vec<[u8; 32]>,
    /// The mutual recognition agreement that applies to the list of a country outside the European Union.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutual_recognition: Option<Agreement>,
}

/// A trust service provider (TS 119 612 §5.4).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// `TSPName` (§5.4.1).
    pub names: Vec<LangText>,
    /// `TSPTradeName` (§5.4.2), without registration identifiers.
    pub trade_names: Vec<LangText>,
    /// Official registration identifiers among the trade names (§5.4.2).
    pub registration_identifiers: Vec<String>,
    /// `TSPServices` (§5.4.6).
    pub services: Vec<Service>,
}

/// A trust service (TS 119 612 §5.5).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Service {
    /// `ServiceDigitalIdentity` (§5.5.3), as indices into [`List::identities`].
    pub identities: Vec<u32>,
    /// The current status followed by the history (§5.5.10), newest first.
    pub periods: Vec<ServiceStatusPeriod>,
}

/// A status of a service and the information that applied with it: the current `ServiceInformation` (TS 119 612 §5.5)
/// or a former one, `ServiceHistoryInstance` (§5.6).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServiceStatusPeriod {
    /// `ServiceTypeIdentifier` (§5.5.1), a URI.
    pub service_type: String,
    /// `ServiceName` (§5.5.2).
    pub names: Vec<LangText>,
    /// `ServiceStatus` (§5.5.4), a URI.
    pub status: String,
    /// `StatusStartingTime` (§5.5.5).
    pub start: Option<Time>,
    /// The start of the next period; `None` for the current status.
    pub end: Option<Time>,
    /// `ServiceSupplyPoints` (§5.5.7), URIs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supply_points: Vec<String>,
    /// `Qualifications` (§5.5.9.2).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub qualifications: Vec<Qualification>,
    /// `AdditionalServiceInformation` (§5.5.9.4), URIs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub additional_information: Vec<String>,
    /// `ExpiredCertsRevocationInfo` (§5.5.9.1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expired_certs_revocation_info: Option<Time>,
}

/// A `QualificationElement`: qualifiers, and the criteria for the certificates to which they apply (TS 119 612
/// §5.5.9.2).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Qualification {
    /// The qualifiers, URIs.
    pub qualifiers: Vec<String>,
    /// Whether the extension is critical.
    pub critical: bool,
    /// The criteria that select certificates.
    pub criteria: Criteria,
}

impl List {
    /// Returns whether it is a list of trusted lists: of the European Union (TS 119 612 annex D.5) or of other
    /// countries.
    pub fn is_list_of_lists(&self) -> bool {
        is_list_of_lists(&self.list_type)
    }

    /// Returns the number of services.
    pub fn services(&self) -> usize {
        self.providers.iter().map(|provider| provider.services.len()).sum()
    }
}

/// Returns whether that is the type of the Union's list of lists, whose lists speak for the Union without an agreement.
pub(super) fn is_of_the_union(list_type: &str) -> bool {
    list_type.rsplit('/').next().is_some_and(|word| word.eq_ignore_ascii_case("EUlistofthelists"))
}

/// Returns whether that is the type of a list of lists.
pub(super) fn is_list_of_lists(list_type: &str) -> bool {
    let word = list_type.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    word.ends_with("listofthelists") || word == "ades-lotl-tsl-type"
}

impl Service {
    /// Returns whether it issues certificates, now or formerly.
    pub(super) fn issues_certificates(&self) -> bool {
        self.is_of_type(|word| word.starts_with("CA/") || word.starts_with("NationalRootCA"))
    }

    /// Returns whether it issues time-stamps, now or formerly.
    pub(super) fn issues_timestamps(&self) -> bool {
        self.is_of_type(|word| word.starts_with("TSA"))
    }

    fn is_of_type(&self, is: impl Fn(&str) -> bool) -> bool {
        self.periods.iter().filter_map(|period| period.service_type.split("/Svctype/").nth(1)).any(is)
    }
}

impl ServiceStatusPeriod {
    /// Returns whether the status makes the service's certificate a trust anchor: granted, supervised or accredited, or
    /// recognised or set up at national level (TS 119 612 §5.5.4 and annex D.5.6).
    pub fn is_trusted(&self) -> bool {
        const TRUSTED: [&str; 6] = [
            "granted",
            "undersupervision",
            "supervisionincessation",
            "accredited",
            "recognisedatnationallevel",
            "setbynationallaw",
        ];
        let word = self.status.strip_prefix("http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/");
        let older =
            || self.status.strip_prefix("http://uri.etsi.org/TrstSvc/eSigDir-1999-93-EC-TrustedList/Svcstatus/");
        word.or_else(older).is_some_and(|word| TRUSTED.contains(&word))
    }
}
