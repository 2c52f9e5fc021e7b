//! Documents that other programs signed, and others filled in, annotated or signed again: what a signer permits passes.
//!
//! `tests/data/updates`: forms by ReportLab, iText 9 and OpenPDF 1.3, with one signer for all, who is trusted himself.

use lacre::report::{Indication::TotalPassed, Severity};
use lacre::{Document, Policy, Time, Validator};
use std::path::Path;

/// What is found where an annotation is on a page that was signed.
const ANNOTATED: &[&str] = &["BBB_FC_IVDBSFR_ANS"];

#[test]
fn what_a_signer_permits_passes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/updates");
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let validator = Validator::new(Policy::eidas()).trust_anchor(&read("signer.der")).expect("a certificate");
    let time: Time = "2026-12-01T00:00:00Z".parse().expect("a time");
    for (name, signatures, found) in [
        ("itext-certifies-openpdf-fills.pdf", 1, &[][..]),
        // PDFBox says of each annotation of the page that it is one (ISO 32000-1 table 164).
        ("itext-signs-pdfbox-signs.pdf", 2, &[]),
        ("pyhanko-certifies-mupdf-fills.pdf", 1, &[]),
        // Poppler deletes an object, and gives its number to another one (§7.5.4).
        ("pyhanko-certifies-poppler-fills.pdf", 1, &[]),
        // pdf.js rounds all numbers of what it writes.
        ("pyhanko-certifies-firefox-fills.pdf", 1, &[]),
        ("pyhanko-signs-firefox-annotates.pdf", 1, ANNOTATED),
    ] {
        let bytes = read(name);
        let report = validator.validate(&Document::new(&bytes).named(name), time).expect("a PDF");
        assert_eq!(report.signatures().count(), signatures, "{name}");
        for signature in report.signatures() {
            assert_eq!(signature.indication(), TotalPassed, "{name}\n{}", report.to_text());
        }
        let first = report.signatures().next().expect("it is signed");
        let checks: Vec<_> =
            first.findings().filter(|found| found.severity != Severity::Info).map(|found| found.check).collect();
        assert_eq!(checks, found, "{name}\n{}", report.to_text());
    }
}
