//! What changed after signing and was not compared, or compared as something else: ISO 32000-1 §7.7, §12.5, §12.8.

use super::Expect::{Finding, FindingNotWhole, NotPassed, Passed};
use super::{Given, check, pdf};
use lacre_testkit::cms::Token;
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::*;

/// A page with a signature field on it.
pub(super) const PAGE: &str = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /Annots [6 0 R] >>";

/// A white page with other words.
pub(super) fn cover(text: &str) -> Object {
    let content = [b"1 1 1 rg 0 0 595 842 re f 0 g ".to_vec(), line(text)].concat();
    stream("/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F 5 0 R >> >>", &content)
}

/// Signs the document: certified with that permission, or not.
pub(super) fn sign(document: &mut Pdf, lab: &Lab, p: Option<u8>) {
    match p {
        Some(p) => {
            let dictionary = certified(p);
            document.sign(lab, &Field { dictionary: &dictionary, catalog: PERMS, ..Field::default() }, Objects::new());
        }
        None => document.sign(lab, &Field::default(), Objects::new()),
    }
}

/// Layers in a dictionary that may be an annotation, too; then one of them is hidden.
fn two_jobs(lab: &Lab, p: Option<u8>, with_annotation: bool) -> Given {
    let layers = |hidden: &str| {
        format!("<< /Type /Annot /Subtype /Text /Rect [0 0 10 10] /F 2 /P 3 0 R /Order [30 0 R] {hidden} [30 0 R] >>")
    };
    let annotations = if with_annotation { "[12 0 R]" } else { "[]" };
    let page = PAGE
        .replace("/Font << /F 5 0 R >>", "/Font << /F 5 0 R >> /Properties << /O1 30 0 R >>")
        .replace("[6 0 R]", annotations);
    let mut all = objects(&[
        (1, "<< /Type /Catalog /OCProperties << /OCGs [30 0 R] /D 12 0 R >> /Pages 2 0 R >>"),
        (3, &page),
        (12, &layers("/ON")),
        (30, "<< /Type /OCG /Name (x) >>"),
    ]);
    let content = [
        line("The buyer pays 1,000,000 euros"),
        b" /OC /O1 BDC BT /F 14 Tf 72 730 Td (unless he withdraws.) Tj ET EMC".to_vec(),
    ]
    .concat();
    all.insert(4, stream("", &content));
    let mut document = Pdf::page("", all);
    sign(&mut document, lab, p);
    document.update(objects(&[(12, &layers("/OFF"))]));
    pdf(document.bytes)
}

/// The same with a text field, which is filled.
fn two_jobs_of_a_field(lab: &Lab) -> Given {
    let field = |value: &str, when: &str| {
        format!(
            "<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [0 0 10 10] /F 2 /P 3 0 R /V ({value}) /ON [30 0 R] /AS [<< /Event /{when} /OCGs [30 0 R] /Category [/{when}] >>] >>"
        )
    };
    let page = PAGE
        .replace("/Font << /F 5 0 R >>", "/Font << /F 5 0 R >> /Properties << /O1 30 0 R >>")
        .replace("[6 0 R]", "[12 0 R]");
    let mut document = Pdf::page(
        "The parties agree.",
        objects(&[
            (
                1,
                "<< /Type /Catalog /OCProperties << /OCGs [30 0 R] /D 12 0 R >> /Pages 2 0 R /AcroForm << /Fields [12 0 R] >> >>",
            ),
            (3, &page),
            (12, &field("1", "Export")),
            (30, "<< /Type /OCG /Name (x) /Usage << /View << /ViewState /OFF >> /Export << /ExportState /ON >> >> >>"),
        ]),
    );
    sign(&mut document, lab, None);
    document.update(objects(&[(12, &field("2", "View"))]));
    pdf(document.bytes)
}

/// A hidden note that is a dictionary of the catalog or of the page, too, which then has an entry more.
fn two_jobs_of_a_dictionary(lab: &Lab, catalog: &str, page: &str, more: &str) -> Given {
    let note =
        |more: &str| format!("<< /Type /Annot /Subtype /Text /Rect [0 0 10 10] /F 2 /P 3 0 R /Contents (x) {more} >>");
    let mut document = Pdf::page(
        "The parties agree.",
        objects(&[
            (1, &format!("<< /Type /Catalog /Pages 2 0 R {catalog} >>")),
            (3, &PAGE.replace("[6 0 R]", &format!("[12 0 R] {page}"))),
            (12, &note("")),
        ]),
    );
    sign(&mut document, lab, None);
    document.update(objects(&[(12, &note(more))]));
    pdf(document.bytes)
}

/// A stamp whose layers are a hidden note, too, which then has an entry more.
fn two_jobs_of_a_membership(lab: &Lab, more: &str) -> Given {
    let layers = |more: &str| format!("<< /Type /OCMD /Subtype /Text /Rect [0 0 10 10] /F 2 /OCGs [30 0 R] {more} >>");
    let mut all = objects(&[
        (1, "<< /Type /Catalog /OCProperties << /OCGs [30 0 R] /D << >> >> /Pages 2 0 R >>"),
        (3, &PAGE.replace("[6 0 R]", "[12 0 R 13 0 R]")),
        (12, &layers("")),
        (13, "<< /Type /Annot /Subtype /Stamp /Rect [72 500 400 600] /F 4 /P 3 0 R /OC 12 0 R /AP << /N 21 0 R >> >>"),
        (30, "<< /Type /OCG /Name (x) >>"),
    ]);
    all.insert(21, cover("Unless he withdraws."));
    let mut document = Pdf::page("The parties agree.", all);
    sign(&mut document, lab, None);
    document.update(objects(&[(12, &layers(more))]));
    pdf(document.bytes)
}

/// A file specification that is an annotation, too; then it has another file.
fn two_jobs_file(lab: &Lab) -> Given {
    let data = |total: &str| {
        let invoice = format!("<invoice><total>{total}</total></invoice>");
        stream("/Type /EmbeddedFile /Subtype /text#2Fxml", invoice.as_bytes())
    };
    let file = |data: u32| {
        format!(
            "<< /Type /Filespec /UF (invoice.xml) /AFRelationship /Alternative /EF << /F {data} 0 R /UF {data} 0 R >> /Subtype /Text /Rect [0 0 10 10] /F 2 /P 3 0 R >>"
        )
    };
    let page = PAGE.replace("[6 0 R]", "[31 0 R]");
    let mut all = objects(&[
        (
            1,
            "<< /Type /Catalog /Pages 2 0 R /AF [31 0 R] /Names << /EmbeddedFiles << /Names [(invoice.xml) 31 0 R] >> >> >>",
        ),
        (3, &page),
        (31, &file(32)),
    ]);
    all.insert(32, data("100.00"));
    let mut document = Pdf::page("The invoice is inside.", all);
    sign(&mut document, lab, None);
    let mut changes = objects(&[(31, &file(33))]);
    changes.insert(33, data("999.00"));
    document.update(changes);
    pdf(document.bytes)
}

/// Two stamps with one appearance, which then is another one.
fn shared(lab: &Lab, first: &str) -> Given {
    let stamp = |flags: &str| {
        format!("<< /Type /Annot /Subtype /Stamp /Rect [72 500 400 600] /F {flags} /P 3 0 R /AP << /N 21 0 R >> >>")
    };
    let shown = |text: &str| {
        stream(
            "/Type /XObject /Subtype /Form /BBox [0 0 328 100] /Resources << /Font << /F 5 0 R >> >>",
            format!("BT /F 14 Tf 2 20 Td ({text}) Tj ET").as_bytes(),
        )
    };
    let page = PAGE.replace("[6 0 R]", "[12 0 R 13 0 R]");
    let mut all = objects(&[(3, &page), (12, &stamp(first)), (13, &stamp("4"))]);
    all.insert(21, shown("Price 1000 euros"));
    let mut document = Pdf::page("The parties agree.", all);
    sign(&mut document, lab, None);
    document.update([(21, shown("Price 9999 euros"))].into_iter().collect());
    pdf(document.bytes)
}

/// A stamp that draws a resource of that name, which then is there.
fn named(lab: &Lab, name: &str) -> Given {
    let page = PAGE.replace("[6 0 R]", "[12 0 R]");
    let mut all = objects(&[
        (3, &page),
        (12, "<< /Type /Annot /Subtype /Stamp /Rect [0 0 595 842] /F 4 /P 3 0 R /AP << /N 21 0 R >> >>"),
        (24, "<< /A 25 0 R >>"),
    ]);
    all.insert(
        21,
        stream(
            "/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject 24 0 R >>",
            format!("/{name} Do").as_bytes(),
        ),
    );
    all.insert(25, cover("x"));
    let mut document = Pdf::page("The parties agree.", all);
    sign(&mut document, lab, None);
    let mut changes = objects(&[(24, &format!("<< /A 25 0 R /{name} 26 0 R >>"))]);
    changes.insert(26, cover(EVIL));
    document.update(changes);
    pdf(document.bytes)
}

/// A text with those entries, which then says something else.
fn free_text(lab: &Lab, more: &str, after: &str) -> Given {
    let text = |words: &str| {
        format!(
            "<< /Type /Annot /Subtype /FreeText /Rect [72 600 400 640] /F 4 /P 3 0 R /Contents ({words}) /DA (/Helv 14 Tf 0 g) {more} >>"
        )
    };
    let page = PAGE.replace("[6 0 R]", "[12 0 R]");
    let mut document = Pdf::page("The parties agree.", objects(&[(3, &page), (12, &text("Price 1000 euros."))]));
    sign(&mut document, lab, None);
    document.update(objects(&[(12, &text(after))]));
    pdf(document.bytes)
}

/// A page, then a stamp of those flags over it.
fn covered(lab: &Lab, p: Option<u8>, flags: &str) -> Given {
    let mut document = Pdf::usual();
    sign(&mut document, lab, p);
    let annotation =
        format!("<< /Type /Annot /Subtype /Stamp /Rect [0 0 595 842] /F {flags} /P 3 0 R /AP << /N 21 0 R >> >>");
    let mut page = document.value(3).clone();
    page.get_mut("Annots").expect("it").push("20 0 R");
    let mut changes = objects(&[(20, &annotation)]);
    changes.insert(3, Object { value: page, stream: None });
    changes.insert(21, cover(EVIL));
    document.update(changes);
    pdf(document.bytes)
}

/// A certified page, then a document time-stamp of those flags that shows something.
fn printed_dts(lab: &Lab, flags: u32) -> Given {
    let mut document = Pdf::usual();
    sign(&mut document, lab, Some(1));
    let hole = "0".repeat(16_384);
    let placeholder = "[0 0000000000 0000000000 0000000000]";
    let mut catalog = document.value(1).clone();
    catalog.get_mut("AcroForm").expect("it").get_mut("Fields").expect("it").push("8 0 R");
    let mut page = document.value(3).clone();
    page.get_mut("Annots").expect("it").push("8 0 R");
    let mut changes = objects(&[
        (
            8,
            &format!(
                "<< /Type /Annot /Subtype /Widget /FT /Sig /T (TimeStamp) /V 9 0 R /P 3 0 R /Rect [0 0 595 842] /F {flags} /AP << /N 21 0 R >> >>"
            ),
        ),
        (
            9,
            &format!(
                "<< /Type /DocTimeStamp /Filter /Adobe.PPKLite /SubFilter /ETSI.RFC3161 /ByteRange {placeholder} /Contents <{hole}> >>"
            ),
        ),
    ]);
    changes.insert(1, Object { value: catalog, stream: None });
    changes.insert(3, Object { value: page, stream: None });
    changes.insert(21, cover(EVIL));
    document.update(changes);
    let mut bytes = document.bytes;
    let start = rfind(&bytes, format!("<{hole}>").as_bytes()).expect("the hole");
    let end = start + hole.len() + 2;
    let range = format!("[0 {start:010} {end:010} {:010}]", bytes.len() - end);
    let at = rfind(&bytes, placeholder.as_bytes()).expect("the range");
    bytes[at..at + range.len()].copy_from_slice(range.as_bytes());
    let token = Token::over(&[&bytes[..start], &bytes[end..]].concat(), "20261126120000Z").by(&lab.tsa);
    let digits: String = token.iter().map(|byte| format!("{byte:02x}")).collect();
    bytes[start + 1..start + 1 + digits.len()].copy_from_slice(digits.as_bytes());
    pdf(bytes)
}

/// A hidden stamp over the page, whose flags another number then states.
fn appearing(lab: &Lab) -> Given {
    let stamp = |flags: &str| {
        format!("<< /Type /Annot /Subtype /Stamp /Rect [0 0 595 842] /F {flags} /P 3 0 R /AP << /N 21 0 R >> >>")
    };
    let mut all = objects(&[(3, &PAGE.replace("[6 0 R]", "[12 0 R]")), (12, &stamp("2"))]);
    all.insert(21, cover(EVIL));
    let mut document = Pdf::page("The parties agree.", all);
    sign(&mut document, lab, None);
    document.update(objects(&[(12, &stamp("2.0"))]));
    pdf(document.bytes)
}

/// A page that is an object of its own or not, then covered by a stamp.
fn covered_page(lab: &Lab, direct: bool, more: &str) -> Given {
    let page = format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> {more} /Annots 13 0 R >>"
    );
    let kid = if direct { page.as_str() } else { "10 0 R" };
    let tree = format!("<< /Type /Pages /Kids [3 0 R {kid}] /Count 2 >>");
    let mut all = objects(&[(2, &tree), (10, &page), (13, "[]")]);
    all.insert(21, cover(EVIL));
    let mut document = Pdf::page("The parties agree.", all);
    sign(&mut document, lab, None);
    document.update(objects(&[
        (13, "[20 0 R]"),
        (20, "<< /Type /Annot /Subtype /Stamp /Rect [0 0 595 842] /F 4 /AP << /N 21 0 R >> >>"),
    ]));
    pdf(document.bytes)
}

/// A page, then a signature that shows words on it.
fn signed_over(lab: &Lab, mut all: Objects, text: &str) -> Given {
    all.entry(4).or_insert_with(|| stream("", format!("BT /F 14 Tf 72 500 Td ({text}) Tj ET").as_bytes()));
    let mut document = Pdf::page(text, all);
    sign(&mut document, lab, None);
    let shown = stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 328 100] /Resources << /Font << /F 5 0 R >> >>",
        b"1 1 1 rg 0 0 328 100 re f 0 g BT /F 14 Tf 2 50 Td (Price 9999 euros) Tj ET",
    );
    let field = Field { rectangle: "[70 450 398 550]", more: "/AP << /N 21 0 R >>", ..SECOND };
    document.sign_with(&field, [(21, shown)].into_iter().collect(), |bytes| lab.pades(&lab.bob, bytes));
    pdf(document.bytes)
}

/// A page whose words are in a Type 3 font.
fn type3(mode: &str) -> Objects {
    let mut all = objects(&[
        (
            5,
            "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 16 0 R >> /Encoding << /Type /Encoding /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [20] /Resources << /Font << /H 17 0 R >> >> >>",
        ),
        (17, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"),
    ]);
    all.insert(16, stream("", b"20 0 d0 0 0 m 10 1 l 20 0 l f"));
    all.insert(4, stream("", format!("BT {mode} /F 14 Tf 72 500 Td (a) Tj ET").as_bytes()));
    all
}

/// A page whose words are in a form among the resources of its parent.
fn inherited(parent: &str) -> Objects {
    let page = format!("<< /Type /Page {parent} /MediaBox [0 0 595 842] /Contents 4 0 R >>");
    let mut all = objects(&[
        (2, "<< /Type /Pages /Kids [3 0 R] /Count 1 /Resources << /XObject << /X 18 0 R >> >> >>"),
        (3, &page),
    ]);
    all.insert(4, stream("", b"/X Do"));
    all.insert(
        18,
        stream(
            "/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F 5 0 R >> >>",
            b"BT /F 14 Tf 72 500 Td (Price 1000 euros) Tj ET",
        ),
    );
    all
}

#[test]
fn an_object_with_two_jobs() {
    check(&[
        ("ISO 32000-1 8.11.4.3", "other layers are shown", NotPassed, |lab| two_jobs(lab, None, false)),
        ("ISO 32000-1 table 164", "the layers are a hidden note, too", NotPassed, |lab| two_jobs(lab, None, true)),
        ("ISO 32000-1 table 254", "the same, and annotations are permitted", NotPassed, |lab| {
            two_jobs(lab, Some(3), true)
        }),
        ("ISO 32000-1 table 101", "the layers are a field that is filled, too", NotPassed, two_jobs_of_a_field),
        ("ISO 32000-2 table 97", "layers of a stamp are a hidden note, too, and hide it", NotPassed, |lab| {
            two_jobs_of_a_membership(lab, "/P /AllOff")
        }),
        ("ISO 32000-2 table 166", "the note names its page", Passed, |lab| two_jobs_of_a_membership(lab, "/P 3 0 R")),
        ("ISO 32000-2 table 197", "actions of the page are a hidden note, too", NotPassed, |lab| {
            two_jobs_of_a_dictionary(lab, "", "/AA 12 0 R", "/C << /S /JavaScript /JS (var a = 1) >>")
        }),
        ("ISO 32000-2 table 200", "actions of the document are", NotPassed, |lab| {
            two_jobs_of_a_dictionary(lab, "/AA 12 0 R", "", "/DS << /S /JavaScript /JS (var a = 1) >>")
        }),
        ("ISO 32000-2 12.3.2.4", "named destinations are", NotPassed, |lab| {
            two_jobs_of_a_dictionary(lab, "/Dests 12 0 R", "", "/C [3 0 R /Fit]")
        }),
        ("ISO 32000-2 12.5.6.4", "the note is nothing else", Passed, |lab| {
            two_jobs_of_a_dictionary(lab, "", "", "/C [1 0 0]")
        }),
        ("ISO 32000-1 7.11.3", "a file specification is a hidden note, too", NotPassed, two_jobs_file),
    ]);
}

#[test]
fn what_comments_share() {
    check(&[
        ("ISO 32000-1 12.5.5", "two stamps share what is shown", FindingNotWhole, |lab| shared(lab, "4")),
        ("ISO 32000-1 12.5.5", "one of them is hidden", FindingNotWhole, |lab| shared(lab, "2")),
        ("ISO 32000-1 7.8.3", "a resource that a stamp draws", FindingNotWhole, |lab| named(lab, "X")),
        ("ISO 32000-1 7.8.3", "its name is that of the date", FindingNotWhole, |lab| named(lab, "M")),
        ("ISO 32000-1 7.8.3", "its name is that of what notes say", FindingNotWhole, |lab| named(lab, "Contents")),
    ]);
}

#[test]
fn texts_without_appearance() {
    check(&[
        ("ISO 32000-1 12.5.6.6", "the same words", Passed, |lab| free_text(lab, "", "Price 1000 euros.")),
        ("ISO 32000-1 12.5.6.6", "other words", FindingNotWhole, |lab| free_text(lab, "", "Price 9999 euros.")),
        ("ISO 32000-1 12.5.5", "an appearance without a normal one", FindingNotWhole, |lab| {
            free_text(lab, "/AP << >>", "Price 9999 euros.")
        }),
    ]);
}

#[test]
fn hidden_for_some() {
    check(&[
        ("ISO 32000-1 12.5.2", "a stamp is shown", FindingNotWhole, |lab| covered(lab, None, "4")),
        ("ISO 32000-1 table 165", "it is printed only", FindingNotWhole, |lab| covered(lab, None, "36")),
        ("ISO 32000-1 table 254", "the same, and annotations are permitted", FindingNotWhole, |lab| {
            covered(lab, Some(3), "36")
        }),
        ("ISO 32000-1 table 165", "it is shown below the pointer", FindingNotWhole, |lab| covered(lab, None, "288")),
        ("EN 319 142-1 5.4.3", "a time-stamp is shown", NotPassed, |lab| printed_dts(lab, 132)),
        ("ISO 32000-1 table 165", "a time-stamp is printed only", NotPassed, |lab| printed_dts(lab, 36)),
        ("ISO 32000-1 table 165", "a stamp is hidden", Passed, |lab| covered(lab, None, "2")),
        ("ISO 32000-1 table 164", "its flags are a real number", FindingNotWhole, |lab| covered(lab, None, "2.0")),
        ("ISO 32000-1 12.5.3", "its flags have more than 32 bits", FindingNotWhole, |lab| {
            covered(lab, None, "4294967298")
        }),
        ("ISO 32000-1 table 164", "its flags become a real number", FindingNotWhole, appearing),
    ]);
}

#[test]
fn pages_that_are_not_found() {
    check(&[
        ("ISO 32000-1 table 30", "a stamp on a page", FindingNotWhole, |lab| covered_page(lab, false, "")),
        ("ISO 32000-1 table 29", "the page has kids", FindingNotWhole, |lab| covered_page(lab, false, "/Kids []")),
        ("ISO 32000-1 table 29", "the page is in its parent", FindingNotWhole, |lab| covered_page(lab, true, "")),
    ]);
}

#[test]
fn content_that_is_not_followed() {
    check(&[
        ("ISO 32000-1 9.6.2", "a signature covers words", Finding, |lab| {
            signed_over(lab, Objects::new(), "Price 1000 euros")
        }),
        ("ISO 32000-1 9.6.5", "words in a Type 3 font", Finding, |lab| signed_over(lab, type3(""), "")),
        ("ISO 32000-1 9.3.6", "the same in mode 3", Finding, |lab| signed_over(lab, type3("3 Tr"), "")),
        ("ISO 32000-1 7.7.3.4", "words in an inherited form", Finding, |lab| {
            signed_over(lab, inherited("/Parent 2 0 R"), "")
        }),
        ("ISO 32000-1 table 30", "the page does not name its parent", Finding, |lab| {
            signed_over(lab, inherited(""), "")
        }),
    ]);
}
