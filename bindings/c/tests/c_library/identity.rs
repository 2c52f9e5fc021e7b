//! The same bytes from C as from the command.

use crate::examples::test_program;
use crate::tools::{GCC, PKG_CONFIG, folder, program, require, root, run, said};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const DATE: &str = "2026-06-01T00:00:00Z";
const FORMS: [(&str, &str); 3] = [("json", "json"), ("etsi", "xml"), ("pdf", "pdf")];

/// What `--bundle` writes beside a report.
const BUNDLE: (&str, &str) = ("bundle", "zip");

/// Bundles are compared for every third document.
fn bundled(number: usize) -> bool {
    number.is_multiple_of(3)
}

/// A document, and the contents that it lacks.
struct Job {
    file: PathBuf,
    contents: Vec<PathBuf>,
}

/// So many files of the corpus, evenly over its list: `LACRE_C_FILES`, 12 where nothing is said.
fn jobs() -> Vec<Job> {
    let corpus = root().join("target/corpus");
    let list = fs::read_to_string(corpus.join("manifest.tsv")).expect("target/corpus is unpacked");
    let wanted = std::env::var("LACRE_C_FILES").ok().and_then(|number| number.parse().ok()).unwrap_or(12_usize);
    let kinds = ["pades", "cades", "xades", "jades", "asic", "evidence-record", "pdf-signed", "xmldsig"];
    let rows: Vec<Vec<&str>> = list.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let signed: Vec<&Vec<&str>> =
        rows.iter().filter(|row| row.get(1).is_some_and(|kind| kinds.iter().any(|k| kind.starts_with(k)))).collect();
    let step = (signed.len() / wanted.max(1)).max(1);
    let job = |row: &&Vec<&str>| Job {
        file: corpus.join(row[0]),
        contents: row
            .get(4)
            .into_iter()
            .flat_map(|names| names.split(';'))
            .filter(|name| !name.is_empty())
            .map(|name| corpus.join(name))
            .filter(|path| path.is_file())
            .collect(),
    };
    signed.iter().step_by(step).take(wanted).map(job).filter(|job| job.file.is_file()).collect()
}

/// The command of these sources: the one that a test of the whole workspace has built, else built here, which takes as
/// long as the library does.
fn command() -> PathBuf {
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let command = target.join(profile).join("lacre");
    if !is_fresh(&command) {
        let mut build = Command::new(env!("CARGO"));
        build.current_dir(root()).args(["build", "--quiet", "--workspace", "--bin", "lacre"]);
        if profile == "release" {
            build.arg("--release");
        }
        run(&mut build);
    }
    command
}

/// Whether a program is newer than every file of the sources that it is made of.
fn is_fresh(program: &Path) -> bool {
    const SOURCES: [&str; 8] = [
        "src",
        "bindings/cli/src",
        "bindings/cli/Cargo.toml",
        "bindings/fetch",
        "bindings/keys",
        "bindings/map",
        "Cargo.toml",
        "Cargo.lock",
    ];
    let written = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    let Some(built) = written(program) else { return false };
    let mut paths: Vec<PathBuf> = SOURCES.iter().map(|path| root().join(path)).collect();
    while let Some(path) = paths.pop() {
        match fs::read_dir(&path) {
            Ok(entries) => paths.extend(entries.flatten().map(|entry| entry.path())),
            Err(_) if written(&path).is_some_and(|changed| changed <= built) => {}
            Err(_) => return false,
        }
    }
    true
}

#[test]
#[ignore = "needs gcc and pkg-config, and target/corpus"]
fn reports_are_those_of_the_command() {
    require(&[GCC, PKG_CONFIG]);
    let (lacre, write) = (command(), test_program("write", &[], "write"));
    let (folder, anchor) = (folder("identity"), root().join("examples/documents/root.der"));
    let jobs = jobs();
    let mut lines = String::new();
    for (number, job) in jobs.iter().enumerate() {
        let to = folder.join(number.to_string());
        for (_, ending) in FORMS.iter().chain(&[BUNDLE]) {
            let _ = fs::remove_file(to.with_extension(ending));
        }
        lines += &format!("{}\t{}\t{DATE}\ta:{}", to.display(), job.file.display(), anchor.display());
        for content in &job.contents {
            lines += &format!("\tc:{}", content.display());
        }
        if bundled(number) {
            lines += "\tb:";
        }
        lines.push('\n');
    }
    let mut child = program(&write);
    child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().expect("it was compiled");
    child.stdin.take().expect("it is piped").write_all(lines.as_bytes()).expect("it reads to the end");
    let done = child.wait_with_output().expect("it ends");
    assert!(done.status.success(), "{}", said(&done));

    let mut compared = 0;
    for (number, job) in jobs.iter().enumerate() {
        for (format, ending) in FORMS {
            let name = folder.join(format!("{number}.{ending}"));
            let other = folder.join(format!("{number}.command.{ending}"));
            let _ = fs::remove_file(&other);
            let mut validate = Command::new(&lacre);
            validate.arg("validate").arg(&job.file).args(["--at", DATE, "--format", format]);
            validate.arg("--trust-anchor").arg(&anchor).arg("-o").arg(&other);
            for content in &job.contents {
                validate.arg("--content").arg(content);
            }
            let bundle = folder.join(format!("{number}.command.{}", BUNDLE.1));
            let bundles = format == "json" && bundled(number);
            if bundles {
                let _ = fs::remove_file(&bundle);
                validate.arg("--bundle").arg(&bundle);
            }
            let done = validate.output().expect("the command was built");
            if bundles {
                let same = fs::read(&bundle).ok() == fs::read(folder.join(format!("{number}.{}", BUNDLE.1))).ok();
                assert!(same, "the bundle of {}: {}", job.file.display(), said(&done));
            }
            let refused = done.status.code() == Some(5);
            let (from_c, from_command) = (fs::read(&name).ok(), fs::read(&other).ok().filter(|_| !refused));
            // The command ends a line of JSON.
            let from_command = from_command.map(|mut bytes| {
                if format == "json" && bytes.last() == Some(&b'\n') {
                    bytes.pop();
                }
                bytes
            });
            assert!(from_c == from_command, "{} as {format}: {}", job.file.display(), said(&done));
            compared += usize::from(from_c.is_some());
        }
    }
    assert!(compared > 0, "no report was compared");
    println!("identity with the command: {compared} reports on {} files are the same", jobs.len());
}
