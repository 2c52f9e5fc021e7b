//! Why a request was not served, and the three kinds of body that say so.

use super::body::{CscBody, FetchedMaterial, InternalBody, Problem, SigningProblem, UnauthorizedBody};
use super::problem::{self, Kind};
use crate::clock;
use axum::Json;
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use lacre::Time;
use lacre_json::{Refused, Wanted};
use utoipa::IntoResponses;

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
    /// A document was not signed or extended.
    Document(Box<DocumentFailure>),
}

/// Why a document was not signed or extended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentFailure {
    /// Which problem.
    pub kind: &'static Kind,
    /// The cause: a code of the library, or `evidence-missing`.
    pub code: &'static str,
    /// What was found and what is expected.
    pub detail: String,
    /// What can be done.
    pub hint: Option<String>,
    /// What is missing.
    pub wanted: Vec<Wanted>,
    /// What was made and fetched already.
    pub material: Option<FetchedMaterial>,
}

impl Failure {
    /// Makes a problem of that kind.
    pub fn of(kind: &'static Kind, detail: impl Into<String>) -> Self {
        Self::Problem { kind, detail: detail.into() }
    }

    /// Makes a failure that is the server's fault, as the log will have it.
    pub fn internal(error: impl std::fmt::Display) -> Self {
        Self::Internal(error.to_string())
    }

    /// Makes a failure of what the library, or the reader of requests, refused.
    pub fn signing(refused: impl Into<Refused>) -> Self {
        let refused = refused.into();
        Self::Document(Box::new(DocumentFailure {
            kind: problem::SIGNING,
            code: refused.code().as_str(),
            detail: refused.to_string(),
            hint: refused.hint().map(str::to_owned),
            wanted: vec![],
            material: None,
        }))
    }

    /// Returns the status that it is answered with.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Problem { kind, .. } => kind.status,
            Self::Document(failure) => failure.kind.status,
        }
    }

    /// Returns the body, as of `time`, for the request of that id.
    fn body(&self, time: Time, request_id: &str) -> String {
        let written = match self {
            Self::Unauthorized => serde_json::to_string(&UnauthorizedBody::new(time)),
            Self::Internal(_) => serde_json::to_string(&InternalBody::new(time)),
            Self::Problem { kind, detail } => serde_json::to_string(&Problem::new(kind, detail, request_id)),
            Self::Document(failure) => serde_json::to_string(&SigningProblem {
                problem: Problem::new(failure.kind, &failure.detail, request_id),
                code: failure.code,
                hint: failure.hint.clone(),
                wanted: failure.wanted.clone(),
                material: failure.material.clone(),
            }),
        };
        written.expect("texts and numbers are JSON")
    }

    /// Returns the whole answer. Headers that the response has already (`Allow`) stay.
    pub fn answer(&self, response: Response, request_id: &str) -> Response {
        let (mut parts, _) = response.into_parts();
        let media = match self {
            Self::Problem { .. } | Self::Document(_) => "application/problem+json",
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

/// How an operation may end besides well, for its description; what is answered is a [`Failure`].
#[derive(IntoResponses)]
pub enum Errors {
    /// A parameter, the digest or the JSON cannot be used
    #[response(status = 400, content_type = "application/problem+json")]
    BadRequest(Problem),
    /// No access token, or none that is accepted
    #[response(status = 401)]
    Unauthorized(UnauthorizedBody),
    /// Nothing is there, or nothing of the caller's
    #[response(status = 404, content_type = "application/problem+json")]
    NotFound(Problem),
    /// None of the accepted media types is available
    #[response(status = 406, content_type = "application/problem+json")]
    NotAcceptable(Problem),
    /// The body did not arrive in time
    #[response(status = 408, content_type = "application/problem+json")]
    Slow(Problem),
    /// The body is too large
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(Problem),
    /// The body is of a media type that the operation does not take, or the file is nothing that holds signatures
    #[response(status = 415, content_type = "application/problem+json")]
    MediaType(Problem),
    /// The PDF is encrypted, and the password does not open it
    #[response(status = 422, content_type = "application/problem+json")]
    Password(Problem),
    /// The server's fault
    #[response(status = 500)]
    Internal(InternalBody),
    /// Full, starting or stopping: again after the seconds of Retry-After
    #[response(status = 503, content_type = "application/problem+json")]
    Unavailable(Problem),
}

/// The same for operations that sign and extend documents.
#[derive(IntoResponses)]
pub enum DocumentErrors {
    /// A part of the form cannot be used
    #[response(status = 400, content_type = "application/problem+json")]
    BadRequest(Problem),
    /// No access token, or none that is accepted
    #[response(status = 401)]
    Unauthorized(UnauthorizedBody),
    /// Nothing is there, or nothing of the caller's
    #[response(status = 404, content_type = "application/problem+json")]
    NotFound(Problem),
    /// The body did not arrive in time
    #[response(status = 408, content_type = "application/problem+json")]
    Slow(Problem),
    /// The body is too large
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(Problem),
    /// The body is no form
    #[response(status = 415, content_type = "application/problem+json")]
    MediaType(Problem),
    /// The document cannot be signed or extended so, or something is missing for it (`evidence-missing`)
    #[response(status = 422, content_type = "application/problem+json")]
    Refused(SigningProblem),
    /// The server's fault
    #[response(status = 500)]
    Internal(InternalBody),
    /// No time-stamping authority gave a time-stamp
    #[response(status = 502, content_type = "application/problem+json")]
    Timestamp(SigningProblem),
    /// Full, starting or stopping: again after the seconds of Retry-After
    #[response(status = 503, content_type = "application/problem+json")]
    Unavailable(Problem),
}

/// The same for the API of the Cloud Signature Consortium; what is answered is a [`CscFailure`].
#[derive(IntoResponses)]
pub enum CscErrors {
    /// The request is wrong
    #[response(status = 400)]
    BadRequest(CscBody),
    /// No access token, or none that is accepted
    #[response(status = 401)]
    Unauthorized(UnauthorizedBody),
    /// This server only validates
    #[response(status = 404, content_type = "application/problem+json")]
    NotFound(Problem),
    /// The body did not arrive in time
    #[response(status = 408, content_type = "application/problem+json")]
    Slow(Problem),
    /// The body is too large
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(Problem),
    /// The body is multipart
    #[response(status = 415, content_type = "application/problem+json")]
    MediaType(Problem),
    /// The server's fault
    #[response(status = 500)]
    Internal(InternalBody),
}

/// Why an operation of the Cloud Signature Consortium's API was not served.
#[derive(Debug)]
pub enum CscFailure {
    /// The request is wrong.
    Invalid(CscBody),
    /// Anything else, as everywhere.
    Other(Failure),
}

impl CscFailure {
    /// Makes the failure of a wrong request.
    pub fn invalid(description: impl Into<String>) -> Self {
        Self::Invalid(CscBody { error: "invalid_request", error_description: description.into() })
    }
}

impl From<Failure> for CscFailure {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Problem { kind, detail } if kind.status == StatusCode::BAD_REQUEST => Self::invalid(detail),
            Failure::Problem { kind, detail } if kind == problem::UNKNOWN_KEY => Self::invalid(detail),
            failure => Self::Other(failure),
        }
    }
}

impl IntoResponse for CscFailure {
    fn into_response(self) -> Response {
        match self {
            Self::Invalid(body) => (StatusCode::BAD_REQUEST, Json(body)).into_response(),
            Self::Other(failure) => failure.into_response(),
        }
    }
}

/// Answers for paths that there are not.
pub async fn not_found() -> Failure {
    Failure::of(problem::NOT_FOUND, "no operation has this path")
}

/// Answers for methods that a path does not take.
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
                Failure::of(problem::EMPTY_BODY, "found no bytes, expected a file"),
                r#"{"type":"/problems/empty-body","title":"The body is empty","status":400,"detail":"found no bytes, expected a file","instance":"urn:lacre:request:7"}"#,
            ),
        ] {
            assert_eq!(failure.body(time, "7"), expected);
        }
    }
}
