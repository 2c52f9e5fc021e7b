//! PKCS#11 tokens. They work while other threads of Python run.

use crate::failure::Failure;
use crate::key::{Key, kind_of, randomness};
use crate::work;
use lacre_keys::{Pin, TokenError, TokenLocation};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use std::path::PathBuf;

/// A token, open for its user.
#[pyclass(frozen, module = "lacre._lacre")]
pub(crate) struct Pkcs11(lacre_keys::Pkcs11);

#[pymethods]
impl Pkcs11 {
    /// Opens a token: the file of the module, the label of the token, the PIN of its user.
    #[staticmethod]
    fn open(py: Python<'_>, module: PathBuf, token: String, pin: PyBackedStr) -> PyResult<Self> {
        let location = TokenLocation { module, token };
        Ok(Self(work::run(py, || Ok(lacre_keys::Pkcs11::open(&location, Pin::new(&pin))?))?))
    }

    /// Returns the key with this `CKA_LABEL`.
    fn find(&self, py: Python<'_>, label: &str) -> PyResult<Key> {
        Ok(work::run(py, || Ok(self.0.find(label)?))?.into())
    }

    /// Returns the key with this `CKA_ID`.
    fn find_by_id(&self, py: Python<'_>, id: PyBackedBytes) -> PyResult<Key> {
        Ok(work::run(py, || Ok(self.0.find_by_id(&id)?))?.into())
    }

    /// Makes a key in the token, under a label that none of its keys has yet.
    fn generate(&self, py: Python<'_>, kind: &str, label: &str) -> PyResult<Key> {
        let kind = kind_of(kind)?;
        let key = work::run(py, || match self.0.find(label) {
            // A token lets labels repeat, and then neither key would be found by its own.
            Err(TokenError::Key { kind: "private", found: 0, .. }) => {
                Ok(self.0.make(kind, label, &mut randomness())?)
            }
            Ok(_) | Err(TokenError::Key { .. } | TokenError::Kind(_)) => {
                let message = format!("the token has a key labelled {label:?} already, expected a new label");
                Err(Failure::plain("TOKEN", message))
            }
            Err(error) => Err(error.into()),
        })?;
        Ok(key.into())
    }
}

impl From<TokenError> for Failure {
    fn from(error: TokenError) -> Self {
        Self::new("TOKEN", &error)
    }
}
