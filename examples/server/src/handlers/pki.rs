//! What the authority publishes: its certificate, its revocation list, the status of one certificate.

use crate::app::App;
use crate::clock;
use crate::http::body::Octets;
use crate::http::failure::{Errors, Failure};
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, header};

type Der = ([(HeaderName, &'static str); 1], Vec<u8>);

/// The certificate of the authority that issues.
#[utoipa::path(
    get, path = "/pki/ca.cer", tag = "pki", operation_id = "authority",
    responses((status = 200, description = "The certificate in DER", content_type = "application/pkix-cert"), Errors),
)]
pub async fn certificate(State(app): State<App>) -> Result<Der, Failure> {
    let certificate = app.registry()?.authority().certificate().der().to_vec();
    Ok(([(header::CONTENT_TYPE, "application/pkix-cert")], certificate))
}

/// The authority's revocation list.
#[utoipa::path(
    get, path = "/pki/ca.crl", tag = "pki", operation_id = "revocationList",
    responses((status = 200, description = "The list in DER", content_type = "application/pkix-crl"), Errors),
)]
pub async fn revocation_list(State(app): State<App>) -> Result<Der, Failure> {
    let list = app.registry()?.revocation_list(clock::now()).await.map_err(Failure::internal)?;
    Ok(([(header::CONTENT_TYPE, "application/pkix-crl")], list))
}

/// The status of a certificate: RFC 6960 appendix A.1. What cannot be read is answered `malformedRequest`, which is
/// a response too.
#[utoipa::path(
    post, path = "/pki/ocsp", tag = "pki", operation_id = "ocsp",
    request_body(content = Octets, content_type = "application/ocsp-request"),
    responses((status = 200, description = "The response in DER", content_type = "application/ocsp-response"), Errors),
)]
pub async fn ocsp(State(app): State<App>, headers: HeaderMap, body: Body) -> Result<Der, Failure> {
    let request = app.uploads.small(&headers, body).await?;
    let response = app.registry()?.ocsp(request, clock::now()).await.map_err(Failure::internal)?;
    Ok(([(header::CONTENT_TYPE, "application/ocsp-response")], response))
}
