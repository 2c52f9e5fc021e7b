//! What came of each file that was read as a list.

use super::announcement::BrokenChain;
use super::{ListError, SignatureDefect, Source};
use crate::facts::{Id, StructuralValidation, TrustedList};
use crate::hex;
use crate::time::Time;
use crate::vocabulary::words;
use serde::{Deserialize, Serialize};

words! {
    /// What a file is for the others.
    pub enum Role {
        /// The list of lists.
        ListOfLists = "list-of-lists",
        /// An earlier list of lists, which names new signers.
        Pivot = "pivot",
        /// A list that the list of lists points at.
        TrustedList = "trusted-list",
        /// None of them.
        Unused = "unused",
    }
}

/// A file that was read as a list, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ListState {
    /// The file's name.
    pub name: String,
    /// How many octets it has.
    pub size: usize,
    /// Their SHA-256, lower-case hexadecimal.
    pub sha256: String,
    /// When it was fetched.
    pub loaded: Option<Time>,
    /// What it is.
    pub role: Role,
    /// Where it is published, as the list that points at it says.
    pub url: Option<String>,
    /// The place of that list among the states.
    pub parent: Option<usize>,
    /// The country.
    pub territory: Option<String>,
    /// A URI.
    pub list_type: String,
    /// The version of the format.
    pub version: Option<i64>,
    /// The number of this issue.
    pub sequence_number: Option<i64>,
    /// When it was issued.
    pub issue_date: Option<Time>,
    /// When the next one is due at the latest.
    pub next_update: Option<Time>,
    /// Who signed it, RFC 2253; `None` where the signature is not valid.
    pub signer: Option<String>,
    /// How many services it lists.
    pub services: usize,
    /// Whether it makes somebody trusted: it is signed by whom it should be, and the newest of its kind.
    pub trusted: bool,
    /// Whether the list that points at it states an agreement on mutual recognition.
    pub mutual_recognition: bool,
    /// Whether it is reached over a list of lists of other countries than the Union's: for advanced signatures only, where
    /// no agreement says more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub third_country: bool,
    /// The services that the agreement is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recognised: Vec<RecognisedService>,
    /// What is wrong with it, in the order in which it showed.
    pub problems: Vec<Problem>,
    /// What it lacks of that which TS 119 612 asks for.
    pub structure: Vec<String>,
}

/// A service of another country that an agreement on mutual recognition is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecognisedService {
    /// How the agreement calls it.
    pub legal_identifier: String,
    /// Whether the equivalence is in force now.
    pub enacted: bool,
    /// Since when that is so.
    pub since: Time,
}

/// A list that is not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// The country.
    pub territory: Option<String>,
    /// Where it is published.
    pub url: String,
}

/// What is wrong with a file that was read as a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Problem {
    /// A stable key.
    pub key: ProblemKey,
    /// What was found and what was expected.
    pub message: String,
}

words! {
    /// What may be wrong with a list.
    pub enum ProblemKey {
        /// It is no list that can be read.
        Unreadable = "unreadable",
        /// Its signature does not count.
        Signature = "signature",
        /// The way from the announcement to it breaks.
        Chain = "chain",
        /// Its signer is not named by the list that points at it.
        Signer = "signer",
        /// It is of another country than the list that points at it says.
        Country = "country",
        /// A newer issue is there.
        Superseded = "superseded",
        /// No trusted list points at it.
        NotPointedAt = "not-pointed-at",
    }
}

impl Problem {
    pub(super) fn new(key: ProblemKey, message: impl ToString) -> Self {
        Self { key, message: message.to_string() }
    }

    pub(super) fn chain(broken: &BrokenChain) -> Self {
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
    /// What the file itself says.
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

    /// Whether its next issue is overdue at `time`.
    pub fn is_expired_at(&self, time: Time) -> bool {
        self.next_update.is_some_and(|next| next <= time)
    }

    /// Its name in the record.
    pub(super) fn id(&self) -> Id {
        let prefix = if self.role == Role::ListOfLists { "LOTL-" } else { "TL-" };
        Id::new(format!("{prefix}{}", self.sha256.to_ascii_uppercase()))
    }

    /// The list as it stands in the record.
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
