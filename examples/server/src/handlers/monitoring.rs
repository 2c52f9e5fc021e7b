//! Alive, ready, measured, described.

use crate::app::App;
use crate::clock;
use crate::http::body::Problem;
use crate::http::failure::Failure;
use crate::http::problem;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderName, header};
use std::sync::Arc;
use std::sync::LazyLock;

const TEXT: (HeaderName, &str) = (header::CONTENT_TYPE, "text/plain; charset=utf-8");

/// The process is alive.
#[utoipa::path(get, path = "/healthz", tag = "operation", operation_id = "alive", security(()),
    responses((status = 200, description = "Alive", body = String, content_type = "text/plain")))]
pub async fn alive() -> &'static str {
    "alive\n"
}

/// The server takes requests: what it trusts is loaded and recent, its storage answers, and it was not told to stop.
#[utoipa::path(get, path = "/readyz", tag = "operation", operation_id = "ready", security(()),
    responses(
        (status = 200, description = "Ready", body = String, content_type = "text/plain"),
        (status = 503, description = "Not ready; the detail says why", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn ready(State(app): State<Arc<App>>) -> Result<&'static str, Failure> {
    app.ready(clock::now()).await?;
    Ok("ready\n")
}

/// What Prometheus scrapes.
#[utoipa::path(get, path = "/metrics", tag = "operation", operation_id = "metrics", security(()),
    responses(
        (status = 200, description = "Measurements", body = String, content_type = "text/plain"),
        (status = 404, description = "Measurements have an address of their own (LACRE_METRICS_LISTEN)", body = Problem,
            content_type = "application/problem+json"),
    ))]
pub async fn metrics(State(app): State<Arc<App>>) -> ([(HeaderName, &'static str); 1], String) {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], app.metrics.render())
}

/// Returns the description of this interface: OpenAPI 3.1.
pub async fn openapi() -> ([(HeaderName, &'static str); 1], &'static str) {
    static TEXT: LazyLock<String> = LazyLock::new(crate::openapi::json);
    ([(header::CONTENT_TYPE, "application/json")], &TEXT)
}

/// What a kind of problem means, and what to do about it.
#[utoipa::path(get, path = "/problems/{name}", tag = "operation", operation_id = "problem", security(()),
    params(("name" = String, Path, description = "The end of a problem's type", example = "too-large")),
    responses(
        (status = 200, description = "The explanation", body = String, content_type = "text/plain"),
        (status = 404, description = "No such problem", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn problem(
    name: Result<Path<String>, PathRejection>,
) -> Result<([(HeaderName, &'static str); 1], String), Failure> {
    let kind = name.ok().and_then(|Path(name)| problem::named(&name));
    let kind = kind.ok_or_else(|| Failure::of(problem::NOT_FOUND, "no problem has this name"))?;
    Ok(([TEXT], format!("{} ({})\n\n{}\n", kind.title, kind.status, kind.advice)))
}
