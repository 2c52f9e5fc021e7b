//! The interface, described for machines: OpenAPI 3.1, kept in docs/openapi.json.

use crate::handlers::{certificates, csc, extend, finish, hash, monitoring, pki, prepare, validate};
use crate::http::access::TOKEN_HEADER;
use crate::http::body::{CscBody, InternalBody, Problem, SigningProblem, UnauthorizedBody};
use serde_json::{Map, Value};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::{Modify, OpenApi};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "lacre-server",
        description = "Validates electronic signatures, hands users their certificate, signs hashes and documents, extends documents",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    servers((url = "/")),
    tags(
        (name = "validation", description = "Files in, reports out"),
        (name = "signature", description = "Certificates of the caller, signatures over hashes and in documents"),
        (name = "csc", description = "Cloud Signature Consortium API v2, a subset"),
        (name = "pki", description = "What the certification authority publishes"),
        (name = "operation", description = "For those who run the server"),
    ),
    paths(
        validate::pdf, validate::xml,
        certificates::list, hash::raw, hash::json, prepare::prepare, finish::finish, extend::extend,
        csc::info, csc::list, csc::credential, csc::sign_hash,
        pki::certificate, pki::revocation_list, pki::ocsp, pki::ocsp_get,
        monitoring::alive, monitoring::ready, monitoring::metrics, monitoring::problem,
    ),
    // What `Errors`, `DocumentErrors` and `CscErrors` refer to.
    components(schemas(UnauthorizedBody, InternalBody, Problem, SigningProblem, CscBody)),
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

/// The schema of `lacre-report/2`, as docs/reports.md has it.
const REPORT: &str = include_str!("../../../docs/report.schema.json");

/// Returns the description.
pub fn json() -> String {
    let mut description = serde_json::to_value(Description::openapi()).expect("a description is JSON");
    let report = serde_json::from_str(REPORT).expect("the schema is JSON; a test reads it");
    if let Some(Value::Object(schemas)) = description.pointer_mut("/components/schemas") {
        add_report(schemas, report);
    }
    description.sort_all_objects();
    let mut text = serde_json::to_string_pretty(&description).expect("a description is JSON");
    text.push('\n');
    text
}

/// Adds the report's schema as the component `Report`, and its definitions as components beside it.
fn add_report(schemas: &mut Map<String, Value>, mut report: Value) {
    refer_to_components(&mut report);
    let Value::Object(mut report) = report else { return };
    report.retain(|key, _| !matches!(&**key, "$schema" | "$id"));
    if let Some(Value::Object(definitions)) = report.remove("$defs") {
        schemas.extend(definitions.into_iter().map(|(name, schema)| (component(&name), schema)));
    }
    schemas.insert("Report".to_owned(), Value::Object(report));
}

fn refer_to_components(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get_mut("$ref")
                && let Some(name) = reference.strip_prefix("#/$defs/")
            {
                *reference = format!("#/components/schemas/{}", component(name));
            }
            members.values_mut().for_each(refer_to_components);
        }
        Value::Array(items) => items.iter_mut().for_each(refer_to_components),
        _ => {}
    }
}

/// Returns the component of a definition: `ReportEvidenceRecord` of `evidence_record`.
fn component(definition: &str) -> String {
    let words = definition.split('_').map(|word| match word.split_at_checked(1) {
        Some((first, rest)) => first.to_ascii_uppercase() + rest,
        None => String::new(),
    });
    std::iter::once("Report".to_owned()).chain(words).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

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

    /// Every reference leads somewhere, the report's among them.
    #[test]
    fn references() {
        fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
            match value {
                Value::Object(members) => {
                    found.extend(members.get("$ref").and_then(Value::as_str));
                    members.values().for_each(|member| references(member, found));
                }
                Value::Array(items) => items.iter().for_each(|item| references(item, found)),
                _ => {}
            }
        }
        let description: Value = serde_json::from_str(&super::json()).unwrap();
        let mut found = vec![];
        references(&description, &mut found);
        assert!(found.contains(&"#/components/schemas/ReportSignature"));
        for reference in found {
            let path = reference.strip_prefix('#').unwrap();
            assert!(description.pointer(path).is_some(), "{reference}");
        }
        let answer = "/paths/~1api~1Document~1Validate~1Pdf~1{processId}/post/responses/200/content/application~1json";
        assert_eq!(description.pointer(&format!("{answer}/schema/$ref")).unwrap(), "#/components/schemas/Report");
    }
}
