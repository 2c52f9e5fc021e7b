//! The module that reads documents.

use crate::failure::Failure;
use crate::handed_in::{HandedIn, time, validator};
use crate::options::Options;
use wasm_bindgen::prelude::wasm_bindgen;

/// Returns the report on a document under the built-in policy, as JSON (`lacre-report/2`) in English. Other policies
/// and other languages are the second module's.
#[wasm_bindgen]
pub fn validate(document: &[u8], options: &Options) -> Result<String, Failure> {
    let handed_in = HandedIn::new(options);
    let report = validator(options)?.validate(&handed_in.document(document, options), time(options)?)?;
    Ok(report.to_json())
}

/// Returns what is inside a document, as JSON (`lacre-facts/1`), and no verdict.
#[wasm_bindgen]
pub fn inspect(document: &[u8], options: &Options) -> Result<String, Failure> {
    let handed_in = HandedIn::new(options);
    let facts = validator(options)?.facts(&handed_in.document(document, options), time(options)?)?;
    Ok(facts.to_json())
}
