//! The embedded store: one file, and redb. The server and `lacre-server token` may have it open at the same time.

use super::{
    IssueError, Issued, KeyId, Make, Pending, Person, Recorded, Revocation, StorageError, Store, TokenId, TokenRecord,
    User,
};
use crate::audit::{Entry, Event, Hash, Head};
use lacre::Time;
use redb::{
    ConcurrencyMode, Database, MultimapTableDefinition, ReadTransaction, ReadableDatabase as _, ReadableTable,
    TableDefinition, WriteTransaction,
};
use std::path::Path;
use std::sync::Arc;

/// User, policy, certificate, serial number, stored key, issued, expires, revoked (since when, why).
type CertificateRow =
    (&'static str, u32, &'static [u8], &'static [u8], &'static [u8], i64, i64, Option<(i64, &'static str)>);
/// User, country, given name, surname, serial number.
type PersonRow = (&'static str, &'static str, &'static str, &'static str, &'static str);
/// Digest, person, issued, expires, revoked.
type TokenRow = (&'static [u8; 32], PersonRow, i64, Option<i64>, Option<i64>);
/// Time, action, user, key, token, detail, hash.
type EntryRow = (i64, &'static str, Option<&'static str>, Option<u64>, Option<u64>, &'static str, &'static [u8; 32]);

const CERTIFICATES: TableDefinition<'_, u64, CertificateRow> = TableDefinition::new("certificates");
/// The keys of a user, each under the number that counts the user's certificates.
const USERS: TableDefinition<'_, (&str, u32), u64> = TableDefinition::new("users");
const SERIALS: TableDefinition<'_, &[u8], u64> = TableDefinition::new("serials");
/// The keys whose certificates are revoked, by when those expire.
const REVOKED: MultimapTableDefinition<'_, i64, u64> = MultimapTableDefinition::new("revoked");
const TOKENS: TableDefinition<'_, u64, TokenRow> = TableDefinition::new("tokens");
const AUDIT: TableDefinition<'_, u64, EntryRow> = TableDefinition::new("audit");
const HEAD: TableDefinition<'_, (), (u64, &[u8; 32])> = TableDefinition::new("audit head");

/// The embedded store.
#[derive(Clone)]
pub struct Redb(Arc<Database>);

impl Redb {
    /// Opens the file; a new one where there is none.
    pub fn open(path: &Path) -> Result<Self, StorageError> {
        let mut builder = Database::builder();
        // Several processes need locks on ranges of a file, which these systems have.
        if cfg!(any(target_os = "linux", target_vendor = "apple", windows)) {
            builder.set_concurrency_mode(ConcurrencyMode::MultiWriter);
        }
        let database = builder.create(path).map_err(|e| failed(format!("{}: {e}", path.display())))?;
        let transaction = database.begin_write()?;
        transaction.open_table(CERTIFICATES)?;
        transaction.open_table(USERS)?;
        transaction.open_table(SERIALS)?;
        transaction.open_multimap_table(REVOKED)?;
        transaction.open_table(TOKENS)?;
        transaction.open_table(AUDIT)?;
        transaction.open_table(HEAD)?;
        transaction.commit()?;
        Ok(Self(Arc::new(database)))
    }

    /// Runs one transaction that reads.
    fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&ReadTransaction) -> Result<T, StorageError> + Send + 'static,
    ) -> Pending<'_, T> {
        let database = Arc::clone(&self.0);
        blocking(move || work(&database.begin_read()?))
    }

    /// Runs one transaction that writes; dropped, and so undone, where the work fails.
    fn write<T: Send + 'static, E: From<StorageError> + Send + 'static>(
        &self,
        work: impl FnOnce(&WriteTransaction) -> Result<T, E> + Send + 'static,
    ) -> Pending<'_, T, E> {
        let database = Arc::clone(&self.0);
        blocking(move || {
            let transaction = database.begin_write().map_err(StorageError::from)?;
            let done = work(&transaction)?;
            transaction.commit().map_err(StorageError::from)?;
            Ok(done)
        })
    }
}

/// Runs work on another thread: redb waits for the disk, which the threads of tokio must not do.
fn blocking<'a, T: Send + 'static, E: From<StorageError> + Send + 'static>(
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Pending<'a, T, E> {
    Box::pin(async move {
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|_| Err(failed("a transaction ended early".to_owned()).into()))
    })
}

impl Store for Redb {
    fn ready(&self) -> Pending<'_, ()> {
        self.read(|transaction| transaction.open_table(HEAD).map(drop).map_err(Into::into))
    }

    fn current(&self, user: &User, after: Time) -> Pending<'_, Option<Issued>> {
        let user = user.clone();
        self.read(move |transaction| {
            let (users, certificates) = (transaction.open_table(USERS)?, transaction.open_table(CERTIFICATES)?);
            current(&users, &certificates, &user, after).map(|(current, _)| current)
        })
    }

    fn current_or_issue(&self, user: &User, after: Time, make: Make) -> Pending<'_, Issued, IssueError> {
        let user = user.clone();
        self.write(move |transaction| current_or_issue(transaction, &user, after, make))
    }

    fn history(&self, user: &User) -> Pending<'_, Vec<Issued>> {
        let user = user.clone();
        self.read(move |transaction| {
            let (users, certificates) = (transaction.open_table(USERS)?, transaction.open_table(CERTIFICATES)?);
            let mut history = Vec::new();
            for row in users.range((user.as_str(), 0)..=(user.as_str(), u32::MAX))? {
                history.extend(certificate(&certificates, row?.1.value())?);
            }
            Ok(history)
        })
    }

    fn certificate(&self, key: KeyId) -> Pending<'_, Option<Issued>> {
        self.read(move |transaction| certificate(&transaction.open_table(CERTIFICATES)?, key.number()))
    }

    fn by_serial(&self, serial: &[u8]) -> Pending<'_, Option<Issued>> {
        let serial = serial.to_vec();
        self.read(move |transaction| match transaction.open_table(SERIALS)?.get(serial.as_slice())? {
            Some(key) => certificate(&transaction.open_table(CERTIFICATES)?, key.value()),
            None => Ok(None),
        })
    }

    fn revoked(&self, after: Time) -> Pending<'_, Vec<Issued>> {
        self.read(move |transaction| {
            let certificates = transaction.open_table(CERTIFICATES)?;
            let mut revoked = Vec::new();
            for row in transaction.open_multimap_table(REVOKED)?.range(after.millis() + 1..)? {
                for key in row?.1 {
                    revoked.extend(certificate(&certificates, key?.value())?);
                }
            }
            Ok(revoked)
        })
    }

    fn revoke(&self, key: KeyId, revocation: Revocation, event: Event) -> Pending<'_, bool> {
        self.write(move |transaction| {
            let mut certificates = transaction.open_table(CERTIFICATES)?;
            let Some(issued) = certificate(&certificates, key.number())?.filter(|issued| issued.revoked.is_none())
            else {
                return Ok(false);
            };
            let expires = issued.expires.millis();
            let event = event.user(&issued.user);
            insert(&mut certificates, &Issued { revoked: Some(revocation), ..issued })?;
            transaction.open_multimap_table(REVOKED)?.insert(expires, key.number())?;
            append(transaction, [event])?;
            Ok(true)
        })
    }

    fn stored_keys(&self, after: Option<KeyId>, most: usize) -> Pending<'_, Vec<(KeyId, Vec<u8>)>> {
        self.read(move |transaction| {
            let certificates = transaction.open_table(CERTIFICATES)?;
            let first = after.map_or(0, |after| after.number() + 1);
            let mut keys = Vec::new();
            for row in certificates.range(first..)?.take(most) {
                let (key, row) = row?;
                let id = KeyId::new(key.value()).ok_or_else(|| record(format!("a key with the id {}", key.value())))?;
                keys.push((id, row.value().4.to_vec()));
            }
            Ok(keys)
        })
    }

    fn replace_keys(&self, keys: Vec<(KeyId, Vec<u8>)>, event: Event) -> Pending<'_, ()> {
        self.write(move |transaction| {
            let mut certificates = transaction.open_table(CERTIFICATES)?;
            for (key, stored_key) in keys {
                let issued = certificate(&certificates, key.number())?;
                let issued = issued.ok_or_else(|| failed(format!("key {key} is not there any more")))?;
                insert(&mut certificates, &Issued { stored_key, ..issued })?;
            }
            append(transaction, [event])
        })
    }

    fn add_token(&self, token: TokenRecord, event: Event) -> Pending<'_, ()> {
        self.write(move |transaction| {
            insert_token(&mut transaction.open_table(TOKENS)?, &token)?;
            append(transaction, [event])
        })
    }

    fn token(&self, id: TokenId) -> Pending<'_, Option<TokenRecord>> {
        self.read(move |transaction| match transaction.open_table(TOKENS)?.get(id.number())? {
            Some(row) => token(id.number(), row.value()).map(Some),
            None => Ok(None),
        })
    }

    fn revoke_token(&self, id: TokenId, at: Time, event: Event) -> Pending<'_, bool> {
        self.write(move |transaction| {
            let mut tokens = transaction.open_table(TOKENS)?;
            let found = tokens.get(id.number())?.map(|row| token(id.number(), row.value())).transpose()?;
            let Some(record) = found.filter(|record| record.revoked.is_none()) else { return Ok(false) };
            let event = event.user(&record.person.user);
            insert_token(&mut tokens, &TokenRecord { revoked: Some(at), ..record })?;
            append(transaction, [event])?;
            Ok(true)
        })
    }

    fn tokens(&self) -> Pending<'_, Vec<TokenRecord>> {
        self.read(|transaction| {
            let tokens = transaction.open_table(TOKENS)?;
            tokens
                .range::<u64>(..)?
                .map(|row| row.map_err(Into::into).and_then(|(id, row)| token(id.value(), row.value())))
                .collect()
        })
    }

    fn record(&self, events: Vec<Event>) -> Pending<'_, Vec<Recorded>> {
        self.write(move |transaction| {
            let (certificates, tokens) = (transaction.open_table(CERTIFICATES)?, transaction.open_table(TOKENS)?);
            let key_is_revoked = |key: KeyId| -> Result<bool, StorageError> {
                Ok(certificates.get(key.number())?.is_some_and(|row| row.value().7.is_some()))
            };
            let token_is_revoked = |token: TokenId| -> Result<bool, StorageError> {
                Ok(tokens.get(token.number())?.is_some_and(|row| row.value().4.is_some()))
            };
            let mut recorded = Vec::with_capacity(events.len());
            for event in &events {
                recorded.push(event.may_be_told(key_is_revoked, token_is_revoked)?);
            }
            append(transaction, events.into_iter().zip(&recorded).map(|(event, recorded)| event.told(*recorded)))?;
            Ok(recorded)
        })
    }

    fn audit(&self, from: u64, most: usize) -> Pending<'_, Vec<Entry>> {
        self.read(move |transaction| {
            let audit = transaction.open_table(AUDIT)?;
            audit
                .range(from..)?
                .take(most)
                .map(|row| row.map_err(Into::into).and_then(|(number, row)| entry(number.value(), row.value())))
                .collect()
        })
    }

    fn audit_head(&self) -> Pending<'_, Head> {
        self.read(|transaction| head(&transaction.open_table(HEAD)?))
    }
}

/// Returns the user's newest certificate where it is good after that moment, and the newest as it is.
fn current(
    users: &impl ReadableTable<(&'static str, u32), u64>,
    certificates: &impl ReadableTable<u64, CertificateRow>,
    user: &User,
    after: Time,
) -> Result<(Option<Issued>, Option<Issued>), StorageError> {
    let Some(newest) = users.range((user.as_str(), 0)..=(user.as_str(), u32::MAX))?.next_back() else {
        return Ok((None, None));
    };
    let newest = certificate(certificates, newest?.1.value())?;
    let good = newest.clone().filter(|issued| issued.revoked.is_none() && issued.expires > after);
    Ok((good, newest))
}

fn current_or_issue(
    transaction: &WriteTransaction,
    user: &User,
    after: Time,
    make: Make,
) -> Result<Issued, IssueError> {
    let (issued, event) = {
        let (users, certificates) = (open(transaction, USERS)?, open(transaction, CERTIFICATES)?);
        let (current, newest) = current(&users, &certificates, user, after)?;
        match current {
            Some(current) => return Ok(current),
            None => make(newest.as_ref())?,
        }
    };
    store(transaction, &issued)?;
    append(transaction, [event])?;
    Ok(issued)
}

fn open<'t, K: redb::Key, V: redb::Value>(
    transaction: &'t WriteTransaction,
    table: TableDefinition<'_, K, V>,
) -> Result<redb::Table<'t, K, V>, StorageError> {
    Ok(transaction.open_table(table)?)
}

fn store(transaction: &WriteTransaction, issued: &Issued) -> Result<(), StorageError> {
    let mut users = transaction.open_table(USERS)?;
    let name = issued.user.as_str();
    let last = users.range((name, 0)..=(name, u32::MAX))?.next_back().transpose()?.map(|(key, _)| key.value().1);
    users.insert((name, last.map_or(0, |last| last + 1)), issued.key.number())?;
    transaction.open_table(SERIALS)?.insert(issued.serial.as_slice(), issued.key.number())?;
    insert(&mut transaction.open_table(CERTIFICATES)?, issued)
}

fn insert(certificates: &mut redb::Table<'_, u64, CertificateRow>, issued: &Issued) -> Result<(), StorageError> {
    let revoked = issued.revoked.map(|Revocation { since, reason }| (since.millis(), reason.as_str()));
    let row = (
        issued.user.as_str(),
        issued.policy,
        issued.certificate.as_slice(),
        issued.serial.as_slice(),
        issued.stored_key.as_slice(),
        issued.issued.millis(),
        issued.expires.millis(),
        revoked,
    );
    certificates.insert(issued.key.number(), row)?;
    Ok(())
}

fn certificate(
    certificates: &impl ReadableTable<u64, CertificateRow>,
    key: u64,
) -> Result<Option<Issued>, StorageError> {
    let Some(row) = certificates.get(key)? else { return Ok(None) };
    let (user, policy, certificate, serial, stored_key, issued, expires, revoked) = row.value();
    let wrong = |what: &str| record(format!("key {key}: {what}"));
    let revoked = match revoked {
        Some((since, reason)) => {
            let reason = reason.parse().map_err(|_| wrong("expected a reason of RFC 5280 §5.3.1"))?;
            Some(Revocation { since: Time::from_millis(since), reason })
        }
        None => None,
    };
    Ok(Some(Issued {
        key: KeyId::new(key).ok_or_else(|| wrong("expected an id of 63 bits"))?,
        user: user.parse().map_err(|_| wrong("expected a user's name"))?,
        policy,
        certificate: certificate.to_vec(),
        serial: serial.to_vec(),
        stored_key: stored_key.to_vec(),
        issued: Time::from_millis(issued),
        expires: Time::from_millis(expires),
        revoked,
    }))
}

fn insert_token(tokens: &mut redb::Table<'_, u64, TokenRow>, token: &TokenRecord) -> Result<(), StorageError> {
    let Person { user, country, given_name, surname, serial_number } = &token.person;
    let person = (user.as_str(), country.as_str(), given_name.as_str(), surname.as_str(), serial_number.as_str());
    let (expires, revoked) = (token.expires.map(Time::millis), token.revoked.map(Time::millis));
    tokens.insert(token.id.number(), (&token.sha256, person, token.issued.millis(), expires, revoked))?;
    Ok(())
}

fn token(id: u64, row: <TokenRow as redb::Value>::SelfType<'_>) -> Result<TokenRecord, StorageError> {
    let (sha256, (user, country, given_name, surname, serial_number), issued, expires, revoked) = row;
    let wrong = |what: &str| record(format!("token {id}: {what}"));
    Ok(TokenRecord {
        id: TokenId::new(id).ok_or_else(|| wrong("expected an id of 63 bits"))?,
        sha256: *sha256,
        person: Person {
            user: user.parse().map_err(|_| wrong("expected a user's name"))?,
            country: country.to_owned(),
            given_name: given_name.to_owned(),
            surname: surname.to_owned(),
            serial_number: serial_number.to_owned(),
        },
        issued: Time::from_millis(issued),
        expires: expires.map(Time::from_millis),
        revoked: revoked.map(Time::from_millis),
    })
}

fn append(transaction: &WriteTransaction, events: impl IntoIterator<Item = Event>) -> Result<(), StorageError> {
    let (mut audit, mut heads) = (transaction.open_table(AUDIT)?, transaction.open_table(HEAD)?);
    let mut end = head(&heads)?;
    for event in events {
        let (entry, next) = end.append(event);
        let Event { time, action, user, key, token, detail } = &entry.event;
        let row = (
            time.millis(),
            action.as_str(),
            user.as_ref().map(User::as_str),
            key.map(KeyId::number),
            token.map(TokenId::number),
            detail.as_str(),
            &entry.hash.0,
        );
        audit.insert(entry.number, row)?;
        end = next;
    }
    heads.insert((), (end.count, &end.hash.0))?;
    Ok(())
}

fn head(heads: &impl ReadableTable<(), (u64, &'static [u8; 32])>) -> Result<Head, StorageError> {
    Ok(heads.get(())?.map_or(Head::EMPTY, |row| {
        let (count, hash) = row.value();
        Head { count, hash: Hash(*hash) }
    }))
}

fn entry(number: u64, row: <EntryRow as redb::Value>::SelfType<'_>) -> Result<Entry, StorageError> {
    let (time, action, user, key, token, detail, hash) = row;
    let wrong = |what: &dyn std::fmt::Display| record(format!("audit entry {number}: {what}"));
    let event = Event {
        time: Time::from_millis(time),
        action: action.parse().map_err(|e| wrong(&e))?,
        user: user.map(|user| user.parse().map_err(|e| wrong(&e))).transpose()?,
        key: key.map(|key| KeyId::new(key).ok_or_else(|| wrong(&"expected a key id of 63 bits"))).transpose()?,
        token: token.map(|id| TokenId::new(id).ok_or_else(|| wrong(&"expected a token id of 63 bits"))).transpose()?,
        detail: detail.to_owned(),
    };
    Ok(Entry { number, event, hash: Hash(*hash) })
}

fn failed(reason: String) -> StorageError {
    StorageError::Failed { store: "redb", reason }
}

fn record(what: String) -> StorageError {
    StorageError::Record { store: "redb", what }
}

macro_rules! failures {
    ($($error:ty),+) => {$(
        impl From<$error> for StorageError {
            fn from(error: $error) -> Self {
                failed(error.to_string())
            }
        }
    )+};
}

failures!(redb::TransactionError, redb::TableError, redb::StorageError, redb::CommitError);
