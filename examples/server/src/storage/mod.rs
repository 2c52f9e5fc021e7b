//! What the server remembers: certificates, keys, tokens, the audit log.
//!
//! A [`Store`] does a few things, each of them whole or not at all, together with the audit entry that tells of it.
//! There are two: [`redb`],
//! embedded, for one machine, and [`postgres`], for many nodes.

mod error;
pub mod postgres;
mod record;
pub mod redb;

pub use error::{IssueError, StorageError};
pub use record::{Issued, KeyId, NotAUser, Person, Revocation, TokenId, TokenRecord, User};

use crate::audit::{Entry, Event, Head};
use lacre::Time;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;

/// What a store will answer.
pub type Pending<'a, T, E = StorageError> = Pin<Box<dyn Future<Output = Result<T, E>> + Send + 'a>>;

/// Makes a certificate, and says what the audit log shall tell of it. It is given the user's newest certificate.
pub type Make = Box<dyn FnOnce(Option<&Issued>) -> Result<(Issued, Event), lacre::issuance::Error> + Send>;

/// Where the server remembers.
///
/// Each function is one transaction: when it fails nothing of it is written, and when it succeeds it is on the disk.
pub trait Store: Send + Sync {
    /// Checks that the store answers.
    fn ready(&self) -> Pending<'_, ()>;

    /// Returns the user's newest certificate that is not revoked and expires after that moment.
    fn current(&self, user: &User, after: Time) -> Pending<'_, Option<Issued>>;

    /// Returns the user's certificate that [`current`](Self::current) gives; where there is none, the one that `make`
    /// makes.
    ///
    /// However many ask at once, on however many nodes, `make` is called for one of them, and the others get what it
    /// made: all of this user's calls wait for each other.
    fn current_or_issue(&self, user: &User, after: Time, make: Make) -> Pending<'_, Issued, IssueError>;

    /// Returns all certificates of a user, oldest first.
    fn history(&self, user: &User) -> Pending<'_, Vec<Issued>>;

    /// Returns the certificate of a key.
    fn certificate(&self, key: KeyId) -> Pending<'_, Option<Issued>>;

    /// Returns the certificate with this serial number (the contents of its INTEGER).
    fn by_serial(&self, serial: &[u8]) -> Pending<'_, Option<Issued>>;

    /// Returns every revoked certificate that expires after that moment.
    fn revoked(&self, after: Time) -> Pending<'_, Vec<Issued>>;

    /// Revokes a certificate; whether there was one that was not revoked yet. Only then is the event written.
    fn revoke(&self, key: KeyId, revocation: Revocation, event: Event) -> Pending<'_, bool>;

    /// Keys as the key store wrote them, in the order of their ids, after that one, at most so many.
    fn stored_keys(&self, after: Option<KeyId>, most: usize) -> Pending<'_, Vec<(KeyId, Vec<u8>)>>;

    /// Stores keys in place of what was stored of them.
    fn replace_keys(&self, keys: Vec<(KeyId, Vec<u8>)>, event: Event) -> Pending<'_, ()>;

    /// Remembers a token.
    fn add_token(&self, token: TokenRecord, event: Event) -> Pending<'_, ()>;

    /// Returns the token with this id.
    fn token(&self, id: TokenId) -> Pending<'_, Option<TokenRecord>>;

    /// Revokes a token; whether there was one that was not revoked yet. Only then is the event written.
    fn revoke_token(&self, id: TokenId, at: Time, event: Event) -> Pending<'_, bool>;

    /// Returns all tokens, in the order of their ids.
    fn tokens(&self) -> Pending<'_, Vec<TokenRecord>>;

    /// Writes events to the audit log, in their order; for each, whether what it tells of may be handed out.
    ///
    /// A signature by a key whose certificate is revoked by now, or for a token that is, may not: in its place the log
    /// tells of the refusal.
    fn record(&self, events: Vec<Event>) -> Pending<'_, Vec<Recorded>>;

    /// Entries of the audit log from this number on, at most so many.
    fn audit(&self, from: u64, most: usize) -> Pending<'_, Vec<Entry>>;

    /// Returns where the audit log ends.
    fn audit_head(&self) -> Pending<'_, Head>;
}

/// Opens the store at a place: `postgresql://…`, or a file for the embedded one.
///
/// `authorities` is for PostgreSQL with `sslmode=require`: whom its certificate has to lead to, a file in PEM.
pub async fn open(place: &str, authorities: Option<&Path>) -> Result<Arc<dyn Store>, StorageError> {
    if is_remote(place) {
        return Ok(Arc::new(postgres::Postgres::open(place, authorities).await?));
    }
    let file = PathBuf::from(place);
    let opened = tokio::task::spawn_blocking(move || redb::Redb::open(&file)).await;
    Ok(Arc::new(opened.map_err(|_| StorageError::Stopping)??))
}

/// Returns whether a place is a database on a server, not a file.
pub fn is_remote(place: &str) -> bool {
    place.starts_with("postgresql://") || place.starts_with("postgres://")
}

/// What became of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// It is in the log.
    Written,
    /// The key's certificate is revoked; the refusal is in the log.
    KeyRevoked,
    /// The token is revoked; the refusal is in the log.
    TokenRevoked,
}
