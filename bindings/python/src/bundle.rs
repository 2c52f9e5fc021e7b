//! Evidence bundles.

use crate::failure::Failure;
use crate::input::{Input, Source};
use crate::report::Report;
use crate::validator::Validator;
use crate::work;
use lacre::bundle::{BundleError, Described, Replay};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// What a verdict rests on, written down.
#[pyclass(frozen, module = "lacre._lacre")]
pub(crate) struct Bundle(lacre::Bundle);

/// A difference between a replay and its bundle: its place, what was, what is.
type Told = (String, String, String);

impl Bundle {
    pub(crate) fn new(bundle: lacre::Bundle) -> Self {
        Self(bundle)
    }
}

#[pymethods]
impl Bundle {
    #[staticmethod]
    fn from_zip(py: Python<'_>, zip: Source) -> PyResult<Self> {
        Ok(Self(work::run(py, || Ok(lacre::Bundle::from_zip(&zip.open()?)?))?))
    }

    fn to_zip<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &work::run(py, || Ok(self.0.to_zip()))?))
    }

    /// Returns the moment as of which the document was judged: milliseconds since 1970.
    fn validation_time(&self) -> i64 {
        self.0.validation_time().millis()
    }

    /// Returns the document that was judged, and the contents that were supplied with it: name, SHA-256.
    fn described(&self) -> Vec<(Option<String>, String)> {
        let told = |described: &Described| (described.name.clone(), described.sha256.clone());
        std::iter::once(self.0.document()).chain(self.0.contents()).map(told).collect()
    }

    /// Returns the policy under which the document was judged: its name, its SHA-256, and whether it is as strict as
    /// that of EU DSS.
    fn policy(&self) -> PyResult<(String, String, bool)> {
        let policy = self.0.policy().map_err(Failure::from)?;
        Ok((policy.name().to_owned(), policy.sha256().to_owned(), policy.is_strict()))
    }

    /// Returns the report as it was written: JSON.
    fn report<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.report())
    }

    /// Returns the report again, and what differs; from the document where it is given, by the trust and policy of
    /// `expected` where that is, else from the facts of the bundle.
    #[pyo3(signature = (document, expected))]
    fn replay(
        &self,
        py: Python<'_>,
        document: Option<Input>,
        expected: Option<Bound<'_, Validator>>,
    ) -> PyResult<(Report, Vec<Told>)> {
        let expected = expected.map(|expected| expected.get().validator.clone());
        let Replay { report, differences } = work::run(py, || match (&document, &expected) {
            (None, _) => Ok(self.0.replay()?),
            (Some(document), None) => document.with(|document| Ok(self.0.replay_with(document)?)),
            (Some(document), Some(expected)) => {
                document.with(|document| Ok(self.0.replay_trusting(document, expected)?))
            }
        })?;
        let told = differences.into_iter().map(|difference| (difference.place, difference.was, difference.is));
        Ok((Report::new(report), told.collect()))
    }
}

impl From<BundleError> for Failure {
    fn from(error: BundleError) -> Self {
        match error {
            BundleError::Document(error) => error.into(),
            error => Self::new("INVALID_BUNDLE", &error),
        }
    }
}
