//! Updates that make some readers search the file, and what they find then that others do not: ISO 32000-2 §7.5.

use super::Expect::{NotPassed, Passed};
use super::revisions::sign;
use super::{Given, check, pdf};
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::*;

/// A store for the catalog, with that stream.
fn store(document: &Pdf, certificate: &[u8]) -> Objects {
    let mut catalog = document.value(1).clone();
    catalog.set("DSS", "<< /Type /DSS /Certs [61 0 R] >>");
    [(1, Object { value: catalog, stream: None }), (61, stream("", certificate))].into_iter().collect()
}

/// Content of the page that nobody signed, as an object of that header.
fn evil(header: &[u8]) -> Vec<u8> {
    let evil = line(EVIL);
    let entries = format!("\n<< /Length {} >>\nstream\n", evil.len());
    [b"x\n", header, entries.as_bytes(), &evil, b"\nendstream\nendobj\n"].concat()
}

/// The signed file has the content twice, and its cross-references name the first; then comes an update in which those bytes are
/// others. Who searches finds the second.
fn twice(lab: &Lab, from: &str, to: &str) -> Given {
    let mut document = Pdf::usual();
    let start = document.previous.expect("there is one");
    let table = String::from_utf8(document.bytes.split_off(start)).expect("text");
    document.bytes.extend(&evil(b"4 0 obj")[2..]);
    let at = document.bytes.len();
    document.bytes.extend(table.replace(&format!("startxref\n{start}"), &format!("startxref\n{at}")).bytes());
    document.previous = Some(at);
    sign(&mut document, lab, Some(1));
    document.update(store(&document, b"x"));
    let at = rfind(&document.bytes, from.as_bytes()).expect("it is there");
    pdf([&document.bytes[..at], to.as_bytes(), &document.bytes[at + from.len()..]].concat())
}

/// A font that is not where the cross-references say, so that readers search the file; then comes a store with those bytes.
fn hidden(lab: &Lab, inner: &[u8]) -> Given {
    let mut document = Pdf::usual();
    let row = format!("{:010} 00000 n", document.places[&5]);
    let at = rfind(&document.bytes, row.as_bytes()).expect("the row");
    let other = format!("{:010} 00000 n", document.places[&5] + 5);
    document.bytes[at..at + row.len()].copy_from_slice(other.as_bytes());
    sign(&mut document, lab, None);
    document.update(store(&document, inner));
    pdf(document.bytes)
}

#[test]
fn updates_that_some_readers_do_not_read() {
    check(&[
        ("ISO 32000-2 7.5.5", "as it should be", Passed, |lab| twice(lab, "1 1\n", "1 1\n")),
        ("ISO 32000-2 7.5.5", "other line ends", Passed, |lab| twice(lab, "startxref\n", "startxref\r\n\r\n")),
        ("ISO 32000-2 7.5.5", "a zero before the number of startxref", NotPassed, |lab| {
            twice(lab, "startxref\n", "startxref\0")
        }),
        ("ISO 32000-2 7.5.5", "a form feed there", NotPassed, |lab| twice(lab, "startxref\n", "startxref\x0c")),
        ("ISO 32000-2 7.5.4", "a subsection without rows, of objects that there are not", NotPassed, |lab| {
            twice(lab, "trailer", "99999999 0\ntrailer")
        }),
        ("ISO 32000-2 7.5.4", "a subsection without rows", Passed, |lab| twice(lab, "trailer", "7 0\ntrailer")),
        ("ISO 32000-2 7.5.4", "a blank behind the line of a subsection", Passed, |lab| twice(lab, "1 1\n", "1 1 \r\n")),
        ("ISO 32000-2 7.5.4", "two between its numbers", NotPassed, |lab| twice(lab, "1 1\n", "1  1\n")),
        ("ISO 32000-2 7.5.4", "a line end between its numbers", NotPassed, |lab| twice(lab, "1 1\n", "1\n1\n")),
        ("ISO 32000-2 7.5.4", "a zero behind them", NotPassed, |lab| twice(lab, "1 1\n", "1 1\0")),
        ("ISO 32000-2 7.5.4", "an empty line before its rows", NotPassed, |lab| twice(lab, "1 1\n", "1 1\n\n")),
        ("ISO 32000-2 7.5.4", "an empty line between subsections", NotPassed, |lab| twice(lab, "61 1\n", "\n61 1\n")),
    ]);
}

#[test]
fn objects_that_only_some_readers_find() {
    check(&[
        ("ISO 32000-2 7.5.6", "none", Passed, |lab| hidden(lab, b"x")),
        ("ISO 32000-2 7.3.10", "an object in a stream", NotPassed, |lab| hidden(lab, &evil(b"4 0 obj"))),
        ("ISO 32000-2 7.3.10", "one with many blanks", NotPassed, |lab| {
            hidden(lab, &evil(b"4                     0 obj"))
        }),
        ("ISO 32000-2 7.3.10", "one with many zeros", NotPassed, |lab| {
            hidden(lab, &evil(b"00000000000000000000000000000000004 0 obj"))
        }),
        ("ISO 32000-2 7.2.3", "one with vertical tabs", NotPassed, |lab| hidden(lab, &evil(b"4\x0b0\x0bobj"))),
        ("ISO 32000-2 7.2.3", "one with blanks that JavaScript knows", NotPassed, |lab| {
            hidden(lab, &evil(b"4\xa00\xa0obj"))
        }),
        ("ISO 32000-2 7.5.5", "a trailer behind a zero", NotPassed, |lab| {
            hidden(lab, b"x\ntrailer\0<< /Root 4 0 R >>\n")
        }),
        ("ISO 32000-2 7.5.5", "the word without a dictionary", Passed, |lab| hidden(lab, b"a trailer is meant\n")),
    ]);
}
