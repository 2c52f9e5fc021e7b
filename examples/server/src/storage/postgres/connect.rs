//! Connections, and tables that are up to date.

use super::{chain, failed};
use crate::storage::StorageError;
use deadpool_postgres::{Manager, Pool, Runtime};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio_postgres::config::SslMode;
use tokio_postgres::{Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Most connections of one node.
const CONNECTIONS: usize = 16;
/// How long one waits for a connection, new or used.
const PATIENCE: Duration = Duration::from_secs(5);

/// Every change of the tables, in the order of their numbers.
const MIGRATIONS: [(i64, &str); 1] = [(1, include_str!("../../../migrations/0001_registry.sql"))];

/// The advisory lock under which tables are changed: `lacre` in ASCII.
const MIGRATION_LOCK: i64 = 0x6c_61_63_72_65;

pub fn pool(url: &str, authorities: Option<&Path>) -> Result<Pool, StorageError> {
    // The URL may hold a password: what is wrong with it is told, the URL is not.
    let mut config: Config = url.parse().map_err(|e| failed(format!("the URL cannot be read: {}", chain(&e))))?;
    config.application_name("lacre-server").connect_timeout(PATIENCE).tcp_user_timeout(2 * PATIENCE);
    let manager = match config.get_ssl_mode() {
        SslMode::Require => Manager::new(config, MakeRustlsConnect::new(encrypted(authorities)?)),
        _ => Manager::new(config, NoTls),
    };
    let pool = Pool::builder(manager).max_size(CONNECTIONS).runtime(Runtime::Tokio1);
    let pool = pool.wait_timeout(Some(PATIENCE)).create_timeout(Some(PATIENCE)).recycle_timeout(Some(PATIENCE));
    pool.build().map_err(|e| failed(e.to_string()))
}

/// Sets up TLS to a server whose certificate leads to one of the authorities in the file.
fn encrypted(authorities: Option<&Path>) -> Result<ClientConfig, StorageError> {
    let path = authorities.ok_or_else(|| failed("sslmode=require: expected a file of authorities to trust".into()))?;
    let wrong = |reason: &dyn std::fmt::Display| failed(format!("{}: {reason}", path.display()));
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(path).map_err(|e| wrong(&e))? {
        roots.add(certificate.map_err(|e| wrong(&e))?).map_err(|e| wrong(&e))?;
    }
    if roots.is_empty() {
        return Err(wrong(&"found no certificate in PEM"));
    }
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().map_err(|e| failed(e.to_string()))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

/// Applies what the tables lack, one node at a time.
pub async fn migrate(pool: &Pool) -> Result<(), StorageError> {
    let mut client = pool.get().await.map_err(|e| failed(chain(&e)))?;
    let transaction = client.transaction().await?;
    transaction.execute("select pg_advisory_xact_lock($1)", &[&MIGRATION_LOCK]).await?;
    transaction
        .batch_execute(
            "create table if not exists migrations (number bigint primary key, applied timestamptz default now())",
        )
        .await?;
    let last: Option<i64> = transaction.query_one("select max(number) from migrations", &[]).await?.try_get(0)?;
    let newest = MIGRATIONS.last().map_or(0, |(number, _)| *number);
    if let Some(last) = last.filter(|last| *last > newest) {
        return Err(failed(format!("the tables are of version {last}, expected at most {newest}")));
    }
    for (number, statements) in MIGRATIONS.iter().filter(|(number, _)| last.is_none_or(|last| *number > last)) {
        transaction.batch_execute(statements).await?;
        transaction.execute("insert into migrations (number) values ($1)", &[number]).await?;
    }
    Ok(transaction.commit().await?)
}
