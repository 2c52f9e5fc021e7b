//! The interface, described for machines: OpenAPI 3.1, kept in docs/openapi.json.

use crate::handlers::{certificates, csc, hash, monitoring, pki, validate};
use crate::http::access::TOKEN_HEADER;
use crate::http::body::{CscBody, InternalBody, Problem, UnauthorizedBody};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::{Modify, OpenApi};

#[derive(OpenApi)]
#[openapi(
    info(title = "lacre-server", description = "Validates electronic signatures, hands users their certificate, signs hashes"),
    servers((url = "/")),
    tags(
        (name = "validation", description = "Files in, reports out"),
        (name = "signature", description = "Certificates and hash signatures of the caller"),
        (name = "csc", description = "Cloud Signature Consortium API v2, a subset"),
        (name = "pki", description = "What the certification authority publishes"),
        (name = "operation", description = "For those who run the server"),
    ),
    paths(
        validate::pdf, validate::xml,
        certificates::list, hash::raw, hash::json,
        csc::info, csc::list, csc::credential, csc::sign_hash,
        pki::certificate, pki::revocation_list, pki::ocsp, pki::ocsp_get,
        monitoring::alive, monitoring::ready, monitoring::metrics, monitoring::problem,
    ),
    // What `Errors` and `CscErrors` refer to.
    components(schemas(UnauthorizedBody, InternalBody, Problem, CscBody)),
    modifiers(&Tokens),
)]
struct Description;

/// The two headers in which a token may stand.
struct Tokens;

impl Modify for Tokens {
    fn modify(&self, description: &mut utoipa::openapi::OpenApi) {
        let components = description.components.get_or_insert_default();
        let header = ApiKey::Header(ApiKeyValue::new(TOKEN_HEADER.to_ascii_uppercase()));
        components.add_security_scheme("token", SecurityScheme::ApiKey(header));
        components.add_security_scheme("bearer", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    }
}

/// The description.
pub fn json() -> String {
    let mut text = Description::openapi().to_pretty_json().expect("a description is JSON");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    /// `LACRE_WRITE=1 cargo test -p lacre-server --lib openapi` writes it anew.
    #[test]
    fn the_description_in_docs_is_this_one() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
        if std::env::var_os("LACRE_WRITE").is_some() {
            std::fs::write(path, super::json()).unwrap();
        }
        let kept = std::fs::read_to_string(path).unwrap_or_default();
        assert!(kept == super::json(), "docs/openapi.json differs from the handlers: write it anew");
    }
}
