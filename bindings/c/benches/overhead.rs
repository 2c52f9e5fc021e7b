//! How many instructions a call through C takes, beside the same call in Rust: on the smallest example, with the
//! library as `install.sh` installs it, counted by callgrind. Fails above 2 % more.
//!
//! `cargo bench -p lacre-c`

use lacre::{Document, Policy, Report, Time, Validator};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The most that C may cost.
const MOST: f64 = 1.02;
const TIMES: &str = "5";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, how, file] = &arguments[..]
        && how == "--rust"
    {
        return in_rust(Path::new(file));
    }
    let tools = [("valgrind", "valgrind"), ("gcc", "gcc")];
    for (tool, package) in tools {
        let there = Command::new(tool).arg("--version").output().is_ok();
        assert!(there, "{tool} is missing (package {package})");
    }
    let file = smallest();
    let here = std::env::current_exe().expect("a program knows where it is");
    let prefix = Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/overhead"));
    let rust = counted("overhead_in_rust", &here, &["--rust", &file.display().to_string()]);
    let c = counted("lacre_validate", &in_c(prefix), &[&file.display().to_string(), TIMES]);
    let ratio = c as f64 / rust as f64;
    println!("{}: {rust} instructions in Rust, {c} through C, {ratio:.4} times as many", file.display());
    assert!(ratio <= MOST, "a call through C takes {ratio:.4} times the instructions, at most {MOST} are allowed");
}

/// Returns the smallest of the examples that can be read.
fn smallest() -> PathBuf {
    let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/documents");
    let names = ["contract.pdf", "revoked.pdf", "not-signed.pdf", "letter.txt.p7s"];
    let size = |path: &PathBuf| path.metadata().map_or(u64::MAX, |file| file.len());
    names.map(|name| documents.join(name)).into_iter().min_by_key(size).expect("there are some")
}

fn in_rust(file: &Path) {
    let bytes = std::fs::read(file).expect("the example is there");
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let (validator, document) = (Validator::new(Policy::eidas()), Document::new(&bytes).named(name));
    for _ in 0..TIMES.parse().unwrap_or(1) {
        std::hint::black_box(overhead_in_rust(&validator, &document));
    }
}

/// Validates a document: what callgrind counts.
#[unsafe(no_mangle)]
#[inline(never)]
fn overhead_in_rust(validator: &Validator, document: &Document<'_>) -> Option<Report> {
    validator.validate(document, Time::from_millis(1_800_000_000_000)).ok()
}

/// Installs the library as for users, and compiles the same in C with it.
fn in_c(prefix: &Path) -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut install = Command::new("bash");
    install.arg(package.join("install.sh")).args(["--only", "shared", "--prefix"]).arg(prefix);
    assert!(install.status().is_ok_and(|done| done.success()), "{install:?}");
    let to = prefix.join("overhead");
    let mut compile = Command::new("gcc");
    compile.args(["-std=c11", "-O2"]).arg("-I").arg(prefix.join("include")).arg(package.join("tests/c/overhead.c"));
    compile.arg("-L").arg(prefix.join("lib")).args(["-llacre", "-o"]).arg(&to);
    assert!(compile.status().is_ok_and(|done| done.success()), "{compile:?}");
    to
}

/// Counts the instructions inside a function.
fn counted(function: &str, program: &Path, arguments: &[&str]) -> u64 {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(format!("--toggle-collect={function}"));
    // Symbols are looked up before, not in the first call.
    command.arg(program).args(arguments).env("LD_BIND_NOW", "1");
    command.env("LD_LIBRARY_PATH", program.with_file_name("lib"));
    let done = command.output().expect("valgrind runs");
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{said}");
    let line = said.lines().find_map(|line| line.split_once("Collected :")).expect("callgrind says it");
    let counted = line.1.trim().parse().expect("it is a number");
    assert!(counted > 10_000, "callgrind did not see {function}: {said}");
    counted
}
