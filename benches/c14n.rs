//! Milliseconds that canonicalising a trusted list takes, here and in libxml2.
//!
//! `cargo bench --bench c14n [-- FILE…]`; without files the Italian trusted list of the corpus. Ours is measured in this
//! process: the document is parsed once, and its canonical form written into memory again and again. libxml2 is measured
//! as `xmllint --c14n` (or `--exc-c14n`) less `xmllint --noout`, which parses as well and writes nothing: what remains is
//! making the canonical form in memory and writing it to `/dev/null`. The least of many runs counts in each case, because
//! a difference of two means would carry the noise of both. Both forms have to be the same bytes.

use lacre_core::formats::xml::{Algorithm, Canonicalization, NodeSet, Options, canonicalize, decode, parse};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs of which the least counts.
const RUNS: usize = 25;

fn main() {
    let list = "target/corpus/dss/dss-tsl-validation/src/test/resources/lotlCache/IT.xml";
    let mut files: Vec<PathBuf> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).map(PathBuf::from).collect();
    if files.is_empty() {
        files.push(Path::new(env!("CARGO_MANIFEST_DIR")).join(list));
    }
    for file in files {
        let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        measure(&file, &bytes);
    }
}

fn measure(file: &Path, bytes: &[u8]) {
    let read = || decode(bytes).expect("text");
    let text = read();
    let options = Options::default();
    let tree = parse(&text, &options).expect("XML");
    let parsed = least(|| _ = std::hint::black_box(parse(&read(), &options)));
    println!("{} ({} bytes), parsed in {:.2} ms", file.display(), bytes.len(), millis(parsed));
    let noout = xmllint(file, "--noout");
    // What xmllint writes has the comments.
    for (name, argument, algorithm) in
        [("inclusive", "--c14n", Algorithm::Inclusive10), ("exclusive", "--exc-c14n", Algorithm::Exclusive)]
    {
        let method = Canonicalization { comments: true, ..Canonicalization::new(algorithm) };
        let set = NodeSet::subtree(&tree, tree.root(), true);
        let mut out = vec![];
        let ours = least(|| {
            out.clear();
            assert!(canonicalize(&tree, &set, &method, &mut out));
        });
        let rate = out.len() as f64 / 1e6 / ours.as_secs_f64();
        let Some((noout, (theirs, form))) = noout.as_ref().zip(xmllint(file, argument)) else {
            println!("    {name}: ours {:.2} ms ({rate:.0} MB/s); xmllint is not there", millis(ours));
            continue;
        };
        assert!(form == out, "{name}: libxml2 has other bytes");
        let theirs = theirs.saturating_sub(noout.0);
        println!(
            "    {name}: ours {:.2} ms ({rate:.0} MB/s), libxml2 {:.2} ms: {:.1} times as fast",
            millis(ours),
            millis(theirs),
            theirs.as_secs_f64() / ours.as_secs_f64()
        );
    }
}

/// The least time of `xmllint` with this argument, and what it writes; `None` where it is not there.
fn xmllint(file: &Path, argument: &str) -> Option<(Duration, Vec<u8>)> {
    let command = |output: Stdio| {
        let mut command = Command::new("xmllint");
        command.args(["--huge", argument]).arg(file).stdout(output).stderr(Stdio::null());
        command
    };
    let written = command(Stdio::piped()).output().ok().filter(|output| output.status.success())?.stdout;
    let time = least(|| _ = command(Stdio::null()).status());
    Some((time, written))
}

fn least(mut work: impl FnMut()) -> Duration {
    let time = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..RUNS).map(|_| time(&mut work)).min().unwrap_or_default()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
