//! Milliseconds and bytes that each form of the report takes, for one signature.
//!
//! `cargo bench --bench report`. The goal: JSON at most 0.3 ms, PDF at most 10 ms and, attachments aside, 60 kB.

use lacre::{Bundle, Document, Policy, Report, Validator, report::Language};
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

/// Runs of each form; the median counts.
const RUNS: usize = 201;

/// A form of the report, by its name.
type Form = (&'static str, fn(&Report) -> usize);

const FORMS: [Form; 6] = [
    ("JSON", |report| report.to_json().len()),
    ("text", |report| report.to_text().len()),
    ("trace", |report| report.to_trace().len()),
    ("ETSI", |report| report.to_etsi_xml().len()),
    ("HTML", |report| report.to_html().len()),
    ("PDF", |report| report.to_pdf().expect("the writer takes the report").len()),
];

fn main() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/documents");
    let example = |name: &str| std::fs::read(examples.join(name)).expect("an example");
    let validator = Validator::new(Policy::eidas()).trust_anchor(&example("root.der")).expect("a certificate");
    let bytes = example("contract.pdf");
    let document = Document::new(&bytes).named("contract.pdf");
    let time = "2027-01-01T00:00:00Z".parse().expect("a time");
    let report = validator.validate(&document, time).expect("the example is readable");
    for language in [Language::English, Language::Finnish] {
        let report = report.clone().in_language(language);
        for (name, form) in FORMS {
            let (median, bytes) = measure(|| form(&report));
            println!("{name:6} {language}  {:8.3} ms {bytes:9} bytes", median.as_secs_f64() * 1e3);
        }
    }
    let (median, bytes) = measure(|| {
        let (_, bundle) =
            Bundle::record(&validator, &document, time, Language::English).expect("the example is readable");
        bundle.to_zip().len()
    });
    println!("validated, with its bundle  {:8.3} ms {bytes:9} bytes", median.as_secs_f64() * 1e3);
}

fn measure(run: impl Fn() -> usize) -> (Duration, usize) {
    let mut bytes = 0;
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            bytes = black_box(run());
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    (times[RUNS / 2], bytes)
}
