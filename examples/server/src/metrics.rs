//! What Prometheus scrapes.

use lacre::{Report, signing::SignatureAlgorithm};
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use std::time::Duration;

const REQUEST: &str = "http_request_duration_seconds";
const VALIDATION: &str = "lacre_validation_duration_seconds";
const VALIDATIONS: &str = "lacre_validations_total";
const SIGNATURES: &str = "lacre_hash_signatures_total";
const DOCUMENTS: &str = "lacre_documents_total";
const LIST_AGE: &str = "lacre_trusted_list_age_seconds";
const READY: &str = "lacre_ready";
const TRUST_LOADS: &str = "lacre_trust_loads_total";

/// A validation of a signed contract takes milliseconds, one of a large archive seconds.
const BUCKETS: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

/// Begins to count; once a process.
///
/// # Errors
///
/// When something counts already.
pub fn install() -> Result<PrometheusHandle, BuildError> {
    let suffix = Matcher::Suffix("_duration_seconds".into());
    let handle = PrometheusBuilder::new().set_buckets_for_metric(suffix, BUCKETS)?.install_recorder()?;
    describe_histogram!(REQUEST, "Time from the request's head to the answer's head");
    describe_histogram!(VALIDATION, "Time to judge a document and write its report");
    describe_counter!(VALIDATIONS, "Signatures judged");
    describe_counter!(SIGNATURES, "Hashes signed");
    describe_counter!(DOCUMENTS, "Documents signed and extended");
    describe_gauge!(LIST_AGE, "Time since a trusted list was issued");
    describe_gauge!(READY, "1 when the server takes requests");
    describe_counter!(TRUST_LOADS, "How often what is trusted was loaded, or could not be");
    Ok(handle)
}

/// Counts a request that was answered. The route is the template, never the path.
pub fn request(method: &str, route: &str, status: u16, took: Duration) {
    // Methods are the caller's to invent.
    let method = match method {
        "GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "PATCH" | "OPTIONS" => method.to_owned(),
        _ => "other".to_owned(),
    };
    let labels = [("method", method), ("route", route.to_owned()), ("status", status.to_string())];
    histogram!(REQUEST, &labels).record(took);
}

/// Counts a document that was judged: one count a signature, or one for a document that has none.
pub fn validation(report: &Report, took: Duration) {
    histogram!(VALIDATION).record(took);
    let count = |format: &str, indication: &str, sub_indication: &str| {
        let labels = [
            ("format", format.to_owned()),
            ("indication", indication.to_owned()),
            ("sub_indication", sub_indication.to_owned()),
        ];
        counter!(VALIDATIONS, &labels).increment(1);
    };
    let mut signatures = 0;
    for signature in report.signatures() {
        let format = signature.level().and_then(|level| level.form()).map_or("unknown", |form| form.as_str());
        count(format, signature.indication().as_str(), signature.sub_indication().map_or("", |sub| sub.as_str()));
        signatures += 1;
    }
    if signatures == 0 {
        count("none", report.indication().as_str(), "");
    }
}

/// Counts a hash that was signed.
pub fn signature(algorithm: &SignatureAlgorithm) {
    counter!(SIGNATURES, "algorithm" => algorithm.to_string()).increment(1);
}

/// Counts a document that was signed or extended to this level.
pub fn document(operation: &'static str, level: &'static str) {
    counter!(DOCUMENTS, "operation" => operation, "level" => level).increment(1);
}

/// Records how many seconds ago a trusted list was issued.
pub fn list_age(territory: &str, seconds: i64) {
    gauge!(LIST_AGE, "territory" => territory.to_owned()).set(seconds as f64);
}

/// Counts that what is trusted was loaded, or could not be.
pub fn trust_loaded(whole: bool) {
    counter!(TRUST_LOADS, "result" => if whole { "loaded" } else { "failed" }).increment(1);
}

/// Records whether the server takes requests.
pub fn ready(is: bool) {
    gauge!(READY).set(if is { 1.0 } else { 0.0 });
}
