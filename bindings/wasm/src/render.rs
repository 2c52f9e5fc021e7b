//! The module that judges facts and renders reports.

use crate::failure::Failure;
use crate::options::Options;
use lacre::{Facts, Report};
use wasm_bindgen::prelude::wasm_bindgen;

/// Returns the report on stored facts in one of its forms: `json`, `etsi`, `text`, `html` or `pdf`.
#[wasm_bindgen]
pub fn judge(facts: &[u8], options: &Options, form: &str) -> Result<Vec<u8>, Failure> {
    let facts = Facts::from_bytes(facts).map_err(|error| Failure::new("INVALID_FACTS", &error))?;
    let time = match options.time()? {
        Some(time) => time,
        None => facts.validation_time.ok_or_else(|| {
            Failure::plain("INVALID_ARGUMENT", "found facts that state no validation time, expected a Date as time")
        })?,
    };
    let report = lacre::judge(facts, &options.policy()?, time).in_language(options.language()?);
    write(&report, form)
}

fn write(report: &Report, form: &str) -> Result<Vec<u8>, Failure> {
    Ok(match form {
        "json" => report.to_json().into_bytes(),
        "etsi" => report.to_etsi_xml().into_bytes(),
        "text" => report.to_text().into_bytes(),
        "html" => report.to_html().into_bytes(),
        "pdf" => report.to_pdf().map_err(|error| Failure::new("REPORT", &error))?,
        other => {
            let message = format!("found the form `{other}`, expected json, etsi, text, html or pdf");
            return Err(Failure::plain("INVALID_ARGUMENT", message));
        }
    })
}
