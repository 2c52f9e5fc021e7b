//! What the authority publishes: its certificate, its revocation list, the status of one certificate.

use crate::app::App;
use crate::clock;
use crate::http::body::{Bytes, InternalBody, Problem};
use crate::http::failure::Failure;
use crate::http::problem;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, header};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use std::sync::Arc;
use utoipa::IntoResponses;

/// How publishing may end besides well.
#[derive(IntoResponses)]
pub enum PublishingErrors {
    /// This server only validates
    #[response(status = 404, content_type = "application/problem+json")]
    NotFound(Problem),
    /// The server's fault
    #[response(status = 500)]
    Internal(InternalBody),
}

type Der = ([(HeaderName, &'static str); 1], Vec<u8>);

/// The certificate of the authority that issues.
#[utoipa::path(
    get, path = "/pki/ca.cer", tag = "pki", operation_id = "authority", security(()),
    responses(
        (status = 200, description = "The certificate in DER", body = Bytes, content_type = "application/pkix-cert"),
        PublishingErrors,
    ),
)]
pub async fn certificate(State(app): State<Arc<App>>) -> Result<Der, Failure> {
    let certificate = app.registry()?.authority().certificate().der().to_vec();
    Ok(([(header::CONTENT_TYPE, "application/pkix-cert")], certificate))
}

/// The authority's revocation list.
#[utoipa::path(
    get, path = "/pki/ca.crl", tag = "pki", operation_id = "revocationList", security(()),
    responses(
        (status = 200, description = "The list in DER", body = Bytes, content_type = "application/pkix-crl"),
        PublishingErrors,
    ),
)]
pub async fn revocation_list(State(app): State<Arc<App>>) -> Result<Der, Failure> {
    let list = app.registry()?.revocation_list(clock::now()).await.map_err(Failure::internal)?;
    Ok(([(header::CONTENT_TYPE, "application/pkix-crl")], list))
}

/// The status of a certificate: RFC 6960 appendix A.1. What cannot be read is answered `malformedRequest`, which is
/// a response too.
#[utoipa::path(
    post, path = "/pki/ocsp", tag = "pki", operation_id = "ocsp", security(()),
    request_body(content((Bytes = "application/ocsp-request"), (Bytes = "application/octet-stream"))),
    responses(
        (status = 200, description = "The response in DER", body = Bytes, content_type = "application/ocsp-response"),
        (status = 400, description = "The body is empty", body = Problem, content_type = "application/problem+json"),
        PublishingErrors,
        (status = 408, description = "The body did not arrive in time", body = Problem,
            content_type = "application/problem+json"),
        (status = 413, description = "The body is too large", body = Problem, content_type = "application/problem+json"),
        (status = 415, description = "The body is multipart", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub async fn ocsp(State(app): State<Arc<App>>, headers: HeaderMap, body: Body) -> Result<Der, Failure> {
    let request = app.uploads.small(&headers, body).await?;
    if request.is_empty() {
        return Err(Failure::of(problem::EMPTY_BODY, "found no bytes, expected an OCSP request"));
    }
    respond(&app, request).await
}

/// The same for a request in the path: RFC 6960 appendix A.1, Base64 with what a path may not have escaped.
#[utoipa::path(
    get, path = "/pki/ocsp/{request}", tag = "pki", operation_id = "ocspGet", security(()),
    // RFC 4648 §4, with no bits left over in the last character.
    params(("request" = String, Path, description = "The OCSP request in Base64",
        pattern = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/]{4})$")),
    responses(
        (status = 200, description = "The response in DER", body = Bytes, content_type = "application/ocsp-response"),
        (status = 400, description = "The request is not Base64", body = Problem, content_type = "application/problem+json"),
        PublishingErrors,
    ),
)]
pub async fn ocsp_get(
    State(app): State<Arc<App>>,
    request: Result<Path<String>, PathRejection>,
) -> Result<Der, Failure> {
    let request = request.ok().and_then(|Path(text)| BASE64_STANDARD.decode(text).ok());
    let request = request.ok_or_else(|| Failure::of(problem::BAD_PARAMETER, "request: expected Base64"))?;
    respond(&app, request).await
}

async fn respond(app: &App, request: Vec<u8>) -> Result<Der, Failure> {
    let response = app.registry()?.ocsp(request, clock::now()).await.map_err(Failure::internal)?;
    Ok(([(header::CONTENT_TYPE, "application/ocsp-response")], response))
}
