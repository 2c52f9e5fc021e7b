//! What the server does under load, over real HTTP on this machine:
//! `cargo bench -p lacre-server --bench load -- FILE VALIDATIONS`.
//!
//! FILE is validated, so many times (20,000); without it the example contract is. The server and its clients share the machine's cores, as the
//! bare key operation, to which signatures are compared, has all of them for itself.

#[path = "../tests/support/mod.rs"]
mod support;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre::algorithm::{DigestAlgorithm, SignatureAlgorithm};
use lacre::crypto::{KeyKind, SigningKey as _, SoftwareKey};
use lacre_server::chance;
use serde_json::json;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use support::server::{Server, example};

const CLIENTS: usize = 32;
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
    println!("{} cores, {CLIENTS} clients, a document of {} octets", cores(), document.len());

    let bare = bare_key_operations();
    println!("bare key operation, ECDSA P-256       {bare:>9.0} /s");

    let own = format!("X-AUTH-TOKEN: {token}\r\n");
    let certificates = server.get("/api/signature/certificates/", &[("X-AUTH-TOKEN", &token)]).json();
    let key = certificates[0]["keyInfo"]["keyId"].as_u64().expect("a number");
    let signed = run(&server, others, &request("POST", &format!("/api/signature/hash/{key}"), &own, &[7; 32]));
    println!("hash signatures, one a request        {signed}  {:.0} % of bare", 100.0 * signed.rate / bare);
    let hashes = vec![BASE64_STANDARD.encode([7; 32]); BATCH];
    let asked =
        json!({"credentialID": key.to_string(), "hashes": hashes, "signAlgo": "1.2.840.10045.4.3.2"}).to_string();
    let batch = request("POST", "/csc/v2/signatures/signHash", &own, asked.as_bytes());
    let batches = run(&server, (others / BATCH).max(1), &batch);
    let rate = batches.rate * BATCH as f64;
    println!("hash signatures, {BATCH} a request (CSC)  {rate:>9.0} /s  {:.0} % of bare", 100.0 * rate / bare);

    println!(
        "certificate reads                     {}",
        run(&server, others, &request("GET", "/api/signature/certificates/", &own, b""))
    );

    let validate = request("POST", "/api/Document/Validate/Pdf/load", "Accept: application/json\r\n", &document);
    for part in 1..=4 {
        let done = run(&server, validations / 4, &validate);
        println!(
            "validations, {:>6} so far            {done}  {} MB resident",
            part * validations / 4,
            resident(&server)
        );
    }
}

/// Signatures a second with every core, without server.
fn bare_key_operations() -> f64 {
    let key = SoftwareKey::generate(KeyKind::P256, &mut chance::system()).expect("a key is made");
    let algorithm = SignatureAlgorithm::new(key.public_key().algorithm(), Some(DigestAlgorithm::Sha256));
    let made = AtomicUsize::new(0);
    let begun = Instant::now();
    thread::scope(|scope| {
        for _ in 0..cores() {
            scope.spawn(|| {
                while begun.elapsed() < Duration::from_secs(3) {
                    key.sign(&algorithm, &[7; 32], &mut chance::system()).expect("the key signs");
                    made.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    made.into_inner() as f64 / begun.elapsed().as_secs_f64()
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// What came of many requests.
struct Done {
    rate: f64,
    median: Duration,
    slowest_of_hundred: Duration,
}

impl std::fmt::Display for Done {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
        let (median, p99) = (milliseconds(self.median), milliseconds(self.slowest_of_hundred));
        write!(f, "{:>9.0} /s  p50 {median:.1} ms  p99 {p99:.1} ms", self.rate)
    }
}

fn request(method: &str, path: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("{method} {path} HTTP/1.1\r\nHost: x\r\n{headers}Content-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// Sends the request so many times, each client over one connection. Every answer has to be 200.
fn run(server: &Server, requests: usize, request: &[u8]) -> Done {
    let left = AtomicUsize::new(requests);
    let times = Mutex::new(Vec::with_capacity(requests));
    let begun = Instant::now();
    thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                let stream = TcpStream::connect(&server.address).expect("the server accepts");
                stream.set_nodelay(true).expect("it is a socket");
                let mut reader = BufReader::with_capacity(1 << 16, stream.try_clone().expect("it is a socket"));
                let (mut stream, mut own, mut body) = (stream, vec![], vec![]);
                while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
                    let begun = Instant::now();
                    stream.write_all(request).expect("the server reads");
                    answer(&mut reader, &mut body);
                    own.push(begun.elapsed());
                }
                times.lock().expect("no client panics with the lock").extend(own);
            });
        }
    });
    let took = begun.elapsed();
    let mut times = times.into_inner().expect("no client panicked");
    times.sort_unstable();
    Done {
        rate: times.len() as f64 / took.as_secs_f64(),
        median: times[times.len() / 2],
        slowest_of_hundred: times[times.len() * 99 / 100],
    }
}

fn answer(reader: &mut BufReader<TcpStream>, body: &mut Vec<u8>) {
    let mut line = String::new();
    reader.read_line(&mut line).expect("a status line");
    assert!(line.starts_with("HTTP/1.1 200"), "{line}");
    let mut length = 0;
    while line != "\r\n" {
        line.clear();
        reader.read_line(&mut line).expect("a header");
        if let Some(stated) = line.strip_prefix("content-length: ") {
            length = stated.trim().parse().expect("a number");
        }
    }
    body.resize(length, 0);
    reader.read_exact(body).expect("the whole body");
}

/// What the server's process holds in memory, in megabytes.
fn resident(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.process_id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|kilobytes| kilobytes.parse::<u64>().ok()).unwrap_or_default() / 1024
}
