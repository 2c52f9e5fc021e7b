//! The start page: drop files, read the verdicts. It is the page of examples/web with an engine that asks this server.

use crate::app::App;
use axum::Router;
use axum::http::header;
use axum::routing::get;
use std::sync::Arc;

/// Only what this server sends runs and is shown.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// Path, media type and text of each part.
const PARTS: &[(&str, &str, &str)] = &[
    ("/", "text/html; charset=utf-8", include_str!("../page/index.html")),
    ("/engine.js", JAVASCRIPT, include_str!("../page/engine.js")),
    ("/app.js", JAVASCRIPT, include_str!("../../../web/app.js")),
    ("/view.js", JAVASCRIPT, include_str!("../../../web/view.js")),
    ("/strings.js", JAVASCRIPT, include_str!("../../../web/strings.js")),
    ("/style.css", "text/css; charset=utf-8", include_str!("../../../web/style.css")),
    ("/seal.svg", "image/svg+xml", include_str!("../../../web/seal.svg")),
];

/// Returns the paths of the page.
pub fn routes() -> Router<Arc<App>> {
    PARTS.iter().fold(Router::new(), |router, &(path, media, text)| {
        let headers = [(header::CONTENT_TYPE, media), (header::CONTENT_SECURITY_POLICY, POLICY)];
        router.route(path, get(move || std::future::ready((headers, text))))
    })
}
