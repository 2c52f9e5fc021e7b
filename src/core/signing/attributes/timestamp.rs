//! Time-stamp tokens in attributes: EN 319 122-1 §5.2.8 (content) and §5.3 (signature value).

use super::attribute_of;
use crate::algorithm::DigestAlgorithm;
use crate::formats::cms::oids;
use crate::formats::tsp::Token;
use crate::signing::{SignatureParameters, SigningError, SigningErrorCode};

/// Returns the signature-time-stamp attribute with this token, kept as it came: EN 319 122-1 §5.3.
pub(crate) fn signature_timestamp(token: &Token<'_>) -> Vec<u8> {
    attribute_of(oids::SIGNATURE_TIMESTAMP, vec![token.bytes.to_vec()])
}

/// Reads a time-stamp token, or a response that holds one, and verifies its signature with the certificate inside.
///
/// # Errors
///
/// `tsa-reply-unreadable` where the bytes are neither; `tsa-certificate` where the signature does not verify.
pub(in crate::signing) fn token(bytes: &[u8]) -> Result<Token<'_>, SigningError> {
    let token = Token::parse(bytes).map_err(|error| {
        let found = format!("found no time-stamp token ({error}), expected one (RFC 3161 §2.4.2)");
        SigningError::new(SigningErrorCode::TsaReplyUnreadable, found)
    })?;
    token.check_signature()?;
    Ok(token)
}

/// Checks that the content time-stamps are over the content, whose digests the closure computes: EN 319 122-1 §5.2.8.
///
/// # Errors
///
/// `tsa-reply-unreadable`, `tsa-certificate` and `tsa-imprint`.
pub(in crate::signing) fn check_content_timestamps(
    parameters: &SignatureParameters,
    digest: impl Fn(DigestAlgorithm) -> Option<Vec<u8>>,
) -> Result<(), SigningError> {
    parameters.content_timestamps.iter().try_for_each(|bytes| check_imprint(&token(bytes)?, "the content", &digest))
}

/// Checks that a token is over something, whose digests the closure computes.
///
/// # Errors
///
/// `tsa-imprint` where it is not, or over a digest that cannot be computed.
pub(in crate::signing) fn check_imprint(
    token: &Token<'_>,
    what: &str,
    digest: impl Fn(DigestAlgorithm) -> Option<Vec<u8>>,
) -> Result<(), SigningError> {
    let imprint = &token.info.imprint;
    let computed = imprint.algorithm.and_then(digest);
    if computed.as_ref() == Some(&imprint.value.0) {
        return Ok(());
    }
    let name = imprint.algorithm.map_or("an unknown function", DigestAlgorithm::as_str);
    let found = format!("found a time-stamp over another imprint (by {name}), expected one over {what}");
    Err(SigningError::new(SigningErrorCode::TsaImprint, found))
}
