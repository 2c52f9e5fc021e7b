//! Why the registry did not do what it was asked.

use crate::storage::{IssueError, KeyId, StorageError};
use crate::token::Refusal;
use lacre::signing::SignError;

/// Why the registry did not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// No certificate could be made, nor what is said of certificates.
    #[error("nothing was issued")]
    Issuance(#[from] lacre::issuance::Error),
    /// The key store did not make, open or discard a key.
    #[error("the keeper of the keys failed")]
    KeyStore(#[from] lacre_keys::Error),
    /// A certificate that was stored cannot be read.
    #[error("the certificate of key {0} cannot be read")]
    Certificate(KeyId),
    /// What the authority itself says cannot be read.
    #[error("the authority's chain or revocation list cannot be read")]
    Evidence,
    /// A worker did not end as it should.
    #[error("a worker ended early")]
    Worker,
}

impl From<IssueError> for Error {
    fn from(error: IssueError) -> Self {
        match error {
            IssueError::Storage(error) => Self::Storage(error),
            IssueError::Issuance(error) => Self::Issuance(error),
        }
    }
}

/// Why a token does not open the door.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// The token is not accepted.
    #[error("the token is not accepted: {0}")]
    Refused(Refusal),
    /// Nobody can say whether it would be.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Why a hash was not signed.
#[derive(Debug, thiserror::Error)]
pub enum SigningError {
    /// The digest or the algorithm does not fit the key, or the key store did not sign.
    #[error(transparent)]
    Sign(#[from] SignError),
    /// The key's certificate was revoked.
    #[error("the certificate of the key is revoked")]
    Revoked,
    /// The token with which the caller came was revoked.
    #[error("the caller's token is revoked")]
    Token,
    /// The signature could not be told to the audit log, and so is not handed out.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A worker did not end as it should.
    #[error("a worker ended early")]
    Worker,
}
