//! The PIN of a token's user.

use cryptoki::types::AuthPin;
use std::fmt;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// A PIN; wiped when dropped, never printed.
pub struct Pin(AuthPin);

/// Why there is no PIN.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum PinError {
    /// The file cannot be read, or is no text.
    #[error("{}: the PIN cannot be read", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The variable is not set, or is no text.
    #[error("the environment variable {0} is not set, expected the PIN of the PKCS#11 token")]
    Variable(String),
}

impl Pin {
    /// Makes a PIN of this text.
    pub fn new(text: &str) -> Self {
        Self(AuthPin::from(text))
    }

    /// Reads the file: its first line.
    pub fn from_file(path: &Path) -> Result<Self, PinError> {
        let failed = |source| PinError::File { path: path.to_owned(), source };
        let text = Zeroizing::new(std::fs::read_to_string(path).map_err(failed)?);
        Ok(Self::new(text.lines().next().unwrap_or_default()))
    }

    /// Reads the environment variable.
    pub fn from_environment(name: &str) -> Result<Self, PinError> {
        let text = std::env::var(name).map_err(|_| PinError::Variable(name.to_owned()))?;
        Ok(Self::new(&Zeroizing::new(text)))
    }

    pub(super) fn secret(&self) -> &AuthPin {
        &self.0
    }
}

impl fmt::Debug for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pin(…)")
    }
}
