//! Questions to services that know their customers: sent once, to the address given and to no other.

use crate::body::Answer;
use crate::fetcher::{acceptable, text, uri};
use crate::{FetchError, Session};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre_core::document::preview;
use std::fmt;
use ureq::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use ureq::http::{HeaderValue, Request};
use url::{Host, Url};
use zeroize::Zeroizing;

/// Characters that are repeated of what a server wrote.
const WORDS: usize = 200;

/// How a service knows its customer. Wiped when dropped, never printed.
#[derive(Clone)]
pub enum Credentials {
    /// A name and a password: RFC 7617.
    Basic {
        /// The name, without a colon.
        user: String,
        /// The password.
        password: Zeroizing<String>,
    },
    /// A token: RFC 6750.
    Bearer(Zeroizing<String>),
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(…)")
    }
}

impl Credentials {
    pub(crate) fn header(&self) -> Result<HeaderValue, FetchError> {
        let text = Zeroizing::new(match self {
            Self::Basic { user, password } => {
                let pair = Zeroizing::new(format!("{user}:{}", **password));
                format!("Basic {}", *Zeroizing::new(BASE64_STANDARD.encode(pair.as_bytes())))
            }
            Self::Bearer(token) => format!("Bearer {}", **token),
        });
        let mut value = HeaderValue::from_str(&text).map_err(|_| FetchError::CredentialsUnwritable)?;
        value.set_sensitive(true);
        Ok(value)
    }
}

/// A question: a body that is sent by POST.
pub(crate) struct Question<'q> {
    pub address: &'q str,
    pub content_type: &'static str,
    pub accept: &'static str,
    pub authorization: Option<HeaderValue>,
    /// Whether the body holds a secret, too.
    pub is_secret: bool,
    pub content: &'q [u8],
    /// Bytes of the longest answer that makes sense.
    pub longest: u64,
}

impl Session<'_> {
    /// Asks once, and returns the answer whatever its status. A redirect is an answer, too: neither question nor
    /// credentials go elsewhere.
    pub(crate) fn exchange(&self, question: &Question<'_>) -> Result<Answer, FetchError> {
        let url = acceptable(Url::parse(question.address.trim())?)?;
        let mut request = Request::post(url.as_str()).body(question.content).map_err(uri)?;
        let headers = request.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(question.content_type));
        headers.insert(ACCEPT, HeaderValue::from_static(question.accept));
        if (question.is_secret || question.authorization.is_some()) && !is_confidential(&url) {
            return Err(FetchError::CredentialsInTheClear);
        }
        if let Some(authorization) = &question.authorization {
            headers.insert(AUTHORIZATION, authorization.clone());
        }
        self.run(request, question.longest)
    }
}

/// Returns whether credentials may go to an address: over TLS, or where they do not leave this machine (RFC 7617 §4,
/// RFC 6750 §5.3).
fn is_confidential(url: &Url) -> bool {
    let is_here = match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        _ => false,
    };
    url.scheme() == "https" || is_here
}

impl Answer {
    /// Checks that the status is 200; any other one is an error that says what it means.
    pub(crate) fn success(self) -> Result<Self, FetchError> {
        match self.head.status().as_u16() {
            200 => Ok(self),
            status @ (401 | 403) => Err(FetchError::Forbidden { status }),
            429 => Err(FetchError::TooMany { after: self.retry_after() }),
            status => Err(FetchError::Status { status }),
        }
    }

    /// Returns `Retry-After`, on one line: seconds or a date (RFC 9110 §10.2.3).
    pub(crate) fn retry_after(&self) -> Option<String> {
        text(self.head.headers(), RETRY_AFTER.as_str()).map(|text| short(&text))
    }

    /// Returns whether it is a page for people.
    pub(crate) fn is_page(&self) -> bool {
        let kind = text(self.head.headers(), CONTENT_TYPE.as_str()).unwrap_or_default().to_ascii_lowercase();
        let begin = self.beginning().to_ascii_lowercase();
        kind.starts_with("text/html")
            || ["<!doctype html", "<html"].iter().any(|mark| begin.trim_start().starts_with(mark))
    }

    /// Says what an answer is that is not what was expected: a page with its title, or its first bytes.
    pub(crate) fn described(&self) -> String {
        if !self.is_page() {
            return preview(&self.bytes);
        }
        let begin = self.beginning();
        // Lower-casing ASCII moves no byte.
        let lower = begin.to_ascii_lowercase();
        let title = lower.find("<title>").map(|at| at + 7).and_then(|from| {
            let to = from + lower.get(from..)?.find("</title>")?;
            begin.get(from..to).map(|title| format!(" with the title {:?}", short(title.trim())))
        });
        format!("an HTML page{}", title.unwrap_or_default())
    }

    fn beginning(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes[..self.bytes.len().min(4096)])
    }
}

/// Returns what a server wrote, on one line.
pub(crate) fn short(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(WORDS).collect()
}
