//! Polyglot files: those that open as another type as well, and show there what is not signed.

use super::cms::SignedData;
use crate::document::elsewhere::{self, Elsewhere, opens_as, outside, place, text_opens_as};
use crate::document::{Syntax, armor};
use crate::facts::{Irregularity, IrregularityKind as Kind};
use memchr::memmem;
use std::borrow::Cow;

/// Returns the other types that a file opens as. Containers look for them themselves.
pub(super) fn types(syntax: Syntax, bytes: &[u8]) -> Vec<Irregularity> {
    let mut found: Vec<Elsewhere> = match syntax {
        Syntax::Zip => return vec![],
        Syntax::Asn1 => in_asn1(bytes),
        Syntax::Base64Asn1 => armor(bytes).into_iter().filter_map(text_opens_as).collect(),
        Syntax::Pdf => around_pdf(bytes),
        Syntax::Xml | Syntax::Json | Syntax::CompactJws => {
            elsewhere::is_whole_pdf(bytes).then_some(Elsewhere::Pdf).into_iter().collect()
        }
    };
    found.extend(elsewhere::ends_as_zip(bytes).then_some(Elsewhere::Zip));
    crate::order::sort(&mut found);
    found.dedup();
    let mut irregularities: Vec<Irregularity> =
        found.iter().map(|found| Irregularity::about(Kind::SecondFileType, found.as_str())).collect();
    irregularities.extend(text_around(syntax, bytes));
    irregularities
}

/// Returns what programs of other types read outside the content of a CMS: that is signed, and what is in it may be
/// anything (RFC 5652 §3).
fn in_asn1(bytes: &[u8]) -> Vec<Elsewhere> {
    let pieces = SignedData::parse(bytes).ok().and_then(|signed| signed.content_pieces()).unwrap_or_default();
    let inside = pieces.iter().filter_map(|piece| place(bytes, piece));
    outside(bytes, inside).into_iter().filter_map(opens_as).collect()
}

/// Returns what stands before the header and behind the end (ISO 32000-2 §7.5.2, §7.5.5).
fn around_pdf(bytes: &[u8]) -> Vec<Elsewhere> {
    let start = memmem::find(bytes, b"%PDF-").unwrap_or(0);
    let end = memmem::rfind(bytes, b"%%EOF").unwrap_or(bytes.len());
    let around = [bytes.get(..start), bytes.get(end..)];
    let found = around.into_iter().flatten().flat_map(elsewhere::all);
    found.filter(|found| *found != Elsewhere::Pdf).collect()
}

/// Notes text around the Base64: parsers skip text before and after the lines (RFC 7468 §2).
fn text_around(syntax: Syntax, bytes: &[u8]) -> Option<Irregularity> {
    let parts = if syntax == Syntax::Base64Asn1 { armor(bytes) } else { vec![] };
    let [before, _, .., after] = parts[..] else { return None };
    let texts = [before, after].map(String::from_utf8_lossy).map(Cow::into_owned);
    let text =
        texts.iter().map(|text| text.trim_matches(['\u{feff}', ' ', '\t', '\r', '\n'])).find(|t| !t.is_empty())?;
    let begin: String = text.chars().take(40).collect();
    Some(Irregularity::about(Kind::UncoveredOctets, format!("text around the Base64: {begin}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PDF: &[u8] = b"\n%PDF-1.7\n1 0 obj<<>>endobj";

    /// Returns kinds and subjects.
    fn found(bytes: &[u8]) -> Vec<(Kind, String)> {
        let syntax = Syntax::of(bytes).unwrap();
        types(syntax, bytes).into_iter().map(|i| (i.kind, i.subject.unwrap_or_default().to_string())).collect()
    }

    #[test]
    fn files_of_two_types() {
        let second = |what: &str| (Kind::SecondFileType, what.to_owned());
        // A ContentInfo of signed data, cut to what is looked at.
        let cms = [&b"\x30\x82\x01\x00\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"[..], &[0; 245]].concat();
        let zip = [&b"PK\x05\x06"[..], &[0; 18]].concat();
        let pem = "-----BEGIN CMS-----\nMIIB\n-----END CMS-----\n";
        let with = |before: &str, after: &str| format!("{before}{pem}{after}").into_bytes();
        let text = |begin: &str| (Kind::UncoveredOctets, format!("text around the Base64: {begin}"));
        for (clause, situation, bytes, expected) in [
            ("RFC 5652 3", "CMS alone", cms.clone(), vec![]),
            ("RFC 5652 3", "a PDF behind", [&cms, PDF].concat(), vec![second("PDF")]),
            ("RFC 5652 3", "a ZIP file behind", [&cms[..], &zip].concat(), vec![second("ZIP")]),
            ("RFC 5652 3", "a page behind", [&cms[..], b"<html><body>"].concat(), vec![second("HTML")]),
            (
                "RFC 5652 5.1",
                "a PDF in what nobody signed",
                [&cms[..20], PDF, &cms[20..]].concat(),
                vec![second("PDF")],
            ),
            ("RFC 7468 2", "PEM alone", with("", "\n"), vec![]),
            ("RFC 7468 5.2", "text behind", with("", "subject: Alice\n"), vec![text("subject: Alice")]),
            ("RFC 7468 2", "a page behind", with("", "<p>x"), vec![second("HTML"), text("<p>x")]),
            (
                "RFC 7468 2",
                "a page in the label",
                pem.replace("BEGIN CMS", "BEGIN <script >").into_bytes(),
                vec![second("HTML")],
            ),
            ("XML 1.0 2.5", "XML", b"<a><!-- %PDF- is the header of a PDF --></a>".to_vec(), vec![]),
            (
                "XML 1.0 2.5",
                "a PDF in a comment",
                { [&b"<a><!--"[..], &[b' '; 1024], PDF, b"--></a>"].concat() },
                vec![second("PDF")],
            ),
            ("ISO 32000-2 7.5.5", "a ZIP file behind", [b"%PDF-1.7\n%%EOF\n", &zip[..]].concat(), vec![second("ZIP")]),
            ("ISO 32000-2 7.5.2", "a page before", b"<html>\n%PDF-1.7\n%%EOF\n".to_vec(), vec![second("HTML")]),
            ("ISO 32000-2 7.5.5", "a PDF alone", b"%PDF-1.7\nPK\x03\x04\x14\x00\n%%EOF\n".to_vec(), vec![]),
        ] {
            assert_eq!(found(&bytes), expected, "{clause} {situation}");
        }
    }
}
