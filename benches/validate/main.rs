//! How long validation takes: in-process, as a process, and beside it what others need and the lower bound.
//!
//! `cargo bench --bench validate`; with `--features meter` also the lower bounds. The files are those of the recorded timings of
//! others (`../shared/oracle/timings.tsv`, measured on a machine of the same kind), each with the trust anchors and the time
//! of that record; without them the bench says so and measures the example documents. The lower bound is the digests and
//! signature checks of the same input, done again alone; in *shared* what several signatures cover is digested once, as a
//! validation does; */openssl* is beside what OpenSSL's library needs for the same digests and checks, where it is installed. *ours* is
//! a validator that sees its first document each time; *again* one that has read and verified the certificates and revocation
//! data of this document before: both with one thread. *lent* is *ours* with all cores lent to it.

#[cfg(feature = "meter")]
mod openssl;
#[path = "../recorded/mod.rs"]
mod recorded;

use lacre::{Cache, Document, Policy, Time, Validator};
#[cfg(feature = "meter")]
use lacre_core::crypto::meter;
use recorded::{Anchors, Row, Setting, name, other_time, rows};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

#[cfg(feature = "meter")]
use openssl::OpenSsl;

/// Without the log of the work there is nothing to compare with.
#[cfg(not(feature = "meter"))]
#[derive(Default)]
struct OpenSsl {}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let anchors = Anchors::of(root);
    let only: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let rows: Vec<Row> = rows(root)
        .into_iter()
        .filter(|row| only.is_empty() || only.iter().any(|o| row.file.to_string_lossy().contains(o.as_str())))
        .collect();
    println!(
        "{:>9} {:>9} {:>9} {:>6} {:>7} {:>7} {:>8} {:>7} {:>7} {:>8} {:>8} {:>9} {:>8} {:>8}  file",
        "bytes",
        "ours ms",
        "bound ms",
        "checks",
        "/bound",
        "/shared",
        "/openssl",
        "process",
        "DSS ms",
        "DSS/ours",
        "again ms",
        "DSS/again",
        "lent ms",
        "DSS/lent"
    );
    let mut ratios = vec![];
    let mut openssl = OpenSsl::default();
    let before = speed();
    for row in &rows {
        let Ok(bytes) = std::fs::read(&row.file) else {
            println!("{:>9}  not there: {}", "-", row.file.display());
            continue;
        };
        let Some(Measured { ours, bound, again, lent }) = measure(&bytes, &row.setting, &anchors, &mut openssl) else {
            println!("{:>9}  not read by this version: {}", row.bytes, name(&row.file));
            continue;
        };
        let process = process(row, &anchors);
        let ratio = row.dss.map(|dss| dss / ours);
        let is_first = row.file.extension().is_some_and(|e| ["pdf", "p7m", "p7s"].iter().any(|known| e == *known));
        ratios.extend(row.dss.map(|dss| (is_first, dss / ours, dss / again)));
        println!(
            "{:>9} {ours:>9.3} {:>9} {:>6} {:>7} {:>7} {:>8} {:>7} {:>7} {:>8} {again:>8.3} {:>9} {lent:>8.3} {:>8}  {}",
            row.bytes,
            bound.map_or("-".into(), |b| format!("{:.3}", b.all)),
            bound.map_or("-".into(), |b| b.checks.to_string()),
            bound.map_or("-".into(), |b| format!("{:.2}", ours / b.all)),
            bound.map_or("-".into(), |b| format!("{:.2}", ours / b.shared)),
            bound.and_then(|b| b.openssl).map_or("-".into(), |openssl| format!("{:.2}", ours / openssl)),
            process.map_or("-".into(), |p| format!("{p:.1}")),
            row.dss.map_or("-".into(), |d| format!("{d:.1}")),
            ratio.map_or("-".into(), |r| format!("{r:.0}")),
            row.dss.map_or("-".into(), |dss| format!("{:.0}", dss / again)),
            row.dss.map_or("-".into(), |dss| format!("{:.1}", dss / lent)),
            name(&row.file),
        );
    }
    for (what, of) in [("all", None), ("PDF and CMS", Some(true)), ("other formats", Some(false))] {
        let median = |ratio: fn(&(bool, f64, f64)) -> f64| {
            let mut ratios: Vec<f64> = ratios.iter().filter(|row| of.is_none_or(|of| row.0 == of)).map(ratio).collect();
            ratios.sort_by(f64::total_cmp);
            ratios.get(ratios.len() / 2).map(|median| (*median, ratios.len()))
        };
        if let (Some((ours, files)), Some((again, _))) = (median(|row| row.1), median(|row| row.2)) {
            println!(
                "{what}: in the median over {files} files {ours:.0} times faster than warm EU DSS, again {again:.0} times"
            );
        }
    }
    if let Some((before, after)) = before.zip(speed()) {
        println!(
            "at {before:.2} and {after:.2} times the speed of the machine of the record (openssl speed, before and after)"
        );
    }
    if only.is_empty() || only.iter().any(|only| "Valid200xTstAsics.asics".contains(only.as_str())) {
        large_container(root);
    }
}

/// How fast this machine is now beside the one on which EU DSS was measured, by what its record says of that: 63,600
/// RSA-2048 signatures verified a second, SHA-256 over 1,860 MB a second. The geometric mean; `None` without openssl.
fn speed() -> Option<f64> {
    let last = |arguments: &[&str]| -> Option<f64> {
        let done = Command::new("openssl").args(["speed", "-seconds", "1"]).args(arguments).output().ok()?;
        let said = String::from_utf8(done.stdout).ok()?;
        said.lines().last()?.split_whitespace().last()?.trim_end_matches('k').parse().ok()
    };
    let (rsa, sha256) = (last(&["rsa2048"])?, last(&["-bytes", "1048576", "-evp", "sha256"])?);
    Some((rsa / 63_600.0 * (sha256 / 1_860_000.0)).sqrt())
}

/// Milliseconds for a container with 200 time-stamps, each over the files of all before it, with an executor on all cores.
fn large_container(root: &Path) {
    const FILE: &str = "target/corpus/siva-test/src/test/resources/asics/test/timestamp/Valid200xTstAsics.asics";
    let Ok(bytes) = std::fs::read(root.join(FILE)) else { return };
    let (cache, time) = (Cache::default(), other_time().parse().expect("a valid time"));
    let validator = Validator::new(Policy::eidas()).with_executor(on_all_cores).with_cache(cache.clone());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let document = Document::new(&bytes);
    let validate =
        || _ = std::hint::black_box(validator.validate(&document, time).map(|report| report.to_json().len()));
    let ours = median(|| {
        cache.clear();
        validate();
    });
    let again = median(validate);
    println!("a container with 200 time-stamps, {cores} cores: {ours:.0} ms, again {again:.0} ms");
}

/// Does that many pieces of work, on all cores.
fn on_all_cores(count: usize, piece: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(number) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < count) {
            piece(number);
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(count);
        (1..threads).for_each(|_| _ = scope.spawn(work));
        work();
    });
}

/// Milliseconds in-process, of the first validation, of one more, and of the first with cores that are lent.
struct Measured {
    ours: f64,
    bound: Option<Bound>,
    again: f64,
    lent: f64,
}

/// Milliseconds of the digests and signature checks alone, and how many checks these are.
#[derive(Clone, Copy)]
struct Bound {
    all: f64,
    shared: f64,
    /// The same digests and checks by OpenSSL.
    openssl: Option<f64>,
    checks: usize,
}

/// Measures the lower bounds of some work, which is done once; `None` without the feature `meter`.
#[cfg(feature = "meter")]
fn lower_bound(work: impl FnOnce(), other: &mut OpenSsl) -> Option<Bound> {
    meter::start();
    work();
    let log = meter::stop();
    let openssl = other.milliseconds(&log);
    let (checks, work) = (log.checks(), log.work());
    let [all, shared] = [median(|| work.replay()), median(|| work.replay_shared())].map(|bound| bound.max(0.000_1));
    Some(Bound { all, shared, openssl, checks })
}

#[cfg(not(feature = "meter"))]
fn lower_bound(_: impl FnOnce(), _: &mut OpenSsl) -> Option<Bound> {
    None
}

/// `None` for a file that is refused.
fn measure(bytes: &[u8], setting: &Setting, anchors: &Anchors, openssl: &mut OpenSsl) -> Option<Measured> {
    let cache = Cache::default();
    let mut validator = Validator::new(Policy::eidas()).with_cache(cache.clone());
    for (_, anchor) in anchors.of_setting(setting) {
        validator = validator.trust_anchor(&anchor).expect("an anchor is a certificate");
    }
    let time: Time = setting.time.parse().expect("a valid time");
    let validate = || validator.validate(&Document::new(bytes), time).ok().map(|report| report.to_json().len());
    validate()?;
    cache.clear();
    let bound = lower_bound(|| _ = validate(), openssl);
    let ours = median(|| {
        cache.clear();
        _ = std::hint::black_box(validate());
    });
    let again = median(|| _ = std::hint::black_box(validate()));
    let helped = validator.clone().with_executor(on_all_cores);
    let lent = median(|| {
        cache.clear();
        _ = std::hint::black_box(helped.validate(&Document::new(bytes), time).map(|report| report.to_json().len()));
    });
    Some(Measured { ours, bound, again, lent })
}

/// The median in milliseconds, by the clock, of enough runs to fill half a second, at least seven, after one that does not
/// count: so EU DSS was measured.
fn median(mut work: impl FnMut()) -> f64 {
    work();
    let mut times: Vec<Duration> = vec![];
    let begun = Instant::now();
    while times.len() < 7 || (begun.elapsed() < Duration::from_millis(500) && times.len() < 4000) {
        let start = Instant::now();
        work();
        times.push(start.elapsed());
    }
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1000.0
}

/// Milliseconds of the whole command, where it was built.
fn process(row: &Row, anchors: &Anchors) -> Option<f64> {
    let command = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/dist/lacre");
    command.exists().then(|| {
        median(|| {
            let mut run = Command::new(&command);
            run.args(["validate", "--format", "json", "--at", &row.setting.time]).arg(&row.file);
            anchors.of_setting(&row.setting).for_each(|(path, _)| _ = run.arg("--trust-anchor").arg(path));
            std::hint::black_box(run.output().map(|o| o.status.code()).ok());
        })
    })
}
