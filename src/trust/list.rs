//! What a trusted list says: TS 119 612 §5, in the words of its fields.

use super::criteria::Criteria;
use super::recognition::Agreement;
use crate::facts::LangText;
use crate::time::Time;
use serde::{Deserialize, Serialize};

/// A trusted list or list of lists.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    /// §5.3.1.
    pub version: Option<i64>,
    /// §5.3.2.
    pub sequence_number: Option<i64>,
    /// §5.3.3: a URI.
    pub list_type: String,
    /// §5.3.4: who publishes it.
    pub operator: Vec<LangText>,
    /// §5.3.7: where it is explained; in a list of lists also its pivots and the announcement of its signers.
    pub information: Vec<String>,
    /// §5.3.10.
    pub territory: Option<String>,
    /// §5.3.14.
    pub issue_date: Option<Time>,
    /// §5.3.15. A closed list has none.
    pub next_update: Option<Time>,
    /// §5.3.13: the lists that it points at.
    pub pointers: Vec<Pointer>,
    /// §5.3.18.
    pub providers: Vec<Provider>,
    /// By what services are identified, each once.
    #[serde(skip)]
    pub identities: Vec<Identity>,
    /// What the list that points at it says of mutual recognition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recognition: Option<Agreement>,
    /// What the list lacks of that which the standard asks for.
    pub problems: Vec<String>,
}

/// By what a service is identified: §5.5.3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Identity {
    /// A certificate: DER.
    Certificate(Box<[u8]>),
    /// The first half of the SHA-256 of a public key and a subject, where that is all that was kept of a certificate.
    Entity([u8; 16]),
}

/// A list that is pointed at: §5.3.13.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pointer {
    /// Where the list is published.
    pub location: String,
    /// Its type, a URI.
    pub list_type: Option<String>,
    /// Whose list it is.
    pub territory: Option<String>,
    /// In which form the list is there; only one of XML is a trusted list.
    pub mime_type: Option<String>,
    /// The SHA-256 of each certificate that may sign the list.
    pub signers: Vec<[u8; 32]>,
    /// The agreement on mutual recognition under which a list of a country outside the Union counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutual_recognition: Option<Agreement>,
}

/// A provider: §5.4.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// §5.4.1.
    pub names: Vec<LangText>,
    /// §5.4.2, but for
    pub trade_names: Vec<LangText>,
    /// its official registration identifiers.
    pub registration_identifiers: Vec<String>,
    /// §5.4.6.
    pub services: Vec<Service>,
}

/// A service: §5.5.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Service {
    /// §5.5.3, as places in [`List::identities`].
    pub identities: Vec<u32>,
    /// The present state and, after it, the history (§5.5.10), newest first.
    pub periods: Vec<Period>,
}

/// A status and what went with it, since and until when.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Period {
    /// §5.5.1: a URI.
    pub service_type: String,
    /// §5.5.2.
    pub names: Vec<LangText>,
    /// §5.5.4: a URI.
    pub status: String,
    /// §5.5.5.
    pub start: Option<Time>,
    /// When the next period began.
    pub end: Option<Time>,
    /// §5.5.7.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supply_points: Vec<String>,
    /// §5.5.9.2.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub qualifications: Vec<Qualification>,
    /// §5.5.9.4: URIs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub additional_information: Vec<String>,
    /// §5.5.9.1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expired_certs_revocation_info: Option<Time>,
}

/// Qualifiers and the certificates that they are about: §5.5.9.2.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Qualification {
    /// URIs.
    pub qualifiers: Vec<String>,
    /// Whether the extension is critical.
    pub critical: bool,
    /// Which certificates.
    pub criteria: Criteria,
}

impl List {
    /// Whether it is a list of lists: annex D.5 of TS 119 612, or one that points at the lists of other countries.
    pub fn is_list_of_lists(&self) -> bool {
        is_list_of_lists(&self.list_type)
    }

    /// How many services it lists.
    pub fn services(&self) -> usize {
        self.providers.iter().map(|provider| provider.services.len()).sum()
    }
}

/// Whether that is the type of the Union's list of lists, whose lists speak for the Union without an agreement.
pub(super) fn is_of_the_union(list_type: &str) -> bool {
    list_type.rsplit('/').next().is_some_and(|word| word.eq_ignore_ascii_case("EUlistofthelists"))
}

/// Whether that is the type of a list of lists.
pub(super) fn is_list_of_lists(list_type: &str) -> bool {
    let word = list_type.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    word.ends_with("listofthelists") || word == "ades-lotl-tsl-type"
}

impl Service {
    /// Whether it issues certificates, now or formerly.
    pub(super) fn issues_certificates(&self) -> bool {
        self.is_of_type(|word| word.starts_with("CA/") || word.starts_with("NationalRootCA"))
    }

    /// Whether it issues time-stamps, now or formerly.
    pub(super) fn issues_timestamps(&self) -> bool {
        self.is_of_type(|word| word.starts_with("TSA"))
    }

    fn is_of_type(&self, is: impl Fn(&str) -> bool) -> bool {
        self.periods.iter().filter_map(|period| period.service_type.split("/Svctype/").nth(1)).any(is)
    }
}

impl Period {
    /// Whether its status makes the service's certificate a trust anchor: granted, supervised or accredited, or
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
