//! Keys with their certificates in PKCS#12 files.

use crate::failure::Failure;
use crate::input::Source;
use crate::key::Key;
use crate::work;
use lacre_keys::{Pkcs12, Pkcs12Error};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyBytes;

/// What a file has of one key: its name, the key, its certificate (DER), those above it.
type Identity<'py> = (Option<String>, Key, Bound<'py, PyBytes>, Vec<Bound<'py, PyBytes>>);

/// Returns the key of that name in a PKCS#12 file; without a name, the only one.
#[pyfunction]
#[pyo3(signature = (file, password, alias))]
pub(crate) fn identity<'py>(
    py: Python<'py>,
    file: Source,
    password: PyBackedStr,
    alias: Option<&str>,
) -> PyResult<Identity<'py>> {
    let found = work::run(py, || Ok(Pkcs12::open(&file.open()?, &password)?.identity(alias)?))?;
    let der = |certificate: &lacre::signing::Certificate| PyBytes::new(py, certificate.der());
    let chain = found.chain.iter().map(der).collect();
    Ok((found.alias, found.key.into(), der(&found.certificate), chain))
}

impl From<Pkcs12Error> for Failure {
    fn from(error: Pkcs12Error) -> Self {
        let hint = matches!(error, Pkcs12Error::Several { .. } | Pkcs12Error::Alias { .. });
        Self::new("INVALID_KEY", &error).with_hint(hint.then_some("`alias` names one of them"))
    }
}
