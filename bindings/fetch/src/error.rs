//! Why something was not fetched.

use lacre::{
    Id,
    report::{Attempt, Tried, WantedKind},
};
use std::net::IpAddr;
use std::time::Duration;

/// Why one address gave nothing.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// Not an address.
    #[error("the address cannot be read: {0}")]
    Address(#[from] url::ParseError),
    /// LDAP, files, mail.
    #[error("the address is of the scheme {scheme}, expected http or https")]
    Scheme { scheme: String },
    /// An address with a name and a password in it.
    #[error("the address holds a user name or a password, expected none")]
    Credentials,
    /// A host within the operator's network.
    #[error("the host {host} has the address {address}, expected a public one")]
    PrivateAddress { host: String, address: IpAddr },
    /// The server says no.
    #[error("the server answers with status {status}, expected 200")]
    Status { status: u16 },
    /// The server does not know the customer, or not this one: RFC 9110 §15.5.2, §15.5.4.
    #[error("the server answers with status {status}: it asks for credentials, or for others")]
    Forbidden { status: u16 },
    /// The customer asked too often: RFC 6585 §4.
    #[error("the server answers with status 429: too many requests{}", again(.after))]
    TooMany {
        /// `Retry-After`: seconds, or a date.
        after: Option<String>,
    },
    /// Credentials would be sent where others can read them.
    #[error("credentials are for a server without TLS, expected an address of https")]
    CredentialsInTheClear,
    /// Credentials have characters that no header field may have.
    #[error("the credentials hold characters that HTTP does not carry")]
    CredentialsUnwritable,
    /// The system has no random numbers.
    #[error("the system gives no random numbers")]
    Randomness,
    /// More redirects than anybody needs.
    #[error("the server redirects more than {limit} times")]
    Redirects { limit: usize },
    /// A redirect that says not whereto.
    #[error("the server redirects without saying whereto")]
    NoLocation,
    /// An answer that does not end, or should have ended before.
    #[error("the answer is longer than {limit} bytes")]
    TooLong { limit: u64 },
    /// An answer that does not come.
    #[error("no answer within {} s", .limit.as_secs_f32())]
    TimeOut { limit: Duration },
    /// The bounds of the session.
    #[error("{limit} requests were made, as many as one judgement may cause")]
    Requests { limit: usize },
    /// The bounds of the session.
    #[error("the time for fetching is over: {} s", .limit.as_secs_f32())]
    Over { limit: Duration },
    /// The connection failed.
    #[error("the connection failed")]
    Connection(#[source] Box<ureq::Error>),
    /// The response is not of the requested kind.
    #[error("the answer is {found}, expected {expected}")]
    Content { found: String, expected: String },
}

fn again(after: &Option<String>) -> String {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match after.as_deref() {
        Some(seconds) if is_number(seconds) => format!(", again after {seconds} s"),
        Some(date) => format!(", again after {date}"),
        None => String::new(),
    }
}

/// Something that is wanted and that could not be had from one address.
#[derive(Debug)]
pub struct Failure {
    /// What kind.
    pub kind: WantedKind,
    /// The token that it is about.
    pub about: Id,
    /// Where it was looked for.
    pub url: String,
    /// Why there is none.
    pub error: FetchError,
}

impl FetchError {
    /// Returns whether the same request may succeed a moment later.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::TimeOut { .. } | Self::Connection(_) | Self::TooMany { .. } => true,
            Self::Status { status } => *status >= 500 || *status == 429,
            _ => false,
        }
    }

    /// Returns the whole error in one sentence: the causes follow after colons.
    pub fn sentence(&self) -> String {
        let mut sentence = self.to_string();
        let mut source = std::error::Error::source(self);
        while let Some(cause) = source {
            sentence.push_str(&format!(": {cause}"));
            source = cause.source();
        }
        sentence
    }
}

impl Failure {
    /// Returns the failure as an attempt, for a report.
    pub fn attempt(&self) -> Attempt {
        let tried = Tried { url: self.url.clone(), reason: self.error.sentence() };
        Attempt { kind: self.kind, about: self.about.clone(), tried }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.url, self.error.sentence())
    }
}
