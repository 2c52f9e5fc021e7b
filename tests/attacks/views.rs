//! Files that some readers show otherwise than this one reads them, before an update or after it: ISO 32000-2 §7.4, §7.5, annex F.

use super::Expect::{FindingNotWhole, NotPassed, Passed};
use super::revisions::{PAGE, sign};
use super::{Given, Row, check, pdf};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::*;
use std::io::Write as _;

/// The page in an object stream of an update. By its predictor it is as it was; read without one it has other words.
fn predicted(lab: &Lab, entries: &str) -> Given {
    let mut document = Pdf::usual();
    sign(&mut document, lab, None);
    let good = PAGE.to_owned() + " ";
    let evil = PAGE.replace("/Contents 4 0 R", "/Contents 44 0 R");
    let columns = 200;
    let pad = |text: &str, at: usize| {
        let mut row = vec![b' '; columns];
        row[at..at + text.len()].copy_from_slice(text.as_bytes());
        row
    };
    let (plain, raw) = (pad(&good, 10), pad(&evil, 8));
    let mut first: Vec<u8> = plain.iter().zip(&raw).map(|(plain, raw)| plain.wrapping_sub(*raw)).collect();
    first[..4].copy_from_slice(b"3 0 ");
    let body = [&[0][..], &first, &[2], &raw].concat();
    let holder = stream(&format!("/Type /ObjStm /N 1 /First {} {entries}", columns + 10), &flate(&body));
    appended(&mut document, holder);
    pdf(document.bytes)
}

fn flate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(vec![], Compression::none());
    encoder.write_all(bytes).expect("a Vec takes all");
    encoder.finish().expect("a Vec takes all")
}

/// The page in an object stream of an update, as it was, with that in place of the first bytes of what is deflated.
fn unwrapped(lab: &Lab, header: &[u8]) -> Given {
    let mut document = Pdf::usual();
    sign(&mut document, lab, None);
    let body = flate(format!("3 0 {PAGE} ").as_bytes());
    appended(&mut document, stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", &[header, &body[2..]].concat()));
    pdf(document.bytes)
}

/// The same in one row of a predictor of that kind.
fn rowed(lab: &Lab, kind: u8) -> Given {
    let mut document = Pdf::usual();
    sign(&mut document, lab, None);
    let row = format!("3 0 {PAGE} ");
    let entries = format!(
        "/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns {} >>",
        row.len()
    );
    appended(&mut document, stream(&entries, &flate(&[&[kind], row.as_bytes()].concat())));
    pdf(document.bytes)
}

/// Appends the object stream 20 with object 3, and the content 44.
fn appended(document: &mut Pdf, holder: Object) {
    let mut text = Vec::new();
    let at = document.bytes.len();
    let mut put = |number: u32, object: &Object| {
        let place = at + text.len();
        let bytes = object.stream.clone().unwrap_or_default();
        text.extend(format!("{number} 0 obj\n").bytes());
        text.extend(object.value.bytes());
        text.extend(b"\nstream\n");
        text.extend(bytes);
        text.extend(b"\nendstream\nendobj\n");
        place
    };
    let (holder_at, content_at) = (put(20, &holder), put(44, &stream("", &line(EVIL))));
    let start = at + text.len();
    let row = |kind: u8, middle: usize| [&[kind][..], &(middle as u32).to_be_bytes(), &[0]].concat();
    let rows = [row(2, 20), row(1, holder_at), row(1, content_at), row(1, start)].concat();
    let previous = document.previous.expect("there is one");
    text.extend(format!("45 0 obj\n<< /Type /XRef /Size 46 /W [1 4 1] /Index [3 1 20 1 44 2] /Root 1 0 R /Prev {previous} /Length {} >>\nstream\n", rows.len()).bytes());
    text.extend(rows);
    text.extend(format!("\nendstream\nendobj\nstartxref\n{start}\n%%EOF\n").bytes());
    document.bytes.extend(text);
}

/// A linearized file of that length. With it readers begin with the cross-references behind its first object, which have other words.
fn linearized(lab: &Lab, before: &str, length: impl Fn(usize, usize) -> usize) -> Given {
    let make = |length: usize| {
        let mut document = Pdf::usual();
        let mut head = format!(
            "{before}%PDF-1.7\n1 0 obj\n<< /Linearized 1 /L {length:010} /H [0 0] /O 3 /E 0 /N 1 /T 0 >>\nendobj\n"
        );
        let origin = before.len();
        let table_at = head.len() - origin;
        let rows = |places: &[usize]| {
            let rows: String = places.iter().map(|place| format!("{place:010} 00000 n \n")).collect();
            format!(
                "xref\n0 1\n0000000000 65535 f \n2 {}\n{rows}trailer\n<< /Size 8 /Root 2 0 R >>\nstartxref\n0\n%%EOF\n",
                places.len()
            )
        };
        let evil = String::from_utf8(line(EVIL)).expect("text");
        let bodies = [
            "<< /Type /Catalog /Pages 3 0 R >>".to_owned(),
            "<< /Type /Pages /Kids [4 0 R] /Count 1 >>".to_owned(),
            "<< /Type /Page /Parent 3 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F 6 0 R >> >> >>".to_owned(),
            format!("<< /Length {} >>\nstream\n{evil}\nendstream", evil.len()),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
        ];
        let mut at = table_at + rows(&[0; 5]).len();
        let (mut places, mut text) = (vec![], String::new());
        for (number, body) in (2..).zip(&bodies) {
            let object = format!("{number} 0 obj\n{body}\nendobj\n");
            places.push(at);
            at += object.len();
            text += &object;
        }
        head += &rows(&places);
        head += &text;
        let mut more = objects(&[
            (1, "<< /Type /Catalog /Pages 2 0 R >>"),
            (2, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
            (
                3,
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
            ),
            (5, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"),
        ]);
        more.insert(4, stream("", &line("The parties agree.")));
        document.bytes = head.into_bytes();
        document.previous = None;
        document.update(more);
        sign(&mut document, lab, None);
        let signed = document.bytes.len();
        document.update(objects(&[(60, "<< /Type /DSS >>")]));
        let last = document.bytes.len();
        (document, signed, last)
    };
    let (_, signed, last) = make(0);
    let (document, ..) = make(length(signed, last));
    pdf(document.bytes)
}

/// A file of a portfolio, with a column that its item gives; then the item gives something else.
fn item(lab: &Lab, key: &str) -> Given {
    let file = |value: &str| {
        format!("<< /Type /Filespec /F (a.txt) /UF (a.txt) /EF << /F 31 0 R >> /CI << /{key} ({value}) >> >>")
    };
    let mut all = objects(&[
        (
            1,
            &format!(
                "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a.txt) 30 0 R] >> >> /Collection << /Schema << /{key} << /Subtype /S /N (Price) >> >> >> >>"
            ),
        ),
        (3, PAGE),
        (30, &file("1,000")),
    ]);
    all.insert(31, stream("/Type /EmbeddedFile", b"a"));
    let mut document = Pdf::page("The parties agree.", all);
    sign(&mut document, lab, None);
    document.update(objects(&[(30, &file("1,000,000"))]));
    pdf(document.bytes)
}

/// A note of the signed page, of that text, with an empty field on it, which is filled then.
fn filled_over(lab: &Lab, note: &str, rect: &str) -> Given {
    let field = |value: &str| {
        format!(
            "<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /P 3 0 R /Rect {rect} /F 4 /DA (/F 12 Tf 0 g) {value} >>"
        )
    };
    let mut all = objects(&[
        (1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [11 0 R] /SigFlags 3 >> >>"),
        (3, &PAGE.replace("[6 0 R]", "[10 0 R 11 0 R]")),
        (10, note),
        (11, &field("")),
    ]);
    let appearance = "/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /F 5 0 R >> >>";
    all.insert(23, stream(appearance, b"1 1 98 18 re S"));
    all.insert(22, stream(appearance, b"BT /F 14 Tf 2 5 Td (Price 1000) Tj ET"));
    let mut document = Pdf::page("The parties agree.", all);
    sign(&mut document, lab, Some(2));
    let shown = "1 1 1 rg 0 0 100 20 re f 0 g BT /F 14 Tf 2 5 Td (9999) Tj ET";
    let changes = [(11, object(&field("/V (9999) /AP << /N 21 0 R >>"))), (21, stream(appearance, shown.as_bytes()))];
    document.update(changes.into_iter().collect());
    pdf(document.bytes)
}

/// A structure of two elements, of which the page has the first; then it has the second.
fn other_words(lab: &Lab, page: &str) -> Given {
    let all = [
        (1, "<< /Type /Catalog /Pages 2 0 R /MarkInfo << /Marked true >> /StructTreeRoot 30 0 R >>"),
        (3, &*PAGE.replace("/Annots [6 0 R]", "/StructParents 0")),
        (30, "<< /Type /StructTreeRoot /K [31 0 R 32 0 R] /ParentTree << /Nums [0 [31 0 R] 1 [32 0 R]] >> >>"),
        (31, "<< /Type /StructElem /S /P /P 30 0 R /Pg 3 0 R /K 0 >>"),
        (32, "<< /Type /StructElem /S /P /P 30 0 R /Pg 3 0 R /K 0 /ActualText (The buyer pays.) >>"),
    ];
    let mut document = Pdf::page("The parties agree.", objects(&all));
    sign(&mut document, lab, Some(1));
    document.update(objects(&[(3, page)]));
    pdf(document.bytes)
}

/// Words in a form that is moved far away and back; then not as far away.
fn moved(lab: &Lab, again: &str) -> Given {
    let form = |far: &str| {
        let entries = format!(
            "/Type /XObject /Subtype /Form /BBox [0 0 600 900] /Matrix [1 0 0 1 {far} 0] /Resources << /Font << /F 5 0 R >> >>"
        );
        stream(&entries, &line("The parties agree."))
    };
    let page = PAGE.replace("/Annots [6 0 R]", "").replace("/Font", "/XObject << /X 20 0 R >> /Font");
    let mut all = objects(&[(3, &*page)]);
    all.insert(4, stream("", b"1 0 0 1 -1000000000 0 cm /X Do"));
    all.insert(20, form("1000000000.0"));
    let mut document = Pdf::page("", all);
    sign(&mut document, lab, None);
    document.update([(20, form(again))].into_iter().collect());
    pdf(document.bytes)
}

const FREE_TEXT: &str =
    "<< /Type /Annot /Subtype /FreeText /Rect [105 495 205 515] /F 4 /P 3 0 R /Contents (Price 1000) /DA (/F 12 Tf) >>";
const STAMP: &str = "<< /Type /Annot /Subtype /Stamp /Rect [105 495 205 515] /F 4 /P 3 0 R /AP << /N 22 0 R >> >>";

#[test]
fn object_streams_that_readers_decode_otherwise() {
    let rows: &[Row] = &[
        ("ISO 32000-2 table 5", "parameters in an array, of a filter that is in none", NotPassed, |lab| {
            predicted(lab, "/Filter /FlateDecode /DecodeParms [<< /Predictor 12 /Columns 200 >>]")
        }),
        ("ISO 32000-2 table 5", "parameters in no array, of a filter that is in one", NotPassed, |lab| {
            predicted(lab, "/Filter [/FlateDecode] /DecodeParms << /Predictor 12 /Columns 200 >>")
        }),
        ("ISO 32000-2 table 5", "a filter by the key of inline images", NotPassed, |lab| {
            predicted(lab, "/Filter /FlateDecode /F /FlateDecode /DecodeParms << /Predictor 12 /Columns 200 >>")
        }),
        ("RFC 1950 2.2", "a stream without the header of zlib", NotPassed, |lab| unwrapped(lab, b"")),
        ("RFC 1950 2.2", "one with it", Passed, |lab| unwrapped(lab, &[0x48, 0x89])),
        ("PNG 9.2", "a row of a kind that there is not", NotPassed, |lab| rowed(lab, 9)),
        ("PNG 9.2", "a row as it is", Passed, |lab| rowed(lab, 0)),
        ("ISO 32000-2 7.4.4.4", "rows that every reader reads", Passed, |lab| {
            predicted(lab, "/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 200 >>")
        }),
    ];
    check(rows);
}

#[test]
fn files_that_are_linearized_for_some_time() {
    check(&[
        ("ISO 32000-2 F.3.3", "never as long as it says", Passed, |lab| linearized(lab, "", |_, _| 0)),
        ("ISO 32000-2 F.3.3", "as long once it is updated", NotPassed, |lab| linearized(lab, "", |_, last| last)),
        ("ISO 32000-2 F.3.3", "as long when it was signed", NotPassed, |lab| linearized(lab, "", |signed, _| signed)),
        ("ISO 32000-2 F.3.3", "as long once it is updated, from the header", NotPassed, |lab| {
            linearized(lab, "junk\n", |_, last| last - 5)
        }),
        ("ISO 32000-2 F.3.3", "as long from the first byte", NotPassed, |lab| {
            linearized(lab, "junk\n", |_, last| last)
        }),
    ]);
}

#[test]
fn words_beside_the_page() {
    check(&[
        ("ISO 32000-2 7.11.6", "a column of a collection", NotPassed, |lab| item(lab, "Price")),
        ("ISO 32000-2 7.11.6", "one that is called as what iText says of itself", NotPassed, |lab| item(lab, "ITXT")),
        ("ISO 32000-2 14.7.5.4", "the page stays that of its words", Passed, |lab| {
            other_words(lab, &PAGE.replace("/Annots", "/StructParents 0 /Annots"))
        }),
        ("ISO 32000-2 14.7.5.4", "the page is that of other words", NotPassed, |lab| {
            other_words(lab, &PAGE.replace("/Annots", "/StructParents 1 /Annots"))
        }),
    ]);
}

#[test]
fn numbers_that_are_nearly_the_same() {
    check(&[
        ("ISO 32000-2 7.3.3", "another spelling", Passed, |lab| moved(lab, "1000000000.00")),
        ("ISO 32000-2 7.3.3", "a number that is another one in double precision", NotPassed, |lab| {
            moved(lab, "1000000031.0")
        }),
    ]);
}

#[test]
fn fields_over_annotations() {
    check(&[
        ("ISO 32000-2 12.5.6.6", "a field on words of an annotation", FindingNotWhole, |lab| {
            filled_over(lab, FREE_TEXT, "[140 495 180 515]")
        }),
        ("ISO 32000-2 12.5.6.12", "a field on a stamp", FindingNotWhole, |lab| {
            filled_over(lab, STAMP, "[105 495 205 515]")
        }),
        ("ISO 32000-2 12.5.6.6", "a field beside them", Passed, |lab| filled_over(lab, FREE_TEXT, "[210 495 250 515]")),
        ("ISO 32000-2 12.5.6.8", "a field in a frame", Passed, |lab| {
            filled_over(lab, &STAMP.replace("22 0 R", "23 0 R"), "[105 495 205 515]")
        }),
    ]);
}
