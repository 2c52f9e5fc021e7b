//! One line of log, one duration and one id a request; and the bodies of failures, which state the id.

use super::failure::Failure;
use super::parameters::ProcessId;
use crate::hexadecimal;
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::Arc;
use std::time::Instant;

const REQUEST_ID: &str = "x-request-id";

/// What a handler adds to the line of log: never names, never contents.
#[derive(Debug, Clone)]
pub struct Noted {
    /// The SHA-256 of the document, in hexadecimal.
    pub document: Option<String>,
    /// The indication.
    pub indication: Option<String>,
    /// The level that was reached.
    pub level: Option<String>,
}

/// Surrounds a request.
pub async fn observe(mut request: Request, next: Next) -> Response {
    let id = request_id(request.headers());
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map_or("unmatched".into(), |path| path.as_str().to_owned());
    let started = Instant::now();
    request.extensions_mut().insert(RequestId(id.clone()));

    let mut response = next.run(request).await;
    let failure = response.extensions_mut().remove::<Failure>();
    if let Some(failure) = &failure {
        response = failure.answer(response, &id);
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }

    let took = started.elapsed();
    let status = response.status().as_u16();
    crate::metrics::request(method.as_str(), &route, status, took);
    let noted = response.extensions().get::<Noted>();
    let process_id = response.extensions().get::<ProcessId>();
    tracing::info!(
        request_id = &*id,
        method = method.as_str(),
        route,
        status,
        milliseconds = took.as_millis() as u64,
        process_id = process_id.map(ProcessId::as_str),
        document_sha256 = noted.and_then(|noted| noted.document.as_deref()),
        indication = noted.and_then(|noted| noted.indication.as_deref()),
        signature_level = noted.and_then(|noted| noted.level.as_deref()),
        "request"
    );
    if let Some(Failure::Internal(error)) = failure {
        tracing::error!(request_id = &*id, error, "could not serve");
    }
    response
}

/// The id of a request, for whoever has to write it down.
#[derive(Debug, Clone)]
pub struct RequestId(pub Arc<str>);

/// Returns the caller's id where it is short and plain, else a new one.
fn request_id(headers: &HeaderMap) -> Arc<str> {
    let plain = |text: &&str| {
        (1..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
    };
    let stated = headers.get(REQUEST_ID).and_then(|value| value.to_str().ok()).filter(plain);
    stated.map_or_else(random_id, Arc::from)
}

fn random_id() -> Arc<str> {
    let mut bytes = [0; 16];
    // A system without randomness cannot sign either; ids that are not unique only make its log harder to read.
    let _ = getrandom::fill(&mut bytes);
    hexadecimal::lower(&bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids() {
        for (situation, stated, kept) in [
            ("plain", "6f1a-77_b", true),
            ("would break a line of log", "a b", false),
            ("empty", "", false),
            ("long", &"a".repeat(65), false),
        ] {
            let headers = HeaderMap::from_iter([("x-request-id".parse().unwrap(), stated.parse().unwrap())]);
            assert_eq!(&*request_id(&headers) == stated, kept, "{situation}");
        }
        assert_ne!(request_id(&HeaderMap::new()), request_id(&HeaderMap::new()));
    }
}
