//! Stored facts: DSS's diagnostic data of the corpus, and our JSON of the same.

use lacre::Facts;
use lacre_testkit::files::files;
use std::path::{Path, PathBuf};

/// DSS's diagnostic data in the corpus, found by their root element.
fn diagnostic_data() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus");
    let mut all: Vec<_> = ["dss", "dss-facts", "dss-demonstrations"]
        .iter()
        .flat_map(|folder| files(&corpus.join(folder), ".xml"))
        .collect();
    all.retain(|path| {
        let bytes = std::fs::read(path).unwrap_or_default();
        String::from_utf8_lossy(&bytes[..bytes.len().min(2000)]).contains("<DiagnosticData")
    });
    all.sort();
    all
}

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn diagnostic_data_and_json_round_trip() {
    let files = diagnostic_data();
    assert!(!files.is_empty(), "target/corpus has no diagnostic data");
    let mut read = 0;
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        let facts = Facts::from_bytes(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let again = Facts::from_bytes(facts.to_json().as_bytes()).unwrap();
        assert!(facts == again, "{} changes on its way through JSON", path.display());
        assert!(facts.validation_time.is_some(), "{}", path.display());
        let text = String::from_utf8(bytes).unwrap();
        for (element, count) in [
            ("<Signature ", facts.signatures.len()),
            ("<Certificate ", facts.certificates.len()),
            ("<Timestamp ", facts.timestamps.len()),
            ("<SignerData ", facts.signed_data.len()),
            ("<TrustedList ", facts.trusted_lists.len()),
        ] {
            assert_eq!(text.matches(element).count(), count, "{}: {element}", path.display());
        }
        read += 1;
    }
    eprintln!("{read} files read");
    assert!(read >= 200, "only {read} files of diagnostic data in the corpus");
}
