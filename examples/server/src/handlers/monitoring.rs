//! Alive, ready, measured, described.

use crate::app::App;
use crate::http::failure::Failure;
use crate::http::problem;
use axum::extract::{Path, State};
use axum::http::{HeaderName, header};

const TEXT: (HeaderName, &str) = (header::CONTENT_TYPE, "text/plain; charset=utf-8");

/// The process is alive.
pub async fn alive() -> &'static str {
    "alive\n"
}

/// The server takes requests: what it trusts is loaded, and it was not told to stop.
pub async fn ready(State(app): State<App>) -> Result<&'static str, Failure> {
    if app.is_stopping() {
        return Err(Failure::of(problem::NOT_READY, "the server is stopping"));
    }
    app.trusted.validator()?;
    Ok("ready\n")
}

/// What Prometheus scrapes.
pub async fn metrics(State(app): State<App>) -> ([(HeaderName, &'static str); 1], String) {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], app.metrics.render())
}

/// What a kind of problem means, and what to do about it.
pub async fn problem(Path(name): Path<String>) -> Result<([(HeaderName, &'static str); 1], String), Failure> {
    let kind = problem::named(&name).ok_or_else(|| Failure::of(problem::NOT_FOUND, "no problem has this name"))?;
    Ok(([TEXT], format!("{} ({})\n\n{}\n", kind.title, kind.status, kind.advice)))
}
