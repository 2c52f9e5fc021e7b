//! Signing and extending: requests and what is told of them are JSON (`bindings/json`), as in the npm package.

use crate::failure::Failure;
use crate::input::{Input, moment};
use crate::key::Key;
use crate::validator::Validator;
use crate::work;
use lacre::augmentation::{self, Extension, Material, Target, TimestampWant};
use lacre::report::TimestampType;
use lacre::signing::{DigestAlgorithm, Prepared, SigningError, SigningErrorCode};
use lacre::{Document, Time};
use lacre_json::{
    ExtensionRequest, ExtensionResult, PreparedSignature, Refused, SigningRequest, VainSearch, Wanted, wanted,
};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

/// Prepares the signature that a request (JSON) asks for; what is told of it, as JSON.
#[pyfunction]
pub(crate) fn prepare(py: Python<'_>, document: Input, request: &str, at: i64) -> PyResult<String> {
    Ok(work::run(py, || {
        let request: SigningRequest = read(request)?;
        let signer = request.signer()?;
        document.with(|document| told(&lacre_json::prepare(&request, document, &signer, moment(at))?))
    })?)
}

/// Returns what is told of a prepared signature, by its state alone: JSON.
#[pyfunction]
pub(crate) fn describe(py: Python<'_>, state: &str) -> PyResult<String> {
    Ok(work::run(py, || told(&prepared(state)?))?)
}

/// Finishes a signature with its value, and with a time-stamp over it where one is there: the file.
#[pyfunction]
#[pyo3(signature = (document, state, value, timestamp))]
pub(crate) fn finish<'py>(
    py: Python<'py>,
    document: Input,
    state: &str,
    value: PyBackedBytes,
    timestamp: Option<PyBackedBytes>,
) -> PyResult<Bound<'py, PyBytes>> {
    let file = work::run(py, || {
        let prepared = prepared(state)?;
        document.with(|document| {
            let output = match &timestamp {
                None => prepared.finish(document, &value),
                Some(token) => prepared.finish_with_timestamp(document, &value, token),
            };
            Ok(output.map_err(refused)?.to_vec(document.bytes()))
        })
    })?;
    Ok(PyBytes::new(py, &file))
}

/// Makes the value for a prepared signature with a key.
#[pyfunction]
pub(crate) fn value_by<'py>(py: Python<'py>, state: &str, key: &Bound<'py, Key>) -> PyResult<Bound<'py, PyBytes>> {
    let key = key.get();
    let value = work::run(py, || {
        let prepared = prepared(state)?;
        key.value(prepared.algorithm(), &prepared.digest())
    })?;
    Ok(PyBytes::new(py, &value))
}

/// Returns the time-stamp that a signature with this value wants, as JSON. The value is verified.
#[pyfunction]
pub(crate) fn wanted_timestamp(py: Python<'_>, state: &str, value: PyBackedBytes, function: &str) -> PyResult<String> {
    Ok(work::run(py, || {
        let prepared = prepared(state)?;
        let algorithm = DigestAlgorithm::from_name(function).ok_or_else(|| {
            let message = format!("found the digest function `{function}`, expected SHA-256, SHA-384 or SHA-512");
            Failure::from(Refused::new(SigningErrorCode::ParameterInvalid, message))
        })?;
        let imprint = prepared.timestamp_imprint(&value, algorithm).map_err(refused)?;
        let want = TimestampWant { algorithm, imprint, kind: TimestampType::Signature, about: None };
        written(&Wanted::of_timestamp(&want))
    })?)
}

/// What is made of a document.
type Step = fn(&lacre::Validator, &Document<'_>, &Target, &Material, Time) -> Result<Extension, SigningError>;

/// Extends a document (`how` is `extend`), time-stamps it (`timestamp`), or renews a time-stamp beside its content (`renew`); or
/// says what is wanted for that: JSON. `attempts` is JSON: what was looked for in vain. Where it is done,
/// what became of the document follows, as JSON, and its bytes.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python names each of them")]
pub(crate) fn extend<'py>(
    py: Python<'py>,
    validator: &Bound<'py, Validator>,
    document: Input,
    how: &str,
    request: &str,
    timestamps: Vec<PyBackedBytes>,
    attempts: &str,
    at: i64,
) -> PyResult<(Option<String>, Option<String>, Option<Bound<'py, PyBytes>>)> {
    let validator = &validator.get().validator;
    let step: Step = match how {
        "timestamp" => augmentation::timestamp,
        "renew" => augmentation::renew,
        _ => augmentation::extend,
    };
    let (wants, result, bytes) = work::run(py, || {
        let target = read::<ExtensionRequest>(request)?.target()?;
        let mut material = Material::new();
        for token in &timestamps {
            material.timestamp(token.to_vec());
        }
        for attempt in read::<Vec<VainSearch>>(attempts)? {
            material.attempt(attempt.into());
        }
        document.with(|document| {
            let came = step(validator, document, &target, &material, moment(at));
            Ok(match came.map_err(refused)? {
                Extension::Wanted(wants) => {
                    let wants: Vec<Wanted> = wants.iter().map(wanted).collect();
                    (Some(written(&wants)?), None, None)
                }
                Extension::Done(extended) => {
                    let bytes = extended.output.to_vec(document.bytes());
                    (None, Some(written(&ExtensionResult::of(&extended, &target))?), Some(bytes))
                }
            })
        })
    })?;
    Ok((wants, result, bytes.map(|bytes| PyBytes::new(py, &bytes))))
}

fn prepared(state: &str) -> Result<Prepared, Failure> {
    Prepared::from_json(state.as_bytes()).map_err(refused)
}

fn told(prepared: &Prepared) -> Result<String, Failure> {
    written(&PreparedSignature::of(prepared)?)
}

fn refused(error: SigningError) -> Failure {
    Refused::from(error).into()
}

/// The codes are those of the library, which all doors have.
impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        Self::plain(refused.code().as_str(), refused.to_string()).with_hint(refused.hint())
    }
}

fn read<T: serde::de::DeserializeOwned>(json: &str) -> Result<T, Failure> {
    serde_json::from_str(json).map_err(|error| Failure::new("INVALID_ARGUMENT", &error))
}

fn written(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::new("INTERNAL", &error))
}
