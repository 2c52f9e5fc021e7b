//! Hash signatures a second: the key alone, and through the registry with its audit log on the disk.
//!
//! `cargo bench -p lacre-server --bench sign`. PostgreSQL is measured where it is installed.

#[path = "../tests/support/mod.rs"]
mod support;

use lacre::{
    Time,
    issuance::Locations,
    signing::{DigestAlgorithm, KeyAlgorithm, KeyKind, SignatureAlgorithm, SigningKey as _, SoftwareKey},
};
use lacre_server::registry::Registry;
use lacre_server::storage::{self, Person};
use lacre_server::{audit, pki, rng};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const NOW: Time = Time::from_seconds(1_795_255_200);
const PERIOD: Duration = Duration::from_secs(5);
const CLIENTS: [usize; 3] = [1, 32, 256];

fn main() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let bare = bare(threads);
    println!("the key alone, {threads} threads: {bare:.0} signatures a second");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    runtime.block_on(through_registry("redb", &folder.path().join("store.redb").display().to_string(), bare));
    let server = support::postgres::Server::start_durable();
    runtime.block_on(through_registry("PostgreSQL", &server.database("bench"), bare));
}

fn bare(threads: usize) -> f64 {
    let key = SoftwareKey::generate(KeyKind::P256, &mut rng::system()).expect("a key is made");
    let algorithm = SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, Some(DigestAlgorithm::Sha256));
    let count = AtomicU64::new(0);
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while begin.elapsed() < PERIOD {
                    key.sign(&algorithm, &[7; 32], &mut rng::system()).expect("it signs");
                    count.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    count.into_inner() as f64 / begin.elapsed().as_secs_f64()
}

async fn through_registry(name: &str, place: &str, bare: f64) {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let store = storage::open(place, None).await.expect("the store opens");
    let (master, authority) = pki::demo(folder.path(), Locations::default(), NOW).expect("the demo is made");
    let registry = Arc::new(Registry::new(store, Arc::new(master), Arc::new(authority), pki::demo_policy()));
    let ana = Person::known_as("ana".parse().expect("it is a user's name"), "PT");
    let got = registry.get_or_issue(&ana, NOW).await.expect("a certificate");
    for clients in CLIENTS {
        let begin = Instant::now();
        let mut running = tokio::task::JoinSet::new();
        for _ in 0..clients {
            let (registry, user) = (Arc::clone(&registry), ana.user.clone());
            running.spawn(async move {
                let mut times = Vec::new();
                while begin.elapsed() < PERIOD {
                    let started = Instant::now();
                    let key = registry.key(&user, got.key, NOW).await.expect("an answer").expect("a key");
                    let algorithm = key.algorithm(DigestAlgorithm::Sha256);
                    registry.sign(&key, algorithm, &[7; 32], NOW).await.expect("it signs");
                    times.push(started.elapsed());
                }
                times
            });
        }
        let mut times: Vec<Duration> = running.join_all().await.concat();
        let rate = times.len() as f64 / begin.elapsed().as_secs_f64();
        times.sort_unstable();
        let at = |share: usize| times[(times.len() - 1) * share / 100];
        println!(
            "through the registry, {name}, {clients} clients: {rate:.0} a second, {:.0} % of the key alone; p50 {:?}, p99 {:?}",
            100.0 * rate / bare,
            at(50),
            at(99),
        );
    }
    let head = audit::verify(&**registry.store(), None).await.expect("the chain holds");
    println!("{name}: {} entries in the audit log, each of them in the chain", head.count);
}
