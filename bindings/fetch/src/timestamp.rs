//! Time-stamps over HTTP: RFC 3161 §3.4.

use crate::exchange::Question;
use crate::{Credentials, FetchError, Session};
use lacre_core::algorithm::DigestAlgorithm;
use lacre_core::formats::tsp::{Rejection, ResponseError, TimestampQuery};
use lacre_core::signing::{SigningError, SigningErrorCode};
use lacre_core::time::Time;
use std::fmt;

/// Bytes of the longest response. Tokens with all their certificates have some 10,000.
const LONGEST: u64 = 1 << 20;
/// Bytes of a nonce.
const NONCE: usize = 16;

/// A time-stamping authority, and what it is asked for.
#[derive(Debug, Clone)]
pub struct TimestampAuthority {
    url: String,
    credentials: Option<Credentials>,
    policy: Option<String>,
    nonce: bool,
}

impl TimestampAuthority {
    /// Makes the authority at this address, which is asked with a nonce and leaves the policy to itself.
    pub fn at(url: impl Into<String>) -> Self {
        Self { url: url.into(), credentials: None, policy: None, nonce: true }
    }

    /// Adds the credentials that it asks for. They are sent over TLS only, or to this machine.
    pub fn with_credentials(mut self, credentials: Credentials) -> Self {
        self.credentials = Some(credentials);
        self
    }

    /// Adds the policy under which it is to stamp, an object identifier (dotted).
    pub fn with_policy(mut self, policy: impl Into<String>) -> Self {
        self.policy = Some(policy.into());
        self
    }

    /// Leaves the nonce out, for an authority that knows none. An old response over the same imprint is then noticed by
    /// its time alone.
    pub fn without_nonce(mut self) -> Self {
        self.nonce = false;
        self
    }

    /// Returns its address.
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// A time-stamp that was asked for.
#[derive(Debug)]
pub struct Timestamp {
    /// The token: a `ContentInfo`.
    pub token: Vec<u8>,
    /// The address of the authority that made it.
    pub url: String,
    /// Why those that were asked before gave none.
    pub failures: Vec<TimestampFailure>,
}

/// Why one authority gave no time-stamp.
#[derive(Debug)]
pub struct TimestampFailure {
    /// Its address.
    pub url: String,
    /// Why.
    pub error: TimestampFault,
}

/// What went wrong with one authority.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum TimestampFault {
    /// No response came.
    #[error("{}", .0.sentence())]
    Fetch(FetchError),
    /// The response is refused.
    #[error(transparent)]
    Response(#[from] ResponseError),
    /// The policy that it was to be asked for is no object identifier.
    #[error("the time-stamp policy is {0:?}, expected an object identifier such as 0.4.0.2023.1.1")]
    Policy(String),
}

/// Why there is no time-stamp: one failure for each authority, in the order in which they were asked.
#[derive(Debug)]
pub struct TimestampError {
    /// The failures. None: no authority was named.
    pub failures: Vec<TimestampFailure>,
}

impl TimestampFault {
    /// Returns the cause as a code.
    pub fn code(&self) -> SigningErrorCode {
        match self {
            Self::Fetch(FetchError::TooMany { .. }) => SigningErrorCode::TsaQuota,
            // It answered, and what it answered is no time-stamp.
            Self::Fetch(FetchError::Content { .. } | FetchError::TooLong { .. }) => {
                SigningErrorCode::TsaReplyUnreadable
            }
            Self::Fetch(_) => SigningErrorCode::TsaUnreachable,
            Self::Response(error) => SigningError::from(error.clone()).code(),
            Self::Policy(_) => SigningErrorCode::TsaPolicy,
        }
    }

    /// Says what the user could do about it.
    pub fn hint(&self) -> String {
        let text = match self {
            Self::Fetch(FetchError::TooMany { after: Some(_) }) => "ask again later, or another authority",
            Self::Fetch(FetchError::Forbidden { .. }) => "check name and password, or the token, for this authority",
            Self::Fetch(FetchError::Content { .. }) => "check the address: it may not be that of the service itself",
            Self::Fetch(FetchError::PrivateAddress { .. }) => {
                "permit the address, where it is that of your own authority"
            }
            Self::Fetch(FetchError::CredentialsInTheClear) => "use the address of the authority that begins with https",
            Self::Fetch(_) => "check the address, or ask another authority",
            Self::Response(error) => return SigningError::from(error.clone()).hint().unwrap_or_default().to_owned(),
            Self::Policy(_) => "leave the policy to the authority, or name one of its own",
        };
        text.to_owned()
    }
}

impl TimestampError {
    /// Returns the cause as a code: that of the last authority.
    pub fn code(&self) -> SigningErrorCode {
        self.failures.last().map_or(SigningErrorCode::TsaUnreachable, |failure| failure.error.code())
    }
}

impl fmt::Display for TimestampFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.url, self.error)
    }
}

impl fmt::Display for TimestampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.failures.is_empty() {
            return f.write_str("no time-stamping authority was named, expected the address of one");
        }
        f.write_str("no time-stamp")?;
        self.failures.iter().try_for_each(|failure| write!(f, "\n  {failure}"))
    }
}

impl std::error::Error for TimestampError {}

impl Session<'_> {
    /// Asks these authorities in their order for a time-stamp over a digest, and returns the first good one: no other
    /// is asked after it, since time-stamps cost money.
    ///
    /// `time` is now: the time-stamp is of a time within five minutes of it. Whether the authority is trusted is the
    /// judgement's to say.
    ///
    /// # Errors
    ///
    /// [`TimestampError`] with the failure of each authority.
    pub fn timestamp(
        &self,
        authorities: &[TimestampAuthority],
        function: DigestAlgorithm,
        digest: &[u8],
        time: Time,
    ) -> Result<Timestamp, TimestampError> {
        let mut failures = vec![];
        for authority in authorities {
            let url = authority.url.clone();
            match self.ask(authority, function, digest, time) {
                Ok(token) => return Ok(Timestamp { token, url, failures }),
                Err(error) => failures.push(TimestampFailure { url, error }),
            }
        }
        Err(TimestampError { failures })
    }

    fn ask(
        &self,
        authority: &TimestampAuthority,
        function: DigestAlgorithm,
        digest: &[u8],
        time: Time,
    ) -> Result<Vec<u8>, TimestampFault> {
        // A digest of another length is a request that every authority rejects.
        let query = TimestampQuery::new(function, digest).ok_or_else(|| ResponseError::Rejected {
            status: 2,
            causes: vec![Rejection::BadDataFormat],
            text: "not asked".into(),
        })?;
        let query = match &authority.policy {
            Some(policy) => query.with_policy(policy).ok_or_else(|| TimestampFault::Policy(policy.clone()))?,
            None => query,
        };
        let query = if authority.nonce { query.with_nonce(nonce().map_err(TimestampFault::Fetch)?) } else { query };
        let authorization = authority.credentials.as_ref().map(Credentials::header).transpose();
        let question = Question {
            address: &authority.url,
            content_type: "application/timestamp-query",
            accept: "application/timestamp-reply",
            authorization: authorization.map_err(TimestampFault::Fetch)?,
            is_secret: false,
            content: &query.to_der(),
            longest: LONGEST,
        };
        let answer = self.exchange(&question).and_then(|answer| answer.success()).map_err(TimestampFault::Fetch)?;
        match query.token(&answer.bytes, time) {
            Ok(token) => Ok(token.to_vec()),
            // RFC 3161 §3.4 has a type of its own for responses; what is read without it is taken all the same.
            Err(ResponseError::Unreadable { .. }) if answer.is_page() => {
                let expected = "a response to a time-stamp request (application/timestamp-reply)".to_owned();
                Err(TimestampFault::Fetch(FetchError::Content { found: answer.described(), expected }))
            }
            Err(error) => Err(error.into()),
        }
    }
}

fn nonce() -> Result<Vec<u8>, FetchError> {
    let mut bytes = vec![0; NONCE];
    getrandom::fill(&mut bytes).map_err(|_| FetchError::Randomness)?;
    Ok(bytes)
}
