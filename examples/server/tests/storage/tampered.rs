//! An audit log that somebody changed.

use crate::fixture::{NOW, Place, person};
use crate::support::postgres::Server;
use lacre_server::audit::{self, Head};
use lacre_server::registry::tokens;
use lacre_server::storage::Store;
use redb::{Database, ReadableTable as _, TableDefinition};

type Row = (i64, &'static str, Option<&'static str>, Option<u64>, Option<u64>, &'static str, &'static [u8; 32]);
const AUDIT: TableDefinition<'_, u64, Row> = TableDefinition::new("audit");
const HEAD: TableDefinition<'_, (), (u64, &[u8; 32])> = TableDefinition::new("audit head");

/// Ten entries; the head after the fifth.
async fn ten(store: &dyn Store) -> Head {
    let mut fifth = Head::EMPTY;
    for at in 1..=10 {
        tokens::issue(store, person("ana"), None, NOW).await.expect("a token");
        if at == 5 {
            fifth = store.audit_head().await.expect("read");
        }
    }
    fifth
}

async fn broken(store: &dyn Store, noted: Option<Head>) -> String {
    match audit::verify(store, noted).await {
        Ok(_) => "whole".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[tokio::test]
async fn changes_of_the_embedded_log_are_found() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    type Change = fn(&mut redb::Table<'_, u64, Row>, &mut redb::Table<'_, (), (u64, &'static [u8; 32])>);
    let rows: [(&str, Change, &str); 6] = [
        ("untouched", |_, _| (), "whole"),
        (
            "another user",
            |audit, _| {
                let row = audit.get(4).expect("read").expect("it is there");
                let (time, action, _, key, token, detail, hash) = row.value();
                let (action, detail, hash) = (action.to_owned(), detail.to_owned(), *hash);
                drop(row);
                audit
                    .insert(4, (time, action.as_str(), Some("bob"), key, token, detail.as_str(), &hash))
                    .expect("written");
            },
            "entry 4 was changed",
        ),
        (
            "another action",
            |audit, _| {
                audit.insert(6, (0, "nonsense", None, None, None, "", &[0; 32])).expect("written");
            },
            "audit entry 6: ",
        ),
        (
            "an entry is gone",
            |audit, _| drop(audit.remove(7).expect("written")),
            "entry 7 is missing: the next one is 8",
        ),
        ("the last is gone", |audit, _| drop(audit.remove(10).expect("written")), "the log ends with entry 9:"),
        (
            "the last is gone, and the head says so",
            |audit, head| {
                drop(audit.remove(10).expect("written"));
                let hash = *audit.get(9).expect("read").expect("it is there").value().6;
                head.insert((), (9, &hash)).expect("written");
            },
            "whole",
        ),
    ];
    for (at, (situation, change, expected)) in rows.into_iter().enumerate() {
        let place = Place::new(folder.path().join(format!("{at}.redb")).display().to_string());
        let store = place.store().await;
        let fifth = ten(&*store).await;
        let last = store.audit_head().await.expect("read");
        drop(store);
        let database = Database::open(&place.place).expect("nobody else has it open");
        let transaction = database.begin_write().expect("it can be written");
        change(
            &mut transaction.open_table(AUDIT).expect("it is there"),
            &mut transaction.open_table(HEAD).expect("it is there"),
        );
        transaction.commit().expect("written");
        drop(database);
        let store = place.store().await;
        let found = broken(&*store, None).await;
        assert!(found.starts_with(expected) || found.contains(expected) && expected != "whole", "{situation}: {found}");
        if expected == "whole" {
            assert_eq!(broken(&*store, Some(fifth)).await, "whole", "{situation}: the head that was noted");
            let noted = broken(&*store, Some(last)).await;
            assert_eq!(noted == "whole", at == 0, "{situation}: a later head that was noted: {noted}");
        }
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL (Debian package postgresql)"]
async fn changes_of_the_log_in_postgres_are_found() {
    let server = Server::start();
    let open = |name: &str| Place::new(server.database(name));
    let rows = [
        ("untouched", "select 1", "whole"),
        ("another detail", "update audit set detail = 'x' where number = 4", "entry 4 was changed"),
        ("another action", "update audit set action = 'x' where number = 6", "audit entry 6: "),
        ("an entry is gone", "delete from audit where number = 7", "entry 7 is missing: the next one is 8"),
        ("the last is gone", "delete from audit where number = 10", "the log ends with entry 9:"),
    ];
    for (at, (situation, change, expected)) in rows.into_iter().enumerate() {
        let name = format!("tampered_{at}");
        let store = open(&name).store().await;
        ten(&*store).await;
        if at > 0 {
            assert!(server.sql(&name, change).is_none(), "{situation}: the log only grows");
        }
        let with_power = format!("alter table audit disable trigger all; {change}");
        server.sql(&name, &with_power).expect("whoever owns the table can change it");
        let found = broken(&*store, None).await;
        assert!(found.contains(expected), "{situation}: {found}");
    }
}
