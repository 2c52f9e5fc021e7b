//! Compilers and watchers, the library that was built, and the prefix where it is installed.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, OnceLock};

/// Panics where one of these tools is missing, each with the Debian package that has it.
pub fn require(needed: &[(&str, &str)]) {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let there = |name: &str| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
    let missing: Vec<_> = needed.iter().filter(|(name, _)| !there(name)).collect();
    assert!(missing.is_empty(), "tools are missing (name, package): {missing:?}");
}

pub const GCC: (&str, &str) = ("gcc", "gcc");
pub const GXX: (&str, &str) = ("g++", "g++");
pub const PKG_CONFIG: (&str, &str) = ("pkg-config", "pkg-config");
pub const CMAKE: (&str, &str) = ("cmake", "cmake");
pub const VALGRIND: (&str, &str) = ("valgrind", "valgrind");
pub const NM: (&str, &str) = ("nm", "binutils");
pub const READELF: (&str, &str) = ("readelf", "binutils");
pub const DOXYGEN: (&str, &str) = ("doxygen", "doxygen");

/// The root of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project is there")
}

/// Where cargo put the libraries that it built for these tests: beside them.
pub fn built() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    test.parent().expect("it is in a folder").to_owned()
}

/// A folder of its own for a test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c").join(name);
    fs::create_dir_all(&folder).expect("cargo's folder can be written");
    folder
}

/// Which libraries a prefix has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Both: linking takes the shared one.
    Shared,
    /// The static one alone.
    Static,
}

/// Where the library is installed; done once.
pub fn prefix(kind: Kind) -> &'static Path {
    static PREFIXES: [OnceLock<PathBuf>; 2] = [OnceLock::new(), OnceLock::new()];
    let (place, name) = match kind {
        Kind::Shared => (&PREFIXES[0], "prefix"),
        Kind::Static => (&PREFIXES[1], "prefix-static"),
    };
    place.get_or_init(|| {
        let prefix = folder(name);
        let mut install = Command::new("bash");
        install.arg(root().join("bindings/c/install.sh")).arg("--prefix").arg(&prefix).arg("--from").arg(built());
        if kind == Kind::Static {
            install.args(["--only", "static"]);
        }
        run(&mut install);
        // The same bytes under another name take no place.
        let library = prefix.join("lib/liblacre.a");
        let _ = fs::remove_file(&library);
        fs::hard_link(built().join("liblacre_c.a"), library).expect("both are in cargo's folder");
        prefix
    })
}

/// Runs a program that must end well.
pub fn run(command: &mut Command) -> Output {
    let done = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(done.status.success(), "{command:?}: {}\n{}", done.status, said(&done));
    done
}

/// All that a program said.
pub fn said(done: &Output) -> String {
    format!("{}{}", text(&done.stdout), text(&done.stderr))
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What pkg-config says of the installed library.
pub fn pkg_config(kind: Kind) -> Vec<String> {
    let mut command = Command::new("pkg-config");
    command.env("PKG_CONFIG_PATH", prefix(kind).join("lib/pkgconfig")).args(["--cflags", "--libs"]);
    if kind == Kind::Static {
        command.arg("--static");
    }
    let said = text(&run(command.arg("lacre")).stdout);
    said.split_whitespace().map(str::to_owned).collect()
}

/// Compiles a program with warnings as errors, links it, and says where it is.
pub fn compile(compiler: &str, standard: &str, kind: Kind, more: &[&str], source: &Path, name: &str) -> PathBuf {
    let to = folder("programs").join(name);
    let mut command = Command::new(compiler);
    command.arg(format!("-std={standard}")).args(["-O1", "-g", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]).args(more);
    command.arg(source).arg("-o").arg(&to).args(pkg_config(kind));
    run(&mut command);
    to
}

/// A program that finds the shared library where it is installed.
pub fn program(path: &Path) -> Command {
    let mut command = Command::new(path);
    command.env("LD_LIBRARY_PATH", prefix(Kind::Shared).join("lib"));
    command
}

/// The same under valgrind: an error that it sees is exit status 99.
pub fn watched<A: AsRef<OsStr>>(path: &Path, arguments: &[A]) -> Output {
    // Two at once are slower than one after the other, and want twice the memory.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut command = program(Path::new("valgrind"));
    // What is still reachable at the end are tables of constants, calculated when they are first needed.
    command.args([
        "-q",
        "--error-exitcode=99",
        "--leak-check=full",
        "--errors-for-leak-kinds=definite,indirect,possible",
    ]);
    let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/valgrind.supp");
    command.arg(format!("--suppressions={}", known.display()));
    command.arg(path).args(arguments);
    command.output().expect("valgrind runs")
}
