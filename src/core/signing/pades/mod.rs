//! PAdES-BASELINE-B: EN 319 142-1 §6.3.

use super::prepared::Finishing;
use super::{Output, SigningError, SigningErrorCode};
use serde::{Deserialize, Serialize};

/// What is kept between preparing and finishing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Body {}

impl Body {
    /// Writes the signature.
    pub fn finish(&self, _: &Finishing<'_>) -> Result<Output, SigningError> {
        Err(SigningError::new(SigningErrorCode::DocumentUnreadable, "found a PDF, expected another format"))
    }
}
