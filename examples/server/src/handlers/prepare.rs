//! A signature of a document, prepared: all of it but its value.

use super::hash;
use crate::app::App;
use crate::clock;
use crate::http::access::Signer;
use crate::http::document_form::{self, DocumentForm, PrepareForm};
use crate::http::failure::{DocumentErrors, Failure};
use crate::http::key_id::{self, JsonKeyId};
use crate::http::problem;
use crate::storage::KeyId;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use lacre::issuance::Certificate;
use lacre::signing::Prepared;
use lacre_doors::{Base64, SigningRequest};
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;
use utoipa::ToSchema;

/// A signature that lacks only its value.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreparedSignature {
    /// What finishing takes again, unchanged. It holds no secret, and states which document it is of.
    #[schema(value_type = Object)]
    state: Value,
    /// What a key signs that signs digests: the digest of `toBeSigned`, under the digest function of the algorithm.
    digest: Base64,
    /// That digest function; none where the algorithm has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    digest_algorithm: Option<String>,
    /// The algorithm with which the value is to be made: `SHA256withECDSA` and the like.
    algorithm: String,
    /// What a key signs that digests by itself. EdDSA and ML-DSA sign it, and no digest of it.
    to_be_signed: Base64,
    /// Whether the key has to sign `toBeSigned` itself.
    needs_message: bool,
    /// Where the signature goes: `pdf`, `enveloping`, `detached`, `parallel` or `counter`.
    packaging: &'static str,
    /// The key that is to sign, where it is one of the caller.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = key_id::schema, required = false)]
    key_id: Option<JsonKeyId>,
}

/// Prepares a signature of a document: says what is to be signed, by a key of the caller that this server keeps, or by one that it
/// does not. Nothing is kept; what finishes it is in the answer.
#[utoipa::path(
    post, path = "/api/signature/document/prepare", tag = "signature", operation_id = "prepareSignature",
    security(("token" = []), ("bearer" = [])),
    request_body(content = PrepareForm, content_type = "multipart/form-data"),
    responses((status = 200, description = "The prepared signature", body = PreparedSignature), DocumentErrors),
)]
pub async fn prepare(
    State(app): State<Arc<App>>,
    signer: Signer,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<PreparedSignature>, Failure> {
    let prepared = async {
        app.workers.room()?;
        prepared(&app, &signer, app.uploads.document(&headers, body, document_form::PREPARE).await?).await
    };
    signer.told(&app, prepared.await).await.map(Json)
}

async fn prepared(app: &App, caller: &Signer, form: DocumentForm) -> Result<PreparedSignature, Failure> {
    let DocumentForm { document, fields } = form;
    let request: SigningRequest = serde_json::from_str(fields.request.as_deref().unwrap_or("{}"))
        .map_err(|error| Failure::of(problem::BAD_JSON, format!("request: {error}")))?;
    let key_id = request.key_id.as_ref().map(|id| key_of(&id.to_text())).transpose()?;
    let signer = match (key_id, &request.certificate) {
        (Some(_), Some(_)) => return Err(bad("found both keyId and a certificate, expected one of them")),
        (None, None) => return Err(bad("found neither keyId nor a certificate, expected one of them")),
        (None, Some(_)) => request.signer().map_err(Failure::signing)?,
        (Some(id), None) => {
            let key = hash::key(app, caller, id).await?;
            let certificate = Certificate::from_der(&key.issued().certificate).map_err(Failure::internal)?;
            let authority = app.registry()?.authority();
            let chain = std::iter::once(authority.certificate()).chain(authority.chain()).cloned().collect();
            request.signer_with(certificate, chain).map_err(Failure::signing)?
        }
    };
    let now = clock::second();
    let job = move || lacre_doors::prepare(&request, &document.document(None), &signer, now);
    let prepared = app.workers.run(job).await?.map_err(Failure::signing)?;
    told(&prepared, key_id)
}

fn told(prepared: &Prepared, key_id: Option<KeyId>) -> Result<PreparedSignature, Failure> {
    Ok(PreparedSignature {
        state: serde_json::from_slice(&prepared.to_json()).map_err(Failure::internal)?,
        digest: Base64(prepared.digest()),
        digest_algorithm: prepared.algorithm().digest.map(|digest| digest.to_string()),
        algorithm: prepared.algorithm().to_string(),
        to_be_signed: Base64(prepared.to_be_signed().to_vec()),
        needs_message: prepared.needs_message(),
        packaging: prepared.packaging().as_str(),
        key_id: key_id.map(|id| key_id::KeyIds::Text.state(id.number())),
    })
}

/// Reads the id of a key of the caller.
pub(super) fn key_of(text: &str) -> Result<KeyId, Failure> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let id = digits.then(|| text.parse().ok()).flatten().and_then(KeyId::new);
    id.ok_or_else(|| bad("keyId: expected an integer from 1 to 2^63 - 1"))
}

/// A part that cannot be used.
pub(super) fn bad(detail: impl Into<String>) -> Failure {
    Failure::of(problem::BAD_PARAMETER, detail)
}
