//! The store of many nodes: PostgreSQL.
//!
//! Whoever appends to the audit log locks the row that says where it ends, and so appending is the same one after the
//! other for all nodes. A user's first requests wait for an advisory lock of that user.

mod connect;
mod rows;

use super::{
    IssueError, Issued, KeyId, Make, Pending, Recorded, Revocation, StorageError, Store, TokenId, TokenRecord, User,
};
use crate::audit::{Action, Entry, Event, Head};
use deadpool_postgres::{Client, Pool, Transaction};
use lacre::Time;
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

/// The longest that a transaction may take, with all its waiting; later it is an error, and undone.
const MOST: Duration = Duration::from_secs(15);

/// PostgreSQL.
#[derive(Clone)]
pub struct Postgres(Pool);

impl Postgres {
    /// Connects to `postgresql://…` and brings the tables up to date.
    ///
    /// With `sslmode=require` the connection is encrypted, and the server's certificate has to lead to one of
    /// `authorities` (a file in PEM).
    pub async fn open(url: &str, authorities: Option<&Path>) -> Result<Self, StorageError> {
        let store = Self(connect::pool(url, authorities)?);
        store.within(connect::migrate(&store.0)).await?;
        Ok(store)
    }

    async fn within<T, E: From<StorageError>>(&self, work: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        match tokio::time::timeout(MOST, work).await {
            Ok(done) => done,
            Err(_) => Err(failed(format!("no answer within {} seconds", MOST.as_secs())).into()),
        }
    }

    async fn client(&self) -> Result<Client, StorageError> {
        self.0.get().await.map_err(|e| failed(chain(&e)))
    }

    /// Runs one statement that reads.
    async fn rows(&self, statement: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, StorageError> {
        self.within(async {
            let client = self.client().await?;
            let statement = client.prepare_cached(statement).await?;
            Ok(client.query(&statement, values).await?)
        })
        .await
    }
}

impl Store for Postgres {
    fn ready(&self) -> Pending<'_, ()> {
        Box::pin(async { self.rows("select 1", &[]).await.map(drop) })
    }

    fn current(&self, user: &User, after: Time) -> Pending<'_, Option<Issued>> {
        let user = user.clone();
        Box::pin(async move {
            let rows = self.rows(rows::NEWEST, &[&user.as_str()]).await?;
            Ok(rows.first().map(rows::certificate).transpose()?.filter(|issued| is_current(issued, after)))
        })
    }

    fn current_or_issue(&self, user: &User, after: Time, make: Make) -> Pending<'_, Issued, IssueError> {
        let user = user.clone();
        Box::pin(self.within_owned(move |mut client| async move {
            let transaction = client.transaction().await.map_err(StorageError::from)?;
            let issued = current_or_issue(&transaction, &user, after, make).await?;
            transaction.commit().await.map_err(StorageError::from)?;
            Ok(issued)
        }))
    }

    fn history(&self, user: &User) -> Pending<'_, Vec<Issued>> {
        let user = user.clone();
        Box::pin(
            async move { self.rows(rows::HISTORY, &[&user.as_str()]).await?.iter().map(rows::certificate).collect() },
        )
    }

    fn certificate(&self, key: KeyId) -> Pending<'_, Option<Issued>> {
        Box::pin(
            async move { self.rows(rows::BY_KEY, &[&key.signed()]).await?.first().map(rows::certificate).transpose() },
        )
    }

    fn by_serial(&self, serial: &[u8]) -> Pending<'_, Option<Issued>> {
        let serial = serial.to_vec();
        Box::pin(
            async move { self.rows(rows::BY_SERIAL, &[&serial]).await?.first().map(rows::certificate).transpose() },
        )
    }

    fn revoked(&self, after: Time) -> Pending<'_, Vec<Issued>> {
        Box::pin(
            async move { self.rows(rows::REVOKED, &[&after.millis()]).await?.iter().map(rows::certificate).collect() },
        )
    }

    fn revoke(&self, key: KeyId, revocation: Revocation, event: Event) -> Pending<'_, bool> {
        let Revocation { since, reason } = revocation;
        Box::pin(self.within_owned(move |mut client| async move {
            let transaction = client.transaction().await?;
            let values: [&(dyn ToSql + Sync); 3] = [&key.signed(), &since.millis(), &reason.as_str()];
            revoke(transaction, rows::REVOKE, &values, event).await
        }))
    }

    fn stored_keys(&self, after: Option<KeyId>, most: usize) -> Pending<'_, Vec<(KeyId, Vec<u8>)>> {
        Box::pin(async move {
            let (after, most) = (after.map_or(0, KeyId::signed), i64::try_from(most).unwrap_or(i64::MAX));
            self.rows(rows::STORED_KEYS, &[&after, &most]).await?.iter().map(rows::stored_key).collect()
        })
    }

    fn replace_keys(&self, keys: Vec<(KeyId, Vec<u8>)>, event: Event) -> Pending<'_, ()> {
        Box::pin(self.within_owned(move |mut client| async move {
            let transaction = client.transaction().await?;
            let (ids, stored): (Vec<i64>, Vec<Vec<u8>>) =
                keys.into_iter().map(|(key, stored)| (key.signed(), stored)).unzip();
            let statement = transaction.prepare_cached(rows::REPLACE_KEYS).await?;
            let replaced = transaction.execute(&statement, &[&ids, &stored]).await?;
            if replaced != ids.len() as u64 {
                return Err(failed(format!("{replaced} of {} keys are there", ids.len())));
            }
            append(&transaction, head_locked(&transaction).await?, vec![event]).await?;
            Ok(transaction.commit().await?)
        }))
    }

    fn add_token(&self, token: TokenRecord, event: Event) -> Pending<'_, ()> {
        Box::pin(self.within_owned(move |mut client| async move {
            let transaction = client.transaction().await?;
            rows::insert_token(&transaction, &token).await?;
            append(&transaction, head_locked(&transaction).await?, vec![event]).await?;
            Ok(transaction.commit().await?)
        }))
    }

    fn token(&self, id: TokenId) -> Pending<'_, Option<TokenRecord>> {
        Box::pin(async move { self.rows(rows::TOKEN, &[&id.signed()]).await?.first().map(rows::token).transpose() })
    }

    fn revoke_token(&self, id: TokenId, at: Time, event: Event) -> Pending<'_, bool> {
        Box::pin(self.within_owned(move |mut client| async move {
            let transaction = client.transaction().await?;
            revoke(transaction, rows::REVOKE_TOKEN, &[&id.signed(), &at.millis()], event).await
        }))
    }

    fn tokens(&self) -> Pending<'_, Vec<TokenRecord>> {
        Box::pin(async { self.rows(rows::TOKENS, &[]).await?.iter().map(rows::token).collect() })
    }

    fn record(&self, events: Vec<Event>) -> Pending<'_, Vec<Recorded>> {
        Box::pin(self.within_owned(move |mut client| async move {
            let transaction = client.transaction().await?;
            // The lock first: what is revoked is asked once nobody else can revoke and tell of it.
            let head = head_locked(&transaction).await?;
            let keys =
                revoked_of(&transaction, rows::REVOKED_OF, &events, |event| event.key.map(KeyId::signed)).await?;
            let tokens =
                revoked_of(&transaction, rows::REVOKED_TOKENS_OF, &events, |event| event.token.map(TokenId::signed));
            let tokens = tokens.await?;
            let mut recorded = Vec::with_capacity(events.len());
            for event in &events {
                let key = |key: KeyId| Ok::<_, StorageError>(keys.contains(&key.signed()));
                recorded.push(event.may_be_told(key, |token| Ok(tokens.contains(&token.signed())))?);
            }
            let told = events.into_iter().zip(&recorded).map(|(event, recorded)| event.told(*recorded));
            append(&transaction, head, told.collect()).await?;
            transaction.commit().await?;
            Ok(recorded)
        }))
    }

    fn audit(&self, from: u64, most: usize) -> Pending<'_, Vec<Entry>> {
        Box::pin(async move {
            let (from, most) = (i64::try_from(from).unwrap_or(i64::MAX), i64::try_from(most).unwrap_or(i64::MAX));
            self.rows(rows::AUDIT, &[&from, &most]).await?.iter().map(rows::entry).collect()
        })
    }

    fn audit_head(&self) -> Pending<'_, Head> {
        Box::pin(async { rows::head(self.rows(rows::HEAD, &[]).await?.first()) })
    }
}

impl Postgres {
    /// Runs one transaction over a connection of its own.
    async fn within_owned<T, E, F>(&self, work: impl FnOnce(Client) -> F) -> Result<T, E>
    where
        E: From<StorageError>,
        F: Future<Output = Result<T, E>>,
    {
        self.within(async { work(self.client().await?).await }).await
    }
}

fn is_current(issued: &Issued, after: Time) -> bool {
    issued.revoked.is_none() && issued.expires > after
}

async fn current_or_issue(
    transaction: &Transaction<'_>,
    user: &User,
    after: Time,
    make: Make,
) -> Result<Issued, IssueError> {
    let rows = async {
        rows::query(transaction, rows::LOCK_USER, &[&user.as_str()]).await?;
        rows::query(transaction, rows::NEWEST, &[&user.as_str()]).await
    };
    let newest = rows.await?.first().map(rows::certificate).transpose()?;
    if let Some(current) = newest.clone().filter(|issued| is_current(issued, after)) {
        return Ok(current);
    }
    // The authority's key may be in a token that takes its time.
    let made = tokio::task::spawn_blocking(move || make(newest.as_ref())).await;
    let (issued, event) = made.map_err(|_| failed("a certificate's worker ended early".to_owned()))??;
    rows::insert(transaction, &issued).await?;
    append(transaction, head_locked(transaction).await?, vec![event]).await?;
    Ok(issued)
}

/// Revokes what the statement says, which returns its owner where there was something to revoke.
async fn revoke(
    transaction: Transaction<'_>,
    statement: &str,
    values: &[&(dyn ToSql + Sync)],
    event: Event,
) -> Result<bool, StorageError> {
    let rows = rows::query(&transaction, statement, values).await?;
    let Some(row) = rows.first() else { return Ok(false) };
    let event = event.user(&rows::user(row.try_get("owner")?)?);
    append(&transaction, head_locked(&transaction).await?, vec![event]).await?;
    transaction.commit().await?;
    Ok(true)
}

async fn head_locked(transaction: &Transaction<'_>) -> Result<Head, StorageError> {
    rows::head(rows::query(transaction, rows::LOCK_HEAD, &[]).await?.first())
}

/// Returns which of the ids that these signatures have are revoked, as the statement says.
async fn revoked_of(
    transaction: &Transaction<'_>,
    statement: &str,
    events: &[Event],
    id: impl Fn(&Event) -> Option<i64>,
) -> Result<HashSet<i64>, StorageError> {
    let signed = events.iter().filter(|event| event.action == Action::HashSigned);
    let ids: HashSet<i64> = signed.filter_map(id).collect();
    if ids.is_empty() {
        return Ok(ids);
    }
    let ids: Vec<i64> = ids.into_iter().collect();
    let rows = rows::query(transaction, statement, &[&ids]).await?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

async fn append(transaction: &Transaction<'_>, mut head: Head, events: Vec<Event>) -> Result<(), StorageError> {
    let mut entries = Vec::with_capacity(events.len());
    for event in events {
        let (entry, next) = head.append(event);
        entries.push(entry);
        head = next;
    }
    rows::insert_entries(transaction, &entries, head).await
}

/// Returns an error with its causes: `tokio-postgres` says the interesting part last.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(&format!(": {cause}"));
        source = cause.source();
    }
    text
}

fn failed(reason: String) -> StorageError {
    StorageError::Failed { store: "PostgreSQL", reason }
}

impl From<tokio_postgres::Error> for StorageError {
    fn from(error: tokio_postgres::Error) -> Self {
        failed(chain(&error))
    }
}
