//! The start page: drop a file, read the verdict.

use axum::http::{HeaderName, header};

type Page = ([(HeaderName, &'static str); 2], &'static str);

/// Only what this server sends runs and is shown.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const fn page(media: &'static str, text: &'static str) -> Page {
    ([(header::CONTENT_TYPE, media), (header::CONTENT_SECURITY_POLICY, POLICY)], text)
}

/// The page.
pub async fn html() -> Page {
    page("text/html; charset=utf-8", include_str!("../page/index.html"))
}

/// Its looks.
pub async fn css() -> Page {
    page("text/css; charset=utf-8", include_str!("../page/page.css"))
}

/// What it does.
pub async fn js() -> Page {
    page("text/javascript; charset=utf-8", include_str!("../page/page.js"))
}
