//! Processes: two at once, and one that is killed.

use crate::fixture::{self, NOW, person, verified};
use crate::support;
use lacre_server::audit::Action;
use lacre_server::storage;
use std::collections::{HashMap, HashSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

const ISSUANCES: usize = 1000;

/// Says what the other process shall do: `first` or `many`, the store, the folder of the authority.
const TASK: &str = "LACRE_TEST_TASK";

/// Whether this is a process that a test started, which then did its task.
async fn other_process() -> bool {
    let Ok(task) = std::env::var(TASK) else { return false };
    let mut parts = task.split('\n');
    let mut next = || parts.next().expect("the task has three lines").to_owned();
    let (what, place, folder) = (next(), next(), next());
    let registry = Arc::new(fixture::registry(&place, Path::new(&folder)).await);
    if what == "first" {
        let mut asked = tokio::task::JoinSet::new();
        for _ in 0..100 {
            let registry = Arc::clone(&registry);
            asked.spawn(async move { registry.get_or_issue(&person("ana"), NOW).await.expect("a certificate").key });
        }
        asked.join_all().await.iter().for_each(|key| say("ana", *key));
        return true;
    }
    // Eight at a time: the process is killed amid transactions, and others wait for theirs.
    let mut asked = tokio::task::JoinSet::new();
    for at in 0..ISSUANCES {
        let registry = Arc::clone(&registry);
        asked.spawn(async move {
            let name = format!("user-{at}");
            say(&name, registry.get_or_issue(&person(&name), NOW).await.expect("a certificate").key);
        });
        if asked.len() >= 8 {
            asked.join_next().await;
        }
    }
    asked.join_all().await;
    true
}

/// One write for each line, so that it is there whole however the process ends.
fn say(name: &str, key: storage::KeyId) {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("\nGOT {name} {key}\n").as_bytes()).expect("the test reads");
    out.flush().expect("the test reads");
}

/// Starts the test of that name in another process, with a task.
fn start(test: &str, what: &str, place: &str, folder: &Path) -> Child {
    Command::new(std::env::current_exe().expect("this is a program"))
        .args(["--exact", test, "--include-ignored", "--nocapture"])
        .env(TASK, format!("{what}\n{place}\n{}", folder.display()))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("this program runs again")
}

/// The certificates that a process was given, as it says.
fn given(process: &mut Child, most: usize) -> Vec<(String, u64)> {
    let out = BufReader::new(process.stdout.as_mut().expect("it is piped"));
    let lines = out.lines().map_while(Result::ok);
    let got = lines.filter_map(|line| {
        let (name, key) = line.strip_prefix("GOT ")?.split_once(' ')?;
        Some((name.to_owned(), key.parse().ok()?))
    });
    got.take(most).collect()
}

/// A hundred first requests of one user in each of two processes.
async fn two_processes(test: &str, place: &str) {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let registry = fixture::registry(place, folder.path()).await;
    let mut processes = [start(test, "first", place, folder.path()), start(test, "first", place, folder.path())];
    let mut keys = HashSet::new();
    for process in &mut processes {
        let got = given(process, usize::MAX);
        assert_eq!(got.len(), 100, "every request is answered");
        keys.extend(got.into_iter().map(|(_, key)| key));
        assert!(process.wait().expect("it ends").success());
    }
    assert_eq!(keys.len(), 1, "one user, one certificate");
    let store = registry.store();
    assert_eq!(store.history(&person("ana").user).await.expect("read").len(), 1);
    assert_eq!(verified(&**store).await.count, 1);
}

/// `kill -9` in the middle of a thousand issuances.
async fn killed(test: &str, place: &str) {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    drop(fixture::registry(place, folder.path()).await);
    let mut handed_out = HashMap::new();
    for most in [1, 150, 350] {
        let mut process = start(test, "many", place, folder.path());
        let got = given(&mut process, most);
        process.kill().expect("SIGKILL");
        process.wait().expect("it ends");
        assert_eq!(got.len(), most, "it was killed in the middle");
        for (name, key) in got {
            let before = handed_out.insert(name.clone(), key);
            assert!(before.is_none_or(|before| before == key), "{name}: the certificate of before is kept");
        }
    }

    let registry = Arc::new(fixture::registry(place, folder.path()).await);
    let store = registry.store();
    let before = verified(&**store).await;
    assert!(before.count < ISSUANCES as u64, "it was killed in the middle: {}", before.count);
    for (name, key) in &handed_out {
        let history = store.history(&person(name).user).await.expect("read");
        let keys: Vec<u64> = history.iter().map(|issued| issued.key.number()).collect();
        assert_eq!(keys, [*key], "{name}: not lost, not doubled");
    }
    for at in 0..ISSUANCES {
        registry.get_or_issue(&person(&format!("user-{at}")), NOW).await.expect("a certificate");
    }
    let mut issued = HashMap::new();
    for at in 0..ISSUANCES {
        let name = format!("user-{at}");
        let history = store.history(&person(&name).user).await.expect("read");
        assert_eq!(history.len(), 1, "{name}: one certificate");
        issued.insert(name, history[0].key.number());
    }
    for (name, key) in &handed_out {
        assert_eq!(issued.get(name), Some(key), "{name}: still the same");
    }
    // The log tells of each certificate once, and of nothing else.
    let entries = fixture::log(&**store).await;
    let told: HashMap<String, u64> = entries
        .iter()
        .filter(|entry| entry.event.action == Action::CertificateIssued)
        .filter_map(|entry| Some((entry.event.user.as_ref()?.to_string(), entry.event.key?.number())))
        .collect();
    assert_eq!(entries.len(), ISSUANCES);
    assert_eq!(told, issued);
    assert_eq!(verified(&**store).await.count, ISSUANCES as u64);
}

fn file(folder: &tempfile::TempDir) -> String {
    folder.path().join("store.redb").display().to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_processes_over_redb() {
    if other_process().await {
        return;
    }
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    two_processes("crash::two_processes_over_redb", &file(&folder)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn killed_over_redb() {
    if other_process().await {
        return;
    }
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    killed("crash::killed_over_redb", &file(&folder)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "needs PostgreSQL (Debian package postgresql)"]
async fn processes_over_postgres() {
    if other_process().await {
        return;
    }
    let mut server = support::postgres::Server::start();
    let test = "crash::processes_over_postgres";
    two_processes(test, &server.database("two")).await;
    killed(test, &server.database("killed")).await;
    down(&mut server).await;
}

/// The server goes away and comes back.
async fn down(server: &mut support::postgres::Server) {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let registry = fixture::registry(&server.database("down"), folder.path()).await;
    let ana = person("ana");
    let got = registry.get_or_issue(&ana, NOW).await.expect("a certificate");
    let key = registry.key(&ana.user, got.key, NOW).await.expect("an answer").expect("a key");
    let algorithm = key.algorithm(lacre::signing::DigestAlgorithm::Sha256);
    server.stop();
    assert!(registry.ready().await.is_err(), "it is not ready");
    assert!(registry.get_or_issue(&person("bob"), NOW).await.is_err(), "nothing is issued");
    assert!(registry.sign(&key, algorithm, &[7; 32], NOW).await.is_err(), "what cannot be told is not signed");
    assert!(registry.user_of("lacre_1_x", NOW).await.is_err(), "nobody knows");
    server.resume();
    registry.ready().await.expect("it answers again");
    assert_eq!(verified(&**registry.store()).await.count, 1, "nothing was half-written");
    registry.get_or_issue(&person("bob"), NOW).await.expect("a certificate");
    registry.sign(&key, algorithm, &[7; 32], NOW).await.expect("it signs again");
}
