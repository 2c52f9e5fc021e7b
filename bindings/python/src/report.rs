//! Reports.

use crate::failure::Failure;
use crate::words::word;
use crate::work;
use lacre::augmentation::{EvidenceWant, Want};
use lacre::report::{Attempt, Language, Tried, Wanted, WantedKind};
use lacre::{Id, Time};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;

/// A report of the library. Its forms are written when they are asked for.
#[pyclass(frozen, module = "lacre._lacre")]
pub(crate) struct Report(pub(crate) Arc<lacre::Report>);

impl Report {
    pub(crate) fn new(report: lacre::Report) -> Self {
        Self(Arc::new(report))
    }

    /// Returns what is wanted about a certificate of the record, with its bytes and its issuer's, which an OCSP request
    /// names.
    fn want(&self, wanted: Wanted) -> Option<lacre_json::Wanted> {
        let about = self.0.certificate(&wanted.about)?;
        let der = |facts: &lacre_core::facts::Certificate| Some(facts.bytes.as_ref()?.0.to_vec());
        let want = EvidenceWant {
            name: about.name().to_owned(),
            certificate: der(about.facts())?,
            issuer: about.issuer().and_then(|issuer| der(issuer.facts())),
            not_before: None,
            retry_at: None,
            wanted,
        };
        Some(lacre_json::wanted(&Want::Evidence(want)))
    }

    fn written<T: Send>(&self, py: Python<'_>, write: impl FnOnce(&lacre::Report) -> T + Send) -> PyResult<T> {
        Ok(work::run(py, || Ok(write(&self.0)))?)
    }
}

#[pymethods]
impl Report {
    /// Returns the worst indication over all signatures.
    fn indication(&self) -> &'static str {
        self.0.indication().as_str()
    }

    fn language(&self) -> &'static str {
        self.0.language().as_str()
    }

    /// Returns the moment as of which it was judged: milliseconds since 1970.
    fn validation_time(&self) -> i64 {
        Time::millis(self.0.verdicts().time)
    }

    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        self.written(py, lacre::Report::to_json)
    }

    fn to_text(&self, py: Python<'_>) -> PyResult<String> {
        self.written(py, lacre::Report::to_text)
    }

    fn to_trace(&self, py: Python<'_>) -> PyResult<String> {
        self.written(py, lacre::Report::to_trace)
    }

    fn to_html(&self, py: Python<'_>) -> PyResult<String> {
        self.written(py, lacre::Report::to_html)
    }

    fn to_etsi_xml(&self, py: Python<'_>) -> PyResult<String> {
        self.written(py, lacre::Report::to_etsi_xml)
    }

    fn to_pdf<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let pdf = work::run(py, || self.0.to_pdf().map_err(|error| Failure::new("REPORT", &error)))?;
        Ok(PyBytes::new(py, &pdf))
    }

    /// Returns the facts that it rests on, as JSON.
    fn facts(&self, py: Python<'_>) -> PyResult<String> {
        self.written(py, |report| report.facts().to_json())
    }

    /// Returns what could change the verdict, with the requests that ask for it: JSON.
    fn wanted(&self, py: Python<'_>) -> PyResult<String> {
        Ok(work::run(py, || {
            let wants: Vec<lacre_json::Wanted> =
                self.0.wanted().into_iter().filter_map(|want| self.want(want)).collect();
            serde_json::to_string(&wants).map_err(|error| Failure::new("INTERNAL", &error))
        })?)
    }

    fn in_language(&self, py: Python<'_>, language: &str) -> PyResult<Self> {
        let language = language_of(language)?;
        self.written(py, |report| Self::new(report.clone().in_language(language)))
    }

    /// Returns the same, with what was looked for in vain: kind, about what, address, reason.
    fn with_attempts(&self, py: Python<'_>, attempts: Vec<(String, String, String, String)>) -> PyResult<Self> {
        let attempts = attempts.into_iter().map(|(kind, about, url, reason)| {
            let kind = word("the kind", &kind, WantedKind::ALL.iter().map(|kind| kind.as_str()))?;
            Ok(Attempt { kind, about: Id::new(about.as_str()), tried: Tried { url, reason } })
        });
        let attempts = attempts.collect::<Result<Vec<_>, Failure>>()?;
        self.written(py, |report| Self::new(report.clone().with_attempts(attempts)))
    }
}

/// Returns the language of that code.
pub(crate) fn language_of(code: &str) -> Result<Language, Failure> {
    word("the language", code, Language::ALL.iter().map(|language| language.as_str()))
}
