//! What the server does under load, over real HTTP on this machine:
//! `cargo bench -p lacre-server --bench load -- FILE VALIDATIONS`.
//!
//! FILE is validated, so many times (20,000); without it the example contract is. Server and clients share the machine's
//! cores, and the bare key operation, to which signatures are compared, has all of them for itself. So each line also
//! says how much the server did in a second of its own processor time, in which the clients have no part.

#[path = "../tests/support/mod.rs"]
mod support;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre::signing::{DigestAlgorithm, KeyKind, SignatureAlgorithm, SigningKey as _, SoftwareKey};
use lacre_server::rng;
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use support::server::{Server, example};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

const CLIENTS: usize = 32;
/// As many as share one write to the disk well.
const MANY_CLIENTS: usize = 256;
const VALIDATIONS: usize = 20_000;
/// Hashes of one request to the CSC operation.
const BATCH: usize = 100;

fn main() {
    // cargo hands `--bench` to benches.
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let file = arguments.next();
    let validations = arguments.next().map_or(VALIDATIONS, |number| number.parse().expect("a number"));
    let others = validations * 2;
    let document = file.map_or_else(|| example("contract.pdf"), |path| std::fs::read(path).expect("the file is there"));
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let place = folder.path().join("store.redb").display().to_string();
    let (server, token) = Server::demo(&["--store", &place, "--log", "error,lacre_server::serve=info"]);
    println!("{} cores, a document of {} bytes", cores(), document.len());

    let bare = bare_key_operations();
    println!("{:40}{bare}", "bare key operation, ECDSA P-256");

    let own = format!("X-AUTH-TOKEN: {token}\r\n");
    let certificates = server.get("/api/signature/certificates/", &[("X-AUTH-TOKEN", &token)]).json();
    let key = certificates[0]["keyInfo"]["keyId"].as_u64().expect("a number");
    let one = request("POST", &format!("/api/signature/hash/{key}"), &own, &[7; 32]);
    for clients in [CLIENTS, MANY_CLIENTS] {
        let signed = run(&server, clients, others, &one);
        println!("{:40}{signed}  {}", format!("hash signatures, {clients} clients"), signed.of(&bare, 1));
    }
    let hashes = vec![BASE64_STANDARD.encode([7; 32]); BATCH];
    let asked =
        json!({"credentialID": key.to_string(), "hashes": hashes, "signAlgo": "1.2.840.10045.4.3.2"}).to_string();
    let batch = request("POST", "/csc/v2/signatures/signHash", &own, asked.as_bytes());
    let batches = run(&server, CLIENTS, (others / BATCH).max(1), &batch);
    println!("{:40}{batches}  {}", format!("requests of {BATCH} hashes (CSC)"), batches.of(&bare, BATCH));

    let reads = run(&server, CLIENTS, others, &request("GET", "/api/signature/certificates/", &own, b""));
    println!("{:40}{reads}", "certificate reads");

    let validate = request("POST", "/api/Document/Validate/Pdf/load", "Accept: application/json\r\n", &document);
    for part in 1..=4 {
        let done = run(&server, CLIENTS, validations / 4, &validate);
        let so_far = format!("validations, {:>6} so far", part * validations / 4);
        println!("{so_far:40}{done}  {} MB resident", resident(&server));
    }
}

/// Signatures with every core, without server.
fn bare_key_operations() -> Bare {
    let key = SoftwareKey::generate(KeyKind::P256, &mut rng::system()).expect("a key is made");
    let algorithm = SignatureAlgorithm::new(key.public_key().algorithm(), Some(DigestAlgorithm::Sha256));
    let made = AtomicUsize::new(0);
    let (begun, used) = (Instant::now(), processor_time("self"));
    thread::scope(|scope| {
        for _ in 0..cores() {
            scope.spawn(|| {
                while begun.elapsed() < Duration::from_secs(3) {
                    key.sign(&algorithm, &[7; 32], &mut rng::system()).expect("the key signs");
                    made.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    let made = made.into_inner() as f64;
    let used = processor_time("self") - used;
    Bare { rate: made / begun.elapsed().as_secs_f64(), a_processor_second: made / used.as_secs_f64() }
}

/// What the key alone does.
struct Bare {
    rate: f64,
    a_processor_second: f64,
}

impl std::fmt::Display for Bare {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:>7.0} /s{:>37}{:>7.0} a processor second", self.rate, "", self.a_processor_second)
    }
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// What came of many requests.
struct Done {
    requests: usize,
    took: Duration,
    median: Duration,
    slowest_of_hundred: Duration,
    /// Processor time of the server, and of the clients.
    server: Duration,
    clients: Duration,
}

impl Done {
    fn rate(&self) -> f64 {
        self.requests as f64 / self.took.as_secs_f64()
    }

    fn a_processor_second(&self) -> f64 {
        self.requests as f64 / self.server.as_secs_f64()
    }

    /// How much that is of the bare key operation, each request having so many signatures.
    fn of(&self, bare: &Bare, signatures: usize) -> String {
        let share = |own: f64, bare: f64| 100.0 * own * signatures as f64 / bare;
        let (wall, processor) =
            (share(self.rate(), bare.rate), share(self.a_processor_second(), bare.a_processor_second));
        format!("{wall:.0} % of bare, by processor time {processor:.0} %")
    }
}

impl std::fmt::Display for Done {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
        let (median, p99) = (milliseconds(self.median), milliseconds(self.slowest_of_hundred));
        let clients = 100.0 * self.clients.as_secs_f64() / (self.clients + self.server).as_secs_f64();
        let (rate, a_second) = (self.rate(), self.a_processor_second());
        write!(f, "{rate:>7.0} /s  p50 {median:>5.1} ms  p99 {p99:>5.1} ms  {a_second:>7.0} a processor second")?;
        write!(f, "  clients {clients:.0} %")
    }
}

fn request(method: &str, path: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("{method} {path} HTTP/1.1\r\nHost: x\r\n{headers}Content-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// Sends the request so many times, each client over one connection, all of them on one thread. Every answer has to be
/// 200.
fn run(server: &Server, clients: usize, requests: usize, request: &[u8]) -> Done {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().expect("a runtime starts");
    let (server_used, clients_used) = (processor_time(&server.process_id().to_string()), processor_time("self"));
    let (took, mut times) = runtime.block_on(all(&server.address, clients, requests, request));
    times.sort_unstable();
    Done {
        requests: times.len(),
        took,
        median: times[times.len() / 2],
        slowest_of_hundred: times[times.len() * 99 / 100],
        server: processor_time(&server.process_id().to_string()) - server_used,
        clients: processor_time("self") - clients_used,
    }
}

async fn all(address: &str, clients: usize, requests: usize, request: &[u8]) -> (Duration, Vec<Duration>) {
    let left = std::sync::Arc::new(AtomicUsize::new(requests));
    let begun = Instant::now();
    let mut running = JoinSet::new();
    for _ in 0..clients {
        let stream = TcpStream::connect(address).await.expect("the server accepts");
        stream.set_nodelay(true).expect("it is a socket");
        running.spawn(client(stream, request.to_vec(), std::sync::Arc::clone(&left)));
    }
    let times = running.join_all().await.concat();
    (begun.elapsed(), times)
}

async fn client(mut stream: TcpStream, request: Vec<u8>, left: std::sync::Arc<AtomicUsize>) -> Vec<Duration> {
    let (mut times, mut answer) = (vec![], Vec::with_capacity(1 << 16));
    while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
        let begun = Instant::now();
        stream.write_all(&request).await.expect("the server reads");
        answer.clear();
        while !is_whole(&answer) {
            assert_ne!(stream.read_buf(&mut answer).await.expect("an answer"), 0, "the server hung up");
        }
        times.push(begun.elapsed());
    }
    times
}

/// Whether the answer is there, by the length that it states.
fn is_whole(answer: &[u8]) -> bool {
    let Some(end) = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n") else { return false };
    let head = std::str::from_utf8(&answer[..end]).expect("a head is text");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let (_, length) = head.split_once("\r\ncontent-length: ").expect("the server states lengths");
    let length: usize = length.lines().next().and_then(|length| length.parse().ok()).expect("a number");
    answer.len() >= end + 4 + length
}

/// How long a process had a processor, all its threads together: proc_pid_stat(5), in hundredths of a second.
fn processor_time(process: &str) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).expect("Linux, and the process lives");
    // The name, which may hold spaces, stands in parentheses; user and system time are the 12th and 13th after it.
    let (_, rest) = stat.rsplit_once(')').expect("the name is in parentheses");
    let ticks = rest.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("a number"));
    Duration::from_millis(10 * ticks.sum::<u64>())
}

/// What the server's process holds in memory, in megabytes.
fn resident(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.process_id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|kilobytes| kilobytes.parse::<u64>().ok()).unwrap_or_default() / 1024
}
