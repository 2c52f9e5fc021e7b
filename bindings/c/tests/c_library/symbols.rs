//! What the shared library exports, what it is called, and what a static one needs.

use crate::header::compare;
use crate::tools::{Kind, NM, PKG_CONFIG, READELF, built, folder, pkg_config, prefix, require, root, run, text};
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

#[test]
#[ignore = "needs nm"]
fn exactly_the_symbols_of_the_list_are_exported() {
    require(&[NM]);
    let library = built().join("liblacre_c.so");
    let listed = text(&run(Command::new("nm").args(["-D", "--defined-only"]).arg(library)).stdout);
    let mut symbols: BTreeSet<&str> = listed.lines().filter_map(|line| line.split_whitespace().nth(2)).collect();
    // Debug builds have one more, for the tests.
    assert_eq!(symbols.remove("lacre_debug_panic"), cfg!(debug_assertions));
    compare("include/lacre.symbols", &symbols.iter().map(|symbol| format!("{symbol}\n")).collect::<String>());

    // Each is declared in the header, and the header declares no other.
    let header = fs::read_to_string(root().join("include/lacre.h")).expect("the header is there");
    let word = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    let code = header.lines().filter(|line| !line.trim_start().starts_with('*'));
    let declared: BTreeSet<&str> = code
        .filter_map(|line| line.split_once('(').map(|(before, _)| before.rsplit(word).next().unwrap_or_default()))
        .filter(|name| name.starts_with("lacre_"))
        .collect();
    assert_eq!(declared, symbols);
}

#[test]
#[ignore = "needs readelf"]
fn the_soname_is_that_of_the_minor_version() {
    require(&[READELF]);
    let library = built().join("liblacre_c.so");
    let said = text(&run(Command::new("readelf").arg("-d").arg(library)).stdout);
    let soname = match env!("CARGO_PKG_VERSION_MAJOR") {
        "0" => concat!("[liblacre.so.0.", env!("CARGO_PKG_VERSION_MINOR"), "]").to_owned(),
        major => format!("[liblacre.so.{major}]"),
    };
    assert!(said.lines().any(|line| line.contains("(SONAME)") && line.contains(&soname)), "{said}");
}

#[test]
#[ignore = "needs pkg-config"]
fn pkg_config_names_the_version_and_what_a_static_library_needs() {
    require(&[PKG_CONFIG]);
    let path = prefix(Kind::Shared).join("lib/pkgconfig");
    let mut command = Command::new("pkg-config");
    let version = text(&run(command.env("PKG_CONFIG_PATH", path).args(["--modversion", "lacre"])).stdout);
    assert_eq!(version.trim(), env!("CARGO_PKG_VERSION"));

    // rustc says what a static library of its own needs.
    let folder = folder("native-static-libs");
    let source = folder.join("empty.rs");
    fs::write(&source, "").expect("cargo's folder can be written");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    command.args(["--crate-type", "staticlib", "--print", "native-static-libs", "--out-dir"]).arg(&folder).arg(source);
    let said = text(&run(&mut command).stderr);
    let (_, needed) = said.split_once("native-static-libs: ").expect("rustc says it");
    let needed: Vec<&str> = needed.lines().next().unwrap_or_default().split_whitespace().collect();
    let stated = pkg_config(Kind::Static);
    let stated: Vec<&str> = stated.iter().map(String::as_str).skip_while(|word| *word != "-llacre").skip(1).collect();
    assert_eq!(stated, needed);
}
