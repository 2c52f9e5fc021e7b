//! Private keys: in memory, where their arithmetic is the library's, or in a token.

use crate::failure::Failure;
use crate::input::Source;
use crate::words::word;
use crate::work;
use lacre::decode_pem;
use lacre::signing::{Certificate, KeyKind, PublicKey, SignatureAlgorithm, SigningKey, SoftwareKey};
use lacre_keys::TokenKey;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

/// A private key.
#[pyclass(frozen, module = "lacre._lacre")]
pub(crate) struct Key(Kept);

/// Where a private key is.
enum Kept {
    Memory(SoftwareKey),
    Token(TokenKey),
}

impl Key {
    /// Returns the key as what signs, wherever it is.
    pub(crate) fn signing(&self) -> &dyn SigningKey {
        match &self.0 {
            Kept::Memory(key) => key,
            Kept::Token(key) => key,
        }
    }

    /// Signs a digest, or a message where the algorithm does.
    pub(crate) fn value(&self, algorithm: &SignatureAlgorithm, signed: &[u8]) -> Result<Vec<u8>, Failure> {
        let value = self.signing().sign(algorithm, signed, &mut randomness());
        value.map_err(|error| Failure::new("key-refused", &error))
    }
}

impl From<SoftwareKey> for Key {
    fn from(key: SoftwareKey) -> Self {
        Self(Kept::Memory(key))
    }
}

impl From<TokenKey> for Key {
    fn from(key: TokenKey) -> Self {
        Self(Kept::Token(key))
    }
}

#[pymethods]
impl Key {
    /// Reads PKCS#8, DER or PEM, encrypted where there is a password.
    #[staticmethod]
    #[pyo3(signature = (key, password))]
    fn read(py: Python<'_>, key: Source, password: Option<PyBackedBytes>) -> PyResult<Self> {
        let key = work::run(py, || {
            SoftwareKey::read(&key.open()?, password.as_deref()).map_err(|error| Failure::new("INVALID_KEY", &error))
        })?;
        Ok(key.into())
    }

    /// Makes a key of a kind.
    #[staticmethod]
    fn generate(py: Python<'_>, kind: &str) -> PyResult<Self> {
        let kind = kind_of(kind)?;
        let key = work::run(py, || {
            SoftwareKey::generate(kind, &mut randomness()).map_err(|error| Failure::new("INVALID_KEY", &error))
        })?;
        Ok(key.into())
    }

    /// Returns the key itself, not encrypted: PKCS#8. A token gives none away.
    fn to_pkcs8<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = match &self.0 {
            Kept::Memory(key) => key.to_pkcs8().map_err(|error| Failure::new("INVALID_KEY", &error))?,
            Kept::Token(_) => {
                let failure = Failure::plain("TOKEN", "found a key in a PKCS#11 token, expected one in memory");
                return Err(failure.with_hint(Some("a token gives no key away: sign with it where it is")).into());
            }
        };
        Ok(PyBytes::new(py, &bytes))
    }

    /// Returns the public half: SubjectPublicKeyInfo.
    fn public_key<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.signing().public_key().spki())
    }

    /// Returns the algorithm of the key, for people.
    fn algorithm(&self) -> String {
        self.signing().public_key().algorithm().to_string()
    }

    /// Returns whether the key is in a token.
    fn is_in_token(&self) -> bool {
        matches!(self.0, Kept::Token(_))
    }
}

/// Returns a kind of key by its name.
pub(crate) fn kind_of(name: &str) -> Result<KeyKind, Failure> {
    word("the kind of key", name, KeyKind::ALL.iter().map(|kind| kind.as_str()))
}

/// Returns the public key in a certificate, or in a SubjectPublicKeyInfo.
pub(crate) fn public_key(source: &Source) -> Result<PublicKey, Failure> {
    let bytes = source.open()?;
    let der = decode_pem(&bytes);
    let key = match Certificate::from_der(&der) {
        Ok(certificate) => PublicKey::from_spki(certificate.spki()),
        Err(_) => PublicKey::from_spki(&der),
    };
    key.map_err(|error| Failure::new("INVALID_KEY", &error))
}

/// Returns the system's random numbers. Where it has none the call ends with `INTERNAL`.
pub(crate) fn randomness() -> rand_core::UnwrapErr<getrandom::SysRng> {
    rand_core::UnwrapErr(getrandom::SysRng)
}
