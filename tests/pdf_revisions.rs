//! PDF signatures and what changed after them: our reading of the corpus beside that of DSS.

use allocation_counter::measure;
use lacre::{Budget, Facts};
use lacre_core::{
    facts::{PdfRevision, Shared},
    formats::pdf::Unpacked,
};
use lacre_testkit::files::files;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus")
}

fn ours(bytes: &[u8]) -> Result<Vec<Shared<PdfRevision>>, String> {
    let unpacked = Unpacked::read(bytes, None, &Budget::default()).map_err(|error| error.to_string())?;
    Ok(unpacked.signatures.into_iter().map(|signature| signature.facts).collect())
}

/// What differs between two readings of one signature, a line each.
fn differences(dss: &PdfRevision, lacre: &PdfRevision) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = |what: &str, dss: &dyn std::fmt::Debug, lacre: &dyn std::fmt::Debug| {
        let (dss, lacre) = (format!("{dss:?}"), format!("{lacre:?}"));
        if dss != lacre {
            lines.push(format!("{what}: DSS {dss}, lacre {lacre}"));
        }
    };
    line("fields", &dss.fields, &lacre.fields);
    line("name", &dss.signer_name, &lacre.signer_name);
    line("type", &dss.dictionary_type, &lacre.dictionary_type);
    line("filter", &dss.filter, &lacre.filter);
    line("sub-filter", &dss.sub_filter, &lacre.sub_filter);
    line("contact", &dss.contact_info, &lacre.contact_info);
    line("location", &dss.location, &lacre.location);
    line("reason", &dss.reason, &lacre.reason);
    line("byte range valid", &dss.byte_range_valid, &lacre.byte_range_valid);
    line("DocMDP", &dss.doc_mdp, &lacre.doc_mdp);
    line("FieldMDP", &dss.field_mdp, &lacre.field_mdp);
    line("consistent", &dss.dictionary_consistent, &lacre.dictionary_consistent);
    let (theirs, own) =
        (dss.modifications.clone().unwrap_or_default(), lacre.modifications.clone().unwrap_or_default());
    line("overlaps", &theirs.annotation_overlaps, &own.annotation_overlaps);
    line("pages", &theirs.page_differences, &own.page_differences);
    let (theirs, own) = (theirs.objects.unwrap_or_default(), own.objects.unwrap_or_default());
    for (kind, theirs, own) in [
        ("extension", &theirs.extension, &own.extension),
        ("form fill", &theirs.signature_or_form_fill, &own.signature_or_form_fill),
        ("annotation", &theirs.annotation, &own.annotation),
        ("undefined", &theirs.undefined, &own.undefined),
    ] {
        // Which objects a change is told by differs; of which classes there are changes does not.
        line(kind, &!theirs.is_empty(), &!own.is_empty());
    }
    lines
}

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn revisions_are_those_of_dss() {
    let root = corpus();
    let all = files(&root.join("dss-facts/near"), ".pdf.xml");
    let (mut agreed, mut total, mut report) = (0, 0, Vec::new());
    for path in &all {
        let name = path.strip_prefix(root.join("dss-facts/near")).unwrap().to_string_lossy().into_owned();
        let name = name.strip_suffix(".xml").unwrap();
        let facts = Facts::from_bytes(&std::fs::read(path).unwrap()).unwrap();
        let theirs: Vec<&PdfRevision> = facts
            .signatures
            .iter()
            .filter_map(|s| s.pdf_revision.as_deref())
            .chain(facts.timestamps.iter().filter_map(|t| t.pdf_revision.as_deref()))
            .collect();
        let own = ours(&std::fs::read(root.join(name)).unwrap());
        let own = own.unwrap_or_else(|error| {
            report.push(format!("{name}: {error}"));
            Vec::new()
        });
        for revision in &own {
            if !theirs
                .iter()
                .any(|dss| dss.byte_range == revision.byte_range && dss.fields[0].name == revision.fields[0].name)
            {
                report.push(format!("{name}: only lacre has {:?} {:?}", revision.byte_range, revision.fields));
            }
        }
        for dss in theirs {
            total += 1;
            let Some(own) =
                own.iter().find(|o| o.byte_range == dss.byte_range && o.fields[0].name == dss.fields[0].name)
            else {
                report.push(format!("{name}: only DSS has {:?} {:?}", dss.byte_range, dss.fields));
                continue;
            };
            let lines = differences(dss, own);
            if lines.is_empty() {
                agreed += 1;
            } else {
                report.extend(lines.iter().take(12).map(|line| format!("{name}: {line}")));
            }
        }
    }
    for line in &report {
        eprintln!("{line}");
    }
    eprintln!("{agreed} of {total} agree");
    let differing: BTreeSet<&str> = report.iter().map(|line| line.split(": ").next().unwrap()).collect();
    let known: BTreeSet<&str> = LEDGER.iter().map(|(file, _)| *file).collect();
    assert_eq!(differing, known, "the files that are read otherwise than by DSS, and those of the ledger");
}

/// Where we read otherwise than DSS, and why.
const LEDGER: [(&str, &str); 10] = [
    (
        "dss/dss-pades/src/test/resources/validation/BadEncodedCMS.pdf",
        "DSS leaves a signature out whose CMS it cannot read; so do we, when the signature is read",
    ),
    (
        "dss/dss-pades/src/test/resources/validation/dss-2236/replace.pdf",
        "drawing a page for comparison, PDFBox adds /Type and /Subtype to a form that has none",
    ),
    (
        "dss/dss-pades/src/test/resources/validation/evidence-record/Signature-P-LT-ef971596-8f2e-407d-a413-aae9cb9b8e4a.pdf",
        "the field of a document time-stamp is part of the proof wherever it is met; to DSS it is filled where /Fields leads to it",
    ),
    (
        "dss/dss-pades/src/test/resources/validation/modified_after_signature.pdf",
        "what is drawn was exchanged: /DSS and a field that come with it are changes of a page, not proofs",
    ),
    (
        "dss/dss-pades/src/test/resources/validation/pades-tst-with-null-type.pdf",
        "a document time-stamp is known by its /SubFilter (ISO 32000-2 table 255: /Type is optional); DSS asks for /Type",
    ),
    (
        "dss/dss-pades/src/test/resources/validation/pdf-spoofing-attack.pdf",
        "the field and widget of an earlier signature were taken away: no annotation that was made, but an unexplained change",
    ),
    (
        "dss/dss-pades/src/test/resources/validation/timestamped-fields.pdf",
        "a document time-stamp that is shown on the page changes what is seen: a field that was filled, and no proof alone",
    ),
    (
        "pyhanko/internal/common-test-utils/src/pyhanko_testing_commons/test_data/data/pdf/coverage-anomalies/signature-gap-too-big.pdf",
        "bytes that nobody signed stand between the parts of /ByteRange beside the string of /Contents",
    ),
    (
        "pyhanko/internal/common-test-utils/src/pyhanko_testing_commons/test_data/data/pdf/coverage-anomalies/tail-uncovered.pdf",
        "what follows the signed bytes is no update (ISO 32000-2 §7.5.6)",
    ),
    (
        "siva-test/src/test/resources/pdf/baseline_profile_test_files/pades-baseline-lta-live-aj.pdf",
        "a document time-stamp that is shown on the page changes what is seen: a field that was filled, and no proof alone",
    ),
];

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn every_pdf_is_read_within_bounds() {
    let root = corpus();
    let all = files(&root, ".pdf");
    for path in &all {
        let bytes = std::fs::read(path).unwrap();
        let mut found = Ok(vec![]);
        let memory = measure(|| found = ours(&bytes)).bytes_total;
        let most = (1 << 30) + 1_000 * bytes.len() as u64;
        assert!(memory < most, "{}: {memory} bytes asked for, at most {most}", path.display());
        if let Err(error) = found {
            eprintln!("{}: {error}", path.display());
        }
    }
}
