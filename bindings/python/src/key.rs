//! Private keys in memory. Their arithmetic is the library's.

use crate::failure::Failure;
use crate::input::Source;
use crate::words::word;
use crate::work;
use lacre::decode_pem;
use lacre::signing::{Certificate, KeyKind, PublicKey, SignatureAlgorithm, SigningKey as _, SoftwareKey};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

/// A private key in memory.
#[pyclass(frozen, module = "lacre._lacre")]
pub(crate) struct Key(pub(crate) SoftwareKey);

impl Key {
    /// Signs a digest, or a message where the algorithm does.
    pub(crate) fn value(&self, algorithm: &SignatureAlgorithm, signed: &[u8]) -> Result<Vec<u8>, Failure> {
        let value = self.0.sign(algorithm, signed, &mut randomness());
        value.map_err(|error| Failure::new("key-refused", &error))
    }
}

#[pymethods]
impl Key {
    /// Reads PKCS#8, DER or PEM, encrypted where there is a password.
    #[staticmethod]
    #[pyo3(signature = (key, password))]
    fn read(py: Python<'_>, key: Source, password: Option<PyBackedBytes>) -> PyResult<Self> {
        Ok(Self(work::run(py, || {
            SoftwareKey::read(&key.open()?, password.as_deref()).map_err(|error| Failure::new("INVALID_KEY", &error))
        })?))
    }

    /// Makes a key of a kind.
    #[staticmethod]
    fn generate(py: Python<'_>, kind: &str) -> PyResult<Self> {
        let kind: KeyKind = word("the kind of key", kind, KeyKind::ALL.iter().map(|kind| kind.as_str()))?;
        Ok(Self(work::run(py, || {
            SoftwareKey::generate(kind, &mut randomness()).map_err(|error| Failure::new("INVALID_KEY", &error))
        })?))
    }

    /// The key itself, not encrypted: PKCS#8.
    fn to_pkcs8<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.0.to_pkcs8().map_err(|error| Failure::new("INVALID_KEY", &error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The public half: SubjectPublicKeyInfo.
    fn public_key<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.public_key().spki())
    }

    /// The algorithm of the key, for people.
    fn algorithm(&self) -> String {
        self.0.public_key().algorithm().to_string()
    }
}

/// The public key in a certificate, or in a SubjectPublicKeyInfo.
pub(crate) fn public_key(source: &Source) -> Result<PublicKey, Failure> {
    let bytes = source.open()?;
    let der = decode_pem(&bytes);
    let key = match Certificate::from_der(&der) {
        Ok(certificate) => PublicKey::from_spki(certificate.spki()),
        Err(_) => PublicKey::from_spki(&der),
    };
    key.map_err(|error| Failure::new("INVALID_KEY", &error))
}

/// The system's random numbers. Where it has none the call ends with `INTERNAL`.
pub(crate) fn randomness() -> rand_core::UnwrapErr<getrandom::SysRng> {
    rand_core::UnwrapErr(getrandom::SysRng)
}
