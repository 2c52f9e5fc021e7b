//! What may go wrong with a store.

/// The store did not do what it was asked. Its text is for the log, not for the user.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum StorageError {
    /// It does not answer, or answered with an error.
    #[error("the {store} storage failed: {reason}")]
    Failed {
        /// Which one.
        store: &'static str,
        /// What it said.
        reason: String,
    },
    /// A record cannot be read.
    #[error("the {store} storage holds a record that cannot be read: {what}")]
    Record {
        /// Which one.
        store: &'static str,
        /// What was found, and what was expected.
        what: String,
    },
    /// The server is stopping.
    #[error("the server is stopping, nothing is recorded any more")]
    Stopping,
}

/// Why there is no certificate for a user.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IssueError {
    /// The store failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The certificate could not be made.
    #[error("no certificate was issued")]
    Issuance(#[from] lacre::issuance::Error),
}
