//! What an operator does beside serving: tokens, revocations, the audit log. Data goes to stdout, talk to stderr.

mod audit;
mod certificate;
mod keys;
mod token;

use crate::storage::{KeyId, StorageError, Store, TokenId};
use clap::Subcommand;
use lacre::Time;
use lacre_keys::{MasterKey, MasterKeyError, SealError};

/// What an operator does beside serving.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Access tokens.
    #[command(subcommand)]
    Token(token::Command),
    /// The users' certificates.
    #[command(subcommand)]
    Certificate(certificate::Command),
    /// The users' private keys.
    #[command(subcommand)]
    Keys(keys::Command),
    /// The audit log.
    #[command(subcommand)]
    Audit(audit::Command),
}

/// What the command has to say.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Data, for stdout.
    pub data: String,
    /// Talk, for stderr.
    pub talk: String,
}

impl Said {
    fn data(data: String) -> Self {
        Self { data, ..Self::default() }
    }
}

/// Why a command was not done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The audit log is not believed.
    #[error("the audit log does not hold: {0}")]
    Audit(#[from] crate::audit::Broken),
    /// There is no master key.
    #[error(transparent)]
    MasterKey(#[from] MasterKeyError),
    /// A key in the store does not open.
    #[error("key {0}: {1}")]
    Key(KeyId, SealError),
    /// A key in a file does not open, or cannot be written.
    #[error(transparent)]
    File(#[from] crate::pki::Error),
    /// There is no such token, or it was revoked before.
    #[error("token {0}: expected one that was issued and not revoked")]
    NoToken(TokenId),
    /// There is no such certificate, or it was revoked before.
    #[error("key {0}: expected one whose certificate was issued and not revoked")]
    NoCertificate(KeyId),
}

/// Does it. The master key is read where it is needed.
pub async fn run(
    command: &Command,
    store: &dyn Store,
    master: impl FnOnce() -> Result<MasterKey, MasterKeyError>,
    now: Time,
) -> Result<Said, Error> {
    match command {
        Command::Keys(command) => keys::run(command, store, &master()?, now).await,
        Command::Token(command) => token::run(command, store, now).await,
        Command::Certificate(command) => certificate::run(command, store, now).await,
        Command::Audit(command) => audit::run(command, store).await,
    }
}

/// Returns a moment, or `-` where there is none.
fn moment(time: Option<Time>) -> String {
    time.map_or_else(|| "-".to_owned(), |time| time.to_string())
}

fn token_id(text: &str) -> Result<TokenId, String> {
    let number = text.parse().map_err(|_| "expected a token's id, a positive number".to_owned())?;
    TokenId::new(number).ok_or_else(|| "expected a token's id, 1 to 2^63 - 1".to_owned())
}

fn key_id(text: &str) -> Result<KeyId, String> {
    let number = text.parse().map_err(|_| "expected a key's id, a positive number".to_owned())?;
    KeyId::new(number).ok_or_else(|| "expected a key's id, 1 to 2^63 - 1".to_owned())
}
