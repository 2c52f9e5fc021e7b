//! Containers of the public corpus: what lacre says that they are, beside what EU DSS said.

use lacre::{Budget, Facts};
use lacre_core::{facts::Container, formats::asic::Unpacked};
use lacre_testkit::files::files;
use std::path::Path;

/// Containers that say other than DSS does, or are refused, each with the reason.
const DIFFERENT: [(&str, &str); 4] = [
    ("22902_data_files_with_same_names.bdoc", "refused: two entries of one name"),
    ("KS-15_signatures_xml_topelt.bdoc", "refused: two entries of one name"),
    ("KS-19_IB-3721_bdoc21-TM-2fil-samename-1sig3.bdoc", "refused: two entries of one name"),
    ("false-zip-comment.odp", "refused: a second end of the central directory in the comment"),
];

/// The statement without what no reader needs: the order of files, white space around the media type.
fn comparable(container: &Container) -> Container {
    let mut container = container.clone();
    container.contents.sort();
    container.manifests.iter_mut().for_each(|manifest| manifest.entries.sort());
    container.manifests.sort_by(|a, b| (&a.file, &a.signature_file).cmp(&(&b.file, &b.signature_file)));
    container.mimetype = container.mimetype.map(|text| text.trim_matches(['\u{feff}', '\r', '\n']).to_owned());
    container.zip_comment = container.zip_comment.map(|text| text.trim().to_owned());
    container
}

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn container_facts() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus");
    let facts = corpus.join("dss-facts/near");
    let all = files(&facts, "");
    let (mut compared, mut same, mut differ) = (0, 0, vec![]);
    for path in all {
        let bytes = std::fs::read(&path).unwrap();
        if !bytes.windows(14).take(20_000).any(|window| window == b"<ContainerInfo") {
            continue;
        }
        let theirs = Facts::from_bytes(&bytes).unwrap().container.unwrap();
        let document = corpus.join(path.strip_prefix(&facts).unwrap().with_extension(""));
        let name = document.file_name().unwrap().to_string_lossy().into_owned();
        if DIFFERENT.iter().any(|(different, _)| *different == name) {
            continue;
        }
        let bytes = std::fs::read(&document).unwrap();
        compared += 1;
        match Unpacked::read(&bytes, Some(&name), &Budget::default()) {
            Ok(unpacked) if comparable(unpacked.facts()) == comparable(&theirs) => same += 1,
            Ok(unpacked) => {
                differ.push(format!("{name}: {:?} · DSS {:?}", comparable(unpacked.facts()), comparable(&theirs)));
            }
            Err(error) => differ.push(format!("{name}: {error}")),
        }
    }
    eprintln!("{same} of {compared} containers as DSS has them");
    differ.iter().take(5).for_each(|line| eprintln!("{line}"));
    assert!(compared > 300, "{compared} containers");
    assert!(same * 100 >= compared * 97, "{same} of {compared} as DSS has them, 97 % were");
}

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn containers_that_are_read_in_two_ways_are_refused() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus");
    let all = [files(&corpus.join("digidoc4j"), ""), files(&corpus.join("dss/dss-asic-xades"), "")].concat();
    let named = |name: &str| all.iter().find(|path| path.file_name().is_some_and(|own| own == name));
    let mut seen = 0;
    for (name, why) in DIFFERENT {
        let Some(path) = named(name) else { continue };
        let bytes = std::fs::read(path).unwrap();
        assert!(Unpacked::read(&bytes, Some(name), &Budget::default()).is_err(), "{name} is to be {why}");
        seen += 1;
    }
    assert!(seen > 0, "target/corpus has none of them");
}
