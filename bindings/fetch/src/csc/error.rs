use crate::FetchError;

/// Why a remote signing service did not do what it was asked.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum CscError {
    /// No answer came.
    #[error("{}", .0.sentence())]
    Fetch(#[from] FetchError),
    /// The service refused, and said why.
    #[error("the signing service answers {error:?} (status {status}){}", said(.description))]
    Service {
        /// The status of the answer.
        status: u16,
        /// The code: `invalid_request`, `access_denied` …
        error: String,
        /// The service's own words, without control characters, up to a length.
        description: String,
    },
    /// The answer is not what the interface has.
    #[error("the answer to {method} is {found}, expected {expected}")]
    Answer {
        /// What was asked.
        method: &'static str,
        /// What was found.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// As many values as digests are expected.
    #[error("the signing service returned {found} signature values, expected {expected}")]
    Count {
        /// How many came.
        found: usize,
        /// How many digests were sent.
        expected: usize,
    },
    /// Digests of one function, of its length, are what is signed together.
    #[error("found a digest of {found} bytes, expected {expected} (one digest function for all)")]
    Digest {
        /// The length of a digest.
        found: usize,
        /// That of the function.
        expected: usize,
    },
    /// The credential signs fewer digests at once.
    #[error("found {found} digests, expected at most {limit} in one authorisation of this credential")]
    TooMany {
        /// How many there are.
        found: usize,
        /// `multisign`.
        limit: u32,
    },
    /// The credential does not sign by this algorithm.
    #[error("the credential does not sign with {algorithm}, expected one of: {}", .offered.join(", "))]
    Algorithm {
        /// The algorithm.
        algorithm: String,
        /// Object identifiers of those that it has.
        offered: Vec<String>,
    },
    /// The credential or its certificate is not in use.
    #[error("the credential is {found}, expected one that is enabled, with a valid certificate")]
    Disabled {
        /// What it is.
        found: String,
    },
    /// The address to which the browser was sent is not the answer to this authorisation.
    #[error("the answer of the authorisation is {found}, expected {expected}")]
    Redirect {
        /// What was found.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
}

fn said(description: &str) -> String {
    if description.is_empty() { String::new() } else { format!(": {description}") }
}

impl CscError {
    /// Returns the cause as a code: `csc-` and a word.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Fetch(FetchError::TooMany { .. }) => "csc-quota",
            Self::Fetch(FetchError::Forbidden { .. }) => "csc-denied",
            Self::Fetch(_) => "csc-unreachable",
            Self::Service { error, status, .. } => match error.as_str() {
                "access_denied" | "invalid_token" | "invalid_grant" | "invalid_client" | "unauthorized_client" => {
                    "csc-denied"
                }
                _ if matches!(status, 401 | 403) => "csc-denied",
                _ => "csc-refused",
            },
            Self::Answer { .. } => "csc-answer",
            Self::Count { .. } => "count-differs",
            Self::Digest { .. } => "digest-length",
            Self::TooMany { .. } => "csc-too-many",
            Self::Algorithm { .. } => "csc-algorithm",
            Self::Disabled { .. } => "csc-disabled",
            Self::Redirect { .. } => "csc-redirect",
        }
    }
}
