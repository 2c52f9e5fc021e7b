//! Where annotations and fields are shown, and over what: ISO 32000-2 §8.7.4, §9.6.4, §12.5, §12.7.

use super::Expect::{Finding, FindingNotWhole, NotPassed, Passed};
use super::revisions::sign;
use super::{Given, check, pdf};
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::*;

/// A form XObject of that size with that content.
fn appearance(size: &str, content: &str) -> Object {
    let dictionary = format!("/Type /XObject /Subtype /Form /BBox [0 0 {size}] /Resources << /Font << /F 5 0 R >> >>");
    stream(&dictionary, content.as_bytes())
}

const WHITE: &str = "1 1 1 rg 0 0 35 20 re f 0 g BT /F 14 Tf 2 5 Td (9999) Tj ET";
const PRICE: &str = "BT /F 14 Tf 72 500 Td (Price 1000 euros) Tj ET";

/// An empty page and one with words, of which both have these annotations; then those objects are others.
fn shared(lab: &Lab, annotations: &str, before: &[(u32, &str)], after: &[(u32, &str)]) -> Given {
    let page = |contents: &str| {
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] {contents} /Resources << /Font << /F 5 0 R >> >> /Annots {annotations} >>"
        )
    };
    let mut all = objects(&[
        (1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [12 0 R] /SigFlags 3 >> >>"),
        (2, "<< /Type /Pages /Kids [3 0 R 10 0 R 14 0 R] /Count 3 >>"),
        (3, &page("")),
        (10, &page("/Contents 4 0 R")),
        // The signature's page.
        (14, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>"),
    ]);
    all.extend(objects(before));
    all.insert(4, stream("", PRICE.as_bytes()));
    let mut document = Pdf::page("", all);
    document.sign(lab, &Field { page: 14, ..Field::default() }, Objects::new());
    let mut changes = objects(after);
    changes.insert(21, appearance("35 20", WHITE));
    document.update(changes);
    pdf(document.bytes)
}

const NOTE: &str = "<< /Type /Annot /Subtype /Text /Rect [105 495 140 515] /F 4 /Contents (x) /AP << /N 21 0 R >> >>";
const EMPTY: &str =
    "<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [105 495 140 515] /F 4 /DA (/F 12 Tf 0 g) >>";
const FULL: &str = "<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (9999) /Rect [105 495 140 515] /F 4 /DA (/F 12 Tf 0 g) /AP << /N 21 0 R >> >>";

#[test]
fn annotations_that_pages_share() {
    check(&[
        (
            "ISO 32000-2 12.5.2",
            "a list of annotations gets a note, over the words of one page",
            FindingNotWhole,
            |lab| shared(lab, "13 0 R", &[(12, EMPTY), (13, "[]")], &[(13, "[20 0 R]"), (20, NOTE)]),
        ),
        ("ISO 32000-2 12.5.2", "the list is another object then", FindingNotWhole, |lab| {
            let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /Annots 15 0 R >>";
            let blank = page.replace("/Contents 4 0 R ", "");
            let after = [(3, blank.as_str()), (10, page), (15, "[20 0 R]"), (20, NOTE)];
            shared(lab, "13 0 R", &[(12, EMPTY), (13, "[]")], &after)
        }),
        ("ISO 32000-2 12.5.2", "a field on both pages is filled", FindingNotWhole, |lab| {
            shared(lab, "[12 0 R]", &[(12, EMPTY)], &[(12, FULL)])
        }),
        ("ISO 32000-2 12.5.2", "a list of both pages has a field that is filled", FindingNotWhole, |lab| {
            shared(lab, "13 0 R", &[(12, EMPTY), (13, "[12 0 R]")], &[(12, FULL)])
        }),
    ]);
}

/// A field beside the words, then filled, with an appearance that has that box.
fn boxed(lab: &Lab, frame: &str) -> Given {
    let field = |value: &str| {
        object(&format!(
            "<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [400 100 500 120] /F 4 /P 3 0 R /DA (/F 12 Tf 0 g) {value} >>"
        ))
    };
    let mut all = objects(&[
        (1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [11 0 R] /SigFlags 3 >> >>"),
        (3, &super::revisions::PAGE.replace("[6 0 R]", "[11 0 R]")),
    ]);
    all.insert(4, stream("", PRICE.as_bytes()));
    all.insert(11, field(""));
    let mut document = Pdf::page("", all);
    sign(&mut document, lab, None);
    let filled = [(11, field("/V (9999) /AP << /N 21 0 R >>")), (21, in_box(frame))];
    document.update(filled.into_iter().collect());
    pdf(document.bytes)
}

/// A white page with other words, in that box.
fn in_box(frame: &str) -> Object {
    let dictionary = format!("/Type /XObject /Subtype /Form {frame} /Resources << /Font << /F 5 0 R >> >>");
    stream(&dictionary, b"1 1 1 rg -400 -100 595 842 re f 0 g BT /F 14 Tf -328 400 Td (Price 9999 euros) Tj ET")
}

/// A page, then a signature whose field has no size, with an appearance that has that box.
fn signed_in_box(lab: &Lab, frame: &str) -> Given {
    let mut document = Pdf::usual();
    sign(&mut document, lab, None);
    let field = Field { more: "/AP << /N 21 0 R >>", ..SECOND };
    document.sign_with(&field, [(21, in_box(frame))].into_iter().collect(), |bytes| lab.pades(&lab.bob, bytes));
    pdf(document.bytes)
}

#[test]
fn appearances_without_a_box() {
    check(&[
        ("ISO 32000-2 table 93", "a field is filled", Passed, |lab| boxed(lab, "/BBox [0 0 100 20]")),
        ("ISO 32000-2 table 93", "its appearance has no box", FindingNotWhole, |lab| boxed(lab, "")),
        ("ISO 32000-2 table 93", "the box is no array", FindingNotWhole, |lab| boxed(lab, "/BBox 100")),
        ("ISO 32000-2 table 93", "it has three numbers", FindingNotWhole, |lab| boxed(lab, "/BBox [0 0 100]")),
        ("ISO 32000-2 table 93", "an element is none", FindingNotWhole, |lab| boxed(lab, "/BBox [0 0 null 100 20]")),
        ("ISO 32000-2 table 93", "a signature of no size", Passed, |lab| signed_in_box(lab, "/BBox [0 0 0 0]")),
        ("ISO 32000-2 table 93", "its appearance has no box", Finding, |lab| signed_in_box(lab, "")),
    ]);
}

/// A field that viewers show by themselves; then the form has a font more.
fn with_another_font(lab: &Lab, field: &str) -> Given {
    let form =
        |fonts: &str| object(&format!("<< /Fields [11 0 R] /SigFlags 3 /DR << /Font << /Helv 5 0 R {fonts} >> >> >>"));
    let field = format!("<< /Type /Annot /Subtype /Widget /T (a) /P 3 0 R /Rect [400 100 500 120] /F 4 {field} >>");
    let mut all = objects(&[
        (1, "<< /Type /Catalog /Pages 2 0 R /AcroForm 14 0 R >>"),
        (3, &super::revisions::PAGE.replace("[6 0 R]", "[11 0 R]")),
        (11, &field),
    ]);
    all.insert(14, form(""));
    let mut document = Pdf::page("The parties agree.", all);
    sign(&mut document, lab, None);
    let mut after = document.value(14).clone();
    after.get_mut("DR").expect("it").get_mut("Font").expect("it").set("F2", "20 0 R");
    let mut changes = objects(&[(
        20,
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [48 /nine /nine] >> >>",
    )]);
    changes.insert(14, Object { value: after, stream: None });
    document.update(changes);
    pdf(document.bytes)
}

#[test]
fn fonts_that_come_later() {
    check(&[
        ("ISO 32000-2 12.7.4.3", "a field names a font that was there", Passed, |lab| {
            with_another_font(lab, "/FT /Tx /V (1000) /DA (/Helv 12 Tf 0 g)")
        }),
        ("ISO 32000-2 12.7.4.3", "it names one that comes", NotPassed, |lab| {
            with_another_font(lab, "/FT /Tx /V (1000) /DA (/F2 12 Tf 0 g)")
        }),
        ("ISO 32000-2 12.7.4.3", "the one that comes after another one", NotPassed, |lab| {
            with_another_font(lab, "/FT /Tx /V (1000) /DA (/Helv 12 Tf /F2 12 Tf 0 g)")
        }),
        ("ISO 32000-2 7.3.5", "its name is written with an escape", NotPassed, |lab| {
            with_another_font(lab, "/FT /Tx /V (1000) /DA (/F#32 12 Tf 0 g)")
        }),
        ("ISO 32000-2 table 192", "it is that of a button's caption", NotPassed, |lab| {
            with_another_font(lab, "/FT /Btn /Ff 65536 /MK << /CA (1000) >> /DA (/F2 12 Tf 0 g)")
        }),
    ]);
}

/// A page that is turned, then signed by another in a field of those flags.
fn turned(lab: &Lab, rotate: &str, rectangle: &str, flags: u32) -> Given {
    let page = format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> {rotate} >>"
    );
    let mut all = objects(&[(3, &page)]);
    all.insert(4, stream("", b"BT /F 14 Tf 0 1 -1 0 200 300 Tm (Price 1000 euros) Tj ET"));
    let mut document = Pdf::page("", all);
    sign(&mut document, lab, None);
    let shown = [(21, appearance("100 30", "1 1 1 rg 0 0 100 30 re f 0 g BT /F 14 Tf 2 5 Td (9999) Tj ET"))];
    let field = Field { rectangle, flags, more: "/AP << /N 21 0 R >>", ..SECOND };
    document.sign_with(&field, shown.into_iter().collect(), |bytes| lab.pades(&lab.bob, bytes));
    pdf(document.bytes)
}

#[test]
fn annotations_that_stay_upright() {
    check(&[
        ("ISO 32000-2 table 167", "a signature beside words, on a page that is not turned", Passed, |lab| {
            turned(lab, "", "[185 268 285 298]", 20)
        }),
        ("ISO 32000-2 table 167", "on one that is turned", Passed, |lab| {
            turned(lab, "/Rotate 90", "[185 268 285 298]", 4)
        }),
        ("ISO 32000-2 table 167", "it stays upright, so that it covers the words", Finding, |lab| {
            turned(lab, "/Rotate 90", "[185 268 285 298]", 20)
        }),
        ("ISO 32000-2 table 167", "the page is upside down", Finding, |lab| {
            turned(lab, "/Rotate 180", "[210 310 310 340]", 20)
        }),
        ("ISO 32000-2 table 167", "the page is turned the other way", Finding, |lab| {
            turned(lab, "/Rotate -90", "[215 370 315 400]", 20)
        }),
    ]);
}

/// Check boxes over a price, which are ticked: they show another one of their appearances, or one that is new.
fn ticked(lab: &Lab, content: &str, is_new: bool) -> Given {
    let tick = |state: &str, on: u32, left: u32| {
        format!(
            "<< /Type /Annot /Subtype /Widget /FT /Btn /T (a{left}) /V /{state} /AS /{state} /P 3 0 R /Rect [{left} 496 {} 512] /F 4 /AP << /N << /Off 21 0 R /On {on} 0 R >> >> >>",
            left + 16
        )
    };
    let page = super::revisions::PAGE.replace("[6 0 R]", "[11 0 R 12 0 R]");
    let mut all = objects(&[
        (1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [11 0 R 12 0 R] /SigFlags 3 >> >>"),
        (3, &page),
        (11, &tick("Off", 22, 108)),
        (12, &tick("Off", 22, 124)),
    ]);
    all.insert(4, stream("", content.as_bytes()));
    all.insert(21, appearance("16 16", ""));
    all.insert(22, appearance("16 16", "BT /F 14 Tf 2 4 Td (X) Tj ET"));
    let mut document = Pdf::page("", all);
    sign(&mut document, lab, None);
    let on = if is_new { 23 } else { 22 };
    let mut changes = objects(&[(11, &tick("On", on, 108)), (12, &tick("On", on, 124))]);
    changes.insert(23, appearance("16 16", "1 1 1 rg 0 0 16 16 re f 0 g BT /F 14 Tf 0 4 Td (99) Tj ET"));
    document.update(changes);
    pdf(document.bytes)
}

#[test]
fn boxes_that_are_ticked() {
    check(&[
        ("ISO 32000-2 12.7.5.2.3", "a box is ticked on words", FindingNotWhole, |lab| ticked(lab, PRICE, false)),
        ("ISO 32000-2 12.7.5.2.3", "it gets an appearance that it had not", FindingNotWhole, |lab| {
            ticked(lab, PRICE, true)
        }),
        ("ISO 32000-2 12.7.5.2.3", "the same beside the words", Passed, |lab| {
            ticked(lab, &PRICE.replace("72 500", "72 400"), true)
        }),
    ]);
}

/// A page of that content with those resources, then signed by another over it.
fn over(lab: &Lab, content: &str, resources: &str, more: &[(u32, Object)]) -> Given {
    let page =
        format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << {resources} >> >>");
    let mut all = objects(&[(3, &page)]);
    all.insert(4, stream("", content.as_bytes()));
    all.extend(more.iter().cloned());
    let mut document = Pdf::page("", all);
    sign(&mut document, lab, None);
    let shown = [(21, appearance("328 100", "1 1 1 rg 0 0 328 100 re f 0 g BT /F 14 Tf 2 50 Td (9999) Tj ET"))];
    let field = Field { rectangle: "[70 450 398 550]", more: "/AP << /N 21 0 R >>", ..SECOND };
    document.sign_with(&field, shown.into_iter().collect(), |bytes| lab.pades(&lab.bob, bytes));
    pdf(document.bytes)
}

/// The same of a page that paints a shading of that type.
fn shaded(lab: &Lab, content: &str, kind: u8) -> Given {
    let function = "<< /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >>";
    let shading = match kind {
        1 => stream("/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]", b"{ 2 copy mul }"),
        _ => object(&format!(
            "<< /ShadingType {kind} /ColorSpace /DeviceRGB /Coords [0 0 595 0] /Function {function} >>"
        )),
    };
    let resources = match kind {
        1 => {
            "/Shading << /S << /ShadingType 1 /ColorSpace /DeviceRGB /Function 15 0 R /Matrix [328 0 0 100 70 450] >> >> /Pattern << /P << /PatternType 2 /Shading << /ShadingType 1 /ColorSpace /DeviceRGB /Function 15 0 R /Matrix [328 0 0 100 70 450] >> >> >>"
        }
        _ => "/Shading << /S 15 0 R >> /Pattern << /P << /PatternType 2 /Shading 15 0 R >> >>",
    };
    over(lab, content, resources, &[(15, shading)])
}

#[test]
fn signatures_over_shadings() {
    check(&[
        ("ISO 32000-2 8.7.4.2", "a gradient behind the page", Passed, |lab| shaded(lab, "/S sh", 2)),
        ("ISO 32000-2 8.7.4.2", "one within a box", Passed, |lab| shaded(lab, "60 440 400 200 re W n /S sh", 2)),
        ("ISO 32000-2 8.5.4", "one within the form of letters", Finding, |lab| {
            shaded(lab, "q 80 460 m 200 540 l 300 460 l W n /S sh Q", 2)
        }),
        ("ISO 32000-2 8.7.4.5.2", "a shading that may show anything", Finding, |lab| shaded(lab, "/S sh", 1)),
        ("ISO 32000-2 8.5.4", "it is clipped to another place", Passed, |lab| {
            shaded(lab, "q 60 100 400 200 re W n /S sh Q", 1)
        }),
        ("ISO 32000-2 8.4.2", "it is not, after that is undone", Finding, |lab| {
            shaded(lab, "q 60 100 400 200 re W n Q /S sh", 1)
        }),
        ("ISO 32000-2 8.7.4.1", "a box is filled with it", Finding, |lab| {
            shaded(lab, "/Pattern cs /P scn 60 440 400 200 re f", 1)
        }),
        ("ISO 32000-2 8.7.4.1", "a box is filled with a gradient", Passed, |lab| {
            shaded(lab, "/Pattern cs /P scn 60 440 400 200 re f", 2)
        }),
    ]);
}

#[test]
fn signatures_over_fonts_of_their_own_space() {
    check(&[
        ("ISO 32000-2 9.6.4", "letters of a Type 3 font, each as wide as it says", Finding, |lab| {
            let font = "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 20 20] /FontMatrix [0.05 0 0 0.05 0 0] /CharProcs << /a 16 0 R >> /Encoding << /Type /Encoding /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [20] >>";
            let glyph = stream("", b"20 0 d0 1 1 18 18 re f");
            let text = "BT /G 14 Tf 5 500 Td (aaaaaaaa) Tj ET";
            over(lab, text, "/Font << /G 15 0 R >>", &[(15, object(font)), (16, glyph)])
        }),
        ("ISO 32000-2 9.7.4.3", "a line that goes down", Finding, |lab| {
            let font = "<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-V /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>] >>";
            let text = "BT /G 14 Tf 100 600 Td <00410042004300440045004600470048> Tj ET";
            over(lab, text, "/Font << /G 15 0 R >>", &[(15, object(font))])
        }),
    ]);
}
