//! Evidence bundles: written, read, replayed; over the example documents and a sample of the corpus.

use lacre::{
    Bundle, Document, Policy, Report, Time, Validator,
    bundle::BundleError,
    report::{Indication, Language},
};
use lacre_testkit::files::{corpus, manifest};
use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn example(name: &str) -> Vec<u8> {
    std::fs::read(root().join("examples/documents").join(name)).expect("an example")
}

fn validator() -> Validator {
    Validator::new(Policy::eidas()).trust_anchor(&example("root.der")).expect("a certificate")
}

fn time(text: &str) -> Time {
    text.parse().expect("a time")
}

fn contract() -> (Report, Bundle) {
    let bytes = example("contract.pdf");
    let document = Document::new(&bytes).named("contract.pdf");
    let bundle = Bundle::record(&validator(), &document, time("2027-01-01T00:00:00Z"), Language::Estonian);
    bundle.expect("the example is readable")
}

/// Bundled, written, read, and replayed without and with the document.
fn round_trip(validator: &Validator, document: &Document<'_>, at: Time) -> Result<(), String> {
    let plain = validator.validate(document, at).map_err(|e| e.to_string())?;
    let (report, bundle) = Bundle::record(validator, document, at, Language::English).map_err(|e| e.to_string())?;
    assert_eq!(plain.to_json(), report.to_json(), "a bundle changes nothing in the report");
    assert_eq!(plain.to_etsi_xml(), report.to_etsi_xml());
    let zip = bundle.to_zip();
    let read = Bundle::from_zip(&zip).map_err(|e| format!("{e}: {e:?}"))?;
    assert_eq!(read, bundle);
    for replay in [read.replay(), read.replay_with(document)] {
        let replay = replay.map_err(|e| format!("{e}: {e:?}"))?;
        let told: Vec<String> = replay.differences.iter().map(ToString::to_string).collect();
        assert_eq!(told, Vec::<String>::new());
        assert_eq!(replay.report.to_json(), report.to_json());
        assert_eq!(replay.report.to_etsi_xml(), report.to_etsi_xml());
        assert_eq!(replay.report.to_text(), report.to_text());
    }
    Ok(())
}

#[test]
fn the_examples_replay() {
    for name in ["contract.pdf", "contract-tampered.pdf", "revoked.pdf", "not-signed.pdf"] {
        let bytes = example(name);
        round_trip(&validator(), &Document::new(&bytes).named(name), time("2027-01-01T00:00:00Z"))
            .unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    let (signature, letter) = (example("letter.txt.p7s"), example("letter.txt"));
    let detached = Document::new(&signature).with_content("letter.txt", &letter);
    round_trip(&validator(), &detached, time("2027-01-01T00:00:00Z")).unwrap_or_else(|e| panic!("detached: {e}"));
}

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn a_sample_of_the_corpus_replays() {
    let validator = Validator::new(Policy::eidas());
    let mut replayed = 0;
    for path in manifest().iter().step_by(67) {
        let Ok(bytes) = std::fs::read(corpus().join(path)) else { continue };
        if bytes.len() > 1 << 19 || validator.facts(&Document::new(&bytes), Time::default()).is_err() {
            continue;
        }
        round_trip(&validator, &Document::new(&bytes).named(path), time("2026-06-01T00:00:00Z"))
            .unwrap_or_else(|e| panic!("{path}: {e}"));
        replayed += 1;
    }
    assert!(replayed >= 10, "only {replayed} files were replayed");
}

#[test]
fn the_same_validation_gives_the_same_bytes() {
    assert_eq!(contract().1.to_zip(), contract().1.to_zip());
}

#[test]
fn the_language_of_the_report_is_kept() {
    let (report, bundle) = contract();
    assert_eq!(report.language(), Language::Estonian);
    let replay = bundle.replay().expect("it was just written");
    assert_eq!(replay.report.to_text(), report.to_text());
}

#[test]
fn any_changed_byte_is_refused_with_the_entry_s_name() {
    let zip = contract().1.to_zip();
    let names: Vec<String> = names(&zip);
    assert!(names.len() >= 6, "{names:?}");
    // Every byte of the headers and the directory would take too long in the largest entries: a prime's multiples.
    let mut named = 0;
    for at in (0..zip.len()).step_by(61).chain(zip.len() - 300..zip.len()) {
        let mut changed = zip.clone();
        changed[at] ^= 0x21;
        let error = Bundle::from_zip(&changed).expect_err(&format!("byte {at} was changed"));
        let told = format!("{error} {:?}", std::error::Error::source(&error).map(ToString::to_string));
        match error {
            BundleError::Changed { ref entry, .. } | BundleError::Rearranged { ref entry, .. } => {
                assert!(!entry.is_empty(), "{told}");
                named += 1;
            }
            // The ZIP file is broken there, or an entry has another name than the manifest gives it.
            BundleError::Zip(_) | BundleError::Missing { .. } | BundleError::Unlisted { .. } => {}
            _ => panic!("byte {at}: {told}"),
        }
    }
    assert!(named > 500, "only {named} changes were told with the entry");
    for (at, entry) in names.iter().enumerate() {
        let place = memchr::memmem::find(&zip, entry.as_bytes()).expect("it is named") + entry.len() + 2;
        let mut changed = zip.clone();
        changed[place] ^= 1;
        match Bundle::from_zip(&changed) {
            Err(BundleError::Changed { entry: told, .. }) => assert_eq!(told, *entry),
            other => panic!("entry {at}: {other:?}"),
        }
    }
    assert!(Bundle::from_zip(&[&zip[..], b"x"].concat()).is_err(), "something after it");
    assert!(Bundle::from_zip(&zip[..zip.len() - 1]).is_err(), "cut off");
    assert!(Bundle::from_zip(b"PK").is_err());
}

/// The names in the ZIP file, in order.
fn names(zip: &[u8]) -> Vec<String> {
    let archive = rawzip::ZipArchive::from_slice(zip).expect("a ZIP file");
    let mut entries = archive.entries();
    let mut names = vec![];
    while let Some(entry) = entries.next_entry().expect("a ZIP file") {
        names.push(String::from_utf8_lossy(entry.file_path().as_bytes()).into_owned());
    }
    names
}

/// Bundles are read years later: what an earlier version wrote, byte for byte, stays readable, and its verdict stands.
#[test]
fn a_bundle_of_an_earlier_version_replays() {
    let zip = std::fs::read(root().join("tests/data/bundle/contract-0.1.0.zip")).expect("it is in the tree");
    let bundle = Bundle::from_zip(&zip).unwrap_or_else(|e| panic!("{e}: {e:?}"));
    let document = example("contract.pdf");
    for replay in [bundle.replay(), bundle.replay_with(&Document::new(&document).named("contract.pdf"))] {
        let replay = replay.unwrap_or_else(|e| panic!("{e}: {e:?}"));
        assert_eq!(replay.report.indication(), Indication::TotalPassed, "{:?}", replay.differences);
    }
}

#[test]
fn another_document_is_refused() {
    let other = example("revoked.pdf");
    match contract().1.replay_with(&Document::new(&other)) {
        Err(BundleError::OtherDocument { .. }) => {}
        other => panic!("{other:?}"),
    }
}
