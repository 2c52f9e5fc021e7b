//! Signatures of a document, extended to a level.

use super::finish::{LEVEL_HEADER, Written, read_level};
use super::prepare::bad;
use crate::app::App;
use crate::extending::{self, Supplies};
use crate::http::access::Signer;
use crate::http::body::Bytes;
use crate::http::document_form::{self, DocumentForm, ExtendForm, Fields};
use crate::http::failure::{DocumentErrors, Failure};
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;
use lacre::augmentation::{Extended, Target};
use lacre::signing::DigestAlgorithm;
use lacre::{Id, Syntax};
use std::sync::Arc;
use std::time::Instant;

/// The header that names the signatures that were not extended, each with the code of the cause.
const NOT_EXTENDED: HeaderName = HeaderName::from_static("x-not-extended");

/// The most signatures that it names.
const NAMED: usize = 50;

/// Extends the signatures of a document. Time-stamps are those of the authorities that the server's settings name; what else is
/// missing is fetched where the settings say so, and otherwise wanted of the caller (422, `evidence-missing`).
#[utoipa::path(
    post, path = "/api/signature/document/extend", tag = "signature", operation_id = "extendDocument",
    security(("token" = []), ("bearer" = [])),
    request_body(content = ExtendForm, content_type = "multipart/form-data"),
    responses(
        (status = 200, description = "The extended document", content(
            (Bytes = "application/pdf"), (Bytes = "application/pkcs7-mime"),
        ), headers(
            ("X-Signature-Level" = String, description = "The level, that of the lowest where there are several signatures, as in PAdES-BASELINE-LTA"),
            ("X-Not-Extended" = String, description = "Signatures that were not extended, where there are some: ids, each with = and the code of the cause, with commas between"),
        )),
        DocumentErrors,
    ),
)]
pub async fn extend(
    State(app): State<Arc<App>>,
    signer: Signer,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Failure> {
    let extended = async {
        app.workers.room()?;
        extended(&app, app.uploads.document(&headers, body, document_form::EXTEND).await?).await
    };
    signer.told(&app, extended.await).await
}

async fn extended(app: &App, form: DocumentForm) -> Result<Response, Failure> {
    let begun = Instant::now();
    let DocumentForm { document, fields } = form;
    let target = target(&fields, app.fetching.digest)?;
    let supplies = Supplies::of(&fields);
    let is_pdf = document.document(None).syntax() == Some(Syntax::Pdf);
    let (document, extended) = extending::extend(app, document, target.clone(), supplies, begun).await?;
    let (level, others) = (extended.lowest_level(&target), not_extended(&extended));
    let folder = app.uploads.folder.clone();
    let written = app.workers.run(move || Written::new(&folder, &extended.output, &document.file)).await??;
    let media = if is_pdf { "application/pdf" } else { "application/pkcs7-mime" };
    let mut response = written.answer_at("extend", media, level);
    if let Some(others) = others {
        response.headers_mut().insert(NOT_EXTENDED, others);
    }
    debug_assert!(response.headers().contains_key(LEVEL_HEADER));
    Ok(response)
}

fn target(fields: &Fields, digest: DigestAlgorithm) -> Result<Target, Failure> {
    let level = read_level(fields.level.as_deref(), lacre_json::Level::Lta)?;
    let level = level.above_b().ok_or_else(|| bad("level: expected T, LT or LTA"))?;
    let mut target = Target::new(level).digest(digest);
    if let Some(text) = &fields.freshness {
        let expected = || bad("freshness: expected strict or accept-older");
        target = target.freshness(text.parse().map_err(|_| expected())?);
    }
    for word in &fields.overlook {
        let expected =
            "overlook: expected broken-timestamp, expired-certificate, untrusted-chain or missing-revocation";
        target = target.overlooking(word.parse().map_err(|_| bad(expected))?);
    }
    Ok(fields.signatures.iter().fold(target, |target, id| target.only(Id::new(id.as_str()))))
}

fn not_extended(extended: &Extended) -> Option<HeaderValue> {
    let each = extended.signatures.iter().filter_map(|signature| {
        let obstacle = signature.obstacle.as_ref()?;
        Some(format!("{}={}", signature.id, obstacle.code()))
    });
    let each: Vec<String> = each.take(NAMED).collect();
    let text = each.join(", ");
    HeaderValue::from_str(&text).ok().filter(|text| !text.is_empty())
}
