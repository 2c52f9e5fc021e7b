//! Validating an uploaded file into a report.

use crate::app::App;
use crate::clock;
use crate::http::accept;
use crate::http::access::MayValidate;
use crate::http::body::Octets;
use crate::http::failure::{Errors, Failure};
use crate::http::observe::Noted;
use crate::http::parameters::{ProcessId, language};
use crate::http::problem;
use crate::metrics;
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre::{Document, Report};
use std::time::Instant;

/// A form of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Base64Pdf,
    Xml,
    Pdf,
    Json,
}

/// What `Accept` may ask for, and what callers without it get first.
const FORMS: &[(&str, Form)] = &[
    ("text/plain", Form::Base64Pdf),
    ("application/xml", Form::Xml),
    ("text/xml", Form::Xml),
    ("application/pdf", Form::Pdf),
    ("application/json", Form::Json),
];

/// Validates a file into the report that `Accept` asks for: by default the PDF report in Base64.
#[utoipa::path(
    post, path = "/api/Document/Validate/Pdf/{processId}", tag = "validation", operation_id = "validatePdf",
    security((), ("token" = []), ("bearer" = [])),
    params(
        ("processId" = String, Path, min_length = 1, max_length = 128, pattern = "^[A-Za-z0-9._~-]{1,128}$",
            description = "The caller's correlation id, repeated in X-Process-Id, in the report and in the log"),
        ("Accept-Language" = Option<String>, Header, description = "The report's language: en, de, fr, es, it, pt, et, fi"),
    ),
    request_body(content = Octets, content_type = "application/octet-stream", description = "The signed file"),
    responses(
        (status = 200, description = "The report: the PDF report in Base64, the ETSI TS 119 102-2 report, the PDF report, or lacre-report/1",
            content(
            (String = "text/plain"),
            (String = "application/xml"),
            (String = "application/pdf"),
            (serde_json::Value = "application/json"),
        )),
        Errors,
    ),
)]
pub async fn pdf(
    State(app): State<App>,
    _: MayValidate,
    Extension(process_id): Extension<ProcessId>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Failure> {
    let form = accept::choose(&headers, FORMS)?;
    validate(app, process_id, headers, body, form).await
}

/// Validates a file into the XML report, whatever `Accept` says.
#[utoipa::path(
    post, path = "/api/Document/Validate/Xml/{processId}", tag = "validation", operation_id = "validateXml",
    security((), ("token" = []), ("bearer" = [])),
    params(
        ("processId" = String, Path, min_length = 1, max_length = 128, pattern = "^[A-Za-z0-9._~-]{1,128}$",
            description = "The caller's correlation id, repeated in X-Process-Id, in the report and in the log"),
        ("Accept-Language" = Option<String>, Header, description = "The report's language: en, de, fr, es, it, pt, et, fi"),
    ),
    request_body(content = Octets, content_type = "application/octet-stream", description = "The signed file"),
    responses(
        (status = 200, description = "The ETSI TS 119 102-2 report", body = String, content_type = "application/xml"),
        Errors,
    ),
)]
pub async fn xml(
    State(app): State<App>,
    _: MayValidate,
    Extension(process_id): Extension<ProcessId>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Failure> {
    validate(app, process_id, headers, body, Form::Xml).await
}

async fn validate(
    app: App,
    process_id: ProcessId,
    headers: HeaderMap,
    body: Body,
    form: Form,
) -> Result<Response, Failure> {
    let validator = app.trusted.validator()?;
    app.workers.room()?;
    let file = app.uploads.file(&headers, body).await?;
    let language = language(&headers);
    let job = move || {
        let started = Instant::now();
        let document = Document::new(&file).named(process_id.as_str());
        let report = validator.validate(&document, clock::now()).map_err(unreadable)?.in_language(language);
        let answer = written(&report, form)?;
        metrics::validation(&report, started.elapsed());
        Ok(answer)
    };
    app.workers.run(job).await?
}

fn written(report: &Report, form: Form) -> Result<Response, Failure> {
    let pdf = || report.to_pdf().map_err(Failure::internal);
    let mut response = match form {
        Form::Base64Pdf => ([plain("text/plain; charset=utf-8")], BASE64_STANDARD.encode(pdf()?)).into_response(),
        Form::Xml => ([plain("application/xml")], report.to_etsi_xml()).into_response(),
        Form::Pdf => ([plain("application/pdf")], pdf()?).into_response(),
        Form::Json => ([plain("application/json")], report.to_json()).into_response(),
    };
    response.extensions_mut().insert(Noted {
        document: report.facts().document.sha256.clone(),
        indication: report.indication().to_string(),
    });
    Ok(response)
}

fn plain(media: &'static str) -> (header::HeaderName, &'static str) {
    (header::CONTENT_TYPE, media)
}

fn unreadable(error: lacre::Error) -> Failure {
    Failure::of(problem::UNKNOWN_FORMAT, error.to_string())
}
