//! Milliseconds that reading and judging one stored set of facts takes, and how both grow.
//!
//! `cargo bench --bench judge`, over DSS's diagnostic data of the corpus; `-- NAME` over those files only whose
//! path holds that name. The goal: at most 1 ms in the median, 20 ms on the largest of the stored cases, and 2 s for
//! 2,000 time-stamps.

use lacre::Facts;
use lacre_core::{policy::Policy, validation::validate};
use lacre_testkit::many;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn main() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus");
    let policy = Policy::eidas();
    let only: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let is_wanted =
        |path: &&PathBuf| only.is_empty() || only.iter().any(|o| path.to_string_lossy().contains(o.as_str()));
    for folder in ["dss/dss-validation/src/test/resources/diag-data", "dss-facts/near", "dss-facts/lists"] {
        let mut files = vec![];
        collect(&corpus.join(folder), &mut files);
        let mut rows: Vec<_> = files.iter().filter(is_wanted).filter_map(|path| measure(path, &policy)).collect();
        assert!(!files.is_empty(), "{} is missing", corpus.join(folder).display());
        if rows.is_empty() {
            continue;
        }
        rows.sort_by_key(|row| row.judged);
        let at = |share: f64| &rows[((rows.len() - 1) as f64 * share) as usize];
        println!("{folder}: {} sets of facts", rows.len());
        for (name, share) in [("median", 0.5), ("95 %", 0.95), ("largest", 1.0)] {
            let row = at(share);
            println!(
                "    {name:8} {:8.3} ms read {:8.3} ms judged  {}",
                millis(row.read),
                millis(row.judged),
                row.path.file_name().unwrap_or_default().to_string_lossy()
            );
        }
    }
    for count in [250, 500, 1_000, 2_000] {
        let facts = many::timestamps(count);
        let start = Instant::now();
        let verdicts = validate(&facts, &policy, many::now());
        println!("{count:5} time-stamps  {:9.1} ms ({})", millis(start.elapsed()), verdicts.timestamps.len());
    }
    for count in [250, 500, 1_000, 2_000] {
        let facts = many::certificates(count);
        let start = Instant::now();
        let verdicts = validate(&facts, &policy, many::now());
        println!("{count:5} certificates {:9.1} ms ({})", millis(start.elapsed()), verdicts.signatures.len());
    }
}

struct Row {
    path: PathBuf,
    read: Duration,
    judged: Duration,
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn collect(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "xml") {
            all.push(path);
        }
    }
}

/// The quickest of a few runs; `None` for other XML.
fn measure(path: &Path, policy: &Policy) -> Option<Row> {
    let bytes = std::fs::read(path).ok()?;
    Facts::from_bytes(&bytes).ok()?;
    let (mut read, mut judged) = (Duration::MAX, Duration::MAX);
    for _ in 0..5 {
        let start = Instant::now();
        let facts = Facts::from_bytes(&bytes).ok()?;
        read = read.min(start.elapsed());
        let start = Instant::now();
        std::hint::black_box(validate(&facts, policy, facts.validation_time.unwrap_or_default()));
        judged = judged.min(start.elapsed());
    }
    Some(Row { path: path.to_owned(), read, judged })
}
