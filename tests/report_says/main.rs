//! Every form of a report names subject, reason and date of what is wrong, in each language.
//!
//! Each row makes a document in the laboratory: the clause, the situation, the document, what the report has to name.
//! JSON is asked for the finding; text, HTML and PDF have to say the same sentence about the same subject.

mod certificates;
mod data;
mod given;
mod lists;
mod names;
mod revocation;
mod says;
mod timestamps;

use lacre::Report;
use lacre::report::Language;
use says::{Row, missing};
use std::path::Path;
use std::process::Command;

/// All tables.
const TABLES: [&[Row]; 6] =
    [revocation::ROWS, timestamps::ROWS, certificates::ROWS, lists::ROWS, names::ROWS, data::ROWS];

/// The languages in which every row is read as PDF.
const PDF_LANGUAGES: [Language; 2] = [Language::English, Language::Estonian];

/// Every row as PDF. Lines break anywhere in long words, so that white space is left out on both sides.
#[test]
#[ignore = "needs pdftotext (poppler-utils)"]
fn the_pdf_says_the_same() {
    let path = std::env::temp_dir().join(format!("lacre-report-says-{}.pdf", std::process::id()));
    let pdf = |report: &Report| vec![("PDF", squeezed(&pdf_text(report, &path)))];
    let rows = TABLES.into_iter().flatten();
    let wrong: Vec<String> = rows.flat_map(|row| missing(row, &PDF_LANGUAGES, squeezed, &pdf)).collect();
    std::fs::remove_file(&path).expect("the last PDF is there");
    assert!(wrong.is_empty(), "{} things:\n{}", wrong.len(), wrong.join("\n"));
}

/// Returns the text of the report's PDF without what stands at the foot of each page.
fn pdf_text(report: &Report, path: &Path) -> String {
    std::fs::write(path, report.to_pdf().expect("a report can be set")).expect("there is room for a PDF");
    let done = Command::new("pdftotext")
        .args(["-raw", "-x", "0", "-y", "0", "-W", "595", "-H", "770"])
        .arg(path)
        .arg("-")
        .output()
        .expect("pdftotext is installed (Debian package poppler-utils)");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("pdftotext writes UTF-8")
}

/// Returns the text without white space, its signs spelt as the fonts of the PDF need it.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<String>().replace('≤', "<=").replace('≥', ">=")
}
