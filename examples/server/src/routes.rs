//! The table of paths, and what surrounds every request.

use crate::app::App;
use crate::handlers::{certificates, csc, extend, finish, hash, monitoring, page, pki, prepare, validate};
use crate::http::failure::{self, Failure};
use crate::http::observe::observe;
use crate::http::parameters::with_process_id;
use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::from_fn;
use axum::response::IntoResponse as _;
use axum::routing::{get, post};
use std::sync::Arc;
use tower::Layer as _;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::normalize_path::{NormalizePath, NormalizePathLayer};
use tower_http::set_header::SetResponseHeaderLayer;

/// Returns every path. Each also answers with a slash at its end.
pub fn table() -> Router<Arc<App>> {
    let validation = Router::new()
        .route("/api/Document/Validate/Pdf/{processId}", post(validate::pdf))
        .route("/api/Document/Validate/Xml/{processId}", post(validate::xml))
        .route_layer(from_fn(with_process_id));
    Router::new()
        .merge(validation)
        .route("/api/signature/certificates", get(certificates::list))
        .route("/api/signature/hash", post(hash::json))
        .route("/api/signature/hash/{keyId}", post(hash::raw))
        .route("/api/signature/document/prepare", post(prepare::prepare))
        .route("/api/signature/document/finish", post(finish::finish))
        .route("/api/signature/document/extend", post(extend::extend))
        .route("/csc/v2/info", post(csc::info))
        .route("/csc/v2/credentials/list", post(csc::list))
        .route("/csc/v2/credentials/info", post(csc::credential))
        .route("/csc/v2/signatures/signHash", post(csc::sign_hash))
        .route("/pki/ca.cer", get(pki::certificate))
        .route("/pki/ca.crl", get(pki::revocation_list))
        .route("/pki/ocsp", post(pki::ocsp))
        .route("/pki/ocsp/{*request}", get(pki::ocsp_get))
        .route("/healthz", get(monitoring::alive))
        .route("/readyz", get(monitoring::ready))
        .route("/openapi.json", get(monitoring::openapi))
        .route("/problems/{name}", get(monitoring::problem))
        .merge(page::routes())
}

/// Returns what Prometheus scrapes.
pub fn metrics() -> Router<Arc<App>> {
    Router::new().route("/metrics", get(monitoring::metrics))
}

/// Returns what is served at the address of the measurements, where they have one of their own.
pub fn measured() -> Router<Arc<App>> {
    metrics().route("/healthz", get(monitoring::alive)).route("/readyz", get(monitoring::ready))
}

/// Surrounds paths with what every request gets: failures with a body, panics that end in a 500, headers, a line of log.
pub fn surrounded(table: Router<Arc<App>>, app: Arc<App>) -> NormalizePath<Router> {
    let header = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    let router = table
        .fallback(failure::not_found)
        .method_not_allowed_fallback(failure::method_not_allowed)
        // One layer of several, the outermost first: each layer of a router is a box of its own for every request.
        .layer((
            header(header::CACHE_CONTROL, "no-store"),
            header(header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            header(header::REFERRER_POLICY, "no-referrer"),
            header(header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
            from_fn(observe),
            CatchPanicLayer::custom(|_| Failure::internal("a handler panicked").into_response()),
        ))
        .with_state(app);
    NormalizePathLayer::trim_trailing_slash().layer(router)
}
