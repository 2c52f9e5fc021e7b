//! The HTTP client: requests of RFC 9110, cached after RFC 9111.

use crate::address::{Guarded, Refused};
use crate::body::{self, Answer};
use crate::cache::Stored;
use crate::{Addresses, Cache, FetchError, Limits, Session};
use http_cache_semantics::BeforeRequest;
use std::time::SystemTime;
use ureq::Agent;
use ureq::http::header::{ACCEPT, CONTENT_TYPE, LOCATION};
use ureq::http::{HeaderMap, HeaderValue, Request};
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::DefaultConnector;
use url::Url;

/// Fetches over HTTP. One fetcher serves a whole process: it holds open connections and the cache.
#[derive(Debug)]
pub struct Fetcher {
    agent: Agent,
    cache: Option<Cache>,
}

impl Fetcher {
    /// Returns a fetcher for these addresses, without a cache.
    pub fn new(addresses: Addresses) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // Each redirect is looked at here.
            .max_redirects(0)
            .max_redirects_will_error(false)
            // A proxy resolves names by itself, and so would reach what must not be.
            .proxy(None)
            .user_agent(concat!("lacre/", env!("CARGO_PKG_VERSION")))
            .build();
        let resolver = Guarded { inner: DefaultResolver::default(), addresses };
        Self { agent: Agent::with_parts(config, DefaultConnector::new(), resolver), cache: None }
    }

    /// Caches responses in `cache` as RFC 9111 permits.
    pub fn cached(mut self, cache: Cache) -> Self {
        self.cache = Some(cache);
        self
    }

    /// Begins a session within these bounds.
    pub fn session(&self, limits: Limits) -> Session<'_> {
        Session::new(self, limits)
    }
}

/// What a response leads to.
enum Step {
    Body(Vec<u8>),
    Unchanged,
    Redirect(Url),
}

/// The validators of a copy: RFC 9110 §8.8.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validators {
    /// `ETag`.
    pub etag: Option<String>,
    /// `Last-Modified`.
    pub last_modified: Option<String>,
}

impl Session<'_> {
    /// Returns the body at an address, from the cache where that may be used.
    ///
    /// # Errors
    ///
    /// When the address is refused or gives no body within the bounds.
    pub fn get(&self, address: &str) -> Result<Vec<u8>, FetchError> {
        self.follow(address, |url| self.cached(url))
    }

    /// Sends a body, such as an OCSP request, and returns the body of the response, which is not cached.
    ///
    /// # Errors
    ///
    /// When the address is refused or gives no body within the bounds.
    pub fn post(&self, address: &str, content_type: &'static str, content: &[u8]) -> Result<Vec<u8>, FetchError> {
        self.follow(address, |url| {
            let mut request = Request::post(url.as_str()).body(content).map_err(uri)?;
            request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
            match step(url, self.run(request, u64::MAX)?)? {
                // RFC 9110 §15.4: after 301 to 303 the method would change, and the question be lost.
                (Step::Redirect(_), status) if !matches!(status, 307 | 308) => Err(FetchError::Status { status }),
                (step, _) => Ok(step),
            }
        })
    }

    fn follow(
        &self,
        address: &str,
        mut ask: impl FnMut(&Url) -> Result<Step, FetchError>,
    ) -> Result<Vec<u8>, FetchError> {
        let mut url = acceptable(Url::parse(address.trim())?)?;
        for _ in 0..=self.limits.redirects {
            match ask(&url)? {
                Step::Body(bytes) => return Ok(bytes),
                Step::Redirect(next) => url = acceptable(next)?,
                Step::Unchanged => return Err(FetchError::Status { status: 304 }),
            }
        }
        Err(FetchError::Redirects { limit: self.limits.redirects })
    }

    fn cached(&self, url: &Url) -> Result<Step, FetchError> {
        let mut request = get(url)?;
        let stored = self.fetcher.cache.as_ref().and_then(|cache| cache.find(url.as_str()));
        if let Some(stored) = &stored {
            match stored.policy.before_request(&request, SystemTime::now()) {
                BeforeRequest::Fresh(_) => return Ok(Step::Body(stored.body.clone())),
                BeforeRequest::Stale { request: conditional, matches: true } => {
                    *request.headers_mut() = conditional.headers
                }
                BeforeRequest::Stale { .. } => {}
            }
        }
        let asked = request.clone();
        let answer = self.run(request, u64::MAX)?;
        let head = answer.head.clone();
        let step = step(url, answer)?.0;
        match (step, stored, &self.fetcher.cache) {
            (Step::Unchanged, Some(stored), Some(cache)) => {
                let renewed = stored.renewed(&asked, &head, SystemTime::now());
                cache.store(url.as_str(), &renewed);
                Ok(Step::Body(renewed.body))
            }
            (Step::Body(bytes), _, Some(cache)) => {
                let fresh = Stored::new(&asked, &head, bytes);
                if fresh.policy.is_storable() {
                    cache.store(url.as_str(), &fresh);
                }
                Ok(Step::Body(fresh.body))
            }
            (step, ..) => Ok(step),
        }
    }

    /// Returns the body at an address, where it changed since; and what tells the next time whether it did.
    ///
    /// # Errors
    ///
    /// When the address is refused or gives no body within the bounds.
    pub fn changed(&self, address: &str, known: &Validators) -> Result<Option<(Vec<u8>, Validators)>, FetchError> {
        let mut found = Validators::default();
        let asked = self.follow(address, |url| {
            let mut request = get(url)?;
            let headers = request.headers_mut();
            for (name, value) in [("if-none-match", &known.etag), ("if-modified-since", &known.last_modified)] {
                if let Some(value) = value.as_deref().and_then(|value| HeaderValue::from_str(value).ok()) {
                    headers.insert(name, value);
                }
            }
            let answer = self.run(request, u64::MAX)?;
            found = Validators {
                etag: text(answer.head.headers(), "etag"),
                last_modified: text(answer.head.headers(), "last-modified"),
            };
            Ok(step(url, answer)?.0)
        });
        match asked {
            Ok(bytes) => Ok(Some((bytes, found))),
            Err(FetchError::Status { status: 304 }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Sends a request and reads the response within the bounds, and within `longest` bytes.
    pub(crate) fn run(&self, request: Request<impl ureq::AsSendBody>, longest: u64) -> Result<Answer, FetchError> {
        let (patience, bytes) = self.spend()?;
        let agent = &self.fetcher.agent;
        let request = agent.configure_request(request).timeout_global(Some(patience)).build();
        let failed = |error| failure(error, patience);
        let answer = body::read(agent.run(request).map_err(failed)?, bytes.min(longest), patience)?;
        self.received(answer.bytes.len());
        Ok(answer)
    }
}

fn get(url: &Url) -> Result<Request<()>, FetchError> {
    let mut request = Request::get(url.as_str()).body(()).map_err(uri)?;
    request.headers_mut().insert(ACCEPT, HeaderValue::from_static("*/*"));
    Ok(request)
}

/// Interprets a response and its status: RFC 9110 §15.
fn step(url: &Url, answer: Answer) -> Result<(Step, u16), FetchError> {
    let status = answer.head.status().as_u16();
    let step = match status {
        200 => Step::Body(answer.bytes),
        304 => Step::Unchanged,
        301 | 302 | 303 | 307 | 308 => {
            let location = text(answer.head.headers(), LOCATION.as_str()).ok_or(FetchError::NoLocation)?;
            Step::Redirect(url.join(&location)?)
        }
        _ => return Err(FetchError::Status { status }),
    };
    Ok((step, status))
}

/// Checks that an address is of http or https and has no user information.
pub(crate) fn acceptable(url: Url) -> Result<Url, FetchError> {
    match url.scheme() {
        "http" | "https" if !url.username().is_empty() || url.password().is_some() => Err(FetchError::Credentials),
        "http" | "https" => Ok(url),
        other => Err(FetchError::Scheme { scheme: other.to_owned() }),
    }
}

pub(crate) fn text(headers: &HeaderMap, name: &str) -> Option<String> {
    Some(headers.get(name)?.to_str().ok()?.to_owned())
}

pub(crate) fn uri(error: ureq::http::Error) -> FetchError {
    FetchError::Connection(Box::new(error.into()))
}

/// Converts an error of the HTTP client.
pub(crate) fn failure(error: ureq::Error, patience: std::time::Duration) -> FetchError {
    match &error {
        ureq::Error::Timeout(_) => return FetchError::TimeOut { limit: patience },
        ureq::Error::Other(inner) => {
            if let Some(refused) = inner.downcast_ref::<Refused>() {
                return refused.into();
            }
        }
        _ => {}
    }
    FetchError::Connection(Box::new(error))
}
