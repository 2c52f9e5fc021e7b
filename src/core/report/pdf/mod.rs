//! The report as PDF: PDF/A-3a (ISO 19005-3) and PDF/UA-1 (ISO 14289-1) at once.
//!
//! The typesetter makes a page model of the [`Layout`](super::layout::Layout): drawing operations, and the structure
//! that a screen reader follows. krilla writes the model, and its validators refuse what the two standards do not
//! allow. The reports for machines are attached. No clock is read: the dates of the file are the time of the
//! judgement, and its id is a digest of its contents.

mod emit;
mod fonts;
mod page_model;
mod qr;
mod table;
#[cfg(test)]
mod tests;
mod timeline;
mod typesetter;

use super::Report;
use super::layout::Element;
use super::messages::{self, MessageId};
use crate::hex;
use fonts::Fonts;
use sha2::Digest as _;

/// Why there is no PDF.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A typeface of the report is not what it was when the library was built.
    #[error("found a typeface of the report that cannot be read, expected the one that the library carries")]
    Typeface,
    /// The PDF writer refused the page.
    #[error("found a report that cannot be written as PDF/A-3a and PDF/UA-1: {0}")]
    Refused(String),
}

/// What every page says at its foot, and what the file says of itself.
struct Particulars {
    title: String,
    language: &'static str,
    /// `Page {n} of {count}`, not filled yet.
    page: &'static str,
    /// Which report this is, of which file.
    foot: String,
    /// What the QR code says.
    code: String,
    /// The time of the judgement.
    time: crate::time::Time,
    /// A digest of all contents.
    id: String,
    etsi: String,
    json: String,
}

/// Writes the file.
pub(super) fn write(report: &Report) -> Result<Vec<u8>, Error> {
    let mut layout = report.layout();
    let text = |id| messages::text(report.language, id);
    let notes = [MessageId::Attached, MessageId::QrNote].map(|id| Element::Paragraph(text(id).to_owned()));
    layout.parts.last_mut().into_iter().for_each(|judged| judged.elements.extend(notes.clone()));
    let (etsi, json) = (report.to_etsi_xml(), report.to_json());
    let document = report.facts.document.sha256.as_deref().unwrap_or("-");
    let id = hex::lower(&sha2::Sha256::new().chain_update(&etsi).chain_update(&json).finalize());
    let short = |digest: &str| digest.chars().take(16).collect::<String>();
    let particulars = Particulars {
        title: layout.title.clone(),
        language: report.language.as_str(),
        page: text(MessageId::Page),
        foot: messages::fill(text(MessageId::ReportOfFile), &[("id", &short(&id)), ("digest", &short(document))]),
        code: qr::text(document, &hex::lower(&sha2::Sha256::digest(&etsi)), report.indication(), report.verdicts.time),
        time: report.verdicts.time,
        id,
        etsi,
        json,
    };
    let fonts = Fonts::new().ok_or(Error::Typeface)?;
    let model = typesetter::set(&layout, &fonts);
    emit::write(model, &fonts, particulars).map(without_suspects)
}

/// Blanks `/Suspects false` of the catalog, which is its default (ISO 32000-1 table 321): poppler takes it for an error.
fn without_suspects(mut pdf: Vec<u8>) -> Vec<u8> {
    const ENTRY: &[u8] = b"/Suspects false";
    let marked = memchr::memmem::find(&pdf, b"/MarkInfo<</Marked true/Suspects false>>");
    let entry = marked.and_then(|at| Some(at + memchr::memmem::find(&pdf[at..], ENTRY)?));
    if let Some(at) = entry {
        pdf[at..at + ENTRY.len()].fill(b' ');
    }
    pdf
}
