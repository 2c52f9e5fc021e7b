use super::CscError;
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use lacre_core::algorithm::DigestAlgorithm;

/// What is signed together: digests by one function, in an order that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hashes {
    function: DigestAlgorithm,
    values: Vec<Vec<u8>>,
}

impl Hashes {
    /// Takes digests by this function. They may be equal.
    ///
    /// # Errors
    ///
    /// [`CscError::Digest`] where one has another length.
    pub fn new(function: DigestAlgorithm, values: Vec<Vec<u8>>) -> Result<Self, CscError> {
        match values.iter().find(|value| value.len() != function.length()) {
            Some(other) => Err(CscError::Digest { found: other.len(), expected: function.length() }),
            None => Ok(Self { function, values }),
        }
    }

    /// Returns the digest function.
    pub fn function(&self) -> DigestAlgorithm {
        self.function
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub(super) fn base64(&self) -> Vec<String> {
        self.values.iter().map(|value| BASE64_STANDARD.encode(value)).collect()
    }

    /// Returns them as parameters of an address have them: separated by commas.
    pub(super) fn base64url(&self) -> String {
        let values: Vec<String> = self.values.iter().map(|value| BASE64_URL_SAFE_NO_PAD.encode(value)).collect();
        values.join(",")
    }
}
