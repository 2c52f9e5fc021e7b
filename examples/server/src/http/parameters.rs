//! What stands in paths and headers, read strictly.

use super::failure::Failure;
use super::problem;
use crate::storage::KeyId;
use axum::extract::{FromRequestParts, Path, Request};
use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use lacre::report::Language;
use std::sync::Arc;

/// The caller's correlation id: 1 to 128 characters of `[A-Za-z0-9._~-]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessId(Arc<str>);

impl ProcessId {
    /// Returns its characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn read(text: &str) -> Option<Self> {
        let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'~' | b'-');
        ((1..=128).contains(&text.len()) && text.bytes().all(allowed)).then(|| Self(text.into()))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ProcessId {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let text = Path::<String>::from_request_parts(parts, state).await;
        let read = text.ok().and_then(|Path(text)| Self::read(&text));
        read.ok_or_else(|| {
            Failure::of(problem::BAD_PARAMETER, "processId: expected 1 to 128 characters of [A-Za-z0-9._~-]")
        })
    }
}

/// A key's id: 1 to 2^63 - 1, in decimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyParameter(pub KeyId);

impl KeyParameter {
    fn read(text: &str) -> Option<Self> {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| text.parse().ok()).flatten().and_then(KeyId::new).map(Self)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for KeyParameter {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let text = Path::<String>::from_request_parts(parts, state).await;
        let read = text.ok().and_then(|Path(text)| Self::read(&text));
        read.ok_or_else(|| Failure::of(problem::BAD_PARAMETER, "keyId: expected an integer from 1 to 2^63 - 1"))
    }
}

/// Repeats the process id in the answer's `X-Process-Id` and in the log, whatever the answer is.
pub async fn with_process_id(process_id: ProcessId, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if let Ok(value) = process_id.as_str().parse() {
        response.headers_mut().insert("x-process-id", value);
    }
    response.extensions_mut().insert(process_id);
    response
}

/// Returns the first language of `Accept-Language` in which reports are written; weights aside, as browsers sort the
/// list.
pub fn language(headers: &HeaderMap) -> Language {
    let text = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let codes = text.split(',').filter_map(|item| item.split([';', '-']).next());
    codes.filter_map(|code| code.trim().to_ascii_lowercase().parse().ok()).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn process_ids() {
        let long = "x".repeat(128);
        let longer = "x".repeat(129);
        for (text, expected) in [
            ("case-1.2_3~4", true),
            (&long, true),
            (&longer, false),
            ("", false),
            ("a b", false),
            ("ä", false),
            ("a/b", false),
        ] {
            assert_eq!(ProcessId::read(text).is_some(), expected, "{text}");
        }
    }

    #[test]
    fn key_ids() {
        for (text, expected) in [
            ("1", true),
            ("9223372036854775807", true),
            ("9223372036854775808", false),
            ("0", false),
            ("+1", false),
            ("-1", false),
            ("", false),
        ] {
            assert_eq!(KeyParameter::read(text).is_some(), expected, "{text}");
        }
    }

    #[test]
    fn languages() {
        for (text, expected) in [
            ("de-AT,de;q=0.9,en;q=0.8", Language::German),
            ("zh, pt-BR;q=0.5", Language::Portuguese),
            ("tlh", Language::English),
            ("", Language::English),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, text.parse().unwrap());
            assert_eq!(language(&headers), expected, "{text}");
        }
    }
}
