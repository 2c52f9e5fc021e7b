//! An authority, persons, and registries over a store.

use lacre::{Time, issuance::Locations};
use lacre_server::audit::{self, Action, Entry, Head};
use lacre_server::authority::CertificatePolicy;
use lacre_server::pki;
use lacre_server::registry::Registry;
use lacre_server::storage::{self, Person, Store};
use std::path::Path;
use std::sync::Arc;

pub const NOW: Time = Time::from_seconds(1_795_255_200);
pub const DAY: i64 = 86_400_000;

/// A store, by what opens it, and the folder of the demo authority.
pub struct Place {
    pub place: String,
    pub folder: tempfile::TempDir,
}

impl Place {
    pub fn new(place: String) -> Self {
        Self { place, folder: tempfile::tempdir().expect("there is a folder for temporary files") }
    }

    pub async fn store(&self) -> Arc<dyn Store> {
        storage::open(&self.place, None).await.unwrap_or_else(|e| panic!("{}: {e}", self.place))
    }

    pub async fn registry(&self) -> Registry {
        registry(&self.place, self.folder.path()).await
    }
}

/// A registry with a store, and so connections, of its own.
pub async fn registry(place: &str, folder: &Path) -> Registry {
    let store = storage::open(place, None).await.unwrap_or_else(|e| panic!("{place}: {e}"));
    over(store, folder)
}

pub fn over(store: Arc<dyn Store>, folder: &Path) -> Registry {
    let (master, authority) = pki::demo(folder, Locations::default(), NOW).expect("the demo authority is made");
    let policy = CertificatePolicy { days: 100, renewal_days: 10, ..pki::demo_policy() };
    Registry::new(store, Arc::new(master), Arc::new(authority), policy)
}

pub fn person(name: &str) -> Person {
    Person {
        user: name.parse().expect("it is a user's name"),
        country: "PT".to_owned(),
        given_name: "Ana".to_owned(),
        surname: name.to_owned(),
        serial_number: "PASPT-1".to_owned(),
    }
}

pub async fn log(store: &dyn Store) -> Vec<Entry> {
    store.audit(1, 100_000).await.expect("the log is read")
}

pub async fn count(store: &dyn Store, action: Action) -> usize {
    log(store).await.iter().filter(|entry| entry.event.action == action).count()
}

pub async fn verified(store: &dyn Store) -> Head {
    audit::verify(store, None).await.expect("the chain of the audit log holds")
}
