//! A signature of a document, prepared: all of it but its value.

use super::hash;
use crate::app::App;
use crate::clock;
use crate::http::access::Signer;
use crate::http::document_form::{self, DocumentForm, PrepareForm};
use crate::http::failure::{DocumentErrors, Failure};
use crate::http::problem;
use crate::storage::KeyId;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use lacre::issuance::Certificate;
use lacre_json::{PreparedSignature, SigningRequest};
use std::sync::Arc;

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
    let job = move || lacre_json::prepare(&request, &document.document(None), &signer, now);
    let prepared = app.workers.run(job).await?.map_err(Failure::signing)?;
    PreparedSignature::of(&prepared).map_err(Failure::signing)
}

/// Reads the id of a key of the caller.
pub(super) fn key_of(text: &str) -> Result<KeyId, Failure> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let id = digits.then(|| text.parse().ok()).flatten().and_then(KeyId::new);
    id.ok_or_else(|| bad("keyId: expected an integer from 1 to 2^63 - 1"))
}

/// Makes the failure of a part that cannot be used.
pub(super) fn bad(detail: impl Into<String>) -> Failure {
    Failure::of(problem::BAD_PARAMETER, detail)
}
