//! include/lacre.h is what cbindgen writes of the sources, and doxygen has nothing to say against it.

use crate::tools::{DOXYGEN, folder, require, root, run, said};
use std::fs;
use std::path::Path;
use std::process::Command;

/// `LACRE_WRITE=1 cargo test -p lacre-c header` writes the header in place of comparing it.
#[test]
fn the_header_is_generated() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(package.join("cbindgen.toml")).expect("cbindgen.toml can be read");
    let bindings = cbindgen::Builder::new().with_crate(package).with_config(config).generate();
    let mut written = Vec::new();
    bindings.expect("the sources can be read").write(&mut written);
    compare("include/lacre.h", &String::from_utf8(written).expect("cbindgen writes UTF-8"));
}

/// Holds a generated file of the project to what it should be; `LACRE_WRITE=1` writes it instead.
pub fn compare(file: &str, expected: &str) {
    let path = root().join(file);
    if std::env::var_os("LACRE_WRITE").is_some() {
        fs::write(&path, expected).expect("the project can be written");
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    let same = committed.lines().zip(expected.lines()).take_while(|(one, other)| one == other).count();
    assert!(
        committed == expected,
        "{file} is not what the sources say, from line {}: `{}`, expected `{}`; LACRE_WRITE=1 cargo test -p lacre-c writes it",
        same + 1,
        committed.lines().nth(same).unwrap_or_default(),
        expected.lines().nth(same).unwrap_or_default(),
    );
}

#[test]
#[ignore = "needs doxygen"]
fn doxygen_has_nothing_against_it() {
    require(&[DOXYGEN]);
    // The methods of lacre.hpp say in their names which functions of lacre.h they call.
    for (header, undocumented) in [("lacre.h", "YES"), ("lacre.hpp", "NO")] {
        let folder = folder(&format!("doxygen-{header}"));
        let settings = format!(
            "PROJECT_NAME=lacre\nINPUT={}\nOUTPUT_DIRECTORY={}\nGENERATE_LATEX=NO\nQUIET=YES\nHAVE_DOT=NO\n\
             WARN_AS_ERROR=FAIL_ON_WARNINGS\nWARN_IF_UNDOCUMENTED={undocumented}\nJAVADOC_AUTOBRIEF=YES\n\
             MACRO_EXPANSION=YES\nPREDEFINED=__cplusplus=201703L\n",
            root().join("include").join(header).display(),
            folder.display()
        );
        let file = folder.join("Doxyfile");
        fs::write(&file, settings).expect("cargo's folder can be written");
        let done = run(Command::new("doxygen").arg(&file));
        assert!(!said(&done).contains("warning:"), "{}", said(&done));
    }
}
