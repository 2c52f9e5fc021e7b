//! The caller's certificate, issued on first use and kept.

use crate::app::App;
use crate::clock;
use crate::http::access::Caller;
use crate::http::failure::{Errors, Failure};
use crate::http::key_id::{self, JsonKeyId, KeyIds};
use axum::Json;
use axum::extract::State;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A certificate, and under which policy it was issued.
#[derive(Debug, Serialize, ToSchema)]
pub struct CertificateEntry {
    policy: PolicyEntry,
    #[serde(rename = "keyInfo")]
    key_info: KeyInfo,
}

/// The policy under which a certificate was issued.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PolicyEntry {
    policy_id: u32,
    name: String,
    description: String,
}

/// A key and its certificate.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct KeyInfo {
    /// The certificate: Base64 of its DER, without PEM lines.
    certificate_bytes: String,
    /// Names the key when hashes are to be signed. As a number it exceeds 2^53: JavaScript has to read it as a BigInt, or
    /// ask for text.
    #[schema(schema_with = key_id::schema)]
    key_id: JsonKeyId,
    /// The public key: Base64 of its SubjectPublicKeyInfo in DER.
    public_key: String,
    /// When the certificate expires, in UTC.
    #[schema(format = DateTime)]
    expiration_date: String,
}

/// The caller's certificate: the one there is, else a new one.
#[utoipa::path(
    get, path = "/api/signature/certificates/", tag = "signature", operation_id = "certificates",
    security(("token" = []), ("bearer" = [])),
    params(("keyIds" = Option<String>, Query, pattern = "^(number|text)$",
        description = "How the answer states key ids: number (the default) or text, as they exceed 2^53")),
    responses((status = 200, description = "The caller's certificate", body = [CertificateEntry]), Errors),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    Caller(person): Caller,
    key_ids: KeyIds,
) -> Result<Json<[CertificateEntry; 1]>, Failure> {
    let registry = app.registry()?;
    let certificate = registry.get_or_issue(&person, clock::now()).await.map_err(Failure::internal)?;
    let policy = registry.policy();
    Ok(Json([CertificateEntry {
        policy: PolicyEntry {
            policy_id: policy.id,
            name: policy.name.clone(),
            description: policy.description.clone(),
        },
        key_info: KeyInfo {
            certificate_bytes: BASE64_STANDARD.encode(&certificate.certificate),
            key_id: key_ids.state(certificate.key.number()),
            public_key: BASE64_STANDARD.encode(&certificate.public_key),
            expiration_date: certificate.expires.to_string(),
        },
    }]))
}
