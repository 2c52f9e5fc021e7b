//! Objects of the signed revision that not every reader reads alike, written again as this reader read them (ISO 32000-2 §7.3,
//! §7.5): whoever read another one saw it change.

use super::Expect::{FindingNotWhole, NotPassed, Passed};
use super::revisions::sign;
use super::{Given, Row, check, pdf};
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::*;

const AGREED: &str = "The parties agree.";

/// The usual page in which some bytes are others, signed; then that object is written again, or none.
fn altered(lab: &Lab, from: &str, to: &str, again: Option<(u32, &str)>) -> Given {
    let mut document = Pdf::usual();
    assert_eq!(from.len(), to.len(), "{from}: places stay");
    let at = rfind(&document.bytes, from.as_bytes()).expect("it is there");
    document.bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
    sign(&mut document, lab, None);
    if let Some((number, text)) = again {
        document.update(objects(&[(number, text)]));
    }
    pdf(document.bytes)
}

/// The same with the content of the page, which is written again.
fn content(lab: &Lab, from: &str, to: &str, again: bool) -> Given {
    let mut document = Pdf::usual();
    let at = rfind(&document.bytes, from.as_bytes()).expect("it is there");
    document.bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
    sign(&mut document, lab, None);
    if again {
        document.update([(4, stream("", &line(AGREED)))].into_iter().collect());
    }
    pdf(document.bytes)
}

/// Two rows of the content in the signed cross-references, of which readers take the first or the last; then it is written
/// again as the last says, or not.
fn rows_twice(lab: &Lab, again: bool) -> Given {
    let usual = Pdf::usual();
    let other = stream("", &line(EVIL));
    let bytes = usual.carried(&[(4, other.clone())].into_iter().collect(), "", Carrier::RowsTwiceOldFirst);
    let start = rfind(&bytes, b"startxref\n").expect("it is there") + 10;
    let digits: String = bytes[start..].iter().take_while(|b| b.is_ascii_digit()).map(|b| char::from(*b)).collect();
    let mut document = Pdf { previous: digits.parse().ok(), bytes, ..usual };
    sign(&mut document, lab, None);
    if again {
        document.update([(4, other)].into_iter().collect());
    }
    pdf(document.bytes)
}

/// The content twice, of which the cross-references name the first; some of their rows are not read by every reader, and who
/// searches the file finds the second. Then the first is written again, or not.
fn found_elsewhere(lab: &Lab, from: &str, to: &str, again: bool) -> Given {
    let mut document = Pdf::usual();
    let (start, evil) = (document.previous.expect("there is one"), line(EVIL));
    let table = String::from_utf8(document.bytes.split_off(start)).expect("text");
    assert!(table.contains(from), "{from}: it is there");
    document.bytes.extend(format!("4 0 obj\n<< /Length {} >>\nstream\n", evil.len()).bytes());
    document.bytes.extend([&evil[..], b"\nendstream\nendobj\n"].concat());
    document.previous = Some(document.bytes.len());
    document.bytes.extend(table.replacen(from, to, 1).bytes());
    sign(&mut document, lab, None);
    if again {
        document.update([(4, stream("", &line(AGREED)))].into_iter().collect());
    }
    pdf(document.bytes)
}

/// The content is at another place than the cross-references say, then written again.
fn searched(lab: &Lab) -> Given {
    let mut document = Pdf::usual();
    let row = format!("{:010} 00000 n", document.places[&4]);
    let at = rfind(&document.bytes, row.as_bytes()).expect("the row");
    let other = format!("{:010} 00000 n", document.places[&4] + 5);
    document.bytes[at..at + row.len()].copy_from_slice(other.as_bytes());
    sign(&mut document, lab, None);
    document.update([(4, stream("", &line(AGREED)))].into_iter().collect());
    pdf(document.bytes)
}

/// The page names the content by another generation, or by another reference; then by a copy of it.
fn copied(lab: &Lab, reference: &str, more: &[(u32, &str)]) -> Given {
    let page = |contents: &str| {
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {contents} /Resources << /Font << /F 5 0 R >> >> /Annots [6 0 R] >>"
        )
    };
    let mut all = objects(more);
    all.insert(3, object(&page(reference).replace("/Annots [6 0 R]", "/Annots []")));
    let mut document = Pdf::page(AGREED, all);
    sign(&mut document, lab, None);
    let mut changes = objects(&[(3, &page("20 0 R"))]);
    changes.insert(20, stream("", &line(AGREED)));
    document.update(changes);
    pdf(document.bytes)
}

/// The font in an object stream of those entries, then written again by itself.
fn packed(lab: &Lab, entries: &str) -> Given {
    let mut document = Pdf::usual();
    let body = format!("5 0 {FONT}");
    let at = document.bytes.len();
    let holder =
        format!("20 0 obj\n<< /Type /ObjStm {entries} /Length {} >>\nstream\n{body}\nendstream\nendobj\n", body.len());
    document.bytes.extend(holder.bytes());
    let start = document.bytes.len();
    let row = |kind: u8, middle: usize| [&[kind][..], &(middle as u32).to_be_bytes(), &[0]].concat();
    let rows = [row(2, 20), row(1, at), row(1, start)].concat();
    let previous = document.previous.expect("there is one");
    document.bytes.extend(format!("21 0 obj\n<< /Type /XRef /Size 22 /W [1 4 1] /Index [5 1 20 2] /Root 1 0 R /Prev {previous} /Length {} >>\nstream\n", rows.len()).bytes());
    document.bytes.extend(rows);
    document.bytes.extend(format!("\nendstream\nendobj\nstartxref\n{start}\n%%EOF\n").bytes());
    document.previous = Some(start);
    document.size = 22;
    sign(&mut document, lab, None);
    document.update(objects(&[(5, FONT)]));
    pdf(document.bytes)
}

const FONT: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

const ROWS: &[Row] = &[
    ("ISO 32000-2 7.5.4", "two rows of the content", Passed, |lab| rows_twice(lab, false)),
    ("ISO 32000-2 7.5.4", "it is written again as the last says", NotPassed, |lab| rows_twice(lab, true)),
    ("ISO 32000-2 7.5.4", "fewer rows than are counted", Passed, |lab| found_elsewhere(lab, "5 1\n", "5 9\n", false)),
    ("ISO 32000-2 7.5.4", "the content that the rows name is written again", NotPassed, |lab| {
        found_elsewhere(lab, "5 1\n", "5 9\n", true)
    }),
    ("ISO 32000-2 7.5.4", "the same where a row has a blank too many", NotPassed, |lab| {
        found_elsewhere(lab, " 00000 n \n5", "  00000 n \n5", true)
    }),
    ("ISO 32000-2 7.5.4", "the same where all rows are read", Passed, |lab| {
        found_elsewhere(lab, "5 1\n", "5 1\n", true)
    }),
    ("ISO 32000-2 7.3.8.2", "a length that is too short", Passed, |lab| content(lab, "/Length 4", "/Length 2", false)),
    ("ISO 32000-2 7.3.8.2", "the content is written again with its length", NotPassed, |lab| {
        content(lab, "/Length 4", "/Length 2", true)
    }),
    ("ISO 32000-2 7.5.4", "the content is not where the cross-references say, then written again", NotPassed, searched),
    ("ISO 32000-2 7.3.5", "a name with a number sign that is no escape", Passed, |lab| {
        altered(lab, "/Helvetica", "/Helveti#a", None)
    }),
    ("ISO 32000-2 7.3.5", "it is written as one", NotPassed, |lab| {
        altered(lab, "/Helvetica", "/Helveti#a", Some((5, &FONT.replace("/Helvetica", "/Helveti#23a"))))
    }),
    ("ISO 32000-2 7.3.3", "a number that is none, written again", NotPassed, |lab| {
        altered(lab, "842] /Contents", "8-2] /Contents", Some((3, &super::revisions::PAGE.replace("842", "8"))))
    }),
    ("ISO 32000-2 7.5.4", "another generation than the cross-references say, then theirs", NotPassed, |lab| {
        altered(lab, "\n5 0 obj", "\n5 1 obj", Some((5, FONT)))
    }),
    ("ISO 32000-2 7.3.10", "a header without a blank before `obj`, then with one", NotPassed, |lab| {
        altered(lab, "\n5 0 obj\n", "\n5 0obj\n\n", Some((5, FONT)))
    }),
    ("ISO 32000-2 7.2.4", "a comment within an object, and the object without it", Passed, |lab| {
        altered(lab, "/Type1 /BaseFont", "/Type1%\n/BaseFont".get(..16).expect("it"), None)
    }),
    ("ISO 32000-2 7.5.7", "the font in an object stream, then by itself", Passed, |lab| packed(lab, "/N 1 /First 4")),
    ("ISO 32000-2 table 16", "the object stream counts in real numbers", NotPassed, |lab| {
        packed(lab, "/N 1.0 /First 4")
    }),
    ("ISO 32000-2 table 8", "its parameters are real numbers", NotPassed, |lab| {
        packed(lab, "/N 1 /First 4 /DecodeParms << /Predictor 1.0 >>")
    }),
    ("ISO 32000-2 7.3.10", "the content by another reference, then by a copy", Passed, |lab| copied(lab, "4 0 R", &[])),
    ("ISO 32000-2 7.3.10", "a reference of another generation", NotPassed, |lab| copied(lab, "4 1 R", &[])),
    ("ISO 32000-2 7.3.10", "a reference to a reference", NotPassed, |lab| copied(lab, "14 0 R", &[(14, "4 0 R")])),
];

#[test]
fn what_was_read_with_a_liberty() {
    check(ROWS);
}

#[test]
fn objects_written_again_as_they_were() {
    check(&[
        ("ISO 32000-2 7.2.4", "a comment within the font, which is written again without", Passed, |lab| {
            altered(lab, "/Type /Font /Subtype", "/Type%\n/Font/Subtype".get(..20).expect("it"), Some((5, FONT)))
        }),
        ("ISO 32000-2 7.3.7", "a key twice with one value", FindingNotWhole, |lab| {
            altered(lab, "/Subtype /Type1", "/Type /Font    ", Some((5, FONT)))
        }),
    ]);
}

/// A font that names digits from that code on, written again with another.
fn digits(lab: &Lab, before: &str, after: &str) -> Given {
    let font = |first: &str| {
        format!(
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [{first} /nine /nine] >> >>"
        )
    };
    let mut document = Pdf::page("Price 1000 euros", objects(&[(5, &font(before))]));
    sign(&mut document, lab, None);
    document.update(objects(&[(5, &font(after))]));
    pdf(document.bytes)
}

/// A page with that entry, written again with another.
fn page(lab: &Lab, before: &str, after: &str) -> Given {
    let page = |entry: &str| {
        format!(
            "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> {entry} /Annots [6 0 R] >>"
        )
    };
    let mut document = Pdf::page(AGREED, objects(&[(3, &page(before).replace("[6 0 R]", "[]"))]));
    sign(&mut document, lab, None);
    document.update(objects(&[(3, &page(after))]));
    pdf(document.bytes)
}

#[test]
fn integers_that_are_real_numbers() {
    check(&[
        ("ISO 32000-2 table 112", "a code of a font that is no integer, so that nobody heeds it", NotPassed, |lab| {
            digits(lab, "48.0", "48")
        }),
        ("ISO 32000-2 table 112", "a code that is none any more", NotPassed, |lab| digits(lab, "48", "48.0")),
        ("ISO 32000-2 table 112", "the same code", Passed, |lab| digits(lab, "48", "48")),
        ("ISO 32000-2 table 31", "a page turned by a real number, then by an integer", NotPassed, |lab| {
            page(lab, "/MediaBox [0 0 595 842] /Rotate 90.0", "/MediaBox [0 0 595 842] /Rotate 90")
        }),
        ("ISO 32000-2 7.9.5", "a rectangle of real numbers, then of integers", Passed, |lab| {
            page(lab, "/MediaBox [0 0 595.0 842.00]", "/MediaBox [0 0.0 595 842]")
        }),
    ]);
}

/// A page that inherits what it needs, turned and small, written again with that entry.
fn heir(lab: &Lab, tree: &str, more: &str) -> Given {
    let page = |more: &str, annotations: &str| {
        format!("<< /Type /Page /Parent 2 0 R /Contents 4 0 R {more} /Annots {annotations} >>")
    };
    let tree = format!("<< /Type /Pages /Kids [3 0 R] /Count 1 {tree} >>");
    let mut document = Pdf::page(AGREED, objects(&[(2, &tree), (3, &page("", "[]"))]));
    sign(&mut document, lab, Some(1));
    document.update(objects(&[(3, &page(more, "[6 0 R]"))]));
    pdf(document.bytes)
}

const TREE: &str = "/MediaBox [0 0 300 842] /Rotate 90 /Resources << /Font << /F 5 0 R >> >>";

/// A form that the page shows, written again with that entry.
fn form(lab: &Lab, more: &str) -> Given {
    let page = super::revisions::PAGE.replace("/Annots [6 0 R]", "").replace("/Font", "/XObject << /X 20 0 R >> /Font");
    let form = |more: &str| {
        let entries =
            format!("/Type /XObject /Subtype /Form /BBox [0 0 600 900] /Resources << /Font << /F 5 0 R >> >> {more}");
        stream(&entries, &line(AGREED))
    };
    let mut all = objects(&[(3, &*page)]);
    all.insert(4, stream("", b"/X Do"));
    all.insert(20, form(""));
    let mut document = Pdf::page("", all);
    sign(&mut document, lab, Some(1));
    document.update([(20, form(more))].into_iter().collect());
    pdf(document.bytes)
}

#[test]
fn what_is_inherited_where_an_entry_is_null() {
    check(&[
        ("ISO 32000-2 7.3.9", "a form as it was", Passed, |lab| form(lab, "")),
        ("ISO 32000-2 7.3.9", "its layer is null, which hides it in pdf.js", NotPassed, |lab| form(lab, "/OC null")),
        ("ISO 32000-2 7.7.3.4", "the page has no entry of its own", Passed, |lab| heir(lab, TREE, "")),
        ("ISO 32000-2 7.3.9", "its resources are null", NotPassed, |lab| heir(lab, TREE, "/Resources null")),
        ("ISO 32000-2 7.3.9", "its size is", NotPassed, |lab| heir(lab, TREE, "/MediaBox null")),
        ("ISO 32000-2 7.3.9", "how it is turned is", NotPassed, |lab| heir(lab, TREE, "/Rotate null")),
        ("ISO 32000-2 7.3.9", "what it inherits from nobody is", Passed, |lab| heir(lab, TREE, "/CropBox null")),
    ]);
}

/// A picture with a palette, which is written again in another notation.
fn palette(lab: &Lab, before: &[u8; 6], after: &str) -> Given {
    let page = super::revisions::PAGE.replace("/Annots [6 0 R]", "").replace("/Font", "/XObject << /X 20 0 R >> /Font");
    let mut all = objects(&[(3, &*page), (22, "[/Indexed /DeviceGray 3 (0123)]")]);
    all.insert(4, stream("", b"q 300 0 0 300 100 300 cm /X Do Q"));
    let image = "/Type /XObject /Subtype /Image /Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace 22 0 R";
    all.insert(20, stream(image, &[0, 1, 2, 3]));
    let mut document = Pdf::page("", all);
    let at = rfind(&document.bytes, b"(0123)").expect("it is there");
    document.bytes[at..at + 6].copy_from_slice(before);
    sign(&mut document, lab, Some(1));
    document.update(objects(&[(22, &format!("[/Indexed /DeviceGray 3 {after}]"))]));
    pdf(document.bytes)
}

#[test]
fn strings_in_another_notation() {
    check(&[
        ("ISO 32000-2 7.3.4.3", "in hexadecimal", Passed, |lab| palette(lab, b"( ~ z)", "<207e207a>")),
        ("ISO 32000-2 7.3.4.2", "a line end as it was", Passed, |lab| palette(lab, b"(\r\n z)", "(\r\n z)")),
        ("ISO 32000-2 7.3.4.2", "a line end of two bytes, which are two for many", NotPassed, |lab| {
            palette(lab, b"(\r\n z)", "<0a207a>")
        }),
        ("ISO 32000-2 7.3.4.2", "an escape above 255, which is a letter for some", NotPassed, |lab| {
            palette(lab, b"(1   )", "(\\461   )")
        }),
        ("ISO 32000-2 7.3.4.2", "an escape", Passed, |lab| palette(lab, b"(1   )", "(\\061   )")),
        ("ISO 32000-2 7.3.3", "a number of 400 digits", NotPassed, |lab| {
            page(lab, "/MediaBox [0 0 595.0 842.0]", &format!("/MediaBox [0 0 595.0 842.{}]", "0".repeat(400)))
        }),
    ]);
}

/// A stamp with that rectangle, whose appearance has that header, and the same with another.
fn stamp(lab: &Lab, before: &str, after: &str, header: &str) -> Given {
    let stamp =
        |area: &str| format!("<< /Type /Annot /Subtype /Stamp /Rect {area} /F 4 /P 3 0 R /AP << /N 21 0 R >> >>");
    let page = super::revisions::PAGE.replace("[6 0 R]", "[12 0 R]");
    let mut all = objects(&[(3, &page), (12, &stamp(before))]);
    let shown = super::revisions::cover("Unless he withdraws.");
    all.insert(21, shown.clone());
    let mut document = Pdf::page(AGREED, all);
    let at = rfind(&document.bytes, b"21 0 obj").expect("it is there");
    document.bytes[at..at + header.len()].copy_from_slice(header.as_bytes());
    sign(&mut document, lab, None);
    let mut changes = objects(&[(12, &stamp(after))]);
    changes.insert(21, shown);
    document.update(changes);
    pdf(document.bytes)
}

#[test]
fn what_is_null_or_not_there() {
    check(&[
        ("ISO 32000-2 7.3.9", "an entry that is null goes", Passed, |lab| {
            page(lab, "/MediaBox [0 0 595 842] /Rotate null", "/MediaBox [0 0 595 842]")
        }),
        ("ISO 32000-2 7.3.10", "an entry that refers to nothing goes", NotPassed, |lab| {
            page(lab, "/MediaBox [0 0 595 842] /Rotate 99 0 R", "/MediaBox [0 0 595 842]")
        }),
        ("ISO 32000-2 7.3.6", "an array of the page ends with null", NotPassed, |lab| {
            page(lab, "/MediaBox [0 0 595 842] /Thumbs [1 null]", "/MediaBox [0 0 595 842] /Thumbs [1]")
        }),
        ("ISO 32000-2 7.3.6", "the rectangle of a stamp ends with null", FindingNotWhole, |lab| {
            stamp(lab, "[72 500 400 600 null]", "[72 500 400 600]", "21 0 obj")
        }),
        ("ISO 32000-2 7.3.10", "the appearance of a stamp is of another generation", FindingNotWhole, |lab| {
            stamp(lab, "[72 500 400 600]", "[72 500 400 600]", "21 1 obj")
        }),
    ]);
}

/// A page whose content is named behind that word, which many readers pass over; then the content is another.
fn behind(lab: &Lab, word: &str) -> Given {
    const ROOM: &str = "/A 1234567890";
    let page = super::revisions::PAGE.replace("/Contents", &format!("{ROOM} /Contents"));
    let mut document = Pdf::page(AGREED, objects(&[(3, &page)]));
    let at = rfind(&document.bytes, ROOM.as_bytes()).expect("it is there");
    assert!(rfind(&document.bytes, b"/Contents 4 0 R").is_some_and(|contents| at < contents), "behind the word");
    document.bytes[at..at + ROOM.len()].copy_from_slice(format!("{word:13}").as_bytes());
    sign(&mut document, lab, None);
    document.update([(4, stream("", &line(EVIL)))].into_iter().collect());
    pdf(document.bytes)
}

#[test]
fn words_within_a_dictionary() {
    check(&[
        ("ISO 32000-2 7.3.7", "a word that is none", NotPassed, |lab| behind(lab, "foo")),
        ("ISO 32000-2 7.3.10", "the end of the object", NotPassed, |lab| behind(lab, "endobj")),
        ("ISO 32000-2 7.3.10", "the beginning of another", NotPassed, |lab| behind(lab, "obj")),
        ("ISO 32000-2 7.3.8", "the beginning of a stream", NotPassed, |lab| behind(lab, "stream")),
        ("ISO 32000-2 7.3.8", "its end", NotPassed, |lab| behind(lab, "endstream")),
        ("ISO 32000-2 7.5.5", "a trailer", NotPassed, |lab| behind(lab, "trailer")),
        ("ISO 32000-2 7.5.5", "where the cross-references begin", NotPassed, |lab| behind(lab, "startxref")),
    ]);
}
