//! Both stores, through the registry: the same rows for each.

#[path = "../support/mod.rs"]
mod support;

mod commands;
mod crash;
mod fixture;
mod rows;
mod tampered;

use fixture::Place;

/// Every row, over the embedded store.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn rows_over_redb() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let mut count = 0;
    rows::all(|| {
        count += 1;
        Place::new(folder.path().join(format!("{count}.redb")).display().to_string())
    })
    .await;
}

/// Every row, over PostgreSQL.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "needs PostgreSQL (Debian package postgresql)"]
async fn rows_over_postgres() {
    let server = support::postgres::Server::start();
    let mut count = 0;
    rows::all(|| {
        count += 1;
        Place::new(server.database(&format!("row_{count}")))
    })
    .await;
}

/// `sslmode=require`: an encrypted connection to a server whose certificate leads to one that is trusted, or none.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL (Debian package postgresql)"]
async fn encrypted_connections() {
    let (server, certificate) = support::postgres::Server::start_encrypted();
    server.database("encrypted");
    let url = server.encrypted_url("encrypted");
    let store = lacre_server::storage::open(&url, Some(&certificate)).await.expect("the store opens");
    store.ready().await.expect("it answers");
    let used = server.sql("encrypted", "select count(*) from pg_stat_ssl where ssl").expect("psql answers");
    assert_ne!(used.trim(), "0", "the connection is encrypted");
    let (_other, stranger) = support::postgres::Server::start_encrypted();
    for (situation, authorities, expected) in [
        ("nobody is trusted", None, "expected a file of authorities"),
        ("somebody else is trusted", Some(stranger.as_path()), "ertificate"),
        ("no certificates", Some(std::path::Path::new("/dev/null")), "found no certificate"),
    ] {
        let told = match lacre_server::storage::open(&url, authorities).await {
            Err(error) => error.to_string(),
            Ok(_) => "it opened".to_owned(),
        };
        assert!(told.contains(expected), "{situation}: {told}");
    }
}
