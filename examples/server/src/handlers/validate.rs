//! Validating an uploaded file into a report.

use crate::app::App;
use crate::clock;
use crate::http::accept;
use crate::http::access::MayValidate;
use crate::http::body::{Bytes, JsonReport};
use crate::http::failure::{Errors, Failure};
use crate::http::form::ValidationForm;
use crate::http::media::{Media, refuse_envelope};
use crate::http::observe::Noted;
use crate::http::parameters::{ProcessId, language};
use crate::http::problem;
use crate::http::submission::{Submission, ValidationRequest};
use crate::metrics;
use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts as _, Request, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre::Report;
use lacre_map::FileBytes;
use std::sync::Arc;
use std::time::Instant;
use utoipa::IntoParams;
use utoipa::openapi::Required;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};

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

/// A file to be validated, from somebody who may have it validated.
pub struct Upload {
    process_id: ProcessId,
    headers: HeaderMap,
    body: Body,
}

impl FromRequest<Arc<App>> for Upload {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Failure> {
        let (mut parts, body) = request.into_parts();
        MayValidate::from_request_parts(&mut parts, app).await?;
        let process_id = ProcessId::from_request_parts(&mut parts, app).await?;
        Ok(Self { process_id, headers: parts.headers, body })
    }
}

/// How both operations describe what comes with the file.
impl IntoParams for Upload {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let id = text().min_length(Some(1)).max_length(Some(128)).pattern(Some("^[A-Za-z0-9._~-]{1,128}$"));
        let row = |name: &str, place: ParameterIn, required: Required, description: &str, schema: ObjectBuilder| {
            let parameter = ParameterBuilder::new().name(name).parameter_in(place).required(required);
            parameter.description(Some(description)).schema(Some(schema)).build()
        };
        vec![
            row(
                "processId",
                ParameterIn::Path,
                Required::True,
                "The caller's correlation id, repeated in X-Process-Id, in the report and in the log",
                id,
            ),
            row(
                "Accept-Language",
                ParameterIn::Header,
                Required::False,
                "The report's language: en, de, fr, es, it, pt, et, fi",
                text(),
            ),
        ]
    }
}

/// Validates a file into the report that `Accept` asks for: by default the PDF report in Base64.
#[utoipa::path(
    post, path = "/api/Document/Validate/Pdf/{processId}", tag = "validation", operation_id = "validatePdf",
    security((), ("token" = []), ("bearer" = [])),
    params(Upload),
    request_body(content(
        (Bytes = "application/octet-stream"),
        (ValidationForm = "multipart/form-data"),
        (ValidationRequest = "application/json"),
    ), description = "The signed file: its bytes, of whatever type except the other two; or a form or JSON that also has its name, password, detached contents, and the time as of which it is judged"),
    responses(
        (status = 200, description = "The report: the PDF report in Base64, the ETSI TS 119 102-2 report, the PDF report, or lacre-report/2",
            content(
            (String = "text/plain"),
            (String = "application/xml"),
            (String = "application/pdf"),
            (JsonReport = "application/json"),
        )),
        Errors,
    ),
)]
pub async fn pdf(State(app): State<Arc<App>>, upload: Upload) -> Result<Response, Failure> {
    let form = accept::choose(&upload.headers, FORMS)?;
    validate(app, upload, form).await
}

/// Validates a file into the XML report, whatever `Accept` says.
#[utoipa::path(
    post, path = "/api/Document/Validate/Xml/{processId}", tag = "validation", operation_id = "validateXml",
    security((), ("token" = []), ("bearer" = [])),
    params(Upload),
    request_body(content(
        (Bytes = "application/octet-stream"),
        (ValidationForm = "multipart/form-data"),
        (ValidationRequest = "application/json"),
    ), description = "The signed file: its bytes, of whatever type except the other two; or a form or JSON that also has its name, password, detached contents, and the time as of which it is judged"),
    responses(
        (status = 200, description = "The ETSI TS 119 102-2 report", body = String, content_type = "application/xml"),
        Errors,
    ),
)]
pub async fn xml(State(app): State<Arc<App>>, upload: Upload) -> Result<Response, Failure> {
    validate(app, upload, Form::Xml).await
}

async fn validate(app: Arc<App>, upload: Upload, form: Form) -> Result<Response, Failure> {
    let Upload { process_id, headers, body } = upload;
    let validator = app.validator(clock::now()).await?;
    app.workers.room()?;
    let received = Received::from(&app, &headers, body).await?;
    let language = language(&headers);
    let job = move || {
        let submission = received.read()?;
        let started = Instant::now();
        let time = submission.time.unwrap_or_else(clock::second);
        let document = submission.document(Some(process_id.as_str()));
        let report = validator.validate(&document, time).map_err(unreadable)?.in_language(language);
        let answer = written(&report, form)?;
        metrics::validation(&report, started.elapsed());
        Ok(answer)
    };
    app.workers.run(job).await?
}

/// What arrived. JSON is read by a worker: of files that are decoded there are never more than workers.
enum Received {
    Submission(Submission),
    Json(FileBytes),
}

impl Received {
    async fn from(app: &App, headers: &HeaderMap, body: Body) -> Result<Self, Failure> {
        Ok(match Media::of(headers)? {
            Media::Form(boundary) => Self::Submission(app.uploads.form(headers, body, &boundary).await?),
            Media::Json => Self::Json(app.uploads.file(headers, body).await?),
            Media::Bytes => {
                let file = app.uploads.file(headers, body).await?;
                refuse_envelope(&file)?;
                Self::Submission(file.into())
            }
        })
    }

    fn read(self) -> Result<Submission, Failure> {
        match self {
            Self::Submission(submission) => Ok(submission),
            Self::Json(bytes) => ValidationRequest::read(&bytes),
        }
    }
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
        indication: Some(report.indication().to_string()),
        level: None,
    });
    Ok(response)
}

fn plain(media: &'static str) -> (header::HeaderName, &'static str) {
    (header::CONTENT_TYPE, media)
}

fn unreadable(error: lacre::Error) -> Failure {
    let kind = if error.needs_password() { problem::PASSWORD } else { problem::UNKNOWN_FORMAT };
    Failure::of(kind, error.to_string())
}
