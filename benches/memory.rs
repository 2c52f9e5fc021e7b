//! How much private memory validation takes: the most that is on the heap at once.
//!
//! `cargo bench --bench memory [-- NAME…]`, over the files of the recorded timings (`../shared/oracle/timings.tsv`) or,
//! without them, the example documents. The bound is twice the file and 16 MiB; what breaks it is marked and makes the
//! bench fail.

use lacre::{Document, Policy, Time, Validator};
use peak_alloc::PeakAlloc;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let only: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let mut broken = false;
    println!("{:>9} {:>9} {:>9}  file", "file MB", "peak MB", "bound MB");
    for file in files(root) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !(only.is_empty() || only.iter().any(|part| name.contains(part.as_str()))) {
            continue;
        }
        let Ok(bytes) = std::fs::read(&file) else { continue };
        let (size, peak) = (megabytes(bytes.len()), peak(&bytes));
        let bound = 2.0 * size + 16.0;
        let mark = if peak > bound { "  over the bound" } else { "" };
        broken |= peak > bound;
        println!("{size:>9.2} {peak:>9.2} {bound:>9.2}  {name}{mark}");
    }
    if broken { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The most that validating takes beside the bytes themselves, which the caller holds.
fn peak(bytes: &[u8]) -> f64 {
    let time: Time = "2026-06-01T00:00:00Z".parse().expect("a valid time");
    let validator = Validator::new(Policy::eidas());
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    std::hint::black_box(validator.validate(&Document::new(bytes), time).map(|report| report.to_json().len()).ok());
    megabytes(HEAP.peak_usage().saturating_sub(before))
}

fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

fn files(root: &Path) -> Vec<PathBuf> {
    let corpus = root.join("target/corpus");
    match std::fs::read_to_string(root.join("../shared/oracle/timings.tsv")) {
        Ok(text) if corpus.exists() => {
            let rows = text.lines().filter(|line| !line.starts_with('#') && !line.starts_with("file\t"));
            rows.filter_map(|line| line.split('\t').next()).map(|name| corpus.join(name)).collect()
        }
        _ => ["contract.pdf", "revoked.pdf", "letter.txt.p7s"]
            .map(|name| root.join("examples/documents").join(name))
            .to_vec(),
    }
}
