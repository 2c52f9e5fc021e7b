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
async fn rows_over_postgres() {
    let Some(server) = support::postgres::Server::start() else { return };
    let mut count = 0;
    rows::all(|| {
        count += 1;
        Place::new(server.database(&format!("row_{count}")))
    })
    .await;
}
