//! Gives the shared library its soname: one per minor version as long as the major one is 0.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let of = |name: &str| env::var(name).unwrap_or_default();
    let (major, minor) = (of("CARGO_PKG_VERSION_MAJOR"), of("CARGO_PKG_VERSION_MINOR"));
    let abi = if major == "0" { format!("0.{minor}") } else { major };
    match of("CARGO_CFG_TARGET_OS").as_str() {
        "macos" | "ios" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/liblacre.{abi}.dylib");
        }
        "windows" => {}
        _ => println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,liblacre.so.{abi}"),
    }
    println!("cargo::rustc-env=LACRE_C_TARGET={}", of("TARGET"));
    println!("cargo::rustc-env=LACRE_C_PROFILE={}", of("PROFILE"));
}
