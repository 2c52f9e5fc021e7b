//! What the authority publishes: its certificate, its revocation list, the status of one certificate.

use crate::app::App;
use crate::clock;
use crate::http::body::{InternalBody, Octets, Problem};
use crate::http::failure::Failure;
use crate::http::problem;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, header};

type Der = ([(HeaderName, &'static str); 1], Vec<u8>);

/// The certificate of the authority that issues.
#[utoipa::path(
    get, path = "/pki/ca.cer", tag = "pki", operation_id = "authority",
    responses(
        (status = 200, description = "The certificate in DER", body = Octets, content_type = "application/pkix-cert"),
        (status = 404, description = "This server only validates", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "The server's fault", body = InternalBody),
    ),
)]
pub async fn certificate(State(app): State<App>) -> Result<Der, Failure> {
    let certificate = app.registry()?.authority().certificate().der().to_vec();
    Ok(([(header::CONTENT_TYPE, "application/pkix-cert")], certificate))
}

/// The authority's revocation list.
#[utoipa::path(
    get, path = "/pki/ca.crl", tag = "pki", operation_id = "revocationList",
    responses(
        (status = 200, description = "The list in DER", body = Octets, content_type = "application/pkix-crl"),
        (status = 404, description = "This server only validates", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "The server's fault", body = InternalBody),
    ),
)]
pub async fn revocation_list(State(app): State<App>) -> Result<Der, Failure> {
    let list = app.registry()?.revocation_list(clock::now()).await.map_err(Failure::internal)?;
    Ok(([(header::CONTENT_TYPE, "application/pkix-crl")], list))
}

/// The status of a certificate: RFC 6960 appendix A.1. What cannot be read is answered `malformedRequest`, which is
/// a response too.
#[utoipa::path(
    post, path = "/pki/ocsp", tag = "pki", operation_id = "ocsp",
    request_body(content((Octets = "application/ocsp-request"), (Octets = "application/octet-stream"))),
    responses(
        (status = 200, description = "The response in DER", body = Octets, content_type = "application/ocsp-response"),
        (status = 400, description = "The body is empty", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "This server only validates", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "The server's fault", body = InternalBody),
        (status = 408, description = "The body did not arrive in time", body = Problem,
            content_type = "application/problem+json"),
        (status = 413, description = "The body is too large", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub async fn ocsp(State(app): State<App>, headers: HeaderMap, body: Body) -> Result<Der, Failure> {
    let request = app.uploads.small(&headers, body).await?;
    if request.is_empty() {
        return Err(Failure::of(problem::EMPTY_BODY, "found no octets, expected an OCSP request"));
    }
    let response = app.registry()?.ocsp(request, clock::now()).await.map_err(Failure::internal)?;
    Ok(([(header::CONTENT_TYPE, "application/ocsp-response")], response))
}
