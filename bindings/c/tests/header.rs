//! include/lacre.h is what cbindgen writes of the sources.

use std::fs;
use std::path::Path;

/// `LACRE_WRITE_HEADER=1 cargo test -p lacre-c --test header` writes the header in place of comparing it.
#[test]
fn the_header_is_generated() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let header = package.join("../../include/lacre.h");
    let config = cbindgen::Config::from_file(package.join("cbindgen.toml")).expect("cbindgen.toml can be read");
    let bindings = cbindgen::Builder::new().with_crate(package).with_config(config).generate();
    let mut written = Vec::new();
    bindings.expect("the sources can be read").write(&mut written);
    let written = String::from_utf8(written).expect("cbindgen writes UTF-8");
    if std::env::var_os("LACRE_WRITE_HEADER").is_some() {
        fs::write(&header, &written).expect("include/ can be written");
    }
    let committed = fs::read_to_string(&header).unwrap_or_default();
    let differs = committed.lines().zip(written.lines()).position(|(one, other)| one != other);
    assert!(
        committed == written,
        "include/lacre.h is not what the sources say, from line {}: LACRE_WRITE_HEADER=1 cargo test -p lacre-c --test header",
        differs.unwrap_or(committed.lines().count().min(written.lines().count())) + 1
    );
}
