//! Responses of time-stamping authorities that are refused, as errors of signing.

use super::{SigningError, SigningErrorCode};
use crate::formats::tsp::{Rejection, ResponseError};

impl From<ResponseError> for SigningError {
    fn from(error: ResponseError) -> Self {
        let (code, hint) = match &error {
            ResponseError::Unreadable { .. } => (
                SigningErrorCode::TsaReplyUnreadable,
                "check the address: this server may not be a time-stamping authority",
            ),
            ResponseError::Rejected { causes, .. } => (SigningErrorCode::TsaRejected, after(causes)),
            ResponseError::Imprint { .. } => (SigningErrorCode::TsaImprint, ANOTHER),
            ResponseError::Nonce { .. } => {
                (SigningErrorCode::TsaNonce, "ask another authority, or without a nonce where this one knows none")
            }
            ResponseError::Policy { .. } => {
                (SigningErrorCode::TsaPolicy, "ask for another policy, or leave the policy to the authority")
            }
            ResponseError::Certificate { .. } => (SigningErrorCode::TsaCertificate, ANOTHER),
            ResponseError::Time { .. } => (SigningErrorCode::TsaTime, "check this computer's clock"),
        };
        Self::new(code, error.to_string()).with_hint(hint)
    }
}

const ANOTHER: &str = "ask another authority";

fn after(causes: &[Rejection]) -> &'static str {
    match causes.first() {
        Some(Rejection::BadAlgorithm) => "ask with another digest function: every authority takes SHA-256",
        Some(Rejection::UnacceptedPolicy) => "ask for another policy, or leave the policy to the authority",
        Some(Rejection::TimeNotAvailable | Rejection::SystemFailure) => "ask again later, or another authority",
        _ => "ask another authority, or without a nonce where this one knows none",
    }
}
