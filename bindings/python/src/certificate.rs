//! Reports on certificates by themselves.

use crate::report::language_of;
use crate::work;
use pyo3::prelude::*;
use std::sync::Arc;

/// A report on a certificate.
#[pyclass(frozen, module = "lacre._lacre")]
pub(crate) struct CertificateReport(Arc<lacre::CertificateReport>);

impl CertificateReport {
    pub(crate) fn new(report: lacre::CertificateReport) -> Self {
        Self(Arc::new(report))
    }
}

#[pymethods]
impl CertificateReport {
    fn indication(&self) -> &'static str {
        self.0.indication().as_str()
    }

    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        Ok(work::run(py, || Ok(self.0.to_json()))?)
    }

    fn to_text(&self, py: Python<'_>) -> PyResult<String> {
        Ok(work::run(py, || Ok(self.0.to_text()))?)
    }

    fn in_language(&self, language: &str) -> PyResult<Self> {
        let language = language_of(language)?;
        Ok(Self::new(lacre::CertificateReport::clone(&self.0).in_language(language)))
    }
}
