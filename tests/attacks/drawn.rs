//! What viewers draw more than once, not at all, or by themselves: ISO 32000-2 §11.3, §12.5, §12.7.4.

use super::Expect::{Finding, FindingNotWhole, NotPassed, Passed};
use super::revisions::{PAGE, sign};
use super::{Given, check, pdf};
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::*;

/// A white stamp over the page that nobody sees, because it is nearly transparent; then the page has those annotations.
fn veiled(lab: &Lab, annotations: &str) -> Given {
    let page = |annotations: &str| object(&PAGE.replace("[6 0 R]", annotations));
    let mut all =
        objects(&[(12, "<< /Type /Annot /Subtype /Stamp /Rect [0 0 595 842] /F 4 /P 3 0 R /AP << /N 21 0 R >> >>")]);
    all.insert(3, page("[12 0 R]"));
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /ExtGState << /G << /ca 0.02 >> >> >>";
    all.insert(21, stream(form, b"/G gs 1 1 1 rg 0 0 595 842 re f"));
    let mut document = Pdf::page("The parties agree.", all);
    sign(&mut document, lab, Some(1));
    document.update([(3, page(annotations))].into_iter().collect());
    pdf(document.bytes)
}

/// A text on the page, which then has that entry more.
fn text(lab: &Lab, p: u8, more: &str) -> Given {
    let text = |more: &str| {
        format!(
            "<< /Type /Annot /Subtype /FreeText /Rect [72 600 400 640] /F 4 /P 3 0 R /Contents (Under protest.) /DA (/Helv 14 Tf 0 g) {more} >>"
        )
    };
    let note = "<< /Type /Annot /Subtype /Text /Rect [500 780 520 800] /F 28 /P 3 0 R /Contents (x) >>";
    let all = objects(&[(3, &*PAGE.replace("[6 0 R]", "[12 0 R 13 0 R]")), (12, &text("")), (13, note)]);
    let mut document = Pdf::page("The parties agree.", all);
    sign(&mut document, lab, Some(p));
    document.update(objects(&[(12, &text(more))]));
    pdf(document.bytes)
}

/// A page with a price at 102, 500, on which annotations are permitted; then it has that one.
fn beside(lab: &Lab, annotation: &str) -> Given {
    // Numbers that readers who count modulo 2³² take for 60 and 300.
    let mut all = objects(&[(30, "4294967356"), (31, "4294967596")]);
    all.insert(4, stream("", b"BT /F 14 Tf 72 500 Td (Price 1000 euros) Tj ET"));
    let mut document = Pdf::page("", all);
    sign(&mut document, lab, Some(3));
    let mut page = document.value(3).clone();
    page.get_mut("Annots").expect("it").push("20 0 R");
    let mut changes = objects(&[(20, &format!("<< /Type /Annot /F 4 /P 3 0 R /Contents (x) {annotation} >>"))]);
    changes.insert(3, Object { value: page, stream: None });
    document.update(changes);
    pdf(document.bytes)
}

/// The same file, with a byte for the last tilde in it.
fn with_byte(mut given: Given, byte: u8) -> Given {
    let at = rfind(&given.bytes, b"~").expect("there is one");
    given.bytes[at] = byte;
    given
}

/// A page, then signed by another in a field of that rectangle, with an appearance of that box and content.
fn signed_in(lab: &Lab, rectangle: &str, frame: &str, content: &str) -> Given {
    let mut document = Pdf::usual();
    sign(&mut document, lab, Some(2));
    let field = Field { rectangle, more: "/AP << /N 21 0 R >>", ..SECOND };
    let form = format!("/Type /XObject /Subtype /Form /BBox {frame} /Resources << /Font << /F 5 0 R >> >>");
    let shown = [(21, stream(&form, content.as_bytes()))];
    document.sign_with(&field, shown.into_iter().collect(), |bytes| lab.pades(&lab.bob, bytes));
    pdf(document.bytes)
}

const WORDS: &str = "BT /F 14 Tf 2 5 Td (99) Tj ET";

/// An empty field at 300, 300, which is filled then, with that appearance.
fn filled(lab: &Lab, content: &str) -> Given {
    filled_by(lab, content, "")
}

/// The same with a font `/T` whose only glyph `a` is that content.
fn filled_by(lab: &Lab, content: &str, glyph: &str) -> Given {
    let field = |value: &str| {
        object(&format!(
            "<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /P 3 0 R /Rect [300 300 400 320] /F 4 /DA (/F 12 Tf 0 g) {value} >>"
        ))
    };
    let mut all = objects(&[
        (1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [11 0 R] /SigFlags 3 >> >>"),
        (3, &*PAGE.replace("[6 0 R]", "[11 0 R]")),
    ]);
    all.insert(11, field(""));
    let mut document = Pdf::page("The parties agree.", all);
    sign(&mut document, lab, Some(2));
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /F 5 0 R /T 22 0 R >> >>";
    let font = "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 0 0] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 97 /LastChar 97 /Widths [500] /Encoding << /Differences [97 /a] >> /CharProcs << /a 23 0 R >> /Resources << >> >>";
    let mut changes: Objects = [(11, field("/V (99) /AP << /N 21 0 R >>")), (22, object(font))].into_iter().collect();
    changes.extend([(21, stream(form, content.as_bytes())), (23, stream("", glyph.as_bytes()))]);
    document.update(changes);
    pdf(document.bytes)
}

#[test]
fn letters_without_width_or_height() {
    check(&[
        ("ISO 32000-2 9.4.4", "letters", Passed, |lab| filled(lab, WORDS)),
        ("ISO 32000-2 9.4.4", "narrow ones", Passed, |lab| filled(lab, "BT 50 Tz /F 14 Tf 2 5 Td (99) Tj ET")),
        ("ISO 32000-2 9.4.4", "slanted ones, turned", Passed, |lab| {
            filled(lab, "BT /F 14 Tf 0 1 -1 0.3 50 5 Tm (99) Tj ET")
        }),
        ("ISO 32000-2 9.4.4", "ones of hardly any width", FindingNotWhole, |lab| {
            filled(lab, "BT /F 14 Tf 0.03 0 0 1 50 5 Tm (99) Tj ET")
        }),
        ("ISO 32000-2 7.2.3", "the same, to a reader that ends the operator sooner", FindingNotWhole, |lab| {
            with_byte(filled(lab, "BT /F 14 Tf 0.03 0 0 1 50 5 Tm~ (99) Tj ET"), 0x80)
        }),
        ("ISO 32000-2 9.3.4", "the same by a scale", FindingNotWhole, |lab| {
            filled(lab, "BT 3 Tz /F 14 Tf 50 5 Td (99) Tj ET")
        }),
        ("ISO 32000-2 9.4.4", "ones that are hardly more than a slanted line", FindingNotWhole, |lab| {
            filled(lab, "BT /F 5 Tf 1 1 1 1.05 50 5 Tm (99) Tj ET")
        }),
        ("ISO 32000-2 8.4.2", "a state that is saved and restored", Passed, |lab| {
            filled(lab, "q BT /F 14 Tf 2 5 Td (99) Tj ET Q")
        }),
        ("ISO 32000-2 8.4.2", "one that is restored and was not saved", FindingNotWhole, |lab| {
            filled(lab, "Q 1 0 0 rg -900 -900 2000 2000 re f")
        }),
        ("ISO 32000-2 8.3.4", "ones of hardly any size", FindingNotWhole, |lab| {
            filled(lab, "q 0.00001 0 0 0.00001 50 10 cm BT /F 14 Tf (99) Tj ET Q")
        }),
    ]);
}

#[test]
fn glyphs_that_are_content_streams() {
    const TEXT: &str = "BT /T 10 Tf 2 5 Td (aa) Tj ET";
    check(&[
        ("ISO 32000-2 9.6.4", "a glyph within the box", Passed, |lab| {
            filled_by(lab, TEXT, "500 0 0 0 400 700 d1 0 0 400 700 re f")
        }),
        ("ISO 32000-2 9.6.4", "one that is larger than the page", FindingNotWhole, |lab| {
            filled_by(lab, TEXT, "500 0 0 0 10 10 d1 -90000 -90000 180000 180000 re f")
        }),
        ("ISO 32000-2 9.6.4", "an image that is larger than the box", FindingNotWhole, |lab| {
            filled_by(lab, TEXT, "500 0 0 0 10 10 d1 9000 0 0 9000 0 0 cm BI /W 1 /H 1 /IM true /BPC 1 ID \0 EI")
        }),
        ("ISO 32000-2 9.6.4", "one that nobody shows", Passed, |lab| {
            filled_by(lab, WORDS, "500 0 0 0 10 10 d1 -90000 -90000 180000 180000 re f")
        }),
    ]);
}

#[test]
fn annotations_that_are_drawn_again_and_again() {
    check(&[
        ("ISO 32000-2 12.5.2", "a stamp once, as before", Passed, |lab| veiled(lab, "[12 0 R 6 0 R]")),
        ("ISO 32000-2 11.3.6", "a stamp 300 times", NotPassed, |lab| {
            veiled(lab, &format!("[{}6 0 R]", "12 0 R ".repeat(300)))
        }),
    ]);
}

#[test]
fn texts_that_become_replies() {
    check(&[
        ("ISO 32000-2 table 172", "annotations are permitted", FindingNotWhole, |lab| text(lab, 3, "/IRT 13 0 R")),
        ("ISO 32000-2 table 172", "they are not", NotPassed, |lab| text(lab, 2, "/IRT 13 0 R")),
        ("ISO 32000-2 table 172", "the text stays", Passed, |lab| text(lab, 2, "")),
    ]);
}

#[test]
fn annotations_that_reach_out_of_their_rectangle() {
    check(&[
        ("ISO 32000-2 table 178", "a line", Passed, |lab| {
            beside(lab, "/Subtype /Line /Rect [80 480 170 496] /L [105 490 135 490] /BS << /W 3 >>")
        }),
        ("ISO 32000-2 table 179", "circles at its ends, on the price", FindingNotWhole, |lab| {
            beside(
                lab,
                "/Subtype /Line /Rect [80 480 170 496] /L [105 490 135 490] /BS << /W 3 >> /LE [/Circle /Circle] /IC [1 1 1]",
            )
        }),
        ("ISO 32000-2 table 170", "a square", Passed, |lab| {
            beside(lab, "/Subtype /Square /Rect [105 470 135 492] /BS << /W 1 >>")
        }),
        ("ISO 32000-2 table 170", "clouds around it", FindingNotWhole, |lab| {
            beside(lab, "/Subtype /Square /Rect [105 470 135 492] /BS << /W 1 >> /BE << /S /C /I 2 >>")
        }),
        ("ISO 32000-2 12.5.6.15", "the icon of a file around a point", FindingNotWhole, |lab| {
            beside(lab, "/Subtype /FileAttachment /Rect [115 493 115 493] /FS << /Type /Filespec /F (x) >>")
        }),
        ("ISO 32000-2 12.5.6.11", "a caret above its rectangle", FindingNotWhole, |lab| {
            beside(lab, "/Subtype /Caret /Rect [115 493 116 494]")
        }),
        ("ISO 32000-2 12.5.6.4", "the icon of a note above its rectangle", FindingNotWhole, |lab| {
            beside(lab, "/Subtype /Text /Rect [115 485 116 486]")
        }),
        ("ISO 32000-2 table 168", "a note that has no normal appearance", FindingNotWhole, |lab| {
            beside(lab, "/Subtype /Text /Rect [115 520 115 520] /AP << >>")
        }),
        ("ISO 32000-2 table 168", "a line that has none, with a caption", FindingNotWhole, |lab| {
            beside(lab, "/Subtype /Line /Rect [80 480 170 485] /L [105 485 135 485] /Cap true /AP << >>")
        }),
    ]);
}

#[test]
fn words_in_rectangles_without_width_or_height() {
    check(&[
        ("ISO 32000-2 12.5.5", "words in a point", Finding, |lab| {
            signed_in(lab, "[300 300 300 300]", "[0 0 100 20]", WORDS)
        }),
        ("ISO 32000-2 12.5.5", "words on a line", Finding, |lab| {
            signed_in(lab, "[300 300 300 320]", "[0 0 100 20]", WORDS)
        }),
        ("ISO 32000-2 12.5.5", "words in nearly a point", Finding, |lab| {
            signed_in(lab, "[300 300 300.001 300.001]", "[0 0 100 20]", WORDS)
        }),
        ("ISO 32000-2 12.5.5", "words in a box that is much larger", Finding, |lab| {
            signed_in(lab, "[300 300 400 320]", "[0 0 1000000 1000000]", WORDS)
        }),
        ("ISO 32000-2 12.5.5", "a point in a point", Passed, |lab| {
            signed_in(lab, "[300 300 300 300]", "[0 0 0 0]", WORDS)
        }),
        ("ISO 32000-2 12.5.5", "no words in a point", Passed, |lab| {
            signed_in(lab, "[0 0 0 0]", "[0 0 100 100]", "% DSBlank")
        }),
    ]);
}

#[test]
fn marks_of_words_are_rounded() {
    check(&[
        ("ISO 32000-2 12.5.6.10", "a highlight", Passed, |lab| {
            beside(
                lab,
                "/Subtype /Highlight /Rect [230 300 270 340] /C [0] /QuadPoints [230 340 270 340 230 300 270 300]",
            )
        }),
        ("ISO 32000-2 12.5.6.10", "its round end on the price", FindingNotWhole, |lab| {
            beside(
                lab,
                "/Subtype /Highlight /Rect [230 230 270 770] /C [0] /QuadPoints [230 770 270 770 230 230 270 230]",
            )
        }),
    ]);
}

#[test]
fn what_some_readers_cut_off() {
    check(&[
        ("ISO 32000-2 7.3.5", "a key", Passed, |lab| {
            beside(lab, "/Subtype /Square /Rect [300 100 340 140] /Rect#41 [60 490 300 520]")
        }),
        ("ISO 32000-2 7.3.5", "a key with a zero at its end", NotPassed, |lab| {
            beside(lab, "/Subtype /Square /Rect [300 100 340 140] /Rect#00 [60 490 300 520]")
        }),
        ("ISO 32000-2 7.2.3", "a key with a byte at its end that PDFium takes for a blank", NotPassed, |lab| {
            with_byte(beside(lab, "/Subtype /Square /Rect [300 100 340 140] /Rect~ [60 490 300 520]"), 0x80)
        }),
        ("ISO 32000-2 7.2.3", "another one", NotPassed, |lab| {
            with_byte(beside(lab, "/Subtype /Square /Rect [300 100 340 140] /Rect~ [60 490 300 520]"), 0xFF)
        }),
        ("ISO 32000-2 7.2.3", "one that it does not", Passed, |lab| {
            with_byte(beside(lab, "/Subtype /Square /Rect [300 100 340 140] /Rect~ [60 490 300 520]"), 0xE9)
        }),
        ("ISO 32000-2 annex C", "numbers that 32 bits hold", Passed, |lab| {
            beside(lab, "/Subtype /Square /Rect [2147483060 490 2147483300.5 520]")
        }),
        ("ISO 32000-2 annex C", "whole numbers beyond", NotPassed, |lab| {
            beside(lab, "/Subtype /Square /Rect [4294967356 490 4294967596 520]")
        }),
        ("ISO 32000-2 annex C", "real numbers beyond", NotPassed, |lab| {
            beside(lab, "/Subtype /Square /Rect [4294967356.0 490 4294967596.0 520]")
        }),
        ("ISO 32000-2 annex C", "numbers of the signed revision", FindingNotWhole, |lab| {
            beside(lab, "/Subtype /Square /Rect [30 0 R 490 31 0 R 520]")
        }),
    ]);
}

/// A page, then notes of 36 by 36 from 100, 400 on, each so far from the one before, of that look.
fn noted(lab: &Lab, count: usize, step: usize, content: &str) -> Given {
    let mut document = Pdf::usual();
    sign(&mut document, lab, None);
    let mut page = document.value(3).clone();
    const LETTER: &str = "/Type /XObject /Subtype /Form /BBox [0 0 36 36] /Resources << >>";
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 36 36] /Resources << /Font << /F 5 0 R >> /ExtGState << /G << /SMask << /S /Alpha /G 29 0 R >> >> >> /Pattern << /P 28 0 R >> >>";
    let mut changes: Objects = [(30, stream(form, content.as_bytes()))].into_iter().collect();
    changes.insert(28, stream("/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9", b""));
    changes.insert(29, stream(LETTER, b"0 0 9 9 re f"));
    for (number, x) in (31..).zip((100..).step_by(step)).take(count) {
        let right = x + 36;
        let note = format!(
            "<< /Type /Annot /Subtype /Text /F 4 /P 3 0 R /Contents (x) /Rect [{x} 400 {right} 436] /AP << /N 30 0 R >> >>"
        );
        changes.insert(number, object(&note));
        page.get_mut("Annots").expect("it").push(&format!("{number} 0 R"));
    }
    changes.insert(3, Object { value: page, stream: None });
    document.update(changes);
    pdf(document.bytes)
}

#[test]
fn notes_that_are_words_together() {
    const BUBBLE: &str = "1 1 0 rg 4 4 28 28 re f 8 12 m 28 20 l S";
    check(&[
        ("ISO 32000-2 12.5.6.4", "two notes", Passed, |lab| noted(lab, 2, 72, BUBBLE)),
        ("ISO 32000-2 12.5.6.4", "strokes side by side", FindingNotWhole, |lab| noted(lab, 2, 36, BUBBLE)),
        ("ISO 32000-2 12.5.6.4", "a note that shows text", FindingNotWhole, |lab| {
            noted(lab, 1, 72, "BT /F 9 Tf 2 10 Td (not) Tj ET")
        }),
        ("ISO 32000-2 8.7.3", "one that is filled with a pattern", FindingNotWhole, |lab| {
            noted(lab, 1, 72, "/Pattern cs /P scn 0 0 36 36 re f")
        }),
        ("ISO 32000-2 11.6.5.2", "one that is painted through a mask", FindingNotWhole, |lab| {
            noted(lab, 1, 72, "/G gs 0 0 36 36 re f")
        }),
        ("ISO 32000-2 12.5.6.4", "one that shows an image", FindingNotWhole, |lab| {
            noted(lab, 1, 72, "q 36 0 0 36 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID a EI Q")
        }),
    ]);
}

/// A page, then a field to sign on those.
fn to_sign(lab: &Lab, rectangle: &str) -> Given {
    let mut document = Pdf::page("The parties agree.", Objects::new());
    sign(&mut document, lab, None);
    let field = format!("<< /Type /Annot /Subtype /Widget /FT /Sig /T (b) /F 4 /P 3 0 R /Rect {rectangle} >>");
    let (mut page, mut catalog) = (document.value(3).clone(), document.value(1).clone());
    page.get_mut("Annots").expect("it").push("30 0 R");
    catalog.get_mut("AcroForm").and_then(|form| form.get_mut("Fields")).expect("it").push("30 0 R");
    let mut changes = objects(&[(30, &field)]);
    changes.extend([(3, page), (1, catalog)].map(|(number, value)| (number, Object { value, stream: None })));
    document.update(changes);
    pdf(document.bytes)
}

#[test]
fn fields_to_sign_on_words() {
    check(&[
        ("ISO 32000-2 12.7.5.5", "beside the words", Passed, |lab| to_sign(lab, "[72 600 200 640]")),
        ("ISO 32000-2 12.7.5.5", "on the words, which MuPDF hides by a ribbon", FindingNotWhole, |lab| {
            to_sign(lab, "[72 750 200 780]")
        }),
        ("ISO 32000-2 12.7.5.5", "of no size", Passed, |lab| to_sign(lab, "[80 760 80 760]")),
    ]);
}

#[test]
fn looks_that_many_share() {
    check(&[
        ("ISO 32000-2 12.5.5", "a small one", Passed, |lab| pdf(Pdf::stamped(lab, 1_000, 1))),
        ("ISO 32000-2 12.5.5", "one that is long", Passed, |lab| pdf(Pdf::stamped(lab, 1_000, 5_000))),
    ]);
}

/// A page with a layer and a stamp, on which annotations are permitted; then another one, with that look, comes before.
fn layered(lab: &Lab, content: &str) -> Given {
    let stamp = |look: u32, area: &str| {
        format!("<< /Type /Annot /Subtype /Stamp /F 4 /P 3 0 R /Rect [{area}] /AP << /N {look} 0 R >> >>")
    };
    let page = |annotations: &str| PAGE.replace("[6 0 R]", annotations);
    let mut all = objects(&[
        (1, "<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [30 0 R] /D << /Order [30 0 R] >> >> >>"),
        (3, &*page("[12 0 R]")),
        (12, &stamp(21, "72 500 200 520")),
        (30, "<< /Type /OCG /Name (L) >>"),
        (31, "<< /Type /OCMD /OCGs [30 0 R] /P /AllOff >>"),
    ]);
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 128 20] /Resources << /Font << /F 5 0 R >> /Properties << /L 31 0 R >> >>";
    all.insert(21, stream(form, b"BT /F 14 Tf 2 5 Td (void) Tj ET"));
    let mut document = Pdf::page("The parties agree.", all);
    sign(&mut document, lab, Some(3));
    let stamps = document.value(3).to_string().replace("12 0 R", "13 0 R 12 0 R");
    let mut changes = objects(&[(3, &*stamps), (13, &stamp(22, "300 100 428 120"))]);
    changes.insert(22, stream(form, content.as_bytes()));
    document.update(changes);
    pdf(document.bytes)
}

#[test]
fn optional_content_that_does_not_end() {
    check(&[
        ("ISO 32000-2 14.6.1", "one that ends", Passed, |lab| layered(lab, "/OC /L BDC 0 0 9 9 re f EMC")),
        ("ISO 32000-2 14.6.1", "other marked content that does not", Passed, |lab| {
            layered(lab, "/Tx BMC 0 0 9 9 re f")
        }),
        ("ISO 32000-2 14.6.1", "one that does not, and hides the stamp above", FindingNotWhole, |lab| {
            layered(lab, "0 0 9 9 re f /OC /L BDC")
        }),
        ("ISO 32000-2 14.6.1", "one that ends with the other", Passed, |lab| {
            layered(lab, "/Tx BMC /OC /L BDC 0 0 9 9 re f EMC EMC")
        }),
    ]);
}
