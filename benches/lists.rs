//! How long trusted lists take to load, and how much private memory: from a folder, every list verified, on one thread
//! and on two; from a snapshot, and from one that is signed.
//!
//! `cargo bench --bench lists [-- DIR]`, over the folder of October 2023 of the corpus (18 MB, 33 files). The bounds are
//! 0.6 s on two threads and 150 MB, from a snapshot 10 ms and 20 MB, 1.5 MB of file; what breaks one makes it fail.

use lacre::{
    Document, Time,
    issuance::{Issuer, Locations, Profile, Validity},
    signing::{SignatureParameters, Signer, cades},
    trust::{LotlSigningCertificates, Source, TrustedLists, append_signature, read},
};
use lacre_core::{
    algorithm::DigestAlgorithm::Sha256,
    crypto::{KeyKind, SigningKey as _},
    x509::Certificate,
};
use lacre_testkit::authorities::{key, legal, randomness};
use peak_alloc::PeakAlloc;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Runs of which the median counts.
const RUNS: usize = 5;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).map(PathBuf::from);
    let cache = "target/corpus/dss/dss-cookbook/src/test/resources/signature-pool/cache";
    let folder = folder.unwrap_or_else(|| root.join(cache));
    let announcement = announcement(root).expect("../shared has the signers of the list of lists");
    let files = files(&folder);
    assert!(!files.is_empty(), "no file in {}", folder.display());
    let bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    println!("{} files, {:.1} MB", files.len(), bytes as f64 / 1e6);

    let from_folder = |threads| TrustedLists::assemble(sources(&files, threads), &announcement);
    let packed = from_folder(2).to_snapshot();
    let signed = signed(packed.clone());
    let rows = [
        ("folder, one thread", measure(|| from_folder(1)), f64::INFINITY, 150.0),
        ("folder, two threads", measure(|| from_folder(2)), 600.0, 150.0),
        ("snapshot", measure(|| TrustedLists::from_snapshot(&packed).expect("it was packed here")), 10.0, 20.0),
        ("signed snapshot", measure(|| TrustedLists::from_snapshot(&signed).expect("it was signed here")), 10.0, 20.0),
    ];
    let mut broken = packed.len() > 1_500_000;
    println!("snapshot: {} bytes", packed.len());
    println!("{:>20} {:>9} {:>8}", "", "ms", "MB");
    for (name, (time, megabytes), most_time, most_memory) in rows {
        let time = time.as_secs_f64() * 1e3;
        let over = time > most_time || megabytes > most_memory;
        broken |= over;
        println!("{name:>20} {time:>9.2} {megabytes:>8.2}{}", if over { "  over the bound" } else { "" });
    }
    if broken { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The snapshot with the signature of somebody who packs.
fn signed(snapshot: Vec<u8>) -> Vec<u8> {
    let key = key(KeyKind::P256);
    let day = |day: i64| Time::from_seconds(1_767_225_600 + day * 86_400);
    let validity = Validity { from: day(0), to: day(700) };
    let issuer =
        Issuer::root(&legal("Packer"), &key, validity, Locations::default(), &mut randomness()).expect("it is a name");
    let seal = issuer.issue(Profile::LegalPerson, &legal("Packer"), key.public_key(), validity, &mut randomness());
    let signer = Signer::new(seal.expect("it is a name"), key.algorithm(Sha256)).expect("it is the key's");
    let (content, parameters) = (cades::Content::Detached(&snapshot), SignatureParameters::new(day(1)));
    let prepared = cades::prepare(&content, &parameters, &cades::Options::default(), &signer).expect("it fits");
    let signature = prepared.sign(&Document::new(&snapshot), &key, &mut randomness()).expect("the key signs");
    let signature = signature.to_vec(&snapshot);
    append_signature(snapshot, &signature)
}

/// The median time, and the most memory that was taken beside the files themselves.
fn measure(load: impl Fn() -> TrustedLists) -> (Duration, f64) {
    let mut times = vec![];
    let mut most = 0.0_f64;
    for _ in 0..RUNS {
        let before = HEAP.current_usage();
        HEAP.reset_peak_usage();
        let begun = Instant::now();
        let lists = black_box(load());
        times.push(begun.elapsed());
        most = most.max((HEAP.peak_usage().saturating_sub(before)) as f64 / 1e6);
        drop(lists);
    }
    times.sort();
    (times[RUNS / 2], most)
}

fn sources(files: &[(String, Vec<u8>)], threads: usize) -> Vec<Source> {
    let (next, read_so_far) = (AtomicUsize::new(0), Mutex::new(vec![]));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((place, (name, bytes))) = {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    files.get(place).map(|file| (place, file))
                } {
                    let source = read(name, bytes, None);
                    read_so_far.lock().expect("nobody panics with the lock").push((place, source));
                }
            });
        }
    });
    let mut sources = read_so_far.into_inner().expect("the threads are done");
    sources.sort_by_key(|(place, _)| *place);
    sources.into_iter().map(|(_, source)| source).collect()
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = vec![];
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if let Ok(bytes) = std::fs::read(entry.path()) {
            files.push((entry.file_name().to_string_lossy().into_owned(), bytes));
        }
    }
    // The largest first, so that the threads end together.
    files.sort_by_key(|(name, bytes)| (std::cmp::Reverse(bytes.len()), name.clone()));
    files
}

/// The certificates that the Official Journal announced in 2019.
fn announcement(root: &Path) -> Option<LotlSigningCertificates> {
    let bytes = std::fs::read(root.join("../shared/oracle/lotl-signers.zip")).ok()?;
    let archive = rawzip::ZipArchive::from_slice(&bytes).ok()?;
    let entries = archive.entries().filter_map(|entry| archive.get_entry(entry.ok()?.wayfinder()).ok());
    let certificates: Vec<Certificate> = entries.filter_map(|entry| Certificate::from_der(entry.data()).ok()).collect();
    Some(LotlSigningCertificates::of(&certificates))
}
