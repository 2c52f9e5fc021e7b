//! Responses, read up to a bound.

use crate::FetchError;
use crate::fetcher::failure;
use std::io::Read as _;
use std::time::Duration;
use ureq::Body;
use ureq::http::Response;

/// A response: its header fields, and its body up to the bound.
#[derive(Debug)]
pub(crate) struct Answer {
    pub head: Response<()>,
    pub bytes: Vec<u8>,
}

/// Reads at most `limit` bytes, also of a body that is compressed or endless.
pub(crate) fn read(response: Response<Body>, limit: u64, patience: Duration) -> Result<Answer, FetchError> {
    let (parts, body) = response.into_parts();
    let mut bytes = vec![];
    let mut reader = body.into_with_config().limit(u64::MAX).reader().take(limit.saturating_add(1));
    if let Err(error) = reader.read_to_end(&mut bytes) {
        return Err(failure(ureq::Error::from(error), patience));
    }
    if bytes.len() as u64 > limit {
        return Err(FetchError::TooLong { limit });
    }
    Ok(Answer { head: Response::from_parts(parts, ()), bytes })
}
