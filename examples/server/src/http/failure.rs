//! Why a request was not served, and the three kinds of body that say so.

use super::problem::{self, Kind};
use crate::clock;
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use lacre::time::Time;
use serde::Serialize;

/// Why a request was not served.
///
/// As a response it is a status only; [`observe`](super::observe) writes the body, which states the request's id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// No access token, or none that is accepted.
    Unauthorized,
    /// The server's fault: a panic, or a storage that does not answer. The text is for the log.
    Internal(String),
    /// The request's fault, or the moment's.
    Problem {
        /// Which problem.
        kind: &'static Kind,
        /// What it was this time: what was found and what is expected.
        detail: String,
    },
}

impl Failure {
    /// A problem of that kind.
    pub fn of(kind: &'static Kind, detail: impl Into<String>) -> Self {
        Self::Problem { kind, detail: detail.into() }
    }

    /// The server's fault, as the log will have it.
    pub fn internal(error: impl std::fmt::Display) -> Self {
        Self::Internal(error.to_string())
    }

    /// The status that it is answered with.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Problem { kind, .. } => kind.status,
        }
    }

    /// The body, as of `time`, for the request of that id.
    fn body(&self, time: Time, request_id: &str) -> String {
        match self {
            Self::Unauthorized => UNAUTHORIZED.replace("{timestamp}", &clock::with_millis(time)),
            Self::Internal(_) => INTERNAL.replace("{timestamp}", &clock::with_millis(time)),
            Self::Problem { kind, detail } => Details {
                r#type: format!("/problems/{}", kind.name),
                title: kind.title,
                status: kind.status.as_u16(),
                detail,
                instance: format!("urn:lacre:request:{request_id}"),
            }
            .to_json(),
        }
    }

    /// The whole answer. Headers that the response has already (`Allow`) stay.
    pub fn answer(&self, response: Response, request_id: &str) -> Response {
        let (mut parts, _) = response.into_parts();
        let media = match self {
            Self::Problem { .. } => "application/problem+json",
            Self::Unauthorized | Self::Internal(_) => "application/json",
        };
        parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
        if parts.status == StatusCode::SERVICE_UNAVAILABLE {
            parts.headers.insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
        }
        Response::from_parts(parts, Body::from(self.body(clock::now(), request_id)))
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        if self == Self::Unauthorized {
            // RFC 9110 §11.6.1: a 401 names a scheme.
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// The body of every 401: a contract, octet by octet but for the time.
const UNAUTHORIZED: &str = r#"{"exception":"UnauthorizedAccessException","code":401,"message":"error.no.access","timestamp":"{timestamp}","status":"UNAUTHORIZED","details":{"objectName":"authorization","error":{"objectName":"authorization","codes":["error.no.access"],"arguments":null,"defaultMessage":"Access denied: the access token is missing or not accepted","code":"error.no.access"}}}"#;

/// The body of every 500: a contract, octet by octet but for the time.
const INTERNAL: &str = r#"{"exception":"ServicePortalException","code":"unrecognized.exception","timestamp":"{timestamp}","message":"ServicePortalException"}"#;

/// Problem details: RFC 9457 §3.1.
#[derive(Serialize)]
struct Details<'a> {
    r#type: String,
    title: &'a str,
    status: u16,
    detail: &'a str,
    instance: String,
}

impl Details<'_> {
    fn to_json(&self) -> String {
        serde_json::to_string(self).expect("texts and a number are JSON")
    }
}

/// For paths that there are not.
pub async fn not_found() -> Failure {
    Failure::of(problem::NOT_FOUND, "no operation has this path")
}

/// For methods that a path does not take.
pub async fn method_not_allowed() -> Failure {
    Failure::of(problem::METHOD, "this path takes other methods")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_bodies() {
        let time = "2026-11-21T10:00:00Z".parse().unwrap();
        for (failure, expected) in [
            (
                Failure::Unauthorized,
                r#"{"exception":"UnauthorizedAccessException","code":401,"message":"error.no.access","timestamp":"2026-11-21T10:00:00.000Z","status":"UNAUTHORIZED","details":{"objectName":"authorization","error":{"objectName":"authorization","codes":["error.no.access"],"arguments":null,"defaultMessage":"Access denied: the access token is missing or not accepted","code":"error.no.access"}}}"#,
            ),
            (
                Failure::internal("the disk is gone"),
                r#"{"exception":"ServicePortalException","code":"unrecognized.exception","timestamp":"2026-11-21T10:00:00.000Z","message":"ServicePortalException"}"#,
            ),
            (
                Failure::of(problem::EMPTY_BODY, "found no octets, expected a file"),
                r#"{"type":"/problems/empty-body","title":"The body is empty","status":400,"detail":"found no octets, expected a file","instance":"urn:lacre:request:7"}"#,
            ),
        ] {
            assert_eq!(failure.body(time, "7"), expected);
        }
    }
}
