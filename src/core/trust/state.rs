//! The state of each file that was read as a list.

use super::pivot::PivotError;
use super::{ListError, SignatureDefect, Source};
use crate::facts::{Id, StructuralValidation, TrustedList};
use crate::hex;
use crate::time::Time;
use crate::vocabulary::string_enum;
use serde::{Deserialize, Serialize};

string_enum! {
    /// The role of a file among the sources.
    pub enum Role {
        /// A list of trusted lists.
        ListOfLists = "list-of-lists",
        /// A pivot: an earlier list of trusted lists, which names new LOTL-signing certificates.
        Pivot = "pivot",
        /// A national list to which a list of trusted lists points.
        TrustedList = "trusted-list",
        /// None of these.
        Unused = "unused",
    }
}

/// The state of a source: what it is, and whether it can be relied on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ListState {
    /// The file's name.
    pub name: String,
    /// Its size in bytes.
    pub size: usize,
    /// Its SHA-256 in lower-case hexadecimal.
    pub sha256: String,
    /// When it was fetched.
    pub loaded: Option<Time>,
    /// Its role among the sources.
    pub role: Role,
    /// The URL of the list, from the pointer to it.
    pub url: Option<String>,
    /// The index, among the states, of the list that points to it.
    pub parent: Option<usize>,
    /// `SchemeTerritory`, an ISO 3166 code.
    pub territory: Option<String>,
    /// `TSLType`, a URI; empty where the file is not a list.
    pub list_type: String,
    /// `TSLVersionIdentifier`.
    pub version: Option<i64>,
    /// `TSLSequenceNumber`.
    pub sequence_number: Option<i64>,
    /// `ListIssueDateTime`.
    pub issue_date: Option<Time>,
    /// `NextUpdate`.
    pub next_update: Option<Time>,
    /// The subject of the signing certificate, in the syntax of RFC 2253; `None` where the signature is not valid.
    pub signer: Option<String>,
    /// The number of services.
    pub services: usize,
    /// Whether the list can be relied on: an authorised certificate signed it, and no newer issue is there.
    pub trusted: bool,
    /// Whether the pointer to it states a mutual recognition agreement.
    pub mutual_recognition: bool,
    /// Whether it was reached through a list of trusted lists other than the European Union's: it then counts for
    /// advanced signatures only, unless an agreement says more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub third_country: bool,
    /// The services that the agreement covers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recognised: Vec<RecognisedService>,
    /// What is wrong with it, in the order of its finding.
    pub problems: Vec<Problem>,
    /// Elements that TS 119 612 requires and the list lacks.
    pub structure: Vec<String>,
}

/// A service that a mutual recognition agreement covers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecognisedService {
    /// `TrustServiceLegalIdentifier`.
    pub legal_identifier: String,
    /// Whether the equivalence is in force.
    pub enacted: bool,
    /// The start of that state.
    pub since: Time,
}

/// A list that is absent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// `SchemeTerritory` of the pointer to it.
    pub territory: Option<String>,
    /// `TSLLocation` of the pointer to it.
    pub url: String,
}

/// What is wrong with a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Problem {
    /// A stable key.
    pub key: ProblemKey,
    /// What was found and what was expected, in words.
    pub message: String,
}

string_enum! {
    /// The kinds of problem.
    pub enum ProblemKey {
        /// The file is not a list.
        Unreadable = "unreadable",
        /// The signature is not accepted.
        Signature = "signature",
        /// The chain of pivots to it is broken.
        Chain = "chain",
        /// The pointer to it does not name its signer.
        Signer = "signer",
        /// The pointer to it names another country.
        Country = "country",
        /// The pointer to it names another type.
        Type = "type",
        /// A newer issue is present.
        Superseded = "superseded",
        /// No list of trusted lists that can be relied on points to it.
        NotPointedAt = "not-pointed-at",
    }
}

impl Problem {
    pub(super) fn new(key: ProblemKey, message: impl ToString) -> Self {
        Self { key, message: message.to_string() }
    }

    pub(super) fn chain(broken: &PivotError) -> Self {
        Self::new(ProblemKey::Chain, broken)
    }
}

impl From<&ListError> for Problem {
    fn from(error: &ListError) -> Self {
        Self::new(ProblemKey::Unreadable, error)
    }
}

impl From<&SignatureDefect> for Problem {
    fn from(defect: &SignatureDefect) -> Self {
        Self::new(ProblemKey::Signature, defect)
    }
}

impl ListState {
    /// Returns what the file itself says.
    pub(super) fn of(source: &Source) -> Self {
        let mut state = Self {
            name: source.name.clone(),
            size: source.size,
            sha256: hex::lower(&source.sha256),
            loaded: source.loaded,
            role: Role::Unused,
            url: None,
            parent: None,
            territory: None,
            list_type: String::new(),
            version: None,
            sequence_number: None,
            issue_date: None,
            next_update: None,
            signer: None,
            services: 0,
            trusted: false,
            mutual_recognition: false,
            third_country: false,
            recognised: vec![],
            problems: vec![],
            structure: vec![],
        };
        match &source.read {
            Ok(signed) => {
                let list = &signed.list;
                state.territory.clone_from(&list.territory);
                state.list_type.clone_from(&list.list_type);
                state.version = list.version;
                state.sequence_number = list.sequence_number;
                state.issue_date = list.issue_date;
                state.next_update = list.next_update;
                state.services = list.services();
                state.structure.clone_from(&list.problems);
                match &signed.signer {
                    Ok(signer) => state.signer = Some(signer.subject().rfc2253().to_owned()),
                    Err(defect) => state.problems.push(defect.into()),
                }
            }
            Err(error) => state.problems.push(error.into()),
        }
        state
    }

    /// Returns whether the next issue is overdue at `time`.
    pub fn is_expired_at(&self, time: Time) -> bool {
        self.next_update.is_some_and(|next| next <= time)
    }

    /// Returns its name in the record.
    pub(super) fn id(&self) -> Id {
        let prefix = if self.role == Role::ListOfLists { "LOTL-" } else { "TL-" };
        Id::new(format!("{prefix}{}", self.sha256.to_ascii_uppercase()))
    }

    /// Returns the list as it stands in the record.
    pub(super) fn facts(&self, parent: Option<Id>) -> TrustedList {
        TrustedList {
            id: self.id(),
            lotl: self.role == Role::ListOfLists,
            parent,
            mra: self.mutual_recognition,
            third_country: self.third_country,
            country: self.territory.clone(),
            url: self.url.clone().unwrap_or_else(|| self.name.clone()),
            list_type: Some(self.list_type.clone()),
            sequence_number: self.sequence_number,
            version: self.version,
            last_loading: self.loaded,
            issue_date: self.issue_date,
            next_update: self.next_update,
            well_signed: self.trusted,
            structural_validation: Some(StructuralValidation {
                valid: self.structure.is_empty(),
                messages: self.structure.clone(),
            }),
        }
    }
}
