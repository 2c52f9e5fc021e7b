//! Changes signed documents so that something else is seen, and asks whether lacre says so.
//!
//! fuzz/README.md says how it is run, and what counts as seen.

mod case;
mod container;
mod json;

mod message;
mod original;
mod paper;
mod random;
mod seen;
mod text;

use case::{Case, Failure, Judge, Wrong};
use lacre_testkit::lab::{Answer, Lab};
use original::Original;
use seen::{Readers, Seen};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const USAGE: &str = "semantic [--seconds N] [--cases N] [--seed N] [--jobs N] [--out FOLDER] [--list] [--measure]

  --seconds N   runs for so long (default 60, none where --cases is given)
  --cases N     tries so many cases
  --seed N      begins with that one (default 1): each case is made from its number alone
  --jobs N      cases side by side (default 2)
  --out FOLDER  where failures are written: the file, what is wrong with it (default target/semantic)
  --list        what is done in each case, and nothing else
  --measure     of each change: how often it was made, how often anything else was seen, and what was said then

Exit status: 0 nothing found, 1 failures, 2 it could not be run.";

struct Options {
    seconds: Option<u64>,
    cases: Option<u64>,
    seed: u64,
    jobs: usize,
    out: PathBuf,
    list: bool,
    measure: bool,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        seconds: None,
        cases: None,
        seed: 1,
        jobs: 2,
        out: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/semantic"),
        list: false,
        measure: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || {
            let text = words.next().ok_or(format!("{word} takes a number"))?;
            text.parse::<u64>().map_err(|_| format!("{word}: {text} is no number"))
        };
        match word.as_str() {
            "--seconds" => options.seconds = Some(number()?),
            "--cases" => options.cases = Some(number()?),
            "--seed" => options.seed = number()?,
            "--jobs" => options.jobs = number()?.clamp(1, 64) as usize,
            "--out" => options.out = words.next().ok_or("--out takes a folder")?.into(),
            "--list" => options.list = true,
            "--measure" => options.measure = true,
            _ => return Err(USAGE.into()),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    match options().and_then(|options| run(&options)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

/// How often a change was made, and what became of it.
#[derive(Default)]
struct Tally {
    made: usize,
    /// Something else was seen.
    differing: usize,
    /// Of those: refused; passed with a finding; passed in silence.
    refused: usize,
    said: usize,
    silent: usize,
    /// Nothing else was seen, and it did not pass.
    strict: usize,
}

/// What was found so far.
#[derive(Default)]
struct Found {
    /// By what was done and said: how often, and the first seeds.
    kinds: BTreeMap<(Wrong, String), (usize, Vec<u64>)>,
    made: usize,
    /// By change: what became of it.
    measured: BTreeMap<String, Tally>,
}

/// How many failures of a kind are written.
const KEPT: usize = 2;

fn run(options: &Options) -> Result<usize, String> {
    let missing = seen::missing();
    if !missing.is_empty() {
        return Err(format!("programs that look at documents are missing; install {}", missing.join(" ")));
    }
    let mut lab = Lab::new();
    let mut originals = original::all(&lab);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/documents");
    if let Some((example, root)) = original::example(&examples) {
        originals.push(example);
        lab.anchors = vec![root];
    }
    if options.list {
        for seed in options.seed..options.seed + options.cases.unwrap_or(100) {
            let case = Case::of(seed, &originals);
            println!("{seed}\t{}\t{}", originals[case.original].name, case.describe(&originals));
        }
        return Ok(0);
    }
    fs::create_dir_all(&options.out).map_err(|error| format!("{}: {error}", options.out.display()))?;
    let temporary = std::env::temp_dir().join(format!("lacre-semantic-{}", std::process::id()));
    let readers = |job: usize| Readers::new(&temporary.join(job.to_string())).map_err(|error| error.to_string());
    let (answers, sights) = starting_points(&lab, &originals, &readers(0)?)?;
    let limit = match (options.seconds, options.cases) {
        (None, Some(_)) => None,
        (seconds, _) => Some(Duration::from_secs(seconds.unwrap_or(60))),
    };
    let (start, next, found) = (Instant::now(), AtomicU64::new(0), Mutex::new(Found::default()));
    let failed = std::thread::scope(|scope| -> Result<(), String> {
        for job in 0..options.jobs {
            let judge =
                Judge { lab: &lab, originals: &originals, answers: &answers, sights: &sights, readers: readers(job)? };
            let (next, found) = (&next, &found);
            scope.spawn(move || {
                while limit.is_none_or(|limit| start.elapsed() < limit) {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if options.cases.is_some_and(|cases| at >= cases) {
                        return;
                    }
                    one(&judge, options.seed + at, options, found);
                }
            });
        }
        Ok(())
    });
    drop(fs::remove_dir_all(&temporary));
    failed?;
    let found = found.into_inner().map_err(|_| "a case ended in a panic: its seed stands above".to_owned())?;
    Ok(summary(&found, options, start.elapsed()))
}

/// What is said and seen of the originals.
fn starting_points(lab: &Lab, originals: &[Original], readers: &Readers) -> Result<(Vec<Answer>, Vec<Seen>), String> {
    let mut answers = vec![];
    let mut sights = vec![];
    for original in originals {
        let bytes = original.bytes();
        let answer = lab.answer(&bytes, &original.file(), &original.contents);
        if !answer.passed() && !original.is_doubtful() {
            return Err(format!("{} is not TOTAL-PASSED before it is changed: {}", original.name, answer.line()));
        }
        answers.push(answer);
        sights.push(readers.look(&bytes, &original.contents));
    }
    Ok((answers, sights))
}

/// Tries one case.
fn one(judge: &Judge<'_>, seed: u64, options: &Options, found: &Mutex<Found>) {
    let case = Case::of(seed, judge.originals);
    let judged = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        if options.measure {
            measure(judge, &case.single(), found);
            return None;
        }
        judge.judge(&case).map(|failure| judge.smallest(failure))
    }));
    let Ok(mut found) = found.lock() else { return };
    found.made += 1;
    if !options.measure {
        case.names(judge.originals).into_iter().for_each(|name| found.measured.entry(name).or_default().made += 1);
    }
    match judged {
        Ok(None) => {}
        Ok(Some(failure)) => {
            let key = (failure.wrong, kind(judge, &failure));
            let entry = found.kinds.entry(key.clone()).or_default();
            entry.0 += 1;
            if entry.1.len() < KEPT {
                entry.1.push(seed);
                write(judge, seed, &failure, &key.1, &options.out);
            }
        }
        Err(_) => {
            eprintln!("seed {seed}: panicked at {}", case.describe(judge.originals));
            found.kinds.entry((Wrong::Unsaid, format!("panic: {}", case.describe(judge.originals)))).or_default().0 +=
                1;
        }
    }
}

/// Counts what becomes of a case, whatever is right.
fn measure(judge: &Judge<'_>, case: &Case, found: &Mutex<Found>) {
    let Some(outcome) = judge.outcome(case) else { return };
    let Ok(mut found) = found.lock() else { return };
    for name in case.names(judge.originals) {
        let tally = found.measured.entry(name).or_default();
        tally.made += 1;
        let cell = match (outcome.differs, outcome.passes, outcome.says) {
            (false, true, _) => continue,
            (false, false, _) => &mut tally.strict,
            (true, false, _) => &mut tally.refused,
            (true, true, true) => &mut tally.said,
            (true, true, false) => &mut tally.silent,
        };
        *cell += 1;
        tally.differing += usize::from(outcome.differs);
    }
}

/// What failures of one kind have in common.
fn kind(judge: &Judge<'_>, failure: &Failure) -> String {
    let original = &judge.originals[failure.case.original].name;
    let matter = original.split(':').next().unwrap_or_default();
    let findings = failure.answer.about.join(",");
    let scope = failure.answer.scopes.join("+");
    let end = match failure.wrong {
        Wrong::Unsaid => format!("{scope} [{findings}]"),
        Wrong::Refused => failure.answer.line(),
    };
    format!("{matter}: {} => {end}", failure.case.describe(judge.originals))
}

/// Writes the file, and what is wrong with it.
fn write(judge: &Judge<'_>, seed: u64, failure: &Failure, kind: &str, out: &Path) {
    let original = &judge.originals[failure.case.original];
    let whole = Case::of(seed, judge.originals);
    println!("seed {seed}: {:?}: {kind}; seen by {}", failure.wrong, failure.readers.join(", "));
    let folder = out.join(format!("{seed}"));
    let lines = [
        format!("seed      {seed}: semantic --seed {seed} --cases 1"),
        format!("wrong     {:?}", failure.wrong),
        format!("original  {}", original.name),
        format!("changes   {}", failure.case.describe(judge.originals)),
        format!("of        {}", whole.describe(judge.originals)),
        format!("lacre     {}", failure.answer.line()),
        format!("seen by   {}", failure.readers.join(", ")),
        format!("repeat    lacre validate {} --trust-anchor root.der --at {}", original.file(), lacre_testkit::lab::AT),
    ];
    let written = fs::create_dir_all(&folder).and_then(|()| {
        fs::write(folder.join(original.file()), &failure.mutant.bytes)?;
        fs::write(folder.join("root.der"), &judge.lab.root.certificate)?;
        fs::write(folder.join("before"), original.bytes())?;
        for (at, (name, content)) in failure.mutant.contents.iter().enumerate() {
            fs::write(folder.join(format!("content-{at}-{name}")), content)?;
        }
        fs::write(folder.join("what.txt"), lines.join("\n") + "\n")
    });
    if let Err(error) = written {
        eprintln!("{}: {error}", folder.display());
    }
}

/// Writes how often each change was made, and what became of it where that was measured.
fn write_tally(found: &Found, options: &Options) {
    let mut lines = vec!["made\tseen\trefused\tsaid\tsilent\tstrict\tchange".to_owned()];
    for (what, tally) in &found.measured {
        let Tally { made, differing, refused, said, silent, strict } = tally;
        lines.push(format!("{made}\t{differing}\t{refused}\t{said}\t{silent}\t{strict}\t{what}"));
    }
    let text = lines.join("\n") + "\n";
    if options.measure {
        print!("{text}");
    }
    let path = options.out.join("cases.tsv");
    if let Err(error) = fs::write(&path, text) {
        eprintln!("{}: {error}", path.display());
    }
}

/// Prints the kinds of failures, the most frequent first; how many there are.
fn summary(found: &Found, options: &Options, took: Duration) -> usize {
    write_tally(found, options);
    let mut kinds: Vec<_> = found.kinds.iter().collect();
    kinds.sort_by_key(|(key, (count, _))| (key.0, usize::MAX - count));
    println!("\n{} cases in {} s", found.made, took.as_secs());
    for ((wrong, kind), (count, seeds)) in &kinds {
        let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
        println!("{count}\t{wrong:?}\t{kind}\tseeds {}", seeds.join(", "));
    }
    let unsaid = kinds.iter().filter(|(key, _)| key.0 == Wrong::Unsaid).count();
    println!("{unsaid} kinds of unsaid changes, {} of harmless ones refused", kinds.len() - unsaid);
    kinds.len()
}
