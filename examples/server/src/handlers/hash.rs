//! "Sign hash": a signature value over a digest, by a key of the caller.

use super::algorithms;
use crate::app::App;
use crate::clock;
use crate::http::access::Signer;
use crate::http::body::Bytes;
use crate::http::failure::{Errors, Failure};
use crate::http::key_id::{self, JsonKeyId, KeyIds};
use crate::http::parameters::KeyParameter;
use crate::http::problem;
use crate::metrics;
use crate::registry::{SigningError, UserKey};
use crate::storage::{KeyId, User};
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, header};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre::signing::{SignError, SignatureAlgorithm};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

const DIGEST_HEADER: &str = "x-digest-algorithm";

/// Signs a digest: its bytes in, the signature value in Base64 out.
#[utoipa::path(
    post, path = "/api/signature/hash/{keyId}", tag = "signature", operation_id = "signHash",
    security(("token" = []), ("bearer" = [])),
    params(
        ("keyId" = u64, Path, minimum = 1, maximum = 9_223_372_036_854_775_807_i64,
            description = "A key of the caller, as the certificates name it"),
        ("X-Digest-Algorithm" = Option<String>, Header, pattern = "^SHA-(256|384|512)$",
            description = "SHA-256 (the default), SHA-384 or SHA-512"),
    ),
    request_body(content = Bytes, content_type = "application/octet-stream", description = "The digest's bytes"),
    responses(
        (status = 200, description = "The signature value in Base64; ECDSA values are DER", body = String,
            content_type = "text/plain"),
        Errors,
    ),
)]
pub async fn raw(
    State(app): State<Arc<App>>,
    signer: Signer,
    KeyParameter(id): KeyParameter,
    headers: HeaderMap,
    body: Body,
) -> Result<([(HeaderName, &'static str); 1], String), Failure> {
    let signed = async {
        let function = algorithms::digest_in(&headers, DIGEST_HEADER)?;
        let digest = app.uploads.small(&headers, body).await?;
        let key = key(&app, &signer, id).await?;
        sign(&app, &key, key.algorithm(function), &digest).await
    };
    let value = signer.told(&app, signed.await).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], BASE64_STANDARD.encode(value)))
}

/// What is to be signed, and how.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HashRequest {
    /// A key of the caller.
    #[schema(schema_with = key_id::schema)]
    key_id: JsonKeyId,
    /// SHA-256 (the default), SHA-384 or SHA-512.
    #[schema(pattern = "^SHA-(256|384|512)$")]
    digest_algorithm: Option<String>,
    /// The digest in Base64.
    #[schema(pattern = "^[A-Za-z0-9+/]+=*$")]
    hash: String,
    /// `SHA256withECDSA`, `SHA256withRSA` or `SHA256withRSASSA-PSS` and the like, its object identifier, or its name in
    /// JOSE, with which ECDSA values are not DER but their two numbers one after the other. Default: the key's own.
    signature_algorithm: Option<String>,
}

/// A signature value.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HashResponse {
    /// The key that signed.
    #[schema(schema_with = key_id::schema)]
    key_id: JsonKeyId,
    /// The signature value in Base64.
    signature: String,
    /// With which algorithm it was made.
    signature_algorithm: String,
    /// The key's certificate: Base64 of its DER.
    certificate: String,
}

/// Signs a digest: JSON in, JSON out.
#[utoipa::path(
    post, path = "/api/signature/hash", tag = "signature", operation_id = "signHashJson",
    security(("token" = []), ("bearer" = [])),
    params(("keyIds" = Option<String>, Query, pattern = "^(number|text)$", description = "How the answer states key ids: number (the default) or text, as they exceed 2^53")),
    request_body = HashRequest,
    responses((status = 200, description = "The signature value", body = HashResponse), Errors),
)]
pub async fn json(
    State(app): State<Arc<App>>,
    signer: Signer,
    key_ids: Result<KeyIds, Failure>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<HashResponse>, Failure> {
    let signed = async { signed(&app, &signer, key_ids?, app.uploads.json(&headers, body).await?).await };
    signer.told(&app, signed.await).await.map(Json)
}

async fn signed(app: &App, signer: &Signer, key_ids: KeyIds, asked: HashRequest) -> Result<HashResponse, Failure> {
    let function = algorithms::digest(asked.digest_algorithm.as_deref())?;
    let digest = BASE64_STANDARD
        .decode(&asked.hash)
        .map_err(|error| Failure::of(problem::BAD_PARAMETER, format!("hash: expected Base64: {error}")))?;
    let id = KeyId::new(asked.key_id.id).ok_or_else(unknown_key)?;
    let key = key(app, signer, id).await?;
    let (algorithm, name) = algorithms::for_key(&key, function, asked.signature_algorithm.as_deref())?;
    let value = sign(app, &key, algorithm, &digest).await?;
    Ok(HashResponse {
        key_id: key_ids.state(asked.key_id.id),
        signature: BASE64_STANDARD.encode(value),
        signature_algorithm: name,
        certificate: BASE64_STANDARD.encode(&key.issued().certificate),
    })
}

/// Returns a key of whoever wants to sign.
pub(super) async fn key(app: &App, signer: &Signer, id: KeyId) -> Result<UserKey, Failure> {
    key_of(app, &signer.user, id).await.map(|key| key.used_with(signer.token))
}

/// Returns a key of the caller; another's is not found either.
pub(super) async fn key_of(app: &App, user: &User, id: KeyId) -> Result<UserKey, Failure> {
    let found = app.registry()?.key(user, id, clock::now()).await;
    found.map_err(Failure::internal)?.ok_or_else(unknown_key)
}

fn unknown_key() -> Failure {
    Failure::of(problem::UNKNOWN_KEY, "the caller has no key with this id that can sign")
}

/// Signs, and counts it.
pub(super) async fn sign(
    app: &App,
    key: &UserKey,
    algorithm: SignatureAlgorithm,
    digest: &[u8],
) -> Result<Vec<u8>, Failure> {
    let signed = app.registry()?.sign(key, algorithm, digest, clock::now()).await;
    let value = signed.map_err(|error| match error {
        SigningError::Sign(error @ SignError::DigestLength { .. }) => {
            Failure::of(problem::DIGEST_LENGTH, error.to_string())
        }
        SigningError::Sign(error @ SignError::Algorithm { .. }) => {
            Failure::of(problem::UNKNOWN_ALGORITHM, error.to_string())
        }
        SigningError::Revoked => unknown_key(),
        SigningError::Token => Failure::Unauthorized,
        error => Failure::internal(error),
    })?;
    metrics::signature(&algorithm);
    Ok(value)
}
