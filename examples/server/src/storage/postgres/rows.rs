//! Statements, and rows as records.

use crate::audit::{Entry, Event, Hash, Head};
use crate::storage::{Issued, KeyId, Person, Revocation, StorageError, TokenId, TokenRecord, User};
use deadpool_postgres::Transaction;
use lacre::Time;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

/// Held until the transaction ends; what shares a hash waits needlessly, and is right all the same.
pub const LOCK_USER: &str = "select pg_advisory_xact_lock(hashtextextended($1, 0))";
pub const NEWEST: &str = "select * from certificates where owner = $1 order by nth desc limit 1";
pub const HISTORY: &str = "select * from certificates where owner = $1 order by nth";
pub const BY_KEY: &str = "select * from certificates where key_id = $1";
pub const BY_SERIAL: &str = "select * from certificates where serial = $1";
pub const REVOKED: &str =
    "select * from certificates where revoked_since is not null and expires > $1 order by expires, key_id";
pub const REVOKED_OF: &str = "select key_id from certificates where key_id = any($1) and revoked_since is not null";
pub const REVOKE: &str = "update certificates set revoked_since = $2, revocation_reason = $3 \
     where key_id = $1 and revoked_since is null returning owner";
pub const STORED_KEYS: &str = "select key_id, stored_key from certificates where key_id > $1 order by key_id limit $2";
pub const REPLACE_KEYS: &str = "update certificates set stored_key = new.stored_key \
     from unnest($1::bigint[], $2::bytea[]) as new (key_id, stored_key) where certificates.key_id = new.key_id";
pub const REVOKED_TOKENS_OF: &str = "select token_id from tokens where token_id = any($1) and revoked is not null";
pub const TOKEN: &str = "select * from tokens where token_id = $1";
pub const TOKENS: &str = "select * from tokens order by token_id";
pub const REVOKE_TOKEN: &str = "update tokens set revoked = $2 where token_id = $1 and revoked is null returning owner";
pub const AUDIT: &str = "select * from audit where number >= $1 order by number limit $2";
pub const HEAD: &str = "select count, hash from audit_head";
pub const LOCK_HEAD: &str = "select count, hash from audit_head for update";

const INSERT: &str = "insert into certificates \
     (key_id, owner, nth, policy, certificate, serial, stored_key, issued, expires) \
     select $1, $2, coalesce(max(nth), 0) + 1, $3, $4, $5, $6, $7, $8 from certificates where owner = $2";
const INSERT_TOKEN: &str = "insert into tokens \
     (token_id, sha256, owner, country, given_name, surname, serial_number, issued, expires, revoked) \
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
const INSERT_ENTRIES: &str = "insert into audit (number, happened, action, owner, key_id, token_id, detail, hash) \
     select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::bytea[])";
const MOVE_HEAD: &str = "update audit_head set count = $1, hash = $2";

pub async fn query(
    transaction: &Transaction<'_>,
    statement: &str,
    values: &[&(dyn ToSql + Sync)],
) -> Result<Vec<Row>, StorageError> {
    let statement = transaction.prepare_cached(statement).await?;
    Ok(transaction.query(&statement, values).await?)
}

pub async fn insert(transaction: &Transaction<'_>, issued: &Issued) -> Result<(), StorageError> {
    let values: [&(dyn ToSql + Sync); 8] = [
        &issued.key.signed(),
        &issued.user.as_str(),
        &i64::from(issued.policy),
        &issued.certificate,
        &issued.serial,
        &issued.stored_key,
        &issued.issued.millis(),
        &issued.expires.millis(),
    ];
    query(transaction, INSERT, &values).await.map(drop)
}

pub async fn insert_token(transaction: &Transaction<'_>, token: &TokenRecord) -> Result<(), StorageError> {
    let person = &token.person;
    let values: [&(dyn ToSql + Sync); 10] = [
        &token.id.signed(),
        &token.sha256.as_slice(),
        &person.user.as_str(),
        &person.country,
        &person.given_name,
        &person.surname,
        &person.serial_number,
        &token.issued.millis(),
        &token.expires.map(Time::millis),
        &token.revoked.map(Time::millis),
    ];
    query(transaction, INSERT_TOKEN, &values).await.map(drop)
}

pub async fn insert_entries(transaction: &Transaction<'_>, entries: &[Entry], head: Head) -> Result<(), StorageError> {
    fn column<'a, T>(entries: &'a [Entry], of: impl Fn(&'a Entry) -> T) -> Vec<T> {
        entries.iter().map(of).collect()
    }
    let values: [&(dyn ToSql + Sync); 8] = [
        &column(entries, |entry| entry.number.cast_signed()),
        &column(entries, |entry| entry.event.time.millis()),
        &column(entries, |entry| entry.event.action.as_str()),
        &column(entries, |entry| entry.event.user.as_ref().map(User::as_str)),
        &column(entries, |entry| entry.event.key.map(KeyId::signed)),
        &column(entries, |entry| entry.event.token.map(TokenId::signed)),
        &column(entries, |entry| entry.event.detail.as_str()),
        &column(entries, |entry| entry.hash.0.as_slice()),
    ];
    query(transaction, INSERT_ENTRIES, &values).await?;
    query(transaction, MOVE_HEAD, &[&head.count.cast_signed(), &head.hash.0.as_slice()]).await.map(drop)
}

pub fn certificate(row: &Row) -> Result<Issued, StorageError> {
    let key: i64 = row.try_get("key_id")?;
    let wrong = |what: &str| record(format!("key {key}: {what}"));
    let (since, reason): (Option<i64>, Option<&str>) =
        (row.try_get("revoked_since")?, row.try_get("revocation_reason")?);
    let revoked = match since.zip(reason) {
        Some((since, reason)) => {
            let reason = reason.parse().map_err(|_| wrong("expected a reason of RFC 5280 §5.3.1"))?;
            Some(Revocation { since: Time::from_millis(since), reason })
        }
        None => None,
    };
    Ok(Issued {
        key: KeyId::from_signed(key).ok_or_else(|| wrong("expected an id of 63 bits"))?,
        user: user(row.try_get("owner")?)?,
        policy: u32::try_from(row.try_get::<_, i64>("policy")?).map_err(|_| wrong("expected a policy of 32 bits"))?,
        certificate: row.try_get("certificate")?,
        serial: row.try_get("serial")?,
        stored_key: row.try_get("stored_key")?,
        issued: Time::from_millis(row.try_get("issued")?),
        expires: Time::from_millis(row.try_get("expires")?),
        revoked,
    })
}

pub fn stored_key(row: &Row) -> Result<(KeyId, Vec<u8>), StorageError> {
    let key: i64 = row.try_get("key_id")?;
    let id = KeyId::from_signed(key).ok_or_else(|| record(format!("key {key}: expected an id of 63 bits")))?;
    Ok((id, row.try_get("stored_key")?))
}

pub fn token(row: &Row) -> Result<TokenRecord, StorageError> {
    let id: i64 = row.try_get("token_id")?;
    let wrong = |what: &str| record(format!("token {id}: {what}"));
    let moment = |column: &str| row.try_get::<_, Option<i64>>(column).map(|at| at.map(Time::from_millis));
    Ok(TokenRecord {
        id: TokenId::from_signed(id).ok_or_else(|| wrong("expected an id of 63 bits"))?,
        sha256: row.try_get::<_, &[u8]>("sha256")?.try_into().map_err(|_| wrong("expected a digest of 32 bytes"))?,
        person: Person {
            user: user(row.try_get("owner")?)?,
            country: row.try_get("country")?,
            given_name: row.try_get("given_name")?,
            surname: row.try_get("surname")?,
            serial_number: row.try_get("serial_number")?,
        },
        issued: Time::from_millis(row.try_get("issued")?),
        expires: moment("expires")?,
        revoked: moment("revoked")?,
    })
}

pub fn entry(row: &Row) -> Result<Entry, StorageError> {
    let number: i64 = row.try_get("number")?;
    let wrong = |what: &dyn std::fmt::Display| record(format!("audit entry {number}: {what}"));
    let (owner, key, token): (Option<&str>, Option<i64>, Option<i64>) =
        (row.try_get("owner")?, row.try_get("key_id")?, row.try_get("token_id")?);
    let event = Event {
        time: Time::from_millis(row.try_get("happened")?),
        action: row.try_get::<_, &str>("action")?.parse().map_err(|e| wrong(&e))?,
        user: owner.map(|owner| owner.parse().map_err(|e| wrong(&e))).transpose()?,
        key: key
            .map(|key| KeyId::from_signed(key).ok_or_else(|| wrong(&"expected a key id of 63 bits")))
            .transpose()?,
        token: token
            .map(|id| TokenId::from_signed(id).ok_or_else(|| wrong(&"expected a token id of 63 bits")))
            .transpose()?,
        detail: row.try_get("detail")?,
    };
    let number = u64::try_from(number).map_err(|_| wrong(&"expected a number from 1 on"))?;
    Ok(Entry { number, event, hash: hash(row.try_get("hash")?)? })
}

pub fn head(row: Option<&Row>) -> Result<Head, StorageError> {
    let row = row.ok_or_else(|| record("the audit log has no head, expected one row".to_owned()))?;
    let count: i64 = row.try_get("count")?;
    let count = u64::try_from(count).map_err(|_| record(format!("{count} audit entries, expected a count")))?;
    Ok(Head { count, hash: hash(row.try_get("hash")?)? })
}

fn hash(bytes: &[u8]) -> Result<Hash, StorageError> {
    let wrong = |_| record(format!("a hash of {} bytes, expected 32", bytes.len()));
    bytes.try_into().map(Hash).map_err(wrong)
}

pub fn user(name: &str) -> Result<User, StorageError> {
    name.parse().map_err(|e| record(format!("an owner: {e}")))
}

fn record(what: String) -> StorageError {
    StorageError::Record { store: "PostgreSQL", what }
}
