//! The module that signs and extends.
//!
//! A key signs outside of it: in WebCrypto, in a token, with a service.

use crate::failure::Failure;
use crate::handed_in::{HandedIn, time, validator};
use crate::options::Options;
use js_sys::{Array, Uint8Array};
use lacre::Document;
use lacre::augmentation::{self, Extension, Material, TimestampWant};
use lacre::report::TimestampType;
use lacre::signing::{DigestAlgorithm, Prepared, SigningError, SigningErrorCode};
use lacre_json::{
    ExtensionRequest, ExtensionResult, PreparedSignature, Refused, SigningRequest, VainSearch, Wanted, wanted,
};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Prepares the signature that a request (JSON) asks for; what is told of it, as JSON.
#[wasm_bindgen]
pub fn prepare(document: &[u8], options: &Options, request: &str) -> Result<String, Failure> {
    let request: SigningRequest = read(request)?;
    if request.key_id.is_some() {
        return Err(Failure::plain(
            "INVALID_ARGUMENT",
            "found keyId, expected a certificate: keys are kept by a server",
        ));
    }
    let handed_in = HandedIn::new(options);
    let signer = request.signer()?;
    let prepared = lacre_json::prepare(&request, &handed_in.document(document, options), &signer, time(options)?)?;
    told(&prepared)
}

/// Returns what is told of a prepared signature, by its state alone: JSON.
#[wasm_bindgen]
pub fn describe(state: &[u8]) -> Result<String, Failure> {
    told(&Prepared::from_json(state).map_err(refused)?)
}

/// Finishes a signature with its value, and with a time-stamp over it where one is there: the file.
#[wasm_bindgen]
pub fn finish(
    document: &[u8],
    options: &Options,
    state: &[u8],
    value: &[u8],
    timestamp: Option<Vec<u8>>,
) -> Result<Vec<u8>, Failure> {
    let prepared = Prepared::from_json(state).map_err(refused)?;
    let handed_in = HandedIn::new(options);
    let file = handed_in.document(document, options);
    let output = match timestamp {
        None => prepared.finish(&file, value),
        Some(token) => prepared.finish_with_timestamp(&file, value, &token),
    };
    Ok(output.map_err(refused)?.to_vec(document))
}

/// Returns the time-stamp that a signature with this value wants, as JSON. The value is verified.
#[wasm_bindgen(js_name = wantedTimestamp)]
pub fn wanted_timestamp(state: &[u8], value: &[u8], function: &str) -> Result<String, Failure> {
    let prepared = Prepared::from_json(state).map_err(refused)?;
    let algorithm = DigestAlgorithm::from_name(function).ok_or_else(|| {
        let message = format!("found the digest function `{function}`, expected SHA-256, SHA-384 or SHA-512");
        Failure::from(Refused::new(SigningErrorCode::ParameterInvalid, message))
    })?;
    let imprint = prepared.timestamp_imprint(value, algorithm).map_err(refused)?;
    let want = TimestampWant { algorithm, imprint, kind: TimestampType::Signature, about: None };
    written(&Wanted::of_timestamp(&want))
}

/// Extends a document, or says what is wanted for that. `attempts` is JSON: what was looked for in vain. Evidence is in the
/// options. Gives a list: what is wanted, as JSON; or nothing, what became of the document, as JSON, and its bytes.
#[wasm_bindgen]
pub fn extend(
    document: &[u8],
    options: &Options,
    request: &str,
    timestamps: Vec<Uint8Array>,
    attempts: &str,
) -> Result<Array, Failure> {
    let request: ExtensionRequest = read(request)?;
    let target = request.target()?;
    let mut material = Material::new();
    for token in &timestamps {
        material.timestamp(token.to_vec());
    }
    for attempt in read::<Vec<VainSearch>>(attempts)? {
        material.attempt(attempt.into());
    }
    let handed_in = HandedIn::new(options);
    let file: Document<'_> = handed_in.document(document, options);
    let step = augmentation::extend(&validator(options)?, &file, &target, &material, time(options)?);
    Ok(match step.map_err(refused)? {
        Extension::Wanted(wants) => {
            let wants: Vec<Wanted> = wants.iter().map(wanted).collect();
            Array::of1(&written(&wants)?.into())
        }
        Extension::Done(extended) => {
            let bytes = Uint8Array::from(&*extended.output.to_vec(document));
            Array::of3(&JsValue::UNDEFINED, &written(&ExtensionResult::of(&extended, &target))?.into(), &bytes.into())
        }
    })
}

fn told(prepared: &Prepared) -> Result<String, Failure> {
    written(&PreparedSignature::of(prepared)?)
}

fn refused(error: SigningError) -> Failure {
    Refused::from(error).into()
}

fn read<T: serde::de::DeserializeOwned>(json: &str) -> Result<T, Failure> {
    serde_json::from_str(json).map_err(|error| Failure::new("INVALID_ARGUMENT", &error))
}

fn written(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::new("INTERNAL", &error))
}
